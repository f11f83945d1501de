/* solver.h -- contact impulses in friction cones: the problem, and the function that solves it by the method that
 * suits it (solver.c)
 *
 *   u = A P + c,   each cone of P and u complementary
 *
 *   normal    one row:    0 <= P _|_ u >= 0
 *   coulomb   three rows (normal, two tangents):  0 <= P_N _|_ u_N >= 0,  |P_T| <= m,  P_T = -m u_T / |u_T| where
 *             u_T is not zero, m = mu (P_N + lo): the exact cone. lo >= 0 is a normal impulse that is there already (the
 *             expansion of Poisson's restitution); 0 otherwise
 *   box       one row:    lo <= P <= hi,  u >= 0 where P = lo, u <= 0 where P = hi, u = 0 between
 *
 * A is row major, n x n, positive semidefinite up to rounding, often singular: redundant feet, rows along which nothing can
 * move (all zero). It may be scaled badly, by mass ratios of 1e6. It is symmetric but for normal rows of contacts whose
 * slip direction is given, where friction has been added to the column. */
#ifndef FB_CONTACT_CONE_SOLVER_H
#define FB_CONTACT_CONE_SOLVER_H

#include <stddef.h>

typedef enum fb_cone_kind { FB_CONE_NORMAL, FB_CONE_COULOMB, FB_CONE_BOX } fb_cone_kind;

typedef struct fb_cone {
  fb_cone_kind kind;
  double mu;     /* of coulomb */
  double lo, hi; /* of box: lo <= 0 <= hi; of coulomb: lo >= 0, see above */
} fb_cone;

static inline int fb_cone_rows(const fb_cone* cone) {
  return cone->kind == FB_CONE_COULOMB ? 3 : 1;
}

typedef enum fb_cones_method {
  FB_CONES_AUTO,         /* in a result: the guess itself, or Newton's method from it */
  FB_CONES_LEMKE,        /* cones of normals and boxes only, or friction as a pyramid for a first guess */
  FB_CONES_GAUSS_SEIDEL, /* block by block, exact local solutions */
  FB_CONES_ADMM,         /* one factorisation; many contacts, large mass ratios */
  FB_CONES_INTERIOR,     /* a factorisation a step; where the others fail */
  FB_CONES_NEWTON        /* a few steps from the guess, to the solution near it, if any: it may be INEXACT */
} fb_cones_method;

typedef enum fb_cones_status {
  FB_CONES_SOLVED, /* residual <= tolerance, or as small as the rounding of A P allows, and then at most 1e-8 */
  FB_CONES_INEXACT, /* the best found, with its residual */
  FB_CONES_NONE     /* no solution: a ray, or numbers that are not finite; P is zero */
} fb_cones_status;

typedef struct fb_cones_result {
  fb_cones_status status;
  fb_cones_method method; /* that found it */
  int iterations;         /* pivots and sweeps together */
  double residual;        /* natural map, in the unit of u, relative to |c|, or to `size` if that is more */
} fb_cones_result;

/* A = J J^T of rows between free bodies, J in coordinates in which their inertia is one: only rows of the same body act on each
 * other, and A is never formed. */
typedef struct fb_cone_bodies {
  int nbody;
  const int* ends; /* [2 n] the two bodies of each row, the same for all rows of a cone; -1: none */
  const double* J; /* [12 n] six numbers for either, zeros where there is none */
  struct fb_body_matrix* matrix; /* memory, and the last pattern (body_matrix.h) */
} fb_cone_bodies;

typedef struct fb_cones_problem {
  int ncone, n; /* n: rows of all cones */
  const fb_cone* cones;
  const double *A, *c;
  const fb_cone_bodies* bodies; /* or NULL; with them A is NULL */
  double
      size; /* of the larger velocities of which c is the remainder after other impulses; 0: c is no remainder */
  fb_cones_method method;
  double tolerance; /* 0: 1e-10 */
  int limit;        /* of iterations; 0: a suitable number */
  int settled;      /* the guess, if it is a solution, is the least of them */
  int rough; /* any solution within the tolerance: neither to the last digits nor the least of several */
} fb_cones_problem;

/* Doubles and ints of scratch for problems of up to n rows. */
size_t fb_cones_work_size(int n);
size_t fb_cones_int_size(int n);
/* Doubles for those of bodies. */
size_t fb_cones_bodies_size(int n, int nbody);
/* Of J, not scaled: out = J J^T x with dv, [6 nbody], becoming J^T x; and one number of J J^T. */
void fb_bodies_product(const fb_cone_bodies* bodies, int n, const double* x, double* dv, double* out);
double fb_bodies_response(const fb_cone_bodies* bodies, int i, int j);
double fb_bodies_own_response(const fb_cone_bodies* bodies, int row);
void fb_bodies_push(const fb_cone_bodies* bodies, int n, const double* x, double* dv);
/* The least dv with J dv = c of a problem of bodies; 0 where it is not found. */
int fb_bodies_move(const fb_cones_problem* problem, double* dv, double* work, int* ints);
/* P: [n], the guess on entry (zeros: none), the solution on return. */
fb_cones_result fb_cones_solve(const fb_cones_problem* problem, double* P, double* work, int* ints);
/* Of all P in their cones with A P + c = 0, to 1e-9 of c, the one closest to P, blocks scaled by their diagonal; 0 where there
 * is none, or it was not found, and P is then of no use. A may be any. */
int fb_cones_closest(const fb_cones_problem* problem, double* P, double* work, int* ints);
/* The largest entry of the natural map of (P, A P + c), every block scaled by its diagonal, in the unit of u. */
double fb_cones_residual(const fb_cones_problem* problem, const double* P, double* work);

#endif
