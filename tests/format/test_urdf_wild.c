/* test_urdf_wild.c -- URDF as it is found in the wild: tests/data/urdf_wild has a file for each kind of defect, and beside it
 * what becomes of it: the tree with the first coordinates' limits, and every note; or why it is refused.
 *
 * FB_WRITE_WILD=1 writes those expectations anew, to be read before they are committed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

#include "near.h"
#include "same_def.h"
#include "urdf_files.h"

enum { ROOM = 1 << 14 };

static char* wild_path(const char* name, const char* end, char* path, size_t size) {
  snprintf(path, size, "%s/urdf_wild/%s%s", FB_TEST_DATA, name, end);
  return path;
}

/* The limits of joints that have any, the shapes of each body, and the loops. */
static void describe_more(const fb_model_def* def, char* text) {
  for (int id = 1; id < fb_model_def_nbody(def); id++) {
    const fb_joint_def* j = &fb_model_def_body(def, id)->joint;
    size_t used = strlen(text);
    if (fb_joint_type_nv(j->type) == 1)
      snprintf(text + used, ROOM - used, "%s: [%g, %g], effort %g, speed %g, damping %g\n", j->name,
               j->lower[0], j->upper[0], j->effort[0], j->speed[0], j->damping[0]);
    used = strlen(text);
    if (fb_model_def_nshape(def, id) > 0)
      snprintf(
          text + used, ROOM - used, "%s: %d shapes, the first %s\n", fb_model_def_body(def, id)->name,
          fb_model_def_nshape(def, id),
          fb_model_def_shape(def, id, 0)->color ? fb_model_def_shape(def, id, 0)->color : "without colour");
  }
  for (int i = 0; i < fb_model_def_nloop(def); i++) {
    const fb_loop_def* loop = fb_model_def_loop(def, i);
    size_t used = strlen(text);
    if (loop->type == FB_LOOP_GEAR)
      snprintf(text + used, ROOM - used, "loop %s: %s = %g %s + %g\n", loop->name, loop->a, loop->ratios[0],
               loop->joints[0], loop->offset);
    else
      snprintf(text + used, ROOM - used, "loop %s: %s of %s and %s\n", loop->name,
               fb_loop_type_name(loop->type), loop->a, loop->b);
  }
}

/* What becomes of a file, in words. */
static void read_wild(const char* name, char text[ROOM]) {
  char path[600], notes[NOTES], *source;
  size_t size;
  fb_error error;
  fb_model_def* def;
  fb_model* model = NULL;
  fb_io_options options = noting(notes);
  assert_int_equal(fb_file_read(wild_path(name, ".urdf", path, sizeof path), &source, &size, NULL), FB_OK);
  fb_status status = fb_model_def_parse(source, size, name, &options, &def, &error);
  if (status == FB_OK) status = fb_model_build(def, NULL, &model, &error);
  free(source);
  if (status != FB_OK) {
    snprintf(text, ROOM, "refused: line %d: %s\n", error.place.line, error.text);
  } else {
    size_t used = strlen(describe(def, text, ROOM));
    snprintf(text + used - 1, ROOM - used, "\n"); /* for the last space */
    describe_more(def, text);
    used = strlen(text);
    snprintf(text + used, ROOM - used, "%s", notes);
  }
  fb_model_free(model);
  fb_model_def_free(def);
}

static void check_wild(const char* name) {
  char path[600], *want;
  size_t size;
  char* found = (char*)malloc(ROOM);
  assert_non_null(found);
  read_wild(name, found);
  wild_path(name, ".notes", path, sizeof path);
  if (getenv("FB_WRITE_WILD")) assert_int_equal(fb_file_write(path, found, strlen(found), NULL), FB_OK);
  if (fb_file_read(path, &want, &size, NULL)) fail_msg("%s has no %s.notes", name, name);
  if (strcmp(found, want) != 0) fail_msg("%s:\n%s\nwanted:\n%s", name, found, want);
  free(want);
  free(found);
}

static void each_defect_loads_with_its_notes_or_is_refused_with_the_reason(void** state) {
  (void)state;
  char folder[600];
  int count = 0;
  DIR* dir = opendir(wild_path("", "", folder, sizeof folder));
  assert_non_null(dir);
  for (struct dirent* entry; (entry = readdir(dir)) != NULL;) {
    char* end = strstr(entry->d_name, ".urdf");
    if (!end) continue;
    *end = '\0';
    check_wild(entry->d_name);
    count++;
  }
  closedir(dir);
  assert_true(count >= 100);
}

/* --- a link with two parents --- */

/* Ground, crank, coupler and rocker: closed where all joints are at zero, and one motion is left beside those of the base. */
static void a_second_parent_of_a_link_closes_a_loop(void** state) {
  (void)state;
  char path[600];
  fb_model* model;
  double q[16] = {0};
  assert_int_equal(fb_model_load(wild_path("two_parents_fourbar", ".urdf", path, sizeof path), &model, NULL),
                   FB_OK);
  fb_data* data = fb_data_new(model);
  assert_non_null(data);
  assert_int_equal(fb_model_nloop(model), 1);
  fb_neutral(model, q);
  assert_int_equal(fb_loops_mobility(model, data, q), 6 + 1);
  q[fb_joint_q_index(model, fb_model_find_joint(model, "a"))] = 0.3;
  unsigned char held[16] = {0};
  held[fb_joint_v_index(model, fb_model_find_joint(model, "a"))] = 1;
  memset(held, 1, 6);
  assert_int_equal(fb_loops_close(model, data, held, q, NULL, NULL), FB_OK);
  /* A parallelogram: coupler and ground stay parallel. */
  double angles[2] = {q[fb_joint_q_index(model, fb_model_find_joint(model, "b"))],
                      q[fb_joint_q_index(model, fb_model_find_joint(model, "d"))]};
  assert_near("b, d", angles, ((const double[]){-0.3, 0.3}), 2, 1e-9); /* to which loops are closed */
  fb_data_free(data);
  fb_model_free(model);
}

/* --- <mimic> --- */

static void mimic_joints_are_fixed_where_they_are_at_the_zero_of_the_other(void** state) {
  (void)state;
  static const char text[] =
      "<robot name='hand'><link name='palm'/><link name='a'/><link name='b'/><link name='c'/>"
      "<joint name='ja' type='revolute'><parent link='palm'/><child link='a'/><axis xyz='0 0 1'/>"
      "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
      "<joint name='jb' type='revolute'><origin xyz='1 0 0' rpy='0 0 0.25'/><parent link='palm'/><child "
      "link='b'/>"
      "<axis xyz='0 0 2'/><limit lower='-1' upper='1' effort='1' velocity='1'/><dynamics damping='3'/>"
      "<mimic joint='ja' multiplier='4' offset='0.5'/></joint>"
      "<joint name='jc' type='prismatic'><origin xyz='1 0 0' rpy='0 0 1.5707963267948966'/><parent "
      "link='palm'/>"
      "<child link='c'/><axis xyz='1 0 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/>"
      "<mimic joint='ja' offset='-2'/></joint></robot>";
  char notes[NOTES];
  double R[9];
  fb_model_def* def;
  fb_io_options options = noting(notes);
  options.mimic = FB_MIMIC_FIXED;
  assert_int_equal(fb_urdf_read(text, strlen(text), "hand", &options, &def, NULL), FB_OK);
  const fb_joint_def *b = &fb_model_def_body(def, 3)->joint, *c = &fb_model_def_body(def, 4)->joint;
  assert_int_equal(fb_model_def_body(def, 2)->joint.type, FB_JOINT_REVOLUTE);
  assert_int_equal(b->type, FB_JOINT_FIXED);
  assert_int_equal(c->type, FB_JOINT_FIXED);
  fb_rot_from_rpy(NUMBERS(0, 0, 0.75), R);
  assert_near("b turned by its offset", b->R, R, 9, 1e-15);
  assert_near("b in its place", b->at, NUMBERS(1, 0, 0), 3, 0);
  assert_near("no damping", b->damping, NUMBERS(0), 1, 0);
  assert_near("c moved by its offset", c->at, NUMBERS(1, -2, 0), 3, 1e-15);
  assert_string_equal(
      notes,
      "lost: line 1: 2 joints have <mimic>; they are fixed at their offsets, as asked for: 'jb' (of "
      "'ja'), 'jc' (of 'ja')\n");
  fb_model_def_free(def);
}

int main(void) {
  unsetenv("ROS_PACKAGE_PATH"), unsetenv("AMENT_PREFIX_PATH"), unsetenv("GAZEBO_MODEL_PATH");
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_defect_loads_with_its_notes_or_is_refused_with_the_reason),
      cmocka_unit_test(a_second_parent_of_a_link_closes_a_loop),
      cmocka_unit_test(mimic_joints_are_fixed_where_they_are_at_the_zero_of_the_other),
  };
  return cmocka_run_group_tests_name("urdf_wild", tests, NULL, NULL);
}
