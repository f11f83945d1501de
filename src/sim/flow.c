/* flow.c -- the right-hand side of the motion
 *
 *   q' = v,   v' = forward or mixed dynamics at (q, v, tau),   x' = rates of the blocks,   z' = powers
 *
 * z is the ledger: work of each actuator tau_k v_k, dissipation, work and impulse from outside in the world's frame;
 * and for each tree, in its own frame, net work and impulse (tree.c); of models with loops, their work. It is integrated
 * with the motion, by the same method, so that its residual shows how well the method did. */
#include <math.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "constraint/rows.h"
#include "dynamics/loads.h"
#include "kernel/instances.h"
#include "math/vector3.h"
#include "model/record.inl"
#include "sim/sim.h"

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
  if (!block->act || !fb_block_acts(s, i)) return FB_OK;
  int before = action->nwrench;
  action->room = before + block->nwrench;
  context->inputs = s->in + s->block_in[i];
  fb_status status = block->act(block->user, context, s->memory + s->block_memory[i], x + s->block_state[i],
                                action, xdot + s->block_state[i], error);
  if (!status && s->watching)
    status = fb_trouble_watch(s, block, context, action, before, xdot + s->block_state[i], error);
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
  s->nwrench = action.nwrench;
  if (s->head->nmoved > 0) prescribe(s);
  if (s->options.friction_law == FB_FRICTION_STICTION) fb_contact_friction(s, y + s->nq);
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
  int rubs = s->options.friction_law == FB_FRICTION_STICTION;
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

static void add_push(const double p[3], const double force[3], const double torque[3], double impulse[6]) {
  double moment[3];
  cross3(p, force, moment);
  for (int i = 0; i < 3; i++) {
    impulse[i] += force[i];
    impulse[3 + i] += torque[i] + moment[i];
  }
}

/* What the joints of floating bases exert: actuators that push against the world, dampers, locks. */
void fb_flow_base_push(const fb_sim* s, const double* q, const double* tau, double impulse[6]) {
  for (int i = 0; i < s->nfloat; i++) {
    const fb_float_root* root = &s->roots[i];
    const double* base = tau + root->v_at;
    if (is_zero3(base) && is_zero3(base + 3)) continue;
    double p[3], force[3], torque[3];
    fb_rot_apply(root->R_wj, q + root->q_at, p);
    for (int k = 0; k < 3; k++) p[k] += root->p_wj[k];
    fb_rot_apply(root->R_wj, base, force);
    fb_rot_apply(root->R_wj, base + 3, torque);
    add_push(p, force, torque, impulse);
  }
}

/* Weight, at the centres of mass; after fb_trees_locate. */
static void add_weight(const fb_sim* s, double impulse[6]) {
  static const double NONE[3] = {0, 0, 0};
  for (int i = 0; i < s->ntree; i++) {
    if (s->trees[i].root < 0) continue;
    double base[3], com[3], weight[3];
    fb_st3(base, 0, fb_get3(fb_link(s->d, s->roots[s->trees[i].root].link), FB_REC_P));
    for (int k = 0; k < 3; k++) {
      com[k] = base[k] + s->own[i].com[k];
      weight[k] = s->own[i].mass * s->loads.environment.gravity_w[k];
    }
    add_push(com, weight, NONE, impulse);
  }
}

int fb_sim_floats(const fb_sim* s, int body) {
  int tree = s->link_tree[s->m->top.body_link[body]];
  return tree >= 0 && s->trees[tree].root >= 0;
}

static int wrench_floats(const fb_sim* s, const fb_wrench* wrench) {
  return fb_sim_floats(s, fb_frame_body(s->m, wrench->frame));
}

/* What a wrench on a floating tree gives it. */
static void add_wrench(const fb_sim* s, const fb_wrench* wrench, double impulse[6]) {
  double p[3], force[3], torque[3];
  fb_frame_pose(s->m, s->d, wrench->frame, p, NULL);
  fb_wrench_in_world(s->m, s->d, wrench, force, torque);
  add_push(p, force, torque, impulse);
}

/* Wrenches from outside: their power, and their push on floating trees; s->push becomes their forces on the
 * coordinates. */
static double add_wrenches(fb_sim* s, const double* v, double impulse[6]) {
  double power = 0;
  fb_wrench_forces(s->m, s->d, s->wrenches, s->nexternal, s->push);
  for (int k = 0; k < s->nv; k++) power += s->push[k] * v[k];
  for (int i = 0; i < s->nexternal; i++)
    if (wrench_floats(s, &s->wrenches[i])) add_wrench(s, &s->wrenches[i], impulse);
  return power;
}

/* Gravity that is not uniform, body by body: its push on floating trees, and its forces on the coordinates. Added to
 * s->push are those whose work counts: all on floating trees, which are measured in their own frames, and on the others
 * what has no potential. Returns the power of the latter in the world. */
static double add_field(fb_sim* s, const double* v, double impulse[6]) {
  const fb_environment* whole = &s->loads.environment;
  fb_environment field = *whole;
  double power = 0;
  field.body_gravity_w = NULL;
  memset(s->field, 0, (size_t)s->nv * sizeof *s->field);
  for (int b = 1; b < s->m->top.nbody; b++) {
    int frame = fb_model_com_frame(s->m, b);
    double p[3], all[6], lost[6];
    fb_body_field(s->m, s->d, whole, s->loads.t, b, all);
    fb_body_field(s->m, s->d, &field, s->loads.t, b, lost);
    if (whole->potential) memset(lost, 0, 3 * sizeof *lost);
    int floats = fb_sim_floats(s, b);
    s->m->kernels->frame_push(&s->m->top, s->d->par, s->d, frame, floats ? all : lost, s->push);
    s->m->kernels->frame_push(&s->m->top, s->d->par, s->d, frame, lost, s->field);
    if (!floats) continue;
    fb_frame_pose(s->m, s->d, frame, p, NULL);
    add_push(p, all, all + 3, impulse);
  }
  for (int k = 0; k < s->nv; k++) power += s->field[k] * v[k];
  return power;
}

/* Pairs between frames: to the whole scene they are inner forces; a tree by itself is pushed by them. What floats takes an
 * impulse where the other end does not float. */
static void add_pairs(fb_sim* s, double impulse[6]) {
  for (const fb_wrench* w = s->wrenches + s->nexternal; w < s->wrenches + s->nwrench; w += 2)
    if (wrench_floats(s, &w[0]) != wrench_floats(s, &w[1]))
      add_wrench(s, &w[wrench_floats(s, &w[0]) ? 0 : 1], impulse);
  fb_wrench_forces(s->m, s->d, s->wrenches + s->nexternal, s->nwrench - s->nexternal, s->pair_force);
  for (int k = 0; k < s->nv; k++) s->push[k] += s->pair_force[k];
}

static int site_floats(const fb_sim* s, int site) {
  int tree = s->link_tree[s->m->top.site_link[site]];
  return tree >= 0 && s->trees[tree].root >= 0;
}

void fb_flow_loop_push(const fb_sim* s, double impulse[6]) {
  for (int loop = 0; loop < s->m->top.nloop; loop++) {
    const int* site = s->m->top.loop_site + 2 * loop;
    double p[3], force[3], torque[3];
    if (s->m->top.loop_type[loop] == FB_LOOP_GEAR || site_floats(s, site[0]) == site_floats(s, site[1]))
      continue;
    fb_rows_wrench(s->m, s->d, loop, s->d->row_force, force, torque);
    fb_frame_pose(s->m, s->d, site[1], p, NULL);
    for (int i = 0; i < 3 && site_floats(s, site[0]); i++) {
      force[i] = -force[i];
      torque[i] = -torque[i];
    }
    add_push(p, force, torque, impulse);
  }
}

/* Loops pass work on from one tree to another; that of all together, the power returned, is the error of the method. */
static double add_loops(fb_sim* s, const double* v, double impulse[6]) {
  double power = 0;
  fb_flow_loop_push(s, impulse);
  for (int k = 0; k < s->nv; k++) {
    s->push[k] += s->loop_force[k];
    power += s->loop_force[k] * v[k];
  }
  return power;
}

/* Whether s->push holds something. */
static int is_acted_on(const fb_sim* s) {
  return s->nwrench > 0 || s->has_field || s->m->top.nloop > 0;
}

/* Whether limits or stiction hold a coordinate by a force of their own. The momentum method has it in tau. */
static int is_held(const fb_sim* s) {
  return s->head->nheld > 0 && s->options.method != FB_METHOD_MOMENTUM;
}

static int has_losses(const fb_sim* s) {
  int kinds = s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION);
  int rubs = s->options.friction_law == FB_FRICTION_STICTION;
  return (s->d->par->has_passive[0] != 0 && (kinds != 0 || rubs)) || is_held(s) || fb_soft_stops_act(s);
}

/* Power taken out by dampers and friction; s->total_tau becomes their forces, and the reactions of what is held, which
 * does not move but may be the base of a tree that does. */
static double passive_loss(fb_sim* s, const double* q, const double* v) {
  int rubs = s->options.friction_law == FB_FRICTION_STICTION, held = is_held(s);
  double power = 0;
  if (s->loss)
    memcpy(s->total_tau, s->loss, (size_t)s->nv * sizeof *s->loss);
  else
    fb_passive_forces(s->m, s->d, q, v, s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION),
                      s->total_tau);
  for (int k = 0; rubs && k < s->nv; k++) s->total_tau[k] += s->friction[k];
  if (s->nsoft > 0) fb_soft_stops_add_losses(s, q, s->total_tau);
  for (int k = 0; k < s->nv; k++) power -= s->total_tau[k] * v[k];
  for (int k = 0; held && k < s->nv; k++) s->total_tau[k] += s->reaction[k];
  return power;
}

/* ---- trees in their own frames ---- */

/* Whether something pushes a floating base: the force and the moment on it are those on its whole tree. */
static int is_pushed(const fb_sim* s, int losses) {
  for (int i = 0; i < s->nfloat; i++)
    for (int k = s->roots[i].v_at; k < s->roots[i].v_at + 6; k++)
      if (s->tau[k] != 0) return 1;
  for (int i = 0; (is_acted_on(s) || losses) && i < s->nfloat; i++)
    for (int k = s->roots[i].v_at; k < s->roots[i].v_at + 6; k++)
      if ((is_acted_on(s) && s->push[k] != 0) || (losses && s->total_tau[k] != 0)) return 1;
  return 0;
}

/* Velocities as a tree's own centre of mass sees them. */
static void find_own_velocities(fb_sim* s, const double* v) {
  memcpy(s->own_v, v, (size_t)s->nv * sizeof *v);
  for (int i = 0; i < s->ntree; i++) {
    if (s->trees[i].root < 0) continue;
    const fb_float_root* root = &s->roots[s->trees[i].root];
    double back[3];
    fb_rot_apply_transpose(root->R_wj, s->own[i].com_v, back);
    for (int k = 0; k < 3; k++) s->own_v[root->v_at + k] = -back[k];
  }
}

/* Forces from outside on floating trees, and their moments about the centres of mass. */
static void push_trees(const fb_sim* s, int losses, double* zdot) {
  for (int i = 0; i < s->ntree; i++) {
    if (s->trees[i].root < 0) continue;
    const fb_float_root* root = &s->roots[s->trees[i].root];
    double base[6];
    for (int k = 0; k < 6; k++) {
      int at = root->v_at + k;
      base[k] = s->tau[at] + (is_acted_on(s) ? s->push[at] : 0) + (losses ? s->total_tau[at] : 0);
    }
    fb_tree_push(s, i, base, zdot);
  }
}

/* Adds the powers of one kind of force, a tree's taken together. */
static void add_powers(const fb_sim* s, const double* force, const double* v, double* zdot) {
  memset(s->power, 0, (size_t)s->ntree * sizeof *s->power);
  for (int k = 0; k < s->nv; k++) s->power[s->v_tree[k]] += force[k] * v[k];
  for (int i = 0; i < s->ntree; i++) {
    zdot[s->trees[i].z_at + FB_T_WORK] += s->power[i];
    zdot[s->trees[i].z_at + FB_T_GROSS] += fabs(s->power[i]);
  }
}

/* The energy about the centre of mass changes by the power of all forces at velocities relative to it; uniform gravity
 * has none. */
static void add_tree_rates(fb_sim* s, const double* y, int worked, int losses, double* zdot) {
  int weighs = s->nfloat > 0 && !is_zero3(s->loads.environment.gravity_w), pushed = is_pushed(s, losses);
  const double* v = pushed ? s->own_v : y + s->nq; /* what does not push is not asked how fast */
  if (pushed || weighs) fb_trees_locate(s, s->d, y);
  if (pushed) {
    push_trees(s, losses, zdot);
    find_own_velocities(s, y + s->nq);
  }
  for (int k = 0; k < s->nv && (worked || pushed); k++) {
    double power = s->tau[k] * v[k], *z = zdot + s->trees[s->v_tree[k]].z_at;
    z[FB_T_WORK] += power;
    z[FB_T_GROSS] += fabs(power);
  }
  if (is_acted_on(s)) add_powers(s, s->push, v, zdot);
  if (losses) add_powers(s, s->total_tau, v, zdot);
  if (!weighs) return;
  add_weight(s, zdot + s->nv + FB_Z_IMPULSE);
  for (int i = 0; i < s->ntree; i++)
    for (int k = 0; s->trees[i].root >= 0 && k < 3; k++)
      zdot[s->trees[i].z_at + FB_T_IMPULSE + k] += s->own[i].mass * s->loads.environment.gravity_w[k];
}

void fb_flow_ledger(fb_sim* s, const double* y, double* zdot) {
  const double *q = y, *v = y + s->nq;
  double *sums = zdot + s->nv, magnitude = 0, forces = 0;
  int losses = has_losses(s);
  memset(sums, 0, (size_t)(s->nz - s->nv) * sizeof *sums);
  for (int k = 0; k < s->nv; k++) {
    zdot[k] = s->tau[k] * v[k];
    magnitude += fabs(zdot[k]);
    forces += fabs(s->tau[k]);
  }
  if (forces == 0 && !is_acted_on(s) && !losses && is_zero3(s->loads.environment.gravity_w))
    return; /* nothing acts */
  if (is_acted_on(s)) sums[FB_Z_EXTERNAL] = add_wrenches(s, v, sums + FB_Z_IMPULSE);
  if (s->has_field) sums[FB_Z_EXTERNAL] += add_field(s, v, sums + FB_Z_IMPULSE);
  fb_flow_base_push(s, q, s->tau, sums + FB_Z_IMPULSE);
  if (losses) sums[FB_Z_DISSIPATED] = passive_loss(s, q, v);
  if (losses) fb_flow_base_push(s, q, s->total_tau, sums + FB_Z_IMPULSE);
  if (s->nwrench > s->nexternal) {
    sums[FB_Z_DISSIPATED] += s->pair_loss;
    add_pairs(s, sums + FB_Z_IMPULSE);
  }
  if (s->m->top.nloop > 0) *fb_z_loops(s, zdot) = add_loops(s, v, sums + FB_Z_IMPULSE);
  sums[FB_Z_GROSS] = magnitude + fabs(sums[FB_Z_EXTERNAL]) + sums[FB_Z_DISSIPATED];
  add_tree_rates(s, y, magnitude > 0, losses, zdot);
}

fb_status fb_flow(fb_sim* s, double t, const double* y, double* ydot, fb_error* error) {
  fb_status status = fb_flow_drive(s, t, y, fb_y_x(s, ydot), error);
  if (status) return status;
  fb_flow_accelerate(s, y, NULL);
  memcpy(fb_y_v(s, ydot), s->vdot, (size_t)s->nv * sizeof *ydot);
  fb_flow_ledger(s, y, fb_y_z(s, ydot));
  return FB_OK;
}

static void normalise(const fb_sim* s, double* y) {
  for (int i = 0; i < s->chart.nquat; i++) fb_quat_normalise(y + s->chart.quat_q[i]);
}

fb_status fb_sim_rate(fb_sim* s, double t, const double* y, double* ydot, fb_error* error) {
  double* unit = s->y_probe;
  memcpy(unit, y, (size_t)s->ny * sizeof *unit);
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
