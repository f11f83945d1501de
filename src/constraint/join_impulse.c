/* join_impulse.c -- the impulse of a join and the energy that it costs, from the trees before it. See join_impulse.h.
 *
 * With u the motion of `frame`'s side relative to that of `to` at the joint's origin, S the motions that the joint allows
 * and C what is at right angles to them, an impulse l = C m acts across the joint alone. It takes away C^T u:
 *
 *   (C^T A C) m = -C^T u,   A = J H^-1 J^T of the six rows of relative motion;   E = -1/2 l . u
 *
 * Loops respond with the trees. So both are as sharp as the responses of the trees, however light the bodies are that meet. O(n). */
#include "constraint/join_impulse.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/response.h>
#include <freebody/rotation.h>
#include <freebody/spatial.h>

#include "constraint/rebuild.h"
#include "math/array.h"
#include "math/svd.h"
#include "math/vector3.h"
#include "model/definition/joint_path.h"

enum { SIX = 6 };

/* The joint, written from the body of `to` (0) to that of `frame` (1). */
typedef struct crossing {
  int body[2];
  fb_joint_path path;
  const double* q;    /* its coordinates */
  double R[9];        /* its axes in the world */
  double point[3];    /* its origin */
  double C[SIX][SIX]; /* what it does not allow, row by row: linear at the point, then angular, world axes */
  int count;
} crossing;

static void place_crossing(const fb_model* from, const fb_data* d, const fb_model* to, int body,
                           const double* q_to, crossing* x) {
  fb_joint_def joint = fb_model_def_body(to->def, body)->joint;
  double p[3];
  x->body[joint.reversed ? 0 : 1] = body;
  x->body[joint.reversed ? 1 : 0] = fb_body_parent(to, body);
  joint.reversed = 0;
  x->path = fb_joint_path_of(&joint);
  x->q = q_to + fb_joint_q_index(to, body);
  fb_frame_pose(from, d, x->body[0], p, x->R);
  fb_rot_apply(x->R, joint.at, x->point);
  for (int i = 0; i < 3; i++) x->point[i] += p[i];
  fb_rot_multiply(x->R, joint.R, x->R);
}

/* The motions that the joint allows, at its origin; returns their number. */
static int allowed_motions(const crossing* x, double S[SIX][SIX]) {
  double columns[FB_JOINT_MAX_NV][6], shift[3];
  fb_pose end;
  int n = fb_joint_path_columns(&x->path, x->q, columns);
  fb_joint_path_motion(&x->path, x->q, &end);
  for (int i = 0; i < n; i++) {
    const double* w = columns[i];
    cross3(end.p, w, shift); /* v at the origin = v at the end + w x (0 - end) */
    for (int k = 0; k < 3; k++) S[i][k] = w[3 + k] + shift[k];
    memcpy(S[i] + 3, w, 3 * sizeof *w);
    fb_rot_apply(x->R, S[i], S[i]);
    fb_rot_apply(x->R, S[i] + 3, S[i] + 3);
  }
  return n;
}

static void find_complement(crossing* x) {
  double S[SIX][SIX], columns[SIX * SIX], basis[SIX * SIX], work[SIX * SIX + SIX];
  int n = allowed_motions(x, S);
  for (int i = 0; i < n; i++)
    for (int k = 0; k < SIX; k++) columns[SIX * k + i] = S[i][k];
  fb_orthogonal_complement(columns, SIX, SIX, n, basis, SIX, work);
  x->count = SIX - n;
  for (int i = 0; i < x->count; i++)
    for (int k = 0; k < SIX; k++) x->C[i][k] = basis[SIX * k + i];
}

static void make_rows(const fb_model* from, const fb_data* d, const crossing* x, fb_row rows[SIX]) {
  for (int k = 0; k < SIX; k++) {
    fb_row row = {.coordinate = -1, .body = {x->body[0], x->body[1]}};
    (k < 3 ? row.linear : row.angular)[k % 3] = 1;
    for (int end = 0; end < 2; end++) {
      double p[3];
      fb_frame_pose(from, d, x->body[end], p, NULL);
      for (int i = 0; i < 3; i++) row.arm_w[end][i] = x->point[i] - p[i];
    }
    rows[k] = row;
  }
}

/* B x = y, symmetric and positive, by elimination of the largest pivot first. Directions that yield no more than
 * rounding stay at rest already, by loops; 0 when they do not. x overwrites y. */
static int solve_symmetric(double B[SIX][SIX], int n, double y[SIX]) {
  static const double NOTHING = 1e-13, AT_REST = 1e-8;
  int order[SIX], rank = 0;
  double first = 0, size = fb_array_largest(y, n), left = 0;
  for (int i = 0; i < n; i++) order[i] = i;
  for (; rank < n; rank++) {
    int best = rank;
    for (int i = rank; i < n; i++) best = B[order[i]][order[i]] > B[order[best]][order[best]] ? i : best;
    int p = order[best];
    order[best] = order[rank];
    order[rank] = p;
    if (rank == 0) first = B[p][p];
    if (!(B[p][p] > NOTHING * first)) break;
    for (int i = rank + 1; i < n; i++) {
      int r = order[i];
      double part = B[r][p] / B[p][p];
      for (int k = rank + 1; k < n; k++) B[r][order[k]] -= part * B[p][order[k]];
      y[r] -= part * y[p];
    }
  }
  for (int i = rank; i < n; i++) {
    left = fmax(left, fabs(y[order[i]]));
    y[order[i]] = 0;
  }
  for (int i = rank - 1; i >= 0; i--) {
    int p = order[i];
    for (int k = i + 1; k < rank; k++) y[p] -= B[p][order[k]] * y[order[k]];
    y[p] /= B[p][p];
  }
  return left <= AT_REST * size;
}

/* l = C m; 0 when nothing yields. */
static int solve(const crossing* x, const double A[SIX * SIX], const double u[SIX], double l[SIX]) {
  double B[SIX][SIX], m[SIX];
  for (int i = 0; i < x->count; i++) {
    double row[SIX] = {0};
    for (int k = 0; k < SIX; k++)
      for (int j = 0; j < SIX; j++) row[j] += x->C[i][k] * A[SIX * k + j];
    for (int j = 0; j < x->count; j++) B[i][j] = fb_spatial_dot(row, x->C[j]);
    m[i] = -fb_spatial_dot(x->C[i], u);
  }
  int stopped = solve_symmetric(B, x->count, m);
  memset(l, 0, SIX * sizeof *l);
  for (int i = 0; i < x->count; i++)
    for (int k = 0; k < SIX; k++) l[k] += m[i] * x->C[i][k];
  return stopped;
}

/* The coordinates of `from` that are held: those of joints that continue as joints of `to` that are. */
static unsigned char* held_before(const fb_model* from, const fb_model* to, const unsigned char* prescribed) {
  unsigned char* held = calloc((size_t)fb_model_nv(from) + 1, 1);
  for (int b = 1; b < fb_model_nbody(to) && held && prescribed; b++) {
    int turned, was = fb_joint_from(from, to, b, &turned);
    if (was > 0)
      memcpy(held + fb_joint_v_index(from, was), prescribed + fb_joint_v_index(to, b),
             (size_t)fb_joint_nv(to, b));
  }
  return held;
}

fb_status fb_join_find_impulse(const fb_model* from, fb_data* d, const double* q, const double* v,
                               const fb_model* to, int body, const double* q_to,
                               const unsigned char* prescribed, fb_join_impulse* out, fb_error* error) {
  crossing x;
  fb_row rows[SIX];
  double u[SIX], A[SIX * SIX], l[SIX];
  unsigned char* held = held_before(from, to, prescribed);
  if (!held) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the impulse of the join");
  fb_kinematics(from, d, q, v, NULL);
  place_crossing(from, d, to, body, q_to, &x);
  find_complement(&x);
  make_rows(from, d, &x, rows);
  for (int k = 0; k < SIX; k++) u[k] = fb_row_rate(from, d, &rows[k], v);
  fb_constrained_responses(from, d, q, held, rows, SIX, A);
  fb_status status = fb_model_check_pivots(from, d, error);
  free(held);
  if (status) return status;
  if (!solve(&x, A, u, l))
    return fb_fail(
        error, FB_ERR_NO_SOLUTION,
        "the join \"%s\" cannot stop the motion across it: every joint that could give way is held",
        fb_joint_name(to, body));
  memcpy(out->point, x.point, sizeof x.point);
  memcpy(out->linear, l, sizeof out->linear);
  memcpy(out->angular, l + 3, sizeof out->angular);
  out->energy = -0.5 * fb_spatial_dot(l, u);
  return FB_OK;
}
