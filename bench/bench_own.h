/* bench_own.h -- Freebody as it is timed: the runner, and the same calls on any model of a user. */
#ifndef FB_BENCH_OWN_H
#define FB_BENCH_OWN_H

#include <freebody/model.h>

#include "bench_runner.h"

enum { BENCH_STATES = 64 }; /* random states called in turn */

/* The model of the registry as Freebody's. NULL and a message in error. */
fb_model* bench_own_build(const bench_model* model, fb_error* error);

/* BENCH_STATES random states, the same for the same model everywhere; 0 when out of memory. */
int bench_states_open(const fb_model* m, bench_states* states);
void bench_states_close(bench_states* states);

/* A runner's self for a model built elsewhere, which must outlive it; NULL when out of memory. Without memory for H
 * (largest nv: BENCH_DENSE_NV) the inertia matrix must not be called. */
enum { BENCH_DENSE_NV = 4096 };
void* bench_own_open(const fb_model* m, int end_point, const bench_states* states);

extern const bench_runner bench_own;

#endif
