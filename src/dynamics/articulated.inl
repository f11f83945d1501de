/* articulated.inl -- articulated bodies in world axes at a link's origin, inertia and force in one
 *
 *   n = A w' + B a + n0,   f = B^T w' + C a + f0          a rigid link: A = I, B = h~, C = m E
 *     w', a beyond the known motion, which takes n0, f0
 *   at an origin from which this one is at l:
 *     [B | n]' = [B | n] + l~ [C | f],  A' = A + T + T^T,  T = l~ ((B + B') / 2)^T
 *   less a coordinate with axes S: A - U_w U_w^T / D,  [B | n] - U_w [U_v | -u]^T / D,  [C | f] - U_v [U_v | -u]^T / D
 *     U_w = A S_w + B S_v,  U_v = B^T S_w + C S_v,  D = S^T U + armature,  u = tau - S^T (n, f)
 *
 * Rows of B stand beside the components of n, rows of C beside those of f, so that what happens to one happens to
 * the other in the same products (fours.inl). */
#ifndef FB_DYNAMICS_ARTICULATED_INL
#define FB_DYNAMICS_ARTICULATED_INL

#include "kernel/fours.inl"
#include "kernel/sym3.inl"
#include "model/record.inl"

typedef struct fb_k_body {
  fb_fours A, B, C; /* A, [B | n], [C | f] */
} fb_k_body;

typedef struct fb_k_pair { /* angular, linear; or moment, force */
  fb_v3 w, v;
} fb_k_pair;

FB_K fb_k_pair fb_k_pair_make(fb_v3 w, fb_v3 v) {
  fb_k_pair r;
  r.w = w;
  r.v = v;
  return r;
}
FB_K fb_real fb_k_pair_dot(fb_k_pair a, fb_k_pair b) {
  return fb_v3_dot(a.w, b.w) + fb_v3_dot(a.v, b.v);
}
FB_K fb_k_pair fb_k_pair_axpy(fb_k_pair a, fb_real s, fb_k_pair b) {
  return fb_k_pair_make(fb_v3_axpy(a.w, s, b.w), fb_v3_axpy(a.v, s, b.v));
}
/* Two vectors of a record, one after the other. */
FB_K fb_k_pair fb_k_get_pair(const double* link, int vector) {
  return fb_k_pair_make(fb_get3(link, vector), fb_get3(link, vector + 1));
}
FB_K void fb_k_put_pair(double* link, int vector, fb_k_pair x) {
  fb_put3(link, vector, x.w);
  fb_put3(link, vector + 1, x.v);
}
/* A moment and force, at the origin from which their own stands at l. */
FB_K fb_k_pair fb_k_force_shift(fb_k_pair x, fb_v3 l) {
  return fb_k_pair_make(fb_v3_add(x.w, fb_v3_cross(l, x.v)), x.v);
}
/* A motion, at the origin that stands at l from its own. */
FB_K fb_k_pair fb_k_motion_shift(fb_k_pair x, fb_v3 l) {
  return fb_k_pair_make(x.w, fb_v3_add(x.v, fb_v3_cross(x.w, l)));
}

/* What acts on link i from outside, of such wrenches on all links. */
FB_K fb_k_pair fb_k_ext_pair(const fb_topology* top, const double* wrench_l, int i) {
  return fb_k_pair_make(fb_ld3_at(wrench_l, top->link_ext[i]), fb_ld3_at(wrench_l, top->link_ext[i] + 3));
}

/* --- memory: nine rows a link --- */

FB_K double* fb_k_body_at(const fb_topology* top, const fb_data* d, int i) {
  return fb_from(d->body, top->link_block[i]);
}
FB_K fb_k_body fb_k_body_read(const double* at) {
  fb_k_body I;
  I.A = fb_fours_symmetric(fb_fours_load(at));
  I.B = fb_fours_load(at + 12 * FB_WIDTH);
  I.C = fb_fours_symmetric(fb_fours_load(at + 24 * FB_WIDTH));
  return I;
}
FB_K fb_k_body fb_k_body_load(const fb_topology* top, const fb_data* d, int i) {
  return fb_k_body_read(fb_k_body_at(top, d, i));
}
FB_K void fb_k_body_store(const fb_topology* top, fb_data* d, int i, fb_k_body I) {
  double* at = fb_k_body_at(top, d, i);
  fb_fours_store_symmetric(at, I.A);
  fb_fours_store(at + 12 * FB_WIDTH, I.B);
  fb_fours_store_symmetric(at + 24 * FB_WIDTH, I.C);
}

/* Takes a moment and force from outside off the force of a body. */
FB_K void fb_k_body_take_off(const fb_topology* top, fb_data* d, int i, fb_k_pair x) {
  double* at = fb_k_body_at(top, d, i);
  const fb_real less[6] = {x.w.x, x.w.y, x.w.z, x.v.x, x.v.y, x.v.z};
  FB_UNROLL(6)
  for (int r = 0; r < 6; r++) fb_st(at, 4 * r + 15, fb_ld(at, 4 * r + 15) - less[r]);
}

/* --- bodies of links alone, from H, I_DIAGONAL, I_OFF, N and F of a block --- */

#if FB_PACKED

/* Out of vectors that each hold one number of four links. */
FB_K void fb_k_bodies_begin(const fb_topology* top, fb_data* d, int first, const double* block,
                            const double* P) {
  for (int four = 0; four < FB_LINKS; four += 4) {
    double* to[4];
    for (int i = 0; i < 4; i++) to[i] = fb_k_body_at(top, d, first + four + i);
    fb_fours i = fb_block_fours(block + four, FB_REC_I_DIAGONAL),
             off = fb_block_fours(block + four, FB_REC_I_OFF);
    fb_fours h = fb_block_fours(block + four, FB_REC_H), n = fb_block_fours(block + four, FB_REC_N);
    fb_fours f = fb_block_fours(block + four, FB_REC_F);
    fb_four zero = fb_four_make(0.0, 0.0, 0.0, 0.0), mass = fb_four_load(P + FB_PAR_MASS * FB_BLOCK + four);
    fb_four_store_each(to, 0, i.x, off.z, off.y, zero);
    fb_four_store_each(to, 4, off.z, i.y, off.x, zero);
    fb_four_store_each(to, 8, off.y, off.x, i.z, zero);
    fb_four_store_each(to, 12, zero, -h.z, h.y, n.x);
    fb_four_store_each(to, 16, h.z, zero, -h.x, n.y);
    fb_four_store_each(to, 20, -h.y, h.x, zero, n.z);
    fb_four_store_each(to, 24, mass, zero, zero, f.x);
    fb_four_store_each(to, 28, zero, mass, zero, f.y);
    fb_four_store_each(to, 32, zero, zero, mass, f.z);
  }
}

#else

FB_K void fb_k_bodies_begin(const fb_topology* top, fb_data* d, int link, const double* block,
                            const double* P) {
  fb_v3 i = fb_block_get3(block, FB_REC_I_DIAGONAL), off = fb_block_get3(block, FB_REC_I_OFF);
  fb_v3 h = fb_block_get3(block, FB_REC_H), n = fb_block_get3(block, FB_REC_N),
        f = fb_block_get3(block, FB_REC_F);
  fb_real zero = fb_set(0.0), mass = fb_par_real(fb_par1(P, FB_PAR_MASS));
  fb_k_body body;
  body.A.x = fb_four_make(i.x, off.z, off.y, zero);
  body.A.y = fb_four_make(off.z, i.y, off.x, zero);
  body.A.z = fb_four_make(off.y, off.x, i.z, zero);
  body.B.x = fb_four_make(zero, -h.z, h.y, n.x);
  body.B.y = fb_four_make(h.z, zero, -h.x, n.y);
  body.B.z = fb_four_make(-h.y, h.x, zero, n.z);
  body.C.x = fb_four_make(mass, zero, zero, f.x);
  body.C.y = fb_four_make(zero, mass, zero, f.y);
  body.C.z = fb_four_make(zero, zero, mass, f.z);
  fb_k_body_store(top, d, link, body);
}

#endif

/* --- operations --- */

FB_K fb_k_body fb_k_body_add(fb_k_body a, fb_k_body b) {
  a.A = fb_fours_add(a.A, b.A);
  a.B = fb_fours_add(a.B, b.B);
  a.C = fb_fours_add(a.C, b.C);
  return a;
}

FB_K fb_k_body fb_k_body_shift(fb_k_body I, fb_v3 l) {
  fb_fours B = fb_fours_plus_cross(I.B, l, I.C);
  fb_fours T = fb_fours_cross(fb_v3_scale(fb_set(0.5), l), fb_fours_transpose(fb_fours_add(I.B, B)));
  I.A = fb_fours_symmetric(fb_fours_add(fb_fours_add(I.A, T), fb_fours_transpose(T)));
  I.B = B;
  return I;
}

/* U_w and [U_v | S^T (n, f)] of the axes of a coordinate, with what is known of them by the kind of the joint. */
typedef struct fb_k_axis_load {
  fb_four w, v;
} fb_k_axis_load;

FB_K fb_k_axis_load fb_k_body_axis(const fb_k_body* I, int kind, fb_k_pair S) {
  fb_k_axis_load U;
  U.w = fb_fours_dot(S.w, I->A);
  U.v = fb_fours_dot(S.w, I->B);
  if (kind == FB_LINK_REVOLUTE) return U;
  U.w = fb_four_add(U.w, fb_fours_dot(S.v, fb_fours_transpose(I->B)));
  U.v = fb_four_add(U.v, fb_fours_dot(S.v, I->C));
  return U;
}

/* Less a coordinate: U_w and U_v, and both over D, [U_w / D | *], [U_v / D | -u / D]. */
FB_K fb_k_body fb_k_body_less(fb_k_body I, fb_v3 U_w, fb_v3 U_v, fb_four K_w, fb_four K_v) {
  I.A = fb_fours_symmetric(fb_fours_less(I.A, U_w, K_w));
  I.B = fb_fours_less(I.B, U_w, K_v);
  I.C = fb_fours_symmetric(fb_fours_less(I.C, U_v, K_v));
  return I;
}

/* What a pivot is measured against: below round-off of this it means nothing. */
FB_K fb_real fb_k_body_size(const fb_k_body* I, int kind) {
  fb_real turn = fb_four_xyz(I->A.x).x + fb_four_xyz(I->A.y).y + fb_four_xyz(I->A.z).z;
  fb_real slide = fb_four_xyz(I->C.x).x + fb_four_xyz(I->C.y).y + fb_four_xyz(I->C.z).z;
  if (kind == FB_LINK_REVOLUTE || kind == FB_LINK_SPHERICAL) return turn;
  if (kind == FB_LINK_PRISMATIC) return slide;
  return turn + slide;
}

/* The force of a body: n, f. */
FB_K fb_k_pair fb_k_body_force(fb_k_body I) {
  return fb_k_pair_make(fb_v3_make(fb_four_w(I.B.x), fb_four_w(I.B.y), fb_four_w(I.B.z)),
                        fb_v3_make(fb_four_w(I.C.x), fb_four_w(I.C.y), fb_four_w(I.C.z)));
}
/* A body without inertia that only passes a force on. */
FB_K fb_k_body fb_k_body_of_force(fb_k_pair p) {
  fb_real zero = fb_set(0.0);
  fb_k_body I;
  I.A = fb_fours_zero();
  I.B.x = fb_four_make(zero, zero, zero, p.w.x);
  I.B.y = fb_four_make(zero, zero, zero, p.w.y);
  I.B.z = fb_four_make(zero, zero, zero, p.w.z);
  I.C.x = fb_four_make(zero, zero, zero, p.v.x);
  I.C.y = fb_four_make(zero, zero, zero, p.v.y);
  I.C.z = fb_four_make(zero, zero, zero, p.v.z);
  return I;
}

/* The inertia as a 6x6 matrix, linear part first, row major; all but the upper right 3x3. */
FB_K void fb_k_body_matrix(const fb_k_body* I, fb_real* M) {
  fb_v3 A[3] = {fb_four_xyz(I->A.x), fb_four_xyz(I->A.y), fb_four_xyz(I->A.z)};
  fb_v3 B[3] = {fb_four_xyz(I->B.x), fb_four_xyz(I->B.y), fb_four_xyz(I->B.z)};
  fb_v3 C[3] = {fb_four_xyz(I->C.x), fb_four_xyz(I->C.y), fb_four_xyz(I->C.z)};
  FB_UNROLL(3)
  for (int r = 0; r < 3; r++) {
    fb_real *linear = M + 6 * r, *angular = M + 6 * (r + 3);
    linear[0] = C[r].x;
    linear[1] = C[r].y;
    linear[2] = C[r].z;
    angular[0] = B[r].x;
    angular[1] = B[r].y;
    angular[2] = B[r].z;
    angular[3] = A[r].x;
    angular[4] = A[r].y;
    angular[5] = A[r].z;
  }
}

#endif
