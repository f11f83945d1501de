/* stops.h -- joint limits, soft stops and stiction: what a step asks of them. */
#ifndef FB_LIMIT_STOPS_H
#define FB_LIMIT_STOPS_H

#include "sim/sim.h"

/* ---- limits and stiction: limit/limit.c, impact.c, stiction.c ---- */

/* Coordinates at rest on a limit, and those that stick, are motions of their own: their rate is zero, the force that
 * this takes is s->reaction. */
enum { FB_MOTION_STOPPED = -3, FB_MOTION_STUCK = -4 };

static inline int fb_is_held(int motion) {
  return motion == FB_MOTION_STOPPED || motion == FB_MOTION_STUCK;
}

typedef struct fb_stops_work fb_stops_work;

fb_status fb_stops_start(fb_sim* s, fb_error* error); /* memory for all that can touch at once */
void fb_stops_begin(fb_sim* s);                       /* at the start: nothing is held yet */
void fb_stops_free(fb_sim* s);
/* Impacts, then who is held: called where something has changed (s->stops_due). */
fb_status fb_stops_settle(fb_sim* s, fb_error* error);
/* locate.c: shortens the step to the first instant at which a limit is met, a held coordinate lets go or a sliding one stops. */
fb_status fb_stops_locate(fb_sim* s, double* t1, fb_error* error);
/* Lets go of everything that is held, before an impulse; what touches a limit will take it up without restitution. */
void fb_stops_let_go(fb_sim* s);
/* Fills s->friction at the rates v. */
void fb_stops_friction(fb_sim* s, const double* v);
/* Bounces shorter than this count as rest: they come ever faster, and their sum is finite; and so is one whose height, at the
 * acceleration a, is lost in the rounding of q. [s] */
double fb_stops_shortest_hop(const fb_sim* s, double q, double a);
/* After every step: stops that a coordinate began beyond follow it back to their levels. */
void fb_stops_follow(fb_sim* s);

/* ---- soft_stop.c ---- */

/* What a soft stop does during a step. */
typedef enum fb_stop_phase { FB_STOP_CLEAR, FB_STOP_PUSHES, FB_STOP_SLACK } fb_stop_phase;

fb_status fb_soft_stop_check(const fb_model* m, const fb_limit* limit, fb_error* error);
/* Phases of all soft stops at s->y; 1 when one has changed. */
int fb_soft_stops_update(fb_sim* s);
/* The same after a step or a jump: notes who was hit or left, and lets the integrator forget. */
void fb_soft_stops_follow(fb_sim* s);
/* Whether some soft stop is touched. */
int fb_soft_stops_act(const fb_sim* s);
/* Fills s->stop_force at y. */
void fb_soft_stops_push(fb_sim* s, const double* y);
/* Adds the part of s->stop_force that springs do not have: that of the dampers. */
void fb_soft_stops_add_losses(const fb_sim* s, const double* q, double* force);
/* What the springs store: of one limit, of all. [J] */
double fb_soft_stop_energy(const fb_sim* s, int limit, const double* q);
double fb_soft_stops_energy(const fb_sim* s, const double* q);
/* Adds the slopes -df/dq and -df/dv of the stops that push in this step, for implicit methods [nv]. */
void fb_soft_stops_add_gains(const fb_sim* s, double* stiffness, double* damping);

#endif
