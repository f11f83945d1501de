/* force_position.c -- a frame that presses along some directions and follows its path along the others
 *
 *   along a direction n of force:  f = desired + ki s,  s' = desired - measured (0 while nothing is measured),  a_n = -kd v_n
 *   elsewhere                      a = path'' + kd (path' - velocity) + kp (path - position)
 *   tau: those that give the frame these accelerations while the environment pushes back with -f n
 *
 * so that contact at rest has exactly the force f, and motion along the surface does not feel it, whatever the robot's
 * inertia and with a floating base too (Raibert and Craig 1981; Khatib 1987). Cost that of the frame's task. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>
#include <freebody/status.h>

#include "base/cookie.h"
#include "base/copy_text.h"
#include "control/frame_task/frame_task.h"
#include "math/vector3.h"

enum { MOST = 3 };

typedef struct force_position {
  fb_task_style style; /* first */
  int count;
  fb_force_axis force_axes[MOST]; /* directions of length one; force and name of its own */
  int state[MOST];                /* of the integral; -1: none */
  fb_port inputs[MOST];
} force_position;

static const char* const PARAMETERS[] = {"kp", "kd", NULL};

fb_force_axis fb_default_force_axis(void) {
  return (fb_force_axis){.direction = {0, 0, -1}, .cookie_ = FB_COOKIE};
}

fb_force_position fb_default_force_position(void) {
  return (fb_force_position){.task = fb_default_frame_task(), .cookie_ = FB_COOKIE};
}

static const force_position* law_of(const fb_task* task) {
  return (const force_position*)(const void*)task->style;
}

/* --- in motion --- */

/* In world axes. */
static void direction_of(const fb_task* task, const fb_data* d, const fb_force_axis* press, double n[3]) {
  double R[9];
  memcpy(n, press->direction, sizeof press->direction);
  if (press->axes_of <= FB_WORLD) return;
  fb_frame_pose(task->m, d, press->axes_of, NULL, R);
  fb_rot_apply(R, n, n);
}

static double desired(const fb_force_axis* press, double t) {
  double f;
  fb_spline_eval(press->force, t, &f, NULL, NULL);
  return f;
}

static void accelerate(const fb_task* task, const fb_data* d, const fb_frame_target* target,
                       const double off[6], const double v[6], const double* memory, double a[6]) {
  const force_position* law = law_of(task);
  fb_task_follow(task, d, target, off, v, memory, a);
  for (int i = 0; i < law->count; i++) {
    double n[3];
    direction_of(task, d, &law->force_axes[i], n);
    add_scaled3(a, -dot3(n, a) - memory[FB_TASK_KD] * dot3(n, v), n);
  }
}

static void expect(const fb_task* task, const fb_data* d, double t, const double* memory, const double* state,
                   fb_wrench* wrench) {
  (void)memory;
  const force_position* law = law_of(task);
  for (int i = 0; i < law->count; i++) {
    const fb_force_axis* press = &law->force_axes[i];
    double n[3], f = desired(press, t);
    if (law->state[i] >= 0) f += press->ki * state[law->state[i]];
    direction_of(task, d, press, n);
    add_scaled3(wrench->force, -f, n);
  }
}

static void rate(const fb_task* task, const fb_context* context, double* state_rate) {
  const force_position* law = law_of(task);
  for (int i = 0; i < law->count; i++) {
    int at = law->state[i];
    if (at < 0) continue;
    double measured = context->inputs ? context->inputs[at] : 0;
    state_rate[at] = measured == 0 ? 0 : desired(&law->force_axes[i], context->t) - measured;
  }
}

static double next_edge(const fb_task_style* style, double t) {
  const force_position* law = (const force_position*)(const void*)style;
  double next = INFINITY;
  for (int i = 0; i < law->count; i++) next = fmin(next, fb_spline_next_knot(law->force_axes[i].force, t));
  return next;
}

/* --- set-up --- */

static void style_free(const fb_task_style* style) {
  force_position* law = (force_position*)(uintptr_t)style;
  for (int i = 0; i < law->count; i++) {
    fb_spline_free((fb_spline*)(uintptr_t)law->force_axes[i].force); /* a copy */
    free((void*)(uintptr_t)law->force_axes[i].measured);
  }
  free(law);
}

static fb_status check_force_axis(const fb_model* m, const char* name, const fb_force_axis* press, int i,
                                  fb_error* error) {
  if (fb_cookie_check_of_block(name, press->cookie_, "force_axis", error)) return FB_ERR_ARG;
  double length = norm3(press->direction);
  if (!isfinite(length) || !(length > 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", press %d: its direction (%g, %g, %g) has no length; give three finite "
                   "numbers that are not all zero",
                   name, i, press->direction[0], press->direction[1], press->direction[2]);
  if (press->axes_of < 0 || press->axes_of >= fb_model_nframe(m))
    return fb_fail(error, FB_ERR_NAME,
                   "block \"%s\", press %d: frame %d does not exist; the model has 0 to %d", name, i,
                   press->axes_of, fb_model_nframe(m) - 1);
  if (!press->force) return fb_fail(error, FB_ERR_ARG, "block \"%s\", press %d: give it a force", name, i);
  if (!(press->ki >= 0) || isinf(press->ki))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\", press %d: ki is %g; it must be finite and not negative",
                   name, i, press->ki);
  if ((press->ki > 0) != (press->measured != NULL))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", press %d: ki and the measured force belong together; give both or none",
                   name, i);
  return FB_OK;
}

static fb_status check(const fb_model* m, const char* name, const fb_force_position* given, fb_error* error) {
  if (fb_cookie_check_of_block(name, given->cookie_, "force_position", error) ||
      fb_cookie_check_of_block(name, given->task.cookie_, "frame_task", error))
    return FB_ERR_ARG;
  if (given->task.by_motion || given->task.assume_still)
    return fb_fail(
        error, FB_ERR_ARG,
        "block \"%s\": force_position acts by force on the true state; leave by_motion and assume_still at 0",
        name);
  if (given->count < 1 || given->count > MOST)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": %d directions of force; give 1 to %d", name,
                   given->count, MOST);
  fb_status status = FB_OK;
  for (int i = 0; i < given->count && !status; i++) {
    const fb_force_axis* a = &given->force_axes[i];
    status = check_force_axis(m, name, a, i, error);
    for (int j = 0; j < i && !status; j++) {
      const fb_force_axis* b = &given->force_axes[j];
      double cosine = dot3(a->direction, b->direction) / norm3(a->direction) / norm3(b->direction);
      if (a->axes_of != b->axes_of || !(fabs(cosine) <= 1e-6))
        status = fb_fail(error, FB_ERR_ARG,
                         "block \"%s\": the directions of presses %d and %d must be at right angles, in axes "
                         "of the same frame",
                         name, j, i);
    }
  }
  return status;
}

static int copy_force_axis(force_position* law, const fb_force_axis* given) {
  int i = law->count++;
  fb_force_axis* press = &law->force_axes[i];
  double length = norm3(given->direction);
  *press = *given;
  for (int k = 0; k < 3; k++) press->direction[k] /= length;
  press->force = fb_spline_copy(given->force);
  press->measured = given->measured ? fb_copy_text(given->measured) : NULL;
  law->state[i] = given->measured ? law->style.nstate++ : -1;
  if (given->measured) law->inputs[law->style.ninput++] = (fb_port){press->measured, "N", NULL, 1};
  return press->force && !press->measured == !given->measured;
}

fb_status fb_block_new_force_position(const fb_model* m, const char* name, const fb_force_position* given,
                                      fb_block* block, fb_error* error) {
  const char* shown = name ? name : "";
  int good = 1;
  *block = fb_default_block();
  fb_status status = check(m, shown, given, error);
  if (status) return status;
  force_position* law = calloc(1, sizeof *law);
  if (!law) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", shown);
  law->style = (fb_task_style){.parameters = PARAMETERS,
                               .accelerate = accelerate,
                               .expect = expect,
                               .rate = rate,
                               .next_edge = next_edge,
                               .free = style_free,
                               .inputs = law->inputs};
  for (int i = 0; i < given->count; i++) good = copy_force_axis(law, &given->force_axes[i]) && good;
  if (good) return fb_task_block(m, name, &given->task, &law->style, block, error);
  style_free(&law->style);
  return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", shown);
}
