/* environment.h -- gravity, as used by dynamics, the ledger, control laws and scripts.
 *
 *   on a body of mass m with its centroid at p:  force m (g + a(t, p)),  torque by the gradient of a about the centroid
 *
 * g is uniform, or a vector for each body; the field a, if any, is added to it. A uniform environment has no cost;
 * any other one costs dynamics a call of its functions for each body, at poses that it finds anyway. */
#ifndef FREEBODY_ENVIRONMENT_H
#define FREEBODY_ENVIRONMENT_H

#include <freebody/export.h>
#include <freebody/status.h>

typedef struct fb_environment {
  double gravity_w[3];          /* uniform [m/s^2] */
  const double* body_gravity_w; /* [nbody][3] a vector for each body instead [m/s^2]; or NULL */
  /* A field, world axes; NULL: none. The functions must depend on their arguments only. */
  void (*acceleration)(void* user, double t, const double p_w[3], double a_w[3]); /* a [m/s^2] */
  /* da_i/dp_j, row major [1/s^2]: causes the gravity-gradient torque. NULL: no torque. */
  void (*gradient)(void* user, double t, const double p_w[3], double gradient_w[9]);
  /* U with a = -dU/dp [J/kg], for a field that does not change with time. NULL: none; the work of the field is then
   * counted as external in the ledger. The work of gravity-gradient torques always is. */
  double (*potential)(void* user, const double p_w[3]);
  void* user;
  int cookie_; /* set by fb_default_environment */
} fb_environment;

FB_BEGIN_DECLS

FB_API fb_environment fb_default_environment(void); /* no gravity */
/* Checks an environment; on failure error says what is wrong. */
FB_API fb_status fb_environment_check(const fb_environment* environment, fb_error* error);

/* g + a at p_w, for a body with its centroid there. */
FB_API void fb_environment_acceleration(const fb_environment* environment, double t, int body,
                                        const double p_w[3], double a_w[3]);
/* Potential energy per unit mass at p_w: zero at the world's origin, apart from the field's potential [J/kg]. */
FB_API double fb_environment_potential(const fb_environment* environment, int body, const double p_w[3]);
/* The torque about its centroid on a body with its centroid at p_w. inertia_w: about the centroid, xx yy zz xy xz yz.
 * World axes [N m]. */
FB_API void fb_environment_torque(const fb_environment* environment, double t, const double p_w[3],
                                  const double inertia_w[6], double torque_w[3]);

FB_END_DECLS

#endif
