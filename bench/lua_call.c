/* lua_call.c -- what a control law in Lua costs: one call, and a simulation beside the same law ready made.
 *
 *   bench_lua [--seconds S]      S: simulated time of the comparison, 60
 *
 * A call: the least time over batches of a thousand. The simulation: sat12 of the registry (free base, a 6-joint arm and
 * two paddle chains), rk4 at 10 ms, the arm under joint PD. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <freebody/configuration.h>
#include <freebody/control.h>
#include <freebody/lua.h>
#include <freebody/sim.h>

#include "../tests/rigs/keep_nan.h"
#include "bench_own.h"

enum { ARM = 6, FIRST = 6 }; /* joints of the arm, and where they begin in v */

typedef struct script {
  const char *name, *text;
} script;

#define TAU "local tau = {} for k = 1, nv do tau[k] = 0 end\n"

/* The arm's coordinates follow the base's six, in q after its quaternion. */
static const script SCRIPTS[] = {
    {"nothing", "function act(t, q, v) end"},
    {"a constant table", TAU "function act(t, q, v) return tau end"},
    {"joint PD of 6 joints",
     TAU "local kp, kd, goal = 10, 2, {0.3, -0.2, 0.4, 0.1, -0.3, 0.2}\n"
         "function act(t, q, v)\n"
         "  for i = 1, 6 do tau[i + 6] = kp * (goal[i] - q[i + 7]) - kd * v[i + 6] end\n"
         "  return tau\n"
         "end"},
    {"the same with parameters", TAU
     "parameters = {kp = 10, kd = 2}\n"
     "local goal = {0.3, -0.2, 0.4, 0.1, -0.3, 0.2}\n"
     "function act(t, q, v)\n"
     "  for i = 1, 6 do tau[i + 6] = parameters.kp * (goal[i] - q[i + 7]) - parameters.kd * v[i + 6] end\n"
     "  return tau\n"
     "end"},
    {"pose of the hand", TAU "function act(t, q, v) local p, R = pose('link6') return tau end"},
    {"Jacobian of the hand, transposed on a force",
     "function act(t, q, v) return transpose_times(jacobian('link6'), {1, 0, 0, 0, 0, 0}) end"},
    {"J* of the hand, solved for joint rates",
     TAU "function act(t, q, v) local x = solve(floating_jacobian('link6'), {0.01, 0, 0, 0, 0, 0}, 0.01) "
         "return tau end"},
    {"inertia matrix", TAU "function act(t, q, v) local H = inertia() return tau end"},
    {"inverse dynamics", "function act(t, q, v) return inverse_dynamics(v) end"},
};
enum { PD = 2, COUNT = sizeof SCRIPTS / sizeof SCRIPTS[0] };

static void stop_with(const char* what, const fb_error* error) {
  fprintf(stderr, "bench_lua: %s: line %d: %s\n", what, error->place.line, error->text);
  exit(EXIT_FAILURE);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static fb_model* model_of(const char* name) {
  bench_model given;
  fb_error error;
  if (!bench_model_open(bench_model_find(name), &given)) exit(EXIT_FAILURE);
  fb_model* m = bench_own_build(&given, &error);
  if (!m) stop_with(name, &error);
  bench_model_close(&given);
  return m;
}

static fb_block block_of(const fb_model* m, const script* s) {
  fb_block block;
  fb_error error;
  if (fb_block_new_lua(m, "law", s->text, strlen(s->text), s->name, NULL, &block, &error))
    stop_with(s->name, &error);
  return block;
}

/* Least time of a call [s]. */
static double time_call(const fb_model* m, const script* s, double seconds) {
  fb_block block = block_of(m, s);
  fb_data* d = fb_data_new(m);
  double q[64], v[64], tau[64] = {0}, memory[8] = {2, 10}, best = INFINITY, start = now();
  fb_error error;
  fb_random_q(m, 1, q);
  fb_random_v(m, 2, v);
  fb_context context = {.model = m, .data = d, .q = q, .v = v};
  do {
    double before = now();
    for (int i = 0; i < 1000; i++) {
      fb_action action = {.tau = tau};
      if (block.act(block.user, &context, memory, NULL, &action, NULL, &error)) stop_with(s->name, &error);
    }
    best = fmin(best, (now() - before) / 1000);
  } while (now() - start < seconds);
  fb_data_free(d);
  block.free(block.user);
  return best;
}

/* Simulated seconds a second; q ends where the motion does. */
static double time_run(const fb_model* m, const fb_block* block, double seconds, double* q) {
  double v[64] = {0};
  fb_error error;
  fb_sim* sim;
  fb_sim_options options = fb_default_sim_options();
  fb_neutral(m, q);
  if (fb_sim_new(m, &options, &sim, &error) || fb_sim_add_block(sim, block, NULL, &error) ||
      fb_sim_start(sim, q, v, &error))
    stop_with("set-up", &error);
  double before = now();
  if (fb_sim_run_until(sim, seconds, &error)) stop_with("run", &error);
  double factor = seconds / (now() - before);
  memcpy(q, fb_sim_q(sim), (size_t)fb_model_nq(m) * sizeof *q);
  fb_sim_free(sim);
  return factor;
}

static fb_block ready_made(const fb_model* m) {
  static const double GOAL[ARM] = {0.3, -0.2, 0.4, 0.1, -0.3, 0.2};
  fb_pd_joint joints[ARM];
  fb_block block;
  fb_error error;
  for (int i = 0; i < ARM; i++) {
    joints[i] = fb_default_pd_joint();
    joints[i].coordinate = FIRST + i;
    joints[i].kp = 10;
    joints[i].kd = 2;
    joints[i].target = GOAL[i];
  }
  if (fb_block_new_joint_pd(m, "law", joints, ARM, &block, &error)) stop_with("joint_pd", &error);
  return block;
}

int main(int argc, char** argv) {
  double seconds = argc == 3 && strcmp(argv[1], "--seconds") == 0 ? atof(argv[2]) : 60, q[2][64], worst = 0;
  if (!fb_lua_available()) {
    printf("This build has no Lua.\n");
    return EXIT_SUCCESS;
  }
  fb_model* arm = model_of("arm6");
  printf("one call of act, arm6 (nv = %d):\n", fb_model_nv(arm));
  for (int i = 0; i < COUNT; i++)
    printf("  %-46s %6.0f ns\n", SCRIPTS[i].name, 1e9 * time_call(arm, &SCRIPTS[i], fmin(0.3, seconds / 10)));
  fb_model_free(arm);

  fb_model* m = model_of("sat12");
  fb_block in_c = ready_made(m), in_lua = block_of(m, &SCRIPTS[PD]);
  double c = time_run(m, &in_c, seconds, q[0]), lua = time_run(m, &in_lua, seconds, q[1]);
  for (int k = 0; k < fb_model_nq(m); k++) worst = worse_of(worst, fabs(q[0][k] - q[1][k]));
  printf(
      "sat12 (nv = %d), rk4 10 ms, joint PD: %.0f x real time ready made, %.0f x in Lua; q differs by %.1e\n",
      fb_model_nv(m), c, lua, worst);
  fb_model_free(m);
  return worst < 1e-6 ? EXIT_SUCCESS : EXIT_FAILURE;
}
