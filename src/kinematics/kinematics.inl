/* kinematics.inl -- pose, velocity and acceleration of every link, outward from the world
 *
 * Link i at place (R_pj, p_pj) in its parent p, moved by its coordinates; world axes throughout:
 *   R_j = R_p R_pj,  l = R_p p_pj                                  where the link is at q = 0
 *   R_i = R_j Rz(q) or R_j R(quat),  l = l + R_j x(q),  p_i = p_p + l
 *   w_i = w_p + dw,  v_i = v_p + w_p x l + dv
 *   w'_i = w'_p + w_p x dw + S_w v'
 *   a_i = a_p + w'_p x l + w_p x (w_p x l + 2 dv) + S_v v'
 * with dw = S_w v, dv = S_v v and S the link's motion axes ([Meng 2007] (17)-(27) with its errata; classical,
 * not spatial accelerations). S is fixed in the axes of the parent, so its own rate is w_p x S.
 * Every recursion but response.inl begins with this sweep, and says which part of it is needed; dynamics lets the world
 * move against gravity. Links are met run by run (topology.h): those of a run are alike and each hangs on the one
 * before.
 * Reads q, v, vdot.  Writes X, Y, Z, ARM, P; W; V; WDOT, A of the records; axes.  Cost O(n). */
#ifndef FB_KINEMATICS_KINEMATICS_INL
#define FB_KINEMATICS_KINEMATICS_INL

#include "kernel/quat.inl"
#include "kernel/sincos.inl"
#include "model/record.inl"

/* What a sweep outward is to find: poses; angular velocities too, as all that follow; velocities; accelerations. */
enum { FB_K_POSES = 0, FB_K_TURNING = 1, FB_K_VELOCITY = 2, FB_K_ACCELERATION = 4 };

/* --- what every sweep starts with --- */

/* Sine and cosine of the angles in q in one loop, which compilers turn into vectors; entries between
 * them that are no angles cost little and are not used. */
FB_APART void fb_k_angles(const fb_topology* top, fb_data* d, const double* q) {
  double *sine = d->sine, *cosine = d->cosine;
  FB_INDEPENDENT
  for (int k = top->first_angle; k < top->end_angle; k++) {
    fb_real s, c;
    fb_sincos(fb_ld(q, k), &s, &c);
    fb_st(sine, k, s);
    fb_st(cosine, k, c);
  }
}

FB_K fb_m3 fb_k_identity(void) {
  fb_m3 E;
  E.x = fb_v3_make(fb_set(1.0), fb_set(0.0), fb_set(0.0));
  E.y = fb_v3_make(fb_set(0.0), fb_set(1.0), fb_set(0.0));
  E.z = fb_v3_make(fb_set(0.0), fb_set(0.0), fb_set(1.0));
  return E;
}

/* Link 0: the world, with the acceleration it is to have. Its other vectors are zero from the start, but N and F. */
FB_K void fb_k_world(fb_data* d, fb_v3 a) {
  double* world = fb_link(d, 0);
  fb_m3 E = fb_k_identity();
  fb_put_whole(world, FB_REC_X, fb_w3_of(E.x));
  fb_put_whole(world, FB_REC_Y, fb_w3_of(E.y));
  fb_put_whole(world, FB_REC_Z, fb_w3_of(E.z));
  fb_put_whole(world, FB_REC_A, fb_w3_of(a));
}

/* --- one link --- */

/* Axes of a link's place, R_p R_pj: columns, each still to be multiplied by its sign. A place that only permutes axes
 * takes no products; one upright on the world has its axes. */
typedef struct fb_k_axes {
  fb_w33 R;
  fb_par3 sign;
} fb_k_axes;

FB_K fb_w33 fb_k_whole_axes(const double* link) {
  fb_w33 R;
  R.x = fb_get_whole(link, FB_REC_X);
  R.y = fb_get_whole(link, FB_REC_Y);
  R.z = fb_get_whole(link, FB_REC_Z);
  return R;
}

FB_K fb_k_axes fb_k_place_axes(const fb_topology* top, const double* P, int i, const double* parent,
                               int place) {
  fb_k_axes axes;
  axes.sign = fb_par3_make(fb_par_set(1.0), fb_par_set(1.0), fb_par_set(1.0));
  if (place == FB_PLACE_PERMUTED) {
    const int* from = top->link_from + 3 * i;
    axes.R.x = fb_get_whole(parent, FB_REC_X + from[0]);
    axes.R.y = fb_get_whole(parent, FB_REC_X + from[1]);
    axes.R.z = fb_get_whole(parent, FB_REC_X + from[2]);
    axes.sign = fb_par3_of(P, FB_PAR_SIGN);
  } else if (place == FB_PLACE_UPRIGHT) {
    fb_m3 E = fb_k_identity();
    axes.R.x = fb_w3_of(E.x);
    axes.R.y = fb_w3_of(E.y);
    axes.R.z = fb_w3_of(E.z);
  } else {
    axes.R = fb_w33_multiply_par(fb_k_whole_axes(parent), fb_par9_of(P, FB_PAR_PLACE));
  }
  return axes;
}

/* R_j, signs taken. */
FB_K fb_w33 fb_k_signed(fb_k_axes axes) {
  fb_w33 R;
  R.x = fb_w3_scale(fb_par_real(axes.sign.x), axes.R.x);
  R.y = fb_w3_scale(fb_par_real(axes.sign.y), axes.R.y);
  R.z = fb_w3_scale(fb_par_real(axes.sign.z), axes.R.z);
  return R;
}

/* R_j Rz(q): the signs go into sine and cosine, off the way from link to link. */
FB_K fb_w33 fb_k_turn_z(fb_k_axes axes, fb_real s, fb_real c) {
  fb_w33 R;
  R.x = fb_w3_axpy(fb_w3_scale(c * axes.sign.x, axes.R.x), s * axes.sign.y, axes.R.y);
  R.y = fb_w3_axpy(fb_w3_scale(c * axes.sign.y, axes.R.y), -(s * axes.sign.x), axes.R.x);
  R.z = fb_w3_scale(fb_par_real(axes.sign.z), axes.R.z);
  return R;
}

/* Keeps the axes of a place, world axes, for joints whose axes turn out of their link's: three columns. */
FB_K void fb_k_store_axes(fb_data* d, int v, fb_w33 R_j) {
  fb_st3(d->axes, v, fb_w3_parts(R_j.x));
  fb_st3(d->axes, v + 1, fb_w3_parts(R_j.y));
  fb_st3(d->axes, v + 2, fb_w3_parts(R_j.z));
}

/* A link as the outward step leaves it: axes of its joint (revolute and helical links use z alone, and have the others
 * turned already), its own axes, and the way from the parent's origin. */
typedef struct fb_k_pose {
  fb_w33 R_j, R;
  fb_w3 arm;
} fb_k_pose;

FB_K fb_k_pose fb_k_link_pose(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* parent, int kind, int place, const double* q) {
  int at = top->link_q[i], v = top->link_v[i];
  const double* P = fb_link_par(par, i);
  fb_k_axes axes = fb_k_place_axes(top, P, i, parent, place);
  fb_k_pose link;
  link.arm = fb_w33_apply_par(fb_k_whole_axes(parent), fb_par3_of(P, FB_PAR_AT));
  if (kind == FB_LINK_REVOLUTE || kind == FB_LINK_HELICAL)
    link.R = link.R_j = fb_k_turn_z(axes, fb_ld(d->sine, at), fb_ld(d->cosine, at));
  else
    link.R = link.R_j = fb_k_signed(axes);
  switch (kind) {
    case FB_LINK_PRISMATIC:
    case FB_LINK_HELICAL:
      link.arm = fb_w3_axpy(link.arm, fb_par1(P, FB_PAR_SLIDE) * fb_ld(q, at), link.R.z);
      break;
    case FB_LINK_SPHERICAL:
      fb_k_store_axes(d, v, link.R_j);
      link.R = fb_w33_multiply(link.R_j, fb_quat_matrix(fb_quat_load(q, at)));
      break;
    case FB_LINK_FREE:
      fb_k_store_axes(d, v, link.R_j);
      fb_k_store_axes(d, v + 3, link.R_j);
      link.arm = fb_w3_add(link.arm, fb_w33_apply(link.R_j, fb_ld3_at(q, at)));
      link.R = fb_w33_multiply(link.R_j, fb_quat_matrix(fb_quat_load(q, at + 3)));
      break;
    default:
      break;
  }
  return link;
}

/* Angular and linear motion of a link relative to its parent, S x. The z axis of a link of one coordinate is its
 * joint's, before and after the motion. */
FB_K void fb_k_joint_motion(const double* P, int kind, fb_w33 R_j, const double* x, int v, fb_w3* angular,
                            fb_w3* linear) {
  *angular = *linear = fb_w3_of(fb_v3_zero());
  switch (kind) {
    case FB_LINK_FIXED:
      break;
    case FB_LINK_REVOLUTE:
      *angular = fb_w3_scale(fb_ld(x, v), R_j.z);
      break;
    case FB_LINK_SPHERICAL:
      *angular = fb_w33_apply(R_j, fb_ld3_at(x, v));
      break;
    case FB_LINK_FREE:
      *linear = fb_w33_apply(R_j, fb_ld3_at(x, v));
      *angular = fb_w33_apply(R_j, fb_ld3_at(x, v + 3));
      break;
    default:
      *angular = fb_w3_scale(fb_par1(P, FB_PAR_TURN) * fb_ld(x, v), R_j.z);
      *linear = fb_w3_scale(fb_par1(P, FB_PAR_SLIDE) * fb_ld(x, v), R_j.z);
  }
}

/* Link i on its parent's record; `kind`, `place` and `wants` are constants wherever speed counts. */
FB_K void fb_k_outward_link(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                            const double* parent, int kind, int place, int outputs, const double* q,
                            const double* v, const double* vdot) {
  double* link = fb_link(d, i);
  const double* P = fb_link_par(par, i);
  fb_k_pose at = fb_k_link_pose(top, par, d, i, parent, kind, place, q);
  fb_put_whole(link, FB_REC_X, at.R.x);
  fb_put_whole(link, FB_REC_Y, at.R.y);
  fb_put_whole(link, FB_REC_Z, at.R.z);
  fb_put_whole(link, FB_REC_ARM, at.arm);
  fb_put_whole(link, FB_REC_P, fb_w3_add(fb_get_whole(parent, FB_REC_P), at.arm));
  if (outputs == FB_K_POSES) return;

  fb_w3 w_p = fb_get_whole(parent, FB_REC_W), carried = fb_w3_cross(w_p, at.arm), dw, dv;
  fb_k_joint_motion(P, kind, at.R_j, v, top->link_v[i], &dw, &dv);
  fb_put_whole(link, FB_REC_W, fb_w3_add(w_p, dw));
  if (outputs & FB_K_VELOCITY)
    fb_put_whole(link, FB_REC_V, fb_w3_add(fb_w3_add(fb_get_whole(parent, FB_REC_V), carried), dv));
  if (!(outputs & FB_K_ACCELERATION)) return;

  fb_w3 wdot_p = fb_get_whole(parent, FB_REC_WDOT), ddw, ddv;
  if (kind != FB_LINK_REVOLUTE) carried = fb_w3_axpy(carried, fb_set(2.0), dv);
  fb_w3 a = fb_w3_add(fb_get_whole(parent, FB_REC_A), fb_w3_cross(wdot_p, at.arm));
  fb_w3 wdot = fb_w3_add(wdot_p, fb_w3_cross(w_p, dw));
  a = fb_w3_add(a, fb_w3_cross(w_p, carried));
  if (vdot) {
    fb_k_joint_motion(P, kind, at.R_j, vdot, top->link_v[i], &ddw, &ddv);
    wdot = fb_w3_add(wdot, ddw);
    if (kind != FB_LINK_REVOLUTE) a = fb_w3_add(a, ddv);
  }
  fb_put_whole(link, FB_REC_WDOT, wdot);
  fb_put_whole(link, FB_REC_A, a);
}

/* --- runs of links --- */

FB_K void fb_k_outward_run(const fb_topology* top, const fb_parameters* par, fb_data* d, int run, int kind,
                           int place, int outputs, const double* q, const double* v, const double* vdot) {
  int first = top->run_first[run], end = top->run_end[run];
  const double* parent = fb_link(d, top->link_parent[first]);
  for (int i = first; i < end; i++) {
    fb_k_outward_link(top, par, d, i, parent, kind, place, outputs, q, v, vdot);
    parent = fb_link(d, i);
  }
}

/* Revolute links, which most are. */
FB_K void fb_k_outward_revolute(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                int outputs, const double* q, const double* v, const double* vdot) {
  if (top->link_place[top->run_first[run]] == FB_PLACE_ANY)
    fb_k_outward_run(top, par, d, run, FB_LINK_REVOLUTE, FB_PLACE_ANY, outputs, q, v, vdot);
  else
    fb_k_outward_run(top, par, d, run, FB_LINK_REVOLUTE, FB_PLACE_PERMUTED, outputs, q, v, vdot);
}
FB_APART void fb_k_revolute_poses(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                  const double* q) {
  fb_k_outward_revolute(top, par, d, run, FB_K_POSES, q, NULL, NULL);
}
FB_APART void fb_k_revolute_velocities(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                       const double* q, const double* v) {
  fb_k_outward_revolute(top, par, d, run, FB_K_VELOCITY, q, v, NULL);
}
FB_APART void fb_k_revolute_motion(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                   const double* q, const double* v, const double* vdot) {
  fb_k_outward_revolute(top, par, d, run, FB_K_VELOCITY | FB_K_ACCELERATION, q, v, vdot);
}
FB_APART void fb_k_revolute_turning(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                    const double* q, const double* v) {
  fb_k_outward_revolute(top, par, d, run, FB_K_TURNING | FB_K_ACCELERATION, q, v, NULL);
}
FB_APART void fb_k_revolute_known(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                  const double* q, const double* v, const double* vdot) {
  fb_k_outward_revolute(top, par, d, run, FB_K_TURNING | FB_K_ACCELERATION, q, v, vdot);
}

/* Any other links. */
FB_APART void fb_k_any_outward(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                               int outputs, const double* q, const double* v, const double* vdot) {
  int kind = top->run_kind[run], place = top->link_place[top->run_first[run]];
  if (kind == FB_LINK_FREE && place == FB_PLACE_UPRIGHT)
    fb_k_outward_run(top, par, d, run, FB_LINK_FREE, FB_PLACE_UPRIGHT, outputs, q, v, vdot);
  else
    fb_k_outward_run(top, par, d, run, kind, place, outputs, q, v, vdot);
}

/* The whole sweep. `wants` is a constant where this is called. */
FB_K void fb_k_outward(const fb_topology* top, const fb_parameters* par, fb_data* d, int outputs,
                       const double* q, const double* v, const double* vdot) {
  fb_k_angles(top, d, q);
  for (int run = 0; run < top->nrun; run++) {
    if (top->run_kind[run] != FB_LINK_REVOLUTE)
      fb_k_any_outward(top, par, d, run, outputs, q, v, vdot);
    else if (outputs == FB_K_POSES)
      fb_k_revolute_poses(top, par, d, run, q);
    else if (outputs == FB_K_VELOCITY)
      fb_k_revolute_velocities(top, par, d, run, q, v);
    else if (outputs & FB_K_VELOCITY)
      fb_k_revolute_motion(top, par, d, run, q, v, vdot);
    else if (vdot)
      fb_k_revolute_known(top, par, d, run, q, v, vdot);
    else
      fb_k_revolute_turning(top, par, d, run, q, v);
  }
}

/* The sweep with which dynamics begins: gravity, uniform and a value for each lane (NULL: none), enters once, at the root.
 * vdot: what is known of the accelerations, zero elsewhere; NULL: nothing is. */
FB_K void fb_k_outward_in(const fb_topology* top, const fb_parameters* par, fb_data* d,
                          const double* gravity_w, const double* q, const double* v, const double* vdot) {
  fb_k_world(d, gravity_w ? fb_v3_sub(fb_v3_zero(), fb_ld3(gravity_w, 0)) : fb_v3_zero());
  fb_k_outward(top, par, d, FB_K_TURNING | FB_K_ACCELERATION, q, v, vdot);
  d->level = FB_LEVEL_POSE;
  d->com_level = FB_LEVEL_NONE;
}

/* --- axes --- */

/* How coordinate k moves link i: angular, and linear at the link's origin, world axes. */
FB_K void fb_k_axis_of(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i, int kind,
                       int k, fb_v3* angular, fb_v3* linear) {
  *angular = *linear = fb_v3_zero();
  if (kind == FB_LINK_FIXED) return;
  if (kind == FB_LINK_SPHERICAL || (kind == FB_LINK_FREE && k >= top->link_v[i] + 3)) {
    *angular = fb_ld3(d->axes, k);
  } else if (kind == FB_LINK_FREE) {
    *linear = fb_ld3(d->axes, k);
  } else {
    const double* P = fb_link_par(par, i);
    fb_v3 z = fb_get3(fb_link(d, i), FB_REC_Z);
    *angular = kind == FB_LINK_REVOLUTE ? z : fb_v3_scale(fb_par_real(fb_par1(P, FB_PAR_TURN)), z);
    if (kind != FB_LINK_REVOLUTE) *linear = fb_v3_scale(fb_par_real(fb_par1(P, FB_PAR_SLIDE)), z);
  }
}
FB_K void fb_k_axis(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i, int k,
                    fb_v3* angular, fb_v3* linear) {
  fb_k_axis_of(top, par, d, i, top->link_kind[i], k, angular, linear);
}

FB_K void fb_k_kinematics(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                          const double* v, const double* vdot) {
  fb_k_world(d, fb_v3_zero());
  if (!v)
    fb_k_outward(top, par, d, FB_K_POSES, q, NULL, NULL);
  else if (!vdot)
    fb_k_outward(top, par, d, FB_K_VELOCITY, q, v, NULL);
  else
    fb_k_outward(top, par, d, FB_K_VELOCITY | FB_K_ACCELERATION, q, v, vdot);
  d->level = !v ? FB_LEVEL_POSE : !vdot ? FB_LEVEL_VELOCITY : FB_LEVEL_ACCELERATION;
  d->com_level = FB_LEVEL_NONE;
}

#endif
