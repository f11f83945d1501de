/* control.c -- the control laws of a scenario: what all of them have, and which reader takes the rest. */
#include "base/grow.h"
#include "scenario/scenario.h"

/* --- by type --- */

static fb_status read_law(fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                          fb_scenario_block* block, const fb_node** blame, fb_error* error) {
  switch (block->type) {
    case FB_CONTROL_FRAME_TRACKING:
    case FB_CONTROL_RESOLVED_RATE:
    case FB_CONTROL_REACTION_NULL:
      return fb_scenario_read_task(s, values, row, block, blame, error);
    case FB_CONTROL_ATTITUDE:
      return fb_scenario_read_attitude(s, values, row, block, blame, error);
    case FB_CONTROL_LUA:
    case FB_CONTROL_PLUGIN:
      return fb_scenario_read_script(s, values, row, block, blame, error);
    default:
      return fb_scenario_read_gains(s, values, block, blame, error);
  }
}

/* --- what it must not do --- */

static int by_motion(const fb_scenario_block* block) {
  return block->type == FB_CONTROL_RESOLVED_RATE || block->type == FB_CONTROL_REACTION_NULL;
}

/* Two laws cannot say how one joint moves, unless they never act together. */
static fb_status check_alone(const fb_scenario* s, const fb_node* node, const fb_scenario_block* block,
                             fb_error* error) {
  for (int i = 0; i < s->nblock && by_motion(block); i++) {
    const fb_scenario_block* other = &s->blocks[i];
    if (!by_motion(other) || (block->modes && other->modes && !(block->modes & other->modes))) continue;
    for (int body = 1; body < fb_model_nbody(s->model); body++)
      if (fb_scenario_task_drives(s, block, body) && fb_scenario_task_drives(s, other, body))
        return fb_node_fail(node, error, FB_ERR_CONTENT,
                            "the law '%.60s' moves the joint '%.60s' already; let one of them act by force, "
                            "as frame_tracking does, or in another mode",
                            other->name, fb_joint_name(s->model, body));
  }
  return FB_OK;
}

/* What the block itself refuses is refused here, where its place is known; lines of scripts are better places. */
static fb_status try_block(const fb_scenario* s, const fb_node* blame, fb_scenario_block* block,
                           fb_error* error) {
  fb_block made;
  fb_status status = fb_scenario_make_block(s, block, &made, error);
  if (status && error->place.line == 0) fb_node_place_error(blame, error);
  if (status) return status;
  block->period = made.period;
  block->moves = made.moves;
  block->has_edges = block->type == FB_CONTROL_PLUGIN && made.next_edge;
  fb_block_free(&made);
  return fb_scenario_check_period(s, blame, block->period, error);
}

/* --- all of it --- */

static fb_status read_controller(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  fb_controller_row row = {.gain = 1};
  fb_scenario_block block = {.coordinate = -1};
  const fb_node* blame = map;
  int type = 0;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_CONTROLLER, &values, error);
  if (!status) status = fb_fields_word(&values, "type", &type, error);
  if (!status) status = fb_fields_read(&values, type, &row, error);
  if (!status) status = fb_scenario_modes_of(s, fb_fields_value(&values, "mode"), &block.modes, error);
  if (status) return status;
  block.type = (fb_control_type)type;
  block.limited = row.limit;
  block.name = row.name ? row.name : fb_scenario_print(s, "control[%d]", index);
  if (!block.name) return fb_scenario_no_memory(error);
  status = fb_scenario_read_sample(s, fb_fields_value(&values, "sample"), &block, error);
  if (!status) status = read_law(s, &values, &row, &block, &blame, error);
  if (!status) status = try_block(s, blame, &block, error);
  if (!status) status = check_alone(s, blame, &block, error);
  if (status) return status;
  if (!fb_grow(&s->blocks, (size_t)s->nblock, 1, &s->block_room, sizeof *s->blocks))
    return fb_scenario_no_memory(error);
  s->blocks[s->nblock++] = block;
  return FB_OK;
}

fb_status fb_scenario_read_control(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* list = fb_fields_value(values, "control");
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "control laws", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = read_controller(s, fb_node_item(list, i), i, error);
  return status ? status : fb_scenario_check_names(list, NULL, "control law", error);
}
