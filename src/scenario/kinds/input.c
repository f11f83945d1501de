/* input.c -- inputs from outside: forces of joints, wrenches at frames and plain numbers that a host program sets between
 * steps
 *
 *   tau_k = u_k;   force and torque at a frame = u;   a number that other blocks read = u
 *
 * The numbers u are the block's memory, so they are part of a snapshot, events can set them as parameters, and they are
 * held until they are set again. Each is an output too: NAME.tau.JOINT, NAME.force.FRAME, NAME.torque.FRAME, NAME.VALUE.
 * In `freebody run` nobody sets them: forces are zero and numbers have the values that the scenario gives.
 * src/plant/ makes them the inputs of an exported plant. Cost O(inputs). */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "scenario/kinds.h"

enum { WRENCH = 6 };

/* The settings. u is laid out as: coordinates, frames (force, then torque), values. */
typedef struct input {
  int ncoordinate, nframe, nvalue, nport;
  int* coordinates; /* [ncoordinate] indices in v */
  int* frames;      /* [nframe] */
  int in_frame_axes;
  const char** names; /* [width + 1] of the numbers, NULL-ended */
  double* start;      /* [width] */
  fb_port* ports;     /* [nport] */
} input;

static int width_of(const input* in) {
  return in->ncoordinate + WRENCH * in->nframe + in->nvalue;
}

static const fb_field FIELDS[] = {
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "values",
     .kind = FB_FIELD_BY_NAME,
     .fallback = "none",
     .help =
         "numbers of an input by name, with the values that they have until they are set; other blocks read "
         "them as signals, NAME.VALUE"},
};

/* --- reading --- */

static fb_status add_joint(const fb_scenario* s, const fb_node* node, int body, input* in, fb_error* error) {
  int first = fb_joint_v_at(s->model, body);
  for (int i = 0; i < in->ncoordinate; i++)
    if (in->coordinates[i] == first)
      return fb_node_fail(node, error, FB_ERR_NAME, "the joint '%.60s' is named twice",
                          fb_joint_name(s->model, body));
  for (int i = 0; i < fb_joint_nv(s->model, body); i++) in->coordinates[in->ncoordinate++] = first + i;
  return FB_OK;
}

/* All joints but those of floating bases, which have no actuator. */
static fb_status add_all_joints(const fb_scenario* s, const fb_node* node, input* in, fb_error* error) {
  fb_status status = FB_OK;
  for (int body = 1; body < fb_model_nbody(s->model) && !status; body++)
    if (!fb_scenario_floats(s->model, body)) status = add_joint(s, node, body, in, error);
  if (status || in->ncoordinate > 0) return status;
  return fb_node_fail(node, error, FB_ERR_CONTENT,
                      "no joint of this scene has an actuator; name 'frames' or 'values' instead");
}

static fb_status read_joints(fb_scenario* s, const fb_fields* values, input* in, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "joints");
  in->coordinates = fb_scenario_take(s, (size_t)fb_model_nv(s->model), sizeof *in->coordinates);
  if (!in->coordinates) return fb_scenario_no_memory(error);
  if (!node && (fb_fields_value(values, "frames") || fb_fields_value(values, "values"))) return FB_OK;
  int list = node && fb_node_get_kind(node) == FB_NODE_LIST, body;
  if (!node || (!list && strcmp(fb_node_text(node), "all") == 0))
    return add_all_joints(s, node ? node : values->map, in, error);
  fb_status status = FB_OK;
  for (int i = 0; i < (list ? fb_node_count(node) : 1) && !status; i++) {
    const fb_node* item = list ? fb_node_item(node, i) : node;
    status = fb_scenario_joint(s, item, &body, error);
    if (!status) status = add_joint(s, item, body, in, error);
  }
  return status;
}

static fb_status read_frames(fb_scenario* s, const fb_fields* values, input* in, fb_error* error) {
  const fb_node* node = fb_fields_value(values, "frames");
  if (fb_fields_value(values, "axes")) {
    fb_status status = fb_fields_word(values, "axes", &in->in_frame_axes, error);
    if (status) return status;
  }
  if (!node) return FB_OK;
  int list = fb_node_get_kind(node) == FB_NODE_LIST, count = list ? fb_node_count(node) : 1;
  in->frames = fb_scenario_take(s, (size_t)count, sizeof *in->frames);
  if (!in->frames) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++) {
    const fb_node* item = list ? fb_node_item(node, i) : node;
    status = fb_scenario_frame(s, item, &in->frames[in->nframe], error);
    if (!status && list) status = fb_scenario_check_once(node, i, "frame", error);
    in->nframe++;
  }
  return status;
}

/* --- names and ports --- */

static const char* unit_of(const fb_model* m, int k) {
  int body = fb_coordinate_body(m, k);
  return fb_joint_type_is_length(fb_joint_type_of(m, body), k - fb_joint_v_at(m, body)) ? "N" : "N m";
}

static void name_coordinates(fb_scenario* s, input* in) {
  for (int i = 0; i < in->ncoordinate; i++) {
    int k = in->coordinates[i], body = fb_coordinate_body(s->model, k);
    const char* joint = fb_joint_name(s->model, body);
    in->names[i] = fb_joint_nv(s->model, body) == 1
                       ? fb_scenario_print(s, "tau.%.120s", joint)
                       : fb_scenario_print(s, "tau.%.120s.%d", joint, k - fb_joint_v_at(s->model, body));
    in->ports[in->nport++] =
        (fb_port){.name = in->names[i], .unit = unit_of(s->model, k), .axes = "joint", .count = 1};
  }
}

static void name_frames(fb_scenario* s, input* in) {
  static const char* const WHAT[] = {"force", "torque"};
  const char** names = in->names + in->ncoordinate;
  for (int i = 0; i < 2 * in->nframe; i++) {
    const char* frame = fb_frame_name(s->model, in->frames[i / 2]);
    for (int k = 0; k < 3; k++)
      names[3 * i + k] = fb_scenario_print(s, "%s.%.120s.%c", WHAT[i % 2], frame, "xyz"[k]);
    in->ports[in->nport++] = (fb_port){.name = fb_scenario_print(s, "%s.%.120s", WHAT[i % 2], frame),
                                       .unit = i % 2 ? "N m" : "N",
                                       .axes = in->in_frame_axes ? frame : "world",
                                       .count = 3};
  }
}

static void name_values(const fb_plugin_parameter* values, input* in) {
  int first = in->ncoordinate + WRENCH * in->nframe;
  for (int i = 0; i < in->nvalue; i++) {
    in->names[first + i] = values[i].name;
    in->start[first + i] = values[i].value;
    in->ports[in->nport++] = (fb_port){.name = values[i].name, .unit = "1", .axes = "", .count = 1};
  }
}

static int names_are_whole(const input* in) {
  for (int i = 0; i < width_of(in); i++)
    if (!in->names[i]) return 0;
  for (int i = 0; i < in->nport; i++)
    if (!in->ports[i].name) return 0;
  return 1;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                      const fb_node** blame, fb_error* error) {
  input* in = (input*)block->settings;
  fb_plugin_parameter* numbers = NULL;
  *blame = values->map;
  fb_status status = read_joints(s, values, in, error);
  if (!status) status = read_frames(s, values, in, error);
  if (!status)
    status = fb_scenario_parameters(s, fb_fields_value(values, "values"), &numbers, &in->nvalue, error);
  if (status) return status;
  if (width_of(in) == 0)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "an input needs 'joints', 'frames' or 'values' with at least one entry");
  in->names = fb_scenario_take(s, (size_t)width_of(in) + 1, sizeof *in->names);
  in->start = fb_scenario_take(s, (size_t)width_of(in), sizeof *in->start);
  in->ports = fb_scenario_take(s, (size_t)width_of(in), sizeof *in->ports);
  if (!in->names || !in->start || !in->ports) return fb_scenario_no_memory(error);
  name_coordinates(s, in);
  name_frames(s, in);
  name_values(numbers, in);
  return names_are_whole(in) ? FB_OK : fb_scenario_no_memory(error);
}

/* --- the block --- */

typedef struct input_block {
  const input* in;
  const fb_model* first; /* the scenario's */
  int coordinates[];     /* in the present model; -1: the joint has gone */
} input_block;

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)context, (void)state, (void)error;
  const input* in = ((const input_block*)user)->in;
  memcpy(memory, in->start, (size_t)width_of(in) * sizeof *memory);
  return FB_OK;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)context, (void)state, (void)state_rate, (void)error;
  const input_block* b = (const input_block*)user;
  const input* in = b->in;
  for (int i = 0; i < in->ncoordinate; i++)
    if (b->coordinates[i] >= 0) action->tau[b->coordinates[i]] += memory[i];
  for (int i = 0; i < in->nframe; i++) {
    const double* u = memory + in->ncoordinate + WRENCH * i;
    fb_wrench* wrench = fb_action_wrench(action);
    wrench->frame = in->frames[i];
    wrench->in_frame_axes = in->in_frame_axes;
    memcpy(wrench->force, u, 3 * sizeof *u);
    memcpy(wrench->torque, u + 3, 3 * sizeof *u);
  }
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)context, (void)state, (void)error;
  memcpy(outputs, memory, (size_t)width_of(((const input_block*)user)->in) * sizeof *outputs);
  return FB_OK;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  input_block* b = (input_block*)user;
  for (int i = 0; i < b->in->ncoordinate; i++) {
    int before = b->coordinates[i];
    b->coordinates[i] = fb_coordinate_in(b->first, b->in->coordinates[i], m);
    if (b->coordinates[i] < 0 && before >= 0) fb_coordinate_note_gone(b->first, b->in->coordinates[i], error);
  }
  return FB_OK;
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const input* in = (const input*)block->settings;
  size_t size = (size_t)in->ncoordinate * sizeof *in->coordinates;
  input_block* b = malloc(sizeof *b + size);
  *out = fb_default_block();
  if (!b) return fb_scenario_no_memory(error);
  b->in = in;
  b->first = s->model;
  memcpy(b->coordinates, in->coordinates, size);
  *out = fb_default_block();
  out->name = block->name;
  out->user = b;
  out->nmemory = width_of(in);
  out->nwrench = in->nframe;
  out->parameters = in->names;
  out->outputs = in->ports;
  out->noutput = in->nport;
  out->held = 1;
  out->start = start;
  out->act = act;
  out->output = output;
  out->rebind = rebind;
  out->free = free;
  return FB_OK;
}

/* --- what is asked of it --- */

int fb_scenario_is_input(const fb_scenario_block* block) {
  return block->kind == &fb_kind_input;
}

static fb_quantity quantity(const fb_scenario* s, const fb_scenario_block* block, const char* parameter) {
  const input* in = (const input*)block->settings;
  for (int i = 0; i < in->ncoordinate + WRENCH * in->nframe; i++) {
    if (strcmp(in->names[i], parameter) != 0) continue;
    if (i < in->ncoordinate) return unit_of(s->model, in->coordinates[i])[1] ? FB_Q_TORQUE : FB_Q_FORCE;
    return (i - in->ncoordinate) % WRENCH < 3 ? FB_Q_FORCE : FB_Q_TORQUE;
  }
  return FB_Q_NONE;
}

static void add_count(fb_text* out, int count, const char* one, const char* many, int* before) {
  if (count == 0) return;
  fb_text_printf(out, "%s%d %s", *before ? ", " : "", count, count == 1 ? one : many);
  *before = 1;
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const input* in = (const input*)block->settings;
  int before = 0;
  (void)s;
  fb_text_add(out, "set from outside: ");
  add_count(out, in->ncoordinate, "joint force", "joint forces", &before);
  add_count(out, in->nframe, "wrench", "wrenches", &before);
  add_count(out, in->nvalue, "number", "numbers", &before);
}

const fb_kind fb_kind_input = {
    .schema = {.keys = "joints frames axes values limit", .fields = FIELDS, .field_count = 1},
    .heading = "input",
    .size = sizeof(input),
    .read = read,
    .make = make,
    .explain = explain,
    .quantity = quantity};
