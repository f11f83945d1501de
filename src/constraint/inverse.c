/* inverse.c -- joint forces for a given motion of a mechanism with loops
 *
 *   tau = tau_0 - J^T f,   tau_u = 0 for what is not actuated,   sum of tau_a^2 least
 *
 * tau_0 is that of the tree. With J_u and J_a the columns of both kinds: f = J_u^T+ tau_u + N z, N spanning what J_u^T does
 * not see, and z = (J_a^T N)^+ (tau_a - J_a^T J_u^T+ tau_u). */
#include <freebody/loop.h>

#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "constraint/rows.h"
#include "math/svd.h"

/* Sizes of what is solved: rows of loops, coordinates. Each system has at most `long` equations. */
size_t fb_loop_inverse_work(const fb_model* m) {
  size_t n = (size_t)m->top.nrow, nv = (size_t)m->top.nv, least = n < nv ? n : nv;
  size_t svd = fb_svd_work(m->top.nv, m->top.nrow);
  return 2 * n * nv + 3 * nv * (least + 1) + 3 * n * (n + 1) + 2 * (n + nv) + svd + n * nv;
}

/* Least squares: x (cols) with A x nearest to b, and the least of those; what A does not see into basis (cols x cols, its
 * number returned). All of work is scratch. */
static int solve_least(const double* A, int rows, int cols, const double* b, double* x, double* basis,
                       double* work) {
  int k = rows < cols ? rows : cols, rank = 0;
  double *s = work, *U = s + k, *V = U + (size_t)rows * (size_t)k, *more = V + (size_t)cols * (size_t)k;
  memset(x, 0, (size_t)cols * sizeof *x);
  if (k > 0) fb_svd(A, rows, cols, s, U, V, more);
  while (rank < k && s[rank] > 1e-10 * s[0]) rank++;
  for (int i = 0; i < rank; i++) {
    double along = 0;
    for (int r = 0; r < rows; r++) along += U[r * k + i] * b[r];
    for (int c = 0; c < cols; c++) x[c] += V[c * k + i] * along / s[i];
  }
  if (basis) fb_orthogonal_complement(V, k, cols, rank, basis, cols, more);
  return cols - rank;
}

/* Gathers the columns of J of one kind: A (count x nrow), and their entries of tau. */
static int gather(const fb_model* m, const double* J, const unsigned char* actuated, int kind,
                  const double* tau, double* A, double* b) {
  int count = 0, n = m->top.nrow;
  for (int k = 0; k < m->top.nv; k++) {
    if ((actuated ? actuated[k] != 0 : 1) != kind) continue;
    for (int r = 0; r < n; r++) A[count * n + r] = J[(size_t)r * (size_t)m->top.nv + (size_t)k];
    b[count++] = tau[k];
  }
  return count;
}

static double largest(const double* x, int n) {
  double most = 0;
  for (int i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

fb_status fb_loop_inverse_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                                   const double* vdot, const fb_loads* loads, const unsigned char* actuated,
                                   double* tau, double* work, fb_error* error) {
  int n = m->top.nrow, nv = m->top.nv;
  fb_inverse_dynamics(m, d, q, v, vdot, loads, tau);
  double *J = work, *A = J + (size_t)n * (size_t)nv, *b = A + (size_t)n * (size_t)nv, *basis = b + nv,
         *z = basis + (size_t)n * (size_t)n, *AN = z + n, *more = AN + (size_t)n * (size_t)nv;
  double size = largest(tau, nv), *f = d->row_force;
  fb_kinematics(m, d, q, NULL, NULL);
  fb_rows_place(m, d, q);
  memset(J, 0, (size_t)n * (size_t)nv * sizeof *J);
  fb_rows_jacobian(m, d, J);
  int passive = gather(m, J, actuated, 0, tau, A, b), driven;
  int free_ways = solve_least(A, passive, n, b, f, basis, more);
  for (int i = 0; i < passive; i++) {
    double left = b[i];
    for (int r = 0; r < n; r++) left -= A[i * n + r] * f[r];
    if (fabs(left) > 1e-8 * (size + fabs(b[i])) + 1e-12)
      return fb_fail(
          error, FB_ERR_NO_SOLUTION,
          "the actuators given cannot produce this motion: a force of %.3g N or N m is missing at a joint "
          "without one",
          fabs(left));
  }
  driven = gather(m, J, actuated, 1, tau, A, b);
  for (int i = 0; i < driven; i++) {
    for (int r = 0; r < n; r++) b[i] -= A[i * n + r] * f[r];
    for (int c = 0; c < free_ways; c++) {
      AN[i * free_ways + c] = 0;
      for (int r = 0; r < n; r++) AN[i * free_ways + c] += A[i * n + r] * basis[r * n + c];
    }
  }
  if (free_ways > 0) {
    solve_least(AN, driven, free_ways, b, z, NULL, more);
    for (int r = 0; r < n; r++)
      for (int c = 0; c < free_ways; c++) f[r] += basis[r * n + c] * z[c];
  }
  for (int i = 0; i < n; i++) f[i] = -f[i]; /* tau = tau_0 + J^T (-f) */
  fb_rows_push(m, d, f, tau);
  for (int i = 0; i < n; i++) f[i] = -f[i];
  d->forces_are_least = 1;
  for (int k = 0; k < nv; k++)
    if (actuated && !actuated[k]) tau[k] = 0;
  return FB_OK;
}
