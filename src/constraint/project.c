/* project.c -- takes the drift of a step out of the loops, and counts the motions that they leave
 *
 *   q <- q - H^-1 J^T A^-1 g(q),  again and again;   v <- v - H^-1 J^T A^-1 J v;          A = J H^-1 J^T
 *
 * Each is the least change in the sense of the kinetic energy. Cost of a round: a response, and A. */
#include <freebody/loop.h>

#include <math.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/response.h>

#include "constraint/rows.h"

static double worst_of(const double* x, int from, int end) {
  double worst = 0;
  for (int i = from; i < end; i++)
    if (fabs(x[i]) > worst) worst = fabs(x[i]);
  return worst;
}

double fb_rows_worst_error(const fb_model* m, const fb_data* d, int loop) {
  return worst_of(d->row_error, m->top.loop_row[loop], m->top.loop_row[loop + 1]);
}

/* The largest error at q, with all that velocities need. */
static double place_at(const fb_model* m, fb_data* d, const double* q, const double* v) {
  fb_kinematics(m, d, q, v, NULL);
  fb_rows_place(m, d, q);
  return worst_of(d->row_error, 0, m->top.nrow);
}

double fb_rows_begin(const fb_model* m, fb_data* d, const double* q, const double* v,
                     const unsigned char* prescribed) {
  fb_response_begin(m, d, q, prescribed);
  double open = place_at(m, d, q, v);
  fb_rows_factor(m, d, prescribed);
  return open;
}

void fb_rows_find_opening(const fb_model* m, fb_data* d, const unsigned char* prescribed, const double* v,
                          double* x) {
  fb_rows_rates(m, d, v, d->row_rate);
  fb_rows_solve(m, d, d->row_rate, d->row_rate);
  fb_rows_respond(m, d, prescribed, d->row_rate, x);
}

/* Moves q along the rows by the errors there, by the factor at hand. */
static void close_once(const fb_model* m, fb_data* d, const unsigned char* prescribed, double* q) {
  fb_rows_solve(m, d, d->row_error, d->row_rate);
  fb_rows_respond(m, d, prescribed, d->row_rate, d->loop_nv);
  fb_integrate(m, q, d->loop_nv, -1, q);
}

/* Errors are removed down to rounding. Where a mechanism comes near a pose in which it has more motions, a loop that is
 * open by c leads it past that pose, into the other motion, at a distance of the root of c. The last correction is so
 * small that the factor made before it is exact enough. */
double fb_loops_project(const fb_model* m, fb_data* d, const unsigned char* prescribed, double* q,
                        double* v) {
  static const double NEAR = 1e-8; /* [m or rad] its square is rounding */
  enum { MOST = 6 };
  double left = 0, before = INFINITY, *x = d->loop_nv;
  if (m->top.nloop == 0) return 0;
  for (int i = 0;; i++) {
    left = fb_rows_begin(m, d, q, v, prescribed);
    if (!(left > NEAR) || i == MOST || left > 0.5 * before) break;
    before = left;
    close_once(m, d, prescribed, q);
  }
  if (left > 0 && left <= NEAR) {
    close_once(m, d, prescribed, q);
    left = place_at(m, d, q, v);
  }
  fb_rows_find_opening(m, d, prescribed, v, x);
  for (int k = 0; k < m->top.nv; k++) v[k] -= x[k];
  return left;
}

int fb_loops_mobility(const fb_model* m, fb_data* d, const double* q) {
  if (m->top.nloop == 0) return m->top.nv;
  fb_rows_begin(m, d, q, NULL, NULL);
  return m->top.nv - d->rank;
}
