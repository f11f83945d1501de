/* schema.c -- looking into a schema table. */
#include "document/schema.h"

#include <string.h>

/* The rows that the kinds of an object bring along. */
static const fb_field* kind_field(const fb_schema* schema, int object, int index) {
  if (!schema->kinds || object != schema->kinds_object) return NULL;
  for (int k = 0; schema->kinds[k]; k++) {
    const fb_schema_kind* kind = schema->kinds[k];
    if (index < kind->field_count) return &kind->fields[index];
    index -= kind->field_count;
  }
  return NULL;
}

const fb_field* fb_schema_field(const fb_schema* schema, int object, int index) {
  for (int i = 0; i < schema->field_count; i++)
    if (schema->fields[i].object == object && index-- == 0) return &schema->fields[i];
  return kind_field(schema, object, index);
}

/* What stands behind a key in a list as "frame! kp damping": '!', a space or the end; -1 when it is not listed. */
static int mark_of(const char* keys, const char* key) {
  size_t size = strlen(key);
  for (const char* at = keys; (at = strstr(at, key)) != NULL; at += size)
    if ((at == keys || at[-1] == ' ') && strchr("! ", at[size])) return at[size];
  return -1;
}

int fb_schema_allows(const fb_schema* schema, const fb_field* field, int variant) {
  if (field->allowed == FB_BY_KIND) return mark_of(schema->kinds[variant]->keys, field->key) >= 0;
  return field->allowed == FB_ALL_VARIANTS || (field->allowed >> variant & 1u) != 0;
}

int fb_schema_needs(const fb_schema* schema, const fb_field* field, int variant) {
  if (field->allowed == FB_BY_KIND) return mark_of(schema->kinds[variant]->keys, field->key) == '!';
  return field->needed == FB_ALL_VARIANTS || (field->needed >> variant & 1u) != 0;
}

const char* fb_schema_variant(const fb_schema* schema, int object, int variant) {
  const char* const* names = schema->objects[object].variants;
  for (int i = 0; names && names[i]; i++)
    if (i == variant) return names[i];
  return "";
}
