/* test_scenario_contacts.c -- surfaces, contacts and materials of scenarios: what names select, which values a contact gets,
 * and which method runs it. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <freebody/rotation.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "near.h"
#include "scenario_rig.h"

/* A cart with two wheels and a mast that has no shapes for contact; what follows is line 10. */
#define WHEEL(name)                                                                                     \
  "  - {name: " name                                                                                    \
  ", parent: cart, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: revolute, axis: "                \
  "[0, 0, 1]}, shapes: [{name: tyre, kind: cylinder, radius: 0.2, length: 0.1}], frames: [{name: " name \
  "_hub}]}\n"
#define CART \
  "scenario: 1\nmodel:\n  bodies:\n"                                                                         \
  "  - {name: cart, mass: 9, inertia: [1, 1, 1, 0, 0, 0], frames: [{name: hook, at: [1, 0, 0]}],\n"          \
  "     shapes: [{name: hull, kind: box, size: [1, 1, 1]}, {kind: sphere, radius: 0.3, use: contact},\n"     \
  "              {name: lamp, kind: sphere, radius: 0.1, use: visual}]}\n" WHEEL("wheel_left") WHEEL(        \
      "wheel_right") "  - {name: mast, parent: cart, mass: 1, inertia: [1, 1, 1, 0, 0, 0], joint: {type: fixed}}\n"
#define START "start: {base: {at: [0, 0, 3]}}\n"
#define GROUND "surfaces: [{name: ground, kind: plane}]\n"

static const fb_contact* contact_at(const fb_scenario* s, int index) {
  for (int i = 0; i < s->nblock; i++) {
    const fb_contact* contact = fb_scenario_contact_of(&s->blocks[i]);
    if (contact && index-- == 0) return contact;
  }
  fail_msg("there is no such contact");
  return NULL;
}

/* --- what names select --- */

static void names_select_points_shapes_and_surfaces(void** state) {
  (void)state;
  static const struct {
    const char *a, *b;
    int na, nb;
    fb_collider_kind kind; /* of the first of a */
    const char* on;        /* its frame */
  } rows[] = {
      {"hook", "ground", 1, 1, FB_COLLIDER_POINT, "hook"},
      {"cart", "ground", 2, 1, FB_COLLIDER_BOX, "cart"}, /* but not its lamp */
      {"cart/hull", "ground", 1, 1, FB_COLLIDER_BOX, "cart"},
      {"cart/1", "ground", 1, 1, FB_COLLIDER_SPHERE, "cart"},
      {"wheel_left/tyre", "wheel_right", 1, 1, FB_COLLIDER_CYLINDER, "wheel_left"},
      {"\"wheel*\"", "ground", 2, 1, FB_COLLIDER_CYLINDER, "wheel_left"},
      {"\"*_left\"", "ground", 1, 1, FB_COLLIDER_CYLINDER, "wheel_left"},
      {"\"*/tyre\"", "ground", 2, 1, FB_COLLIDER_CYLINDER, "wheel_left"},
      {"\"*/t*e\"", "ground", 2, 1, FB_COLLIDER_CYLINDER, "wheel_left"},
      {"\"cart/*\"", "ground", 2, 1, FB_COLLIDER_BOX, "cart"},
      {"\"*\"", "ground", 4, 1, FB_COLLIDER_BOX, "cart"}, /* not the ground, nor frames */
      {"\"*_hub\"", "ground", 2, 1, FB_COLLIDER_POINT, "wheel_left_hub"},
      {"[hook, wheel_left]", "ground", 2, 1, FB_COLLIDER_POINT, "hook"},
      {"[wheel_left, \"wheel*\"]", "ground", 2, 1, FB_COLLIDER_CYLINDER, "wheel_left"},
      {"ground", "[wheel_left, hook]", 1, 2, FB_COLLIDER_PLANE, "world"},
      {"wheel_left", "\"*\"", 1, 4, FB_COLLIDER_CYLINDER, "wheel_left"}, /* all others, and the ground */
      {"\"*\"", "wheel_left", 4, 1, FB_COLLIDER_PLANE, "world"},
      {"\"wheel*\"", "\"wheel*\"", 2, 2, FB_COLLIDER_CYLINDER, "wheel_left"}, /* one with the other */
      {"\"*\"", "\"*\"", 5, 5, FB_COLLIDER_PLANE, "world"},                   /* all with all */
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[3000];
    snprintf(text, sizeof text, CART START GROUND "contacts: [{name: c, a: %s, b: %s}]\n", rows[i].a,
             rows[i].b);
    fb_scenario* s = parse(text);
    const fb_contact* c = contact_at(s, 0);
    if (c->na != rows[i].na || c->nb != rows[i].nb || c->a[0].kind != rows[i].kind ||
        strcmp(fb_frame_name(s->model, c->a[0].frame), rows[i].on) != 0)
      fail_msg("%s on %s: %d and %d, kind %d on %s", rows[i].a, rows[i].b, c->na, c->nb, c->a[0].kind,
               fb_frame_name(s->model, c->a[0].frame));
    fb_scenario_free(s);
  }
}

static void names_of_several_models_have_their_prefix(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodels:\n  - {name: one, model: {bodies: [{name: ball, mass: 1, inertia: [1, 1, 1, 0, 0, "
      "0], "
      "shapes: [{kind: sphere, radius: 1}]}]}}\n  - {name: two, at: [5, 0, 0], model: {bodies: [{name: ball, "
      "mass: "
      "1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{kind: sphere, radius: 2}]}]}}\ncontacts: [{a: one_ball, b: "
      "two_ball}]\n");
  const fb_contact* c = contact_at(s, 0);
  assert_string_equal(c->name, "0");
  assert_true(c->a[0].size[0] == 1 && c->b[0].size[0] == 2);
  fb_scenario_free(s);
}

/* --- surfaces --- */

static void a_surface_is_placed_by_point_and_normal_or_rotation(void** state) {
  (void)state;
  fb_scenario* s = parse(CART START
                         "surfaces:\n"
                         "  - {name: p, kind: plane}\n"
                         "  - {name: slope, kind: plane, at: [0, 0, 2], normal: [0, -3, 4]}\n"
                         "  - {name: turned, kind: plane, rpy: [90 deg, 0, 0]}\n"
                         "  - {name: bumper, kind: box, size: [1, 2, 3], body: hook, at: [4, 5, 6]}\n"
                         "  - {name: rock, kind: ellipsoid, radii: [1, 2, 3], color: \"#806040\"}\n"
                         "  - {name: stone, kind: sphere, radius: 20 cm, body: wheel_left}\n");
  const double up[3] = {0, 0, 1}, want[][3] = {{0, 0, 1}, {0, -0.6, 0.8}, {0, -1, 0}};
  for (int i = 0; i < 3; i++) {
    double z[3];
    fb_rot_apply(s->surfaces[i].collider.R, up, z);
    assert_near(s->surfaces[i].name, z, want[i], 3, 1e-15); /* a few roundings */
  }
  const fb_collider *slope = &s->surfaces[1].collider, *bumper = &s->surfaces[3].collider;
  assert_true(slope->kind == FB_COLLIDER_PLANE && slope->frame == FB_WORLD && slope->at[2] == 2);
  assert_int_equal(bumper->frame, fb_model_find_frame(s->model, "hook"));
  assert_true(bumper->size[2] == 3 && bumper->at[1] == 5);
  assert_string_equal(s->surfaces[4].color, "#806040");
  assert_true(s->surfaces[5].collider.size[0] == 0.2);
  fb_scenario_free(s);
}

static double value_of(fb_sim* sim, const char* name) {
  fb_signal signal;
  fb_error error;
  int count;
  double x = NAN;
  if (fb_sim_find_signal(sim, name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
  fb_sim_signal_values(sim, &signal, 1, &x);
  return x;
}

/* The hook is 3 m above the middle of the grid, over its ridge. */
static void heights_come_from_rows_or_from_a_file(void** state) {
  (void)state;
  fb_scenario* s =
      parse(CART START
            "surfaces:\n"
            "  - {name: rows, kind: heightfield, heights: [[0, 0, 0], [0, 10 cm, 0], [0, 0.2, 0], [0, 0, "
            "0]], spacing: 0.5, at: [0.5, -1, 0]}\n"
            "  - {name: file, kind: heightfield, file: hills.txt, spacing: [0.5, 0.5], at: [0.5, -1, 0]}\n"
            "contacts: [{name: r, a: hook, b: rows}, {name: f, a: hook, b: file}]\n");
  assert_int_equal(s->nsurface, 2);
  for (int i = 0; i < 2; i++) {
    const fb_scenario_surface* x = &s->surfaces[i];
    assert_true(x->nx == 3 && x->ny == 4 && x->spacing[0] == 0.5 && x->spacing[1] == 0.5);
    for (int k = 0; k < 12; k++) assert_true(x->heights[k] == s->surfaces[0].heights[k]);
  }
  assert_true(s->surfaces[1].heights[7] == 0.2);
  assert_int_equal(s->input_count, 2); /* the file is copied with the run */
  fb_sim* sim = make_sim(s);
  double gap = value_of(sim, "contact.r.gap");
  assert_near("gap", &gap, (double[]){2.8}, 1, 1e-12); /* a few roundings */
  assert_true(gap == value_of(sim, "contact.f.gap"));
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void meshes_are_read_once_and_kept_with_the_run(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel:\n  bodies:\n    - {name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{kind: "
      "mesh, file: "
      "block.obj, scale: 0.1}]}\n"
      "start: {base: {at: [0, 0, 9]}}\n"
      "surfaces: [{name: floor, kind: mesh, file: block.obj, scale: [10, 10, 1]}, {name: step, kind: mesh, "
      "file: "
      "block.obj}]\n"
      "contacts: [{name: c, a: a, b: [floor, step]}]\n");
  const fb_contact* c = contact_at(s, 0);
  assert_int_equal(s->nmesh, 1);
  assert_int_equal(s->input_count, 2);
  assert_true(c->b[0].geometry && c->b[0].geometry == c->b[1].geometry &&
              c->b[0].geometry == c->a[0].geometry);
  assert_true(c->b[0].size[0] == 10 && c->b[0].size[2] == 1 && c->a[0].size[1] == 0.1);
  char* view = NULL;
  fb_error error;
  assert_int_equal(fb_scenario_print_view(s, &view, &error), FB_OK);
  assert_non_null(strstr(view, "\"mesh\": \"surface:floor\""));
  assert_non_null(strstr(view, "\"contacts\": [\"c\"]"));
  free(view);
  fb_scenario_free(s);
}

static void a_mirrored_mesh_is_not_inside_out(void** state) {
  (void)state;
  static const char* const scales[] = {"1", "[-1, 1, 1]", "[-2, -1, 1]", "-1"};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++) {
    char text[2000];
    snprintf(text, sizeof text,
             "scenario: 1\nmodel: {bodies: [{name: a, mass: 1, inertia: [1, 1, 1, 0, 0, 0], frames: [{name: "
             "tip}]}]}\n"
             "start: {base: {at: [0.2, 0.1, 0.8]}}\n"
             "surfaces: [{name: floor, kind: mesh, file: block.obj, scale: %s}]\n"
             "contacts: [{name: c, a: tip, b: floor}]\n",
             scales[i]);
    fb_scenario* s = parse(text);
    fb_sim* sim = make_sim(s);
    fb_error error;
    double x = value_of(sim, "contact.c.gap");
    assert_near(scales[i], &x, (double[]){0.3}, 1, 1e-6); /* vertices are floats */
    char *view = NULL, scale[40];
    snprintf(scale, sizeof scale, "\"size\": %s", i == 0 ? "[1, 1, 1]" : i == 3 ? "[-1, -1, -1]" : scales[i]);
    assert_int_equal(fb_scenario_print_view(s, &view, &error), FB_OK);
    assert_non_null(strstr(view, scale)); /* pictures mirror it too */
    free(view);
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

/* --- laws and materials --- */

#define MATERIALS                                                                                    \
  "materials:\n  default: {friction: 0.1}\n  ice: {friction: 0.02, restitution: 0.3}\n"              \
  "  rubber: {law: spring, stiffness: 20 kN/m, damping: 5, friction: 0.9}\n  gum: {stiffness: 500, " \
  "damping: 2}\n"                                                                                    \
  "surfaces: [{name: ground, kind: plane}, {name: rink, kind: plane, material: ice}]\n"

static void values_come_from_the_contact_then_from_its_material(void** state) {
  (void)state;
  static const struct {
    const char* keys;
    fb_contact_law law;
    double friction, restitution, stiffness, damping;
  } rows[] = {
      {"b: ground", FB_CONTACT_HARD, 0.1, 0, 0, 0},
      {"b: ground, friction: 0.7, restitution: 1", FB_CONTACT_HARD, 0.7, 1, 0, 0},
      {"b: ground, material: ice", FB_CONTACT_HARD, 0.02, 0.3, 0, 0},
      {"b: rink", FB_CONTACT_HARD, 0.02, 0.3, 0, 0},
      {"b: rink, material: rubber", FB_CONTACT_SPRING, 0.9, 0, 20000, 5},
      {"b: ground, material: rubber, stiffness: 7, friction: 0", FB_CONTACT_SPRING, 0, 0, 7, 5},
      {"b: ground, material: rubber, law: hard", FB_CONTACT_HARD, 0.9, 0, 0, 0},
      {"b: ground, material: gum, law: hunt_crossley", FB_CONTACT_HUNT_CROSSLEY, 0, 0, 500, 2},
      {"b: ground, material: gum, law: hertz", FB_CONTACT_HERTZ, 0, 0, 500, 0},
      {"b: ground, law: spring, stiffness: 2 N/mm, damping: 1 kN s/m", FB_CONTACT_SPRING, 0.1, 0, 2000, 1000},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[4000];
    snprintf(text, sizeof text, CART START MATERIALS "contacts: [{a: hook, %s}]\n", rows[i].keys);
    fb_scenario* s = parse(text);
    const fb_contact* c = contact_at(s, 0);
    if (c->law != rows[i].law || c->friction != rows[i].friction || c->restitution != rows[i].restitution ||
        c->stiffness != rows[i].stiffness || c->damping != rows[i].damping)
      fail_msg("%s: law %d, friction %g, restitution %g, stiffness %g, damping %g", rows[i].keys, c->law,
               c->friction, c->restitution, c->stiffness, c->damping);
    fb_scenario_free(s);
  }
}

static void words_choose_restitution_and_rubbing(void** state) {
  (void)state;
  fb_scenario* s =
      parse(CART START GROUND
            "contacts:\n  - {a: hook, b: ground, restitution: 0.5, restitution_law: poisson}\n"
            "  - {a: cart, b: ground, law: hertz, stiffness: 1e6, friction: 0.5, rubbing: bristle, "
            "bristle_stiffness: 1 kN/m, bristle_damping: 3, slip_speed: 1 cm/s}\n");
  assert_int_equal(contact_at(s, 0)->restitution_law, FB_RESTITUTION_POISSON);
  const fb_contact* c = contact_at(s, 1);
  assert_int_equal(c->friction_model, FB_FRICTION_MODEL_BRISTLE);
  assert_true(c->bristle_stiffness == 1000 && c->bristle_damping == 3 && c->slip_speed == 0.01);
  fb_scenario_free(s);
}

static void a_soil_is_a_preset_or_parameters_over_it(void** state) {
  (void)state;
  const char* preset = fb_soil_preset_name(0);
  char text[4000];
  fb_soil soil;
  fb_error error;
  snprintf(text, sizeof text,
           CART START GROUND
           "contacts:\n  - {a: wheel_left, b: ground, law: soil, soil: %s}\n"
           "  - {a: wheel_right, b: ground, law: soil, soil: {preset: %s, cohesion: 123, friction_angle: 30 "
           "deg}}\n",
           preset, preset);
  fb_scenario* s = parse(text);
  assert_int_equal(fb_soil_preset(preset, &soil, &error), FB_OK);
  assert_memory_equal(&contact_at(s, 0)->soil, &soil, sizeof soil);
  soil.cohesion = 123;
  soil.friction_angle = PI / 6;
  const fb_soil* own = &contact_at(s, 1)->soil;
  assert_true(own->cohesion == 123 && own->k_phi == soil.k_phi && own->density == soil.density);
  assert_true(fabs(own->friction_angle - PI / 6) < 1e-15);
  fb_scenario_free(s);
}

/* --- the run --- */

static void contacts_choose_the_method(void** state) {
  (void)state;
#define HARD "contacts: [{a: cart, b: ground}]\n"
#define SOFT "contacts: [{a: cart, b: ground, law: spring, stiffness: 1e5}]\n"
  static const struct {
    const char *keys, *integrator;
  } rows[] = {
      {HARD, "moreau, 1 ms"},
      {HARD "integrator: {method: moreau}\n", "moreau, 1 ms"},
      {HARD "integrator: {method: auto, step: 2 ms}\n", "moreau, 2 ms"},
      {HARD "integrator: {step: 0.5 ms}\n", "moreau, 0.5 ms"},
      {HARD "integrator: {method: rk4}\n", "rk4, 10 ms"},
      {SOFT, "dopri5, accuracy 1e-06"},
      {SOFT "integrator: {method: momentum, step: 1 ms}\n", "momentum, 1 ms"},
      {"", "dopri5, accuracy 1e-06"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char text[4000];
    snprintf(text, sizeof text, CART START GROUND "%s", rows[i].keys);
    fb_scenario* s = parse(text);
    if (strcmp(s->integrator, rows[i].integrator) != 0) fail_msg("%s%s", rows[i].keys, s->integrator);
    fb_scenario_free(s);
  }
}

/* The same numbers, to the last bit. */
static void moreau_by_default_is_moreau_by_name(void** state) {
  (void)state;
#define DROP                                                                                               \
  CART "start: {base: {at: [0, 0, 1], rpy: [0.3, 0.2, 0], velocity: [1, 0, 0]}}\ngravity: [0, 0, -9.81]\n" \
       "duration: 0.5\n" GROUND "contacts: [{name: c, a: \"*\", b: ground, friction: 0.4}]\n"
  fb_scenario *one = parse(DROP), *two = parse(DROP "integrator: {method: moreau}\n");
  fb_sim *x = run(one, 0.5), *y = run(two, 0.5);
  int n = fb_model_nq(one->model) + fb_model_nv(one->model);
  assert_memory_equal(fb_sim_y(x), fb_sim_y(y), (size_t)n * sizeof(double));
  fb_sim_free(x);
  fb_sim_free(y);
  fb_scenario_free(one);
  fb_scenario_free(two);
}

static void contacts_have_signals(void** state) {
  (void)state;
  static const char* const names[] = {"contact.c.gap",        "contact.c.force.z", "contact.c.normal",
                                      "contact.c.tangential", "contact.c.slip",    "contact.c.state",
                                      "contact.c.impulse.x",  "contact.d.gap",     "solver.residual",
                                      "solver.iterations"};
  fb_scenario* s =
      parse(CART START GROUND
            "control: [{name: hold, type: joint_pd, kp: 1, kd: 1}]\n"
            "contacts:\n  - {name: d, a: hook, b: ground, law: spring, stiffness: 100}\n"
            "  - {name: c, a: cart, b: ground}\n"
            "log: {signals: [contact.c, solver.residual, contact.d.gap]}\n"
            "events: [{name: low, when: contact.c.gap, crosses: 1 m, do: [{set: {block: contact.c, "
            "parameter: friction, value: 1}}]}]\n");
  fb_sim* sim = make_sim(s);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    fb_signal of_scenario, of_sim;
    fb_error error;
    int count;
    assert_int_equal(fb_scenario_find_signals(s, names[i], &of_scenario, 1, &count, &error), FB_OK);
    assert_int_equal(fb_sim_find_signal(sim, names[i], &of_sim, 1, &count, &error), FB_OK);
    assert_memory_equal(&of_scenario, &of_sim, sizeof of_sim); /* blocks stand in the same order */
  }
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void all_that_contacts_report_is_logged(void** state) {
  (void)state;
  fb_scenario* s =
      parse(CART START GROUND "contacts: [{name: c, a: cart, b: ground}]\nlog: {signals: [t]}\n");
  fb_signal* signals;
  fb_error error;
  int count, found = 0;
  assert_int_equal(fb_scenario_logged(s, &signals, &count, &error), FB_OK);
  for (int i = 0; i < count; i++) {
    fb_signal_info info;
    fb_scenario_signal_info(s, signals[i], &info);
    found += strcmp(info.name, "contact.c.state") == 0 || strcmp(info.name, "contact.c.force.x") == 0 ||
             strcmp(info.name, "solver.residual") == 0;
  }
  assert_int_equal(found, 3);
  free(signals);
  fb_scenario_free(s);
}

/* A ball hits the ground once, and stays. */
static void an_event_acts_when_a_contact_changes(void** state) {
  (void)state;
  fb_scenario* s = parse(
      "scenario: 1\nmodel: {bodies: [{name: ball, mass: 1, inertia: [1, 1, 1, 0, 0, 0], shapes: [{kind: "
      "sphere, radius: "
      "0.1}]}]}\ngravity: [0, 0, -10]\nstart: {base: {at: [0, 0, 0.3]}}\n" GROUND
      "contacts: [{name: floor, a: ball, b: ground}]\nmodes: [fall, rest]\n"
      "events: [{name: down, contact: floor, do: [{mode: rest}]}, {name: up, contact: floor, change: opens, "
      "once: true}]\n");
  fb_sim* sim = run(s, 0.19);
  assert_int_equal(fb_sim_mode(sim), 0);
  fb_error error;
  assert_int_equal(fb_sim_run_until(sim, 0.21, &error), FB_OK); /* the fall takes 0.2 s */
  assert_int_equal(fb_sim_mode(sim), 1);
  char* text = NULL;
  assert_int_equal(fb_scenario_explain(s, &text, NULL, &error), FB_OK);
  assert_non_null(strstr(text, "down: when contact floor hits: mode 'rest' begins\n"));
  assert_non_null(strstr(text, "up: the first time that contact floor opens, only logged\n"));
  free(text);
  fb_sim_free(sim);
  fb_scenario_free(s);
}

static void contacts_are_explained(void** state) {
  (void)state;
  static const char* const lines[] = {
      "  contact     foot: hook touches ground: hard, friction 0.5, restitution 0.2 (Poisson)\n",
      "              1: wheel_*, cart/hull touches ground: hard, no friction, restitution 0\n",
      "              soft: cart touches ground: hunt_crossley, 1e+06 N/m^1.5, damping 0.3 s/m, friction 0.4 "
      "that "
      "creeps\n",
      "  integrator  moreau, 1 ms (auto, for hard contacts)"};
  fb_scenario* s =
      parse(CART START GROUND
            "contacts:\n  - {name: foot, a: hook, b: ground, friction: 0.5, restitution: 0.2, "
            "restitution_law: poisson}\n  - {a: [wheel_*, cart/hull], b: ground}\n"
            "  - {name: soft, a: cart, b: ground, law: hunt_crossley, stiffness: 1e6, damping: 0.3, "
            "friction: 0.4}\n");
  char* text = NULL;
  fb_error error;
  assert_int_equal(fb_scenario_explain(s, &text, NULL, &error), FB_OK);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (!strstr(text, lines[i])) fail_msg("%sis not in\n%s", lines[i], text);
  free(text);
  fb_scenario_free(s);
}

/* --- limits --- */

#define LIMITED                                                                                           \
  "scenario: 1\nmodel:\n  bodies:\n"                                                                      \
  "    - {name: a, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], joint: {name: hip, type: "       \
  "revolute, axis: [0, 1, "                                                                               \
  "0], limits: [-0.5, 0.5]}}\n"                                                                           \
  "    - {name: b, parent: a, mass: 1, com: [1, 0, 0], inertia: [1, 1, 1, 0, 0, 0], joint: {name: knee, " \
  "type: revolute, axis: "                                                                                \
  "[0, 1, 0], limits: [-1, 1]}}\ngravity: [0, 0, -9.81]\n"

static void limits_as_contacts_are_stops_for_every_method(void** state) {
  (void)state;
  static const char* const methods[] = {"rk4", "dopri5", "moreau"};
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    char text[2000];
    snprintf(text, sizeof text, LIMITED "limits: contact\nintegrator: {method: %s, step: 1 ms}\n",
             methods[i]);
    fb_scenario* s = parse(text);
    assert_int_equal(s->nlimit, 4);
    fb_sim* sim = run(s, 3);
    assert_true(fb_sim_q(sim)[0] < 0.5 + 1e-3 && fb_sim_q(sim)[0] > 0.4); /* it has fallen onto its stop */
    fb_sim_free(sim);
    fb_scenario_free(s);
  }
}

static void events_take_precedence_over_limits_as_contacts(void** state) {
  (void)state;
  fb_scenario* s =
      parse(LIMITED
            "limits: contact\nevents: [{name: k, limit: knee, do: [{bounce: {restitution: 1}}]}, "
            "{name: seen, limit: hip}]\n");
  assert_int_equal(s->nlimit, 4);
  assert_true(s->limits[0].restitution == 1 && s->limits[3].restitution == 0);
  fb_scenario_free(s);
}

static void limits_that_nothing_enforces_are_named(void** state) {
  (void)state;
  static const struct {
    const char *keys, *line;
  } rows[] = {
      {"",
       "  limits      of 2 joints (hip, knee) are not enforced: 'limits: contact' would make them rigid "
       "stops"},
      {"limits: contact\n",
       "  stop        limits: 2 joints (hip, knee) cannot pass their limits: restitution 0\n"},
  };
  for (size_t i = 0; i < 2; i++) {
    char input[2000], *text = NULL;
    fb_error error;
    snprintf(input, sizeof input, LIMITED "%s", rows[i].keys);
    fb_scenario* s = parse(input);
    assert_int_equal(fb_scenario_explain(s, &text, NULL, &error), FB_OK);
    if (!strstr(text, rows[i].line)) fail_msg("%s\nis not in\n%s", rows[i].line, text);
    free(text);
    fb_scenario_free(s);
  }
}

static void advice_names_the_contact_that_a_step_is_too_long_for(void** state) {
  (void)state;
  char text[400];
  fb_scenario* s = parse(CART START GROUND
                         "contacts: [{name: foot, a: cart/1, b: ground, law: spring, stiffness: 1e9}]\n"
                         "duration: 1\nintegrator: {method: rk4, step: 1 ms}\n");
  assert_true(fb_scenario_stiffness(s, text, sizeof text));
  if (!strstr(text, "too long for rk4 with contact 'contact.foot'")) fail_msg("%s", text);
  fb_scenario_free(s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_select_points_shapes_and_surfaces),
      cmocka_unit_test(names_of_several_models_have_their_prefix),
      cmocka_unit_test(a_surface_is_placed_by_point_and_normal_or_rotation),
      cmocka_unit_test(heights_come_from_rows_or_from_a_file),
      cmocka_unit_test(meshes_are_read_once_and_kept_with_the_run),
      cmocka_unit_test(a_mirrored_mesh_is_not_inside_out),
      cmocka_unit_test(values_come_from_the_contact_then_from_its_material),
      cmocka_unit_test(words_choose_restitution_and_rubbing),
      cmocka_unit_test(a_soil_is_a_preset_or_parameters_over_it),
      cmocka_unit_test(contacts_choose_the_method),
      cmocka_unit_test(moreau_by_default_is_moreau_by_name),
      cmocka_unit_test(contacts_have_signals),
      cmocka_unit_test(all_that_contacts_report_is_logged),
      cmocka_unit_test(an_event_acts_when_a_contact_changes),
      cmocka_unit_test(contacts_are_explained),
      cmocka_unit_test(limits_as_contacts_are_stops_for_every_method),
      cmocka_unit_test(events_take_precedence_over_limits_as_contacts),
      cmocka_unit_test(limits_that_nothing_enforces_are_named),
      cmocka_unit_test(advice_names_the_contact_that_a_step_is_too_long_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
