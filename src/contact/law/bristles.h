/* bristles.h -- which bristle of a pair of colliders belongs to which of its points. */
#ifndef FB_CONTACT_LAW_BRISTLES_H
#define FB_CONTACT_LAW_BRISTLES_H

#include "contact/pair.h"

/* Bristles of a pair of colliders: as many as it can have points at once. */
int fb_bristles_of(const fb_collider* a, const fb_collider* b);

/* The bristle of each point. owners: [nbristle], 0: none. */
void fb_bristles_take(const fb_contact_point* points, int count, const double* owners, int nbristle,
                      int bristles[FB_MAX_CONTACT_POINTS]);
/* At the end of a step: points that touch own their bristles from now on. stretch: [nbristle][3] */
void fb_bristles_keep(const fb_contact_point* points, int count, const double* stretch, int nbristle,
                      double* owners);

#endif
