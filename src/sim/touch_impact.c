/* touch_impact.c -- impulses of contacts that approach each other, all solved together
 *
 *   Newton    u_N+ >= -e u_N-,  complementary to P_N;  Coulomb's cone on the velocity after the impact. Friction can do
 *             positive work where the slip reverses: it is counted.
 *   Poisson   compression to u_N >= 0 gives P_c; expansion follows with P_N = e P_c + y, 0 <= y _|_ u_N >= 0. No energy is
 *             gained. Finite forces act after it, so that a contact at rest is not thrown up by its own weight.
 *
 * Moreau 1988; Anitescu and Potra 1997; Glocker and Pfeiffer 1995. Rates before are `before`, and finite forces add `gained`
 * (a step of moreau; zero in an event-driven impact). The work of a point is P . (u- + u+) / 2. */
#include <math.h>
#include <string.h>

#include "sim/touch.h"

/* What limit or contact of row i gives back: its coefficient, 0 when it is too slow. The row is a normal one. */
static double restitution(const fb_sim* s, int row, const fb_touch_point* p, double slow) {
  const fb_touching* w = s->touch;
  if (!(w->before[row] < -slow)) return 0;
  if (p) return fb_touch_block_memory(s, p->contact)[FB_HARD_RESTITUTION];
  return w->limit_of[row] >= 0 ? s->limits[w->limit_of[row]].restitution : 0;
}

static int is_poisson(const fb_sim* s, const fb_touch_point* p) {
  return p && fb_touch_contact(s, p->contact)->how.restitution_law == FB_RESTITUTION_POISSON;
}

/* The point of cone i, in the order of fb_touch_pose; NULL: of a coordinate. */
static const fb_touch_point* point_of(const fb_touching* w, int cone) {
  return cone < w->npoint ? &w->points[cone] : NULL;
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
    if (e > 0 && !is_poisson(s, p)) w->c[row] += e * w->before[row];
  }
  return expands;
}

/* y += A x */
static void add_response(const fb_touching* w, const double* x, double* y) {
  size_t n = (size_t)w->nrow;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) y[i] += w->A[i * n + j] * x[j];
}

/* Compression is in w->P: adds it to the sum, with the expansion that follows from it, w->least. */
static void pose_expansion(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  memcpy(w->sum, w->P, (size_t)w->nrow * sizeof *w->P);
  memset(w->least, 0, (size_t)w->nrow * sizeof *w->least);
  for (int i = 0, row = 0; i < w->ncone; row += fb_cone_rows(&w->cones[i++])) {
    const fb_touch_point* p = point_of(w, i);
    if (is_poisson(s, p)) w->least[row] = restitution(s, row, p, slow) * fmax(0, w->P[row]);
    w->sum[row] += w->least[row];
  }
  memcpy(w->u, w->before, (size_t)w->nrow * sizeof *w->u);
  add_response(w, w->sum, w->u);
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
}

/* Changes P[row] by x; the rates follow. */
static void change(fb_touching* w, int row, double x) {
  size_t n = (size_t)w->nrow;
  w->P[row] += x;
  for (size_t i = 0; i < n; i++) w->u[i] += w->A[i * n + (size_t)row] * x;
}

/* One cone by itself; how much it changed, in the unit of u. */
static double relax(fb_touching* w, int cone, int row) {
  size_t n = (size_t)w->nrow;
  const fb_cone* c = &w->cones[cone];
  double a = w->A[(size_t)row * n + (size_t)row], moved = 0, P[2];
  double lo = c->kind == FB_CONE_BOX ? c->lo : 0, hi = c->kind == FB_CONE_BOX ? c->hi : INFINITY;
  if (a > 0) {
    double x = fmin(hi, fmax(lo, w->P[row] - w->u[row] / a)) - w->P[row];
    change(w, row, x);
    moved = fabs(a * x);
  }
  if (c->kind != FB_CONE_COULOMB) return moved;
  double most = fmax(w->A[(size_t)(row + 1) * (n + 1)], w->A[(size_t)(row + 2) * (n + 1)]) +
                fabs(w->A[(size_t)(row + 1) * n + (size_t)row + 2]);
  if (!(most > 0)) return moved;
  for (int k = 0; k < 2; k++) P[k] = w->P[row + 1 + k] - w->u[row + 1 + k] / most;
  double size = hypot(P[0], P[1]), radius = c->mu * (w->P[row] + w->least[row]),
         by = size > radius ? radius / size : 1;
  for (int k = 0; k < 2; k++) {
    double x = by * P[k] - w->P[row + 1 + k];
    change(w, row + 1 + k, x);
    moved = fmax(moved, fabs(most * x));
  }
  return moved;
}

/* The expansion: normals push further where points approach still, friction has the radius that all of it gives. Projected
 * Gauss-Seidel; sweeps made. */
static int expand(fb_touching* w) {
  enum { MOST = 5000 };
  double size = 0, moved = INFINITY;
  int sweep = 0;
  for (int i = 0; i < w->nrow; i++) size = fmax(size, fabs(w->before[i]));
  for (; sweep < MOST && moved > 1e-14 * size; sweep++) {
    moved = 0;
    for (int i = 0, row = 0; i < w->ncone; row += fb_cone_rows(&w->cones[i++]))
      moved = fmax(moved, relax(w, i, row));
  }
  for (int i = 0; i < w->nrow; i++) {
    w->sum[i] += w->P[i];
    w->c[i] = w->before[i] + w->gained[i];
  }
  add_response(w, w->sum, w->c);
  memset(w->P, 0, (size_t)w->nrow * sizeof *w->P);
  return sweep;
}

static void book_work(fb_sim* s) {
  fb_touching* w = s->touch;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    double friction = 0, *works = w->works + 2 * w->points[i].contact;
    works[0] += 0.5 * w->P[row] * (w->before[row] + w->u[row]);
    for (int k = 1; k < fb_cone_rows(&w->cones[i]); k++)
      friction += 0.5 * w->P[row + k] * (w->before[row + k] + w->u[row + k]);
    works[1] += friction;
    double scale = fabs(w->P[row]) * (fabs(w->before[row]) + hypot(w->u[row], 1e-12));
    w->gains += friction > 1e-9 * scale;
  }
}

fb_cones_status fb_touch_impulses(fb_sim* s, double slow) {
  fb_touching* w = s->touch;
  size_t size = (size_t)w->nrow * sizeof *w->P;
  int expands = pose_newton(s, slow), iterations = 0;
  fb_cones_status status;
  memset(w->sum, 0, size);
  if (expands) {
    status = fb_touch_solve(s);
    if (status == FB_CONES_NONE) return status;
    iterations = w->result.iterations;
    pose_expansion(s, slow);
    iterations += expand(w);
  } else {
    for (int i = 0; i < w->nrow; i++) w->c[i] += w->gained[i];
  }
  status = fb_touch_solve(s);
  w->result.iterations += iterations;
  for (int i = 0; i < w->nrow; i++) {
    w->P[i] += w->sum[i];
    w->u[i] = w->before[i] + w->gained[i];
  }
  add_response(w, w->P, w->u);
  book_work(s);
  return status;
}
