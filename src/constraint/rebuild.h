/* rebuild.h -- what joining and parting share: building the changed model, and errors of names. */
#ifndef FB_CONSTRAINT_REBUILD_H
#define FB_CONSTRAINT_REBUILD_H

#include <freebody/spatial.h>

#include "base/private_api.h"
#include "model/model.h"

/* The model of a changed copy of m's definition, with m's build options. */
fb_status fb_rebuild(const fb_model* m, const fb_model_def* def, fb_model** model, fb_error* error);

/* FB_ERR_NAME: there is no joint (joints: 1), or no frame or body (0), of this name; with the nearest that there is. */
fb_status fb_no_such_name(const fb_model* m, int joints, const char* name, fb_error* error);

/* The body of `from` whose joint is that of a body of `to`, between the same two bodies, or -1. *turned: 1 when it is seen
 * from its other end. */
int fb_joint_from(const fb_model* from, const fb_model* to, int body, int* turned);

/* FB_ERR_JOINT: a gear couples the joint of `body`, which therefore cannot be parted. */
FB_PRIVATE_API fb_status fb_part_check_gears(const fb_model* m, int body, fb_error* error);

/* [nbody] 1 for the bodies that hang by the joint of `body`, itself included; to be freed, NULL when out of memory. */
unsigned char* fb_mark_subtree(const fb_model* m, int body);

/* T_ab from T_wa and T_wb: their difference is taken first, so that two frames far from the origin lose nothing. */
static inline void fb_pose_between(const fb_pose* wa, const fb_pose* wb, fb_pose* ab) {
  fb_pose turned = {.p = {0, 0, 0}}, from_a = *wb;
  for (int i = 0; i < 3; i++) {
    from_a.p[i] = wb->p[i] - wa->p[i];
    for (int k = 0; k < 3; k++) turned.R[3 * i + k] = wa->R[3 * k + i];
  }
  fb_pose_multiply(&turned, &from_a, ab);
}

#endif
