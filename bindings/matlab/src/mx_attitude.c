/* mx_attitude.c -- SpaceDyn's small functions: rotations, direction cosines, angles, quaternions, tilde, cross
 *
 * Direction cosines C take inertial axes to link axes. Numbers that are not finite pass through. */
#include "mx.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void takes(const mx_call* c, int least, int most) {
  if (c->nrhs < least || c->nrhs > most)
    mx_fail(c, "argument", "called with %d arguments; help %s shows the call", c->nrhs, c->name);
}

static void about(mx_call* c, void (*rotation)(double, double*)) {
  takes(c, 1, 1);
  double R[9];
  rotation(mx_doubles(c, c->prhs[0], "the angle", 1, 0)[0], R);
  c->plhs[0] = mx_matrix(3, 3, R); /* R by rows is C by columns */
}
static void cx(mx_call* c) {
  about(c, fb_rot_x);
}
static void cy(mx_call* c) {
  about(c, fb_rot_y);
}
static void cz(mx_call* c) {
  about(c, fb_rot_z);
}

/* One vector of three angles, or three angles. */
static void three_angles(const mx_call* c, double angles[3]) {
  if (c->nrhs == 1) {
    memcpy(angles, mx_doubles(c, c->prhs[0], "the vector of angles", 3, 0), 3 * sizeof *angles);
    return;
  }
  takes(c, 3, 3);
  if (mxGetNumberOfElements(c->prhs[0]) == 3) { /* as SpaceDyn: a vector in the first place is enough */
    memcpy(angles, mx_doubles(c, c->prhs[0], "the vector of angles", 3, 0), 3 * sizeof *angles);
    return;
  }
  for (int i = 0; i < 3; i++) angles[i] = mx_doubles(c, c->prhs[i], "an angle", 1, 0)[0];
}

static void rpy2dc(mx_call* c) {
  double angles[3], C[9];
  three_angles(c, angles);
  sd_rpy2dc(angles, C);
  c->plhs[0] = mx_matrix(3, 3, C);
}

static void eul2dc(mx_call* c) {
  double angles[3], C[9];
  three_angles(c, angles);
  fb_rot_from_euler_zxz(angles, C);
  c->plhs[0] = mx_matrix(3, 3, C);
}

static const double* cosines(const mx_call* c, int argument, const char* what) {
  const mxArray* a = c->prhs[argument];
  if (mxGetM(a) != 3 || mxGetN(a) != 3)
    mx_fail(c, "size", "%s is %d x %d; it must be 3 x 3", what, (int)mxGetM(a), (int)mxGetN(a));
  return mx_doubles(c, a, what, 9, 1);
}

/* The formulas of SpaceDyn v1r2, down to the signs of zeros. */
static void dc2rpy_v1r2(const double* C, double* rpy) {
  if (fabs(C[1]) < DBL_EPSILON && fabs(C[0]) < DBL_EPSILON) {
    rpy[2] = 0;
    rpy[1] = atan2(C[2], C[0]);
    rpy[0] = atan2(C[7], C[4]);
    return;
  }
  rpy[2] = atan2(-C[1], C[0]);
  rpy[1] = atan2(C[2], cos(rpy[2]) * C[0] - sin(rpy[2]) * C[1]);
  rpy[0] = atan2(-C[5], C[8]);
}

static void dc2rpy(mx_call* c) {
  takes(c, 1, 1);
  c->plhs[0] = mx_matrix(3, 1, NULL);
  if (mx_compat == MX_V1R2) {
    dc2rpy_v1r2(cosines(c, 0, "C"), mxGetPr(c->plhs[0]));
    return;
  }
  fb_rot_to_euler_xyz(cosines(c, 0, "C"), mxGetPr(c->plhs[0]));
}

static void dc2eul(mx_call* c) {
  takes(c, 1, 1);
  c->plhs[0] = mx_matrix(3, 1, NULL);
  fb_rot_to_euler_zxz(cosines(c, 0, "C"), mxGetPr(c->plhs[0]));
}

static void dc2qtn(mx_call* c) {
  takes(c, 1, 1);
  c->plhs[0] = mx_matrix(4, 1, NULL);
  sd_dc2qtn(cosines(c, 0, "C"), mxGetPr(c->plhs[0]));
}

static void qtn2dc(mx_call* c) {
  takes(c, 1, 1);
  c->plhs[0] = mx_matrix(3, 3, NULL);
  sd_qtn2dc(mx_doubles(c, c->prhs[0], "the quaternion", 4, 0), mxGetPr(c->plhs[0]));
}

static void w2dQtn(mx_call* c) {
  takes(c, 2, 2);
  const double* w = mx_doubles(c, c->prhs[0], "w", 3, 0);
  const double* qtn = mx_doubles(c, c->prhs[1], "Qtn", 4, 0);
  double norm = sqrt(qtn[0] * qtn[0] + qtn[1] * qtn[1] + qtn[2] * qtn[2] + qtn[3] * qtn[3]);
  if (norm >= 1.1) mx_fail(c, "value", "Qtn has the length %g; it must be a unit quaternion", norm);
  c->plhs[0] = mx_matrix(4, 1, NULL);
  sd_w2dqtn(w, qtn, mxGetPr(c->plhs[0]));
}

/* aw(SV), aw(w0): the rotation of d_time with angular velocity w0. */
static void aw(mx_call* c) {
  takes(c, 1, 1);
  const mxArray* w = mxIsStruct(c->prhs[0]) ? mxGetField(c->prhs[0], 0, "w0") : c->prhs[0];
  const double* w0 = mx_doubles(c, w, "w0", 3, 1);
  c->plhs[0] = mx_matrix(3, 3, NULL);
  sd_aw(w0, mx_step(c), mxGetPr(c->plhs[0]));
}

static void tilde(mx_call* c) {
  takes(c, 1, 1);
  const double* a = mx_doubles(c, c->prhs[0], "the vector", 3, 0);
  const double B[9] = {0, a[2], -a[1], -a[2], 0, a[0], a[1], -a[0], 0};
  c->plhs[0] = mx_matrix(3, 3, B);
}

/* sin(angle) axis of AA1 AA2^T, by columns; more rows and columns than 3 are not read. */
static void tr2diff(mx_call* c) {
  takes(c, 2, 2);
  const double* A[2];
  size_t rows[2];
  for (int i = 0; i < 2; i++) {
    const mxArray* a = c->prhs[i];
    rows[i] = mxGetM(a);
    if (rows[i] < 3 || mxGetN(a) < 3)
      mx_fail(c, "size", "AA%d is %d x %d; it must be 3 x 3", i + 1, (int)rows[i], (int)mxGetN(a));
    A[i] = mx_doubles(c, a, i ? "AA2" : "AA1", mxGetNumberOfElements(a), 1);
  }
  c->plhs[0] = mx_matrix(3, 1, NULL);
  for (size_t k = 0; k < 3; k++)
    sd_add_cross(0.5, A[1] + rows[1] * k, A[0] + rows[0] * k, mxGetPr(c->plhs[0]));
}

/* Two vectors of three give a column, as in SpaceDyn; whatever else MATLAB's own cross takes, freebody_cross does. */
static void cross(mx_call* c) {
  takes(c, 2, 3);
  const mxArray *a = c->prhs[0], *b = c->prhs[1];
  int plain = c->nrhs == 2 && mxGetNumberOfElements(a) == 3 && mxGetNumberOfElements(b) == 3 &&
              mxIsDouble(a) && mxIsDouble(b) && !mxIsComplex(a) && !mxIsComplex(b) && !mxIsSparse(a) &&
              !mxIsSparse(b);
  if (!plain) {
    mexCallMATLAB(1, c->plhs, c->nrhs, (mxArray**)c->prhs, "freebody_cross");
    return;
  }
  c->plhs[0] = mx_matrix(3, 1, NULL);
  sd_cross(mxGetPr(a), mxGetPr(b), mxGetPr(c->plhs[0]));
}

const mx_function MX_ATTITUDE[] = {
    {"cross", cross},   {"tilde", tilde},   {"cx", cx},         {"cy", cy},           {"cz", cz},
    {"rpy2dc", rpy2dc}, {"dc2rpy", dc2rpy}, {"eul2dc", eul2dc}, {"dc2eul", dc2eul},   {"dc2qtn", dc2qtn},
    {"qtn2dc", qtn2dc}, {"w2dQtn", w2dQtn}, {"aw", aw},         {"tr2diff", tr2diff}, {NULL, NULL}};
