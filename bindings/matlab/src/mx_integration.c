/* mx_integration.c -- int_eu, int_eu2, int_sr, int_sr2, f_dyn_rk, f_dyn_rk2, f_dyn_nb, f_dyn_nb2
 *
 * v2:  SV = f(LP, SV),  [SV, log] = f_dyn_rk2(LP, SV, steps)
 * v1:  [R0, A0, v0, w0, q, qd] = f(...) */
#include "mx.h"

#include <string.h>

#define X(name) c->x[Q_##name]

static const int WITH_FORCES[] = {Q_R0, Q_A0, Q_v0, Q_w0, Q_q, Q_qd, Q_F0, Q_T0, Q_Fe, Q_Te, Q_tau, Q_END};
static const int WITH_RATES[] = {Q_R0, Q_A0, Q_v0, Q_w0, Q_vd0, Q_wd0, Q_q, Q_qd, Q_qdd, Q_END};
static const int WITH_BOTH[] = {Q_R0,  Q_A0, Q_v0, Q_w0, Q_vd0, Q_wd0, Q_q,  Q_qd,
                                Q_qdd, Q_F0, Q_T0, Q_Fe, Q_Te,  Q_tau, Q_END};

/* The state while it is stepped; a copy, since the arguments must not change. */
typedef struct motion {
  sd_state s;
  sd_forces f;
  double g[3], dt, *acc, *work;
} motion;

static motion start(mx_call* c) {
  size_t n = (size_t)c->robot->links.n;
  double* x = mxMalloc((18 + 2 * n + 6 + n + sd_step_size(c->robot->links.n)) * sizeof *x);
  motion m = {.s = {.R0 = x, .A0 = x + 3, .v0 = x + 12, .w0 = x + 15, .q = x + 18, .qd = x + 18 + n},
              .f = {.F0 = X(F0), .T0 = X(T0), .Fe = X(Fe), .Te = X(Te), .tau = X(tau)},
              .acc = x + 18 + 2 * n,
              .work = x + 24 + 3 * n};
  memcpy(m.s.R0, X(R0), 3 * sizeof *x);
  memcpy(m.s.A0, X(A0), 9 * sizeof *x);
  memcpy(m.s.v0, X(v0), 3 * sizeof *x);
  memcpy(m.s.w0, X(w0), 3 * sizeof *x);
  memcpy(m.s.q, X(q), n * sizeof *x);
  memcpy(m.s.qd, X(qd), n * sizeof *x);
  if (X(vd0)) {
    memcpy(m.acc, X(vd0), 3 * sizeof *x);
    memcpy(m.acc + 3, X(wd0), 3 * sizeof *x);
    memcpy(m.acc + 6, X(qdd), n * sizeof *x);
  }
  mx_gravity(c, m.g);
  m.dt = mx_step(c);
  return m;
}

static void step(mx_call* c, motion* m, sd_method method) {
  fb_error error;
  fb_status (*one)(sd_robot*, sd_method, const sd_forces*, const double*, double, const double*, sd_state*,
                   double*, fb_error*) = mx_compat == MX_V2R1   ? sd_step_v2r1
                                         : mx_compat == MX_V1R2 ? sd_step_v1r2
                                                                : sd_step;
  fb_status status = one(c->robot, method, &m->f, m->g, m->dt, m->acc, &m->s, m->work, &error);
  mx_check(c, status, &error);
}

static void give_state(mx_call* c, const motion* m) {
  int euler = c->given[Q_vd0] && !c->given[Q_F0];
  if (c->robot->links.n == 0 && (euler || !c->v2))
    c->given[Q_q] = c->given[Q_qd] = mx_empty(); /* as SpaceDyn */
  mxArray* made[] = {mx_like(c->given[Q_R0], m->s.R0), mx_matrix(3, 3, m->s.A0),
                     mx_like(c->given[Q_v0], m->s.v0), mx_like(c->given[Q_w0], m->s.w0),
                     mx_like(c->given[Q_q], m->s.q),   mx_like(c->given[Q_qd], m->s.qd)};
  static const char* const NAMES[] = {"R0", "A0", "v0", "w0", "q", "qd"};
  for (int i = 0; i < 6; i++) mx_give(c, NAMES[i], made[i]);
}

static void once(mx_call* c, const int* quantities, sd_method method) {
  mx_begin(c, quantities, 0, MX_STATE);
  motion m = start(c);
  step(c, &m, method);
  give_state(c, &m);
}

static void int_eu(mx_call* c) {
  once(c, WITH_RATES, SD_INT_EU);
}
static void int_eu2(mx_call* c) {
  once(c, WITH_RATES, SD_INT_EU2);
}
static void int_sr(mx_call* c) {
  once(c, WITH_BOTH, SD_INT_SR);
}
static void int_sr2(mx_call* c) {
  once(c, WITH_BOTH, SD_INT_SR2);
}

/* --- many steps in one call --- */

/* The states of all steps, as fields of a structure; a column each. */
typedef struct history {
  mxArray* all;
  double *t, *R0, *A0, *v0, *w0, *q, *qd;
} history;

static double* add(mxArray* s, const char* name, size_t rows, size_t columns) {
  mxArray* a = mx_matrix(rows, columns, NULL);
  mxSetField(s, 0, name, a);
  return mxGetPr(a);
}

static history new_history(size_t n, size_t count) {
  static const char* NAMES[] = {"t", "R0", "A0", "v0", "w0", "q", "qd"};
  history h = {.all = mxCreateStructMatrix(1, 1, 7, NAMES)};
  mwSize dims[3] = {3, 3, (mwSize)count};
  mxArray* A0 = mxCreateNumericArray(3, dims, mxDOUBLE_CLASS, mxREAL);
  mxSetField(h.all, 0, "A0", A0);
  h.A0 = mxGetPr(A0);
  h.t = add(h.all, "t", 1, count);
  h.R0 = add(h.all, "R0", 3, count);
  h.v0 = add(h.all, "v0", 3, count);
  h.w0 = add(h.all, "w0", 3, count);
  h.q = add(h.all, "q", n, count);
  h.qd = add(h.all, "qd", n, count);
  return h;
}

static void note(history* h, size_t n, size_t k, const motion* m) {
  h->t[k] = (double)k * m->dt;
  memcpy(h->R0 + 3 * k, m->s.R0, 3 * sizeof(double));
  memcpy(h->A0 + 9 * k, m->s.A0, 9 * sizeof(double));
  memcpy(h->v0 + 3 * k, m->s.v0, 3 * sizeof(double));
  memcpy(h->w0 + 3 * k, m->s.w0, 3 * sizeof(double));
  memcpy(h->q + n * k, m->s.q, n * sizeof(double));
  memcpy(h->qd + n * k, m->s.qd, n * sizeof(double));
}

static void steps(mx_call* c, motion* m, sd_method method) {
  enum { MOST = 100000000, AT_ONCE = 20000 };
  int count = c->nrhs > c->extra ? mx_index(c, c->extra, "steps", MOST) : 1;
  int second = c->v2 ? 1 : 6; /* where the log is returned */
  int logs = c->nlhs > second;
  size_t n = (size_t)c->robot->links.n;
  history h = {.all = NULL};
  if (logs) {
    h = new_history(n, (size_t)count + 1);
    note(&h, n, 0, m);
  }
  for (int k = 1; k <= count; k++) {
    step(c, m, method);
    if (logs) note(&h, n, (size_t)k, m);
    if (k % AT_ONCE == 0) mexEvalString("drawnow;"); /* where Ctrl-C is heard */
  }
  give_state(c, m);
  if (logs) c->plhs[second] = h.all;
}

/* What f_dyn sets, at the new state: SpaceDyn's f_dyn_rk changes these too. */
static void give_accelerations(mx_call* c, motion* m) {
  fb_error error;
  size_t n = (size_t)c->robot->links.n;
  mx_check(c, sd_f_dyn(c->robot, &m->s, &m->f, m->g, m->acc, &error), &error);
  mxArray* AA = n ? mx_matrix(3, 3 * n, NULL) : mx_empty();
  mxArray* RR = n ? mx_matrix(3, n, NULL) : mx_empty();
  sd_aa(&c->robot->links, m->s.A0, m->s.q, mxGetPr(AA));
  sd_pos(&c->robot->links, m->s.R0, m->s.A0, mxGetPr(AA), m->s.q, mxGetPr(RR));
  mx_give(c, "vd0", mx_matrix(3, 1, m->acc));
  mx_give(c, "wd0", mx_matrix(3, 1, m->acc + 3));
  mx_give(c, "qdd", mx_matrix(n, 1, m->acc + 6));
  mx_give(c, "AA", AA);
  mx_give(c, "RR", RR);
}

static void driven(mx_call* c, sd_method method) {
  mx_begin(c, WITH_FORCES, 1, MX_STATE);
  motion m = start(c);
  double qtn[4], rate[4], C[9];
  fb_rot_transpose(m.s.A0, C);
  sd_dc2qtn(C, qtn);
  sd_w2dqtn(m.s.w0, qtn, rate);
  steps(c, &m, method);
  if (c->v2 && method == SD_RK) give_accelerations(c, &m);
  if (!c->v2 || method != SD_RK2) return;
  fb_rot_transpose(m.s.A0, C);
  sd_dc2qtn(C, qtn);
  mx_give(c, "Qtn0", mx_matrix(4, 1, qtn));
  mx_give(c, "dQtn0", mx_matrix(4, 1, rate));
}

static void f_dyn_rk(mx_call* c) {
  driven(c, SD_RK);
}
static void f_dyn_rk2(mx_call* c) {
  driven(c, SD_RK2);
}
static void f_dyn_nb(mx_call* c) {
  driven(c, SD_NB);
}
static void f_dyn_nb2(mx_call* c) {
  driven(c, SD_NB2);
}

const mx_function MX_INTEGRATION[] = {
    {"int_eu", int_eu},     {"int_eu2", int_eu2},     {"int_sr", int_sr},
    {"int_sr2", int_sr2},   {"f_dyn_rk", f_dyn_rk},   {"f_dyn_rk2", f_dyn_rk2},
    {"f_dyn_nb", f_dyn_nb}, {"f_dyn_nb2", f_dyn_nb2}, {NULL, NULL}};
