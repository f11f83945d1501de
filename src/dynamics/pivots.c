/* pivots.c -- whether every coordinate that is driven by force has something to move
 *
 * After forward or mixed dynamics (aba.inl) D holds one over each pivot, D_scale what the pivot came from, and the body of
 * a link its articulated inertia. Pivots must be more than rounding. The coordinates of spherical and free joints are
 * judged together as well, by that inertia (math/definite.h), since the order in which they are eliminated may hide that
 * it is singular. Children come first: where they have nothing to move, what their parents have is not a number. */
#include "dynamics/pivots.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/status.h>

#include "dynamics/aba.inl"
#include "math/definite.h"
#include "model/data.h"
#include "model/joint_kind.h"
#include "model/links.h"
#include "model/model.h"

static int is_prescribed(const fb_data* d, int k) {
  return d->D_scale[k] == -1;
}

/* --- what pivots are measured against --- */

/* Sizes of inertias: against turning, the trace about a link's origin, and against sliding. */
typedef struct size {
  double turn, slide;
} size;

/* How far a walk over the joints, outermost first, has come. */
typedef struct walk {
  double most; /* the largest inertia met so far */
  int weighed; /* 1: d->carried is filled */
} walk;

/* What each link carries, before any joint yields: turn, mass and first moment about its origin, added up inward. */
static void weigh(const fb_model* m, const fb_data* d) {
  enum { TURN, MASS, MOMENT, SIZE = MOMENT + 3 };
  memset(d->carried, 0, SIZE * (size_t)m->top.nlink * sizeof(double));
  for (int i = m->top.nlink - 1; i > 0; i--) {
    const double* P = fb_link_par(d->par, i);
    int parent = m->top.link_parent[i];
    double *sums = d->carried + SIZE * i, *onto = d->carried + SIZE * parent;
    sums[MASS] += fabs(fb_par1(P, FB_PAR_MASS));
    for (int k = 0; k < 3; k++) sums[TURN] += fabs(fb_par1(P, FB_PAR_I + k));
    fb_v3 l = fb_v3_sub(fb_get3(fb_link(d, i), FB_REC_P), fb_get3(fb_link(d, parent), FB_REC_P));
    fb_v3 moment = fb_ld3(sums + MOMENT, 0);
    onto[MASS] += sums[MASS];
    onto[TURN] += sums[TURN] + 4 * fb_v3_dot(l, moment) + 2 * sums[MASS] * fb_v3_dot(l, l);
    fb_st3(onto + MOMENT, 0, fb_v3_add(fb_ld3(onto + MOMENT, 0), fb_v3_axpy(moment, sums[MASS], l)));
  }
}

static size carried(const fb_data* d, int link) {
  const double* x = d->carried + 5 * link;
  return (size){fmax(0, x[0]), 3 * x[1]};
}

/* What a joint carries can vanish but for rounding where the joints beyond it yield. Then what is left is measured
 * against a tenth of what they carried; else against itself, and this is zero. */
static size hidden(const fb_model* m, const fb_data* d, int body, walk* w) {
  static const double LITTLE = 1e-12;
  int first = m->top.body_v[body], end = first + fb_joint_nv(m, body), little = 0;
  for (int k = first; k < end; k++) little |= !is_prescribed(d, k) && d->D_scale[k] <= LITTLE * w->most;
  for (int k = first; k < end; k++) w->most = fmax(w->most, d->D_scale[k]);
  if (!little) return (size){0, 0};
  if (!w->weighed) weigh(m, d);
  w->weighed = 1;
  size x = carried(d, m->top.body_link[body]);
  return (size){0.1 * x.turn, 0.1 * x.slide};
}

/* --- joints --- */

static int coordinate_holds(const fb_data* d, int k, double scale, double* pivot) {
  *pivot = 1 / d->D[k];
  return is_prescribed(d, k) ||
         (isfinite(*pivot) && *pivot > FB_ROUNDING * d->D_scale[k] && *pivot > FB_ROUNDING * scale);
}

/* How much rounding the other coordinates of a joint may have put into coordinate k: a small pivot magnifies what it
 * leaves to those that follow. */
static double magnified(const fb_data* d, int first, int end, int k) {
  static const double MOST = 1e4;
  double growth = 1;
  for (int i = first; i < end; i++)
    if (i != k && !is_prescribed(d, i)) growth = fmax(growth, d->D_scale[i] * d->D[i]);
  return fmin(growth, MOST);
}

/* The link of a joint that has a quaternion. */
static int turning_link(const fb_model* m, int body) {
  int link = m->top.body_link[body];
  while (m->top.link_kind[link] != FB_LINK_SPHERICAL && m->top.link_kind[link] != FB_LINK_FREE)
    link = m->top.link_parent[link];
  return link;
}

/* The coordinates of its spherical or free link that are driven by force, all together: S^T IA S and rotors. */
static int block_holds(const fb_model* m, const fb_data* d, int body, size least, double* pivot) {
  fb_joint_type type = (fb_joint_type)m->top.joint_type[body];
  int link = turning_link(m, body), first = m->top.link_v[link], n = 0;
  fb_k_body I = fb_k_body_load(&m->top, d, link);
  fb_k_pair S[FB_DEFINITE_MOST];
  double A[FB_DEFINITE_MOST * FB_DEFINITE_MOST], scale[FB_DEFINITE_MOST], armature[FB_DEFINITE_MOST];
  for (int i = 0; i < m->top.link_nv[link]; i++) {
    if (is_prescribed(d, first + i)) continue;
    int slides = fb_joint_type_is_length(type, first + i - m->top.body_v[body]);
    S[n] = fb_k_axis_pair(&m->top, d->par, d, link, m->top.link_kind[link], first + i);
    armature[n] = d->armature[first + i];
    scale[n++] = fmax(fb_k_body_size(&I, slides ? FB_LINK_PRISMATIC : FB_LINK_REVOLUTE),
                      slides ? least.slide : least.turn);
  }
  for (int i = 0; i < n; i++) {
    fb_k_axis_load U = fb_k_body_axis(&I, FB_LINK_FREE, S[i]);
    fb_k_pair force = fb_k_pair_make(fb_four_xyz(U.w), fb_four_xyz(U.v));
    for (int j = 0; j < n; j++) A[i * n + j] = fb_k_pair_dot(S[j], force) + (i == j ? armature[i] : 0);
  }
  return fb_definite(A, n, scale, pivot);
}

/* Whether the joint has nothing to move along some coordinate, and its least pivot in *pivot. Where one vanishes, those
 * that were eliminated after it are not numbers. */
static int is_idle(const fb_model* m, const fb_data* d, int body, size least, double* pivot) {
  fb_joint_type type = (fb_joint_type)m->top.joint_type[body];
  int first = m->top.body_v[body], end = first + fb_joint_nv(m, body), block = fb_joint_kinds[type].quats > 0;
  int idle = 0;
  double lowest = NAN;
  for (int k = first; k < end; k++) {
    double pivot_k, scale = fb_joint_type_is_length(type, k - first) ? least.slide : least.turn;
    scale = fmax(scale, d->D_scale[k] * (block ? 1 : magnified(d, first, end, k)));
    if (coordinate_holds(d, k, scale, &pivot_k)) continue;
    lowest = fmin(lowest, pivot_k);
    idle = 1;
  }
  if (block && !block_holds(m, d, body, least, pivot)) return 1;
  *pivot = lowest;
  return idle;
}

int fb_pivots_find_idle(const fb_model* m, const fb_data* d, double* pivot) {
  assert(fb_data_fits(d, m));
  walk w = {0, 0};
  for (int i = m->top.nbody - 1; i > 0; i--) {
    int b = m->top.body_order[i];
    size least = hidden(m, d, b, &w);
    if (is_idle(m, d, b, least, pivot)) return b;
  }
  return FB_WORLD;
}

/* --- holding what is idle --- */

/* The links of a body's joint, and what they and the link that carries them are before the inward pass meets them. */
typedef struct joint_links {
  int first, last, parent;
  fb_k_body before[FB_DEFINITE_MOST + 1];
} joint_links;

static joint_links remember(const fb_model* m, const fb_data* d, int body) {
  joint_links x = {.last = m->top.body_link[body]};
  x.first = x.last + 1 - fb_links_of_joint((fb_joint_type)m->top.joint_type[body], m->merge_fixed);
  x.parent = m->top.link_parent[x.first];
  x.before[0] = fb_k_body_load(&m->top, d, x.parent);
  for (int i = x.first; i <= x.last; i++) x.before[i - x.first + 1] = fb_k_body_load(&m->top, d, i);
  return x;
}

static void put_back(const fb_model* m, fb_data* d, const joint_links* x) {
  fb_k_body_store(&m->top, d, x->parent, x->before[0]);
  for (int i = x->first; i <= x->last; i++) fb_k_body_store(&m->top, d, i, x->before[i - x->first + 1]);
}

static void pass_inward(const fb_model* m, fb_data* d, const joint_links* x, const double* tau,
                        const unsigned char* prescribed) {
  for (int i = x->last; i >= x->first; i--) {
    if (m->top.link_kind[i] == FB_LINK_FREE && fb_k_responds(prescribed, m->top.link_v[i], 6))
      fb_k_aba_inward_free(&m->top, d, i, tau);
    else
      fb_k_aba_inward_any(&m->top, d->par, d, i, tau, prescribed);
  }
}

/* The inward pass of mixed dynamics at rest; a joint that is idle is held, and the pass continues with it prescribed. */
fb_status fb_pivots_hold_idle(const fb_model* m, fb_data* d, const double* q, unsigned char* prescribed,
                              fb_pivots_hold hold, void* user) {
  assert(fb_data_fits(d, m));
  walk w = {0, 0};
  double pivot;
  memset(d->known_vdot, 0, (size_t)m->top.nv * sizeof(double));
  d->armature = d->par->armature;
  fb_k_outward_in(&m->top, d->par, d, NULL, q, d->known_vdot, d->known_vdot);
  fb_k_aba_alone(&m->top, d->par, d);
  for (int i = m->top.nbody - 1; i > 0; i--) {
    int b = m->top.body_order[i], nv = fb_joint_nv(m, b), go_on = 1;
    if (fb_links_of_joint((fb_joint_type)m->top.joint_type[b], m->merge_fixed) == 0) continue;
    joint_links links = remember(m, d, b);
    double most = w.most;
    pass_inward(m, d, &links, d->known_vdot, prescribed);
    size least = hidden(m, d, b, &w);
    if (!is_idle(m, d, b, least, &pivot)) continue;
    fb_status status = hold(user, b, &go_on);
    if (status || !go_on) return status;
    w.most = most;
    memset(prescribed + m->top.body_v[b], 1, (size_t)nv);
    put_back(m, d, &links);
    pass_inward(m, d, &links, d->known_vdot, prescribed);
  }
  return FB_OK;
}

fb_status fb_model_check_pivots(const fb_model* m, const fb_data* d, fb_error* error) {
  double pivot;
  int b = fb_pivots_find_idle(m, d, &pivot);
  if (b == FB_WORLD) return FB_OK;
  if (isnan(pivot)) pivot = 0; /* a loop has divided by it */
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "joint \"%s\" has nothing to move: its pivot is %g; give what it carries mass and "
                 "inertia%s, prescribe its motion or fix it%s",
                 fb_joint_name(m, b), pivot,
                 fb_joint_kinds[m->top.joint_type[b]].is_free ? "" : " or the joint armature",
                 m->keeps_inertia ? "; inertias are kept as given, and repair makes them possible" : "");
}
