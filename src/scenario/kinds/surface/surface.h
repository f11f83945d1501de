/* surface.h -- surfaces: their geometry, and how they are written to the run store. */
#ifndef FB_SCENARIO_KINDS_SURFACE_SURFACE_H
#define FB_SCENARIO_KINDS_SURFACE_SURFACE_H

#include "scenario/scenario.h"

/* ---- surface.c ---- */

struct fb_json;
/* The surfaces as a list, for the run store (docs/run-store.md). */
void fb_scenario_print_surfaces(struct fb_json* json, const fb_scenario* s);
/* The index of a surface; -1 when there is none of this name. */
int fb_scenario_find_surface(const fb_scenario* s, const char* name);

/* ---- heightfield.c ---- */

/* A text with a row of numbers on each line, separated by blanks, commas or semicolons; # begins a comment. numbers:
 * malloc'd, [rows][columns]. */
fb_status fb_scenario_parse_grid(const char* text, size_t size, const char* file, int* rows, int* columns,
                                 double** numbers, fb_error* error);

/* ---- mesh.c ---- */

/* Lets the scenario own geometry, as fb_scenario_own. */
int fb_scenario_own_geometry(fb_scenario* s, fb_geometry* geometry);

/* A mesh file as geometry, read once for all that use it; an error is placed at the node. *index: in s->meshes. Negative
 * scale factors mirror it, and become positive. */
fb_status fb_scenario_contact_mesh(fb_scenario* s, const fb_node* node, const char* file, double scale[3],
                                   int* index, fb_error* error);

#endif
