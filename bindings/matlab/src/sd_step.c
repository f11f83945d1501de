/* sd_step.c -- one step of SpaceDyn's integrators
 *
 * The state is one vector y = (R0, attitude, q, v0, w0, qd), its rate (v0, attitude rate, qd, vd0, wd0, qdd). The
 * attitude is A0 with A0' = w~ A0, or a quaternion. Forces are constant over the step.
 *
 *   int_eu    y + dt y'                                                          order 1
 *   int_eu2   the same, A0 by exp(w dt)                                          1
 *   int_sr    Simpson's weights on two half steps of Euler                       2
 *   int_sr2   the same, A0 by exp of the weighted mean of w                      2
 *   f_dyn_rk, f_dyn_rk2   classical Runge-Kutta on A0, on the quaternion         4
 *   f_dyn_nb, f_dyn_nb2   Newmark, beta 1/6, gamma 1/2, iterated until it holds  2
 *
 * A0 is brought back to the nearest rotation wherever it is integrated as a matrix. */
#include "sd.h"

#include <math.h>
#include <string.h>

typedef struct stepping {
  sd_robot* r;
  const sd_forces* f;
  const double* g;
  int n, natt, ny; /* natt: 9 for A0, 4 for a quaternion */
} stepping;

size_t sd_step_size(int n) {
  return 8 * (2 * (size_t)n + 18) + 9;
}

static void pack(const stepping* o, const sd_state* s, double* y) {
  size_t n = (size_t)o->n;
  memcpy(y, s->R0, 3 * sizeof *y);
  if (o->natt == 4) {
    double C[9];
    fb_rot_transpose(s->A0, C);
    sd_dc2qtn(C, y + 3);
  } else {
    memcpy(y + 3, s->A0, 9 * sizeof *y);
  }
  double* rest = y + 3 + o->natt;
  memcpy(rest, s->q, n * sizeof *y);
  memcpy(rest + n, s->v0, 3 * sizeof *y);
  memcpy(rest + n + 3, s->w0, 3 * sizeof *y);
  memcpy(rest + n + 6, s->qd, n * sizeof *y);
}

/* A0 of a state; A is where it is put if it must be computed. */
static double* attitude(const stepping* o, double* y, double* A) {
  if (o->natt == 9) return y + 3;
  double C[9];
  sd_qtn2dc(y + 3, C);
  fb_rot_transpose(C, A);
  return A;
}

static sd_state view(const stepping* o, double* y, double* A) {
  double* rest = y + 3 + o->natt;
  return (sd_state){.R0 = y,
                    .A0 = attitude(o, y, A),
                    .q = rest,
                    .v0 = rest + o->n,
                    .w0 = rest + o->n + 3,
                    .qd = rest + o->n + 6};
}

static void normalise(const stepping* o, double* y) {
  if (o->natt == 9) {
    sd_nearest_rotation(y + 3);
    return;
  }
  double norm = sqrt(y[3] * y[3] + y[4] * y[4] + y[5] * y[5] + y[6] * y[6]);
  for (int k = 3; k < 7; k++) y[k] /= norm;
}

/* The rate of y; acc is computed unless it is given. */
static fb_status rate(const stepping* o, double* y, const double* acc, double* yd, fb_error* error) {
  size_t n = (size_t)o->n;
  double A[9];
  sd_state s = view(o, y, A);
  double* rest = yd + 3 + o->natt;
  memcpy(yd, s.v0, 3 * sizeof *yd);
  if (o->natt == 4)
    sd_w2dqtn(s.w0, y + 3, yd + 3);
  else
    for (int c = 0; c < 3; c++) sd_cross(s.w0, y + 3 + 3 * c, yd + 3 + 3 * c);
  memcpy(rest, s.qd, n * sizeof *yd);
  if (!acc) return sd_f_dyn(o->r, &s, o->f, o->g, rest + n, error);
  memcpy(rest + n, acc, (6 + n) * sizeof *yd);
  return FB_OK;
}

static void axpy(int n, const double* y, double s, const double* yd, double* out) {
  for (int i = 0; i < n; i++) out[i] = y[i] + s * yd[i];
}

static fb_status runge_kutta(const stepping* o, double dt, double* y, double* work, fb_error* error) {
  static const double AT[3] = {0.5, 0.5, 1};
  int ny = o->ny;
  double *k = work, *z = work + 4 * ny;
  fb_status status = rate(o, y, NULL, k, error);
  for (int i = 0; i < 3 && !status; i++) {
    axpy(ny, y, AT[i] * dt, k + i * ny, z);
    normalise(o, z);
    status = rate(o, z, NULL, k + (i + 1) * ny, error);
  }
  if (status) return status;
  for (int i = 0; i < ny; i++) y[i] += dt * (k[i] + 2 * k[ny + i] + 2 * k[2 * ny + i] + k[3 * ny + i]) / 6;
  normalise(o, y);
  return FB_OK;
}

/* exp(dt w) A0 */
static void turn(const double w[3], double dt, const double* A0, double* A) {
  double E[9];
  sd_aw(w, dt, E);
  sd_mat_mul(E, A0, A);
}

static fb_status simpson(const stepping* o, double dt, const double* acc, int by_exp, double* y, double* work,
                         fb_error* error) {
  int ny = o->ny, w_at = 12 + o->n + 3;
  double *g1 = work, *g2 = work + ny, *g3 = work + 2 * ny, *z = work + 3 * ny, A[9];
  fb_status status = rate(o, y, acc, g1, error);
  if (status) return status;
  axpy(ny, y, dt / 2, g1, z);
  if (by_exp) turn(y + w_at, dt / 2, y + 3, z + 3);
  normalise(o, z);
  double w2[3] = {z[w_at], z[w_at + 1], z[w_at + 2]};
  memcpy(A, z + 3, sizeof A);
  status = rate(o, z, NULL, g2, error);
  if (status) return status;
  axpy(ny, z, dt / 2, g2, z);
  if (by_exp) turn(w2, dt / 2, A, z + 3);
  normalise(o, z);
  status = rate(o, z, NULL, g3, error);
  if (status) return status;
  double mean[3];
  for (int k = 0; k < 3; k++) mean[k] = (y[w_at + k] + 4 * w2[k] + z[w_at + k]) / 6;
  memcpy(A, y + 3, sizeof A);
  for (int i = 0; i < ny; i++) y[i] += dt / 6 * (g1[i] + 4 * g2[i] + g3[i]);
  if (by_exp) turn(mean, dt, A, y + 3);
  normalise(o, y);
  return FB_OK;
}

/* The state at the end of the step for accelerations a0 at its start and a1 at its end. */
static void newmark_state(const stepping* o, double dt, const double* y, const double* a0, const double* a1,
                          int by_exp, double* z) {
  const double beta = 1.0 / 6;
  int n = o->n, q_at = 12, v_at = 12 + n;
  double A[9];
  memcpy(A, z + 3, sizeof A); /* of the last iteration */
  for (int k = 0; k < 6 + n; k++) z[v_at + k] = y[v_at + k] + dt / 2 * (a0[k] + a1[k]);
  for (int k = 0; k < 3; k++)
    z[k] = y[k] + dt * y[v_at + k] + dt * dt * ((0.5 - beta) * a0[k] + beta * a1[k]);
  for (int k = 0; k < n; k++)
    z[q_at + k] =
        y[q_at + k] + dt * y[v_at + 6 + k] + dt * dt * ((0.5 - beta) * a0[6 + k] + beta * a1[6 + k]);
  const double *w0 = y + v_at + 3, *w1 = z + v_at + 3;
  if (by_exp) {
    double mean[3] = {(w0[0] + w1[0]) / 2, (w0[1] + w1[1]) / 2, (w0[2] + w1[2]) / 2};
    turn(mean, dt, y + 3, z + 3);
    return;
  }
  for (int c = 0; c < 3; c++) { /* the trapezoidal rule */
    memcpy(z + 3 + 3 * c, y + 3 + 3 * c, 3 * sizeof *z);
    sd_add_cross(dt / 2, w0, y + 3 + 3 * c, z + 3 + 3 * c);
    sd_add_cross(dt / 2, w1, A + 3 * c, z + 3 + 3 * c);
  }
  sd_nearest_rotation(z + 3);
}

static fb_status newmark(const stepping* o, double dt, int by_exp, double* y, double* work, fb_error* error) {
  enum { MOST = 100 };
  int ny = o->ny, na = 6 + o->n;
  double *a0 = work, *a1 = work + ny, *next = work + 2 * ny, *z = work + 3 * ny, A[9];
  sd_state s = view(o, y, A);
  fb_status status = sd_f_dyn(o->r, &s, o->f, o->g, a0, error);
  memcpy(a1, a0, (size_t)na * sizeof *a1);
  memcpy(z, y, (size_t)ny * sizeof *z);
  for (int i = 0; i < MOST && !status; i++) {
    newmark_state(o, dt, y, a0, a1, by_exp, z);
    sd_state end = view(o, z, A);
    status = sd_f_dyn(o->r, &end, o->f, o->g, next, error);
    double change = 0, scale = 1;
    for (int k = 0; k < na; k++) {
      change = fmax(change, fabs(next[k] - a1[k]));
      scale = fmax(scale, fabs(next[k]));
    }
    memcpy(a1, next, (size_t)na * sizeof *a1);
    if (status || change > 1e-13 * scale) continue;
    newmark_state(o, dt, y, a0, a1, by_exp, z);
    memcpy(y, z, (size_t)ny * sizeof *y);
    return FB_OK;
  }
  if (status) return status;
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "Newmark's iteration does not settle with d_time = %g; make it shorter", dt);
}

static void unpack(const stepping* o, double* y, sd_state* s) {
  size_t n = (size_t)o->n;
  double A[9];
  sd_state from = view(o, y, A);
  memcpy(s->R0, from.R0, 3 * sizeof *y);
  memcpy(s->A0, from.A0, 9 * sizeof *y);
  memcpy(s->v0, from.v0, 3 * sizeof *y);
  memcpy(s->w0, from.w0, 3 * sizeof *y);
  memcpy(s->q, from.q, n * sizeof *y);
  memcpy(s->qd, from.qd, n * sizeof *y);
}

static fb_status euler(const stepping* o, double dt, const double* acc, int by_exp, double* y, double* work,
                       fb_error* error) {
  double A[9], w[3];
  fb_status status = rate(o, y, acc, work, error);
  if (status) return status;
  memcpy(A, y + 3, sizeof A);
  memcpy(w, y + 12 + o->n + 3, sizeof w);
  axpy(o->ny, y, dt, work, y);
  if (by_exp)
    turn(w, dt, A, y + 3);
  else
    normalise(o, y);
  return FB_OK;
}

fb_status sd_step(sd_robot* r, sd_method method, const sd_forces* f, const double g[3], double dt,
                  const double* acc, sd_state* s, double* work, fb_error* error) {
  stepping o = {.r = r, .f = f, .g = g, .n = r->links.n, .natt = method == SD_RK2 ? 4 : 9};
  o.ny = 9 + o.natt + 2 * o.n;
  double *y = work, *rest = work + o.ny;
  fb_status status = FB_OK;
  pack(&o, s, y);
  switch (method) {
    case SD_INT_EU:
    case SD_INT_EU2:
      status = euler(&o, dt, acc, method == SD_INT_EU2, y, rest, error);
      break;
    case SD_INT_SR:
    case SD_INT_SR2:
      status = simpson(&o, dt, acc, method == SD_INT_SR2, y, rest, error);
      break;
    case SD_RK:
    case SD_RK2:
      status = runge_kutta(&o, dt, y, rest, error);
      break;
    case SD_NB:
    case SD_NB2:
      status = newmark(&o, dt, method == SD_NB2, y, rest, error);
      break;
  }
  if (!status) unpack(&o, y, s);
  return status;
}
