/* tree.c -- names, parents, traversal order and masses of the trees. Nothing here recurses, so that a
 * chain of any length passes. */
#include "model/tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "model/check.h"

/* --- names --- */

static int compare_names(const void* a, const void* b) {
  const fb_name *x = (const fb_name*)a, *y = (const fb_name*)b;
  int order = strcmp(x->text, y->text);
  return order ? order : (x->id > y->id) - (x->id < y->id);
}

int fb_name_find(const fb_name* names, int count, const char* text) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    int order = strcmp(names[middle].text, text);
    if (order == 0) return names[middle].id;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return -1;
}

static const char* joint_name(const fb_body_def* b) {
  return b->joint.name ? b->joint.name : b->name;
}

/* Where the second of two equal names stands: a frame's or joint's own place when it is known. */
static fb_place place_of_name(const fb_model* m, int id, int is_joint) {
  int body = id < m->top.nbody ? id : m->top.site_body[id];
  const fb_body_def* b = fb_model_def_body(m->def, body);
  if (is_joint) return b->joint.place.line ? b->joint.place : b->place;
  if (id < m->top.nbody) return b->place;
  fb_place place = fb_model_def_frame(m->def, body, fb_frame_index(m, id))->place;
  return place.line ? place : b->place;
}

static fb_status sort_unique(const fb_model* m, fb_name* names, int count, int is_joint, fb_error* error) {
  qsort(names, (size_t)count, sizeof *names, compare_names);
  for (int i = 1; i < count; i++) {
    if (strcmp(names[i - 1].text, names[i].text) != 0) continue;
    fb_fail(error, FB_ERR_NAME, "the name \"%s\" is given twice; %s", names[i].text,
            is_joint ? "every joint needs a name of its own" : "bodies and frames share one set of names");
    return fb_def_fail(m->def, place_of_name(m, names[i].id, is_joint), error, FB_ERR_NAME);
  }
  return FB_OK;
}

fb_status fb_tree_names(fb_model* m, fb_error* error) {
  const fb_topology* t = &m->top;
  m->frame_names[FB_WORLD] = (fb_name){"world", FB_WORLD};
  for (int b = 1; b < t->nbody; b++) {
    const fb_body_def* body = fb_model_def_body(m->def, b);
    m->frame_names[b] = (fb_name){body->name, b};
    m->joint_names[b - 1] = (fb_name){joint_name(body), b};
  }
  int frame = t->nbody;
  for (int b = 1; b < t->nbody; b++)
    for (int i = 0; i < fb_model_def_nframe(m->def, b); i++, frame++)
      m->frame_names[frame] = (fb_name){fb_model_def_frame(m->def, b, i)->name, frame};
  fb_status status = sort_unique(m, m->frame_names, t->nframe, 0, error);
  return status ? status : sort_unique(m, m->joint_names, t->nbody - 1, 1, error);
}

/* --- parents --- */

fb_status fb_tree_parents(fb_model* m, fb_error* error) {
  fb_topology* t = &m->top;
  t->body_parent[FB_WORLD] = -1;
  for (int b = 1; b < t->nbody; b++) {
    const fb_body_def* body = fb_model_def_body(m->def, b);
    int parent = body->parent ? fb_name_find(m->frame_names, t->nframe, body->parent) : FB_WORLD;
    if (parent < 0) {
      fb_fail(error, FB_ERR_TREE,
              "body \"%s\": its parent \"%s\" does not exist; name another body, or world", body->name,
              body->parent);
      return fb_def_fail(m->def, body->place, error, FB_ERR_TREE);
    }
    if (parent >= t->nbody) {
      fb_fail(error, FB_ERR_TREE,
              "body \"%s\": its parent \"%s\" is a frame; name the body \"%s\" that carries it", body->name,
              body->parent, fb_body_name(m, t->site_body[parent]));
      return fb_def_fail(m->def, body->place, error, FB_ERR_TREE);
    }
    t->body_parent[b] = parent;
  }
  return FB_OK;
}

/* --- order --- */

/* Names the bodies of the cycle that body b leads into. */
static fb_status cycle_error(const fb_model* m, int b, fb_error* error) {
  for (int i = 0; i < m->top.nbody; i++) b = m->top.body_parent[b]; /* now surely inside the cycle */
  char names[256] = "";
  size_t used = 0;
  int at = b;
  do {
    const char* name = fb_body_name(m, at);
    if (used + strlen(name) + 8 > sizeof names) {
      memcpy(names + used, "... ", 5);
      break;
    }
    used += strlen(strcat(strcat(names + used, name), " -> "));
    at = m->top.body_parent[at];
  } while (at != b);
  fb_fail(error, FB_ERR_TREE, "parents go round in a circle and never reach the world: %s%s", names,
          at == b ? fb_body_name(m, b) : "");
  return fb_def_fail(m->def, fb_model_def_body(m->def, b)->place, error, FB_ERR_TREE);
}

/* Depth first, children in file order, with explicit child lists instead of recursion. */
fb_status fb_tree_order(fb_model* m, fb_error* error) {
  fb_topology* t = &m->top;
  int* first = (int*)malloc(2 * (size_t)t->nbody * sizeof(int));
  if (!first) return fb_fail(error, FB_ERR_MEMORY, "out of memory while ordering %d bodies", t->nbody);
  int* next = first + t->nbody;
  for (int b = 0; b < t->nbody; b++) first[b] = next[b] = -1;
  for (int b = t->nbody - 1; b >= 1; b--) {
    next[b] = first[t->body_parent[b]];
    first[t->body_parent[b]] = b;
  }

  int count = 0;
  for (int b = FB_WORLD; b >= 0;) {
    int parent = t->body_parent[b];
    t->body_order[count++] = b;
    t->body_base[b] = parent <= FB_WORLD ? b : t->body_base[parent];
    if (parent == FB_WORLD) t->ntree++;
    if (first[b] >= 0) {
      b = first[b];
      continue;
    }
    while (b >= 0 && next[b] < 0) b = t->body_parent[b];
    if (b >= 0) b = next[b];
  }
  if (count < t->nbody) {
    for (int i = 0; i < count; i++) first[t->body_order[i]] = -2; /* reached */
    int lost = 1;
    while (first[lost] == -2) lost++;
    free(first);
    return cycle_error(m, lost, error);
  }
  free(first);
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
