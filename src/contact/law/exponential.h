/* exponential.h -- exponential and logarithm of doubles without branches, so that loops over them vectorise
 *
 *   x = k ln 2 + r,  |r| <= ln 2 / 2        k by rounding, ln 2 in two parts (Cody and Waite)
 *   e^r - 1 = r + r^2 P(r),   e^x - 1 = 2^k (e^r - 1) + (2^k - 1)
 *
 *   x = 2^e m,  sqrt(1/2) <= m < sqrt(2)    the bits of x
 *   log m = 2 artanh s = 2 s + s z Q(z),   s = (m - 1) / (m + 1),   z = s^2
 *
 * P is the Taylor polynomial, whose remainder is below 5e-18 at |r| = 0.347; Q has the terms 2 / (2 i + 3), and a remainder
 * below 1e-18 at s = 0.172. Errors: fb_expm1 2 ulp, and near zero relative to the result; fb_log 2 ulp, near x = 1 2 ulp of x - 1. */
#ifndef FB_CONTACT_LAW_EXPONENTIAL_H
#define FB_CONTACT_LAW_EXPONENTIAL_H

#include <stdint.h>
#include <string.h>

/* A double from its bits, and the other way round. */
static inline double fb_double_of(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
static inline uint64_t fb_bits_of(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* 2^k of an integer |k| <= 1022: the last bits of 1.5 2^52 + k are k, which the shift makes an exponent. */
static inline double fb_power_of_two(double k) {
  return fb_double_of(fb_bits_of(k + (0x1.8p52 + 1023)) << 52);
}

/* e^x - 1 for |x| <= 700. */
static inline double fb_expm1(double x) {
  double k = (x * 0x1.71547652b82fep+0 + 0x1.8p52) - 0x1.8p52;
  double r = (x - k * 0x1.62e42fee00000p-1) - k * 0x1.a39ef35793c76p-33;
  double z = r * r;
  double p = r * (1.0 / 87178291200) + 1.0 / 6227020800;
  p = p * z + (r * (1.0 / 479001600) + 1.0 / 39916800);
  p = p * z + (r * (1.0 / 3628800) + 1.0 / 362880);
  p = p * z + (r * (1.0 / 40320) + 1.0 / 5040);
  p = p * z + (r * (1.0 / 720) + 1.0 / 120);
  p = p * z + (r * (1.0 / 24) + 1.0 / 6);
  p = r + z * (0.5 + r * p);
  double scale = fb_power_of_two(k);
  return scale * p + (scale - 1);
}

/* The logarithm of a normal x > 0. */
static inline double fb_log(double x) {
  const uint64_t least = 0x3fe6a09e667f3bcd,
                 bias = (uint64_t)1023 << 52; /* the bits of sqrt(1/2), and of 1 */
  uint64_t above = fb_bits_of(x) - least;
  double e = fb_double_of(((above + bias) >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  double m = fb_double_of((above & 0xfffffffffffff) + least);
  double s = (m - 1) / (m + 1), z = s * s;
  double q = 2.0 / 21;
  q = q * z + 2.0 / 19;
  q = q * z + 2.0 / 17;
  q = q * z + 2.0 / 15;
  q = q * z + 2.0 / 13;
  q = q * z + 2.0 / 11;
  q = q * z + 2.0 / 9;
  q = q * z + 2.0 / 7;
  q = q * z + 2.0 / 5;
  q = q * z + 2.0 / 3;
  return e * 0x1.62e42fee00000p-1 + (2 * s + (s * z * q + e * 0x1.a39ef35793c76p-33));
}

#endif
