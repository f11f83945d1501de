/* quat.inl -- unit quaternions in fb_real: rotation matrix and exponential (Hamilton, scalar first). */
#ifndef FB_KERNEL_QUAT_INL
#define FB_KERNEL_QUAT_INL

#include "kernel/sincos.inl"
#include "kernel/vec3.inl"

typedef struct fb_quat {
  fb_real w, x, y, z;
} fb_quat;

FB_K fb_quat fb_quat_load(const double* array, int i) {
  fb_quat q;
  q.w = fb_ld(array, i);
  q.x = fb_ld(array, i + 1);
  q.y = fb_ld(array, i + 2);
  q.z = fb_ld(array, i + 3);
  return q;
}
FB_K void fb_quat_store(double* array, int i, fb_quat q) {
  fb_st(array, i, q.w);
  fb_st(array, i + 1, q.x);
  fb_st(array, i + 2, q.y);
  fb_st(array, i + 3, q.z);
}

FB_K fb_quat fb_quat_product(fb_quat a, fb_quat b) {
  fb_quat r;
  r.w = a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z;
  r.x = a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y;
  r.y = a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x;
  r.z = a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w;
  return r;
}

FB_K fb_quat fb_quat_unit(fb_quat q) {
  fb_real s = 1.0 / fb_sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  q.w = q.w * s;
  q.x = q.x * s;
  q.y = q.y * s;
  q.z = q.z * s;
  return q;
}

/* The rotation matrix of a quaternion near unit length, normalised on use. */
FB_K fb_m3 fb_quat_matrix(fb_quat q) {
  fb_real s = 2.0 / (q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
  fb_real xs = q.x * s, ys = q.y * s, zs = q.z * s;
  fb_real wx = q.w * xs, wy = q.w * ys, wz = q.w * zs;
  fb_real xx = q.x * xs, xy = q.x * ys, xz = q.x * zs;
  fb_real yy = q.y * ys, yz = q.y * zs, zz = q.z * zs;
  fb_m3 R;
  R.x = fb_v3_make(1.0 - (yy + zz), xy + wz, xz - wy);
  R.y = fb_v3_make(xy - wz, 1.0 - (xx + zz), yz + wx);
  R.z = fb_v3_make(xz + wy, yz - wx, 1.0 - (xx + yy));
  return R;
}

/* exp of a rotation vector: (cos |r|/2, sin(|r|/2)/|r| r); the series serves below |r|^2 = 1e-4. */
FB_K fb_quat fb_quat_exp(fb_v3 r) {
  fb_real n2 = fb_v3_dot(r, r);
  fb_real n = fb_sqrt(fb_pick_lt(n2, 1e-4, fb_set(1.0), n2));
  fb_real s, c;
  fb_sincos(0.5 * n, &s, &c);
  fb_real series_s = 0.5 - n2 * (1.0 / 48 - n2 * (1.0 / 3840 - n2 * (1.0 / 645120)));
  fb_real series_c = 1.0 - n2 * (1.0 / 8 - n2 * (1.0 / 384 - n2 * (1.0 / 46080)));
  s = fb_pick_lt(n2, 1e-4, series_s, s / n);
  fb_quat q;
  q.w = fb_pick_lt(n2, 1e-4, series_c, c);
  q.x = s * r.x;
  q.y = s * r.y;
  q.z = s * r.z;
  return q;
}

#endif
