/* tree.c -- names, parents, traversal order and masses of the trees. */
#include "model/tree.h"

#include <stdlib.h>

#include "base/error.h"
#include "model/check.h"
#include "model/forest.h"
#include "model/name_index.h"

/* --- names --- */

static fb_status refuse_joint_twins(const fb_model* m, fb_error* error) {
  int twin = fb_names_twin(m->joint_names, m->top.nbody - 1);
  if (!twin) return FB_OK;
  const fb_body_def* b = fb_model_def_body(m->def, m->joint_names[twin].id);
  fb_fail(error, FB_ERR_NAME, "the name \"%s\" is given twice; every joint needs a name of its own",
          m->joint_names[twin].text);
  return fb_def_fail(m->def, b->joint.place.line ? b->joint.place : b->place, error, FB_ERR_NAME);
}

fb_status fb_tree_names(fb_model* m, fb_error* error) {
  fb_status status = fb_forest_names(m->def, m->frame_names, error);
  if (status) return status;
  for (int b = 1; b < m->top.nbody; b++)
    m->joint_names[b - 1] = (fb_name){fb_def_joint_name(fb_model_def_body(m->def, b)), b};
  fb_names_sort(m->joint_names, m->top.nbody - 1);
  return refuse_joint_twins(m, error);
}

/* --- parents and order --- */

fb_status fb_tree_parents(fb_model* m, fb_error* error) {
  return fb_forest_parents(m->def, m->frame_names, m->top.nframe, m->top.body_parent, error);
}

fb_status fb_tree_order(fb_model* m, fb_error* error) {
  fb_topology* t = &m->top;
  int* lists = (int*)malloc(2 * (size_t)t->nbody * sizeof(int));
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

/* --- masses --- */

static int has_armature(const fb_joint_def* j) {
  for (int i = 0; i < fb_joint_type_nv(j->type); i++)
    if (!(j->armature[i] > 0)) return 0;
  return 1;
}

fb_status fb_tree_masses(fb_model* m, fb_error* error) {
  const fb_topology* t = &m->top;
  fb_parameters* p = &m->par;
  p->body_mass[FB_WORLD] = p->subtree_mass[FB_WORLD] = 0;
  for (int b = 1; b < t->nbody; b++)
    p->body_mass[b] = p->subtree_mass[b] = fb_model_def_body(m->def, b)->mass;
  for (int i = t->nbody - 1; i >= 1; i--) {
    int b = t->body_order[i];
    const fb_body_def* body = fb_model_def_body(m->def, b);
    if (p->subtree_mass[b] == 0 && fb_joint_type_nv(body->joint.type) > 0 && !has_armature(&body->joint)) {
      fb_fail(error, FB_ERR_INERTIA,
              "body \"%s\" and all it carries are massless, so its %s joint could accelerate without bound; "
              "give it mass and inertia, or fix the joint%s",
              body->name, fb_joint_type_name(body->joint.type),
              body->joint.type == FB_JOINT_FREE ? "" : ", or give the joint armature");
      return fb_def_fail(m->def, body->place, error, FB_ERR_INERTIA);
    }
    p->subtree_mass[t->body_parent[b]] += p->subtree_mass[b];
  }
  return FB_OK;
}
