/* hard_problem.h -- rows of contacts, limits and stiction, and the problems in them: forces at an instant, impulses
 * of a step or of an impact, displacements that end a penetration; and the results of their solutions. */
#ifndef FB_CONTACT_DYNAMICS_HARD_PROBLEM_H
#define FB_CONTACT_DYNAMICS_HARD_PROBLEM_H

#include "contact/dynamics/hard_point.h"

/* ---- hard_row.c ---- */

/* Rows of all points: three each, or one without friction; w->nrow, w->ncone, and w->P, the forces last remembered times `by`. */
void fb_hard_pose(fb_sim* s, double by);
/* The same with one row each, the normal, and w->c the gaps. */
void fb_hard_pose_normals(fb_sim* s);
/* The same with three rows each, whatever their friction. */
void fb_hard_pose_all(fb_sim* s);
/* The same with the rows that do not move: normals, and tangents of points that stick. */
void fb_hard_pose_held(fb_sim* s);
/* One more row, along a coordinate, times sign; limit: its number, or -1. */
void fb_hard_pose_coordinate(fb_sim* s, int coordinate, double sign, fb_cone cone, int limit);
/* A of the rows at q; coordinates that are moved do not respond. */
void fb_hard_responses(fb_sim* s, const double* q);
/* The response along row i to a unit impulse along row j. */
static inline double fb_hard_response(const fb_hard_contacts* w, int i, int j) {
  const fb_island* island = &w->islands[w->island_of[i]];
  if (w->island_of[i] != w->island_of[j]) return 0;
  if (island->of_bodies) return fb_bodies_response(&island->bodies, w->local[i], w->local[j]);
  return island->A[w->local[i] * island->n + w->local[j]];
}
/* The response of each point alone, after the same with three rows each. */
void fb_hard_note_responses(fb_hard_contacts* w);
/* x = H^-1 J^T P, after fb_hard_responses. */
void fb_hard_respond(const fb_sim* s, const double* P, double* x);
/* Solves for w->P, which holds the guess, island by island; w->result is that of the worst. */
fb_cones_status fb_hard_solve(fb_sim* s);
/* Of two results the worse, with the iterations of both. */
void fb_hard_worse_result(fb_cones_result* worst, const fb_cones_result* other);
/* The part of a point in P, as a vector on a. */
void fb_hard_take_force(fb_hard_point* p, const double P[3], double by);
/* Adds the wrenches of all points with forces to those of the flow; s->wrench.count grows. */
void fb_hard_push(fb_sim* s, const fb_data* d);
/* Rates along all rows where coordinates have the rates v at q: J v. */
void fb_hard_rates(fb_sim* s, const double* q, const double* v, double* u);
/* A response below this counts as zero: 1e-9 of that of the scene as one mass [1/kg]. */
double fb_hard_no_response(const fb_sim* s);

/* ---- closed_force.c ---- */

/* J' v along all rows of w->points at (q, v), with constant velocities: [nrow], by differences. The points do not
 * change. */
void fb_hard_bias(fb_sim* s, const double* q, const double* v, double* bias);
/* Accelerations along rows below this are rounding [m/s^2]. */
double fb_hard_noise(const fb_sim* s, const double* y);
/* Accelerations along all rows at s->vdot, with their bias in `gained`: a [nrow]. */
void fb_hard_row_accelerations(fb_sim* s, const double* y, double* a);

/* ---- load_share.c ---- */

/* Solves A x = x of n rows in place; of all solutions the least. */
void fb_hard_solve_equal(fb_sim* s, const double* A, int n, double* x);
/* The same for K of modes, whose rows of all points are in w->ints, with the responses last found: of all solutions those of equal
 * springs. */
void fb_hard_solve_modes(fb_sim* s, const double* K, int n, double* x);
/* Other forces f with the same accelerations, K f = rhs, all in their cones, where there are such; w->shared says so. */
void fb_hard_share(fb_sim* s, const double* K, const double* rhs, int n, double* f);
/* Null combinations z of the n rows in w->ints, times the compliances of springs: [count][n], in the memory of
 * fb_hard_solve_equal. Removes the part of x along them, if it is not NULL. Returns how many there are. */
int fb_hard_find_idle(fb_sim* s, int n, double* x, double** idle);
/* K += by sum z z^T, n rows. */
void fb_hard_add_idle(const double* idle, int count, int n, double by, double* K);
/* The impulses P of an island that solve its problem in a step become those of equal springs, where points slip and loads are
 * not determined; they stay where such are not found. guess: those that the step began with. */
void fb_hard_share_impulses(fb_sim* s, const fb_island* in, const double* guess);
/* Whether friction of a point that slips is in the columns of modes. */
int fb_hard_any_rubs_along(const fb_sim* s);

/* ---- impulse.c ---- */

/* The most that finite forces change a rate along the normal of an active point in the step [m/s]. */
double fb_hard_most_gained(const fb_hard_contacts* w);

/* The impulses w->P that rows need whose rates were w->before, and change by w->gained through finite forces: rates after are
 * w->u. Restitution by the law of each contact; none where the approach is slower than `slow` [m/s]. After
 * fb_hard_responses; w->P holds a guess. Works of the contacts are added to w->works. */
fb_cones_status fb_hard_impulses(fb_sim* s, double slow);
/* The impulses of an impact without approach: the limit of those of a step that goes to zero. w->gained: rates that forces
 * add in a short time. */
fb_cones_status fb_hard_jam(fb_sim* s);

/* ---- instant_impact.c ---- */

/* One impact of all points in w->points, and of the limits that touch; held joints are released. Approaches slower
 * than `slow` [m/s] have no restitution. */
fb_status fb_hard_hit(fb_sim* s, double slow, fb_error* error);
/* One without approach, where forces have no solution (fb_hard_jam); held coordinates stay held. gained: the next
 * change of the rates, [3 npoint]. */
fb_status fb_hard_hit_jammed(fb_sim* s, const double* gained, fb_error* error);

/* Whether impulses of limits that are approached would move the points in w->points. */
int fb_hard_impacts_move_stops(fb_sim* s);

/* ---- moreau_end.c ---- */

/* w->bend: the increase of the rates v along all rows after a time, with the bodies moved from y by v. */
void fb_hard_bend(fb_sim* s, const double* y, const double* v, double time);
/* Which points touched at the start of the step already, and the rates at which they may close the gaps that they had
 * there; after fb_hard_bend for the velocities there, which give w->before. */
void fb_hard_find_lasting(fb_sim* s, double h, double slack);
/* w->closing of the next solution, from these and from w->u, the rates after the pass before. */
void fb_hard_set_end_rates(fb_sim* s);

/* ---- hard_project.c ---- */

/* The largest deviation from zero of held rates at the end of a step that can be an error of the method; INFINITY
 * with methods of low order. [m/s] */
double fb_hard_drift(const fb_sim* s);
/* Moves y out of penetration, for contacts and limits; the energy is recorded. 1 when it moved. */
int fb_hard_project(fb_sim* s, double t, double* y);
/* After it in a step: an error where the remaining penetration makes the motion wrong. */
fb_status fb_hard_check_depth(const fb_sim* s, double t, fb_error* error);
/* At an event: points count as closed whose gaps and rates are small, and are closed by this. The energy of that is
 * recorded, since it is no error of the method; that of fb_hard_close at the end of a step is one, and remains in the
 * residual. */
void fb_hard_close_at_event(fb_sim* s);
/* At an event, before points are resolved: sets the remaining slip of w->points that count as at rest to zero. Normal
 * rates do not change; the energy is recorded likewise. 1: velocities have changed. */
int fb_hard_end_slips(fb_sim* s);

/* ---- hard_output.c ---- */

/* Residual, iterations and gains of the last solution, into the outputs of the block "solver". */
void fb_hard_accept_solution(fb_sim* s);
/* A point took part in an impact, with this impulse on a, world axes; rate: of its gap before it. */
void fb_hard_note_impact(fb_sim* s, const fb_hard_point* p, const double impulse[3], double rate);
/* Records the contacts with a point whose slip has turned by more than a right angle since the stored state. */
void fb_hard_note_turns(fb_sim* s);
/* Adds w->works to the states of the contacts' blocks. */
void fb_hard_add_works(fb_sim* s, double* y);

/* ---- moreau_error.c ---- */

/* Whether the next step is repeated for the error estimate; whether the last one should be. */
int fb_hard_is_sampled(const fb_sim* s);
int fb_hard_is_worth_a_sample(const fb_sim* s);
/* Whether the step just made has impacts, of contacts or limits; 1 + the first contact that has, -1: only limits, 0: none. */
int fb_hard_any_hits(const fb_sim* s);
int fb_hard_first_hit(const fb_sim* s);
/* A step led to y as a whole and to `halves` in two, in either case with impacts if `hits`; then, the step being accepted. */
void fb_hard_note_sample(fb_sim* s, const double* y, const double* halves, int hits);
/* Whether it represents this step alone, in which compliant contacts are young. */
int fb_hard_keep_sample(fb_sim* s);

/* ---- moreau_beside.c ---- */

enum { FB_BESIDE_ROOM = 256 }; /* fb_contacts_head.room at most */
/* The step is accepted, with the motion beside; rough: the sample in s->error.off_local is of this step alone. */
void fb_beside_keep(fb_sim* s, int rough);

/* ---- moreau_stop.c ---- */

/* After steps of moreau inside an event-driven run: clears what belongs to a step. */
void fb_hard_leave_steps(fb_hard_contacts* w);
/* Action of limits in the present step of moreau, and their work at the velocities v of its ledger; then, when the
 * step is accepted, the results: phases of limits, rest, and the energy of impacts. */
void fb_hard_note_stops(fb_sim* s);
int fb_hard_any_stop_is_hit(const fb_sim* s);
double fb_hard_stop_work(const fb_sim* s, const double* v);
void fb_hard_keep_stops(fb_sim* s);

#endif
