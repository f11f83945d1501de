/* lcp_wide.h -- linear complementarity problems whose numbers have very different sizes; see lcp_wide.c. */
#ifndef FB_MATH_LCP_WIDE_H
#define FB_MATH_LCP_WIDE_H

#include <freebody/lcp.h>

#include "base/private_api.h"

/* Doubles for problems of up to n unknowns. */
FB_PRIVATE_API size_t fb_lcp_wide_work_size(int n);
/* As fb_lcp_solve, of which it takes the memory for integers; slower, and for problems of any range of numbers. */
FB_PRIVATE_API fb_lcp_result fb_lcp_solve_wide(int n, const double* M, const double* q, double* z, double* w,
                                               double* work, int* basis);

#endif
