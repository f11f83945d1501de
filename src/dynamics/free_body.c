/* free_body.c -- the inertia of a free body whitened, from that which mixed dynamics eliminates (aba.inl). */
#include "dynamics/free_body.h"

#include <math.h>
#include <string.h>

#include "dynamics/aba.inl"
#include "dynamics/loads.h"
#include "math/definite.h"
#include "math/vector3.h"
#include "model/model.h"

enum { SIX = 6 };

static int is_free_body(const fb_topology* t, const unsigned char* prescribed, int tree) {
  const int link = t->tree_link[tree];
  return t->tree_end[tree] == link + 1 && t->link_kind[link] == FB_LINK_FREE && t->link_parent[link] == 0 &&
         fb_k_responds(prescribed, t->link_v[link], t->link_nv[link]);
}

/* M = L L^T in place, its lower triangle. */
static void factor(double M[36]) {
  for (int j = 0; j < SIX; j++) {
    for (int k = 0; k < j; k++) M[7 * j] -= M[SIX * j + k] * M[SIX * j + k];
    M[7 * j] = sqrt(M[7 * j]);
    for (int i = j + 1; i < SIX; i++) {
      for (int k = 0; k < j; k++) M[SIX * i + j] -= M[SIX * i + k] * M[SIX * j + k];
      M[SIX * i + j] /= M[7 * j];
    }
  }
}

static void invert(const double L[36], double out[36]) {
  memset(out, 0, 36 * sizeof *out);
  for (int c = 0; c < SIX; c++)
    for (int r = c; r < SIX; r++) {
      double sum = r == c;
      for (int k = c; k < r; k++) sum -= L[SIX * r + k] * out[SIX * k + c];
      out[SIX * r + c] = sum / L[7 * r];
    }
}

int fb_free_body_whiten(const fb_model* m, const fb_data* d, const unsigned char* prescribed, int tree,
                        double inverse[36]) {
  if (!is_free_body(&m->top, prescribed, tree)) return 0;
  const fb_k_body I = fb_k_body_load(&m->top, d, m->top.tree_link[tree]);
  double M[36], least;
  fb_k_body_matrix(&I, M);
  if (!fb_definite6(M, &least)) return 0;
  factor(M);
  invert(M, inverse);
  return fabs(inverse[35]) <= 1e150;
}

void fb_free_body_row(const fb_model* m, const fb_data* d, const fb_row* row, int end,
                      const double inverse[36], double J[6]) {
  double arm[3], along[SIX], moment[3];
  fb_link_arm(m, d, row->body[end], arm);
  for (int i = 0; i < 3; i++) arm[i] += row->arm_w[end][i];
  cross3(arm, row->linear, moment);
  for (int i = 0; i < 3; i++) {
    along[i] = end ? row->linear[i] : -row->linear[i];
    along[3 + i] = end ? moment[i] + row->angular[i] : -moment[i] - row->angular[i];
  }
  for (int r = 0; r < SIX; r++) {
    J[r] = 0;
    for (int c = 0; c <= r; c++) J[r] += inverse[SIX * r + c] * along[c];
  }
}

void fb_free_body_rates(const fb_model* m, const fb_data* d, int tree, const double inverse[36],
                        const double dv[6], double* x) {
  double a[SIX] = {0};
  for (int r = 0; r < SIX; r++)
    for (int c = 0; c <= r; c++) a[c] += inverse[SIX * r + c] * dv[r];
  fb_k_free_rates(d, m->top.link_v[m->top.tree_link[tree]],
                  fb_k_pair_make(fb_v3_make(a[3], a[4], a[5]), fb_v3_make(a[0], a[1], a[2])), x);
}
