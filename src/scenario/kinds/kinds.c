/* kinds.c -- the registry of kinds: one row for each, X(section, NAME), in the order of the words that name them. A row
 * stands for the variable fb_kind_SECTION_NAME in a file of scenario/kinds/SECTION/. */
#include "scenario/kinds/kinds.h"

#include "contact/law_list.h"

#define CONTROL(X, section)   \
  X(section, joint_pd)        \
  X(section, joint_pid)       \
  X(section, computed_torque) \
  X(section, frame_tracking)  \
  X(section, resolved_rate)   \
  X(section, reaction_null)   \
  X(section, attitude)        \
  X(section, impedance)       \
  X(section, force_position)  \
  X(section, task_qp)         \
  X(section, input)           \
  X(section, lua)             \
  X(section, plugin)          \
  X(section, remote)

#define FORCE(X, section) \
  X(section, frame)       \
  X(section, joint)       \
  X(section, spring)      \
  X(section, bushing)

/* The laws of the core. */
#define CONTACT(X, section) FB_CONTACT_LAW_LIST(X, section)

#define SURFACE(X, section) \
  X(section, plane)         \
  X(section, heightfield)   \
  X(section, sphere)        \
  X(section, ellipsoid)     \
  X(section, box)           \
  X(section, mesh)

#define ENVIRONMENT(X, section) X(section, uniform)

/* For each section its kinds, their words, and their rows of the schema. */
#define DECLARATION(section, name) extern const fb_kind fb_kind_##section##_##name;
#define KIND(section, name) &fb_kind_##section##_##name,
#define WORD(section, name) #name,
#define SCHEMA(section, name) &fb_kind_##section##_##name.schema,
#define REGISTRY(LIST, section)                                               \
  LIST(DECLARATION, section)                                                  \
  static const fb_kind* const section##_kinds[] = {LIST(KIND, section) NULL}; \
  const char* const fb_##section##_words[] = {LIST(WORD, section) NULL};      \
  static const fb_schema_kind* const section##_schemas[] = {LIST(SCHEMA, section) NULL};

REGISTRY(CONTROL, control)
REGISTRY(FORCE, force)
REGISTRY(CONTACT, contact)
REGISTRY(SURFACE, surface)
REGISTRY(ENVIRONMENT, environment)

const fb_kind* const* const fb_kinds[FB_SECTION_COUNT] = {
    [FB_SECTION_CONTROL] = control_kinds,         [FB_SECTION_FORCE] = force_kinds,
    [FB_SECTION_CONTACT] = contact_kinds,         [FB_SECTION_SURFACE] = surface_kinds,
    [FB_SECTION_ENVIRONMENT] = environment_kinds,
};

const fb_schema_registry fb_registries[] = {
    {FB_SCENARIO_CONTROLLER, control_schemas},      {FB_SCENARIO_FORCE, force_schemas},
    {FB_SCENARIO_CONTACT, contact_schemas},         {FB_SCENARIO_SURFACE, surface_schemas},
    {FB_SCENARIO_ENVIRONMENT, environment_schemas}, {0, NULL},
};

/* The place of a kind among those of a section; -1 when it is none of them. */
static int find(const fb_kind* kind, fb_section section) {
  for (int i = 0; fb_kinds[section][i]; i++)
    if (fb_kinds[section][i] == kind) return i;
  return -1;
}

int fb_kind_is_in(const fb_kind* kind, fb_section section) {
  return find(kind, section) >= 0;
}

const char* fb_kind_name(const fb_kind* kind) {
  static const char* const* const words[FB_SECTION_COUNT] = {
      fb_control_words, fb_force_words, fb_contact_words, fb_surface_words, fb_environment_words};
  for (int section = 0; section < FB_SECTION_COUNT; section++)
    if (fb_kind_is_in(kind, (fb_section)section)) return words[section][find(kind, (fb_section)section)];
  return "";
}
