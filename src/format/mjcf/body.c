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
#include "format/mjcf/reader.h"
#include "format/notes.h"
#include "math/vector3.h"

/* --- names --- */

/* The name of a site as a frame. Bodies and frames have one set of names here; one that is taken gets an ending. */
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

/* The name that the file gives a body; NULL when it gives none. */
static fb_status take_name(fb_mjcf_reader* r, int body) {
  fb_mjcf_body* b = &r->bodies[body];
  char* given;
  int is_new = 1;
  fb_status status = fb_mjcf_name(r, b->node, &given);
  if (status || !given) return status;
  b->name = fb_name_set_add(&r->names, given, &is_new);
  if (!b->name) status = fb_mjcf_no_memory(r);
  if (!status && !is_new)
    status = fb_mjcf_fail(r, b->node, FB_ERR_NAME, "there are two bodies named '%.100s'; rename one%s", given,
                          strcmp(given, "world") == 0 ? ": this is the name of the world" : "");
  free(given);
  return status;
}

/* Given names go first, so that a site or a made name never takes that of a body further down in the file. */
static fb_status name_bodies(fb_mjcf_reader* r) {
  int is_new;
  fb_status status = fb_name_set_add(&r->names, "world", &is_new) ? FB_OK : fb_mjcf_no_memory(r);
  for (int b = 1; b < (int)r->nbody && !status; b++) status = take_name(r, b);
  for (int b = 1; b < (int)r->nbody && !status; b++) {
    char made[32];
    if (r->bodies[b].name) continue;
    snprintf(made, sizeof made, "body%d", b);
    r->bodies[b].name = fb_name_set_make(&r->names, made);
    if (!r->bodies[b].name) status = fb_mjcf_no_memory(r);
  }
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

static fb_status keep_joint(fb_mjcf_reader* r, const char* name, double ref, double spring) {
  if (!fb_grow(&r->joint_list, r->njoint, 1, &r->joint_room, sizeof *r->joint_list))
    return fb_mjcf_no_memory(r);
  /* The body that the joint moves is the next that is added. */
  r->joint_list[r->njoint++] = (fb_mjcf_joint){
      .name = name, .def_name = name, .body = fb_model_def_nbody(r->def), .ref = ref, .spring = spring};
  return FB_OK;
}

static int is_leaf(const fb_mjcf_reader* r, int body) {
  for (size_t b = 1; b < r->nbody; b++)
    if (r->bodies[b].parent == body) return 0;
  return 1;
}

/* MuJoCo moves the frame of a free body without children to its inertia where it is asked to: another q, the same motion. */
static void note_aligned(fb_mjcf_reader* r, int node, int body) {
  const char* align =
      fb_mjcf_is(&r->tree, node, "freejoint") ? fb_mjcf_written(&r->tree, node, "align") : NULL;
  int is_auto = !align || strcmp(align, "auto") == 0, aligned = align && strcmp(align, "true") == 0;
  if ((aligned || (is_auto && r->set.align_free)) && is_leaf(r, body))
    fb_unread_add(&r->unread, node,
                  "align of a free joint is not read: q is the pose of the body's frame as written, in "
                  "MuJoCo that of its inertia");
}

/* Free joints are for children of the world, alone on their body, and nothing of the model depends on where it starts. */
static fb_status check_free(fb_mjcf_reader* r, int node, int body, int count) {
  if (r->bodies[body].parent != 0)
    return fb_mjcf_fail(r, node, FB_ERR_JOINT,
                        "a free joint is for bodies in <worldbody>, as in MuJoCo; three slides and a ball do "
                        "the same elsewhere");
  if (count > 1) return fb_mjcf_fail(r, node, FB_ERR_JOINT, "a body with a free joint has no other joint");
  note_aligned(r, node, body);
  const fb_pose* pose = &r->bodies[body].pose;
  if (!r->scenario && (!is_zero3(pose->p) || !is_identity3x3(pose->R)))
    fb_unread_add(&r->unread, node,
                  "the place of a body with a free joint is left out: its q is MuJoCo's qpos, and zero "
                  "unless a scenario's start says where it is");
  return FB_OK;
}

/* Places joint k of a body: on its parent, or on the massless body before it in the chain. */
static void place_joint(const fb_mjcf_reader* r, int body, int first, const double pos[3],
                        fb_joint_def* joint) {
  fb_pose local = fb_pose_identity(), whole;
  if (joint->type == FB_JOINT_FREE) return;
  memcpy(local.R, joint->R, sizeof local.R);
  for (int i = 0; i < 3; i++) local.p[i] = pos[i] + joint->at[i];
  if (first)
    fb_pose_multiply(&r->bodies[body].pose, &local, &whole);
  else
    whole = local;
  memcpy(joint->R, whole.R, sizeof whole.R);
  memcpy(joint->at, whole.p, sizeof whole.p);
  for (int i = 0; i < 3; i++) joint->child_at[i] = pos[i] == 0 ? 0 : -pos[i];
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
  r->bodies[body].split = 1;
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
    fb_status status =
        i < 3 ? keep_joint(r, joint.name, r->bodies[body].pose.p[i], r->bodies[body].pose.p[i]) : FB_OK;
    if (!status && i < 3) status = add_between(r, body, out);
    if (status) return status;
  }
  return FB_OK;
}

/* Moves a pose by a joint at a point of it. */
static void turn_spring(const fb_joint_def* joint, const double pos[3], double by, fb_pose* pose) {
  fb_pose moved = fb_pose_identity();
  if (joint->type == FB_JOINT_REVOLUTE) fb_rot_from_axis_angle(joint->axis, by, moved.R);
  for (int i = 0; i < 3; i++)
    moved.p[i] = joint->type == FB_JOINT_REVOLUTE ? pos[i] - dot3(moved.R + 3 * i, pos) : by * joint->axis[i];
  fb_pose_multiply(pose, &moved, pose);
}

/* All joints of a body: those before the last on massless bodies of their own. */
static fb_status read_joints(fb_mjcf_reader* r, int body, fb_body_def* out) {
  int count = r->bodies[body].njoint, done = 0;
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
    if (fb_joint_type_nv(out->joint.type) == 1) {
      double spring = 0;
      status = fb_mjcf_numbers(r, e, "joint", "springref", 1, &spring, NULL);
      if (out->joint.type == FB_JOINT_REVOLUTE) spring *= r->set.angle;
      turn_spring(&out->joint, pos, spring - ref, &r->bodies[body].spring_w);
      if (!status) status = keep_joint(r, name, ref, spring);
    }
    if (!status && ++done < count) status = add_between(r, body, out);
  }
  /* With a rotor at each coordinate, as a default class may give it: three slides and a ball. */
  if (!status && out->joint.type == FB_JOINT_FREE && out->joint.armature[0] != 0)
    status = split_free(r, body, out);
  return status;
}

/* --- what is on a body --- */

static fb_status keep_site(fb_mjcf_reader* r, int body, const char* given, const char* frame,
                           const fb_pose* pose) {
  int is_new;
  const char* name = fb_name_set_add(&r->sites, given, &is_new);
  if (!name || !fb_grow(&r->site_list, r->nsite, 1, &r->site_room, sizeof *r->site_list))
    return fb_mjcf_no_memory(r);
  r->site_list[r->nsite++] = (fb_mjcf_site){.name = name, .frame = frame, .body = body, .pose = *pose};
  return FB_OK;
}

static fb_status add_site(fb_mjcf_reader* r, int node, int body, int id) {
  char* given;
  fb_frame_def frame = fb_default_frame_def();
  fb_pose local = fb_pose_identity(), whole;
  fb_status status = fb_mjcf_name(r, node, &given);
  if (status || !given) return status; /* without a name it is a mark in the picture */
  status = name_site(r, node, given, &frame.name);
  if (!status) status = fb_mjcf_pose(r, node, "site", &local);
  fb_pose_multiply(&r->pose[node], &local, &whole);
  if (!status) status = keep_site(r, body, given, frame.name, &whole);
  free(given);
  if (status) return status;
  memcpy(frame.at, whole.p, sizeof frame.at);
  memcpy(frame.R, whole.R, sizeof frame.R);
  frame.place = fb_xml_place(fb_mjcf_xml(&r->tree, node), r->tree.nodes[node].element);
  return fb_model_def_add_frame(r->def, id, &frame, r->error);
}

/* Where the force of gravcomp acts, when it has one: a frame at the centre of mass. */
static fb_status add_gravcomp(fb_mjcf_reader* r, int body, const fb_body_def* def) {
  fb_mjcf_body* b = &r->bodies[body];
  fb_frame_def frame = fb_default_frame_def();
  fb_status status = fb_mjcf_numbers(r, b->node, NULL, "gravcomp", 1, &b->gravcomp, NULL);
  if (status || b->gravcomp == 0 || !(def->mass > 0)) return status;
  if (!r->scenario)
    fb_unread_add(&r->unread, b->node,
                  "gravcomp of <body> is left to a scenario, as freebody convert --to scenario writes it");
  b->com_frame = b->name;
  if (is_zero3(def->com)) return FB_OK;
  frame.name = b->com_frame = fb_name_set_join(&r->names, b->name, "_com", "");
  if (!frame.name) return fb_mjcf_no_memory(r);
  memcpy(frame.at, def->com, sizeof frame.at);
  return fb_model_def_add_frame(r->def, b->id, &frame, r->error);
}

static fb_status add_items(fb_mjcf_reader* r, int body, int id) {
  fb_status status = FB_OK;
  for (int e = r->bodies[body].first; e != FB_MJCF_NONE && !status; e = r->next_item[e]) {
    fb_mjcf_geom geom;
    if (fb_mjcf_is(&r->tree, e, "site")) status = add_site(r, e, body, id);
    if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
    status = fb_mjcf_read_geom(r, e, &geom);
    if (!status) status = fb_mjcf_add_shape(r, e, &geom, id);
  }
  return status;
}

/* Sites and shapes of the world are on a body that is fixed to it. */
static fb_status add_world(fb_mjcf_reader* r) {
  int wanted = 0;
  fb_status named = name_bodies(r);
  if (named) return named;
  fb_mjcf_body* world = &r->bodies[0];
  for (int e = world->first; e != FB_MJCF_NONE; e = r->next_item[e]) {
    fb_mjcf_geom geom;
    if (fb_mjcf_is(&r->tree, e, "site")) wanted |= fb_mjcf_written(&r->tree, e, "name") != NULL;
    if (!fb_mjcf_is(&r->tree, e, "geom")) continue;
    fb_status status = fb_mjcf_read_geom(r, e, &geom);
    if (status) return status;
    wanted |= geom.type != FB_MJCF_PLANE && geom.type != FB_MJCF_HFIELD;
  }
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
  fb_mjcf_body* b = &r->bodies[body];
  int parent = b->parent;
  out.name = b->name;
  out.parent = parent ? r->bodies[parent].name : NULL;
  out.place = out.joint.place = fb_xml_place(fb_mjcf_xml(&r->tree, b->node), r->tree.nodes[b->node].element);
  if (fb_mjcf_written(&r->tree, b->node, "mocap") &&
      strcmp(fb_mjcf_written(&r->tree, b->node, "mocap"), "true") == 0)
    fb_unread_add(&r->unread, b->node, "lost: mocap=\"true\"; the body is fixed");
  fb_pose_multiply(&r->bodies[parent].spring_w, &b->pose, &b->spring_w);
  fb_status status = read_joints(r, body, &out);
  if (!status) status = fb_mjcf_read_inertia(r, body, &out);
  if (!status) status = fb_model_def_add_body(r->def, &out, NULL, r->error);
  if (status) return status;
  b->id = fb_model_def_nbody(r->def) - 1;
  status = add_gravcomp(r, body, &out);
  return status ? status : add_items(r, body, b->id);
}
