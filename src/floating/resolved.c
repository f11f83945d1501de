/* resolved.c -- resolved motion, reaction null space and manipulability of a floating tree, by singular values
 *
 *   J* = U diag(s) V^T       damped pseudo-inverse  V diag(s / (s^2 + damping^2)) U^T
 *   resolved motion rate     v_m  = J*^+ (velocity - J_b H_b^-1 L)            (Umetani, Yoshida 1989)
 *   resolved acceleration    v_m' = J*^+ (acceleration - what it is at v_m' = 0)
 *   reaction null space      v_m orthogonal to the right singular vectors of rows of H_b^-1 H_bm
 *                            (Nenchev, Umetani, Yoshida 1992; Yoshida, Hashizume, Abiko 2001)
 *   manipulability           product of s
 *   coupling factor          largest s of the attitude rows of H_b^-1 H_bm
 * Of a tree with loops all of this is restricted to the rates v_m = N u that keep them closed (loops.c): J* N N^T is
 * decomposed, and H_b^-1 H_bm N.
 * Cost O(nj) for each, O(nj^2) for a null space. */
#include <math.h>
#include <string.h>

#include <freebody/jacobian.h>

#include "floating/floating.h"
#include "math/array.h"
#include "math/svd.h"

static const double LEFT_OUT = 1e-12;  /* of the largest, in a pseudo-inverse without damping */
static const double RANK_PART = 1e-10; /* of the largest, for the rank of a null space */
static const double ROUND_OFF = 1e-13; /* of the largest entry of G, likewise */

static int rank_at_most(const fb_floating* f, int rows) {
  return f->nj < rows ? f->nj : rows;
}

/* Decomposes J* of the frame into s, U, V; 0 when it is not there. */
static int decompose(const fb_floating* f, int frame) {
  fb_floating_jacobian(f, frame, f->Jstar);
  if (!fb_array_is_finite(f->Jstar, 6 * f->nj) || !fb_floating_has_frame(f, frame)) return 0;
  fb_floating_restrict(f, f->Jstar, 6);
  fb_svd(f->Jstar, 6, f->nj, f->s, f->U, f->V, f->work);
  return 1;
}

/* out = J*^+ x of the frame; returns the smallest singular value. */
static double pseudo_inverse(const fb_floating* f, int frame, const double x[6], double damping,
                             double* out) {
  int k = rank_at_most(f, 6), ok = decompose(f, frame) && fb_array_is_finite(x, 6);
  for (int j = 0; j < f->nj; j++) out[j] = ok ? 0 : NAN;
  if (!ok) return NAN;
  for (int c = 0; c < k; c++) {
    double along = 0, s = f->s[c];
    if (damping == 0 && s <= LEFT_OUT * f->s[0]) break;
    for (int row = 0; row < 6; row++) along += f->U[row * k + c] * x[row];
    along *= damping == 0 ? 1 / s : s / (s * s + damping * damping);
    for (int j = 0; j < f->nj; j++) out[j] += along * f->V[j * k + c];
  }
  fb_floating_restrict(f, out, 1); /* but for rounding, it is */
  return k > 0 ? f->s[k - 1] : 0;
}

/* x -= Jb y of the frame */
static void subtract_base_part(const fb_floating* f, int frame, const double y[6], double x[6]) {
  double Jb[36];
  fb_frame_jacobian_parts(f->m, f->d, frame, Jb, NULL);
  for (int row = 0; row < 6; row++)
    for (int k = 0; k < 6; k++) x[row] -= Jb[6 * row + k] * y[k];
}

double fb_floating_resolved_rate(const fb_floating* f, int frame, const double velocity[6], const double L[6],
                                 double damping, double* v_m) {
  double x[6], locked[6];
  memcpy(x, velocity, sizeof x);
  if (L) {
    memcpy(locked, L, sizeof locked);
    fb_floating_solve_base(f, locked);
    subtract_base_part(f, frame, locked, x);
  }
  return pseudo_inverse(f, frame, x, damping, v_m);
}

double fb_floating_resolved_acceleration(const fb_floating* f, int frame, const double acceleration[6],
                                         double damping, double* vdot_m) {
  double x[6], bias[6], base[6];
  fb_frame_bias_acceleration(f->m, f->d, f->v, frame, bias); /* J' v */
  fb_floating_base_acceleration(f, NULL, base);
  for (int i = 0; i < 6; i++) x[i] = acceleration[i] - bias[i];
  subtract_base_part(f, frame, base, x);
  if (f->nrow == 0) return pseudo_inverse(f, frame, x, damping, vdot_m);
  double forced[6];
  fb_floating_jacobian(f, frame, f->Jstar);
  fb_floating_apply(f, f->Jstar, f->held, forced);
  for (int i = 0; i < 6; i++) x[i] -= forced[i];
  double least = pseudo_inverse(f, frame, x, damping, vdot_m);
  for (int j = 0; j < f->nj; j++) vdot_m[j] += f->held[j];
  return least;
}

double fb_floating_manipulability(const fb_floating* f, int frame, double* singular) {
  int k = rank_at_most(f, 6), ok = decompose(f, frame);
  double product = k > 0;
  for (int c = 0; c < k; c++) {
    product *= ok ? f->s[c] : NAN;
    if (singular) singular[c] = ok ? f->s[c] : NAN;
  }
  return product;
}

/* Decomposes the last rows of G, by the motions that loops leave: G N, of *cols columns. 0 when H_b is singular. */
static int decompose_reaction(const fb_floating* f, int rows, int* cols) {
  const double* A = f->G + (6 - rows) * f->nj;
  if (!fb_array_is_finite(A, rows * f->nj)) return 0;
  *cols = f->nrow > 0 ? f->nfree : f->nj;
  for (int row = 0; f->nrow > 0 && row < rows; row++)
    for (int c = 0; c < f->nfree; c++) {
      double* x = &f->Jstar[row * f->nfree + c];
      *x = 0;
      for (int j = 0; j < f->nj; j++) *x += A[row * f->nj + j] * f->free_motions[j * f->nj + c];
    }
  if (*cols > 0) fb_svd(f->nrow > 0 ? f->Jstar : A, rows, *cols, f->s, f->U, f->V, f->work);
  return 1;
}

/* basis = N among: vectors given by the motions that loops leave. */
static void combine_motions(const fb_floating* f, int count, double* basis) {
  for (int j = 0; j < f->nj; j++)
    for (int c = 0; c < count; c++) {
      basis[j * f->nj + c] = 0;
      for (int k = 0; k < f->nfree; k++)
        basis[j * f->nj + c] += f->free_motions[j * f->nj + k] * f->among[k * f->nj + c];
    }
}

int fb_floating_reaction_null_space(const fb_floating* f, int rows, double* basis) {
  int all = rows == 3 ? 3 : 6, rank = 0, cols;
  if (f->nj == 0 || !decompose_reaction(f, all, &cols) || cols == 0) return 0;
  int k = cols < all ? cols : all;
  double largest = fb_array_largest(f->G, 6 * f->nj); /* rows that vanish altogether leave only round-off */
  while (rank < k && f->s[rank] > fmax(RANK_PART * f->s[0], ROUND_OFF * largest)) rank++;
  fb_orthogonal_complement(f->V, k, cols, rank, f->nrow > 0 ? f->among : basis, f->nj, f->work);
  if (f->nrow > 0) combine_motions(f, cols - rank, basis);
  return cols - rank;
}

double fb_floating_coupling(const fb_floating* f) {
  int cols;
  if (f->nj == 0) return 0;
  if (!decompose_reaction(f, 3, &cols)) return NAN;
  return cols > 0 ? f->s[0] : 0;
}
