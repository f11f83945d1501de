/* response.inl -- the response of a robot at rest to a push: H x = push + J^T wrench, by given articulated inertias
 *
 *   inward, for each coordinate k of a joint, last first:
 *     u = push_k - S_k^T p;   by force:   p <- p + K u;   then p adds up at the parent
 *   outward: x_k = u / D - K^T da,  da <- da + S_k x_k;   prescribed: x_k = 0
 *
 * the linear part of aba.inl, with K and D of the last mixed dynamics and the same `prescribed`: inertias are
 * eliminated once (the 6x6 of a free joint at each call), and a right-hand side costs a third of forward dynamics. p
 * takes in K u at the origin at which K stands, and S^T p is formed at the link's own, where nothing cancels. x are
 * velocities for impulses, accelerations for forces; DA is left behind, from which the motion of every frame follows.
 * Reads push, wrench_l (moment and force at each link's origin; NULL: none), prescribed (NULL: none), K, D, body, Z,
 * ARM, axes.  Writes x, N, F, u, DA.  Cost O(n). */
#ifndef FB_DYNAMICS_RESPONSE_INL
#define FB_DYNAMICS_RESPONSE_INL

#include "dynamics/aba.inl"
#include "dynamics/net_force.inl"

FB_K void fb_k_response_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                               const double* push, const unsigned char* prescribed) {
  int kind = top->link_kind[i], v = top->link_v[i], nv = top->link_nv[i], axial = fb_link_is_axial(kind),
      parent = top->link_parent[i];
  double *link = fb_link(d, i), *on = fb_link(d, parent);
  fb_k_pair p = fb_k_get_pair(link, FB_REC_N);
  fb_v3 l = fb_k_arm_from_K(top, d, i);
  if (kind == FB_LINK_FREE && fb_k_responds(prescribed, v, nv)) {
    fb_k_pair wrench = fb_k_free_wrench(d, v, push); /* solved here, and only its own push is passed on */
    fb_k_put_pair(link, FB_REC_DA_W,
                  fb_k_free_solve(d, v, fb_k_body_load(top, d, i), fb_k_pair_axpy(wrench, fb_set(-1.0), p)));
    p = wrench;
  } else {
    for (int k = v + nv - 1; k >= v; k--) {
      fb_real u = fb_ld(push, k) - fb_k_pair_dot(fb_k_axis_pair(top, par, d, i, kind, k), p);
      fb_st(d->u, k, u);
      if (axial) p = fb_k_force_shift(p, l);
      if (!prescribed || !prescribed[k]) p = fb_k_pair_axpy(p, u, fb_k_slot_pair(fb_k_slot(d, k)));
    }
  }
  if (parent == 0) return;
  if (!axial) p = fb_k_force_shift(p, fb_get3(link, FB_REC_ARM));
  fb_k_put_pair(on, FB_REC_N, fb_k_pair_axpy(fb_k_get_pair(on, FB_REC_N), fb_set(1.0), p));
}

FB_K void fb_k_response_outward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                const unsigned char* prescribed, double* x) {
  int kind = top->link_kind[i], v = top->link_v[i], nv = top->link_nv[i], axial = fb_link_is_axial(kind);
  double* link = fb_link(d, i);
  fb_v3 arm = fb_get3(link, FB_REC_ARM);
  fb_k_pair da = fb_k_get_pair(fb_link(d, top->link_parent[i]), FB_REC_DA_W);
  if (!axial) da = fb_k_motion_shift(da, arm);
  if (kind == FB_LINK_FREE && fb_k_responds(prescribed, v, nv)) {
    fb_k_free_rates(d, v, fb_k_pair_axpy(fb_k_get_pair(link, FB_REC_DA_W), fb_set(-1.0), da), x);
    return;
  }
  for (int k = v; k < v + nv; k++) {
    fb_real rate = fb_ld(d->u, k) * fb_ld(d->D, k) - fb_k_pair_dot(fb_k_slot_pair(fb_k_slot(d, k)), da);
    if (prescribed && prescribed[k]) rate = fb_set(0.0);
    fb_st(x, k, rate);
    if (axial) da = fb_k_motion_shift(da, arm);
    da = fb_k_pair_axpy(da, rate, fb_k_axis_pair(top, par, d, i, kind, k));
  }
  fb_k_put_pair(link, FB_REC_DA_W, da);
}

FB_K void fb_k_response(const fb_topology* top, const fb_parameters* par, fb_data* d, int first, int end,
                        const double* push, const double* wrench_l, const unsigned char* prescribed,
                        double* x) {
  for (int i = first; i < end; i++)
    fb_k_put_pair(fb_link(d, i), FB_REC_N, fb_k_pair_make(fb_v3_zero(), fb_v3_zero()));
  if (wrench_l) fb_k_take_off(top, d, first, end, wrench_l);
  for (int i = end - 1; i >= first; i--) fb_k_response_inward(top, par, d, i, push, prescribed);
  for (int i = first; i < end; i++) fb_k_response_outward(top, par, d, i, prescribed, x);
}

#endif
