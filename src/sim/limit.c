/* limit.c -- joint limits and stiction: coordinates that are held by reactions with bounds
 *
 *   limit      0 <= gap  _|_  reaction >= 0                    it pushes, and never pulls
 *   stiction   v = 0 while |reaction| <= friction, else the friction is friction * sign(v) against the motion
 *
 * Between events the set of held coordinates stays: each is a coordinate with given acceleration zero, and mixed dynamics
 * finds the reaction. A step ends at the first instant at which a gap closes, a reaction reaches its bound or a
 * sliding coordinate comes to rest; then velocities are settled (impact.c), after them accelerations (stick.c), each as
 * one complementarity problem over all that touches (math/lcp.h). The same happens wherever forces jump: at edges,
 * ticks and after events. Moved and locked coordinates are not held by anything here. */
#include "sim/limit.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/arena.h"
#include "math/lcp.h"
#include "sim/crossing.h"

/* ---- set-up ---- */

/* As many coordinates as can be held at once: those with rigid limits or friction, and some that events let bounce; one
 * at least where there are limits at all. */
static int count_room(const fb_sim* s) {
  enum { BOUNCING = 16 };
  int room = s->nevent > 0 ? (s->nv < BOUNCING ? s->nv : BOUNCING) : 0;
  for (int k = 0; k < s->nv; k++) room += fb_stiction(s, k) > 0;
  room += s->nlimit - s->nsoft;
  return room == 0 && s->nlimit > 0 ? 1 : room;
}

static void place_work(fb_contact_work* w, int nv, fb_arena* a) {
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

void fb_contact_free(fb_sim* s) {
  if (s->contact) free(s->contact->memory);
  free(s->contact);
  s->contact = NULL;
}

fb_status fb_contact_start(fb_sim* s, fb_error* error) {
  fb_contact_free(s); /* of a start that failed */
  int room = count_room(s);
  if (room == 0) return FB_OK;
  fb_contact_work* w = calloc(1, sizeof *w);
  s->contact = w;
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

void fb_contact_begin(fb_sim* s) {
  for (int i = 0; i < s->nlimit; i++) s->reach[i] = s->limits[i].level;
  for (int k = 0; k < s->nv; k++) s->slide[k] = fb_sign(s->y[s->nq + k]);
  fb_soft_stops_update(s);
}

/* ---- what is held ---- */

int fb_sim_rests(const fb_sim* s, int k) {
  return s->started && k >= 0 && k < s->nv && fb_is_held(s->motion[k]);
}

void fb_contact_set_motion(fb_sim* s, int k, int motion) {
  s->head->nheld += fb_is_held(motion) - fb_is_held(s->motion[k]);
  s->head->nmoved += (motion != FB_MOVE_BY_FORCE) - (s->motion[k] != FB_MOVE_BY_FORCE);
  s->motion[k] = motion;
}

void fb_contact_let_go(fb_sim* s) {
  if (s->head->nheld == 0) return;
  for (int i = 0; i < s->nlimit; i++) s->soft[i] |= s->motion[s->limits[i].coordinate] == FB_MOTION_STOPPED;
  for (int k = 0; k < s->nv; k++)
    if (fb_is_held(s->motion[k])) fb_contact_set_motion(s, k, FB_MOVE_BY_FORCE);
  s->contacts_due = 1;
}

/* Moved coordinates rub by the way they go. */
void fb_contact_friction(fb_sim* s, const double* v) {
  for (int k = 0; k < s->nv; k++) {
    int way = s->motion[k] == FB_MOVE_BY_FORCE && !s->prescribed[k] ? s->slide[k]
              : fb_is_held(s->motion[k])                            ? 0
                                                                    : fb_sign(v[k]);
    s->friction[k] = -way * fb_stiction(s, k);
  }
}

double fb_contact_fastest(const fb_sim* s, int k) {
  double fastest = 0;
  for (int i = 0; i < s->nv; i++)
    if (s->v_tree[i] == s->v_tree[k]) fastest = fmax(fastest, fabs(s->vdot[i]));
  return fastest;
}

/* Methods of order one fall with at least the speed that a step gives, so their hops never get shorter than about a
 * step. */
double fb_contact_shortest_hop(const fb_sim* s, double q, double a) {
  double time = fmax(1e-5, 256 * DBL_EPSILON * s->head->t), height = 64 * DBL_EPSILON * fabs(q);
  if (s->stepper.traits.order == 1) time = fmax(time, 2 * s->options.step);
  return a != 0 ? fmax(time, sqrt(8 * height / fabs(a))) : time;
}

int fb_contact_chatters(fb_sim* s) {
  enum { MANY = 30 };
  fb_sim_head* h = s->head;
  if (!(h->t - h->burst_from <= 1e-5)) {
    h->burst_from = h->t;
    h->burst = 0;
  }
  return ++h->burst > MANY;
}

/* ---- where a step ends ---- */

static fb_status gap_at(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = fb_limit_gap(s, limit, y);
  return FB_OK;
}

/* How far the reaction of a held coordinate is from its bounds. */
static fb_status margin_at(fb_sim* s, int k, double t, const double* y, double* x, fb_error* error) {
  double lo, hi;
  fb_status status = fb_flow(s, t, y, s->y_probe, error);
  fb_hold_bounds(s, k, &lo, &hi);
  double force = fabs(s->reaction[k]) + fabs(s->actuator[k]);
  *x = fmin(s->reaction[k] - lo, hi - s->reaction[k]) +
       fb_hold_tolerance(s, k, force, s->heft[k], fb_contact_fastest(s, k));
  return status;
}

static fb_status slide_at(fb_sim* s, int k, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  *x = s->slide[k] * y[s->nq + k] + s->creep[k];
  return FB_OK;
}

/* Whether the coordinate of limit i can have come near it in the step: with twice the speed that is seen at its ends. */
static int may_meet(const fb_sim* s, int i, double h) {
  if (fb_crossing_is_dense(s)) return 1; /* long steps may hide more */
  double u0 = fb_limit_rate(s, i, s->y0 + s->nq), u1 = fb_limit_rate(s, i, s->y1 + s->nq);
  double nearest = fmin(fb_limit_gap(s, i, s->y0), fb_limit_gap(s, i, s->y1));
  return nearest <= 2 * h * fmax(fabs(u0), fabs(u1));
}

/* The first instant at which what is watched falls below zero. */
static fb_status look_for(fb_sim* s, fb_watch watch, double t1, double* first, double* root,
                          fb_error* error) {
  watch.side = +1;
  watch.direction = -1;
  fb_status status = fb_crossing_find(s, &watch, t1, root, error);
  *first = fmin(*first, *root);
  return status;
}

static fb_watch watch_gap(const fb_sim* s, int limit) {
  return (fb_watch){.value = gap_at, .index = limit, .polynomial = 1, .scale = fabs(s->reach[limit])};
}

/* How far beyond the level of its limit a coordinate is that began there. */
static fb_status beyond_at(fb_sim* s, int limit, double t, const double* y, double* x, fb_error* error) {
  (void)t, (void)error;
  const fb_limit* l = &s->limits[limit];
  *x = l->side * (y[s->m->top.coordinate_q[l->coordinate]] - l->level);
  return FB_OK;
}

/* Whether the gap of a limit may close: not of a soft one that is touched. */
static int is_watched(const fb_sim* s, int limit) {
  int k = s->limits[limit].coordinate;
  if (fb_limit_is_soft(&s->limits[limit])) return s->stop_phase[limit] == FB_STOP_CLEAR;
  return s->motion[k] == FB_MOVE_BY_FORCE && fb_sim_gives_way(s, k);
}

/* While everything is held nothing moves, and steps grow whatever the forces do: look at reactions this often. [s] */
static const double LONGEST_LOOK = 0.1;

/* The instant at which a soft stop that is touched is left, or changes between pushing and slack. */
static fb_status look_at_soft(fb_sim* s, int i, double end, double* first, fb_error* error) {
  double root;
  if (s->stop_phase[i] == FB_STOP_CLEAR) return FB_OK;
  fb_status status = look_for(
      s, (fb_watch){.value = fb_soft_stop_depth, .index = i, .polynomial = 1, .scale = fabs(s->reach[i])},
      end, first, &root, error);
  if (status || s->limits[i].damping == 0) return status;
  return look_for(s, (fb_watch){.value = fb_soft_stop_margin, .index = i, .dynamic = 1, .polynomial = 1}, end,
                  first, &root, error);
}

static fb_status cut_once(fb_sim* s, double* t1, fb_error* error) {
  double first = INFINITY, root, end = *t1;
  fb_status status = FB_OK;
  for (int i = 0; i < s->nlimit && !status; i++) {
    if (is_watched(s, i) && may_meet(s, i, end - s->t0))
      status = look_for(s, watch_gap(s, i), end, &first, &root, error);
    if (!status && is_watched(s, i) && s->reach[i] != s->limits[i].level)
      status =
          look_for(s, (fb_watch){.value = beyond_at, .index = i, .polynomial = 1}, end, &first, &root, error);
    if (!status) status = look_at_soft(s, i, end, &first, error);
  }
  for (int k = 0; k < s->nv && !status; k++) {
    s->reversed[k] = 0;
    if (fb_is_held(s->motion[k]) && !(s->motion[k] == FB_MOTION_STOPPED && s->held_side[k] == 0))
      status = look_for(
          s,
          (fb_watch){
              .value = margin_at, .index = k, .dynamic = 1, .body = FB_ALL_BODIES, .longest = LONGEST_LOOK},
          end, &first, &root, error);
    if (status || s->motion[k] != FB_MOVE_BY_FORCE || s->slide[k] == 0 || fb_stiction(s, k) == 0) continue;
    status = look_for(s, (fb_watch){.value = slide_at, .index = k, .dynamic = 1, .polynomial = 1}, end,
                      &first, &root, error);
    s->reversed[k] = isfinite(root) != 0;
  }
  if (status || isinf(first)) return status;
  s->contacts_due = 1;
  if (first < end) status = s->stepper.at(s->stepper.self, s, first, s->y1, error);
  *t1 = fmin(first, end);
  return status;
}

/* Whether a coordinate is beyond a limit at the end of the step, by more than what a bracket leaves. */
static int any_beyond(const fb_sim* s) {
  for (int i = 0; i < s->nlimit; i++)
    if (is_watched(s, i) && fb_limit_gap(s, i, s->y1) < -1e-10) return 1;
  return 0;
}

fb_status fb_contact_locate(fb_sim* s, double* t1, fb_error* error) {
  fb_status status;
  int tries = 0;
  /* A step that was cut may show what was hidden in the whole one. */
  do status = cut_once(s, t1, error);
  while (!status && any_beyond(s) && ++tries < 100);
  /* Only what has turned by now. */
  for (int k = 0; k < s->nv; k++) s->reversed[k] &= s->slide[k] * s->y1[s->nq + k] <= 0;
  return status;
}

/* ---- what follows ---- */

/* Stops that a coordinate began beyond move back with it, to their levels. */
static void move_reaches(fb_sim* s) {
  static const double ROUNDING = 1e-9, BRACKET = 1e-11; /* [m] or [rad]; [s] */
  for (int i = 0; i < s->nlimit; i++) {
    const fb_limit* l = &s->limits[i];
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
    if (fb_limit_is_soft(&s->limits[i])) continue;                          /* soft_stop.c */
    if (!fb_sim_gives_way(s, k) && fb_limit_gap(s, i, s->y) <= 0) continue; /* locked where it is */
    int rests =
        s->motion[k] == FB_MOTION_STOPPED && s->held_side[k] * way >= 0 && fb_limit_gap(s, i, s->y) <= 0;
    if (rests != s->resting[i])
      s->phases[i] |= (unsigned char)(1 << (rests ? FB_LIMIT_RESTS : FB_LIMIT_LEAVES));
    s->resting[i] = rests;
  }
}

void fb_contact_follow(fb_sim* s) {
  fb_soft_stops_follow(s);
  for (int i = 0; i < s->nlimit; i++) {
    const fb_limit* l = &s->limits[i];
    double q = s->y[s->m->top.coordinate_q[l->coordinate]];
    if (s->reach[i] == l->level) continue;
    s->reach[i] = l->side > 0 ? fmax(l->level, fmin(s->reach[i], q)) : fmin(l->level, fmax(s->reach[i], q));
  }
}

/* Contacts that are settled over and over while time stands still would never end. */
static fb_status check_stall(fb_sim* s, fb_error* error) {
  enum { MANY = 20000 };
  fb_sim_head* h = s->head;
  if (!(h->t - h->stall_from <= 1e-9)) {
    h->stall_from = h->t;
    h->stall = 0;
  }
  if (++h->stall <= MANY) return FB_OK;
  return fb_fail(
      error, FB_ERR_NO_SOLUTION,
      "at t = %.9g s joint limits or stiction change state without end; use another method, or the smooth "
      "friction law",
      h->t);
}

fb_status fb_contact_settle(fb_sim* s, fb_error* error) {
  if (!s->contact || !s->contacts_due) return FB_OK;
  s->contacts_due = 0;
  if (check_stall(s, error)) return FB_ERR_NO_SOLUTION;
  fb_status status = fb_flow_find_moved(s, error);
  for (int k = 0; k < s->nv; k++) /* a law that moves it is stronger */
    if (fb_is_held(s->motion[k]) && s->by_block[k]) fb_contact_set_motion(s, k, FB_MOVE_BY_FORCE);
  move_reaches(s);
  fb_soft_stops_follow(s);
  if (!status && s->nlimit > 0) status = fb_contact_impact(s, error);
  fb_soft_stops_follow(s); /* of velocities that have jumped */
  if (!status) status = fb_contact_hold(s, error);
  if (status) return status;
  report(s);
  s->contacts_due = 0; /* what was let go on the way is settled */
  if (s->nlimit > 0) memset(s->soft, 0, (size_t)s->nlimit);
  memset(s->reversed, 0, (size_t)s->nv);
  return FB_OK;
}
