/* test_spatial_examples.c -- the two worked examples of docs/theory/spatial.md: a ball that rolls on a
 * plane ([Carius 2018], section 6.1) and a free base that carries one link (section 6.2). */
#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "near.h"
#include "random.h"

static const double ULPS = 64 * DBL_EPSILON;
static const double PRINTED = 5e-5; /* the numbers in the page are printed to four decimals */

/* ---- 6.1 The ball: radius 0.5 m, 2 m/s along y, seen at 0.3 s. ---- */

typedef struct ball {
  double r, v, t, theta;
  fb_pose IP, PQ, QB, IQ, IB; /* I rests; P at the contact and Q at the centre move along; B turns */
} ball;

static ball ball_at(double t) {
  ball b = {.r = 0.5, .v = 2, .t = t};
  b.theta = b.v * t / b.r;
  b.IP = b.PQ = b.QB = fb_pose_identity();
  b.IP.p[1] = b.v * t;
  b.PQ.p[2] = b.r;
  fb_rot_x(-b.theta, b.QB.R); /* rolling towards +y turns about -x */
  fb_pose_multiply(&b.IP, &b.PQ, &b.IQ);
  fb_pose_multiply(&b.IQ, &b.QB, &b.IB);
  return b;
}

static void test_rolling_ball_has_one_velocity_in_four_frames(void** state) {
  (void)state;
  const ball b = ball_at(0.3);
  const double V_P[6] = {-b.v / b.r, 0, 0, 0, 0, 0}; /* (45): it turns about the contact */
  const double want_I[6] = {-b.v / b.r, 0, 0, 0, 0, b.v * b.v * b.t / b.r};
  const double want_Q[6] = {-b.v / b.r, 0, 0, 0, b.v, 0};
  const double want_B[6] = {-b.v / b.r, 0, 0, 0, b.v * cos(b.theta), b.v * sin(b.theta)};
  double V[6];
  fb_spatial_motion_to_parent(&b.IP, V_P, V);
  assert_near("(46)", V, want_I, 6, ULPS);
  assert_near("(46) in numbers", V, (const double[]){-4, 0, 0, 0, 0, 2.4}, 6, PRINTED);
  fb_spatial_motion_to_child(&b.PQ, V_P, V);
  assert_near("(47)", V, want_Q, 6, ULPS);
  fb_spatial_motion_to_child(&b.QB, V, V);
  assert_near("(48)", V, want_B, 6, ULPS);
  assert_near("(48) in numbers", V, (const double[]){-4, 0, 0, 0, 0.7247, 1.8641}, 6, PRINTED);
}

static void test_rolling_ball_matrix_of_B_in_Q_is_the_paper_s(void** state) {
  (void)state;
  const ball b = ball_at(0.3);
  const double c = cos(b.theta), s = sin(b.theta), want[9] = {1, 0, 0, 0, c, s, 0, -s, c};
  assert_near("(43)", b.QB.R, want, 9, ULPS);
}

static void test_rolling_ball_accelerates_upwards_in_every_frame(void** state) {
  (void)state;
  const ball b = ball_at(0.3);
  const double up = b.v * b.v / b.r, rate = b.v / b.r;
  const double V_P[6] = {-b.v / b.r, 0, 0, 0, 0, 0}, V_Q[6] = {-b.v / b.r, 0, 0, 0, b.v, 0};
  const double frame[6] = {0, 0, 0, 0, b.v, 0}; /* P and Q slide along without turning */
  const double want[6] = {0, 0, 0, 0, 0, up};
  double A_P[6], A[6];
  /* (49): I rests, so the components of (46) are differentiated as they are. */
  const double A_I[6] = {0, 0, 0, 0, 0, b.v * b.v / b.r};
  fb_spatial_motion_cross(frame, V_P, A_P);
  assert_near("(50)", A_P, want, 6, ULPS);
  fb_spatial_motion_to_parent(&b.IP, A_P, A);
  assert_near("(51)", A, A_I, 6, ULPS);
  fb_spatial_motion_cross(frame, V_Q, A);
  assert_near("in Q", A, want, 6, ULPS);
  /* In B: the frame moves as the body does, so V x V = 0 and the derivative of (48) is all. */
  const double A_B[6] = {0, 0, 0, 0, -b.v * sin(b.theta) * rate, b.v * cos(b.theta) * rate};
  fb_spatial_motion_to_child(&b.QB, A, A);
  assert_near("in B", A, A_B, 6, ULPS);
  /* The centre itself moves uniformly: spatial linear part + w x v = 0. */
  const double centre[3] = {0, 0, up + V_Q[0] * V_Q[4]}; /* w has x only, v has y only */
  assert_near("centre", centre, (const double[]){0, 0, 0}, 3, ULPS);
}

static void test_rolling_ball_needs_no_force(void** state) {
  (void)state;
  const ball b = ball_at(0.3);
  const double mass = 3, I = 0.4 * mass * b.r * b.r, com[3] = {0, 0, 0}, I_com[6] = {I, I, I, 0, 0, 0};
  const double V[6] = {-b.v / b.r, 0, 0, 0, b.v, 0}, A[6] = {0, 0, 0, 0, 0, b.v * b.v / b.r};
  fb_spatial_inertia inertia;
  double net[6], momentum[6], bias[6];
  fb_spatial_inertia_from_com(mass, com, I_com, &inertia);
  fb_spatial_inertia_apply(&inertia, A, net);
  fb_spatial_inertia_apply(&inertia, V, momentum);
  fb_spatial_force_cross(V, momentum, bias);
  for (int i = 0; i < 6; i++) net[i] += bias[i];
  assert_near("(22)", net, (const double[]){0, 0, 0, 0, 0, 0}, 6, ULPS);
}

/* ---- 6.2 The free base with one link. ---- */

typedef struct robot {
  fb_spatial_inertia base, link; /* each at its own origin, in its own axes */
  double hinge[3];               /* link origin in base axes; the joint turns about the link's z */
  fb_pose tilt;                  /* link axes in base axes at q = 0 */
} robot;

typedef struct motion {
  fb_pose WB;
  double V_B[6], q, qd;
} motion;

static const double S[6] = {0, 0, 1, 0, 0, 0};

static fb_pose link_in_base(const robot* r, double q) {
  fb_pose pose = r->tilt;
  double turn[9];
  fb_rot_z(q, turn);
  fb_rot_multiply(pose.R, turn, pose.R);
  memcpy(pose.p, r->hinge, sizeof r->hinge);
  return pose;
}

/* (22): I A + V x* I V */
static void net_force(const fb_spatial_inertia* I, const double V[6], const double A[6], double F[6]) {
  double momentum[6], bias[6];
  fb_spatial_inertia_apply(I, A, F);
  fb_spatial_inertia_apply(I, V, momentum);
  fb_spatial_force_cross(V, momentum, bias);
  for (int i = 0; i < 6; i++) F[i] += bias[i];
}

static void link_velocity(const robot* r, const motion* m, double V_L[6]) {
  const fb_pose BL = link_in_base(r, m->q);
  fb_spatial_motion_to_child(&BL, m->V_B, V_L);
  for (int i = 0; i < 6; i++) V_L[i] += S[i] * m->qd;
}

/* Accelerations in -> external wrench on the base (6), joint torque (1); F_L: joint wrench on the link. */
static void newton_euler(const robot* r, const motion* m, const double acc[7], double out[7], double F_L[6]) {
  const fb_pose BL = link_in_base(r, m->q);
  double V_L[6], A_L[6], joint[6], coriolis[6], on_base[6];
  link_velocity(r, m, V_L);
  fb_spatial_motion_to_child(&BL, acc, A_L);
  for (int i = 0; i < 6; i++) joint[i] = S[i] * m->qd;
  fb_spatial_motion_cross(V_L, joint, coriolis);
  for (int i = 0; i < 6; i++) A_L[i] += S[i] * acc[6] + coriolis[i];
  net_force(&r->link, V_L, A_L, F_L);
  net_force(&r->base, m->V_B, acc, out);
  fb_spatial_force_to_parent(&BL, F_L, on_base);
  for (int i = 0; i < 6; i++) out[i] += on_base[i];
  out[6] = fb_spatial_dot(S, F_L);
}

/* Gaussian elimination with row exchange. */
static void solve7(double A[7][7], double x[7]) {
  for (int k = 0; k < 7; k++) {
    int pivot = k;
    for (int i = k + 1; i < 7; i++) {
      if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
    }
    for (int j = 0; j < 7; j++) {
      const double t = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = t;
    }
    const double t = x[k];
    x[k] = x[pivot];
    x[pivot] = t;
    for (int i = k + 1; i < 7; i++) {
      const double f = A[i][k] / A[k][k];
      for (int j = k; j < 7; j++) A[i][j] -= f * A[k][j];
      x[i] -= f * x[k];
    }
  }
  for (int k = 6; k >= 0; k--) {
    for (int j = k + 1; j < 7; j++) x[k] -= A[k][j] * x[j];
    x[k] /= A[k][k];
  }
}

/* The accelerations (A_B, qdd) in free flight under the joint torque: Newton-Euler is affine in them. */
static void free_flight(const robot* r, const motion* m, double tau, double acc[7]) {
  double bias[7], zero[7] = {0}, column[7], A[7][7], F[6];
  newton_euler(r, m, zero, bias, F);
  for (int j = 0; j < 7; j++) {
    double unit[7] = {0};
    unit[j] = 1;
    newton_euler(r, m, unit, column, F);
    for (int i = 0; i < 7; i++) A[i][j] = column[i] - bias[i];
  }
  for (int i = 0; i < 7; i++) acc[i] = -bias[i];
  acc[6] += tau;
  solve7(A, acc);
}

/* Total momentum at the world's origin, in world axes, and kinetic energy. */
static double total_momentum(const robot* r, const motion* m, double H_W[6]) {
  const fb_pose BL = link_in_base(r, m->q);
  double V_L[6], h_B[6], h_L[6];
  link_velocity(r, m, V_L);
  fb_spatial_inertia_apply(&r->base, m->V_B, h_B);
  fb_spatial_inertia_apply(&r->link, V_L, h_L);
  const double energy = (fb_spatial_dot(m->V_B, h_B) + fb_spatial_dot(V_L, h_L)) / 2;
  fb_spatial_force_to_parent(&BL, h_L, h_L);
  for (int i = 0; i < 6; i++) h_B[i] += h_L[i];
  fb_spatial_force_to_parent(&m->WB, h_B, H_W);
  return energy;
}

/* The page's planar robot: base 10 kg, 2 kg m^2, hinge 0.5 m along x; link 2 kg, 0.1 kg m^2, centre of
 * mass 0.4 m along its x. */
static robot planar_robot(void) {
  robot r = {.hinge = {0.5, 0, 0}, .tilt = fb_pose_identity()};
  const double at_origin[3] = {0, 0, 0}, out_there[3] = {0.4, 0, 0};
  const double I0[6] = {1.2, 1.3, 2, 0, 0, 0}, I1[6] = {0.01, 0.1, 0.1, 0, 0, 0};
  fb_spatial_inertia_from_com(10, at_origin, I0, &r.base);
  fb_spatial_inertia_from_com(2, out_there, I1, &r.link);
  return r;
}

/* What the closed form of the page says, for torque tau at q, qd and zero momentum. */
typedef struct planar {
  double phi_d, phi_dd, qdd; /* base rate and acceleration, joint acceleration */
  double d_d[2], d_dd[2];    /* of the line from base to link centre of mass, base axes */
  double mu;
} planar;

static planar closed_form(double q, double qd, double tau) {
  const double m0 = 10, I0 = 2, a = 0.5, m1 = 2, I1 = 0.1, b = 0.4, c = cos(q), s = sin(q);
  planar p = {.mu = m0 * m1 / (m0 + m1)};
  const double M11 = I0 + I1 + p.mu * (a * a + b * b + 2 * a * b * c), M12 = I1 + p.mu * (b * b + a * b * c);
  const double M22 = I1 + p.mu * b * b, k = p.mu * a * b * s;
  p.phi_d = -M12 / M11 * qd;
  const double right1 = k * qd * (2 * p.phi_d + qd), right2 = tau - k * p.phi_d * p.phi_d;
  const double det = M11 * M22 - M12 * M12;
  p.phi_dd = (M22 * right1 - M12 * right2) / det;
  p.qdd = (M11 * right2 - M12 * right1) / det;
  const double w0 = p.phi_d, w1 = p.phi_d + qd, e0 = p.phi_dd, e1 = p.phi_dd + p.qdd;
  p.d_d[0] = -b * w1 * s;
  p.d_d[1] = a * w0 + b * w1 * c;
  p.d_dd[0] = -a * w0 * w0 - b * w1 * w1 * c - b * e1 * s;
  p.d_dd[1] = a * e0 - b * w1 * w1 * s + b * e1 * c;
  return p;
}

/* The planar motion with zero momentum, as spatial vectors. */
static motion planar_motion(double q, double qd, const planar* p) {
  motion m = {.q = q, .qd = qd, .WB = {.p = {0.2, -0.1, 0}}};
  fb_rot_z(0.3, m.WB.R);
  m.V_B[2] = p->phi_d;
  for (int i = 0; i < 2; i++) m.V_B[3 + i] = -p->mu / 10 * p->d_d[i];
  return m;
}

static const double PLANAR_Q = 1.04719755119659774615, PLANAR_QD = 1.5, PLANAR_TAU = 0.2;

static void test_planar_floating_base_agrees_with_the_closed_form(void** state) {
  (void)state;
  const robot r = planar_robot();
  fb_random random = random_seed(41);
  for (int k = 0; k < 200; k++) {
    const double q = k == 0 ? PLANAR_Q : random_in(&random, -3, 3);
    const double qd = k == 0 ? PLANAR_QD : random_in(&random, -2, 2);
    const double tau = k == 0 ? PLANAR_TAU : random_in(&random, -1, 1);
    const planar p = closed_form(q, qd, tau);
    const motion m = planar_motion(q, qd, &p);
    double H[6], acc[7], out[7], F_L[6], on_base[6];
    total_momentum(&r, &m, H);
    assert_near_of(1, "zero momentum", H, (const double[]){0, 0, 0, 0, 0, 0}, 6, ULPS);
    free_flight(&r, &m, tau, acc);
    assert_near("base angular acceleration", &acc[2], &p.phi_dd, 1, ULPS);
    assert_near("joint acceleration", &acc[6], &p.qdd, 1, ULPS);
    /* The spatial linear part is the classical acceleration less w x v. */
    const double want[2] = {-p.mu / 10 * p.d_dd[0] + p.phi_d * m.V_B[4],
                            -p.mu / 10 * p.d_dd[1] - p.phi_d * m.V_B[3]};
    assert_near("base linear acceleration", acc + 3, want, 2, ULPS);
    newton_euler(&r, &m, acc, out, F_L);
    assert_near_of(worst_of(F_L, 6), "no wrench on the base", out, (const double[]){0, 0, 0, 0, 0, 0}, 6,
                   ULPS);
    assert_near("torque", &out[6], &tau, 1, ULPS);
    const fb_pose BL = link_in_base(&r, q);
    fb_spatial_force_to_parent(&BL, F_L, on_base);
    const double force[3] = {p.mu * p.d_dd[0], p.mu * p.d_dd[1], 0};
    assert_near("joint force, base axes", on_base + 3, force, 3, ULPS);
  }
}

static void test_planar_floating_base_gives_the_printed_numbers(void** state) {
  (void)state;
  const robot r = planar_robot();
  const planar p = closed_form(PLANAR_Q, PLANAR_QD, PLANAR_TAU);
  const motion m = planar_motion(PLANAR_Q, PLANAR_QD, &p);
  double acc[7], out[7], F_L[6], on_base[6];
  free_flight(&r, &m, PLANAR_TAU, acc);
  newton_euler(&r, &m, acc, out, F_L);
  const fb_pose BL = link_in_base(&r, PLANAR_Q);
  fb_spatial_force_to_parent(&BL, F_L, on_base);
  const double got[5] = {m.V_B[2], acc[2], acc[6], on_base[3], on_base[4]};
  const double printed[5] = {-0.2567, 0.0700, 0.3917, -0.8368, -0.6802};
  assert_near_of(1, "base rate and acceleration, joint acceleration, force", got, printed, 5, PRINTED);
}

/* A robot without symmetry, and any motion of it. */
static robot spatial_robot(fb_random* random) {
  robot r = {.hinge = {0.6, -0.3, 0.4}, .tilt = fb_pose_identity()};
  const double I0[6] = {3, 4, 5, 0.3, -0.2, 0.4}, I1[6] = {0.2, 0.5, 0.4, 0.02, -0.03, 0.05};
  double q[4], com[3];
  random_quat(random, q);
  fb_rot_from_quat(q, r.tilt.R);
  random_fill(random, -0.3, 0.3, 3, com);
  fb_spatial_inertia_from_com(10, com, I0, &r.base);
  random_fill(random, -0.5, 0.5, 3, com);
  fb_spatial_inertia_from_com(4, com, I1, &r.link);
  return r;
}

static motion spatial_motion(fb_random* random) {
  motion m;
  double q[4];
  random_quat(random, q);
  fb_rot_from_quat(q, m.WB.R);
  random_fill(random, -1, 1, 3, m.WB.p);
  random_fill(random, -1, 1, 6, m.V_B);
  m.q = random_in(random, -3, 3);
  m.qd = random_in(random, -1, 1);
  return m;
}

/* Everything that changes in time, and the work of the joint, as one array. */
typedef struct flight {
  motion m;
  double work;
} flight;

enum { FLIGHT_SIZE = sizeof(flight) / sizeof(double) };

static double torque_at(double t) {
  return 2 * sin(3 * t);
}

static void flight_rate(const robot* r, const flight* f, double t, flight* rate) {
  const motion* m = &f->m;
  double acc[7], w[3];
  free_flight(r, m, torque_at(t), acc);
  fb_rot_apply(m->WB.R, m->V_B, w);
  fb_rot_rate(m->WB.R, w, rate->m.WB.R);
  fb_rot_apply(m->WB.R, m->V_B + 3, rate->m.WB.p);
  memcpy(rate->m.V_B, acc, sizeof rate->m.V_B); /* V_B x V_B = 0: componentwise in B */
  rate->m.q = m->qd;
  rate->m.qd = acc[6];
  rate->work = torque_at(t) * m->qd;
}

static void add_scaled(const flight* a, double s, const flight* b, flight* out) {
  double x[FLIGHT_SIZE], y[FLIGHT_SIZE];
  memcpy(x, a, sizeof x);
  memcpy(y, b, sizeof y);
  for (int i = 0; i < FLIGHT_SIZE; i++) x[i] += s * y[i];
  memcpy(out, x, sizeof x);
}

/* Classical Runge-Kutta; the order of the method is no part of the test. */
static void fly(const robot* r, flight* f, int steps, double h) {
  for (int n = 0; n < steps; n++) {
    flight k1, k2, k3, k4, at;
    const double t = n * h;
    flight_rate(r, f, t, &k1);
    add_scaled(f, h / 2, &k1, &at);
    flight_rate(r, &at, t + h / 2, &k2);
    add_scaled(f, h / 2, &k2, &at);
    flight_rate(r, &at, t + h / 2, &k3);
    add_scaled(f, h, &k3, &at);
    flight_rate(r, &at, t + h, &k4);
    add_scaled(f, h / 6, &k1, f);
    add_scaled(f, h / 3, &k2, f);
    add_scaled(f, h / 3, &k3, f);
    add_scaled(f, h / 6, &k4, f);
  }
}

static void test_floating_base_in_free_flight_keeps_momentum_and_accounts_for_work(void** state) {
  (void)state;
  fb_random random = random_seed(42);
  for (int k = 0; k < 5; k++) {
    const robot r = spatial_robot(&random);
    flight f = {.m = spatial_motion(&random), .work = 0};
    double before[6], after[6];
    const double energy = total_momentum(&r, &f.m, before);
    fly(&r, &f, 1000, 1e-3);
    const double gained = total_momentum(&r, &f.m, after) - energy;
    assert_near("momentum", after, before, 6, 1e-11);
    assert_near("energy is work", &gained, &f.work, 1, 1e-11);
    assert_true(fabs(f.work) > 1e-3);
  }
}

static void test_composite_inertia_gives_the_same_base_acceleration(void** state) {
  (void)state;
  fb_random random = random_seed(43);
  for (int k = 0; k < 200; k++) {
    const robot r = spatial_robot(&random);
    const motion m = spatial_motion(&random);
    const fb_pose BL = link_in_base(&r, m.q);
    double acc[7], inert[7], moving[7], F[6], want[6], zero[6] = {0};
    fb_spatial_inertia whole;
    free_flight(&r, &m, random_in(&random, -1, 1), acc);
    /* (I_B + Xt I_L X) A_B + [terms without A_B] = 0 */
    fb_spatial_inertia_to_parent(&BL, &r.link, &whole);
    fb_spatial_inertia_add(&whole, &r.base, &whole);
    fb_spatial_inertia_apply(&whole, acc, want);
    memset(inert, 0, sizeof inert);
    inert[6] = acc[6];
    newton_euler(&r, &m, inert, moving, F);
    for (int i = 0; i < 6; i++) want[i] += moving[i];
    assert_near_of(worst_of(moving, 6), "composite", want, zero, 6, 1e-13);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_rolling_ball_has_one_velocity_in_four_frames),
      cmocka_unit_test(test_rolling_ball_matrix_of_B_in_Q_is_the_paper_s),
      cmocka_unit_test(test_rolling_ball_accelerates_upwards_in_every_frame),
      cmocka_unit_test(test_rolling_ball_needs_no_force),
      cmocka_unit_test(test_planar_floating_base_agrees_with_the_closed_form),
      cmocka_unit_test(test_planar_floating_base_gives_the_printed_numbers),
      cmocka_unit_test(test_floating_base_in_free_flight_keeps_momentum_and_accounts_for_work),
      cmocka_unit_test(test_composite_inertia_gives_the_same_base_acceleration),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
