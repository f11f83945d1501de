/* task.c -- control laws of frames, frame_tracking by force, resolved_rate and reaction_null by motion; and
 * of the attitude of a floating base.
 *
 *   resolved_rate, reaction_null: kp = gain^2, kd = 2 gain, so that an error dies out as exp(-gain t) without
 *   overshooting */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "scenario/scenario.h"

/* --- the path of the frame --- */

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

static fb_status read_position(fb_scenario* s, const fb_fields* law, const fb_controller_row* row,
                               fb_frame_path* out, fb_error* error) {
  const fb_node *map = fb_fields_value(law, "position"), *from_start = fb_fields_value(law, "from_start");
  fb_fields values;
  fb_scenario_path path;
  if (!map && from_start)
    return fb_node_fail(from_start, error, FB_ERR_CONTENT, "'from_start' needs 'position' beside it");
  if (!map) return FB_OK;
  out->from_start = row->from_start;
  fb_status status = fb_scenario_path_of(s, map, FB_SCENARIO_POSITION, &values, &path, error);
  return status ? status : read_axes(s, &values, &path, out, error);
}

/* The turn and its axis, which belong together; NULL when there is none. */
static fb_status read_turn(fb_scenario* s, const fb_fields* law, const fb_controller_row* row,
                           const fb_spline** turn, double axis_w[3], fb_error* error) {
  const fb_node *map = fb_fields_value(law, "turn"), *axis = fb_fields_value(law, "axis");
  fb_fields values;
  fb_scenario_path path;
  if (axis && !map)
    return fb_node_fail(axis, error, FB_ERR_CONTENT, "'axis' needs 'turn' beside it, with times and angles");
  if (map && !axis)
    return fb_node_fail(map, error, FB_ERR_CONTENT, "'turn' needs 'axis' beside it, as [0, 0, 1]");
  if (!map) return FB_OK;
  memcpy(axis_w, row->axis, sizeof row->axis);
  fb_status status = fb_scenario_path_of(s, map, FB_SCENARIO_TURN, &values, &path, error);
  if (status) return status;
  return fb_scenario_spline(s, fb_fields_value(&values, "angles"), fb_fields_row(&values, "angles"), -1, 0,
                            &path, turn, error);
}

/* --- numbers --- */

/* One number under a key that other laws give for each coordinate. */
static fb_status read_one(const fb_fields* values, const char* key, fb_quantity quantity, double* out,
                          fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  if (!node) return FB_OK;
  fb_status status = fb_node_number(node, quantity, out, error);
  return status ? status : fb_field_check_range(node, fb_fields_row(values, key), *out, error);
}

/* --- frames --- */

int fb_scenario_task_drives(const fb_scenario* s, const fb_scenario_block* block, int body) {
  if (fb_joint_nv(s->model, body) == 0 || fb_scenario_floats(s->model, body)) return 0;
  int at = fb_frame_body(s->model, block->task.frame), from = block->task.from;
  while (at > FB_WORLD && at != from && at != body) at = fb_body_parent(s->model, at);
  return at == body && at != from;
}

/* What the effort of a frame's joints is: torque, or force, or either. */
static fb_quantity effort_quantity(const fb_scenario* s, const fb_scenario_block* block) {
  static const fb_field effort = {.quantity = FB_Q_FORCE, .angular = FB_Q_TORQUE};
  int forces = 0, torques = 0;
  for (int body = 1; body < fb_model_nbody(s->model); body++)
    for (int i = 0; fb_scenario_task_drives(s, block, body) && i < fb_joint_nv(s->model, body); i++)
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

static fb_status read_gains(const fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                            fb_scenario_block* block, fb_error* error) {
  fb_frame_task* task = &block->task;
  task->damping = row->damping;
  task->by_motion = block->type != FB_CONTROL_FRAME_TRACKING;
  if (task->by_motion) {
    task->kp = row->gain * row->gain;
    task->kd = 2 * row->gain;
    return FB_OK;
  }
  fb_status status = read_one(values, "kp", FB_Q_NONE, &task->kp, error);
  task->kd = 2 * sqrt(task->kp);
  if (!status) status = read_one(values, "kd", FB_Q_NONE, &task->kd, error);
  return status ? status : read_one(values, "effort", effort_quantity(s, block), &task->effort, error);
}

/* Which rows of the frame's motion are asked for, and by which Jacobian. */
static fb_status read_choices(const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  int pose = 1, plain = 0;
  fb_status status = FB_OK;
  if (fb_fields_value(values, "rows")) status = fb_fields_word(values, "rows", &pose, error);
  if (!status && fb_fields_value(values, "jacobian"))
    status = fb_fields_word(values, "jacobian", &plain, error);
  if (status) return status;
  block->task.keep_base = block->type == FB_CONTROL_REACTION_NULL;
  block->task.assume_still = plain;
  block->task.rows = pose && !block->task.keep_base ? 6 : 3;
  if (block->task.path.turn && !pose)
    return fb_node_fail(fb_fields_value(values, "turn"), error, FB_ERR_CONTENT,
                        "rows: position leaves the attitude free; leave 'turn' out, or 'rows'");
  return FB_OK;
}

fb_status fb_scenario_read_task(fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                                fb_scenario_block* block, const fb_node** blame, fb_error* error) {
  fb_frame_task* task = &block->task;
  *blame = fb_fields_value(values, "frame");
  *task = fb_default_frame_task();
  memcpy(task->gravity_w, s->gravity_w, sizeof task->gravity_w);
  fb_status status = fb_scenario_frame(s, *blame, &task->frame, error);
  if (!status) status = read_from(s, values, task, error);
  if (!status) status = read_gains(s, values, row, block, error);
  if (!status) status = read_position(s, values, row, &task->path, error);
  if (!status) status = read_turn(s, values, row, &task->path.turn, task->path.axis_w, error);
  return status ? status : read_choices(values, block, error);
}

/* --- attitudes --- */

/* The floating base that is named, or the only one. */
static fb_status read_body(const fb_scenario* s, const fb_fields* values, int* body, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "body");
  const char* word = NULL;
  char list[FB_SUGGESTION_SIZE] = "; there is none";
  int count;
  fb_status status = node ? fb_node_string(node, &word, error) : FB_OK;
  if (status) return status;
  const char** names = fb_scenario_list_bases(s->model, &count, body);
  if (!names) return fb_scenario_no_memory(error);
  if (node) {
    *body = fb_model_find_body(s->model, word);
    if (count > 0) fb_suggestion_or_list(word, names, count == 1 ? "there is" : "there are", list);
    if (*body <= FB_WORLD || !fb_scenario_floats(s->model, *body))
      status = fb_node_fail(node, error, FB_ERR_NAME, "there is no floating base '%.60s'%s", word, list);
  } else if (count != 1) {
    status = count == 0 ? fb_node_fail(values->map, error, FB_ERR_CONTENT,
                                       "no base floats in this scene, so there is no attitude to control")
                        : fb_node_fail(values->map, error, FB_ERR_CONTENT,
                                       "%d bases float in this scene: %s; say which one with 'body'", count,
                                       fb_words_join(names, "", list, sizeof list));
  }
  free((void*)names);
  return status;
}

static fb_status read_wheel(const fb_scenario* s, const fb_node* node, const int* wheels, int count,
                            int* wheel, fb_error* error) {
  fb_status status = fb_scenario_body(s, node, wheel, error);
  if (status) return status;
  fb_joint_type type = fb_joint_type_of(s->model, *wheel);
  if (type != FB_JOINT_REVOLUTE)
    return fb_node_fail(node, error, FB_ERR_JOINT, "wheels turn on revolute joints; '%.60s' is on a %s joint",
                        fb_node_text(node), fb_joint_type_name(type));
  for (int i = 0; i < count; i++)
    if (wheels[i] == *wheel)
      return fb_node_fail(node, error, FB_ERR_NAME, "the wheel '%.60s' is named twice", fb_node_text(node));
  return FB_OK;
}

static fb_status read_wheels(fb_scenario* s, const fb_node* node, fb_attitude_task* task, fb_error* error) {
  if (!node) return FB_OK;
  int list = fb_node_get_kind(node) == FB_NODE_LIST, count = list ? fb_node_count(node) : 1;
  if (count == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the list of wheels is empty; leave it out for thrusters");
  int* wheels = (int*)fb_scenario_take(s, (size_t)count, sizeof *wheels);
  if (!wheels) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++)
    status = read_wheel(s, list ? fb_node_item(node, i) : node, wheels, i, &wheels[i], error);
  task->wheels = wheels;
  task->nwheel = count;
  return status;
}

fb_status fb_scenario_read_attitude(fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                                    fb_scenario_block* block, const fb_node** blame, fb_error* error) {
  fb_attitude_task* task = &block->attitude;
  const fb_node* wheels = fb_fields_value(values, "wheels");
  *blame = wheels ? wheels : values->map;
  *task = fb_default_attitude_task();
  task->kd = 0;
  fb_status status = read_body(s, values, &task->body, error);
  if (!status) status = read_one(values, "kp", FB_Q_ANGULAR_STIFFNESS, &task->kp, error);
  if (!status) status = read_one(values, "kd", FB_Q_ANGULAR_DAMPING, &task->kd, error);
  if (!status) status = read_one(values, "effort", FB_Q_TORQUE, &task->effort, error);
  if (!status && fb_fields_value(values, "saturate")) {
    int how = FB_SATURATION_AXIS;
    status = fb_fields_word(values, "saturate", &how, error);
    task->saturate = (fb_saturation)how;
  }
  if (!status) status = read_turn(s, values, row, &task->turn, task->axis_w, error);
  return status ? status : read_wheels(s, wheels, task, error);
}
