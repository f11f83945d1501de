/* pair.c -- where the colliders of a contact are, the points at which they touch, and how fast these move
 *
 * Every collider of a is tried against every collider of b, but for those on the same link, which never move relative to
 * each other. Spheres about their origins come first: apart by more than the reach, they are not asked for points. Needs
 * the poses in d; velocities where a line says so. Cost O(na nb); where there are many pairs, about n log n for colliders that
 * are spread out (broad.c). Nothing allocates. */
#include "contact/pair.h"

#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "block/local_frame.h"
#include "contact/shape/broad.h"
#include "dynamics/loads.h"
#include "math/vector3.h"

const fb_data* fb_contact_kinematics(const fb_context* context, const fb_contact_block* c, double origin[3]) {
  int count = c->how.na + c->how.nb, floating = 0;
  while (floating < count && fb_context_floats(context, c->colliders[floating].frame)) floating++;
  if (floating == count) return fb_context_local_kinematics(context, origin);
  memset(origin, 0, 3 * sizeof *origin);
  return fb_context_kinematics(context);
}

void fb_collider_place(const fb_model* m, const fb_data* d, const fb_collider* c, fb_placement* at) {
  if (c->frame == FB_WORLD) {
    memcpy(at->p, c->at, sizeof at->p);
    memcpy(at->R, c->R, sizeof at->R);
    return;
  }
  double p_wf[3], R_wf[9];
  fb_frame_pose(m, d, c->frame, p_wf, R_wf);
  fb_rot_apply(R_wf, c->at, at->p);
  add_scaled3(at->p, 1, p_wf);
  fb_rot_multiply(R_wf, c->R, at->R);
}

/* Whether spheres around two colliders are within reach of each other. */
static int is_near(const fb_placement* a, double radius_a, const fb_placement* b, double radius_b,
                   double reach) {
  double apart[3];
  for (int i = 0; i < 3; i++) apart[i] = a->p[i] - b->p[i];
  double most = radius_a + radius_b + reach;
  return !(dot3(apart, apart) > most * most) || most < 0;
}

/* The places of two colliders; 0: they are not tried, or farther apart than `reach`. */
static int place_pair(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                      double reach, fb_placement* at_a, fb_placement* at_b) {
  if (!fb_contact_tries(m, c, a, b)) return 0;
  fb_collider_place(m, d, &c->how.a[a], at_a);
  fb_collider_place(m, d, &c->how.b[b], at_b);
  return is_near(at_a, c->radii[a], at_b, c->radii[c->how.na + b], reach);
}

int fb_contact_pair_touches(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                            double reach, fb_touch touches[FB_MAX_TOUCHES]) {
  fb_placement at_a, at_b;
  if (!place_pair(m, d, c, a, b, reach, &at_a, &at_b)) return 0;
  return fb_collide(&c->how.a[a], &at_a, &c->how.b[b], &at_b, reach, touches, FB_MAX_TOUCHES);
}

int fb_contact_pair_smooth(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           int most, fb_touch touches[FB_TOUCH_ROOM], double weights[FB_TOUCH_ROOM]) {
  fb_placement at_a, at_b;
  if (!place_pair(m, d, c, a, b, 0, &at_a, &at_b)) return 0;
  return fb_collide_smooth(&c->how.a[a], &at_a, &c->how.b[b], &at_b, most, touches, weights);
}

/* The pairs whose spheres are within reach, into c->pairs; -1 where all have to be tried. */
static int find_pairs(const fb_model* m, const fb_data* d, const fb_contact_block* c, double reach) {
  static const double SPARE = 1e-6; /* [m] beyond the rounding of is_near, which has the last word */
  const int na = c->how.na, nb = c->how.nb;
  fb_placement at;
  if (!c->centres) return -1;
  for (int i = 0; i < na + nb; i++) {
    fb_collider_place(m, d, &c->colliders[i], &at);
    memcpy(c->centres[i], at.p, sizeof at.p);
  }
  const fb_spheres a = {na, (const double(*)[3])c->centres, c->radii},
                   b = {nb, (const double(*)[3])(c->centres + na), c->radii + na};
  int count = fb_broad_pairs(&a, &b, reach + SPARE, c->order, c->pairs, c->room_pairs);
  return count <= c->room_pairs ? count : -1;
}

/* Those of one pair, after `count` others. */
static int add_points(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                      double reach, fb_contact_point* points, int count, int room) {
  fb_touch touches[FB_MAX_TOUCHES];
  int found = fb_contact_pair_touches(m, d, c, a, b, reach, touches);
  for (int i = 0; i < found && count < room; i++) points[count++] = (fb_contact_point){touches[i], a, b};
  return count;
}

int fb_contact_find_points(const fb_model* m, const fb_data* d, const fb_contact_block* c, double reach,
                           fb_contact_point* points, int room) {
  int count = 0, near = find_pairs(m, d, c, reach);
  for (int i = 0; i < near && count < room; i++)
    count = add_points(m, d, c, c->pairs[i][0], c->pairs[i][1], reach, points, count, room);
  for (int a = 0; near < 0 && a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) count = add_points(m, d, c, a, b, reach, points, count, room);
  return count;
}

double fb_contact_least_gap(const fb_model* m, const fb_data* d, const fb_contact_block* c) {
  double least = INFINITY;
  for (int a = 0; a < c->how.na; a++) {
    fb_placement at_a, at_b;
    fb_collider_place(m, d, &c->how.a[a], &at_a);
    for (int b = 0; b < c->how.nb; b++) {
      if (!fb_contact_tries(m, c, a, b)) continue;
      fb_collider_place(m, d, &c->how.b[b], &at_b);
      if (is_near(&at_a, c->radii[a], &at_b, c->radii[c->how.na + b], least))
        least = fmin(least, fb_gap(&c->how.a[a], &at_a, &c->how.b[b], &at_b));
    }
  }
  return least;
}

void fb_collider_velocity(const fb_model* m, const fb_data* d, const fb_collider* c, const double p[3],
                          double v[3]) {
  double origin[3], w[3], arm[3], turn[3];
  memset(v, 0, 3 * sizeof *v);
  if (c->frame == FB_WORLD) return;
  fb_frame_pose(m, d, c->frame, origin, NULL);
  fb_frame_velocity(m, d, c->frame, v, w);
  for (int i = 0; i < 3; i++) arm[i] = p[i] - origin[i];
  cross3(w, arm, turn);
  add_scaled3(v, 1, turn);
}

void fb_touch_velocity(const fb_model* m, const fb_data* d, const fb_collider* a, const fb_collider* b,
                       const fb_touch* touch, double v[3]) {
  double v_b[3];
  fb_collider_velocity(m, d, a, touch->p_b, v);
  fb_collider_velocity(m, d, b, touch->p_b, v_b);
  add_scaled3(v, -1, v_b);
}
