/* pivots.c -- whether every coordinate that is driven by force has something to move
 *
 * After forward or mixed dynamics (aba.inl) D holds one over each pivot, D_scale what the pivot came from, and the body of
 * a link its articulated inertia. Pivots must be more than rounding. The coordinates of spherical and free joints are
 * judged together as well, by that inertia (math/definite.h), since the order in which they are eliminated may hide that
 * it is singular. Children come first: where they have nothing to move, what their parents have is not a number. */
#include "dynamics/pivots.h"

#include <assert.h>
#include <math.h>

#include <freebody/dynamics.h>
#include <freebody/status.h>

#include "dynamics/aba.inl"
#include "math/definite.h"
#include "model/data.h"
#include "model/joint_kind.h"
#include "model/model.h"

static int is_prescribed(const fb_data* d, int k) {
  return d->D_scale[k] == -1;
}

/* --- what pivots are measured against --- */

/* Sizes of inertias: against turning, the trace about a link's origin, and against sliding. */
typedef struct size {
  double turn, slide;
} size;

/* Of all that a link carries, before any joint gives way. The links of a subtree follow one another. */
static size carried(const fb_model* m, const fb_data* d, int link) {
  size sum = {0, 0};
  fb_v3 origin = fb_get3(fb_link(d, link), FB_REC_P);
  for (int i = link; i < m->top.nlink && (i == link || m->top.link_parent[i] >= link); i++) {
    const fb_par* P = fb_link_par(d->par, i);
    fb_v3 r = fb_v3_sub(fb_get3(fb_link(d, i), FB_REC_P), origin);
    double mass = fb_par1(P, FB_PAR_MASS);
    for (int k = 0; k < 3; k++) sum.turn += fabs(fb_par1(P, FB_PAR_I + k));
    sum.turn += 2 * fabs(mass) * fb_v3_dot(r, r);
    sum.slide += 3 * fabs(mass);
  }
  return sum;
}

/* What a joint carries can vanish but for rounding where the joints beyond it give way. Then what is left is measured
 * against a tenth of what they carried; else against itself, and this is zero. *most is the largest met so far. */
static size hidden(const fb_model* m, const fb_data* d, int body, double* most) {
  static const double LITTLE = 1e-12;
  int first = m->top.body_v[body], end = first + fb_joint_nv(m, body), little = 0;
  for (int k = first; k < end; k++) little |= !is_prescribed(d, k) && d->D_scale[k] <= LITTLE * *most;
  for (int k = first; k < end; k++) *most = fmax(*most, d->D_scale[k]);
  size x = {0, 0};
  if (little) x = carried(m, d, m->top.body_link[body]);
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
  fb_k_body I = fb_k_body_load(d, link);
  fb_k_pair S[FB_DEFINITE_MOST];
  double A[FB_DEFINITE_MOST * FB_DEFINITE_MOST], scale[FB_DEFINITE_MOST], armature[FB_DEFINITE_MOST];
  for (int i = 0; i < fb_k_link_nv(m->top.link_kind[link]); i++) {
    if (is_prescribed(d, first + i)) continue;
    int slides = fb_joint_type_is_length(type, first + i - m->top.body_v[body]);
    S[n] = fb_k_axis_pair(&m->top, d->par, d, link, m->top.link_kind[link], first + i);
    armature[n] = d->armature[first + i];
    scale[n++] = fmax(fb_k_body_size(&I, slides ? FB_LINK_PRISMATIC : FB_LINK_REVOLUTE),
                      slides ? least.slide : least.turn);
  }
  for (int i = 0; i < n; i++) {
    fb_k_reach U = fb_k_body_axis(&I, FB_LINK_FREE, S[i]);
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
    double own, scale = fb_joint_type_is_length(type, k - first) ? least.slide : least.turn;
    scale = fmax(scale, d->D_scale[k] * (block ? 1 : magnified(d, first, end, k)));
    if (coordinate_holds(d, k, scale, &own)) continue;
    lowest = fmin(lowest, own);
    idle = 1;
  }
  if (block && !block_holds(m, d, body, least, pivot)) return 1;
  *pivot = lowest;
  return idle;
}

int fb_pivots_find_idle(const fb_model* m, const fb_data* d, double* pivot) {
  assert(fb_data_fits(d, m));
  double most = 0;
  for (int i = m->top.nbody - 1; i > 0; i--) {
    int b = m->top.body_order[i];
    size least = hidden(m, d, b, &most);
    if (is_idle(m, d, b, least, pivot)) return b;
  }
  return FB_WORLD;
}

fb_status fb_check_pivots(const fb_model* m, const fb_data* d, fb_error* error) {
  double pivot;
  int b = fb_pivots_find_idle(m, d, &pivot);
  if (b == FB_WORLD) return FB_OK;
  if (isnan(pivot)) pivot = 0; /* a loop has divided by it */
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "joint \"%s\" has nothing to move: its pivot is %g; give what it carries mass and inertia%s, prescribe "
      "its motion or fix it%s",
      fb_joint_name(m, b), pivot,
      fb_joint_kinds[m->top.joint_type[b]].is_free ? "" : " or the joint armature",
      m->keeps_inertia ? "; inertias are kept as given, and repair makes them possible" : "");
}
