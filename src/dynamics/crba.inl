/* crba.inl -- inertia matrix by composite rigid bodies
 *
 *   composite inertia of the subtree (m, h, I) at each link's origin, world axes, inward:
 *     m' = m,  h' = h + m l,  I' = I + 2 (l.u) E - (u l^T + l u^T),  u = h + m l / 2
 *   F = Ic S of each coordinate, in a slot; slots follow the links, so a subtree's are contiguous
 *   H_jk = S_j^T F_k for all slots k of the subtree of j, then all of them move on to the parent
 *
 * (Featherstone 2008, ch. 6, with the loop over descendants inside.) Rows are filled in groups: up to four revolute
 * links, each carrying only the next, share the origin of the first of them. What is below moves there once, and the
 * rows are products of six terms, four slots at a time. Other links are groups by themselves.
 * Entries off the branches stay zero. Armature adds to the diagonal.
 * Reads q.  Writes H (nv x nv, row major; both triangles, or the lower one alone), of the records
 * MASS, H, I_DIAGONAL, I_OFF and what kinematics.inl writes of poses, and the slots d->F.  Cost O(n depth). */
#ifndef FB_DYNAMICS_CRBA_INL
#define FB_DYNAMICS_CRBA_INL

#include "kinematics/kinematics.inl"

/* --- composites --- */

/* Links alone, a block at a time. */
FB_K void fb_k_composite_begin(double* link, const double* P) {
  fb_m3 R = fb_block_axes(link);
  fb_s3 I = fb_s3_rotate_par(R, fb_par6_of(P, FB_PAR_I));
  fb_block_put3(link, FB_REC_H, fb_m3_apply_par(R, fb_par3_of(P, FB_PAR_H)));
  fb_block_put3(link, FB_REC_I_DIAGONAL, fb_v3_make(I.xx, I.yy, I.zz));
  fb_block_put3(link, FB_REC_I_OFF, fb_v3_make(I.yz, I.xz, I.xy));
}
FB_APART void fb_k_composites_begin(const fb_topology* top, const fb_parameters* par, fb_data* d) {
  for (int first = 0; first < top->nlink; first += FB_LINKS) {
    double block[FB_BLOCK_SIZE] __attribute__((aligned(64)));
    const double* P = fb_link_par(par, first);
    fb_block_in_axes(block, d, first);
    FB_INDEPENDENT
    for (int i = 0; i < FB_LINKS; i++) fb_k_composite_begin(block + i, P + i);
    fb_block_out(block, d, first, FB_REC_H);
    fb_block_out(block, d, first, FB_REC_I_DIAGONAL);
    fb_block_out(block, d, first, FB_REC_I_OFF);
    for (int i = 0; i < FB_LINKS; i++)
      fb_st(fb_link(d, first + i), FB_STEP * FB_REC_MASS, fb_par_real(fb_par1(P + i, FB_PAR_MASS)));
  }
}

/* Mass, m c, and I: xx yy zz; yz xz xy. */
typedef struct fb_k_composite {
  fb_real mass;
  fb_w3 h, diagonal, off;
} fb_k_composite;

FB_K fb_k_composite fb_k_get_composite(const double* link) {
  fb_k_composite c;
  c.mass = fb_ld(link, FB_STEP * FB_REC_MASS);
  c.h = fb_get_whole(link, FB_REC_H);
  c.diagonal = fb_get_whole(link, FB_REC_I_DIAGONAL);
  c.off = fb_get_whole(link, FB_REC_I_OFF);
  return c;
}
FB_K void fb_k_put_composite(double* link, fb_k_composite c) {
  fb_st(link, FB_STEP * FB_REC_MASS, c.mass);
  fb_put_whole(link, FB_REC_H, c.h);
  fb_put_whole(link, FB_REC_I_DIAGONAL, c.diagonal);
  fb_put_whole(link, FB_REC_I_OFF, c.off);
}

/* c, moved by l, and the composite of the parent so far. */
FB_K fb_k_composite fb_k_composite_pass(fb_k_composite c, fb_w3 l, fb_k_composite parent) {
  fb_w3 u = fb_w3_axpy(c.h, 0.5 * c.mass, l), squares = fb_w3_times(fb_w3_add(l, l), u);
  fb_w3 products = fb_w3_times(fb_w3_next(u), fb_w3_last(l));
  products = fb_w3_add(products, fb_w3_times(fb_w3_last(u), fb_w3_next(l)));
  parent.mass = parent.mass + c.mass;
  parent.h = fb_w3_add(parent.h, fb_w3_axpy(c.h, c.mass, l));
  parent.diagonal = fb_w3_add(parent.diagonal, fb_w3_add(fb_w3_next(squares), fb_w3_last(squares)));
  parent.diagonal = fb_w3_add(parent.diagonal, c.diagonal);
  parent.off = fb_w3_add(fb_w3_axpy(parent.off, fb_set(-1.0), products), c.off);
  return parent;
}

/* A run, last link first; the composite on its way stays in c. */
FB_APART void fb_k_compose_run(const fb_topology* top, fb_data* d, int run) {
  int first = top->run_first[run], last = top->run_end[run] - 1;
  const double* link = fb_link(d, last);
  fb_k_composite c = fb_k_get_composite(link);
  for (int i = last; i >= first; i--) {
    int on = i > first ? i - 1 : top->link_parent[first];
    double* parent = fb_link(d, on);
    if (on == 0) return;
    c = fb_k_composite_pass(c, fb_get_whole(link, FB_REC_ARM), fb_k_get_composite(parent));
    fb_k_put_composite(parent, c);
    link = parent;
  }
}

/* How a coordinate moves, and the force of its unit acceleration. */
typedef struct fb_k_unit {
  fb_v3 w, v, n, f;
} fb_k_unit;

/* n and f of (w, v), all at the link's origin. */
FB_K void fb_k_unit_force(const double* link, fb_k_unit* S) {
  fb_v3 h = fb_get3(link, FB_REC_H), i = fb_get3(link, FB_REC_I_DIAGONAL), o = fb_get3(link, FB_REC_I_OFF),
        w = S->w;
  fb_v3 spin = fb_v3_make(i.x * w.x + o.z * w.y + o.y * w.z, o.z * w.x + i.y * w.y + o.x * w.z,
                          o.y * w.x + o.x * w.y + i.z * w.z);
  S->n = fb_v3_add(spin, fb_v3_cross(h, S->v));
  S->f = fb_v3_axpy(fb_v3_cross(w, h), fb_ld(link, FB_STEP * FB_REC_MASS), S->v);
}

/* One slot of the forces, whose numbers are `next` apart. */
FB_K fb_k_unit fb_k_get_force(const double* F, ptrdiff_t next) {
  fb_k_unit x;
  x.n = fb_v3_make(fb_ld(F, 0), fb_ld(F + next, 0), fb_ld(F + 2 * next, 0));
  x.f = fb_v3_make(fb_ld(F + 3 * next, 0), fb_ld(F + 4 * next, 0), fb_ld(F + 5 * next, 0));
  return x;
}
FB_K void fb_k_set_force(double* F, ptrdiff_t next, const fb_k_unit* x) {
  fb_st(F, 0, x->n.x);
  fb_st(F + next, 0, x->n.y);
  fb_st(F + 2 * next, 0, x->n.z);
  fb_st(F + 3 * next, 0, x->f.x);
  fb_st(F + 4 * next, 0, x->f.y);
  fb_st(F + 5 * next, 0, x->f.z);
}

/* --- where H is written --- */

typedef struct fb_k_target {
  double* H;
  int nv, lower; /* 1: the lower triangle alone */
} fb_k_target;

FB_K double* fb_k_row_at(fb_k_target to, int j) {
  return to.H + (ptrdiff_t)j * to.nv * FB_WIDTH;
}

/* H_jk and H_kj, j and k not the same. */
FB_K void fb_k_set_pair(fb_k_target to, int j, int k, fb_real x) {
  if (!to.lower || j > k) fb_st(fb_k_row_at(to, j), k, x);
  if (!to.lower || k > j) fb_st(fb_k_row_at(to, k), j, x);
}

/* --- groups of revolute links --- */

/* Four slots, or the four links of a group: moments n and forces f of unit accelerations, x y z of all. */
typedef struct fb_k_forces {
  fb_fours n, f;
} fb_k_forces;

FB_K fb_k_forces fb_k_forces_load(const double* F, ptrdiff_t next) {
  fb_k_forces x;
  x.n.x = fb_four_load(F);
  x.n.y = fb_four_load(F + next);
  x.n.z = fb_four_load(F + 2 * next);
  x.f.x = fb_four_load(F + 3 * next);
  x.f.y = fb_four_load(F + 4 * next);
  x.f.z = fb_four_load(F + 5 * next);
  return x;
}
FB_K void fb_k_numbers_store(double* at, fb_four x, int count) {
  if (count == 4) fb_four_store(at, x);
  for (int i = 0; i < count && count < 4; i++) fb_st(at, i, fb_four_lane(x, i));
}
FB_K void fb_k_moments_store(double* F, ptrdiff_t next, fb_fours n, int count) {
  fb_k_numbers_store(F, n.x, count);
  fb_k_numbers_store(F + next, n.y, count);
  fb_k_numbers_store(F + 2 * next, n.z, count);
}

/* How the coordinates of a group move at its origin, (w, v) of all of them, and what a unit acceleration of each
 * takes. */
typedef struct fb_k_group {
  fb_fours w, v;
  fb_k_forces F;
  fb_four pivot;
  fb_v3 span; /* from its origin to that of its last link */
} fb_k_group;

/* At the origin of the first of `count` links; pivots at the links' own. */
FB_K fb_k_group fb_k_group_of(const fb_data* d, int first, int count) {
  fb_fours z = fb_get_fours(d, first, count, FB_REC_Z), arm = fb_get_fours(d, first, count, FB_REC_ARM), at;
  fb_fours h = fb_get_fours(d, first, count, FB_REC_H), I = fb_get_fours(d, first, count, FB_REC_I_DIAGONAL);
  fb_fours off = fb_get_fours(d, first, count, FB_REC_I_OFF);
  fb_k_group g;
  g.F.n.x = fb_four_plus_times(fb_four_plus_times(fb_four_times(I.x, z.x), off.z, z.y), off.y, z.z);
  g.F.n.y = fb_four_plus_times(fb_four_plus_times(fb_four_times(off.z, z.x), I.y, z.y), off.x, z.z);
  g.F.n.z = fb_four_plus_times(fb_four_plus_times(fb_four_times(off.y, z.x), off.x, z.y), I.z, z.z);
  at.x = fb_four_running(arm.x);
  at.y = fb_four_running(arm.y);
  at.z = fb_four_running(arm.z);
  g.w = z;
  g.v = fb_fours_cross_each(at, z);
  g.F.f = fb_fours_cross_each(z, h);
  g.pivot = fb_fours_dot_each(z, g.F.n);
  g.F.n = fb_fours_add(g.F.n, fb_fours_cross_each(at, g.F.f));
  g.span =
      fb_v3_make(fb_four_lane(at.x, count - 1), fb_four_lane(at.y, count - 1), fb_four_lane(at.z, count - 1));
  return g;
}

/* One coordinate of the group, for four slots at once. */
typedef struct fb_k_row {
  fb_fours w, v;
} fb_k_row;

/* Row a of H in four slots; the first link turns about the group's origin, v = 0. */
FB_K fb_four fb_k_row_times(const fb_k_row* S, int a, fb_k_forces x) {
  fb_four turning = fb_fours_dot_each(S[a].w, x.n);
  if (a == 0) return turning;
  return fb_four_add(turning, fb_fours_dot_each(S[a].v, x.f));
}

/* Entries of the group among themselves, its forces into their slots. */
FB_K void fb_k_group_entries(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                             int first, int count, const fb_k_group* g, fb_k_row* S) {
  ptrdiff_t next = (ptrdiff_t)to.nv * FB_WIDTH;
  double* F = fb_from(d->F, top->link_slot[first]);
  fb_k_moments_store(F, next, g->F.n, count);
  fb_k_moments_store(F + 3 * next, next, g->F.f, count);
  FB_UNROLL(4)
  for (int a = 0; a < count; a++) {
    int j = top->link_v[first + a];
    S[a].w = fb_fours_spread(g->w, a);
    S[a].v = fb_fours_spread(g->v, a);
    fb_four row = fb_k_row_times(S, a, g->F);
    fb_st(fb_k_row_at(to, j), j, fb_four_lane(g->pivot, a) + fb_ld_par(par->armature, j));
    FB_UNROLL(4)
    for (int k = a + 1; k < count; k++) fb_k_set_pair(to, j, top->link_v[first + k], fb_four_lane(row, k));
  }
}

/* `count` rows, from that of `slot` on, in four slots from s on: to H in the order of slots, or each to its
 * coordinates. */
FB_K void fb_k_rows_store(const fb_topology* top, fb_k_target to, int slot, int count, int s,
                          const fb_four* row) {
  ptrdiff_t next = (ptrdiff_t)to.nv * FB_WIDTH;
  double *rows = fb_from(fb_k_row_at(to, slot), s), *columns = fb_from(fb_k_row_at(to, s), slot);
  if (!top->in_order) {
    for (int a = 0; a < count; a++)
      for (int k = 0; k < 4; k++)
        fb_k_set_pair(to, top->slot_v[slot + a], top->slot_v[s + k], fb_four_lane(row[a], k));
    return;
  }
  FB_UNROLL(6)
  for (int a = 0; a < count; a++)
    if (!to.lower) fb_four_store(rows + a * next, row[a]);
  if (count >= 4) fb_four_store_across(columns, to.nv, row[0], row[1], row[2], row[3]);
  FB_UNROLL(6)
  for (int a = count >= 4 ? 4 : 0; a < count; a++) {
    FB_UNROLL(4)
    for (int k = 0; k < 4; k++) fb_st(columns + k * next, a, fb_four_lane(row[a], k));
  }
}
/* The same in one slot. */
FB_K void fb_k_column_store(const fb_topology* top, fb_k_target to, int slot, int count, int s,
                            const fb_real* column) {
  ptrdiff_t next = (ptrdiff_t)to.nv * FB_WIDTH;
  double *rows = fb_from(fb_k_row_at(to, slot), s), *columns = fb_from(fb_k_row_at(to, s), slot);
  if (!top->in_order) {
    for (int a = 0; a < count; a++) fb_k_set_pair(to, top->slot_v[slot + a], top->slot_v[s], column[a]);
    return;
  }
  FB_UNROLL(6)
  for (int a = 0; a < count; a++) {
    fb_st(columns, a, column[a]);
    if (!to.lower) fb_st(rows + a * next, 0, column[a]);
  }
}

/* All slots that hang on one child of the group's last link: their forces move to the group's origin, by l. */
FB_K void fb_k_group_below(const fb_topology* top, fb_data* d, fb_k_target to, int slot, int count,
                           const fb_k_group* g, const fb_k_row* S, fb_v3 l, int s, int end) {
  ptrdiff_t next = (ptrdiff_t)to.nv * FB_WIDTH;
  for (; FB_PACKED && s + 4 <= end; s += 4) {
    double* F = fb_from(d->F, s);
    fb_k_forces x = fb_k_forces_load(F, next);
    fb_four row[4];
    x.n = fb_fours_plus_cross(x.n, l, x.f);
    fb_k_moments_store(F, next, x.n, 4);
    FB_UNROLL(4)
    for (int a = 0; a < count; a++) row[a] = fb_k_row_times(S, a, x);
    fb_k_rows_store(top, to, slot, count, s, row);
  }
  for (; s < end; s++) {
    fb_k_unit x = fb_k_get_force(fb_from(d->F, s), next);
    x.n = fb_v3_add(x.n, fb_v3_cross(l, x.f));
    fb_k_set_force(fb_from(d->F, s), next, &x);
    fb_four entries = fb_four_add(fb_fours_dot(x.n, g->w), fb_fours_dot(x.f, g->v));
    fb_real column[4];
    FB_UNROLL(4)
    for (int a = 0; a < count; a++) column[a] = fb_four_lane(entries, a);
    fb_k_column_store(top, to, slot, count, s, column);
  }
}

/* `count` links, i the last, each carrying only the next. */
FB_K void fb_k_group_rows(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to, int i,
                          int count) {
  int first = i - count + 1;
  fb_k_group g = fb_k_group_of(d, first, count);
  fb_k_row S[4];
  fb_k_group_entries(top, par, d, to, first, count, &g, S);
  for (int child = top->link_child[i]; child > 0; child = top->link_next[child])
    fb_k_group_below(top, d, to, top->link_slot[first], count, &g, S,
                     fb_v3_add(g.span, fb_get3(fb_link(d, child), FB_REC_ARM)), top->link_slot[child],
                     top->link_slot_end[child]);
}
FB_APART void fb_k_revolute_1(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                              int i) {
  fb_k_group_rows(top, par, d, to, i, 1);
}
FB_APART void fb_k_revolute_2(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                              int i) {
  fb_k_group_rows(top, par, d, to, i, 2);
}
FB_APART void fb_k_revolute_3(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                              int i) {
  fb_k_group_rows(top, par, d, to, i, 3);
}
FB_APART void fb_k_revolute_4(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                              int i) {
  fb_k_group_rows(top, par, d, to, i, 4);
}

/* --- other joints --- */

/* The rows of `count` coordinates of a joint in the slots s .. end of one child, whose forces come to the link's origin
 * by l; beyond a joint on the world they are not needed. */
FB_K void fb_k_joint_below(const fb_topology* top, fb_data* d, fb_k_target to, int i, int count,
                           const fb_k_unit* S, fb_v3 l, int s, int end) {
  int slot = top->link_slot[i], goes_on = top->link_parent[i] > 0;
  ptrdiff_t next = (ptrdiff_t)to.nv * FB_WIDTH;
  for (; FB_PACKED && s + 4 <= end; s += 4) {
    fb_k_forces x = fb_k_forces_load(fb_from(d->F, s), next);
    fb_four row[6];
    x.n = fb_fours_plus_cross(x.n, l, x.f);
    if (goes_on) fb_k_moments_store(fb_from(d->F, s), next, x.n, 4);
    FB_UNROLL(6)
    for (int r = 0; r < count; r++)
      row[r] = fb_four_add(fb_fours_dot(S[r].w, x.n), fb_fours_dot(S[r].v, x.f));
    fb_k_rows_store(top, to, slot, count, s, row);
  }
  for (; s < end; s++) {
    fb_k_unit x = fb_k_get_force(fb_from(d->F, s), next);
    x.n = fb_v3_add(x.n, fb_v3_cross(l, x.f));
    if (goes_on) fb_k_set_force(fb_from(d->F, s), next, &x);
    fb_real column[6];
    FB_UNROLL(6)
    for (int r = 0; r < count; r++) column[r] = fb_v3_dot(S[r].w, x.n) + fb_v3_dot(S[r].v, x.f);
    fb_k_column_store(top, to, slot, count, s, column);
  }
}
FB_K void fb_k_joint_rows_below(const fb_topology* top, fb_data* d, fb_k_target to, int i, int count,
                                const fb_k_unit* S) {
  for (int child = top->link_child[i]; child > 0; child = top->link_next[child])
    fb_k_joint_below(top, d, to, i, count, S, fb_get3(fb_link(d, child), FB_REC_ARM), top->link_slot[child],
                     top->link_slot_end[child]);
}

/* The rows of the joint of link i; w and v of S are given, n and f are found here. */
FB_K void fb_k_joint_rows(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to, int i,
                          int count, fb_k_unit* S) {
  int v = top->link_v[i];
  const double* link = fb_link(d, i);
  FB_UNROLL(6)
  for (int k = 0; k < count; k++) {
    fb_k_unit_force(link, &S[k]);
    if (top->link_parent[i] > 0)
      fb_k_set_force(fb_from(d->F, top->link_slot[i] + k), (ptrdiff_t)to.nv * FB_WIDTH, &S[k]);
    fb_real pivot = fb_v3_dot(S[k].w, S[k].n) + fb_v3_dot(S[k].v, S[k].f);
    fb_st(fb_k_row_at(to, v + k), v + k, pivot + fb_ld_par(par->armature, v + k));
    FB_UNROLL(6)
    for (int j = 0; j < k; j++)
      fb_k_set_pair(to, v + j, v + k, fb_v3_dot(S[j].w, S[k].n) + fb_v3_dot(S[j].v, S[k].f));
  }
  fb_k_joint_rows_below(top, d, to, i, count, S);
}
FB_APART void fb_k_sliding_rows(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                                int i) {
  fb_k_unit S;
  fb_k_axis(top, par, d, i, top->link_v[i], &S.w, &S.v);
  fb_k_joint_rows(top, par, d, to, i, 1, &S);
}
FB_APART void fb_k_spherical_rows(const fb_topology* top, const fb_parameters* par, fb_data* d,
                                  fb_k_target to, int i) {
  fb_k_unit S[3];
  for (int k = 0; k < 3; k++)
    fb_k_axis_of(top, par, d, i, FB_LINK_SPHERICAL, top->link_v[i] + k, &S[k].w, &S[k].v);
  fb_k_joint_rows(top, par, d, to, i, 3, S);
}
FB_APART void fb_k_free_rows(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                             int i) {
  fb_k_unit S[6];
  for (int k = 0; k < 6; k++)
    fb_k_axis_of(top, par, d, i, FB_LINK_FREE, top->link_v[i] + k, &S[k].w, &S[k].v);
  fb_k_joint_rows(top, par, d, to, i, 6, S);
}
/* A free joint upright on the world: its axes are known here, so that its rows are f and n themselves. */
FB_APART void fb_k_base_rows(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                             int i) {
  fb_m3 E = fb_k_identity();
  const fb_v3 axes[3] = {E.x, E.y, E.z};
  fb_k_unit S[6];
  FB_UNROLL(3)
  for (int k = 0; k < 3; k++) {
    S[k].v = S[k + 3].w = axes[k];
    S[k].w = S[k + 3].v = fb_v3_zero();
  }
  fb_k_joint_rows(top, par, d, to, i, 6, S);
}

/* The forces of everything below a link without coordinates, moved to its origin. */
FB_K void fb_k_move_forces(const fb_topology* top, fb_data* d, fb_k_target to, int i) {
  fb_k_joint_rows_below(top, d, to, i, 0, NULL);
}

/* --- the whole --- */

/* Fills the rows of the group that ends with link i; how many links it has. */
FB_K int fb_k_crba_group(const fb_topology* top, const fb_parameters* par, fb_data* d, fb_k_target to,
                         int i) {
  int count = top->link_group[i];
  switch (top->link_kind[i]) {
    case FB_LINK_FIXED:
      fb_k_move_forces(top, d, to, i);
      break;
    case FB_LINK_SPHERICAL:
      fb_k_spherical_rows(top, par, d, to, i);
      break;
    case FB_LINK_FREE:
      if (top->link_place[i] == FB_PLACE_UPRIGHT)
        fb_k_base_rows(top, par, d, to, i);
      else
        fb_k_free_rows(top, par, d, to, i);
      break;
    case FB_LINK_REVOLUTE:
      if (count == 4)
        fb_k_revolute_4(top, par, d, to, i);
      else if (count == 3)
        fb_k_revolute_3(top, par, d, to, i);
      else if (count == 2)
        fb_k_revolute_2(top, par, d, to, i);
      else
        fb_k_revolute_1(top, par, d, to, i);
      break;
    default:
      fb_k_sliding_rows(top, par, d, to, i);
  }
  return count;
}

FB_K void fb_k_clear_matrix(fb_k_target to) {
  if (!to.lower) fb_clear(to.H, to.nv * to.nv);
  for (int j = 0; to.lower && j < to.nv; j++) fb_clear(fb_k_row_at(to, j), j + 1);
}

FB_K void fb_k_crba(const fb_topology* top, const fb_parameters* par, fb_data* d, const double* q, int lower,
                    double* H) {
  fb_k_target to;
  to.H = H;
  to.nv = top->nv;
  to.lower = lower;
  fb_k_world(d, fb_v3_zero());
  fb_k_outward(top, par, d, FB_K_POSES, q, NULL, NULL);
  fb_k_composites_begin(top, par, d);
  for (int run = top->nrun - 1; run >= 0; run--) fb_k_compose_run(top, d, run);
  if (!top->one_chain) fb_k_clear_matrix(to); /* else every entry is filled */
  for (int i = top->nlink - 1; i > 0;) i -= fb_k_crba_group(top, par, d, to, i);
  d->level = FB_LEVEL_POSE;
  d->com_level = FB_LEVEL_NONE;
}

#endif
