/* loads.c -- external wrenches and gravity, gathered per link by loads.inl
 *
 * Uniform gravity needs nothing here: kernels let the world accelerate against it. A vector per body and a field are a
 * force m g at each centroid, and a torque; the functions of a field are the user's, and know one robot. */
#include "dynamics/loads.h"

#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/rotation.h>

#include "base/cookie.h"
#include "environment/environment.h"
#include "kernel/instances.h"
#include "kinematics/frame.inl"
#include "math/vector3.h"

fb_loads fb_default_loads(void) {
  return (fb_loads){.environment = fb_default_environment(), .passive = FB_PASSIVE_ALL, .cookie_ = FB_COOKIE};
}

int fb_loads_valid(const fb_model* m, const fb_loads* loads) {
  if (!loads) return 1;
  if (loads->cookie_ != FB_COOKIE || loads->environment.cookie_ != FB_COOKIE) return 0;
  for (int i = 0; i < loads->nwrench; i++)
    if (!fb_frame_exists(m, loads->wrenches[i].frame)) return 0;
  return 1;
}

/* `rest` is an environment without uniform gravity. */
static void field_on(const fb_model* m, const fb_data* d, const fb_environment* rest, double t, int body,
                     double wrench[6]) {
  double p[3] = {0, 0, 0}, a[3], gradient[9];
  if (rest->acceleration) m->kernels->frame_pose(&m->top, d->par, d, fb_com_site(&m->top, body), p, NULL);
  fb_environment_acceleration(rest, t, body, p, a);
  if (rest->gradient) rest->gradient(rest->user, t, p, gradient);
  m->kernels->body_field(&m->top, d->par, d, body, a, rest->gradient ? gradient : NULL, wrench, wrench + 3);
}

void fb_body_field(const fb_model* m, const fb_data* d, const fb_environment* environment, double t, int body,
                   double wrench[6]) {
  const fb_environment rest = fb_environment_rest(environment);
  field_on(m, d, &rest, t, body, wrench);
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

void fb_links_push_none(const fb_model* m, fb_data* d) {
  memset(d->ext_l, 0, (size_t)m->top.link_ext[m->top.nlink] * sizeof(double));
}

void fb_link_push(const fb_model* m, fb_data* d, int link, const double arm[3], const double force[3],
                  const double torque[3]) {
  double *n = d->ext_l + m->top.link_ext[link], *f = n + 3, moment[3];
  cross3(arm, force, moment);
  for (int i = 0; i < 3; i++) {
    f[i] += force[i];
    n[i] += torque[i] + moment[i];
  }
}

const double* fb_loads_gather(const fb_model* m, fb_data* d, const fb_loads* loads, int with_wrenches) {
  int nwrench = loads && with_wrenches ? loads->nwrench : 0;
  int has_rest = loads && fb_environment_has_rest(&loads->environment);
  if (!has_rest && nwrench == 0) return NULL;
  fb_links_push_none(m, d);
  for (int i = 0; i < nwrench; i++) {
    const fb_wrench* w = &loads->wrenches[i];
    m->kernels->site_wrench(&m->top, d->par, d, w->frame, w->in_frame_axes, w->force, w->torque);
  }
  if (!has_rest) return d->ext_l;
  const fb_environment rest = fb_environment_rest(&loads->environment);
  for (int b = 1; b < m->top.nbody; b++) {
    double wrench[6];
    field_on(m, d, &rest, loads->t, b, wrench);
    m->kernels->site_wrench(&m->top, d->par, d, fb_com_site(&m->top, b), 0, wrench, wrench + 3);
  }
  return d->ext_l;
}
