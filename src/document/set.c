/* set.c -- changes one value of a parsed document: "control.arm.kp=5", "gravity[2]=-1.6".
 *
 * The path has keys between dots (in quotes when they contain a dot) and numbers in brackets. A list's
 * items are also found by their `name`; [+] is a new item at its end. Maps that are missing on the way are made; whether their keys make
 * sense is the reader's business. The value is YAML, parsed as a document of its own and grafted in; null takes a
 * key away. */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "base/grow.h"
#include "document/document.h"
#include "document/tree.h"

static const char FILE_NAME[] = "--set";

enum { MAX_STEPS = FB_DOC_MAX_DEPTH, MAX_NAMES = 64, AT_END = -1 };

typedef struct step {
  const char* begin; /* in the assignment */
  const char* key;   /* not ended with a zero; NULL: an index */
  int length;
  int index;
} step;

typedef struct setter {
  fb_doc* doc;
  const char* assignment;
  step steps[MAX_STEPS];
  int count;
  const char* value;
  fb_error* error;
} setter;

/* --- the path --- */

static fb_status fail(setter* s, const char* text) {
  fb_fail(s->error, FB_ERR_CONTENT, "'%.120s': %s", s->assignment, text);
  fb_error_set_place(s->error, FILE_NAME, NULL, (fb_place){0, 0});
  return FB_ERR_CONTENT;
}

static fb_status out_of_memory(setter* s) {
  fb_fail(s->error, FB_ERR_MEMORY, "out of memory while '%.120s' was set", s->assignment);
  return FB_ERR_MEMORY;
}

/* [12], or [+] */
static const char* read_index(const char* p, step* out) {
  long index = 0;
  const char* digits = ++p;
  if (p[0] == '+' && p[1] == ']') {
    *out = (step){.index = AT_END};
    return p + 2;
  }
  for (; *p >= '0' && *p <= '9'; p++) index = index < 100000000 ? 10 * index + (*p - '0') : index;
  *out = (step){.index = (int)index};
  return p > digits && *p == ']' ? p + 1 : NULL;
}

static const char* read_key(const char* p, step* out) {
  const char* end = NULL;
  int quoted = *p == '"';
  if (quoted) end = strchr(++p, '"');
  if (!quoted) end = p + strcspn(p, ".[=\"");
  if (!end || end == p) return NULL;
  *out = (step){.key = p, .length = (int)(end - p)};
  return end + quoted;
}

/* Splits the assignment at its dots, brackets and '='. */
static fb_status read_path(setter* s) {
  const char* p = s->assignment;
  while (p && *p != '=') {
    if (s->count == MAX_STEPS) return fail(s, "the path has too many steps");
    step* next = &s->steps[s->count++];
    const char* begin = s->count > 1 && *p == '.' ? p + 1 : p;
    p = *p == '[' ? read_index(p, next) : read_key(begin, next);
    next->begin = begin;
  }
  if (!p || s->count == 0) return fail(s, "expected KEY=VALUE, where KEY is as control[0].kp or log.period");
  s->value = p + 1;
  while (*s->value == ' ') s->value++;
  return *s->value ? FB_OK : fail(s, "there is no value after the '='");
}

/* --- the way down --- */

static fb_status fail_at(setter* s, int id, const char* format, ...) FB_PRINTF(3, 4);
static fb_status fail_at(setter* s, int id, const char* format, ...) {
  char text[500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  fb_node_fail(&s->doc->nodes[id], s->error, FB_ERR_CONTENT, "%s", text);
  fb_error_set_place(s->error, FILE_NAME, NULL, (fb_place){0, 0});
  if (s->error) s->error->place = (fb_place){0, 0};
  return FB_ERR_CONTENT;
}

static int child_id(const fb_doc* doc, int id, int index) {
  return doc->children[doc->nodes[id].first + (size_t)index];
}

static int key_is(const char* text, const step* at) {
  return strlen(text) == (size_t)at->length && memcmp(text, at->key, (size_t)at->length) == 0;
}

static fb_status append_item(setter* s, int* id);

static fb_status step_by_index(setter* s, const step* at, int* id) {
  if (at->index == AT_END) return append_item(s, id);
  const fb_node* node = &s->doc->nodes[*id];
  char found[80];
  if (node->kind != FB_NODE_LIST)
    return fail_at(s, *id, "[%d] needs a list, but this is %s", at->index, fb_node_describe(node, found));
  if (at->index >= node->count)
    return fail_at(s, *id, "there is no item [%d] in this list of %d; the first is [0]", at->index,
                   node->count);
  *id = child_id(s->doc, *id, at->index);
  return FB_OK;
}

/* The item of a list whose `name` is the step's key. */
static fb_status step_by_name(setter* s, const step* at, int* id) {
  const fb_node* list = &s->doc->nodes[*id];
  const char* names[MAX_NAMES + 1];
  int n = 0;
  for (int i = 0; i < list->count; i++) {
    const fb_node* name = fb_map_get(fb_node_item(list, i), "name");
    if (!name) continue;
    if (key_is(fb_node_text(name), at)) {
      *id = child_id(s->doc, *id, i);
      return FB_OK;
    }
    if (n < MAX_NAMES) names[n++] = fb_node_text(name);
  }
  names[n] = NULL;
  char word[64], near[FB_SUGGESTION_SIZE];
  snprintf(word, sizeof word, "%.*s", at->length < 60 ? at->length : 60, at->key);
  return fail_at(s, *id, "this list has no item named '%s'%s", word,
                 n ? fb_suggestion_or_list(word, names, "the names are", near) : "; give its number, as [0]");
}

static fb_status replace_children(setter* s, int map, const int* children, int count) {
  return fb_doc_replace_children(s->doc, map, children, count) ? FB_OK : out_of_memory(s);
}

/* A new child at the end of a map or list, with nothing as its value. */
static fb_status add_child(setter* s, size_t key, int* id) {
  fb_doc* doc = s->doc;
  int parent = *id, count = doc->nodes[parent].count;
  int* children = malloc(((size_t)count + 1) * sizeof *children);
  if (!children) return out_of_memory(s);
  fb_node node = {
      .doc = doc, .file = FILE_NAME, .kind = FB_NODE_NULL, .parent = parent, .index = count, .key = key};
  *id = fb_doc_add_node(doc, &node);
  for (int i = 0; i < count; i++) children[i] = child_id(doc, parent, i);
  children[count] = *id;
  fb_status status = *id >= 0 ? replace_children(s, parent, children, count + 1) : out_of_memory(s);
  free(children);
  return status;
}

static fb_status append_item(setter* s, int* id) {
  fb_node* node = &s->doc->nodes[*id];
  char found[80];
  if (node->kind == FB_NODE_NULL) {
    node->file = FILE_NAME;
    node->kind = FB_NODE_LIST;
  }
  if (node->kind == FB_NODE_LIST) return add_child(s, 0, id);
  return fail_at(s, *id, "[+] needs a list, but this is %s", fb_node_describe(node, found));
}

static fb_status remove_key(setter* s, int id) {
  fb_doc* doc = s->doc;
  int map = doc->nodes[id].parent, count = doc->nodes[map].count, kept = 0;
  int* children = malloc((size_t)count * sizeof *children);
  if (!children) return out_of_memory(s);
  for (int i = 0; i < count; i++) {
    int child = child_id(doc, map, i);
    if (child == id) continue;
    doc->nodes[child].index = kept;
    children[kept++] = child;
  }
  fb_status status = replace_children(s, map, children, kept);
  free(children);
  return status;
}

static fb_status step_by_key(setter* s, const step* at, int* id) {
  fb_node* node = &s->doc->nodes[*id];
  if (node->kind == FB_NODE_LIST) return step_by_name(s, at, id);
  if (node->kind == FB_NODE_SCALAR) {
    char found[80];
    return fail_at(s, *id, "there is no key '%.*s' here, because this is %s",
                   at->length < 60 ? at->length : 60, at->key, fb_node_describe(node, found));
  }
  if (node->kind == FB_NODE_NULL) node->file = FILE_NAME;
  node->kind = FB_NODE_MAP;
  for (int i = 0; i < node->count; i++)
    if (key_is(fb_map_key(node, i), at)) {
      *id = child_id(s->doc, *id, i);
      return FB_OK;
    }
  size_t key = fb_doc_add_text(s->doc, at->key, (size_t)at->length);
  return key == SIZE_MAX ? out_of_memory(s) : add_child(s, key, id);
}

/* --- the value --- */

/* Copies all nodes of `from` behind those of doc; the root's content takes the place of node id. */
static fb_status graft(setter* s, int id, const fb_doc* from) {
  fb_doc* doc = s->doc;
  size_t nodes = doc->node_count, children = doc->child_count, text = doc->text_size;
  if (from->node_count > INT_MAX - nodes) return out_of_memory(s);
  if (!fb_grow(&doc->nodes, nodes, from->node_count, &doc->node_room, sizeof *doc->nodes) ||
      !fb_grow(&doc->children, children, from->child_count + 1, &doc->child_room, sizeof(int)) ||
      !fb_grow(&doc->text, text, from->text_size + 1, &doc->text_room, 1))
    return out_of_memory(s);
  for (size_t i = 0; i < from->child_count; i++) doc->children[children + i] = from->children[i] + (int)nodes;
  if (from->text_size) memcpy(doc->text + text, from->text, from->text_size);
  for (size_t i = 0; i < from->node_count; i++) {
    fb_node node = from->nodes[i];
    node.doc = doc;
    node.file = FILE_NAME;
    node.place = node.key_place = (fb_place){0, 0};
    node.parent = node.parent == from->root ? id : node.parent + (int)nodes;
    node.first += children;
    node.text += text;
    node.key += text;
    doc->nodes[nodes + i] = node;
  }
  doc->node_count += from->node_count;
  doc->child_count += from->child_count;
  doc->text_size += from->text_size;
  fb_node* target = &doc->nodes[id];
  fb_node root = doc->nodes[nodes + (size_t)from->root];
  root.parent = target->parent;
  root.index = target->index;
  root.key = target->key;
  *target = root;
  return FB_OK;
}

/* Goes as far as the document has what the path says, without a change. */
const fb_node* fb_doc_set_blocked(const fb_doc* doc, const char* assignment, const char** rest) {
  setter s = {.assignment = assignment};
  if (read_path(&s)) return NULL;
  const fb_node* node = fb_doc_root(doc);
  for (int i = 0; i < s.count && node; i++) {
    const step* at = &s.steps[i];
    const fb_node* next = NULL;
    *rest = at->begin;
    if (node->kind == FB_NODE_SCALAR) return node;
    if (!at->key && at->index != AT_END) next = fb_node_item(node, at->index);
    for (int k = 0; at->key && k < node->count && !next; k++) {
      const fb_node* child = fb_node_item(node, k);
      const fb_node* name = node->kind == FB_NODE_LIST ? fb_map_get(child, "name") : NULL;
      if (key_is(node->kind == FB_NODE_MAP ? fb_map_key(node, k) : name ? fb_node_text(name) : "", at))
        next = child;
    }
    node = next;
  }
  return NULL;
}

fb_status fb_doc_set(fb_doc* doc, const char* assignment, fb_error* error) {
  setter s = {.doc = doc, .assignment = assignment, .error = error};
  fb_status status = read_path(&s);
  int id = doc->root;
  for (int i = 0; i < s.count && !status; i++)
    status = s.steps[i].key ? step_by_key(&s, &s.steps[i], &id) : step_by_index(&s, &s.steps[i], &id);
  if (status) return status;
  fb_doc* value;
  status = fb_doc_parse(s.value, strlen(s.value), FILE_NAME, &value, error);
  if (status) {
    char path[200];
    snprintf(path, sizeof path, "%.*s",
             (int)(strcspn(assignment, "=") < 190 ? strcspn(assignment, "=") : 190), assignment);
    fb_error_set_place(error, NULL, path, (fb_place){0, 0});
    return status;
  }
  int in_map = doc->nodes[id].parent >= 0 && doc->nodes[doc->nodes[id].parent].kind == FB_NODE_MAP;
  if (in_map && fb_doc_root(value)->kind == FB_NODE_NULL)
    status = remove_key(&s, id);
  else
    status = graft(&s, id, value);
  fb_doc_free(value);
  return status;
}
