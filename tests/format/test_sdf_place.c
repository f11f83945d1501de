/* test_sdf_place.c -- where SDF puts links: joints do not move them, models may be placed by a frame of theirs, and a <world> has
 * joints and frames of its own. */
#include "run_command.h"

#include <math.h>

#include "sdf_text.h"

#define QUARTER "1.5707963267948966"

/* With every link where it would be if it floated, whatever the child of its joint is called by. */
static void a_joint_moves_no_link_at_zero_coordinates(void** state) {
  (void)state;
#define A LINK("a", "<pose>1 0 0 0 0 0</pose>")
#define B LINK("b", "<pose>0 0 1 0 0 0.5</pose>")
#define NESTED "<model name='n'><pose>0 2 0 0 0 " QUARTER "</pose>" B "</model>"
#define FRAME "<frame name='f' attached_to='b'><pose>0 0 0.5 0.1 0 " QUARTER "</pose></frame>"
  static const struct {
    const char *scene, *child, *link;
    double at[3], x[3]; /* of the link, and its x axis */
  } cases[] = {
      {A B FRAME, "b", "b", {0, 0, 1}, {0.8775825618903728, 0.479425538604203, 0}},
      {A B FRAME, "f", "b", {0, 0, 1}, {0.8775825618903728, 0.479425538604203, 0}},
      {A NESTED, "n", "n::b", {0, 2, 1}, {-0.479425538604203, 0.8775825618903728, 0}},
      {A NESTED, "n::b", "n::b", {0, 2, 1}, {-0.479425538604203, 0.8775825618903728, 0}},
      {A NESTED, "n::__model__", "n::b", {0, 2, 1}, {-0.479425538604203, 0.8775825618903728, 0}},
      {A "<model name='o'><pose>0 0 3 0 0 0</pose>" NESTED "</model>",
       "o",
       "o::n::b",
       {0, 2, 4},
       {-0.479425538604203, 0.8775825618903728, 0}},
      {B A, "__model__", "b", {0, 0, 1}, {0.8775825618903728, 0.479425538604203, 0}},
  };
  static const char* const joints[] = {"type='fixed'>", "type='revolute'>" AXIS("1 0 0"),
                                       "type='ball'><pose>0.1 0 0 0 0 0</pose>"};
  for (size_t i = 0; i < 3 * sizeof cases / sizeof *cases; i++) {
    char text[3000];
    snprintf(text, sizeof text, SDF("%s<joint name='j' %s<parent>a</parent><child>%s</child></joint>"),
             cases[i / 3].scene, joints[i % 3], cases[i / 3].child);
    fb_model* m = built(text);
    double p[3], R[9], q[16] = {0};
    fb_data* d = fb_data_new(m);
    fb_neutral(m, q);
    fb_kinematics(m, d, q, NULL, NULL);
    int body = fb_model_find_frame(m, cases[i / 3].link);
    assert_int_equal(fb_model_ntree(m), 1);
    fb_frame_pose(m, d, body, p, R);
    assert_near_of(1, text, p, cases[i / 3].at, 3, 1e-14);
    assert_near_of(1, text, ((const double[]){R[0], R[3], R[6]}), cases[i / 3].x, 3, 1e-14);
    fb_data_free(d);
    fb_model_free(m);
  }
}

static void a_world_has_joints_between_its_models(void** state) {
  (void)state;
  fb_model* m = built("<sdf version='1.10'><world name='w'><model name='bus'>" LINK(
      "l", "") "</model><model name='arm'><pose>0 0 1 0 0 0</pose>" LINK("l", "")
                          JOINT("j", "fixed", "world", "l", "") "</model>" JOINT(
                              "j", "prismatic", "arm::l", "bus::l", AXIS("0 1 0")) "</world></sdf>");
  double q[1] = {0.5}, p[3];
  assert_int_equal(fb_model_nv(m), 1);
  assert_true(fb_model_find_joint(m, "j") >= 0);
  assert_true(fb_model_find_joint(m, "arm::j") >= 0);
  frame_at(m, "bus::l", q, p);
  assert_near_of(1, "bus", p, ((const double[]){0, 0.5, 0}), 3, 1e-14);
  fb_model_free(m);
}

/* Names in the definition are without that of the only model, and from the world it is there. */
static void a_world_fixes_its_only_model_to_a_frame(void** state) {
  (void)state;
  fb_model* m = built(
      "<sdf version='1.10'><world name='w'><frame name='pad'><pose>0 0 5 0 0 0</pose></frame>"
      "<model name='lander'><pose relative_to='pad'>0 0 1 0 0 0</pose>" LINK("l", "") "</model>" JOINT(
          "j", "prismatic", "pad", "lander::__model__",
          "<axis><xyz expressed_in='pad'>0 0 1</xyz></axis>") "</world></sdf>");
  double q[1] = {0.5}, p[3];
  assert_int_equal(fb_model_nv(m), 1);
  frame_at(m, "l", q, p);
  assert_near_of(1, "l", p, ((const double[]){0, 0, 6.5}), 3, 1e-14);
  assert_non_null(strstr(notes, "'pad' stands in the world"));
  fb_model_free(m);
}

static void a_model_is_placed_by_a_frame_of_it(void** state) {
  (void)state;
  fb_model* m = built("<sdf version='1.8'><model name='m' placement_frame='foot'><pose>0 0 10 0 0 " QUARTER
                      "</pose>" LINK("body", "<pose>1 0 0 0 0 0</pose>")
                          LINK("foot", "<pose relative_to='body'>0 0 -2 0 0 0</pose>") "</model></sdf>");
  double p[3];
  frame_at(m, "foot", NULL, p);
  assert_near_of(1, "foot", p, ((const double[]){0, 0, 10}), 3, 1e-14);
  frame_at(m, "body", NULL, p);
  assert_near_of(1, "body", p, ((const double[]){0, 0, 12}), 3, 1e-14);
  fb_model_free(m);
  /* One in another, by a frame in that one, which is placed itself. */
  m =
      built(SDF("<frame name='g'><pose>5 0 0 0 0 0</pose></frame><model name='n' placement_frame='o::a'>"
                "<pose relative_to='g'>0 0 1 0 0 0</pose><model name='o' placement_frame='b'>"
                "<pose>0 7 0 0 0 0</pose>" LINK("a", "")
                    LINK("b", "<pose>0 0 3 0 0 0</pose>") "</model>" LINK("c", "") "</model>"));
  frame_at(m, "n::o::a", NULL, p);
  assert_near_of(1, "a", p, ((const double[]){5, 0, 1}), 3, 1e-14);
  frame_at(m, "n::o::b", NULL, p);
  assert_near_of(1, "b", p, ((const double[]){5, 0, 4}), 3, 1e-14);
  frame_at(m, "n::c", NULL, p); /* o is at 0 7 -3 in n */
  assert_near_of(1, "c", p, ((const double[]){5, -7, 4}), 3, 1e-14);
  fb_model_free(m);
}

/* As older programs write a model that was in another. */
static void a_flattened_file_has_frames_of_the_name_of_a_models_own(void** state) {
  (void)state;
  fb_model* m = built(
      SDF("<frame name='n::__model__' attached_to='n::a'><pose>0 0 2 0 0 0</pose></frame>"
          "<frame name='f' attached_to='n::__model__'><pose>0 0 1 0 0 0</pose></frame>" LINK("n::a", "")));
  double p[3];
  frame_at(m, "f", NULL, p);
  assert_near_of(1, "f", p, ((const double[]){0, 0, 3}), 3, 1e-14);
  fb_model_free(m);
}

static void a_screw_advances_a_metre_a_turn_unless_it_says_otherwise(void** state) {
  (void)state;
  fb_model* m = built(SDF(LINK("a", "") LINK("b", "") JOINT("f", "fixed", "world", "a", "")
                              JOINT("j", "screw", "a", "b", AXIS("0 0 1"))));
  double q[1] = {2 * acos(-1.0)}, p[3];
  frame_at(m, "b", q, p);
  assert_near_of(1, "b", p, ((const double[]){0, 0, 1}), 3, 1e-14);
  fb_model_free(m);
}

static void two_axes_that_are_not_given_are_x_and_y(void** state) {
  (void)state;
  fb_model* m = built(SDF(LINK("a", "") LINK("b", "") JOINT("j", "universal", "a", "b", "")));
  const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(m), 2)->joint;
  assert_near_of(1, "axis", joint->axis, ((const double[]){1, 0, 0}), 3, 0);
  assert_near_of(1, "axis2", joint->axis2, ((const double[]){0, 1, 0}), 3, 0);
  assert_non_null(strstr(notes, "neither <axis> nor <axis2>; they are x and y"));
  fb_model_free(m);
}

static void a_shape_is_relative_to_what_its_pose_names(void** state) {
  (void)state;
  fb_model* m = built(SDF("<frame name='f'><pose>0 0 3 0 0 0</pose></frame>" LINK(
      "a",
      "<pose>0 0 1 0 0 0</pose><collision name='c'><pose relative_to='f'>0 1 0 0 0 0</pose>"
      "<geometry><sphere><radius>1</radius></sphere></geometry></collision>")));
  const fb_shape_def* shape = fb_model_def_shape(fb_model_definition(m), 1, 0);
  assert_near_of(1, "shape", shape->at, ((const double[]){0, 1, 2}), 3, 1e-14);
  fb_model_free(m);
}

static void frames_that_are_nowhere_are_refused(void** state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"<sdf version='1.8'><model name='m' placement_frame='z'>" LINK("a", "") "</model></sdf>",
       "placement_frame=\"z\": there is no such frame"},
      {"<sdf version='1.8'><model name='m' placement_frame='f'><frame name='f'><pose "
       "relative_to='g'/></frame><frame name='g'><pose relative_to='f'/></frame>" LINK("a",
                                                                                       "") "</model></sdf>",
       "placement_frame=\"f\": its pose is not relative to the model"},
      {SDF("<frame name='f' attached_to='z'/>" LINK("a", "")), "attached_to=\"z\": there is no such frame"},
      {SDF(LINK("a", "") "<model name='n'><frame name='f'/></model>" JOINT("j", "fixed", "a", "n", "")),
       "does not move with any link"},
      {SDF(LINK("a", "") LINK("b", "") JOINT("j", "fixed", "a", "b::__model__", "")),
       "no such link or frame"},
      {"<sdf version='1.8'><world name='w'><model name='m'>" LINK("a", "") "</model>" JOINT(
           "j", "fixed", "world", "a", "") "</world></sdf>",
       "no such link or frame"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    fb_model_def* def = NULL;
    fb_error error = {0};
    if (!parse(cases[i].text, &def, &error)) fail_msg("not refused: %s", cases[i].text);
    if (!strstr(error.text, cases[i].message)) fail_msg("'%s' is not in '%s'", cases[i].message, error.text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_joint_moves_no_link_at_zero_coordinates),
      cmocka_unit_test(a_world_has_joints_between_its_models),
      cmocka_unit_test(a_world_fixes_its_only_model_to_a_frame),
      cmocka_unit_test(a_model_is_placed_by_a_frame_of_it),
      cmocka_unit_test(a_flattened_file_has_frames_of_the_name_of_a_models_own),
      cmocka_unit_test(a_screw_advances_a_metre_a_turn_unless_it_says_otherwise),
      cmocka_unit_test(two_axes_that_are_not_given_are_x_and_y),
      cmocka_unit_test(a_shape_is_relative_to_what_its_pose_names),
      cmocka_unit_test(frames_that_are_nowhere_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
