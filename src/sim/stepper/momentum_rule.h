/* momentum_rule.h -- the variational midpoint rule for one coordinate, and for the three of an attitude.
 *
 * With p the momentum at the ends of the step, mu = dT/dv and g = dT/dq + force in its middle, both at the step's
 * one velocity (docs/theory/momentum_method.md derives them):
 *
 *   plain      mu = p_0 + h/2 g                                                 p_1 = p_0 + h g
 *   attitude   mu = dexp_hw (p_0 + h exp(-hw/2) g) - h/2 dexp_(-hw/2) g         p_1 = dexp_(-hw)^-1 (mu + h/2 dexp_(-hw/2) g)
 *
 * w in the axes of the joint's place; dexp_x y is fb_rotvec_rate_to_w, exp turns. */
#ifndef FB_SIM_STEPPER_MOMENTUM_RULE_H
#define FB_SIM_STEPPER_MOMENTUM_RULE_H

#include <freebody/rotation.h>

static inline double fb_middle_momentum(double h, double p0, double g) {
  return p0 + 0.5 * h * g;
}

/* h/2 dexp_(-hw/2) g: what a force in the middle does to the momentum there. */
static inline void fb_half_push(double h, const double w[3], const double g[3], double out[3]) {
  const double back[3] = {-0.5 * h * w[0], -0.5 * h * w[1], -0.5 * h * w[2]};
  fb_rotvec_rate_to_w(back, g, out);
  for (int i = 0; i < 3; i++) out[i] *= 0.5 * h;
}

static inline void fb_middle_momentum3(double h, const double w[3], const double p0[3], const double g[3],
                                       double mu[3]) {
  const double turn[3] = {h * w[0], h * w[1], h * w[2]},
               half[3] = {0.5 * turn[0], 0.5 * turn[1], 0.5 * turn[2]};
  double R[9], sum[3], push[3];
  fb_rot_from_rotvec(half, R);
  fb_rot_apply_transpose(R, g, sum);
  for (int i = 0; i < 3; i++) sum[i] = p0[i] + h * sum[i];
  fb_rotvec_rate_to_w(turn, sum, mu);
  fb_half_push(h, w, g, push);
  for (int i = 0; i < 3; i++) mu[i] -= push[i];
}

static inline void fb_end_momentum3(double h, const double w[3], const double mu[3], const double g[3],
                                    double p1[3]) {
  const double back[3] = {-h * w[0], -h * w[1], -h * w[2]};
  double sum[3];
  fb_half_push(h, w, g, sum);
  for (int i = 0; i < 3; i++) sum[i] += mu[i];
  fb_rotvec_rate(back, sum, p1);
}

#endif
