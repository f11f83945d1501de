/* rnea.inl -- inverse dynamics, the recursive Newton-Euler algorithm
 *
 *   outward: motion at the given v' (kinematics.inl), net forces (net_force.inl) less external wrenches
 *   inward:  F_i = f_i + sum of F_j of the children, n_j + l_j x f_j,  tau = S^T F_i + armature v'
 *
 * [Carius 2018] section 5 with its errata. vdot may be NULL (zero): then tau is the bias. Link 0 ends with the
 * wrench that the world must supply. Reads what `outward` left with the same vdot, and wrench_l (moment and force from
 * outside at each link's origin, world axes; NULL: none).  Writes tau, N and F (the wrench through each link's joint).
 * Cost O(n). */
#ifndef FB_DYNAMICS_RNEA_INL
#define FB_DYNAMICS_RNEA_INL

#include "dynamics/net_force.inl"

/* A run, last link first; the force on its way stays in n and f. */
FB_K void fb_k_rnea_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int run, int kind,
                           const double* vdot, double* tau) {
  int first = top->run_first[run], i = top->run_end[run] - 1;
  const double* link = fb_link(d, i);
  fb_w3 n = fb_get_whole(link, FB_REC_N), f = fb_get_whole(link, FB_REC_F);
  for (; i >= first; i--) {
    double* parent = fb_link(d, i > first ? i - 1 : top->link_parent[first]);
    int v = top->link_v[i];
    int end = v + (kind == FB_LINK_REVOLUTE ? 1 : top->link_nv[i]);
    for (int k = v; k < end; k++) {
      fb_real t = kind == FB_LINK_REVOLUTE
                      ? fb_w3_dot(fb_get_whole(link, FB_REC_Z), n)
                      : fb_k_project(top, par, d, i, kind, k, fb_w3_parts(n), fb_w3_parts(f));
      if (vdot) t = t + fb_ld_par(par->armature, k) * fb_ld(vdot, k);
      fb_st(tau, k, t);
    }
    n = fb_w3_add(n, fb_w3_cross(fb_get_whole(link, FB_REC_ARM), f));
    n = fb_w3_add(fb_get_whole(parent, FB_REC_N), n);
    f = fb_w3_add(fb_get_whole(parent, FB_REC_F), f);
    fb_put_whole(parent, FB_REC_N, n);
    fb_put_whole(parent, FB_REC_F, f);
    link = parent;
  }
}
FB_APART void fb_k_rnea_revolute(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                 const double* vdot, double* tau) {
  fb_k_rnea_inward(top, par, d, run, FB_LINK_REVOLUTE, vdot, tau);
}
FB_APART void fb_k_rnea_any(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                            const double* vdot, double* tau) {
  fb_k_rnea_inward(top, par, d, run, top->run_kind[run], vdot, tau);
}

FB_K void fb_k_rnea(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* wrench_l,
                    const double* vdot, double* tau) {
  fb_k_net_forces(top, par, d);
  if (wrench_l) fb_k_take_off(top, d, 1, top->nlink, wrench_l);
  for (int run = top->nrun - 1; run >= 0; run--)
    if (top->run_kind[run] == FB_LINK_REVOLUTE)
      fb_k_rnea_revolute(top, par, d, run, vdot, tau);
    else
      fb_k_rnea_any(top, par, d, run, vdot, tau);
}

#endif
