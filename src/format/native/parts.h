/* parts.h -- reading joints, frames, shapes and loops of the native format. */
#ifndef FB_FORMAT_NATIVE_PARTS_H
#define FB_FORMAT_NATIVE_PARTS_H

#include <freebody/io.h>
#include <freebody/model_def.h>

#include "format/native/schema.h"
#include "document/schema/fields.h"

/* on_world: the body hangs on the world, where a joint without a type is free. */
fb_status fb_native_read_joint(const fb_node* map, int on_world, fb_joint_def* joint, fb_error* error);
fb_status fb_native_read_frame(const fb_node* map, fb_frame_def* frame, fb_error* error);
fb_status fb_native_read_shape(const fb_node* map, fb_shape_def* shape, fb_error* error);
/* Adds the loops of a list to a definition whose bodies are complete. */
fb_status fb_native_read_loops(const fb_node* list, const fb_io_options* options, fb_model_def* def,
                               fb_error* error);

#endif
