/* block.h -- the blocks of a scenario: laws, forces and contacts, as they are read and made. */
#ifndef FB_SCENARIO_BUILD_BLOCK_H
#define FB_SCENARIO_BUILD_BLOCK_H

#include "scenario/scenario.h"

/* ---- control.c ---- */

/* A block with settings of its kind; its name is the item's, or "WHAT[index]". */
fb_status fb_scenario_new_block(fb_scenario* s, const fb_kind* kind, const char* name, const char* what,
                                int index, fb_scenario_block* block, fb_error* error);
/* An item of `control` or `forces`, of the type-th kind of its section (an fb_section). */
fb_status fb_scenario_read_item(fb_scenario* s, const fb_fields* values, int section, int type,
                                const char* what, int index, fb_error* error);
fb_status fb_scenario_add_block(fb_scenario* s, const fb_scenario_block* block, fb_error* error);
/* Makes the block once, so that what it refuses is refused at its place, and notes its outputs and ticks. */
fb_status fb_scenario_try_block(fb_scenario* s, const fb_node* blame, fb_scenario_block* block,
                                fb_error* error);

/* ---- sample.c ---- */

fb_status fb_scenario_read_sample(const fb_scenario* s, const fb_node* map, fb_scenario_block* block,
                                  fb_error* error);
/* Refuses ticks without end. */
fb_status fb_scenario_check_period(const fb_scenario* s, const fb_node* node, double period, fb_error* error);

/* ---- block.c ---- */

/* Fills a block for a simulation, or for its parameters. */
fb_status fb_scenario_make_block(const fb_scenario* s, const fb_scenario_block* block, fb_block* out,
                                 fb_error* error);
/* The quantity of a block's parameter; an error when there is no such parameter. */
fb_status fb_scenario_parameter(const fb_scenario* s, const fb_scenario_block* block, const fb_node* node,
                                fb_quantity* quantity, fb_error* error);

#endif
