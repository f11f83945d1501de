/* frame_task.c -- the laws of frames: frame_tracking by force, resolved_rate and reaction_null by motion.
 *
 *   resolved_rate, reaction_null: kp = gain^2, kd = 2 gain, so that an error dies out as exp(-gain t) without
 *   overshooting */
#include <math.h>

#include "control/frame_task/frame_path.h"
#include "scenario/kinds/kinds.h"

extern const fb_kind fb_kind_control_resolved_rate, fb_kind_control_reaction_null; /* below */

static const fb_frame_task* task_of(const fb_scenario_block* block) {
  return (const fb_frame_task*)block->settings;
}

static fb_status read_axes(fb_scenario* s, const fb_fields* values, const fb_scenario_path* path,
                           fb_frame_path* out, fb_error* error) {
  static const char* const keys[] = {"x", "y", "z"};
  const fb_node* points = fb_fields_value(values, "points");
  int found = 0;
  fb_status status = FB_OK;
  for (int i = 0; i < 3 && !status; i++) {
    const fb_node* list = fb_fields_value(values, keys[i]);
    if (!list) continue;
    found = 1;
    if (points)
      return fb_node_fail(list, error, FB_ERR_CONTENT, "'points' has x, y and z already; keep them, or '%s'",
                          keys[i]);
    status =
        fb_scenario_spline(s, list, fb_fields_row(values, keys[i]), -1, 0, path, &out->position[i], error);
  }
  if (points)
    return fb_scenario_splines3(s, points, fb_fields_row(values, "points"), path, out->position, error);
  if (!status && !found)
    status = fb_node_fail(values->map, error, FB_ERR_CONTENT, "a position needs 'points', or x, y and z");
  return status;
}

fb_status fb_scenario_frame_path(fb_scenario* s, const fb_fields* law, fb_frame_path* out, fb_error* error) {
  const fb_node *map = fb_fields_value(law, "position"), *from_start = fb_fields_value(law, "from_start");
  fb_fields values;
  fb_scenario_path path;
  if (!map && from_start)
    return fb_node_fail(from_start, error, FB_ERR_CONTENT, "'from_start' also needs 'position'");
  if (!map) return FB_OK;
  fb_status status = fb_fields_get(law, "from_start", &out->from_start, error);
  if (!status) status = fb_scenario_path_of(s, map, FB_SCENARIO_POSITION, &values, &path, error);
  return status ? status : read_axes(s, &values, &path, out, error);
}

int fb_frame_task_drives(const fb_scenario* s, const fb_scenario_block* block, int body) {
  if (fb_joint_nv(s->model, body) == 0 || fb_body_floats(s->model, body)) return 0;
  int at = fb_frame_body(s->model, task_of(block)->frame), from = task_of(block)->from;
  while (at > FB_WORLD && at != from && at != body) at = fb_body_parent(s->model, at);
  return at == body && at != from;
}

fb_quantity fb_scenario_effort_quantity(const fb_scenario* s, const fb_scenario_block* block) {
  static const fb_field effort = {.quantity = FB_Q_FORCE, .angular = FB_Q_TORQUE};
  int forces = 0, torques = 0;
  for (int body = 1; body < fb_model_nbody(s->model); body++)
    for (int i = 0; block->kind->drives(s, block, body) && i < fb_joint_nv(s->model, body); i++)
      *(fb_scenario_quantity(s, &effort, body, i) == FB_Q_FORCE ? &forces : &torques) = 1;
  return forces && torques ? FB_Q_NONE : forces ? FB_Q_FORCE : FB_Q_TORQUE;
}

/* The body from which on joints are the law's. */
static fb_status read_from(const fb_scenario* s, const fb_fields* values, fb_frame_task* task,
                           fb_error* error) {
  const fb_node* node = fb_fields_value(values, "from");
  if (!node) return FB_OK;
  fb_status status = fb_scenario_body(s, node, &task->from, error);
  int at = fb_frame_body(s->model, task->frame);
  while (!status && at > FB_WORLD && at != task->from) at = fb_body_parent(s->model, at);
  if (status || at == task->from) return status;
  return fb_node_fail(node, error, FB_ERR_TREE,
                      "'%.60s' does not carry the frame '%.60s'; name a body between the base and the frame",
                      fb_body_name(s->model, task->from), fb_frame_name(s->model, task->frame));
}

fb_status fb_frame_task_gains(const fb_fields* values, fb_frame_task* task, fb_error* error) {
  double gain = 1;
  fb_status status = fb_fields_get(values, "gain", &gain, error);
  task->kp = gain * gain;
  task->kd = 2 * gain;
  if (status || task->by_motion) return status;
  status = fb_scenario_one(values, "kp", FB_Q_NONE, &task->kp, error);
  task->kd = 2 * sqrt(task->kp);
  return status ? status : fb_scenario_one(values, "kd", FB_Q_NONE, &task->kd, error);
}

/* Which rows of the frame's motion are requested, and by which Jacobian. */
static fb_status read_choices(const fb_fields* values, const fb_scenario_block* block, fb_frame_task* task,
                              fb_error* error) {
  int pose = 1, plain = 0;
  fb_status status = FB_OK;
  status = fb_fields_get_word(values, "rows", &pose, error);
  if (!status) status = fb_fields_get_word(values, "jacobian", &plain, error);
  if (status) return status;
  task->keep_base = block->kind == &fb_kind_control_reaction_null;
  task->assume_still = plain;
  task->rows = pose && !task->keep_base ? 6 : 3;
  if (task->path.turn && !pose)
    return fb_node_fail(fb_fields_value(values, "turn"), error, FB_ERR_CONTENT,
                        "rows: position leaves the attitude free; leave 'turn' out, or 'rows'");
  return FB_OK;
}

fb_status fb_frame_task_read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                             fb_error* error) {
  fb_frame_task* task = (fb_frame_task*)block->settings;
  *task = fb_default_frame_task();
  task->by_motion =
      block->kind == &fb_kind_control_resolved_rate || block->kind == &fb_kind_control_reaction_null;
  fb_status status = fb_scenario_frame(s, fb_fields_value(values, "frame"), &task->frame, error);
  if (!status) status = read_from(s, values, task, error);
  if (!status) status = fb_fields_get(values, "damping", &task->damping, error);
  if (!status)
    status = fb_scenario_one(values, "effort", fb_scenario_effort_quantity(s, block), &task->effort, error);
  if (!status) status = fb_scenario_frame_path(s, values, &task->path, error);
  if (!status) status = fb_scenario_turn(s, values, &task->path.turn, task->path.axis_w, error);
  return status ? status : read_choices(values, block, task, error);
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  fb_status status = fb_frame_task_read(s, values, block, error);
  return status ? status : fb_frame_task_gains(values, (fb_frame_task*)block->settings, error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  return fb_block_new_frame_task(s->model, block->name, task_of(block), out, error);
}

static double next_edge(const fb_scenario_block* block, double t) {
  return fb_frame_path_next_knot(&task_of(block)->path, t);
}

/* "follows a path" of which there may be none. */
static const char* follows(const fb_frame_path* path) {
  int moves = path->position[0] || path->position[1] || path->position[2] || path->turn;
  return moves ? "follows a path" : "stays where it starts";
}

void fb_frame_task_explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_frame_task* task = task_of(block);
  int joints = 0;
  for (int body = 1; body < fb_model_nbody(s->model); body++) joints += fb_frame_task_drives(s, block, body);
  fb_text_printf(out, "frame %s %s, %s, ", fb_frame_name(s->model, task->frame), follows(&task->path),
                 task->rows == 6 ? "position and attitude" : "its position only");
  fb_text_printf(out, "by the %s of %d joint%s", task->by_motion ? "motion" : "forces", joints,
                 joints == 1 ? "" : "s");
  if (task->from) fb_text_printf(out, " from %s on", fb_body_name(s->model, task->from));
  if (task->keep_base)
    fb_text_add(out, task->from ? ", which keeps it still" : ", which keeps the base's attitude");
  if (task->assume_still) fb_text_add(out, ", as if the base stayed where it is");
  if (isfinite(task->effort)) fb_text_printf(out, ", each within %.6g N m or N", task->effort);
}

#define TASK_KIND(list)                                                                                \
  {                                                                                                    \
    .schema = {.keys = list}, .heading = "control", .size = sizeof(fb_frame_task), .blame = {"frame"}, \
    .read = read, .make = make, .explain = fb_frame_task_explain, .next_edge = next_edge,              \
    .drives = fb_frame_task_drives                                                                     \
  }

const fb_kind fb_kind_control_frame_tracking =
    TASK_KIND("frame! from kp! kd position from_start turn axis rows damping effort limit");
const fb_kind fb_kind_control_resolved_rate =
    TASK_KIND("frame! from gain position from_start turn axis rows jacobian damping");
const fb_kind fb_kind_control_reaction_null = TASK_KIND("frame! from gain position from_start damping");
