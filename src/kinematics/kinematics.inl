/* kinematics.inl -- pose, velocity and acceleration of every link, outward from the world
 *
 * Link i at place (R_pj, p_pj) in its parent p, moved by its coordinates; world axes throughout:
 *   R_j = R_p R_pj,  p_j = p_p + R_p p_pj                          where the link is at q = 0
 *   R_i = R_j Rz(q) or R_j R(quat),  p_i = p_j + R_j x(q)
 *   w_i = w_p + dw,  v_i = v_p + w_p x l + dv                      l = p_i - p_p
 *   w'_i = w'_p + w_p x dw + S_w v'
 *   a_i = a_p + w'_p x l + w_p x (w_p x l + 2 dv) + S_v v'
 * with dw = S_w v, dv = S_v v and S the link's motion axes (seed 002 (17)-(27) with its errata; classical,
 * not spatial accelerations). S is fixed in the axes of the parent, so its own rate is w_p x S.
 * Reads q, v, vdot.  Writes R_wl, p_wl, S; w_l, v_l; wdot_l, a_l.  Cost O(n). */
#ifndef FB_KINEMATICS_KINEMATICS_INL
#define FB_KINEMATICS_KINEMATICS_INL

#include "kernel/quat.inl"
#include "kernel/sincos.inl"
#include "kernel/vec3.inl"
#include "model/data.h"

FB_K int fb_k_link_nv(int kind) {
  return kind == FB_LINK_FIXED ? 0 : kind == FB_LINK_SPHERICAL ? 3 : kind == FB_LINK_FREE ? 6 : 1;
}

/* Row v of S: how coordinate v moves its link. */
FB_K void fb_k_set_axis(fb_data* d, int v, fb_v3 angular, fb_v3 linear) {
  fb_st3(d->S, 2 * v, angular);
  fb_st3(d->S, 2 * v + 1, linear);
}

/* Rotation of the joint about its z axis: only the x and y columns turn. */
FB_K fb_m3 fb_k_turn_z(fb_m3 R_j, fb_real angle) {
  fb_real s, c;
  fb_m3 R = R_j;
  fb_sincos(angle, &s, &c);
  R.x = fb_v3_axpy(fb_v3_scale(c, R_j.x), s, R_j.y);
  R.y = fb_v3_axpy(fb_v3_scale(c, R_j.y), 0.0 - s, R_j.x);
  return R;
}

/* The three axes of the joint frame as angular (or linear) motion of coordinates v, v+1, v+2. */
FB_K void fb_k_set_axes(fb_data* d, int v, fb_m3 R_j, int linear) {
  fb_v3 zero = fb_v3_zero();
  fb_k_set_axis(d, v, linear ? zero : R_j.x, linear ? R_j.x : zero);
  fb_k_set_axis(d, v + 1, linear ? zero : R_j.y, linear ? R_j.y : zero);
  fb_k_set_axis(d, v + 2, linear ? zero : R_j.z, linear ? R_j.z : zero);
}

/* Pose of link i and its motion axes. */
FB_K void fb_k_link_pose(const fb_model* m, fb_data* d, int i, const double* q) {
  int parent = m->top.link_parent[i], at = m->top.link_q[i], v = m->top.link_v[i];
  const fb_par* place = m->par.link_pose + FB_POSE_SIZE * i;
  fb_m3 R_p = fb_ld9(d->R_wl, parent);
  fb_m3 R = fb_m3_multiply_par(R_p, place);
  fb_v3 p = fb_v3_add(fb_ld3(d->p_wl, parent), fb_m3_apply_par(R_p, place + 9));
  fb_v3 zero = fb_v3_zero();

  switch (m->top.link_kind[i]) {
    case FB_LINK_REVOLUTE:
      fb_k_set_axis(d, v, R.z, zero);
      R = fb_k_turn_z(R, fb_ld(q, at));
      break;
    case FB_LINK_PRISMATIC:
      fb_k_set_axis(d, v, zero, R.z);
      p = fb_v3_axpy(p, fb_ld(q, at), R.z);
      break;
    case FB_LINK_HELICAL: {
      fb_v3 slide = fb_v3_scale(fb_set(m->par.link_pitch[i]), R.z);
      fb_k_set_axis(d, v, R.z, slide);
      p = fb_v3_axpy(p, fb_ld(q, at), slide);
      R = fb_k_turn_z(R, fb_ld(q, at));
      break;
    }
    case FB_LINK_SPHERICAL:
      fb_k_set_axes(d, v, R, 0);
      R = fb_m3_multiply(R, fb_quat_matrix(fb_quat_load(q, at)));
      break;
    case FB_LINK_FREE:
      fb_k_set_axes(d, v, R, 1);
      fb_k_set_axes(d, v + 3, R, 0);
      p = fb_v3_add(p, fb_m3_apply(R, fb_v3_make(fb_ld(q, at), fb_ld(q, at + 1), fb_ld(q, at + 2))));
      R = fb_m3_multiply(R, fb_quat_matrix(fb_quat_load(q, at + 3)));
      break;
    default:
      break;
  }
  fb_st9(d->R_wl, i, R);
  fb_st3(d->p_wl, i, p);
}

/* Angular and linear motion of link i relative to its parent: S x. */
FB_K void fb_k_joint_motion(const fb_model* m, const fb_data* d, int i, const double* x, fb_v3* angular,
                            fb_v3* linear) {
  int v = m->top.link_v[i], nv = fb_k_link_nv(m->top.link_kind[i]);
  *angular = *linear = fb_v3_zero();
  for (int k = v; k < v + nv; k++) {
    *angular = fb_v3_axpy(*angular, fb_ld(x, k), fb_ld3(d->S, 2 * k));
    *linear = fb_v3_axpy(*linear, fb_ld(x, k), fb_ld3(d->S, 2 * k + 1));
  }
}

FB_K void fb_k_link_velocity(const fb_model* m, fb_data* d, int i, const double* v) {
  int parent = m->top.link_parent[i];
  fb_v3 w_p = fb_ld3(d->w_l, parent);
  fb_v3 arm = fb_v3_sub(fb_ld3(d->p_wl, i), fb_ld3(d->p_wl, parent));
  fb_v3 dw, dv;
  fb_k_joint_motion(m, d, i, v, &dw, &dv);
  fb_st3(d->w_l, i, fb_v3_add(w_p, dw));
  fb_st3(d->v_l, i, fb_v3_add(fb_v3_add(fb_ld3(d->v_l, parent), fb_v3_cross(w_p, arm)), dv));
}

FB_K void fb_k_link_acceleration(const fb_model* m, fb_data* d, int i, const double* v, const double* vdot) {
  int parent = m->top.link_parent[i];
  fb_v3 w_p = fb_ld3(d->w_l, parent), wdot_p = fb_ld3(d->wdot_l, parent);
  fb_v3 arm = fb_v3_sub(fb_ld3(d->p_wl, i), fb_ld3(d->p_wl, parent));
  fb_v3 dw, dv, ddw, ddv;
  fb_k_joint_motion(m, d, i, v, &dw, &dv);
  fb_k_joint_motion(m, d, i, vdot, &ddw, &ddv);
  fb_v3 turning = fb_v3_axpy(fb_v3_cross(w_p, arm), fb_set(2.0), dv);
  fb_v3 a = fb_v3_add(fb_ld3(d->a_l, parent), fb_v3_cross(wdot_p, arm));
  a = fb_v3_add(fb_v3_add(a, fb_v3_cross(w_p, turning)), ddv);
  fb_st3(d->a_l, i, a);
  fb_st3(d->wdot_l, i, fb_v3_add(fb_v3_add(wdot_p, fb_v3_cross(w_p, dw)), ddw));
}

FB_K void fb_k_kinematics(const fb_model* m, fb_data* d, const double* q, const double* v,
                          const double* vdot) {
  fb_m3 world;
  world.x = fb_v3_make(fb_set(1.0), fb_set(0.0), fb_set(0.0));
  world.y = fb_v3_make(fb_set(0.0), fb_set(1.0), fb_set(0.0));
  world.z = fb_v3_make(fb_set(0.0), fb_set(0.0), fb_set(1.0));
  fb_st9(d->R_wl, 0, world);
  for (int i = 1; i < m->top.nlink; i++) {
    fb_k_link_pose(m, d, i, q);
    if (v) fb_k_link_velocity(m, d, i, v);
    if (v && vdot) fb_k_link_acceleration(m, d, i, v, vdot);
  }
  d->level = !v ? FB_LEVEL_POSE : !vdot ? FB_LEVEL_VELOCITY : FB_LEVEL_ACCELERATION;
  d->com_level = FB_LEVEL_NONE;
}

#endif
