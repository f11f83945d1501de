/* sides.c -- from which side the colliders of a compliant contact push each other
 *
 * A body that is driven through a wall is pushed back by one face, and driven on by the other one once it is nearer: the
 * force jumps, although it neither begins nor ends. The side of a pair is the sum of the normals of its points times
 * their depths, in the axes of both frames. It has changed where it has turned by more than 60 degrees in both: faces of
 * boxes and cylinders are at right angles, and bodies that turn together, or roll on each other, do not change sides. */
#include "contact/sides.h"

#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "contact/shape/shape.h"
#include "math/vector3.h"

typedef struct sides_probe {
  const fb_model* m;
  const fb_data* d;
  const fb_contact_block* c;
  fb_contact_sides* sides;
} sides_probe;

/* Of the pair, as it was when it last touched; a new one is zero; NULL: there is no room. */
static fb_contact_side* side_of(fb_contact_sides* sides, int a, int b) {
  for (int i = 0; i < sides->count; i++)
    if (sides->list[i].a == a && sides->list[i].b == b) return &sides->list[i];
  if (sides->count == FB_CONTACT_SIDES) return NULL;
  fb_contact_side* side = &sides->list[sides->count++];
  *side = (fb_contact_side){.a = a, .b = b};
  return side;
}

/* Whether two vectors, neither of which may be zero, are more than 60 degrees apart. */
static int is_turned(const double a[3], const double b[3]) {
  return dot3(a, b) < 0.5 * norm3(a) * norm3(b);
}

static void in_axes_of(const sides_probe* p, int frame, const double x[3], double local[3]) {
  double R[9];
  fb_frame_pose(p->m, p->d, frame, NULL, R);
  fb_rot_apply_transpose(R, x, local);
}

static void probe_pair(void* into, int a, int b) {
  const sides_probe* p = (const sides_probe*)into;
  fb_contact_point points[FB_POINT_LIST_ROOM];
  double weights[FB_POINT_LIST_ROOM], sum[3] = {0}, axes[2][3];
  const int count = fb_contact_pair_smooth(p->m, p->d, p->c, a, b, FB_POINT_LIST_ROOM, points, weights);
  for (int i = 0; i < count; i++) add_scaled3(sum, -weights[i] * points[i].gap, points[i].normal);
  fb_contact_side* side = is_zero3(sum) ? NULL : side_of(p->sides, a, b);
  if (!side) return;
  in_axes_of(p, p->c->how.a[a].frame, sum, axes[0]);
  in_axes_of(p, p->c->how.b[b].frame, sum, axes[1]);
  p->sides->changed |= is_turned(side->axes[0], axes[0]) && is_turned(side->axes[1], axes[1]);
  memcpy(side->axes, axes, sizeof axes);
}

void fb_contact_follow_sides(const fb_model* m, const fb_data* d, const fb_contact_block* c,
                             fb_contact_sides* sides) {
  sides_probe probe = {m, d, c, sides};
  fb_contact_visit_pairs(m, d, c, 0, probe_pair, &probe);
}
