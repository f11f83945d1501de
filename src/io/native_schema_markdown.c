/* native_schema_markdown.c -- the schema table as the key tables of docs/model-format.md. */
#include <string.h>

#include "io/native_schema.h"
#include "io/text.h"

static const char* si_unit(fb_quantity quantity, char buffer[200]) {
  fb_quantity_units(quantity, buffer, 200);
  buffer[strcspn(buffer, ",")] = '\0';
  return buffer;
}

static void add_unit(fb_text* out, const fb_native_field* field) {
  char unit[200];
  if (field->angular != FB_Q_NONE) {
    fb_text_printf(out, ", %s", si_unit(field->angular, unit));
    fb_text_printf(out, " or %s", si_unit(field->quantity, unit));
  } else if (field->quantity != FB_Q_NONE) {
    fb_text_printf(out, ", %s", si_unit(field->quantity, unit));
  }
}

static void add_value(fb_text* out, const fb_native_field* field) {
  static const char* const kinds[] = {"1",
                                      "text",
                                      "number",
                                      "3 numbers",
                                      "6 numbers",
                                      "3 numbers",
                                      "3 numbers",
                                      "4 numbers",
                                      "3 rows of 3",
                                      NULL,
                                      "number or list",
                                      "pair or list of pairs",
                                      "text",
                                      "number or 3 numbers",
                                      NULL,
                                      NULL};
  const char* kind = kinds[field->kind];
  if (kind) {
    fb_text_add(out, kind);
    add_unit(out, field);
  } else if (field->kind == FB_FIELD_WORD) {
    for (int i = 0; field->words[i]; i++) fb_text_printf(out, "%s`%s`", i ? ", " : "", field->words[i]);
  } else {
    const char* inner = fb_native_object_name(field->inner);
    fb_text_printf(out, field->kind == FB_FIELD_LIST ? "list of [%s](#%s)" : "[%s](#%s)", inner, inner);
  }
}

static int variant_count(fb_native_object object) {
  int n = 0;
  while (*fb_native_variant_name(object, n)) n++;
  return n;
}

/* "only for a, b", "not for c": whichever is shorter; nothing where every variant has the key. */
static void add_variants(fb_text* out, const fb_native_field* field) {
  int count = variant_count(field->object), allowed = 0;
  for (int i = 0; i < count; i++) allowed += (int)((field->allowed >> i) & 1u);
  if (allowed == count) return;
  int name_allowed = 2 * allowed <= count;
  fb_text_add(out, name_allowed ? "; only for" : "; not for");
  const char* between = " ";
  for (int i = 0; i < count; i++)
    if ((int)((field->allowed >> i) & 1u) == name_allowed) {
      fb_text_printf(out, "%s%s", between, fb_native_variant_name(field->object, i));
      between = ", ";
    }
}

static void add_object(fb_text* out, fb_native_object object) {
  int count;
  const fb_native_field* fields = fb_native_fields(object, &count);
  fb_text_printf(out, "%s### %s\n\n| key | value | default | meaning |\n|---|---|---|---|\n",
                 object ? "\n" : "", fb_native_object_name(object));
  for (int i = 0; i < count; i++) {
    fb_text_printf(out, "| `%s` | ", fields[i].key);
    add_value(out, &fields[i]);
    fb_text_printf(out, " | %s | %s", fields[i].fallback ? fields[i].fallback : "**required**",
                   fields[i].help);
    add_variants(out, &fields[i]);
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

char* fb_native_schema_markdown(size_t* size) {
  fb_text out = {0};
  for (int i = 0; i < FB_NATIVE_OBJECT_COUNT; i++) add_object(&out, (fb_native_object)i);
  add_units(&out);
  return fb_text_take(&out, size);
}
