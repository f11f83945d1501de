/* test_flush.c -- a box slides over the ground into the upright face of a slider, which it touches with its own: nothing slips along
 * the faces, so that the impact has no friction there and the ground no part in it, whatever the friction and the method. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "near.h"
#include "random.h"
#include "sample.h"

static const double START = -0.3, SPEED = 3; /* of the box [m], [m/s] */

typedef struct flush {
  double mass[2], size[2][3], friction[2], e; /* of box and slider; of the ground and the face */
  fb_restitution_law law;
} flush;

static fb_model* box_and_slider(const flush* f) {
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    const double *size = f->size[i], mass = f->mass[i];
    body.name = i ? "slider" : "box";
    body.mass = mass;
    for (int k = 0; k < 3; k++)
      body.inertia[k] =
          mass / 12 * (size[0] * size[0] + size[1] * size[1] + size[2] * size[2] - size[k] * size[k]);
    body.joint.type = i ? FB_JOINT_PRISMATIC : FB_JOINT_FREE;
    body.joint.axis[0] = i;
    body.joint.axis[1] = 0;
    body.joint.axis[2] = !i;
    if (i) body.joint.at[2] = size[2] / 2;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, &error), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static flush choose(fb_random* r) {
  flush f = {.e = random_index(r, 3) ? random_in(r, 0, 1) : 0, .law = (fb_restitution_law)random_index(r, 2)};
  for (int i = 0; i < 2; i++) {
    f.mass[i] = random_in(r, 0.5, 5);
    random_fill(r, 0.05, 0.2, 3, f.size[i]);
    f.friction[i] = random_index(r, 4) ? random_in(r, 0, 0.8) : 0;
  }
  f.friction[0] *= fmin(1, f.size[0][0] / f.size[0][2]); /* it does not tip over before */
  f.size[1][2] = f.size[0][2] * random_in(r, 0.8, 2);    /* the centre of the box is within the face */
  return f;
}

/* Its slider after the impact, and the impulses of face and ground, per impulse of the face. */
static void strike(const flush* f, fb_method method, double step, double near, int n) {
  fb_model* m = box_and_slider(f);
  fb_sim_options options = heavy_options(0, -G);
  options.method = method;
  options.step = step;
  options.adaptive = method == FB_METHOD_DOPRI5;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_collider box = shape_on(1, FB_COLLIDER_BOX, f->size[0][0], f->size[0][1], f->size[0][2]);
  fb_collider slider = shape_on(2, FB_COLLIDER_BOX, f->size[1][0], f->size[1][1], f->size[1][2]);
  fb_collider plane = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact ground = contact_of(&box, &plane, FB_CONTACT_HARD, 0, 0, f->friction[0]);
  fb_contact face = contact_of(&slider, &box, FB_CONTACT_HARD, 0, 0, f->friction[1]);
  fb_error error;
  ground.name = "ground";
  face.name = "face";
  face.restitution = f->e;
  face.restitution_law = f->law;
  if (fb_sim_add_contact(sim, &ground, NULL, &error) || fb_sim_add_contact(sim, &face, NULL, &error))
    fail_msg("%s", error.text);
  const double q[8] = {START, 0, f->size[0][2] / 2, 1, 0, 0, 0, 0}, v[7] = {SPEED};
  const double way = -START - (f->size[0][0] + f->size[1][0]) / 2, slows = f->friction[0] * G;
  const double met = sqrt(SPEED * SPEED - 2 * slows * way),
               time = slows > 0 ? (SPEED - met) / slows : way / SPEED;
  const double P = (1 + f->e) * met * f->mass[0] * f->mass[1] / (f->mass[0] + f->mass[1]);
  start_or_fail(sim, q, v);
  run_or_fail(sim, time + 3e-3);
  const double got[] = {f->mass[1] * fb_sim_v(sim)[6], read_signal(sim, "contact.face.impulse.x"),
                        read_signal(sim, "contact.face.impulse.z"),
                        read_signal(sim, "contact.ground.impulse.x"),
                        read_signal(sim, "contact.ground.impulse.z")};
  const double want[] = {P, P, 0, 0, 0};
  for (int i = 0; i < 5; i++)
    if (!(fabs(got[i] - want[i]) <= near * P))
      fail_msg("case %d, method %d, e %g, law %d, friction %g and %g: number %d is %g, not %g", n,
               (int)method, f->e, (int)f->law, f->friction[0], f->friction[1], i, got[i], want[i]);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* moreau: the speed at the impact is that of the middle of its step, and forces act in the whole of it. */
static void flush_faces_do_not_jam(void** unused) {
  (void)unused;
  fb_random r = random_seed(11);
  for (int n = 0; n < sample(40, 300); n++) {
    const flush f = choose(&r);
    strike(&f, FB_METHOD_MOREAU, 1e-3, 1e-2, n);
    strike(&f, FB_METHOD_MOREAU, 1e-4, 1e-3, n);
    strike(&f, FB_METHOD_RK4, 1e-3, 1e-5, n);
    strike(&f, FB_METHOD_DOPRI5, 1e-3, 1e-5, n);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(flush_faces_do_not_jam)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
