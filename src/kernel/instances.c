/* instances.c -- which compiled kernels this CPU can run, and which to use.
 *
 * With FB_ISA_LEVELS the instances exist for x86-64-v2, -v3 and -v4 too (set by cmake/kernel.cmake); a
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

/* Whether the CPU has a level: by its name where the compiler knows it, else by the features that tell
 * (no CPU has these and lacks the level's small ones, such as movbe or lzcnt). */
#if !defined(FB_ISA_LEVELS)
#define HAS_V2 0
#define HAS_V3 0
#define HAS_V4 0
#elif defined(__clang__)
#define HAS(feature) __builtin_cpu_supports(feature)
#define HAS_V2 (HAS("sse3") && HAS("ssse3") && HAS("sse4.1") && HAS("sse4.2") && HAS("popcnt"))
#define HAS_V3 (HAS("avx2") && HAS("fma") && HAS("bmi") && HAS("bmi2"))
#define HAS_V4 (HAS("avx512f") && HAS("avx512bw") && HAS("avx512cd") && HAS("avx512dq") && HAS("avx512vl"))
#else
#define HAS_V2 __builtin_cpu_supports("x86-64-v2")
#define HAS_V3 __builtin_cpu_supports("x86-64-v3")
#define HAS_V4 __builtin_cpu_supports("x86-64-v4")
#endif

/* How many levels of ALL this CPU has; each level includes the ones before it. */
static int levels_here(void) {
  if (!HAS_V2) return 1;
  if (!HAS_V3) return 2;
  return HAS_V4 ? 4 : 3;
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
