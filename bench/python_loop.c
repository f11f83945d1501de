/* python_loop.c -- forward dynamics in a loop of C, for bench/python_calls.py to compare with.
 *
 *   bench_python_loop MODEL COUNT ROUNDS
 *
 * Prints two least processor times over the rounds [ns a state]: of COUNT states in arrays, row after row, and of one state again
 * and again. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include <freebody/configuration.h>
#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/io.h>

enum { SEEDS = 1000, AGAIN = 20000 };

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static fb_model* load(const char* file) {
  fb_model_def* def = NULL;
  fb_model* m = NULL;
  fb_error error;
  if (fb_model_def_read(file, NULL, &def, &error) || fb_model_build(def, NULL, &m, &error)) {
    fprintf(stderr, "bench_python_loop: %s: %s\n", file, error.text);
    exit(EXIT_FAILURE);
  }
  fb_model_def_free(def);
  return m;
}

int main(int argc, char** argv) {
  if (argc != 4) return EXIT_FAILURE;
  fb_model* m = load(argv[1]);
  fb_data* d = fb_data_new(m);
  size_t count = (size_t)atol(argv[2]), nq = (size_t)fb_model_nq(m), nv = (size_t)fb_model_nv(m);
  double* q = malloc(count * nq * sizeof *q);
  double* v = malloc(3 * count * nv * sizeof *v);
  if (!q || !v || !d) abort();
  double *tau = v + count * nv, *vdot = tau + count * nv, many = INFINITY, one = INFINITY, sum = 0;
  for (size_t i = 0; i < count; i++) {
    fb_random_q(m, i % SEEDS, q + i * nq);
    fb_random_v(m, i % SEEDS, v + i * nv);
    fb_random_v(m, i % SEEDS + 1, tau + i * nv);
  }
  for (int round = 0; round < atoi(argv[3]); round++) {
    double start = now();
    for (size_t i = 0; i < count; i++)
      fb_forward_dynamics(m, d, q + i * nq, v + i * nv, tau + i * nv, NULL, vdot + i * nv);
    many = fmin(many, (now() - start) / (double)count);
    start = now();
    for (int i = 0; i < AGAIN; i++) fb_forward_dynamics(m, d, q, v, tau, NULL, vdot);
    one = fmin(one, (now() - start) / AGAIN);
    sum += vdot[nv - 1];
  }
  printf("%.1f %.1f %g\n", 1e9 * many, 1e9 * one, sum);
  free(q);
  free(v);
  fb_data_free(d);
  fb_model_free(m);
  return EXIT_SUCCESS;
}
