/* curvature.c -- adds the curvature of two surfaces that touch: the quadratic forms of their heights over the tangent plane. */
#include <math.h>

#include "contact/shape/curvature.h"
#include "math/vector3.h"

/* Of `b` along the unit tangent t, where its first curvature is finite. */
static double along(const fb_curvature* b, const double t[3]) {
  const double x = dot3(b->t[0], t), y = dot3(b->t[1], t);
  return b->k[0] * x * x + b->k[1] * y * y;
}

/* `edge` has an infinite curvature along t[0]: what is left is along t[1]. */
static void add_to_edge(const fb_curvature* edge, const fb_curvature* other, double curvature[2]) {
  curvature[0] = INFINITY;
  if (isinf(other->k[0]))
    curvature[1] = fabs(dot3(edge->t[0], other->t[1])) > 1e-9 ? INFINITY : edge->k[1] + other->k[1];
  else
    curvature[1] = edge->k[1] + along(other, edge->t[1]);
}

void fb_curvature_add(const fb_curvature* a, const fb_curvature* b, double curvature[2]) {
  if (isinf(a->k[0])) {
    add_to_edge(a, b, curvature);
  } else if (isinf(b->k[0])) {
    add_to_edge(b, a, curvature);
  } else {
    const double *u = a->t[0], *v = a->t[1];
    const double xx = a->k[0] + along(b, u), yy = a->k[1] + along(b, v);
    const double xy =
        b->k[0] * dot3(b->t[0], u) * dot3(b->t[0], v) + b->k[1] * dot3(b->t[1], u) * dot3(b->t[1], v);
    const double mean = (xx + yy) / 2, half = norm2((xx - yy) / 2, xy);
    curvature[0] = mean + half;
    curvature[1] = mean - half;
  }
}
