/* body.c -- a <body> of MJCF as one body, or as a chain of them when it has several joints.
 *
 * MuJoCo applies the joints of a body one after the other, each at its own point p of the body. All bodies of the chain
 * but the last are massless and have the frame of the whole body at qpos0, so joint k is placed at p_k in it, and the
 * body's frame is at -p_k in the moved joint frame. A free joint has q = qpos, so its frame is the world's. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "base/grow.h"
#include "format/mjcf/merge.h"
#include "format/mjcf/reader.h"
#include "format/notes.h"
#include "math/vector3.h"

/* --- names --- */

/* The name of a site. Bodies and frames have one set of names here; one that is taken gets an ending. */
static fb_status name_site(fb_mjcf_reader* r, int node, const char* given, const char** out) {
  int is_new = 0;
  *out = fb_name_set_add(&r->names, given, &is_new);
  if (*out && !is_new) *out = fb_name_set_join(&r->names, given, "_site", "");
  if (!*out) return fb_mjcf_no_memory(r);
  if (!is_new)
    fb_io_note(r->options, "line %d: the name '%.60s' of a <%s> is taken; it becomes '%.60s'",
               fb_mjcf_line(&r->tree, node), given, fb_mjcf_tag(&r->tree, node), *out);
  return FB_OK;
}

static fb_status name_body(fb_mjcf_reader* r, int body) {
  fb_mjcf_body* b = &r->bodies[body];
  char *given, made[32];
  snprintf(made, sizeof made, "body%d", body);
  fb_status status = fb_mjcf_name(r, b->node, &given);
  if (status) return status;
  int is_new = 1;
  if (given && !fb_name_set_add(&r->names, given, &is_new)) status = fb_mjcf_no_memory(r);
  if (!status && !is_new)
    status = fb_mjcf_fail(r, b->node, FB_ERR_NAME, "there are two bodies named '%.100s'; rename one%s", given,
                          strcmp(given, "world") == 0 ? ": this is the name of the world" : "");
  else if (!status)
    b->name = given ? fb_name_set_add(&r->names, given, &is_new) : fb_name_set_make(&r->names, made);
  if (!status && !b->name) status = fb_mjcf_no_memory(r);
  free(given);
  return status;
}

/* The name of a joint; without one of its own, that of its body. */
static fb_status name_joint(fb_mjcf_reader* r, int node, const char* body, const char** out) {
  char* given;
  int is_new = 1;
  fb_status status = fb_mjcf_name(r, node, &given);
  if (status) return status;
  *out = given ? fb_name_set_add(&r->joints, given, &is_new) : fb_name_set_make(&r->joints, body);
  if (!*out) status = fb_mjcf_no_memory(r);
  if (!status && !is_new)
    status =
        fb_mjcf_fail(r, node, FB_ERR_NAME, "there are two joints named '%.100s'; rename one of them", given);
  free(given);
  return status;
}

/* --- joints --- */

static fb_status keep_joint(fb_mjcf_reader* r, const char* name, double ref) {
  if (!fb_grow(&r->joint_list, r->njoint, 1, &r->joint_room, sizeof *r->joint_list))
    return fb_mjcf_no_memory(r);
  r->joint_list[r->njoint++] = (fb_mjcf_joint){.name = name, .def_name = name, .ref = ref};
  return FB_OK;
}

/* Free joints are for children of the world, alone on their body, and nothing of the model depends on where it starts. */
static fb_status check_free(fb_mjcf_reader* r, int node, int body, int count) {
  if (r->bodies[body].parent != 0)
    return fb_mjcf_fail(
        r, node, FB_ERR_JOINT,
        "a free joint is for bodies in <worldbody>, as in MuJoCo; three slides and a ball do the "
        "same elsewhere");
  if (count > 1) return fb_mjcf_fail(r, node, FB_ERR_JOINT, "a body with a free joint has no other joint");
  const fb_pose* pose = &r->bodies[body].pose;
  if (!is_zero3(pose->p) || !is_identity3x3(pose->R))
    fb_mjcf_pass(r, node,
                 "the place of a body with a free joint is left out: its q is MuJoCo's qpos, and zero unless "
                 "a scenario's "
                 "start says where it is");
  return FB_OK;
}

/* Places joint k of a body: on its parent, or on the massless body before it in the chain. */
static void place_joint(const fb_mjcf_reader* r, int body, int first, const double pos[3],
                        fb_joint_def* joint) {
  fb_pose own = fb_pose_identity(), whole;
  if (joint->type == FB_JOINT_FREE) return;
  memcpy(own.R, joint->R, sizeof own.R);
  for (int i = 0; i < 3; i++) own.p[i] = pos[i] + joint->at[i];
  if (first)
    fb_pose_multiply(&r->bodies[body].pose, &own, &whole);
  else
    whole = own;
  memcpy(joint->R, whole.R, sizeof whole.R);
  memcpy(joint->at, whole.p, sizeof whole.p);
  for (int i = 0; i < 3; i++) joint->child_at[i] = pos[i] == 0 ? 0 : -pos[i];
}

/* A free joint with a rotor at each coordinate, as a default class may give it: three slides and a ball. */
static int needs_split(const fb_joint_def* joint) {
  return joint->type == FB_JOINT_FREE && joint->armature[0] != 0;
}

static int count_joints(const fb_mjcf_reader* r, int body) {
  int count = 0;
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE; e = r->next_item[e])
    count += fb_mjcf_is(&r->tree, e, "joint") || fb_mjcf_is(&r->tree, e, "freejoint");
  return count;
}

/* Adds a massless body that the joints of a chain are between, and makes it the parent of the next. */
static fb_status add_between(fb_mjcf_reader* r, int body, fb_body_def* next) {
  fb_body_def between = fb_default_body_def();
  between.name = fb_name_set_join(&r->names, r->bodies[body].name, "_", next->joint.name);
  if (!between.name) return fb_mjcf_no_memory(r);
  between.parent = next->parent;
  between.joint = next->joint;
  between.place = next->place;
  fb_status status = fb_model_def_add_body(r->def, &between, NULL, r->error);
  next->parent = between.name;
  next->joint = fb_default_joint_def();
  return status;
}

static fb_status split_free(fb_mjcf_reader* r, int body, fb_body_def* out) {
  fb_joint_def whole = out->joint;
  const char* stem = whole.name;
  for (int i = 0; i < 4; i++) {
    static const char* const ends[] = {"_x", "_y", "_z", ""};
    fb_joint_def joint = fb_default_joint_def();
    joint.place = whole.place;
    joint.type = i < 3 ? FB_JOINT_PRISMATIC : FB_JOINT_SPHERICAL;
    joint.name = i < 3 ? fb_name_set_join(&r->joints, stem, ends[i], "") : stem;
    if (!joint.name) return fb_mjcf_no_memory(r);
    if (i < 3) joint.axis[i] = 1;
    for (int k = 0; k < (i < 3 ? 1 : 3); k++) {
      joint.damping[k] = whole.damping[i];
      joint.friction[k] = whole.friction[i];
      joint.armature[k] = whole.armature[i];
    }
    out->joint = joint;
    fb_status status = i < 3 ? add_between(r, body, out) : FB_OK;
    if (status) return status;
  }
  return FB_OK;
}

/* All joints of a body: those before the last on massless bodies of their own. */
static fb_status read_joints(fb_mjcf_reader* r, int body, fb_body_def* out) {
  int count = count_joints(r, body), done = 0;
  double pos[3], ref;
  fb_status status = FB_OK;
  if (count == 0) {
    memcpy(out->joint.at, r->bodies[body].pose.p, sizeof out->joint.at);
    memcpy(out->joint.R, r->bodies[body].pose.R, sizeof out->joint.R);
    out->joint.name = fb_name_set_make(&r->joints, out->name);
    return out->joint.name ? FB_OK : fb_mjcf_no_memory(r);
  }
  if (r->ours && fb_mjcf_merge_joints(r, body, &out->joint, &status)) return status;
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE && !status; e = r->next_item[e]) {
    if (!fb_mjcf_is(&r->tree, e, "joint") && !fb_mjcf_is(&r->tree, e, "freejoint")) continue;
    const char* name = NULL;
    status = fb_mjcf_read_joint(r, e, &out->joint, pos, &ref);
    if (!status && out->joint.type == FB_JOINT_FREE) status = check_free(r, e, body, count);
    if (!status) status = name_joint(r, e, out->name, &name);
    if (status) return status;
    out->joint.name = name;
    if (r->ours && out->joint.type == FB_JOINT_SPHERICAL) fb_mjcf_find_dampers(r, name, out->joint.damping);
    place_joint(r, body, done == 0, pos, &out->joint);
    if (fb_joint_type_nv(out->joint.type) == 1) status = keep_joint(r, name, ref);
    if (!status && ++done < count) status = add_between(r, body, out);
  }
  if (!status && needs_split(&out->joint)) status = split_free(r, body, out);
  return status;
}

/* --- what is on a body --- */

static fb_status add_site(fb_mjcf_reader* r, int node, int id) {
  char* given;
  fb_frame_def frame = fb_default_frame_def();
  fb_pose own = fb_pose_identity(), whole;
  fb_status status = fb_mjcf_name(r, node, &given);
  if (status || !given) return status; /* without a name it is a mark in the picture */
  status = name_site(r, node, given, &frame.name);
  free(given);
  if (!status) status = fb_mjcf_pose(r, node, "site", &own);
  if (status) return status;
  fb_pose_multiply(&r->pose[node], &own, &whole);
  memcpy(frame.at, whole.p, sizeof frame.at);
  memcpy(frame.R, whole.R, sizeof frame.R);
  frame.place = fb_xml_place(fb_mjcf_xml(&r->tree, node), r->tree.nodes[node].element);
  return fb_model_def_add_frame(r->def, id, &frame, r->error);
}

static fb_status add_items(fb_mjcf_reader* r, int body, int id) {
  fb_status status = FB_OK;
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE && !status; e = r->next_item[e]) {
    fb_mjcf_geom geom;
    if (fb_mjcf_is(&r->tree, e, "site")) status = add_site(r, e, id);
    if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
    status = fb_mjcf_read_geom(r, e, &geom);
    if (!status) status = fb_mjcf_add_shape(r, e, &geom, id);
  }
  return status;
}

/* Sites and shapes of the world are on a body that is fixed to it. */
static fb_status add_world(fb_mjcf_reader* r) {
  int wanted = 0, is_new;
  fb_mjcf_body* world = &r->bodies[0];
  for (int e = world->first; e != FB_MJCF_NONE; e = r->next_item[e]) {
    fb_mjcf_geom geom;
    if (fb_mjcf_is(&r->tree, e, "site")) wanted |= fb_mjcf_own(&r->tree, e, "name") != NULL;
    if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
    fb_status status = fb_mjcf_read_geom(r, e, &geom);
    if (status) return status;
    wanted |= geom.type != FB_MJCF_PLANE && geom.type != FB_MJCF_HFIELD;
  }
  if (!fb_name_set_add(&r->names, "world", &is_new)) return fb_mjcf_no_memory(r);
  if (!wanted) return add_items(r, 0, 0); /* for what is said of planes */
  fb_body_def body = fb_default_body_def();
  body.name = world->name = fb_name_set_make(&r->names, "worldbody");
  body.joint.name = fb_name_set_make(&r->joints, "worldbody");
  if (!body.name || !body.joint.name) return fb_mjcf_no_memory(r);
  fb_status status = fb_model_def_add_body(r->def, &body, NULL, r->error);
  world->id = fb_model_def_nbody(r->def) - 1;
  return status ? status : add_items(r, 0, world->id);
}

fb_status fb_mjcf_add_body(fb_mjcf_reader* r, int body) {
  if (body == 0) return add_world(r);
  fb_body_def out = fb_default_body_def();
  fb_status status = name_body(r, body);
  if (status) return status;
  fb_mjcf_body* b = &r->bodies[body];
  int parent = b->parent;
  out.name = b->name;
  out.parent = parent ? r->bodies[parent].name : NULL;
  out.place = out.joint.place = fb_xml_place(fb_mjcf_xml(&r->tree, b->node), r->tree.nodes[b->node].element);
  if (fb_mjcf_own(&r->tree, b->node, "mocap") && strcmp(fb_mjcf_own(&r->tree, b->node, "mocap"), "true") == 0)
    fb_mjcf_pass(r, b->node, "lost: mocap=\"true\"; the body is fixed");
  status = read_joints(r, body, &out);
  if (!status) status = fb_mjcf_read_inertia(r, body, &out);
  if (!status) status = fb_model_def_add_body(r->def, &out, NULL, r->error);
  if (status) return status;
  b->id = fb_model_def_nbody(r->def) - 1;
  return add_items(r, body, b->id);
}
