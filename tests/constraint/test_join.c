/* test_join.c -- captures: two trees become one and part again; momentum, energy, continuity, and what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "near.h"

#include "capture_rig.h"
#include "same_def.h"
#include "worst.h"

enum { CAPTURES = 160, BODIES = 6 };

/* --- one capture --- */

static moving random_robots(fb_random* r, uint64_t seed, double decades, int b_floats) {
  moving s = moving_of(two_robots(r, BODIES, decades, b_floats));
  fb_random_q(s.m, seed, s.q);
  fb_random_v(s.m, seed, s.v);
  return s;
}

/* A join of this type at random frames of the robots a and b; b is captured when it floats. */
typedef struct capture {
  fb_join_def how;
  char frame[16], to[16];
} capture;

static void random_capture(fb_random* r, fb_joint_type type, int from_a, capture* c) {
  c->how = fb_default_join_def();
  snprintf(c->frame, sizeof c->frame, "%c%d_grip", from_a ? 'a' : 'b', random_index(r, BODIES));
  snprintf(c->to, sizeof c->to, "%c%d_grip", from_a ? 'b' : 'a', random_index(r, BODIES));
  c->how.name = "grasp";
  c->how.frame = c->frame;
  c->how.to = c->to;
  c->how.type = type;
  c->how.pitch = 0.1;
  random_fill(r, -1, 1, 3, c->how.axis);
  random_fill(r, -1, 1, 3, c->how.axis2);
}

static void meet(fb_random* r, moving* s, const capture* c) {
  fb_pose X, back;
  int frame = fb_model_find_frame(s->m, c->frame), to = fb_model_find_frame(s->m, c->to);
  random_meeting(r, &c->how, &X);
  fb_pose_inverse(&X, &back);
  if (fb_body_floats(s->m, fb_body_base(s->m, fb_frame_body(s->m, frame))))
    bring_to(s, frame, to, &X);
  else
    bring_to(s, to, frame, &back);
}

static moving join_or_fail(moving* s, const fb_join_def* how, fb_join_impulse* blow) {
  fb_model* m;
  fb_error error;
  if (fb_model_join(s->m, how, s->q, &m, &error)) fail_msg("join: %s", error.text);
  moving to = moving_of(m);
  if (fb_model_state_join(&(fb_model_state){s->m, s->d, s->q, s->v}, &(fb_model_state){m, to.d, to.q, to.v},
                          how->name, NULL, blow, &error))
    fail_msg("velocities: %s", error.text);
  return to;
}

/* --- what must hold --- */

static void check_names(const fb_model* a, const fb_model* b) {
  assert_int_equal(fb_model_nbody(a), fb_model_nbody(b));
  assert_int_equal(fb_model_nframe(a), fb_model_nframe(b));
  for (int f = 0; f < fb_model_nframe(a); f++) {
    assert_string_equal(fb_frame_name(a, f), fb_frame_name(b, f));
    assert_int_equal(fb_frame_body(a, f), fb_frame_body(b, f));
  }
}

static void check_places(const moving* a, const moving* b) {
  fb_kinematics(a->m, a->d, a->q, a->v, NULL);
  fb_kinematics(b->m, b->d, b->q, b->v, NULL);
  for (int f = 0; f < fb_model_nframe(a->m); f++) {
    double p[2][3], R[2][9];
    fb_frame_pose(a->m, a->d, f, p[0], R[0]);
    fb_frame_pose(b->m, b->d, f, p[1], R[1]);
    compare_of(1, "positions across the join", p[1], p[0], 3, 1e-13);
    compare_of(1, "attitudes across the join", R[1], R[0], 9, 1e-13);
  }
}

/* Rotors, as the generalised momentum counts them: 1/2 A v^2. */
static double rotor_energy(const moving* s) {
  double sum = 0;
  for (int k = 0; k < fb_model_nv(s->m); k++)
    sum += 0.5 * fb_parameters_get(fb_data_parameters(s->d), FB_PARAMETER_ARMATURE, k) * s->v[k] * s->v[k];
  return sum;
}

static void check_sums(const moving* a, const moving* b, const fb_join_impulse* blow) {
  momenta x = momenta_of(a, NULL), y = momenta_of(b, NULL);
  double before = x.kinetic + rotor_energy(a), after = y.kinetic + rotor_energy(b), lost = before - after;
  compare_of(x.size_p, "linear momentum", y.p, x.p, 3, 1e-14);
  compare_of(x.size_L, "angular momentum", y.L, x.L, 3, 1e-14);
  compare_of(before, "energy lost", &blow->energy, &lost, 1, 1e-13);
  assert_true(blow->energy >= 0);
}

/* The motion of `frame`'s side relative to that of `to` at the point, before. */
static double impulse_form(const moving* a, const capture* c, const fb_join_impulse* blow) {
  double sum = 0;
  int ends[2] = {fb_model_find_frame(a->m, c->to), fb_model_find_frame(a->m, c->frame)};
  for (int side = 0; side < 2; side++) {
    double v[3], w[3], p[3], R[9], sign = side ? -0.5 : 0.5;
    fb_frame_velocity(a->m, a->d, ends[side], v, w);
    fb_frame_pose(a->m, a->d, ends[side], p, R);
    for (int i = 0; i < 3; i++) p[i] = blow->point[i] - p[i];
    for (int i = 0; i < 3; i++) {
      double at_point = v[i] + w[(i + 1) % 3] * p[(i + 2) % 3] - w[(i + 2) % 3] * p[(i + 1) % 3];
      sum += sign * (blow->linear[i] * at_point + blow->angular[i] * w[i]);
    }
  }
  return sum;
}

/* What one robot gains is the impulse, what the other gains is the opposite. A robot on the world has the ground. */
static void check_impulse(const moving* a, const moving* b, const capture* c, const fb_join_impulse* blow) {
  for (int side = 0; side < 2; side++) {
    unsigned char marked[2 * BODIES + 1] = {0};
    int base = fb_body_base(a->m, fb_frame_body(a->m, fb_model_find_frame(a->m, side ? c->to : c->frame)));
    if (!fb_body_floats(a->m, base)) continue;
    for (int i = 1; i <= 2 * BODIES; i++) marked[i] = fb_body_base(a->m, i) == base;
    momenta x = momenta_of(a, marked), y = momenta_of(b, marked);
    double gain[6], want[6], sign = side ? -1 : 1;
    const double *p = blow->point, *f = blow->linear;
    for (int i = 0; i < 3; i++) {
      gain[i] = y.p[i] - x.p[i];
      gain[3 + i] = y.L[i] - x.L[i];
      want[i] = sign * f[i];
      want[3 + i] =
          sign * (blow->angular[i] + p[(i + 1) % 3] * f[(i + 2) % 3] - p[(i + 2) % 3] * f[(i + 1) % 3]);
    }
    compare_of(x.size_p + x.size_L, "impulse on each side", gain, want, 6, 1e-12); /* masses differ by 1e6 */
  }
}

static void a_capture_conserves_momentum_and_books_the_energy(void** unused) {
  (void)unused;
  for (int i = 0; i < CAPTURES; i++) {
    uint64_t seed = (uint64_t)i;
    fb_random r = random_seed(seed);
    capture c;
    fb_join_impulse blow;
    int b_floats = i % 5 != 4;
    moving a = random_robots(&r, seed, i % 3 == 2 ? 6 : 2, b_floats);
    random_capture(&r, (fb_joint_type)(i % FB_JOINT_FREE), i % 2, &c);
    meet(&r, &a, &c);
    moving b = join_or_fail(&a, &c.how, &blow);
    check_names(a.m, b.m);
    check_places(&a, &b);
    if (b_floats) check_sums(&a, &b, &blow);
    check_impulse(&a, &b, &c, &blow);
    double form = impulse_form(&a, &c, &blow);
    compare("energy lost against the impulse's work", &blow.energy, &form, 1, 1e-12);
    moving_free(&a);
    moving_free(&b);
  }
}

static void coordinates_of_the_new_joint_are_what_the_geometry_says(void** unused) {
  (void)unused;
  for (int type = 0; type < FB_JOINT_FREE; type++) {
    fb_random r = random_seed((uint64_t)type);
    capture c;
    moving a = random_robots(&r, 3, 2, 1);
    random_capture(&r, (fb_joint_type)type, 0, &c);
    meet(&r, &a, &c);
    moving b = join_or_fail(&a, &c.how, NULL);
    int body = fb_model_find_joint(b.m, "grasp");
    const fb_joint_def* joint = &fb_model_def_body(fb_model_definition(b.m), body)->joint;
    fb_pose want, own;
    int frame = fb_model_find_frame(b.m, c.frame);
    fb_kinematics(b.m, b.d, b.q, NULL, NULL);
    pose_of_frame(&b, frame, &want); /* the frame's pose in its body, inverted, is what follows the motion */
    pose_of_frame(&b, body, &own);
    fb_pose back, tail = {.p = {joint->child_at[0], joint->child_at[1], joint->child_at[2]}};
    memcpy(tail.R, joint->child_R, sizeof tail.R);
    fb_pose_between(&want, &own, &back);
    int holds_attitude = type == FB_JOINT_FIXED || type == FB_JOINT_PRISMATIC || type == FB_JOINT_PLANAR;
    if (type != FB_JOINT_HELICAL) /* whose advance is left over */
      assert_near_of(1, "origins", tail.p, holds_attitude ? tail.p : back.p, 3, 1e-12);
    if (!holds_attitude) assert_near_of(1, "axes", tail.R, back.R, 9, 1e-12);
    moving_free(&a);
    moving_free(&b);
  }
}

/* --- parting --- */

static moving part_or_fail(moving* s, const char* joint) {
  fb_model* m;
  fb_error error;
  if (fb_model_part(s->m, joint, &m, &error)) fail_msg("part: %s", error.text);
  moving to = moving_of(m);
  assert_int_equal(fb_model_state_carry(&(fb_model_state){s->m, s->d, s->q, s->v},
                                        &(fb_model_state){m, to.d, to.q, to.v}, &error),
                   FB_OK);
  return to;
}

/* The largest difference so far, for print_worst. */
static void compare_states(const char* what, const moving* s, const moving* want, double tol) {
  double none = 0, distance = state_distance(want->m, s->q, s->v, want->q, want->v);
  compare_of(1, what, &distance, &none, 1, tol);
}

static void joining_and_parting_a_hundred_times_returns_the_state(void** unused) {
  (void)unused;
  for (int type = 0; type < FB_JOINT_FREE; type++) {
    fb_random r = random_seed((uint64_t)type + 40);
    capture c;
    moving first = random_robots(&r, 5, 2, type % 2), s;
    random_capture(&r, (fb_joint_type)type, type % 2, &c);
    meet(&r, &first, &c);
    moving b = join_or_fail(&first, &c.how, NULL);
    s = part_or_fail(&b, "grasp");
    assert_same_def(fb_model_definition(first.m), fb_model_definition(s.m), 0);
    memcpy(first.v, s.v,
           (size_t)fb_model_nv(s.m) * sizeof *s.v); /* the impact came first; from now on there is none */
    moving_free(&b);
    for (int i = 0; i < 100; i++) {
      b = join_or_fail(&s, &c.how, NULL);
      moving_free(&s);
      s = part_or_fail(&b, "grasp");
      moving_free(&b);
    }
    compare_states("states after alternations", &s, &first, 1e-12);
    moving_free(&s);
    moving_free(&first);
  }
}

static void parting_a_joint_of_the_model_lets_its_child_float_on(void** unused) {
  (void)unused;
  for (uint64_t seed = 0; seed < 40; seed++) {
    fb_random r = random_seed(seed);
    moving a = random_robots(&r, seed, 2, 1);
    char joint[8];
    snprintf(joint, sizeof joint, "a%d", 1 + random_index(&r, BODIES - 1));
    moving b = part_or_fail(&a, joint);
    int body = fb_model_find_body(b.m, joint);
    assert_true(fb_body_floats(b.m, body));
    assert_string_equal(fb_joint_name(b.m, body), joint);
    check_names(a.m, b.m);
    check_places(&a, &b);
    momenta x = momenta_of(&a, NULL), y = momenta_of(&b, NULL);
    compare_of(x.size_L, "angular momentum across a parting", y.L, x.L, 3, 1e-14);
    moving_free(&a);
    moving_free(&b);
  }
}

/* The trees of bodies, as letters: that of the base of each. */
static void assert_bases(const fb_model* m, const char* want) {
  char bases[64] = "";
  for (int b = 1; b < fb_model_nbody(m); b++) {
    strncat(bases, fb_body_name(m, fb_body_base(m, b)), sizeof bases - strlen(bases) - 2);
    strcat(bases, " ");
  }
  assert_string_equal(bases, want);
}

/* Three chains of two bodies; each body's frame is its own. */
static moving three_chains(void) {
  fb_model_def* def = fb_model_def_new();
  for (int i = 0; i < 6; i++) {
    char name[3] = {(char)('a' + i / 2), (char)('0' + i % 2), 0}, parent[3] = {(char)('a' + i / 2), '0', 0};
    fb_body_def body = fb_default_body_def();
    body.name = name;
    body.parent = i % 2 ? parent : NULL;
    body.mass = 1;
    body.inertia[0] = body.inertia[1] = body.inertia[2] = 0.1;
    body.joint.type = i % 2 ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
    body.joint.axis[2] = 1;
    body.joint.at[0] = i; /* a place of its own on the world */
    assert_int_equal(fb_model_def_add_body(def, &body, NULL, NULL), FB_OK);
  }
  moving s = moving_of(build_or_fail(def, NULL));
  fb_model_def_free(def);
  fb_random_q(s.m, 1, s.q);
  fb_random_v(s.m, 1, s.v);
  return s;
}

static moving forced(moving* s, const char* name, const char* frame, const char* to) {
  fb_join_def how = fb_default_join_def();
  how.name = name;
  how.frame = frame;
  how.to = to;
  how.force = 1;
  moving next = join_or_fail(s, &how, NULL);
  moving_free(s);
  return next;
}

static moving parted(moving* s, const char* joint) {
  moving next = part_or_fail(s, joint);
  moving_free(s);
  return next;
}

static void joins_are_undone_in_any_order(void** unused) {
  (void)unused;
  static const char* const orders[][3] = {{"j", "k", NULL}, {"k", "j", NULL}};
  for (int captured_first = 0; captured_first < 2; captured_first++)
    for (int i = 0; i < 2; i++) {
      moving first = three_chains(), s = three_chains();
      s = forced(&s, "j", "b1", "a1"); /* a carries b */
      assert_bases(s.m, "a0 a0 a0 a0 c0 c0 ");
      /* then c catches the stack by a body of b, or the stack catches c by one */
      s = captured_first ? forced(&s, "k", "b0", "c1") : forced(&s, "k", "c1", "b0");
      assert_bases(s.m, captured_first ? "c0 c0 c0 c0 c0 c0 " : "a0 a0 a0 a0 a0 a0 ");
      for (int k = 0; orders[i][k]; k++) s = parted(&s, orders[i][k]);
      assert_same_def(fb_model_definition(first.m), fb_model_definition(s.m), 0);
      memcpy(first.v, s.v, (size_t)fb_model_nv(s.m) * sizeof *s.v); /* those changed by the impacts */
      compare_states("places after joins and partings", &s, &first, 1e-13);
      moving_free(&first);
      moving_free(&s);
    }
}

/* --- hard cases --- */

static void a_capture_in_orbit_loses_no_digits(void** unused) {
  (void)unused;
  for (int i = 0; i < 24; i++) {
    fb_random r = random_seed((uint64_t)i);
    capture c;
    fb_join_impulse blow;
    moving a = random_robots(&r, (uint64_t)i, 6, 1);
    for (int b = 1; b <= 2 * BODIES; b++) {
      if (!fb_body_floats(a.m, b)) continue;
      a.q[fb_joint_q_index(a.m, b)] += 7e6;
      a.v[fb_joint_v_index(a.m, b) + 1] += 7500;
    }
    random_capture(&r, (fb_joint_type)(i % FB_JOINT_FREE), 0, &c);
    c.how.force = 1; /* where frames are, 1e-9 m are the last digit */
    meet(&r, &a, &c);
    moving b = join_or_fail(&a, &c.how, &blow);
    momenta x = momenta_of(&a, NULL), y = momenta_of(&b, NULL);
    compare_of(x.size_p, "linear momentum in orbit", y.p, x.p, 3, 1e-14);
    compare_of(x.size_L, "angular momentum in orbit", y.L, x.L, 3, 1e-14);
    moving_free(&a);
    moving_free(&b);
  }
}

/* The robots with two distances that are kept: one within b, one between the two; NULL where one is on a rigid body. */
static fb_model* with_loops(const fb_model* m) {
  fb_model_def* def = fb_model_def_copy(fb_model_definition(m));
  fb_loop_def inner = fb_default_loop_def(FB_LOOP_DISTANCE), across = fb_default_loop_def(FB_LOOP_DISTANCE);
  inner.name = "inner";
  inner.a = "b1_grip";
  inner.b = "b5_grip";
  across.name = "across";
  across.a = "a1_grip";
  across.b = "b3_grip";
  assert_int_equal(fb_model_def_add_loop(def, &inner, NULL), FB_OK);
  assert_int_equal(fb_model_def_add_loop(def, &across, NULL), FB_OK);
  fb_model* made;
  fb_model_build(def, NULL, &made, NULL);
  fb_model_def_free(def);
  return made;
}

/* The distance between two frames changes at this rate. */
static double opening(const moving* s, const char* a, const char* b) {
  double p[2][3], v[2][3], w[3], sum = 0, far = 0;
  const char* name[2] = {a, b};
  fb_kinematics(s->m, s->d, s->q, s->v, NULL);
  for (int i = 0; i < 2; i++) {
    fb_frame_pose(s->m, s->d, fb_model_find_frame(s->m, name[i]), p[i], NULL);
    fb_frame_velocity(s->m, s->d, fb_model_find_frame(s->m, name[i]), v[i], w);
  }
  for (int i = 0; i < 3; i++) {
    sum += (p[1][i] - p[0][i]) * (v[1][i] - v[0][i]);
    far += (p[1][i] - p[0][i]) * (p[1][i] - p[0][i]);
  }
  return sum / sqrt(far);
}

static void loops_stay_closed_through_a_join(void** unused) {
  (void)unused;
  int met = 0;
  for (int i = 0; i < 60; i++) {
    fb_random r = random_seed((uint64_t)i + 500);
    capture c;
    fb_model *plain = two_robots(&r, BODIES, 2, 1), *m = with_loops(plain), *joined;
    fb_error error;
    fb_model_free(plain);
    if (!m) continue; /* frames on one rigid body */
    moving a = moving_of(m);
    fb_random_q(m, (uint64_t)i, a.q);
    fb_random_v(m, (uint64_t)i, a.v);
    random_capture(&r, (fb_joint_type)(i % FB_JOINT_FREE), i % 2, &c);
    meet(&r, &a, &c);
    fb_loops_measure(m, a.d, a.q);
    if (fb_loops_close(m, a.d, NULL, a.q, a.v, NULL) || fb_model_join(m, &c.how, a.q, &joined, NULL)) {
      moving_free(&a);
      continue; /* a distance that nothing can change */
    }
    moving b = moving_of(joined);
    fb_join_impulse blow;
    assert_int_equal(fb_model_state_carry(&(fb_model_state){m, a.d, a.q, NULL},
                                          &(fb_model_state){joined, b.d, b.q, NULL}, NULL),
                     FB_OK);
    fb_loops_measure(joined, b.d, b.q);
    if (fb_model_state_join(&(fb_model_state){m, a.d, a.q, a.v}, &(fb_model_state){joined, b.d, b.q, b.v},
                            "grasp", NULL, &blow, &error))
      fail_msg("%d: %s", i, error.text);
    check_sums(&a, &b, &blow);
    double open[2] = {opening(&b, "b1_grip", "b5_grip"), opening(&b, "a1_grip", "b3_grip")}, none[2] = {0, 0};
    compare_of(1, "loops after a join", open, none, 2, 1e-12);
    met++;
    moving_free(&a);
    moving_free(&b);
  }
  assert_true(met > 30);
}

static void locked_coordinates_keep_their_rate(void** unused) {
  (void)unused;
  fb_random r = random_seed(8);
  moving a = random_robots(&r, 8, 2, 1);
  capture c;
  fb_model* m;
  random_capture(&r, FB_JOINT_FIXED, 0, &c);
  meet(&r, &a, &c);
  assert_int_equal(fb_model_join(a.m, &c.how, a.q, &m, NULL), FB_OK);
  moving b = moving_of(m);
  unsigned char* locked = calloc((size_t)fb_model_nv(m), 1);
  for (int k = 0; k < fb_model_nv(m); k++)
    locked[k] =
        fb_model_coordinate_from(a.m, m, k) >= 0 && k % 2 && fb_body_parent(m, fb_coordinate_body(m, k));
  assert_int_equal(fb_model_state_join(&(fb_model_state){a.m, a.d, a.q, a.v},
                                       &(fb_model_state){m, b.d, b.q, b.v}, "grasp", locked, NULL, NULL),
                   FB_OK);
  int held = 0;
  for (int k = 0; k < fb_model_nv(m); k++) {
    if (!locked[k]) continue;
    held++;
    assert_true(b.v[k] == a.v[fb_model_coordinate_from(a.m, m, k)]);
  }
  assert_true(held > 2);
  momenta x = momenta_of(&a, NULL), y = momenta_of(&b, NULL);
  assert_near_of(x.size_L, "angular", y.L, x.L, 3, 1e-14);
  free(locked);
  moving_free(&a);
  moving_free(&b);
}

static void bodies_without_mass_that_a_joint_moves_are_named(void** unused) {
  (void)unused;
  moving s = three_chains();
  fb_model_def* def = fb_model_def_copy(fb_model_definition(s.m));
  const double none[6] = {0};
  fb_model_def_set_inertia(def, 6, 0, none); /* c1 */
  moving t = moving_of(build_or_fail(def, NULL));
  fb_join_def how = fb_default_join_def();
  fb_join_impulse blow;
  fb_model* m;
  fb_error error;
  how.name = "j";
  how.frame = "c0";
  how.to = "a1";
  how.force = 1;
  assert_int_equal(fb_model_join(t.m, &how, s.q, &m, &error), FB_OK);
  moving u = moving_of(m);
  u.v[0] = 77;
  for (int with_impulse = 0; with_impulse < 2; with_impulse++) {
    fb_status status =
        fb_model_state_join(&(fb_model_state){t.m, t.d, s.q, s.v}, &(fb_model_state){m, u.d, u.q, u.v}, "j",
                            NULL, with_impulse ? &blow : NULL, &error);
    assert_int_equal(status, FB_ERR_NO_SOLUTION);
    assert_non_null(strstr(error.text, "c1"));
    assert_true(u.v[0] == 77); /* untouched */
  }
  fb_model_def_free(def);
  moving_free(&s);
  moving_free(&t);
  moving_free(&u);
}

/* --- refusals --- */

typedef struct refusal {
  const char *name, *frame, *to;
  fb_joint_type type;
  int force;
  double axis_z;
  fb_status status;
  const char* text;
} refusal;

static const refusal REFUSED[] = {
    {"j", "b2", "a1", FB_JOINT_FIXED, 0, 1, FB_ERR_NAME, "there is no frame or body 'b2'; did you mean"},
    {"j", "b1", "nothing_like_it", FB_JOINT_FIXED, 0, 1, FB_ERR_NAME,
     "there is no frame or body 'nothing_like_it'; there are "},
    {"", "b1", "a1", FB_JOINT_FIXED, 0, 1, FB_ERR_NAME, "a join needs a name"},
    {"a1", "b1", "a1", FB_JOINT_FIXED, 1, 1, FB_ERR_NAME,
     "has the name of a joint that the model has already"},
    {"j", "b1", "b0", FB_JOINT_FIXED, 1, 1, FB_ERR_TREE,
     "'b1' and 'b0' are on one tree already, that of \"b0\""},
    {"j", "b0", "b1", FB_JOINT_FIXED, 1, 1, FB_ERR_TREE, "would close a loop"},
    {"j", "b0", "b0", FB_JOINT_FIXED, 1, 1, FB_ERR_TREE, "would close a loop"},
    {"j", "world", "b0", FB_JOINT_FIXED, 1, 1, FB_ERR_TREE, "would capture the world"},
    {"j", "b1", "a1", FB_JOINT_FREE, 1, 1, FB_ERR_JOINT, "is of type free, which joins nothing"},
    {"j", "b1", "a1", (fb_joint_type)77, 1, 1, FB_ERR_JOINT, "is of type ?, which joins nothing"},
    {"j", "b1", "a1", FB_JOINT_FIXED, 0, 1, FB_ERR_JOINT,
     "m apart, more than 1e-06 m; bring them together, or join them with force"},
    {"j", "b1", "a1", FB_JOINT_REVOLUTE, 1, 0, FB_ERR_JOINT, "its axis is [0, 0, 0], of no direction"},
    {"j", "b1", "a1", FB_JOINT_REVOLUTE, 1, NAN, FB_ERR_JOINT, "its axis is [0, 0, nan], of no direction"},
};

static void what_cannot_be_joined_is_refused_with_its_reason(void** unused) {
  (void)unused;
  moving s = three_chains();
  for (size_t i = 0; i < sizeof REFUSED / sizeof REFUSED[0]; i++) {
    const refusal* row = &REFUSED[i];
    fb_join_def how = fb_default_join_def();
    fb_model* m = s.m;
    fb_error error;
    how.name = row->name;
    how.frame = row->frame;
    how.to = row->to;
    how.type = row->type;
    how.force = row->force;
    how.axis[2] = row->axis_z;
    fb_status status = fb_model_join(s.m, &how, s.q, &m, &error);
    if (status != row->status || !strstr(error.text, row->text))
      fail_msg("row %zu: %d %s", i, status, error.text);
    assert_null(m);
  }
  moving_free(&s);
}

static void axes_must_be_parallel_for_joints_about_a_line(void** unused) {
  (void)unused;
  static const fb_joint_type lines[] = {FB_JOINT_REVOLUTE, FB_JOINT_PRISMATIC, FB_JOINT_CYLINDRICAL,
                                        FB_JOINT_HELICAL};
  moving s = three_chains();
  fb_pose X = fb_pose_identity();
  fb_model* m;
  fb_error error;
  int frame = fb_model_find_frame(s.m, "b1"), to = fb_model_find_frame(s.m, "a1");
  fb_join_def how = fb_default_join_def();
  how.name = "j";
  how.frame = "b1";
  how.to = "a1";
  for (int i = 0; i < 4; i++) {
    how.type = lines[i];
    fb_rot_x(0.1, X.R);
    bring_to(&s, frame, to, &X);
    assert_int_equal(fb_model_join(s.m, &how, s.q, &m, &error), FB_ERR_JOINT);
    assert_non_null(strstr(error.text, "are 0.1 rad askew, more than 1e-06 rad"));
    how.force = 1;
    assert_int_equal(fb_model_join(s.m, &how, s.q, &m, &error), FB_OK);
    fb_model_free(m);
    how.force = 0;
    fb_rot_x(3.14159265358979323846, X.R); /* one line, turned over */
    bring_to(&s, frame, to, &X);
    assert_int_equal(fb_model_join(s.m, &how, s.q, &m, &error), FB_OK);
    fb_model_free(m);
  }
  how.type = FB_JOINT_SPHERICAL; /* any attitude */
  assert_int_equal(fb_model_join(s.m, &how, s.q, &m, &error), FB_OK);
  fb_model_free(m);
  moving_free(&s);
}

static void states_and_structures_that_do_not_fit_are_refused(void** unused) {
  (void)unused;
  moving s = three_chains(), other;
  fb_model* m;
  fb_error error;
  fb_join_def how = {.name = "j", .frame = "b1", .to = "a1"};
  assert_int_equal(fb_model_join(s.m, &how, s.q, &m, &error), FB_ERR_ARG);
  how = fb_default_join_def();
  how.name = "j";
  how.frame = "b1";
  how.to = "a1";
  s.q[0] = NAN;
  assert_int_equal(fb_model_join(s.m, &how, s.q, &m, &error), FB_ERR_STATE);
  fb_random r = random_seed(1);
  other = random_robots(&r, 1, 2, 1);
  assert_int_equal(fb_model_state_carry(&(fb_model_state){s.m, s.d, s.q, s.v},
                                        &(fb_model_state){other.m, other.d, other.q, other.v}, &error),
                   FB_ERR_ARG);
  assert_non_null(strstr(error.text, "only between models of the same bodies"));
  assert_int_equal(fb_model_state_join(&(fb_model_state){s.m, s.d, s.q, s.v},
                                       &(fb_model_state){s.m, s.d, s.q, s.v}, "j", NULL, NULL, &error),
                   FB_ERR_NAME);
  assert_int_equal(fb_model_part(s.m, "never", &m, &error), FB_ERR_NAME);
  assert_non_null(strstr(error.text, "there is no joint 'never'"));
  assert_int_equal(fb_model_part(s.m, "a0", &m, &error), FB_ERR_TREE);
  assert_non_null(strstr(error.text, "\"a0\" floats already"));
  assert_null(m);
  moving_free(&s);
  moving_free(&other);
}

static void robots_that_are_both_on_the_world_cannot_be_joined(void** unused) {
  (void)unused;
  fb_random r = random_seed(3);
  moving s = random_robots(&r, 3, 2, 0);
  fb_join_def how = fb_default_join_def();
  fb_error error;
  fb_model* m;
  how.name = "j";
  how.frame = "a3";
  how.to = "world";
  how.force = 1;
  moving held = join_or_fail(&s, &how, NULL);
  how.name = "k";
  how.to = "b3";
  assert_int_equal(fb_model_join(held.m, &how, held.q, &m, &error), FB_ERR_TREE);
  assert_non_null(strstr(error.text, "neither the tree of 'a3' nor that of 'b3' floats"));
  moving_free(&s);
  moving_free(&held);
}

static void a_join_that_would_reverse_an_uneven_attitude_joint_is_refused(void** unused) {
  (void)unused;
  static const struct {
    fb_joint_type type;
    const char* text;
  } rows[] = {{FB_JOINT_SPHERICAL, "its spherical joint is reversed by a join, but has an uneven damping"},
              {FB_JOINT_FREE, "its free joint is reversed by a join, but has a damping"}};
  for (int i = 0; i < 2; i++) {
    moving s = three_chains();
    fb_model_def* def = fb_model_def_copy(fb_model_definition(s.m));
    fb_joint_def joint = fb_default_joint_def();
    fb_error error;
    fb_model* m;
    fb_join_def how = fb_default_join_def();
    joint.type = rows[i].type;
    joint.damping[1] = 1;
    assert_int_equal(fb_model_def_set_joint(def, 4, &joint, NULL), FB_OK);
    moving t = moving_of(build_or_fail(def, NULL));
    fb_neutral(t.m, t.q);
    how.name = "j";
    how.frame = "b1";
    how.to = "a1";
    how.force = 1;
    assert_int_equal(fb_model_join(t.m, &how, t.q, &m, &error), FB_ERR_JOINT);
    if (!strstr(error.text, rows[i].text)) fail_msg("%s", error.text);
    fb_model_def_free(def);
    moving_free(&s);
    moving_free(&t);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_capture_conserves_momentum_and_books_the_energy),
      cmocka_unit_test(coordinates_of_the_new_joint_are_what_the_geometry_says),
      cmocka_unit_test(joining_and_parting_a_hundred_times_returns_the_state),
      cmocka_unit_test(parting_a_joint_of_the_model_lets_its_child_float_on),
      cmocka_unit_test(joins_are_undone_in_any_order),
      cmocka_unit_test(a_capture_in_orbit_loses_no_digits),
      cmocka_unit_test(loops_stay_closed_through_a_join),
      cmocka_unit_test(locked_coordinates_keep_their_rate),
      cmocka_unit_test(bodies_without_mass_that_a_joint_moves_are_named),
      cmocka_unit_test(what_cannot_be_joined_is_refused_with_its_reason),
      cmocka_unit_test(axes_must_be_parallel_for_joints_about_a_line),
      cmocka_unit_test(states_and_structures_that_do_not_fit_are_refused),
      cmocka_unit_test(robots_that_are_both_on_the_world_cannot_be_joined),
      cmocka_unit_test(a_join_that_would_reverse_an_uneven_attitude_joint_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, print_worst);
}
