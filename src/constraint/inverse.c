/* inverse.c -- joint forces for a given motion of a mechanism with loops
 *
 *   tau = tau_0 - J^T f,   tau_u = 0 for what is not actuated,   sum of tau_a^2 least
 *
 * tau_0 is that of the tree. With J_u and J_a the columns of both kinds: f = J_u^T+ tau_u + N z, N spanning what J_u^T does
 * not see, and z = (J_a^T N)^+ (tau_a - J_a^T J_u^T+ tau_u). A motion that opens the loops is refused, and one that the
 * actuators cannot produce. */
#include <freebody/loop.h>

#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "base/cookie.h"
#include "constraint/rows.h"
#include "math/array.h"
#include "math/svd.h"

/* Where what is solved lies in the caller's memory; n rows of loops. */
typedef struct inverse {
  double* J;                 /* [n][nv] */
  double *A, *b;             /* [count][n], [count]: columns of J of one kind, and their tau */
  double *basis, *z, *AN;    /* [n][n], [n], [count][n] */
  double* more;              /* for solve_least */
  double least;              /* singular values below this are rounding: forces that have no effect */
  unsigned char* prescribed; /* [nv] all 1 */
} inverse;

/* Of solve_least: values, both sides of vectors, and the larger scratch of what it calls. */
static size_t solve_work(size_t rows, size_t cols) {
  size_t least = rows < cols ? rows : cols, svd = fb_svd_work((int)rows, (int)cols),
         complement = cols * (cols + 1);
  return least * (1 + rows + cols) + (svd > complement ? svd : complement);
}

size_t fb_loop_inverse_dynamics_work_size(const fb_model* m) {
  size_t n = (size_t)m->top.nrow, nv = (size_t)m->top.nv;
  return 3 * n * nv + nv + n * n + n + solve_work(nv, n) + nv / sizeof(double) + 1;
}

static inverse lay_out(const fb_model* m, double* work) {
  size_t n = (size_t)m->top.nrow, nv = (size_t)m->top.nv;
  inverse x = {.J = work};
  x.A = x.J + n * nv;
  x.b = x.A + n * nv;
  x.basis = x.b + nv;
  x.z = x.basis + n * n;
  x.AN = x.z + n;
  x.more = x.AN + n * nv;
  x.prescribed = (unsigned char*)(x.more + solve_work(nv, n));
  memset(x.prescribed, 1, nv);
  return x;
}

/* Least squares: x (cols) with A x nearest to b, and the least of those; what A does not see into basis (cols x cols, its
 * number returned). Uses all of o->more. */
static int solve_least(const inverse* o, const double* A, int rows, int cols, const double* b, double* x,
                       double* basis) {
  int k = rows < cols ? rows : cols, rank = 0;
  double *s = o->more, *U = s + k, *V = U + (size_t)rows * (size_t)k, *more = V + (size_t)cols * (size_t)k;
  memset(x, 0, (size_t)cols * sizeof *x);
  if (k > 0) fb_svd(A, rows, cols, s, U, V, more);
  while (rank < k && s[rank] > o->least) rank++;
  for (int i = 0; i < rank; i++) {
    double along = 0;
    for (int r = 0; r < rows; r++) along += U[r * k + i] * b[r];
    for (int c = 0; c < cols; c++) x[c] += V[c * k + i] * along / s[i];
  }
  if (basis) fb_orthogonal_complement(V, k, cols, rank, basis, cols, more);
  return cols - rank;
}

/* Gathers the columns of J of one kind: A (count x nrow), and their entries of tau. */
static int gather(const fb_model* m, inverse* x, const unsigned char* actuated, int kind, const double* tau) {
  int count = 0, n = m->top.nrow;
  for (int k = 0; k < m->top.nv; k++) {
    if ((actuated ? actuated[k] != 0 : 1) != kind) continue;
    for (int r = 0; r < n; r++) x->A[count * n + r] = x->J[(size_t)r * (size_t)m->top.nv + (size_t)k];
    x->b[count++] = tau[k];
  }
  return count;
}

/* b - A f of one entry. */
static double left_over(const inverse* x, int n, int i, const double* f) {
  double left = x->b[i];
  for (int r = 0; r < n; r++) left -= x->A[i * n + r] * f[r];
  return left;
}

/* The sum of the sizes of the terms of a row's acceleration. */
static double size_of_terms(const inverse* x, int nv, int row, const double* vdot, double acceleration) {
  double along = 0, size = 0;
  for (int k = 0; k < nv; k++) {
    double term = x->J[(size_t)row * (size_t)nv + (size_t)k] * vdot[k];
    along += term;
    size += fabs(term);
  }
  return size + fabs(acceleration - along);
}

static double most_terms(const inverse* x, const fb_model* m, const double* vdot,
                         const double* acceleration) {
  double most = 0;
  for (int r = 0; r < m->top.nrow; r++)
    most = fmax(most, size_of_terms(x, m->top.nv, r, vdot, acceleration[r]));
  return most;
}

/* Whether vdot opens a loop, by more than what rounds in J v' + J' v; after mixed dynamics with all of it prescribed. Rows
 * across a plane have no terms, and the rounding of the others. */
static fb_status check_closed(const fb_model* m, fb_data* d, const inverse* x, const double* v,
                              const double* vdot, fb_error* error) {
  static const double TYPED = 1e-6, /* part of the terms: numbers in files have some digits only */
      ROUNDED = 1e-12;              /* part of the terms of other rows */
  double* acceleration = d->row_rate;
  fb_rows_accelerations(m, d, v, vdot, acceleration);
  for (int loop = 0; loop < m->top.nloop; loop++)
    for (int r = m->top.loop_row[loop]; r < m->top.loop_row[loop + 1]; r++) {
      double open = fabs(acceleration[r]),
             bound = TYPED * (size_of_terms(x, m->top.nv, r, vdot, acceleration[r]) + TYPED);
      if (open <= bound || open <= bound + ROUNDED * most_terms(x, m, vdot, acceleration)) continue;
      return fb_fail(error, FB_ERR_NO_SOLUTION,
                     "the accelerations given open loop \"%s\" at %.3g m/s^2 or rad/s^2; give some that keep "
                     "it closed, as forward dynamics finds them",
                     fb_loop_name(m, loop), open);
    }
  return FB_OK;
}

/* f = J_u^T+ tau_u; then *free_ways columns of basis are forces that what is not actuated does not notice. */
static fb_status balance_passive(const fb_model* m, inverse* x, const unsigned char* actuated,
                                 const double* tau, double* f, int* free_ways, fb_error* error) {
  double size = fb_array_largest(tau, m->top.nv);
  int n = m->top.nrow, passive = gather(m, x, actuated, 0, tau);
  *free_ways = solve_least(x, x->A, passive, n, x->b, f, x->basis);
  for (int i = 0, k = -1; i < passive; i++) {
    double left = left_over(x, n, i, f);
    for (k++; actuated[k]; k++) continue;
    if (fabs(left) > 1e-8 * (size + fabs(x->b[i])) + 1e-12)
      return fb_fail(error, FB_ERR_NO_SOLUTION,
                     "the actuators given cannot produce this motion: joint \"%s\", which is not actuated, "
                     "would need %.3g N or N m",
                     fb_coordinate_joint_name(m, k), left);
  }
  return FB_OK;
}

/* Then f takes the rest from the actuators, as far as it can. */
static void relieve_actuators(const fb_model* m, inverse* x, const unsigned char* actuated, const double* tau,
                              int free_ways, double* f) {
  int n = m->top.nrow, driven = gather(m, x, actuated, 1, tau);
  for (int i = 0; i < driven; i++) {
    x->b[i] = left_over(x, n, i, f);
    for (int c = 0; c < free_ways; c++) {
      x->AN[i * free_ways + c] = 0;
      for (int r = 0; r < n; r++) x->AN[i * free_ways + c] += x->A[i * n + r] * x->basis[r * n + c];
    }
  }
  solve_least(x, x->AN, driven, free_ways, x->b, x->z, NULL);
  for (int r = 0; r < n; r++)
    for (int c = 0; c < free_ways; c++) f[r] += x->basis[r * n + c] * x->z[c];
}

static fb_status find_inverse(const fb_model* m, fb_data* d, const double* q, const double* v,
                              const double* vdot, const fb_loop_inverse_options* options, double* tau,
                              double* work, fb_error* error) {
  const unsigned char* actuated = options->actuated;
  int n = m->top.nrow, nv = m->top.nv, free_ways;
  inverse x = lay_out(m, work);
  double *f = d->row_force, *given = x.b;
  memcpy(given, vdot, (size_t)nv * sizeof *given);
  memset(tau, 0, (size_t)nv * sizeof *tau);
  fb_mixed_dynamics(m, d, q, v, x.prescribed, options->loads, given, tau);
  fb_rows_place(m, d, q);
  memset(x.J, 0, (size_t)n * (size_t)nv * sizeof *x.J);
  fb_rows_jacobian(m, d, x.J);
  x.least = 1e-10 * fb_array_largest(x.J, n * nv);
  fb_status status = check_closed(m, d, &x, v, vdot, error);
  if (!status) status = balance_passive(m, &x, actuated, tau, f, &free_ways, error);
  if (status) return status;
  relieve_actuators(m, &x, actuated, tau, free_ways, f);
  for (int i = 0; i < n; i++) f[i] = -f[i]; /* tau = tau_0 + J^T (-f) */
  fb_rows_push(m, d, f, tau);
  for (int i = 0; i < n; i++) f[i] = -f[i];
  d->forces_are_least = 1;
  for (int k = 0; k < nv; k++)
    if (actuated && !actuated[k]) tau[k] = 0;
  return FB_OK;
}

fb_loop_inverse_options fb_default_loop_inverse_options(void) {
  return (fb_loop_inverse_options){.cookie_ = FB_COOKIE};
}

fb_status fb_loop_inverse_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                                   const double* vdot, const fb_loop_inverse_options* options, double* tau,
                                   fb_error* error) {
  const fb_loop_inverse_options defaults = fb_default_loop_inverse_options();
  if (!options) options = &defaults;
  if (fb_cookie_check(options->cookie_, "loop_inverse_options", error)) return FB_ERR_ARG;
  double* own = NULL;
  if (!options->work) own = malloc(fb_loop_inverse_dynamics_work_size(m) * sizeof *own);
  if (!options->work && !own) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  fb_status status = find_inverse(m, d, q, v, vdot, options, tau, own ? own : options->work, error);
  free(own);
  return status;
}
