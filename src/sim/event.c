/* event.c -- instants at which something happens
 *
 * Time events end a step by themselves (step.c). A crossing is looked for after each step: when its signal has
 * changed sides, the root of  signal(t) - level  is sought on the step's own solution (fb_stepper.at: a shorter
 * step from the same start, or the dense output), by bisection and secants that keep a bracket (Illinois), until
 * the bracket is no wider than max(4 ulp(t), 1e-12 s). The step then ends at the far end of the bracket, where the
 * signal has just passed. The side is remembered, so that a root is not found twice. A signal that jumps over its
 * level, at an edge, a tick or by another event's action, has passed it too, at that instant. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

double fb_event_next_time(const fb_sim* s, int event) {
  const fb_event* e = &s->events[event];
  if (e->kind != FB_AT_TIME || (s->fired[event] > 0 && (e->once || !(e->period > 0)))) return INFINITY;
  return e->time + (double)s->fired[event] * e->period;
}

static int watches(const fb_sim* s, int event) {
  const fb_event* e = &s->events[event];
  return e->kind == FB_AT_CROSSING && !(e->once && s->fired[event] > 0);
}

static fb_status level_at(fb_sim* s, int event, double t, const double* y, double* out, fb_error* error) {
  s->probing = 1; /* what is only tried is no peak */
  fb_status status = fb_signal_eval(s, t, y, &s->events[event].signal, 1, out, error);
  s->probing = 0;
  *out -= s->events[event].level;
  return status;
}

/* Whether the event's signal at x has passed its level in a direction that counts. */
static int passed(const fb_sim* s, int event, double x) {
  int now = sign_of(x), before = s->side[event], direction = s->events[event].direction;
  return now != 0 && before != 0 && now != before && (direction == 0 || direction == now);
}

/* The far end of a bracket [a, b] of the root, xa and xb of opposite signs. */
static fb_status find_root(fb_sim* s, int event, double a, double xa, double b, double xb, double* root,
                           fb_error* error) {
  int kept = 0; /* which end has stayed: -1 a, +1 b */
  for (int i = 0; i < 200 && b - a > fmax(4 * DBL_EPSILON * fabs(b), 1e-12); i++) {
    double t = b - xb * (b - a) / (xb - xa);
    /* Every third time halve, so that the bracket shrinks whatever the signal does. */
    if (i % 3 == 2 || !(t > a && t < b)) t = a + 0.5 * (b - a);
    double x;
    fb_status status = s->stepper.at(s->stepper.self, s, t, s->y_root, error);
    if (!status) status = level_at(s, event, t, s->y_root, &x, error);
    if (status) return status;
    if (sign_of(x) == sign_of(xb)) {
      b = t;
      xb = x;
      if (kept == -1) xa *= 0.5;
      kept = -1;
    } else {
      a = t;
      xa = x;
      if (kept == 1) xb *= 0.5;
      kept = 1;
    }
  }
  *root = b;
  return FB_OK;
}

/* Where the signal stood at the start of the step, on the side remembered. */
static fb_status level_before(fb_sim* s, int event, double* x, fb_error* error) {
  fb_status status = level_at(s, event, s->t0, s->y0, x, error);
  if (sign_of(*x) != s->side[event]) *x = s->side[event] * DBL_MIN; /* it stands on the level */
  return status;
}

fb_status fb_events_locate(fb_sim* s, double* t1, fb_error* error) {
  double first = *t1;
  for (int i = 0; i < s->nevent; i++) {
    if (!watches(s, i)) continue;
    double x0, x1, root = *t1;
    fb_status status = level_at(s, i, *t1, s->y1, &x1, error);
    if (status) return status;
    if (!passed(s, i, x1)) continue;
    status = level_before(s, i, &x0, error);
    if (!status) status = find_root(s, i, s->t0, x0, *t1, x1, &root, error);
    if (status) return status;
    first = fmin(first, root);
  }
  if (first == *t1) return FB_OK;
  *t1 = first;
  return s->stepper.at(s->stepper.self, s, first, s->y1, error);
}

static fb_status happen(fb_sim* s, int event, int* acted, fb_error* error) {
  const fb_event* e = &s->events[event];
  s->fired[event]++;
  s->happened[event] = 1;
  s->happenings[s->nhappening++] = (fb_happening){event, s->head->t};
  if (!e->act) return FB_OK;
  *acted = 1;
  fb_status status = e->act(e->user, s, error);
  if (!status || !error) return status;
  fb_error own = *error;
  fb_fail(error, status, "at t = %.9g s, event \"%s\": %s", s->head->t, e->name, own.text);
  fb_error_set_place(error, own.file, own.path, own.place);
  return status;
}

/* Of events that watch no signal. */
static unsigned char is_due(const fb_sim* s, int event, double t) {
  const fb_event* e = &s->events[event];
  if (e->kind == FB_AT_LIMIT && !(e->once && s->fired[event] > 0)) return s->phases[e->limit] >> e->phase & 1;
  return e->kind == FB_AT_TIME && fb_event_next_time(s, event) <= t + fb_time_slack(t);
}

/* Which events are due now, and on which side every watched signal is. */
static fb_status find_due(fb_sim* s, fb_error* error) {
  double t = s->head->t, x;
  for (int i = 0; i < s->nevent; i++) {
    s->due[i] = is_due(s, i, t);
    if (!watches(s, i)) continue;
    fb_status status = level_at(s, i, t, s->y, &x, error);
    if (status) return status;
    s->due[i] = passed(s, i, x) != 0;
    if (sign_of(x) != 0) s->side[i] = sign_of(x);
    if (s->side[i] == 0) s->side[i] = -s->events[i].direction; /* a start on the level: as if it came to it */
  }
  return FB_OK;
}

fb_status fb_events_act(fb_sim* s, int* acted, fb_error* error) {
  fb_status status = find_due(s, error);
  for (int i = 0; i < s->nevent && !status; i++)
    if (s->due[i] && !s->happened[i]) status = happen(s, i, acted, error); /* once an instant */
  return status;
}
