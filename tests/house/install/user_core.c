/* A user's program that needs the core alone. */
#include <freebody/rotation.h>
#include <freebody/version.h>
#include <stdio.h>

int main(void) {
  double R[9], x[3] = {1, 0, 0};
  fb_rot_z(1.5707963267948966, R);
  fb_rot_apply(R, x, x);
  printf("%s: x turned about z is %.0f %.0f %.0f\n", fb_version(), x[0], x[1], x[2]);
  return 0;
}
