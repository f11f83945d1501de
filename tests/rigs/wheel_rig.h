/* wheel_rig.h -- a single-wheel test bed on soft ground, that can move forwards, sideways and up. Include after
 * cmocka.h. */
#ifndef FB_TESTS_WHEEL_RIG_H
#define FB_TESTS_WHEEL_RIG_H

#include "ball_rig.h"
#include "base/cookie.h"

enum { ALONG, ACROSS, UP, SPIN, NV, WHEEL = 4 };
static const double RADIUS = 0.09, WIDTH = 0.11, WEIGHT = 64.68;

static inline void add_slide(fb_model_def* def, const char* name, const char* parent, int axis) {
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = name;
  body.parent = parent;
  body.joint.type = FB_JOINT_PRISMATIC;
  memset(body.joint.axis, 0, sizeof body.joint.axis);
  body.joint.axis[axis] = 1;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
}

/* Slides along x, y and z, which weigh nothing, then the wheel about y. */
static inline fb_model* test_bed(void) {
  const double mass = WEIGHT / G;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  add_slide(def, "along", NULL, 0);
  add_slide(def, "across", "along", 1);
  add_slide(def, "up", "across", 2);
  body.name = "wheel";
  body.parent = "up";
  body.joint.type = FB_JOINT_REVOLUTE;
  memcpy(body.joint.axis, (double[3]){0, 1, 0}, sizeof body.joint.axis);
  body.mass = mass;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.5 * mass * RADIUS * RADIUS;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static inline fb_collider wheel_collider(void) {
  static const double ABOUT_Y[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0};
  fb_collider wheel = shape_on(WHEEL, FB_COLLIDER_CYLINDER, RADIUS, WIDTH, 0);
  memcpy(wheel.R, ABOUT_Y, sizeof wheel.R);
  return wheel;
}

static inline fb_contact soil_contact(const fb_collider* wheel, const fb_collider* ground, const char* soil) {
  fb_contact contact = contact_of(wheel, ground, FB_CONTACT_SOIL, 0, 0, 0);
  fb_error error;
  if (fb_soil_preset(soil, &contact.soil, &error)) fail_msg("%s", error.text);
  return contact;
}

/* Gravity is tilted against x by the slope; the hub begins `above` the ground. Not started. */
static inline fb_sim* bed_sim(const fb_model* m, const char* soil, double slope) {
  const fb_collider wheel = wheel_collider(), ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  const fb_contact contact = soil_contact(&wheel, &ground, soil);
  fb_sim* sim = sim_by(2, m, 1e-3, heavy_options(-G * sin(slope), -G * cos(slope)));
  contact_or_fail(sim, &contact);
  return sim;
}

static inline void move(fb_sim* sim, int k, int motion) {
  fb_error error;
  if (fb_sim_set_motion(sim, k, motion, &error)) fail_msg("%s", error.text);
}

static inline void turn_at(fb_sim* sim, double rate) {
  const fb_motion motion = {.kind = FB_MOTION_RATE, .rate = rate, .cookie_ = FB_COOKIE};
  fb_error error;
  int id;
  if (fb_sim_add_motion(sim, &motion, &id, &error)) fail_msg("%s", error.text);
  move(sim, SPIN, id);
}

static inline void start_at(fb_sim* sim, double height) {
  const double q[NV] = {0, 0, height, 0};
  start_or_fail(sim, q, NULL);
}

static inline double reading(fb_sim* sim, const char* name) {
  char full[64];
  snprintf(full, sizeof full, "contact.foot.%s", name);
  return read_signal(sim, full);
}

#endif
