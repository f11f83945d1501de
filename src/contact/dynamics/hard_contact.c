/* hard_contact.c -- the points at which hard contacts touch, their rows, and the responses to forces along them. */
#include "contact/dynamics/hard_contact.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/arena.h"
#include "constraint/rows.h"
#include "math/vector3.h"
#include "limit/limit.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

/* ---- set-up ---- */

enum { MOST_POINTS = 512 }; /* more than that a dense problem does not take */

/* Points of all hard contacts together: what every pair can have. */
static int count_room(const fb_sim* s) {
  long long room = 0;
  for (int i = 0; i < s->nblock; i++) {
    const fb_contact_block* c = (const fb_contact_block*)s->blocks[i].user;
    if (s->blocks[i].contact_ == 1) room += (long long)c->how.na * c->how.nb * FB_MAX_TOUCHES;
  }
  return room < MOST_POINTS ? (int)room : MOST_POINTS;
}

static int count_contacts(const fb_sim* s) {
  int n = 0;
  for (int i = 0; i < s->nblock; i++) n += s->blocks[i].contact_ == 1;
  return n;
}

#define TAKE(type, field, count) w->field = fb_arena_take(a, (size_t)(count) * sizeof(type))

static void place_work(fb_sim* s, fb_touching* w, fb_arena* a) {
  size_t n = (size_t)w->room_rows;
  TAKE(int, block, w->ncontact);
  TAKE(fb_touch_point, points, w->room);
  TAKE(fb_touch_point, spare, w->room);
  TAKE(fb_contact_point, found, w->room);
  TAKE(fb_touch_anchor, anchors, w->room);
  TAKE(fb_row, rows, n);
  TAKE(double, sign, n);
  TAKE(fb_cone, cones, n);
  TAKE(double, c, n);
  TAKE(double, P, n);
  TAKE(double, before, n);
  TAKE(double, gained, n);
  TAKE(double, more, n);
  TAKE(double, u, n);
  TAKE(double, sum, n);
  TAKE(double, soon, n);
  TAKE(double, closing, n);
  for (int i = 0; i < 2; i++) TAKE(double, samples[i], 4 * n);
  TAKE(double, bend, n);
  TAKE(double, q, s->nq);
  TAKE(double, v, s->nv);
  TAKE(double, x, s->nv);
  TAKE(double, from, s->nq + s->nv);
  TAKE(double, best, s->nq + s->nv);
  TAKE(double, dv, s->nv);
  TAKE(double, around, s->nv);
  TAKE(double, loss, s->nv);
  TAKE(double, loss_change, s->nv);
  TAKE(double, later, s->nv);
  TAKE(double, reactions, w->nreaction);
  TAKE(double, passed, w->nreaction);
  TAKE(double, reaction_more, w->nreaction);
  TAKE(double, reaction_change, w->nreaction);
  TAKE(double, near_q, s->nq);
  TAKE(double, near_v, s->nv);
  TAKE(double, mean, s->ny);
  TAKE(double, halves, 2 * s->ny);
  TAKE(double, outputs, w->ncontact* FB_CONTACT_OUT_COUNT);
  TAKE(double, works, 2 * w->ncontact);
  TAKE(double, impulses, 3 * w->ncontact);
  TAKE(double, speeds, w->ncontact);
  TAKE(double, rubbed, w->ncontact);
  TAKE(int, limit_of, n);
  TAKE(unsigned char, stops, s->nlimit);
  TAKE(unsigned char, happened, w->ncontact);
  TAKE(unsigned char, turned, w->ncontact);
  TAKE(int, ints, n + fb_cones_int_size(w->room_rows));
  TAKE(double, A, n* n);
  TAKE(double, X, n*(size_t)s->nv);
  TAKE(double, K, n* n);
  TAKE(double, span, 2 * n * n + 7 * n);
  TAKE(double, work, fb_cones_work_size(w->room_rows));
}
#undef TAKE

void fb_touch_free(fb_sim* s) {
  if (s->touch) fb_kinematics_cache_free(&s->touch->near);
  if (s->touch) free(s->touch->memory);
  free(s->touch);
  s->touch = NULL;
}

fb_status fb_touch_check(const fb_sim* s, fb_error* error) {
  const fb_stepper_traits* traits = &s->stepper.traits;
  if (count_contacts(s) == 0 || !(traits->steps_momenta || traits->takes_slopes)) return FB_OK;
  return fb_fail(
      error, FB_ERR_UNSUPPORTED,
      "the %s method cannot take hard contacts: %s; take moreau, or rk4, rkmk4 or dopri5, which end "
      "their steps at impacts, or a compliant law",
      s->stepper.name,
      traits->steps_momenta ? "its discrete momenta have no place for impulses in a step"
                            : "its stages do not have their forces");
}

fb_status fb_touch_start(fb_sim* s, fb_error* error) {
  fb_touch_free(s); /* of a start that failed */
  int ncontact = count_contacts(s), steps = fb_touch_by_steps(s);
  if (ncontact == 0 && !steps) return FB_OK;
  fb_touching* w = calloc(1, sizeof *w);
  s->touch = w;
  if (!w) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", ncontact);
  w->ncontact = ncontact;
  w->room = count_room(s);
  w->room_rows = 3 * w->room + s->nlimit + s->nv + 1;
  w->nreaction = s->m->top.nloop > 0 ? 2 * s->nv + s->m->top.nrow : s->nv;
  fb_arena a = {0};
  place_work(s, w, &a);
  w->memory = calloc(1, a.used + FB_ALIGN); /* zeroed by the system where it is used */
  if (!w->memory) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", ncontact);
  a = (fb_arena){(char*)w->memory, 0};
  place_work(s, w, &a);
  w->solver = -1;
  for (int i = 0, n = 0; i < s->nblock; i++) {
    if (s->blocks[i].contact_ == 1) w->block[n++] = i;
    if (s->blocks[i].contact_ == 2) w->solver = i;
  }
  return fb_touch_near_start(s, error);
}

void fb_touch_carry(fb_sim* s, const fb_sim* old) {
  fb_touching *w = s->touch, *was = old->touch;
  if (!w) return;
  size_t count = (size_t)w->ncontact;
  memcpy(s->touched, old->touched, (size_t)w->room * sizeof *s->touched);
  memcpy(w->happened, was->happened, count);
  memcpy(w->impulses, was->impulses, 3 * count * sizeof *w->impulses);
  memcpy(w->speeds, was->speeds, count * sizeof *w->speeds);
  memcpy(w->rubbed, was->rubbed, count * sizeof *w->rubbed);
}

int fb_touch_room(const fb_sim* s) {
  return s->touch ? s->touch->room : 0;
}

/* ---- points ---- */

/* Two directions square to n, which stay as they are while n does: the axis least along n comes first. */
void fb_touch_find_tangents(const double n[3], double t[2][3]) {
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) < fabs(n[least])) least = i;
  double length2 = 1 - n[least] * n[least], by = 1 / sqrt(length2);
  for (int i = 0; i < 3; i++) t[0][i] = by * ((i == least) - n[least] * n[i]);
  cross3(n, t[0], t[1]);
}

/* How far the place `own` on the body of a point is from the point. */
static double away_from(const fb_touch_point* p, const double own[3]) {
  double apart[3];
  for (int i = 0; i < 3; i++) apart[i] = own[i] - p->own[i];
  return norm3(apart);
}

/* By its feature; with time stepping also by its place: corners on the edges of a face have more than one name. */
const fb_touch_memory* fb_touch_remembered(const fb_sim* s, const fb_touch_point* p) {
  static const double NEAR = 1e-2; /* of the distance from the origin of its frame */
  const fb_touch_memory* nearest = NULL;
  double least = fb_touch_by_steps(s) ? NEAR * norm3(p->own) : 0;
  for (int i = 0; i < s->head->ntouch; i++) {
    const fb_touch_memory* m = &s->touched[i];
    if (!fb_is_of_pair(p, m->contact, m->a, m->b)) continue;
    if (m->feature == p->touch.feature) return m;
    if (!(least > 0 && away_from(p, m->own) < least)) continue;
    least = away_from(p, m->own);
    nearest = m;
  }
  return nearest;
}

int fb_touch_lasts(const fb_sim* s, const fb_touch_point* p) {
  return fb_touch_by_steps(s) && !s->head->jumped && fb_touch_remembered(s, p) != NULL;
}

void fb_touch_find_rates(const fb_sim* s, const fb_data* d, fb_touch_point* p) {
  double u[3];
  fb_touch_velocity(s->m, d, fb_point_a(s, p), fb_point_b(s, p), &p->touch, u);
  p->rate[0] = dot3(p->touch.normal, u);
  for (int i = 0; i < 2; i++) p->rate[1 + i] = dot3(p->tangent[i], u);
}

static int is_rigid(const fb_sim* s, const fb_touch_point* p) {
  const int* link = s->m->top.site_link;
  return link[fb_point_a(s, p)->frame] == link[fb_point_b(s, p)->frame];
}

/* Two sides meet at one place, so that their forces are opposite along one line. On the side that moves where the other is
 * the world: how deep it is then costs it no lever arm. */
void fb_touch_meet(const fb_sim* s, fb_touch_point* p) {
  const int* link = s->m->top.site_link;
  int world = link[FB_WORLD];
  double by = link[fb_point_b(s, p)->frame] == world ? 1 : link[fb_point_a(s, p)->frame] == world ? 0 : 0.5;
  for (int i = 0; i < 3; i++) p->touch.p_b[i] += by * (p->touch.p_a[i] - p->touch.p_b[i]);
}

/* The frame of the side that moves. */
static int own_frame(const fb_sim* s, const fb_touch_point* p) {
  const int* link = s->m->top.site_link;
  int a = fb_point_a(s, p)->frame;
  return link[a] == link[FB_WORLD] ? fb_point_b(s, p)->frame : a;
}

void fb_touch_from_own(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const double own[3],
                       double x[3]) {
  double origin[3], R[9];
  fb_frame_pose(s->m, d, own_frame(s, p), origin, R);
  fb_rot_apply(R, own, x);
  add_scaled3(x, 1, origin);
}

void fb_touch_find_own(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const double x[3],
                       double own[3]) {
  double origin[3], R[9], r[3];
  fb_frame_pose(s->m, d, own_frame(s, p), origin, R);
  for (int i = 0; i < 3; i++) r[i] = x[i] - origin[i];
  fb_rot_apply_transpose(R, r, own);
}

double fb_touch_moved(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const fb_touch* touch) {
  double own[3];
  fb_touch_find_own(s, d, p, touch->p_b, own);
  return away_from(p, own);
}

void fb_touch_find(fb_sim* s, const double* q, const double* v, double reach) {
  fb_touching* w = s->touch;
  const fb_data* d = fb_touch_kinematics(s, q, v);
  w->npoint = w->full = 0;
  for (int contact = 0; contact < w->ncontact; contact++) {
    if (!fb_block_acts(s, w->block[contact])) continue;
    int n =
        fb_contact_find_points(s->m, d, fb_touch_contact(s, contact), reach, w->found, w->room - w->npoint);
    w->full |= w->room == MOST_POINTS && n == w->room - w->npoint;
    for (int i = 0; i < n; i++) {
      fb_touch_point* p = &w->points[w->npoint];
      *p = (fb_touch_point){contact, w->found[i].a, w->found[i].b, .touch = w->found[i].touch};
      if (is_rigid(s, p)) continue;
      w->npoint++;
      memcpy(p->origin, w->origin, sizeof p->origin);
      fb_touch_meet(s, p);
      fb_touch_find_own(s, d, p, p->touch.p_b, p->own);
      fb_touch_find_tangents(p->touch.normal, p->tangent);
      fb_touch_find_rates(s, d, p);
      const fb_touch_memory* before = fb_touch_remembered(s, p);
      if (before) memcpy(p->force, before->force, sizeof p->force);
    }
  }
}

fb_status fb_touch_check_room(const fb_sim* s, double t, fb_error* error) {
  if (!s->touch->full) return FB_OK;
  return fb_fail(
      error, FB_ERR_UNSUPPORTED,
      "at t = %.9g s %d points or more of hard contacts touch at once, which is the most that can be solved "
      "together; name fewer shapes in the contacts, or take a compliant law for some of them",
      t, MOST_POINTS);
}

double fb_touch_find_way(fb_touch_point* p, double slow) {
  double speed = hypot(p->rate[1], p->rate[2]);
  for (int i = 0; i < 3; i++)
    p->way[i] = speed > slow ? (p->rate[1] * p->tangent[0][i] + p->rate[2] * p->tangent[1][i]) / speed : 0;
  return speed;
}

double fb_touch_creep(const fb_sim* s, const fb_touch_point* p) {
  static const double LEAST = 1e-5; /* [m/s] */
  double step = s->stepper.traits.adaptive ? 0 : s->options.step;
  double mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
  return fmax(LEAST, step * mu * fabs(dot3(p->force, p->touch.normal)) * p->response);
}

double fb_touch_slowest(const fb_sim* s) {
  static const struct {
    int steps;
    double speed; /* [m/s] */
  } CRAWLS[] = {{1000, 1e-6}, {500, 1e-7}, {0, 1e-8}};
  int i = 0;
  while (s->head->crawl_steps[FB_CRAWL_SHORT] < CRAWLS[i].steps) i++;
  return CRAWLS[i].speed;
}

int fb_touch_moves(const fb_sim* s, const fb_touch_point* p) {
  return hypot(p->rate[1], p->rate[2]) > fb_touch_slowest(s);
}

void fb_touch_remember(fb_sim* s) {
  const fb_touching* w = s->touch;
  s->head->ntouch = s->head->nclosed = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    if (p->state == FB_CONTACT_OPEN) continue;
    fb_touch_memory* m = &s->touched[s->head->ntouch++];
    *m = (fb_touch_memory){.contact = p->contact,
                           .a = p->a,
                           .b = p->b,
                           .feature = p->touch.feature,
                           .state = p->state,
                           .moves = fb_touch_moves(s, p),
                           .creep = fb_touch_creep(s, p)};
    memcpy(m->own, p->own, sizeof m->own);
    memcpy(m->way, p->way, sizeof m->way);
    memcpy(m->aim, p->aim, sizeof m->aim);
    memcpy(m->force, p->force, sizeof m->force);
  }
  if (!fb_touch_by_steps(s)) s->head->nclosed = s->head->ntouch;
}

int fb_touch_is_sound(const fb_sim* s, const fb_touch_memory* m) {
  if (m->contact < 0 || m->contact >= s->touch->ncontact) return 0;
  const fb_contact* how = &fb_touch_contact(s, m->contact)->how;
  int finite = 1;
  for (int i = 0; i < 3; i++)
    finite &= isfinite(m->own[i]) && isfinite(m->way[i]) && isfinite(m->aim[i]) && isfinite(m->force[i]);
  return finite && isfinite(m->creep) && m->creep >= 0 && m->a >= 0 && m->a < how->na && m->b >= 0 &&
         m->b < how->nb && m->state >= FB_CONTACT_OPEN && m->state <= FB_CONTACT_STICKS;
}

/* ---- rows ---- */

/* The motion of a over b along a direction, at the point. */
static void set_row(const fb_sim* s, const fb_data* d, const fb_touch_point* p, const double way[3],
                    fb_row* row) {
  const int frame[2] = {fb_point_b(s, p)->frame, fb_point_a(s, p)->frame};
  *row = (fb_row){.coordinate = -1};
  memcpy(row->linear, way, sizeof row->linear);
  for (int end = 0; end < 2; end++) {
    double origin[3];
    row->body[end] = fb_frame_body(s->m, frame[end]);
    fb_frame_pose(s->m, d, row->body[end], origin, NULL);
    for (int i = 0; i < 3; i++) row->arm_w[end][i] = p->touch.p_b[i] - origin[i];
  }
}

/* One more row of a point, along one of its own directions or another. The points were found at the poses in the cache. */
static void add_row(fb_sim* s, const fb_touch_point* p, const double way[3], double c, double by) {
  fb_touching* w = s->touch;
  w->limit_of[w->nrow] = -1;
  w->sign[w->nrow] = 1;
  w->closing[w->nrow] = 0;
  w->c[w->nrow] = c;
  w->P[w->nrow] = by * dot3(p->force, way);
  set_row(s, fb_touch_poses(s), p, way, &w->rows[w->nrow++]);
}

void fb_touch_pose(fb_sim* s, double by) {
  fb_touching* w = s->touch;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    double mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
    w->cones[w->ncone++] = (fb_cone){mu > 0 ? FB_CONE_COULOMB : FB_CONE_NORMAL, mu, 0, 0};
    add_row(s, p, p->touch.normal, p->rate[0], by);
    for (int k = 1; mu > 0 && k < 3; k++) add_row(s, p, p->tangent[k - 1], p->rate[k], by);
  }
}

void fb_touch_pose_normals(fb_sim* s) {
  fb_touching* w = s->touch;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    w->cones[w->ncone++] = (fb_cone){FB_CONE_NORMAL, 0, 0, 0};
    add_row(s, &w->points[i], w->points[i].touch.normal, w->points[i].touch.gap, 0);
  }
}

void fb_touch_pose_all(fb_sim* s) {
  fb_touching* w = s->touch;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    add_row(s, p, p->touch.normal, p->rate[0], 0);
    for (int k = 0; k < 2; k++) add_row(s, p, p->tangent[k], p->rate[1 + k], 0);
  }
}

void fb_touch_pose_held(fb_sim* s) {
  fb_touching* w = s->touch;
  w->nrow = w->ncone = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    add_row(s, p, p->touch.normal, p->rate[0], 1);
    for (int k = 1; p->state == FB_CONTACT_STICKS && k < 3; k++)
      add_row(s, p, p->tangent[k - 1], p->rate[k], 1);
  }
}

void fb_touch_pose_coordinate(fb_sim* s, int coordinate, double sign, fb_cone cone, int limit) {
  fb_touching* w = s->touch;
  w->rows[w->nrow] = fb_row_of_coordinate(coordinate);
  w->sign[w->nrow] = sign;
  w->limit_of[w->nrow] = limit;
  w->P[w->nrow] = w->closing[w->nrow] = 0;
  w->nrow++;
  w->cones[w->ncone++] = cone;
}

/* As the flow has just said. */
static const unsigned char* find_moved(fb_sim* s) {
  return s->head->nmoved + s->nmoving > 0 ? s->prescribed : NULL;
}

double fb_touch_no_response(const fb_sim* s) {
  return 1e-9 / fmax(fb_model_mass(s->m), DBL_MIN);
}

/* A row that no motion changes, as of a roller on an arm that turns about the centre of the ball it touches, has a response of rounding:
 * that of the scene as one mass is put there, so that the force is what rounding makes of a rate, which is nothing. What given motions
 * leave without a response stays: it may have no solution. */
static void isolate_idle_rows(fb_sim* s) {
  fb_touching* w = s->touch;
  const size_t n = (size_t)w->nrow;
  const double least = fb_touch_no_response(s), one = 1e9 * least;
  for (size_t i = 0; i < n; i++) {
    if (w->A[i * (n + 1)] > least) continue;
    for (size_t j = 0; j < n; j++) w->A[i * n + j] = w->A[j * n + i] = 0;
    w->A[i * (n + 1)] = one;
    memset(w->X + i * (size_t)s->nv, 0, (size_t)s->nv * sizeof *w->X);
  }
}

void fb_touch_responses(fb_sim* s, const double* q) {
  fb_touching* w = s->touch;
  int n = w->nrow;
  const unsigned char* moved = find_moved(s);
  fb_constrained_columns(s->m, s->d, q, moved, w->rows, n, w->A, w->X);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) w->A[(size_t)i * (size_t)n + (size_t)j] *= w->sign[i] * w->sign[j];
  if (!moved) isolate_idle_rows(s);
}

void fb_touch_note_responses(fb_touching* w) {
  size_t n = (size_t)w->nrow;
  for (int i = 0; i < w->npoint; i++) {
    size_t row = 3 * (size_t)i + 1;
    w->points[i].response = fmax(w->A[row * (n + 1)], w->A[(row + 1) * (n + 1)]);
  }
}

void fb_touch_respond(const fb_sim* s, const double* P, double* x) {
  const fb_touching* w = s->touch;
  memset(x, 0, (size_t)s->nv * sizeof *x);
  for (int j = 0; j < w->nrow; j++) {
    const double by = w->sign[j] * P[j], *column = w->X + (size_t)j * (size_t)s->nv;
    for (int k = 0; by != 0 && k < s->nv; k++) x[k] += by * column[k];
  }
}

/* Rows along which nothing gives way: what rounding leaves of their rates is no approach. */
static void clear_idle_rows(fb_touching* w) {
  static const double NOTHING = 1e-14, SLOW = 1e-9;
  size_t n = (size_t)w->nrow;
  double most = 0;
  for (size_t i = 0; i < n; i++) most = fmax(most, w->A[i * (n + 1)]);
  for (size_t i = 0; i < n; i++)
    if (w->A[i * (n + 1)] <= NOTHING * most && fabs(w->c[i]) < SLOW) w->c[i] = 0;
}

fb_cones_status fb_touch_solve(fb_sim* s) {
  fb_touching* w = s->touch;
  clear_idle_rows(w);
  const fb_cones_problem problem = {.ncone = w->ncone,
                                    .n = w->nrow,
                                    .cones = w->cones,
                                    .A = w->A,
                                    .c = w->c,
                                    .settled = w->settled,
                                    .rough = w->rough};
  w->result = fb_cones_solve(&problem, w->P, w->work, w->ints + w->room_rows);
  if (w->result.status == FB_CONES_INEXACT && !w->rough) w->off = fmax(w->off, w->result.residual);
  return w->result.status;
}

void fb_touch_rates(fb_sim* s, const double* q, const double* v, double* u) {
  const fb_touching* w = s->touch;
  const fb_data* d = fb_touch_kinematics(s, q, v);
  for (int i = 0; i < w->nrow; i++) u[i] = w->sign[i] * fb_row_rate(s->m, d, &w->rows[i], v);
}

double fb_touch_far(const fb_sim* s, const double* y) {
  double far = 0;
  for (int i = 0; i < s->nfloat; i++)
    for (int k = 0; k < 3; k++) far = fmax(far, fabs(y[s->roots[i].q_at + k]));
  return far;
}

double fb_touch_slack(const fb_sim* s, const double* y) {
  return 1e-9 + 8 * DBL_EPSILON * fb_touch_far(s, y);
}

/* ---- forces ---- */

void fb_touch_take_force(fb_touch_point* p, const double P[3], double by) {
  for (int i = 0; i < 3; i++)
    p->force[i] = by * (P[0] * p->touch.normal[i] + P[1] * p->tangent[0][i] + P[2] * p->tangent[1][i]);
}

static void add_wrench(fb_sim* s, const fb_data* d, int frame, double by, const fb_touch_point* p) {
  fb_wrench* wrench = &s->wrenches[s->nwrench++];
  double origin[3], arm[3];
  *wrench = (fb_wrench){.frame = frame};
  fb_frame_pose(s->m, d, frame, origin, NULL);
  for (int i = 0; i < 3; i++) {
    arm[i] = p->touch.p_b[i] - origin[i];
    wrench->force[i] = by * p->force[i];
  }
  cross3(arm, wrench->force, wrench->torque);
}

void fb_touch_push(fb_sim* s, const fb_data* d) {
  const fb_touching* w = s->touch;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    if (is_zero3(p->force)) continue;
    add_wrench(s, d, fb_point_a(s, p)->frame, 1, p);
    add_wrench(s, d, fb_point_b(s, p)->frame, -1, p);
  }
}
