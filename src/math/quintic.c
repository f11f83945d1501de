/* quintic.c -- polynomials of degree 5 on [-1, 1]
 *
 * The even and the odd part of a quintic are parabolas in x^2. Roots of a derivative separate the roots of the one
 * before it, from the linear one down to the first. Cost: 40 operations for a fit; at most ten roots, each of some ten
 * evaluations, for the extrema. */
#include "math/quintic.h"

enum { DEGREE = 5 };
static const double COS36 = 0.80901699437494745, COS72 = 0.30901699437494745;

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

static double horner(const double* c, int degree, double x) {
  double p = c[degree];
  for (int i = degree - 1; i >= 0; i--) p = p * x + c[i];
  return p;
}

double fb_quintic_at(const double c[6], double x) {
  return horner(c, DEGREE, x);
}

/* c0 + c1 u + c2 u^2 through values at u = 1, cos^2 36, cos^2 72 deg. */
static void fit_parabola(const double f[3], double c[3]) {
  const double u0 = 1, u1 = COS36 * COS36, u2 = COS72 * COS72;
  double f01 = (f[1] - f[0]) / (u1 - u0), f12 = (f[2] - f[1]) / (u2 - u1);
  c[2] = (f12 - f01) / (u2 - u0);
  c[1] = f01 - c[2] * (u0 + u1);
  c[0] = f[0] - u0 * (c[1] + c[2] * u0);
}

void fb_quintic_fit(const double values[6], double c[6]) {
  const double* f = values;
  const double even[3] = {0.5 * (f[5] + f[0]), 0.5 * (f[4] + f[1]), 0.5 * (f[3] + f[2])};
  const double odd[3] = {0.5 * (f[5] - f[0]), 0.5 * (f[4] - f[1]) / COS36, 0.5 * (f[3] - f[2]) / COS72};
  double a[3], b[3];
  fit_parabola(even, a);
  fit_parabola(odd, b);
  for (int i = 0; i < 3; i++) {
    c[2 * i] = a[i];
    c[2 * i + 1] = b[i];
  }
}

/* The root in [a, b], at whose ends the signs differ: secants that keep a bracket (Illinois), and bisection. */
static double find_root(const double* c, int degree, double a, double b) {
  double fa = horner(c, degree, a), fb = horner(c, degree, b);
  int kept = 0; /* which end has stayed: -1 a, +1 b */
  for (int i = 0; i < 100 && b - a > 1e-15; i++) {
    double x = b - fb * (b - a) / (fb - fa);
    if (i % 3 == 2 || !(x > a && x < b)) x = 0.5 * (a + b);
    double fx = horner(c, degree, x);
    if (fx == 0) return x;
    if (sign_of(fx) == sign_of(fb)) {
      b = x;
      fb = fx;
      if (kept == -1) fa *= 0.5;
      kept = -1;
    } else {
      a = x;
      fa = fx;
      if (kept == 1) fb *= 0.5;
      kept = 1;
    }
  }
  return 0.5 * (a + b);
}

int fb_quintic_extrema(const double c[6], double x[4]) {
  double derived[DEGREE][DEGREE]; /* [k] the derivative of order k + 1, of degree 4 - k */
  for (int i = 0; i < DEGREE; i++) derived[0][i] = (i + 1) * c[i + 1];
  for (int k = 1; k < DEGREE; k++)
    for (int i = 0; i < DEGREE - k; i++) derived[k][i] = (i + 1) * derived[k - 1][i + 1];
  int count = 0;
  for (int k = DEGREE - 2; k >= 0; k--) {
    double ends[DEGREE + 1] = {-1}; /* of the intervals in which the derivative is monotone */
    int intervals = count + 1, degree = DEGREE - 1 - k;
    for (int i = 0; i < count; i++) ends[i + 1] = x[i];
    ends[intervals] = 1;
    count = 0;
    for (int i = 0; i < intervals; i++)
      if (sign_of(horner(derived[k], degree, ends[i])) * sign_of(horner(derived[k], degree, ends[i + 1])) < 0)
        x[count++] = find_root(derived[k], degree, ends[i], ends[i + 1]);
  }
  return count;
}
