/* explain.h -- functions that explain the parts of a scenario in words. */
#ifndef FB_SCENARIO_EXPLAIN_EXPLAIN_H
#define FB_SCENARIO_EXPLAIN_EXPLAIN_H

#include <freebody/support/text.h>

#include "scenario/scenario.h"

/* ---- action.c ---- */

/* "joint 'elbow' is locked; mode 'hold' begins"; nothing for an event that is only logged. With `units` a value that is
 * set has its unit. */
void fb_scenario_add_actions(fb_text* out, const fb_scenario* s, int event, int units);
/* What else happens at limits, besides the stop itself; after ": ", or "; " where a stop was described. */
void fb_scenario_add_group_actions(fb_text* out, const fb_scenario* s, int event);

/* ---- limits.c ---- */

/* The line of a stop, "NAME: q.elbow cannot exceed 2 rad: ...", or of an event at the limits of several joints. */
void fb_scenario_add_limit_event(fb_text* out, const fb_scenario* s, int event);
/* The limits of joints that nothing in the scenario enforces, with the reason: a line of each kind. */
enum { FB_IGNORED_LIMITS, FB_IGNORED_SPEEDS, FB_IGNORED_EFFORTS, FB_IGNORED_COUNT };
extern const char* const fb_ignored_heads[FB_IGNORED_COUNT];
int fb_scenario_has_ignored(const fb_scenario* s, int kind);
void fb_scenario_add_ignored(fb_text* out, const fb_scenario* s, int kind);

/* ---- loops.c ---- */

/* How many lines the loops take; one of them. */
int fb_scenario_loop_lines(const fb_scenario* s);
void fb_scenario_add_loop_line(fb_text* out, const fb_scenario* s, int line);

/* ---- view.c ---- */

/* "ground at z = 0 m, trails of hand", without an end of line. */
void fb_scenario_add_view(fb_text* out, const fb_scenario* s);
/* The same, and gravity, as one line of JSON for the run store (docs/run-store.md); malloc'd. */
fb_status fb_scenario_print_view(const fb_scenario* s, char** text, fb_error* error);

/* ---- explain.c ---- */

/* "30 deg", "0.2 m", "0.5 deg/s": a coordinate i of a joint, or its rate. */
void fb_scenario_add_coordinate(fb_text* out, const fb_model* m, int body, int i, double x, int rate);
/* "30 deg", "0.2 m", "5": a number in an SI unit, angles in degrees as everywhere in explanations. */
void fb_scenario_add_number(fb_text* out, double x, const char* unit);
/* "elbow", or "gimbal coordinate 1" of a joint with several. */
void fb_scenario_add_coordinate_name(fb_text* out, const fb_model* m, int k);

/* "[1, 0, 0] N" */
void fb_scenario_add_vector(fb_text* out, const double* x, const char* unit);
/* "10 ms", "2 min": a time for people. Returns buffer. */
char* fb_scenario_format_time(double seconds, char buffer[32]);

#endif
