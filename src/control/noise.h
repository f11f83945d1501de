/* noise.h -- Gaussian numbers by their place: (seed, tick, index), independent of earlier calls. */
#ifndef FB_CONTROL_NOISE_H
#define FB_CONTROL_NOISE_H

#include <stdint.h>

/* Number `index` of `width` that a tick has: mean 0, standard deviation 1. */
double fb_noise(uint64_t seed, uint64_t tick, int index, int width);

#endif
