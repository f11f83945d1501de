/* momentum_method.h -- inside the momentum-preserving method: its memory, and what its files share.
 *
 *   momentum_frame.c    floating trees in the frame of their centre of mass; the momenta that are kept
 *   momentum_solve.c    the middle of the step, and the iteration that finds its velocity
 *   momentum_method.c   the step, and the method as a stepper */
#ifndef FB_SIM_STEPPER_MOMENTUM_METHOD_H
#define FB_SIM_STEPPER_MOMENTUM_METHOD_H

#include "base/fields.h"
#include "sim/sim.h"

enum { FB_MOMENTUM_PAST = 8 };

/* A tree whose base floats, in the axes of its base's joint. */
typedef struct fb_momentum_tree {
  int q_at, v_at, link; /* of its base */
  int floats; /* 1: nothing moves the base, and the tree is stepped in the frame of its centre of mass */
  double mass;
  double gravity[3];
  double com_v[3]; /* mean velocity of the centre of mass over the step */
  double arm[3];   /* from the base's origin to the centre of mass */
} fb_momentum_tree;

#define FB_MOMENTUM_FIELDS(FIELD)                                                                        \
  FIELD(double, v, s->nv, "velocity of the step being made, or last made")                               \
  FIELD(double, v_before, s->nv, "that of the iteration before")                                         \
  FIELD(double, p0, s->nv, "momenta at its start")                                                       \
  FIELD(double, p1, s->nv, "at its end")                                                                 \
  FIELD(double, mu, s->nv, "in its middle")                                                              \
  FIELD(double, slope, s->nv, "dT/dq")                                                                   \
  FIELD(double, force, s->nv, "all forces except those that move moved coordinates")                     \
  FIELD(double, given, s->nv, "those, as mu implies; zero elsewhere")                                    \
  FIELD(double, known, s->nv, "velocities of moved coordinates; zero elsewhere")                         \
  FIELD(double, rest, s->nv + 3, "zeros")                                                                \
  FIELD(double, y_mid, s->ny, "")                                                                        \
  FIELD(double, x_rate, s->nx, "")                                                                       \
  FIELD(double, x_rate_before, s->nx, "")                                                                \
  FIELD(double, z_rate, s->nz, "")                                                                       \
  FIELD(double, change, s->m->top.nbody, "of a tree, at its base: square of the last change of speeds")  \
  FIELD(double, change_drift, s->m->top.nbody, "the same of drift")                                      \
  FIELD(double, size, s->m->top.nbody, "the same of the speeds themselves")                              \
  FIELD(int, base, s->nv, "the body that the coordinate's tree starts with")                             \
  FIELD(fb_momentum_tree, trees, s->tree.nroot, "those that float")                                      \
  FIELD(double, com_a, s->nv,                                                                            \
        "acceleration of the centre of mass, in the base's linear places; without gravity if all float") \
  FIELD(double, com_a_before, s->nv, "")                                                                 \
  FIELD(double, link_mass, s->m->top.nlink, "of the subtree")                                            \
  FIELD(double, link_moment, 3 * s->m->top.nlink,                                                        \
        "that, times the arm from the link to its centre of mass; world axes")                           \
  FIELD(double, start, fb_momentum_kept(s), "momenta stored from step to step: of the step last made")   \
  FIELD(double, end, fb_momentum_kept(s), "at its end")                                                  \
  FIELD(double, aside, fb_momentum_kept(s), "at the end of one made aside")                              \
  FIELD(double, y_end, s->nq + s->nv, "the state that `end` belongs to")                                 \
  FIELD(double, y_aside, s->nq + s->nv, "that of `aside`")                                               \
  FIELD(double, v_end, s->nv, "velocity of the step of `end`")

/* Velocities v and momenta p, mu of a floating tree are relative to its centre of mass: its linear momentum is zero
 * there. y, and the context of blocks, have the motion in the world. */
typedef struct fb_momentum_method {
  FB_MOMENTUM_FIELDS(FB_FIELD_DECLARE)
  const double* from; /* momenta kept at the start of the step */
  int all_float;      /* 1: all trees float */
  double t_mid;       /* middle of the step of v_end */
  int pending;        /* 1: the simulation has not taken `end` over yet */
  /* Velocities of past steps, newest first, and the times of their middles. */
  double* past[FB_MOMENTUM_PAST];
  double past_t[FB_MOMENTUM_PAST];
  int npast;
} fb_momentum_method;

/* ---- momentum_frame.c ---- */

size_t fb_momentum_kept_size(const fb_sim* s); /* in bytes */
static inline size_t fb_momentum_kept(const fb_sim* s) {
  return fb_momentum_kept_size(s) / sizeof(double);
}
void fb_momentum_frame_set_up(fb_momentum_method* o, const fb_sim* s);
/* Momenta of s->y, as they are kept. */
void fb_momentum_measure(fb_momentum_method* o, fb_sim* s, double* kept);
/* p0, from the momenta kept at the start of the step. */
void fb_momentum_enter(fb_momentum_method* o, const fb_sim* s, const double* kept);
/* Velocities v at q relative to the centres of mass: bases get u*. p_rest: scratch, the momenta with bases at rest. */
void fb_momentum_leave_drift(fb_momentum_method* o, fb_sim* s, const double* q, double* v, double* p_rest);
/* Velocities of y_mid in the world; placed: positions too. s->d must hold the poses at its q. */
void fb_momentum_place_middle(fb_momentum_method* o, const fb_sim* s, double h, int placed);
/* Splits o->force: com_a of floating trees, and what acts on their attitudes and joints. */
void fb_momentum_split_force(fb_momentum_method* o, fb_sim* s);
/* p_1 of floating bases, which outer forces alone change. */
void fb_momentum_push_bases(fb_momentum_method* o, const fb_sim* s, double h);
/* Bases at the end of the step in the world, and the momenta to store, from o->p1. s->d must hold the poses at y1's
 * q. */
void fb_momentum_place_end(fb_momentum_method* o, const fb_sim* s, double h, double* y1, double* kept_end);

/* ---- momentum_solve.c ---- */

/* v = H(q)^-1 p, moved coordinates at their known velocities; their p is filled. */
void fb_momentum_find_velocities(fb_momentum_method* o, fb_sim* s, const double* q, double* p, double* v);
/* The velocity of the step of length h from y0 at t, starting from o->v; the middle of the step is then evaluated at
 * it. */
fb_status fb_momentum_solve(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                            fb_error* error);
/* g of the three coordinates of an attitude: slope and forces. */
void fb_momentum_turning_force(const fb_momentum_method* o, int k, double g[3]);

#endif
