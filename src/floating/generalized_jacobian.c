/* generalized_jacobian.c -- how a frame and the base move when only the joints are driven
 *
 * With H_b v_b + H_bm v_m = L (linear; angular about the base origin) and G = H_b^-1 H_bm:
 *   v_b = H_b^-1 L - G v_m
 *   frame velocity = J* v_m + J_b H_b^-1 L,        J* = J_m - J_b G
 *   J*' = J_m' - J_b' G - J_b G'
 * (Umetani, Yoshida 1989; [Yoshida 1999] (16)-(22)). When nothing acts from outside, linear momentum P is constant, and
 * angular momentum about the base origin, which moves with v_0, changes by -v_0 x P:
 *   v_b' = H_b^-1 ([0; -v_0 x P] - H_b' v_b - H_bm' v_m - H_bm v_m')
 * Cost O(nv + depth) for a frame. */
#include <string.h>

#include <freebody/jacobian.h>
#include <freebody/kinematics.h>

#include "base/fill_nan.h"
#include "floating/floating.h"

/* y -= A x, A 6 x 6 */
static void subtract_product6(const double A[36], const double x[6], double y[6]) {
  for (int row = 0; row < 6; row++)
    for (int k = 0; k < 6; k++) y[row] -= A[6 * row + k] * x[k];
}

/* The joints' columns of J (6 x nv) less Jb A, A 6 x nj. */
static void take_columns(const fb_floating* f, const double* J, const double Jb[36], const double* A,
                         double* out) {
  int nv = f->m->top.nv;
  for (int j = 0; j < f->nj; j++) {
    double a[6], x[6];
    for (int row = 0; row < 6; row++) {
      a[row] = A[row * f->nj + j];
      x[row] = J ? J[row * nv + f->joints[j]] : out[row * f->nj + j];
    }
    subtract_product6(Jb, a, x);
    for (int row = 0; row < 6; row++) out[row * f->nj + j] = x[row];
  }
}

void fb_floating_jacobian(const fb_floating* f, int frame, double* Jstar) {
  double Jb[36];
  if (!fb_floating_has_frame(f, frame)) {
    fb_fill_nan(Jstar, 6 * f->nj);
    return;
  }
  fb_frame_jacobian_parts(f->m, f->d, frame, Jb, f->J);
  take_columns(f, f->J, Jb, f->G, Jstar);
}

void fb_floating_jacobian_rate(const fb_floating* f, int frame, double* Jstar_dot) {
  double Jb[36], Jb_dot[36];
  if (!fb_floating_has_frame(f, frame) || !f->has_rates) {
    fb_fill_nan(Jstar_dot, 6 * f->nj);
    return;
  }
  fb_frame_jacobian_parts_rate(f->m, f->d, frame, Jb_dot, f->J);
  take_columns(f, f->J, Jb_dot, f->G, Jstar_dot);
  fb_frame_jacobian_parts(f->m, f->d, frame, Jb, NULL);
  take_columns(f, NULL, Jb, f->G_dot, Jstar_dot);
}

void fb_floating_base_velocity(const fb_floating* f, const double* v_m, const double L[6], double v_b[6]) {
  double carried[6], locked[6] = {0};
  fb_floating_apply(f, f->G, v_m, carried);
  if (L) memcpy(locked, L, sizeof locked);
  fb_floating_solve_base(f, locked);
  for (int i = 0; i < 6; i++) v_b[i] = locked[i] - carried[i];
}

void fb_floating_velocity(const fb_floating* f, const double* v_m, const double L[6], double* v) {
  double v_b[6];
  int at = f->m->top.body_v[f->base];
  fb_floating_base_velocity(f, v_m, L, v_b);
  for (int k = 0; k < 6; k++) { /* axes: the joint's, in world axes */
    const double *axis = f->d->axes + 3 * (at + k), *x = v_b + (k < 3 ? 0 : 3);
    v[at + k] = axis[0] * x[0] + axis[1] * x[1] + axis[2] * x[2];
  }
  for (int j = 0; j < f->nj; j++) v[f->joints[j]] = v_m ? v_m[j] : 0;
}

/* y += A v_m at the state, A 6 x nj */
static void add_joint_product(const fb_floating* f, const double* A, double factor, double y[6]) {
  for (int row = 0; row < 6; row++)
    for (int j = 0; j < f->nj; j++) y[row] += factor * A[row * f->nj + j] * f->v[f->joints[j]];
}

static void base_state(const fb_floating* f, double v_b[6]) {
  fb_frame_velocity(f->m, f->d, f->base, v_b, v_b + 3);
}

void fb_floating_momentum(const fb_floating* f, double L[6]) {
  double v_b[6];
  base_state(f, v_b);
  for (int row = 0; row < 6; row++) {
    L[row] = 0;
    for (int k = 0; k < 6; k++) L[row] += f->Hb[6 * row + k] * v_b[k];
  }
  add_joint_product(f, f->Hbm, 1, L);
}

void fb_floating_base_acceleration(const fb_floating* f, const double* vdot_m, double vdot_b[6]) {
  double v_b[6], P[6], carried[6];
  if (!f->has_rates) {
    fb_fill_nan(vdot_b, 6);
    return;
  }
  base_state(f, v_b);
  fb_floating_momentum(f, P);
  const double x[6] = {0,
                       0,
                       0,
                       P[1] * v_b[2] - P[2] * v_b[1],
                       P[2] * v_b[0] - P[0] * v_b[2],
                       P[0] * v_b[1] - P[1] * v_b[0]}; /* P x v_0 */
  memcpy(vdot_b, x, sizeof x);
  subtract_product6(f->Hb_dot, v_b, vdot_b);
  add_joint_product(f, f->Hbm_dot, -1, vdot_b);
  fb_floating_apply(f, f->Hbm, vdot_m, carried);
  for (int i = 0; i < 6; i++) vdot_b[i] -= carried[i];
  fb_floating_solve_base(f, vdot_b);
}
