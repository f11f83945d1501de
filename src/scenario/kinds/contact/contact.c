/* contact.c -- the items of `contacts`: which sides touch, and by what law. Each becomes a block "contact.NAME". */
#include <stdlib.h>
#include <string.h>

#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"
#include "contact/dynamics/hard_block.h"

const fb_contact* fb_scenario_contact_of(const fb_scenario_block* block) {
  return fb_kind_is_in(block->kind, FB_SECTION_CONTACT) ? (const fb_contact*)block->settings : NULL;
}

static int is_solver_name_used(const fb_scenario* s) {
  for (int i = 0; i < s->nblock; i++)
    if (strcmp(s->blocks[i].name, "solver") == 0) return 1;
  return 0;
}

static fb_status add_solver_of(fb_scenario* s, const fb_node* node, const fb_kind* kind, fb_error* error) {
  fb_scenario_block block;
  fb_status status = fb_scenario_new_block(s, kind, "solver", "contacts", 0, &block, error);
  if (!status) status = fb_scenario_try_block(s, node, &block, error);
  return status ? status : fb_scenario_add_block(s, &block, error);
}

/* The block "solver" has the place among the blocks that it will have in the simulation. */
static fb_status add_solver(fb_scenario* s, const fb_node* map, fb_error* error) {
  if (is_solver_name_used(s))
    return fb_node_fail(map, error, FB_ERR_NAME,
                        "'solver' is the name of a law or force, but with hard contacts it names their "
                        "solver; give the law another");
  return add_solver_of(s, map, &fb_kind_solver, error);
}

/* The name of its block, "contact.NAME", which no law and no force may have either. */
static fb_status name_block(fb_scenario* s, const fb_node* node, const char* name, const char** out,
                            fb_error* error) {
  enum { MOST = 100 }; /* so that names of its signals and events fit */
  if (strlen(name) > MOST)
    return fb_node_fail(node, error, FB_ERR_NAME, "the name has %zu characters; a contact's has at most %d",
                        strlen(name), (int)MOST);
  *out = fb_scenario_print(s, "contact.%s", name);
  if (!*out) return fb_scenario_no_memory(error);
  for (int i = 0; i < s->nblock; i++)
    if (strcmp(s->blocks[i].name, *out) == 0)
      return fb_node_fail(node, error, FB_ERR_NAME, "the name '%s' is taken; give the contact another", *out);
  return FB_OK;
}

static fb_status read_contact(fb_scenario* s, const fb_node* map, int index, fb_error* error) {
  fb_fields values;
  fb_contact_row row = {.contact = fb_default_contact()};
  fb_scenario_side a = {.count = 0}, b = {.count = 0};
  fb_scenario_block block;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_CONTACT, &values, error);
  if (!status) status = fb_fields_get(&values, "name", &row.name, error);
  if (!status && (!fb_fields_value(&values, "a") || !fb_fields_value(&values, "b")))
    status = fb_fields_read(&values, FB_CONTACT_HARD, &row, error); /* says which of them it needs */
  if (!status) status = fb_scenario_read_sides(s, &values, &a, &b, error);
  if (!status) status = fb_scenario_read_law(s, &values, b.material ? b.material : a.material, &row, error);
  if (status) return status;
  row.contact.name = row.name ? row.name : fb_scenario_print(s, "%d", index);
  if (!row.contact.name) return fb_scenario_no_memory(error);
  const char* name = NULL;
  status = name_block(s, row.name ? fb_fields_value(&values, "name") : map, row.contact.name, &name, error);
  if (!status)
    status = fb_scenario_new_block(s, fb_kinds[FB_SECTION_CONTACT][row.contact.law], name, "contacts", index,
                                   &block, error);
  if (status) return status;
  row.contact.a = a.colliders;
  row.contact.b = b.colliders;
  row.contact.na = a.count;
  row.contact.nb = b.count;
  *(fb_scenario_contact*)block.settings = (fb_scenario_contact){row.contact, a.text, b.text};
  status = fb_scenario_try_block(s, map, &block, error);
  if (!status && row.contact.law == FB_CONTACT_HARD && s->nhard == 0) status = add_solver(s, map, error);
  if (status) return status;
  s->nhard += row.contact.law == FB_CONTACT_HARD;
  s->ncompliant += row.contact.law != FB_CONTACT_HARD;
  return fb_scenario_add_block(s, &block, error);
}

fb_status fb_scenario_read_contacts(fb_scenario* s, const fb_fields* values, fb_error* error) {
  fb_status status = fb_scenario_read_list(s, values, "contacts", "contacts", NULL, read_contact, error);
  /* Signals of the solver can be logged whatever the laws are, so that the law can be changed by --set. */
  if (!status && s->nhard == 0 && s->ncompliant > 0 && !is_solver_name_used(s))
    status = add_solver_of(s, fb_fields_value(values, "contacts"), &fb_kind_idle_solver, error);
  return status;
}

/* The block of a contact by its name; -1 after an error. */
static int find_contact(const fb_scenario* s, const fb_node* node, const char* name, fb_error* error) {
  const char** names = malloc(((size_t)s->nblock + 1) * sizeof *names);
  int index = -1;
  for (int i = 0; names && i < s->nblock; i++) {
    const fb_contact* other = fb_scenario_contact_of(&s->blocks[i]);
    names[i] = other ? other->name : NULL;
  }
  fb_status status = names ? fb_scenario_word(node, name, "contact", names, s->nblock, &index, error)
                           : fb_scenario_no_memory(error);
  free((void*)names);
  return status ? -1 : index;
}

fb_status fb_scenario_read_change(const fb_scenario* s, const fb_fields* values, fb_event* event,
                                  fb_error* error) {
  const fb_node* node = fb_fields_value(values, "contact");
  const char* name;
  int change = FB_CONTACT_HITS;
  fb_status status = fb_node_string(node, &name, error);
  if (status) return status;
  event->kind = FB_TRIGGER_CONTACT;
  event->contact = find_contact(s, node, name, error);
  if (event->contact < 0) return error->status;
  if (fb_scenario_contact_of(&s->blocks[event->contact])->law != FB_CONTACT_HARD)
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "the contact '%.60s' is not hard; watch one of its signals, as {when: "
                        "contact.%.60s.normal, crosses: 1 N}",
                        name, name);
  status = fb_fields_get_word(values, "change", &change, error);
  event->change = (fb_contact_change)change;
  return status;
}

static fb_status make_solver(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                             fb_error* error) {
  (void)s, (void)error;
  *out = block->kind == &fb_kind_solver ? fb_hard_solver_block() : fb_hard_idle_solver_block();
  return FB_OK;
}

/* The simulation adds it by itself, before the first hard contact. */
const fb_kind fb_kind_solver = {.heading = "solver", .make = make_solver};
/* What takes its place where all contacts are compliant; logged only on demand. */
const fb_kind fb_kind_idle_solver = {.heading = "solver", .make = make_solver};
