/* schema.c -- `freebody schema`: a file format, from the same table that checks files. */
#include <stdlib.h>

#include <freebody/scenario.h>

#include "command.h"

typedef struct schema_args {
  const char* name;
  int json;
} schema_args;

static const cmd_option OPTIONS[] = {
    {"json", NULL, "print a JSON Schema, for editors and other programs", NULL, offsetof(schema_args, json)},
    {NULL, NULL, NULL, NULL, 0},
};

static int run_schema(cmd_app* app, int argc, char** argv) {
  static const cmd_operands OPERANDS = {offsetof(schema_args, name), 1, "one schema at a time",
                                        "which schema? There are 'model' and 'scenario'"};
  schema_args args = {0};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, &args);
  if (code != FB_EXIT_OK) return code;
  char* text;
  size_t size;
  fb_error error;
  fb_status status = fb_schema_print(args.name, args.json, &text, &size, &error);
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
    "Prints every key of models in the native format, or of scenarios, with its type, unit, default and "
    "meaning: as Markdown, or with --json as a JSON Schema. Both come from the table that checks the files.",
    OPTIONS,
    "  freebody schema model --json > freebody-model.schema.json",
    run_schema,
};
