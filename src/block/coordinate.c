/* coordinate.c -- the coordinate that a block drives: whose it is, and where it stands in q. */
#include "block/coordinate.h"

#include "base/error.h"
#include "model/model.h"

int fb_coordinate_body(const fb_model* m, int k) {
  for (int b = 1; b < m->top.nbody; b++)
    if (k >= m->top.body_v[b] && k < m->top.body_v[b] + fb_joint_nv(m, b)) return b;
  return FB_WORLD;
}

int fb_coordinate_q_at(const fb_model* m, int k) {
  int body = fb_coordinate_body(m, k), i = k - m->top.body_v[body];
  if (body == FB_WORLD) return -1;
  fb_joint_type type = fb_joint_type_of(m, body);
  if (type == FB_JOINT_SPHERICAL || (type == FB_JOINT_FREE && i >= 3)) return -1;
  return m->top.body_q[body] + i;
}

fb_status fb_coordinate_check(const fb_model* m, const char* block, int k, fb_error* error) {
  if (k < 0 || k >= m->top.nv)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": coordinate %d does not exist; the model has %d, counted from 0", block, k,
                   m->top.nv);
  return FB_OK;
}

fb_status fb_coordinate_check_plain(const fb_model* m, const char* block, int k, fb_error* error) {
  fb_status status = fb_coordinate_check(m, block, k, error);
  if (status) return status;
  if (fb_coordinate_q_at(m, k) < 0)
    return fb_fail(error, FB_ERR_JOINT,
                   "block \"%s\": coordinate %d belongs to the attitude of the %s joint \"%s\", which has no "
                   "angle of its own to follow; choose a coordinate that is a plain angle or length",
                   block, k, fb_joint_type_name(fb_joint_type_of(m, fb_coordinate_body(m, k))),
                   fb_joint_name(m, fb_coordinate_body(m, k)));
  return FB_OK;
}
