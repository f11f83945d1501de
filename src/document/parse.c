/* parse.c -- from text to fb_doc by libyaml's events.
 *
 * Events instead of libyaml's own document tree, because building that tree follows aliases without bound. A node's id
 * is given when it begins, so that a value and all that it contains have ids that follow one another; children are
 * listed when a list or map ends, so that theirs do too. Aliases copy such a range (document/anchors.c). Refused
 * here: more than one document, tags, keys that are not scalars, repeated keys, deep nesting. What libyaml refuses is
 * put into words in document/complaint.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include <freebody/support/text.h>

#include "base/grow.h"
#include "document/anchors.h"
#include "document/document.h"
#include "document/yaml.h"
#include "document/tree.h"
#include "text/check.h"

/* A list or map that is still open. */
typedef struct level {
  int id;
  int first_pending; /* its children wait in pending[] from here */
  int has_key;       /* map: a key was read and waits for its value */
  int key_merges;    /* which is '<<' */
  int merged;        /* map: the value of '<<', or -1 */
  size_t key;
  fb_place key_place;
  size_t anchor;      /* where its name begins in doc->text; SIZE_MAX: it has none */
  size_t first_child; /* what it contains is listed in doc->children from here */
  int height;         /* of what it contains: lists and maps in one another */
} level;

typedef struct builder {
  fb_doc* doc;
  yaml_parser_t parser;
  int surrogates;     /* the text has pairs that were hidden from the parser */
  const char* text;   /* what is parsed */
  const char* cursor; /* where the last key begins in it, `index` characters from its beginning */
  size_t index;
  level levels[FB_DOC_MAX_DEPTH + 1];
  int depth;
  int* pending;
  size_t pending_count, pending_room;
  fb_anchors anchors;
  int documents;
  int root; /* -1 until there is one */
  fb_place last;
  fb_error* error;
} builder;

static fb_status fail_here(builder* b, fb_place place, fb_status status, const char* text) {
  fb_fail(b->error, status, "%s", text);
  fb_error_set_place(b->error, b->doc->name, NULL, place);
  return status;
}

static fb_status out_of_memory(builder* b) {
  return fail_here(b, b->last, FB_ERR_MEMORY, "out of memory while the file was read");
}

static int is_null_word(const char* text, size_t size) {
  static const char* const words[] = {"", "~", "null", "Null", "NULL"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == size && memcmp(words[i], text, size) == 0) return 1;
  return 0;
}

/* Gives the node its parent and, in a map, the waiting key. */
static void place_node(const builder* b, fb_node* node) {
  node->parent = -1;
  if (b->depth == 0) return;
  const level* top = &b->levels[b->depth - 1];
  node->parent = top->id;
  node->index = (int)b->pending_count - top->first_pending;
  node->key = top->key;
  node->key_place = top->key_place;
}

/* Makes it the root, or a child of the open list or map. */
static fb_status link_node(builder* b, int id) {
  if (b->depth == 0) {
    b->root = id;
    return FB_OK;
  }
  level* top = &b->levels[b->depth - 1];
  if (top->has_key && top->key_merges) top->merged = id;
  top->has_key = 0;
  if (!fb_grow(&b->pending, b->pending_count, 1, &b->pending_room, sizeof *b->pending))
    return out_of_memory(b);
  b->pending[b->pending_count++] = id;
  return FB_OK;
}

static fb_status attach(builder* b, fb_node* node, int* id) {
  node->doc = b->doc;
  place_node(b, node);
  *id = fb_doc_add_node(b->doc, node);
  return *id < 0 ? out_of_memory(b) : link_node(b, *id);
}

/* Nonzero when the next scalar is a key: the open level is a map whose last key has its value. */
static int expects_key(const builder* b) {
  if (b->depth == 0) return 0;
  const level* top = &b->levels[b->depth - 1];
  return b->doc->nodes[top->id].kind == FB_NODE_MAP && !top->has_key;
}

/* In brackets libyaml takes the '?' of ?name for an indicator, as in "? name", and the text would lose it. */
static int lost_question_mark(builder* b, yaml_mark_t mark) {
  for (; b->index < mark.index; b->index++) b->cursor += fb_utf8_length(b->cursor, 4);
  return b->cursor > b->text && b->cursor[-1] == '?';
}

static fb_status read_key(builder* b, const char* text, size_t size, const yaml_event_t* event) {
  yaml_mark_t mark = event->start_mark;
  fb_place place = fb_yaml_place(mark);
  if (event->data.scalar.anchor)
    return fail_here(
        b, place, FB_ERR_SYNTAX,
        "an anchor (a word that begins with &) cannot stand before a key; put it before the value");
  if (lost_question_mark(b, mark))
    return fail_here(b, place, FB_ERR_SYNTAX, "in brackets a text that begins with '?' needs quotes");
  level* top = &b->levels[b->depth - 1];
  top->key = fb_doc_add_text(b->doc, text, size);
  if (top->key == SIZE_MAX) return out_of_memory(b);
  top->key_place = place;
  top->has_key = 1;
  top->key_merges = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && strcmp(text, "<<") == 0;
  return FB_OK;
}

/* A value that is not written at all is placed at its key, or where it would be in a list. */
static fb_place scalar_place(const builder* b, const yaml_event_t* event) {
  int missing = event->start_mark.index == event->end_mark.index;
  if (missing && b->depth == 0) return b->last;
  if (missing && b->levels[b->depth - 1].has_key) return b->levels[b->depth - 1].key_place;
  return fb_yaml_place(event->start_mark);
}

static fb_status keep_name(builder* b, const yaml_char_t* name, size_t* at) {
  *at = fb_doc_add_text(b->doc, (const char*)name, strlen((const char*)name));
  return *at == SIZE_MAX ? out_of_memory(b) : FB_OK;
}

static fb_status on_scalar(builder* b, yaml_event_t* event) {
  char* text = (char*)event->data.scalar.value;
  size_t size = event->data.scalar.length;
  yaml_scalar_style_t style = event->data.scalar.style;
  fb_place place = scalar_place(b, event);
  if (memchr(text, '\0', size))
    return fail_here(b, place, FB_ERR_SYNTAX, "the text contains an escaped zero character; remove it");
  if (b->surrogates) size = fb_yaml_show_surrogates(text, size, style == YAML_DOUBLE_QUOTED_SCALAR_STYLE);
  b->last = place;
  if (expects_key(b)) return read_key(b, text, size, event);
  int quoted = style != YAML_PLAIN_SCALAR_STYLE;
  fb_node node = {.kind = FB_NODE_SCALAR, .quoted = quoted, .place = place};
  if (!quoted && is_null_word(text, size)) node.kind = FB_NODE_NULL;
  node.text = fb_doc_add_text(b->doc, text, size);
  if (node.text == SIZE_MAX) return out_of_memory(b);
  int id;
  fb_status status = attach(b, &node, &id);
  if (status || !event->data.scalar.anchor) return status;
  fb_anchor anchor = {0, id, id + 1, b->doc->child_count, b->doc->child_count, 0};
  status = keep_name(b, event->data.scalar.anchor, &anchor.name);
  return status ? status : fb_anchors_add(&b->anchors, b->doc, &anchor, b->error);
}

static fb_status too_deep(builder* b, fb_place place) {
  char text[128];
  snprintf(text, sizeof text, "lists and maps are nested more than %d levels deep here; no model needs that",
           FB_DOC_MAX_DEPTH);
  return fail_here(b, place, FB_ERR_SYNTAX, text);
}

static fb_status on_begin(builder* b, const yaml_event_t* event, fb_node_kind kind,
                          const yaml_char_t* anchor) {
  fb_place place = fb_yaml_place(event->start_mark);
  b->last = place;
  if (expects_key(b))
    return fail_here(b, place, FB_ERR_SYNTAX,
                     "a list or map cannot be the key of a map; a key is a word such as name");
  if (b->depth == FB_DOC_MAX_DEPTH) return too_deep(b, place);
  fb_node node = {.kind = kind, .place = place};
  int id;
  fb_status status = attach(b, &node, &id);
  if (status) return status;
  level* top = &b->levels[b->depth++];
  *top = (level){.id = id, .first_pending = (int)b->pending_count, .merged = -1, .key_place = place};
  top->first_child = b->doc->child_count;
  top->anchor = SIZE_MAX;
  return anchor ? keep_name(b, anchor, &top->anchor) : FB_OK;
}

static fb_status repeated_key(builder* b, int repeated, int first) {
  const fb_doc* doc = b->doc;
  char text[256];
  snprintf(text, sizeof text, "the key '%.80s' is given twice (first in line %d); keep one",
           doc->text + doc->nodes[repeated].key, doc->nodes[first].key_place.line);
  return fail_here(b, doc->nodes[repeated].key_place, FB_ERR_SYNTAX, text);
}

/* Sorts the keys of a map that has ended, and merges what stands under its '<<'. */
static fb_status end_map(builder* b, const level* top) {
  int repeated, first;
  if (fb_doc_close_map(b->doc, top->id, &repeated, &first)) return out_of_memory(b);
  if (repeated >= 0) return repeated_key(b, repeated, first);
  return top->merged < 0 ? FB_OK : fb_doc_merge(b->doc, top->id, top->merged, b->error);
}

/* The open list or map contains something of this height. */
static void raise_height(builder* b, int height) {
  if (b->depth > 0 && b->levels[b->depth - 1].height < height) b->levels[b->depth - 1].height = height;
}

static fb_status on_end(builder* b) {
  level* top = &b->levels[--b->depth];
  int count = (int)b->pending_count - top->first_pending;
  const int* children = count > 0 ? b->pending + top->first_pending : NULL;
  if (!fb_doc_add_children(b->doc, top->id, children, count)) return out_of_memory(b);
  b->pending_count = (size_t)top->first_pending;
  fb_status status = b->doc->nodes[top->id].kind == FB_NODE_MAP ? end_map(b, top) : FB_OK;
  raise_height(b, top->height + 1);
  if (status || top->anchor == SIZE_MAX) return status;
  const fb_anchor anchor = {top->anchor,         top->id,        (int)b->doc->node_count, top->first_child,
                            b->doc->child_count, top->height + 1};
  return fb_anchors_add(&b->anchors, b->doc, &anchor, b->error);
}

/* A copy of the value that the alias stands for. Its nodes keep their places: there their text is. */
static fb_status on_alias(builder* b, const yaml_event_t* event) {
  const char* name = (const char*)event->data.alias.anchor;
  fb_place place = fb_yaml_place(event->start_mark);
  const fb_anchor* anchor;
  int id;
  if (expects_key(b))
    return fail_here(b, place, FB_ERR_SYNTAX,
                     "an alias (a word that begins with *) cannot be a key; write the key out");
  for (int i = 0; i < b->depth; i++)
    if (b->levels[i].anchor != SIZE_MAX && strcmp(b->doc->text + b->levels[i].anchor, name) == 0)
      return fail_here(b, place, FB_ERR_SYNTAX,
                       "this alias stands inside the value of its own anchor, which would never end");
  fb_status status = fb_anchors_find(&b->anchors, b->doc, name, place, &anchor, b->error);
  if (!status && b->depth + anchor->height > FB_DOC_MAX_DEPTH) return too_deep(b, place);
  if (!status) status = fb_anchors_repeat(&b->anchors, b->doc, anchor, place, &id, b->error);
  if (status) return status;
  raise_height(b, anchor->height);
  b->last = place;
  place_node(b, &b->doc->nodes[id]);
  return link_node(b, id);
}

static fb_status refuse_tag(builder* b, const yaml_event_t* event) {
  return fail_here(b, fb_yaml_place(event->start_mark), FB_ERR_SYNTAX,
                   "tags (words that begin with !) are not used here; leave it out");
}

static fb_status on_event(builder* b, yaml_event_t* event) {
  switch (event->type) {
    case YAML_DOCUMENT_START_EVENT:
      if (b->documents++ == 0) return FB_OK;
      return fail_here(b, fb_yaml_place(event->start_mark), FB_ERR_SYNTAX,
                       "a second document begins here (---); put each document in a file of its own");
    case YAML_SCALAR_EVENT:
      return event->data.scalar.tag ? refuse_tag(b, event) : on_scalar(b, event);
    case YAML_SEQUENCE_START_EVENT:
      return event->data.sequence_start.tag
                 ? refuse_tag(b, event)
                 : on_begin(b, event, FB_NODE_LIST, event->data.sequence_start.anchor);
    case YAML_MAPPING_START_EVENT:
      return event->data.mapping_start.tag
                 ? refuse_tag(b, event)
                 : on_begin(b, event, FB_NODE_MAP, event->data.mapping_start.anchor);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
      return on_end(b);
    case YAML_ALIAS_EVENT:
      return on_alias(b, event);
    default:
      return FB_OK;
  }
}

static fb_status parser_error(builder* b, const char* text, size_t size) {
  /* Where it scans a tag, libyaml runs out of memory without a word. */
  if (b->parser.error == YAML_MEMORY_ERROR || !b->parser.problem) return out_of_memory(b);
  char message[512] = "this is not valid YAML or JSON: ";
  size_t n = strlen(message);
  const fb_node* open = b->depth > 0 ? &b->doc->nodes[b->levels[b->depth - 1].id] : NULL;
  fb_place place = fb_yaml_complaint(&b->parser, text, size, open, message + n, sizeof message - n);
  return fail_here(b, place, FB_ERR_SYNTAX, message);
}

static fb_status read_events(builder* b, const char* text, size_t size) {
  fb_status status = FB_OK;
  for (int more = 1; more && !status;) {
    yaml_event_t event;
    if (!yaml_parser_parse(&b->parser, &event)) return parser_error(b, text, size);
    more = event.type != YAML_STREAM_END_EVENT;
    status = on_event(b, &event);
    yaml_event_delete(&event);
  }
  if (status) return status;
  if (b->root < 0)
    return fail_here(b, (fb_place){1, 1}, FB_ERR_SYNTAX,
                     size == 0 ? "the file is empty" : "the file contains no data, only blanks or comments");
  b->doc->root = b->root;
  return FB_OK;
}

static int is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* JSON allows tabs before its first bracket and after its last; libyaml does not. They become blanks, in place. */
static void blank_tabs_around_json(char* text, size_t size) {
  size_t first = 0, end = size;
  while (first < end && is_blank(text[first])) first++;
  while (end > first && is_blank(text[end - 1])) end--;
  if (first == end || (text[first] != '{' && text[first] != '[')) return;
  for (size_t i = 0; i < size; i++) {
    if (i == first) i = end;
    if (i < size && text[i] == '\t') text[i] = ' ';
  }
}

/* Parses a copy of the text, changed where libyaml would not take valid JSON; no change moves a place. */
static fb_status read_text(builder* b, const char* text, size_t size) {
  char* copy = malloc(size + 1);
  if (!copy) return out_of_memory(b);
  if (size > 0) memcpy(copy, text, size);
  copy[size] = '\0';
  blank_tabs_around_json(copy, size);
  b->surrogates = fb_yaml_hide_surrogates(copy, size);
  fb_status status = FB_ERR_MEMORY;
  if (yaml_parser_initialize(&b->parser)) {
    yaml_parser_set_encoding(&b->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&b->parser, (const unsigned char*)copy, size);
    b->text = b->cursor = copy;
    status = read_events(b, copy, size);
    yaml_parser_delete(&b->parser);
  } else {
    out_of_memory(b);
  }
  free(copy);
  return status;
}

static fb_doc* new_doc(const char* name) {
  fb_doc* doc = calloc(1, sizeof *doc);
  size_t size = strlen(name) + 1;
  char* copy = malloc(size);
  if (!doc || !copy) {
    free(doc);
    free(copy);
    return NULL;
  }
  memcpy(copy, name, size);
  doc->name = copy;
  return doc;
}

static fb_status check_text(const char* text, size_t size, const char* name, fb_error* error) {
  if (size > FB_DOC_MAX_SIZE) {
    fb_fail(error, FB_ERR_SYNTAX, "the file is larger than 1 GiB; no model needs that");
    fb_error_set_place(error, name, NULL, (fb_place){1, 1});
    return FB_ERR_SYNTAX;
  }
  fb_status status = fb_text_check(text, size, name, error);
  if (!status) status = fb_text_check_yaml(text, size, name, error);
  if (!status) status = fb_text_check_brackets(text, size, 50 * FB_DOC_MAX_DEPTH, name, error);
  return status;
}

fb_status fb_doc_parse(const char* text, size_t size, const char* name, fb_doc** doc, fb_error* error) {
  *doc = NULL;
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* the byte order mark some editors write */
    text += 3;
    size -= 3;
  }
  fb_status status = check_text(text, size, name, error);
  if (status) return status;
  builder b = {.doc = new_doc(name), .root = -1, .last = {1, 1}, .error = error};
  if (!b.doc) return fb_fail(error, FB_ERR_MEMORY, "out of memory while %s was read", name);
  status = read_text(&b, text, size);
  free(b.pending);
  free(b.anchors.items);
  if (!status)
    *doc = b.doc;
  else
    fb_doc_free(b.doc);
  return status;
}
