/* test_frame_task.c -- frames that follow paths: the law against closed forms, and what each option does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "control/frame_task_solve.h"
#include "floating/response.h"
#include "math/svd.h"
#include "model/model.h"
#include "task_rig.h"

/* --- the line --- */

/* What a run along the line showed, at samples of 0.1 s. */
typedef struct seen {
  double off, hand_turn, base_turn; /* the most [m], [rad] */
  double linear, angular;           /* momentum at the end, of its scale */
} seen;

static seen run_line(const task_rig* r, const line* l, const fb_frame_task* task, double step, double T) {
  seen s = {0};
  double p0[3], R0[9], B0[9];
  fb_sim_options options = options_of(FB_RK4, step);
  fb_sim* sim = task_sim(r, task, &options);
  fb_ledger ledger = {0};
  pose_at(r, r->q, r->hand, p0, R0);
  pose_at(r, r->q, 1, NULL, B0);
  for (int i = 1; i <= (int)(T * 10 + 0.5); i++) {
    run_or_fail(sim, 0.1 * i);
    s.off = fmax(s.off, off_line(r, l, p0, fb_sim_q(sim), fb_sim_time(sim)));
    s.hand_turn = fmax(s.hand_turn, turned(r, fb_sim_q(sim), r->hand, R0));
    s.base_turn = fmax(s.base_turn, turned(r, fb_sim_q(sim), 1, B0));
    fb_sim_ledger(sim, &ledger);
  }
  s.linear = length3(ledger.linear) / ledger.linear_scale;
  s.angular = length3(ledger.angular) / ledger.angular_scale;
  fb_sim_free(sim);
  return s;
}

static void print_seen(const char* what, const seen* s) {
  print_message(
      "%s: off the line %.2g m, hand turned %.2g, base %.2g rad; momentum %.2g, %.2g of its scale\n", what,
      s->off, s->hand_turn, s->base_turn, s->linear, s->angular);
}

static void the_hand_stays_on_a_line_while_the_base_floats(void** unused) {
  (void)unused;
  task_rig r = ets7();
  line l = line_new(1, 60);
  fb_frame_task task = task_along(&r, &l);
  seen s = run_line(&r, &l, &task, 0.01, 62);
  print_seen("J*, rk4 10 ms, 62 s", &s);
  assert_true(s.off < 1e-6 && s.hand_turn < 1e-6);
  assert_true(s.base_turn > 1e-3); /* it did float */
  assert_true(s.linear < 1e-12 && s.angular < 1e-12);
  line_free(&l);
  rig_free(&r);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_hand_stays_on_a_line_while_the_base_floats),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
