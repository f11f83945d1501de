/* build.c -- fb_model_build: from a definition to the const model.
 *
 * Checks each body (check.c), then names and tree (forest.c); numbers the coordinates; adds up masses
 * (inertia.c); compiles bodies into links and sites (links.c). All arrays are in one block of memory. */
#include <freebody/model.h>
#include <freebody/status.h>

#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/cookie.h"
#include "kernel/instances.h"
#include "model/definition/check.h"
#include "model/definition/forest.h"
#include "model/inertia.h"
#include "model/joint_kind.h"
#include "model/links.h"
#include "model/loops.h"
#include "model/model.h"

fb_build_options fb_default_build_options(void) {
  return (fb_build_options){.merge_fixed = 1, .cookie_ = FB_COOKIE};
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
  fb_loops_count(m);
}

/* Run once to measure and once to place. */
static void lay_out(fb_model* m, fb_arena* a) {
  fb_topology* top = &m->top;
#define X(name, rows, cols, meaning) \
  top->name = fb_arena_take(a, (size_t)(rows) * (size_t)(cols) * sizeof(int));
  FB_TOPOLOGY_FIELDS(X)
#undef X
  fb_parameters_lay_out(top, &m->par, a);
  m->frame_names = fb_arena_take(a, (size_t)top->nframe * sizeof(fb_name));
  m->joint_names = fb_arena_take(a, (size_t)top->nbody * sizeof(fb_name));
  m->loop_names = fb_arena_take(a, (size_t)top->nloop * sizeof(fb_name));
}

static fb_status allocate(fb_model* m, fb_error* error) {
  fb_arena measure = {0};
  lay_out(m, &measure);
  m->memory = aligned_alloc(FB_ALIGN, measure.used);
  if (!m->memory)
    return fb_fail(error, FB_ERR_MEMORY, "out of memory: the model needs %zu bytes", measure.used);
  memset(m->memory, 0, measure.used);
  fb_arena place = {.base = (char*)m->memory};
  lay_out(m, &place);
  return FB_OK;
}

/* --- names and tree --- */

/* body_order, body_base, ntree; no cycles. */
static fb_status order_bodies(fb_model* m, fb_error* error) {
  fb_topology* t = &m->top;
  int* lists = malloc(2 * (size_t)t->nbody * sizeof(int));
  if (!lists) return fb_fail(error, FB_ERR_MEMORY, "out of memory while ordering %d bodies", t->nbody);
  fb_forest forest = {t->nbody, 0, t->body_parent, lists, lists + t->nbody, t->body_order};
  fb_status status = fb_forest_order(m->def, &forest, error);
  free(lists);
  if (status) return status;
  t->ntree = forest.ntree;
  for (int i = 0; i < t->nbody; i++) {
    int b = t->body_order[i], parent = t->body_parent[b];
    t->body_base[b] = parent <= FB_WORLD ? b : t->body_base[parent];
  }
  return FB_OK;
}

static fb_status make_tree(fb_model* m, fb_error* error) {
  fb_status status = fb_forest_names(m->def, m->frame_names, error);
  if (!status) status = fb_forest_joint_names(m->def, m->joint_names, error);
  if (!status) status = fb_forest_parents(m->def, m->frame_names, m->top.nframe, m->top.body_parent, error);
  return status ? status : order_bodies(m, error);
}

/* --- coordinates and masses --- */

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
#define X(code, name) m->par.name[v + i] = joint->name[i];
      FB_COORDINATE_PARAMETERS(X)
#undef X
      m->par.friction_speed[v + i] = joint->friction_speed;
      t->coordinate_body[v + i] = b;
      int at = fb_joint_type_q_of(joint->type, i);
      t->coordinate_q[v + i] = at < 0 ? -1 : q + at;
    }
    q += fb_joint_type_nq(joint->type);
    v += nv;
  }
  fb_parameters_find_passive(t, &m->par);
}

static void weigh_bodies(fb_model* m) {
  for (int b = 1; b < m->top.nbody; b++) {
    const fb_body_def* body = fb_model_def_body(m->def, b);
    m->par.body_mass[b] = body->mass;
    memcpy(m->par.body_com + 3 * b, body->com, sizeof body->com);
    memcpy(m->par.body_inertia + 6 * b, body->inertia, sizeof body->inertia);
  }
  fb_inertia_subtrees(&m->top, &m->par);
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
    return fb_fail(error, FB_ERR_ARG,
                   "the instruction set \"%s\" (from %s) is not built in or not on this CPU; take plain, v2, "
                   "v3 or v4, or none for the best",
                   options->isa ? options->isa : getenv("FREEBODY_ISA"),
                   options->isa ? "fb_build_options" : "FREEBODY_ISA");
  m->par.model = m;
  m->par.width = 1;
  m->merge_fixed = options->merge_fixed;
  m->keeps_inertia = fb_model_def_keeps_inertia(m->def);
  count_parts(m, options->merge_fixed);
  fb_status status = allocate(m, error);
  if (status) return status;
  number_frames(m);
  status = make_tree(m, error);
  if (status) return status;
  number_coordinates(m);
  weigh_bodies(m);
  fb_links_compile(m, options->merge_fixed);
  fb_inertia_links(&m->top, &m->par);
  return fb_loops_compile(m, error);
}

fb_status fb_model_build(const fb_model_def* def, const fb_build_options* options, fb_model** model,
                         fb_error* error) {
  fb_build_options defaults = fb_default_build_options();
  if (!options) options = &defaults;
  *model = NULL;
  if (fb_cookie_check(options->cookie_, "build_options", error)) return FB_ERR_ARG;
  fb_status status = check_bodies(def, error);
  if (status) return status;
  fb_model* m = calloc(1, sizeof *m);
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
  free(m->path_memory);
  free(m);
}
