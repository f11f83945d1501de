/* close.c -- a configuration and velocities in which the loops are closed
 *
 *   dq = -J^T (J J^T + damping)^-1 g(q),  again and again;   dv = -J^T (J J^T)^-1 J v
 *
 * Levenberg and Marquardt's iteration on the coordinates that are not held: it changes them least, and does not depend on
 * masses. From a configuration in which the mechanism is stretched out no direction leads to closed loops; then it begins again
 * near by, in the same places every time. For set-up: it allocates. */
#include <freebody/loop.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "base/random.h"
#include "constraint/rows.h"
#include "math/array.h"
#include "math/ldl.h"

static const double CLOSED = 1e-16, ENOUGH = 1e-12; /* where to stop, and what will do [m or rad] */
/* Below this a coordinate has no part in a row: the base of a robot has none in loops between its own arms. */
static const double ROUNDING = 1e-14;
enum { MOST_STEPS = 200, MOST_SHORTENED = 20000, MOST_TRIES = 30 };

typedef struct closer {
  const fb_model* m;
  fb_data* d;
  const unsigned char* held;
  double *J, *A, *force; /* [nrow][nv], [nrow][nrow], [nrow] */
  double *dq, *trial, *best, *start;
  double least; /* error of best */
} closer;

static int is_held(const closer* c, int k) {
  return c->held && c->held[k];
}

/* J at the rows placed, zero for what is held. */
static void find_jacobian(closer* c) {
  int n = c->m->top.nrow, nv = c->m->top.nv;
  memset(c->J, 0, (size_t)n * (size_t)nv * sizeof *c->J);
  fb_rows_jacobian(c->m, c->d, c->J);
  for (int r = 0; r < n; r++)
    for (int k = 0; k < nv; k++)
      if (is_held(c, k) || isnan(c->d->row_error[r]) || fabs(c->J[nv * r + k]) < ROUNDING)
        c->J[nv * r + k] = 0;
}

/* dq = -J^T (J J^T (1 + damping))^-1 x; 0 when x cannot be solved for. */
static int solve(closer* c, const double* x, double damping) {
  int n = c->m->top.nrow, nv = c->m->top.nv;
  for (int r = 0; r < n; r++)
    for (int s = 0; s <= r; s++) {
      double sum = 0;
      for (int k = 0; k < nv; k++) sum += c->J[nv * r + k] * c->J[nv * s + k];
      c->A[n * r + s] = r == s ? sum * (1 + damping) + 1e-300 + damping * 1e-9 : sum;
    }
  memcpy(c->force, x, (size_t)n * sizeof *x);
  for (int r = 0; r < n; r++)
    if (isnan(x[r])) c->force[r] = 0; /* a distance whose length is not known yet */
  if (fb_ldl_factor(c->A, n)) return 0;
  fb_ldl_solve(c->A, n, c->force);
  for (int k = 0; k < nv; k++) {
    c->dq[k] = 0;
    for (int r = 0; r < n; r++) c->dq[k] -= c->J[nv * r + k] * c->force[r];
  }
  return 1;
}

static double place(closer* c, const double* q, int* worst) {
  double sum = 0, largest = -1;
  fb_kinematics(c->m, c->d, q, NULL, NULL);
  fb_rows_place(c->m, c->d, q);
  for (int r = 0; r < c->m->top.nrow; r++) {
    double x = c->d->row_error[r];
    if (isnan(x)) continue;
    sum += x * x;
    if (fabs(x) > largest && worst) *worst = r;
    if (fabs(x) > largest) largest = fabs(x);
  }
  return sqrt(sum);
}

/* A step that turns nothing by more than this at once, and moves nothing further than loops are open. 1: it was longer. */
static int shorten(closer* c, double error) {
  static const double LONGEST = 0.5;
  double longest = 0;
  for (int k = 0; k < c->m->top.nv; k++)
    longest = fmax(longest,
                   fabs(c->dq[k]) * (fb_coordinate_is_length(c->m, k) ? LONGEST / fmax(LONGEST, error) : 1));
  for (int k = 0; k < c->m->top.nv && longest > LONGEST; k++) c->dq[k] *= LONGEST / longest;
  return longest > LONGEST;
}

/* What loops may stay open by: far from the origin, some of the last bits of positions. */
static double tolerance(const closer* c, const double* q) {
  static const double LAST_BITS = 8 * 2.220446049250313e-16;
  return fmax(ENOUGH, LAST_BITS * fb_array_largest(q, c->m->top.nq));
}

/* c->trial at q moved by dq; its error. A long step is shortened, unless it closes the loops but for its damping: gears
 * and screws are linear, and may have to turn far. */
static double try_step(closer* c, const double* q, double error, double damping, int* shortened) {
  static const double ROUNDED = 1e-9;
  fb_integrate(c->m, q, c->dq, 1, c->trial);
  double next = place(c, c->trial, NULL);
  *shortened = next > (1.1 * damping + ROUNDED) * error && shorten(c, error);
  if (!*shortened) return next;
  fb_integrate(c->m, q, c->dq, 1, c->trial);
  return place(c, c->trial, NULL);
}

/* From q on; the error that it comes to. Steps that were shortened and led nearer are not counted with the others. */
static double descend(closer* c, double* q) {
  double damping = 1e-3, error = place(c, q, NULL);
  for (int i = 0, far = 0; i < MOST_STEPS && error > CLOSED && damping < 1e8; i++) {
    find_jacobian(c);
    double next = INFINITY;
    int shortened = 0;
    if (solve(c, c->d->row_error, damping)) next = try_step(c, q, error, damping, &shortened);
    if (next < error && shortened && far++ < MOST_SHORTENED) i--;
    if (next < error) {
      memcpy(q, c->trial, (size_t)c->m->top.nq * sizeof *q);
      error = next;
      damping = fmax(damping * 0.1, 1e-12);
    } else {
      if (error <= tolerance(c, q)) break; /* rounding */
      place(c, q, NULL);
      damping = fmax(damping, 1e-6) * 10;
    }
  }
  return error;
}

/* Somewhere near the start: further away with each try. */
static void leave_start(closer* c, int attempt, double* q) {
  fb_random r = {(uint64_t)attempt, 0};
  for (int k = 0; k < c->m->top.nv; k++) {
    double far = fb_random_uniform(&r, -0.05, 0.05) * attempt;
    c->dq[k] = is_held(c, k) ? 0 : far;
  }
  fb_integrate(c->m, c->start, c->dq, 1, q);
}

/* The names of the loops that stay open by more than a thousandth of the worst, and what the worst is. */
static double list_open(const closer* c, const double* row, char* names, size_t size) {
  const fb_topology* t = &c->m->top;
  double worst = fb_array_largest(row, t->nrow);
  size_t used = 0;
  names[0] = '\0';
  for (int loop = 0; loop < t->nloop; loop++) {
    int first = t->loop_row[loop];
    double open = fb_array_largest(row + first, t->loop_row[loop + 1] - first);
    const char* name = fb_loop_name(c->m, loop);
    if (!(open > 1e-3 * worst) || used + strlen(name) + 8 > size) continue;
    used += (size_t)snprintf(names + used, size - used, "%s\"%s\"", used ? ", " : "", name);
  }
  return worst;
}

static fb_status cannot_close(closer* c, fb_error* error) {
  int row = 0, loop = 0;
  char names[200];
  place(c, c->best, &row);
  double open = list_open(c, c->d->row_error, names, sizeof names);
  while (c->m->top.loop_row[loop + 1] <= row) loop++;
  int several = strchr(names, ',') != NULL;
  fb_fail(error, FB_ERR_NO_SOLUTION,
          "the loop%s %s cannot close%s: nearest to the coordinates given %s open by %.3g (m or rad); give "
          "fewer or other coordinates in 'start', or check the frames and lengths",
          several ? "s" : "", names, several ? " together" : "", several ? "they stay" : "it stays", open);
  fb_error_set_place(error, NULL, NULL, fb_model_def_loop(c->m->def, loop)->place);
  return FB_ERR_NO_SOLUTION;
}

static fb_status close_positions(closer* c, double* q, fb_error* error) {
  size_t size = (size_t)c->m->top.nq * sizeof *q;
  memcpy(c->start, q, size);
  c->least = INFINITY;
  for (int attempt = 0; attempt < MOST_TRIES && !(c->least <= tolerance(c, q)); attempt++) {
    memcpy(q, c->start, size);
    if (attempt > 0) leave_start(c, attempt, q);
    double found = descend(c, q);
    if (found >= c->least) continue;
    c->least = found;
    memcpy(c->best, q, size);
  }
  memcpy(q, c->best, size);
  return c->least <= tolerance(c, q) ? FB_OK : cannot_close(c, error);
}

/* Rates that keep the loops closed. */
static fb_status close_velocities(closer* c, const double* q, double* v, fb_error* error) {
  double *rate = c->d->row_rate, size = fb_array_largest(v, c->m->top.nv), left = 0;
  fb_loops_measure(c->m, c->d, q);
  for (int i = 0; i < 4; i++) {
    fb_kinematics(c->m, c->d, q, v, NULL);
    fb_rows_place(c->m, c->d, q);
    fb_rows_rates(c->m, c->d, v, rate);
    find_jacobian(c);
    left = fb_array_largest(rate, c->m->top.nrow);
    if (left <= 1e-14 * size || !solve(c, rate, 1e-12)) break;
    for (int k = 0; k < c->m->top.nv; k++) v[k] += c->dq[k];
  }
  if (left <= 1e-9 * (size + 1)) return FB_OK;
  char names[200];
  list_open(c, rate, names, sizeof names);
  return fb_fail(error, FB_ERR_NO_SOLUTION,
                 "the rates given at the start open the loop%s %s at %.3g (m/s or rad/s); give fewer of them",
                 strchr(names, ',') ? "s" : "", names, left);
}

fb_status fb_loops_close(const fb_model* m, fb_data* d, const unsigned char* held, double* q, double* v,
                         fb_error* error) {
  size_t n = (size_t)m->top.nrow, nv = (size_t)m->top.nv, nq = (size_t)m->top.nq;
  if (n == 0) return FB_OK;
  double* memory = calloc(n * nv + n * n + n + nv + 3 * nq, sizeof *memory);
  if (!memory) return fb_fail(error, FB_ERR_MEMORY, "out of memory while the loops were closed");
  closer c = {.m = m, .d = d, .held = held, .J = memory};
  c.A = c.J + n * nv;
  c.force = c.A + n * n;
  c.dq = c.force + n;
  c.trial = c.dq + nv;
  c.best = c.trial + nq;
  c.start = c.best + nq;
  fb_status status = close_positions(&c, q, error);
  if (!status && v) status = close_velocities(&c, q, v, error);
  free(memory);
  return status;
}
