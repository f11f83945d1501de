/* info.h -- the parts of `freebody info`. */
#ifndef FB_APP_MODEL_INFO_H
#define FB_APP_MODEL_INFO_H

#include <freebody/data.h>

#include "command.h"
#include "text/json_writer.h"

typedef struct fb_info {
  const fb_app* app;
  const char* file;
  const fb_loaded* loaded;
  const fb_model* model;
  const fb_model_def* def;
  fb_data* data; /* kinematics at the neutral configuration */
  int ascii, spacedyn, full;
} fb_info;

/* SpaceDyn's topology of the bodies, and why SpaceDyn could not hold the model as it is. */
typedef struct fb_info_spacedyn {
  int n;                   /* links: the bodies that do not stand on the world */
  int *body, *B, *S0, *Se; /* of each link; one block of memory */
  int nreason;             /* 0: SpaceDyn can hold it */
  char reasons[4][240];
} fb_info_spacedyn;

/* info.c: which axes the joint has (0, 1 or 2), of unit length. */
int fb_info_axes(const fb_joint_def* joint, double axis[3], double axis2[3]);
/* info_tree.c */
void fb_info_print_tree(const fb_info* info);
/* info_text.c */
void fb_info_print_joints(const fb_info* info);
void fb_info_print_frames(const fb_info* info);
void fb_info_print_bodies(const fb_info* info); /* --full */
/* "x y z" with six digits, rounding noise as zero; returns buffer. */
char* fb_info_vector(const double* x, int count, char* buffer, size_t size);
/* info_json.c */
fb_status fb_info_print_json(const fb_info* info, fb_error* error);
/* info_spacedyn.c */
void fb_info_spacedyn_make(const fb_model* m, fb_info_spacedyn* out);
void fb_info_spacedyn_free(fb_info_spacedyn* s);
void fb_info_print_spacedyn(const fb_info* info, const fb_info_spacedyn* s);
void fb_info_put_spacedyn(const fb_info_spacedyn* s, fb_json* json);

#endif
