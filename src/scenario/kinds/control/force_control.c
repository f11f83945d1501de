/* force_control.c -- the laws of a frame that meets resistance: impedance, and force_position. */
#include <math.h>

#include "control/frame_task/frame_path.h"
#include "scenario/kinds/kinds.h"
#include "scenario/rows.h"

typedef struct fb_press_row {
  fb_force_axis how;
  const char* axes;
  double force;
} fb_press_row;

static const fb_field FIELDS[] = {
    UNIT(PRESS, "direction", AXIS, NONE, ANY, EVERY, EVERY, AT(fb_press_row, how.direction), NULL,
         "direction in which the frame pushes, of any length; several are at right angles"),
    PLAIN(PRESS, "axes", TEXT, EVERY, NEVER, AT(fb_press_row, axes), "world",
          "the frame or body whose axes `direction` is given in"),
    UNIT(PRESS, "force", NUMBER, FORCE, ANY, EVERY, NEVER, AT(fb_press_row, force),
         "this or `path` is required", "desired force"),
    INNER(PRESS, "path", MAP, FORCE_PATH, "none", "or desired force as a function of time"),
    PLAIN(PRESS, "measured", TEXT, EVERY, NEVER, AT(fb_press_row, how.measured), "no feedback",
          "a signal with the measured force, such as contact.NAME.normal; `ki` requires it"),
    UNIT(PRESS, "ki", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_press_row, how.ki), "0",
         "gain on the integral of the force error, in 1/s"),
};

const fb_schema_rows fb_rows_press = FB_ROWS(FIELDS);

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
    status = fb_field_number(item, row, i < 3 ? row->quantity : row->angular, &out[i], error);
  }
  return status;
}

static fb_status read_impedance(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                                fb_error* error) {
  fb_impedance* law = (fb_impedance*)block->settings;
  *law = fb_default_impedance();
  fb_status status = fb_frame_task_read(s, values, block, error);
  if (!status) status = read_axes(values, "kp", law->task.rows, law->stiffness, error);
  if (!status) status = read_axes(values, "kd", law->task.rows, law->damping, error);
  if (!status) status = fb_fields_get(values, "decay", &law->decay, error);
  if (!status) status = fb_fields_get_word(values, "axes", &law->in_frame_axes, error);
  return status;
}

static fb_status make_impedance(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                fb_error* error) {
  return fb_block_new_impedance(s->model, block->name, impedance_of(block), out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  return fb_frame_path_next_knot(&((const fb_frame_task*)block->settings)->path, t);
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

const fb_kind fb_kind_control_impedance = {
    .schema = {.keys =
                   "frame! from kp! kd! position from_start turn axis rows axes damping decay effort limit"},
    .heading = "control",
    .size = sizeof(fb_impedance),
    .blame = {"frame"},
    .read = read_impedance,
    .make = make_impedance,
    .explain = explain_impedance,
    .next_edge = next_edge,
    .drives = fb_frame_task_drives};

static const fb_force_position* force_axis_of(const fb_scenario_block* block) {
  return (const fb_force_position*)block->settings;
}

static fb_status read_force_axis(fb_scenario* s, const fb_node* map, fb_force_axis* out, fb_error* error) {
  fb_fields values;
  fb_press_row row = {.how = fb_default_force_axis()};
  fb_status status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_PRESS, &values, &row, error);
  if (!status && row.axes)
    status = fb_scenario_frame_or_world(s, fb_fields_value(&values, "axes"), &row.how.axes_of, error);
  if (!status) status = fb_scenario_force_path(s, &values, "force", "path", &row.how.force, error);
  *out = row.how;
  if (status || out->force) return status;
  return fb_node_fail(map, error, FB_ERR_CONTENT, "a press needs 'force', such as 5 N, or 'path'");
}

static fb_status read_force_axes(fb_scenario* s, const fb_node* list, fb_force_position* law,
                                 fb_error* error) {
  fb_status status = fb_node_need_list(list, "presses, as [{direction: [0, 0, -1], force: 5 N}]", error);
  if (status) return status;
  law->count = fb_node_count(list);
  fb_force_axis* force_axes = fb_scenario_alloc(s, (size_t)law->count + 1, sizeof *force_axes);
  if (!force_axes) return fb_scenario_no_memory(error);
  law->force_axes = force_axes;
  for (int i = 0; i < law->count && !status; i++)
    status = read_force_axis(s, fb_node_item(list, i), &force_axes[i], error);
  return status;
}

static fb_status read_force_position(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                                     fb_error* error) {
  fb_force_position* law = (fb_force_position*)block->settings;
  *law = fb_default_force_position();
  fb_status status = fb_frame_task_read(s, values, block, error);
  if (!status) status = fb_frame_task_gains(values, &law->task, error);
  return status ? status : read_force_axes(s, fb_fields_value(values, "press"), law, error);
}

static fb_status make_force_position(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                     fb_error* error) {
  return fb_block_new_force_position(s->model, block->name, force_axis_of(block), out, error);
}

static double next_force_edge(const fb_scenario_block* block, double t) {
  double next = next_edge(block, t);
  for (int i = 0; i < force_axis_of(block)->count; i++)
    next = fmin(next, fb_spline_next_knot(force_axis_of(block)->force_axes[i].force, t));
  return next;
}

static void explain_force_position(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_force_position* law = force_axis_of(block);
  fb_frame_task_explain(out, s, block);
  for (int i = 0; i < law->count; i++) {
    double f;
    fb_spline_eval(law->force_axes[i].force, 0, &f, NULL, NULL);
    const double* n = law->force_axes[i].direction;
    fb_text_printf(out, ", pressing with %.6g N at the start along [%.6g, %.6g, %.6g]", f, n[0], n[1], n[2]);
    if (law->force_axes[i].axes_of > FB_WORLD)
      fb_text_printf(out, " of %s", fb_frame_name(s->model, law->force_axes[i].axes_of));
    if (law->force_axes[i].measured) fb_text_printf(out, ", measured by %s", law->force_axes[i].measured);
  }
}

const fb_kind fb_kind_control_force_position = {
    .schema = {.keys = "frame! from kp! kd press! position from_start turn axis rows damping effort limit"},
    .heading = "control",
    .size = sizeof(fb_force_position),
    .blame = {"press"},
    .read = read_force_position,
    .make = make_force_position,
    .explain = explain_force_position,
    .next_edge = next_force_edge,
    .drives = fb_frame_task_drives};
