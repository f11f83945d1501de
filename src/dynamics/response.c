/* response.c -- rows, and responses along them: the public functions of response.inl
 *
 * A row between bodies pushes their links with the wrenches (angular, linear) and its opposite at their points, so that
 * J itself is never built; its rate is read from the motion of the same links. */
#include <freebody/response.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include <freebody/dynamics.h>

#include "base/fill_nan.h"
#include "dynamics/columns.h"
#include "dynamics/loads.h"
#include "kernel/instances.h"
#include "math/vector3.h"
#include "model/model.h"
#include "model/record.inl"

fb_row fb_row_from_coordinate(int coordinate) {
  return (fb_row){.coordinate = coordinate};
}

static int exists(const fb_model* m, const fb_row* row) {
  if (row->coordinate >= 0) return row->coordinate < m->top.nv;
  for (int end = 0; end < 2; end++)
    if (row->body[end] < 0 || row->body[end] >= m->top.nbody) return 0;
  return 1;
}

/* From the origin of the link that carries the body to the point at one end of the row. */
static void find_arm(const fb_model* m, const fb_data* d, const fb_row* row, int end, double arm[3]) {
  fb_link_arm(m, d, row->body[end], arm);
  for (int i = 0; i < 3; i++) arm[i] += row->arm_w[end][i];
}

/* How the points at the ends of a row move when links turn, and their origins move, as those places of their records say. */
typedef struct ends {
  double turn[2][3], move[2][3], carried[2][3];
} ends;

static void find_ends(const fb_model* m, const fb_data* d, const fb_row* row, int turn_at, int move_at,
                      ends* e) {
  for (int end = 0; end < 2; end++) {
    const double* link = fb_link(d, m->top.site_link[row->body[end]]);
    double arm[3];
    fb_st3(e->turn[end], 0, fb_get3(link, turn_at));
    fb_st3(e->move[end], 0, fb_get3(link, move_at));
    find_arm(m, d, row, end, arm);
    cross3(e->turn[end], arm, e->carried[end]);
  }
}

static double rate_of_ends(const fb_row* row, const ends* e) {
  double rate = 0;
  for (int end = 0; end < 2; end++) {
    double along = dot3(row->angular, e->turn[end]) + dot3(row->linear, e->move[end]) +
                   dot3(row->linear, e->carried[end]);
    rate += end ? along : -along;
  }
  return rate;
}

static double rate_between(const fb_model* m, const fb_data* d, const fb_row* row, int turn_at, int move_at) {
  ends e;
  find_ends(m, d, row, turn_at, move_at, &e);
  return rate_of_ends(row, &e);
}

double fb_row_rate(const fb_model* m, const fb_data* d, const fb_row* row, const double* v) {
  assert(fb_data_fits(d, m));
  if (!exists(m, row)) return NAN;
  if (row->coordinate >= 0) return v[row->coordinate];
  return d->level < FB_LEVEL_VELOCITY ? NAN : rate_between(m, d, row, FB_REC_W, FB_REC_V);
}

/* A unit force along the row: on a coordinate into known_vdot, on links into ext_l, which are zero. Returns ext_l where it is
 * of use. */
static const double* push_along(const fb_model* m, fb_data* d, const fb_row* row) {
  if (row->coordinate >= 0) {
    d->known_vdot[row->coordinate] = 1;
    return NULL;
  }
  for (int end = 0; end < 2; end++) {
    double arm[3], force[3], torque[3];
    find_arm(m, d, row, end, arm);
    for (int i = 0; i < 3; i++) {
      force[i] = end ? row->linear[i] : -row->linear[i];
      torque[i] = end ? row->angular[i] : -row->angular[i];
    }
    fb_link_push(m, d, m->top.site_link[row->body[end]], arm, force, torque);
  }
  return d->ext_l;
}

/* Mixed dynamics at rest under no force, for the inertias it eliminates. */
void fb_response_begin(const fb_model* m, fb_data* d, const double* q, const unsigned char* prescribed) {
  assert(fb_data_fits(d, m));
  memset(d->known_vdot, 0, (size_t)m->top.nv * sizeof(double));
  memset(d->total_tau, 0, (size_t)m->top.nv * sizeof(double));
  d->armature = d->par->armature;
  m->kernels->outward(&m->top, d->par, d, NULL, q, d->total_tau, d->known_vdot);
  m->kernels->mixed(&m->top, d->par, d, NULL, d->total_tau, d->known_vdot, prescribed, d->known_vdot,
                    d->total_tau);
}

void fb_response_row(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* row,
                     double* x) {
  assert(fb_data_fits(d, m));
  if (!exists(m, row)) {
    fb_fill_nan(x, m->top.nv);
    return;
  }
  memset(d->known_vdot, 0, (size_t)m->top.nv * sizeof(double));
  fb_links_push_none(m, d);
  m->kernels->response(&m->top, d->par, d, 1, m->top.nlink, d->known_vdot, push_along(m, d, row), prescribed,
                       x);
}

double fb_response_along(const fb_model* m, const fb_data* d, const fb_row* row, const double* x) {
  if (!exists(m, row)) return NAN;
  return row->coordinate >= 0 ? x[row->coordinate] : rate_between(m, d, row, FB_REC_DA_W, FB_REC_DA_V);
}

/* ---- columns of several rows ---- */

static int tree_of(const fb_model* m, int body) {
  return m->top.link_tree[m->top.site_link[body]];
}

void fb_row_trees(const fb_model* m, const fb_row* row, int tree[2]) {
  const int between = row->coordinate < 0; /* two bodies */
  tree[0] = between ? tree_of(m, row->body[0]) : m->top.coordinate_tree[row->coordinate];
  tree[1] = between ? tree_of(m, row->body[1]) : -1;
}

/* Trees that a force moves: at most two. */
typedef struct pushed {
  int count, tree[2];
} pushed;

static void add_tree(pushed* to, int tree) {
  if (tree >= 0 && (to->count == 0 || to->tree[0] != tree)) to->tree[to->count++] = tree;
}

static pushed find_pushed(const fb_model* m, const fb_row* row) {
  pushed to = {0};
  int tree[2];
  fb_row_trees(m, row, tree);
  for (int end = 0; end < 2; end++) add_tree(&to, tree[end]);
  return to;
}

static int is_pushed(const pushed* by, int tree) {
  return tree >= 0 && ((by->count > 0 && tree == by->tree[0]) || (by->count > 1 && tree == by->tree[1]));
}

/* fb_response_row of those trees alone: of others neither x nor the motion of the links is written. */
static void respond(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* row,
                    const pushed* by, double* x) {
  const fb_topology* t = &m->top;
  for (int i = 0; i < by->count; i++) {
    const int first = t->tree_link[by->tree[i]], end = t->tree_end[by->tree[i]];
    memset(d->ext_l + t->link_ext[first], 0,
           (size_t)(t->link_ext[end] - t->link_ext[first]) * sizeof *d->ext_l);
    for (int link = first; link < end; link++)
      for (int k = 0; k < t->link_nv[link]; k++) d->known_vdot[t->link_v[link] + k] = 0;
  }
  const double* wrench = push_along(m, d, row);
  for (int i = 0; i < by->count; i++)
    m->kernels->response(t, d->par, d, t->tree_link[by->tree[i]], t->tree_end[by->tree[i]], d->known_vdot,
                         wrench, prescribed, x);
}

/* Rows of a contact are between the same points. */
static int have_same_ends(const fb_row* a, const fb_row* b) {
  for (int end = 0; end < 2; end++) {
    if (a->body[end] != b->body[end]) return 0;
    for (int i = 0; i < 3; i++)
      if (a->arm_w[end][i] != b->arm_w[end][i]) return 0;
  }
  return 1;
}

void fb_row_rates(const fb_model* m, const fb_data* d, const fb_row* rows, int count, const double* v,
                  double* rates) {
  const fb_row* of = NULL; /* the row that e was found for */
  ends e;
  for (int i = 0; i < count; i++) {
    const fb_row* row = &rows[i];
    if (row->coordinate >= 0 || !exists(m, row) || d->level < FB_LEVEL_VELOCITY) {
      rates[i] = fb_row_rate(m, d, row, v);
      continue;
    }
    if (!of || !have_same_ends(row, of)) find_ends(m, d, row, FB_REC_W, FB_REC_V, &e);
    of = row;
    rates[i] = rate_of_ends(row, &e);
  }
}

/* The motions of the ends of a row in the response to a force: nothing moves in trees that it does not push. */
static void find_moved_ends(const fb_model* m, const fb_data* d, const fb_row* row, const pushed* by,
                            ends* e) {
  find_ends(m, d, row, FB_REC_DA_W, FB_REC_DA_V, e);
  for (int end = 0; end < 2; end++) {
    if (is_pushed(by, tree_of(m, row->body[end]))) continue;
    for (int i = 0; i < 3; i++) e->turn[end][i] = e->move[end][i] = e->carried[end][i] = 0;
  }
}

static int moves(const fb_model* m, const fb_row* row, const pushed* by) {
  for (int end = 0; end < 2; end++)
    if (is_pushed(by, tree_of(m, row->body[end]))) return 1;
  return 0;
}

/* The rates of the rows from `first` on in the response x to a force along that one, into its column of A and, since A is
 * symmetric, into its row. */
static void fill_column(const fb_model* m, const fb_data* d, const fb_row_group* g, int first,
                        const pushed* by, const double* x, double* A) {
  const fb_row* of = NULL; /* the row that e was found for */
  ends e;
  for (int i = first; i < g->count; i++) {
    double* column = &A[i * g->count + first];
    const fb_row* row = &g->rows[g->which ? g->which[i] : i];
    *column = 0;
    if (!exists(m, row)) {
      *column = NAN;
    } else if (row->coordinate >= 0) {
      *column = is_pushed(by, m->top.coordinate_tree[row->coordinate]) ? x[row->coordinate] : 0;
    } else if (moves(m, row, by)) {
      if (!of || !have_same_ends(row, of)) find_moved_ends(m, d, row, by, &e);
      of = row;
      *column = rate_of_ends(row, &e);
    }
    A[first * g->count + i] = *column;
  }
}

void fb_response_columns(const fb_model* m, fb_data* d, const unsigned char* prescribed,
                         const fb_row_group* g, double* A, double* X) {
  double* x = d->total_tau;
  for (int j = 0; j < g->count; j++) {
    const fb_row* row = &g->rows[g->which ? g->which[j] : j];
    if (!exists(m, row)) {
      for (int i = 0; i < g->count; i++) A[i * g->count + j] = A[j * g->count + i] = NAN;
      continue;
    }
    const pushed by = find_pushed(m, row);
    respond(m, d, prescribed, row, &by, x);
    fill_column(m, d, g, j, &by, x, A);
    for (int k = 0; X && k < g->nv; k++) {
      const int at = g->coordinates ? g->coordinates[k] : k;
      X[j * g->nv + k] = is_pushed(&by, m->top.coordinate_tree[at]) ? x[at] : 0;
    }
  }
}

void fb_response_matrix(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* rows,
                        int count, double* A) {
  const fb_row_group all = {.rows = rows, .count = count};
  fb_response_columns(m, d, prescribed, &all, A, NULL);
}
