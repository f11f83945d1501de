/* def_tree.c -- parents, children and depth-first order of a definition's bodies. */
#include "io/def_tree.h"

#include <stdlib.h>
#include <string.h>

#include "base/error.h"

static int compare_names(const void* a, const void* b) {
  const fb_name_entry *x = (const fb_name_entry*)a, *y = (const fb_name_entry*)b;
  int c = strcmp(x->name, y->name);
  return c ? c : (x->id > y->id) - (x->id < y->id);
}

void fb_names_sort(fb_name_entry* names, int count) {
  if (count > 1) qsort(names, (size_t)count, sizeof *names, compare_names);
}

int fb_names_find(const fb_name_entry* names, int count, const char* name) {
  int low = 0, high = count;
  while (low < high) {
    int middle = low + (high - low) / 2;
    if (strcmp(names[middle].name, name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low < count && strcmp(names[low].name, name) == 0 ? names[low].id : -1;
}

/* Adds where the body stands to an error just made. */
static fb_status at_body(const fb_model_def* def, int body, fb_error* error, fb_status status) {
  fb_error_set_place(error, fb_model_def_source(def), NULL, fb_model_def_body(def, body)->place);
  return status;
}

/* Sorted names of all bodies, in malloc'd memory. */
static fb_status index_names(const fb_model_def* def, fb_name_entry** out, fb_error* error) {
  int count = fb_model_def_nbody(def) - 1;
  fb_name_entry* names = (fb_name_entry*)malloc(((size_t)count + 1) * sizeof *names);
  *out = names;
  if (!names) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the bodies were put in order");
  for (int i = 0; i < count; i++) {
    const char* name = fb_model_def_body(def, i + 1)->name;
    names[i].name = name ? name : "";
    names[i].id = i + 1;
    if (!names[i].name[0])
      return at_body(def, i + 1, error, fb_fail(error, FB_ERR_NAME, "body %d has no name", i + 1));
  }
  fb_names_sort(names, count);
  for (int i = 1; i < count; i++)
    if (strcmp(names[i - 1].name, names[i].name) == 0)
      return at_body(def, names[i].id, error,
                     fb_fail(error, FB_ERR_NAME, "two bodies are named '%s'", names[i].name));
  return FB_OK;
}

static fb_status find_parents(const fb_model_def* def, const fb_name_entry* names, fb_def_tree* tree,
                              fb_error* error) {
  tree->parent[0] = -1;
  /* Backwards, so that each list of children comes out in the order of the definition. */
  for (int id = tree->nbody - 1; id >= 1; id--) {
    const fb_body_def* body = fb_model_def_body(def, id);
    int parent = 0;
    if (body->parent && strcmp(body->parent, "world") != 0)
      parent = fb_names_find(names, tree->nbody - 1, body->parent);
    if (parent < 0)
      return at_body(def, id, error,
                     fb_fail(error, FB_ERR_NAME, "body '%s' hangs on '%s', but there is no such body",
                             body->name, body->parent));
    tree->parent[id] = parent;
    tree->next[id] = tree->first[parent];
    tree->first[parent] = id;
    if (parent == 0) tree->ntree++;
  }
  return FB_OK;
}

/* Depth first from the world; what is not reached goes round in a ring. */
static fb_status put_in_order(const fb_model_def* def, fb_def_tree* tree, fb_error* error) {
  int count = 0, at = 0;
  while (at >= 0) {
    tree->order[count++] = at;
    if (tree->first[at]) {
      at = tree->first[at];
      continue;
    }
    while (at > 0 && !tree->next[at]) at = tree->parent[at];
    at = at > 0 ? tree->next[at] : -1;
  }
  if (count == tree->nbody) return FB_OK;
  char* seen = (char*)calloc((size_t)tree->nbody, 1);
  if (!seen) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the bodies were put in order");
  for (int i = 0; i < count; i++) seen[tree->order[i]] = 1;
  int lost = 1;
  while (seen[lost]) lost++;
  free(seen);
  const fb_body_def* body = fb_model_def_body(def, lost);
  return at_body(def, lost, error,
                 fb_fail(error, FB_ERR_TREE,
                         "body '%s' does not hang on the world: its parents ('%s' first) go round in a ring",
                         body->name, body->parent));
}

fb_status fb_def_tree_make(const fb_model_def* def, fb_def_tree* tree, fb_error* error) {
  memset(tree, 0, sizeof *tree);
  tree->nbody = fb_model_def_nbody(def);
  size_t n = (size_t)tree->nbody;
  int* block = (int*)calloc(4 * n, sizeof *block);
  if (!block) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the bodies were put in order");
  tree->parent = block;
  tree->first = block + n;
  tree->next = block + 2 * n;
  tree->order = block + 3 * n;
  fb_name_entry* names = NULL;
  fb_status status = index_names(def, &names, error);
  if (!status) status = find_parents(def, names, tree, error);
  if (!status) status = put_in_order(def, tree, error);
  free(names);
  if (status) fb_def_tree_free(tree);
  return status;
}

void fb_def_tree_free(fb_def_tree* tree) {
  free(tree->parent);
  memset(tree, 0, sizeof *tree);
}
