/* near_pairs.h -- the pairs of colliders of many contacts that may touch: one broad phase for all of them.
 *
 * Colliders in the same place of the same frame are one shape here, however many contacts name them. Spheres around the shapes are
 * sorted along one axis, in the order of the last search, which is nearly right; every near pair of shapes is then
 * looked up in the contacts. The pairs found follow from the poses alone, and are in the order of contacts, a and b. */
#ifndef FB_CONTACT_NEAR_PAIRS_H
#define FB_CONTACT_NEAR_PAIRS_H

#include "contact/pair.h"

typedef struct fb_near_pair {
  int contact, a, b;
} fb_near_pair;

typedef struct fb_near_pairs fb_near_pairs;

/* NULL: out of memory. The contacts must stay. */
fb_near_pairs* fb_near_pairs_new(const fb_contact_block* const* contacts, int count);
void fb_near_pairs_free(fb_near_pairs* n);

/* The pairs whose spheres are no more than max_gap apart at the poses in d, of contacts with acts[i]; -1 where there is no room for
 * them. They stay valid until the next search. */
int fb_near_pairs_find(fb_near_pairs* n, const fb_model* m, const fb_data* d, const unsigned char* acts,
                       double max_gap, const fb_near_pair** pairs);
/* Where a collider of a contact was in the last search; b: of side b. */
const fb_placement* fb_near_pairs_place(const fb_near_pairs* n, int contact, int b, int collider);
/* A bound on how fast surfaces of colliders move with the velocities in d, but for infinite ones. */
double fb_near_pairs_speed(const fb_near_pairs* n, const fb_model* m, const fb_data* d);

#endif
