/* crossing.h -- the first instant in a step at which a number of the simulation passes zero. */
#ifndef FB_SIM_CROSSING_H
#define FB_SIM_CROSSING_H

#include "sim/sim.h"

enum { FB_ALL_BODIES = -1 };

/* A value at the end of the last step that was searched, which usually is the start of the next. */
typedef struct fb_watch_end {
  unsigned epoch; /* fb_sim.epoch then */
  double t, x;
  double slope; /* NAN: not known */
} fb_watch_end;

/* A watched value: a number of the simulation that passes zero. */
typedef struct fb_watch {
  fb_status (*value)(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error);
  int index; /* handed to value */
  int side;  /* of zero on which it was at the start of the step: -1, +1; 0: on it, any departure counts */
  int direction; /* crossings that count: +1 rising, -1 falling, 0 either */
  int dynamic;   /* 1: the value depends on more than t and q (velocities, forces, the ledger) */
  int polynomial; /* 1: of degree 5 at most inside steps with dense output, as q and v: no crossing is missed */
  int body;       /* the value turns with this body; FB_WORLD: with none, as coordinates; FB_ALL_BODIES */
  double longest; /* > 0: pieces of steps with dense output are no longer than this [s] */
  /* > 0: a bound on the rate of the value; excursions that could hide in a step are searched with it */
  double fastest;
  double narrow; /* with `fastest`: excursions beyond zero of less than this may be missed */
  /* > 0: where the value is further beyond zero than this at the far end of its bracket it has jumped, and methods without
   * dense output end the step at the near end */
  double jump;
  double scale; /* of the numbers whose difference the value is: excursions below 4 ulp of it are rounding */
  double until; /* y_until given: crossings after this instant are not needed [s] */
  const double* y_until; /* the state then; NULL: all are needed */
  fb_watch_end* end;     /* kept from step to step, zero at first; NULL: the start is evaluated each time */
} fb_watch;

/* Whether states inside a step come from dense output, and not from a shorter step. */
static inline int fb_crossing_is_dense(const fb_sim* s) {
  return s->stepper.traits.dense;
}

/* The first instant in (s->step.t0, t1] at which the value has passed zero in a direction that counts: the far end (see
 * `jump`) of a bracket no wider than max(4 ulp(t), 1e-12 s); INFINITY when there is none. The step's end state is s->y1 at t1. */
fb_status fb_crossing_find(fb_sim* s, const fb_watch* watch, double t1, double* root, fb_error* error);

#endif
