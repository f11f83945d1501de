/* test_contact_friction.c -- friction of compliant contacts: sliding, creeping, sticking without drift, turning surfaces, torsion; the
 * work of friction is never positive, whatever drives it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "ball_rig.h"
#include "contact/law/friction.h"
#include "math/vector3.h"
#include "sample.h"

enum { BOX = 1 };
static const double MASS = 4, MU = 0.5, K = 4e4, C = 400;

/* A cube of 0.2 m at rest on the ground, at its depth, under gravity that leans by `lean` of the bound of friction
 * and a torque about the vertical. */
static fb_sim* box_sim(const fb_model* m, int method, double step, fb_friction_model friction_model,
                       double lean, double torque, const double v[6]) {
  const fb_collider box = shape_on(BOX, FB_COLLIDER_BOX, 0.2, 0.2, 0.2),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&box, &ground, FB_CONTACT_SPRING, K, C, MU);
  contact.friction_model = friction_model;
  fb_sim* sim = sim_by(method, m, step, heavy_options(lean * MU * G, -G));
  double q[7] = {0, 0, 0.1 - MASS * G / (4 * K), 1, 0, 0, 0};
  contact_or_fail(sim, &contact);
  push_or_fail(sim, 5, 1, (double[]){0}, (double[]){torque});
  start_or_fail(sim, q, v);
  return sim;
}

static fb_model* box_model(void) {
  return one_body(FB_JOINT_FREE, MASS, MASS * 0.04 / 6);
}

static void a_box_slides_to_rest_within_v_squared_over_2_mu_g(void** unused) {
  (void)unused;
  const double v[6] = {1}, stop = 1 / (2 * MU * G);
  fb_model* m = box_model();
  for (int friction_model = 0; friction_model < 2; friction_model++)
    for (int i = 2; i < METHOD_COUNT + 1; i++) {
      if (METHODS[i % METHOD_COUNT] == FB_METHOD_MOMENTUM) continue; /* its iterations need shorter steps */
      fb_sim* sim = box_sim(m, i, 1e-4, (fb_friction_model)friction_model, 0, 0, v);
      run_or_fail(sim, 0.1);
      assert_int_equal(read_signal(sim, "contact.foot.state"), FB_CONTACT_SLIPS);
      run_or_fail(sim, 0.5);
      double work = read_signal(sim, "contact.foot.friction_work");
      assert_near(NAMES[i], &(double){fb_sim_q(sim)[0]}, &stop, 1, 5e-3);
      assert_near(NAMES[i], &work, &(double){-MASS / 2}, 1, 5e-3);
      assert_int_equal(read_signal(sim, "contact.foot.state"), FB_CONTACT_STICKS);
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* Regularised friction bears a load by creeping at slip_speed atanh(load / bound); bristles do not creep. */
static void a_loaded_box_creeps_or_sticks(void** unused) {
  (void)unused;
  const double v[6] = {0}, lean = 0.75, vs = 1e-3 * sqrt(fmin(1, 1e4 * MASS / K)), creep = vs * atanh(lean);
  const double span = sample(3, 10);
  fb_model* m = box_model();
  for (int friction_model = 0; friction_model < 2; friction_model++) {
    fb_sim* sim = box_sim(m, METHOD_COUNT, 0, (fb_friction_model)friction_model, lean, 0, v);
    run_or_fail(sim, 2);
    double x = fb_sim_q(sim)[0];
    assert_near("load", &(double){read_signal(sim, "contact.foot.tangential")},
                &(double){lean * MU * MASS * G}, 1, 1e-5);
    assert_int_equal(read_signal(sim, "contact.foot.state"), FB_CONTACT_STICKS);
    run_or_fail(sim, 2 + span);
    double moved = fb_sim_q(sim)[0] - x;
    if (friction_model == FB_FRICTION_MODEL_REGULARISED)
      assert_near("creep", &moved, &(double){span * creep}, 1, 1e-3);
    else
      assert_near_of(1, "drift", &moved, &(double){0}, 1, 1e-9);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void a_box_that_is_pushed_beyond_the_bound_slides_away(void** unused) {
  (void)unused;
  const double v[6] = {0}, lean = 1.3;
  fb_model* m = box_model();
  for (int friction_model = 0; friction_model < 2; friction_model++) {
    fb_sim* sim = box_sim(m, METHOD_COUNT, 0, (fb_friction_model)friction_model, lean, 0, v);
    run_or_fail(sim, 1);
    double speed = fb_sim_v(sim)[0], normal = read_signal(sim, "contact.foot.normal");
    assert_near("speed", &speed, &(double){(lean - 1) * MU * G}, 1, 1e-2);
    assert_near("bound", &(double){read_signal(sim, "contact.foot.tangential")}, &(double){MU * normal}, 1,
                1e-5);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* Each corner has its own bristle, so that they bear a torque together. */
static void the_corners_of_a_box_resist_torsion(void** unused) {
  (void)unused;
  const double v[6] = {0}, torque = 0.6 * MU * MASS * G * 0.1 * sqrt(2);
  fb_model* m = box_model();
  fb_sim* sim = box_sim(m, METHOD_COUNT, 0, FB_FRICTION_MODEL_BRISTLE, 0, torque, v);
  run_or_fail(sim, 2);
  double turned = fb_sim_q(sim)[6];
  assert_near("turn", &(double){2 * turned}, &(double){torque / (4 * K * 0.02)}, 1, 1e-3);
  run_or_fail(sim, 12);
  assert_near_of(1, "drift", &(double){fb_sim_q(sim)[6]}, &turned, 1, 1e-9);
  fb_sim_free(sim);
  fb_model_free(m);
}

/* A table turns about z under a box, without gravity but for that towards the table: bristles turn with it, whichever side
 * it is on. */
static void bristles_turn_with_the_surface(void** unused) {
  (void)unused;
  for (int swapped = 0; swapped < 2; swapped++) {
    fb_model_def* def = fb_model_def_new();
    fb_error error;
    for (int i = 0; i < 2; i++) {
      fb_body_def body = fb_default_body_def();
      body.name = i ? "box" : "table";
      body.joint.type = i ? FB_JOINT_FREE : FB_JOINT_REVOLUTE;
      body.joint.axis[0] = 0;
      body.joint.axis[2] = 1;
      body.mass = i ? MASS : 1e6;
      for (int k = 0; k < 3; k++) body.inertia[k] = body.mass * 0.01;
      if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
    }
    fb_model* m = build_or_fail(def, NULL);
    fb_model_def_free(def);
    const fb_collider box = shape_on(2, FB_COLLIDER_BOX, 0.2, 0.2, 0.2),
                      table = shape_on(1, FB_COLLIDER_PLANE, 0, 0, 0);
    fb_contact contact = swapped ? contact_of(&table, &box, FB_CONTACT_SPRING, K, C, MU)
                                 : contact_of(&box, &table, FB_CONTACT_SPRING, K, C, MU);
    contact.friction_model = FB_FRICTION_MODEL_BRISTLE;
    fb_sim* sim = sim_by(METHOD_COUNT, m, 0, heavy_options(0, -G));
    const double w = 1.5, radius = 1; /* w^2 r is below mu g */
    const double q[8] = {0, radius, 0, 0.1 - MASS * G / (4 * K), 1, 0, 0, 0},
                 v[7] = {w, 0, w * radius, 0, 0, 0, w};
    contact_or_fail(sim, &contact);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 3);
    const double* now = fb_sim_q(sim);
    double first[2] = {cos(now[0]) * now[1] + sin(now[0]) * now[2],
                       cos(now[0]) * now[2] - sin(now[0]) * now[1]};
    run_or_fail(sim, 6);
    double second[2] = {cos(now[0]) * now[1] + sin(now[0]) * now[2],
                        cos(now[0]) * now[2] - sin(now[0]) * now[1]};
    assert_near("place on the table", second, first, 2, 1e-6);
    assert_int_equal(read_signal(sim, "contact.foot.state"), FB_CONTACT_STICKS);
    fb_sim_free(sim);
    fb_model_free(m);
  }
}

/* ---- work ---- */

/* A bristle driven by random velocities under random loads that come and go: the work is at most what it had stored, up to
 * the error of small explicit steps. */
static void friction_never_does_work(void** unused) {
  (void)unused;
  static const double Z[3] = {0, 0, 1}, DT = 1e-6;
  for (uint64_t seed = 1; seed <= 20; seed++) {
    fb_random r = random_seed(seed);
    const fb_friction rub = {FB_FRICTION_MODEL_BRISTLE, 0.7, 1e-3, 1e4, seed % 2 ? 0 : 30};
    double z[3] = {0}, v[3] = {0}, wanted[3] = {0}, load = 0, work = 0, most = 0, gross = 0;
    for (int i = 0; i < 40000; i++) {
      fb_friction_force f;
      if (i % 2000 == 0) {
        load = fmax(0, random_in(&r, -20, 60));
        for (int k = 0; k < 2; k++) wanted[k] = random_in(&r, -1, 1);
      }
      for (int k = 0; k < 2; k++) v[k] += 2e-3 * (wanted[k] - v[k]);
      fb_friction_eval(&rub, Z, load, v, z, &f);
      assert_true(norm3(f.force) <= rub.friction * load * (1 + 1e-12));
      work += DT * dot3(f.force, v);
      gross += DT * fabs(dot3(f.force, v));
      add_scaled3(z, DT, f.rate);
      most = worse_of(most, work + 0.5 * rub.stiffness * dot3(z, z));
    }
    assert_true(gross > 1e-3);
    if (!(most <= 1e-3 * gross)) fail_msg("seed %d: gains %g of %g J", (int)seed, most, gross);
  }
}

/* As the load vanishes: how fast a bristle recovers from a small change of its stretch, and how far its rate is from that without
 * load. */
static void bristles_stay_tame_as_their_load_vanishes(void** unused) {
  (void)unused;
  static const double Z[3] = {0, 0, 1}, MOST = 2e5, NEAR = 1e-3;
  const fb_friction rub = {FB_FRICTION_MODEL_BRISTLE, 0.7, 1e-3, 1e4, 30};
  fb_random r = random_seed(1);
  double most = 0;
  for (int i = 0; i < 20000; i++) {
    const double load = pow(10, random_in(&r, -18, 1)), length = pow(10, random_in(&r, -14, -3));
    double v[3] = {random_in(&r, -2, 2), random_in(&r, -2, 2), 0}, z[3] = {0}, beside[3] = {0};
    random_fill(&r, -length, length, 2, z);
    random_fill(&r, -length, length, 2, beside);
    fb_friction_force at, next;
    fb_friction_eval(&rub, Z, load, v, z, &at);
    add_scaled3(beside, 1, z);
    fb_friction_eval(&rub, Z, load, v, beside, &next);
    add_scaled3(beside, -1, z);
    add_scaled3(next.rate, -1, at.rate);
    most = worse_of(most, norm3(next.rate) / norm3(beside));
    if (load > 1e-9) continue;
    fb_friction_eval(&rub, Z, 0, v, z, &next);
    add_scaled3(next.rate, -1, at.rate);
    if (!(norm3(next.rate) <= NEAR * norm3(v)))
      fail_msg("load %g: the rate jumps by %g", load, norm3(next.rate));
  }
  if (!(most <= MOST)) fail_msg("a bristle recovers at %g 1/s", most);
}

/* Without gravity: N is 0 as soon as the damper pulls as hard as the spring pushes, long before the ball has left. */
static void a_damped_ball_leaves_its_bristle_while_it_overlaps(void** unused) {
  (void)unused;
  const fb_collider ball = shape_on(1, FB_COLLIDER_SPHERE, 0.1, 0, 0),
                    ground = shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0);
  fb_contact contact = contact_of(&ball, &ground, FB_CONTACT_SPRING, 2000, 60, 0.3);
  contact.friction_model = FB_FRICTION_MODEL_BRISTLE;
  fb_model* m = one_body(FB_JOINT_FREE, 1, 0.004);
  for (int i = METHOD_COUNT; i < method_count(); i++) {
    fb_sim* sim = sim_by(i, m, 0, heavy_options(0, 0));
    const double q[7] = {0, 0, 0.099, 1, 0, 0, 0}, v[6] = {0.3, 0.1, 0.05, 0, 0, 0},
                 end[3] = {0.015, 0.005, 0.1015};
    contact_or_fail(sim, &contact);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 0.05);
    assert_near(NAMES[i], fb_sim_q(sim), end, 3, 1e-9);
    assert_true(fb_sim_nstep(sim) < 500);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void regularised_friction_opposes_every_slip(void** unused) {
  (void)unused;
  static const double Z[3] = {0, 0, 1}, NONE[3] = {0};
  const fb_friction rub = {FB_FRICTION_MODEL_REGULARISED, 0.7, 1e-3, 0, 0};
  for (int power = -24; power <= 12; power++) {
    const double speed = pow(10, 0.5 * power);
    const double v[3] = {0.6 * speed, -0.8 * speed, 0};
    fb_friction_force f;
    fb_friction_eval(&rub, Z, 10, v, NONE, &f);
    assert_near("force", &(double){-dot3(f.force, v) / speed}, &(double){7 * tanh(speed / 1e-3)}, 1, 1e-9);
    assert_int_equal(f.slips, speed > 1e-3);
  }
}

/* What the ledger of the whole scene lacks, relative to the works of the contact. */
static double lack_of(fb_sim* sim) {
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  double change = l.kinetic + l.potential - l.kinetic_0 - l.potential_0;
  return fabs(change - l.normal - l.friction) / (fabs(l.normal) + fabs(l.friction) + 1);
}

/* Boxes, cylinders, capsules, ellipsoids and balls that are thrown on the ground, a box and a cylinder. */
static void random_shapes_that_fall_never_gain_from_friction(void** unused) {
  (void)unused;
  static const fb_collider_kind KINDS[] = {FB_COLLIDER_BOX, FB_COLLIDER_CYLINDER, FB_COLLIDER_CAPSULE,
                                           FB_COLLIDER_ELLIPSOID, FB_COLLIDER_SPHERE};
  fb_collider b[3] = {shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0),
                      shape_on(FB_WORLD, FB_COLLIDER_BOX, 0.4, 0.4, 0.4),
                      shape_on(FB_WORLD, FB_COLLIDER_CYLINDER, 0.2, 0.3, 0)};
  fb_model* m = one_body(FB_JOINT_FREE, 2, 0.02);
  b[1].at[0] = 0.2;
  b[2].at[1] = 0.3;
  const int drops = sample(10, 30);
  for (int i = 0; i < drops; i++) {
    fb_random r = random_seed((uint64_t)i + 1);
    double size[3], q[7] = {0, 0, 0.7, 1, 0, 0, 0}, v[6], gained = 0;
    random_fill(&r, 0.1, 0.3, 3, size);
    random_fill(&r, -0.3, 0.3, 2, q);
    random_fill(&r, -2, 2, 6, v);
    const fb_collider a = shape_on(1, KINDS[i % 5], size[0], size[1], size[2]);
    fb_contact contact = i % 3 ? contact_of(&a, b, FB_CONTACT_HUNT_CROSSLEY, 3e5, 0.5, 0.5)
                               : contact_of(&a, b, FB_CONTACT_SPRING, 2e4, 50, 0.5);
    contact.nb = 3;
    contact.friction_model = (fb_friction_model)(i / 5 % 2);
    fb_sim* sim = sim_by(METHOD_COUNT, m, 0, heavy_options(0, -G));
    contact_or_fail(sim, &contact);
    start_or_fail(sim, q, v);
    for (int k = 1; k <= 20; k++) {
      run_or_fail(sim, 0.05 * k);
      gained = worse_of(gained, read_signal(sim, "contact.foot.friction_work"));
    }
    double lack = lack_of(sim);
    if (!(gained <= 0 && lack < 1e-6)) fail_msg("drop %d: friction %g J, ledger %g", i, gained, lack);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* ---- memory ---- */

static void bristles_are_part_of_a_snapshot(void** unused) {
  (void)unused;
  const double v[6] = {0.4, -0.2, 0, 0, 0, 2};
  fb_model* m = box_model();
  for (int i = 2; i < METHOD_COUNT + 1; i++) {
    if (METHODS[i % METHOD_COUNT] == FB_METHOD_MOMENTUM) continue; /* its iterations need shorter steps */
    fb_sim* sims[2];
    for (int k = 0; k < 2; k++) sims[k] = box_sim(m, i, 5e-4, FB_FRICTION_MODEL_BRISTLE, 0.5, 0, v);
    assert_restores(sims[0], sims[1], 0.031);
    for (int k = 0; k < 2; k++) fb_sim_free(sims[k]);
  }
  fb_model_free(m);
}

/* A cube thrown on the ground, which comes down on one corner after another. */
static fb_sim* thrown(const fb_model* m, fb_collider ground, const double quat[4]) {
  const fb_collider box = shape_on(BOX, FB_COLLIDER_BOX, 0.12, 0.17, 0.13);
  fb_contact contact = contact_of(&box, &ground, FB_CONTACT_HUNT_CROSSLEY, 1e6, 0.5, 0.8);
  contact.friction_model = FB_FRICTION_MODEL_BRISTLE;
  fb_sim_options options = heavy_options(0, -G);
  options.rtol = 1e-9;
  options.atol = 1e-11;
  options.method = FB_METHOD_DOPRI5;
  fb_sim* sim = sim_or_fail(m, &options);
  const double q[7] = {0.013, 0.027, 0.15, quat[0], quat[1], quat[2], quat[3]},
               v[6] = {0.4, 1, -1, 0.3, 0.2, 0};
  contact_or_fail(sim, &contact);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 0.3);
  return sim;
}

/* Flat triangles give the points of a plane, but with features that are hashes, whose remainders are the same for some corners:
 * no corner may lose its bristle to another one that comes down. */
static void bristles_on_flat_triangles_are_those_on_a_plane(void** unused) {
  (void)unused;
  enum { SIDE = 27 };
  static const double HEIGHTS[SIDE * SIDE],
      QUATS[][4] = {{0.92273, -0.3822, 0.04617, 0.01913}, {0.9, 0.3, -0.2, 0.1}, {0.3, 0.1, 0.8, -0.4}};
  fb_geometry* flat;
  fb_error error;
  if (fb_geometry_new_heights(SIDE, SIDE, 0.17, 0.17, HEIGHTS, &flat, &error)) fail_msg("%s", error.text);
  fb_collider triangles = shape_on(FB_WORLD, FB_COLLIDER_HEIGHTFIELD, 1, 1, 1);
  triangles.geometry = flat;
  triangles.at[0] = triangles.at[1] = -2.21;
  fb_model* m = one_body(FB_JOINT_FREE, 2.5, 0.008);
  for (size_t i = 0; i < sizeof QUATS / sizeof *QUATS; i++) {
    double quat[4];
    memcpy(quat, QUATS[i], sizeof quat);
    fb_quat_normalise(quat);
    fb_sim *on_plane = thrown(m, shape_on(FB_WORLD, FB_COLLIDER_PLANE, 0, 0, 0), quat),
           *on_triangles = thrown(m, triangles, quat);
    assert_near_of(1, "q", fb_sim_q(on_triangles), fb_sim_q(on_plane), 7, 1e-5);
    /* Errors of steps grow as the box tumbles, other ones in each build; a lost bristle makes 1.6e-2. */
    assert_near_of(1, "v", fb_sim_v(on_triangles), fb_sim_v(on_plane), 6, 1e-4);
    fb_sim_free(on_plane);
    fb_sim_free(on_triangles);
  }
  fb_model_free(m);
  fb_geometry_free(flat);
}

/* Two balls that graze each other, at high slip and small load: the bristle is far stiffer than the steps, but what it can be wrong
 * by is small, and so is what comes of it. True errors are below 1e-6. */
static void what_bristles_may_be_wrong_by_is_bounded_by_friction(void** unused) {
  (void)unused;
  static const double ROWS[][4] = {/* speed, depth, stiffness, friction */
                                   {18.5, 1.9e-4, 9.3e6, 0.28},
                                   {1.59, 3.5e-4, 5.7e7, 0.28},
                                   {27.2, 7e-4, 1.3e6, 0.16},
                                   {15.5, 2.9e-4, 1.3e7, 0.28},
                                   {2.19, 7.7e-4, 2e6, 0.59}};
  const double radius = 0.1;
  fb_model_def* def = fb_model_def_new();
  fb_body_def body = fb_default_body_def();
  fb_error error;
  body.joint.type = FB_JOINT_FREE;
  body.mass = 1;
  for (int i = 0; i < 3; i++) body.inertia[i] = 0.4 * radius * radius;
  for (int i = 0; i < 2; i++) {
    body.name = i ? "b" : "a";
    if (fb_model_def_add_body(def, &body, NULL, &error)) fail_msg("%s", error.text);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  for (size_t r = 0; r < sizeof ROWS / sizeof *ROWS; r++) {
    const fb_collider a = shape_on(1, FB_COLLIDER_SPHERE, radius, 0, 0),
                      b = shape_on(2, FB_COLLIDER_SPHERE, radius, 0, 0);
    fb_contact contact = contact_of(&a, &b, FB_CONTACT_HERTZ, ROWS[r][2], 0, ROWS[r][3]);
    fb_sim_options options = fb_default_sim_options();
    const double q[14] = {-0.5 * ROWS[r][0], 0, 0, 1, 0, 0, 0, 0, 2 * radius - ROWS[r][1], 0, 1, 0, 0, 0},
                 v[12] = {ROWS[r][0]};
    contact.friction_model = FB_FRICTION_MODEL_BRISTLE;
    options.method = FB_METHOD_DOPRI5;
    options.rtol = 0;
    fb_sim* sim = sim_or_fail(m, &options);
    contact_or_fail(sim, &contact);
    start_or_fail(sim, q, v);
    for (int i = 1; i <= 50; i++) run_or_fail(sim, 0.02 * i); /* steps that do not pass over the contact */
    assert_true(read_signal(sim, "contact.foot.friction_work") < 0);
    double estimate = fb_sim_error_estimate(sim, NULL);
    if (!(estimate < 1e-5)) fail_msg("row %zu: the error is estimated at %g", r, estimate);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void events_may_take_the_friction_away(void** unused) {
  (void)unused;
  const double v[6] = {0};
  fb_model* m = box_model();
  for (int friction_model = 0; friction_model < 2; friction_model++) {
    fb_sim* sim = box_sim(m, METHOD_COUNT, 0, (fb_friction_model)friction_model, 0.5, 0, v);
    fb_error error;
    int block = fb_sim_find_block(sim, "contact.foot");
    run_or_fail(sim, 1);
    assert_int_equal(
        fb_sim_set_parameter(sim, block, fb_sim_find_parameter(sim, block, "friction"), 0, &error), FB_OK);
    run_or_fail(sim, 2);
    assert_near("speed", &(double){fb_sim_v(sim)[0]}, &(double){0.5 * MU * G}, 1, 1e-3);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_box_slides_to_rest_within_v_squared_over_2_mu_g),
      cmocka_unit_test(a_loaded_box_creeps_or_sticks),
      cmocka_unit_test(a_box_that_is_pushed_beyond_the_bound_slides_away),
      cmocka_unit_test(the_corners_of_a_box_resist_torsion),
      cmocka_unit_test(bristles_turn_with_the_surface),
      cmocka_unit_test(friction_never_does_work),
      cmocka_unit_test(bristles_stay_tame_as_their_load_vanishes),
      cmocka_unit_test(a_damped_ball_leaves_its_bristle_while_it_overlaps),
      cmocka_unit_test(regularised_friction_opposes_every_slip),
      cmocka_unit_test(random_shapes_that_fall_never_gain_from_friction),
      cmocka_unit_test(bristles_are_part_of_a_snapshot),
      cmocka_unit_test(bristles_on_flat_triangles_are_those_on_a_plane),
      cmocka_unit_test(what_bristles_may_be_wrong_by_is_bounded_by_friction),
      cmocka_unit_test(events_may_take_the_friction_away),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
