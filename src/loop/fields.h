/* fields.h -- fields of a simulation for closed loops. */
#ifndef FB_LOOP_FIELDS_H
#define FB_LOOP_FIELDS_H

#include "base/fields.h"

#define FB_LOOPS_STATE(FIELD) FIELD(double, length, s->m->top.nloop, "of distances, as found at the start")
#define FB_LOOPS_SCRATCH(FIELD)                                                                       \
  FIELD(double, force, s->m->top.nloop > 0 ? s->nv : 0, "on the coordinates, of the last evaluation") \
  FIELD(double, loose, s->m->top.nloop > 0 ? s->nv : 0,                                               \
        "armatures by which the implicit method closes loops (loops.c)")

/* Independent rows of the loops, over the evaluations of a step. */
typedef struct fb_rank_watch {
  int count, first, least, most;
} fb_rank_watch;

typedef struct fb_loops {
  double opening;      /* how far loops were still open when the last step was closed [m or rad] */
  fb_rank_watch ranks; /* of the step being made */
  FB_LOOPS_STATE(FB_FIELD_DECLARE)
  FB_LOOPS_SCRATCH(FB_FIELD_DECLARE)
} fb_loops;

#endif
