/* element.h -- elements between frames: their laws, blocks and memory, shared by the files of this folder. What a
 * step calls: elements.h. */
#ifndef FB_ELEMENT_ELEMENT_H
#define FB_ELEMENT_ELEMENT_H

#include <freebody/element.h>
#include <freebody/sim.h>

#include "block/kind.h"

/* Memory of a spring: stiffness, damping, length. Of a bushing: six of stiffness, six of damping. */
enum { FB_SPRING_STIFFNESS, FB_SPRING_DAMPING, FB_SPRING_LENGTH, FB_SPRING_MEMORY };
enum { FB_BUSHING_AXES = 6, FB_BUSHING_MEMORY = 2 * FB_BUSHING_AXES };

/* An element as it was given; what can change is in the memory of its block. */
typedef struct fb_pair {
  char* name;
  int a, b;
  int is_bushing, slack;
  double first[FB_BUSHING_MEMORY]; /* memory at the start; a negative length: the distance then */
} fb_pair;

/* State and forces of an element at an instant. */
typedef struct fb_pair_push {
  double force[3], torque[3]; /* on b at its origin, world axes */
  double arm[3];              /* from a's origin to b's, world axes */
  double energy, loss;        /* stored [J], lost in dampers [W] */
  double length, tension;     /* of a spring: distance [m], force along the line [N] */
  double excess;              /* of a spring: length beyond the one without tension [m] */
  double pull;                /* of a spring: its tension if it were taut [N] */
} fb_pair_push;

/* The element of a block; NULL when the block is not an element. */
static inline const fb_pair* fb_pair_of(const fb_block* block) {
  return fb_block_is(block, &FB_BLOCK_ELEMENT) ? (const fb_pair*)block->user : NULL;
}

/* ---- element_law.c ---- */

/* The phase of a tether: FB_STOP_CLEAR when it hangs loose, FB_STOP_PUSHES when it is taut, FB_STOP_SLACK when it is
 * longer than its length but shortens faster than its damper follows. Everything else is always taut. */
int fb_pair_phase(const fb_pair* e, const fb_pair_push* push);
/* Poses and velocities for an element at a moment: as seen by what floats where both its frames do (local_frame.h). */
const fb_data* fb_pair_kinematics(const fb_context* context, const fb_pair* e);
/* Its force at the poses and velocities in d; phase < 0: the phase follows from them. */
void fb_pair_push_at(const fb_model* m, const fb_data* d, const fb_pair* e, const double* memory, int phase,
                     fb_pair_push* push);
/* The reaction on a at its origin. */
void fb_pair_reaction(const fb_pair_push* push, double force[3], double torque[3]);
/* The rate of the fastest motion that it alone causes [1/s], and the coordinate with the largest part of it; after
 * fb_kinematics and fb_response_begin. A tether counts as taut. x: nv numbers of scratch. */
FB_API double fb_pair_rate(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_pair* e,
                           const double* memory, double* x, int* coordinate);

/* ---- element_block.c ---- */

/* Whether the value of a parameter is valid. */
fb_status fb_pair_check(const fb_pair* e, int parameter, double value, fb_error* error);

#endif
