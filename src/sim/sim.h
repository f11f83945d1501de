/* sim.h -- internals of fb_sim: set-up, state, and scratch. */
#ifndef FB_SIM_SIM_H
#define FB_SIM_SIM_H

#include <stdint.h>

#include <freebody/response.h>
#include <freebody/sim.h>

#include "block/kinematics_cache.h"
#include "contact/dynamics/fields.h"
#include "element/fields.h"
#include "ledger/fields.h"
#include "limit/fields.h"
#include "loop/fields.h"
#include "math/two_sum.h"
#include "model/data.h"
#include "model/model.h"
#include "regroup/fields.h"
#include "sim/accuracy/fields.h"
#include "sim/instant.h"
#include "sim/fields.h"

/* The first part of the snapshot. Parts have heads of their own (fields.h). */
typedef struct fb_sim_head {
  uint64_t checksum; /* of all of it, when it was saved (snapshot.c) */
  int signature[8];  /* nq, nv, states, memory, blocks, events, limits, friction law with parameters: must
                        agree to restore */
  int epoch;         /* joins and partings; their history follows the state in a snapshot (history.c) */
  int mode;
  int stopped;
  int momentum_known; /* fb_step.momentum belongs to y */
  int jumped;         /* velocities have jumped since the last step (moreau) */
  double t;
  long long steps, rejected, evaluations;
} fb_sim_head;

#define FB_SIM_STATE(FIELD) FIELD(double, y, s->ny, "see below")
#define FB_SIM_SCRATCH(FIELD)                                      \
  FIELD(double, y0, s->ny, "where the step last made began")       \
  FIELD(double, y1, s->ny, "where it ended")                       \
  FIELD(double, y_probe, s->ny, "a point inside")                  \
  FIELD(double, y_stage, s->ny, "scratch of steppers")             \
  FIELD(double, stages, FB_MAX_STAGES * s->ny, "likewise")         \
  FIELD(double, vdot, s->nv, "of the last evaluation of the flow") \
  FIELD(double, tau, s->nv, "likewise")                            \
  FIELD(double, total_tau, s->nv, "with passive forces")

struct fb_sim {
  const fb_model* m;         /* the present one */
  fb_data* d;                /* of the dynamics; reads the parameters below */
  fb_kinematics_cache cache; /* poses and velocities at the state last evaluated */
  fb_parameters* parameters; /* the simulation's own; NULL: the model's */
  int fingerprint;           /* of its parameters */
  int has_field;             /* gravity is not uniform: the part that is not is evaluated body by body */
  fb_sim_options options;
  /* environment and passive kinds at the time of the last evaluation; its wrenches are wrench.list */
  fb_loads loads;
  fb_stepper stepper;
  fb_chart chart;

  /* y = q (nq), v (nv), x (nx, block states), z (nz, the ledger), r (nrest: the rounding errors of the sums that gave
   * the translations of floating bases, three each; the true ones are q + r) */
  int nq, nv, nx, nz, nrest, ny;
  int laid_out, started;

  /* The state that the further motion depends on, one block of state_size bytes: the head, y, and the states of what
   * follows below. */
  size_t state_size;
  fb_sim_head* head;
  void* scratch; /* and what belongs to the last step */
  FB_SIM_STATE(FB_FIELD_DECLARE)
  FB_SIM_SCRATCH(FB_FIELD_DECLARE)

  /* By rooms, each in its own fields.h. */
  fb_blocks block;
  fb_events event;
  fb_motions motion;
  fb_wrenches wrench;
  fb_step step;
  fb_probe probe;
  fb_errors error;
  fb_failures failure;
  fb_trees tree;
  fb_ledger_fields ledger;
  fb_limits limit;
  fb_loops loop;
  fb_elements element;
  fb_contacts contact;
  fb_regroup regroup;
};

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

/* Moves translation j of the floating bases, three each, with what rounding leaves. */
static inline void fb_y_move_base(const fb_sim* s, double* y, int j, double by) {
  double* rest = fb_y_rest(s, y) + j;
  *rest += by;
  fb_add_with_rest(y + s->tree.roots[j / 3].q_at + j % 3, rest);
}

/* Of the ledger's part z of a model with loops. */
static inline double* fb_z_loops(const fb_sim* s, double* z) {
  return z + s->nz - FB_Z_LOOPS_COUNT;
}

/* Whether a motion, a lock or a block gives coordinates their accelerations. */
static inline int fb_sim_moves_any(const fb_sim* s) {
  return s->motion.head->nmoved + s->block.nmoving > 0;
}

/* The state a little inside an end of the step last made: 0 its start, 1 its end. */
static inline double* fb_probe_neighbour(const fb_sim* s, int end) {
  return s->probe.neighbour + (size_t)end * (size_t)s->ny;
}

/* Poses and velocities at y, computed unless they are those of the last call. */
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

/* At the start of a step: returns to whole steps where one begins. */
void fb_refine_begin(fb_sim* s);
/* The present step of fb_sim_options.refine: a whole one, or 1/2, 1/4 ... of it. */
double fb_refine_step(const fb_sim* s);
/* Whether the step to s->y1, of length h, is to be repeated with the next shorter one. */
int fb_refine_again(fb_sim* s, double h);

/* ---- step.c ---- */

/* Processes what is due at the present instant: events, then ticks, then events that these cause. */
fb_status fb_sim_due(fb_sim* s, fb_error* error);

/* ---- steppers ---- */

/* Each method's functions, src/sim/stepper/; their start may allocate fb_sim.stepper.self. */
#define FB_METHOD_AS_MAKER(code, name, ...) fb_stepper fb_stepper_##name(void);
FB_METHOD_LIST(FB_METHOD_AS_MAKER)
#undef FB_METHOD_AS_MAKER

/* ---- jump.c ---- */

/* After a jump of the motion: resets the integrator; the momentum is to be computed again. */
void fb_sim_forget(fb_sim* s);
/* Coordinates with prescribed[k] change by dv[k], the others follow: dv is filled. q, v stay in y; the change of
 * kinetic energy goes to the ledger. */
fb_status fb_sim_jump(fb_sim* s, const unsigned char* prescribed, double* dv, fb_error* error);
/* All moved coordinates take the velocities of their motions, those that blocks move keep theirs; the others follow. */
fb_status fb_sim_take_up_motions(fb_sim* s, fb_error* error);
/* Position, rate and acceleration of the motion of coordinate k at t; any may be NULL, and *x is not changed where
 * the motion does not define it. */
void fb_motion_at(const fb_sim* s, int k, double t, double* x, double* rate, double* acceleration);
/* The next knot of its path after t; INFINITY when there is none. */
double fb_motion_next_knot(const fb_sim* s, int k, double t);

/* A = J H^-1 J^T of rows, velocities for unit impulses; moved and held coordinates keep theirs. */
void fb_sim_responses(fb_sim* s, const fb_row* rows, int count, double* A);
/* Whether forces and impulses change coordinate k: it is neither locked nor moved, by a motion or by a block. */
int fb_sim_coordinate_responds(const fb_sim* s, int k);

static inline int fb_sign(double x) {
  return (x > 0) - (x < 0);
}

#endif
