/* test_advice.c -- advice on a model, and the axes of its joints, as a program asks for them. The wordings are tested
 * through `freebody check`. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <freebody/io.h>
#include <freebody/model.h>

#include "near.h"

typedef struct heard {
  int count, line;
  char text[512];
} heard;

static void hear(void* user, fb_place place, const char* text) {
  heard* h = (heard*)user;
  h->count++;
  h->line = place.line;
  strncpy(h->text, text, sizeof h->text - 1);
}

static fb_model* build(const char* text) {
  fb_model_def* def;
  fb_model* model;
  fb_error error;
  if (fb_model_def_parse(text, strlen(text), "model", NULL, &def, &error)) fail_msg("%s", error.text);
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
  fb_model_def_free(def);
  return model;
}

#define BODY(name, parent, mass)                                                                   \
  "  - {name: " name ", parent: " parent ", joint: {type: revolute, axis: [0, 0, 2]}, mass: " mass \
  ", inertia: [" mass ", " mass ", " mass ", 0, 0, 0]}\n"

static void masses_are_compared_within_a_tree_and_not_between_trees(void** unused) {
  (void)unused;
  heard h = {0};
  fb_model* apart = build("freebody: 1\nbodies:\n" BODY("a", "world", "1e-4") BODY("b", "world", "1e4"));
  assert_int_equal(fb_model_advise(apart, hear, &h), 0);
  fb_model_free(apart);
  /* The light one and the heavy one do not stand together in the file; the first tree is in order. */
  fb_model* together = build("freebody: 1\nbodies:\n" BODY("c", "world", "1e-4") BODY("a", "world", "1e-4")
                                 BODY("d", "c", "1") BODY("b", "a", "1e4"));
  assert_int_equal(fb_model_advise(together, hear, &h), 1);
  assert_int_equal(h.count, 1);
  assert_int_equal(h.line, 4);
  if (!strstr(h.text, "'a' (0.0001 kg) and 'b' (10000 kg) of one tree differ 1.0e+08 times"))
    fail_msg("%s", h.text);
  fb_model_free(together);
}

/* Three joints in a row, the last with a mass; `first` is what the first has besides its axis. */
static int count_gimbal(const char* type, const char* first, heard* h) {
  char text[1200];
  snprintf(
      text, sizeof text,
      "freebody: 1\nbodies:\n  - {name: a, mass: 0, joint: {type: %s, axis: [1, 0, 0]%s}}\n"
      "  - {name: b, parent: a, mass: 0, joint: {type: %s, axis: [0, 1, 0]}}\n"
      "  - {name: c, parent: b, joint: {type: %s, axis: [0, 0, 1]}, mass: 2, inertia: [1, 1, 1, 0, 0, 0]}\n",
      type, first, type, type);
  fb_model* m = build(text);
  int count = fb_model_advise(m, hear, h);
  fb_model_free(m);
  return count;
}

static void massless_bodies_in_a_row_are_told_of_where_their_axes_may_align(void** unused) {
  (void)unused;
  heard h = {0};
  assert_int_equal(count_gimbal("revolute", "", &h), 1);
  assert_string_equal(h.text,
                      "bodies 'a' and 'b' are massless and joined by moving joints: the inertia matrix "
                      "turns singular where their axes align");
  assert_int_equal(count_gimbal("revolute", ", armature: 0.01", &h), 0);
  assert_int_equal(count_gimbal("prismatic", "", &h), 0);
}

static void joints_have_axes_of_unit_length(void** unused) {
  (void)unused;
  fb_model* m = build("freebody: 1\nbodies:\n" BODY(
      "a", "world",
      "1") "  - {name: b, parent: a, joint: {type: universal, axis: [3, 0, 0], axis2: [0, 4, 3]}, mass: 1,\n"
           "     inertia: [1, 1, 1, 0, 0, 0]}\n");
  double axis[3], axis2[3];
  assert_int_equal(fb_joint_axes(m, 1, axis, axis2), 1);
  assert_near("axis", axis, ((const double[]){0, 0, 1}), 3, 0);
  assert_int_equal(fb_joint_axes(m, 2, axis, axis2), 2);
  assert_near("axis", axis, ((const double[]){1, 0, 0}), 3, 0);
  assert_near("axis2", axis2, ((const double[]){0, 0.8, 0.6}), 3, 1e-15); /* a rounding or two */
  assert_int_equal(fb_joint_axes(m, FB_WORLD, axis, axis2), 0);
  assert_int_equal(fb_joint_axes(m, 3, axis, axis2), 0);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_are_compared_within_a_tree_and_not_between_trees),
      cmocka_unit_test(massless_bodies_in_a_row_are_told_of_where_their_axes_may_align),
      cmocka_unit_test(joints_have_axes_of_unit_length),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
