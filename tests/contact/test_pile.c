/* test_pile.c -- a contact of shapes with themselves: every two of them once. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

enum { BALLS = 3 };

/* Balls in a row along x, a little apart, without gravity; the first comes at 1 m/s. They collide one after the other, and
 * each passes its speed on. */
static void every_two_of_them_touch_once(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  fb_collider balls[BALLS];
  double q[7 * BALLS] = {0}, v[6 * BALLS] = {0};
  for (int i = 0; i < BALLS; i++) {
    fb_body_def body = fb_default_body_def();
    char name[8];
    snprintf(name, sizeof name, "b%d", i);
    body.name = name;
    body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.004;
    body.joint.type = FB_JOINT_FREE;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
    balls[i] = shape_on(i + 1, FB_COLLIDER_SPHERE, 0.1, 0, 0);
    q[7 * i] = 0.201 * i;
    q[7 * i + 3] = 1;
  }
  v[0] = 1;
  fb_model* m = build_or_fail(def, NULL);
  fb_contact contact = fb_default_contact();
  contact.name = "pile";
  contact.a = contact.b = balls;
  contact.na = contact.nb = BALLS;
  contact.restitution = 1;
  fb_sim_options options = fb_default_sim_options();
  options.method = FB_METHOD_DOPRI5;
  fb_sim* sim;
  assert_int_equal(fb_sim_new(m, &options, &sim, &error), FB_OK);
  if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_start(sim, q, v, &error)) fail_msg("%s", error.text);
  if (fb_sim_run_until(sim, 0.1, &error)) fail_msg("%s", error.text);
  for (int i = 0; i < BALLS; i++)
    assert_true(fabs(fb_sim_v(sim)[6 * i] - (i == BALLS - 1)) < 1e-12); /* the last one has all of it */
  fb_sim_free(sim);
  fb_model_free(m);
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(every_two_of_them_touch_once)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
