/* environment.c -- uniform gravity, and the field that the kind of `environment` adds to it. */
#include <string.h>

#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"

static const fb_field FIELDS[] = {
    KIND_WORD(ENVIRONMENT, "type", fb_environment_words, EVERY, NULL, NULL),
};

const fb_schema_rows fb_rows_environment = FB_ROWS(FIELDS);

static fb_status read_kind(fb_scenario* s, const fb_node* map, fb_error* error) {
  fb_fields values;
  int type = 0;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_ENVIRONMENT, &values, error);
  if (!status) status = fb_fields_word(&values, "type", &type, error);
  if (!status) status = fb_fields_read(&values, type, NULL, error);
  const fb_kind* kind = fb_kinds[FB_SECTION_ENVIRONMENT][type];
  if (!status) status = fb_scenario_new_block(s, kind, "environment", "", 0, &s->surroundings, error);
  if (!status && kind->read) status = kind->read(s, &values, &s->surroundings, error);
  if (!status && kind->surround) status = kind->surround(s, &s->surroundings, &s->environment, error);
  if (!status) status = fb_environment_check(&s->environment, error);
  if (status && error->place.line == 0) fb_node_place_error(map, error);
  return status;
}

fb_status fb_scenario_read_environment(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* map = fb_fields_value(values, "environment");
  s->environment = fb_default_environment();
  memcpy(s->environment.gravity_w, s->gravity_w, sizeof s->gravity_w);
  return map ? read_kind(s, map, error) : FB_OK;
}

const fb_kind fb_kind_environment_uniform = {.schema = {.help = "gravity is the same everywhere", .keys = ""},
                                             .heading = "gravity"};
