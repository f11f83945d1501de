/* impact.c -- the velocities just after a join: fb_join_velocities. See freebody/join.h.
 *
 * The joint's impulse is the only one, and it does no work on motion that the joint allows. So the generalised momentum
 * of the joined model after the impact is that of the bodies before it, and of the rotors with them:
 *
 *   H v+ = sum J_b^T h_b + A v-          h_b: momentum of body b before;  A: armature
 *
 * It is solved for the change from a guess, the velocities that continue, and refined: bodies that fly at 7.5 km/s far
 * from the origin then leave only their differences to be rounded. The energy lost is that of the lost motion (Carnot),
 *
 *   E = 1/2 sum (v- - v+)^T I_b (v- - v+) + 1/2 sum A (v- - v+)^2,
 *
 * and the impulse is what the bodies beyond the joint gained. O(n). */
#include <freebody/join.h>

#include <stdlib.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/kinematics.h>
#include <freebody/parameters.h>
#include <freebody/rotation.h>

#include "constraint/rebuild.h"
#include "math/vector3.h"
#include "model/data.h"

enum { ROUNDS = 3 };

typedef struct impact {
  const fb_model *from, *to;
  const fb_data* d_from; /* the motion before; it stays as it is */
  fb_data* d_to;
  const unsigned char* prescribed;
  double *q, *v;         /* of the joined model */
  double* carried;       /* [nv] the rates before, as far as the joints allow them */
  double* zero;          /* [nv] */
  double *tau, *dv;      /* [nv] */
  fb_wrench* change;     /* [nbody] what each body has gained since, negated, at its centroid, world axes */
  unsigned char* beyond; /* [nbody] 1: it hangs by the joint */
} impact;

/* --- memory --- */

static fb_status take_memory(impact* x, int body, fb_error* error) {
  size_t nv = (size_t)fb_model_nv(x->to), nq = (size_t)fb_model_nq(x->to);
  x->q = calloc(nq + 5 * nv + 1, sizeof *x->q);
  x->change = calloc((size_t)fb_model_nbody(x->to), sizeof *x->change);
  x->beyond = fb_mark_subtree(x->to, body);
  if (!x->q || !x->change || !x->beyond)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for the impulse of the join");
  x->v = x->q + nq;
  x->carried = x->v + nv;
  x->zero = x->carried + nv;
  x->tau = x->zero + nv;
  x->dv = x->tau + nv;
  return FB_OK;
}

static void give_back(impact* x) {
  free(x->q);
  free(x->change);
  free(x->beyond);
}

/* --- momenta --- */

/* I w of a body about its centroid, world axes, with the inertia that d_to uses. */
static void spin_of(const impact* x, int body, const double w[3], double L[3]) {
  double I[6], R[9], p[3], own[3];
  fb_parameters_inertia(fb_data_parameters(x->d_to), body, NULL, NULL, I);
  fb_frame_pose(x->to, x->d_to, body, p, R);
  fb_rot_apply_transpose(R, w, own);
  const double turned[3] = {I[0] * own[0] + I[3] * own[1] + I[4] * own[2],
                            I[3] * own[0] + I[1] * own[1] + I[5] * own[2],
                            I[4] * own[0] + I[5] * own[1] + I[2] * own[2]};
  fb_rot_apply(R, turned, L);
}

/* How a body moved before, less how it moves now: at its centroid. */
static void lost_motion(const impact* x, int body, double v[3], double w[3]) {
  double v_now[3], w_now[3];
  int com = fb_model_com_frame(x->from, body);
  fb_frame_velocity(x->from, x->d_from, com, v, w);
  fb_frame_velocity(x->to, x->d_to, fb_model_com_frame(x->to, body), v_now, w_now);
  for (int i = 0; i < 3; i++) {
    v[i] -= v_now[i];
    w[i] -= w_now[i];
  }
}

static double mass_of(const impact* x, int body) {
  double mass;
  fb_parameters_inertia(fb_data_parameters(x->d_to), body, &mass, NULL, NULL);
  return mass;
}

/* What every body has lost so far, as wrenches and rotor torques; returns the energy of that motion. */
static double find_loss(impact* x) {
  double energy = 0;
  fb_kinematics(x->to, x->d_to, x->q, x->v, NULL);
  for (int b = 1; b < fb_model_nbody(x->to); b++) {
    fb_wrench* change = &x->change[b - 1];
    double v[3], w[3], mass = mass_of(x, b);
    lost_motion(x, b, v, w);
    change->frame = fb_model_com_frame(x->to, b);
    for (int i = 0; i < 3; i++) change->force[i] = mass * v[i];
    spin_of(x, b, w, change->torque);
    energy += 0.5 * (dot3(v, change->force) + dot3(w, change->torque));
  }
  for (int k = 0; k < fb_model_nv(x->to); k++) {
    double rate = x->carried[k] - x->v[k];
    x->tau[k] = fb_data_parameters(x->d_to)->armature[k] * rate;
    energy += 0.5 * x->tau[k] * rate;
  }
  return energy;
}

/* One round: the velocities that give the loss back where the joints allow it. */
static fb_status solve(impact* x, fb_error* error) {
  fb_loads loads = fb_default_loads();
  loads.passive = 0;
  loads.wrenches = x->change;
  loads.nwrench = fb_model_nbody(x->to) - 1;
  memset(x->dv, 0, (size_t)fb_model_nv(x->to) * sizeof *x->dv);
  fb_mixed_dynamics(x->to, x->d_to, x->q, x->zero, x->prescribed, &loads, x->dv, x->tau);
  fb_status status = fb_check_pivots(x->to, x->d_to, error);
  for (int k = 0; k < fb_model_nv(x->to) && !status; k++) x->v[k] += x->dv[k];
  return status;
}

/* --- the report --- */

/* The origin of the frame that the joint is placed at. */
static void find_point(const impact* x, int body, double point[3]) {
  const fb_joint_def* joint = &fb_model_def_body(x->to->def, body)->joint;
  double p[3], R[9];
  fb_frame_pose(x->to, x->d_to, joint->reversed ? body : fb_body_parent(x->to, body), p, R);
  fb_rot_apply(R, joint->at, point);
  for (int i = 0; i < 3; i++) point[i] += p[i];
}

static void add_gain(const impact* x, int b, double sign, fb_join_impulse* out) {
  const fb_wrench* lost = &x->change[b - 1];
  double p[3], R[9], moment[3];
  fb_frame_pose(x->to, x->d_to, lost->frame, p, R);
  for (int i = 0; i < 3; i++) p[i] -= out->point[i];
  cross3(p, lost->force, moment);
  for (int i = 0; i < 3; i++) {
    out->linear[i] -= sign * lost->force[i];
    out->angular[i] -= sign * (lost->torque[i] + moment[i]);
  }
}

/* The bodies beyond the joint gain its impulse; the side of `frame` is that of the child unless the joint is reversed. */
static void report(impact* x, int body, fb_join_impulse* out) {
  double sign = fb_model_def_body(x->to->def, body)->joint.reversed ? -1 : 1;
  *out = (fb_join_impulse){.energy = find_loss(x)};
  find_point(x, body, out->point);
  for (int b = 1; b < fb_model_nbody(x->to); b++)
    if (x->beyond[b]) add_gain(x, b, sign, out);
}

fb_status fb_join_velocities(const fb_model* from, fb_data* d_from, const double* q, const double* v,
                             const fb_model* to, fb_data* d_to, const char* joint,
                             const unsigned char* prescribed, double* q_to, double* v_to,
                             fb_join_impulse* impulse, fb_error* error) {
  impact x = {.from = from, .to = to, .d_from = d_from, .d_to = d_to, .prescribed = prescribed};
  int body = joint ? fb_model_find_joint(to, joint) : -1;
  if (body < 0) return fb_no_such_name(to, 1, joint ? joint : "", error);
  fb_status status = take_memory(&x, body, error);
  if (!status) status = fb_model_carry(from, d_from, q, v, to, d_to, x.q, x.v, error);
  if (!status) memcpy(x.carried, x.v, (size_t)fb_model_nv(to) * sizeof *x.v);
  for (int i = 0; i < ROUNDS && !status; i++) {
    find_loss(&x);
    status = solve(&x, error);
  }
  if (!status && impulse) report(&x, body, impulse);
  if (!status) memcpy(q_to, x.q, (size_t)fb_model_nq(to) * sizeof *q_to);
  if (!status) memcpy(v_to, x.v, (size_t)fb_model_nv(to) * sizeof *v_to);
  give_back(&x);
  return status;
}
