/* kinematics.inl -- pose, velocity and acceleration of every link, outward from the world
 *
 * Link i at place (R_pj, p_pj) in its parent p, moved by its coordinates; world axes throughout:
 *   R_j = R_p R_pj,  p_j = p_p + R_p p_pj                          where the link is at q = 0
 *   R_i = R_j Rz(q) or R_j R(quat),  p_i = p_j + R_j x(q)
 *   w_i = w_p + dw,  v_i = v_p + w_p x l + dv                      l = p_i - p_p
 *   w'_i = w'_p + w_p x dw + S_w v'
 *   a_i = a_p + w'_p x l + w_p x (w_p x l + 2 dv) + S_v v'
 * with dw = S_w v, dv = S_v v and S the link's motion axes ([Meng 2007] (17)-(27) with its errata; classical,
 * not spatial accelerations). S is fixed in the axes of the parent, so its own rate is w_p x S.
 * Reads q, v, vdot.  Writes R_wl, p_wl, axes; w_l, v_l; wdot_l, a_l.  Cost O(n). */
#ifndef FB_KINEMATICS_KINEMATICS_INL
#define FB_KINEMATICS_KINEMATICS_INL

#include "kernel/quat.inl"
#include "kernel/sincos.inl"
#include "kernel/vec3.inl"
#include "model/data.h"

FB_K int fb_k_link_nv(int kind) {
  return kind == FB_LINK_FIXED ? 0 : kind == FB_LINK_SPHERICAL ? 3 : kind == FB_LINK_FREE ? 6 : 1;
}

/* Sine and cosine of the angles in q in one loop, which compilers turn into vectors; entries between
 * them that are no angles cost little and are not used. */
FB_K void fb_k_angles(const fb_topology* top, fb_data* d, const double* q) {
  FB_INDEPENDENT
  for (int k = top->first_angle; k < top->end_angle; k++) {
    fb_real s, c;
    fb_sincos(fb_ld(q, k), &s, &c);
    fb_st(d->sine, k, s);
    fb_st(d->cosine, k, c);
  }
}

/* Rotation about the z axis: only the x and y columns turn. */
FB_K fb_m3 fb_k_turn_z(fb_m3 R_j, fb_real s, fb_real c) {
  fb_m3 R = R_j;
  R.x = fb_v3_axpy(fb_v3_scale(c, R_j.x), s, R_j.y);
  R.y = fb_v3_axpy(fb_v3_scale(c, R_j.y), 0.0 - s, R_j.x);
  return R;
}

/* Keeps the axes of a place, world axes, for joints whose axes turn out of their link's: three columns. */
FB_K void fb_k_store_axes(fb_data* d, int v, fb_m3 R_j) {
  fb_st3(d->axes, v, R_j.x);
  fb_st3(d->axes, v + 1, R_j.y);
  fb_st3(d->axes, v + 2, R_j.z);
}

/* A link as the outward step leaves it, in world axes. */
typedef struct fb_k_link {
  fb_m3 R_j; /* axes of its place, before its own motion */
  fb_m3 R;
  fb_v3 p;
  fb_v3 arm; /* from the parent's origin */
} fb_k_link;

/* Axes of the place of link i: R_p R_pj, without products where the place only permutes axes. */
FB_K fb_m3 fb_k_place_axes(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i,
                           int parent, fb_m3 R_p) {
  const int* from = top->link_from + 3 * i;
  const fb_par* sign = par->link_sign + 3 * i;
  fb_v3 column[3];
  fb_m3 R;
  if (from[0] < 0) return fb_m3_multiply_par(R_p, par->link_pose + FB_POSE_SIZE * i);
  for (int k = 0; k < 3; k++)
    column[k] = fb_v3_make(sign[k] * fb_ld(d->R_wl, 9 * parent + from[k]),
                           sign[k] * fb_ld(d->R_wl, 9 * parent + 3 + from[k]),
                           sign[k] * fb_ld(d->R_wl, 9 * parent + 6 + from[k]));
  R.x = column[0];
  R.y = column[1];
  R.z = column[2];
  return R;
}

/* Pose of link i; the angles of q have been taken. */
FB_K fb_k_link fb_k_link_pose(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* q) {
  int parent = top->link_parent[i], at = top->link_q[i], v = top->link_v[i];
  const fb_par* place = par->link_pose + FB_POSE_SIZE * i;
  fb_m3 R_p = fb_ld9(d->R_wl, parent);
  fb_k_link link;
  link.R_j = link.R = fb_k_place_axes(top, par, d, i, parent, R_p);
  link.arm = fb_m3_apply_par(R_p, place + 9);

  switch (top->link_kind[i]) {
    case FB_LINK_REVOLUTE:
      link.R = fb_k_turn_z(link.R_j, fb_ld(d->sine, at), fb_ld(d->cosine, at));
      break;
    case FB_LINK_PRISMATIC:
      link.arm = fb_v3_axpy(link.arm, fb_ld(q, at), link.R_j.z);
      break;
    case FB_LINK_HELICAL:
      link.arm = fb_v3_axpy(link.arm, par->link_pitch[i] * fb_ld(q, at), link.R_j.z);
      link.R = fb_k_turn_z(link.R_j, fb_ld(d->sine, at), fb_ld(d->cosine, at));
      break;
    case FB_LINK_SPHERICAL:
      fb_k_store_axes(d, v, link.R_j);
      link.R = fb_m3_multiply(link.R_j, fb_quat_matrix(fb_quat_load(q, at)));
      break;
    case FB_LINK_FREE:
      fb_k_store_axes(d, v, link.R_j);
      fb_k_store_axes(d, v + 3, link.R_j);
      link.arm = fb_v3_add(link.arm, fb_m3_apply(link.R_j, fb_ld3_at(q, at)));
      link.R = fb_m3_multiply(link.R_j, fb_quat_matrix(fb_quat_load(q, at + 3)));
      break;
    default:
      break;
  }
  link.p = fb_v3_add(fb_ld3(d->p_wl, parent), link.arm);
  fb_st9(d->R_wl, i, link.R);
  fb_st3(d->p_wl, i, link.p);
  fb_st3(d->arm_l, i, link.arm);
  return link;
}

/* Angular and linear motion of a link relative to its parent, S x, from the axes of its place. */
FB_K void fb_k_joint_motion(const fb_topology* top, const fb_parameters* par, int i, fb_m3 R_j,
                            const double* x, fb_v3* angular, fb_v3* linear) {
  int v = top->link_v[i];
  *angular = *linear = fb_v3_zero();
  switch (top->link_kind[i]) {
    case FB_LINK_REVOLUTE:
      *angular = fb_v3_scale(fb_ld(x, v), R_j.z);
      break;
    case FB_LINK_PRISMATIC:
      *linear = fb_v3_scale(fb_ld(x, v), R_j.z);
      break;
    case FB_LINK_HELICAL:
      *angular = fb_v3_scale(fb_ld(x, v), R_j.z);
      *linear = fb_v3_scale(fb_set(par->link_pitch[i]), *angular);
      break;
    case FB_LINK_SPHERICAL:
      *angular = fb_m3_apply(R_j, fb_ld3_at(x, v));
      break;
    case FB_LINK_FREE:
      *linear = fb_m3_apply(R_j, fb_ld3_at(x, v));
      *angular = fb_m3_apply(R_j, fb_ld3_at(x, v + 3));
      break;
    default:
      break;
  }
}

FB_K void fb_k_link_velocity(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                             const fb_k_link* link, const double* v) {
  int parent = top->link_parent[i];
  fb_v3 w_p = fb_ld3(d->w_l, parent), dw, dv;
  fb_k_joint_motion(top, par, i, link->R_j, v, &dw, &dv);
  fb_st3(d->w_l, i, fb_v3_add(w_p, dw));
  fb_st3(d->v_l, i, fb_v3_add(fb_v3_add(fb_ld3(d->v_l, parent), fb_v3_cross(w_p, link->arm)), dv));
}

FB_K void fb_k_link_acceleration(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                 const fb_k_link* link, const double* v, const double* vdot) {
  int parent = top->link_parent[i];
  fb_v3 w_p = fb_ld3(d->w_l, parent), wdot_p = fb_ld3(d->wdot_l, parent), dw, dv, ddw, ddv;
  fb_k_joint_motion(top, par, i, link->R_j, v, &dw, &dv);
  fb_k_joint_motion(top, par, i, link->R_j, vdot, &ddw, &ddv);
  fb_v3 turning = fb_v3_axpy(fb_v3_cross(w_p, link->arm), fb_set(2.0), dv);
  fb_v3 a = fb_v3_add(fb_ld3(d->a_l, parent), fb_v3_cross(wdot_p, link->arm));
  a = fb_v3_add(fb_v3_add(a, fb_v3_cross(w_p, turning)), ddv);
  fb_st3(d->a_l, i, a);
  fb_st3(d->wdot_l, i, fb_v3_add(fb_v3_add(wdot_p, fb_v3_cross(w_p, dw)), ddw));
}

/* How coordinate k moves link i: angular, and linear at the link's origin, world axes. The z axis of
 * a one-degree link is its joint's axis before and after the motion. */
FB_K void fb_k_axis(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i, int k,
                    fb_v3* angular, fb_v3* linear) {
  fb_v3 z = fb_v3_make(fb_ld(d->R_wl, 9 * i + 2), fb_ld(d->R_wl, 9 * i + 5), fb_ld(d->R_wl, 9 * i + 8));
  fb_v3 zero = fb_v3_zero();
  *angular = *linear = zero;
  switch (top->link_kind[i]) {
    case FB_LINK_FIXED:
      break;
    case FB_LINK_REVOLUTE:
      *angular = z;
      break;
    case FB_LINK_PRISMATIC:
      *linear = z;
      break;
    case FB_LINK_HELICAL:
      *angular = z;
      *linear = fb_v3_scale(fb_set(par->link_pitch[i]), z);
      break;
    case FB_LINK_SPHERICAL:
      *angular = fb_ld3(d->axes, k);
      break;
    default:
      if (k < top->link_v[i] + 3)
        *linear = fb_ld3(d->axes, k);
      else
        *angular = fb_ld3(d->axes, k);
  }
}

/* Link 0: the world. */
FB_K void fb_k_world_pose(fb_data* d) {
  fb_m3 world;
  world.x = fb_v3_make(fb_set(1.0), fb_set(0.0), fb_set(0.0));
  world.y = fb_v3_make(fb_set(0.0), fb_set(1.0), fb_set(0.0));
  world.z = fb_v3_make(fb_set(0.0), fb_set(0.0), fb_set(1.0));
  fb_st9(d->R_wl, 0, world);
}

FB_K void fb_k_kinematics(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                          const double* v, const double* vdot) {
  fb_k_world_pose(d);
  fb_k_angles(top, d, q);
  for (int i = 1; i < top->nlink; i++) {
    fb_k_link link = fb_k_link_pose(top, par, d, i, q);
    if (v) fb_k_link_velocity(top, par, d, i, &link, v);
    if (v && vdot) fb_k_link_acceleration(top, par, d, i, &link, v, vdot);
  }
  d->level = !v ? FB_LEVEL_POSE : !vdot ? FB_LEVEL_VELOCITY : FB_LEVEL_ACCELERATION;
  d->com_level = FB_LEVEL_NONE;
}

#endif
