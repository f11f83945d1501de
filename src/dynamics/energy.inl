/* energy.inl -- energies: kinetic, of springs, of uniform gravity
 *
 *   T = sum over links of (w . L + v . P) / 2 + sum of armature v_k^2 / 2
 *       P = m v + w x h,  L = I w + h x v       at the link's origin, world axes
 *   V = sum of stiffness (q_k - rest)^2 / 2,    V = -sum over bodies of m g . p
 *
 * Each is added to *energy. Reads X, Y, Z, W, V and P of the records as fb_kinematics leaves them.  Cost O(n). */
#ifndef FB_DYNAMICS_ENERGY_INL
#define FB_DYNAMICS_ENERGY_INL

#include "kinematics/frame.inl"

FB_K fb_real fb_k_link_energy(const fb_parameters* par, const fb_data* d, int i) {
  const double *link = fb_link(d, i), *P_i = fb_link_par(par, i);
  fb_m3 R = fb_get_axes(link);
  fb_v3 w = fb_get3(link, FB_REC_W), v = fb_get3(link, FB_REC_V);
  fb_v3 h = fb_m3_apply_par(R, fb_par3_of(P_i, FB_PAR_H));
  fb_s3 I = fb_s3_rotate_par(R, fb_par6_of(P_i, FB_PAR_I));
  fb_v3 P = fb_v3_axpy(fb_v3_cross(w, h), fb_par_real(fb_par1(P_i, FB_PAR_MASS)), v);
  fb_v3 L = fb_v3_add(fb_s3_apply(I, w), fb_v3_cross(h, v));
  return 0.5 * (fb_v3_dot(w, L) + fb_v3_dot(v, P));
}

FB_K void fb_k_kinetic_energy(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                              const double* v, double* energy) {
  fb_real sum = fb_ld(energy, 0);
  for (int i = 1; i < top->nlink; i++) sum = sum + fb_k_link_energy(par, d, i);
  for (int k = 0; k < top->nv; k++) sum = sum + 0.5 * fb_ld_par(par->armature, k) * fb_ld(v, k) * fb_ld(v, k);
  fb_st(energy, 0, sum);
}

FB_K fb_real fb_k_spring(const fb_topology* top, const fb_parameters* par, int k, const double* q) {
  fb_real stretch = fb_ld(q, top->coordinate_q[k]) - fb_ld_par(par->rest, k);
  return 0.5 * fb_ld_par(par->stiffness, k) * stretch * stretch;
}

FB_K void fb_k_spring_energy(const fb_topology* top, const fb_parameters* par, const double* q,
                             double* energy) {
  fb_real sum = fb_ld(energy, 0);
  for (int k = 0; k < top->nv; k++)
    if (top->coordinate_q[k] >= 0) sum = sum + fb_k_spring(top, par, k, q);
  fb_st(energy, 0, sum);
}

/* gravity_w: a value for each lane. Zero at the world's origin. */
FB_K void fb_k_gravity_energy(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                              const double* gravity_w, double* energy) {
  fb_real sum = fb_ld(energy, 0);
  fb_v3 g = fb_ld3(gravity_w, 0);
  for (int b = 1; b < top->nbody; b++) {
    fb_v3 p = fb_k_site_position(top, par, d, fb_com_site(top, b));
    sum = sum - fb_ld_par(par->body_mass, b) * fb_v3_dot(g, p);
  }
  fb_st(energy, 0, sum);
}

#endif
