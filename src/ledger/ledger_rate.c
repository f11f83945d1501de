/* ledger_rate.c -- the rates of the ledger: powers and forces of actuators, dampers, wrenches, fields, elements and
 * loops
 *
 *   z' = powers and pushes
 *
 * Of the whole scene in the world's frame: work of each actuator tau_k v_k, dissipation, external work and impulse.
 * Of each tree in its own frame: net work and impulse (tree.c). Forces of elements and loops are internal to the
 * scene, and external to each tree. They are integrated with the motion, by the same method, so that the residual
 * shows its error. */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "constraint/rows.h"
#include "dynamics/loads.h"
#include "kernel/instances.h"
#include "ledger/conserve.h"
#include "math/vector3.h"
#include "model/record.inl"
#include "sim/sim.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"
#include "sim/flow.h"

static void add_push(const double p[3], const double force[3], const double torque[3], double impulse[6]) {
  double moment[3];
  cross3(p, force, moment);
  for (int i = 0; i < 3; i++) {
    impulse[i] += force[i];
    impulse[3 + i] += torque[i] + moment[i];
  }
}

/* Forces of the joints of floating bases: actuators that act against the world, dampers, locks. */
void fb_flow_base_push(const fb_sim* s, const double* q, const double* tau, double impulse[6]) {
  for (int i = 0; i < s->tree.nfloat; i++) {
    const fb_float_root* root = &s->tree.roots[i];
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
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.list[i].root < 0) continue;
    double base[3], com[3], weight[3];
    fb_st3(base, 0, fb_get3(fb_link(s->d, s->tree.roots[s->tree.list[i].root].link), FB_REC_P));
    for (int k = 0; k < 3; k++) {
      com[k] = base[k] + s->ledger.local[i].com[k];
      weight[k] = s->ledger.local[i].mass * s->loads.environment.gravity_w[k];
    }
    add_push(com, weight, NONE, impulse);
  }
}

int fb_sim_floats(const fb_sim* s, int body) {
  int tree = fb_tree_of(s, body);
  return tree >= 0 && s->tree.list[tree].root >= 0;
}

static int frame_floats(const fb_sim* s, int frame) {
  return fb_sim_floats(s, fb_frame_body(s->m, frame));
}

/* Force and moment of a wrench on a floating tree. */
static void add_wrench(const fb_sim* s, const fb_wrench* wrench, double impulse[6]) {
  double p[3], force[3], torque[3];
  fb_frame_pose(s->m, s->d, wrench->frame, p, NULL);
  fb_wrench_in_world(s->m, s->d, wrench, force, torque);
  add_push(p, force, torque, impulse);
}

/* External wrenches: their power, and their force and moment on floating trees; s->ledger.push becomes their forces
 * on the coordinates. */
static double add_wrenches(fb_sim* s, const double* v, double impulse[6]) {
  double power = 0;
  fb_wrench_forces(s->m, s->d, s->wrench.list, s->wrench.nexternal, s->ledger.push);
  for (int k = 0; k < s->nv; k++) power += s->ledger.push[k] * v[k];
  for (int i = 0; i < s->wrench.nexternal; i++)
    if (frame_floats(s, s->wrench.list[i].frame)) add_wrench(s, &s->wrench.list[i], impulse);
  return power;
}

/* Gravity that is not uniform, body by body: its force and moment on floating trees, and its forces on the
 * coordinates. Those whose work counts are added to s->ledger.push: all on floating trees, which are measured in
 * their own frames, and on the others those without a potential. Returns the power of the latter in the world. */
static double add_field(fb_sim* s, const double* v, double impulse[6]) {
  const fb_environment* whole = &s->loads.environment;
  fb_environment field = *whole;
  double power = 0;
  field.body_gravity_w = NULL;
  memset(s->ledger.field, 0, (size_t)s->nv * sizeof *s->ledger.field);
  for (int b = 1; b < s->m->top.nbody; b++) {
    int frame = fb_model_com_frame(s->m, b);
    double p[3], all[6], lost[6];
    fb_body_field(s->m, s->d, whole, s->loads.t, b, all);
    fb_body_field(s->m, s->d, &field, s->loads.t, b, lost);
    if (whole->potential) memset(lost, 0, 3 * sizeof *lost);
    int floats = fb_sim_floats(s, b);
    s->m->kernels->frame_push(&s->m->top, s->d->par, s->d, frame, floats ? all : lost, s->ledger.push);
    s->m->kernels->frame_push(&s->m->top, s->d->par, s->d, frame, lost, s->ledger.field);
    if (!floats) continue;
    fb_frame_pose(s->m, s->d, frame, p, NULL);
    add_push(p, all, all + 3, impulse);
  }
  for (int k = 0; k < s->nv; k++) power += s->ledger.field[k] * v[k];
  return power;
}

/* Pairs between frames: internal forces of the scene, external forces of a single tree. A floating tree receives an
 * external impulse where the other end does not float. */
static void add_pairs(fb_sim* s, double impulse[6]) {
  for (const fb_wrench* w = s->wrench.list + s->wrench.nexternal; w < s->wrench.list + s->wrench.count;
       w += 2)
    if (frame_floats(s, w[0].frame) != frame_floats(s, w[1].frame))
      add_wrench(s, &w[frame_floats(s, w[0].frame) ? 0 : 1], impulse);
  fb_wrench_forces(s->m, s->d, s->wrench.list + s->wrench.nexternal, s->wrench.count - s->wrench.nexternal,
                   s->element.force);
  for (int k = 0; k < s->nv; k++) s->ledger.push[k] += s->element.force[k];
}

void fb_flow_loop_push(const fb_sim* s, double impulse[6]) {
  for (int loop = 0; loop < s->m->top.nloop; loop++) {
    const int* site = s->m->top.loop_site + 2 * loop;
    double p[3], force[3], torque[3];
    if (s->m->top.loop_type[loop] == FB_LOOP_GEAR || frame_floats(s, site[0]) == frame_floats(s, site[1]))
      continue;
    fb_rows_wrench(s->m, s->d, loop, s->d->row_force, force, torque);
    fb_frame_pose(s->m, s->d, site[1], p, NULL);
    for (int i = 0; i < 3 && frame_floats(s, site[0]); i++) {
      force[i] = -force[i];
      torque[i] = -torque[i];
    }
    add_push(p, force, torque, impulse);
  }
}

/* Loops transmit work from one tree to another; the sum of all, the power returned, is the error of the method. */
static double add_loops(fb_sim* s, const double* v, double impulse[6]) {
  double power = 0;
  fb_flow_loop_push(s, impulse);
  for (int k = 0; k < s->nv; k++) {
    s->ledger.push[k] += s->loop.force[k];
    power += s->loop.force[k] * v[k];
  }
  return power;
}

/* Whether s->ledger.push is not empty. */
static int is_acted_on(const fb_sim* s) {
  return s->wrench.count > 0 || s->has_field || s->m->top.nloop > 0;
}

/* Whether limits or stiction hold a coordinate by a force of their own. With methods that step momenta it is in tau. */
static int is_held(const fb_sim* s) {
  return s->motion.head->nheld > 0 && !s->stepper.traits.steps_momenta;
}

static int has_losses(const fb_sim* s) {
  int kinds = s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION);
  int rubs = fb_sim_rubs(s);
  return (s->d->par->has_passive[0] != 0 && kinds != 0) || rubs || is_held(s) || fb_soft_stops_act(s);
}

/* Power dissipated by dampers and friction; s->total_tau becomes their forces and the reactions of held coordinates,
 * which do not move but may be the base of a tree that does. */
static double passive_loss(fb_sim* s, const double* q, const double* v) {
  int rubs = fb_sim_rubs(s), held = is_held(s);
  double power = 0;
  if (s->ledger.loss)
    memcpy(s->total_tau, s->ledger.loss, (size_t)s->nv * sizeof *s->ledger.loss);
  else
    fb_passive_forces(s->m, s->d, q, v, s->loads.passive & (FB_PASSIVE_DAMPERS | FB_PASSIVE_FRICTION),
                      s->total_tau);
  for (int k = 0; rubs && k < s->nv; k++) s->total_tau[k] += s->limit.friction[k];
  if (s->limit.nsoft > 0) fb_soft_stops_add_losses(s, q, s->total_tau);
  for (int k = 0; k < s->nv; k++) power -= s->total_tau[k] * v[k];
  for (int k = 0; held && k < s->nv; k++) s->total_tau[k] += s->limit.reaction[k];
  return power;
}

/* ---- trees in their own frames ---- */

/* Whether a force acts on a floating base: it is then an external force on its whole tree. */
static int is_pushed(const fb_sim* s, int losses) {
  for (int i = 0; i < s->tree.nfloat; i++)
    for (int k = s->tree.roots[i].v_at; k < s->tree.roots[i].v_at + 6; k++)
      if (s->tau[k] != 0) return 1;
  for (int i = 0; (is_acted_on(s) || losses) && i < s->tree.nfloat; i++)
    for (int k = s->tree.roots[i].v_at; k < s->tree.roots[i].v_at + 6; k++)
      if ((is_acted_on(s) && s->ledger.push[k] != 0) || (losses && s->total_tau[k] != 0)) return 1;
  return 0;
}

/* Velocities relative to a tree's own centre of mass. */
static void find_own_velocities(fb_sim* s, const double* v) {
  memcpy(s->ledger.local_v, v, (size_t)s->nv * sizeof *v);
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.list[i].root < 0) continue;
    const fb_float_root* root = &s->tree.roots[s->tree.list[i].root];
    double back[3];
    fb_rot_apply_transpose(root->R_wj, s->ledger.local[i].com_v, back);
    for (int k = 0; k < 3; k++) s->ledger.local_v[root->v_at + k] = -back[k];
  }
}

/* External forces on floating trees, and their moments about the centres of mass. */
static void push_trees(const fb_sim* s, int losses, double* zdot) {
  for (int i = 0; i < s->tree.count; i++) {
    if (s->tree.list[i].root < 0) continue;
    const fb_float_root* root = &s->tree.roots[s->tree.list[i].root];
    double base[6];
    for (int k = 0; k < 6; k++) {
      int at = root->v_at + k;
      base[k] = s->tau[at] + (is_acted_on(s) ? s->ledger.push[at] : 0) + (losses ? s->total_tau[at] : 0);
    }
    fb_tree_push(s, i, base, zdot);
  }
}

/* Adds the powers of one kind of force, summed for each tree. */
static void add_powers(const fb_sim* s, const double* force, const double* v, double* zdot) {
  memset(s->ledger.power, 0, (size_t)s->tree.count * sizeof *s->ledger.power);
  for (int k = 0; k < s->nv; k++) s->ledger.power[s->m->top.coordinate_tree[k]] += force[k] * v[k];
  for (int i = 0; i < s->tree.count; i++) {
    zdot[s->tree.list[i].z_at + FB_T_WORK] += s->ledger.power[i];
    zdot[s->tree.list[i].z_at + FB_T_GROSS] += fabs(s->ledger.power[i]);
  }
}

/* The energy about the centre of mass changes by the power of all forces at velocities relative to it; uniform gravity
 * has none. */
static void add_tree_rates(fb_sim* s, const double* y, int worked, int losses, double* zdot) {
  int weighs = s->tree.nfloat > 0 && !is_zero3(s->loads.environment.gravity_w), pushed = is_pushed(s, losses);
  const double* v =
      pushed ? s->ledger.local_v : y + s->nq; /* its rate is not needed where there is no force */
  if (pushed || weighs) fb_trees_locate(s, s->d, y);
  if (pushed) {
    push_trees(s, losses, zdot);
    find_own_velocities(s, y + s->nq);
  }
  for (int k = 0; k < s->nv && (worked || pushed); k++) {
    double power = s->tau[k] * v[k], *z = zdot + s->tree.list[s->m->top.coordinate_tree[k]].z_at;
    z[FB_T_WORK] += power;
    z[FB_T_GROSS] += fabs(power);
  }
  if (is_acted_on(s)) add_powers(s, s->ledger.push, v, zdot);
  if (losses) add_powers(s, s->total_tau, v, zdot);
  fb_ledger_scale_contacts(s, y + s->nq, zdot);
  if (!weighs) return;
  add_weight(s, zdot + s->nv + FB_Z_IMPULSE);
  for (int i = 0; i < s->tree.count; i++)
    for (int k = 0; s->tree.list[i].root >= 0 && k < 3; k++)
      zdot[s->tree.list[i].z_at + FB_T_IMPULSE + k] +=
          s->ledger.local[i].mass * s->loads.environment.gravity_w[k];
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
  if (s->wrench.count > s->wrench.nexternal) {
    sums[FB_Z_DISSIPATED] += s->element.loss;
    add_pairs(s, sums + FB_Z_IMPULSE);
  }
  if (s->m->top.nloop > 0) *fb_z_loops(s, zdot) = add_loops(s, v, sums + FB_Z_IMPULSE);
  sums[FB_Z_GROSS] = magnitude + fabs(sums[FB_Z_EXTERNAL]) + sums[FB_Z_DISSIPATED];
  add_tree_rates(s, y, magnitude > 0, losses, zdot);
}

double fb_flow_ledger_forces(fb_sim* s, const double* forces, const double* y, double* zdot) {
  double power = 0;
  for (int k = 0; k < s->nv; k++) power += forces[k] * y[s->nq + k];
  fb_trees_locate(s, s->d, y);
  find_own_velocities(s, y + s->nq);
  add_powers(s, forces, s->ledger.local_v, zdot);
  return power;
}
