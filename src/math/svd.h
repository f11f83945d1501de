/* svd.h -- singular values and vectors of a small dense matrix, and what is orthogonal to some of them.
 *
 * Matrices are row major. */
#ifndef FB_MATH_SVD_H
#define FB_MATH_SVD_H

#include <stddef.h>

/* Doubles of work for fb_svd. */
size_t fb_svd_work(int rows, int cols);

/* A = U diag(s) V^T with k = min(rows, cols): s (k) largest first, U rows x k, V cols x k. A stays. The k x k one
 * of U and V (V when both are) is orthogonal; in the other, columns of vanished singular values (below
 * 1e-14 of the largest) are zero. */
void fb_svd(const double* A, int rows, int cols, double* s, double* U, double* V, double* work);

/* For r independent columns V (n x r, row stride v_stride) an orthonormal basis of all that is orthogonal
 * to them: n - r columns of basis (row stride basis_stride). work holds r * n + r doubles. */
void fb_orthogonal_complement(const double* V, int v_stride, int n, int r, double* basis, int basis_stride,
                              double* work);

#endif
