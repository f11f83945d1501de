/* extrapolation.h -- error control for a method of second order without an embedded one (extrapolation.c). */
#ifndef FB_SIM_STEPPER_EXTRAPOLATION_H
#define FB_SIM_STEPPER_EXTRAPOLATION_H

#include "sim/accuracy/error_control.h"

enum { FB_EXTRAPOLATION_ROOM = 12 };

typedef struct fb_extrapolation {
  fb_growth_map map;                                  /* a step of the method */
  double *ends[3], *middle, *between[2], *err, *more; /* [ny] each */
  double *pushes[3], *unseen;                         /* [nv] each; [ny] */
  /* the method's: the armature with the slopes that it has at the end of a step */
  const fb_parameters* lifted;
} fb_extrapolation;

/* room: FB_EXTRAPOLATION_ROOM * ny numbers. */
void fb_extrapolation_start(fb_extrapolation* o, fb_sim* s, fb_growth_map map, const fb_parameters* lifted,
                            double* room);
/* As fb_stepper.step and at. */
fb_status fb_extrapolation_advance(fb_extrapolation* o, fb_sim* s, double t_limit, double* t_next,
                                   double* y_next, fb_error* error);
fb_status fb_extrapolation_at(fb_extrapolation* o, fb_sim* s, double t, double* y, fb_error* error);

#endif
