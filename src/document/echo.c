/* echo.c -- a document written out again as JSON or YAML, with its numbers as they were written. */
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "document/document.h"

/* Nonzero when the text may stand in JSON as it is: no plus sign, no bare point, no leading zeros. */
static int is_json_number(const char* text) {
  if (*text == '-') text++;
  if (*text < '0' || *text > '9' || (*text == '0' && text[1] >= '0' && text[1] <= '9')) return 0;
  const char* point = strchr(text, '.');
  return !point || (point[1] >= '0' && point[1] <= '9');
}

static void echo_scalar(fb_json* json, const fb_node* node) {
  const char* text = fb_node_text(node);
  double x;
  switch (fb_node_get_kind(node) == FB_NODE_NULL ? FB_SCALAR_NOT_FINITE : fb_node_scalar_kind(node)) {
    case FB_SCALAR_NUMBER:
      if (is_json_number(text)) {
        fb_json_number_text(json, text);
      } else {
        fb_number_parse(text, &x);
        fb_json_number(json, x);
      }
      break;
    case FB_SCALAR_NOT_FINITE:
      fb_json_null(json);
      break;
    case FB_SCALAR_BOOL:
      fb_json_bool(json, text[0] == 't' || text[0] == 'T');
      break;
    default:
      fb_json_string(json, text);
  }
}

/* Lists of scalars stay on one line, as people write vectors. */
static int is_flat_list(const fb_node* node) {
  for (int i = 0; i < fb_node_count(node); i++) {
    fb_node_kind kind = fb_node_get_kind(fb_node_item(node, i));
    if (kind == FB_NODE_LIST || kind == FB_NODE_MAP) return 0;
  }
  return 1;
}

static void begin(fb_json* json, const fb_node* node, fb_node_kind kind) {
  if (kind == FB_NODE_MAP)
    fb_json_begin_map(json);
  else if (is_flat_list(node))
    fb_json_begin_flat_list(json);
  else
    fb_json_begin_list(json);
}

static void end(fb_json* json, fb_node_kind kind) {
  if (kind == FB_NODE_MAP)
    fb_json_end_map(json);
  else
    fb_json_end_list(json);
}

void fb_json_node(fb_json* json, const fb_node* node) {
  struct {
    const fb_node* node;
    int next;
  } stack[FB_DOC_MAX_DEPTH + 1];
  int depth = 0;
  for (;;) {
    fb_node_kind kind = fb_node_get_kind(node);
    if (kind == FB_NODE_LIST || kind == FB_NODE_MAP) {
      begin(json, node, kind);
      stack[depth].node = node;
      stack[depth++].next = 0;
    } else {
      echo_scalar(json, node);
    }
    while (depth > 0 && stack[depth - 1].next == fb_node_count(stack[depth - 1].node))
      end(json, fb_node_get_kind(stack[--depth].node));
    if (depth == 0) return;
    const fb_node* parent = stack[depth - 1].node;
    int index = stack[depth - 1].next++;
    if (fb_node_get_kind(parent) == FB_NODE_MAP) fb_json_key(json, fb_map_key(parent, index));
    node = fb_node_item(parent, index);
  }
}
