/* cones.h -- shared by the solvers of solver.h: the problem scaled so that every block has the diagonal one, its
 * natural map, and the solution of one block.
 *
 *   P' = s P,  u' = u / s,  A'_ij = A_ij / (s_i s_j),  s = sqrt(trace of the block / its rows)
 *
 * All rows of a contact have the same s, so the cones keep their shape; bounds of boxes are multiplied by it. Everything
 * below is in scaled quantities unless a line says otherwise. */
#ifndef FB_CONTACT_CONE_CONES_H
#define FB_CONTACT_CONE_CONES_H

#include "contact/cone/solver.h"
#include "math/array.h"
#include "math/vector3.h"

typedef struct fb_cones {
  int ncone, n;
  const fb_cone* cones;         /* their mu; bounds are below */
  const int* first;             /* [ncone] row of each */
  double *A, *c;                /* [n n], [n]; of problems of bodies few rows only, by fb_cones_form */
  const fb_cone_bodies* bodies; /* or NULL */
  double* J;                    /* [12 n] of them, scaled */
  double *dv, *push, *motion;   /* [6 nbody] scratch: motions of bodies, impulses on them */
  double *weight, *metric;      /* [9 ncone] scratch: K of the matrix of bodies; what it is made of */
  double* block;                /* [9 ncone] diagonal blocks of A, once asked for */
  int blocked;                  /* they are there */
  int shaped;                   /* 1: that has the pattern of this problem; -1: there is no room for it */
  double *lo, *hi;              /* [ncone] of normal (0, inf) and box; lo of coulomb */
  double* scale;                /* [n] s */
  double* inverse;              /* [9 ncone] of coulomb blocks: pseudo-inverse of the diagonal block, where */
  int inverted;                 /* Gauss-Seidel has needed it */
  double size;          /* max |c|, unscaled, or that of the problem: what residuals are relative to */
  double tolerance;     /* requested */
  double goal;          /* of the residual; better than the tolerance requested */
  int symmetric;        /* of A */
  int limit;            /* iterations left */
  int used;             /* iterations so far */
  int ray;              /* Lemke's method found that there is no solution */
  double* best;         /* [n] the P of the least residual so far, and that residual */
  double best_residual; /* at least the rounding of u */
  double best_floor;    /* smaller residuals are not meaningful */
  double *u, *step, *trial, *kept;  /* [n] scratch of the methods */
  double *dual, *other;             /* [n] scratch of ADMM, which calls Newton's method */
  double* square;                   /* [n n] scratch: factors */
  double* path;                     /* [9 n] scratch of the interior-point method */
  double* lemke;                    /* scratch of Lemke's method */
  int *rows, *list, *fixed, *basis; /* [n] each; of Lemke's method */
  fb_cones_method method, found;    /* the present one; the one that found the best */
} fb_cones;

/* bodies.c: dv = J^T x; out = J dv. */
void fb_cones_push_bodies(const fb_cones* p, const double* x, double* dv);
void fb_cones_rates_of_bodies(const fb_cones* p, const double* dv, double* out);
/* The same of one row: dv += J^T x; J dv. */
void fb_cones_push_row(const fb_cones* p, int row, double x, double* dv);
double fb_cones_rate_of_bodies(const fb_cones* p, int row, const double* dv);
/* J of the problem, scaled. */
void fb_cones_scale_bodies(const fb_cones_problem* problem, fb_cones* p);
/* A out of J. */
void fb_cones_form(fb_cones* p);
/* Finds the blocks of bodies; then: the diagonal block of a cone, rows x rows, row major. */
void fb_cones_find_blocks(fb_cones* p);
void fb_cones_block(const fb_cones* p, int i, double W[9]);
/* The least motion of bodies with J dv = c, to rounding. */
void fb_cones_follow(fb_cones* p, double* dv);
/* The inverse of rows x rows numbers of stride 3; 0: singular. */
int fb_cones_invert_block(const double* M, int rows, double* out);
/* diagonal 1 + J^T K J with K in p->weight, factored; 0: singular. */
int fb_cones_condense(fb_cones* p, double diagonal);
/* With those factors: out = J (diagonal 1 + J^T K J)^-1 J^T x; x and out may be the same. */
void fb_cones_pass_bodies(fb_cones* p, const double* x, double* out);

/* A x; x, out: [n]. */
void fb_cones_product(const fb_cones* p, const double* x, double* out);
/* u = A P + c. */
void fb_cones_velocity(const fb_cones* p, const double* P, double* u);
/* The natural map's largest entry of one cone: mu, lo and hi as of its kind. */
double fb_cone_natural(const fb_cone* cone, const double* P, const double* u);
/* Onto the cone of cone i: x -> out, of its rows; may overlap. */
void fb_cones_project(const fb_cones* p, int i, const double* x, double* out);
/* The natural map's largest entry over all blocks, unscaled, over p->size; u as of fb_cones_velocity. */
double fb_cones_natural(const fb_cones* p, const double* P, const double* u);
/* Evaluates P, stores it in p->best if it is better than that, and counts the iterations. Fills u. Returns the
 * residual. */
double fb_cones_keep(fb_cones* p, const double* P, double* u, int iterations);
/* Whether the best has the required residual, or that of rounding. */
int fb_cones_done(const fb_cones* p);

/* Solves cone i with all others fixed: b is the velocity of its rows at P_i = 0; P is the guess and the answer. Returns 0
 * where the block has no solution; P is left. */
int fb_cones_solve_block(const fb_cones* p, int i, const double* b, double* P);
/* One Coulomb contact, u = W P + b, offset the lo of the cone: W and its pseudo-inverse row major, normal first. */
int fb_coulomb_solve(const double W[9], const double inverse[9], double mu, double offset, const double b[3],
                     double P[3]);

/* The methods: from the guess P on, the best into p->best. */
void fb_cones_gauss_seidel(fb_cones* p, double* P, int sweeps, int may_give_up);
void fb_cones_newton(fb_cones* p, double* P, int steps);
void fb_cones_admm(fb_cones* p, double* P, int steps);
void fb_cones_interior(fb_cones* p, double* P); /* needs no guess */
/* From P to the closest in the cones with A P + c = 0; 0 where they are not found. */
int fb_cones_find_closest(fb_cones* p, double* P);
/* 1; 0 where Lemke's path ends on a ray; -1 where the problem is too large or a box has no bounds. */
int fb_cones_lemke(fb_cones* p, double* P);
/* Doubles and ints of scratch that Lemke's method needs for problems of up to n rows. */
size_t fb_cones_lemke_size(int n);
size_t fb_cones_lemke_ints(int n);
/* Moves p->best to the solution of least norm with the same velocities, where A is singular; P is scratch. */
void fb_cones_least(fb_cones* p, double* P);

#endif
