/* aba.inl -- forward and mixed dynamics by articulated bodies
 *
 *   outward: motion by the known accelerations (kinematics.inl); IA of each link alone and the force p it takes
 *   inward, for each coordinate k of a joint, last first:
 *     U = IA S_k,  D = S_k^T U + armature,  u = tau_k - S_k^T p
 *     by force:    IA <- IA - U U^T / D,  p <- p + U u / D
 *     prescribed:  IA and p pass unchanged, u = S_k^T p is kept for its force
 *     then IA and p move to the parent and add up
 *   outward: v'_k = u / D - K^T da,  da <- da + S_k v'_k;   prescribed: tau_k = u + K^T da + armature v'_k
 *     with K = U / D (prescribed: U), of a joint of one coordinate at the parent's origin, with da of the parent
 *
 * [Meng 2007] section 5 with its errata ((83), (85), (91), (93), (94)), in another form: velocity products and
 * prescribed accelerations are all in p from the first pass, so the inward pass is linear and any choice of
 * force-driven and prescribed joints is one algorithm. Joints of several coordinates are eliminated one
 * coordinate at a time, which is their LDL^T. A free joint driven by force hides its parent: then da
 * solves IA da = tau - p outright. On the world, where da is zero, and of joints of several coordinates K is taken at
 * the link's own origin, so that nothing is lost however far out that is.
 * Free joints have no armature (check.c).
 * The first pass is two kernels, `outward` of kinematics.inl and the beginning of `aba` and `mixed`, so that loads which
 * depend on poses are found between them (loads.inl).
 * Reads what `outward` left with the same known accelerations, wrench_l (moment and force from outside at each link's
 * origin, world axes; NULL: none), tau, known (v' of prescribed coordinates, zero elsewhere), prescribed (per coordinate;
 * NULL: none, and then known and tau_out may be NULL too).  Writes vdot, tau_out (forces of prescribed coordinates),
 * body, K, D (one over each pivot; one where prescribed), D_scale (-1 where prescribed), DA.  Cost O(n). */
#ifndef FB_DYNAMICS_ABA_INL
#define FB_DYNAMICS_ABA_INL

#include "dynamics/articulated.inl"
#include "kernel/ldl.inl"
#include "kinematics/kinematics.inl"

/* --- outward: links alone --- */

/* I and h in world axes, and the net force as in net_force.inl, with I at hand. */
FB_K void fb_k_alone_link(double* link, const double* P) {
  fb_m3 R = fb_block_axes(link);
  fb_v3 w = fb_block_get3(link, FB_REC_W), wdot = fb_block_get3(link, FB_REC_WDOT),
        a = fb_block_get3(link, FB_REC_A);
  fb_v3 h = fb_m3_apply_par(R, fb_par3_of(P, FB_PAR_H));
  fb_s3 I = fb_s3_rotate_par(R, fb_par6_of(P, FB_PAR_I));
  fb_v3 n = fb_v3_add(fb_s3_apply(I, wdot), fb_v3_cross(w, fb_s3_apply(I, w)));
  fb_v3 f = fb_v3_add(fb_v3_cross(wdot, h), fb_v3_cross(w, fb_v3_cross(w, h)));
  fb_block_put3(link, FB_REC_I_DIAGONAL, fb_v3_make(I.xx, I.yy, I.zz));
  fb_block_put3(link, FB_REC_I_OFF, fb_v3_make(I.yz, I.xz, I.xy));
  fb_block_put3(link, FB_REC_H, h);
  fb_block_put3(link, FB_REC_N, fb_v3_add(n, fb_v3_cross(h, a)));
  fb_block_put3(link, FB_REC_F, fb_v3_axpy(f, fb_par_real(fb_par1(P, FB_PAR_MASS)), a));
}

FB_APART void fb_k_aba_alone(const fb_topology* top, const fb_parameters* par, fb_data* d) {
  for (int first = 0; first < top->nlink; first += FB_LINKS) {
    double block[FB_BLOCK_SIZE] __attribute__((aligned(64)));
    const double* P = fb_link_par(par, first);
    fb_block_in_axes(block, d, first);
    fb_block_in(block, d, first, FB_REC_W);
    fb_block_in(block, d, first, FB_REC_WDOT);
    fb_block_in(block, d, first, FB_REC_A);
    FB_INDEPENDENT
    for (int i = 0; i < FB_LINKS; i++) fb_k_alone_link(block + i, P + i);
    fb_k_bodies_begin(top, d, first, block, P);
  }
}

/* Takes wrenches from outside off the forces of the bodies; the last link, with which the way inward begins, first. */
FB_APART void fb_k_bodies_take_off(const fb_topology* top, fb_data* d, const double* wrench_l) {
  for (int i = top->nlink - 1; i > 0; i--) fb_k_body_take_off(top, d, i, fb_k_ext_pair(top, wrench_l, i));
}

/* --- inward --- */

FB_K fb_k_pair fb_k_axis_pair(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i,
                              int kind, int k) {
  fb_k_pair S;
  fb_k_axis_of(top, par, d, i, kind, k, &S.w, &S.v);
  return S;
}

FB_K fb_real fb_k_axis_dot(int kind, fb_k_pair S, fb_v3 n, fb_v3 f) {
  if (kind == FB_LINK_REVOLUTE) return fb_v3_dot(S.w, n);
  return fb_v3_dot(S.w, n) + fb_v3_dot(S.v, f);
}

/* What coordinate k leaves for the way out: K_w, 0, K_v, -u / D; of a prescribed one U_w, 0, U_v, -S^T p. */
enum { FB_SLOT_SIZE = 8 };
FB_K double* fb_k_slot(const fb_data* d, int k) {
  return fb_from(d->K, FB_SLOT_SIZE * k);
}
FB_K fb_k_pair fb_k_slot_pair(const double* slot) {
  return fb_k_pair_make(fb_v3_make(fb_ld(slot, 0), fb_ld(slot, 1), fb_ld(slot, 2)),
                        fb_v3_make(fb_ld(slot, 4), fb_ld(slot, 5), fb_ld(slot, 6)));
}
FB_K fb_real fb_k_slot_rate(const double* slot) {
  return -fb_ld(slot, 7);
}

/* A joint of one coordinate driven by force: its body, moved by l, and that of its parent so far, the coordinate taken
 * out. All adds up there before U U^T / D is taken off: the same, and little is left to wait for the division. */
FB_K fb_k_body fb_k_aba_inward_one(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                   int kind, const double* tau, fb_k_body I, fb_v3 l, fb_k_body parent) {
  int k = top->link_v[i];
  double* slot = fb_k_slot(d, k);
  fb_real zero = fb_set(0.0);
  fb_k_pair S = fb_k_axis_pair(top, par, d, i, kind, k);
  fb_k_axis_load U = fb_k_body_axis(&I, kind, S);
  U.v = fb_four_add(U.v, fb_four_make(zero, zero, zero, -fb_ld(tau, k))); /* [U_v | -u] */
  fb_v3 U_w = fb_four_xyz(U.w), U_v = fb_four_xyz(U.v);
  fb_real reciprocal = fb_reciprocal(fb_k_axis_dot(kind, S, U_w, U_v) + fb_ld_par(par->armature, k));
  fb_st(d->D, k, reciprocal);
  fb_st(d->D_scale, k, fb_k_body_size(&I, kind));
  U_w = fb_v3_add(U_w, fb_v3_cross(l, U_v));
  fb_four K_w = fb_four_scale(reciprocal, fb_four_make(U_w.x, U_w.y, U_w.z, zero));
  fb_four K_v = fb_four_scale(reciprocal, U.v);
  fb_four_store(slot, K_w);
  fb_four_store(fb_from(slot, 4), K_v);
  return fb_k_body_less(fb_k_body_add(fb_k_body_shift(I, l), parent), U_w, U_v, K_w, K_v);
}

FB_K void fb_k_pass_body(const fb_topology* top, fb_data* d, int parent, fb_k_body I) {
  fb_k_body_store(top, d, parent, fb_k_body_add(fb_k_body_load(top, d, parent), I));
}

/* A run of such joints, last link first; the body on its way stays in I. Blocks of rigid links of a run lie side by side. */
FB_K void fb_k_aba_inward_run(const fb_topology* top, const fb_parameters* par, fb_data* d, int run, int kind,
                              const double* tau) {
  int first = top->run_first[run], parent = top->link_parent[first];
  const double* block = fb_k_body_at(top, d, top->run_end[run] - 1);
  fb_k_body I = fb_k_body_read(block);
  for (int i = top->run_end[run] - 1; i > first; i--) {
    fb_v3 l = fb_get3(fb_link(d, i), FB_REC_ARM);
    block -= FB_BODY_SIZE * FB_WIDTH;
    I = fb_k_aba_inward_one(top, par, d, i, kind, tau, I, l, fb_k_body_read(block));
  }
  fb_v3 l = parent > 0 ? fb_get3(fb_link(d, first), FB_REC_ARM) : fb_v3_zero();
  I = fb_k_aba_inward_one(top, par, d, first, kind, tau, I, l, fb_k_body_load(top, d, parent));
  if (parent > 0) fb_k_body_store(top, d, parent, I);
}
FB_APART void fb_k_aba_inward_revolute(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                       const double* tau) {
  fb_k_aba_inward_run(top, par, d, run, FB_LINK_REVOLUTE, tau);
}
FB_APART void fb_k_aba_inward_sliding(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                                      const double* tau) {
  fb_k_aba_inward_run(top, par, d, run, top->run_kind[run], tau);
}

/* The wrench (moment, force) that the coordinates v .. v+5 of a free joint exert, world axes. */
FB_K fb_k_pair fb_k_free_wrench(const fb_data* d, int v, const double* tau) {
  fb_k_pair w = fb_k_pair_make(fb_v3_zero(), fb_v3_zero());
  for (int k = 0; k < 3; k++) {
    w.v = fb_v3_axpy(w.v, fb_ld(tau, v + k), fb_ld3(d->axes, v + k));
    w.w = fb_v3_axpy(w.w, fb_ld(tau, v + 3 + k), fb_ld3(d->axes, v + 3 + k));
  }
  return w;
}

/* The six coordinates, v .. v+5, of a free joint that moves so. */
FB_K void fb_k_free_rates(const fb_data* d, int v, fb_k_pair acceleration, double* rates) {
  for (int k = 0; k < 3; k++) {
    fb_st(rates, v + k, fb_v3_dot(fb_ld3(d->axes, v + k), acceleration.v));
    fb_st(rates, v + 3 + k, fb_v3_dot(fb_ld3(d->axes, v + 3 + k), acceleration.w));
  }
}

/* IA da = force; one over each pivot is left in D of the six coordinates from v on, and in D_scale what it came from:
 * the diagonal of IA. */
FB_K fb_k_pair fb_k_free_solve(fb_data* d, int v, fb_k_body I, fb_k_pair force) {
  fb_real M[36], reciprocal[6];
  fb_real b[6] = {force.v.x, force.v.y, force.v.z, force.w.x, force.w.y, force.w.z};
  fb_k_body_matrix(&I, M);
  FB_UNROLL(6)
  for (int k = 0; k < 6; k++) fb_st(d->D_scale, v + k, M[7 * k]);
  fb_k_ldl6_solve(M, b, reciprocal);
  FB_UNROLL(6)
  for (int k = 0; k < 6; k++) fb_st(d->D, v + k, reciprocal[k]);
  return fb_k_pair_make(fb_v3_make(b[3], b[4], b[5]), fb_v3_make(b[0], b[1], b[2]));
}

/* A free joint driven by force: solved here, and only its wrench is passed on. */
FB_APART void fb_k_aba_inward_free(const fb_topology* top, fb_data* d, int i, const double* tau) {
  int v = top->link_v[i], parent = top->link_parent[i];
  double* link = fb_link(d, i);
  fb_k_pair wrench = fb_k_free_wrench(d, v, tau);
  fb_k_body I = fb_k_body_load(top, d, i);
  fb_k_put_pair(link, FB_REC_DA_W,
                fb_k_free_solve(d, v, I, fb_k_pair_axpy(wrench, fb_set(-1.0), fb_k_body_force(I))));
  if (parent > 0)
    fb_k_pass_body(top, d, parent, fb_k_body_of_force(fb_k_force_shift(wrench, fb_get3(link, FB_REC_ARM))));
}

/* Takes coordinate k out of the body, unless it is prescribed; l leads from the origin at which K is to stand, and the
 * pivot is measured against `size`. */
FB_K fb_k_body fb_k_eliminate(const fb_topology* top, const fb_parameters* par, fb_data* d, int i, int k,
                              const double* tau, int is_prescribed, fb_v3 l, fb_real size, fb_k_body I) {
  int kind = top->link_kind[i];
  double* slot = fb_k_slot(d, k);
  fb_k_pair S = fb_k_axis_pair(top, par, d, i, kind, k);
  fb_k_axis_load U = fb_k_body_axis(&I, kind, S);
  fb_v3 U_w = fb_four_xyz(U.w), U_v = fb_four_xyz(U.v), at_l = fb_v3_add(U_w, fb_v3_cross(l, U_v));
  fb_real zero = fb_set(0.0), reciprocal = fb_set(1.0), scale = fb_set(-1.0), minus_u = -fb_four_w(U.v);
  if (!is_prescribed) {
    reciprocal = fb_reciprocal(fb_k_axis_dot(kind, S, U_w, U_v) + fb_ld_par(par->armature, k));
    scale = size;
    minus_u = fb_four_w(U.v) - fb_ld(tau, k);
  }
  fb_four K_v = fb_four_scale(reciprocal, fb_four_make(U_v.x, U_v.y, U_v.z, minus_u));
  fb_st(d->D, k, reciprocal);
  fb_st(d->D_scale, k, scale);
  fb_four_store(slot, fb_four_scale(reciprocal, fb_four_make(at_l.x, at_l.y, at_l.z, zero)));
  fb_four_store(fb_from(slot, 4), K_v);
  if (is_prescribed) return I;
  return fb_k_body_less(I, U_w, U_v, fb_four_scale(reciprocal, fb_four_make(U_w.x, U_w.y, U_w.z, zero)), K_v);
}

/* From the origin at which K of link i stands to the link's own. */
FB_K fb_v3 fb_k_arm_from_K(const fb_topology* top, const fb_data* d, int i) {
  int at_parent = top->link_parent[i] > 0 && fb_link_is_axial(top->link_kind[i]);
  return at_parent ? fb_get3(fb_link(d, i), FB_REC_ARM) : fb_v3_zero();
}

/* Any joint, any of its coordinates prescribed. */
FB_APART void fb_k_aba_inward_any(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                  const double* tau, const unsigned char* prescribed) {
  int v = top->link_v[i], parent = top->link_parent[i];
  fb_v3 l = fb_k_arm_from_K(top, d, i);
  fb_k_body I = fb_k_body_load(top, d, i);
  fb_real size = fb_k_body_size(&I, top->link_kind[i]); /* with all coordinates still in it */
  for (int k = v + top->link_nv[i] - 1; k >= v; k--)
    I = fb_k_eliminate(top, par, d, i, k, tau, prescribed && prescribed[k], l, size, I);
  if (parent > 0) fb_k_pass_body(top, d, parent, fb_k_body_shift(I, fb_get3(fb_link(d, i), FB_REC_ARM)));
}

/* Whether the joint has coordinates and none of them is prescribed. */
FB_K int fb_k_responds(const unsigned char* prescribed, int first, int nv) {
  int held = 0;
  for (int k = first; prescribed && k < first + nv; k++) held |= prescribed[k];
  return nv > 0 && !held;
}

/* The same for all joints of a run. */
FB_K int fb_k_run_responds(const fb_topology* top, int run, const unsigned char* prescribed) {
  int responds = top->run_kind[run] != FB_LINK_FIXED;
  for (int i = top->run_first[run]; prescribed && i < top->run_end[run]; i++)
    responds &= fb_k_responds(prescribed, top->link_v[i], top->link_nv[i]);
  return responds;
}

FB_K void fb_k_aba_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                          const double* tau, const unsigned char* prescribed) {
  int kind = top->run_kind[run], responds = fb_k_run_responds(top, run, prescribed);
  if (kind == FB_LINK_REVOLUTE && responds)
    fb_k_aba_inward_revolute(top, par, d, run, tau);
  else if (fb_link_is_axial(kind) && responds)
    fb_k_aba_inward_sliding(top, par, d, run, tau);
  else
    for (int i = top->run_end[run] - 1; i >= top->run_first[run]; i--)
      if (kind == FB_LINK_FREE && fb_k_responds(prescribed, top->link_v[i], 6))
        fb_k_aba_inward_free(top, d, i, tau);
      else
        fb_k_aba_inward_any(top, par, d, i, tau, prescribed);
}

/* --- outward: accelerations --- */

/* A run of revolute joints driven by force; da, on its way, is that of the last link met. */
FB_APART void fb_k_accelerate_revolute(const fb_topology* top, fb_data* d, int run, double* vdot) {
  fb_k_pair da = fb_k_get_pair(fb_link(d, top->link_parent[top->run_first[run]]), FB_REC_DA_W);
  for (int i = top->run_first[run]; i < top->run_end[run]; i++) {
    double* link = fb_link(d, i);
    int k = top->link_v[i];
    const double* slot = fb_k_slot(d, k);
    fb_real x = fb_k_slot_rate(slot) - fb_k_pair_dot(fb_k_slot_pair(slot), da);
    fb_st(vdot, k, x);
    da = fb_k_motion_shift(da, fb_get3(link, FB_REC_ARM));
    da.w = fb_v3_axpy(da.w, x, fb_get3(link, FB_REC_Z));
    fb_k_put_pair(link, FB_REC_DA_W, da);
  }
}

/* Any joint, any of its coordinates prescribed. */
FB_APART void fb_k_accelerate_any(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                  const double* known, const unsigned char* prescribed, double* vdot,
                                  double* tau_out) {
  int kind = top->link_kind[i], v = top->link_v[i], nv = top->link_nv[i], axial = fb_link_is_axial(kind);
  double* link = fb_link(d, i);
  fb_v3 arm = fb_get3(link, FB_REC_ARM);
  fb_k_pair da = fb_k_get_pair(fb_link(d, top->link_parent[i]), FB_REC_DA_W);
  if (!axial) da = fb_k_motion_shift(da, arm);
  if (kind == FB_LINK_FREE && fb_k_responds(prescribed, v, nv)) {
    fb_k_free_rates(d, v, fb_k_pair_axpy(fb_k_get_pair(link, FB_REC_DA_W), fb_set(-1.0), da), vdot);
    return;
  }
  for (int k = v; k < v + nv; k++) {
    const double* slot = fb_k_slot(d, k);
    fb_real react = fb_k_pair_dot(fb_k_slot_pair(slot), da), x = fb_k_slot_rate(slot);
    if (axial) da = fb_k_motion_shift(da, arm);
    if (prescribed && prescribed[k]) {
      fb_st(vdot, k, fb_ld(known, k));
      fb_st(tau_out, k, x + react + fb_ld_par(par->armature, k) * fb_ld(known, k));
      continue;
    }
    x = x - react;
    fb_st(vdot, k, x);
    da = fb_k_pair_axpy(da, x, fb_k_axis_pair(top, par, d, i, kind, k));
  }
  fb_k_put_pair(link, FB_REC_DA_W, da);
}

FB_K void fb_k_accelerate(const fb_topology* top, const fb_parameters* par, fb_data* d, int run,
                          const double* known, const unsigned char* prescribed, double* vdot,
                          double* tau_out) {
  if (top->run_kind[run] == FB_LINK_REVOLUTE && fb_k_run_responds(top, run, prescribed))
    fb_k_accelerate_revolute(top, d, run, vdot);
  else
    for (int i = top->run_first[run]; i < top->run_end[run]; i++)
      fb_k_accelerate_any(top, par, d, i, known, prescribed, vdot, tau_out);
}

/* --- the whole --- */

FB_K void fb_k_mixed(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* wrench_l,
                     const double* tau, const double* known, const unsigned char* prescribed, double* vdot,
                     double* tau_out) {
  fb_k_aba_alone(top, par, d);
  if (wrench_l) fb_k_bodies_take_off(top, d, wrench_l);
  for (int run = top->nrun - 1; run >= 0; run--) fb_k_aba_inward(top, par, d, run, tau, prescribed);
  for (int run = 0; run < top->nrun; run++)
    fb_k_accelerate(top, par, d, run, known, prescribed, vdot, tau_out);
}

/* Nothing prescribed: the same text, from which the compiler drops what is not needed. */
FB_K void fb_k_aba(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* wrench_l,
                   const double* tau, double* vdot) {
  fb_k_mixed(top, par, d, wrench_l, tau, NULL, NULL, vdot, NULL);
}

#endif
