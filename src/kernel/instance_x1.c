/* instance_x1.c -- the kernels for one robot, plain doubles. */
#define FB_LANES 1
#define FB_TYPE x1
#include "kernel/instance.inl"
