/* control.c -- the items of `control`: what all of them have; the rest is read by their kinds (scenario/kinds.h). */
#include <string.h>

#include "base/grow.h"
#include "scenario/kinds.h"

/* --- blocks --- */

fb_status fb_scenario_new_block(fb_scenario* s, const fb_kind* kind, const char* name, const char* what,
                                int index, fb_scenario_block* block, fb_error* error) {
  *block = (fb_scenario_block){.kind = kind, .settings = fb_scenario_take(s, 1, kind->size)};
  block->name = name ? name : fb_scenario_print(s, "%s[%d]", what, index);
  return block->name && block->settings ? FB_OK : fb_scenario_no_memory(error);
}

fb_status fb_scenario_add_block(fb_scenario* s, const fb_scenario_block* block, fb_error* error) {
  if (!block->name || !fb_grow(&s->blocks, (size_t)s->nblock, 1, &s->block_room, sizeof *s->blocks) ||
      !fb_grow(&s->faces, (size_t)s->nblock, 1, &s->face_room, sizeof *s->faces))
    return fb_scenario_no_memory(error);
  s->faces[s->nblock] = fb_default_block();
  s->faces[s->nblock].name = block->name;
  s->faces[s->nblock].outputs = block->outputs;
  s->faces[s->nblock].noutput = block->noutput;
  s->faces[s->nblock].contact_ = block->contact;
  s->blocks[s->nblock++] = *block;
  return FB_OK;
}

/* Copies the outputs of a block, whose own go with it. */
static fb_status keep_outputs(fb_scenario* s, const fb_block* made, fb_scenario_block* block,
                              fb_error* error) {
  fb_port* ports = fb_scenario_take(s, (size_t)made->noutput, sizeof *ports);
  if (!ports) return fb_scenario_no_memory(error);
  for (int i = 0; i < made->noutput; i++) {
    const fb_port* from = &made->outputs[i];
    ports[i] = (fb_port){fb_scenario_text(s, from->name), fb_scenario_text(s, from->unit ? from->unit : "1"),
                         fb_scenario_text(s, from->axes ? from->axes : ""), from->count};
    if (!ports[i].name || !ports[i].unit || !ports[i].axes) return fb_scenario_no_memory(error);
  }
  block->outputs = ports;
  block->noutput = made->noutput;
  s->has_inputs |= made->ninput > 0;
  return FB_OK;
}

/* --- what it must not do --- */

/* Whether it is known which joints it moves. */
static int moves_joints(const fb_scenario_block* block) {
  return block->moves && block->kind->drives;
}

/* Two laws cannot say how one joint moves, unless they never act together. */
static fb_status check_alone(const fb_scenario* s, const fb_node* node, const fb_scenario_block* block,
                             fb_error* error) {
  for (int i = 0; i < s->nblock && moves_joints(block); i++) {
    const fb_scenario_block* other = &s->blocks[i];
    if (!moves_joints(other) || (block->modes && other->modes && !(block->modes & other->modes))) continue;
    for (int body = 1; body < fb_model_nbody(s->model); body++)
      if (block->kind->drives(s, block, body) && other->kind->drives(s, other, body))
        return fb_node_fail(node, error, FB_ERR_CONTENT,
                            "the law '%.60s' moves the joint '%.60s' already; let one of them act by force, "
                            "as frame_tracking does, or in another mode",
                            other->name, fb_joint_name(s->model, body));
  }
  return FB_OK;
}

/* What the block itself refuses is refused here, where its place is known; lines of scripts are better places. */
fb_status fb_scenario_try_block(fb_scenario* s, const fb_node* blame, fb_scenario_block* block,
                                fb_error* error) {
  fb_block made;
  fb_status status = fb_scenario_make_block(s, block, &made, error);
  if (status && error->place.line == 0) fb_node_place_error(blame, error);
  if (status) return status;
  block->period = made.period;
  block->moves = made.moves;
  block->contact = made.contact_;
  block->has_edges = made.next_edge && !block->kind->next_edge && !block->sampled; /* samples hide its own */
  status = keep_outputs(s, &made, block, error);
  fb_block_free(&made);
  return status ? status : fb_scenario_check_period(s, blame, block->period, error);
}

/* --- all of it --- */

static fb_status read_controller(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  fb_controller_row row = {NULL};
  fb_scenario_block block;
  const fb_node* blame = map;
  int type = 0;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_CONTROLLER, &values, error);
  if (!status) status = fb_fields_word(&values, "type", &type, error);
  if (!status) status = fb_fields_read(&values, type, &row, error);
  if (!status) status = fb_scenario_new_block(s, fb_kinds[type], row.name, "control", index, &block, error);
  if (!status) status = fb_scenario_modes_of(s, fb_fields_value(&values, "mode"), &block.modes, error);
  if (!status) status = fb_fields_get(&values, "limit", &block.limited, error);
  if (!status) status = fb_scenario_read_sample(s, fb_fields_value(&values, "sample"), &block, error);
  if (!status) status = block.kind->read(s, &values, &block, &blame, error);
  if (!status) status = fb_scenario_try_block(s, blame, &block, error);
  if (!status) status = check_alone(s, blame, &block, error);
  return status ? status : fb_scenario_add_block(s, &block, error);
}

/* Of a plant the laws are left to somebody else. */
static int is_left_out(const fb_scenario* s, const fb_node* item) {
  const fb_node* type = fb_map_get(item, "type");
  return s->asked.plant && !(type && strcmp(fb_node_text(type), "input") == 0);
}

int fb_scenario_is_of_left_out_law(const fb_scenario* s, const char* signal) {
  const fb_node* list = fb_map_get(fb_doc_root(s->doc), "control");
  for (int i = 0; list && i < fb_node_count(list); i++) {
    const fb_node* name = fb_map_get(fb_node_item(list, i), "name");
    const char* law = name ? fb_node_text(name) : "";
    size_t length = strlen(law);
    if (length > 0 && is_left_out(s, fb_node_item(list, i)) && strncmp(signal, law, length) == 0 &&
        (signal[length] == '.' || !signal[length]))
      return 1;
  }
  return 0;
}

fb_status fb_scenario_read_control(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* list = fb_fields_value(values, "control");
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "control laws", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    if (!is_left_out(s, fb_node_item(list, i)))
      status = fb_scenario_go_on(s, read_controller(s, fb_node_item(list, i), i, error), error);
  return status ? status : fb_scenario_check_names(list, NULL, "control law", error);
}
