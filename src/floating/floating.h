/* floating.h -- inside fb_floating: the tree, its momentum matrix at the state, and scratch. */
#ifndef FB_FLOATING_FLOATING_H
#define FB_FLOATING_FLOATING_H

#include <freebody/floating.h>

#include "model/data.h"
#include "model/model.h"

/* Doubles a link takes in `composite`: mass, h (3), J (6), then the rates of h and J. */
enum { FB_COMPOSITE_SIZE = 19 };

struct fb_floating {
  const fb_model* m;
  fb_data* d; /* its own */
  int base, root, nj;
  int has_rates;      /* the last update had v */
  int* joints;        /* [nj] indices in v */
  int* column;        /* [nv] the other way, -1 elsewhere */
  int* on_tree;       /* [nlink] */
  double* composite;  /* [nlink][19] of the subtree about the base origin, world axes */
  double* Hb;         /* [6][6] */
  double* Hb_dot;     /* [6][6] */
  double* Hb_factors; /* [6][6] as fb_ldl_factor leaves it */
  double* Hbm;        /* [6][nj] */
  double* Hbm_dot;    /* [6][nj] */
  double* G;          /* [6][nj] H_b^-1 H_bm */
  double* G_dot;      /* [6][nj] */
  double* v;          /* [nv] */
  double* J;          /* [6][nv] scratch: a frame's joint part */
  double* Jstar;      /* [6][nj] scratch */
  double* s;          /* [6] scratch of the decomposition, and the rest */
  double* U;          /* [6][6] */
  double* V;          /* [max(nj, 6)][6] */
  double* work;       /* of fb_svd and fb_orthogonal_complement */

  /* Loops within the tree (loops.c); nothing of it is there without them. */
  int nrow, nfree;        /* their rows; the joint motions that they leave */
  int* rows;              /* [nrow] among those of the model */
  double* free_motions;   /* [nj][nj] orthonormal columns, nfree of them */
  double* held;           /* [nj] the joint accelerations that the loops force on v; NaN without rates */
  unsigned char* given;   /* [nv] all 1 */
  double *rest, *tau;     /* [nv] */
  double *J_all, *J_rows; /* [rows of the model][nv], [nrow][nj] */
  double *row_s, *row_U, *row_V, *row_work; /* of their decomposition */
  double* among;                            /* [nj][nj] */
};

/* ---- loops.c ---- */

/* Counts the rows of the loops within the tree; a loop that leaves the tree is an error. Then lists them. */
fb_status fb_floating_count_rows(fb_floating* f, fb_error* error);
void fb_floating_list_rows(fb_floating* f);
/* free_motions and held at the state in d. */
void fb_floating_update_loops(fb_floating* f, const double* q, const double* v);
/* Takes from the rows of A (rows x nj) what the loops do not let move; A = A N N^T. */
void fb_floating_restrict(const fb_floating* f, double* A, int rows);

/* Fills Hb, Hbm and, with v, their rates from the kinematics in d (momentum_matrix.c). */
void fb_floating_fill_momentum_matrix(fb_floating* f);

/* x <- H_b^-1 x */
void fb_floating_solve_base(const fb_floating* f, double x[6]);

/* y = sum over j of A[row][j] x[j] for a 6 x nj matrix; x NULL: zero. */
void fb_floating_apply(const fb_floating* f, const double* A, const double* x, double y[6]);

/* Whether a frame exists and rides on the tree. */
int fb_floating_has_frame(const fb_floating* f, int frame);

#endif
