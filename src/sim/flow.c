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
#include "sim/diagnosis.h"
#include "sim/sim.h"
#include "loop/loops.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "sim/flow.h"
#include "sim/event.h"

void fb_flow_place(const fb_sim* s, double t, double* y) {
  if (s->head->nmoved == 0) return;
  for (int k = 0; k < s->nv; k++) {
    if (s->motion[k] == FB_MOVE_BY_FORCE) continue;
    int at = s->m->top.coordinate_q[k];
    fb_motion_at(s, k, t, at >= 0 ? &y[at] : NULL, &y[s->nq + k], NULL);
  }
}

fb_context fb_flow_context(fb_sim* s, double t, const double* y) {
  s->d->moved = s->head->nmoved > 0 ? s->moved : NULL;
  s->d->moved_vdot = s->moved_vdot;
  if (s->cache.local) fb_local_frame_at(s->cache.local, y, y + s->ny - s->nrest);
  for (int k = 0; s->d->moved && k < s->nv; k++) {
    s->moved[k] = s->motion[k] != FB_MOVE_BY_FORCE && !fb_is_held(s->motion[k]);
    if (s->moved[k]) fb_motion_at(s, k, t, NULL, NULL, &s->moved_vdot[k]);
  }
  return (fb_context){.model = s->m,
                      .data = s->d,
                      .t = t,
                      .q = y,
                      .v = y + s->nq,
                      .environment = &s->loads.environment,
                      .cache_ = &s->cache};
}

/* Moved coordinates: their accelerations are given, as the context has them. Held ones have none; blocks are not told, since
 * what they do may pull them off. */
static void prescribe(fb_sim* s) {
  for (int k = 0; k < s->nv; k++) {
    if (s->motion[k] == FB_MOVE_BY_FORCE) continue; /* a block may move it */
    s->prescribed[k] = 1;
    s->vdot[k] = s->moved[k] ? s->moved_vdot[k] : 0;
  }
}

/* Adds where the block is to an error of its own. */
fb_status fb_block_failed(const fb_block* block, double t, fb_status status, fb_error* error) {
  if (!error) return status;
  fb_error own = *error;
  fb_fail(error, status, "at t = %.9g s, block \"%s\": %s", t, block->name, own.text);
  fb_error_set_place(error, own.file, own.path, own.place);
  return status;
}

/* Asks block i what it does at a moment, if it acts in the present mode. */
static fb_status ask_block(fb_sim* s, int i, fb_context* context, const double* x, fb_action* action,
                           double* xdot, fb_error* error) {
  const fb_block* block = &s->blocks[i];
  int before = action->nwrench, *wrenches = s->block_wrenches + 2 * i;
  wrenches[0] = before;
  wrenches[1] = 0;
  if (!block->act || !fb_block_acts(s, i)) return FB_OK;
  action->room = before + block->nwrench;
  context->inputs = s->in + s->block_in[i];
  fb_status status = block->act(block->user, context, s->memory + s->block_memory[i], x + s->block_state[i],
                                action, xdot + s->block_state[i], error);
  if (!status && s->watching)
    status = fb_trouble_watch(s, block, context, action, before, xdot + s->block_state[i], error);
  wrenches[1] = action->nwrench - before;
  for (int w = before; !status && w < action->nwrench; w++)
    if (!fb_frame_exists(s->m, s->wrenches[w].frame))
      status = fb_fail(error, FB_ERR_NAME,
                       "a wrench acts on frame %d, which does not exist; the model has 0 to %d",
                       s->wrenches[w].frame, s->m->top.nsite - 1);
  return status ? fb_block_failed(block, context->t, status, error) : FB_OK;
}

fb_status fb_flow_drive(fb_sim* s, double t, const double* y, double* xdot, fb_error* error) {
  s->loads.t = t;
  memset(s->tau, 0, (size_t)s->nv * sizeof *s->tau);
  if (s->nx > 0) memset(xdot, 0, (size_t)s->nx * sizeof *xdot);
  double t_asked = t < s->t_left ? t : s->t_left; /* accelerations bend at knots */
  fb_status filled = fb_ports_fill(s, t_asked, y, error);
  if (filled) return filled;
  fb_context context = fb_flow_context(s, t_asked, y);
  fb_action action = {s->tau, s->vdot, s->prescribed, s->wrenches, 0, 0};
  if (s->head->nmoved + s->nmoving > 0) memset(s->prescribed, 0, (size_t)s->nv);
  for (int i = 0; i < s->nblock; i++) {
    fb_status status = ask_block(s, i, &context, y + s->nq + s->nv, &action, xdot, error);
    if (status) return status;
  }
  s->nexternal = action.nwrench;
  fb_status pushed = s->npair > 0 ? fb_pairs_push(s, &context, y, &action, error) : FB_OK;
  if (pushed) return pushed;
  s->nwrench = s->first_hard = action.nwrench;
  if (s->head->nmoved > 0) prescribe(s);
  if (s->options.friction_law == FB_FRICTION_STICTION && !fb_touch_by_steps(s))
    fb_stops_friction(s, y + s->nq);
  if (s->nsoft > 0) fb_soft_stops_push(s, y);
  return FB_OK;
}

fb_status fb_flow_find_moved(fb_sim* s, fb_error* error) {
  if (s->nmoving == 0) return FB_OK;
  fb_status filled = fb_ports_fill(s, s->head->t, s->y, error);
  if (filled) return filled;
  fb_context context = fb_flow_context(s, s->head->t, s->y);
  fb_action action = {s->tau, s->vdot, s->by_block, s->wrenches, 0, 0};
  memset(s->by_block, 0, (size_t)s->nv);
  memset(s->tau, 0, (size_t)s->nv * sizeof *s->tau);
  if (s->nx > 0) memset(fb_y_x(s, s->y_probe), 0, (size_t)s->nx * sizeof *s->y_probe);
  for (int i = 0; i < s->nblock; i++) {
    if (!s->blocks[i].moves) continue;
    fb_status status = ask_block(s, i, &context, s->y + s->nq + s->nv, &action, fb_y_x(s, s->y_probe), error);
    if (status) return status;
  }
  return FB_OK;
}

/* tau is the actuators' again. Of coordinates that limits and friction hold, what it lacked is their reaction; of those
 * that are moved, friction and soft stops are not the actuator's. */
static void find_reactions(fb_sim* s, int moved) {
  for (int k = 0; k < s->nv; k++) {
    int held = fb_is_held(s->motion[k]);
    s->reaction[k] = held ? s->tau[k] - s->actuator[k] - s->stop_force[k] : 0;
    s->tau[k] =
        moved && s->prescribed[k] && !held ? s->tau[k] - s->friction[k] - s->stop_force[k] : s->actuator[k];
  }
}

void fb_flow_accelerate(fb_sim* s, const double* y, const double* more) {
  int moved = s->head->nmoved + s->nmoving > 0;
  int rubs = fb_sim_rubs(s);
  int apart = rubs || more || s->head->nheld > 0 || s->nsoft > 0;
  s->loads.nwrench = s->nwrench;
  s->head->evaluations++;
  if (apart) memcpy(s->actuator, s->tau, (size_t)s->nv * sizeof *s->tau);
  for (int k = 0; rubs && k < s->nv; k++) s->tau[k] += s->friction[k];
  for (int k = 0; more && k < s->nv; k++) s->tau[k] += more[k];
  for (int k = 0; s->nsoft > 0 && k < s->nv; k++) s->tau[k] += s->stop_force[k];
  fb_constrained_dynamics(s->m, s->d, y, y + s->nq, moved ? s->prescribed : NULL, &s->loads, s->vdot, s->tau);
  if (s->m->top.nloop > 0) {
    fb_loop_forces(s->m, s->d, s->loop_force);
    fb_sim_count_rows(s);
  }
  if (apart) find_reactions(s, moved);
}

fb_status fb_flow(fb_sim* s, double t, const double* y, double* ydot, fb_error* error) {
  fb_status status = fb_flow_drive(s, t, y, fb_y_x(s, ydot), error);
  if (status) return status;
  fb_flow_accelerate(s, y, NULL);
  if (s->head->nclosed > 0) fb_touch_flow(s, y, fb_y_x(s, ydot));
  memcpy(fb_y_v(s, ydot), s->vdot, (size_t)s->nv * sizeof *ydot);
  if (!s->aside) fb_flow_ledger(s, y, fb_y_z(s, ydot));
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

void fb_sim_project(fb_sim* s, double t, double* y) {
  normalise(s, y);
  fb_flow_close(s, t, y);
}
