/* frame.inl -- pose, velocity and acceleration of a site that rides on a link at r = R_wl p_ls
 *
 *   p = p_l + r,  R = R_l R_ls,  v = v_l + w x r,  a = a_l + w' x r + w x (w x r)
 *
 * Reads X, Y, Z, P, W, V, WDOT, A of the link's record.  Writes nothing. */
#ifndef FB_KINEMATICS_FRAME_INL
#define FB_KINEMATICS_FRAME_INL

#include "model/record.inl"

/* The pose of a site on its link: axes, row major, then origin. */
FB_K fb_par9 fb_k_site_turn(const fb_parameters* par, int site) {
  const double* pose = fb_par_from(par->site_pose, FB_POSE_SIZE * site);
  fb_par9 R;
  R.x = fb_par3_make(fb_ld_par(pose, 0), fb_ld_par(pose, 3), fb_ld_par(pose, 6));
  R.y = fb_par3_make(fb_ld_par(pose, 1), fb_ld_par(pose, 4), fb_ld_par(pose, 7));
  R.z = fb_par3_make(fb_ld_par(pose, 2), fb_ld_par(pose, 5), fb_ld_par(pose, 8));
  return R;
}
FB_K fb_par3 fb_k_site_place(const fb_parameters* par, int site) {
  const double* pose = fb_par_from(par->site_pose, FB_POSE_SIZE * site);
  return fb_par3_make(fb_ld_par(pose, 9), fb_ld_par(pose, 10), fb_ld_par(pose, 11));
}

/* The record of the link that a site rides on. */
FB_K const double* fb_k_site_link(const fb_topology* top, const fb_data* d, int site) {
  return fb_link(d, top->site_link[site]);
}

/* From the link's origin to the site's, world axes. */
FB_K fb_v3 fb_k_site_arm(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  return fb_m3_apply_par(fb_get_axes(fb_k_site_link(top, d, site)), fb_k_site_place(par, site));
}

FB_K fb_v3 fb_k_site_position(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  return fb_v3_add(fb_get3(fb_k_site_link(top, d, site), FB_REC_P), fb_k_site_arm(top, par, d, site));
}

FB_K fb_v3 fb_k_site_velocity(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  const double* link = fb_k_site_link(top, d, site);
  return fb_v3_add(fb_get3(link, FB_REC_V),
                   fb_v3_cross(fb_get3(link, FB_REC_W), fb_k_site_arm(top, par, d, site)));
}

/* The site's axes, world axes. */
FB_K fb_m3 fb_k_site_axes(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  return fb_m3_multiply_par(fb_get_axes(fb_k_site_link(top, d, site)), fb_k_site_turn(par, site));
}

FB_K void fb_k_frame_pose(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                          double* p_wf, double* R_wf) {
  if (p_wf) fb_st3(p_wf, 0, fb_k_site_position(top, par, d, frame));
  if (R_wf) fb_st9(R_wf, 0, fb_k_site_axes(top, par, d, frame));
}

FB_K void fb_k_frame_velocity(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                              double* v_w, double* w_w) {
  if (v_w) fb_st3(v_w, 0, fb_k_site_velocity(top, par, d, frame));
  if (w_w) fb_st3(w_w, 0, fb_get3(fb_k_site_link(top, d, frame), FB_REC_W));
}

FB_K void fb_k_frame_acceleration(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                  int frame, double* a_w, double* wdot_w) {
  const double* link = fb_k_site_link(top, d, frame);
  fb_v3 arm = fb_k_site_arm(top, par, d, frame), w = fb_get3(link, FB_REC_W),
        wdot = fb_get3(link, FB_REC_WDOT);
  fb_v3 a = fb_v3_add(fb_get3(link, FB_REC_A), fb_v3_cross(wdot, arm));
  if (a_w) fb_st3(a_w, 0, fb_v3_add(a, fb_v3_cross(w, fb_v3_cross(w, arm))));
  if (wdot_w) fb_st3(wdot_w, 0, wdot);
}

#endif
