/* sd_kinematics.c -- attitudes, positions, velocities and accelerations of the links, from the base outward
 *
 *   A_i = A_B E_i Rz(q_i)  (prismatic: A_B E_i)
 *   r_i = r_B + A_B c_Bi + A_i (k q_i - c_ii)  (k q_i: prismatic only)
 *
 * and their time derivatives ([Yoshida 1999] (6)-(13), with the displacement of a prismatic joint in every lever arm).
 * A_B, c_Bi are those of the base, A0 and c0, where BB is 0. Each function takes attitudes and positions as given, as
 * SpaceDyn's do, so they may be those of an attitude that is integrated without being normalised. */
#include "sd.h"

#include <math.h>
#include <string.h>

void sd_aa(const sd_links* l, const double* A0, const double* q, double* AA) {
  for (int i = 0; i < l->n; i++) {
    const double* below = l->BB[i] ? AA + 9 * (l->BB[i] - 1) : A0;
    double* A = AA + 9 * i;
    sd_mat_mul(below, l->E + 9 * i, A);
    if (l->type[i] == 'P') continue;
    double c = cos(q[i]), s = sin(q[i]);
    for (int k = 0; k < 3; k++) {
      double x = A[k], y = A[3 + k];
      A[k] = c * x + s * y;
      A[3 + k] = c * y - s * x;
    }
  }
}

/* From the joint's place in the link below to the centroid of link i, in inertial axes. */
static void joint_to_centroid(const sd_links* l, const double* A, const double* q, int i, double arm[3]) {
  const double* c = l->cc + 3 * (i + l->n * i);
  double local[3] = {-c[0], -c[1], l->type[i] == 'P' ? q[i] - c[2] : -c[2]};
  sd_mul(A, local, arm);
}

/* From the centroid of the link below to joint i. */
static void centroid_to_joint(const sd_links* l, const double* A0, const double* AA, int i, double arm[3]) {
  int b = l->BB[i];
  if (b)
    sd_mul(AA + 9 * (b - 1), l->cc + 3 * (b - 1 + l->n * i), arm);
  else
    sd_mul(A0, l->c0 + 3 * i, arm);
}

void sd_pos(const sd_links* l, const double* R0, const double* A0, const double* AA, const double* q,
            double* RR) {
  for (int i = 0; i < l->n; i++) {
    const double* below = l->BB[i] ? RR + 3 * (l->BB[i] - 1) : R0;
    double to[3], from[3];
    centroid_to_joint(l, A0, AA, i, to);
    joint_to_centroid(l, AA + 9 * i, q, i, from);
    for (int k = 0; k < 3; k++) RR[3 * i + k] = below[k] + to[k] + from[k];
  }
}

void sd_vel(const sd_links* l, const double* A0, const double* AA, const double* v0, const double* w0,
            const double* q, const double* qd, double* vv, double* ww) {
  for (int i = 0; i < l->n; i++) {
    const double* v_b = l->BB[i] ? vv + 3 * (l->BB[i] - 1) : v0;
    const double* w_b = l->BB[i] ? ww + 3 * (l->BB[i] - 1) : w0;
    const double* axis = AA + 9 * i + 6;
    int slides = l->type[i] == 'P';
    double *v = vv + 3 * i, *w = ww + 3 * i, to[3], from[3];
    centroid_to_joint(l, A0, AA, i, to);
    joint_to_centroid(l, AA + 9 * i, q, i, from);
    for (int k = 0; k < 3; k++) w[k] = w_b[k] + (slides ? 0 : axis[k] * qd[i]);
    for (int k = 0; k < 3; k++) v[k] = v_b[k] + (slides ? axis[k] * qd[i] : 0);
    sd_add_cross(1, w_b, to, v);
    sd_add_cross(1, w, from, v);
  }
}

/* a += wd x r + w x (w x r) */
static void add_rigid(const double* w, const double* wd, const double r[3], double* a) {
  double wr[3];
  sd_cross(w, r, wr);
  sd_add_cross(1, wd, r, a);
  sd_add_cross(1, w, wr, a);
}

void sd_acc(const sd_links* l, const double* A0, const double* AA, const double* w0, const double* ww,
            const double* vd0, const double* wd0, const double* q, const double* qd, const double* qdd,
            double* vd, double* wd) {
  for (int i = 0; i < l->n; i++) {
    int b = l->BB[i] - 1, slides = l->type[i] == 'P';
    const double* axis = AA + 9 * i + 6;
    const double* w_b = b >= 0 ? ww + 3 * b : w0;
    const double* wd_b = b >= 0 ? wd + 3 * b : wd0;
    const double* w = ww + 3 * i;
    double *a = vd + 3 * i, *alpha = wd + 3 * i, to[3], from[3];
    memcpy(alpha, wd_b, 3 * sizeof *alpha);
    memcpy(a, b >= 0 ? vd + 3 * b : vd0, 3 * sizeof *a);
    double* along = slides ? a : alpha; /* the joint's own part: 2 w x k qd + k qdd, or w x k qd + k qdd */
    sd_add_cross(slides ? 2 * qd[i] : qd[i], w, axis, along);
    for (int k = 0; k < 3; k++) along[k] += axis[k] * qdd[i];
    centroid_to_joint(l, A0, AA, i, to);
    joint_to_centroid(l, AA + 9 * i, q, i, from);
    add_rigid(w_b, wd_b, to, a);
    add_rigid(w, alpha, from, a);
  }
}

void sd_end_point(const sd_links* l, const double* RR, const double* AA, int link, double* pos, double* ori) {
  const double* A = AA + 9 * link;
  double C[9], E[9], arm[3];
  sd_rpy2dc(l->Qe + 3 * link, C);
  fb_rot_transpose(C, E);
  if (ori) sd_mat_mul(A, E, ori);
  sd_mul(A, l->ce + 3 * link, arm);
  for (int k = 0; k < 3; k++) pos[k] = RR[3 * link + k] + arm[k];
}

/* The joint's place in the link below, so without the displacement of a prismatic joint. */
void sd_joint(const sd_links* l, const double* RR, const double* AA, const double* q, int link, double* pos) {
  double arm[3];
  joint_to_centroid(l, AA + 9 * link, q, link, arm);
  for (int k = 0; k < 3; k++) pos[k] = RR[3 * link + k] - arm[k];
}

int sd_path(const sd_links* l, int end_link, int* joints) {
  int count = 0;
  for (int b = end_link + 1; b; b = l->BB[b - 1]) count++;
  int at = count;
  for (int b = end_link + 1; b; b = l->BB[b - 1]) joints[--at] = b - 1;
  return count;
}

int sd_end_link(const sd_links* l, int num_e) {
  for (int i = 0; i < l->n; i++)
    if (l->SE[i] && --num_e == 0) return i;
  return -1;
}
