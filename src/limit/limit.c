/* limit.c -- joint limits and stiction: coordinates that are held by reactions with bounds
 *
 *   limit      0 <= gap  _|_  reaction >= 0                    it only pushes
 *   stiction   v = 0 while |reaction| <= friction, else the friction is friction * sign(v) against the motion
 *
 * Between events the set of held coordinates is constant: each has the prescribed acceleration zero, and mixed
 * dynamics gives the reaction. A step ends at the first instant at which a gap closes, a reaction reaches its bound
 * or a sliding coordinate comes to rest; then velocities are found (impact.c), and after them accelerations
 * (stiction.c), each by one complementarity problem over all active limits (freebody/lcp.h). The same
 * happens wherever forces jump: at edges, ticks and after events. Moved and locked coordinates are not held here. */
#include "limit/limit.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/lcp.h>
#include <freebody/status.h>

#include "base/arena.h"
#include "contact/dynamics/hard_contact.h"
#include "limit/stops.h"
#include "element/elements.h"
#include "sim/flow.h"

/* ---- set-up ---- */

/* As many coordinates as can be held at once: those with rigid limits or friction, and some that events let bounce; one
 * at least where there are limits or tethers at all. */
static int count_room(const fb_sim* s) {
  enum { BOUNCING = 16 };
  int acts = 0;
  for (int i = 0; i < s->event.count; i++) acts |= s->event.list[i].act != NULL;
  int room = acts ? (s->nv < BOUNCING ? s->nv : BOUNCING) : 0;
  for (int k = 0; k < s->nv; k++) room += fb_stiction(s, k) > 0;
  room += s->limit.count - s->limit.nsoft;
  return room == 0 && s->limit.count + s->element.ntether > 0 ? 1 : room;
}

static void place_work(fb_stops_work* to, size_t nv, fb_arena* scratch) {
  size_t n = (size_t)to->room;
  FB_STOPS_WORK(FB_FIELD_IN_SCRATCH)
}

void fb_stops_free(fb_sim* s) {
  if (s->limit.work) free(s->limit.work->memory);
  free(s->limit.work);
  s->limit.work = NULL;
}

fb_status fb_stops_start(fb_sim* s, fb_error* error) {
  fb_stops_free(s); /* of a start that failed */
  int room = count_room(s);
  if (room == 0) return FB_OK;
  fb_stops_work* w = calloc(1, sizeof *w);
  s->limit.work = w;
  if (!w) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d limits", s->limit.count);
  w->room = room;
  fb_arena a = {0};
  place_work(w, (size_t)s->nv, &a);
  /* Zeroed by the system on first use; the large matrices are mostly never used. */
  w->memory = calloc(1, a.used + FB_ALIGN);
  if (!w->memory) return fb_fail(error, FB_ERR_MEMORY, "no memory for %d limits", s->limit.count);
  a = (fb_arena){(char*)w->memory, 0};
  place_work(w, (size_t)s->nv, &a);
  return FB_OK;
}

/* ---- what is held ---- */

int fb_sim_rests(const fb_sim* s, int k) {
  if (!s->started || k < 0 || k >= s->nv) return 0;
  for (int i = 0; fb_hard_by_steps(s) && i < s->limit.count;
       i++) /* moreau holds no coordinate: limits push at every step */
    if (s->limit.list[i].coordinate == k && !fb_limit_is_soft(&s->limit.list[i]) && s->limit.resting[i])
      return 1;
  return fb_is_held(s->motion.of[k]);
}

void fb_stops_set_motion(fb_sim* s, int k, int motion) {
  s->motion.head->nheld += fb_is_held(motion) - fb_is_held(s->motion.of[k]);
  s->motion.head->nmoved += (motion != FB_MOTION_FORCE) - (s->motion.of[k] != FB_MOTION_FORCE);
  s->motion.of[k] = motion;
  fb_share_forget(s, k);
}

void fb_stops_let_go(fb_sim* s) {
  if (s->motion.head->nheld == 0) return;
  for (int i = 0; i < s->limit.count; i++)
    s->limit.soft[i] |=
        s->limit.list[i].coordinate >= 0 && s->motion.of[s->limit.list[i].coordinate] == FB_MOTION_STOPPED;
  for (int k = 0; k < s->nv; k++)
    if (fb_is_held(s->motion.of[k])) fb_stops_set_motion(s, k, FB_MOTION_FORCE);
  s->limit.due = 1;
}

/* Friction of moved coordinates follows the sign of their rates. Where none is moved, s->motion.prescribed is
 * outdated. */
void fb_stops_friction(fb_sim* s, const double* v) {
  int moved = fb_sim_moves_any(s);
  for (int k = 0; k < s->nv; k++) {
    int direction = s->motion.of[k] == FB_MOTION_FORCE && !(moved && s->motion.prescribed[k])
                        ? s->limit.slide[k]
                    : fb_is_held(s->motion.of[k]) ? 0
                                                  : fb_sign(v[k]);
    s->limit.friction[k] = -direction * fb_stiction(s, k);
  }
}

double fb_hold_around(const fb_sim* s) {
  double most = 0;
  for (int k = 0; s->m->top.nloop > 0 && k < s->nv; k++) {
    double here = fabs(s->limit.actuator[k]) + fabs(s->limit.reaction[k]) + fabs(s->limit.stop_force[k]) +
                  fabs(s->loop.force[k]);
    most = fmax(most, here + (fb_stiction(s, k) > 0 ? fabs(s->limit.friction[k]) : 0));
  }
  return most;
}

double fb_stops_fastest(const fb_sim* s, int k) {
  double fastest = 0;
  for (int i = 0; i < s->nv; i++)
    if (s->m->top.coordinate_tree[i] == s->m->top.coordinate_tree[k])
      fastest = fmax(fastest, fabs(s->vdot[i]));
  return fastest;
}

/* Methods of order one have at least the speed gained in a step, so their rebounds are never shorter than about a step. */
double fb_stops_shortest_rebound(const fb_sim* s, double q, double a) {
  double time = fmax(1e-5, 256 * DBL_EPSILON * s->head->t), height = 64 * DBL_EPSILON * fabs(q);
  if (s->stepper.traits.order == 1) time = fmax(time, 2 * s->options.step);
  return a != 0 ? fmax(time, sqrt(8 * height / fabs(a))) : time;
}

int fb_stops_chatters(fb_sim* s) {
  enum { MANY = 30 };
  fb_limits_head* h = s->limit.head;
  double t = s->head->t;
  if (!(t - h->burst_from <= fmax(1e-9, 256 * DBL_EPSILON * t))) {
    h->burst_from = t;
    h->burst = 0;
  }
  return ++h->burst > MANY;
}

/* ---- soft stops that follow ---- */

/* Stops that a coordinate began beyond move back with it, to their levels. */
static void move_reaches(fb_sim* s) {
  static const double ROUNDING = 1e-9, BRACKET = 1e-11; /* [m] or [rad]; [s] */
  for (int i = 0; i < s->limit.count; i++) {
    const fb_limit* l = &s->limit.list[i];
    if (l->coordinate < 0) continue; /* its joint no longer exists */
    double* q = &s->y[s->m->top.coordinate_q[l->coordinate]];
    double beyond = l->side * (*q - l->level),
           slack = ROUNDING * fmax(1, fabs(l->level)) + BRACKET * fabs(s->y[s->nq + l->coordinate]);
    s->limit.stop_position[i] = l->level;
    if (fb_limit_is_soft(l) || beyond <= 0 || !fb_sim_coordinate_responds(s, l->coordinate)) continue;
    if (beyond <= slack)
      *q = l->level; /* the end of a bracket: a rounding too far */
    else
      s->limit.stop_position[i] = *q;
  }
}

static void report(fb_sim* s) {
  for (int i = 0; i < s->limit.count; i++) {
    int k = s->limit.list[i].coordinate, direction = -s->limit.list[i].side;
    if (k < 0 || fb_limit_is_soft(&s->limit.list[i])) continue;                       /* soft_stop.c */
    if (!fb_sim_coordinate_responds(s, k) && fb_limit_gap(s, i, s->y) <= 0) continue; /* locked where it is */
    int rests = s->motion.of[k] == FB_MOTION_STOPPED && s->limit.held_side[k] * direction >= 0 &&
                fb_limit_gap(s, i, s->y) <= 0;
    if (rests != s->limit.resting[i])
      s->limit.phases[i] |= (unsigned char)(1 << (rests ? FB_LIMIT_RESTS : FB_LIMIT_LEAVES));
    s->limit.resting[i] = rests;
  }
}

void fb_stops_follow(fb_sim* s) {
  fb_soft_stops_follow(s);
  for (int i = 0; i < s->limit.count; i++) {
    const fb_limit* l = &s->limit.list[i];
    if (l->coordinate < 0 || s->limit.stop_position[i] == l->level) continue;
    double q = s->y[s->m->top.coordinate_q[l->coordinate]];
    s->limit.stop_position[i] = l->side > 0 ? fmax(l->level, fmin(s->limit.stop_position[i], q))
                                            : fmin(l->level, fmax(s->limit.stop_position[i], q));
  }
}

/* Limits the number of events within a short time, which might otherwise have no end: an event is located within
 * 1e-12 s, so that time always advances. */
static fb_status check_stall(fb_sim* s, fb_error* error) {
  char names[FB_HARD_NAMES_SIZE];
  fb_limits_head* h = s->limit.head;
  double t = s->head->t;
  const int many = s->contact.head->nclosed > 0 ? 20000 : 2000;
  const double window = s->contact.head->nclosed > 0 ? 1e-9 : 1e-7; /* [s] */
  if (!(t - h->stall_from <= window)) {
    h->stall_from = t;
    h->stall = 0;
  }
  if (++h->stall <= many) return FB_OK;
  if (s->contact.head->nclosed > 0)
    return fb_fail(error, FB_ERR_NO_SOLUTION,
                   "at t = %.9g s %s change state without end; use method: moreau, or a compliant law", t,
                   fb_hard_names(s, names));
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "at t = %.9g s joint limits or stiction change state without end; use another method, or "
                 "the smooth friction law",
                 t);
}

int fb_sim_rubs(const fb_sim* s) {
  if (fb_hard_by_steps(s)) return s->contact.hard->pushed;
  return s->options.friction_law == FB_FRICTION_STICTION;
}

fb_status fb_stops_settle(fb_sim* s, fb_error* error) {
  if (!(s->limit.work || s->contact.hard) || !s->limit.due || fb_hard_by_steps(s)) return FB_OK;
  s->limit.due = 0;
  if (check_stall(s, error)) return FB_ERR_NO_SOLUTION;
  fb_status status = fb_flow_find_moved(s, error);
  for (int k = 0; k < s->nv; k++) /* a law that moves it takes precedence */
    if (fb_is_held(s->motion.of[k]) && s->motion.by_block[k]) fb_stops_set_motion(s, k, FB_MOTION_FORCE);
  move_reaches(s);
  fb_soft_stops_follow(s);
  if (!status && s->contact.hard && fb_stops_approach(s)) status = fb_hard_throw_back(s, error);
  if (!status && s->limit.count > 0) status = fb_stops_impact(s, error);
  fb_soft_stops_follow(s); /* of velocities that have jumped */
  fb_pairs_follow(s);
  if (!status && s->limit.work) status = fb_stops_hold(s, error);
  if (!status && s->contact.hard) status = fb_hard_settle(s, error);
  if (status) return status;
  report(s);
  s->limit.due = 0; /* released coordinates are settled */
  if (s->limit.count > 0) memset(s->limit.soft, 0, (size_t)s->limit.count);
  memset(s->limit.reversed, 0, (size_t)s->nv);
  return FB_OK;
}
