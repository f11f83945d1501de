/* stops.h -- joint limits, soft stops and stiction: functions for the step loop and other parts. Internals: limit.h. */
#ifndef FB_LIMIT_STOPS_H
#define FB_LIMIT_STOPS_H

#include "sim/sim.h"

/* ---- limits and stiction: limit/limit.c, impact.c, stiction.c ---- */

/* Coordinates at rest on a limit, and those that stick, are motions of rate zero; the necessary force is
 * s->limit.reaction. */
enum { FB_MOTION_STOPPED = -3, FB_MOTION_STUCK = -4 };

static inline int fb_is_held(int motion) {
  return motion == FB_MOTION_STOPPED || motion == FB_MOTION_STUCK;
}

/* How a held coordinate is supported: load_share.c. */
typedef enum fb_support { FB_CARRIES, FB_SHARES, FB_AT_LOW, FB_AT_HIGH, FB_IDLE } fb_support;

typedef struct fb_stops_work fb_stops_work;

fb_status fb_stops_start(fb_sim* s, fb_error* error); /* memory for all limits that can be active at once */
void fb_stops_free(fb_sim* s);
/* Impacts, then the set of held coordinates: called after changes (s->limit.due). */
fb_status fb_stops_settle(fb_sim* s, fb_error* error);
/* locate.c: shortens the step to the first instant at which a limit is reached, a held coordinate is released or a
 * sliding one stops. */
fb_status fb_stops_locate(fb_sim* s, double* t1, fb_error* error);
/* Releases all held coordinates, before an impulse; limits with zero gap then respond without restitution. */
void fb_stops_let_go(fb_sim* s);
/* Fills s->limit.friction at the rates v. */
void fb_stops_friction(fb_sim* s, const double* v);
/* Bounces shorter than this count as rest: they become ever shorter, and their sum is finite. So do those whose
 * height, at the acceleration a, is lost in the rounding of q. [s] */
double fb_stops_shortest_rebound(const fb_sim* s, double q, double a);
/* After every step: stops beyond which a coordinate began follow it back to their levels. */
void fb_stops_follow(fb_sim* s);

/* ---- load_share.c: held coordinates that depend on one another ---- */

/* Before a step: how those that depend on others share the load at s->y. */
void fb_share_begin_step(fb_sim* s);
/* In an evaluation of the flow: their reactions that are known before, [nv]; then those that follow from the forces of the others in
 * s->tau, 0: there are none. At last: their accelerations are zero. */
const double* fb_share_begin(fb_sim* s);
int fb_share_spread(fb_sim* s);
void fb_share_end(fb_sim* s);
/* Coordinate k is no longer held, or carries its load. */
void fb_share_forget(fb_sim* s, int k);

/* ---- soft_stop.c ---- */

/* The phase of a soft stop during a step. */
typedef enum fb_stop_phase { FB_STOP_CLEAR, FB_STOP_PUSHES, FB_STOP_SLACK } fb_stop_phase;

fb_status fb_soft_stop_check(const fb_model* m, const fb_limit* limit, fb_error* error);
/* Phases of all soft stops at s->y; 1 when one has changed. */
int fb_soft_stops_update(fb_sim* s);
/* The same after a step or a jump: records events, and resets the integrator when a phase has changed. */
void fb_soft_stops_follow(fb_sim* s);
/* Whether some soft stop is active. */
int fb_soft_stops_act(const fb_sim* s);
/* Fills s->limit.stop_force at y. */
void fb_soft_stops_push(fb_sim* s, const double* y);
/* Adds the part of s->limit.stop_force that springs do not have: that of the dampers. */
void fb_soft_stops_add_losses(const fb_sim* s, const double* q, double* force);
/* Energy stored in the springs: of one limit, of all. [J] */
double fb_soft_stop_energy(const fb_sim* s, int limit, const double* q);
double fb_soft_stops_energy(const fb_sim* s, const double* q);
/* Adds the slopes -df/dq and -df/dv of the stops that push in this step, for implicit methods [nv]. */
void fb_soft_stops_add_gains(const fb_sim* s, double* stiffness, double* damping);

#endif
