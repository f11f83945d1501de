/* net_force.inl -- the force and moment that each link's own motion takes, and a joint's share of them
 *
 *   f = m a + w' x h + w x (w x h),   n = I w' + w x I w + h x a      at the link's origin, world axes
 *
 * with h = m c and I of the whole link (all bodies merged into it). [Carius 2018] (34)-(36) in classical accelerations;
 * I w' and I w are taken in link axes, where I is constant. Each link alone: a block of links at a time, of which the
 * last may reach past the links: records and parameters have room for whole blocks.
 * Reads X, Y, Z, W, WDOT, A.  Writes N, F.  Cost O(n). */
#ifndef FB_DYNAMICS_NET_FORCE_INL
#define FB_DYNAMICS_NET_FORCE_INL

#include "kinematics/kinematics.inl"

FB_K void fb_k_net_force_link(double* link, const double* P) {
  fb_m3 R = fb_block_axes(link);
  fb_par6 I = fb_par6_of(P, FB_PAR_I);
  fb_v3 w = fb_block_get3(link, FB_REC_W), wdot = fb_block_get3(link, FB_REC_WDOT),
        a = fb_block_get3(link, FB_REC_A);
  fb_v3 h = fb_m3_apply_par(R, fb_par3_of(P, FB_PAR_H));
  fb_v3 w_l = fb_m3_apply_transpose(R, w), wdot_l = fb_m3_apply_transpose(R, wdot);
  fb_v3 n = fb_v3_add(fb_s3_apply_par(I, wdot_l), fb_v3_cross(w_l, fb_s3_apply_par(I, w_l)));
  fb_v3 f = fb_v3_add(fb_v3_cross(wdot, h), fb_v3_cross(w, fb_v3_cross(w, h)));
  fb_block_put3(link, FB_REC_N, fb_v3_add(fb_m3_apply(R, n), fb_v3_cross(h, a)));
  fb_block_put3(link, FB_REC_F, fb_v3_axpy(f, fb_par_real(fb_par1(P, FB_PAR_MASS)), a));
}

FB_APART void fb_k_net_forces(const fb_topology* top, const fb_parameters* par, fb_data* d) {
  for (int first = 0; first < top->nlink; first += FB_LINKS) {
    double block[FB_BLOCK_SIZE] __attribute__((aligned(64)));
    const double* P = fb_link_par(par, first);
    fb_block_in_axes(block, d, first);
    fb_block_in(block, d, first, FB_REC_W);
    fb_block_in(block, d, first, FB_REC_WDOT);
    fb_block_in(block, d, first, FB_REC_A);
    FB_INDEPENDENT
    for (int i = 0; i < FB_LINKS; i++) fb_k_net_force_link(block + i, P + i);
    fb_block_out(block, d, first, FB_REC_N);
    fb_block_out(block, d, first, FB_REC_F);
  }
}

/* Takes wrenches from outside, moment and force at the links' origins, off the forces at the links. */
FB_APART void fb_k_take_off(const fb_topology* top, fb_data* d, int first, int end, const double* wrench_l) {
  for (int i = first; i < end; i++) {
    double* link = fb_link(d, i);
    int at = top->link_ext[i];
    fb_put3(link, FB_REC_N, fb_v3_sub(fb_get3(link, FB_REC_N), fb_ld3_at(wrench_l, at)));
    fb_put3(link, FB_REC_F, fb_v3_sub(fb_get3(link, FB_REC_F), fb_ld3_at(wrench_l, at + 3)));
  }
}

/* The joint's share of a force at the link's origin: S^T (n, f), coordinate k of link i. */
FB_K fb_real fb_k_project(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i, int kind,
                          int k, fb_v3 n, fb_v3 f) {
  fb_v3 s_w, s_v;
  fb_k_axis_of(top, par, d, i, kind, k, &s_w, &s_v);
  if (kind == FB_LINK_REVOLUTE) return fb_v3_dot(s_w, n);
  return fb_v3_dot(s_w, n) + fb_v3_dot(s_v, f);
}

#endif
