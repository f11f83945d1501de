/* doubling.h -- error control for a method of second order without an embedded one (doubling.c). */
#ifndef FB_SIM_STEPPER_DOUBLING_H
#define FB_SIM_STEPPER_DOUBLING_H

#include "sim/error_control.h"

typedef struct fb_doubling {
  fb_growth_map map;                              /* a step of the method */
  double *whole, *middle, *halves, *err, *mapped; /* [ny] each */
  double *pushes[3], *unseen;                     /* [nv] each; [ny] */
  const fb_parameters*
      lifted; /* the method's: the armature with the slopes that it has at the end of a step */
} fb_doubling;

enum { FB_DOUBLING_ROOM = 9 };
/* room: FB_DOUBLING_ROOM * ny numbers. */
void fb_doubling_start(fb_doubling* o, fb_sim* s, fb_growth_map map, const fb_parameters* lifted,
                       double* room);
/* As fb_stepper.advance and at. */
fb_status fb_doubling_advance(fb_doubling* o, fb_sim* s, double t_limit, double* t_next, double* y_next,
                              fb_error* error);
fb_status fb_doubling_at(fb_doubling* o, fb_sim* s, double t, double* y, fb_error* error);

#endif
