/* signal_value.c -- values of signals
 *
 * Quantities that several signals of a call need are computed once: forces and accelerations, the ledger, the
 * kinematics. Signals that need none of it (t, q, v, work) cost a look-up. */
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/momentum.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/fill_nan.h"
#include "constraint/rows.h"
#include "dynamics/loads.h"
#include "signal/signal_kind.h"
#include "regroup/change.h"
#include "contact/dynamics/step_contact.h"
#include "signal/signal_value.h"
#include "ledger/ledger.h"
#include "sim/flow.h"
#include "sim/event/event.h"
#include "sim/part.h"
#include "sim/access.h"

/* An instant, and what has been computed for it. */
typedef struct moment {
  fb_sim* s;
  const fb_data* d; /* its kinematics, where signals need them */
  double t;
  const double *q, *v, *work;
  fb_ledger ledger;
  double vector[7]; /* all components of the signal last read */
} moment;

/* Whether a signal is of a joint whose coordinates no longer exist. */
static int is_removed(const fb_sim* s, const fb_signal* signal) {
  return s->regroup.joints.v && signal->kind >= FB_SIGNAL_Q && signal->kind <= FB_SIGNAL_WORK &&
         !fb_original_continues(s, signal->index);
}

static int needs_of(const fb_sim* s, const fb_signal* signals, int count) {
  int needs = FB_NEEDS_NOTHING;
  for (int i = 0; i < count; i++) {
    if (signals[i].kind == FB_SIGNAL_OUTPUT) continue;
    needs |= fb_signal_kinds[signals[i].kind].needs;
    if (is_removed(s, &signals[i])) needs |= FB_NEEDS_RATES;
    if (is_removed(s, &signals[i]) && signals[i].kind == FB_SIGNAL_A) needs |= FB_NEEDS_ACCELERATIONS;
  }
  if (needs & FB_NEEDS_ACCELERATIONS) needs |= FB_NEEDS_VDOT;
  return needs;
}

/* Forces, and accelerations where they are needed. The count of evaluations is not changed, since this is not a step. */
static fb_status find_forces(moment* now, const double* y, int needs, fb_error* error) {
  fb_sim* s = now->s;
  long long evaluations = s->head->evaluations;
  fb_status status = fb_flow_drive(s, now->t, y, s->y_stage, error);
  /* The force on a coordinate that is not driven by force is known only with its acceleration. */
  if (!status && (needs & FB_NEEDS_VDOT || fb_sim_moves_any(s))) fb_flow_accelerate(s, y, NULL);
  if (!status && s->contact.head->nremembered > 0) fb_hard_flow(s, y, s->y_stage);
  s->head->evaluations = evaluations;
  return status;
}

/* Poses, velocities and centres of mass; with accelerations they are computed again. */
static const fb_data* find_motion(moment* now, const double* y, int needs) {
  fb_sim* s = now->s;
  int accelerates = needs & FB_NEEDS_ACCELERATIONS;
  fb_data* d = accelerates ? s->d : fb_sim_kinematics_at(s, y);
  if (accelerates) fb_kinematics(s->m, d, now->q, now->v, s->vdot);
  if (needs & FB_NEEDS_COM) fb_centre_of_mass(s->m, d);
  if (needs & FB_NEEDS_ERRORS) fb_rows_place(s->m, d, now->q);
  return d;
}

static fb_status prepare(moment* now, const double* y, int needs, fb_error* error) {
  if (needs & (FB_NEEDS_TAU | FB_NEEDS_VDOT | FB_NEEDS_WRENCHES)) {
    fb_status status = find_forces(now, y, needs, error);
    if (status) return status;
  }
  if (needs & FB_NEEDS_LEDGER) fb_ledger_at(now->s, y, &now->ledger);
  if (needs & (FB_NEEDS_POSES | FB_NEEDS_RATES | FB_NEEDS_ACCELERATIONS)) now->d = find_motion(now, y, needs);
  if (needs & FB_NEEDS_REACTIONS) fb_sim_reactions(now->s);
  return FB_OK;
}

/* The wrenches at a frame, and, at the frame of a floating base, the force of its joint: thrusters act against the
 * world. */
static void read_push(moment* now, const fb_signal* signal) {
  const fb_sim* s = now->s;
  int is_torque = signal->kind == FB_SIGNAL_TORQUE;
  double push[2][3];
  memset(now->vector, 0, sizeof now->vector);
  for (int i = 0; i < s->wrench.count; i++) {
    if (s->wrench.list[i].frame != signal->index) continue;
    fb_wrench_in_world(s->m, now->d, &s->wrench.list[i], push[0], push[1]);
    for (int k = 0; k < 3; k++) now->vector[k] += push[is_torque][k];
  }
  for (int i = 0; i < s->tree.nroot; i++) {
    if (s->tree.roots[i].body != signal->index) continue;
    fb_rot_apply(s->tree.roots[i].R_wj, s->tau + s->tree.roots[i].v_at + 3 * is_torque, push[0]);
    for (int k = 0; k < 3; k++) now->vector[k] += push[0][k];
  }
}

/* What a joint transmits, from fb_sim_reactions. */
static void read_reaction(moment* now, const fb_signal* signal) {
  int is_torque = signal->kind == FB_SIGNAL_REACTION_TORQUE;
  const fb_sim* s = now->s;
  double turned[6];
  const double* wrench = s->wrench.carried + 6 * (size_t)signal->index;
  if (s->regroup.joints.body) {
    fb_original_wrench(s, now->d, signal->index, s->wrench.carried, turned);
    wrench = turned;
  }
  memcpy(now->vector, wrench + 3 * is_torque, 3 * sizeof *now->vector);
}

static double energy(const moment* now, int kind) {
  const fb_sim* s = now->s;
  double sum = 0;
  if (kind != FB_SIGNAL_POTENTIAL) sum += fb_kinetic_energy(s->m, now->d, now->v);
  if (kind == FB_SIGNAL_KINETIC) return sum;
  double potential = fb_potential_energy(s->m, now->d, now->q, &s->loads);
  fb_parts_add_energy(s, now->d, now->q, &potential);
  return sum + potential;
}

/* Fills the vector with a signal of a joint that no longer has coordinates. No force drives such a joint. */
static void read_removed(moment* now, const fb_signal* signal) {
  const fb_sim* s = now->s;
  int body = signal->index, nv = fb_joint_nv(s->regroup.original, body),
      first = fb_joint_v_index(s->regroup.original, body);
  switch (signal->kind) {
    case FB_SIGNAL_Q:
      fb_original_q(s, now->d, body, now->vector);
      break;
    case FB_SIGNAL_V:
      fb_original_v(s, now->d, body, now->vector);
      break;
    case FB_SIGNAL_A:
      fb_original_a(s, now->d, body, now->vector);
      break;
    case FB_SIGNAL_TAU:
      fb_original_v(s, now->d, body, now->vector);
      for (int k = 0; k < nv; k++) now->vector[k] *= 0; /* NaN where it has no rates */
      break;
    default:
      memcpy(now->vector, s->regroup.kept_work + first, (size_t)nv * sizeof *now->vector);
  }
}

/* Fills the vector with all components of a signal that is not a joint's. */
static void read_vector(moment* now, const fb_signal* signal) {
  const fb_model* m = now->s->m;
  const fb_data* d = now->d;
  double R[9], *x = now->vector;
  switch (signal->kind) {
    case FB_SIGNAL_T:
      x[0] = now->t;
      break;
    case FB_SIGNAL_EPOCH:
      x[0] = now->s->regroup.nchange;
      break;
    case FB_SIGNAL_P:
      fb_frame_pose(m, d, signal->index, x, NULL);
      break;
    case FB_SIGNAL_QUAT:
    case FB_SIGNAL_RPY:
      fb_frame_pose(m, d, signal->index, NULL, R);
      (signal->kind == FB_SIGNAL_QUAT ? fb_rot_to_quat : fb_rot_to_rpy)(R, x);
      break;
    case FB_SIGNAL_VEL:
      fb_frame_velocity(m, d, signal->index, x, NULL);
      break;
    case FB_SIGNAL_OMEGA:
      fb_frame_velocity(m, d, signal->index, NULL, x);
      break;
    case FB_SIGNAL_ACC:
      fb_frame_acceleration(m, d, signal->index, x, NULL);
      break;
    case FB_SIGNAL_ALPHA:
      fb_frame_acceleration(m, d, signal->index, NULL, x);
      break;
    case FB_SIGNAL_FORCE:
    case FB_SIGNAL_TORQUE:
      read_push(now, signal);
      break;
    case FB_SIGNAL_COM_P:
      fb_subtree_com(m, d, FB_WORLD, x, NULL, NULL);
      break;
    case FB_SIGNAL_COM_V:
      fb_subtree_com(m, d, FB_WORLD, NULL, x, NULL);
      break;
    case FB_SIGNAL_COM_BODY:
      fb_frame_pose(m, d, fb_model_com_frame(m, signal->index), x, NULL);
      break;
    case FB_SIGNAL_JOINT:
      if (now->s->regroup.joints.body)
        fb_original_origin(now->s, d, signal->index, x);
      else
        fb_frame_pose(m, d, fb_model_joint_frame(m, signal->index), x, NULL);
      break;
    case FB_SIGNAL_REACTION_FORCE:
    case FB_SIGNAL_REACTION_TORQUE:
      read_reaction(now, signal);
      break;
    case FB_SIGNAL_LOOP_FORCE: /* forces of loops are in s->d, as the flow left them */
      fb_loop_force(m, now->s->d, signal->index, x, NULL);
      break;
    case FB_SIGNAL_LOOP_TORQUE:
      fb_loop_force(m, now->s->d, signal->index, NULL, x);
      break;
    case FB_SIGNAL_LOOP_ERROR:
      x[0] = fb_rows_worst_error(m, d, signal->index);
      break;
    case FB_SIGNAL_LOOP_EFFORT:
      x[0] = fb_loop_effort(m, now->s->d, signal->index);
      break;
    case FB_SIGNAL_KINETIC:
    case FB_SIGNAL_POTENTIAL:
    case FB_SIGNAL_TOTAL:
      x[0] = energy(now, signal->kind);
      break;
    default: {
      const fb_signal_kind* kind = &fb_signal_kinds[signal->kind];
      size_t size = (kind->components ? 3 : 1) * sizeof *x;
      memcpy(x, (const char*)&now->ledger + kind->field, size);
    }
  }
}

/* The value of a joint's signal, or a block's, at once; of the others after read_vector. */
static double value_of(const moment* now, const fb_signal* signal) {
  const fb_sim* s = now->s;
  int at = signal->component, body;
  switch (signal->kind) {
    case FB_SIGNAL_Q:
    case FB_SIGNAL_V:
    case FB_SIGNAL_A:
    case FB_SIGNAL_TAU:
    case FB_SIGNAL_WORK:
      if (is_removed(s, signal)) return now->vector[at];
      body = fb_original_body(s, signal->index);
      if (signal->kind == FB_SIGNAL_Q) return now->q[fb_joint_q_index(s->m, body) + at];
      at += fb_joint_v_index(s->m, body);
      return signal->kind == FB_SIGNAL_V     ? now->v[at]
             : signal->kind == FB_SIGNAL_A   ? s->vdot[at]
             : signal->kind == FB_SIGNAL_TAU ? s->tau[at]
                                             : now->work[at];
    case FB_SIGNAL_OUTPUT:
      return s->block.out[s->block.out_offset[signal->index] + at];
    default:
      return now->vector[at];
  }
}

/* Whether the kind has vectors, which are read whole. */
static int is_vector(int kind) {
  return (kind < FB_SIGNAL_Q || kind > FB_SIGNAL_WORK) && kind != FB_SIGNAL_OUTPUT;
}

fb_status fb_signal_read(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                         double* values, fb_error* error) {
  moment now = {.s = s, .t = t, .q = y, .v = y + s->nq, .work = y + s->nq + s->nv + s->nx};
  fb_status status = prepare(&now, y, needs_of(s, signals, count), error);
  if (status) {
    fb_fill_nan(values, count);
    return status;
  }
  fb_signal last = {-1, -1, 0};
  for (int i = 0; i < count; i++) {
    const fb_signal* signal = &signals[i];
    int removed = is_removed(s, signal);
    if ((removed || is_vector(signal->kind)) && (signal->kind != last.kind || signal->index != last.index)) {
      if (removed)
        read_removed(&now, signal);
      else
        read_vector(&now, signal);
      last = *signal;
    }
    values[i] = value_of(&now, signal);
  }
  return FB_OK;
}

fb_status fb_signal_eval(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                         double* values, fb_error* error) {
  fb_status status = fb_ports_probe(s, t, y, signals, count, error);
  if (!status && s->contact.hard) status = fb_hard_probe(s, t, y, signals, count, error);
  if (!status) return fb_signal_read(s, t, y, signals, count, values, error);
  fb_fill_nan(values, count);
  return status;
}

void fb_sim_signal_values(fb_sim* s, const fb_signal* signals, int count, double* values) {
  fb_signal_eval(s, s->head->t, s->y, signals, count, values, NULL);
}

fb_status fb_sim_eval_signals(fb_sim* s, double t, const fb_signal* signals, int count, double* values,
                              fb_error* error) {
  fb_status status = fb_sim_eval_state(s, t, NULL, NULL, error);
  if (status) {
    fb_fill_nan(values, count);
    return status;
  }
  const double* y = t == s->step.t0  ? s->y0
                    : t < s->head->t ? s->probe.y_root
                                     : s->y; /* where fb_sim_eval_state left it */
  return fb_signal_eval(s, t, y, signals, count, values, error);
}
