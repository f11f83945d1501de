/* schema_print.c -- the file formats described, from the tables that check the files. */
#include <string.h>

#include <freebody/scenario.h>
#include <freebody/support/words.h>

#include "format/native/schema.h"
#include "scenario/schema.h"

fb_status fb_schema_print(const char* name, int json, char** text, size_t* size, fb_error* error) {
  static const char* const names[] = {"model", "scenario", NULL};
  static const fb_schema* const schemas[] = {&fb_native_schema, &fb_scenario_schema};
  size_t unused;
  int i = 0;
  *text = NULL;
  if (!size) size = &unused;
  while (names[i] && strcmp(names[i], name) != 0) i++;
  if (!names[i]) {
    char near[FB_SUGGESTION_SIZE];
    return fb_fail(error, FB_ERR_NAME, "there is no schema '%s'%s", name,
                   fb_suggestion_or_list(name, names, "there are", near));
  }
  *text = json ? fb_schema_json(schemas[i], size) : fb_schema_markdown(schemas[i], size);
  return *text ? FB_OK : fb_fail(error, FB_ERR_MEMORY, "out of memory");
}
