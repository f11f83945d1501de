/* fields.h -- the arrays of a struct as a table: what they are is said once, and their declarations and places follow.
 *
 *   #define FB_SPRINGS_SCRATCH(FIELD) FIELD(double, force, s->nv, "on the coordinates [N]")
 *   typedef struct fb_springs { FB_SPRINGS_SCRATCH(FB_FIELD_DECLARE) } fb_springs;
 *   static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
 *     fb_springs* to = &s->spring;
 *     FB_SPRINGS_SCRATCH(FB_FIELD_IN_SCRATCH)
 *   }
 *
 * Counts may use what the function that places them has in scope. */
#ifndef FB_BASE_FIELDS_H
#define FB_BASE_FIELDS_H

#include "base/arena.h"

#define FB_FIELD_DECLARE(type, name, count, meaning) type* name;
#define FB_FIELD_IN_STATE(type, name, count, meaning) \
  to->name = (type*)fb_arena_take(state, (size_t)(count) * sizeof(type));
#define FB_FIELD_IN_SCRATCH(type, name, count, meaning) \
  to->name = (type*)fb_arena_take(scratch, (size_t)(count) * sizeof(type));

#endif
