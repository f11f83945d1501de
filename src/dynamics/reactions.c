/* reactions.c -- the wrench through every joint, fixed ones too
 *
 *   F_b = m (a - g),  N_b = I w' + w x I w      at the centroid, less external wrenches
 *   W_b = (F_b, N_b) + sum of the children's W, each moved to the joint's origin
 *
 * Body by body, not link by link, so that merged bodies have their reactions as well, and as a second
 * method beside rnea.inl. Reads the motion that fb_kinematics left.  Cost O(n). */
#include <freebody/dynamics.h>

#include <assert.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "base/fill_nan.h"
#include "dynamics/loads.h"
#include "environment/environment.h"
#include "math/sym3.h"
#include "math/vector3.h"

/* Adds force and torque, acting at point, to the wrench at origin. */
static void add_wrench(double* wrench, const double origin[3], const double point[3], const double force[3],
                       const double torque[3], double sign) {
  double arm[3], moment[3];
  for (int i = 0; i < 3; i++) arm[i] = point[i] - origin[i];
  cross3(arm, force, moment);
  for (int i = 0; i < 3; i++) {
    wrench[i] += sign * force[i];
    wrench[3 + i] += sign * (torque[i] + moment[i]);
  }
}

/* I w' + w x I w of a body about its centroid, world axes. */
static void euler_moment(const double I[6], const double R[9], const double w[3], const double wdot[3],
                         double n[3]) {
  double w_b[3], wdot_b[3], momentum[3], turn[3];
  fb_rot_apply_transpose(R, w, w_b);
  fb_rot_apply_transpose(R, wdot, wdot_b);
  fb_sym3_apply(I, w_b, momentum);
  cross3(w_b, momentum, turn);
  fb_sym3_apply(I, wdot_b, n);
  for (int i = 0; i < 3; i++) n[i] += turn[i];
  fb_rot_apply(R, n, n);
}

static void body_wrench(const fb_model* m, const fb_data* d, const fb_loads* loads, int b,
                        const double origin[3], double* wrench) {
  double p[3], R[9], a[3], w[3], wdot[3], g[3] = {0, 0, 0}, field[6] = {0}, force[3], moment[3];
  int centroid = fb_model_com_frame(m, b);
  fb_frame_pose(m, d, centroid, p, R);
  fb_frame_velocity(m, d, centroid, NULL, w);
  fb_frame_acceleration(m, d, centroid, a, wdot);
  if (loads) fb_environment_uniform(&loads->environment, g);
  if (loads && fb_environment_has_rest(&loads->environment))
    fb_body_field(m, d, &loads->environment, loads->t, b, field);
  euler_moment(d->par->body_inertia + 6 * b, R, w, wdot, moment);
  for (int i = 0; i < 3; i++) {
    force[i] = d->par->body_mass[b] * (a[i] - g[i]) - field[i];
    moment[i] -= field[3 + i];
  }
  add_wrench(wrench, origin, p, force, moment, 1);
}

void fb_joint_reactions(const fb_model* m, fb_data* d, const fb_loads* loads, double* wrench) {
  assert(fb_data_fits(d, m));
  const fb_topology* t = &m->top;
  if (d->level < FB_LEVEL_ACCELERATION || !fb_loads_valid(m, loads)) {
    fb_fill_nan(wrench, 6 * t->nbody);
    return;
  }
  memset(wrench, 0, 6 * (size_t)t->nbody * sizeof *wrench);
  for (int b = 1; b < t->nbody; b++) {
    double origin[3];
    fb_frame_pose(m, d, fb_model_joint_frame(m, b), origin, NULL);
    body_wrench(m, d, loads, b, origin, wrench + 6 * b);
  }
  for (int i = 0; loads && i < loads->nwrench; i++) {
    double origin[3], p[3], force[3], torque[3];
    int b = t->site_body[loads->wrenches[i].frame];
    fb_wrench_in_world(m, d, &loads->wrenches[i], force, torque);
    fb_frame_pose(m, d, loads->wrenches[i].frame, p, NULL);
    fb_frame_pose(m, d, fb_model_joint_frame(m, b), origin, NULL);
    if (b != FB_WORLD) add_wrench(wrench + 6 * b, origin, p, force, torque, -1);
  }
  for (int i = t->nbody - 1; i > 0; i--) {
    int b = t->body_order[i], parent = t->body_parent[b];
    double origin[3], p[3];
    fb_frame_pose(m, d, fb_model_joint_frame(m, parent), origin, NULL);
    fb_frame_pose(m, d, fb_model_joint_frame(m, b), p, NULL);
    add_wrench(wrench + 6 * parent, origin, p, wrench + 6 * b, wrench + 6 * b + 3, 1);
  }
}
