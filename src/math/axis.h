/* axis.h -- joint axes: to unit length, and the rotation that takes z to them. */
#ifndef FB_MATH_AXIS_H
#define FB_MATH_AXIS_H

#include <freebody/export.h>

/* Scales to unit length without overflow; 0 (axis unchanged) when it is zero or not finite. An axis
 * whose length is 1 to the last digits stays as it is. */
FB_API int fb_axis_normalise(double axis[3]);

/* The sine of the angle between two axes of any length; 0 when one of them has no direction. */
FB_API double fb_axis_sine(const double a[3], const double b[3]);

/* The shortest rotation R with R z = axis (of unit length): the identity for z, a half turn about x for
 * -z. Row major. */
FB_API void fb_axis_from_z(const double axis[3], double R[9]);

#endif
