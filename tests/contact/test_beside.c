/* test_beside.c -- the error that moreau estimates is the true one: of steps, of impacts and of what follows from them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ball_rig.h"

typedef struct throw_of {
  fb_collider_kind kind;
  double size[3];
  double inertia, friction, restitution;
  double q[7], v[6];
} throw_of;

static fb_sim* thrown(const fb_model* m, const throw_of* how, fb_method method) {
  const fb_collider shape = shape_on(1, how->kind, how->size[0], how->size[1], how->size[2]),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&shape, &ground, FB_CONTACT_HARD, 0, 0, how->friction);
  fb_sim_options options = heavy_options(0, -G);
  fb_error error;
  fb_sim* sim;
  contact.restitution = how->restitution;
  options.method = method;
  options.adaptive = method == FB_METHOD_DOPRI5;
  options.step = method == FB_METHOD_DOPRI5 ? 0 : 1e-3;
  options.rtol = options.atol = 1e-10;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error) ||
      fb_sim_start(sim, how->q, how->v, &error))
    fail_msg("%s", error.text);
  return sim;
}

/* The largest difference of positions in a run, relative: a length to `size`, angles to a radian. */
static double true_error(const throw_of* how, double until, double size, double* estimate, char text[480]) {
  fb_model* m = one_body(FB_JOINT_FREE, 1, how->inertia);
  fb_sim *exact = thrown(m, how, FB_METHOD_DOPRI5), *sim = thrown(m, how, FB_METHOD_MOREAU);
  double worst = 0;
  for (int i = 1; i <= 100; i++) {
    run_or_fail(exact, until * i / 100);
    run_or_fail(sim, until * i / 100);
    worst = fmax(worst, worst_difference(fb_sim_q(sim), fb_sim_q(exact), 3) / size);
    worst = fmax(worst, 2 * worst_difference(fb_sim_q(sim) + 3, fb_sim_q(exact) + 3, 4));
  }
  *estimate = fb_sim_error_estimate(sim, NULL);
  fb_sim_warning(sim, text, 480);
  fb_sim_free(exact);
  fb_sim_free(sim);
  fb_model_free(m);
  return worst;
}

/* Thrown at the ground, e = 1: a second corner comes and goes between the middles of two steps. */
static const throw_of CUBE = {FB_COLLIDER_BOX,
                              {0.1, 0.1, 0.1},
                              0.01 / 6,
                              0,
                              1,
                              {0, 0, 0.1166, -0.530842646, -0.118354026, 0.769452417, 0.334875181},
                              {0, 0, -11.48028}};

static void an_impact_that_steps_pass_over_is_named(void** unused) {
  (void)unused;
  double estimate;
  char text[480];
  const double truth = true_error(&CUBE, 0.05, 0.05, &estimate, text);
  if (!(truth > 0.1 && estimate > 0.1)) fail_msg("off by %g, estimated %g", truth, estimate);
  if (!strstr(text, "contact \"foot\" at t = 0.00")) fail_msg("%s", text);
}

static void the_estimate_is_the_true_error_where_nothing_amplifies_it(void** unused) {
  (void)unused;
  static const throw_of CALM[] = {
      {FB_COLLIDER_SPHERE, {0.1, 0, 0}, 4e-3, 0.3, 0.9, {0, 0, 0.6, 1}, {1, 0, 0, 0, 0, 1}},
      {FB_COLLIDER_BOX, {0.1, 0.1, 0.1}, 0.01 / 6, 0, 0.5, {0, 0, 0.3, 0.6, 0, 0.8}, {0.3, 0, 0, 3, 2, 1}},
      {FB_COLLIDER_ELLIPSOID, {0.1, 0.12, 0.08}, 4e-3, 0.8, 0, {0, 0, 0.08, 1}, {0.3, 0, 0, 0, 3, 2}}};
  static const double TIMES[] = {2, 0.5, 3};
  for (int i = 0; i < 3; i++) {
    double estimate;
    char text[480];
    const double truth = true_error(&CALM[i], TIMES[i], sqrt(1.5 * CALM[i].inertia), &estimate, text);
    if (!(truth < 3 * estimate && estimate < 5 * truth + 1e-5))
      fail_msg("%d: off by %g, estimated %g", i, truth, estimate);
    if (text[0]) fail_msg("%d: %s", i, text);
  }
}

static void runs_are_the_same_to_the_bit_when_every_step_begins_from_a_snapshot(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_FREE, 1, CUBE.inertia);
  fb_sim *plain = thrown(m, &CUBE, FB_METHOD_MOREAU), *saved = thrown(m, &CUBE, FB_METHOD_MOREAU),
         *next = thrown(m, &CUBE, FB_METHOD_MOREAU);
  const size_t size = fb_sim_snapshot_size(plain);
  char *snapshot = malloc(size), *other = malloc(size);
  fb_error error;
  assert_non_null(snapshot);
  assert_non_null(other);
  while (fb_sim_time(plain) < 0.3) {
    if (fb_sim_step(plain, 0.3, &error) || fb_sim_step(saved, 0.3, &error)) fail_msg("%s", error.text);
    fb_sim_save(saved, snapshot);
    if (fb_sim_restore(next, snapshot, size, &error)) fail_msg("%s", error.text);
    fb_sim* last = saved;
    saved = next;
    next = last;
  }
  fb_sim_save(plain, other);
  fb_sim_save(saved, snapshot);
  assert_memory_equal(snapshot, other, size);
  free(snapshot);
  free(other);
  fb_sim_free(plain);
  fb_sim_free(saved);
  fb_sim_free(next);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_impact_that_steps_pass_over_is_named),
      cmocka_unit_test(the_estimate_is_the_true_error_where_nothing_amplifies_it),
      cmocka_unit_test(runs_are_the_same_to_the_bit_when_every_step_begins_from_a_snapshot),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
