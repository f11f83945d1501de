/* sd_step_v1r2.c -- the integrators of SpaceDyn v1r2, as it computes them
 *
 *   int_eu     A0 + dt A0 w~, w in inertial axes                                  does not converge
 *   int_eu2    velocities first, then positions with the new ones                 order 1
 *   f_dyn_rk   Runge-Kutta, but each rate of A0 is A0 w~ with A0 at the start     does not converge
 *   f_dyn_rk2  the same with aw(w) A0 - A0 as the change of A0                    order 1 in A0
 *   f_dyn_nb   Newmark, corrected once: the acceleration at the end of the        order 1
 *              predicted step serves as that of the whole step; A0 by its second
 *              derivative, of A0 w~
 *   f_dyn_nb2  the same, A0 by aw of the predicted w                              order 1
 *
 * A0 is never brought back to a rotation, so forces come the dense way, which takes such attitudes. Kept so that old
 * results can be reproduced (freebody_compat('v1r2')); tests/test_v1r2.m has numbers of the original. */
#include "sd_step_old.h"

#include <string.h>

/* aw(w) A */
static void turned(const double* w, double dt, const double* A, double* out) {
  double E[9];
  sd_aw(w, dt, E);
  sd_mat_mul(E, A, out);
}

/* The change of velocities and positions over dt, with accelerations acc and velocities of s; A0 is left out. */
static void change(int n, sd_state s, const double* acc, double dt, double* out) {
  sd_state d = view(n, out);
  for (int k = 0; k < 3; k++) d.R0[k] = dt * s.v0[k];
  for (int k = 0; k < 3; k++) d.v0[k] = dt * acc[k];
  for (int k = 0; k < 3; k++) d.w0[k] = dt * acc[3 + k];
  for (int k = 0; k < n; k++) d.q[k] = dt * s.qd[k];
  for (int k = 0; k < n; k++) d.qd[k] = dt * acc[6 + k];
}

static void euler(int n, int second, double dt, const double* acc, double* y) {
  sd_state s = view(n, y);
  double A[9];
  memcpy(A, s.A0, sizeof A);
  if (!second) {
    double Ad[9];
    body_rate(A, s.w0, Ad);
    for (int k = 0; k < 9; k++) s.A0[k] += dt * Ad[k];
    for (int k = 0; k < 3; k++) s.R0[k] += dt * s.v0[k];
    for (int k = 0; k < n; k++) s.q[k] += dt * s.qd[k];
  }
  for (int k = 0; k < 3; k++) s.v0[k] += dt * acc[k], s.w0[k] += dt * acc[3 + k];
  for (int k = 0; k < n; k++) s.qd[k] += dt * acc[6 + k];
  if (!second) return;
  for (int k = 0; k < 3; k++) s.R0[k] += dt * s.v0[k];
  for (int k = 0; k < n; k++) s.q[k] += dt * s.qd[k];
  turned(s.w0, dt, A, s.A0);
}

static fb_status runge_kutta(sd_robot* r, int second, const sd_forces* f, const double g[3], double dt,
                             double* y, double* work, fb_error* error) {
  static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
  int n = r->links.n, ny = 18 + 2 * n;
  double *k = work, *z = k + 4 * ny, *acc = z + ny;
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < ny; j++) z[j] = y[j] + (i ? AT[i] * k[(i - 1) * ny + j] : 0);
    fb_status status = forces(r, z, f, g, acc, error);
    if (status) return status;
    double *ki = k + i * ny, *turn = ki + 3;
    sd_state s = view(n, z);
    change(n, s, acc, dt, ki);
    if (second)
      turned(s.w0, dt, y + 3, turn);
    else
      body_rate(y + 3, s.w0, turn);
    for (int j = 0; j < 9; j++) turn[j] = second ? turn[j] - y[3 + j] : dt * turn[j];
  }
  for (int j = 0; j < ny; j++) {
    double sum = 0;
    for (int i = 0; i < 4; i++) sum += WEIGHT[i] * k[i * ny + j];
    y[j] += sum / 6;
  }
  return FB_OK;
}

/* The end of a step from y with the same acceleration at its start and end. w: by which nb2 turns. */
static void newmark_end(int n, int second, double dt, double* y, const double* acc, const double* w,
                        double* z) {
  sd_state s = view(n, y), e = view(n, z);
  for (int k = 0; k < 3; k++) {
    e.R0[k] = s.R0[k] + dt * s.v0[k] + dt * dt / 2 * acc[k];
    e.v0[k] = s.v0[k] + dt * acc[k];
    e.w0[k] = s.w0[k] + dt * acc[3 + k];
  }
  for (int k = 0; k < n; k++) {
    e.q[k] = s.q[k] + dt * s.qd[k] + dt * dt / 2 * acc[6 + k];
    e.qd[k] = s.qd[k] + dt * acc[6 + k];
  }
  if (second) {
    turned(w ? w : e.w0, dt, s.A0, e.A0);
    return;
  }
  double Ad[9], Add[9], more[9];
  body_rate(s.A0, s.w0, Ad);
  body_rate(s.A0, acc + 3, Add);
  body_rate(Ad, s.w0, more);
  for (int k = 0; k < 9; k++) e.A0[k] = s.A0[k] + dt * Ad[k] + dt * dt / 2 * (Add[k] + more[k]);
}

static fb_status newmark(sd_robot* r, int second, const sd_forces* f, const double g[3], double dt, double* y,
                         double* work, fb_error* error) {
  int n = r->links.n, ny = 18 + 2 * n;
  double *z = work, *acc = z + ny, w[3];
  fb_status status = forces(r, y, f, g, acc, error);
  if (status) return status;
  newmark_end(n, second, dt, y, acc, NULL, z);
  status = forces(r, z, f, g, acc, error);
  if (status) return status;
  memcpy(w, z + 15, sizeof w);
  newmark_end(n, second, dt, y, acc, w, z);
  memcpy(y, z, (size_t)ny * sizeof *y);
  return FB_OK;
}

fb_status sd_step_v1r2(sd_robot* r, sd_method method, const sd_forces* f, const double g[3], double dt,
                       const double* acc, sd_state* s, double* work, fb_error* error) {
  int n = r->links.n, ny = 18 + 2 * n;
  double *y = work, *rest = work + ny;
  sd_state mine = view(n, y);
  fb_status status = FB_OK;
  copy(n, s, &mine);
  switch (method) {
    case SD_INT_EU:
    case SD_INT_EU2:
      euler(n, method == SD_INT_EU2, dt, acc, y);
      break;
    case SD_RK:
    case SD_RK2:
      status = runge_kutta(r, method == SD_RK2, f, g, dt, y, rest, error);
      break;
    case SD_NB:
    case SD_NB2:
      status = newmark(r, method == SD_NB2, f, g, dt, y, rest, error);
      break;
    case SD_INT_SR: /* v1r2 has none of these */
    case SD_INT_SR2:
      return sd_step(r, method, f, g, dt, acc, s, work, error);
  }
  if (!status) copy(n, &mine, s);
  return status;
}
