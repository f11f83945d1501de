/* test_many_loops.c -- thousands of loops: models are built, and loops factored, without the cube of their number. The bounds on
 * time are those of a hang, not of speed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <freebody/freebody.h>

static const double MOST_SECONDS = 60;

static double seconds_since(clock_t begun) {
  return (double)(clock() - begun) / CLOCKS_PER_SEC;
}

/* Pairs of bodies on hinges with one axis, each welded together; or, `apart` being 0, floating bodies in a chain of welds. */
static fb_model* build(int count, int apart) {
  fb_model_def* def = fb_model_def_new();
  fb_model* model = NULL;
  fb_error error;
  assert_non_null(def);
  for (int i = 0; i < (apart ? 2 * count : count + 1); i++) {
    char name[32];
    fb_body_def body = fb_default_body_def();
    snprintf(name, sizeof name, "b%d", i);
    body.name = name;
    body.mass = 1;
    for (int k = 0; k < 3; k++) body.inertia[k] = 1;
    body.joint.type = apart ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    body.joint.axis[2] = 1;
    body.joint.at[0] = apart ? i / 2 : 0;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  for (int i = 0; i < count; i++) {
    char name[32], a[32], b[32];
    fb_loop_def loop = fb_default_loop_def(FB_LOOP_WELD);
    snprintf(name, sizeof name, "l%d", i);
    snprintf(a, sizeof a, "b%d", apart ? 2 * i : i);
    snprintf(b, sizeof b, "b%d", apart ? 2 * i + 1 : i + 1);
    loop.name = name;
    loop.a = a;
    loop.b = b;
    assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  }
  if (fb_model_build(def, NULL, &model, &error)) fail_msg("%s", error.text);
  fb_model_def_free(def);
  return model;
}

static void models_with_5000_welds_are_built(void** state) {
  (void)state;
  clock_t begun = clock();
  fb_model* m = build(5000, 0);
  assert_int_equal(fb_model_nloop(m), 5000);
  assert_true(seconds_since(begun) < MOST_SECONDS);
  fb_model_free(m);
}

static void a_thousand_loops_apart_leave_a_motion_each(void** state) {
  (void)state;
  enum { COUNT = 1000 };
  clock_t begun = clock();
  fb_model* m = build(COUNT, 1);
  fb_data* d = fb_data_new(m);
  double* q = (double*)calloc((size_t)fb_model_nq(m), sizeof *q);
  assert_non_null(d);
  assert_non_null(q);
  assert_int_equal(fb_loops_mobility(m, d, q), COUNT);
  assert_true(seconds_since(begun) < MOST_SECONDS);
  free(q);
  fb_data_free(d);
  fb_model_free(m);
}

static void more_rows_than_can_be_indexed_are_refused(void** state) {
  (void)state;
  fb_model_def* def = fb_model_def_new();
  fb_model* model = NULL;
  fb_error error;
  fb_body_def body = fb_default_body_def();
  body.joint.type = FB_JOINT_FREE;
  body.mass = 1;
  for (int i = 0; i < 2; i++) {
    body.name = i ? "b" : "a";
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  for (int i = 0; i < 7000; i++) {
    char name[32];
    fb_loop_def loop = fb_default_loop_def(FB_LOOP_WELD);
    snprintf(name, sizeof name, "l%d", i);
    loop.name = name;
    loop.a = "a";
    loop.b = "b";
    assert_int_equal(fb_model_def_add_loop(def, &loop, NULL), FB_OK);
  }
  assert_int_equal(fb_model_build(def, NULL, &model, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "7000 loops with 42000 rows are too many; at most 40000"));
  fb_model_def_free(def);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(models_with_5000_welds_are_built),
      cmocka_unit_test(a_thousand_loops_apart_leave_a_motion_each),
      cmocka_unit_test(more_rows_than_can_be_indexed_are_refused),
  };
  return cmocka_run_group_tests_name("many_loops", tests, NULL, NULL);
}
