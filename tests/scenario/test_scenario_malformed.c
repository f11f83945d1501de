/* test_scenario_malformed.c -- what is wrong with a scenario is said with its line, its column and what to do. */
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

#define ROBOT "scenario: 1\nmodel: robot.yaml\n" /* what follows is line 3 */
#define PD "control:\n  - {type: joint_pd, "     /* what follows is line 4, column 22 */

static const malformed CASES[] = {
    /* no YAML, or not one document */
    {"", 1, 1, "the file is empty"},
    {"# only a comment\n", 1, 1, "contains no data"},
    {"scenario: 1\nmodel: [robot.yaml\n", 2, 19, "the file ends inside the list"},
    {"scenario: 1\n\tmodel: x\n", 2, 1, "a tab character is not allowed here"},
    {"scenario: 1\nname: \"abc\n", 2, 7, "this quote is never closed"},
    {"scenario: 1\nname: a: b\n", 2, 8, "a value with ': ' in it needs quotes"},
    {"scenario: 1\nmodel: robot.yaml\n  gravity: none\n", 3, 10, "keys of one map begin in the same column"},
    {"scenario: 1\nscenario: 1\n", 2, 1, "is given twice"},
    {"scenario: 1\nname: &a x\nmodel: *b\n", 3, 8, "the alias *b has no anchor"},
    {"scenario: !!int 1\n", 1, 11, "tags"},
    {"scenario: 1\n---\nscenario: 1\n", 2, 1, "a second document"},
    {"scenario: 1\n[a]: 1\n", 2, 1, "cannot be the key of a map"},
    {"scenario: 1\nname: \xff\n", 2, 7, "not valid UTF-8"},
    {"scenario: 1\nname: a\x01\n", 2, 8, "control character"},
    {"[1, 2]\n", 1, 1, "expected a model, which is a map"},
    {"hello\n", 1, 1, "expected a model, which is a map"},
    {"model: robot.yaml\nduration: 5\n", 1, 1, "begin it with scenario: 1"},
    {"sceanrio: 1\nmodel: robot.yaml\n", 1, 1, "begin it with scenario: 1"},
    /* the scenario itself */
    {"scenario: 2\nmodel: robot.yaml\n", 1, 11, "version 2 of the format"},
    {"scenario: one\nmodel: robot.yaml\n", 1, 11, "expected a whole number"},
    {"scenario: 1\n", 1, 1, "the scenario has no model"},
    {ROBOT "durration: 5\n", 3, 1, "a scenario has no key 'durration'; did you mean 'duration'?"},
    {ROBOT "duration: 0\n", 3, 11, "'duration' is 0, but must be more than 0"},
    {ROBOT "duration: -5 s\n", 3, 11, "must be more than 0"},
    {ROBOT "duration: 5 m\n", 3, 11, "is a length, but a time is expected"},
    {ROBOT "duration: 1,5\n", 3, 11, "but found the text '1,5'"},
    {ROBOT "duration: .inf\n", 3, 11, "not finite"},
    {ROBOT "duration: 1e13\n", 0, 0, "the duration is 1e+13 s"},
    {ROBOT "checkpoint: 1e-30\n", 3, 13, "choose a longer one"},
    {ROBOT "name: 5\n", 3, 7, "put it in quotes"},
    {ROBOT "name: ''\n", 3, 7, "'name' is empty"},
    /* what will be there */
    {ROBOT "contact: {}\n", 3, 1, "a scenario has no key 'contact'; did you mean 'contacts'?"},
    {ROBOT "orbit: {}\n", 3, 1, "'orbit' is not there yet: there is uniform gravity only"},
    {ROBOT "sensors: []\n", 3, 1, "'sensors' is not there yet"},
    {ROBOT "events: [{at: 1, do: [{attach: hand}]}]\n", 3, 24, "an action has no key 'attach'"},
    {ROBOT "events: [{at: 1, do: [{join: hand}]}]\n", 3, 30, "expected a join"},
    {ROBOT "events: [{at: 1, do: [{part: hand}]}]\n", 3, 30, "hand"},
    {"scenario: 1\nmodel: {bodies: [{name: a, mass: 0, contact: true}]}\n", 2, 37,
     "a body has no key 'contact'"},
    /* models */
    {"scenario: 1\nmodel: nowhere.yaml\n", 2, 8, "nowhere.yaml' cannot be read: there is no such file"},
    {"scenario: 1\nmodel: full.yaml\n", 2, 1, "this is a scenario, and here a model is expected"},
    {"scenario: 1\nmodel: 5\n", 2, 8, "expected text, but found the number '5'"},
    {"scenario: 1\nmodel: [a]\n", 2, 8, "expected text, but found a list of 1"},
    {"scenario: 1\nmodel: ''\n", 2, 8, "expected the name of a model file"},
    {"scenario: 1\nmodel: {bodys: []}\n", 2, 9, "a model has no key 'bodys'; did you mean 'bodies'?"},
    {"scenario: 1\nmodel:\n  bodies: [{name: a, mass: -1}]\n", 3, 28, "must not be negative"},
    {"scenario: 1\nmodel: {}\n", 2, 8, "needs the key 'bodies'"},
    {ROBOT "models: []\n", 3, 9, "'model' and 'models' are both there"},
    {"scenario: 1\nmodels: []\n", 2, 9, "the list of models is empty"},
    {"scenario: 1\nmodels: robot.yaml\n", 2, 9, "expected a list of models"},
    {"scenario: 1\nmodels: [robot.yaml]\n", 2, 10, "expected a part, which is a map"},
    {"scenario: 1\nmodels: [{name: a}]\n", 2, 10, "a part needs the key 'model'"},
    {"scenario: 1\nmodels: [{model: robot.yaml, base: afloat}]\n", 2, 36, "'afloat' is not a base of a part"},
    {"scenario: 1\nmodels: [{model: robot.yaml}, {model: debris.yaml}]\n", 2, 9,
     "the name \"base\" is given twice"},
    {"scenario: 1\nmodels: [{model: robot.yaml, rpy: [0, 0, 0], quat: [1, 0, 0, 0]}]\n", 2, 52,
     "the rotation is given twice"},
    {ROBOT "gravity: down\n", 3, 10, "gravity is none or 3 numbers, as [0, 0, -9.81]"},
    {ROBOT "gravity: [0, 0]\n", 3, 10, "expected a list of 3 numbers, but found a list of 2"},
    {ROBOT "gravity: [0, 0, 9.81 m/s]\n", 3, 17, "is a speed, but an acceleration is expected"},
    {ROBOT "gravity: [0, 0, 1e31]\n", 3, 17, "beyond 1e+30"},
    /* start */
    {ROBOT "start: 5\n", 3, 8, "expected a start, which is a map"},
    {ROBOT "start: {joint: {}}\n", 3, 9, "did you mean 'joints'?"},
    {ROBOT "start: {joints: [1]}\n", 3, 17, "expected a map from joints to values"},
    {ROBOT "start: {joints: {elbw: 1}}\n", 3, 18, "there is no joint 'elbw'; did you mean 'elbow'?"},
    {ROBOT "start: {joints: {lower: 1}}\n", 3, 18,
     "'lower' is a body, and here a joint is expected; its joint is "
     "'elbow'"},
    {ROBOT "start: {joints: {bolt: 1}}\n", 3, 18, "the joint 'bolt' is fixed"},
    {ROBOT "start: {joints: {elbow: 30 cm}}\n", 3, 25, "is a length, but an angle is expected"},
    {ROBOT "start: {joints: {slide: 30 deg}}\n", 3, 25, "is an angle, but a length is expected"},
    {ROBOT "start: {joints: {elbow: [1, 2]}}\n", 3, 25,
     "has one coordinate, so a number is expected, but found a list of 2"},
    {ROBOT "start: {joints: {gimbal: 1}}\n", 3, 26, "the universal joint 'gimbal' has 2 coordinates"},
    {ROBOT "start: {joints: {ball: 1}}\n", 3, 24, "takes a map as {rpy: [0, 0, 90 deg]}"},
    {ROBOT "start: {joints: {ball: {at: [0, 0, 0]}}}\n", 3, 29, "a spherical joint turns and does not move"},
    {ROBOT "start: {joints: {ball: [0, 0, 0, 0]}}\n", 3, 24, "so it is no rotation"},
    {ROBOT "start: {joints: {ball: {quat: [1, 0, 0]}}}\n", 3, 31, "expected a list of 4 numbers"},
    {ROBOT "start: {rates: {elbow: 3 deg}}\n", 3, 24, "an angular velocity is expected"},
    {ROBOT "start: {base: {rpm: 1}}\n", 3, 16, "a base has no key 'rpm'; did you mean 'rpy'?"},
    {ROBOT "start: {base: {at: [0, 0, 0]}, bases: {}}\n", 3, 39, "keep one of them"},
    {ROBOT "start: {bases: {bse: {}}}\n", 3, 17, "there is no floating base 'bse'; did you mean 'base'?"},
    {ROBOT "start: {joints: {base: [0, 0, 0, 1, 0, 0, 0]}, base: {at: [1, 0, 0]}}\n", 3, 54,
     "has the joint 'base' of this base already"},
    {"scenario: 1\nmodel: arm.yaml\nstart: {base: {at: [0, 0, 0]}}\n", 3, 15, "no base floats"},
    {"scenario: 1\nmodel: arm.yaml\nstart: {zero_momentum: true}\n", 3, 24, "no base floats"},
    {"scenario: 1\nmodels: [{model: debris.yaml, name: a}, {model: debris.yaml, name: b}]\nstart: {base: "
     "{}}\n",
     3, 15, "2 bases float in this scene: a_base, b_base"},
    {ROBOT "start: {zero_momentum: yes}\n", 3, 24, "expected true or false, but found the text 'yes'"},
    {ROBOT "start: {base: {velocity: [1, 0, 0]}, zero_momentum: true}\n", 3, 53, "the velocity is given too"},
    {ROBOT "start: {joints: {elbow: 1e20}}\n", 3, 8, "1e+20"},
    /* motions */
    {ROBOT "motions: {joint: elbow}\n", 3, 10, "expected a list of motions"},
    {ROBOT "motions: [{lock: true}]\n", 3, 11, "a motion needs the key 'joint'"},
    {ROBOT "motions: [{joint: elbow}]\n", 3, 11, "a motion needs one of lock, rate, value and path"},
    {ROBOT "motions: [{joint: elbow, lock: true, rate: 1}]\n", 3, 44, "not 'lock' and 'rate'"},
    {ROBOT "motions: [{joint: elbow, lock: false}]\n", 3, 32, "false would say nothing"},
    {ROBOT "motions: [{joint: elbow, coordinate: 1, lock: true}]\n", 3, 38, "has no coordinate 1"},
    {ROBOT "motions: [{joint: elbow, coordinate: -1, lock: true}]\n", 3, 38, "counts from 0"},
    {ROBOT "motions: [{joint: ball, value: [0, 0, 0]}]\n", 3, 32, "belongs to an attitude"},
    {ROBOT "motions: [{joint: elbow, value: 1, at_start: false}]\n", 3, 33,
     "cannot put its coordinate elsewhere"},
    {ROBOT "motions: [{joint: gimbal, path: {times: [0], values: [0]}}]\n", 3, 33,
     "say which one with 'coordinate'"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1], values: [0]}}]\n", 3, 56,
     "there are 2 times, but 1 values"},
    {ROBOT "motions: [{joint: elbow, path: {times: [1, 0], values: [0, 1]}}]\n", 3, 44,
     "times must rise, but 0 s comes after 1 s"},
    {ROBOT "motions: [{joint: elbow, path: {times: [], values: []}}]\n", 3, 40, "the list of times is empty"},
    {ROBOT "motions: [{joint: elbow, path: {times: [0, 1 m], values: [0, 1]}}]\n", 3, 44,
     "a time is expected"},
    {ROBOT "motions: [{joint: elbow, lock: true}, {joint: elbow, rate: 1}]\n", 3, 39,
     "moves the joint 'elbow' already"},
    {ROBOT "motions: [{name: a, joint: elbow, lock: true}, {name: a, joint: slide, lock: true}]\n", 3, 55,
     "the name 'a' is given twice"},
    /* modes and control */
    {ROBOT "modes: []\n", 3, 8, "expected 1 to 32 modes, but found 0"},
    {ROBOT "modes: [a, a]\n", 3, 12, "the mode 'a' is named twice"},
    {ROBOT "control: [{kp: 1}]\n", 3, 11, "a controller needs the key 'type'"},
    {ROBOT "control: [{type: joint_dp, kp: 1}]\n", 3, 18, "did you mean 'joint_pd'?"},
    {ROBOT PD "joints: all}\n", 4, 5, "a joint_pd controller needs the key 'kp'"},
    {ROBOT PD "kp: -1}\n", 4, 26, "must not be negative"},
    {ROBOT PD "kp: 1 N/m, joints: elbow}\n", 4, 26, "is a stiffness, but an angular stiffness is expected"},
    {ROBOT PD "kp: [1, 2], joints: elbow}\n", 4, 26, "'kp' has 2 numbers, but 1 coordinates are controlled"},
    {ROBOT PD "kp: 1, joints: [elbow, elbw]}\n", 4, 45, "did you mean 'elbow'?"},
    {ROBOT PD "kp: 1, joints: [elbow, elbow]}\n", 4, 45, "is named twice"},
    {ROBOT PD "kp: 1, joints: []}\n", 4, 37, "the list of joints is empty"},
    {ROBOT PD "kp: 1, joints: ball}\n", 4, 37, "the spherical joint 'ball' has an attitude"},
    {ROBOT PD "kp: 1, joints: elbow, target: {shoulder: 1}}\n", 4, 53,
     "is not among the joints that this law controls"},
    {ROBOT PD "kp: 1, joints: elbow, target: {elbow: 1}, path: {times: [0], values: {elbow: [0]}}}\n", 4, 92,
     "has a target and a path"},
    {ROBOT PD "kp: 1, joints: elbow, path: {times: [0, 1], values: [0, 1]}}\n", 4, 74,
     "expected a map from joints"},
    {ROBOT PD "kp: 1, mode: hold}\n", 4, 35, "the scenario names none; add modes: [hold, ...]"},
    {ROBOT "modes: [approach]\n" PD "kp: 1, mode: aproach}\n", 5, 35, "did you mean 'approach'?"},
    {"scenario: 1\nmodel: debris.yaml\n" PD "kp: 1}\n", 4, 5,
     "no joint of this scene has an angle or a length"},
    /* forces */
    {ROBOT "forces: [{force: [1, 0, 0]}]\n", 3, 10, "a force needs 'frame', where it acts, or 'joint'"},
    {ROBOT "forces: [{frame: hnd, force: [1, 0, 0]}]\n", 3, 18,
     "there is no frame 'hnd'; did you mean 'hand'?"},
    {ROBOT "forces: [{frame: world, force: [1, 0, 0]}]\n", 3, 18, "the world does not move"},
    {ROBOT "forces: [{frame: hand}]\n", 3, 10, "a frame force needs 'force', 'torque' or both"},
    {ROBOT "forces: [{frame: hand, tau: 1}]\n", 3, 29,
     "a frame force cannot have 'tau'; it belongs to joint"},
    {ROBOT "forces: [{joint: elbow, force: [1, 0, 0]}]\n", 3, 32, "a joint force cannot have 'force'"},
    {ROBOT "forces: [{joint: elbow}]\n", 3, 10, "a joint force needs 'tau'"},
    {ROBOT "forces: [{joint: elbow, tau: 1, from: 2, to: 1}]\n", 3, 46, "must be after its beginning at 2 s"},
    {ROBOT "forces: [{joint: elbow, tau: 1 N}]\n", 3, 30, "is a force, but a torque is expected"},
    {ROBOT "forces: [{joint: elbow, taus: [1, 0]}]\n", 3, 31, "'taus' also needs 'times'"},
    {ROBOT "forces: [{joint: elbow, times: [0, 1], taus: [1]}]\n", 3, 46, "there are 2 times, but 1 taus"},
    {ROBOT "forces: [{joint: elbow, times: [0], taus: [1]}]\n", 3, 32, "two times are needed"},
    {ROBOT "forces: [{joint: elbow, times: [0, 1], taus: [1, 0], tau: 1}]\n", 3, 59,
     "is for a constant force"},
    {ROBOT "forces: [{frame: hand, force: [1, 0, 0], axes: body}]\n", 3, 48,
     "'body' is not an axes of a force"},
    {ROBOT "forces: [{type: spring, a: hand, b: world}]\n", 3, 10,
     "a spring force needs the key 'stiffness'"},
    {ROBOT "forces: [{type: spring, a: hand, stiffness: 1}]\n", 3, 10, "a spring force needs the key 'b'"},
    {ROBOT "forces: [{type: sprig, a: hand, b: world, stiffness: 1}]\n", 3, 17, "did you mean 'spring'?"},
    {ROBOT "forces: [{a: hand, b: world, stiffness: 1}]\n", 3, 10,
     "or 'type', which says what acts between two frames"},
    {ROBOT "forces: [{type: spring, a: hnd, b: world, stiffness: 1}]\n", 3, 28, "did you mean 'hand'?"},
    {ROBOT "forces: [{type: spring, a: hand, b: lower, stiffness: 1}]\n", 3, 10, "are on the same body"},
    {ROBOT "forces: [{type: spring, a: world, b: world, stiffness: 1}]\n", 3, 10, "are on the same body"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: -1}]\n", 3, 55,
     "'stiffness' is -1, but must not be negative"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: .nan}]\n", 3, 55, "is not finite"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: 1 N m/rad}]\n", 3, 55,
     "but a stiffness is expected"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: [1, 1, 1, 1, 1, 1]}]\n", 3, 55,
     "but found a list of 6"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: 1, damping: -1}]\n", 3, 67,
     "'damping' is -1, but must not be negative"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: 1, length: -1}]\n", 3, 66,
     "'length' is -1, but must not be negative"},
    {ROBOT "forces: [{type: spring, a: hand, b: world, stiffness: 1, mode: x}]\n", 3, 64,
     "a spring force cannot have 'mode'"},
    {ROBOT "forces: [{type: bushing, a: hand, b: world, stiffness: 1}]\n", 3, 56,
     "the stiffness of a bushing is a list of 6 numbers"},
    {ROBOT "forces: [{type: bushing, a: hand, b: world, stiffness: [1, 1, 1]}]\n", 3, 56,
     "the stiffness of a bushing is a list of 6 numbers"},
    {ROBOT "forces: [{type: bushing, a: hand, b: world, stiffness: [1, 1, 1, 1, -1, 1]}]\n", 3, 69,
     "'stiffness' is -1, but must not be negative"},
    {ROBOT "forces: [{type: bushing, a: hand, b: world, stiffness: [1, 1, 1, 1 N/m, 1, 1]}]\n", 3, 66,
     "but an angular stiffness is expected"},
    {ROBOT "forces: [{type: bushing, a: hand, b: world, stiffness: [1, 1, 1, 1, 1, 1], slack: true}]\n", 3,
     83, "a bushing force cannot have 'slack'"},
    {ROBOT "events: [{at: 1, do: [{set: {block: s, parameter: length, value: -1}}]}]\n"
           "forces: [{name: s, type: spring, a: hand, b: world, stiffness: 1}]\n",
     3, 66, "'length' is -1, but must not be negative"},
    {ROBOT "forces: [{name: a, joint: elbow, tau: 1}, {name: a, joint: elbow, tau: 1}]\n", 3, 50,
     "is given twice"},
    /* events */
    {ROBOT "events: [{do: [{stop: true}]}]\n", 3, 10, "an event needs 'at', a time, or 'every', a period"},
    {ROBOT "integrator: {max_step: 1e-300}\n", 3, 24, "would take more than 1e12 steps"},
    {ROBOT "duration: 1e-12\nlog: {period: 1e-16}\n", 4, 15, "shorter than the resolution of times"},
    {ROBOT "events: [{at: 1, when: t, crosses: 1}]\n", 3, 24, "a time event cannot have 'when'"},
    {ROBOT "events: [{when: p.hand.z}]\n", 3, 10, "a crossing event needs the key 'crosses'"},
    {ROBOT "events: [{when: p.hnd.z, crosses: 1}]\n", 3, 17, "p.hand.z"},
    {ROBOT "events: [{when: p.hand, crosses: 1}]\n", 3, 17,
     "matches 3 signals; choose one of them, such as p.hand.x"},
    {ROBOT "events: [{when: p.hand.z, crosses: 1 deg}]\n", 3, 36, "is an angle, but a length is expected"},
    {ROBOT "events: [{when: p.hand.z, crosses: 1, direction: up}]\n", 3, 50,
     "'up' is not a direction of an event"},
    {ROBOT "events: [{limit: gimbal}]\n", 3, 18, "the joint 'gimbal' has no limits"},
    {ROBOT "events: [{at: 1, do: {stop: true}}]\n", 3, 22, "expected a list of actions"},
    {ROBOT "events: [{at: 1, do: [stop]}]\n", 3, 23, "expected an action, which is a map"},
    {ROBOT "events: [{at: 1, do: [{halt: true}]}]\n", 3, 24, "an action has no key 'halt'"},
    {ROBOT "events: [{at: 1, do: [{}]}]\n", 3, 23, "an action has one key, but this one has 0"},
    {ROBOT "events: [{at: 1, do: [{lock: elbow, stop: true}]}]\n", 3, 23, "but this one has 2"},
    {ROBOT "events: [{at: 1, do: [{stop: false}]}]\n", 3, 30, "false would say nothing"},
    {ROBOT "events: [{at: 1, do: [{move: reach}]}]\n", 3, 30, "there is no motion 'reach'; there is none"},
    {ROBOT "motions: [{name: reach, joint: elbow, rate: 1}]\nevents: [{at: 1, do: [{move: raech}]}]\n", 4, 30,
     "did you mean 'reach'?"},
    {ROBOT "events: [{at: 1, do: [{bounce: {restitution: 1}}]}]\n", 3, 32, "which joint bounces?"},
    {ROBOT "events: [{limit: elbow, do: [{bounce: {restitution: 2}}]}]\n", 3, 53, "lies between 0 and 1"},
    {ROBOT "events: [{at: 1, do: [{bounce: {joint: gimbal, restitution: 1}}]}]\n", 3, 32,
     "say which one with 'coordinate'"},
    {ROBOT
     "control: [{name: arm, type: joint_pd, kp: 1}]\nevents: [{at: 1, do: [{set: {block: amr, parameter: a, "
     "value: 1}}]}]\n",
     4, 37, "there is no block 'amr'; did you mean 'arm'?"},
    {ROBOT
     "control: [{name: arm, type: joint_pd, kp: 1}]\nevents: [{at: 1, do: [{set: {block: arm, parameter: "
     "elbow.kq, value: 1}}]}]\n",
     4, 53, "there is no parameter 'elbow.kq'; did you mean 'elbow.kp'?"},
    {ROBOT
     "control: [{name: arm, type: joint_pd, kp: 1}]\nevents: [{at: 1, do: [{set: {block: arm, parameter: "
     "elbow.target, value: 1 m}}]}]\n",
     4, 74, "is a length, but an angle is expected"},
    {ROBOT "events: [{at: 1, every: 1e-30}]\n", 3, 25, "choose a longer time"},
    {ROBOT "events: [{at: 1, every: 0}]\n", 3, 25, "must be more than 0"},
    {ROBOT "events: [{at: 1, name: a}, {at: 2, name: a}]\n", 3, 42, "the name 'a' is given twice"},
    /* integrator and log */
    {ROBOT "integrator: rk4\n", 3, 13, "expected an integrator, which is a map"},
    {ROBOT "integrator: {method: rk5}\n", 3, 22,
     "'rk5' is not a method of an integrator; did you mean 'rk4'?"},
    {ROBOT "integrator: {method: outside}\n", 3, 22, "is not a method of an integrator"},
    {ROBOT "integrator: {step: 0}\n", 3, 20, "must be more than 0"},
    {ROBOT "integrator: {step: 1e-20}\n", 3, 20, "is too short for a run of 10 s"},
    {ROBOT "integrator: {rtol: 1e-6}\n", 3, 20,
     "an auto integrator cannot have 'rtol'; it belongs to dopri5, cvode, arkode"},
    {ROBOT "integrator: {method: dopri5, adaptive: false, rtol: 1e-6}\n", 3, 53, "adaptive: false turns off"},
    {ROBOT "integrator: {method: dopri5, rtol: 0}\n", 3, 36, "must be more than 0"},
    {ROBOT "log: {signals: [q.elbw]}\n", 3, 17, "q.elbow"},
    {ROBOT "log: {signals: velocity}\n", 3, 16, "there is no signal"},
    {ROBOT "log: {signals: [5]}\n", 3, 17, "expected text, but found the number '5'"},
    {ROBOT "log: {period: 1e-30}\n", 3, 15, "choose a longer period"},
    {ROBOT "log: {priod: 1}\n", 3, 7, "did you mean 'period'?"},
};

static void test_every_mistake_is_told_with_its_place(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) assert_refused(&CASES[i], "/scenario/");
  assert_true(sizeof CASES / sizeof *CASES >= 70);
}

/* Mistakes inside a model's own file are told with that file. */
static void test_a_wrong_model_is_told_with_its_own_file(void** state) {
  (void)state;
  static const char text[] = "scenario: 1\nmodel: ../malformed/mass_negative.yaml\n";
  fb_scenario* scenario;
  fb_error error;
  assert_int_not_equal(fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &scenario, &error),
                       FB_OK);
  assert_non_null(strstr(error.file, "mass_negative.yaml"));
  assert_int_equal(error.place.line, 5);
}

/* --- no input crashes --- */

/* The full scenario with bytes changed, cut and put in, which is mostly wrong and never a crash. */
static void test_no_text_crashes_the_reader(void** state) {
  (void)state;
  static const char bytes[] = "{}[]:,-.\n \"'#&*!|>%@`0123456789abcqvtx";
  char *text, *copy;
  size_t size;
  fb_error error;
  fb_random random = random_seed(7);
  assert_int_equal(fb_file_read(FOLDER "full.yaml", &text, &size, &error), FB_OK);
  copy = (char*)malloc(size + 64);
  assert_non_null(copy);
  for (int round = 0; round < 1500; round++) {
    size_t n = size;
    memcpy(copy, text, size + 1);
    for (int i = 0, edits = 1 + random_index(&random, 3); i < edits; i++) {
      size_t at = (size_t)random_index(&random, (int)n), length = (size_t)random_index(&random, 20);
      if (length < 10) {
        copy[at] = bytes[random_index(&random, (int)sizeof bytes - 1)];
      } else if (at + length < n) {
        memmove(copy + at, copy + at + length, n - at - length);
        n -= length;
      }
    }
    copy[n] = '\0';
    fb_scenario* scenario = NULL;
    complaints all;
    if (fb_scenario_parse(copy, n, FOLDER "case.yaml", NULL, &scenario, &error) == FB_OK) {
      fb_scenario_free(scenario);
    } else {
      assert_true(error.text[0] != '\0');
      assert_int_not_equal(find_all(copy, &all, &error), FB_OK);
      assert_true(all.count > 0);
    }
  }
  free(copy);
  free(text);
}

/* --- all of them --- */

static void test_independent_errors_are_found_together(void** state) {
  (void)state;
  static const char text[] =
      "scenario: 1\n"
      "durtion: 5\n"
      "checkpoint: 5 m\n"
      "model: robot.yaml\n"
      "start: {joints: {shouldr: 1, elbow: 3 m}, rates: {elbw: 1}}\n"
      "motions: [{joint: slid, lock: true}, {joint: slide, lock: true}]\n"
      "control:\n"
      "  - {name: law, type: joint_pd, joints: [elbow], kq: 1}\n"
      "  - {type: joint_pd, joints: [shoulderr], kp: 1}\n"
      "forces: [{frame: hnd, force: [1, 0, 0]}, {frame: hand, force: [1 m, 0, 0]}]\n"
      "events: [{at: 1, do: [{set: {block: law, parameter: elbow.kp, value: 1}}]}]\n" /* because of line 8 */
      "integrator: {step: 1 m}\n"
      "log: {period: 1 kg, signals: [q.elbow, p.hnd, law.error]}\n" /* the last because of line 8 */
      "view: {ground: 1 s, follow: hand}\n";
  static const struct {
    int line;
    const char* part;
  } want[] = {
      {2, "did you mean 'duration'?"}, {3, "a time is expected"},
      {5, "did you mean 'shoulder'?"}, {5, "an angle is expected"},
      {5, "did you mean 'elbow'?"},    {6, "did you mean 'slide'?"},
      {8, "did you mean 'kp'?"},       {9, "there is no joint 'shoulderr'"},
      {10, "did you mean 'hand'?"},    {10, "a force is expected"},
      {12, "a time is expected"},      {13, "a time is expected"},
      {14, "a length is expected"},
  };
  enum { COUNT = sizeof want / sizeof *want };
  complaints all;
  fb_error error;
  assert_int_not_equal(find_all(text, &all, &error), FB_OK);
  for (int i = 0; i < COUNT; i++) {
    int found = 0;
    for (int k = 0; k < all.count; k++)
      found += all.list[k].place.line == want[i].line && strstr(all.list[k].text, want[i].part) != NULL;
    if (found != 1) fail_msg("%d errors in line %d are \"%s\"", found, want[i].line, want[i].part);
  }
  for (int k = COUNT; k < all.count; k++) print_error("%d: %s\n", all.list[k].place.line, all.list[k].text);
  assert_int_equal(all.count, COUNT);
}

static void test_models_report_all_their_errors(void** state) {
  (void)state;
  static const char text[] =
      "scenario: 1\nmodels:\n- name: a\n  model:\n    bodies:\n"
      "    - {name: a, mass: 5 s, inertia: [1, 1, 1, 0, 0, 0]}\n"
      "    - {name: b, mass: 1, shaps: []}\n"
      "    - {name: c, mass: 1, inertia: [1, 1, 9, 0, 0, 0]}\n"
      "    - {name: d, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: revolut, axs: [0, 0, 1]}}\n"
      "- {model: {bodies: [{name: a, mass: 0, parent: x, joint: {type: fixed}}]}}\n";
  static const int lines[] = {6, 7, 8, 9, 9, 10};
  complaints all;
  fb_error error;
  assert_int_not_equal(find_all(text, &all, &error), FB_OK);
  assert_int_equal(all.count, 6);
  for (int i = 0; i < 6; i++) {
    int found = 0;
    for (int k = 0; k < 6; k++) found |= all.list[k].place.line == lines[i];
    assert_true(found);
  }
}

static void test_valid_scenarios_have_no_errors_to_report(void** state) {
  (void)state;
  static const char* const files[] = {FOLDER "full.yaml",
                                      FOLDER "laws.yaml",
                                      FOLDER "scene.yaml",
                                      FB_SOURCE_DIR "/scenarios/ets7/ets7_flexible.yaml",
                                      FB_SOURCE_DIR "/scenarios/two_arms/two_arms.yaml",
                                      FB_SOURCE_DIR "/scenarios/flexible_base/flexible_base.yaml",
                                      FB_SOURCE_DIR "/scenarios/tumbler/tumbler.yaml",
                                      FB_SOURCE_DIR "/scenarios/dual_arm/dual_arm.yaml",
                                      FB_SOURCE_DIR "/scenarios/deploy/deploy_cables.yaml"};
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    complaints all = {.count = 0};
    fb_scenario_options options = fb_default_scenario_options();
    options.io.complain = keep_complaint;
    options.io.complain_user = &all;
    fb_scenario* s;
    fb_error error;
    if (fb_scenario_read(files[i], &options, &s, &error)) fail_msg("%s: %s", files[i], error.text);
    if (all.count) fail_msg("%s: %s", files[i], all.list[0].text);
    fb_scenario_free(s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_independent_errors_are_found_together),
      cmocka_unit_test(test_models_report_all_their_errors),
      cmocka_unit_test(test_valid_scenarios_have_no_errors_to_report),

      cmocka_unit_test(test_every_mistake_is_told_with_its_place),
      cmocka_unit_test(test_a_wrong_model_is_told_with_its_own_file),
      cmocka_unit_test(test_no_text_crashes_the_reader),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
