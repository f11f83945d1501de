/* test_computed_torque.c -- computed torque: errors that follow their closed form, paths, bounds, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "sim_rig.h"

static const double GRAVITY[3] = {1, -2, -9.81};

static fb_block law_or_fail(const fb_model* m, const fb_pd_joint* joints, int count) {
  fb_error error;
  fb_block block;
  if (fb_block_new_computed_torque(m, "law", joints, count, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* The joints of tree6 that the law drives: hinges, a skew one and a slide. The ball joint gives way. */
static const char* const DRIVEN[] = {"a1", "a2", "a3", "b1", "b2"};
enum { NDRIVEN = 5 };

static int driven_v(const fb_model* m, int i) {
  return fb_joint_v_index(m, fb_model_find_joint(m, DRIVEN[i]));
}

static int driven_q(const fb_model* m, int i) {
  return fb_joint_q_index(m, fb_model_find_joint(m, DRIVEN[i]));
}

static fb_sim* sim_with(const fb_model* m, const fb_pd_joint* joints, const double* q, const double* v) {
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  options.rtol = 1e-11;
  options.atol = 1e-13;
  memcpy(options.environment.gravity_w, GRAVITY, sizeof GRAVITY);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block law = law_or_fail(m, joints, NDRIVEN);
  block_or_fail(sim, &law);
  start_or_fail(sim, q, v);
  return sim;
}

/* e'' + kd e' + kp e = 0 from (e0, e0'): under-, over- and critically damped. */
static double error_at(double kp, double kd, double e0, double rate, double t) {
  double s = kd / 2, root = kp - s * s, b = rate + s * e0;
  if (root > 0) return exp(-s * t) * (e0 * cos(sqrt(root) * t) + b / sqrt(root) * sin(sqrt(root) * t));
  if (root < 0) return exp(-s * t) * (e0 * cosh(sqrt(-root) * t) + b / sqrt(-root) * sinh(sqrt(-root) * t));
  return exp(-s * t) * (e0 + b * t);
}

/* Whatever the base does, gravity, springs, dampers and friction included. */
static void errors_obey_their_closed_form(void** unused) {
  (void)unused;
  static const fb_joint_type bases[] = {FB_JOINT_FREE, FB_JOINT_FIXED};
  static const double kp[NDRIVEN] = {4, 1, 9, 2.25, 0}, kd[NDRIVEN] = {1, 2.5, 6, 0.3, 1};
  for (int c = 0; c < 4; c++) {
    fb_model* m = tree6(bases[c % 2], c / 2);
    double q[20], v[20];
    fb_random_q(m, 11, q);
    fb_random_v(m, 12, v);
    fb_pd_joint joints[NDRIVEN];
    for (int i = 0; i < NDRIVEN; i++)
      joints[i] =
          (fb_pd_joint){driven_v(m, i), kp[i], kd[i], 0.2 * i - 0.3, NULL, INFINITY, 0, .cookie_ = FB_COOKIE};
    fb_sim* sim = sim_with(m, joints, q, v);
    for (int k = 1; k <= 5; k++) {
      double t = 0.4 * k, want[NDRIVEN], got[NDRIVEN];
      run_or_fail(sim, t);
      for (int i = 0; i < NDRIVEN; i++) {
        double target = joints[i].target, e0 = target - q[driven_q(m, i)];
        want[i] = error_at(kp[i], kd[i], e0, -v[driven_v(m, i)], t);
        got[i] = target - fb_sim_q(sim)[driven_q(m, i)];
      }
      assert_near("errors", got, want, NDRIVEN, 1e-8);
    }
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

static void a_path_is_followed_to_the_integrator_s_accuracy(void** unused) {
  (void)unused;
  static const double times[3] = {0.2, 1, 2};
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  double q[20], v[20] = {0};
  fb_spline* paths[NDRIVEN];
  fb_pd_joint joints[NDRIVEN];
  fb_random_q(m, 5, q);
  for (int i = 0; i < NDRIVEN; i++) {
    double from = q[driven_q(m, i)];
    const double values[3] = {from, from + 0.5, from - 0.2 * i};
    assert_int_equal(fb_spline_new_quintic(3, times, values, &paths[i], NULL), FB_OK);
    joints[i] = (fb_pd_joint){driven_v(m, i),      0, 0, 99, paths[i], INFINITY, 0,
                              .cookie_ = FB_COOKIE}; /* without any help of gains */
  }
  fb_sim* sim = sim_with(m, joints, q, v);
  for (int k = 1; k <= 10; k++) {
    run_or_fail(sim, 0.23 * k);
    for (int i = 0; i < NDRIVEN; i++) {
      double x, rate;
      fb_spline_eval(paths[i], 0.23 * k, &x, &rate, NULL);
      assert_near("place", &fb_sim_q(sim)[driven_q(m, i)], &x, 1, 1e-9);
      assert_near_of(1, "rate", &fb_sim_v(sim)[driven_v(m, i)], &rate, 1, 1e-9); /* of the path's 1 rad/s */
    }
  }
  fb_sim_free(sim);
  for (int i = 0; i < NDRIVEN; i++) fb_spline_free(paths[i]);
  fb_model_free(m);
}

/* --- what the law does at a moment --- */

enum { MOST_V = 60 };

typedef struct moment {
  double q[80], v[MOST_V], tau[MOST_V], memory[4 * MOST_V];
} moment;

static void act_at(const fb_model* m, const fb_block* b, fb_data* d, double t, moment* at) {
  fb_environment e = fb_default_environment();
  memcpy(e.gravity_w, GRAVITY, sizeof GRAVITY);
  fb_context context = {.model = m, .data = d, .t = t, .q = at->q, .v = at->v, .environment = &e};
  fb_action action = {at->tau, NULL, NULL, NULL, 0, 0};
  memset(at->tau, 0, sizeof at->tau);
  assert_int_equal(b->act(b->user, &context, at->memory, NULL, &action, NULL, NULL), FB_OK);
  assert_int_equal(action.nwrench, 0);
}

static int is_plain(const fb_model* m, int body, int i) {
  fb_joint_type type = fb_joint_type_of(m, body);
  return type != FB_JOINT_SPHERICAL && (type != FB_JOINT_FREE || i < 3);
}

/* Random forests with every joint, some of their plain coordinates listed: forward dynamics must give what was wanted,
 * and the other coordinates get nothing. */
static void forces_give_the_accelerations_wanted(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 40; seed++) {
    fb_random r = random_seed(seed);
    fb_model_def* def = random_forest(&r, 8, 1, 1);
    fb_model* m = build_or_fail(def, NULL);
    fb_data* d = fb_data_new(m);
    moment at;
    fb_pd_joint joints[MOST_V];
    double wanted[MOST_V], vdot[MOST_V];
    int count = 0, nv = fb_model_nv(m);
    assert_true(nv <= MOST_V && fb_model_nq(m) <= 80);
    fb_random_q(m, seed, at.q);
    fb_random_v(m, seed, at.v);
    for (int b = 1; b < fb_model_nbody(m); b++)
      for (int i = 0; i < fb_joint_nv(m, b); i++) {
        if (!is_plain(m, b, i) || random_index(&r, 3) == 0) continue;
        int k = fb_joint_v_index(m, b) + i;
        fb_pd_joint joint = {
            k, random_in(&r, 0, 5), random_in(&r, 0, 5), random_in(&r, -1, 1), NULL, INFINITY,
            0, .cookie_ = FB_COOKIE};
        wanted[count] = joint.kp * (joint.target - at.q[fb_joint_q_index(m, b) + i]) - joint.kd * at.v[k];
        joints[count++] = joint;
      }
    if (count > 0) {
      fb_block law = law_or_fail(m, joints, count);
      fb_context context = {.model = m, .data = d, .q = at.q, .v = at.v};
      assert_int_equal(law.start(law.user, &context, at.memory, NULL, NULL), FB_OK);
      act_at(m, &law, d, 0, &at);
      fb_loads loads = fb_default_loads();
      memcpy(loads.environment.gravity_w, GRAVITY, sizeof GRAVITY);
      fb_forward_dynamics(m, d, at.q, at.v, at.tau, &loads, vdot);
      double got[MOST_V];
      for (int i = 0; i < count; i++) got[i] = vdot[joints[i].coordinate];
      assert_near("accelerations", got, wanted, count, 1e-8);
      for (int i = 0; i < count; i++) at.tau[joints[i].coordinate] = 0;
      for (int k = 0; k < nv; k++) assert_true(at.tau[k] == 0);
      law.free(law.user);
    }
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

static int parameter(const fb_block* b, const char* name) {
  for (int i = 0; b->parameters[i]; i++)
    if (strcmp(b->parameters[i], name) == 0) return i;
  fail_msg("no parameter %s", name);
  return -1;
}

/* A pendulum of 1 kg m^2 that gravity turns: its force is known by hand. */
static void forces_stay_within_the_effort_and_parameters_act(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_data* d = fb_data_new(m);
  moment at = {.q = {0.3}, .v = {-0.4}};
  const fb_pd_joint joint = {0, 30, 2, 0.5, NULL, 100, 0, .cookie_ = FB_COOKIE};
  fb_block law = law_or_fail(m, &joint, 1);
  fb_context context = {.model = m, .data = d, .q = at.q, .v = at.v};
  assert_int_equal(law.nstate, 0);
  assert_int_equal(law.start(law.user, &context, at.memory, NULL, NULL), FB_OK);
  /* the bob stands at (-sin, 0, -cos): gravity's moment about y is z Gx - x Gz */
  double weight = -cos(0.3) * GRAVITY[0] + sin(0.3) * GRAVITY[2];
  double want = 30 * (0.5 - 0.3) + 2 * 0.4 - weight;
  act_at(m, &law, d, 0, &at);
  assert_near("tau", at.tau, &want, 1, 1e-13);
  static const struct {
    const char* name;
    double value, want;
  } cases[] = {{"bob.effort", 3, 3}, {"bob.target", -50, -3}, {"bob.effort", 0, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    at.memory[parameter(&law, cases[i].name)] = cases[i].value;
    act_at(m, &law, d, 0, &at);
    assert_near(cases[i].name, at.tau, &cases[i].want, 1, 0);
  }
  at.memory[parameter(&law, "bob.effort")] = INFINITY;
  at.memory[parameter(&law, "bob.kp")] = 0;
  at.memory[parameter(&law, "bob.kd")] = 5;
  want = 5 * 0.4 - weight;
  act_at(m, &law, d, 0, &at);
  assert_near("damping alone", at.tau, &want, 1, 1e-13);
  assert_true(isinf(law.next_edge(law.user, at.memory, 0)));
  law.free(law.user);
  fb_data_free(d);
  fb_model_free(m);
}

static void what_it_cannot_drive_is_refused(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    const char* block;
    int count;
    fb_pd_joint joint;
    fb_status status;
    const char* text;
  } cases[] = {
      {"no name",
       "",
       1,
       {6, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_NAME,
       "a computed_torque block needs a name"},
      {"no joints", "law", 0, {6, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE}, FB_ERR_ARG, "at least one"},
      {"an attitude",
       "law",
       1,
       {4, 1, 1, 0, NULL, 1, 0, .cookie_ = FB_COOKIE},
       FB_ERR_JOINT,
       "block \"law\": coordinate 4"},
      {"an integral",
       "law",
       1,
       {6, 1, 1, 0, NULL, 1, 2, .cookie_ = FB_COOKIE},
       FB_ERR_ARG,
       "joint \"a1\": ki is 2"},
  };
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error = {.status = FB_OK};
    fb_block b;
    fb_status status =
        fb_block_new_computed_torque(m, cases[i].block, &cases[i].joint, cases[i].count, &b, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text))
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_status_name(status), error.text);
    assert_null(b.user);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(errors_obey_their_closed_form),
      cmocka_unit_test(a_path_is_followed_to_the_integrator_s_accuracy),
      cmocka_unit_test(forces_give_the_accelerations_wanted),
      cmocka_unit_test(forces_stay_within_the_effort_and_parameters_act),
      cmocka_unit_test(what_it_cannot_drive_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
