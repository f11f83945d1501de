/* force_control.c -- the laws of a frame that meets resistance: impedance, and force_position. */
#include <math.h>

#include "scenario/kinds.h"

/* --- impedance --- */

static const fb_impedance* impedance_of(const fb_scenario_block* block) {
  return (const fb_impedance*)block->settings;
}

/* Along x, y, z, and of a pose about them too; one number for all axes of a position. */
static fb_status read_axes(const fb_fields* values, const char* key, int count, double* out,
                           fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  const fb_field* row = fb_fields_row(values, key);
  int list = fb_node_get_kind(node) == FB_NODE_LIST;
  if (list ? fb_node_count(node) != count : count != 3)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        count == 3
                            ? "'%s' of a position is one number, or three along x, y, z"
                            : "'%s' of a pose is a list of six numbers: along x, y, z, then about x, y, z",
                        key);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++) {
    const fb_node* item = list ? fb_node_item(node, i) : node;
    status = fb_node_number(item, i < 3 ? row->quantity : row->angular, &out[i], error);
    if (!status) status = fb_field_check_range(item, row, out[i], error);
  }
  return status;
}

static fb_status read_impedance(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                                const fb_node** blame, fb_error* error) {
  fb_impedance* law = (fb_impedance*)block->settings;
  *law = fb_default_impedance();
  fb_status status = fb_frame_task_read(s, values, block, blame, error);
  if (!status) status = read_axes(values, "kp", law->task.rows, law->stiffness, error);
  if (!status) status = read_axes(values, "kd", law->task.rows, law->damping, error);
  if (!status) status = fb_fields_get(values, "decay", &law->decay, error);
  if (!status && fb_fields_value(values, "axes"))
    status = fb_fields_word(values, "axes", &law->in_frame_axes, error);
  return status;
}

static fb_status make_impedance(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                fb_error* error) {
  return fb_block_impedance(s->model, block->name, impedance_of(block), out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  return fb_scenario_frame_path_next(&((const fb_frame_task*)block->settings)->path, t);
}

static void explain_impedance(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_impedance* law = impedance_of(block);
  fb_frame_task_explain(out, s, block);
  fb_text_add(out, ", on springs of ");
  fb_scenario_add_vector(out, law->stiffness, "N/m");
  if (law->task.rows == 6) {
    fb_text_add(out, " and ");
    fb_scenario_add_vector(out, law->stiffness + 3, "N m/rad");
  }
  if (law->in_frame_axes) fb_text_add(out, " in its axes");
}

const fb_kind fb_kind_impedance = {
    .schema = {.keys =
                   "frame! from kp! kd! position from_start turn axis rows axes damping decay effort limit"},
    .heading = "control",
    .size = sizeof(fb_impedance),
    .read = read_impedance,
    .make = make_impedance,
    .explain = explain_impedance,
    .next_edge = next_edge,
    .drives = fb_frame_task_drives};

/* --- force and position --- */

static const fb_force_position* press_of(const fb_scenario_block* block) {
  return (const fb_force_position*)block->settings;
}

static fb_status read_press(fb_scenario* s, const fb_node* map, fb_press* out, fb_error* error) {
  fb_fields values;
  fb_press_row row = {.force = NAN};
  *out = fb_default_press();
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_PRESS, &values, error);
  if (!status) status = fb_fields_read(&values, 0, &row, error);
  if (!status && row.axes)
    status = fb_scenario_frame_or_world(s, fb_fields_value(&values, "axes"), &out->axes_of, error);
  if (!status) status = fb_scenario_force_path(s, &values, "force", "path", &out->force, error);
  for (int i = 0; i < 3; i++) out->direction[i] = row.direction[i];
  out->measured = row.measured;
  out->ki = row.ki;
  if (status || out->force) return status;
  return fb_node_fail(map, error, FB_ERR_CONTENT, "a press needs 'force', such as 5 N, or 'path'");
}

static fb_status read_presses(fb_scenario* s, const fb_node* list, fb_force_position* law, fb_error* error) {
  fb_status status = fb_scenario_need_list(list, "presses, as [{direction: [0, 0, -1], force: 5 N}]", error);
  if (status) return status;
  law->count = fb_node_count(list);
  fb_press* presses = fb_scenario_take(s, (size_t)law->count + 1, sizeof *presses);
  if (!presses) return fb_scenario_no_memory(error);
  law->presses = presses;
  for (int i = 0; i < law->count && !status; i++)
    status = read_press(s, fb_node_item(list, i), &presses[i], error);
  return status;
}

static fb_status read_force_position(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                                     const fb_node** blame, fb_error* error) {
  fb_force_position* law = (fb_force_position*)block->settings;
  const fb_node* presses = fb_fields_value(values, "press");
  *law = fb_default_force_position();
  fb_status status = fb_frame_task_read(s, values, block, blame, error);
  if (!status) status = fb_frame_task_gains(values, &law->task, error);
  if (!status) status = read_presses(s, presses, law, error);
  if (!status) *blame = presses;
  return status;
}

static fb_status make_force_position(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                     fb_error* error) {
  return fb_block_force_position(s->model, block->name, press_of(block), out, error);
}

static double next_press_edge(const fb_scenario_block* block, double t) {
  double next = next_edge(block, t);
  for (int i = 0; i < press_of(block)->count; i++)
    next = fmin(next, fb_spline_next_knot(press_of(block)->presses[i].force, t));
  return next;
}

static void explain_force_position(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_force_position* law = press_of(block);
  fb_frame_task_explain(out, s, block);
  for (int i = 0; i < law->count; i++) {
    double f;
    fb_spline_at(law->presses[i].force, 0, &f, NULL, NULL);
    const double* n = law->presses[i].direction;
    fb_text_printf(out, ", pressing with %.6g N at the start along [%.6g, %.6g, %.6g]", f, n[0], n[1], n[2]);
    if (law->presses[i].axes_of > FB_WORLD)
      fb_text_printf(out, " of %s", fb_frame_name(s->model, law->presses[i].axes_of));
    if (law->presses[i].measured) fb_text_printf(out, ", measured by %s", law->presses[i].measured);
  }
}

const fb_kind fb_kind_force_position = {
    .schema = {.keys = "frame! from kp! kd press! position from_start turn axis rows damping effort limit"},
    .heading = "control",
    .size = sizeof(fb_force_position),
    .read = read_force_position,
    .make = make_force_position,
    .explain = explain_force_position,
    .next_edge = next_press_edge,
    .drives = fb_frame_task_drives};
