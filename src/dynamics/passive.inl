/* passive.inl -- passive joint forces: springs, dampers, friction
 *
 *   tau = -stiffness (q - rest) - damping v - friction tanh(v / friction_speed)
 *
 * per velocity coordinate; springs act where a coordinate is a number of its own (not on quaternions).
 * Reads q, v.  Writes tau.  Cost O(nv). */
#ifndef FB_DYNAMICS_PASSIVE_INL
#define FB_DYNAMICS_PASSIVE_INL

#include <freebody/dynamics.h>

#include "kernel/real.h"
#include "model/parameters.h"

/* kinds: FB_PASSIVE_..., of which each may be left out. */
FB_K void fb_k_passive(const fb_topology* top, const fb_parameters* par, const double* q, const double* v,
                       int kinds, double* tau) {
  for (int k = 0; k < top->nv; k++) {
    fb_real t = fb_set(0.0), rate = fb_ld(v, k);
    fb_par friction = fb_ld_par(par->friction, k);
    int at = top->coordinate_q[k];
    if (kinds & FB_PASSIVE_DAMPERS) t = t - fb_ld_par(par->damping, k) * rate;
    if ((kinds & FB_PASSIVE_FRICTION) && fb_par_any(friction))
      t = t - friction * fb_tanh(rate / fb_ld_par(par->friction_speed, k));
    if ((kinds & FB_PASSIVE_SPRINGS) && at >= 0)
      t = t - fb_ld_par(par->stiffness, k) * (fb_ld(q, at) - fb_ld_par(par->rest, k));
    fb_st(tau, k, t);
  }
}

#endif
