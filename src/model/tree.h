/* tree.h -- the checks and the order of a definition that concern several bodies at once. */
#ifndef FB_MODEL_TREE_H
#define FB_MODEL_TREE_H

#include "model/model.h"

/* Each fills its part of m (whose def, counts and arrays stand) or says what is wrong. */
fb_status fb_tree_names(fb_model* m, fb_error* error);   /* frame_names, joint_names; all unique */
fb_status fb_tree_parents(fb_model* m, fb_error* error); /* body_parent */
fb_status fb_tree_order(fb_model* m, fb_error* error);   /* body_order, body_base, ntree; no cycles */
fb_status fb_tree_masses(fb_model* m, fb_error* error);  /* body_mass, subtree_mass; no massless leaves */

#endif
