/* local_pose.c -- poses for contacts in a frame that goes with what floats
 *
 * As those of compliant contacts (block/local_frame.c), but only where all sides of all hard contacts float; with a side on the
 * world, poses are the world's. */
#include <string.h>

#include <freebody/status.h>

#include "contact/dynamics/hard_contact.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

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

void fb_touch_go_near(const fb_sim* s, const double* q, const double* v) {
  fb_touching* w = s->touch;
  memset(w->origin, 0, sizeof w->origin);
  memcpy(w->near_q, q, (size_t)s->nq * sizeof *q);
  memcpy(w->near_v, v, (size_t)s->nv * sizeof *v);
  if (w->is_near)
    fb_local_frame_enter(s->m, s->roots, s->nfloat, q, v, NULL, w->near_q, w->near_v, w->origin);
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
