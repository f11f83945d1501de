/* test_mjcf.c -- MJCF by itself: what MuJoCo 2.2.2 does not know, what is noted, what is refused, and what people write
 * by mistake. test_mjcf_mujoco.c compares numbers with MuJoCo. */
#include "run_command.h"

#include <math.h>
#include <stdlib.h>

#include <freebody/io.h>
#include <freebody/kinematics.h>
#include <freebody/data.h>
#include <freebody/configuration.h>
#include <freebody/rotation.h>
#include <freebody/support/text.h>

#include "near.h"
#include "same_def.h"

/* --- reading --- */

static char notes[8000];

static void keep_note(void* user, const char* text) {
  (void)user;
  size_t used = strlen(notes);
  snprintf(notes + used, sizeof notes - used, "%s\n", text);
}

static fb_status parse(const char* text, fb_model_def** def, fb_error* error) {
  fb_io_options options = fb_default_io_options();
  options.note = keep_note;
  notes[0] = '\0';
  return fb_model_def_parse(text, strlen(text), "robot.xml", &options, def, error);
}

static fb_model_def* parsed(const char* text) {
  fb_model_def* def = NULL;
  fb_error error;
  char line[1500];
  if (parse(text, &def, &error)) fail_msg("%s\n%s", fb_error_format(&error, line, sizeof line), text);
  return def;
}

/* A file around what is in the world. */
#define WORLD(inner) "<mujoco><compiler angle=\"radian\"/><worldbody>" inner "</worldbody></mujoco>"
#define BODY(name, inner) "<body name=\"" name "\">" inner "</body>"
#define MASS "<inertial pos=\"0 0 0\" mass=\"1\" diaginertia=\"1 1 1\"/>"

static const fb_body_def* body_of(const fb_model_def* def, const char* name) {
  for (int b = 1; b < fb_model_def_nbody(def); b++)
    if (strcmp(fb_model_def_body(def, b)->name, name) == 0) return fb_model_def_body(def, b);
  fail_msg("there is no body '%s'", name);
  return NULL;
}

static void frames_and_copies_place_what_is_in_them(void** state) {
  (void)state;
  fb_model_def* def = parsed(
      "<mujoco><compiler angle=\"degree\"/><worldbody>"
      "<frame pos=\"1 0 0\" euler=\"0 0 90\"><frame pos=\"0 2 0\">"
      "<body name=\"a\" pos=\"1 0 0\"><joint name=\"j\" axis=\"1 0 0\"/>" MASS
      "<frame pos=\"0 0 1\" euler=\"0 0 90\"><site name=\"s\" pos=\"1 0 0\"/>"
      "<geom type=\"sphere\" size=\"1\" pos=\"3 0 0\"/></frame></body></frame></frame>"
      "<replicate count=\"3\" offset=\"0 0 1\" euler=\"0 0 90\" sep=\"-\"><body name=\"b\" pos=\"1 0 0\">"
      "<joint name=\"k\" axis=\"0 0 1\"/>" MASS "</body></replicate></worldbody></mujoco>");
  const fb_body_def* a = body_of(def, "a");
  double at_a[3] = {-1, 1, 0}, at_2[3] = {-1, 0, 2}, site[3] = {0, 1, 1}, geom[3] = {0, 3, 1};
  assert_near_of(1, "a number", a->joint.at, at_a, 3, 1e-15);
  assert_near_of(1, "a number", fb_model_def_frame(def, 1, 0)->at, site, 3, 1e-15);
  assert_near_of(1, "a number", fb_model_def_shape(def, 1, 0)->at, geom, 3, 1e-15);
  assert_near_of(1, "a number", body_of(def, "b-2")->joint.at, at_2, 3, 1e-15); /* turned by 180 degrees */
  assert_string_equal(body_of(def, "b-1")->joint.name, "k-1");
  assert_int_equal(fb_model_def_nbody(def), 5);
  fb_model_def_free(def);
}

static void several_joints_of_a_body_are_a_chain_of_massless_bodies(void** state) {
  (void)state;
  fb_model_def* def = parsed(WORLD(BODY("arm",
                                        "<joint name=\"u\" axis=\"1 0 0\" pos=\"0 0 2\"/>"
                                        "<joint name=\"w\" axis=\"0 1 0\" ref=\"0.5\"/>" MASS)));
  assert_int_equal(fb_model_def_nbody(def), 3);
  const fb_body_def *between = fb_model_def_body(def, 1), *arm = fb_model_def_body(def, 2);
  double up[3] = {0, 0, 2}, down[3] = {0, 0, -2}, R[9];
  assert_string_equal(between->name, "arm_u");
  assert_true(between->mass == 0);
  assert_near_of(1, "a number", between->joint.at, up, 3, 0);
  assert_near_of(1, "a number", between->joint.child_at, down, 3, 0);
  assert_string_equal(arm->parent, "arm_u");
  fb_rot_y(-0.5, R); /* so that the file's pose is at q = ref */
  assert_near_of(1, "a number", arm->joint.R, R, 9, 1e-15);
  fb_model_def_free(def);
}

static void free_joints_have_the_qpos_of_mujoco(void** state) {
  (void)state;
  fb_model_def* def = parsed("<mujoco><worldbody><body name=\"b\" pos=\"1 2 3\"><freejoint/>" MASS
                             "</body></worldbody></mujoco>");
  const fb_body_def* b = body_of(def, "b");
  double zero[3] = {0, 0, 0}, g[3], down[3] = {0, 0, -9.81};
  assert_int_equal(b->joint.type, FB_JOINT_FREE);
  assert_near_of(1, "a number", b->joint.at, zero, 3, 0);
  fb_model_def_gravity(def, g);
  assert_near_of(1, "a number", g, down, 3, 0);
  assert_non_null(strstr(notes, "its q is MuJoCo's qpos"));
  fb_model_def_free(def);
}

static void rotors_of_a_free_joint_are_those_of_slides_and_a_ball(void** state) {
  (void)state;
  fb_model_def* def = parsed("<mujoco><default><joint armature=\"0.5\"/></default><worldbody>" BODY(
      "b", "<joint name=\"j\" type=\"free\"/>" MASS) "</worldbody></mujoco>");
  assert_int_equal(fb_model_def_nbody(def), 5);
  const fb_joint_def* ball = &body_of(def, "b")->joint;
  assert_int_equal(ball->type, FB_JOINT_SPHERICAL);
  for (int i = 0; i < 3; i++) assert_true(ball->armature[i] == 0.5);
  fb_model_def_free(def);
}

static void equalities_are_loops(void** state) {
  (void)state;
  fb_model_def* def = parsed(
      "<mujoco><compiler angle=\"radian\"/><worldbody>" BODY(
          "a", "<joint name=\"p\" axis=\"1 0 0\" ref=\"0.3\"/>" MASS "<site name=\"s1\" pos=\"1 0 0\"/>")
          BODY("b", "<joint name=\"q\" axis=\"1 0 0\"/>" MASS "<site name=\"s2\"/>") "</worldbody><equality>"
      "<joint name=\"g\" joint1=\"p\" joint2=\"q\" polycoef=\"0.1 2 0 0 0\"/>"
      "<connect body1=\"a\" body2=\"b\" anchor=\"0 1 0\"/><weld body1=\"a\" relpose=\"0 0 1 1 0 0 0\"/>"
      "<connect site1=\"s1\" site2=\"s2\"/>"
      "<joint joint1=\"p\" polycoef=\"0 0 1\"/><tendon tendon1=\"t\"/></equality></mujoco>");
  assert_int_equal(fb_model_def_nloop(def), 4);
  const fb_loop_def *gear = fb_model_def_loop(def, 0), *point = fb_model_def_loop(def, 1),
                    *weld = fb_model_def_loop(def, 2), *sites = fb_model_def_loop(def, 3);
  assert_true(gear->type == FB_LOOP_GEAR && gear->ratios[0] == 2 && fabs(gear->offset - 0.4) < 1e-15);
  assert_true(point->type == FB_LOOP_POINT && weld->type == FB_LOOP_WELD);
  assert_string_equal(weld->b, "world");
  assert_true(strcmp(sites->a, "s1") == 0 && strcmp(sites->b, "s2") == 0);
  assert_non_null(strstr(notes, "lost: line 1: an equality that holds a joint"));
  assert_non_null(strstr(notes, "<tendon> in <equality>"));
  fb_model* model = NULL;
  fb_error error;
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
  fb_model_free(model);
  fb_model_def_free(def);
}

/* --- notes --- */

typedef struct note_case {
  const char *text, *note;
} note_case;

static void what_is_left_out_is_noted(void** state) {
  (void)state;
  static const note_case cases[] = {
      {WORLD("<camera/><light/><light/>" BODY("a", MASS)), "minor: line 1: <light> is not read (2 times)"},
      {WORLD(BODY("a", MASS)) /* no section */, ""},
      {"<mujoco><worldbody>" BODY("a", MASS) "</worldbody><actuator><motor/></actuator></mujoco>",
       "line 1: <actuator> is left to a scenario, as freebody convert --to scenario writes it"},
      {"<mujoco><worldbody>" BODY("a", MASS) "</worldbody><keyframe><key/></keyframe></mujoco>",
       "line 1: <keyframe> is left to a scenario"},
      {"<mujoco><worldbody>" BODY("a", MASS) "</worldbody><actuater/></mujoco>",
       "<actuater> is not read; did you mean 'actuator'?"},
      {WORLD("<body name=\"a\" gravcomp=\"1\">" MASS "</body>"),
       "line 1: gravcomp of <body> is left to a scenario"},
      {WORLD("<body name=\"a\" position=\"1 0 0\">" MASS "</body>"), "<body> has no attribute 'position'"},
      {WORLD(BODY("a", "<jiont/>" MASS)), "<jiont> is not read; did you mean 'joint'?"},
      {WORLD(BODY("a", "<joint type=\"ball\" range=\"0 1\" stiffness=\"1\"/>" MASS)),
       "lost: line 1: the limit of a ball"},
      {WORLD(BODY("a", "<joint type=\"ball\" stiffness=\"1\"/>" MASS)),
       "lost: line 1: the spring of a ball joint"},
      {WORLD(BODY("a", "<joint range=\"1 -1\"/>" MASS)), "whose low end is not below the high one"},
      {WORLD(BODY("a", "<attach model=\"m\"/>" MASS)), "lost: line 1: <attach> is not read"},
      {WORLD(BODY("a", "<geom type=\"plane\" size=\"1 1 1\"/>" MASS)), "lost: line 1: a geom of type plane"},
      {WORLD(BODY("a", "<inertial pos=\"0 0 0\" mass=\"1\"/>")), "the mass of a point"},
      {WORLD(BODY("a", "<freejoint align=\"true\"/>" MASS)), "line 1: align of a free joint is not read"},
      {"<mujoco><compiler alignfree=\"true\"/><worldbody>" BODY("a",
                                                                "<freejoint/>" MASS) "</worldbody></mujoco>",
       "line 1: align of a free joint is not read"},
      {WORLD(BODY("a", "<joint margin=\"0.1\" range=\"0 1\"/>" MASS)), "lost: line 1: margin of <joint>"},
      {WORLD(BODY("a", "<joint actuatorgravcomp=\"true\"/>" MASS)),
       "lost: line 1: actuatorgravcomp of <joint>"},
      {WORLD(BODY("a", "<geom size=\"1\" friction=\"1 0 0\"/>")),
       "line 1: friction of <geom> is for contacts"},
      {WORLD(BODY("a", "<geom size=\"1\" condim=\"4\"/>")), "line 1: condim of <geom> is for contacts"},
      {WORLD(BODY("a", "<geom size=\"1\" margin=\"1\"/>")), "line 1: margin of <geom> is for contacts"},
      {"<mujoco><default><geom condim=\"4\"/></default>"
       "<worldbody>" BODY("a", MASS) "</worldbody></mujoco>",
       "line 1: condim of <geom> is for contacts"},
      {"<mujoco><worldbody>" BODY("a", MASS) "</worldbody><sensor><gyro site=\"s\"/></sensor></mujoco>",
       "lost: line 1: <sensor>"},
      {"<mujoco><option timestep=\"0.001\"/><worldbody>" BODY("a", MASS) "</worldbody></mujoco>",
       "minor: line 1: timestep of <option> is not read"},
      {WORLD(BODY("a", MASS "<site name=\"b\"/>" BODY("b", MASS))),
       "the name 'b' of a <site> is taken; it becomes 'b_site'"},
      {WORLD("<body name=\"a\" mocap=\"true\">" MASS "</body>"), "lost: line 1: mocap"},
      {WORLD(BODY("a", MASS "<site name=\"a\"/>")), "the name 'a' of a <site> is taken; it becomes 'a_site'"},
      {"<mujoco><option density=\"1.2\"/><worldbody>" BODY("a", MASS) "</worldbody></mujoco>",
       "lost: line 1: the forces of the medium"},
      {"<mujoco><asset><mesh name=\"m\" file=\"gone.stl\"/></asset><worldbody>" BODY(
           "a", "<freejoint/><geom type=\"mesh\" mesh=\"m\"/>" MASS) "</worldbody></mujoco>",
       ""},
      {"<mujoco><asset><mesh name=\"m\" file=\"gone.stl\"/></asset><worldbody>" BODY(
           "a", "<geom type=\"mesh\" mesh=\"m\"/>") "</worldbody></mujoco>",
       "lost: line 1: the mass of geoms whose mesh cannot be read"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_model_def* def = parsed(cases[i].text);
    if (!strstr(notes, cases[i].note))
      fail_msg("'%s' is not in the notes of %s:\n%s", cases[i].note, cases[i].text, notes);
    fb_model_def_free(def);
  }
}

/* --- errors --- */

typedef struct error_case {
  const char* text;
  int line;
  const char* message;
} error_case;

static void mistakes_are_refused_with_their_line(void** state) {
  (void)state;
  static const error_case cases[] = {
      {"<mujoco>\n<worldbody>", 2, "not well-formed XML"},
      {"<mujoco>\n<worldbody/></mujoco>", 1, "there is no <body>"},
      {"<!DOCTYPE m [<!ENTITY a \"aa\">]>\n<mujoco>&a;</mujoco>", 1,
       "a document type (<!DOCTYPE ...>) is refused"},
      {"<mujoco>\n" WORLD("") "</mujoco>", 1, "there is no <body>"},
      {"<mujoco>\n<include file=\"nowhere.xml\"/></mujoco>", 2, "the file cannot be included"},
      {"<mujoco>\n<include/></mujoco>", 2, "needs the attribute file"},
      {"<mujoco>\n<include file=\"-\"/></mujoco>", 2, "needs the name of a file"},
      {"<mujoco>\n<compiler coordinate=\"global\"/></mujoco>", 2, "global"},
      {"<mujoco>\n<compiler angle=\"grad\"/></mujoco>", 2, "it is radian or degree"},
      {"<mujoco>\n<compiler eulerseq=\"xyw\"/></mujoco>", 2, "three letters"},
      {"<mujoco>\n<compiler boundmass=\"heavy\"/></mujoco>", 2, "'heavy', which is not a number"},
      {"<mujoco>\n<default><default><joint/></default></default></mujoco>", 2, "needs class"},
      {"<mujoco>\n<worldbody><body childclass=\"x\"/></worldbody></mujoco>", 2, "no default class 'x'"},
      {"<mujoco><worldbody>\n<body name=\"a\" pos=\"1 2\">" MASS "</body></worldbody></mujoco>", 2,
       "needs 3 numbers"},
      {"<mujoco><worldbody>\n<body name=\"a\" quat=\"0 0 0 0\">" MASS "</body></worldbody></mujoco>", 2,
       "is no rotation"},
      {"<mujoco><worldbody>\n<body name=\"a\" pos=\"1 nan 2\">" MASS "</body></worldbody></mujoco>", 2,
       "not a number"},
      {"<mujoco><worldbody>\n<body name=\"a\">" MASS "</body><body name=\"a\">" MASS
       "</body></worldbody></mujoco>",
       2, "two bodies named 'a'"},
      {"<mujoco><worldbody>\n<body name=\"world\">" MASS "</body></worldbody></mujoco>", 2,
       "the name of the world"},
      {"<mujoco><worldbody><body name=\"a\">\n<joint axis=\"0 0 0\"/>" MASS "</body></worldbody></mujoco>", 2,
       "axis of the joint is zero"},
      {"<mujoco><worldbody><body name=\"a\">\n<joint type=\"screw\"/>" MASS "</body></worldbody></mujoco>", 2,
       "it is free, ball, slide or hinge"},
      {"<mujoco><worldbody><body name=\"a\">\n<joint name=\"j\"/><joint name=\"j\"/>" MASS
       "</body></worldbody></mujoco>",
       2, "two joints named 'j'"},
      {"<mujoco><worldbody><body name=\"a\">" MASS "<body name=\"b\">\n<freejoint/>" MASS
       "</body></body></worldbody></mujoco>",
       2, "a free joint is for bodies in <worldbody>"},
      {"<mujoco><worldbody><body name=\"a\">\n<freejoint/><joint/>" MASS "</body></worldbody></mujoco>", 2,
       "has no other joint"},
      {"<mujoco><worldbody><body name=\"a\">\n<inertial pos=\"0 0 0\"/></body></worldbody></mujoco>", 2,
       "has no mass"},
      {"<mujoco><worldbody><body name=\"a\">\n<geom type=\"box\" size=\"1\"/></body></worldbody></mujoco>", 2,
       "a box needs 3 positive numbers"},
      {"<mujoco><worldbody><body name=\"a\">\n<geom type=\"sphere\" "
       "size=\"-1\"/></body></worldbody></mujoco>",
       2, "positive"},
      {"<mujoco><worldbody><body name=\"a\">\n<geom type=\"mesh\" mesh=\"m\"/></body></worldbody></mujoco>",
       2, "there is no mesh 'm'"},
      {"<mujoco><worldbody><body name=\"a\">\n<geom size=\"1\" mass=\"-1\"/></body></worldbody></mujoco>", 2,
       "negative"},
      {"<mujoco><worldbody>\n<replicate count=\"1e9\"><body/></replicate></worldbody></mujoco>", 2,
       "from 0 to 10000"},
      {"<mujoco><worldbody><replicate count=\"9999\"><replicate "
       "count=\"9999\">\n<body/></replicate></replicate>"
       "</worldbody></mujoco>",
       0, "<replicate> makes more than 100000 elements"},
      {"<mujoco><worldbody>" BODY(
           "a", MASS) "</worldbody><equality>\n<connect body1=\"z\" anchor=\"0 0 0\"/></equality></mujoco>",
       2, "there is no such body"},
      {"<mujoco><worldbody>" BODY("a",
                                  MASS) "</worldbody><equality>\n<joint joint1=\"z\"/></equality></mujoco>",
       2, "'z' is no joint"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_model_def* def = NULL;
    fb_error error = {0};
    fb_status status = parse(cases[i].text, &def, &error);
    if (!status) fail_msg("not refused: %s", cases[i].text);
    assert_null(def);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
    if (cases[i].line) assert_int_equal(error.place.line, cases[i].line);
  }
}

static void bodies_may_nest_ten_thousand_deep(void** state) {
  (void)state;
  enum { DEPTH = 10000 };
  fb_text text = {0};
  fb_text_add(&text, "<mujoco><worldbody>");
  for (int i = 0; i < DEPTH; i++)
    fb_text_printf(&text, "<body name=\"b%d\" pos=\"0 0 1\"><joint axis=\"1 0 0\"/>" MASS, i);
  for (int i = 0; i < DEPTH; i++) fb_text_add(&text, "</body>");
  fb_text_add(&text, "</worldbody></mujoco>");
  char *whole = fb_text_take(&text, NULL), *out = NULL;
  size_t size;
  fb_model_def* def = parsed(whole);
  assert_int_equal(fb_model_def_nbody(def), DEPTH + 1);
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_MJCF;
  assert_int_equal(fb_model_def_print(def, &options, &out, &size, NULL), FB_OK);
  fb_free(out);
  free(whole);
  fb_model_def_free(def);
}

/* --- writing --- */

static void a_model_comes_back_from_mjcf_as_it_was(void** state) {
  (void)state;
  static const char yaml[] =
      "freebody: 1\nname: all\nbodies:\n"
      "  - {name: base, joint: {type: free}, mass: 5, inertia: [1, 2, 2.5, 0.1, 0, 0.2],\n"
      "     frames: [{name: tip, at: [1, 2, 3], rpy: [0.1, 0.2, 0.3]}],\n"
      "     shapes: [{kind: box, size: [1, 2, 3], color: \"#102030\", use: visual}, {kind: capsule, radius: "
      "1, length: 2, use: contact}]}\n"
      "  - {name: a, parent: base, joint: {name: u, type: universal, axis: [1, 0, 0], axis2: [0, 1, 1], at: "
      "[1, 0, 0],\n"
      "     stiffness: [3, 4], rest: [0.1, 0.2], damping: [1, 2], armature: [0.1, 0.2], limits: [[-1, 1], "
      "[null, 2]]},\n"
      "     mass: 1, com: [0.1, 0, 0], inertia: [1, 1, 1, 0, 0, 0]}\n"
      "  - {name: b, parent: a, joint: {name: c, type: cylindrical, axis: [0, 0, 1], rpy: [0.3, 0, 0]}, "
      "mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
      "  - {name: p, parent: b, joint: {type: planar, at: [0, 1, 0]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
      "  - {name: h, parent: p, joint: {name: screw, type: helical, axis: [0, 1, 0], pitch: -0.2, damping: "
      "3}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
      "  - {name: s, parent: h, joint: {type: spherical, damping: [1, 2, 3]}, mass: 1, inertia: [1, 1, 1, 0, "
      "0, 0]}\n"
      "  - {name: f, parent: s, joint: {type: free, at: [0, 0, 2]}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
      "  - {name: r, parent: f, joint: {type: revolute, axis: [0, 0, 1], friction: 0.2, child: {at: [1, 2, "
      "3], rpy: [0.1, 0.2, 0]}},\n"
      "     mass: 0.5, inertia: [0.1, 0.1, 0.1, 0, 0, 0]}\n";
  fb_model_def *def = parsed(yaml), *back = NULL;
  char* text = NULL;
  size_t size;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_MJCF;
  if (fb_model_def_print(def, &options, &text, &size, &error)) fail_msg("%s", error.text);
  options.format = FB_FORMAT_AUTO;
  if (fb_model_def_parse(text, size, "back.xml", &options, &back, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_def_nbody(back), fb_model_def_nbody(def));
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    const fb_joint_def *x = &fb_model_def_body(def, b)->joint, *y = &fb_model_def_body(back, b)->joint;
    assert_int_equal(x->type, y->type);
    assert_near_of(1, "a number", x->damping, y->damping, 6, 1e-15);
    assert_near_of(1, "a number", x->stiffness, y->stiffness, 6, 1e-15);
    assert_near_of(1, "a number", x->armature, y->armature, 6, 1e-15);
    assert_near_of(1, "a number", &x->pitch, &y->pitch, 1, 1e-15);
    assert_near_of(1, "a number", fb_model_def_body(def, b)->inertia, fb_model_def_body(back, b)->inertia, 6,
                   1e-12);
  }
  assert_string_equal(body_of(back, "a")->joint.name, "u");
  assert_true(body_of(back, "a")->joint.upper[1] == 2 && body_of(back, "a")->joint.lower[1] == -INFINITY);
  assert_int_equal(fb_model_def_shape(back, 1, 0)->use, FB_SHAPE_USE_VISUAL);
  assert_int_equal(fb_model_def_shape(back, 1, 1)->use, FB_SHAPE_USE_CONTACT);
  fb_free(text);
  fb_model_def_free(def);
  fb_model_def_free(back);
}

static void commands_take_mjcf_wherever_they_take_models(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"\"$FB\" info " FB_TEST_DATA "/mjcf/balanced.xml", 0, "(MJCF)", NULL},
      {"\"$FB\" check " FB_TEST_DATA "/mjcf/features.xml", 0, "features.xml", NULL},
      {"\"$FB\" convert --to yaml " FB_TEST_DATA "/mjcf/scaled.xml -", 0, "freebody: 1", "gravity"},
      {"\"$FB\" convert --to mjcf " FB_TEST_DATA "/models/inspector.yaml -", 0, "<mujoco", NULL},
      {"printf 'scenario: 1\\nmodel: " FB_TEST_DATA
       "/mjcf/balanced.xml\\nduration: 0.1 s\\n' > s.yaml && \"$FB\" run s.yaml -o out",
       0, NULL, NULL},
      {"printf '<mujoco>\\n<worldbody>' > bad.xml; \"$FB\" check bad.xml", 2, "", "bad.xml:2"},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* The copy in the run's folder has in it what the file includes, and masses that come from meshes. */
/* The copy of a model in a run's folder has the sizes of geoms that were fitted to a mesh; a mesh may be beside the file that
 * includes it. */
static void a_fitted_geom_touches_when_its_mesh_is_gone(void** state) {
  (void)state;
  spill(
      "fit.sh",
      "mkdir -p fit/part && cat > fit/fit.xml <<'E'\n"
      "<mujoco><include file=\"part/asset.xml\"/><worldbody><body name=\"a\"><freejoint/>"
      "<geom type=\"box\" mesh=\"m\" pos=\"0 0 0.2\" euler=\"10 20 30\"/></body></worldbody></mujoco>\nE\n"
      "cat > fit/part/asset.xml <<'E'\n<mujoco><asset><mesh name=\"m\" file=\"m.obj\"/></asset></mujoco>\nE\n"
      "cat > fit/part/m.obj <<'E'\nv 0 0 0\nv 3 0 0\nv 0 2 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 "
      "4\nE\n"
      "cat > fit/s.yaml <<'E'\nscenario: 1\nmodel: fit.xml\nduration: 0.05 s\nsurfaces: [{name: floor, kind: "
      "plane, "
      "at: [0, 0, -2]}]\ncontacts: [{name: c, a: a, b: floor}]\nE\n");
  static const shell_case cases[] = {
      {"sh fit.sh && \"$FB\" run fit/s.yaml -o fit1 && cp -r fit1 fit2 && \"$FB\" run --resume fit1 "
       "--duration 0.1 && rm -r "
       "fit && \"$FB\" run --resume fit2 --duration 0.1 && \"$FB\" export fit1 -o fit1.csv && \"$FB\" export "
       "fit2 -o "
       "fit2.csv && cmp fit1.csv fit2.csv && grep -q contact.c.gap fit1.csv",
       0, NULL, NULL},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

static void a_run_goes_on_without_the_files_that_its_model_needed(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"mkdir -p here && cp -r " FB_TEST_DATA "/mjcf/* here && sed -i '/<equality>/,/<.equality>/d' "
       "here/features.xml && printf 'scenario: 1\\nmodel: "
       "features.xml\\nduration: 0.05 s\\nintegrator: {method: rk4, step: 1 ms}\\n' > here/s.yaml && cd here "
       "&& \"$FB\" "
       "run s.yaml -o ../one && cp -r ../one ../two && \"$FB\" run --resume ../one --duration 0.1",
       0, NULL, NULL},
      {"rm -r here && \"$FB\" run --resume two --duration 0.1", 0, NULL, NULL},
      {"\"$FB\" export one -o one.csv && \"$FB\" export two -o two.csv && cmp one.csv two.csv", 0, NULL,
       NULL},
      {"\"$FB\" run " FB_TEST_DATA "/models/two_arms.def --duration 0.1 -o def", 0, NULL, NULL},
  };
  check_cases(cases, sizeof cases / sizeof *cases);
}

/* Of a stem with just as many names as are tried one by one, the next one was looked for without end. */
static void many_equalities_without_names_are_read(void** unused) {
  (void)unused;
  enum { BODIES = 70 };
  char* text = malloc((size_t)BODIES * 200 + 200);
  size_t n = (size_t)sprintf(text, "<mujoco><worldbody>");
  fb_error error;
  fb_model_def* def = NULL;
  for (int i = 0; i < BODIES; i++)
    n += (size_t)sprintf(text + n, "<body name='b%d'><freejoint/><geom size='0.1'/></body>", i);
  n += (size_t)sprintf(text + n, "</worldbody><equality>");
  for (int i = 1; i < BODIES; i++)
    n += (size_t)sprintf(text + n, "<weld body1='b%d' body2='b%d'/>", i - 1, i);
  n += (size_t)sprintf(text + n, "</equality></mujoco>");
  if (fb_model_def_parse(text, n, "many.xml", NULL, &def, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_def_nloop(def), BODIES - 1);
  fb_model_def_free(def);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(frames_and_copies_place_what_is_in_them),
      cmocka_unit_test(several_joints_of_a_body_are_a_chain_of_massless_bodies),
      cmocka_unit_test(free_joints_have_the_qpos_of_mujoco),
      cmocka_unit_test(rotors_of_a_free_joint_are_those_of_slides_and_a_ball),
      cmocka_unit_test(equalities_are_loops),
      cmocka_unit_test(what_is_left_out_is_noted),
      cmocka_unit_test(mistakes_are_refused_with_their_line),
      cmocka_unit_test(bodies_may_nest_ten_thousand_deep),
      cmocka_unit_test(a_model_comes_back_from_mjcf_as_it_was),
      cmocka_unit_test(commands_take_mjcf_wherever_they_take_models),
      cmocka_unit_test(a_fitted_geom_touches_when_its_mesh_is_gone),
      cmocka_unit_test(a_run_goes_on_without_the_files_that_its_model_needed),
      cmocka_unit_test(many_equalities_without_names_are_read),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
