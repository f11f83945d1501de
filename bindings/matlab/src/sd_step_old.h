/* sd_step_old.h -- what the integrators of old versions share: the state as one vector, A0 w~, forces the dense way. */
#ifndef SD_STEP_OLD_H
#define SD_STEP_OLD_H

#include "sd.h"

#include <string.h>

static inline sd_state view(int n, double* y) {
  return (sd_state){.R0 = y, .A0 = y + 3, .v0 = y + 12, .w0 = y + 15, .q = y + 18, .qd = y + 18 + n};
}

static inline void copy(int n, const sd_state* from, sd_state* to) {
  memcpy(to->R0, from->R0, 3 * sizeof(double));
  memcpy(to->A0, from->A0, 9 * sizeof(double));
  memcpy(to->v0, from->v0, 3 * sizeof(double));
  memcpy(to->w0, from->w0, 3 * sizeof(double));
  memcpy(to->q, from->q, (size_t)n * sizeof(double));
  memcpy(to->qd, from->qd, (size_t)n * sizeof(double));
}

/* A w~, by columns */
static inline void body_rate(const double* A, const double* w, double* Ad) {
  const double W[9] = {0, w[2], -w[1], -w[2], 0, w[0], w[1], -w[0], 0};
  sd_mat_mul(A, W, Ad);
}

static inline fb_status forces(sd_robot* r, double* y, const sd_forces* f, const double g[3], double* acc,
                               fb_error* error) {
  sd_state s = view(r->links.n, y);
  if (sd_f_dyn_dense(r, &s, f, g, acc))
    return fb_fail(error, FB_ERR_NO_SOLUTION, "the inertia matrix is singular");
  return FB_OK;
}

#endif
