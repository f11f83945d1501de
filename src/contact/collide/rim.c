/* rim.c -- the points of a cylinder that touch a flat face: of a wheel the lowest points of its two rims, of a cylinder
 * that stands on a cap four points of the rim.
 *
 * A leaning cylinder has one lowest point on each rim. At rest on a cap that point runs around the rim at the least
 * motion, so a cap that is flat to 3 degrees gives four points a quarter apart instead. They are turned so that one
 * of them is the lowest, which makes the gap exact; below a lean of 1e-3 they turn smoothly to the x and y axes of
 * the body, and the gap is exact to 1e-4 of the radius (FB_RIM_ERROR). The lowest point of an exact rim runs around
 * it as the rate of the lean over the lean, and the forces that follow it grow likewise: a ring that settles flat
 * would need ever shorter steps. Features: 0, 1 the lowest points of the rims at -z and +z; 2 ... 5 and 6 ... 9 the
 * quarters of the one and the other.
 *
 * For compliant laws the quarters fade into the lowest points between leans of 0.05 and 0.1. */
#include "contact/shape/shape.h"
#include "math/vector3.h"
#include <freebody/rotation.h>

static const double FLAT = 0.05, STILL = 3e-4, TURNED = 1e-3; /* sines of the lean of the cap */
static const double PARALLEL = 1e-9;                          /* sine between the wheel's axis and the face */
static const double QUARTER = 1.57079632679489661923;

static void add_rim_point(const fb_shape* s, int end, double c, double d, int feature, fb_rim* rim) {
  const double y[3] = {s->size[0] * c, s->size[0] * d, (end ? 0.5 : -0.5) * s->size[1]};
  fb_shape_out(s, y, rim->point[rim->count]);
  rim->feature[rim->count++] = feature;
}

double fb_smooth_step(double x) {
  const double t = fmax(0, fmin(1, x));
  return t * t * (3 - 2 * t);
}

/* Where the quarter that is nearest to `angle` is turned to, from the axes of the body. */
static double turn_of(double angle, double lean) {
  return fb_smooth_step((lean - STILL) / (TURNED - STILL)) * (angle - round(angle / QUARTER) * QUARTER);
}

static void add_quarters(const fb_shape* s, int end, double angle, double lean, fb_rim* rim) {
  const double nearest = round(angle / QUARTER), turn = turn_of(angle, lean);
  for (int k = 0; k < 4; k++) {
    const int quarter = ((int)nearest + k) & 3;
    const double at = quarter * QUARTER + turn;
    add_rim_point(s, end, cos(at), sin(at), 2 + 4 * end + quarter, rim);
  }
}

static void add_ends(const fb_shape* s, const double n[3], fb_rim* rim) {
  const double lean = norm2(n[0], n[1]);
  for (int end = 0; end < 2; end++) add_rim_point(s, end, -n[0] / lean, -n[1] / lean, end, rim);
}

void fb_cylinder_rim(const fb_shape* s, const double up[3], fb_rim* rim) {
  double n[3];
  fb_rot_apply_transpose(s->R, up, n);
  const double lean = norm2(n[0], n[1]), r = s->size[0];
  rim->count = 0;
  rim->curvature[0] = fabs(n[2]) < PARALLEL ? 1 / r : INFINITY;
  rim->curvature[1] = fabs(n[2]) < PARALLEL ? 0 : lean / r;
  if (lean < FLAT) {
    add_quarters(s, n[2] < 0, atan2(-n[1], -n[0]), lean, rim);
  } else {
    add_ends(s, n, rim);
  }
}

double fb_cylinder_rolls(const double R[9], const double up[3]) {
  double n[3];
  fb_rot_apply_transpose(R, up, n);
  return fb_smooth_step((norm2(n[0], n[1]) - FLAT) / FLAT);
}

void fb_cylinder_quarters(const fb_shape* s, const double up[3], double turn[2], fb_rim* rim) {
  double n[3];
  fb_rot_apply_transpose(s->R, up, n);
  const double lean = norm2(n[0], n[1]), angle = atan2(-n[1], -n[0]), at = turn_of(angle, lean);
  rim->count = 0;
  turn[0] = cos(at);
  turn[1] = sin(at);
  add_quarters(s, n[2] < 0, angle, lean, rim);
}

void fb_cylinder_ends(const fb_shape* s, const double up[3], fb_rim* rim) {
  double n[3];
  fb_rot_apply_transpose(s->R, up, n);
  rim->count = 0;
  add_ends(s, n, rim);
}
