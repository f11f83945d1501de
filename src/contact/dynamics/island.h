/* island.h -- islands: rows of contacts, limits and stiction that act on the same trees, directly or through others
 *
 * Between rows of different islands there is no response, so that the problem u = A P + c consists of one for each
 * island. Of A and of the responses X only the blocks of the islands are stored and computed: the cost of a scene is
 * the sum of those of its islands. Where all trees of an island are free bodies, and all its rows between bodies, neither is
 * formed: A = J J^T in coordinates in which their inertia is one (cone/bodies.c). Loops may connect any trees: with them there is one
 * island of all rows.
 *
 * Rows and cones keep their numbers; an island lists its own, in that order. */
#ifndef FB_CONTACT_DYNAMICS_ISLAND_H
#define FB_CONTACT_DYNAMICS_ISLAND_H

#include "base/fields.h"
#include "contact/cone/body_matrix.h"
#include "contact/cone/solver.h"

typedef struct fb_sim fb_sim;

typedef struct fb_island {
  int n, ncone, nv;
  int *rows, *cones, *coordinates; /* their numbers in the simulation */
  double *A, *X;                   /* [n][n] J H^-1 J^T; [n][nv] how its coordinates respond to each row */
  int of_bodies;                   /* 1: neither is formed: */
  fb_cone_bodies bodies;           /* J, of free bodies */
  const int* trees;                /* [bodies.nbody] */
  int settled;                     /* the guess of its impulses is a solution of least forces */
  int used;                        /* iterations of the last solution */
} fb_island;

/* For n rows. */
#define FB_ISLAND_SCRATCH(FIELD)                                                                             \
  FIELD(fb_island, islands, n, "in the order of their first rows")                                           \
  FIELD(int, island_of, n, "the island of each row")                                                         \
  FIELD(int, local, n, "its place there")                                                                    \
  FIELD(int, cone_row, n, "the first row of each cone")                                                      \
  FIELD(int, island_rows, n, "rows, by islands")                                                             \
  FIELD(int, island_cones, n, "cones, by islands")                                                           \
  FIELD(int, island_coordinates, s->nv, "coordinates, by islands")                                           \
  FIELD(int, tree_joined, s->m->top.nmoving,                                                                 \
        "another tree of the island; itself: the one that stands for all")                                   \
  FIELD(int, tree_island, s->m->top.nmoving, "of each tree; -1: no row acts on it")                          \
  FIELD(int, tree_body, s->m->top.nmoving, "its place in an island of free bodies; below zero: none")        \
  FIELD(int, island_trees, s->m->top.nmoving, "free bodies, by islands")                                     \
  FIELD(double, whitening, 36 * (size_t)s->m->top.nmoving, "of free bodies (free_body.h)")                   \
  FIELD(double, body_dv, 6 * (size_t)s->m->top.nmoving, "scratch: their motions")                            \
  FIELD(double, row_J, 12 * n, "of rows between free bodies, by islands")                                    \
  FIELD(int, row_ends, 2 * n, "and these bodies")                                                            \
  FIELD(double, normal_J, 4 * n + 12, "of normals alone")                                                    \
  FIELD(int, normal_ends, n + 2, "likewise")                                                                 \
  FIELD(double, matrix_numbers, fb_body_matrix_doubles(s->m->top.nmoving, fb_island_blocks(s)), "of bodies") \
  FIELD(int, matrix_ints, fb_body_matrix_ints(s->m->top.nmoving, fb_island_blocks(s), w->room_rows),         \
        "likewise")                                                                                          \
  FIELD(fb_cone, part_cones, n, "of the island being solved")                                                \
  FIELD(double, part_c, n, "likewise")                                                                       \
  FIELD(double, part_P, n, "likewise")

/* Blocks of the matrix of bodies below its diagonal, at most. */
int fb_island_blocks(const fb_sim* s);
/* The islands of w->rows and w->cones, and where their blocks are; after fb_response_begin, if there are no loops. */
void fb_islands_find(fb_sim* s, const unsigned char* moved);
/* Rows of islands that are not of free bodies. */
int fb_islands_count_dense(const fb_sim* s);
/* J of an island of free bodies. */
void fb_island_place_rows(fb_sim* s, fb_island* island);
/* y += A x of an island; x, y: of all rows. */
void fb_island_add_response(const fb_sim* s, const fb_island* island, const double* x, double* y);
/* x += H^-1 J^T P of an island of free bodies; P of all rows. */
void fb_island_respond(const fb_sim* s, const fb_island* island, const double* P, double* x);
/* Solves for the part of w->P that belongs to an island, which holds the guess; into w->result. */
fb_cones_status fb_island_solve(fb_sim* s, fb_island* island);
/* Newton's method from there, to any solution within the tolerance. 1: it arrived. */
int fb_island_improve(fb_sim* s, const fb_island* island, int steps);
/* The least motion x of all coordinates that changes the rates of rows by b, which is overwritten. */
void fb_islands_move(fb_sim* s, double* b, double* x);

#endif
