/* loads.c -- external wrenches and gravity, gathered per link
 *
 *   at the link's origin, world axes:  f += F,  n += T + (p - p_l) x F
 *
 * Uniform gravity needs nothing here: kernels let the world accelerate against it. A vector per body and a
 * field are a force m g at each centroid, and a torque. */
#include "dynamics/loads.h"

#include <assert.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "environment/environment.h"
#include "kernel/instances.h"
#include "kinematics/frame.inl"
#include "math/vector3.h"

enum { COOKIE = 0x0fb1d };

fb_loads fb_default_loads(void) {
  return (fb_loads){.environment = fb_default_environment(), .passive = FB_PASSIVE_ALL, .cookie_ = COOKIE};
}

int fb_loads_valid(const fb_model* m, const fb_loads* loads) {
  if (!loads) return 1;
  if (loads->cookie_ != COOKIE || loads->environment.cookie_ != FB_ENVIRONMENT_COOKIE) return 0;
  for (int i = 0; i < loads->nwrench; i++)
    if (!fb_frame_exists(m, loads->wrenches[i].frame)) return 0;
  return 1;
}

void fb_body_field(const fb_model* m, const fb_data* d, const fb_environment* environment, double t, int body,
                   double wrench[6]) {
  const fb_environment rest = fb_environment_rest(environment);
  double p[3], R[9], mass = d->par->body_mass[body];
  fb_frame_pose(m, d, fb_model_com_frame(m, body), p, R);
  fb_environment_acceleration(&rest, t, body, p, wrench);
  for (int i = 0; i < 3; i++) wrench[i] *= mass;
  const double* J = d->par->body_inertia + 6 * body;
  fb_s3 I = fb_s3_rotate_par(fb_ld9(R, 0), (fb_par6){J[0], J[1], J[2], J[3], J[4], J[5]});
  const double inertia_w[6] = {I.xx, I.yy, I.zz, I.xy, I.xz, I.yz};
  fb_environment_torque(&rest, t, p, inertia_w, wrench + 3);
}

void fb_wrench_in_world(const fb_model* m, const fb_data* d, const fb_wrench* w, double force[3],
                        double torque[3]) {
  memcpy(force, w->force, 3 * sizeof *force);
  memcpy(torque, w->torque, 3 * sizeof *torque);
  if (!w->in_frame_axes) return;
  double R[9];
  fb_frame_pose(m, d, w->frame, NULL, R);
  fb_rot_apply(R, force, force);
  fb_rot_apply(R, torque, torque);
}

void fb_link_arm(const fb_model* m, const fb_data* d, int frame, double arm[3]) {
  fb_st3(arm, 0, fb_k_site_arm(&m->top, d->par, d, frame));
}

void fb_link_push(fb_data* d, int link, const double arm[3], const double force[3], const double torque[3]) {
  double *n = d->ext_l + 6 * link, *f = n + 3, moment[3];
  cross3(arm, force, moment);
  for (int i = 0; i < 3; i++) {
    f[i] += force[i];
    n[i] += torque[i] + moment[i];
  }
}

/* At a frame's origin. */
static void push_at(const fb_model* m, fb_data* d, int frame, const double force[3], const double torque[3]) {
  double arm[3];
  fb_link_arm(m, d, frame, arm);
  fb_link_push(d, m->top.site_link[frame], arm, force, torque);
}

fb_link_loads fb_loads_resolve(const fb_model* m, fb_data* d, const double* q, const fb_loads* loads,
                               int with_wrenches) {
  assert(fb_data_fits(d, m));
  fb_link_loads out = {{{0, 0, 0}, NULL}, fb_loads_valid(m, loads)};
  if (!loads || !out.valid) return out;
  int nwrench = with_wrenches ? loads->nwrench : 0, has_rest = fb_environment_has_rest(&loads->environment);
  fb_environment_uniform(&loads->environment, out.env.gravity_w);
  if (!has_rest && nwrench == 0) return out;

  memset(d->ext_l, 0, 6 * (size_t)m->top.nlink * sizeof(double));
  m->kernels->kinematics(&m->top, d->par, d, q, NULL, NULL);
  for (int i = 0; i < nwrench; i++) {
    double force[3], torque[3];
    fb_wrench_in_world(m, d, &loads->wrenches[i], force, torque);
    push_at(m, d, loads->wrenches[i].frame, force, torque);
  }
  for (int b = 1; has_rest && b < m->top.nbody; b++) {
    double wrench[6];
    fb_body_field(m, d, &loads->environment, loads->t, b, wrench);
    push_at(m, d, fb_model_com_frame(m, b), wrench, wrench + 3);
  }
  out.env.wrench_l = d->ext_l;
  return out;
}
