/* loop_cost.c -- what closed loops cost: forward dynamics of a chain, open and with its tip welded back.
 *
 *   bench_loops [--seconds S]      S: time spent on each figure, 0.3
 *
 * A floating base and a chain of revolute joints, axes x, y, z in turn, as the models arm n of the race. Closed: one weld
 * between base and tip, six rows; then more distances, one row each, between the base and bodies along the chain. Both are
 * timed in one run, at the same states. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/loop.h>

#include "bench_report.h"

enum { STATES = 16, MOST_DISTANCES = 32 };

typedef struct chain {
  fb_model* m;
  fb_data* d;
  double *q, *v, *tau, *vdot;
  int nq, nv;
} chain;

static void stop_with(const char* what) {
  fprintf(stderr, "bench_loops: %s\n", what);
  exit(EXIT_FAILURE);
}

static void add_link(fb_model_def* def, int i) {
  fb_body_def body = fb_default_body_def();
  char name[16], parent[16];
  snprintf(name, sizeof name, "b%d", i);
  snprintf(parent, sizeof parent, "b%d", i - 1);
  body.name = name;
  body.parent = i > 0 ? parent : NULL;
  body.joint.type = i > 0 ? FB_JOINT_REVOLUTE : FB_JOINT_FREE;
  body.joint.axis[i % 3] = 1;
  if (i > 0) memcpy(body.joint.at, (double[3]){0.05, 0.02, 1}, sizeof body.joint.at);
  body.mass = i > 0 ? 10 : 2500;
  body.com[2] = 0.5;
  memcpy(body.inertia, (double[6]){0.9, 0.85, 0.15, 0.02, 0.03, -0.01}, sizeof body.inertia);
  if (fb_model_def_add_body(def, &body, NULL, NULL)) stop_with("out of memory for a chain");
}

static void add_loop(fb_model_def* def, fb_loop_type type, int number, int body) {
  fb_loop_def loop = fb_default_loop_def(type);
  char name[16], b[16];
  snprintf(name, sizeof name, "loop%d", number);
  snprintf(b, sizeof b, "b%d", body);
  loop.name = name;
  loop.a = "b0";
  loop.b = b;
  if (fb_model_def_add_loop(def, &loop, NULL)) stop_with("out of memory for a loop");
}

static chain chain_open(int joints, int welds, int distances) {
  fb_model_def* def = fb_model_def_new();
  chain c = {0};
  fb_error error;
  if (!def) stop_with("out of memory for a chain");
  for (int i = 0; i <= joints; i++) add_link(def, i);
  if (welds) add_loop(def, FB_LOOP_WELD, 0, joints);
  for (int i = 0; i < distances; i++)
    add_loop(def, FB_LOOP_DISTANCE, i + 1, 1 + (i + 1) * (joints - 1) / (distances + 1));
  if (fb_model_build(def, NULL, &c.m, &error)) stop_with(error.text);
  fb_model_def_free(def);
  c.d = fb_data_new(c.m);
  c.nq = fb_model_nq(c.m);
  c.nv = fb_model_nv(c.m);
  c.q = calloc((size_t)(STATES * (c.nq + 2 * c.nv) + c.nv), sizeof(double));
  if (!c.d || !c.q) stop_with("out of memory for a chain");
  c.v = c.q + STATES * c.nq;
  c.tau = c.v + STATES * c.nv;
  c.vdot = c.tau + STATES * c.nv;
  for (int i = 0; i < STATES; i++) {
    fb_random_q(c.m, (uint64_t)i, c.q + i * c.nq);
    fb_random_v(c.m, (uint64_t)i, c.v + i * c.nv);
  }
  return c;
}

static void chain_close(chain* c) {
  fb_data_free(c->d);
  fb_model_free(c->m);
  free(c->q);
}

static void accelerate(void* self, int i) {
  chain* c = (chain*)self;
  fb_constrained_dynamics(c->m, c->d, c->q + i * c->nq, c->v + i * c->nv, NULL, NULL, c->vdot,
                          c->tau + i * c->nv);
}

static double time_of(int joints, int welds, int distances, double seconds) {
  chain c = chain_open(joints, welds, distances);
  double ns = 0.0 / 0.0;
  bench_time(accelerate, &c, STATES, seconds, &ns);
  chain_close(&c);
  return ns;
}

int main(int argc, char** argv) {
  static const int JOINTS[] = {6, 30, 100, 300, 1000};
  double seconds = argc == 3 && strcmp(argv[1], "--seconds") == 0 ? atof(argv[2]) : 0.3;
  if (argc != 1 && argc != 3) stop_with("usage: bench_loops [--seconds S]");
  printf("forward dynamics, ns       open    weld   ratio   with %d distances more\n", MOST_DISTANCES);
  for (size_t i = 0; i < sizeof JOINTS / sizeof *JOINTS; i++) {
    double open = time_of(JOINTS[i], 0, 0, seconds), weld = time_of(JOINTS[i], 1, 0, seconds);
    printf("%5d joints           %9.0f %9.0f   %.2f", JOINTS[i], open, weld, weld / open);
    if (JOINTS[i] > MOST_DISTANCES) printf("   %9.0f", time_of(JOINTS[i], 1, MOST_DISTANCES, seconds));
    printf("\n");
  }
  return EXIT_SUCCESS;
}
