/* info.h -- the parts of `freebody info`. */
#ifndef FB_APP_MODEL_INFO_H
#define FB_APP_MODEL_INFO_H

#include <freebody/data.h>
#include <freebody/support/json.h>

#include "command.h"

typedef struct cmd_info {
  const cmd_app* app;
  const char* file;
  const cmd_loaded* loaded;
  const fb_model* model;
  const fb_model_def* def;
  fb_data* data; /* kinematics at the neutral configuration */
  int ascii, spacedyn, full;
} cmd_info;

/* SpaceDyn's topology of the bodies, and why SpaceDyn could not hold the model as it is. */
typedef struct cmd_info_spacedyn {
  int n;                   /* links: the bodies that do not stand on the world */
  int *body, *B, *S0, *Se; /* of each link; one block of memory */
  int nreason;             /* 0: SpaceDyn can hold it */
  char reasons[5][240];
} cmd_info_spacedyn;

/* info_tree.c */
void cmd_info_print_tree(const cmd_info* info);
/* info_text.c */
void cmd_info_print_joints(const cmd_info* info);
void cmd_info_print_frames(const cmd_info* info);
void cmd_info_print_loops(const cmd_info* info);
void cmd_info_print_bodies(const cmd_info* info); /* --full */
/* "x y z" with six digits, rounding noise as zero; returns buffer. */
char* cmd_info_vector(const double* x, int count, char* buffer, size_t size);
/* info_json.c */
fb_status cmd_info_print_json(const cmd_info* info, fb_error* error);
/* info_spacedyn.c */
void cmd_info_spacedyn_make(const fb_model* m, cmd_info_spacedyn* out);
void cmd_info_spacedyn_free(cmd_info_spacedyn* s);
void cmd_info_print_spacedyn(const cmd_info* info, const cmd_info_spacedyn* s);
void cmd_info_put_spacedyn(const cmd_info_spacedyn* s, fb_json* json);

#endif
