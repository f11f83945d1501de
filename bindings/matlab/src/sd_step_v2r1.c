/* sd_step_v2r1.c -- integrators whose results differ in SpaceDyn v2r1, as it computes them
 *
 *   int_eu, int_sr, f_dyn_rk   A0' = A0 w~ with w in inertial axes, A0 never normalised
 *   int_sr2                    the attitude of the first half step is left out
 *   f_dyn_rk                   stages add up: the base moves by about 3 dt v
 *
 * Kept so that old results can be reproduced (freebody_compat('v2r1')). The forces come the dense way, which takes
 * attitudes that are no rotations. */
#include "sd_step_old.h"

#include <string.h>

/* The rate at a state with accelerations acc; A0_of: whose attitude the rate of A0 takes. */
static void rate(int n, sd_state s, const double* A_of, const double* acc, double* yd) {
  sd_state d = view(n, yd);
  memcpy(d.R0, s.v0, 3 * sizeof(double));
  body_rate(A_of, s.w0, d.A0);
  memcpy(d.v0, acc, 3 * sizeof(double));
  memcpy(d.w0, acc + 3, 3 * sizeof(double));
  memcpy(d.q, s.qd, (size_t)n * sizeof(double));
  memcpy(d.qd, acc + 6, (size_t)n * sizeof(double));
}

static void axpy(int ny, double s, const double* yd, double* y) {
  for (int i = 0; i < ny; i++) y[i] += s * yd[i];
}

static fb_status simpson(sd_robot* r, int second, const sd_forces* f, const double g[3], double dt,
                         const double* acc, double* y, double* work, fb_error* error) {
  int n = r->links.n, ny = 18 + 2 * n;
  double *g1 = work, *g2 = g1 + ny, *g3 = g2 + ny, *z = g3 + ny, *a = z + ny, E[9], A[9];
  memcpy(z, y, (size_t)ny * sizeof *z);
  rate(n, view(n, y), y + 3, acc, g1);
  axpy(ny, dt / 2, g1, z);
  if (second) memcpy(z + 3, y + 3, 9 * sizeof *z);
  fb_status status = forces(r, z, f, g, a, error);
  if (status) return status;
  rate(n, view(n, z), z + 3, a, g2);
  sd_aw(z + 15, dt / 2, E);
  sd_mat_mul(E, z + 3, A);
  axpy(ny, dt / 2, g2, z);
  if (second) memcpy(z + 3, A, sizeof A);
  status = forces(r, z, f, g, a, error);
  if (status) return status;
  rate(n, view(n, z), z + 3, a, g3);
  sd_aw(z + 15, dt / 2, E);
  sd_mat_mul(E, z + 3, A);
  for (int i = 0; i < ny; i++) y[i] += dt / 6 * (g1[i] + 4 * g2[i] + g3[i]);
  if (second) memcpy(y + 3, A, sizeof A);
  return FB_OK;
}

/* The stages move the state itself, and each rate takes half of the stage before once more. */
static fb_status stages(sd_robot* r, const sd_forces* f, const double g[3], double dt, double* y,
                        double* work, fb_error* error) {
  static const double MOVE[3] = {0.5, 0.5, 1}, MORE[4] = {0, 0.5, 0.5, 1};
  int n = r->links.n, ny = 18 + 2 * n;
  double *k = work, *z = k + 4 * ny, *a = z + ny, A[9];
  memcpy(A, y + 3, sizeof A);
  for (int i = 0; i < 4; i++) {
    fb_status status = forces(r, y, f, g, a, error);
    if (status) return status;
    memcpy(z, y, (size_t)ny * sizeof *z);
    if (i) axpy(ny, MORE[i], k + (i - 1) * ny, z);
    rate(n, view(n, z), A, a, k + i * ny);
    for (int j = 0; j < ny; j++) k[i * ny + j] *= dt;
    if (i < 3) axpy(ny, MOVE[i], k + i * ny, y);
  }
  for (int i = 0; i < ny; i++) y[i] += (k[i] + 2 * k[ny + i] + 2 * k[2 * ny + i] + k[3 * ny + i]) / 6;
  for (int i = 0; i < 9; i++)
    y[3 + i] = A[i] + (k[3 + i] + 2 * k[ny + 3 + i] + 2 * k[2 * ny + 3 + i] + k[3 * ny + 3 + i]) / 6;
  return FB_OK;
}

fb_status sd_step_v2r1(sd_robot* r, sd_method method, const sd_forces* f, const double g[3], double dt,
                       const double* acc, sd_state* s, double* work, fb_error* error) {
  int n = r->links.n, ny = 18 + 2 * n;
  double *y = work, *rest = work + ny;
  sd_state mine = view(n, y);
  fb_status status = FB_OK;
  copy(n, s, &mine);
  if (method == SD_INT_EU) {
    rate(n, mine, mine.A0, acc, rest);
    axpy(ny, dt, rest, y);
  } else if (method == SD_INT_SR || method == SD_INT_SR2) {
    status = simpson(r, method == SD_INT_SR2, f, g, dt, acc, y, rest, error);
  } else if (method == SD_RK) {
    status = stages(r, f, g, dt, y, rest, error);
  } else {
    return sd_step(r, method, f, g, dt, acc, s, work, error);
  }
  if (!status) copy(n, &mine, s);
  return status;
}
