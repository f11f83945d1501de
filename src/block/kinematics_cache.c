/* kinematics_cache.c -- poses and velocities at a state, computed once and shared by all users of that state. */
#include "block/kinematics_cache.h"

#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>

int fb_kinematics_cache_make(fb_kinematics_cache* c, const fb_model* m) {
  size_t nq = (size_t)fb_model_nq(m), nv = (size_t)fb_model_nv(m);
  *c = (fb_kinematics_cache){.m = m, .d = fb_data_new(m), .q = malloc((nq + nv + 1) * sizeof *c->q)};
  if (c->q) c->v = c->q + nq;
  return c->d && c->q;
}

void fb_kinematics_cache_free(fb_kinematics_cache* c) {
  fb_data_free(c->d);
  free(c->q);
}

fb_data* fb_kinematics_cache_at(fb_kinematics_cache* c, const double* q, const double* v) {
  size_t q_size = (size_t)fb_model_nq(c->m) * sizeof *q, v_size = (size_t)fb_model_nv(c->m) * sizeof *v;
  if (c->known && memcmp(c->q, q, q_size) == 0 && memcmp(c->v, v, v_size) == 0) return c->d;
  memcpy(c->q, q, q_size);
  memcpy(c->v, v, v_size);
  c->known = 1;
  fb_kinematics(c->m, c->d, q, v, NULL);
  return c->d;
}
