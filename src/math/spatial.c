/* spatial.c -- poses, spatial motion and force vectors, their cross products and changes of frame.
 *
 * Angular part first: M = (w, v), F = (n, f), at the origin of the frame they are expressed in, in its
 * axes. `ab` is the pose of b in a: R = R_ab, p = p_ab. [Carius 2018] writes R_BA for Rt and r_AB for p.
 *
 *   (9)  V x M  = ( w x m,  w x m0 + v x m )            (10) V x* F = ( w x n + v x f,  w x f )
 *   (11) bX_a   = [ Rt 0; -Rt p~ Rt ]                   (14) bX_a*  = bX_a^-T = [ Rt -Rt p~; 0 Rt ] */
#include <freebody/spatial.h>

#include <string.h>

#include <freebody/rotation.h>

#include "math/vector3.h"

fb_pose fb_pose_identity(void) {
  fb_pose pose = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {0, 0, 0}};
  return pose;
}

void fb_pose_multiply(const fb_pose* ab, const fb_pose* bc, fb_pose* ac) {
  double p[3];
  fb_rot_apply(ab->R, bc->p, p);
  for (int i = 0; i < 3; i++) p[i] += ab->p[i];
  fb_rot_multiply(ab->R, bc->R, ac->R);
  memcpy(ac->p, p, sizeof p);
}

void fb_pose_inverse(const fb_pose* ab, fb_pose* ba) {
  double p[3];
  fb_rot_apply_transpose(ab->R, ab->p, p);
  fb_rot_transpose(ab->R, ba->R);
  for (int i = 0; i < 3; i++) ba->p[i] = -p[i];
}

void fb_spatial_motion_cross(const double V[6], const double M[6], double out[6]) {
  double t[6], vm[3];
  cross3(V, M, t);
  cross3(V, M + 3, t + 3);
  cross3(V + 3, M, vm);
  for (int i = 0; i < 3; i++) t[3 + i] += vm[i];
  memcpy(out, t, sizeof t);
}

void fb_spatial_force_cross(const double V[6], const double F[6], double out[6]) {
  double t[6], vf[3];
  cross3(V, F, t);
  cross3(V + 3, F + 3, vf);
  cross3(V, F + 3, t + 3);
  for (int i = 0; i < 3; i++) t[i] += vf[i];
  memcpy(out, t, sizeof t);
}

/* A line vector (its direction `line`, its moment `moment`) seen from b: the moment about b's origin is
 * less by p x line. For a motion the line is w, for a force it is f. */
static void line_to_child(const fb_pose* ab, const double line[3], const double moment[3], double line_b[3],
                          double moment_b[3]) {
  double arm[3], t[3];
  cross3(ab->p, line, arm);
  for (int i = 0; i < 3; i++) t[i] = moment[i] - arm[i];
  fb_rot_apply_transpose(ab->R, line, line_b);
  fb_rot_apply_transpose(ab->R, t, moment_b);
}

static void line_to_parent(const fb_pose* ab, const double line[3], const double moment[3], double line_a[3],
                           double moment_a[3]) {
  double arm[3];
  fb_rot_apply(ab->R, moment, moment_a);
  fb_rot_apply(ab->R, line, line_a);
  cross3(ab->p, line_a, arm);
  for (int i = 0; i < 3; i++) moment_a[i] += arm[i];
}

void fb_spatial_motion_to_child(const fb_pose* ab, const double M_a[6], double M_b[6]) {
  line_to_child(ab, M_a, M_a + 3, M_b, M_b + 3);
}

void fb_spatial_motion_to_parent(const fb_pose* ab, const double M_b[6], double M_a[6]) {
  line_to_parent(ab, M_b, M_b + 3, M_a, M_a + 3);
}

void fb_spatial_force_to_child(const fb_pose* ab, const double F_a[6], double F_b[6]) {
  line_to_child(ab, F_a + 3, F_a, F_b + 3, F_b);
}

void fb_spatial_force_to_parent(const fb_pose* ab, const double F_b[6], double F_a[6]) {
  line_to_parent(ab, F_b + 3, F_b, F_a + 3, F_a);
}

/* Column by column: the image of each unit vector. */
static void matrix_of(void (*map)(const fb_pose*, const double*, double*), const fb_pose* ab, double X[36]) {
  for (int j = 0; j < 6; j++) {
    double unit[6] = {0, 0, 0, 0, 0, 0}, column[6];
    unit[j] = 1;
    map(ab, unit, column);
    for (int i = 0; i < 6; i++) X[6 * i + j] = column[i];
  }
}

void fb_spatial_motion_matrix(const fb_pose* ab, double bXa[36]) {
  matrix_of(fb_spatial_motion_to_child, ab, bXa);
}

void fb_spatial_force_matrix(const fb_pose* ab, double bXa_star[36]) {
  matrix_of(fb_spatial_force_to_child, ab, bXa_star);
}

double fb_spatial_dot(const double M[6], const double F[6]) {
  return dot3(M, F) + dot3(M + 3, F + 3);
}
