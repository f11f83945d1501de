/* attitude.c -- the law of the attitude of a floating base, by wheels or thrusters. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "scenario/kinds/kinds.h"

static const fb_attitude_task* task_of(const fb_scenario_block* block) {
  return (const fb_attitude_task*)block->settings;
}

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
    if (*body <= FB_WORLD || !fb_body_floats(s->model, *body))
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
  int count = fb_texts_count(node);
  if (count == 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the list of wheels is empty; leave it out for thrusters");
  int* wheels = fb_scenario_alloc(s, (size_t)count, sizeof *wheels);
  if (!wheels) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++)
    status = read_wheel(s, fb_texts_item(node, i), wheels, i, &wheels[i], error);
  task->wheels = wheels;
  task->nwheel = count;
  return status;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  fb_attitude_task* task = (fb_attitude_task*)block->settings;
  *task = fb_default_attitude_task();
  task->kd = 0;
  fb_status status = read_body(s, values, &task->body, error);
  if (!status) status = fb_scenario_one(values, "kp", FB_Q_ANGULAR_STIFFNESS, &task->kp, error);
  if (!status) status = fb_scenario_one(values, "kd", FB_Q_ANGULAR_DAMPING, &task->kd, error);
  if (!status) status = fb_scenario_one(values, "effort", FB_Q_TORQUE, &task->effort, error);
  if (!status && fb_fields_value(values, "saturate")) {
    int how = FB_SATURATION_AXIS;
    status = fb_fields_word(values, "saturate", &how, error);
    task->saturate = (fb_saturation)how;
  }
  if (!status) status = fb_scenario_turn(s, values, &task->turn, task->axis_w, error);
  return status ? status : read_wheels(s, fb_fields_value(values, "wheels"), task, error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  return fb_block_new_attitude(s->model, block->name, task_of(block), out, error);
}

static fb_quantity quantity(const fb_scenario* s, const fb_scenario_block* block, const char* name) {
  (void)s, (void)block;
  if (strcmp(name, "kp") == 0) return FB_Q_ANGULAR_STIFFNESS;
  return strcmp(name, "kd") == 0 ? FB_Q_ANGULAR_DAMPING : FB_Q_TORQUE;
}

static double next_edge(const fb_scenario_block* block, double t) {
  return task_of(block)->turn ? fb_spline_next_knot(task_of(block)->turn, t) : INFINITY;
}

/* Thrusters turn the body. */
static int pushes(const fb_scenario_block* block, int turns) {
  return turns && task_of(block)->nwheel == 0 ? task_of(block)->body : FB_WORLD;
}

/* Wheels fade out at their speeds; their share of the torque is bounded when the law says so. */
static int keeps(const fb_scenario* s, const fb_scenario_block* block, int body) {
  (void)s;
  const fb_attitude_task* task = task_of(block);
  for (int i = 0; i < task->nwheel; i++)
    if (task->wheels[i] == body) return FB_KEEPS_SPEED | (isfinite(task->effort) ? FB_KEEPS_EFFORT : 0);
  return 0;
}

/* Some of the wheels have a speed limit. */
static int has_speeds(const fb_scenario* s, const fb_attitude_task* task) {
  for (int i = 0; i < task->nwheel; i++)
    if (isfinite(fb_model_def_body(fb_model_definition(s->model), task->wheels[i])->joint.speed[0])) return 1;
  return 0;
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_attitude_task* task = task_of(block);
  fb_text_printf(out, "the attitude of %s %s, by ", fb_body_name(s->model, task->body),
                 task->turn ? "follows a turn" : "is kept");
  if (task->nwheel > 0)
    fb_text_printf(out, "%d wheel%s", task->nwheel, task->nwheel == 1 ? "" : "s");
  else
    fb_text_add(out, "torque from outside");
  if (has_speeds(s, task)) fb_text_add(out, " within the model's speeds");
  if (isfinite(task->effort)) fb_text_printf(out, ", each within %.6g N m", task->effort);
  if (task->saturate == FB_SATURATION_DIRECTION) fb_text_add(out, ", scaled together");
}

const fb_kind fb_kind_control_attitude = {
    .schema = {.keys = "body kp! kd turn axis wheels effort saturate limit"},
    .heading = "control",
    .size = sizeof(fb_attitude_task),
    .blame = {"wheels"},
    .read = read,
    .make = make,
    .explain = explain,
    .quantity = quantity,
    .keeps = keeps,
    .next_edge = next_edge,
    .pushes = pushes};
