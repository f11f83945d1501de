/* test_contact.c -- contacts as they are given: defaults, what is refused and why, outputs as signals, pairs of several
 * colliders, joins. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/pair.h"

static void laws_have_the_names_of_the_scenario(void** unused) {
  (void)unused;
  static const char* const NAMES_OF[] = {"hard", "spring", "hunt_crossley", "hertz", "soil"};
  for (int i = 0; i < 5; i++) assert_string_equal(fb_contact_law_name((fb_contact_law)i), NAMES_OF[i]);
  assert_string_equal(fb_contact_law_name((fb_contact_law)5), "unknown");
  assert_string_equal(fb_contact_law_name((fb_contact_law)-1), "unknown");
}

/* ---- refusals ---- */

static fb_collider BALL, GROUND, OTHER, FLAT, MANY[1001];

static void no_name(fb_contact* c) {
  c->name = NULL;
}
static void empty_name(fb_contact* c) {
  c->name = "";
}
static void friction_below_zero(fb_contact* c) {
  c->friction = -0.1;
}
static void friction_nan(fb_contact* c) {
  c->friction = NAN;
}
static void restitution_above_one(fb_contact* c) {
  c->restitution = 1.01;
}
static void restitution_below_zero(fb_contact* c) {
  c->restitution = -1e-9;
}
static void no_stiffness(fb_contact* c) {
  c->stiffness = 0;
}
static void endless_stiffness(fb_contact* c) {
  c->stiffness = INFINITY;
}
static void damping_below_zero(fb_contact* c) {
  c->damping = -1;
}
static void slip_speed_below_zero(fb_contact* c) {
  c->slip_speed = -1e-3;
}
static void bristles_below_zero(fb_contact* c) {
  c->bristle_stiffness = -1;
}
static void bristle_damping_nan(fb_contact* c) {
  c->bristle_damping = NAN;
}
static void no_law(fb_contact* c) {
  c->law = (fb_contact_law)7;
}
static void no_rubbing(fb_contact* c) {
  c->friction_model = (fb_friction_model)-1;
}
static void no_restitution_law(fb_contact* c) {
  c->restitution_law = (fb_restitution_law)2;
}
static void no_colliders(fb_contact* c) {
  c->na = 0;
}
static void no_array(fb_contact* c) {
  c->b = NULL;
}
static void on_one_body(fb_contact* c) {
  c->b = &OTHER;
}
static void on_no_frame(fb_contact* c) {
  BALL.frame = 99;
  (void)c;
}
static void flat_ball(fb_contact* c) {
  c->a = &FLAT;
}
static void a_million_and_more(fb_contact* c) {
  for (int i = 0; i < 1001; i++) MANY[i] = BALL;
  c->a = c->b = MANY;
  c->na = c->nb = 1001;
}
static void rigid(fb_contact* c) {
  c->law = FB_CONTACT_HARD;
}

static const struct {
  void (*spoil)(fb_contact* c);
  fb_status status;
  const char* says;
} REFUSED[] = {
    {no_name, FB_ERR_NAME, "needs a name"},
    {empty_name, FB_ERR_NAME, "needs a name"},
    {friction_below_zero, FB_ERR_ARG, "\"foot\": its friction is -0.1; it must be finite, at least 0"},
    {friction_nan, FB_ERR_NOT_FINITE, "friction is nan"},
    {restitution_above_one, FB_ERR_ARG, "restitution is 1.01; it must be finite, at least 0 and at most 1"},
    {restitution_below_zero, FB_ERR_ARG, "restitution is -1e-09"},
    {no_stiffness, FB_ERR_ARG, "stiffness is 0; it must be finite, greater than 0"},
    {endless_stiffness, FB_ERR_NOT_FINITE, "stiffness is inf"},
    {damping_below_zero, FB_ERR_ARG, "damping is -1"},
    {slip_speed_below_zero, FB_ERR_ARG, "slip speed is -0.001"},
    {bristles_below_zero, FB_ERR_ARG, "bristle stiffness is -1"},
    {bristle_damping_nan, FB_ERR_NOT_FINITE, "bristle damping is nan"},
    {no_law, FB_ERR_ARG, "law is 7, which does not exist"},
    {no_rubbing, FB_ERR_ARG, "kind of rubbing is -1"},
    {no_restitution_law, FB_ERR_ARG, "restitution law is 2"},
    {no_colliders, FB_ERR_ARG, "side a has no colliders"},
    {no_array, FB_ERR_ARG, "side b has no colliders"},
    {on_one_body, FB_ERR_ARG, "(\"ball\" and \"ball\"), so they would never touch"},
    {on_no_frame, FB_ERR_NAME, "collider 0 of side a is on frame 99, which does not exist"},
    {flat_ball, FB_ERR_ARG, "collider 0 of side a: "},
    {a_million_and_more, FB_ERR_ARG, "1001 colliders against 1001 are more than 1000000 pairs"},
    {rigid, FB_ERR_ARG, "add it by fb_sim_add_contact"},
};

static void what_cannot_be_is_refused_with_a_reason(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_FREE, 1, 1);
  for (size_t i = 0; i < sizeof REFUSED / sizeof *REFUSED; i++) {
    BALL = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0);
    OTHER = shape_on(1, FB_COLLIDER_BOX, 1, 1, 1);
    FLAT = shape_on(1, FB_COLLIDER_SPHERE, 0, 0, 0);
    GROUND = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
    fb_contact contact = contact_of(&BALL, &GROUND, FB_CONTACT_SPRING, 1e3, 0, 0.5);
    fb_block block;
    fb_error error;
    REFUSED[i].spoil(&contact);
    assert_int_equal(fb_block_new_contact(m, &contact, &block, &error), REFUSED[i].status);
    if (!strstr(error.text, REFUSED[i].says)) fail_msg("%s", error.text);
    assert_null(block.user);
    assert_int_equal(fb_block_new_contact(m, &contact, &block, NULL), REFUSED[i].status);
  }
  fb_model_free(m);
}

/* ---- outputs ---- */

static void its_outputs_are_signals_with_units(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *unit, *axes;
  } ROWS[] = {{"contact.foot.gap", "m", ""},          {"contact.foot.force.x", "N", "world"},
              {"contact.foot.force.z", "N", "world"}, {"contact.foot.normal", "N", ""},
              {"contact.foot.tangential", "N", ""},   {"contact.foot.slip", "m/s", ""},
              {"contact.foot.state", "1", ""},        {"contact.foot.impulse.y", "N s", "world"},
              {"contact.foot.normal_work", "J", ""},  {"contact.foot.friction_work", "J", ""},
              {"contact.foot.point.x", "m", "world"}};
  fb_model* m = one_body(FB_JOINT_FREE, 1, 1);
  const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, FB_CONTACT_SPRING, 1e3, 0, 0.5);
  fb_sim* sim = sim_by(2, m, 1e-3, heavy_options(0, -G));
  contact_or_fail(sim, &contact);
  start_or_fail(sim, (double[]){0, 0, 0.3, 1, 0, 0, 0}, NULL);
  assert_int_equal(fb_port_width(fb_contact_outputs, FB_CONTACT_NOUTPUT), FB_CONTACT_OUT_COUNT);
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
    fb_signal signal;
    fb_signal_info info;
    fb_error error;
    int count;
    if (fb_sim_find_signal(sim, ROWS[i].name, &signal, 1, &count, &error)) fail_msg("%s", error.text);
    fb_sim_signal_info(sim, signal, &info);
    assert_string_equal(info.unit, ROWS[i].unit);
    assert_string_equal(info.axes, ROWS[i].axes);
    double value = read_signal(sim, ROWS[i].name), open = i == 0 ? 0.2 : 0;
    assert_near_of(1, ROWS[i].name, &value, &open, 1, 1e-15);
  }
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Two balls 1 m apart and a point on one body, over a plane and a sphere: sums, least gap, largest state. */
static void several_colliders_are_summed(void** unused) {
  (void)unused;
  fb_model* m = one_body(FB_JOINT_FREE, 1, 1);
  fb_collider a[3], b[2];
  for (int i = 0; i < 2; i++) a[i] = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0);
  a[0].at[0] = -0.5;
  a[1].at[0] = 0.5;
  a[2] = shape_on(1, FB_COLLIDER_POINT, 0, 0, 0);
  b[0] = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  b[1] = shape_on(FB_WORLD, FB_COLLIDER_SPHERE, 0.07, 0, 0);
  fb_contact contact = contact_of(a, b, FB_CONTACT_SPRING, 1e3, 0, 0.5);
  contact.na = 3;
  contact.nb = 2;
  fb_sim* sim = sim_by(2, m, 1e-3, fb_default_sim_options());
  contact_or_fail(sim, &contact);
  /* the balls are 0.04 m deep in the plane, the point 0.01 m in the sphere; the ball at -x is at rest, so it sticks */
  start_or_fail(sim, (double[]){0, 0, 0.06, 1, 0, 0, 0}, (double[]){0, 0.1, 0, 0, 0, 0.2});
  assert_near("gap", &(double){read_signal(sim, "contact.foot.gap")}, &(double){-0.04}, 1, 1e-12);
  assert_near("normal", &(double){read_signal(sim, "contact.foot.normal")}, &(double){90}, 1, 1e-12);
  assert_near("force", &(double){read_signal(sim, "contact.foot.force.z")}, &(double){90}, 1, 1e-12);
  assert_near("slip", &(double){read_signal(sim, "contact.foot.slip")}, &(double){0.2}, 1, 1e-12);
  double point[3] = {read_signal(sim, "contact.foot.point.x"), read_signal(sim, "contact.foot.point.y"),
                     read_signal(sim, "contact.foot.point.z")};
  /* 40 N at each ball, at z = 0, and 10 N on top of the sphere */
  assert_near("point", point, (double[]){0, 0, 10 * 0.07 / 90}, 3, 1e-12);
  assert_near("tangential", &(double){read_signal(sim, "contact.foot.tangential")}, &(double){25}, 1, 1e-9);
  assert_int_equal(read_signal(sim, "contact.foot.state"), FB_CONTACT_STICKS);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* Bodies 1 and 2 of 1 and 2 kg, both free. */
static fb_model* two_bodies(void) {
  fb_model_def* def = fb_model_def_new();
  fb_error error;
  for (int i = 0; i < 2; i++) {
    fb_body_def body = fb_default_body_def();
    body.name = i ? "right" : "left";
    body.joint.type = FB_JOINT_FREE;
    body.mass = 1 + i;
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.01;
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

/* Momentum of two floating bodies stays, and what the contact takes from their energy is its two works. */
static void what_a_gets_b_gives(void** unused) {
  (void)unused;
  fb_model* m = two_bodies();
  const fb_collider a = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                    b = shape_on(2, FB_COLLIDER_SPHERE, 0.1, 0, 0);
  for (int friction_model = 0; friction_model < 2; friction_model++) {
    fb_contact contact = contact_of(&a, &b, FB_CONTACT_HUNT_CROSSLEY, 1e5, 0.5, 0.4);
    contact.friction_model = (fb_friction_model)friction_model;
    fb_sim* sim = sim_by(METHOD_COUNT, m, 0, fb_default_sim_options());
    fb_ledger l;
    contact_or_fail(sim, &contact);
    start_or_fail(sim, (double[]){-0.3, 0, 0, 1, 0, 0, 0, 0.3, 0.1, 0.02, 1, 0, 0, 0},
                  (double[]){1, 0, 0, 0, 0, 5, -1, 0, 0, 0, 3, 0});
    run_or_fail(sim, 0.6);
    fb_sim_ledger(sim, &l);
    assert_true(read_signal(sim, "contact.foot.gap") > 0);
    assert_near_of(1, "linear", l.linear, l.linear_0, 3, 1e-12);
    assert_near_of(1, "angular", l.angular, l.angular_0, 3, 1e-6);
    double works[2] = {read_signal(sim, "contact.foot.normal_work"),
                       read_signal(sim, "contact.foot.friction_work")};
    assert_true(l.worst < 1e-6 && works[0] < 0 && works[1] < 0);
    assert_near("ledger", (double[]){l.normal, l.friction}, works, 2, 1e-12);
    assert_near("energy", &(double){l.kinetic - l.kinetic_0}, &(double){works[0] + works[1]}, 1, 1e-6);
    assert_near_of(l.gross, "external", &l.external, &(double){0}, 1, 1e-6);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Joined rigidly the bodies cannot touch any more; parted they push again. */
static void a_contact_lives_through_joins(void** unused) {
  (void)unused;
  fb_model* m = two_bodies();
  const fb_collider a = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                    b = shape_on(2, FB_COLLIDER_SPHERE, 0.1, 0, 0);
  for (int method = 2; method < METHOD_COUNT + 1; method++) {
    fb_contact contact = contact_of(&a, &b, FB_CONTACT_SPRING, 100, 1, 0.4);
    contact.friction_model = FB_FRICTION_MODEL_BRISTLE;
    fb_sim* sim = sim_by(method, m, 1e-3, fb_default_sim_options());
    fb_join_def how = fb_default_join_def();
    fb_error error;
    contact_or_fail(sim, &contact);
    start_or_fail(sim, (double[]){0, 0, 0, 1, 0, 0, 0, 0.19, 0, 0, 1, 0, 0, 0},
                  (double[]){0, 0, 0, 0, 0, 0, 0, 0.1, 0, 0, 0, 0});
    how.name = "grasp";
    how.frame = "right";
    how.to = "left";
    how.force = 1;
    run_or_fail(sim, 0.02);
    assert_true(read_signal(sim, "contact.foot.normal") > 0.5);
    if (fb_sim_join(sim, &how, &error)) fail_msg("%s", error.text);
    run_or_fail(sim, 0.1);
    assert_true(read_signal(sim, "contact.foot.normal") == 0);
    if (fb_sim_part(sim, "grasp", &error)) fail_msg("%s", error.text);
    assert_true(read_signal(sim, "contact.foot.normal") > 0.5);
    run_or_fail(sim, 2);
    assert_true(read_signal(sim, "contact.foot.gap") > 0);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(laws_have_the_names_of_the_scenario),
      cmocka_unit_test(what_cannot_be_is_refused_with_a_reason),
      cmocka_unit_test(its_outputs_are_signals_with_units),
      cmocka_unit_test(several_colliders_are_summed),
      cmocka_unit_test(what_a_gets_b_gives),
      cmocka_unit_test(a_contact_lives_through_joins),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
