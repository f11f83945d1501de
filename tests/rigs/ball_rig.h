/* ball_rig.h -- bodies with one shape on the ground z = 0, and contacts between the two. Include after cmocka.h. */
#ifndef FB_TESTS_BALL_RIG_H
#define FB_TESTS_BALL_RIG_H

#include "contact_rig.h"

static const double G = 9.81;

/* A body on the world: mass, moment of inertia about each axis, joint. Its id is 1. */
static inline fb_model* one_body(fb_joint_type type, double mass, double inertia) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "ball";
  body.joint.type = type;
  body.joint.axis[0] = 0;
  body.joint.axis[2] = 1;
  body.mass = mass;
  for (int i = 0; i < 3; i++) body.inertia[i] = inertia;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static inline fb_collider shape_on(int frame, fb_collider_kind kind, double x, double y, double z) {
  fb_collider c = fb_default_collider();
  c.frame = frame;
  c.kind = kind;
  c.size[0] = x;
  c.size[1] = y;
  c.size[2] = z;
  return c;
}

/* Side a against side b, one collider each. The colliders must live until the contact is added. */
static inline fb_contact contact_of(const fb_collider* a, const fb_collider* b, fb_contact_law law,
                                    double stiffness, double damping, double friction) {
  fb_contact contact = fb_default_contact();
  contact.name = "foot";
  contact.a = a;
  contact.b = b;
  contact.na = contact.nb = 1;
  contact.law = law;
  contact.stiffness = stiffness;
  contact.damping = damping;
  contact.friction = friction;
  return contact;
}

static inline int contact_or_fail(fb_sim* sim, const fb_contact* contact) {
  fb_block block;
  fb_error error;
  if (fb_block_new_contact(fb_sim_model(sim), contact, &block, &error)) fail_msg("%s", error.text);
  return block_or_fail(sim, &block);
}

static inline fb_sim_options heavy_options(double x, double z) {
  fb_sim_options options = fb_default_sim_options();
  options.environment.gravity_w[0] = x;
  options.environment.gravity_w[2] = z;
  return options;
}

/* A signal of a simulation at its present time: "contact.foot.gap". */
static inline double read_signal(fb_sim* sim, const char* name) {
  fb_signal signal;
  fb_error error;
  int count;
  double value;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  assert_int_equal(count, 1);
  fb_sim_signal_values(sim, &signal, 1, &value);
  return value;
}

#endif
