/* momentum_matrix.c -- the momentum of a floating tree as a matrix, and its rate
 *
 * About the base origin p_0 (which moves with v_0), world axes, for each link the composite of its subtree:
 *   m = sum m_i,   h = sum m_i r_i,   J = sum (I_i + m_i r_i~^T r_i~),      r_i = c_i - p_0
 * A coordinate whose motion is (s_w; u at p_0) then gives the momentum
 *   P = m u + s_w x h,      L = J s_w + h x u
 * which is its column of H_bm, and H_b = [m E, -h~; h~, J]: [Yoshida 1999] (19)-(22) with their errata, on trees with
 * any joint. Rates are those of the same products, with
 *   h_i' = w x h_i + m r',    J_i' = w~ I_i - I_i w~ + the shift's rate,    u' and s_w' as in jacobian.inl
 * Reads R_wl, p_wl, axes; for rates w_l, v_l.  Cost O(n). */
#include <string.h>

#include "floating/floating.h"
#include "kinematics/jacobian.inl"

typedef struct composite {
  double mass;
  fb_v3 h;
  fb_s3 J;
  fb_v3 h_dot;
  fb_s3 J_dot;
} composite;

static composite load_composite(const fb_floating* f, int i) {
  const double* x = f->composite + FB_COMPOSITE_SIZE * i;
  return (composite){x[0], fb_ld3_at(x, 1), fb_ld_s3(x, 4), fb_ld3_at(x, 10), fb_ld_s3(x, 13)};
}

static void store_composite(fb_floating* f, int i, composite c) {
  double* x = f->composite + FB_COMPOSITE_SIZE * i;
  x[0] = c.mass;
  fb_st3_at(x, 1, c.h);
  fb_st_s3(x, 4, c.J);
  fb_st3_at(x, 10, c.h_dot);
  fb_st_s3(x, 13, c.J_dot);
}

/* a b^T + b a^T */
static fb_s3 outer_twice(fb_v3 a, fb_v3 b) {
  return (fb_s3){2 * a.x * b.x,         2 * a.y * b.y,         2 * a.z * b.z,
                 a.x * b.y + a.y * b.x, a.x * b.z + a.z * b.x, a.y * b.z + a.z * b.y};
}

/* A + 2 (a.b) E - (a b^T + b a^T) */
static fb_s3 add_shift(fb_s3 A, fb_v3 a, fb_v3 b) {
  fb_s3 o = outer_twice(a, b);
  double e = 2 * fb_v3_dot(a, b);
  return (fb_s3){A.xx + e - o.xx, A.yy + e - o.yy, A.zz + e - o.zz, A.xy - o.xy, A.xz - o.xz, A.yz - o.yz};
}

/* w~ A - A w~ */
static fb_s3 turn_rate(fb_s3 A, fb_v3 w) {
  fb_v3 x = fb_v3_cross(w, fb_v3_make(A.xx, A.xy, A.xz));
  fb_v3 y = fb_v3_cross(w, fb_v3_make(A.xy, A.yy, A.yz));
  fb_v3 z = fb_v3_cross(w, fb_v3_make(A.xz, A.yz, A.zz));
  return (fb_s3){2 * x.x, 2 * y.y, 2 * z.z, x.y + y.x, x.z + z.x, y.z + z.y};
}

/* One link alone, about a point p_0 that moves with v_0. */
static composite of_link(const fb_floating* f, int i, fb_v3 p_0, fb_v3 v_0) {
  const double *link = fb_link(f->d, i), *P = fb_link_par(f->d->par, i);
  fb_m3 R = fb_get_axes(link);
  composite c = {.mass = fb_par1(P, FB_PAR_MASS)};
  fb_v3 h = fb_m3_apply_par(R, fb_par3_of(P, FB_PAR_H)), r = fb_v3_sub(fb_get3(link, FB_REC_P), p_0);
  fb_s3 I = fb_s3_rotate_par(R, fb_par6_of(P, FB_PAR_I));
  fb_v3 u = fb_v3_axpy(h, 0.5 * c.mass, r);
  c.h = fb_v3_axpy(h, c.mass, r);
  c.J = add_shift(I, u, r);
  if (!f->has_rates) return c;
  fb_v3 w = fb_get3(link, FB_REC_W), r_dot = fb_v3_sub(fb_get3(link, FB_REC_V), v_0),
        h_dot = fb_v3_cross(w, h);
  fb_v3 u_dot = fb_v3_axpy(h_dot, 0.5 * c.mass, r_dot);
  c.h_dot = fb_v3_axpy(h_dot, c.mass, r_dot);
  c.J_dot = add_shift(add_shift(turn_rate(I, w), u_dot, r), u, r_dot);
  return c;
}

static composite sum(composite a, composite b) {
  return (composite){a.mass + b.mass, fb_v3_add(a.h, b.h), fb_s3_add(a.J, b.J), fb_v3_add(a.h_dot, b.h_dot),
                     fb_s3_add(a.J_dot, b.J_dot)};
}

static void fill_composites(fb_floating* f, fb_v3 p_0, fb_v3 v_0) {
  for (int i = f->root; i < f->m->top.nlink; i++)
    if (f->on_tree[i]) store_composite(f, i, of_link(f, i, p_0, v_0));
  for (int i = f->m->top.nlink - 1; i > f->root; i--) {
    if (!f->on_tree[i]) continue;
    int parent = f->m->top.link_parent[i];
    store_composite(f, parent, sum(load_composite(f, parent), load_composite(f, i)));
  }
}

/* [m E, -h~; h~, J] */
static void base_block(double mass, fb_v3 h, fb_s3 J, double H[36]) {
  const double block[36] = {
      mass, 0, 0,    0,    h.z,  -h.y, /**/ 0,    mass, 0,   -h.z, 0,    h.x,
      0,    0, mass, h.y,  -h.x, 0,    /**/ 0,    -h.z, h.y, J.xx, J.xy, J.xz,
      h.z,  0, -h.x, J.xy, J.yy, J.yz, /**/ -h.y, h.x,  0,   J.xz, J.yz, J.zz,
  };
  memcpy(H, block, sizeof block);
}

static void set_column(double* A, int nj, int j, fb_v3 linear, fb_v3 angular) {
  const double x[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (int row = 0; row < 6; row++) A[row * nj + j] = x[row];
}

/* Momentum of a composite that moves with (w, v at p_0). */
static fb_v3 linear_of(double mass, fb_v3 h, fb_v3 w, fb_v3 v) {
  return fb_v3_axpy(fb_v3_cross(w, h), mass, v);
}

static fb_v3 angular_of(fb_v3 h, fb_s3 J, fb_v3 w, fb_v3 v) {
  return fb_v3_add(fb_s3_apply(J, w), fb_v3_cross(h, v));
}

static void fill_column(fb_floating* f, int i, int k, fb_v3 p_0, fb_v3 v_0) {
  composite c = load_composite(f, i);
  fb_v3 s_w, s_v, u_dot, w_dot;
  fb_k_axis(&f->m->top, f->d->par, f->d, i, k, &s_w, &s_v);
  fb_v3 arm = fb_v3_sub(p_0, fb_get3(fb_link(f->d, i), FB_REC_P)), u = fb_v3_add(s_v, fb_v3_cross(s_w, arm));
  set_column(f->Hbm, f->nj, f->column[k], linear_of(c.mass, c.h, s_w, u), angular_of(c.h, c.J, s_w, u));
  if (!f->has_rates) return;
  fb_k_rate_column(&f->m->top, f->d->par, f->d, i, k, arm, v_0, &u_dot, &w_dot);
  set_column(f->Hbm_dot, f->nj, f->column[k],
             fb_v3_add(linear_of(c.mass, c.h, w_dot, u_dot), linear_of(0, c.h_dot, s_w, u)),
             fb_v3_add(angular_of(c.h, c.J, w_dot, u_dot), angular_of(c.h_dot, c.J_dot, s_w, u)));
}

void fb_floating_fill_momentum_matrix(fb_floating* f) {
  const fb_topology* t = &f->m->top;
  fb_v3 p_0 = fb_k_site_position(&f->m->top, f->d->par, f->d, f->base);
  fb_v3 v_0 = f->has_rates ? fb_k_site_velocity(&f->m->top, f->d->par, f->d, f->base) : fb_v3_zero();
  fill_composites(f, p_0, v_0);
  composite whole = load_composite(f, f->root);
  base_block(whole.mass, whole.h, whole.J, f->Hb);
  base_block(0, whole.h_dot, whole.J_dot, f->Hb_dot);
  for (int i = f->root + 1; i < t->nlink; i++) {
    if (!f->on_tree[i]) continue;
    for (int k = t->link_v[i]; k < t->link_v[i] + t->link_nv[i]; k++) fill_column(f, i, k, p_0, v_0);
  }
}
