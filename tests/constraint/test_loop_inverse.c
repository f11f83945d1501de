/* test_loop_inverse.c -- inverse dynamics with loops: the forces found produce the motion, are the least, and use the given
 * actuators only; motions that are not possible are refused. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include "constraint/rows.h"
#include "near.h"
#include "random_loops.h"

enum { MOST = 128 };

/* A random looped tree, a motion that it can make, and exactly as much memory as inverse dynamics asks for. */
typedef struct motion {
  looped x;
  fb_loads loads;
  double vdot[MOST], tau[MOST];
  double* work;
  int nv;
} motion;

static motion random_motion(uint64_t seed) {
  motion o = {.x = random_looped(seed), .loads = fb_default_loads()};
  o.nv = fb_model_nv(o.x.m);
  assert_true(o.nv <= MOST);
  o.loads.environment.gravity_w[2] = -9.81;
  assert_int_equal(fb_loops_close(o.x.m, o.x.d, NULL, o.x.q, o.x.v, NULL), FB_OK);
  fb_constrained_dynamics(o.x.m, o.x.d, o.x.q, o.x.v, NULL, &o.loads, o.vdot, o.x.tau);
  o.work = malloc(fb_loop_inverse_dynamics_work_size(o.x.m) * sizeof *o.work);
  return o;
}

static void free_motion(motion* o) {
  free(o->work);
  free_looped(&o->x);
}

static fb_status invert(motion* o, const unsigned char* actuated, fb_error* error) {
  fb_loop_inverse_options options = fb_default_loop_inverse_options();
  options.loads = &o->loads;
  options.actuated = actuated;
  options.work = o->work;
  return fb_loop_inverse_dynamics(o->x.m, o->x.d, o->x.q, o->x.v, o->vdot, &options, o->tau, error);
}

/* Forward dynamics with the forces found gives the motion asked for. Singular mechanisms lose digits. */
static void check_motion(motion* o, uint64_t seed) {
  double vdot[MOST], scale = worst_of(o->vdot, o->nv);
  fb_constrained_dynamics(o->x.m, o->x.d, o->x.q, o->x.v, NULL, &o->loads, vdot, o->tau);
  if (!(relative_error(1, vdot, o->vdot, o->nv) < 1e-8))
    fail_msg("seed %d: v' is off by %.3g of %.3g", (int)seed, worst_difference(vdot, o->vdot, o->nv), scale);
}

static double sum_of_squares(const double* x, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * x[i];
  return sum;
}

/* What loops can take over is J^T f; no amount of it makes the sum of squares smaller. */
static void check_least(motion* o, uint64_t seed) {
  fb_random r = {seed, 9};
  double least = sum_of_squares(o->tau, o->nv), f[MOST_ROWS], other[MOST], push[MOST];
  for (int i = 0; i < 50; i++) {
    random_fill(&r, -1, 1, o->x.m->top.nrow, f);
    memset(push, 0, sizeof push);
    fb_rows_push(o->x.m, o->x.d, f, push);
    double along = 0, size = sum_of_squares(push, o->nv);
    for (int k = 0; k < o->nv; k++) along += o->tau[k] * push[k];
    for (int k = 0; k < o->nv; k++) other[k] = o->tau[k] - (size > 0 ? along / size : 0) * push[k];
    if (sum_of_squares(other, o->nv) < least * (1 - 1e-12) - 1e-18)
      fail_msg("seed %d: not the least", (int)seed);
  }
}

static void the_least_forces_produce_the_motion(void** state) {
  (void)state;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    motion o = random_motion(seed);
    fb_error error;
    double loops[MOST], tree[MOST];
    if (invert(&o, NULL, &error)) fail_msg("seed %d: %s", (int)seed, error.text);
    check_least(&o, seed);
    assert_true(sum_of_squares(o.tau, o.nv) <= sum_of_squares(o.x.tau, o.nv) * (1 + 1e-9));
    fb_loop_forces(o.x.m, o.x.d, loops); /* those that go with it */
    fb_inverse_dynamics(o.x.m, o.x.d, o.x.q, o.x.v, o.vdot, &o.loads, tree);
    for (int k = 0; k < o.nv; k++) loops[k] += o.tau[k];
    assert_near_of(1, "joints and loops", loops, tree, o.nv, 1e-9);
    check_motion(&o, seed);
    free_motion(&o);
  }
}

/* Every other coordinate, from a random one on: the loops carry the motion to the rest, or it is refused. */
static void only_given_actuators_are_used(void** state) {
  (void)state;
  int done = 0, refused = 0;
  for (uint64_t seed = 1; seed <= 150; seed++) {
    motion o = random_motion(seed);
    fb_random r = {seed, 3};
    unsigned char actuated[MOST];
    fb_error error;
    for (int k = 0; k < o.nv; k++) actuated[k] = random_index(&r, 8) != 0;
    fb_status status = invert(&o, actuated, &error);
    if (status == FB_OK) {
      for (int k = 0; k < o.nv; k++) assert_true(actuated[k] || o.tau[k] == 0);
      check_motion(&o, seed);
      done++;
    } else {
      assert_int_equal(status, FB_ERR_NO_SOLUTION);
      assert_non_null(strstr(error.text, "which is not actuated, would need"));
      refused++;
    }
    free_motion(&o);
  }
  assert_true(done > 20 && refused > 20);
}

static void motions_that_open_a_loop_are_refused_with_its_name(void** state) {
  (void)state;
  int refused = 0;
  for (uint64_t seed = 1; seed <= 40; seed++) {
    motion o = random_motion(seed);
    fb_error error;
    for (int k = 0; k < o.nv; k++) o.vdot[k] += k + 1;
    if (o.x.nloop > 0 && invert(&o, NULL, &error)) {
      assert_non_null(strstr(error.text, "open loop \"loop"));
      refused++;
    }
    free_motion(&o);
  }
  assert_true(refused > 30);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_least_forces_produce_the_motion),
      cmocka_unit_test(only_given_actuators_are_used),
      cmocka_unit_test(motions_that_open_a_loop_are_refused_with_its_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
