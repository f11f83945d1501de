/* crossing.c -- TEMPORARY: replaced by the search inside steps. */
#include "sim/crossing.h"

#include <float.h>
#include <math.h>

static int sign_of(double x) {
  return (x > 0) - (x < 0);
}

fb_status fb_crossing_find(fb_sim* s, const fb_watch* w, double t1, double* root, fb_error* error) {
  double a = s->t0, b = t1, xa, xb;
  *root = INFINITY;
  fb_status status = w->value(s, w->index, b, s->y1, &xb, error);
  if (status || sign_of(xb) == 0 || sign_of(xb) == w->side || (w->direction && sign_of(xb) != w->direction))
    return status;
  xa = w->side * DBL_MIN;
  for (int i = 0; i < 200 && b - a > fmax(4 * DBL_EPSILON * fabs(b), 1e-12); i++) {
    double t = a + 0.5 * (b - a), x;
    status = s->stepper.at(s->stepper.self, s, t, s->y_root, error);
    if (!status) status = w->value(s, w->index, t, s->y_root, &x, error);
    if (status) return status;
    if (sign_of(x) == sign_of(xb))
      b = t;
    else
      a = t;
  }
  (void)xa;
  *root = b;
  return FB_OK;
}
