/* test_model.c -- building a model: every check with its own message, order, look-up, topology. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "math/sym3.h"
#include "near.h"
#include "random_tree.h"

/* --- a small robot to spoil: base, upper, fore, with a tool frame and a box --- */

enum { NBODY = 3 };

typedef struct robot {
  fb_body_def body[NBODY];
  fb_frame_def tool;
  fb_shape_def box;
} robot;

static robot sound_robot(void) {
  static const char* const NAMES[NBODY] = {"base", "upper", "fore"};
  robot r;
  for (int i = 0; i < NBODY; i++) {
    r.body[i] = fb_default_body_def();
    r.body[i].name = NAMES[i];
    r.body[i].parent = i ? NAMES[i - 1] : NULL;
    r.body[i].joint.type = i ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    r.body[i].joint.axis[2] = 1;
    r.body[i].mass = 10;
    r.body[i].inertia[0] = r.body[i].inertia[1] = r.body[i].inertia[2] = 1;
    r.body[i].place.line = 10 * (i + 1);
  }
  r.tool = fb_default_frame_def();
  r.tool.name = "tool";
  r.box = fb_default_shape_def();
  r.box.size[0] = r.box.size[1] = r.box.size[2] = 1;
  r.box.color = "#c9b037";
  return r;
}

static fb_model_def* define(const robot* r) {
  fb_model_def* def = fb_model_def_new();
  assert_non_null(def);
  fb_model_def_set_source(def, "robot.yaml");
  for (int i = 0; i < NBODY; i++)
    assert_int_equal(fb_model_def_add_body(def, &r->body[i], NULL, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_frame(def, NBODY, &r->tool, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_shape(def, 1, &r->box, NULL), FB_OK);
  return def;
}

/* --- each check, with its message --- */

#define SPOIL(name, statement) \
  static void name(robot* r) { \
    statement;                 \
  }
SPOIL(no_name, r->body[1].name = NULL)
SPOIL(empty_name, r->body[1].name = "")
SPOIL(named_world, r->body[1].name = "world")
SPOIL(same_name, r->body[2].name = "base")
SPOIL(frame_like_body, r->tool.name = "upper")
SPOIL(same_joint, r->body[1].joint.name = r->body[2].joint.name = "elbow")
SPOIL(joint_like_other, r->body[1].joint.name = "fore")
SPOIL(empty_joint_name, r->body[1].joint.name = "")
SPOIL(no_frame_name, r->tool.name = NULL)
SPOIL(unknown_parent, r->body[2].parent = "elbow")
SPOIL(parent_is_frame, r->body[1].parent = "tool")
SPOIL(own_parent, r->body[1].parent = "upper")
SPOIL(cycle, r->body[0].parent = "fore")
SPOIL(negative_mass, r->body[1].mass = -3)
SPOIL(nan_mass, r->body[1].mass = NAN)
SPOIL(huge_mass, r->body[1].mass = 1e200)
SPOIL(infinite_com, r->body[1].com[1] = INFINITY)
SPOIL(nan_inertia, r->body[1].inertia[4] = NAN)
SPOIL(negative_inertia, r->body[1].inertia[0] = -1)
SPOIL(indefinite_inertia, r->body[1].inertia[3] = 2)
SPOIL(triangle, r->body[1].inertia[2] = 2.1)
SPOIL(bad_type, r->body[1].joint.type = (fb_joint_type)99)
SPOIL(zero_axis, r->body[1].joint.axis[2] = 0)
SPOIL(nan_axis, r->body[1].joint.axis[0] = NAN)
SPOIL(zero_axis2, r->body[1].joint.type = FB_JOINT_UNIVERSAL)
SPOIL(parallel_axes, r->body[1].joint.type = FB_JOINT_UNIVERSAL; r->body[1].joint.axis2[2] = -3)
SPOIL(nan_pitch, r->body[1].joint.type = FB_JOINT_HELICAL; r->body[1].joint.pitch = NAN)
SPOIL(infinite_place, r->body[1].joint.at[0] = INFINITY)
SPOIL(bent_rotation, r->body[1].joint.R[1] = 0.1)
SPOIL(mirrored_rotation, r->body[1].joint.R[8] = -1)
SPOIL(bent_frame, r->tool.R[0] = 2)
SPOIL(nan_frame, r->tool.at[0] = NAN)
SPOIL(nan_shape, r->box.size[1] = NAN)
SPOIL(bent_shape, r->box.R[4] = 0)
SPOIL(bad_kind, r->box.kind = (fb_shape_kind)9)
SPOIL(flat_box, r->box.size[2] = 0)
SPOIL(inverted_sphere, r->box.kind = FB_SHAPE_SPHERE; r->box.size[0] = -1)
SPOIL(short_cylinder, r->box.kind = FB_SHAPE_CYLINDER; r->box.size[1] = -2)
SPOIL(flat_mesh, r->box.kind = FB_SHAPE_MESH; r->box.file = "a.stl"; r->box.size[1] = 0)
SPOIL(no_mesh_file, r->box.kind = FB_SHAPE_MESH)
SPOIL(word_as_color, r->box.color = "red")
SPOIL(short_color, r->box.color = "#c9b03")
SPOIL(infinite_axis, r->body[1].joint.axis[0] = INFINITY)
SPOIL(huge_parallel_axes, r->body[1].joint.type = FB_JOINT_UNIVERSAL; r->body[1].joint.axis[2] = 1e200;
      r->body[1].joint.axis2[2] = -1e200)
SPOIL(reversed_limits, r->body[1].joint.lower[0] = 2; r->body[1].joint.upper[0] = 1)
SPOIL(nan_limit, r->body[1].joint.lower[0] = NAN)
SPOIL(huge_limit, r->body[1].joint.upper[0] = 1e100)
SPOIL(limits_on_free, r->body[0].joint.lower[3] = -1)
SPOIL(stiffness_on_ball, r->body[1].joint.type = FB_JOINT_SPHERICAL; r->body[1].joint.stiffness[1] = 5)
SPOIL(rest_on_ball, r->body[1].joint.type = FB_JOINT_SPHERICAL; r->body[1].joint.rest[2] = 5)
SPOIL(nan_stiffness, r->body[1].joint.stiffness[0] = NAN)
SPOIL(negative_damping, r->body[1].joint.damping[0] = -0.5)
SPOIL(negative_friction, r->body[1].joint.friction[0] = -0.5)
SPOIL(zero_friction_speed, r->body[1].joint.friction_speed = 0)
SPOIL(negative_armature, r->body[1].joint.armature[0] = -1)
SPOIL(armature_on_free, r->body[0].joint.armature[2] = 0.1)
SPOIL(negative_effort, r->body[1].joint.effort[0] = -1)
SPOIL(nan_speed, r->body[1].joint.speed[0] = NAN)

typedef struct check_case {
  const char* name;
  void (*spoil)(robot* r);
  fb_status status;
  int line; /* of the place in the message; 0: not asked */
  const char* fragment;
} check_case;

#define ROW(spoil, status, line, fragment) \
  { #spoil, spoil, status, line, fragment }
static const check_case CHECKS[] = {
    ROW(no_name, FB_ERR_NAME, 20, "body 2 has no name"),
    ROW(empty_name, FB_ERR_NAME, 20, "body 2 has no name"),
    ROW(named_world, FB_ERR_NAME, 20, "named \"world\""),
    ROW(same_name, FB_ERR_NAME, 30, "\"base\" is given twice"),
    ROW(frame_like_body, FB_ERR_NAME, 30, "\"upper\" is given twice"),
    ROW(same_joint, FB_ERR_NAME, 30, "\"elbow\" is given twice; every joint"),
    ROW(joint_like_other, FB_ERR_NAME, 30, "\"fore\" is given twice; every joint"),
    ROW(empty_joint_name, FB_ERR_NAME, 20, "its joint has an empty name"),
    ROW(no_frame_name, FB_ERR_NAME, 0, "\"fore\": a frame on it has no name"),
    ROW(unknown_parent, FB_ERR_TREE, 30, "its parent \"elbow\" does not exist"),
    ROW(parent_is_frame, FB_ERR_TREE, 20, "\"tool\" is a frame; name the body \"fore\""),
    ROW(own_parent, FB_ERR_TREE, 20, "upper -> upper"),
    ROW(cycle, FB_ERR_TREE, 0, "-> base"),
    ROW(negative_mass, FB_ERR_INERTIA, 20, "\"upper\": mass is -3 kg"),
    ROW(nan_mass, FB_ERR_NOT_FINITE, 20, "mass is nan"),
    ROW(huge_mass, FB_ERR_ARG, 20, "1e+200, beyond 1e30"),
    ROW(infinite_com, FB_ERR_NOT_FINITE, 20, "com is inf"),
    ROW(nan_inertia, FB_ERR_NOT_FINITE, 20, "inertia is nan"),
    ROW(negative_inertia, FB_ERR_INERTIA, 20, "not positive: its principal moments are -1, 1, 1"),
    ROW(indefinite_inertia, FB_ERR_INERTIA, 20, "not positive: its principal moments are -1, 1, 3"),
    ROW(triangle, FB_ERR_INERTIA, 20, "1 + 1 < 2.1"),
    ROW(bad_type, FB_ERR_JOINT, 20, "joint type 99"),
    ROW(zero_axis, FB_ERR_JOINT, 20, "axis is [0, 0, 0], of no direction"),
    ROW(nan_axis, FB_ERR_NOT_FINITE, 20, "joint axis is nan"),
    ROW(zero_axis2, FB_ERR_JOINT, 20, "axis2 is [0, 0, 0]"),
    ROW(parallel_axes, FB_ERR_JOINT, 20, "axis2 is parallel to its axis"),
    ROW(nan_pitch, FB_ERR_NOT_FINITE, 20, "pitch is nan"),
    ROW(infinite_place, FB_ERR_NOT_FINITE, 20, "joint position is inf"),
    ROW(bent_rotation, FB_ERR_ARG, 20, "joint rotation is not a rotation"),
    ROW(mirrored_rotation, FB_ERR_ARG, 20, "determinant -1"),
    ROW(bent_frame, FB_ERR_ARG, 0, "frame rotation is not a rotation"),
    ROW(nan_frame, FB_ERR_NOT_FINITE, 0, "frame position is nan"),
    ROW(nan_shape, FB_ERR_NOT_FINITE, 0, "shape size is nan"),
    ROW(bent_shape, FB_ERR_ARG, 0, "shape rotation is not a rotation"),
    ROW(bad_kind, FB_ERR_ARG, 0, "shape kind 9"),
    ROW(flat_box, FB_ERR_ARG, 0, "a box has an edge of 0 m"),
    ROW(inverted_sphere, FB_ERR_ARG, 0, "a sphere has a radius of -1 m"),
    ROW(short_cylinder, FB_ERR_ARG, 0, "a cylinder has a radius or length of -2 m"),
    ROW(flat_mesh, FB_ERR_ARG, 0, "a mesh has a scale of 0"),
    ROW(no_mesh_file, FB_ERR_ARG, 0, "a mesh names no file"),
    ROW(word_as_color, FB_ERR_ARG, 0, "the color 'red'; write #rrggbb"),
    ROW(short_color, FB_ERR_ARG, 0, "the color '#c9b03'"),
    ROW(infinite_axis, FB_ERR_NOT_FINITE, 20, "joint axis is inf"),
    ROW(huge_parallel_axes, FB_ERR_JOINT, 20, "axis2 is parallel to its axis"),
    ROW(reversed_limits, FB_ERR_JOINT, 20, "limits [2, 1] are reversed"),
    ROW(nan_limit, FB_ERR_NOT_FINITE, 20, "limits [nan, inf]"),
    ROW(huge_limit, FB_ERR_ARG, 20, "beyond 1e30"),
    ROW(limits_on_free, FB_ERR_JOINT, 10, "a free joint cannot have limits"),
    ROW(stiffness_on_ball, FB_ERR_JOINT, 20, "a spherical joint cannot have stiffness"),
    ROW(rest_on_ball, FB_ERR_JOINT, 20, "a spherical joint cannot have rest"),
    ROW(nan_stiffness, FB_ERR_NOT_FINITE, 20, "joint stiffness is nan"),
    ROW(negative_damping, FB_ERR_JOINT, 20, "joint damping is -0.5"),
    ROW(negative_friction, FB_ERR_JOINT, 20, "joint friction is -0.5"),
    ROW(zero_friction_speed, FB_ERR_JOINT, 20, "friction_speed is 0"),
    ROW(negative_armature, FB_ERR_JOINT, 20, "joint armature is -1"),
    ROW(armature_on_free, FB_ERR_JOINT, 10, "armature (0.1) is refused"),
    ROW(negative_effort, FB_ERR_JOINT, 20, "joint effort is -1"),
    ROW(nan_speed, FB_ERR_NOT_FINITE, 20, "joint speed is nan"),
};

static void every_check_has_its_own_message_and_place(void** unused) {
  (void)unused;
  for (size_t i = 0; i < sizeof CHECKS / sizeof CHECKS[0]; i++) {
    const check_case* c = &CHECKS[i];
    robot r = sound_robot();
    c->spoil(&r);
    fb_model_def* def = define(&r);
    fb_model* m = (fb_model*)&r; /* must come back NULL */
    fb_error error;
    fb_status status = fb_model_build(def, NULL, &m, &error);
    if (status != c->status || !strstr(error.text, c->fragment))
      fail_msg("%s: got %s \"%s\", wanted %s with \"%s\"", c->name, fb_status_name(status), error.text,
               fb_status_name(c->status), c->fragment);
    assert_null(m);
    if (c->line) assert_int_equal(error.place.line, c->line);
    assert_string_equal(error.file, "robot.yaml");
    assert_int_equal(error.status, status);
    assert_int_equal(fb_model_build(def, NULL, &m, NULL), c->status); /* the error is optional */
    fb_model_def_free(def);
  }
}

static void a_sound_robot_builds(void** unused) {
  (void)unused;
  robot r = sound_robot();
  r.body[1].inertia[2] = 2; /* a flat plate is the edge of the triangle inequality */
  fb_model_def* def = define(&r);
  fb_model* m = build_or_fail(def, NULL);
  assert_int_equal(fb_model_nbody(m), 4);
  assert_int_equal(fb_model_nv(m), 8);
  assert_true(fb_model_mass(m) == 30);
  fb_model_free(m);
  fb_model_def_free(def);
}

/* Only the direction of an axis counts, so its length may be anything that a double holds. */
static void axes_of_any_length_build_the_same_robot(void** unused) {
  (void)unused;
  static const double LENGTHS[] = {1, 1e-13, 5e-324, 1e200, 1.7e308};
  static const double q[] = {0, 0, 0, 1, 0, 0, 0, 0.3, -0.7, 0.2};
  double wanted[9];
  for (size_t i = 0; i < sizeof LENGTHS / sizeof LENGTHS[0]; i++) {
    robot r = sound_robot();
    r.body[1].joint.type = FB_JOINT_UNIVERSAL;
    r.body[1].joint.axis[2] = LENGTHS[i];
    r.body[1].joint.axis2[0] = -LENGTHS[i];
    fb_model_def* def = define(&r);
    fb_model* m = build_or_fail(def, NULL);
    fb_data* d = fb_data_new(m);
    double R[9];
    assert_int_equal(fb_model_nq(m), sizeof q / sizeof q[0]);
    fb_kinematics(m, d, q, NULL, NULL);
    fb_frame_pose(m, d, fb_model_find_frame(m, "tool"), NULL, R);
    if (i == 0) memcpy(wanted, R, sizeof R);
    for (int k = 0; k < 9; k++) assert_true(R[k] == wanted[k]);
    fb_data_free(d);
    fb_model_free(m);
    fb_model_def_free(def);
  }
}

static void a_massless_body_that_carries_mass_or_has_armature_is_allowed(void** unused) {
  (void)unused;
  robot r = sound_robot();
  r.body[1].mass = 0;
  memset(r.body[1].inertia, 0, sizeof r.body[1].inertia);
  fb_model_def* def = define(&r);
  fb_model_free(build_or_fail(def, NULL));
  fb_model_def_free(def);
  r = sound_robot();
  r.body[2].mass = 0;
  memset(r.body[2].inertia, 0, sizeof r.body[2].inertia);
  r.body[2].joint.armature[0] = 0.1;
  def = define(&r);
  fb_model_free(build_or_fail(def, NULL));
  fb_model_def_free(def);
}

static void errors_read_as_file_line_and_text(void** unused) {
  (void)unused;
  robot r = sound_robot();
  r.body[1].mass = -3;
  r.body[1].place.column = 5;
  fb_model_def* def = define(&r);
  fb_model* m;
  fb_error error;
  char text[256];
  fb_model_build(def, NULL, &m, &error);
  assert_string_equal(fb_error_format(&error, text, sizeof text),
                      "robot.yaml:20:5: body \"upper\": mass is -3 kg; a mass must be zero or more");
  fb_error_format(&error, text, 12); /* cut, not overrun */
  assert_string_equal(text, "robot.yaml:");
  fb_model_def_free(def);
}

/* --- order, look-up, frames --- */

static void parents_come_first_whatever_the_order_of_the_file(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 100; seed++) {
    fb_model* m = random_model(seed, 50);
    int seen[64] = {0};
    for (int i = 0; i < fb_model_nbody(m); i++) {
      int b = fb_model_traversal(m, i), parent = fb_body_parent(m, b);
      assert_true(parent < 0 || seen[parent]);
      seen[b] = 1;
      assert_int_equal(fb_body_base(m, b), parent <= FB_WORLD ? b : fb_body_base(m, parent));
    }
    assert_int_equal(fb_model_traversal(m, -1), -1);
    assert_int_equal(fb_model_traversal(m, fb_model_nbody(m)), -1);
    fb_model_free(m);
  }
}

static void names_find_bodies_joints_and_frames(void** unused) {
  (void)unused;
  fb_model* m = random_model(12, 60);
  for (int f = 0; f < fb_model_nframe(m); f++)
    assert_int_equal(fb_model_find_frame(m, fb_frame_name(m, f)), f);
  for (int b = 1; b < fb_model_nbody(m); b++) {
    assert_int_equal(fb_model_find_body(m, fb_body_name(m, b)), b);
    assert_int_equal(fb_model_find_joint(m, fb_joint_name(m, b)), b);
    assert_int_equal(fb_frame_body(m, fb_model_com_frame(m, b)), b);
    assert_int_equal(fb_frame_body(m, fb_model_joint_frame(m, b)), fb_body_parent(m, b));
  }
  assert_int_equal(fb_model_find_body(m, fb_frame_name(m, fb_model_nbody(m))), -1); /* a named frame */
  assert_int_equal(fb_model_find_body(m, "world"), FB_WORLD);
  assert_int_equal(fb_model_find_frame(m, "nobody"), -1);
  assert_int_equal(fb_model_find_joint(m, ""), -1);
  fb_model_free(m);
}

static void the_model_keeps_its_own_copy_of_the_definition(void** unused) {
  (void)unused;
  robot r = sound_robot();
  r.box.color = "#c9b037";
  fb_model_def* def = define(&r);
  fb_model_def_set_name(def, "inspector");
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  assert_string_equal(fb_model_name(m), "inspector");
  assert_string_equal(fb_model_def_shape(fb_model_definition(m), 1, 0)->color, "#c9b037");
  assert_string_equal(fb_body_name(m, 2), "upper");
  assert_string_equal(fb_frame_name(m, 4), "tool");
  fb_model_free(m);
}

/* The forked tree of [Yoshida 1999]: base, arm 1-2-3, arm 4-5; end-points on 3 and 5. */
static void spacedyn_topology_reads_as_in_the_paper(void** unused) {
  (void)unused;
  static const char* const NAMES[] = {"base", "l1", "l2", "l3", "l4", "l5"};
  static const int PARENT[] = {-1, 0, 1, 2, 0, 4};
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 6; i++) {
    fb_body_def b = fb_default_body_def();
    b.name = NAMES[i];
    b.parent = PARENT[i] < 0 ? NULL : NAMES[PARENT[i]];
    b.mass = 1;
    b.joint.type = i ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    b.joint.axis[2] = 1;
    fb_model_def_add_body(def, &b, NULL, NULL);
  }
  fb_frame_def hand = fb_default_frame_def();
  hand.name = "hand3";
  fb_model_def_add_frame(def, 4, &hand, NULL);
  hand.name = "hand5";
  fb_model_def_add_frame(def, 6, &hand, NULL);
  fb_model* m = build_or_fail(def, NULL);
  int B[5], S[25], S0[5], Se[5];
  assert_int_equal(fb_model_spacedyn_topology(m, B, S, S0, Se), FB_OK);
  static const int WANT_B[] = {0, 1, 2, 0, 4}, WANT_S0[] = {1, 0, 0, 1, 0}, WANT_SE[] = {0, 0, 1, 0, 1};
  static const int WANT_S[] = {-1, 1, 0, 0, 0, 0,  -1, 1, 0, 0, 0, 0, -1,
                               0,  0, 0, 0, 0, -1, 1,  0, 0, 0, 0, -1};
  assert_memory_equal(B, WANT_B, sizeof B);
  assert_memory_equal(S, WANT_S, sizeof S);
  assert_memory_equal(S0, WANT_S0, sizeof S0);
  assert_memory_equal(Se, WANT_SE, sizeof Se);
  fb_model_free(m);

  fb_body_def other = fb_default_body_def();
  other.name = "debris";
  other.mass = 1;
  other.joint.type = FB_JOINT_FREE;
  fb_model_def_add_body(def, &other, NULL, NULL);
  m = build_or_fail(def, NULL);
  assert_int_equal(fb_model_ntree(m), 2);
  assert_int_equal(fb_model_spacedyn_topology(m, B, NULL, NULL, NULL), FB_ERR_TREE);
  fb_model_free(m);
  fb_model_def_free(def);
}

static void definitions_and_options_must_come_from_their_defaults(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def blank;
  memset(&blank, 0, sizeof blank);
  blank.name = "x";
  fb_error error;
  fb_model* m;
  assert_int_equal(fb_model_def_add_body(def, &blank, NULL, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "fb_default_body_def"));
  fb_frame_def frame = fb_default_frame_def();
  assert_int_equal(fb_model_def_add_frame(def, 3, &frame, &error), FB_ERR_ARG);
  fb_build_options options;
  memset(&options, 0, sizeof options);
  assert_int_equal(fb_model_build(def, &options, &m, &error), FB_ERR_ARG);
  fb_model_def_free(def);
}

/* --- eigenvalues --- */

static void eigenvalues_of_a_turned_diagonal_come_back_sorted(void** unused) {
  (void)unused;
  fb_random r = random_seed(5);
  for (int i = 0; i < 1000; i++) {
    double R[9], M[9] = {0}, values[3], scale = pow(10, random_in(&r, -200, 200));
    double want[3] = {-1 * scale, 0.5 * scale, 4 * scale};
    random_rotation(&r, R);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        for (int k = 0; k < 3; k++) M[3 * a + b] += R[3 * a + k] * want[k] * R[3 * b + k];
    fb_sym3_eigenvalues((const double[6]){M[0], M[4], M[8], M[1], M[2], M[5]}, values);
    for (int k = 0; k < 3; k++) assert_true(fabs(values[k] - want[k]) < 1e-14 * 4 * scale);
  }
}

static void status_codes_have_names_and_texts(void** unused) {
  (void)unused;
  assert_string_equal(fb_status_name(FB_ERR_TREE), "FB_ERR_TREE");
  assert_string_equal(fb_status_meaning(FB_OK), "ok");
  assert_string_equal(fb_status_meaning((fb_status)-1), "unknown status");
  assert_string_equal(fb_status_name(FB_STATUS_COUNT), "unknown status");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_check_has_its_own_message_and_place),
      cmocka_unit_test(a_sound_robot_builds),
      cmocka_unit_test(axes_of_any_length_build_the_same_robot),
      cmocka_unit_test(a_massless_body_that_carries_mass_or_has_armature_is_allowed),
      cmocka_unit_test(errors_read_as_file_line_and_text),
      cmocka_unit_test(parents_come_first_whatever_the_order_of_the_file),
      cmocka_unit_test(names_find_bodies_joints_and_frames),
      cmocka_unit_test(the_model_keeps_its_own_copy_of_the_definition),
      cmocka_unit_test(spacedyn_topology_reads_as_in_the_paper),
      cmocka_unit_test(definitions_and_options_must_come_from_their_defaults),
      cmocka_unit_test(eigenvalues_of_a_turned_diagonal_come_back_sorted),
      cmocka_unit_test(status_codes_have_names_and_texts),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
