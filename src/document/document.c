/* document.c -- a parsed document in flat arrays: nodes, children, texts. See document.h.
 *
 * libyaml's events arrive depth first. A list or map keeps its children on a stack of ids until it ends; then
 * they move, in order, into one array, where they lie side by side. Large maps keep a second list of their
 * children, sorted by key. Every step is a loop; the depth of the document is bounded. */
#include "document/document.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "document/tree.h"
#include "model/definition/name_index.h"

enum { SMALL_MAP = 12 }; /* up to this many keys a plain search is quickest */

/* --- building --- */

size_t fb_doc_add_text(fb_doc* doc, const char* text, size_t size) {
  if (!fb_grow(&doc->text, doc->text_size, size + 1, &doc->text_room, 1)) return SIZE_MAX;
  size_t at = doc->text_size;
  if (size > 0) memcpy(doc->text + at, text, size);
  doc->text[at + size] = '\0';
  doc->text_size += size + 1;
  return at;
}

int fb_doc_add_node(fb_doc* doc, const fb_node* node) {
  if (doc->node_count == INT_MAX) return -1;
  if (!fb_grow(&doc->nodes, doc->node_count, 1, &doc->node_room, sizeof *doc->nodes)) return -1;
  doc->nodes[doc->node_count] = *node;
  return (int)doc->node_count++;
}

int fb_doc_add_children(fb_doc* doc, int id, const int* children, int count) {
  /* one more, so that the array exists even when every list is empty */
  if (!fb_grow(&doc->children, doc->child_count, (size_t)count + 1, &doc->child_room, sizeof(int))) return 0;
  doc->nodes[id].first = doc->child_count;
  doc->nodes[id].count = count;
  if (count > 0) memcpy(doc->children + doc->child_count, children, (size_t)count * sizeof(int));
  doc->child_count += (size_t)count;
  return 1;
}

static const char* key_of(const fb_doc* doc, int id) {
  return doc->text + doc->nodes[id].key;
}

/* Sorts the children of a large map by key behind their list in file order. */
static fb_status sort_keys(fb_doc* doc, int map, int* repeated, int* first) {
  int count = doc->nodes[map].count;
  size_t from = doc->nodes[map].first;
  fb_name* sorted = malloc((size_t)count * sizeof *sorted);
  if (!sorted || !fb_grow(&doc->children, doc->child_count, (size_t)count, &doc->child_room, sizeof(int))) {
    free(sorted);
    return FB_ERR_MEMORY;
  }
  for (int i = 0; i < count; i++) {
    int id = doc->children[from + (size_t)i];
    sorted[i] = (fb_name){key_of(doc, id), id};
  }
  fb_names_sort(sorted, count);
  for (int i = 0; i < count; i++) {
    doc->children[doc->child_count++] = sorted[i].id;
    if (i > 0 && *repeated < 0 && strcmp(sorted[i].text, sorted[i - 1].text) == 0) {
      *repeated = sorted[i].id;
      *first = sorted[i - 1].id;
    }
  }
  free(sorted);
  return FB_OK;
}

fb_status fb_doc_close_map(fb_doc* doc, int map, int* repeated, int* first) {
  const fb_node* node = &doc->nodes[map];
  *repeated = *first = -1;
  if (node->count == 0) return FB_OK;
  if (node->count > SMALL_MAP) return sort_keys(doc, map, repeated, first);
  const int* child = doc->children + node->first;
  for (int i = 1; i < node->count; i++)
    for (int k = 0; k < i; k++)
      if (strcmp(key_of(doc, child[i]), key_of(doc, child[k])) == 0) {
        *repeated = child[i];
        *first = child[k];
        return FB_OK;
      }
  return FB_OK;
}

int fb_doc_replace_children(fb_doc* doc, int map, const int* children, int count) {
  int repeated, first;
  return fb_doc_add_children(doc, map, children, count) && !fb_doc_close_map(doc, map, &repeated, &first);
}

void fb_doc_free(fb_doc* doc) {
  if (!doc) return;
  free(doc->nodes);
  free(doc->children);
  free(doc->text);
  free(doc->name);
  free(doc);
}

void fb_doc_forget_places(fb_doc* doc) {
  for (size_t i = 0; i < doc->node_count; i++)
    doc->nodes[i].place = doc->nodes[i].key_place = (fb_place){0, 0};
}

/* --- looking --- */

const fb_node* fb_doc_root(const fb_doc* doc) {
  return &doc->nodes[doc->root];
}

fb_node_kind fb_node_get_kind(const fb_node* node) {
  return node->kind;
}

fb_place fb_node_place(const fb_node* node) {
  return node->place;
}

const char* fb_node_file(const fb_node* node) {
  return node->file ? node->file : node->doc->name;
}

int fb_node_count(const fb_node* node) {
  return node->count;
}

const fb_node* fb_node_item(const fb_node* list, int index) {
  if (index < 0 || index >= list->count) return NULL;
  return &list->doc->nodes[list->doc->children[list->first + (size_t)index]];
}

const fb_node* fb_map_value(const fb_node* map, int index) {
  return map->kind == FB_NODE_MAP ? fb_node_item(map, index) : NULL;
}

const char* fb_map_key(const fb_node* map, int index) {
  const fb_node* value = fb_map_value(map, index);
  return value ? value->doc->text + value->key : "";
}

fb_place fb_map_key_place(const fb_node* map, int index) {
  const fb_node* value = fb_map_value(map, index);
  return value ? value->key_place : (fb_place){0, 0};
}

const fb_node* fb_map_get(const fb_node* map, const char* key) {
  if (map->kind != FB_NODE_MAP || map->count == 0) return NULL;
  const fb_doc* doc = map->doc;
  const int* child = doc->children + map->first;
  if (map->count <= SMALL_MAP) {
    for (int i = 0; i < map->count; i++)
      if (strcmp(key_of(doc, child[i]), key) == 0) return &doc->nodes[child[i]];
    return NULL;
  }
  child += map->count;
  int low = 0, high = map->count - 1;
  while (low <= high) {
    int middle = (low + high) / 2, order = strcmp(key_of(doc, child[middle]), key);
    if (order == 0) return &doc->nodes[child[middle]];
    if (order < 0)
      low = middle + 1;
    else
      high = middle - 1;
  }
  return NULL;
}

const char* fb_node_text(const fb_node* scalar) {
  return scalar->kind == FB_NODE_SCALAR ? scalar->doc->text + scalar->text : "";
}

int fb_node_is_quoted(const fb_node* scalar) {
  return scalar->kind == FB_NODE_SCALAR && scalar->quoted;
}

/* --- failing --- */

/* Writes one step of a path: ".key" or "[3]". */
static void path_step(const fb_node* node, char* buffer, size_t size) {
  const fb_doc* doc = node->doc;
  if (doc->nodes[node->parent].kind == FB_NODE_LIST)
    snprintf(buffer, size, "[%d]", node->index);
  else
    snprintf(buffer, size, "%s%.80s", node->parent == doc->root ? "" : ".", doc->text + node->key);
}

/* bodies[3].joint.axis, from the root down; a path too long loses its beginning. */
static void node_path(const fb_node* node, char* buffer, size_t size) {
  size_t at = size - 1;
  buffer[at] = '\0';
  for (; node->parent >= 0; node = &node->doc->nodes[node->parent]) {
    char step[96];
    path_step(node, step, sizeof step);
    size_t n = strlen(step);
    if (n > at) break;
    at -= n;
    memcpy(buffer + at, step, n);
  }
  memmove(buffer, buffer + at, size - at);
}

static fb_status fail_at(const fb_node* node, fb_place place, fb_error* error, fb_status status,
                         const char* text) {
  char path[256];
  node_path(node, path, sizeof path);
  fb_fail(error, status, "%s", text);
  fb_error_set_place(error, fb_node_file(node), path, place);
  return status;
}

void fb_node_place_error(const fb_node* node, fb_error* error) {
  char path[256];
  node_path(node, path, sizeof path);
  fb_error_set_place(error, fb_node_file(node), path, node->place);
}

fb_status fb_node_fail(const fb_node* node, fb_error* error, fb_status status, const char* format, ...) {
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fail_at(node, node->place, error, status, text);
}

fb_status fb_map_key_fail(const fb_node* map, int index, fb_error* error, fb_status status,
                          const char* format, ...) {
  char text[sizeof error->text];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  const fb_node* value = fb_map_value(map, index);
  return value ? fail_at(value, value->key_place, error, status, text)
               : fail_at(map, map->place, error, status, text);
}
