/* gjk.c -- the distance between two convex cores, by the algorithm of Gilbert, Johnson and Keerthi (1988).
 *
 * The point of A - B nearest to the origin is sought on simplices that grow by support points. When the simplex ends
 * as a triangle, the normal is that of the triangle: unlike the direction of a short distance it keeps all its digits
 * when the shapes nearly touch. Bounded: a round that comes no nearer is the last. */
#include <string.h>

#include "contact/shape/convex.h"
#include "math/vector3.h"

enum { ROUNDS = 128 };
static const double NO_DISTANCE = 1e-13; /* of the size: below it EPA gives the normal */

static int has_point(const fb_closest* c, const fb_minkowski* m) {
  for (int i = 0; i < c->count; i++)
    if (memcmp(c->s[i].w, m->w, sizeof m->w) == 0) return 1;
  return 0;
}

static void set_normal(fb_closest* c, const double v[3]) {
  const double length = length3(v);
  for (int i = 0; i < 3; i++) c->n[i] = v[i] / length;
  c->gap = length;
  if (c->count != 3) return;
  double e1[3], e2[3], n[3];
  for (int i = 0; i < 3; i++) {
    e1[i] = c->s[1].w[i] - c->s[0].w[i];
    e2[i] = c->s[2].w[i] - c->s[0].w[i];
  }
  cross3(e1, e2, n);
  const double area = copysign(length3(n), dot3(n, v));
  for (int i = 0; i < 3; i++) c->n[i] = n[i] / area;
  c->gap = dot3(c->n, c->s[0].w);
}

int fb_gjk(const fb_convex* a, const fb_convex* b, double tolerance, double limit, fb_closest* c) {
  double v[3], size = 0, last = INFINITY;
  for (int i = 0; i < 3; i++) v[i] = a->p[i] - b->p[i];
  if (is_zero3(v)) v[0] = 1;
  c->count = 0;
  fb_minkowski_support(a, b, v, &c->s[c->count++]);
  for (int round = 0; round < ROUNDS; round++) {
    size = fmax(size, length3(c->s[c->count - 1].w));
    if (fb_simplex_nearest(c, v)) return 0;
    const double distance = length3(v);
    if (distance <= NO_DISTANCE * size) return 0;
    if (!(distance < last)) break; /* no nearer: rounding */
    last = distance;
    fb_minkowski m;
    fb_minkowski_support(a, b, v, &m);
    const double at_least = dot3(m.w, v) / distance;
    if (at_least > limit || distance - at_least <= tolerance * size || has_point(c, &m)) break;
    c->s[c->count++] = m;
  }
  set_normal(c, v);
  return 1;
}
