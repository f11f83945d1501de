/* stiction.c -- which of the coordinates at rest are held, and which begin to move
 *
 *   a = A r + b,   lo <= r <= hi,   a = 0 where lo < r < hi,   a >= 0 where r = lo,   a <= 0 where r = hi
 *
 * for all coordinates at a limit or sticking, at rate zero: r are the reactions (limits [0, inf), friction [-f, f],
 * both together [-f, inf)), b the accelerations without them, A = S H^-1 S^T. With z = r - lo and the acceleration
 * split in two parts this is a linear complementarity problem of up to twice as many unknowns,
 *   a+ = A z + (b + A lo) + a-,   0 <= a+ _|_ z >= 0,   0 <= (hi - lo) - z _|_ a- >= 0
 * which always has a solution. Coordinates with one bound have their sign chosen so that lo is finite. Bounds are wider by
 * half the tolerance by which a step may pass them (locate.c), so that what ended the step begins to move, however heavy it
 * is made by others that are held. */
#include <math.h>
#include <string.h>

#include <freebody/lcp.h>

#include "limit/limit.h"
#include "limit/stops.h"
#include "math/array.h"
#include "sim/flow.h"

/* ---- candidates ---- */

int fb_stops_find_bounds(fb_sim* s, int k, double* lo, double* hi) {
  double level = fb_stiction(s, k);
  int implied = s->motion.of[k] == FB_MOTION_STOPPED, side = s->limit.held_side[k];
  *lo = -level;
  *hi = level;
  for (int i = 0; i < s->limit.count; i++) {
    if (s->limit.list[i].coordinate != k || fb_limit_is_soft(&s->limit.list[i]) ||
        fb_limit_gap(s, i, s->y) > 0)
      continue;
    if (s->limit.list[i].side > 0) *lo = -INFINITY;
    if (s->limit.list[i].side < 0) *hi = INFINITY;
    implied = 0;
  }
  if (implied && side < 0) *lo = -INFINITY; /* at rest after a bounce */
  if (implied && side > 0) *hi = INFINITY;
  return *lo < *hi;
}

/* Coordinates that friction has brought to rest stop exactly. */
static fb_status stop_reversed(fb_sim* s, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int any = 0;
  for (int k = 0; k < s->nv; k++) {
    int stops = s->limit.reversed[k] && fb_sim_coordinate_responds(s, k);
    w->prescribed[k] = stops || s->motion.of[k] != FB_MOTION_FORCE || !fb_sim_coordinate_responds(s, k);
    w->dv[k] = stops ? -s->y[s->nq + k] : 0;
    any |= w->dv[k] != 0;
  }
  return any ? fb_sim_jump(s, w->prescribed, w->dv, error) : FB_OK;
}

/* Candidates, at rest and held: into w->at, released for now. The others slide in the direction of their rates. */
int fb_stops_find_candidates(fb_sim* s) {
  fb_stops_work* w = s->limit.work;
  int n = 0;
  for (int k = 0; k < s->nv; k++) {
    double v = s->y[s->nq + k];
    if (!fb_sim_coordinate_responds(s, k)) continue;
    s->limit.slide[k] = fb_sign(v);
    if (v != 0 || n == w->room || !fb_stops_find_bounds(s, k, &w->lo[n], &w->hi[n])) continue;
    int both = isinf(w->lo[n]) && isinf(w->hi[n]);
    s->limit.held_side[k] = both ? 0 : s->limit.held_side[k];
    if (both) s->motion.shift[k] = s->y[s->m->top.coordinate_q[k]];
    fb_stops_set_motion(s, k, both ? (int)FB_MOTION_STOPPED : (int)FB_MOTION_FORCE);
    if (!both) w->at[n++] = k;
  }
  return n;
}

/* ---- the result for a candidate ---- */

static void hold(fb_sim* s, int k, double lo, double hi, double response) {
  int from_below = hi == INFINITY, from_above = lo == -INFINITY;
  s->limit.held_side[k] = from_below - from_above;
  s->limit.slide[k] = 0;
  s->limit.effective_inertia[k] = 1 / response; /* 0 where it would not move */
  if (s->m->top.coordinate_q[k] >= 0) s->motion.shift[k] = s->y[s->m->top.coordinate_q[k]];
  fb_stops_set_motion(s, k, from_below || from_above ? FB_MOTION_STOPPED : FB_MOTION_STUCK);
}

/* It begins to move; the rate gained within a bracket, or by the rounding of closing loops, is no reversal. */
static void begin(fb_sim* s, int k, int direction, double acceleration) {
  static const double BRACKET = 1e-12, ROUNDING = 1e-14; /* [s]; [m/s] or [rad/s], and of the fastest */
  double rounding = s->m->top.nloop > 0 ? ROUNDING * (1 + fb_array_largest(s->y + s->nq, s->nv)) : 0;
  s->limit.slide[k] = direction;
  s->limit.slip_tolerance[k] = BRACKET * acceleration + rounding;
}

void fb_stops_place_candidate(fb_sim* s, int i, int direction, double acceleration, double response) {
  const fb_stops_work* w = s->limit.work;
  if (direction == 0)
    hold(s, w->at[i], w->lo[i], w->hi[i], response);
  else
    begin(s, w->at[i], direction, acceleration);
}

/* ---- the problem ---- */

/* +1, or -1 for coordinates whose lower bound is infinite: their sign is reversed. */
static int direction_of(const fb_stops_work* w, int i) {
  return isinf(w->lo[i]) ? -1 : 1;
}

/* Returns 1 if loops couple candidate i to moved or held coordinates: it is then held without a load, or begins to
 * move with them. */
static fb_status settle_idle(fb_sim* s, int n, int i, int* idle, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int k = w->at[i], direction = fabs(w->b[i]) <= 0.5 * fb_share_slack(s, k) ? 0 : fb_sign(w->b[i]);
  *idle = fb_share_is_idle(s, k, w->A[i * n + i]);
  if (!*idle) return FB_OK;
  if ((direction > 0 && isinf(w->lo[i])) || (direction < 0 && isinf(w->hi[i])))
    return fb_share_say_blocked(s, k, error);
  if (direction == 0) {
    hold(s, k, w->lo[i], w->hi[i], INFINITY);
    fb_share_idle(s, k);
  } else {
    begin(s, k, direction, fabs(w->b[i]));
  }
  return FB_OK;
}

/* Removes these from the problem; *n: how many are left. */
static fb_status leave_out_idle(fb_sim* s, int* n, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int all = *n, left = 0;
  for (int i = 0; i < all; i++) {
    int idle;
    fb_status status = settle_idle(s, all, i, &idle, error);
    if (status) return status;
    if (!idle) w->subset[left++] = i;
  }
  for (int i = 0; left < all && i < left; i++) {
    int from = w->subset[i];
    for (int j = 0; j < left; j++) w->A[i * left + j] = w->A[from * all + w->subset[j]];
    w->at[i] = w->at[from];
    w->b[i] = w->b[from];
    w->lo[i] = w->lo[from];
    w->hi[i] = w->hi[from];
    w->tolerance[i] = w->tolerance[from];
  }
  *n = left;
  return FB_OK;
}

static fb_status find_accelerations(fb_sim* s, int* count, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int n = *count;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  if (status) return status;
  for (int i = 0; i < n; i++) {
    w->a[i] = fb_stops_fastest(s, w->at[i]);
    w->b[i] = s->vdot[w->at[i]];
    w->tolerance[i] = fabs(s->tau[w->at[i]]) + fabs(s->limit.stop_force[w->at[i]]);
  }
  double around = fb_hold_around(s);
  for (int i = 0; i < n; i++) w->tolerance[i] += around;
  for (int i = 0; i < n; i++) w->rows[i] = fb_row_from_coordinate(w->at[i]);
  fb_sim_responses(s, w->rows, n, w->A);
  for (int i = 0; i < n; i++)
    w->tolerance[i] = fb_hold_tolerance(s, w->at[i], w->tolerance[i], 1 / w->A[i * n + i], w->a[i]);
  return s->m->top.nloop > 0 ? leave_out_idle(s, count, error) : FB_OK;
}

/* In loops reactions may not be determined: of those with the same effect the least are taken, sum A_ii r_i^2
 * (load_share.c). A small term on the diagonal selects them; its effect is below the tolerance of stiction. */
static const double LEAST = 1e-12;

/* The bounds of the problem: infinite, or beyond those of candidate i. */
static double lowest(const fb_stops_work* w, int i) {
  return w->lo[i] - 0.5 * w->tolerance[i];
}
static double highest(const fb_stops_work* w, int i) {
  return w->hi[i] + 0.5 * w->tolerance[i];
}

/* Fills M, its diagonal increased by a part, and q; returns the number of unknowns. */
static int pose(fb_stops_work* w, int n, double by) {
  int size = n;
  for (int i = 0; i < n; i++) size += isfinite(w->lo[i]) && isfinite(w->hi[i]);
  memset(w->M, 0, (size_t)size * (size_t)size * sizeof *w->M);
  for (int i = 0, extra = n; i < n; i++) {
    int direction = direction_of(w, i);
    w->q[i] = direction * w->b[i];
    for (int j = 0; j < n; j++) {
      double a = direction * direction_of(w, j) * w->A[i * n + j];
      double lo = direction_of(w, j) > 0 ? lowest(w, j) : -highest(w, j);
      if (i == j) a *= 1 + by;
      w->M[i * size + j] = a;
      w->q[i] += a * lo;
    }
    if (!(isfinite(w->lo[i]) && isfinite(w->hi[i]))) continue;
    w->M[i * size + extra] = 1;
    w->M[extra * size + i] = -1;
    w->q[extra++] = highest(w, i) - lowest(w, i);
  }
  return size;
}

/* ---- the solution ---- */

/* Whether candidate i begins to move, and in which direction; `extra` is the index of its unknown for the upper
 * bound. */
static int begins_to_move(const fb_stops_work* w, int i, int extra) {
  int direction = direction_of(w, i);
  if (!(w->z[i] > 0) && w->w[i] > w->slack[i]) return direction;
  return extra >= 0 && w->z[extra] > w->slack[i] ? -direction : 0;
}

/* The reaction of candidate i, and whether it is at a bound. */
static void read_reaction(fb_stops_work* w, int i) {
  static const double ROUNDING = 1e-9; /* of the range */
  double lo = w->lo[i], hi = w->hi[i], range = hi - lo,
         r = direction_of(w, i) > 0 ? lowest(w, i) + w->z[i] : highest(w, i) - w->z[i];
  double slack = isfinite(range) ? ROUNDING * range : 0;
  w->bound[i] = r <= lo + slack ? -1 : r >= hi - slack ? 1 : 0;
  w->r[i] = fmax(lo, fmin(r, hi));
}

/* The largest effect of the term on the diagonal on accelerations. */
static void find_slack(const fb_sim* s, int n) {
  fb_stops_work* w = s->limit.work;
  double most = 0;
  for (int i = 0; i < n; i++) {
    read_reaction(w, i);
    most = fmax(most, sqrt(w->A[i * n + i]) * fabs(w->r[i]));
  }
  for (int i = 0; i < n; i++)
    w->slack[i] = s->m->top.nloop > 0 ? 4 * LEAST * n * sqrt(w->A[i * n + i]) * most : 0;
}

static void apply(fb_sim* s, int n) {
  fb_stops_work* w = s->limit.work;
  int *held = w->subset, count = 0;
  find_slack(s, n);
  for (int i = 0, extra = n; i < n; i++) {
    int two_sided = isfinite(w->lo[i]) && isfinite(w->hi[i]);
    int direction = begins_to_move(w, i, two_sided ? extra : -1);
    extra += two_sided;
    if (direction == 0) {
      held[count++] = i;
      hold(s, w->at[i], w->lo[i], w->hi[i], w->A[i * n + i]);
    } else {
      begin(s, w->at[i], direction, fmax(w->w[i], two_sided ? w->z[extra - 1] : 0));
    }
  }
  fb_share_choose(s, held, count, n);
}

/* For a problem that fails by rounding, or recurs without end: all coordinates that are not pulled away are held. */
static void guess(fb_stops_work* w, int n, int size) {
  for (int i = 0; i < size; i++) w->z[i] = w->w[i] = 0;
  for (int i = 0; i < n; i++) {
    if (w->q[i] < 0)
      w->z[i] = 1;
    else
      w->w[i] = w->q[i];
  }
}

/* Accelerations and reactions in one unit, by powers of two near A_ii^-1/2 and A_ii^1/2, which round nothing. The solver
 * compares them with each other: where bodies weigh nanograms, a force of friction would be rounding beside accelerations. */
static void find_units(fb_stops_work* w, int n, int size) {
  for (int i = 0, extra = n; i < n; i++) {
    int exponent = 0;
    if (w->M[i * size + i] > 0) frexp(w->M[i * size + i], &exponent);
    w->unit[i] = ldexp(1, -exponent / 2);
    if (isfinite(w->lo[i]) && isfinite(w->hi[i])) w->unit[extra++] = 1 / w->unit[i];
  }
}

static void solve(fb_stops_work* w, int n, int size) {
  if (size == 0) return;
  find_units(w, n, size);
  for (int i = 0; i < size; i++) {
    for (int j = 0; j < size; j++) w->M[i * size + j] *= w->unit[i] * w->unit[j];
    w->q[i] *= w->unit[i];
  }
  if (fb_lcp_solve(size, w->M, w->q, w->z, w->w, w->lcp, w->basis, NULL) != FB_LCP_SOLVED) guess(w, n, size);
  for (int i = 0; i < size; i++) {
    w->z[i] *= w->unit[i];
    w->w[i] /= w->unit[i];
  }
}

static void remember(const fb_sim* s, int* before) {
  memcpy(before, s->motion.of, (size_t)s->nv * sizeof *before);
  memcpy(before + s->nv, s->limit.slide, (size_t)s->nv * sizeof *before);
}

static int is_as(const fb_sim* s, const int* before) {
  size_t size = (size_t)s->nv * sizeof *before;
  return memcmp(before, s->motion.of, size) == 0 && memcmp(before + s->nv, s->limit.slide, size) == 0;
}

/* Whether the present set is valid: no released coordinate is at rest, sliding ones keep their direction, reactions
 * are within bounds. */
static fb_status still_holds(fb_sim* s, int* yes, fb_error* error) {
  double lo, hi;
  *yes = 1;
  for (int k = 0; k < s->nv && *yes; k++) {
    double v = s->y[s->nq + k];
    if (!fb_sim_coordinate_responds(s, k) || fb_is_held(s->motion.of[k])) continue;
    *yes =
        v != 0 ? fb_stiction(s, k) == 0 || v * s->limit.slide[k] > 0 : !fb_stops_find_bounds(s, k, &lo, &hi);
  }
  if (!*yes || s->motion.head->nheld == 0) return FB_OK;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  for (int k = 0; k < s->nv && *yes; k++) {
    fb_hold_bounds(s, k, &lo, &hi);
    if (fb_is_held(s->motion.of[k])) *yes = s->limit.reaction[k] >= lo && s->limit.reaction[k] <= hi;
    if (*yes && s->limit.support[k] != FB_CARRIES) *yes = fb_share_margin(s, k) >= 0;
  }
  return status;
}

fb_status fb_stops_hold(fb_sim* s, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int settled;
  remember(s, w->before);
  fb_status status = stop_reversed(s, error);
  if (status) return status;
  fb_share_rest(s);
  status = still_holds(s, &settled, error);
  if (status || settled) return status;
  int n = fb_stops_find_candidates(s);
  if (n > 0) {
    status = find_accelerations(s, &n, error);
    if (status) return status;
    int size = pose(w, n, s->m->top.nloop > 0 ? LEAST : 0);
    solve(w, n, size);
    apply(s, n);
    fb_share_begin_step(s);
  }
  if (is_as(s, w->before)) return FB_OK;
  s->head->momentum_known = 0;
  fb_sim_forget(s);
  return FB_OK;
}
