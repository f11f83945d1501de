/* schema.c -- looking into a schema table. */
#include "document/schema.h"

const fb_field* fb_schema_fields(const fb_schema* schema, int object, int* count) {
  int first = 0;
  while (first < schema->field_count && schema->fields[first].object != object) first++;
  int end = first;
  while (end < schema->field_count && schema->fields[end].object == object) end++;
  *count = end - first;
  return schema->fields + first;
}

const char* fb_schema_variant(const fb_schema* schema, int object, int variant) {
  const char* const* names = schema->objects[object].variants;
  for (int i = 0; names && names[i]; i++)
    if (i == variant) return names[i];
  return "";
}
