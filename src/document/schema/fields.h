/* fields.h -- reading one object of a document by its rows of the schema table. */
#ifndef FB_DOCUMENT_SCHEMA_FIELDS_H
#define FB_DOCUMENT_SCHEMA_FIELDS_H

#include "document/schema/schema.h"

/* The values of one object, row by row of its table; NULL where the key is absent. */
typedef struct fb_fields {
  const fb_node* map;
  const fb_schema* schema;
  int object;
  int count;
  const fb_field* fields[FB_SCHEMA_MAX_KEYS + 1];
  const fb_node* value[FB_SCHEMA_MAX_KEYS];
} fb_fields;

/* Sorts the keys of a map into rows; a key that is not in the table is an error. The rows are filled then too. */
fb_status fb_fields_collect(const fb_node* map, const fb_schema* schema, int object, fb_fields* values,
                            fb_error* error);
/* The error of the first key from index `from` on that is not in the table, and its index; -1: there is none. */
int fb_fields_unknown(const fb_fields* values, int from, fb_error* error);
const fb_node* fb_fields_value(const fb_fields* values, const char* key);
/* The row of a key, which must be one. */
const fb_field* fb_fields_row(const fb_fields* values, const char* key);
/* Checks which keys this variant may and must have, then reads the plain kinds into the struct at target. */
fb_status fb_fields_read(const fb_fields* values, int variant, void* target, fb_error* error);
/* The same for one row, without a target: what fb_fields_read would refuse. */
fb_status fb_fields_check_row(const fb_fields* values, int row, int variant, fb_error* error);
/* Reads the value of a key of a plain kind into *out, which is left as it is when the key is absent. */
fb_status fb_fields_get(const fb_fields* values, const char* key, void* out, fb_error* error);
/* The index of the key's word among the field's words. */
fb_status fb_fields_word(const fb_fields* values, const char* key, int* index, fb_error* error);
/* The same, but the index is left as it is when the key is absent. */
fb_status fb_fields_get_word(const fb_fields* values, const char* key, int* index, fb_error* error);
/* Collects and reads an object without variants. */
fb_status fb_fields_open(const fb_node* map, const fb_schema* schema, int object, fb_fields* values,
                         void* target, fb_error* error);
/* The rotation spelled in rpy, euler_xyz, quat or dcm; R is left as it is when there is none. */
fb_status fb_fields_rotation(const fb_fields* values, double R[9], fb_error* error);

fb_status fb_field_check_range(const fb_node* node, const fb_field* field, double x, fb_error* error);
/* A number within the range of its row, in the unit of a quantity of its own: that of a joint's coordinate. */
fb_status fb_field_number(const fb_node* node, const fb_field* field, fb_quantity quantity, double* out,
                          fb_error* error);
/* The version of the document is that of its schema. */
fb_status fb_fields_check_version(const fb_fields* values, const char* key, fb_error* error);

#endif
