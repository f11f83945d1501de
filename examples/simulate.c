/* simulate.c -- a satellite swings its arm: a simulation with a force law of one's own, and its ledger.
 *
 *   simulate scenarios/ets7/ets7.urdf */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/freebody.h>

static int stop(const fb_error* error) {
  char text[sizeof *error];
  fprintf(stderr, "simulate: %s\n", fb_error_format(error, text, sizeof text));
  return EXIT_FAILURE;
}

/* Called at every stage of every step: turns the first joint of the arm to and fro, and damps the others. */
static fb_status swing(void* user, const fb_context* context, const double* memory, const double* state,
                       fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  int first = *(const int*)user, nv = fb_model_nv(context->model);
  action->tau[first] += 2 * sin(0.5 * context->t);
  for (int k = first + 1; k < nv; k++) action->tau[k] -= 20 * context->v[k];
  return FB_OK;
}

static int simulate(const fb_model* m, fb_sim* sim, int joint, fb_error* error) {
  int first = fb_joint_v_index(m, joint), nq = fb_model_nq(m), nv = fb_model_nv(m);
  double* q = (double*)calloc((size_t)nq, sizeof *q);
  double* v = (double*)calloc((size_t)nv, sizeof *v);
  if (!q || !v) return free(q), free(v), EXIT_FAILURE;
  fb_neutral(m, q);
  fb_block block = fb_default_block();
  block.name = "swing";
  block.user = &first;
  block.act = swing;
  fb_status status = fb_sim_add_block(sim, &block, NULL, error);
  if (!status) status = fb_sim_start(sim, q, v, error);
  free(q);
  free(v);
  printf("    t [s]   arm [rad]   base roll, pitch, yaw [mrad]\n");
  for (int i = 0; i <= 12 && !status; i++) {
    double R[9], rpy[3];
    status = fb_sim_run_until(sim, i, error);
    fb_rot_from_quat(fb_sim_q(sim) + 3, R);
    fb_rot_to_rpy(R, rpy);
    printf("%9.1f %11.4f %9.3f %8.3f %8.3f\n", fb_sim_time(sim), fb_sim_q(sim)[fb_joint_q_index(m, joint)],
           1e3 * rpy[0], 1e3 * rpy[1], 1e3 * rpy[2]);
  }
  if (status) return stop(error);
  fb_ledger ledger;
  fb_sim_ledger(sim, &ledger);
  printf("work %.6f J, kinetic energy %.6f J, residual %.1e J; angular momentum %.1e kg m^2/s\n", ledger.work,
         ledger.kinetic, ledger.residual, ledger.angular_residual);
  return EXIT_SUCCESS;
}

int main(int argc, char** argv) {
  fb_error error;
  fb_model* m;
  fb_sim* sim;
  if (argc != 2) return fprintf(stderr, "usage: simulate MODEL\n"), EXIT_FAILURE;
  if (fb_model_load(argv[1], &m, &error)) return stop(&error);
  int joint = fb_model_find_joint(m, "joint1");
  int code = EXIT_FAILURE;
  fb_sim_options options = fb_default_sim_options(); /* rk4 at 10 ms, no gravity */
  if (joint < 0 || fb_joint_type_of(m, 1) != FB_JOINT_FREE)
    fprintf(stderr, "simulate: %s has no joint1, or its base does not float\n", argv[1]);
  else if (fb_sim_new(m, &options, &sim, &error))
    code = stop(&error);
  else {
    code = simulate(m, sim, joint, &error);
    fb_sim_free(sim);
  }
  fb_model_free(m);
  return code;
}
