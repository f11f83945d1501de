/* loops.c -- closed loops in a simulation: closed at the start, and kept so at the end of every step
 *
 * Accelerations keep the loops closed but for the error of the method, which adds up. At the end of a step positions
 * and velocities are put back, each by the least change in the sense of the kinetic energy (constraint/project.c). No
 * gains are needed, no vibration is introduced, and the order of the method is preserved. */
#include <string.h>

#include <freebody/loop.h>
#include <freebody/status.h>

#include "constraint/rows.h"
#include "model/link_kind.h"
#include "sim/sim.h"
#include "loop/loops.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"
#include "sim/part.h"

/* Coordinates that motions, locks, limits or blocks move: loops cannot change them. NULL: there are none. */
static const unsigned char* find_moved(fb_sim* s) {
  if (!fb_sim_moves_any(s)) return NULL;
  for (int k = 0; k < s->nv; k++)
    if (s->motion.of[k] != FB_MOTION_FORCE) s->motion.prescribed[k] = 1;
  return s->motion.prescribed;
}

/* The implicit method moves joints without inertia by the slopes of their dampers and gains, but here they would have
 * none: each coordinate gets a little armature. It determines which of the joints move; momentum does not depend on
 * it. */
static void loosen(fb_sim* s, fb_parameters* loose) {
  static const double LITTLE = 1e-6; /* [kg m^2 or kg] */
  *loose = *s->d->par;
  for (int k = 0; k < s->nv; k++) s->loop.loose[k] = loose->armature[k] + (s->chart.is_free[k] ? 0 : LITTLE);
  loose->armature = s->loop.loose;
}

static double close_loops(fb_sim* s, double* y) {
  const fb_parameters* saved = s->d->par;
  fb_parameters loose;
  if (s->stepper.traits.takes_slopes) {
    loosen(s, &loose);
    s->d->par = &loose;
  }
  double left = fb_loops_project(s->m, s->d, find_moved(s), y, y + s->nq);
  s->d->par = saved;
  return left;
}

void fb_flow_close(fb_sim* s, double t, double* y) {
  fb_flow_place(s, t, y);
  if (s->m->top.nloop > 0) s->loop.opening = close_loops(s, y);
  if (s->contact.head->nclosed > 0) fb_hard_close(s, t, y);
}

/* ---- poses in which a mechanism has more motions ----
 *
 * Within 3e-5 rad of such a pose rows do not count (constraint/idle.c), and accelerations are others. A stage there
 * would affect a whole step; a slightly shorter step has its stages elsewhere. A step that begins there is kept
 * short. */

void fb_sim_count_rows(fb_sim* s) {
  fb_rank_watch* w = &s->loop.ranks;
  int rank = s->d->rank;
  if (w->count++ == 0) w->first = w->least = w->most = rank;
  if (rank < w->least) w->least = rank;
  if (rank > w->most) w->most = rank;
}

double fb_sim_shorter_step(const fb_sim* s, double h, int attempt) {
  static const double A_LITTLE = 0.8, OUT_OF_IT = 0.01;
  enum { MOST = 4 };
  const fb_rank_watch* w = &s->loop.ranks;
  if (s->m->top.nloop == 0 || w->count == 0 || w->least == w->most) return 0;
  if (w->first < w->most) return attempt == 0 ? OUT_OF_IT * h : 0;
  return attempt < MOST ? A_LITTLE * h : 0;
}

/* The loops are as in the state. */
static void take_lengths(fb_sim* s) {
  size_t size = (size_t)s->m->top.nloop * sizeof(double);
  memcpy(s->d->loop_length, s->loop.length, size);
  memcpy(s->cache.d->loop_length, s->loop.length, size);
}

static fb_status close_at_start(fb_sim* s, fb_error* error) {
  int n = s->m->top.nloop;
  if (n == 0) return FB_OK;
  if (s->stepper.traits.steps_momenta)
    return fb_fail(
        error, FB_ERR_UNSUPPORTED,
        "the %s method cannot take loops: its discrete momenta belong to a tree, and forces of loops at one "
        "instant would not conserve them; take rkmk4 or dopri5, which keep loop \"%s\" closed",
        s->stepper.name, fb_loop_name(s->m, 0));
  fb_parameters* saved = s->parameters;
  memcpy(s->d->loop_length, saved ? saved->loop_length : s->m->par.loop_length, (size_t)n * sizeof(double));
  if (s->block.nmoving > 0) memset(s->motion.prescribed, 0, (size_t)s->nv);
  fb_status status = fb_loops_close(s->m, s->d, find_moved(s), s->y, fb_y_v(s, s->y), error);
  fb_loops_measure(s->m, s->d, s->y);
  memcpy(s->loop.length, s->d->loop_length, (size_t)n * sizeof(double));
  take_lengths(s);
  return status;
}

fb_status fb_sim_check_loops(const fb_sim* s, double t, fb_error* error) {
  static const double OPEN = 1e-7; /* m or rad: far more than any step leaves of loops that can be closed */
  if (s->loop.opening <= OPEN) return FB_OK;
  int loop = 0;
  for (int i = 1; i < s->m->top.nloop; i++)
    if (fb_rows_worst_error(s->m, s->d, i) > fb_rows_worst_error(s->m, s->d, loop)) loop = i;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s loop \"%s\" opens by %.3g (m or rad) and cannot be closed: %s", t,
                 fb_loop_name(s->m, loop), s->loop.opening,
                 fb_sim_moves_any(s)
                     ? "prescribed motions, locks or stops conflict with it; release one of them"
                     : "the mechanism has come to its end, or the step is too long");
}

/* Two wrenches for each (reaction.c). */
static fb_status measure(fb_sim* s, fb_error* error) {
  (void)error;
  s->wrench.room += 2 * s->m->top.nloop;
  return FB_OK;
}

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_loops* to = &s->loop;
  FB_LOOPS_STATE(FB_FIELD_IN_STATE)
  FB_LOOPS_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static int is_sound(const fb_snapshot* snapshot) {
  return fb_snapshot_numbers_are_finite(snapshot, snapshot->s->loop.length, snapshot->s->m->top.nloop);
}

static void carry(fb_sim* s, const fb_sim* old) {
  fb_copy(s->loop.length, old->loop.length, s->m->top.nloop, sizeof *s->loop.length);
}

const fb_part fb_part_loop = {.measure = measure,
                              .place = place,
                              .begin = close_at_start,
                              .is_sound = is_sound,
                              .restore = take_lengths,
                              .carry = carry};
