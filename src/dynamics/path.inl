/* path.inl -- unit forces between two frames, inward along the path of a loop, all at once
 *
 *   for each link of the path, last first, and each coordinate k of it, last first:
 *     u = -S_k^T p;   by force:   p <- p + K u,   G <- G + u u^T / D;   then p goes to the parent
 *
 * H^-1 = (1 - K ..)^T D^-1 (1 - K ..) in the form that aba.inl leaves it, so that J H^-1 J^T is the sum over the
 * coordinates of u u^T / D, and no way outward is needed. p has a column for each row of the loop. The ways from a and
 * from b go side by side until they meet. Of a free joint driven by force u is L^-1 p of its L D L^T, and nothing goes on.
 * Reads K, D, body, Z, ARM, axes of the last mixed dynamics with the same `prescribed`; wrench: [2][6][FB_COLUMNS], at the
 * origins of the links of a and b, moments first.  Writes u (path_u), gram [FB_COLUMNS][FB_COLUMNS].
 * Cost O(links on the path). */
#ifndef FB_DYNAMICS_PATH_INL
#define FB_DYNAMICS_PATH_INL

#include "dynamics/aba.inl"

typedef struct fb_k_columns {
  fb_real x[6][FB_COLUMNS]; /* moment, force */
} fb_k_columns;

/* gram + u u^T / D. */
FB_K void fb_k_columns_add_gram(const fb_real* u, fb_real reciprocal, int width, double* gram) {
  for (int r = 0; r < width; r++) {
    fb_real by = u[r] * reciprocal;
    for (int c = 0; c < width; c++)
      fb_st(gram, FB_COLUMNS * r + c, fb_ld(gram, FB_COLUMNS * r + c) + by * u[c]);
  }
}

FB_K void fb_k_columns_store(double* u, const fb_real* values, int width) {
  for (int c = 0; c < width; c++) fb_st(u, c, values[c]);
}

/* To the origin from which the columns' own stands at l. */
FB_K void fb_k_columns_shift(fb_k_columns* p, fb_v3 l, int width) {
  for (int c = 0; c < width; c++) {
    fb_real fx = p->x[3][c], fy = p->x[4][c], fz = p->x[5][c];
    p->x[0][c] = p->x[0][c] + (l.y * fz - l.z * fy);
    p->x[1][c] = p->x[1][c] + (l.z * fx - l.x * fz);
    p->x[2][c] = p->x[2][c] + (l.x * fy - l.y * fx);
  }
}

/* L^-1 p of a free joint's inertia, linear part first; p is spent. */
FB_K void fb_k_path_free(fb_data* d, int i, fb_k_columns* p, int width, double* u, double* gram) {
  fb_real M[36], row[6][FB_COLUMNS];
  fb_k_body I = fb_k_body_load(d, i);
  fb_k_body_matrix(&I, M);
  for (int k = 0; k < 6; k++)
    for (int c = 0; c < width; c++) row[k][c] = -p->x[(k + 3) % 6][c];
  for (int j = 0; j < 6; j++) {
    fb_real reciprocal = fb_reciprocal(M[7 * j]);
    for (int r = j + 1; r < 6; r++) {
      fb_real l = M[6 * r + j] * reciprocal;
      for (int k = j + 1; k <= r; k++) M[6 * r + k] = M[6 * r + k] - l * M[6 * k + j];
      for (int c = 0; c < width; c++) row[r][c] = row[r][c] - l * row[j][c];
    }
    fb_k_columns_store(fb_from(u, FB_COLUMNS * j), row[j], width);
    fb_k_columns_add_gram(row[j], reciprocal, width, gram);
  }
  for (int k = 0; k < 6; k++)
    for (int c = 0; c < width; c++) p->x[k][c] = fb_set(0.0);
}

FB_K void fb_k_path_link(const fb_topology* top, const fb_parameters* par, fb_data* d, int i, fb_k_columns* p,
                         int width, const unsigned char* prescribed, double* u, double* gram) {
  int kind = top->link_kind[i], v = top->link_v[i], nv = fb_k_link_nv(kind);
  fb_v3 l = fb_k_arm_from_K(top, d, i);
  if (kind == FB_LINK_FREE && fb_k_gives_way(prescribed, v, nv)) {
    fb_k_path_free(d, i, p, width, u, gram);
    return;
  }
  for (int k = v + nv - 1; k >= v; k--) {
    fb_k_pair S = fb_k_axis_pair(top, par, d, i, kind, k), K = fb_k_slot_pair(fb_k_slot(d, k));
    fb_real own[FB_COLUMNS];
    int given = prescribed && prescribed[k];
    for (int c = 0; c < width; c++) {
      own[c] = S.w.x * p->x[0][c] + S.w.y * p->x[1][c] + S.w.z * p->x[2][c];
      if (kind != FB_LINK_REVOLUTE)
        own[c] = own[c] + S.v.x * p->x[3][c] + S.v.y * p->x[4][c] + S.v.z * p->x[5][c];
      own[c] = given ? fb_set(0.0) : -own[c];
    }
    if (nv == 1) fb_k_columns_shift(p, l, width);
    fb_k_columns_store(fb_from(u, FB_COLUMNS * (k - v)), own, width);
    if (given) continue;
    fb_k_columns_add_gram(own, fb_ld(d->D, k), width, gram);
    for (int c = 0; c < width; c++) {
      p->x[0][c] = p->x[0][c] + K.w.x * own[c];
      p->x[1][c] = p->x[1][c] + K.w.y * own[c];
      p->x[2][c] = p->x[2][c] + K.w.z * own[c];
      p->x[3][c] = p->x[3][c] + K.v.x * own[c];
      p->x[4][c] = p->x[4][c] + K.v.y * own[c];
      p->x[5][c] = p->x[5][c] + K.v.z * own[c];
    }
  }
  if (nv != 1) fb_k_columns_shift(p, fb_get3(fb_link(d, i), FB_REC_ARM), width);
}

FB_K void fb_k_path_of_width(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop,
                             const double* wrench, const unsigned char* prescribed, int width, double* gram) {
  fb_k_columns p[2];
  double* u = fb_from(d->path_u, FB_COLUMNS * top->loop_u[loop]);
  int met = 0;
  for (int end = 0; end < 2; end++)
    for (int k = 0; k < 6; k++)
      for (int c = 0; c < width; c++) p[end].x[k][c] = -fb_ld(wrench, FB_COLUMNS * (6 * end + k) + c);
  fb_clear(gram, FB_COLUMNS * FB_COLUMNS);
  for (int at = top->loop_path[loop]; at < top->loop_path[loop + 1]; at++) {
    int link = top->path_link[at], end = top->path_end[at];
    for (int k = 0; k < 6 && end == FB_PATH_BOTH && !met; k++)
      for (int c = 0; c < width; c++) p[0].x[k][c] = p[0].x[k][c] + p[1].x[k][c];
    met |= end == FB_PATH_BOTH;
    fb_k_path_link(top, par, d, link, &p[end == FB_PATH_FROM_B], width, prescribed, u, gram);
    u = fb_from(u, FB_COLUMNS * fb_k_link_nv(top->link_kind[link]));
  }
}

FB_APART void fb_k_path_4(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop,
                          const double* wrench, const unsigned char* prescribed, double* gram) {
  fb_k_path_of_width(top, par, d, loop, wrench, prescribed, 4, gram);
}
FB_APART void fb_k_path_8(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop,
                          const double* wrench, const unsigned char* prescribed, double* gram) {
  fb_k_path_of_width(top, par, d, loop, wrench, prescribed, FB_COLUMNS, gram);
}

FB_K void fb_k_path(const fb_topology* top, const fb_parameters* par, fb_data* d, int loop,
                    const double* wrench, const unsigned char* prescribed, double* gram) {
  if (top->loop_row[loop + 1] - top->loop_row[loop] <= 4)
    fb_k_path_4(top, par, d, loop, wrench, prescribed, gram);
  else
    fb_k_path_8(top, par, d, loop, wrench, prescribed, gram);
}

#endif
