/* test_scenario_contacts_malformed.c -- what is wrong with surfaces, contacts and materials is said with its place. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "scenario_rig.h"

/* A ball, a stick without shapes and one with a frame; what follows is line 7. */
#define BALL                                                                                                \
  "scenario: 1\nmodel:\n  bodies:\n"                                                                        \
  "  - {name: ball, mass: 1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{name: skin, kind: sphere, radius: 1}, " \
  "{kind: mesh, file: "                                                                                     \
  "nowhere.stl, use: visual}]}\n"                                                                           \
  "  - {name: stick, parent: ball, joint: {type: fixed}, mass: 1, inertia: [1, 1, 1, 0, 0, 0], frames: "    \
  "[{name: tip}]}\n"                                                                                        \
  "  - {name: rod, parent: ball, joint: {type: fixed}, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
#define PLANE \
  BALL "surfaces: [{name: g, kind: plane}, {name: h, kind: plane, body: ball}]\n" /* line 8 follows */
#define PAIR PLANE "contacts: [{name: c, a: ball, b: g, "                         /* column 37 */

static const malformed CASES[] = {
    /* surfaces */
    {BALL "surfaces: {name: g}\n", 7, 11, "expected a list of surfaces"},
    {BALL "surfaces: [{kind: plane}]\n", 7, 12, "a plane surface needs the key 'name'"},
    {BALL "surfaces: [{name: g}]\n", 7, 12, "a surface needs the key 'kind'"},
    {BALL "surfaces: [{name: g, kind: plan}]\n", 7, 28, "did you mean 'plane'?"},
    {BALL "surfaces: [{name: g, kind: plane}, {name: g, kind: plane}]\n", 7, 43,
     "the name 'g' is given twice"},
    {BALL "surfaces: [{name: ball, kind: plane}]\n", 7, 19, "'ball' is the name of a body already"},
    {BALL "surfaces: [{name: tip, kind: plane}]\n", 7, 19, "'tip' is the name of a frame already"},
    {BALL "surfaces: [{name: a*, kind: plane}]\n", 7, 19, "contains * or /"},
    {BALL "surfaces: [{name: g, kind: plane, body: bal}]\n", 7, 41,
     "there is no frame 'bal'; did you mean 'ball'?"},
    {BALL "surfaces: [{name: g, kind: plane, radius: 1}]\n", 7, 43,
     "a plane surface cannot have 'radius'; it belongs to sphere"},
    {BALL "surfaces: [{name: g, kind: plane, normal: [0, 0, 0]}]\n", 7, 43, "'normal' is zero"},
    {BALL "surfaces: [{name: g, kind: plane, normal: [0, 0, .nan]}]\n", 7, 50, "is not finite"},
    {BALL "surfaces: [{name: g, kind: plane, normal: [0, 0, 1], rpy: [0, 0, 1]}]\n", 7, 43,
     "leave one of them out"},
    {BALL "surfaces: [{name: g, kind: sphere}]\n", 7, 12, "a sphere surface needs the key 'radius'"},
    {BALL "surfaces: [{name: g, kind: sphere, radius: 0}]\n", 7, 44, "must be more than 0"},
    {BALL "surfaces: [{name: g, kind: box, size: [1, 1, -1]}]\n", 7, 46, "must be more than 0"},
    {BALL "surfaces: [{name: g, kind: box, size: [1, 1]}]\n", 7, 39, "expected a list of 3 numbers"},
    {BALL "surfaces: [{name: g, kind: plane, color: red}]\n", 7, 42, "a color is"},
    {BALL "surfaces: [{name: g, kind: plane, material: ice}]\n", 7, 45, "there is no material 'ice'"},
    {BALL "surfaces: [{name: g, kind: mesh, file: nowhere.stl}]\n", 7, 40, "nowhere.stl' cannot be read"},
    {BALL "surfaces: [{name: g, kind: mesh, file: robot.yaml}]\n", 7, 40,
     "robot.yaml' cannot be used for contact"},
    {BALL "surfaces: [{name: g, kind: mesh, file: block.obj, scale: 0}]\n", 7, 58, "the scale has a zero"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: 1}]\n", 7, 12, "needs 'heights'"},
    {BALL "surfaces: [{name: g, kind: heightfield, heights: [[0, 0], [0, 0]]}]\n", 7, 12,
     "needs the key 'spacing'"},
    {BALL
     "surfaces: [{name: g, kind: heightfield, spacing: 1, file: hills.txt, heights: [[0, 0], [0, 0]]}]\n",
     7, 59, "leave one of them out"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: 1, heights: [[0, 0], [0]]}]\n", 7, 71,
     "expected a list of 2 numbers"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: 1, heights: [[0, 0]]}]\n", 7, 62,
     "at least 2 rows of 2 heights, but this one has 1 of 2"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: 1, heights: []}]\n", 7, 62, "at least 2 rows"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: 1, heights: [1, 2]}]\n", 7, 63,
     "expected a list of heights"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: [1, 0], heights: [[0, 0], [0, 0]]}]\n", 7, 50,
     "must be more than 0"},
    {BALL "surfaces: [{name: g, kind: heightfield, spacing: 1, file: nowhere.txt}]\n", 7, 59,
     "cannot be read"},
    /* sides */
    {PLANE "contacts: {a: ball}\n", 8, 11, "expected a list of contacts"},
    {PLANE "contacts: [{a: ball}]\n", 8, 12, "needs the key 'b'"},
    {PLANE "contacts: [{b: ball}]\n", 8, 12, "needs the key 'a'"},
    {PLANE "contacts: [{a: bal, b: g}]\n", 8, 16,
     "there is no surface, body or frame 'bal'; did you mean 'ball'?"},
    {PLANE "contacts: [{a: ball, b: \"x*\"}]\n", 8, 25, "'x*' matches no surface, no body with shapes"},
    {PLANE "contacts: [{a: ball/skn, b: g}]\n", 8, 16, "the body 'ball' has no shape 'skn' for contact"},
    {PLANE "contacts: [{a: ball/1, b: g}]\n", 8, 16, "the body 'ball' has no shape '1' for contact"},
    {PLANE "contacts: [{a: stick, b: g}]\n", 8, 16, "name a frame on it, such as 'tip', which is a point"},
    {PLANE "contacts: [{a: rod, b: g}]\n", 8, 16,
     "the body 'rod' has no shapes for contact; give it some, or a frame"},
    {PLANE "contacts: [{a: world, b: ball}]\n", 8, 16, "the world has no shape; add a surface"},
    {PLANE "contacts: [{a: [], b: g}]\n", 8, 16, "the list is empty"},
    {PLANE "contacts: [{a: [ball, ball], b: g}]\n", 8, 23, "'ball' is named twice"},
    {PLANE "contacts: [{a: {x: 1}, b: g}]\n", 8, 16, "expected text, but found a map"},
    {PLANE "contacts: [{a: ball, b: ball}]\n", 8, 12, "both on the body 'ball', which cannot touch itself"},
    {PLANE "contacts: [{a: ball, b: h}]\n", 8, 12, "both on the body 'ball'"},
    {PLANE "contacts: [{a: g, b: h}]\n", 8, 12, "planes and heightfields do not touch each other"},
    {BALL
     "surfaces: [{name: g, kind: plane}, {name: s, kind: sphere, radius: 1}]\ncontacts: [{a: g, b: s}]\n",
     8, 12, "both fixed to the world"},
    {PLANE "contacts: [{name: c, a: ball, b: g}, {name: c, a: tip, b: g}]\n", 8, 45,
     "the name 'contact.c' is taken; give the contact another"},
    {PLANE "contacts: [{name: '1', a: ball, b: g}, {a: tip, b: g}]\n", 8, 40,
     "the name 'contact.1' is taken"},
    {PLANE
     "forces: [{name: contact.c, frame: tip, force: [0, 0, 1]}]\ncontacts: [{name: c, a: ball, b: g}]\n",
     9, 19, "the name 'contact.c' is taken"},
    {PLANE
     "contacts: [{name: "
     "a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a123456789a1234567890, "
     "a: ball, b: g}]\n",
     8, 19, "the name has 101 characters"},
    /* laws */
    {PAIR "law: hrad}]\n", 8, 42, "did you mean 'hard'?"},
    {PAIR "friction: -0.1}]\n", 8, 47, "'friction' is -0.1, but must not be negative"},
    {PAIR "friction: .nan}]\n", 8, 47, "is not finite"},
    {PAIR "restitution: -0.1}]\n", 8, 50, "must not be negative"},
    {PAIR "restitution: 1.1}]\n", 8, 50, "restitution is 1.1, but lies between 0 and 1"},
    {PAIR "restitution_law: routh}]\n", 8, 54, "those are newton, poisson"},
    {PAIR "law: hard, stiffness: 5}]\n", 8, 59, "a hard contact cannot have 'stiffness'"},
    {PAIR "law: spring}]\n", 8, 12, "a spring contact needs 'stiffness', here or in its material"},
    {PAIR "law: spring, stiffness: 0}]\n", 8, 61, "must be more than 0"},
    {PAIR "law: spring, stiffness: 5, damping: -1}]\n", 8, 73, "must not be negative"},
    {PAIR "law: spring, stiffness: 5, restitution: 0.5}]\n", 8, 77,
     "a spring contact cannot have 'restitution'; it belongs to hard"},
    {PAIR "law: hertz, stiffness: 5, damping: 1}]\n", 8, 72, "a hertz contact cannot have 'damping'"},
    {PAIR "law: hertz, stiffness: 5 N/m}]\n", 8, 60, "a plain number is expected here"},
    {PAIR "law: soil}]\n", 8, 12, "a soil contact needs 'soil'"},
    {PAIR "law: soil, soil: cheese}]\n", 8, 54, "cheese"},
    {PAIR "law: soil, soil: {cohesoin: 1}}]\n", 8, 55, "did you mean 'cohesion'?"},
    {PAIR "law: soil, soil: {exit_ratio: 2}}]\n", 8, 67, "lies between 0 and 1"},
    {PAIR "material: ice}]\n", 8, 47, "there is no material 'ice'"},
    /* events */
    {PAIR "}]\nevents: [{contact: d}]\n", 9, 20, "there is no contact 'd'; there is c"},
    {PAIR "}]\nevents: [{contact: c, change: hit}]\n", 9, 31, "did you mean 'hits'?"},
    {PAIR "}]\nevents: [{contact: c, crosses: 1}]\n", 9, 32, "a contact event cannot have 'crosses'"},
    {PAIR "law: spring, stiffness: 1}]\nevents: [{contact: c}]\n", 9, 20, "the contact 'c' is not hard"},
    /* materials */
    {BALL "materials: [{friction: 1}]\n", 7, 12, "expected materials by name"},
    {BALL "materials: {ice: {frction: 1}}\n", 7, 19, "did you mean 'friction'?"},
    {BALL "materials: {ice: {friction: -1}}\n", 7, 29, "must not be negative"},
    {BALL "materials: {ice: {restitution: 2}}\n", 7, 32, "lies between 0 and 1"},
    {BALL "materials: {ice: {stiffness: -2}}\n", 7, 30, "must be more than 0"},
    {BALL "materials: {ice: 3}\n", 7, 18, "expected a material"},
    /* limits and methods */
    {BALL "limits: contacts\n", 7, 9, "did you mean 'contact'?"},
    {PLANE "integrator: {method: momentum}\ncontacts: [{a: ball, b: g}]\n", 8, 22,
     "the momentum method cannot take hard contacts"},
    {PLANE "integrator: {method: implicit}\ncontacts: [{a: ball, b: g}]\n", 8, 22,
     "the implicit method cannot take hard contacts"},
    {PLANE "forces: [{name: solver, frame: ball, force: [0, 0, 1]}]\ncontacts: [{a: ball, b: g}]\n", 9, 12,
     "'solver' is the name of a law or force"},
};

static void what_is_wrong_is_said_with_its_place(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) assert_refused(&CASES[i], "case.yaml");
}

/* Of a file of heights the line. */
static void wrong_heights_are_found_in_their_file(void** state) {
  (void)state;
#define GRID(file) BALL "surfaces: [{name: g, kind: heightfield, spacing: 1, file: " file "}]\n"
  static const malformed rows[] = {
      {GRID("ragged.txt"), 2, 0, "this row has 2 heights, but those before it have 3"},
      {GRID("nan.txt"), 2, 0, "'nan' is not a finite number"},
      {GRID("robot.yaml"), 1, 0, "is not a finite number"},
  };
  assert_refused(&rows[0], "ragged.txt");
  assert_refused(&rows[1], "nan.txt");
  assert_refused(&rows[2], "robot.yaml");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_wrong_is_said_with_its_place),
      cmocka_unit_test(wrong_heights_are_found_in_their_file),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
