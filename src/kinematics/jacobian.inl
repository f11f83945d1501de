/* jacobian.inl -- Jacobian of a site and its time derivative
 *
 * Column of coordinate k, whose axes are (s_w, s_v) at the origin p_k of its link, parent p:
 *   J_w = s_w,             J_v = s_v + s_w x (p - p_k)
 *   J'_w = w_p x s_w,      J'_v = w_p x s_v + (w_p x s_w) x (p - p_k) + s_w x (v - v_k)
 * for coordinates on the path from the world to the site, zero elsewhere ([Yoshida 1999] (16), (25), (26) with
 * their errata). Linear rows first, world axes, row major with nv columns.
 * Reads Z, ARM, axes; for the rate also W, V.  Cost O(nv + depth). */
#ifndef FB_KINEMATICS_JACOBIAN_INL
#define FB_KINEMATICS_JACOBIAN_INL

#include "kinematics/frame.inl"
#include "kinematics/kinematics.inl"

FB_K void fb_k_set_column(double* J, int nv, int column, fb_v3 linear, fb_v3 angular) {
  fb_st(J, column, linear.x);
  fb_st(J, nv + column, linear.y);
  fb_st(J, 2 * nv + column, linear.z);
  fb_st(J, 3 * nv + column, angular.x);
  fb_st(J, 4 * nv + column, angular.y);
  fb_st(J, 5 * nv + column, angular.z);
}

FB_K void fb_k_frame_jacobian(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                              double* J) {
  int nv = top->nv;
  fb_v3 arm =
      fb_k_site_arm(top, par, d, frame); /* p - p_k, added up link by link: exact far from the origin */
  fb_clear(J, 6 * nv);
  for (int i = top->site_link[frame]; i > 0; i = top->link_parent[i]) {
    int first = top->link_v[i], end = first + top->link_nv[i];
    for (int k = first; k < end; k++) {
      fb_v3 s_w, s_v;
      fb_k_axis(top, par, d, i, k, &s_w, &s_v);
      fb_k_set_column(J, nv, k, fb_v3_add(s_v, fb_v3_cross(s_w, arm)), s_w);
    }
    arm = fb_v3_add(arm, fb_get3(fb_link(d, i), FB_REC_ARM));
  }
}

/* Column k of the rate, for a point at arm from the origin of link i, which k belongs to, moving with v. */
FB_K void fb_k_rate_column(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i, int k,
                           fb_v3 arm, fb_v3 v, fb_v3* linear, fb_v3* angular) {
  fb_v3 w_p = fb_get3(fb_link(d, top->link_parent[i]), FB_REC_W);
  fb_v3 speed = fb_v3_sub(v, fb_get3(fb_link(d, i), FB_REC_V));
  fb_v3 s_w, s_v;
  fb_k_axis(top, par, d, i, k, &s_w, &s_v);
  *angular = fb_v3_cross(w_p, s_w);
  *linear = fb_v3_add(fb_v3_cross(w_p, s_v), fb_v3_cross(*angular, arm));
  *linear = fb_v3_add(*linear, fb_v3_cross(s_w, speed));
}

FB_K void fb_k_frame_jacobian_rate(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                   int frame, double* Jdot) {
  fb_v3 arm = fb_k_site_arm(top, par, d, frame), v = fb_k_site_velocity(top, par, d, frame);
  fb_clear(Jdot, 6 * top->nv);
  for (int i = top->site_link[frame]; i > 0; i = top->link_parent[i]) {
    int first = top->link_v[i], end = first + top->link_nv[i];
    for (int k = first; k < end; k++) {
      fb_v3 linear, angular;
      fb_k_rate_column(top, par, d, i, k, arm, v, &linear, &angular);
      fb_k_set_column(Jdot, top->nv, k, linear, angular);
    }
    arm = fb_v3_add(arm, fb_get3(fb_link(d, i), FB_REC_ARM));
  }
}

/* Jdot v without forming Jdot: linear, then angular. */
FB_K void fb_k_frame_bias(const fb_topology* top, const fb_parameters* par, const fb_data* d, const double* v,
                          int frame, double* a) {
  fb_v3 arm = fb_k_site_arm(top, par, d, frame), speed = fb_k_site_velocity(top, par, d, frame);
  fb_v3 linear = fb_v3_zero(), angular = fb_v3_zero();
  for (int i = top->site_link[frame]; i > 0; i = top->link_parent[i]) {
    int first = top->link_v[i], end = first + top->link_nv[i];
    for (int k = first; k < end; k++) {
      fb_v3 column_v, column_w;
      fb_k_rate_column(top, par, d, i, k, arm, speed, &column_v, &column_w);
      linear = fb_v3_axpy(linear, fb_ld(v, k), column_v);
      angular = fb_v3_axpy(angular, fb_ld(v, k), column_w);
    }
    arm = fb_v3_add(arm, fb_get3(fb_link(d, i), FB_REC_ARM));
  }
  fb_st3(a, 0, linear);
  fb_st3(a, 1, angular);
}

/* Adds J^T (force, torque) of a wrench at the site's origin, world axes: to each coordinate on the path its
 * share of the wrench moved to the link's origin. */
FB_K void fb_k_frame_push(const fb_topology* top, const fb_parameters* par, const fb_data* d, int frame,
                          const double* wrench, double* tau) {
  fb_v3 arm = fb_k_site_arm(top, par, d, frame), f = fb_ld3(wrench, 0), torque = fb_ld3(wrench, 1);
  for (int i = top->site_link[frame]; i > 0; i = top->link_parent[i]) {
    fb_v3 n = fb_v3_add(torque, fb_v3_cross(arm, f));
    int first = top->link_v[i], end = first + top->link_nv[i];
    for (int k = first; k < end; k++) {
      fb_v3 s_w, s_v;
      fb_k_axis(top, par, d, i, k, &s_w, &s_v);
      fb_st(tau, k, fb_ld(tau, k) + fb_v3_dot(s_w, n) + fb_v3_dot(s_v, f));
    }
    arm = fb_v3_add(arm, fb_get3(fb_link(d, i), FB_REC_ARM));
  }
}

#endif
