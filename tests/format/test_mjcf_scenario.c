/* test_mjcf_scenario.c -- scenarios from MJCF: actuators, tendons and keyframes move the robot as they do in MuJoCo; what has no
 * counterpart is noted; contacts are those that MuJoCo would find. */
#include "run_command.h"

#include <math.h>

#include <mujoco/mujoco.h>

#include <freebody/io.h>

#include "near.h"

/* One joint for each kind of actuator, a tendon of two joints, two springs, and a body that floats under thrust. Debian's
 * MuJoCo knows all of it. */
static const char MANY[] =
    "<mujoco model=\"many\"><compiler angle=\"radian\" autolimits=\"true\"/>\n"
    "<option timestep=\"0.0001\" integrator=\"RK4\"><flag contact=\"disable\"/></option>\n"
    "<default><default class=\"soft\"><position kp=\"3\"/></default><default class=\"strong\"><general "
    "gainprm=\"30\" biasprm=\"1 -30 -2\" "
    "biastype=\"affine\"/></default></default>\n"
    "<worldbody><site name=\"hook\" pos=\"0.3 0 0.4\"/>\n"
    "<body name=\"a\"><joint name=\"ja\" axis=\"0 1 0\"/><geom type=\"capsule\" fromto=\"0 0 0 0.4 0 0\" "
    "size=\"0.03\"/>\n"
    "<body name=\"b\" pos=\"0.4 0 0\"><joint name=\"jb\" axis=\"0 1 0\" ref=\"0.2\"/><geom type=\"capsule\" "
    "fromto=\"0 0 0 0.3 0 0\" size=\"0.03\"/><site name=\"b\" pos=\"0.3 0 0\"/>\n"
    "<body name=\"c\" pos=\"0.3 0 0\"><joint name=\"jc\" type=\"slide\" axis=\"1 0 0\"/><geom "
    "size=\"0.05\"/>\n"
    "<body name=\"d\" pos=\"0.1 0 0\"><joint name=\"jd\" axis=\"0 0 1\"/><geom type=\"box\" size=\"0.1 0.02 "
    "0.02\" "
    "pos=\"0.1 0 0\"/>\n"
    "<body name=\"e\" pos=\"0.2 0 0\"><joint name=\"je\" axis=\"0 0 1\"/><geom type=\"box\" size=\"0.1 0.02 "
    "0.02\" "
    "pos=\"0.1 0 0\"/></body></body></body></body></body>\n"
    "<body name=\"f\" pos=\"0 1 0.5\" euler=\"0.1 0.2 0\"><freejoint name=\"jf\"/><geom type=\"box\" "
    "size=\"0.1 0.2 "
    "0.05\"/><site name=\"rotor\" pos=\"0.01 0 0\"/></body></worldbody>\n"
    "<tendon><fixed name=\"both\"><joint joint=\"jd\" coef=\"1\"/><joint joint=\"je\" "
    "coef=\"-0.5\"/></fixed>\n"
    "<fixed name=\"band\" stiffness=\"2\" damping=\"0.05\" springlength=\"0.1\"><joint joint=\"jb\" "
    "coef=\"1\"/>"
    "<joint joint=\"jd\" coef=\"2\"/></fixed>\n"
    "<spatial name=\"rope\" stiffness=\"40\" damping=\"1\"><site site=\"hook\"/><site "
    "site=\"b\"/></spatial></tendon>\n"
    "<actuator><position name=\"pa\" class=\"soft\" joint=\"ja\" gear=\"2\" forcerange=\"-15 15\"/><velocity "
    "joint=\"jb\" "
    "kv=\"0.4\"/>\n"
    "<motor name=\"mc\" joint=\"jc\" gear=\"5\" ctrlrange=\"-1 1\"/><general class=\"strong\" name=\"gd\" "
    "joint=\"jd\"/>\n"
    "<general name=\"tb\" tendon=\"both\" gainprm=\"4\" biasprm=\"0 -4 -0.3\" biastype=\"affine\" "
    "gear=\"1.5\"/>\n"
    "<motor name=\"up\" site=\"rotor\" gear=\"0 0 1 0 0 0.02\"/><motor name=\"mc2\" joint=\"jc\" "
    "gear=\"-1\"/>"
    "</actuator>\n"
    "<keyframe><key name=\"home\" qpos=\"0.1 0.3 0.02 -0.2 0.4 0 1 0.5 1 0 0 0\" ctrl=\"0.5 0 0.8 0.25 0.3 "
    "35 "
    "0.5\"/></keyframe></mujoco>\n";

/* The last line of a table of numbers; its count. */
static int last_row(const char* file, double* x, int most) {
  char *text = slurp(file), *line = text, *end;
  int count = 0;
  for (char* at = text; *at; at++)
    if (at[0] == '\n' && at[1]) line = at + 1;
  for (char* at = line; count < most; at = end + 1) {
    x[count++] = strtod(at, &end);
    if (*end != ',') break;
  }
  free(text);
  return count;
}

static void actuators_and_tendons_move_a_robot_as_in_mujoco(void** state) {
  (void)state;
  enum { NQ = 12 };
  char message[1000] = "";
  double ours[NQ + 1];
  spill("many.xml", MANY);
  outcome o = run(
      "$FB convert --to scenario many.xml many.yaml && $FB run many.yaml -o many.run --duration 0.3 --set "
      "'integrator={method: dopri5, rtol: 1e-11, atol: 1e-12}' && $FB export many.run -o many.csv --signals "
      "q");
  if (o.code != 0) fail_msg("%s%s", o.out, o.err);
  assert_non_null(strstr(o.err, " 0 things lost"));
  assert_int_equal(last_row("many.csv", ours, NQ + 1), NQ + 1);
  mjModel* m = mj_loadXML("many.xml", NULL, message, sizeof message);
  if (!m) fail_msg("%s", message);
  mjData* d = mj_makeData(m);
  mj_resetDataKeyframe(m, d, 0);
  for (int i = 0; i < 3000; i++) mj_step(m, d);
  assert_int_equal(m->nq, NQ);
  assert_true(fabs(ours[1] - 0.1) > 0.05);             /* it has moved */
  assert_near_of(1, "q", ours + 1, d->qpos, NQ, 1e-8); /* of two methods with errors below 1e-9 */
  mj_deleteData(d);
  mj_deleteModel(m);
  outcome_free(&o);
}

/* --- notes --- */

#define ARM(more)                                                                                        \
  "<mujoco><compiler angle=\"radian\"/><worldbody><site name=\"w\"/><body name=\"a\"><joint name=\"j\" " \
  "axis=\"0 1 0\"/>"                                                                                     \
  "<geom size=\"0.1\" pos=\"0.5 0 0\"/><site name=\"s\"/></body></worldbody>" more "</mujoco>"

typedef struct scene_case {
  const char *text, *written, *noted;
} scene_case;

static void what_is_written_and_what_is_lost(void** state) {
  (void)state;
  static const scene_case cases[] = {
      {ARM("<actuator><position joint=\"j\" kp=\"10\" kv=\"1\"/></actuator>"), "kp: 10\n    kd: 1\n", ""},
      {ARM("<actuator><intvelocity joint=\"j\" kp=\"10\"/></actuator>"), "kp: 10\n",
       "the filter or integrator"},
      {ARM("<actuator><muscle joint=\"j\"/></actuator>"), "",
       "lost: line 1: a <muscle> actuator with a law of its kind"},
      {ARM("<actuator><adhesion body=\"a\"/></actuator>"), "", "lost: line 1: a <adhesion> actuator"},
      {ARM("<actuator><motor cranksite=\"s\" slidersite=\"w\"/></actuator>"), "",
       "lost: line 1: a <motor> actuator with "},
      {ARM("<actuator><position joint=\"j\" kp=\"10\" forcerange=\"-1 2\"/></actuator>"), "effort: 2\n",
       "forcerange that is not symmetric"},
      {ARM("<actuator><motor joint=\"j\"/></actuator>"), "type: input\n    joints: [j]\n    limit: true\n",
       ""},
      {ARM("<tendon><spatial stiffness=\"5\" springlength=\"0 0.3\"><site site=\"w\"/><site "
           "site=\"s\"/></spatial>"
           "</tendon>"),
       "stiffness: 5\n    damping: 0\n    length: 0.3\n    slack: true\n", ""},
      {ARM("<tendon><spatial stiffness=\"5\"><site site=\"w\"/><geom geom=\"g\"/><site "
           "site=\"s\"/></spatial></tendon>"),
       "", "lost: line 1: the spring or damper of a tendon that passes over a surface"},
      {ARM("<tendon><spatial range=\"0 1\"><site site=\"w\"/><site site=\"s\"/></spatial></tendon>"), "",
       "lost: line 1: range of a tendon"},
      {ARM("<keyframe><key qpos=\"0.5\"/><key qpos=\"0.7\"/></keyframe>"), "joints:\n    j: 0.5\n",
       "the start is the first keyframe"},
      {ARM("<keyframe><key qpos=\"0.5 1\"/></keyframe>"), "", "it has 2 numbers, the model 1 coordinate"},
      {ARM("<keyframe><key qvel=\"1\"/></keyframe>"), "", "lost: line 1: qvel of a keyframe"},
      {"<mujoco><worldbody><body name=\"a\" gravcomp=\"0.5\"><joint/><geom size=\"0.1\" mass=\"2\" pos=\"1 0 "
       "0\"/></body>"
       "</worldbody></mujoco>",
       "frame: a_com\n    force: [0, 0, 9.81]\n", ""},
      {"<mujoco><worldbody><body name=\"a\" pos=\"1 2 3\"><freejoint/><geom size=\"0.1\"/></body></worldbody>"
       "<keyframe><key qpos=\"0 0 1 0 0 0 0\"/></keyframe></mujoco>",
       "at: [0, 0, 1]\n    quat: [1, 0, 0, 0]\n", ""},
      {"<mujoco><worldbody><body name=\"a\" pos=\"1 2 3\"><freejoint/><geom "
       "size=\"0.1\"/></body></worldbody></mujoco>",
       "base:\n    at: [1, 2, 3]\n    quat: [1, 0, 0, 0]\n", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    spill("case.xml", cases[i].text);
    outcome o = run("$FB convert --to scenario --force case.xml case.yaml && $FB check case.yaml");
    char* text = o.code == 0 ? slurp("case.yaml") : NULL;
    if (!text || !strstr(text, cases[i].written) || !strstr(o.err, cases[i].noted))
      fail_msg("case %zu: %s%s\n%s", i, o.out, o.err, text ? text : "");
    free(text);
    outcome_free(&o);
  }
}

/* MuJoCo 3: kv = 2 ratio sqrt(kp m), where m is the inertia about the joint at qpos0 over the gear squared. */
static void damping_ratios_are_those_of_the_inertia_at_the_start(void** state) {
  (void)state;
  spill("case.xml",
        ARM("<actuator><position joint=\"j\" kp=\"8\" dampratio=\"0.5\" gear=\"2\"/></actuator>"));
  outcome o = run("$FB convert --to scenario --force case.xml -");
  double mass = 1000 * 4.0 / 3 * 3.14159265358979323846 * 1e-3, inertia = mass * (0.4 * 0.01 + 0.25);
  double wanted = 2 * 2 * (2 * 0.5 * sqrt(8 * inertia / 4)), kd = 0;
  const char* at = strstr(o.out, "kd: ");
  assert_non_null(at);
  kd = strtod(at + 4, NULL);
  assert_near_of(1, "kd", &kd, &wanted, 1, 1e-12 * wanted);
  outcome_free(&o);
}

static void ranges_of_actuators_are_the_efforts_of_joints(void** state) {
  (void)state;
  static const struct {
    const char* actuators;
    double effort;
  } cases[] = {
      {"<motor joint=\"j\" gear=\"-3\" ctrlrange=\"-2 2\"/>", 6},
      {"<motor joint=\"j\" gear=\"3\" ctrlrange=\"-2 2\" forcerange=\"-1 1\"/>", 3},
      {"<position joint=\"j\" ctrlrange=\"-2 2\"/>", INFINITY},
      {"<position joint=\"j\" forcerange=\"-7 7\"/>", 7},
      {"<position joint=\"j\" forcerange=\"-7 7\" forcelimited=\"false\"/>", INFINITY},
      {"<position joint=\"j\" forcerange=\"-7 7\"/><motor joint=\"j\" ctrlrange=\"-1 1\"/>", 8},
      {"<position joint=\"j\" forcerange=\"-7 7\"/><motor joint=\"j\"/>", INFINITY},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[1200];
    fb_model_def* def = NULL;
    fb_error error;
    snprintf(text, sizeof text, ARM("<actuator>%s</actuator>"), cases[i].actuators);
    assert_int_equal(fb_model_def_parse(text, strlen(text), "robot.xml", NULL, &def, &error), FB_OK);
    double effort = fb_model_def_body(def, fb_model_def_nbody(def) - 1)->joint.effort[0];
    if (effort != cases[i].effort) fail_msg("case %zu: %g for %g", i, effort, cases[i].effort);
    fb_model_def_free(def);
  }
}

/* --- contacts --- */

static const char PILE[] =
    "<mujoco><default><geom friction=\"0.5\"/></default><worldbody><geom name=\"floor\" type=\"plane\" "
    "size=\"1 1 1\" "
    "friction=\"0.8\"/>\n"
    "<geom name=\"step\" type=\"box\" size=\"0.1 1 0.1\" pos=\"2 0 0.1\"/>\n"
    "<body name=\"box\" pos=\"0 0 0.1\"><freejoint/><geom type=\"box\" size=\"0.1 0.1 0.1\"/>"
    "<body name=\"arm\" pos=\"0.2 0 0\"><joint range=\"-10 10\"/><geom type=\"sphere\" size=\"0.05\"/>"
    "<body name=\"hand\" pos=\"0.2 0 0\"><joint/><geom size=\"0.05\"/></body></body></body>\n"
    "<body name=\"ghost\" pos=\"0 0 1\"><freejoint/><geom size=\"0.1\" contype=\"2\" "
    "conaffinity=\"2\"/></body>\n"
    "<body name=\"ice\" pos=\"0 1 1\"><freejoint/><geom size=\"0.1\" friction=\"0.1\" "
    "priority=\"1\"/></body></worldbody>\n"
    "<contact><exclude body1=\"box\" body2=\"ice\"/></contact></mujoco>";

static void contacts_are_those_that_mujoco_would_find(void** state) {
  (void)state;
  static const char* const written[] = {
      "name: floor\n    kind: plane\n",
      "a: box\n    b: [floor]\n    friction: 0.8\n", /* not the arm, its child, nor what is excluded */
      "a: box\n    b: [worldbody, hand]\n    friction: 0.5\n", /* the step, and its grandchild */
      "a: arm\n    b: [floor]\n    friction: 0.8\n",
      "a: arm\n    b: [ice]\n    friction: 0.1\n",
      "a: ice\n    b: [floor, worldbody]\n    friction: 0.1\n", /* by its priority */
      "limits: contact\n",
  };
  spill("pile.xml", PILE);
  outcome o =
      run("$FB convert --to scenario --contacts pile.xml pile.yaml && $FB run pile.yaml --duration 0.02 -o "
          "pile.run");
  if (o.code != 0) fail_msg("%s%s", o.out, o.err);
  char* text = slurp("pile.yaml");
  for (size_t i = 0; i < sizeof written / sizeof *written; i++)
    if (!strstr(text, written[i])) fail_msg("'%s' is not in\n%s", written[i], text);
  assert_null(strstr(strstr(text, "contacts:"), "ghost"));
  free(text);
  outcome_free(&o);
}

/* --- the command --- */

typedef struct usage_case {
  const char* line;
  int code;
  const char* says;
} usage_case;

static void the_command_says_what_it_cannot_do(void** state) {
  (void)state;
  static const usage_case cases[] = {
      {"$FB convert --contacts many.xml x.yaml", 2, "--contacts goes with --to scenario"},
      {"$FB convert --to scenario many.yaml x.yaml", 2, "from a file of MJCF alone"},
      {"$FB convert --to scenario gone.xml x.yaml", 2, "there is no such file"},
      {"$FB convert --to scenary many.xml x.yaml", 2, "did you mean 'scenario'"},
  };
  spill("many.xml", MANY);
  spill("many.yaml", "freebody: 1\nbodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]\n");
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    outcome o = run(cases[i].line);
    if (o.code != cases[i].code || !strstr(o.err, cases[i].says))
      fail_msg("%s: %d\n%s%s", cases[i].line, o.code, o.out, o.err);
    outcome_free(&o);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(actuators_and_tendons_move_a_robot_as_in_mujoco),
      cmocka_unit_test(what_is_written_and_what_is_lost),
      cmocka_unit_test(damping_ratios_are_those_of_the_inertia_at_the_start),
      cmocka_unit_test(ranges_of_actuators_are_the_efforts_of_joints),
      cmocka_unit_test(contacts_are_those_that_mujoco_would_find),
      cmocka_unit_test(the_command_says_what_it_cannot_do),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
