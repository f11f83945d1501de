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
 * Reads q, v.  Writes p, slope (NULL: not wanted), what kinematics.inl writes with v, f_l.  Cost O(n). */
#ifndef FB_DYNAMICS_MOMENTA_INL
#define FB_DYNAMICS_MOMENTA_INL

#include "dynamics/outward.inl"

FB_K void fb_k_momenta_outward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                               const double* q, const double* v) {
  fb_k_link link = fb_k_link_pose(top, par, d, i, q);
  fb_k_link_velocity(top, par, d, i, &link, v);
  fb_v3 w_l = fb_ld3(d->w_l, i), v_l = fb_ld3(d->v_l, i);
  fb_v3 h = fb_m3_apply_par(link.R, par->link_h + 3 * i);
  fb_v3 L = fb_s3_apply_par(par->link_I + 6 * i, fb_m3_apply_transpose(link.R, w_l));
  L = fb_v3_add(fb_m3_apply(link.R, L), fb_v3_cross(h, v_l));
  fb_k_store_force(d, i, L, fb_v3_axpy(fb_v3_cross(w_l, h), fb_set(par->link_mass[i]), v_l), NULL);
}

FB_K void fb_k_momenta_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* v, double* p, double* slope) {
  int kind = top->link_kind[i], first = top->link_v[i], end = first + fb_k_link_nv(kind);
  fb_v3 L = fb_ld3(d->f_l, 2 * i), P = fb_ld3(d->f_l, 2 * i + 1);
  for (int k = first; k < end; k++)
    fb_st(p, k, fb_k_project(top, par, d, i, k, L, P) + par->armature[k] * fb_ld(v, k));
  if (slope) {
    fb_v3 w_l = fb_ld3(d->w_l, i), v_l = fb_ld3(d->v_l, i);
    fb_v3 w_axes = kind == FB_LINK_FREE ? fb_ld3(d->w_l, top->link_parent[i]) : w_l;
    fb_v3 turn = fb_v3_add(fb_v3_cross(L, w_l), fb_v3_cross(P, v_l)), slide = fb_v3_cross(P, w_axes);
    for (int k = first; k < end; k++) fb_st(slope, k, fb_k_project(top, par, d, i, k, turn, slide));
  }
  fb_k_pass_force(top, d, i, L, P);
}

FB_K void fb_k_momenta(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                       const double* v, double* p, double* slope) {
  fb_k_world_pose(d);
  fb_k_angles(top, d, q);
  fb_k_store_force(d, 0, fb_v3_zero(), fb_v3_zero(), NULL);
  for (int i = 1; i < top->nlink; i++) fb_k_momenta_outward(top, par, d, i, q, v);
  for (int i = top->nlink - 1; i > 0; i--) fb_k_momenta_inward(top, par, d, i, v, p, slope);
  d->level = FB_LEVEL_VELOCITY;
  d->com_level = FB_LEVEL_NONE;
}

#endif
