/* growth.c -- the estimated error of a run: errors of steps, propagated with the motion
 *
 *   e_1 = (S(y_0 + sigma e_0) - S(y_0)) / sigma + l            S a step of the method, l its error
 *
 * Error control bounds the error of each step. Its growth depends on the motion: a brake damps it, in free flight it
 * grows with time, and freely swinging arms may multiply it by ten in every half second, whatever the method is. e is
 * an estimate of the difference to the true motion, to first order: [nv] positions, attitudes as rotation vectors in
 * the axes of the joint's place, [nv] velocities, [nx] states and [nmemory] memory of the blocks. sigma makes it so
 * small that S is linear, and so large that rounding does not matter.
 *
 * l is found for two steps at once, by one step of a method of order eight over both (order8.c), where the method gives one:
 *
 *   l = S_h2(S_h1(y_0)) - E_h1+h2(y_0)
 *
 * All steps are members of such groups while the result depends on it: in spinning motion, l alternates with the
 * phase, and a thousandth of it remains after a turn. A sample of the steps may give ten times more, and so may
 * groups of three. While e is far below the accuracy, and once it is above, one step in two to eight is sampled. The
 * same holds for methods without such an E, and where forces may act unannounced: there the step is repeated as two
 * halves, with the order p of the solution that is continued,
 *
 *   l = 2^p / (2^p - 1) (S_h(y_0) - S_h/2(S_h/2(y_0)))
 *
 * Samples are more frequent where they differ: l has peaks of a few steps. A sample represents the steps since the
 * last one, in proportion to h times the error of the embedded solution of lower order, which is of the order of l.
 * That error alone is not sufficient: it alternates along an oscillation, while the error of the continued solution
 * drifts in one direction. Steps with twice the expected error of the last sample, those that were rejected at first,
 * and those in which a compliant contact begins or ends, are sampled too, each for itself: their errors may be far
 * larger than those of others. Those that seem to contain a jump are repeated in halves. Where a step is cut by an
 * event, e is that of the part that was made, and l the error of the interpolant that gave its end; a group ends
 * before it.
 *
 * Where an event is located, at the zero of g, the neighbouring motion reaches it later by dt, and velocities may
 * jump by dv(y), which is given along the coordinates that bounce or stop:
 *
 *   dt = -(g + dg/dy e) / g',   e* = e + f- dt,   e*_v += (dv(y + sigma e*) - dv(y)) / sigma,   e+ = e* - f+ dt
 *
 * f are the rates before and after. dv depends on the pose too: an impact that turns a base far turns that of the
 * neighbouring motion about another direction.
 *
 * Errors of bristles of compliant contacts are bounded by what friction can stretch them to. Joins and partings are
 * made for the neighbouring motion too, whose frames meet at another place. Laws with ticks are also evaluated for it,
 * if their ticks may be repeated (fb_block.tick_aside_); with others, with hard contacts, with contacts whose force
 * jumps, and where rtol and atol are given, there is no estimate. Cost: one more step for each, without the ledger, and
 * less where not all are sampled. The estimate is part of the state, so that a resumed run gives the same. */
#include <limits.h>
#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "contact/dynamics/hard_contact.h"
#include "contact/law/compliant.h"
#include "contact/pair.h"
#include "sim/accuracy/growth.h"
#include "sim/flow.h"
#include "sim/part.h"

static const double SURE =
    0.5; /* of the accuracy: the estimate may be less than the true error by that factor */

/* Errors as large as the motion itself are not propagated further. */
int fb_growth_follows(const fb_sim* s) {
  return s->error.follows && !s->error.head->error_lost && s->error.head->error < 1;
}

/* A law that may be called only once, or a contact whose force jumps where it begins: then the neighbouring motion,
 * which reaches it elsewhere, is not usable. */
static int hides(const fb_sim* s, const fb_block* block) {
  return (fb_jumps_at_contact(block) && !s->stepper.traits.time_stepping) ||
         (block->tick && !block->tick_aside_);
}

/* Methods that say how their errors are found; moreau, with hard contacts. */
static int can_follow(const fb_sim* s) {
  if (s->stepper.traits.time_stepping) return s->contact.hard && s->contact.hard->solver >= 0;
  return s->options.rtol == 0 && s->stepper.traits.adaptive && s->error.growth.order > 0 && !s->contact.hard;
}

void fb_growth_lose(fb_sim* s) {
  s->error.head->error_lost = 1;
  if (s->head->t < s->error.head->error_t) s->error.head->error_t = s->head->t;
  memset(s->error.off, 0, (size_t)fb_growth_length(s) * sizeof *s->error.off);
}

double fb_growth_promise(const fb_sim* s) {
  static const double OF_STEPS =
      1e-2; /* of the sizes: the error of moreau, whose steps are not chosen by it */
  double most = FB_PROMISED * s->options.accuracy;
  return s->stepper.traits.time_stepping ? fmax(OF_STEPS, most) : SURE * most;
}

void fb_growth_keep_worst(fb_sim* s, double t, const double* y) {
  double error = fb_weigh_off(s, s->error.off, y, 1);
  if (!isfinite(error)) fb_growth_lose(s);
  if (error > s->error.head->error) s->error.head->error = error;
  if (error > fb_growth_promise(s) && t < s->error.head->error_t) s->error.head->error_t = t;
}

/* Wrenches of compliant contacts at the state that was evaluated last. */
static int count_pushes(const fb_sim* s) {
  int count = 0;
  for (int i = 0; i < s->block.count; i++)
    if (fb_block_is_contact(&s->block.list[i])) count += s->block.wrenches[2 * i + 1];
  return count;
}

int fb_growth_step(fb_sim* s, double t, double h, const double* y0, const double* y1, double err,
                   int rejected) {
  if (!fb_growth_follows(s)) return 0;
  s->contact.pushes = count_pushes(s);
  double sigma = fb_growth_scale(s, y0);
  fb_growth_sample(s, t, h, y0, y1, err, rejected,
                   rejected < 2 && s->contact.pushes == s->contact.head->pushes);
  memcpy(s->error.off_next, s->error.off, (size_t)fb_growth_length(s) * sizeof *s->error.off);
  if (sigma > 0 && !fb_growth_step_neighbour(s, &s->error.growth.followed, t, h, y0, y1, sigma)) {
    fb_growth_lose(s);
    return 0;
  }
  for (int i = 0; i < fb_growth_length(s); i++) s->error.off_next[i] += s->error.off_local[i];
  return sigma > 0;
}

/* The same for the part of the step up to t1, which ends at s->y1. */
static void cut_step(fb_sim* s, double t1) {
  double h = t1 - s->step.t0, sigma = fb_growth_scale(s, s->y0), *end = s->error.off_state;
  memcpy(s->error.off_next, s->error.off, (size_t)fb_growth_length(s) * sizeof *s->error.off);
  s->error.sample.kind = FB_SAMPLE_CUT;
  s->error.sample.ends_group = s->error.head->group > 0;
  if (!fb_growth_make_aside(s, &s->error.growth.cut, s->step.t0, h, s->y0, s->block.memory, end)) return;
  if (sigma > 0 && !fb_growth_step_neighbour(s, &s->error.growth.cut, s->step.t0, h, s->y0, end, sigma))
    fb_growth_lose(s);
  if (s->error.growth.interpolates) fb_growth_add_difference(s, s->y1, end, 1, s->error.off_next);
  if (s->error.head->group > 0)
    fb_growth_find_group_error(s, s->error.head->group_t, s->error.group_y, s->step.t0, s->y0,
                               s->error.off_next);
}

/* Bristles are as stiff as their slip is fast, beyond the stability of steps that error control accepts: the
 * neighbouring motion would drift away, while the true one is bounded. */
static void bound_contacts(fb_sim* s, double t) {
  fb_context context = fb_flow_context(s, t, s->y1);
  for (int i = 0; i < s->block.count; i++)
    if (fb_block_is(&s->block.list[i], &FB_BLOCK_COMPLIANT_CONTACT) && fb_block_acts(s, i))
      fb_contact_bound_errors(s->block.list[i].user, &context, s->block.memory + s->block.memory_offset[i],
                              fb_y_x(s, s->y1) + s->block.state_offset[i], t - s->step.t0,
                              s->error.off + 2 * s->nv + s->block.state_offset[i]);
}

void fb_growth_accept(fb_sim* s, double t1, int cut) {
  if (!fb_growth_follows(s) || s->stepper.traits.time_stepping) return; /* moreau_beside.c */
  if (cut) cut_step(s, t1);
  if (s->error.head->error_lost) return;
  memcpy(s->error.off, s->error.off_next, (size_t)fb_growth_length(s) * sizeof *s->error.off);
  bound_contacts(s, t1);
  fb_growth_count_sample(s);
  s->contact.head->pushes = s->contact.pushes;
  fb_growth_keep_worst(s, t1, s->y1);
}

double fb_sim_error_estimate(const fb_sim* s, double* since) {
  int follows = s->started && s->error.follows;
  if (since) *since = follows ? s->error.head->error_t : INFINITY;
  return follows && !s->error.head->error_lost ? s->error.head->error : NAN;
}

/* ---- as a part ---- */

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_errors* to = &s->error;
  FB_ERROR_STATE(FB_FIELD_IN_STATE)
  FB_ERROR_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static fb_status begin(fb_sim* s, fb_error* error) {
  (void)error;
  s->error.follows = can_follow(s);
  for (int i = 0; i < s->block.count; i++)
    if (hides(s, &s->block.list[i])) s->error.follows = 0;
  s->error.head->error_t = INFINITY;
  s->error.head->sampled = 0;
  s->error.head->unsampled = s->error.head->expected = s->error.head->found = 0;
  s->error.head->every = 1;
  s->error.head->group = 0;
  s->error.head->group_expected = 0;
  s->contact.head->pushes = 0;
  return FB_OK;
}

static int is_sound(const fb_snapshot* snapshot) {
  const fb_errors_head* head = snapshot->s->error.head;
  return fb_snapshot_ints_are(snapshot, &head->every, 1, 1, INT_MAX / 2) &&
         fb_snapshot_ints_are(snapshot, &head->group, 1, 0, FB_GROWTH_GROUP - 1) &&
         fb_snapshot_ints_are(snapshot, &head->amplifier, 1, 0, snapshot->s->contact.count);
}

static void carry(fb_sim* s, const fb_sim* old) {
  *s->error.head = *old->error.head;
}

const fb_part fb_part_error = {.place = place, .begin = begin, .is_sound = is_sound, .carry = carry};
