/* real.h -- fb_real, the number every kernel is written in.
 *
 * One kernel text compiles as
 *   FB_LANES = 1   a double                         instance _x1
 *   FB_LANES = 4,8 a GCC/Clang vector, a robot a lane  _x4, _x8
 *   FB_COMPLEX     a complex double, for complex-step derivatives  _cx
 * (kernels keep to the common subset of C17 and C++, for a double per CUDA thread).
 * Branches depend on the model only; where lane data would decide, fb_pick_lt and fb_pick_zero select. Parameters of
 * the model are fb_par, numbers in the text fb_num. Arrays cross translation units as double*, with FB_WIDTH doubles a
 * value, FB_PAR_WIDTH of parameters; fb_ld, fb_st and fb_ld_par are the only way in and out. */
#ifndef FB_KERNEL_REAL_H
#define FB_KERNEL_REAL_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#ifndef FB_LANES
#define FB_LANES 1
#endif

/* Inlined whole where speed counts; elsewhere that only makes compilers slow. */
#if defined(FB_K) /* an instance that says so itself */
#elif defined(__OPTIMIZE__) && !defined(FB_SANITIZED)
#define FB_K static inline __attribute__((always_inline, unused))
#else
#define FB_K static inline __attribute__((unused))
#endif

/* A loop in a function of its own, so that the compiler allots registers to it alone. */
#define FB_APART static __attribute__((noinline, unused))

/* Before a loop whose turns do not depend on one another, though the compiler cannot see it. To clang it is an order
 * to vectorise, and it warns where it cannot: lanes and complex numbers are vectors already, and sanitizers add
 * branches. */
#if defined(__clang__) && FB_LANES == 1 && !defined(FB_COMPLEX) && !defined(FB_SANITIZED)
#define FB_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && !defined(__clang__)
#define FB_INDEPENDENT _Pragma("GCC ivdep")
#else
#define FB_INDEPENDENT
#endif

/* Before a loop of so many turns at most, to be written out. */
#define FB_PRAGMA(text) _Pragma(#text)
#define FB_UNROLL(turns) FB_PRAGMA(GCC unroll turns)

typedef double fb_num; /* a constant in the text */

#if defined(FB_COMPLEX)

#include <complex.h>
#undef I /* a letter kernels need for inertias */
#define FB_WIDTH 2
typedef double _Complex fb_real __attribute__((may_alias));
FB_K fb_real fb_set(fb_num x) {
  return x;
}
FB_K fb_real fb_sqrt(fb_real x) {
  return csqrt(x);
}
FB_K fb_real fb_tanh(fb_real x) {
  return ctanh(x);
}
FB_K fb_real fb_pick_lt(fb_real a, fb_num b, fb_real less, fb_real more) {
  return creal(a) < b ? less : more;
}
FB_K fb_real fb_pick_zero(fb_real a, fb_real zero, fb_real other) {
  return creal(a) == 0 ? zero : other;
}
/* The integer nearest to the real part, so that reductions stay analytic. */
FB_K fb_real fb_round(fb_real x) {
  return (creal(x) + 0x1.8p52) - 0x1.8p52;
}

#elif FB_LANES == 1

#define FB_WIDTH 1
typedef double fb_real;
FB_K fb_real fb_set(fb_num x) {
  return x;
}
FB_K fb_real fb_sqrt(fb_real x) {
  return sqrt(x);
}
FB_K fb_real fb_tanh(fb_real x) {
  return tanh(x);
}
FB_K fb_real fb_pick_lt(fb_real a, fb_num b, fb_real less, fb_real more) {
  return a < b ? less : more;
}
FB_K fb_real fb_pick_zero(fb_real a, fb_real zero, fb_real other) {
  return a == 0 ? zero : other;
}
FB_K fb_real fb_round(fb_real x) {
  return (x + 0x1.8p52) - 0x1.8p52;
}

#else

#define FB_WIDTH FB_LANES
typedef double fb_real __attribute__((vector_size(FB_LANES * 8), may_alias));
FB_K fb_real fb_set(fb_num x) {
  fb_real r;
  for (int i = 0; i < FB_LANES; i++) r[i] = x;
  return r;
}
FB_K fb_real fb_sqrt(fb_real x) {
  fb_real r;
  for (int i = 0; i < FB_LANES; i++) r[i] = sqrt(x[i]);
  return r;
}
FB_K fb_real fb_tanh(fb_real x) {
  fb_real r;
  for (int i = 0; i < FB_LANES; i++) r[i] = tanh(x[i]);
  return r;
}
FB_K fb_real fb_pick_lt(fb_real a, fb_num b, fb_real less, fb_real more) {
  fb_real r;
  for (int i = 0; i < FB_LANES; i++) r[i] = a[i] < b ? less[i] : more[i];
  return r;
}
FB_K fb_real fb_pick_zero(fb_real a, fb_real zero, fb_real other) {
  fb_real r;
  for (int i = 0; i < FB_LANES; i++) r[i] = a[i] == 0 ? zero[i] : other[i];
  return r;
}
FB_K fb_real fb_round(fb_real x) {
  return (x + 0x1.8p52) - 0x1.8p52;
}

#endif

/* The i-th value of an array that holds FB_WIDTH doubles a value. */
FB_K fb_real fb_ld(const double* array, int i) {
  return ((const fb_real*)(const void*)array)[i];
}
FB_K void fb_st(double* array, int i, fb_real x) {
  ((fb_real*)(void*)array)[i] = x;
}
/* A parameter: of each lane's own, but real where states are complex. The i-th of an array, that array from its i-th value
 * on, a constant as a parameter and a parameter as an fb_real. */
#ifdef FB_COMPLEX
#define FB_PAR_WIDTH 1
typedef double fb_par;
FB_K fb_par fb_par_set(fb_num x) {
  return x;
}
#else
#define FB_PAR_WIDTH FB_WIDTH
typedef fb_real fb_par;
FB_K fb_par fb_par_set(fb_num x) {
  return fb_set(x);
}
#endif
FB_K fb_par fb_ld_par(const double* array, int i) {
  return ((const fb_par*)(const void*)array)[i];
}
FB_K fb_real fb_par_real(fb_par x) {
  return x;
}
/* Whether a parameter is not zero, in some lane: what costs time is left out where nobody has it. */
FB_K int fb_par_any(fb_par x) {
#if FB_LANES > 1
  int any = 0;
  for (int i = 0; i < FB_LANES; i++) any |= x[i] != 0;
  return any;
#else
  return x != 0;
#endif
}
FB_K const double* fb_par_from(const double* array, ptrdiff_t i) {
  return array + i * FB_PAR_WIDTH;
}

/* One over x: the one place where kernels divide on their way from link to link. */
FB_K fb_real fb_reciprocal(fb_real x) {
  return 1.0 / x;
}
/* The array from its i-th value on. */
FB_K double* fb_from(double* array, int i) {
  return array + (ptrdiff_t)i * FB_WIDTH;
}
FB_K void fb_clear(double* array, int count) {
  memset(array, 0, (size_t)count * FB_WIDTH * sizeof(double));
}

#endif
