/* test_contact_ledger.c -- contacts in the ledger: what they exchange is the scale of the residuals, and a displacement out of
 * penetration leaves no residual of momentum. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

/* A body with the shape of a box on the plane z = 0. */
static fb_sim* box_on_plane(const fb_model* m, fb_sim_options options, fb_contact_law law, double friction) {
  fb_sim* sim;
  fb_error error;
  fb_collider box = shape_on(1, FB_COLLIDER_BOX, 0.2, 0.2, 0.1),
              plane = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&box, &plane, law, 1e4, 100, friction);
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error))
    fail_msg("%s", error.text);
  return sim;
}

static void balance_of(fb_sim* sim, const double* q, const double* v, double t, fb_ledger* ledger) {
  fb_error error;
  if (fb_sim_start(sim, q, v, &error) || fb_sim_run_to(sim, t, &error)) fail_msg("%s", error.text);
  fb_sim_ledger(sim, ledger);
  fb_sim_free(sim);
}

/* 2 kg at 1 m/s: friction takes 1 J, and no part of the box moves relative to its centre of mass. */
static void what_friction_takes_from_a_sliding_box_is_the_scale(void** unused) {
  (void)unused;
  static const struct {
    fb_method method;
    fb_contact_law law;
    double step;
  } CASES[] = {{FB_METHOD_MOREAU, FB_CONTACT_HARD, 1e-3},
               {FB_METHOD_RK4, FB_CONTACT_HARD, 1e-2},
               {FB_METHOD_DOPRI5, FB_CONTACT_HARD, 1e-2},
               {FB_METHOD_DOPRI5, FB_CONTACT_SPRING, 1e-3}};
  fb_model* m = one_body(FB_JOINT_FREE, 2, 0.04);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    fb_sim_options options = heavy_options(0, -G);
    fb_ledger l;
    options.method = CASES[i].method;
    options.step = CASES[i].step;
    const double q[] = {0, 0, 0.05, 1, 0, 0, 0}, v[] = {1, 0, 0, 0, 0, 0};
    balance_of(box_on_plane(m, options, CASES[i].law, 0.3), q, v, 1, &l);
    assert_true(fabs(l.friction + 1) < 1e-3); /* the spring presses the box down a little and damps it */
    assert_true(l.gross > 0.999 && l.gross < 1.02);
    assert_true(l.scale > 0.999 && l.scale < 1.02);
    assert_true(l.angular_scale > 0.01); /* friction turns the box forwards, the normal forces turn it back */
    assert_true(l.worst < 1e-9 && l.momentum_worst < 1e-9);
  }
  fb_model_free(m);
}

/* Its centre of mass is not at the origin of its frame: turning it changes the velocity of the centre of mass. */
static fb_model* lopsided(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "box";
  body.joint.type = FB_JOINT_FREE;
  body.mass = 2;
  body.com[0] = 0.05;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.04;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void a_start_in_penetration_is_left_before_the_ledger_begins(void** unused) {
  (void)unused;
  fb_model* m = lopsided();
  fb_sim_options options = heavy_options(0, -G);
  fb_ledger l;
  options.method = FB_METHOD_MOREAU;
  options.step = 1e-3;
  /* One edge is 5 mm deep; the box turns about the normal of the plane, on which nothing rubs. */
  const double q[] = {0, 0, 0.05, cos(0.025), 0, sin(0.025), 0}, v[] = {0.3, 0, 0, 0, 0, 2};
  balance_of(box_on_plane(m, options, FB_CONTACT_HARD, 0), q, v, 0, &l);
  assert_true(l.projection == 0 && l.residual == 0 && l.linear_residual == 0 && l.angular_residual == 0);
  fb_model_free(m);
}

static void displacements_out_of_penetration_leave_momentum_balanced(void** unused) {
  (void)unused;
  fb_model* m = lopsided();
  fb_sim_options options = heavy_options(0, -G);
  fb_ledger l;
  options.method = FB_METHOD_MOREAU;
  options.step = 1e-3;
  const double q[] = {0, 0, 0.25, cos(0.3), 0, sin(0.3), 0}, v[] = {0.3, 0, 0, 0.5, 0, 2};
  balance_of(box_on_plane(m, options, FB_CONTACT_HARD, 0.5), q, v, 1, &l);
  assert_true(l.worst < 1e-12);
  assert_true(l.momentum_worst <
              3e-4); /* 1.7e-4 of the impacts, of first order; 5.1e-4 without the displacements */
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_friction_takes_from_a_sliding_box_is_the_scale),
      cmocka_unit_test(a_start_in_penetration_is_left_before_the_ledger_begins),
      cmocka_unit_test(displacements_out_of_penetration_leave_momentum_balanced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
