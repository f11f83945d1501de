/* bench_time.c -- the least time per call over repeated batches.
 *
 * Whatever else the machine does only adds time, so the least of many batches is what the code itself
 * takes. A batch goes over many states, so that no branch or cache learns one of them by heart. */
#include <math.h>
#include <time.h>

#include "bench_report.h"

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static double batch(bench_call* call, void* self, int states) {
  double start = now();
  for (int k = 0; k < states; k++) call(self, k);
  return (now() - start) / states;
}

void bench_time(bench_call* call, void* self, int states, double seconds, double* best) {
  double start = now(), first = batch(call, self, 1), second = batch(call, self, 1);
  int calls = fmin(first, second) > 1e6 && states > 8 ? 8 : states;
  do {
    double ns = batch(call, self, calls);
    if (!(*best <= ns)) *best = ns;
  } while (now() - start < 1e9 * seconds);
}
