/* mx_kinematics.c -- calc_aa, calc_pos, calc_vel, calc_acc, Jacobians, f_kin_e, f_kin_j, j_num: SpaceDyn's kinematics
 *
 * Each row of v1's arguments is the list of quantities; v2 reads the same from SV. */
#include "mx.h"

#define LIST(...)      \
  (const int[]) {      \
    __VA_ARGS__, Q_END \
  }
#define X(name) c->x[Q_##name]

static const sd_links* links(const mx_call* c) {
  return &c->robot->links;
}
static size_t n_of(const mx_call* c) {
  return (size_t)c->robot->links.n;
}

/* A new matrix to be filled; for no joints []. */
static mxArray* per_joint(const mx_call* c, size_t rows, size_t columns, double** data) {
  mxArray* a = n_of(c) ? mxCreateDoubleMatrix((mwSize)rows, (mwSize)columns, mxREAL) : mx_empty();
  *data = mxGetPr(a);
  return a;
}

static void calc_aa(mx_call* c) {
  double* AA;
  mx_begin(c, LIST(Q_A0, Q_q), 0, MX_STATE);
  mxArray* out = per_joint(c, 3, 3 * n_of(c), &AA);
  sd_aa(links(c), X(A0), X(q), AA);
  mx_give(c, "AA", out);
}

static void calc_pos(mx_call* c) {
  double* RR;
  mx_begin(c, LIST(Q_R0, Q_A0, Q_AA, Q_q), 0, MX_STATE);
  mxArray* out = per_joint(c, 3, n_of(c), &RR);
  sd_pos(links(c), X(R0), X(A0), X(AA), X(q), RR);
  mx_give(c, "RR", out);
}

static void calc_vel(mx_call* c) {
  double *vv, *ww;
  mx_begin(c, LIST(Q_A0, Q_AA, Q_v0, Q_w0, Q_q, Q_qd), 0, MX_STATE);
  mxArray *v = per_joint(c, 3, n_of(c), &vv), *w = per_joint(c, 3, n_of(c), &ww);
  sd_vel(links(c), X(A0), X(AA), X(v0), X(w0), X(q), X(qd), vv, ww);
  mx_give(c, "vv", v);
  mx_give(c, "ww", w);
}

static void calc_acc(mx_call* c) {
  double *vd, *wd;
  mx_begin(c, LIST(Q_A0, Q_AA, Q_w0, Q_ww, Q_vd0, Q_wd0, Q_q, Q_qd, Q_qdd), 0, MX_STATE);
  mxArray *v = per_joint(c, 3, n_of(c), &vd), *w = per_joint(c, 3, n_of(c), &wd);
  sd_acc(links(c), X(A0), X(AA), X(w0), X(ww), X(vd0), X(wd0), X(q), X(qd), X(qdd), vd, wd);
  mx_give(c, "vd", v);
  mx_give(c, "wd", w);
}

static void calc_jt(mx_call* c) {
  double* J;
  mx_begin(c, LIST(Q_RR, Q_AA), 0, MX_VALUE);
  c->plhs[0] = per_joint(c, 3, n_of(c) * n_of(c), &J);
  sd_jt(links(c), X(RR), X(AA), J);
}

static void calc_jr(mx_call* c) {
  double* J;
  mx_begin(c, LIST(Q_AA), 0, MX_VALUE);
  c->plhs[0] = per_joint(c, 3, n_of(c) * n_of(c), &J);
  sd_jr(links(c), X(AA), J);
}

/* The extra argument `joints`, numbers of links, as indices. */
static int* joints_of(const mx_call* c, int* count) {
  if (c->extra >= c->nrhs)
    mx_fail(c, "argument", "too few arguments: joints is missing; joints = j_num(...) makes it");
  const mxArray* a = c->prhs[c->extra];
  size_t have = mxGetNumberOfElements(a);
  const double* x = mx_doubles(c, a, "joints", have, 1);
  int* joints = mxMalloc((have + 1) * sizeof *joints);
  for (size_t i = 0; i < have; i++) {
    if (x[i] != (int)x[i] || x[i] < 1 || x[i] > links(c)->n)
      mx_fail(c, "value", "joints(%d) is %g; it must be the number of a link, 1 to %d", (int)i + 1, x[i],
              links(c)->n);
    joints[i] = (int)x[i] - 1;
  }
  *count = (int)have;
  return joints;
}

static void calc_jte(mx_call* c) {
  int count;
  mx_begin(c, LIST(Q_RR, Q_AA, Q_q), 1, MX_VALUE);
  int* joints = joints_of(c, &count);
  c->plhs[0] = count ? mx_matrix(3, (size_t)count, NULL) : mx_empty();
  sd_jte(links(c), X(RR), X(AA), X(q), joints, count, mxGetPr(c->plhs[0]));
}

static void calc_jre(mx_call* c) {
  int count;
  mx_begin(c, LIST(Q_AA), 1, MX_VALUE);
  int* joints = joints_of(c, &count);
  c->plhs[0] = count ? mx_matrix(3, (size_t)count, NULL) : mx_empty();
  sd_jre(links(c), X(AA), joints, count, mxGetPr(c->plhs[0]));
}

static void calc_je(mx_call* c) {
  int count;
  mx_begin(c, LIST(Q_RR, Q_AA, Q_q), 1, MX_VALUE);
  int* joints = joints_of(c, &count);
  c->plhs[0] = mx_matrix(6, n_of(c), NULL);
  double* work = mxMalloc((3 * (size_t)count + 1) * sizeof *work);
  sd_je(links(c), X(RR), X(AA), X(q), joints, count, mxGetPr(c->plhs[0]), work);
}

static void f_kin_e(mx_call* c) {
  int count;
  mx_begin(c, LIST(Q_RR, Q_AA), 1, MX_VALUE);
  int* joints = joints_of(c, &count);
  if (count == 0) mx_fail(c, "value", "joints is empty; its last number is the link of the end-point");
  mxArray *pos = mx_matrix(3, 1, NULL), *ori = mx_matrix(3, 3, NULL);
  sd_end_point(links(c), X(RR), X(AA), joints[count - 1], mxGetPr(pos), mxGetPr(ori));
  mx_give(c, "POS_e", pos);
  mx_give(c, "ORI_e", ori);
}

static void f_kin_j(mx_call* c) {
  int count;
  mx_begin(c, LIST(Q_RR, Q_AA, Q_q), 1, MX_VALUE);
  int* joints = joints_of(c, &count);
  mxArray* pos = count ? mx_matrix(3, (size_t)count, NULL) : mx_empty();
  mxArray* ori = count ? mx_matrix(3, 3 * (size_t)count, NULL) : mx_empty();
  for (int i = 0; i < count; i++) {
    sd_joint(links(c), X(RR), X(AA), X(q), joints[i], mxGetPr(pos) + 3 * i);
    for (int k = 0; k < 9; k++) mxGetPr(ori)[9 * i + k] = X(AA)[9 * joints[i] + k];
  }
  mx_give(c, "POS_j", pos);
  mx_give(c, "ORI_j", ori);
}

static void j_num(mx_call* c) {
  mx_begin(c, (const int[]){Q_END}, 1, MX_VALUE);
  const sd_links* l = links(c);
  int ends = 0;
  for (int i = 0; i < l->n; i++) ends += l->SE[i];
  if (ends == 0) {
    c->plhs[0] = mx_matrix(1, 0, NULL);
    return;
  }
  int num_e = mx_index(c, c->extra, "num_e", ends);
  int* joints = mxMalloc((size_t)(l->n + 1) * sizeof *joints);
  int count = sd_path(l, sd_end_link(l, num_e), joints);
  c->plhs[0] = mx_matrix(1, (size_t)count, NULL);
  for (int i = 0; i < count; i++) mxGetPr(c->plhs[0])[i] = joints[i] + 1;
}

const mx_function MX_KINEMATICS[] = {
    {"calc_aa", calc_aa}, {"calc_pos", calc_pos}, {"calc_vel", calc_vel}, {"calc_acc", calc_acc},
    {"calc_jt", calc_jt}, {"calc_jr", calc_jr},   {"calc_jte", calc_jte}, {"calc_jre", calc_jre},
    {"calc_je", calc_je}, {"f_kin_e", f_kin_e},   {"f_kin_j", f_kin_j},   {"j_num", j_num},
    {NULL, NULL}};
