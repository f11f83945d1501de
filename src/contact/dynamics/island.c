/* island.c -- which rows make an island: trees are joined wherever a row acts on two; and the solution of one. */
#include "contact/dynamics/island.h"

#include <math.h>
#include <string.h>

#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "dynamics/columns.h"
#include "dynamics/free_body.h"

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

int fb_island_blocks(const fb_sim* s) {
  enum { EACH = 24 };
  const long long n = s->m->top.nmoving, all = n * (n - 1) / 2;
  return (int)(all < EACH * n ? all : EACH * n);
}

/* Whether a tree is a free body; its inertia is whitened the first time. */
static int is_body(fb_sim* s, const unsigned char* moved, int tree) {
  enum { UNKNOWN = -2, NONE = -1 };
  fb_hard_contacts* w = s->contact.hard;
  if (w->tree_body[tree] == UNKNOWN)
    w->tree_body[tree] =
        fb_free_body_whiten(s->m, s->d, moved, tree, w->whitening + 36 * (size_t)tree) ? 0 : NONE;
  return w->tree_body[tree] != NONE;
}

/* Which islands are of free bodies. Methods that locate events need A itself, of the points that touch. */
static void find_bodies(fb_sim* s, const unsigned char* moved) {
  fb_hard_contacts* w = s->contact.hard;
  const int possible = s->m->top.nloop == 0 && fb_hard_by_steps(s);
  for (int i = 0; i < s->m->top.nmoving; i++) w->tree_body[i] = -2;
  for (int i = 0; i < w->nisland; i++) w->islands[i].of_bodies = possible;
  for (int i = 0; i < w->nrow; i++) {
    fb_island* island = &w->islands[w->island_of[i]];
    int tree[2];
    fb_row_trees(s->m, &w->rows[i], tree);
    if (w->rows[i].coordinate >= 0 || any_of(tree) < 0) island->of_bodies = 0;
    for (int end = 0; end < 2 && island->of_bodies; end++)
      if (tree[end] >= 0 && !is_body(s, moved, tree[end])) island->of_bodies = 0;
  }
}

/* The places of bodies in their islands, in the order of their first rows. */
static void number_bodies(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  int tree = 0;
  for (int i = 0; i < s->m->top.nmoving; i++) w->tree_body[i] = -1;
  for (fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    int* trees = w->island_trees + tree;
    in->trees = trees;
    for (int k = 0; k < in->n && in->of_bodies; k++) {
      int of[2];
      fb_row_trees(s->m, &w->rows[in->rows[k]], of);
      for (int end = 0; end < 2; end++) {
        if (of[end] >= 0 && w->tree_body[of[end]] < 0) {
          w->tree_body[of[end]] = in->bodies.nbody;
          trees[in->bodies.nbody++] = of[end];
        }
      }
    }
    tree += in->bodies.nbody;
  }
}

void fb_island_place_rows(fb_sim* s, fb_island* in) {
  fb_hard_contacts* w = s->contact.hard;
  const size_t first = (size_t)(in->rows == w->island_rows ? 0 : in->rows - w->island_rows);
  double* J = w->row_J + 12 * first;
  int* ends = w->row_ends + 2 * first;
  in->bodies.J = J;
  in->bodies.ends = ends;
  in->bodies.matrix = &w->matrix;
  for (int k = 0; k < in->n; k++) {
    const fb_row* row = &w->rows[in->rows[k]];
    int tree[2];
    fb_row_trees(s->m, row, tree);
    for (int end = 0; end < 2; end++) {
      double* of = J + 12 * k + 6 * end;
      ends[2 * k + end] = tree[end] < 0 ? -1 : w->tree_body[tree[end]];
      if (tree[end] >= 0)
        fb_free_body_row(s->m, s->d, row, end, w->whitening + 36 * (size_t)tree[end], of);
      else
        memset(of, 0, 6 * sizeof *of);
    }
  }
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
    if (!i->of_bodies) {
      A += (size_t)i->n * (size_t)i->n;
      X += (size_t)i->n * (size_t)i->nv;
    }
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

void fb_islands_find(fb_sim* s, const unsigned char* moved) {
  if (s->m->top.nloop > 0) {
    unite_all(s);
  } else {
    join_trees(s);
    number_islands(s);
  }
  count_members(s);
  find_bodies(s, moved);
  place_islands(s->contact.hard);
  list_members(s);
  number_bodies(s);
}

int fb_islands_count_dense(const fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  int rows = 0;
  for (const fb_island* in = w->islands; in < w->islands + w->nisland; in++)
    if (!in->of_bodies) rows += in->n;
  return rows;
}

/* ---- solution ---- */

/* Slower is at rest but for rounding [m/s]. */
static const double SLOW = 1e-9;

/* Rows without a response: the rounding of their rates is no approach. */
static void clear_idle_rows(const fb_island* island, double* c) {
  static const double NOTHING = 1e-14;
  size_t n = (size_t)island->n;
  double most = 0;
  if (island->of_bodies) return; /* every row has one */
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
  return (fb_cones_problem){.ncone = island->ncone,
                            .n = island->n,
                            .cones = w->part_cones,
                            .A = island->of_bodies ? NULL : island->A,
                            .bodies = island->of_bodies ? &island->bodies : NULL,
                            .c = w->part_c};
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

/* ---- responses ---- */

void fb_island_add_response(const fb_sim* s, const fb_island* in, const double* x, double* y) {
  const fb_hard_contacts* w = s->contact.hard;
  const size_t n = (size_t)in->n;
  if (!in->of_bodies) {
    for (size_t i = 0; i < n; i++)
      for (size_t j = 0; j < n; j++) y[in->rows[i]] += in->A[i * n + j] * x[in->rows[j]];
    return;
  }
  for (size_t i = 0; i < n; i++) w->part_P[i] = x[in->rows[i]];
  fb_bodies_product(&in->bodies, in->n, w->part_P, w->body_dv, w->part_c);
  for (size_t i = 0; i < n; i++) y[in->rows[i]] += w->part_c[i];
}

/* The motions of bodies are those of their coordinates. */
static void move_bodies(const fb_sim* s, const fb_island* in, const double* dv, double* x) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < in->bodies.nbody; i++)
    fb_free_body_rates(s->m, s->d, in->trees[i], w->whitening + 36 * (size_t)in->trees[i], dv + 6 * i, x);
}

void fb_island_respond(const fb_sim* s, const fb_island* in, const double* P, double* x) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < in->n; i++) w->part_P[i] = P[in->rows[i]];
  fb_bodies_push(&in->bodies, in->n, w->part_P, w->body_dv);
  move_bodies(s, in, w->body_dv, x);
}

/* The same as fb_hard_respond after fb_hard_solve_equal. */
static void move_others(fb_sim* s, const fb_island* in, const double* b, double* x) {
  fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < in->n; i++) w->part_P[i] = b[in->rows[i]];
  fb_hard_solve_equal(s, in->A, in->n, w->part_P);
  for (int i = 0; i < in->n; i++) {
    const double by = w->sign[in->rows[i]] * w->part_P[i], *column = in->X + (size_t)i * (size_t)in->nv;
    for (int k = 0; by != 0 && k < in->nv; k++) x[in->coordinates[k]] += by * column[k];
  }
}

void fb_islands_move(fb_sim* s, double* b, double* x) {
  fb_hard_contacts* w = s->contact.hard;
  memset(x, 0, (size_t)s->nv * sizeof *x);
  for (const fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    if (!in->of_bodies) {
      move_others(s, in, b, x);
      continue;
    }
    fb_cones_problem problem = gather(s, in);
    problem.ncone = in->n; /* rows one by one, whatever cones they are of */
    for (int i = 0; i < in->n; i++) {
      w->part_c[i] = b[in->rows[i]];
      w->part_cones[i] = (fb_cone){FB_CONE_NORMAL, 0, 0, 0};
    }
    if (fb_bodies_move(&problem, w->body_dv, w->work, w->ints + w->room_rows))
      move_bodies(s, in, w->body_dv, x);
  }
}
