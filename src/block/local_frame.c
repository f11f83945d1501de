/* local_frame.c -- states relative to a frame that moves with the floating trees
 *
 *   q' = q - x_0 + (r - r_0) on every floating base,   v' = v - v_0,   x_0, r_0, v_0: of the base of the first floating tree
 *
 * Gaps, normals, arms and relative rates are the same in every frame that moves evenly. 7000 km from the origin coordinates are
 * rounded to 1e-9 m, and poses computed from them too: stiff forces between bodies would be rounded with them. Differences of
 * coordinates that are close to each other are exact. r is the rounding error of the sums that gave q (sim.h). */
#include "block/local_frame.h"

#include <stdlib.h>
#include <string.h>

#include <freebody/rotation.h>

#include "model/model.h"

static int make(fb_local_frame* f, const fb_model* m) {
  int nq = fb_model_nq(m), nv = fb_model_nv(m);
  f->q = malloc((size_t)(nq + nv) * sizeof *f->q);
  f->floats = calloc((size_t)m->top.nlink, 1);
  if (!fb_kinematics_cache_make(&f->cache, m) || !f->q || !f->floats) return 0;
  f->v = f->q + nq;
  for (int i = 0; i < f->nroot; i++) f->floats[f->roots[i].link] = 1;
  for (int i = 1; i < m->top.nlink; i++) f->floats[i] |= f->floats[m->top.link_parent[i]];
  return 1;
}

fb_local_frame* fb_local_frame_new(const fb_model* m, const fb_float_root* roots, int nroot) {
  fb_local_frame* f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->roots = roots;
  f->nroot = nroot;
  if (make(f, m)) return f;
  fb_local_frame_free(f);
  return NULL;
}

void fb_local_frame_free(fb_local_frame* f) {
  if (!f) return;
  fb_kinematics_cache_free(&f->cache);
  free(f->q);
  free(f->floats);
  free(f);
}

/* A vector of the world away from the translation of a floating base. */
static void take_away(const fb_float_root* root, const double x[3], double* base) {
  double rotated[3];
  fb_rot_apply_transpose(root->R_wj, x, rotated);
  for (int k = 0; k < 3; k++) base[k] -= rotated[k];
}

void fb_local_frame_enter(const fb_model* m, const fb_float_root* roots, int nroot, const double* q,
                          const double* v, const double* rest, double* to_q, double* to_v, double origin[3]) {
  double velocity[3], left[3] = {0, 0, 0};
  memcpy(to_q, q, (size_t)fb_model_nq(m) * sizeof *q);
  memcpy(to_v, v, (size_t)fb_model_nv(m) * sizeof *v);
  fb_rot_apply(roots->R_wj, q + roots->q_at, origin);
  fb_rot_apply(roots->R_wj, v + roots->v_at, velocity);
  if (rest) fb_rot_apply(roots->R_wj, rest, left);
  for (int i = 0; i < nroot; i++) {
    double* base = to_q + roots[i].q_at;
    take_away(&roots[i], origin, base);
    take_away(&roots[i], left, base);
    for (int k = 0; rest && k < 3; k++) base[k] += rest[3 * i + k];
    take_away(&roots[i], velocity, to_v + roots[i].v_at);
  }
}

int fb_context_floats(const fb_context* c, int frame) {
  const fb_local_frame* f = c->cache_ ? c->cache_->local : NULL;
  return f && f->floats[c->model->top.body_link[fb_frame_body(c->model, frame)]];
}

const fb_data* fb_context_local_kinematics(const fb_context* c, double origin[3]) {
  fb_local_frame* f = c->cache_->local;
  const double* rest = f->of == c->q ? f->rest : NULL;
  fb_local_frame_enter(c->model, f->roots, f->nroot, c->q, c->v, rest, f->q, f->v, origin);
  return fb_kinematics_cache_at(&f->cache, f->q, f->v);
}
