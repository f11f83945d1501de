/* hard_contact.h -- hard contacts in a simulation: their data, and the memory of their blocks
 *
 * hard_point.h: where they touch; hard_problem.h: forces and impulses there
 *
 * At a state, the points at which hard contacts touch give rows (response.h): the normal and two tangents, along
 * which b pushes a. All problems are in terms of u = A P + c with A = J H^-1 J^T (contact/cone/solver.h): impulses of
 * a step or of an impact, forces at an instant, displacements that end a penetration. Loops are part of A; H is never
 * formed. */
#ifndef FB_CONTACT_DYNAMICS_HARD_CONTACT_H
#define FB_CONTACT_DYNAMICS_HARD_CONTACT_H

#include <string.h>

#include "block/kind.h"
#include "contact/near_pairs.h"
#include "contact/pair.h"
#include "contact/cone/solver.h"
#include "sim/stepper/moreau_beside.h"
#include "contact/dynamics/island.h"
#include "sim/sim.h"
#include "contact/dynamics/step_contact.h"

/* Memory of the block of a hard contact: its parameters, the speed of its last impact, then its outputs of the last
 * step. */
enum {
  FB_HARD_FRICTION,
  FB_HARD_RESTITUTION,
  FB_HARD_SPEED,
  FB_HARD_GAINED,
  FB_HARD_OUTPUTS,
  FB_HARD_MEMORY = FB_HARD_OUTPUTS + FB_CONTACT_OUT_COUNT
};
/* Of the block "solver": its outputs, and in its memory also the number of inexact solutions, the worst of them, and
 * contacts that were passed through. */
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
  FB_SOLVER_ERROR_V, /* estimated errors of velocities and positions (moreau_error.c), and the largest so far of the latter */
  FB_SOLVER_ERROR_Q,
  FB_SOLVER_ERROR,
  FB_SOLVER_SAMPLED, /* the step last sampled for them; and the step from which impacts have all their samples */
  FB_SOLVER_SAMPLED_HIT,
  FB_SOLVER_PUSHES, /* points of compliant contacts with a force in the last step, and the step in which they became more */
  FB_SOLVER_PUSHES_FROM,
  FB_SOLVER_MEMORY
};

/* A closed point as stored between steps: part of the snapshot. */
struct fb_hard_memory {
  int contact;              /* which of the hard contacts */
  int a, b, feature;        /* colliders, and where on them */
  int state;                /* fb_contact_state */
  short moves;              /* 1: it slips faster than rounding and bracket errors */
  short leaves;             /* 1: it has rebounded in the last step (moreau) */
  double local[3];          /* its place in the axes of the frame of the side that moves [m] */
  double slip_direction[3]; /* unit, world axes: direction in which a slips over b; zero where it sticks */
  double predicted_direction[3]; /* likewise: the predicted direction of a slow slip; zero: the same */
  double force[3]; /* on a, world axes: of the last step or instant, the guess of the next solution [N] */
  double load[3];  /* the same without impacts: that before the impact, where it took part in one (moreau) */
  /* change of its slip by friction alone in a step of fixed length, at least 1e-5 [m/s] */
  double slip_tolerance;
};

/* A point at the evaluated state. */
typedef struct fb_hard_point {
  int contact, a, b;
  int state;
  fb_contact_point point;
  double tangent[2][3];
  double origin[3];              /* of the frame of positions, in the world (local_pose.c) */
  double rate[3];                /* of the gap, and slip along the tangents [m/s] */
  double local[3];               /* as in fb_hard_memory */
  double slip_direction[3];      /* likewise */
  double predicted_direction[3]; /* likewise */
  double force[3];               /* on a, world axes [N], or impulse [N s] */
  double load[3];                /* as in fb_hard_memory */
  double response;               /* to a force along a tangent [1/kg] */
  double open; /* rate at which it may close a gap that it had at the start of the step (moreau) [m/s] */
  int lasts;   /* it touched at the start of that step already */
  int handed;  /* its feature has ended, and another has replaced it (closed_force.c) */
  int leaves;  /* it was pushed in that step, and separates at its end: a rebound */
  int hit;     /* it takes part in an impact in that step */
} fb_hard_point;

/* The former place of a point, by which others of its pair are found again (closed_force.c). */
typedef struct fb_hard_anchor {
  int contact, a, b, feature;
  double local[3]; /* as in fb_hard_memory */
} fb_hard_anchor;

/* At once: of problems with a matrix of all rows, and of islands of free bodies, of each body. */
enum { FB_HARD_MOST_POINTS = 512, FB_HARD_POINTS_OF_BODY = 16 };
/* Slower approaches have no restitution and are no impacts: such a point was closed except for rounding. [m/s] */
#define FB_HARD_SLOW 1e-6
/* The gap that a closed point may have where its feature changes [m]: this happens at zero. */
#define FB_HARD_HANDED 1e-6

#define FB_HARD_SCRATCH(FIELD)                                                                             \
  FIELD(int, block, w->ncontact, "of each")                                                                \
  FIELD(const fb_contact_block*, sides, w->ncontact, "likewise")                                           \
  FIELD(unsigned char, acts, w->ncontact, "whether it acts at present")                                    \
  FIELD(double, width, w->ncontact, "of its sides together, which nothing passes unseen [m]")              \
  FIELD(fb_hard_point, points, w->room, "that touch")                                                      \
  FIELD(fb_hard_point, spare, w->room, "for what is looked at in between")                                 \
  FIELD(fb_pair_point, found, w->room, "scratch")                                                          \
  FIELD(fb_hard_anchor, anchors, w->room, "scratch")                                                       \
  FIELD(fb_hard_memory, beside, w->room, "points of the motion beside after the step (moreau_beside.c)")   \
  FIELD(double, outputs, w->ncontact* FB_CONTACT_OUT_COUNT, "of the step or evaluation last made")         \
  FIELD(double, works, 2 * w->ncontact, "of the last step or jump, normal and friction [J]")               \
  FIELD(double, impulses, 3 * w->ncontact, "of impacts in it [N s]")                                       \
  FIELD(double, speeds, w->ncontact, "of their fastest approach [m/s]")                                    \
  FIELD(double, rubbed, w->ncontact, "work of friction in them, where it is positive and no rounding [J]") \
  FIELD(unsigned char, happened, w->ncontact, "bits of fb_contact_change, at this instant")                \
  FIELD(unsigned char, turned, w->ncontact, "whether slip of a point has turned round at it")              \
  FIELD(unsigned char, stops, s->limit.count, "what limits did in the step (moreau_stop.c)")

/* Of rows: three of each point, then coordinates. */
#define FB_HARD_ROW_SCRATCH(FIELD)                                                                    \
  FIELD(fb_row, rows, n, "directions")                                                                \
  FIELD(double, sign, n, "of the row")                                                                \
  FIELD(int, limit_of, n, "the limit of a coordinate's row, or -1: stiction")                         \
  FIELD(fb_cone, normals, n, "without friction")                                                      \
  FIELD(fb_cone, cones, n, "of points, limits and stiction")                                          \
  FIELD(double, X, dense*(size_t)s->nv, "blocks of the islands")                                      \
  FIELD(double, A, dense* dense, "likewise: of the problem u = A P + c")                              \
  FIELD(double, c, n, "of that problem")                                                              \
  FIELD(double, P, n, "likewise; before it is solved the guess")                                      \
  FIELD(double, before, n, "rates before")                                                            \
  FIELD(double, gained, n, "what finite forces add to them")                                          \
  FIELD(double, u, n, "rates after")                                                                  \
  FIELD(double, sum, n, "impulses so far")                                                            \
  FIELD(double, more, n,                                                                              \
        "by how much the mean of rates around an impact exceeds that of `before` and `u` (moreau)")   \
  FIELD(double, closing, n, "what rates at the end count more than those in the middle (moreau)")     \
  FIELD(double, bend, n, "by how much they are more (moreau_end.c)")                                  \
  FIELD(double, soon, n, "rates that accelerations would give in a moment")                           \
  FIELD(double, samples, 8 * n, "[2][4][n] of rates, over a time and a shorter one (closed_force.c)") \
  FIELD(double, K, dense* dense, "of forces at an instant")                                           \
  FIELD(double, span, 2 * dense * dense + 7 * dense, "likewise")                                      \
  FIELD(double, work, work_size(w, s->m->top.nmoving), "of solvers")                                  \
  FIELD(int, ints, n + fb_cones_int_size(w->room_rows), "likewise")

#define FB_HARD_STATE_SCRATCH(FIELD)                                                              \
  FIELD(double, q, s->nq, "a state or a change of it")                                            \
  FIELD(double, v, s->nv, "likewise")                                                             \
  FIELD(double, x, s->nv, "likewise")                                                             \
  FIELD(double, from, s->ny, "where a displacement begins")                                       \
  FIELD(double, best, s->nq + s->nv, "the best that it came to")                                  \
  FIELD(double, halves, 2 * s->ny, "the same step in two halves (moreau)")                        \
  FIELD(double, mean, s->ny, "the middle of a step (moreau)")                                     \
  FIELD(double, dv, s->nv, "changes of v")                                                        \
  FIELD(double, around, s->nv, "likewise, around impacts")                                        \
  FIELD(double, later, s->nv, "zero where moreau does not divide its step")                       \
  FIELD(double, loss, s->nv, "of its dampers and friction: their mean")                           \
  FIELD(double, loss_change, s->nv, "and their change")                                           \
  FIELD(double, reactions, w->nreaction, "of finite forces")                                      \
  FIELD(double, passed, w->nreaction, "by how much impulses make them more")                      \
  FIELD(double, reaction_more, w->nreaction, "by how much their mean is more than in the middle") \
  FIELD(double, reaction_change, w->nreaction, "at the impacts")                                  \
  FIELD(double, local_q, s->nq, "the state last looked at, as local_pose.c has it")               \
  FIELD(double, local_v, s->nv, "and its velocities")

struct fb_hard_contacts {
  int ncontact;
  int solver; /* the block "solver" */
  int room;   /* points at most */
  int full;   /* the last search may be incomplete */
  int npoint, nrow, ncone;
  int sought;            /* where a point was last found among those remembered */
  int nisland;           /* of the responses last found */
  int nnear;             /* points that follow those (moreau) */
  fb_hard_point blocked; /* the deepest point that the last projection could not move; contact -1: none */
  int nanchor;
  int room_rows;
  int room_dense, crowded; /* rows of islands with a matrix; there are more: they have no responses */
  int cut_off;             /* room for fewer points than all shapes might have */
  double sample[2];        /* difference of halves and whole: positions and velocities, relative */
  int sampled;             /* 1: it is that of the last step */
  double depth, shifted;   /* the deepest penetration before the last projection; its displacement [m] */
  double left;             /* the deepest penetration after the last projection [m] */
  int left_at;             /* and of which contact; -1: none */
  int nreaction;           /* forces on moved coordinates, nv; of loops, nv and along their rows (moreau) */
  fb_kinematics_cache local_cache; /* poses there, where is_near */
  int is_local;                    /* all sides of contacts float */
  double origin[3];                /* the pose of its frame then, in the world */
  double stop_work;                /* of limits in the step [J] */
  fb_cones_result result;
  double off;   /* the largest residual of impulses of the step that are not exact */
  double h;     /* the length of a step of moreau; 0: an instant */
  double end;   /* end of the last step of moreau: a step that locates events ends elsewhere [s] */
  double seen;  /* the part of that step after which the gaps of its points were found */
  double cut;   /* the length that the step should have had: up to where a rebound meets the next body [s] */
  double early; /* the part of that step before its impacts: a half where there are none */
  double below; /* by how much watched gaps were below zero at the start of the step [m] */
  fb_beside aside; /* the motion beside */
  double astray;   /* the angle by which bodies are off at its impacts, by the gaps left there [rad] */
  int weighed; /* velocities jump in the step being made: dv, around, loss and reactions are of it (moreau) */
  int rough;   /* solve approximately: further problems follow */
  int all_poisson;       /* restitution of all contacts is Poisson's (impulse.c) */
  double met;            /* the rates before the impulses that c is the remainder of; 0: c is all [m/s] */
  int shared;            /* forces at the last instant are shared by redundant points, all in their cones */
  int first;             /* wrench of the points of the step being made (moreau) */
  int gains;             /* impacts of the step in which friction did positive work */
  int pushed;            /* limits or stiction act in the present step: s->limit.friction has their forces */
  fb_near_pairs* near;   /* their broad phase */
  fb_body_matrix matrix; /* of islands of free bodies */
  void* memory;          /* of what follows */
  FB_HARD_SCRATCH(FB_FIELD_DECLARE)
  FB_HARD_ROW_SCRATCH(FB_FIELD_DECLARE)
  FB_ISLAND_SCRATCH(FB_FIELD_DECLARE)
  FB_HARD_STATE_SCRATCH(FB_FIELD_DECLARE)
};

static inline fb_contact_block* fb_hard_contact(const fb_sim* s, int contact) {
  return (fb_contact_block*)s->block.list[s->contact.hard->block[contact]].user;
}
static inline double* fb_hard_block_memory(const fb_sim* s, int contact) {
  return s->block.memory + s->block.memory_offset[s->contact.hard->block[contact]];
}
/* Whether a point is one of this pair of colliders. */
static inline int fb_is_of_pair(const fb_hard_point* p, int contact, int a, int b) {
  return p->contact == contact && p->a == a && p->b == b;
}
/* Whether moreau divides its step at impacts (fb_hard_contacts.early). */
static inline int fb_hard_is_divided(const fb_hard_contacts* w) {
  return w->early != 0.5;
}
/* Colliders that have a part in a point. */
static inline const fb_collider* fb_point_a(const fb_sim* s, const fb_hard_point* p) {
  return &fb_hard_contact(s, p->contact)->how.a[p->a];
}
static inline const fb_collider* fb_point_b(const fb_sim* s, const fb_hard_point* p) {
  return &fb_hard_contact(s, p->contact)->how.b[p->b];
}

#endif
