/* configuration.c -- the configuration group, joint by joint (docs/theory/configuration.md)
 *
 *   integrate   q' = q (+) v dt           kernel: integrate.inl
 *   difference  dv with q1 = q0 (+) dv    dw = log(quat1 quat0*)
 *   neutral, normalise, random            and the check of a state
 */
#include <freebody/configuration.h>

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/random.h"
#include "kernel/instances.h"
#include "model/definition/check.h"
#include "model/joint_kind.h"
#include "model/model.h"

/* Index in q of the joint's quaternion, or -1. */
static int quat_at(const fb_model* m, int body) {
  int at = fb_joint_type_quat_index(fb_joint_type_of(m, body));
  return at < 0 ? -1 : m->top.body_q[body] + at;
}

void fb_neutral(const fb_model* m, double* q) {
  for (int i = 0; i < m->top.nq; i++) q[i] = 0;
  for (int b = 1; b < m->top.nbody; b++)
    if (quat_at(m, b) >= 0) q[quat_at(m, b)] = 1;
}

void fb_integrate(const fb_model* m, const double* q, const double* v, double dt, double* q_next) {
  m->kernels->integrate(&m->top, q, v, dt, q_next);
}

void fb_difference(const fb_model* m, const double* q0, const double* q1, double* dv) {
  for (int b = 1; b < m->top.nbody; b++) {
    int q = m->top.body_q[b], v = m->top.body_v[b], quat = quat_at(m, b);
    for (int i = 0; i < fb_joint_nv(m, b); i++) {
      int at = fb_joint_type_q_of(fb_joint_type_of(m, b), i);
      if (at >= 0) dv[v + i] = q1[q + at] - q0[q + at];
    }
    if (quat < 0) continue;
    double back[4], step[4];
    fb_quat_conjugate(q0 + quat, back);
    fb_quat_multiply(q1 + quat, back, step);
    fb_quat_to_rotvec(step, dv + v + quat - q);
  }
}

void fb_normalise(const fb_model* m, double* q) {
  for (int b = 1; b < m->top.nbody; b++)
    if (quat_at(m, b) >= 0) fb_quat_normalise(q + quat_at(m, b));
}

/* Within the limits; a limit on one side only leaves the usual width on the other. */
static double random_coordinate(fb_random* r, double low, double high, double half_range) {
  if (isfinite(low) && isfinite(high)) return fb_random_uniform(r, low, high);
  if (isfinite(low)) return fb_random_uniform(r, low, fmax(low + half_range, half_range));
  if (isfinite(high)) return fb_random_uniform(r, fmin(high - half_range, -half_range), high);
  return fb_random_uniform(r, -half_range, half_range);
}

/* Uniform on the group: a point of the 4-ball's shell by rejection. */
static void random_quat(fb_random* r, double q[4]) {
  double n2;
  do {
    n2 = 0;
    for (int i = 0; i < 4; i++) {
      q[i] = fb_random_uniform(r, -1, 1);
      n2 += q[i] * q[i];
    }
  } while (n2 > 1 || n2 < 0.01);
  fb_quat_normalise(q);
}

/* Within the limits of these parameters. */
static void random_q_within(const fb_model* m, const fb_parameters* par, uint64_t seed, double* q) {
  static const double PI = 3.14159265358979323846;
  fb_random r = {.seed = seed};
  for (int b = 1; b < m->top.nbody; b++) {
    fb_joint_type type = fb_joint_type_of(m, b);
    int v = m->top.body_v[b], quat = quat_at(m, b);
    for (int i = 0; i < fb_joint_nv(m, b); i++) {
      int at = fb_joint_type_q_of(type, i);
      if (at >= 0)
        q[m->top.body_q[b] + at] = random_coordinate(&r, par->lower[v + i], par->upper[v + i],
                                                     fb_joint_type_is_length(type, i) ? 1 : PI);
    }
    if (quat >= 0) random_quat(&r, q + quat);
  }
}

void fb_random_q_of(const fb_model* m, const fb_parameters* par, uint64_t seed, const unsigned char* movable,
                    const double* rest, double* q) {
  random_q_within(m, par, seed, q);
  for (int b = 1; b < m->top.nbody; b++) {
    int all = 1, at = m->top.body_q[b];
    for (int i = 0; i < fb_joint_nv(m, b); i++) all &= movable[m->top.body_v[b] + i];
    if (!all) memcpy(q + at, rest + at, (size_t)fb_joint_nq(m, b) * sizeof *q);
  }
}

void fb_random_q(const fb_model* m, uint64_t seed, double* q) {
  random_q_within(m, &m->par, seed, q);
}

void fb_random_v(const fb_model* m, uint64_t seed, double* v) {
  fb_random r = {.seed = seed ^ 0x76656c6f63697479u};
  for (int i = 0; i < m->top.nv; i++) v[i] = fb_random_uniform(&r, -1, 1);
}

/* Beyond this an angle has no sine left. */
static const double HUGE_ANGLE = 1e12;

static fb_status check_numbers(const fb_model* m, const char* what, const double* x, int body, int at,
                               int count, fb_error* error) {
  for (int i = at; i < at + count; i++) {
    if (!isfinite(x[i]))
      return fb_fail(error, FB_ERR_STATE, "%s[%d] of joint \"%s\" is %g; a state must be finite", what, i,
                     fb_joint_name(m, body), x[i]);
    if (fabs(x[i]) > FB_HUGE_NUMBER)
      return fb_fail(error, FB_ERR_STATE,
                     "%s[%d] of joint \"%s\" is %g, beyond 1e30; numbers are in SI units", what, i,
                     fb_joint_name(m, body), x[i]);
  }
  return FB_OK;
}

static fb_status check_angles(const fb_model* m, const double* q, int body, fb_error* error) {
  fb_joint_type type = fb_joint_type_of(m, body);
  for (int i = 0; i < fb_joint_nv(m, body); i++) {
    int at = m->top.body_q[body] + fb_joint_type_q_of(type, i);
    if (fb_joint_type_q_of(type, i) >= 0 && !fb_joint_type_is_length(type, i) && fabs(q[at]) > HUGE_ANGLE)
      return fb_fail(error, FB_ERR_STATE,
                     "q[%d] of joint \"%s\" is %g rad; beyond 1e12 an angle has no digits left for its sine",
                     at, fb_joint_name(m, body), q[at]);
  }
  return FB_OK;
}

fb_status fb_model_check_state(const fb_model* m, const double* q, const double* v, fb_error* error) {
  for (int b = 1; b < m->top.nbody; b++) {
    fb_status status = check_numbers(m, "q", q, b, m->top.body_q[b], fb_joint_nq(m, b), error);
    if (!status) status = check_angles(m, q, b, error);
    if (!status && v) status = check_numbers(m, "v", v, b, m->top.body_v[b], fb_joint_nv(m, b), error);
    if (status) return status;
    int at = quat_at(m, b);
    if (at < 0) continue;
    double n = sqrt(q[at] * q[at] + q[at + 1] * q[at + 1] + q[at + 2] * q[at + 2] + q[at + 3] * q[at + 3]);
    if (fabs(n - 1) > 1e-6)
      return fb_fail(
          error, FB_ERR_STATE,
          "the quaternion q[%d..%d] of joint \"%s\" has norm %.9g; it must be 1 to within 1e-6 (w first)", at,
          at + 3, fb_joint_name(m, b), n);
  }
  return FB_OK;
}
