/* test_bounce.c -- moreau divides steps at impacts: bounces are of second order, and keep momentum and the ledger. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

static const double RADIUS = 0.1, HEIGHT = 0.5, TIME = 0.9;

/* The height of a ball that was dropped, above where it bounces. */
static double exact_height(double e) {
  double v = sqrt(2 * G * HEIGHT), t = TIME - v / G;
  for (v *= e; t > 2 * v / G; v *= e) t -= 2 * v / G;
  return v * t - 0.5 * G * t * t;
}

static fb_sim* hard_sim(const fb_model* m, fb_collider shape, double step, double e, fb_restitution_law law) {
  fb_sim* sim;
  fb_error error;
  fb_sim_options options = heavy_options(0, -G);
  fb_collider plane = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&shape, &plane, FB_CONTACT_HARD, 0, 0, 0.2);
  contact.restitution = e;
  contact.restitution_law = law;
  options.method = FB_METHOD_MOREAU;
  options.step = step;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error))
    fail_msg("%s", error.text);
  return sim;
}

static void run(fb_sim* sim, const double* q, const double* v, fb_ledger* ledger) {
  fb_error error;
  if (fb_sim_start(sim, q, v, &error) || fb_sim_run_until(sim, TIME, &error)) fail_msg("%s", error.text);
  fb_sim_ledger(sim, ledger);
}

static void the_error_of_bounces_is_of_second_order(void** unused) {
  (void)unused;
  static const struct {
    double e;
    fb_restitution_law law;
  } CASES[] = {{0.6, FB_RESTITUTION_NEWTON},
               {0.6, FB_RESTITUTION_POISSON},
               {1, FB_RESTITUTION_NEWTON},
               {1, FB_RESTITUTION_POISSON}};
  const double q[] = {0, 0, HEIGHT + RADIUS, 1, 0, 0, 0}, v[6] = {0};
  fb_model* m = one_body(FB_JOINT_FREE, 2, 0.008);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (double step = 1e-2; step > 1e-3; step *= 0.47) { /* impacts fall anywhere within their steps */
      fb_sim* sim =
          hard_sim(m, shape_on(1, FB_COLLIDER_SPHERE, RADIUS, 0, 0), step, CASES[i].e, CASES[i].law);
      fb_ledger l;
      run(sim, q, v, &l);
      double error = fabs(fb_sim_q(sim)[2] - RADIUS - exact_height(CASES[i].e));
      if (error > 20 * step * step)
        fail_msg("e = %g, %s, step %g: height off by %g m", CASES[i].e, CASES[i].law ? "Poisson" : "Newton",
                 step, error);
      assert_true(l.worst < 1e-9 && l.momentum_worst < 1e-9);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* First order would be 2e-2 at the longest step. */
static void a_box_that_lands_tumbling_keeps_its_momentum(void** unused) {
  (void)unused;
  const double q[] = {0, 0, 0.5, 0.98, 0.1, 0.1, 0.14}, v[] = {1, 0.3, 0, 2, 1, 3};
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.008);
  for (double step = 4e-3; step > 5e-4; step *= 0.5) {
    fb_sim* sim = hard_sim(m, shape_on(1, FB_COLLIDER_BOX, 0.3, 0.2, 0.1), step, 0.5, FB_RESTITUTION_NEWTON);
    fb_ledger l;
    run(sim, q, v, &l);
    if (!(l.worst < 1e-4 && l.momentum_worst < 1e-3))
      fail_msg("step %g: %g, %g", step, l.worst, l.momentum_worst);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_error_of_bounces_is_of_second_order),
      cmocka_unit_test(a_box_that_lands_tumbling_keeps_its_momentum),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
