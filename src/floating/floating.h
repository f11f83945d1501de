/* floating.h -- inside fb_floating: the tree, its momentum matrix at the state, and scratch. */
#ifndef FB_FLOATING_FLOATING_H
#define FB_FLOATING_FLOATING_H

#include <freebody/floating.h>

#include "base/fields.h"
#include "model/data.h"
#include "model/model.h"

/* Doubles a link takes in `composite`: mass, h (3), J (6), then the rates of h and J. */
enum { FB_COMPOSITE_SIZE = 19 };

#define FB_FLOATING_FIELDS(FIELD)                                                                      \
  FIELD(int, joints, f->nj, "indices in v")                                                            \
  FIELD(int, column, m->top.nv, "the other way, -1 elsewhere")                                         \
  FIELD(int, on_tree, m->top.nlink, "")                                                                \
  FIELD(double, composite, FB_COMPOSITE_SIZE * m->top.nlink, "of subtrees about the base, world axes") \
  FIELD(double, Hb, 36, "[6][6]")                                                                      \
  FIELD(double, Hb_dot, 36, "[6][6]")                                                                  \
  FIELD(double, Hb_factors, 36, "[6][6] as fb_ldl_factor leaves it")                                   \
  FIELD(double, Hbm, 6 * f->nj, "[6][nj]")                                                             \
  FIELD(double, Hbm_dot, 6 * f->nj, "[6][nj]")                                                         \
  FIELD(double, G, 6 * f->nj, "[6][nj] H_b^-1 H_bm")                                                   \
  FIELD(double, G_dot, 6 * f->nj, "[6][nj]")                                                           \
  FIELD(double, v, m->top.nv, "")                                                                      \
  FIELD(double, J, 6 * m->top.nv, "[6][nv] scratch: a frame's joint part")                             \
  FIELD(double, Jstar, 6 * f->nj, "[6][nj] scratch")                                                   \
  FIELD(double, s, 6, "scratch of the decomposition, and the rest")                                    \
  FIELD(double, U, 36, "[6][6]")                                                                       \
  FIELD(double, V, 6 * (f->nj > 6 ? f->nj : 6), "[max(nj, 6)][6]")                                     \
  FIELD(double, work, larger(fb_svd_work(6, f->nj), 6 * (size_t)f->nj + 6), "also of the complement")

/* Of loops within the tree (loops.c); not there without them. */
#define FB_FLOATING_LOOPS(FIELD)                                                              \
  FIELD(int, rows, f->nrow, "among those of the model")                                       \
  FIELD(unsigned char, given, m->top.nv, "all 1")                                             \
  FIELD(double, free_motions, nj* nj, "orthonormal columns, nfree of them")                   \
  FIELD(double, held, nj, "joint accelerations that the loops force on v; NaN without rates") \
  FIELD(double, rest, m->top.nv, "")                                                          \
  FIELD(double, tau, m->top.nv, "")                                                           \
  FIELD(double, J_all, (size_t)m->top.nrow*(size_t)m->top.nv, "[rows of the model][nv]")      \
  FIELD(double, J_rows, n* nj, "[nrow][nj]")                                                  \
  FIELD(double, row_s, k, "their decomposition")                                              \
  FIELD(double, row_U, n* k, "")                                                              \
  FIELD(double, row_V, nj* k, "")                                                             \
  FIELD(double, row_work, larger(fb_svd_work(f->nrow, f->nj), nj* nj + nj), "")               \
  FIELD(double, among, nj* nj, "[nj][nj]")

struct fb_floating {
  const fb_model* m;
  fb_data* d; /* its own */
  int base, root, nj;
  int has_rates;   /* the last update had v */
  int nrow, nfree; /* rows of the loops; the joint motions that they leave */
  FB_FLOATING_FIELDS(FB_FIELD_DECLARE)
  FB_FLOATING_LOOPS(FB_FIELD_DECLARE)
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
