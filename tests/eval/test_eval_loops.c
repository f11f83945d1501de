/* test_eval_loops.c -- evaluation files of models with loops: a parallelogram of three rods against closed forms. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/eval.h>

#include "document/document.h"
#include "near.h"

/* Two cranks of 1 m and 1 kg, 1 m apart, turning about -y, and a coupler of 1 m and 1 kg, which stays level. */
#define ROD                                                                                                  \
  "\"mass\": 1, \"com\": [0.5, 0, 0], \"inertia\": [0.001, 0.08333333333333333, 0.08333333333333333, 0, 0, " \
  "0]"
#define JOINT "\"type\": \"revolute\", \"axis\": [0, -1, 0]"
static const char MODEL[] =
    "{\"format\": \"freebody-eval\", \"gravity\": [0, 0, -9.81], \"model\": {\"freebody\": 1, \"bodies\": ["
    "{\"name\": \"crank\", \"joint\": {" JOINT "}, " ROD
    "},"
    "{\"name\": \"coupler\", \"parent\": \"crank\", \"joint\": {" JOINT ", \"at\": [1, 0, 0]}, " ROD
    ", \"frames\": [{\"name\": \"pin\", \"at\": [1, 0, 0]}]},"
    "{\"name\": \"rocker\", \"joint\": {" JOINT ", \"at\": [1, 0, 0]}, " ROD
    ", \"frames\": [{\"name\": \"end\", \"at\": [1, 0, 0]}]},"
    "{\"name\": \"stub\", \"parent\": \"rocker\", \"joint\": {\"type\": \"fixed\"}, \"mass\": 0}]"
    "%s}, \"cases\": [%s]}";
static const char POINT[] =
    ", \"loops\": [{\"name\": \"close\", \"type\": \"point\", \"a\": \"end\", \"b\": \"pin\"}]";

static const double G = 9.81, ANGLE = 0.5;

static fb_status evaluate(const char* loops, const char* cases, const char* only, char** reply,
                          fb_error* error) {
  char text[4000];
  fb_eval_options options = fb_default_eval_options();
  options.indent = 0;
  options.only = only;
  snprintf(text, sizeof text, MODEL, loops, cases);
  return fb_eval_memory(text, strlen(text), "case.json", &options, reply, NULL, error);
}

/* The reply to cases that must be right. */
static fb_doc* reply_to(const char* loops, const char* cases, const char* only) {
  char* reply;
  fb_error error;
  fb_doc* doc;
  if (evaluate(loops, cases, only, &reply, &error)) fail_msg("%s", error.text);
  if (fb_doc_parse(reply, strlen(reply), "reply", &doc, &error)) fail_msg("%s", error.text);
  free(reply);
  return doc;
}

static const fb_node* outputs_of(const fb_doc* doc, int index) {
  return fb_map_get(fb_node_item(fb_map_get(fb_doc_root(doc), "cases"), index), "outputs");
}

/* Numbers of an output, or of an item of a list: "loops", 0, "force". */
static void numbers(const fb_node* outputs, const char* list, int item, const char* name, int count,
                    double* x) {
  const fb_node* node = list ? fb_node_item(fb_map_get(outputs, list), item) : outputs;
  fb_error error;
  const fb_node* found = fb_map_get(node, name);
  if (!found) fail_msg("there is no %s", name);
  fb_status status = count == 1 && fb_node_get_kind(found) != FB_NODE_LIST
                         ? fb_node_number(found, FB_Q_NONE, x, &error)
                         : fb_node_numbers(found, FB_Q_NONE, count, x, &error);
  if (status) fail_msg("%s: %s", name, error.text);
}

static const char* case_of(char text[600], const char* more) {
  snprintf(text, 600, "{\"inputs\": {\"q\": [%.17g, %.17g, %.17g], \"v\": [0, 0, 0]%s}}", ANGLE, -ANGLE,
           ANGLE, more);
  return text;
}

/* Both cranks and the coupler rise together: m (1/3 + 1 + 1/3) angle'' = T - 2 m g cos angle. */
static void forward_dynamics_obeys_the_loop(void** unused) {
  (void)unused;
  char text[600];
  double vdot[3], a = (3 - 2 * G * cos(ANGLE)) / (5.0 / 3), error;
  fb_doc* doc = reply_to(POINT, case_of(text, ", \"tau\": [3, 0, 0]"), NULL);
  numbers(outputs_of(doc, 0), NULL, 0, "forward", 3, vdot);
  assert_near("forward", vdot, (const double[]){a, -a, a}, 3, 1e-12);
  numbers(outputs_of(doc, 0), "loops", 0, "error", 1, &error);
  assert_true(error < 1e-15);
  fb_doc_free(doc);
}

static void mixed_dynamics_drives_the_other_joints_through_the_loop(void** unused) {
  (void)unused;
  char text[600];
  double x[3];
  fb_doc* doc = reply_to(
      POINT, case_of(text, ", \"tau\": [0, 0, 0], \"vdot\": [2, -2, 2], \"prescribed\": [\"crank\"]"), NULL);
  const fb_node* mixed = fb_map_get(outputs_of(doc, 0), "mixed");
  numbers(mixed, NULL, 0, "vdot", 3, x);
  assert_near("vdot", x, (const double[]){2, -2, 2}, 3, 1e-12);
  numbers(mixed, NULL, 0, "tau", 3, x);
  assert_near("tau", x, (const double[]){2 * G * cos(ANGLE) + 10.0 / 3, 0, 0}, 3, 1e-12);
  fb_doc_free(doc);
}

static void accelerations_prescribed_that_open_the_loop_have_no_answer(void** unused) {
  (void)unused;
  static const char* const PRESCRIBED[] = {"\"crank\", \"rocker\"", "\"crank\", \"coupler\", \"rocker\""};
  for (int i = 0; i < 2; i++)
    for (int conflict = 0; conflict < 2; conflict++) {
      char text[600], more[200];
      snprintf(more, sizeof more, ", \"tau\": [0, 0, 0], \"vdot\": [2, -2, %d], \"prescribed\": [%s]",
               2 - conflict, PRESCRIBED[i]);
      fb_doc* doc = reply_to(POINT, case_of(text, more), NULL);
      const fb_node* vdot = fb_map_get(fb_map_get(outputs_of(doc, 0), "mixed"), "vdot");
      assert_int_equal(fb_node_get_kind(fb_node_item(vdot, 0)) == FB_NODE_NULL, conflict);
      fb_doc_free(doc);
    }
}

/* One actuator holds all of it; with all of them the sum of squares is least where tau has no part that the loop takes over:
 * along (1, -1, 1). */
static void inverse_dynamics_uses_the_actuators_given(void** unused) {
  (void)unused;
  static const struct {
    const char* actuated;
    double part[3];
  } cases[] = {{"", {1 / 3.0, -1 / 3.0, 1 / 3.0}},
               {", \"actuated\": [\"crank\"]", {1, 0, 0}},
               {", \"actuated\": [\"rocker\"]", {0, 0, 1}},
               {", \"actuated\": [\"rocker\", \"crank\"]", {0.5, 0, 0.5}}};
  for (int i = 0; i < 4; i++) {
    char text[600], more[200];
    double tau[3], want[3];
    snprintf(more, sizeof more, ", \"vdot\": [0, 0, 0]%s", cases[i].actuated);
    fb_doc* doc = reply_to(POINT, case_of(text, more), NULL);
    numbers(outputs_of(doc, 0), NULL, 0, "inverse", 3, tau);
    for (int k = 0; k < 3; k++) want[k] = 2 * G * cos(ANGLE) * cases[i].part[k];
    assert_near("inverse", tau, want, 3, 1e-12);
    fb_doc_free(doc);
  }
}

/* Held by the crank: bearings and loop carry the weight, and no moment passes through the loop. */
static void reactions_and_the_loop_carry_the_weight(void** unused) {
  (void)unused;
  char text[600];
  double crank[3], coupler[3], rocker[3], close[3], torque[3];
  fb_doc* doc = reply_to(POINT,
                         case_of(text,
                                 ", \"vdot\": [0, 0, 0], \"actuated\": [\"crank\"], \"prescribed\": "
                                 "[\"crank\"], \"tau\": [0, 0, 0]"),
                         "reactions,loops");
  const fb_node* outputs = outputs_of(doc, 0);
  numbers(outputs, "reactions", 0, "force", 3, crank);
  numbers(outputs, "reactions", 1, "force", 3, coupler);
  numbers(outputs, "reactions", 2, "force", 3, rocker);
  numbers(outputs, "loops", 0, "force", 3, close);
  numbers(outputs, "loops", 0, "torque", 3, torque);
  for (int k = 0; k < 3; k++) crank[k] += rocker[k];
  assert_near("both bearings", crank, (const double[]){0, 0, 3 * G}, 3, 1e-12);
  for (int k = 0; k < 3; k++) coupler[k] += close[k];
  assert_near("coupler", coupler, (const double[]){0, 0, G}, 3, 1e-12);
  assert_near_of(G, "torque", torque, (const double[3]){0}, 3, 1e-15);
  /* The rocker turns freely: the moment of its weight and of the loop about its joint is zero. */
  double moment = -close[2] * cos(ANGLE) + close[0] * sin(ANGLE) - 0.5 * G * cos(ANGLE);
  assert_near_of(G, "rocker", &moment, &(double){0}, 1, 1e-12);
  fb_doc_free(doc);
}

/* Positions are taken as they are, and a distance without a length measures anew in every case. */
static void open_loops_are_reported_and_not_closed(void** unused) {
  (void)unused;
  double error[2];
  static const char cases[] = "{\"inputs\": {\"q\": [0, 0, 0.1]}}, {\"inputs\": {\"q\": [0, 0, 0.2]}}";
  fb_doc* doc = reply_to(POINT, cases, "loops.error");
  for (int i = 0; i < 2; i++) numbers(outputs_of(doc, i), "loops", 0, "error", 1, &error[i]);
  assert_near("open", error, (const double[]){0.1, 0.2}, 2, 0.1);
  fb_doc_free(doc);
  doc = reply_to(", \"loops\": [{\"name\": \"r\", \"type\": \"distance\", \"a\": \"end\", \"b\": \"crank\"}]",
                 cases, "loops.error");
  for (int i = 0; i < 2; i++) numbers(outputs_of(doc, i), "loops", 0, "error", 1, &error[i]);
  assert_true(error[0] == 0 && error[1] == 0);
  fb_doc_free(doc);
}

static void a_gear_has_an_effort(void** unused) {
  (void)unused;
  char text[600];
  double effort, force[3], vdot[3];
  fb_doc* doc = reply_to(
      ", \"loops\": [{\"name\": \"g\", \"type\": \"gear\", \"a\": \"rocker\", \"b\": \"crank\", \"ratio\": "
      "1}]",
      case_of(text, ", \"tau\": [0, 0, 0]"), NULL);
  numbers(outputs_of(doc, 0), "loops", 0, "effort", 1, &effort);
  numbers(outputs_of(doc, 0), "loops", 0, "force", 3, force);
  numbers(outputs_of(doc, 0), NULL, 0, "forward", 3, vdot);
  double want = vdot[2] / 3 + 0.5 * G * cos(ANGLE);
  assert_near("effort", &effort, &want, 1, 1e-12);
  assert_near("vdot", &vdot[0], &vdot[2], 1, 1e-12);
  assert_near("force", force, (const double[3]){0}, 3, 0);
  fb_doc_free(doc);
}

/* --- what is not possible, and wrong inputs --- */

static void motions_that_are_not_possible_have_no_forces(void** unused) {
  (void)unused;
  static const char* const cases[] = {", \"vdot\": [1, 0, 0]", ", \"vdot\": [0, 0, 0], \"actuated\": []"};
  for (int i = 0; i < 2; i++) {
    char text[600], *reply;
    fb_error error;
    assert_int_equal(evaluate(POINT, case_of(text, cases[i]), "inverse,reactions.force", &reply, &error),
                     FB_OK);
    assert_non_null(strstr(reply, "\"inverse\": [null, null, null]"));
    assert_non_null(strstr(reply, "{\"name\": \"crank\", \"force\": [null, null, null]}"));
    free(reply);
  }
}

static void wrong_actuators_are_refused_with_their_place(void** unused) {
  (void)unused;
  static const struct {
    const char *actuated, *text;
  } cases[] = {
      {"[\"crunk\"]", "the model has no joint called 'crunk' to actuate"},
      {"[\"stub\"]", "joint 'stub' is fixed: it has no coordinates to actuate; take it off the list"},
      {"\"crank\"", "`actuated` must be a list"},
      {"[3]", "text"},
  };
  for (int i = 0; i < 4; i++) {
    char text[600], more[200], *reply;
    fb_error error;
    snprintf(more, sizeof more, ", \"vdot\": [0, 0, 0], \"actuated\": %s", cases[i].actuated);
    assert_int_not_equal(evaluate(POINT, case_of(text, more), NULL, &reply, &error), FB_OK);
    if (!strstr(error.text, cases[i].text)) fail_msg("%s", error.text);
    assert_true(error.place.line == 1 && error.place.column > 1);
  }
}

static void models_without_loops_have_no_such_output(void** unused) {
  (void)unused;
  char text[600], *reply;
  fb_error error;
  assert_int_equal(evaluate("", case_of(text, ", \"tau\": [0, 0, 0]"), NULL, &reply, &error), FB_OK);
  assert_null(strstr(reply, "loops"));
  free(reply);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forward_dynamics_obeys_the_loop),
      cmocka_unit_test(mixed_dynamics_drives_the_other_joints_through_the_loop),
      cmocka_unit_test(accelerations_prescribed_that_open_the_loop_have_no_answer),
      cmocka_unit_test(inverse_dynamics_uses_the_actuators_given),
      cmocka_unit_test(reactions_and_the_loop_carry_the_weight),
      cmocka_unit_test(open_loops_are_reported_and_not_closed),
      cmocka_unit_test(a_gear_has_an_effort),
      cmocka_unit_test(motions_that_are_not_possible_have_no_forces),
      cmocka_unit_test(wrong_actuators_are_refused_with_their_place),
      cmocka_unit_test(models_without_loops_have_no_such_output),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
