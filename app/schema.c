/* schema.c -- `freebody schema`: a file format, from the same table that checks files. */
#include <stdlib.h>

#include <freebody/scenario.h>

#include "command.h"

enum { OPT_JSON };

static const cmd_option OPTIONS[] = {
    {"json", NULL, "print a JSON Schema, for editors and other programs"},
    {NULL, NULL, NULL},
};

static int run_schema(cmd_app* app, int argc, char** argv) {
  const char* name = NULL;
  int json = 0;
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    if (o == FB_OPTION_BAD) return FB_EXIT_USAGE;
    if (o == OPT_JSON) json = 1;
    if (o != FB_OPTION_OPERAND) continue;
    if (name) return cmd_usage_error(app, "unexpected argument '%s'; one schema at a time", walk.value);
    name = walk.value;
  }
  if (!name) return cmd_usage_error(app, "which schema? There are 'model' and 'scenario'");
  char* text;
  size_t size;
  fb_error error;
  fb_status status = fb_schema_print(name, json, &text, &size, &error);
  if (status == FB_ERR_NAME) return cmd_usage_error(app, "%s", error.text);
  if (status != FB_OK) {
    cmd_print_error(app, &error);
    return FB_EXIT_FAILED;
  }
  cmd_print_text(text, size);
  free(text);
  return FB_EXIT_OK;
}

const cmd_command cmd_command_schema = {
    "schema",
    "print the description of a file format, as a page or as a JSON Schema",
    "[--json] model|scenario",
    "Prints every key of models in the native format, or of scenarios, with its type, unit, default\n"
    "and meaning: as Markdown, or with --json as a JSON Schema. Both come from the table that checks\n"
    "the files.",
    OPTIONS,
    "  freebody schema model --json > freebody-model.schema.json",
    run_schema,
};
