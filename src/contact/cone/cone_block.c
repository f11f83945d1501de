/* cone_block.c -- one Coulomb contact alone, exactly:  u = W P + b,  W 3x3 positive semidefinite
 *
 *   open    b_N >= 0:  P = 0
 *   stick   u = 0:     P = -W^+ b, where that is inside the cone and W P + b is zero (W may be singular)
 *   slip    u_N = 0,  P_T = mu P_N d,  u_T = -alpha d,  |d| = 1:
 *             P_N = -b_N / (W_NN + mu W_NT . d),   f(angle) = d x ((W_TN + mu W_TT d) P_N + b_T) = 0
 *
 * With an offset, |P_T| <= mu (P_N + offset): while P_N = 0, friction is that of a constant load.
 *
 * f times the denominator is a trigonometric polynomial of the second degree (a quartic in the tangent of half the
 * angle [Bonnefon and Daviet 2011]), with at most four roots. Newton's method from the last direction finds the root
 * nearly always; where it does not, sign changes around the circle are bisected. */
#include "contact/cone/cones.h"

#include <float.h>
#include <math.h>

static double cross2(const double a[2], const double b[2]) {
  return a[0] * b[1] - a[1] * b[0];
}

static double dot2(const double a[2], const double b[2]) {
  return a[0] * b[0] + a[1] * b[1];
}

/* The slip equation: f(d) = d x (k + M d), and the denominator g + G . d of P_N. */
typedef struct slip {
  double k[2], M[4], g, G[2], size;
} slip;

static slip slip_of(const double W[9], double mu, const double b[3]) {
  slip s = {.g = W[0], .G = {mu * W[1], mu * W[2]}};
  for (int i = 0; i < 2; i++) {
    s.k[i] = -b[0] * W[3 * (i + 1)] + b[i + 1] * W[0];
    for (int j = 0; j < 2; j++) s.M[2 * i + j] = mu * (-b[0] * W[3 * (i + 1) + j + 1] + b[i + 1] * W[j + 1]);
  }
  s.size = fabs(s.k[0]) + fabs(s.k[1]);
  for (int i = 0; i < 4; i++) s.size += fabs(s.M[i]);
  return s;
}

/* v = k + M d, which is u_T times the denominator. */
static void slip_velocity(const slip* s, const double d[2], double v[2]) {
  for (int i = 0; i < 2; i++) v[i] = s->k[i] + s->M[2 * i] * d[0] + s->M[2 * i + 1] * d[1];
}

static double slip_value(const slip* s, double angle, double* slope) {
  const double d[2] = {cos(angle), sin(angle)}, across[2] = {-d[1], d[0]};
  double v[2], turned[2];
  slip_velocity(s, d, v);
  for (int i = 0; i < 2; i++) turned[i] = s->M[2 * i] * across[0] + s->M[2 * i + 1] * across[1];
  *slope = cross2(across, v) + cross2(d, turned);
  return cross2(d, v);
}

/* Whether the friction of this root opposes its slip, with a positive normal impulse. */
static int is_valid(const slip* s, double angle) {
  const double d[2] = {cos(angle), sin(angle)};
  double v[2];
  slip_velocity(s, d, v);
  return s->g + dot2(s->G, d) > 0 && dot2(d, v) <= 4 * DBL_EPSILON * s->size;
}

/* Newton's method; 1 where it converges. */
static int refine(const slip* s, double* angle) {
  double off = INFINITY;
  for (int i = 0; i < 20; i++) {
    double slope, value = slip_value(s, *angle, &slope), change = -value / slope;
    off = fabs(value);
    if (off <= 2 * DBL_EPSILON * s->size) return 1;
    if (!(fabs(change) <= 0.5)) return 0;
    *angle += change;
    if (fabs(change) <= DBL_EPSILON) break;
  }
  return off <= 1e-13 * s->size;
}

static double bisect(const slip* s, double low, double high) {
  double slope, at_low = slip_value(s, low, &slope);
  for (int i = 0; i < 60 && high - low > DBL_EPSILON * 8; i++) {
    double middle = 0.5 * (low + high), value = slip_value(s, middle, &slope);
    if ((value < 0) == (at_low < 0))
      low = middle;
    else
      high = middle;
  }
  double angle = 0.5 * (low + high), refined = angle;
  return refine(s, &refined) && fabs(refined - angle) < 1e-6 ? refined : angle;
}

/* Of all valid roots the one nearest to *angle. */
static int search(const slip* s, double* angle) {
  enum { PARTS = 96 };
  const double width = 2 * acos(-1.0) / PARTS, guess = *angle;
  double slope, before = slip_value(s, guess, &slope), nearest = INFINITY;
  for (int i = 0; i < PARTS; i++) {
    double low = guess + width * i, value = slip_value(s, low + width, &slope);
    if ((before < 0) != (value < 0) || before == 0) {
      double root = before == 0 ? low : bisect(s, low, low + width), away = 1 - cos(root - guess);
      if (away < nearest && is_valid(s, root)) {
        nearest = away;
        *angle = root;
      }
    }
    before = value;
  }
  return nearest < INFINITY;
}

static int slides(const double W[9], double mu, const double b[3], const double toward[2], double P[3]) {
  const slip s = slip_of(W, mu, b);
  double angle = atan2(toward[1], toward[0]), start = angle;
  if (!(refine(&s, &angle) && is_valid(&s, angle))) {
    angle = start;
    if (!search(&s, &angle)) return 0;
  }
  const double d[2] = {cos(angle), sin(angle)};
  P[0] = -b[0] / (s.g + dot2(s.G, d));
  for (int i = 0; i < 2; i++) P[i + 1] = mu * P[0] * d[i];
  return isfinite(P[0]);
}

static int sticks(const double W[9], const double inverse[9], double mu, const double b[3], double P[3]) {
  double size = 0;
  for (int i = 0; i < 3; i++) {
    P[i] = -(inverse[3 * i] * b[0] + inverse[3 * i + 1] * b[1] + inverse[3 * i + 2] * b[2]);
    size = fmax(size, fabs(b[i]));
  }
  for (int i = 0; i < 3; i++) {
    double u = b[i] + W[3 * i] * P[0] + W[3 * i + 1] * P[1] + W[3 * i + 2] * P[2];
    if (!(fabs(u) <= 1e-12 * size)) return 0;
  }
  return norm2(P[1], P[2]) <= mu * P[0];
}

/* Stick or slip, with b_N < 0. */
static int presses(const double W[9], const double inverse[9], double mu, const double b[3], double P[3]) {
  double stuck[3], toward[2] = {P[1], P[2]};
  if (sticks(W, inverse, mu, b, stuck)) {
    for (int i = 0; i < 3; i++) P[i] = stuck[i];
    return 1;
  }
  if (mu == 0) {
    if (!(W[0] > 0)) return 0;
    P[0] = -b[0] / W[0];
    P[1] = P[2] = 0;
    return isfinite(P[0]);
  }
  if (toward[0] == 0 && toward[1] == 0)
    for (int i = 0; i < 2; i++) toward[i] = W[0] * -b[i + 1] + W[3 * (i + 1)] * b[0];
  return slides(W, mu, b, toward, P);
}

/* P_T of a contact without normal impulse of its own: |P_T| <= most, against u_T = W_TT P_T + b_T. It sticks, or
 * (W_TT + a 1) P_T = -b_T with the a > 0 for which |P_T| = most: 1 / |P_T| is concave in a, so that Newton's method
 * from below converges. */
static void solve_friction(const double W[9], double most, const double b[3], double P[3]) {
  const double xx = W[4], xy = W[5], yy = W[8], size = xx + yy;
  double a = 0;
  P[1] = P[2] = 0;
  if (most == 0 || (b[1] == 0 && b[2] == 0)) return;
  if (!(xx * yy - xy * xy > 1e-14 * size * size)) a = fmax(1e-14 * size, DBL_MIN);
  for (int i = 0; i < 60; i++) {
    const double p = xx + a, q = yy + a, det = p * q - xy * xy;
    P[1] = -(q * b[1] - xy * b[2]) / det;
    P[2] = -(p * b[2] - xy * b[1]) / det;
    const double length = norm2(P[1], P[2]);
    if (length <= most * (1 + 4 * DBL_EPSILON)) return;
    /* d|P|/da = -P . (W + a)^-1 P / |P| */
    const double slope = (q * P[1] * P[1] - 2 * xy * P[1] * P[2] + p * P[2] * P[2]) / (det * length);
    a += (length / most - 1) * length / slope;
  }
}

/* With Q_N = P_N + offset the contact is one of the usual kind, but for Q_N >= offset. */
int fb_coulomb_solve(const double W[9], const double inverse[9], double mu, double offset, const double b[3],
                     double P[3]) {
  double open[3] = {0}, shifted[3], Q[3] = {P[0] + offset, P[1], P[2]};
  solve_friction(W, mu * offset, b, open);
  if (b[0] + W[1] * open[1] + W[2] * open[2] >= 0) {
    for (int i = 0; i < 3; i++) P[i] = open[i];
    return 1;
  }
  for (int i = 0; i < 3; i++) shifted[i] = b[i] - W[3 * i] * offset;
  if (!presses(W, inverse, mu, shifted, Q) || Q[0] < offset) return 0;
  P[0] = Q[0] - offset;
  P[1] = Q[1];
  P[2] = Q[2];
  return 1;
}
