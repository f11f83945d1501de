/* chatter.h -- detects events that recur without end (chatter.c). */
#ifndef FB_SIM_CHATTER_H
#define FB_SIM_CHATTER_H

#include "sim/sim.h"

/* How often an event has acted since a given time, and in which modes. */
typedef struct fb_chatter {
  double from;
  int count;
  unsigned modes; /* bit i: mode i */
} fb_chatter;

/* At a start, or after a restore: no event has acted yet. */
void fb_chatter_begin(fb_sim* s);
/* Counts an event that is about to act; fails when it acts without end. */
fb_status fb_chatter_note(fb_sim* s, int event, fb_error* error);

#endif
