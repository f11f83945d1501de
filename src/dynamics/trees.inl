/* trees.inl -- trees of links, each in its own frame
 *
 * A tree is a set of links connected without passing the world. If its first joint is free, its frame is that of its
 * centre of mass, which moves by Newton's second law whatever the internal motion:
 *
 *   r_i, u_i   position and velocity of link i relative to the origin of the base, world axes
 *   P_i = m u + w x h,  L_i = I w + h x u + r x P_i
 *   M c = sum (m r + h),  M u_c = sum P
 *   K   = sum 1/2 (w . (I w + h x u) + u . P) - 1/2 M u_c^2,  L = sum L_i - c x M u_c
 *
 * r and u are sums of arms, of w x arm and of sliding along the joints. The position and velocity of the base do not
 * enter, so that a distant, fast tree gives the same numbers, bit for bit, as one at rest at the origin. All other
 * trees are measured in the world frame, with the potential of uniform gravity.
 * Reads X, Y, Z, ARM and W of the records and axes, as forward dynamics or fb_kinematics leave them.  Writes local
 * [nmoving][FB_TREE_SIZE] (trees.h), link_local [nlink][6]: r and u of each link.  Cost O(n). */
#ifndef FB_DYNAMICS_TREES_INL
#define FB_DYNAMICS_TREES_INL

#include <freebody/dynamics.h>

#include "dynamics/energy.inl"
#include "dynamics/trees.h"

/* Position and motion of a link: r, u, its axes and angular velocity; mass times centre of mass from its own origin,
 * world axes; its momentum. */
typedef struct fb_k_link_motion {
  fb_v3 r, u, w, h, P;
  fb_m3 R;
  fb_real mass;
} fb_k_link_motion;

/* --- sums --- */

FB_K void fb_k_add(double* local, int at, fb_real x) {
  fb_st(local, at, fb_ld(local, at) + x);
}
FB_K void fb_k_add3(double* local, int at, fb_v3 x) {
  fb_st3_at(local, at, fb_v3_add(fb_ld3_at(local, at), x));
}
FB_K fb_real fb_k_magnitude(fb_real x) {
  return fb_pick_lt(x, 0.0, -x, x);
}
FB_K int fb_k_tree_floats(const fb_topology* top, int tree) {
  return top->link_kind[top->tree_link[tree]] == FB_LINK_FREE;
}

/* --- one link --- */

/* The part of x (q, or v) that slides link i along its joint. */
FB_K fb_v3 fb_k_slide(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i,
                      const double* x, int at) {
  int kind = top->link_kind[i], v = top->link_v[i];
  if (kind == FB_LINK_PRISMATIC || kind == FB_LINK_HELICAL)
    return fb_v3_scale(fb_par1(fb_link_par(par, i), FB_PAR_SLIDE) * fb_ld(x, at),
                       fb_get3(fb_link(d, i), FB_REC_Z));
  fb_v3 sum = fb_v3_zero();
  for (int k = 0; kind == FB_LINK_FREE && k < 3; k++)
    sum = fb_v3_axpy(sum, fb_ld(x, at + k), fb_ld3(d->axes, v + k));
  return sum;
}

/* r and u of link i. Parents come first: theirs are in link_local. */
FB_K void fb_k_tree_move(const fb_topology* top, const fb_parameters* par, const fb_data* d, int i,
                         const double* q, const double* v, const double* link_local, fb_k_link_motion* x) {
  int parent = top->link_parent[i], first = top->link_tree[parent] < 0;
  x->r = x->u = fb_v3_zero();
  if (first) {
    if (top->link_kind[i] == FB_LINK_FREE) return; /* it is the base */
    x->r = fb_k_slide(top, par, d, i, q, top->link_q[i]);
  } else {
    fb_v3 arm = fb_get3(fb_link(d, i), FB_REC_ARM);
    x->r = fb_v3_add(fb_ld3(link_local, 2 * parent), arm);
    x->u = fb_v3_add(fb_ld3(link_local, 2 * parent + 1),
                     fb_v3_cross(fb_get3(fb_link(d, parent), FB_REC_W), arm));
  }
  if (top->link_kind[i] != FB_LINK_REVOLUTE)
    x->u = fb_v3_add(x->u, fb_k_slide(top, par, d, i, v, top->link_v[i]));
}

/* Adds a link to the sums of its tree: about the base's origin. */
FB_K void fb_k_tree_energies(const fb_topology* top, const fb_parameters* par, int i,
                             const fb_k_link_motion* x, int floats, fb_v3 g, double* local) {
  fb_par6 I = fb_par6_of(fb_link_par(par, i), FB_PAR_I);
  fb_v3 spin = fb_m3_apply(x->R, fb_s3_apply_par(I, fb_m3_apply_transpose(x->R, x->w)));
  fb_v3 L = fb_v3_add(spin, fb_v3_cross(x->h, x->u));
  fb_k_add(local, FB_TREE_AT(kinetic), 0.5 * (fb_v3_dot(x->w, L) + fb_v3_dot(x->u, x->P)));
  if (floats) {
    fb_real weighed = fb_pick_zero(x->mass, fb_set(1.0), x->mass);
    fb_real carried = 0.5 * fb_v3_dot(x->P, x->P) / weighed;
    fb_k_add(local, FB_TREE_AT(carried), fb_pick_zero(x->mass, fb_set(0.0), carried));
    fb_k_add3(local, FB_TREE_AT(angular), fb_v3_add(L, fb_v3_cross(x->r, x->P)));
    fb_k_add(local, FB_TREE_AT(spread),
             0.5 * (I.xx + I.yy + I.zz) + 2.0 * fb_v3_dot(x->r, x->h) + x->mass * fb_v3_dot(x->r, x->r));
    return;
  }
  fb_v3 moment = fb_v3_axpy(x->h, x->mass, x->r);
  fb_real potential = fb_v3_dot(g, moment);
  fb_k_add(local, FB_TREE_AT(potential), -potential);
  /* Loops leave rates of the order of rounding, with which a level arm at height 0 falls too. */
  fb_k_add(
      local, FB_TREE_AT(potential_size),
      top->nloop == 0 ? fb_k_magnitude(potential) : fb_sqrt(fb_v3_dot(g, g) * fb_v3_dot(moment, moment)));
}

/* The same of momentum and inertia alone. */
FB_K void fb_k_tree_momenta(const fb_parameters* par, int i, const fb_k_link_motion* x, double* local) {
  fb_s3 I = fb_s3_rotate_par(x->R, fb_par6_of(fb_link_par(par, i), FB_PAR_I));
  fb_v3 L = fb_v3_add(fb_s3_apply(I, x->w), fb_v3_cross(x->h, x->u)), r = x->r;
  fb_v3 b = fb_v3_axpy(x->h, 0.5 * x->mass, r); /* I + 2 r.b - r b^T - b r^T about the base's origin */
  fb_real both = 2.0 * fb_v3_dot(r, b);
  double* J = fb_from(local, FB_TREE_AT(inertia));
  fb_k_add3(local, FB_TREE_AT(angular), fb_v3_add(L, fb_v3_cross(r, x->P)));
  fb_k_add3(J, 0,
            fb_v3_make(I.xx + both - 2.0 * r.x * b.x, I.yy + both - 2.0 * r.y * b.y,
                       I.zz + both - 2.0 * r.z * b.z));
  fb_k_add3(J, 3,
            fb_v3_make(I.xy - (r.x * b.y + r.y * b.x), I.xz - (r.x * b.z + r.z * b.x),
                       I.yz - (r.y * b.z + r.z * b.y)));
}

/* --- one tree --- */

/* A sum that is positive but for rounding, unless impossible inertias are kept as given. */
FB_K void fb_k_keep_positive(double* local, int at, fb_real less, int keeps) {
  fb_real x = fb_ld(local, at) - less;
  fb_st(local, at, keeps ? x : fb_pick_lt(x, 0.0, fb_set(0.0), x));
}

/* From the base's origin to the centre of mass: Koenig and Steiner. Nothing changes where there is no mass. */
FB_K void fb_k_tree_to_centre(double* local, int sums, int keeps) {
  fb_real mass = fb_ld(local, FB_TREE_AT(mass)), weighed = fb_pick_zero(mass, fb_set(1.0), mass);
  fb_v3 c = fb_ld3_at(local, FB_TREE_AT(com)), u = fb_ld3_at(local, FB_TREE_AT(com_v));
  c = fb_v3_make(c.x / weighed, c.y / weighed, c.z / weighed);
  u = fb_v3_make(u.x / weighed, u.y / weighed, u.z / weighed);
  fb_st3_at(local, FB_TREE_AT(com), c);
  fb_st3_at(local, FB_TREE_AT(com_v), u);
  if (sums == FB_TREES_PLACES) return;
  fb_v3 L = fb_ld3_at(local, FB_TREE_AT(angular));
  fb_st3_at(local, FB_TREE_AT(angular), fb_v3_sub(L, fb_v3_scale(mass, fb_v3_cross(c, u))));
  fb_real square = fb_v3_dot(c, c);
  if (sums == FB_TREES_MOMENTA) {
    double* J = fb_from(local, FB_TREE_AT(inertia));
    fb_k_add3(J, 0,
              fb_v3_scale(-mass, fb_v3_make(square - c.x * c.x, square - c.y * c.y, square - c.z * c.z)));
    fb_k_add3(J, 3, fb_v3_make(mass * c.x * c.y, mass * c.x * c.z, mass * c.y * c.z));
    return;
  }
  fb_real whole = 0.5 * mass * fb_v3_dot(u, u);
  fb_k_keep_positive(local, FB_TREE_AT(kinetic), whole, keeps);
  fb_k_keep_positive(local, FB_TREE_AT(carried), whole, keeps);
  fb_k_keep_positive(local, FB_TREE_AT(spread), mass * square, keeps);
}

/* --- the whole --- */

FB_K void fb_k_tree_links(const fb_topology* top, const fb_parameters* par, const fb_data* d, int sums,
                          fb_v3 g, const double* q, const double* v, double* link_local, double* local) {
  for (int i = 1; i < top->nlink; i++) {
    int tree = top->link_tree[i];
    if (tree < 0) continue;
    int floats = fb_k_tree_floats(top, tree);
    double* sum = fb_from(local, FB_TREE_SIZE * tree);
    const double *link = fb_link(d, i), *P = fb_link_par(par, i);
    fb_k_link_motion x;
    x.w = fb_get3(link, FB_REC_W);
    x.R = fb_get_axes(link);
    x.mass = fb_par_real(fb_par1(P, FB_PAR_MASS));
    fb_k_tree_move(top, par, d, i, q, v, link_local, &x);
    x.h = fb_m3_apply_par(x.R, fb_par3_of(P, FB_PAR_H));
    x.P = fb_v3_axpy(fb_v3_cross(x.w, x.h), x.mass, x.u);
    if (sums == FB_TREES_ENERGIES) fb_k_tree_energies(top, par, i, &x, floats, g, sum);
    if (sums == FB_TREES_MOMENTA && floats) fb_k_tree_momenta(par, i, &x, sum);
    fb_k_add(sum, FB_TREE_AT(mass), x.mass);
    fb_st3(link_local, 2 * i, x.r);
    fb_st3(link_local, 2 * i + 1, x.u);
    if (!floats) continue;
    fb_k_add3(sum, FB_TREE_AT(com), fb_v3_axpy(x.h, x.mass, x.r));
    fb_k_add3(sum, FB_TREE_AT(com_v), x.P);
  }
}
FB_APART void fb_k_tree_link_places(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                    const double* q, const double* v, double* link_local, double* local) {
  fb_k_tree_links(top, par, d, FB_TREES_PLACES, fb_v3_zero(), q, v, link_local, local);
}
FB_APART void fb_k_tree_link_momenta(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                     const double* q, const double* v, double* link_local, double* local) {
  fb_k_tree_links(top, par, d, FB_TREES_MOMENTA, fb_v3_zero(), q, v, link_local, local);
}
FB_APART void fb_k_tree_link_energies(const fb_topology* top, const fb_parameters* par, const fb_data* d,
                                      const double* gravity_w, const double* q, const double* v,
                                      double* link_local, double* local) {
  fb_k_tree_links(top, par, d, FB_TREES_ENERGIES, fb_ld3(gravity_w, 0), q, v, link_local, local);
}

/* Energies of rotors and springs, beside those about the centre of mass. */
FB_K void fb_k_tree_joints(const fb_topology* top, const fb_parameters* par, int springs, const double* q,
                           const double* v, double* local) {
  for (int k = 0; k < top->nv; k++) {
    double* sum = fb_from(local, FB_TREE_SIZE * top->coordinate_tree[k]);
    fb_par armature = fb_ld_par(par->armature, k);
    if (fb_par_any(armature)) fb_k_add(sum, FB_TREE_AT(kinetic), 0.5 * armature * fb_ld(v, k) * fb_ld(v, k));
    if (!springs || top->coordinate_q[k] < 0 || !fb_par_any(fb_ld_par(par->stiffness, k)))
      continue; /* attitudes have no springs */
    fb_real energy = fb_k_spring(top, par, k, q);
    fb_k_add(sum, FB_TREE_AT(potential), energy);
    fb_k_add(sum, FB_TREE_AT(potential_size), fb_k_magnitude(energy));
  }
}

/* gravity_w: a value for each lane. keeps_inertia: of the model. passive: FB_PASSIVE_..., of which springs count. */
FB_K void fb_k_trees(const fb_topology* top, const fb_parameters* par, const fb_data* d, fb_tree_sums sums,
                     int keeps_inertia, int passive, const double* gravity_w, const double* q,
                     const double* v, double* link_local, double* local) {
  fb_clear(local, FB_TREE_SIZE * top->nmoving);
  if (sums == FB_TREES_PLACES)
    fb_k_tree_link_places(top, par, d, q, v, link_local, local);
  else if (sums == FB_TREES_MOMENTA)
    fb_k_tree_link_momenta(top, par, d, q, v, link_local, local);
  else
    fb_k_tree_link_energies(top, par, d, gravity_w, q, v, link_local, local);
  for (int i = 0; i < top->nmoving; i++) {
    if (!fb_k_tree_floats(top, i)) continue;
    double* sum = fb_from(local, FB_TREE_SIZE * i);
    int base = top->tree_link[i];
    fb_k_tree_to_centre(sum, (int)sums, keeps_inertia);
    if (sums == FB_TREES_PLACES) continue;
    fb_v3 u = fb_k_slide(top, par, d, base, v, top->link_v[base]);
    fb_st3_at(sum, FB_TREE_AT(drift), fb_v3_add(u, fb_ld3_at(sum, FB_TREE_AT(com_v))));
  }
  if (sums == FB_TREES_ENERGIES) fb_k_tree_joints(top, par, passive & FB_PASSIVE_SPRINGS, q, v, local);
}

#endif
