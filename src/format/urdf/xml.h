/* xml.h -- an XML document as a flat list of elements, each with its line and column.
 *
 * Parsed by expat in document order; element 0 is the root. Text between elements is dropped (URDF has
 * none). Document type declarations are refused, so no entity can grow. Nothing recurses: elements may
 * nest as deep as they like. */
#ifndef FB_FORMAT_URDF_XML_H
#define FB_FORMAT_URDF_XML_H

#include <stddef.h>

#include <freebody/status.h>

typedef struct fb_xml fb_xml;

enum { FB_XML_NONE = -1 };

/* `name` stands for the file in messages. On failure *xml is NULL. */
fb_status fb_xml_parse(const char* text, size_t size, const char* name, fb_xml** xml, fb_error* error);
void fb_xml_free(fb_xml* xml);

/* Elements; every look-up gives FB_XML_NONE where there is none. */
int fb_xml_first(const fb_xml* xml, int element); /* first child of any name */
int fb_xml_next(const fb_xml* xml, int element);  /* next sibling of any name */
int fb_xml_count(const fb_xml* xml);              /* all elements, numbered in document order */
int fb_xml_parent(const fb_xml* xml, int element);
const char* fb_xml_name(const fb_xml* xml, int element);
fb_place fb_xml_place(const fb_xml* xml, int element);
/* The one child of this name; more than one is an error. *child is FB_XML_NONE when there is none. */
fb_status fb_xml_child(const fb_xml* xml, int element, const char* name, int* child, fb_error* error);
/* The same, and none is an error too. */
fb_status fb_xml_need_child(const fb_xml* xml, int element, const char* name, int* child, fb_error* error);

int fb_xml_attribute_count(const fb_xml* xml, int element);
const char* fb_xml_attribute_name(const fb_xml* xml, int element, int index);
/* Attributes; NULL when absent. */
const char* fb_xml_attribute(const fb_xml* xml, int element, const char* name);
fb_status fb_xml_need_attribute(const fb_xml* xml, int element, const char* name, const char** value,
                                fb_error* error);
/* Every attribute must be among `known` (NULL-ended); otherwise an error that names the nearest. */
fb_status fb_xml_check_attributes(const fb_xml* xml, int element, const char* const* known, fb_error* error);

/* Exactly `count` finite numbers, parted by spaces. An absent attribute leaves `out` as it is. */
fb_status fb_xml_numbers(const fb_xml* xml, int element, const char* name, int count, double* out,
                         fb_error* error);
/* The same, but "inf" and "-inf" may stand for no limit. */
fb_status fb_xml_limits(const fb_xml* xml, int element, const char* name, int count, double* out,
                        fb_error* error);
/* One number that must be there. */
fb_status fb_xml_need_number(const fb_xml* xml, int element, const char* name, double* out, fb_error* error);

/* Fills error with the file, the element's place and path, and returns status. */
fb_status fb_xml_fail(const fb_xml* xml, int element, fb_error* error, fb_status status, const char* format,
                      ...) FB_PRINTF(5, 6);

#endif
