/* schema.c -- `freebody schema`: a file format, from the same table that checks files. */
#include <stdlib.h>
#include <string.h>

#include "base/words.h"
#include "command.h"
#include "format/native/schema.h"
#include "scenario/schema.h"

enum { OPT_JSON };

static const cmd_option OPTIONS[] = {
    {"json", NULL, "print a JSON Schema, for editors and other programs"},
    {NULL, NULL, NULL},
};

static const fb_schema* find_schema(const char* name) {
  if (strcmp(name, "model") == 0) return &fb_native_schema;
  return strcmp(name, "scenario") == 0 ? &fb_scenario_schema : NULL;
}

static int unknown_schema(const cmd_app* app, const char* name) {
  static const char* const names[] = {"model", "scenario", NULL};
  char near[FB_SUGGESTION_SIZE];
  return cmd_usage_error(app, "there is no schema '%s'%s", name,
                         fb_suggestion_or_list(name, names, "there are", near));
}

static int run_schema(cmd_app* app, int argc, char** argv) {
  const char* name = NULL;
  int json = 0;
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    if (o == FB_OPTION_BAD) return FB_EXIT_USAGE;
    if (o == OPT_JSON) json = 1;
    if (o != FB_OPTION_OPERAND) continue;
    if (name) return cmd_usage_error(app, "one schema at a time; '%s' is too many", walk.value);
    name = walk.value;
  }
  if (!name) return cmd_usage_error(app, "which schema? There are 'model' and 'scenario'");
  const fb_schema* schema = find_schema(name);
  if (!schema) return unknown_schema(app, name);
  size_t size = 0;
  char* text = json ? fb_schema_json(schema, &size) : fb_schema_markdown(schema, &size);
  if (!text) {
    fb_error error;
    fb_fail(&error, FB_ERR_MEMORY, "out of memory");
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
    "Prints every key of models in the native format, or of scenarios, with its type, unit, default and "
    "meaning:\n"
    "as Markdown, or with --json as a JSON Schema. Both come from the table that checks the files.",
    OPTIONS,
    "  freebody schema model --json > freebody-model.schema.json",
    run_schema,
};
