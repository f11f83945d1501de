/* material.c -- how two sides touch: the values of a contact, from its material and from its own keys. */
#include <string.h>

#include "scenario/scenario.h"

/* --- values --- */

/* Stiffness and damping have units that depend on the law. */
static fb_status read_number(const fb_fields* values, const char* key, int has_unit, double* out,
                             fb_error* error) {
  const fb_node* node = fb_fields_value(values, key);
  const fb_field* row = fb_fields_row(values, key);
  if (!node) return FB_OK;
  fb_status status = fb_node_number(node, has_unit ? row->quantity : FB_Q_NONE, out, error);
  return status ? status : fb_field_check_range(node, row, *out, error);
}

static fb_status read_word(const fb_fields* values, const char* key, int* out, fb_error* error) {
  return fb_fields_value(values, key) ? fb_fields_word(values, key, out, error) : FB_OK;
}

static fb_status find_preset(const fb_node* node, fb_soil* soil, fb_error* error) {
  const char* name;
  fb_status status = fb_node_string(node, &name, error);
  if (status) return status;
  status = fb_soil_preset(name, soil, error);
  if (status) fb_node_place_error(node, error);
  return status;
}

/* A preset by its name, or parameters, which override those of their preset, or of the material. */
static fb_status read_soil(const fb_node* node, fb_soil* soil, fb_error* error) {
  fb_fields values;
  if (!node) return FB_OK;
  if (fb_node_get_kind(node) == FB_NODE_SCALAR) return find_preset(node, soil, error);
  fb_status status = fb_fields_collect(node, &fb_scenario_schema, FB_SCENARIO_SOIL, &values, error);
  const fb_node* preset = status ? NULL : fb_fields_value(&values, "preset");
  if (preset) status = find_preset(preset, soil, error);
  if (!status) status = fb_fields_read(&values, 0, soil, error);
  if (!status && soil->exit_ratio > 1)
    status = fb_node_fail(fb_fields_value(&values, "exit_ratio"), error, FB_ERR_CONTENT,
                          "exit_ratio is %g, but lies between 0 and 1", soil->exit_ratio);
  return status;
}

/* The keys of a contact or a material, in the units of a law; of a material those that the law has. */
static fb_status read_values(const fb_fields* values, int variant, fb_contact_law law, fb_contact_row* row,
                             fb_error* error) {
  fb_contact* c = &row->contact;
  int restitution_law = (int)c->restitution_law, rubbing = (int)c->rubbing;
  fb_status status = fb_fields_read(values, variant, row, error);
  int spring = law == FB_CONTACT_SPRING, damped = spring || law == FB_CONTACT_HUNT_CROSSLEY;
  if (!status && (damped || law == FB_CONTACT_HERTZ))
    status = read_number(values, "stiffness", spring, &c->stiffness, error);
  if (!status && damped) status = read_number(values, "damping", spring, &c->damping, error);
  if (!status && c->restitution > 1)
    status = fb_node_fail(fb_fields_value(values, "restitution"), error, FB_ERR_CONTENT,
                          "restitution is %g, but lies between 0 and 1", c->restitution);
  if (!status) status = read_word(values, "restitution_law", &restitution_law, error);
  if (!status) status = read_word(values, "rubbing", &rubbing, error);
  if (!status) status = read_soil(fb_fields_value(values, "soil"), &c->soil, error);
  c->restitution_law = (fb_restitution_law)restitution_law;
  c->rubbing = (fb_rubbing)rubbing;
  return status;
}

/* --- materials --- */

/* Collects the keys of a material, and its law, which is left as it is when it has none. */
static fb_status open_material(const fb_node* map, fb_fields* values, int* law, fb_error* error) {
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_MATERIAL, values, error);
  return status ? status : read_word(values, "law", law, error);
}

/* What all laws can tell; plain numbers are taken as they are, whatever the law that will use them. */
static fb_status check_material(const fb_node* map, fb_error* error) {
  fb_fields values;
  fb_contact_row row = {.contact = fb_default_contact()};
  int law = FB_CONTACT_SPRING;
  fb_status status = open_material(map, &values, &law, error);
  return status ? status : read_values(&values, 0, (fb_contact_law)law, &row, error);
}

fb_status fb_scenario_read_materials(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* map = fb_fields_value(values, "materials");
  char found[80];
  fb_status status = FB_OK;
  if (!map) return FB_OK;
  if (fb_node_get_kind(map) != FB_NODE_MAP)
    return fb_node_fail(map, error, FB_ERR_CONTENT,
                        "expected materials by name, as {rubber: {friction: 0.8}}, but found %s",
                        fb_node_describe(map, found));
  s->materials = map;
  for (int i = 0; i < fb_node_count(map) && !status; i++)
    status = fb_scenario_go_on(s, check_material(fb_map_value(map, i), error), error);
  return status;
}

fb_status fb_scenario_find_material(const fb_scenario* s, const fb_node* node, const fb_node** map,
                                    fb_error* error) {
  const char *name, *names[64];
  int count = 0, unused;
  fb_status status = fb_node_string(node, &name, error);
  if (status) return status;
  *map = s->materials ? fb_map_get(s->materials, name) : NULL;
  if (*map) return FB_OK;
  for (int i = 0; s->materials && i < fb_node_count(s->materials) && count < 64; i++)
    names[count++] = fb_map_key(s->materials, i);
  return fb_scenario_word(node, name, "material", names, count, &unused, error);
}

/* --- the contact --- */

/* What the law cannot do without. */
static fb_status check_complete(const fb_fields* values, const fb_contact* c, int has_soil, fb_error* error) {
  const char* name = fb_contact_law_name(c->law);
  if (c->law == FB_CONTACT_HARD) return FB_OK;
  if (c->law == FB_CONTACT_SOIL && !has_soil)
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a soil contact needs 'soil', the name of a preset or its parameters, here or in its "
                        "material");
  if (c->law != FB_CONTACT_SOIL && !(c->stiffness > 0))
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a %s contact needs 'stiffness', here or in its material", name);
  return FB_OK;
}

fb_status fb_scenario_read_law(const fb_scenario* s, const fb_fields* values, const fb_node* of_surface,
                               fb_contact_row* row, fb_error* error) {
  const fb_node *node = fb_fields_value(values, "material"), *map = of_surface;
  fb_fields material;
  int law = FB_CONTACT_HARD;
  fb_status status = node ? fb_scenario_find_material(s, node, &map, error) : FB_OK;
  if (!map && !status && s->materials) map = fb_map_get(s->materials, "default");
  if (map && !status) status = open_material(map, &material, &law, error);
  if (!status) status = read_word(values, "law", &law, error);
  row->contact.law = (fb_contact_law)law;
  if (!status && map) status = read_values(&material, 0, row->contact.law, row, error);
  if (!status) status = read_values(values, law, row->contact.law, row, error);
  if (status) return status;
  int has_soil = fb_fields_value(values, "soil") || (map && fb_fields_value(&material, "soil"));
  return check_complete(values, &row->contact, has_soil, error);
}
