/* interior.c -- interior-point method for all cones together, where the others fail: large mass ratios, many
 * redundant contacts
 *
 *   w = A P + c + s(w),   P in K, w in its dual, P o w = m e with m -> 0,   s = mu |w_T| on the normals of Coulomb contacts
 *
 * Predictor and corrector with Nesterov and Todd's scaling T: from  dw = T d - T^2 dp,
 *
 *   (A + (1 - s') T^2) dp = -(A P + c + s - w) + (1 - s') T d
 *
 * With s constant the problem is convex [Acary 2011]; s', which makes the matrix unsymmetric, lets s follow w. Some 10 to
 * 30 steps, whatever the mass ratio; Newton's method ends it. Cost 2 n^3/3 a step. Contacts with lo > 0 are left to the
 * other methods. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include "contact/cone/interior.h"
#include "math/lu.h"

enum { STEPS = 60 };

/* Whether cone i is treated as Lorentz's. */
static int is_lorentz(const fb_cones* p, int i) {
  return p->cones[i].kind == FB_CONE_COULOMB && p->cones[i].mu > 1e-9;
}

/* Rows by which the cone's own coordinates differ from P: p = P / stretch, w = stretch w of P. */
static double stretch(const fb_cones* p, int i, int k) {
  return is_lorentz(p, i) && k == 0 ? 1 / p->cones[i].mu : 1;
}

typedef struct interior {
  double *p, *w, *dp, *dw, *d; /* [n] */
  double *low, *high;          /* [ncone] multipliers of the bounds of boxes and normals: w = low - high */
  double *dlow, *dhigh;        /* [ncone] their steps */
  double target;               /* m */
  double blur, blurring;       /* s is sqrt(|w_T|^2 + blur^2), blur = blurring sqrt(m) */
} interior;

/* The first nearly always converges. The others begin far inside, one of them with a smoother s, and take other
 * paths. */
static const struct attempt {
  double start; /* of P, in terms of max |c| */
  double blurring;
} ATTEMPTS[] = {{1, 0}, {1e3, 0.1}, {1e3, 0}};

static const double CLOSE = 1e-8; /* of bodies one attempt is enough where it comes so near */

/* Rows without freedom: tangential ones without friction, boxes of no width. */
static int is_fixed(const fb_cones* p, int i, int k) {
  if (p->cones[i].kind == FB_CONE_COULOMB) return k > 0 && !is_lorentz(p, i);
  return p->cones[i].kind == FB_CONE_BOX && !(p->hi[i] > p->lo[i]);
}

/* w_T / |w_T|, the derivative of s. */
static void slip_direction(const interior* t, const double* w, double out[3]) {
  const double speed = norm2(norm2(w[1], w[2]), t->blur);
  out[0] = 0;
  for (int k = 1; k < 3; k++) out[k] = speed > 0 ? w[k] / speed : 0;
}

static void start(const fb_cones* p, interior* t, double start_at) {
  const double size = fb_array_largest(p->c, p->n);
  memset(t->p, 0, (size_t)p->n * sizeof *t->p);
  memset(t->w, 0, (size_t)p->n * sizeof *t->w);
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    t->low[i] = t->high[i] = 0;
    if (is_lorentz(p, i)) {
      t->p[at] = start_at * size;
      t->w[at] = size;
    } else if (!is_fixed(p, i, 0)) {
      double half = fmin(start_at * size, 0.5 * (p->hi[i] - p->lo[i]));
      t->p[at] = isfinite(p->lo[i]) ? p->lo[i] + half : isfinite(p->hi[i]) ? p->hi[i] - half : 0;
      t->low[i] = isfinite(p->lo[i]) ? size : 0;
      t->high[i] = isfinite(p->hi[i]) ? size : 0;
      t->w[at] = t->low[i] - t->high[i];
    }
  }
}

/* The mean of P o w. */
static double gap(const fb_cones* p, const interior* t) {
  double sum = 0;
  int count = 0;
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    if (is_lorentz(p, i)) {
      for (int k = at; k < at + 3; k++) sum += t->p[k] * t->w[k];
      count++;
      continue;
    }
    if (is_fixed(p, i, 0)) continue;
    if (t->low[i] > 0) sum += t->low[i] * (t->p[at] - p->lo[i]), count++;
    if (t->high[i] > 0) sum += t->high[i] * (p->hi[i] - t->p[at]), count++;
  }
  return count ? sum / count : 0;
}

/* The constant part of dw = d - T^2 dp, with the products of the last step in it. */
static void set_heading(const fb_cones* p, interior* t) {
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    if (is_lorentz(p, i)) {
      const fb_lorentz s = fb_lorentz_scaling(t->p + at, t->w + at);
      double d[3];
      fb_lorentz_heading(&s, t->target, t->dp + at, t->dw + at, d);
      for (int k = 0; k < 3; k++)
        t->d[at + k] = s.T[3 * k] * d[0] + s.T[3 * k + 1] * d[1] + s.T[3 * k + 2] * d[2];
      continue;
    }
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) t->d[at + k] = 0;
    if (is_fixed(p, i, 0)) continue;
    const double dp = t->dp[at];
    if (t->low[i] > 0) {
      t->dlow[i] = (t->target - dp * t->dlow[i]) / (t->p[at] - p->lo[i]) - t->low[i];
      t->d[at] += t->dlow[i];
    }
    if (t->high[i] > 0) {
      t->dhigh[i] = (t->target + dp * t->dhigh[i]) / (p->hi[i] - t->p[at]) - t->high[i];
      t->d[at] -= t->dhigh[i];
    }
  }
}

/* T^2 of cone i, stride 3. */
static void metric(const fb_cones* p, const interior* t, int i, double out[9]) {
  int at = p->first[i];
  if (is_lorentz(p, i)) {
    const fb_lorentz s = fb_lorentz_scaling(t->p + at, t->w + at);
    for (int k = 0; k < 9; k++) {
      const double *row = s.T + 3 * (k / 3), *column = s.T + 3 * (k % 3);
      out[k] = row[0] * column[0] + row[1] * column[1] + row[2] * column[2];
    }
    return;
  }
  out[0] = 0;
  if (t->low[i] > 0) out[0] += t->low[i] / (t->p[at] - p->lo[i]);
  if (t->high[i] > 0) out[0] += t->high[i] / (p->hi[i] - t->p[at]);
}

/* x -= s' x on the normal of a Coulomb contact. */
static void subtract_slip(const double direction[3], double* x, int stride) {
  x[0] -= direction[1] * x[stride] + direction[2] * x[2 * stride];
}

/* ---- of bodies: M = (1 - s') T^2 is a block of each cone, and K = S M^-1 S with the stretch S ---- */

/* M of cone i, rows x rows with the stride 3. */
static int block_of(const fb_cones* p, const interior* t, int i, double M[9]) {
  const int at = p->first[i], rows = is_lorentz(p, i) ? 3 : 1;
  double direction[3];
  memset(M, 0, 9 * sizeof *M);
  metric(p, t, i, M);
  if (rows == 1) return 1;
  slip_direction(t, t->w + at, direction);
  for (int k = 0; k < 3; k++) subtract_slip(direction, M + k, 3);
  return 3;
}

/* M^-1 into p->metric, softened, since M ends as zero where a contact sticks; K into p->weight. */
static int factor_bodies(fb_cones* p, const interior* t) {
  static const double SOFT = 1e-9;
  for (int i = 0; i < p->ncone; i++) {
    double M[9], *inverse = p->metric + 9 * (size_t)i, *K = p->weight + 9 * (size_t)i;
    const int rows = block_of(p, t, i, M);
    memset(inverse, 0, 9 * sizeof *inverse);
    memset(K, 0, 9 * sizeof *K);
    if (is_fixed(p, i, 0)) continue;
    for (int k = 0; k < rows; k++) M[4 * k] += SOFT;
    if (!fb_cones_invert_block(M, rows, inverse)) return 0;
    for (int k = 0; k < 3 * rows; k++) K[k] = stretch(p, i, k / 3) * inverse[k] * stretch(p, i, k % 3);
  }
  return fb_cones_condense(p, 1);
}

/* out += M^-1 (x - S J (1 + J^T K J)^-1 J^T S M^-1 x) */
static void add_solution(fb_cones* p, const double* x, double* out) {
  double *scaled = p->kept, *rates = p->trial;
  for (int i = 0; i < p->ncone; i++)
    for (int k = 0, at = p->first[i]; k < fb_cone_rows(&p->cones[i]); k++) {
      double sum = 0;
      for (int l = 0; l < fb_cone_rows(&p->cones[i]); l++) sum += p->metric[9 * i + 3 * k + l] * x[at + l];
      out[at + k] += sum;
      scaled[at + k] = stretch(p, i, k) * sum;
    }
  fb_cones_pass_bodies(p, scaled, rates);
  for (int i = 0; i < p->ncone; i++)
    for (int k = 0, at = p->first[i]; k < fb_cone_rows(&p->cones[i]); k++)
      for (int l = 0; l < fb_cone_rows(&p->cones[i]); l++)
        out[at + k] -= p->metric[9 * i + 3 * k + l] * stretch(p, i, l) * rates[at + l];
}

/* out -= (S A S + M) x; fixed rows have none. */
static void subtract_image(fb_cones* p, const interior* t, const double* x, double* out) {
  double *scaled = p->kept, *rates = p->trial;
  for (int i = 0; i < p->ncone; i++)
    for (int k = 0, at = p->first[i]; k < fb_cone_rows(&p->cones[i]); k++)
      scaled[at + k] = stretch(p, i, k) * x[at + k];
  fb_cones_product(p, scaled, rates);
  for (int i = 0; i < p->ncone; i++) {
    double M[9];
    const int at = p->first[i], rows = block_of(p, t, i, M);
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) {
      out[at + k] = is_fixed(p, i, k) ? 0 : out[at + k] - stretch(p, i, k) * rates[at + k];
      for (int l = 0; l < rows && k < rows && !is_fixed(p, i, k); l++)
        out[at + k] -= M[3 * k + l] * x[at + l];
    }
  }
}

/* x <- (S A S + M)^-1 x, corrected for what softens M and for rounding. */
static void solve_bodies(fb_cones* p, const interior* t, double* x) {
  enum { CORRECTIONS = 1 };
  const size_t size = (size_t)p->n * sizeof *x;
  double *left = p->u, *sum = p->dual;
  memset(sum, 0, size);
  memcpy(left, x, size);
  add_solution(p, left, sum);
  for (int i = 0; i < CORRECTIONS; i++) {
    memcpy(left, x, size);
    subtract_image(p, t, sum, left);
    add_solution(p, left, sum);
  }
  memcpy(x, sum, size);
}

/* A + (1 - s') T^2, factored. */
static int factor(fb_cones* p, const interior* t) {
  if (p->bodies) return factor_bodies(p, t);
  const size_t n = (size_t)p->n;
  for (int i = 0; i < p->ncone; i++)
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) {
      size_t at = (size_t)(p->first[i] + k);
      const double by = stretch(p, i, k);
      for (size_t j = 0; j < n; j++) p->square[at * n + j] = by * p->A[at * n + j];
      p->kept[at] = by;
    }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) p->square[i * n + j] *= p->kept[j];
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i], rows = is_lorentz(p, i) ? 3 : 1;
    double T[9] = {0}, direction[3];
    metric(p, t, i, T);
    if (rows == 3) {
      slip_direction(t, t->w + at, direction);
      for (int k = 0; k < 3; k++) subtract_slip(direction, T + k, 3);
    }
    for (int k = 0; k < rows; k++)
      for (int l = 0; l < rows; l++) p->square[(size_t)(at + k) * n + (size_t)(at + l)] += T[3 * k + l];
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++)
      if (is_fixed(p, i, k)) {
        memset(p->square + (size_t)(at + k) * n, 0, n * sizeof *p->square);
        p->square[(size_t)(at + k) * n + (size_t)(at + k)] = 1;
      }
  }
  return fb_lu_factor(p->square, p->n, p->rows) > 0;
}

/* The impulses of p, into P. */
static void impulses(const fb_cones* p, const interior* t, double* P) {
  for (int i = 0; i < p->ncone; i++)
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++)
      P[p->first[i] + k] = stretch(p, i, k) * t->p[p->first[i] + k];
}

/* How much w is off, into right with its sign turned. */
static void residual(const fb_cones* p, const interior* t, double* P, double* right) {
  impulses(p, t, P);
  fb_cones_velocity(p, P, right);
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++)
      right[at + k] = t->w[at + k] - stretch(p, i, k) * right[at + k];
    if (is_lorentz(p, i)) right[at] -= norm2(norm2(t->w[at + 1], t->w[at + 2]), t->blur);
  }
}

/* dp and dw from the factors and the heading. */
static void find_step(fb_cones* p, interior* t, double* P) {
  double* right = t->dp;
  residual(p, t, P, right);
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    double direction[3], d[3] = {t->d[at]};
    if (is_lorentz(p, i)) {
      slip_direction(t, t->w + at, direction);
      memcpy(d, t->d + at, sizeof d);
      subtract_slip(direction, d, 1);
    }
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++)
      right[at + k] = is_fixed(p, i, k) ? 0 : right[at + k] + d[k];
  }
  if (p->bodies)
    solve_bodies(p, t, right);
  else
    fb_lu_solve(p->square, p->n, p->rows, right, p->kept);
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i], rows = is_lorentz(p, i) ? 3 : 1;
    double T[9];
    metric(p, t, i, T);
    for (int k = 0; k < fb_cone_rows(&p->cones[i]); k++) {
      t->dw[at + k] = k < rows ? t->d[at + k] : 0;
      for (int l = 0; l < rows && k < rows; l++) t->dw[at + k] -= T[3 * k + l] * t->dp[at + l];
    }
    if (rows == 3 || is_fixed(p, i, 0)) continue;
    if (t->low[i] > 0) t->dlow[i] -= t->low[i] / (t->p[at] - p->lo[i]) * t->dp[at];
    if (t->high[i] > 0) t->dhigh[i] += t->high[i] / (p->hi[i] - t->p[at]) * t->dp[at];
  }
}

static double shorten(double x, double dx, double step_limit) {
  return dx < 0 && x < -dx * step_limit ? x / -dx : step_limit;
}

static double find_step_limit(const fb_cones* p, const interior* t) {
  double step_limit = 1;
  for (int i = 0; i < p->ncone; i++) {
    int at = p->first[i];
    if (is_lorentz(p, i)) {
      step_limit = fmin(step_limit, fb_lorentz_step_limit(t->p + at, t->dp + at));
      step_limit = fmin(step_limit, fb_lorentz_step_limit(t->w + at, t->dw + at));
    } else if (!is_fixed(p, i, 0)) {
      if (t->low[i] > 0) {
        step_limit = shorten(t->p[at] - p->lo[i], t->dp[at], step_limit);
        step_limit = shorten(t->low[i], t->dlow[i], step_limit);
      }
      if (t->high[i] > 0) {
        step_limit = shorten(p->hi[i] - t->p[at], -t->dp[at], step_limit);
        step_limit = shorten(t->high[i], t->dhigh[i], step_limit);
      }
    }
  }
  return step_limit;
}

static void advance(const fb_cones* p, interior* t, double by) {
  for (int i = 0; i < p->n; i++) {
    t->p[i] += by * t->dp[i];
    t->w[i] += by * t->dw[i];
  }
  for (int i = 0; i < p->ncone; i++) {
    if (is_lorentz(p, i)) continue;
    if (t->low[i] > 0) t->low[i] += by * t->dlow[i];
    if (t->high[i] > 0) t->high[i] += by * t->dhigh[i];
  }
}

/* One step; returns its length, 0 where the system was singular. */
static double step(fb_cones* p, interior* t, double* P) {
  const size_t size = (size_t)p->n * sizeof *t->dp, cones = (size_t)p->ncone * sizeof *t->dlow;
  const double mean = gap(p, t);
  t->blur = t->blurring * sqrt(mean);
  if (!factor(p, t)) return 0;
  memset(t->dp, 0, size);
  memset(t->dw, 0, size);
  memset(t->dlow, 0, cones);
  memset(t->dhigh, 0, cones);
  t->target = 0;
  set_heading(p, t);
  find_step(p, t, P);
  const double predicted = find_step_limit(p, t), left = 1 - predicted;
  t->target = mean * fmax(1e-4, left * left * left);
  if (predicted < 0.1) {
    /* Far from the central path the products of the step are not usable: return to it first. */
    memset(t->dp, 0, size);
    memset(t->dw, 0, size);
    memset(t->dlow, 0, cones);
    memset(t->dhigh, 0, cones);
  }
  set_heading(p, t);
  find_step(p, t, P);
  double step_limit = 0.99 * find_step_limit(p, t);
  if (!isfinite(step_limit)) return 0;
  advance(p, t, step_limit);
  /* Complementarity must not be reached before the velocities are right: from there no step makes progress. */
  for (int i = 0; i < 20 && gap(p, t) < 0.5 * (1 - step_limit) * mean; i++) {
    advance(p, t, -0.5 * step_limit);
    step_limit *= 0.5;
  }
  return step_limit;
}

static void follow(fb_cones* p, double* P, const struct attempt* attempt) {
  const size_t n = (size_t)p->n;
  double* room = p->path;
  interior t = {room,
                room + n,
                room + 2 * n,
                room + 3 * n,
                room + 4 * n,
                room + 5 * n,
                room + 6 * n,
                room + 7 * n,
                room + 8 * n,
                0,
                0,
                attempt->blurring};
  start(p, &t, attempt->start);
  for (int i = 1, idle = 0; i <= STEPS && p->limit > 0 && idle < 4; i++) {
    double step_limit = step(p, &t, P);
    if (step_limit == 0) return;
    idle = step_limit < 0.02 ? idle + 1 : 0;
    impulses(p, &t, P);
    double residual = fb_cones_keep(p, P, p->u, 1);
    if (fb_cones_done(p) || !isfinite(residual)) return;
    if (residual > 1e-4 || i % 4 != 0) continue;
    memcpy(p->other, P, n * sizeof *P);
    fb_cones_newton(p, p->other, 8);
    if (fb_cones_done(p)) return;
  }
}

void fb_cones_interior(fb_cones* p, double* P) {
  for (int i = 0; i < p->ncone; i++)
    if (p->cones[i].kind == FB_CONE_COULOMB && p->lo[i] > 0) return;
  for (size_t i = 0; i < sizeof ATTEMPTS / sizeof *ATTEMPTS && !fb_cones_done(p); i++) {
    if (i > 0 && p->bodies && p->best_residual <= CLOSE) return; /* a step has a bounded cost */
    follow(p, P, &ATTEMPTS[i]);
  }
}
