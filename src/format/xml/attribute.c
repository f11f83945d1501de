/* attribute.c -- attributes of XML elements, as text and as lists of numbers. */
#include <math.h>
#include <string.h>

#include <freebody/support/text.h>
#include <freebody/support/words.h>

#include "format/xml/xml_impl.h"
#include "text/number.h"

enum { TOKEN_MAX = 128 };

int fb_xml_attribute_count(const fb_xml* xml, int element) {
  return (int)xml->elements[element].nattribute;
}

const char* fb_xml_attribute_name(const fb_xml* xml, int element, int index) {
  return xml->chars + xml->attributes[xml->elements[element].attribute + (size_t)index].name;
}

const char* fb_xml_attribute(const fb_xml* xml, int element, const char* name) {
  const xml_element* e = &xml->elements[element];
  for (size_t i = 0; i < e->nattribute; i++) {
    const xml_attribute* a = &xml->attributes[e->attribute + i];
    if (strcmp(xml->chars + a->name, name) == 0) return xml->chars + a->value;
  }
  return NULL;
}

fb_status fb_xml_need_attribute(const fb_xml* xml, int element, const char* name, const char** value,
                                fb_error* error) {
  *value = fb_xml_attribute(xml, element, name);
  if (*value) return FB_OK;
  return fb_xml_fail(xml, element, error, FB_ERR_CONTENT, "<%s> needs the attribute %s=\"...\"",
                     fb_xml_name(xml, element), name);
}

fb_status fb_xml_check_attributes(const fb_xml* xml, int element, const char* const* known, fb_error* error) {
  const xml_element* e = &xml->elements[element];
  for (size_t i = 0; i < e->nattribute; i++) {
    const char* name = xml->chars + xml->attributes[e->attribute + i].name;
    int found = 0;
    for (int k = 0; known[k] && !found; k++) found = strcmp(name, known[k]) == 0;
    if (found) continue;
    char near[FB_SUGGESTION_SIZE];
    return fb_xml_fail(xml, element, error, FB_ERR_CONTENT, "<%s> knows no attribute '%s'%s",
                       fb_xml_name(xml, element), name, fb_suggestion(name, known, near));
  }
  return FB_OK;
}

/* --- numbers --- */

/* The next token of the list into token[TOKEN_MAX] (cut when longer); NULL at the end. A comma separates too, and is
 * counted. */
static const char* next_token(const char* s, char token[TOKEN_MAX], int* commas) {
  for (; fb_xml_is_blank(*s) || *s == ','; s++) *commas += *s == ',';
  if (!*s) return NULL;
  size_t n = 0;
  for (; *s && !fb_xml_is_blank(*s) && *s != ','; s++)
    if (n < TOKEN_MAX - 1) token[n++] = *s;
  token[n] = 0;
  return s;
}

static fb_status bad_number(const fb_xml* xml, int element, const char* name, const char* token,
                            fb_error* error) {
  if (strstr(token, "${") || strstr(token, "$("))
    return fb_xml_fail(xml, element, error, FB_ERR_UNSUPPORTED,
                       "%s=\"%s\" is a xacro expression. Run xacro first (xacro robot.xacro > robot.urdf) "
                       "and give its result.",
                       name, token);
  return fb_xml_fail(xml, element, error, FB_ERR_CONTENT,
                     "attribute '%s' of <%s> is '%s', which is not a number", name, fb_xml_name(xml, element),
                     token);
}

static fb_status read_token(const fb_xml* xml, int element, const char* name, const char* token, int infinite,
                            double* out, fb_error* error) {
  if (infinite && fb_number_is_not_finite(token)) {
    *out = strpbrk(token, "aA") ? NAN : token[0] == '-' ? -INFINITY : INFINITY;
    return FB_OK;
  }
  const char* end = fb_number_parse(token, out);
  if (!end || *end) return bad_number(xml, element, name, token, error);
  if (isfinite(*out) || infinite) return FB_OK;
  return fb_xml_fail(xml, element, error, FB_ERR_NOT_FINITE,
                     "attribute '%s' of <%s> contains %s, which is too large for a double", name,
                     fb_xml_name(xml, element), token);
}

int fb_xml_number_count(const fb_xml* xml, int element, const char* name) {
  char token[TOKEN_MAX];
  int count = 0, commas = 0;
  const char* s = fb_xml_attribute(xml, element, name);
  while (s && (s = next_token(s, token, &commas)) != NULL) count++;
  return count;
}

static void count_odd(int* count, int* line, fb_place place) {
  if (!(*count)++) *line = place.line;
}

static fb_status read_list(fb_xml* xml, int element, const char* name, int count, int infinite, double* out,
                           fb_error* error) {
  const char* text = fb_xml_attribute(xml, element, name);
  int all = fb_xml_number_count(xml, element, name), commas = 0;
  if (all == 0) return FB_OK;
  char token[TOKEN_MAX];
  const char* s = text;
  /* "1,5" for a single number is 1.5 to some, so commas separate lists alone. */
  if (all < count || (count <= 1 && all > count))
    return strchr(text, ',') && count == 1
               ? bad_number(xml, element, name, text, error)
               : fb_xml_fail(xml, element, error, FB_ERR_CONTENT,
                             "attribute '%s' of <%s> needs %d number%s, but has %d: \"%.80s\"", name,
                             fb_xml_name(xml, element), count, count == 1 ? "" : "s", all, text);
  for (int i = 0; i < count; i++) {
    s = next_token(s, token, &commas);
    fb_status status = read_token(xml, element, name, token, infinite, &out[i], error);
    if (status) return status;
  }
  if (commas && all > count) return bad_number(xml, element, name, text, error);
  fb_xml_odd* odd = &xml->odd;
  if (commas) count_odd(&odd->commas, &odd->comma_line, fb_xml_place(xml, element));
  if (all > count) count_odd(&odd->extra, &odd->extra_line, fb_xml_place(xml, element));
  return FB_OK;
}

fb_status fb_xml_numbers(fb_xml* xml, int element, const char* name, int count, double* out,
                         fb_error* error) {
  return read_list(xml, element, name, count, 0, out, error);
}

fb_status fb_xml_limits(fb_xml* xml, int element, const char* name, int count, double* out, fb_error* error) {
  return read_list(xml, element, name, count, 1, out, error);
}

fb_status fb_xml_need_number(fb_xml* xml, int element, const char* name, double* out, fb_error* error) {
  const char* text;
  fb_status status = fb_xml_need_attribute(xml, element, name, &text, error);
  if (status) return status;
  if (fb_xml_number_count(xml, element, name) == 0) return bad_number(xml, element, name, text, error);
  return read_list(xml, element, name, 1, 0, out, error);
}
