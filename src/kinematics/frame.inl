/* frame.inl -- pose, velocity and acceleration of a site that rides on a link at r = R_wl p_ls
 *
 *   p = p_l + r,  R = R_l R_ls,  v = v_l + w x r,  a = a_l + w' x r + w x (w x r)
 *
 * Reads R_wl, p_wl, w_l, v_l, wdot_l, a_l.  Writes nothing. */
#ifndef FB_KINEMATICS_FRAME_INL
#define FB_KINEMATICS_FRAME_INL

#include "kernel/vec3.inl"
#include "model/data.h"

/* From the link's origin to the site's, world axes. */
FB_K fb_v3 fb_k_site_arm(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  return fb_m3_apply_par(fb_ld9(d->R_wl, top->site_link[site]), par->site_pose + FB_POSE_SIZE * site + 9);
}

FB_K fb_v3 fb_k_site_position(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  return fb_v3_add(fb_ld3(d->p_wl, top->site_link[site]), fb_k_site_arm(top, par, d, site));
}

FB_K fb_v3 fb_k_site_velocity(const fb_topology* top, const fb_parameters* par, const fb_data* d, int site) {
  int link = top->site_link[site];
  return fb_v3_add(fb_ld3(d->v_l, link), fb_v3_cross(fb_ld3(d->w_l, link), fb_k_site_arm(top, par, d, site)));
}

FB_K void fb_k_frame_pose(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                          double* p_wf, double* R_wf) {
  fb_m3 R_l = fb_ld9(d->R_wl, top->site_link[frame]);
  if (p_wf) fb_st3(p_wf, 0, fb_k_site_position(top, par, d, frame));
  if (R_wf) fb_st9(R_wf, 0, fb_m3_multiply_par(R_l, par->site_pose + FB_POSE_SIZE * frame));
}

FB_K void fb_k_frame_velocity(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                              double* v_w, double* w_w) {
  if (v_w) fb_st3(v_w, 0, fb_k_site_velocity(top, par, d, frame));
  if (w_w) fb_st3(w_w, 0, fb_ld3(d->w_l, top->site_link[frame]));
}

FB_K void fb_k_frame_acceleration(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                  int frame, double* a_w, double* wdot_w) {
  int link = top->site_link[frame];
  fb_v3 arm = fb_k_site_arm(top, par, d, frame), w = fb_ld3(d->w_l, link), wdot = fb_ld3(d->wdot_l, link);
  fb_v3 a = fb_v3_add(fb_ld3(d->a_l, link), fb_v3_cross(wdot, arm));
  if (a_w) fb_st3(a_w, 0, fb_v3_add(a, fb_v3_cross(w, fb_v3_cross(w, arm))));
  if (wdot_w) fb_st3(wdot_w, 0, wdot);
}

#endif
