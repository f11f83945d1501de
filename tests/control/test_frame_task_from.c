/* test_frame_task_from.c -- frame tasks of an arm on a body that joints carry: an arm at the end of an elastic one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "dynamics/base_response.h"
#include "model/model.h"
#include "task_rig.h"

enum { SPRUNG = 3, MOST_ARM = 10 };

/* An arm whose hand is the last body, on `deck`, which is bolted to the end of what carries it. */
typedef struct macro {
  task_rig r;
  int deck, joints; /* joints of the arm, the last coordinates */
} macro;

static void add_arm(fb_model_def* def, int joints) {
  static const double axes[3][3] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}}, next[3] = {0.1, 0.05, 0.5};
  char name[8] = "deck", parent[8];
  for (int i = 1; i <= joints; i++) {
    memcpy(parent, name, sizeof parent);
    snprintf(name, sizeof name, "a%d", i % 100);
    add_body(def, name, parent, FB_JOINT_REVOLUTE, 6.0 / i, axes[(i - 1) % 3], next, 0);
  }
}

static macro macro_of(fb_model_def* def, int joints) {
  static const double bent[MOST_ARM] = {-0.4, 1.5, 1.3, -0.8, 0.1, 0.7, 0.5, -0.4, 0.9, -0.6};
  char hand[8];
  snprintf(hand, sizeof hand, "a%d", joints % 100);
  macro x = {.r = rig_of(build_or_fail(def, NULL), hand), .joints = joints};
  fb_model_def_free(def);
  x.deck = fb_model_find_body(x.r.m, "deck");
  x.r.first = x.r.nv - joints;
  memcpy(x.r.q + x.r.nq - joints, bent, (size_t)joints * sizeof *bent);
  return x;
}

/* A base, a boom on three sprung joints about z, y, y, and the arm. */
static macro boom(fb_joint_type base, int joints) {
  static const double axes[SPRUNG][3] = {{0, 0, 1}, {0, 1, 0}, {0, 1, 0}}, origin[3] = {0.1, -0.2, 0.3},
                      along[3] = {1.5, 0.1, 0.2}, aside[3] = {0.4, 0.2, -0.1};
  static const char* const names[] = {"base", "yaw", "pitch", "elbow"};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "base", NULL, base, 60, axes[0], origin, 0);
  for (int i = 1; i <= SPRUNG; i++)
    add_body(def, names[i], names[i - 1], FB_JOINT_REVOLUTE, 60, axes[i - 1], along, 1);
  add_body(def, "deck", "elbow", FB_JOINT_FIXED, 5, axes[0], aside, 0);
  add_arm(def, joints);
  return macro_of(def, joints);
}

/* A deck carried by joints of every kind. */
static macro odd_chain(fb_joint_type base, int joints) {
  static const fb_joint_type types[] = {FB_JOINT_UNIVERSAL,   FB_JOINT_PRISMATIC, FB_JOINT_SPHERICAL,
                                        FB_JOINT_CYLINDRICAL, FB_JOINT_PLANAR,    FB_JOINT_HELICAL};
  static const double axis[3] = {1, 2, -1}, at[3] = {0.2, -0.1, 0.4}, y[3] = {0, 1, 0};
  enum { COUNT = sizeof types / sizeof types[0] };
  fb_model_def* def = fb_model_def_new();
  char name[8] = "base", parent[8];
  add_body(def, name, NULL, base, 20, axis, at, 0);
  for (int i = 0; i < COUNT; i++) {
    fb_body_def body = fb_default_body_def();
    memcpy(parent, name, sizeof parent);
    snprintf(name, sizeof name, "b%d", i % 100);
    body.name = name;
    body.parent = parent;
    body.joint.type = types[i];
    memcpy(body.joint.axis, axis, sizeof axis);
    memcpy(body.joint.axis2, y, sizeof y);
    memcpy(body.joint.at, at, sizeof at);
    body.joint.pitch = 0.1;
    body.mass = 2;
    memcpy(body.com, at, sizeof at);
    for (int k = 0; k < 3; k++) body.inertia[k] = 0.2;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  add_body(def, "deck", name, FB_JOINT_FIXED, 5, axis, at, 0);
  add_arm(def, joints);
  return macro_of(def, joints);
}

static fb_frame_task task_from_deck(const macro* x, const line* l) {
  fb_frame_task task = task_along(&x->r, l);
  task.from = x->deck;
  task.rows = 3;
  return task;
}

/* --- the answer of the base --- */

/* Against mixed dynamics with one unit acceleration after the other, at rest. Bits of `locked` are coordinates before the
 * arm's own that do not give way. */
static void check_response(const macro* x, uint64_t locked) {
  const task_rig* r = &x->r;
  int links[RIG_NV + 1], count = 0, ncarrier = 0, n = x->joints;
  double G[6 * MOST_ARM], vdot[RIG_NV] = {0}, tau[RIG_NV] = {0}, rest[RIG_NV] = {0}, got[6], want[6];
  unsigned char prescribed[RIG_NV] = {0};
  fb_loads loads = fb_default_loads();
  loads.passive = 0;
  for (int i = r->m->top.site_link[r->hand]; i > 0; i = r->m->top.link_parent[i]) count++;
  for (int i = r->m->top.site_link[r->hand], at = count; i > 0; i = r->m->top.link_parent[i]) {
    links[--at] = i;
    if (i == r->m->top.body_link[x->deck]) ncarrier = at + 1;
  }
  for (int j = 0; j < n; j++) prescribed[r->first + j] = 1;
  for (int k = 0; k < r->first; k++) prescribed[k] = locked >> k & 1;
  fb_mixed_dynamics(r->m, r->d, r->q, rest, prescribed, &loads, vdot, tau);
  assert_true(
      fb_base_response(r->m, r->d, links, ncarrier, count, x->deck, locked ? prescribed : NULL, n, G));
  for (int j = 0; j < n; j++) {
    memset(vdot, 0, sizeof vdot);
    memset(tau, 0, sizeof tau);
    vdot[r->first + j] = 1;
    fb_mixed_dynamics(r->m, r->d, r->q, rest, prescribed, &loads, vdot, tau);
    fb_kinematics(r->m, r->d, r->q, rest, vdot);
    fb_frame_acceleration(r->m, r->d, x->deck, want, want + 3);
    for (int i = 0; i < 6; i++) got[i] = G[i * n + j];
    assert_near("answer of the deck", got, want, 6, 1e-11);
  }
}

static void the_answer_of_a_carried_base_is_that_of_mixed_dynamics(void** unused) {
  (void)unused;
  for (int round = 0; round < 40; round++) {
    fb_joint_type base = round % 2 ? FB_JOINT_FREE : FB_JOINT_FIXED;
    macro x = round % 4 < 2 ? boom(base, 1 + round % MOST_ARM) : odd_chain(base, 1 + round % 4);
    fb_random_q(x.r.m, (uint64_t)round, x.r.q);
    check_response(&x, 0);
    rig_free(&x.r);
  }
}

/* Any of the joints that carry it locked, whole or in part, or all of them: then it does not answer at all. */
static void locked_joints_that_carry_the_base_do_not_give_way(void** unused) {
  (void)unused;
  fb_random random = random_seed(5);
  for (int round = 0; round < 200; round++) {
    macro x =
        round % 4 < 2 ? boom(FB_JOINT_FREE, 1 + round % MOST_ARM) : odd_chain(FB_JOINT_FREE, 1 + round % 4);
    fb_random_q(x.r.m, (uint64_t)round, x.r.q);
    check_response(&x, round % 10 ? fb_random_bits(&random) & fb_random_bits(&random) : ~(uint64_t)0);
    rig_free(&x.r);
  }
}

/* --- reaction null motion --- */

/* The most that the springs were bent or moved, and that the hand was off the line. */
typedef struct seen {
  double bent, rate, off;
} seen;

static seen run_line(const macro* x, const line* l, const fb_frame_task* task, double T) {
  seen s = {0};
  double p0[3];
  int at = x->r.first - SPRUNG, floats = x->r.nq - x->r.nv;
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = task_sim(&x->r, task, &options);
  pose_at(&x->r, x->r.q, x->r.hand, p0, NULL);
  for (int i = 1; i <= (int)(T * 20 + 0.5); i++) {
    run_or_fail(sim, 0.05 * i);
    s.off = worse_of(s.off, off_line(&x->r, l, p0, fb_sim_q(sim), fb_sim_time(sim)));
    for (int k = at; k < at + SPRUNG; k++) {
      s.bent = worse_of(s.bent, fabs(fb_sim_q(sim)[k + floats]));
      s.rate = worse_of(s.rate, fabs(fb_sim_v(sim)[k]));
    }
  }
  fb_sim_free(sim);
  return s;
}

static void reaction_null_motion_leaves_the_springs_at_rest(void** unused) {
  (void)unused;
  for (int i = 0; i < 4; i++) {
    macro x = boom(i & 1 ? FB_JOINT_FREE : FB_JOINT_FIXED, i & 1 ? MOST_ARM : 8);
    line l = line_new(0.1, 4);
    fb_frame_task task = task_from_deck(&x, &l);
    task.by_motion = i >> 1;
    seen plain = run_line(&x, &l, &task, 5);
    task.keep_base = 1;
    seen kept = run_line(&x, &l, &task, 5);
    print_message("%s base: springs bent by %.2g rad, kept %.2g rad; off the line %.2g, %.2g m\n",
                  i & 1 ? "floating" : "bolted", plain.bent, kept.bent, plain.off, kept.off);
    assert_true(plain.bent > 1e-3 && plain.off < 1e-7);
    assert_true(kept.bent < 1e-13 && kept.rate < 1e-13 && kept.off < 1e-7);
    line_free(&l);
    rig_free(&x.r);
  }
}

/* In one call, while everything moves: the springs accelerate as if the arm were frozen; without keep_base they do not. */
static void springs_that_ring_feel_nothing_of_the_arm(void** unused) {
  (void)unused;
  for (int round = 0; round < 20; round++) {
    macro x = boom(round % 2 ? FB_JOINT_FREE : FB_JOINT_FIXED, round % 2 ? MOST_ARM : 7);
    const task_rig* r = &x.r;
    fb_loads loads = fb_default_loads();
    unsigned char prescribed[RIG_NV] = {0};
    double frozen[RIG_NV], vdot[2][RIG_NV], tau[RIG_NV] = {0}, none[RIG_NV] = {0};
    fb_random_v(r->m, (uint64_t)round, x.r.v);
    memcpy(frozen, r->v, sizeof frozen);
    for (int j = 0; j < x.joints; j++) {
      prescribed[r->first + j] = 1;
      frozen[r->first + j] = 0;
    }
    for (int keep = 0; keep < 2; keep++) {
      fb_frame_task task = task_from_deck(&x, NULL);
      task.keep_base = keep;
      fb_block b = task_block(r, &task);
      call c;
      call_start(r, &b, &c);
      assert_int_equal(call_act(r, &b, 0, &c, NULL), FB_OK);
      b.free(b.user);
      memcpy(vdot[0], none, sizeof none);
      memcpy(vdot[1], c.vdot, sizeof none);
      for (int i = 0; i < 2; i++) {
        memset(tau, 0, sizeof tau);
        fb_mixed_dynamics(r->m, r->d, r->q, i ? r->v : frozen, prescribed, &loads, vdot[i], tau);
      }
      if (keep)
        assert_near("accelerations of what carries the arm", vdot[1], vdot[0], r->first, 1e-9);
      else
        assert_true(fabs(vdot[1][r->first - 1] - vdot[0][r->first - 1]) > 1e-2);
    }
    rig_free(&x.r);
  }
}

/* --- closed form: e'' + 2 e' + e = 0 while the boom rings --- */

static void errors_of_the_hand_die_out_while_the_boom_rings(void** unused) {
  (void)unused;
  static const double e0[3] = {0.01, -0.004, 0.006};
  for (int i = 0; i < 8; i++) {
    macro x = boom(i & 1 ? FB_JOINT_FREE : FB_JOINT_FIXED, MOST_ARM);
    double p0[3];
    fb_spline* target[3];
    fb_frame_task task = task_from_deck(&x, NULL);
    task.by_motion = i >> 1 & 1;
    task.keep_base = i >> 2;
    task.path.from_start = 0;
    x.r.q[x.r.nq - MOST_ARM - SPRUNG] = 0.03; /* bent, and let go */
    pose_at(&x.r, x.r.q, x.r.hand, p0, NULL);
    for (int k = 0; k < 3; k++) task.path.position[k] = target[k] = constant(p0[k] + e0[k]);
    fb_sim_options options = options_of(FB_METHOD_RK4, 0.002);
    fb_sim* sim = task_sim(&x.r, &task, &options);
    for (int sample = 1; sample <= 10; sample++) {
      double t = 0.1 * sample, e[3], want[3], p[3];
      run_or_fail(sim, t);
      pose_at(&x.r, fb_sim_q(sim), x.r.hand, p, NULL);
      for (int k = 0; k < 3; k++) {
        e[k] = p0[k] + e0[k] - p[k];
        want[k] = e0[k] * (1 + t) * exp(-t);
      }
      assert_near("error of the hand", e, want, 3, 1e-10);
    }
    fb_sim_free(sim);
    for (int k = 0; k < 3; k++) fb_spline_free(target[k]);
    rig_free(&x.r);
  }
}

/* --- a law that believes the boom to be stiff --- */

static void who_believes_the_boom_stiff_moves_the_arm_as_on_a_stiff_one(void** unused) {
  (void)unused;
  for (int floats = 0; floats < 2; floats++) {
    macro x = boom(floats ? FB_JOINT_FREE : FB_JOINT_FIXED, 6);
    line l = line_new(0.1, 4);
    fb_frame_task task = task_from_deck(&x, &l);
    task.assume_still = 1;
    fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
    fb_sim* sim = task_sim(&x.r, &task, &options);
    double p0[3], q[RIG_NQ], believed = 0, off = 0;
    pose_at(&x.r, x.r.q, x.r.hand, p0, NULL);
    for (int i = 1; i <= 50; i++) {
      run_or_fail(sim, 0.1 * i);
      memcpy(q, x.r.q, sizeof q);
      memcpy(q + x.r.nq - 6, fb_sim_q(sim) + x.r.nq - 6, 6 * sizeof *q);
      believed = worse_of(believed, off_line(&x.r, &l, p0, q, fb_sim_time(sim)));
      off = worse_of(off, off_line(&x.r, &l, p0, fb_sim_q(sim), fb_sim_time(sim)));
    }
    assert_true(believed < 1e-9 && off > 1e-3);
    fb_sim_free(sim);
    line_free(&l);
    rig_free(&x.r);
  }
}

static void a_run_from_a_carried_base_resumes_bit_for_bit(void** unused) {
  (void)unused;
  for (int i = 0; i < 4; i++) {
    macro x = boom(i & 1 ? FB_JOINT_FREE : FB_JOINT_FIXED, MOST_ARM);
    line l = line_new(0.1, 4);
    fb_frame_task task = task_from_deck(&x, &l);
    task.assume_still = i >> 1;
    task.keep_base = !task.assume_still;
    fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
    fb_sim *first = task_sim(&x.r, &task, &options), *second = task_sim(&x.r, &task, &options);
    run_or_fail(first, 2);
    void* snapshot = malloc(fb_sim_snapshot_size(first));
    assert_non_null(snapshot);
    fb_sim_save(first, snapshot);
    run_or_fail(second, 1);
    assert_int_equal(fb_sim_restore(second, snapshot, fb_sim_snapshot_size(first), NULL), FB_OK);
    run_or_fail(first, 4);
    run_or_fail(second, 4);
    assert_memory_equal(fb_sim_q(first), fb_sim_q(second), (size_t)x.r.nq * sizeof(double));
    free(snapshot);
    fb_sim_free(first);
    fb_sim_free(second);
    line_free(&l);
    rig_free(&x.r);
  }
}

/* --- what is refused --- */

static void bodies_that_carry_nothing_are_refused(void** unused) {
  (void)unused;
  macro x = boom(FB_JOINT_FIXED, 6);
  static const struct {
    const char *from, *frame;
    int keep;
    fb_status status;
    const char* text;
  } cases[] = {{NULL, "a6", 0, FB_ERR_NAME, "from is body 99, which does not exist"},
               {"a6", "a3", 0, FB_ERR_ARG, "body \"a6\" does not carry frame \"a3\""},
               {"a6", "a6", 0, FB_ERR_ARG, "no joint lies between frame \"a6\" and body \"a6\""},
               {"elbow", "deck", 0, FB_ERR_ARG, "no joint lies between frame \"deck\" and body \"elbow\""},
               {"base", "a6", 1, FB_ERR_ARG, "\"base\" does not move"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_frame_task task = task_along(&x.r, NULL);
    fb_error error;
    fb_block b;
    task.frame = fb_model_find_frame(x.r.m, cases[i].frame);
    task.from = cases[i].from ? fb_model_find_body(x.r.m, cases[i].from) : 99;
    task.keep_base = cases[i].keep;
    fb_status status = fb_block_new_frame_task(x.r.m, "grip", &task, &b, &error);
    if (status != cases[i].status || !strstr(error.text, cases[i].text) || !strstr(error.text, "\"grip\""))
      fail_msg("%s: %s", fb_status_name(status), error.text);
    assert_null(b.user);
  }
  rig_free(&x.r);
}

static void a_joint_without_inertia_that_carries_the_base_is_named(void** unused) {
  (void)unused;
  static const double x_axis[3] = {1, 0, 0};
  fb_model_def* def = fb_model_def_new();
  static const char* const names[] = {"spin", "tip"};
  for (int i = 0; i < 2; i++) { /* points on the axis about which the first joint turns */
    fb_body_def body = fb_default_body_def();
    body.name = names[i];
    body.parent = i ? "spin" : NULL;
    body.joint.type = i ? FB_JOINT_PRISMATIC : FB_JOINT_REVOLUTE;
    memcpy(body.joint.axis, x_axis, sizeof x_axis);
    body.mass = 1;
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  task_rig r = rig_of(build_or_fail(def, NULL), "tip");
  fb_model_def_free(def);
  fb_frame_task task = task_along(&r, NULL);
  task.from = fb_model_find_body(r.m, "spin");
  fb_block b = task_block(&r, &task);
  fb_error error;
  call c;
  call_start(&r, &b, &c);
  assert_int_equal(call_act(&r, &b, 0, &c, &error), FB_ERR_NO_SOLUTION);
  assert_non_null(strstr(error.text, "the base \"spin\""));
  b.free(b.user);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_answer_of_a_carried_base_is_that_of_mixed_dynamics),
      cmocka_unit_test(locked_joints_that_carry_the_base_do_not_give_way),
      cmocka_unit_test(reaction_null_motion_leaves_the_springs_at_rest),
      cmocka_unit_test(springs_that_ring_feel_nothing_of_the_arm),
      cmocka_unit_test(errors_of_the_hand_die_out_while_the_boom_rings),
      cmocka_unit_test(who_believes_the_boom_stiff_moves_the_arm_as_on_a_stiff_one),
      cmocka_unit_test(a_run_from_a_carried_base_resumes_bit_for_bit),
      cmocka_unit_test(bodies_that_carry_nothing_are_refused),
      cmocka_unit_test(a_joint_without_inertia_that_carries_the_base_is_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
