/* instances.c -- which compiled kernels this CPU can run, and which to use.
 *
 * With FB_ISA_LEVELS the instances exist for x86-64-v2, -v3 and -v4 too (set by CMakeLists.txt); a
 * plain build has only `plain`. Nothing is cached: the model keeps the pick. */
#include "kernel/instances.h"

#include <stdlib.h>
#include <string.h>

#define DECLARE(isa) \
  extern const fb_kernels fb_kernels_x1_##isa, fb_kernels_x4_##isa, fb_kernels_x8_##isa, fb_kernels_cx_##isa;
#define LIST(isa) &fb_kernels_x1_##isa, &fb_kernels_x4_##isa, &fb_kernels_x8_##isa, &fb_kernels_cx_##isa

DECLARE(plain)
#ifdef FB_ISA_LEVELS
DECLARE(v2)
DECLARE(v3)
DECLARE(v4)
#endif

enum { TYPES = 4 };

/* From the plainest to the best, TYPES instances a level. */
static const fb_kernels* const ALL[] = {
    LIST(plain),
#ifdef FB_ISA_LEVELS
    LIST(v2),
    LIST(v3),
    LIST(v4),
#endif
};

/* How many levels of ALL this CPU has; each level includes the ones before it. */
static int levels_here(void) {
#ifdef FB_ISA_LEVELS
  if (!__builtin_cpu_supports("sse4.2") || !__builtin_cpu_supports("popcnt")) return 1;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2"))
    return 2;
  if (!__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512bw") ||
      !__builtin_cpu_supports("avx512cd") || !__builtin_cpu_supports("avx512dq") ||
      !__builtin_cpu_supports("avx512vl"))
    return 3;
  return 4;
#else
  return 1;
#endif
}

int fb_kernels_count(void) {
  return TYPES * levels_here();
}

const fb_kernels* fb_kernels_get(int index) {
  return index >= 0 && index < fb_kernels_count() ? ALL[index] : NULL;
}

const fb_kernels* fb_kernels_pick(const char* isa) {
  int levels = levels_here();
  if (!isa) isa = getenv("FREEBODY_ISA");
  if (!isa || !isa[0]) return ALL[TYPES * (levels - 1)];
  for (int level = 0; level < levels; level++)
    if (strcmp(ALL[TYPES * level]->isa, isa) == 0) return ALL[TYPES * level];
  return NULL;
}
