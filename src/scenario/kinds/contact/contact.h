/* contact.h -- contacts: which sides touch, and by what law. */
#ifndef FB_SCENARIO_KINDS_CONTACT_CONTACT_H
#define FB_SCENARIO_KINDS_CONTACT_CONTACT_H

#include "scenario/scenario.h"

/* Of contacts and of materials. */
typedef struct fb_contact_row {
  const char *name, *material;
  fb_contact contact;
} fb_contact_row;

/* The settings of all laws of contacts. */
typedef struct fb_scenario_contact {
  fb_contact how;    /* first: the settings while its keys are read */
  const char *a, *b; /* as the scenario names them */
} fb_scenario_contact;

/* ---- side.c ---- */

/* The colliders that an `a` or `b` names; they live as long as the scenario. */
typedef struct fb_scenario_side {
  fb_collider* colliders;
  int count;
  const char* text;        /* "foot*, ground" */
  const fb_node* material; /* of its surfaces, where all have the same; or NULL */
} fb_scenario_side;

fb_status fb_scenario_read_sides(fb_scenario* s, const fb_fields* values, fb_scenario_side* a,
                                 fb_scenario_side* b, fb_error* error);

/* ---- material.c ---- */

/* The keys of the material that a node names. */
fb_status fb_scenario_find_material(const fb_scenario* s, const fb_node* node, const fb_node** map,
                                    fb_error* error);
/* The law and the values of a contact: those of its material, else of that of its surface (or NULL), else of `default`,
 * then its own. */
fb_status fb_scenario_read_law(fb_scenario* s, const fb_fields* values, const fb_node* of_surface,
                               fb_contact_row* row, fb_error* error);

/* ---- contact.c ---- */

/* An event with `contact`: which, and what happens to it. */
fb_status fb_scenario_read_change(const fb_scenario* s, const fb_fields* values, fb_event* event,
                                  fb_error* error);
/* The contact of a block whose kind is a law of contacts; NULL of others. */
const fb_contact* fb_scenario_contact_of(const fb_scenario_block* block);

#endif
