/* driven.h -- the keys joints, frames and axes of the laws `input` and `remote`, whose forces come from outside. */
#ifndef FB_SCENARIO_KINDS_CONTROL_DRIVEN_H
#define FB_SCENARIO_KINDS_CONTROL_DRIVEN_H

#include "block/driven.h"
#include "scenario/kinds/kinds.h"

/* The coordinates of joints: a list of them or one, with `all` or where the node says so all but those of floating bases, which
 * have no actuator. Coordinates has room for those of the model. */
fb_status fb_scenario_read_joints(const fb_scenario* s, const fb_node* node, int all, int* coordinates,
                                  int* count, fb_error* error);
/* Those of one body's joint, which is not among them yet. */
fb_status fb_scenario_add_joint(const fb_scenario* s, const fb_node* node, int body, int* coordinates,
                                int* count, fb_error* error);
/* The keys; `all` as above. */
fb_status fb_scenario_read_driven(fb_scenario* s, const fb_fields* values, int all, fb_driven* out,
                                  fb_error* error);

#endif
