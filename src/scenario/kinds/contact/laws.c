/* laws.c -- the laws of contacts: hard, three compliant ones, and soil. */
#include "contact/dynamics/hard_block.h"
#include "contact/law/compliant.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"

static const fb_scenario_contact* contact_of(const fb_scenario_block* block) {
  return (const fb_scenario_contact*)block->settings;
}

/* --- the keys whose units depend on the law; the others are read by material.c --- */

static fb_status read_spring(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                             fb_error* error) {
  fb_contact* c = (fb_contact*)block->settings;
  (void)s;
  fb_status status = fb_scenario_one(values, "stiffness", FB_Q_STIFFNESS, &c->stiffness, error);
  return status ? status : fb_scenario_one(values, "damping", FB_Q_DAMPING, &c->damping, error);
}

static fb_status read_hertz(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                            fb_error* error) {
  fb_contact* c = (fb_contact*)block->settings;
  (void)s;
  return fb_scenario_one(values, "stiffness", FB_Q_NONE, &c->stiffness, error);
}

static fb_status read_hunt_crossley(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                                    fb_error* error) {
  fb_contact* c = (fb_contact*)block->settings;
  fb_status status = read_hertz(s, values, block, error);
  return status ? status : fb_scenario_one(values, "damping", FB_Q_NONE, &c->damping, error);
}

/* --- the block: for signals, parameters and checks; fb_sim_add_contact makes its own --- */

static fb_status make_hard(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                           fb_error* error) {
  return fb_hard_block(s->model, &contact_of(block)->how, out, error);
}

static fb_status make_compliant(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                fb_error* error) {
  return fb_block_new_contact(s->model, &contact_of(block)->how, out, error);
}

static fb_status rate(const fb_scenario* s, const fb_scenario_block* block, fb_data* d,
                      const unsigned char* prescribed, double* out, fb_error* error) {
  (void)error;
  *out = fb_contact_rate(s->model, d, prescribed, &contact_of(block)->how);
  return FB_OK;
}

static void add_sides(fb_text* out, const fb_scenario_block* block) {
  const fb_scenario_contact* contact = contact_of(block);
  fb_text_printf(out, "%s touches %s: %s", contact->a, contact->b, fb_kind_name(block->kind));
}

static void add_friction(fb_text* out, double friction, const char* manner) {
  if (friction > 0)
    fb_text_printf(out, ", friction %g%s", friction, manner);
  else
    fb_text_add(out, ", no friction");
}

static void explain_hard(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_contact* how = &contact_of(block)->how;
  (void)s;
  add_sides(out, block);
  add_friction(out, how->friction, "");
  fb_text_printf(out, ", restitution %g%s", how->restitution,
                 how->restitution_law == FB_RESTITUTION_POISSON ? " (Poisson)" : "");
}

static void add_compliant(fb_text* out, const fb_scenario_block* block, const char* stiffness,
                          const char* damping) {
  const fb_contact* how = &contact_of(block)->how;
  add_sides(out, block);
  fb_text_printf(out, ", %.6g %s", how->stiffness, stiffness);
  if (how->damping > 0) fb_text_printf(out, ", damping %.6g %s", how->damping, damping);
  add_friction(out, how->friction,
               how->friction_model == FB_FRICTION_MODEL_BRISTLE ? " with bristles" : " that creeps");
}

static void explain_spring(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  (void)s;
  add_compliant(out, block, "N/m", "N s/m");
}

static void explain_hertz(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  (void)s;
  add_compliant(out, block, "N/m^1.5", "s/m");
}

static void explain_soil(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  (void)s;
  add_sides(out, block);
}

#define LAW(text, list, reader, maker, sentence)                                                       \
  {                                                                                                    \
    .schema = {.help = text, .keys = list}, .heading = "contact", .size = sizeof(fb_scenario_contact), \
    .read = reader, .make = maker, .explain = sentence, .rate = rate                                   \
  }
#define FRICTION_KEYS "rubbing slip_speed bristle_stiffness bristle_damping"

const fb_kind fb_kind_contact_hard =
    LAW("rigid", "friction restitution restitution_law", NULL, make_hard, explain_hard);
const fb_kind fb_kind_contact_spring =
    LAW("stiffness d + damping d', where d is the depth", "friction stiffness damping " FRICTION_KEYS,
        read_spring, make_compliant, explain_spring);
const fb_kind fb_kind_contact_hunt_crossley =
    LAW("stiffness d^1.5 (1 + damping d')", "friction stiffness damping " FRICTION_KEYS, read_hunt_crossley,
        make_compliant, explain_hertz);
const fb_kind fb_kind_contact_hertz =
    LAW("stiffness d^1.5", "friction stiffness " FRICTION_KEYS, read_hertz, make_compliant, explain_hertz);
const fb_kind fb_kind_contact_soil =
    LAW("a wheel on soft ground", "soil", NULL, make_compliant, explain_soil);
