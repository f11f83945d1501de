/* shape_volume.h -- volumes and moments of inertia of solid shapes, for formats that take masses from shapes. */
#ifndef FB_FORMAT_SHAPE_VOLUME_H
#define FB_FORMAT_SHAPE_VOLUME_H

#include <freebody/model_def.h>

/* The volume, and the moments about the centre for a density of 1; 0 for a mesh. */
double fb_shape_volume(const fb_shape_def* shape, double I[3]);

#endif
