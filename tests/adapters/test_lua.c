/* test_lua.c -- control laws as Lua scripts: what they can do, and that they resume exactly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <time.h>

#include <cmocka.h>

#include "base/cookie.h"
#include "lua_rig.h"

/* --- what scripts can do --- */

/* Each text is true in act, on the floating tree at a random state. Numbers of C are compared below. */
static const char* const TRUTHS[] = {
    "nv == 14 and nq == 16",
    "#q == nq and #v == nv",
    "math.abs(mass - 32) < 1e-12",
    "select(1, joint('a2')) == 8 and select(2, joint('a2')) == 9",
    "select('#', pose('a3')) == 2",
    "#pose('a3') == 3",
    "#attitude('a3') == 4 and math.abs(norm(attitude('a3')) - 1) < 1e-14",
    "#body_com('a3') == 3 and norm(sub(body_com('a3'), (pose('a3')))) > 0.3",
    "close(sub(body_com('a3'), (pose('a3'))), times(select(2, pose('a3')), {0.05, -0.02, 0.3}))",
    "close(joint_position('a2'), (pose('a2'))) and close(joint_position('base'), {0, 0, 0})",
    "#jacobian('a3') == 6 and #jacobian('a3')[6] == nv",
    "close(times(jacobian('a3'), v), both(velocity('a3')))",
    "close(times(inertia(), v), sub(inverse_dynamics(v), inverse_dynamics(scaled(v, 0))))",
    "close(bias(), inverse_dynamics(scaled(v, 0)))", /* no springs here */
    "close(gravity(), gravity())",
    /* With the base's momentum zero, J* gives the hand's velocity; the base's own columns follow from H. */
    "#floating_jacobian('a3') == 6 and #select(2, floating_jacobian('a3')) == nv - 6",
    "select(2, floating_jacobian('a3'))[1] == 7",
    "close(solve(inertia(), times(inertia(), v)), v, 1e-9)",
    "close(solve({{2, 0}, {0, 4}}, {2, 4}), {1, 1})",
    "close(solve({{0, 1}, {1, 0}}, {2, 3}), {3, 2})",
    "close(solve({{1, 1}}, {2}), {1, 1})",               /* the least */
    "close(solve({{1}, {1}}, {1, 3}), {2})",             /* the nearest */
    "close(solve({{1, 0}, {0, 0}}, {2, 0}, 1), {1, 0})", /* damped: s / (s^2 + 1) */
    "close(transpose_times({{1, 2}, {3, 4}}, {1, 10}), {31, 42})",
    "close(cross({1, 0, 0}, {0, 1, 0}), {0, 0, 1})",
    "dot({1, 2, 3}, {4, 5, 6}) == 32",
    /* velocities are right after dynamics, which spoil those of the data */
    "close(fresh_velocity(), both(velocity('a3')))",
    /* Lua's own */
    "keys({b = 1, a = 2, [2] = 3, [1] = 4, [1.5] = 5}) == '1 1.5 2 a b '",
    "keys(state) == 'list x '",
    "keys(parameters) == 'kd kp '",
    "tostring({}) == 'table' and tostring(print) == 'function' and tostring(1.5) == '1.5'",
    "string.format('%5.2f|%s|%d', 1, 'x', 3) == ' 1.00|x|3'",
    "('hello'):find('l') == 3 and ('hello'):find('l', 4) == 4 and ('a.b'):find('.', 1, true) == 2",
    "('hello'):find('z') == nil and ('x'):find('x', 5) == nil and ('x'):find('', -9) == 1",
    "('ab'):rep(3, '-') == 'ab-ab-ab' and ('x'):rep(-1) == '' and ('ab'):upper() == 'AB'",
    "table.concat({1, 'b', 2.5}, ',') == '1,b,2.5' and table.concat({}) == ''",
    "table.concat(sorted({3, 1, 2, 5, 4}), ' ') == '1 2 3 4 5'",
    "table.concat(sorted({3, 1, 2}, function(a, b) return a > b end), ' ') == '3 2 1'",
    "table.concat(inserted(), ' ') == '0 1 5 2 9' and removed() == '2 3 1'",
    "select('#', table.unpack({1, 2, 3})) == 3 and table.pack(1, nil).n == 2",
    "table.concat(table.move({1, 2, 3}, 1, 3, 2), ' ') == '1 1 2 3'",
    "#state.list == 3 and state.list[2] == 20 and state.list[4] == nil and state.x == 7",
    "total(ipairs(state.list)) == 60",
    "parameters.kp == 11 and parameters.kd == 2",
    "uniform(1, 5) == uniform(1, 5) and uniform(1, 5) ~= uniform(1, 6) and uniform(1, 5) ~= uniform(2, 5)",
    "uniform(3, 4) >= 0 and uniform(3, 4) < 1 and mean(uniform, 0.5) and mean(normal, 0)",
};

static const char HELPERS[] =
    "parameters = {kp = 1, kd = 2} state = {list = {10, 20, 30}, x = 7}\n"
    "local function close(a, b, tol) if #a ~= #b then return false end\n"
    "  for i = 1, #a do if math.abs(a[i] - b[i]) > (tol or 1e-11) * (1 + math.abs(b[i])) then return false "
    "end end\n"
    "  return true end\n"
    "local function both(a, b) return {a[1], a[2], a[3], b[1], b[2], b[3]} end\n"
    "local function sub(a, b) local r = {} for i = 1, #a do r[i] = a[i] - b[i] end return r end\n"
    "local function scaled(a, s) local r = {} for i = 1, #a do r[i] = a[i] * s end return r end\n"
    "local function keys(t) local s = '' for k in pairs(t) do s = s .. k .. ' ' end return s end\n"
    "local function sorted(t, f) table.sort(t, f) return t end\n"
    "local function inserted() local t = {1, 2} table.insert(t, 9) table.insert(t, 1, 0) table.insert(t, 3, "
    "5) "
    "return t end\n"
    "local function removed() local t = {1, 2, 3} local x = table.remove(t, 1) "
    "return table.concat(t, ' ') .. ' ' .. x end\n"
    "local function total(f, t, i) local s = 0 for _, x in f, t, i do s = s + x end return s end\n"
    "local function mean(f, m) local s = 0 for i = 1, 4000 do s = s + f(7, i) end "
    "return math.abs(s / 4000 - m) < 0.05 end\n"
    "local function fresh_velocity() local a = both(velocity('a3')) inertia() bias() return a end\n";

static void scripts_know_the_robot_and_lua(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  static const char* const NAMES[] = {"kp"};
  static const double VALUES[] = {11};
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  for (size_t i = 0; i < sizeof TRUTHS / sizeof TRUTHS[0]; i++) {
    char text[8192];
    fb_error error;
    fb_block block;
    fb_lua_options options = fb_default_lua_options();
    options.parameter_names = NAMES;
    options.parameter_values = VALUES;
    options.nparameter = 1;
    snprintf(text, sizeof text, "%s" A "assert(%s, 'it does not hold') end", HELPERS, TRUTHS[i]);
    fb_status status = fb_block_new_lua(m, "law", text, strlen(text), "t.lua", &options, &block, &error);
    if (status) fail_msg("%s: %s", TRUTHS[i], error.text);
    fb_sim* sim = sim_with(m, &block, 0.01);
    start_or_fail(sim, q, v);
    if (fb_sim_step(sim, 1, &error)) fail_msg("%s: %s", TRUTHS[i], error.text);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

/* The numbers that functions give, sent out as forces at the start, are those of C. */
static void functions_give_the_numbers_of_the_library(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  enum { NV = 14 };
  double q[32], v[32], expected[7][NV] = {{0}}, J[6 * NV], Jstar[6 * NV], H[NV * NV], p[3], R[9], w[3];
  static const char* const SCRIPTS[7] = {
      "local p, R = pose('b3') for i = 1, 3 do x[i] = p[i] for k = 1, 3 do x[3 * i + k] = R[i][k] end end",
      "local v, w = velocity('b3') for i = 1, 3 do x[i] = v[i] x[3 + i] = w[i] end",
      "local J = jacobian('b3') for k = 1, nv do x[k] = J[5][k] end",
      "local J, at = floating_jacobian('b3') for k = 1, #at do x[at[k]] = J[2][k] end",
      "local H = inertia() for k = 1, nv do x[k] = H[9][k] end",
      "x = gravity()",
      "x = inverse_dynamics(v)",
  };
  fb_random_q(m, 5, q);
  fb_random_v(m, 6, v);
  fb_data* d = fb_data_new(m);
  fb_loads loads = fb_default_loads();
  loads.environment.gravity_w[0] = 3;
  int frame = fb_model_find_frame(m, "b3");
  fb_kinematics(m, d, q, v, NULL);
  fb_frame_pose(m, d, frame, p, R);
  memcpy(expected[0], p, sizeof p);
  memcpy(expected[0] + 3, R, sizeof R);
  fb_frame_velocity(m, d, frame, p, w);
  memcpy(expected[1], p, sizeof p);
  memcpy(expected[1] + 3, w, sizeof w);
  fb_frame_jacobian(m, d, frame, J);
  memcpy(expected[2], J + 4 * NV, NV * sizeof *J);
  fb_floating* f;
  assert_int_equal(fb_floating_new(m, fb_model_find_body(m, "base"), &f, NULL), FB_OK);
  fb_floating_update(f, q, v);
  fb_floating_jacobian(f, frame, Jstar);
  for (int i = 0; i < fb_floating_nj(f); i++)
    expected[3][fb_floating_joints(f)[i]] = Jstar[fb_floating_nj(f) + i];
  fb_floating_free(f);
  fb_inertia_matrix(m, d, q, H);
  memcpy(expected[4], H + 8 * NV, NV * sizeof *H);
  fb_gravity_compensation(m, d, q, &loads, expected[5]);
  fb_inverse_dynamics(m, d, q, v, v, &loads, expected[6]);
  for (int i = 0; i < 7; i++) {
    char text[512];
    fb_block block;
    fb_error error;
    fb_lua_options options = fb_default_lua_options();
    snprintf(text, sizeof text, A "local x = {} for i = 1, nv do x[i] = 0 end %s return x end", SCRIPTS[i]);
    if (fb_block_new_lua(m, "law", text, strlen(text), "t.lua", &options, &block, &error))
      fail_msg("%s", error.text);
    double tau[NV] = {0};
    fb_action action = {.tau = tau};
    fb_context context = {.model = m, .data = d, .q = q, .v = v, .environment = &loads.environment};
    if (block.act(block.user, &context, NULL, NULL, &action, NULL, &error))
      fail_msg("%s: %s", SCRIPTS[i], error.text);
    for (int k = 0; k < NV; k++)
      if (tau[k] != expected[i][k])
        fail_msg("%s: %d: %.17g, not %.17g", SCRIPTS[i], k, tau[k], expected[i][k]);
    block.free(block.user);
  }
  fb_data_free(d);
  fb_model_free(m);
}

static void a_pd_law_in_lua_is_the_ready_made_one(void** unused) {
  (void)unused;
  static const char text[] =
      "parameters = {kp = 20, kd = 3}\nlocal i, k = joint('a2')\nlocal tau = {}\n"
      "for j = 1, nv do tau[j] = 0 end\n" A
      "tau[i] = parameters.kp * (0.5 - q[k]) + parameters.kd * (0 - v[i]) return tau end";
  fb_model* m = tree6(FB_JOINT_FREE, 0);
  int body = fb_model_find_body(m, "a2"), k = fb_joint_v_index(m, body);
  fb_pd_joint joint = {
      .coordinate = k, .kp = 20, .kd = 3, .target = 0.5, .effort = INFINITY, .cookie_ = FB_COOKIE};
  fb_block blocks[2] = {script_or_fail(m, "law", text, 0)};
  double q[32], v[32] = {0};
  fb_sim* sims[2];
  fb_neutral(m, q);
  assert_int_equal(fb_block_new_joint_pd(m, "law", &joint, 1, &blocks[1], NULL), FB_OK);
  for (int i = 0; i < 2; i++) {
    sims[i] = sim_with(m, &blocks[i], 0.01);
    start_or_fail(sims[i], q, v);
    run_or_fail(sims[i], 2);
  }
  double difference = distance(m, fb_sim_q(sims[0]), fb_sim_v(sims[0]), fb_sim_q(sims[1]), fb_sim_v(sims[1]));
  double moved = fb_sim_q(sims[0])[fb_joint_q_index(m, body)];
  if (!(difference <= 1e-12 && fabs(moved) >= 0.3)) fail_msg("%g apart, at %g", difference, moved);
  /* Its parameters are found and set as those of any block. */
  int id = fb_sim_find_block(sims[0], "law"), kd = fb_sim_find_parameter(sims[0], id, "kd");
  assert_int_equal(kd, 0);
  assert_true(fb_sim_memory(sims[0], id)[kd] == 3);
  start_or_fail(sims[0], q, v);
  assert_int_equal(fb_sim_set_parameter(sims[0], id, kd, 30, NULL), FB_OK);
  run_or_fail(sims[0], 2);
  assert_true(distance(m, fb_sim_q(sims[0]), fb_sim_v(sims[0]), fb_sim_q(sims[1]), fb_sim_v(sims[1])) > 1e-3);
  for (int i = 0; i < 2; i++) fb_sim_free(sims[i]);
  fb_model_free(m);
}

/* One script tells twice its angle, another pushes with it. */
static void scripts_tell_and_take_numbers(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_sim* sim = sim_or_fail(m, NULL);
  const fb_block blocks[] = {
      script_or_fail(m, "law",
                     "inputs = {['eye.twice'] = 1, ['p.bob'] = 3}\n"
                     "function act(t, q, v, inputs) return {inputs['eye.twice'] + inputs['p.bob'][1]} end",
                     0),
      script_or_fail(m, "eye",
                     "outputs = {twice = {'rad', 1}, both = {'rad', 2, 'joint'}}\n"
                     "function output(t, q, v) return {twice = 2 * q[1], both = {q[1], v[1]}} end\n" A "end",
                     0)};
  for (int i = 0; i < 2; i++) block_or_fail(sim, &blocks[i]);
  double q = 0.25, v = 0.5, x[4];
  start_or_fail(sim, &q, &v);
  fb_signal signals[4] = {signal_or_fail(m, "tau.bob")};
  int count;
  fb_error error;
  if (fb_sim_find_signal(sim, "eye", signals + 1, 3, &count, &error)) fail_msg("%s", error.text);
  assert_int_equal(count, 3);
  fb_sim_signal_values(sim, signals, 4, x);
  assert_near("told", x, (const double[]){0.5, 0.25, 0.5, 0.5}, 4, 0);
  fb_sim_free(sim);
  fb_model_free(m);
}

static void ports_that_cannot_be_are_refused(void** unused) {
  (void)unused;
  static const struct {
    const char *text, *words;
  } cases[] = {{"outputs = {a = {'m', 1}}", "has no function output(t, q, v)"},
               {"outputs = 3", "'outputs' must be a table"},
               {"outputs = {a = 1}", "outputs.a must be {unit, how many numbers}"},
               {"outputs = {a = {'m', 0}}", "outputs.a must be {unit, how many numbers, axes}"},
               {"inputs = {t = 'x'}", "must be how many numbers the signal has"},
               {"inputs = {'t'}", "the keys of 'inputs' must be names"}};
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char text[200];
    fb_block block;
    fb_error error;
    int size = snprintf(text, sizeof text, "%s\n" A "end", cases[i].text);
    if (!fb_block_new_lua(m, "law", text, (size_t)size, "law.lua", NULL, &block, &error))
      fail_msg("%s", cases[i].text);
    if (!strstr(error.text, cases[i].words)) fail_msg("%s: %s", cases[i].text, error.text);
  }
  fb_model_free(m);
}

/* A free body of 10 kg; its force of one newton for one second is 0.1 m/s, of either kind. */
static void wrenches_push_in_act_and_are_held_from_tick(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *text;
    double period, v[6];
  } cases[] = {
      {"act", "wrenches = 1 " A "wrench('hull', {1, 0, 0}, {0, 0, 0.3}) end", 0, {0.1, 0, 0, 0, 0, 0.1}},
      {"tick", "wrenches = 1 " T "wrench('hull', {1, 0, 0}, {0, 0, 0.3}) end", 0.25, {0.1, 0, 0, 0, 0, 0.1}},
      {"both",
       "wrenches = 1 " T "wrench('hull', {1, 0, 0}) end " A "wrench('hull', nil, {0, 0, 0.3}) end",
       0.25,
       {0.1, 0, 0, 0, 0, 0.1}},
      {"half",
       "wrenches = 2 " T "if t < 0.4 then wrench('hull', {1, 0, 0}) wrench('hull', {0, 2, 0}) end end",
       0.25,
       {0.05, 0.1, 0, 0, 0, 0}},
      {"held forces", T "if t < 0.4 then return {1, 2, 0, 0, 0, 0} end end", 0.25, {0.05, 0.1, 0, 0, 0, 0}},
      {"world axes", "wrenches = 1 " A "wrench('hull', {1, 0, 0}) end", -1, {0.1, 0, 0, 0, 0, 0}},
      {"own axes", "wrenches = 1 " A "wrench('hull', {1, 0, 0}, nil, true) end", -1, {0, 0.1, 0, 0, 0, 0}},
  };
  fb_model* m = free_body();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0}, half = sqrt(0.5);
    if (cases[i].period < 0) q[3] = q[6] = half; /* turned a quarter about z */
    fb_block block = script_or_fail(m, "law", cases[i].text, fmax(cases[i].period, 0));
    fb_sim* sim = sim_with(m, &block, 0.05);
    start_or_fail(sim, q, v);
    run_or_fail(sim, 1);
    for (int k = 0; k < 6; k++)
      if (!(fabs(fb_sim_v(sim)[k] - cases[i].v[k]) <= 1e-13))
        fail_msg("%s: v[%d] is %.17g, not %g", cases[i].name, k, fb_sim_v(sim)[k], cases[i].v[k]);
    fb_sim_free(sim);
  }
  fb_model_free(m);
}

static void notes_get_what_is_printed(void* user, const char* text) {
  snprintf((char*)user, 64, "%s", text);
}

static void print_goes_to_the_note_and_nowhere_else(void** unused) {
  (void)unused;
  static const char text[] =
      "print('hello', 1, nil, {}, 0 / 0, -(0 / 0), 'x' .. -(0 / 0), 'x' .. 0 / 0, "
      "string.format('%g %s', 0 / 0, -(0 / 0))) " A "end";
  fb_model* m = pendulum();
  char got[64] = "";
  fb_block block;
  fb_lua_options options = fb_default_lua_options();
  options.note = notes_get_what_is_printed;
  options.note_user = got;
  assert_int_equal(fb_block_new_lua(m, "law", text, strlen(text), NULL, &options, &block, NULL), FB_OK);
  assert_string_equal(got, "hello\t1\tnil\ttable\tnan\tnan\txnan\txnan\tnan nan");
  block.free(block.user);
  fb_model_free(m);
}

/* --- resuming --- */

/* A sampled PI law with a filter in lists, noise, a held wrench, and a continuous damper. */
static const char SAMPLED[] =
    "parameters = {kp = 5}\n"
    "state = {sum = 0, n = 0, past = {0, 0, 0}, deep = {{1, 2}, {3, 4}}}\n"
    "wrenches = 1\n"
    "local tau, i, k = {}, joint('a2')\n"
    "function tick(t, q, v)\n"
    "  local s = state\n"
    "  s.n = s.n + 1\n"
    "  s.past = {s.past[2], s.past[3], q[k]}\n"
    "  s.sum = s.sum + 0.03 * (0.4 - s.past[1])\n"
    "  s.deep[2][1] = s.deep[2][1] * 0.9 + s.sum\n"
    "  for j = 1, nv do tau[j] = 0 end\n"
    "  tau[i] = parameters.kp * (0.4 - q[k]) + s.sum + 0.1 * normal(1, s.n) + 0.01 * s.deep[2][1]\n"
    "  wrench('b1', {0.1 * normal(2, s.n), 0, 0})\n"
    "  return tau\n"
    "end\n"
    "local damping = {}\n"
    "function act(t, q, v)\n"
    "  for j = 1, nv do damping[j] = -0.1 * v[j] end\n"
    "  damping[i] = damping[i] + 0.01 * state.sum\n"
    "  return damping\n"
    "end\n";

static fb_sim* sampled_sim(const fb_model* m) {
  double q[32], v[32];
  fb_block block = script_or_fail(m, "law", SAMPLED, 0.03);
  fb_sim* sim = sim_with(m, &block, 0.01);
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  start_or_fail(sim, q, v);
  return sim;
}

static void assert_same_bits(const fb_sim* a, const fb_sim* b, const fb_model* m) {
  assert_memory_equal(fb_sim_q(a), fb_sim_q(b), (size_t)fb_model_nq(m) * sizeof(double));
  assert_memory_equal(fb_sim_v(a), fb_sim_v(b), (size_t)fb_model_nv(m) * sizeof(double));
}

static void resuming_is_the_same_to_the_bit(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  fb_sim *whole = sampled_sim(m), *resumed = sampled_sim(m);
  size_t size = fb_sim_snapshot_size(whole);
  void* snapshot = malloc(size);
  double before = fb_sim_memory(whole, 0)[5];
  run_or_fail(whole, 0.5); /* between two ticks */
  fb_sim_save(whole, snapshot);
  run_or_fail(whole, 1.5);
  run_or_fail(resumed, 0.2); /* somewhere else, with a past of its own */
  assert_int_equal(fb_sim_restore(resumed, snapshot, size, NULL), FB_OK);
  run_or_fail(resumed, 1.5);
  assert_same_bits(whole, resumed, m);
  /* And back in the same simulation. */
  assert_int_equal(fb_sim_restore(whole, snapshot, size, NULL), FB_OK);
  run_or_fail(whole, 1.5);
  assert_same_bits(whole, resumed, m);
  assert_true(fb_sim_memory(whole, 0)[5] != before);
  free(snapshot);
  fb_sim_free(whole);
  fb_sim_free(resumed);
  fb_model_free(m);
}

static void simulations_of_one_script_are_independent(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  fb_sim *alone = sampled_sim(m), *a = sampled_sim(m), *b = sampled_sim(m);
  assert_int_equal(fb_sim_set_parameter(b, 0, 0, 50, NULL), FB_OK);
  run_or_fail(alone, 0.6);
  for (int i = 1; i <= 60; i++) { /* in turn */
    run_or_fail(b, 0.01 * i);
    run_or_fail(a, 0.01 * i);
  }
  run_or_fail(a, 0.6);
  assert_same_bits(alone, a, m);
  assert_true(distance(m, fb_sim_q(a), fb_sim_v(a), fb_sim_q(b), fb_sim_v(b)) > 1e-6);
  fb_sim_free(alone);
  fb_sim_free(a);
  fb_sim_free(b);
  fb_model_free(m);
}

static void a_simulation_can_be_started_again(void** unused) {
  (void)unused;
  fb_model* m = tree6(FB_JOINT_FREE, 1);
  double q[32], v[32];
  fb_sim *first = sampled_sim(m), *again = sampled_sim(m);
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  run_or_fail(first, 0.4);
  run_or_fail(again, 0.7);
  start_or_fail(again, q, v);
  run_or_fail(again, 0.4);
  assert_same_bits(first, again, m);
  fb_sim_free(first);
  fb_sim_free(again);
  fb_model_free(m);
}

static void memory_set_from_outside_does_no_harm(void** unused) {
  (void)unused;
  static const char text[] = "wrenches = 2 state = {a = 1} " T "wrench('hull', {1, 0, 0}) return v end";
  static const double VALUES[] = {-1, 1e300, -1e300, 3.5, 1e9};
  fb_model* m = free_body();
  static const double q[7] = {0, 0, 0, 1, 0, 0, 0}, v[6] = {0};
  for (int entry = 0; entry < 1 + 6 + 1 + 2 * 8; entry++)
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++) {
      fb_block block = script_or_fail(m, "law", text, 0.1);
      fb_sim* sim = sim_with(m, &block, 0.01);
      start_or_fail(sim, q, v);
      assert_int_equal(fb_sim_set_parameter(sim, 0, entry, VALUES[i], NULL), FB_OK);
      fb_sim_run_until(sim, 0.15, NULL); /* whatever comes of it */
      fb_sim_free(sim);
    }
  fb_model_free(m);
}

/* Thousands of calls neither run out of memory nor keep more of it. */
static void garbage_does_not_pile_up(void** unused) {
  (void)unused;
  static const char text[] = A "local t = {} for i = 1, 50 do t[i] = {i} end return {#t} end";
  fb_model* m = pendulum();
  fb_lua_options options = fb_default_lua_options();
  options.most_memory = 1 << 19;
  fb_error error;
  fb_block block;
  assert_int_equal(fb_block_new_lua(m, "law", text, strlen(text), NULL, &options, &block, &error), FB_OK);
  double q = 0, v = 0;
  fb_context context = {.model = m, .q = &q, .v = &v};
  for (int i = 0; i < 3000; i++) {
    double tau = 0;
    fb_action action = {.tau = &tau};
    if (block.act(block.user, &context, NULL, NULL, &action, NULL, &error)) fail_msg("%d: %s", i, error.text);
    assert_true(tau == 50);
  }
  block.free(block.user);
  fb_model_free(m);
}

/* --- the page --- */

/* A floating base with an arm of three joints, as in docs/lua.md. */
static fb_model* page_robot(void) {
  static const double Y[3] = {0, 1, 0}, Z[3] = {0, 0, 1}, ORIGIN[3] = {0, 0, 0}, NEXT[3] = {0, 0.05, 0.6};
  fb_model_def* def = fb_model_def_new();
  add_body(def, "base", NULL, FB_JOINT_FREE, 20, Z, ORIGIN, 0);
  add_body(def, "shoulder", "base", FB_JOINT_REVOLUTE, 3, Z, NEXT, 0);
  add_body(def, "elbow", "shoulder", FB_JOINT_REVOLUTE, 2, Y, NEXT, 0);
  add_body(def, "hand", "elbow", FB_JOINT_REVOLUTE, 1, Y, NEXT, 0);
  fb_model* m = build_or_fail(def, NULL);
  fb_model_def_free(def);
  return m;
}

static void run_for_a_second(const fb_model* m, const char* text) {
  double q[16], v[16] = {0};
  fb_block block = script_or_fail(m, "law", text, strstr(text, "function tick") ? 0.01 : 0);
  fb_sim* sim = sim_with(m, &block, 0.01);
  fb_neutral(m, q);
  start_or_fail(sim, q, v);
  run_or_fail(sim, 1);
  double moved = 0;
  for (int k = 0; k < fb_model_nv(m); k++) moved += fabs(fb_sim_v(sim)[k]);
  assert_true(moved > 1e-3);
  fb_sim_free(sim);
}

static void the_examples_of_the_page_run(void** unused) {
  (void)unused;
  static char page[40000], text[4000];
  FILE* file = fopen(FB_SOURCE_DIR "/docs/lua.md", "r");
  assert_non_null(file);
  page[fread(page, 1, sizeof page - 1, file)] = '\0';
  fclose(file);
  fb_model* m = page_robot();
  int count = 0;
  for (const char* at = page; (at = strstr(at, "```lua\n")); count++) {
    at += strlen("```lua\n");
    const char* end = strstr(at, "```");
    assert_non_null(end);
    snprintf(text, sizeof text, "%.*s", (int)(end - at), at);
    run_for_a_second(m, text);
    at = end + 3;
  }
  assert_true(count >= 4);
  fb_model_free(m);
}

static void a_build_without_lua_says_so(void** unused) {
  (void)unused;
  static const char text[] = A "end";
  fb_model* m = pendulum();
  fb_block block;
  fb_error error;
  fb_status status = fb_block_new_lua(m, "law", text, strlen(text), NULL, NULL, &block, &error);
  assert_int_equal(status, fb_lua_available() ? FB_OK : FB_ERR_UNSUPPORTED);
  if (status) {
    assert_non_null(strstr(error.text, "liblua5.4-dev"));
    assert_null(block.user);
  } else {
    block.free(block.user);
  }
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest doors[] = {cmocka_unit_test(a_build_without_lua_says_so)};
  const struct CMUnitTest scripts[] = {
      cmocka_unit_test(scripts_know_the_robot_and_lua),
      cmocka_unit_test(functions_give_the_numbers_of_the_library),
      cmocka_unit_test(a_pd_law_in_lua_is_the_ready_made_one),
      cmocka_unit_test(scripts_tell_and_take_numbers),
      cmocka_unit_test(ports_that_cannot_be_are_refused),
      cmocka_unit_test(wrenches_push_in_act_and_are_held_from_tick),
      cmocka_unit_test(print_goes_to_the_note_and_nowhere_else),
      cmocka_unit_test(resuming_is_the_same_to_the_bit),
      cmocka_unit_test(simulations_of_one_script_are_independent),
      cmocka_unit_test(a_simulation_can_be_started_again),
      cmocka_unit_test(memory_set_from_outside_does_no_harm),
      cmocka_unit_test(garbage_does_not_pile_up),
      cmocka_unit_test(the_examples_of_the_page_run),
  };
  int failed = cmocka_run_group_tests(doors, NULL, NULL);
  return fb_lua_available() ? failed + cmocka_run_group_tests(scripts, NULL, NULL) : failed;
}
