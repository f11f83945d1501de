/* hard_locate.c -- the instant at which a hard contact closes, opens, begins to slip or stops slipping
 *
 * Three numbers are watched, each the least over all points, and positive while no state changes: the gaps of open
 * features; the normal forces, and the friction reserve of sticking points; the slip along its former direction. The
 * first that passes zero ends the step (crossing.c). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "sim/event/crossing.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static int is_of_pair(const fb_pair_point* p, int a, int b) {
  return p->a == a && p->b == b;
}

/* Whether a point is on the feature of a closed one. */
static int is_closed(const fb_sim* s, int contact, const fb_pair_point* p) {
  for (int i = 0; i < s->contact.head->nclosed; i++) {
    const fb_hard_memory* m = &s->contact.remembered[i];
    if (m->contact == contact && is_of_pair(p, m->a, m->b) && m->feature == p->point.feature) return 1;
  }
  return 0;
}

/* Whether found[i] is a closed point with another feature number: where contact passes from a face to an edge both
 * are found for a moment. */
static int is_double(const fb_sim* s, const fb_data* d, int contact, const fb_pair_point* found, int n,
                     int i) {
  const fb_pair_point* p = &found[i];
  if (fabs(p->point.gap) > FB_HARD_HANDED) return 0;
  for (int k = 0; k < n; k++) {
    if (k == i || !is_of_pair(&found[k], p->a, p->b) || !is_closed(s, contact, &found[k])) continue;
    fb_hard_point other = {contact, p->a, p->b, .point = found[k].point};
    fb_hard_find_local(s, d, &other, other.point.p_b, other.local);
    if (fb_hard_is_same(&other, &p->point, fb_hard_moved(s, d, &other, &p->point))) return 1;
  }
  return 0;
}

/* Whether a remembered point is among n that were found, by its feature. */
static int is_found(const fb_pair_point* found, int n, const fb_hard_memory* m) {
  for (int i = 0; i < n; i++)
    if (is_of_pair(&found[i], m->a, m->b) && found[i].point.feature == m->feature) return 1;
  return 0;
}

/* Whether found[i] is a closed point whose feature has changed, for example from a face to its edge. The deepest
 * point of its pair replaces one that is no longer found (find_again in closed_force.c), and does not approach; if it
 * does, the normal has jumped, and there is an impact. */
static int goes_on(const fb_sim* s, const fb_data* d, int contact, const fb_pair_point* found, int n, int i) {
  static const double APPROACH = 1e-7; /* [m/s] */
  const fb_pair_point* p = &found[i];
  const fb_contact* how = &fb_hard_contact(s, contact)->how;
  double u[3];
  int lost = 0;
  if ((i > 0 && is_of_pair(&found[i - 1], p->a, p->b)) || fabs(p->point.gap) > FB_HARD_HANDED) return 0;
  for (int k = 0; k < s->contact.head->nclosed && !lost; k++) {
    const fb_hard_memory* m = &s->contact.remembered[k];
    lost = m->contact == contact && is_of_pair(p, m->a, m->b) && !is_found(found, n, m);
  }
  if (!lost) return 0;
  fb_contact_point_velocity(s->m, d, &how->a[p->a], &how->b[p->b], &p->point, u);
  return dot3(u, p->point.normal) > -APPROACH;
}

/* The least gap of the open points of a contact. */
static double open_gap(fb_sim* s, const fb_data* d, int contact) {
  static const double NEAR = 0.1; /* [m] beyond this distances alone are requested */
  fb_hard_contacts* w = s->contact.hard;
  const fb_contact_block* c = fb_hard_contact(s, contact);
  double least = INFINITY;
  int n = fb_contact_find_points(s->m, d, c, NEAR, w->found, w->room);
  for (int i = 0; i < n; i++)
    if (!is_closed(s, contact, &w->found[i]) && !is_double(s, d, contact, w->found, n, i) &&
        !goes_on(s, d, contact, w->found, n, i))
      least = fmin(least, w->found[i].point.gap);
  return n > 0 ? fmin(least, NEAR) : fmax(NEAR, fb_contact_least_gap(s->m, d, c));
}

static fb_status gap_at(fb_sim* s, int contact, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = open_gap(s, fb_hard_kinematics(s, y, y + s->nq), contact) + s->contact.hard->below;
  return FB_OK;
}

/* The reserve before a point opens or slips; `least`: a force that is rounding. */
static double margin_of(const fb_sim* s, const fb_hard_point* p, double most, double least) {
  /* Far more than the threshold of motion in hard_settle.c, so that a point released here moves there. */
  static const double BEYOND = 1e-9;
  double normal = dot3(p->force, p->point.normal), slack = BEYOND * most + least;
  if (p->state != FB_CONTACT_STICKS) return normal + slack;
  double mu = fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION];
  double f[2] = {dot3(p->force, p->tangent[0]), dot3(p->force, p->tangent[1])};
  return fmin(normal + slack, mu * normal - norm2(f[0], f[1]) + BEYOND * mu * fabs(normal) + least);
}

/* The least of all margins. Where redundant points share loads so that all are in their cones, some are on the border
 * of theirs, and none is released as long as such a division exists. */
static fb_status margin_at(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error) {
  (void)index;
  fb_status status = fb_flow(s, t, y, s->y_probe, error);
  const fb_hard_contacts* w = s->contact.hard;
  static const double SURE = 4; /* far more than what hard_settle.c takes for rounding */
  double most = 0, noise = SURE * fb_hard_noise(s, y);
  *x = INFINITY;
  for (int i = 0; i < w->npoint; i++) most = fmax(most, norm3(w->points[i].force));
  if (w->shared && w->npoint > 0) *x = most;
  for (int i = 0; !w->shared && i < w->npoint; i++) {
    double response = 0;
    for (int k = 3 * i; k < 3 * i + 3; k++) response = fmax(response, fb_hard_response(w, k, k));
    *x = fmin(*x, margin_of(s, &w->points[i], most, noise / fmax(response, DBL_MIN)));
  }
  if (isinf(*x)) *x = 1;
  return status;
}

/* Slip along its former direction, of all slipping points, less its value at 60 degrees from it: a slip that has
 * turned so far gets a new direction, since the end of a slip across its former direction would not be detected. For
 * a slow, straight slip the angle is 3 degrees. */
static fb_status slip_at(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error) {
  static const double SLIP_TOLERANCE = 1e-9; /* [m/s] the speed below which a slip counts as just begun */
  static const double TURNED = 0.5, BENT = 0.999;
  (void)index, (void)t, (void)error;
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_point* points = w->points;
  double begins = fb_hard_steps_are_short(s) ? 2 * fb_hard_slowest(s) : SLIP_TOLERANCE;
  w->points = w->spare;
  fb_hard_find_closed(s, y, y + s->nq);
  *x = INFINITY;
  for (int i = 0; i < w->npoint; i++) {
    const fb_hard_point* p = &w->points[i];
    double u = 0;
    if (p->state != FB_CONTACT_SLIPS || !fb_hard_rubs(s, p)) continue;
    const fb_hard_memory* m = fb_hard_remembered(s, p);
    for (int k = 0; k < 2; k++) u += p->rate[1 + k] * dot3(m->slip_direction, p->tangent[k]);
    u -= (fb_hard_goes_straight(m) ? BENT : TURNED) * norm2(p->rate[1], p->rate[2]);
    *x = fmin(*x, m->moves ? u : u + begins);
  }
  if (isinf(*x)) *x = 1;
  w->points = points;
  return FB_OK;
}

double fb_hard_drift(const fb_sim* s) {
  static const double MOST = 1e-6; /* [m/s] */
  return s->stepper.traits.order >= 4 || s->stepper.traits.adaptive ? MOST : INFINITY;
}

/* Rates that should be zero, of points whose normal or place may have jumped as they passed an edge: the forces no
 * longer balance them. Where curvature jumps they begin to drift. Both end the step, and are resolved there. So does
 * a lost point without a replacement, which no displacement can correct. */
static fb_status drift_at(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error) {
  (void)index, (void)error;
  fb_hard_contacts* w = s->contact.hard;
  fb_hard_point* points = w->points;
  double worst = 0;
  w->points = w->spare;
  int lost = fb_hard_find_kept(s, y, t - s->step.t0);
  for (int i = 0; i < w->npoint; i++)
    for (int k = 0; k < (w->points[i].state == FB_CONTACT_STICKS ? 3 : 1); k++)
      worst = fmax(worst, fabs(w->points[i].rate[k]));
  *x = lost > 0 ? -FB_HARD_SLOW : fmin(FB_HARD_SLOW, fb_hard_drift(s) - worst);
  w->points = points;
  return FB_OK;
}

static fb_status say_crawls(fb_sim* s, int steps, double window, fb_error* error) {
  char names[FB_HARD_NAMES_SIZE];
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s %d steps with hard contacts advance by less than %.3g s: points or slip of "
                 "%s change faster than events can be located; use method: moreau, or a compliant law",
                 s->head->t, steps, window, fb_hard_names(s, names));
}

/* Surfaces with many features, slip that almost stops, or bodies that rattle between others may make steps so short
 * that the run makes no progress. Accumulating bounces end long before. Steps with a closed contact are counted, and
 * those that end at an impact. */
static fb_status check_progress(fb_sim* s, fb_error* error) {
  static const double USUAL = 0.01; /* a step, where none is given [s] */
  static const struct {
    double share; /* of a step */
    int many;
  } WINDOWS[FB_CRAWL_WINDOWS] = {{1, 10000}, {1e-2, 5000}, {1e-6, 300}};
  fb_contacts_head* h = s->contact.head;
  double t = s->head->t;
  for (int i = 0; i < FB_CRAWL_WINDOWS; i++) {
    double window = WINDOWS[i].share * (s->options.step > 0 ? s->options.step : USUAL);
    if (!(t - h->crawl_from[i] <= window && t >= h->crawl_from[i])) {
      h->crawl_from[i] = t;
      h->crawl_steps[i] = 0;
    }
    h->crawl_steps[i] += h->nclosed > 0 || h->hard_step == s->head->steps;
    if (h->crawl_steps[i] > WINDOWS[i].many)
      return fb_rescue_request(s) ? FB_OK : say_crawls(s, WINDOWS[i].many, window, error);
  }
  return FB_OK;
}

/* Bodies fast enough to pass through a contact within the step are searched inside it. fastest: their pace at its ends. */
static void watch_passing(fb_sim* s, int contact, double h, double fastest, fb_watch* gap) {
  static const double SHARE =
      0.25; /* of the thickness: shorter displacements are detected at the ends of the step */
  static const double SPARE = 1.1; /* speeds change within a step */
  static const double NARROW = 0.05;
  double width = fb_contact_width(fb_hard_contact(s, contact), FB_MESH_SHELL);
  if (isinf(width)) return;
  double pace = SPARE * fastest;
  if (!(pace * h > SHARE * width) || isinf(pace)) return;
  gap->fastest = pace;
  gap->narrow = NARROW * width;
}

/* Whether the sides of a contact, `gap` apart at the start of the step and touching nowhere, are too slow to meet within it. */
static int stays_open(const fb_sim* s, int contact, double h, double fastest, double gap) {
  static const double SPARE = 2; /* speeds change within a step */
  for (int i = 0; i < s->contact.head->nclosed; i++)
    if (s->contact.remembered[i].contact == contact) return 0;
  return gap > SPARE * h * fastest;
}

fb_status fb_hard_locate(fb_sim* s, double end, double* first, fb_error* error) {
  static const double LONGEST = 0.1; /* steps grow while nothing moves, whatever the forces [s] */
  static const double JUMP = 1e-7;   /* of drift within 1e-12 s: a point has passed an edge [m/s] */
  fb_hard_contacts* w = s->contact.hard;
  double root, far = fb_hard_far(s, s->y0);
  fb_status status = check_progress(s, error);
  for (int c = 0; c < w->ncontact && !status; c++) {
    fb_watch gap = {.value = gap_at, .index = c, .body = FB_ALL_BODIES, .scale = far};
    if (!fb_block_acts(s, w->block[c])) continue;
    /* Separating points may begin slightly below zero, by rounding or where an impact was located. */
    double now = open_gap(s, fb_hard_kinematics(s, s->y0, s->y0 + s->nq), c);
    double fastest = fmax(fb_hard_pace(s, c, s->y0), fb_hard_pace(s, c, s->y1));
    if (stays_open(s, c, end - s->step.t0, fastest, now)) continue;
    w->below = fmax(0, -now);
    watch_passing(s, c, end - s->step.t0, fastest, &gap);
    status = fb_stops_search(s, gap, end, first, &root, error);
  }
  if (status || s->contact.head->nclosed == 0) return status;
  fb_watch margin = {.value = margin_at, .dynamic = 1, .body = FB_ALL_BODIES, .longest = LONGEST};
  status = fb_stops_search(s, margin, end, first, &root, error);
  fb_watch slip = {.value = slip_at, .dynamic = 1, .body = FB_ALL_BODIES};
  if (!status) status = fb_stops_search(s, slip, end, first, &root, error);
  if (status) return status;
  fb_watch drift = {.value = drift_at, .dynamic = 1, .body = FB_ALL_BODIES, .jump = JUMP};
  return fb_stops_search(s, drift, end, first, &root, error);
}
