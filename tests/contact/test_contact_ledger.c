/* test_contact_ledger.c -- contacts in the ledger: what they exchange is the scale of the residuals, a displacement out of
 * penetration leaves no residual of momentum, and bodies whose masses differ by 1e6 are solved or reported. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"

#include "contact/dynamics/hard_contact.h"
#include "ledger/ledger.h"

/* A body with the shape of a box on the plane z = 0. */
static fb_sim* box_on_plane(const fb_model* m, fb_sim_options options, fb_contact_law law, double friction) {
  fb_sim* sim;
  fb_error error;
  fb_collider box = shape_on(1, FB_COLLIDER_BOX, 0.2, 0.2, 0.1),
              plane = shape_on(0, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&box, &plane, law, 1e4, 100, friction);
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error))
    fail_msg("%s", error.text);
  return sim;
}

static void balance_of(fb_sim* sim, const double* q, const double* v, double t, fb_ledger* ledger) {
  fb_error error;
  if (fb_sim_start(sim, q, v, &error) || fb_sim_run_until(sim, t, &error)) fail_msg("%s", error.text);
  fb_sim_ledger(sim, ledger);
  fb_sim_free(sim);
}

/* 2 kg at 1 m/s: friction takes 1 J, and no part of the box moves relative to its centre of mass. */
static void what_friction_takes_from_a_sliding_box_is_the_scale(void** unused) {
  (void)unused;
  static const struct {
    fb_method method;
    fb_contact_law law;
    double step;
  } CASES[] = {{FB_METHOD_MOREAU, FB_CONTACT_HARD, 1e-3},
               {FB_METHOD_RK4, FB_CONTACT_HARD, 1e-2},
               {FB_METHOD_DOPRI5, FB_CONTACT_HARD, 1e-2},
               {FB_METHOD_DOPRI5, FB_CONTACT_SPRING, 1e-3}};
  fb_model* m = one_body(FB_JOINT_FREE, 2, 0.04);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    fb_sim_options options = heavy_options(0, -G);
    fb_ledger l;
    options.method = CASES[i].method;
    options.step = CASES[i].step;
    const double q[] = {0, 0, 0.05, 1, 0, 0, 0}, v[] = {1, 0, 0, 0, 0, 0};
    balance_of(box_on_plane(m, options, CASES[i].law, 0.3), q, v, 1, &l);
    assert_true(fabs(l.friction + 1) < 1e-3); /* the spring presses the box down a little and damps it */
    assert_true(l.gross > 0.999 && l.gross < 1.02);
    assert_true(l.scale > 0.999 && l.scale < 1.02);
    assert_true(l.angular_scale > 0.01); /* friction turns the box forwards, the normal forces turn it back */
    assert_true(l.worst < 1e-9 && l.momentum_worst < 1e-9);
  }
  fb_model_free(m);
}

/* Its centre of mass is not at the origin of its frame: turning it changes the velocity of the centre of mass. */
static fb_model* lopsided(void) {
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.name = "box";
  body.joint.type = FB_JOINT_FREE;
  body.mass = 2;
  body.com[0] = 0.05;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.04;
  if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void a_start_in_penetration_is_left_before_the_ledger_begins(void** unused) {
  (void)unused;
  fb_model* m = lopsided();
  fb_sim_options options = heavy_options(0, -G);
  fb_ledger l;
  options.method = FB_METHOD_MOREAU;
  options.step = 1e-3;
  /* One edge is 5 mm deep; the box turns about the normal of the plane, on which nothing rubs. */
  const double q[] = {0, 0, 0.05, cos(0.025), 0, sin(0.025), 0}, v[] = {0.3, 0, 0, 0, 0, 2};
  balance_of(box_on_plane(m, options, FB_CONTACT_HARD, 0), q, v, 0, &l);
  assert_true(l.projection == 0 && l.residual == 0 && l.linear_residual == 0 && l.angular_residual == 0);
  fb_model_free(m);
}

static void displacements_out_of_penetration_leave_momentum_balanced(void** unused) {
  (void)unused;
  fb_model* m = lopsided();
  fb_sim_options options = heavy_options(0, -G);
  fb_ledger l;
  options.method = FB_METHOD_MOREAU;
  options.step = 1e-3;
  const double q[] = {0, 0, 0.25, cos(0.3), 0, sin(0.3), 0}, v[] = {0.3, 0, 0, 0.5, 0, 2};
  balance_of(box_on_plane(m, options, FB_CONTACT_HARD, 0.5), q, v, 1, &l);
  assert_true(l.worst < 1e-12);
  assert_true(l.momentum_worst <
              1e-6); /* 1.7e-7; 1.7e-4 with the accelerations at the mean of the velocities */
  fb_model_free(m);
}

/* Two masses, one below the other, and a damper between them. */
static fb_model* damped_pair(void) {
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "foot" : "hull";
    body.parent = i ? "hull" : NULL;
    body.joint.type = FB_JOINT_PRISMATIC;
    body.joint.axis[2] = 1;
    body.joint.damping[0] = i ? 600 : 0;
    body.joint.friction[0] = i ? 20 : 0;
    body.mass = i ? 7 : 400;
    for (int k = 0; k < 3; k++) body.inertia[k] = 1;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* The damper is at rest until the foot strikes: its mean velocity in that step is none that it has. The ledger
 * closes wherever in the step the impact is; 1e-7 are left of the steps that follow. */
static void dampers_are_booked_with_the_velocities_before_and_after_an_impact(void** unused) {
  (void)unused;
  const fb_collider tip = shape_on(2, FB_COLLIDER_POINT, 0, 0, 0),
                    plane = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  const fb_contact contact = contact_of(&tip, &plane, FB_CONTACT_HARD, 0, 0, 0);
  fb_model* m = damped_pair();
  for (int i = 0; i < 8; i++) {
    fb_sim_options options = heavy_options(0, -G);
    fb_sim* sim;
    fb_error error;
    fb_ledger l;
    options.method = FB_METHOD_MOREAU;
    options.step = 1e-3;
    if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error))
      fail_msg("%s", error.text);
    balance_of(sim, (const double[]){1.1e-3 + 1.3e-5 * i, 0}, (const double[]){-0.1, 0}, 0.012, &l);
    assert_true(l.normal < -0.03 && l.dissipated > 2e-3);
    if (!(l.worst < 1e-6)) fail_msg("case %d: energy is off by %g", i, l.worst);
  }
  fb_model_free(m);
}

/* A small ball that slides over a large one, with long steps: closing its gap lowers or lifts it, which does not change its energy about
 * its own centre of mass. */
static void displacements_at_the_end_of_steps_are_in_the_residual(void** unused) {
  (void)unused;
  static const fb_method METHODS[] = {FB_METHOD_RK4, FB_METHOD_SEMI_IMPLICIT};
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.004);
  const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                    hill = shape_on(FB_WORLD, FB_COLLIDER_SPHERE, 1, 0, 0);
  const fb_contact contact = contact_of(&ball, &hill, FB_CONTACT_HARD, 0, 0, 0);
  for (size_t i = 0; i < sizeof METHODS / sizeof *METHODS; i++) {
    fb_sim_options options = heavy_options(0, -G);
    fb_sim* sim;
    fb_error error;
    fb_ledger l;
    options.method = METHODS[i];
    options.step = 0.02;
    if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_contact(sim, &contact, NULL, &error))
      fail_msg("%s", error.text);
    const double q[] = {1.1 * sin(0.2), 0, 1.1 * cos(0.2), 1, 0, 0, 0},
                 v[6] = {-1.5 * cos(0.2), 0, 1.5 * sin(0.2)};
    balance_of(sim, q, v, 0.4, &l);
    double gained = l.kinetic + l.potential - l.kinetic_0 - l.potential_0;
    double rows = l.work + l.external - l.dissipated + l.impacts + l.normal + l.friction + l.projection;
    assert_true(fabs(l.residual) > 1e-8); /* there is something to see */
    if (!(fabs(gained - rows - l.residual) < 1e-12))
      fail_msg("%s: %g J gained, %g in rows, residual %g", fb_method_name(METHODS[i]), gained, rows,
               l.residual);
  }
  fb_model_free(m);
}

/* ---- light bodies between heavy ones ---- */

enum { MOST_BODIES = 3 };
static const double WIDE = 0.2; /* of each body [m] */

/* Free bodies, each of the next mass. */
static fb_model* bodies(const double* masses, int count) {
  static const char* const NAMED[MOST_BODIES] = {"b0", "b1", "b2"};
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < count; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = NAMED[i];
    body.joint.type = FB_JOINT_FREE;
    body.mass = masses[i];
    for (int k = 0; k < 3; k++) body.inertia[k] = masses[i] * WIDE * WIDE / 6;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* A column of them on the plane, `gap` apart, with hard contacts, sliding at `speed`. Started. */
static fb_sim* column(const fb_model* m, int count, fb_collider_kind kind, double gap, double speed) {
  static const char* const CONTACTS[MOST_BODIES] = {"c0", "c1", "c2"};
  fb_sim_options options = heavy_options(0, -G);
  double q[7 * MOST_BODIES] = {0}, v[6 * MOST_BODIES] = {0};
  fb_collider below = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_error error;
  fb_sim* sim;
  options.method = FB_METHOD_DOPRI5;
  if (fb_sim_new(m, &options, &sim, &error)) fail_msg("%s", error.text);
  for (int i = 0; i < count; i++) {
    const double size = kind == FB_COLLIDER_BOX ? WIDE : WIDE / 2;
    fb_collider above = shape_on(i + 1, kind, size, size, size);
    fb_contact contact = contact_of(&above, &below, FB_CONTACT_HARD, 0, 0, 0.5);
    contact.name = CONTACTS[i];
    if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
    q[7 * i] = kind == FB_COLLIDER_BOX ? 0.002 * i : 0;
    q[7 * i + 2] = (0.5 + i) * WIDE + gap * i;
    q[7 * i + 3] = 1;
    v[6 * i] = speed;
    below = above;
  }
  start_or_fail(sim, q, v);
  return sim;
}

/* Their forces nearly cancel on a light body; what is rounded of them is none of the motion, and limits no steps. */
static void forces_that_cancel_on_a_light_body_count_as_exchanged(void** unused) {
  (void)unused;
  static const struct {
    double masses[MOST_BODIES];
    int count;
    fb_collider_kind kind;
    double gap;
  } CASES[] = {{{1, 1e6}, 2, FB_COLLIDER_SPHERE, 0},         {{1e6, 1}, 2, FB_COLLIDER_SPHERE, 0},
               {{1e6, 1, 1e6}, 3, FB_COLLIDER_SPHERE, 0},    {{1, 1e6}, 2, FB_COLLIDER_BOX, 0},
               {{1e6, 1, 1e6}, 3, FB_COLLIDER_SPHERE, 0.02}, {{1, 1e6}, 2, FB_COLLIDER_BOX, 0.02}};
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
    fb_model* m = bodies(CASES[i].masses, CASES[i].count);
    fb_sim* sim = column(m, CASES[i].count, CASES[i].kind, CASES[i].gap, 0);
    fb_ledger l;
    run_or_fail(sim, 0.3);
    fb_sim_ledger(sim, &l);
    assert_true(l.worst < 1e-5 && l.momentum_worst < 1e-7);
    assert_true(fb_sim_nstep(sim) + fb_sim_nrejected(sim) < 200);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* Friction of 3e6 N on 1 kg: its motion is over within a microsecond, and steps cannot follow it. */
static void steps_without_end_are_reported_with_the_names_of_the_contacts(void** unused) {
  (void)unused;
  static const fb_collider_kind KINDS[] = {FB_COLLIDER_SPHERE, FB_COLLIDER_BOX};
  fb_model* m = bodies((const double[]){1, 1e6}, 2);
  for (int i = 0; i < 2; i++) {
    fb_sim* sim = column(m, 2, KINDS[i], 0, 1);
    fb_error error;
    if (fb_sim_run_until(sim, 0.1, &error)) {
      assert_int_equal(error.status, FB_ERR_NO_SOLUTION);
      assert_non_null(strstr(error.text, "contacts \"c0\", \"c1\""));
      assert_non_null(strstr(error.text, "method: moreau"));
    }
    assert_true(fb_sim_nstep(sim) < 1000);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- steps that are too long ---- */

/* A ball is thrown away by a contact that acts within 0.1 ms. About its own centre of mass nothing does any work. */
static void what_too_long_steps_make_of_a_contact_is_in_the_balance_of_the_world(void** unused) {
  (void)unused;
  static const struct {
    fb_contact_law law;
    double stiffness, damping;
  } CASES[] = {{FB_CONTACT_SPRING, 1e8, 0}, {FB_CONTACT_HERTZ, 1e9, 0}, {FB_CONTACT_HUNT_CROSSLEY, 1e9, 0.1}};
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.004);
  for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++)
    for (int exact = 0; exact < 2; exact++) {
      const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                        plane = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
      const fb_contact contact =
          contact_of(&ball, &plane, CASES[i].law, CASES[i].stiffness, CASES[i].damping, 0);
      fb_sim* sim = sim_by(exact ? METHOD_COUNT : 2, m, 1e-2, heavy_options(0, -G));
      fb_ledger l;
      contact_or_fail(sim, &contact);
      balance_of(sim, (const double[]){0, 0, 0.2, 1, 0, 0, 0}, NULL, 0.5, &l);
      double given = fmax(0, l.normal) + fabs(l.world_residual);
      assert_true(l.contacts && (exact ? given < 1e-4 * l.peak_kinetic : given > 0.1 * l.peak_kinetic));
    }
  fb_model_free(m);
}

/* ---- projections ---- */

/* A change of velocity by a projection, booked as such: every balance closes, and only the warning tells. */
static void projections_that_change_the_motion_are_warned_of(void** unused) {
  (void)unused;
  static const double RATES[] = {1e-3, 0.85}; /* along the ground, of 1 m/s [m/s] */
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.01);
  for (int i = 0; i < 2; i++) {
    fb_sim_options options = heavy_options(0, -G);
    fb_scene_totals before;
    fb_error error;
    char text[512];
    options.method = FB_METHOD_RK4;
    options.step = 1e-3;
    fb_sim* sim = box_on_plane(m, options, FB_CONTACT_HARD, 0);
    const double q[] = {0, 0, 0.05, 1, 0, 0, 0}, v[] = {1, 0, 0, 0, 0, 0};
    if (fb_sim_start(sim, q, v, &error)) fail_msg("%s", error.text);
    run_or_fail(sim, 0.01);
    fb_ledger_move_begin(sim, sim->y, 0, &before);
    sim->y[sim->nq + 1] += RATES[i]; /* across the motion: half its square is the energy */
    fb_y_x(sim, sim->y)[sim->block.state_offset[sim->contact.hard->solver]] +=
        fb_ledger_move_end(sim, sim->y, &before);
    run_or_fail(sim, 0.02);
    const int warned = fb_sim_warning(sim, text, sizeof text);
    if (warned != i) fail_msg("%g m/s: %s", RATES[i], text);
    if (i == 1)
      assert_non_null(strstr(text,
                             "contacts were closed, or moved out of penetration, by displacements that "
                             "gave 0.361 J (signal ledger.projection); do not trust this motion"));
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_friction_takes_from_a_sliding_box_is_the_scale),
      cmocka_unit_test(a_start_in_penetration_is_left_before_the_ledger_begins),
      cmocka_unit_test(displacements_out_of_penetration_leave_momentum_balanced),
      cmocka_unit_test(displacements_at_the_end_of_steps_are_in_the_residual),
      cmocka_unit_test(dampers_are_booked_with_the_velocities_before_and_after_an_impact),
      cmocka_unit_test(forces_that_cancel_on_a_light_body_count_as_exchanged),
      cmocka_unit_test(steps_without_end_are_reported_with_the_names_of_the_contacts),
      cmocka_unit_test(projections_that_change_the_motion_are_warned_of),
      cmocka_unit_test(what_too_long_steps_make_of_a_contact_is_in_the_balance_of_the_world),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
