/* fields.h -- fields of a simulation for springs, tethers and bushings. */
#ifndef FB_ELEMENT_FIELDS_H
#define FB_ELEMENT_FIELDS_H

#include "base/fields.h"

#define FB_ELEMENTS_SCRATCH(FIELD)                                                               \
  FIELD(int, block, s->element.count, "the blocks that are elements")                            \
  FIELD(unsigned char, phase, s->element.count, "an fb_stop_phase; all but tethers always push") \
  FIELD(double, force, s->nv, "forces of all on the coordinates (flow.c)")

typedef struct fb_elements {
  int count, ntether;
  double loss; /* power lost in their dampers, of the last evaluation [W] */
  FB_ELEMENTS_SCRATCH(FB_FIELD_DECLARE)
} fb_elements;

#endif
