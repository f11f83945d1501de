/* def_tree.h -- who hangs on whom in a model definition, for the writers of formats that need to know.
 *
 * Nothing recurses and every look-up by name is a binary search, so long chains are cheap. */
#ifndef FB_IO_DEF_TREE_H
#define FB_IO_DEF_TREE_H

#include <freebody/model_def.h>

/* Names with the number of their owner, sorted for look-up. */
typedef struct fb_name_entry {
  const char* name;
  int id;
} fb_name_entry;

void fb_names_sort(fb_name_entry* names, int count);                        /* by name, then by id */
int fb_names_find(const fb_name_entry* names, int count, const char* name); /* lowest id; -1 when none */

typedef struct fb_def_tree {
  int nbody;   /* as fb_model_def_nbody: the world included */
  int ntree;   /* bodies on the world */
  int* parent; /* body id; 0 the world; parent[0] = -1 */
  int* first;  /* first child in the order of the definition; 0 when none */
  int* next;   /* next child of the same parent; 0 when none */
  int* order;  /* all ids, depth first, children in the order of the definition; order[0] = 0 */
} fb_def_tree;

/* FB_ERR_NAME and FB_ERR_TREE when names repeat, parents are unknown or bodies go round in a ring. */
fb_status fb_def_tree_make(const fb_model_def* def, fb_def_tree* tree, fb_error* error);
void fb_def_tree_free(fb_def_tree* tree);

#endif
