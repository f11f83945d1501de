/* attitude_wheels.c -- how reaction wheels share a torque on the body that carries them
 *
 *   a wheel that its joint drives with tau about its axis a pushes the base with -tau a:
 *   -A tau = T,  A = (a_1 ... a_n) in base axes;   tau = -A^+ T
 *
 * A^+ is the pseudo-inverse, by singular values: with more than three wheels the least torques that do it, with
 * axes that do not span space the nearest to T that they can. Wheels stand on the base or on bodies fixed to it, so
 * A does not change: set-up O(n), a torque O(n).
 *
 * A torque that speeds a wheel up fades by  h = (limit - |v|) / (FADE limit), held in 0 .. 1,  to nothing at the speed limit
 * of its joint: a law that switched there would chatter. What is lost,  l = sum (1 - h_i) tau_i a_i,  goes to the wheels
 * that have room,
 *   tau_i <- tau_i + h_i^2 a_i^T (sum h_k a_k a_k^T + EPSILON E)^-1 l
 * again for what is left after that: three of four wheels take over for the fourth to a part of 1e-3 or so; of three
 * wheels at right angles the other two continue. */
#include "control/attitude_wheels.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "block/coordinate.h"
#include "math/svd.h"
#include "math/vector3.h"
#include "model/model.h"
#include "model/pose.h"

static const double VANISHED = 1e-9; /* of the largest singular value: axes that mean to be parallel */
static const double FADE = 0.01;     /* part of the speed limit */
static const double EPSILON = 0.05;  /* keeps take-overs smooth, and solvable where axes do not span space */
enum { ROUNDS = 3 };

/* A direction that its joint leaves as it is, from the axes of a body to those of its parent. The joint and the parent are
 * sites of one link. */
static void turn_to_parent(const fb_model* m, int body, double x[3]) {
  fb_pose joint = fb_pose_load(m->par.site_pose, fb_joint_site(&m->top, body));
  fb_pose parent = fb_pose_load(m->par.site_pose, fb_body_parent(m, body));
  fb_joint_turn_tail(m, body, x);
  fb_rot_apply(joint.R, x, x);
  fb_rot_apply_transpose(parent.R, x, x);
}

/* The wheel's axis in base axes. FB_ERR_JOINT when a joint that moves is between the two. */
static fb_status find_axis(const fb_model* m, const char* block, int base, int wheel, double axis[3],
                           fb_error* error) {
  fb_pose wheel_pose = fb_pose_load(m->par.site_pose, wheel); /* on a link whose z axis is the joint's */
  memcpy(axis, wheel_pose.R + 6, 3 * sizeof *axis);
  for (int body = wheel; body != base; body = fb_body_parent(m, body)) {
    if (body == FB_WORLD)
      return fb_fail(error, FB_ERR_TREE, "block \"%s\": wheel \"%s\" is not mounted on body \"%s\"", block,
                     fb_body_name(m, wheel), fb_body_name(m, base));
    if (body != wheel && fb_joint_nv(m, body) > 0)
      return fb_fail(error, FB_ERR_JOINT,
                     "block \"%s\": between wheel \"%s\" and body \"%s\" is the %s joint \"%s\"; wheels must "
                     "be mounted on the body itself, or on bodies fixed to it",
                     block, fb_body_name(m, wheel), fb_body_name(m, base),
                     fb_joint_type_name(fb_joint_type_of(m, body)), fb_joint_name(m, body));
    turn_to_parent(m, body, axis);
  }
  return FB_OK;
}

static fb_status check_wheel(const fb_model* m, const char* block, const int* bodies, int i,
                             fb_error* error) {
  int wheel = bodies[i];
  if (wheel <= FB_WORLD || wheel >= fb_model_nbody(m))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": wheel %d is body %d, which does not exist", block, i + 1,
                   wheel);
  if (fb_joint_type_of(m, wheel) != FB_JOINT_REVOLUTE)
    return fb_fail(error, FB_ERR_JOINT,
                   "block \"%s\": wheel \"%s\" is on a %s joint; wheels turn on revolute ones", block,
                   fb_body_name(m, wheel), fb_joint_type_name(fb_joint_type_of(m, wheel)));
  for (int k = 0; k < i; k++)
    if (bodies[k] == wheel)
      return fb_fail(error, FB_ERR_ARG, "block \"%s\" has wheel \"%s\" twice", block, fb_body_name(m, wheel));
  return FB_OK;
}

fb_status fb_wheels_check_speeds(const fb_model* m, const char* block, const fb_wheels* wheels,
                                 const double* speed, fb_error* error) {
  for (int i = 0; i < wheels->count; i++) {
    int k = wheels->v_at[i], wheel = fb_coordinate_body(m, k);
    if (!(speed[k] > 0))
      return fb_fail(error, FB_ERR_JOINT,
                     "block \"%s\": the model limits the speed of joint \"%s\" to %g rad/s, so wheel \"%s\" "
                     "can never turn; give the joint a greater speed, or none",
                     block, fb_joint_name(m, wheel), speed[k], fb_body_name(m, wheel));
  }
  return FB_OK;
}

/* Fills A, 3 x count, the axes and coordinates. */
static fb_status find_axes(const fb_model* m, const char* block, int base, const int* bodies,
                           fb_wheels* wheels, double* A, fb_error* error) {
  for (int i = 0; i < wheels->count; i++) {
    double* axis = wheels->axis[i];
    fb_status status = check_wheel(m, block, bodies, i, error);
    if (!status) status = find_axis(m, block, base, bodies[i], axis, error);
    if (status) return status;
    for (int k = 0; k < 3; k++) A[k * wheels->count + i] = axis[k];
    wheels->v_at[i] = wheels->first_at[i] = fb_joint_v_index(m, bodies[i]);
  }
  return fb_wheels_check_speeds(m, block, wheels, m->par.speed, error);
}

/* share = -V diag(1 / s) U^T. work holds 3 n numbers for V and those of fb_svd. */
static void find_shares(const double* A, fb_wheels* wheels, double* work) {
  int n = wheels->count, k = n < 3 ? n : 3;
  double s[3], U[9], *V = work;
  fb_svd(A, 3, n, s, U, V, work + 3 * n);
  for (int i = 0; i < n; i++)
    for (int axis = 0; axis < 3; axis++) {
      double sum = 0;
      for (int j = 0; j < k && s[j] > VANISHED * s[0]; j++) sum += V[i * k + j] / s[j] * U[axis * k + j];
      wheels->share[i][axis] = -sum;
    }
}

/* --- in motion --- */

double fb_wheels_room(const fb_wheels* wheels, int i, const double* speed, const double* v) {
  double limit = speed[wheels->v_at[i]];
  if (isinf(limit)) return 1;
  return fmin(fmax((limit - fabs(v[wheels->v_at[i]])) / (FADE * limit), 0), 1);
}

/* x = (sum h a a^T + EPSILON E)^-1 b. */
static void solve_spread(const fb_wheels* wheels, const double* speed, const double* v, const double b[3],
                         double x[3]) {
  double M[3][3] = {{EPSILON, 0, 0}, {0, EPSILON, 0}, {0, 0, EPSILON}}, minors[3][3];
  for (int i = 0; i < wheels->count; i++) {
    double h = fb_wheels_room(wheels, i, speed, v);
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < 3; c++) M[r][c] += h * wheels->axis[i][r] * wheels->axis[i][c];
  }
  for (int r = 0; r < 3; r++) cross3(M[(r + 1) % 3], M[(r + 2) % 3], minors[r]);
  for (int r = 0; r < 3; r++) x[r] = dot3(minors[r], b) / dot3(M[0], minors[0]); /* M is symmetric */
}

void fb_wheels_share(const fb_wheels* wheels, const double T_b[3], double* tau) {
  for (int i = 0; i < wheels->count; i++) tau[i] = dot3(wheels->share[i], T_b);
}

void fb_wheels_keep_speeds(const fb_wheels* wheels, const double* speed, const double* v, double* tau) {
  double missing[3] = {0, 0, 0}, spread[3];
  for (int i = 0; i < wheels->count; i++) {
    double h = fb_wheels_room(wheels, i, speed, v);
    if (!(h < 1 && tau[i] * v[wheels->v_at[i]] > 0)) continue;
    for (int k = 0; k < 3; k++) missing[k] += (1 - h) * tau[i] * wheels->axis[i][k];
    tau[i] *= h;
  }
  for (int round = 0; round < ROUNDS && !is_zero3(missing); round++) {
    solve_spread(wheels, speed, v, missing, spread);
    for (int i = 0; i < wheels->count; i++) {
      double h = fb_wheels_room(wheels, i, speed, v), more = h * h * dot3(wheels->axis[i], spread);
      for (int k = 0; k < 3; k++) missing[k] -= more * wheels->axis[i][k];
      tau[i] += more;
    }
  }
}

/* --- set-up --- */

fb_status fb_wheels_init(const fb_model* m, const char* block, int base, const int* bodies, int count,
                         fb_wheels* wheels, fb_error* error) {
  *wheels = (fb_wheels){.count = count};
  if (count < 1)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": give at least one wheel; there are %d", block, count);
  size_t n = (size_t)count;
  wheels->v_at = calloc(2 * n, sizeof *wheels->v_at);
  wheels->axis = (double(*)[3])calloc(n, sizeof *wheels->axis);
  wheels->share = (double(*)[3])calloc(n, sizeof *wheels->share);
  double* A = calloc(6 * n + fb_svd_work(3, count), sizeof *A);
  if (!wheels->v_at || !wheels->axis || !wheels->share || !A) {
    fb_wheels_free(wheels);
    free(A);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", block);
  }
  wheels->first_at = wheels->v_at + n;
  fb_status status = find_axes(m, block, base, bodies, wheels, A, error);
  if (status)
    fb_wheels_free(wheels);
  else
    find_shares(A, wheels, A + 3 * n);
  free(A);
  return status;
}

int fb_wheels_rebind(fb_wheels* wheels, const fb_model* first, const fb_model* m) {
  int removed = -1;
  for (int i = 0; i < wheels->count; i++) {
    wheels->v_at[i] = fb_coordinate_in(first, wheels->first_at[i], m);
    if (wheels->v_at[i] < 0) removed = wheels->first_at[i];
  }
  return removed;
}

void fb_wheels_free(fb_wheels* wheels) {
  free(wheels->v_at);
  free(wheels->axis);
  free(wheels->share);
  *wheels = (fb_wheels){.count = 0};
}
