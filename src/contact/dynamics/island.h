/* island.h -- islands: rows of contacts, limits and stiction that act on the same trees, directly or through others
 *
 * Between rows of different islands there is no response, so that the problem u = A P + c consists of one for each
 * island. Of A and of the responses X only the blocks of the islands are stored and computed: the cost of a scene is
 * the sum of those of its islands. Loops may connect any trees: with them there is one island of all rows.
 *
 * Rows and cones keep their numbers; an island lists its own, in that order. */
#ifndef FB_CONTACT_DYNAMICS_ISLAND_H
#define FB_CONTACT_DYNAMICS_ISLAND_H

#include "base/fields.h"
#include "contact/cone/solver.h"

typedef struct fb_sim fb_sim;

typedef struct fb_island {
  int n, ncone, nv;
  int *rows, *cones, *coordinates; /* their numbers in the simulation */
  double *A, *X;                   /* [n][n] J H^-1 J^T; [n][nv] how its coordinates respond to each row */
  int settled;                     /* the guess of its impulses is a solution of least forces */
  int used;                        /* iterations of the last solution */
} fb_island;

/* For n rows. */
#define FB_ISLAND_SCRATCH(FIELD)                                                    \
  FIELD(fb_island, islands, n, "in the order of their first rows")                  \
  FIELD(int, island_of, n, "the island of each row")                                \
  FIELD(int, local, n, "its place there")                                           \
  FIELD(int, cone_row, n, "the first row of each cone")                             \
  FIELD(int, island_rows, n, "rows, by islands")                                    \
  FIELD(int, island_cones, n, "cones, by islands")                                  \
  FIELD(int, island_coordinates, s->nv, "coordinates, by islands")                  \
  FIELD(int, tree_joined, s->m->top.nmoving,                                        \
        "another tree of the island; itself: the one that stands for all")          \
  FIELD(int, tree_island, s->m->top.nmoving, "of each tree; -1: no row acts on it") \
  FIELD(fb_cone, part_cones, n, "of the island being solved")                       \
  FIELD(double, part_c, n, "likewise")                                              \
  FIELD(double, part_P, n, "likewise")

/* The islands of w->rows and w->cones, and where their blocks are. */
void fb_islands_find(fb_sim* s);
/* Solves for the part of w->P that belongs to an island, which holds the guess; into w->result. */
fb_cones_status fb_island_solve(fb_sim* s, fb_island* island);
/* Newton's method from there, to any solution within the tolerance. 1: it arrived. */
int fb_island_improve(fb_sim* s, const fb_island* island, int steps);
/* Solves A x = x in place, of all rows; of all solutions the least. */
void fb_islands_solve_equal(fb_sim* s, double* x);

#endif
