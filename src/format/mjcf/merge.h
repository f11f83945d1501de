/* merge.h -- joints that the writer had to take apart, put together again. */
#ifndef FB_FORMAT_MJCF_MERGE_H
#define FB_FORMAT_MJCF_MERGE_H

#include "format/mjcf/reader.h"

/* The parts of a joint in MJCF, by type: names are the joint's with these ends, in this order. */
typedef struct fb_mjcf_parts {
  fb_joint_type type;
  const char* ends[5]; /* NULL-ended */
  const char* kinds;   /* one letter each: h hinge, s slide, b ball */
} fb_mjcf_parts;

extern const fb_mjcf_parts fb_mjcf_parts_table[]; /* ends with type FB_JOINT_TYPE_COUNT */

/* Damping of a ball along the axes of its joint frame, where the writer had to make it of actuators. */
void fb_mjcf_find_dampers(fb_mjcf_reader* r, const char* ball, double damping[3]);
/* 1 when the joints of a body are the parts of one; it is in *joint, or *status says what went wrong. For files that
 * Freebody has written. */
int fb_mjcf_merge_joints(fb_mjcf_reader* r, int body, fb_joint_def* joint, fb_status* status);

#endif
