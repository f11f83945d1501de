/* explain_control.c -- says in one sentence what a control law of a scenario does. */
#include <math.h>

#include <freebody/text.h>

#include "scenario/scenario.h"

enum { MAX_SHOWN = 8 };

/* The coordinates of a law that follow paths, or those that have targets; nothing when there are none. */
static int add_followers(fb_text* out, const fb_scenario* s, const fb_scenario_block* block, int paths,
                         const char* words) {
  int shown = 0, more = 0;
  for (int i = 0; i < block->count; i++) {
    const fb_pd_joint* joint = &block->joints[i];
    int body = fb_coordinate_body(s->model, joint->coordinate);
    if ((joint->path != NULL) != paths || (shown == MAX_SHOWN && ++more)) continue;
    fb_text_add(out, shown++ ? ", " : words);
    fb_scenario_add_coordinate_name(out, s->model, joint->coordinate);
    if (paths) continue;
    fb_text_add(out, " ");
    fb_scenario_add_coordinate(out, s->model, body, joint->coordinate - fb_joint_v_at(s->model, body),
                               joint->target, 0);
  }
  if (more) fb_text_printf(out, " and %d more", more);
  return shown;
}

static int has_integral(const fb_scenario_block* block) {
  for (int i = 0; i < block->count; i++)
    if (block->joints[i].ki > 0) return 1;
  return 0;
}

static void add_gains(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  fb_text_add(out, block->type == FB_CONTROL_COMPUTED_TORQUE ? "computed torque"
                   : has_integral(block)                     ? "joint PID"
                                                             : "joint PD");
  int paths = add_followers(out, s, block, 1, " along paths: ");
  add_followers(out, s, block, 0, paths ? "; to targets: " : " to targets: ");
}

/* "follows a path" of which there may be none. */
static const char* follows(const fb_frame_path* path) {
  int moves = path->position[0] || path->position[1] || path->position[2] || path->turn;
  return moves ? "follows a path" : "stays where it starts";
}

static int count_joints(const fb_scenario* s, const fb_scenario_block* block) {
  int count = 0;
  for (int body = 1; body < fb_model_nbody(s->model); body++)
    count += fb_scenario_task_drives(s, block, body);
  return count;
}

static void add_task(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_frame_task* task = &block->task;
  int joints = count_joints(s, block);
  fb_text_printf(out, "frame %s %s, %s, ", fb_frame_name(s->model, task->frame), follows(&task->path),
                 task->rows == 6 ? "position and attitude" : "its position only");
  fb_text_printf(out, "by the %s of %d joint%s", task->by_motion ? "motion" : "forces", joints,
                 joints == 1 ? "" : "s");
  if (task->from) fb_text_printf(out, " from %s on", fb_body_name(s->model, task->from));
  if (task->keep_base)
    fb_text_add(out, task->from ? ", which keeps it still" : ", which keeps the base's attitude");
  if (task->assume_still) fb_text_add(out, ", as if the base stayed where it is");
  if (isfinite(task->effort)) fb_text_printf(out, ", each within %.6g", task->effort);
}

/* Some of the wheels have a speed limit. */
static int has_speeds(const fb_scenario* s, const fb_attitude_task* task) {
  for (int i = 0; i < task->nwheel; i++)
    if (isfinite(fb_model_def_body(fb_model_definition(s->model), task->wheels[i])->joint.speed[0])) return 1;
  return 0;
}

static void add_attitude(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_attitude_task* task = &block->attitude;
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

static void add_script(fb_text* out, const fb_scenario_block* block) {
  char time[32];
  int lua = block->type == FB_CONTROL_LUA;
  fb_text_printf(out, "%s %s", lua ? "the Lua script" : "the plugin", block->script.file);
  if (block->script.count > 0)
    fb_text_printf(out, " with %d parameter%s of its own", block->script.count,
                   block->script.count == 1 ? "" : "s");
  if (lua && block->script.options.period > 0)
    fb_text_printf(out, ", which ticks every %s", fb_scenario_time_text(block->script.options.period, time));
}

/* How it is run, and within which bounds. */
static void add_wrappers(fb_text* out, const fb_scenario_block* block) {
  const fb_sampling* sampling = &block->sampling;
  char time[32];
  if (block->limited) fb_text_add(out, ", within the model's efforts");
  if (!block->sampled) return;
  fb_text_printf(out, ", sampled every %s", fb_scenario_time_text(sampling->period, time));
  if (sampling->delay > 0) fb_text_printf(out, ", %s late", fb_scenario_time_text(sampling->delay, time));
  if (sampling->noise_q > 0 || sampling->noise_v > 0)
    fb_text_printf(out, ", with noise of %.6g and %.6g", sampling->noise_q, sampling->noise_v);
}

void fb_scenario_add_law(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  fb_text_printf(out, "%s: ", block->name);
  switch (block->type) {
    case FB_CONTROL_FRAME_TRACKING:
    case FB_CONTROL_RESOLVED_RATE:
    case FB_CONTROL_REACTION_NULL:
      add_task(out, s, block);
      break;
    case FB_CONTROL_ATTITUDE:
      add_attitude(out, s, block);
      break;
    case FB_CONTROL_LUA:
    case FB_CONTROL_PLUGIN:
      add_script(out, block);
      break;
    default:
      add_gains(out, s, block);
  }
  add_wrappers(out, block);
}
