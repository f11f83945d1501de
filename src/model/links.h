/* links.h -- from bodies and joints to links and sites. */
#ifndef FB_MODEL_LINKS_H
#define FB_MODEL_LINKS_H

#include "model/model.h"

/* How many links a joint of this type becomes. */
int fb_links_of_joint(fb_joint_type type, int merge_fixed);

/* Fills links and sites of a model whose tree, order and coordinates stand. */
void fb_links_compile(fb_model* m, int merge_fixed);

#endif
