/* wall_clock.h -- seconds of real time since some moment, for deadlines and durations. */
#ifndef FB_ADAPTERS_WALL_CLOCK_H
#define FB_ADAPTERS_WALL_CLOCK_H

#include <time.h>

static inline double fb_wall_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
