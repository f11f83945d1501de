/* ldl.inl -- a symmetric positive definite 6x6 system in fb_real, A = L D L^T
 *
 * Each pivot updates all that follows at once (right-looking), so that the next one is ready soonest: the
 * six divisions are the critical path. Row major, lower triangle read; A and b are overwritten, b with
 * the solution; reciprocal[6] gets one over each pivot. */
#ifndef FB_KERNEL_LDL_INL
#define FB_KERNEL_LDL_INL

#include "kernel/real.h"

FB_K void fb_k_ldl6_solve(fb_real* A, fb_real* b, fb_real* reciprocal) {
  FB_UNROLL(6)
  for (int j = 0; j < 6; j++) {
    reciprocal[j] = fb_reciprocal(A[7 * j]);
    FB_UNROLL(6)
    for (int i = j + 1; i < 6; i++) {
      fb_real l = A[6 * i + j] * reciprocal[j];
      FB_UNROLL(6)
      for (int k = j + 1; k <= i; k++) A[6 * i + k] = A[6 * i + k] - l * A[6 * k + j];
      b[i] = b[i] - l * b[j];
    }
  }
  FB_UNROLL(6)
  for (int i = 5; i >= 0; i--) {
    fb_real sum = b[i];
    FB_UNROLL(6)
    for (int k = i + 1; k < 6; k++) sum = sum - A[6 * k + i] * b[k];
    b[i] = sum * reciprocal[i];
  }
}

#endif
