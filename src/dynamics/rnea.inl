/* rnea.inl -- inverse dynamics, the recursive Newton-Euler algorithm
 *
 *   outward: net forces at the given v' (outward.inl)
 *   inward:  F_i = f_i + sum of F_j of the children,  tau = S^T F_i + armature v'
 *
 * [Carius 2018] section 5 with its errata. vdot may be NULL (zero): then tau is the bias. Link 0 ends with the
 * wrench that the world must supply. Reads q, v, vdot, the environment.  Writes tau, f_l (the wrench through each
 * link's joint) and what outward.inl writes.  Cost O(n). */
#ifndef FB_DYNAMICS_RNEA_INL
#define FB_DYNAMICS_RNEA_INL

#include "dynamics/outward.inl"

FB_K void fb_k_rnea_outward(const fb_topology* top, const fb_parameters* par, fb_data* d,
                            const fb_link_env* env, int i, const double* q, const double* v,
                            const double* vdot) {
  fb_k_link link = fb_k_link_pose(top, par, d, i, q);
  fb_k_motion x = fb_k_link_motion(top, par, d, i, &link, v, vdot);
  const fb_par* I = par->link_I + 6 * i;
  fb_par mass = par->link_mass[i];
  fb_v3 h = fb_m3_apply_par(link.R, par->link_h + 3 * i);
  fb_v3 w = fb_m3_apply_transpose(link.R, x.w), wdot = fb_m3_apply_transpose(link.R, x.wdot);
  fb_v3 n = fb_v3_add(fb_s3_apply_par(I, wdot), fb_v3_cross(w, fb_s3_apply_par(I, w)));
  fb_v3 f = fb_v3_axpy(fb_m3_apply(x.W, h), fb_set(mass), x.a);
  n = fb_v3_add(fb_m3_apply(link.R, n), fb_v3_cross(h, x.a));
  fb_k_store_force(d, i, n, f, env->wrench_l);
}

FB_K void fb_k_rnea_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                           const double* vdot, double* tau) {
  int first = top->link_v[i], end = first + fb_k_link_nv(top->link_kind[i]);
  fb_v3 n = fb_ld3(d->f_l, 2 * i), f = fb_ld3(d->f_l, 2 * i + 1);
  for (int k = first; k < end; k++) {
    fb_real t = fb_k_project(top, par, d, i, k, n, f);
    if (vdot) t = t + par->armature[k] * fb_ld(vdot, k);
    fb_st(tau, k, t);
  }
  fb_k_pass_force(top, d, i, n, f);
}

FB_K void fb_k_rnea(const fb_topology* top, const fb_parameters* par, fb_data* d, const fb_link_env* env,
                    const double* q, const double* v, const double* vdot, double* tau) {
  fb_k_begin(top, d, env, q);
  fb_k_store_force(d, 0, fb_v3_zero(), fb_v3_zero(), NULL);
  for (int i = 1; i < top->nlink; i++) fb_k_rnea_outward(top, par, d, env, i, q, v, vdot);
  for (int i = top->nlink - 1; i > 0; i--) fb_k_rnea_inward(top, par, d, i, vdot, tau);
  d->level = FB_LEVEL_POSE;
  d->com_level = FB_LEVEL_NONE;
}

#endif
