/* constrained.c -- forward and mixed dynamics with the loops closed
 *
 *   v'_0 = H^-1 (tau + ... - bias),   A f = -(J v'_0 + J' v),   v' = v'_0 + H^-1 J^T f        A = J H^-1 J^T
 *
 * Mixed dynamics of the tree, the accelerations along the rows that it leaves, the forces that take them away, and the
 * response to these. Cost O(n m) and O(m^3) for m rows. */
#include <freebody/loop.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/response.h>

#include "base/fill_nan.h"
#include "constraint/rows.h"
#include "dynamics/columns.h"

/* Forces that prescribed coordinates need, once all accelerations are known. */
static void find_drives(const fb_model* m, fb_data* d, const double* q, const double* v,
                        const unsigned char* prescribed, const fb_loads* loads, const double* vdot,
                        double* tau) {
  double *whole = d->loop_nv, *loops = d->loop_nv + m->top.nv;
  fb_loop_forces(m, d, loops);
  fb_inverse_dynamics(m, d, q, v, vdot, loads, whole);
  for (int k = 0; k < m->top.nv; k++)
    if (prescribed[k]) tau[k] = whole[k] - loops[k];
}

void fb_constrained_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                             const unsigned char* prescribed, const fb_loads* loads, double* vdot,
                             double* tau) {
  assert(fb_data_fits(d, m));
  fb_mixed_dynamics(m, d, q, v, prescribed, loads, vdot, tau);
  if (m->top.nloop == 0) return;
  double *force = d->row_force, *x = d->loop_nv;
  fb_rows_place(m, d, q);
  fb_rows_accelerations(m, d, v, vdot,
                        d->row_rate); /* before responses take the place of the accelerations */
  fb_rows_factor(m, d, prescribed);
  fb_rows_solve(m, d, d->row_rate, force);
  for (int i = 0; i < m->top.nrow; i++) force[i] = -force[i];
  fb_rows_respond(m, d, prescribed, force, x);
  for (int k = 0; k < m->top.nv; k++) vdot[k] += x[k];
  if (prescribed) find_drives(m, d, q, v, prescribed, loads, vdot, tau);
}

void fb_rows_take_away(const fb_model* m, fb_data* d, const unsigned char* prescribed, const double* x,
                       double* away) {
  for (int loop = 0; loop < m->top.nloop; loop++)
    fb_rows_loop_rates(m, d, loop, FB_REC_DA_W, FB_REC_DA_V, x, d->row_rate);
  fb_rows_solve(m, d, d->row_rate, d->row_rate);
  fb_rows_respond(m, d, prescribed, d->row_rate, away);
}

void fb_constrained_columns(const fb_model* m, fb_data* d, const double* q, const unsigned char* prescribed,
                            const fb_row* rows, int count, double* A, double* X) {
  fb_response_begin(m, d, q, prescribed);
  if (m->top.nloop == 0) {
    const fb_row_group all = {.rows = rows, .count = count, .nv = m->top.nv};
    fb_response_columns(m, d, prescribed, &all, A, X);
    return;
  }
  double* back = d->loop_nv + m->top.nv;
  fb_rows_place(m, d, q);
  fb_rows_factor(m, d, prescribed);
  for (int j = 0; j < count; j++) {
    double* x = X ? X + (size_t)j * (size_t)m->top.nv : d->loop_nv;
    fb_response_row(m, d, prescribed, &rows[j], x);
    for (int i = 0; i < count; i++) A[i * count + j] = fb_response_along(m, d, &rows[i], x);
    fb_rows_take_away(m, d, prescribed, x, back);
    for (int i = 0; i < count; i++) A[i * count + j] -= fb_response_along(m, d, &rows[i], back);
    for (int k = 0; X && k < m->top.nv; k++) x[k] -= back[k];
  }
}

void fb_constrained_responses(const fb_model* m, fb_data* d, const double* q, const unsigned char* prescribed,
                              const fb_row* rows, int count, double* A) {
  fb_constrained_columns(m, d, q, prescribed, rows, count, A, NULL);
}

static int take_least(const fb_model* m, fb_data* d, int loop) {
  if (loop < 0 || loop >= m->top.nloop) return 0;
  if (!d->forces_are_least) fb_rows_take_least(m, d, d->row_force);
  d->forces_are_least = 1;
  return 1;
}

void fb_loop_force(const fb_model* m, fb_data* d, int loop, double force[3], double torque[3]) {
  double f[3], t[3];
  if (take_least(m, d, loop)) {
    fb_rows_wrench(m, d, loop, d->row_force, f, t);
  } else {
    fb_fill_nan(f, 3);
    fb_fill_nan(t, 3);
  }
  if (force) memcpy(force, f, sizeof f);
  if (torque) memcpy(torque, t, sizeof t);
}

static void put_wrench(int frame, const double wrench[6], fb_wrench* out) {
  *out = (fb_wrench){.frame = frame};
  memcpy(out->force, wrench, sizeof out->force);
  memcpy(out->torque, wrench + 3, sizeof out->torque);
}

int fb_rows_wrenches(const fb_model* m, fb_data* d, fb_wrench* wrenches) {
  int count = 0;
  for (int i = 0; i < m->top.nloop; i++) {
    double on_b[6], on_a[6];
    if (m->top.loop_type[i] == FB_LOOP_GEAR) continue; /* it acts inside joints */
    fb_loop_force(m, d, i, on_b, on_b + 3);
    fb_rows_opposite(d, i, on_b, on_a);
    put_wrench(m->top.loop_site[2 * i + 1], on_b, &wrenches[count++]);
    put_wrench(m->top.loop_site[2 * i], on_a, &wrenches[count++]);
  }
  return count;
}

double fb_loop_effort(const fb_model* m, fb_data* d, int loop) {
  if (!take_least(m, d, loop)) return NAN;
  return m->top.loop_type[loop] == FB_LOOP_GEAR ? d->row_force[m->top.loop_row[loop]] : 0;
}

void fb_loop_forces(const fb_model* m, const fb_data* d, double* tau) {
  memset(tau, 0, (size_t)m->top.nv * sizeof *tau);
  fb_rows_push(m, d, d->row_force, tau);
}

void fb_loop_errors(const fb_model* m, fb_data* d, const double* q, double* error) {
  if (m->top.nloop == 0) return;
  fb_kinematics(m, d, q, NULL, NULL);
  fb_rows_place(m, d, q);
  for (int i = 0; i < m->top.nloop; i++) error[i] = fb_rows_worst_error(m, d, i);
}

void fb_loops_measure(const fb_model* m, fb_data* d, const double* q) {
  int poses = 0;
  for (int i = 0; i < m->top.nloop; i++) {
    if (m->top.loop_type[i] != FB_LOOP_DISTANCE || !isnan(d->loop_length[i])) continue;
    if (!poses++) fb_kinematics(m, d, q, NULL, NULL);
    d->loop_length[i] = fb_rows_distance(m, d, i);
  }
}
