/* array.c -- nested lists of numbers. MATLAB's jsonencode writes an array row by row, outermost
 * index first; it writes a vector, row or column, as a flat list, 1x1 as a bare number, and drops trailing
 * dimensions of 1. Octave's does the same. */
#include "format/spacedyn/params.h"

#include <string.h>

/* A number, or true and false as 1 and 0 (MATLAB's logical). */
static fb_status array_number(const fb_node* node, double* out, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_SCALAR && fb_node_scalar_kind(node) == FB_SCALAR_BOOL) {
    *out = strcmp(fb_node_text(node), "true") == 0;
    return FB_OK;
  }
  return fb_node_number(node, FB_Q_NONE, out, error);
}

fb_status fb_array_check(const fb_node* node, const char* what, int count, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_LIST && fb_node_count(node) == count) return FB_OK;
  char found[80];
  return fb_node_fail(node, error, FB_ERR_CONTENT, "%s must be a list of %d here, but this is %s", what,
                      count, fb_node_describe(node, found));
}

/* Calls itself ndim times at most, which is 3. */
/* NOLINTNEXTLINE(misc-no-recursion) */
fb_status fb_array_nested(const fb_node* node, const char* what, const int* dims, int ndim, double* out,
                          fb_error* error) {
  if (ndim == 0) return array_number(node, out, error);
  fb_status status = fb_array_check(node, what, dims[0], error);
  int size = 1;
  for (int i = 1; i < ndim; i++) size *= dims[i];
  for (int i = 0; i < dims[0] && !status; i++)
    status = fb_array_nested(fb_node_item(node, i), what, dims + 1, ndim - 1, out + (size_t)i * (size_t)size,
                             error);
  return status;
}

/* Walks the scalars of nested lists in order, without recursion: a stack of lists and places in them. */
typedef struct walk {
  const fb_node* list[FB_DOC_MAX_DEPTH + 1];
  int at[FB_DOC_MAX_DEPTH + 1];
  int depth;
} walk;

/* The first scalar from `node` on; NULL when there is none. */
static const fb_node* descend(walk* w, const fb_node* node) {
  for (;;) {
    if (fb_node_get_kind(node) != FB_NODE_LIST || w->depth == FB_DOC_MAX_DEPTH) return node;
    w->depth++;
    w->list[w->depth] = node;
    w->at[w->depth] = 0;
    while (w->depth > 0 && w->at[w->depth] == fb_node_count(w->list[w->depth])) w->depth--;
    if (w->depth == 0) return NULL;
    node = fb_node_item(w->list[w->depth], w->at[w->depth]++);
  }
}

static const fb_node* walk_first(walk* w, const fb_node* node) {
  w->depth = 0;
  return descend(w, node);
}

static const fb_node* walk_next(walk* w) {
  while (w->depth > 0 && w->at[w->depth] == fb_node_count(w->list[w->depth])) w->depth--;
  return w->depth == 0 ? NULL : descend(w, fb_node_item(w->list[w->depth], w->at[w->depth]++));
}

int fb_array_size(const fb_node* node) {
  walk w;
  int count = 0;
  for (const fb_node* x = walk_first(&w, node); x; x = walk_next(&w)) count++;
  return count;
}

fb_status fb_array_loose(const fb_node* node, const char* what, int count, double* out, fb_error* error) {
  walk w;
  int found = 0;
  for (const fb_node* x = walk_first(&w, node); x; x = walk_next(&w), found++) {
    double number;
    fb_status status = array_number(x, &number, error);
    if (status) return status;
    if (found < count) out[found] = number;
  }
  if (found == count) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_CONTENT, "%s needs %d number%s, but has %d", what, count,
                      count == 1 ? "" : "s", found);
}

int fb_array_depth(const fb_node* node) {
  int depth = 0;
  while (node && fb_node_get_kind(node) == FB_NODE_LIST) {
    depth++;
    node = fb_node_count(node) > 0 ? fb_node_item(node, 0) : NULL;
  }
  return depth;
}
