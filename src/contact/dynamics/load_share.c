/* load_share.c -- loads of redundant points: those of equal springs under all of them
 *
 * Where held rows J depend on each other, z^T J = 0, forces are not determined by accelerations. With the same small
 * compliance along every row forces are f = J x in the limit, so that
 *
 *   z^T f = 0 for all z with z^T A = 0,   A = J H^-1 J^T
 *
 * The least sum of squares is something else where points slip, whose friction is in the columns of K: those forces
 * depend on the slip direction, and jump where a point begins to slip, so that it may get a higher load and be driven
 * back. Forces of springs do not jump: those of a point at the onset of slip solve both problems. Since z^T K = 0,
 * they are the solution of K f + sum z z^T f = rhs, rhs without its part along z. Where points only stick, forces of
 * the least sum of squares with every row scaled to a response of one are used: the motion does not depend on them.
 *
 * If one of them would pull, or exceed its cone, the closest forces inside the cones with the same effect are used,
 * if they exist (closest_impulses.c).
 *
 * Impulses of a step of moreau are not determined likewise: a wheel that touches along a line in a curve may carry its load at
 * either end, and rolls there. Those of springs are found by a small compliance along z of the normals, and then without it. */
#include <math.h>
#include <string.h>

#include "math/dot.h"
#include "math/span.h"
#include "math/vector3.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"

/* The arrays in w->span; order: two of [n]. */
static fb_span make_span(fb_hard_contacts* w, int n, int which) {
  size_t nn = (size_t)n * (size_t)n;
  double* at = w->span + (size_t)which * (nn + 2 * (size_t)n);
  return (fb_span){n, n, 0, at, at + nn, at + nn + n, w->ints + w->room_rows + which * n};
}

void fb_hard_solve_equal(fb_sim* s, const double* A, int n, double* x) {
  static const double NOTHING = 1e-13, SMALL = 1e-11;
  fb_hard_contacts* w = s->contact.hard;
  fb_span rows = make_span(w, n, 0), inner = make_span(w, n, 1);
  double *scale = inner.halves + n, *y = scale + n, *work = y + n;
  double most = 0, longest = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(A[i * n + i]));
  for (int i = 0; i < n; i++) {
    double a = fabs(A[i * n + i]);
    scale[i] = a > NOTHING * most ? 1 / sqrt(a) : 0;
  }
  for (int i = 0; i < n; i++) {
    double* row = rows.vectors + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++) row[j] = scale[i] * A[i * n + j] * scale[j];
    longest = fmax(longest, fb_dot(row, row, n));
    x[i] *= scale[i];
  }
  fb_span_factor(&rows, SMALL * sqrt(longest));
  fb_span_least_squares(&rows, x, &inner, work, y);
  for (int i = 0; i < n; i++) x[i] = scale[i] * y[i];
}

/* ---- springs ---- */

static double response_of(const fb_hard_contacts* w, int row) {
  return fabs(fb_hard_response(w, w->ints[row], w->ints[row]));
}

/* 1 / sqrt of the response of each row in w->ints to itself; 0 where there is none. Returns the largest response. */
static double find_scale(const fb_hard_contacts* w, int n, double* scale) {
  static const double NOTHING = 1e-13;
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, response_of(w, i));
  for (int i = 0; i < n; i++) {
    double a = response_of(w, i);
    scale[i] = a > NOTHING * most ? 1 / sqrt(a) : 0;
  }
  return most;
}

/* Those rows of A, scaled; their span. */
static void factor_rows(const fb_hard_contacts* w, const double* scale, fb_span* rows) {
  static const double SMALL = 1e-11;
  double longest = 0;
  for (int r = 0; r < rows->n; r++) {
    double* row = rows->vectors + (size_t)r * (size_t)rows->n;
    for (int c = 0; c < rows->n; c++)
      row[c] = scale[r] * fb_hard_response(w, w->ints[r], w->ints[c]) * scale[c];
    longest = fmax(longest, fb_dot(row, row, rows->n));
  }
  fb_span_factor(rows, SMALL * sqrt(longest));
}

int fb_hard_find_idle(fb_sim* s, int n, double* x, double** idle) {
  static const double RANGE = 1e4; /* of compliances over responses */
  fb_hard_contacts* w = s->contact.hard;
  fb_span rows = make_span(w, n, 0);
  double *z = *idle = make_span(w, n, 1).vectors, *scale = z + (size_t)n * (size_t)n;
  double most = find_scale(w, n, scale);
  factor_rows(w, scale, &rows);
  for (int j = rows.rank; j < n; j++, z += n) {
    double along = 0, square = 0;
    memset(z, 0, (size_t)n * sizeof *z);
    z[j] = 1;
    fb_span_apply(&rows, z);
    for (int i = 0; x && i < n; i++) along += z[i] * scale[i] * x[i];
    for (int i = 0; i < n; i++) {
      if (x && scale[i] > 0) x[i] -= along * z[i] / scale[i];
      z[i] *= fmin(most * scale[i] * scale[i], RANGE);
      square += z[i] * z[i];
    }
    for (int i = 0; i < n; i++) z[i] = scale[i] > 0 ? z[i] / (scale[i] * sqrt(square)) : 0;
  }
  return n - rows.rank;
}

void fb_hard_add_idle(const double* idle, int count, int n, double by, double* K) {
  for (int j = 0; j < count; j++, idle += n)
    for (int r = 0; r < n; r++)
      for (int c = 0; c < n; c++) K[r * n + c] += by * idle[r] * idle[c];
}

int fb_hard_any_rubs_along(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->npoint; i++)
    if (w->points[i].state == FB_CONTACT_SLIPS && fb_hard_rubs(s, &w->points[i])) return 1;
  return 0;
}

void fb_hard_solve_modes(fb_sim* s, const double* K, int n, double* x) {
  fb_hard_contacts* w = s->contact.hard;
  double *idle, *whole = w->work;
  int count = fb_hard_any_rubs_along(s) ? fb_hard_find_idle(s, n, x, &idle) : 0;
  if (count == 0) {
    fb_hard_solve_equal(s, K, n, x);
    return;
  }
  memcpy(whole, K, (size_t)n * (size_t)n * sizeof *whole);
  fb_hard_add_idle(idle, count, n, 1, whole);
  fb_hard_solve_equal(s, whole, n, x);
}

/* ---- cones ---- */

/* Whether a force pulls, or is outside of its cone. */
static int is_outside(const fb_hard_contacts* w, const double* f) {
  static const double SLACK = 1e-12;
  double most = 0;
  for (int i = 0, at = 0; i < w->npoint; at += fb_cone_rows(&w->cones[i++])) most = fmax(most, fabs(f[at]));
  for (int i = 0, at = 0; i < w->npoint; at += fb_cone_rows(&w->cones[i++])) {
    if (f[at] < -SLACK * most) return 1;
    if (w->cones[i].kind == FB_CONE_COULOMB &&
        norm2(f[at + 1], f[at + 2]) > w->cones[i].mu * (f[at] + SLACK * most))
      return 1;
  }
  return 0;
}

/* x -= K f */
static void take_away(const double* K, const double* f, int n, double* x) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) x[i] -= K[i * n + j] * f[j];
}

void fb_hard_share(fb_sim* s, const double* K, const double* rhs, int n, double* f) {
  static const double CLOSE = 1e-7; /* the error of the solver, which is corrected */
  fb_hard_contacts* w = s->contact.hard;
  double *left = w->soon, *other = w->sum, most = 0, off = 0, *idle;
  w->ncone = w->shared = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
    w->cones[w->ncone++] =
        (fb_cone){p->state == FB_CONTACT_STICKS ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
  }
  if (!is_outside(w, f) || (w->npoint < 2 && fb_hard_find_idle(s, n, NULL, &idle) == 0)) return;
  for (int i = 0; i < n; i++) w->c[i] = -rhs[i];
  memcpy(other, f, (size_t)n * sizeof *f);
  const fb_cones_problem problem = {
      .ncone = w->ncone, .n = n, .cones = w->cones, .A = K, .c = w->c, .tolerance = 1e-12};
  int *ints = w->ints + w->room_rows, found = fb_cones_closest(&problem, other, w->work, ints);
  if (!found) memcpy(other, f, (size_t)n * sizeof *f);
  if (!found && fb_cones_solve(&problem, other, w->work, ints).status == FB_CONES_NONE) return;
  memcpy(left, rhs, (size_t)n * sizeof *left);
  take_away(K, other, n, left);
  for (int i = 0; i < n; i++) {
    most = fmax(most, fabs(rhs[i]));
    off = fmax(off, fabs(left[i]));
  }
  if (!(off <= CLOSE * most)) return; /* something moves: an event is due */
  fb_hard_solve_modes(s, K, n, left);
  for (int i = 0; i < n; i++) f[i] = other[i] + left[i];
  w->shared = 1;
}

/* ---- impulses of a step ---- */

/* Rates of an island after the impulses P: w->u. Returns the largest of them without impulses. */
static double find_rates(const fb_sim* s, const fb_island* in) {
  fb_hard_contacts* w = s->contact.hard;
  double most = 0;
  for (int i = 0; i < in->n; i++) {
    w->u[in->rows[i]] = w->c[in->rows[i]];
    most = fmax(most, fabs(w->c[in->rows[i]]));
  }
  fb_island_add_response(s, in, w->P, w->u);
  return most;
}

static int has_friction(const fb_hard_contacts* w, const fb_island* in) {
  for (int at = 0; at < in->ncone && in->cones[at] < w->npoint; at++)
    if (w->cones[in->cones[at]].kind == FB_CONE_COULOMB) return 1;
  return 0;
}

/* The normals of the points that touch, into w->ints; how many. 0 where none of the points slips. */
static int find_closed(const fb_sim* s, const fb_island* in) {
  static const double ROUNDING = 1e-8;
  fb_hard_contacts* w = s->contact.hard;
  const double rest = ROUNDING * find_rates(s, in);
  int n = 0, slips = 0;
  for (int at = 0; at < in->ncone && in->cones[at] < w->npoint; at++) {
    const int row = w->cone_row[in->cones[at]];
    if (w->u[row] > rest) continue;
    w->ints[n++] = row;
    if (w->cones[in->cones[at]].kind == FB_CONE_COULOMB) slips |= norm2(w->u[row + 1], w->u[row + 2]) > rest;
  }
  return slips ? n : 0;
}

/* Whether the impulses are those of springs. */
static int are_shared(const fb_hard_contacts* w, const double* idle, int count, int n) {
  static const double CLOSE = 1e-9;
  for (int j = 0; j < count; j++, idle += n) {
    double along = 0, sum = 0;
    for (int i = 0; i < n; i++) {
      along += idle[i] * w->P[w->ints[i]];
      sum += fabs(idle[i] * w->P[w->ints[i]]);
    }
    if (fabs(along) > CLOSE * sum) return 0;
  }
  return 1;
}

/* The place of the normal w->ints[i] in its island. */
static int place_of(const fb_hard_contacts* w, int i) {
  return w->local[w->ints[i]];
}

/* x += by z (z . of) for every z, x and `of` being of the island. */
static void add_along(const fb_hard_contacts* w, const double* idle, int count, int n, double by,
                      const double* of, double* x) {
  for (int j = 0; j < count; j++, idle += n) {
    double along = 0;
    for (int i = 0; i < n; i++) along += idle[i] * of[place_of(w, i)];
    for (int i = 0; i < n; i++) x[place_of(w, i)] += by * along * idle[i];
  }
}

/* c without its part along each z, which is rounding where points touch. */
static void even(fb_hard_contacts* w, const double* idle, int count, int n) {
  for (int j = 0; j < count; j++, idle += n) {
    double square = 0;
    for (int i = 0; i < n; i++) square += idle[i] * idle[i];
    add_along(w, idle, 1, n, -1 / square, w->part_c, w->part_c);
  }
}

/* w->K = A + soft sum z z^T. */
static void soften(fb_hard_contacts* w, const fb_island* in, const double* idle, int count, int n,
                   double soft) {
  for (int r = 0; r < in->n; r++)
    for (int c = 0; c < in->n; c++) w->K[r * in->n + c] = fb_hard_response(w, in->rows[r], in->rows[c]);
  for (int j = 0; j < count; j++, idle += n)
    for (int r = 0; r < n; r++)
      for (int c = 0; c < n; c++) w->K[place_of(w, r) * in->n + place_of(w, c)] += soft * idle[r] * idle[c];
}

/* The problem of the island, from these impulses. */
static void take_part(fb_hard_contacts* w, const fb_island* in, const double* P) {
  for (int i = 0; i < in->n; i++) {
    w->part_c[i] = w->c[in->rows[i]];
    w->part_P[i] = P[in->rows[i]];
  }
  for (int i = 0; i < in->ncone; i++) w->part_cones[i] = w->cones[in->cones[i]];
}

/* From w->part_P, by a few steps of Newton's method or by any method. A: NULL where the island has none. */
static int solve_part(fb_hard_contacts* w, const fb_island* in, const double* A, fb_cones_method method) {
  enum { STEPS = 20 };
  const fb_cones_problem problem = {.ncone = in->ncone,
                                    .n = in->n,
                                    .cones = w->part_cones,
                                    .A = A,
                                    .bodies = A ? NULL : &in->bodies,
                                    .c = w->part_c,
                                    .size = w->met,
                                    .method = method,
                                    .limit = method == FB_CONES_NEWTON ? STEPS : 0,
                                    .rough = 1};
  return fb_cones_solve(&problem, w->part_P, w->work, w->ints + w->room_rows).status == FB_CONES_SOLVED;
}

/* With springs: from the guess, which has the states of the last step, or in a small problem from any state. */
static int solve_on_springs(fb_hard_contacts* w, const fb_island* in, const double* idle, int count, int n,
                            const double* guess) {
  enum { FEW = 48 };
  take_part(w, in, guess);
  even(w, idle, count, n);
  if (solve_part(w, in, w->K, FB_CONES_NEWTON)) return 1;
  if (in->n > FEW) return 0;
  take_part(w, in, w->P);
  even(w, idle, count, n);
  return solve_part(w, in, w->K, FB_CONES_AUTO);
}

void fb_hard_share_impulses(fb_sim* s, const fb_island* in, const double* guess) {
  static const double SOFT = 1e-3; /* of the response of a row */
  enum { MOST = 64 };              /* normals: their combinations cost the third power */
  fb_hard_contacts* w = s->contact.hard;
  double* idle;
  const int n = has_friction(w, in) ? find_closed(s, in) : 0,
            count = n > 1 && (n <= MOST || !in->of_bodies) && in->n <= w->room_dense
                        ? fb_hard_find_idle(s, n, NULL, &idle)
                        : 0;
  if (count == 0 || are_shared(w, idle, count, n)) return;
  soften(w, in, idle, count, n, SOFT);
  if (!solve_on_springs(w, in, idle, count, n, guess)) return;
  add_along(w, idle, count, n, -SOFT, w->part_P, w->part_c);
  if (!solve_part(w, in, w->K, FB_CONES_NEWTON)) return;
  for (int i = 0; i < in->n; i++) w->part_c[i] = w->c[in->rows[i]];
  if (!solve_part(w, in, in->of_bodies ? NULL : in->A, FB_CONES_NEWTON)) return;
  for (int i = 0; i < in->n; i++) w->P[in->rows[i]] = w->part_P[i];
}
