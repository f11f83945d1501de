/* inertia.h -- what follows from the masses of the bodies. The builder and the setters of parameters call the same
 * functions, so that a number set later gives the same bits as one that was built in. */
#ifndef FB_MODEL_INERTIA_H
#define FB_MODEL_INERTIA_H

#include "model/model.h"

/* subtree_mass of every body. */
void fb_inertia_subtrees(const fb_topology* top, fb_parameters* par);

/* Mass, h and I of links, and the sites of centroids: of every link, or of one. */
void fb_inertia_links(const fb_topology* top, fb_parameters* par);
void fb_inertia_link(const fb_topology* top, fb_parameters* par, int link);

#endif
