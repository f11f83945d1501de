/* complaint.c -- translates libyaml's error messages. See document/yaml.h.
 *
 * libyaml 0.2.5 has some thirty complaints, each a problem with its mark and often a context with another. The table
 * gives each a sentence with advice. Some depend on what is in the file at the mark: a ':' or a bracket where none
 * is allowed, and a character that begins nothing. */
#include "document/yaml.h"
#include "text/check.h"

#include <stdio.h>
#include <string.h>

#include <freebody/support/text.h>

typedef enum pointer { AT_PROBLEM, AT_CONTEXT } pointer;

typedef struct row {
  const char *context, *problem; /* parts of libyaml's texts; "" any */
  pointer at;
  const char* text;
  const char* opened; /* what the context's mark is the beginning of; NULL: it is not reported */
} row;

#define TAB "a tab character is not allowed here; indent with spaces"
#define TAG "tags (words that begin with !) are not used here; leave it out, or put the value in quotes"
#define DIRECTIVE \
  "a line that begins with % is a directive of YAML, and this one cannot be used; leave it out"
#define NO_KEY "this key has no ': ' after it; is a colon missing after a key, or the space after a colon?"

static const row ROWS[] = {
    {"", "could not find expected ':'", AT_CONTEXT, NO_KEY, NULL},
    {"", "block sequence entries are not allowed", AT_PROBLEM,
     "an item of a list ('- ') is not allowed here; begin the list on a line of its own, or write [a, b]",
     NULL},
    {"", "mapping keys are not allowed", AT_PROBLEM,
     "a key ('? ') is not allowed here; begin the map on a line of its own, or write {key: value}", NULL},
    {"", "found unexpected ':'", AT_PROBLEM,
     "this ':' needs a space after it, or quotes around the text it is in", NULL},
    {"", "found a tab character", AT_PROBLEM, TAB, NULL},
    {"a quoted scalar", "found unexpected end of stream", AT_CONTEXT,
     "this quote is never closed; is the closing quote missing?", NULL},
    {"a quoted scalar", "found unexpected document indicator", AT_CONTEXT,
     "the text in quotes has a line that begins with --- or ...; is the closing quote missing?", NULL},
    {"", "found unknown escape character", AT_PROBLEM,
     "there is no such escape; in double quotes a backslash is written \\\\", NULL},
    {"a quoted scalar", "did not find expected hexdecimal number", AT_PROBLEM,
     "hexadecimal digits are expected here: 2 after \\x, 4 after \\u, 8 after \\U", NULL},
    {"", "found invalid Unicode character escape", AT_PROBLEM,
     "this escape is no character, or half of a pair; write the character itself, in UTF-8", NULL},
    {"a block scalar", "indentation indicator equal to 0", AT_PROBLEM,
     "the digit after | or > is how far its lines are indented, 1 to 9; leave it out", NULL},
    {"a block scalar", "did not find expected comment or line break", AT_PROBLEM,
     "the text after | or > begins on the next line; a value that begins with | or > needs quotes", NULL},
    {"an anchor", "", AT_CONTEXT, "a value cannot begin with '&'; put the value in quotes", NULL},
    {"an alias", "", AT_CONTEXT, "a value cannot begin with '*'; put the value in quotes", NULL},
    {"directive", "", AT_CONTEXT, DIRECTIVE, NULL},
    {"a tag", "", AT_CONTEXT, TAG, NULL},
    {"", "found undefined tag handle", AT_PROBLEM, TAG, NULL},
    {"", "found duplicate %", AT_PROBLEM, DIRECTIVE, NULL},
    {"", "found incompatible YAML document", AT_PROBLEM, DIRECTIVE, NULL},
    {"", "did not find expected node content", AT_PROBLEM,
     "a value is expected here; is a value missing, or a comma too many?", NULL},
    {"", "did not find expected <document start>", AT_PROBLEM,
     "the document is complete before this place; is a bracket closed too early, or this line indented less "
     "than the first?",
     NULL},
    {"", "did not find expected key", AT_PROBLEM,
     "a key is expected here; keys of one map begin in the same column, and quotes go around a whole value",
     "map"},
    {"", "did not find expected '-' indicator", AT_PROBLEM,
     "an item of a list is expected here; items begin with '- ' in the same column, and the keys of an item "
     "in the column of its first key",
     "list"},
    {"", "did not find expected ',' or ']'", AT_PROBLEM, "a comma or the closing bracket ']' is missing",
     "list"},
    {"", "did not find expected ',' or '}'", AT_PROBLEM, "a comma or the closing brace '}' is missing",
     "map"},
};

fb_place fb_yaml_place(yaml_mark_t mark) {
  return (fb_place){(int)mark.line + 1, (int)mark.column + 1}; /* the text's size is far below INT_MAX */
}

static const row* find_row(const yaml_parser_t* parser) {
  const char* context = parser->context ? parser->context : "";
  for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
    if (strstr(context, ROWS[i].context) && strstr(parser->problem, ROWS[i].problem)) return &ROWS[i];
  return NULL;
}

/* Where the mark is in the text, which ends with a zero; marks count characters. */
static const char* at_mark(yaml_mark_t mark, const char* text, size_t size) {
  const char* end = text + size;
  for (size_t i = 0; i < mark.index && text < end; i++) text += fb_utf8_length(text, (size_t)(end - text));
  return text;
}

/* Nonzero when the line has a ": " before `at`. */
static int has_colon_before(const char* at, const char* text) {
  for (const char* p = at; p - text >= 2 && p[-1] != '\n' && p[-1] != '\r'; p--)
    if (p[-2] == ':' && (p[-1] == ' ' || p[-1] == '\t')) return 1;
  return 0;
}

static void on_colon(const char* at, const char* text, char* message, size_t room) {
  snprintf(message, room, "%s",
           has_colon_before(at, text)
               ? "a second ': ' on one line is not allowed; a value with ': ' in it needs quotes"
               : "a ':' is not allowed here, after a value; keys of one map begin in the same column; is a "
                 "colon missing after a key, or the space after a colon?");
}

/* A bracket that closes nothing, where a key or the end was expected. */
static int on_bracket(const char* at, const yaml_parser_t* parser, char* message, size_t room) {
  int expected =
      strstr(parser->problem, "expected key") || strstr(parser->problem, "expected <document start>");
  if (!expected || (*at != ']' && *at != '}')) return 0;
  snprintf(message, room, "no open bracket belongs to this '%c'; leave it out", *at);
  return 1;
}

/* Nonzero when nothing but blanks and line ends follows. */
static int is_at_end(const char* at, const char* text, size_t size) {
  while (at < text + size && strchr(" \t\r\n", *at)) at++;
  return at == text + size;
}

/* The end of the last line that is not empty. */
static fb_place end_of(const char* text, size_t size) {
  while (size > 0 && (text[size - 1] == '\n' || text[size - 1] == '\r')) size--;
  return fb_text_place(text, size);
}

static fb_place put_row(const row* found, const yaml_parser_t* parser, const char* at, char* message,
                        size_t room) {
  fb_place opened = fb_yaml_place(parser->context_mark);
  int n = snprintf(message, room, "%s", found->text);
  if (found->opened)
    n += snprintf(message + n, room - (size_t)n, " (the %s begins in line %d, column %d)", found->opened,
                  opened.line, opened.column);
  if (*at == ':' && strstr(parser->problem, "',' or '}'"))
    snprintf(message + n, room - (size_t)n, "; a key and its ':' belong on one line");
  return found->at == AT_CONTEXT ? opened : fb_yaml_place(parser->problem_mark);
}

fb_place fb_yaml_complaint(const yaml_parser_t* parser, const char* text, size_t size, const fb_node* open,
                           char* message, size_t room) {
  const char* at = at_mark(parser->problem_mark, text, size);
  int ended = is_at_end(at, text, size);
  if (ended && open && parser->error == YAML_PARSER_ERROR) {
    fb_place began = fb_node_place(open);
    int is_list = fb_node_get_kind(open) == FB_NODE_LIST;
    snprintf(message, room,
             "the file ends inside the %s that begins in line %d, column %d; is its closing '%c' missing?",
             is_list ? "list" : "map", began.line, began.column, is_list ? ']' : '}');
    return end_of(text, size);
  }
  if (!ended && on_bracket(at, parser, message, room)) return fb_yaml_place(parser->problem_mark);
  const row* found = find_row(parser);
  if (found) return put_row(found, parser, at, message, room);
  if (strstr(parser->problem, "mapping values are not allowed"))
    on_colon(at, text, message, room);
  else if (*at == '\t' && strstr(parser->problem, "cannot start any token"))
    snprintf(message, room, TAB);
  else if (*at && strstr(parser->problem, "cannot start any token"))
    snprintf(message, room, "a value cannot begin with '%c'; put the value in quotes", *at);
  else
    snprintf(message, room, "%s", parser->problem);
  return fb_yaml_place(parser->problem_mark);
}
