/* hard_point.h -- the points at which hard contacts touch: places, rates, and storage between steps. */
#ifndef FB_CONTACT_DYNAMICS_HARD_POINT_H
#define FB_CONTACT_DYNAMICS_HARD_POINT_H

#include "contact/dynamics/hard_contact.h"

/* ---- hard_point.c ---- */

/* The points whose gap is at most `reach` at (q, v), with their rates, into w->points. */
void fb_hard_find(fb_sim* s, const double* q, const double* v, double max_gap);
/* An error where there are more points than a dense problem can have. */
fb_status fb_hard_check_room(const fb_sim* s, double t, fb_error* error);
/* Moves p_b of a new point to the common place of both forces. */
void fb_hard_meet(const fb_sim* s, fb_hard_point* p);
/* Where the point x is in the frame of the side that moves: a's, or b's where a is on the world. */
void fb_hard_find_local(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const double x[3],
                        double local[3]);
/* And back. */
void fb_hard_from_local(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const double local[3],
                        double x[3]);
/* Distance of the place of a contact point from the former place of p on its body, p->local [m]. */
double fb_hard_moved(const fb_sim* s, const fb_data* d, const fb_hard_point* p, const fb_contact_point* at);
/* Two directions square to n; and the rates of a point at the velocities in d. */
void fb_hard_find_tangents(const double n[3], double t[2][3]);
void fb_hard_find_rates(const fb_sim* s, const fb_data* d, fb_hard_point* p);
/* The slip direction of a point: u_T / |u_T| in world axes; zero below `slow`. Returns |u_T|. */
double fb_hard_find_slip_direction(fb_hard_point* p, double slow);
/* What fb_hard_memory.slip_tolerance will be; slip of this multiple of it or more is not slow. */
enum { FB_SLIP_TOLERANCES = 4 };
double fb_hard_slip_tolerance(const fb_sim* s, const fb_hard_point* p);
/* Slip that counts as rest: rounding, or bracket errors [m/s]. A slip that has almost ended may turn from event to
 * event without becoming slower: so this grows while steps make no progress (hard_locate.c), and a slip then starts
 * again from rest. */
double fb_hard_slowest(const fb_sim* s);
/* Whether a point slips faster than that. */
int fb_hard_moves(const fb_sim* s, const fb_hard_point* p);
static inline int fb_hard_steps_are_short(const fb_sim* s) {
  return s->contact.head->crawl_steps[FB_CRAWL_SHORT] > 100;
}
/* The stored entry of a point; NULL when there is none. */
const fb_hard_memory* fb_hard_remembered(const fb_sim* s, const fb_hard_point* p);
/* Whether a point touched at the end of the last step: it is stored, and did not rebound in it. */
int fb_hard_touched(const fb_sim* s, const fb_hard_point* p);
/* Whether a point was pressed in the step of moreau before, and velocities have not jumped since: its rate was zero
 * after that step, and its present rate is due to the rotation of its normal within a step. */
int fb_hard_lasts(const fb_sim* s, const fb_hard_point* p);
/* Whether stored points from a snapshot are valid for these contacts. */
int fb_hard_is_sound(const fb_sim* s, const fb_hard_memory* m);
/* Stores the closed points. */
void fb_hard_remember(fb_sim* s);
/* Whether a point has tangential rows too. */
static inline int fb_hard_rubs(const fb_sim* s, const fb_hard_point* p) {
  return fb_hard_block_memory(s, p->contact)[FB_HARD_FRICTION] > 0;
}

/* The largest coordinate of floating bodies: gaps have its rounding [m]. */
double fb_hard_far(const fb_sim* s, const double* y);
/* The gap up to which surfaces count as touching [m]: errors of projection and rounding. */
double fb_hard_slack(const fb_sim* s, const double* y);

/* ---- closed_force.c ---- */

/* The stored points, at (q, v), into w->points. */
void fb_hard_find_closed(fb_sim* s, const double* q, const double* v);
/* The same without those that are farther off than possible in a step of this length. Returns the number of these:
 * they are lost, which is an event. */
int fb_hard_find_kept(fb_sim* s, const double* y, double time);
/* Whether another point of the pair, so far from p, has its place and its normal. */
int fb_hard_is_same(const fb_hard_point* p, const fb_contact_point* other, double apart);
/* The geometry of a pair. Points of a pair are adjacent, and it is evaluated once for all of them. */
typedef struct fb_hard_meeting {
  int contact, a, b, n; /* contact -1: of none yet */
  fb_contact_point points[FB_MAX_CONTACT_POINTS];
} fb_hard_meeting;
/* u and n of point p with the bodies at d; `at`: of the same d, or of none. 0: it is on another feature there. */
int fb_hard_probe_ahead(const fb_sim* s, const fb_data* d, const fb_hard_point* p, fb_hard_meeting* at,
                        double u[3], double n[3]);

/* ---- local_pose.c ---- */

/* Whether all sides of contacts float; memory for their poses. */
fb_status fb_hard_local_start(fb_sim* s, fb_error* error);
/* Poses and velocities for contacts at (q, v). Positions are relative to w->origin, velocities to that of the first
 * floating tree. */
fb_data* fb_hard_kinematics(fb_sim* s, const double* q, const double* v);
/* The same in two steps: (q, v) in that frame into w->local_q and w->local_v; poses at another q there, with the same
 * velocities. */
void fb_hard_go_local(const fb_sim* s, const double* q, const double* v);
fb_data* fb_hard_local_kinematics(fb_sim* s, const double* q);
/* Those of the last call. */
const fb_data* fb_hard_poses(const fb_sim* s);

/* ---- slip_direction.c ---- */

/* The predicted direction of slow slips, of all points, after an evaluation of the flow at s->y. The same at the end
 * of a step without an event. */
void fb_hard_predict_slip(fb_sim* s);
void fb_hard_keep_predicted_slip(fb_sim* s);

/* Whether a slow slip is straight: its predicted direction is its own. */
static inline int fb_hard_goes_straight(const fb_hard_memory* m) {
  return (m->predicted_direction[0] != 0 || m->predicted_direction[1] != 0 ||
          m->predicted_direction[2] != 0) &&
         memcmp(m->predicted_direction, m->slip_direction, sizeof m->slip_direction) == 0;
}

/* ---- passing.c ---- */

/* fb_contact_pace at the state y. */
double fb_hard_pace(fb_sim* s, int contact, const double* y);
/* Records the first contact whose sides passed through each other in a step (moreau). */
void fb_hard_note_passing(fb_sim* s);

#endif
