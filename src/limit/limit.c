/* limit.c -- joint limits and stiction: coordinates that are held by reactions with bounds
 *
 *   limit      0 <= gap  _|_  reaction >= 0                    it pushes, and never pulls
 *   stiction   v = 0 while |reaction| <= friction, else the friction is friction * sign(v) against the motion
 *
 * Between events the set of held coordinates stays: each is a coordinate with given acceleration zero, and mixed dynamics
 * finds the reaction. A step ends at the first instant at which a gap closes, a reaction reaches its bound or a
 * sliding coordinate comes to rest; then velocities are settled (impact.c), after them accelerations (stiction.c), each as
 * one complementarity problem over all that touches (math/lcp.h). The same happens wherever forces jump: at edges,
 * ticks and after events. Moved and locked coordinates are not held by anything here. */
#include "limit/limit.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/arena.h"
#include "math/lcp.h"
#include "contact/dynamics/hard_contact.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "sim/flow.h"

/* ---- set-up ---- */

/* As many coordinates as can be held at once: those with rigid limits or friction, and some that events let bounce; one
 * at least where there are limits or tethers at all. */
static int count_room(const fb_sim* s) {
  enum { BOUNCING = 16 };
  int acts = 0;
  for (int i = 0; i < s->nevent; i++) acts |= s->events[i].act != NULL;
  int room = acts ? (s->nv < BOUNCING ? s->nv : BOUNCING) : 0;
  for (int k = 0; k < s->nv; k++) room += fb_stiction(s, k) > 0;
  room += s->nlimit - s->nsoft;
  return room == 0 && s->nlimit + s->ntether > 0 ? 1 : room;
}

static void place_work(fb_stops_work* w, int nv, fb_arena* a) {
  size_t n = (size_t)w->room, twice = 2 * n;
  w->at = fb_arena_take(a, n * sizeof(int));
  w->subset = fb_arena_take(a, n * sizeof(int));
  w->rows = fb_arena_take(a, n * sizeof *w->rows);
  w->b = fb_arena_take(a, n * sizeof(double));
  w->a = fb_arena_take(a, n * sizeof(double));
  w->lo = fb_arena_take(a, n * sizeof(double));
  w->hi = fb_arena_take(a, n * sizeof(double));
  w->tolerance = fb_arena_take(a, n * sizeof(double));
  w->q = fb_arena_take(a, twice * sizeof(double));
  w->z = fb_arena_take(a, twice * sizeof(double));
  w->w = fb_arena_take(a, twice * sizeof(double));
  w->basis = fb_arena_take(a, fb_lcp_basis_size(2 * w->room) * sizeof(int));
  w->dv = fb_arena_take(a, (size_t)nv * sizeof(double));
  w->prescribed = fb_arena_take(a, (size_t)nv);
  w->before = fb_arena_take(a, 2 * (size_t)nv * sizeof(int));
  w->A = fb_arena_take(a, n * n * sizeof(double));
  w->M = fb_arena_take(a, twice * twice * sizeof(double));
  w->lcp = fb_arena_take(a, fb_lcp_work_size(2 * w->room) * sizeof(double));
}

void fb_stops_free(fb_sim* s) {
  if (s->stops) free(s->stops->memory);
  free(s->stops);
  s->stops = NULL;
}

fb_status fb_stops_start(fb_sim* s, fb_error* error) {
  fb_stops_free(s); /* of a start that failed */
  int room = count_room(s);
  if (room == 0) return FB_OK;
  fb_stops_work* w = calloc(1, sizeof *w);
  s->stops = w;
  if (!w) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d limits", s->nlimit);
  w->room = room;
  fb_arena a = {0};
  place_work(w, s->nv, &a);
  /* Zeroed by the system where it is used, which for the large matrices is mostly never. */
  w->memory = calloc(1, a.used + FB_ALIGN);
  if (!w->memory) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d limits", s->nlimit);
  a = (fb_arena){(char*)w->memory, 0};
  place_work(w, s->nv, &a);
  return FB_OK;
}

void fb_stops_begin(fb_sim* s) {
  for (int i = 0; i < s->nlimit; i++) s->reach[i] = s->limits[i].level;
  for (int k = 0; k < s->nv; k++) s->slide[k] = fb_sign(s->y[s->nq + k]);
  fb_soft_stops_update(s);
}

/* ---- what is held ---- */

int fb_sim_rests(const fb_sim* s, int k) {
  if (!s->started || k < 0 || k >= s->nv) return 0;
  for (int i = 0; fb_touch_by_steps(s) && i < s->nlimit;
       i++) /* moreau holds nothing: limits push at every step */
    if (s->limits[i].coordinate == k && !fb_limit_is_soft(&s->limits[i]) && s->resting[i]) return 1;
  return fb_is_held(s->motion[k]);
}

void fb_stops_set_motion(fb_sim* s, int k, int motion) {
  s->head->nheld += fb_is_held(motion) - fb_is_held(s->motion[k]);
  s->head->nmoved += (motion != FB_MOVE_BY_FORCE) - (s->motion[k] != FB_MOVE_BY_FORCE);
  s->motion[k] = motion;
}

void fb_stops_let_go(fb_sim* s) {
  if (s->head->nheld == 0) return;
  for (int i = 0; i < s->nlimit; i++)
    s->soft[i] |= s->limits[i].coordinate >= 0 && s->motion[s->limits[i].coordinate] == FB_MOTION_STOPPED;
  for (int k = 0; k < s->nv; k++)
    if (fb_is_held(s->motion[k])) fb_stops_set_motion(s, k, FB_MOVE_BY_FORCE);
  s->stops_due = 1;
}

/* Moved coordinates rub by the way they go. Where nothing is moved s->prescribed is of an earlier time. */
void fb_stops_friction(fb_sim* s, const double* v) {
  int moved = s->head->nmoved + s->nmoving > 0;
  for (int k = 0; k < s->nv; k++) {
    int way = s->motion[k] == FB_MOVE_BY_FORCE && !(moved && s->prescribed[k]) ? s->slide[k]
              : fb_is_held(s->motion[k])                                       ? 0
                                                                               : fb_sign(v[k]);
    s->friction[k] = -way * fb_stiction(s, k);
  }
}

double fb_stops_fastest(const fb_sim* s, int k) {
  double fastest = 0;
  for (int i = 0; i < s->nv; i++)
    if (s->v_tree[i] == s->v_tree[k]) fastest = fmax(fastest, fabs(s->vdot[i]));
  return fastest;
}

/* Methods of order one fall with at least the speed that a step gives, so their hops never get shorter than about a
 * step. */
double fb_stops_shortest_hop(const fb_sim* s, double q, double a) {
  double time = fmax(1e-5, 256 * DBL_EPSILON * s->head->t), height = 64 * DBL_EPSILON * fabs(q);
  if (s->stepper.traits.order == 1) time = fmax(time, 2 * s->options.step);
  return a != 0 ? fmax(time, sqrt(8 * height / fabs(a))) : time;
}

int fb_stops_chatters(fb_sim* s) {
  enum { MANY = 30 };
  fb_sim_head* h = s->head;
  if (!(h->t - h->burst_from <= 1e-5)) {
    h->burst_from = h->t;
    h->burst = 0;
  }
  return ++h->burst > MANY;
}

/* ---- what follows ---- */

/* Stops that a coordinate began beyond move back with it, to their levels. */
static void move_reaches(fb_sim* s) {
  static const double ROUNDING = 1e-9, BRACKET = 1e-11; /* [m] or [rad]; [s] */
  for (int i = 0; i < s->nlimit; i++) {
    const fb_limit* l = &s->limits[i];
    if (l->coordinate < 0) continue; /* its joint has gone */
    double* q = &s->y[s->m->top.coordinate_q[l->coordinate]];
    double beyond = l->side * (*q - l->level),
           slack = ROUNDING * fmax(1, fabs(l->level)) + BRACKET * fabs(s->y[s->nq + l->coordinate]);
    s->reach[i] = l->level;
    if (fb_limit_is_soft(l) || beyond <= 0 || !fb_sim_gives_way(s, l->coordinate)) continue;
    if (beyond <= slack)
      *q = l->level; /* the end of a bracket: a rounding too far */
    else
      s->reach[i] = *q;
  }
}

static void report(fb_sim* s) {
  for (int i = 0; i < s->nlimit; i++) {
    int k = s->limits[i].coordinate, way = -s->limits[i].side;
    if (k < 0 || fb_limit_is_soft(&s->limits[i])) continue;                 /* soft_stop.c */
    if (!fb_sim_gives_way(s, k) && fb_limit_gap(s, i, s->y) <= 0) continue; /* locked where it is */
    int rests =
        s->motion[k] == FB_MOTION_STOPPED && s->held_side[k] * way >= 0 && fb_limit_gap(s, i, s->y) <= 0;
    if (rests != s->resting[i])
      s->phases[i] |= (unsigned char)(1 << (rests ? FB_LIMIT_RESTS : FB_LIMIT_LEAVES));
    s->resting[i] = rests;
  }
}

void fb_stops_follow(fb_sim* s) {
  fb_soft_stops_follow(s);
  fb_pairs_follow(s);
  for (int i = 0; i < s->nlimit; i++) {
    const fb_limit* l = &s->limits[i];
    if (l->coordinate < 0 || s->reach[i] == l->level) continue;
    double q = s->y[s->m->top.coordinate_q[l->coordinate]];
    s->reach[i] = l->side > 0 ? fmax(l->level, fmin(s->reach[i], q)) : fmin(l->level, fmax(s->reach[i], q));
  }
}

/* Contacts that are settled over and over while time stands still would never end. */
static fb_status check_stall(fb_sim* s, fb_error* error) {
  enum { MANY = 20000 };
  char names[FB_TOUCH_NAMES_SIZE];
  fb_sim_head* h = s->head;
  if (!(h->t - h->stall_from <= 1e-9)) {
    h->stall_from = h->t;
    h->stall = 0;
  }
  if (++h->stall <= MANY) return FB_OK;
  if (h->nclosed > 0)
    return fb_fail(error, FB_ERR_NO_SOLUTION,
                   "at t = %.9g s %s change state without end; use method: moreau, or a compliant law", h->t,
                   fb_touch_names(s, names));
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "at t = %.9g s joint limits or stiction change state without end; use another method, or the smooth "
      "friction law",
      h->t);
}

int fb_sim_rubs(const fb_sim* s) {
  if (fb_touch_by_steps(s)) return s->touch->pushed;
  return s->options.friction_law == FB_FRICTION_STICTION;
}

fb_status fb_stops_settle(fb_sim* s, fb_error* error) {
  if (!(s->stops || s->touch) || !s->stops_due || fb_touch_by_steps(s)) return FB_OK;
  s->stops_due = 0;
  if (check_stall(s, error)) return FB_ERR_NO_SOLUTION;
  fb_status status = fb_flow_find_moved(s, error);
  for (int k = 0; k < s->nv; k++) /* a law that moves it is stronger */
    if (fb_is_held(s->motion[k]) && s->by_block[k]) fb_stops_set_motion(s, k, FB_MOVE_BY_FORCE);
  move_reaches(s);
  fb_soft_stops_follow(s);
  if (!status && s->touch && fb_stops_approach(s)) status = fb_touch_throw_back(s, error);
  if (!status && s->nlimit > 0) status = fb_stops_impact(s, error);
  fb_soft_stops_follow(s); /* of velocities that have jumped */
  fb_pairs_follow(s);
  if (!status && s->stops) status = fb_stops_hold(s, error);
  if (!status && s->touch) status = fb_touch_settle(s, error);
  if (status) return status;
  report(s);
  s->stops_due = 0; /* what was let go on the way is settled */
  if (s->nlimit > 0) memset(s->soft, 0, (size_t)s->nlimit);
  memset(s->reversed, 0, (size_t)s->nv);
  return FB_OK;
}
