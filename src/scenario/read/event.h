/* event.h -- the readers of the parts of an event: actions, limits, joins, stops. */
#ifndef FB_SCENARIO_READ_EVENT_H
#define FB_SCENARIO_READ_EVENT_H

#include "scenario/scenario.h"

/* ---- event.c ---- */

/* Who reads the actions of an event. */
typedef struct fb_action_reader {
  fb_scenario* s;
  int limit_body, limit_coordinate; /* of a limit event: the joint and its coordinate; else -1 */
} fb_action_reader;
/* list may be NULL. */
fb_status fb_scenario_read_actions(const fb_action_reader* r, const fb_node* list, fb_scenario_event* out,
                                   fb_error* error);
/* Takes the event over. */
fb_status fb_scenario_add_event(fb_scenario* s, const fb_scenario_event* event, fb_error* error);

/* ---- limit.c ---- */

/* Notes which joints events name to make stops of their limits, before any of them is read. */
void fb_scenario_find_named_limits(fb_scenario* s, const fb_node* events);
/* An event with `limit`: two events for each coordinate that has limits. */
fb_status fb_scenario_read_limits(fb_scenario* s, const fb_fields* values, const fb_scenario_event* event,
                                  fb_error* error);

/* ---- join.c ---- */

fb_status fb_scenario_read_join(const fb_scenario* s, const fb_node* map, fb_scenario_action* out,
                                fb_error* error);
/* Once all events are read: what they part must be a joint of the model, or of a join. */
fb_status fb_scenario_check_parts(fb_scenario* s, fb_error* error);
/* Whether an event opens the joint of this body. */
int fb_scenario_parts_body(const fb_scenario* s, int body);
/* How many joins and partings an event makes. */
int fb_scenario_event_changes(const fb_scenario* s, int event);
/* "weld", "revolute" ... */
const char* fb_scenario_join_word(fb_joint_type type);

/* ---- stop.c ---- */

/* A stop of a coordinate at a level, with an event for each phase that it has. */
fb_status fb_scenario_add_stop(fb_scenario* s, const fb_limit* limit, const fb_scenario_event* event,
                               fb_error* error);

/* The same, but where a joint bounces at a level of its coordinate the event becomes a stop. */
fb_status fb_scenario_add_watch(fb_scenario* s, const fb_scenario_event* event, fb_error* error);
/* The signal of coordinate `at` of a body's joint. */
fb_status fb_scenario_coordinate_signal(const fb_scenario* s, int body, int at, fb_signal* signal,
                                        fb_error* error);

#endif
