/* momentum_method.h -- inside the momentum-preserving method: its memory, and what its files share.
 *
 *   momentum_frame.c    floating trees in the frame of their centre of mass; the momenta that are kept
 *   momentum_solve.c    the middle of the step, and the iteration that finds its velocity
 *   momentum_method.c   the step, and the method as a stepper */
#ifndef FB_SIM_STEPPER_MOMENTUM_METHOD_H
#define FB_SIM_STEPPER_MOMENTUM_METHOD_H

#include "base/arena.h"
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

/* Velocities v and momenta p, mu of a floating tree are those seen from its centre of mass: its linear momentum is
 * zero there. What blocks see, and y, is the motion in the world. */
typedef struct fb_momentum_method {
  /* The step being made, or last made; [nv] unless said. */
  const double* from;             /* momenta kept at its start */
  double *v, *v_before;           /* its velocity, and that of the iteration before */
  double *p0, *p1, *mu;           /* momenta at its ends, and in its middle */
  double* slope;                  /* dT/dq */
  double* force;                  /* all forces but those that move moved coordinates */
  double* given;                  /* those, as mu implies; zero elsewhere */
  double* known;                  /* velocities of moved coordinates; zero elsewhere */
  double* rest;                   /* zeros, at least 3 */
  double* y_mid;                  /* [ny] */
  double *x_rate, *x_rate_before; /* [nx] */
  double* z_rate;                 /* [nz] */
  /* [nbody] of each tree, at its base: squares of the last changes of speeds and of drift, and of speeds */
  double *change, *change_drift, *size;

  /* Floating trees. */
  fb_momentum_tree* trees; /* [nroot] */
  int all_float;           /* 1: there are no others */
  /* [nv] acceleration of the centre of mass, in the base's linear places; without gravity if all float. */
  double *com_a, *com_a_before;
  double* link_mass;   /* [nlink] of the subtree */
  double* link_moment; /* [nlink][3] that, times the arm from the link to its centre of mass; world axes */

  /* Momenta as they are kept from step to step (fb_momentum_kept_size). */
  double *start, *end, *aside; /* of the step last made; at the end of one made aside */
  double *y_end, *y_aside;     /* [nq + nv] the states that `end` and `aside` belong to */
  double *v_end, t_mid;        /* velocity and middle of its step */
  int pending;                 /* 1: the simulation has not taken `end` over yet */
  /* Velocities of past steps, newest first, and the times of their middles. */
  double* past[FB_MOMENTUM_PAST];
  double past_t[FB_MOMENTUM_PAST];
  int npast;
  int* base; /* [nv] the body that the coordinate's tree starts with */
} fb_momentum_method;

/* ---- momentum_frame.c ---- */

size_t fb_momentum_kept_size(const fb_sim* s);
void fb_momentum_frame_lay_out(fb_momentum_method* o, const fb_sim* s, fb_arena* a);
void fb_momentum_frame_set_up(fb_momentum_method* o, const fb_sim* s);
/* Momenta of s->y, as they are kept. */
void fb_momentum_measure(fb_momentum_method* o, fb_sim* s, double* kept);
/* p0, from the momenta kept at the start of the step. */
void fb_momentum_enter(fb_momentum_method* o, const fb_sim* s, const double* kept);
/* Velocities v at q as seen from the centres of mass: bases get u*. p_rest: scratch, the momenta with bases at rest. */
void fb_momentum_leave_drift(fb_momentum_method* o, fb_sim* s, const double* q, double* v, double* p_rest);
/* Velocities of y_mid as the world sees them; placed: positions too. s->d must hold the poses at its q. */
void fb_momentum_place_middle(fb_momentum_method* o, const fb_sim* s, double h, int placed);
/* Splits o->force: com_a of floating trees, and what acts on their attitudes and joints. */
void fb_momentum_split_force(fb_momentum_method* o, fb_sim* s);
/* p_1 of floating bases, which outer forces alone change. */
void fb_momentum_push_bases(fb_momentum_method* o, const fb_sim* s, double h);
/* Bases at the end of the step as the world sees them, and the momenta to keep from o->p1. s->d must hold the poses
 * at y1's q. */
void fb_momentum_place_end(fb_momentum_method* o, const fb_sim* s, double h, double* y1, double* kept_end);

/* ---- momentum_solve.c ---- */

/* v = H(q)^-1 p, moved coordinates at their known velocities; their p is filled. */
void fb_momentum_find_velocities(fb_momentum_method* o, fb_sim* s, const double* q, double* p, double* v);
/* The velocity of the step of length h from y0 at t, starting from o->v; all of the middle belongs to it then. */
fb_status fb_momentum_solve(fb_momentum_method* o, fb_sim* s, double t, const double* y0, double h,
                            fb_error* error);
/* g of the three coordinates of an attitude: slope and forces. */
void fb_momentum_turning_force(const fb_momentum_method* o, int k, double g[3]);

#endif
