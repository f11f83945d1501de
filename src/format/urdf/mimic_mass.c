/* mimic_mass.c -- joints without anything to move that <mimic> couples to others.
 *
 * A run holds joints that have nothing to move (scenario/build/idle.c), and through the gear that would hold all joints that are
 * coupled to them: a gripper whose second finger has no mass would not close. A joint that follows another gets a small armature
 * instead, which it takes along without any notable force; so does the one that they follow, if any of them has something to
 * move. If none has, it depends on the scenario whether that one moves: by damping, gains or a motion, or not at all, and the others
 * with it. Only where inertias are repaired, as they are in URDFs by default. */
#include <stdlib.h>
#include <string.h>

#include "format/notes.h"
#include "format/urdf/reader.h"
#include "math/vector3.h"
#include "model/definition/forest.h"

static const double ARMATURE = 1e-6; /* [kg m^2 or kg] */

enum { MASS = 1, INERTIA = 2, FURTHER = 4 }; /* FURTHER: bodies beyond its own */

/* What each joint carries, from the ends of the tree on. */
static void weigh(const fb_model_def* def, const fb_forest* tree, int* carries) {
  for (int k = tree->nbody - 1; k > 0; k--) {
    int id = tree->order[k];
    const fb_body_def* body = fb_model_def_body(def, id);
    if (body->mass != 0) carries[id] |= MASS;
    if (!is_zero3(body->inertia) || !is_zero3(body->inertia + 3)) carries[id] |= INERTIA;
    if (carries[id]) carries[tree->parent[id]] |= carries[id] | FURTHER;
  }
}

/* The moment of inertia of a body about the axis of its joint is not zero: a point mass on the axis has none. */
static int resists_turning(const fb_body_def* body) {
  const double *a = body->joint.axis, *I = body->inertia, aa = dot3(a, a), along = dot3(a, body->com);
  double moment = a[0] * a[0] * I[0] + a[1] * a[1] * I[1] + a[2] * a[2] * I[2] +
                  2 * (a[0] * a[1] * I[3] + a[0] * a[2] * I[4] + a[1] * a[2] * I[5]);
  double away = dot3(body->com, body->com) * aa - along * along;
  return moment > 0 || body->mass * away > 1e-14 * dot3(body->com, body->com) * aa;
}

/* Besides a small armature, which may be from here. */
static int has_something_to_move(const fb_model_def* def, const int* carries, int id) {
  const fb_body_def* body = fb_model_def_body(def, id);
  if (body->joint.armature[0] > ARMATURE) return 1;
  if (body->joint.type == FB_JOINT_PRISMATIC) return (carries[id] & MASS) != 0;
  return carries[id] & FURTHER || (carries[id] && resists_turning(body));
}

/* The last of those that a joint follows, each by another; the way there is made short. */
static int leader_of(int* leader, int id) {
  int last = id;
  while (leader[last]) last = leader[last];
  while (leader[id]) {
    int next = leader[id];
    leader[id] = last;
    id = next;
  }
  return last;
}

static fb_status lift(const fb_urdf_mimics* m, int id) {
  const fb_urdf_reader* r = m->r;
  fb_joint_def joint = fb_model_def_body(r->def, id)->joint;
  joint.armature[0] = ARMATURE;
  fb_urdf_add_slip(m->r, FB_SLIP_MIMIC_MASSLESS, r->joint[m->joint[id]], "'%.60s'", joint.name);
  return fb_model_def_set_joint(r->def, id, &joint, r->error);
}

/* leader: as `follows`, and is changed; moved: scratch. */
static fb_status lift_all(const fb_urdf_mimics* m, int* leader, const int* carries, char* moved) {
  const fb_model_def* def = m->r->def;
  int count = fb_model_def_nbody(def);
  fb_status status = FB_OK;
  for (int id = 1; id < count; id++)
    if (has_something_to_move(def, carries, id)) moved[leader_of(leader, id)] = 1;
  for (int id = 1; id < count && !status; id++) {
    int last = leader_of(leader, id);
    if (m->joint[id] >= 0 && fb_joint_type_nv(fb_model_def_body(def, id)->joint.type) == 1 &&
        !(fb_model_def_body(def, id)->joint.armature[0] > 0) && !has_something_to_move(def, carries, id) &&
        (last != id || moved[last]))
      status = lift(m, id);
  }
  return status;
}

static int any_follows(const fb_urdf_mimics* m) {
  int id = fb_model_def_nbody(m->r->def) - 1;
  while (id > 0 && !m->follows[id]) id--;
  return id > 0;
}

static fb_status lift_in(const fb_urdf_mimics* m, const fb_forest* tree) {
  size_t count = (size_t)tree->nbody;
  int *leader = calloc(count, sizeof *leader), *carries = calloc(count, sizeof *carries);
  char* moved = calloc(count, 1);
  fb_status status = leader && carries && moved ? FB_OK : fb_urdf_no_memory(m->r);
  if (leader && carries && moved) {
    memcpy(leader, m->follows, count * sizeof *leader);
    weigh(m->r->def, tree, carries);
    status = lift_all(m, leader, carries, moved);
  }
  free(leader);
  free(carries);
  free(moved);
  return status;
}

fb_status fb_urdf_lift_massless(const fb_urdf_mimics* m) {
  fb_forest tree = {0};
  fb_inertia_policy policy = fb_io_inertia_policy(m->r->options, FB_INERTIA_REPAIR);
  if (policy != FB_INERTIA_REPAIR || !any_follows(m)) return FB_OK;
  fb_status status = fb_forest_make(m->r->def, &tree, NULL);
  if (status == FB_ERR_MEMORY) return fb_urdf_no_memory(m->r);
  if (status) return FB_OK; /* names that occur twice: refused when the model is built */
  status = lift_in(m, &tree);
  fb_forest_free(&tree);
  return status;
}
