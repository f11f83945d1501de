/* loops.c -- closed loops in a simulation: closed at the start, and kept so at the end of every step
 *
 * Accelerations keep the loops closed but for the error of the method, which adds up. At the end of a step positions and
 * velocities are put back, each by the least change in the sense of the kinetic energy (constraint/project.c). There
 * is no gain to choose, nothing vibrates, and the order of the method remains. */
#include <math.h>
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "constraint/rows.h"
#include "model/link_kind.h"
#include "sim/sim.h"
#include "loop/loops.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

/* Coordinates that motions, locks, limits or blocks move: loops cannot change them. NULL: there are none. */
static const unsigned char* find_moved(fb_sim* s) {
  if (s->head->nmoved + s->nmoving == 0) return NULL;
  for (int k = 0; k < s->nv; k++)
    if (s->motion[k] != FB_MOVE_BY_FORCE) s->prescribed[k] = 1;
  return s->prescribed;
}

/* The implicit method moves joints without inertia by the slopes of their dampers and gains, but here they would have none: each
 * coordinate gets a little armature. It says which of the joints give way, and no momentum depends on it. */
static void loosen(fb_sim* s, fb_parameters* loose) {
  static const double LITTLE = 1e-6; /* [kg m^2 or kg] */
  *loose = *s->d->par;
  for (int k = 0; k < s->nv; k++) s->loose[k] = loose->armature[k] + (s->chart.is_free[k] ? 0 : LITTLE);
  loose->armature = s->loose;
}

static double close_loops(fb_sim* s, double* y) {
  const fb_parameters* own = s->d->par;
  fb_parameters loose;
  if (s->stepper.traits.takes_slopes) {
    loosen(s, &loose);
    s->d->par = &loose;
  }
  double left = fb_loops_project(s->m, s->d, find_moved(s), y, y + s->nq);
  s->d->par = own;
  return left;
}

void fb_flow_close(fb_sim* s, double t, double* y) {
  fb_flow_place(s, t, y);
  if (s->m->top.nloop > 0) s->opening = close_loops(s, y);
  if (s->head->nclosed > 0) fb_touch_close(s, t, y);
}

/* ---- poses in which a mechanism has more motions ----
 *
 * Within 3e-5 rad of such a pose rows do not count (constraint/idle.c), and accelerations are others. A stage there would
 * bear on a whole step; a step that is a little shorter has its stages elsewhere. One that begins there is kept short. */

void fb_sim_count_rows(fb_sim* s) {
  fb_rank_watch* w = &s->ranks;
  int rank = s->d->rank;
  if (w->count++ == 0) w->first = w->least = w->most = rank;
  if (rank < w->least) w->least = rank;
  if (rank > w->most) w->most = rank;
}

double fb_sim_shorter_step(const fb_sim* s, double h, int attempt) {
  static const double A_LITTLE = 0.8, OUT_OF_IT = 0.01;
  enum { MOST = 4 };
  const fb_rank_watch* w = &s->ranks;
  if (s->m->top.nloop == 0 || w->count == 0 || w->least == w->most) return 0;
  if (w->first < w->most) return attempt == 0 ? OUT_OF_IT * h : 0;
  return attempt < MOST ? A_LITTLE * h : 0;
}

/* ---- the start ---- */

/* Whether coordinate k takes part in a loop. */
static int is_in_loop(const fb_sim* s, int k) {
  const fb_topology* t = &s->m->top;
  for (int i = 0; i < t->ngear; i++)
    if (t->gear_v[i] == k) return 1;
  for (int at = 0; at < t->npath; at++) {
    int link = t->path_link[at], first = t->link_v[link], end = first + fb_link_rows[t->link_kind[link]].nv;
    if (t->path_end[at] != FB_PATH_BOTH && k >= first && k < end) return 1;
  }
  return 0;
}

/* Two joints of a loop that stick share the load in a way that rigid bodies do not determine, so that it cannot be said
 * when either lets go. */
static fb_status check_stiction(const fb_sim* s, fb_error* error) {
  int first = -1;
  if (s->options.friction_law != FB_FRICTION_STICTION || !(s->options.passive & FB_PASSIVE_FRICTION))
    return FB_OK;
  for (int k = 0; k < s->nv; k++) {
    if (!(s->d->par->friction[k] > 0) || !is_in_loop(s, k)) continue;
    if (first >= 0)
      return fb_fail(
          error, FB_ERR_UNSUPPORTED,
          "the joints '%.60s' and '%.60s' of a loop both have friction, and which of them holds when both "
          "stick "
          "is not determined: take friction_law: smooth, or give the friction to one joint of the loop",
          fb_coordinate_joint_name(s->m, first), fb_coordinate_joint_name(s->m, k));
    first = k;
  }
  return FB_OK;
}

fb_status fb_sim_close_loops(fb_sim* s, fb_error* error) {
  int n = s->m->top.nloop;
  if (n == 0) return FB_OK;
  if (s->stepper.traits.steps_momenta)
    return fb_fail(error, FB_ERR_UNSUPPORTED,
                   "the %s method cannot take loops: its discrete momenta belong to a tree, and forces "
                   "of loops at "
                   "one instant would not conserve them; take rkmk4 or dopri5, which keep loop \"%s\" closed",
                   s->stepper.name, fb_loop_name(s->m, 0));
  fb_status sticks = check_stiction(s, error);
  if (sticks) return sticks;
  fb_parameters* own = s->parameters;
  memcpy(s->d->loop_length, own ? own->loop_length : s->m->par.loop_length, (size_t)n * sizeof(double));
  if (s->nmoving > 0) memset(s->prescribed, 0, (size_t)s->nv);
  fb_status status = fb_loops_close(s->m, s->d, find_moved(s), s->y, fb_y_v(s, s->y), error);
  fb_loops_measure(s->m, s->d, s->y);
  memcpy(s->loop_length, s->d->loop_length, (size_t)n * sizeof(double));
  fb_sim_take_lengths(s);
  return status;
}

void fb_sim_take_lengths(fb_sim* s) {
  size_t size = (size_t)s->m->top.nloop * sizeof(double);
  memcpy(s->d->loop_length, s->loop_length, size);
  memcpy(s->cache.d->loop_length, s->loop_length, size);
}

fb_status fb_sim_check_loops(const fb_sim* s, double t, fb_error* error) {
  static const double OPEN = 1e-7; /* m or rad: far more than any step leaves that can be closed */
  if (s->opening <= OPEN) return FB_OK;
  int loop = 0;
  for (int i = 1; i < s->m->top.nloop; i++)
    if (fb_rows_worst_error(s->m, s->d, i) > fb_rows_worst_error(s->m, s->d, loop)) loop = i;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s loop \"%s\" opens by %.3g (m or rad) and cannot be closed: %s", t,
                 fb_loop_name(s->m, loop), s->opening,
                 s->head->nmoved + s->nmoving > 0
                     ? "prescribed motions, locks or stops conflict with it; release one of them"
                     : "the mechanism has come to its end, or the step is too long");
}
