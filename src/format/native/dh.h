/* dh.h -- places by the four numbers a, alpha, d, theta [m, rad, m, rad] of Denavit and Hartenberg. */
#ifndef FB_FORMAT_NATIVE_DH_H
#define FB_FORMAT_NATIVE_DH_H

/* Where the frame of a link is in the frame before it, whose z the joint moves along: Rz(theta) Tz(d) Tx(a) Rx(alpha). */
void fb_dh_classic(const double x[4], double at[3], double R[9]);
/* Craig's: Rx(alpha) Tx(a) Rz(theta) Tz(d). The joint moves along z of this frame itself. */
void fb_dh_modified(const double x[4], double at[3], double R[9]);

#endif
