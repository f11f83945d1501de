/* island.c -- which rows make an island: trees are joined wherever a row acts on two; and the solution of one. */
#include "contact/dynamics/island.h"

#include <math.h>
#include <string.h>

#include "contact/dynamics/hard_problem.h"
#include "dynamics/columns.h"

/* ---- trees ---- */

static int any_of(const int tree[2]) {
  return tree[0] >= 0 ? tree[0] : tree[1];
}

/* The tree that stands for its island; the way there is shortened. */
static int root_of(int* joined, int tree) {
  while (joined[tree] != tree) tree = joined[tree] = joined[joined[tree]];
  return tree;
}

static void join_trees(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  int* joined = w->tree_joined;
  for (int i = 0; i < s->m->top.nmoving; i++) joined[i] = i;
  for (int i = 0; i < w->nrow; i++) {
    int tree[2];
    fb_row_trees(s->m, &w->rows[i], tree);
    if (tree[0] >= 0 && tree[1] >= 0) joined[root_of(joined, tree[0])] = root_of(joined, tree[1]);
  }
}

/* ---- islands ---- */

static void number_islands(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  const int ntree = s->m->top.nmoving;
  w->nisland = 0;
  for (int i = 0; i < ntree; i++) w->tree_island[i] = -1;
  for (int i = 0; i < w->nrow; i++) {
    int tree[2];
    fb_row_trees(s->m, &w->rows[i], tree);
    int* of = any_of(tree) >= 0 ? &w->tree_island[root_of(w->tree_joined, any_of(tree))] : &w->island_of[i];
    if (of == &w->island_of[i] || *of < 0) *of = w->nisland++;
    w->island_of[i] = *of;
  }
  for (int i = 0; i < ntree; i++) w->tree_island[i] = w->tree_island[root_of(w->tree_joined, i)];
}

/* One island of all rows and coordinates. */
static void unite_all(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  w->nisland = w->nrow > 0;
  for (int i = 0; i < s->m->top.nmoving; i++) w->tree_island[i] = w->nisland - 1;
  for (int i = 0; i < w->nrow; i++) w->island_of[i] = 0;
}

static int island_of_coordinate(const fb_sim* s, int k) {
  const int tree = s->m->top.coordinate_tree[k];
  return tree < 0 ? -1 : s->contact.hard->tree_island[tree];
}

static void count_members(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->islands, 0, (size_t)w->nisland * sizeof *w->islands);
  for (int i = 0; i < w->nrow; i++) w->islands[w->island_of[i]].n++;
  for (int i = 0, row = 0; i < w->ncone; row += fb_cone_rows(&w->cones[i++])) {
    w->cone_row[i] = row;
    w->islands[w->island_of[row]].ncone++;
  }
  for (int k = 0; k < s->nv; k++)
    if (island_of_coordinate(s, k) >= 0) w->islands[island_of_coordinate(s, k)].nv++;
}

/* Where the lists and the blocks of each island lie; the lists are empty again. */
static void place_islands(fb_hard_contacts* w) {
  int row = 0, cone = 0, coordinate = 0;
  double *A = w->A, *X = w->X;
  for (fb_island* i = w->islands; i < w->islands + w->nisland; i++) {
    i->rows = w->island_rows + row;
    i->cones = w->island_cones + cone;
    i->coordinates = w->island_coordinates + coordinate;
    i->A = A;
    i->X = X;
    row += i->n;
    cone += i->ncone;
    coordinate += i->nv;
    A += (size_t)i->n * (size_t)i->n;
    X += (size_t)i->n * (size_t)i->nv;
    i->n = i->ncone = i->nv = 0;
  }
}

static void list_members(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->nrow; i++) {
    fb_island* island = &w->islands[w->island_of[i]];
    w->local[i] = island->n;
    island->rows[island->n++] = i;
  }
  for (int i = 0; i < w->ncone; i++) {
    fb_island* island = &w->islands[w->island_of[w->cone_row[i]]];
    island->cones[island->ncone++] = i;
  }
  for (int k = 0; k < s->nv; k++) {
    if (island_of_coordinate(s, k) < 0) continue;
    fb_island* island = &w->islands[island_of_coordinate(s, k)];
    island->coordinates[island->nv++] = k;
  }
}

void fb_islands_find(fb_sim* s) {
  if (s->m->top.nloop > 0) {
    unite_all(s);
  } else {
    join_trees(s);
    number_islands(s);
  }
  count_members(s);
  place_islands(s->contact.hard);
  list_members(s);
}

/* ---- solution ---- */

/* Slower is at rest but for rounding [m/s]. */
static const double SLOW = 1e-9;

/* Rows without a response: the rounding of their rates is no approach. */
static void clear_idle_rows(const fb_island* island, double* c) {
  static const double NOTHING = 1e-14;
  size_t n = (size_t)island->n;
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, island->A[i * (n + 1)]);
  for (size_t i = 0; i < n; i++)
    if (island->A[i * (n + 1)] <= NOTHING * most && fabs(c[i]) < SLOW) c[i] = 0;
}

/* The problem of an island, its numbers gathered. */
static fb_cones_problem gather(fb_sim* s, const fb_island* island) {
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < island->n; i++) {
    w->part_c[i] = w->c[island->rows[i]];
    w->part_P[i] = w->P[island->rows[i]];
  }
  for (int i = 0; i < island->ncone; i++) w->part_cones[i] = w->cones[island->cones[i]];
  return (fb_cones_problem){
      .ncone = island->ncone, .n = island->n, .cones = w->part_cones, .A = island->A, .c = w->part_c};
}

static void scatter(fb_hard_contacts* w, const fb_island* island) {
  for (int i = 0; i < island->n; i++) {
    w->c[island->rows[i]] = w->part_c[i];
    w->P[island->rows[i]] = w->part_P[i];
  }
}

fb_cones_status fb_island_solve(fb_sim* s, fb_island* island) {
  fb_hard_contacts* w = s->contact.hard;
  fb_cones_problem problem = gather(s, island);
  clear_idle_rows(island, w->part_c);
  problem.size = fmax(w->met, SLOW);
  problem.settled = island->settled;
  problem.rough = w->rough;
  w->result = fb_cones_solve(&problem, w->part_P, w->work, w->ints + w->room_rows);
  island->used = w->result.iterations;
  if (w->result.status == FB_CONES_INEXACT && !w->rough) w->off = fmax(w->off, w->result.residual);
  scatter(w, island);
  return w->result.status;
}

int fb_island_improve(fb_sim* s, const fb_island* island, int steps) {
  fb_hard_contacts* w = s->contact.hard;
  fb_cones_problem problem = gather(s, island);
  problem.method = FB_CONES_NEWTON;
  problem.limit = steps;
  problem.rough = 1;
  const fb_cones_result result = fb_cones_solve(&problem, w->part_P, w->work, w->ints + w->room_rows);
  scatter(w, island);
  return result.status == FB_CONES_SOLVED;
}

void fb_islands_solve_equal(fb_sim* s, double* x) {
  fb_hard_contacts* w = s->contact.hard;
  for (const fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    for (int i = 0; i < in->n; i++) w->part_P[i] = x[in->rows[i]];
    fb_hard_solve_equal(s, in->A, in->n, w->part_P);
    for (int i = 0; i < in->n; i++) x[in->rows[i]] = w->part_P[i];
  }
}
