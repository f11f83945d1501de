/* response.inl -- the response of a robot at rest to a push: H x = push + J^T wrench, by given articulated inertias
 *
 *   inward, for each coordinate k of a joint, last first:
 *     u = push_k - S_k^T p;   by force:   p <- p + U u / D;   then p moves to the parent and adds up
 *   outward: x_k = (u - U^T da) / D,  da <- da + S_k x_k;   prescribed: x_k = 0
 *
 * the linear part of aba.inl, with U and D of the last mixed dynamics and the same `prescribed`: inertias are
 * eliminated once, and each right-hand side costs a third of forward dynamics. x are velocities for impulses,
 * accelerations for forces; da_l is left behind, from which the motion of every frame follows. Reads push, wrench_l
 * (moment and force at each link's origin; NULL: none), prescribed (NULL: none), U, D, IA, I_l, arm_l. Writes x, f_l,
 * u, da_l.  Cost O(n). */
#ifndef FB_DYNAMICS_RESPONSE_INL
#define FB_DYNAMICS_RESPONSE_INL

#include "dynamics/aba.inl"

/* A free joint driven by force: solved here, and nothing but its own push goes on. */
FB_K fb_k_pair fb_k_response_inward_free(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                         const double* push, fb_k_pair p) {
  fb_k_pair wrench = fb_k_free_wrench(d, top->link_v[i], push);
  fb_real reciprocal[6];
  fb_k_st_pair(d->da_l, i, fb_k_free_solve(fb_k_whole_art(top, par, d, i), wrench, p, reciprocal));
  return wrench;
}

FB_K void fb_k_response_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                               const double* push, const unsigned char* prescribed) {
  int kind = top->link_kind[i], first = top->link_v[i], nv = fb_k_link_nv(kind);
  int parent = top->link_parent[i];
  fb_k_pair p = fb_k_ld_pair(d->f_l, i);
  if (kind == FB_LINK_FREE && fb_k_gives_way(prescribed, first, nv))
    p = fb_k_response_inward_free(top, par, d, i, push, p);
  else
    for (int k = first + nv - 1; k >= first; k--) {
      fb_real u = fb_ld(push, k) - fb_k_axis_dot(kind, fb_k_axis_pair(top, par, d, i, k), p);
      fb_st(d->u, k, u);
      if (!prescribed || !prescribed[k]) p = fb_k_pair_axpy(p, u * fb_ld(d->D, k), fb_k_ld_pair(d->U, k));
    }
  if (parent == 0) return;
  p = fb_k_pair_shift(p, fb_ld3(d->arm_l, i));
  fb_k_st_pair(d->f_l, parent, fb_k_pair_axpy(fb_k_ld_pair(d->f_l, parent), fb_set(1.0), p));
}

FB_K void fb_k_response_outward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                const unsigned char* prescribed, double* x) {
  int kind = top->link_kind[i], first = top->link_v[i], nv = fb_k_link_nv(kind);
  fb_k_pair da = fb_k_carried(top, d, i);
  if (kind == FB_LINK_FREE && fb_k_gives_way(prescribed, first, nv)) {
    fb_k_free_rates(d, first, fb_k_pair_axpy(fb_k_ld_pair(d->da_l, i), fb_set(-1.0), da), x);
    return;
  }
  for (int k = first; k < first + nv; k++) {
    fb_real rate = (fb_ld(d->u, k) - fb_k_pair_dot(fb_k_ld_pair(d->U, k), da)) * fb_ld(d->D, k);
    if (prescribed && prescribed[k]) rate = fb_set(0.0);
    fb_st(x, k, rate);
    da = fb_k_pair_axpy(da, rate, fb_k_axis_pair(top, par, d, i, k));
  }
  fb_k_st_pair(d->da_l, i, da);
}

FB_K void fb_k_response(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* push,
                        const double* wrench_l, const unsigned char* prescribed, double* x) {
  fb_k_pair none = fb_k_pair_make(fb_v3_zero(), fb_v3_zero());
  for (int i = 0; i < top->nlink; i++)
    fb_k_st_pair(d->f_l, i, wrench_l ? fb_k_pair_axpy(none, fb_set(-1.0), fb_k_ld_pair(wrench_l, i)) : none);
  for (int i = top->nlink - 1; i > 0; i--) fb_k_response_inward(top, par, d, i, push, prescribed);
  for (int i = 1; i < top->nlink; i++) fb_k_response_outward(top, par, d, i, prescribed, x);
}

#endif
