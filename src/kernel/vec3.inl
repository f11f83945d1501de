/* vec3.inl -- 3-vectors and 3x3 matrices in fb_real, passed and returned by value. */
#ifndef FB_KERNEL_VEC3_INL
#define FB_KERNEL_VEC3_INL

#include "kernel/real.h"

typedef struct fb_v3 {
  fb_real x, y, z;
} fb_v3;

/* Columns: the images of the x, y and z axes. */
typedef struct fb_m3 {
  fb_v3 x, y, z;
} fb_m3;

FB_K fb_v3 fb_v3_make(fb_real x, fb_real y, fb_real z) {
  fb_v3 r;
  r.x = x;
  r.y = y;
  r.z = z;
  return r;
}
FB_K fb_v3 fb_v3_zero(void) {
  return fb_v3_make(fb_set(0.0), fb_set(0.0), fb_set(0.0));
}
FB_K fb_v3 fb_v3_add(fb_v3 a, fb_v3 b) {
  return fb_v3_make(a.x + b.x, a.y + b.y, a.z + b.z);
}
FB_K fb_v3 fb_v3_sub(fb_v3 a, fb_v3 b) {
  return fb_v3_make(a.x - b.x, a.y - b.y, a.z - b.z);
}
FB_K fb_v3 fb_v3_scale(fb_real s, fb_v3 a) {
  return fb_v3_make(s * a.x, s * a.y, s * a.z);
}
FB_K fb_v3 fb_v3_axpy(fb_v3 a, fb_real s, fb_v3 b) { /* a + s b */
  return fb_v3_make(a.x + s * b.x, a.y + s * b.y, a.z + s * b.z);
}
FB_K fb_v3 fb_v3_cross(fb_v3 a, fb_v3 b) {
  return fb_v3_make(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
FB_K fb_real fb_v3_dot(fb_v3 a, fb_v3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

FB_K fb_v3 fb_m3_apply(fb_m3 A, fb_v3 b) {
  return fb_v3_make(A.x.x * b.x + A.y.x * b.y + A.z.x * b.z, A.x.y * b.x + A.y.y * b.y + A.z.y * b.z,
                    A.x.z * b.x + A.y.z * b.y + A.z.z * b.z);
}
FB_K fb_v3 fb_m3_apply_transpose(fb_m3 A, fb_v3 b) {
  return fb_v3_make(fb_v3_dot(A.x, b), fb_v3_dot(A.y, b), fb_v3_dot(A.z, b));
}

/* Vectors and matrices (columns) of parameters, and products with them. */
typedef struct fb_par3 {
  fb_par x, y, z;
} fb_par3;
typedef struct fb_par9 {
  fb_par3 x, y, z;
} fb_par9;

FB_K fb_par3 fb_par3_make(fb_par x, fb_par y, fb_par z) {
  fb_par3 r;
  r.x = x;
  r.y = y;
  r.z = z;
  return r;
}
FB_K fb_v3 fb_m3_apply_par(fb_m3 A, fb_par3 b) {
  return fb_v3_make(A.x.x * b.x + A.y.x * b.y + A.z.x * b.z, A.x.y * b.x + A.y.y * b.y + A.z.y * b.z,
                    A.x.z * b.x + A.y.z * b.y + A.z.z * b.z);
}
FB_K fb_m3 fb_m3_multiply_par(fb_m3 A, fb_par9 B) {
  fb_m3 r;
  r.x = fb_m3_apply_par(A, B.x);
  r.y = fb_m3_apply_par(A, B.y);
  r.z = fb_m3_apply_par(A, B.z);
  return r;
}

/* The vector that starts at the i-th value; the i-th vector or row-major matrix of an array. */
FB_K fb_v3 fb_ld3_at(const double* array, int i) {
  return fb_v3_make(fb_ld(array, i), fb_ld(array, i + 1), fb_ld(array, i + 2));
}
FB_K fb_v3 fb_ld3(const double* array, int i) {
  return fb_ld3_at(array, 3 * i);
}
FB_K void fb_st3_at(double* array, int i, fb_v3 a) {
  fb_st(array, i, a.x);
  fb_st(array, i + 1, a.y);
  fb_st(array, i + 2, a.z);
}
FB_K void fb_st3(double* array, int i, fb_v3 a) {
  fb_st3_at(array, 3 * i, a);
}
FB_K fb_m3 fb_ld9(const double* array, int i) {
  fb_m3 r;
  r.x = fb_v3_make(fb_ld(array, 9 * i), fb_ld(array, 9 * i + 3), fb_ld(array, 9 * i + 6));
  r.y = fb_v3_make(fb_ld(array, 9 * i + 1), fb_ld(array, 9 * i + 4), fb_ld(array, 9 * i + 7));
  r.z = fb_v3_make(fb_ld(array, 9 * i + 2), fb_ld(array, 9 * i + 5), fb_ld(array, 9 * i + 8));
  return r;
}
FB_K void fb_st9(double* array, int i, fb_m3 A) {
  fb_st3(array, 3 * i, fb_v3_make(A.x.x, A.y.x, A.z.x));
  fb_st3(array, 3 * i + 1, fb_v3_make(A.x.y, A.y.y, A.z.y));
  fb_st3(array, 3 * i + 2, fb_v3_make(A.x.z, A.y.z, A.z.z));
}

#endif
