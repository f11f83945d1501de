/* start.c -- where the robot of an MJCF file begins: its first keyframe, or as the file draws it. The numbers of qpos are
 * those of q, in the same order. */
#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "format/mjcf/scenario/scenario.h"

/* --- coordinates --- */

static const fb_joint_def* joint_of(const fb_mjcf_scene* s, int body) {
  return &fb_model_def_body(s->r->def, body)->joint;
}

static const fb_mjcf_body* body_of(const fb_mjcf_scene* s, int id) {
  for (size_t b = 1; b < s->r->nbody; b++)
    if (s->r->bodies[b].id == id) return &s->r->bodies[b];
  return NULL;
}

/* qpos0: references of joints, places of free bodies. */
static void draw(fb_mjcf_scene* s) {
  int at = 0;
  for (int b = 1; b < fb_model_def_nbody(s->r->def); b++) {
    const fb_joint_def* joint = joint_of(s, b);
    const fb_mjcf_joint* known = joint->name ? fb_mjcf_find_joint(s->r, joint->name) : NULL;
    const fb_mjcf_body* body =
        joint->type == FB_JOINT_FREE || joint->type == FB_JOINT_SPHERICAL ? body_of(s, b) : NULL;
    int quat = fb_joint_type_quat_index(joint->type);
    if (quat >= 0) s->q0[at + quat] = 1;
    if (known) s->q0[at] = known->ref;
    if (body && joint->type == FB_JOINT_FREE) memcpy(s->q0 + at, body->pose_w.p, sizeof body->pose_w.p);
    if (body && (joint->type == FB_JOINT_FREE || body->split))
      fb_rot_to_quat(body->pose_w.R, s->q0 + at + quat);
    at += fb_joint_type_nq(joint->type);
  }
}

/* --- the keyframe --- */

static int first_key(const fb_mjcf_reader* r) {
  for (int e = r->tree.nodes[0].first; e != FB_MJCF_NONE; e = r->tree.nodes[e].next) {
    int key = fb_mjcf_is(&r->tree, e, "keyframe") ? fb_mjcf_child(&r->tree, e, "key") : FB_MJCF_NONE;
    if (key != FB_MJCF_NONE) return key;
  }
  return FB_MJCF_NONE;
}

/* A keyframe may have quaternions of any length; zero stands for no rotation, as in MuJoCo. */
static void normalise(fb_mjcf_scene* s) {
  int at = 0;
  for (int b = 1; b < fb_model_def_nbody(s->r->def); b++) {
    fb_joint_type type = joint_of(s, b)->type;
    double* q = s->start + at + fb_joint_type_quat_index(type);
    at += fb_joint_type_nq(type);
    if (fb_joint_type_quat_index(type) < 0) continue;
    if (q[0] == 0 && q[1] == 0 && q[2] == 0 && q[3] == 0) q[0] = 1;
    fb_quat_normalise(q);
  }
}

static fb_status read_key(fb_mjcf_scene* s, int key) {
  fb_mjcf_reader* r = s->r;
  fb_xml* xml = fb_mjcf_xml(&r->tree, key);
  int element = r->tree.nodes[key].element, nq = fb_xml_number_count(xml, element, "qpos");
  const char* name = fb_mjcf_written(&r->tree, key, "name");
  fb_status status = FB_OK;
  if (r->tree.nodes[key].next != FB_MJCF_NONE)
    fb_unread_add(&r->unread, key, "the start is the first keyframe%s%.60s%s; the others are not read",
                  name ? ", '" : "", name ? name : "", name ? "'" : "");
  if (nq == s->nq)
    status = fb_xml_numbers(xml, element, "qpos", nq, s->start, r->error);
  else if (nq > 0)
    fb_unread_add(&r->unread, key, "lost: qpos of a keyframe: it has %d numbers, the model %d coordinates",
                  nq, s->nq);
  if (!status) normalise(s);
  if (fb_mjcf_written(&r->tree, key, "qvel"))
    fb_unread_add(&r->unread, key, "lost: qvel of a keyframe; give rates in start");
  if (fb_mjcf_written(&r->tree, key, "act")) fb_unread_add(&r->unread, key, "lost: act of a keyframe");
  s->nctrl = fb_xml_number_count(xml, element, "ctrl");
  s->ctrl = calloc((size_t)s->nctrl + 1, sizeof *s->ctrl);
  if (!s->ctrl) return fb_mjcf_no_memory(r);
  return status ? status : fb_xml_numbers(xml, element, "ctrl", s->nctrl, s->ctrl, r->error);
}

fb_status fb_mjcf_find_start(fb_mjcf_scene* s) {
  for (int b = 1; b < fb_model_def_nbody(s->r->def); b++) s->nq += fb_joint_type_nq(joint_of(s, b)->type);
  s->q0 = calloc(2 * (size_t)s->nq + 1, sizeof *s->q0);
  if (!s->q0) return fb_mjcf_no_memory(s->r);
  s->start = s->q0 + s->nq;
  draw(s);
  memcpy(s->start, s->q0, (size_t)s->nq * sizeof *s->q0);
  int key = first_key(s->r);
  return key == FB_MJCF_NONE ? FB_OK : read_key(s, key);
}

/* --- writing --- */

/* Whether a joint is at zero. */
static int is_neutral(fb_joint_type type, const double* q) {
  int quat = fb_joint_type_quat_index(type);
  for (int i = 0; i < fb_joint_type_nq(type); i++)
    if (q[i] != (i == quat ? 1 : 0)) return 0;
  return 1;
}

static void print_bases(fb_mjcf_scene* s, int count) {
  int at = 0;
  if (count > 1) fb_json_put_map(s->json, "bases");
  for (int b = 1; b < fb_model_def_nbody(s->r->def); b++) {
    fb_joint_type type = joint_of(s, b)->type;
    if (type == FB_JOINT_FREE && !is_neutral(type, s->start + at)) {
      fb_json_key(s->json, count > 1 ? fb_model_def_body(s->r->def, b)->name : "base");
      fb_json_begin_map(s->json);
      fb_json_put_numbers(s->json, "at", s->start + at, 3);
      fb_json_put_numbers(s->json, "quat", s->start + at + 3, 4);
      fb_json_end_map(s->json);
    }
    at += fb_joint_type_nq(type);
  }
  if (count > 1) fb_json_end_map(s->json);
}

/* Joints that are not at zero. With loops they are where the search for closed ones starts: rounded numbers close none. */
static void print_joints(fb_mjcf_scene* s) {
  int at = 0;
  fb_json_put_map(s->json, fb_model_def_nloop(s->r->def) > 0 ? "near" : "joints");
  for (int b = 1; b < fb_model_def_nbody(s->r->def); b++) {
    const fb_joint_def* joint = joint_of(s, b);
    int nq = fb_joint_type_nq(joint->type);
    if (joint->type != FB_JOINT_FREE && !is_neutral(joint->type, s->start + at)) {
      fb_json_key(s->json, joint->name);
      if (nq == 1)
        fb_json_number(s->json, s->start[at]);
      else
        fb_json_numbers(s->json, s->start + at, nq);
    }
    at += nq;
  }
  fb_json_end_map(s->json);
}

void fb_mjcf_print_start(fb_mjcf_scene* s) {
  int at = 0, free_count = 0, moved = 0, bent = 0;
  for (int b = 1; b < fb_model_def_nbody(s->r->def); b++) {
    fb_joint_type type = joint_of(s, b)->type;
    free_count += type == FB_JOINT_FREE;
    if (!is_neutral(type, s->start + at)) *(type == FB_JOINT_FREE ? &moved : &bent) += 1;
    at += fb_joint_type_nq(type);
  }
  if (!moved && !bent) return;
  fb_json_put_map(s->json, "start");
  if (moved) print_bases(s, free_count);
  if (bent) print_joints(s);
  fb_json_end_map(s->json);
}
