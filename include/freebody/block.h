/* block.h -- what acts on a moving robot: control laws, thrusters, schedules, a user's own forces.
 *
 * A block is a table of functions and the amount of memory it needs. All that it remembers lives in memory that
 * the simulation owns, so that a run can be stopped, copied and resumed exactly:
 *
 *   memory   numbers that stay from call to call; the first of them may be named parameters, which events set
 *   state    numbers integrated with the motion, x' = rate (the integral of a PID, a filter, a motor's lag)
 *
 * `act` is called at every stage of every step and must depend on its arguments only. `tick` is called at fixed
 * instants and may write memory: what it leaves there is held until the next one (sample and hold). A block that
 * has both is a sampled control law with continuous action; either may be NULL.
 *
 * Ports: `output` tells numbers that others may know, as a function of the same arguments as act. They are signals of
 * the simulation, BLOCK.PORT (freebody/signal.h), and so may be logged, plotted and watched by events; a block that
 * names one among its inputs finds it in its context. Who gives is asked before who takes; blocks whose outputs wait
 * for one another are refused by fb_sim_start. A block without ports costs nothing more. */
#ifndef FREEBODY_BLOCK_H
#define FREEBODY_BLOCK_H

#include <freebody/data.h>
#include <freebody/dynamics.h>
#include <freebody/environment.h>
#include <freebody/export.h>
#include <freebody/model.h>
#include <freebody/parameters.h>
#include <freebody/status.h>

typedef struct fb_kinematics_cache fb_kinematics_cache;

/* The moment at which a block is asked. */
typedef struct fb_context {
  const fb_model* model;
  fb_data* data; /* for the block's own dynamics; holds nothing on entry */
  double t;      /* [s] */
  const double* q;
  const double* v;
  const fb_environment* environment; /* NULL: no gravity */
  const double* inputs;              /* of the block, one after the other in declared order; NULL in start */
  fb_kinematics_cache* cache_;       /* of the simulation, for fb_context_kinematics; or NULL */
} fb_context;

/* Where a block puts what it does. */
typedef struct fb_action {
  double* tau;          /* [nv] add to it; power-conjugate to v */
  double* vdot;         /* [nv] of blocks that move coordinates: the accelerations wanted, */
  unsigned char* moved; /* [nv] and 1 where one is; the force that it takes follows */
  fb_wrench* wrenches;  /* use fb_action_wrench */
  int nwrench;
  int room;
} fb_action;

/* Numbers that a block gives, or takes. Several are told apart as .x .y .z when they are 3 and have axes, else as .0 .1
 * and so on. */
typedef struct fb_port {
  const char* name; /* "rate"; of an input the signal that it takes: "omega.hub", "gyro.rate" */
  const char* unit; /* "rad/s"; "1" without unit. Of an input: what it must be; NULL: anything */
  const char* axes; /* "world", "joint", the name of a frame; "" where there are none. Of an input likewise */
  int count;
} fb_port;

typedef struct fb_block {
  const char* name; /* unique in a simulation; copied */
  void* user;
  double period;                 /* > 0: tick is called at 0, period, 2 period ...; 0: no ticks [s] */
  unsigned modes;                /* bit i: it acts in mode i of the simulation; 0: in every mode */
  int nmemory;                   /* doubles of memory */
  int nstate;                    /* doubles of state */
  int nwrench;                   /* the most wrenches that act adds */
  int moves;                     /* 1: act may fill action->vdot; not with FB_METHOD_MOMENTUM */
  const char* const* parameters; /* names of the first entries of memory, NULL-ended; or NULL */
  const fb_port* outputs;        /* [noutput] they and their texts live as long as the block */
  const fb_port* inputs;         /* [ninput] likewise. Signals that depend on forces cannot be taken */
  int noutput, ninput;
  int held; /* 1: output reads memory only, as tick left it, and not the inputs of the moment */

  /* Fills memory and state, both zero on entry, before the first step. */
  fb_status (*start)(void* user, const fb_context* context, double* memory, double* state, fb_error* error);
  fb_status (*tick)(void* user, const fb_context* context, double* memory, double* state, fb_error* error);
  fb_status (*act)(void* user, const fb_context* context, const double* memory, const double* state,
                   fb_action* action, double* state_rate, fb_error* error);
  /* Fills all outputs, zero on entry, one after the other in declared order: in every mode. NULL without outputs. */
  fb_status (*output)(void* user, const fb_context* context, const double* memory, const double* state,
                      double* outputs, fb_error* error);
  /* The next instant after t at which what act does, or an output, jumps or bends; INFINITY when there is none. Steps end
   * there, so that no step straddles it. NULL: never. */
  double (*next_edge)(void* user, const double* memory, double t);
  void (*free)(void* user); /* called when the simulation is freed, or refuses the block; or NULL */
} fb_block;

FB_BEGIN_DECLS

/* A block that does nothing, to be filled. */
FB_API fb_block fb_default_block(void);
/* Frees what a block points to, by its own `free`, when it is not handed on to a simulation or to another block; it then
 * does nothing. */
FB_API void fb_block_free(fb_block* block);
/* 1 where a motion or a lock of the simulation, not a force, says how coordinate k moves at this moment: what a block does
 * to it is without effect. *acceleration (may be NULL) is then the one that it has. 0 elsewhere. */
FB_API int fb_context_moved(const fb_context* context, int k, double* acceleration);
/* The masses, springs and limits that the simulation runs with: its own, or the model's. */
FB_API const fb_parameters* fb_context_parameters(const fb_context* context);
/* Poses and velocities at the context's q and v, for fb_frame_pose, fb_frame_velocity, fb_frame_jacobian and the like.
 * They are computed once for all blocks that ask. A context made by hand has no cache: they are then computed into data. */
FB_API const fb_data* fb_context_kinematics(const fb_context* context);
/* Loads of the context: its environment at its time, all passive forces, no wrenches. */
FB_API fb_loads fb_context_loads(const fb_context* context);
/* How many numbers some ports have together. */
FB_API int fb_ports_width(const fb_port* ports, int count);
/* The next free wrench, zeroed; NULL when the block has used all that it declared. */
FB_API fb_wrench* fb_action_wrench(fb_action* action);

FB_END_DECLS

#endif
