/* crossing_slope.c -- whether values and slopes at the ends of a step exclude a crossing: methods without dense
 * output. */
#include <math.h>
#include <string.h>

#include "sim/event/search.h"

enum { KNOWN_Q = 1, KNOWN_WHOLE = 2 }; /* fb_sim.known.neighbour */

static double near_time(const fb_sim* s, int end) {
  double aside = 1e-3 * (s->probe.known.t1 - s->step.t0);
  return end ? s->probe.known.t1 - aside : s->step.t0 + aside;
}

/* y' at an end of the step into s->probe.rate, as far as the value depends on it. The count of evaluations is not
 * changed, since this is not a step. */
static fb_status find_rates(const fb_search* f, double t, const double* y) {
  fb_sim* s = f->s;
  if (!f->watch->dynamic) {
    memset(s->probe.rate, 0, (size_t)s->ny * sizeof *y);
    fb_sim_q_rate(s, y, y + s->nq, s->probe.rate);
    return FB_OK;
  }
  long long evaluations = s->head->evaluations;
  fb_status status = fb_sim_rate(s, t, y, s->probe.rate, f->error);
  s->head->evaluations = evaluations;
  return status;
}

/* The state a thousandth of the step inside one of its ends, on the tangent there. */
static void put_near(fb_sim* s, int end) {
  const double* y = end ? s->y1 : s->y0;
  double t = end ? s->probe.known.t1 : s->step.t0, aside = near_time(s, end) - t;
  for (int i = 0; i < s->ny; i++) fb_probe_neighbour(s, end)[i] = y[i] + aside * s->probe.rate[i];
  fb_sim_project(s, t + aside, fb_probe_neighbour(s, end));
}

/* From s->probe.rate at the start of the step, what it is at the end for a method of order one: for euler it stays; for
 * semi_implicit accelerations a stay, and q = q0 + v0 h + a h^2, so that q' = 2 v1 - v0. */
static void carry_rates(fb_sim* s) {
  const double *v0 = s->y0 + s->nq, *v1 = s->y1 + s->nq;
  double *v = fb_probe_neighbour(s, 1), share = s->stepper.traits.velocity_first ? 2 : 0;
  for (int k = 0; k < s->nv; k++) v[k] = v0[k] + share * (v1[k] - v0[k]);
  fb_sim_q_rate(s, s->y1, v, s->probe.rate);
}

/* Makes sure that fb_probe_neighbour(s, end) is known, as far as the value depends on it. */
static fb_status find_near(const fb_search* f, int end) {
  fb_sim* s = f->s;
  int wanted = f->watch->dynamic ? KNOWN_WHOLE : KNOWN_Q;
  if (s->probe.known.neighbour[end] >= wanted) return FB_OK;
  int both = s->stepper.traits.order == 1, first = both ? 0 : end;
  fb_status status = find_rates(f, first ? s->probe.known.t1 : s->step.t0, first ? s->y1 : s->y0);
  if (status) return status;
  put_near(s, first);
  s->probe.known.neighbour[first] = wanted;
  if (!both) return FB_OK;
  carry_rates(s);
  put_near(s, 1);
  s->probe.known.neighbour[1] = wanted;
  return FB_OK;
}

/* The rate of the value at an end of the step. */
static fb_status find_slope(const fb_search* f, int end, const fb_search_point* p, double* slope) {
  fb_sim* s = f->s;
  double t = near_time(s, end), x = NAN;
  fb_status status = find_near(f, end);
  if (!status) status = f->watch->value(s, f->watch->index, t, fb_probe_neighbour(s, end), &x, f->error);
  *slope = (x - p->x) / (t - p->t);
  return status;
}

/* The least distance from zero of the cubic x0 + (x1 - x0) u + u (1 - u) (a (1 - u) - b u) comes in (0, 1), from a
 * side. */
static double nearest_of_cubic(double x0, double x1, double a, double b, int side) {
  /* Its slope is x1 - x0 + a - 2 (2 a + b) u + 3 (a + b) u^2. */
  double nearest = fmin(side * x0, side * x1), A = 3 * (a + b), B = 2 * a + b, C = x1 - x0 + a;
  double under = B * B - A * C;
  if (!(under > 0)) return nearest;
  double q = B + (B > 0 ? sqrt(under) : -sqrt(under)), roots[2] = {q / A, C / q};
  for (int i = 0; i < 2; i++) {
    double u = roots[i];
    if (!(u > 0 && u < 1)) continue;
    nearest = fmin(nearest, side * (x0 + (x1 - x0) * u + u * (1 - u) * (a * (1 - u) - b * u)));
  }
  return nearest;
}

fb_status fb_search_is_plain(fb_search* f, const fb_search_point* a, const fb_search_point* b, int* plain) {
  double h = b->t - a->t, rise = b->x - a->x, *slopes = f->slopes;
  fb_status status = FB_OK;
  if (isnan(slopes[0])) status = find_slope(f, 0, a, &slopes[0]);
  if (!status) status = find_slope(f, 1, b, &slopes[1]);
  if (status) return status;
  double bend_a = h * slopes[0] - rise, bend_b = h * slopes[1] - rise;
  double bulge = 4.0 / 27 * (fabs(bend_a) + fabs(bend_b));
  if (fb_sign(a->x) * fb_sign(b->x) < 0 || f->side == 0) {
    /* Monotone, with a margin: both slopes fb_search_point from a to b and are at most twice the chord's. */
    *plain = rise * (rise + bend_a) > 0 && rise * (rise + bend_b) > 0 &&
             fmax(fabs(bend_a), fabs(bend_b)) < fabs(rise);
    return FB_OK;
  }
  int side = fb_sign(b->x) ? fb_sign(b->x) : fb_sign(a->x);
  double near = fmin(side * a->x, side * b->x);
  *plain = near > 1.125 * bulge || nearest_of_cubic(a->x, b->x, bend_a, bend_b, side) > 0.125 * bulge;
  return FB_OK;
}
