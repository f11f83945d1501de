/* test_scenario_view.c -- what a scenario gives to pictures: the motion is logged unless it is not wanted, and `view`
 * is read, checked, explained and stored. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>

#include "scenario_rig.h"

/* Names of all that a run logs, each with a space behind it; free() it. */
static char* logged(const char* text) {
  fb_scenario* s = parse(text);
  fb_signal* signals;
  int count;
  fb_error error;
  if (fb_scenario_logged(s, &signals, &count, &error)) fail_msg("%s", error.text);
  char* names = (char*)calloc((size_t)count + 1, FB_SIGNAL_NAME_SIZE);
  assert_non_null(names);
  size_t used = 0;
  for (int i = 0; i < count; i++) {
    char name[FB_SIGNAL_NAME_SIZE];
    used += (size_t)sprintf(names + used, "%s ", fb_signal_name(fb_scenario_model(s), signals[i], name));
  }
  free(signals);
  fb_scenario_free(s);
  return names;
}

#define ROBOT(more) "scenario: 1\nmodel: robot.yaml\n" more
#define PUSH(what) ROBOT("log: {signals: [t]}\nforces: [{frame: hand, " what "}]\n")

static void the_motion_is_logged_unless_it_is_not_wanted(void** unused) {
  (void)unused;
  static const struct {
    const char *text, *begins, *ends, *lacks;
  } cases[] = {
      {ROBOT("log: {signals: [p.hand, q.elbow]}\n"), "p.hand.x p.hand.y p.hand.z q.elbow ledger.work ",
       "ledger.angular_scale q.base.0 q.base.1 q.base.2 q.base.3 q.base.4 q.base.5 q.base.6 q.shoulder "
       "q.slide "
       "q.gimbal.0 q.gimbal.1 q.ball.0 q.ball.1 q.ball.2 q.ball.3 ",
       "tau"},
      {ROBOT("log: {signals: [p.hand], motion: true}\n"), "p.hand.x", "q.ball.3 ", "tau"},
      {ROBOT("log: {signals: [p.hand], motion: false}\n"), "p.hand.x p.hand.y p.hand.z ledger.work ",
       "ledger.angular_scale ", "q."},
      {"scenario: 1\nmodel: {bodies: [{name: rock, mass: 0, joint: {type: fixed}}]}\nlog: {signals: t}\n",
       "t ledger.work ", "ledger.angular_scale ", "q."},
      {PUSH("force: [1, 0, 0]"), "t ledger", "q.ball.3 force.hand.x force.hand.y force.hand.z ", "torque"},
      {PUSH("torque: [0, 0, 1]"), "t ledger", "q.ball.3 torque.hand.x torque.hand.y torque.hand.z ", "force"},
      {PUSH("times: [0, 1, 2], forces: [[0, 0, 0], [0, 1, 0], [0, 0, 0]]"), "t ledger", "force.hand.z ",
       "torque"},
      {PUSH("force: [0, 0, 0], torque: [0, 0, 0]"), "t ledger", "q.ball.3 ", "hand"},
      {PUSH(
           "force: [1, 0, 0]}, {frame: hand, axes: frame, force: [0, 1, 0]}, {frame: base, force: [1, 0, 0]"),
       "t ledger", "force.hand.z force.base.x force.base.y force.base.z ", "torque"},
      {PUSH("force: [1, 0, 0]}, {joint: elbow, tau: 1"), "t ledger", "force.hand.z ", "tau"},
      {ROBOT("log: {signals: t, motion: false}\nforces: [{frame: hand, force: [1, 0, 0]}]\n"), "t ledger",
       "scale ", "force"},
      {ROBOT("log: {signals: t}\ncontrol: [{type: attitude, kp: 10}]\n"), "t ledger",
       "q.ball.3 torque.base.x torque.base.y torque.base.z ", "force"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char* names = logged(cases[i].text);
    size_t n = strlen(names), e = strlen(cases[i].ends);
    if (strncmp(names, cases[i].begins, strlen(cases[i].begins)) != 0 || n < e ||
        strcmp(names + n - e, cases[i].ends) != 0 || strstr(names, cases[i].lacks))
      fail_msg("%s: %s", cases[i].text, names);
    free(names);
  }
}

/* --- view --- */

static void the_view_is_read_told_and_printed_for_the_store(void** unused) {
  (void)unused;
  static const struct {
    const char *text, *json, *words; /* words NULL: nothing is told */
  } cases[] = {
      {ROBOT(""), "{\"gravity\": [0, 0, 0]}", NULL},
      {ROBOT("gravity: [0, 0, -1.62]\n"), "{\"gravity\": [0, 0, -1.62]}", NULL},
      {ROBOT("view: {}\n"), "{\"gravity\": [0, 0, 0]}", "  view        as it comes\n"},
      {ROBOT("view: {ground: 20 cm}\n"), "{\"gravity\": [0, 0, 0], \"ground\": 0.2}",
       "  view        ground drawn at z = 0.2 m (nothing touches it)\n"},
      {ROBOT("view: {trails: hand}\n"), "{\"gravity\": [0, 0, 0], \"trails\": [\"hand\"]}",
       "  view        trails of hand\n"},
      {ROBOT("view: {trails: []}\n"), "{\"gravity\": [0, 0, 0], \"trails\": []}",
       "  view        no trails\n"},
      {ROBOT(
           "view: {background: space, sun: [1, -2, 0.5], ground: 0, follow: base, trails: [hand, camera]}\n"),
       "{\"gravity\": [0, 0, 0], \"background\": \"space\", \"sun\": [1, -2, 0.5], \"ground\": 0, "
       "\"follow\": \"base\", \"trails\": [\"hand\", \"camera\"]}",
       "  view        background space, sun towards [1, -2, 0.5], ground drawn at z = 0 m (nothing touches "
       "it), follows base, trails of "
       "hand, camera\n"},
      {ROBOT("view: {background: plain, follow: hand}\n"),
       "{\"gravity\": [0, 0, 0], \"background\": \"plain\", \"follow\": \"hand\"}",
       "  view        background plain, follows hand\n"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_scenario* s = parse(cases[i].text);
    char *json, *words;
    size_t size;
    fb_error error;
    assert_int_equal(fb_scenario_print_view(s, &json, &error), FB_OK);
    assert_string_equal(json, cases[i].json);
    assert_int_equal(fb_scenario_explain(s, &words, &size, &error), FB_OK);
    if (cases[i].words ? !strstr(words, cases[i].words) : strstr(words, "  view ") != NULL)
      fail_msg("%s: %s", cases[i].text, words);
    free(json);
    free(words);
    fb_scenario_free(s);
  }
}

static void what_is_wrong_with_a_view_is_told_with_its_place(void** unused) {
  (void)unused;
  static const malformed cases[] = {
      {ROBOT("view: [hand]\n"), 3, 7, "expected a view, which is a map"},
      {ROBOT("view: {trail: hand}\n"), 3, 8, "a view has no key 'trail'; did you mean 'trails'?"},
      {ROBOT("view: {background: stars}\n"), 3, 20, "space"},
      {ROBOT("view: {sun: [0, 0, 0]}\n"), 3, 13, "'sun' is zero, so it has no direction"},
      {ROBOT("view: {sun: [0, 1]}\n"), 3, 13, "expected"},
      {ROBOT("view: {sun: [0, 1 m, 0]}\n"), 3, 17, "a plain number is expected here"},
      {ROBOT("view: {ground: high}\n"), 3, 16, "expected a length"},
      {ROBOT("view: {ground: 2 s}\n"), 3, 16, "is a time, but a length is expected"},
      {ROBOT("view: {follow: hamd}\n"), 3, 16, "there is no frame 'hamd'; did you mean 'hand'?"},
      {ROBOT("view: {follow: world}\n"), 3, 16, "the world does not move"},
      {ROBOT("view: {follow: [hand]}\n"), 3, 16, "expected text"},
      {ROBOT("view:\n  trails: [hand, camra]\n"), 4, 18, "there is no frame 'camra'; did you mean 'camera'?"},
      {ROBOT("view: {trails: 5}\n"), 3, 16, "expected text"},
      {ROBOT("log: {motion: maybe}\n"), 3, 15, "true or false"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) assert_refused(&cases[i], "/scenario/");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_motion_is_logged_unless_it_is_not_wanted),
      cmocka_unit_test(the_view_is_read_told_and_printed_for_the_store),
      cmocka_unit_test(what_is_wrong_with_a_view_is_told_with_its_place),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
