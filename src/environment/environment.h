/* environment.h -- the uniform part of an environment and the rest of it, which dynamics and the ledger treat separately. */
#ifndef FB_ENVIRONMENT_ENVIRONMENT_H
#define FB_ENVIRONMENT_ENVIRONMENT_H

#include <freebody/environment.h>

/* Whether there is more than uniform gravity. */
static inline int fb_environment_has_rest(const fb_environment* e) {
  return e->body_gravity_w || e->acceleration;
}

/* The environment without uniform gravity. */
static inline fb_environment fb_environment_rest(const fb_environment* e) {
  fb_environment rest = *e;
  rest.gravity_w[0] = rest.gravity_w[1] = rest.gravity_w[2] = 0;
  return rest;
}

/* Uniform gravity; none where each body has its own. */
static inline void fb_environment_uniform(const fb_environment* e, double gravity_w[3]) {
  for (int i = 0; i < 3; i++) gravity_w[i] = e->body_gravity_w ? 0 : e->gravity_w[i];
}

#endif
