/* schedule.c -- forces and torques that are given functions of time
 *
 *   rows (t_i, value_i); in [t_i, t_i+1) value_i, or straight from value_i to value_i+1; outside them zero
 *
 * What holds at a row's own time is what comes after it. One block drives a coordinate with one number a row, the
 * other a frame with six. Cost O(log rows). */
#include <freebody/control.h>
#include <freebody/status.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "base/pool.h"
#include "block/coordinate.h"
#include "path/spline.h"

enum { WRENCH = 6 };

typedef struct schedule {
  int count, width; /* rows, numbers a row */
  int interpolate;
  const fb_model* original; /* the model that it was made for */
  int given;                /* its coordinate there */
  int coordinate;           /* now; -1: its joint has gone */
  int frame, in_frame_axes;
  fb_pool pool;                 /* what follows */
  const double *times, *values; /* [count], [count][width] */
  const char* name;
} schedule;

/* Fills value[width]; returns 0 outside the rows, where it is zero. */
static int schedule_at(const schedule* s, double t, double* value) {
  int i = fb_times_until(s->times, s->count, t) - 1;
  if (i < 0 || i >= s->count - 1) return 0;
  const double *row = s->values + i * s->width, *next = row + s->width;
  double part = s->interpolate ? (t - s->times[i]) / (s->times[i + 1] - s->times[i]) : 0;
  for (int k = 0; k < s->width; k++) value[k] = (1 - part) * row[k] + part * next[k];
  return 1;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  const schedule* s = (const schedule*)user;
  int i = fb_times_until(s->times, s->count, t);
  return i < s->count ? s->times[i] : INFINITY;
}

static fb_status act_joint(void* user, const fb_context* context, const double* memory, const double* state,
                           fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  const schedule* s = (const schedule*)user;
  double value;
  if (s->coordinate >= 0 && schedule_at(s, context->t, &value)) action->tau[s->coordinate] += value;
  return FB_OK;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  schedule* s = (schedule*)user;
  int before = s->coordinate;
  s->coordinate = fb_coordinate_in(s->original, s->given, m);
  return s->coordinate < 0 && before >= 0 ? fb_coordinate_note_removed(s->original, s->given, error) : FB_OK;
}

static fb_status act_frame(void* user, const fb_context* context, const double* memory, const double* state,
                           fb_action* action, double* state_rate, fb_error* error) {
  (void)memory, (void)state, (void)state_rate, (void)error;
  const schedule* s = (const schedule*)user;
  double value[WRENCH];
  if (!schedule_at(s, context->t, value)) return FB_OK;
  fb_wrench* wrench = fb_action_add_wrench(action);
  wrench->frame = s->frame;
  wrench->in_frame_axes = s->in_frame_axes;
  memcpy(wrench->force, value, sizeof wrench->force);
  memcpy(wrench->torque, value + 3, sizeof wrench->torque);
  return FB_OK;
}

fb_schedule fb_default_schedule(void) {
  return (fb_schedule){.cookie_ = FB_COOKIE};
}

static fb_status check_rows(const char* name, const fb_schedule* given, int width, fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a schedule block needs a name");
  if (fb_cookie_check_of_block(name, given->cookie_, "schedule", error)) return FB_ERR_ARG;
  if (given->count < 1)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": a schedule needs rows of (time, value); it has %d", name,
                   given->count);
  for (int i = 0; i < given->count; i++) {
    double sum = given->times[i];
    for (int k = 0; k < width; k++) sum += 0 * given->values[i * width + k];
    if (!isfinite(sum))
      return fb_fail(error, FB_ERR_NOT_FINITE,
                     "block \"%s\": row %d of its schedule, at %g s, is not finite throughout", name, i + 1,
                     given->times[i]);
    if (i > 0 && !(given->times[i] > given->times[i - 1]))
      return fb_fail(error, FB_ERR_ARG,
                     "block \"%s\": times of a schedule must rise: row %d is at %.17g s, row %d at %.17g s",
                     name, i, given->times[i - 1], i + 1, given->times[i]);
  }
  return FB_OK;
}

static void schedule_free(void* user) {
  schedule* s = (schedule*)user;
  if (!s) return;
  fb_pool_free(&s->pool);
  free(s);
}

static schedule* schedule_new(const char* name, const fb_schedule* given, int width) {
  schedule* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  size_t rows = (size_t)given->count;
  s->count = given->count;
  s->width = width;
  s->interpolate = given->interpolate;
  s->name = fb_pool_text(&s->pool, name);
  s->times = fb_pool_copy(&s->pool, given->times, rows, sizeof *s->times);
  s->values = fb_pool_copy(&s->pool, given->values, rows * (size_t)width, sizeof *s->values);
  if (!s->pool.failed) return s;
  schedule_free(s);
  return NULL;
}

/* The block but for what it does; NULL when out of memory. */
static schedule* fill_block(const char* name, const fb_schedule* given, int width, fb_block* block,
                            fb_error* error) {
  schedule* s = schedule_new(name, given, width);
  if (!s) {
    fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
    return NULL;
  }
  block->name = s->name;
  block->user = s;
  block->next_edge = next_edge;
  block->free = schedule_free;
  return s;
}

fb_status fb_block_new_joint_schedule(const fb_model* m, const char* name, int coordinate,
                                      const fb_schedule* given, fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_status status = check_rows(name, given, 1, error);
  if (!status) status = fb_coordinate_check(m, name, coordinate, error);
  if (status) return status;
  schedule* s = fill_block(name, given, 1, block, error);
  if (!s) return FB_ERR_MEMORY;
  s->original = m;
  s->coordinate = s->given = coordinate;
  block->act = act_joint;
  block->rebind = rebind;
  return FB_OK;
}

fb_status fb_block_new_frame_schedule(const fb_model* m, const char* name, int frame, int in_frame_axes,
                                      const fb_schedule* given, fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_status status = check_rows(name, given, WRENCH, error);
  if (status) return status;
  if (fb_frame_body(m, frame) < 0)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": frame %d does not exist; the model has %d named ones",
                   name, frame, fb_model_nframe(m));
  schedule* s = fill_block(name, given, WRENCH, block, error);
  if (!s) return FB_ERR_MEMORY;
  s->frame = frame;
  s->in_frame_axes = in_frame_axes;
  block->nwrench = 1;
  block->act = act_frame;
  return FB_OK;
}
