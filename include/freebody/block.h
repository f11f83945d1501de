/* block.h -- blocks: control laws, thrusters, schedules and user-defined forces that act on a simulation.
 *
 * A block is a table of functions plus the amount of memory it needs. Everything it remembers is kept in memory that
 * the simulation owns, so that a run can be stopped, copied and resumed exactly:
 *
 *   memory   numbers kept from call to call; the first of them may be named parameters, which events can set
 *   state    numbers integrated with the motion, x' = rate (the integral of a PID, a filter, a motor's lag)
 *
 * `act` is called at every stage of every step and must depend on its arguments only. `tick` is called at fixed
 * instants and may write memory: what it writes is kept until the next tick (sample and hold). A block that
 * has both is a sampled control law with continuous action; either may be NULL.
 *
 * Ports: `output` computes the block's outputs from the same arguments as act. Outputs are signals of the simulation,
 * BLOCK.PORT (freebody/signal.h), so they can be logged, plotted and used to trigger events; a block that lists one
 * among its inputs receives it in its context. Outputs are computed before the blocks that use them; fb_sim_start
 * rejects blocks whose outputs depend on each other in a cycle. A block without ports has no extra cost. */
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
typedef struct fb_block_kind fb_block_kind;

/* Time, state and environment at which a block is evaluated. */
typedef struct fb_context {
  const fb_model* model;
  fb_data* data; /* scratch for the block's own dynamics; nothing is computed in it on entry */
  double t;      /* [s] */
  const double* q;
  const double* v;
  const fb_environment* environment; /* NULL: no gravity */
  const double* inputs;              /* values of the block's inputs, in declared order; NULL in start */
  fb_kinematics_cache* cache_;       /* private: for fb_context_kinematics; or NULL */
} fb_context;

/* The output of a block's act. */
typedef struct fb_action {
  double* tau;          /* [nv] add to it; power-conjugate to v */
  double* vdot;         /* [nv] for blocks that prescribe motion: the desired accelerations, */
  unsigned char* moved; /* [nv] and 1 for each coordinate that has one; the required force is computed */
  fb_wrench* wrenches;  /* use fb_action_add_wrench */
  int nwrench;
  int room;
} fb_action;

/* An output or input of a block. The components of a port are named .x .y .z when there are 3 and they have axes,
 * otherwise .0 .1 and so on. */
typedef struct fb_port {
  const char* name; /* "rate"; for an input, the signal to read: "omega.hub", "gyro.rate" */
  const char* unit; /* "rad/s"; "1" without unit. For an input: the required unit; NULL: any */
  const char* axes; /* "world", "joint", the name of a frame; "": none. For an input: as for unit */
  int count;
} fb_port;

typedef struct fb_block {
  const char* name; /* unique in a simulation; copied */
  void* user;
  double period;                 /* > 0: tick is called at 0, period, 2 period ...; 0: no ticks [s] */
  unsigned modes;                /* bit i: the block acts in mode i of the simulation; 0: in every mode */
  int nmemory;                   /* doubles of memory */
  int nstate;                    /* doubles of state */
  int nwrench;                   /* the largest number of wrenches that act adds */
  int moves;                     /* 1: act may fill action->vdot; not with FB_METHOD_MOMENTUM */
  const char* const* parameters; /* names of the first entries of memory, NULL-terminated; or NULL */
  const fb_port* outputs;        /* [noutput] array and strings must live as long as the block */
  const fb_port* inputs;         /* [ninput] likewise. Signals that depend on forces cannot be inputs */
  int noutput, ninput;
  int held; /* 1: output reads only the memory written by tick, not the current inputs */
  /* The longest step under error control, unless fb_sim_options.max_step gives one, so that steps do not miss short
   * pulses which next_edge does not announce. 10 ms for scripts, plugins and Python functions; 0: no bound [s] */
  double longest_step;
  /* private: of contacts and elements, for which the simulation has code of its own; or NULL */
  const fb_block_kind* kind_;
  int tick_aside_; /* private: 1: tick has no effect but on its memory and state, so that it may be called with copies */

  /* Fills memory and state, both zero on entry, before the first step. */
  fb_status (*start)(void* user, const fb_context* context, double* memory, double* state, fb_error* error);
  fb_status (*tick)(void* user, const fb_context* context, double* memory, double* state, fb_error* error);
  fb_status (*act)(void* user, const fb_context* context, const double* memory, const double* state,
                   fb_action* action, double* state_rate, fb_error* error);
  /* Adds the slopes of the action over position and rate, -d tau_k / d q_k and -d tau_k / d v_k, both at least 0, to
   * stiffness and damping (nv). FB_METHOD_IMPLICIT needs them for long steps with stiff gains. Called after act
   * with the same arguments. Estimates suffice: they affect stability only. NULL: none declared; scenarios without a
   * step then take differences of act at the start, in a separate simulation. */
  void (*gains)(void* user, const fb_context* context, const double* memory, const double* state,
                double* stiffness, double* damping);
  /* private: called after act with the same arguments; marks the coordinates (nv) whose springs, dampers and friction
   * act has compensated, so that they make no joint stiff. Or NULL. */
  void (*compensates_)(void* user, const fb_context* context, const double* memory,
                       unsigned char* compensated);
  /* Fills all outputs, zero on entry, in declared order; called in every mode. NULL without outputs. */
  fb_status (*output)(void* user, const fb_context* context, const double* memory, const double* state,
                      double* outputs, fb_error* error);
  /* The next instant after t at which the action or an output is discontinuous in value or slope; INFINITY when there
   * is none. Steps end there, so that no step straddles it. NULL: never. */
  double (*next_edge)(void* user, const double* memory, double t);
  /* The simulation has another model, of the same bodies and frames in other trees (fb_sim_join, fb_sim_part): frames
   * and bodies keep their ids, coordinates have to be looked up again, by fb_model_coordinate_from or by the names of
   * joints, and arrays of nq or nv numbers have to be resized. A block must not act on a joint that no longer exists.
   * May allocate. The model lives until the next call. On failure the block must be as it was; it is then called with
   * the former model again. fb_fail(error, FB_OK, ...) leaves a note for the user. NULL: the block keeps no indices
   * of coordinates and no arrays of that size. */
  fb_status (*rebind)(void* user, const fb_model* model, fb_error* error);
  void (*free)(void* user); /* called when the simulation is freed, or rejects the block; or NULL */
  int cookie_;              /* set by fb_default_block */
} fb_block;

FB_BEGIN_DECLS

/* A block that does nothing, ready to be filled in. */
FB_API fb_block fb_default_block(void);
/* Frees a block that was not passed to a simulation or to another block, by calling its own `free`. The block then does
 * nothing. */
FB_API void fb_block_free(fb_block* block);
/* Returns 1 if the motion of coordinate k is currently prescribed by the simulation (a motion or a lock) rather than
 * driven by force. A block's action on such a coordinate has no effect; its acceleration is stored in *acceleration
 * (may be NULL). Returns 0 otherwise. */
FB_API int fb_context_is_moved(const fb_context* context, int k, double* acceleration);
/* The masses, springs and limits in use: the simulation's own, or the model's. */
FB_API const fb_parameters* fb_context_parameters(const fb_context* context);
/* Poses and velocities at the context's q and v, for fb_frame_pose, fb_frame_velocity, fb_frame_jacobian and the like.
 * They are computed once and shared by all blocks. A context made by hand has no cache: they are then computed into
 * data. */
FB_API const fb_data* fb_context_kinematics(const fb_context* context);
/* Loads of the context: its environment at its time, all passive forces, no wrenches. */
FB_API fb_loads fb_context_loads(const fb_context* context);
/* The total number of values of the given ports. */
FB_API int fb_port_width(const fb_port* ports, int count);
/* The next free wrench, zeroed; NULL when the block has used all wrenches it declared. */
FB_API fb_wrench* fb_action_add_wrench(fb_action* action);

FB_END_DECLS

#endif
