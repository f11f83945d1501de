/* simplex.c -- the point of a simplex of up to four points that is nearest to the origin, and the face it is on.
 *
 * Every face that has the last point is tried, from the vertex to the tetrahedron; the one with the nearest point among
 * those whose weights are not negative is kept. Triangles are solved by cross products, which loses fewer digits than
 * normal equations: slivers are common near the end of GJK. [Ericson 2005, 5.1; Montanari, Petrinic, Barbieri 2017] */
#include <string.h>

#include "contact/shape/convex.h"
#include "math/vector3.h"

static void difference(const double x[3], const double y[3], double out[3]) {
  for (int i = 0; i < 3; i++) out[i] = x[i] - y[i];
}

/* Weights of the projection of the origin; 0 where one is negative or there is no such face. */
static int weights_of_edge(const double* w[], double weight[4]) {
  double e[3];
  difference(w[1], w[0], e);
  const double length2 = dot3(e, e);
  if (!(length2 > 0)) return 0;
  weight[1] = -dot3(w[0], e) / length2;
  weight[0] = 1 - weight[1];
  return weight[0] >= 0 && weight[1] >= 0;
}

static int weights_of_triangle(const double* w[], double weight[4]) {
  double e1[3], e2[3], n[3], c[3];
  difference(w[1], w[0], e1);
  difference(w[2], w[0], e2);
  cross3(e1, e2, n);
  const double area2 = dot3(n, n);
  if (!(area2 > 1e-30 * dot3(e1, e1) * dot3(e2, e2))) return 0;
  for (int i = 0; i < 3; i++) {
    cross3(w[(i + 1) % 3], w[(i + 2) % 3], c);
    weight[i] = dot3(c, n) / area2;
    if (!(weight[i] >= 0)) return 0;
  }
  return 1;
}

/* det [x - o, y - o, z - o] */
static double volume(const double o[3], const double x[3], const double y[3], const double z[3]) {
  double M[9];
  difference(x, o, M);
  difference(y, o, M + 3);
  difference(z, o, M + 6);
  return det3x3(M);
}

static int weights_of_tetrahedron(const double* w[], double weight[4]) {
  static const double zero[3] = {0, 0, 0};
  const double all = volume(w[0], w[1], w[2], w[3]);
  if (all == 0) return 0;
  weight[0] = volume(zero, w[1], w[2], w[3]) / all;
  weight[1] = volume(w[0], zero, w[2], w[3]) / all;
  weight[2] = volume(w[0], w[1], zero, w[3]) / all;
  weight[3] = volume(w[0], w[1], w[2], zero) / all;
  for (int i = 0; i < 4; i++)
    if (!(weight[i] >= 0)) return 0;
  return 1;
}

static int weights_of(const double* w[], int count, double weight[4]) {
  weight[0] = 1;
  return count == 1   ? 1
         : count == 2 ? weights_of_edge(w, weight)
         : count == 3 ? weights_of_triangle(w, weight)
                      : weights_of_tetrahedron(w, weight);
}

static void point_of(const double* w[], int count, const double weight[4], double v[3]) {
  memset(v, 0, 3 * sizeof *v);
  for (int i = 0; i < count; i++) add_scaled3(v, weight[i], w[i]);
}

/* Keeps the points of the simplex that are in the set of bits. */
static void keep(fb_closest* c, int bits) {
  int count = 0;
  for (int i = 0; i < c->count; i++)
    if (bits >> i & 1) c->s[count++] = c->s[i];
  c->count = count;
}

int fb_simplex_nearest(fb_closest* c, double v[3]) {
  const int last = 1 << (c->count - 1);
  double least = INFINITY;
  int best = last;
  for (int bits = last; bits < 2 * last; bits++) {
    const double* w[4];
    double weight[4], x[3];
    int count = 0;
    for (int i = 0; i < c->count; i++)
      if (bits >> i & 1) w[count++] = c->s[i].w;
    if (!weights_of(w, count, weight)) continue;
    point_of(w, count, weight, x);
    const double distance2 = count == 4 ? 0 : dot3(x, x);
    if (!(distance2 < least)) continue;
    least = distance2;
    best = bits;
    memcpy(v, x, 3 * sizeof *v);
    memcpy(c->weight, weight, sizeof c->weight);
  }
  keep(c, best);
  return c->count == 4;
}
