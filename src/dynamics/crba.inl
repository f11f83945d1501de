/* crba.inl -- inertia matrix by composite rigid bodies
 *
 *   composite inertia of the subtree (m, h, I) at each link's origin, world axes, inward:
 *     m' = m,  h' = h + m l,  I' = I + 2 (l.u) E - (u l^T + l u^T),  u = h + m l / 2
 *   F = Ic S of each coordinate, in a slot; slots follow the links, so a subtree's are contiguous
 *   H_jk = S_j^T F_k for all slots k of the subtree of j, then all of them move on to the parent
 *
 * (Featherstone 2008, ch. 6, with the loop over descendants inside, which compilers turn into vectors.)
 * Entries off the branches stay zero. Armature adds to the diagonal.
 * Reads q.  Writes H (nv x nv, row major, both triangles), R_wl, p_wl, Ic, F.  Cost O(n depth). */
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

/* The link alone, and all that its children have added. */
FB_K fb_k_composite fb_k_whole_inertia(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                       int i) {
  fb_m3 R = fb_ld9(d->R_wl, i);
  fb_k_composite c, sum;
  c.mass = fb_set(par->link_mass[i]);
  c.h = fb_m3_apply_par(R, par->link_h + 3 * i);
  c.I = fb_s3_rotate_par(R, par->link_I + 6 * i);
  if (top->link_leaf[i]) return c;
  sum = fb_k_load_composite(d, i);
  c.mass = c.mass + sum.mass;
  c.h = fb_v3_add(c.h, sum.h);
  c.I = fb_s3_add(c.I, sum.I);
  return c;
}

/* Hands the composite of link i to its parent, moved by l to the parent's origin. */
FB_K void fb_k_pass_inertia(const fb_topology* top, fb_data* d, int i, fb_k_composite c) {
  int parent = top->link_parent[i];
  fb_v3 l = fb_ld3(d->arm_l, i), u = fb_v3_axpy(c.h, 0.5 * c.mass, l);
  fb_real twice = 2.0 * fb_v3_dot(l, u);
  c.h = fb_v3_axpy(c.h, c.mass, l);
  c.I.xx = c.I.xx + (twice - 2.0 * u.x * l.x);
  c.I.yy = c.I.yy + (twice - 2.0 * u.y * l.y);
  c.I.zz = c.I.zz + (twice - 2.0 * u.z * l.z);
  c.I.xy = c.I.xy - (u.x * l.y + l.x * u.y);
  c.I.xz = c.I.xz - (u.x * l.z + l.x * u.z);
  c.I.yz = c.I.yz - (u.y * l.z + l.y * u.z);
  if (!top->link_first[i]) {
    fb_k_composite sum = fb_k_load_composite(d, parent);
    c.mass = c.mass + sum.mass;
    c.h = fb_v3_add(c.h, sum.h);
    c.I = fb_s3_add(c.I, sum.I);
  }
  fb_k_store_composite(d, parent, c);
}

FB_K void fb_k_set_pair(double* H, int nv, int j, int k, fb_real x) {
  fb_st(H, j * nv + k, x);
  fb_st(H, k * nv + j, x);
}

/* Rows v .. of a joint in column k: S^T (n, f). `kind` is a constant where this is called; the rows of an
 * upright base (a free joint whose place has the world's axes) are n and f themselves. */
enum { FB_K_UPRIGHT = -1 };
FB_K void fb_k_crba_rows(const fb_data* d, int kind, int v, fb_v3 s_w, fb_v3 s_v, int k, fb_v3 n, fb_v3 f,
                         int nv, double* H) {
  switch (kind) {
    case FB_LINK_FIXED:
      break;
    case FB_LINK_REVOLUTE:
      fb_k_set_pair(H, nv, v, k, fb_v3_dot(s_w, n));
      break;
    case FB_LINK_PRISMATIC:
      fb_k_set_pair(H, nv, v, k, fb_v3_dot(s_v, f));
      break;
    case FB_LINK_HELICAL:
      fb_k_set_pair(H, nv, v, k, fb_v3_dot(s_w, n) + fb_v3_dot(s_v, f));
      break;
    case FB_LINK_SPHERICAL:
      for (int j = v; j < v + 3; j++) fb_k_set_pair(H, nv, j, k, fb_v3_dot(fb_ld3(d->axes, j), n));
      break;
    case FB_K_UPRIGHT:
      fb_k_set_pair(H, nv, v, k, f.x);
      fb_k_set_pair(H, nv, v + 1, k, f.y);
      fb_k_set_pair(H, nv, v + 2, k, f.z);
      fb_k_set_pair(H, nv, v + 3, k, n.x);
      fb_k_set_pair(H, nv, v + 4, k, n.y);
      fb_k_set_pair(H, nv, v + 5, k, n.z);
      break;
    default:
      for (int j = v; j < v + 3; j++) {
        fb_k_set_pair(H, nv, j, k, fb_v3_dot(fb_ld3(d->axes, j), f));
        fb_k_set_pair(H, nv, j + 3, k, fb_v3_dot(fb_ld3(d->axes, j + 3), n));
      }
  }
}

/* Brings the forces of everything below link i to its origin, n + l x f, and fills the rows of its joint. */
FB_K void fb_k_crba_below(const fb_topology* top, const fb_parameters* par, fb_data* d, int i, int kind,
                          double* H) {
  int nv = top->nv, v = top->link_v[i];
  double *nx = d->F, *ny = nx + nv * FB_WIDTH, *nz = ny + nv * FB_WIDTH;
  const double *fx = nz + nv * FB_WIDTH, *fy = fx + nv * FB_WIDTH, *fz = fy + nv * FB_WIDTH;
  fb_v3 s_w, s_v;
  fb_k_axis(top, par, d, i, v, &s_w, &s_v);
  for (int child = top->link_child[i]; child > 0; child = top->link_next[child]) {
    fb_v3 l = fb_ld3(d->arm_l, child);
    for (int s = top->link_slot[child]; s < top->link_slot_end[child]; s++) {
      fb_v3 f = fb_v3_make(fb_ld(fx, s), fb_ld(fy, s), fb_ld(fz, s));
      fb_v3 n = fb_v3_add(fb_v3_make(fb_ld(nx, s), fb_ld(ny, s), fb_ld(nz, s)), fb_v3_cross(l, f));
      fb_st(nx, s, n.x);
      fb_st(ny, s, n.y);
      fb_st(nz, s, n.z);
      fb_k_crba_rows(d, kind, v, s_w, s_v, top->slot_v[s], n, f, nv, H);
    }
  }
}

/* Ic S of coordinate k of link i, into its slot, and the joint's own rows in column k. */
FB_K void fb_k_crba_own(const fb_topology* top, const fb_parameters* par, fb_data* d, int i, int kind, int k,
                        fb_k_composite c, double* H) {
  int nv = top->nv, v = top->link_v[i], slot = top->link_slot[i] + k - v;
  fb_v3 s_w, s_v, n, f;
  fb_k_axis(top, par, d, i, k, &s_w, &s_v);
  n = fb_s3_apply(c.I, s_w);
  f = fb_v3_cross(s_w, c.h);
  if (kind != FB_LINK_REVOLUTE) {
    n = fb_v3_add(n, fb_v3_cross(c.h, s_v));
    f = fb_v3_axpy(f, c.mass, s_v);
  }
  fb_st(d->F, slot, n.x);
  fb_st(d->F, nv + slot, n.y);
  fb_st(d->F, 2 * nv + slot, n.z);
  fb_st(d->F, 3 * nv + slot, f.x);
  fb_st(d->F, 4 * nv + slot, f.y);
  fb_st(d->F, 5 * nv + slot, f.z);
  fb_k_crba_rows(d, kind, v, s_w, s_v, k, n, f, nv, H);
  fb_st(H, k * (nv + 1), fb_ld(H, k * (nv + 1)) + par->armature[k]);
}

/* The block of a floating base, [m E, -h~; h~, I] in the axes of its place. */
FB_K void fb_k_crba_floating(const fb_topology* top, const fb_data* d, int v, fb_k_composite c, double* H) {
  int nv = top->nv;
  fb_v3 x = fb_ld3(d->axes, v), y = fb_ld3(d->axes, v + 1), z = fb_ld3(d->axes, v + 2);
  fb_v3 h = fb_v3_make(fb_v3_dot(x, c.h), fb_v3_dot(y, c.h), fb_v3_dot(z, c.h));
  fb_v3 Ix = fb_s3_apply(c.I, x), Iy = fb_s3_apply(c.I, y), Iz = fb_s3_apply(c.I, z);
  for (int k = 0; k < 3; k++) fb_st(H, (v + k) * (nv + 1), c.mass);
  fb_k_set_pair(H, nv, v, v + 4, h.z);
  fb_k_set_pair(H, nv, v, v + 5, 0.0 - h.y);
  fb_k_set_pair(H, nv, v + 1, v + 3, 0.0 - h.z);
  fb_k_set_pair(H, nv, v + 1, v + 5, h.x);
  fb_k_set_pair(H, nv, v + 2, v + 3, h.y);
  fb_k_set_pair(H, nv, v + 2, v + 4, 0.0 - h.x);
  fb_k_set_pair(H, nv, v + 3, v + 3, fb_v3_dot(x, Ix));
  fb_k_set_pair(H, nv, v + 4, v + 4, fb_v3_dot(y, Iy));
  fb_k_set_pair(H, nv, v + 5, v + 5, fb_v3_dot(z, Iz));
  fb_k_set_pair(H, nv, v + 3, v + 4, fb_v3_dot(x, Iy));
  fb_k_set_pair(H, nv, v + 3, v + 5, fb_v3_dot(x, Iz));
  fb_k_set_pair(H, nv, v + 4, v + 5, fb_v3_dot(y, Iz));
}

/* One link of a known kind: what is below it, its own columns. */
FB_K void fb_k_crba_link(const fb_topology* top, const fb_parameters* par, fb_data* d, int i, int kind,
                         double* H) {
  int parent = top->link_parent[i], v = top->link_v[i];
  fb_k_composite c = fb_k_whole_inertia(top, par, d, i);
  if (kind == FB_LINK_FREE && parent == 0 && top->link_upright[i])
    fb_k_crba_below(top, par, d, i, FB_K_UPRIGHT, H);
  else
    fb_k_crba_below(top, par, d, i, kind, H);
  if (kind == FB_LINK_FREE && parent == 0) {
    fb_k_crba_floating(top, d, v, c, H);
    return;
  }
  for (int k = v; k < v + fb_k_link_nv(kind); k++) fb_k_crba_own(top, par, d, i, kind, k, c, H);
  if (parent > 0) fb_k_pass_inertia(top, d, i, c);
}

FB_K void fb_k_crba(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q,
                    double* H) {
  fb_k_world_pose(d);
  fb_k_angles(top, d, q);
  memset(H, 0, (size_t)top->nv * (size_t)top->nv * FB_WIDTH * sizeof(double));
  for (int i = 1; i < top->nlink; i++) fb_k_link_pose(top, par, d, i, q);
  for (int i = top->nlink - 1; i > 0; i--) switch (top->link_kind[i]) {
      case FB_LINK_REVOLUTE:
        fb_k_crba_link(top, par, d, i, FB_LINK_REVOLUTE, H);
        break;
      case FB_LINK_PRISMATIC:
        fb_k_crba_link(top, par, d, i, FB_LINK_PRISMATIC, H);
        break;
      case FB_LINK_HELICAL:
        fb_k_crba_link(top, par, d, i, FB_LINK_HELICAL, H);
        break;
      case FB_LINK_SPHERICAL:
        fb_k_crba_link(top, par, d, i, FB_LINK_SPHERICAL, H);
        break;
      case FB_LINK_FREE:
        fb_k_crba_link(top, par, d, i, FB_LINK_FREE, H);
        break;
      default:
        fb_k_crba_link(top, par, d, i, FB_LINK_FIXED, H);
        break;
    }
  d->level = FB_LEVEL_POSE;
  d->com_level = FB_LEVEL_NONE;
}

#endif
