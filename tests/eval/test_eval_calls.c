/* test_eval_calls.c -- evaluation files through <freebody/eval.h>, as a program calls it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include <freebody/eval.h>

/* A ball on a hinge, with one state, or one more that is wrong. */
#define BALL                                                                                    \
  "{\"format\": \"freebody-eval\", \"model\": {\"freebody\": 1, \"bodies\": [{\"name\": \"b\"," \
  "\"joint\": {\"name\": \"hinge\", \"type\": \"revolute\", \"axis\": [0, 1, 0]}, \"mass\": 2," \
  "\"inertia\": [1, 1, 1, 0, 0, 0]}]}, \"cases\": [{\"inputs\": {\"q\": [0.5], \"v\": [3]}}"
static const char GOOD[] = BALL "]}";
static const char BAD[] = BALL ", {\"inputs\": {\"q\": [0.5, 1], \"v\": [3]}}]}";

static void a_text_is_evaluated_as_its_options_say(void** unused) {
  (void)unused;
  fb_eval_options options = fb_default_eval_options();
  fb_error error;
  char* reply;
  size_t size;
  options.only = "mass,kinetic,H";
  options.indent = 0;
  if (fb_eval_memory(GOOD, strlen(GOOD), "ball", &options, &reply, &size, &error)) fail_msg("%s", error.text);
  assert_int_equal(size, strlen(reply));
  assert_string_equal(reply,
                      "{\"format\": \"freebody-eval\", \"cases\": [{\"inputs\": {\"q\": [0.5], \"v\": [3]}, "
                      "\"outputs\": {\"H\": [[1]], \"mass\": 2, \"kinetic\": 4.5}}]}");
  free(reply);
  if (fb_eval_memory(GOOD, strlen(GOOD), "ball", NULL, &reply, NULL, &error)) fail_msg("%s", error.text);
  assert_non_null(strstr(reply, "\"bodies\""));
  assert_non_null(strstr(reply, "\"model\""));
  free(reply);
}

static void what_is_wrong_leaves_no_reply(void** unused) {
  (void)unused;
  fb_eval_options none = {.indent = 1}, unknown = fb_default_eval_options();
  unknown.only = "masss";
  const struct {
    const char* text;
    const fb_eval_options* options;
    fb_status status;
    const char* message;
  } cases[] = {{GOOD, &none, FB_ERR_ARG, "was not made by fb_default_eval_options"},
               {GOOD, &unknown, FB_ERR_NAME, "did you mean 'mass'?"},
               {BAD, NULL, FB_ERR_STATE, "`q` has 2 numbers; it needs 1"},
               {"<robot/>", NULL, FB_ERR_CONTENT, "this is XML"},
               {"freebody: 1", NULL, FB_ERR_CONTENT, "this is a model"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char *reply = (char*)1, *again = (char*)1;
    fb_error error;
    size_t size = strlen(cases[i].text);
    assert_int_equal(fb_eval_memory(cases[i].text, size, "f", cases[i].options, &reply, NULL, &error),
                     cases[i].status);
    assert_null(reply);
    if (!strstr(error.text, cases[i].message)) fail_msg("%s", error.text);
    assert_int_equal(fb_eval_memory(cases[i].text, size, "f", cases[i].options, &again, NULL, NULL),
                     cases[i].status);
  }
}

static void a_file_is_told_apart_and_checked_without_computing(void** unused) {
  (void)unused;
  static const char model[] = "{\"freebody\": 1, \"name\": \"no format\"}";
  fb_error error;
  fb_model* built;
  int found, ncase;
  assert_int_equal(fb_eval_detect(GOOD, strlen(GOOD), &found, &error), FB_OK);
  assert_true(found);
  assert_int_equal(fb_eval_detect(model, strlen(model), &found, &error), FB_OK);
  assert_false(found);
  if (fb_eval_check(GOOD, strlen(GOOD), "ball", NULL, &built, &ncase, &error)) fail_msg("%s", error.text);
  assert_int_equal(ncase, 1);
  assert_int_equal(fb_model_nv(built), 1);
  fb_model_free(built);
  assert_int_equal(fb_eval_check(BAD, strlen(BAD), "ball", NULL, &built, &ncase, &error), FB_ERR_STATE);
  assert_string_equal(error.path, "cases[1].inputs.q");
  assert_non_null(built); /* so that advice on the model can still be given */
  fb_model_free(built);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_text_is_evaluated_as_its_options_say),
      cmocka_unit_test(what_is_wrong_leaves_no_reply),
      cmocka_unit_test(a_file_is_told_apart_and_checked_without_computing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
