/* schema.c -- looking into a schema table. */
#include "document/schema/schema.h"

#include <stdio.h>
#include <string.h>

/* The kinds of an object; NULL when its variants are none. */
static const fb_schema_kind* const* kinds_of(const fb_schema* schema, int object) {
  for (const fb_schema_registry* r = schema->registries; r && r->kinds; r++)
    if (r->object == object) return r->kinds;
  return NULL;
}

const fb_field* fb_schema_field(const fb_schema* schema, int object, int index) {
  for (int t = 0; schema->tables[t]; t++)
    for (int i = 0; i < schema->tables[t]->count; i++)
      if (schema->tables[t]->fields[i].object == object && index-- == 0) return &schema->tables[t]->fields[i];
  const fb_schema_kind* const* kinds = kinds_of(schema, object);
  for (int k = 0; kinds && kinds[k]; k++) {
    if (index < kinds[k]->field_count) return &kinds[k]->fields[index];
    index -= kinds[k]->field_count;
  }
  return NULL;
}

/* What stands behind a key in a list as "frame! kp damping": '!', a space or the end; -1 when it is not listed. */
static int mark_of(const char* keys, const char* key) {
  size_t size = strlen(key);
  for (const char* at = keys; (at = strstr(at, key)) != NULL; at += size)
    if ((at == keys || at[-1] == ' ') && strchr("! ", at[size])) return at[size];
  return -1;
}

/* The mark of a key in the list of a variant's kind. */
static int mark_in_kind(const fb_schema* schema, const fb_field* field, int variant) {
  return mark_of(kinds_of(schema, field->object)[variant]->keys, field->key);
}

int fb_field_is_by_kind(const fb_field* field) {
  return field->allowed == FB_BY_KIND || field->allowed == FB_BY_KIND_INTO;
}

int fb_schema_allows(const fb_schema* schema, const fb_field* field, int variant) {
  if (fb_field_is_by_kind(field)) return mark_in_kind(schema, field, variant) >= 0;
  return field->allowed == FB_ALL_VARIANTS || (field->allowed >> variant & 1u) != 0;
}

int fb_schema_needs(const fb_schema* schema, const fb_field* field, int variant) {
  if (fb_field_is_by_kind(field)) return mark_in_kind(schema, field, variant) == '!';
  return field->needed == FB_ALL_VARIANTS || (field->needed >> variant & 1u) != 0;
}

const char* fb_schema_help(const fb_schema* schema, const fb_field* field, char buffer[FB_SCHEMA_HELP]) {
  const fb_schema_kind* const* kinds = kinds_of(schema, field->inner);
  size_t used = 0;
  if (field->help || !kinds) return field->help;
  buffer[0] = '\0';
  for (int k = 0; kinds[k] && used < FB_SCHEMA_HELP; k++) {
    const char* between = k == 0 ? "" : kinds[k]->help || kinds[k - 1]->help ? "; " : ", ";
    used += (size_t)snprintf(buffer + used, FB_SCHEMA_HELP - used, "%s%s%s%s", between, field->words[k],
                             kinds[k]->help ? ": " : "", kinds[k]->help ? kinds[k]->help : "");
  }
  return buffer;
}

const char* fb_schema_variant(const fb_schema* schema, int object, int variant) {
  const char* const* names = schema->objects[object].variants;
  for (int i = 0; names && names[i]; i++)
    if (i == variant) return names[i];
  return "";
}
