/* fields.c -- reading one object of a document by its rows of the schema table. */
#include "document/schema/fields.h"

#include <stdio.h>
#include <string.h>

#include <freebody/support/words.h>

#include "math/vector3.h"
#include "model/definition/check.h"

/* --- keys --- */

static const char* article(const char* word) {
  return (word[0] && strchr("aeio", word[0])) || strncmp(word, "rk", 2) == 0 ? "an" : "a";
}

static const char* object_name(const fb_fields* values) {
  return values->schema->objects[values->object].name;
}

/* Keys of what Freebody will have, but has not yet, get a plain answer instead of a suggestion of another key. */
#define ORBIT "there is uniform gravity only; leave it out"
#define SENSOR "there are no models of sensors; log signals, or give a law `sample` with noise"

/* A row goes when the key is there. */
static const struct {
  const char *key, *text;
} PLANNED[] = {
    {"orbit", ORBIT},
    {"orbits", ORBIT},
    {"sensor", SENSOR},
    {"sensors", SENSOR},
};

/* What the key is for and what to do until then, as the end of a sentence; NULL for any other key. */
static const char* planned_key(const char* key) {
  for (size_t i = 0; i < sizeof PLANNED / sizeof *PLANNED; i++)
    if (strcmp(PLANNED[i].key, key) == 0) return PLANNED[i].text;
  return NULL;
}

static fb_status unknown_key(const fb_fields* values, int index, fb_error* error) {
  const char* known[FB_SCHEMA_MAX_KEYS + 1];
  for (int i = 0; i < values->count; i++) known[i] = values->fields[i]->key;
  known[values->count] = NULL;
  const char* key = fb_map_key(values->map, index);
  const char* planned = planned_key(key);
  if (planned)
    return fb_map_key_fail(values->map, index, error, FB_ERR_UNSUPPORTED, "'%s' is not there yet: %s", key,
                           planned);
  char near[FB_SUGGESTION_SIZE];
  return fb_map_key_fail(values->map, index, error, FB_ERR_CONTENT, "%s %s has no key '%.60s'%s",
                         article(object_name(values)), object_name(values), key,
                         fb_suggestion_or_list(key, known, "its keys are", near));
}

/* The row of a key, or -1. */
static int row_of(const fb_fields* values, const char* key) {
  for (int row = 0; row < values->count; row++)
    if (strcmp(values->fields[row]->key, key) == 0) return row;
  return -1;
}

int fb_fields_unknown(const fb_fields* values, int from, fb_error* error) {
  for (int i = from; i < fb_node_count(values->map); i++)
    if (row_of(values, fb_map_key(values->map, i)) < 0) {
      unknown_key(values, i, error);
      return i;
    }
  return -1;
}

fb_status fb_fields_collect(const fb_node* map, const fb_schema* schema, int object, fb_fields* values,
                            fb_error* error) {
  *values = (fb_fields){.map = map, .schema = schema, .object = object};
  while ((values->fields[values->count] = fb_schema_field(schema, object, values->count)) != NULL)
    values->count++;
  if (fb_node_get_kind(map) != FB_NODE_MAP) {
    return fb_node_unexpected(map, error, "expected %s %s, which is a map of keys and values",
                              article(object_name(values)), object_name(values));
  }
  for (int i = 0; i < fb_node_count(map); i++) {
    int row = row_of(values, fb_map_key(map, i));
    if (row >= 0) values->value[row] = fb_map_value(map, i);
  }
  fb_error unused;
  if (!error) error = &unused;
  return fb_fields_unknown(values, 0, error) < 0 ? FB_OK : error->status;
}

const fb_node* fb_fields_value(const fb_fields* values, const char* key) {
  for (int i = 0; i < values->count; i++)
    if (strcmp(values->fields[i]->key, key) == 0) return values->value[i];
  return NULL;
}

const fb_field* fb_fields_row(const fb_fields* values, const char* key) {
  int row = 0;
  while (strcmp(values->fields[row]->key, key) != 0) row++;
  return values->fields[row];
}

/* "a helical joint", "a box", "a body". */
static void variant_in_words(const fb_fields* values, int variant, char buffer[64]) {
  const char* name = fb_schema_variant(values->schema, values->object, variant);
  const char* object = object_name(values);
  if (values->schema->objects[values->object].stands_alone)
    snprintf(buffer, 64, "%s %s", article(name), name);
  else
    snprintf(buffer, 64, "%s %s%s%s", article(name[0] ? name : object), name, name[0] ? " " : "", object);
}

static fb_status misplaced_key(const fb_fields* values, int row, int variant, fb_error* error) {
  const fb_field* field = values->fields[row];
  const char* owners[FB_SCHEMA_MAX_KEYS + 1];
  char who[64], list[128];
  int n = 0;
  variant_in_words(values, variant, who);
  for (int i = 0; n < FB_SCHEMA_MAX_KEYS && *fb_schema_variant(values->schema, values->object, i); i++)
    if (fb_schema_allows(values->schema, field, i))
      owners[n++] = fb_schema_variant(values->schema, values->object, i);
  owners[n] = NULL;
  return fb_node_fail(values->value[row], error, FB_ERR_CONTENT, "%s cannot have '%s'; it belongs to %s", who,
                      field->key, fb_words_join(owners, "", list, sizeof list));
}

static fb_status missing_key(const fb_fields* values, int row, int variant, fb_error* error) {
  char who[64], help[FB_SCHEMA_HELP];
  variant_in_words(values, variant, who);
  return fb_node_fail(values->map, error, FB_ERR_CONTENT, "%s needs the key '%s' (%s); add it", who,
                      values->fields[row]->key, fb_schema_help(values->schema, values->fields[row], help));
}

/* --- values --- */

fb_status fb_field_check_range(const fb_node* node, const fb_field* field, double x, fb_error* error) {
  if (field->range == FB_RANGE_NOT_NEGATIVE && x < 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "'%s' is %g, but must not be negative", field->key, x);
  if (field->range == FB_RANGE_POSITIVE && x <= 0)
    return fb_node_fail(node, error, FB_ERR_CONTENT, "'%s' is %g, but must be more than 0", field->key, x);
  return FB_OK;
}

fb_status fb_field_number(const fb_node* node, const fb_field* field, fb_quantity quantity, double* out,
                          fb_error* error) {
  fb_status status = fb_node_number(node, quantity, out, error);
  return status ? status : fb_field_check_range(node, field, *out, error);
}

static fb_status read_vector(const fb_node* node, const fb_field* field, double* out, fb_error* error) {
  fb_status status = fb_node_numbers(node, field->quantity, 3, out, error);
  for (int i = 0; i < 3 && !status; i++)
    status = fb_field_check_range(fb_node_item(node, i), field, out[i], error);
  return status;
}

/* Three numbers and a 3x3 matrix are what people try first. */
static fb_status read_inertia(const fb_node* node, const fb_field* field, double* out, fb_error* error) {
  char found[80];
  if (fb_node_get_kind(node) == FB_NODE_LIST && fb_node_count(node) == 6)
    return fb_node_numbers(node, field->quantity, 6, out, error);
  return fb_node_fail(node, error, FB_ERR_CONTENT,
                      "expected 6 numbers in the order [ixx, iyy, izz, ixy, ixz, iyz], but found %s%s",
                      fb_node_describe(node, found),
                      fb_node_count(node) == 3 && fb_node_get_kind(fb_node_item(node, 0)) != FB_NODE_LIST
                          ? "; add 0, 0, 0 where the axes are principal"
                          : "");
}

static fb_status read_axis(const fb_node* node, const fb_field* field, double* out, fb_error* error) {
  fb_status status = fb_node_numbers(node, FB_Q_NONE, 3, out, error);
  if (status || !is_zero3(out)) return status;
  return fb_node_fail(node, error, FB_ERR_JOINT,
                      "'%s' is zero, so it has no direction; give three numbers such as [0, 0, 1]",
                      field->key);
}

static fb_status read_text(const fb_node* node, const fb_field* field, const char** out, fb_error* error) {
  fb_status status = fb_node_string(node, out, error);
  if (status || (*out)[0]) return status;
  return fb_node_fail(node, error, FB_ERR_CONTENT, "'%s' is empty; give it some text or leave it out",
                      field->key);
}

static fb_status read_color(const fb_node* node, const char** out, fb_error* error) {
  if (fb_node_get_kind(node) == FB_NODE_NULL) /* an unquoted #aabbcc is a comment in YAML */
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the color is empty; write it in quotes, because # begins a comment: \"#c9b037\"");
  fb_status status = fb_node_string(node, out, error);
  if (status) return status;
  if (fb_color_is_valid(*out)) return FB_OK;
  return fb_node_unexpected(node, error, "a color is \"#rrggbb\" or \"#rrggbbaa\"");
}

static fb_status read_index(const fb_node* node, const fb_field* field, int* out, fb_error* error) {
  fb_status status = fb_node_int(node, out, error);
  if (status || *out >= 0) return status;
  return fb_node_fail(node, error, FB_ERR_CONTENT, "'%s' is %d, but counts from 0", field->key, *out);
}

static fb_status read_field(const fb_node* node, const fb_field* field, void* at, fb_error* error) {
  switch (field->kind) {
    case FB_FIELD_NUMBER:
      return fb_field_number(node, field, field->quantity, (double*)at, error);
    case FB_FIELD_VECTOR:
      return read_vector(node, field, (double*)at, error);
    case FB_FIELD_INERTIA:
      return read_inertia(node, field, (double*)at, error);
    case FB_FIELD_AXIS:
      return read_axis(node, field, (double*)at, error);
    case FB_FIELD_TEXT:
      return read_text(node, field, (const char**)at, error);
    case FB_FIELD_COLOR:
      return read_color(node, (const char**)at, error);
    case FB_FIELD_BOOL:
      return fb_node_bool(node, (int*)at, error);
    case FB_FIELD_INDEX:
      return read_index(node, field, (int*)at, error);
    default:
      return FB_OK;
  }
}

/* Whether the axes of an object are given in another way. */
static int has_axis_otherwise(const fb_fields* values) {
  for (int i = 0; i < values->count; i++)
    if (values->value[i] && values->fields[i]->kind == FB_FIELD_DH) return 1;
  return 0;
}

/* One row; without a target its value is only tried, as that of keys that kinds get by fb_fields_get. */
static fb_status read_row(const fb_fields* values, int row, int variant, void* target, fb_error* error) {
  const fb_field* field = values->fields[row];
  const fb_node* node = values->value[row];
  double unused[6];
  int otherwise = field->kind == FB_FIELD_AXIS && has_axis_otherwise(values);
  if (!node && !otherwise && fb_schema_needs(values->schema, field, variant))
    return missing_key(values, row, variant, error);
  if (!node) return FB_OK;
  if (!fb_schema_allows(values->schema, field, variant)) return misplaced_key(values, row, variant, error);
  if (field->offset < 0 && field->allowed != FB_BY_KIND) return FB_OK;
  int tried = !target || field->allowed == FB_BY_KIND;
  return read_field(node, field, tried ? (void*)unused : (char*)target + field->offset, error);
}

fb_status fb_fields_check_row(const fb_fields* values, int row, int variant, fb_error* error) {
  return read_row(values, row, variant, NULL, error);
}

fb_status fb_fields_read(const fb_fields* values, int variant, void* target, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < values->count && !status; i++) status = read_row(values, i, variant, target, error);
  return status;
}

fb_status fb_fields_get(const fb_fields* values, const char* key, void* out, fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  return node ? read_field(node, fb_fields_row(values, key), out, error) : FB_OK;
}

fb_status fb_fields_word(const fb_fields* values, const char* key, int* index, fb_error* error) {
  const fb_field* field = fb_fields_row(values, key);
  const fb_node* node = fb_fields_value(values, key);
  char help[FB_SCHEMA_HELP];
  if (!node)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT, "%s %s needs the key '%s' (%s); add it",
                        article(object_name(values)), object_name(values), key,
                        fb_schema_help(values->schema, field, help));
  const char* word;
  fb_status status = fb_node_string(node, &word, error);
  if (status) return status;
  for (int i = 0; field->words[i]; i++)
    if (strcmp(field->words[i], word) == 0) {
      *index = i;
      return FB_OK;
    }
  char near[FB_SUGGESTION_SIZE];
  return fb_node_fail(node, error, FB_ERR_CONTENT, "'%.60s' is not %s %s of %s %s%s", word, article(key), key,
                      article(object_name(values)), object_name(values),
                      fb_suggestion_or_list(word, field->words, "those are", near));
}

fb_status fb_fields_get_word(const fb_fields* values, const char* key, int* index, fb_error* error) {
  return fb_fields_value(values, key) ? fb_fields_word(values, key, index, error) : FB_OK;
}

fb_status fb_fields_check_version(const fb_fields* values, const char* key, fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  int version;
  fb_status status = fb_node_int(node, &version, error);
  if (status || version == values->schema->version) return status;
  return fb_node_fail(node, error, FB_ERR_UNSUPPORTED,
                      "this is version %d of the format; this program reads version %d", version,
                      values->schema->version);
}

fb_status fb_fields_open(const fb_node* map, const fb_schema* schema, int object, fb_fields* values,
                         void* target, fb_error* error) {
  fb_status status = fb_fields_collect(map, schema, object, values, error);
  return status ? status : fb_fields_read(values, 0, target, error);
}
