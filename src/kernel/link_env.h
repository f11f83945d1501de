/* link_env.h -- the environment as kernels see it: what acts on the links from outside. */
#ifndef FB_KERNEL_LINK_ENV_H
#define FB_KERNEL_LINK_ENV_H

typedef struct fb_link_env {
  double gravity_w[3]; /* uniform, world axes, the same for all lanes [m/s^2] */
  const double*
      wrench_l; /* [nlink][6] moment [N m], then force [N], on each link at its origin, world axes, as many
                             doubles a value as the kernel's numbers take; NULL: none */
} fb_link_env;

#endif
