/* test_probe.c -- laws that declare no gains are asked how fast they are: closed forms of one joint and of a hand on springs, laws that
 * jump, and laws that keep something to themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <freebody/control.h>

#include "mechanism_rig.h"
#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "sim/access.h"

/* tau = -k q - c v of every joint, or a relay of that strength. */
typedef struct gains {
  double k, c, relay;
  int asked;
} gains;

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  gains* g = (gains*)user;
  g->asked++;
  for (int k = 0; k < fb_model_nv(context->model); k++)
    action->tau[k] -=
        g->k * context->q[k] + g->c * context->v[k] + (context->v[k] > 0 ? g->relay : -g->relay);
  return FB_OK;
}

static double rate_of(gains* g, double inertia) {
  fb_model_def* def = fb_model_def_new();
  const double none[3] = {0, 0, 0}, moments[3] = {1, inertia, 1};
  put_body(def, "wheel", NULL, FB_JOINT_REVOLUTE, AXIS_Y, none, 1, none, moments);
  fb_model* m = built(def);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block block = fb_default_block();
  int coordinate;
  block.name = "law";
  block.user = g;
  block.act = act;
  int id = block_or_fail(sim, &block);
  start_or_fail(sim, NULL, NULL);
  fb_ledger before, after;
  fb_sim_ledger(sim, &before);
  size_t size = fb_sim_snapshot_size(sim);
  char *was = malloc(size), *is = malloc(size);
  fb_sim_save(sim, was);
  double rate = fb_sim_probe_rate(sim, id, &coordinate);
  fb_sim_save(sim, is);
  fb_sim_ledger(sim, &after);
  assert_memory_equal(was, is, size); /* nothing has happened to the simulation */
  assert_memory_equal(&before, &after, sizeof after);
  assert_int_equal(coordinate, 0);
  free(was);
  free(is);
  fb_sim_free(sim);
  fb_model_free(m);
  return rate;
}

static void the_rate_of_one_joint_is_that_of_its_characteristic_equation(void** unused) {
  (void)unused;
  static const double CASES[][3] = {{800, 0, 2},    {0, 60, 2},  {800, 1, 2},
                                    {800, 4000, 2}, {2e8, 0, 2}, {0, 1e-3, 1e-9}};
  for (size_t i = 0; i < sizeof CASES / sizeof CASES[0]; i++) {
    gains g = {.k = CASES[i][0], .c = CASES[i][1]};
    double w2 = g.k / CASES[i][2], d = g.c / CASES[i][2], root = d * d / 4 - w2;
    double wanted = root > 0 ? d / 2 + sqrt(root) : sqrt(w2), got = rate_of(&g, CASES[i][2]);
    if (!(fabs(got - wanted) < 1e-4 * wanted))
      fail_msg("case %d: the rate is %g, not %g", (int)i, got, wanted);
    assert_true(g.asked < 200);
  }
}

static void a_relay_and_a_constant_force_have_no_rate(void** unused) {
  (void)unused;
  gains relay = {.relay = 3}, nothing = {.k = 0};
  assert_true(rate_of(&relay, 2) == 0 && rate_of(&nothing, 2) == 0);
}

/* Impedance of a slider's frame: omega^2 = kp / m along the axis. */
static void an_impedance_is_as_fast_as_its_springs(void** unused) {
  (void)unused;
  fb_model_def* def = fb_model_def_new();
  const double none[3] = {0, 0, 0}, moments[3] = {1, 1, 1};
  int body = put_body(def, "cart", NULL, FB_JOINT_PRISMATIC, AXIS_X, none, 4, none, moments), coordinate;
  put_frame(def, body, "hand", 0.5, 0, 0);
  fb_model* m = built(def);
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  fb_sim* sim = sim_or_fail(m, &options);
  fb_impedance law = fb_default_impedance();
  fb_block block;
  fb_error error;
  law.task.frame = fb_model_find_frame(m, "hand");
  law.task.rows = 3;
  for (int i = 0; i < 3; i++) law.stiffness[i] = 1e6;
  if (fb_block_new_impedance(m, "hand", &law, &block, &error)) fail_msg("%s", error.text);
  assert_null(block.gains);
  int id = block_or_fail(sim, &block);
  start_or_fail(sim, NULL, NULL);
  double rate = fb_sim_probe_rate(sim, id, &coordinate);
  print_message("impedance: %g 1/s\n", rate);
  assert_true(fabs(rate - 500) < 0.5); /* sqrt(1e6 / 4); its decay of 2 1/s is little beside that */
  fb_sim_free(sim);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_rate_of_one_joint_is_that_of_its_characteristic_equation),
      cmocka_unit_test(a_relay_and_a_constant_force_have_no_rate),
      cmocka_unit_test(an_impedance_is_as_fast_as_its_springs),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
