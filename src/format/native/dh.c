/* dh.c -- places by the numbers of Denavit and Hartenberg.
 *
 *   classic   T = Rz(theta) Tz(d) Tx(a) Rx(alpha)   J. Denavit, R. S. Hartenberg, J. Appl. Mech. 22, 1955
 *   modified  T = Rx(alpha) Tx(a) Rz(theta) Tz(d)   J. J. Craig, Introduction to Robotics, (3.6)
 *
 * The coordinate of a joint adds to theta when it turns and to d when it slides. Both stand beside the motion along z,
 * with which they commute: classic T comes wholly after the motion, modified T wholly before it. */
#include "format/native/dh.h"

#include <math.h>

#include <freebody/rotation.h>

void fb_dh_classic(const double x[4], double at[3], double R[9]) {
  double turn[9];
  fb_rot_z(x[3], R);
  at[0] = x[0] * R[0];
  at[1] = x[0] * R[3];
  at[2] = x[2];
  fb_rot_x(x[1], turn);
  fb_rot_multiply(R, turn, R);
}

void fb_dh_modified(const double x[4], double at[3], double R[9]) {
  double turn[9];
  fb_rot_x(x[1], R);
  at[0] = x[0];
  at[1] = x[2] * R[5];
  at[2] = x[2] * R[8];
  fb_rot_z(x[3], turn);
  fb_rot_multiply(R, turn, R);
}
