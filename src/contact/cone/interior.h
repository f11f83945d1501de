/* interior.h -- the cones of the interior-point method: scaling points, central path, steps to the boundary.
 *
 * A Coulomb cone of the normal first is turned into Lorentz's by p = (mu P_N, P_T), w = (w_N / mu, w_T); one without friction
 * is a normal whose tangential impulses are zero. */
#ifndef FB_CONTACT_CONE_INTERIOR_H
#define FB_CONTACT_CONE_INTERIOR_H

/* One cone of the kind |x_T| < x_N: w = T^2-scaled p, T p = T^-1 w = l (Nesterov and Todd). */
typedef struct fb_lorentz {
  double T[9], inverse[9]; /* symmetric */
  double l[3];
} fb_lorentz;

fb_lorentz fb_lorentz_scaling(const double p[3], const double w[3]);
/* d of  dw = T d - T^2 dp  that heads for p o w = target e, with the products of the steps dp, dw subtracted. */
void fb_lorentz_heading(const fb_lorentz* s, double target, const double dp[3], const double dw[3],
                        double d[3]);
/* The largest step a <= 1 for which x + a dx is inside. */
double fb_lorentz_step_limit(const double x[3], const double dx[3]);

#endif
