/* link_env.h -- the environment as kernels see it: what acts on the links from outside. */
#ifndef FB_KERNEL_LINK_ENV_H
#define FB_KERNEL_LINK_ENV_H

#include <stddef.h>

typedef struct fb_link_env {
  double gravity_w[3]; /* uniform, world axes, the same for all lanes [m/s^2] */
  const double*
      wrench_l; /* [nlink][6] moment [N m], then force [N], on each link at its origin, world axes, as many
                             doubles a value as the kernel's numbers take; NULL: none */
} fb_link_env;

/* No gravity and no wrenches. */
static inline fb_link_env fb_empty_space(void) {
  fb_link_env env = {{0, 0, 0}, NULL};
  return env;
}

#endif
