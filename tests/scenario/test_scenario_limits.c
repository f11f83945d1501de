/* test_scenario_limits.c -- events at the limits of many joints, soft stops, and the limits that nothing enforces. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "scenario_rig.h"

/* Two hinges and a slider with limits, a hinge without; what follows is line 8. */
#define PART(name, parent, joint)                                                                        \
  "  - {name: " name ", " parent "mass: 1, com: [0, 0, -1], inertia: [1, 1, 1, 0, 0, 0], joint: {" joint \
  "}}\n"
#define ARM                                                                                               \
  "scenario: 1\nmodel:\n  bodies:\n" PART(                                                                \
      "a", "",                                                                                            \
      "name: left_hip, type: revolute, axis: [0, 1, 0], limits: [-0.5, 0.5], effort: 9, speed: "          \
      "3") PART("b", "parent: a, ",                                                                       \
                "name: left_slide, type: prismatic, axis: [0, 0, 1], limits: [-0.1, 0.2]")                \
      PART("c", "parent: b, ", "name: knee, type: revolute, axis: [0, 1, 0], limits: [-1, 1], effort: 9") \
          PART("d", "parent: c, ", "name: wrist, type: revolute, axis: [0, 1, 0]")

static int find_event(const fb_scenario* s, const char* name) {
  for (int i = 0; i < s->nevent; i++)
    if (strcmp(s->events[i].event.name, name) == 0) return i;
  return -1;
}

#define BOUNCE "do: [{bounce: {restitution: 0.5}}]"

/* --- which joints --- */

static void one_event_makes_stops_of_many_limits(void** state) {
  (void)state;
  static const struct {
    const char* events;
    int limits, soft, events_made;
    const char* one;
  } rows[] = {
      {"{name: s, limit: all, " BOUNCE "}", 6, 0, 18, "s.left_hip.lower rests"},
      {"{name: s, limit: \"*\", " BOUNCE "}", 6, 0, 18, "s.knee.upper"},
      {"{name: s, limit: left_*, " BOUNCE "}", 4, 0, 12, "s.left_slide.upper leaves"},
      {"{name: s, limit: [knee, left_*], " BOUNCE "}", 6, 0, 18, "s.knee.upper rests"},
      {"{name: s, limit: [knee, all, \"*\"], " BOUNCE "}", 6, 0, 18, "s.knee.upper rests"},
      {"{name: s, limit: [knee, \"kn*\"]}", 0, 0, 2, "s.knee.lower"},
      {"{limit: [knee], " BOUNCE "}", 2, 0, 6, "events[0].knee.lower"},
      {"{name: s, limit: knee, " BOUNCE "}", 2, 0, 6, "s.lower"},
      {"{name: s, limit: all, stiffness: 100, damping: 3}", 6, 6, 12, "s.left_slide.lower leaves"},
      {"{name: s, limit: knee, stiffness: 1 N m/deg}", 2, 2, 4, "s.upper"},
      /* a joint that is named elsewhere, and one that has been selected before */
      {"{name: s, limit: all, " BOUNCE "}, {name: k, limit: knee, stiffness: 10}", 6, 2, 16,
       "k.upper leaves"},
      {"{name: l, limit: left_*, stiffness: 10}, {name: s, limit: all, " BOUNCE "}", 6, 4, 14,
       "s.knee.upper"},
      /* events that make no stops */
      {"{name: s, limit: all, do: [{stop: true}]}", 0, 0, 6, "s.left_slide.lower"},
      {"{name: s, limit: all}, {name: k, limit: knee}, {name: b, limit: all, " BOUNCE "}", 6, 0, 26,
       "k.lower"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2000];
    int soft = 0;
    snprintf(text, sizeof text, ARM "events: [%s]\n", rows[i].events);
    fb_scenario* s = parse(text);
    for (int k = 0; k < s->nlimit; k++) soft += s->limits[k].stiffness > 0;
    if (s->nlimit != rows[i].limits || soft != rows[i].soft || s->nevent != rows[i].events_made ||
        find_event(s, rows[i].one) < 0)
      fail_msg("%s: %d limits, %d soft, %d events", rows[i].events, s->nlimit, soft, s->nevent);
    fb_sim_free(make_sim(s));
    fb_scenario_free(s);
  }
}

/* Names of several models in one scene have the model's name in front. */
static void models_are_selected_by_their_names(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodels: [{name: one, model: robot.yaml}, {name: two, model: robot.yaml}]\n"
      "events: [{name: s, limit: two_*, stiffness: 50}]\n");
  assert_true(find_event(s, "s.two_elbow.upper") >= 0);
  assert_true(s->nlimit > 0);
  for (int i = 0; i < s->nlimit; i++)
    assert_non_null(
        strstr(fb_joint_name(s->model, fb_coordinate_body(s->model, s->limits[i].coordinate)), "two_"));
  fb_scenario_free(s);
}

static void a_joint_may_be_called_all(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel:\n  bodies:\n" PART("a", "", "name: all, type: revolute, axis: [0, 1, 0], limits: [-1, 1]")
          PART("b", "", "name: other, type: revolute, axis: [0, 1, 0], limits: [-1, 1]") "events: [{name: s, limit: "
                                                                                        "all, " BOUNCE "}]\n");
  assert_int_equal(s->nlimit, 2);
  assert_true(find_event(s, "s.upper") >= 0);
  fb_scenario_free(s);
}

static void what_cannot_be_is_refused(void** state) {
  (void)state;
  static const malformed rows[] = {
      {ARM "events: [{limit: []}]\n", 8, 18, "the list of joints is empty; all selects every joint"},
      {ARM "events: [{limit: [knee, knee]}]\n", 8, 25, "the joint 'knee' is named twice"},
      {ARM "events: [{limit: [knee, kne]}]\n", 8, 25, "there is no joint 'kne'; did you mean 'knee'?"},
      {ARM "events: [{limit: wrist}]\n", 8, 18, "the joint 'wrist' has no limits in its model"},
      {ARM "events: [{limit: w*}]\n", 8, 18, "none of the joints that 'w*' selects has limits"},
      {ARM "events: [{limit: x*}]\n", 8, 18, "there is no joint whose name begins with 'x'"},
      {ARM "events: [{limit: {a: 1}}]\n", 8, 18, "expected text, but found a map"},
      {ARM "events: [{limit: [[knee]]}]\n", 8, 19, "expected text, but found a list"},
      {ARM "events: [{limit: all, stiffness: 1}, {limit: all, stiffness: 1}]\n", 8, 46,
       "every joint that 'all' selects has a stop by another event already"},
      {ARM "events: [{limit: all, damping: 3}]\n", 8, 32, "damping without stiffness"},
      {ARM "events: [{limit: all, stiffness: 0}]\n", 8, 34, "must be more than 0"},
      {ARM "events: [{limit: all, stiffness: 3, damping: -1}]\n", 8, 46, "must not be negative"},
      {ARM "events: [{limit: all, stiffness: .inf}]\n", 8, 34, "is not finite"},
      {ARM "events: [{limit: all, stiffness: 3 N/m}]\n", 8, 34,
       "for the joint 'left_hip': '3 N/m' is a stiffness, but an angular stiffness is expected"},
      {ARM "events: [{limit: all, stiffness: 3, " BOUNCE "}]\n", 8, 51, "leave out 'bounce', or those"},
      {ARM "events: [{limit: all, stiffness: 3, once: true}]\n", 8, 43, "leave 'once' out"},
      {ARM "events: [{at: 3, stiffness: 3}]\n", 8, 29, "a time event cannot have 'stiffness'"},
      {"scenario: 1\nmodel: {bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: "
       "free}}]}\n"
       "events: [{limit: all}]\n",
       3, 18, "none of the joints that 'all' selects has limits"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) assert_refused(&rows[i], "/scenario/");
}

/* --- what happens --- */

#define FALL \
  "gravity: [0, 0, -9.81]\nstart: {joints: {left_hip: 0.4}, rates: {knee: 3}}\nintegrator: {step: 2 ms}\n"

static void limit_all_is_one_event_for_each_joint(void** state) {
  (void)state;
  fb_scenario* s[] = {parse(ARM FALL "events: [{limit: all, " BOUNCE "}]\n"),
                      parse(ARM FALL "events: [{limit: left_hip, " BOUNCE "}, {limit: left_slide, " BOUNCE
                                     "}, {limit: knee, " BOUNCE "}]\n")};
  fb_sim* sims[] = {run(s[0], 3), run(s[1], 3)};
  assert_memory_equal(fb_sim_q(sims[0]), fb_sim_q(sims[1]), 4 * sizeof(double));
  for (int i = 0; i < 2; i++) {
    fb_sim_free(sims[i]);
    fb_scenario_free(s[i]);
  }
}

/* A joint that is moved by a motion passes a rigid stop; released, it finds it. */
static void a_joint_that_is_moved_has_its_stop_when_it_is_released(void** state) {
  (void)state;
  fb_scenario* s = parse(ARM
                         "motions: [{name: swing, joint: knee, rate: 1}]\n"
                         "events: [{limit: all, " BOUNCE "}, {at: 0.9, do: [{release: knee}]}]\n");
  fb_sim* sim = run(s, 0.8);
  int knee = fb_model_find_joint(s->model, "knee"), at = fb_joint_q_index(s->model, knee);
  assert_true(fabs(fb_sim_q(sim)[at] - 0.8) < 1e-12);
  fb_error error;
  for (double t = 0.9; t < 6; t += 0.1) {
    assert_int_equal(fb_sim_run_until(sim, t, &error), FB_OK);
    assert_true(fb_sim_q(sim)[at] <= 1 + 1e-9);
  }
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* The knee comes back softly, and both of its events are in the log with their words. */
static void soft_stops_of_a_scenario_push_back(void** state) {
  (void)state;
  fb_scenario* s = parse(ARM FALL "events: [{name: s, limit: all, stiffness: 2e3, damping: 20}]\n");
  fb_sim* sim = make_sim(s);
  fb_error error;
  fb_ledger ledger;
  int hits = 0, leaves = 0, hit = find_event(s, "s.knee.upper"), left = find_event(s, "s.knee.upper leaves");
  while (fb_sim_time(sim) < 3) {
    int count;
    if (fb_sim_step(sim, 3, &error)) fail_msg("%s", error.text);
    const fb_event_record* records = fb_sim_event_records(sim, &count);
    for (int i = 0; i < count; i++) {
      hits += records[i].event == hit;
      leaves += records[i].event == left;
    }
  }
  fb_sim_ledger(sim, &ledger);
  assert_true(hits >= 1 && (hits == leaves || hits == leaves + 1));
  assert_true(ledger.dissipated > 0.1 && ledger.worst < 1e-5);
  fb_text words = {0};
  fb_scenario_add_actions(&words, s, hit, 1);
  assert_string_equal(words.data, "knee is pushed back");
  free(words.data);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* One that only brakes hard would cost dopri5 too many steps. */
static void the_integrator_is_chosen_for_soft_stops_too(void** state) {
  (void)state;
  static const struct {
    const char* events;
    fb_method method;
  } rows[] = {{"{limit: left_slide}", FB_METHOD_DOPRI5},
              {"{limit: left_slide, stiffness: 1e6}", FB_METHOD_DOPRI5},
              {"{limit: left_slide, stiffness: 1e3, damping: 1e5}", FB_METHOD_IMPLICIT}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2000];
    snprintf(text, sizeof text, ARM "events: [%s]\n", rows[i].events);
    fb_scenario* s = parse(text);
    assert_int_equal(s->options.method, rows[i].method);
    assert_true(s->options.step == 0 && s->options.rtol == 0);
    fb_scenario_free(s);
  }
}

/* Steps of 10 ms throw the arms from stop to stop, ever faster. */
static void a_stop_that_is_too_stiff_for_the_step_is_named(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel:\n  bodies:\n"
      "  - {name: hull, joint: {type: free}, mass: 20, inertia: [3, 3, 3, 0, 0, 0]}\n"
      "  - {name: a, parent: hull, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0], joint: "
      "{name: "
      "left, type: revolute, axis: [0, 1, 0], at: [1, 0, 0], limits: [-0.5, 0.5]}}\n"
      "  - {name: b, parent: hull, mass: 2, com: [0.5, 0, 0], inertia: [0.1, 0.1, 0.1, 0, 0, 0], joint: "
      "{name: "
      "right, type: revolute, axis: [0, 1, 0], at: [-1, 0, 0], limits: [-0.5, 0.5]}}\n"
      "start: {rates: {left: 1, right: -0.7}}\nintegrator: {method: rk4}\n"
      "events: [{limit: all, stiffness: 1e5, damping: 100}]\n");
  fb_sim* sim = make_sim(s);
  fb_error error;
  assert_int_equal(fb_sim_run_until(sim, 5, &error), FB_ERR_NOT_FINITE);
  if (!strstr(error.text, "joint \"left\"") || !strstr(error.text, "too long for its soft stop"))
    fail_msg("%s", error.text);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* --- in words --- */

static void explanations_name_what_is_enforced_and_what_is_not(void** state) {
  (void)state;
  static const struct {
    const char *rest, *phrase, *absent;
  } rows[] = {
      {"", "limits      of 3 joints (left_hip, left_slide, knee) are not enforced: 'limits: contact'",
       "stop "},
      {"", "speeds      of 1 joint (left_hip) are not enforced: only the wheels of attitude laws", NULL},
      {"", "efforts     of 2 joints (left_hip, knee) are not enforced: no law of joints", NULL},
      {"control: [{type: joint_pd, joints: knee, kp: 1}]\n", "efforts     of 1 joint (left_hip) are", NULL},
      {"control: [{type: joint_pd, kp: 1}]\n", "limits", "efforts "},
      {"control: [{type: frame_tracking, frame: d, rows: position, kp: 1, kd: 1, damping: 1}]\n",
       "efforts     of 2 joints", NULL},
      {"control: [{type: frame_tracking, frame: d, rows: position, kp: 1, kd: 1, damping: 1, limit: true}]\n",
       "within the model's efforts", "efforts  "},
      {"events: [{name: s, limit: all, " BOUNCE "}]\n",
       "stop        s: 3 joints (left_hip, left_slide, knee) cannot pass their limits: restitution 0.5\n",
       "limits   "},
      {"events: [{name: s, limit: [knee, left_hip], stiffness: 30, damping: 2, do: [{stop: true}]}]\n",
       "s: 2 joints (left_hip, knee) are pushed back beyond their limits: stiffness 30 N m/rad, damping 2 N "
       "m "
       "s/rad; the run ends\n",
       "limits      of 3"},
      {"events: [{name: s, limit: all, stiffness: 30}]\n", "stiffness 30 N m/rad or N/m, damping 0", NULL},
      {"events: [{name: s, limit: left_slide, stiffness: 1 kN/m}]\n",
       "s.upper: q.left_slide is pushed back above 0.2 m: stiffness 1000 N/m, damping 0 N s/m\n", NULL},
      {"events: [{name: s, limit: all, do: [{stop: true}]}]\n",
       "event       s: when one of 3 joints (left_hip, left_slide, knee) passes a limit: the run ends\n",
       "left_slide.lower"},
      {"events: [{name: s, limit: all, once: true}]\n",
       "s: the first time that each of 3 joints (left_hip, left_slide, knee) passes a limit, only logged\n",
       NULL},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[2000], *words;
    size_t size;
    snprintf(text, sizeof text, ARM "%s", rows[i].rest);
    fb_scenario* s = parse(text);
    assert_int_equal(fb_scenario_explain(s, &words, &size, NULL), FB_OK);
    if (!strstr(words, rows[i].phrase)) fail_msg("'%s' is not in\n%s", rows[i].phrase, words);
    if (rows[i].absent && strstr(words, rows[i].absent)) fail_msg("'%s' is in\n%s", rows[i].absent, words);
    free(words);
    fb_scenario_free(s);
  }
}

/* --- wheels --- */

/* A wheel that takes up too much momentum comes to its speed and stays there; its room shows it, and an event sees it. */
static void a_wheel_at_its_speed_limit_shows_in_the_log(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel:\n  bodies:\n"
      "  - {name: hull, joint: {type: free}, mass: 100, inertia: [10, 10, 10, 0, 0, 0]}\n"
      "  - {name: wx, parent: hull, mass: 1, inertia: [0.01, 0.01, 0.01, 0, 0, 0], joint: {type: revolute, "
      "axis: [1, 0, 0], speed: 6}}\n"
      "start: {rates: {hull: [0, 0, 0, 0.04, 0, 0]}}\n"
      "control: [{name: a, type: attitude, kp: 0, kd: 10, wheels: wx, effort: 0.01}]\n"
      "events: [{name: full, when: a.room.wx, crosses: 0.5, direction: falling}]\nduration: 60\n"
      "integrator: {step: 10 ms}\n"); /* with which it does not exceed its speed by the error of a step */
  fb_signal room;
  int count;
  fb_error error;
  assert_int_equal(fb_scenario_find_signals(s, "a.room", &room, 1, &count, &error), FB_OK);
  assert_int_equal(count, 1);
  fb_sim* sim = make_sim(s);
  double first = NAN, last = NAN;
  int fired = 0;
  fb_sim_signal_values(sim, &room, 1, &first);
  while (fb_sim_time(sim) < 60) {
    if (fb_sim_step(sim, 60, &error)) fail_msg("%s", error.text);
    fb_sim_event_records(sim, &count);
    fired += count;
  }
  fb_sim_signal_values(sim, &room, 1, &last);
  assert_true(first == 1 && last >= 0 && last < 0.01);
  assert_int_equal(fired, 1);
  assert_true(fabs(fb_sim_v(sim)[6]) <= 6 && fabs(fb_sim_v(sim)[6]) > 5.9);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* The slope of the smooth law at rest is friction over friction_speed, 2000 N m s/rad. Stiction has none. */
static void the_rate_of_smooth_friction_does_not_count_with_stiction(void** state) {
  (void)state;
  static const struct {
    const char* keys;
    int stiff;
    const char* integrator;
  } rows[] = {
      {"integrator: {method: rk4, step: 10 ms}\n", 1, "rk4, 10 ms"},
      {"integrator: {method: rk4, step: 10 ms}\nfriction_law: smooth\n", 1, "rk4, 10 ms"},
      {"integrator: {method: rk4, step: 10 ms}\nfriction_law: stiction\n", 0, "rk4, 10 ms"},
      {"integrator: {method: dopri5}\nfriction_law: stiction\n", 0, "dopri5, rtol 1e-09, atol 1e-12"},
      {"friction_law: smooth\n", 0, "dopri5, accuracy 1e-06"},
      {"friction_law: stiction\n", 0, "dopri5, accuracy 1e-06"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[800], advice[400] = "";
    snprintf(
        text, sizeof text,
        "scenario: 1\nmodel:\n  bodies:\n" PART(
            "a", "", "type: revolute, axis: [0, 1, 0], friction: 2, friction_speed: 0.001") "duration: 1\n%s",
        rows[i].keys);
    fb_scenario* s = parse(text);
    int stiff = fb_scenario_stiffness(s, advice, sizeof advice);
    if (stiff != rows[i].stiff || strcmp(s->integrator, rows[i].integrator) != 0)
      fail_msg("row %zu: %d, %s: %s", i, stiff, s->integrator, advice);
    fb_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_event_makes_stops_of_many_limits),
      cmocka_unit_test(models_are_selected_by_their_names),
      cmocka_unit_test(a_joint_may_be_called_all),
      cmocka_unit_test(what_cannot_be_is_refused),
      cmocka_unit_test(limit_all_is_one_event_for_each_joint),
      cmocka_unit_test(a_joint_that_is_moved_has_its_stop_when_it_is_released),
      cmocka_unit_test(soft_stops_of_a_scenario_push_back),
      cmocka_unit_test(the_integrator_is_chosen_for_soft_stops_too),
      cmocka_unit_test(a_stop_that_is_too_stiff_for_the_step_is_named),
      cmocka_unit_test(explanations_name_what_is_enforced_and_what_is_not),
      cmocka_unit_test(a_wheel_at_its_speed_limit_shows_in_the_log),
      cmocka_unit_test(the_rate_of_smooth_friction_does_not_count_with_stiction),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
