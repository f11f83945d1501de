/* worst.h -- comparisons that remember the worst error of each kind, to be printed at the end; a determinant.
 * Include after near.h. */
#ifndef FB_TESTS_WORST_H
#define FB_TESTS_WORST_H

#include <string.h>

typedef struct worst {
  const char* what;
  double error;
} worst;
static worst table[32]; /* ends with an entry without a name */

/* assert_near_of, and remembers the worst relative error of everything called `what`. */
static inline void compare_of(double scale, const char* what, const double* got, const double* want, int n,
                              double tol) {
  worst* w = table;
  while (w->what && strcmp(w->what, what) != 0) w++;
  w->what = what;
  w->error = worse_of(w->error, relative_error(scale, got, want, n));
  assert_near_of(scale, what, got, want, n, tol);
}

static inline void compare(const char* what, const double* got, const double* want, int n, double tol) {
  compare_of(0, what, got, want, n, tol);
}

static inline int print_worst(void** unused) {
  (void)unused;
  for (worst* w = table; w->what; w++) print_message("worst error of %-44s %.1e\n", w->what, w->error);
  return 0;
}

/* Determinant by elimination with pivoting; A is overwritten. */
static inline double determinant(double* A, int n) {
  double det = 1;
  for (int c = 0; c < n; c++) {
    int p = c;
    for (int i = c; i < n; i++) p = fabs(A[n * i + c]) > fabs(A[n * p + c]) ? i : p;
    for (int k = 0; k < n && p != c; k++) {
      double x = A[n * c + k];
      A[n * c + k] = A[n * p + k];
      A[n * p + k] = -x;
    }
    det *= A[n * c + c];
    if (det == 0) return 0;
    for (int i = c + 1; i < n; i++)
      for (int k = n - 1; k >= c; k--) A[n * i + k] -= A[n * i + c] / A[n * c + c] * A[n * c + k];
  }
  return det;
}

#endif
