/* slip_direction.c -- the predicted direction of a slow slip
 *
 * Where friction changes a slip by more than its speed within a step, the slip turns faster than the step can follow. Its
 * direction is then taken from the end of an implicit step of the length t,
 *
 *   u+ = u + t (A f + b),   f in its cone, f_T = -mu f_N u+ / |u+|
 *
 * one problem in cones for all contact points. t is the time in which friction alone changes the slip by its
 * tolerance: the step itself, or 1e-5 m/s over the deceleration with error control (fb_hard_memory.slip_tolerance). A
 * slip that ends within t keeps its direction: an event is near. So does one that does not turn. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"

static double friction_of(const fb_sim* s, const fb_hard_point* p) {
  return fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
}

/* The deceleration of a point's slip by friction; 0: none [m/s^2]. */
static double deceleration_of(const fb_sim* s, const fb_hard_point* p) {
  if (p->state != FB_CONTACT_SLIPS) return 0;
  return friction_of(s, p) * fmax(0, dot3(p->force, p->point.normal)) * p->response;
}

static int is_slow(const fb_sim* s, const fb_hard_point* p) {
  return deceleration_of(s, p) > 0 &&
         norm2(p->rate[1], p->rate[2]) < FB_SLIP_TOLERANCES * fb_hard_slip_tolerance(s, p);
}

static int any_is_slow(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->npoint; i++)
    if (is_slow(s, &w->points[i])) return 1;
  return 0;
}

/* Rows of all points, three with friction: their indices into at, the forces into w->P, the matrix into w->K, and the
 * rates without forces into w->c, over t. */
static int pose(fb_sim* s, int* at) {
  fb_hard_contacts* w = s->contact.hard;
  int n = 0;
  w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    double mu = friction_of(s, p), slows = deceleration_of(s, p);
    w->cones[w->ncone++] = (fb_cone){mu > 0 ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
    for (int k = 0; k < (mu > 0 ? 3 : 1); k++) {
      int row = 3 * i + k;
      at[n] = row;
      w->P[n] = dot3(p->force, k == 0 ? p->point.normal : p->tangent[k - 1]);
      w->c[n++] = w->u[row] + w->gained[row] +
                  (k > 0 && slows > 0 ? p->rate[k] * slows / fb_hard_slip_tolerance(s, p) : 0);
    }
  }
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      w->K[r * n + c] = fb_hard_response(w, at[r], at[c]);
      w->c[r] -= w->K[r * n + c] * w->P[c];
    }
  return n;
}

/* The slip after the step, over t, from the row of a point on. Returns its part of the rates in play. */
static double find_end(const fb_hard_contacts* w, int n, int row, double x[2]) {
  double most = DBL_MIN;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(w->c[i]));
  for (int k = 0; k < 2; k++) {
    const double* A = w->K + (row + 1 + k) * n;
    x[k] = w->c[row + 1 + k];
    for (int c = 0; c < n; c++) x[k] += A[c] * w->P[c];
  }
  return norm2(x[0], x[1]) / most;
}

/* part: the size of its end x relative to the rates involved; a slip with a small one has practically ended and does
 * not turn, but may continue. Not where the slip is about to reverse: it ends first, at an event. From now on the
 * direction is that of the slip itself, by which the event is found. A straight slip, along the direction of
 * friction, keeps that as its prediction: with error control there is nothing to blend (find_slip_direction in
 * closed_force.c). */
static void set_predicted_direction(const fb_sim* s, fb_hard_point* p, const double x[2], double part) {
  static const double ENDED = 1e-6, ROUNDING = 1e-10;
  static const double SAME = 1e-6, SLOWEST = 1e-9; /* [m/s] of a slip that has just begun, or all but ended */
  fb_hard_point slip = *p;
  double size = norm2(x[0], x[1]), predicted_direction[3], apart[3], off[3];
  if (!(part > ROUNDING)) return;
  if (!(fb_hard_find_slip_direction(&slip, SLOWEST) > SLOWEST))
    memcpy(slip.slip_direction, p->slip_direction, sizeof p->slip_direction);
  for (int k = 0; k < 3; k++) {
    predicted_direction[k] = (x[0] * p->tangent[0][k] + x[1] * p->tangent[1][k]) / size;
    apart[k] = predicted_direction[k] - p->slip_direction[k];
    off[k] = slip.slip_direction[k] - p->slip_direction[k];
  }
  int straight = norm3(apart) <= SAME;
  if (!(dot3(predicted_direction, slip.slip_direction) > 0)) return;
  if (!straight && !(part > ENDED)) return;
  if (straight && !(s->stepper.traits.adaptive && norm3(off) <= SAME)) return;
  memcpy(p->predicted_direction, straight ? p->slip_direction : predicted_direction,
         sizeof predicted_direction);
  if (!straight) memcpy(p->slip_direction, slip.slip_direction, sizeof p->slip_direction);
}

/* With error control the direction of a slow slip and its prediction are constant until an event, since the method
 * uses the flow of earlier steps in the next. */
static int keep_predicted_directions(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  if (!s->stepper.traits.adaptive) return 0;
  for (int i = 0; i < w->npoint; i++) {
    fb_hard_point* p = &w->points[i];
    const fb_hard_memory* m = is_slow(s, p) ? fb_hard_remembered(s, p) : NULL;
    if (!m || is_zero3(m->predicted_direction)) continue;
    memcpy(p->slip_direction, m->slip_direction, sizeof p->slip_direction);
    memcpy(p->predicted_direction, m->predicted_direction, sizeof p->predicted_direction);
  }
  return 1;
}

void fb_hard_keep_predicted_slip(fb_sim* s) {
  if (!keep_predicted_directions(s)) fb_hard_predict_slip(s);
}

void fb_hard_predict_slip(fb_sim* s) {
  static const double CLOSE = 1e-6;
  fb_hard_contacts* w = s->contact.hard;
  if (s->contact.head->nclosed == 0 || !any_is_slow(s)) return;
  fb_hard_rates(s, s->y, s->vdot, w->u);
  int n = pose(s, w->ints);
  const fb_cones_problem problem = {.ncone = w->ncone, .n = n, .cones = w->cones, .A = w->K, .c = w->c};
  fb_cones_result result = fb_cones_solve(&problem, w->P, w->work, w->ints + w->room_rows);
  if (result.status == FB_CONES_NONE || !(result.residual <= CLOSE)) return;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    double x[2];
    if (!is_slow(s, &w->points[i])) continue;
    double part = find_end(w, n, row, x);
    set_predicted_direction(s, &w->points[i], x, part);
  }
}
