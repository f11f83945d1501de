/* plugin.c -- a control law that is a shared library.
 *
 * The file is an input of the scenario, as a script is (scenario/kinds/control/lua.c). */
#include <sys/stat.h>

#include "adapters/plugin/plugin.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"

typedef struct plugin_law {
  const char* file; /* what is loaded */
  fb_plugin_parameter* parameters;
  int count;
} plugin_law;

/* A pipe or a device is not opened: reading might never end. */
static int is_plain_file(const char* file) {
  struct stat info;
  return stat(file, &info) != 0 || S_ISREG(info.st_mode) || S_ISDIR(info.st_mode);
}

/* Loaded from where it was read, so that a run that is resumed has the copy. */
static fb_status read_file(fb_scenario* s, const fb_node* file, plugin_law* out, fb_error* error) {
  int index = 0;
  fb_error reason;
  fb_status status = fb_scenario_read_input(s, file, "plugin", &index, error);
  /* Of a library that is missing more can be said than of another file. */
  if (status == FB_ERR_IO && is_plain_file(s->inputs[index].from) &&
      fb_plugin_check_file(s->inputs[index].from, &reason))
    return fb_node_fail(file, error, status, "plugin '%.200s': %s", s->inputs[index].from, reason.text);
  if (status) return status;
  out->file = fb_scenario_copy_text(s, s->inputs[index].from);
  return out->file ? FB_OK : fb_scenario_no_memory(error);
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  plugin_law* law = (plugin_law*)block->settings;
  fb_status status = read_file(s, fb_fields_value(values, "file"), law, error);
  if (status) return status;
  return fb_scenario_parameters(s, fb_fields_value(values, "parameters"), &law->parameters, &law->count,
                                error);
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const plugin_law* law = (const plugin_law*)block->settings;
  return fb_block_load_plugin(s->model, block->name, law->file, law->parameters, law->count, out, error);
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const plugin_law* law = (const plugin_law*)block->settings;
  (void)s;
  fb_text_printf(out, "the plugin %s", law->file);
  if (law->count > 0)
    fb_text_printf(out, " with %d parameter%s of its own", law->count, law->count == 1 ? "" : "s");
}

const fb_kind fb_kind_control_plugin = {
    .schema = {.keys = "file! parameters limit"},
    .heading = "control",
    .size = sizeof(plugin_law),
    .blame = {"file"},
    .read = read,
    .make = make,
    .explain = explain,
};
