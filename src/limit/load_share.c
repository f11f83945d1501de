/* load_share.c -- how dependent held coordinates, coupled by loops, share a load
 *
 *   J z = 0 along held coordinates,  z != 0:   reactions r and r + c z cause the same motion
 *
 * A stop and a joint that sticks, coupled by a gear, carry a load in a way that rigid bodies do not determine. Held
 * as two prescribed coordinates they would leave no load to the gear: each would carry the load of its own body, and
 * stiction would yield under a load that the stop can carry. So only independent coordinates are prescribed; they
 * CARRY. The others are in equilibrium through the loops, under reactions that are chosen:
 *
 *   those at their bounds stay AT_LOW, AT_HIGH;
 *   those held by prescribed motions have none: IDLE;
 *   the rest SHARE: with x_i = sqrt(A_ii) r_i, the load as springs under all of them would have it that give equal
 *   frequencies,  min sum x^2,  so x -= N N^T x with N an orthonormal basis of the null space of A_ij / sqrt(A_ii A_jj).
 *
 * A = S H^-1 J..S^T are the responses with all of them released. Which are at bounds is decided where accelerations
 * are found (stiction.c), whose problem has the least x among its solutions; N is found again at the start of every
 * step. Dynamics are evaluated twice where any share: without their reactions, then with them. */
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/response.h>
#include <freebody/status.h>

#include "limit/limit.h"
#include "limit/stops.h"
#include "math/dot.h"
#include "math/span.h"

/* Responses that leave less than this part of a direction do not: the square of an angle, as of rows of loops. */
static const double REPEATED = 1e-10;

int fb_share_is_idle(const fb_sim* s, int k, double response) {
  return s->m->top.nloop > 0 && !(response > REPEATED * s->d->D[k]);
}

/* Of the responses of the problem, of n. */
static double scaled(const fb_stops_work* w, int i, int j, int n) {
  double scale = w->root[i] * w->root[j];
  return scale > 0 ? w->A[(size_t)i * (size_t)n + (size_t)j] / scale : 0;
}

/* The span of the scaled rows `which` (of n) of w->A; uses the memory of the problem of stiction.c, which is solved
 * by then. */
static fb_span factor(fb_stops_work* w, const int* which, int count, int n) {
  size_t nn = (size_t)count;
  fb_span span = {count, count, 0, w->M, w->q, w->z, w->basis};
  for (int i = 0; i < count; i++)
    for (int j = 0; j < count; j++)
      span.vectors[(size_t)i * nn + (size_t)j] = scaled(w, which[i], which[j], n);
  fb_span_factor(&span, REPEATED);
  return span;
}

static void find_roots(fb_stops_work* w, int n) {
  for (int i = 0; i < n; i++) w->root[i] = sqrt(fmax(0, w->A[(size_t)i * (size_t)n + (size_t)i]));
}

static void set_support(fb_sim* s, int k, fb_support support) {
  s->limit.head->nlean += (support != FB_CARRIES) - (s->limit.support[k] != FB_CARRIES);
  s->limit.support[k] = (int)support;
}

void fb_share_forget(fb_sim* s, int k) {
  set_support(s, k, FB_CARRIES);
}

void fb_share_idle(fb_sim* s, int k) {
  set_support(s, k, FB_IDLE);
}

/* An orthonormal basis of the null space of a span, into w->null; returns its dimension. */
static int find_null(fb_stops_work* w, const fb_span* span) {
  int n = span->n, count = n - span->rank;
  for (int c = 0; c < count; c++) {
    double* z = w->null + (size_t)c * (size_t)n;
    memset(z, 0, (size_t)n * sizeof *z);
    z[span->rank + c] = 1;
    fb_span_apply(span, z);
  }
  return count;
}

/* x becomes the least with the same effect. */
static void take_least(const fb_stops_work* w, int count, int n, double* x) {
  for (int c = 0; c < count; c++) {
    const double* z = w->null + (size_t)c * (size_t)n;
    double along = fb_dot(z, x, n);
    for (int i = 0; i < n; i++) x[i] -= along * z[i];
  }
}

static void swap(int* x, int i, int j) {
  int keep = x[i];
  x[i] = x[j];
  x[j] = keep;
}

/* Those inside their bounds first; their number. */
static int order_by_bound(const fb_stops_work* w, int* held, int count) {
  int inside = 0;
  for (int i = 0; i < count; i++)
    if (w->bound[held[i]] == 0) swap(held, i, inside++);
  return inside;
}

/* sqrt(A_ii) r_i where i, of n, is at its bound. */
static double at_bound(const fb_stops_work* w, int i) {
  return w->root[i] * (w->bound[i] < 0 ? w->lo[i] : w->hi[i]);
}

/* x of the first `inside` of held: the least that has, with those at bounds, the effect of all w->r. Returns the
 * relative remainder. */
static double find_least(fb_stops_work* w, const int* held, int inside, int count, int n) {
  double *b = w->w + count, most = 0, off = 0;
  for (int i = 0; i < inside; i++) {
    b[i] = 0;
    for (int j = 0; j < count; j++) {
      double x = w->root[held[j]] * w->r[held[j]] - (j < inside ? 0 : at_bound(w, held[j]));
      b[i] += scaled(w, held[i], held[j], n) * x;
    }
    most = fmax(most, fabs(w->root[held[i]] * w->r[held[i]]));
  }
  fb_span rows = factor(w, held, inside, n), inner = rows;
  inner.vectors = w->M + (size_t)w->room * (size_t)w->room;
  inner.pivots = w->q + w->room;
  inner.halves = w->z + w->room;
  inner.order = w->sharer;
  fb_span_least_squares(&rows, b, &inner, w->w, w->x);
  for (int i = 0; i < inside; i++) {
    double sum = -b[i];
    for (int j = 0; j < inside; j++) sum += scaled(w, held[i], held[j], n) * w->x[j];
    off = fmax(off, fabs(sum));
  }
  return off > 0 ? off / fmax(most, off) : 0;
}

/* Puts the one furthest beyond a bound at that bound. Returns 0 when none is beyond. */
static int put_at_bound(fb_stops_work* w, const int* held, int inside) {
  int worst = -1, side = 0;
  double most = 0;
  for (int i = 0; i < inside; i++) {
    int at = held[i];
    double above = w->x[i] - w->root[at] * w->hi[at], below = w->root[at] * w->lo[at] - w->x[i];
    if (w->root[at] == 0 || !(fmax(above, below) >= most)) continue;
    most = fmax(above, below);
    worst = at;
    side = above > below ? 1 : -1;
  }
  if (worst >= 0) w->bound[worst] = side;
  return worst >= 0;
}

/* Finds which are at bounds, in w->bound: by the least reactions, unless these do not lead to admissible ones. */
static int find_bound(fb_stops_work* w, int* held, int count, int n) {
  static const double CLOSE = 1e-6;
  int inside = count, *given = w->basis + w->room;
  double off;
  for (int i = 0; i < count; i++) {
    given[held[i]] = w->bound[held[i]];
    w->bound[held[i]] = 0;
  }
  do off = find_least(w, held, inside, count, n);
  while (put_at_bound(w, held, inside) && (inside = order_by_bound(w, held, count)) > 0);
  if (inside > 0 && off < CLOSE) return inside;
  for (int i = 0; i < count; i++) w->bound[held[i]] = given[held[i]];
  return order_by_bound(w, held, count);
}

/* Of coordinates w->at[held[0 .. count)], which are held by reactions w->r. */
void fb_share_choose(fb_sim* s, int* held, int count, int n) {
  fb_stops_work* w = s->limit.work;
  if (s->m->top.nloop == 0 || count < 2) return;
  find_roots(w, n);
  int rank = factor(w, held, count, n).rank;
  if (rank == count) return;
  int inside = find_bound(w, held, count, n);
  /* A load up to all bounds needs some of the others too. */
  fb_span span = factor(w, held, inside, n);
  for (int i = inside; i < count && span.rank < rank; i++) {
    int before = span.rank;
    swap(held, i, inside);
    span = factor(w, held, inside + 1, n);
    inside += span.rank > before;
  }
  span = factor(w, held, inside, n);
  for (int i = 0; i < span.count; i++)
    set_support(s, w->at[held[span.order[i]]], i < span.rank ? FB_CARRIES : FB_SHARES);
  for (int i = inside; i < count; i++)
    set_support(s, w->at[held[i]], w->bound[held[i]] < 0 ? FB_AT_LOW : FB_AT_HIGH);
}

void fb_share_begin_step(fb_sim* s) {
  fb_stops_work* w = s->limit.work;
  if (s->limit.head->nlean == 0) return;
  int n = 0;
  memset(s->motion.prescribed, 0, (size_t)s->nv);
  for (int k = 0; k < s->nv; k++) {
    int between = s->motion.of[k] == FB_MOTION_STOPPED && s->limit.held_side[k] == 0;
    s->motion.prescribed[k] = (s->motion.of[k] != FB_MOTION_FORCE && !fb_is_held(s->motion.of[k])) ||
                              between || s->motion.by_block[k];
    if (!fb_is_held(s->motion.of[k]) || between || s->limit.support[k] > FB_SHARES || n == w->room) continue;
    w->rows[n] = fb_row_from_coordinate(k);
    w->sharer[n] = k;
    w->subset[n] = n;
    n++;
  }
  fb_constrained_responses(s->m, s->d, s->y, s->motion.prescribed, w->rows, n, w->A);
  find_roots(w, n);
  fb_span span = factor(w, w->subset, n, n);
  w->nsharer = n;
  w->nnull = find_null(w, &span);
  for (int i = 0; i < n; i++) w->sharer_root[i] = w->root[i];
}

/* ---- in an evaluation of the flow ---- */

const double* fb_share_begin(fb_sim* s) {
  double* share = s->limit.work->share;
  for (int k = 0; k < s->nv; k++) {
    double lo, hi;
    share[k] = 0;
    if (s->limit.support[k] != FB_AT_LOW && s->limit.support[k] != FB_AT_HIGH) continue;
    fb_hold_bounds(s, k, &lo, &hi);
    share[k] = s->limit.support[k] == FB_AT_LOW ? lo : hi;
    if (!isfinite(share[k])) share[k] = 0;
  }
  return share;
}

int fb_share_spread(fb_sim* s) {
  fb_stops_work* w = s->limit.work;
  int n = w->nsharer;
  double* x = w->x;
  if (w->nnull == 0) return 0;
  for (int i = 0; i < n; i++) {
    int k = w->sharer[i];
    x[i] = s->limit.support[k] == FB_CARRIES
               ? w->sharer_root[i] * (s->tau[k] - s->limit.actuator[k] - s->limit.stop_force[k])
               : 0;
  }
  take_least(w, w->nnull, n, x);
  for (int i = 0; i < n; i++)
    if (s->limit.support[w->sharer[i]] == FB_SHARES && w->sharer_root[i] > 0)
      w->share[w->sharer[i]] = x[i] / w->sharer_root[i];
  return 1;
}

void fb_share_end(fb_sim* s) {
  for (int k = 0; k < s->nv; k++) {
    s->limit.work->escape[k] = s->limit.support[k] == FB_CARRIES ? 0 : s->vdot[k];
    if (s->limit.support[k] != FB_CARRIES) s->vdot[k] = 0;
  }
}

/* Loops move them with coordinates that are not held: no reaction of theirs prevents it. */
double fb_share_margin(const fb_sim* s, int k) {
  return fb_share_slack(s, k) - fabs(s->limit.work->escape[k]);
}

double fb_share_slack(const fb_sim* s, int k) {
  static const double ROUNDING = 1e-9; /* [m/s^2] or [rad/s^2], and of the largest of the tree */
  return ROUNDING * (1 + fb_stops_fastest(s, k));
}

fb_status fb_share_say_blocked(const fb_sim* s, int k, fb_error* error) {
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s the stop of joint \"%s\" is in the way of what loops, motions and locks of "
                 "other joints make it do; release one of them",
                 s->head->t, fb_coordinate_joint_name(s->m, k));
}

/* ---- velocities ---- */

/* Joints that depend on others at rest are at rest: their rates are rounding. */
void fb_share_rest(fb_sim* s) {
  static const double ROUNDING = 1e-12; /* [m/s] or [rad/s], and of the fastest */
  fb_stops_work* w = s->limit.work;
  double fastest = 0, lo, hi, *v = fb_y_v(s, s->y);
  int n = 0;
  if (s->m->top.nloop == 0) return;
  for (int k = 0; k < s->nv; k++) fastest = fmax(fastest, fabs(v[k]));
  for (int k = 0; k < s->nv; k++) {
    int free = fb_sim_coordinate_responds(s, k), slow = v[k] != 0 && fabs(v[k]) <= ROUNDING * (1 + fastest);
    s->motion.prescribed[k] = !free || (v[k] == 0 && fb_stops_find_bounds(s, k, &lo, &hi));
    if (!free || !slow || s->motion.prescribed[k] || n == w->room || !fb_stops_find_bounds(s, k, &lo, &hi))
      continue;
    w->at[n] = k;
    w->rows[n++] = fb_row_from_coordinate(k);
  }
  if (n == 0) return;
  fb_constrained_responses(s->m, s->d, s->y, s->motion.prescribed, w->rows, n, w->A);
  for (int i = 0; i < n; i++)
    if (fb_share_is_idle(s, w->at[i], w->A[i * n + i])) v[w->at[i]] = 0;
}
