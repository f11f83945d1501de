/* build.c -- fb_model_build: from a definition to the const model.
 *
 * Checks each body (check.c), then names, tree and masses (tree.c); numbers the coordinates and
 * compiles bodies into links and sites (links.c). All arrays stand in one block of memory. */
#include <freebody/model.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "kernel/instances.h"
#include "model/check.h"
#include "model/links.h"
#include "model/model.h"
#include "model/tree.h"

enum { COOKIE = 0x0fb0b };

fb_build_options fb_default_build_options(void) {
  return (fb_build_options){.merge_fixed = 1, .cookie_ = COOKIE};
}

/* --- memory --- */

static void count_parts(fb_model* m, int merge_fixed) {
  fb_topology* t = &m->top;
  t->nbody = t->nframe = fb_model_def_nbody(m->def);
  t->nlink = 1;
  for (int b = 1; b < t->nbody; b++) {
    fb_joint_type type = fb_model_def_body(m->def, b)->joint.type;
    t->nq += fb_joint_type_nq(type);
    t->nv += fb_joint_type_nv(type);
    t->nframe += fb_model_def_nframe(m->def, b);
    t->nlink += fb_links_of_joint(type, merge_fixed);
  }
  t->nsite = t->nframe + 2 * t->nbody;
}

static int* take_ints(fb_arena* a, int count) {
  return (int*)fb_arena_take(a, (size_t)count * sizeof(int));
}

static double* take_doubles(fb_arena* a, int count) {
  return (double*)fb_arena_take(a, (size_t)count * sizeof(double));
}

/* Run once to measure and once to place. */
static void lay_out(fb_model* m, fb_arena* a) {
  fb_topology* t = &m->top;
  t->body_parent = take_ints(a, t->nbody);
  t->body_order = take_ints(a, t->nbody);
  t->body_base = take_ints(a, t->nbody);
  t->body_link = take_ints(a, t->nbody);
  t->body_frame = take_ints(a, t->nbody);
  t->body_q = take_ints(a, t->nbody);
  t->body_v = take_ints(a, t->nbody);
  t->joint_type = take_ints(a, t->nbody);
  t->link_parent = take_ints(a, t->nlink);
  t->link_kind = take_ints(a, t->nlink);
  t->link_q = take_ints(a, t->nlink);
  t->link_v = take_ints(a, t->nlink);
  t->link_from = take_ints(a, 3 * t->nlink);
  t->link_upright = take_ints(a, t->nlink);
  t->link_child = take_ints(a, t->nlink);
  t->link_next = take_ints(a, t->nlink);
  t->link_slot = take_ints(a, t->nlink);
  t->link_slot_end = take_ints(a, t->nlink);
  t->slot_v = take_ints(a, t->nv);
  t->link_leaf = take_ints(a, t->nlink);
  t->link_first = take_ints(a, t->nlink);
  t->site_link = take_ints(a, t->nsite);
  t->site_body = take_ints(a, t->nsite);
  m->par.link_pose = take_doubles(a, t->nlink * FB_POSE_SIZE);
  m->par.link_sign = take_doubles(a, 3 * t->nlink);
  m->par.link_pitch = take_doubles(a, t->nlink);
  m->par.site_pose = take_doubles(a, t->nsite * FB_POSE_SIZE);
  m->par.body_mass = take_doubles(a, t->nbody);
  m->par.subtree_mass = take_doubles(a, t->nbody);
  m->par.lower = take_doubles(a, t->nv);
  m->par.upper = take_doubles(a, t->nv);
  m->par.link_mass = take_doubles(a, t->nlink);
  m->par.link_h = take_doubles(a, 3 * t->nlink);
  m->par.link_I = take_doubles(a, 6 * t->nlink);
  m->par.armature = take_doubles(a, t->nv);
  m->par.stiffness = take_doubles(a, t->nv);
  m->par.rest = take_doubles(a, t->nv);
  m->par.damping = take_doubles(a, t->nv);
  m->par.friction = take_doubles(a, t->nv);
  m->par.friction_speed = take_doubles(a, t->nv);
  m->frame_names = (fb_name*)fb_arena_take(a, (size_t)t->nframe * sizeof(fb_name));
  m->joint_names = (fb_name*)fb_arena_take(a, (size_t)t->nbody * sizeof(fb_name));
}

static fb_status allocate(fb_model* m, fb_error* error) {
  fb_arena measure = {0};
  lay_out(m, &measure);
  m->memory = calloc(1, measure.used);
  if (!m->memory)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory: the model needs %zu bytes", measure.used);
  fb_arena place = {.base = (char*)m->memory};
  lay_out(m, &place);
  return FB_OK;
}

/* --- coordinates --- */

static void number_coordinates(fb_model* m) {
  fb_topology* t = &m->top;
  int q = 0, v = 0;
  for (int b = 1; b < t->nbody; b++) {
    const fb_joint_def* joint = &fb_model_def_body(m->def, b)->joint;
    int nv = fb_joint_type_nv(joint->type);
    t->joint_type[b] = (int)joint->type;
    t->body_q[b] = q;
    t->body_v[b] = v;
    for (int i = 0; i < nv; i++) {
      m->par.lower[v + i] = joint->lower[i];
      m->par.upper[v + i] = joint->upper[i];
      m->par.armature[v + i] = joint->armature[i];
      m->par.stiffness[v + i] = joint->stiffness[i];
      m->par.rest[v + i] = joint->rest[i];
      m->par.damping[v + i] = joint->damping[i];
      m->par.friction[v + i] = joint->friction[i];
      m->par.friction_speed[v + i] = joint->friction_speed;
      if (joint->stiffness[i] != 0 || joint->damping[i] != 0 || joint->friction[i] != 0) t->has_passive = 1;
    }
    q += fb_joint_type_nq(joint->type);
    v += nv;
  }
}

/* --- the whole --- */

/* site_body of the named frames, which the checks of names need before the sites are compiled. */
static void number_frames(fb_model* m) {
  int site = m->top.nbody;
  for (int b = 1; b < m->top.nbody; b++) {
    m->top.body_frame[b] = site;
    for (int i = 0; i < fb_model_def_nframe(m->def, b); i++) m->top.site_body[site++] = b;
  }
}

static fb_status check_bodies(const fb_model_def* def, fb_error* error) {
  for (int b = 1; b < fb_model_def_nbody(def); b++) {
    fb_status status = fb_check_body(def, b, error);
    if (status) return status;
  }
  return FB_OK;
}

static fb_status build(fb_model* m, const fb_build_options* options, fb_error* error) {
  m->kernels = fb_kernels_pick(options->isa);
  if (!m->kernels)
    return fb_fail(
        error, FB_ERR_ARG,
        "the instruction set \"%s\" (from %s) is not built in or not on this CPU; take plain, v2, v3 or "
        "v4, or none for the best",
        options->isa ? options->isa : getenv("FREEBODY_ISA"),
        options->isa ? "fb_build_options" : "FREEBODY_ISA");
  count_parts(m, options->merge_fixed);
  fb_status status = allocate(m, error);
  if (status) return status;
  number_frames(m);
  status = fb_tree_names(m, error);
  if (!status) status = fb_tree_parents(m, error);
  if (!status) status = fb_tree_order(m, error);
  if (!status) status = fb_tree_masses(m, error);
  if (status) return status;
  number_coordinates(m);
  fb_links_compile(m, options->merge_fixed);
  return FB_OK;
}

fb_status fb_model_build(const fb_model_def* def, const fb_build_options* options, fb_model** model,
                         fb_error* error) {
  fb_build_options defaults = fb_default_build_options();
  if (!options) options = &defaults;
  *model = NULL;
  if (options->cookie_ != COOKIE)
    return fb_fail(error, FB_ERR_ARG, "the fb_build_options were not made by fb_default_build_options");
  fb_status status = check_bodies(def, error);
  if (status) return status;
  fb_model* m = (fb_model*)calloc(1, sizeof *m);
  if (m) m->def = fb_model_def_copy(def);
  if (!m || !m->def) {
    fb_model_free(m);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory while building the model");
  }
  status = build(m, options, error);
  if (status) {
    fb_model_free(m);
    return status;
  }
  *model = m;
  return FB_OK;
}

void fb_model_free(fb_model* m) {
  if (!m) return;
  fb_model_def_free(m->def);
  free(m->memory);
  free(m);
}
