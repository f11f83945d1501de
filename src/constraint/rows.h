/* rows.h -- the rows of loops: relative motions of two frames, or of coordinates, that are to be zero.
 *
 *   error g(q), rate J v, acceleration J v' + J' v, and the response J H^-1 J^T to forces along them
 *
 * All rows of a loop act at one point, the origin of frame b, so that the forces on both bodies are exactly opposite. What is
 * known of them is in row_... and loop_... of fb_data. */
#ifndef FB_CONSTRAINT_ROWS_H
#define FB_CONSTRAINT_ROWS_H

#include <freebody/dynamics.h>
#include <freebody/response.h>

#include "base/private_api.h"
#include "model/data.h"
#include "model/model.h"

/* Offsets in row_direction of a row and in loop_arm of a loop. */
enum {
  FB_ROW_DIRECTION_LINEAR = 0,
  FB_ROW_DIRECTION_ANGULAR = 3,
  FB_ROW_DIRECTION_ANGULAR_RATE = 6,
  FB_ROW_DIRECTION = 9
};
enum {
  FB_ARM_A = 0, /* from the origin of a's link to that of b */
  FB_ARM_B = 3, /* from the origin of b's link to that of b */
  FB_ARM_R = 6, /* from a's origin to b's */
  FB_ARM = 9
};

/* Errors, directions and arms at the poses in d, and the rates of the directions by the angular velocities in d. */
FB_PRIVATE_API void fb_rows_place(const fb_model* m, fb_data* d, const double* q);
/* From the origin of a to that of b, at the poses in d. [m] */
double fb_rows_distance(const fb_model* m, fb_data* d, int loop);
/* The largest error of the rows of a loop, in m or rad; after fb_rows_place. */
FB_PRIVATE_API double fb_rows_worst_error(const fb_model* m, const fb_data* d, int loop);
/* J v, with the velocities in d; after fb_rows_place. */
void fb_rows_rates(const fb_model* m, const fb_data* d, const double* v, double* rate);
/* Rates of the rows of one loop where links turn, and their origins move, as those vectors of their records say. */
void fb_rows_loop_rates(const fb_model* m, const fb_data* d, int loop, int turn_at, int move_at,
                        const double* v, double* rate);
/* J v' + J' v, after mixed dynamics, which found vdot, and fb_rows_place. */
void fb_rows_accelerations(const fb_model* m, const fb_data* d, const double* v, const double* vdot,
                           double* acceleration);

/* row_A = J H^-1 J^T, and in row_scale which rows something responds to, by the inertias that the last mixed dynamics or
 * fb_response_begin eliminated with the same
 * `prescribed`; after fb_rows_place. */
void fb_rows_find_responses(const fb_model* m, fb_data* d, const unsigned char* prescribed);
/* Sets row_scale of the rows of a loop, not a gear: 0 where nothing responds to a force along them, else 1. By path_u. */
void fb_rows_find_idle(const fb_model* m, fb_data* d, int loop);
/* row_A, its factor, and d->rank, by the inertias that the last mixed dynamics or fb_response_begin eliminated with the same
 * `prescribed`. Rows whose error is not known (a distance without a length) do not count. */
void fb_rows_factor(const fb_model* m, fb_data* d, const unsigned char* prescribed);
/* Solves A force = x for the independent rows; the others have no force. x and force may be the same. */
void fb_rows_solve(const fb_model* m, const fb_data* d, const double* x, double* force);
/* Of all forces with the same effect, those with the least sum of squares. */
void fb_rows_take_least(const fb_model* m, fb_data* d, double* force);
/* x = H^-1 J^T force (nv). */
void fb_rows_respond(const fb_model* m, fb_data* d, const unsigned char* prescribed, const double* force,
                     double* x);
/* All that the calls above need at q, and v (NULL: rest): inertias eliminated, rows placed and factored. Returns the largest
 * error. */
double fb_rows_begin(const fb_model* m, fb_data* d, const double* q, const double* v,
                     const unsigned char* prescribed);
/* x = H^-1 J^T A^-1 J v: the least of v that opens the loops; after fb_rows_begin with v. */
void fb_rows_find_opening(const fb_model* m, fb_data* d, const unsigned char* prescribed, const double* v,
                          double* x);
/* What the loops take away from x, the response of the tree that was found last (nv); after fb_rows_factor. */
void fb_rows_take_away(const fb_model* m, fb_data* d, const unsigned char* prescribed, const double* x,
                       double* away);
/* fb_constrained_responses; X: [count][nv] how all coordinates respond to each row, or NULL. */
void fb_constrained_columns(const fb_model* m, fb_data* d, const double* q, const unsigned char* prescribed,
                            const fb_row* rows, int count, double* A, double* X);
/* Adds J^T force to tau. */
void fb_rows_push(const fb_model* m, const fb_data* d, const double* force, double* tau);
/* Adds J to J (nrow x nv, row major). */
void fb_rows_jacobian(const fb_model* m, const fb_data* d, double* J);
/* Force and torque on frame b at its origin, world axes; of a gear zero. */
void fb_rows_wrench(const fb_model* m, const fb_data* d, int loop, const double* force_along, double force[3],
                    double torque[3]);

/* Given that wrench, [6], the one on frame a at its own origin: the opposite at the origin of b. */
void fb_rows_opposite(const fb_data* d, int loop, const double on_b[6], double on_a[6]);

/* What loops do to frames, as wrenches at their origins: two for each loop that is no gear, 2 nloop at most, their number
 * returned. After the dynamics that found the forces. */
FB_PRIVATE_API int fb_rows_wrenches(const fb_model* m, fb_data* d, fb_wrench* wrenches);

/* Row i in the order in which they were eliminated: the first d->rank are independent. */
static inline int fb_row_at(const fb_data* d, int i) {
  return (int)d->row_order[i];
}

#endif
