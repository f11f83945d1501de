/* test_constrained_dynamics.c -- dynamics with loops against a dense solution of the same equations
 *
 *   [ H  -J^T ] [v'] = [tau - bias]
 *   [ J   0   ] [f ]   [ -J' v    ]
 *
 * with J from the Jacobians of the frames and their rates, assembled here, on random trees whose frames are put so that
 * the loops are closed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>

#include <freebody/loop.h>

#include "math/vector3.h"
#include "model/data.h"
#include "model/model.h"
#include "near.h"
#include "random_loops.h"

/* --- J and J' v, by frame Jacobians --- */

typedef struct frame_motion {
  double *J, *Jdot;                             /* 6 x nv, linear first */
  double p[3], R[9], v[3], w[3], a[3], wdot[3]; /* a, wdot: J' v */
} frame_motion;

static frame_motion motion_of(const looped* x, int frame) {
  size_t nv = (size_t)fb_model_nv(x->m);
  frame_motion f;
  f.J = calloc(6 * nv, sizeof(double));
  f.Jdot = calloc(6 * nv, sizeof(double));
  fb_frame_pose(x->m, x->d, frame, f.p, f.R);
  fb_frame_velocity(x->m, x->d, frame, f.v, f.w);
  fb_frame_jacobian(x->m, x->d, frame, f.J);
  fb_frame_jacobian_rate(x->m, x->d, frame, f.Jdot);
  for (int i = 0; i < 3; i++) {
    f.a[i] = f.wdot[i] = 0;
    for (size_t k = 0; k < nv; k++) {
      f.a[i] += f.Jdot[(size_t)i * nv + k] * x->v[k];
      f.wdot[i] += f.Jdot[(size_t)(3 + i) * nv + k] * x->v[k];
    }
  }
  return f;
}

static void less3(const double a[3], const double b[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = a[i] - b[i];
}

/* A row: lin . (v_b - v_a) + on_b . w_b + on_a . w_a, whose rate has `more` beside J' v of the frames. */
static void put_row(const looped* x, const frame_motion f[2], const double lin[3], const double on_b[3],
                    const double on_a[3], double more, double* J, double* bias) {
  int nv = fb_model_nv(x->m);
  for (int k = 0; k < nv; k++) {
    J[k] = 0;
    for (int i = 0; i < 3; i++)
      J[k] += lin[i] * (f[1].J[i * nv + k] - f[0].J[i * nv + k]) + on_b[i] * f[1].J[(3 + i) * nv + k] +
              on_a[i] * f[0].J[(3 + i) * nv + k];
  }
  double a[3];
  less3(f[1].a, f[0].a, a);
  *bias = more + dot3(lin, a) + dot3(on_b, f[1].wdot) + dot3(on_a, f[0].wdot);
}

static const double NONE[3] = {0, 0, 0};

/* t . (p_b - p_a) with t fixed in a. */
static void put_origin(const looped* x, const frame_motion f[2], const double t[3], double* J, double* bias) {
  double r[3], v[3], arm[3], tdot[3], one[3], other[3];
  less3(f[1].p, f[0].p, r);
  less3(f[1].v, f[0].v, v);
  cross3(t, r, arm);
  cross3(f[0].w, t, tdot);
  cross3(tdot, r, one);
  cross3(t, v, other);
  put_row(x, f, t, NONE, arm, dot3(tdot, v) + dot3(one, f[0].w) + dot3(other, f[0].w), J, bias);
}

/* t . n, t fixed in a, n in b. */
static void put_cosine(const looped* x, const frame_motion f[2], const double t[3], const double n[3],
                       double* J, double* bias) {
  double on_b[3], on_a[3], tdot[3], ndot[3], one[3], other[3], w[3];
  cross3(n, t, on_b);
  cross3(t, n, on_a);
  cross3(f[0].w, t, tdot);
  cross3(f[1].w, n, ndot);
  cross3(ndot, t, one);
  cross3(n, tdot, other);
  less3(f[1].w, f[0].w, w);
  put_row(x, f, NONE, on_b, on_a, dot3(one, w) + dot3(other, w), J, bias);
}

/* t . (w_b - w_a) with t fixed in a. */
static void put_turning(const looped* x, const frame_motion f[2], const double t[3], double* J,
                        double* bias) {
  double back[3], tdot[3], w[3];
  for (int i = 0; i < 3; i++) back[i] = -t[i];
  cross3(f[0].w, t, tdot);
  less3(f[1].w, f[0].w, w);
  put_row(x, f, NONE, t, back, dot3(tdot, w), J, bias);
}

static void put_distance(const looped* x, const frame_motion f[2], double* J, double* bias) {
  double r[3], v[3], n[3];
  less3(f[1].p, f[0].p, r);
  less3(f[1].v, f[0].v, v);
  double far = norm3(r);
  for (int i = 0; i < 3; i++) n[i] = r[i] / far;
  put_row(x, f, n, NONE, NONE, (dot3(v, v) - dot3(n, v) * dot3(n, v)) / far, J, bias);
}

static int put_gear(const looped* x, const fb_loop_def* loop, double* J, double* bias) {
  memset(J, 0, (size_t)fb_model_nv(x->m) * sizeof *J);
  J[fb_joint_v_index(x->m, fb_model_find_joint(x->m, loop->a))] = 1;
  for (int i = 0; i < loop->njoint; i++)
    J[fb_joint_v_index(x->m, fb_model_find_joint(x->m, loop->joints[i]))] = -loop->ratios[i];
  *bias = 0;
  return 1;
}

/* Two directions at right angles to z, and z. */
static void triad(const double z[3], double e[3][3]) {
  double any[3] = {1, 0, 0};
  if (fabs(z[0]) > 0.7) any[0] = 0, any[1] = 1;
  cross3(z, any, e[0]);
  double length = norm3(e[0]);
  for (int i = 0; i < 3; i++) e[0][i] /= length;
  cross3(z, e[0], e[1]);
  memcpy(e[2], z, 3 * sizeof *z);
}

static int put_loop(const looped* x, const fb_loop_def* loop, double* J, double* bias) {
  int nv = fb_model_nv(x->m), n = 0;
  if (loop->type == FB_LOOP_GEAR) return put_gear(x, loop, J, bias);
  frame_motion f[2] = {motion_of(x, fb_model_find_frame(x->m, loop->a)),
                       motion_of(x, fb_model_find_frame(x->m, loop->b))};
  static const double Z[3] = {0, 0, 1};
  const double* own = loop->type == FB_LOOP_PLANAR ? Z : loop->axis;
  double e[3][3], axis[3], in_b[3];
  fb_rot_apply(f[0].R, own, axis);
  fb_rot_apply(f[1].R, loop->type == FB_LOOP_UNIVERSAL ? loop->axis2 : own, in_b);
  triad(axis, e);
  switch (loop->type) {
    case FB_LOOP_DISTANCE:
      put_distance(x, f, J, bias);
      n = 1;
      break;
    case FB_LOOP_PLANAR:
      put_origin(x, f, e[2], J, bias);
      n = 1;
      break;
    default:
      for (; n < (loop->type == FB_LOOP_PRISMATIC ? 2 : 3); n++) put_origin(x, f, e[n], J + n * nv, bias + n);
  }
  if (loop->type == FB_LOOP_PLANAR || loop->type == FB_LOOP_REVOLUTE)
    for (int i = 0; i < 2; i++, n++) put_cosine(x, f, e[i], in_b, J + n * nv, bias + n);
  if (loop->type == FB_LOOP_UNIVERSAL) put_cosine(x, f, axis, in_b, J + n * nv, bias + n), n++;
  if (loop->type == FB_LOOP_WELD || loop->type == FB_LOOP_PRISMATIC)
    for (int i = 0; i < 3; i++, n++) put_turning(x, f, e[i], J + n * nv, bias + n);
  for (int i = 0; i < 2; i++) {
    free(f[i].J);
    free(f[i].Jdot);
  }
  assert_int_equal(n, fb_loop_type_nrow(loop->type));
  return n;
}

static double square(const double* x, int n) {
  double sum = 0;
  for (int k = 0; k < n; k++) sum += x[k] * x[k];
  return sum;
}

static void swap_rows(double* x, int i, int j, int n) {
  for (int k = 0; k < n; k++) {
    double keep = x[i * n + k];
    x[i * n + k] = x[j * n + k];
    x[j * n + k] = keep;
  }
}

/* Puts rows that do not repeat others first, those that differ most before others, by Gram and Schmidt. */
static int independent_rows(double* J, double* bias, int n, int nv) {
  double *left = calloc((size_t)n * (size_t)nv + 1, sizeof *left), most[MOST_ROWS] = {0};
  int kept = 0;
  memcpy(left, J, (size_t)n * (size_t)nv * sizeof *left);
  for (int i = 0; i < n; i++) {
    most[i] = square(J + i * nv, nv);
    if (most[i] > 1e-20) continue;
    most[i] = 1; /* nothing that it concerns can move */
    memset(left + i * nv, 0, (size_t)nv * sizeof *left);
  }
  for (; kept < n; kept++) {
    int best = kept;
    for (int i = kept; i < n; i++)
      if (square(left + i * nv, nv) * most[best] > square(left + best * nv, nv) * most[i]) best = i;
    if (square(left + best * nv, nv) <= 1e-16 * most[best]) break;
    swap_rows(J, kept, best, nv);
    swap_rows(left, kept, best, nv);
    swap_rows(bias, kept, best, 1);
    swap_rows(most, kept, best, 1);
    double length = square(left + kept * nv, nv);
    for (int i = kept + 1; i < n; i++)
      for (int again = 0; again < 2; again++) {
        double along = 0;
        for (int k = 0; k < nv; k++) along += left[i * nv + k] * left[kept * nv + k] / length;
        for (int k = 0; k < nv; k++) left[i * nv + k] -= along * left[kept * nv + k];
      }
  }
  free(left);
  return kept;
}

/* A x = b by elimination with partial pivoting. */
static void solve(double* A, double* b, int n) {
  for (int k = 0; k < n; k++) {
    int best = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[best * n + k])) best = i;
    for (int c = 0; c < n; c++) {
      double keep = A[k * n + c];
      A[k * n + c] = A[best * n + c];
      A[best * n + c] = keep;
    }
    double keep = b[k];
    b[k] = b[best];
    b[best] = keep;
    for (int i = k + 1; i < n; i++) {
      double by = A[i * n + k] / A[k * n + k];
      for (int c = k; c < n; c++) A[i * n + c] -= by * A[k * n + c];
      b[i] -= by * b[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int c = i + 1; c < n; c++) b[i] -= A[i * n + c] * b[c];
    b[i] /= A[i * n + i];
  }
}

/* All rows of all loops; the number that is independent. */
static int put_rows(const looped* x, double* J, double* bias) {
  int n = 0, nv = fb_model_nv(x->m);
  for (int i = 0; i < x->nloop; i++)
    n += put_loop(x, fb_model_def_loop(fb_model_definition(x->m), i), J + n * nv, bias + n);
  return independent_rows(J, bias, n, nv);
}

/* v' and J^T f by the dense equations. */
static void dense(looped* x, const fb_loads* loads, double* vdot, double* push) {
  int nv = fb_model_nv(x->m);
  double *J = calloc((size_t)(MOST_ROWS * nv), sizeof *J), bias[MOST_ROWS];
  fb_kinematics(x->m, x->d, x->q, x->v, NULL);
  int n = put_rows(x, J, bias), all = nv + n;
  double *A = calloc((size_t)(all * all), sizeof *A), *b = calloc((size_t)all, sizeof *b),
         *H = calloc((size_t)(nv * nv), sizeof *H), *zero = calloc((size_t)nv, sizeof *zero);
  fb_inertia_matrix(x->m, x->d, x->q, H);
  fb_inverse_dynamics(x->m, x->d, x->q, x->v, zero, loads, b);
  for (int k = 0; k < nv; k++) b[k] = x->tau[k] - b[k];
  for (int i = 0; i < nv; i++)
    for (int k = 0; k < nv; k++) A[i * all + k] = H[i * nv + k];
  for (int i = 0; i < n; i++) {
    b[nv + i] = -bias[i];
    for (int k = 0; k < nv; k++) {
      A[k * all + nv + i] = -J[i * nv + k];
      A[(nv + i) * all + k] = J[i * nv + k];
    }
  }
  solve(A, b, all);
  memcpy(vdot, b, (size_t)nv * sizeof *b);
  for (int k = 0; k < nv; k++) {
    push[k] = 0;
    for (int i = 0; i < n; i++) push[k] += J[i * nv + k] * b[nv + i];
  }
  free(J);
  free(A);
  free(b);
  free(H);
  free(zero);
}

static double largest(const double* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

static void forces_of_loops_equal_those_of_the_dense_equations(void** state) {
  (void)state;
  int seen[FB_LOOP_TYPE_COUNT] = {0}, repeated = 0;
  for (uint64_t seed = 1; seed <= 300; seed++) {
    looped x = random_looped(seed);
    int nv = fb_model_nv(x.m);
    double vdot[128], push[128], dense_vdot[128], dense_push[128];
    fb_loads loads = fb_default_loads();
    loads.environment.gravity_w[2] = -9.81;
    assert_true(nv < 128);
    if (x.nloop == 0) {
      free_looped(&x);
      continue;
    }
    assert_int_equal(fb_loops_close(x.m, x.d, NULL, x.q, x.v, NULL), FB_OK);
    fb_constrained_dynamics(x.m, x.d, x.q, x.v, NULL, &loads, vdot, x.tau);
    fb_loop_forces(x.m, x.d, push);
    repeated += x.m->top.nrow - x.d->rank;
    dense(&x, &loads, dense_vdot, dense_push);
    double size = largest(dense_vdot, nv) + 1, force = largest(dense_push, nv) + 1;
    for (int i = 0; i < x.nloop; i++) seen[fb_loop_type_of(x.m, i)]++;
    for (int k = 0; k < nv; k++) {
      if (fabs(vdot[k] - dense_vdot[k]) > 1e-10 * size || fabs(push[k] - dense_push[k]) > 1e-10 * force)
        fail_msg("seed %d, coordinate %d: v' %.15g, dense %.15g; force %.15g, dense %.15g", (int)seed, k,
                 vdot[k], dense_vdot[k], push[k], dense_push[k]);
    }
    free_looped(&x);
  }
  for (int i = 0; i < FB_LOOP_TYPE_COUNT; i++) assert_true(seen[i] >= 20);
  assert_true(repeated > 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forces_of_loops_equal_those_of_the_dense_equations),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
