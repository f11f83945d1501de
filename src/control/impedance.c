/* impedance.c -- a frame that yields like a mass on a spring and a damper
 *
 *   F = K (path - position) + D (path' - velocity),  attitude: K e,  R_path = exp(e~) R
 *   tau: those that give the frame the acceleration path'' if the environment pushed with -F
 *
 * With forces F_e from outside the frame then accelerates as  a = path'' + J H^-1 J^T (F + F_e): the spring and damper act on the
 * inertia that the robot has at the frame, with a floating base too (Khatib 1987; Hogan 1985). On a base that does not
 * move this is tau = J^T F and the compensation of all that the model knows. Cost that of the frame's task. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "control/frame_task/frame_task.h"

typedef struct impedance {
  fb_task_style style; /* first */
  double stiffness[6], damping[6];
  int in_frame_axes;
} impedance;

static const char* const PARAMETERS[] = {"stiffness_scale", "decay", NULL};

fb_impedance fb_default_impedance(void) {
  return (fb_impedance){.task = fb_default_frame_task(), .decay = 2, .cookie_ = FB_COOKIE};
}

static void accelerate(const fb_task* task, const fb_data* d, const fb_frame_target* target,
                       const double off[6], const double v[6], const double* memory, double a[6]) {
  (void)task, (void)d, (void)off, (void)v, (void)memory;
  memcpy(a, target->a, sizeof target->a);
  memcpy(a + 3, target->wdot, sizeof target->wdot);
}

/* Springs and dampers along three axes, those of R when it is given: -f. */
static void yield(const double* stiffness, const double* damping, double scale, const double* R,
                  const double off[3], const double rate[3], double f[3]) {
  double e[3], de[3];
  memcpy(e, off, sizeof e);
  memcpy(de, rate, sizeof de);
  if (R) fb_rot_apply_transpose(R, e, e);
  if (R) fb_rot_apply_transpose(R, de, de);
  for (int i = 0; i < 3; i++) f[i] = -(scale * stiffness[i] * e[i] + damping[i] * de[i]);
  if (R) fb_rot_apply(R, f, f);
}

static void expect(const fb_task* task, const fb_data* d, double t, const double* memory, const double* state,
                   fb_wrench* wrench) {
  (void)state;
  const impedance* law = (const impedance*)(const void*)task->style;
  double off[6] = {0}, rate[6], R[9];
  fb_frame_target target;
  fb_task_error(task, d, t, memory, &target, off);
  fb_frame_pose(task->m, d, task->given.frame, NULL, R);
  fb_frame_velocity(task->m, d, task->given.frame, rate, rate + 3);
  for (int i = 0; i < 6; i++) rate[i] = (i < 3 ? target.v[i] : target.w[i - 3]) - rate[i];
  yield(law->stiffness, law->damping, memory[FB_TASK_KP], law->in_frame_axes ? R : NULL, off, rate,
        wrench->force);
  if (task->given.rows == 6)
    yield(law->stiffness + 3, law->damping + 3, memory[FB_TASK_KP], law->in_frame_axes ? R : NULL, off + 3,
          rate + 3, wrench->torque);
}

static void style_free(const fb_task_style* style) {
  free((void*)(uintptr_t)style);
}

static fb_status check(const char* name, const fb_impedance* given, fb_error* error) {
  static const char* const axes[6] = {"along x", "along y", "along z", "about x", "about y", "about z"};
  if (fb_cookie_check_of_block(name, given->cookie_, "impedance", error)) return FB_ERR_ARG;
  if (fb_cookie_check_of_block(name, given->task.cookie_, "frame_task", error)) return FB_ERR_ARG;
  if (given->task.by_motion || given->task.assume_still)
    return fb_fail(
        error, FB_ERR_ARG,
        "block \"%s\": impedance acts by force on the true state; leave by_motion and assume_still at 0",
        name ? name : "");
  for (int i = 0; i < 6; i++)
    if (!(given->stiffness[i] >= 0) || isinf(given->stiffness[i]) || !(given->damping[i] >= 0) ||
        isinf(given->damping[i]))
      return fb_fail(error, FB_ERR_ARG,
                     "block \"%s\": stiffness %g and damping %g %s must be finite and not negative",
                     name ? name : "", given->stiffness[i], given->damping[i], axes[i]);
  if (!(given->decay >= 0) || isinf(given->decay))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": decay is %g; it must be finite and not negative",
                   name ? name : "", given->decay);
  return FB_OK;
}

fb_status fb_block_new_impedance(const fb_model* m, const char* name, const fb_impedance* given,
                                 fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_status status = check(name, given, error);
  if (status) return status;
  impedance* law = calloc(1, sizeof *law);
  if (!law) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name ? name : "");
  fb_frame_task task = given->task;
  task.kp = 1;
  task.kd = given->decay;
  law->style = (fb_task_style){
      .parameters = PARAMETERS, .accelerate = accelerate, .expect = expect, .free = style_free};
  memcpy(law->stiffness, given->stiffness, sizeof law->stiffness);
  memcpy(law->damping, given->damping, sizeof law->damping);
  law->in_frame_axes = given->in_frame_axes;
  return fb_task_block(m, name, &task, &law->style, block, error);
}
