/* merge.c -- YAML's merge key: `<<: *x` gives a map the pairs of another. See document/anchors.h.
 *
 * What stands under '<<' belongs to this map alone (an alias is a copy), so its pairs only change their parent. */
#include <stdlib.h>

#include "document/anchors.h"

enum { MAX_MERGED = 100 }; /* maps in one list; each key is looked for in those before it */

/* The index-th map to merge: the node itself, or an item of the list. */
static fb_node* source_of(fb_doc* doc, int merged, int index) {
  fb_node* node = &doc->nodes[merged];
  return node->kind == FB_NODE_LIST ? &doc->nodes[doc->children[node->first + (size_t)index]] : node;
}

static fb_status check_sources(fb_doc* doc, int merged, int* count, fb_error* error) {
  const fb_node* node = &doc->nodes[merged];
  char found[80];
  *count = node->kind == FB_NODE_LIST ? node->count : 1;
  if (*count > MAX_MERGED)
    return fb_node_fail(node, error, FB_ERR_SYNTAX, "'<<' merges %d maps, but may merge %d at most", *count,
                        MAX_MERGED);
  for (int i = 0; i < *count; i++) {
    const fb_node* source = source_of(doc, merged, i);
    if (source->kind != FB_NODE_MAP)
      return fb_node_fail(source, error, FB_ERR_SYNTAX,
                          "'<<' merges a map, as <<: *name, or a list of maps, but found %s",
                          fb_node_describe(source, found));
  }
  return FB_OK;
}

/* Nonzero when the map itself, or a map before the index-th, has the key. */
static int has_before(fb_doc* doc, int map, int merged, int index, const char* key) {
  if (fb_map_get(&doc->nodes[map], key)) return 1;
  for (int i = 0; i < index; i++)
    if (fb_map_get(source_of(doc, merged, i), key)) return 1;
  return 0;
}

/* The pairs of all sources that win; returns how many there are now. */
static int take_pairs(fb_doc* doc, int map, int merged, int sources, int* children, int count) {
  for (int i = 0; i < sources; i++) {
    const fb_node* source = source_of(doc, merged, i);
    for (int k = 0; k < source->count; k++) {
      if (has_before(doc, map, merged, i, fb_map_key(source, k))) continue;
      children[count++] = doc->children[source->first + (size_t)k];
    }
  }
  return count;
}

fb_status fb_doc_merge(fb_doc* doc, int map, int merged, fb_error* error) {
  int sources, count = 0, given = doc->nodes[map].count;
  fb_status status = check_sources(doc, merged, &sources, error);
  if (status) return status;
  size_t most = (size_t)given;
  for (int i = 0; i < sources; i++) most += (size_t)source_of(doc, merged, i)->count;
  int* children = malloc(most * sizeof *children);
  if (!children)
    return fb_node_fail(&doc->nodes[map], error, FB_ERR_MEMORY, "out of memory while the file was read");
  for (int i = 0; i < given; i++) {
    int id = doc->children[doc->nodes[map].first + (size_t)i];
    if (id == merged)
      count = take_pairs(doc, map, merged, sources, children, count);
    else
      children[count++] = id;
  }
  for (int i = 0; i < count; i++) {
    doc->nodes[children[i]].parent = map;
    doc->nodes[children[i]].index = i;
  }
  if (!fb_doc_replace_children(doc, map, children, count))
    status = fb_node_fail(&doc->nodes[map], error, FB_ERR_MEMORY, "out of memory while the file was read");
  free(children);
  return status;
}
