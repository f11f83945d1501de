/* graft.c -- puts a part of one document into another, and prints a document. */
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "base/grow.h"
#include "format/xml/xml.h"
#include "format/xml/xml_impl.h"

/* Behind all that is inside an element; only of documents as they are parsed, in which elements follow one another. */
static size_t end_of(const fb_xml* xml, int element) {
  for (int e = element; e != FB_XML_NONE; e = xml->elements[e].parent)
    if (xml->elements[e].next != FB_XML_NONE) return (size_t)xml->elements[e].next;
  return xml->nelement;
}

static int shifted(int id, int by) {
  return id == FB_XML_NONE ? FB_XML_NONE : id + by;
}

/* The attributes of an element behind those that are kept. */
static int copy_attributes(fb_xml* into, xml_element* copy, const fb_xml* from, const xml_element* e) {
  for (size_t i = 0; i < e->nattribute; i++, copy->nattribute++) {
    const xml_attribute* a = &from->attributes[e->attribute + i];
    if (!fb_xml_keep_attribute(into, from->chars + a->name, from->chars + a->value)) return 0;
  }
  return 1;
}

static int copy_element(fb_xml* into, const fb_xml* from, int id, int by, size_t file) {
  const xml_element* e = &from->elements[id];
  xml_element copy = *e;
  copy.parent = shifted(e->parent, by);
  copy.first = shifted(e->first, by);
  copy.last = shifted(e->last, by);
  copy.next = shifted(e->next, by);
  copy.attribute = into->nattribute;
  copy.nattribute = 0;
  copy.file = file;
  if (!fb_xml_keep_text(into, from->chars + e->name, &copy.name)) return 0;
  if (e->text && !fb_xml_keep_text(into, from->chars + e->text, &copy.text)) return 0;
  if (!copy_attributes(into, &copy, from, e)) return 0;
  if (!fb_grow(&into->elements, into->nelement, 1, &into->element_room, sizeof copy)) return 0;
  into->elements[into->nelement++] = copy;
  return 1;
}

int fb_xml_graft(fb_xml* into, int parent, const fb_xml* from, int element) {
  size_t end = end_of(from, element), count = end - (size_t)element, file;
  if (count > into->most - into->nelement) return FB_XML_NONE;
  int at = (int)into->nelement;
  if (!fb_xml_keep_text(into, from->chars + from->file, &file)) return FB_XML_NONE;
  for (int i = element; (size_t)i < end; i++)
    if (!copy_element(into, from, i, at - element, file)) return FB_XML_NONE;
  fb_xml_hang_last(into, parent, at);
  return at;
}

int fb_xml_copy_first(fb_xml* xml, int parent, int element) {
  const xml_element* e = &xml->elements[element];
  xml_element copy = *e;
  if (xml->nelement >= xml->most ||
      !fb_grow(&xml->elements, xml->nelement, 1, &xml->element_room, sizeof copy))
    return 0;
  copy.first = copy.last = FB_XML_NONE;
  copy.parent = parent;
  copy.next = xml->elements[parent].first;
  xml->elements[parent].first = (int)xml->nelement;
  if (xml->elements[parent].last == FB_XML_NONE) xml->elements[parent].last = (int)xml->nelement;
  xml->elements[xml->nelement++] = copy;
  return 1;
}

int fb_xml_set_attribute(fb_xml* xml, int element, const char* name, const char* value) {
  size_t count = xml->elements[element].nattribute, from = xml->elements[element].attribute,
         at = xml->nattribute;
  if (!fb_grow(&xml->attributes, xml->nattribute, count + 1, &xml->attribute_room, sizeof *xml->attributes))
    return 0;
  if (!fb_xml_keep_attribute(xml, name, value)) return 0;
  for (size_t i = 0; i < count; i++) {
    xml_attribute a = xml->attributes[from + i];
    if (strcmp(xml->chars + a.name, name) != 0) xml->attributes[xml->nattribute++] = a;
  }
  xml->elements[element].attribute = at;
  xml->elements[element].nattribute = xml->nattribute - at;
  return 1;
}

int fb_xml_set_text(fb_xml* xml, int element, const char* text) {
  size_t at;
  if (!fb_xml_keep_text(xml, text, &at)) return 0;
  xml->elements[element].text = at;
  return 1;
}

/* --- printing --- */

static void open_tag(fb_text* out, const fb_xml* xml, int e) {
  const char* bad = NULL;
  fb_text_printf(out, "<%s", fb_xml_name(xml, e));
  for (int i = 0; i < fb_xml_attribute_count(xml, e); i++) {
    const char* name = fb_xml_attribute_name(xml, e, i);
    fb_xml_add_attribute(out, name, fb_xml_attribute(xml, e, name), &bad);
  }
  fb_text_add(out, ">");
  if (fb_xml_first(xml, e) == FB_XML_NONE)
    fb_xml_add_escaped(out, fb_xml_text(xml, e), "&<>");
  else
    fb_text_add(out, "\n");
}

char* fb_xml_print(const fb_xml* xml, int (*leave_out)(const fb_xml* xml, int element), size_t* size) {
  fb_text out = {0};
  int e = 0, down = 1;
  for (;;) {
    int left_out = down && leave_out(xml, e);
    if (down && !left_out) {
      open_tag(&out, xml, e);
      if (fb_xml_first(xml, e) != FB_XML_NONE) {
        e = fb_xml_first(xml, e);
        continue;
      }
    }
    if (!left_out) fb_text_printf(&out, "</%s>\n", fb_xml_name(xml, e));
    if (e == 0) break;
    down = fb_xml_next(xml, e) != FB_XML_NONE;
    e = down ? fb_xml_next(xml, e) : fb_xml_parent(xml, e);
  }
  char* text = fb_text_take(&out, size);
  free(out.data);
  return text;
}
