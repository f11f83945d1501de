/* xml.c -- expat's events gathered into flat arrays of elements, attributes and characters. */
#include "format/xml/xml.h"

#include <expat.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "base/grow.h"
#include "format/xml/xml_impl.h"

/* --- growing --- */

/* Keeps a copy of text and gives its offset in the characters. */
int fb_xml_keep_text(fb_xml* xml, const char* text, size_t* offset) {
  size_t size = strlen(text) + 1;
  if (!fb_grow(&xml->chars, xml->nchar, size, &xml->char_room, 1)) return 0;
  memcpy(xml->chars + xml->nchar, text, size);
  *offset = xml->nchar;
  xml->nchar += size;
  return 1;
}

int fb_xml_keep_attribute(fb_xml* xml, const char* name, const char* value) {
  if (!fb_grow(&xml->attributes, xml->nattribute, 1, &xml->attribute_room, sizeof(xml_attribute))) return 0;
  xml_attribute* a = &xml->attributes[xml->nattribute];
  if (!fb_xml_keep_text(xml, name, &a->name) || !fb_xml_keep_text(xml, value, &a->value)) return 0;
  xml->nattribute++;
  return 1;
}

void fb_xml_hang_last(fb_xml* xml, int parent, int id) {
  xml_element* p = &xml->elements[parent];
  xml->elements[id].parent = parent;
  xml->elements[id].next = FB_XML_NONE;
  if (p->last != FB_XML_NONE)
    xml->elements[p->last].next = id;
  else
    p->first = id;
  p->last = id;
}

static int keep_element(fb_xml* xml, const char* name, const char** attributes, fb_place place) {
  if (!fb_grow(&xml->elements, xml->nelement, 1, &xml->element_room, sizeof(xml_element))) return 0;
  int id = (int)xml->nelement;
  xml_element* e = &xml->elements[id];
  *e = (xml_element){.parent = xml->current,
                     .first = FB_XML_NONE,
                     .last = FB_XML_NONE,
                     .next = FB_XML_NONE,
                     .attribute = xml->nattribute,
                     .file = xml->file,
                     .place = place};
  if (!fb_xml_keep_text(xml, name, &e->name)) return 0;
  for (; attributes[0]; attributes += 2) {
    if (!fb_xml_keep_attribute(xml, attributes[0], attributes[1])) return 0;
    e->nattribute++;
  }
  if (e->parent != FB_XML_NONE) fb_xml_hang_last(xml, e->parent, id);
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

static fb_place place_now(const parse_state* s) {
  XML_Size line = XML_GetCurrentLineNumber(s->parser) + (XML_Size)s->xml->before;
  XML_Size column = XML_GetCurrentColumnNumber(s->parser) + 1;
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
  if (s->xml->nelement >= s->xml->most) {
    stop(s, FB_ERR_ARG);
    return;
  }
  if (!keep_element(s->xml, name, attributes, place_now(s))) stop(s, FB_ERR_MEMORY);
}

static void XMLCALL on_end(void* user, const XML_Char* name) {
  parse_state* s = (parse_state*)user;
  (void)name;
  if (!s->status) s->xml->current = s->xml->elements[s->xml->current].parent;
}

/* Text goes behind the characters kept so far, and nothing comes between two parts of it but elements, behind which it
 * is not kept. */
static void XMLCALL on_text(void* user, const XML_Char* text, int length) {
  parse_state* s = (parse_state*)user;
  fb_xml* xml = s->xml;
  if (s->status || xml->current == FB_XML_NONE) return;
  xml_element* e = &xml->elements[xml->current];
  if (e->first != FB_XML_NONE) return;
  size_t more = (size_t)length;
  if (!fb_grow(&xml->chars, xml->nchar, more + 1, &xml->char_room, 1)) {
    stop(s, FB_ERR_MEMORY);
    return;
  }
  if (e->text)
    xml->nchar--; /* over the zero at its end */
  else
    e->text = xml->nchar;
  memcpy(xml->chars + xml->nchar, text, more);
  xml->nchar += more;
  xml->chars[xml->nchar++] = '\0';
}

/* Refused at its beginning: entities, and defaults of attributes, make far more of a file than it has bytes. */
static void XMLCALL on_document_type(void* user, const XML_Char* name, const XML_Char* system_id,
                                     const XML_Char* public_id, int has_subset) {
  (void)name, (void)system_id, (void)public_id, (void)has_subset;
  stop((parse_state*)user, FB_ERR_UNSUPPORTED);
}

/* An encoding that expat does not know: ASCII in all that matters, and other bytes as Latin-1 has them. */
static int XMLCALL on_encoding(void* user, const XML_Char* name, XML_Encoding* info) {
  fb_xml_odd* odd = &((parse_state*)user)->xml->odd;
  for (int i = 0; i < 256; i++) info->map[i] = i;
  info->data = NULL;
  info->convert = NULL;
  info->release = NULL;
  snprintf(odd->encoding, sizeof odd->encoding, "%s", name);
  return XML_STATUS_OK;
}

static fb_status report(const parse_state* s, const char* name, fb_error* error) {
  int no_memory = XML_GetErrorCode(s->parser) == XML_ERROR_NO_MEMORY;
  fb_status status = s->status ? s->status : no_memory ? FB_ERR_MEMORY : FB_ERR_SYNTAX;
  if (status == FB_ERR_MEMORY)
    fb_fail(error, status, "out of memory while the XML was read");
  else if (status == FB_ERR_ARG)
    fb_fail(error, status, "more than %zu elements", s->xml->most);
  else if (status == FB_ERR_UNSUPPORTED)
    fb_fail(error, status,
            "a document type (<!DOCTYPE ...>) is refused, because its entities and attributes can grow "
            "without bound. Delete it: no model needs one.");
  else
    fb_fail(error, status, "this is not well-formed XML: %s", XML_ErrorString(XML_GetErrorCode(s->parser)));
  fb_error_set_place(error, name, NULL, place_now(s));
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

/* --- the text --- */

/* Behind the byte order mark of UTF-8. */
static size_t skip_mark(const char* text, size_t size) {
  return size >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}

static int is_utf16(const char* text, size_t size) {
  return size >= 4 && (memcmp(text, "\xff\xfe<\0", 4) == 0 || memcmp(text, "\xfe\xff\0<", 4) == 0);
}

int fb_xml_starts(const char* text, size_t size) {
  size_t i = skip_mark(text, size);
  while (i < size && fb_xml_is_blank(text[i])) i++;
  return (i < size && text[i] == '<') || is_utf16(text, size);
}

/* Where a mark is in the text from `at` on, or the text's size. */
static size_t find_mark(const char* text, size_t size, size_t at, const char* mark) {
  size_t n = strlen(mark);
  while (at + n <= size && memcmp(text + at, mark, n) != 0) at++;
  return at + n <= size ? at : size;
}

static int count_lines(const char* text, size_t size) {
  int lines = 0;
  for (size_t i = 0; i < size; i++) lines += text[i] == '\n' && lines < INT_MAX / 2;
  return lines;
}

/* Where the XML declaration is when blanks or comments come before it; otherwise 0. */
static size_t find_late_declaration(const char* text, size_t size) {
  size_t start = skip_mark(text, size), i = start;
  for (;;) {
    while (i < size && fb_xml_is_blank(text[i])) i++;
    if (size - i < 7 || memcmp(text + i, "<!--", 4) != 0) break;
    i = find_mark(text, size, i + 4, "-->");
    if (i < size) i += 3;
  }
  return i > start && size - i > 6 && memcmp(text + i, "<?xml", 5) == 0 && fb_xml_is_blank(text[i + 5]) ? i
                                                                                                        : 0;
}

/* A copy in which no comment has "--", which XML forbids and other readers pass over; *line is that of the first. NULL when no
 * comment has, or when out of memory. */
static char* without_dashes(const char* text, size_t size, int* line) {
  char* copy = NULL;
  size_t i = 0;
  while ((i = find_mark(text, size, i, "<!")) < size) {
    int is_comment = size - i > 4 && memcmp(text + i + 2, "--", 2) == 0;
    int is_data = size - i > 9 && memcmp(text + i + 2, "[CDATA[", 7) == 0;
    size_t from = i + (is_comment ? 4 : 2);
    size_t end = is_comment || is_data ? find_mark(text, size, from, is_comment ? "-->" : "]]>") : from;
    if (is_comment && end < size && find_mark(text, end + 1, from, "--") <= end) {
      if (!copy) {
        copy = malloc(size);
        if (!copy) return NULL;
        memcpy(copy, text, size);
        *line = 1 + count_lines(text, i);
      }
      for (size_t k = from; k < end; k++)
        if (copy[k] == '-') copy[k] = ' ';
    }
    i = end;
  }
  return copy;
}

static int is_utf8(const char* text, size_t size) {
  for (size_t n; size > 0; text += n, size -= n)
    if ((n = fb_utf8_length(text, size)) == 0) return 0;
  return 1;
}

/* As `encoding`, or as the text declares when that is NULL. most: 0 for elements without their text. *code is expat's reason
 * for a failure. */
static fb_status parse_as(const char* text, size_t size, const char* name, const char* encoding, size_t most,
                          fb_xml** out, enum XML_Error* code, fb_error* error) {
  fb_xml* xml = calloc(1, sizeof *xml);
  XML_Parser parser = XML_ParserCreate(encoding);
  int failed = !xml || !parser;
  *code = XML_ERROR_NONE;
  if (xml) {
    xml->current = FB_XML_NONE;
    xml->most = most ? most : INT_MAX;
    failed |= !fb_xml_keep_text(xml, name ? name : "", &xml->file);
  }
  fb_status status = FB_ERR_MEMORY;
  if (failed) {
    fb_fail(error, status, "out of memory while the XML was read");
  } else {
    parse_state s = {.xml = xml, .parser = parser};
    size_t skip = find_late_declaration(text, size);
    xml->before = count_lines(text, skip);
    if (skip) xml->odd.declared_late = xml->before + 1;
    XML_SetUserData(parser, &s);
    XML_SetElementHandler(parser, on_start, on_end);
    if (most) XML_SetCharacterDataHandler(parser, on_text);
    XML_SetStartDoctypeDeclHandler(parser, on_document_type);
    XML_SetUnknownEncodingHandler(parser, on_encoding, &s);
    status = feed(&s, text + skip, size - skip, name, error);
    if (status) *code = XML_GetErrorCode(parser);
  }
  if (parser) XML_ParserFree(parser);
  if (status) {
    fb_xml_free(xml);
    xml = NULL;
  }
  *out = xml;
  return status;
}

/* Zeros after the end, which some programs write with a text. */
static size_t without_zeros(const char* text, size_t size) {
  size_t end = size;
  while (end > 0 && (text[end - 1] == '\0' || fb_xml_is_blank(text[end - 1]))) end--;
  return is_utf16(text, size) || !memchr(text + end, '\0', size - end) ? size : end;
}

/* What is declared as one encoding and written in another is read as what it is: UTF-8, or else Latin-1. */
static fb_status parse_declared(const char* text, size_t size, const char* name, size_t most, fb_xml** out,
                                fb_error* error) {
  enum XML_Error code, unused;
  fb_status status = parse_as(text, size, name, NULL, most, out, &code, error);
  if (status != FB_ERR_SYNTAX || is_utf16(text, size)) return status;
  int utf8 = is_utf8(text, size);
  if (utf8 && code != XML_ERROR_INCORRECT_ENCODING) return status;
  fb_error again;
  fb_status second = parse_as(text, size, name, utf8 ? "UTF-8" : "ISO-8859-1", most, out, &unused, &again);
  if (second) return status;
  (*out)->odd.not_utf8 = !utf8;
  return FB_OK;
}

fb_status fb_xml_parse_texts(const char* text, size_t size, const char* name, size_t most, fb_xml** out,
                             fb_error* error) {
  int line = 0;
  size = without_zeros(text, size);
  fb_status status = parse_declared(text, size, name, most, out, error);
  char* copy = status == FB_ERR_SYNTAX && !is_utf16(text, size) ? without_dashes(text, size, &line) : NULL;
  if (!copy) return status;
  status = parse_declared(copy, size, name, most, out, error);
  if (!status) (*out)->odd.dashes = line;
  free(copy);
  return status;
}

fb_status fb_xml_parse(const char* text, size_t size, const char* name, fb_xml** xml, fb_error* error) {
  return fb_xml_parse_texts(text, size, name, 0, xml, error);
}

fb_xml_odd* fb_xml_oddities(fb_xml* xml) {
  return &xml->odd;
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

const char* fb_xml_text(const fb_xml* xml, int element) {
  size_t text = xml->elements[element].text;
  return text ? xml->chars + text : "";
}

fb_place fb_xml_place(const fb_xml* xml, int element) {
  return xml->elements[element].place;
}

int fb_xml_child(const fb_xml* xml, int element, const char* name) {
  int e = fb_xml_first(xml, element);
  while (e != FB_XML_NONE && strcmp(fb_xml_name(xml, e), name) != 0) e = fb_xml_next(xml, e);
  return e;
}

fb_status fb_xml_need_child(const fb_xml* xml, int element, const char* name, int* child, fb_error* error) {
  *child = fb_xml_child(xml, element, name);
  if (*child != FB_XML_NONE) return FB_OK;
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
  fb_error_set_place(error, xml->chars + xml->elements[element].file, path, fb_xml_place(xml, element));
  return status;
}
