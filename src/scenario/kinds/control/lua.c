/* lua.c -- a control law that is a Lua script, in a file or in the scenario itself.
 *
 * The file is an input of the scenario as its models are: read when it is read, copied with it, and found among the
 * copies when a run is resumed. */
#include <string.h>

#include <freebody/lua.h>

#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"

typedef struct lua_law {
  const char* file; /* stands for the script in messages */
  const char* text;
  size_t size;
  fb_lua_options options;
} lua_law;

static fb_status read_source(fb_scenario* s, const fb_fields* values, lua_law* out, fb_error* error) {
  const fb_node *file = fb_fields_value(values, "file"), *text = fb_fields_value(values, "text");
  int index;
  if (file && text)
    return fb_node_fail(text, error, FB_ERR_CONTENT, "'file' and 'text' are both there; keep one of them");
  if (!file && !text)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a lua controller needs 'file', the name of a script, or 'text', the script itself");
  if (text) {
    out->text = fb_node_text(text);
    out->size = strlen(out->text);
    out->file = fb_scenario_print(s, "%.200s: text", fb_node_file(text));
    return out->file ? FB_OK : fb_scenario_no_memory(error);
  }
  fb_status status = fb_scenario_read_input(s, file, "script", &index, error);
  if (status) return status;
  out->text = s->inputs[index].text;
  out->size = s->inputs[index].size;
  out->file = fb_scenario_copy_text(s, s->inputs[index].file);
  return out->file ? FB_OK : fb_scenario_no_memory(error);
}

static fb_status read_limits(const fb_fields* values, fb_lua_options* out, fb_error* error) {
  static const double MOST_MIB = 1 << 20;
  int instructions = -1;
  double memory = 0;
  fb_status status = fb_fields_get(values, "period", &out->period, error);
  if (!status) status = fb_fields_get(values, "most_seconds", &out->most_seconds, error);
  if (!status) status = fb_fields_get(values, "most_instructions", &instructions, error);
  if (!status) status = fb_fields_get(values, "most_memory", &memory, error);
  if (!status && instructions == 0)
    status = fb_node_fail(fb_fields_value(values, "most_instructions"), error, FB_ERR_CONTENT,
                          "'most_instructions' is 0, but must be more than 0");
  if (!status && memory > MOST_MIB)
    status = fb_node_fail(fb_fields_value(values, "most_memory"), error, FB_ERR_CONTENT,
                          "'most_memory' is %g MiB; %g are the most", memory, MOST_MIB);
  if (!status && instructions > 0) out->most_instructions = instructions;
  if (!status && memory > 0) out->most_memory = (size_t)(memory * 1024 * 1024);
  return status;
}

static fb_status read_parameters(fb_scenario* s, const fb_node* map, fb_lua_options* out, fb_error* error) {
  fb_plugin_parameter* parameters = NULL;
  fb_status status = fb_scenario_parameters(s, map, &parameters, &out->nparameter, error);
  if (status || !parameters) return status;
  const char** names = fb_scenario_alloc(s, (size_t)out->nparameter, sizeof *names);
  double* values = fb_scenario_alloc(s, (size_t)out->nparameter, sizeof *values);
  if (!names || !values) return fb_scenario_no_memory(error);
  for (int i = 0; i < out->nparameter; i++) {
    names[i] = parameters[i].name;
    values[i] = parameters[i].value;
  }
  out->parameter_names = names;
  out->parameter_values = values;
  return FB_OK;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  lua_law* law = (lua_law*)block->settings;
  law->options = fb_default_lua_options();
  fb_status status = read_source(s, values, law, error);
  if (!status) status = read_limits(values, &law->options, error);
  return status ? status : read_parameters(s, fb_fields_value(values, "parameters"), &law->options, error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const lua_law* law = (const lua_law*)block->settings;
  fb_lua_options options = law->options;
  options.note = s->note;
  options.note_user = s->note_user;
  return fb_block_new_lua(s->model, block->name, law->text, law->size, law->file, &options, out, error);
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const lua_law* law = (const lua_law*)block->settings;
  int count = law->options.nparameter;
  char time[32];
  (void)s;
  fb_text_printf(out, "the Lua script %s", law->file);
  if (count > 0) fb_text_printf(out, " with %d parameter%s of its own", count, count == 1 ? "" : "s");
  if (law->options.period > 0)
    fb_text_printf(out, ", which ticks every %s", fb_scenario_format_time(law->options.period, time));
}

const fb_kind fb_kind_control_lua = {
    .schema = {.keys = "file text period parameters most_seconds most_instructions most_memory limit"},
    .heading = "control",
    .size = sizeof(lua_law),
    .blame = {"file", "text"},
    .read = read,
    .make = make,
    .explain = explain,
};
