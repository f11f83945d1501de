/* json.c -- writes JSON, or YAML with the same calls, into growing text.
 *
 * The open lists and maps are on a stack of fixed size (documents are no deeper). YAML is written in block
 * style for the outer levels, and in flow style inside, where a line that grew too long is broken before the
 * entry that made it so. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "text/check.h"

enum { MAX_DEPTH = 80, YAML_WIDTH = 100, YAML_BLOCK_MAPS = 3, YAML_BLOCK_LISTS = 4 };

typedef enum layout_kind { LAYOUT_LINE, LAYOUT_INDENTED, LAYOUT_BLOCK } layout_kind;

typedef struct open_level {
  int is_map;
  layout_kind layout;
  int count;
  int column;      /* block and broken flow: where its entries begin */
  size_t entry_at; /* where the last entry begins in the text */
} open_level;

struct fb_json {
  fb_text text;
  int indent, yaml;
  open_level levels[MAX_DEPTH];
  int depth;
  int after_key;     /* a key was written; its value comes next */
  int after_dash;    /* YAML: "- " was written; the item's first key stands on the same line */
  size_t line_start; /* where the last line begins */
};

static fb_json* new_writer(int indent, int yaml) {
  fb_json* json = calloc(1, sizeof *json);
  if (!json) return NULL;
  json->indent = indent;
  json->yaml = yaml;
  return json;
}

fb_json* fb_json_new(int indent) {
  return new_writer(indent, 0);
}

fb_json* fb_json_new_yaml(void) {
  return new_writer(2, 1);
}

void fb_json_free(fb_json* json) {
  if (!json) return;
  free(json->text.data);
  free(json);
}

char* fb_json_finish(fb_json* json, size_t* size) {
  if (json->yaml || json->indent > 0) fb_text_add(&json->text, "\n");
  char* text = fb_text_take(&json->text, size);
  free(json);
  return text;
}

/* --- layout --- */

static void new_line(fb_json* json, int column) {
  fb_text_add(&json->text, "\n");
  json->line_start = json->text.size;
  fb_text_add_repeat(&json->text, ' ', column);
}

static open_level* top_level(fb_json* json) {
  return json->depth > 0 ? &json->levels[json->depth - 1] : NULL;
}

/* Breaks the line before the last entry of a flow collection when it ran over the width. */
static void break_long_line(fb_json* json, open_level* level) {
  if (!json->yaml || level->layout != LAYOUT_LINE || level->count == 0 || json->text.failed) return;
  int outermost = json->depth < 2 || json->levels[json->depth - 2].layout == LAYOUT_BLOCK;
  size_t width = json->text.size - json->line_start;
  if (!outermost || width <= YAML_WIDTH || level->entry_at <= json->line_start + (size_t)level->column)
    return;
  char blanks[64];
  int n = level->column < 60 ? level->column : 60;
  blanks[0] = '\n';
  memset(blanks + 1, ' ', (size_t)n);
  blanks[n + 1] = '\0';
  size_t at = level->entry_at;
  while (at > 0 && json->text.data[at - 1] == ' ') { /* the blank after the comma goes */
    memmove(json->text.data + at - 1, json->text.data + at, json->text.size - at + 1);
    json->text.size--;
    at--;
  }
  fb_text_insert(&json->text, at, blanks);
  json->line_start = at + 1;
}

/* Whatever stands between the last entry and the next: commas, line ends, indents, dashes. */
static void begin_entry(fb_json* json) {
  open_level* level = top_level(json);
  if (!level) return;
  if (level->layout == LAYOUT_BLOCK) {
    if (!json->after_dash && json->text.size > 0) new_line(json, level->column);
    json->after_dash = 0;
  } else {
    break_long_line(json, level);
    if (level->count > 0) fb_text_add(&json->text, level->layout == LAYOUT_LINE ? ", " : ",");
    if (level->layout == LAYOUT_INDENTED) new_line(json, json->indent * json->depth);
  }
  level->count++;
  level->entry_at = json->text.size;
}

static void begin_value(fb_json* json) {
  open_level* level = top_level(json);
  if (json->after_key) {
    json->after_key = 0;
    return;
  }
  begin_entry(json);
  if (!level || level->layout != LAYOUT_BLOCK || level->is_map) return;
  fb_text_add(&json->text, "- ");
  json->after_dash = 1;
}

/* A scalar, or a whole collection on one line, ends the place after "- " and needs a blank after "key:". */
static void begin_scalar(fb_json* json) {
  const open_level* level = top_level(json);
  int value_in_block = json->after_key && level && level->layout == LAYOUT_BLOCK;
  begin_value(json);
  json->after_dash = 0;
  if (value_in_block) fb_text_add(&json->text, " ");
}

static layout_kind choose_layout(const fb_json* json, int is_map) {
  const open_level* level = json->depth > 0 ? &json->levels[json->depth - 1] : NULL;
  if (json->yaml) {
    int block = json->depth + 1 <= (is_map ? YAML_BLOCK_MAPS : YAML_BLOCK_LISTS);
    return block && (!level || level->layout == LAYOUT_BLOCK) ? LAYOUT_BLOCK : LAYOUT_LINE;
  }
  return json->indent > 0 && (!level || level->layout == LAYOUT_INDENTED) ? LAYOUT_INDENTED : LAYOUT_LINE;
}

static void begin_level(fb_json* json, int is_map, layout_kind layout) {
  if (json->depth == MAX_DEPTH) {
    json->text.failed = 1;
    return;
  }
  open_level level = {.is_map = is_map, .layout = layout};
  if (layout == LAYOUT_BLOCK) {
    const open_level* outer = top_level(json);
    begin_value(json);
    level.column = outer ? outer->column + 2 : 0;
  } else {
    begin_scalar(json);
    fb_text_add(&json->text, is_map ? "{" : "[");
    level.column = (int)(json->text.size - json->line_start);
  }
  json->levels[json->depth++] = level;
}

static void end_level(fb_json* json) {
  open_level* level = top_level(json);
  if (!level) return;
  const char* empty = level->is_map ? "{}" : "[]";
  if (level->layout == LAYOUT_BLOCK) {
    if (level->count == 0) {
      if (json->text.size > 0 && !json->after_dash) fb_text_add(&json->text, " ");
      fb_text_add(&json->text, empty);
      json->after_dash = 0;
    }
    json->depth--;
    return;
  }
  break_long_line(json, level);
  json->depth--;
  if (level->layout == LAYOUT_INDENTED && level->count > 0) new_line(json, json->indent * json->depth);
  fb_text_add(&json->text, empty + 1);
}

void fb_json_begin_map(fb_json* json) {
  begin_level(json, 1, choose_layout(json, 1));
}

void fb_json_end_map(fb_json* json) {
  end_level(json);
}

void fb_json_begin_list(fb_json* json) {
  begin_level(json, 0, choose_layout(json, 0));
}

void fb_json_begin_flat_list(fb_json* json) {
  begin_level(json, 0, LAYOUT_LINE);
}

void fb_json_end_list(fb_json* json) {
  end_level(json);
}

/* --- scalars --- */

/* A character as an escape. Bytes that are no UTF-8 (length 0), as names of files may hold them, become the
 * replacement character: JSON has no others. */
static void add_escape(fb_text* text, const char* p, size_t length) {
  unsigned char c = (unsigned char)*p;
  if (c == '"' || c == '\\')
    fb_text_printf(text, "\\%c", c);
  else if (c == '\n' || c == '\t' || c == '\r')
    fb_text_add(text, c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r");
  else if (length > 1)
    fb_text_printf(text, "\\u%04x", fb_yaml_must_escape(p, length));
  else
    fb_text_printf(text, "\\u%04x", length > 0 ? (unsigned)c : 0xfffdu);
}

static int may_stand(const char* p, size_t length) {
  unsigned char c = (unsigned char)*p;
  return length > 0 && c >= 0x20 && c != '"' && c != '\\' && c != 0x7f && !fb_yaml_must_escape(p, length);
}

static void add_quoted(fb_text* text, const char* string) {
  fb_text_add(text, "\"");
  const char* from = string;
  for (const char* p = string; *p;) {
    size_t length = fb_utf8_length(p, 4);
    const char* next = p + (length > 0 ? length : 1);
    if (!may_stand(p, length)) {
      fb_text_add_bytes(text, from, (size_t)(p - from));
      add_escape(text, p, length);
      from = next;
    }
    p = next;
  }
  fb_text_add(text, from);
  fb_text_add(text, "\"");
}

static void add_string(fb_json* json, const char* string) {
  if (json->yaml && fb_yaml_is_plain(string))
    fb_text_add(&json->text, string);
  else
    add_quoted(&json->text, string);
}

static void add_number(fb_text* text, double x) {
  char buffer[32];
  /* -0 is 0: a sign that says nothing puzzles readers. */
  fb_text_add(text, isfinite(x) ? fb_number_format(x == 0 ? 0 : x, buffer) : "null");
}

void fb_json_key(fb_json* json, const char* key) {
  const open_level* level = top_level(json);
  begin_entry(json);
  add_string(json, key);
  fb_text_add(&json->text, level && level->layout == LAYOUT_BLOCK ? ":" : ": ");
  json->after_key = 1;
}

void fb_json_number(fb_json* json, double x) {
  begin_scalar(json);
  add_number(&json->text, x);
}

void fb_json_number_text(fb_json* json, const char* number) {
  begin_scalar(json);
  fb_text_add(&json->text, number);
}

void fb_json_int(fb_json* json, long long x) {
  begin_scalar(json);
  fb_text_printf(&json->text, "%lld", x);
}

void fb_json_string(fb_json* json, const char* text) {
  begin_scalar(json);
  add_string(json, text);
}

void fb_json_bool(fb_json* json, int value) {
  begin_scalar(json);
  fb_text_add(&json->text, value ? "true" : "false");
}

void fb_json_null(fb_json* json) {
  begin_scalar(json);
  fb_text_add(&json->text, "null");
}

static void add_numbers(fb_text* text, const double* x, int count) {
  fb_text_add(text, "[");
  for (int i = 0; i < count; i++) {
    if (i > 0) fb_text_add(text, ", ");
    add_number(text, x[i]);
  }
  fb_text_add(text, "]");
}

void fb_json_numbers(fb_json* json, const double* x, int count) {
  begin_scalar(json);
  add_numbers(&json->text, x, count);
}

void fb_json_matrix(fb_json* json, const double* x, int rows, int cols) {
  begin_level(json, 0, json->yaml ? LAYOUT_LINE : choose_layout(json, 0));
  for (int i = 0; i < rows; i++) fb_json_numbers(json, x + (size_t)i * (size_t)cols, cols);
  end_level(json);
}

void fb_json_put_map(fb_json* json, const char* key) {
  fb_json_key(json, key);
  fb_json_begin_map(json);
}

void fb_json_put_list(fb_json* json, const char* key) {
  fb_json_key(json, key);
  fb_json_begin_list(json);
}

void fb_json_put_flat_list(fb_json* json, const char* key) {
  fb_json_key(json, key);
  fb_json_begin_flat_list(json);
}

void fb_json_put_bool(fb_json* json, const char* key, int value) {
  fb_json_key(json, key);
  fb_json_bool(json, value);
}

void fb_json_put_string(fb_json* json, const char* key, const char* text) {
  fb_json_key(json, key);
  fb_json_string(json, text ? text : "");
}

void fb_json_put_int(fb_json* json, const char* key, long long x) {
  fb_json_key(json, key);
  fb_json_int(json, x);
}

void fb_json_put_number(fb_json* json, const char* key, double x) {
  fb_json_key(json, key);
  fb_json_number(json, x);
}

void fb_json_put_time(fb_json* json, const char* key, double t) {
  char text[32];
  fb_json_key(json, key);
  if (isfinite(t))
    fb_json_number_text(json, fb_time_format(t, text));
  else
    fb_json_number(json, t);
}

void fb_json_put_numbers(fb_json* json, const char* key, const double* x, int count) {
  fb_json_key(json, key);
  fb_json_numbers(json, x, count);
}

void fb_json_put_matrix(fb_json* json, const char* key, const double* x, int rows, int cols) {
  fb_json_key(json, key);
  fb_json_matrix(json, x, rows, cols);
}
