/* fill_nan.h -- fills unknown results with NaN. */
#ifndef FB_BASE_FILL_NAN_H
#define FB_BASE_FILL_NAN_H

#include <math.h>
#include <stddef.h>

/* x may be NULL: an output that was not requested. */
static inline void fb_fill_nan(double* x, int count) {
  for (int i = 0; x && i < count; i++) x[i] = NAN;
}

#endif
