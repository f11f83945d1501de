/* loads.inl -- wrenches at sites and fields at bodies, gathered per link between the passes of a recursion
 *
 *   at the link's origin:  f += F,  n += T + r x F                          r from there to the site
 *   of a field on a body:  F = m a,  T_i = sum over j, k of e_ijk (S G^T)_jk,  S = tr(I)/2 - I    about its centroid
 *
 * with a the acceleration and G its gradient there, given for each lane. World axes. The poses are those that the outward
 * pass has just left, so that no load costs another one.
 * Reads X, Y, Z of the link's record.  Writes ext_l, to which wrenches are added.  Cost O(1) a load. */
#ifndef FB_DYNAMICS_LOADS_INL
#define FB_DYNAMICS_LOADS_INL

#include "kinematics/frame.inl"

/* A force and a torque at the origin of a site; in world axes, or in the site's own. */
FB_K void fb_k_site_wrench(const fb_topology* top, const fb_parameters* par, fb_data* d, int site,
                           int in_site_axes, const double* force, const double* torque) {
  fb_v3 F = fb_ld3(force, 0), T = fb_ld3(torque, 0), arm = fb_k_site_arm(top, par, d, site);
  int at = top->link_ext[top->site_link[site]];
  if (in_site_axes) {
    fb_m3 R = fb_k_site_axes(top, par, d, site);
    F = fb_m3_apply(R, F);
    T = fb_m3_apply(R, T);
  }
  fb_st3_at(d->ext_l, at, fb_v3_add(fb_ld3_at(d->ext_l, at), fb_v3_add(T, fb_v3_cross(arm, F))));
  fb_st3_at(d->ext_l, at + 3, fb_v3_add(fb_ld3_at(d->ext_l, at + 3), F));
}

/* Rows j and k of S G^T, crosswise: one component of the torque. */
FB_K fb_real fb_k_gradient_torque(fb_v3 S_j, fb_v3 S_k, fb_v3 G_j, fb_v3 G_k) {
  return (S_j.x * G_k.x - S_k.x * G_j.x) + (S_j.y * G_k.y - S_k.y * G_j.y) + (S_j.z * G_k.z - S_k.z * G_j.z);
}

/* What a field does to a body: force and torque at its centroid. gradient [9], row major; NULL: no torque. */
FB_K void fb_k_body_field(const fb_topology* top, const fb_parameters* par, const fb_data* d, int body,
                          const double* acceleration, const double* gradient, double* force, double* torque) {
  fb_v3 T = fb_v3_zero();
  fb_st3(force, 0, fb_v3_scale(fb_par_real(fb_ld_par(par->body_mass, body)), fb_ld3(acceleration, 0)));
  if (gradient) {
    const double* J = fb_par_from(par->body_inertia, 6 * body);
    fb_par6 I_b = {fb_ld_par(J, 0), fb_ld_par(J, 1), fb_ld_par(J, 2),
                   fb_ld_par(J, 3), fb_ld_par(J, 4), fb_ld_par(J, 5)};
    fb_s3 I = fb_s3_rotate_par(fb_k_site_axes(top, par, d, fb_com_site(top, body)), I_b);
    fb_real half = 0.5 * (I.xx + I.yy + I.zz);
    fb_v3 S_x = fb_v3_make(half - I.xx, -I.xy, -I.xz), S_y = fb_v3_make(-I.xy, half - I.yy, -I.yz),
          S_z = fb_v3_make(-I.xz, -I.yz, half - I.zz);
    fb_v3 G_x = fb_ld3(gradient, 0), G_y = fb_ld3(gradient, 1), G_z = fb_ld3(gradient, 2);
    T = fb_v3_make(fb_k_gradient_torque(S_y, S_z, G_y, G_z), fb_k_gradient_torque(S_z, S_x, G_z, G_x),
                   fb_k_gradient_torque(S_x, S_y, G_x, G_y));
  }
  fb_st3(torque, 0, T);
}

#endif
