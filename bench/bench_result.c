/* bench_result.c -- results and runners as plain records. */
#include <math.h>
#include <string.h>

#include "bench_report.h"

void bench_entrant_describe(bench_entrant* entrant, const bench_runner* runner) {
  memset(entrant, 0, sizeof *entrant);
  snprintf(entrant->name, sizeof entrant->name, "%s", runner->name);
  snprintf(entrant->version, sizeof entrant->version, "%s", runner->version);
  for (int i = 0; i < BENCH_QUANTITIES; i++)
    if (runner->call[i]) snprintf(entrant->calls[i], sizeof entrant->calls[i], "%s", runner->calls[i]);
}

void bench_result_clear(bench_result* result) {
  memset(result, 0, sizeof *result);
  for (int i = 0; i < BENCH_QUANTITIES; i++) result->ns[i] = result->difference[i] = NAN;
}

int bench_is_compared(bench_quantity quantity) {
  return quantity != BENCH_IMPLICIT_STEP; /* of different order, with different slopes */
}

size_t bench_result_size(bench_quantity quantity, int nv) {
  size_t n = (size_t)nv;
  switch (quantity) {
    case BENCH_FORWARD:
    case BENCH_INVERSE:
    case BENCH_EULER_STEP:
    case BENCH_FORWARD_WRENCHES:
    case BENCH_FORWARD_FIELD:
      return n;
    case BENCH_INERTIA:
      return n * n;
    case BENCH_JACOBIAN:
      return 6 * n;
    default:
      return 3;
  }
}
