/* xml.h -- an XML document as a flat list of elements, each with its line and column.
 *
 * Parsed by expat in document order; element 0 is the root. Text is dropped (URDF has none), unless requested
 * and its element has no other content. Document types are refused where they begin, and with them entities and
 * defaults of attributes. Nothing recurses: elements may nest to any depth. What XML forbids and people write
 * nevertheless is read, and kept for notes in fb_xml_odd. */
#ifndef FB_FORMAT_XML_XML_H
#define FB_FORMAT_XML_XML_H

#include <stddef.h>

#include <freebody/status.h>
#include <freebody/support/text.h>

typedef struct fb_xml fb_xml;

enum { FB_XML_NONE = -1 };

/* What was read although it is not as it should be. */
typedef struct fb_xml_odd {
  int declared_late; /* line of an XML declaration with something before it; 0: none */
  int dashes;        /* line of a comment with "--" in it; 0: none */
  int not_utf8;      /* bytes that are no UTF-8 were read as Latin-1 */
  char encoding[40]; /* the declared encoding when it is unknown; letters beyond ASCII were read as Latin-1 */
  int commas, comma_line; /* attributes with commas between their numbers; line of the first */
  int extra, extra_line;  /* attributes with more numbers than are read; line of the first */
} fb_xml_odd;

/* Whether a text begins as XML does: with '<', after blanks and a byte order mark, also in UTF-16. */
int fb_xml_starts(const char* text, size_t size);
/* The name of the root element of a text in UTF-8, without reading further; "" when none is found. */
void fb_xml_root(const char* text, size_t size, char* name, size_t room);
/* `name` stands for the file in messages. On failure *xml is NULL. */
fb_status fb_xml_parse(const char* text, size_t size, const char* name, fb_xml** xml, fb_error* error);
/* The same with the text of elements, and at most `most` of those. */
fb_status fb_xml_parse_texts(const char* text, size_t size, const char* name, size_t most, fb_xml** xml,
                             fb_error* error);
void fb_xml_free(fb_xml* xml);
fb_xml_odd* fb_xml_oddities(fb_xml* xml);

/* Elements; every look-up gives FB_XML_NONE where there is none. */
int fb_xml_first(const fb_xml* xml, int element); /* first child of any name */
int fb_xml_next(const fb_xml* xml, int element);  /* next sibling of any name */
int fb_xml_count(const fb_xml* xml);              /* all elements, numbered in document order */
int fb_xml_parent(const fb_xml* xml, int element);
const char* fb_xml_name(const fb_xml* xml, int element);
const char* fb_xml_text(const fb_xml* xml, int element); /* "" when it has none, or none was requested */
fb_place fb_xml_place(const fb_xml* xml, int element);
/* The first child of this name. */
int fb_xml_child(const fb_xml* xml, int element, const char* name);
/* The same, and none is an error. */
fb_status fb_xml_need_child(const fb_xml* xml, int element, const char* name, int* child, fb_error* error);

/* Changing a document (format/xml/graft.c); 0 or FB_XML_NONE when there is no room. A copy of an element of another document, with all
 * that is in it, as the last child of `parent`; its number. The other must be as it was parsed. */
int fb_xml_graft(fb_xml* into, int parent, const fb_xml* from, int element);
/* A copy of an element, without its children, as the first child of `parent`. */
int fb_xml_copy_first(fb_xml* xml, int parent, int element);
int fb_xml_set_attribute(fb_xml* xml, int element, const char* name, const char* value);
int fb_xml_set_text(fb_xml* xml, int element, const char* text);
/* The document as text, malloc'd, but for elements that leave_out says; NULL when out of memory. */
char* fb_xml_print(const fb_xml* xml, int (*leave_out)(const fb_xml* xml, int element), size_t* size);

int fb_xml_attribute_count(const fb_xml* xml, int element);
const char* fb_xml_attribute_name(const fb_xml* xml, int element, int index);
/* Attributes; NULL when absent. */
const char* fb_xml_attribute(const fb_xml* xml, int element, const char* name);
fb_status fb_xml_need_attribute(const fb_xml* xml, int element, const char* name, const char** value,
                                fb_error* error);
/* Every attribute must be among `known` (NULL-ended); otherwise an error that names the nearest. */
fb_status fb_xml_check_attributes(const fb_xml* xml, int element, const char* const* known, fb_error* error);

/* `count` finite numbers, separated by spaces or commas; more are counted in fb_xml_odd. An absent or blank attribute
 * leaves `out` as it is. */
fb_status fb_xml_numbers(fb_xml* xml, int element, const char* name, int count, double* out, fb_error* error);
/* The same, but numbers that are infinite, too large for a double or not a number may be among them. */
fb_status fb_xml_limits(fb_xml* xml, int element, const char* name, int count, double* out, fb_error* error);
/* How many numbers an attribute has, or words that are none; 0 for an absent one. */
int fb_xml_number_count(const fb_xml* xml, int element, const char* name);
/* One number that must be there. */
fb_status fb_xml_need_number(fb_xml* xml, int element, const char* name, double* out, fb_error* error);

/* Fills error with the file, the element's place and path, and returns status. */
fb_status fb_xml_fail(const fb_xml* xml, int element, fb_error* error, fb_status status, const char* format,
                      ...) FB_PRINTF(5, 6);

/* --- attributes as text (format/xml/print.c) --- */

/* The text with escapes for the characters of `special`, some of & < > " and tabs and line ends. */
void fb_xml_add_escaped(fb_text* text, const char* value, const char* special);

/*  name="value" with a space before it, the value escaped. *bad is set to a value that XML cannot hold: most control
 * characters have no way to be written, not even escaped. */
void fb_xml_add_attribute(fb_text* text, const char* name, const char* value, const char** bad);
/* The same with numbers, in the digits that read back the same. */
void fb_xml_add_numbers(fb_text* text, const char* name, const double* x, int count);

#endif
