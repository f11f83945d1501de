/* fours.inl -- rows of four numbers, and three such rows as a 3x3 matrix with a vector beside it: [M | y]
 *
 * Where FB_PACKED is 1 a row is a vector of the machine; elsewhere four fb_real, of which compilers drop what nobody
 * reads. Sums of rows then treat M and y alike: l~ [M | y] = [l~ M | l x y], and s . [M | y] = [M^T s | s . y].
 * Packed rows pay from AVX2 on: below, one such row is two vectors and its shuffles are many instructions. On aarch64
 * they pay where clang splits them into two registers; gcc keeps such rows in memory. Builds with FB_REPRODUCIBLE do
 * without them, so that a symmetric matrix is rounded once for both its halves; so do files that are no kernels
 * (without FB_TYPE), since they read what kernels of any level have left. */
#ifndef FB_KERNEL_FOURS_INL
#define FB_KERNEL_FOURS_INL

#include "kernel/vec3.inl"

#ifndef FB_PACKED
#if !defined(FB_TYPE) || FB_LANES != 1 || defined(FB_COMPLEX) || defined(FB_REPRODUCIBLE)
#define FB_PACKED 0
#elif (defined(__AVX2__) && defined(__FMA__)) || (defined(__aarch64__) && defined(__clang__))
#define FB_PACKED 1
#else
#define FB_PACKED 0
#endif
#endif

#if FB_PACKED

typedef double fb_four __attribute__((vector_size(32)));
typedef double fb_four_at __attribute__((vector_size(32), aligned(8), may_alias));

FB_K fb_four fb_four_make(double x, double y, double z, double w) {
  fb_four r = {x, y, z, w};
  return r;
}
FB_K fb_four fb_four_load(const double* at) {
  return *(const fb_four_at*)(const void*)at;
}
FB_K void fb_four_store(double* at, fb_four a) {
  *(fb_four_at*)(void*)at = a;
}
FB_K double fb_four_w(fb_four a) {
  return a[3];
}
FB_K fb_v3 fb_four_xyz(fb_four a) {
  return fb_v3_make(a[0], a[1], a[2]);
}
FB_K fb_four fb_four_add(fb_four a, fb_four b) {
  return a + b;
}
FB_K fb_four fb_four_scale(double s, fb_four a) {
  return s * a;
}
FB_K fb_four fb_four_times(fb_four a, fb_four b) { /* number by number, and so below */
  return a * b;
}
FB_K fb_four fb_four_plus_times(fb_four a, fb_four b, fb_four c) { /* a + b c */
  return a + b * c;
}
FB_K fb_four fb_four_less_times(fb_four a, fb_four b, fb_four c) { /* a - b c */
  return a - b * c;
}
FB_K double fb_four_lane(fb_four a, int i) {
  return a[i];
}
/* One of the numbers, four times. */
FB_K fb_four fb_four_spread(fb_four a, int i) {
  return fb_four_make(a[i], a[i], a[i], a[i]);
}
/* 0, y, y + z, y + z + w */
FB_K fb_four fb_four_running(fb_four a) {
  fb_four zero = {0.0, 0.0, 0.0, 0.0}, y_z_w = __builtin_shufflevector(a, zero, 4, 1, 2, 3);
  fb_four sums = y_z_w + __builtin_shufflevector(y_z_w, zero, 4, 0, 1, 2);
  return sums + __builtin_shufflevector(sums, zero, 4, 5, 0, 1);
}
FB_K fb_four fb_four_plus(fb_four a, double s, fb_four b) { /* a + s b */
  return a + s * b;
}
FB_K fb_four fb_four_less(fb_four a, double s, fb_four b) { /* a - s b */
  return a - s * b;
}

#else

typedef struct fb_four {
  fb_real x, y, z, w;
} fb_four;

FB_K fb_four fb_four_make(fb_real x, fb_real y, fb_real z, fb_real w) {
  fb_four r;
  r.x = x;
  r.y = y;
  r.z = z;
  r.w = w;
  return r;
}
FB_K fb_four fb_four_load(const double* at) {
  return fb_four_make(fb_ld(at, 0), fb_ld(at, 1), fb_ld(at, 2), fb_ld(at, 3));
}
FB_K void fb_four_store(double* at, fb_four a) {
  fb_st(at, 0, a.x);
  fb_st(at, 1, a.y);
  fb_st(at, 2, a.z);
  fb_st(at, 3, a.w);
}
FB_K fb_real fb_four_w(fb_four a) {
  return a.w;
}
FB_K fb_v3 fb_four_xyz(fb_four a) {
  return fb_v3_make(a.x, a.y, a.z);
}
FB_K fb_four fb_four_add(fb_four a, fb_four b) {
  return fb_four_make(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
FB_K fb_four fb_four_scale(fb_real s, fb_four a) {
  return fb_four_make(s * a.x, s * a.y, s * a.z, s * a.w);
}
FB_K fb_four fb_four_times(fb_four a, fb_four b) {
  return fb_four_make(a.x * b.x, a.y * b.y, a.z * b.z, a.w * b.w);
}
FB_K fb_four fb_four_plus_times(fb_four a, fb_four b, fb_four c) {
  return fb_four_make(a.x + b.x * c.x, a.y + b.y * c.y, a.z + b.z * c.z, a.w + b.w * c.w);
}
FB_K fb_four fb_four_less_times(fb_four a, fb_four b, fb_four c) {
  return fb_four_make(a.x - b.x * c.x, a.y - b.y * c.y, a.z - b.z * c.z, a.w - b.w * c.w);
}
FB_K fb_real fb_four_lane(fb_four a, int i) {
  return i == 0 ? a.x : i == 1 ? a.y : i == 2 ? a.z : a.w;
}
FB_K fb_four fb_four_spread(fb_four a, int i) {
  fb_real x = fb_four_lane(a, i);
  return fb_four_make(x, x, x, x);
}
FB_K fb_four fb_four_running(fb_four a) {
  return fb_four_make(fb_set(0.0), a.y, a.y + a.z, a.y + a.z + a.w);
}
FB_K fb_four fb_four_plus(fb_four a, fb_real s, fb_four b) {
  return fb_four_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z, a.w + s * b.w);
}
FB_K fb_four fb_four_less(fb_four a, fb_real s, fb_four b) {
  return fb_four_make(a.x - s * b.x, a.y - s * b.y, a.z - s * b.z, a.w - s * b.w);
}

#endif

typedef struct fb_fours { /* rows */
  fb_four x, y, z;
} fb_fours;

FB_K fb_fours fb_fours_add(fb_fours a, fb_fours b) {
  fb_fours r;
  r.x = fb_four_add(a.x, b.x);
  r.y = fb_four_add(a.y, b.y);
  r.z = fb_four_add(a.z, b.z);
  return r;
}
/* s . rows */
FB_K fb_four fb_fours_dot(fb_v3 s, fb_fours a) {
  return fb_four_plus(fb_four_plus(fb_four_scale(s.x, a.x), s.y, a.y), s.z, a.z);
}
/* l~ rows */
FB_K fb_fours fb_fours_cross(fb_v3 l, fb_fours a) {
  fb_fours r;
  r.x = fb_four_less(fb_four_scale(l.y, a.z), l.z, a.y);
  r.y = fb_four_less(fb_four_scale(l.z, a.x), l.x, a.z);
  r.z = fb_four_less(fb_four_scale(l.x, a.y), l.y, a.x);
  return r;
}
/* rows + l~ b */
FB_K fb_fours fb_fours_plus_cross(fb_fours a, fb_v3 l, fb_fours b) {
  a.x = fb_four_less(fb_four_plus(a.x, l.y, b.z), l.z, b.y);
  a.y = fb_four_less(fb_four_plus(a.y, l.z, b.x), l.x, b.z);
  a.z = fb_four_less(fb_four_plus(a.z, l.x, b.y), l.y, b.x);
  return a;
}
/* rows - u k^T */
FB_K fb_fours fb_fours_less(fb_fours a, fb_v3 u, fb_four k) {
  a.x = fb_four_less(a.x, u.x, k);
  a.y = fb_four_less(a.y, u.y, k);
  a.z = fb_four_less(a.z, u.z, k);
  return a;
}
FB_K fb_fours fb_fours_zero(void) {
  fb_fours r;
  r.x = r.y = r.z = fb_four_make(fb_set(0.0), fb_set(0.0), fb_set(0.0), fb_set(0.0));
  return r;
}

/* Four 3-vectors at once, x, y and z of all of them; the i-th of a with the i-th of b. */
FB_K fb_fours fb_fours_cross_each(fb_fours a, fb_fours b) {
  fb_fours r;
  r.x = fb_four_less_times(fb_four_times(a.y, b.z), a.z, b.y);
  r.y = fb_four_less_times(fb_four_times(a.z, b.x), a.x, b.z);
  r.z = fb_four_less_times(fb_four_times(a.x, b.y), a.y, b.x);
  return r;
}
FB_K fb_four fb_fours_dot_each(fb_fours a, fb_fours b) {
  return fb_four_plus_times(fb_four_plus_times(fb_four_times(a.x, b.x), a.y, b.y), a.z, b.z);
}
FB_K fb_fours fb_fours_spread(fb_fours a, int i) {
  fb_fours r;
  r.x = fb_four_spread(a.x, i);
  r.y = fb_four_spread(a.y, i);
  r.z = fb_four_spread(a.z, i);
  return r;
}
FB_K fb_fours fb_fours_load(const double* at) {
  fb_fours r;
  r.x = fb_four_load(at);
  r.y = fb_four_load(at + 4 * FB_WIDTH);
  r.z = fb_four_load(at + 8 * FB_WIDTH);
  return r;
}
FB_K void fb_fours_store(double* at, fb_fours a) {
  fb_four_store(at, a.x);
  fb_four_store(at + 4 * FB_WIDTH, a.y);
  fb_four_store(at + 8 * FB_WIDTH, a.z);
}

#if FB_PACKED

/* M^T; the fourth column means nothing. */
FB_K fb_fours fb_fours_transpose(fb_fours a) {
  fb_four even = __builtin_shufflevector(a.x, a.y, 0, 4, 2, 6),
          odd = __builtin_shufflevector(a.x, a.y, 1, 5, 3, 7);
  fb_fours r;
  r.x = __builtin_shufflevector(even, a.z, 0, 1, 4, 5);
  r.y = __builtin_shufflevector(odd, __builtin_shufflevector(a.z, a.z, 1, 0, 3, 2), 0, 1, 4, 5);
  r.z = __builtin_shufflevector(even, a.z, 2, 3, 6, 7);
  return r;
}
/* A symmetric M is kept whole, both halves as they come. */
FB_K fb_fours fb_fours_symmetric(fb_fours a) {
  return a;
}
FB_K void fb_fours_store_symmetric(double* at, fb_fours a) {
  fb_fours_store(at, a);
}
/* `count` vectors of three numbers, `step` apart: x, y and z of all of them, the first again where there are fewer than
 * four. */
FB_K fb_fours fb_fours_gather(const double* at, ptrdiff_t step, int count) {
  fb_four a = fb_four_load(at), b = count > 1 ? fb_four_load(at + step) : a;
  fb_four c = count > 2 ? fb_four_load(at + 2 * step) : a, e = count > 3 ? fb_four_load(at + 3 * step) : a;
  fb_four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
          ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  fb_four ce_even = __builtin_shufflevector(c, e, 0, 4, 2, 6),
          ce_odd = __builtin_shufflevector(c, e, 1, 5, 3, 7);
  fb_fours r;
  r.x = __builtin_shufflevector(ab_even, ce_even, 0, 1, 4, 5);
  r.y = __builtin_shufflevector(ab_odd, ce_odd, 0, 1, 4, 5);
  r.z = __builtin_shufflevector(ab_even, ce_even, 2, 3, 6, 7);
  return r;
}
/* The columns of four rows: number i of a, b, c and e goes to to[i] + offset. */
FB_K void fb_four_store_each(double* const to[4], int offset, fb_four a, fb_four b, fb_four c, fb_four e) {
  fb_four ab_even = __builtin_shufflevector(a, b, 0, 4, 2, 6),
          ab_odd = __builtin_shufflevector(a, b, 1, 5, 3, 7);
  fb_four ce_even = __builtin_shufflevector(c, e, 0, 4, 2, 6),
          ce_odd = __builtin_shufflevector(c, e, 1, 5, 3, 7);
  fb_four_store(to[0] + offset, __builtin_shufflevector(ab_even, ce_even, 0, 1, 4, 5));
  fb_four_store(to[1] + offset, __builtin_shufflevector(ab_odd, ce_odd, 0, 1, 4, 5));
  fb_four_store(to[2] + offset, __builtin_shufflevector(ab_even, ce_even, 2, 3, 6, 7));
  fb_four_store(to[3] + offset, __builtin_shufflevector(ab_odd, ce_odd, 2, 3, 6, 7));
}
/* The same at places `step` apart. */
FB_K void fb_four_store_across(double* at, ptrdiff_t step, fb_four a, fb_four b, fb_four c, fb_four e) {
  double* const to[4] = {at, at + step, at + 2 * step, at + 3 * step};
  fb_four_store_each(to, 0, a, b, c, e);
}

#else

FB_K fb_fours fb_fours_transpose(fb_fours a) {
  fb_fours r;
  r.x = fb_four_make(a.x.x, a.y.x, a.z.x, fb_set(0.0));
  r.y = fb_four_make(a.x.y, a.y.y, a.z.y, fb_set(0.0));
  r.z = fb_four_make(a.x.z, a.y.z, a.z.z, fb_set(0.0));
  return r;
}
/* The upper half of a symmetric M, twice: nobody needs to compute the lower one. */
FB_K fb_fours fb_fours_symmetric(fb_fours a) {
  a.y.x = a.x.y;
  a.z.x = a.x.z;
  a.z.y = a.y.z;
  return a;
}
FB_K void fb_fours_store_symmetric(double* at, fb_fours a) {
  fb_four_store(at, a.x);
  fb_st(at, 5, a.y.y);
  fb_st(at, 6, a.y.z);
  fb_st(at, 7, a.y.w);
  fb_st(at, 10, a.z.z);
  fb_st(at, 11, a.z.w);
}
FB_K fb_fours fb_fours_gather(const double* at, ptrdiff_t step, int count) {
  fb_v3 a = fb_ld3_at(at, 0), b = a, c = a, e = a;
  if (count > 1) b = fb_ld3_at(at + step * FB_WIDTH, 0);
  if (count > 2) c = fb_ld3_at(at + 2 * step * FB_WIDTH, 0);
  if (count > 3) e = fb_ld3_at(at + 3 * step * FB_WIDTH, 0);
  fb_fours r;
  r.x = fb_four_make(a.x, b.x, c.x, e.x);
  r.y = fb_four_make(a.y, b.y, c.y, e.y);
  r.z = fb_four_make(a.z, b.z, c.z, e.z);
  return r;
}
FB_K void fb_four_store_across(double* at, ptrdiff_t step, fb_four a, fb_four b, fb_four c, fb_four e) {
  fb_four_store(at, fb_four_make(a.x, b.x, c.x, e.x));
  fb_four_store(at + step * FB_WIDTH, fb_four_make(a.y, b.y, c.y, e.y));
  fb_four_store(at + 2 * step * FB_WIDTH, fb_four_make(a.z, b.z, c.z, e.z));
  fb_four_store(at + 3 * step * FB_WIDTH, fb_four_make(a.w, b.w, c.w, e.w));
}

#endif

#endif
