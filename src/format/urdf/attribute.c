/* attribute.c -- attributes of XML elements, as text and as lists of numbers. */
#include <math.h>
#include <string.h>

#include <freebody/text.h>
#include <freebody/words.h>

#include "format/urdf/xml_impl.h"

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

static int is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next token of the list into token[TOKEN_MAX] (cut when longer); NULL at the end. */
static const char* next_token(const char* s, char token[TOKEN_MAX]) {
  while (is_space(*s)) s++;
  if (!*s) return NULL;
  size_t n = 0;
  for (; *s && !is_space(*s); s++)
    if (n < TOKEN_MAX - 1) token[n++] = *s;
  token[n] = 0;
  return s;
}

static fb_status bad_number(const fb_xml* xml, int element, const char* name, const char* token,
                            fb_error* error) {
  if (strstr(token, "${") || strstr(token, "$("))
    return fb_xml_fail(
        xml, element, error, FB_ERR_UNSUPPORTED,
        "%s=\"%s\" is a xacro expression. Run xacro first (xacro robot.xacro > robot.urdf) and "
        "give its result.",
        name, token);
  return fb_xml_fail(xml, element, error, FB_ERR_CONTENT,
                     "attribute '%s' of <%s> is '%s', which is not a number", name, fb_xml_name(xml, element),
                     token);
}

static fb_status read_token(const fb_xml* xml, int element, const char* name, const char* token, int infinite,
                            double* out, fb_error* error) {
  if (infinite && (strcmp(token, "inf") == 0 || strcmp(token, "-inf") == 0)) {
    *out = token[0] == '-' ? -INFINITY : INFINITY;
    return FB_OK;
  }
  const char* end = fb_number_parse(token, out);
  if (!end || *end) return bad_number(xml, element, name, token, error);
  if (isfinite(*out)) return FB_OK;
  return fb_xml_fail(xml, element, error, FB_ERR_NOT_FINITE,
                     "attribute '%s' of <%s> contains %s, which is too large for a double", name,
                     fb_xml_name(xml, element), token);
}

static fb_status read_list(const fb_xml* xml, int element, const char* name, int count, int infinite,
                           double* out, fb_error* error) {
  const char* text = fb_xml_attribute(xml, element, name);
  if (!text) return FB_OK;
  char token[TOKEN_MAX];
  int found = 0;
  for (const char* s = text; (s = next_token(s, token)) != NULL; found++) {
    double x;
    fb_status status = read_token(xml, element, name, token, infinite, &x, error);
    if (status) return status;
    if (found < count) out[found] = x;
  }
  if (found == count) return FB_OK;
  return fb_xml_fail(xml, element, error, FB_ERR_CONTENT,
                     "attribute '%s' of <%s> needs %d number%s, but has %d: \"%.80s\"", name,
                     fb_xml_name(xml, element), count, count == 1 ? "" : "s", found, text);
}

fb_status fb_xml_numbers(const fb_xml* xml, int element, const char* name, int count, double* out,
                         fb_error* error) {
  return read_list(xml, element, name, count, 0, out, error);
}

fb_status fb_xml_limits(const fb_xml* xml, int element, const char* name, int count, double* out,
                        fb_error* error) {
  return read_list(xml, element, name, count, 1, out, error);
}

fb_status fb_xml_need_number(const fb_xml* xml, int element, const char* name, double* out, fb_error* error) {
  const char* text;
  fb_status status = fb_xml_need_attribute(xml, element, name, &text, error);
  return status ? status : read_list(xml, element, name, 1, 0, out, error);
}
