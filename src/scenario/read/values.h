/* values.h -- names in a scenario as ids of joints, frames and bodies, and numbers whose unit depends on the joint. */
#ifndef FB_SCENARIO_READ_VALUES_H
#define FB_SCENARIO_READ_VALUES_H

#include "scenario/scenario.h"

/* Keys of a floating base, and of a pose. */
typedef struct fb_base_row {
  double at[3], velocity[3], angular_velocity[3];
} fb_base_row;

/* ---- names.c: what a name stands for, or the nearest that exists ---- */

fb_status fb_scenario_joint(const fb_scenario* s, const fb_node* node, int* body, fb_error* error);
fb_status fb_scenario_frame(const fb_scenario* s, const fb_node* node, int* frame, fb_error* error);
/* The same, or FB_WORLD. */
fb_status fb_scenario_frame_or_world(const fb_scenario* s, const fb_node* node, int* frame, fb_error* error);
/* The body that a joint or a body is called by. */
fb_status fb_scenario_body(const fb_scenario* s, const fb_node* node, int* body, fb_error* error);
/* The floating bases as a NULL-ended list of names; *count of them, the last is *last. NULL without memory; to be
 * freed. */
const char** fb_scenario_list_bases(const fb_model* m, int* count, int* last);
/* The joint that is the key of a map's value. */
fb_status fb_scenario_key_joint(const fb_scenario* s, const fb_node* map, int index, int* body,
                                fb_error* error);
fb_status fb_scenario_motion_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error);
fb_status fb_scenario_block_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error);
fb_status fb_scenario_mode_of(const fb_scenario* s, const fb_node* node, int* index, fb_error* error);
/* The signals that a name stands for, as fb_sim_find_signal; blocks whose outputs are among them are noted. */
fb_status fb_scenario_find_signals(fb_scenario* s, const char* name, fb_signal* signals, int room, int* count,
                                   fb_error* error);
/* A mode, or a list of them, as bits; node may be NULL. */
fb_status fb_scenario_modes_of(const fb_scenario* s, const fb_node* node, unsigned* bits, fb_error* error);
/* No two items of a list, nor one of them and one of the earlier list (may be NULL), have the same name. */
fb_status fb_scenario_check_names(const fb_node* list, const fb_node* earlier, const char* what,
                                  fb_error* error);
/* The word at `index` of a list is not one of those before it. */
fb_status fb_scenario_check_once(const fb_node* list, int index, const char* what, fb_error* error);
/* `what` is what the word names, as "motion"; names[count]. */
fb_status fb_scenario_word(const fb_node* node, const char* word, const char* what, const char* const* names,
                           int count, int* index, fb_error* error);

/* ---- values.c: numbers whose unit depends on the joint ---- */

/* The unit of a field at coordinate i of a joint's velocity. */
fb_quantity fb_scenario_quantity(const fb_scenario* s, const fb_field* field, int body, int i);
fb_status fb_scenario_number(const fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                             int i, double* out, fb_error* error);
/* One number for a joint of one coordinate, else a list: numbers[nv]. */
fb_status fb_scenario_coordinates(const fb_scenario* s, const fb_node* node, const fb_field* field, int body,
                                  double* numbers, fb_error* error);
/* A joint's place in q, from start.joints. */
fb_status fb_scenario_position(const fb_scenario* s, const fb_node* node, int body, double* q,
                               fb_error* error);
/* The joint has coordinates; `coordinate` (-1: not given) is one of them. */
fb_status fb_scenario_check_coordinate(const fb_scenario* s, const fb_node* node, int body, int coordinate,
                                       fb_error* error);
/* One number under a key that other kinds give for each coordinate; *out is left as it is when the key is absent. */
fb_status fb_scenario_one(const fb_fields* values, const char* key, fb_quantity quantity, double* out,
                          fb_error* error);
/* Numbers by name; map may be NULL. */
fb_status fb_scenario_parameters(fb_scenario* s, const fb_node* map, fb_plugin_parameter** parameters,
                                 int* count, fb_error* error);
/* How many items a text or a list of texts has, NULL none; and one of them. */
int fb_texts_count(const fb_node* node);
const fb_node* fb_texts_item(const fb_node* node, int index);
/* Reads each item of the list under a key, if it is there; after an error the next, when all are wanted. `what`: what is
 * expected, as "control laws". The names of two items differ; `item`: what each is, or NULL where that is checked elsewhere. */
fb_status fb_scenario_read_list(
    fb_scenario* s, const fb_fields* values, const char* key, const char* what, const char* item,
    fb_status (*read)(fb_scenario* s, const fb_node* map, int index, fb_error* error), fb_error* error);

#endif
