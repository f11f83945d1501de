/* quickhull.h -- the triangles of the convex hull of some points. */
#ifndef FB_CONTACT_SHAPE_QUICKHULL_H
#define FB_CONTACT_SHAPE_QUICKHULL_H

#include "base/private_api.h"

/* triangles: [*count][3], indices of points, counter-clockwise seen from outside; the caller frees them. Returns 0, 1: the
 * points have no volume, or 2: out of memory. */
FB_PRIVATE_API int fb_quickhull(int npoint, const double* points, int* count, int** triangles);

#endif
