/* growth_event.c -- the estimated error at events, which come later in the neighbouring motion, at jumps, ticks and joins
 * (growth.c). */
#include <math.h>
#include <string.h>

#include "sim/accuracy/growth.h"
#include "sim/flow.h"

/* ---- events ---- */

/* Rates of e at s->y into s->error.off_local; 0: there are none. */
static int find_rates(fb_sim* s) {
  fb_error none;
  double *rate = s->error.off_local, *ydot = s->error.off_state;
  if (fb_flow(s, s->head->t, s->y, ydot, &none)) return 0;
  memcpy(rate, s->y + s->nq, (size_t)s->nv * sizeof *rate);
  memcpy(rate + s->nv, s->vdot, (size_t)s->nv * sizeof *rate);
  memcpy(rate + 2 * s->nv, ydot + s->nq + s->nv, (size_t)s->nx * sizeof *rate);
  return 1;
}

/* e += part rates */
static void shift(fb_sim* s, double part) {
  for (int i = 0; i < 2 * s->nv + s->nx; i++) s->error.off[i] += part * s->error.off_local[i];
}

/* How much later the event that ended the step happens in the neighbouring motion, with the rates in
 * s->error.off_local. [s] */
static double find_delay(fb_sim* s) {
  static const double LONG = 1e-4, SHORT = 1e-9, ROUNDING = 1e-12;
  const fb_zero* zero = &s->error.zero;
  double x, neighbour, later, sigma = fb_growth_scale(s, s->y),
                              time = fmax(LONG * (s->head->t - s->step.t0), SHORT);
  fb_error none;
  if (!(sigma > 0)) sigma = 1; /* it is zero */
  fb_growth_move(s, s->y, s->error.off, sigma, s->error.y_neighbour);
  fb_growth_move(s, s->y, s->error.off_local, time, s->error.y_neighbour_1);
  if (zero->value(s, zero->index, s->head->t, s->y, &x, &none)) return 0;
  if (zero->value(s, zero->index, s->head->t, s->error.y_neighbour, &neighbour, &none)) return 0;
  if (zero->value(s, zero->index, s->head->t + time, s->error.y_neighbour_1, &later, &none)) return 0;
  double speed = (later - x) / time;
  return fabs(later - x) > ROUNDING * fabs(x) && speed != 0 ? -((neighbour - x) / sigma + x) / speed : 0;
}

void fb_growth_event_begin(fb_sim* s) {
  s->error.delay = 0;
  if (!s->error.zero.value || s->stepper.traits.time_stepping || !fb_growth_follows(s) || !find_rates(s))
    return;
  s->error.delay = find_delay(s);
  if (!find_rates(s)) return; /* the value may have evaluated the flow elsewhere */
  shift(s, s->error.delay);
}

int fb_growth_is_sure(fb_sim* s, const fb_zero* value, double x) {
  double neighbour, sigma = fb_growth_follows(s) ? fb_growth_scale(s, s->y) : 0;
  if (!(sigma > 0) || s->stepper.traits.time_stepping) return 1;
  fb_growth_displace(s, s->y, sigma, s->error.y_neighbour);
  return !value->value(s, value->index, s->head->t, s->error.y_neighbour, &neighbour, NULL) &&
         fabs(x) > fabs(neighbour - x) / sigma;
}

void fb_growth_doubt_event(fb_sim* s, int event) {
  if (!fb_growth_follows(s)) return;
  s->error.head->unsure = event + 1;
  fb_growth_lose(s);
}

void fb_growth_event_end(fb_sim* s) {
  s->error.zero.value = NULL;
  if (s->error.delay == 0 || !fb_growth_follows(s)) return;
  if (find_rates(s)) shift(s, -s->error.delay);
  s->error.delay = 0;
}

/* Rates that rebound change in proportion to themselves; others are given. */
double fb_growth_jump_begin(fb_sim* s, const unsigned char* prescribed, const double* dv, double* neighbour) {
  double sigma = fb_growth_follows(s) ? fb_growth_scale(s, s->y) : 0;
  if (!(sigma > 0)) return 0;
  fb_growth_move(s, s->y, s->error.off, sigma, s->error.y_neighbour);
  for (int k = 0; k < s->nv; k++) {
    double v = s->y[s->nq + k], back = v != 0 ? -dv[k] / v : 1;
    if (!(back >= 0 && back <= 2)) back = 1;
    neighbour[k] = prescribed[k] && dv[k] != 0 ? dv[k] - back * sigma * s->error.off[s->nv + k] : dv[k];
  }
  return sigma;
}

void fb_growth_jump_end(fb_sim* s, double sigma, const double* dv, const double* neighbour) {
  for (int k = 0; sigma > 0 && k < s->nv; k++) s->error.off[s->nv + k] += (neighbour[k] - dv[k]) / sigma;
}

/* ---- ticks, joins, partings ---- */

double fb_growth_neighbour(fb_sim* s) {
  double sigma = fb_growth_follows(s) ? fb_growth_scale(s, s->y) : 0;
  if (sigma > 0) fb_growth_displace(s, s->y, sigma, s->error.y_neighbour);
  return sigma;
}

void fb_growth_tick_end(fb_sim* s, double sigma, fb_status status) {
  if (!(sigma > 0)) return;
  if (status) {
    fb_growth_lose(s);
    return;
  }
  double* e = s->error.off + 2 * s->nv;
  for (int i = 0; i < s->nx; i++)
    e[i] = (s->error.y_neighbour[s->nq + s->nv + i] - s->y[s->nq + s->nv + i]) / sigma;
  for (int i = 0; i < s->block.nmemory; i++) /* some of it may be infinite: times that never come */
    e[s->nx + i] = s->error.memory_neighbour[i] == s->block.memory[i]
                       ? 0
                       : (s->error.memory_neighbour[i] - s->block.memory[i]) / sigma;
}

void fb_growth_carry(fb_sim* s, const fb_sim* old, const double* q, const double* v, double sigma) {
  if (!fb_growth_follows(old)) return;
  if (isnan(sigma)) fb_growth_lose(s);
  if (!(sigma > 0)) return;
  double* y = s->error.y_neighbour;
  memcpy(y, s->y, (size_t)s->ny * sizeof *y);
  memcpy(y, q, (size_t)s->nq * sizeof *y);
  memcpy(y + s->nq, v, (size_t)s->nv * sizeof *y);
  fb_growth_add_difference(s, y, s->y, 1 / sigma, s->error.off);
  memcpy(s->error.off + 2 * s->nv, old->error.off + 2 * old->nv,
         (size_t)(fb_growth_length(s) - 2 * s->nv) * sizeof *y);
}
