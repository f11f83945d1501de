/* markdown.c -- a schema table as the key tables of a page. */
#include <string.h>

#include <freebody/support/text.h>

#include "document/schema/schema.h"

static const char* si_unit(fb_quantity quantity, char buffer[200]) {
  fb_quantity_units(quantity, buffer, 200);
  buffer[strcspn(buffer, ",")] = '\0';
  return buffer;
}

static void add_unit(fb_text* out, const fb_field* field) {
  char unit[200];
  if (field->angular != FB_Q_NONE) {
    fb_text_printf(out, ", %s", si_unit(field->angular, unit));
    fb_text_printf(out, " or %s", si_unit(field->quantity, unit));
  } else if (field->quantity != FB_Q_NONE) {
    fb_text_printf(out, ", %s", si_unit(field->quantity, unit));
  }
}

static void add_value(fb_text* out, const fb_schema* schema, const fb_field* field) {
  static const char* const kinds[FB_FIELD_KIND_COUNT] = {
      [FB_FIELD_VERSION] = "1",
      [FB_FIELD_TEXT] = "text",
      [FB_FIELD_NUMBER] = "number",
      [FB_FIELD_VECTOR] = "3 numbers",
      [FB_FIELD_INERTIA] = "6 numbers",
      [FB_FIELD_AXIS] = "3 numbers",
      [FB_FIELD_ANGLES] = "3 numbers",
      [FB_FIELD_QUATERNION] = "4 numbers",
      [FB_FIELD_MATRIX] = "3 rows of 3",
      [FB_FIELD_COORDINATES] = "number or list",
      [FB_FIELD_LIMITS] = "pair or list of pairs",
      [FB_FIELD_COLOR] = "text",
      [FB_FIELD_SCALE] = "number or 3 numbers",
      [FB_FIELD_BOOL] = "`true` or `false`",
      [FB_FIELD_INDEX] = "whole number",
      [FB_FIELD_NAMES] = "text or list of texts",
      [FB_FIELD_NUMBERS] = "list of numbers",
      [FB_FIELD_VECTORS] = "list of 3 numbers each",
      [FB_FIELD_BY_NAME] = "map from name to value",
      [FB_FIELD_TARGETS] = "list, or map from joint to value",
      [FB_FIELD_OR_NONE] = "`none` or 3 numbers",
      [FB_FIELD_JOINT] = "[joint](model-format.md#joint)",
      [FB_FIELD_LOOPS] = "list of [loop](model-format.md#loop)",
      [FB_FIELD_DOCUMENT] = "file name, or the model itself",
      [FB_FIELD_GRID] = "list of rows of numbers",
      [FB_FIELD_DH] = "4 numbers",
  };
  const char* kind = kinds[field->kind];
  if (kind) {
    fb_text_add(out, kind);
    add_unit(out, field);
  } else if (field->kind == FB_FIELD_WORD) {
    for (int i = 0; field->words[i]; i++) fb_text_printf(out, "%s`%s`", i ? ", " : "", field->words[i]);
  } else {
    const char* inner = schema->objects[field->inner].name;
    fb_text_add(out, field->kind == FB_FIELD_LIST    ? "list of "
                     : field->kind == FB_FIELD_MAPS  ? "map from name to "
                     : field->kind == FB_FIELD_NAMED ? "name or "
                                                     : "");
    fb_text_printf(out, "[%s](#%s)", inner, inner);
  }
}

static int variant_count(const fb_schema* schema, int object) {
  int n = 0;
  while (*fb_schema_variant(schema, object, n)) n++;
  return n;
}

/* "only for a, b", "not for c": whichever is shorter; nothing where every variant has the key. */
static void add_variants(fb_text* out, const fb_schema* schema, const fb_field* field) {
  int count = variant_count(schema, field->object), allowed = 0;
  for (int i = 0; i < count; i++) allowed += fb_schema_allows(schema, field, i);
  if (allowed == count) return;
  int name_allowed = 2 * allowed <= count;
  fb_text_add(out, name_allowed ? "; only for" : "; not for");
  const char* between = " ";
  for (int i = 0; i < count; i++)
    if (fb_schema_allows(schema, field, i) == name_allowed) {
      fb_text_printf(out, "%s%s", between, fb_schema_variant(schema, field->object, i));
      between = ", ";
    }
}

static void add_object(fb_text* out, const fb_schema* schema, int object) {
  fb_text_printf(out, "%s### %s\n\n| key | value | default | meaning |\n|---|---|---|---|\n",
                 object ? "\n" : "", schema->objects[object].name);
  const fb_field* field;
  char help[FB_SCHEMA_HELP];
  for (int i = 0; (field = fb_schema_field(schema, object, i)) != NULL; i++) {
    fb_text_printf(out, "| `%s` | ", field->key);
    add_value(out, schema, field);
    fb_text_printf(out, " | %s | %s", field->fallback ? field->fallback : "**required**",
                   fb_schema_help(schema, field, help));
    add_variants(out, schema, field);
    fb_text_add(out, " |\n");
  }
}

static void add_units(fb_text* out) {
  char units[200];
  fb_text_add(out, "\n### units\n\n| quantity | units; the first is meant when none is given |\n|---|---|\n");
  for (int i = FB_Q_NONE + 1; i < FB_Q_COUNT; i++) {
    const char* name = fb_quantity_name((fb_quantity)i);
    fb_text_printf(out, "| %s | %s |\n", strchr(name, ' ') + 1,
                   fb_quantity_units((fb_quantity)i, units, sizeof units));
  }
}

char* fb_schema_markdown(const fb_schema* schema, size_t* size) {
  fb_text out = {0};
  for (int i = 0; i < schema->object_count; i++) add_object(&out, schema, i);
  add_units(&out);
  return fb_text_take(&out, size);
}
