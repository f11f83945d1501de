/* complain.c -- all errors of a document that its table of keys can tell, instead of the first.
 *
 * A map is examined key by key, and the maps under it wait in a list until it is their turn. Which variant of an object
 * a map is may not be known here (an event is told by its keys): then only what holds for all variants is reported.
 * Values whose meaning depends on others, as numbers in the unit of a joint, are left to their readers. */
#include <stdlib.h>

#include "base/grow.h"
#include "document/schema/fields.h"

typedef struct waiting {
  const fb_node* node;
  int object;
} waiting;

typedef struct complainer {
  const fb_schema* schema;
  int (*complain)(void* user, const fb_error* error);
  void* user;
  int enough; /* the caller wants no more */
  int no_memory;
  waiting* list;
  size_t count, room;
} complainer;

static void report(complainer* c, fb_status status, const fb_error* error) {
  if (status && status != FB_ERR_MEMORY && !c->enough) c->enough = !c->complain(c->user, error);
}

static void add(complainer* c, const fb_node* node, int object) {
  if (fb_grow(&c->list, c->count, 1, &c->room, sizeof *c->list))
    c->list[c->count++] = (waiting){node, object};
  else
    c->no_memory = 1;
}

static void add_inner(complainer* c, const fb_node* node, const fb_field* field) {
  fb_node_kind kind = fb_node_get_kind(node);
  if (field->kind == FB_FIELD_MAP || (field->kind == FB_FIELD_NAMED && kind == FB_NODE_MAP))
    add(c, node, field->inner);
  int fits = (field->kind == FB_FIELD_LIST && kind == FB_NODE_LIST) ||
             (field->kind == FB_FIELD_MAPS && kind == FB_NODE_MAP);
  for (int i = 0; fits && i < fb_node_count(node); i++) add(c, fb_node_item(node, i), field->inner);
}

/* The variant by the word that names it; 0 of an object without variants, -1 when it is not known. */
static int variant_of(const complainer* c, const fb_fields* values) {
  const char* const* variants = c->schema->objects[values->object].variants;
  if (!variants) return 0;
  for (int row = 0; row < values->count; row++) {
    const fb_field* field = values->fields[row];
    int variant;
    fb_error unused; /* it is reported with all other words */
    if (field->kind != FB_FIELD_WORD || field->words != variants || !values->value[row]) continue;
    return fb_fields_word(values, field->key, &variant, &unused) ? -1 : variant;
  }
  return -1;
}

/* A list of numbers or of vectors whose unit does not depend on a joint. */
static void check_numbers(complainer* c, const fb_node* list, const fb_field* field) {
  fb_error error;
  double x[3];
  if (field->angular != FB_Q_NONE || fb_node_get_kind(list) != FB_NODE_LIST) return;
  for (int i = 0; i < fb_node_count(list) && !c->enough; i++) {
    const fb_node* item = fb_node_item(list, i);
    report(c,
           field->kind == FB_FIELD_VECTORS ? fb_node_numbers(item, field->quantity, 3, x, &error)
                                           : fb_node_number(item, field->quantity, x, &error),
           &error);
  }
}

/* A key that is there. Without a variant it is checked if all variants may have it. */
static void check_value(complainer* c, const fb_fields* values, int row, int variant) {
  const fb_field* field = values->fields[row];
  const fb_node* node = values->value[row];
  fb_error error;
  int index;
  if (variant >= 0 || field->allowed == FB_ALL_VARIANTS)
    report(c, fb_fields_check_row(values, row, variant < 0 ? 0 : variant, &error), &error);
  if (field->kind == FB_FIELD_WORD) report(c, fb_fields_word(values, field->key, &index, &error), &error);
  if (field->kind == FB_FIELD_NUMBERS || field->kind == FB_FIELD_VECTORS) check_numbers(c, node, field);
  add_inner(c, node, field);
}

static void check_map(complainer* c, const fb_node* map, int object) {
  fb_fields values;
  fb_error error;
  fb_status status = fb_fields_collect(map, c->schema, object, &values, &error);
  if (fb_node_get_kind(map) != FB_NODE_MAP) {
    report(c, status, &error);
    return;
  }
  for (int i = -1; !c->enough && (i = fb_fields_unknown(&values, i + 1, &error)) >= 0;)
    report(c, FB_ERR_CONTENT, &error);
  int variant = variant_of(c, &values);
  for (int row = 0; row < values.count; row++)
    if (values.value[row])
      check_value(c, &values, row, variant);
    else if (!status && variant >= 0) /* a key that is not known is likely to be the missing one */
      report(c, fb_fields_check_row(&values, row, variant, &error), &error);
  double R[9];
  report(c, fb_fields_rotation(&values, R, &error), &error);
}

int fb_schema_complain(const fb_node* map, const fb_schema* schema, int object,
                       int (*complain)(void* user, const fb_error* error), void* user) {
  complainer c = {.schema = schema, .complain = complain, .user = user};
  add(&c, map, object);
  for (size_t i = 0; i < c.count && !c.enough; i++) check_map(&c, c.list[i].node, c.list[i].object);
  free(c.list);
  return !c.no_memory;
}
