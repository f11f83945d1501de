/* collide_rig.h -- shapes, places and an oracle for the tests of contact geometry. Include after cmocka.h.
 *
 * The oracle needs only how far a convex shape extends along a direction, h(n) = max n.x. With gap(n) = -h_a(-n) - h_b(n), the
 * signed gap between two convex shapes is the largest gap(n) of all unit n, whether they penetrate or not. */
#ifndef FB_TESTS_COLLIDE_RIG_H
#define FB_TESTS_COLLIDE_RIG_H

#include <stdlib.h>

#include <freebody/freebody.h>

#include "math/vector3.h"
#include "near.h"
#include "random.h"

/* A collider at a place. */
typedef struct placed {
  fb_collider c;
  fb_placement at;
} placed;

static inline fb_collider collider_of(fb_collider_kind kind, double x, double y, double z) {
  fb_collider c = fb_default_collider();
  c.kind = kind;
  c.size[0] = x;
  c.size[1] = y;
  c.size[2] = z;
  return c;
}

static inline placed placed_at(fb_collider c, const double p[3], const double rpy[3]) {
  placed s = {.c = c};
  memcpy(s.at.p, p, sizeof s.at.p);
  fb_rot_from_rpy(rpy, s.at.R);
  return s;
}

static inline void place_randomly(fb_random* r, double within, fb_placement* at) {
  double q[4];
  random_quat(r, q);
  fb_rot_from_quat(q, at->R);
  random_fill(r, -within, within, 3, at->p);
}

static inline int touch_all(const placed* a, const placed* b, double max_gap,
                            fb_contact_point touches[FB_MAX_CONTACT_POINTS]) {
  return fb_collider_contact_points(&a->c, &a->at, &b->c, &b->at, max_gap, touches, FB_MAX_CONTACT_POINTS);
}

static inline double gap_of(const placed* a, const placed* b) {
  return fb_collider_gap(&a->c, &a->at, &b->c, &b->at);
}

/* The corners that the tests give to hulls. */
typedef struct cloud {
  int count;
  const double (*point)[3];
} cloud;

/* max n.x over a convex shape in its own axes. */
static inline double extent(const fb_collider* c, const cloud* corners, const double n[3]) {
  const double* s = c->size;
  switch (c->kind) {
    case FB_COLLIDER_SPHERE:
      return s[0];
    case FB_COLLIDER_CAPSULE:
      return s[0] + s[1] / 2 * fabs(n[2]);
    case FB_COLLIDER_CYLINDER:
      return s[0] * hypot(n[0], n[1]) + s[1] / 2 * fabs(n[2]);
    case FB_COLLIDER_BOX:
      return (s[0] * fabs(n[0]) + s[1] * fabs(n[1]) + s[2] * fabs(n[2])) / 2;
    case FB_COLLIDER_ELLIPSOID:
      return hypot(hypot(s[0] * n[0], s[1] * n[1]), s[2] * n[2]);
    case FB_COLLIDER_HULL: {
      double most = -INFINITY;
      for (int i = 0; corners && i < corners->count; i++) {
        const double* x = corners->point[i];
        most = fmax(most, n[0] * s[0] * x[0] + n[1] * s[1] * x[1] + n[2] * s[2] * x[2]);
      }
      return most;
    }
    default:
      return 0;
  }
}

static inline double extent_at(const placed* a, const cloud* corners, const double n[3]) {
  double local[3];
  fb_rot_apply_transpose(a->at.R, n, local);
  return dot3(a->at.p, n) + extent(&a->c, corners, local);
}

/* The gap along n, from b to a. */
static inline double gap_along(const placed* a, const placed* b, const cloud* corners, const double n[3]) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  return -extent_at(a, corners, back) - extent_at(b, corners, n);
}

static inline void random_direction(fb_random* r, double n[3]) {
  double length;
  do {
    random_fill(r, -1, 1, 3, n);
    length = norm3(n);
  } while (length > 1 || length < 0.1);
  for (int i = 0; i < 3; i++) n[i] /= length;
}

#endif
