/* random.h -- counter-based random numbers: the n-th number of a seed, the same on every machine.
 *
 * The mixing function of SplitMix64 (Steele, Lea, Flood 2014) applied to seed and counter. */
#ifndef FB_BASE_RANDOM_H
#define FB_BASE_RANDOM_H

#include <stdint.h>

typedef struct fb_random {
  uint64_t seed, counter;
} fb_random;

static inline uint64_t fb_random_bits(fb_random* r) {
  uint64_t z = r->seed + 0x9e3779b97f4a7c15u * ++r->counter;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double fb_random_uniform(fb_random* r, double low, double high) {
  return low + (high - low) * ((double)(fb_random_bits(r) >> 11) * 0x1p-53);
}

#endif
