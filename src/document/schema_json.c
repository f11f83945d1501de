/* schema_json.c -- a schema table as a JSON Schema (draft 2020-12), for editors that complete and check
 * as one types. It says what a key may look like; names and trees are checked by its reader. */
#include <stdio.h>
#include <string.h>

#include <freebody/json.h>

#include "document/schema.h"

static void add_pair(fb_json* json, const char* key, const char* value) {
  fb_json_key(json, key);
  fb_json_string(json, value);
}

static void add_count(fb_json* json, int count) {
  fb_json_key(json, "minItems");
  fb_json_int(json, count);
  fb_json_key(json, "maxItems");
  fb_json_int(json, count);
}

static void add_range(fb_json* json, fb_field_range range) {
  if (range == FB_RANGE_ANY) return;
  fb_json_key(json, range == FB_RANGE_POSITIVE ? "exclusiveMinimum" : "minimum");
  fb_json_int(json, 0);
}

/* A number, or text with a unit where the quantity has units; null too where that means none. */
static void add_number(fb_json* json, fb_quantity quantity, fb_field_range range, int or_null) {
  fb_json_begin_map(json);
  if (quantity == FB_Q_NONE && !or_null) {
    add_pair(json, "type", "number");
    add_range(json, range);
  } else {
    fb_json_key(json, "anyOf");
    fb_json_begin_list(json);
    fb_json_begin_map(json);
    add_pair(json, "type", "number");
    add_range(json, range);
    fb_json_end_map(json);
    fb_json_begin_map(json);
    add_pair(json, "type", "string");
    add_pair(json, "pattern", "^[-+]?[0-9.]+([eE][-+]?[0-9]+)? *[^0-9 ].*$");
    fb_json_end_map(json);
    if (or_null) {
      fb_json_begin_map(json);
      add_pair(json, "type", "null");
      fb_json_end_map(json);
    }
    fb_json_end_list(json);
  }
  fb_json_end_map(json);
}

static void add_numbers(fb_json* json, const fb_field* field, int count) {
  fb_json_begin_map(json);
  add_pair(json, "type", "array");
  add_count(json, count);
  fb_json_key(json, "items");
  add_number(json, field->quantity, field->range, 0);
  fb_json_end_map(json);
}

static void add_matrix(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  add_pair(json, "type", "array");
  add_count(json, 3);
  fb_json_key(json, "items");
  add_numbers(json, field, 3);
  fb_json_end_map(json);
}

/* A number, or a list of as many as the joint has velocity coordinates. */
static void add_coordinates(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  fb_json_key(json, "anyOf");
  fb_json_begin_list(json);
  add_number(json, field->quantity, field->range, 0);
  fb_json_begin_map(json);
  add_pair(json, "type", "array");
  fb_json_key(json, "items");
  add_number(json, field->quantity, field->range, 1);
  fb_json_end_map(json);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void add_words(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  fb_json_key(json, "enum");
  fb_json_begin_list(json);
  for (int i = 0; field->words[i]; i++) fb_json_string(json, field->words[i]);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void add_reference(fb_json* json, const fb_schema* schema, int object) {
  char address[40];
  snprintf(address, sizeof address, "#/$defs/%s", schema->objects[object].name);
  fb_json_begin_map(json);
  add_pair(json, "$ref", address);
  fb_json_end_map(json);
}

static void add_list_of(fb_json* json, const fb_schema* schema, int object) {
  fb_json_begin_map(json);
  add_pair(json, "type", "array");
  fb_json_key(json, "items");
  add_reference(json, schema, object);
  fb_json_end_map(json);
}

static void add_map_of(fb_json* json, const fb_schema* schema, int object) {
  fb_json_begin_map(json);
  add_pair(json, "type", "object");
  fb_json_key(json, "additionalProperties");
  add_reference(json, schema, object);
  fb_json_end_map(json);
}

/* A list of any length: of numbers, or of three numbers each. */
static void add_any_list(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  add_pair(json, "type", "array");
  fb_json_key(json, "items");
  if (field->kind == FB_FIELD_VECTORS)
    add_numbers(json, field, 3);
  else
    add_number(json, field->quantity, field->range, 0);
  fb_json_end_map(json);
}

/* A list of rows. */
static void add_grid(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  add_pair(json, "type", "array");
  fb_json_key(json, "items");
  add_any_list(json, field);
  fb_json_end_map(json);
}

static void add_type(fb_json* json, const char* type) {
  fb_json_begin_map(json);
  add_pair(json, "type", type);
  fb_json_end_map(json);
}

static void add_name_or_map(fb_json* json, const fb_schema* schema, int object) {
  fb_json_begin_map(json);
  fb_json_key(json, "anyOf");
  fb_json_begin_list(json);
  add_type(json, "string");
  add_reference(json, schema, object);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void add_text(fb_json* json, const char* pattern) {
  fb_json_begin_map(json);
  add_pair(json, "type", "string");
  if (pattern) add_pair(json, "pattern", pattern);
  fb_json_end_map(json);
}

static void add_version(fb_json* json, const fb_schema* schema) {
  fb_json_begin_map(json);
  fb_json_key(json, "const");
  fb_json_int(json, schema->version);
  fb_json_end_map(json);
}

static void add_any_of_number_and_three(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  fb_json_key(json, "anyOf");
  fb_json_begin_list(json);
  add_number(json, field->quantity, field->range, 0);
  add_numbers(json, field, 3);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void add_either(fb_json* json, const char* one, const char* other) {
  fb_json_begin_map(json);
  fb_json_key(json, "type");
  fb_json_begin_list(json);
  fb_json_string(json, one);
  fb_json_string(json, other);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void add_index(fb_json* json) {
  fb_json_begin_map(json);
  add_pair(json, "type", "integer");
  add_range(json, FB_RANGE_NOT_NEGATIVE);
  fb_json_end_map(json);
}

static void add_none_or_three(fb_json* json, const fb_field* field) {
  fb_json_begin_map(json);
  fb_json_key(json, "anyOf");
  fb_json_begin_list(json);
  fb_json_begin_map(json);
  add_pair(json, "const", "none");
  fb_json_end_map(json);
  add_numbers(json, field, 3);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void add_value(fb_json* json, const fb_schema* schema, const fb_field* field) {
  switch (field->kind) {
    case FB_FIELD_VERSION:
      add_version(json, schema);
      break;
    case FB_FIELD_TEXT:
      add_text(json, "^.");
      break;
    case FB_FIELD_COLOR:
      add_text(json, "^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$");
      break;
    case FB_FIELD_NUMBER:
      add_number(json, field->quantity, field->range, 0);
      break;
    case FB_FIELD_INERTIA:
      add_numbers(json, field, 6);
      break;
    case FB_FIELD_QUATERNION:
    case FB_FIELD_DH:
      add_numbers(json, field, 4);
      break;
    case FB_FIELD_MATRIX:
      add_matrix(json, field);
      break;
    case FB_FIELD_WORD:
      add_words(json, field);
      break;
    case FB_FIELD_COORDINATES:
      add_coordinates(json, field);
      break;
    case FB_FIELD_LIMITS:
    case FB_FIELD_LOOPS:
      add_type(json, "array");
      break;
    case FB_FIELD_SCALE:
      add_any_of_number_and_three(json, field);
      break;
    case FB_FIELD_MAP:
      add_reference(json, schema, field->inner);
      break;
    case FB_FIELD_LIST:
      add_list_of(json, schema, field->inner);
      break;
    case FB_FIELD_MAPS:
      add_map_of(json, schema, field->inner);
      break;
    case FB_FIELD_BOOL:
      add_type(json, "boolean");
      break;
    case FB_FIELD_INDEX:
      add_index(json);
      break;
    case FB_FIELD_NAMES:
      add_either(json, "string", "array");
      break;
    case FB_FIELD_NUMBERS:
    case FB_FIELD_VECTORS:
      add_any_list(json, field);
      break;
    case FB_FIELD_BY_NAME:
    case FB_FIELD_JOINT:
      add_type(json, "object");
      break;
    case FB_FIELD_TARGETS:
      add_either(json, "array", "object");
      break;
    case FB_FIELD_GRID:
      add_grid(json, field);
      break;
    case FB_FIELD_NAMED:
      add_name_or_map(json, schema, field->inner);
      break;
    case FB_FIELD_OR_NONE:
      add_none_or_three(json, field);
      break;
    case FB_FIELD_DOCUMENT:
      add_either(json, "string", "object");
      break;
    default:
      add_numbers(json, field, 3);
  }
}

static void add_object(fb_json* json, const fb_schema* schema, int object) {
  const fb_field* field;
  add_pair(json, "type", "object");
  fb_json_key(json, "required");
  fb_json_begin_list(json);
  for (int i = 0; (field = fb_schema_field(schema, object, i)) != NULL; i++)
    if (field->needed == FB_ALL_VARIANTS) fb_json_string(json, field->key);
  fb_json_end_list(json);
  fb_json_key(json, "properties");
  fb_json_begin_map(json);
  for (int i = 0; (field = fb_schema_field(schema, object, i)) != NULL; i++) {
    fb_json_key(json, field->key);
    fb_json_begin_map(json);
    add_pair(json, "description", field->help);
    fb_json_key(json, "allOf");
    fb_json_begin_list(json);
    add_value(json, schema, field);
    fb_json_end_list(json);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
  fb_json_key(json, "additionalProperties");
  fb_json_bool(json, 0);
}

char* fb_schema_json(const fb_schema* schema, size_t* size) {
  fb_json* json = fb_json_new(1);
  if (!json) return NULL;
  fb_json_begin_map(json);
  add_pair(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  add_pair(json, "title", schema->title);
  add_object(json, schema, 0);
  fb_json_key(json, "$defs");
  fb_json_begin_map(json);
  for (int i = 1; i < schema->object_count; i++) {
    fb_json_key(json, schema->objects[i].name);
    fb_json_begin_map(json);
    add_object(json, schema, i);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
  fb_json_end_map(json);
  return fb_json_finish(json, size);
}
