/* native_fields.h -- reading one object of the native format by its rows of the schema table. */
#ifndef FB_IO_NATIVE_FIELDS_H
#define FB_IO_NATIVE_FIELDS_H

#include <freebody/model_def.h>

#include "io/native_schema.h"

/* The values of one object, row by row of its table; NULL where the key is absent. */
typedef struct fb_native_values {
  const fb_node* map;
  fb_native_object object;
  const fb_native_field* fields;
  int count;
  const fb_node* value[FB_NATIVE_MAX_KEYS];
} fb_native_values;

/* Sorts the keys of a map into rows; a key that is not in the table is an error. */
fb_status fb_native_collect(const fb_node* map, fb_native_object object, fb_native_values* values,
                            fb_error* error);
const fb_node* fb_native_value(const fb_native_values* values, const char* key);
/* Checks which keys this variant may and must have, then reads the plain kinds into the struct at target. */
fb_status fb_native_read_fields(const fb_native_values* values, int variant, void* target, fb_error* error);
/* The index of the node's word among the field's words. */
fb_status fb_native_read_word(const fb_native_values* values, const char* key, int* index, fb_error* error);
fb_status fb_native_check_range(const fb_node* node, const fb_native_field* field, double x, fb_error* error);

/* The rotation spelled in rpy, euler_xyz, quat or dcm; R is left as it is when there is none. */
fb_status fb_native_read_rotation(const fb_native_values* values, double R[9], fb_error* error);
/* on_world: the body hangs on the world, where a joint without a type is free. */
fb_status fb_native_read_joint(const fb_node* map, int on_world, fb_joint_def* joint, fb_error* error);
fb_status fb_native_read_frame(const fb_node* map, fb_frame_def* frame, fb_error* error);
fb_status fb_native_read_shape(const fb_node* map, fb_shape_def* shape, fb_error* error);

#endif
