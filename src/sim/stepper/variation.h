/* variation.h -- the neighbouring motion in a step of dopri5 (variation.c). */
#ifndef FB_SIM_STEPPER_VARIATION_H
#define FB_SIM_STEPPER_VARIATION_H

#include "sim/stepper/runge_kutta.h"

enum { FB_VARIATION_STAGES = 4 };

typedef struct fb_variation {
  const fb_tableau* tableau;   /* of the step */
  int at[FB_VARIATION_STAGES]; /* which of its stages are at 0, 3/10, 4/5 and 1 of the step */
} fb_variation;

/* Sums of the first neighbouring stages, less those of the motion, that are h^3 J^3 e_0 and h^4 J^4 e_0 over h. */
typedef struct fb_powers {
  int at[FB_VARIATION_STAGES]; /* which stages of the motion they belong to */
  double third[FB_VARIATION_STAGES], fourth[FB_VARIATION_STAGES];
} fb_powers;

/* An fb_step_map, made aside: the stages of the motion in the same step follow the neighbouring ones in s->stages. */
fb_status fb_variation_step(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                            fb_error* error);
/* The rate of the fastest decay in the difference of the neighbouring motion, after a step; 0: none is visible. [1/s] */
double fb_powers_rate(const fb_powers* o, const fb_sim* s, double h);

#endif
