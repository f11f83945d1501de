/* passing.c -- bodies that pass one another within a step
 *
 *   |d gap / dt| <= max |v_a - v| + |w_a| r_a  +  max |v_b - v| + |w_b| r_b
 *
 * over the colliders of both sides of a contact, each with the velocity of its origin and a sphere of the radius r around it;
 * v is the velocity of one of them, so that what moves together counts as slow. Planes and height fields are left out: all
 * below them is solid, and nothing comes out at the other side. Cost: O(na + nb) at each end of the step. moreau, whose steps
 * are not looked into, samples the gap along the mean motion of a step in which sides move by more than their thickness: at most
 * every quarter of it, but no more often than 256 times. */
#include <math.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>

#include "contact/shape/geometry.h"
#include "math/vector3.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

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

double fb_touch_width(const fb_sim* s, int contact, fb_mesh_width mesh) {
  const fb_contact_block* c = fb_touch_contact(s, contact);
  return thinnest(side_of(c, 0), mesh) + thinnest(side_of(c, 1), mesh);
}

double fb_touch_size(const fb_sim* s, int contact) {
  const fb_contact_block* c = fb_touch_contact(s, contact);
  double size[2] = {thinnest(side_of(c, 0), FB_MESH_SOLID), thinnest(side_of(c, 1), FB_MESH_SOLID)};
  for (int i = 0; i < 2; i++)
    if (!(size[i] > 0)) size[i] = INFINITY;
  return fmin(size[0], size[1]);
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
  const fb_data* d = fb_touch_kinematics(s, y, y + s->nq);
  double v[3] = {0, 0, 0};
  velocity_of(s, d, &c->how.b[0], 0, v);
  return fastest(s, d, side_of(c, 0), v) + fastest(s, d, side_of(c, 1), v);
}

/* ---- moreau, which does not look in between ---- */

/* The gap of a contact in the step last made, `part` of the way from its start to its end. w->x: the mean velocities. */
static double gap_inside(fb_sim* s, int contact, double h, double part) {
  fb_integrate(s->m, s->y0, s->touch->x, part * h, s->y_probe);
  const fb_data* d = fb_touch_kinematics(s, s->y_probe, s->y + s->nq);
  return fb_contact_least_gap(s->m, d, fb_touch_contact(s, contact));
}

/* Whether sides of a contact, `width` thick together, went through each other as they moved by `way`. Where they are apart, nothing
 * can happen before they have moved by the gap. */
static int went_through(fb_sim* s, int contact, double h, double way, double width) {
  static const double SHARE = 0.25,
                      DEEP = 0.1; /* of the width: between two looks; what is no resting contact */
  enum { MOST = 256 };
  fb_touching* w = s->touch;
  double least = fmax(SHARE * width / way, 1.0 / MOST);
  for (int k = 0; k < s->nv; k++) w->x[k] = 0.5 * (s->y0[s->nq + k] + s->y[s->nq + k]);
  for (double part = 0; part < 1;) {
    double gap = gap_inside(s, contact, h, part);
    if (part > 0 && gap < -DEEP * width) return 1;
    part += fmax(gap / way, least);
  }
  return 0;
}

void fb_touch_note_passing(fb_sim* s) {
  static const double SPARE = 1.1; /* speeds change within a step */
  fb_touching* w = s->touch;
  double *kept = w->solver < 0 ? NULL : s->memory + s->block_memory[w->solver], h = s->head->t - s->t0;
  for (int c = 0; kept && kept[FB_SOLVER_PASSED] == 0 && c < w->ncontact; c++) {
    double width = fb_touch_width(s, c, FB_MESH_BACKED);
    if (isinf(width) || !fb_block_acts(s, w->block[c])) continue;
    double way = SPARE * h * fmax(fb_touch_pace(s, c, s->y0), fb_touch_pace(s, c, s->y));
    if (!(way > width) || !went_through(s, c, h, way, width)) continue;
    kept[FB_SOLVER_PASSED] = 1 + c;
    kept[FB_SOLVER_PASSED_T] = s->head->t;
  }
}
