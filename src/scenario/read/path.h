/* path.h -- paths in time: their keys, as splines. */
#ifndef FB_SCENARIO_READ_PATH_H
#define FB_SCENARIO_READ_PATH_H

#include "scenario/scenario.h"

typedef struct fb_shaping_row {
  double frequency, damping;
  int robust;
} fb_shaping_row;
typedef struct fb_scenario_path {
  int count;
  double* times;
  int shape; /* fb_path_shape */
  double ramp;
  int shaped;
  fb_shaping_row shaping;
} fb_scenario_path;

/* Rising times. */
fb_status fb_scenario_times(fb_scenario* s, const fb_node* list, int* count, double** times, fb_error* error);
/* The keys of a path of any kind, and how it runs; its values are left to the caller. */
fb_status fb_scenario_path_of(fb_scenario* s, const fb_node* map, int object, fb_fields* values,
                              fb_scenario_path* path, fb_error* error);
/* A spline through the times and the values of a list, for coordinate i of a joint; body -1: in the field's own
 * unit. */
fb_status fb_scenario_spline(fb_scenario* s, const fb_node* list, const fb_field* field, int body, int i,
                             const fb_scenario_path* path, const fb_spline** out, fb_error* error);
/* Three of them through a list of points. */
fb_status fb_scenario_splines3(fb_scenario* s, const fb_node* list, const fb_field* field,
                               const fb_scenario_path* path, const fb_spline* out[3], fb_error* error);
/* The `turn` of a law and its `axis`, which belong together; *turn is NULL when there is none. */
fb_status fb_scenario_turn(fb_scenario* s, const fb_fields* law, const fb_spline** turn, double axis_w[3],
                           fb_error* error);
/* A force under one key as a number, or under another as a path; NULL when neither is there. */
fb_status fb_scenario_force_path(fb_scenario* s, const fb_fields* values, const char* number_key,
                                 const char* path_key, const fb_spline** out, fb_error* error);
fb_status fb_scenario_constant(fb_scenario* s, double value, const fb_spline** out, fb_error* error);

#endif
