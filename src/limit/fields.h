/* fields.h -- fields of a simulation for joint limits, soft stops and stiction. */
#ifndef FB_LIMIT_FIELDS_H
#define FB_LIMIT_FIELDS_H

#include <freebody/sim.h>

#include "base/fields.h"
#include "sim/fields.h"

enum {
  FB_PROBE_STATES = FB_INSIDE + 4
}; /* states sampled in a step: inside it, near its ends, and its ends */

typedef struct fb_limits_head {
  int nlean; /* held coordinates that others carry (load_share.c) */
  int burst; /* impacts since burst_from (limit.c) */
  int stall; /* changes of limits and contacts since stall_from */
  double burst_from, stall_from;
} fb_limits_head;

/* State that the further motion depends on. */
#define FB_LIMITS_STATE(FIELD)                                                                        \
  FIELD(fb_limits_head, head, 1, "")                                                                  \
  FIELD(int, held_side, s->nv,                                                                        \
        "of a coordinate at rest on a limit: the way it is pushed, +1 or -1; 0 between two")          \
  FIELD(int, support, s->nv, "an fb_support of held coordinates (load_share.c)")                      \
  FIELD(double, effective_inertia, s->nv, "of held coordinates: the inertia that they would move")    \
  FIELD(int, slide, s->nv, "stiction: the way that a coordinate slides, +1 or -1; 0 where it sticks") \
  FIELD(double, slip_tolerance, s->nv, "stiction: speeds this small, against its way, are rounding")  \
  FIELD(double, stop_position, s->limit.count,                                                        \
        "where the stop is: at its level, but beyond it for what started there")                      \
  FIELD(int, resting, s->limit.count,                                                                 \
        "whether its coordinate was last reported to rest on it; soft: to touch it")

#define FB_LIMITS_SCRATCH(FIELD)                                                                          \
  FIELD(double, friction, s->nv, "stiction: forces of joints that slide, of the last evaluation")         \
  FIELD(double, reaction, s->nv, "what limits and friction give to coordinates that they hold; else 0")   \
  FIELD(double, actuator, s->nv, "tau as the blocks gave it, while held coordinates are solved for")      \
  FIELD(double, stop_force, s->nv, "of soft stops, of the last evaluation")                               \
  FIELD(double, margins, FB_PROBE_STATES * s->nv, "of reactions, at the states looked at (locate.c)")     \
  FIELD(double, y_first, s->ny, "where the first contact so far is (limit.c)")                            \
  FIELD(unsigned char, stop_phase, s->limit.count, "an fb_stop_phase; rigid ones are always clear")       \
  FIELD(unsigned char, phases, s->limit.count, "bits 1 << fb_limit_phase: what happened at this instant") \
  FIELD(unsigned char, soft, s->limit.count,                                                              \
        "its coordinate rested on it before this instant's jumps: no restitution")                        \
  FIELD(unsigned char, reversed, s->nv, "stiction: it has come to rest at the end of the step")

typedef struct fb_limits {
  fb_limit* list;  /* [count] coordinate -1: its joint no longer exists */
  fb_limit* given; /* [count] of the original model, when the present one is another; else NULL */
  int count;
  int nsoft; /* of these, the soft ones (soft_stop.c) */
  size_t room;
  unsigned margins_known;     /* bits: at which of the sampled states */
  int due;                    /* 1: active limits, sliding or forces have changed */
  struct fb_stops_work* work; /* for the complementarity problems; NULL when there can be none */
  FB_LIMITS_STATE(FB_FIELD_DECLARE)
  FB_LIMITS_SCRATCH(FB_FIELD_DECLARE)
} fb_limits;

#endif
