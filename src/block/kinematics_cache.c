/* kinematics_cache.c -- poses and velocities at a state, computed once and shared by all users of that state. */
#include "block/kinematics_cache.h"

#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>

int fb_kinematics_cache_make(fb_kinematics_cache* c, const fb_model* m) {
  int nq = fb_model_nq(m), nv = fb_model_nv(m);
  *c =
      (fb_kinematics_cache){.m = m, .q_size = (size_t)nq * sizeof *c->q, .v_size = (size_t)nv * sizeof *c->v};
  c->d = fb_data_new(m);
  c->q = malloc(c->q_size + c->v_size + sizeof *c->q);
  if (c->q) c->v = c->q + nq;
  return c->d && c->q;
}

void fb_kinematics_cache_free(fb_kinematics_cache* c) {
  fb_data_free(c->d);
  free(c->q);
}

fb_data* fb_kinematics_cache_at(fb_kinematics_cache* c, const double* q, const double* v) {
  if (c->known && memcmp(c->q, q, c->q_size) == 0 && memcmp(c->v, v, c->v_size) == 0) return c->d;
  memcpy(c->q, q, c->q_size);
  memcpy(c->v, v, c->v_size);
  c->known = 1;
  fb_kinematics(c->m, c->d, q, v, NULL);
  return c->d;
}
