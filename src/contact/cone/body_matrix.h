/* body_matrix.h -- matrices over the bodies of an island, in blocks of 6 x 6:
 *
 *   diagonal 1 + J^T K J,   K a block for each cone
 *
 * Two bodies have a block where a cone is between them, and where elimination fills one in. The order of elimination, of
 * least degree, and the pattern are found again only where pairs have changed; they follow from the pairs alone. */
#ifndef FB_CONTACT_CONE_BODY_MATRIX_H
#define FB_CONTACT_CONE_BODY_MATRIX_H

#include <stddef.h>

#include "contact/cone/solver.h"

typedef struct fb_body_matrix {
  int room, room_blocks, room_cones;
  int n, npair, nblock; /* of the present pattern; n 0: none */
  int *order, *place;   /* [n] the body eliminated as the k-th; when a body is */
  int *column, *row;    /* [n + 1], [nblock] blocks below the diagonal of each, by places */
  int* pairs;           /* [2 npair] bodies of the pattern */
  int* block;           /* [ncone] the block of a cone between two bodies; -1 */
  int *degree, *where;  /* [n] scratch */
  unsigned* adjacent;   /* [n] sets of n bits, scratch */
  double *D, *L,
      *U; /* [36 n] the diagonal, inverted by factoring; [36 nblock] below and, transposed in place, above it */
} fb_body_matrix;

/* Doubles and ints of memory for so many bodies, blocks below the diagonal and cones. */
size_t fb_body_matrix_doubles(int bodies, int blocks);
size_t fb_body_matrix_ints(int bodies, int blocks, int cones);
void fb_body_matrix_place(fb_body_matrix* m, int bodies, int blocks, int cones, double* doubles, int* ints);

/* The pattern of ncone cones; 0 where there is no room for it. */
int fb_body_matrix_shape(fb_body_matrix* m, const fb_cone_bodies* bodies, const fb_cone* cones, int ncone);
/* diagonal 1 + J^T K J; K: [9 ncone], row major, of stride 3. */
void fb_body_matrix_fill(fb_body_matrix* m, const fb_cone_bodies* bodies, const fb_cone* cones, int ncone,
                         const double* J, const double* K, double diagonal);
/* 0: singular. */
int fb_body_matrix_factor(fb_body_matrix* m);
/* x: [6 n] by bodies, in place. */
void fb_body_matrix_solve(const fb_body_matrix* m, double* x);

#endif
