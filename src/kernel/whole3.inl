/* whole3.inl -- 3-vectors kept whole: fb_w3, one vector of the machine where FB_PACKED is 1, elsewhere an fb_v3
 *
 * For recursions from link to link, where the next step waits for the last: a product or a sum of whole vectors is one
 * instruction instead of three. The fourth number of a packed vector means nothing. */
#ifndef FB_KERNEL_WHOLE3_INL
#define FB_KERNEL_WHOLE3_INL

#include "kernel/fours.inl"

#if FB_PACKED

typedef fb_four fb_w3;

FB_K fb_w3 fb_w3_of(fb_v3 a) {
  return fb_four_make(a.x, a.y, a.z, 0.0);
}
FB_K fb_v3 fb_w3_parts(fb_w3 a) {
  return fb_four_xyz(a);
}
FB_K fb_w3 fb_w3_add(fb_w3 a, fb_w3 b) {
  return a + b;
}
FB_K fb_w3 fb_w3_scale(double s, fb_w3 a) {
  return s * a;
}
FB_K fb_w3 fb_w3_axpy(fb_w3 a, double s, fb_w3 b) { /* a + s b */
  return a + s * b;
}
FB_K fb_w3 fb_w3_cross(fb_w3 a, fb_w3 b) {
  fb_w3 a_next = __builtin_shufflevector(a, a, 1, 2, 0, 3),
        b_next = __builtin_shufflevector(b, b, 1, 2, 0, 3);
  fb_w3 z_x_y = a * b_next - a_next * b;
  return __builtin_shufflevector(z_x_y, z_x_y, 1, 2, 0, 3);
}

FB_K fb_w3 fb_w3_times(fb_w3 a, fb_w3 b) { /* number by number */
  return a * b;
}
FB_K fb_w3 fb_w3_next(fb_w3 a) { /* y z x */
  return __builtin_shufflevector(a, a, 1, 2, 0, 3);
}
FB_K fb_w3 fb_w3_last(fb_w3 a) { /* z x y */
  return __builtin_shufflevector(a, a, 2, 0, 1, 3);
}
FB_K double fb_w3_dot(fb_w3 a, fb_w3 b) {
  fb_w3 ab = a * b;
  return ab[0] + ab[1] + ab[2];
}

#else

typedef fb_v3 fb_w3;

FB_K fb_w3 fb_w3_of(fb_v3 a) {
  return a;
}
FB_K fb_v3 fb_w3_parts(fb_w3 a) {
  return a;
}
FB_K fb_w3 fb_w3_add(fb_w3 a, fb_w3 b) {
  return fb_v3_add(a, b);
}
FB_K fb_w3 fb_w3_scale(fb_real s, fb_w3 a) {
  return fb_v3_scale(s, a);
}
FB_K fb_w3 fb_w3_axpy(fb_w3 a, fb_real s, fb_w3 b) {
  return fb_v3_axpy(a, s, b);
}
FB_K fb_w3 fb_w3_cross(fb_w3 a, fb_w3 b) {
  return fb_v3_cross(a, b);
}
FB_K fb_w3 fb_w3_times(fb_w3 a, fb_w3 b) {
  return fb_v3_make(a.x * b.x, a.y * b.y, a.z * b.z);
}
FB_K fb_w3 fb_w3_next(fb_w3 a) {
  return fb_v3_make(a.y, a.z, a.x);
}
FB_K fb_w3 fb_w3_last(fb_w3 a) {
  return fb_v3_make(a.z, a.x, a.y);
}
FB_K fb_real fb_w3_dot(fb_w3 a, fb_w3 b) {
  return fb_v3_dot(a, b);
}

#endif

/* Columns. */
typedef struct fb_w33 {
  fb_w3 x, y, z;
} fb_w33;

FB_K fb_w3 fb_w33_apply(fb_w33 A, fb_v3 b) {
  return fb_w3_axpy(fb_w3_axpy(fb_w3_scale(b.x, A.x), b.y, A.y), b.z, A.z);
}
FB_K fb_w3 fb_w33_apply_par(fb_w33 A, fb_par3 b) {
  return fb_w33_apply(A, fb_v3_make(fb_par_real(b.x), fb_par_real(b.y), fb_par_real(b.z)));
}
FB_K fb_w33 fb_w33_multiply(fb_w33 A, fb_m3 B) {
  fb_w33 r;
  r.x = fb_w33_apply(A, B.x);
  r.y = fb_w33_apply(A, B.y);
  r.z = fb_w33_apply(A, B.z);
  return r;
}
FB_K fb_w33 fb_w33_multiply_par(fb_w33 A, fb_par9 B) {
  fb_w33 r;
  r.x = fb_w33_apply_par(A, B.x);
  r.y = fb_w33_apply_par(A, B.y);
  r.z = fb_w33_apply_par(A, B.z);
  return r;
}

#endif
