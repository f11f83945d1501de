/* impact.c -- simultaneous impacts of coordinates on their limits
 *
 *   u+ = u- + A p,   0 <= p  _|_  u+ + e u- >= 0        for all limits with zero gap that do not separate, u- <= 0
 *
 * u are the rates of the gaps, p the impulses, A = S H^-1 S^T, O(n) each row (dynamics/response.c). Taken over those
 * that approach or rest, no energy is gained, whatever their restitutions: dK = sum p (u+ + u-) / 2 = sum p (1 - e)
 * u- / 2. An impact can drive other coordinates into their limits: further impacts follow at the same instant, until
 * none approaches; after too many, a last one without restitution, over all limits with zero gap, ends them (Moreau's
 * law; Glocker, Set-Valued Force Laws, 2001). A limit that rested before another impact responds without restitution.
 *
 * Restitution is zero where the next rebound would be shorter than fb_stops_shortest_rebound: accumulating bounces end in
 * this way. Explicit Euler adds |a| h to the speed of every rebound; the rebound speed is reduced by that, or bounces
 * would never end. */
#include <string.h>

#include <freebody/lcp.h>

#include "limit/limit.h"
#include "limit/stops.h"
#include "sim/flow.h"

/* Positions are stepped with the velocities of the start of the step. */
static int is_explicit_euler(const fb_sim* s) {
  const fb_stepper_traits* traits = &s->stepper.traits;
  return traits->order == 1 && !traits->velocity_first && !traits->time_stepping;
}

/* The coefficient of restitution of limit i at the rate u < 0, when its gap accelerates by a. */
static double restitution(const fb_sim* s, int i, double u, double a) {
  double e = s->limit.list[i].restitution, speed = -u;
  if (s->limit.soft[i]) return 0;
  if (a >= 0) return e;
  if (is_explicit_euler(s)) speed = fmax(0, speed + a * s->options.step);
  return 2 * e * speed < -a * fb_stops_shortest_rebound(s, s->limit.stop_position[i], a) ? 0 : e * speed / -u;
}

/* Limits with zero gap; their number. */
static int find_closed(const fb_sim* s, int* at) {
  int n = 0;
  for (int i = 0; i < s->limit.count; i++)
    if (fb_limit_can_push(s, i)) at[n++] = i;
  return n;
}

static int any_approaches(const fb_sim* s, const int* at, int n) {
  for (int j = 0; j < n; j++)
    if (fb_limit_rate(s, at[j], s->y + s->nq) < 0) return 1;
  return 0;
}

/* Accelerations of the gaps, as forces are before the impact. */
static fb_status find_accelerations(fb_sim* s, int n, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  fb_status status = fb_flow(s, s->head->t, s->y, s->y_probe, error);
  for (int j = 0; j < n; j++) w->a[j] = fb_limit_rate(s, w->at[j], s->vdot);
  return status;
}

int fb_stops_approach(const fb_sim* s) {
  return s->limit.work && any_approaches(s, s->limit.work->at, find_closed(s, s->limit.work->at));
}

fb_status fb_stops_find_rebounds(fb_sim* s, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int n = find_closed(s, w->at);
  fb_status status = find_accelerations(s, n, error);
  for (int j = 0; j < n && !status; j++) {
    double u = fb_limit_rate(s, w->at[j], s->y + s->nq);
    if (u < 0 && restitution(s, w->at[j], u, w->a[j]) == 0) s->limit.soft[w->at[j]] = 1;
  }
  return status;
}

static void find_responses(fb_sim* s, int n) {
  fb_stops_work* w = s->limit.work;
  for (int j = 0; j < n; j++) w->rows[j] = fb_row_from_coordinate(s->limit.list[w->at[j]].coordinate);
  fb_sim_responses(s, w->rows, n, w->A);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      w->A[i * n + j] *= s->limit.list[w->at[i]].side * s->limit.list[w->at[j]].side;
}

/* Limits approached because loops impose it through motions and locks: no impulse can stop that. */
static fb_status check_blocked(const fb_sim* s, int n, fb_error* error) {
  const fb_stops_work* w = s->limit.work;
  for (int j = 0; j < n; j++) {
    int k = s->limit.list[w->at[j]].coordinate;
    double u = fb_limit_rate(s, w->at[j], s->y + s->nq);
    if (fb_share_is_idle(s, k, w->A[j * n + j]) && u < -FB_IDLE_RATE)
      return fb_share_say_blocked(s, k, error);
  }
  return FB_OK;
}

/* One impact over the limits whose number in `at` is in `subset`: which of them push. */
static void solve(fb_sim* s, int n, int count, int plastic) {
  fb_stops_work* w = s->limit.work;
  for (int i = 0; i < count; i++) {
    int j = w->subset[i];
    double u = fb_limit_rate(s, w->at[j], s->y + s->nq);
    w->b[j] = u < 0 && !plastic ? restitution(s, w->at[j], u, w->a[j]) : 0;
    w->q[i] = (1 + w->b[j]) * u;
    for (int c = 0; c < count; c++) w->M[i * count + c] = w->A[j * n + w->subset[c]];
  }
  if (fb_lcp_solve(count, w->M, w->q, w->z, w->w, w->lcp, w->basis, NULL) == FB_LCP_SOLVED) return;
  for (int i = 0; i < count; i++) w->z[i] = w->q[i] < 0; /* rounding: all that approach rebound */
}

/* Rates of limits that push are set exactly. */
static fb_status throw_back(fb_sim* s, int count, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  for (int k = 0; k < s->nv; k++) w->prescribed[k] = !fb_sim_coordinate_responds(s, k);
  memset(w->dv, 0, (size_t)s->nv * sizeof *w->dv);
  for (int i = 0; i < count; i++) {
    int limit = w->at[w->subset[i]], k = s->limit.list[limit].coordinate;
    double v = s->y[s->nq + k];
    if (fb_limit_rate(s, limit, s->y + s->nq) < 0) s->limit.phases[limit] |= 1 << FB_LIMIT_HIT;
    if (!(w->z[i] > 0)) continue;
    w->prescribed[k] = 1;
    w->dv[k] = -(1 + w->b[w->subset[i]]) * v;
  }
  return fb_sim_jump(s, w->prescribed, w->dv, error);
}

/* Impacts until nothing approaches. A light link between two heavy ones may have many impacts before these separate. */
static fb_status throw_all_back(fb_sim* s, int n, int plastic, fb_error* error) {
  enum { MOST = 1000 };
  fb_stops_work* w = s->limit.work;
  fb_status status = FB_OK;
  for (int round = 0; !status && any_approaches(s, w->at, n) && round <= MOST; round++) {
    int count = 0, all = round == MOST;
    for (int j = 0; j < n; j++)
      if (all || fb_limit_rate(s, w->at[j], s->y + s->nq) <= 0) w->subset[count++] = j;
    solve(s, n, count, plastic || all);
    status = throw_back(s, count, error);
  }
  return status;
}

/* Limits that would be reached again within the shortest rebound stay closed: with tau half of it and all held
 * coordinates released,
 *   0 <= p  _|_  u + tau a + A p >= 0
 * determines which ones push at its end. This can only reduce the energy. */
static fb_status keep_down(fb_sim* s, int n, int* lifted, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  fb_status status = find_accelerations(s, n, error);
  *lifted = 0;
  if (status) return status;
  for (int j = 0; j < n; j++) {
    double tau = 0.5 * fb_stops_shortest_rebound(s, s->limit.stop_position[w->at[j]], w->a[j]);
    w->q[j] = fb_limit_rate(s, w->at[j], s->y + s->nq) + tau * w->a[j];
  }
  if (fb_lcp_solve(n, w->A, w->q, w->z, w->w, w->lcp, w->basis, NULL) != FB_LCP_SOLVED) return FB_OK;
  for (int k = 0; k < s->nv; k++) w->prescribed[k] = !fb_sim_coordinate_responds(s, k);
  memset(w->dv, 0, (size_t)s->nv * sizeof *w->dv);
  for (int j = 0; j < n; j++) {
    int k = s->limit.list[w->at[j]].coordinate;
    if (!(w->z[j] > 0)) continue;
    w->prescribed[k] = 1;
    w->dv[k] = -s->y[s->nq + k];
    *lifted |= w->dv[k] != 0;
  }
  return *lifted ? fb_sim_jump(s, w->prescribed, w->dv, error) : FB_OK;
}

fb_status fb_stops_impact(fb_sim* s, fb_error* error) {
  fb_stops_work* w = s->limit.work;
  int n = find_closed(s, w->at);
  if (!any_approaches(s, w->at, n)) return FB_OK;
  fb_status status = find_accelerations(s, n, error);
  if (status) return status;
  fb_stops_let_go(s);
  find_responses(s, n);
  status = check_blocked(s, n, error);
  int plastic = fb_stops_chatters(s), lifted = 1;
  for (int i = 0; i < 4 && lifted && !status; i++) {
    status = throw_all_back(s, n, plastic, error);
    if (!status) status = keep_down(s, n, &lifted, error);
  }
  return status ? status : throw_all_back(s, n, 1, error);
}
