/* sim.h -- internals of fb_sim: set-up, state, and scratch. */
#ifndef FB_SIM_SIM_H
#define FB_SIM_SIM_H

#include <stdint.h>

#include <freebody/response.h>
#include <freebody/sim.h>

#include "base/text_set.h"
#include "block/kinematics_cache.h"
#include "block/local_frame.h"
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

  /* y = q (nq), v (nv), x (nx, block states), z (nz, the ledger), r (nrest: what rounding left of the sums that gave the
   * translations of floating bases, three each; the true ones are q + r) */
  int nq, nv, nx, nz, nrest, ny;
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
  int* resting;     /* [nlimit] whether its coordinate was last reported to rest on it; soft: to touch it */
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
  struct fb_chatter* chatter; /* [nevent] (chatter.h) */
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

static inline double* fb_y_rest(const fb_sim* s, double* y) {
  return y + s->ny - s->nrest;
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
/* ---- method.c ---- */

/* Whether the stepper is the caller's own. */
int fb_sim_options_are_custom(const fb_sim_options* options);
/* The stepper that the options select; a caller's own is always the same one. */
fb_stepper fb_sim_stepper_of(const fb_sim_options* options);
/* That of the time-stepping method, which takes hard contacts over whole steps. */
fb_stepper fb_stepper_for_steps(const fb_sim_options* options);

/* ---- quaternions.c ---- */

/* Fills the chart of a model; call once with arrays NULL to measure. */
void fb_chart_fill(const fb_model* m, fb_chart* chart);

/* ---- refine.c ---- */

/* At the start of a step: whole steps are tried again where they begin. */
void fb_refine_begin(fb_sim* s);
/* The present step of fb_sim_options.refine: a whole one, or 1/2, 1/4 ... of it. */
double fb_refine_step(const fb_sim* s);
/* Whether the step to s->y1, of length h, is to be made again with the next shorter one. */
int fb_refine_again(fb_sim* s, double h);

/* ---- step.c ---- */

/* What is due at the present moment happens: events, then ticks, then events that these set off. */
fb_status fb_sim_due(fb_sim* s, fb_error* error);

/* ---- steppers ---- */

/* Each method's functions, src/sim/stepper/; their start may allocate fb_sim.stepper.self. */
#define FB_METHOD_AS_MAKER(code, name, ...) fb_stepper fb_stepper_##name(void);
FB_METHOD_LIST(FB_METHOD_AS_MAKER)
#undef FB_METHOD_AS_MAKER

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

static inline int fb_sign(double x) {
  return (x > 0) - (x < 0);
}

/* Times closer than this are the same instant. */
static inline double fb_time_slack(double t) {
  double size = t < 0 ? -t : t;
  return 8 * 2.220446049250313e-16 * (size > 1e-3 ? size : 1e-3);
}

#endif
