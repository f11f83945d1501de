/* info.h -- the parts of `freebody info`. */
#ifndef FB_APP_INFO_H
#define FB_APP_INFO_H

#include <freebody/data.h>

#include "command.h"

typedef struct fb_info {
  const fb_app* app;
  const char* file;
  const fb_loaded* loaded;
  const fb_model* model;
  const fb_model_def* def;
  fb_data* data; /* kinematics at the neutral configuration */
  int ascii, spacedyn;
} fb_info;

/* info_tree.c */
void fb_info_print_tree(const fb_info* info);
/* info_text.c */
void fb_info_print_joints(const fb_info* info);
void fb_info_print_frames(const fb_info* info);
void fb_info_print_spacedyn(const fb_info* info, const int* B, const int* S0, const int* Se, int n);
/* "x y z" with six digits, rounding noise as zero; returns buffer. */
char* fb_info_vector(const double* x, int count, char* buffer, size_t size);
/* info_json.c */
fb_status fb_info_print_json(const fb_info* info, const int* B, const int* S0, const int* Se, int n,
                             fb_error* error);

#endif
