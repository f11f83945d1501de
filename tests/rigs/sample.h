/* sample.h -- how much of a long test is run: a part by `make test`, all of it with FB_FULL=1 in the environment, as
 * `make check-all` has it. */
#ifndef FB_TESTS_SAMPLE_H
#define FB_TESTS_SAMPLE_H

#include <stdlib.h>

static inline int sample(int part, int all) {
  const char* full = getenv("FB_FULL");
  return full && *full ? all : part;
}

#endif
