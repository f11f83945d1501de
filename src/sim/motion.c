/* motion.c -- prescribed coordinates: position, rate and acceleration at t
 *
 *   locked   rate 0        by rate   rate given        by path   x = path(t - begun) + shift
 *   held by a limit or by friction   rate 0, x = shift
 *
 * A path that is active at the start is used as given. The time of one that an event starts counts from there, and it
 * is shifted to begin at the present position: positions never jump. */
#include <math.h>

#include <freebody/join.h>

#include "regroup/change.h"
#include "sim/sim.h"
#include "limit/stops.h"
#include "sim/part.h"

static const fb_spline* path_of(const fb_sim* s, int k) {
  int id = s->motion.of[k];
  return id >= 0 && s->motion.list[id].kind == FB_MOTION_PATH ? s->motion.list[id].path : NULL;
}

/* The path's own time. t - begun may miss a knot by rounding; on a knot its right side counts. */
static double path_time(const fb_sim* s, int k, const fb_spline* path, double t) {
  double since = t - s->motion.begun[k];
  if (s->motion.begun[k] == 0) return since;
  double knot = fb_spline_next_knot(path, since);
  return knot - since <= 0.5 * fb_time_slack(t) ? knot : since;
}

void fb_motion_at(const fb_sim* s, int k, double t, double* x, double* rate, double* acceleration) {
  const fb_spline* path = path_of(s, k);
  int id = s->motion.of[k];
  if (path) {
    fb_spline_eval(path, path_time(s, k, path, t), x, rate, acceleration);
    if (x) *x += s->motion.shift[k];
    return;
  }
  if (x && fb_is_held(id) && s->m->top.coordinate_q[k] >= 0)
    *x = s->motion.shift[k]; /* attitudes have no such number */
  if (rate) *rate = id >= 0 ? s->motion.list[id].rate : 0;
  if (acceleration) *acceleration = 0;
}

double fb_motion_next_knot(const fb_sim* s, int k, double t) {
  const fb_spline* path = path_of(s, k);
  return path ? s->motion.begun[k] + fb_spline_next_knot(path, path_time(s, k, path, t)) : INFINITY;
}

/* ---- as a part ---- */

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_motions* to = &s->motion;
  FB_MOTIONS_STATE(FB_FIELD_IN_STATE)
  FB_MOTIONS_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static int is_sound(const fb_snapshot* snapshot) {
  const fb_sim* s = snapshot->s;
  int moved = 0, held = 0;
  for (int k = 0; k < s->nv; k++) {
    int motion = fb_snapshot_int(snapshot, &s->motion.of[k]);
    moved += motion != FB_MOTION_FORCE;
    held += fb_is_held(motion);
  }
  return fb_snapshot_int(snapshot, &s->motion.head->nmoved) == moved &&
         fb_snapshot_int(snapshot, &s->motion.head->nheld) == held &&
         fb_snapshot_ints_are(snapshot, s->motion.of, s->nv, FB_MOTION_STUCK, s->motion.count - 1) &&
         fb_snapshot_numbers_are_finite(snapshot, s->motion.begun, s->nv) &&
         fb_snapshot_numbers_are_finite(snapshot, s->motion.shift, s->nv);
}

static void carry(fb_sim* s, const fb_sim* old) {
  for (int k = 0; k < s->nv; k++) {
    int from = fb_model_coordinate_from(old->m, s->m, k);
    s->motion.of[k] = from >= 0                              ? old->motion.of[from]
                      : fb_sim_is_locked_still(old, s->m, k) ? FB_MOTION_LOCKED
                                                             : FB_MOTION_FORCE;
    s->motion.head->nmoved += s->motion.of[k] != FB_MOTION_FORCE;
    s->motion.head->nheld += fb_is_held(s->motion.of[k]);
    if (from < 0) continue;
    s->motion.begun[k] = old->motion.begun[from];
    s->motion.shift[k] = old->motion.shift[from];
  }
}

const fb_part fb_part_motion = {.place = place, .is_sound = is_sound, .carry = carry};
