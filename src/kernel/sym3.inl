/* sym3.inl -- symmetric 3x3 matrices in fb_real. */
#ifndef FB_KERNEL_SYM3_INL
#define FB_KERNEL_SYM3_INL

#include "kernel/vec3.inl"

typedef struct fb_s3 {
  fb_real xx, yy, zz, xy, xz, yz;
} fb_s3;

FB_K fb_v3 fb_s3_apply(fb_s3 A, fb_v3 b) {
  return fb_v3_make(A.xx * b.x + A.xy * b.y + A.xz * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
                    A.xz * b.x + A.yz * b.y + A.zz * b.z);
}
FB_K fb_s3 fb_s3_add(fb_s3 a, fb_s3 b) {
  fb_s3 r;
  r.xx = a.xx + b.xx;
  r.yy = a.yy + b.yy;
  r.zz = a.zz + b.zz;
  r.xy = a.xy + b.xy;
  r.xz = a.xz + b.xz;
  r.yz = a.yz + b.yz;
  return r;
}
/* A symmetric matrix of parameters, and products with it. */
typedef struct fb_par6 {
  fb_par xx, yy, zz, xy, xz, yz;
} fb_par6;

FB_K fb_v3 fb_s3_apply_par(fb_par6 A, fb_v3 b) {
  return fb_v3_make(A.xx * b.x + A.xy * b.y + A.xz * b.z, A.xy * b.x + A.yy * b.y + A.yz * b.z,
                    A.xz * b.x + A.yz * b.y + A.zz * b.z);
}
/* R A R^T */
FB_K fb_s3 fb_s3_rotate_par(fb_m3 R, fb_par6 A) {
  fb_v3 x = fb_m3_apply_par(R, fb_par3_make(A.xx, A.xy, A.xz));
  fb_v3 y = fb_m3_apply_par(R, fb_par3_make(A.xy, A.yy, A.yz));
  fb_v3 z = fb_m3_apply_par(R, fb_par3_make(A.xz, A.yz, A.zz));
  fb_s3 r; /* (R A) R^T: columns of R A are x, y, z */
  r.xx = x.x * R.x.x + y.x * R.y.x + z.x * R.z.x;
  r.yy = x.y * R.x.y + y.y * R.y.y + z.y * R.z.y;
  r.zz = x.z * R.x.z + y.z * R.y.z + z.z * R.z.z;
  r.xy = x.x * R.x.y + y.x * R.y.y + z.x * R.z.y;
  r.xz = x.x * R.x.z + y.x * R.y.z + z.x * R.z.z;
  r.yz = x.y * R.x.z + y.y * R.y.z + z.y * R.z.z;
  return r;
}

FB_K fb_s3 fb_ld_s3(const double* array, int i) {
  fb_s3 r;
  r.xx = fb_ld(array, i);
  r.yy = fb_ld(array, i + 1);
  r.zz = fb_ld(array, i + 2);
  r.xy = fb_ld(array, i + 3);
  r.xz = fb_ld(array, i + 4);
  r.yz = fb_ld(array, i + 5);
  return r;
}
FB_K void fb_st_s3(double* array, int i, fb_s3 A) {
  fb_st(array, i, A.xx);
  fb_st(array, i + 1, A.yy);
  fb_st(array, i + 2, A.zz);
  fb_st(array, i + 3, A.xy);
  fb_st(array, i + 4, A.xz);
  fb_st(array, i + 5, A.yz);
}

#endif
