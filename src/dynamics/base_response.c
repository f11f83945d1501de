/* base_response.c -- the response of a base, floating or on joints, to accelerations of some joints, all others free
 *
 * With the joints c on the way from the base to a frame prescribed, and all other joints driven by force, what mixed
 * dynamics (dynamics/aba.inl) leaves behind holds, for each coordinate c, the wrench U_c = IA_c S_c that its unit
 * acceleration takes. No joint between it and the base is free, so the wrench reaches the base whole, moved by
 * r = p_c - p_0, and the base responds with
 *   [w'; v'] = -Y [n + r x f; f]
 * Y, symmetric, the acceleration for a unit wrench, grows from the root outward over the links that carry the base:
 *   on the world             Y = 0
 *   on a free joint          Y = IA^-1
 *   moved by l to a child    Y <- X Y X^T,  X = [E, 0; -l~, E]
 *   a joint driven by force  Y <- P Y P^T + S S^T / D,  P = E - S U^T / D,  one coordinate after the other; those that
 *                            are prescribed add nothing
 * (K. Kreutz-Delgado, A. Jain, G. Rodriguez 1992: the inverse of the operational space inertia.) Its rank is at most
 * the number of coordinates that carry the base. Of a floating base where there are no other joints, articulated
 * inertias are composite ones, and this is -H_b^-1 H_bm (Umetani, Yoshida 1989). Reads K, D, D_scale, body, ARM, Z.
 * Cost O(path). */
#include "dynamics/base_response.h"

#include <string.h>

#include "base/fill_nan.h"
#include "dynamics/aba.inl"
#include "kinematics/frame.inl"
#include "math/definite.h"
#include "math/ldl.h"
#include "model/model.h"

/* IA of a free link, linear part first, lower triangle, factored; 0 when it is singular. */
static int factor_free(const fb_model* m, const fb_data* d, int link, double M[36]) {
  fb_k_body I = fb_k_body_load(&m->top, d, link);
  double least;
  fb_k_body_matrix(&I, M);
  return fb_definite6(M, &least) && !fb_ldl_factor(M, 6);
}

/* --- Y: six rows [v'; w'], six columns [f; n] --- */

static int invert_free(const fb_model* m, const fb_data* d, int link, double Y[36]) {
  double M[36], column[6];
  if (!factor_free(m, d, link, M)) return 0;
  for (int c = 0; c < 6; c++) {
    memset(column, 0, sizeof column);
    column[c] = 1;
    fb_ldl_solve(M, 6, column);
    for (int r = 0; r < 6; r++) Y[6 * r + c] = column[r];
  }
  return 1;
}

/* v' += w' x l, along the rows, then along the columns. */
static void shift(fb_v3 l, double Y[36]) {
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < 6; i++) {
      double *x = side ? Y + 6 * i : Y + i, *w = x + (side ? 3 : 18);
      int next = side ? 1 : 6;
      x[0] += w[next] * l.z - w[2 * next] * l.y;
      x[next] += w[2 * next] * l.x - w[0] * l.z;
      x[2 * next] += w[0] * l.y - w[next] * l.x;
    }
}

/* P Y P^T + S S^T / D = Y - (S y^T + y S^T) / D + (1/D + y.U / D^2) S S^T,  y = Y U. */
static void release_axis(fb_k_pair axis, fb_k_pair force, double reciprocal, double Y[36]) {
  const double S[6] = {axis.v.x, axis.v.y, axis.v.z, axis.w.x, axis.w.y, axis.w.z};
  const double U[6] = {force.v.x, force.v.y, force.v.z, force.w.x, force.w.y, force.w.z};
  double y[6], along = 0;
  for (int r = 0; r < 6; r++) {
    y[r] = 0;
    for (int c = 0; c < 6; c++) y[r] += Y[6 * r + c] * U[c];
    along += y[r] * U[r];
  }
  for (int r = 0; r < 6; r++)
    for (int c = 0; c < 6; c++)
      Y[6 * r + c] += reciprocal * ((1 + along * reciprocal) * S[r] * S[c] - S[r] * y[c] - y[r] * S[c]);
}

/* U_c at the origin of its link, from K_c = U_c / D_c, which stands where l leads from to that. */
static fb_k_pair force_of(const fb_model* m, const fb_data* d, int link, int k) {
  fb_k_pair K = fb_k_slot_pair(fb_k_slot(d, k));
  double D = 1 / d->D[k];
  fb_v3 back = fb_v3_sub(fb_v3_zero(), fb_k_arm_from_K(&m->top, d, link));
  return fb_k_force_shift(fb_k_pair_make(fb_v3_scale(D, K.w), fb_v3_scale(D, K.v)), back);
}

/* Y of the last of `count` links, at its origin; 0 where something has no inertia. */
static int answer(const fb_model* m, const fb_data* d, const int* links, int count,
                  const unsigned char* prescribed, double Y[36]) {
  memset(Y, 0, 36 * sizeof *Y);
  for (int i = 0; i < count; i++) {
    int link = links[i], first = m->top.link_v[link], nv = m->top.link_nv[link];
    if (m->top.link_kind[link] == FB_LINK_FREE && fb_k_responds(prescribed, first, nv)) {
      if (!invert_free(m, d, link, Y)) return 0;
      continue;
    }
    shift(fb_get3(fb_link(d, link), FB_REC_ARM), Y);
    for (int k = first; k < first + nv; k++) {
      if (prescribed && prescribed[k]) continue;
      if (!(1 > FB_ROUNDING * d->D_scale[k] * d->D[k])) return 0;
      release_axis(fb_k_axis_pair(&m->top, d->par, d, link, m->top.link_kind[link], k),
                   force_of(m, d, link, k), d->D[k], Y);
    }
  }
  return 1;
}

int fb_base_response(const fb_model* m, const fb_data* d, const int* links, int ncarrier, int count, int base,
                     const unsigned char* prescribed, int n, double* G) {
  double Y[36];
  fb_v3 to_base = fb_k_site_arm(&m->top, d->par, d, base), arm = fb_v3_sub(fb_v3_zero(), to_base);
  if (!answer(m, d, links, ncarrier, prescribed, Y)) {
    fb_fill_nan(G, 6 * n);
    return 0;
  }
  shift(to_base, Y);
  for (int i = ncarrier, column = 0; i < count; i++) {
    int first = m->top.link_v[links[i]], end = first + m->top.link_nv[links[i]];
    arm = fb_v3_add(arm, fb_get3(fb_link(d, links[i]), FB_REC_ARM));
    for (int k = first; k < end; k++, column++) {
      fb_k_pair U = fb_k_force_shift(force_of(m, d, links[i], k), arm);
      const double x[6] = {U.v.x, U.v.y, U.v.z, U.w.x, U.w.y, U.w.z};
      for (int row = 0; row < 6; row++) {
        double sum = 0;
        for (int c = 0; c < 6; c++) sum -= Y[6 * row + c] * x[c];
        G[row * n + column] = sum;
      }
    }
  }
  return 1;
}
