/* doubling.h -- error control for a method of second order without an embedded one (doubling.c). */
#ifndef FB_SIM_STEPPER_DOUBLING_H
#define FB_SIM_STEPPER_DOUBLING_H

#include "sim/error_control.h"
#include "sim/sim.h"

/* Room for states, [ny] each. */
typedef struct fb_doubling {
  double *whole, *middle, *halves, *err;
} fb_doubling;

enum { FB_DOUBLING_ROOM = 4 };
/* room: FB_DOUBLING_ROOM * ny numbers. */
void fb_doubling_place(fb_doubling* o, double* room, int ny);
/* As fb_stepper.advance and at; `map` is a step of the method. */
fb_status fb_doubling_advance(fb_doubling* o, fb_growth_map map, void* self, fb_sim* s, double t_limit,
                              double* t_next, double* y_next, fb_error* error);
fb_status fb_doubling_at(fb_doubling* o, fb_growth_map map, void* self, fb_sim* s, double t, double* y,
                         fb_error* error);

#endif
