/* xml.c -- expat's events gathered into flat arrays of elements, attributes and characters. */
#include "format/urdf/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/urdf/xml_impl.h"

/* --- growing --- */

/* Keeps a copy of text and gives its offset in the characters. */
static int keep_text(fb_xml* xml, const char* text, size_t* offset) {
  size_t size = strlen(text) + 1;
  if (!fb_grow(&xml->chars, xml->nchar, size, &xml->char_room, 1)) return 0;
  memcpy(xml->chars + xml->nchar, text, size);
  *offset = xml->nchar;
  xml->nchar += size;
  return 1;
}

static int keep_attribute(fb_xml* xml, const char* name, const char* value) {
  if (!fb_grow(&xml->attributes, xml->nattribute, 1, &xml->attribute_room, sizeof(xml_attribute))) return 0;
  xml_attribute* a = &xml->attributes[xml->nattribute];
  if (!keep_text(xml, name, &a->name) || !keep_text(xml, value, &a->value)) return 0;
  xml->nattribute++;
  return 1;
}

static int keep_element(fb_xml* xml, const char* name, const char** attributes, fb_place place) {
  if (xml->nelement >= INT_MAX) return 0;
  if (!fb_grow(&xml->elements, xml->nelement, 1, &xml->element_room, sizeof(xml_element))) return 0;
  int id = (int)xml->nelement;
  xml_element* e = &xml->elements[id];
  *e = (xml_element){.parent = xml->current,
                     .first = FB_XML_NONE,
                     .last = FB_XML_NONE,
                     .next = FB_XML_NONE,
                     .attribute = xml->nattribute,
                     .place = place};
  if (!keep_text(xml, name, &e->name)) return 0;
  for (; attributes[0]; attributes += 2) {
    if (!keep_attribute(xml, attributes[0], attributes[1])) return 0;
    e->nattribute++;
  }
  if (e->parent != FB_XML_NONE) {
    xml_element* parent = &xml->elements[e->parent];
    if (parent->last != FB_XML_NONE)
      xml->elements[parent->last].next = id;
    else
      parent->first = id;
    parent->last = id;
  }
  xml->current = id;
  xml->nelement++;
  return 1;
}

/* --- expat's events --- */

typedef struct parse_state {
  fb_xml* xml;
  XML_Parser parser;
  fb_status status; /* why we stopped the parser ourselves, or FB_OK */
} parse_state;

static fb_place place_now(XML_Parser parser) {
  XML_Size line = XML_GetCurrentLineNumber(parser), column = XML_GetCurrentColumnNumber(parser) + 1;
  fb_place place = {line > INT_MAX ? INT_MAX : (int)line, column > INT_MAX ? INT_MAX : (int)column};
  return place;
}

static void stop(parse_state* s, fb_status status) {
  if (!s->status) s->status = status;
  XML_StopParser(s->parser, XML_FALSE);
}

static void XMLCALL on_start(void* user, const XML_Char* name, const XML_Char** attributes) {
  parse_state* s = (parse_state*)user;
  if (s->status) return;
  if (!keep_element(s->xml, name, attributes, place_now(s->parser))) stop(s, FB_ERR_MEMORY);
}

static void XMLCALL on_end(void* user, const XML_Char* name) {
  parse_state* s = (parse_state*)user;
  (void)name;
  if (!s->status) s->xml->current = s->xml->elements[s->xml->current].parent;
}

static void XMLCALL on_doctype(void* user, const XML_Char* name, const XML_Char* system_id,
                               const XML_Char* public_id, int has_internal_subset) {
  (void)name, (void)system_id, (void)public_id, (void)has_internal_subset;
  stop((parse_state*)user, FB_ERR_UNSUPPORTED);
}

/* Why the parser stopped: for a reason of ours, for want of memory, or at what is no XML. */
static fb_status reason(const parse_state* s) {
  if (s->status) return s->status;
  return XML_GetErrorCode(s->parser) == XML_ERROR_NO_MEMORY ? FB_ERR_MEMORY : FB_ERR_SYNTAX;
}

static fb_status report(const parse_state* s, const char* name, fb_error* error) {
  fb_status status = reason(s);
  if (status == FB_ERR_MEMORY)
    fb_fail(error, status, "out of memory while the XML was read");
  else if (status == FB_ERR_UNSUPPORTED)
    fb_fail(error, status,
            "a document type declaration (<!DOCTYPE ...>) is refused, because its entities can grow without "
            "bound. Delete it: URDF needs none.");
  else
    fb_fail(error, status, "this is not well-formed XML: %s", XML_ErrorString(XML_GetErrorCode(s->parser)));
  fb_error_set_place(error, name, NULL, place_now(s->parser));
  return status;
}

static fb_status feed(parse_state* s, const char* text, size_t size, const char* name, fb_error* error) {
  enum { CHUNK = 1 << 24 };
  do {
    int n = size > CHUNK ? CHUNK : (int)size;
    int last = (size_t)n == size;
    if (XML_Parse(s->parser, text, n, last) != XML_STATUS_OK) return report(s, name, error);
    text += n;
    size -= (size_t)n;
  } while (size > 0);
  return FB_OK;
}

fb_status fb_xml_parse(const char* text, size_t size, const char* name, fb_xml** out, fb_error* error) {
  *out = NULL;
  fb_xml* xml = calloc(1, sizeof *xml);
  XML_Parser parser = XML_ParserCreate(NULL);
  int failed = !xml || !parser;
  if (xml) {
    xml->current = FB_XML_NONE;
    failed |= !keep_text(xml, name ? name : "", &xml->file);
  }
  fb_status status = FB_ERR_MEMORY;
  if (failed) {
    fb_fail(error, status, "out of memory while the XML was read");
  } else {
    parse_state s = {.xml = xml, .parser = parser};
    XML_SetUserData(parser, &s);
    XML_SetElementHandler(parser, on_start, on_end);
    XML_SetStartDoctypeDeclHandler(parser, on_doctype);
    status = feed(&s, text, size, name, error);
  }
  if (parser) XML_ParserFree(parser);
  if (status) {
    fb_xml_free(xml);
    return status;
  }
  *out = xml;
  return FB_OK;
}

void fb_xml_free(fb_xml* xml) {
  if (!xml) return;
  free(xml->elements);
  free(xml->attributes);
  free(xml->chars);
  free(xml);
}

/* --- elements --- */

int fb_xml_first(const fb_xml* xml, int element) {
  return xml->elements[element].first;
}

int fb_xml_next(const fb_xml* xml, int element) {
  return xml->elements[element].next;
}

int fb_xml_count(const fb_xml* xml) {
  return (int)xml->nelement;
}

int fb_xml_parent(const fb_xml* xml, int element) {
  return xml->elements[element].parent;
}

const char* fb_xml_name(const fb_xml* xml, int element) {
  return xml->chars + xml->elements[element].name;
}

fb_place fb_xml_place(const fb_xml* xml, int element) {
  return xml->elements[element].place;
}

fb_status fb_xml_child(const fb_xml* xml, int element, const char* name, int* child, fb_error* error) {
  *child = FB_XML_NONE;
  for (int e = fb_xml_first(xml, element); e != FB_XML_NONE; e = fb_xml_next(xml, e)) {
    if (strcmp(fb_xml_name(xml, e), name) != 0) continue;
    if (*child != FB_XML_NONE)
      return fb_xml_fail(xml, e, error, FB_ERR_CONTENT,
                         "<%s> may contain only one <%s>; there is another at line %d. Delete one of them.",
                         fb_xml_name(xml, element), name, fb_xml_place(xml, *child).line);
    *child = e;
  }
  return FB_OK;
}

fb_status fb_xml_need_child(const fb_xml* xml, int element, const char* name, int* child, fb_error* error) {
  fb_status status = fb_xml_child(xml, element, name, child, error);
  if (status || *child != FB_XML_NONE) return status;
  return fb_xml_fail(xml, element, error, FB_ERR_CONTENT, "<%s> needs the element <%s>; there is none",
                     fb_xml_name(xml, element), name);
}

/* --- failing --- */

/* The last three steps of the element's path, as joint[elbow].limit. */
static void write_path(const fb_xml* xml, int element, char* path, size_t size) {
  enum { STEPS = 3 };
  int steps[STEPS], n = 0;
  for (int e = element; e != FB_XML_NONE && n < STEPS; e = xml->elements[e].parent)
    if (e != 0 || n == 0) steps[n++] = e;
  size_t used = 0;
  path[0] = 0;
  while (n-- > 0 && used < size) {
    const char* name = fb_xml_attribute(xml, steps[n], "name");
    int wrote = snprintf(path + used, size - used, "%s%s%s%s%s", used ? "." : "", fb_xml_name(xml, steps[n]),
                         name ? "[" : "", name ? name : "", name ? "]" : "");
    used += wrote > 0 ? (size_t)wrote : 0;
  }
}

fb_status fb_xml_fail(const fb_xml* xml, int element, fb_error* error, fb_status status, const char* format,
                      ...) {
  if (!error) return status;
  char text[sizeof error->text], path[sizeof error->path];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  write_path(xml, element, path, sizeof path);
  fb_fail(error, status, "%s", text);
  fb_error_set_place(error, xml->chars + xml->file, path, fb_xml_place(xml, element));
  return status;
}
