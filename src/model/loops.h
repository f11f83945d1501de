/* loops.h -- loops of a definition, checked and compiled. */
#ifndef FB_MODEL_LOOPS_H
#define FB_MODEL_LOOPS_H

#include "model/model.h"

/* How many loops, rows and coordinates in gears there are: before memory is taken. */
void fb_loops_count(fb_model* m);

/* Checks all loops of a model whose links and sites are compiled, and fills in their part of it. */
fb_status fb_loops_compile(fb_model* m, fb_error* error);

#endif
