/* momentum.c -- momentum, its matrix and rate, energies
 *
 * Link by link, world axes, with I and h = m c at the link's origin:
 *   linear   P = m v + w x h
 *   angular  L = I w + h x v   at the origin, moved to a point by (p - point) x P
 * and the matrix is the sum of the same over coordinates: column k of link i's Jacobian in place of (w, v).
 * Its rate adds I' = w~ I - I w~ and h' = w x h. (Orin, Goswami, Lee 2013 for the matrix at the centre of
 * mass.) Cost: momentum and energies O(n), matrices O(n depth). */
#include <freebody/momentum.h>

#include <assert.h>
#include <math.h>
#include <string.h>

#include <freebody/kinematics.h>

#include "base/fill_nan.h"
#include "dynamics/loads.h"
#include "environment/environment.h"
#include "kernel/instances.h"
#include "kinematics/jacobian.inl"

typedef struct link_inertia {
  double mass;
  fb_v3 h;
  fb_s3 I;
} link_inertia;

static link_inertia inertia_of(const fb_data* d, int i) {
  const double* P = fb_link_par(d->par, i);
  fb_m3 R = fb_get_axes(fb_link(d, i));
  return (link_inertia){fb_par1(P, FB_PAR_MASS), fb_m3_apply_par(R, fb_par3_of(P, FB_PAR_H)),
                        fb_s3_rotate_par(R, fb_par6_of(P, FB_PAR_I))};
}

/* Momentum of a link that moves with (w, v), about a point from which its origin stands at arm. */
static void link_momentum(link_inertia b, fb_v3 w, fb_v3 v, fb_v3 arm, fb_v3* linear, fb_v3* angular) {
  *linear = fb_v3_axpy(fb_v3_cross(w, b.h), b.mass, v);
  *angular = fb_v3_add(fb_s3_apply(b.I, w), fb_v3_cross(b.h, v));
  *angular = fb_v3_add(*angular, fb_v3_cross(arm, *linear));
}

void fb_momentum(const fb_model* m, const fb_data* d, const double point_w[3], double linear[3],
                 double angular[3]) {
  assert(fb_data_fits(d, m));
  if (d->level < FB_LEVEL_VELOCITY) {
    fb_fill_nan(linear, 3);
    fb_fill_nan(angular, 3);
    return;
  }
  fb_v3 P = fb_v3_zero(), L = fb_v3_zero(), point = fb_ld3(point_w, 0);
  for (int i = 1; i < m->top.nlink; i++) {
    fb_v3 p, l;
    link_momentum(inertia_of(d, i), fb_get3(fb_link(d, i), FB_REC_W), fb_get3(fb_link(d, i), FB_REC_V),
                  fb_v3_sub(fb_get3(fb_link(d, i), FB_REC_P), point), &p, &l);
    P = fb_v3_add(P, p);
    L = fb_v3_add(L, l);
  }
  if (linear) fb_st3(linear, 0, P);
  if (angular) fb_st3(angular, 0, L);
}

static void add_column(double* A, int nv, int k, fb_v3 linear, fb_v3 angular) {
  const double x[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
  for (int row = 0; row < 6; row++) A[row * nv + k] += x[row];
}

/* Motion of link i's origin by coordinate k of link j above it: J_w, J_v. */
static void origin_column(const fb_model* m, const fb_data* d, int i, int j, int k, fb_v3* w, fb_v3* v) {
  fb_v3 s_v;
  fb_k_axis(&m->top, d->par, d, j, k, w, &s_v);
  *v = fb_v3_add(
      s_v, fb_v3_cross(*w, fb_v3_sub(fb_get3(fb_link(d, i), FB_REC_P), fb_get3(fb_link(d, j), FB_REC_P))));
}

void fb_centroidal_matrix(const fb_model* m, const fb_data* d, double* A) {
  assert(fb_data_fits(d, m));
  int nv = m->top.nv;
  if (d->com_level < FB_LEVEL_POSE) {
    fb_fill_nan(A, 6 * nv);
    return;
  }
  fb_v3 com = fb_ld3(d->com, FB_WORLD);
  memset(A, 0, 6 * (size_t)nv * sizeof *A);
  for (int i = 1; i < m->top.nlink; i++) {
    link_inertia b = inertia_of(d, i);
    fb_v3 arm = fb_v3_sub(fb_get3(fb_link(d, i), FB_REC_P), com);
    for (int j = i; j > 0; j = m->top.link_parent[j])
      for (int k = m->top.link_v[j]; k < m->top.link_v[j] + m->top.link_nv[j]; k++) {
        fb_v3 w, v, linear, angular;
        origin_column(m, d, i, j, k, &w, &v);
        link_momentum(b, w, v, arm, &linear, &angular);
        add_column(A, nv, k, linear, angular);
      }
  }
}

/* I' x = w x (I x) - I (w x x) */
static fb_v3 inertia_rate(fb_s3 I, fb_v3 w, fb_v3 x) {
  return fb_v3_sub(fb_v3_cross(w, fb_s3_apply(I, x)), fb_s3_apply(I, fb_v3_cross(w, x)));
}

void fb_centroidal_matrix_rate(const fb_model* m, const fb_data* d, double* Adot) {
  assert(fb_data_fits(d, m));
  int nv = m->top.nv;
  if (d->com_level < FB_LEVEL_VELOCITY) {
    fb_fill_nan(Adot, 6 * nv);
    return;
  }
  fb_v3 com = fb_ld3(d->com, FB_WORLD), com_v = fb_ld3(d->com_v, FB_WORLD);
  memset(Adot, 0, 6 * (size_t)nv * sizeof *Adot);
  for (int i = 1; i < m->top.nlink; i++) {
    link_inertia b = inertia_of(d, i);
    fb_v3 w_i = fb_get3(fb_link(d, i), FB_REC_W), p = fb_get3(fb_link(d, i), FB_REC_P),
          v_i = fb_get3(fb_link(d, i), FB_REC_V);
    fb_v3 arm = fb_v3_sub(p, com), arm_rate = fb_v3_sub(v_i, com_v), h_rate = fb_v3_cross(w_i, b.h);
    for (int j = i; j > 0; j = m->top.link_parent[j])
      for (int k = m->top.link_v[j]; k < m->top.link_v[j] + m->top.link_nv[j]; k++) {
        fb_v3 w, v, w_rate, v_rate, linear, angular, was, unused;
        origin_column(m, d, i, j, k, &w, &v);
        fb_k_rate_column(&m->top, d->par, d, j, k, fb_v3_sub(p, fb_get3(fb_link(d, j), FB_REC_P)), v_i,
                         &v_rate, &w_rate);
        link_momentum(b, w_rate, v_rate, arm, &linear, &angular); /* the column turns */
        link_momentum(b, w, v, arm, &was, &unused);
        fb_v3 shift = fb_v3_cross(w, h_rate); /* the link turns */
        linear = fb_v3_add(linear, shift);
        angular = fb_v3_add(angular, fb_v3_add(inertia_rate(b.I, w_i, w), fb_v3_cross(h_rate, v)));
        angular = fb_v3_add(angular, fb_v3_add(fb_v3_cross(arm, shift), fb_v3_cross(arm_rate, was)));
        add_column(Adot, nv, k, linear, angular);
      }
  }
}

double fb_kinetic_energy(const fb_model* m, const fb_data* d, const double* v) {
  assert(fb_data_fits(d, m));
  double energy = 0;
  if (d->level < FB_LEVEL_VELOCITY) return NAN;
  m->kernels->kinetic_energy(&m->top, d->par, d, v, &energy);
  return energy;
}

/* Adds that of gravity which is not uniform: its functions know one place at a time. */
static void add_field(const fb_model* m, const fb_data* d, const fb_environment* environment,
                      double* energy) {
  for (int b = 1; b < m->top.nbody; b++) {
    double p[3];
    fb_frame_pose(m, d, fb_model_com_frame(m, b), p, NULL);
    *energy += d->par->body_mass[b] * fb_environment_potential(environment, b, p);
  }
}

double fb_potential_energy(const fb_model* m, const fb_data* d, const double* q, const fb_loads* loads) {
  assert(fb_data_fits(d, m));
  double energy = 0;
  if (!loads || (loads->passive & FB_PASSIVE_SPRINGS)) m->kernels->spring_energy(&m->top, d->par, q, &energy);
  if (!loads || m->top.nbody == 1) return energy;
  if (d->level < FB_LEVEL_POSE) return NAN;
  if (fb_environment_has_rest(&loads->environment))
    add_field(m, d, &loads->environment, &energy);
  else
    m->kernels->gravity_energy(&m->top, d->par, d, loads->environment.gravity_w, &energy);
  return energy;
}

double fb_joint_power(const fb_model* m, const double* tau, const double* v, double* power) {
  double sum = 0;
  for (int k = 0; k < m->top.nv; k++) {
    if (power) power[k] = tau[k] * v[k];
    sum += tau[k] * v[k];
  }
  return sum;
}
