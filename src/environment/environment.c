/* environment.c -- gravity at a place: acceleration, potential, torque
 *
 *   acceleration  g + a(t, p)        potential per mass  -g . p + U(p)
 *   torque about the centroid  int r x (G r) dm = sum over j, k of e_ijk (S G^T)_jk,   S = int r r^T dm = tr(I)/2 - I
 *
 * with G the gradient of a. Higher derivatives of the field are left out: the force is that at the centroid. */
#include "environment/environment.h"

#include <math.h>
#include <string.h>

#include <freebody/status.h>

#include "base/cookie.h"
#include "math/vector3.h"

fb_environment fb_default_environment(void) {
  return (fb_environment){.cookie_ = FB_COOKIE};
}

fb_status fb_environment_check(const fb_environment* e, fb_error* error) {
  if (fb_cookie_check(e->cookie_, "environment", error)) return FB_ERR_ARG;
  for (int i = 0; i < 3; i++)
    if (!isfinite(e->gravity_w[i])) return fb_fail(error, FB_ERR_NOT_FINITE, "gravity is not finite");
  if (!e->acceleration && (e->gradient || e->potential))
    return fb_fail(error, FB_ERR_ARG,
                   "a field has a gradient or a potential, but no acceleration; give all of it");
  return FB_OK;
}

static const double* gravity_on(const fb_environment* e, int body) {
  return e->body_gravity_w ? e->body_gravity_w + 3 * body : e->gravity_w;
}

void fb_environment_acceleration(const fb_environment* e, double t, int body, const double p_w[3],
                                 double a_w[3]) {
  const double* g = gravity_on(e, body);
  memcpy(a_w, g, 3 * sizeof *a_w);
  if (!e->acceleration) return;
  e->acceleration(e->user, t, p_w, a_w);
  for (int i = 0; i < 3; i++) a_w[i] += g[i];
}

double fb_environment_potential(const fb_environment* e, int body, const double p_w[3]) {
  return (e->potential ? e->potential(e->user, p_w) : 0) - dot3(gravity_on(e, body), p_w);
}

void fb_environment_torque(const fb_environment* e, double t, const double p_w[3], const double inertia_w[6],
                           double torque_w[3]) {
  memset(torque_w, 0, 3 * sizeof *torque_w);
  if (!e->gradient) return;
  const double *I = inertia_w, half = (I[0] + I[1] + I[2]) / 2;
  const double S[3][3] = {
      {half - I[0], -I[3], -I[4]}, {-I[3], half - I[1], -I[5]}, {-I[4], -I[5], half - I[2]}};
  double G[9];
  e->gradient(e->user, t, p_w, G);
  for (int i = 0; i < 3; i++) {
    int j = (i + 1) % 3, k = (i + 2) % 3;
    for (int l = 0; l < 3; l++) torque_w[i] += S[j][l] * G[3 * k + l] - S[k][l] * G[3 * j + l];
  }
}
