/* given.c -- forces and torques of a scenario as given functions of time; those between frames are in element.c.
 *
 * A constant one is a schedule of two rows: it begins, it ends. A joint of several coordinates becomes as many
 * schedules, because a block drives one coordinate. */
#include <math.h>
#include <string.h>

#include "scenario/kinds/kinds.h"
#include "model/model.h"

static const double WITHOUT_END = 1e30; /* [s] later than any run ends */

enum { WRENCH = 6 };

/* The rows as they are read: values[count][width], width 6 of a frame, nv of a joint. */
typedef struct rows {
  int count, width, interpolate;
  double *times, *values;
} rows;

/* The settings: where it acts, and the schedule. */
typedef struct force {
  int coordinate; /* -1: at a frame */
  int frame, in_frame_axes;
  fb_schedule schedule;
} force;

static const force* force_of(const fb_scenario_block* block) {
  return (const force*)block->settings;
}

static fb_status alloc_rows(fb_scenario* s, rows* r, fb_error* error) {
  r->values = fb_scenario_alloc(s, (size_t)r->count * (size_t)r->width, sizeof *r->values);
  return r->values ? FB_OK : fb_scenario_no_memory(error);
}

static fb_schedule schedule_of(const rows* r, const double* values) {
  fb_schedule schedule = fb_default_schedule();
  schedule.count = r->count;
  schedule.times = r->times;
  schedule.values = values;
  schedule.interpolate = r->interpolate;
  return schedule;
}

/* --- constant, from when to when --- */

static fb_status read_constant(fb_scenario* s, const fb_fields* values, int body, rows* r, fb_error* error) {
  const fb_node* tau = fb_fields_value(values, "tau");
  double from = 0, to = WITHOUT_END;
  fb_status status = fb_fields_get(values, "from", &from, error);
  if (!status) status = fb_fields_get(values, "to", &to, error);
  if (status) return status;
  if (body < 0 && !fb_fields_value(values, "force") && !fb_fields_value(values, "torque"))
    return fb_node_fail(
        values->map, error, FB_ERR_CONTENT,
        "a frame force needs 'force', 'torque' or both, or 'times' with 'forces' or 'torques'");
  if (body >= 0 && !tau)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a joint force needs 'tau', or 'times' with 'taus'");
  if (!(to > from))
    return fb_node_fail(fb_fields_value(values, fb_fields_value(values, "to") ? "to" : "from"), error,
                        FB_ERR_CONTENT, "it ends at %g s, which must be after its beginning at %g s", to,
                        from);
  r->count = 2;
  r->times = fb_scenario_alloc(s, 2, sizeof *r->times);
  if (!r->times) return fb_scenario_no_memory(error);
  status = alloc_rows(s, r, error);
  if (status) return status;
  r->times[0] = from;
  r->times[1] = to;
  if (body >= 0) return fb_scenario_coordinates(s, tau, fb_fields_row(values, "tau"), body, r->values, error);
  status = fb_fields_get(values, "force", r->values, error);
  return status ? status : fb_fields_get(values, "torque", r->values + 3, error);
}

/* --- schedules --- */

static fb_status need_rows(const fb_node* list, const fb_field* field, int count, fb_error* error) {
  fb_status status = fb_node_need_list(list, field->key, error);
  if (status || fb_node_count(list) == count) return status;
  return fb_node_fail(list, error, FB_ERR_CONTENT, "there are %d times, but %d %s; give one for each", count,
                      fb_node_count(list), field->key);
}

static fb_status read_vectors(const fb_fields* values, const char* key, int offset, rows* r,
                              fb_error* error) {
  const fb_node* list = fb_fields_value(values, key);
  if (!list) return FB_OK;
  const fb_field* field = fb_fields_row(values, key);
  fb_status status = need_rows(list, field, r->count, error);
  for (int i = 0; i < r->count && !status; i++)
    status =
        fb_node_numbers(fb_node_item(list, i), field->quantity, 3, r->values + i * WRENCH + offset, error);
  return status;
}

static fb_status read_taus(const fb_scenario* s, const fb_fields* values, int body, rows* r,
                           fb_error* error) {
  const fb_node* list = fb_fields_value(values, "taus");
  const fb_field* field = fb_fields_row(values, "taus");
  if (!list)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT, "a joint force with 'times' needs 'taus'");
  fb_status status = need_rows(list, field, r->count, error);
  for (int i = 0; i < r->count && !status; i++)
    status = fb_scenario_coordinates(s, fb_node_item(list, i), field, body, r->values + i * r->width, error);
  return status;
}

static fb_status read_schedule(fb_scenario* s, const fb_fields* values, int body, rows* r, fb_error* error) {
  static const char* const constant[] = {"force", "torque", "tau", "from", "to"};
  for (int i = 0; i < 5; i++)
    if (fb_fields_value(values, constant[i]))
      return fb_node_fail(fb_fields_value(values, constant[i]), error, FB_ERR_CONTENT,
                          "'%s' is for a constant force, and 'times' for one that changes; keep one of them",
                          constant[i]);
  const fb_node* times = fb_fields_value(values, "times");
  fb_status status = fb_scenario_times(s, times, &r->count, &r->times, error);
  if (!status && r->count < 2)
    status = fb_node_fail(times, error, FB_ERR_CONTENT,
                          "a force acts from one time to the next, so two times are needed at least");
  if (!status) status = alloc_rows(s, r, error);
  if (!status) status = fb_fields_get(values, "interpolate", &r->interpolate, error);
  if (status) return status;
  if (body >= 0) return read_taus(s, values, body, r, error);
  if (!fb_fields_value(values, "forces") && !fb_fields_value(values, "torques"))
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a frame force with 'times' needs 'forces', 'torques' or both");
  status = read_vectors(values, "forces", 0, r, error);
  return status ? status : read_vectors(values, "torques", 3, r, error);
}

/* 'forces', 'torques', 'taus' and 'interpolate' belong to 'times'. */
static fb_status check_constant(const fb_fields* values, fb_error* error) {
  static const char* const scheduled[] = {"forces", "torques", "taus", "interpolate"};
  for (int i = 0; i < 4; i++)
    if (fb_fields_value(values, scheduled[i]))
      return fb_node_fail(fb_fields_value(values, scheduled[i]), error, FB_ERR_CONTENT,
                          "'%s' also needs 'times'", scheduled[i]);
  return FB_OK;
}

/* --- a force --- */

/* A block for each coordinate of the joint; the last is that of the item. */
static fb_status add_joint_blocks(fb_scenario* s, fb_scenario_block* block, int body, const rows* r,
                                  fb_error* error) {
  const char* name = block->name;
  fb_status status = FB_OK;
  for (int i = 0; i < r->width && !status; i++) {
    force* given = fb_scenario_alloc(s, 1, sizeof *given);
    double* values = fb_scenario_alloc(s, (size_t)r->count, sizeof *values);
    if (!given || !values) return fb_scenario_no_memory(error);
    for (int k = 0; k < r->count; k++) values[k] = r->values[k * r->width + i];
    if (r->width > 1) block->name = fb_scenario_print(s, "%.200s.%d", name, i);
    if (!block->name) return fb_scenario_no_memory(error);
    *given = (force){.coordinate = fb_joint_v_index(s->model, body) + i, .schedule = schedule_of(r, values)};
    block->settings = given;
    if (i < r->width - 1) status = fb_scenario_add_block(s, block, error);
  }
  return status;
}

static fb_status read_where(const fb_scenario* s, const fb_fields* values, force* out, int* body,
                            fb_error* error) {
  *body = -1;
  out->coordinate = -1;
  if (fb_fields_value(values, "joint"))
    return fb_scenario_joint(s, fb_fields_value(values, "joint"), body, error);
  fb_status status = fb_scenario_frame(s, fb_fields_value(values, "frame"), &out->frame, error);
  if (!status) status = fb_fields_get_word(values, "axes", &out->in_frame_axes, error);
  return status;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  force* given = (force*)block->settings;
  int body = -1;
  fb_status status = read_where(s, values, given, &body, error);
  if (status) return status;
  rows r = {.width = body < 0 ? WRENCH : fb_joint_nv(s->model, body)};
  if (fb_fields_value(values, "times"))
    status = read_schedule(s, values, body, &r, error);
  else if (!(status = check_constant(values, error)))
    status = read_constant(s, values, body, &r, error);
  if (status) return status;
  if (!r.values) return fb_scenario_no_memory(error);
  if (body >= 0) return add_joint_blocks(s, block, body, &r, error);
  given->schedule = schedule_of(&r, r.values);
  return FB_OK;
}

/* --- its block --- */

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const force* given = force_of(block);
  if (given->coordinate >= 0)
    return fb_block_new_joint_schedule(s->model, block->name, given->coordinate, &given->schedule, out,
                                       error);
  return fb_block_new_frame_schedule(s->model, block->name, given->frame, given->in_frame_axes,
                                     &given->schedule, out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  const fb_schedule* schedule = &force_of(block)->schedule;
  for (int i = 0; i < schedule->count; i++)
    if (schedule->times[i] > t) return schedule->times[i];
  return INFINITY;
}

/* Whether its force, or its torque, is ever other than zero. */
static int pushes(const fb_scenario_block* block, int turns) {
  const force* given = force_of(block);
  int first = turns ? 3 : 0;
  for (int i = 0; i < given->schedule.count && given->coordinate < 0; i++)
    for (int k = first; k < first + 3; k++)
      if (given->schedule.values[WRENCH * i + k] != 0) return given->frame;
  return FB_WORLD;
}

/* --- in words --- */

/* "[1, 0, 0] N, [0, 0, 0] N m on ", or "2 N m in " of a joint. */
static void add_constant(fb_text* out, const fb_scenario* s, const force* given) {
  const double* x = given->schedule.values;
  if (given->coordinate < 0) {
    fb_scenario_add_vector(out, x, "N, ");
    fb_scenario_add_vector(out, x + 3, "N m on ");
    return;
  }
  fb_text_printf(out, "%.6g %s in ", x[0],
                 fb_coordinate_is_length(s->model, given->coordinate) ? "N" : "N m");
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const force* given = force_of(block);
  const fb_schedule* rows = &given->schedule;
  char from[32], to[32];
  if (rows->count == 2 && !rows->interpolate)
    add_constant(out, s, given);
  else
    fb_text_printf(out, "a schedule of %d rows on ", rows->count);
  if (given->coordinate < 0)
    fb_text_printf(out, "%s, %s axes", fb_frame_name(s->model, given->frame),
                   given->in_frame_axes ? "its own" : "world");
  else
    fb_scenario_add_coordinate_name(out, s->model, given->coordinate);
  fb_text_printf(out, ", from %s", fb_scenario_format_time(rows->times[0], from));
  if (rows->times[rows->count - 1] < s->duration)
    fb_text_printf(out, " to %s", fb_scenario_format_time(rows->times[rows->count - 1], to));
  else
    fb_text_add(out, " on");
}

#define GIVEN_KIND(text, list)                                                                       \
  {                                                                                                  \
    .schema = {.help = text, .keys = list}, .heading = "force", .size = sizeof(force), .read = read, \
    .make = make, .explain = explain, .next_edge = next_edge, .pushes = pushes                       \
  }

const fb_kind fb_kind_force_frame = GIVEN_KIND(
    "a given force on a frame", "frame! axes force torque from to times forces torques interpolate mode");
const fb_kind fb_kind_force_joint =
    GIVEN_KIND("a given force of an actuator", "joint! tau from to times taus interpolate mode");
