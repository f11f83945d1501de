/* instance_complex.c -- the kernels for complex numbers: complex-step derivatives check analytic ones. */
#define FB_COMPLEX
#define FB_TYPE cx
#include "kernel/instance.inl"
