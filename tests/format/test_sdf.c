/* test_sdf.c -- SDF: poses relative to what they name, joints of all types, versions, and what is refused. */
#include "run_command.h"

#include <math.h>
#include <time.h>
#include <stdlib.h>

#include "sdf_text.h"

static void poses_are_relative_to_what_they_name(void** state) {
  (void)state;
  fb_model* m =
      built(SDF("<pose>0 0 10 0 0 0</pose>"
                "<frame name='side' attached_to='a'><pose>0 1 0 0 0 1.5707963267948966</pose></frame>" LINK(
                    "a", "<pose>1 0 0 0 0 0</pose>") LINK("b", "<pose relative_to='side'>1 0 0 0 0 0</pose>")
                    LINK("c", "<pose relative_to='b' degrees='true'>0 0 1 0 0 90</pose>")
                        LINK("d", "<pose rotation_format='quat_xyzw' relative_to='c'>1 0 0 0 0 0 1</pose>")));
  double p[3], b[3] = {1, 2, 10}, c[3] = {1, 2, 11}, d[3] = {0, 2, 11}, side[3] = {1, 1, 10};
  frame_at(m, "b", NULL, p);
  assert_near_of(1, "b", p, b, 3, 1e-14);
  frame_at(m, "c", NULL, p);
  assert_near_of(1, "c", p, c, 3, 1e-14);
  frame_at(m, "d", NULL, p);
  assert_near_of(1, "d", p, d, 3, 1e-14);
  frame_at(m, "side", NULL, p);
  assert_near_of(1, "side", p, side, 3, 1e-14);
  assert_int_equal(fb_model_ntree(m), 4);
  fb_model_free(m);
}

static void joints_are_frames_that_poses_can_name(void** state) {
  (void)state;
  fb_model* m = built(
      SDF(LINK("base", "") LINK("left wheel", "<pose relative_to='axle'>0 0 1 0 0 0</pose>") JOINT(
          "axle", "revolute", "base", "left wheel",
          "<pose relative_to='base'>1 2 3 0 0 0</pose>" AXIS("1 0 0")) LINK("arm", "<pose>0 0 5 0 0 0</pose>")
              JOINT("arm", "prismatic", "base", "arm",
                    "<pose>0 0 1 0 0 0</pose>" AXIS("1 0 0")) "<frame name='by_link' attached_to='arm'/>"
                                                              "<frame name='by_joint' attached_to='axle'/>"));
  double p[3], wheel[3] = {1, 2, 4}, arm[3] = {0, 0, 5}, axle[3] = {1, 2, 3},
               q[9] = {0, 0, 0, 1, 0, 0, 0, 3.141592653589793};
  double over[3] = {1, 2, 2};
  frame_at(m, "left wheel", NULL, p);
  assert_near_of(1, "wheel", p, wheel, 3, 1e-14);
  frame_at(m, "by_link", NULL, p); /* a link goes before a joint of the same name */
  assert_near_of(1, "arm", p, arm, 3, 1e-14);
  frame_at(m, "by_joint", NULL, p);
  assert_near_of(1, "axle", p, axle, 3, 1e-14);
  frame_at(m, "left wheel", q, p);
  assert_near_of(1, "turned", p, over, 3, 1e-14);
  fb_model_free(m);
}

static void joints_are_where_their_pose_in_the_child_is(void** state) {
  (void)state;
  fb_model* m =
      built(SDF(LINK("a", "") LINK("b", "<pose>0 0 1 0 0 0</pose>") JOINT("fix", "fixed", "world", "a", "")
                    JOINT("hinge", "revolute", "a", "b", "<pose>0 0 -0.5 0 0 0</pose>" AXIS("1 0 0"))));
  double q[1] = {acos(-1.0) / 2}, p[3], want[3] = {0, -0.5, 0.5};
  assert_int_equal(fb_model_nv(m), 1);
  frame_at(m, "b", q, p);
  assert_near_of(1, "b", p, want, 3, 1e-14);
  fb_model_free(m);
}

static void every_type_of_joint_has_its_like(void** state) {
  (void)state;
  static const struct {
    const char* joint;
    fb_joint_type type;
  } cases[] = {
      {JOINT("j", "revolute", "a", "b", AXIS("0 0 2")), FB_JOINT_REVOLUTE},
      {JOINT("j", "continuous", "a", "b", AXIS("0 0 1")), FB_JOINT_REVOLUTE},
      {JOINT("j", "prismatic", "a", "b", AXIS("0 0 1")), FB_JOINT_PRISMATIC},
      {JOINT("j", "fixed", "a", "b", ""), FB_JOINT_FIXED},
      {JOINT("j", "ball", "a", "b", ""), FB_JOINT_SPHERICAL},
      {JOINT("j", "universal", "a", "b", AXIS("1 0 0") "<axis2><xyz>0 1 0</xyz></axis2>"),
       FB_JOINT_UNIVERSAL},
      {JOINT("j", "revolute2", "a", "b", AXIS("1 0 0") "<axis2><xyz>0 1 0</xyz></axis2>"),
       FB_JOINT_UNIVERSAL},
      {JOINT("j", "screw", "a", "b", AXIS("1 0 0") "<screw_thread_pitch>0.5</screw_thread_pitch>"),
       FB_JOINT_HELICAL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<sdf version='1.11'><model name='m'>" LINK("a", "") LINK("b", "") "%s</model></sdf>",
             cases[i].joint);
    fb_model* m = built(text);
    assert_int_equal(fb_joint_type_of(m, 2), cases[i].type);
    if (cases[i].type == FB_JOINT_HELICAL)
      assert_true(fabs(fb_model_def_body(fb_model_definition(m), 2)->joint.pitch - 0.5 / (2 * acos(-1.0))) <
                  1e-15);
    fb_model_free(m);
  }
}

static void axes_are_in_the_frame_that_the_version_says(void** state) {
  (void)state;
  static const struct {
    const char *version, *axis;
    double want[3];
  } cases[] = {
      {"1.4", "<xyz>1 0 0</xyz>", {0, -1, 0}}, /* in the model */
      {"1.6", "<xyz>1 0 0</xyz>", {1, 0, 0}},  /* in the joint */
      {"1.6", "<xyz>1 0 0</xyz><use_parent_model_frame>true</use_parent_model_frame>", {0, -1, 0}},
      {"1.8", "<xyz expressed_in='__model__'>1 0 0</xyz>", {0, -1, 0}},
      {"1.10", "<xyz expressed_in='a'>1 0 0</xyz>", {0, -1, 0}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "<sdf version='%s'><model name='m'>" LINK("a", "")
                 LINK("b", "<pose>0 0 0 0 0 1.5707963267948966</pose>") "<joint name='j' type='revolute'><parent>a</parent>"
                 "<child>b</child><axis>%s<limit><lower>-1</lower><upper>1e16</upper></limit>"
                 "<dynamics><damping>0.5</damping></dynamics></axis></joint></model></sdf>",
             cases[i].version, cases[i].axis);
    fb_model* m = built(text);
    const fb_joint_def* j = &fb_model_def_body(fb_model_definition(m), 2)->joint;
    assert_near_of(1, cases[i].version, j->axis, cases[i].want, 3, 1e-14);
    assert_true(j->lower[0] == -1 && j->upper[0] == INFINITY && j->damping[0] == 0.5);
    fb_model_free(m);
  }
}

static void models_in_worlds_and_models_have_whole_names(void** state) {
  (void)state;
  fb_model* m = built("<sdf version='1.9'><world name='w'><gravity>0 0 -1.6</gravity>"
                      "<model name='one'><static>true</static>" LINK("a", "") "</model>"
                      "<model name='two'>" LINK("a", "") "<model name='in'><pose>1 0 0 0 0 0</pose>" LINK("a", "") "</model>"
                      JOINT("j", "fixed", "a", "in::a", "") "</model></world></sdf>");
  double g[3], moon[3] = {0, 0, -1.6}, p[3], want[3] = {1, 0, 0};
  assert_int_equal(fb_model_nv(m), 6);
  fb_model_def_gravity(fb_model_definition(m), g);
  assert_near_of(1, "gravity", g, moon, 3, 0);
  frame_at(m, "two::in::a", NULL, p);
  assert_near_of(1, "in", p, want, 3, 1e-15);
  fb_model_free(m);
}

static void a_second_joint_to_a_link_closes_a_loop(void** state) {
  (void)state;
  fb_model* m =
      built(SDF(LINK("a", "") LINK("b", "<pose>1 0 0 0 0 0</pose>") JOINT(
          "p", "revolute", "world", "a", AXIS("0 1 0")) JOINT("q", "revolute", "a", "b", AXIS("0 1 0"))
                    JOINT("r", "revolute", "world", "b", "<pose>1 0 0 0 0 0</pose>" AXIS("0 1 0"))));
  assert_int_equal(fb_model_nloop(m), 1);
  assert_int_equal(fb_loop_type_of(m, 0), FB_LOOP_REVOLUTE);
  fb_model_free(m);
}

static void limits_that_are_huge_or_infinite_are_none(void** state) {
  (void)state;
  fb_model_def* def;
  fb_error error;
  static const char* const pairs[][2] = {{"-1.79769e+308", "1.79769e+308"},
                                         {"-inf", "inf"},
                                         {"-1e16", "1e16"},
                                         {" -1e999 ", "Infinity"},
                                         {"-INF", " +inf "}};
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char text[1500];
    snprintf(text, sizeof text,
             SDF(LINK("a", "") LINK("b", "") JOINT(
                 "j", "revolute", "a", "b",
                 "<axis><xyz>0 0 1</xyz><limit><lower>%s</lower><upper>%s</upper><effort>%s</effort>"
                 "<velocity>%s</velocity></limit></axis>")),
             pairs[i][0], pairs[i][1], pairs[i][1], pairs[i][1]);
    if (parse(text, &def, &error)) fail_msg("%s: %s", pairs[i][0], error.text);
    const fb_joint_def* joint = &fb_model_def_body(def, 2)->joint;
    assert_true(joint->lower[0] == -INFINITY && joint->upper[0] == INFINITY);
    assert_true(joint->effort[0] == INFINITY && joint->speed[0] == INFINITY);
    fb_model_def_free(def);
  }
}

/* The root of 1.2 was <gazebo>; axes were in the model's frame, as in 1.4. */
static void versions_1_2_and_1_3_are_read(void** state) {
  (void)state;
  static const char* const files[] = {
      "<gazebo version='1.2'><model name='m'>" LINK("a", "")
          LINK("b", "<pose>0 0 1 0 0 1.5707963267948966</pose>")
              JOINT("j", "prismatic", "a", "b", AXIS("1 0 0")) "</model></gazebo>",
      "<sdf version='1.3'><model name='m'>" LINK("a", "")
          LINK("b", "<pose>0 0 1 0 0 1.5707963267948966</pose>")
              JOINT("j", "prismatic", "a", "b", AXIS("1 0 0")) "</model></sdf>"};
  for (int i = 0; i < 2; i++) {
    fb_model* m = built(files[i]);
    double q[8] = {0, 0, 0, 1, 0, 0, 0, 0.5}, p[3], want[3] = {0.5, 0, 1};
    frame_at(m, "b", q, p);
    assert_near_of(1, "b", p, want, 3, 1e-14);
    fb_model_free(m);
  }
}

/* The parent and the child of a joint may be frames of any kind: that of a joint moves with its child, at its own pose. */
static void a_joint_may_be_between_frames_of_joints_and_models(void** state) {
  (void)state;
  fb_model* m = built(
      SDF(LINK("a", "") LINK("b", "<pose>0 0 1 0 0 0</pose>") LINK("c", "<pose>0 0 3 0 0 0</pose>") LINK(
          "d",
          "<pose relative_to='second'>1 0 0 0 0 0</pose>") "<frame name='on' "
                                                           "attached_to='first'/>" JOINT(
                                                               "first", "prismatic", "a", "b",
                                                               "<pose>0 0 0.5 0 0 0</pose>" AXIS("1 0 0"))
                                                               JOINT("second", "prismatic", "first", "c",
                                                                     AXIS("0 1 0"))
                                                                   JOINT("third", "prismatic", "on", "d",
                                                                         "<pose "
                                                                         "relative_to='second'/>" AXIS(
                                                                             "0 0 1"))));
  double q[10] = {0, 0, 0, 1, 0, 0, 0, 0.25, 0.5, 0.125}, p[3];
  assert_int_equal(fb_model_ntree(m), 1);
  frame_at(m, "c", q, p);
  assert_near_of(1, "c", p, ((const double[]){0.25, 0.5, 3}), 3, 1e-14);
  frame_at(m, "on", q, p);
  assert_near_of(1, "on", p, ((const double[]){0.25, 0, 1.5}), 3, 1e-14);
  frame_at(m, "d", q, p);
  assert_near_of(1, "d", p, ((const double[]){1.25, 0, 3.125}), 3, 1e-14);
  fb_model_free(m);
}

static void a_link_named_world_gets_another_name(void** state) {
  (void)state;
  fb_model* m = built(SDF(LINK("world", "") LINK("a", "") JOINT("j", "fixed", "world", "a", "")));
  assert_true(fb_model_find_body(m, "world_link") > 0);
  assert_non_null(strstr(notes, "'world_link' now"));
  assert_int_equal(fb_model_nv(m), 6);
  fb_model_free(m);
}

/* Gazebo's examples have command lines in their comments. */
static void comments_may_have_dashes_in_them(void** state) {
  (void)state;
  fb_model* m = built(
      "<!-- gz --timeout 3 '<?xml ?>' --->" SDF(LINK("a", "<!-- - --><pose>0 0 <![CDATA[3]]> 0 0 0</pose>")));
  assert_int_equal(fb_model_nbody(m), 2);
  fb_model_free(m);
  fb_model_def* def;
  fb_error error;
  assert_int_equal(parse("<!-- -- --><sdf version='1.9'>\n<model><!-- ]]> -</sdf>", &def, &error),
                   FB_ERR_SYNTAX);
  assert_int_equal(parse("<!-- -- -->\n<sdf version='1.9'></model>", &def, &error), FB_ERR_SYNTAX);
  assert_int_equal(error.place.line, 2);
  assert_non_null(strstr(error.text, "mismatched tag"));
}

/* Each is attached to the one behind it, or placed by it. The square of their number would take minutes. */
static void long_chains_of_frames_are_read_in_linear_time(void** state) {
  (void)state;
  enum { COUNT = 100000 };
  char* text = (char*)malloc((size_t)COUNT * 200);
  fb_model_def* def;
  fb_error error;
  assert_non_null(text);
  size_t n = (size_t)sprintf(text, "<sdf version='1.9'><model name='m'><link name='l'/>");
  for (int i = 0; i < COUNT; i++)
    n += (size_t)sprintf(text + n,
                         i % 2 ? "<frame name='f%d' attached_to='f%d'><pose>1e-3 0 0 0 0 0</pose></frame>"
                               : "<frame name='f%d'><pose relative_to='f%d'>1e-3 0 0 0 0 0</pose></frame>",
                         i, i + 1);
  n += (size_t)sprintf(text + n, "<frame name='f%d' attached_to='l'/><static>0</static></model></sdf>",
                       (int)COUNT);
  clock_t begun = clock();
  if (fb_model_def_parse(text, n, "chain.sdf", NULL, &def, &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_model_def_nframe(def, 1), COUNT + 1);
  assert_near_of(1, "f0", &fb_model_def_frame(def, 1, 0)->at[0], ((const double[]){1e-3 * COUNT}), 1, 1e-9);
  assert_true((double)(clock() - begun) / CLOCKS_PER_SEC < 60);
  fb_model_def_free(def);
  free(text);
}

static void mistakes_are_refused_with_their_line(void** state) {
  (void)state;
  static const struct {
    const char* text;
    int line;
    const char* message;
  } cases[] = {
      {"<sdf version='1.9'>\n</sdf>", 1, "there is no <model> with a <link>"},
      {"<sdf version='1.0'><model name='m'/></sdf>", 1, "SDF 1.0 is not read"},
      {"<sdf version='x'/>", 1, "is not a number"},
      {"<sdf version='1.9'>\n<include><uri>model://no_such_model</uri></include></sdf>", 2,
       "'model://no_such_model' is not found"},
      {SDF("\n<link/>"), 2, "needs the attribute name"},
      {SDF("\n" LINK("a", "") LINK("a", "")), 2, "given twice"},
      {SDF("\n" LINK("a", "<pose>1 2 3</pose>")), 2, "<pose> needs 6 numbers"},
      {SDF("\n" LINK("a", "<pose relative_to='z'>0 0 0 0 0 0</pose>")), 2, "there is no such frame"},
      {SDF("\n" LINK("a", "<pose relative_to='b'>0 0 0 0 0 0</pose>")
               LINK("b", "<pose relative_to='a'>0 0 0 0 0 0</pose>")),
       2, "relative to itself"},
      {SDF(LINK("a", "") "\n" JOINT("j", "fixed", "a", "z", "")), 2, "there is no such link"},
      {SDF(LINK("a", "") LINK("b", "") "\n" JOINT("j", "hinge", "a", "b", "")), 2, "'hinge' is not read"},
      {SDF(LINK("a", "") LINK("b", "") "\n" JOINT("j", "revolute", "a", "b", "")), 2, "needs <axis>"},
      {SDF(LINK("a", "") LINK("b", "") "\n" JOINT("j", "revolute", "a", "b", AXIS("0 0 0"))), 2,
       "axis of the joint is zero"},
      {SDF(LINK("a", "") "\n" JOINT("j", "fixed", "a", "a", "")), 2, "between a link and itself"},
      {SDF(LINK("a", "") "\n" JOINT("j", "fixed", "a", "world", "")), 2, "swap <parent> and <child>"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_model_def* def = NULL;
    fb_error error = {0};
    if (!parse(cases[i].text, &def, &error)) fail_msg("not refused: %s", cases[i].text);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
    assert_int_equal(error.place.line, cases[i].line);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(poses_are_relative_to_what_they_name),
      cmocka_unit_test(joints_are_frames_that_poses_can_name),
      cmocka_unit_test(joints_are_where_their_pose_in_the_child_is),
      cmocka_unit_test(every_type_of_joint_has_its_like),
      cmocka_unit_test(axes_are_in_the_frame_that_the_version_says),
      cmocka_unit_test(models_in_worlds_and_models_have_whole_names),
      cmocka_unit_test(a_second_joint_to_a_link_closes_a_loop),
      cmocka_unit_test(limits_that_are_huge_or_infinite_are_none),
      cmocka_unit_test(versions_1_2_and_1_3_are_read),
      cmocka_unit_test(a_joint_may_be_between_frames_of_joints_and_models),
      cmocka_unit_test(a_link_named_world_gets_another_name),
      cmocka_unit_test(comments_may_have_dashes_in_them),
      cmocka_unit_test(long_chains_of_frames_are_read_in_linear_time),
      cmocka_unit_test(mistakes_are_refused_with_their_line),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
