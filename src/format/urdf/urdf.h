/* urdf.h -- URDF, the ecosystem's robot format, read and written. */
#ifndef FB_FORMAT_URDF_URDF_H
#define FB_FORMAT_URDF_URDF_H

#include <freebody/io.h>
#include <freebody/model_def.h>

fb_status fb_urdf_read(const char* text, size_t size, const char* name, const fb_io_options* options,
                       fb_model_def** def, fb_error* error);
fb_status fb_urdf_print(const fb_model_def* def, const fb_io_options* options, char** text, size_t* size,
                        fb_error* error);

/* What URDF calls a type; NULL for one that it lacks. */
const char* fb_urdf_type_name(fb_joint_type type);

/* Whether a <joint> of this type has an <axis>; of a planar one it is the normal. */
static inline int fb_urdf_has_axis(fb_joint_type type) {
  return fb_joint_type_naxis(type) > 0 || type == FB_JOINT_PLANAR;
}

#endif
