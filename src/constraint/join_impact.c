/* join_impact.c -- the velocities just after a join: fb_model_state_join. See freebody/join.h.
 *
 * The joint's impulse is the only one, and it does no work on motion that the joint allows. So the generalised momentum
 * of the joined model after the impact is that of the bodies before it, and of the rotors with them. With v the rates
 * that continue, and g_b what each body's motion before had more than v gives it, the change of rates x follows from
 *
 *   H x = sum J_b^T I_b g_b                                solved, and refined by what is left
 *
 * so that bodies that fly at 7.5 km/s far from the origin leave only their differences to be rounded. With loops, x first
 * makes v one that keeps them closed, and is then found among the rates that do. O(n), and as constrained.c with loops. */
#include <freebody/join.h>

#include <stdlib.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/parameters.h>
#include <freebody/rotation.h>

#include "constraint/join_impulse.h"
#include "constraint/rebuild.h"
#include "constraint/rows.h"
#include "math/sym3.h"
#include "model/data.h"

enum { ROUNDS = 3 };

typedef struct impact {
  const fb_model *from, *to;
  fb_data *d_from, *d_to;
  const unsigned char* prescribed;
  int body;              /* whose joint it is */
  double *q, *v;         /* of the joined model: the rates that continue */
  double *x, *zero;      /* [nv] their change so far; rest */
  double *tau, *dx;      /* [nv] what the rotors lost; the change of a round */
  double* gap;           /* [nbody][6] g at the centroid of each body, linear, then angular, world axes */
  fb_wrench* lost;       /* [nbody - 1] the momentum that each body lost, at its centroid, world axes */
  unsigned char* beyond; /* [nbody] 1: it hangs by the joint */
} impact;

static fb_status take_memory(impact* x, fb_error* error) {
  size_t nv = (size_t)fb_model_nv(x->to), nq = (size_t)fb_model_nq(x->to),
         nbody = (size_t)fb_model_nbody(x->to);
  x->q = calloc(nq + 5 * nv + 6 * nbody, sizeof *x->q);
  x->lost = calloc(nbody, sizeof *x->lost);
  x->beyond = fb_mark_subtree(x->to, x->body);
  if (!x->q || !x->lost || !x->beyond)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for the impulse of the join");
  x->v = x->q + nq;
  x->x = x->v + nv;
  x->zero = x->x + nv;
  x->tau = x->zero + nv;
  x->dx = x->tau + nv;
  x->gap = x->dx + nv;
  return FB_OK;
}

static void give_back(impact* x) {
  free(x->q);
  free(x->lost);
  free(x->beyond);
}

/* g_b at every centroid: after fb_model_state_carry, which leaves the motion before in d_from and that of the continued rates
 * in d_to. Bodies that do not hang by the joint have none. */
static void find_gaps(impact* x) {
  for (int b = 1; b < fb_model_nbody(x->to); b++) {
    double *gap = x->gap + 6 * (size_t)b, v[3], w[3];
    if (!x->beyond[b]) continue;
    fb_frame_velocity(x->from, x->d_from, fb_model_com_frame(x->from, b), gap, gap + 3);
    fb_frame_velocity(x->to, x->d_to, fb_model_com_frame(x->to, b), v, w);
    for (int i = 0; i < 3; i++) {
      gap[i] -= v[i];
      gap[3 + i] -= w[i];
    }
  }
}

/* g_b - J_b x, after fb_kinematics with x as the velocities. */
static void lost_motion(const impact* x, int body, double v[3], double w[3]) {
  const double* gap = x->gap + 6 * (size_t)body;
  fb_frame_velocity(x->to, x->d_to, fb_model_com_frame(x->to, body), v, w);
  for (int i = 0; i < 3; i++) {
    v[i] = gap[i] - v[i];
    w[i] = gap[3 + i] - w[i];
  }
}

/* The momentum of that motion, with the masses that d_to uses. */
static void lose(const impact* x, int body, fb_wrench* lost) {
  double mass, I[6], R[9], v[3], w[3], local[3], spin[3];
  lost_motion(x, body, v, w);
  lost->frame = fb_model_com_frame(x->to, body);
  fb_parameters_inertia(fb_data_parameters(x->d_to), body, &mass, NULL, I);
  fb_frame_pose(x->to, x->d_to, body, NULL, R);
  fb_rot_apply_transpose(R, w, local);
  fb_sym3_apply(I, local, spin);
  fb_rot_apply(R, spin, lost->torque);
  for (int i = 0; i < 3; i++) lost->force[i] = mass * v[i];
}

/* What all bodies and rotors have lost so far. */
static void find_loss(impact* x) {
  fb_kinematics(x->to, x->d_to, x->q, x->x, NULL);
  for (int b = 1; b < fb_model_nbody(x->to); b++) lose(x, b, &x->lost[b - 1]);
  for (int k = 0; k < fb_model_nv(x->to); k++) x->tau[k] = -x->d_to->par->armature[k] * x->x[k];
}

/* x = -H^-1 J_l^T (J_l H^-1 J_l^T)^-1 J_l v: a loop between two trees that join opens with the rates that continue. */
static void keep_loops_closed(impact* x) {
  fb_rows_begin(x->to, x->d_to, x->q, x->v, x->prescribed);
  fb_rows_find_opening(x->to, x->d_to, x->prescribed, x->v, x->x);
  for (int k = 0; k < fb_model_nv(x->to); k++) x->x[k] = -x->x[k];
}

/* One round: the rates that give the loss back where the joints allow it. */
static fb_status solve(impact* x, fb_error* error) {
  int nv = fb_model_nv(x->to);
  fb_loads loads = fb_default_loads();
  loads.passive = 0;
  loads.wrenches = x->lost;
  loads.nwrench = fb_model_nbody(x->to) - 1;
  memset(x->dx, 0, (size_t)nv * sizeof *x->dx);
  fb_constrained_dynamics(x->to, x->d_to, x->q, x->zero, x->prescribed, &loads, x->dx, x->tau);
  fb_status status = fb_model_check_pivots(x->to, x->d_to, error);
  for (int k = 0; k < nv && !status; k++) x->x[k] += x->dx[k];
  return status;
}

fb_status fb_model_state_join(const fb_model_state* first, const fb_model_state* second, const char* joint,
                              const unsigned char* prescribed, fb_join_impulse* impulse, fb_error* error) {
  const fb_model *from = first->model, *to = second->model;
  impact x = {.from = from, .to = to, .d_from = first->data, .d_to = second->data, .prescribed = prescribed};
  x.body = joint ? fb_model_find_joint(to, joint) : -1;
  if (x.body < 0) return fb_no_such_name(to, 1, joint ? joint : "", error);
  fb_status status = take_memory(&x, error);
  const fb_model_state carried = {to, second->data, x.q, x.v};
  if (!status) status = fb_model_state_carry(first, &carried, error);
  if (!status) find_gaps(&x);
  if (!status && fb_model_nloop(to) > 0) keep_loops_closed(&x);
  for (int i = 0; i < ROUNDS && !status; i++) {
    find_loss(&x);
    status = solve(&x, error);
  }
  fb_join_impulse join_impulse;
  if (!status && impulse)
    status = fb_join_find_impulse(from, first->data, first->q, first->v, to, x.body, x.q, prescribed,
                                  &join_impulse, error);
  if (!status && impulse) *impulse = join_impulse;
  if (!status) memcpy(second->q, x.q, (size_t)fb_model_nq(to) * sizeof *x.q);
  for (int k = 0; k < fb_model_nv(to) && !status; k++) second->v[k] = x.v[k] + x.x[k];
  give_back(&x);
  return status;
}
