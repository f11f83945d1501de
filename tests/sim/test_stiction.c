/* test_stiction.c -- Coulomb friction that holds: joints stick, slide, stop and turn round, by every method. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include "contact_rig.h"

static fb_sim_options sticky(void) {
  fb_sim_options options = fb_default_sim_options();
  options.friction_law = FB_FRICTION_STICTION;
  return options;
}

static void a_block_stands_on_a_slope_that_is_not_too_steep(void** unused) {
  (void)unused;
  const double friction = 5, q = 0, v = 0;
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim_options options = sticky();
    options.environment.gravity_w[0] = 4.999;
    fb_sim* sim = sim_by(i, m, 0.01, options);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 10);
    assert_true(fb_sim_q(sim)[0] == 0 && fb_sim_v(sim)[0] == 0 && fb_sim_rests(sim, 0));
    fb_sim_free(sim);
    options.friction_law = FB_FRICTION_SMOOTH; /* and would creep by the smooth law */
    sim = sim_by(2, m, 1e-4, options);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 0.1);
    assert_true(fb_sim_v(sim)[0] > 1e-4);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* 1 kg at 2 m/s slows down by 4 m/s^2: after 0.5 s and 0.5 m it stands, and 2 J are gone. */
static void a_sliding_block_stops_where_its_energy_is_spent(void** unused) {
  (void)unused;
  const double friction = 4, q = 0, v = 2;
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-3 : 0.03, sticky());
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 2);
    fb_ledger ledger;
    fb_sim_ledger(sim, &ledger);
    assert_near_of(1, NAMES[i], fb_sim_q(sim), &(double){0.5}, 1, is_coarse(i) ? 2e-3 : 1e-7);
    assert_near_of(1, "dissipated", &ledger.dissipated, &(double){2}, 1, is_coarse(i) ? 1e-2 : 1e-6);
    assert_true(fb_sim_v(sim)[0] == 0 && fb_sim_rests(sim, 0));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Pushed by 3, 5 and -5 N against 4 N: it stays, goes, turns round. */
static void a_push_below_the_level_moves_nothing_and_one_above_moves_it(void** unused) {
  (void)unused;
  const double friction = 4, q = 0, v = 0, times[] = {0, 1, 2}, forces[] = {3, 5, -5};
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-3 : 0.01, sticky());
    push_or_fail(sim, 0, 3, times, forces);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 1);
    assert_true(fb_sim_q(sim)[0] == 0);
    run_or_fail(sim, 2);
    assert_near_of(1, "after 1 s of 1 N", fb_sim_q(sim), &(double){0.5}, 1, is_coarse(i) ? 2e-3 : 1e-7);
    /* 1 m/s against 9 N: 1/9 s and 1/18 m, then back by 1 m/s^2 */
    run_or_fail(sim, 3);
    double back = 1 - 1.0 / 9, want = 0.5 + 1.0 / 18 - back * back / 2;
    assert_near_of(1, NAMES[i], fb_sim_q(sim), &want, 1, is_coarse(i) ? 5e-3 : 1e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A mass on a spring: every half swing is shorter by 2 f / k, and it sticks where the spring pulls less than f. */
static fb_status spring(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] -= 100 * context->q[0];
  return FB_OK;
}

static void a_mass_on_a_spring_sticks_after_a_known_number_of_swings(void** unused) {
  (void)unused;
  const double friction = 3, q = 0.25, v = 0; /* 0.25, -0.19, 0.13, -0.07, 0.01: then 1 N is less than 3 N */
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-4 : 2e-3, sticky());
    fb_block block = fb_default_block();
    block.name = "spring";
    block.act = spring;
    block_or_fail(sim, &block);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 5);
    assert_near_of(1, NAMES[i], fb_sim_q(sim), &(double){0.01}, 1,
                   is_coarse(i) ? 5e-3
                   : i == 5     ? 1e-4
                                : 1e-6);
    assert_true(fb_sim_v(sim)[0] == 0 && fb_sim_rests(sim, 0));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A block of 1 kg on a spring, and the same of 1e-21 kg and of 1e18 kg. Where the light one turned round, its friction was
 * taken for rounding beside accelerations, and it was held and released without end. */
static void the_unit_of_mass_does_not_matter(void** unused) {
  (void)unused;
  static const double UNITS[] = {1, 0x1p-70, 0x1p60};
  double want = 0;
  for (int unit = 0; unit < 3; unit++) {
    fb_body_def body = fb_default_body_def();
    body.name = "block";
    body.joint.type = FB_JOINT_PRISMATIC;
    body.joint.axis[0] = 1;
    body.joint.friction[0] = 0.03 * UNITS[unit];
    body.joint.stiffness[0] = 100 * UNITS[unit];
    body.mass = UNITS[unit];
    fb_model_def* def = fb_model_def_new();
    fb_error error;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
    fb_model* m = build_or_fail(def, NULL);
    fb_sim* sim = sim_by(METHOD_COUNT, m, 1e-3, sticky());
    start_or_fail(sim, &(double){0.25}, &(double){0});
    run_or_fail(sim, 2);
    if (unit == 0) want = fb_sim_q(sim)[0];
    assert_near_of(1, "in every unit", fb_sim_q(sim), &want, 1, 1e-6);
    fb_sim_free(sim);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

/* Two blocks, one on the other: the lower one is pulled, the upper one goes along until its friction gives way. */
static void two_blocks_stick_to_each_other_as_far_as_friction_carries(void** unused) {
  (void)unused;
  const double friction[2] = {1, 2}, q[2] = {0, 0}, v[2] = {0, 0}, times[] = {0, 1}, forces[] = {3, 9};
  fb_model* m = sliders(2, 1, friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-3 : 0.01, sticky());
    push_or_fail(sim, 0, 2, times, forces);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 1); /* (3 - 1) / 2 = 1 m/s^2 needs 1 N between them */
    assert_near_of(1, "together", fb_sim_q(sim), &(double){0.5}, 1, is_coarse(i) ? 2e-3 : 1e-7);
    assert_true(fb_sim_q(sim)[1] == 0);
    run_or_fail(sim, 2); /* (9 - 1) / 2 = 4 m/s^2 would need 4 N; so 2 m/s^2 above and 6 m/s^2 below */
    const double want[2] = {0.5 + 1 + 3, -2};
    assert_near_of(1, NAMES[i], fb_sim_q(sim), want, 2, is_coarse(i) ? 2e-2 : 1e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Against a stop with friction: what is pressed on is held by both, and a pull of less than the friction moves nothing. */
static fb_status act_ramp(void* user, const fb_context* context, const double* memory, const double* state,
                          fb_action* action, double* rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)rate, (void)error;
  action->tau[0] += 3.99 + 0.01 * context->t;
  return FB_OK;
}

/* The lowest of three that stick to one another slides from 1 s on, when a push that grows slowly reaches 4 N: all of them move,
 * three times as heavy as the lowest is where the others may slide. */
static void what_a_slow_push_moves_carries_what_sticks_to_it(void** unused) {
  (void)unused;
  const double friction[] = {4, 10, 10}, zero[3] = {0};
  fb_model* m = sliders(3, 1, friction);
  for (int i = 0; i < method_count(); i++) {
    fb_error error;
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-3 : 0.01, sticky());
    fb_block block = fb_default_block();
    block.name = "ramp";
    block.act = act_ramp;
    assert_int_equal(fb_sim_add_block(sim, &block, NULL, &error), FB_OK);
    start_or_fail(sim, zero, zero);
    run_or_fail(sim, 3);
    assert_near_of(1, NAMES[i], fb_sim_q(sim), &(double){0.01 * 8 / 18}, 1, is_coarse(i) ? 5e-3 : 1e-6);
    assert_true(fb_sim_q(sim)[1] == 0 && fb_sim_q(sim)[2] == 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void friction_helps_to_hold_what_rests_on_a_stop(void** unused) {
  (void)unused;
  const double friction = 2, q = 1, v = 0, times[] = {0, 1, 2}, forces[] = {5, -1, -3};
  fb_model* m = sliders(1, 0, &friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, is_coarse(i) ? 1e-3 : 0.01, sticky());
    limit_or_fail(sim, 0, 1, +1, 0.5);
    push_or_fail(sim, 0, 3, times, forces);
    start_or_fail(sim, &q, &v);
    run_or_fail(sim, 2);
    assert_true(fb_sim_q(sim)[0] == 1);
    run_or_fail(sim, 3);
    assert_near_of(1, NAMES[i], fb_sim_q(sim), &(double){0.5}, 1, is_coarse(i) ? 2e-3 : 1e-7);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* A snapshot taken while things stick, slide and rest goes on with the same bits. */
static void going_on_and_coming_back_are_the_same_bits(void** unused) {
  (void)unused;
  const double friction[3] = {1, 2, 0.5}, q[3] = {0, 0, 0}, v[3] = {1, 0, -1};
  const double times[] = {0, 0.4, 0.9, 1.4}, forces[] = {6, -7, 3, -20};
  fb_model* m = sliders(3, 1, friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim *sim = sim_by(i, m, 0.01, sticky()), *again = sim_by(i, m, 0.01, sticky());
    fb_sim* both[] = {sim, again};
    for (int s = 0; s < 2; s++) {
      for (int k = 0; k < 3; k++) {
        limit_or_fail(both[s], k, 0.3, +1, 0.4);
        limit_or_fail(both[s], k, -0.3, -1, 0);
      }
      push_or_fail(both[s], 1, 4, times, forces);
      start_or_fail(both[s], q, v);
    }
    fb_error error;
    size_t size = fb_sim_snapshot_size(sim);
    char* snapshot = (char*)malloc(size);
    for (double t = 0.1; t < 2; t += 0.1) {
      run_or_fail(sim, t);
      fb_sim_save(sim, snapshot);
      assert_int_equal(fb_sim_restore(again, snapshot, size, &error), FB_OK);
      run_or_fail(again, t + 0.1);
      fb_sim* on = sim;
      run_or_fail(on, t + 0.1);
      assert_memory_equal(fb_sim_q(on), fb_sim_q(again), 3 * sizeof(double));
      assert_memory_equal(fb_sim_v(on), fb_sim_v(again), 3 * sizeof(double));
    }
    free(snapshot);
    fb_sim_free(sim);
    fb_sim_free(again);
  }
  fb_model_free(m);
}

/* The simulation that goes on has just begun, where all is held; the snapshot has it slide, and it turns round. */
static void what_slides_goes_on_with_the_same_bits_where_it_was_held_at_the_start(void** unused) {
  (void)unused;
  const double friction[] = {1}, q[] = {0}, v[] = {0}, times[] = {0, 0.05, 0.25, 0.5},
               forces[] = {0, 3, -4, 5};
  fb_model* m = sliders(1, 0, friction);
  for (int i = 0; i < method_count(); i++) {
    fb_sim *sim = sim_by(i, m, 0.01, sticky()), *other = sim_by(i, m, 0.01, sticky());
    push_or_fail(sim, 0, 4, times, forces);
    push_or_fail(other, 0, 4, times, forces);
    start_or_fail(sim, q, v);
    start_or_fail(other, q, v);
    assert_restores(sim, other, 0.1);
    fb_sim_free(sim);
    fb_sim_free(other);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_block_stands_on_a_slope_that_is_not_too_steep),
      cmocka_unit_test(a_sliding_block_stops_where_its_energy_is_spent),
      cmocka_unit_test(a_push_below_the_level_moves_nothing_and_one_above_moves_it),
      cmocka_unit_test(a_mass_on_a_spring_sticks_after_a_known_number_of_swings),
      cmocka_unit_test(the_unit_of_mass_does_not_matter),
      cmocka_unit_test(two_blocks_stick_to_each_other_as_far_as_friction_carries),
      cmocka_unit_test(what_a_slow_push_moves_carries_what_sticks_to_it),
      cmocka_unit_test(friction_helps_to_hold_what_rests_on_a_stop),
      cmocka_unit_test(going_on_and_coming_back_are_the_same_bits),
      cmocka_unit_test(what_slides_goes_on_with_the_same_bits_where_it_was_held_at_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
