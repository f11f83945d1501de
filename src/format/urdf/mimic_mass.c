/* mimic_mass.c -- joints without anything to move that <mimic> couples to others that have something.
 *
 * A run holds joints that have nothing to move (scenario/held.c), and through the gear that would hold all joints that are
 * coupled to them: a gripper whose second finger has no mass would not close. Such a joint gets a small armature instead,
 * which it takes along without any notable force. Only where inertias are repaired, as they are in URDFs by default. */
#include <stdlib.h>

#include "format/notes.h"
#include "format/urdf/mimic.h"
#include "math/vector3.h"
#include "model/forest.h"

static const double ARMATURE = 1e-6; /* [kg m^2 or kg] */

enum { MASS = 1, INERTIA = 2 };

/* What each joint carries, from the ends of the tree on. */
static void weigh(const fb_model_def* def, const fb_forest* tree, int* carries) {
  for (int k = tree->nbody - 1; k > 0; k--) {
    int id = tree->order[k];
    const fb_body_def* body = fb_model_def_body(def, id);
    if (body->mass != 0) carries[id] |= MASS;
    if (!is_zero3(body->inertia) || !is_zero3(body->inertia + 3)) carries[id] |= INERTIA;
    carries[tree->parent[id]] |= carries[id];
  }
}

static int has_something_to_move(const fb_model_def* def, const int* carries, int id) {
  const fb_joint_def* joint = &fb_model_def_body(def, id)->joint;
  if (joint->armature[0] > 0) return 1;
  return (carries[id] & (joint->type == FB_JOINT_PRISMATIC ? MASS : MASS | INERTIA)) != 0;
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
  for (int id = 1; id < count && !status; id++)
    if (m->joint[id] >= 0 && fb_joint_type_nv(fb_model_def_body(def, id)->joint.type) == 1 &&
        !has_something_to_move(def, carries, id) && moved[leader_of(leader, id)])
      status = lift(m, id);
  return status;
}

fb_status fb_urdf_lift_massless(const fb_urdf_mimics* m) {
  const fb_urdf_reader* r = m->r;
  fb_forest tree = {0};
  size_t count = (size_t)fb_model_def_nbody(r->def);
  if (fb_io_inertia_policy(r->options, FB_INERTIA_REPAIR) != FB_INERTIA_REPAIR) return FB_OK;
  if (fb_forest_make(r->def, &tree, NULL)) return FB_OK; /* refused when the model is built */
  int *leader = malloc(count * sizeof *leader), *carries = calloc(count, sizeof *carries);
  char* moved = calloc(count, 1);
  fb_status status = FB_ERR_MEMORY;
  if (leader && carries && moved) {
    for (size_t i = 0; i < count; i++) leader[i] = m->follows[i];
    weigh(r->def, &tree, carries);
    status = lift_all(m, leader, carries, moved);
  } else {
    fb_fail(r->error, status, "out of memory while the URDF was read");
  }
  free(leader);
  free(carries);
  free(moved);
  fb_forest_free(&tree);
  return status;
}
