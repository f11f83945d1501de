/* model.c -- queries of a built model: counts, names, indices, SpaceDyn's topology. */
#include "model/model.h"

#include <math.h>
#include <string.h>

#include <freebody/rotation.h>

#include "kernel/instances.h"
#include "math/axis.h"
#include "model/definition/joint_path.h"
#include "model/definition/name_index.h"

const char* fb_model_name(const fb_model* m) {
  return fb_model_def_name(m->def);
}

const fb_model_def* fb_model_definition(const fb_model* m) {
  return m->def;
}

const char* fb_model_isa(const fb_model* m) {
  return m->kernels->isa;
}

int fb_model_nbody(const fb_model* m) {
  return m->top.nbody;
}

int fb_model_nq(const fb_model* m) {
  return m->top.nq;
}

int fb_model_nv(const fb_model* m) {
  return m->top.nv;
}

int fb_model_nframe(const fb_model* m) {
  return m->top.nframe;
}

int fb_model_ntree(const fb_model* m) {
  return m->top.ntree;
}

int fb_model_nlink(const fb_model* m) {
  return m->top.nlink;
}

double fb_model_mass(const fb_model* m) {
  return m->par.subtree_mass[FB_WORLD];
}

static int has_body(const fb_model* m, int body) {
  return body >= 0 && body < m->top.nbody;
}

const char* fb_body_name(const fb_model* m, int body) {
  if (!has_body(m, body)) return NULL;
  return body == FB_WORLD ? "world" : fb_model_def_body(m->def, body)->name;
}

int fb_body_parent(const fb_model* m, int body) {
  return has_body(m, body) ? m->top.body_parent[body] : -1;
}

int fb_body_base(const fb_model* m, int body) {
  return has_body(m, body) ? m->top.body_base[body] : -1;
}

int fb_body_floats(const fb_model* m, int body) {
  return fb_body_parent(m, body) == FB_WORLD && fb_joint_kinds[m->top.joint_type[body]].is_free;
}

double fb_body_mass(const fb_model* m, int body) {
  return has_body(m, body) ? m->par.body_mass[body] : NAN;
}

const char* fb_joint_name(const fb_model* m, int body) {
  if (!has_body(m, body)) return NULL;
  if (body == FB_WORLD) return "";
  const fb_body_def* b = fb_model_def_body(m->def, body);
  return b->joint.name ? b->joint.name : b->name;
}

fb_joint_type fb_joint_type_of(const fb_model* m, int body) {
  return has_body(m, body) ? (fb_joint_type)m->top.joint_type[body] : FB_JOINT_FIXED;
}

int fb_joint_q_index(const fb_model* m, int body) {
  return has_body(m, body) ? m->top.body_q[body] : -1;
}

int fb_joint_v_index(const fb_model* m, int body) {
  return has_body(m, body) ? m->top.body_v[body] : -1;
}

int fb_joint_nq(const fb_model* m, int body) {
  return fb_joint_type_nq(fb_joint_type_of(m, body));
}

int fb_joint_nv(const fb_model* m, int body) {
  return fb_joint_type_nv(fb_joint_type_of(m, body));
}

int fb_coordinate_body(const fb_model* m, int k) {
  return k >= 0 && k < m->top.nv ? m->top.coordinate_body[k] : FB_WORLD;
}

int fb_coordinate_q_index(const fb_model* m, int k) {
  return k >= 0 && k < m->top.nv ? m->top.coordinate_q[k] : -1;
}

const char* fb_frame_name(const fb_model* m, int frame) {
  if (!fb_frame_exists(m, frame)) return NULL;
  if (frame < m->top.nbody) return fb_body_name(m, frame);
  if (frame >= m->top.nframe) return "";
  int body = m->top.site_body[frame];
  return fb_model_def_frame(m->def, body, frame - m->top.body_frame[body])->name;
}

int fb_frame_body(const fb_model* m, int frame) {
  return fb_frame_exists(m, frame) ? m->top.site_body[frame] : -1;
}

int fb_model_com_frame(const fb_model* m, int body) {
  return has_body(m, body) ? fb_com_site(&m->top, body) : -1;
}

int fb_model_joint_frame(const fb_model* m, int body) {
  return has_body(m, body) ? fb_joint_site(&m->top, body) : -1;
}

int fb_model_find_frame(const fb_model* m, const char* name) {
  return fb_names_find(m->frame_names, m->top.nframe, name);
}

int fb_model_find_body(const fb_model* m, const char* name) {
  int frame = fb_model_find_frame(m, name);
  return frame < m->top.nbody ? frame : -1;
}

int fb_model_find_joint(const fb_model* m, const char* name) {
  return fb_names_find(m->joint_names, m->top.nbody - 1, name);
}

int fb_model_traversal(const fb_model* m, int index) {
  return has_body(m, index) ? m->top.body_order[index] : -1;
}

int fb_joint_axes(const fb_model* m, int body, double axis[3], double axis2[3]) {
  if (body <= FB_WORLD || body >= m->top.nbody) return 0;
  const fb_joint_def* joint = &fb_model_def_body(m->def, body)->joint;
  memcpy(axis, joint->axis, sizeof joint->axis);
  memcpy(axis2, joint->axis2, sizeof joint->axis2);
  fb_axis_normalise(axis);
  fb_axis_normalise(axis2);
  for (int i = 0; i < 3 && joint->reversed; i++) {
    axis[i] = 0 - axis[i];
    axis2[i] = 0 - axis2[i];
  }
  return fb_joint_type_naxis(joint->type);
}

void fb_joint_turn_tail(const fb_model* m, int body, double x[3]) {
  fb_joint_path path = fb_joint_path_of(&fb_model_def_body(m->def, body)->joint);
  if (path.has_tail) fb_rot_apply(path.tail.R, x, x);
}

/* SpaceDyn's number of a body: 0 the base, links from 1 in file order. */
static int spacedyn_link(int body, int base) {
  return body == base ? 0 : body < base ? body : body - 1;
}

fb_status fb_model_spacedyn_topology(const fb_model* m, int* B, int* S, int* S0, int* Se) {
  const fb_topology* t = &m->top;
  if (t->ntree != 1) return FB_ERR_TREE;
  int n = t->nbody - 2, base = t->body_order[1];
  if (S) memset(S, 0, (size_t)n * (size_t)n * sizeof *S);
  for (int b = 1; b < t->nbody; b++) {
    if (b == base) continue;
    int j = spacedyn_link(b, base) - 1, parent = spacedyn_link(t->body_parent[b], base);
    if (B) B[j] = parent;
    if (S0) S0[j] = parent == 0;
    if (Se) Se[j] = t->body_frame[b] < t->nframe && t->site_body[t->body_frame[b]] == b;
    if (!S) continue;
    S[(size_t)j * (size_t)n + (size_t)j] = -1;
    if (parent > 0) S[(size_t)(parent - 1) * (size_t)n + (size_t)j] = 1;
  }
  return FB_OK;
}
