/* test_scenario_control_malformed.c -- what is wrong with a control law or a path of a scenario is said with its line,
 * its column and what to do. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>

#include "random.h"
#include "scenario_rig.h"

/* What follows is line 3. */
#define ROBOT "scenario: 1\nmodel: robot.yaml\n"
#define ARM "scenario: 1\nmodel: arm.yaml\n"
#define DEBRIS "scenario: 1\nmodels: [{model: debris.yaml, name: a}, {model: debris.yaml, name: b}]\n"

static const malformed CASES[] = {
    {ROBOT "control: [{type: joint_pid, kp: 1}]\n", 3, 11, "a joint_pid controller needs the key 'ki'"},
    {ROBOT "control: [{type: joint_pdi, kp: 1}]\n", 3, 18,
     "'joint_pdi' is not a type of a controller; did you mean 'joint_pd'?"},
    {ROBOT "control: [{type: joint_pd, kp: 1, ki: 1 N m/rad, joints: elbow}]\n", 3, 39,
     "'1 N m/rad' is an angular stiffness, but an angular integral gain is expected"},
    {ROBOT "control: [{type: joint_pd, kp: 1, ki: -1}]\n", 3, 39, "'ki' is -1, but must not be negative"},
    {ROBOT "control: [{type: joint_pd, kp: 1, gain: 2}]\n", 3, 41,
     "a joint_pd controller cannot have 'gain'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, frame: hand}]\n", 3, 42,
     "a joint_pd controller cannot have 'frame'"},
    {ROBOT "control: [{type: computed_torque, kp: 1, ki: 1}]\n", 3, 46,
     "a computed_torque controller cannot have 'ki'"},
    {ROBOT "control: [{type: computed_torque, joints: elbow, kp: 4 N m/rad}]\n", 3, 54,
     "a plain number is expected here, without 'N m/rad'"},
    {ROBOT "control: [{type: computed_torque, kp: [1, 2], joints: elbow}]\n", 3, 39,
     "'kp' has 2 numbers, but 1 coordinates are controlled"},
    {ROBOT "control: [{type: computed_torque, kp: 1, joints: ball}]\n", 3, 50,
     "computed_torque is for angles and lengths"},
    {ROBOT "control: [{type: computed_torque}]\n", 3, 11, "a computed_torque controller needs the key 'kp'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, joints: elbow, path: {times: [0, 1], values: {elbow: [0, 1]}, "
           "shape: sine}}]\n",
     3, 104, "'sine' is not a shape of a joint_path"},
    {ROBOT "control: [{type: joint_pd, kp: 1, joints: elbow, path: {times: [0, 1], values: {elbow: [0, 1]}, "
           "ramp: 0.2}}]\n",
     3, 103, "a cubic joint_path cannot have 'ramp'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, joints: elbow, path: {times: [0, 1], values: {elbow: [0, 1]}, "
           "shape: trapezoid, ramp: 0.6}}]\n",
     3, 121, "'ramp' is 0.6, but speeding up and slowing down take the whole time at 0.5 already"},
    {ROBOT "control: [{type: joint_pd, kp: 1, joints: elbow, path: {times: [0, 1], values: {elbow: [0, 1]}, "
           "shape: trapezoid, ramp: 0}}]\n",
     3, 121, "'ramp' is 0, but must be more than 0"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0, 1], shaping: {damping: 0.1}}}]\n", 3,
     73, "a shaping needs the key 'frequency'"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0, 1], shaping: {frequency: 0}}}]\n", 3,
     85, "'frequency' is 0, but must be more than 0"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0, 1], shaping: {frequency: 2 s}}}]\n", 3,
     85, "'2 s' is a time, but a frequency is expected"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0, 1], shaping: {frequency: 2 Hz, "
           "damping: 1}}}]\n",
     3, 100, "'damping' is a ratio, and 1 of it does not vibrate"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0, 1], shaping: {freqency: 2 Hz}}}]\n", 3,
     74, "a shaping has no key 'freqency'; did you mean 'frequency'?"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0, 1], shaping: 2 Hz}}]\n", 3, 73,
     "expected a shaping, which is a map of keys and values, but found the text '2 Hz'"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1e-300], values: [0, 1], shape: quintic}}]\n", 3, 61,
     "a spline from"},
    {ROBOT "control: [{type: frame_tracking, kp: 1}]\n", 3, 11,
     "a frame_tracking controller needs the key 'frame'"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hnd}]\n", 3, 48,
     "there is no frame 'hnd'; did you mean 'hand'?"},
    {ROBOT "control: [{type: frame_tracking, frame: hand}]\n", 3, 11,
     "a frame_tracking controller needs the key 'kp'"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: base}]\n", 3, 48,
     "block \"control[0]\": no joint lies between frame \"base\" and its floating base \"base\", so nothing"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: world}]\n", 3, 48, "the world does not move"},
    {ROBOT "control: [{type: frame_tracking, kp: [1, 2], frame: hand}]\n", 3, 38,
     "expected a number, but found a list of 2"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, kd: -1}]\n", 3, 58,
     "'kd' is -1, but must not be negative"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, effort: 5 N}]\n", 3, 62,
     "'5 N' is a force, but a torque is expected"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: cart, effort: 5 N m}]\n", 3, 62,
     "'5 N m' is a torque, but a force is expected"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, damping: -1}]\n", 3, 63,
     "'damping' is -1, but must not be negative"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, rows: pos}]\n", 3, 60,
     "'pos' is not a rows of a controller; did you mean 'pose'?"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, jacobian: plain}]\n", 3, 64,
     "a frame_tracking controller cannot have 'jacobian'"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, rows: position, axis: [0, 0, 1], turn: "
           "{times: [0, 1], angles: [0, 1]}}]\n",
     3, 93, "rows: position leaves the attitude free"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, kp: 1}]\n", 3, 50,
     "a resolved_rate controller cannot have 'kp'"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, gain: 0}]\n", 3, 52,
     "'gain' is 0, but must be more than 0"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, effort: 5}]\n", 3, 54,
     "a resolved_rate controller cannot have 'effort'"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, limit: true}]\n", 3, 53,
     "a resolved_rate controller cannot have 'limit'"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, jacobian: full}]\n", 3, 56,
     "'full' is not a jacobian of a controller"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, from_start: true}]\n", 3, 58,
     "'from_start' also needs 'position'"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1]}}]\n", 3, 56,
     "a position needs 'points', or x, y and z"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {x: [0, 1]}}]\n", 3, 56,
     "a cubic position needs the key 'times'"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1], x: [0]}}]\n", 3, 75,
     "there are 2 times, but 1 values"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1], x: [0, 1 deg]}}]\n", 3, 79,
     "'1 deg' is an angle, but a length is expected"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1], x: [0, 1], points: [[0, "
           "0, 0], [1, 0, 0]]}}]\n",
     3, 75, "'points' has x, y and z already"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1], points: [[0, 0, 0]]}}]\n",
     3, 80, "there are 2 times, but 1 points"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1], points: [[0, 0, 0], [1, "
           "0]]}}]\n",
     3, 92, "expected a list of 3 numbers, but found a list of 2"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: {times: [0, 1], points: 5}}]\n", 3, 80,
     "expected a list of points, as [[1, 0, 0], [1, 0.5, 0]], but found the number '5'"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, position: [0, 0, 1]}]\n", 3, 56,
     "expected a position, which is a map of keys and values, but found a list of 3"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, axis: [0, 0, 1]}]\n", 3, 52,
     "'axis' also needs 'turn', with times and angles"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, turn: {times: [0], angles: [1]}}]\n", 3, 52,
     "'turn' also needs 'axis', such as [0, 0, 1]"},
    {ROBOT
     "control: [{type: resolved_rate, frame: hand, axis: [0, 0, 0], turn: {times: [0], angles: [1]}}]\n",
     3, 52, "'axis' is zero, so it has no direction"},
    {ROBOT
     "control: [{type: resolved_rate, frame: hand, axis: [0, 0, 1], turn: {times: [0], angles: [1 m]}}]\n",
     3, 91, "'1 m' is a length, but an angle is expected"},
    {ROBOT "control: [{type: resolved_rate, frame: hand, axis: [0, 0, 1], turn: {times: [0]}}]\n", 3, 69,
     "a cubic turn needs the key 'angles'"},
    {ROBOT "control: [{type: reaction_null, frame: hand, rows: pose}]\n", 3, 52,
     "a reaction_null controller cannot have 'rows'"},
    {ROBOT "control: [{type: reaction_null, frame: hand, turn: {times: [0], angles: [1]}}]\n", 3, 52,
     "a reaction_null controller cannot have 'turn'"},
    {ARM "control: [{type: reaction_null, frame: tip}]\n", 3, 40, "does not float"},
    {ROBOT "control: [{type: resolved_rate, frame: hand}, {type: resolved_rate, frame: lower}]\n", 3, 76,
     "the law 'control[0]' moves the joint 'shoulder' already"},
    {ROBOT "control: [{type: resolved_rate, frame: hand}]\nintegrator: {method: momentum}\n", 4, 22,
     "the law 'control[0]' moves joints, which the momentum method cannot take"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, from: loer}]\n", 3, 60,
     "did you mean 'lower'?"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, from: cart}]\n", 3, 60,
     "'cart' does not carry the frame 'hand'"},
    {ROBOT "control: [{type: frame_tracking, kp: 1, frame: hand, from: lower}]\n", 3, 48,
     "no joint lies between"},
    {ROBOT "control: [{type: attitude, kp: 1, from: base}]\n", 3, 41,
     "an attitude controller cannot have 'from'"},
    {ROBOT "control: [{type: attitude}]\n", 3, 11, "an attitude controller needs the key 'kp'"},
    {ROBOT "control: [{type: attitude, kp: 1 N/m}]\n", 3, 32,
     "'1 N/m' is a stiffness, but an angular stiffness is expected"},
    {ROBOT "control: [{type: attitude, kp: [1, 2, 3]}]\n", 3, 32,
     "expected an angular stiffness, as 3 or '3 N m/rad', but found a list of 3"},
    {ROBOT "control: [{type: attitude, kp: 1, effort: 5 N}]\n", 3, 43,
     "'5 N' is a force, but a torque is expected"},
    {ROBOT "control: [{type: attitude, kp: 1, body: bas}]\n", 3, 41,
     "there is no floating base 'bas'; did you mean 'base'?"},
    {ROBOT "control: [{type: attitude, kp: 1, body: lower}]\n", 3, 41, "there is no floating base 'lower'"},
    {ARM "control: [{type: attitude, kp: 1}]\n", 3, 11,
     "no base floats in this scene, so there is no attitude to control"},
    {DEBRIS "control: [{type: attitude, kp: 1}]\n", 3, 11, "2 bases float in this scene: a_base, b_base"},
    {DEBRIS "control: [{type: attitude, kp: 1, body: a_base, wheels: []}]\n", 3, 57,
     "the list of wheels is empty"},
    {ROBOT "control: [{type: attitude, kp: 1, wheels: [elbw]}]\n", 3, 44,
     "there is no joint or body 'elbw'; did you mean 'elbow'?"},
    {ROBOT "control: [{type: attitude, kp: 1, wheels: slide}]\n", 3, 43, "wheels turn on revolute joints"},
    {ROBOT "control: [{type: attitude, kp: 1, wheels: [shoulder, upper]}]\n", 3, 54,
     "the wheel 'upper' is named twice"},
    {ROBOT "control: [{type: attitude, kp: 1, wheels: [elbow]}]\n", 3, 43,
     "block \"control[0]\": between wheel \"lower\" and body \"base\" is the revolute joint \"shoulder\""},
    {ROBOT "control: [{type: attitude, kp: 1, saturate: directon}]\n", 3, 45, "did you mean 'direction'?"},
    {ROBOT "control: [{type: joint_pd, kp: 1, saturate: axis}]\n", 3, 45,
     "a joint_pd controller cannot have 'saturate'; it belongs to attitude"},
    {ROBOT "control: [{type: attitude, kp: 1, turn: {times: [0], angles: [1]}}]\n", 3, 41,
     "'turn' also needs 'axis', such as [0, 0, 1]"},
    {ROBOT "control: [{type: lua}]\n", 3, 11,
     "a lua controller needs 'file', the name of a script, or 'text', the script itself"},
    {ROBOT "control: [{type: lua, file: nowhere.lua}]\n", 3, 29,
     "nowhere.lua' cannot be read: there is no such file"},
    {ROBOT "control: [{type: lua, file: 5}]\n", 3, 29, "expected text, but found the number '5'"},
    {ROBOT "control: [{type: lua, file: brake.lua, text: x}]\n", 3, 46, "'file' and 'text' are both there"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 0}]\n", 3, 48,
     "'period' is 0, but must be more than 0"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1 m}]\n", 3, 48,
     "'1 m' is a length, but a time is expected"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1, most_instructions: 0}]\n", 3, 70,
     "'most_instructions' is 0, but must be more than 0"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1, most_memory: 1e9}]\n", 3, 64,
     "'most_memory' is 1e+09 MiB"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1, most_seconds: -1}]\n", 3, 65,
     "'most_seconds' is -1, but must be more than 0"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1, parameters: [1]}]\n", 3, 63,
     "expected a map from names to numbers, but found a list of 1"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1, parameters: {gain: 1 N}}]\n", 3, 70,
     "a plain number is expected here, without 'N'"},
    {ROBOT "control: [{type: lua, file: brake.lua, period: 1, kp: 1}]\n", 3, 55,
     "a lua controller cannot have 'kp'"},
    {ROBOT "control: [{type: plugin}]\n", 3, 11, "a plugin controller needs the key 'file'"},
    {ROBOT "control: [{type: plugin, file: nowhere.so}]\n", 3, 32, "there is no such file"},
    {ROBOT "control: [{type: plugin, file: robot.yaml}]\n", 3, 32, "this is not a shared library"},
    {ROBOT "control: [{type: plugin, text: x, file: robot.yaml}]\n", 3, 32,
     "a plugin controller cannot have 'text'"},
    {ROBOT "control: [{type: plugin, file: robot.yaml, parameters: {gain: high}}]\n", 3, 63,
     "expected a number, but found the text 'high'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {}}]\n", 3, 43,
     "a sample needs 'rate', as 100 Hz, or 'period', as 10 ms"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: 100 Hz}]\n", 3, 43,
     "expected a sample, which is a map of keys and values, but found the text '100 Hz'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, period: 10 ms}}]\n", 3, 66,
     "'rate' and 'period' both say how often it is sampled"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 10 ms}}]\n", 3, 50,
     "'10 ms' is a time, but a frequency is expected"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 0}}]\n", 3, 50,
     "'rate' is 0, but must be more than 0"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {period: 1e-30}}]\n", 3, 43,
     "a sample every 1e-30 s over 10 s gives more than 1e9 samples"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, delay: -1 ms}}]\n", 3, 65,
     "'delay' is -0.001, but must not be negative"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, delay: 1.1 s}}]\n", 3, 65,
     "a delay of 1.1 s is more than 100 periods of 0.01 s"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, noise: 1e-4}}]\n", 3, 65,
     "expected a noise, which is a map of keys and values, but found the number '1e-4'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, noise: {positon: 1e-4}}}]\n", 3, 66,
     "a noise has no key 'positon'; did you mean 'position'?"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, noise: {rate: -1}}}]\n", 3, 72,
     "'rate' is -1, but must not be negative"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, seed: 1.5}}]\n", 3, 64,
     "expected a whole number of at most 2147483647, but found the number '1.5'"},
    {ROBOT "control: [{type: joint_pd, kp: 1, sample: {rate: 100 Hz, seed: -1}}]\n", 3, 64,
     "'seed' is -1, but counts from 0"},
    {ROBOT "control: [{type: joint_pd, kp: 1, limit: yes}]\n", 3, 42,
     "expected true or false, but found the text 'yes'"},
    {ROBOT "control: [{name: a, type: attitude, kp: 1}]\nevents: [{at: 1, do: [{set: {block: a, parameter: "
           "ki, value: 1}}]}]\n",
     4, 51, "there is no parameter 'ki'; did you mean 'kp'?"},
    {ROBOT "control: [{name: a, type: attitude, kp: 1}]\nevents: [{at: 1, do: [{set: {block: a, parameter: "
           "kp, value: 1 N/m}}]}]\n",
     4, 62, "'1 N/m' is a stiffness, but an angular stiffness is expected"},
    {ROBOT "control: [{name: a, type: attitude, kp: 1}]\nevents: [{at: 1, do: [{set: {block: a, parameter: "
           "effort, value: -1}}]}]\n",
     4, 66, "'effort' is a bound; it must not be negative"},
    {ROBOT "control: [{name: a, type: computed_torque, joints: elbow, kp: 1}]\nevents: [{at: 1, do: [{set: "
           "{block: a, parameter: elbow.kp, value: 1 N m/rad}}]}]\n",
     4, 68, "a plain number is expected here, without 'N m/rad'"},
    {ROBOT "control: [{name: a, type: resolved_rate, frame: hand}]\nevents: [{at: 1, do: [{set: {block: a, "
           "parameter: gain, value: 1}}]}]\n",
     4, 51, "there is no parameter 'gain'"},
    {ROBOT "control: [{name: a, type: resolved_rate, frame: hand}, {name: a, type: attitude, kp: 1}]\n", 3,
     63, "the name 'a' is given twice"},
};

static void test_every_mistake_is_told_with_its_place(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) assert_refused(&CASES[i], "case.yaml");
}

/* --- no input crashes --- */

/* A scenario of all laws with bytes changed, which is mostly wrong and never a crash. */
static void test_no_text_crashes_the_reader(void** state) {
  (void)state;
  static const char bytes[] = "{}[]:,-.\n \"'#0123456789abcqvtx";
  char *text, *copy;
  size_t size;
  fb_error error;
  fb_random random = random_seed(11);
  assert_int_equal(fb_file_read(FOLDER "laws.yaml", &text, &size, &error), FB_OK);
  copy = (char*)malloc(size + 1);
  assert_non_null(copy);
  for (int round = 0; round < 600; round++) {
    memcpy(copy, text, size + 1);
    for (int i = 0, edits = 1 + random_index(&random, 2); i < edits; i++)
      copy[random_index(&random, (int)size)] = bytes[random_index(&random, (int)sizeof bytes - 1)];
    fb_scenario* scenario = NULL;
    if (fb_scenario_parse(copy, size, FOLDER "case.yaml", NULL, &scenario, &error) == FB_OK)
      fb_scenario_free(scenario);
    else
      assert_true(error.text[0] != '\0');
  }
  free(copy);
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_mistake_is_told_with_its_place),
      cmocka_unit_test(test_no_text_crashes_the_reader),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
