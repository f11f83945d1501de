/* sd_dense.c -- the inertia matrix and generalized forces from given attitudes and positions, and the dense way
 *
 *   HH = sum over bodies of J^T diag(m, I) J, J = [J_t; J_r] over base and joints      ([Yoshida 1999] (18)-(24))
 *   F_i, N_i from the tips inward                                                      ((30)-(39) as corrected)
 *   HH acc = [F0; T0; tau] + sum of J_e^T [Fe; Te] - r_ne(acc = 0)
 *
 * O(n^2) numbers, O(n^3) time. f_dyn itself is solved in O(n) (sd_dynamics.c); this way takes attitudes that are not
 * orthonormal and inertias that are not symmetric, as SpaceDyn does, and is what freebody_compat('v2r1') uses. */
#include "sd.h"

#include <math.h>
#include <string.h>

size_t sd_work_size(int n) {
  size_t k = (size_t)n, dense = (6 + k) * (6 + k);
  return dense + 6 * k * k + 60 * k + 64;
}

/* Adds the part of a body with mass m and inertia I (inertial axes) at r from the base. J_t, J_r: 3 x n or NULL. */
static void add_body(int n, double m, const double I[9], const double r[3], const double* J_t,
                     const double* J_r, double* HH) {
  int rows = 6 + n;
  for (int c = 0; c < rows; c++) {
    double t[3] = {0, 0, 0}, w[3] = {0, 0, 0}, Iw[3];
    if (c < 3) {
      t[c] = 1;
    } else if (c < 6) {
      w[c - 3] = 1;
      sd_cross(w, r, t);
    } else if (J_t) {
      memcpy(t, J_t + 3 * (c - 6), sizeof t);
      memcpy(w, J_r + 3 * (c - 6), sizeof w);
    } else {
      return;
    }
    for (int k = 0; k < 3; k++) t[k] *= m;
    sd_mul(I, w, Iw);
    double* column = HH + (size_t)rows * (size_t)c;
    double moment[3];
    sd_cross(r, t, moment);
    for (int k = 0; k < 3; k++) column[k] += t[k];
    for (int k = 0; k < 3; k++) column[3 + k] += moment[k] + Iw[k];
    for (int j = 0; J_t && j < n; j++) {
      const double *a = J_t + 3 * j, *b = J_r + 3 * j;
      column[6 + j] += a[0] * t[0] + a[1] * t[1] + a[2] * t[2] + b[0] * Iw[0] + b[1] * Iw[1] + b[2] * Iw[2];
    }
  }
}

/* work: 6 n n. */
void sd_hh(const sd_links* l, const double* R0, const double* RR, const double* A0, const double* AA,
           double* HH, double* work) {
  size_t n = (size_t)l->n;
  double *JJ_t = work, *JJ_r = work + 3 * n * n, I[9];
  memset(HH, 0, (6 + n) * (6 + n) * sizeof *HH);
  sd_jt(l, RR, AA, JJ_t);
  sd_jr(l, AA, JJ_r);
  sd_rotate_inertia(A0, l->inertia0, I);
  add_body(l->n, l->m0, I, (const double[3]){0, 0, 0}, NULL, NULL, HH);
  for (size_t i = 0; i < n; i++) {
    double r[3];
    for (int k = 0; k < 3; k++) r[k] = RR[3 * i + (size_t)k] - R0[k];
    sd_rotate_inertia(AA + 9 * i, l->inertia + 9 * i, I);
    add_body(l->n, l->m[i], I, r, JJ_t + 3 * n * i, JJ_r + 3 * n * i, HH);
  }
  for (size_t j = 0; j < n; j++)
    for (size_t k = 0; k < 6; k++) HH[6 + j + (6 + n) * k] = HH[k + (6 + n) * (6 + j)];
}

/* Force and moment about the centroid that a body's motion needs. */
static void inertial_load(double m, const double I[9], const double A[9], const double g[3], const double* w,
                          const double* a, const double* alpha, double* F, double* N) {
  double I_w[9], h[3];
  sd_rotate_inertia(A, I, I_w);
  for (int k = 0; k < 3; k++) F[k] = m * (a[k] - g[k]);
  sd_mul(I_w, alpha, N);
  sd_mul(I_w, w, h);
  sd_add_cross(1, w, h, N);
}

/* sign: -1 for loads on the robot, as f_dyn takes them; +1 is v2r1's. work: 6 n. */
void sd_r_ne(const sd_links* l, const double* A0, const double* AA, const double g[3], const double* w0,
             const double* vd0, const double* wd0, const double* q, const double* ww, const double* vd,
             const double* wd, const double* Fe, const double* Te, double sign, double* force, double* work) {
  int n = l->n;
  double *f = work,
         *t = work + 3 * n; /* through joint i, moments about the joint's place in the link below */
  double F[3], N[3], arm[3], local[3];
  memset(work, 0, 6 * (size_t)n * sizeof *work);
  inertial_load(l->m0, l->inertia0, A0, g, w0, vd0, wd0, force, force + 3);
  for (int i = n - 1; i >= 0; i--) {
    const double *A = AA + 9 * i, *axis = A + 6, *c = l->cc + 3 * (i + n * i);
    double slide = l->type[i] == 'P' ? q[i] : 0;
    double *fi = f + 3 * i, *ti = t + 3 * i; /* the children have added theirs */
    inertial_load(l->m[i], l->inertia + 9 * i, A, g, ww + 3 * i, vd + 3 * i, wd + 3 * i, F, N);
    for (int k = 0; k < 3; k++) fi[k] += F[k], ti[k] += N[k];
    for (int k = 0; k < 3; k++) local[k] = -c[k] + (k == 2 ? slide : 0);
    sd_mul(A, local, arm);
    sd_add_cross(1, arm, F, ti);
    if (l->SE[i]) {
      for (int k = 0; k < 3; k++) fi[k] += sign * Fe[3 * i + k], ti[k] += sign * Te[3 * i + k];
      for (int k = 0; k < 3; k++) local[k] = l->ce[3 * i + k] - c[k] + (k == 2 ? slide : 0);
      sd_mul(A, local, arm);
      sd_add_cross(sign, arm, Fe + 3 * i, ti);
    }
    const double* along = l->type[i] == 'P' ? fi : ti;
    force[6 + i] = along[0] * axis[0] + along[1] * axis[1] + along[2] * axis[2];
    int b = l->BB[i] - 1;
    if (b >= 0) {
      const double *at = l->cc + 3 * (b + n * i), *own = l->cc + 3 * (b + n * b);
      double below = l->type[b] == 'P' ? q[b] : 0;
      for (int k = 0; k < 3; k++) local[k] = at[k] - own[k] + (k == 2 ? below : 0);
      sd_mul(AA + 9 * b, local, arm);
    } else {
      sd_mul(A0, l->c0 + 3 * i, arm);
    }
    double *to_f = b >= 0 ? f + 3 * b : force, *to_t = b >= 0 ? t + 3 * b : force + 3;
    for (int k = 0; k < 3; k++) to_f[k] += fi[k], to_t[k] += ti[k];
    sd_add_cross(1, arm, fi, to_t);
  }
}

/* Gaussian elimination with partial pivoting, as HH\x. */
int sd_solve(int n, double* A, int columns, double* B) {
  size_t rows = (size_t)n;
  for (size_t c = 0; c < rows; c++) {
    size_t pivot = c;
    for (size_t r = c + 1; r < rows; r++)
      if (fabs(A[r + rows * c]) > fabs(A[pivot + rows * c])) pivot = r;
    double p = A[pivot + rows * c];
    if (!(fabs(p) > 0)) return 1;
    for (size_t k = 0; k < rows && pivot != c; k++) {
      double x = A[c + rows * k];
      A[c + rows * k] = A[pivot + rows * k], A[pivot + rows * k] = x;
    }
    for (size_t k = 0; k < (size_t)columns && pivot != c; k++) {
      double x = B[c + rows * k];
      B[c + rows * k] = B[pivot + rows * k], B[pivot + rows * k] = x;
    }
    for (size_t r = c + 1; r < rows; r++) {
      double factor = A[r + rows * c] / p;
      if (factor == 0) continue;
      for (size_t k = c + 1; k < rows; k++) A[r + rows * k] -= factor * A[c + rows * k];
      for (size_t k = 0; k < (size_t)columns; k++) B[r + rows * k] -= factor * B[c + rows * k];
    }
  }
  for (size_t k = 0; k < (size_t)columns; k++)
    for (size_t c = rows; c-- > 0;) {
      double* b = B + rows * k;
      for (size_t j = c + 1; j < rows; j++) b[c] -= A[c + rows * j] * b[j];
      b[c] /= A[c + rows * c];
    }
  return 0;
}

/* acc += J_e^T [Fe; Te] of every end-point. */
static void add_end_loads(const sd_links* l, const double* R0, const double* RR, const double* AA,
                          const double* Fe, const double* Te, double* acc) {
  for (int i = 0; i < l->n; i++) {
    if (!l->SE[i]) continue;
    const double *F = Fe + 3 * i, *T = Te + 3 * i;
    double end[3], arm[3];
    sd_end_point(l, RR, AA, i, end, NULL);
    for (int k = 0; k < 3; k++) arm[k] = end[k] - R0[k], acc[k] += F[k], acc[3 + k] += T[k];
    sd_add_cross(1, arm, F, acc + 3);
    for (int b = i + 1; b; b = l->BB[b - 1]) {
      double J[3], R[3];
      int j = b - 1;
      const int path[2] = {j, i};
      double pair[6];
      sd_jte(l, RR, AA, NULL, path, 2, pair);
      memcpy(J, pair, sizeof J);
      sd_jre(l, AA, &j, 1, R);
      for (int k = 0; k < 3; k++) acc[6 + j] += J[k] * F[k] + R[k] * T[k];
    }
  }
}

int sd_f_dyn_dense(sd_robot* r, const sd_state* s, const sd_forces* f, const double g[3], double* acc) {
  const sd_links* l = &r->links;
  size_t n = (size_t)l->n;
  double* HH = r->work;
  double* scratch = HH + (6 + n) * (6 + n); /* 6 n n for sd_hh; 6 n for sd_r_ne */
  double *AA = scratch + 6 * n * n, *RR = AA + 9 * n, *vv = RR + 3 * n, *ww = vv + 3 * n, *vd = ww + 3 * n;
  double *wd = vd + 3 * n, *zero = wd + 3 * n, *bias = zero + 6 * n + 6, *own = bias + n + 6;
  memset(zero, 0, (6 * n + 6) * sizeof *zero);
  sd_aa(l, s->A0, s->q, AA);
  sd_pos(l, s->R0, s->A0, AA, s->q, RR);
  sd_hh(l, s->R0, RR, s->A0, AA, HH, scratch);
  sd_vel(l, s->A0, AA, s->v0, s->w0, s->q, s->qd, vv, ww);
  sd_acc(l, s->A0, AA, s->w0, ww, zero, zero, s->q, s->qd, zero, vd, wd);
  sd_r_ne(l, s->A0, AA, g, s->w0, zero, zero, s->q, ww, vd, wd, zero, zero, -1, bias, own);
  for (size_t k = 0; k < 3; k++) acc[k] = f->F0[k] - bias[k], acc[3 + k] = f->T0[k] - bias[3 + k];
  for (size_t k = 0; k < n; k++) acc[6 + k] = f->tau[k] - bias[6 + k];
  add_end_loads(l, s->R0, RR, AA, f->Fe, f->Te, acc);
  return sd_solve(6 + l->n, HH, 1, acc);
}
