/* variables.c -- the table of a plant's variables: inputs, outputs, parameters and start values, each with its name, its
 * unit and the place of its value. The order depends on the scenario alone, so that an index means the same in every plant
 * made from it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "plant/plant.h"
#include "scenario/kinds/kinds.h"
#include "sim/access.h"

fb_status fb_plant_no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory for the plant");
}

/* Texts live with the scenario. */
static fb_status add(fb_plant* p, fb_plant_variable variable, fb_plant_place place, fb_error* error) {
  variable.name = fb_scenario_copy_text(p->scenario, variable.name);
  variable.unit = fb_scenario_copy_text(p->scenario, variable.unit);
  variable.axes = fb_scenario_copy_text(p->scenario, variable.axes);
  if (!variable.name || !variable.unit || !variable.axes ||
      !fb_grow(&p->variables, (size_t)p->count, 1, &p->variable_room, sizeof *p->variables) ||
      !fb_grow(&p->places, (size_t)p->count, 1, &p->place_room, sizeof *p->places))
    return fb_plant_no_memory(error);
  p->variables[p->count] = variable;
  p->places[p->count++] = place;
  return FB_OK;
}

/* --- inputs and parameters: the named memory of blocks --- */

/* The unit of a parameter in SI: the first one of its quantity. */
static char* unit_of(const fb_plant* p, const fb_scenario_block* block, const char* parameter, char* buffer,
                     size_t size) {
  fb_quantity quantity =
      block->kind->quantity ? block->kind->quantity(p->scenario, block, parameter) : FB_Q_NONE;
  fb_quantity_units(quantity, buffer, size);
  buffer[strcspn(buffer, ",")] = '\0';
  if (!buffer[0]) snprintf(buffer, size, "1");
  return buffer;
}

static fb_status add_block(fb_plant* p, const fb_scenario_block* block, int is_input, fb_error* error) {
  int id = fb_sim_find_block(p->sim, block->name);
  const char* const* names = id < 0 ? NULL : fb_sim_block(p->sim, id)->parameters;
  fb_status status = FB_OK;
  for (int i = 0; names && names[i] && !status; i++) {
    char name[2 * FB_SIGNAL_NAME_SIZE], unit[200];
    snprintf(name, sizeof name, "%s%.150s.%.150s", is_input ? "" : "parameter.", block->name, names[i]);
    fb_plant_variable variable = {.role = is_input ? FB_PLANT_INPUT : FB_PLANT_PARAMETER,
                                  .name = name,
                                  .unit = unit_of(p, block, names[i], unit, sizeof unit),
                                  .axes = "",
                                  .meaning = is_input ? "input from outside" : "parameter of a block",
                                  .start = fb_sim_memory(p->sim, id)[i],
                                  .least = block->kind->parameters == FB_RANGE_ANY ? -INFINITY : 0};
    status = add(p, variable, (fb_plant_place){.block = id, .parameter = i}, error);
  }
  return status;
}

static fb_status add_blocks(fb_plant* p, int inputs, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < p->scenario->nblock && !status; i++) {
    const fb_scenario_block* block = &p->scenario->blocks[i];
    if (fb_scenario_is_input(block) == inputs) status = add_block(p, block, inputs, error);
  }
  return status;
}

/* --- outputs --- */

static int is_listed(const fb_plant* p, int first, fb_signal signal) {
  for (int i = first; i < p->count; i++)
    if (memcmp(&p->places[i].signal, &signal, sizeof signal) == 0) return 1;
  return 0;
}

static fb_status add_signals(fb_plant* p, int first, const fb_signal* signals, int count, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++) {
    fb_signal_info info;
    if (is_listed(p, first, signals[i])) continue;
    fb_sim_signal_info(p->sim, signals[i], &info);
    fb_plant_variable variable = {.role = FB_PLANT_OUTPUT,
                                  .name = info.name,
                                  .unit = info.unit,
                                  .axes = info.axes,
                                  .meaning = info.meaning,
                                  .least = -INFINITY};
    int same = 0; /* an input is not an output of the same name too: its value is known */
    for (int k = 0; k < first && !same; k++) same = strcmp(p->variables[k].name, info.name) == 0;
    if (same) continue;
    fb_sim_signal_values(p->sim, &signals[i], 1, &variable.start);
    status = add(p, variable, (fb_plant_place){.signal = signals[i]}, error);
  }
  return status;
}

static fb_status add_named(fb_plant* p, int first, const char* name, fb_error* error) {
  int count = 0;
  fb_status status = fb_sim_find_signal(p->sim, name, NULL, 0, &count, error);
  if (status) return status;
  fb_signal* signals = malloc((size_t)count * sizeof *signals + 1);
  if (!signals) return fb_plant_no_memory(error);
  status = fb_sim_find_signal(p->sim, name, signals, count, &count, error);
  if (!status) status = add_signals(p, first, signals, count, error);
  free(signals);
  return status;
}

static fb_status add_outputs(fb_plant* p, fb_error* error) {
  int first = p->count;
  if (!p->outputs)
    return add_signals(p, first, fb_scenario_signals(p->scenario), fb_scenario_nsignal(p->scenario), error);
  fb_status status = FB_OK;
  for (int i = 0; p->outputs[i] && !status; i++) status = add_named(p, first, p->outputs[i], error);
  return status;
}

/* --- start values --- */

static fb_status add_start(fb_plant* p, int body, int is_rate, fb_error* error) {
  const fb_model* m = p->scenario->model;
  int length = fb_joint_type_is_length(fb_joint_type_of(m, body), 0);
  char name[2 * FB_SIGNAL_NAME_SIZE];
  snprintf(name, sizeof name, "start.%c.%.150s", is_rate ? 'v' : 'q', fb_joint_name(m, body));
  double* at =
      is_rate ? p->scenario->v + fb_joint_v_index(m, body) : p->scenario->q + fb_joint_q_index(m, body);
  fb_plant_variable variable = {.role = FB_PLANT_START,
                                .name = name,
                                .unit = is_rate ? (length ? "m/s" : "rad/s") : (length ? "m" : "rad"),
                                .axes = "joint",
                                .meaning = is_rate ? "rate at the start" : "coordinate at the start",
                                .start = *at,
                                .least = -INFINITY};
  return add(p, variable, (fb_plant_place){.start = at}, error);
}

/* Of joints with one coordinate. Where loops or a momentum of zero tie coordinates together, the scenario chooses them. */
static fb_status add_starts(fb_plant* p, fb_error* error) {
  const fb_model* m = p->scenario->model;
  fb_status status = FB_OK;
  if (fb_model_nloop(m) > 0 || p->scenario->zero_momentum) return FB_OK;
  for (int body = 1; body < fb_model_nbody(m) && !status; body++) {
    if (fb_joint_nv(m, body) != 1) continue;
    status = add_start(p, body, 0, error);
    if (!status) status = add_start(p, body, 1, error);
  }
  return status;
}

/* --- all of it --- */

static fb_status sort_names(fb_plant* p, fb_error* error) {
  p->by_name = malloc((size_t)p->count * sizeof *p->by_name + 1);
  if (!p->by_name) return fb_plant_no_memory(error);
  for (int i = 0; i < p->count; i++) p->by_name[i] = (fb_name){p->variables[i].name, i};
  fb_names_sort(p->by_name, p->count);
  int twice = fb_names_repeated(p->by_name, p->count);
  if (!twice) return FB_OK;
  return fb_fail(
      error, FB_ERR_NAME,
      "two variables of the plant are called \"%s\"; give the block, the joint or the frame another name",
      p->by_name[twice].text);
}

fb_status fb_plant_list(fb_plant* p, fb_error* error) {
  fb_status status = add_blocks(p, 1, error);
  if (!status) status = add_outputs(p, error);
  if (!status) status = add_blocks(p, 0, error);
  if (!status) status = add_starts(p, error);
  if (!status) status = sort_names(p, error);
  if (status) return status;
  p->values = calloc((size_t)p->count + 1, sizeof *p->values);
  p->given = calloc((size_t)p->count + 1, 1);
  p->output_signals = calloc((size_t)p->count + 1, sizeof *p->output_signals);
  p->found = calloc((size_t)p->count + 1, sizeof *p->found);
  return p->values && p->given && p->output_signals && p->found ? FB_OK : fb_plant_no_memory(error);
}

int fb_plant_nvariable(const fb_plant* p) {
  return p->count;
}

fb_status fb_plant_get_variable(const fb_plant* p, int index, fb_plant_variable* variable, fb_error* error) {
  if (index < 0 || index >= p->count)
    return fb_fail(error, FB_ERR_ARG, "there is no variable %d; the plant has %d, from 0", index, p->count);
  *variable = p->variables[index];
  return FB_OK;
}

int fb_plant_find(const fb_plant* p, const char* name) {
  return fb_names_find(p->by_name, p->count, name);
}
