/* json_schema.c -- a schema table as a JSON Schema (draft 2020-12), for editors that complete and check
 * as one types. It says what a key may look like; names and trees are checked by its reader. */
#include <stdio.h>
#include <string.h>

#include <freebody/support/json.h>

#include "document/schema/schema.h"

/* What a value of each kind may be, in JSON Schema with ' for ", and with
 *   %n a number in the units of the field, %0 the same or null; %3 %4 %6 lists of so many of them;
 *   %w its words; %r the object that it has inside; %v the version of the document */
static const char* const VALUES[FB_FIELD_KIND_COUNT] = {
    [FB_FIELD_VERSION] = "{'const': %v}",
    [FB_FIELD_TEXT] = "{'type': 'string', 'pattern': '^.'}",
    [FB_FIELD_NUMBER] = "%n",
    [FB_FIELD_VECTOR] = "%3",
    [FB_FIELD_INERTIA] = "%6",
    [FB_FIELD_AXIS] = "%3",
    [FB_FIELD_ANGLES] = "%3",
    [FB_FIELD_QUATERNION] = "%4",
    [FB_FIELD_MATRIX] = "{'type': 'array', 'minItems': 3, 'maxItems': 3, 'items': %3}",
    [FB_FIELD_WORD] = "{'enum': [%w]}",
    [FB_FIELD_COORDINATES] = "{'anyOf': [%n, {'type': 'array', 'items': %0}]}",
    [FB_FIELD_LIMITS] = "{'type': 'array'}",
    [FB_FIELD_COLOR] = "{'type': 'string', 'pattern': '^#([0-9a-fA-F]{6}|[0-9a-fA-F]{8})$'}",
    [FB_FIELD_SCALE] = "{'anyOf': [%n, %3]}",
    [FB_FIELD_MAP] = "%r",
    [FB_FIELD_LIST] = "{'type': 'array', 'items': %r}",
    [FB_FIELD_BOOL] = "{'type': 'boolean'}",
    [FB_FIELD_INDEX] = "{'type': 'integer', 'minimum': 0}",
    [FB_FIELD_NAMES] = "{'type': ['string', 'array']}",
    [FB_FIELD_NUMBERS] = "{'type': 'array', 'items': %n}",
    [FB_FIELD_VECTORS] = "{'type': 'array', 'items': %3}",
    [FB_FIELD_BY_NAME] = "{'type': 'object'}",
    [FB_FIELD_TARGETS] = "{'type': ['array', 'object']}",
    [FB_FIELD_MAPS] = "{'type': 'object', 'additionalProperties': %r}",
    [FB_FIELD_OR_NONE] = "{'anyOf': [{'const': 'none'}, %3]}",
    [FB_FIELD_JOINT] = "{'type': 'object'}",
    [FB_FIELD_LOOPS] = "{'type': 'array'}",
    [FB_FIELD_DOCUMENT] = "{'type': ['string', 'object']}",
    [FB_FIELD_GRID] = "{'type': 'array', 'items': {'type': 'array', 'items': %n}}",
    [FB_FIELD_NAMED] = "{'anyOf': [{'type': 'string'}, %r]}",
    [FB_FIELD_DH] = "%4",
};
static const char* const RANGES[] = {[FB_RANGE_ANY] = "{'type': 'number'}",
                                     [FB_RANGE_NOT_NEGATIVE] = "{'type': 'number', 'minimum': 0}",
                                     [FB_RANGE_POSITIVE] = "{'type': 'number', 'exclusiveMinimum': 0}"};
#define WITH_UNIT "{'type': 'string', 'pattern': '^[-+]?[0-9.]+([eE][-+]?[0-9]+)? *[^0-9 ].*$'}"

enum { DEPTH = 5, ROOM = 120 };

/* What stands for %c: its own text, or one written to `text`; words and numbers are added at once. */
static const char* part_of(fb_json* json, const fb_schema* schema, const fb_field* field, char c,
                           char text[ROOM]) {
  text[0] = '\0';
  if (c == '.') return RANGES[field->range];
  if (c == 'u') return WITH_UNIT;
  if (c == 'n') return field->quantity == FB_Q_NONE ? "%." : "{'anyOf': [%., %u]}";
  if (c == '0') return "{'anyOf': [%., %u, {'type': 'null'}]}";
  if (c == 'v') fb_json_int(json, schema->version);
  for (int i = 0; c == 'w' && field->words[i]; i++) fb_json_string(json, field->words[i]);
  if (c == 'r') snprintf(text, ROOM, "{'$ref': '#/$defs/%s'}", schema->objects[field->inner].name);
  if (c == '3' || c == '4' || c == '6')
    snprintf(text, ROOM, "{'type': 'array', 'minItems': %c, 'maxItems': %c, 'items': %%n}", c, c);
  return text;
}

static void add_value(fb_json* json, const fb_schema* schema, const fb_field* field) {
  const char* at[DEPTH] = {VALUES[field->kind]};
  char parts[DEPTH][ROOM], text[ROOM];
  for (int depth = 0; depth >= 0;) {
    char c = *at[depth];
    if (c) at[depth]++;
    if (!c) depth--;
    if (c == '{') fb_json_begin_map(json);
    if (c == '}') fb_json_end_map(json);
    if (c == '[') fb_json_begin_list(json);
    if (c == ']') fb_json_end_list(json);
    if (c >= '0' && c <= '9') fb_json_int(json, c - '0');
    if (c == '\'') {
      size_t length = strcspn(at[depth], "'");
      snprintf(text, sizeof text, "%.*s", (int)length, at[depth]);
      at[depth] += length + 1;
      if (*at[depth] == ':')
        fb_json_key(json, text);
      else
        fb_json_string(json, text);
    }
    if (c != '%') continue;
    c = *at[depth]++;
    depth++;
    at[depth] = part_of(json, schema, field, c, parts[depth]);
  }
}

static void add_object(fb_json* json, const fb_schema* schema, int object) {
  const fb_field* field;
  fb_json_put_string(json, "type", "object");
  fb_json_put_list(json, "required");
  for (int i = 0; (field = fb_schema_field(schema, object, i)) != NULL; i++)
    if (field->needed == FB_ALL_VARIANTS) fb_json_string(json, field->key);
  fb_json_end_list(json);
  fb_json_put_map(json, "properties");
  for (int i = 0; (field = fb_schema_field(schema, object, i)) != NULL; i++) {
    fb_json_put_map(json, field->key);
    char help[FB_SCHEMA_HELP];
    fb_json_put_string(json, "description", fb_schema_help(schema, field, help));
    fb_json_put_list(json, "allOf");
    add_value(json, schema, field);
    fb_json_end_list(json);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
  fb_json_put_bool(json, "additionalProperties", 0);
}

char* fb_schema_json(const fb_schema* schema, size_t* size) {
  fb_json* json = fb_json_new(1);
  if (!json) return NULL;
  fb_json_begin_map(json);
  fb_json_put_string(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
  fb_json_put_string(json, "title", schema->title);
  add_object(json, schema, 0);
  fb_json_put_map(json, "$defs");
  for (int i = 1; i < schema->object_count; i++) {
    fb_json_put_map(json, schema->objects[i].name);
    add_object(json, schema, i);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
  fb_json_end_map(json);
  return fb_json_finish(json, size);
}
