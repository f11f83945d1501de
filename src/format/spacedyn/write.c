/* write.c -- writes a floating tree of revolute and prismatic joints as SpaceDyn parameters.
 *
 * Frames change into SpaceDyn's: the base frame moves to the base's centroid; link i's frame B becomes
 * B Z, where Z takes z to the joint axis a, because R(a, q) Z = Z Rz(q). So with Z_i, Z_j of parent and child
 *   Rx Ry Rz(Qi_j) = Z_it R_j Z_j,  cc_ii = -Z_it com,  cc_ij = Z_it (at_j - com),  ce = Z_it (at_e - com).
 * Bodies on fixed joints become part of what carries them. What SpaceDyn cannot represent is noted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/spatial.h>
#include <freebody/support/words.h>

#include "format/notes.h"
#include "format/spacedyn/spacedyn.h"
#include "format/spacedyn/params.h"
#include "math/axis.h"
#include "math/vector3.h"
#include "model/definition/forest.h"
#include "model/definition/name_index.h"
#include "model/pose.h"

enum { MOST_LINKS = 2000 }; /* 2000 give a file of 60 MB */

typedef struct writer {
  const fb_model_def* def;
  const fb_io_options* options;
  fb_error* error;
  fb_forest tree;
  fb_spacedyn_params p;
  fb_pool pool;            /* what follows */
  int* carrier;            /* per body: the body that it is part of, itself unless on a fixed joint */
  int* link;               /* per body: number of the link that it is, or is part of; 0 the base */
  fb_pose* pose;           /* per body: its frame in SpaceDyn's frame of its link, origins at the joint */
  fb_spatial_inertia* sum; /* per link, the base first: all it carries, about its own body's centroid */
  double* centre;          /* per link, the base first: that centroid in the link's frame */
  int merged, frames_lost, names_lost;
} writer;

static const fb_body_def* body_of(const writer* w, int id) {
  return fb_model_def_body(w->def, id);
}

/* --- can it be written at all? --- */

static fb_status check_base(const writer* w) {
  if (w->tree.ntree != 1)
    return fb_fail(w->error, FB_ERR_UNSUPPORTED,
                   "SpaceDyn supports one robot on a floating base, but this model has %d trees",
                   w->tree.ntree);
  const fb_body_def* base = body_of(w, w->tree.first[0]);
  if (base->joint.type == FB_JOINT_FREE) return FB_OK;
  return fb_fail(w->error, FB_ERR_UNSUPPORTED,
                 "SpaceDyn's base floats, but the base '%s' of this model is on a %s joint. Make the joint "
                 "free to convert it.",
                 base->name, fb_joint_type_name(base->joint.type));
}

static fb_status check_joints(const writer* w) {
  for (int id = 1; id < w->tree.nbody; id++) {
    const fb_body_def* body = body_of(w, id);
    fb_joint_type type = body->joint.type;
    if (w->tree.parent[id] == 0 || fb_joint_type_nv(type) == 0) continue;
    if (type != FB_JOINT_REVOLUTE && type != FB_JOINT_PRISMATIC)
      return fb_fail(w->error, FB_ERR_UNSUPPORTED,
                     "joint '%s' is %s; SpaceDyn supports only revolute and prismatic joints",
                     fb_def_joint_name(body), fb_joint_type_name(type));
    double axis[3] = {body->joint.axis[0], body->joint.axis[1], body->joint.axis[2]};
    if (!fb_axis_normalise(axis))
      return fb_fail(w->error, FB_ERR_JOINT, "the axis of joint '%s' is zero", fb_def_joint_name(body));
  }
  return FB_OK;
}

/* --- numbering --- */

static int is_parents_first(const writer* w) {
  for (int id = 1; id < w->tree.nbody; id++)
    if (w->tree.parent[id] > id) return 0;
  return 1;
}

/* Links count in the order of the definition, so that q keeps its order, unless a child stands before its
 * parent: SpaceDyn wants BB(i) < i. */
static int number_links(writer* w) {
  int in_order = is_parents_first(w), n = 0;
  for (int k = 1; k < w->tree.nbody; k++) {
    int id = w->tree.order[k], parent = w->tree.parent[id];
    int fixed = parent != 0 && fb_joint_type_nv(body_of(w, id)->joint.type) == 0;
    w->carrier[id] = fixed ? w->carrier[parent] : id;
  }
  for (int k = 1; k < w->tree.nbody; k++) {
    int id = in_order ? k : w->tree.order[k];
    if (w->carrier[id] == id && w->tree.parent[id] != 0) w->link[id] = ++n;
  }
  for (int id = 1; id < w->tree.nbody; id++) {
    w->link[id] = w->link[w->carrier[id]];
    w->merged += w->carrier[id] != id;
  }
  if (!in_order) fb_io_note(w->options, "the links are renumbered, parents first, so the order of q changes");
  return n;
}

/* --- geometry --- */

/* Z: SpaceDyn's axes of the link in the body's axes. */
static void link_axes(const fb_body_def* body, double Z[9]) {
  double axis[3] = {body->joint.axis[0], body->joint.axis[1], body->joint.axis[2]};
  fb_rot_identity(Z);
  if (fb_joint_type_naxis(body->joint.type) > 0 && fb_axis_normalise(axis)) fb_axis_from_z(axis, Z);
}

/* Of body `id` in its link's frame. A link's own body has its origin there and is turned by Zt. */
static void place_body(writer* w, int id) {
  const fb_body_def* body = body_of(w, id);
  if (w->carrier[id] == id) {
    double Z[9];
    link_axes(body, Z);
    w->pose[id] = fb_pose_identity();
    fb_rot_transpose(Z, w->pose[id].R);
    return;
  }
  const fb_pose joint = fb_pose_of(body->joint.R, body->joint.at);
  fb_pose_multiply(&w->pose[w->tree.parent[id]], &joint, &w->pose[id]);
}

/* Summed about the centroid of the link's own body: a link of one body then keeps every digit. */
static void add_inertia(writer* w, int id) {
  const fb_body_def* body = body_of(w, id);
  double* centre = w->centre + 3 * (size_t)w->link[id];
  fb_spatial_inertia moved, local = {.mass = body->mass};
  fb_pose at_com = w->pose[id];
  double com[3];
  memcpy(local.moments, body->inertia, sizeof local.moments);
  fb_rot_apply(at_com.R, body->com, com);
  for (int a = 0; a < 3; a++) {
    if (w->carrier[id] == id) centre[a] = com[a];
    at_com.p[a] += com[a] - centre[a];
  }
  fb_spatial_inertia_to_parent(&at_com, &local, &moved);
  fb_spatial_inertia_add(&w->sum[w->link[id]], &moved, &w->sum[w->link[id]]);
}

/* Where the joint of a link's body stands in the frame of the link below. */
static void place_joint(writer* w, int id) {
  const fb_body_def* body = body_of(w, id);
  int i = w->link[id] - 1, parent = w->tree.parent[id];
  fb_pose joint = fb_pose_of(body->joint.R, body->joint.at), placed;
  double Z[9];
  fb_pose_multiply(&w->pose[parent], &joint, &placed);
  link_axes(body, Z);
  fb_rot_multiply(placed.R, Z, placed.R);
  fb_rot_to_euler_xyz(placed.R, w->p.Qi + 3 * i);
  memcpy(w->p.c_from + 3 * i, placed.p, sizeof placed.p);
  w->p.BB[i] = w->link[parent];
  w->p.type[i] = body->joint.type == FB_JOINT_PRISMATIC ? 'P' : 'R';
}

/* The first frame found on a link is its end-point; the base has none. */
static void place_frames(writer* w, int id) {
  int link = w->link[id];
  for (int k = 0; k < fb_model_def_nframe(w->def, id); k++) {
    if (link == 0 || w->p.SE[link - 1]) {
      w->frames_lost++;
      continue;
    }
    const fb_frame_def* frame = fb_model_def_frame(w->def, id, k);
    char usual[24];
    fb_pose local = fb_pose_of(frame->R, frame->at), placed;
    fb_pose_multiply(&w->pose[id], &local, &placed);
    fb_rot_to_euler_xyz(placed.R, w->p.Qe + 3 * (link - 1));
    memcpy(w->p.ce + 3 * (link - 1), placed.p, sizeof placed.p);
    w->p.SE[link - 1] = 1;
    snprintf(usual, sizeof usual, "end%d", link);
    w->names_lost += strcmp(usual, frame->name) != 0;
  }
}

/* From joints to centroids, as SpaceDyn measures. */
static void measure_from_centroids(writer* w) {
  fb_spacedyn_params* p = &w->p;
  double com0[3];
  fb_spatial_inertia_to_com(&w->sum[0], &p->m0, com0, p->inertia0);
  for (int a = 0; a < 3; a++) com0[a] += w->centre[a];
  for (int i = 0; i < p->n; i++) {
    double com[3];
    fb_spatial_inertia_to_com(&w->sum[i + 1], &p->m[i], com, p->inertia + 6 * i);
    for (int a = 0; a < 3; a++) p->c_own[3 * i + a] = 0 - (com[a] + w->centre[3 * (i + 1) + a]);
  }
  for (int i = 0; i < p->n; i++)
    for (int a = 0; a < 3; a++) {
      p->c_from[3 * i + a] += p->BB[i] ? p->c_own[3 * (p->BB[i] - 1) + a] : -com0[a];
      if (p->SE[i]) p->ce[3 * i + a] += p->c_own[3 * i + a];
    }
  if (!is_zero3(com0))
    fb_io_note(w->options, "the base frame moves to the base's centroid, by (%g, %g, %g) m", com0[0], com0[1],
               com0[2]);
}

static void fill(writer* w) {
  for (int k = 1; k < w->tree.nbody; k++) {
    int id = w->tree.order[k];
    place_body(w, id);
    add_inertia(w, id);
    if (w->carrier[id] == id && w->link[id] > 0) place_joint(w, id);
    place_frames(w, id);
  }
  measure_from_centroids(w);
  fb_model_def_gravity(w->def, w->p.gravity_w);
}

/* --- what is lost --- */

static int any(const double* x, int count, double usual) {
  for (int i = 0; i < count; i++)
    if (x[i] != usual) return 1;
  return 0;
}

static void note_joint_losses(const writer* w) {
  static const char* const what[] = {"limits",   "springs (stiffness, rest)", "damping", "friction",
                                     "armature", "largest effort and speed"};
  int lost[6] = {0};
  for (int id = 1; id < w->tree.nbody; id++) {
    const fb_joint_def* j = &body_of(w, id)->joint;
    int nv = fb_joint_type_nv(j->type);
    lost[0] += any(j->lower, nv, -INFINITY) || any(j->upper, nv, INFINITY);
    lost[1] += any(j->stiffness, nv, 0) || any(j->rest, nv, 0);
    lost[2] += any(j->damping, nv, 0);
    lost[3] += any(j->friction, nv, 0);
    lost[4] += any(j->armature, nv, 0);
    lost[5] += any(j->effort, nv, INFINITY) || any(j->speed, nv, INFINITY);
  }
  for (int i = 0; i < 6; i++)
    if (lost[i]) fb_io_note(w->options, "lost: %s of %d joint%s", what[i], lost[i], lost[i] == 1 ? "" : "s");
}

/* Body and joint names that reading the file again will not give back. */
static int is_renamed(const writer* w, int id) {
  char body[24], joint[24];
  int link = w->link[id];
  const char* name = fb_def_joint_name(body_of(w, id));
  snprintf(body, sizeof body, link ? "link%d" : "base", link);
  snprintf(joint, sizeof joint, link ? "joint%d" : "base", link);
  return strcmp(body, body_of(w, id)->name) != 0 || strcmp(joint, name) != 0;
}

static void note_loops(const writer* w) {
  enum { SHOWN = 8 };
  const char* shown[SHOWN + 1] = {NULL};
  char names[300];
  int count = fb_model_def_nloop(w->def);
  if (!count) return;
  for (int i = 0; i < count && i < SHOWN; i++) shown[i] = fb_model_def_loop(w->def, i)->name;
  fb_io_note(w->options, "lost: %d loop%s: %s%s; SpaceDyn's mechanisms are trees", count,
             count == 1 ? "" : "s", fb_words_join(shown, "'", names, sizeof names),
             count > SHOWN ? ", ..." : "");
}

static void note_losses(const writer* w) {
  int shapes = 0, names = w->names_lost;
  for (int id = 1; id < w->tree.nbody; id++) {
    shapes += fb_model_def_nshape(w->def, id);
    names += w->carrier[id] == id && is_renamed(w, id);
  }
  const fb_joint_def* base = &body_of(w, w->tree.first[0])->joint;
  if (!is_zero3(base->at) || !is_identity3x3(base->R))
    fb_io_note(w->options,
               "lost: the pose of the base's joint frame in the world; put it into the state R0, A0");
  if (w->merged)
    fb_io_note(w->options, "%d bod%s on fixed joints became part of what carries %s", w->merged,
               w->merged == 1 ? "y" : "ies", w->merged == 1 ? "it" : "them");
  if (names)
    fb_io_note(w->options,
               "lost: the names; bodies become base, link1 ..., joints joint1 ..., end-points end1 ...");
  if (w->frames_lost)
    fb_io_note(w->options, "lost: %d frame%s; SpaceDyn has one end-point a link and none on the base",
               w->frames_lost, w->frames_lost == 1 ? "" : "s");
  if (shapes) fb_io_note(w->options, "lost: %d shape%s", shapes, shapes == 1 ? "" : "s");
  note_loops(w);
  note_joint_losses(w);
}

/* --- the whole --- */

static fb_status write_model(writer* w, fb_json* json) {
  size_t nbody = (size_t)w->tree.nbody;
  w->carrier = fb_pool_take(&w->pool, 2 * nbody, sizeof *w->carrier);
  w->pose = fb_pool_take(&w->pool, nbody, sizeof *w->pose);
  w->sum = fb_pool_take(&w->pool, nbody, sizeof *w->sum);
  w->centre = fb_pool_take(&w->pool, 3 * nbody, sizeof *w->centre);
  if (w->pool.failed) return fb_fail(w->error, FB_ERR_MEMORY, "out of memory while writing");
  w->link = w->carrier + nbody;
  int n = number_links(w);
  if (n > MOST_LINKS)
    return fb_fail(w->error, FB_ERR_UNSUPPORTED,
                   "the model has %d links; SpaceDyn's arrays SS and cc have n x n entries, so at most %d "
                   "links are written",
                   n, (int)MOST_LINKS);
  if (!fb_spacedyn_params_make(&w->p, n))
    return fb_fail(w->error, FB_ERR_MEMORY, "out of memory while writing");
  fill(w);
  note_losses(w);
  fb_spacedyn_print(&w->p, fb_model_def_name(w->def), json);
  return FB_OK;
}

fb_status fb_spacedyn_write(const fb_model_def* def, const fb_io_options* options, fb_json* json,
                            fb_error* error) {
  writer w = {.def = def, .options = options, .error = error};
  fb_status status = fb_forest_make(def, &w.tree, error);
  if (status) return status;
  status = check_base(&w);
  if (!status) status = check_joints(&w);
  if (!status) status = write_model(&w, json);
  fb_spacedyn_params_free(&w.p);
  fb_pool_free(&w.pool);
  fb_forest_free(&w.tree);
  return status;
}
