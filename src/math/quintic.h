/* quintic.h -- polynomials of degree 5 on [-1, 1]: through six points, and where they have their extrema. */
#ifndef FB_MATH_QUINTIC_H
#define FB_MATH_QUINTIC_H

/* c[0] + c[1] x + ... + c[5] x^5 through values at x = -1, -cos 36, -cos 72, cos 72, cos 36 deg, 1: close to the best
 * places for an approximation. */
void fb_quintic_fit(const double values[6], double c[6]);
double fb_quintic_at(const double c[6], double x);
/* Where its slope changes sign inside (-1, 1), in order; returns how many there are. */
int fb_quintic_extrema(const double c[6], double x[4]);

#endif
