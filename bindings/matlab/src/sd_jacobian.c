/* sd_jacobian.c -- Jacobians of centroids and end-points with respect to the joints
 *
 *   revolute: J_t = k_j x (p - p_j), J_r = k_j;  prismatic: J_t = k_j, J_r = 0;  zero off the path to the link
 *
 * ([Yoshida 1999] (25), (26), for trees) */
#include "sd.h"

#include <string.h>

static void columns(const sd_links* l, const double* RR, const double* AA, int j, const double* p,
                    double* J_t, double* J_r) {
  const double* axis = AA + 9 * j + 6;
  int slides = l->type[j] == 'P';
  if (J_r)
    for (int k = 0; k < 3; k++) J_r[k] = slides ? 0 : axis[k];
  if (!J_t) return;
  if (slides) {
    memcpy(J_t, axis, 3 * sizeof *J_t);
    return;
  }
  double to_joint[3], arm[3];
  sd_mul(AA + 9 * j, l->cc + 3 * (j + l->n * j), to_joint);
  for (int k = 0; k < 3; k++) arm[k] = p[k] - RR[3 * j + k] - to_joint[k];
  sd_cross(axis, arm, J_t);
}

static void all_links(const sd_links* l, const double* RR, const double* AA, double* JJ_t, double* JJ_r) {
  size_t n = (size_t)l->n;
  if (JJ_t) memset(JJ_t, 0, 3 * n * n * sizeof *JJ_t);
  if (JJ_r) memset(JJ_r, 0, 3 * n * n * sizeof *JJ_r);
  for (int i = 0; i < l->n; i++)
    for (int b = i + 1; b; b = l->BB[b - 1]) {
      size_t at = 3 * ((size_t)i * n + (size_t)(b - 1));
      columns(l, RR, AA, b - 1, RR ? RR + 3 * i : NULL, JJ_t ? JJ_t + at : NULL, JJ_r ? JJ_r + at : NULL);
    }
}

void sd_jt(const sd_links* l, const double* RR, const double* AA, double* JJ_t) {
  all_links(l, RR, AA, JJ_t, NULL);
}

void sd_jr(const sd_links* l, const double* AA, double* JJ_r) {
  all_links(l, NULL, AA, NULL, JJ_r);
}

void sd_jte(const sd_links* l, const double* RR, const double* AA, const double* q, const int* joints,
            int count, double* J) {
  (void)q; /* the lever arm of a prismatic joint is not needed */
  double end[3];
  if (count > 0) sd_end_point(l, RR, AA, joints[count - 1], end, NULL);
  for (int c = 0; c < count; c++) columns(l, RR, AA, joints[c], end, J + 3 * c, NULL);
}

void sd_jre(const sd_links* l, const double* AA, const int* joints, int count, double* J) {
  for (int c = 0; c < count; c++) columns(l, NULL, AA, joints[c], NULL, NULL, J + 3 * c);
}

void sd_je(const sd_links* l, const double* RR, const double* AA, const double* q, const int* joints,
           int count, double* J, double* work) {
  memset(J, 0, 6 * (size_t)l->n * sizeof *J);
  sd_jte(l, RR, AA, q, joints, count, work);
  for (int c = 0; c < count; c++) memcpy(J + 6 * joints[c], work + 3 * c, 3 * sizeof *J);
  sd_jre(l, AA, joints, count, work);
  for (int c = 0; c < count; c++) memcpy(J + 6 * joints[c] + 3, work + 3 * c, 3 * sizeof *J);
}
