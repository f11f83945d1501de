/* coordinate.c -- checks of the coordinate that a block drives, and where it is after a join or parting. */
#include "block/coordinate.h"

#include <freebody/join.h>
#include <freebody/status.h>

#include "model/model.h"

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
  if (fb_coordinate_q_index(m, k) < 0)
    return fb_fail(error, FB_ERR_JOINT,
                   "block \"%s\": coordinate %d belongs to the attitude of the %s joint \"%s\", which has no "
                   "angle of its own to follow; choose a coordinate that is a plain angle or length",
                   block, k, fb_joint_type_name(fb_joint_type_of(m, fb_coordinate_body(m, k))),
                   fb_coordinate_joint_name(m, k));
  return FB_OK;
}

int fb_coordinate_in(const fb_model* first, int k, const fb_model* now) {
  return first == now ? k : fb_model_coordinate_from(now, first, k);
}

fb_status fb_coordinate_note_removed(const fb_model* first, int k, fb_error* error) {
  return fb_fail(error, FB_OK, "joint \"%s\" has gone, so the block does nothing there until it is back",
                 fb_coordinate_joint_name(first, k));
}
