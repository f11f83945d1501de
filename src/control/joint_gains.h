/* joint_gains.h -- coordinates with gains, bounds and targets in memory, shared by the joint laws. */
#ifndef FB_CONTROL_JOINT_GAINS_H
#define FB_CONTROL_JOINT_GAINS_H

#include <freebody/control.h>

#include "base/pool.h"

/* Places of a coordinate's parameters, counted from memory_at; ki and target only where there are any. */
enum { FB_GAIN_KP, FB_GAIN_KD, FB_GAIN_EFFORT };

typedef struct fb_gain_coordinate {
  fb_pd_joint given;    /* its coordinate: in the present model, -1 when its joint has gone */
  int first;            /* the coordinate in the first model */
  int q_at;             /* in q */
  int memory_at;        /* of its first parameter */
  int ki_at, target_at; /* in memory; -1 when it has none */
  int state_at;         /* of its integral; -1 when it has none */
  fb_spline* path;      /* its own copy, which given.path names; or NULL */
} fb_gain_coordinate;

typedef struct fb_joint_gains {
  const fb_model* original;        /* the model that they were made for */
  fb_pool pool;                    /* all that follows */
  fb_gain_coordinate* coordinates; /* [count] */
  const char* name;                /* the block's */
  const char** parameters;         /* NULL-ended */
  fb_port* outputs;                /* [count] "error.NAME" */
  int count, nmemory, nstate;
  void* law; /* what the law has besides; or NULL. Its own to free */
} fb_joint_gains;

/* How far a coordinate is from where it should be. */
typedef struct fb_gain_error {
  double place, rate;  /* wanted less actual */
  double acceleration; /* wanted */
} fb_gain_error;

/* Checks all and copies it. `type` is the kind of block, for messages. */
fb_status fb_joint_gains_new(const fb_model* m, const char* type, const char* name, const fb_pd_joint* joints,
                             int count, fb_joint_gains** gains, fb_error* error);
/* Makes a block of them, which frees them: its outputs are how far each coordinate is from where it should be. What it does
 * is left to the law. */
void fb_joint_gains_fill(fb_joint_gains* gains, fb_block* block);
void fb_joint_gains_free(void* gains);
/* The parameters as they were given. */
void fb_joint_gains_start(const fb_joint_gains* gains, double* memory);
fb_gain_error fb_joint_gains_error(const fb_gain_coordinate* c, const fb_context* context,
                                   const double* memory);
/* Finds the coordinates in another model. */
fb_status fb_joint_gains_rebind(void* gains, const fb_model* m, fb_error* error);
/* The next knot of any path after t. */
double fb_joint_gains_next_edge(const fb_joint_gains* gains, double t);

#endif
