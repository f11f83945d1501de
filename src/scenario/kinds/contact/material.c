/* material.c -- how two sides touch: the values of a contact, from its material and from its own keys. */
#include <string.h>

#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"

static const char* const RESTITUTION_LAWS[] = {"newton", "poisson", NULL};
static const char* const FRICTION_MODELS[] = {"regularised", "bristle", NULL};

/* How two sides touch: keys of contacts, with the laws that have them, and of materials, which have them all. */
#define LAW_KEYS(object, allowed, no_law, no_stiffness, no_soil)                                             \
  ROW(object, "law", WORD, NONE, NONE, ANY, EVERY, NEVER, -1, FB_SCENARIO_CONTACT, fb_contact_words, no_law, \
      NULL),                                                                                                 \
      UNIT(object, "friction", NUMBER, NONE, NOT_NEGATIVE, allowed, NEVER,                                   \
           AT(fb_contact_row, contact.friction), "0", "Coulomb's coefficient"),                              \
      UNIT(object, "restitution", NUMBER, NONE, NOT_NEGATIVE, allowed, NEVER,                                \
           AT(fb_contact_row, contact.restitution), "0", "how much an impact gives back, 0 to 1"),           \
      WORD(object, "restitution_law", RESTITUTION_LAWS, allowed, "newton",                                   \
           "newton: of the normal speed; poisson: of the normal impulse, which never gains energy"),         \
      UNIT(object, "stiffness", NUMBER, STIFFNESS, POSITIVE, allowed, NEVER, -1, no_stiffness,               \
           "stiffness; of hertz and hunt_crossley a plain number, in N/m^1.5"),                              \
      UNIT(object, "damping", NUMBER, DAMPING, NOT_NEGATIVE, allowed, NEVER, -1, "0",                        \
           "damping; of hunt_crossley a plain number, in s/m"),                                              \
      WORD(object, "rubbing", FRICTION_MODELS, allowed, "regularised",                                       \
           "how friction acts at rest: regularised: it creeps, with friction * normal * tanh(slip / "        \
           "slip_speed); bristle: it sticks, by a spring along the surface that yields"),                    \
      UNIT(object, "slip_speed", NUMBER, SPEED, POSITIVE, allowed, NEVER,                                    \
           AT(fb_contact_row, contact.slip_speed),                                                           \
           "1 mm/s; less above 1e4 N/m or 1e6 N/m^1.5 for each kg that moves, with the root of the "         \
           "stiffness",                                                                                      \
           "slip speed at which regularised friction reaches three quarters of its value"),                  \
      UNIT(object, "bristle_stiffness", NUMBER, STIFFNESS, NOT_NEGATIVE, allowed, NEVER,                     \
           AT(fb_contact_row, contact.bristle_stiffness), "that of the normal force, with d^1.5 at 0.1 mm",  \
           "stiffness of the bristle along the surface"),                                                    \
      UNIT(object, "bristle_damping", NUMBER, DAMPING, NOT_NEGATIVE, allowed, NEVER,                         \
           AT(fb_contact_row, contact.bristle_damping), "likewise", "damping of the bristle"),               \
      ROW(object, "soil", NAMED, NONE, NONE, ANY, allowed, NEVER, -1, FB_SCENARIO_SOIL, NULL, no_soil,       \
          "the soil under a wheel: the name of a preset, or its parameters")

static const fb_field FIELDS[] = {
    PLAIN(CONTACT, "name", TEXT, EVERY, NEVER, AT(fb_contact_row, name), "its place in the list, from 0",
          "its name: contact.NAME.force and so on are its signals"),
    PLAIN(CONTACT, "a", NAMES, EVERY, EVERY, -1, NULL,
          "what touches: a frame, which is a point; a body, which is all its shapes for contact; BODY/SHAPE; "
          "a surface; a name with * for all that match; or a list of these"),
    PLAIN(CONTACT, "b", NAMES, EVERY, EVERY, -1, NULL, "what it touches, likewise"),
    PLAIN(CONTACT, "material", TEXT, EVERY, NEVER, AT(fb_contact_row, material),
          "that of the surface, otherwise `default` where there is one",
          "the material whose values it takes; its own keys override them"),
    LAW_KEYS(CONTACT, BY_KIND_INTO, "that of the material, otherwise hard",
             "required, here or by the material", "required, here or by the material"),

    LAW_KEYS(MATERIAL, EVERY, "that of the contact", "that of the contact", "that of the contact"),

    PLAIN(SOIL, "preset", TEXT, EVERY, NEVER, -1, "none; all of this is then 0 unless it is given",
          "a soil by name, whose values the other keys override"),
    UNIT(SOIL, "cohesion", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, cohesion), "0",
         "cohesion, in Pa"),
    UNIT(SOIL, "friction_angle", NUMBER, ANGLE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, friction_angle), "0",
         "angle of internal friction"),
    UNIT(SOIL, "k_c", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, k_c), "0",
         "cohesive modulus of sinkage, in N/m^(n+1); with `reece` without unit"),
    UNIT(SOIL, "k_phi", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, k_phi), "0",
         "frictional modulus of sinkage, in N/m^(n+2); with `reece` without unit"),
    UNIT(SOIL, "exponent", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, exponent), "0",
         "exponent n of sinkage"),
    UNIT(SOIL, "exponent_slip", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, exponent_slip), "0",
         "added to n for each unit of slip"),
    PLAIN(SOIL, "reece", BOOL, EVERY, NEVER, AT(fb_soil, reece), "false",
          "true: k_c and k_phi are Reece's, without unit"),
    UNIT(SOIL, "angle_0", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, angle_0), "0",
         "where the stress is largest, as a fraction of the entry angle, without slip"),
    UNIT(SOIL, "angle_1", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, angle_1), "0",
         "added to angle_0 for each unit of slip"),
    UNIT(SOIL, "density", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, density), "0",
         "density, in kg/m^3"),
    UNIT(SOIL, "shear_x", NUMBER, LENGTH, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, shear_x), "0",
         "shear deformation modulus along the wheel"),
    UNIT(SOIL, "shear_x_slope", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, shear_x_slope), "0",
         "added to it for each radian of slip angle, in m"),
    UNIT(SOIL, "shear_y", NUMBER, LENGTH, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, shear_y), "0",
         "the same across the wheel"),
    UNIT(SOIL, "shear_y_slope", NUMBER, NONE, ANY, EVERY, NEVER, AT(fb_soil, shear_y_slope), "0", "likewise"),
    UNIT(SOIL, "exit_ratio", NUMBER, NONE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, exit_ratio), "0",
         "depth behind the wheel over that in front of it, 0 to 1"),
    UNIT(SOIL, "destruction_angle", NUMBER, ANGLE, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, destruction_angle),
         "0", "of the bulldozing force at the sides of the wheel; 0: none"),
    UNIT(SOIL, "grouser_height", NUMBER, LENGTH, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, grouser_height), "0",
         "height of the wheel's grousers"),
    UNIT(SOIL, "damping", NUMBER, DAMPING, NOT_NEGATIVE, EVERY, NEVER, AT(fb_soil, damping), "0",
         "vertical damping, with which a wheel settles"),
};

const fb_schema_rows fb_rows_contact = FB_ROWS(FIELDS);

/* --- values --- */

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

/* The keys of a contact or a material, those that depend on the law in its units. */
static fb_status read_values(fb_scenario* s, const fb_fields* values, int variant, const fb_kind* kind,
                             fb_contact_row* row, fb_error* error) {
  fb_contact* c = &row->contact;
  fb_scenario_block block = {.kind = kind, .settings = c};
  int restitution_law = (int)c->restitution_law, friction_model = (int)c->friction_model;
  fb_status status = fb_fields_read(values, variant, row, error);
  if (!status && kind->read) status = kind->read(s, values, &block, error);
  if (!status && c->restitution > 1)
    status = fb_node_fail(fb_fields_value(values, "restitution"), error, FB_ERR_CONTENT,
                          "restitution is %g, but lies between 0 and 1", c->restitution);
  if (!status) status = fb_fields_get_word(values, "restitution_law", &restitution_law, error);
  if (!status) status = fb_fields_get_word(values, "rubbing", &friction_model, error);
  if (!status) status = read_soil(fb_fields_value(values, "soil"), &c->soil, error);
  c->restitution_law = (fb_restitution_law)restitution_law;
  c->friction_model = (fb_friction_model)friction_model;
  return status;
}

/* --- materials --- */

/* Collects the keys of a material, and its law, which is left as it is when it has none. */
static fb_status open_material(const fb_node* map, fb_fields* values, int* law, fb_error* error) {
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_MATERIAL, values, error);
  return status ? status : fb_fields_get_word(values, "law", law, error);
}

/* What holds for all laws; plain numbers are taken as they are, whatever the law that will use them. */
static fb_status check_material(fb_scenario* s, const fb_node* map, fb_error* error) {
  fb_fields values;
  fb_contact_row row = {.contact = fb_default_contact()};
  int law = FB_CONTACT_SPRING;
  fb_status status = open_material(map, &values, &law, error);
  return status ? status : read_values(s, &values, 0, fb_kinds[FB_SECTION_CONTACT][law], &row, error);
}

fb_status fb_scenario_read_materials(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* map = fb_fields_value(values, "materials");
  if (!map) return FB_OK;
  fb_status status = fb_node_need_map(map, "materials by name, as {rubber: {friction: 0.8}}", error);
  if (status) return status;
  s->materials = map;
  for (int i = 0; i < fb_node_count(map) && !status; i++)
    status = fb_scenario_go_on(s, check_material(s, fb_map_value(map, i), error), error);
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
  const char* name = fb_contact_words[c->law];
  if (c->law == FB_CONTACT_HARD) return FB_OK;
  if (c->law == FB_CONTACT_SOIL && !has_soil)
    return fb_node_fail(
        values->map, error, FB_ERR_CONTENT,
        "a soil contact needs 'soil', the name of a preset or its parameters, here or in its material");
  if (c->law != FB_CONTACT_SOIL && !(c->stiffness > 0))
    return fb_node_fail(values->map, error, FB_ERR_CONTENT,
                        "a %s contact needs 'stiffness', here or in its material", name);
  return FB_OK;
}

fb_status fb_scenario_read_law(fb_scenario* s, const fb_fields* values, const fb_node* of_surface,
                               fb_contact_row* row, fb_error* error) {
  const fb_node *node = fb_fields_value(values, "material"), *map = of_surface;
  fb_fields material;
  int law = FB_CONTACT_HARD;
  fb_status status = node ? fb_scenario_find_material(s, node, &map, error) : FB_OK;
  if (!map && !status && s->materials) map = fb_map_get(s->materials, "default");
  if (map && !status) status = open_material(map, &material, &law, error);
  if (!status) status = fb_fields_get_word(values, "law", &law, error);
  const fb_kind* kind = fb_kinds[FB_SECTION_CONTACT][law];
  row->contact.law = (fb_contact_law)law;
  if (!status && map) status = read_values(s, &material, 0, kind, row, error);
  if (!status) status = read_values(s, values, law, kind, row, error);
  if (status) return status;
  int has_soil = fb_fields_value(values, "soil") || (map && fb_fields_value(&material, "soil"));
  return check_complete(values, &row->contact, has_soil, error);
}
