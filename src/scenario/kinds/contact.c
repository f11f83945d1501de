/* contact.c -- the items of `contacts`: which sides touch, and by what law. Each becomes a block "contact.NAME". */
#include <stdlib.h>
#include <string.h>

#include "scenario/kinds.h"
#include "contact/dynamics/hard_contact.h"

typedef struct contact {
  fb_contact how;
  const char *a, *b; /* as the scenario names them */
} contact;

static const contact* settings_of(const fb_scenario_block* block) {
  return (const contact*)block->settings;
}

const fb_contact* fb_scenario_contact_of(const fb_scenario_block* block) {
  return block->kind == &fb_kind_contact ? &settings_of(block)->how : NULL;
}

/* --- reading --- */

static int is_solver_taken(const fb_scenario* s) {
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
  if (is_solver_taken(s))
    return fb_node_fail(
        map, error, FB_ERR_NAME,
        "'solver' is the name of a law or force, but with hard contacts it names their solver; "
        "give the law another");
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
  if (!status) status = fb_scenario_new_block(s, &fb_kind_contact, name, "contacts", index, &block, error);
  if (status) return status;
  row.contact.a = a.colliders;
  row.contact.b = b.colliders;
  row.contact.na = a.count;
  row.contact.nb = b.count;
  *(contact*)block.settings = (contact){row.contact, a.text, b.text};
  status = fb_scenario_try_block(s, map, &block, error);
  if (!status && row.contact.law == FB_CONTACT_HARD && s->nhard == 0) status = add_solver(s, map, error);
  if (status) return status;
  s->nhard += row.contact.law == FB_CONTACT_HARD;
  s->ncompliant += row.contact.law != FB_CONTACT_HARD;
  return fb_scenario_add_block(s, &block, error);
}

fb_status fb_scenario_read_contacts(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* list = fb_fields_value(values, "contacts");
  if (!list) return FB_OK;
  fb_status status = fb_scenario_need_list(list, "contacts", error);
  for (int i = 0; i < fb_node_count(list) && !status; i++)
    status = fb_scenario_go_on(s, read_contact(s, fb_node_item(list, i), i, error), error);
  /* Signals of the solver can be logged whatever the laws are, so that the law can be changed by --set. */
  if (!status && s->nhard == 0 && s->ncompliant > 0 && !is_solver_taken(s))
    status = add_solver_of(s, list, &fb_kind_idle_solver, error);
  return status;
}

/* --- events --- */

/* The block of a contact by its name; -1 after an error. */
static int find_contact(const fb_scenario* s, const fb_node* node, const char* name, fb_error* error) {
  const char** names = malloc(((size_t)s->nblock + 1) * sizeof *names);
  int index = -1;
  for (int i = 0; names && i < s->nblock; i++) {
    const fb_contact* own = fb_scenario_contact_of(&s->blocks[i]);
    names[i] = own ? own->name : NULL;
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
    return fb_node_fail(
        node, error, FB_ERR_CONTENT,
        "the contact '%.60s' is not hard; watch one of its signals, as {when: contact.%.60s.normal, "
        "crosses: 1 N}",
        name, name);
  if (fb_fields_value(values, "change")) status = fb_fields_word(values, "change", &change, error);
  event->change = (fb_contact_change)change;
  return status;
}

/* --- its block --- */

/* For signals, parameters and checks: fb_sim_add_contact makes its own. */
static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  const fb_contact* how = &settings_of(block)->how;
  return how->law == FB_CONTACT_HARD ? fb_touch_block(s->model, how, out, error)
                                     : fb_block_contact(s->model, how, out, error);
}

static fb_status make_solver(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                             fb_error* error) {
  (void)s, (void)error;
  *out = block->kind == &fb_kind_solver ? fb_touch_solver_block() : fb_touch_idle_solver_block();
  return FB_OK;
}

/* --- in words --- */

static void add_friction(fb_text* out, const fb_contact* how) {
  if (how->law == FB_CONTACT_SOIL) return;
  if (how->friction > 0)
    fb_text_printf(out, ", friction %g", how->friction);
  else
    fb_text_add(out, ", no friction");
  if (how->friction > 0 && how->law != FB_CONTACT_HARD)
    fb_text_add(out, how->rubbing == FB_RUBBING_BRISTLE ? " with bristles" : " that creeps");
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  static const char* const units[][2] = {
      {"", ""}, {"N/m", "N s/m"}, {"N/m^1.5", "s/m"}, {"N/m^1.5", ""}, {"", ""}};
  const contact* own = settings_of(block);
  const fb_contact* how = &own->how;
  (void)s;
  fb_text_printf(out, "%s touches %s: %s", own->a, own->b, fb_contact_law_name(how->law));
  if (how->law != FB_CONTACT_HARD && how->law != FB_CONTACT_SOIL)
    fb_text_printf(out, ", %.6g %s", how->stiffness, units[how->law][0]);
  if (how->damping > 0 && units[how->law][1][0])
    fb_text_printf(out, ", damping %.6g %s", how->damping, units[how->law][1]);
  add_friction(out, how);
  if (how->law == FB_CONTACT_HARD)
    fb_text_printf(out, ", restitution %g%s", how->restitution,
                   how->restitution_law == FB_RESTITUTION_POISSON ? " (Poisson)" : "");
}

const fb_kind fb_kind_contact = {
    .heading = "contact", .size = sizeof(contact), .make = make, .explain = explain};
/* What solves for hard contacts: the simulation adds it by itself, before the first of them. */
const fb_kind fb_kind_solver = {.heading = "solver", .make = make_solver};
/* What takes its place where all contacts are compliant; logged only on demand. */
const fb_kind fb_kind_idle_solver = {.heading = "solver", .make = make_solver};
