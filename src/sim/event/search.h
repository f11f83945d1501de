/* search.h -- the search for a crossing within a step, shared by crossing.c and crossing_slope.c. */
#ifndef FB_SIM_EVENT_SEARCH_H
#define FB_SIM_EVENT_SEARCH_H

#include "sim/event/crossing.h"

typedef struct fb_search_point {
  double t, x;
} fb_search_point;

typedef struct fb_search {
  fb_sim* s;
  const fb_watch* watch;
  int dense;        /* samples inside the step are cheap */
  int side;         /* of zero, at the point reached so far */
  double root;      /* INFINITY until it is found */
  double slopes[2]; /* of the value at the start and at the end of the step; NAN: not known */
  fb_error* error;
} fb_search;

/* Whether values and slopes at the ends of a step show that the value crosses zero there once at most, and not if both
 * ends are on the same side. */
fb_status fb_search_is_plain(fb_search* f, const fb_search_point* a, const fb_search_point* b, int* plain);

#endif
