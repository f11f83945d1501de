/* sim.h -- internals of fb_sim: set-up, state, and scratch. */
#ifndef FB_SIM_SIM_H
#define FB_SIM_SIM_H

#include <stdint.h>

#include <freebody/response.h>
#include <freebody/sim.h>

#include "base/text_set.h"
#include "block/kinematics_cache.h"
#include "model/data.h"
#include "model/model.h"

/* Coordinates as the integrators see them: quaternions, and runs of plain numbers q[q_at + i]' = v[v_at + i]. */
typedef struct fb_chart {
  int nquat, nrun;
  int *quat_q, *quat_v;
  int *run_q, *run_v, *run_count;
  int* is_length; /* [nv] 1: a length; 0: it turns */
  int* is_free;   /* [nv] 1: of a free joint */
} fb_chart;

/* A tree whose base floats: where its free joint stands, which never moves. */
typedef struct fb_float_root {
  int body, link, q_at, v_at;
  double R_wj[9], p_wj[3];
} fb_float_root;

/* A tree: links connected without passing the world. The ledger judges each by itself. */
typedef struct fb_sim_tree {
  int body;    /* its first */
  int link;    /* likewise */
  int root;    /* index in roots when its base floats, or -1: it stands on the world */
  int z_at;    /* where its quadratures begin in the ledger's part of y: FB_T_WORK ... */
  double size; /* how far its mass reaches from its first joint, at the neutral configuration [m] */
} fb_sim_tree;

/* A tree in its own frame: about its centre of mass when it floats, else the world's (tree.c). */
typedef struct fb_own {
  double mass;
  double com[3], com_v[3];   /* from the base's origin, relative to it; world axes; zero on the world */
  double drift[3];           /* velocity of the centre of mass in the world; zero on the world */
  double kinetic, potential; /* potential: springs, and gravity of trees on the world */
  double potential_size;     /* sum of the magnitudes of what was summed for it */
  double angular[3];         /* about the centre of mass */
  double spread;             /* sum of m |r|^2 about the centre of mass */
  double inertia[6];         /* about it: xx, yy, zz, xy, xz, yz; of fb_trees_momenta */
} fb_own;

/* Of a group of floating trees in a step (conserve.c): centre of mass, from the base of its first tree, its velocity, and the
 * angular momentum about it, at the start; where both are at the middle, and what acts from outside there: forces, those
 * between groups among them, and moments about the centre of mass. World axes but for at_middle, which is the base's. */
typedef struct fb_conserved {
  double com[3], drift[3], angular[3];
  double middle[3], at_middle[3];
  double force[3], between[3], moment[3];
} fb_conserved;

enum { FB_NOT_KEPT = -1 }; /* a tree on the world, or one that a loop connects with it */

/* The worst residual at the end of a step: how large, its scale, when. */
typedef struct fb_worst {
  double residual, scale, t;
} fb_worst;

/* What the ledger keeps of a tree, in its own frame. */
typedef struct fb_books {
  double energy_0, potential_0, linear_0[3],
      angular_0[3]; /* at the start; angular: about the centre of mass */
  double impacts;   /* energy gained at jumps */
  /* The most seen at the ends of steps, and after jumps. */
  double kinetic, potential_change, potential_size, spread;
  double speed; /* of its centre of mass in the world */
  fb_worst energy, linear, angular;
} fb_books;

enum { FB_CRAWL_SHORT = 1, FB_CRAWL_WINDOWS = 3 }; /* the second: a hundredth of a step */

/* The first part of the snapshot. */
typedef struct fb_sim_head {
  uint64_t checksum; /* of all of it, when it was saved (snapshot.c) */
  int signature[8];  /* nq, nv, states, memory, blocks, events, limits, friction law with parameters: must
                        agree to restore */
  int mode;
  int stopped;
  int nmoved;         /* coordinates that are not driven by force */
  int nheld;          /* of these, coordinates at rest on a limit, or by friction */
  int ntouch;         /* points of hard contacts that are remembered */
  int nclosed;        /* of these, those that do not part: event-driven methods hold them */
  int burst;          /* impacts since burst_from (limit/limit.c) */
  int stall;          /* contacts settled since stall_from */
  int momentum_known; /* fb_sim.momentum belongs to y */
  int jumped;         /* velocities have jumped since the last step (moreau) */
  int epoch;          /* joins and partings; their history follows the state in a snapshot (history.c) */
  double t, burst_from, stall_from;
  double crawl_from[FB_CRAWL_WINDOWS];     /* where windows of time begin, */
  long long crawl_steps[FB_CRAWL_WINDOWS]; /* and the steps made in them with hard contacts (hard_locate.c) */
  long long touch_step;                    /* the steps made when hard contacts were last settled */
  int rescues, rescue_steps; /* how often moreau helped on (rescue.c); steps that it is still to make */
  double rescued_t;          /* when it first did */
  long long steps, rejected, evaluations;
  double kinetic_0, potential_0, impacts;
  double contact_impacts; /* of these, at impacts of hard contacts */
  double stored_0;        /* energy of compliant contacts at the start [J] */
  double linear_0[3], angular_0[3];
  double peak_kinetic; /* at the end of a step, or after a jump */
  double step_next;    /* error control: the step to try next, 0: find one [s] */
  double step_rate;    /* the fastest decay that stands out, for stability [1/s] */
  double step_err;     /* and the error of the last one, for the controller */
  double error;        /* the largest estimated distance from the true motion (growth.c), */
  double error_t;      /* and since when it is more than was promised; INFINITY: it is not [s] */
  long long sampled;   /* the steps made when one was last made in halves as well */
  double found;        /* the error of that step over what was expected of it [1/s]; */
  double expected;     /* what was expected of it, or of a later one that was sampled for itself [s], */
  double unsampled;    /* and of those that were not, together [s] */
  int every;           /* steps until the next is due */
  int error_lost;      /* 1: it could not be estimated any more */
  int pushes;          /* of compliant contacts at the end of the step last made */
} fb_sim_head;

/* A step of a method, from (t, y0); its stages are in s->stages. */
typedef fb_status (*fb_step_map)(void* self, fb_sim* s, double t, const double* y0, double h, double* y1,
                                 fb_error* error);

typedef struct fb_growth_map {
  fb_step_map step;
  void* self;
} fb_growth_map;

/* Of a method with error control (growth.c): the step whose differences are followed, and the one that goes on, whose error
 * is sampled, with its order; 0: neither. */
typedef struct fb_growth {
  fb_growth_map followed, sampled;
  int order;
} fb_growth;

/* Whether the error of a step was found, and for which steps it stands; one cut by an event is none. */
typedef enum fb_sample_kind {
  FB_SAMPLE_NONE,
  FB_SAMPLE_OF_ALL,
  FB_SAMPLE_ALONE,
  FB_SAMPLE_CUT
} fb_sample_kind;
typedef struct fb_sample {
  fb_sample_kind kind;
  double expected, error; /* of its error [s], up to a factor; what it was found to be */
} fb_sample;

/* A number of the simulation whose zero ends a step. */
typedef struct fb_zero {
  fb_status (*value)(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error);
  int index; /* handed to value */
} fb_zero;

/* A join or a parting that was made. */
typedef struct fb_change {
  fb_join_def how; /* its texts are copies; of a parting: only the name */
  int is_join;
  double t;
  fb_join_impulse impulse;
  int nq;
  double* q; /* [nq] where it was made, in the model before */
} fb_change;

/* Where the joints of the first model are in the present one; all NULL while it is the first. */
typedef struct fb_first {
  int* body; /* [nbody] the body whose joint it is now; -1: it has gone */
  int* v;    /* [first nv] the coordinate that continues it; -1: none does */
  int ngone; /* attitudes of its joints that no quaternion of q continues */
  int* gone; /* [ngone] bodies, in the first model */
} fb_first;

/* What has been looked at in a step. */
typedef struct fb_step_look {
  long long step; /* fb_sim_head.steps then, */
  unsigned epoch; /* and the epoch */
  double t1;      /* where the step ends, before an event cuts it */
  unsigned inside;
  int near[2];
} fb_step_look;
enum { FB_INSIDE = 6, FB_LOOKS = FB_INSIDE + 4 };

/* Independent rows of the loops, over the evaluations of a step. */
typedef struct fb_rank_watch {
  int count, first, least, most;
} fb_rank_watch;

/* A law of a frame, where it is nearest to a pose in which its joints cannot move the frame along some direction. */
typedef struct fb_singular {
  int block;
  double value; /* the smallest singular value, */
  double part;  /* as part of the largest; 1 where nothing is known */
  double t;
} fb_singular;

struct fb_sim {
  const fb_model* m;       /* the present one */
  const fb_model* first_m; /* as given: signals refer to it */
  fb_model* own_m;         /* m, when a join or a parting has made it; else NULL */
  fb_first first;
  fb_change* changes; /* [nchange] the joins and partings so far */
  size_t room_changes;
  char notes[768];           /* what blocks said of the last of them */
  fb_data* d;                /* of the dynamics; reads the parameters below */
  fb_kinematics_cache cache; /* poses and velocities at the state last asked for */
  fb_parameters* parameters; /* its own; NULL: the model's */
  int fingerprint;           /* of its parameters */
  int has_field;             /* gravity is not uniform: the part that is not is evaluated body by body */
  fb_sim_options options;
  fb_loads
      loads; /* environment and passive kinds at the time of the last evaluation; wrenches point at `wrenches` */
  fb_stepper stepper;
  fb_stepper event_stepper; /* while moreau makes a step for it (rescue.c) */
  fb_chart chart;
  void* chart_memory;
  int* first_motion; /* [nv] motions chosen before the start */
  int nroot, nfloat, ntree;
  int nchange; /* of changes */
  fb_float_root*
      roots; /* [nfloat]; the first nroot hang on the world itself, the others on bodies fixed to it */
  fb_sim_tree* trees;
  int *link_tree, *v_tree; /* [nlink], -1: fixed to the world; [nv] */
  int*
      group; /* [ntree] the first of the floating trees that loops connect it with, or FB_NOT_KEPT (conserve.c) */
  int nz_trees;   /* quadratures of all trees */
  int has_rotors; /* some joint has armature */

  fb_block* blocks;
  int* block_memory;         /* [nblock] offset in memory */
  int* block_state;          /* [nblock] offset in the state part of y */
  int* block_wrenches;       /* [nblock][2] of the last evaluation: its first wrench, and how many */
  int *block_in, *block_out; /* [nblock] where its inputs and outputs begin */
  int* order;                /* [nblock] who gives before who takes (ports.c) */
  int nin, nout;             /* numbers of all inputs, of all outputs */
  fb_signal* in_signals;     /* [nin] */
  unsigned char* linked;     /* [nblock] its outputs are inputs of blocks */
  fb_event* events;
  fb_motion* motions;
  fb_limit* limits;       /* [nlimit] coordinate -1: its joint has gone */
  fb_limit* given_limits; /* [nlimit] of the first model, when the present one is another; else NULL */
  int nblock, nevent, nmotion, nlimit;
  int nsoft;              /* of the limits, those that give way (soft_stop.c) */
  int npair, ntether;     /* of the blocks, elements between frames (element.c); of these, tethers */
  int ncontact;           /* of the blocks, contacts of any law */
  unsigned margins_known; /* bits: at which of them */
  size_t room_blocks, room_events, room_motions, room_limits;
  fb_text_set event_names;

  /* y = q (nq), v (nv), x (nx, block states), z (nz, the ledger) */
  int nq, nv, nx, nz, ny;
  int nmemory;
  int nmoving; /* blocks that may move coordinates */
  int laid_out, started;
  /* Called at the start, after those of the blocks: changes their states and the mode; or NULL. */
  fb_status (*take_up)(const void* user, fb_sim* sim, fb_error* error);
  const void* take_up_user;

  /* What the future depends on, one block of state_size bytes. */
  size_t state_size;
  fb_sim_head* head;
  fb_books* books;  /* [ntree] */
  double* y;        /* [ny] */
  double* momentum; /* [nv + 9 nroot] as the momentum method keeps them */
  double* memory;   /* [nmemory] of the blocks */
  double* off;      /* [2 nv + nx + nmemory] estimated difference to the true motion (growth.c) */
  int* motion;      /* [nv] FB_MOVE_BY_FORCE, FB_MOVE_LOCKED, or an index in motions */
  double* begun;    /* [nv] when its path was taken up */
  double*
      shift; /* [nv] what is added to its path, so that it began where the coordinate was; where it is held */
  int* held_side; /* [nv] of a coordinate at rest on a limit: the way it is pushed, +1 or -1; 0 between two */
  double* heft;   /* [nv] of held coordinates: the inertia that they would move */
  int* slide;     /* [nv] stiction: the way that a coordinate slides, +1 or -1; 0 where it sticks */
  double* creep;  /* [nv] stiction: speeds this small, against its way, are rounding */
  double* loop_length; /* [nloop] of distances, as found at the start */
  double* reach;       /* [nlimit] where the stop is: at its level, but beyond it for what started there */
  int*
      resting; /* [nlimit] whether its coordinate was last reported to rest on it; to touch it, of a soft one */
  long long* ticks; /* [nblock] made so far */
  int* side;        /* [nevent] of the level on which a crossing's signal is: -1, 0 not known, +1, 2 on it */
  long long* fired; /* [nevent] times that it happened */
  struct fb_touch_memory* touched; /* [room of s->touch] */
  double*
      kept_work; /* [first nv + 1] work of coordinates that have gone; the last: of joints that joins had made */
  double* kept_quat; /* [first.ngone][4] the last attitudes of joints that have gone, whose signs go on */

  /* Scratch, and what belongs to the step last made. */
  void* scratch;
  double t0;        /* where it began */
  unsigned epoch;   /* counts what makes the integrator forget: jumps, edges, ticks */
  int unsettled;    /* what is due at its end has not happened yet */
  int by_rescue;    /* moreau made it, in an event-driven run (rescue.c) */
  int cut, at_edge; /* it ended before its limit, at a crossing; at an edge */
  double* y_tame;   /* [nq + nv + nx] the last state that looked ordinary, and its time (trouble.c) */
  double t_tame;
  double tolerance;           /* relative, of a step: rtol, or a part of the accuracy (tolerance.c) */
  double refined_since;       /* INFINITY: they never were [s] */
  double stiff_since;         /* INFINITY: not known to be [s] */
  fb_singular singular;       /* the nearest in steps after which the ledger did not close (singular.c) */
  fb_singular singular_begun; /* the same at the start */
  int watching;               /* 1: what blocks give is checked; 2: something was found (trouble.c) */
  int stops_due;              /* what touches or slides has changed, or what acts on it */
  double* q_begun;            /* [nq] as given at the start */
  double *y0, *y1, *y_probe;  /* [ny] its start, its end, a point inside */
  double t_left;      /* blocks are asked at times below this: the left side of the edge that ends the step */
  double *vdot, *tau; /* [nv] of the last evaluation of the flow */
  const double*
      loss;          /* [nv] what the ledger takes for the forces of dampers and friction; NULL: those at y */
  double* total_tau; /* [nv] with passive forces */
  double* push;      /* [nv] forces of the wrenches, and of fields as far as their work counts (flow.c) */
  double* field;     /* [nv] forces of fields without potential */
  double* own_v;     /* [nv] velocities, of floating bases relative to their centre of mass */
  double*
      loop_force; /* [nv] forces of loops on the coordinates, of the last evaluation; NULL without loops */
  double* loose;  /* [nv] armatures by which the implicit method closes loops (loops.c); NULL without loops */
  double opening; /* how far loops were still open when the last step was closed [m or rad] */
  fb_rank_watch ranks;     /* of the step being made */
  double* power;           /* [ntree] of one kind of force; in fb_ledger_sizes an energy */
  double* link_own;        /* [nlink][6] r, u of tree.c */
  fb_own* own;             /* [ntree] */
  fb_conserved* conserved; /* [ntree] of the first tree of each group */
  double* y_noted;         /* [nq + nv] where its momenta are those of (conserve.c) */
  double* z_size;          /* [nz] fb_ledger_sizes */
  double *kinetic_before, *drift_before,
      *angular_before;       /* [ntree], [ntree][3] of a jump or move on its way */
  double* friction;          /* [nv] stiction: forces of joints that slide, of the last evaluation */
  double* reaction;          /* [nv] what limits and friction give to coordinates that they hold; else 0 */
  double* actuator;          /* [nv] tau as the blocks gave it, while held coordinates are solved for */
  double* stop_force;        /* [nv] of soft stops, of the last evaluation */
  unsigned char* stop_phase; /* [nlimit] an fb_stop_phase; rigid ones are always clear */
  unsigned char* phases;     /* [nlimit] bits 1 << fb_limit_phase: what happened at this instant */
  unsigned char* soft; /* [nlimit] its coordinate rested on it before this instant's jumps: no restitution */
  double* margins;     /* [FB_LOOKS][nv] of reactions, at the states looked at (locate.c) */
  unsigned char* reversed;     /* [nv] stiction: it has come to rest at the end of the step */
  struct fb_stops_work* stops; /* for the complementarity problems; NULL when there can be none */
  struct fb_touching* touch;   /* of hard contacts; NULL without (hard_contact.h) */
  unsigned char* prescribed;   /* [nv] */
  unsigned char* moved;        /* [nv] by motions and locks, as views tell blocks */
  double* moved_vdot;          /* [nv] and with which accelerations */
  unsigned char* by_block;     /* [nv] moved by blocks, when fb_flow_find_moved last asked */
  double* carried;             /* [nbody][6] force and torque through every joint (reaction.c) */
  fb_wrench* wrenches;         /* [room_wrenches], and two for each loop (reaction.c) */
  int nwrench, room_wrenches;
  int nexternal;  /* of the wrenches, the first are from outside; the others are pairs between frames */
  int first_hard; /* of the pairs, those of hard contacts are the last, from here on */
  int* pairs;     /* [npair] the blocks that are elements */
  unsigned char* pair_phase; /* [npair] an fb_stop_phase; all but tethers always push */
  double* pair_force;        /* [nv] forces of the pairs on the coordinates (flow.c) */
  double pair_loss;          /* power lost in the dampers of elements, of the last evaluation [W] */
  double *in, *out;          /* [nin], [nout] */
  unsigned char* asked;      /* [nblock] */
  double* stages;            /* [FB_MAX_STAGES][ny] */
  double* y_stage;           /* [ny] */
  int follows;               /* 1: the difference to the true motion is estimated */
  int aside;                 /* 1: the state beside is being stepped; the ledger is left out */
  fb_growth growth;          /* the method whose errors are followed (growth.c) */
  fb_sample sample;          /* of the step last made (growth.c) */
  int pushes;                /* of compliant contacts at its end */
  double *stages_beside, *y_beside, *y_beside_1, *off_state; /* of it: as stages, [ny] each */
  double *off_next, *off_other, *off_local; /* [as off] after the step last made; of it, its own error */
  fb_zero zero;              /* what ended the step last made; value NULL: nothing that was looked for */
  double delay;              /* by how much that comes later in the motion beside, over sigma [s] */
  double* memory_beside;     /* [nmemory] */
  double* xi;                /* [nquat][3] rotation vectors from the start of the step */
  double* y_root;            /* [ny] where the root of an event is sought */
  double* y_first;           /* [ny] where the first contact so far is (limit/limit.c) */
  double* rate;              /* [ny] y' at an end of the step (crossing.c) */
  double* near[2];           /* [ny] the states a little inside its ends */
  double* inside;            /* [FB_INSIDE][ny] states inside it, for all that is watched */
  fb_step_look look;         /* what of them is known */
  struct fb_watch_end* ends; /* [nevent] of the signals of events (crossing.h) */
  double* turning;           /* [nbody] bounds on angular speeds */
  double* root;              /* [nevent] when its signal passes in this step */
  unsigned char* due;        /* [nevent] */
  unsigned char* happened;   /* [nevent] at this instant, already */
  fb_event_record* records;
  int nrecord;
  int level; /* steps are 1/2^level of the whole (refine.c) */
};

enum { FB_MAX_STAGES = 8 };
/* The ledger's part of y, after the work of each coordinate: the world's frame. */
enum { FB_Z_DISSIPATED, FB_Z_EXTERNAL, FB_Z_GROSS, FB_Z_IMPULSE, FB_Z_COUNT = FB_Z_IMPULSE + 6 };
/* Then of each tree, in its own frame: net work of all forces but springs and gravity, the integral of the magnitudes
 * of their powers; of floating trees also the integrals of |force| and |moment| from outside, and of both as vectors.
 * Weight counts in the impulse only. */
enum {
  FB_T_WORK,
  FB_T_GROSS,
  FB_T_ON_WORLD, /* that is all for a tree on the world */
  FB_T_PUSHED = FB_T_ON_WORLD,
  FB_T_TURNED,
  FB_T_IMPULSE,
  FB_T_COUNT = FB_T_IMPULSE + 6
};

/* At the end, of models with loops only: the work of the forces of all loops. */
enum { FB_Z_LOOPS_COUNT = 1 };

static inline double* fb_y_v(const fb_sim* s, double* y) {
  return y + s->nq;
}
static inline double* fb_y_x(const fb_sim* s, double* y) {
  return y + s->nq + s->nv;
}
static inline double* fb_y_z(const fb_sim* s, double* y) {
  return y + s->nq + s->nv + s->nx;
}

/* Of the ledger's part z of a model with loops. */
static inline double* fb_z_loops(const fb_sim* s, double* z) {
  return z + s->nz - FB_Z_LOOPS_COUNT;
}

/* Poses and velocities at y, computed unless they are those last asked for. */
static inline fb_data* fb_sim_kinematics_at(fb_sim* s, const double* y) {
  return fb_kinematics_cache_at(&s->cache, y, y + s->nq);
}

/* ---- setup.c, start.c: what depends on the model ---- */

/* Data, chart and trees for s->m, when none are there; 0: no memory. */
int fb_sim_make_parts(fb_sim* s);
/* Those, and all that fb_sim_lay_out made. */
void fb_sim_free_parts(fb_sim* s);
/* State and scratch, zeroed, for the blocks, events and limits that there are. */
fb_status fb_sim_lay_out(fb_sim* s, fb_error* error);
/* The stepper that the options select; a caller's own is always the same one. */
fb_stepper fb_sim_stepper_of(const fb_sim_options* options);

/* ---- quaternions.c ---- */

/* Fills the chart of a model; call once with arrays NULL to measure. */
void fb_chart_fill(const fb_model* m, fb_chart* chart);

/* ---- flow.c: the right-hand side ---- */

/* Puts moved coordinates of y where they belong at t. */
void fb_flow_place(const fb_sim* s, double t, double* y);
/* The same at the end of a step, and takes the drift out of the loops (loop/loops.c). */
void fb_flow_close(fb_sim* s, double t, double* y);
/* What a block is shown at (t, y). */
fb_context fb_flow_context(fb_sim* s, double t, const double* y);
/* What acts at (t, y): s->tau, s->wrenches from the blocks, s->prescribed and s->vdot of moved coordinates. xdot
 * (nx) is filled. */
fb_status fb_flow_drive(fb_sim* s, double t, const double* y, double* xdot, fb_error* error);
/* Asks the blocks that move coordinates which ones they move at the present moment: s->by_block. Uses s->tau, s->vdot,
 * s->wrenches and s->y_probe as scratch. */
fb_status fb_flow_find_moved(fb_sim* s, fb_error* error);
/* Then the accelerations: s->vdot whole, s->tau of moved coordinates too. `more` (nv, or NULL) are forces on the other
 * coordinates that are no actuator's. */
void fb_flow_accelerate(fb_sim* s, const double* y, const double* more);
/* Then the rates of the ledger at y (nz). s->d must hold the poses and angular velocities at y. */
void fb_flow_ledger(fb_sim* s, const double* y, double* zdot);
/* Adds the powers of pairs, the wrenches from number `first` on, at the velocities in y; after fb_kinematics there. */
void fb_flow_ledger_pairs(fb_sim* s, int first, const double* y, double* zdot);
/* The same of forces of loops on the coordinates: at the velocities in y. */
void fb_flow_ledger_loops(fb_sim* s, const double* forces, const double* y, double* zdot);
/* Adds the powers of `losses`, generalised forces of dampers and friction, likewise. */
void fb_flow_ledger_losses(fb_sim* s, const double* losses, const double* y, double* zdot);
/* Adds the powers and moments of contacts, each by its magnitude, to the integrals that serve as scales (ledger_contact.c). */
void fb_ledger_scale_contacts(fb_sim* s, const double* v, double* zdot);
/* All of it. ydot is filled from its v part on; its q part belongs to the charts. */
fb_status fb_flow(fb_sim* s, double t, const double* y, double* ydot, fb_error* error);
/* Adds what forces on the joints of floating bases give them to an impulse: forces, then moments about the world's
 * origin. tau may be an impulse itself. */
void fb_flow_base_push(const fb_sim* s, const double* q, const double* tau, double impulse[6]);
/* Adds the impulse of loops that join what floats to what does not, by the forces last found along their rows. */
void fb_flow_loop_push(const fb_sim* s, double impulse[6]);
/* Whether a body belongs to a tree whose base floats. */
int fb_sim_floats(const fb_sim* s, int body);
/* Adds the time and the block's name to an error of its own; returns status. */
fb_status fb_block_failed(const fb_block* block, double t, fb_status status, fb_error* error);

/* Whether block i acts in the present mode. */
static inline int fb_block_acts(const fb_sim* s, int i) {
  return !s->blocks[i].modes || s->blocks[i].modes >> s->head->mode & 1;
}

/* ---- loops.c ---- */

/* At the start: lengths that are not given, and coordinates and rates that close the loops. */
fb_status fb_sim_close_loops(fb_sim* s, fb_error* error);
/* The loops are as in s->y's snapshot. */
void fb_sim_take_lengths(fb_sim* s);
/* After an evaluation: counts the independent rows of the loops in s->ranks. */
void fb_sim_count_rows(fb_sim* s);
/* How long a fixed step should have been: shorter than h where it met a pose in which the loops have fewer independent rows
 * than elsewhere in the step; 0 where it did not, or has been made again often enough. */
double fb_sim_shorter_step(const fb_sim* s, double h, int attempt);
/* After a step to t: FB_ERR_NO_SOLUTION when the loops did not stay closed. */
fb_status fb_sim_check_loops(const fb_sim* s, double t, fb_error* error);

/* ---- refine.c ---- */

/* At the start of a step: whole steps are tried again where they begin. */
void fb_refine_begin(fb_sim* s);
/* The present step of fb_sim_options.refine: a whole one, or 1/2, 1/4 ... of it. */
double fb_refine_step(const fb_sim* s);
/* Whether the step to s->y1, of length h, is to be made again with the next shorter one. */
int fb_refine_again(fb_sim* s, double h);

/* ---- slopes.c ---- */

/* [nv] each. Zero on free joints and on moved coordinates. */
typedef struct fb_slopes {
  double *stiffness, *damping;
} fb_slopes;

/* Of springs and dampers, but those that are compensated (nv; may be NULL), and of soft stops. */
void fb_slopes_passive(const fb_sim* s, const unsigned char* compensated, fb_slopes* slopes);
/* Of the laws that declare theirs, after fb_flow_drive at the same (t, y); the slopes must be zero, or from here. */
void fb_slopes_blocks(fb_sim* s, double t, const double* y, fb_slopes* slopes);
/* Marks the coordinates (nv) whose passive forces laws compensate, likewise. */
void fb_slopes_compensated(fb_sim* s, double t, const double* y, unsigned char* compensated);

/* ---- step.c ---- */

/* What is due at the present moment happens: events, then ticks, then events that these set off. */
fb_status fb_sim_due(fb_sim* s, fb_error* error);

/* ---- steppers ---- */

/* Each method's functions, src/sim/stepper/; their start may allocate fb_sim.stepper.self. */
#define FB_METHOD_AS_MAKER(code, name, ...) fb_stepper fb_stepper_##name(void);
FB_METHOD_LIST(FB_METHOD_AS_MAKER)
#undef FB_METHOD_AS_MAKER

/* ---- rescue.c ---- */

/* Four steps by moreau are to come, more where compliant contacts are stiff; 0: there were too many. */
int fb_rescue_ask(fb_sim* s);
/* Whether they may help where a step fails for want of a solution; what is said where they do not. */
int fb_rescue_is_stuck(const fb_sim* s);
fb_status fb_rescue_say_stuck(fb_sim* s, fb_error* error);
/* Where the next of them ends at the latest; before and after it. */
double fb_rescue_limit(fb_sim* s, double limit);
void fb_rescue_begin(fb_sim* s);
void fb_rescue_end(fb_sim* s);
/* The state inside the last of them: between its ends. */
void fb_rescue_at(const fb_sim* s, double t, double* y);

/* ---- jump.c ---- */

/* The motion jumped: the integrator forgets, the momentum is to be found again. */
void fb_sim_forget(fb_sim* s);
/* Coordinates with prescribed[k] change by dv[k], the others follow: dv is filled. q, v stay in y; the kinetic
 * energy that this takes or gives goes to the ledger. */
fb_status fb_sim_jump(fb_sim* s, const unsigned char* prescribed, double* dv, fb_error* error);
/* All moved coordinates take the velocities of their motions, those that blocks move keep theirs; the others follow. */
fb_status fb_sim_take_up_motions(fb_sim* s, fb_error* error);
/* Where the motion of coordinate k is at t, how fast, and how its rate changes; any may be NULL, and *x is left alone
 * where the motion does not say. */
void fb_motion_at(const fb_sim* s, int k, double t, double* x, double* rate, double* acceleration);
/* The next knot of its path after t; INFINITY when there is none. */
double fb_motion_next_knot(const fb_sim* s, int k, double t);

/* A = J H^-1 J^T of rows, velocities for unit impulses; moved and held coordinates keep theirs. */
void fb_sim_responses(fb_sim* s, const fb_row* rows, int count, double* A);
/* Whether forces and impulses change coordinate k: it is neither locked nor moved, by a motion or by a block. */
int fb_sim_gives_way(const fb_sim* s, int k);

/* ---- limits and stiction: limit/limit.c, impact.c, stiction.c ---- */

/* Coordinates at rest on a limit, and those that stick, are motions of their own: their rate is zero, the force that
 * this takes is s->reaction. */
enum { FB_MOTION_STOPPED = -3, FB_MOTION_STUCK = -4 };

static inline int fb_is_held(int motion) {
  return motion == FB_MOTION_STOPPED || motion == FB_MOTION_STUCK;
}

typedef struct fb_stops_work fb_stops_work;

fb_status fb_stops_start(fb_sim* s, fb_error* error); /* memory for all that can touch at once */
void fb_stops_begin(fb_sim* s);                       /* at the start: nothing is held yet */
void fb_stops_free(fb_sim* s);
/* Impacts, then who is held: called where something has changed (s->stops_due). */
fb_status fb_stops_settle(fb_sim* s, fb_error* error);
/* locate.c: shortens the step to the first instant at which a limit is met, a held coordinate lets go or a sliding one stops. */
fb_status fb_stops_locate(fb_sim* s, double* t1, fb_error* error);
/* Lets go of everything that is held, before an impulse; what touches a limit will take it up without restitution. */
void fb_stops_let_go(fb_sim* s);
/* Fills s->friction at the rates v. */
void fb_stops_friction(fb_sim* s, const double* v);
/* A hop this short is rest: bounces come ever faster, and their sum is finite; and so is one whose height, at the
 * acceleration a, is lost in the rounding of q. [s] */
double fb_stops_shortest_hop(const fb_sim* s, double q, double a);
/* After every step: stops that a coordinate began beyond follow it back to their levels. */
void fb_stops_follow(fb_sim* s);

/* ---- hard contacts: contact/dynamics/ ---- */

typedef struct fb_touching fb_touching;
typedef struct fb_touch_memory fb_touch_memory;

/* FB_ERR_UNSUPPORTED when the method cannot take the hard contacts. */
fb_status fb_touch_check(const fb_sim* s, fb_error* error);
/* Memory for the hard contacts among the blocks, before the state is laid out. */
fb_status fb_touch_start(fb_sim* s, fb_error* error);
void fb_touch_free(fb_sim* s);
/* What old remembers, after a change of the model. */
void fb_touch_carry(fb_sim* s, const fb_sim* old);
/* Places in fb_sim.touched; wrenches that contacts may add. */
int fb_touch_room(const fb_sim* s);
/* Whether a method makes whole steps with their impulses (moreau), and nothing is located inside them. */
static inline int fb_touch_by_steps(const fb_sim* s) {
  return s->stepper.traits.time_stepping;
}
/* Whether all that such a method knows of the step last made is of another one than that to t1. */
int fb_touch_has_strayed(const fb_sim* s, double t1);
/* closed_force.c: after fb_flow_accelerate at y, adds the forces of the points that touch, and accelerates again. Time-stepping
 * methods have those of the last step. xdot: of the blocks' states, to which powers are added. */
void fb_touch_flow(fb_sim* s, const double* y, double* xdot);
/* hard_settle.c: points that approach are thrown back, until none does; and so are limits that are run into, where points
 * touch that they move. */
fb_status fb_touch_throw_back(fb_sim* s, fb_error* error);
/* Impacts, then which points hold, slip or part. */
fb_status fb_touch_settle(fb_sim* s, fb_error* error);
/* hard_locate.c: shortens the step to the first instant at which something touches, parts, begins to slip or stops. */
fb_status fb_touch_look(fb_sim* s, double end, double* first, fb_error* error);
/* hard_project.c: puts closed points back on each other at the end of a step. */
void fb_touch_close(fb_sim* s, double t, double* y);
/* After a projection: an error where shapes overlap that no motion separates. */
fb_status fb_touch_check_overlap(const fb_sim* s, fb_error* error);
/* hard_output.c: outputs and changes of state are kept: of the instant or step last looked at. */
void fb_touch_accept(fb_sim* s);
/* The step of a time-stepping method is made: the same, and its points are remembered. */
void fb_touch_keep_step(fb_sim* s);
/* After a step of another method: the ways of slip follow the motion. */
void fb_touch_follow(fb_sim* s);

/* Outputs of hard contacts at (t, y), where steps may be looked into: into s->out, where these signals are some of them. */
fb_status fb_touch_look_at(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                           fb_error* error);
/* Whether a change (fb_contact_change) of the contact of a block has happened at this instant. */
unsigned char fb_touch_happened(const fb_sim* s, int block, fb_contact_change change);
/* The last impact of a hard contact, by its block. */
typedef struct fb_touch_impact {
  double impulse; /* its magnitude [N s] */
  double speed;   /* of the fastest approach before it [m/s] */
  double gained;  /* what friction gave instead of taking it, as it may with Newton's restitution [J] */
} fb_touch_impact;
FB_API fb_touch_impact fb_touch_last_impact(const fb_sim* s, int block);
/* What is doubtful of hard contacts: steps and impacts whose impulses the solver has not found exactly, their number and the
 * worst residual, relative to the
 * rates of the contacts, with its time. */
typedef struct fb_solver_doubts {
  long long count;
  double worst, t;
  long long gains;    /* impacts in which friction did positive work */
  const char* passed; /* the first contact whose sides passed each other within a step; NULL: none */
  double passed_t;
  int rescues; /* how often moreau helped an event-driven run on, and when it first did */
  double rescued_t;
  const char*
      deepest; /* the contact of the deepest penetration that was left at the end of a step; NULL: none */
  double depth, deepest_t;
  double
      error; /* that steps of moreau leave in a second: estimated, of positions, relative to sizes of trees and to a radian */
} fb_solver_doubts;
FB_API fb_solver_doubts fb_touch_doubts(const fb_sim* s);
/* The instant is over. */
void fb_touch_clear_impacts(fb_sim* s);
/* The energy that compliant contacts have stored at s->y. */
double fb_contacts_stored(fb_sim* s);
/* Works of contacts at y, for the ledger. */
void fb_contacts_work(const fb_sim* s, const double* y, fb_ledger* ledger);

/* Whether Coulomb's friction of joints, or limits within a step, push coordinates by s->friction. */
int fb_sim_rubs(const fb_sim* s);

/* ---- soft_stop.c ---- */

/* What a soft stop does during a step. */
typedef enum fb_stop_phase { FB_STOP_CLEAR, FB_STOP_PUSHES, FB_STOP_SLACK } fb_stop_phase;

fb_status fb_soft_stop_check(const fb_model* m, const fb_limit* limit, fb_error* error);
/* Phases of all soft stops at s->y; 1 when one has changed. */
int fb_soft_stops_update(fb_sim* s);
/* The same after a step or a jump: notes who was hit or left, and lets the integrator forget. */
void fb_soft_stops_follow(fb_sim* s);
/* Whether some soft stop is touched. */
int fb_soft_stops_act(const fb_sim* s);
/* Fills s->stop_force at y. */
void fb_soft_stops_push(fb_sim* s, const double* y);
/* Adds the part of s->stop_force that springs do not have: that of the dampers. */
void fb_soft_stops_add_losses(const fb_sim* s, const double* q, double* force);
/* What the springs store: of one limit, of all. [J] */
double fb_soft_stop_energy(const fb_sim* s, int limit, const double* q);
double fb_soft_stops_energy(const fb_sim* s, const double* q);
/* Adds the slopes -df/dq and -df/dv of the stops that push in this step, for implicit methods [nv]. */
void fb_soft_stops_add_gains(const fb_sim* s, double* stiffness, double* damping);

/* ---- element.c ---- */

/* Counts the elements; then, once the memory is laid out, finds them. */
void fb_pairs_count(fb_sim* s);
void fb_pairs_start(fb_sim* s);
/* Adds the wrenches of all elements at y to an action, and finds s->pair_loss. */
fb_status fb_pairs_push(fb_sim* s, const fb_context* context, const double* y, fb_action* action,
                        fb_error* error);
/* What they store at the poses in d [J]. */
double fb_pairs_energy(const fb_sim* s, const fb_data* d);
/* Sets a parameter of an element; the energy that this takes comes from outside. */
fb_status fb_pairs_set(fb_sim* s, int block, int parameter, double value, fb_error* error);
/* Phases of all elements at s->y; 1 when one has changed. */
int fb_pairs_update(fb_sim* s);
/* The same after a step or a jump: lets the integrator forget. */
void fb_pairs_follow(fb_sim* s);
/* Whether element i is a tether, whose phases end; its length; whether its pull may pass zero. */
int fb_pair_is_watched(const fb_sim* s, int i);
double fb_pair_length(const fb_sim* s, int i);
int fb_pair_has_margin(const fb_sim* s, int i);
/* How far tether i is from becoming taut or loose, and its pull from changing sign; for fb_watch. */
fb_status fb_pair_gap(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error);
fb_status fb_pair_margin(fb_sim* s, int i, double t, const double* y, double* x, fb_error* error);

/* ---- event.c ---- */

/* The next instant of a time event after t (at or after, when it has not happened there). */
double fb_event_next_time(const fb_sim* s, int event);
/* Looks for crossings between s->y0 at s->t0 and s->y1 at *t1; shortens the step to the first. */
fb_status fb_events_locate(fb_sim* s, double* t1, fb_error* error);
/* Lets the events that are due at s->head->t happen, those that have not yet; *acted is set when one of them did
 * something. */
fb_status fb_events_act(fb_sim* s, int* acted, fb_error* error);

/* ---- ports.c ---- */

/* Finds the inputs of all blocks and the order of the blocks. */
fb_status fb_ports_start(fb_sim* s, fb_error* error);
/* Fills s->in at (t, y): before blocks act or tick. */
fb_status fb_ports_fill(fb_sim* s, double t, const double* y, fb_error* error);
/* Fills s->out, of the blocks that these signals are of. */
fb_status fb_ports_look(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                        fb_error* error);

/* ---- signal_value.c ---- */

/* Whether a signal is one that fb_signal_find could have given. */
int fb_signal_exists(const fb_model* m, fb_signal signal);
/* Values of signals at a moment of the simulation. */
FB_API fb_status fb_signal_eval(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                                double* values, fb_error* error);
/* The same, but for outputs of blocks, which are read as they stand in s->out. */
fb_status fb_signal_read(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                         double* values, fb_error* error);

/* ---- reaction.c ---- */

/* Fills s->carried, as fb_joint_reactions does. After fb_flow_drive and fb_flow_accelerate at (t, y), and fb_kinematics
 * of s->d at that state with s->vdot. */
void fb_sim_reactions(fb_sim* s);

/* ---- tree.c: trees in their own frames ---- */

/* Finds trees and roots; 0: no memory. s->d is used. */
int fb_trees_make(fb_sim* s);
void fb_trees_free(fb_sim* s);
/* mass, com, com_v of s->own at y. d holds the poses and angular velocities at y. */
void fb_trees_locate(fb_sim* s, const fb_data* d, const double* y);
/* All of s->own, in the same way. */
void fb_trees_measure(fb_sim* s, const fb_data* d, const double* y);
/* Of floating trees mass, com, com_v, drift, angular and inertia. */
void fb_trees_momenta(fb_sim* s, const fb_data* d, const double* y);
/* Adds the inertia of a mass at r (xx, yy, zz, xy, xz, yz). */
void fb_inertia_shift(double mass, const double r[3], double J[6]);
/* Adds a force and a moment on the base of a floating tree, or impulses, to the tree's part of z: about its centre of
 * mass, and their magnitudes. After fb_trees_locate or fb_trees_measure. */
void fb_tree_push(const fb_sim* s, int tree, const double base[6], double* z);

/* ---- ledger.c ---- */

void fb_ledger_begin(fb_sim* s); /* remembers the energies and momenta of the start */
/* A step has been made: peaks and worst residuals. */
void fb_ledger_step(fb_sim* s);
/* The largest residual of any tree at y, relative to its scale. */
double fb_ledger_off(fb_sim* s, const double* y);
/* The ledger at a moment. */
void fb_ledger_at(fb_sim* s, const double* y, fb_ledger* ledger);
/* Around any jump of the velocities in s->y, however it is made: books the kinetic energy that it takes or gives. What
 * comes from outside is booked between the two by fb_ledger_push, as an impulse on every coordinate. */
void fb_ledger_jump_begin(fb_sim* s);
void fb_ledger_push(fb_sim* s, const double* impulse);
/* The same of the impulses of loops, which fb_constrained_dynamics has just found. */
void fb_ledger_push_loops(fb_sim* s);
void fb_ledger_jump_end(fb_sim* s);
/* Around a displacement of y without time: energy and momentum of the scene before, and then the energy that it has
 * gained. What each tree has gained counts as work and impulse on it; to the whole scene it is an impulse from outside, where
 * only_outside but for groups whose momentum is kept (conserve.c). */
typedef struct fb_scene {
  double energy, momentum[6]; /* in the world; linear, angular about its origin, of what floats */
  int only_outside;
} fb_scene;
void fb_ledger_move_begin(fb_sim* s, const double* y, int only_outside, fb_scene* before);
double fb_ledger_move_end(fb_sim* s, double* y, const fb_scene* before);
/* The sizes by which error control measures the quadratures z between z0 and z1, the ends of a step or twice the same
 * (nz); < 0: they do not count. */
void fb_ledger_sizes(const fb_sim* s, const double* z0, const double* z1, double* size);
/* Compares the worst residuals in a copy of tree i's books with the present scales for good: after a change the tree, and
 * with it the scales, are others. After fb_trees_measure at s->y. */
void fb_ledger_close(const fb_sim* s, int i, fb_books* books);

static inline int fb_sign(double x) {
  return (x > 0) - (x < 0);
}

/* Times closer than this are the same instant. */
static inline double fb_time_slack(double t) {
  double size = t < 0 ? -t : t;
  return 8 * 2.220446049250313e-16 * (size > 1e-3 ? size : 1e-3);
}

#endif
