/* chatter.h -- events that happen without end */
#ifndef FB_SIM_CHATTER_H
#define FB_SIM_CHATTER_H

#include "sim/sim.h"

/* How often an event has acted since a time, and in which modes. */
typedef struct fb_chatter {
  double from;
  int count;
  unsigned modes; /* bit i: mode i */
} fb_chatter;

/* At a start, or after a restore: no event has acted yet. */
void fb_chatter_begin(fb_sim* s);
/* An event is about to act once more; fails where it does so without end. */
fb_status fb_chatter_note(fb_sim* s, int event, fb_error* error);

#endif
