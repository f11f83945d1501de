/* local_pose.c -- poses for contacts in a frame that goes with what floats
 *
 *   q' = q - x_0 on every floating base,   v' = v - v_0,   x_0, v_0: of the base of the first floating tree
 *
 * Gaps, normals, arms and relative rates are the same in every frame that moves evenly. 7000 km from the origin coordinates are
 * rounded to 1e-9 m, and differences of poses over a time in which everything moves by metres would be rounded with them. Differences of
 * coordinates that are close to each other are exact: so the poses of contacts are those of q', and what a state was rounded to is
 * the same number wherever it is looked at from. Only where all sides of all hard contacts float; with a side on the world, poses
 * are the world's. */
#include <string.h>

#include <freebody/rotation.h>
#include <freebody/status.h>

#include "contact/dynamics/hard_contact.h"

static int floats(const fb_sim* s, const fb_collider* colliders, int count) {
  for (int i = 0; i < count; i++)
    if (!fb_sim_floats(s, fb_frame_body(s->m, colliders[i].frame))) return 0;
  return 1;
}

fb_status fb_touch_near_start(fb_sim* s, fb_error* error) {
  fb_touching* w = s->touch;
  int all = w->ncontact > 0;
  for (int c = 0; c < w->ncontact && all; c++) {
    const fb_contact* how = &fb_touch_contact(s, c)->how;
    all = floats(s, how->a, how->na) && floats(s, how->b, how->nb);
  }
  if (!all) return FB_OK;
  if (!fb_kinematics_cache_make(&w->near, s->m) || (s->parameters && fb_data_use(w->near.d, s->parameters)))
    return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", w->ncontact);
  w->is_near = 1;
  return FB_OK;
}

/* A vector of the world away from the translation of every floating base. */
static void take_away(const fb_sim* s, const double x[3], int at_v, double* to) {
  for (int i = 0; i < s->nfloat; i++) {
    const fb_float_root* root = &s->roots[i];
    double own[3], *base = to + (at_v ? root->v_at : root->q_at);
    fb_rot_apply_transpose(root->R_wj, x, own);
    for (int k = 0; k < 3; k++) base[k] -= own[k];
  }
}

void fb_touch_go_near(const fb_sim* s, const double* q, const double* v) {
  fb_touching* w = s->touch;
  double velocity[3];
  const fb_float_root* first = &s->roots[0];
  memset(w->origin, 0, sizeof w->origin);
  memcpy(w->near_q, q, (size_t)s->nq * sizeof *q);
  memcpy(w->near_v, v, (size_t)s->nv * sizeof *v);
  if (!w->is_near) return;
  fb_rot_apply(first->R_wj, q + first->q_at, w->origin);
  fb_rot_apply(first->R_wj, v + first->v_at, velocity);
  take_away(s, w->origin, 0, w->near_q);
  take_away(s, velocity, 1, w->near_v);
}

fb_data* fb_touch_near_at(fb_sim* s, const double* q) {
  fb_touching* w = s->touch;
  return fb_kinematics_cache_at(w->is_near ? &w->near : &s->cache, q, w->near_v);
}

fb_data* fb_touch_kinematics(fb_sim* s, const double* q, const double* v) {
  fb_touch_go_near(s, q, v);
  return fb_touch_near_at(s, s->touch->near_q);
}

const fb_data* fb_touch_poses(const fb_sim* s) {
  return s->touch->is_near ? s->touch->near.d : s->cache.d;
}
