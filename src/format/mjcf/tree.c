/* tree.c -- gathers the elements of an MJCF file and of those that it includes. See format/mjcf/tree.h. */
#include "format/mjcf/tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>

#include "base/copy_text.h"
#include "base/grow.h"
#include "text/path.h"

/* --- looking --- */

fb_xml* fb_mjcf_xml(const fb_mjcf_tree* tree, int node) {
  return tree->docs[tree->nodes[node].doc].xml;
}

const char* fb_mjcf_tag(const fb_mjcf_tree* tree, int node) {
  if (tree->nodes[node].replica >= 0) return "frame";
  return fb_xml_name(fb_mjcf_xml(tree, node), tree->nodes[node].element);
}

int fb_mjcf_is(const fb_mjcf_tree* tree, int node, const char* tag) {
  return strcmp(fb_mjcf_tag(tree, node), tag) == 0;
}

const char* fb_mjcf_written(const fb_mjcf_tree* tree, int node, const char* attribute) {
  return fb_xml_attribute(fb_mjcf_xml(tree, node), tree->nodes[node].element, attribute);
}

int fb_mjcf_child(const fb_mjcf_tree* tree, int node, const char* tag) {
  for (int e = tree->nodes[node].first; e != FB_MJCF_NONE; e = tree->nodes[e].next)
    if (fb_mjcf_is(tree, e, tag)) return e;
  return FB_MJCF_NONE;
}

int fb_mjcf_next_in(const fb_mjcf_tree* tree, const char* section, int node) {
  for (int i = node + 1; i < (int)tree->count; i++) {
    int parent = i > 0 ? tree->nodes[i].parent : 0;
    if (parent > 0 && tree->nodes[parent].parent == 0 && fb_mjcf_is(tree, parent, section)) return i;
  }
  return FB_MJCF_NONE;
}

int fb_mjcf_line(const fb_mjcf_tree* tree, int node) {
  return fb_xml_place(fb_mjcf_xml(tree, node), tree->nodes[node].element).line;
}

/* --- documents --- */

static fb_status no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while the MJCF was read");
}

/* Takes the text's elements in as a further document. */
static fb_status add_doc(fb_mjcf_tree* tree, const char* text, size_t size, const char* file,
                         fb_error* error) {
  if (!fb_grow(&tree->docs, tree->ndoc, 1, &tree->doc_room, sizeof *tree->docs)) return no_memory(error);
  char* name = fb_copy_text(file);
  if (!name) return no_memory(error);
  fb_status status = fb_xml_parse(text, size, name, &tree->docs[tree->ndoc].xml, error);
  if (status) {
    free(name);
    return status;
  }
  tree->docs[tree->ndoc++].file = name;
  return FB_OK;
}

static int is_open_already(const fb_mjcf_tree* tree, const char* path) {
  for (size_t i = 0; i < tree->ndoc; i++)
    if (strcmp(tree->docs[i].file, path) == 0) return 1;
  return 0;
}

static fb_status open_include(fb_mjcf_tree* tree, int doc, int element, fb_error* error) {
  const char* name;
  fb_xml* xml = tree->docs[doc].xml;
  fb_error first = {0}, reason = {0};
  fb_status status = fb_xml_need_attribute(xml, element, "file", &name, error);
  if (status) return status;
  if (!name[0] || strcmp(name, "-") == 0) /* not standard input */
    return fb_xml_fail(xml, element, error, FB_ERR_CONTENT, "<include> needs the name of a file");
  if (tree->ndoc >= FB_MJCF_MOST_FILES)
    return fb_xml_fail(xml, element, error, FB_ERR_CONTENT, "more than %d files are included",
                       (int)FB_MJCF_MOST_FILES);
  char *text = NULL, *path = fb_path_beside(tree->docs[0].file, name);
  size_t size = 0;
  if (!path) return no_memory(error);
  status = is_open_already(tree, path) ? FB_OK : fb_file_read(path, &text, &size, &first);
  if (status && status != FB_ERR_MEMORY && doc != 0) {
    free(path);
    path = fb_path_beside(tree->docs[doc].file, name);
    if (!path) return no_memory(error);
    if (!is_open_already(tree, path)) status = fb_file_read(path, &text, &size, &reason);
  }
  if (!text && !status)
    status = fb_xml_fail(xml, element, error, FB_ERR_CONTENT,
                         "'%.200s' is included already; MJCF includes a file once", name);
  else if (status)
    status = fb_xml_fail(xml, element, error, status, "the file cannot be included: %.300s", first.text);
  else
    status = add_doc(tree, text, size, path, error);
  free(text);
  free(path);
  return status;
}

/* --- nodes --- */

/* What is still to be taken into the tree: an element and, after it, its siblings. */
typedef struct pending {
  int doc, element, parent;
  size_t suffix;
  int single; /* this element alone, without its siblings */
  int copies; /* of a <replicate>: copies that have been made */
} pending;

typedef struct stack {
  pending* items;
  size_t count, room;
} stack;

static int push(stack* s, pending p) {
  if (p.element == FB_XML_NONE) return 1;
  if (!fb_grow(&s->items, s->count, 1, &s->room, sizeof *s->items)) return 0;
  s->items[s->count++] = p;
  return 1;
}

static fb_status add_node(fb_mjcf_tree* tree, const pending* p, int replica, size_t suffix, int* id,
                          fb_error* error) {
  tree->ncopied += suffix != 0;
  if (tree->ncopied > FB_MJCF_MOST_COPIED)
    return fb_xml_fail(tree->docs[p->doc].xml, p->element, error, FB_ERR_CONTENT,
                       "<replicate> makes more than %d elements", (int)FB_MJCF_MOST_COPIED);
  if (!fb_grow(&tree->nodes, tree->count, 1, &tree->room, sizeof *tree->nodes)) return no_memory(error);
  *id = (int)tree->count++;
  tree->nodes[*id] = (fb_mjcf_node){.doc = p->doc,
                                    .element = p->element,
                                    .parent = p->parent,
                                    .first = FB_MJCF_NONE,
                                    .last = FB_MJCF_NONE,
                                    .next = FB_MJCF_NONE,
                                    .replica = replica,
                                    .suffix = suffix};
  if (p->parent == FB_MJCF_NONE) return FB_OK;
  fb_mjcf_node* above = &tree->nodes[p->parent];
  if (above->last != FB_MJCF_NONE)
    tree->nodes[above->last].next = *id;
  else
    above->first = *id;
  above->last = *id;
  return FB_OK;
}

/* The suffix of copy i: that of the copies around it after its own, with as many digits as the last one has. */
static fb_status make_suffix(fb_mjcf_tree* tree, const pending* p, int i, int count, size_t* out,
                             fb_error* error) {
  const char* sep = fb_xml_attribute(tree->docs[p->doc].xml, p->element, "sep");
  char digits[16], last[16];
  int width = snprintf(last, sizeof last, "%d", count - 1);
  snprintf(digits, sizeof digits, "%0*d", width, i);
  size_t outer = p->suffix ? strlen(tree->suffixes + p->suffix) : 0;
  size_t size = (sep ? strlen(sep) : 0) + strlen(digits) + outer + 1;
  if (size > 200)
    return fb_xml_fail(tree->docs[p->doc].xml, p->element, error, FB_ERR_CONTENT,
                       "the suffix that <replicate> makes has more than 200 letters");
  if (!fb_grow(&tree->suffixes, tree->nsuffix, size, &tree->suffix_room, 1)) return no_memory(error);
  snprintf(tree->suffixes + tree->nsuffix, size, "%s%s%s", sep ? sep : "", digits,
           p->suffix ? tree->suffixes + p->suffix : "");
  *out = tree->nsuffix;
  tree->nsuffix += size;
  return FB_OK;
}

/* One copy of a <replicate>, and the element again for the others. */
static fb_status replicate(fb_mjcf_tree* tree, stack* s, pending p, fb_error* error) {
  fb_xml* xml = tree->docs[p.doc].xml;
  double count = 0;
  size_t suffix = 0;
  int id;
  fb_status status = fb_xml_need_number(xml, p.element, "count", &count, error);
  if (status) return status;
  if (!(count >= 0 && count <= FB_MJCF_MOST_COPIES))
    return fb_xml_fail(xml, p.element, error, FB_ERR_CONTENT,
                       "<replicate> has count=\"%g\"; it is a number from 0 to %d", count,
                       (int)FB_MJCF_MOST_COPIES);
  if (p.copies >= (int)count) return FB_OK;
  status = make_suffix(tree, &p, p.copies, (int)count, &suffix, error);
  if (!status) status = add_node(tree, &p, p.copies, suffix, &id, error);
  if (status) return status;
  pending inner = {p.doc, fb_xml_first(xml, p.element), id, suffix, 0, 0};
  p.copies++;
  p.single = 1;
  return push(s, p) && push(s, inner) ? FB_OK : no_memory(error);
}

static fb_status take(fb_mjcf_tree* tree, stack* s, pending p, fb_error* error) {
  fb_xml* xml = tree->docs[p.doc].xml;
  const char* name = fb_xml_name(xml, p.element);
  int id;
  if (strcmp(name, "include") == 0 && p.parent != FB_MJCF_NONE) {
    fb_status status = open_include(tree, p.doc, p.element, error);
    if (status) return status;
    int doc = (int)tree->ndoc - 1;
    if (!fb_grow(&tree->includes, tree->ninclude, 1, &tree->include_room, sizeof *tree->includes))
      return no_memory(error);
    tree->includes[tree->ninclude++] = (fb_mjcf_include){p.doc, p.element, doc};
    pending inner = {doc, fb_xml_first(tree->docs[doc].xml, 0), p.parent, p.suffix, 0, 0};
    return push(s, inner) ? FB_OK : no_memory(error);
  }
  if (strcmp(name, "replicate") == 0) return replicate(tree, s, p, error);
  fb_status status = add_node(tree, &p, -1, p.suffix, &id, error);
  if (status) return status;
  pending inner = {p.doc, fb_xml_first(xml, p.element), id, p.suffix, 0, 0};
  return push(s, inner) ? FB_OK : no_memory(error);
}

static fb_status gather(fb_mjcf_tree* tree, stack* s, fb_error* error) {
  pending root = {0, 0, FB_MJCF_NONE, 0, 1, 0};
  fb_status status = push(s, root) ? FB_OK : no_memory(error);
  while (!status && s->count > 0) {
    pending p = s->items[--s->count];
    pending rest = {p.doc,    p.single ? FB_XML_NONE : fb_xml_next(tree->docs[p.doc].xml, p.element),
                    p.parent, p.suffix,
                    0,        0};
    status = push(s, rest) ? take(tree, s, p, error) : no_memory(error);
  }
  return status;
}

fb_status fb_mjcf_tree_make(const char* text, size_t size, const char* file, fb_mjcf_tree* tree,
                            fb_error* error) {
  stack s = {0};
  memset(tree, 0, sizeof *tree);
  if (!fb_grow(&tree->suffixes, 0, 1, &tree->suffix_room, 1)) return no_memory(error);
  tree->suffixes[tree->nsuffix++] = '\0';
  fb_status status = add_doc(tree, text, size, file, error);
  if (!status) status = gather(tree, &s, error);
  free(s.items);
  return status;
}

void fb_mjcf_tree_free(fb_mjcf_tree* tree) {
  for (size_t i = 0; i < tree->ndoc; i++) {
    fb_xml_free(tree->docs[i].xml);
    free(tree->docs[i].file);
  }
  free(tree->docs);
  free(tree->nodes);
  free(tree->suffixes);
  free(tree->includes);
  memset(tree, 0, sizeof *tree);
}
