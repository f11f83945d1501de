/* test_jam.c -- links on a hinge that swing into the ground: where friction on the reversed slip takes more of the rebound than the
 * normal impulse gives, Newton's restitution has no solution, and Poisson's acts. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "random.h"
#include "sample.h"

static const double RADIUS = 0.05, SPEED = 2; /* [m], [rad/s] */

/* Its hinge is `height` above the ground; a ball is at its end. */
static fb_model* link_on_hinge(double height, double length) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_frame_def tip = fb_default_frame_def();
  fb_error error;
  body.name = "link";
  body.mass = 1;
  body.com[0] = length / 2;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.01;
  body.joint.type = FB_JOINT_REVOLUTE;
  body.joint.axis[0] = body.joint.axis[2] = 0;
  body.joint.axis[1] = 1;
  body.joint.at[2] = height;
  tip.name = "tip";
  tip.at[0] = length;
  assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
  assert_int_equal(fb_model_def_add_frame(def, 1, &tip, &error), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* It hits the ground once, without gravity. mu from below to above where friction jams: the way that the tip is from the hinge,
 * across over up. */
static void swing(fb_random* r, fb_method method, fb_restitution_law law) {
  const double height = random_in(r, 0.2, 0.5), length = random_in(r, 0.5, 1);
  const double depth = height - RADIUS, jams = sqrt(length * length - depth * depth) / height;
  const double ratio = random_index(r, 2) ? random_in(r, 0.2, 0.9) : random_in(r, 1.1, 200);
  const double e = random_in(r, 0.1, 0.9), q = asin(depth / length) - 0.1, v = SPEED;
  fb_model* m = link_on_hinge(height, length);
  fb_collider ball = shape_on(fb_model_find_frame(m, "tip"), FB_COLLIDER_SPHERE, RADIUS, 0, 0);
  fb_collider ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, FB_CONTACT_HARD, 0, 0, ratio * jams);
  fb_sim_options options = heavy_options(0, 0);
  fb_sim* sim;
  fb_error error;
  char warning[400] = "";
  contact.restitution = e;
  contact.restitution_law = law;
  options.method = method;
  options.step = 1e-3;
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error) ||
      fb_sim_start(sim, &q, &v, &error) || fb_sim_run_until(sim, 0.1, &error))
    fail_msg("%s", error.text);
  const double after = fb_sim_v(sim)[0], impulse = fabs(read_signal(sim, "contact.foot.impulse.z"));
  const double most = 10 * SPEED * (0.01 + length * length / 4) / length;
  if (ratio > 1 && (fb_sim_warning(sim, warning, sizeof warning) || !(impulse < most)))
    fail_msg("mu %g of %g, e %g: %g N s; %s", ratio * jams, jams, e, impulse, warning);
  if (!(after <= 1e-12 && after >= -e * SPEED * (1 + 1e-9)))
    fail_msg("mu %g of %g, e %g: rate %g", ratio * jams, jams, e, after);
  if (ratio < 1 && law == FB_RESTITUTION_NEWTON)
    assert_near("rebound", &after, &(double){-e * SPEED}, 1, 1e-9);
  if (ratio > 1) assert_near_of(SPEED, "jam", &after, &(double){0}, 1, 1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void a_link_that_jams_on_the_ground_stays_there(void** unused) {
  (void)unused;
  fb_random r = random_seed(7);
  for (int i = 0, n = sample(40, 400); i < n; i++)
    swing(&r, i & 1 ? FB_METHOD_MOREAU : FB_METHOD_DOPRI5,
          i & 2 ? FB_RESTITUTION_POISSON : FB_RESTITUTION_NEWTON);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_link_that_jams_on_the_ground_stays_there)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
