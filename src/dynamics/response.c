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

fb_row fb_row_of_coordinate(int coordinate) {
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

/* A unit force along the row: on a coordinate into known_vdot, on links into ext_l. */
static const double* push_along(const fb_model* m, fb_data* d, const fb_row* row) {
  memset(d->known_vdot, 0, (size_t)m->top.nv * sizeof(double));
  if (row->coordinate >= 0) {
    d->known_vdot[row->coordinate] = 1;
    return NULL;
  }
  memset(d->ext_l, 0, 6 * (size_t)m->top.nlink * sizeof(double));
  for (int end = 0; end < 2; end++) {
    double arm[3], force[3], torque[3];
    find_arm(m, d, row, end, arm);
    for (int i = 0; i < 3; i++) {
      force[i] = end ? row->linear[i] : -row->linear[i];
      torque[i] = end ? row->angular[i] : -row->angular[i];
    }
    fb_link_push(d, m->top.site_link[row->body[end]], arm, force, torque);
  }
  return d->ext_l;
}

/* Mixed dynamics at rest under no force, for the inertias it eliminates. */
void fb_response_begin(const fb_model* m, fb_data* d, const double* q, const unsigned char* prescribed) {
  assert(fb_data_fits(d, m));
  const fb_link_env empty = fb_empty_space();
  memset(d->known_vdot, 0, (size_t)m->top.nv * sizeof(double));
  memset(d->total_tau, 0, (size_t)m->top.nv * sizeof(double));
  d->armature = d->par->armature;
  m->kernels->mixed(&m->top, d->par, d, &empty, q, d->total_tau, d->total_tau, d->known_vdot, prescribed,
                    d->known_vdot, d->total_tau);
}

void fb_response_row(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* row,
                     double* x) {
  assert(fb_data_fits(d, m));
  if (exists(m, row))
    m->kernels->response(&m->top, d->par, d, d->known_vdot, push_along(m, d, row), prescribed, x);
  else
    fb_fill_nan(x, m->top.nv);
}

double fb_response_along(const fb_model* m, const fb_data* d, const fb_row* row, const double* x) {
  if (!exists(m, row)) return NAN;
  return row->coordinate >= 0 ? x[row->coordinate] : rate_between(m, d, row, FB_REC_DA_W, FB_REC_DA_V);
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

/* The tree of a body; -1: the world. */
static int tree_of(const fb_model* m, int body) {
  return body == FB_WORLD ? -1 : m->top.body_base[body];
}

/* The rates of all rows in the response to forces along `push`, which the data hold, into a column of A. Nothing moves in other
 * trees. whole: all rows exist. */
static void fill_column(const fb_model* m, const fb_data* d, const fb_row* rows, int count,
                        const fb_row* push, int whole, const double* x, double* column) {
  const int anywhere = push->coordinate >= 0, first = anywhere ? -1 : tree_of(m, push->body[0]),
            second = anywhere ? -1 : tree_of(m, push->body[1]);
  const fb_row* of = NULL; /* the row that e was found for */
  ends e;
  for (const fb_row* row = rows; row < rows + count; row++, column += count) {
    if (!whole && !exists(m, row)) {
      *column = NAN;
      continue;
    }
    *column = 0;
    if (row->coordinate >= 0) {
      *column = x[row->coordinate];
      continue;
    }
    const int a = tree_of(m, row->body[0]), b = tree_of(m, row->body[1]);
    if (!anywhere && (a < 0 || (a != first && a != second)) && (b < 0 || (b != first && b != second)))
      continue;
    if (!of || !have_same_ends(row, of)) find_ends(m, d, row, FB_REC_DA_W, FB_REC_DA_V, &e);
    of = row;
    *column = rate_of_ends(row, &e);
  }
}

void fb_response_columns(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* rows,
                         int count, double* A, double* X) {
  int whole = 1;
  for (int i = 0; i < count; i++) whole &= exists(m, &rows[i]);
  for (int j = 0; j < count; j++) {
    double* x = X ? X + (size_t)j * (size_t)m->top.nv : d->total_tau;
    fb_response_row(m, d, prescribed, &rows[j], x);
    if (whole || exists(m, &rows[j]))
      fill_column(m, d, rows, count, &rows[j], whole, x, A + j);
    else
      for (int i = 0; i < count; i++) A[i * count + j] = NAN;
  }
}

void fb_response_matrix(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* rows,
                        int count, double* A) {
  fb_response_columns(m, d, prescribed, rows, count, A, NULL);
}
