/* passing.c -- bodies that pass one another within a step
 *
 *   |d gap / dt| <= max |v_a - v| + |w_a| r_a  +  max |v_b - v| + |w_b| r_b
 *
 * over the colliders of both sides of a contact, each with the velocity of its origin and a sphere of the radius r around it;
 * v is the velocity of one of them, so that what moves together counts as slow. Planes and height fields are left out: all
 * below them is solid, and nothing comes out at the other side. Cost: O(na + nb), and one more look at the poses at each end
 * of the step. */
#include <math.h>

#include <freebody/kinematics.h>

#include "contact/shape/geometry.h"
#include "math/vector3.h"
#include "contact/dynamics/hard_contact.h"

/* The least thickness of a collider. */
static double width_of(const fb_collider* c, fb_mesh_width mesh) {
  const double* s = c->size;
  double least = INFINITY;
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
      for (int i = 0; i < 3; i++)
        least = fmin(least, fabs(s[i]) * (c->geometry->high[i] - c->geometry->low[i]));
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

/* Whether a pair is on the other side now, `way` later; it may have been pushed out there. */
static int is_past(const fb_contact_point* before, const fb_contact_point* now, double way) {
  return before->a == now->a && before->b == now->b && before->touch.gap + now->touch.gap < way &&
         dot3(before->touch.normal, now->touch.normal) < 0;
}

/* Whether sides of a contact are past each other after they moved by `way`. */
static int any_past(fb_sim* s, int contact, double way) {
  enum { SEEN = 64 };
  fb_touching* w = s->touch;
  const fb_contact_block* c = fb_touch_contact(s, contact);
  fb_contact_point before[SEEN];
  int count =
      fb_contact_find_points(s->m, fb_touch_kinematics(s, s->y0, s->y0 + s->nq), c, way, before, SEEN);
  if (count == 0) return 0;
  int now =
      fb_contact_find_points(s->m, fb_touch_kinematics(s, s->y, s->y + s->nq), c, way, w->found, w->room);
  for (int i = 0; i < count; i++)
    for (int k = 0; k < now; k++)
      if (is_past(&before[i], &w->found[k], way)) return 1;
  return 0;
}

void fb_touch_note_passing(fb_sim* s) {
  fb_touching* w = s->touch;
  double *kept = w->solver < 0 ? NULL : s->memory + s->block_memory[w->solver], h = s->head->t - s->t0;
  for (int c = 0; kept && kept[FB_SOLVER_PASSED] == 0 && c < w->ncontact; c++) {
    double width = fb_touch_width(s, c, FB_MESH_SOLID);
    if (isinf(width) || w->happened[c] >> FB_CONTACT_HITS & 1 || !fb_block_acts(s, w->block[c])) continue;
    double way = h * fb_touch_pace(s, c, s->y);
    if (!(way > width) || !any_past(s, c, way)) continue;
    kept[FB_SOLVER_PASSED] = 1 + c;
    kept[FB_SOLVER_PASSED_T] = s->head->t;
  }
}
