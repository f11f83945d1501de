/* test_push.c -- two boxes that are pushed together side by side, all but parallel: no energy is gained, nothing is thrown apart. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "random.h"
#include "sample.h"

typedef struct push {
  const char* name;
  fb_contact_law law;
  fb_method method;
} push;

static const push PUSHES[] = {{"hard, moreau", FB_CONTACT_HARD, FB_METHOD_MOREAU},
                              {"hard, event-driven", FB_CONTACT_HARD, FB_METHOD_DOPRI5},
                              {"spring", FB_CONTACT_SPRING, FB_METHOD_DOPRI5}};
static const double SPEED = 0.06, MASS = 2; /* [m/s], [kg] */

static fb_model* two_boxes(void) {
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "right" : "left";
    body.mass = MASS;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.02;
    body.joint.type = FB_JOINT_FREE;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* Half of v^T M v for the two. */
static double energy_of(const double* v) {
  double sum = 0;
  for (int i = 0; i < 12; i++) sum += (i % 6 < 3 ? MASS : 0.02) * v[i] * v[i] / 2;
  return sum;
}

static void push_together(const push* how, fb_random* r, const fb_model* m) {
  static const double TILTS[] = {0, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-4};
  fb_collider boxes[2];
  fb_contact contact = fb_default_contact();
  double q[14] = {0}, v[12] = {0};
  const double tilt = TILTS[random_index(r, 8)];
  double size[2][3];
  for (int i = 0; i < 2; i++) {
    random_fill(r, 0.1, 0.4, 3, size[i]);
    boxes[i] = shape_on(i + 1, FB_COLLIDER_BOX, size[i][0], size[i][1], size[i][2]);
  }
  q[0] = -size[0][0] / 2 - 2e-4;
  q[7] = size[1][0] / 2 + 2e-4;
  q[8] = random_in(r, -0.1, 0.1);
  q[9] = random_in(r, -0.1, 0.1);
  q[3] = q[10] = 1;
  for (int i = 0; i < 3; i++) q[11 + i] = tilt * random_in(r, -1, 1);
  v[0] = SPEED / 2;
  v[6] = -SPEED / 2;
  contact.name = "push";
  contact.law = how->law;
  contact.a = &boxes[0];
  contact.b = &boxes[1];
  contact.na = contact.nb = 1;
  contact.stiffness = 1e5;
  fb_sim_options options = fb_default_sim_options();
  fb_error error;
  fb_sim* sim;
  options.method = how->method;
  options.step = 1e-3;
  assert_int_equal(fb_sim_new(m, &options, &sim, &error), FB_OK);
  if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_start(sim, q, v, &error)) fail_msg("%s", error.text);
  double x = q[7] - q[0];
  for (int step = 1; step <= 40; step++) {
    if (fb_sim_run_until(sim, 1e-3 * step, &error)) fail_msg("%s, tilt %g: %s", how->name, tilt, error.text);
    const double now = fb_sim_q(sim)[7] - fb_sim_q(sim)[0], energy = energy_of(fb_sim_v(sim)),
                 most = energy_of(v);
    /* The spring gives back what it was given, to the method's tolerance; a projection moves less than the speed does. */
    if (!(energy <= most * (1 + 1e-5)))
      fail_msg("%s, tilt %g: energy %g of %g", how->name, tilt, energy, most);
    if (!(fabs(now - x) < 2e-3 * SPEED)) fail_msg("%s, tilt %g: %g m in a step", how->name, tilt, now - x);
    x = now;
  }
  fb_sim_free(sim);
}

static void boxes_pushed_together_gain_nothing(void** unused) {
  (void)unused;
  fb_random r = random_seed(6);
  fb_model* m = two_boxes();
  const int rounds = sample(30, 100);
  for (size_t k = 0; k < sizeof PUSHES / sizeof *PUSHES; k++)
    for (int round = 0; round < rounds; round++) push_together(&PUSHES[k], &r, m);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(boxes_pushed_together_gain_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
