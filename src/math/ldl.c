/* ldl.c -- A = L D L^T without square roots (Golub and Van Loan, 4.1). Cost n^3/6 and n^2. */
#include "math/ldl.h"

int fb_ldl_factor(double* A, int n) {
  for (int j = 0; j < n; j++) {
    double* row = A + j * n;
    double pivot = row[j];
    for (int k = 0; k < j; k++) pivot -= row[k] * row[k] * A[k * n + k];
    if (!(pivot > 0)) return j + 1;
    row[j] = pivot;
    for (int i = j + 1; i < n; i++) {
      double sum = A[i * n + j];
      for (int k = 0; k < j; k++) sum -= A[i * n + k] * row[k] * A[k * n + k];
      A[i * n + j] = sum / pivot;
    }
  }
  return 0;
}

void fb_ldl_solve(const double* A, int n, double* b) {
  for (int i = 0; i < n; i++)
    for (int k = 0; k < i; k++) b[i] -= A[i * n + k] * b[k];
  for (int i = 0; i < n; i++) b[i] /= A[i * n + i];
  for (int i = n - 1; i >= 0; i--)
    for (int k = i + 1; k < n; k++) b[i] -= A[k * n + i] * b[k];
}
