/* moreau.h -- shared by the files of the time-stepping method: active rows of a step, and steps in which velocities
 * jump. */
#ifndef FB_SIM_STEPPER_MOREAU_H
#define FB_SIM_STEPPER_MOREAU_H

#include "contact/dynamics/hard_problem.h"

/* ---- moreau.c ---- */

/* The step from (t, y0) to y1, without a sample. */
fb_status fb_moreau_step(fb_sim* s, double t, const double* y0, double h, double* y1, fb_error* error);

/* ---- moreau_beside.c ---- */

/* Before the step from (t, y0): the motion beside makes its own, where it is due. */
void fb_beside_step(fb_sim* s, double t, const double* y0, double h);
/* After it: how far they are apart. */
void fb_beside_compare(fb_sim* s, const double* y1);

/* ---- moreau_points.c ---- */

/* y: the coordinates after a part of the step from y0, prescribed ones at that time. */
void fb_moreau_place(fb_sim* s, double t, double h, double part, const double* y0, double* y);
/* Points that touch in the middle of the step; y, the state there, moves to its impacts, if any. */
void fb_moreau_find_closed(fb_sim* s, double t, double h, const double* y0, double* y);
/* Points near by that would be reached in the second half of the step take part as well, where bodies bounce:
 * otherwise they would end in penetration, whose removal lifts the bodies above, and take part in the next step only.
 * 1: there are some. */
int fb_moreau_find_reached(fb_sim* s, double h, const double* y, const double* v1);
/* How long the step from y0 to y1 should be, before penetration is removed: where a rebound drives a body into one that took no part
 * in it, the time until they meet; else h. */
double fb_moreau_find_next(fb_sim* s, double h, const double* y0, const double* y1);
/* Whether a step to t_limit may end there, after those in this multiple of the step. */
int fb_moreau_may_cut(fb_sim* s, double t_limit);
/* Rows of the points, their rates before, and their responses. */
void fb_moreau_pose(fb_sim* s, double h, const double* y, const double* v);

/* ---- moreau_jump.c ---- */

/* fb_hard_contacts.later = (1/2 - a) H^-1 J^T P */
void fb_moreau_respond_later(fb_sim* s);
/* Forces that follow from the accelerations, of moved coordinates and of loops, into x. */
void fb_moreau_take_reactions(const fb_sim* s, double* x);
/* Those last found contain the impulses, which are stored separately; they become those of the whole step. */
void fb_moreau_complete_reactions(fb_sim* s);
/* Accelerations s->vdot at the velocities in y become the weighted ones of v0 and v1, by fb_hard_contacts.dv more: where velocities
 * jump, terms that are quadratic in them differ by the first order of the step. fb_hard_contacts.around: by how much the mean of
 * the velocities around the impacts is more than that of v0 and v1. */
void fb_moreau_weigh_accelerations(fb_sim* s, double h, double* y, const double* v0, const double* v1);
/* Impulses do work at the mean of the velocities around them, finite forces at those in y. But dampers, friction,
 * loops and forces of moved joints change with the velocities, and their values before impacts belong to the
 * velocities before. With p = H^-1 J^T P and forces f that change by df it is a f . v_- + (1 - a) (f + df) . v_+ =
 * (mean of f) . v_m + a (1 - a) df . p. Loops and moved joints transmit impulses: fb_hard_contacts.passed. */
void fb_moreau_enter_impacts(fb_sim* s, double* y, double* zdot);

#endif
