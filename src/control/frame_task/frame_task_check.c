/* frame_task_check.c -- the definition of a frame's task: its defaults, and what is wrong with it. */
#include <math.h>

#include <freebody/status.h>

#include "base/cookie.h"
#include "control/frame_task/frame_task.h"

fb_frame_task fb_default_frame_task(void) {
  return (fb_frame_task){.frame = -1, .rows = 6, .kp = 1, .kd = 2, .effort = INFINITY, .cookie_ = FB_COOKIE};
}

static fb_status check_numbers(const char* name, const fb_frame_task* given, fb_error* error) {
  if (!isfinite(given->kp) || !isfinite(given->kd))
    return fb_fail(error, FB_ERR_NOT_FINITE, "block \"%s\": kp %g and kd %g must be finite", name, given->kp,
                   given->kd);
  if (!(given->damping >= 0) || isinf(given->damping))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": damping is %g; it must be finite and not negative", name,
                   given->damping);
  if (!(given->effort >= 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": effort is %g; give the largest force as a number that is not negative, "
                   "INFINITY for no bound",
                   name, given->effort);
  return FB_OK;
}

static fb_status check_choices(const char* name, const fb_frame_task* given, fb_error* error) {
  if (given->rows != 3 && given->rows != 6)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": rows is %d; 3 is position, 6 is position and attitude",
                   name, given->rows);
  if (given->rows == 3 && given->path.turn)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": its path turns the frame, but with rows 3 the attitude is free; use rows "
                   "6, or leave the turn out",
                   name);
  if (given->by_motion && isfinite(given->effort))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": effort is %g, but by_motion the joints get the force that it takes; leave "
                   "one of them out",
                   name, given->effort);
  if (given->keep_base && given->assume_still)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": keep_base accounts for the motion of the base, assume_still excludes it; "
                   "leave one of them out",
                   name);
  return FB_OK;
}

const char* fb_task_frame_name(const fb_model* m, int frame) {
  return frame < m->top.nframe ? fb_frame_name(m, frame) : fb_body_name(m, m->top.site_body[frame]);
}

fb_status fb_task_check_from(const fb_model* m, const char* name, const fb_frame_task* given,
                             fb_error* error) {
  int body = m->top.site_body[given->frame];
  if (given->from < 0 || given->from >= m->top.nbody)
    return fb_fail(error, FB_ERR_NAME,
                   "block \"%s\": from is body %d, which does not exist; the model has 1 to %d, and 0 means "
                   "the base of the frame's tree",
                   name, given->from, m->top.nbody - 1);
  while (body > 0 && body != given->from) body = m->top.body_parent[body];
  if (given->from && body != given->from)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": body \"%s\" does not carry frame \"%s\"; let `from` be a body between the "
                   "world and the frame",
                   name, fb_body_name(m, given->from), fb_task_frame_name(m, given->frame));
  return FB_OK;
}

fb_status fb_task_check(const fb_model* m, const char* name, const fb_frame_task* given, fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a frame task block needs a name");
  if (fb_cookie_check_of_block(name, given->cookie_, "frame_task", error)) return FB_ERR_ARG;
  if (given->frame < 0 || given->frame >= m->top.nsite)
    return fb_fail(error, FB_ERR_NAME,
                   "block \"%s\": frame %d does not exist; the model has 0 to %d, and fb_model_find_frame "
                   "finds them by name",
                   name, given->frame, m->top.nsite - 1);
  fb_status status = fb_task_check_from(m, name, given, error);
  if (!status) status = check_numbers(name, given, error);
  return status ? status : check_choices(name, given, error);
}
