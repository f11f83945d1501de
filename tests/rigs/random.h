/* random.h -- the tests' random numbers: the library's own generator with a few shapes more. */
#ifndef FB_TESTS_RANDOM_H
#define FB_TESTS_RANDOM_H

#include <math.h>

#include "base/random.h"

static inline fb_random random_seed(uint64_t seed) {
  fb_random r = {seed, 0};
  return r;
}

/* Uniform in [low, high). */
static inline double random_in(fb_random* r, double low, double high) {
  return fb_random_uniform(r, low, high);
}

/* Uniform in 0 .. count-1. */
static inline int random_index(fb_random* r, int count) {
  return (int)(fb_random_bits(r) % (uint64_t)count);
}

static inline void random_fill(fb_random* r, double low, double high, int n, double* out) {
  for (int i = 0; i < n; i++) out[i] = random_in(r, low, high);
}

/* A unit quaternion, uniform over the attitudes: a point of the 4-ball by rejection, then normalised. */
static inline void random_quat(fb_random* r, double q[4]) {
  double n;
  do {
    random_fill(r, -1, 1, 4, q);
    n = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  } while (n > 1 || n < 0.1);
  for (int i = 0; i < 4; i++) q[i] /= n;
}

#endif
