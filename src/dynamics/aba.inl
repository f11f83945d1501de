/* aba.inl -- forward and mixed dynamics by articulated bodies
 *
 *   outward: net forces p at the known accelerations (outward.inl), IA of each link alone
 *   inward, for each coordinate k of a joint, last first:
 *     U = IA S_k,  D = S_k^T U + armature,  u = tau_k - S_k^T p
 *     by force:    IA <- IA - U U^T / D,  p <- p + U u / D
 *     prescribed:  IA and p pass unchanged, u = S_k^T p is kept for its force
 *     then IA and p move to the parent and add up
 *   outward: v'_k = (u - U^T da) / D,  da <- da + S_k v'_k;   prescribed: tau_k = u + U^T da + armature v'_k
 *
 * [Meng 2007] section 5 with its errata ((83), (85), (91), (93), (94)), in another form: velocity products and
 * prescribed accelerations are all in p from the first pass, so the inward pass is linear and any choice of
 * force-driven and prescribed joints is one algorithm. Joints of several coordinates are eliminated one
 * coordinate at a time, which is their LDL^T. A free joint driven by force hides its parent: then da
 * solves IA da = tau - p outright.
 * Reads q, v, tau, known (v' of prescribed coordinates, zero elsewhere; NULL: none), prescribed (per
 * coordinate; NULL: none), the environment.  Writes vdot, tau_out (NULL: not wanted), IA, U, D, u, da_l.  Cost O(n). */
#ifndef FB_DYNAMICS_ABA_INL
#define FB_DYNAMICS_ABA_INL

#include "dynamics/articulated.inl"
#include "dynamics/outward.inl"
#include "kernel/ldl.inl"

FB_K void fb_k_aba_outward(const fb_topology* top, const fb_parameters* par, fb_data* d,
                           const fb_link_env* env, int i, const double* q, const double* v,
                           const double* known) {
  fb_k_link link = fb_k_link_pose(top, par, d, i, q);
  fb_k_motion x = fb_k_link_motion(top, par, d, i, &link, v, known);
  fb_par mass = par->link_mass[i];
  fb_v3 h = fb_m3_apply_par(link.R, par->link_h + 3 * i);
  fb_s3 I = fb_s3_rotate_par(link.R, par->link_I + 6 * i);
  fb_v3 f = fb_v3_axpy(fb_m3_apply(x.W, h), fb_set(mass), x.a);
  fb_v3 n = fb_v3_add(fb_s3_apply(I, x.wdot), fb_v3_cross(x.w, fb_s3_apply(I, x.w)));
  fb_k_store_force(d, i, fb_v3_add(n, fb_v3_cross(h, x.a)), f, env->wrench_l);
  fb_st_s3(d->I_l, 9 * i, I);
  fb_st3_at(d->I_l, 9 * i + 6, h);
}

FB_K fb_k_pair fb_k_axis_pair(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i,
                              int k) {
  fb_k_pair S;
  fb_k_axis(top, par, d, i, k, &S.w, &S.v);
  return S;
}

/* IA S_k, with what is known of S by the kind of the joint. */
FB_K fb_k_pair fb_k_art_axis(const fb_k_art* I, int kind, fb_k_pair S) {
  if (kind == FB_LINK_REVOLUTE)
    return fb_k_pair_make(fb_s3_apply(I->A, S.w), fb_m3_apply_transpose(I->B, S.w));
  if (kind == FB_LINK_PRISMATIC) return fb_k_pair_make(fb_m3_apply(I->B, S.v), fb_s3_apply(I->C, S.v));
  return fb_k_art_apply(*I, S);
}

FB_K fb_real fb_k_axis_dot(int kind, fb_k_pair S, fb_k_pair x) {
  if (kind == FB_LINK_REVOLUTE) return fb_v3_dot(S.w, x.w);
  if (kind == FB_LINK_PRISMATIC) return fb_v3_dot(S.v, x.v);
  return fb_k_pair_dot(S, x);
}

/* What a pivot is measured against: below round-off of this it means nothing. */
FB_K fb_real fb_k_art_size(const fb_k_art* I, int kind) {
  fb_real turn = I->A.xx + I->A.yy + I->A.zz, slide = I->C.xx + I->C.yy + I->C.zz;
  if (kind == FB_LINK_REVOLUTE || kind == FB_LINK_SPHERICAL) return turn;
  if (kind == FB_LINK_PRISMATIC) return slide;
  return turn + slide;
}

/* Takes coordinate k out of IA and p, unless it is prescribed. */
FB_K void fb_k_eliminate(const fb_topology* top, const fb_parameters* par, fb_data* d, int i, int k,
                         const double* tau, int is_prescribed, fb_k_art* I, fb_k_pair* p) {
  int kind = top->link_kind[i];
  fb_k_pair S = fb_k_axis_pair(top, par, d, i, k), U = fb_k_art_axis(I, kind, S);
  fb_real force = fb_k_axis_dot(kind, S, *p);
  fb_k_st_pair(d->U, k, U);
  if (is_prescribed) {
    fb_st(d->u, k, force);
    fb_st(d->D, k, fb_set(1.0));
    fb_st(d->D_scale, k, fb_set(1.0));
    return;
  }
  fb_real reciprocal = 1.0 / (fb_k_axis_dot(kind, S, U) + par->armature[k]);
  fb_real u = fb_ld(tau, k) - force;
  fb_st(d->D, k, reciprocal);
  fb_st(d->D_scale, k, fb_k_art_size(I, kind));
  fb_st(d->u, k, u);
  *I = fb_k_art_downdate(*I, U, reciprocal);
  *p = fb_k_pair_axpy(*p, u * reciprocal, U);
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
FB_K void fb_k_free_rates(const fb_data* d, int v, fb_k_pair own, double* rates) {
  for (int k = 0; k < 3; k++) {
    fb_st(rates, v + k, fb_v3_dot(fb_ld3(d->axes, v + k), own.v));
    fb_st(rates, v + 3 + k, fb_v3_dot(fb_ld3(d->axes, v + 3 + k), own.w));
  }
}

/* A free joint driven by force, in all six: da = IA^-1 (tau - p), and only tau reaches the parent. */
FB_K fb_k_pair fb_k_free_solve(fb_k_art I, fb_k_pair tau, fb_k_pair p, fb_real* reciprocal) {
  fb_real M[36], b[6];
  fb_real C[9] = {I.C.xx, I.C.xy, I.C.xz, I.C.xy, I.C.yy, I.C.yz, I.C.xz, I.C.yz, I.C.zz};
  fb_real A[9] = {I.A.xx, I.A.xy, I.A.xz, I.A.xy, I.A.yy, I.A.yz, I.A.xz, I.A.yz, I.A.zz};
  fb_real B[9] = {I.B.x.x, I.B.y.x, I.B.z.x, I.B.x.y, I.B.y.y, I.B.z.y, I.B.x.z, I.B.y.z, I.B.z.z};
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      M[6 * r + c] = C[3 * r + c];
      M[6 * (r + 3) + c] = B[3 * r + c];
      M[6 * (r + 3) + c + 3] = A[3 * r + c];
    }
  b[0] = tau.v.x - p.v.x;
  b[1] = tau.v.y - p.v.y;
  b[2] = tau.v.z - p.v.z;
  b[3] = tau.w.x - p.w.x;
  b[4] = tau.w.y - p.w.y;
  b[5] = tau.w.z - p.w.z;
  fb_k_ldl6_solve(M, b, reciprocal);
  return fb_k_pair_make(fb_v3_make(b[3], b[4], b[5]), fb_v3_make(b[0], b[1], b[2]));
}

/* Adds what link i hands to its parent. */
FB_K void fb_k_pass_art(const fb_topology* top, fb_data* d, int i, fb_k_art I, fb_k_pair p) {
  int parent = top->link_parent[i];
  if (!top->link_first[i]) I = fb_k_art_add(I, fb_k_ld_art(d->IA, parent));
  fb_k_st_art(d->IA, parent, I);
  fb_k_st_pair(d->f_l, parent, fb_k_pair_axpy(fb_k_ld_pair(d->f_l, parent), fb_set(1.0), p));
}

/* The link alone, and all that its children have added. */
FB_K fb_k_art fb_k_whole_art(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i) {
  fb_k_art I = fb_k_art_rigid(par->link_mass[i], fb_ld3_at(d->I_l, 9 * i + 6), fb_ld_s3(d->I_l, 9 * i));
  return top->link_leaf[i] ? I : fb_k_art_add(I, fb_k_ld_art(d->IA, i));
}

FB_K fb_k_pair fb_k_pair_shift(fb_k_pair x, fb_v3 arm) {
  x.w = fb_v3_add(x.w, fb_v3_cross(arm, x.v));
  return x;
}

/* A free joint driven by force: solved here, and nothing but its wrench goes on. */
FB_K void fb_k_aba_inward_free(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                               const double* tau) {
  fb_k_pair wrench = fb_k_free_wrench(d, top->link_v[i], tau);
  fb_k_art none = fb_k_art_rigid(0.0, fb_v3_zero(), fb_s3_zero());
  fb_real reciprocal[6];
  fb_k_st_pair(d->da_l, i,
               fb_k_free_solve(fb_k_whole_art(top, par, d, i), wrench, fb_k_ld_pair(d->f_l, i), reciprocal));
  for (int k = 0; k < 6; k++) {
    fb_st(d->D, top->link_v[i] + k, reciprocal[k]);
    fb_st(d->D_scale, top->link_v[i] + k, 1.0 / reciprocal[k]);
  }
  if (top->link_parent[i] > 0) fb_k_pass_art(top, d, i, none, fb_k_pair_shift(wrench, fb_ld3(d->arm_l, i)));
}

/* A joint of one coordinate driven by force. IA, U and p move to the parent's origin before U U^T / D is
 * taken off, which is the same and keeps the division off the critical path. */
FB_K void fb_k_aba_inward_one(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* tau) {
  int kind = top->link_kind[i], k = top->link_v[i];
  fb_k_art I = fb_k_whole_art(top, par, d, i);
  fb_k_pair p = fb_k_ld_pair(d->f_l, i), S = fb_k_axis_pair(top, par, d, i, k),
            U = fb_k_art_axis(&I, kind, S);
  fb_real reciprocal = 1.0 / (fb_k_axis_dot(kind, S, U) + par->armature[k]);
  fb_real u = fb_ld(tau, k) - fb_k_axis_dot(kind, S, p);
  fb_v3 arm = fb_ld3(d->arm_l, i);
  fb_k_st_pair(d->U, k, U);
  fb_st(d->D, k, reciprocal);
  fb_st(d->D_scale, k, fb_k_art_size(&I, kind));
  fb_st(d->u, k, u);
  if (top->link_parent[i] == 0) return;
  I = fb_k_art_shift(I, arm);
  U = fb_k_pair_shift(U, arm);
  p = fb_k_pair_axpy(fb_k_pair_shift(p, arm), u * reciprocal, U);
  fb_k_pass_art(top, d, i, fb_k_art_downdate(I, U, reciprocal), p);
}

/* Any joint, any of its coordinates prescribed. */
FB_K void fb_k_aba_inward_any(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* tau, const unsigned char* prescribed) {
  int first = top->link_v[i], nv = fb_k_link_nv(top->link_kind[i]);
  fb_k_art I = fb_k_whole_art(top, par, d, i);
  fb_k_pair p = fb_k_ld_pair(d->f_l, i);
  fb_v3 arm = fb_ld3(d->arm_l, i);
  for (int k = first + nv - 1; k >= first; k--)
    fb_k_eliminate(top, par, d, i, k, tau, prescribed && prescribed[k], &I, &p);
  if (top->link_parent[i] > 0) fb_k_pass_art(top, d, i, fb_k_art_shift(I, arm), fb_k_pair_shift(p, arm));
}

/* Whether no coordinate of the joint is prescribed. */
FB_K int fb_k_gives_way(const unsigned char* prescribed, int first, int nv) {
  int held = 0;
  for (int k = first; prescribed && k < first + nv; k++) held |= prescribed[k];
  return nv > 0 && !held;
}

FB_K void fb_k_aba_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                          const double* tau, const unsigned char* prescribed) {
  int kind = top->link_kind[i], nv = fb_k_link_nv(kind);
  int gives_way = fb_k_gives_way(prescribed, top->link_v[i], nv);
  if (kind == FB_LINK_FREE && gives_way)
    fb_k_aba_inward_free(top, par, d, i, tau);
  else if (nv == 1 && gives_way)
    fb_k_aba_inward_one(top, par, d, i, tau);
  else
    fb_k_aba_inward_any(top, par, d, i, tau, prescribed);
}

/* The acceleration that the parent's unknown part gives to the origin of link i. */
FB_K fb_k_pair fb_k_carried(const fb_topology* top, const fb_data* d, int i) {
  int parent = top->link_parent[i];
  fb_k_pair da = fb_k_ld_pair(d->da_l, parent);
  fb_v3 arm = fb_ld3(d->arm_l, i);
  da.v = fb_v3_add(da.v, fb_v3_cross(da.w, arm));
  return da;
}

FB_K void fb_k_aba_accelerate(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                              const double* known, const unsigned char* prescribed, double* vdot,
                              double* tau_out) {
  int kind = top->link_kind[i], first = top->link_v[i], nv = fb_k_link_nv(kind);
  fb_k_pair da = fb_k_carried(top, d, i);
  if (kind == FB_LINK_FREE && fb_k_gives_way(prescribed, first, nv)) {
    fb_k_free_rates(d, first, fb_k_pair_axpy(fb_k_ld_pair(d->da_l, i), fb_set(-1.0), da), vdot);
    return;
  }
  for (int k = first; k < first + nv; k++) {
    fb_real x = fb_ld(d->u, k), react = fb_k_pair_dot(fb_k_ld_pair(d->U, k), da);
    if (prescribed && prescribed[k]) {
      fb_st(vdot, k, fb_ld(known, k));
      fb_st(tau_out, k, x + react + par->armature[k] * fb_ld(known, k));
      continue;
    }
    x = (x - react) * fb_ld(d->D, k);
    fb_st(vdot, k, x);
    da = fb_k_pair_axpy(da, x, fb_k_axis_pair(top, par, d, i, k));
  }
  fb_k_st_pair(d->da_l, i, da);
}

FB_K void fb_k_mixed(const fb_topology* top, const fb_parameters* par, fb_data* d, const fb_link_env* env,
                     const double* q, const double* v, const double* tau, const double* known,
                     const unsigned char* prescribed, double* vdot, double* tau_out) {
  fb_k_begin(top, d, env, q);
  for (int i = 1; i < top->nlink; i++) fb_k_aba_outward(top, par, d, env, i, q, v, known);
  for (int i = top->nlink - 1; i > 0; i--) fb_k_aba_inward(top, par, d, i, tau, prescribed);
  for (int i = 1; i < top->nlink; i++) fb_k_aba_accelerate(top, par, d, i, known, prescribed, vdot, tau_out);
  d->level = FB_LEVEL_POSE;
  d->com_level = FB_LEVEL_NONE;
}

/* Nothing prescribed: the same text, from which the compiler drops what is not needed. */
FB_K void fb_k_aba(const fb_topology* top, const fb_parameters* par, fb_data* d, const fb_link_env* env,
                   const double* q, const double* v, const double* tau, double* vdot) {
  fb_k_mixed(top, par, d, env, q, v, tau, NULL, NULL, vdot, NULL);
}

#endif
