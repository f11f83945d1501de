/* joint_gains.c -- coordinates with gains, bounds and targets in memory, shared by the joint laws. */
#include "control/joint_gains.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/cookie.h"
#include "block/coordinate.h"
#include "model/model.h"

enum { KP, KD, EFFORT, KI, TARGET, MOST };
static const char* const PARAMETER_NAMES[MOST] = {"kp", "kd", "effort", "ki", "target"};

fb_pd_joint fb_default_pd_joint(void) {
  return (fb_pd_joint){.coordinate = -1, .effort = INFINITY, .cookie_ = FB_COOKIE};
}

/* No integral was requested: no gain of it. A path leaves no target to be set. */
static int has_parameter(const fb_pd_joint* joint, int parameter) {
  if (parameter == KI) return joint->ki != 0;
  if (parameter == TARGET) return !joint->path;
  return 1;
}

void fb_joint_gains_start(const fb_joint_gains* gains, double* memory) {
  for (int i = 0; i < gains->count; i++) {
    const fb_pd_joint* given = &gains->coordinates[i].given;
    const double values[MOST] = {given->kp, given->kd, given->effort, given->ki, given->target};
    double* at = memory + gains->coordinates[i].memory_at;
    for (int p = 0; p < MOST; p++)
      if (has_parameter(given, p)) *at++ = values[p];
  }
}

fb_gain_error fb_joint_gains_error(const fb_gain_coordinate* c, const fb_context* context,
                                   const double* memory) {
  if (c->given.coordinate < 0) return (fb_gain_error){0, 0, 0};
  double target, rate = 0, acceleration = 0;
  if (c->given.path)
    fb_spline_eval(c->given.path, context->t, &target, &rate, &acceleration);
  else
    target = memory[c->target_at];
  return (fb_gain_error){target - context->q[c->q_at], rate - context->v[c->given.coordinate], acceleration};
}

double fb_joint_gains_next_edge(const fb_joint_gains* gains, double t) {
  double next = INFINITY;
  for (int i = 0; i < gains->count; i++)
    if (gains->coordinates[i].given.path)
      next = fmin(next, fb_spline_next_knot(gains->coordinates[i].given.path, t));
  return next;
}

fb_status fb_joint_gains_rebind(void* user, const fb_model* m, fb_error* error) {
  fb_joint_gains* gains = (fb_joint_gains*)user;
  for (int i = 0; i < gains->count; i++) {
    fb_gain_coordinate* c = &gains->coordinates[i];
    int before = c->given.coordinate, k = fb_coordinate_in(gains->original, c->first, m);
    c->given.coordinate = k;
    c->q_at = k >= 0 ? fb_coordinate_q_index(m, k) : -1;
    if (k < 0 && before >= 0) fb_coordinate_note_removed(gains->original, c->first, error);
  }
  return FB_OK;
}

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)context, (void)state, (void)error;
  fb_joint_gains_start((const fb_joint_gains*)user, memory);
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state, (void)error;
  const fb_joint_gains* gains = (const fb_joint_gains*)user;
  for (int i = 0; i < gains->count; i++)
    outputs[i] = fb_joint_gains_error(&gains->coordinates[i], context, memory).place;
  return FB_OK;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  return fb_joint_gains_next_edge((const fb_joint_gains*)user, t);
}

void fb_joint_gains_fill(fb_joint_gains* gains, fb_block* block) {
  block->name = gains->name;
  block->user = gains;
  block->nmemory = gains->nmemory;
  block->nstate = gains->nstate;
  block->parameters = gains->parameters;
  block->outputs = gains->outputs;
  block->noutput = gains->count;
  block->start = start;
  block->output = output;
  block->next_edge = next_edge;
  block->rebind = fb_joint_gains_rebind;
  block->free = fb_joint_gains_free;
}

/* --- checks --- */

static fb_status check_joint(const fb_model* m, const char* name, const fb_pd_joint* joint, fb_error* error) {
  if (fb_cookie_check_of_block(name, joint->cookie_, "pd_joint", error)) return FB_ERR_ARG;
  fb_status status = fb_coordinate_check_plain(m, name, joint->coordinate, error);
  if (status) return status;
  const char* text = fb_coordinate_joint_name(m, joint->coordinate);
  if (!isfinite(joint->kp) || !isfinite(joint->kd) || !isfinite(joint->ki) ||
      (!joint->path && !isfinite(joint->target)))
    return fb_fail(error, FB_ERR_NOT_FINITE,
                   "block \"%s\", joint \"%s\": kp %g, kd %g, ki %g and target %g must be finite", name, text,
                   joint->kp, joint->kd, joint->ki, joint->target);
  if (!(joint->effort >= 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", joint \"%s\": effort is %g; give the largest force as a number that is not "
                   "negative, INFINITY for no bound",
                   name, text, joint->effort);
  return FB_OK;
}

static fb_status check_joints(const fb_model* m, const char* type, const char* name,
                              const fb_pd_joint* joints, int count, fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a %s block needs a name", type);
  if (count < 1)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": give at least one coordinate; there are %d", name,
                   count);
  for (int i = 0; i < count; i++) {
    fb_status status = check_joint(m, name, &joints[i], error);
    if (status) return status;
    for (int k = 0; k < i; k++)
      if (joints[k].coordinate == joints[i].coordinate)
        return fb_fail(error, FB_ERR_ARG, "block \"%s\" has coordinate %d, of joint \"%s\", twice", name,
                       joints[i].coordinate, fb_coordinate_joint_name(m, joints[i].coordinate));
  }
  return FB_OK;
}

/* --- set-up --- */

/* "elbow.kp", or "gimbal.1.kp" of a joint of several coordinates; of parameter MOST "error.elbow", its output. */
static const char* print_name(const fb_model* m, int coordinate, int parameter, fb_pool* pool) {
  int body = fb_coordinate_body(m, coordinate), several = fb_joint_nv(m, body) > 1;
  char index[16] = "";
  if (several) snprintf(index, sizeof index, ".%d", coordinate - fb_joint_v_index(m, body));
  if (parameter == MOST) return fb_pool_print(pool, "error.%s%s", fb_joint_name(m, body), index);
  return fb_pool_print(pool, "%s%s.%s", fb_joint_name(m, body), index, PARAMETER_NAMES[parameter]);
}

static fb_port error_port(const fb_model* m, int coordinate, const char* name) {
  const char* unit = fb_coordinate_is_length(m, coordinate) ? "m" : "rad";
  return (fb_port){.name = name, .unit = unit, .axes = "joint", .count = 1};
}

static void lay_names(const fb_model* m, const fb_pd_joint* joints, int count, fb_joint_gains* gains) {
  int at = 0;
  for (int i = 0; i < count; i++) {
    int k = joints[i].coordinate;
    for (int p = 0; p < MOST; p++)
      if (has_parameter(&joints[i], p)) gains->parameters[at++] = print_name(m, k, p, &gains->pool);
    gains->outputs[i] = error_port(m, k, print_name(m, k, MOST, &gains->pool));
  }
}

/* Places in memory and state, in the order of PARAMETER_NAMES, and a path of its own. 0 when out of memory. */
static int lay_coordinate(const fb_model* m, fb_joint_gains* gains, int i, const fb_pd_joint* joint) {
  int ki = has_parameter(joint, KI), target = has_parameter(joint, TARGET), at = gains->nmemory;
  gains->coordinates[i] = (fb_gain_coordinate){*joint,
                                               joint->coordinate,
                                               fb_coordinate_q_index(m, joint->coordinate),
                                               at,
                                               ki ? at + KI : -1,
                                               target ? at + KI + ki : -1,
                                               ki ? gains->nstate : -1,
                                               NULL};
  gains->nmemory += KI + ki + target;
  gains->nstate += ki;
  gains->coordinates[i].given.path = gains->coordinates[i].path = fb_spline_copy(joint->path);
  return !joint->path || gains->coordinates[i].path;
}

void fb_joint_gains_free(void* user) {
  fb_joint_gains* gains = (fb_joint_gains*)user;
  if (!gains) return;
  for (int i = 0; gains->coordinates && i < gains->count; i++) fb_spline_free(gains->coordinates[i].path);
  fb_pool_free(&gains->pool);
  free(gains);
}

/* NULL without memory. */
static fb_joint_gains* gains_make(const fb_model* m, const char* name, const fb_pd_joint* joints, int count) {
  fb_joint_gains* gains = calloc(1, sizeof *gains);
  if (!gains) return NULL;
  fb_pool* pool = &gains->pool;
  gains->original = m;
  gains->count = count;
  gains->name = fb_pool_text(pool, name);
  gains->coordinates = fb_pool_take(pool, (size_t)count, sizeof *gains->coordinates);
  gains->parameters = fb_pool_take(pool, (size_t)count * MOST + 1, sizeof *gains->parameters);
  gains->outputs = fb_pool_take(pool, (size_t)count, sizeof *gains->outputs);
  if (!pool->failed) lay_names(m, joints, count, gains);
  int good = !pool->failed;
  for (int i = 0; good && i < count; i++) good = lay_coordinate(m, gains, i, &joints[i]);
  if (good) return gains;
  fb_joint_gains_free(gains);
  return NULL;
}

fb_status fb_joint_gains_new(const fb_model* m, const char* type, const char* name, const fb_pd_joint* joints,
                             int count, fb_joint_gains** gains, fb_error* error) {
  *gains = NULL;
  fb_status status = check_joints(m, type, name, joints, count, error);
  if (status) return status;
  fb_joint_gains* made = gains_make(m, name, joints, count);
  if (!made) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  *gains = made;
  return FB_OK;
}
