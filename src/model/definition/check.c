/* check.c -- checks that a body is physical. Each check has a message of its own that names the body, the
 * number and the remedy. What concerns several bodies is in forest.c (names, tree). */
#include "model/definition/check.h"

#include <math.h>
#include <string.h>

#include <freebody/spatial.h>
#include <freebody/status.h>

#include "math/axis.h"
#include "math/vector3.h"
#include "model/joint_kind.h"

int fb_color_is_valid(const char* color) {
  size_t digits = color[0] == '#' ? strspn(color + 1, "0123456789abcdefABCDEF") : 0;
  return (digits == 6 || digits == 8) && color[digits + 1] == '\0';
}

fb_status fb_def_fail(const fb_model_def* def, fb_place place, fb_error* error, fb_status status) {
  const char* source = fb_model_def_source(def);
  fb_error_set_place(error, source[0] ? source : NULL, NULL, place);
  return status;
}

/* Every number of the list finite and of sane size. `what` reads as "joint axis". */
static fb_status check_numbers(const char* body, const char* what, const double* x, int count,
                               fb_error* error) {
  for (int i = 0; i < count; i++) {
    if (!isfinite(x[i]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "body \"%s\": %s is %g; give a finite number", body, what,
                     x[i]);
    if (fabs(x[i]) > FB_HUGE_NUMBER)
      return fb_fail(error, FB_ERR_ARG, "body \"%s\": %s is %g, beyond 1e30; numbers are in SI units", body,
                     what, x[i]);
  }
  return FB_OK;
}

static fb_status check_at_least_zero(const char* body, const char* what, const double* x, int count,
                                     int infinite_is_none, fb_error* error) {
  for (int i = 0; i < count; i++) {
    if (infinite_is_none && x[i] == INFINITY) continue;
    fb_status status = check_numbers(body, what, &x[i], 1, error);
    if (status) return status;
    if (x[i] < 0)
      return fb_fail(error, FB_ERR_JOINT, "body \"%s\": %s is %g; it must be zero or more", body, what, x[i]);
  }
  return FB_OK;
}

/* Rows of unit length, at right angles, right-handed, to 1e-9. */
static fb_status check_rotation(const char* body, const char* what, const double R[9], fb_error* error) {
  fb_status status = check_numbers(body, what, R, 9, error);
  if (status) return status;
  double worst = defect3x3(R), det = det3x3(R);
  if (worst > 1e-9 || det < 0)
    return fb_fail(error, FB_ERR_ARG,
                   "body \"%s\": %s is not a rotation (off orthonormal by %.2g, determinant %.3g); use "
                   "fb_rot_nearest or another spelling",
                   body, what, worst, det);
  return FB_OK;
}

/* --- mass and inertia --- */

/* An inertia without mass is possible: the limit of wide bodies that get lighter. */
static fb_status check_possible(const char* name, double mass, const double inertia[6], fb_error* error) {
  double e[3];
  if (mass < 0)
    return fb_fail(error, FB_ERR_INERTIA, "body \"%s\": mass is %g kg; a mass must be zero or more", name,
                   mass);
  if (fb_inertia_is_possible(inertia)) return FB_OK;
  fb_inertia_moments(inertia, e);
  if (e[0] < -1e-9 * fmax(fabs(e[0]), fabs(e[2])))
    return fb_fail(error, FB_ERR_INERTIA,
                   "body \"%s\": inertia is not positive: its principal moments are %g, %g, %g kg m^2; "
                   "correct it, or set `inertia: repair` to use the nearest possible one",
                   name, e[0], e[1], e[2]);
  return fb_fail(error, FB_ERR_INERTIA,
                 "body \"%s\": inertia breaks the triangle inequality: the principal moments %g + %g < %g kg "
                 "m^2, which no mass distribution has; is it about the centre of mass? inertia: repair takes "
                 "the nearest possible one",
                 name, e[0], e[1], e[2]);
}

fb_status fb_check_inertia(const char* name, double mass, const double com[3], const double inertia[6],
                           int keeps, fb_error* error) {
  fb_status status = check_numbers(name, "mass", &mass, 1, error);
  if (!status) status = check_numbers(name, "com", com, 3, error);
  if (!status) status = check_numbers(name, "inertia", inertia, 6, error);
  if (status) return status;
  return keeps ? FB_OK : check_possible(name, mass, inertia, error);
}

/* --- joint --- */

/* Of any length: only the direction counts, and it is found without overflow. */
static fb_status check_axis(const char* name, const char* what, const double axis[3], fb_error* error) {
  for (int i = 0; i < 3; i++)
    if (!isfinite(axis[i])) return check_numbers(name, what, axis, 3, error);
  if (is_zero3(axis))
    return fb_fail(error, FB_ERR_JOINT,
                   "body \"%s\": %s is [%g, %g, %g], of no direction; give a vector that is not zero", name,
                   what, axis[0], axis[1], axis[2]);
  return FB_OK;
}

static fb_status check_axes(const char* name, const fb_joint_def* j, fb_error* error) {
  if (fb_joint_type_naxis(j->type) == 0) return FB_OK;
  fb_status status = check_axis(name, "joint axis", j->axis, error);
  if (status) return status;
  if (fb_joint_type_has_pitch(j->type)) status = check_numbers(name, "joint pitch", &j->pitch, 1, error);
  if (status || fb_joint_type_naxis(j->type) < 2) return status;
  status = check_axis(name, "joint axis2", j->axis2, error);
  if (status) return status;
  if (fb_axis_sine(j->axis, j->axis2) < 1e-9)
    return fb_fail(error, FB_ERR_JOINT,
                   "body \"%s\": the %s joint's axis2 is parallel to its axis; turn one of them", name,
                   fb_joint_type_name(j->type));
  return FB_OK;
}

static fb_status check_limits(const char* name, const fb_joint_def* j, int nv, fb_error* error) {
  for (int i = 0; i < nv; i++) {
    if (isnan(j->lower[i]) || isnan(j->upper[i]) || j->lower[i] == INFINITY || j->upper[i] == -INFINITY)
      return fb_fail(error, FB_ERR_NOT_FINITE, "body \"%s\": joint limits [%g, %g] are not numbers", name,
                     j->lower[i], j->upper[i]);
    if (j->lower[i] > j->upper[i])
      return fb_fail(error, FB_ERR_JOINT,
                     "body \"%s\": joint limits [%g, %g] are reversed; write [low, high]", name, j->lower[i],
                     j->upper[i]);
    if ((isfinite(j->lower[i]) && fabs(j->lower[i]) > FB_HUGE_NUMBER) ||
        (isfinite(j->upper[i]) && fabs(j->upper[i]) > FB_HUGE_NUMBER))
      return fb_fail(error, FB_ERR_ARG,
                     "body \"%s\": joint limits [%g, %g] go beyond 1e30; leave them out for none", name,
                     j->lower[i], j->upper[i]);
  }
  return FB_OK;
}

/* A quaternion has no single coordinate that a spring or a limit could act on. */
static fb_status check_no_springs(const char* name, const fb_joint_def* j, int nv, fb_error* error) {
  if (fb_joint_kinds[j->type].quats == 0) return FB_OK;
  for (int i = 0; i < nv; i++) {
    const char* what = j->lower[i] != -INFINITY || j->upper[i] != INFINITY ? "limits"
                       : j->stiffness[i] != 0                              ? "stiffness"
                       : j->rest[i] != 0                                   ? "rest"
                                                                           : NULL;
    if (what)
      return fb_fail(
          error, FB_ERR_JOINT,
          "body \"%s\": a %s joint cannot have %s; use a force of your own, or three one-degree joints", name,
          fb_joint_type_name(j->type), what);
    if (fb_joint_kinds[j->type].is_free && j->armature[i] != 0)
      return fb_fail(error, FB_ERR_JOINT, "body \"%s\": a %s joint has no rotor, so armature (%g) is refused",
                     name, fb_joint_type_name(j->type), j->armature[i]);
  }
  return FB_OK;
}

fb_status fb_check_joint_numbers(const char* name, const fb_joint_def* j, fb_error* error) {
  int nv = fb_joint_type_nv(j->type);
  fb_status status = check_limits(name, j, nv, error);
  if (!status) status = check_numbers(name, "joint stiffness", j->stiffness, nv, error);
  if (!status) status = check_numbers(name, "joint rest", j->rest, nv, error);
  if (!status) status = check_at_least_zero(name, "joint damping", j->damping, nv, 0, error);
  if (!status) status = check_at_least_zero(name, "joint friction", j->friction, nv, 0, error);
  if (!status) status = check_at_least_zero(name, "joint armature", j->armature, nv, 0, error);
  if (!status) status = check_at_least_zero(name, "joint effort", j->effort, nv, 1, error);
  if (!status) status = check_at_least_zero(name, "joint speed", j->speed, nv, 1, error);
  if (!status) status = check_numbers(name, "joint friction_speed", &j->friction_speed, 1, error);
  if (status) return status;
  if (!(j->friction_speed > 0))
    return fb_fail(error, FB_ERR_JOINT, "body \"%s\": joint friction_speed is %g; it must be above zero",
                   name, j->friction_speed);
  return check_no_springs(name, j, nv, error);
}

static fb_status check_joint(const char* name, const fb_joint_def* j, fb_error* error) {
  if ((unsigned)j->type >= FB_JOINT_TYPE_COUNT)
    return fb_fail(error, FB_ERR_JOINT, "body \"%s\": joint type %d is not one of fb_joint_type", name,
                   (int)j->type);
  if (j->name && !j->name[0])
    return fb_fail(error, FB_ERR_NAME, "body \"%s\": its joint has an empty name", name);
  fb_status status = check_numbers(name, "joint position", j->at, 3, error);
  if (!status) status = check_rotation(name, "joint rotation", j->R, error);
  if (!status) status = check_axes(name, j, error);
  return status ? status : fb_check_joint_numbers(name, j, error);
}

/* --- what a capture leaves in a joint --- */

/* 1 when the joint's velocity coordinates of each kind, lengths or angles, have one and the same number. */
static int is_uniform(const fb_joint_def* j, const double* x) {
  for (int i = 1; i < fb_joint_type_nv(j->type); i++)
    if (x[i] != x[0]) return 0;
  return 1;
}

/* The coordinates of a quaternion are other ones when the joint is seen from its other end. */
static fb_status check_reversed(const char* name, const fb_joint_def* j, fb_error* error) {
  const struct {
    const char* what;
    const double* x;
    double none;
  } rows[] = {{"damping", j->damping, 0},
              {"friction", j->friction, 0},
              {"armature", j->armature, 0},
              {"effort", j->effort, INFINITY},
              {"speed", j->speed, INFINITY}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    int uniform = is_uniform(j, rows[i].x), is_free = fb_joint_kinds[j->type].is_free;
    if (uniform && (!is_free || rows[i].x[0] == rows[i].none)) continue;
    return fb_fail(error, FB_ERR_JOINT,
                   "body \"%s\": its %s joint is reversed by a join, but has %s %s, which would not mean the "
                   "same from the other side; %s, or join the tree at a body on this side of it",
                   name, fb_joint_type_name(j->type), is_free ? "a" : "an uneven", rows[i].what,
                   is_free ? "remove it" : "make it the same about all three axes");
  }
  return FB_OK;
}

static fb_status check_ends(const fb_body_def* b, fb_error* error) {
  const fb_joint_def* j = &b->joint;
  fb_status status = check_numbers(b->name, "joint child position", j->child_at, 3, error);
  if (!status) status = check_rotation(b->name, "joint child rotation", j->child_R, error);
  if (status) return status;
  if (fb_joint_kinds[j->type].is_free && !(is_zero3(j->child_at) && is_identity3x3(j->child_R)))
    return fb_fail(error, FB_ERR_JOINT,
                   "body \"%s\": a free joint leads to the body's own frame, so it has no place in the child",
                   b->name);
  if (j->reversed && (!b->parent || strcmp(b->parent, "world") == 0))
    return fb_fail(
        error, FB_ERR_JOINT,
        "body \"%s\": its joint is reversed, but its parent is the world, which is no body's child", b->name);
  return j->reversed && fb_joint_kinds[j->type].quats > 0 ? check_reversed(b->name, j, error) : FB_OK;
}

static fb_status check_floated(const fb_body_def* b, const fb_joint_def* floated, fb_error* error) {
  if (!floated) return FB_OK;
  if (floated->type != FB_JOINT_FREE)
    return fb_fail(error, FB_ERR_JOINT,
                   "body \"%s\": the joint by which it floated is %s; only a free joint lets a body float",
                   b->name, fb_joint_type_name(floated->type));
  fb_body_def was = {.name = b->name, .joint = *floated};
  fb_status status = check_joint(b->name, floated, error);
  return status ? status : check_ends(&was, error);
}

/* --- frames and shapes --- */

static fb_status check_frame(const char* body, const fb_frame_def* f, fb_error* error) {
  if (!f->name || !f->name[0])
    return fb_fail(error, FB_ERR_NAME, "body \"%s\": a frame on it has no name", body);
  fb_status status = check_numbers(body, "frame position", f->at, 3, error);
  return status ? status : check_rotation(body, "frame rotation", f->R, error);
}

/* How many numbers of `size` each kind uses. */
static int count_sizes(fb_shape_kind kind) {
  if (kind == FB_SHAPE_SPHERE) return 1;
  return kind == FB_SHAPE_CYLINDER || kind == FB_SHAPE_CAPSULE ? 2 : 3;
}

static fb_status check_size(const char* body, const fb_shape_def* s, fb_error* error) {
  static const char* const what[] = {"a box has an edge", "a sphere has a radius",
                                     "an ellipsoid has a radius", "a cylinder has a radius or length",
                                     "a capsule has a radius or length"};
  if ((unsigned)s->kind > FB_SHAPE_MESH)
    return fb_fail(error, FB_ERR_ARG, "body \"%s\": shape kind %d is not one of fb_shape_kind", body,
                   (int)s->kind);
  for (int i = 0; i < count_sizes(s->kind); i++) {
    if (s->kind == FB_SHAPE_MESH && s->size[i] == 0)
      return fb_fail(error, FB_ERR_ARG, "body \"%s\": a mesh has a scale of 0, which would flatten it", body);
    if (s->kind != FB_SHAPE_MESH && !(s->size[i] > 0))
      return fb_fail(error, FB_ERR_ARG, "body \"%s\": %s of %g m; it must be above zero", body, what[s->kind],
                     s->size[i]);
  }
  return FB_OK;
}

static fb_status check_color(const char* body, const char* color, fb_error* error) {
  if (!color || fb_color_is_valid(color)) return FB_OK;
  return fb_fail(error, FB_ERR_ARG, "body \"%s\": a shape has the color '%.40s'; write #rrggbb or #rrggbbaa",
                 body, color);
}

static fb_status check_shape(const char* body, const fb_shape_def* s, fb_error* error) {
  fb_status status = check_numbers(body, "shape position", s->at, 3, error);
  if (!status) status = check_rotation(body, "shape rotation", s->R, error);
  if (!status) status = check_numbers(body, "shape size", s->size, 3, error);
  if (!status) status = check_size(body, s, error);
  if (!status) status = check_color(body, s->color, error);
  if (status || s->kind != FB_SHAPE_MESH || (s->file && s->file[0])) return status;
  return fb_fail(error, FB_ERR_ARG, "body \"%s\": a mesh names no file; give an STL, OBJ or COLLADA file",
                 body);
}

fb_status fb_check_body_name(const fb_model_def* def, int body, fb_error* error) {
  const fb_body_def* b = fb_model_def_body(def, body);
  if (!b->name || !b->name[0]) {
    fb_fail(error, FB_ERR_NAME, "body %d has no name; every body needs one", body);
    return fb_def_fail(def, b->place, error, FB_ERR_NAME);
  }
  if (strcmp(b->name, "world") == 0) {
    fb_fail(error, FB_ERR_NAME,
            "a body is named \"world\", which is the name of the world itself; rename it");
    return fb_def_fail(def, b->place, error, FB_ERR_NAME);
  }
  return FB_OK;
}

fb_status fb_check_body(const fb_model_def* def, int body, fb_error* error) {
  const fb_body_def* b = fb_model_def_body(def, body);
  fb_status status = fb_check_body_name(def, body, error);
  if (status) return status;
  status = fb_check_inertia(b->name, b->mass, b->com, b->inertia, fb_model_def_keeps_inertia(def), error);
  if (status) return fb_def_fail(def, b->place, error, status);
  status = check_joint(b->name, &b->joint, error);
  if (!status) status = check_ends(b, error);
  if (!status) status = check_floated(b, fb_model_def_floated(def, body), error);
  if (status) return fb_def_fail(def, b->joint.place.line ? b->joint.place : b->place, error, status);
  for (int i = 0; i < fb_model_def_nframe(def, body); i++) {
    const fb_frame_def* f = fb_model_def_frame(def, body, i);
    status = check_frame(b->name, f, error);
    if (status) return fb_def_fail(def, f->place, error, status);
  }
  for (int i = 0; i < fb_model_def_nshape(def, body); i++) {
    const fb_shape_def* s = fb_model_def_shape(def, body, i);
    status = check_shape(b->name, s, error);
    if (status) return fb_def_fail(def, s->place, error, status);
  }
  return FB_OK;
}
