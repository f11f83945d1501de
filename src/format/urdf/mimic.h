/* mimic.h -- joints that follow others by <mimic>. */
#ifndef FB_FORMAT_URDF_MIMIC_H
#define FB_FORMAT_URDF_MIMIC_H

#include "format/urdf/reader.h"

/* Of each body; index 0 is the world. */
typedef struct fb_urdf_mimics {
  fb_urdf_reader* r;
  int* joint;   /* its <joint>, counted as in the file; -1: none */
  int* follows; /* the body whose joint its own follows by a gear; 0: none */
  char* placed; /* <loop mimic=""> says where its gear is in the list of loops */
} fb_urdf_mimics;

/* What the caller's wish makes of a joint with <mimic> when it is read: fixed, or left to be coupled. */
fb_status fb_urdf_read_mimic(fb_urdf_reader* r, int element, fb_joint_def* joint);

/* When all bodies are read: which joint follows which. */
fb_status fb_urdf_find_mimics(fb_urdf_reader* r, fb_urdf_mimics* m);
/* Gives joints an armature that have nothing to move and are coupled to others that have (format/urdf/mimic_mass.c). */
fb_status fb_urdf_lift_massless(const fb_urdf_mimics* m);
void fb_urdf_free_mimics(fb_urdf_mimics* m);
/* Adds the gear of a body's joint, if it has one; name NULL: that of the joint. */
fb_status fb_urdf_add_mimic(const fb_urdf_mimics* m, int body, const char* name);

#endif
