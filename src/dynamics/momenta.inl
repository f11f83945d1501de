/* momenta.inl -- canonical momenta and the slope of the kinetic energy T = v^T H v / 2
 *
 *   outward: P_i = m v_i + w_i x h,  L_i = I w_i + h x v_i    at the link's origin, world axes
 *   inward:  P, L of the subtree that the link carries
 *            p_k = S_k . (L, P) + armature v_k                 that is H v
 *            dT/dq_k = S_k . (L x w_i + P x v_i, P x w)        w of the link; of its parent for a free joint
 *
 * dT/dq_k is the slope of T when coordinate k alone moves, v held; for attitudes the slope along a turn about axis
 * k of the link's place, which is how configurations add. Moving k moves the subtree with S_k but leaves the twist
 * (w_i, v_i) that its links ride on: as if the twist turned back. A free joint's axes of translation do not
 * turn with its link, so its parent's w counts there: nothing at a root. Both are one product of the axes with a
 * pair (docs/theory/momentum_method.md). Armature is constant and has no slope.
 * Reads q, v.  Writes p, slope (NULL: not wanted), what kinematics.inl writes with v, N, F.  Cost O(n). */
#ifndef FB_DYNAMICS_MOMENTA_INL
#define FB_DYNAMICS_MOMENTA_INL

#include "dynamics/net_force.inl"

/* L and P of a link alone. */
FB_K void fb_k_link_momentum(double* link, const double* P) {
  fb_m3 R = fb_block_axes(link);
  fb_v3 w = fb_block_get3(link, FB_REC_W), v = fb_block_get3(link, FB_REC_V);
  fb_v3 h = fb_m3_apply_par(R, fb_par3_of(P, FB_PAR_H));
  fb_v3 L = fb_s3_apply_par(fb_par6_of(P, FB_PAR_I), fb_m3_apply_transpose(R, w));
  fb_block_put3(link, FB_REC_N, fb_v3_add(fb_m3_apply(R, L), fb_v3_cross(h, v)));
  fb_block_put3(link, FB_REC_F, fb_v3_axpy(fb_v3_cross(w, h), fb_par_real(fb_par1(P, FB_PAR_MASS)), v));
}

FB_APART void fb_k_link_momenta(const fb_topology* top, const fb_parameters* par, fb_data* d) {
  for (int first = 0; first < top->nlink; first += FB_LINKS) {
    double block[FB_BLOCK_SIZE] __attribute__((aligned(64)));
    const double* P = fb_link_par(par, first);
    fb_block_in_axes(block, d, first);
    fb_block_in(block, d, first, FB_REC_W);
    fb_block_in(block, d, first, FB_REC_V);
    FB_INDEPENDENT
    for (int i = 0; i < FB_LINKS; i++) fb_k_link_momentum(block + i, P + i);
    fb_block_out(block, d, first, FB_REC_N);
    fb_block_out(block, d, first, FB_REC_F);
  }
}

FB_K void fb_k_momenta_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* v, double* p, double* slope) {
  int kind = top->link_kind[i], first = top->link_v[i], end = first + top->link_nv[i];
  const double* link = fb_link(d, i);
  double* parent = fb_link(d, top->link_parent[i]);
  fb_v3 L = fb_get3(link, FB_REC_N), P = fb_get3(link, FB_REC_F);
  for (int k = first; k < end; k++)
    fb_st(p, k, fb_k_project(top, par, d, i, kind, k, L, P) + fb_ld_par(par->armature, k) * fb_ld(v, k));
  if (slope) {
    fb_v3 w_l = fb_get3(link, FB_REC_W), v_l = fb_get3(link, FB_REC_V);
    fb_v3 w_axes = kind == FB_LINK_FREE ? fb_get3(parent, FB_REC_W) : w_l;
    fb_v3 turn = fb_v3_add(fb_v3_cross(L, w_l), fb_v3_cross(P, v_l)), slide = fb_v3_cross(P, w_axes);
    for (int k = first; k < end; k++) fb_st(slope, k, fb_k_project(top, par, d, i, kind, k, turn, slide));
  }
  L = fb_v3_add(L, fb_v3_cross(fb_get3(link, FB_REC_ARM), P));
  fb_put3(parent, FB_REC_N, fb_v3_add(fb_get3(parent, FB_REC_N), L));
  fb_put3(parent, FB_REC_F, fb_v3_add(fb_get3(parent, FB_REC_F), P));
}

FB_K void fb_k_momenta(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                       const double* v, double* p, double* slope) {
  fb_k_world(d, fb_v3_zero());
  fb_k_outward(top, par, d, FB_K_VELOCITY, q, v, NULL);
  fb_k_link_momenta(top, par, d);
  for (int i = top->nlink - 1; i > 0; i--) fb_k_momenta_inward(top, par, d, i, v, p, slope);
  d->level = FB_LEVEL_VELOCITY;
  d->com_level = FB_LEVEL_NONE;
}

#endif
