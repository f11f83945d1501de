/* flow.c -- the right-hand side of the motion
 *
 *   q' = v,   v' = forward or mixed dynamics at (q, v, tau),   x' = rates of the blocks,   z' = powers
 *
 * z is the ledger, integrated with the motion (ledger_rate.c). */
#include <string.h>

#include <freebody/loop.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "dynamics/loads.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "loop/loops.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "sim/flow.h"
#include "sim/part.h"
#include "sim/event/event.h"

void fb_flow_place(const fb_sim* s, double t, double* y) {
  if (s->motion.head->nmoved == 0) return;
  for (int k = 0; k < s->nv; k++) {
    if (s->motion.of[k] == FB_MOTION_FORCE) continue;
    int at = s->m->top.coordinate_q[k];
    fb_motion_at(s, k, t, at >= 0 ? &y[at] : NULL, &y[s->nq + k], NULL);
  }
}

fb_context fb_flow_context(fb_sim* s, double t, const double* y) {
  s->d->moved = s->motion.head->nmoved > 0 ? s->motion.moved : NULL;
  s->d->moved_vdot = s->motion.moved_vdot;
  if (s->cache.local) fb_local_frame_at(s->cache.local, y, y + s->ny - s->nrest);
  for (int k = 0; s->d->moved && k < s->nv; k++) {
    s->motion.moved[k] = s->motion.of[k] != FB_MOTION_FORCE && !fb_is_held(s->motion.of[k]);
    if (s->motion.moved[k]) fb_motion_at(s, k, t, NULL, NULL, &s->motion.moved_vdot[k]);
  }
  return (fb_context){.model = s->m,
                      .data = s->d,
                      .t = t,
                      .q = y,
                      .v = y + s->nq,
                      .environment = &s->loads.environment,
                      .cache_ = &s->cache};
}

/* Moved coordinates: their accelerations are given, as the context has them. Held ones have none; blocks do not see
 * them as moved, since their forces may release them. */
static void prescribe(fb_sim* s) {
  for (int k = 0; k < s->nv; k++) {
    if (s->motion.of[k] == FB_MOTION_FORCE || s->limit.support[k] != FB_CARRIES)
      continue; /* a block may move it */
    s->motion.prescribed[k] = 1;
    s->vdot[k] = s->motion.moved[k] ? s->motion.moved_vdot[k] : 0;
  }
}

/* Adds the time and the block's name to its error. */
fb_status fb_block_failed(const fb_block* block, double t, fb_status status, fb_error* error) {
  if (!error) return status;
  fb_error cause = *error;
  fb_fail(error, status, "at t = %.9g s, block \"%s\": %s", t, block->name, cause.text);
  fb_error_set_place(error, cause.file, cause.path, cause.place);
  return status;
}

/* Evaluates block i, if it acts in the present mode. */
static fb_status call_block(fb_sim* s, int i, fb_context* context, const double* x, fb_action* action,
                            double* xdot, fb_error* error) {
  const fb_block* block = &s->block.list[i];
  int before = action->nwrench, *wrenches = s->block.wrenches + 2 * i;
  wrenches[0] = before;
  wrenches[1] = 0;
  if (!block->act || !fb_block_acts(s, i)) return FB_OK;
  action->room = before + block->nwrench;
  context->inputs = s->block.in + s->block.in_offset[i];
  fb_status status = block->act(block->user, context, s->block.memory + s->block.memory_offset[i],
                                x + s->block.state_offset[i], action, xdot + s->block.state_offset[i], error);
  if (!status && s->failure.watching)
    status = fb_failure_watch(s, block, context, action, before, xdot + s->block.state_offset[i], error);
  wrenches[1] = action->nwrench - before;
  for (int w = before; !status && w < action->nwrench; w++)
    if (!fb_frame_exists(s->m, s->wrench.list[w].frame))
      status = fb_fail(error, FB_ERR_NAME,
                       "a wrench acts on frame %d, which does not exist; the model has 0 to %d",
                       s->wrench.list[w].frame, s->m->top.nsite - 1);
  return status ? fb_block_failed(block, context->t, status, error) : FB_OK;
}

fb_status fb_flow_drive(fb_sim* s, double t, const double* y, double* xdot, fb_error* error) {
  s->loads.t = t;
  memset(s->tau, 0, (size_t)s->nv * sizeof *s->tau);
  if (s->nx > 0) memset(xdot, 0, (size_t)s->nx * sizeof *xdot);
  double t_eval = t < s->step.t_left ? t : s->step.t_left; /* accelerations bend at knots */
  fb_status filled = fb_ports_fill(s, t_eval, y, error);
  if (filled) return filled;
  fb_context context = fb_flow_context(s, t_eval, y);
  fb_action action = {s->tau, s->vdot, s->motion.prescribed, s->wrench.list, 0, 0};
  if (fb_sim_moves_any(s)) memset(s->motion.prescribed, 0, (size_t)s->nv);
  for (int i = 0; i < s->block.count; i++) {
    fb_status status = call_block(s, i, &context, y + s->nq + s->nv, &action, xdot, error);
    if (status) return status;
  }
  s->wrench.nexternal = action.nwrench;
  if (s->motion.head->nmoved > 0) prescribe(s);
  fb_status acted = fb_parts_act(s, &context, y, &action, error);
  s->wrench.count = s->wrench.first_hard = action.nwrench;
  return acted;
}

fb_status fb_flow_find_moved(fb_sim* s, fb_error* error) {
  if (s->block.nmoving == 0) return FB_OK;
  fb_status filled = fb_ports_fill(s, s->head->t, s->y, error);
  if (filled) return filled;
  fb_context context = fb_flow_context(s, s->head->t, s->y);
  fb_action action = {s->tau, s->vdot, s->motion.by_block, s->wrench.list, 0, 0};
  memset(s->motion.by_block, 0, (size_t)s->nv);
  memset(s->tau, 0, (size_t)s->nv * sizeof *s->tau);
  if (s->nx > 0) memset(fb_y_x(s, s->y_probe), 0, (size_t)s->nx * sizeof *s->y_probe);
  for (int i = 0; i < s->block.count; i++) {
    if (!s->block.list[i].moves) continue;
    fb_status status =
        call_block(s, i, &context, s->y + s->nq + s->nv, &action, fb_y_x(s, s->y_probe), error);
    if (status) return status;
  }
  return FB_OK;
}

/* tau becomes that of the actuators again. For coordinates held by limits and friction, the difference is their
 * reaction; for moved ones, friction and soft stops are not part of it. */
static void find_reactions(fb_sim* s, int moved, const double* share) {
  for (int k = 0; k < s->nv; k++) {
    int held = fb_is_held(s->motion.of[k]), carries = s->limit.support[k] == FB_CARRIES;
    s->limit.reaction[k] = !held     ? 0
                           : carries ? s->tau[k] - s->limit.actuator[k] - s->limit.stop_force[k]
                           : share   ? share[k]
                                     : 0;
    s->tau[k] = moved && s->motion.prescribed[k] && !held
                    ? s->tau[k] - s->limit.friction[k] - s->limit.stop_force[k]
                    : s->limit.actuator[k];
  }
}

/* By s->tau of the actuators, forces of the joints, and reactions `share` unless it is NULL. */
static void accelerate(fb_sim* s, const double* y, const double* more, const double* share) {
  int moved = fb_sim_moves_any(s), rubs = fb_sim_rubs(s);
  for (int k = 0; rubs && k < s->nv; k++) s->tau[k] += s->limit.friction[k];
  for (int k = 0; more && k < s->nv; k++) s->tau[k] += more[k];
  for (int k = 0; s->limit.nsoft > 0 && k < s->nv; k++) s->tau[k] += s->limit.stop_force[k];
  for (int k = 0; share && k < s->nv; k++) s->tau[k] += share[k];
  fb_constrained_dynamics(s->m, s->d, y, y + s->nq, moved ? s->motion.prescribed : NULL, &s->loads, s->vdot,
                          s->tau);
}

void fb_flow_accelerate(fb_sim* s, const double* y, const double* more) {
  int moved = fb_sim_moves_any(s);
  int apart = fb_sim_rubs(s) || more || s->motion.head->nheld > 0 || s->limit.nsoft > 0;
  const double* share = s->limit.head->nlean > 0 ? fb_share_begin(s) : NULL;
  s->loads.nwrench = s->wrench.count;
  s->head->evaluations++;
  if (apart) memcpy(s->limit.actuator, s->tau, (size_t)s->nv * sizeof *s->tau);
  accelerate(s, y, more, share);
  if (share && fb_share_spread(s)) {
    memcpy(s->tau, s->limit.actuator, (size_t)s->nv * sizeof *s->tau);
    accelerate(s, y, more, share);
  }
  if (share) fb_share_end(s);
  if (s->m->top.nloop > 0) {
    fb_loop_forces(s->m, s->d, s->loop.force);
    fb_sim_count_rows(s);
  }
  if (apart) find_reactions(s, moved, share);
}

fb_status fb_flow(fb_sim* s, double t, const double* y, double* ydot, fb_error* error) {
  fb_status status = fb_flow_drive(s, t, y, fb_y_x(s, ydot), error);
  if (status) return status;
  fb_flow_accelerate(s, y, NULL);
  if (s->contact.head->nclosed > 0) fb_hard_flow(s, y, fb_y_x(s, ydot));
  memcpy(fb_y_v(s, ydot), s->vdot, (size_t)s->nv * sizeof *ydot);
  if (!s->error.aside) fb_flow_ledger(s, y, fb_y_z(s, ydot));
  return FB_OK;
}

static void normalise(const fb_sim* s, double* y) {
  for (int i = 0; i < s->chart.nquat; i++) fb_quat_normalise(y + s->chart.quat_q[i]);
}

fb_status fb_sim_rate(fb_sim* s, double t, const double* y, double* ydot, fb_error* error) {
  double* unit = s->y_probe;
  memcpy(unit, y, (size_t)fb_sim_ny(s) * sizeof *unit);
  memset(fb_y_rest(s, unit), 0, (size_t)s->nrest * sizeof *unit);
  normalise(s, unit);
  fb_flow_place(s, t, unit);
  fb_status status = fb_flow(s, t, unit, ydot, error);
  if (status) return status;
  fb_sim_q_rate(s, y, unit + s->nq, ydot);
  return FB_OK;
}

void fb_sim_q_rate(const fb_sim* s, const double* q, const double* v, double* qdot) {
  const fb_chart* c = &s->chart;
  for (int i = 0; i < c->nrun; i++)
    memcpy(qdot + c->run_q[i], v + c->run_v[i], (size_t)c->run_count[i] * sizeof *qdot);
  for (int i = 0; i < c->nquat; i++) fb_quat_rate(q + c->quat_q[i], v + c->quat_v[i], qdot + c->quat_q[i]);
}

void fb_flow_move_bases(const fb_sim* s, const double* y0, const double* v, double h, double* y1) {
  const double* rest0 = y0 + s->ny - s->nrest;
  for (int j = 0; j < s->nrest; j++) {
    const fb_float_root* root = &s->tree.roots[j / 3];
    y1[root->q_at + j % 3] = y0[root->q_at + j % 3];
    fb_y_rest(s, y1)[j] = rest0[j];
    fb_y_move_base(s, y1, j, h * v[root->v_at + j % 3]);
  }
}

void fb_sim_project(fb_sim* s, double t, double* y) {
  normalise(s, y);
  fb_flow_close(s, t, y);
}
