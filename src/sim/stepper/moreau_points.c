/* moreau_points.c -- active rows in a step of moreau: points that touch in its middle, or at the impacts that divide
 * it, joint limits that are reached, and stiction; and where a step ends because bodies meet in it after an impact. */
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>

#include "limit/limit.h"
#include "math/vector3.h"
#include "sim/flow.h"
#include "sim/stepper/moreau.h"

static int limit_takes_part(const fb_sim* s, int i, const double* y) {
  return fb_limit_is_within(s, i, y, fb_hard_slack(s, y));
}

static int sticks(const fb_sim* s, int k) {
  return fb_stiction(s, k) > 0 && s->motion.of[k] == FB_MOTION_FORCE;
}

static int joints_take_part(const fb_sim* s, const double* y) {
  for (int i = 0; i < s->limit.count; i++)
    if (limit_takes_part(s, i, y)) return 1;
  for (int k = 0; k < s->nv; k++)
    if (sticks(s, k)) return 1;
  return 0;
}

/* Limits that are reached in the middle of the step, and stiction of joints. */
static void pose_joints(fb_sim* s, const double* y, double h) {
  const fb_cone normal = {FB_CONE_NORMAL, 0, 0, 0};
  for (int i = 0; i < s->limit.count; i++)
    if (limit_takes_part(s, i, y))
      fb_hard_pose_coordinate(s, s->limit.list[i].coordinate, -s->limit.list[i].side, normal, i);
  for (int k = 0; k < s->nv; k++) {
    double level = h * fb_stiction(s, k);
    if (sticks(s, k)) fb_hard_pose_coordinate(s, k, 1, (fb_cone){FB_CONE_BOX, 0, -level, level}, -1);
  }
}

/* Whether a point that did not touch comes to it around the middle of the step, or is deep already: corners that turn fast come and
 * go within a step. */
static int may_hit(const fb_sim* s, const fb_hard_point* p, double slack) {
  static const double DEEP = 1e-2; /* of what moves in that time */
  const fb_hard_contacts* w = s->contact.hard;
  const double gap = p->point.gap;
  const int near = gap > slack ? gap < fabs(p->rate[0]) * w->aside.reach_time
                               : gap < -slack - DEEP * w->aside.pace * w->aside.reach_time;
  return near && !fb_hard_touched(s, p);
}

/* Points that touch, and those near by that touched in the last step: a body that turns on a corner lifts it slightly
 * in every step, and would fall in every other; one that rocks would fall from corner to corner. Other points near by
 * follow after them. */
static void find_points(fb_sim* s, const double* y) {
  static const double SEARCH_DISTANCE = 1e-2; /* [m] */
  fb_hard_contacts* w = s->contact.hard;
  const double slack = fb_hard_slack(s, y), far = s->contact.head->nremembered > 0 ? SEARCH_DISTANCE : slack;
  int n = 0, others = 0;
  fb_hard_find(s, y, y + s->nq, fmax(far, w->aside.reach_time * w->aside.pace));
  if (w->full) fb_hard_find(s, y, y + s->nq, slack);
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    if (p->point.gap <= slack || (p->point.gap <= far && fb_hard_touched(s, p)))
      w->points[n++] = *p;
    else if (p->point.gap <= far)
      w->spare[others++] = *p;
    w->aside.reaches |= w->aside.reach_time > 0 && may_hit(s, p, slack);
  }
  memcpy(w->points + n, w->spare, (size_t)others * sizeof *w->points);
  w->npoint = n;
  w->nnear = others;
}

/* ---- where a step with impacts is divided ---- */

/* The time since new points came into contact, in steps; 0 where none did, or others are active too. */
static double since_impacts(const fb_sim* s, double h, const double* y) {
  const fb_hard_contacts* w = s->contact.hard;
  double since = 0, weights = 0; /* each weighted by its rate */
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    if (!(p->point.gap < 0 && p->rate[0] < -FB_HARD_SLOW) || fb_hard_touched(s, p)) return 0;
    since += fmin(-p->rate[0], -p->point.gap / h);
    weights -= p->rate[0];
  }
  return weights > 0 && !joints_take_part(s, y) ? since / weights : 0;
}

static fb_hard_point* find_among(fb_hard_point* points, int n, const fb_hard_point* p) {
  for (int i = 0; i < n; i++)
    if (fb_is_of_pair(p, points[i].contact, points[i].a, points[i].b) &&
        points[i].point.feature == p->point.feature)
      return &points[i];
  return NULL;
}

/* How fast the sides of a point turn relative to each other. */
static double turning_rate(const fb_sim* s, const fb_data* d, const fb_hard_point* p) {
  const int frames[] = {fb_point_a(s, p)->frame, fb_point_b(s, p)->frame};
  double w[2][3] = {{0}};
  for (int i = 0; i < 2; i++)
    if (frames[i] != FB_WORLD) fb_frame_velocity(s->m, d, frames[i], NULL, w[i]);
  add_scaled3(w[0], -1, w[1]);
  return norm3(w[0]);
}

/* The points of the middle at y, a time `since` earlier, with the gaps of the middle. 0: not all were found. */
static int find_again(fb_sim* s, double since, const double* y) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_point *middle = w->points, *p;
  double max_gap = 0;
  int count = w->npoint, n = 0;
  for (int i = 0; i < count; i++)
    max_gap = fmax(max_gap, fabs(middle[i].point.gap) + since * fabs(middle[i].rate[0]));
  w->points = w->spare;
  w->spare = middle;
  fb_hard_find(s, y, y + s->nq, 2 * max_gap);
  const fb_data* d = fb_hard_kinematics(s, y, y + s->nq);
  for (int i = 0; i < w->npoint; i++) {
    if (!(p = find_among(middle, count, &w->points[i]))) continue;
    w->astray = fmax(w->astray, fabs(w->points[i].point.gap / p->rate[0]) * turning_rate(s, d, p));
    w->points[n] = w->points[i];
    w->points[n++].point.gap = p->point.gap;
  }
  w->npoint = n;
  return n == count;
}

void fb_moreau_place(fb_sim* s, double t, double h, double part, const double* y0, double* y) {
  fb_integrate(s->m, y0, y0 + s->nq, part * h, y);
  fb_flow_place(s, t + part * h, y);
}

/* The end of a step without impacts, with the velocity there. */
static void place_at_end(fb_sim* s, double t, double h, const double* y0, double* y) {
  double* v = y + s->nq;
  for (int k = 0; k < s->nv; k++) v[k] = y0[s->nq + k] + 0.5 * h * s->vdot[k];
  fb_integrate(s->m, y0, v, h, y);
  for (int k = 0; k < s->nv; k++) v[k] += 0.5 * h * s->vdot[k];
  fb_flow_place(s, t + h, y);
}

/* y: moved from the middle of the step to its impacts, if any; also to those in its second half, where nothing else touches. */
static void divide_at_impacts(fb_sim* s, double t, double h, const double* y0, double* y) {
  fb_hard_contacts* w = s->contact.hard;
  double since, from = 0.5;
  memset(w->later, 0, (size_t)s->nv * sizeof *w->later);
  w->astray = 0;
  w->early = w->seen = 0.5;
  w->h = h;
  if (w->npoint == 0) {
    from = w->seen = 1;
    place_at_end(s, t, h, y0, y);
    fb_hard_find(s, y, y + s->nq, 0);
  }
  since = since_impacts(s, h, y);
  if (from == 0.5 && since == 0) return;
  memcpy(y + s->nq, y0 + s->nq, (size_t)s->nv * sizeof *y);
  w->early = since > 0 ? from - since : 0.5;
  fb_moreau_place(s, t, h, w->early, y0, y);
  if (since > 0 && find_again(s, since * h, y)) return;
  w->early = w->seen = 0.5;
  w->astray = 0;
  fb_moreau_place(s, t, h, 0.5, y0, y);
  w->npoint = 0;
  if (from == 0.5) find_points(s, y);
}

void fb_moreau_pose(fb_sim* s, double h, const double* y, const double* v) {
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_pose(s, h);
  pose_joints(s, y, h);
  if (w->nrow == 0) return;
  fb_hard_bend(s, y, v, (1 - w->early) * h);
  fb_hard_rates(s, y, v, w->before);
  fb_hard_find_lasting(s, h, fb_hard_slack(s, y));
  fb_hard_responses(s, y);
}

void fb_moreau_find_closed(fb_sim* s, double t, double h, const double* y0, double* y) {
  fb_hard_contacts* w = s->contact.hard;
  w->npoint = w->nnear = w->pushed = 0;
  w->result = (fb_cones_result){FB_CONES_SOLVED, FB_CONES_AUTO, 0, 0};
  find_points(s, y);
  divide_at_impacts(s, t, h, y0, y);
  fb_moreau_pose(s, h, y, y0 + s->nq);
}

static double coefficient(const fb_sim* s, const fb_hard_point* p) {
  return fb_hard_block_memory(s, p->contact)[FB_HARD_RESTITUTION];
}

static int bounces(const fb_sim* s) {
  for (int i = 0; i < s->contact.hard->ncontact; i++)
    if (fb_hard_block_memory(s, i)[FB_HARD_RESTITUTION] > 0) return 1;
  return 0;
}

/* Whether a point is of the same pair as one of n others. */
static int takes_part(const fb_hard_point* points, int n, const fb_hard_point* p) {
  for (int i = 0; i < n; i++)
    if (fb_is_of_pair(p, points[i].contact, points[i].a, points[i].b)) return 1;
  return 0;
}

/* Points of a pair are adjacent: it follows the others of its pair. It lies behind them all. */
static void insert_point(fb_hard_contacts* w, const fb_hard_point* p) {
  const fb_hard_point point = *p;
  int at = w->npoint;
  for (int i = 0; i < w->npoint; i++)
    if (fb_is_of_pair(&point, w->points[i].contact, w->points[i].a, w->points[i].b)) at = i + 1;
  memmove(w->points + at + 1, w->points + at, (size_t)(w->npoint++ - at) * sizeof *w->points);
  w->points[at] = point;
}

int fb_moreau_find_reached(fb_sim* s, double h, const double* y, const double* v1) {
  fb_hard_contacts* w = s->contact.hard;
  int n = w->npoint;
  if (w->nnear == 0 || fb_hard_is_divided(w) || !bounces(s)) return 0;
  const fb_data* d = fb_hard_kinematics(s, y, v1);
  for (int i = n; i < n + w->nnear; i++) {
    fb_hard_point* p = &w->points[i];
    const double before = p->rate[0];
    fb_hard_find_rates(s, d, p);
    if (before > -FB_HARD_SLOW && coefficient(s, p) > 0 && !takes_part(w->points, n, p)) continue;
    if (!(p->rate[0] < -FB_HARD_SLOW && p->point.gap + 0.5 * h * p->rate[0] < 0)) continue;
    p->point.gap = 0;
    insert_point(w, p);
  }
  w->nnear = 0;
  return w->npoint > n;
}

/* ---- where a step ends ---- */

/* When a new impact of the step took place, in steps from its start; 1: the point has none. */
static double impact_time(const fb_sim* s, double h, const fb_hard_point* p) {
  if (!p->hit || fb_hard_touched(s, p) || !(p->rate[0] < -FB_HARD_SLOW)) return 1;
  return fmin(1, fmax(0, s->contact.hard->seen - p->point.gap / (p->rate[0] * h)));
}

/* The first impact, in steps; and the first that follows one which changes its rate; 1: there is none. */
static void find_impact_times(const fb_sim* s, double h, double* first, double* next) {
  static const double APART = 1e-3, NOTHING = 1e-9;
  const fb_hard_contacts* w = s->contact.hard;
  const double slowest = fb_hard_most_gained(w);
  *first = *next = 1;
  for (int i = 0, row = 0; i < w->npoint; row += fb_cone_rows(&w->cones[i++])) {
    const double time = impact_time(s, h, &w->points[i]);
    const double rebound = -coefficient(s, &w->points[i]) * w->points[i].rate[0];
    *first = fmin(*first, time);
    for (int j = 0, at = 0; time < 1 && j < w->npoint; at += fb_cone_rows(&w->cones[j++])) {
      const fb_hard_point* p = &w->points[j];
      if (fb_is_of_pair(p, w->points[i].contact, w->points[i].a, w->points[i].b)) continue;
      if (fmax(-coefficient(s, p) * p->rate[0], rebound) > slowest &&
          fabs(fb_hard_response(w, row, at)) > NOTHING * fb_hard_response(w, row, row) &&
          impact_time(s, h, p) < time - APART)
        *next = fmin(*next, time);
    }
  }
}

/* When, in the step from y0 to y1, the first two bodies meet that overlap at its end and had no part in it; h: none do. Where it
 * is not divided the velocity changes in its middle. */
static double find_meeting(fb_sim* s, double h, const double* y0, const double* y1) {
  static const double SHALLOW = 1e-4; /* of the approach in a step: less is rounding, and curvature */
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_point *points = w->points, *others = w->spare;
  const int n = w->npoint, divided = fb_hard_is_divided(w);
  const double slowest = fb_hard_most_gained(w);
  double time = h;
  w->points = others;
  fb_hard_find(s, y1, y1 + s->nq, 0);
  const fb_data* d = fb_hard_kinematics(s, y1, y0 + s->nq);
  for (int i = 0; i < w->npoint; i++) {
    fb_hard_point* p = &others[i];
    const double gap = p->point.gap, rate = p->rate[0];
    if (!(-coefficient(s, p) * rate > slowest) || takes_part(points, n, p)) continue;
    if (!(rate < -FB_HARD_SLOW && gap < SHALLOW * h * rate)) continue;
    fb_hard_find_rates(s, d, p);
    const double mean = divided ? rate : 0.5 * (rate + p->rate[0]);
    time = fmin(time, mean < 0 ? h - gap / mean : 0);
  }
  w->points = points;
  w->npoint = n;
  return time;
}

double fb_moreau_find_next(fb_sim* s, double h, const double* y0, const double* y1) {
  static const double LEAST = 1e-8;
  double first, next;
  if (!bounces(s)) return h;
  find_impact_times(s, h, &first, &next);
  next = fmin(h * next, find_meeting(s, h, y0, y1));
  if (fb_hard_is_divided(s->contact.hard))
    next = fmax(next, h * first);
  else if (first < 1 && next < 2 * h * first)
    next = h * first; /* the middle of the step would be before that impact: the next step begins with it */
  return next > LEAST * s->options.step ? next : h;
}

int fb_moreau_may_cut(fb_sim* s, double t_limit) {
  enum { MOST = 32 };
  fb_contacts_head* head = s->contact.head;
  if (!(fabs(t_limit - head->cut_from) < 0.5 * s->options.step) || head->cuts < 0) {
    head->cut_from = t_limit;
    head->cuts = 0;
  }
  return head->cuts++ < MOST;
}
