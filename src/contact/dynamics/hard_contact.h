/* hard_contact.h -- hard contacts in a simulation: what the files of contact/dynamics/ and the stepper moreau share
 *
 * At a state, the points at which hard contacts touch give rows (response.h): the normal and two tangents, along which b
 * pushes a. Everything else is a problem in u = A P + c with A = J H^-1 J^T (contact/cone/solver.h): impulses of a step or of
 * an impact, forces at an instant, displacements that end a penetration. Loops are part of A; H is never formed. */
#ifndef FB_CONTACT_DYNAMICS_HARD_CONTACT_H
#define FB_CONTACT_DYNAMICS_HARD_CONTACT_H

#include <string.h>

#include "contact/pair.h"
#include "contact/cone/solver.h"
#include "sim/sim.h"
#include "contact/dynamics/step_contact.h"

/* Memory of the block of a hard contact: its parameters, the speed of its last impact, then its outputs as the last step
 * left them. */
enum {
  FB_HARD_FRICTION,
  FB_HARD_RESTITUTION,
  FB_HARD_SPEED,
  FB_HARD_GAINED,
  FB_HARD_OUTPUTS,
  FB_HARD_MEMORY = FB_HARD_OUTPUTS + FB_CONTACT_OUT_COUNT
};
/* Of the block "solver": its outputs, and in its memory also how many solutions were inexact, and the worst of them, and what
 * was passed through. */
enum {
  FB_SOLVER_RESIDUAL,
  FB_SOLVER_ITERATIONS,
  FB_SOLVER_GAINS,
  FB_SOLVER_PROJECTION,
  FB_SOLVER_COUNT,
  FB_SOLVER_INEXACT = FB_SOLVER_COUNT,
  FB_SOLVER_WORST,
  FB_SOLVER_WORST_T,
  FB_SOLVER_PASSED, /* 1 + the first contact whose sides passed each other within a step (moreau); 0: none */
  FB_SOLVER_PASSED_T,
  FB_SOLVER_DEEPEST, /* the deepest penetration that was left at the end of a step (moreau), of which contact, and when */
  FB_SOLVER_DEEPEST_AT,
  FB_SOLVER_DEEPEST_T,
  FB_SOLVER_ERROR_V, /* estimated errors of velocities and positions (step_error.c), and the largest so far of the latter */
  FB_SOLVER_ERROR_Q,
  FB_SOLVER_ERROR,
  FB_SOLVER_SAMPLED, /* the steps last sampled for them: any, and with impacts */
  FB_SOLVER_SAMPLED_HIT,
  FB_SOLVER_MEMORY
};

/* What is remembered of a point that touches: part of the snapshot. */
struct fb_touch_memory {
  int contact;       /* which of the hard contacts */
  int a, b, feature; /* colliders, and where on them */
  int state;         /* fb_contact_state */
  int moves;         /* 1: it slips faster than rounding and what brackets leave */
  double own[3];     /* where it is in the axes of the frame of the side that moves [m] */
  double way[3];     /* unit, world axes: the way a slips over b; zero where it sticks */
  double aim[3];     /* likewise: the way that a slow slip is about to have; zero: the same */
  double force[3];   /* on a, world axes: of the last step or instant, where the next search begins [N] */
  double creep; /* what friction alone changes of its slip in a step of fixed length, 1e-5 at least [m/s] */
};

/* A point at the state looked at. */
typedef struct fb_touch_point {
  int contact, a, b;
  int state;
  fb_touch touch;
  double tangent[2][3];
  double origin[3]; /* of the frame that places are in, in the world (local_pose.c) */
  double rate[3];   /* of the gap, and slip along the tangents [m/s] */
  double own[3];    /* as in fb_touch_memory */
  double way[3];    /* likewise */
  double aim[3];    /* likewise */
  double force[3];  /* on a, world axes [N], or impulse [N s] */
  double response;  /* to a force along a tangent [1/kg] */
  double open;      /* rate at which it may close a gap that it had at the start of the step (moreau) [m/s] */
  int lasts;        /* it touched at the start of that step already */
  int handed;       /* its feature is gone, and another has taken its place (closed_force.c) */
  int leaves;       /* it was pushed in that step, and is leaving at its end: a rebound */
} fb_touch_point;

/* Where a point was, by which others of its pair are found again (closed_force.c). */
typedef struct fb_touch_anchor {
  int contact, a, b, feature;
  double own[3]; /* as in fb_touch_memory */
} fb_touch_anchor;

/* Where a pair touches. Points of a pair follow each other, and its geometry is found once for all of them. */
typedef struct fb_touch_meeting {
  int contact, a, b, n; /* contact -1: of none yet */
  fb_touch touches[FB_MAX_TOUCHES];
} fb_touch_meeting;

/* Approaches slower than this take no restitution and are no impacts: what closes so slowly was closed but for rounding. [m/s] */
#define FB_TOUCH_SLOW 1e-6
/* The gap that a closed point may have where it is found on another feature than before [m]: it goes over at zero. */
#define FB_TOUCH_HANDED 1e-6

struct fb_touching {
  int ncontact;
  int* block; /* [ncontact] */
  int solver; /* the block "solver" */
  int room;   /* points at most */
  int full;   /* the last search may have left some out */
  int npoint, nrow;
  int nnear;                /* points that follow those (moreau) */
  fb_touch_point* points;   /* [room] */
  fb_touch_point blocked;   /* the deepest that the last projection could not move; contact -1: none */
  fb_touch_point* spare;    /* [room] for what is looked at in between */
  fb_contact_point* found;  /* [room] scratch */
  fb_touch_anchor* anchors; /* [room] */
  int nanchor;
  int room_rows;
  fb_row* rows;   /* [room_rows] three of each point, then coordinates */
  double* sign;   /* [room_rows] of the row */
  fb_cone* cones; /* [room_rows] */
  int ncone;
  double* X;                         /* [room_rows][nv] how all coordinates respond to each row */
  double *A, *c, *P;                 /* [room_rows]^2, [room_rows] ... */
  double *before, *gained, *u, *sum; /* [room_rows] rates before, by finite forces, after; impulses so far */
  double*
      more; /* [room_rows] by how much the mean of rates around an impact exceeds that of `before` and `u` (moreau) */
  double* closing;    /* [room_rows] what rates at the end count more than those in the middle (moreau) */
  double* bend;       /* [room_rows] by how much they are more (step_end.c) */
  double* soon;       /* [room_rows] rates that accelerations would give in a moment */
  double* samples[2]; /* [4][room_rows] of rates, over a time and a shorter one */
  double *K, *span;   /* [room_rows]^2 and more, of forces at an instant */
  double* work;
  int* ints;
  double *q, *v, *x;   /* [nq], [nv], [nv] a state or a change of it */
  double *from, *best; /* [nq + nv] where a displacement begins; the best that it came to */
  double* halves;      /* [2][ny] the same step in two halves (moreau) */
  double sample[2];    /* what it differed from the whole by: positions and velocities, relative */
  int sampled;         /* 1: that is of the step last made */
  double depth, gone;  /* the deepest penetration before the last projection; how far it has gone [m] */
  double left;         /* what the last projection left of the deepest penetration [m] */
  int left_at;         /* and of which contact; -1: none */
  double *dv, *around, *later; /* [nv] changes of v; `later` is zero where moreau does not divide its step */
  double *loss, *loss_change;  /* [nv] of its dampers and friction: their mean, and their change */
  int nreaction;               /* forces on what is moved, nv; of loops, nv and along their rows (moreau) */
  double *reactions, *passed;  /* [nreaction] of finite forces; by how much impulses make them more */
  double* reaction_more;       /* [nreaction] by how much their mean is more than in the middle */
  double* reaction_change;     /* [nreaction] at the impacts */
  double *near_q, *near_v;     /* [nq], [nv] the state last looked at, as local_pose.c has it */
  fb_kinematics_cache near;    /* poses there, where is_near */
  int is_near;                 /* all that touches floats */
  double origin[3];            /* where its frame was then, in the world */
  double* mean;                /* [ny] the middle of a step (moreau) */
  double* outputs;             /* [ncontact][FB_CONTACT_OUT_COUNT] of the step or evaluation last made */
  double* works;               /* [ncontact][2] work of the last step or jump, normal and friction [J] */
  double* impulses;            /* [ncontact][3] of impacts in it [N s] */
  double* speeds;              /* [ncontact] of their fastest approach [m/s] */
  double* rubbed;       /* [ncontact] work of friction in them, where it is positive and no rounding [J] */
  int* limit_of;        /* [room_rows] the limit of a coordinate's row, or -1: stiction */
  unsigned char* stops; /* [nlimit] what limits did in the step (step_stop.c) */
  double stop_work;     /* of limits in the step [J] */
  fb_cones_result result;
  double off;   /* the largest residual of impulses of the step that are not exact */
  double h;     /* the length of a step of moreau; 0: an instant */
  double end;   /* where the step last made by moreau ends: one that looks for events ends elsewhere [s] */
  double early; /* the part of that step before its impacts: a half where there are none */
  double below; /* how far gaps that are looked at were below zero at the start of the step [m] */
  int weighed; /* velocities jump in the step being made: dv, around, loss and reactions are of it (moreau) */
  int rough;   /* solve without the last digits: more is to come */
  int shared;  /* forces at the last instant are a choice of redundant points, all in their cones */
  int first;   /* wrench of the points of the step being made (moreau) */
  int settled; /* the guess in P comes from a solution of least forces */
  int gains;   /* impacts of the step in which friction did positive work */
  int pushed;  /* limits or stiction pushed in the step being made: s->friction has their forces */
  unsigned char* happened; /* [ncontact] bits of fb_contact_change, at this instant */
  unsigned char* turned;   /* [ncontact] whether slip of a point has turned round at it */
  void* memory;
};

/* Blocks of contacts of any law, compliant ones too. */
static inline int fb_is_contact(const fb_block* block) {
  return block->contact_ == 1 || block->contact_ == 3;
}
static inline fb_contact_block* fb_touch_contact(const fb_sim* s, int contact) {
  return (fb_contact_block*)s->blocks[s->touch->block[contact]].user;
}
static inline double* fb_touch_block_memory(const fb_sim* s, int contact) {
  return s->memory + s->block_memory[s->touch->block[contact]];
}
/* Whether a point is one of this pair of colliders. */
static inline int fb_is_of_pair(const fb_touch_point* p, int contact, int a, int b) {
  return p->contact == contact && p->a == a && p->b == b;
}
/* Whether moreau divides its step at impacts (fb_touching.early). */
static inline int fb_touch_is_divided(const fb_touching* w) {
  return w->early != 0.5;
}
/* Colliders that have a part in a point. */
static inline const fb_collider* fb_point_a(const fb_sim* s, const fb_touch_point* p) {
  return &fb_touch_contact(s, p->contact)->how.a[p->a];
}
static inline const fb_collider* fb_point_b(const fb_sim* s, const fb_touch_point* p) {
  return &fb_touch_contact(s, p->contact)->how.b[p->b];
}

/* ---- hard_contact.c ---- */

/* The points whose gap is at most `reach` at (q, v), with their rates, into w->points. */
void fb_touch_find(fb_sim* s, const double* q, const double* v, double reach);
/* The names of the contacts that touch, or did at the last instant, or where none did that all but touch, as text: contacts
 * "left", "right", "rear" and 2 others. */
enum { FB_TOUCH_NAMES_SIZE = 256 };
const char* fb_touch_names(fb_sim* s, char text[FB_TOUCH_NAMES_SIZE]);
/* An error where more points touch than a dense problem can take. */
fb_status fb_touch_check_room(const fb_sim* s, double t, fb_error* error);
/* Moves p_b of a point that was just found to where its sides are taken to meet. */
void fb_touch_meet(const fb_sim* s, fb_touch_point* p);
/* Where the point x is in the frame of the side that moves: a's, or b's where a is on the world. */
void fb_touch_find_own(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const double x[3],
                       double own[3]);
/* And back. */
void fb_touch_from_own(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const double own[3],
                       double x[3]);
/* How far the place of a touch is from where p was on its body, p->own [m]. */
double fb_touch_moved(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const fb_touch* touch);
/* Two directions square to n; and the rates of a point at the velocities in d. */
void fb_touch_find_tangents(const double n[3], double t[2][3]);
void fb_touch_find_rates(const fb_sim* s, const fb_data* d, fb_touch_point* p);
/* Rows of all points: three each, or one without friction; w->nrow, w->ncone, and w->P, the forces last remembered times `by`. */
void fb_touch_pose(fb_sim* s, double by);
/* The same with one row each, the normal, and w->c the gaps. */
void fb_touch_pose_normals(fb_sim* s);
/* The same with three rows each, whatever their friction. */
void fb_touch_pose_all(fb_sim* s);
/* The same with the rows that do not move: normals, and tangents of points that stick. */
void fb_touch_pose_held(fb_sim* s);
/* One more row, along a coordinate, times sign; limit: its number, or -1. */
void fb_touch_pose_coordinate(fb_sim* s, int coordinate, double sign, fb_cone cone, int limit);
/* A of the rows at q; coordinates that are moved do not respond. */
void fb_touch_responses(fb_sim* s, const double* q);
/* Every point's own, after the same with three rows each. */
void fb_touch_note_responses(fb_touching* w);
/* x = H^-1 J^T P, after fb_touch_responses. */
void fb_touch_respond(const fb_sim* s, const double* P, double* x);
/* Solves for w->P, which holds the guess. */
fb_cones_status fb_touch_solve(fb_sim* s);
/* The part of a point in P, as a vector on a. */
void fb_touch_take_force(fb_touch_point* p, const double P[3], double by);
/* Adds the wrenches of all points with forces to those of the flow; s->nwrench grows. */
void fb_touch_push(fb_sim* s, const fb_data* d);
/* The way of slip of a point: u_T / |u_T| in world axes; zero below `slow`. Returns |u_T|. */
double fb_touch_find_way(fb_touch_point* p, double slow);
/* What fb_touch_memory.creep will be; slip of so many times of it and more is not slow. */
enum { FB_CREEPS = 4 };
double fb_touch_creep(const fb_sim* s, const fb_touch_point* p);
/* Slip that is rounding, or what brackets leave [m/s]. One that has all but ended may turn from event to event without
 * getting any slower: so this grows while steps crawl (hard_locate.c), and what then slips begins again from rest. */
double fb_touch_slowest(const fb_sim* s);
/* Whether a point slips faster than that. */
int fb_touch_moves(const fb_sim* s, const fb_touch_point* p);
static inline int fb_touch_crawls(const fb_sim* s) {
  return s->head->crawl_steps[FB_CRAWL_SHORT] > 100;
}
/* A point's own place in what is remembered; NULL when it is not. */
const fb_touch_memory* fb_touch_remembered(const fb_sim* s, const fb_touch_point* p);
/* Whether a point was pressed in the step of moreau before, and velocities have not jumped since: its rate was zero after that step, and
 * what it has now is the turning of its normal within a step, however much that is. */
int fb_touch_lasts(const fb_sim* s, const fb_touch_point* p);
/* Whether memory from a snapshot can be of these contacts. */
int fb_touch_is_sound(const fb_sim* s, const fb_touch_memory* m);
/* What touches becomes what is remembered. */
void fb_touch_remember(fb_sim* s);
/* Whether a point has tangential rows too. */
static inline int fb_touch_rubs(const fb_sim* s, const fb_touch_point* p) {
  return fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION] > 0;
}

/* ---- hard_output.c ---- */

/* Outputs of all contacts from w->points. */
void fb_touch_sum(fb_sim* s);
/* Residual, iterations and gains of the last solution, into the outputs of the block "solver". */
void fb_touch_accept_solution(fb_sim* s);
/* A point took part in an impact, with this impulse on a, world axes; rate: of its gap before it. */
void fb_touch_note_impact(fb_sim* s, const fb_touch_point* p, const double impulse[3], double rate);
/* Notes the contacts of which a point slips otherwise, by more than a right angle, than is remembered. */
void fb_touch_note_turns(fb_sim* s);
/* Adds w->works to the states of the contacts' blocks. */
void fb_touch_add_works(fb_sim* s, double* y);

/* ---- hard_block.c ---- */

/* The block of a hard contact, and the block "solver", which fb_sim_add_contact adds before the first of them. */
FB_API fb_status fb_touch_block(const fb_model* m, const fb_contact* contact, fb_block* block,
                                fb_error* error);
FB_API fb_block fb_touch_solver_block(void);
/* The same where all contacts are compliant: its outputs are zero, since there is nothing to solve. */
FB_API fb_block fb_touch_idle_solver_block(void);

/* ---- closed_force.c ---- */

/* The points that are remembered, at (q, v), into w->points. */
void fb_touch_find_closed(fb_sim* s, const double* q, const double* v);
/* The same without those that are farther off than a step of this length explains. The number of these: they have lost what they
 * touched, and an event is due. */
int fb_touch_find_kept(fb_sim* s, const double* y, double time);
/* Whether another point of the pair, so far from p, has its place and its normal. */
int fb_touch_is_same(const fb_touch_point* p, const fb_touch* other, double apart);
/* J' v along all rows of w->points at (q, v), the velocities staying: [nrow], by differences. Leaves the points as they are. */
void fb_touch_bias(fb_sim* s, const double* q, const double* v, double* bias);
/* u and n of point p with the bodies at d; `at`: of the same d, or of none. 0: it is on another feature there. */
int fb_touch_look_ahead(const fb_sim* s, const fb_data* d, const fb_touch_point* p, fb_touch_meeting* at,
                        double u[3], double n[3]);
/* Accelerations along rows below this are rounding [m/s^2]. */
double fb_touch_noise(const fb_sim* s, const double* y);

/* Rates along all rows where coordinates have the rates v at q: J v. */
void fb_touch_rates(fb_sim* s, const double* q, const double* v, double* u);
/* The largest coordinate of what floats: gaps are rounded with it [m]. */
double fb_touch_far(const fb_sim* s, const double* y);
/* How near surfaces count as touching [m]: what projection and rounding leave. */
double fb_touch_slack(const fb_sim* s, const double* y);

/* ---- load_share.c ---- */

/* Solves A x = x of n rows in place; of all solutions the least. */
void fb_touch_solve_equal(fb_sim* s, const double* A, int n, double* x);
/* The same for K of modes, whose rows of all points are in w->ints and their responses in w->A: of all solutions those of equal
 * springs. */
void fb_touch_solve_modes(fb_sim* s, const double* K, int n, double* x);
/* Other forces f with the same accelerations, K f = rhs, all in their cones, where there are such; w->shared says so. */
void fb_touch_share(fb_sim* s, const double* K, const double* rhs, int n, double* f);
/* What combinations z of the n rows in w->ints respond to nothing, times the compliances of springs: [count][n], in the memory
 * of fb_touch_solve_equal. Takes the part of x along them away, where it is not NULL. Returns how many there are. */
int fb_touch_find_idle(fb_sim* s, int n, double* x, double** idle);
/* K += by sum z z^T, n rows. */
void fb_touch_add_idle(const double* idle, int count, int n, double by, double* K);
/* Whether friction of a point that slips is in the columns of modes. */
int fb_touch_any_rubs_along(const fb_sim* s);

/* ---- step_end.c ---- */

/* w->bend: what the rates v along all rows are more a time later, with the bodies moved on from y by v. */
void fb_touch_bend(fb_sim* s, const double* y, const double* v, double time);
/* Which points touched at the start of a step already, and how fast they may close gaps that they had there; after
 * fb_touch_bend for the velocities there, which give w->before. */
void fb_touch_find_lasting(fb_sim* s, double h, double slack);
/* w->closing of the next solution, from these and from w->u, the rates after the pass before. */
void fb_touch_aim_at_end(fb_sim* s);

/* ---- slip_direction.c ---- */

/* The way that slow slips are about to have, of all points, after an evaluation of the flow at s->y. The same at the end of a
 * step without an event. */
void fb_touch_aim(fb_sim* s);
void fb_touch_keep_aim(fb_sim* s);

/* Whether a slow slip was found to go on the way that it has: it aims at that. */
static inline int fb_touch_goes_straight(const fb_touch_memory* m) {
  return (m->aim[0] != 0 || m->aim[1] != 0 || m->aim[2] != 0) && memcmp(m->aim, m->way, sizeof m->way) == 0;
}

/* ---- local_pose.c ---- */

/* Whether what touches floats; memory for its poses. */
fb_status fb_touch_near_start(fb_sim* s, fb_error* error);
/* The poses and velocities that contacts are found with at (q, v). Places are relative to w->origin, velocities to that of the first
 * floating tree. */
fb_data* fb_touch_kinematics(fb_sim* s, const double* q, const double* v);
/* The same in two steps: (q, v) as they are there into w->near_q and w->near_v; poses at another q there, velocities staying. */
void fb_touch_go_near(const fb_sim* s, const double* q, const double* v);
fb_data* fb_touch_near_at(fb_sim* s, const double* q);
/* Those last asked for. */
const fb_data* fb_touch_poses(const fb_sim* s);

/* ---- step_error.c ---- */

/* Whether the next step is one of those that are made twice; whether the one just made should be. */
int fb_touch_is_sampled(const fb_sim* s);
int fb_touch_is_worth_a_sample(const fb_sim* s);
/* Whether the step just made has impacts. */
int fb_touch_any_hits(const fb_touching* w);
/* A step led to y as a whole and to `halves` in two, in either case with impacts if `hits`; then, the step being accepted. */
void fb_touch_note_sample(fb_sim* s, const double* y, const double* halves, int hits);
void fb_touch_keep_sample(fb_sim* s);

/* ---- step_stop.c ---- */

/* After steps of moreau inside an event-driven run: impacts at an instant know nothing of a step. */
void fb_touch_leave_steps(fb_touching* w);
/* What limits do in the step being made by moreau, and their work at the velocities v of its ledger; then, where the step is
 * accepted, what that means: phases of limits, rest, and the energy of impacts. */
void fb_touch_note_stops(fb_sim* s);
double fb_touch_stop_work(const fb_sim* s, const double* v);
void fb_touch_keep_stops(fb_sim* s);

/* ---- passing.c ---- */

/* The least thickness of both sides of a contact together; INFINITY where nothing can come out at the other side [m]. Meshes
 * count as shells of none, or as solid; backed: open ones as thick as they are solid behind their surface. */
typedef enum fb_mesh_width { FB_MESH_SHELL, FB_MESH_SOLID, FB_MESH_BACKED } fb_mesh_width;
double fb_touch_width(const fb_sim* s, int contact, fb_mesh_width mesh);
/* That of the thinner side, planes and points left out; INFINITY where there is no other. */
double fb_touch_size(const fb_sim* s, int contact);
/* A bound on how fast gaps of a contact change at the state y, but for those to planes and height fields [m/s]. */
double fb_touch_pace(fb_sim* s, int contact, const double* y);
/* Remembers the first contact whose sides went through each other in a step (moreau). */
void fb_touch_note_passing(fb_sim* s);

/* ---- impulse.c ---- */

/* The impulses w->P that rows need whose rates were w->before, and change by w->gained through finite forces: rates after are
 * w->u. Restitution by the law of each contact; none where the approach is slower than `slow` [m/s]. After
 * fb_touch_responses; w->P holds a guess. Works of the contacts are added to w->works. */
fb_cones_status fb_touch_impulses(fb_sim* s, double slow);
/* The impulses of an impact without approach: the limit of those of a step that goes to zero. w->gained: rates that forces
 * add in a short time. */
fb_cones_status fb_touch_jam(fb_sim* s);

/* ---- instant_impact.c ---- */

/* One impact of all points in w->points, and of the limits that touch; joints that are held are let go. Approaches slower
 * than `slow` [m/s] take no restitution. */
fb_status fb_touch_hit(fb_sim* s, double slow, fb_error* error);
/* One without approach, where forces have no solution (fb_touch_jam); what is held stays held. gained: what rates would change
 * by next, [3 npoint]. */
fb_status fb_touch_hit_jammed(fb_sim* s, const double* gained, fb_error* error);

/* Whether impulses of limits that are run into would move points that touch, in w->points. */
int fb_touch_reach_stops(fb_sim* s);

/* ---- hard_project.c ---- */

/* What rates that are held may differ from zero by at the end of a step: more is no error of the method. INFINITY where it may be,
 * with methods of low order. [m/s] */
double fb_touch_drift(const fb_sim* s);
/* Moves y out of penetration, contacts and limits alike; the energy that this takes is booked. 1 when it moved. */
int fb_touch_project(fb_sim* s, double t, double* y);
/* After it in a step: an error where so much is left that the motion is wrong. */
fb_status fb_touch_check_depth(const fb_sim* s, double t, fb_error* error);
/* At an event: points count as closed whose gaps and rates are small, and are closed by this. What that takes is booked, as
 * it is no error of the method; what fb_touch_close takes away at the end of a step is, and remains in the residual. */
void fb_touch_close_at_event(fb_sim* s);
/* At an event, before points are settled: takes away what is left of the slip of w->points that count as at rest. Normal rates stay;
 * the energy is booked likewise. 1: velocities have changed. */
int fb_touch_end_slips(fb_sim* s);

/* A row that responds less than this does not respond at all: 1e-9 of the scene as one mass [1/kg]. */
double fb_touch_no_response(const fb_sim* s);
/* Sums of work at contacts, and what projections took, begin anew; what friction remembers stays. */
FB_API void fb_contacts_clear_works(fb_sim* s);

#endif
