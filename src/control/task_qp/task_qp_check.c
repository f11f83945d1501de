/* task_qp_check.c -- the definition of a task_qp law: its defaults, and what is wrong with it. */
#include <math.h>

#include <freebody/status.h>

#include "base/cookie.h"
#include "block/coordinate.h"
#include "control/task_qp/task_qp_new.h"
#include "math/vector3.h"
#include "model/model.h"

enum { MOST_SIDES = 64, MOST_PRIORITY = 1000 };

fb_qp_task fb_default_qp_task(void) {
  return (fb_qp_task){
      .priority = 1, .weight = 1, .kp = 1, .kd = 2, .frame = -1, .axes = 7, .cookie_ = FB_COOKIE};
}

fb_qp_contact fb_default_qp_contact(void) {
  return (fb_qp_contact){.frame = -1,
                         .normal_w = {0, 0, 1},
                         .friction = 0.5,
                         .sides = 8,
                         .stance = 1,
                         .priority = 1,
                         .weight = 1,
                         .cookie_ = FB_COOKIE};
}

fb_task_qp fb_default_task_qp(void) {
  return (fb_task_qp){.effort = NAN, .decay = 1, .cookie_ = FB_COOKIE};
}

static fb_status check_rank(const char* name, const char* what, int index, int priority, double weight,
                            fb_error* error) {
  if (priority < 0 || priority > MOST_PRIORITY)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\", %s %d: priority is %d; use 0, the first, to %d", name,
                   what, index, priority, MOST_PRIORITY);
  if (!(weight > 0) || isinf(weight))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\", %s %d: weight is %g; it must be finite and positive",
                   name, what, index, weight);
  return FB_OK;
}

static fb_status check_task(const fb_model* m, const char* name, const fb_qp_task* task, int index,
                            fb_error* error) {
  int com = task->kind == FB_QP_TASK_CENTRE_OF_MASS, last = com ? fb_model_nbody(m) : fb_model_nframe(m);
  if (fb_cookie_check_of_block(name, task->cookie_, "qp_task", error)) return FB_ERR_ARG;
  fb_status status = check_rank(name, "task", index, task->priority, task->weight, error);
  if (status) return status;
  if (task->kind != FB_QP_TASK_FRAME && task->kind != FB_QP_TASK_POSTURE && !com)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", task %d: its kind is %d; use FB_QP_TASK_FRAME, FB_QP_TASK_CENTRE_OF_MASS "
                   "or FB_QP_TASK_POSTURE",
                   name, index, (int)task->kind);
  if (task->kind == FB_QP_TASK_POSTURE && !task->joints)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\", task %d: a posture needs joints", name, index);
  if (task->kind == FB_QP_TASK_POSTURE) return FB_OK;
  if (task->frame < 0 || task->frame >= last)
    return fb_fail(error, FB_ERR_NAME, "block \"%s\", task %d: %s %d does not exist; the model has 0 to %d",
                   name, index, com ? "body" : "frame", task->frame, last - 1);
  if (!isfinite(task->kp) || !isfinite(task->kd))
    return fb_fail(error, FB_ERR_NOT_FINITE, "block \"%s\", task %d: kp %g and kd %g must be finite", name,
                   index, task->kp, task->kd);
  if (task->axes < 1 || task->axes > (com ? 7 : 63))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\", task %d: axes is %d; set bits 0 to 2 for x, y, z%s",
                   name, index, task->axes, com ? "" : ", 3 to 5 for the attitude about them");
  return FB_OK;
}

static fb_status check_contact(const fb_model* m, const char* name, const fb_task_qp* law, int index,
                               fb_error* error) {
  const fb_qp_contact* c = &law->contacts[index];
  if (fb_cookie_check_of_block(name, c->cookie_, "qp_contact", error)) return FB_ERR_ARG;
  double length = norm3(c->normal_w);
  fb_status status = check_rank(name, "contact", index, c->priority, c->weight, error);
  if (status) return status;
  if (c->frame < 1 || c->frame >= fb_model_nframe(m))
    return fb_fail(error, FB_ERR_NAME,
                   "block \"%s\", contact %d: frame %d does not exist; the model has 1 to %d", name, index,
                   c->frame, fb_model_nframe(m) - 1);
  for (int i = 0; i < index; i++)
    if (law->contacts[i].frame == c->frame)
      return fb_fail(error, FB_ERR_ARG, "block \"%s\": contacts %d and %d have the same frame, \"%s\"", name,
                     i, index, fb_frame_name(m, c->frame));
  if (!isfinite(length) || !(length > 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", contact %d: its normal (%g, %g, %g) has no direction; give three finite "
                   "numbers that are not all zero",
                   name, index, c->normal_w[0], c->normal_w[1], c->normal_w[2]);
  if (!(c->friction >= 0) || isinf(c->friction) || !(c->kd >= 0) || isinf(c->kd))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", contact %d: friction %g and kd %g must be finite and not negative", name,
                   index, c->friction, c->kd);
  if (c->sides < 3 || c->sides > MOST_SIDES)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\", contact %d: a pyramid of %d sides; use 3 to %d", name,
                   index, c->sides, MOST_SIDES);
  return FB_OK;
}

static fb_status check_coordinates(const fb_model* m, const char* name, const fb_task_qp* law,
                                   fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; law->coordinates && i < law->ncoordinate && !status; i++) {
    status = fb_coordinate_check(m, name, law->coordinates[i], error);
    for (int j = 0; j < i && !status; j++)
      if (law->coordinates[j] == law->coordinates[i])
        status = fb_fail(error, FB_ERR_ARG, "block \"%s\" has coordinate %d, of joint \"%s\", twice", name,
                         law->coordinates[i], fb_coordinate_joint_name(m, law->coordinates[i]));
  }
  return status;
}

fb_status fb_task_qp_check(const fb_model* m, const char* name, const fb_task_qp* law, fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a task_qp block needs a name");
  if (fb_cookie_check_of_block(name, law->cookie_, "task_qp", error)) return FB_ERR_ARG;
  if (law->ntask < 1 || !law->tasks)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": give at least one task", name);
  if (!(isnan(law->effort) || law->effort >= 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": effort is %g; give the largest force as a number that is not negative, "
                   "INFINITY for no bound, NAN for the model's",
                   name, law->effort);
  if (!(law->decay >= 0) || isinf(law->decay))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": decay is %g; it must be finite and not negative", name,
                   law->decay);
  fb_status status = check_coordinates(m, name, law, error);
  for (int i = 0; i < law->ntask && !status; i++) status = check_task(m, name, &law->tasks[i], i, error);
  for (int i = 0; i < law->ncontact && !status; i++) status = check_contact(m, name, law, i, error);
  return status;
}
