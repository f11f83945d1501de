/* block.c -- the block of each force and control law of a scenario, with what is wrapped around it. */
#include <string.h>

#include "scenario/scenario.h"

static fb_status make_schedule(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                               fb_error* error) {
  if (block->coordinate >= 0)
    return fb_block_joint_schedule(s->model, block->name, block->coordinate, &block->schedule, out, error);
  return fb_block_frame_schedule(s->model, block->name, block->frame, block->in_frame_axes, &block->schedule,
                                 out, error);
}

static fb_status make_script(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                             fb_error* error) {
  const fb_scenario_script* script = &block->script;
  fb_lua_options options = script->options;
  options.note = s->note;
  options.note_user = s->note_user;
  return fb_lua_block(s->model, block->name, script->text, script->size, script->file, &options, out, error);
}

static fb_status make_law(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                          fb_error* error) {
  const fb_scenario_script* script = &block->script;
  switch (block->type) {
    case FB_CONTROL_JOINT_PD:
    case FB_CONTROL_JOINT_PID:
      return fb_block_joint_pd(s->model, block->name, block->joints, block->count, out, error);
    case FB_CONTROL_COMPUTED_TORQUE:
      return fb_block_computed_torque(s->model, block->name, block->joints, block->count, s->gravity_w, out,
                                      error);
    case FB_CONTROL_FRAME_TRACKING:
    case FB_CONTROL_RESOLVED_RATE:
    case FB_CONTROL_REACTION_NULL:
      return fb_block_frame_task(s->model, block->name, &block->task, out, error);
    case FB_CONTROL_ATTITUDE:
      return fb_block_attitude(s->model, block->name, &block->attitude, out, error);
    case FB_CONTROL_LUA:
      return make_script(s, block, out, error);
    case FB_CONTROL_PLUGIN:
      return fb_plugin_load(s->model, block->name, script->file, script->parameters, script->count, out,
                            error);
    default:
      return make_schedule(s, block, out, error);
  }
}

/* Limits inside, so that they are reckoned at the samples only. */
fb_status fb_scenario_make_block(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                 fb_error* error) {
  fb_status status = make_law(s, block, out, error);
  if (!status && block->limited) status = fb_block_limited(s->model, out, out, error);
  if (!status && block->sampled) status = fb_block_sampled(s->model, out, &block->sampling, out, error);
  if (!status) out->modes = block->modes;
  return status;
}

const fb_spline* fb_scenario_block_path(const fb_scenario_block* block, int index) {
  const fb_spline* found[4] = {NULL, NULL, NULL, NULL};
  int count = 0;
  for (int i = 0; i < 3; i++)
    if (block->task.path.position[i]) found[count++] = block->task.path.position[i];
  if (block->task.path.turn) found[count++] = block->task.path.turn;
  if (block->attitude.turn) found[count++] = block->attitude.turn;
  if (block->type > FB_CONTROL_COMPUTED_TORQUE) return index < count ? found[index] : NULL;
  for (int i = 0; i < block->count; i++)
    if (block->joints[i].path && index-- == 0) return block->joints[i].path;
  return NULL;
}

/* --- parameters --- */

/* What a parameter of a block measures. Those of scripts and plugins are plain numbers. */
static fb_quantity quantity_of(const fb_scenario* s, const fb_scenario_block* block, const char* name) {
  if (block->type <= FB_CONTROL_COMPUTED_TORQUE) return fb_scenario_gain_quantity(s, block, name);
  if (block->type != FB_CONTROL_ATTITUDE) return FB_Q_NONE;
  if (strcmp(name, "kp") == 0) return FB_Q_ANGULAR_STIFFNESS;
  return strcmp(name, "kd") == 0 ? FB_Q_ANGULAR_DAMPING : FB_Q_TORQUE;
}

fb_status fb_scenario_parameter(const fb_scenario* s, const fb_scenario_block* block, const fb_node* node,
                                fb_quantity* quantity, fb_error* error) {
  const char* name;
  fb_block made;
  int count = 0, index;
  fb_status status = fb_node_string(node, &name, error);
  if (!status) status = fb_scenario_make_block(s, block, &made, error);
  if (status) return status;
  while (made.parameters && made.parameters[count]) count++;
  if (count == 0)
    status = fb_node_fail(node, error, FB_ERR_NAME, "the block '%.60s' has no parameters", block->name);
  else
    status = fb_scenario_word(node, name, "parameter", made.parameters, count, &index, error);
  fb_block_free(&made);
  if (!status) *quantity = quantity_of(s, block, name);
  return status;
}
