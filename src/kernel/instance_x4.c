/* instance_x4.c -- the kernels for four robots, one a lane. */
#define FB_LANES 4
#define FB_TYPE x4
#include "kernel/instance.inl"
