/* response.c -- how a floating base answers to accelerations of some joints while all others give way
 *
 * With the joints c on the way from the base to a frame prescribed, and all other joints driven by force, what mixed
 * dynamics (dynamics/aba.inl) leaves behind holds, for each coordinate c, the wrench U_c = IA_c S_c that its unit
 * acceleration takes. No joint between it and the base gives way, so the wrench reaches the base whole, moved by
 * r = p_c - p_0, and the base, of articulated inertia IA_0, answers with
 *   [w'; v'] = -IA_0^-1 [n + r x f; f]
 * Where there are no other joints articulated inertias are composite ones, and this is -H_b^-1 H_bm (Umetani,
 * Yoshida 1989). Reads U, IA, I_l, arm_l.  Cost O(path). */
#include "floating/response.h"

#include "base/fill_nan.h"
#include "dynamics/aba.inl"
#include "math/ldl.h"

/* Pivots below this part of the diagonal are rounding. */
static const double SINGULAR = 1e-13;

/* IA of the base, linear part first, lower triangle, factored; 0 when it is singular. */
static int factor_base(const fb_model* m, const fb_data* d, int root, double M[36]) {
  fb_k_art I = fb_k_whole_art(m, d, root);
  const double C[9] = {I.C.xx, 0, 0, I.C.xy, I.C.yy, 0, I.C.xz, I.C.yz, I.C.zz};
  const double A[9] = {I.A.xx, 0, 0, I.A.xy, I.A.yy, 0, I.A.xz, I.A.yz, I.A.zz};
  const double B[9] = {I.B.x.x, I.B.y.x, I.B.z.x, I.B.x.y, I.B.y.y, I.B.z.y, I.B.x.z, I.B.y.z, I.B.z.z};
  double diagonal[6];
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 3; c++) {
      M[6 * r + c] = C[3 * r + c];
      M[6 * r + c + 3] = 0;
      M[6 * (r + 3) + c] = B[3 * r + c];
      M[6 * (r + 3) + c + 3] = A[3 * r + c];
    }
  for (int i = 0; i < 6; i++) diagonal[i] = M[7 * i];
  if (fb_ldl_factor(M, 6)) return 0;
  for (int i = 0; i < 6; i++)
    if (!(M[7 * i] > SINGULAR * diagonal[i])) return 0;
  return 1;
}

int fb_base_response(const fb_model* m, const fb_data* d, const int* links, int count, int n, double* G) {
  double M[36];
  if (!factor_base(m, d, links[0], M)) {
    fb_fill_nan(G, 6 * n);
    return 0;
  }
  fb_v3 arm = fb_v3_zero();
  for (int i = 1, column = 0; i < count; i++) {
    int first = m->top.link_v[links[i]], end = first + fb_k_link_nv(m->top.link_kind[links[i]]);
    arm = fb_v3_add(arm, fb_ld3(d->arm_l, links[i]));
    for (int k = first; k < end; k++, column++) {
      fb_k_pair U = fb_k_pair_shift(fb_k_ld_pair(d->U, k), arm);
      double x[6] = {-U.v.x, -U.v.y, -U.v.z, -U.w.x, -U.w.y, -U.w.z};
      fb_ldl_solve(M, 6, x);
      for (int row = 0; row < 6; row++) G[row * n + column] = x[row];
    }
  }
  return 1;
}
