/* gap_rate.c -- a bound on how fast the gap of a contact changes, and the thickness of its sides
 *
 *   |d gap / dt| <= max (|v_a| + |w_a| r_a) + max (|v_b| + |w_b| r_b)
 *
 * over the colliders of both sides of a contact, each with the velocity of its origin and a sphere of the radius r
 * around it, as seen from the frame of one of them: from that of a plane or height field, if there is one, whose radius
 * is infinite. Two of these that move relative to each other have no bound. Cost: O(na + nb). */
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "contact/pair.h"
#include "contact/shape/geometry.h"
#include "math/vector3.h"
#include "model/model.h"

/* The least thickness of a collider. */
static double width_of(const fb_collider* c, fb_mesh_width mesh) {
  const double* s = c->size;
  double least = INFINITY, sides[3];
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
    case FB_COLLIDER_MESH:
    case FB_COLLIDER_HULL:
      if (c->kind == FB_COLLIDER_MESH && mesh == FB_MESH_SHELL) return 0;
      for (int i = 0; i < 3; i++) {
        sides[i] = fabs(s[i]) * (c->geometry->high[i] - c->geometry->low[i]);
        least = fmin(least, sides[i]);
      }
      if (mesh == FB_MESH_BACKED && c->kind == FB_COLLIDER_MESH && !c->geometry->closed)
        return fmax(least, FB_OPEN_MESH_DEPTH * norm3(sides));
      return least;
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
static double thinnest(side x, fb_mesh_width mesh) {
  double least = INFINITY;
  for (int i = 0; i < x.count; i++)
    if (isfinite(x.radii[i])) least = fmin(least, width_of(&x.colliders[i], mesh));
  return least;
}

double fb_contact_width(const fb_contact_block* c, fb_mesh_width mesh) {
  return thinnest(side_of(c, 0), mesh) + thinnest(side_of(c, 1), mesh);
}

double fb_contact_size(const fb_contact_block* c) {
  double size[2] = {thinnest(side_of(c, 0), FB_MESH_SOLID), thinnest(side_of(c, 1), FB_MESH_SOLID)};
  for (int i = 0; i < 2; i++)
    if (!(size[i] > 0)) size[i] = INFINITY;
  return fmin(size[0], size[1]);
}

int fb_contact_has_moving_ground(const fb_contact_block* c) {
  for (int i = 0; i < c->how.na + c->how.nb; i++)
    if (!isfinite(c->radii[i]) && c->colliders[i].frame != FB_WORLD) return 1;
  return 0;
}

/* The collider in whose frame motions are measured: an infinite one, if there is any. */
static const fb_collider* reference_of(const fb_contact_block* c) {
  for (int i = 0; i < c->how.na + c->how.nb; i++)
    if (!isfinite(c->radii[i])) return &c->colliders[i];
  return &c->how.b[0];
}

static void turning_of(const fb_model* m, const fb_data* d, int frame, double w[3]) {
  double v[3];
  memset(w, 0, 3 * sizeof *w);
  if (frame != FB_WORLD) fb_frame_velocity(m, d, frame, v, w);
}

/* How fast the surface of a collider moves at most, as seen from the frame of another one. */
static double speed_of(const fb_model* m, const fb_data* d, const fb_collider* c, double radius,
                       const fb_collider* from) {
  fb_placement at;
  double u[3], v[3], w[3], w_from[3];
  if (fb_sites_are_fixed(&m->top, c->frame, from->frame)) return 0;
  if (!isfinite(radius)) return INFINITY;
  fb_collider_place(m, d, c, &at);
  fb_collider_velocity(m, d, c, at.p, v);
  fb_collider_velocity(m, d, from, at.p, u);
  turning_of(m, d, c->frame, w);
  turning_of(m, d, from->frame, w_from);
  add_scaled3(v, -1, u);
  add_scaled3(w, -1, w_from);
  return norm3(v) + radius * norm3(w);
}

double fb_contact_pace(const fb_model* m, const fb_data* d, const fb_contact_block* c) {
  const fb_collider* from = reference_of(c);
  double fastest[2] = {0, 0};
  for (int i = 0; i < c->how.na + c->how.nb; i++) {
    double* most = &fastest[i >= c->how.na];
    *most = fmax(*most, speed_of(m, d, &c->colliders[i], c->radii[i], from));
  }
  return fastest[0] + fastest[1];
}
