/* touch_fast.c -- bodies that pass one another within a step
 *
 *   |d gap / dt| <= max |v_a - v| + |w_a| r_a  +  max |v_b - v| + |w_b| r_b
 *
 * over the colliders of both sides of a contact, each with the velocity of its origin and a sphere of the radius r around it;
 * v is the velocity of one of them, so that what moves together counts as slow. Planes and height fields are left out: all
 * below them is solid, and nothing comes out at the other side. Cost: O(na + nb), and one more look at the poses at each end
 * of the step. */
#include <math.h>

#include <freebody/kinematics.h>

#include "math/vector3.h"
#include "sim/touch.h"

/* The least thickness of a collider; 0 where it may be a shell, or a plate that lies across its axes. */
static double width_of(const fb_collider* c) {
  const double* s = c->size;
  switch (c->kind) {
    case FB_COLLIDER_SPHERE:
    case FB_COLLIDER_CAPSULE:
      return 2 * s[0];
    case FB_COLLIDER_CYLINDER:
      return fmin(2 * s[0], s[1]);
    case FB_COLLIDER_BOX:
      return fmin(s[0], fmin(s[1], s[2]));
    case FB_COLLIDER_ELLIPSOID:
      return 2 * fmin(s[0], fmin(s[1], s[2]));
    default:
      return 0;
  }
}

typedef struct side {
  const fb_collider* colliders;
  const double* radii;
  int count;
} side;

static side side_of(const fb_contact_block* c, int b) {
  return b ? (side){c->how.b, c->radii + c->how.na, c->how.nb} : (side){c->how.a, c->radii, c->how.na};
}

/* The thinnest of a side; INFINITY: nothing can pass it. */
static double thinnest(side x) {
  double least = INFINITY;
  for (int i = 0; i < x.count; i++)
    if (isfinite(x.radii[i])) least = fmin(least, width_of(&x.colliders[i]));
  return least;
}

double fb_touch_width(const fb_sim* s, int contact) {
  const fb_contact_block* c = fb_touch_contact(s, contact);
  return thinnest(side_of(c, 0)) + thinnest(side_of(c, 1));
}

/* The velocity of a collider's origin, and what turning adds at its surface. */
static double velocity_of(const fb_sim* s, const fb_data* d, const fb_collider* c, double radius,
                          double v[3]) {
  fb_placement at;
  double there[3], w[3] = {0, 0, 0};
  fb_collider_place(s->m, d, c, &at);
  fb_collider_velocity(s->m, d, c, at.p, v);
  if (c->frame != FB_WORLD) fb_frame_velocity(s->m, d, c->frame, there, w);
  return radius * norm3(w);
}

/* The fastest of a side relative to v. */
static double fastest(const fb_sim* s, const fb_data* d, side x, const double v[3]) {
  double most = 0;
  for (int i = 0; i < x.count; i++) {
    double u[3];
    if (!isfinite(x.radii[i])) continue;
    double turning = velocity_of(s, d, &x.colliders[i], x.radii[i], u);
    add_scaled3(u, -1, v);
    most = fmax(most, norm3(u) + turning);
  }
  return most;
}

double fb_touch_pace(fb_sim* s, int contact, const double* y) {
  const fb_contact_block* c = fb_touch_contact(s, contact);
  const fb_data* d = fb_sim_kinematics_at(s, y);
  double v[3] = {0, 0, 0};
  velocity_of(s, d, &c->how.b[0], 0, v);
  return fastest(s, d, side_of(c, 0), v) + fastest(s, d, side_of(c, 1), v);
}
