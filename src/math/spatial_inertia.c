/* spatial_inertia.c -- rigid-body inertia at the origin of a frame: sums, changes of frame, momentum.
 *
 *   (17) I = [ I_o  h~; -h~  m ],   h = m c            (18) I_o = I_c + m (c.c - c ct)
 *   (19) bodies fixed together: add                    (20) aI = bX_at bI bX_a
 *
 * Ten numbers, never the 6x6 matrix: mass, h and the symmetric I_o (xx yy zz xy xz yz). */
#include <freebody/spatial.h>

#include <string.h>

#include <freebody/rotation.h>

#include "math/vector3.h"

static void unpack(const double I[6], double M[9]) {
  const double m[9] = {I[0], I[3], I[4], I[3], I[1], I[5], I[4], I[5], I[2]};
  memcpy(M, m, sizeof m);
}

/* I += s (2 a.b - a bt - b at): the second moment of two offsets; with a = b = c and s = m/2, (18). */
static void add_offsets(double I[6], double s, const double a[3], const double b[3]) {
  const double d = 2 * dot3(a, b);
  for (int i = 0; i < 3; i++) I[i] += s * (d - 2 * a[i] * b[i]);
  I[3] -= s * (a[0] * b[1] + a[1] * b[0]);
  I[4] -= s * (a[0] * b[2] + a[2] * b[0]);
  I[5] -= s * (a[1] * b[2] + a[2] * b[1]);
}

void fb_spatial_inertia_from_com(double mass, const double com[3], const double I_com[6],
                                 fb_spatial_inertia* out) {
  fb_spatial_inertia t;
  t.mass = mass;
  memcpy(t.moments, I_com, sizeof t.moments);
  add_offsets(t.moments, 0.5 * mass, com, com);
  for (int i = 0; i < 3; i++) t.h[i] = mass * com[i];
  *out = t;
}

void fb_spatial_inertia_to_com(const fb_spatial_inertia* I, double* mass, double com[3], double I_com[6]) {
  const fb_spatial_inertia t = *I;
  double c[3] = {0, 0, 0};
  if (t.mass > 0)
    for (int i = 0; i < 3; i++) c[i] = t.h[i] / t.mass;
  *mass = t.mass;
  memcpy(com, c, sizeof c);
  memcpy(I_com, t.moments, sizeof t.moments);
  add_offsets(I_com, -0.5 * t.mass, c, c);
}

void fb_spatial_inertia_add(const fb_spatial_inertia* a, const fb_spatial_inertia* b,
                            fb_spatial_inertia* sum) {
  sum->mass = a->mass + b->mass;
  for (int i = 0; i < 3; i++) sum->h[i] = a->h[i] + b->h[i];
  for (int i = 0; i < 6; i++) sum->moments[i] = a->moments[i] + b->moments[i];
}

/* R I Rt of a symmetric matrix. */
static void turn(const double R[9], const double I[6], double out[6]) {
  double M[9], Rt[9];
  unpack(I, M);
  fb_rot_transpose(R, Rt);
  fb_rot_multiply(R, M, M);
  fb_rot_multiply(M, Rt, M);
  const double t[6] = {M[0], M[4], M[8], 0.5 * (M[1] + M[3]), 0.5 * (M[2] + M[6]), 0.5 * (M[5] + M[7])};
  memcpy(out, t, sizeof t);
}

void fb_spatial_inertia_to_parent(const fb_pose* ab, const fb_spatial_inertia* I_b, fb_spatial_inertia* I_a) {
  fb_spatial_inertia t;
  t.mass = I_b->mass;
  turn(ab->R, I_b->moments, t.moments);
  fb_rot_apply(ab->R, I_b->h, t.h);
  /* Every particle moves by p: the first moment meets p twice, the mass once. */
  add_offsets(t.moments, 1, t.h, ab->p);
  add_offsets(t.moments, 0.5 * t.mass, ab->p, ab->p);
  for (int i = 0; i < 3; i++) t.h[i] += t.mass * ab->p[i];
  *I_a = t;
}

void fb_spatial_inertia_to_child(const fb_pose* ab, const fb_spatial_inertia* I_a, fb_spatial_inertia* I_b) {
  fb_pose ba;
  fb_pose_inverse(ab, &ba);
  fb_spatial_inertia_to_parent(&ba, I_a, I_b);
}

void fb_spatial_inertia_apply(const fb_spatial_inertia* I, const double V[6], double momentum[6]) {
  double M[9], hv[3], hw[3], t[6];
  unpack(I->moments, M);
  fb_rot_apply(M, V, t);
  cross3(I->h, V + 3, hv);
  cross3(I->h, V, hw);
  for (int i = 0; i < 3; i++) {
    t[i] += hv[i];
    t[3 + i] = I->mass * V[3 + i] - hw[i];
  }
  memcpy(momentum, t, sizeof t);
}

void fb_spatial_inertia_matrix(const fb_spatial_inertia* I, double M[36]) {
  double Io[9], h[9];
  unpack(I->moments, Io);
  tilde3(I->h, h);
  for (int i = 0; i < 3; i++) {
    for (int j = 0; j < 3; j++) {
      M[6 * i + j] = Io[3 * i + j];
      M[6 * i + 3 + j] = h[3 * i + j];
      M[6 * (i + 3) + j] = -h[3 * i + j];
      M[6 * (i + 3) + 3 + j] = i == j ? I->mass : 0;
    }
  }
}
