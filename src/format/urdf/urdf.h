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

/* Opens rings among joints that follow one another: follows[i] is the index that i follows, and 0 is none. One of each ring is
 * made to follow none, after `open` was called for it, which may be NULL. state is scratch; both have `count` entries. */
void fb_urdf_open_rings(int* follows, char* state, int count, void (*open)(void* user, int at), void* user);

/* Makes a joint a fixed one at its place, or where it is at the coordinate q; damping and all else that it has goes with its motion.
 * Its child stays where it is on it. */
void fb_urdf_fix_joint(fb_joint_def* joint);
void fb_urdf_fix_at(double q, fb_joint_def* joint);

/* Whether a joint of this type may have <mimic>: URDF has the type, and it has one coordinate. */
static inline int fb_urdf_may_follow(fb_joint_type type) {
  return fb_urdf_type_name(type) && fb_joint_type_nv(type) == 1;
}

/* Whether a <joint> of this type has an <axis>; of a planar one it is the normal. */
static inline int fb_urdf_has_axis(fb_joint_type type) {
  return fb_joint_type_naxis(type) > 0 || type == FB_JOINT_PLANAR;
}

#endif
