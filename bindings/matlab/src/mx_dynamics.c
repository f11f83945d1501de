/* mx_dynamics.c -- calc_hh, calc_gj, calc_gj11, r_ne, f_dyn, f_dyn_f0 */
#include "mx.h"

#include <string.h>

#define LIST(...)      \
  (const int[]) {      \
    __VA_ARGS__, Q_END \
  }
#define X(name) c->x[Q_##name]

static size_t n_of(const mx_call* c) {
  return (size_t)c->robot->links.n;
}

static double* room(size_t count) {
  return mxMalloc((count + 1) * sizeof(double));
}

static void calc_hh(mx_call* c) {
  mx_begin(c, LIST(Q_R0, Q_RR, Q_A0, Q_AA), 0, MX_VALUE);
  c->plhs[0] = mx_matrix(6 + n_of(c), 6 + n_of(c), NULL);
  sd_hh(&c->robot->links, X(R0), X(RR), X(A0), X(AA), mxGetPr(c->plhs[0]), c->robot->work);
}

/* J* = Jm - Js Hs^-1 Hm, 6 x n, and Js Hs^-1 L, where L is given. HH: (6+n) square. */
static void generalized_jacobian(mx_call* c, int num_e, const double* HH, const double* L, double* GJ,
                                 double* part) {
  const sd_links* l = &c->robot->links;
  size_t n = n_of(c), rows = 6 + n;
  int end = sd_end_link(l, num_e);
  int* joints = mxMalloc((n + 1) * sizeof *joints);
  int count = sd_path(l, end, joints);
  double Js[36] = {0}, Hs[36], pe[3], *solved = room(6 * (n + 1));
  sd_je(l, X(RR), X(AA), X(q), joints, count, GJ, solved);
  sd_end_point(l, X(RR), X(AA), end, pe, NULL);
  double r[3] = {pe[0] - X(R0)[0], pe[1] - X(R0)[1], pe[2] - X(R0)[2]};
  for (int k = 0; k < 6; k++) Js[7 * k] = 1;
  Js[19] = -r[2], Js[20] = r[1], Js[24] = r[2], Js[26] = -r[0], Js[30] = -r[1], Js[31] = r[0]; /* -r~ */
  for (size_t k = 0; k < 6; k++) memcpy(Hs + 6 * k, HH + rows * k, 6 * sizeof *Hs);
  for (size_t k = 0; k < n; k++) memcpy(solved + 6 * k, HH + rows * (6 + k), 6 * sizeof *Hs);
  memset(solved + 6 * n, 0, 6 * sizeof *solved);
  if (L) memcpy(solved + 6 * n, L, 6 * sizeof *L);
  if (sd_solve(6, Hs, (int)n + 1, solved))
    mx_fail(c, "FB_ERR_NO_SOLUTION", "the inertia matrix of the base is singular; check masses and inertias");
  for (size_t k = 0; k <= n; k++)
    for (size_t i = 0; i < 6; i++) {
      double sum = 0;
      for (size_t j = 0; j < 6; j++) sum += Js[i + 6 * j] * solved[6 * k + j];
      if (k < n)
        GJ[6 * k + i] -= sum;
      else if (part)
        part[i] = sum;
    }
}

static int end_point_argument(const mx_call* c, int argument) {
  int ends = 0;
  for (size_t i = 0; i < n_of(c); i++) ends += c->robot->links.SE[i];
  if (ends == 0) mx_fail(c, "value", "the robot has no end-points: SE is zero");
  return mx_index(c, argument, "num_e", ends);
}

static void calc_gj(mx_call* c) {
  mx_begin(c, LIST(Q_R0, Q_RR, Q_A0, Q_AA, Q_q), 1, MX_VALUE);
  int num_e = end_point_argument(c, c->extra);
  double* HH = room((6 + n_of(c)) * (6 + n_of(c)));
  sd_hh(&c->robot->links, X(R0), X(RR), X(A0), X(AA), HH, c->robot->work);
  c->plhs[0] = mx_matrix(6, n_of(c), NULL);
  generalized_jacobian(c, num_e, HH, NULL, mxGetPr(c->plhs[0]), NULL);
}

static void calc_gj11(mx_call* c) {
  mx_begin(c, LIST(Q_R0, Q_RR, Q_A0, Q_AA, Q_q), 3, MX_VALUE);
  if (c->nrhs < c->extra + 3)
    mx_fail(c, "argument", "too few arguments: L, num_e and HH must follow; help calc_gj11 shows the call");
  const double* L = mx_doubles(c, c->prhs[c->extra], "L", 6, 1);
  int num_e = end_point_argument(c, c->extra + 1);
  const double* HH = mx_doubles(c, c->prhs[c->extra + 2], "HH", (6 + n_of(c)) * (6 + n_of(c)), 1);
  mxArray *GJ = mx_matrix(6, n_of(c), NULL), *part = mx_matrix(6, 1, NULL);
  generalized_jacobian(c, num_e, HH, L, mxGetPr(GJ), mxGetPr(part));
  mx_give(c, "GJ", GJ);
  mx_give(c, "Addtherm", part);
}

static void r_ne(mx_call* c) {
  mx_begin(c, LIST(Q_R0, Q_RR, Q_A0, Q_AA, Q_v0, Q_w0, Q_vd0, Q_wd0, Q_q, Q_qd, Q_qdd, Q_Fe, Q_Te), 0,
           MX_VALUE);
  const sd_links* l = &c->robot->links;
  size_t n = n_of(c);
  double *vv = room(18 * n), *ww = vv + 3 * n, *vd = ww + 3 * n, *wd = vd + 3 * n, *work = wd + 3 * n, g[3];
  mx_gravity(c, g);
  c->plhs[0] = mx_matrix(6 + n, 1, NULL);
  sd_vel(l, X(A0), X(AA), X(v0), X(w0), X(q), X(qd), vv, ww);
  sd_acc(l, X(A0), X(AA), X(w0), ww, X(vd0), X(wd0), X(q), X(qd), X(qdd), vd, wd);
  sd_r_ne(l, X(A0), X(AA), g, X(w0), X(vd0), X(wd0), X(q), ww, vd, wd, X(Fe), X(Te),
          mx_compat == MX_V2R1 ? 1 : -1, mxGetPr(c->plhs[0]), work);
}

/* Velocity and gravity terms, as r_ne with zero accelerations and no loads. */
static mxArray* force0(const mx_call* c, const double* AA, const double* ww, const double g[3]) {
  const sd_links* l = &c->robot->links;
  size_t n = n_of(c);
  double *zero = mxCalloc(6 * n + 6, sizeof *zero), *vd = room(12 * n), *wd = vd + 3 * n, *work = wd + 3 * n;
  mxArray* out = mx_matrix(6 + n, 1, NULL);
  sd_acc(l, X(A0), AA, X(w0), ww, zero, zero, X(q), X(qd), zero, vd, wd);
  sd_r_ne(l, X(A0), AA, g, X(w0), zero, zero, X(q), ww, vd, wd, zero, zero, -1, mxGetPr(out), work);
  return out;
}

static mxArray* per_joint(const mx_call* c, size_t columns, double** data) {
  mxArray* a = n_of(c) ? mxCreateDoubleMatrix(3, (mwSize)columns, mxREAL) : mx_empty();
  *data = mxGetPr(a);
  return a;
}

/* Links' quantities into SV: attitudes and positions, and unless v2r1 is asked for velocities and accelerations. */
static void give_links(mx_call* c, const double* acc, int with_force0, const double g[3]) {
  const sd_links* l = &c->robot->links;
  double *AA, *RR, *vv, *ww, *vd, *wd;
  size_t n = n_of(c);
  mxArray *AA_ = per_joint(c, 3 * n, &AA), *RR_ = per_joint(c, n, &RR), *vv_ = per_joint(c, n, &vv);
  mxArray *ww_ = per_joint(c, n, &ww), *vd_ = per_joint(c, n, &vd), *wd_ = per_joint(c, n, &wd);
  sd_aa(l, X(A0), X(q), AA);
  sd_pos(l, X(R0), X(A0), AA, X(q), RR);
  sd_vel(l, X(A0), AA, X(v0), X(w0), X(q), X(qd), vv, ww);
  sd_acc(l, X(A0), AA, X(w0), ww, acc, acc + 3, X(q), X(qd), acc + 6, vd, wd);
  if (with_force0) mx_give(c, "Force10", force0(c, AA, ww, g));
  mx_give(c, "AA", AA_);
  mx_give(c, "RR", RR_);
  if (mx_compat == MX_V2R1) return;
  mx_give(c, "vv", vv_);
  mx_give(c, "ww", ww_);
  mx_give(c, "vd", vd_);
  mx_give(c, "wd", wd_);
}

static void forward(mx_call* c, int with_force0) {
  fb_error error;
  mx_begin(c, LIST(Q_R0, Q_A0, Q_v0, Q_w0, Q_q, Q_qd, Q_F0, Q_T0, Q_Fe, Q_Te, Q_tau), 0, MX_STATE);
  sd_robot* r = c->robot;
  size_t n = n_of(c);
  double g[3], *acc = r->a;
  mx_gravity(c, g);
  sd_state s = {.R0 = (double*)X(R0),
                .A0 = (double*)X(A0),
                .v0 = (double*)X(v0),
                .w0 = (double*)X(w0),
                .q = (double*)X(q),
                .qd = (double*)X(qd)};
  sd_forces f = {.F0 = X(F0), .T0 = X(T0), .Fe = X(Fe), .Te = X(Te), .tau = X(tau)};
  if (mx_compat != MX_CORRECTED) {
    if (sd_f_dyn_dense(r, &s, &f, g, acc))
      mx_fail(c, "FB_ERR_NO_SOLUTION", "the inertia matrix is singular; check masses and inertias");
  } else {
    mx_check(c, sd_f_dyn(r, &s, &f, g, acc, &error), &error);
  }
  mxArray *vd0 = mx_matrix(3, 1, acc), *wd0 = mx_matrix(3, 1, acc + 3),
          *qdd = n || c->v2 ? mx_matrix(n, 1, acc + 6) : mx_empty();
  if (c->v2) give_links(c, acc, with_force0, g);
  mx_give(c, "vd0", vd0);
  mx_give(c, "wd0", wd0);
  mx_give(c, "qdd", qdd);
  if (c->v2 || !with_force0 || c->nlhs < 4) return;
  double *AA = room(12 * n), *vv = room(6 * n), *ww = vv + 3 * n;
  sd_aa(&r->links, X(A0), X(q), AA);
  sd_vel(&r->links, X(A0), AA, X(v0), X(w0), X(q), X(qd), vv, ww);
  mx_give(c, "Force0", force0(c, AA, ww, g));
}

static void f_dyn(mx_call* c) {
  forward(c, 0);
}
static void f_dyn_f0(mx_call* c) {
  forward(c, 1);
}

const mx_function MX_DYNAMICS[] = {
    {"f_dyn", f_dyn}, {"calc_hh", calc_hh},   {"calc_gj", calc_gj}, {"calc_gj11", calc_gj11},
    {"r_ne", r_ne},   {"f_dyn_f0", f_dyn_f0}, {NULL, NULL}};
