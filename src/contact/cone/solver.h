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

typedef struct fb_cones_problem {
  int ncone, n; /* n: rows of all cones */
  const fb_cone* cones;
  const double *A, *c;
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
/* P: [n], the guess on entry (zeros: none), the solution on return. */
fb_cones_result fb_cones_solve(const fb_cones_problem* problem, double* P, double* work, int* ints);
/* Of all P in their cones with A P + c = 0, to 1e-9 of c, the one closest to P, blocks scaled by their diagonal; 0 where there
 * is none, or it was not found, and P is then of no use. A may be any. */
int fb_cones_closest(const fb_cones_problem* problem, double* P, double* work, int* ints);
/* The largest entry of the natural map of (P, A P + c), every block scaled by its diagonal, in the unit of u. */
double fb_cones_residual(const fb_cones_problem* problem, const double* P, double* work);

#endif
