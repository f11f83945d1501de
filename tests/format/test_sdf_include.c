/* test_sdf_include.c -- <include> of SDF: found as meshes are, with a name, pose and version of its own; and runs that go on without the
 * files that were included. */
#include "run_command.h"

#include <sys/stat.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/io.h>
#include <freebody/kinematics.h>

#include "near.h"

#define MASS "<inertial><mass>2</mass><inertia><ixx>1</ixx><iyy>1</iyy><izz>1</izz></inertia></inertial>"
#define ARM(version)                                                                                         \
  "<?xml version='1.0'?>\n<sdf version='" version                                                            \
  "'><model name='arm'><pose>0 0 9 0 0 0</pose><link name='a'>" MASS                                         \
  "</link>\n<link name='b'><pose>0 0 1 0 0 1.5707963267948966</pose>" MASS                                   \
  "<visual name='v'><geometry><mesh><uri>meshes/b.stl</uri></mesh></geometry></visual></link>\n"             \
  "<joint name='j' type='prismatic'><parent>a</parent><child>b</child><axis><xyz>1 0 0</xyz></axis></joint>" \
  "</model></sdf>"
#define INCLUDE(inner) "<include>" inner "</include>"
#define MERGE(uri) "<include merge='true'><uri>" uri "</uri><pose>0 0 2 0 0 0</pose></include>"
/* A link on another, a tenth above it, that slides upwards. */
#define SLIDER(name, parent)                                                                  \
  "<link name='" name "'><pose relative_to='" parent "'>0 0 0.1 0 0 0</pose>" MASS            \
  "</link><joint name='to_" name "' type='prismatic'><parent>" parent "</parent><child>" name \
  "</child><axis><xyz>0 0 1</xyz></axis></joint>"
#define URI "<uri> model://arm </uri>"

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  mkdir("far", 0777);
  mkdir("far/arm", 0777);
  mkdir("far/arm/meshes", 0777);
  spill("far/arm/model.config",
        "<model><name>Arm</name><sdf version='1.4'>old.sdf</sdf><sdf version='1.10'> new.sdf\n</sdf>"
        "<sdf version='1.9'>none.sdf</sdf></model>");
  spill("far/arm/old.sdf", ARM("1.4"));
  spill("far/arm/new.sdf", ARM("1.10"));
  spill("world.sdf",
        "<sdf version='1.9'><world name='w'>\n" INCLUDE(URI "<name>left</name><pose>1 0 0 0 0 0</pose>")
            INCLUDE(URI "<name>right</name><static>true</static>")
                INCLUDE("<uri>far/arm/old.sdf</uri>") "</world></sdf>");
  spill("hand.sdf", "<sdf version='1.9'><model name='hand'><link name='palm'>" MASS "</link>\n" INCLUDE(
                        URI "<pose relative_to='palm'>0 2 0 0 0 0</pose>") "<joint name='weld' type='fixed'>"
                    "<parent>palm</parent><child>arm::a</child></joint></model></sdf>");
  spill("itself.sdf", "<sdf version='1.9'><model name='m'><link name='l'/>" INCLUDE(
                          "<uri>itself.sdf</uri>") "</model></sdf>");
  spill("placed.sdf",
        "<sdf version='1.9'><world name='w'>\n" INCLUDE(
            URI "<pose>0 5 0 0 0 0</pose><placement_frame> b\n</placement_frame>") "</world></sdf>");
  spill("unplaced.sdf", "<sdf version='1.9'><world name='w'>\n" INCLUDE(
                            URI "<placement_frame>b</placement_frame>") "</world></sdf>");
  spill("gone.sdf",
        "<sdf version='1.9'>\n<world name='w'>\n" INCLUDE("<uri>model://gone</uri>") "</world></sdf>");
  spill("merged.sdf",
        "<sdf version='1.9'><world name='w'>\n<include merge='true'>" URI "</include></world></sdf>");
  spill("flyer.sdf",
        "<sdf version='1.10'><model name='flyer'><pose>0 0 1 0 0 0</pose>\n" MERGE("far/base.sdf")
            SLIDER("rotor", "hull") "<frame name='front'><pose>1 0 0 0 0 0</pose></frame></model></sdf>");
  spill("far/base.sdf",
        "<sdf version='1.10'><model name='base'><pose>0 0 7 0 0 0</pose><link name='hull'><pose>0 1 0 0 0 0</pose>" MASS
        "</link>" SLIDER("tail", "hull") MERGE("tip.sdf") "<frame name='mark'><pose relative_to='__model__'>0 0 3 0 0 0"
                                                         "</pose></frame></model></sdf>");
  spill("far/tip.sdf", "<sdf version='1.9'><model name='tip'>" SLIDER("tip", "tail") "</model></sdf>");
  spill("twice.sdf", "<sdf version='1.9'><model name='m'><link name='tail'/>" MERGE("far/tip.sdf")
                         MERGE("far/tip.sdf") "</model></sdf>");
  spill("wrong.sdf", "<sdf version='1.9'><world name='w'>\n" INCLUDE("<uri>bad.sdf</uri>") "</world></sdf>");
  spill("bad.sdf", "<sdf version='1.9'><model name='m'>\n\n<link/></model></sdf>");
  return 0;
}

static fb_model* load(const char* file) {
  const char* const packages[] = {"arm=far/arm", NULL};
  fb_io_options options = fb_default_io_options();
  fb_model_def* def;
  fb_model* model = NULL;
  fb_error error;
  options.packages = packages;
  if (fb_model_def_read(file, &options, &def, &error) || fb_model_build(def, NULL, &model, &error))
    fail_msg("%s", error.text);
  fb_model_def_free(def);
  return model;
}

static void frame_at(const fb_model* m, const char* name, const double* q, double p[3]) {
  double R[9];
  fb_data* d = fb_data_new(m);
  fb_kinematics(m, d, q, NULL, NULL);
  assert_true(fb_model_find_frame(m, name) >= 0);
  fb_frame_pose(m, d, fb_model_find_frame(m, name), p, R);
  fb_data_free(d);
}

/* Axes are in the frame of the child since 1.5, and were in that of the model before. */
static void models_are_included_by_name_with_a_pose_and_a_version_of_their_own(void** state) {
  (void)state;
  fb_model* m = load("world.sdf");
  double q[32] = {0}, p[3];
  fb_neutral(m, q);
  static const char* const joints[] = {"left::j", "right::j", "arm::j"};
  for (int i = 0; i < 3; i++) q[fb_joint_q_index(m, fb_model_find_joint(m, joints[i]))] = 0.5;
  frame_at(m, "left::b", q, p);
  assert_near_of(1, "left", p, ((const double[]){1, 0.5, 1}), 3, 1e-14);
  frame_at(m, "right::b", q, p);
  assert_near_of(1, "right", p, ((const double[]){0, 0.5, 10}), 3, 1e-14);
  frame_at(m, "arm::b", q, p);
  assert_near_of(1, "old", p, ((const double[]){0.5, 0, 10}), 3, 1e-14);
  assert_int_equal(fb_model_nv(m), 6 + 1 + 1 + 6 + 1); /* the right one is static */
  const fb_model_def* def = fb_model_definition(m);
  assert_string_equal(fb_model_def_shape(def, fb_model_find_body(m, "left::b"), 0)->file,
                      "far/arm/meshes/b.stl");
  fb_model_free(m);
}

static void a_model_in_a_model_may_be_included_and_joined(void** state) {
  (void)state;
  fb_model* m = load("hand.sdf");
  double q[16] = {0}, p[3];
  fb_neutral(m, q);
  frame_at(m, "arm::b", q, p);
  assert_near_of(1, "b", p, ((const double[]){0, 2, 1}), 3, 1e-14);
  assert_int_equal(fb_model_ntree(m), 1);
  fb_model_free(m);
}

static void an_included_model_is_placed_by_a_frame_of_it(void** state) {
  (void)state;
  fb_model* m = load("placed.sdf");
  double q[16] = {0}, p[3];
  fb_neutral(m, q);
  frame_at(m, "b", q, p);
  assert_near_of(1, "b", p, ((const double[]){0, 5, 0}), 3, 1e-14);
  fb_model_free(m);
}

/* That with merge has a pose, and no name. Frames of the model around it move with its first link, as the file has them. */
static void what_is_merged_is_in_the_model_around_it(void** state) {
  (void)state;
  fb_model* m = load("flyer.sdf");
  double q[16] = {0}, p[3];
  static const struct {
    const char* name;
    double at[3];
  } frames[] = {{"hull", {0, 1, 3}},    {"tail", {0, 1, 3.1}}, {"tip", {0, 1, 3.2}},
                {"rotor", {0, 1, 3.6}}, {"front", {1, 0, 1}},  {"mark", {0, 0, 6}}};
  fb_neutral(m, q);
  q[fb_joint_q_index(m, fb_model_find_joint(m, "to_rotor"))] = 0.5;
  for (size_t i = 0; i < sizeof frames / sizeof frames[0]; i++) {
    frame_at(m, frames[i].name, q, p);
    assert_near_of(1, frames[i].name, p, frames[i].at, 3, 1e-14);
  }
  assert_int_equal(fb_model_ntree(m), 1);
  fb_model_free(m);
}

static void models_are_searched_as_meshes_are(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB info hand.sdf --package arm=far/arm", 0, "3", NULL},
      {"GAZEBO_MODEL_PATH=none:far $FB check world.sdf", 0, "6 bodies", NULL},
      {"GZ_SIM_RESOURCE_PATH=far $FB check world.sdf", 0, "6 bodies", NULL},
      {"cp -r far/arm arm && $FB check hand.sdf; e=$?; rm -r arm; exit $e", 0, "3 bodies", NULL},
      {"$FB check hand.sdf", 2, "", "'model://arm' is not found; name the folder of a model with --package"},
      {"$FB check gone.sdf", 2, "", "gone.sdf:3:1: world[w].include: <include>: 'model://gone' is not found"},
      {"$FB check itself.sdf", 2, "", "more than 16 files that include one another"},
      {"$FB check merged.sdf", 2, "", "<include> with merge=\"true\" is read in a <model> alone"},
      {"$FB check twice.sdf", 2, "", "the name 'tip' is given twice"},
      {"$FB check unplaced.sdf --package arm=far/arm", 2, "", "<placement_frame> needs <pose>"},
      {"$FB check wrong.sdf", 2, "", "bad.sdf:3:1"},
  };
  CHECK_CASES(cases);
}

static void a_run_goes_on_without_the_files_that_were_included(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"printf 'scenario: 1\\nmodel: world.sdf\\npackages: {arm: far/arm}\\nduration: 0.2\\nintegrator: "
       "{step: 5 ms}\\n"
       "forces: [{joint: \"arm::j\", tau: 1}]\\n'"
       " > s.yaml; $FB run s.yaml -o whole --export csv --quiet --set checkpoint=0.05",
       0, "", NULL},
      {"$FB run s.yaml -o half --duration 0.1 --quiet --set checkpoint=0.05", 0, "", NULL},
      {"mv far gone; $FB run --resume half --duration 0.2 --export csv --quiet", 0, "", NULL},
      {"mv gone far; cmp whole/log.csv half/log.csv", 0, "", ""},
      {"for run in 'all --duration 0.2 --export csv' 'part --duration 0.1'; do $FB run flyer.sdf --quiet "
       "--set "
       "integrator.step=5ms -o $run || exit; done",
       0, "", NULL},
      {"mv far gone; $FB run --resume part --duration 0.2 --export csv --quiet", 0, "", NULL},
      {"mv gone far; cmp all/log.csv part/log.csv", 0, "", ""},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_are_included_by_name_with_a_pose_and_a_version_of_their_own),
      cmocka_unit_test(a_model_in_a_model_may_be_included_and_joined),
      cmocka_unit_test(an_included_model_is_placed_by_a_frame_of_it),
      cmocka_unit_test(what_is_merged_is_in_the_model_around_it),
      cmocka_unit_test(models_are_searched_as_meshes_are),
      cmocka_unit_test(a_run_goes_on_without_the_files_that_were_included),
  };
  return cmocka_run_group_tests(tests, open_all, scratch_close);
}
