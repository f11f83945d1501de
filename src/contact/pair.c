/* pair.c -- places of the colliders of a contact, their contact points and velocities
 *
 * Every collider of a is tested against every collider of b, except those on the same link, which never move relative
 * to each other. Bounding spheres are tested first: pairs farther apart than the reach are skipped. Needs the poses
 * in d; velocities where a line says so. Cost O(na nb); where there are many pairs, about n log n for colliders that
 * are spread out (broad_phase.c). Nothing allocates. */
#include "contact/pair.h"

#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "block/local_frame.h"
#include "contact/shape/broad_phase.h"
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
                   double max_gap) {
  double apart[3];
  for (int i = 0; i < 3; i++) apart[i] = a->p[i] - b->p[i];
  double most = radius_a + radius_b + max_gap;
  return !(dot3(apart, apart) > most * most) || most < 0;
}

/* The places of two colliders; 0: the pair is skipped, or farther apart than `reach`. */
static int place_pair(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                      double max_gap, fb_placement* at_a, fb_placement* at_b) {
  if (!fb_contact_tries(m, c, a, b)) return 0;
  fb_collider_place(m, d, &c->how.a[a], at_a);
  fb_collider_place(m, d, &c->how.b[b], at_b);
  return is_near(at_a, c->radii[a], at_b, c->radii[c->how.na + b], max_gap);
}

int fb_contact_pair_points(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           double max_gap, fb_contact_point found_points[FB_MAX_CONTACT_POINTS]) {
  fb_placement at_a, at_b;
  if (!place_pair(m, d, c, a, b, max_gap, &at_a, &at_b)) return 0;
  return fb_collider_contact_points(&c->how.a[a], &at_a, &c->how.b[b], &at_b, max_gap, found_points,
                                    FB_MAX_CONTACT_POINTS);
}

int fb_contact_points_at(const fb_model* m, const fb_contact_block* c, int a, int b, const fb_placement* at_a,
                         const fb_placement* at_b, double max_gap,
                         fb_contact_point found_points[FB_MAX_CONTACT_POINTS]) {
  if (!is_near(at_a, c->radii[a], at_b, c->radii[c->how.na + b], max_gap) || !fb_contact_tries(m, c, a, b))
    return 0;
  return fb_collider_contact_points(&c->how.a[a], at_a, &c->how.b[b], at_b, max_gap, found_points,
                                    FB_MAX_CONTACT_POINTS);
}

int fb_contact_pair_smooth(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           int most, fb_contact_point found_points[FB_POINT_LIST_ROOM],
                           double weights[FB_POINT_LIST_ROOM]) {
  fb_placement at_a, at_b;
  if (!place_pair(m, d, c, a, b, 0, &at_a, &at_b)) return 0;
  return fb_collide_smooth(&c->how.a[a], &at_a, &c->how.b[b], &at_b, most, found_points, weights);
}

/* The pairs whose spheres are within reach, into c->pairs; -1 where all have to be tested. */
static int find_pairs(const fb_model* m, const fb_data* d, const fb_contact_block* c, double max_gap) {
  static const double SPARE = 1e-6; /* [m] beyond the rounding of is_near, which decides */
  const int na = c->how.na, nb = c->how.nb;
  fb_placement at;
  if (!c->centres) return -1;
  for (int i = 0; i < na + nb; i++) {
    fb_collider_place(m, d, &c->colliders[i], &at);
    memcpy(c->centres[i], at.p, sizeof at.p);
  }
  const fb_spheres a = {na, (const double(*)[3])c->centres, c->radii},
                   b = {nb, (const double(*)[3])(c->centres + na), c->radii + na};
  int count = fb_broad_pairs(&a, &b, max_gap + SPARE, c->order, c->pairs, c->room_pairs);
  return count <= c->room_pairs ? count : -1;
}

void fb_contact_visit_pairs(const fb_model* m, const fb_data* d, const fb_contact_block* c, double max_gap,
                            fb_use_pair* use, void* into) {
  int near = find_pairs(m, d, c, max_gap);
  for (int i = 0; i < near; i++) use(into, c->pairs[i][0], c->pairs[i][1]);
  for (int a = 0; near < 0 && a < c->how.na; a++)
    for (int b = 0; b < c->how.nb; b++) use(into, a, b);
}

typedef struct found_points {
  const fb_model* m;
  const fb_data* d;
  const fb_contact_block* c;
  double max_gap;
  fb_pair_point* points;
  int count, room;
} found_points;

static void add_points(void* to, int a, int b) {
  found_points* into = (found_points*)to;
  fb_contact_point found[FB_MAX_CONTACT_POINTS];
  if (into->count >= into->room) return;
  int count = fb_contact_pair_points(into->m, into->d, into->c, a, b, into->max_gap, found);
  for (int i = 0; i < count && into->count < into->room; i++)
    into->points[into->count++] = (fb_pair_point){found[i], a, b};
}

int fb_contact_find_points(const fb_model* m, const fb_data* d, const fb_contact_block* c, double max_gap,
                           fb_pair_point* points, int room) {
  found_points into = {m, d, c, max_gap, points, 0, room};
  fb_contact_visit_pairs(m, d, c, max_gap, add_points, &into);
  return into.count;
}

double fb_contact_pair_gap(const fb_model* m, const fb_data* d, const fb_contact_block* c, int a, int b,
                           double max_gap) {
  fb_placement at_a, at_b;
  if (!place_pair(m, d, c, a, b, max_gap, &at_a, &at_b)) return INFINITY;
  return fb_collider_gap(&c->how.a[a], &at_a, &c->how.b[b], &at_b);
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
        least = fmin(least, fb_collider_gap(&c->how.a[a], &at_a, &c->how.b[b], &at_b));
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

void fb_contact_point_velocity(const fb_model* m, const fb_data* d, const fb_collider* a,
                               const fb_collider* b, const fb_contact_point* point, double v[3]) {
  double v_b[3];
  fb_collider_velocity(m, d, a, point->p_b, v);
  fb_collider_velocity(m, d, b, point->p_b, v_b);
  add_scaled3(v, -1, v_b);
}
