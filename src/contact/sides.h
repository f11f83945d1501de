/* sides.h -- from which side the colliders of a compliant contact push each other, from instant to instant. */
#ifndef FB_CONTACT_SIDES_H
#define FB_CONTACT_SIDES_H

#include "contact/pair.h"

enum { FB_CONTACT_SIDES = 128 }; /* pairs that touch; others are not followed */

typedef struct fb_contact_side {
  int a, b;          /* colliders */
  double axes[2][3]; /* towards a, in the axes of the frames of both */
} fb_contact_side;

typedef struct fb_contact_sides {
  int count, changed; /* 1: a pair has changed sides since the first instant */
  fb_contact_side list[FB_CONTACT_SIDES];
} fb_contact_sides;

/* Adds an instant, at the poses in d; count and changed are 0 before the first. */
void fb_contact_follow_sides(const fb_model* m, const fb_data* d, const fb_contact_block* c,
                             fb_contact_sides* sides);

#endif
