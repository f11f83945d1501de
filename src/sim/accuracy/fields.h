/* fields.h -- fields of a simulation for errors of steps and their growth (growth.c). */
#ifndef FB_SIM_ACCURACY_FIELDS_H
#define FB_SIM_ACCURACY_FIELDS_H

#include <freebody/sim.h>

#include "base/fields.h"

/* A step of a method, from (t, y0); its stages are in s->stages. Of a step made aside, the stages of the motion are
 * at FB_MAX_STAGES and after. */
typedef fb_status (*fb_step_map)(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                                 fb_error* error);

typedef struct fb_growth_map {
  fb_step_map step;
  void* self;
} fb_growth_map;

/* Of a method with error control (growth.c): the step whose differences are propagated, and the one that is
 * continued, whose error is sampled, with its order; 0: neither. cut: the step that is propagated where an event ends
 * it early; interpolates: such an end is found by interpolation, not by that step. exact: a far more exact step over
 * several steps, if there is one. */
typedef struct fb_growth {
  fb_growth_map followed, sampled, cut, exact;
  int order, interpolates;
} fb_growth;

/* Whether the error of a step was found, and which steps it represents; one cut by an event is no sample. */
typedef enum fb_sample_kind {
  FB_SAMPLE_NONE,
  FB_SAMPLE_MEMBER, /* of a group that continues */
  FB_SAMPLE_GROUP,  /* the last of one */
  FB_SAMPLE_OF_ALL,
  FB_SAMPLE_ALONE,
  FB_SAMPLE_CUT
} fb_sample_kind;
typedef struct fb_sample {
  fb_sample_kind kind;
  double expected, error; /* of its error [s], up to a factor; what it was found to be */
  int ends_group;         /* which went up to the start of this step */
} fb_sample;

/* A number of the simulation whose zero ends a step. */
typedef struct fb_zero {
  fb_status (*value)(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error);
  int index; /* handed to value */
} fb_zero;

typedef struct fb_errors_head {
  double step_next;      /* error control: the step to try next, 0: find one [s] */
  double step_rate;      /* the fastest decay that stands out, for stability [1/s] */
  double step_err;       /* and the error of the last one, for the controller */
  double error;          /* the largest estimated distance from the true motion (growth.c), */
  double error_t;        /* and since when it is more than was promised; INFINITY: it is not [s] */
  long long sampled;     /* the steps made when one was last made in halves as well */
  double found;          /* the error of that step over the expected one [1/s]; */
  double expected;       /* the expected error of it, or of a later one that was sampled for itself [s], */
  double unsampled;      /* and of those that were not, together [s] */
  double group_t;        /* where a group of steps began whose error is found together [s], */
  double group_expected; /* and its expected error so far [s] */
  int group;             /* steps in it; 0: there is none, or something happened since */
  int every;             /* steps until the next is due */
  int amplifier; /* 1 + the contact at whose impact the error grew most, until it was too large (moreau_beside.c), */
  double amplified;   /* by that factor, */
  double amplified_t; /* and when [s] */
  int error_lost;     /* 1: it could not be estimated any more; */
  int unsure;         /* 1 + the event of which this error decided whether it happens; 0: none did */
} fb_errors_head;

#define FB_ERROR_LENGTH (2 * s->nv + s->nx + s->block.nmemory)
#define FB_ERROR_STATE(FIELD)                                                               \
  FIELD(fb_errors_head, head, 1, "")                                                        \
  FIELD(double, off, FB_ERROR_LENGTH, "estimated difference to the true motion (growth.c)") \
  FIELD(double, group_y, s->ny, "where the group of steps began")                           \
  FIELD(double, group_rate, s->ny, "and the first stage there")
#define FB_ERROR_SCRATCH(FIELD)                                                                   \
  FIELD(double, stages_neighbour, FB_MAX_STAGES * s->ny, "of the neighbouring motion, as stages") \
  FIELD(double, y_neighbour, s->ny, "its start")                                                  \
  FIELD(double, y_neighbour_1, s->ny, "its end")                                                  \
  FIELD(double, off_state, s->ny, "scratch")                                                      \
  FIELD(double, off_next, FB_ERROR_LENGTH, "off after the step last made")                        \
  FIELD(double, off_other, FB_ERROR_LENGTH, "scratch")                                            \
  FIELD(double, off_local, FB_ERROR_LENGTH, "of the step last made, its own error")               \
  FIELD(double, memory_neighbour, s->block.nmemory, "of the neighbouring motion")

enum { FB_MAX_STAGES = 12 };

typedef struct fb_errors {
  double tolerance;     /* relative, of a step: rtol, or a part of the accuracy (tolerance.c) */
  int level;            /* steps are 1/2^level of the whole (refine.c) */
  double refined_since; /* INFINITY: they never were [s] */
  double stiff_since;   /* INFINITY: not known to be [s] */
  int follows;          /* 1: the difference to the true motion is estimated */
  int aside;            /* 1: the neighbouring state is being stepped; the ledger is left out */
  double* of_motion;    /* aside: the stages that the motion has made */
  fb_growth growth;     /* the method whose errors are followed */
  fb_sample sample;     /* of the step last made */
  fb_zero zero;         /* the value whose zero ended the last step; value NULL: none */
  double delay;         /* by how much that is later in the neighbouring motion, over sigma [s] */
  FB_ERROR_STATE(FB_FIELD_DECLARE)
  FB_ERROR_SCRATCH(FB_FIELD_DECLARE)
} fb_errors;

#endif
