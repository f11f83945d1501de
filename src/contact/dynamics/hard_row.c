/* hard_row.c -- rows of contacts, limits and stiction: their responses, and the forces along them. */
#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/loop.h>

#include "constraint/rows.h"
#include "contact/dynamics/hard_problem.h"
#include "dynamics/columns.h"
#include "math/vector3.h"
#include "sim/flow.h"

/* The motion of a over b along a direction, at the point. */
static void set_row(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const double direction[3],
                    fb_row* row) {
  const int frame[2] = {fb_point_b(s, p)->frame, fb_point_a(s, p)->frame};
  *row = (fb_row){.coordinate = -1};
  memcpy(row->linear, direction, sizeof row->linear);
  for (int end = 0; end < 2; end++) {
    double origin[3];
    row->body[end] = fb_frame_body(s->m, frame[end]);
    fb_frame_pose(s->m, d, row->body[end], origin, NULL);
    for (int i = 0; i < 3; i++) row->arm_w[end][i] = p->point.p_b[i] - origin[i];
  }
}

/* One more row of a point, along one of its own directions or another; like: an earlier one of it, or NULL. The points were found at the
 * poses in the cache. */
static void add_row(fb_sim* s, const fb_hard_point* p, const double direction[3], double c, double by,
                    const fb_row* like) {
  fb_hard_contacts* w = s->contact.hard;
  fb_row* row = &w->rows[w->nrow];
  w->limit_of[w->nrow] = -1;
  w->sign[w->nrow] = 1;
  w->closing[w->nrow] = 0;
  w->c[w->nrow] = c;
  w->P[w->nrow] = by * dot3(p->force, direction);
  w->nrow++;
  if (like) {
    *row = *like;
    memcpy(row->linear, direction, sizeof row->linear);
  } else {
    set_row(s, fb_hard_poses(s), p, direction, row);
  }
}

void fb_hard_pose(fb_sim* s, double by) {
  fb_hard_contacts* w = s->contact.hard;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
    w->cones[w->ncone++] = (fb_cone){mu > 0 ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
    const fb_row* first = &w->rows[w->nrow];
    add_row(s, p, p->point.normal, p->rate[0], by, NULL);
    for (int k = 1; mu > 0 && k < 3; k++) add_row(s, p, p->tangent[k - 1], p->rate[k], by, first);
  }
}

void fb_hard_pose_normals(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    w->cones[w->ncone++] = (fb_cone){FB_CONE_NORMAL, 0, 0, 0};
    add_row(s, &w->points[i], w->points[i].point.normal, w->points[i].point.gap, 0, NULL);
  }
}

void fb_hard_pose_all(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    const fb_row* first = &w->rows[w->nrow];
    add_row(s, p, p->point.normal, p->rate[0], 0, NULL);
    for (int k = 0; k < 2; k++) add_row(s, p, p->tangent[k], p->rate[1 + k], 0, first);
  }
}

void fb_hard_pose_held(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    const fb_row* first = &w->rows[w->nrow];
    add_row(s, p, p->point.normal, p->rate[0], 1, NULL);
    for (int k = 1; p->state == FB_CONTACT_STICKS && k < 3; k++)
      add_row(s, p, p->tangent[k - 1], p->rate[k], 1, first);
  }
}

void fb_hard_pose_coordinate(fb_sim* s, int coordinate, double sign, fb_cone cone, int limit) {
  fb_hard_contacts* w = s->contact.hard;
  w->rows[w->nrow] = fb_row_from_coordinate(coordinate);
  w->sign[w->nrow] = sign;
  w->limit_of[w->nrow] = limit;
  w->P[w->nrow] = w->closing[w->nrow] = 0;
  w->nrow++;
  w->cones[w->ncone++] = cone;
}

double fb_hard_no_response(const fb_sim* s) {
  return 1e-9 / fmax(fb_model_mass(s->m), DBL_MIN);
}

/* A row that no motion changes, as of a roller on an arm that turns about the centre of the ball it touches, has a
 * response of rounding: it is replaced by that of the scene as one mass, so that the force is negligible. Rows
 * without a response because of prescribed motions are not replaced: they may have no solution. But stiction has one,
 * and so has a stop that is not approached. */
static void isolate_idle_rows(fb_sim* s, const fb_island* island, int moved) {
  static const double SLOW = 1e-9; /* [m/s] or [rad/s] */
  fb_hard_contacts* w = s->contact.hard;
  const size_t n = (size_t)island->n;
  const double least = fb_hard_no_response(s), one = 1e9 * least;
  for (size_t i = 0; i < n; i++) {
    int row = island->rows[i], k = w->rows[row].coordinate, stops = w->limit_of[row] >= 0;
    if (island->A[i * (n + 1)] > least || (moved && k < 0)) continue;
    int run_into = moved && stops && w->sign[row] * s->y[s->nq + k] < -SLOW;
    for (size_t j = 0; j < n; j++) island->A[i * n + j] = island->A[j * n + i] = 0;
    island->A[i * (n + 1)] = run_into ? 0 : one;
    memset(island->X + i * (size_t)island->nv, 0, (size_t)island->nv * sizeof *island->X);
  }
}

void fb_hard_responses(fb_sim* s, const double* q) {
  fb_hard_contacts* w = s->contact.hard;
  const unsigned char* moved = fb_sim_moves_any(s) ? s->motion.prescribed : NULL;
  if (s->m->top.nloop == 0) fb_response_begin(s->m, s->d, q, moved);
  fb_islands_find(s, moved);
  w->crowded = fb_islands_count_dense(s) > w->room_dense;
  if (w->crowded) return;
  if (s->m->top.nloop > 0) fb_constrained_columns(s->m, s->d, q, moved, w->rows, w->nrow, w->A, w->X);
  for (fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    if (in->of_bodies) {
      fb_island_place_rows(s, in);
      continue;
    }
    const fb_row_group group = {w->rows, in->rows, in->n, in->coordinates, in->nv};
    if (s->m->top.nloop == 0) fb_response_columns(s->m, s->d, moved, &group, in->A, in->X);
    for (int i = 0; i < in->n; i++)
      for (int j = 0; j < in->n; j++) in->A[i * in->n + j] *= w->sign[in->rows[i]] * w->sign[in->rows[j]];
    isolate_idle_rows(s, in, moved != NULL);
  }
}

void fb_hard_note_responses(fb_hard_contacts* w) {
  for (int i = 0; i < w->npoint; i++) {
    const int row = 3 * i + 1;
    w->points[i].response = fmax(fb_hard_response(w, row, row), fb_hard_response(w, row + 1, row + 1));
  }
}

void fb_hard_respond(const fb_sim* s, const double* P, double* x) {
  const fb_hard_contacts* w = s->contact.hard;
  memset(x, 0, (size_t)s->nv * sizeof *x);
  for (const fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    if (in->of_bodies) fb_island_respond(s, in, P, x);
    for (int j = 0; j < in->n && !in->of_bodies; j++) {
      const double by = w->sign[in->rows[j]] * P[in->rows[j]], *column = in->X + (size_t)j * (size_t)in->nv;
      for (int k = 0; by != 0 && k < in->nv; k++) x[in->coordinates[k]] += by * column[k];
    }
  }
}

fb_cones_status fb_hard_solve(fb_sim* s) {
  fb_hard_contacts* w = s->contact.hard;
  fb_cones_result worst = {FB_CONES_SOLVED, FB_CONES_AUTO, 0, 0};
  for (fb_island* in = w->islands; in < w->islands + w->nisland; in++) {
    fb_island_solve(s, in);
    fb_hard_worse_result(&worst, &w->result);
  }
  w->result = worst;
  return worst.status;
}

void fb_hard_worse_result(fb_cones_result* worst, const fb_cones_result* other) {
  const int iterations = worst->iterations + other->iterations;
  if (other->status > worst->status || other->residual >= worst->residual) {
    const fb_cones_status status = other->status > worst->status ? other->status : worst->status;
    *worst = *other;
    worst->status = status;
  }
  worst->iterations = iterations;
}

void fb_hard_rates(fb_sim* s, const double* q, const double* v, double* u) {
  const fb_hard_contacts* w = s->contact.hard;
  const fb_data* d = fb_hard_kinematics(s, q, v);
  fb_row_rates(s->m, d, w->rows, w->nrow, v, u);
  for (int i = 0; i < w->nrow; i++) u[i] *= w->sign[i];
}
/* ---- forces ---- */

void fb_hard_take_force(fb_hard_point* p, const double P[3], double by) {
  for (int i = 0; i < 3; i++)
    p->force[i] = by * (P[0] * p->point.normal[i] + P[1] * p->tangent[0][i] + P[2] * p->tangent[1][i]);
}

static void add_wrench(fb_sim* s, const fb_data* d, int frame, double by, const fb_hard_point* p) {
  fb_wrench* wrench = &s->wrench.list[s->wrench.count++];
  double origin[3], arm[3];
  *wrench = (fb_wrench){.frame = frame};
  fb_frame_pose(s->m, d, frame, origin, NULL);
  for (int i = 0; i < 3; i++) {
    arm[i] = p->point.p_b[i] - origin[i];
    wrench->force[i] = by * p->force[i];
  }
  cross3(arm, wrench->force, wrench->torque);
}

void fb_hard_push(fb_sim* s, const fb_data* d) {
  const fb_hard_contacts* w = s->contact.hard;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    if (is_zero3(p->force)) continue;
    add_wrench(s, d, fb_point_a(s, p)->frame, 1, p);
    add_wrench(s, d, fb_point_b(s, p)->frame, -1, p);
  }
}
