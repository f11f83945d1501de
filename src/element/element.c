/* element.c -- elements between frames in a simulation: their wrenches, phases, energy and losses
 *
 * Each element adds two wrenches after those of the blocks, s->wrench.list[s->wrench.nexternal ...]. Their sum is no
 * external force: in the ledger their energy is potential energy, and for a single tree their forces are external
 * (flow.c). The force of a tether has kinks, and with damping a jump where it becomes taut. So it has a phase, which
 * is constant during a step, as that of a soft stop (soft_stop.c); steps end where the phase does (locate.c). */
#include "sim/diagnosis/diagnosis.h"
#include "element/element.h"

#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "sim/event/crossing.h"
#include "limit/stops.h"
#include "element/elements.h"
#include "sim/flow.h"

static const fb_pair* pair_of(const fb_sim* s, int i) {
  return fb_pair_of(&s->block.list[s->element.block[i]]);
}

/* Poses at y for element i. */
static const fb_data* poses_at(fb_sim* s, int i, const double* y) {
  const fb_context context = {.model = s->m, .q = y, .v = y + s->nq, .cache_ = &s->cache};
  if (s->cache.local) fb_local_frame_at(s->cache.local, y, y + s->ny - s->nrest);
  return fb_pair_kinematics(&context, pair_of(s, i));
}

static void push_at(const fb_sim* s, int i, const fb_data* d, int phase, fb_pair_push* push) {
  fb_pair_push_at(s->m, d, pair_of(s, i), s->block.memory + s->block.memory_offset[s->element.block[i]],
                  phase, push);
}

static void add_wrenches(const fb_pair* e, const fb_pair_push* push, fb_action* action) {
  fb_wrench *on_b = fb_action_add_wrench(action), *on_a = fb_action_add_wrench(action);
  on_b->frame = e->b;
  memcpy(on_b->force, push->force, sizeof on_b->force);
  memcpy(on_b->torque, push->torque, sizeof on_b->torque);
  on_a->frame = e->a;
  if (e->is_bushing)
    fb_pair_reaction(push, on_a->force, on_a->torque);
  else /* along the line through both origins */
    for (int i = 0; i < 3; i++) on_a->force[i] = -push->force[i];
}

fb_status fb_pairs_push(fb_sim* s, const fb_context* context, const double* y, fb_action* action,
                        fb_error* error) {
  fb_status status = FB_OK;
  s->element.loss = 0;
  for (int i = 0; i < s->element.count && !status; i++) {
    int before = action->nwrench;
    fb_pair_push push;
    if (s->element.phase[i] == FB_STOP_CLEAR) continue;
    push_at(s, i, poses_at(s, i, y), s->element.phase[i], &push);
    action->room = before + 2;
    add_wrenches(pair_of(s, i), &push, action);
    s->element.loss += push.loss;
    const fb_block* block = &s->block.list[s->element.block[i]];
    if (s->failure.watching) status = fb_failure_watch(s, block, context, action, before, NULL, error);
    if (status) status = fb_block_failed(block, context->t, status, error);
  }
  return status;
}

static double energy_of(const fb_sim* s, int i, const fb_data* d) {
  fb_pair_push push;
  push_at(s, i, d, -1, &push);
  return push.energy;
}

double fb_pairs_energy(const fb_sim* s, const fb_data* d) {
  double sum = 0;
  for (int i = 0; i < s->element.count; i++) sum += energy_of(s, i, d);
  return sum;
}

fb_status fb_pairs_set(fb_sim* s, int block, int parameter, double value, fb_error* error) {
  int i = 0;
  fb_status status = fb_pair_check(fb_pair_of(&s->block.list[block]), parameter, value, error);
  if (status) return status;
  while (s->element.block[i] != block) i++;
  const fb_data* d = poses_at(s, i, s->y);
  double before = energy_of(s, i, d);
  s->block.memory[s->block.memory_offset[block] + parameter] = value;
  double change = energy_of(s, i, d) - before, *sums = fb_y_z(s, s->y) + s->nv;
  sums[FB_Z_EXTERNAL] += change;
  sums[FB_Z_GROSS] += fabs(change);
  return FB_OK;
}

int fb_pairs_update(fb_sim* s) {
  int changed = 0;
  for (int i = 0; i < s->element.count; i++) {
    fb_pair_push push;
    push_at(s, i, poses_at(s, i, s->y), -1, &push);
    int phase = fb_pair_phase(pair_of(s, i), &push);
    changed |= phase != s->element.phase[i];
    s->element.phase[i] = (unsigned char)phase;
  }
  return changed;
}

void fb_pairs_follow(fb_sim* s) {
  if (s->element.ntether > 0 && fb_pairs_update(s)) fb_sim_forget(s);
}

int fb_pair_is_watched(const fb_sim* s, int i) {
  return pair_of(s, i)->slack;
}

double fb_pair_length(const fb_sim* s, int i) {
  return s->block.memory[s->block.memory_offset[s->element.block[i]] + FB_SPRING_LENGTH];
}

int fb_pair_has_margin(const fb_sim* s, int i) {
  return s->element.phase[i] != FB_STOP_CLEAR &&
         s->block.memory[s->block.memory_offset[s->element.block[i]] + FB_SPRING_DAMPING] > 0;
}

fb_status fb_pair_gap(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  fb_pair_push push;
  push_at(s, i, poses_at(s, i, y), -1, &push);
  *x = s->element.phase[i] == FB_STOP_CLEAR ? -push.excess : push.excess;
  return FB_OK;
}

fb_status fb_pair_margin(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  fb_pair_push push;
  push_at(s, i, poses_at(s, i, y), -1, &push);
  *x = s->element.phase[i] == FB_STOP_PUSHES ? push.pull : -push.pull;
  return FB_OK;
}
