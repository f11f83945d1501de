/* outward.inl -- the outward half of every recursion: poses, known accelerations, net forces
 *
 * With v' known (inverse dynamics), zero (forward) or known in part (mixed), in world axes:
 *   W = w'~ + w~ w~                          acceleration of a point at r: a + W r
 *   a_i = a_p + W_p l + 2 w_p x dv + S_v v'  a_world = -g: gravity enters once, at the root
 *   w'_i = w'_p + w_p x dw + S_w v'
 *   f = m a + W h,  n = I w' + w x I w + h x a,   less external wrenches
 * n and f at the link's origin; h = m c and I of the whole link (all bodies merged into it). [Carius 2018]
 * (34)-(36) in classical accelerations; I w' and I w in link axes, where I is constant.
 * Reads q, v, vdot (may be NULL), the environment.  Writes R_wl, p_wl, w_l, known_wdot, known_a,
 * W_l, f_l.  Cost O(n). */
#ifndef FB_DYNAMICS_OUTWARD_INL
#define FB_DYNAMICS_OUTWARD_INL

#include "kernel/link_env.h"
#include "kernel/sym3.inl"
#include "kinematics/kinematics.inl"

/* wdot~ + w w^T - (w.w) E */
FB_K fb_m3 fb_k_point_matrix(fb_v3 w, fb_v3 wdot) {
  fb_real xx = w.x * w.x, yy = w.y * w.y, zz = w.z * w.z;
  fb_real xy = w.x * w.y, xz = w.x * w.z, yz = w.y * w.z;
  fb_m3 W;
  W.x = fb_v3_make(0.0 - (yy + zz), xy + wdot.z, xz - wdot.y);
  W.y = fb_v3_make(xy - wdot.z, 0.0 - (xx + zz), yz + wdot.x);
  W.z = fb_v3_make(xz + wdot.y, yz - wdot.x, 0.0 - (xx + yy));
  return W;
}

/* What every recursion starts with: the angles, and the world moving against gravity. */
FB_K void fb_k_begin(const fb_topology* top, fb_data* d, const fb_link_env* env, const double* q) {
  const fb_par* g = env->gravity_w;
  fb_k_world_pose(d);
  fb_k_angles(top, d, q);
  fb_st3(d->known_a, 0, fb_v3_make(fb_set(-g[0]), fb_set(-g[1]), fb_set(-g[2])));
}

/* Angular velocity and acceleration, and the acceleration of the origin, of link i. */
typedef struct fb_k_motion {
  fb_v3 w, wdot, a;
  fb_m3 W;
} fb_k_motion;

FB_K fb_k_motion fb_k_link_motion(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                  const fb_k_link* link, const double* v, const double* vdot) {
  int parent = top->link_parent[i], kind = top->link_kind[i];
  fb_v3 w_p = fb_ld3(d->w_l, parent), dw, dv;
  fb_k_motion x;
  fb_k_joint_motion(top, par, i, link->R_j, v, &dw, &dv);
  x.w = fb_v3_add(w_p, dw);
  x.wdot = fb_v3_add(fb_ld3(d->known_wdot, parent), fb_v3_cross(w_p, dw));
  x.a = fb_v3_add(fb_ld3(d->known_a, parent), fb_m3_apply(fb_ld9(d->W_l, parent), link->arm));
  if (kind != FB_LINK_REVOLUTE) x.a = fb_v3_axpy(x.a, fb_set(2.0), fb_v3_cross(w_p, dv));
  if (vdot) {
    fb_k_joint_motion(top, par, i, link->R_j, vdot, &dw, &dv);
    x.wdot = fb_v3_add(x.wdot, dw);
    if (kind != FB_LINK_REVOLUTE) x.a = fb_v3_add(x.a, dv);
  }
  x.W = fb_k_point_matrix(x.w, x.wdot);
  fb_st3(d->w_l, i, x.w);
  fb_st3(d->known_wdot, i, x.wdot);
  fb_st3(d->known_a, i, x.a);
  fb_st9(d->W_l, i, x.W);
  return x;
}

/* Stores n and f, less the external wrench. */
FB_K void fb_k_store_force(fb_data* d, int i, fb_v3 n, fb_v3 f, const double* wrench_l) {
  if (wrench_l) {
    n = fb_v3_sub(n, fb_ld3(wrench_l, 2 * i));
    f = fb_v3_sub(f, fb_ld3(wrench_l, 2 * i + 1));
  }
  fb_st3(d->f_l, 2 * i, n);
  fb_st3(d->f_l, 2 * i + 1, f);
}

/* The joint's share of a force at the link's origin: S^T (n, f), coordinate k of link i. */
FB_K fb_real fb_k_project(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i, int k,
                          fb_v3 n, fb_v3 f) {
  fb_v3 s_w, s_v;
  fb_k_axis(top, par, d, i, k, &s_w, &s_v);
  switch (top->link_kind[i]) {
    case FB_LINK_REVOLUTE:
      return fb_v3_dot(s_w, n);
    case FB_LINK_PRISMATIC:
      return fb_v3_dot(s_v, f);
    default:
      return fb_v3_dot(s_w, n) + fb_v3_dot(s_v, f);
  }
}

/* Hands a force at the origin of link i on to its parent. */
FB_K void fb_k_pass_force(const fb_topology* top, fb_data* d, int i, fb_v3 n, fb_v3 f) {
  int parent = top->link_parent[i];
  fb_v3 arm = fb_ld3(d->arm_l, i);
  fb_v3 n_p = fb_v3_add(fb_ld3(d->f_l, 2 * parent), n), f_p = fb_v3_add(fb_ld3(d->f_l, 2 * parent + 1), f);
  fb_st3(d->f_l, 2 * parent, fb_v3_add(n_p, fb_v3_cross(arm, f)));
  fb_st3(d->f_l, 2 * parent + 1, f_p);
}

#endif
