/* stiction.c -- which of the coordinates that do not move are held, and which begin to move
 *
 *   a = A r + b,   lo <= r <= hi,   a = 0 where lo < r < hi,   a >= 0 where r = lo,   a <= 0 where r = hi
 *
 * for all coordinates that touch a limit or stick, at rate zero: r are the reactions (limits [0, inf), friction [-f, f], both
 * together [-f, inf)), b the accelerations without them, A = S H^-1 S^T. With z = r - lo and the acceleration split
 * in two parts this is a linear complementarity problem of up to twice as many unknowns,
 *   a+ = A z + (b + A lo) + a-,   0 <= a+ _|_ z >= 0,   0 <= (hi - lo) - z _|_ a- >= 0
 * which always has a solution. Coordinates pushed from one side only are turned so that lo is finite. */
#include <string.h>

#include "math/lcp.h"
#include "limit/limit.h"
#include "limit/stops.h"
#include "sim/flow.h"

/* ---- who may be held ---- */

/* The bounds that coordinate k would be held with; 0 when nothing can hold it. */
static int find_bounds(fb_sim* s, int k, double* lo, double* hi) {
  double level = fb_stiction(s, k);
  int implied = s->motion[k] == FB_MOTION_STOPPED, side = s->held_side[k];
  *lo = -level;
  *hi = level;
  for (int i = 0; i < s->nlimit; i++) {
    if (s->limits[i].coordinate != k || fb_limit_is_soft(&s->limits[i]) || fb_limit_gap(s, i, s->y) > 0)
      continue;
    if (s->limits[i].side > 0) *lo = -INFINITY;
    if (s->limits[i].side < 0) *hi = INFINITY;
    implied = 0;
  }
  if (implied && side < 0) *lo = -INFINITY; /* a bounce left it there */
  if (implied && side > 0) *hi = INFINITY;
  return *lo < *hi;
}

/* Coordinates that friction has brought to rest stop exactly. */
static fb_status stop_reversed(fb_sim* s, fb_error* error) {
  fb_stops_work* w = s->stops;
  int any = 0;
  for (int k = 0; k < s->nv; k++) {
    int stops = s->reversed[k] && fb_sim_gives_way(s, k);
    w->prescribed[k] = stops || s->motion[k] != FB_MOVE_BY_FORCE || !fb_sim_gives_way(s, k);
    w->dv[k] = stops ? -s->y[s->nq + k] : 0;
    any |= w->dv[k] != 0;
  }
  return any ? fb_sim_jump(s, w->prescribed, w->dv, error) : FB_OK;
}

/* At rest, and held by something: into w->at, let go for now. The others slide the way they go. */
static int find_candidates(fb_sim* s) {
  fb_stops_work* w = s->stops;
  int n = 0;
  for (int k = 0; k < s->nv; k++) {
    double v = s->y[s->nq + k];
    if (!fb_sim_gives_way(s, k)) continue;
    s->slide[k] = fb_sign(v);
    if (v != 0 || n == w->room || !find_bounds(s, k, &w->lo[n], &w->hi[n])) continue;
    int both = isinf(w->lo[n]) && isinf(w->hi[n]);
    s->held_side[k] = both ? 0 : s->held_side[k];
    if (both) s->shift[k] = s->y[s->m->top.coordinate_q[k]];
    fb_stops_set_motion(s, k, both ? (int)FB_MOTION_STOPPED : (int)FB_MOVE_BY_FORCE);
    if (!both) w->at[n++] = k;
  }
  return n;
}

/* ---- the problem ---- */

/* +1, or -1 for coordinates whose lower bound is infinite: they are turned round. */
static int way_of(const fb_stops_work* w, int i) {
  return isinf(w->lo[i]) ? -1 : 1;
}

static fb_status find_accelerations(fb_sim* s, int n, fb_error* error) {
  fb_stops_work* w = s->stops;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  if (status) return status;
  for (int i = 0; i < n; i++) {
    w->a[i] = fb_stops_fastest(s, w->at[i]);
    w->b[i] = s->vdot[w->at[i]];
    w->tolerance[i] = fabs(s->tau[w->at[i]]) + fabs(s->stop_force[w->at[i]]);
  }
  for (int i = 0; i < n; i++) w->rows[i] = fb_row_of_coordinate(w->at[i]);
  fb_sim_responses(s, w->rows, n, w->A);
  for (int i = 0; i < n; i++)
    w->tolerance[i] = fb_hold_tolerance(s, w->at[i], w->tolerance[i], 1 / w->A[i * n + i], w->a[i]);
  return FB_OK;
}

/* Fills M and q; returns the number of unknowns. */
static int pose(fb_stops_work* w, int n) {
  int size = n;
  for (int i = 0; i < n; i++) size += isfinite(w->lo[i]) && isfinite(w->hi[i]);
  memset(w->M, 0, (size_t)size * (size_t)size * sizeof *w->M);
  for (int i = 0, extra = n; i < n; i++) {
    int way = way_of(w, i);
    w->q[i] = way * w->b[i];
    for (int j = 0; j < n; j++) {
      double a = way * way_of(w, j) * w->A[i * n + j];
      double lo = way_of(w, j) > 0 ? w->lo[j] : -w->hi[j];
      w->M[i * size + j] = a;
      w->q[i] += a * lo;
    }
    if (!(isfinite(w->lo[i]) && isfinite(w->hi[i]))) continue;
    w->M[i * size + extra] = 1;
    w->M[extra * size + i] = -1;
    w->q[extra++] = w->hi[i] - w->lo[i];
  }
  return size;
}

/* ---- what it says ---- */

/* Whether candidate i begins to move, and which way; its place among the unknowns for the upper bound is `extra`. */
static int begins_to_move(const fb_stops_work* w, int n, int i, int extra) {
  double slack = 0.5 * w->tolerance[i] * w->A[i * n + i];
  int way = way_of(w, i);
  if (!(w->z[i] > 0) && w->w[i] > slack) return way;
  return extra >= 0 && w->z[extra] > slack ? -way : 0;
}

static void hold(fb_sim* s, int k, double lo, double hi, double response) {
  int from_below = hi == INFINITY, from_above = lo == -INFINITY;
  s->held_side[k] = from_below - from_above;
  s->slide[k] = 0;
  s->heft[k] = 1 / response;
  if (s->m->top.coordinate_q[k] >= 0) s->shift[k] = s->y[s->m->top.coordinate_q[k]];
  fb_stops_set_motion(s, k, from_below || from_above ? FB_MOTION_STOPPED : FB_MOTION_STUCK);
}

/* It begins to move; what it gains in the width of a bracket is no reversal. */
static void begin(fb_sim* s, int k, int way, double acceleration) {
  static const double BRACKET = 1e-12; /* [s] */
  s->slide[k] = way;
  s->creep[k] = BRACKET * acceleration;
}

static void apply(fb_sim* s, int n) {
  fb_stops_work* w = s->stops;
  for (int i = 0, extra = n; i < n; i++) {
    int two_sided = isfinite(w->lo[i]) && isfinite(w->hi[i]);
    int way = begins_to_move(w, n, i, two_sided ? extra : -1);
    extra += two_sided;
    if (way == 0)
      hold(s, w->at[i], w->lo[i], w->hi[i], w->A[i * n + i]);
    else
      begin(s, w->at[i], way, fmax(w->w[i], two_sided ? w->z[extra - 1] : 0));
  }
}

/* A problem that rounding spoiled, or one that is posed over and over: all that is not pulled away is held. */
static void guess(fb_stops_work* w, int n, int size) {
  for (int i = 0; i < size; i++) w->z[i] = w->w[i] = 0;
  for (int i = 0; i < n; i++) {
    if (w->q[i] < 0)
      w->z[i] = 1;
    else
      w->w[i] = w->q[i];
  }
}

static void remember(const fb_sim* s, int* before) {
  memcpy(before, s->motion, (size_t)s->nv * sizeof *before);
  memcpy(before + s->nv, s->slide, (size_t)s->nv * sizeof *before);
}

static int is_as(const fb_sim* s, const int* before) {
  size_t size = (size_t)s->nv * sizeof *before;
  return memcmp(before, s->motion, size) == 0 && memcmp(before + s->nv, s->slide, size) == 0;
}

/* Whether all is settled already: nothing at rest is loose, what slides slides its way, reactions are within bounds. */
static fb_status still_holds(fb_sim* s, int* yes, fb_error* error) {
  double lo, hi;
  *yes = 1;
  for (int k = 0; k < s->nv && *yes; k++) {
    double v = s->y[s->nq + k];
    if (!fb_sim_gives_way(s, k) || fb_is_held(s->motion[k])) continue;
    *yes = v != 0 ? fb_stiction(s, k) == 0 || v * s->slide[k] > 0 : !find_bounds(s, k, &lo, &hi);
  }
  if (!*yes || s->head->nheld == 0) return FB_OK;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  for (int k = 0; k < s->nv && *yes; k++) {
    fb_hold_bounds(s, k, &lo, &hi);
    if (fb_is_held(s->motion[k])) *yes = s->reaction[k] >= lo && s->reaction[k] <= hi;
  }
  return status;
}

fb_status fb_stops_hold(fb_sim* s, fb_error* error) {
  fb_stops_work* w = s->stops;
  int settled;
  remember(s, w->before);
  fb_status status = stop_reversed(s, error);
  if (!status) status = still_holds(s, &settled, error);
  if (status || settled) return status;
  int n = find_candidates(s);
  if (n > 0) {
    status = find_accelerations(s, n, error);
    if (status) return status;
    int size = pose(w, n);
    if (fb_lcp_solve(size, w->M, w->q, w->z, w->w, w->lcp, w->basis, NULL) != FB_LCP_SOLVED)
      guess(w, n, size);
    apply(s, n);
  }
  if (is_as(s, w->before)) return FB_OK;
  s->head->momentum_known = 0;
  fb_sim_forget(s);
  return FB_OK;
}
