/* test_urdf.c -- URDF read: what stands where, and what is noted. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

#include "near.h"
#include "same_def.h"
#include "urdf_files.h"

/* --- which bodies, in which order, on which joints --- */

typedef struct tree_case {
  const char* file;
  const char* bodies; /* name(parent type joint) of each */
} tree_case;

static const tree_case TREES[] = {
    {"chain.urdf",
     "base(world free base) upper(base revolute shoulder) lower(upper revolute elbow) "
     "hand(lower revolute wrist) "},
    {"tree.urdf",
     "c_trunk(world free c_trunk) e_branch(c_trunk revolute to_e) d_leaf(e_branch revolute to_d) "
     "f_leaf(e_branch revolute to_f) b_branch(c_trunk revolute to_b) a_leaf(b_branch revolute to_a) "},
    {"fixed_inside.urdf",
     "bus(world free bus) mount(bus fixed mounting) boom(mount revolute hinge) tool0(boom fixed tool) "},
    {"prismatic.urdf",
     "frame(world free frame) bridge(frame prismatic x) trolley(bridge prismatic y) hook(trolley prismatic "
     "z) "},
    {"continuous.urdf",
     "chassis(world free chassis) left_wheel(chassis revolute left_axle) right_wheel(chassis revolute "
     "right_axle) "},
    {"floating_inside.urdf",
     "chaser(world free chaser) target(chaser free gap) panel(target revolute panel_hinge) "},
    {"planar.urdf", "puck(world planar table) arm(puck revolute shoulder) disc(arm planar glide) "},
    {"axes.urdf",
     "l0(world free l0) l1(l0 revolute default) l2(l1 revolute long) l3(l2 revolute huge) l4(l3 revolute "
     "tiny) "},
    {"massless.urdf",
     "base(world free base) gimbal(base revolute pan) camera(gimbal revolute tilt) "
     "camera_optical(camera fixed optical) "},
    {"world_arm.urdf",
     "pedestal(world fixed bolts) turret(pedestal revolute azimuth) cart(world prismatic rail) "},
    {"inertial_rpy.urdf", "quarter(world free quarter) slant(quarter revolute j) "},
    {"meshes.urdf", "body(world free body) "},
    {"gazebo.urdf", "base_link(world free base_link) arm_link(base_link revolute arm_joint) "},
    {"extensions.urdf",
     "hub(world free hub) ball(hub spherical socket) cross(hub universal cardan) "
     "piston(cross cylindrical sleeve) screw(piston helical thread) panel(hub revolute spring) "},
    {"dual_arm.urdf",
     "bus(world free bus) panel(bus revolute panel_root) left_shoulder(bus revolute left_j1) "
     "left_upper(left_shoulder revolute left_j2) left_fore(left_upper revolute left_j3) "
     "left_probe(left_fore prismatic left_slide) right_shoulder(bus revolute right_j1) "
     "right_upper(right_shoulder revolute right_j2) right_fore(right_upper revolute right_j3) "
     "right_probe(right_fore prismatic right_slide) "},
};

static void bodies_stand_depth_first_on_their_joints(void** state) {
  (void)state;
  for (int i = 0; i < COUNT(TREES); i++) {
    char found[2000];
    fb_model_def* def = read_urdf(TREES[i].file, NULL);
    assert_string_equal(describe(def, found, sizeof found), TREES[i].bodies);
    fb_model_def_free(def);
  }
}

static void every_good_file_builds(void** state) {
  (void)state;
  for (int i = 0; i < GOOD_COUNT; i++) {
    fb_error error;
    fb_model* model;
    fb_model_def* def = read_urdf(GOOD_FILES[i], NULL);
    if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s: %s", GOOD_FILES[i], error.text);
    assert_string_equal(fb_model_def_source(def), GOOD_FILES[i]);
    fb_model_free(model);
    fb_model_def_free(def);
  }
}

static void quadruped_has_twelve_joints_leg_by_leg(void** state) {
  (void)state;
  static const char* const legs[] = {"fl", "fr", "rl", "rr"};
  fb_model* model;
  fb_model_def* def = read_urdf("quadruped.urdf", NULL);
  assert_int_equal(fb_model_build(def, NULL, &model, NULL), FB_OK);
  assert_int_equal(fb_model_nv(model), 6 + 12);
  for (int leg = 0; leg < 4; leg++) {
    char knee[20];
    snprintf(knee, sizeof knee, "%s_knee", legs[leg]);
    assert_int_equal(fb_joint_v_index(model, fb_model_find_joint(model, knee)), 6 + 3 * leg + 2);
  }
  assert_near("mass", NUMBERS(fb_model_mass(model)), NUMBERS(12 + 4 * (0.7 + 1.1 + 0.25)), 1, 1e-14);
  assert_string_equal(fb_model_def_shape(def, 1, 0)->color, "#808080");
  fb_model_free(model);
  fb_model_def_free(def);
}

/* --- numbers --- */

static void chain_keeps_every_number(void** state) {
  (void)state;
  fb_model_def* def = read_urdf("chain.urdf", NULL);
  double R[9];
  const fb_body_def *base = fb_model_def_body(def, 1), *upper = fb_model_def_body(def, 2),
                    *lower = fb_model_def_body(def, 3), *hand = fb_model_def_body(def, 4);
  assert_string_equal(fb_model_def_name(def), "chain");
  assert_near("mass", &base->mass, NUMBERS(10), 1, 0);
  assert_near("com", base->com, NUMBERS(0.01, 0.02, 0.03), 3, 0);
  assert_near("inertia", base->inertia, NUMBERS(0.5, 0.6, 0.7, 0.01, 0.02, 0.03), 6, 0);
  assert_near("at", upper->joint.at, NUMBERS(0, 0.1, 0.2), 3, 0);
  assert_near("R", upper->joint.R, NUMBERS(0, -1, 0, 1, 0, 0, 0, 0, 1), 9, 1e-15);
  assert_near("axis", upper->joint.axis, NUMBERS(0, 1, 0), 3, 0);
  assert_near("limits", NUMBERS(upper->joint.lower[0], upper->joint.upper[0]), NUMBERS(-1.5, 2.5), 2, 0);
  assert_near("effort, speed", NUMBERS(upper->joint.effort[0], upper->joint.speed[0]), NUMBERS(40, 3), 2, 0);
  assert_near("damping", NUMBERS(upper->joint.damping[0], upper->joint.friction[0]), NUMBERS(0.7, 0.2), 2, 0);
  assert_near("lower is 0", NUMBERS(lower->joint.lower[0], lower->joint.upper[0]), NUMBERS(0, 2), 2, 0);
  fb_rot_from_rpy(NUMBERS(0.1, 0.2, 0.3), R);
  assert_near("rpy", hand->joint.R, R, 9, 0);
  assert_int_equal(upper->place.line, 11);
  assert_int_equal(upper->place.column, 3);
  assert_int_equal(hand->joint.place.line, 37);
  fb_model_def_free(def);
}

static void axes_come_out_of_unit_length(void** state) {
  (void)state;
  fb_model_def* def = read_urdf("axes.urdf", NULL);
  double s = sqrt(0.5);
  assert_near("default", fb_model_def_body(def, 2)->joint.axis, NUMBERS(1, 0, 0), 3, 0);
  assert_near("long", fb_model_def_body(def, 3)->joint.axis, NUMBERS(0, 0.6, -0.8), 3, 1e-15);
  assert_near("huge", fb_model_def_body(def, 4)->joint.axis, NUMBERS(s, 0, s), 3, 1e-15);
  assert_near("tiny", fb_model_def_body(def, 5)->joint.axis, NUMBERS(-1, 0, 0), 3, 0);
  fb_model_def_free(def);
}

static void limits_follow_the_joint_type(void** state) {
  (void)state;
  char notes[NOTES];
  fb_io_options options = noting(notes);
  fb_model_def* def = read_urdf("prismatic.urdf", &options);
  const fb_joint_def *x = &fb_model_def_body(def, 2)->joint, *y = &fb_model_def_body(def, 3)->joint,
                     *z = &fb_model_def_body(def, 4)->joint;
  assert_near("x", NUMBERS(x->lower[0], x->upper[0]), NUMBERS(-0.5, 0.75), 2, 0);
  assert_true(isinf(y->lower[0]) && isinf(y->upper[0]));
  assert_true(z->lower[0] == 0 && isinf(z->upper[0]));
  assert_near("damping", z->damping, NUMBERS(12.5), 1, 0);
  assert_non_null(strstr(notes, "line 9: joint 'y' has a <limit> with neither lower nor upper"));
  fb_model_def_free(def);
  def = read_urdf("continuous.urdf", NULL);
  const fb_joint_def* axle = &fb_model_def_body(def, 2)->joint;
  assert_true(isinf(axle->lower[0]) && isinf(axle->upper[0]));
  assert_near("effort", NUMBERS(axle->effort[0], axle->speed[0]), NUMBERS(15, 8), 2, 0);
  assert_true(isinf(fb_model_def_body(def, 3)->joint.effort[0]));
  fb_model_def_free(def);
}

static void inertia_turns_with_its_origin(void** state) {
  (void)state;
  fb_model_def* def = read_urdf("inertial_rpy.urdf", NULL);
  double c = cos(0.5235987755982988), s = sin(0.5235987755982988);
  assert_near("quarter", fb_model_def_body(def, 1)->inertia, NUMBERS(0.7, 0.1, 0.75, 0, 0, 0), 6, 1e-15);
  assert_near("com", fb_model_def_body(def, 1)->com, NUMBERS(0.5, 0, 0), 3, 0);
  assert_near("slant", fb_model_def_body(def, 2)->inertia,
              NUMBERS(1, 2 * c * c + 2.8 * s * s, 2 * s * s + 2.8 * c * c, 0, 0, (2 - 2.8) * s * c), 6,
              1e-15);
  fb_model_def_free(def);
}

/* URDF 1.2; scalar last. */
static void an_origin_may_be_turned_by_a_quaternion(void** state) {
  (void)state;
#define QUARTER "quat_xyzw='0 0 2 2'"
  static const char text[] =
      "<robot name='r' version='1.2'><link name='a'/><link name='b'><inertial><origin xyz='0 0 1' " QUARTER
      "/><mass value='1'/><inertia ixx='1' iyy='2' izz='2.5'/></inertial><visual><origin " QUARTER
      "/><geometry><box size='1 2 3'/></geometry></visual></link><joint name='j' type='continuous'><origin "
      "xyz='0 0 1' " QUARTER "/><parent link='a'/><child link='b'/></joint></robot>";
  static const double turned[9] = {0, -1, 0, 1, 0, 0, 0, 0, 1};
  char notes[NOTES];
  fb_io_options options = noting(notes);
  fb_model_def* def;
  fb_error error;
  if (fb_urdf_read(text, sizeof text - 1, "text", &options, &def, &error)) fail_msg("%s", error.text);
  const fb_body_def* b = fb_model_def_body(def, 2);
  assert_near("joint", b->joint.R, turned, 9, 1e-15);
  assert_near("inertia", b->inertia, NUMBERS(2, 1, 2.5, 0, 0, 0), 6, 1e-15);
  assert_near("shape", fb_model_def_shape(def, 2, 0)->R, turned, 9, 1e-15);
  assert_null(strstr(notes, "quat"));
  fb_model_def_free(def);
}

static void links_without_inertial_are_massless(void** state) {
  (void)state;
  fb_model_def* def = read_urdf("massless.urdf", NULL);
  assert_near("mass", NUMBERS(fb_model_def_body(def, 2)->mass, fb_model_def_body(def, 4)->mass),
              NUMBERS(0, 0), 2, 0);
  assert_near("optical", fb_model_def_body(def, 4)->joint.R, NUMBERS(0, 0, 1, -1, 0, 0, 0, -1, 0), 9, 1e-15);
  fb_model_def_free(def);
}

static void world_link_is_the_world(void** state) {
  (void)state;
  fb_model* model;
  fb_model_def* def = read_urdf("world_arm.urdf", NULL);
  assert_null(fb_model_def_body(def, 1)->parent);
  assert_null(fb_model_def_body(def, 3)->parent);
  assert_near("pedestal", fb_model_def_body(def, 1)->joint.at, NUMBERS(0, 0, 0.8), 3, 0);
  assert_int_equal(fb_model_build(def, NULL, &model, NULL), FB_OK);
  assert_int_equal(fb_model_nv(model), 2);
  fb_model_free(model);
  fb_model_def_free(def);
}

/* Where a planar joint of URDF puts its link: J (Z (x, y, 0)) R(n, theta), Z the shortest turn of z to n. */
static void planar_joint_moves_in_the_plane_normal_to_its_axis(void** state) {
  (void)state;
  char notes[NOTES];
  fb_io_options options = noting(notes);
  fb_model* model;
  fb_model_def* def = read_urdf("planar.urdf", &options);
  assert_int_equal(fb_model_build(def, NULL, &model, NULL), FB_OK);
  fb_data* data = fb_data_new(model);
  double q[7] = {0.4, -0.7, 0.9, 0, 0, 0, 0}, p[3], R[9], J[9], spin[9], L[9], want[3], step[3], turned[3];
  fb_kinematics(model, data, q, NULL, NULL);
  /* The normal is x: Z takes z to x and x to -z, y stays. */
  fb_rot_from_rpy(NUMBERS(0.3, 0.2, 0.1), J);
  fb_rot_from_axis_angle(NUMBERS(1, 0, 0), 0.9, spin);
  fb_rot_multiply(J, spin, L);
  fb_rot_apply(J, NUMBERS(0, -0.7, -0.4), step);
  /* a frame on the link, given in link axes */
  fb_frame_pose(model, data, fb_model_find_frame(model, "nozzle"), p, R);
  fb_rot_apply(L, NUMBERS(0.4, 0.5, 0.6), turned);
  for (int a = 0; a < 3; a++) want[a] = a + 1 + step[a] + turned[a];
  assert_near("nozzle p", p, want, 3, 1e-14);
  double own[9];
  fb_rot_from_rpy(NUMBERS(0.1, 0.2, 0.3), own);
  fb_rot_multiply(L, own, own);
  assert_near("nozzle R", R, own, 9, 1e-14);
  /* a child of the link, its centre of mass */
  fb_frame_pose(model, data, fb_model_find_body(model, "arm"), p, R);
  fb_rot_apply(L, NUMBERS(0.7, 0.8, 0.9), turned);
  for (int a = 0; a < 3; a++) want[a] = a + 1 + step[a] + turned[a];
  assert_near("arm p", p, want, 3, 1e-14);
  fb_rot_from_rpy(NUMBERS(-0.4, 0.5, 0.6), own);
  fb_rot_multiply(L, own, own);
  assert_near("arm R", R, own, 9, 1e-14);
  fb_frame_pose(model, data, fb_model_com_frame(model, 1), p, NULL);
  fb_rot_apply(L, NUMBERS(0.1, 0.2, 0.3), turned);
  for (int a = 0; a < 3; a++) want[a] = a + 1 + step[a] + turned[a];
  assert_near("com", p, want, 3, 1e-14);
  assert_non_null(strstr(notes, "the plane of joint 'table' is not normal to z"));
  assert_null(strstr(notes, "glide"));
  fb_data_free(data);
  fb_model_free(model);
  fb_model_def_free(def);
}

/* The joint frame turns by the angle between z and the axis, also where the axis points downward; a frame on the link stays
 * where the link has it. */
static void planar_joint_frames_turn_by_no_more_than_they_must(void** state) {
  (void)state;
  static const double axes[][3] = {{1, 2, -2}, {1, 2, 2}, {-3, 0.5, -0.1}, {0, 0, -1}, {0.3, -0.2, -5}};
  for (int i = 0; i < COUNT(axes); i++) {
    const double* n = axes[i];
    char text[600];
    fb_model_def* def;
    fb_error error;
    double turn[3], point[3], want = acos(n[2] / sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]));
    int size = snprintf(
        text, sizeof text,
        "<robot name='r'><link name='world'/><link name='puck'><inertial><mass value='1'/><inertia ixx='1' "
        "iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial><freebody><frame name='nozzle' xyz='0.1 0.2 "
        "0.3'/></freebody></link><joint name='table' type='planar'><parent link='world'/><child "
        "link='puck'/><axis xyz='%g %g %g'/></joint></robot>",
        n[0], n[1], n[2]);
    if (fb_urdf_read(text, (size_t)size, "r.urdf", NULL, &def, &error)) fail_msg("%s", error.text);
    const fb_body_def* puck = fb_model_def_body(def, 1);
    fb_rot_to_rotvec(puck->joint.R, turn);
    assert_near("angle", NUMBERS(sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2])), &want, 1,
                1e-14);
    assert_near("no turn about z", NUMBERS(turn[2]), NUMBERS(0), 1, 1e-15);
    fb_rot_apply(puck->joint.R, fb_model_def_frame(def, 1, 0)->at, point);
    assert_near("nozzle", point, NUMBERS(0.1, 0.2, 0.3), 3, 1e-15);
    fb_model_def_free(def);
  }
}

static void inertia_and_shapes_turn_with_a_planar_link(void** state) {
  (void)state;
  fb_model_def* def = read_urdf("planar.urdf", NULL);
  /* x_b = Zt x_l with Z columns (0, 0, -1), (0, 1, 0), (1, 0, 0): body x is -z of the link, z is x. */
  assert_near("com", fb_model_def_body(def, 1)->com, NUMBERS(-0.3, 0.2, 0.1), 3, 1e-15);
  assert_near("inertia", fb_model_def_body(def, 1)->inertia, NUMBERS(0.25, 0.2, 0.1, -0.03, -0.02, 0.01), 6,
              1e-15);
  assert_near("shape", fb_model_def_shape(def, 1, 0)->at, NUMBERS(-0.5, 0, 0), 3, 1e-15);
  fb_model_def_free(def);
}

/* --- shapes --- */

static void shapes_keep_kind_size_colour_and_use(void** state) {
  (void)state;
  static const struct {
    const char *name, *file, *color;
    fb_shape_kind kind;
    fb_shape_use use;
    double size[3];
  } want[] = {
      {"skin",
       "/models/probe/meshes/body.stl",
       "#ffcc00",
       FB_SHAPE_MESH,
       FB_SHAPE_USE_VISUAL,
       {0.001, 0.001, 0.002}},
      {NULL, "package://other/wing.OBJ", "#33669980", FB_SHAPE_MESH, FB_SHAPE_USE_VISUAL, {1, 1, 1}},
      {NULL, "/models/probe/antenna.dae", NULL, FB_SHAPE_MESH, FB_SHAPE_USE_VISUAL, {1, 1, 1}},
      {NULL, "/data/dish.stl", NULL, FB_SHAPE_MESH, FB_SHAPE_USE_VISUAL, {1, 1, 1}},
      {NULL, NULL, "#b3331a", FB_SHAPE_SPHERE, FB_SHAPE_USE_VISUAL, {0.3, 0, 0}},
      {NULL, NULL, NULL, FB_SHAPE_CYLINDER, FB_SHAPE_USE_VISUAL, {0.1, 2, 0}},
      {"hull", NULL, NULL, FB_SHAPE_BOX, FB_SHAPE_USE_CONTACT, {1, 2, 3}},
      {NULL, NULL, NULL, FB_SHAPE_CAPSULE, FB_SHAPE_USE_CONTACT, {0.2, 0.5, 0}},
  };
  static const char* const packages[] = {"prob=/wrong", "probe=/models/probe", NULL};
  char notes[NOTES];
  fb_io_options options = noting(notes);
  options.packages = packages;
  fb_model_def* def = read_urdf("meshes.urdf", &options);
  assert_int_equal(fb_model_def_nshape(def, 1), COUNT(want));
  for (int i = 0; i < COUNT(want); i++) {
    const fb_shape_def* s = fb_model_def_shape(def, 1, i);
    assert_string_equal(same_text(s->name, "-"), same_text(want[i].name, "-"));
    assert_string_equal(same_text(s->file, "-"), same_text(want[i].file, "-"));
    assert_string_equal(same_text(s->color, "-"), same_text(want[i].color, "-"));
    assert_int_equal(s->kind, want[i].kind);
    assert_int_equal(s->use, want[i].use);
    assert_near("size", s->size, want[i].size, 3, 0);
  }
  assert_near("at", fb_model_def_shape(def, 1, 0)->at, NUMBERS(0, 0, 0.1), 3, 0);
  assert_non_null(strstr(notes, "line 12: package 'other' is not found; its meshes keep their addresses."));
  assert_non_null(strstr(notes, "line 16: shape of 'body' (unheard) gets no colour"));
  assert_non_null(strstr(notes, "<texture> is not read"));
  fb_model_def_free(def);
}

/* --- notes --- */

static void foreign_elements_are_noted_once_each(void** state) {
  (void)state;
  static const char* const wanted[] = {
      "<gazebo> is not read (3 times)",
      "line 18: <transmission> is not read",
      "<calibration> is not read",
      "<safety_controller> is not read",
      "<ros2_control> is not read",
      "<sensor:camera> is not read",
      "<self_collision_checking> is not read",
  };
  char notes[NOTES];
  int lines = 0;
  fb_io_options options = noting(notes);
  fb_model_def* def = read_urdf("gazebo.urdf", &options);
  for (int i = 0; i < COUNT(wanted); i++)
    if (!strstr(notes, wanted[i])) fail_msg("no note '%s' in:\n%s", wanted[i], notes);
  for (const char* c = notes; *c; c++) lines += *c == '\n';
  assert_int_equal(lines, COUNT(wanted));
  fb_model_def_free(def);
}

static void a_plain_file_makes_no_notes(void** state) {
  (void)state;
  char notes[NOTES];
  fb_io_options options = noting(notes);
  fb_model_def_free(read_urdf("chain.urdf", &options));
  assert_string_equal(notes, "");
}

/* --- <freebody> --- */

static void extension_elements_add_what_urdf_lacks(void** state) {
  (void)state;
  fb_model_def* def = read_urdf("extensions.urdf", NULL);
  const fb_joint_def *socket = &fb_model_def_body(def, 2)->joint, *cardan = &fb_model_def_body(def, 3)->joint,
                     *sleeve = &fb_model_def_body(def, 4)->joint, *thread = &fb_model_def_body(def, 5)->joint,
                     *spring = &fb_model_def_body(def, 6)->joint;
  double g[3];
  fb_model_def_gravity(def, g);
  assert_near("gravity", g, NUMBERS(0, 0, -1.62), 3, 0);
  assert_near("damping", socket->damping, NUMBERS(1, 2, 3), 3, 0);
  assert_near("armature", socket->armature, NUMBERS(0.1, 0.2, 0.3), 3, 0);
  assert_true(socket->effort[0] == 5 && isinf(socket->effort[1]) && socket->effort[2] == 6);
  assert_near("axis2", cardan->axis2, NUMBERS(0, 1, 0), 3, 0);
  assert_true(cardan->lower[0] == -1 && cardan->lower[1] == -INFINITY);
  assert_near("upper", cardan->upper, NUMBERS(1, 2), 2, 0);
  assert_near("rest", cardan->rest, NUMBERS(0.1, 0.2), 2, 0);
  assert_near("stiffness", cardan->stiffness, NUMBERS(7, 8), 2, 0);
  assert_near("friction", sleeve->friction, NUMBERS(0.5, 0.6), 2, 0);
  assert_near("friction_speed", &sleeve->friction_speed, NUMBERS(0.01), 1, 0);
  assert_near("pitch", &thread->pitch, NUMBERS(0.002), 1, 0);
  assert_near("spring", NUMBERS(spring->stiffness[0], spring->rest[0], spring->armature[0]),
              NUMBERS(12, 0.3, 0.05), 3, 0);
  assert_int_equal(fb_model_def_nshape(def, 1), 2);
  const fb_shape_def *tank = fb_model_def_shape(def, 1, 0), *egg = fb_model_def_shape(def, 1, 1);
  assert_int_equal(tank->kind, FB_SHAPE_CAPSULE);
  assert_int_equal(tank->use, FB_SHAPE_USE_BOTH);
  assert_near("tank", tank->size, NUMBERS(0.2, 0.5), 2, 0);
  assert_string_equal(tank->color, "#ff0000");
  assert_int_equal(egg->kind, FB_SHAPE_ELLIPSOID);
  assert_int_equal(egg->use, FB_SHAPE_USE_CONTACT);
  assert_near("egg", egg->size, NUMBERS(1, 2, 3), 3, 0);
  assert_string_equal(egg->color, "#0a0b0c");
  assert_int_equal(fb_model_def_nframe(def, 1), 2);
  assert_string_equal(fb_model_def_frame(def, 1, 1)->name, "camera");
  assert_near("thruster", fb_model_def_frame(def, 1, 0)->at, NUMBERS(0, 0, -1), 3, 0);
  fb_model_def_free(def);
}

/* --- size --- */

static char* repeat(const char* head, const char* middle, int count, const char* end, const char* tail) {
  size_t m = strlen(middle), e = strlen(end),
         size = strlen(head) + (size_t)count * (m + e) + strlen(tail) + 1;
  char* text = (char*)malloc(size);
  assert_non_null(text);
  size_t at = strlen(head);
  memcpy(text, head, at);
  for (int i = 0; i < count; i++, at += m) memcpy(text + at, middle, m);
  for (int i = 0; i < count; i++, at += e) memcpy(text + at, end, e);
  memcpy(text + at, tail, strlen(tail) + 1);
  return text;
}

static void deep_nesting_is_harmless(void** state) {
  (void)state;
  char* text = repeat("<robot name='r'><link name='a'/><gazebo>", "<x>", 300000, "</x>", "</gazebo></robot>");
  fb_model_def* def;
  assert_int_equal(fb_urdf_read(text, strlen(text), "deep", NULL, &def, NULL), FB_OK);
  assert_int_equal(fb_model_def_nbody(def), 2);
  fb_model_def_free(def);
  free(text);
  text = repeat("<robot name='r'>", "<link name='a'>", 100000, "</link>", "</robot>");
  assert_int_equal(fb_urdf_read(text, strlen(text), "deep", NULL, &def, NULL), FB_OK);
  fb_model_def_free(def);
  free(text);
}

static void a_chain_of_ten_thousand_links_loads(void** state) {
  (void)state;
  enum { N = 10000 };
  size_t room = 200 * (size_t)N, at = 0;
  char* text = (char*)malloc(room);
  assert_non_null(text);
  at += (size_t)snprintf(text, room, "<robot name='long'>");
  for (int i = 0; i < N; i++) at += (size_t)snprintf(text + at, room - at, "<link name='l%d'/>", i);
  for (int i = N - 1; i > 0; i--)
    at += (size_t)snprintf(
        text + at, room - at,
        "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/></joint>", i, i - 1, i);
  at += (size_t)snprintf(text + at, room - at, "</robot>");
  fb_model_def* def;
  assert_int_equal(fb_urdf_read(text, at, "long", NULL, &def, NULL), FB_OK);
  assert_int_equal(fb_model_def_nbody(def), N + 1);
  assert_string_equal(fb_model_def_body(def, N)->name, "l9999");
  assert_string_equal(fb_model_def_body(def, N)->parent, "l9998");
  fb_model_def_free(def);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bodies_stand_depth_first_on_their_joints),
      cmocka_unit_test(every_good_file_builds),
      cmocka_unit_test(quadruped_has_twelve_joints_leg_by_leg),
      cmocka_unit_test(chain_keeps_every_number),
      cmocka_unit_test(axes_come_out_of_unit_length),
      cmocka_unit_test(limits_follow_the_joint_type),
      cmocka_unit_test(inertia_turns_with_its_origin),
      cmocka_unit_test(an_origin_may_be_turned_by_a_quaternion),
      cmocka_unit_test(links_without_inertial_are_massless),
      cmocka_unit_test(world_link_is_the_world),
      cmocka_unit_test(planar_joint_moves_in_the_plane_normal_to_its_axis),
      cmocka_unit_test(planar_joint_frames_turn_by_no_more_than_they_must),
      cmocka_unit_test(inertia_and_shapes_turn_with_a_planar_link),
      cmocka_unit_test(shapes_keep_kind_size_colour_and_use),
      cmocka_unit_test(foreign_elements_are_noted_once_each),
      cmocka_unit_test(a_plain_file_makes_no_notes),
      cmocka_unit_test(extension_elements_add_what_urdf_lacks),
      cmocka_unit_test(deep_nesting_is_harmless),
      cmocka_unit_test(a_chain_of_ten_thousand_links_loads),
  };
  return cmocka_run_group_tests_name("urdf", tests, NULL, NULL);
}
