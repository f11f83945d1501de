/* frame_task_solve.h -- the damped pseudo-inverse of a small matrix times a vector. */
#ifndef FB_CONTROL_FRAME_TASK_SOLVE_H
#define FB_CONTROL_FRAME_TASK_SOLVE_H

#include <stddef.h>

/* Doubles of work. */
size_t fb_damped_work(int rows, int n);

/* y = A^T (A A^T + damping^2 E)^-1 x, A rows x n, row major. Without damping: the pseudo-inverse, singular values below
 * 1e-12 of the largest left out. What is not finite makes y NaN. */
void fb_damped_solve(const double* A, int rows, int n, const double* x, double damping, double* y,
                     double* work);
/* The same, but each singular value s below floor_part of the largest counts as s / (that part)^2 and not as 1 / s: exact
 * away from singular A, and bounded near it. Always by singular values. */
void fb_floored_solve(const double* A, int rows, int n, const double* x, double damping, double floor_part,
                      double* y, double* work);

#endif
