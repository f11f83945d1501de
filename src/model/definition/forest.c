/* forest.c -- names, parents, children and depth-first order of a definition's bodies. See forest.h. */
#include "model/definition/forest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/model.h>
#include <freebody/status.h>

#include "model/definition/check.h"
#include "model/definition/name_index.h"

int fb_forest_nname(const fb_model_def* def) {
  int count = fb_model_def_nbody(def);
  for (int b = 1; b < fb_model_def_nbody(def); b++) count += fb_model_def_nframe(def, b);
  return count;
}

/* The body that carries the frame of this id, and the frame's index on it. */
static int carrier_of(const fb_model_def* def, int id, int* index) {
  int body = 1;
  *index = id - fb_model_def_nbody(def);
  while (*index >= fb_model_def_nframe(def, body)) *index -= fb_model_def_nframe(def, body++);
  return body;
}

/* Where a name stands: the frame's own place when it is known, else its body's. */
static fb_place place_of(const fb_model_def* def, int id) {
  int index, nbody = fb_model_def_nbody(def);
  int body = id < nbody ? id : carrier_of(def, id, &index);
  fb_place place = fb_model_def_body(def, body)->place;
  if (id < nbody) return place;
  fb_place stated = fb_model_def_frame(def, body, index)->place;
  return stated.line ? stated : place;
}

fb_status fb_forest_names(const fb_model_def* def, fb_name* names, fb_error* error) {
  int nbody = fb_model_def_nbody(def), id = nbody;
  names[FB_WORLD] = (fb_name){"world", FB_WORLD};
  for (int b = 1; b < nbody; b++) {
    fb_status status = fb_check_body_name(def, b, error);
    if (status) return status;
    names[b] = (fb_name){fb_model_def_body(def, b)->name, b};
    for (int i = 0; i < fb_model_def_nframe(def, b); i++, id++) {
      const char* name = fb_model_def_frame(def, b, i)->name;
      names[id] = (fb_name){name ? name : "", id};
    }
  }
  fb_names_sort(names, id);
  int repeated = fb_names_repeated(names, id);
  if (!repeated) return FB_OK;
  fb_fail(error, FB_ERR_NAME, "the name \"%s\" is given twice; bodies and frames share one set of names",
          names[repeated].text);
  return fb_def_fail(def, place_of(def, names[repeated].id), error, FB_ERR_NAME);
}

fb_status fb_forest_joint_names(const fb_model_def* def, fb_name* names, fb_error* error) {
  int count = fb_model_def_nbody(def) - 1;
  for (int b = 1; b <= count; b++) names[b - 1] = (fb_name){fb_def_joint_name(fb_model_def_body(def, b)), b};
  fb_names_sort(names, count);
  int repeated = fb_names_repeated(names, count);
  if (!repeated) return FB_OK;
  const fb_body_def* b = fb_model_def_body(def, names[repeated].id);
  fb_fail(error, FB_ERR_NAME, "the name \"%s\" is given twice; every joint needs a name of its own",
          names[repeated].text);
  return fb_def_fail(def, b->joint.place.line ? b->joint.place : b->place, error, FB_ERR_NAME);
}

static fb_status bad_parent(const fb_model_def* def, int body, int parent, fb_error* error) {
  const fb_body_def* b = fb_model_def_body(def, body);
  int index;
  if (parent < 0)
    fb_fail(error, FB_ERR_TREE, "body \"%s\": its parent \"%s\" does not exist; name another body, or world",
            b->name, b->parent);
  else
    fb_fail(error, FB_ERR_TREE,
            "body \"%s\": its parent \"%s\" is a frame; name the body \"%s\" that carries it", b->name,
            b->parent, fb_model_def_body(def, carrier_of(def, parent, &index))->name);
  return fb_def_fail(def, b->place, error, FB_ERR_TREE);
}

fb_status fb_forest_parents(const fb_model_def* def, const fb_name* names, int nname, int* parent,
                            fb_error* error) {
  int nbody = fb_model_def_nbody(def);
  parent[FB_WORLD] = -1;
  for (int b = 1; b < nbody; b++) {
    const char* name = fb_model_def_body(def, b)->parent;
    parent[b] = name ? fb_names_find(names, nname, name) : FB_WORLD;
    if (parent[b] < 0 || parent[b] >= nbody) return bad_parent(def, b, parent[b], error);
  }
  return FB_OK;
}

/* Names the bodies of the cycle that body b leads into. */
static fb_status cycle_error(const fb_model_def* def, const fb_forest* f, int b, fb_error* error) {
  for (int i = 0; i < f->nbody; i++) b = f->parent[b]; /* now surely inside the cycle */
  char names[256] = "";
  size_t used = 0;
  int at = b;
  do {
    const char* name = fb_model_def_body(def, at)->name;
    if (used + strlen(name) + 8 > sizeof names) {
      snprintf(names + used, sizeof names - used, "... ");
      break;
    }
    used += (size_t)snprintf(names + used, sizeof names - used, "%s -> ", name);
    at = f->parent[at];
  } while (at != b);
  fb_fail(error, FB_ERR_TREE, "parents go round in a circle and never reach the world: %s%s", names,
          at == b ? fb_model_def_body(def, b)->name : "");
  return fb_def_fail(def, fb_model_def_body(def, b)->place, error, FB_ERR_TREE);
}

fb_status fb_forest_order(const fb_model_def* def, fb_forest* f, fb_error* error) {
  f->ntree = 0;
  for (int b = 0; b < f->nbody; b++) f->first[b] = f->next[b] = 0;
  for (int b = f->nbody - 1; b >= 1; b--) { /* backwards, so that children come out in file order */
    f->next[b] = f->first[f->parent[b]];
    f->first[f->parent[b]] = b;
    f->ntree += f->parent[b] == FB_WORLD;
  }
  int count = 0;
  for (int b = FB_WORLD; b >= 0;) {
    f->order[count++] = b;
    if (f->first[b]) {
      b = f->first[b];
      continue;
    }
    while (b > 0 && !f->next[b]) b = f->parent[b];
    b = b > 0 ? f->next[b] : -1;
  }
  if (count == f->nbody) return FB_OK;
  for (int i = 0; i < count; i++) f->next[f->order[i]] = -1; /* reached */
  int lost = 1;
  while (f->next[lost] == -1) lost++;
  return cycle_error(def, f, lost, error);
}

fb_status fb_forest_make(const fb_model_def* def, fb_forest* f, fb_error* error) {
  memset(f, 0, sizeof *f);
  f->nbody = fb_model_def_nbody(def);
  size_t n = (size_t)f->nbody;
  int nname = fb_forest_nname(def);
  fb_name* names = malloc((size_t)nname * sizeof *names);
  f->parent = calloc(4 * n, sizeof(int));
  if (!names || !f->parent) {
    free(names);
    fb_forest_free(f);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory while the bodies were put in order");
  }
  f->first = f->parent + n;
  f->next = f->first + n;
  f->order = f->next + n;
  fb_status status = fb_forest_names(def, names, error);
  if (!status) status = fb_forest_parents(def, names, nname, f->parent, error);
  if (!status) status = fb_forest_order(def, f, error);
  free(names);
  if (status) fb_forest_free(f);
  return status;
}

void fb_forest_free(fb_forest* f) {
  free(f->parent);
  memset(f, 0, sizeof *f);
}
