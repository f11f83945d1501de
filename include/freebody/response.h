/* response.h -- the response to forces and impulses along given rows: H^-1 J^T and J H^-1 J^T.
 *
 * A row is one coordinate, or one direction of relative motion of two bodies at a point. Its rate is J v, and a force f
 * along it acts on the robot as J^T f. Stops, locks, loops, contacts and joins are all expressed as rows.
 *
 *   fb_response_begin(m, d, q, NULL);                eliminates the inertias at q, once
 *   fb_response_matrix(m, d, NULL, rows, n, A);      A = J H^-1 J^T, O(n) each row
 *
 * Responses are accelerations for forces and velocity changes for impulses. Coordinates with prescribed[k] = 1 (NULL:
 * none) do not respond: their drive exerts whatever force is needed. Pass the same array to all three calls. Nothing
 * allocates. */
#ifndef FREEBODY_RESPONSE_H
#define FREEBODY_RESPONSE_H

#include <freebody/data.h>
#include <freebody/export.h>
#include <freebody/model.h>

typedef struct fb_row {
  int coordinate;     /* index in v; -1: a row between two bodies */
  int body[2];        /* the motion of body[1] relative to body[0], either may be FB_WORLD, */
  double arm_w[2][3]; /* each at its own point, from the body's origin, world axes [m] */
  double linear[3];   /* rate = linear . (v_1 - v_0) + angular . (w_1 - w_0), world axes */
  double angular[3];
} fb_row;

FB_BEGIN_DECLS

FB_API fb_row fb_row_from_coordinate(int coordinate);

/* J v; after fb_kinematics with v. */
FB_API double fb_row_rate(const fb_model* m, const fb_data* d, const fb_row* row, const double* v);

/* Prepares d for the calls below at q. fb_model_check_pivots then checks that every coordinate moves some inertia. */
FB_API void fb_response_begin(const fb_model* m, fb_data* d, const double* q,
                              const unsigned char* prescribed);

/* x = H^-1 J^T (nv): the response of all coordinates to a unit force along the row. */
FB_API void fb_response_row(const fb_model* m, fb_data* d, const unsigned char* prescribed, const fb_row* row,
                            double* x);

/* The response along another row: J x, right after fb_response_row has found x. */
FB_API double fb_response_along(const fb_model* m, const fb_data* d, const fb_row* row, const double* x);

/* A = J H^-1 J^T (count x count, row major, symmetric): A[i][j] is the response along row i to a unit force along
 * row j. */
FB_API void fb_response_matrix(const fb_model* m, fb_data* d, const unsigned char* prescribed,
                               const fb_row* rows, int count, double* A);

FB_END_DECLS

#endif
