/* ldl.inl -- a symmetric positive definite 6x6 system in fb_real, A = L D L^T
 *
 * Row major, lower triangle read; A and b are overwritten, b with the solution. */
#ifndef FB_KERNEL_LDL_INL
#define FB_KERNEL_LDL_INL

#include "kernel/real.h"

FB_K void fb_k_ldl6_solve(fb_real* A, fb_real* b) {
  fb_real reciprocal[6], scaled[6];
  for (int k = 0; k < 6; k++) reciprocal[k] = scaled[k] = fb_set(0.0);
  for (int j = 0; j < 6; j++) {
    fb_real pivot = A[7 * j];
    for (int k = 0; k < j; k++) { /* A[j][k] holds L D so far */
      scaled[k] = A[6 * j + k] * reciprocal[k];
      pivot = pivot - scaled[k] * A[6 * j + k];
    }
    reciprocal[j] = 1.0 / pivot;
    for (int i = j + 1; i < 6; i++)
      for (int k = 0; k < j; k++) A[6 * i + j] = A[6 * i + j] - A[6 * i + k] * scaled[k];
    for (int k = 0; k < j; k++) b[j] = b[j] - scaled[k] * b[k];
    for (int k = 0; k < j; k++) A[6 * j + k] = scaled[k];
  }
  for (int i = 5; i >= 0; i--) {
    b[i] = b[i] * reciprocal[i];
    for (int k = i + 1; k < 6; k++) b[i] = b[i] - A[6 * k + i] * b[k];
  }
}

#endif
