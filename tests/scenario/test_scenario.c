/* test_scenario.c -- good scenarios: what they mean, overrides, scenes of several models, copies, explanations, and
 * the page printed from the table. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/kinematics.h>
#include <freebody/momentum.h>
#include <freebody/sundials.h>

#include "scenario_rig.h"

static fb_scenario* read_file(const char* file, const fb_scenario_options* options) {
  fb_scenario* s = NULL;
  fb_error error;
  char line[sizeof error + 64];
  if (fb_scenario_read(file, options, &s, &error)) fail_msg("%s", fb_error_format(&error, line, sizeof line));
  return s;
}

static double q_of(const fb_scenario* s, const char* joint, int i) {
  const fb_model* m = fb_scenario_model(s);
  int body = fb_model_find_joint(m, joint);
  assert_true(body > 0);
  return fb_scenario_q(s)[fb_joint_q_index(m, body) + i];
}

static double v_of(const fb_scenario* s, const char* joint, int i) {
  const fb_model* m = fb_scenario_model(s);
  int body = fb_model_find_joint(m, joint);
  assert_true(body > 0);
  return fb_scenario_v(s)[fb_joint_v_index(m, body) + i];
}

static void assert_near(double x, double expected) {
  if (!(fabs(x - expected) <= 1e-14 * fabs(expected))) fail_msg("%.17g is not %.17g", x, expected);
}

/* --- what a scenario means --- */

static void test_every_key_is_read(void** state) {
  (void)state;
  fb_scenario* s = read_file(FOLDER "full.yaml", NULL);
  assert_string_equal(fb_scenario_name(s), "full");
  assert_near(fb_scenario_duration(s), 12);
  assert_near(fb_scenario_log_period(s), 0.1);
  assert_near(fb_scenario_checkpoint_period(s), 3);
  assert_string_equal(fb_scenario_integrator(s), "dopri5, rtol 1e-08, atol 1e-10");
  assert_near(s->options.step, 0.001);
  assert_near(s->options.max_step, 0.05);
  assert_near(s->options.environment.gravity_w[2], -1.62);
  assert_int_equal(s->options.nmode, 2);
  assert_near(q_of(s, "shoulder", 0), PI / 6);
  assert_near(q_of(s, "slide", 0), 0.3); /* the motion `hold` says so, not start */
  assert_near(q_of(s, "gimbal", 1), -PI / 18);
  assert_near(q_of(s, "ball", 0), sqrt(0.5));
  assert_near(q_of(s, "ball", 3), sqrt(0.5));
  assert_near(q_of(s, "base", 1), 2);
  assert_near(q_of(s, "base", 6), sqrt(0.5));
  assert_near(v_of(s, "base", 0), 1 / 3.6);
  assert_near(v_of(s, "base", 5), PI / 30);
  assert_near(v_of(s, "elbow", 0), PI / 10);
  assert_near(v_of(s, "gimbal", 1), 0); /* locked */
  assert_int_equal(s->nmotion, 4);
  assert_int_equal(s->nblock, 2 + 3 + 4); /* forces on the gimbal are two blocks */
  assert_int_equal(s->nevent, 10);        /* a joint that bounces has two stops, each of three events */
  assert_int_equal(s->nlimit, 2);
  const fb_pd_joint* pd = joint_law(s, 0)->joints;
  assert_near(pd[0].kp, 300);
  assert_near(pd[1].kd, 60);
  assert_near(pd[0].target, PI / 18);
  assert_near(pd[1].effort, 10);
  assert_non_null(pd[1].path);
  assert_near(joint_law(s, 1)->joints[0].effort, 50); /* the model's */
  assert_near(s->events[0].actions[0].number, PI / 9);
  assert_near(s->events[1].event.level, 0.5);
  assert_near(s->events[2].event.level, -PI / 2);
  assert_int_equal(s->events[3].event.direction, -1);
  assert_int_equal(fb_scenario_nsignal(s), 1 + 3 + 16 - 1 + 3); /* q.elbow once */
  fb_scenario_free(s);
}

static void test_defaults_are_those_of_the_page(void** state) {
  (void)state;
  fb_scenario* s = parse("{scenario: 1, model: robot.yaml}");
  assert_string_equal(fb_scenario_name(s), "case");
  assert_near(fb_scenario_duration(s), 10);
  assert_near(fb_scenario_checkpoint_period(s), 0.5);
  assert_near(fb_scenario_log_period(s), 0.01);
  assert_string_equal(fb_scenario_integrator(s), "dopri5, accuracy 1e-06");
  assert_near(s->gravity_w[2], 0);
  char name[FB_SIGNAL_NAME_SIZE];
  int ledger = 0;
  for (int i = 0; i < fb_scenario_nsignal(s); i++)
    ledger |=
        strncmp(fb_signal_name(fb_scenario_model(s), fb_scenario_signals(s)[i], name), "ledger.", 7) == 0;
  assert_true(ledger);
  fb_scenario_free(s);
  s = parse("{scenario: 1, model: robot.yaml, duration: 100, integrator: {method: dopri5}}");
  assert_near(s->options.step, 0);
  assert_near(fb_scenario_log_period(s), 0.1);
  fb_scenario_free(s);
  s = parse("{scenario: 1, model: robot.yaml, control: [{type: joint_pd, kp: 1, kd: 2}]}");
  assert_int_equal(joint_law(s, 0)->count, 5); /* shoulder, elbow, slide, two of the gimbal */
  assert_true(isinf(joint_law(s, 0)->joints[1].effort));
  fb_scenario_free(s);
}

static void test_a_bare_model_runs_with_defaults(void** state) {
  (void)state;
  static const char* const files[] = {FOLDER "robot.yaml", FB_SOURCE_DIR "/scenarios/ets7/ets7.urdf",
                                      FB_SOURCE_DIR "/scenarios/inspector/states.json"};
  static const char* const set[] = {"duration=2 s", "integrator.method=euler", NULL};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    fb_scenario_options options = fb_default_scenario_options();
    if (i < 2) {
      fb_scenario* s = read_file(files[i], &options);
      assert_near(fb_scenario_duration(s), 10);
      assert_string_equal(fb_scenario_integrator(s), "dopri5, accuracy 1e-06");
      fb_scenario_free(s);
      options.set = set;
      s = read_file(files[i], &options);
      assert_near(fb_scenario_duration(s), 2);
      assert_string_equal(fb_scenario_integrator(s), "euler, 10 ms");
      fb_scenario_free(s);
    } else { /* an evaluation file whose model stands elsewhere could not be copied whole */
      fb_scenario* s;
      fb_error error;
      assert_int_equal(fb_scenario_read(files[i], NULL, &s, &error), FB_ERR_UNSUPPORTED);
    }
  }
}

static void test_a_floating_tree_starts_without_momentum(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodels: [{model: robot.yaml, at: [1, 2, 3], rpy: [0.3, 0.2, 0.1]}]\n"
      "start: {joints: {elbow: 1, gimbal: [0.2, 0.3]}, rates: {elbow: 2, slide: 1, ball: [1, 2, 3]}, "
      "zero_momentum: true}\n"
      "motions: [{joint: shoulder, rate: 1}]\n");
  const fb_model* m = fb_scenario_model(s);
  fb_data* d = fb_data_new(m);
  double origin[3] = {0, 0, 0}, linear[3], angular[3];
  fb_kinematics(m, d, fb_scenario_q(s), fb_scenario_v(s), NULL);
  fb_momentum(m, d, origin, linear, angular);
  assert_near(v_of(s, "shoulder", 0), 1);
  assert_true(fabs(v_of(s, "base", 0)) > 1e-3);
  for (int i = 0; i < 3; i++) {
    assert_true(fabs(linear[i]) < 1e-12);
    assert_true(fabs(angular[i]) < 1e-12);
  }
  fb_data_free(d);
  fb_scenario_free(s);
}

static void position(const fb_scenario* s, const char* frame, double p[3], double v[3]) {
  const fb_model* m = fb_scenario_model(s);
  fb_data* d = fb_data_new(m);
  double R[9], w[3];
  int id = fb_model_find_frame(m, frame);
  assert_true(id > 0);
  fb_kinematics(m, d, fb_scenario_q(s), fb_scenario_v(s), NULL);
  fb_frame_pose(m, d, id, p, R);
  fb_frame_velocity(m, d, id, v, w);
  fb_data_free(d);
}

static void test_models_share_a_scene(void** state) {
  (void)state;
  fb_scenario* s = read_file(FOLDER "scene.yaml", NULL);
  const fb_model* m = fb_scenario_model(s);
  double p[3], v[3];
  assert_int_equal(fb_model_ntree(m), 3);
  assert_string_equal(fb_model_name(m), "scene");
  position(s, "target_rim", p, v); /* `bases` gives the pose in the world, whatever `at` was */
  assert_near(p[0], 3);
  assert_near(p[2], 0.5);
  assert_near(v[1], 1);
  position(s, "post", p, v);
  assert_near(p[2], -1);
  fb_scenario_free(s);
  s = parse("{scenario: 1, models: [{model: debris.yaml, at: [2, 0, 0], rpy: [90 deg, 0, 0]}]}");
  position(s, "rim", p, v); /* where its part stands */
  assert_near(p[0], 2);
  assert_near(p[1], -0.5);
  fb_scenario_free(s);
}

/* --- running --- */

static void test_a_scenario_runs_and_its_events_happen(void** state) {
  (void)state;
  fb_scenario* s = read_file(FOLDER "full.yaml", NULL);
  fb_sim* sim = make_sim(s);
  fb_error error;
  if (fb_sim_run_until(sim, fb_scenario_duration(s), &error)) fail_msg("%s", error.text);
  assert_int_equal(fb_sim_stopped(sim), 1); /* an event says so */
  assert_near(fb_sim_time(sim), 9);
  int arm = fb_sim_find_block(sim, "arm");
  assert_near(fb_sim_memory(sim, arm)[fb_sim_find_parameter(sim, arm, "shoulder.target")], PI / 9);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

/* Each action by what it leaves behind. */
static void test_actions_do_what_they_say(void** state) {
  (void)state;
  static const struct {
    const char* text;
    fb_motion_kind elbow;
    int mode;
  } cases[] = {
      {"events: [{at: 0.1, do: [{lock: elbow}]}]", FB_MOTION_LOCKED, 0},
      {"motions: [{joint: elbow, lock: true}]\nevents: [{at: 0.1, do: [{release: elbow}]}]", FB_MOTION_FORCE,
       0},
      {"motions: [{name: m, joint: elbow, rate: 1, at_start: false}]\nevents: [{at: 0.1, do: [{move: m}]}]",
       FB_MOTION_RATE, 0},
      {"motions: [{joint: elbow, value: 1}]", FB_MOTION_PATH, 0},
      {"modes: [a, b]\nevents: [{at: 0.1, do: [{mode: b}]}]", FB_MOTION_FORCE, 1},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[400];
    snprintf(text, sizeof text, "scenario: 1\nmodel: robot.yaml\n%s\n", cases[i].text);
    fb_scenario* s = parse(text);
    fb_sim* sim = make_sim(s);
    fb_error error;
    if (fb_sim_run_until(sim, 0.2, &error)) fail_msg("%s", error.text);
    int k = fb_joint_v_index(fb_scenario_model(s), fb_model_find_joint(fb_scenario_model(s), "elbow"));
    assert_int_equal(fb_sim_motion(sim, k), cases[i].elbow);
    assert_int_equal(fb_sim_mode(sim), cases[i].mode);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void test_two_readings_give_equal_runs(void** state) {
  (void)state;
  fb_scenario* s[2];
  fb_sim* sim[2];
  fb_error error;
  for (int i = 0; i < 2; i++) {
    s[i] = read_file(FOLDER "full.yaml", NULL);
    sim[i] = make_sim(s[i]);
    assert_int_equal(fb_sim_run_until(sim[i], 2, &error), FB_OK);
  }
  assert_memory_equal(fb_sim_y(sim[0]), fb_sim_y(sim[1]), (size_t)fb_sim_ny(sim[0]) * sizeof(double));
  char* text[2];
  for (int i = 0; i < 2; i++) {
    assert_int_equal(fb_scenario_explain(s[i], &text[i], NULL, &error), FB_OK);
    fb_sim_free(sim[i]);
    fb_scenario_free(s[i]);
  }
  assert_string_equal(text[0], text[1]);
  free(text[0]);
  free(text[1]);
}

/* Integrators for stiff systems come from outside, in builds that have them. */
static void test_outside_integrators_are_made_or_refused(void** state) {
  (void)state;
  static const char* const names[] = {"cvode", "arkode"};
  for (int i = 0; i < 2; i++) {
    char text[120];
    fb_scenario* s = NULL;
    fb_error error;
    snprintf(text, sizeof text,
             "scenario: 1\nmodel: arm.yaml\nintegrator: {method: %s, rtol: 1e-7, step: 1 ms}\n", names[i]);
    fb_status status = fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &s, &error);
    assert_int_equal(status, fb_sundials_available() ? FB_OK : FB_ERR_UNSUPPORTED);
    if (status) {
      assert_int_equal(error.place.line, 3);
      assert_int_equal(error.place.column, 22);
      continue;
    }
    fb_sim* sim = make_sim(s);
    if (fb_sim_run_until(sim, 0.1, &error)) fail_msg("%s", error.text);
    assert_near(fb_sim_time(sim), 0.1);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* --- overrides --- */

static void test_overrides_change_what_they_name(void** state) {
  (void)state;
  static const char* const set[] = {"name=changed",
                                    "duration=5 s",
                                    "gravity[2]=-9",
                                    "control[0].kp[1]=7",
                                    "control.arm.kd=[8, 9]",
                                    "control.firm.target=[20 deg]",
                                    "start.joints.\"elbow\"=10 deg",
                                    "start.joints.gimbal=[0.3, 0.4]",
                                    "start.base={at: [7, 8, 9]}",
                                    "log.signals=t",
                                    "integrator={method: rk4, step: 1 ms}",
                                    "integrator.step=2 ms",
                                    "motions=[]",
                                    "events=[]",
                                    NULL};
  fb_scenario_options options = fb_default_scenario_options();
  options.set = set;
  fb_scenario* s = read_file(FOLDER "full.yaml", &options);
  assert_string_equal(fb_scenario_name(s), "changed");
  assert_near(fb_scenario_duration(s), 5);
  assert_near(s->gravity_w[2], -9);
  assert_near(joint_law(s, 0)->joints[1].kp, 7);
  assert_near(joint_law(s, 0)->joints[0].kp, 300);
  assert_near(joint_law(s, 0)->joints[1].kd, 9);
  assert_near(joint_law(s, 1)->joints[0].target, PI / 9);
  assert_near(q_of(s, "elbow", 0), PI / 18);
  assert_near(q_of(s, "gimbal", 1), 0.4);
  assert_near(q_of(s, "base", 2), 9);
  assert_near(q_of(s, "base", 3), 1); /* the whole map was replaced */
  assert_int_equal(fb_scenario_nsignal(s), 1);
  assert_string_equal(fb_scenario_integrator(s), "rk4, 2 ms");
  fb_scenario_free(s);
  options.duration = 3;
  s = read_file(FOLDER "full.yaml", &options);
  assert_near(fb_scenario_duration(s), 3);
  fb_scenario_free(s);
}

/* Many keys in a map are looked up in another way than few. */
static void test_overrides_fill_large_maps(void** state) {
  (void)state;
  char text[40][32];
  const char* set[41] = {NULL};
  fb_doc* doc;
  fb_error error;
  assert_int_equal(fb_doc_parse("{}", 2, "x", &doc, &error), FB_OK);
  for (int i = 0; i < 40; i++) {
    snprintf(text[i], sizeof text[i], "a.key%d=[%d, {b: %d}]", (i * 7) % 40, i, i);
    set[i] = text[i];
    assert_int_equal(fb_doc_set(doc, set[i], &error), FB_OK);
  }
  const fb_node* map = fb_map_get(fb_doc_root(doc), "a");
  assert_int_equal(fb_node_count(map), 40);
  for (int i = 0; i < 40; i++) {
    char key[16], number[16];
    snprintf(key, sizeof key, "key%d", (i * 7) % 40);
    snprintf(number, sizeof number, "%d", i);
    const fb_node* list = fb_map_get(map, key);
    assert_non_null(list);
    assert_string_equal(fb_node_text(fb_node_item(list, 0)), number);
    assert_string_equal(fb_node_text(fb_map_get(fb_node_item(list, 1), "b")), number);
  }
  fb_doc_free(doc);
}

static void test_null_takes_a_key_away(void** state) {
  (void)state;
  fb_doc* doc;
  fb_error error;
  char text[32];
  assert_int_equal(fb_doc_parse("a: {b: 1, list: [1, 2]}", 23, "x", &doc, &error), FB_OK);
  for (int i = 0; i < 40; i++) {
    snprintf(text, sizeof text, "a.key%d=%d", i, i);
    assert_int_equal(fb_doc_set(doc, text, &error), FB_OK);
  }
  for (int i = 0; i < 40; i += 3) {
    snprintf(text, sizeof text, "a.key%d=null", i);
    assert_int_equal(fb_doc_set(doc, text, &error), FB_OK);
  }
  assert_int_equal(fb_doc_set(doc, "a.never_there=~", &error), FB_OK);
  assert_int_equal(fb_doc_set(doc, "a.list[0]=null", &error), FB_OK); /* a list keeps its length */
  const fb_node* map = fb_map_get(fb_doc_root(doc), "a");
  assert_int_equal(fb_node_count(map), 2 + 40 - 14);
  for (int i = 0; i < 40; i++) {
    snprintf(text, sizeof text, "key%d", i);
    const fb_node* value = fb_map_get(map, text);
    assert_int_equal(value != NULL, i % 3 != 0);
    if (value) assert_int_equal(atoi(fb_node_text(value)), i);
  }
  assert_int_equal(fb_node_count(fb_map_get(map, "list")), 2);
  for (int i = 0; i < fb_node_count(map); i++)
    assert_ptr_equal(fb_map_get(map, fb_map_key(map, i)), fb_map_value(map, i));
  fb_doc_free(doc);
}

static void test_wrong_overrides_are_told(void** state) {
  (void)state;
  static const struct {
    const char *set, *path, *phrase;
  } cases[] = {
      {"duration", "", "expected KEY=VALUE"},
      {"", "", "expected KEY=VALUE"},
      {"=5", "", "expected KEY=VALUE"},
      {"duration=", "", "there is no value after the '='"},
      {"a..b=1", "", "expected KEY=VALUE"},
      {"control[x]=1", "", "expected KEY=VALUE"},
      {"control[0=1", "", "expected KEY=VALUE"},
      {"\"abc=1", "", "expected KEY=VALUE"},
      {"durration=5", "durration", "did you mean 'duration'?"},
      {"strat.joints.elbow=1", "strat", "did you mean 'start'?"},
      {"start.joints.elbw=1", "start.joints.elbw", "did you mean 'elbow'?"},
      {"start.joints.elbow=1 m", "start.joints.elbow", "an angle is expected"},
      {"control[2].kp=1", "control", "there is no item [2] in this list of 2"},
      {"control[99999999999].kp=1", "control", "there is no item"},
      {"control.amr.kp=1", "control", "no item named 'amr'; did you mean 'arm'?"},
      {"control.arm.kq=1", "control[0].kq", "a controller has no key 'kq'; did you mean 'kp'?"},
      {"duration.x=1", "duration", "there is no key 'x' here, because this is the text '0.2 min'"},
      {"duration[0]=1", "duration", "[0] needs a list"},
      {"model.bodys=[]", "bodys", "a model has no key 'bodys'; did you mean 'bodies'? (in the model file '"},
      {"duration=[1", "duration", "not valid YAML"},
      {"gravity=*x", "gravity", "the alias *x has no anchor"},
      {"log={period: 1, period: 2}", "log", "is given twice"},
      {"scenario=2", "scenario", "version 2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char* set[] = {cases[i].set, NULL};
    fb_scenario_options options = fb_default_scenario_options();
    options.set = set;
    fb_scenario* s;
    fb_error error;
    assert_int_not_equal(fb_scenario_read(FOLDER "full.yaml", &options, &s, &error), FB_OK);
    if (!strstr(error.text, cases[i].phrase) || strcmp(error.path, cases[i].path) != 0 ||
        strcmp(error.file, "--set") != 0)
      fail_msg("%s: expected %s: %s, found %s: %s: %s", cases[i].set, cases[i].path, cases[i].phrase,
               error.file, error.path, error.text);
  }
}

static void test_explanations_have_one_unit_for_angles(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel: robot.yaml\nstart: {joints: {elbow: 90 deg}}\n"
      "control: [{name: arm, type: joint_pd, joints: [elbow], kp: 1, target: [90 deg],\n"
      "           sample: {rate: 10 Hz, noise: {position: 1, rate: 2}}}]\n"
      "events: [{when: q.elbow, crosses: 45 deg, do: [{set: {block: arm, parameter: elbow.target, value: 30 "
      "deg}},\n"
      "                                               {set: {block: arm, parameter: elbow.kp, value: 3}}]},\n"
      "         {when: v.elbow, crosses: 10 deg/s}, {when: p.hand.z, crosses: 20 cm}]\n"
      "view: {ground: -1}\n");
  char* text;
  size_t size;
  fb_error error;
  assert_int_equal(fb_scenario_explain(s, &text, &size, &error), FB_OK);
  static const char* const lines[] = {
      "elbow at 90 deg",
      "elbow 90 deg, sampled every 0.1 s, with noise of 57.2958 deg or 1 m, 114.592 deg/s or 2 m/s\n",
      ("when q.elbow passes 45 deg: elbow.target of 'arm' is set to 30 deg; elbow.kp of 'arm' is set to 3 N "
       "m/rad\n"),
      "when v.elbow passes 10 deg/s, only logged\n",
      "when p.hand.z passes 0.2 m, only logged\n",
      "ground drawn at z = -1 m (nothing touches it)\n",
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(text, lines[i])) fail_msg("no \"%s\" in\n%s", lines[i], text);
  free(text);
  fb_scenario_free(s);
}

static void test_options_are_checked(void** state) {
  (void)state;
  fb_scenario* s;
  fb_error error;
  fb_scenario_options options = fb_default_scenario_options();
  options.cookie_ = 0;
  assert_int_equal(fb_scenario_read(FOLDER "full.yaml", &options, &s, &error), FB_ERR_ARG);
  options = fb_default_scenario_options();
  options.duration = 0;
  assert_int_equal(fb_scenario_read(FOLDER "full.yaml", &options, &s, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "the duration is 0 s"));
  options.duration = NAN;
  assert_int_equal(fb_scenario_read(FOLDER "full.yaml", &options, &s, &error), FB_ERR_ARG);
  assert_int_equal(fb_scenario_read(FOLDER "nowhere.yaml", NULL, &s, &error), FB_ERR_IO);
  static const char* const model[] = {"model=other.yaml", NULL};
  options = fb_default_scenario_options();
  options.set = model;
  assert_int_equal(fb_scenario_read(FOLDER "robot.yaml", &options, &s, &error), FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "is a model itself"));
}

/* --- copies --- */

static void test_copies_are_read_back_when_the_originals_are_gone(void** state) {
  (void)state;
  char folder[] = FB_BINARY_DIR "/scenario-XXXXXX", path[600];
  static const char* const names[] = {"0-scene.yaml", "1-robot.yaml", "2-debris.yaml"};
  fb_error error;
  assert_non_null(mkdtemp(folder));
  fb_scenario* s = read_file(FOLDER "scene.yaml", NULL);
  assert_int_equal(fb_scenario_write(s, folder, &error), FB_OK);
  fb_scenario_options options = fb_default_scenario_options();
  options.inputs = folder;
  fb_scenario* again = read_file("gone/scene.yaml", &options);
  assert_int_equal(fb_model_nq(fb_scenario_model(s)), fb_model_nq(fb_scenario_model(again)));
  assert_memory_equal(fb_scenario_q(s), fb_scenario_q(again),
                      (size_t)fb_model_nq(fb_scenario_model(s)) * sizeof(double));
  for (int i = 0; i < 3; i++) {
    char *text, *copy;
    size_t size, copied;
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    assert_int_equal(fb_file_read(path, &copy, &copied, &error), FB_OK);
    snprintf(path, sizeof path, FOLDER "%s", names[i] + 2);
    assert_int_equal(fb_file_read(path, &text, &size, &error), FB_OK);
    assert_int_equal(size, copied);
    assert_memory_equal(text, copy, size);
    free(text);
    free(copy);
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    assert_int_equal(unlink(path), 0);
  }
  fb_scenario_free(again);
  assert_int_equal(fb_scenario_read("gone/scene.yaml", &options, &again, &error), FB_ERR_IO);
  assert_int_equal(rmdir(folder), 0);
  assert_int_equal(fb_scenario_write(s, folder, &error), FB_ERR_IO);
  fb_scenario_free(s);
}

/* --- numbers --- */

/* Where the locale writes 1,5 files still say 1.5. No such locale need be installed, so what strtod would take is
 * tried too: hexadecimal numbers, infinities by their names, blanks in front. */
static void test_numbers_do_not_depend_on_the_locale(void** state) {
  (void)state;
  static const char* const locales[] = {"de_DE.UTF-8", "de_DE", "fr_FR.UTF-8", "C.UTF-8"};
  static const char* const wrong[] = {"0x10", "1,5", "inf", "1.5e", "'1.5'"};
  for (size_t i = 0; i < sizeof locales / sizeof *locales; i++) {
    setlocale(LC_ALL, locales[i]);
    fb_scenario* s = parse("{scenario: 1, model: robot.yaml, duration: 1.5, integrator: {step: 0.5 ms}}");
    assert_true(fb_scenario_duration(s) == 1.5);
    char* text;
    assert_int_equal(fb_scenario_explain(s, &text, NULL, NULL), FB_OK);
    free(text);
    fb_scenario_free(s);
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
      char line[100];
      fb_error error;
      snprintf(line, sizeof line, "{scenario: 1, model: robot.yaml, duration: %s}", wrong[k]);
      if (!fb_scenario_parse(line, strlen(line), FOLDER "case.yaml", NULL, &s, &error))
        fail_msg("%s was taken for a number", wrong[k]);
    }
  }
  setlocale(LC_ALL, "C");
}

/* --- explaining --- */

static void test_the_explanation_tells_everything(void** state) {
  (void)state;
  static const char* const phrases[] = {
      "robot.yaml: 7 bodies, 14 degrees of freedom, 113 kg\n",
      "gravity     [0, 0, -1.62] m/s^2\n",
      "base at [1, 2, 3] m, rpy [0, 0, 90] deg, moving at [0.277778, 0, 0] m/s, [0, 0, 6] deg/s\n",
      "shoulder at 30 deg\n",
      "park: gimbal is locked, from the start\n",
      "spin: ball moves at 0 deg/s, 0 deg/s, 6 deg/s, when an event says so\n",
      "hold: slide is held at 0.3 m, from the start\n",
      "reach: elbow follows a path that begins at 0 deg, when an event says so\n",
      "approach at the start, of 2\n",
      "arm: joint PD along paths: elbow; to targets: shoulder 10 deg, in mode approach\n",
      "firm: joint PD to targets: shoulder 0 deg, in mode hold\n",
      "push: [1, 0, 0] N, [0, 0, 0.001] N m on hand, its own axes, from 1 s to 2 s\n",
      "forces[3]: a schedule of 3 rows on camera, world axes, from 0 s to 2 s\n",
      "beat: at 1 s and every 2 s after it: shoulder.target of 'arm' is set to 20 deg\n",
      "high: the first time that p.hand.z rises through 0.5 m: joint 'shoulder' is locked; mode 'hold'",
      "low: when q.elbow passes -90 deg: joint 'shoulder' is released; motion 'reach' begins\n",
      "stop        events[3].lower: q.elbow cannot fall below -114.592 deg: joint 'elbow' bounces, "
      "restitution "
      "0.5\n",
      "events[3].upper: q.elbow cannot exceed 114.592 deg: joint 'elbow' bounces, restitution 0.5\n",
      "crossings   low: every crossing of the computed motion is found",
      "high: found inside steps too; two crossings can be missed only in a ripple much faster than the links "
      "turn\n",
      "integrator  dopri5, rtol 1e-08, atol 1e-10\n",
      "duration    12 s, a checkpoint every 3 s\n",
      "limits      of 2 joints (shoulder, slide) are not enforced: 'limits: contact' would make them rigid "
      "stops, and an event can say what else happens there\n",
      "log         53 signals every 0.1 s: 121 samples\n"};
  fb_scenario* s = read_file(FOLDER "full.yaml", NULL);
  char* text;
  size_t size;
  assert_int_equal(fb_scenario_explain(s, &text, &size, NULL), FB_OK);
  assert_int_equal(size, strlen(text));
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
    if (!strstr(text, phrases[i])) fail_msg("'%s' is not in\n%s", phrases[i], text);
  free(text);
  fb_scenario_free(s);
}

/* --- documentation --- */

static char* read_page(void) {
  char* page;
  size_t size;
  fb_error error;
  assert_int_equal(fb_file_read(FB_SOURCE_DIR "/docs/scenario.md", &page, &size, &error), FB_OK);
  return page;
}

static void test_the_page_holds_the_printed_key_tables(void** state) {
  (void)state;
  char *page = read_page(), *tables = fb_schema_markdown(&fb_scenario_schema, NULL);
  assert_non_null(tables);
  if (!strstr(page, tables))
    fail_msg(
        "docs/scenario.md is behind the schema; put the output of `freebody schema scenario` under Keys:\n%s",
        tables);
  free(tables);
  free(page);
}

static void test_the_examples_of_the_page_load(void** state) {
  (void)state;
  char* page = read_page();
  int count = 0;
  for (char* at = page; (at = strstr(at, "```yaml\n")) != NULL; count++) {
    at += strlen("```yaml\n");
    char* end = strstr(at, "```");
    assert_non_null(end);
    *end = '\0';
    fb_scenario* s;
    fb_error error;
    if (fb_scenario_parse(at, strlen(at), FB_SOURCE_DIR "/docs/scenario.md", NULL, &s, &error))
      fail_msg("line %d of an example: %s", error.place.line, error.text);
    fb_scenario_free(s);
    at = end + 1;
  }
  assert_true(count >= 1);
  free(page);
}

static void test_the_json_schema_knows_every_key(void** state) {
  (void)state;
  size_t size;
  char* text = fb_schema_json(&fb_scenario_schema, &size);
  fb_doc* doc = NULL;
  fb_error error;
  if (fb_doc_parse(text, size, "schema", &doc, &error)) fail_msg("%s", error.text);
  for (int object = 0; object < FB_SCENARIO_OBJECT_COUNT; object++) {
    const fb_node* defs = fb_map_get(fb_doc_root(doc), "$defs");
    const fb_node* entry =
        object ? fb_map_get(defs, fb_scenario_schema.objects[object].name) : fb_doc_root(doc);
    int count = 0;
    assert_non_null(entry);
    for (const fb_field* field; (field = fb_schema_field(&fb_scenario_schema, object, count)) != NULL;
         count++)
      if (!fb_map_get(fb_map_get(entry, "properties"), field->key)) fail_msg("%s is missing", field->key);
    assert_in_range(count, 1, FB_SCHEMA_MAX_KEYS);
  }
  fb_doc_free(doc);
  free(text);
}

/* The implicit method has no diagonal there. */
static void auto_takes_dopri5_for_dampers_of_free_joints(void** unused) {
  (void)unused;
  fb_scenario* s = parse(
      "scenario: 1\nduration: 0.1\nstart: {base: {velocity: [1, 0, 0]}}\nmodel:\n  freebody: 1\n  bodies:\n"
      "    - {name: hull, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: free, damping: [1e4, 1e4, "
      "1e4, 0, 0, 0]}}\n");
  assert_int_equal(s->options.method, FB_METHOD_DOPRI5);
  assert_true(s->options.step == 0 && s->options.rtol == 0);
  fb_sim* sim = run(s, 0.1);
  assert_true(fabs(fb_sim_v(sim)[0]) < 1e-8); /* a hundredth of the accuracy, times a metre in a second */
  fb_sim_free(sim);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(auto_takes_dopri5_for_dampers_of_free_joints),
      cmocka_unit_test(test_every_key_is_read),
      cmocka_unit_test(test_defaults_are_those_of_the_page),
      cmocka_unit_test(test_a_bare_model_runs_with_defaults),
      cmocka_unit_test(test_a_floating_tree_starts_without_momentum),
      cmocka_unit_test(test_models_share_a_scene),
      cmocka_unit_test(test_a_scenario_runs_and_its_events_happen),
      cmocka_unit_test(test_actions_do_what_they_say),
      cmocka_unit_test(test_two_readings_give_equal_runs),
      cmocka_unit_test(test_outside_integrators_are_made_or_refused),
      cmocka_unit_test(test_overrides_change_what_they_name),
      cmocka_unit_test(test_overrides_fill_large_maps),
      cmocka_unit_test(test_null_takes_a_key_away),
      cmocka_unit_test(test_wrong_overrides_are_told),
      cmocka_unit_test(test_explanations_have_one_unit_for_angles),
      cmocka_unit_test(test_options_are_checked),
      cmocka_unit_test(test_copies_are_read_back_when_the_originals_are_gone),
      cmocka_unit_test(test_numbers_do_not_depend_on_the_locale),
      cmocka_unit_test(test_the_explanation_tells_everything),
      cmocka_unit_test(test_the_page_holds_the_printed_key_tables),
      cmocka_unit_test(test_the_examples_of_the_page_load),
      cmocka_unit_test(test_the_json_schema_knows_every_key),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
