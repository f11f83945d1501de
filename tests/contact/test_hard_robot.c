/* test_hard_robot.c -- the planar robot of the contact references with a hard contact at its tip: time stepping to the errors
 * stated in the files, and methods that locate events to 1e-8. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "robot_rig.h"

/* A simulation of the robot on the plane y = 0. */
static fb_sim* make_sim(const robot* r, fb_method method, double step, double rtol) {
  fb_sim_options options = fb_default_sim_options();
  fb_sim* sim;
  fb_error error;
  options.method = method;
  options.step = step;
  options.rtol = rtol;
  options.atol = rtol * 1e-2;
  if (method == FB_METHOD_DOPRI5) options.max_step = step;
  if (fb_sim_new(r->m, &options, &sim, &error)) fail_msg("%s", error.text);
  fb_block input = robot_input_block(r);
  if (fb_sim_add_block(sim, &input, NULL, &error)) fail_msg("%s", error.text);
  fb_collider tip = fb_default_collider(), plane = fb_default_collider();
  tip.frame = r->tip;
  plane.kind = FB_COLLIDER_PLANE;
  const double up[9] = {1, 0, 0, 0, 0, 1, 0, -1, 0}; /* z of the plane is y */
  memcpy(plane.R, up, sizeof up);
  fb_contact contact = fb_default_contact();
  contact.name = "tip";
  contact.a = &tip;
  contact.b = &plane;
  contact.na = contact.nb = 1;
  contact.friction = r->friction;
  contact.restitution = r->restitution;
  if (fb_sim_add_contact(sim, &contact, NULL, &error)) fail_msg("%s", error.text);
  if (fb_sim_start(sim, r->q0, r->v0, &error)) fail_msg("%s", error.text);
  return sim;
}

/* The largest error of any coordinate at the samples. */
static double run(const robot* r, fb_method method, double step, double rtol) {
  fb_sim* sim = make_sim(r, method, step, rtol);
  fb_error error;
  double worst = 0;
  for (int i = 1; i < r->nsample; i++) {
    const double* want = robot_sample(r, i);
    if (fb_sim_run_to(sim, want[ROBOT_T], &error)) fail_msg("%s", error.text);
    for (int k = 0; k < ROBOT_NV; k++) worst = fmax(worst, fabs(fb_sim_q(sim)[k] - want[ROBOT_Q + k]));
  }
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  printf("   normal %g friction %g projection %g residual %g rel %g steps %lld ev %lld\n", l.normal,
         l.friction, l.projection, l.residual, l.relative, fb_sim_steps(sim), fb_sim_evaluations(sim));
  fb_sim_free(sim);
  return worst;
}

static void time_stepping_is_as_exact_as_the_files_say(void** unused) {
  (void)unused;
  static const char* const FILES[] = {"robot_A_feedback", "robot_A_feedback_e05", "robot_B_openloop"};
  for (size_t f = 0; f < 3; f++) {
    robot r = robot_read(FILES[f]);
    const fb_node* table =
        robot_key(robot_key(fb_doc_root(r.doc), "verification"), "time_stepping_vs_event_driven");
    for (int i = 0; i < 4; i++) {
      double dt = robot_number(fb_node_item(table, i), "dt"),
             stated = robot_number(fb_node_item(table, i), "max_q_err");
      if (dt < 5e-5) break;
      double error = run(&r, FB_METHOD_MOREAU, dt, 1e-9);
      printf("%s dt %g: error %.3g, stated %.3g, ratio %.3f\n", FILES[f], dt, error, stated, error / stated);
    }
    robot_free(&r);
  }
}

static void located_events_are_exact(void** unused) {
  (void)unused;
  static const char* const FILES[] = {"robot_A_feedback", "robot_A_feedback_e05", "robot_B_openloop"};
  for (size_t f = 0; f < 3; f++) {
    robot r = robot_read(FILES[f]);
    printf("%s dopri5 %.3g\n", FILES[f], run(&r, FB_METHOD_DOPRI5, 0.05, 1e-11));
    printf("%s rk4 %.3g\n", FILES[f], run(&r, FB_METHOD_RK4, 1e-3, 1e-11));
    robot_free(&r);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(time_stepping_is_as_exact_as_the_files_say),
      cmocka_unit_test(located_events_are_exact),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
