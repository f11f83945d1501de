/* slip_direction.c -- the direction that a slow slip is about to have
 *
 * Where friction changes a slip by more than its speed within a step, the slip turns faster than the step can follow. Its
 * direction is then taken from the end of an implicit step of the length t,
 *
 *   u+ = u + t (A f + b),   f in its cone, f_T = -mu f_N u+ / |u+|
 *
 * one problem in cones for all points that touch. t is the time in which friction alone changes the slip by its creep: the
 * step itself, or 1e-5 m/s over the deceleration with error control (fb_touch_memory.creep). A slip that ends within t keeps
 * its direction: an event is near. So does one that does not turn. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"

static double friction_of(const fb_sim* s, const fb_touch_point* p) {
  return fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
}

/* By what friction decelerates the slip of a point; 0: by nothing [m/s^2]. */
static double deceleration_of(const fb_sim* s, const fb_touch_point* p) {
  if (p->state != FB_CONTACT_SLIPS) return 0;
  return friction_of(s, p) * fmax(0, dot3(p->force, p->touch.normal)) * p->response;
}

static int is_slow(const fb_sim* s, const fb_touch_point* p) {
  return deceleration_of(s, p) > 0 && hypot(p->rate[1], p->rate[2]) < FB_CREEPS * fb_touch_creep(s, p);
}

static int any_is_slow(const fb_sim* s) {
  const fb_touching* w = s->touch;
  for (int i = 0; i < w->npoint; i++)
    if (is_slow(s, &w->points[i])) return 1;
  return 0;
}

/* Rows of all points, three where they rub: which they are into at, the forces into w->P, the matrix into w->K, and what the
 * rows would do without forces into w->c, over t. */
static int pose(fb_sim* s, int* at) {
  fb_touching* w = s->touch;
  int n = 0;
  w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    double mu = friction_of(s, p), slows = deceleration_of(s, p);
    w->cones[w->ncone++] = (fb_cone){mu > 0 ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
    for (int k = 0; k < (mu > 0 ? 3 : 1); k++) {
      int row = 3 * i + k;
      at[n] = row;
      w->P[n] = dot3(p->force, k == 0 ? p->touch.normal : p->tangent[k - 1]);
      w->c[n++] =
          w->u[row] + w->gained[row] + (k > 0 && slows > 0 ? p->rate[k] * slows / fb_touch_creep(s, p) : 0);
    }
  }
  for (int r = 0; r < n; r++)
    for (int c = 0; c < n; c++) {
      w->K[r * n + c] = w->A[(size_t)at[r] * (size_t)w->nrow + (size_t)at[c]];
      w->c[r] -= w->K[r * n + c] * w->P[c];
    }
  return n;
}

/* The slip after the step, over t, from the row of a point on. Returns its part of the rates in play. */
static double find_end(const fb_touching* w, int n, int row, double x[2]) {
  double most = DBL_MIN;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(w->c[i]));
  for (int k = 0; k < 2; k++) {
    const double* A = w->K + (row + 1 + k) * n;
    x[k] = w->c[row + 1 + k];
    for (int c = 0; c < n; c++) x[k] += A[c] * w->P[c];
  }
  return hypot(x[0], x[1]) / most;
}

/* part: of the rates in play, that its end x has; a small one is as good as ended, and turns nowhere, but may go on.
 * Not where the slip is about to reverse: it ends first, at an event. The way is that of the slip itself from now on, by which
 * the event is found. A slip that goes straight on, the way that friction has, aims at that: with error control there is nothing to
 * blend (find_way in closed_force.c). */
static void take_aim(const fb_sim* s, fb_touch_point* p, const double x[2], double part) {
  static const double ENDED = 1e-6, ROUNDING = 1e-10;
  static const double SAME = 1e-6, SLOWEST = 1e-9; /* [m/s] of a slip that has just begun, or all but ended */
  fb_touch_point slip = *p;
  double size = hypot(x[0], x[1]), aim[3], apart[3], off[3];
  if (!(part > ROUNDING)) return;
  if (!(fb_touch_find_way(&slip, SLOWEST) > SLOWEST)) memcpy(slip.way, p->way, sizeof p->way);
  for (int k = 0; k < 3; k++) {
    aim[k] = (x[0] * p->tangent[0][k] + x[1] * p->tangent[1][k]) / size;
    apart[k] = aim[k] - p->way[k];
    off[k] = slip.way[k] - p->way[k];
  }
  int straight = norm3(apart) <= SAME;
  if (!(dot3(aim, slip.way) > 0)) return;
  if (!straight && !(part > ENDED)) return;
  if (straight && !(s->stepper.traits.adaptive && norm3(off) <= SAME)) return;
  memcpy(p->aim, straight ? p->way : aim, sizeof aim);
  if (!straight) memcpy(p->way, slip.way, sizeof p->way);
}

/* With error control the way of a slow slip and its aim stay until an event, since the method takes the flow of the steps
 * before for that of the next. */
static int keep_aims(fb_sim* s) {
  fb_touching* w = s->touch;
  if (!s->stepper.traits.adaptive) return 0;
  for (int i = 0; i < w->npoint; i++) {
    fb_touch_point* p = &w->points[i];
    const fb_touch_memory* m = is_slow(s, p) ? fb_touch_remembered(s, p) : NULL;
    if (!m || is_zero3(m->aim)) continue;
    memcpy(p->way, m->way, sizeof p->way);
    memcpy(p->aim, m->aim, sizeof p->aim);
  }
  return 1;
}

void fb_touch_keep_aim(fb_sim* s) {
  if (!keep_aims(s)) fb_touch_aim(s);
}

void fb_touch_aim(fb_sim* s) {
  static const double CLOSE = 1e-6;
  fb_touching* w = s->touch;
  if (s->head->nclosed == 0 || !any_is_slow(s)) return;
  fb_touch_rates(s, s->y, s->vdot, w->u);
  int n = pose(s, w->ints);
  const fb_cones_problem problem = {.ncone = w->ncone, .n = n, .cones = w->cones, .A = w->K, .c = w->c};
  fb_cones_result result = fb_cones_solve(&problem, w->P, w->work, w->ints + w->room_rows);
  if (result.status == FB_CONES_NONE || !(result.residual <= CLOSE)) return;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    double x[2];
    if (!is_slow(s, &w->points[i])) continue;
    double part = find_end(w, n, row, x);
    take_aim(s, &w->points[i], x, part);
  }
}
