/* held_wrench.h -- a wrench as numbers in the memory of a block, which may be set from outside: a frame that is none
 * becomes -1, which the simulation refuses. */
#ifndef FB_BLOCK_HELD_WRENCH_H
#define FB_BLOCK_HELD_WRENCH_H

#include <limits.h>
#include <string.h>

#include <freebody/dynamics.h>

enum { FB_HELD_WRENCH = 8 }; /* numbers: frame, axes, force, torque */

static inline void fb_wrench_to_numbers(const fb_wrench* wrench, double* numbers) {
  numbers[0] = wrench->frame;
  numbers[1] = wrench->in_frame_axes;
  memcpy(numbers + 2, wrench->force, sizeof wrench->force);
  memcpy(numbers + 5, wrench->torque, sizeof wrench->torque);
}

static inline void fb_wrench_from_numbers(const double* numbers, fb_wrench* wrench) {
  wrench->frame = numbers[0] >= 0 && numbers[0] < INT_MAX ? (int)numbers[0] : -1;
  wrench->in_frame_axes = numbers[1] != 0;
  memcpy(wrench->force, numbers + 2, sizeof wrench->force);
  memcpy(wrench->torque, numbers + 5, sizeof wrench->torque);
}

#endif
