/* anchors.c -- anchors and aliases. See document/anchors.h.
 *
 * An alias becomes a copy of the value, so that every node has one parent and one path, and --set changes one place
 * only. Copies of copies grow without bound ("billion laughs"), hence the limit on their number. */
#include "document/anchors.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include <freebody/support/words.h>

#include "base/grow.h"

static fb_status fail_at(const fb_doc* doc, fb_place place, fb_status status, const char* text,
                         fb_error* error) {
  fb_fail(error, status, "%s", text);
  fb_error_set_place(error, doc->name, NULL, place);
  return status;
}

static fb_status no_memory(const fb_doc* doc, fb_place place, fb_error* error) {
  return fail_at(doc, place, FB_ERR_MEMORY, "out of memory while the file was read", error);
}

static const char* name_at(const fb_anchors* anchors, const fb_doc* doc, size_t at) {
  return doc->text + anchors->items[at].name;
}

/* Where the name is, or would be put. */
static size_t position_of(const fb_anchors* anchors, const fb_doc* doc, const char* name) {
  size_t low = 0, high = anchors->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (strcmp(name_at(anchors, doc, middle), name) < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static int is_at(const fb_anchors* anchors, const fb_doc* doc, size_t at, const char* name) {
  return at < anchors->count && strcmp(name_at(anchors, doc, at), name) == 0;
}

fb_status fb_anchors_add(fb_anchors* anchors, const fb_doc* doc, const fb_anchor* anchor, fb_error* error) {
  const char* name = doc->text + anchor->name;
  fb_place place = doc->nodes[anchor->first].place;
  size_t at = position_of(anchors, doc, name);
  if (!is_at(anchors, doc, at, name)) {
    if (anchors->count == FB_DOC_MAX_ANCHORS) {
      char text[96];
      snprintf(text, sizeof text, "the file has more than %d anchors (words that begin with &)",
               FB_DOC_MAX_ANCHORS);
      return fail_at(doc, place, FB_ERR_SYNTAX, text, error);
    }
    if (!fb_grow(&anchors->items, anchors->count, 1, &anchors->room, sizeof *anchors->items))
      return no_memory(doc, place, error);
    memmove(anchors->items + at + 1, anchors->items + at, (anchors->count++ - at) * sizeof *anchors->items);
  }
  anchors->items[at] = *anchor;
  return FB_OK;
}

static fb_status no_anchor(const fb_anchors* anchors, const fb_doc* doc, const char* name, fb_place place,
                           fb_error* error) {
  enum { LISTED = 64 };
  const char* names[LISTED + 1];
  size_t n = 0;
  for (; n < anchors->count && n < LISTED; n++) names[n] = name_at(anchors, doc, n);
  names[n] = NULL;
  char text[480], near[FB_SUGGESTION_SIZE] = "; a text that begins with '*' needs quotes";
  if (n) fb_suggestion_or_list(name, names, n == 1 ? "there is" : "there are", near);
  snprintf(text, sizeof text, "the alias *%.60s has no anchor &%.60s before it%s", name, name, near);
  return fail_at(doc, place, FB_ERR_SYNTAX, text, error);
}

fb_status fb_anchors_find(const fb_anchors* anchors, const fb_doc* doc, const char* name, fb_place place,
                          const fb_anchor** anchor, fb_error* error) {
  size_t at = position_of(anchors, doc, name);
  *anchor = is_at(anchors, doc, at, name) ? &anchors->items[at] : NULL;
  return *anchor ? FB_OK : no_anchor(anchors, doc, name, place, error);
}

fb_status fb_anchors_repeat(fb_anchors* anchors, fb_doc* doc, const fb_anchor* anchor, fb_place place,
                            int* id, fb_error* error) {
  size_t nodes = (size_t)(anchor->end - anchor->first), children = anchor->end_child - anchor->first_child;
  if (nodes > FB_DOC_MAX_REPEATED - anchors->repeated) {
    char text[160];
    snprintf(text, sizeof text,
             "the aliases up to here stand for more than %d values; no model or scenario needs that",
             FB_DOC_MAX_REPEATED);
    return fail_at(doc, place, FB_ERR_SYNTAX, text, error);
  }
  if (nodes > INT_MAX - doc->node_count ||
      !fb_grow(&doc->nodes, doc->node_count, nodes, &doc->node_room, sizeof *doc->nodes) ||
      !fb_grow(&doc->children, doc->child_count, children + 1, &doc->child_room, sizeof(int)))
    return no_memory(doc, place, error);
  *id = (int)doc->node_count;
  int shift = *id - anchor->first;
  size_t child_shift = doc->child_count - anchor->first_child;
  for (int i = anchor->first; i < anchor->end; i++) {
    fb_node node = doc->nodes[i];
    node.parent += shift;
    node.first += child_shift;
    doc->nodes[doc->node_count++] = node;
  }
  for (size_t i = anchor->first_child; i < anchor->end_child; i++)
    doc->children[doc->child_count++] = doc->children[i] + shift;
  anchors->repeated += nodes;
  return FB_OK;
}
