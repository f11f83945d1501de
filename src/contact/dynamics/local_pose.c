/* local_pose.c -- poses for contacts in a frame that moves with the floating bodies
 *
 * As those of compliant contacts (block/local_frame.c), but only where all sides of all hard contacts float; with a side on the
 * world, poses are the world's. */
#include <string.h>

#include <freebody/status.h>

#include "contact/dynamics/hard_problem.h"
#include "contact/dynamics/step_contact.h"
#include "sim/flow.h"

static int floats(const fb_sim* s, const fb_collider* colliders, int count) {
  for (int i = 0; i < count; i++)
    if (!fb_sim_floats(s, fb_frame_body(s->m, colliders[i].frame))) return 0;
  return 1;
}

fb_status fb_hard_local_start(fb_sim* s, fb_error* error) {
  fb_hard_contacts* w = s->contact.hard;
  int all = w->ncontact > 0;
  for (int c = 0; c < w->ncontact && all; c++) {
    const fb_contact* how = &fb_hard_contact(s, c)->how;
    all = floats(s, how->a, how->na) && floats(s, how->b, how->nb);
  }
  if (!all) return FB_OK;
  if (!fb_kinematics_cache_make(&w->local_cache, s->m) ||
      (s->parameters && fb_data_use(w->local_cache.d, s->parameters)))
    return fb_fail(error, FB_ERR_MEMORY, "no memory for %d contacts", w->ncontact);
  w->is_local = 1;
  return FB_OK;
}

void fb_hard_go_local(const fb_sim* s, const double* q, const double* v) {
  fb_hard_contacts* w = s->contact.hard;
  memset(w->origin, 0, sizeof w->origin);
  memcpy(w->local_q, q, (size_t)s->nq * sizeof *q);
  memcpy(w->local_v, v, (size_t)s->nv * sizeof *v);
  if (w->is_local)
    fb_local_frame_enter(s->m, s->tree.roots, s->tree.nfloat, q, v, NULL, w->local_q, w->local_v, w->origin);
}

fb_data* fb_hard_local_kinematics(fb_sim* s, const double* q) {
  fb_hard_contacts* w = s->contact.hard;
  return fb_kinematics_cache_at(w->is_local ? &w->local_cache : &s->cache, q, w->local_v);
}

fb_data* fb_hard_kinematics(fb_sim* s, const double* q, const double* v) {
  fb_hard_go_local(s, q, v);
  return fb_hard_local_kinematics(s, s->contact.hard->local_q);
}

const fb_data* fb_hard_poses(const fb_sim* s) {
  return s->contact.hard->is_local ? s->contact.hard->local_cache.d : s->cache.d;
}
