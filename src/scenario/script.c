/* script.c -- control laws of the user's own: Lua scripts and plugins in C.
 *
 * Their files are inputs of the scenario as its models are: read when it is read, copied with it, and found among the
 * copies when a run is resumed. */
#include <string.h>
#include <sys/stat.h>

#include "adapters/plugin/plugin.h"
#include "scenario/scenario.h"

/* --- parameters --- */

/* Numbers by name, for either kind. */
static fb_status read_parameters(fb_scenario* s, const fb_node* map, fb_scenario_script* out,
                                 fb_error* error) {
  char found[80];
  if (!map) return FB_OK;
  if (fb_node_get_kind(map) != FB_NODE_MAP)
    return fb_node_fail(map, error, FB_ERR_CONTENT, "expected a map from names to numbers, but found %s",
                        fb_node_describe(map, found));
  size_t count = (size_t)fb_node_count(map);
  const char** names = (const char**)fb_scenario_take(s, count, sizeof *names);
  double* values = (double*)fb_scenario_take(s, count, sizeof *values);
  out->parameters = (fb_parameter*)fb_scenario_take(s, count, sizeof *out->parameters);
  if (!names || !values || !out->parameters) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  for (size_t i = 0; i < count && !status; i++) {
    names[i] = fb_map_key(map, (int)i);
    status = fb_node_number(fb_map_value(map, (int)i), FB_Q_NONE, &values[i], error);
    out->parameters[i] = (fb_parameter){names[i], values[i]};
  }
  out->count = (int)count;
  out->options.parameter_names = names;
  out->options.parameter_values = values;
  out->options.nparameter = out->count;
  return status;
}

/* --- Lua --- */

static fb_status read_source(fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                             fb_scenario_script* out, const fb_node** blame, fb_error* error) {
  const fb_node *file = fb_fields_value(values, "file"), *text = fb_fields_value(values, "text");
  int index;
  if (file && text)
    return fb_node_fail(text, error, FB_ERR_CONTENT, "'file' and 'text' are both there; keep one of them");
  if (!file && !text)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a lua controller needs 'file', the name of a script, or 'text', the script itself");
  *blame = file ? file : text;
  if (text) {
    out->text = row->text;
    out->size = strlen(row->text);
    out->file = fb_scenario_print(s, "%.200s: text", fb_node_file(text));
    return out->file ? FB_OK : fb_scenario_no_memory(error);
  }
  fb_status status = fb_scenario_read_input(s, file, "script", &index, error);
  if (status) return status;
  out->text = s->inputs[index].text;
  out->size = s->inputs[index].size;
  out->file = fb_scenario_text(s, s->inputs[index].file);
  return out->file ? FB_OK : fb_scenario_no_memory(error);
}

static fb_status read_limits(const fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                             fb_lua_options* out, fb_error* error) {
  static const double MOST_MIB = 1 << 20;
  const fb_node *instructions = fb_fields_value(values, "most_instructions"),
                *memory = fb_fields_value(values, "most_memory");
  memcpy(out->gravity_w, s->gravity_w, sizeof out->gravity_w);
  out->period = row->period;
  if (fb_fields_value(values, "most_seconds")) out->most_seconds = row->most_seconds;
  if (instructions && row->most_instructions == 0)
    return fb_node_fail(instructions, error, FB_ERR_CONTENT,
                        "'most_instructions' is 0, but must be more than 0");
  if (instructions) out->most_instructions = row->most_instructions;
  if (memory && row->most_memory > MOST_MIB)
    return fb_node_fail(memory, error, FB_ERR_CONTENT, "'most_memory' is %g MiB; %g are the most",
                        row->most_memory, MOST_MIB);
  if (memory) out->most_memory = (size_t)(row->most_memory * 1024 * 1024);
  return FB_OK;
}

static fb_status read_lua(fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                          fb_scenario_script* out, const fb_node** blame, fb_error* error) {
  fb_status status = read_source(s, values, row, out, blame, error);
  return status ? status : read_limits(s, values, row, &out->options, error);
}

/* --- plugins --- */

/* A pipe or a device is not looked into: it might never answer. */
static int may_be_looked_at(const char* file) {
  struct stat info;
  return stat(file, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
}

/* Loaded from where it was read, so that a run that is resumed has the copy. */
static fb_status read_plugin(fb_scenario* s, const fb_node* file, fb_scenario_script* out,
                             const fb_node** blame, fb_error* error) {
  int index = 0;
  fb_error reason;
  *blame = file;
  fb_status status = fb_scenario_read_input(s, file, "plugin", &index, error);
  /* Of a library that is missing more can be said than of another file. */
  if (status == FB_ERR_IO && may_be_looked_at(s->inputs[index].from) &&
      fb_plugin_check_file(s->inputs[index].from, &reason))
    return fb_node_fail(file, error, status, "plugin '%.200s': %s", s->inputs[index].from, reason.text);
  if (status) return status;
  out->file = fb_scenario_text(s, s->inputs[index].from);
  return out->file ? FB_OK : fb_scenario_no_memory(error);
}

fb_status fb_scenario_read_script(fb_scenario* s, const fb_fields* values, const fb_controller_row* row,
                                  fb_scenario_block* block, const fb_node** blame, fb_error* error) {
  fb_scenario_script* script = &block->script;
  script->options = fb_default_lua_options();
  fb_status status = block->type == FB_CONTROL_LUA
                         ? read_lua(s, values, row, script, blame, error)
                         : read_plugin(s, fb_fields_value(values, "file"), script, blame, error);
  return status ? status : read_parameters(s, fb_fields_value(values, "parameters"), script, error);
}
