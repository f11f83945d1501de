/* part.c -- joint limits, soft stops and stiction as a part of a simulation. */
#include "sim/part.h"

#include <limits.h>
#include <stdlib.h>

#include <freebody/join.h>

#include "contact/dynamics/step_contact.h"
#include "limit/stops.h"

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_limits* to = &s->limit;
  FB_LIMITS_STATE(FB_FIELD_IN_STATE)
  FB_LIMITS_SCRATCH(FB_FIELD_IN_SCRATCH)
}

/* Nothing is held yet. */
static fb_status begin(fb_sim* s, fb_error* error) {
  (void)error;
  s->limit.due = 1;
  for (int i = 0; i < s->limit.count; i++) s->limit.stop_position[i] = s->limit.list[i].level;
  for (int k = 0; k < s->nv; k++) s->limit.slide[k] = fb_sign(s->y[s->nq + k]);
  fb_soft_stops_update(s);
  return FB_OK;
}

static fb_status act(fb_sim* s, const fb_context* context, const double* y, fb_action* action,
                     fb_error* error) {
  (void)context, (void)action, (void)error;
  if (s->options.friction_law == FB_FRICTION_STICTION && !fb_hard_by_steps(s))
    fb_stops_friction(s, y + s->nq);
  if (s->limit.nsoft > 0) fb_soft_stops_push(s, y);
  return FB_OK;
}

static double energy(const fb_sim* s, const fb_data* d, const double* q) {
  (void)d;
  return fb_soft_stops_energy(s, q);
}

static void arrive(fb_sim* s) {
  if (s->limit.work) fb_stops_follow(s);
}

static void clear(fb_sim* s) {
  if (s->limit.count > 0) memset(s->limit.phases, 0, (size_t)s->limit.count);
}

static int is_sound(const fb_snapshot* snapshot) {
  const fb_limits* l = &snapshot->s->limit;
  int lean = 0;
  for (int k = 0; k < snapshot->s->nv; k++) {
    int leans = fb_snapshot_int(snapshot, &l->support[k]) != FB_CARRIES;
    lean += leans;
    if (leans && !fb_is_held(fb_snapshot_int(snapshot, &snapshot->s->motion.of[k]))) return 0;
  }
  return fb_snapshot_int(snapshot, &l->head->nlean) == lean &&
         fb_snapshot_ints_are(snapshot, l->support, snapshot->s->nv, FB_CARRIES, FB_IDLE) &&
         fb_snapshot_ints_are(snapshot, l->held_side, snapshot->s->nv, -1, 1) &&
         fb_snapshot_ints_are(snapshot, l->slide, snapshot->s->nv, -1, 1) &&
         fb_snapshot_ints_are(snapshot, l->resting, l->count, 0, 1) &&
         fb_snapshot_ints_are(snapshot, &l->head->burst, 1, 0, INT_MAX - 1) &&
         fb_snapshot_ints_are(snapshot, &l->head->stall, 1, 0, INT_MAX - 1);
}

static void restore(fb_sim* s) {
  fb_soft_stops_update(s);
  fb_share_begin_step(s);
}

/* Also what an event that acts is in the middle of. */
static void carry(fb_sim* s, const fb_sim* old) {
  fb_limits* to = &s->limit;
  const fb_limits* from = &old->limit;
  *to->head = *from->head;
  to->head->nlean = 0; /* who carries is determined again */
  for (int k = 0; k < s->nv; k++) {
    int was = fb_model_coordinate_from(old->m, s->m, k);
    to->slide[k] = fb_sign(s->y[s->nq + k]);
    if (was < 0) continue;
    to->held_side[k] = from->held_side[was];
    to->effective_inertia[k] = from->effective_inertia[was];
    to->slip_tolerance[k] = from->slip_tolerance[was];
  }
  fb_copy(to->stop_position, from->stop_position, to->count, sizeof *to->stop_position);
  fb_copy(to->resting, from->resting, to->count, sizeof *to->resting);
  fb_copy(to->phases, from->phases, to->count, sizeof *to->phases);
  fb_copy(to->soft, from->soft, to->count, sizeof *to->soft);
}

static void forget(fb_sim* s) {
  s->limit.work = NULL;
  if (s->limit.given) s->limit.list = s->limit.given;
  s->limit.given = NULL;
}

static void free_part(fb_sim* s) {
  fb_stops_free(s);
  if (s->limit.given) free(s->limit.list);
}

const fb_part fb_part_limit = {.place = place,
                               .start = fb_stops_start,
                               .begin = begin,
                               .act = act,
                               .energy = energy,
                               .arrive = arrive,
                               .clear = clear,
                               .is_sound = is_sound,
                               .restore = restore,
                               .carry = carry,
                               .forget = forget,
                               .free = free_part};
