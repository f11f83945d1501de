/* read.c -- typed reads of document nodes: each says what was expected and what was found. */
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <freebody/support/text.h>
#include <freebody/support/words.h>

#include "document/document.h"
#include "text/number.h"

enum { UNIT_TEXT = 128 };

static int is_bool_word(const char* text) {
  static const char* const words[] = {"true", "false", "True", "False", "TRUE", "FALSE"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(text, words[i]) == 0) return 1;
  return 0;
}

fb_scalar_kind fb_node_scalar_kind(const fb_node* scalar) {
  if (fb_node_get_kind(scalar) != FB_NODE_SCALAR || fb_node_is_quoted(scalar)) return FB_SCALAR_TEXT;
  const char* text = fb_node_text(scalar);
  double x;
  const char* rest = fb_number_parse(text, &x);
  if (rest && *rest == '\0') return FB_SCALAR_NUMBER;
  if (fb_number_is_not_finite(text)) return FB_SCALAR_NOT_FINITE;
  return is_bool_word(text) ? FB_SCALAR_BOOL : FB_SCALAR_TEXT;
}

char* fb_node_describe(const fb_node* node, char buffer[80]) {
  static const char* const kinds[] = {"the text", "the number", "the number", "the truth value"};
  const char* text = fb_node_text(node);
  size_t room = 80;
  switch (fb_node_get_kind(node)) {
    case FB_NODE_NULL:
      snprintf(buffer, room, "nothing");
      break;
    case FB_NODE_LIST:
      snprintf(buffer, room, "a list of %d", fb_node_count(node));
      break;
    case FB_NODE_MAP:
      snprintf(buffer, room, "a map of %d key%s", fb_node_count(node), fb_node_count(node) == 1 ? "" : "s");
      break;
    default:
      snprintf(buffer, room, "%s '%.40s%s'", kinds[fb_node_scalar_kind(node)], text,
               strlen(text) > 40 ? "..." : "");
  }
  return buffer;
}

fb_status fb_node_unexpected(const fb_node* node, fb_error* error, const char* format, ...) {
  char expected[sizeof error->text], found[80];
  va_list args;
  va_start(args, format);
  vsnprintf(expected, sizeof expected, format, args);
  va_end(args);
  return fb_node_fail(node, error, FB_ERR_CONTENT, "%s, but found %s", expected,
                      fb_node_describe(node, found));
}

fb_status fb_node_need_list(const fb_node* node, const char* what, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_LIST) return FB_OK;
  return fb_node_unexpected(node, error, "expected a list of %s", what);
}

fb_status fb_node_need_map(const fb_node* node, const char* what, fb_error* error) {
  return fb_node_get_kind(node) == FB_NODE_MAP ? FB_OK : fb_node_unexpected(node, error, "expected %s", what);
}

/* "a number", or "a mass, as 3 or '3 kg'". */
static const char* expected_number(fb_quantity quantity, char buffer[UNIT_TEXT]) {
  char units[96];
  fb_quantity_units(quantity, units, sizeof units);
  size_t first = strcspn(units, ",");
  if (first == 0) return "a number";
  snprintf(buffer, UNIT_TEXT, "%s, as 3 or '3 %.*s'", fb_quantity_name(quantity), (int)first, units);
  return buffer;
}

static fb_status wrong_unit(const fb_node* node, fb_quantity quantity, const char* unit, fb_error* error) {
  char units[UNIT_TEXT];
  const char* text = fb_node_text(node);
  if (quantity == FB_Q_NONE)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "a plain number is expected here, without '%.40s'",
                        unit);
  fb_quantity_units(quantity, units, sizeof units);
  fb_quantity other = fb_unit_quantity(unit);
  if (other != FB_Q_NONE)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "'%.60s' is %s, but %s is expected; its units are %s",
                        text, fb_quantity_name(other), fb_quantity_name(quantity), units);
  return fb_node_fail(node, error, FB_ERR_CONTENT, "'%.40s' is not a unit of %s; those are %s", unit,
                      fb_quantity_name(quantity), units);
}

static fb_status not_a_number(const fb_node* node, fb_quantity quantity, fb_error* error) {
  char expected[UNIT_TEXT];
  return fb_node_unexpected(node, error, "expected %s", expected_number(quantity, expected));
}

fb_status fb_node_number(const fb_node* node, fb_quantity quantity, double* out, fb_error* error) {
  const char* text = fb_node_text(node);
  if (fb_node_get_kind(node) != FB_NODE_SCALAR) return not_a_number(node, quantity, error);
  if (fb_number_is_not_finite(text))
    return fb_node_fail(node, error, FB_ERR_NOT_FINITE, "'%.20s' is not finite; every number here must be",
                        text);
  double x;
  const char* rest = fb_number_parse(text, &x);
  if (!rest) return not_a_number(node, quantity, error);
  if (*rest == '\0' && fb_node_is_quoted(node))
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "'%.40s' is text because of its quotes; write %.40s without quotes, or add a unit",
                        text, text);
  while (*rest == ' ') rest++;
  if (*rest && ((*rest >= '0' && *rest <= '9') || *rest == '.' || *rest == '_' || *rest == ','))
    return not_a_number(node, quantity, error);
  if (*rest && !fb_unit_apply(quantity, rest, &x)) return wrong_unit(node, quantity, rest, error);
  if (!isfinite(x))
    return fb_node_fail(node, error, FB_ERR_NOT_FINITE, "%.40s is too large for a double (1.8e308 at most)",
                        text);
  *out = x;
  return FB_OK;
}

static fb_status need_list(const fb_node* node, int count, const char* what, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_LIST && fb_node_count(node) == count) return FB_OK;
  return fb_node_unexpected(node, error, "expected a list of %d %s", count, what);
}

fb_status fb_node_numbers(const fb_node* node, fb_quantity quantity, int count, double* out,
                          fb_error* error) {
  fb_status status = need_list(node, count, count == 1 ? "number" : "numbers", error);
  for (int i = 0; i < count && !status; i++)
    status = fb_node_number(fb_node_item(node, i), quantity, &out[i], error);
  return status;
}

fb_status fb_node_matrix(const fb_node* node, int rows, int cols, double* out, fb_error* error) {
  char what[48];
  snprintf(what, sizeof what, "rows of %d numbers", cols);
  fb_status status = need_list(node, rows, what, error);
  for (int i = 0; i < rows && !status; i++)
    status = fb_node_numbers(fb_node_item(node, i), FB_Q_NONE, cols, out + (size_t)i * (size_t)cols, error);
  return status;
}

fb_status fb_node_scale(const fb_node* node, double scale[3], fb_error* error) {
  fb_status status;
  if (fb_node_get_kind(node) == FB_NODE_LIST) {
    status = fb_node_numbers(node, FB_Q_NONE, 3, scale, error);
  } else {
    status = fb_node_number(node, FB_Q_NONE, &scale[0], error);
    scale[1] = scale[2] = scale[0];
  }
  if (status || (scale[0] != 0 && scale[1] != 0 && scale[2] != 0)) return status;
  return fb_node_fail(node, error, FB_ERR_CONTENT, "the scale has a zero, which would flatten the mesh");
}

fb_status fb_node_int(const fb_node* node, int* out, fb_error* error) {
  double x;
  if (fb_node_scalar_kind(node) != FB_SCALAR_NUMBER)
    return fb_node_unexpected(node, error, "expected a whole number");
  fb_number_parse(fb_node_text(node), &x);
  if (!(x == floor(x) && fabs(x) <= INT_MAX))
    return fb_node_unexpected(node, error, "expected a whole number of at most %d", INT_MAX);
  *out = (int)x;
  return FB_OK;
}

fb_status fb_node_string(const fb_node* node, const char** out, fb_error* error) {
  char found[80];
  fb_node_kind kind = fb_node_get_kind(node);
  if (kind != FB_NODE_SCALAR) return fb_node_unexpected(node, error, "expected text");
  if (fb_node_scalar_kind(node) != FB_SCALAR_TEXT)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "expected text, but found %s; put it in quotes if it is meant as text",
                        fb_node_describe(node, found));
  *out = fb_node_text(node);
  return FB_OK;
}

fb_status fb_node_bool(const fb_node* node, int* out, fb_error* error) {
  if (fb_node_scalar_kind(node) != FB_SCALAR_BOOL)
    return fb_node_unexpected(node, error, "expected true or false");
  char first = fb_node_text(node)[0];
  *out = first == 't' || first == 'T';
  return FB_OK;
}

fb_status fb_map_check_keys(const fb_node* map, const char* const* known, fb_error* error) {
  if (fb_node_get_kind(map) != FB_NODE_MAP)
    return fb_node_unexpected(map, error, "expected a map of keys and values");
  for (int i = 0; i < fb_node_count(map); i++) {
    const char* key = fb_map_key(map, i);
    int k = 0;
    while (known[k] && strcmp(known[k], key) != 0) k++;
    if (known[k]) continue;
    char near[FB_SUGGESTION_SIZE];
    return fb_map_key_fail(map, i, error, FB_ERR_CONTENT, "the key '%.60s' is not known here%s", key,
                           fb_suggestion_or_list(key, known, "the keys are:", near));
  }
  return FB_OK;
}

fb_status fb_map_need(const fb_node* map, const char* key, const fb_node** out, fb_error* error) {
  if (fb_node_get_kind(map) != FB_NODE_MAP)
    return fb_node_unexpected(map, error, "expected a map with the key '%s'", key);
  *out = fb_map_get(map, key);
  if (*out) return FB_OK;
  return fb_node_fail(map, error, FB_ERR_CONTENT, "the key '%s' is missing; add it", key);
}
