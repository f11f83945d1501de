/* forest.h -- the parent and child structure of a definition: names, parents, children, order. The model's builder and the
 * writers of formats share it. Nothing recurses, so that a chain of any length passes. */
#ifndef FB_MODEL_FOREST_H
#define FB_MODEL_FOREST_H

#include <freebody/model_def.h>

#include "model/model.h"

typedef struct fb_forest {
  int nbody;   /* as fb_model_def_nbody: the world included */
  int ntree;   /* bodies on the world */
  int* parent; /* body id; parent[0] = -1 */
  int* first;  /* first child in file order; 0 when none */
  int* next;   /* next child of the same parent; 0 when none */
  int* order;  /* all ids, depth first, children in file order; order[0] = 0 */
} fb_forest;

/* All of it for a definition that need not be sound otherwise. FB_ERR_NAME, FB_ERR_TREE as for fb_model_build. */
FB_API fb_status fb_forest_make(const fb_model_def* def, fb_forest* forest, fb_error* error);
FB_API void fb_forest_free(fb_forest* forest);

/* The steps. World, bodies and named frames, numbered as in a model, sorted; duplicates are rejected. */
int fb_forest_nname(const fb_model_def* def);
fb_status fb_forest_names(const fb_model_def* def, fb_name* names, fb_error* error);
/* Joints, [nbody - 1], numbered by their bodies, sorted; duplicates are rejected. */
fb_status fb_forest_joint_names(const fb_model_def* def, fb_name* names, fb_error* error);
/* Unknown parents, and frames as parents, refused. */
fb_status fb_forest_parents(const fb_model_def* def, const fb_name* names, int nname, int* parent,
                            fb_error* error);
/* Fills first, next and order from parent; cycles refused. */
fb_status fb_forest_order(const fb_model_def* def, fb_forest* forest, fb_error* error);

#endif
