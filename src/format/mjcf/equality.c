/* equality.c -- <equality> of MJCF as loops.
 *
 *   connect  a point:  anchor on body 1, and on body 2 what coincides with it at qpos0; or two sites
 *   weld     a weld:   relpose is where body 2 is in body 1, by default as at qpos0; or two sites
 *   joint    a gear:   q1 - ref1 = c0 + c1 (q2 - ref2), so the offset is ref1 + c0 - c1 ref2
 *
 * MuJoCo's are soft; loops are exact. */
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/mjcf/reader.h"
#include "math/vector3.h"
#include "model/definition/name_index.h"

/* --- what they name --- */

static int find_body(const fb_mjcf_reader* r, const char* name) {
  if (strcmp(name, "world") == 0) return 0;
  for (size_t i = 1; i < r->nbody; i++)
    if (r->bodies[i].name && strcmp(r->bodies[i].name, name) == 0) return (int)i;
  return -1;
}

const fb_mjcf_site* fb_mjcf_find_site(const fb_mjcf_reader* r, const char* name) {
  int i = fb_names_find(r->site_index, (int)r->nsite, name);
  return i < 0 ? NULL : &r->site_list[i];
}

fb_mjcf_joint* fb_mjcf_find_joint(const fb_mjcf_reader* r, const char* name) {
  int i = fb_names_find(r->joint_index, (int)r->njoint, name);
  return i < 0 ? NULL : &r->joint_list[i];
}

fb_status fb_mjcf_index(fb_mjcf_reader* r) {
  r->joint_index = calloc(r->njoint + 1, sizeof *r->joint_index);
  r->site_index = calloc(r->nsite + 1, sizeof *r->site_index);
  if (!r->joint_index || !r->site_index) return fb_mjcf_no_memory(r);
  for (size_t i = 0; i < r->njoint; i++) r->joint_index[i] = (fb_name){r->joint_list[i].name, (int)i};
  for (size_t i = 0; i < r->nsite; i++) r->site_index[i] = (fb_name){r->site_list[i].name, (int)i};
  fb_names_sort(r->joint_index, (int)r->njoint);
  fb_names_sort(r->site_index, (int)r->nsite);
  return FB_OK;
}

/* A body of an equality; absent: the world. */
static fb_status body_of(const fb_mjcf_reader* r, int node, const char* attribute, int* out) {
  const char* name = fb_mjcf_written(&r->tree, node, attribute);
  *out = name ? find_body(r, name) : 0;
  if (*out >= 0) return FB_OK;
  return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "%s=\"%.100s\": there is no such body", attribute, name);
}

/* --- frames --- */

/* The name of a frame at this pose of a body: the body itself, or a frame that is added. The world has no frames of its
 * own, so a body is fixed to it for them. */
static fb_status add_frame(fb_mjcf_reader* r, int body, const fb_pose* pose, const char* loop,
                           const char* end, const char** name) {
  if (is_zero3(pose->p) && is_identity3x3(pose->R)) {
    *name = body == 0 && !r->bodies[0].name ? "world" : r->bodies[body].name;
    return FB_OK;
  }
  *name = fb_name_set_join(&r->names, loop, "_", end);
  if (!*name) return fb_mjcf_no_memory(r);
  if (body == 0 && r->bodies[0].id == 0) {
    fb_body_def fixed = fb_default_body_def();
    fixed.name = *name;
    fixed.joint.name = fb_name_set_make(&r->joints, *name);
    memcpy(fixed.joint.at, pose->p, sizeof pose->p);
    memcpy(fixed.joint.R, pose->R, sizeof pose->R);
    return fixed.joint.name ? fb_model_def_add_body(r->def, &fixed, NULL, r->error) : fb_mjcf_no_memory(r);
  }
  fb_frame_def frame = fb_default_frame_def();
  frame.name = *name;
  memcpy(frame.at, pose->p, sizeof pose->p);
  memcpy(frame.R, pose->R, sizeof pose->R);
  return fb_model_def_add_frame(r->def, r->bodies[body].id, &frame, r->error);
}

/* The pose of body 2 in body 1 at qpos0. */
static void between(const fb_mjcf_reader* r, int one, int two, fb_pose* pose) {
  fb_pose back;
  fb_pose_inverse(&r->bodies[one].pose_w, &back);
  fb_pose_multiply(&back, &r->bodies[two].pose_w, pose);
}

static fb_status read_connect(fb_mjcf_reader* r, int node, int one, int two, fb_loop_def* loop) {
  fb_pose a = fb_pose_identity(), b, there;
  int given;
  fb_status status = fb_mjcf_numbers(r, node, "equality", "anchor", 3, a.p, &given);
  if (!status && !given)
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT,
                        "<connect> needs the point where it connects, anchor=\"x y z\"");
  if (status) return status;
  between(r, two, one, &there);
  fb_pose_multiply(&there, &a, &b);
  fb_rot_identity(b.R); /* a point has no axes */
  status = add_frame(r, one, &a, loop->name, "1", &loop->a);
  return status ? status : add_frame(r, two, &b, loop->name, "2", &loop->b);
}

static fb_status read_weld(fb_mjcf_reader* r, int node, int one, int two, fb_loop_def* loop) {
  double x[7] = {0}, anchor[3] = {0};
  fb_pose pose = fb_pose_identity(), at = fb_pose_identity(), a;
  fb_status status = fb_mjcf_numbers(r, node, "equality", "relpose", 7, x, NULL);
  if (!status) status = fb_mjcf_numbers(r, node, "equality", "anchor", 3, anchor, NULL);
  if (status) return status;
  if (is_zero3(x + 3) && x[6] == 0) {
    between(r, one, two, &pose);
  } else {
    memcpy(pose.p, x, sizeof pose.p);
    fb_quat_normalise(x + 3);
    fb_rot_from_quat(x + 3, pose.R);
  }
  memcpy(at.p, anchor, sizeof anchor);
  fb_pose_multiply(&pose, &at, &a);
  status = add_frame(r, one, &a, loop->name, "1", &loop->a);
  return status ? status : add_frame(r, two, &at, loop->name, "2", &loop->b);
}

/* The first body of those that are fixed to one another. */
static int rigid(const fb_mjcf_reader* r, int body) {
  while (body > 0 && r->bodies[body].njoint == 0) body = r->bodies[body].parent;
  return body;
}

/* Two sites. Where they are as good as the same at qpos0, as in mechanisms whose numbers were rounded, the second is moved
 * to the first: an exact loop cannot yield as a soft one does. */
static fb_status read_sites(fb_mjcf_reader* r, int node, fb_loop_def* loop, int* skip) {
  enum { FAR_APART = 100000 }; /* 1/m */
  const char *site1 = fb_mjcf_written(&r->tree, node, "site1"),
             *site2 = fb_mjcf_written(&r->tree, node, "site2");
  const fb_mjcf_site *one = site1 ? fb_mjcf_find_site(r, site1) : NULL,
                     *two = site2 ? fb_mjcf_find_site(r, site2) : NULL;
  fb_pose aw, bw, back, moved;
  if (!one || !two) return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "site1 and site2 must name two sites");
  *skip = rigid(r, one->body) == rigid(r, two->body);
  if (*skip) return FB_OK;
  fb_pose_multiply(&r->bodies[one->body].pose_w, &one->pose, &aw);
  fb_pose_multiply(&r->bodies[two->body].pose_w, &two->pose, &bw);
  double gap[3] = {aw.p[0] - bw.p[0], aw.p[1] - bw.p[1], aw.p[2] - bw.p[2]};
  loop->a = one->frame;
  loop->b = two->frame;
  if (is_zero3(gap) || norm3(gap) * FAR_APART > 1 || loop->type != FB_LOOP_POINT) return FB_OK;
  fb_pose_inverse(&r->bodies[two->body].pose_w, &back);
  fb_pose_multiply(&back, &aw, &moved);
  fb_rot_identity(moved.R);
  return add_frame(r, two->body, &moved, loop->name, "2", &loop->b);
}

/* By sites, or by bodies; *skip where nothing moves between the two. */
static fb_status read_frames(fb_mjcf_reader* r, int node, fb_loop_def* loop, int* skip) {
  int one, two;
  if (fb_mjcf_written(&r->tree, node, "site1") || fb_mjcf_written(&r->tree, node, "site2"))
    return read_sites(r, node, loop, skip);
  fb_status status = body_of(r, node, "body1", &one);
  if (!status) status = body_of(r, node, "body2", &two);
  if (status) return status;
  *skip = rigid(r, one) == rigid(r, two);
  if (*skip) return FB_OK;
  return loop->type == FB_LOOP_WELD ? read_weld(r, node, one, two, loop)
                                    : read_connect(r, node, one, two, loop);
}

/* --- joints --- */

static fb_status add_gear(fb_mjcf_reader* r, int node, fb_loop_def* loop) {
  double c[5] = {0, 1, 0, 0, 0};
  int count;
  const char *name1 = fb_mjcf_written(&r->tree, node, "joint1"),
             *name2 = fb_mjcf_written(&r->tree, node, "joint2");
  fb_status status = fb_mjcf_some(r, node, "equality", "polycoef", 5, c, &count);
  if (status) return status;
  const fb_mjcf_joint *one = name1 ? fb_mjcf_find_joint(r, name1) : NULL,
                      *two = name2 ? fb_mjcf_find_joint(r, name2) : NULL;
  if (!one || (name2 && !two))
    return fb_mjcf_fail(r, node, FB_ERR_CONTENT, "'%.100s' is no joint with one coordinate",
                        one     ? name2
                        : name1 ? name1
                                : "");
  if (!two || c[1] == 0)
    return fb_unread_add(&r->unread, node, "lost: an equality that holds a joint where it is");
  if (c[2] != 0 || c[3] != 0 || c[4] != 0)
    return fb_unread_add(&r->unread, node,
                         "lost: the equality of two joints by a polynomial of more than first degree");
  loop->a = one->def_name;
  loop->njoint = 1;
  loop->joints = &two->def_name;
  loop->ratios = &c[1];
  loop->offset = one->ref + c[0] - c[1] * two->ref;
  status = fb_model_def_add_loop(r->def, loop, r->error);
  loop->joints = NULL;
  loop->ratios = NULL;
  return status;
}

/* --- all of them --- */

static fb_status name_loop(fb_mjcf_reader* r, int node, const char** out) {
  char* given;
  fb_status status = fb_mjcf_name(r, node, &given);
  if (status) return status;
  *out = fb_name_set_make(&r->loops, given ? given : fb_mjcf_tag(&r->tree, node));
  free(given);
  return *out ? FB_OK : fb_mjcf_no_memory(r);
}

static fb_status add_equality(fb_mjcf_reader* r, int node) {
  static const char* const bools[] = {"false", "true", NULL};
  const char* tag = fb_mjcf_tag(&r->tree, node);
  int active = 1, skip = 0, joint = strcmp(tag, "joint") == 0, weld = strcmp(tag, "weld") == 0;
  if (!joint && !weld && strcmp(tag, "connect") != 0)
    return fb_unread_add(&r->unread, node, "lost: <%.40s> in <equality>", tag);
  fb_status status = fb_mjcf_word(r, node, "equality", "active", bools, &active);
  if (!status && !active) fb_unread_add(&r->unread, node, "lost: an equality that is not active");
  if (status || !active) return status;
  fb_loop_def loop = fb_default_loop_def(joint ? FB_LOOP_GEAR : weld ? FB_LOOP_WELD : FB_LOOP_POINT);
  loop.place = fb_xml_place(fb_mjcf_xml(&r->tree, node), r->tree.nodes[node].element);
  status = name_loop(r, node, &loop.name);
  if (status) return status;
  if (joint) return add_gear(r, node, &loop);
  status = read_frames(r, node, &loop, &skip);
  if (!status && skip)
    fb_unread_add(&r->unread, node, "an equality of bodies that are fixed to each other is left out");
  return status || skip ? status : fb_model_def_add_loop(r->def, &loop, r->error);
}

fb_status fb_mjcf_add_equalities(fb_mjcf_reader* r) {
  fb_status status = FB_OK;
  for (int i = -1; !status && (i = fb_mjcf_next_in(&r->tree, "equality", i)) != FB_MJCF_NONE;)
    status = add_equality(r, i);
  return status;
}
