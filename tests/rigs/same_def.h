/* same_def.h -- asserts that two model definitions say the same, to a tolerance. Include after cmocka.h
 * and near.h. A joint without a name has its body's; a body without a parent stands on the world. */
#ifndef FB_TESTS_SAME_DEF_H
#define FB_TESTS_SAME_DEF_H

#include <stdio.h>
#include <string.h>

#include <freebody/model_def.h>

/* A short list of numbers in place. (C++ has no array literals of this kind; structures it has.) */
typedef struct numbers {
  double x[12];
} numbers;
#define NUMBERS(...) (((numbers){{__VA_ARGS__}}).x)

static inline const char* same_text(const char* text, const char* other) {
  return text ? text : other;
}

static inline int same_has_axis(fb_joint_type type) {
  return type != FB_JOINT_FIXED && type != FB_JOINT_SPHERICAL && type != FB_JOINT_FREE &&
         type != FB_JOINT_PLANAR;
}

/* The same direction; length means nothing. */
static inline void same_axis(const char* what, const double* a, const double* b, double tol) {
  double m = sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]), n = sqrt(b[0] * b[0] + b[1] * b[1] + b[2] * b[2]);
  assert_near(what, NUMBERS(a[0] / m, a[1] / m, a[2] / m), NUMBERS(b[0] / n, b[1] / n, b[2] / n), 3, tol);
}

/* Infinities must be equal; the rest near. */
static inline void same_limits(const char* what, const double* a, const double* b, int n, double tol) {
  for (int i = 0; i < n; i++) {
    if (isinf(a[i]) || isinf(b[i])) {
      if (a[i] != b[i]) fail_msg("%s[%d]: %g and %g", what, i, a[i], b[i]);
    } else {
      assert_near(what, &a[i], &b[i], 1, tol);
    }
  }
}

static inline void same_joint(const fb_body_def* a, const fb_body_def* b, double tol) {
  const fb_joint_def *x = &a->joint, *y = &b->joint;
  int nv = fb_joint_type_nv(x->type);
  assert_string_equal(same_text(x->name, a->name), same_text(y->name, b->name));
  assert_string_equal(fb_joint_type_name(x->type), fb_joint_type_name(y->type));
  if (same_has_axis(x->type)) same_axis("axis", x->axis, y->axis, tol);
  if (x->type == FB_JOINT_UNIVERSAL) same_axis("axis2", x->axis2, y->axis2, tol);
  if (x->type == FB_JOINT_HELICAL) assert_near("pitch", &x->pitch, &y->pitch, 1, tol);
  assert_near("joint.at", x->at, y->at, 3, tol);
  assert_near("joint.R", x->R, y->R, 9, tol);
  assert_near("joint.child_at", x->child_at, y->child_at, 3, tol);
  assert_near("joint.child_R", x->child_R, y->child_R, 9, tol);
  assert_int_equal(x->reversed, y->reversed);
  same_limits("lower", x->lower, y->lower, nv, tol);
  same_limits("upper", x->upper, y->upper, nv, tol);
  same_limits("effort", x->effort, y->effort, nv, tol);
  same_limits("speed", x->speed, y->speed, nv, tol);
  assert_near("stiffness", x->stiffness, y->stiffness, nv, tol);
  assert_near("rest", x->rest, y->rest, nv, tol);
  assert_near("damping", x->damping, y->damping, nv, tol);
  assert_near("friction", x->friction, y->friction, nv, tol);
  assert_near("armature", x->armature, y->armature, nv, tol);
  if (nv > 0) assert_near("friction_speed", &x->friction_speed, &y->friction_speed, 1, tol);
}

static inline void same_shape(const fb_shape_def* x, const fb_shape_def* y, double tol) {
  assert_string_equal(same_text(x->name, "-"), same_text(y->name, "-"));
  assert_string_equal(same_text(x->file, "-"), same_text(y->file, "-"));
  assert_string_equal(same_text(x->color, "-"), same_text(y->color, "-"));
  assert_int_equal(x->kind, y->kind);
  assert_int_equal(x->use, y->use);
  assert_near("shape.size", x->size, y->size, 3, tol);
  assert_near("shape.at", x->at, y->at, 3, tol);
  assert_near("shape.R", x->R, y->R, 9, tol);
}

/* The joints by which two bodies floated before a capture, if any. */
static inline void same_floated(const fb_model_def* a, const fb_model_def* b, int id, double tol) {
  const fb_joint_def *x = fb_model_def_floated(a, id), *y = fb_model_def_floated(b, id);
  fb_body_def was = *fb_model_def_body(a, id), now = *fb_model_def_body(b, id);
  assert_int_equal(x != NULL, y != NULL);
  if (!x || !y) return;
  assert_string_equal(same_text(fb_model_def_floated_until(a, id), "-"),
                      same_text(fb_model_def_floated_until(b, id), "-"));
  was.joint = *x;
  now.joint = *y;
  same_joint(&was, &now, tol);
}

static inline void same_body(const fb_model_def* a, const fb_model_def* b, int id, double tol) {
  const fb_body_def *x = fb_model_def_body(a, id), *y = fb_model_def_body(b, id);
  assert_string_equal(x->name, y->name);
  assert_string_equal(same_text(x->parent, "world"), same_text(y->parent, "world"));
  assert_near("mass", &x->mass, &y->mass, 1, tol);
  assert_near("com", x->com, y->com, 3, tol);
  assert_near("inertia", x->inertia, y->inertia, 6, tol);
  same_joint(x, y, tol);
  same_floated(a, b, id, tol);
  assert_int_equal(fb_model_def_nframe(a, id), fb_model_def_nframe(b, id));
  for (int k = 0; k < fb_model_def_nframe(a, id); k++) {
    const fb_frame_def *f = fb_model_def_frame(a, id, k), *g = fb_model_def_frame(b, id, k);
    assert_string_equal(f->name, g->name);
    assert_near("frame.at", f->at, g->at, 3, tol);
    assert_near("frame.R", f->R, g->R, 9, tol);
  }
  assert_int_equal(fb_model_def_nshape(a, id), fb_model_def_nshape(b, id));
  for (int k = 0; k < fb_model_def_nshape(a, id); k++)
    same_shape(fb_model_def_shape(a, id, k), fb_model_def_shape(b, id, k), tol);
}

static inline void same_loop(const fb_loop_def* x, const fb_loop_def* y, double tol) {
  assert_string_equal(x->name, y->name);
  assert_string_equal(fb_loop_type_name(x->type), fb_loop_type_name(y->type));
  assert_string_equal(x->a, y->a);
  assert_string_equal(same_text(x->b, "-"), same_text(y->b, "-"));
  assert_near("loop.axis", x->axis, y->axis, 3, tol);
  assert_near("loop.axis2", x->axis2, y->axis2, 3, tol);
  assert_int_equal(isnan(x->length), isnan(y->length));
  if (!isnan(x->length)) assert_near("loop.length", &x->length, &y->length, 1, tol);
  assert_int_equal(x->njoint, y->njoint);
  for (int i = 0; i < x->njoint; i++) assert_string_equal(x->joints[i], y->joints[i]);
  assert_near("loop.ratios", x->ratios, y->ratios, x->njoint, tol);
  assert_near("loop.offset", &x->offset, &y->offset, 1, tol);
}

/* Everything but the name of the model and where it came from. */
static inline void assert_same_def(const fb_model_def* a, const fb_model_def* b, double tol) {
  double g[3], h[3];
  assert_int_equal(fb_model_def_nbody(a), fb_model_def_nbody(b));
  for (int id = 1; id < fb_model_def_nbody(a); id++) same_body(a, b, id, tol);
  assert_int_equal(fb_model_def_nloop(a), fb_model_def_nloop(b));
  for (int i = 0; i < fb_model_def_nloop(a); i++)
    same_loop(fb_model_def_loop(a, i), fb_model_def_loop(b, i), tol);
  fb_model_def_gravity(a, g);
  fb_model_def_gravity(b, h);
  assert_near("gravity", g, h, 3, tol);
}

#endif
