/* sd_dynamics.c -- forward dynamics of a SpaceDyn robot by articulated bodies, O(n)
 *
 *   HH [vd0; wd0; qdd] + Force0 = [F0; T0; tau] + sum of J_e^T [Fe; Te]
 *
 * Fe, Te act on the robot at its end-points, in inertial axes. A0 that is not quite a rotation, as after many steps of
 * int_eu, is replaced by the nearest one. Robots that have no model are solved the dense way (sd_dense.c). */
#include "sd.h"

#include <math.h>
#include <string.h>

/* The largest element of A^T A - 1; NaN stays. */
static double skewness(const double A[9]) {
  double worst = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j <= i; j++) {
      double dot = A[3 * i] * A[3 * j] + A[3 * i + 1] * A[3 * j + 1] + A[3 * i + 2] * A[3 * j + 2];
      double off = fabs(dot - (i == j));
      if (!(off <= worst)) worst = off;
    }
  return worst;
}

static fb_status set_attitude(const double* A0, double* quat, fb_error* error) {
  double A[9], R[9];
  memcpy(A, A0, sizeof A);
  double det = A[0] * (A[4] * A[8] - A[7] * A[5]) - A[3] * (A[1] * A[8] - A[7] * A[2]) +
               A[6] * (A[1] * A[5] - A[4] * A[2]);
  if (!(det > 0) || (skewness(A) > 1e-12 && sd_nearest_rotation(A) < 0))
    return fb_fail(error, FB_ERR_STATE, "A0 is not a rotation: its determinant is %g; rpy2dc(Q0)' makes one",
                   det);
  fb_rot_transpose(A, R);
  fb_rot_to_quat(R, quat);
  return FB_OK;
}

/* Wrenches of the end-points that have any. */
static int end_loads(sd_robot* r, const sd_forces* f) {
  int count = 0;
  for (int i = 0; i < r->links.n; i++) {
    const double *F = f->Fe + 3 * i, *T = f->Te + 3 * i;
    if (!r->links.SE[i] || (F[0] == 0 && F[1] == 0 && F[2] == 0 && T[0] == 0 && T[1] == 0 && T[2] == 0))
      continue;
    fb_wrench* w = r->loads + count++;
    *w = (fb_wrench){.frame = r->end_frame[i]};
    memcpy(w->force, F, sizeof w->force);
    memcpy(w->torque, T, sizeof w->torque);
  }
  return count;
}

static int all_finite(int n, const double* x) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return 0;
  return 1;
}

static fb_status cannot_solve(const sd_robot* r, fb_error* error) {
  if (r->model && fb_model_check_pivots(r->model, r->data, error)) return FB_ERR_NO_SOLUTION;
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "the accelerations are not finite: the inertia matrix is singular, or forces or rates are too large; "
      "check masses and inertias");
}

fb_status sd_f_dyn(sd_robot* r, const sd_state* s, const sd_forces* f, const double g[3], double* acc,
                   fb_error* error) {
  int n = r->links.n;
  size_t some = (size_t)n * sizeof(double), three = 3 * sizeof(double);
  if (!r->model) {
    if (sd_f_dyn_dense(r, s, f, g, acc) || !all_finite(6 + n, acc)) return cannot_solve(r, error);
    return FB_OK;
  }
  fb_status status = set_attitude(s->A0, r->q + 3, error);
  if (status) return status;
  memcpy(r->q, s->R0, three);
  memcpy(r->q + 7, s->q, some);
  memcpy(r->v, s->v0, three);
  memcpy(r->v + 3, s->w0, three);
  memcpy(r->v + 6, s->qd, some);
  memcpy(r->f, f->F0, three);
  memcpy(r->f + 3, f->T0, three);
  memcpy(r->f + 6, f->tau, some);
  fb_loads loads = fb_default_loads();
  memcpy(loads.environment.gravity_w, g, three);
  loads.wrenches = r->loads;
  loads.nwrench = end_loads(r, f);
  fb_forward_dynamics(r->model, r->data, r->q, r->v, r->f, &loads, acc);
  return all_finite(6 + n, acc) ? FB_OK : cannot_solve(r, error);
}
