/* sincos.inl -- sine and cosine together, the same text for every fb_real
 *
 *   x = k pi/2 + r,  |r| <= pi/4          k by rounding, pi/2 in three parts (Cody and Waite)
 *   sin r = r + r^3 P(r^2),  cos r = 1 - r^2/2 + r^4 Q(r^2)
 *
 * P and Q, in pairs of terms so that fewer wait for one another, interpolate at Chebyshev points in
 * [0, 0.787^2]; their error is below 2e-17. The quadrant is
 * chosen by exact products with 0 and +-1 instead of branches. Absolute error below 2 ulp of 1 to
 * |x| = 1e6; beyond, it grows as |x| eps, which is what the argument itself is worth. */
#ifndef FB_KERNEL_SINCOS_INL
#define FB_KERNEL_SINCOS_INL

#include "kernel/real.h"

/* Sine and cosine of k pi/2 + r from s and c of r: j = k mod 4 is -2 .. 2, and odd quadrants swap the two. */
FB_K void fb_quadrant(fb_real k, fb_real s, fb_real c, fb_real* sine, fb_real* cosine) {
  fb_real j = k - 4.0 * fb_round(0.25 * k);
  fb_real half = k - 2.0 * fb_round(0.5 * k);
  fb_real odd = half * half;
  fb_real even = (1.0 - odd) * (1.0 - 0.5 * (j * j));
  fb_real turn = odd * j;
  *sine = even * s + turn * c;
  *cosine = even * c - turn * s;
}

FB_K void fb_sincos(fb_real x, fb_real* sine, fb_real* cosine) {
  fb_real k = fb_round(x * 0x1.45f306dc9c883p-1);
  fb_real r = x - k * 0x1.921fb544p+0;
  r = r - k * 0x1.0b4611a6p-34;
  r = r - k * 0x1.3198a2e037073p-69;

  fb_real z = r * r, zz = z * z;
  fb_real p = z * 0x1.5e07e04b2f65ep-33 - 0x1.ae600209f300cp-26;
  p = p * zz + (z * 0x1.71de378de98a1p-19 - 0x1.a01a019e7d005p-13);
  p = p * zz + (z * 0x1.1111111110b96p-7 - 0x1.5555555555555p-3);
  fb_real s = r + r * (z * p);

  fb_real c = z * -0x1.907a68f1c2aa4p-37 + 0x1.1eeb646bc534bp-29;
  c = c * zz + (z * -0x1.27e4fa1388bf6p-22 + 0x1.a01a019f4b5a0p-16);
  c = c * zz + (z * -0x1.6c16c16c16959p-10 + 0x1.5555555555555p-5);
  c = 1.0 - (0.5 * z - zz * c);
  fb_quadrant(k, s, c, sine, cosine);
}

#endif
