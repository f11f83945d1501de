/* path.inl -- unit forces between two frames, inward along the path of a loop, all at once
 *
 *   for each link of the path, last first, and each coordinate k of it, last first:
 *     u = -S_k^T p;   by force:   p <- p + K u;   then p goes to the parent
 *   G = sum of u u^T / D
 *
 * H^-1 = (1 - K ..)^T D^-1 (1 - K ..) in the form that aba.inl leaves it, so that J H^-1 J^T is the sum over the
 * coordinates of u u^T / D, and no way outward is needed. p has a column for each row of the loop. The ways from a and
 * from b go side by side until they meet. Of a free joint driven by force u is L^-1 p of its L D L^T, and nothing is passed on.
 * Reads K, D, body, Z, ARM, axes of the last mixed dynamics with the same `prescribed`; wrench: [2][6][FB_COLUMNS], at the
 * origins of the links of a and b, moments first.  Writes u (path_u), gram [FB_COLUMNS][FB_COLUMNS].
 * Cost O(links on the path). */
#ifndef FB_DYNAMICS_PATH_INL
#define FB_DYNAMICS_PATH_INL

#include "dynamics/aba.inl"

/* Four columns: rows of moments, rows of forces. */
typedef struct fb_k_columns {
  fb_fours n, f;
} fb_k_columns;

FB_K fb_k_columns fb_k_columns_load(const double* wrench) {
  fb_k_columns p;
  fb_four* rows[6] = {&p.n.x, &p.n.y, &p.n.z, &p.f.x, &p.f.y, &p.f.z};
  FB_UNROLL(6)
  for (int k = 0; k < 6; k++)
    *rows[k] = fb_four_scale(fb_set(-1.0), fb_four_load(wrench + (ptrdiff_t)FB_COLUMNS * FB_WIDTH * k));
  return p;
}

FB_K fb_k_columns fb_k_columns_none(void) {
  fb_k_columns p;
  p.n = p.f = fb_fours_zero();
  return p;
}

FB_K fb_k_columns fb_k_columns_sum(fb_k_columns a, fb_k_columns b) {
  a.n = fb_fours_add(a.n, b.n);
  a.f = fb_fours_add(a.f, b.f);
  return a;
}

/* To the origin from which the columns' own stands at l. */
FB_K fb_k_columns fb_k_columns_shift(fb_k_columns p, fb_v3 l) {
  p.n = fb_fours_plus_cross(p.n, l, p.f);
  return p;
}

/* S^T p, which is -u. */
FB_K fb_four fb_k_columns_along(fb_k_columns p, int kind, fb_k_pair S) {
  fb_four along = fb_fours_dot(S.w, p.n);
  return kind == FB_LINK_REVOLUTE ? along : fb_four_add(along, fb_fours_dot(S.v, p.f));
}

/* p - K S^T p. */
FB_K fb_k_columns fb_k_columns_less(fb_k_columns p, fb_k_pair K, fb_four along) {
  p.n = fb_fours_less(p.n, K.w, along);
  p.f = fb_fours_less(p.f, K.v, along);
  return p;
}

/* L^-1 p of a free joint's inertia, linear part first; nothing of p is passed on. */
FB_K void fb_k_path_free(const fb_topology* top, fb_data* d, int i, fb_k_columns p, double* u) {
  fb_real M[36];
  fb_four row[6] = {p.f.x, p.f.y, p.f.z, p.n.x, p.n.y, p.n.z};
  fb_k_body I = fb_k_body_load(top, d, i);
  fb_k_body_matrix(&I, M);
  for (int j = 0; j < 6; j++) {
    fb_real reciprocal = fb_reciprocal(M[7 * j]);
    for (int r = j + 1; r < 6; r++) {
      fb_real l = M[6 * r + j] * reciprocal;
      for (int k = j + 1; k <= r; k++) M[6 * r + k] = M[6 * r + k] - l * M[6 * k + j];
      row[r] = fb_four_less(row[r], l, row[j]);
    }
    fb_four_store(fb_from(u, FB_COLUMNS * j), row[j]);
  }
}

/* Any link, any of its coordinates prescribed. */
FB_K fb_k_columns fb_k_path_link(const fb_topology* top, const fb_parameters* par, fb_data* d, int i,
                                 fb_k_columns p, const unsigned char* prescribed, double* u) {
  int kind = top->link_kind[i], v = top->link_v[i], nv = top->link_nv[i], axial = fb_link_is_axial(kind);
  fb_v3 l = axial ? fb_k_arm_from_K(top, d, i) : fb_v3_zero();
  if (kind == FB_LINK_FREE && fb_k_responds(prescribed, v, nv)) {
    fb_k_path_free(top, d, i, p, u);
    return fb_k_columns_none();
  }
  for (int k = v + nv - 1; k >= v; k--) {
    int given = prescribed && prescribed[k];
    fb_four along = fb_k_columns_along(p, kind, fb_k_axis_pair(top, par, d, i, kind, k));
    if (given) along = fb_four_scale(fb_set(0.0), along);
    fb_four_store(fb_from(u, FB_COLUMNS * (k - v)), along);
    p = fb_k_columns_shift(p, l);
    if (!given) p = fb_k_columns_less(p, fb_k_slot_pair(fb_k_slot(d, k)), along);
  }
  return axial ? p : fb_k_columns_shift(p, fb_get3(fb_link(d, i), FB_REC_ARM));
}

/* The part of a path from `at` to `end`, on which p goes one way; *u is passed on. Most links are on revolute joints driven by
 * force, and not on the world. */
FB_K fb_k_columns fb_k_path_stretch(const fb_topology* top, const fb_parameters* par, fb_data* d, int at,
                                    int end, fb_k_columns p, const unsigned char* prescribed, double** u) {
  for (; at < end; at++) {
    int i = top->path_link[at], kind = top->link_kind[i];
    if (kind == FB_LINK_REVOLUTE && !prescribed && top->link_parent[i] > 0) {
      const double* link = fb_link(d, i);
      fb_four along = fb_fours_dot(fb_get3(link, FB_REC_Z), p.n);
      fb_four_store(*u, along);
      p = fb_k_columns_less(fb_k_columns_shift(p, fb_get3(link, FB_REC_ARM)),
                            fb_k_slot_pair(fb_k_slot(d, top->link_v[i])), along);
    } else {
      p = fb_k_path_link(top, par, d, i, p, prescribed, *u);
    }
    *u = fb_from(*u, FB_COLUMNS * top->link_nv[i]);
  }
  return p;
}

/* Four of the columns, from `first` on. */
FB_APART void fb_k_path_inward(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop,
                               int first, const double* wrench, const unsigned char* prescribed) {
  fb_k_columns from_a = fb_k_columns_load(wrench + (ptrdiff_t)first * FB_WIDTH),
               from_b = fb_k_columns_load(wrench + (ptrdiff_t)(6 * FB_COLUMNS + first) * FB_WIDTH);
  double* u = fb_from(d->path_u, FB_COLUMNS * top->loop_u[loop] + first);
  int at = top->loop_path[loop], last = top->loop_path[loop + 1];
  while (at < last) {
    int end = top->path_end[at], to = at;
    while (to < last && top->path_end[to] == end) to++;
    fb_k_columns p = end == FB_PATH_FROM_A   ? from_a
                     : end == FB_PATH_FROM_B ? from_b
                                             : fb_k_columns_sum(from_a, from_b); /* the last stretch */
    p = fb_k_path_stretch(top, par, d, at, to, p, prescribed, &u);
    if (end == FB_PATH_FROM_A)
      from_a = p;
    else
      from_b = p;
    at = to;
  }
}

/* u u^T / D of one coordinate, added to the block of G with the rows and columns of two fours. */
FB_K void fb_k_gram_add(fb_four* G, fb_four rows, fb_four columns) {
  FB_UNROLL(4)
  for (int r = 0; r < 4; r++) G[r] = fb_four_plus_times(G[r], fb_four_spread(rows, r), columns);
}

/* G = sum of u u^T / D, of which six columns count at most; prescribed coordinates have u = 0. */
FB_APART void fb_k_path_gram(const fb_topology* top, const fb_data* d, int loop, int wide, double* gram) {
  fb_four left[4], right[4], last[4], zero = fb_fours_zero().x;
  const double* u = fb_from(d->path_u, FB_COLUMNS * top->loop_u[loop]);
  for (int r = 0; r < 4; r++) left[r] = right[r] = last[r] = zero;
  for (int at = top->loop_path[loop]; at < top->loop_path[loop + 1]; at++) {
    int i = top->path_link[at], v = top->link_v[i], nv = top->link_nv[i];
    for (int k = v; k < v + nv; k++, u += FB_COLUMNS * FB_WIDTH) {
      fb_four one = fb_four_load(u), by = fb_four_scale(fb_ld(d->D, k), one);
      fb_k_gram_add(left, by, one);
      if (!wide) continue;
      fb_four more = fb_four_load(u + (ptrdiff_t)4 * FB_WIDTH);
      fb_k_gram_add(right, by, more);
      fb_k_gram_add(last, fb_four_scale(fb_ld(d->D, k), more), more);
    }
  }
  for (int r = 0; r < 4; r++) {
    fb_four_store(fb_from(gram, FB_COLUMNS * r), left[r]);
    if (!wide) continue;
    fb_four_store(fb_from(gram, FB_COLUMNS * r + 4), right[r]);
    fb_four_store(fb_from(gram, FB_COLUMNS * (4 + r) + 4), last[r]);
    for (int c = 0; c < 4; c++) fb_st(gram, FB_COLUMNS * (4 + c) + r, fb_four_lane(right[r], c));
  }
}

FB_K void fb_k_path(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop,
                    const double* wrench, const unsigned char* prescribed, double* gram) {
  int wide = top->loop_row[loop + 1] - top->loop_row[loop] > 4;
  fb_k_path_inward(top, par, d, loop, 0, wrench, prescribed);
  if (wide) fb_k_path_inward(top, par, d, loop, 4, wrench, prescribed);
  fb_k_path_gram(top, d, loop, wide, gram);
}

#endif
