/* xml_impl.h -- what fb_xml is made of; for the files of this folder alone. */
#ifndef FB_FORMAT_XML_XML_IMPL_H
#define FB_FORMAT_XML_XML_IMPL_H

#include "format/xml/xml.h"

typedef struct xml_attribute {
  size_t name, value; /* offsets in the characters */
} xml_attribute;

typedef struct xml_element {
  size_t name; /* offset in the characters */
  size_t text; /* the same of its text; 0: none */
  int parent, first, last, next;
  size_t attribute, nattribute; /* its first attribute, how many */
  size_t file;                  /* offset of the name of the file that it is from */
  fb_place place;
} xml_element;

struct fb_xml {
  xml_element* elements;
  size_t nelement, element_room;
  xml_attribute* attributes;
  size_t nattribute, attribute_room;
  char* chars;
  size_t nchar, char_room;
  size_t file; /* offset of the file's name */
  int current; /* the element open now, while parsing */
  int before;  /* lines before the text that expat was given */
  size_t most; /* elements */
  fb_xml_odd odd;
};

/* Keep a copy among the characters and attributes; 0 when out of memory. */
int fb_xml_keep_text(fb_xml* xml, const char* text, size_t* offset);
int fb_xml_keep_attribute(fb_xml* xml, const char* name, const char* value);
/* Makes an element the last child of another. */
void fb_xml_hang_last(fb_xml* xml, int parent, int id);

static inline int fb_xml_is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

#endif
