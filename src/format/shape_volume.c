/* shape_volume.c -- solid shapes of mass m, edges or radii a b c, radius r, half length h along z:
 *   box        m/12 (b^2 + c^2)          ellipsoid  m/5 (b^2 + c^2)
 *   cylinder   m/2 r^2 about z, m/12 (3 r^2 + 4 h^2) across
 *   capsule    a cylinder, and two half spheres of 3/8 r from their faces to their centres */
#include "format/shape_volume.h"

static const double PI = 3.14159265358979323846;

double fb_shape_volume(const fb_shape_def* shape, double I[3]) {
  const double *s = shape->size, r = s[0], h = s[1] / 2;
  double V, across, ball;
  switch (shape->kind) {
    case FB_SHAPE_SPHERE:
      V = 4.0 / 3 * PI * r * r * r;
      I[0] = I[1] = I[2] = 0.4 * V * r * r;
      return V;
    case FB_SHAPE_ELLIPSOID:
      V = 4.0 / 3 * PI * s[0] * s[1] * s[2];
      for (int i = 0; i < 3; i++)
        I[i] = V / 5 * (s[(i + 1) % 3] * s[(i + 1) % 3] + s[(i + 2) % 3] * s[(i + 2) % 3]);
      return V;
    case FB_SHAPE_BOX:
      V = s[0] * s[1] * s[2];
      for (int i = 0; i < 3; i++)
        I[i] = V / 12 * (s[(i + 1) % 3] * s[(i + 1) % 3] + s[(i + 2) % 3] * s[(i + 2) % 3]);
      return V;
    case FB_SHAPE_CYLINDER:
    case FB_SHAPE_CAPSULE:
      V = 2 * PI * r * r * h;
      across = V / 12 * (3 * r * r + 4 * h * h);
      I[0] = I[1] = across;
      I[2] = V / 2 * r * r;
      if (shape->kind == FB_SHAPE_CYLINDER) return V;
      ball = 4.0 / 3 * PI * r * r * r;
      I[0] = I[1] = across + ball * (0.4 * r * r + h * h + 0.75 * r * h);
      I[2] += 0.4 * ball * r * r;
      return V + ball;
    default:
      I[0] = I[1] = I[2] = 0;
      return 0;
  }
}
