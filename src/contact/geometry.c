/* geometry.c -- geometries: what all kinds share. */
#include <math.h>
#include <stdlib.h>

#include "contact/geometry.h"

const char* fb_geometry_maker(fb_geometry_kind kind) {
  static const char* const makers[] = {"nothing", "fb_geometry_mesh", "fb_geometry_hull",
                                       "fb_geometry_heights"};
  return makers[kind];
}

double fb_geometry_radius(const fb_geometry* g, const double scale[3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++) {
    const double most = scale[i] * fmax(fabs(g->low[i]), fabs(g->high[i]));
    sum = hypot(sum, most);
  }
  return sum;
}

void fb_geometry_free(fb_geometry* g) {
  if (!g) return;
  free(g->vertex);
  free(g->triangle);
  free(g->across);
  free(g->facet);
  free(g->order);
  free(g->node);
  free(g->height);
  free(g);
}
