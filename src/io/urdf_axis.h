/* urdf_axis.h -- joint axes: to unit length, and the rotation that takes z to them. */
#ifndef FB_IO_URDF_AXIS_H
#define FB_IO_URDF_AXIS_H

/* Scales to unit length without overflow; 0 (axis unchanged) when it is zero or not finite. An axis
 * whose length is 1 to the last digits stays as it is. */
int fb_axis_normalise(double axis[3]);

/* The shortest rotation R with R z = axis (of unit length): the identity for z, a half turn about x for
 * -z. Row major. */
void fb_axis_from_z(const double axis[3], double R[9]);

#endif
