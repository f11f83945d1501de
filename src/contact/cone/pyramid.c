/* pyramid.c -- cones as a linear complementarity problem for Lemke's method: exact for normals and boxes, with a pyramid of
 * four sides in place of Coulomb's cone, as a first guess for the others.
 *
 *   normal    z = P
 *   box       z = P - lo, and a slack for hi:   u + s _|_ z,   hi - lo - z _|_ s
 *   coulomb   z = P_N, four b >= 0 along +t1, +t2, -t1, -t2, and the slip speed q:
 *             u_N _|_ P_N,   d . u_T + q _|_ b,   mu (P_N + lo) - sum b _|_ q
 *
 * [Stewart and Trinkle 1996; Anitescu and Potra 1997]. */
#include "contact/cone/cones.h"

#include <math.h>
#include <string.h>

#include <freebody/lcp.h>

enum {
  MOST_ROWS = 48, /* of problems for Lemke's method: its cost grows with the cube */
  SIDES = 4
};

/* Unknowns of the LCP for n rows, at most: two for each row of a box or of a Coulomb contact. */
static int unknowns(int n) {
  return 2 * (n < MOST_ROWS ? n : MOST_ROWS);
}

size_t fb_cones_lemke_size(int n) {
  size_t m = (size_t)unknowns(n);
  return m * m + 3 * m + fb_lcp_work_size((int)m);
}

size_t fb_cones_lemke_ints(int n) {
  return fb_lcp_basis_size(unknowns(n));
}

/* An unknown as a multiple of a row of P; slacks and slip speeds have row -1. */
typedef struct column {
  int row;
  double sign;
} column;

static int columns_of(const fb_cones* p, int i, column* out) {
  int at = p->first[i];
  out[0] = (column){at, 1};
  if (p->cones[i].kind == FB_CONE_NORMAL) return 1;
  if (p->cones[i].kind == FB_CONE_BOX) {
    out[1] = (column){-1, 0};
    return 2;
  }
  for (int k = 0; k < SIDES; k++) out[1 + k] = (column){at + 1 + k % 2, k < 2 ? 1 : -1};
  out[1 + SIDES] = (column){-1, 0};
  return 2 + SIDES;
}

/* The rows and columns of a cone's own slack. */
static void fill_slack(const fb_cones* p, int i, int at, int count, int m, double* M, double* q) {
  int slack = at + count - 1;
  if (p->cones[i].kind == FB_CONE_BOX) {
    M[(size_t)at * (size_t)m + (size_t)slack] = 1;
    M[(size_t)slack * (size_t)m + (size_t)at] = -1;
    q[slack] = p->hi[i] - p->lo[i];
  } else if (p->cones[i].kind == FB_CONE_COULOMB) {
    M[(size_t)slack * (size_t)m + (size_t)at] = p->cones[i].mu;
    q[slack] = p->cones[i].mu * p->lo[i];
    for (int k = at + 1; k < slack; k++) {
      M[(size_t)k * (size_t)m + (size_t)slack] = 1;
      M[(size_t)slack * (size_t)m + (size_t)k] = -1;
    }
  }
}

/* M and q; returns the number of unknowns. */
static int fill(const fb_cones* p, const column* columns, int m, double* M, double* q) {
  memset(M, 0, (size_t)m * (size_t)m * sizeof *M);
  for (int i = 0; i < m; i++) {
    q[i] = 0;
    if (columns[i].row < 0) continue;
    const double* A = p->A + (size_t)columns[i].row * (size_t)p->n;
    q[i] = p->c[columns[i].row];
    for (int k = 0; k < p->ncone; k++)
      if (p->cones[k].kind == FB_CONE_BOX) q[i] += A[p->first[k]] * p->lo[k];
    q[i] *= columns[i].sign;
    for (int j = 0; j < m; j++)
      if (columns[j].row >= 0)
        M[(size_t)i * (size_t)m + (size_t)j] = columns[i].sign * A[columns[j].row] * columns[j].sign;
  }
  for (int i = 0, at = 0; i < p->ncone; i++) {
    column edges[2 + SIDES];
    int count = columns_of(p, i, edges);
    fill_slack(p, i, at, count, m, M, q);
    at += count;
  }
  return m;
}

static int fits(const fb_cones* p) {
  if (p->n > MOST_ROWS) return 0;
  for (int i = 0; i < p->ncone; i++)
    if (p->cones[i].kind == FB_CONE_BOX && !isfinite(p->hi[i] - p->lo[i])) return 0;
  return 1;
}

int fb_cones_lemke(fb_cones* p, double* P) {
  column columns[2 * MOST_ROWS + 2 + SIDES];
  int m = 0;
  if (!fits(p)) return -1;
  for (int i = 0; i < p->ncone; i++) m += columns_of(p, i, columns + m);
  double *M = p->lemke, *q = M + (size_t)m * (size_t)m, *z = q + m, *w = z + m;
  fill(p, columns, m, M, q);
  if (fb_lcp_solve(m, M, q, z, w, w + m, p->basis, NULL) == FB_LCP_RAY) return 0;
  for (int i = 0; i < p->n; i++) P[i] = 0;
  for (int i = 0; i < p->ncone; i++)
    if (p->cones[i].kind == FB_CONE_BOX) P[p->first[i]] = p->lo[i];
  for (int i = 0; i < m; i++)
    if (columns[i].row >= 0) P[columns[i].row] += columns[i].sign * z[i];
  fb_cones_keep(p, P, p->u, m);
  return 1;
}
