/* test_signal.c -- signals: names there and back, units, values against direct calls, what is refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/cookie.h"
#include "near.h"
#include "random_tree.h"

enum { MOST = 4096 };

/* A floating base with one body on every type of joint, frames, and names that hold dots. */
static fb_model* every_joint(void) {
  fb_random r = random_seed(5);
  fb_model_def* def = fb_model_def_new();
  for (int i = -1; i < FB_JOINT_TYPE_COUNT; i++) {
    fb_joint_type type = i < 0 ? FB_JOINT_FREE : (fb_joint_type)i;
    fb_body_def b = fb_default_body_def();
    char name[32];
    snprintf(name, sizeof name, i == FB_JOINT_PLANAR ? "left.%s" : "%s",
             i < 0 ? "base" : fb_joint_type_name(type));
    b.name = name;
    b.parent = i < 0 || type == FB_JOINT_FREE ? NULL : "base";
    b.joint = random_joint(&r, 0);
    b.joint.type = type;
    b.joint.axis2[0] = b.joint.axis[1];
    b.joint.axis2[1] = -b.joint.axis[0];
    b.joint.axis2[2] = 0;
    b.mass = random_in(&r, 1, 5);
    random_fill(&r, -0.3, 0.3, 3, b.com);
    random_inertia(&r, b.mass, b.inertia);
    if (type != FB_JOINT_FREE) random_passive(&r, &b.joint);
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
    fb_frame_def f = fb_default_frame_def();
    char frame[48];
    snprintf(frame, sizeof frame, "%s.tip", name);
    f.name = frame;
    random_fill(&r, -0.5, 0.5, 3, f.at);
    random_rotation(&r, f.R);
    assert_int_equal(fb_model_def_add_frame(def, i + 2, &f, NULL), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static int find(const fb_model* m, const char* name, fb_signal* signals) {
  fb_error error;
  int count = 0;
  if (fb_signal_find(m, name, signals, MOST, &count, &error)) fail_msg("\"%s\": %s", name, error.text);
  assert_true(count <= MOST);
  return count;
}

static fb_signal find_one(const fb_model* m, const char* name) {
  static fb_signal signals[MOST];
  int count = find(m, name, signals);
  if (count != 1) fail_msg("\"%s\" stands for %d signals", name, count);
  return signals[0];
}

/* --- names --- */

static void every_full_name_is_found_again(void** unused) {
  (void)unused;
  static fb_signal all[MOST], again[MOST];
  for (uint64_t seed = 0; seed < 12; seed++) {
    fb_model* m = seed == 0 ? every_joint() : random_model(seed, 1 + (int)seed * 3);
    int count = find(m, "*", all);
    assert_true(count > 40);
    for (int i = 0; i < count; i++) {
      char name[FB_SIGNAL_NAME_SIZE];
      fb_signal_name(m, all[i], name);
      int found = find(m, name, again);
      if (found != 1 || memcmp(&again[0], &all[i], sizeof all[i]) != 0)
        fail_msg("%s is not found again", name);
      assert_true(fb_signal_unit(m, all[i])[0] != '\0');
      assert_true(fb_signal_meaning(all[i])[0] != '\0');
      assert_non_null(fb_signal_axes(m, all[i]));
    }
    fb_model_free(m);
  }
}

/* Joints and frames with names that do not fit, that are alike as far as they would, and that read as others' parts. */
static fb_model* hard_names(void) {
  enum { LONG = 400 };
  char names[4][LONG + 8];
  for (int i = 0; i < 3; i++) {
    memset(names[i], 'j', LONG);
    for (int k = 0; k + 1 < LONG && i == 2; k += 2)
      memcpy(names[i] + k, "\xc3\xa9", 2); /* e with an accent */
    snprintf(names[i] + LONG, 8, "%d", i);
  }
  const struct {
    const char* name;
    fb_joint_type type;
  } bodies[] = {{names[0], FB_JOINT_SPHERICAL}, {names[1], FB_JOINT_REVOLUTE}, {names[2], FB_JOINT_PLANAR},
                {"a", FB_JOINT_SPHERICAL},      {"a.1", FB_JOINT_REVOLUTE},    {"a.2", FB_JOINT_FIXED},
                {"a.x", FB_JOINT_FIXED},        {"a.force", FB_JOINT_FIXED},   {"a.force.x", FB_JOINT_FIXED},
                {"p", FB_JOINT_REVOLUTE},       {"p.x", FB_JOINT_FIXED},       {"v", FB_JOINT_PRISMATIC}};
  fb_model_def* def = fb_model_def_new();
  for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
    fb_body_def b = fb_default_body_def();
    b.name = bodies[i].name;
    b.joint.type = bodies[i].type;
    b.joint.axis[0] = 1;
    b.mass = b.inertia[0] = b.inertia[1] = b.inertia[2] = 1;
    assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
  }
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static int by_text(const void* a, const void* b) {
  return strcmp((const char*)a, (const char*)b);
}

static void no_two_signals_have_the_same_name(void** unused) {
  (void)unused;
  static fb_signal all[MOST], again[MOST];
  static char names[MOST][FB_SIGNAL_NAME_SIZE];
  fb_model* m = hard_names();
  int count = find(m, "*", all);
  for (int i = 0; i < count; i++) {
    fb_signal_name(m, all[i], names[i]);
    assert_int_equal(find(m, names[i], again), 1);
    assert_memory_equal(&again[0], &all[i], sizeof all[i]);
    const char* mark = strrchr(names[i], '~');
    if (mark && strstr(names[i], "\xc3\xa9")) assert_int_equal(mark[-1] & 0xff, 0xa9); /* no half character */
  }
  assert_string_equal(names[1] + strlen(names[1]) - 4, "~1.0"); /* names[0] is t */
  qsort(names, (size_t)count, sizeof names[0], by_text);
  for (int i = 1; i < count; i++)
    if (strcmp(names[i - 1], names[i]) == 0) fail_msg("two signals are called %s", names[i]);
  fb_model_free(m);
}

/* com.p and com.v are the scene's; a body of that name is found by its number. */
static void the_scene_comes_before_bodies_called_p_and_v(void** unused) {
  (void)unused;
  static fb_signal found[MOST];
  fb_model* m = hard_names();
  char name[FB_SIGNAL_NAME_SIZE], want[FB_SIGNAL_NAME_SIZE];
  static const struct {
    const char *name, *body;
    int count;
  } cases[] = {{"com", NULL, 6},        {"com.p", NULL, 3}, {"com.p.x", NULL, 1}, {"com.v", NULL, 3},
               {"com.p.x.y", "p.x", 1}, {"com.a", "a", 3},  {"com.a.x", "a.x", 3}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    int count = find(m, cases[i].name, found);
    if (count != cases[i].count) fail_msg("%s: %d signals", cases[i].name, count);
    assert_int_equal(found[0].index, cases[i].body ? fb_model_find_body(m, cases[i].body) : 0);
  }
  for (int i = 0; i < 2; i++) {
    int body = fb_model_find_body(m, i == 0 ? "p" : "v");
    snprintf(want, sizeof want, "com.%c~%d", "pv"[i], body);
    assert_int_equal(find(m, want, found), 3);
    assert_int_equal(found[0].index, body);
    snprintf(want, sizeof want, "com.%c~%d.z", "pv"[i], body);
    assert_string_equal(fb_signal_name(m, found[2], name), want);
  }
  fb_model_free(m);
}

static void names_stand_for_all_their_components(void** unused) {
  (void)unused;
  static const struct {
    const char* name;
    int count;
    const char *first, *last;
  } cases[] = {
      {"t", 1, "t", "t"},
      {"q.base", 7, "q.base.0", "q.base.6"},
      {"v.base", 6, "v.base.0", "v.base.5"},
      {"q.base.3", 1, "q.base.3", "q.base.3"},
      {"q.revolute", 1, "q.revolute", "q.revolute"},
      {"a.spherical", 3, "a.spherical.0", "a.spherical.2"},
      {"q.spherical", 4, "q.spherical.0", "q.spherical.3"},
      {"tau.left.planar", 3, "tau.left.planar.0", "tau.left.planar.2"},
      {"tau.left.planar.1", 1, "tau.left.planar.1", "tau.left.planar.1"},
      {"work.helical", 1, "work.helical", "work.helical"},
      {"p.left.planar.tip", 3, "p.left.planar.tip.x", "p.left.planar.tip.z"},
      {"p.left.planar.tip.y", 1, "p.left.planar.tip.y", "p.left.planar.tip.y"},
      {"quat.base", 4, "quat.base.w", "quat.base.z"},
      {"rpy.base.tip", 3, "rpy.base.tip.roll", "rpy.base.tip.yaw"},
      {"rpy.base.tip.pitch", 1, "rpy.base.tip.pitch", "rpy.base.tip.pitch"},
      {"vel.fixed", 3, "vel.fixed.x", "vel.fixed.z"},
      {"com", 6, "com.p.x", "com.v.z"},
      {"com.v", 3, "com.v.x", "com.v.z"},
      {"com.left.planar", 3, "com.left.planar.x", "com.left.planar.z"},
      {"com.fixed.y", 1, "com.fixed.y", "com.fixed.y"},
      {"com.*", 6 + 3 * (FB_JOINT_TYPE_COUNT + 1), "com.p.x", "com.free.z"},
      {"joint.left.planar", 3, "joint.left.planar.x", "joint.left.planar.z"},
      {"joint.fixed.z", 1, "joint.fixed.z", "joint.fixed.z"},
      {"joint", 3 * (FB_JOINT_TYPE_COUNT + 1), "joint.base.x", "joint.free.z"},
      {"reaction.fixed", 6, "reaction.fixed.force.x", "reaction.fixed.torque.z"},
      {"reaction.left.planar.force", 3, "reaction.left.planar.force.x", "reaction.left.planar.force.z"},
      {"reaction.base.torque.y", 1, "reaction.base.torque.y", "reaction.base.torque.y"},
      {"reaction.*", 6 * (FB_JOINT_TYPE_COUNT + 1), "reaction.base.force.x", "reaction.free.torque.z"},
      {"reaction", 6 * (FB_JOINT_TYPE_COUNT + 1), "reaction.base.force.x", "reaction.free.torque.z"},
      {"reaction.left*", 6, "reaction.left.planar.force.x", "reaction.left.planar.torque.z"},
      {"momentum", 6, "momentum.linear.x", "momentum.angular.z"},
      {"energy", 3, "energy.kinetic", "energy.total"},
      {"ledger.residual", 1, "ledger.residual", "ledger.residual"},
      {"ledger.impulse", 3, "ledger.impulse.x", "ledger.impulse.z"},
      {"ledger.an*", 5, "ledger.angular_impulse.x", "ledger.angular_scale"},
      {"p.left*", 6, "p.left.planar.x", "p.left.planar.tip.z"},
      {"q.sph*", 4, "q.spherical.0", "q.spherical.3"},
      {"energy.kinetic*", 1, "energy.kinetic", "energy.kinetic"},
  };
  static fb_signal signals[MOST];
  fb_model* m = every_joint();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char first[FB_SIGNAL_NAME_SIZE], last[FB_SIGNAL_NAME_SIZE];
    int count = find(m, cases[i].name, signals);
    if (count != cases[i].count) fail_msg("%s: %d signals", cases[i].name, count);
    assert_string_equal(fb_signal_name(m, signals[0], first), cases[i].first);
    assert_string_equal(fb_signal_name(m, signals[count - 1], last), cases[i].last);
  }
  assert_int_equal(find(m, "q", signals), fb_model_nq(m));
  assert_int_equal(find(m, "tau.*", signals), fb_model_nv(m));
  assert_int_equal(find(m, "p", signals), 3 * (fb_model_nframe(m) - 1));
  fb_model_free(m);
}

static void counting_needs_no_room(void** unused) {
  (void)unused;
  fb_model* m = every_joint();
  fb_signal two[3] = {{-1, -1, -1}, {-1, -1, -1}, {-1, -1, -1}};
  int count = 0;
  assert_int_equal(fb_signal_find(m, "q.base", NULL, 0, &count, NULL), FB_OK);
  assert_int_equal(count, 7);
  assert_int_equal(fb_signal_find(m, "q.base", two, 2, &count, NULL), FB_OK);
  assert_int_equal(count, 7);
  assert_int_equal(two[1].component, 1);
  assert_int_equal(two[2].kind, -1);
  fb_model_free(m);
}

static void units_and_axes_follow_the_coordinate(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *unit, *axes;
  } cases[] = {
      {"t", "s", ""},
      {"q.revolute", "rad", "joint"},
      {"q.prismatic", "m", "joint"},
      {"v.cylindrical.0", "rad/s", "joint"},
      {"v.cylindrical.1", "m/s", "joint"},
      {"a.helical", "rad/s^2", "joint"},
      {"tau.left.planar.1", "N", "joint"},
      {"tau.left.planar.2", "N m", "joint"},
      {"q.spherical.3", "1", "joint"},
      {"tau.spherical.2", "N m", "joint"},
      {"q.base.2", "m", "joint"},
      {"q.base.3", "1", "joint"},
      {"v.base.2", "m/s", "joint"},
      {"v.base.3", "rad/s", "joint"},
      {"work.prismatic", "J", ""},
      {"p.base.x", "m", "world"},
      {"quat.base.w", "1", "world"},
      {"rpy.base.yaw", "rad", "world"},
      {"alpha.base.x", "rad/s^2", "world"},
      {"com.base.x", "m", "world"},
      {"joint.fixed.x", "m", "world"},
      {"reaction.prismatic.force.x", "N", "world"},
      {"reaction.prismatic.torque.x", "N m", "world"},
      {"momentum.angular.z", "kg m^2/s", "world"},
      {"energy.total", "J", ""},
      {"ledger.relative", "1", ""},
      {"ledger.angular_impulse.x", "N m s", "world"},
  };
  fb_model* m = every_joint();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_signal signal = find_one(m, cases[i].name);
    if (strcmp(fb_signal_unit(m, signal), cases[i].unit) != 0 ||
        strcmp(fb_signal_axes(m, signal), cases[i].axes) != 0)
      fail_msg("%s: %s, \"%s\"", cases[i].name, fb_signal_unit(m, signal), fb_signal_axes(m, signal));
  }
  char name[FB_SIGNAL_NAME_SIZE];
  static const fb_signal none[] = {{-1, 0, 0}, {1000, 0, 0}, {1, 0, 0}, {1, 1, 9}, {1, 1000, 0}, {0, 0, -1}};
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++) {
    assert_string_equal(fb_signal_name(m, none[i], name), "");
    assert_string_equal(fb_signal_unit(m, none[i]), "");
    assert_string_equal(fb_signal_axes(m, none[i]), "");
  }
  assert_string_equal(fb_signal_meaning(none[0]), "");
  fb_model_free(m);
}

static void unknown_names_are_explained(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *text;
  } cases[] = {
      {"", "name is empty"},
      {"x", "signals begin with t, q, v"},
      {"quatt.base", "did you mean 'quat'?"},
      {"enrgy", "did you mean 'energy'?"},
      {"energy.kinetc", "did you mean 'kinetic'?"},
      {"com.q", "com has p, v, or the name of a body"},
      {"com.bse.x", "no body has that name; did you mean \"com.base.x\"?"},
      {"com.fixed.w", "\"com.fixed\" has the components x, y, z"},
      {"com.world", "com has p, v, or the name of a body"},
      {"joint.revolut", "no joint has that name; did you mean \"joint.revolute\"?"},
      {"joint.something_else", "no joint has that name; the model's joints are base, fixed"},
      {"reaction.revolut.force.x", "no joint has that name; did you mean \"reaction.revolute.force.x\"?"},
      {"reaction.revolute.x", "\"reaction.revolute\" has no part \"x\"; its parts are force, torque"},
      {"reaction.left.planar.forc.x", "\"reaction.left.planar\" has no part \"forc\"; did you mean 'force'?"},
      {"reaction.revolute.force.w", "\"reaction.revolute.force\" has the components x, y, z"},
      {"reaction.force", "no joint has that name"},
      {"reaction.zz*", "no signal begins with \"reaction.zz\""},
      {"ledger.residul", "did you mean 'residual'?"},
      {"q.revolut", "did you mean \"q.revolute\"?"},
      {"p.bse.x", "did you mean \"p.base.x\"?"},
      {"p.left.planer.tip", "did you mean \"p.left.planar.tip\"?"},
      {"q.something_else", "no joint has that name; the model's moving joints are base, revolute"},
      {"p.base.w", "\"p.base\" has the components x, y, z"},
      {"q.base.7", "\"q.base\" has 7 components, counted from 0"},
      {"q.base.-1", "\"q.base\" has 7 components"},
      {"q.base.03", "\"q.base\" has 7 components"},
      {"q.revolute.0", "\"q.revolute\" is a single number; leave \".0\" out"},
      {"com.p.w", "\"com.p\" has the components x, y, z"},
      {"energy.total.x", "\"energy.total\" is a single number"},
      {"q.fixed", "joint \"fixed\" is fixed and has no coordinates"},
      {"v.fixed.0", "joint \"fixed\" is fixed"},
      {"t.x", "\"t\" is a single number"},
      {"p.world", "no frame has that name"},
      {"q.zz*", "no signal begins with \"q.zz\""},
      {"zz*", "signals begin with"},
      {"q.", "there is no signal \"q.\""},
      {".", "there is no signal \".\""},
  };
  fb_model* m = every_joint();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error = {.status = FB_OK};
    int count = -1;
    fb_status status = fb_signal_find(m, cases[i].name, NULL, 0, &count, &error);
    if (status != FB_ERR_NAME || count != 0 || !strstr(error.text, cases[i].text))
      fail_msg("\"%s\": %s, %d, \"%s\"", cases[i].name, fb_status_name(status), count, error.text);
    assert_int_equal(fb_signal_find(m, cases[i].name, NULL, 0, &count, NULL), FB_ERR_NAME);
  }
  char* longest = (char*)malloc(100001);
  memset(longest, 'q', 100000);
  longest[1] = longest[99000] = '.';
  longest[100000] = '\0';
  int count;
  fb_error error;
  assert_int_equal(fb_signal_find(m, longest, NULL, 0, &count, &error), FB_ERR_NAME);
  free(longest);
  fb_model_free(m);
}

static void a_model_that_cannot_move_has_no_joint_signals(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  fb_body_def b = fb_default_body_def();
  b.name = "rock";
  b.mass = 1;
  assert_int_equal(fb_model_def_add_body(def, &b, NULL, NULL), FB_OK);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  fb_error error;
  int count;
  assert_int_equal(fb_signal_find(m, "q", NULL, 0, &count, &error), FB_ERR_NAME);
  assert_int_equal(fb_signal_find(m, "q.stone", NULL, 0, &count, &error), FB_ERR_NAME);
  assert_non_null(strstr(error.text, "the model's moving joints are none"));
  assert_int_equal(fb_signal_find(m, "p.rock", NULL, 0, &count, &error), FB_OK);
  fb_model_free(m);
}

/* --- values --- */

/* A simulation of every joint under a schedule on all coordinates, a wrench, gravity and a locked joint. */
typedef struct rig {
  fb_model* m;
  fb_data* d;
  fb_sim* sim;
  fb_loads loads;
  fb_wrench wrench;
  int nv;
  double *tau, *vdot;
} rig;

static const double PULSE_TIMES[2] = {0, 10};

static void add_schedules(rig* r) {
  fb_block b;
  for (int k = 0; k < r->nv; k++) {
    char name[16];
    const double values[2] = {0.1 * (k + 1), 0};
    const fb_schedule pulse = {2, PULSE_TIMES, values, 0, .cookie_ = FB_COOKIE};
    snprintf(name, sizeof name, "push%d", k);
    assert_int_equal(fb_block_new_joint_schedule(r->m, name, k, &pulse, &b, NULL), FB_OK);
    assert_int_equal(fb_sim_add_block(r->sim, &b, NULL, NULL), FB_OK);
  }
  static const double values[12] = {1, -2, 3, 0.4, 0.5, -0.6};
  const fb_schedule jet = {2, PULSE_TIMES, values, 0, .cookie_ = FB_COOKIE};
  r->wrench = (fb_wrench){fb_model_find_frame(r->m, "base.tip"), 1, {1, -2, 3}, {0.4, 0.5, -0.6}};
  assert_int_equal(fb_block_new_frame_schedule(r->m, "jet", r->wrench.frame, 1, &jet, &b, NULL), FB_OK);
  assert_int_equal(fb_sim_add_block(r->sim, &b, NULL, NULL), FB_OK);
}

static rig rig_new(void) {
  rig r = {.m = every_joint(), .loads = fb_default_loads()};
  fb_sim_options o = fb_default_sim_options();
  o.method = FB_METHOD_DOPRI5;
  o.environment.gravity_w[2] = r.loads.environment.gravity_w[2] = -1.5;
  r.nv = fb_model_nv(r.m);
  r.d = fb_data_new(r.m);
  r.tau = numbers_new(r.nv);
  r.vdot = numbers_new(r.nv);
  fb_error error;
  if (fb_sim_new(r.m, &o, &r.sim, &error)) fail_msg("%s", error.text);
  add_schedules(&r);
  state s = state_new(r.m, 9);
  if (fb_sim_start(r.sim, s.q, s.v, &error) || fb_sim_run_until(r.sim, 0.05, &error))
    fail_msg("%s", error.text);
  state_free(&s);
  return r;
}

static void rig_free(rig* r) {
  fb_sim_free(r->sim);
  fb_data_free(r->d);
  free(r->tau);
  free(r->vdot);
  fb_model_free(r->m);
}

/* What acts and the accelerations at a state, by direct calls. */
static void solve(rig* r, const double* q, const double* v, const unsigned char* prescribed) {
  r->loads.wrenches = &r->wrench;
  r->loads.nwrench = 1;
  for (int k = 0; k < r->nv; k++) {
    r->tau[k] = 0.1 * (k + 1);
    r->vdot[k] = 0;
  }
  fb_mixed_dynamics(r->m, r->d, q, v, prescribed, &r->loads, r->vdot, r->tau);
  fb_kinematics(r->m, r->d, q, v, r->vdot);
  fb_centre_of_mass(r->m, r->d);
}

/* The values of a name, which must be `count`. */
static const double* values(rig* r, const char* name, int count) {
  static fb_signal signals[MOST];
  static double x[MOST];
  int found = find(r->m, name, signals);
  if (found != count) fail_msg("%s: %d signals, wanted %d", name, found, count);
  fb_sim_signal_values(r->sim, signals, count, x);
  return x;
}

static void check_joints(rig* r, const double* q, const double* v) {
  assert_near("q", values(r, "q", fb_model_nq(r->m)), q, fb_model_nq(r->m), 0);
  assert_near("v", values(r, "v", r->nv), v, r->nv, 0);
  assert_near("a", values(r, "a", r->nv), r->vdot, r->nv, 1e-12);
  assert_near("tau", values(r, "tau", r->nv), r->tau, r->nv, 1e-12);
  assert_near("work", values(r, "work", r->nv), fb_sim_work(r->sim), r->nv, 0);
  for (int b = 1; b < fb_model_nbody(r->m); b++) {
    char name[FB_SIGNAL_NAME_SIZE];
    int count = fb_joint_nv(r->m, b);
    snprintf(name, sizeof name, "v.%s", fb_joint_name(r->m, b));
    if (count > 0) assert_near(name, values(r, name, count), v + fb_joint_v_index(r->m, b), count, 0);
  }
}

static void check_frames(rig* r) {
  for (int f = 1; f < fb_model_nframe(r->m); f++) {
    double p[3], R[9], v[3], w[3], a[3], alpha[3], quat[4], rpy[3];
    fb_frame_pose(r->m, r->d, f, p, R);
    fb_frame_velocity(r->m, r->d, f, v, w);
    fb_frame_acceleration(r->m, r->d, f, a, alpha);
    fb_rot_to_quat(R, quat);
    fb_rot_to_rpy(R, rpy);
    const struct {
      const char* stem;
      const double* want;
      int count;
    } kinds[] = {{"p", p, 3},     {"quat", quat, 4}, {"rpy", rpy, 3},    {"vel", v, 3},
                 {"omega", w, 3}, {"acc", a, 3},     {"alpha", alpha, 3}};
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
      char name[FB_SIGNAL_NAME_SIZE];
      snprintf(name, sizeof name, "%s.%s", kinds[k].stem, fb_frame_name(r->m, f));
      assert_near(name, values(r, name, kinds[k].count), kinds[k].want, kinds[k].count, 1e-11);
    }
  }
}

static void check_bodies(rig* r) {
  double* carried = numbers_new(6 * fb_model_nbody(r->m));
  fb_joint_reactions(r->m, r->d, &r->loads, carried);
  for (int b = 1; b < fb_model_nbody(r->m); b++) {
    double com[3], origin[3];
    char name[FB_SIGNAL_NAME_SIZE];
    fb_frame_pose(r->m, r->d, fb_model_com_frame(r->m, b), com, NULL);
    fb_frame_pose(r->m, r->d, fb_model_joint_frame(r->m, b), origin, NULL);
    snprintf(name, sizeof name, "com.%s", fb_body_name(r->m, b));
    assert_near(name, values(r, name, 3), com, 3, 1e-14);
    snprintf(name, sizeof name, "joint.%s", fb_joint_name(r->m, b));
    assert_near(name, values(r, name, 3), origin, 3, 1e-14);
    snprintf(name, sizeof name, "reaction.%s", fb_joint_name(r->m, b));
    assert_near_of(worst_of(carried + 6 * b, 6) + 1, name, values(r, name, 6), carried + 6 * b, 6, 1e-11);
  }
  free(carried);
}

static void check_scene(rig* r, const double* q, const double* v) {
  double p[3], pdot[3], K = fb_kinetic_energy(r->m, r->d, v),
                        V = fb_potential_energy(r->m, r->d, q, &r->loads);
  double linear[3], angular[3], t = fb_sim_time(r->sim);
  static const double origin[3] = {0, 0, 0};
  fb_subtree_com(r->m, r->d, FB_WORLD, p, pdot, NULL);
  fb_momentum(r->m, r->d, origin, linear, angular); /* both trees of the model float */
  assert_near("t", values(r, "t", 1), &t, 1, 0);
  assert_near("com.p", values(r, "com.p", 3), p, 3, 1e-14);
  assert_near("com.v", values(r, "com.v", 3), pdot, 3, 1e-14);
  assert_near("energy.kinetic", values(r, "energy.kinetic", 1), &K, 1, 1e-14);
  assert_near("energy.potential", values(r, "energy.potential", 1), &V, 1, 1e-14);
  assert_near("energy.total", values(r, "energy.total", 1), (const double[]){K + V}, 1, 1e-14);
  assert_near("momentum.linear", values(r, "momentum.linear", 3), linear, 3, 1e-13);
  assert_near("momentum.angular", values(r, "momentum.angular", 3), angular, 3, 1e-13);
}

static void check_ledger(rig* r) {
  fb_ledger l;
  fb_sim_ledger(r->sim, &l);
  const struct {
    const char* name;
    const double* want;
    int count;
  } fields[] = {{"ledger.work", &l.work, 1},
                {"ledger.external", &l.external, 1},
                {"ledger.dissipated", &l.dissipated, 1},
                {"ledger.impacts", &l.impacts, 1},
                {"ledger.gross", &l.gross, 1},
                {"ledger.peak_kinetic", &l.peak_kinetic, 1},
                {"ledger.residual", &l.residual, 1},
                {"ledger.relative", &l.relative, 1},
                {"ledger.impulse", l.impulse, 3},
                {"ledger.angular_impulse", l.impulse + 3, 3},
                {"ledger.linear", &l.linear_residual, 1},
                {"ledger.angular", &l.angular_residual, 1},
                {"ledger.linear_scale", &l.linear_scale, 1},
                {"ledger.angular_scale", &l.angular_scale, 1}};
  for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
    assert_near(fields[i].name, values(r, fields[i].name, fields[i].count), fields[i].want, fields[i].count,
                0);
}

static void values_are_those_of_direct_calls(void** unused) {
  (void)unused;
  rig r = rig_new();
  unsigned char* prescribed = (unsigned char*)calloc((size_t)r.nv, 1);
  for (int locked = 0; locked < 2; locked++) {
    int body = fb_model_find_joint(r.m, "revolute");
    if (locked) {
      assert_int_equal(fb_sim_set_joint_motion(r.sim, body, FB_MOTION_LOCKED, NULL), FB_OK);
      prescribed[fb_joint_v_index(r.m, body)] = 1;
    }
    const double *q = fb_sim_q(r.sim), *v = fb_sim_v(r.sim);
    long long evaluations = fb_sim_nevaluation(r.sim);
    solve(&r, q, v, prescribed);
    check_joints(&r, q, v);
    check_frames(&r);
    check_bodies(&r);
    check_scene(&r, q, v);
    check_ledger(&r);
    assert_true(fb_sim_nevaluation(r.sim) == evaluations);
  }
  free(prescribed);
  rig_free(&r);
}

/* One call for everything gives what a call for each gives. */
static void signals_of_one_call_do_not_disturb_one_another(void** unused) {
  (void)unused;
  static fb_signal all[MOST];
  static double together[MOST];
  rig r = rig_new();
  int count = find(r.m, "*", all);
  fb_ledger settled; /* peaks stay from here on */
  fb_sim_ledger(r.sim, &settled);
  fb_sim_signal_values(r.sim, all, count, together);
  for (int i = 0; i < count; i++) {
    int other = (i * 7919) % count; /* in another order */
    double alone, pair[2];
    fb_sim_signal_values(r.sim, &all[i], 1, &alone);
    assert_near("alone", &alone, &together[i], 1, 1e-13);
    fb_sim_signal_values(r.sim, (const fb_signal[]){all[other], all[i]}, 2, pair);
    assert_near("in a pair", pair, (const double[]){together[other], alone}, 2, 1e-13);
  }
  rig_free(&r);
}

static void values_inside_a_step_are_those_of_the_state_there(void** unused) {
  (void)unused;
  rig r = rig_new();
  fb_error error;
  fb_signal all[64];
  int nq = fb_model_nq(r.m), count = find(r.m, "q", all);
  double *q = numbers_new(nq), *v = numbers_new(r.nv), x[64], work[2];
  assert_int_equal(fb_sim_step(r.sim, 0.2, &error), FB_OK);
  double t0 = fb_sim_step_start(r.sim), t1 = fb_sim_time(r.sim);
  for (int i = 0; i <= 4; i++) {
    double t = i < 4 ? t0 + 0.25 * i * (t1 - t0) : t1, p[3];
    assert_int_equal(fb_sim_eval_state(r.sim, t, q, v, &error), FB_OK);
    assert_int_equal(fb_sim_eval_signals(r.sim, t, all, count, x, &error), FB_OK);
    assert_near("q inside", x, q, nq, 0);
    fb_signal where[4] = {find_one(r.m, "t")};
    find(r.m, "p.base.tip", where + 1);
    assert_int_equal(fb_sim_eval_signals(r.sim, t, where, 4, x, &error), FB_OK);
    fb_kinematics(r.m, r.d, q, NULL, NULL);
    fb_frame_pose(r.m, r.d, where[1].index, p, NULL);
    assert_near("t inside", x, &t, 1, 0);
    assert_near("p inside", x + 1, p, 3, 1e-14);
  }
  fb_signal done = find_one(r.m, "work.prismatic");
  assert_int_equal(fb_sim_eval_signals(r.sim, t0, &done, 1, &work[0], &error), FB_OK);
  assert_int_equal(fb_sim_eval_signals(r.sim, t1, &done, 1, &work[1], &error), FB_OK);
  assert_true(fabs(work[0] - work[1]) > 0);
  assert_int_equal(fb_sim_eval_signals(r.sim, t1 + 1, &done, 1, &work[0], &error), FB_ERR_ARG);
  assert_true(isnan(work[0]));
  free(q);
  free(v);
  rig_free(&r);
}

/* A motor that gives out when told. */
static fb_status refuse(void* user, const fb_context* context, const double* memory, const double* state,
                        fb_action* action, double* state_rate, fb_error* error) {
  (void)context, (void)memory, (void)state, (void)action, (void)state_rate;
  if (!*(const int*)user) return FB_OK;
  if (error) snprintf(error->text, sizeof error->text, "the motor is off");
  return FB_ERR_STATE;
}

static void what_a_block_refuses_reads_as_nan(void** unused) {
  (void)unused;
  fb_model* m = every_joint();
  fb_sim* sim = NULL;
  fb_block b = fb_default_block();
  state s = state_new(m, 4);
  fb_error error = {.status = FB_OK};
  int off = 0;
  double x[2];
  b.name = "motor";
  b.user = &off;
  b.act = refuse;
  assert_int_equal(fb_sim_new(m, NULL, &sim, NULL), FB_OK);
  assert_int_equal(fb_sim_add_block(sim, &b, NULL, NULL), FB_OK);
  assert_int_equal(fb_sim_start(sim, s.q, s.v, NULL), FB_OK);
  const fb_signal signals[2] = {find_one(m, "tau.revolute"), find_one(m, "q.base.0")};
  fb_sim_signal_values(sim, signals, 2, x);
  assert_near("before", x, (const double[]){0, s.q[0]}, 2, 0);
  off = 1;
  fb_sim_signal_values(sim, signals, 2, x);
  assert_true(isnan(x[0]) && isnan(x[1]));
  fb_sim_signal_values(sim, signals + 1, 1, x); /* asks no block */
  assert_near("after", x, s.q, 1, 0);
  assert_int_equal(fb_sim_eval_signals(sim, 0, signals, 1, x, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "block \"motor\": the motor is off"));
  fb_sim_free(sim);
  state_free(&s);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_full_name_is_found_again),
      cmocka_unit_test(no_two_signals_have_the_same_name),
      cmocka_unit_test(the_scene_comes_before_bodies_called_p_and_v),
      cmocka_unit_test(names_stand_for_all_their_components),
      cmocka_unit_test(counting_needs_no_room),
      cmocka_unit_test(units_and_axes_follow_the_coordinate),
      cmocka_unit_test(unknown_names_are_explained),
      cmocka_unit_test(a_model_that_cannot_move_has_no_joint_signals),
      cmocka_unit_test(values_are_those_of_direct_calls),
      cmocka_unit_test(signals_of_one_call_do_not_disturb_one_another),
      cmocka_unit_test(values_inside_a_step_are_those_of_the_state_there),
      cmocka_unit_test(what_a_block_refuses_reads_as_nan),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
