/* signal_value.c -- values of signals
 *
 * What several signals of a call share is computed once: what acts and the accelerations, the ledger, the
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
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "signal/signal_value.h"
#include "ledger/ledger.h"
#include "sim/flow.h"
#include "sim/event.h"

/* One moment, and what is known of it. */
typedef struct moment {
  fb_sim* s;
  const fb_data* d; /* its kinematics, where signals need them */
  double t;
  const double *q, *v, *work;
  fb_ledger ledger;
  double vector[7]; /* all components of the signal last read */
} moment;

/* Whether a signal is of a joint whose coordinates have gone. */
static int has_gone(const fb_sim* s, const fb_signal* signal) {
  return s->first.v && signal->kind >= FB_SIGNAL_Q && signal->kind <= FB_SIGNAL_WORK &&
         !fb_first_continues(s, signal->index);
}

static int needs_of(const fb_sim* s, const fb_signal* signals, int count) {
  int needs = FB_NEEDS_NOTHING;
  for (int i = 0; i < count; i++) {
    if (signals[i].kind == FB_SIGNAL_OUTPUT) continue;
    needs |= fb_signal_kinds[signals[i].kind].needs;
    if (has_gone(s, &signals[i])) needs |= FB_NEEDS_RATES;
    if (has_gone(s, &signals[i]) && signals[i].kind == FB_SIGNAL_A) needs |= FB_NEEDS_ACCELERATIONS;
  }
  if (needs & FB_NEEDS_ACCELERATIONS) needs |= FB_NEEDS_VDOT;
  return needs;
}

/* What acts, and the accelerations where they are asked for. A look is not a step: the count of evaluations
 * stays. */
static fb_status look_at_forces(moment* now, const double* y, int needs, fb_error* error) {
  fb_sim* s = now->s;
  long long evaluations = s->head->evaluations;
  fb_status status = fb_flow_drive(s, now->t, y, s->y_stage, error);
  /* What moves a coordinate that is not driven by force is known only with its acceleration. */
  if (!status && (needs & FB_NEEDS_VDOT || s->head->nmoved + s->nmoving > 0)) fb_flow_accelerate(s, y, NULL);
  if (!status && s->head->ntouch > 0) fb_touch_flow(s, y, s->y_stage);
  s->head->evaluations = evaluations;
  return status;
}

/* Poses, velocities and centres of mass; with accelerations they are computed anew. */
static const fb_data* look_at_motion(moment* now, const double* y, int needs) {
  fb_sim* s = now->s;
  int accelerates = needs & FB_NEEDS_ACCELERATIONS;
  fb_data* d = accelerates ? s->d : fb_sim_kinematics_at(s, y);
  if (accelerates) fb_kinematics(s->m, d, now->q, now->v, s->vdot);
  if (needs & FB_NEEDS_COM) fb_centre_of_mass(s->m, d);
  if (needs & FB_NEEDS_ERRORS) fb_rows_place(s->m, d, now->q);
  return d;
}

static fb_status look(moment* now, const double* y, int needs, fb_error* error) {
  if (needs & (FB_NEEDS_TAU | FB_NEEDS_VDOT | FB_NEEDS_WRENCHES)) {
    fb_status status = look_at_forces(now, y, needs, error);
    if (status) return status;
  }
  if (needs & FB_NEEDS_LEDGER) fb_ledger_at(now->s, y, &now->ledger);
  if (needs & (FB_NEEDS_POSES | FB_NEEDS_RATES | FB_NEEDS_ACCELERATIONS))
    now->d = look_at_motion(now, y, needs);
  if (needs & FB_NEEDS_REACTIONS) fb_sim_reactions(now->s);
  return FB_OK;
}

static void read_attitude(moment* now, const fb_signal* signal) {
  double R[9];
  fb_frame_pose(now->s->m, now->d, signal->index, NULL, R);
  if (signal->kind == FB_SIGNAL_QUAT)
    fb_rot_to_quat(R, now->vector);
  else
    fb_rot_to_rpy(R, now->vector);
}

/* The wrenches at a frame, and at a floating base's own what its joint exerts: thrusters push against the world. */
static void read_push(moment* now, const fb_signal* signal) {
  const fb_sim* s = now->s;
  int is_torque = signal->kind == FB_SIGNAL_TORQUE;
  double push[2][3];
  memset(now->vector, 0, sizeof now->vector);
  for (int i = 0; i < s->nwrench; i++) {
    if (s->wrenches[i].frame != signal->index) continue;
    fb_wrench_in_world(s->m, now->d, &s->wrenches[i], push[0], push[1]);
    for (int k = 0; k < 3; k++) now->vector[k] += push[is_torque][k];
  }
  for (int i = 0; i < s->nroot; i++) {
    if (s->roots[i].body != signal->index) continue;
    fb_rot_apply(s->roots[i].R_wj, s->tau + s->roots[i].v_at + 3 * is_torque, push[0]);
    for (int k = 0; k < 3; k++) now->vector[k] += push[0][k];
  }
}

/* What a joint carries, from fb_sim_reactions. */
static void read_reaction(moment* now, const fb_signal* signal) {
  int is_torque = signal->kind == FB_SIGNAL_REACTION_TORQUE;
  const fb_sim* s = now->s;
  double turned[6];
  const double* wrench = s->carried + 6 * (size_t)signal->index;
  if (s->first.body) {
    fb_first_wrench(s, now->d, signal->index, s->carried, turned);
    wrench = turned;
  }
  memcpy(now->vector, wrench + 3 * is_torque, 3 * sizeof *now->vector);
}

/* Forces are in s->d, as the flow left them. */
static void read_loop(moment* now, const fb_signal* signal) {
  const fb_model* m = now->s->m;
  if (signal->kind == FB_SIGNAL_LOOP_FORCE)
    fb_loop_force(m, now->s->d, signal->index, now->vector, NULL);
  else if (signal->kind == FB_SIGNAL_LOOP_TORQUE)
    fb_loop_force(m, now->s->d, signal->index, NULL, now->vector);
  else if (signal->kind == FB_SIGNAL_LOOP_EFFORT)
    now->vector[0] = fb_loop_effort(m, now->s->d, signal->index);
  else
    now->vector[0] = fb_rows_worst_error(m, now->d, signal->index);
}

static double energy(const moment* now, int kind) {
  const fb_sim* s = now->s;
  double sum = 0;
  if (kind != FB_SIGNAL_POTENTIAL) sum += fb_kinetic_energy(s->m, now->d, now->v);
  if (kind != FB_SIGNAL_KINETIC)
    sum += fb_potential_energy(s->m, now->d, now->q, &s->loads) + fb_soft_stops_energy(s, now->q) +
           fb_pairs_energy(s, now->d);
  return sum;
}

/* Fills the vector with a joint's signal that no coordinate has any more. Nothing drives such a joint. */
static void read_gone(moment* now, const fb_signal* signal) {
  const fb_sim* s = now->s;
  int body = signal->index, nv = fb_joint_nv(s->first_m, body), first = fb_joint_v_at(s->first_m, body);
  switch (signal->kind) {
    case FB_SIGNAL_Q:
      fb_first_q(s, now->d, body, now->vector);
      break;
    case FB_SIGNAL_V:
      fb_first_v(s, now->d, body, now->vector);
      break;
    case FB_SIGNAL_A:
      fb_first_a(s, now->d, body, now->vector);
      break;
    case FB_SIGNAL_TAU:
      fb_first_v(s, now->d, body, now->vector);
      for (int k = 0; k < nv; k++) now->vector[k] *= 0; /* NaN where it has no rates */
      break;
    default:
      memcpy(now->vector, s->kept_work + first, (size_t)nv * sizeof *now->vector);
  }
}

/* Fills the vector with all components of a signal that is not a joint's. */
static void read_vector(moment* now, const fb_signal* signal) {
  const fb_model* m = now->s->m;
  const fb_data* d = now->d;
  double* x = now->vector;
  switch (signal->kind) {
    case FB_SIGNAL_T:
      x[0] = now->t;
      break;
    case FB_SIGNAL_EPOCH:
      x[0] = now->s->nchange;
      break;
    case FB_SIGNAL_P:
      fb_frame_pose(m, d, signal->index, x, NULL);
      break;
    case FB_SIGNAL_QUAT:
    case FB_SIGNAL_RPY:
      read_attitude(now, signal);
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
      if (now->s->first.body)
        fb_first_origin(now->s, d, signal->index, x);
      else
        fb_frame_pose(m, d, fb_model_joint_frame(m, signal->index), x, NULL);
      break;
    case FB_SIGNAL_REACTION_FORCE:
    case FB_SIGNAL_REACTION_TORQUE:
      read_reaction(now, signal);
      break;
    case FB_SIGNAL_LOOP_FORCE:
    case FB_SIGNAL_LOOP_TORQUE:
    case FB_SIGNAL_LOOP_ERROR:
    case FB_SIGNAL_LOOP_EFFORT:
      read_loop(now, signal);
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
      if (has_gone(s, signal)) return now->vector[at];
      body = fb_first_body(s, signal->index);
      if (signal->kind == FB_SIGNAL_Q) return now->q[fb_joint_q_at(s->m, body) + at];
      at += fb_joint_v_at(s->m, body);
      return signal->kind == FB_SIGNAL_V     ? now->v[at]
             : signal->kind == FB_SIGNAL_A   ? s->vdot[at]
             : signal->kind == FB_SIGNAL_TAU ? s->tau[at]
                                             : now->work[at];
    case FB_SIGNAL_OUTPUT:
      return s->out[s->block_out[signal->index] + at];
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
  fb_status status = look(&now, y, needs_of(s, signals, count), error);
  if (status) {
    fb_fill_nan(values, count);
    return status;
  }
  fb_signal last = {-1, -1, 0};
  for (int i = 0; i < count; i++) {
    const fb_signal* signal = &signals[i];
    int gone = has_gone(s, signal);
    if ((gone || is_vector(signal->kind)) && (signal->kind != last.kind || signal->index != last.index)) {
      if (gone)
        read_gone(&now, signal);
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
  fb_status status = fb_ports_look(s, t, y, signals, count, error);
  if (!status && s->touch) status = fb_touch_look_at(s, t, y, signals, count, error);
  if (!status) return fb_signal_read(s, t, y, signals, count, values, error);
  fb_fill_nan(values, count);
  return status;
}

void fb_sim_signal_values(fb_sim* s, const fb_signal* signals, int count, double* values) {
  fb_signal_eval(s, s->head->t, s->y, signals, count, values, NULL);
}

fb_status fb_sim_signal_values_at(fb_sim* s, double t, const fb_signal* signals, int count, double* values,
                                  fb_error* error) {
  fb_status status = fb_sim_state_at(s, t, NULL, NULL, error);
  if (status) {
    fb_fill_nan(values, count);
    return status;
  }
  const double* y = t == s->t0       ? s->y0
                    : t < s->head->t ? s->y_root
                                     : s->y; /* where fb_sim_state_at left it */
  return fb_signal_eval(s, t, y, signals, count, values, error);
}
