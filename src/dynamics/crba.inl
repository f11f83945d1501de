/* crba.inl -- inertia matrix by composite rigid bodies
 *
 *   composite inertia of the subtree (m, h, I) at each link's origin, world axes, inward:
 *     m' = m,  h' = h + m l,  I' = I + 2 (l.u) E - (u l^T + l u^T),  u = h + m l / 2
 *   F = Ic S,  H_jk = S_j^T F_k for j on the path from k to the world, F shifted on the way
 *
 * (Featherstone 2008, ch. 6.) Entries off the branches stay zero. Armature adds to the diagonal.
 * Reads q.  Writes H (nv x nv, row major, both triangles), R_wl, p_wl, Ic.  Cost O(n depth). */
#ifndef FB_DYNAMICS_CRBA_INL
#define FB_DYNAMICS_CRBA_INL

#include "dynamics/outward.inl"

typedef struct fb_k_composite {
  fb_real mass;
  fb_v3 h;
  fb_s3 I;
} fb_k_composite;

FB_K fb_k_composite fb_k_load_composite(const fb_data* d, int i) {
  fb_k_composite c;
  c.mass = fb_ld(d->Ic, 10 * i);
  c.h = fb_ld3_at(d->Ic, 10 * i + 1);
  c.I = fb_ld_s3(d->Ic, 10 * i + 4);
  return c;
}

FB_K void fb_k_store_composite(fb_data* d, int i, fb_k_composite c) {
  fb_st(d->Ic, 10 * i, c.mass);
  fb_st(d->Ic, 10 * i + 1, c.h.x);
  fb_st(d->Ic, 10 * i + 2, c.h.y);
  fb_st(d->Ic, 10 * i + 3, c.h.z);
  fb_st_s3(d->Ic, 10 * i + 4, c.I);
}

FB_K void fb_k_own_inertia(const fb_model* m, fb_data* d, int i, fb_m3 R) {
  fb_k_composite c;
  c.mass = fb_set(m->par.link_mass[i]);
  c.h = fb_m3_apply_par(R, m->par.link_h + 3 * i);
  c.I = fb_s3_rotate_par(R, m->par.link_I + 6 * i);
  fb_k_store_composite(d, i, c);
}

/* Adds the composite of link i, moved by l to the parent's origin. */
FB_K void fb_k_pass_inertia(fb_data* d, int parent, fb_k_composite c, fb_v3 l) {
  fb_k_composite sum = fb_k_load_composite(d, parent);
  fb_v3 u = fb_v3_axpy(c.h, 0.5 * c.mass, l);
  fb_real twice = 2.0 * fb_v3_dot(l, u);
  sum.mass = sum.mass + c.mass;
  sum.h = fb_v3_add(sum.h, fb_v3_axpy(c.h, c.mass, l));
  sum.I.xx = sum.I.xx + (c.I.xx + (twice - 2.0 * u.x * l.x));
  sum.I.yy = sum.I.yy + (c.I.yy + (twice - 2.0 * u.y * l.y));
  sum.I.zz = sum.I.zz + (c.I.zz + (twice - 2.0 * u.z * l.z));
  sum.I.xy = sum.I.xy + (c.I.xy - (u.x * l.y + l.x * u.y));
  sum.I.xz = sum.I.xz + (c.I.xz - (u.x * l.z + l.x * u.z));
  sum.I.yz = sum.I.yz + (c.I.yz - (u.y * l.z + l.y * u.z));
  fb_k_store_composite(d, parent, sum);
}

FB_K void fb_k_set_pair(double* H, int nv, int j, int k, fb_real x) {
  fb_st(H, j * nv + k, x);
  fb_st(H, k * nv + j, x);
}

/* Rows of the joint of link i in column k, for a force (n, f) at the link's origin. */
FB_K void fb_k_crba_rows(const fb_model* m, const fb_data* d, int i, int k, fb_v3 n, fb_v3 f, double* H) {
  int nv = m->top.nv, v = m->top.link_v[i];
  switch (m->top.link_kind[i]) {
    case FB_LINK_FREE:
      for (int j = v; j < v + 3; j++) {
        fb_k_set_pair(H, nv, j, k, fb_v3_dot(fb_ld3(d->axes, j), f));
        fb_k_set_pair(H, nv, j + 3, k, fb_v3_dot(fb_ld3(d->axes, j + 3), n));
      }
      break;
    case FB_LINK_SPHERICAL:
      for (int j = v; j < v + 3; j++) fb_k_set_pair(H, nv, j, k, fb_v3_dot(fb_ld3(d->axes, j), n));
      break;
    case FB_LINK_FIXED:
      break;
    default:
      fb_k_set_pair(H, nv, v, k, fb_k_project(m, d, i, v, n, f));
  }
}

/* Column k of H, which belongs to link i: its own joint's rows, then every ancestor's. */
FB_K void fb_k_crba_column(const fb_model* m, const fb_data* d, int i, int k, fb_k_composite c, double* H) {
  fb_v3 s_w, s_v;
  fb_k_axis(m, d, i, k, &s_w, &s_v);
  fb_v3 n = fb_v3_add(fb_s3_apply(c.I, s_w), fb_v3_cross(c.h, s_v));
  fb_v3 f = fb_v3_sub(fb_v3_scale(c.mass, s_v), fb_v3_cross(c.h, s_w));
  fb_k_crba_rows(m, d, i, k, n, f, H);
  for (int at = i, up = m->top.link_parent[i]; up > 0; at = up, up = m->top.link_parent[up]) {
    n = fb_v3_add(n, fb_v3_cross(fb_v3_sub(fb_ld3(d->p_wl, at), fb_ld3(d->p_wl, up)), f));
    fb_k_crba_rows(m, d, up, k, n, f, H);
  }
  fb_st(H, k * (m->top.nv + 1), fb_ld(H, k * (m->top.nv + 1)) + m->par.armature[k]);
}

FB_K void fb_k_crba(const fb_model* m, fb_data* d, const double* q, double* H) {
  fb_k_world_pose(d);
  fb_k_angles(m, d, q);
  memset(H, 0, (size_t)m->top.nv * (size_t)m->top.nv * FB_WIDTH * sizeof(double));
  for (int i = 1; i < m->top.nlink; i++) {
    fb_k_link link = fb_k_link_pose(m, d, i, q);
    fb_k_own_inertia(m, d, i, link.R);
  }
  for (int i = m->top.nlink - 1; i > 0; i--) {
    int first = m->top.link_v[i], end = first + fb_k_link_nv(m->top.link_kind[i]),
        parent = m->top.link_parent[i];
    fb_k_composite c = fb_k_load_composite(d, i);
    for (int k = first; k < end; k++) fb_k_crba_column(m, d, i, k, c, H);
    if (parent > 0) fb_k_pass_inertia(d, parent, c, fb_v3_sub(fb_ld3(d->p_wl, i), fb_ld3(d->p_wl, parent)));
  }
  d->level = FB_LEVEL_POSE;
  d->com_level = FB_LEVEL_NONE;
}

#endif
