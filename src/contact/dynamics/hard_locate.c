/* hard_locate.c -- the instant at which a hard contact touches, parts, begins to slip or stops slipping
 *
 * Three numbers are watched, each the least over all points, and positive while nothing changes: the gaps of features that
 * are open; what is left of the normal forces, and of friction where points stick; the slip along the way it had. The first
 * that passes zero ends the step (crossing.c). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "math/vector3.h"
#include "sim/crossing.h"
#include "limit/limit.h"
#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static int is_of_pair(const fb_contact_point* p, int a, int b) {
  return p->a == a && p->b == b;
}

/* Whether a point is on the feature of a closed one. */
static int is_closed(const fb_sim* s, int contact, const fb_contact_point* p) {
  for (int i = 0; i < s->head->nclosed; i++) {
    const fb_touch_memory* m = &s->touched[i];
    if (m->contact == contact && is_of_pair(p, m->a, m->b) && m->feature == p->touch.feature) return 1;
  }
  return 0;
}

/* Whether found[i] is another name of a closed point: where a face goes over into an edge both are found for a moment. */
static int is_double(const fb_sim* s, const fb_data* d, int contact, const fb_contact_point* found, int n,
                     int i) {
  const fb_contact_point* p = &found[i];
  if (fabs(p->touch.gap) > FB_TOUCH_HANDED) return 0;
  for (int k = 0; k < n; k++) {
    if (k == i || !is_of_pair(&found[k], p->a, p->b) || !is_closed(s, contact, &found[k])) continue;
    fb_touch_point other = {contact, p->a, p->b, .touch = found[k].touch};
    fb_touch_find_own(s, d, &other, other.touch.p_b, other.own);
    if (fb_touch_is_same(&other, &p->touch, fb_touch_moved(s, d, &other, &p->touch))) return 1;
  }
  return 0;
}

/* Whether a remembered point is among n that were found, by its feature. */
static int is_found(const fb_contact_point* found, int n, const fb_touch_memory* m) {
  for (int i = 0; i < n; i++)
    if (is_of_pair(&found[i], m->a, m->b) && found[i].touch.feature == m->feature) return 1;
  return 0;
}

/* Whether found[i] is a closed point that has gone over to another feature: from a face to its edge, say. The deepest of its
 * pair takes the place of one that is no longer there (find_again in closed_force.c), and does not approach; where it does,
 * the normal has jumped, and an impact is due. */
static int goes_on(const fb_sim* s, const fb_data* d, int contact, const fb_contact_point* found, int n,
                   int i) {
  static const double APPROACH = 1e-7; /* [m/s] */
  const fb_contact_point* p = &found[i];
  const fb_contact* how = &fb_touch_contact(s, contact)->how;
  double u[3];
  int lost = 0;
  if ((i > 0 && is_of_pair(&found[i - 1], p->a, p->b)) || fabs(p->touch.gap) > FB_TOUCH_HANDED) return 0;
  for (int k = 0; k < s->head->nclosed && !lost; k++) {
    const fb_touch_memory* m = &s->touched[k];
    lost = m->contact == contact && is_of_pair(p, m->a, m->b) && !is_found(found, n, m);
  }
  if (!lost) return 0;
  fb_touch_velocity(s->m, d, &how->a[p->a], &how->b[p->b], &p->touch, u);
  return dot3(u, p->touch.normal) > -APPROACH;
}

/* The least gap of what is open of a contact. */
static double open_gap(fb_sim* s, const fb_data* d, int contact) {
  static const double NEAR = 0.1; /* [m] beyond this distances alone are asked for */
  fb_touching* w = s->touch;
  const fb_contact_block* c = fb_touch_contact(s, contact);
  double least = INFINITY;
  int n = fb_contact_find_points(s->m, d, c, NEAR, w->found, w->room);
  for (int i = 0; i < n; i++)
    if (!is_closed(s, contact, &w->found[i]) && !is_double(s, d, contact, w->found, n, i) &&
        !goes_on(s, d, contact, w->found, n, i))
      least = fmin(least, w->found[i].touch.gap);
  return n > 0 ? fmin(least, NEAR) : fmax(NEAR, fb_contact_least_gap(s->m, d, c));
}

static fb_status gap_at(fb_sim* s, int contact, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = open_gap(s, fb_touch_kinematics(s, y, y + s->nq), contact) + s->touch->below;
  return FB_OK;
}

/* What is left before a point lets go; `least`: a force that is rounding. */
static double margin_of(const fb_sim* s, const fb_touch_point* p, double most, double least) {
  /* Far more than hard_settle.c takes for a beginning of motion, so that what lets go here moves there. */
  static const double BEYOND = 1e-9;
  double normal = dot3(p->force, p->touch.normal), slack = BEYOND * most + least;
  if (p->state != FB_CONTACT_STICKS) return normal + slack;
  double mu = fb_touch_block_memory(s, p->contact)[FB_HARD_FRICTION];
  double f[2] = {dot3(p->force, p->tangent[0]), dot3(p->force, p->tangent[1])};
  return fmin(normal + slack, mu * normal - hypot(f[0], f[1]) + BEYOND * mu * fabs(normal) + least);
}

/* The least of all margins. Where redundant points share so that all are in their cones some are on the border of theirs, and
 * nothing lets go as long as there is such a share. */
static fb_status margin_at(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error) {
  (void)index;
  fb_status status = fb_flow(s, t, y, s->y_probe, error);
  const fb_touching* w = s->touch;
  static const double SURE = 4; /* far more than what hard_settle.c takes for rounding */
  double most = 0, noise = SURE * fb_touch_noise(s, y);
  size_t n = (size_t)w->nrow;
  *x = INFINITY;
  for (int i = 0; i < w->npoint; i++) most = fmax(most, norm3(w->points[i].force));
  if (w->shared && w->npoint > 0) *x = most;
  for (int i = 0; !w->shared && i < w->npoint; i++) {
    double response = 0;
    for (size_t k = 3 * (size_t)i; k < 3 * (size_t)i + 3; k++) response = fmax(response, w->A[k * (n + 1)]);
    *x = fmin(*x, margin_of(s, &w->points[i], most, noise / fmax(response, DBL_MIN)));
  }
  if (isinf(*x)) *x = 1;
  return status;
}

/* Slip along the way it had, of all that slips, less what it would be at 60 degrees from it: a slip that has turned so far is
 * remembered anew, since one that ends across the way it had would not be seen to end. A slow one that was found to go straight on
 * does not, where it has turned by 3 degrees. */
static fb_status slip_at(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error) {
  static const double CREEP =
      1e-9; /* [m/s] what begins to slip has no speed yet, but for what counts as rest */
  static const double TURNED = 0.5, BENT = 0.999;
  (void)index, (void)t, (void)error;
  fb_touching* w = s->touch;
  fb_touch_point* points = w->points;
  double begins = fb_touch_crawls(s) ? 2 * fb_touch_slowest(s) : CREEP;
  w->points = w->spare;
  fb_touch_find_closed(s, y, y + s->nq);
  *x = INFINITY;
  for (int i = 0; i < w->npoint; i++) {
    const fb_touch_point* p = &w->points[i];
    double u = 0;
    if (p->state != FB_CONTACT_SLIPS || !fb_touch_rubs(s, p)) continue;
    const fb_touch_memory* m = fb_touch_remembered(s, p);
    for (int k = 0; k < 2; k++) u += p->rate[1 + k] * dot3(m->way, p->tangent[k]);
    u -= (fb_touch_goes_straight(m) ? BENT : TURNED) * hypot(p->rate[1], p->rate[2]);
    *x = fmin(*x, m->moves ? u : u + begins);
  }
  if (isinf(*x)) *x = 1;
  w->points = points;
  return FB_OK;
}

double fb_touch_drift(const fb_sim* s) {
  static const double MOST = 1e-6; /* [m/s] */
  return s->stepper.traits.order >= 4 || s->stepper.traits.adaptive ? MOST : INFINITY;
}

/* Rates that are held, of points whose normal, or whose place, may have jumped as they passed an edge: forces along the way before
 * do not hold them any more. Where curvature jumps they begin to drift. Both end the step, and are settled as what they are. So does
 * a point that has lost what it touched, and has nothing in its place: no displacement can make up for that. */
static fb_status drift_at(fb_sim* s, int index, double t, const double* y, double* x, fb_error* error) {
  (void)index, (void)error;
  fb_touching* w = s->touch;
  fb_touch_point* points = w->points;
  double worst = 0;
  w->points = w->spare;
  int lost = fb_touch_find_kept(s, y, t - s->t0);
  for (int i = 0; i < w->npoint; i++)
    for (int k = 0; k < (w->points[i].state == FB_CONTACT_STICKS ? 3 : 1); k++)
      worst = fmax(worst, fabs(w->points[i].rate[k]));
  *x = lost > 0 ? -FB_TOUCH_SLOW : fmin(FB_TOUCH_SLOW, fb_touch_drift(s) - worst);
  w->points = points;
  return FB_OK;
}

static fb_status say_crawls(fb_sim* s, int steps, double window, fb_error* error) {
  char names[FB_TOUCH_NAMES_SIZE];
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "at t = %.9g s %d steps with hard contacts advance by less than %.3g s: points or slip of %s change "
      "faster than events can be located; use method: moreau, or a compliant law",
      s->head->t, steps, window, fb_touch_names(s, names));
}

/* Surfaces with many features, slip that all but stops, or bodies that clatter between others may leave steps so short that
 * no end is in sight. Bounces that come ever faster end long before. Steps count while a contact is closed, and those that
 * end where something touches. */
static fb_status check_progress(fb_sim* s, fb_error* error) {
  static const double USUAL = 0.01; /* a step, where none is given [s] */
  static const struct {
    double share; /* of a step */
    int many;
  } WINDOWS[FB_CRAWL_WINDOWS] = {{1, 10000}, {1e-2, 5000}, {1e-6, 300}};
  fb_sim_head* h = s->head;
  for (int i = 0; i < FB_CRAWL_WINDOWS; i++) {
    double window = WINDOWS[i].share * (s->options.step > 0 ? s->options.step : USUAL);
    if (!(h->t - h->crawl_from[i] <= window && h->t >= h->crawl_from[i])) {
      h->crawl_from[i] = h->t;
      h->crawl_steps[i] = 0;
    }
    h->crawl_steps[i] += h->nclosed > 0 || h->touch_step == h->steps;
    if (h->crawl_steps[i] > WINDOWS[i].many)
      return fb_rescue_ask(s) ? FB_OK : say_crawls(s, WINDOWS[i].many, window, error);
  }
  return FB_OK;
}

/* What is fast enough to pass through a contact within the step is looked for in between. */
static void watch_passing(fb_sim* s, int contact, double h, fb_watch* gap) {
  static const double SHARE = 0.25; /* of the thickness: what moves by less is seen at its edges too */
  static const double SPARE = 1.1;  /* speeds change within a step */
  static const double NARROW = 0.05;
  double width = fb_touch_width(s, contact, FB_MESH_SHELL);
  if (isinf(width)) return;
  double pace = SPARE * fmax(fb_touch_pace(s, contact, s->y0), fb_touch_pace(s, contact, s->y1));
  if (!(pace * h > SHARE * width)) return;
  gap->fastest = pace;
  gap->narrow = NARROW * width;
}

fb_status fb_touch_look(fb_sim* s, double end, double* first, fb_error* error) {
  static const double LONGEST = 0.1; /* steps grow while nothing moves, whatever the forces do [s] */
  fb_touching* w = s->touch;
  double root, far = fb_touch_far(s, s->y0);
  fb_status status = check_progress(s, error);
  for (int c = 0; c < w->ncontact && !status; c++) {
    fb_watch gap = {.value = gap_at, .index = c, .body = FB_ALL_BODIES, .scale = far};
    if (!fb_block_acts(s, w->block[c])) continue;
    /* What parts may begin a little below zero, by rounding or where an impact was located. */
    w->below = fmax(0, -open_gap(s, fb_touch_kinematics(s, s->y0, s->y0 + s->nq), c));
    watch_passing(s, c, end - s->t0, &gap);
    status = fb_stops_look_for(s, gap, end, first, &root, error);
  }
  if (status || s->head->nclosed == 0) return status;
  fb_watch margin = {.value = margin_at, .dynamic = 1, .body = FB_ALL_BODIES, .longest = LONGEST};
  status = fb_stops_look_for(s, margin, end, first, &root, error);
  fb_watch slip = {.value = slip_at, .dynamic = 1, .body = FB_ALL_BODIES};
  if (!status) status = fb_stops_look_for(s, slip, end, first, &root, error);
  if (status) return status;
  fb_watch drift = {.value = drift_at, .dynamic = 1, .body = FB_ALL_BODIES};
  return fb_stops_look_for(s, drift, end, first, &root, error);
}
