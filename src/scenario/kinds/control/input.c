/* input.c -- inputs from outside: forces of joints, wrenches at frames and plain numbers that a host program sets between
 * steps
 *
 *   tau_k = u_k;   force and torque at a frame = u;   a number that other blocks read = u
 *
 * The numbers u are the block's memory, so they are part of a snapshot, events can set them as parameters, and they are
 * held until they are set again. Each is an output too: NAME.tau.JOINT, NAME.force.FRAME, NAME.torque.FRAME, NAME.VALUE.
 * In `freebody run` they are not set: forces are zero and numbers have the values that the scenario gives.
 * src/plant/ makes them the inputs of an exported plant. Cost O(inputs). */
#include <stdlib.h>
#include <string.h>

#include "model/model.h"
#include "scenario/kinds/control/driven.h"
#include "scenario/rows.h"

enum { WRENCH = 6 };

/* The settings. u is laid out as: coordinates, frames (force, then torque), values. */
typedef struct input {
  fb_driven driven;
  int nvalue, nport;
  const char** names; /* [width + 1] of the numbers, NULL-ended */
  double* start;      /* [width] */
  fb_port* ports;     /* [nport] */
} input;

static int width_of(const input* in) {
  return in->driven.ncoordinate + WRENCH * in->driven.nframe + in->nvalue;
}

static const fb_field FIELDS[] = {
    PLAIN(CONTROLLER, "values", BY_NAME, BY_KIND, NEVER, -1, "none",
          "numbers of an input by name, with the values that they have until they are set; other blocks read "
          "them as signals, NAME.VALUE"),
};

/* --- reading --- */

/* --- names and ports --- */

static void name_coordinates(fb_scenario* s, input* in) {
  for (int i = 0; i < in->driven.ncoordinate; i++) {
    int k = in->driven.coordinates[i], body = fb_coordinate_body(s->model, k);
    const char* joint = fb_joint_name(s->model, body);
    in->names[i] = fb_joint_nv(s->model, body) == 1
                       ? fb_scenario_print(s, "tau.%.120s", joint)
                       : fb_scenario_print(s, "tau.%.120s.%d", joint, k - fb_joint_v_index(s->model, body));
    in->ports[in->nport++] = (fb_port){.name = in->names[i],
                                       .unit = fb_coordinate_is_length(s->model, k) ? "N" : "N m",
                                       .axes = "joint",
                                       .count = 1};
  }
}

static void name_frames(fb_scenario* s, input* in) {
  static const char* const WHAT[] = {"force", "torque"};
  const char** names = in->names + in->driven.ncoordinate;
  for (int i = 0; i < 2 * in->driven.nframe; i++) {
    const char* frame = fb_frame_name(s->model, in->driven.frames[i / 2]);
    for (int k = 0; k < 3; k++)
      names[3 * i + k] = fb_scenario_print(s, "%s.%.120s.%c", WHAT[i % 2], frame, "xyz"[k]);
    in->ports[in->nport++] = (fb_port){.name = fb_scenario_print(s, "%s.%.120s", WHAT[i % 2], frame),
                                       .unit = i % 2 ? "N m" : "N",
                                       .axes = in->driven.in_frame_axes ? frame : "world",
                                       .count = 3};
  }
}

static void name_values(const fb_plugin_parameter* values, input* in) {
  int first = in->driven.ncoordinate + WRENCH * in->driven.nframe;
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

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  input* in = (input*)block->settings;
  fb_plugin_parameter* numbers = NULL;
  const fb_node* joints = fb_fields_value(values, "joints");
  int all = !joints && !fb_fields_value(values, "frames") && !fb_fields_value(values, "values");
  if (joints && fb_node_get_kind(joints) != FB_NODE_LIST) all = strcmp(fb_node_text(joints), "all") == 0;
  fb_status status = fb_scenario_read_driven(s, values, all, &in->driven, error);
  if (!status && all && in->driven.ncoordinate == 0)
    status = fb_node_fail(joints ? joints : values->map, error, FB_ERR_CONTENT,
                          "no joint of this scene has an actuator; name 'frames' or 'values' instead");
  if (!status)
    status = fb_scenario_parameters(s, fb_fields_value(values, "values"), &numbers, &in->nvalue, error);
  if (status) return status;
  if (width_of(in) == 0)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "an input needs 'joints', 'frames' or 'values' with at least one entry");
  in->names = fb_scenario_alloc(s, (size_t)width_of(in) + 1, sizeof *in->names);
  in->start = fb_scenario_alloc(s, (size_t)width_of(in), sizeof *in->start);
  in->ports = fb_scenario_alloc(s, (size_t)width_of(in), sizeof *in->ports);
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
  int coordinates[];     /* in the present model; -1: the joint no longer exists */
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
  fb_driven_act(&b->in->driven, b->coordinates, memory, action);
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
  return fb_driven_rebind(&b->in->driven, b->first, m, b->coordinates, error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const input* in = (const input*)block->settings;
  size_t size = (size_t)in->driven.ncoordinate * sizeof *in->driven.coordinates;
  input_block* b = malloc(sizeof *b + size);
  *out = fb_default_block();
  if (!b) return fb_scenario_no_memory(error);
  b->in = in;
  b->first = s->model;
  memcpy(b->coordinates, in->driven.coordinates, size);
  *out = fb_default_block();
  out->name = block->name;
  out->user = b;
  out->nmemory = width_of(in);
  out->nwrench = in->driven.nframe;
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

/* --- the functions of the kind --- */

int fb_scenario_is_input(const fb_scenario_block* block) {
  return block->kind == &fb_kind_control_input;
}

static fb_quantity quantity(const fb_scenario* s, const fb_scenario_block* block, const char* parameter) {
  const input* in = (const input*)block->settings;
  for (int i = 0; i < in->driven.ncoordinate + WRENCH * in->driven.nframe; i++) {
    if (strcmp(in->names[i], parameter) != 0) continue;
    if (i < in->driven.ncoordinate)
      return fb_coordinate_is_length(s->model, in->driven.coordinates[i]) ? FB_Q_FORCE : FB_Q_TORQUE;
    return (i - in->driven.ncoordinate) % WRENCH < 3 ? FB_Q_FORCE : FB_Q_TORQUE;
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
  add_count(out, in->driven.ncoordinate, "joint force", "joint forces", &before);
  add_count(out, in->driven.nframe, "wrench", "wrenches", &before);
  add_count(out, in->nvalue, "number", "numbers", &before);
}

const fb_kind fb_kind_control_input = {
    .schema = {.keys = "joints frames axes values limit", .fields = FIELDS, .field_count = 1},
    .heading = "input",
    .size = sizeof(input),
    .read = read,
    .make = make,
    .explain = explain,
    .quantity = quantity};
