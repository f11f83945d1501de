/* shape.c -- reads frames and shapes of the native format. */
#include "format/native/parts.h"

fb_status fb_native_read_frame(const fb_node* map, fb_frame_def* frame, fb_error* error) {
  fb_fields values;
  frame->place = fb_node_place(map);
  fb_status status = fb_fields_open(map, &fb_native_schema, FB_NATIVE_FRAME, &values, frame, error);
  if (!status) status = fb_fields_rotation(&values, frame->R, error);
  return status;
}

fb_status fb_native_read_shape(const fb_node* map, fb_shape_def* shape, fb_error* error) {
  fb_fields values;
  int kind = 0, use = FB_SHAPE_USE_BOTH;
  shape->place = fb_node_place(map);
  fb_status status = fb_fields_collect(map, &fb_native_schema, FB_NATIVE_SHAPE, &values, error);
  if (!status) status = fb_fields_word(&values, "kind", &kind, error);
  if (!status) status = fb_fields_read(&values, kind, shape, error);
  if (!status) status = fb_fields_rotation(&values, shape->R, error);
  if (!status && fb_fields_value(&values, "use")) status = fb_fields_word(&values, "use", &use, error);
  if (status) return status;
  shape->kind = (fb_shape_kind)kind;
  shape->use = (fb_shape_use)use;
  if (shape->kind != FB_SHAPE_MESH) return FB_OK;
  shape->size[0] = shape->size[1] = shape->size[2] = 1;
  const fb_node* scale = fb_fields_value(&values, "scale");
  return scale ? fb_node_scale(scale, shape->size, error) : FB_OK;
}
