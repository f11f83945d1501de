/* reroot.h -- hanging a tree of a definition by another of its bodies. */
#ifndef FB_MODEL_REROOT_H
#define FB_MODEL_REROOT_H

#include <freebody/model_def.h>

#include "model/topology.h"

/* Hangs the tree, or the part of one, whose first body is `root` by `body`, which is in it: the joints between the two
 * are reversed and belong to the bodies that were their parents, with the names they have. `body` gets `joint` and the
 * parent called so (NULL: the world); the joint that root had is gone. The topology is that of def before the change. */
fb_status fb_reroot(fb_model_def* def, const fb_topology* top, int root, int body, const fb_joint_def* joint,
                    const char* parent, fb_error* error);

#endif
