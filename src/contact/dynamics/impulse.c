/* impulse.c -- impulses of contacts that approach each other, all solved together
 *
 *   Newton    u_N+ >= -e u_N-,  complementary to P_N;  Coulomb's cone on the velocity after the impact. Friction can do
 *             positive work where the slip reverses: it is counted.
 *   Poisson   compression to u_N >= 0 gives P_c; expansion follows with P_N = e P_c + y, 0 <= y _|_ u_N >= 0. No energy is
 *             gained.
 *
 * Moreau 1988; Anitescu and Potra 1997; Glocker and Pfeiffer 1995. Rates before are `before`, and finite forces add `gained`
 * (a step of moreau; zero in an event-driven impact), half of it and `more` before the impact: a bounce within a step returns e
 * times the rate that it meets, and flies freely for what is left of the step. The work of a point is P . (u- + u+) / 2. */
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"

/* The slowest rebound that counts: what forces bring back within a step. Those that other lasting contacts had before are among
 * them, since a body on another one that rests does not fall with it. In their midst steps are not divided (moreau.c), and a
 * displacement out of penetration lifts all that is above: rebounds must be larger to be more than its doing. */
static double slowest_rebound(const fb_touching* w, int row, const fb_touch_point* p) {
  static const double AMONG_OTHERS = 4;
  double fall = -w->gained[row], by = 1;
  const double* A = w->A + (size_t)row * (size_t)w->nrow;
  for (int i = 0, at = 0; p && i < w->npoint; at += fb_cone_rows(&w->cones[i++])) {
    const fb_touch_point* other = &w->points[i];
    if (fb_is_of_pair(p, other->contact, other->a, other->b) || is_zero3(other->force)) continue;
    by = AMONG_OTHERS;
    fall -= A[at] * w->h * dot3(other->force, other->touch.normal);
    for (int k = 1; k < fb_cone_rows(&w->cones[i]); k++)
      fall -= A[at + k] * w->h * dot3(other->force, other->tangent[k - 1]);
  }
  return by * fall;
}

/* What limit or contact of row i gives back: its coefficient, 0 when it is too slow, so that it rests. The row is a normal
 * one. */
static double restitution(const fb_sim* s, int row, const fb_touch_point* p, double slow) {
  const fb_touching* w = s->touch;
  double e = 0, approach = -w->before[row];
  if (p && !fb_touch_lasts(s, p)) e = fb_touch_block_memory(s, p->contact)[FB_HARD_RESTITUTION];
  if (w->limit_of[row] >= 0) e = s->limits[w->limit_of[row]].restitution;
  return e > 0 && approach > slow && e * approach > slowest_rebound(w, row, p) ? e : 0;
}

static int is_poisson(const fb_sim* s, const fb_touch_point* p) {
  return p && fb_touch_contact(s, p->contact)->how.restitution_law == FB_RESTITUTION_POISSON;
}

/* The point of cone i, in the order of fb_touch_pose; NULL: of a coordinate. */
static const fb_touch_point* point_of(const fb_touching* w, int cone) {
  return cone < w->npoint ? &w->points[cone] : NULL;
}

/* What of the rates that finite forces give a row comes after the impact. */
static double late(const fb_touching* w, int row) {
  return 0.5 * w->gained[row] - w->more[row];
}

/* What compression begins with. Forces act after it where points last, so that one at rest is not thrown up by its weight. */
static void pose_compression(fb_touching* w) {
  for (int i = 0; i < w->nrow; i++)
    w->c[i] = w->before[i] + (fb_touch_is_divided(w) ? w->gained[i] - late(w, i) : 0);
}

/* A point that rebounds: its rate at the end of the step is what the impact returns and what finite forces add until then;
 * its slip likewise. */
static void pose_rebound(fb_touching* w, int row, int rows, double e) {
  double met = w->before[row] + w->gained[row] - late(w, row), rate = late(w, row) - e * met;
  if (!(rate > 0)) return;
  w->c[row] -= rate;
  for (int k = 1; k < rows; k++) w->c[row + k] -= late(w, row + k);
  memset(w->closing + row, 0, (size_t)rows * sizeof *w->closing); /* it has left by the end of the step */
}

/* c for Newton's law, and whether Poisson's has something to do. */
static int pose_newton(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  int expands = 0;
  for (int i = 0, row = 0; i < w->ncone; row += fb_cone_rows(&w->cones[i++])) {
    const fb_touch_point* p = point_of(w, i);
    double e = w->cones[i].kind == FB_CONE_BOX ? 0 : restitution(s, row, p, slow);
    expands |= e > 0 && is_poisson(s, p);
    for (int k = 0; k < fb_cone_rows(&w->cones[i]); k++) w->c[row + k] = w->before[row + k];
    if (e > 0 && !is_poisson(s, p)) pose_rebound(w, row, fb_cone_rows(&w->cones[i]), e);
  }
  return expands;
}

/* y += A x */
static void add_response(const fb_touching* w, const double* x, double* y) {
  size_t n = (size_t)w->nrow;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) y[i] += w->A[i * n + j] * x[j];
}

/* Compression is in w->P: adds it to the sum, with the expansion that follows from it, and poses what is left of the latter. */
static void pose_expansion(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  memcpy(w->sum, w->P, (size_t)w->nrow * sizeof *w->P);
  for (int i = 0, row = 0; i < w->ncone; row += fb_cone_rows(&w->cones[i++])) {
    const fb_touch_point* p = point_of(w, i);
    double more = is_poisson(s, p) ? restitution(s, row, p, slow) * fmax(0, w->P[row]) : 0;
    if (w->cones[i].kind == FB_CONE_COULOMB) w->cones[i].lo = more;
    w->sum[row] += more;
  }
  pose_compression(w);
  add_response(w, w->sum, w->c);
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
}

/* And then of finite forces. */
static void pose_forces(fb_touching* w) {
  for (int i = 0; i < w->nrow; i++) {
    w->sum[i] += w->P[i];
    w->c[i] = w->before[i] + w->gained[i] + w->closing[i];
  }
  for (int i = 0; i < w->ncone; i++)
    if (w->cones[i].kind == FB_CONE_COULOMB) w->cones[i].lo = 0;
  add_response(w, w->sum, w->c);
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
}

/* Of the rates around the impact. */
static double mean_rate(const fb_touching* w, int row) {
  return 0.5 * (w->before[row] + w->u[row]) + w->more[row];
}

/* Works of all points. How that of an impact divides into normal and friction depends on the path from one velocity to the
 * other: on the straight one it is P . (u- + u+) / 2 row by row, and friction may get more than nothing. Where all normal
 * impulses came first it would get P_T . u_T+ - P_T . A P_T / 2, less than nothing. So it gets nothing there, and the normal
 * the rest; but not with Newton's restitution, which does gain where slip reverses. */
static void book_work(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    const fb_touch_point* p = &w->points[i];
    double normal = w->P[row] * mean_rate(w, row), friction = 0, rates = 0;
    int bounces = !is_poisson(s, p) && restitution(s, row, p, slow) > 0;
    for (int k = 1; k < fb_cone_rows(&w->cones[i]); k++) friction += w->P[row + k] * mean_rate(w, row + k);
    for (int k = 0; k < fb_cone_rows(&w->cones[i]); k++)
      rates += fabs(w->before[row + k]) + fabs(w->gained[row + k]) + fabs(w->u[row + k]);
    if (!bounces && friction > 0) {
      normal += friction;
      friction = 0;
    }
    w->works[2 * p->contact] += normal;
    w->works[2 * p->contact + 1] += friction;
    if (!(friction > 1e-9 * fabs(w->P[row]) * rates)) continue;
    w->gains++;
    w->rubbed[p->contact] += friction;
  }
}

fb_cones_status fb_touch_impulses(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  size_t size = (size_t)w->nrow * sizeof *w->P;
  int expands = pose_newton(s, slow), iterations = 0;
  fb_cones_status status;
  memset(w->sum, 0, size);
  if (expands) {
    pose_compression(w);
    status = fb_touch_solve(s);
    if (status == FB_CONES_NONE) return status;
    iterations = w->result.iterations;
    pose_expansion(s, slow);
    status = fb_touch_solve(s);
    if (status == FB_CONES_NONE) return status;
    iterations += w->result.iterations;
    pose_forces(w);
  } else {
    for (int i = 0; i < w->nrow; i++) w->c[i] += w->gained[i] + w->closing[i];
  }
  status = fb_touch_solve(s);
  w->result.iterations += iterations;
  for (int i = 0; i < w->nrow; i++) {
    w->P[i] += w->sum[i];
    w->u[i] = w->before[i] + w->gained[i];
  }
  add_response(w, w->P, w->u);
  book_work(s, slow);
  return status;
}

/* The active rows are the same for both, so that impulses are linear in the rates gained. */
fb_cones_status fb_touch_jam(fb_sim* s) {
  fb_touching* w = s->touch;
  fb_cones_status status = FB_CONES_SOLVED;
  for (int times = 2; times > 0; times--) {
    memcpy(w->sum, w->P, (size_t)w->nrow * sizeof *w->P);
    for (int i = 0; i < w->nrow; i++) w->c[i] = w->before[i] + times * w->gained[i];
    status = fb_touch_solve(s);
    if (status == FB_CONES_NONE) return status;
  }
  for (int i = 0; i < w->nrow; i++) {
    w->P[i] = 2 * w->P[i] - w->sum[i];
    w->u[i] = w->before[i];
    w->gained[i] = 0;
  }
  add_response(w, w->P, w->u);
  book_work(s, INFINITY);
  return status;
}
