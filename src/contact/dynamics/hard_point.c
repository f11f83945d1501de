/* hard_point.c -- the points at which hard contacts touch: search, rates and slip, and their storage between steps. */
#include "contact/dynamics/hard_point.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "math/vector3.h"
#include "sim/flow.h"

/* Two directions square to n, which stay as they are while n does: the axis least along n comes first. */
void fb_hard_find_tangents(const double n[3], double t[2][3]) {
  int least = 0;
  for (int i = 1; i < 3; i++)
    if (fabs(n[i]) < fabs(n[least])) least = i;
  double length2 = 1 - n[least] * n[least], by = 1 / sqrt(length2);
  for (int i = 0; i < 3; i++) t[0][i] = by * ((i == least) - n[least] * n[i]);
  cross3(n, t[0], t[1]);
}

/* Distance of the place `own` on the body of a point from the point. */
static double away_from(const fb_hard_point* p, const double local[3]) {
  double apart[3];
  for (int i = 0; i < 3; i++) apart[i] = local[i] - p->local[i];
  return norm3(apart);
}

/* Where the points of a pair begin among those remembered: they are adjacent. Pairs are sought in about the order in which they
 * were remembered, so that the search goes on from the last one. */
static int first_of_pair(const fb_sim* s, const fb_hard_point* p) {
  fb_hard_contacts* w = s->contact.hard;
  const int count = s->contact.head->nremembered;
  for (int k = 0; k < count; k++) {
    const int from = w->sought < count ? w->sought : 0, i = from + k < count ? from + k : from + k - count;
    const fb_hard_memory *m = &s->contact.remembered[i], *before = i > 0 ? m - 1 : NULL;
    if (!fb_is_of_pair(p, m->contact, m->a, m->b)) continue;
    if (before && fb_is_of_pair(p, before->contact, before->a, before->b)) continue;
    w->sought = i;
    return i;
  }
  return count;
}

/* By its feature; with time stepping also by its place: corners on the edges of a face have more than one name. */
const fb_hard_memory* fb_hard_remembered(const fb_sim* s, const fb_hard_point* p) {
  static const double NEAR = 1e-2; /* of the distance from the origin of its frame */
  const fb_hard_memory* nearest = NULL;
  double least = fb_hard_by_steps(s) ? NEAR * norm3(p->local) : 0;
  const int count = s->contact.head->nremembered;
  for (int i = first_of_pair(s, p); i < count; i++) {
    const fb_hard_memory* m = &s->contact.remembered[i];
    if (!fb_is_of_pair(p, m->contact, m->a, m->b)) break;
    if (m->feature == p->point.feature) return m;
    if (!(least > 0 && away_from(p, m->local) < least)) continue;
    least = away_from(p, m->local);
    nearest = m;
  }
  return nearest;
}

int fb_hard_touched(const fb_sim* s, const fb_hard_point* p) {
  const fb_hard_memory* m = fb_hard_remembered(s, p);
  return m && !m->leaves;
}

int fb_hard_lasts(const fb_sim* s, const fb_hard_point* p) {
  return fb_hard_by_steps(s) && !s->head->jumped && fb_hard_touched(s, p);
}

void fb_hard_find_rates(const fb_sim* s, const fb_data* d, fb_hard_point* p) {
  double u[3];
  fb_contact_point_velocity(s->m, d, fb_point_a(s, p), fb_point_b(s, p), &p->point, u);
  p->rate[0] = dot3(p->point.normal, u);
  for (int i = 0; i < 2; i++) p->rate[1 + i] = dot3(p->tangent[i], u);
}

static int is_rigid(const fb_sim* s, const fb_hard_point* p) {
  const int* link = s->m->top.site_link;
  return link[fb_point_a(s, p)->frame] == link[fb_point_b(s, p)->frame];
}

/* The common place of both forces, so that they are opposite along one line. It is on the moving side where the other
 * is the world: the depth then adds no lever arm. */
void fb_hard_meet(const fb_sim* s, fb_hard_point* p) {
  const int* link = s->m->top.site_link;
  int world = link[FB_WORLD];
  double by = link[fb_point_b(s, p)->frame] == world ? 1 : link[fb_point_a(s, p)->frame] == world ? 0 : 0.5;
  for (int i = 0; i < 3; i++) p->point.p_b[i] += by * (p->point.p_a[i] - p->point.p_b[i]);
}

/* The frame of the side that moves. */
static int moving_frame(const fb_sim* s, const fb_hard_point* p) {
  const int* link = s->m->top.site_link;
  int a = fb_point_a(s, p)->frame;
  return link[a] == link[FB_WORLD] ? fb_point_b(s, p)->frame : a;
}

void fb_hard_from_local(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const double local[3],
                        double x[3]) {
  double origin[3], R[9];
  fb_frame_pose(s->m, d, moving_frame(s, p), origin, R);
  fb_rot_apply(R, local, x);
  add_scaled3(x, 1, origin);
}

void fb_hard_find_local(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const double x[3],
                        double local[3]) {
  double origin[3], R[9], r[3];
  fb_frame_pose(s->m, d, moving_frame(s, p), origin, R);
  for (int i = 0; i < 3; i++) r[i] = x[i] - origin[i];
  fb_rot_apply_transpose(R, r, local);
}

double fb_hard_moved(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const fb_contact_point* at) {
  double local[3];
  fb_hard_find_local(s, d, p, at->p_b, local);
  return away_from(p, local);
}

/* One more point of a pair; 0: there is no room for it. */
static int take_point(fb_sim* s, const fb_data* d, int contact, int a, int b, const fb_contact_point* point) {
  fb_hard_contacts* w = s->contact.hard;
  if (w->npoint >= w->room) return 0;
  fb_hard_point* p = &w->points[w->npoint];
  *p = (fb_hard_point){contact, a, b, .point = *point};
  if (is_rigid(s, p)) return 1;
  w->npoint++;
  memcpy(p->origin, w->origin, sizeof p->origin);
  fb_hard_meet(s, p);
  fb_hard_find_local(s, d, p, p->point.p_b, p->local);
  fb_hard_find_tangents(p->point.normal, p->tangent);
  fb_hard_find_rates(s, d, p);
  const fb_hard_memory* before = fb_hard_remembered(s, p);
  if (!before) return 1;
  memcpy(p->force, before->force, sizeof p->force);
  memcpy(p->load, before->load, sizeof p->load);
  return 1;
}

/* Contact by contact, where there are more near pairs than the broad phase of all has room for. */
static void find_by_contacts(fb_sim* s, const fb_data* d, double max_gap) {
  fb_hard_contacts* w = s->contact.hard;
  for (int contact = 0; contact < w->ncontact; contact++) {
    if (!w->acts[contact]) continue;
    int n =
        fb_contact_find_points(s->m, d, fb_hard_contact(s, contact), max_gap, w->found, w->room - w->npoint);
    w->full |= w->cut_off && n == w->room - w->npoint;
    for (int i = 0; i < n; i++) take_point(s, d, contact, w->found[i].a, w->found[i].b, &w->found[i].point);
  }
}

void fb_hard_find(fb_sim* s, const double* q, const double* v, double max_gap) {
  fb_hard_contacts* w = s->contact.hard;
  const fb_data* d = fb_hard_kinematics(s, q, v);
  const fb_near_pair* pairs;
  w->npoint = w->full = 0;
  for (int c = 0; c < w->ncontact; c++) w->acts[c] = (unsigned char)(fb_block_acts(s, w->block[c]) != 0);
  const int count = fb_near_pairs_find(w->near, s->m, d, w->acts, max_gap, &pairs);
  if (count < 0) find_by_contacts(s, d, max_gap);
  for (int i = 0; i < count && !w->full; i++) {
    const fb_near_pair* p = &pairs[i];
    fb_contact_point found[FB_MAX_CONTACT_POINTS];
    const int n = fb_contact_points_at(s->m, w->sides[p->contact], p->a, p->b,
                                       fb_near_pairs_place(w->near, p->contact, 0, p->a),
                                       fb_near_pairs_place(w->near, p->contact, 1, p->b), max_gap, found);
    for (int k = 0; k < n; k++) w->full |= !take_point(s, d, p->contact, p->a, p->b, &found[k]);
  }
}

fb_status fb_hard_check_room(const fb_sim* s, double t, fb_error* error) {
  const fb_hard_contacts* w = s->contact.hard;
  if (!w->full && !w->crowded) return FB_OK;
  return fb_fail(
      error, FB_ERR_UNSUPPORTED,
      "at t = %.9g s %d points or more of hard contacts touch at once, which is the most that can be solved "
      "together; name fewer shapes in the contacts, or take a compliant law for some of them",
      t, w->full ? w->room : FB_HARD_MOST_POINTS);
}

double fb_hard_find_slip_direction(fb_hard_point* p, double slow) {
  double speed = norm2(p->rate[1], p->rate[2]);
  for (int i = 0; i < 3; i++)
    p->slip_direction[i] =
        speed > slow ? (p->rate[1] * p->tangent[0][i] + p->rate[2] * p->tangent[1][i]) / speed : 0;
  return speed;
}

double fb_hard_slip_tolerance(const fb_sim* s, const fb_hard_point* p) {
  static const double LEAST = 1e-5; /* [m/s] */
  double step = s->stepper.traits.adaptive ? 0 : s->options.step;
  double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
  return fmax(LEAST, step * mu * fabs(dot3(p->force, p->point.normal)) * p->response);
}

double fb_hard_slowest(const fb_sim* s) {
  static const struct {
    int steps;
    double speed; /* [m/s] */
  } CRAWLS[] = {{1000, 1e-6}, {500, 1e-7}, {0, 1e-8}};
  int i = 0;
  while (s->contact.head->crawl_steps[FB_CRAWL_SHORT] < CRAWLS[i].steps) i++;
  return CRAWLS[i].speed;
}

int fb_hard_moves(const fb_sim* s, const fb_hard_point* p) {
  return norm2(p->rate[1], p->rate[2]) > fb_hard_slowest(s);
}

void fb_hard_remember(fb_sim* s) {
  const fb_hard_contacts* w = s->contact.hard;
  s->contact.head->nremembered = s->contact.head->nclosed = 0;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    if (p->state == FB_CONTACT_OPEN) continue;
    fb_hard_memory* m = &s->contact.remembered[s->contact.head->nremembered++];
    *m = (fb_hard_memory){.contact = p->contact,
                          .a = p->a,
                          .b = p->b,
                          .feature = p->point.feature,
                          .state = p->state,
                          .moves = (short)fb_hard_moves(s, p),
                          .leaves = (short)p->leaves,
                          .slip_tolerance = fb_hard_slip_tolerance(s, p)};
    memcpy(m->local, p->local, sizeof m->local);
    memcpy(m->slip_direction, p->slip_direction, sizeof m->slip_direction);
    memcpy(m->predicted_direction, p->predicted_direction, sizeof m->predicted_direction);
    memcpy(m->force, p->force, sizeof m->force);
    memcpy(m->load, p->hit ? p->load : p->force, sizeof m->load);
  }
  if (!fb_hard_by_steps(s)) s->contact.head->nclosed = s->contact.head->nremembered;
}

int fb_hard_is_sound(const fb_sim* s, const fb_hard_memory* m) {
  if (m->contact < 0 || m->contact >= s->contact.hard->ncontact) return 0;
  const fb_contact* how = &fb_hard_contact(s, m->contact)->how;
  int finite = 1;
  for (int i = 0; i < 3; i++)
    finite &= isfinite(m->local[i]) && isfinite(m->slip_direction[i]) &&
              isfinite(m->predicted_direction[i]) && isfinite(m->force[i]) && isfinite(m->load[i]);
  return finite && isfinite(m->slip_tolerance) && m->slip_tolerance >= 0 && m->a >= 0 && m->a < how->na &&
         m->b >= 0 && m->b < how->nb && m->state >= FB_CONTACT_OPEN && m->state <= FB_CONTACT_STICKS;
}

double fb_hard_far(const fb_sim* s, const double* y) {
  double far = 0;
  for (int i = 0; i < s->tree.nfloat; i++)
    for (int k = 0; k < 3; k++) far = fmax(far, fabs(y[s->tree.roots[i].q_at + k]));
  return far;
}

double fb_hard_slack(const fb_sim* s, const double* y) {
  return 1e-9 + 8 * DBL_EPSILON * fb_hard_far(s, y);
}
