/* noise.c -- Gaussian numbers from counters
 *
 *   z = sqrt(-2 ln u) cos(2 pi w),   u in (0, 1], w in [0, 1) uniform            (Box and Muller 1958)
 *
 * u and w are two numbers of the counter-based generator (base/random.h) at the place of z. The second number of the
 * pair, the sine, is left: places then need no pairs. The seed is mixed first, so that seeds side by side share no
 * numbers. Cost: one logarithm, one root, one cosine. */
#include "control/noise.h"

#include <math.h>

#include "base/random.h"

double fb_noise(uint64_t seed, uint64_t tick, int index, int width) {
  const double two_pi = 6.283185307179586476925;
  fb_random mix = {seed, 0}, r = {fb_random_bits(&mix), 2 * (tick * (uint64_t)width + (uint64_t)index)};
  double u = 1 - fb_random_uniform(&r, 0, 1), w = fb_random_uniform(&r, 0, 1);
  return sqrt(-2 * log(u)) * cos(two_pi * w);
}
