/* cones_cost.c -- what contact impulses cost: iterations and time of every method over the number of contacts and the mass
 * ratio (docs/theory/cones.md).
 *   cones_cost [SEEDS]       problems for each line; 20 unless given */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

#include <stdio.h>
#include <time.h>

#include "cones_rig.h"

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct cost {
  int solved, problems;
  double iterations, time, worst_time;
} cost;

static void add_cost(cost* c, const fb_cones_result* result, double time) {
  c->solved += result->status == FB_CONES_SOLVED;
  c->problems++;
  c->iterations += result->iterations;
  c->time += time;
  c->worst_time = fmax(c->worst_time, time);
}

static fb_cones_result timed(cones_rig* r, fb_cones_method method, double* time) {
  const double start = seconds();
  const fb_cones_result result = cones_run(r, method);
  *time = seconds() - start;
  return result;
}

static void print_line(const char* place, int contacts, double ratio, const char* method, const cost* c) {
  printf("%-9s %4d  %7g  %-14s %4d of %3d  %8.1f  %10.4f  %10.4f\n", place, contacts, ratio, method,
         c->solved, c->problems, c->iterations / c->problems, 1e3 * c->time / c->problems,
         1e3 * c->worst_time);
}

/* All methods on the same problems, and the automatic choice again from the solution of a problem 1 % different. */
static void measure(cones_place place, int contacts, double ratio, int seeds) {
  static const char* const PLACES_OF[] = {"anywhere", "upwards", "plane"};
  static const char* const NAMES[] = {"automatic", "pyramid",  "Gauss-Seidel",
                                      "ADMM",      "interior", "with a guess"};
  cost costs[6] = {0};
  for (int seed = 1; seed <= seeds; seed++)
    for (int method = 0; method < 5; method++) {
      double time;
      if (method == FB_CONES_LEMKE && contacts > 16) continue;
      cones_rig r = cones_random((uint64_t)seed, contacts, place, ratio, 1);
      if (method == FB_CONES_GAUSS_SEIDEL) r.problem.limit = 2000;
      fb_cones_result result = timed(&r, (fb_cones_method)method, &time);
      add_cost(&costs[method], &result, time);
      if (method == FB_CONES_AUTO) {
        for (int i = 0; i < r.problem.n; i++) r.c[i] *= 1.01;
        result = timed(&r, FB_CONES_AUTO, &time);
        add_cost(&costs[5], &result, time);
      }
      cones_free(&r);
    }
  for (int i = 0; i < 6; i++)
    if (costs[i].problems) print_line(PLACES_OF[place], contacts, ratio, NAMES[i], &costs[i]);
}

int main(int argc, char** argv) {
  static const int CONTACTS[] = {1, 4, 16, 64, 200};
  static const double RATIOS[] = {1, 1e3, 1e6};
  int seeds = argc > 1 ? atoi(argv[1]) : 20;
  puts("place   contacts  ratio  method           solved   iterations  mean [ms]  worst [ms]");
  for (int place = 0; place < PLACES; place++)
    for (int i = 0; i < 5; i++)
      for (int k = 0; k < (place == ONE_PLANE ? 1 : 3); k++) {
        int count = CONTACTS[i] < 64 ? seeds : seeds / (CONTACTS[i] < 200 ? 4 : 10);
        if (count > 0) measure((cones_place)place, CONTACTS[i], RATIOS[k], count);
      }
  return 0;
}
