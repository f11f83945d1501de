/* articulated.inl -- articulated-body inertias in world axes at a link's origin
 *
 *   n = A w' + B a,   f = B^T w' + C a          a rigid link: A = I, B = h~, C = m E
 *   moved by l to another origin:  B' = B + l~ C,   A' = A - B l~ + l~ B'^T
 *   less a joint driven by force:  IA - U U^T / D,  U = IA S,  D = S^T U + armature
 */
#ifndef FB_DYNAMICS_ARTICULATED_INL
#define FB_DYNAMICS_ARTICULATED_INL

#include "kernel/sym3.inl"
#include "model/data.h"

typedef struct fb_k_art {
  fb_s3 A;
  fb_m3 B; /* columns */
  fb_s3 C;
} fb_k_art;

typedef struct fb_k_pair { /* angular, linear; or moment, force */
  fb_v3 w, v;
} fb_k_pair;

FB_K fb_k_pair fb_k_pair_make(fb_v3 w, fb_v3 v) {
  fb_k_pair r;
  r.w = w;
  r.v = v;
  return r;
}
FB_K fb_real fb_k_pair_dot(fb_k_pair a, fb_k_pair b) {
  return fb_v3_dot(a.w, b.w) + fb_v3_dot(a.v, b.v);
}
FB_K fb_k_pair fb_k_pair_axpy(fb_k_pair a, fb_real s, fb_k_pair b) {
  return fb_k_pair_make(fb_v3_axpy(a.w, s, b.w), fb_v3_axpy(a.v, s, b.v));
}
FB_K fb_k_pair fb_k_ld_pair(const double* array, int i) {
  return fb_k_pair_make(fb_ld3(array, 2 * i), fb_ld3(array, 2 * i + 1));
}
FB_K void fb_k_st_pair(double* array, int i, fb_k_pair x) {
  fb_st3(array, 2 * i, x.w);
  fb_st3(array, 2 * i + 1, x.v);
}

FB_K fb_k_art fb_k_ld_art(const double* array, int i) {
  fb_k_art r;
  r.A = fb_ld_s3(array, 21 * i);
  r.B.x = fb_ld3_at(array, 21 * i + 6);
  r.B.y = fb_ld3_at(array, 21 * i + 9);
  r.B.z = fb_ld3_at(array, 21 * i + 12);
  r.C = fb_ld_s3(array, 21 * i + 15);
  return r;
}
FB_K void fb_k_st_art(double* array, int i, fb_k_art I) {
  fb_st_s3(array, 21 * i, I.A);
  fb_st(array, 21 * i + 6, I.B.x.x);
  fb_st(array, 21 * i + 7, I.B.x.y);
  fb_st(array, 21 * i + 8, I.B.x.z);
  fb_st(array, 21 * i + 9, I.B.y.x);
  fb_st(array, 21 * i + 10, I.B.y.y);
  fb_st(array, 21 * i + 11, I.B.y.z);
  fb_st(array, 21 * i + 12, I.B.z.x);
  fb_st(array, 21 * i + 13, I.B.z.y);
  fb_st(array, 21 * i + 14, I.B.z.z);
  fb_st_s3(array, 21 * i + 15, I.C);
}

FB_K fb_k_art fb_k_art_add(fb_k_art a, fb_k_art b) {
  a.A = fb_s3_add(a.A, b.A);
  a.B.x = fb_v3_add(a.B.x, b.B.x);
  a.B.y = fb_v3_add(a.B.y, b.B.y);
  a.B.z = fb_v3_add(a.B.z, b.B.z);
  a.C = fb_s3_add(a.C, b.C);
  return a;
}

/* A rigid link. */
FB_K fb_k_art fb_k_art_rigid(fb_par mass, fb_v3 h, fb_s3 I) {
  fb_k_art r;
  fb_real zero = fb_set(0.0), m = fb_set(mass);
  r.A = I;
  r.B.x = fb_v3_make(zero, h.z, 0.0 - h.y);
  r.B.y = fb_v3_make(0.0 - h.z, zero, h.x);
  r.B.z = fb_v3_make(h.y, 0.0 - h.x, zero);
  r.C.xx = r.C.yy = r.C.zz = m;
  r.C.xy = r.C.xz = r.C.yz = zero;
  return r;
}

/* IA times a motion. */
FB_K fb_k_pair fb_k_art_apply(fb_k_art I, fb_k_pair x) {
  return fb_k_pair_make(fb_v3_add(fb_s3_apply(I.A, x.w), fb_m3_apply(I.B, x.v)),
                        fb_v3_add(fb_m3_apply_transpose(I.B, x.w), fb_s3_apply(I.C, x.v)));
}

/* IA - k U U^T */
FB_K fb_k_art fb_k_art_downdate(fb_k_art I, fb_k_pair U, fb_real k) {
  fb_v3 kn = fb_v3_scale(k, U.w), kf = fb_v3_scale(k, U.v);
  I.A = fb_s3_downdate(I.A, kn, U.w);
  I.B.x = fb_v3_axpy(I.B.x, 0.0 - U.v.x, kn);
  I.B.y = fb_v3_axpy(I.B.y, 0.0 - U.v.y, kn);
  I.B.z = fb_v3_axpy(I.B.z, 0.0 - U.v.z, kn);
  I.C = fb_s3_downdate(I.C, kf, U.v);
  return I;
}

/* Moved to the origin from which this one stands at l. */
FB_K fb_k_art fb_k_art_shift(fb_k_art I, fb_v3 l) {
  fb_m3 B = I.B;
  fb_s3 A = I.A;
  fb_k_art r;
  r.C = I.C;
  r.B.x = fb_v3_add(B.x, fb_v3_cross(l, fb_v3_make(I.C.xx, I.C.xy, I.C.xz)));
  r.B.y = fb_v3_add(B.y, fb_v3_cross(l, fb_v3_make(I.C.xy, I.C.yy, I.C.yz)));
  r.B.z = fb_v3_add(B.z, fb_v3_cross(l, fb_v3_make(I.C.xz, I.C.yz, I.C.zz)));
  /* rows of B crossed with l; l crossed with rows of B' */
  r.A.xx = A.xx - (B.y.x * l.z - B.z.x * l.y) + (l.y * r.B.z.x - l.z * r.B.y.x);
  r.A.yy = A.yy - (B.z.y * l.x - B.x.y * l.z) + (l.z * r.B.x.y - l.x * r.B.z.y);
  r.A.zz = A.zz - (B.x.z * l.y - B.y.z * l.x) + (l.x * r.B.y.z - l.y * r.B.x.z);
  r.A.xy = A.xy - (B.z.x * l.x - B.x.x * l.z) + (l.y * r.B.z.y - l.z * r.B.y.y);
  r.A.xz = A.xz - (B.x.x * l.y - B.y.x * l.x) + (l.y * r.B.z.z - l.z * r.B.y.z);
  r.A.yz = A.yz - (B.x.y * l.y - B.y.y * l.x) + (l.z * r.B.x.z - l.x * r.B.z.z);
  return r;
}

#endif
