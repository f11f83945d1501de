/* force.c -- forces and torques of a scenario as given functions of time; those between frames are in element.c.
 *
 * A constant one is a schedule of two rows: it begins, it ends. A joint of several coordinates becomes as many
 * schedules, because a block drives one coordinate. */
#include <math.h>
#include <string.h>

#include "scenario/kinds.h"
#include "model/model.h"

static const double NEVER = 1e30; /* [s] later than any run ends */

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

static fb_status take_rows(fb_scenario* s, rows* r, fb_error* error) {
  r->values = fb_scenario_take(s, (size_t)r->count * (size_t)r->width, sizeof *r->values);
  return r->values ? FB_OK : fb_scenario_no_memory(error);
}

/* --- constant, from when to when --- */

static fb_status read_constant(fb_scenario* s, const fb_fields* values, const fb_force_row* row, int body,
                               rows* r, fb_error* error) {
  const fb_node* tau = fb_fields_value(values, "tau");
  if (body < 0 && !fb_fields_value(values, "force") && !fb_fields_value(values, "torque"))
    return fb_node_fail(
        values->map, error, FB_ERR_CONTENT,
        "a frame force needs 'force', 'torque' or both, or 'times' with 'forces' or 'torques'");
  if (body >= 0 && !tau)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a joint force needs 'tau', or 'times' with 'taus'");
  if (!(row->to > row->from))
    return fb_node_fail(fb_fields_value(values, fb_fields_value(values, "to") ? "to" : "from"), error,
                        FB_ERR_CONTENT, "it ends at %g s, which must be after its beginning at %g s", row->to,
                        row->from);
  r->count = 2;
  r->times = fb_scenario_take(s, 2, sizeof *r->times);
  if (!r->times) return fb_scenario_no_memory(error);
  fb_status status = take_rows(s, r, error);
  if (status) return status;
  r->times[0] = row->from;
  r->times[1] = row->to;
  if (body >= 0) return fb_scenario_coordinates(s, tau, fb_fields_row(values, "tau"), body, r->values, error);
  memcpy(r->values, row->force, sizeof row->force);
  memcpy(r->values + 3, row->torque, sizeof row->torque);
  return FB_OK;
}

/* --- schedules --- */

static fb_status need_rows(const fb_node* list, const fb_field* field, int count, fb_error* error) {
  fb_status status = fb_scenario_need_list(list, field->key, error);
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

static fb_status read_schedule(fb_scenario* s, const fb_fields* values, const fb_force_row* row, int body,
                               rows* r, fb_error* error) {
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
  if (!status) status = take_rows(s, r, error);
  r->interpolate = row->interpolate;
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

/* One block for each coordinate of the joint. */
static fb_status add_joint_blocks(fb_scenario* s, const fb_scenario_block* item, int body, const rows* r,
                                  fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < r->width && !status; i++) {
    fb_scenario_block block = *item;
    force* own = fb_scenario_take(s, 1, sizeof *own);
    double* values = fb_scenario_take(s, (size_t)r->count, sizeof *values);
    if (!own || !values) return fb_scenario_no_memory(error);
    for (int k = 0; k < r->count; k++) values[k] = r->values[k * r->width + i];
    if (r->width > 1) block.name = fb_scenario_print(s, "%.200s.%d", item->name, i);
    *own = (force){.coordinate = fb_joint_v_at(s->model, body) + i,
                   .schedule = {r->count, r->times, values, r->interpolate}};
    block.settings = own;
    status = fb_scenario_add_block(s, &block, error);
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
  if (!status && fb_fields_value(values, "axes"))
    status = fb_fields_word(values, "axes", &out->in_frame_axes, error);
  return status;
}

/* A force that is given over time. */
static fb_status read_given(fb_scenario* s, const fb_fields* values, int variant, int index,
                            fb_error* error) {
  fb_force_row row = {.to = NEVER};
  fb_scenario_block block;
  int body = -1;
  fb_status status = fb_fields_read(values, variant, &row, error);
  if (!status) status = fb_scenario_new_block(s, &fb_kind_force, row.name, "forces", index, &block, error);
  if (status) return status;
  force* own = (force*)block.settings;
  status = fb_scenario_modes_of(s, fb_fields_value(values, "mode"), &block.modes, error);
  if (!status) status = read_where(s, values, own, &body, error);
  if (status) return status;
  rows r = {.width = body < 0 ? WRENCH : fb_joint_nv(s->model, body)};
  if (fb_fields_value(values, "times"))
    status = read_schedule(s, values, &row, body, &r, error);
  else if (!(status = check_constant(values, error)))
    status = read_constant(s, values, &row, body, &r, error);
  if (status) return status;
  if (!r.values) return fb_scenario_no_memory(error);
  if (body >= 0) return add_joint_blocks(s, &block, body, &r, error);
  own->schedule = (fb_schedule){r.count, r.times, r.values, r.interpolate};
  return fb_scenario_add_block(s, &block, error);
}

static fb_status read_force(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  int variant = -1;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_FORCE, &values, error);
  if (!status && fb_fields_value(&values, "type")) status = fb_fields_word(&values, "type", &variant, error);
  if (status) return status;
  if (variant < 0 && fb_fields_value(&values, "frame")) variant = FB_FORCE_FRAME;
  if (variant < 0 && fb_fields_value(&values, "joint")) variant = FB_FORCE_JOINT;
  if (variant < 0)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "a force needs 'frame', where it acts, or 'joint', whose actuator it is, or 'type', "
                        "which says what acts between two frames: spring or bushing");
  return variant >= FB_FORCE_SPRING ? fb_scenario_read_element(s, &values, variant, index, error)
                                    : read_given(s, &values, variant, index, error);
}

fb_status fb_scenario_read_forces(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* list = fb_fields_value(values, "forces");
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "forces", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = fb_scenario_go_on(s, read_force(s, fb_node_item(list, i), i, error), error);
  return status ? status
                : fb_scenario_check_names(list, fb_fields_value(values, "control"), "force and control law",
                                          error);
}

/* --- its block --- */

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const force* own = force_of(block);
  if (own->coordinate >= 0)
    return fb_block_joint_schedule(s->model, block->name, own->coordinate, &own->schedule, out, error);
  return fb_block_frame_schedule(s->model, block->name, own->frame, own->in_frame_axes, &own->schedule, out,
                                 error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  const fb_schedule* schedule = &force_of(block)->schedule;
  for (int i = 0; i < schedule->count; i++)
    if (schedule->times[i] > t) return schedule->times[i];
  return INFINITY;
}

/* Whether its force, or its torque, is ever other than zero. */
static int pushes(const fb_scenario_block* block, int turns) {
  const force* own = force_of(block);
  int first = turns ? 3 : 0;
  for (int i = 0; i < own->schedule.count && own->coordinate < 0; i++)
    for (int k = first; k < first + 3; k++)
      if (own->schedule.values[WRENCH * i + k] != 0) return own->frame;
  return FB_WORLD;
}

/* --- in words --- */

/* "[1, 0, 0] N, [0, 0, 0] N m on ", or "2 N m in " of a joint. */
static void add_constant(fb_text* out, const fb_scenario* s, const force* own) {
  const double* x = own->schedule.values;
  if (own->coordinate < 0) {
    fb_scenario_add_vector(out, x, "N, ");
    fb_scenario_add_vector(out, x + 3, "N m on ");
    return;
  }
  int body = fb_coordinate_body(s->model, own->coordinate),
      i = own->coordinate - fb_joint_v_at(s->model, body);
  int length = fb_joint_type_is_length(fb_joint_type_of(s->model, body), i);
  fb_text_printf(out, "%.6g %s in ", x[0], length ? "N" : "N m");
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const force* own = force_of(block);
  const fb_schedule* rows = &own->schedule;
  char from[32], to[32];
  if (rows->count == 2 && !rows->interpolate)
    add_constant(out, s, own);
  else
    fb_text_printf(out, "a schedule of %d rows on ", rows->count);
  if (own->coordinate < 0)
    fb_text_printf(out, "%s, %s axes", fb_frame_name(s->model, own->frame),
                   own->in_frame_axes ? "its own" : "world");
  else
    fb_scenario_add_coordinate_name(out, s->model, own->coordinate);
  fb_text_printf(out, ", from %s", fb_scenario_time_text(rows->times[0], from));
  if (rows->times[rows->count - 1] < s->duration)
    fb_text_printf(out, " to %s", fb_scenario_time_text(rows->times[rows->count - 1], to));
  else
    fb_text_add(out, " on");
}

const fb_kind fb_kind_force = {.heading = "force",
                               .size = sizeof(force),
                               .make = make,
                               .explain = explain,
                               .next_edge = next_edge,
                               .pushes = pushes};
