/* instance_x8.c -- the kernels for eight robots, one a lane. */
#define FB_LANES 8
#define FB_TYPE x8
#include "kernel/instance.inl"
