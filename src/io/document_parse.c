/* document_parse.c -- from text to fb_doc by libfyaml's events.
 *
 * Events instead of libfyaml's own document tree, because building that tree follows aliases and uses the C
 * stack. Refused here: more than one document, aliases, tags, keys that are not scalars, repeated keys, deep
 * nesting. libfyaml's first diagnostic becomes the message; nothing is printed. */
#include <errno.h>
#include <libfyaml.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "io/document.h"
#include "io/document_tree.h"

/* A list or map that is still open. */
typedef struct level {
  int id;
  int first_pending; /* its children wait in pending[] from here */
  int has_key;       /* map: a key was read and waits for its value */
  size_t key;
  fb_place key_place;
} level;

typedef struct builder {
  fb_doc* doc;
  struct fy_parser* parser;
  struct fy_diag* diag;
  level levels[FB_DOC_MAX_DEPTH + 1];
  int depth;
  int* pending;
  size_t pending_count, pending_room;
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

/* Quoted scalars are marked after the quote; people look for the quote. */
static fb_place token_place(struct fy_token* token, fb_place otherwise) {
  const struct fy_mark* mark = token ? fy_token_start_mark(token) : NULL;
  if (!mark) return otherwise;
  enum fy_scalar_style style = fy_token_scalar_style(token);
  int quote = style == FYSS_SINGLE_QUOTED || style == FYSS_DOUBLE_QUOTED;
  return (fb_place){mark->line + 1, mark->column + 1 - quote};
}

static int is_null_word(const char* text, size_t size) {
  static const char* const words[] = {"", "~", "null", "Null", "NULL"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strlen(words[i]) == size && memcmp(words[i], text, size) == 0) return 1;
  return 0;
}

static int push_pending(builder* b, int id) {
  if (!fb_grow(&b->pending, b->pending_count, 1, &b->pending_room, sizeof *b->pending)) return 0;
  b->pending[b->pending_count++] = id;
  return 1;
}

/* Gives the node its parent and, in a map, the waiting key; its id comes back in *id. */
static fb_status attach(builder* b, fb_node* node, int* id) {
  node->doc = b->doc;
  node->parent = -1;
  if (b->depth > 0) {
    level* top = &b->levels[b->depth - 1];
    node->parent = top->id;
    node->index = (int)b->pending_count - top->first_pending;
    node->key = top->key;
    node->key_place = top->key_place;
    top->has_key = 0;
  }
  *id = fb_doc_add_node(b->doc, node);
  if (*id < 0) return out_of_memory(b);
  if (b->depth == 0)
    b->root = *id;
  else if (!push_pending(b, *id))
    return out_of_memory(b);
  return FB_OK;
}

/* Nonzero when the next scalar is a key: the open level is a map whose last key has its value. */
static int wants_key(const builder* b) {
  if (b->depth == 0) return 0;
  const level* top = &b->levels[b->depth - 1];
  return b->doc->nodes[top->id].kind == FB_NODE_MAP && !top->has_key;
}

static fb_status read_key(builder* b, const char* text, size_t size, fb_place place) {
  level* top = &b->levels[b->depth - 1];
  top->key = fb_doc_add_text(b->doc, text, size);
  if (top->key == SIZE_MAX) return out_of_memory(b);
  top->key_place = place;
  top->has_key = 1;
  return FB_OK;
}

static fb_status on_scalar(builder* b, struct fy_token* token) {
  size_t size = 0;
  const char* text = token ? fy_token_get_text(token, &size) : "";
  fb_place otherwise = b->depth > 0 ? b->levels[b->depth - 1].key_place : b->last;
  fb_place place = token_place(token, otherwise);
  if (!text) return out_of_memory(b);
  if (memchr(text, '\0', size))
    return fail_here(b, place, FB_ERR_SYNTAX, "the text holds an escaped zero character; leave it out");
  b->last = place;
  if (wants_key(b)) return read_key(b, text, size, place);
  int quoted = token && fy_token_scalar_style(token) != FYSS_PLAIN;
  fb_node node = {.kind = FB_NODE_SCALAR, .quoted = quoted, .place = place};
  if (!quoted && is_null_word(text, size)) node.kind = FB_NODE_NULL;
  node.text = fb_doc_add_text(b->doc, text, size);
  if (node.text == SIZE_MAX) return out_of_memory(b);
  int id;
  return attach(b, &node, &id);
}

static fb_status on_begin(builder* b, struct fy_token* token, fb_node_kind kind) {
  fb_place place = token_place(token, b->last);
  b->last = place;
  if (wants_key(b))
    return fail_here(b, place, FB_ERR_SYNTAX,
                     "a list or map cannot be the key of a map; a key is a word such as name");
  if (b->depth == FB_DOC_MAX_DEPTH) {
    char text[128];
    snprintf(text, sizeof text,
             "lists and maps stand more than %d deep in each other here; no model needs that",
             FB_DOC_MAX_DEPTH);
    return fail_here(b, place, FB_ERR_SYNTAX, text);
  }
  fb_node node = {.kind = kind, .place = place};
  int id;
  fb_status status = attach(b, &node, &id);
  if (status) return status;
  b->levels[b->depth++] = (level){.id = id, .first_pending = (int)b->pending_count, .key_place = place};
  return FB_OK;
}

static fb_status repeated_key(builder* b, int twin, int first) {
  const fb_doc* doc = b->doc;
  char text[256];
  snprintf(text, sizeof text, "the key '%.80s' stands here a second time (the first is in line %d); keep one",
           doc->text + doc->nodes[twin].key, doc->nodes[first].key_place.line);
  return fail_here(b, doc->nodes[twin].key_place, FB_ERR_SYNTAX, text);
}

static fb_status on_end(builder* b) {
  level* top = &b->levels[--b->depth];
  int count = (int)b->pending_count - top->first_pending;
  const int* children = count > 0 ? b->pending + top->first_pending : NULL;
  if (!fb_doc_add_children(b->doc, top->id, children, count)) return out_of_memory(b);
  b->pending_count = (size_t)top->first_pending;
  if (b->doc->nodes[top->id].kind != FB_NODE_MAP) return FB_OK;
  int twin, first;
  if (fb_doc_close_map(b->doc, top->id, &twin, &first)) return out_of_memory(b);
  return twin < 0 ? FB_OK : repeated_key(b, twin, first);
}

static fb_status on_document(builder* b, struct fy_token* token) {
  if (b->documents++ == 0) return FB_OK;
  return fail_here(b, token_place(token, b->last), FB_ERR_SYNTAX,
                   "a second document begins here (---); put each document in a file of its own");
}

static fb_status refuse_tag(builder* b, struct fy_token* tag) {
  if (!tag) return FB_OK;
  return fail_here(b, token_place(tag, b->last), FB_ERR_SYNTAX,
                   "tags (words that begin with !) are not used here; leave it out");
}

static fb_status refuse_alias(builder* b, struct fy_token* token) {
  return fail_here(b, token_place(token, b->last), FB_ERR_SYNTAX,
                   "aliases (words that begin with *) are not supported; write the value out again");
}

static fb_status on_event(builder* b, struct fy_event* event) {
  fb_status status;
  switch (event->type) {
    case FYET_DOCUMENT_START:
      return on_document(b, event->document_start.document_start);
    case FYET_SCALAR:
      status = refuse_tag(b, event->scalar.tag);
      return status ? status : on_scalar(b, event->scalar.value);
    case FYET_SEQUENCE_START:
      status = refuse_tag(b, event->sequence_start.tag);
      return status ? status : on_begin(b, event->sequence_start.sequence_start, FB_NODE_LIST);
    case FYET_MAPPING_START:
      status = refuse_tag(b, event->mapping_start.tag);
      return status ? status : on_begin(b, event->mapping_start.mapping_start, FB_NODE_MAP);
    case FYET_SEQUENCE_END:
    case FYET_MAPPING_END:
      return on_end(b);
    case FYET_ALIAS:
      return refuse_alias(b, event->alias.anchor);
    default:
      return FB_OK;
  }
}

/* The place of the end of the text, where libfyaml points one line too far. */
static fb_place end_of(const char* text, size_t size) {
  while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r')) size--;
  fb_place place = {1, 1};
  for (size_t i = 0; i < size; i++) {
    place.column++;
    if (text[i] == '\n') place = (fb_place){place.line + 1, 1};
  }
  return place;
}

static int is_after(fb_place a, fb_place b) {
  return a.line > b.line || (a.line == b.line && a.column > b.column);
}

/* What is mostly behind a complaint of libfyaml's, or "". */
static const char* advice_on(const char* complaint) {
  static const struct {
    const char *part, *advice;
  } table[] = {
      {"multiline plain key", "; is a colon missing after a key, or the space after a colon?"},
      {"could not find expected ':'", "; is a colon missing after a key, or the space after a colon?"},
      {"invalid value after mapping", "; is a colon missing after a key, or the space after a colon?"},
      {"wrongly indented double-quoted", "; is the closing quote missing?"},
      {"wrongly indented single-quoted", "; is the closing quote missing?"},
      {"tab character", "; indent with spaces"},
      {"nested block mapping on the same line", "; a value with ': ' in it needs quotes"},
      {"invalid indentation", "; keys of one map stand in the same column"},
      {"cannot start with", "; put the value in quotes"},
      {"trailing content after", "; quotes stand around the whole value"},
      {"missing comma in flow mapping", "; or is the closing brace '}' missing?"},
      {"missing comma in flow sequence", "; or is the closing bracket ']' missing?"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strstr(complaint, table[i].part)) return table[i].advice;
  return "";
}

/* libfyaml's first complaint in a sentence of ours. It stops without one when memory ran out, but also at a few
 * mistakes such as "mass: |0"; errno tells them apart. */
static fb_status syntax_error(builder* b, const char* text, size_t size) {
  void* iterator = NULL;
  struct fy_diag_error* found = fy_diag_errors_iterate(b->diag, &iterator);
  if (!found && errno == ENOMEM) return out_of_memory(b);
  fb_place place = found ? (fb_place){found->line, found->column} : b->last;
  fb_place end = end_of(text, size);
  int cut_off = is_after(place, end) || (place.line == end.line && place.column == end.column);
  if (is_after(place, end)) place = end;
  char message[512];
  const char* complaint = found && found->msg ? found->msg : "the parser stops after this place";
  int n = snprintf(message, sizeof message, "this is not valid YAML or JSON: %.200s%s", complaint,
                   advice_on(complaint));
  if (cut_off && b->depth > 0) {
    const fb_node* open = &b->doc->nodes[b->levels[b->depth - 1].id];
    snprintf(message + n, sizeof message - (size_t)n,
             "; the file ends inside the %s that begins in line %d, column %d",
             open->kind == FB_NODE_LIST ? "list" : "map", open->place.line, open->place.column);
  }
  return fail_here(b, place, FB_ERR_SYNTAX, message);
}

static fb_status read_events(builder* b, const char* text, size_t size) {
  fb_status status = FB_OK;
  struct fy_event* event;
  errno = 0;
  while (!status && (event = fy_parser_parse(b->parser))) {
    status = on_event(b, event);
    fy_parser_event_free(b->parser, event);
  }
  if (status) return status;
  if (fy_parser_get_stream_error(b->parser)) return syntax_error(b, text, size);
  if (b->root < 0)
    return fail_here(b, (fb_place){1, 1}, FB_ERR_SYNTAX,
                     size == 0 ? "the file is empty" : "the file holds no data, only blanks or comments");
  b->doc->root = b->root;
  return FB_OK;
}

static void print_nothing(struct fy_diag* diag, void* user, const char* text, size_t size) {
  (void)diag, (void)user, (void)text, (void)size;
}

/* A parser whose diagnostics are collected and never printed. */
static int open_parser(builder* b, const char* text, size_t size) {
  struct fy_diag_cfg quiet;
  fy_diag_cfg_default(&quiet);
  quiet.fp = NULL;
  quiet.output_fn = print_nothing;
  quiet.colorize = false;
  b->diag = fy_diag_create(&quiet);
  if (!b->diag) return 0;
  fy_diag_set_collect_errors(b->diag, true);
  struct fy_parse_cfg config = {.search_path = "", .diag = b->diag};
  config.flags = (enum fy_parse_cfg_flags)(FYPCF_QUIET | FYPCF_COLLECT_DIAG | FYPCF_JSON_NONE |
                                           FYPCF_DEFAULT_VERSION_1_2);
  b->parser = fy_parser_create(&config);
  return b->parser && fy_parser_set_string(b->parser, text, size) == 0;
}

static fb_doc* new_doc(const char* name) {
  fb_doc* doc = (fb_doc*)calloc(1, sizeof *doc);
  size_t size = strlen(name) + 1;
  char* copy = (char*)malloc(size);
  if (!doc || !copy) {
    free(doc);
    free(copy);
    return NULL;
  }
  memcpy(copy, name, size);
  doc->name = copy;
  return doc;
}

fb_status fb_doc_parse(const char* text, size_t size, const char* name, fb_doc** doc, fb_error* error) {
  *doc = NULL;
  fb_status status = fb_text_check(text, size, name, error);
  if (!status) status = fb_text_check_brackets(text, size, 50 * FB_DOC_MAX_DEPTH, name, error);
  if (status) return status;
  if (size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0) { /* the byte order mark some editors write */
    text += 3;
    size -= 3;
  }
  builder b = {.doc = new_doc(name), .root = -1, .last = {1, 1}, .error = error};
  if (!b.doc) return fb_fail(error, FB_ERR_MEMORY, "out of memory while %s was read", name);
  status = open_parser(&b, text, size) ? read_events(&b, text, size) : out_of_memory(&b);
  if (b.parser) fy_parser_destroy(b.parser);
  if (b.diag) fy_diag_destroy(b.diag);
  free(b.pending);
  if (!status)
    *doc = b.doc;
  else
    fb_doc_free(b.doc);
  return status;
}
