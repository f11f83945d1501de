/* fields.h -- fields of a simulation for blocks, events, motions, wrenches and steps; accuracy/fields.h: for errors
 * of steps. */
#ifndef FB_SIM_FIELDS_H
#define FB_SIM_FIELDS_H

#include <freebody/sim.h>

#include "base/fields.h"
#include "base/text_set.h"

#define FB_CHART_SCRATCH(FIELD) \
  FIELD(double, xi, 3 * s->chart.nquat, "rotation vectors from the start of the step")

/* Coordinates in the form of the integrators: quaternions, and runs of plain numbers q[q_at + i]' = v[v_at + i]. */
typedef struct fb_chart {
  int nquat, nrun;
  int *quat_q, *quat_v;
  int *run_q, *run_v, *run_count;
  int* is_length; /* [nv] 1: a length; 0: it turns */
  int* is_free;   /* [nv] 1: of a free joint */
  void* memory;
  FB_CHART_SCRATCH(FB_FIELD_DECLARE)
} fb_chart;

/* ---- blocks ---- */

#define FB_BLOCKS_STATE(FIELD)                             \
  FIELD(double, memory, s->block.nmemory, "of all blocks") \
  FIELD(long long, ticks, s->block.count, "made so far")

#define FB_BLOCKS_SCRATCH(FIELD)                                                                     \
  FIELD(int, memory_offset, s->block.count, "in memory")                                             \
  FIELD(int, state_offset, s->block.count, "in the state part of y")                                 \
  FIELD(int, wrenches, 2 * s->block.count, "of the last evaluation: its first wrench, and how many") \
  FIELD(int, in_offset, s->block.count, "where its inputs begin")                                    \
  FIELD(int, out_offset, s->block.count, "where its outputs begin")                                  \
  FIELD(int, order, s->block.count, "who gives before who takes (ports.c)")                          \
  FIELD(fb_signal, in_signals, s->block.nin, "what the inputs are")                                  \
  FIELD(unsigned char, linked, s->block.count, "its outputs are inputs of blocks")                   \
  FIELD(unsigned char, wanted, s->block.count, "its outputs are computed")                           \
  FIELD(double, in, s->block.nin, "values of all inputs")                                            \
  FIELD(double, out, s->block.nout, "values of all outputs")

typedef struct fb_blocks {
  fb_block* list;
  int count;
  size_t room;
  int nin, nout; /* numbers of all inputs, of all outputs */
  int nmemory;
  int nmoving; /* blocks that may move coordinates */
  /* Called at the start, after those of the blocks: changes their states and the mode; or NULL. */
  fb_status (*take_up)(const void* user, fb_sim* sim, fb_error* error);
  const void* take_up_user;
  FB_BLOCKS_STATE(FB_FIELD_DECLARE)
  FB_BLOCKS_SCRATCH(FB_FIELD_DECLARE)
} fb_blocks;

/* ---- events ---- */

/* Whether an event's signal has moved further from its level than its error: not known, yes, no. */
typedef enum fb_sureness { FB_SURE_UNKNOWN, FB_SURE_YES, FB_SURE_NO } fb_sureness;

#define FB_EVENTS_STATE(FIELD)                                                                         \
  FIELD(int, side, s->event.count,                                                                     \
        "of the level on which a crossing's signal is: -1, 0 not known, +1, 2 on it")                  \
  FIELD(int, sure, s->event.count, "whether the neighbouring motion is on that side too: fb_sureness") \
  FIELD(long long, fired, s->event.count, "times that it happened")

#define FB_EVENTS_SCRATCH(FIELD)                                                            \
  FIELD(struct fb_watch_end, ends, s->event.count, "of the signals of events (crossing.h)") \
  FIELD(double, root, s->event.count, "when its signal passes in this step")                \
  FIELD(unsigned char, due, s->event.count, "1: it is")                                     \
  FIELD(unsigned char, happened, s->event.count, "at this instant, already")                \
  FIELD(fb_event_record, records, s->event.count, "of the step last made")                  \
  FIELD(struct fb_chatter, chatter, s->event.count, "(chatter.h)")

typedef struct fb_events {
  fb_event* list;
  int count, nrecord;
  size_t room;
  fb_text_set names;
  FB_EVENTS_STATE(FB_FIELD_DECLARE)
  FB_EVENTS_SCRATCH(FB_FIELD_DECLARE)
} fb_events;

/* ---- motions ---- */

typedef struct fb_motions_head {
  int nmoved; /* coordinates that are not driven by force */
  int nheld;  /* of these, coordinates at rest on a limit, or by friction */
} fb_motions_head;

#define FB_MOTIONS_STATE(FIELD)                                                       \
  FIELD(fb_motions_head, head, 1, "")                                                 \
  FIELD(int, of, s->nv, "FB_MOTION_FORCE, FB_MOTION_LOCKED, or an index in the list") \
  FIELD(double, begun, s->nv, "when its path was taken up")                           \
  FIELD(double, shift, s->nv,                                                         \
        "what is added to its path, so that it began where the coordinate was; where it is held")

#define FB_MOTIONS_SCRATCH(FIELD)                                                          \
  FIELD(unsigned char, prescribed, s->nv, "the acceleration is given, the force is found") \
  FIELD(unsigned char, moved, s->nv, "by motions and locks, as views tell blocks")         \
  FIELD(double, moved_vdot, s->nv, "and with which accelerations")                         \
  FIELD(unsigned char, by_block, s->nv, "moved by blocks, when fb_flow_find_moved last asked")

typedef struct fb_motions {
  fb_motion* list;
  int count;
  size_t room;
  int* first; /* [nv] chosen before the start */
  FB_MOTIONS_STATE(FB_FIELD_DECLARE)
  FB_MOTIONS_SCRATCH(FB_FIELD_DECLARE)
} fb_motions;

/* ---- wrenches ---- */

#define FB_WRENCHES_SCRATCH(FIELD)                                                                 \
  FIELD(double, carried, 6 * s->m->top.nbody, "force and torque through every joint (reaction.c)") \
  FIELD(fb_wrench, list, s->wrench.room, "of the last evaluation")

typedef struct fb_wrenches {
  int count, room; /* room: of blocks, then of the parts that add more */
  int nexternal;   /* the first are external; the others are pairs between frames */
  int first_hard;  /* of the pairs, those of hard contacts are the last, from here on */
  FB_WRENCHES_SCRATCH(FB_FIELD_DECLARE)
} fb_wrenches;

/* ---- the step last made, or being made ---- */

#define FB_STEP_STATE(FIELD) \
  FIELD(double, momentum, s->nv + 9 * s->tree.nroot, "as the momentum method keeps them")

typedef struct fb_step {
  double t0;        /* where it began */
  unsigned epoch;   /* counts what resets the integrator: jumps, edges, ticks */
  int unsettled;    /* events and ticks at its end have not been processed yet */
  int cut, at_edge; /* it ended before its limit, at a crossing; at an edge */
  double t_left; /* blocks are evaluated at times below this: the left side of the edge that ends the step */
  FB_STEP_STATE(FB_FIELD_DECLARE)
} fb_step;

/* States sampled in a step. */
typedef struct fb_probe_known {
  long long step; /* fb_sim_head.steps then, */
  unsigned epoch; /* and the epoch */
  double t1;      /* where the step ends, before an event cuts it */
  unsigned inside;
  int neighbour[2];
} fb_probe_known;

enum { FB_INSIDE = 6 };

#define FB_PROBE_SCRATCH(FIELD)                                                                \
  FIELD(double, neighbour, 2 * s->ny, "a little after its start, and a little before its end") \
  FIELD(double, y_root, s->ny, "where the root of an event is sought")                         \
  FIELD(double, rate, s->ny, "y' at an end of the step (crossing.c)")                          \
  FIELD(double, inside, FB_INSIDE * s->ny, "states inside it, for all that is watched")        \
  FIELD(double, turning, s->m->top.nbody, "bounds on angular speeds")

typedef struct fb_probe {
  fb_probe_known known; /* which of the states below are known */
  FB_PROBE_SCRATCH(FB_FIELD_DECLARE)
} fb_probe;

/* ---- failures of steps ---- */

/* A law of a frame, where it is nearest to a pose in which its joints cannot move the frame along some direction. */
typedef struct fb_singular {
  int block;
  double value; /* the smallest singular value, */
  double part;  /* as part of the largest; 1 where nothing is known */
  double t;
} fb_singular;

#define FB_FAILURE_SCRATCH(FIELD)                        \
  FIELD(double, q_begun, s->nq, "as given at the start") \
  FIELD(double, y_ordinary, s->ny, "the last state that looked ordinary (failure.c)")

typedef struct fb_failures {
  double t_ordinary;          /* the time of y_ordinary */
  fb_singular singular;       /* the nearest in steps after which the ledger did not close (singular.c) */
  fb_singular singular_begun; /* the same at the start */
  int watching;               /* 1: results of blocks are checked; 2: a fault was found (failure.c) */
  FB_FAILURE_SCRATCH(FB_FIELD_DECLARE)
} fb_failures;

#endif
