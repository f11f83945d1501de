/* moreau_end.c -- the geometry of contacts at the end of a step of moreau
 *
 * Rows and responses are those of the middle of a step, J_m; but lasting points have no velocity at the end of it, in
 * the geometry there:
 *
 *   0 = J(q+) v+ = J_m v+ + bend,    bend = (J(q+) - J_m) v+,   q+ and v+ as foreseen
 *
 * q+ - q_m is half a step, so that bend is of its first order, and needs v+ to the first order only. With J_m v+ = 0
 * alone the velocity of a rolling body would be that of half a step ago. A point that slips has friction against the
 * slip in the middle of the step: the offset turns u_T+ to the direction of (u_T- + u_T+) / 2.
 *
 * A lasting point may have opened slightly, and may close again: by the gap that it had at the start of the step,
 * which is gap_m - h/2 (J_m v - bend / 2) to the third order. The gap in the middle is no such measure, since
 * straight motion leaves curved surfaces by the second order of the step. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"

/* Below this the offsets are negligible: v^2 times the step [m^2/s]. */
static const double REST = 1e-15;

static int rests(const fb_sim* s, const double* v, double time) {
  double most = 0;
  for (int k = 0; k < s->nv; k++) most = fmax(most, fabs(v[k]));
  return most * most * time < REST;
}

/* Rates along n at the end, and along the tangents of the middle, turned as n has turned. */
static void rates_along(const fb_hard_point* p, const double n[3], const double u[3], double rate[3]) {
  double both[3], with = 1 + dot3(n, p->point.normal);
  for (int i = 0; i < 3; i++) both[i] = n[i] + p->point.normal[i];
  rate[0] = dot3(n, u);
  for (int k = 0; k < 2; k++)
    rate[1 + k] = dot3(p->tangent[k], u) - dot3(p->tangent[k], n) * dot3(both, u) / with;
}

void fb_hard_bend(fb_sim* s, const double* y, const double* v, double time) {
  static const double TURN = 0.7; /* cosine of the most that a normal may turn: more is another side */
  fb_hard_contacts* w = s->contact.hard;
  memset(w->bend, 0, (size_t)w->nrow * sizeof *w->bend);
  if (w->npoint == 0 || rests(s, v, time)) return;
  fb_hard_rates(s, y, v, w->soon);
  fb_hard_go_local(s, y, v);
  fb_integrate(s->m, w->local_q, w->local_v, time, w->q);
  const fb_data* d = fb_hard_local_kinematics(s, w->q);
  fb_hard_meeting at = {.contact = -1};
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    const fb_hard_point* p = &w->points[i];
    double u[3], n[3], rate[3];
    if (!fb_hard_probe_ahead(s, d, p, &at, u, n) || !(dot3(n, p->point.normal) > TURN)) continue;
    rates_along(p, n, u, rate);
    for (int k = 0; k < fb_cone_rows(&w->cones[i]); k++) w->bend[row + k] = rate[k] - w->soon[row + k];
  }
}

void fb_hard_find_lasting(fb_sim* s, double h, double slack) {
  /* [m/s], and the part of the bend, that a rate of zero may be off by */
  static const double SLOW = 1e-6, PART = 0.2;
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    double gap = w->points[i].point.gap;
    if (!fb_hard_is_divided(w)) gap -= 0.5 * h * (w->before[row] - 0.5 * w->bend[row]);
    w->points[i].open = fmax(0, fmin(gap, w->points[i].point.gap) - slack) / h;
    w->points[i].lasts = fb_hard_touched(s, &w->points[i]) ||
                         fabs(w->before[row] - w->bend[row]) <= PART * fabs(w->bend[row]) + SLOW;
  }
}

/* The offset of a point that slipped before the step and after its first pass: 1 where it did. */
static int turn_slip(const fb_hard_contacts* w, int row, double turn[2]) {
  /* cosine of the most that slip may turn in a step; what is left of it */
  static const double TURN = 0.5, STOPS = 1e-3;
  const double *before = w->before + row + 1, *after = w->u + row + 1;
  double mean[2] = {before[0] + after[0], before[1] + after[1]}, size = norm2(mean[0], mean[1]);
  double speeds[2] = {norm2(before[0], before[1]), norm2(after[0], after[1])};
  if (!(speeds[1] > STOPS * speeds[0])) return 0;
  if (!(before[0] * after[0] + before[1] * after[1] > TURN * speeds[0] * speeds[1])) return 0;
  for (int k = 0; k < 2; k++) turn[k] = speeds[1] * mean[k] / size - after[k];
  return 1;
}

/* A point that has just come into contact has its condition in the geometry of that instant. No point separates
 * faster than it approached, except by the margin MORE for curved surfaces: where another feature becomes active
 * within the step that would be a bounce. */
void fb_hard_set_end_rates(fb_sim* s) {
  static const double MORE = 1.1;
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    const fb_hard_point* p = &w->points[i];
    const fb_hard_memory* m = fb_hard_remembered(s, p);
    double turn[2] = {0, 0};
    int slips = m && m->state == FB_CONTACT_SLIPS && m->moves;
    w->closing[row] = p->open + (p->lasts ? fmax(w->bend[row], MORE * fmin(0, w->before[row])) : 0);
    if (w->cones[i].kind != FB_CONE_COULOMB) continue;
    if (slips && !w->rough) slips = turn_slip(w, row, turn);
    for (int k = 0; k < 2; k++)
      w->closing[row + 1 + k] = slips ? turn[k] : p->lasts ? w->bend[row + 1 + k] : 0;
  }
}
