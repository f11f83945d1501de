/* dynamics.c -- the public functions of rnea.inl, aba.inl and crba.inl, and the dense route that checks them. */
#include <freebody/dynamics.h>

#include <assert.h>
#include <string.h>

#include <freebody/status.h>

#include "base/fill_nan.h"
#include "dynamics/loads.h"
#include "environment/environment.h"
#include "kernel/instances.h"
#include "math/ldl.h"

static int passive_of(const fb_loads* loads) {
  return loads ? loads->passive : FB_PASSIVE_ALL;
}

/* tau and the passive forces, into d->total_tau. */
static const double* with_passive(const fb_model* m, fb_data* d, const double* q, const double* v,
                                  const double* tau, const fb_loads* loads) {
  if (d->par->has_passive[0] == 0 || passive_of(loads) == 0) return tau;
  fb_passive_forces(m, d, q, v, passive_of(loads), d->total_tau);
  for (int k = 0; k < m->top.nv; k++) d->total_tau[k] += tau[k];
  return d->total_tau;
}

/* What every recursion begins with: the motion of the links by what is known of the accelerations, and at the poses that
 * this leaves, what acts on the links from outside. 0: loads are not sound. */
static int begin(const fb_model* m, fb_data* d, const double* q, const double* v, const double* known,
                 const fb_loads* loads, int with_wrenches, const double** wrench_l) {
  double gravity_w[3];
  assert(fb_data_fits(d, m));
  if (!fb_loads_valid(m, loads)) return 0;
  if (loads) fb_environment_uniform(&loads->environment, gravity_w);
  m->kernels->outward(&m->top, d->par, d, loads ? gravity_w : NULL, q, v, known);
  *wrench_l = fb_loads_gather(m, d, loads, with_wrenches);
  return 1;
}

void fb_inverse_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v, const double* vdot,
                         const fb_loads* loads, double* tau) {
  const double* wrench_l;
  if (!begin(m, d, q, v, vdot, loads, 1, &wrench_l)) {
    fb_fill_nan(tau, m->top.nv);
    return;
  }
  m->kernels->rnea(&m->top, d->par, d, wrench_l, vdot, tau);
  if (d->par->has_passive[0] == 0 || passive_of(loads) == 0) return;
  fb_passive_forces(m, d, q, v, passive_of(loads), d->total_tau);
  for (int k = 0; k < m->top.nv; k++) tau[k] -= d->total_tau[k];
}

void fb_bias(const fb_model* m, fb_data* d, const double* q, const double* v, const fb_loads* loads,
             double* bias) {
  const double* wrench_l;
  if (!begin(m, d, q, v, NULL, loads, 0, &wrench_l)) {
    fb_fill_nan(bias, m->top.nv);
    return;
  }
  m->kernels->rnea(&m->top, d->par, d, wrench_l, NULL, bias);
}

void fb_forward_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v, const double* tau,
                         const fb_loads* loads, double* vdot) {
  const double* wrench_l;
  if (!begin(m, d, q, v, NULL, loads, 1, &wrench_l)) {
    fb_fill_nan(vdot, m->top.nv);
    return;
  }
  d->armature = d->par->armature;
  m->kernels->aba(&m->top, d->par, d, wrench_l, with_passive(m, d, q, v, tau, loads), vdot);
}

void fb_mixed_dynamics(const fb_model* m, fb_data* d, const double* q, const double* v,
                       const unsigned char* prescribed, const fb_loads* loads, double* vdot, double* tau) {
  if (!prescribed) {
    fb_forward_dynamics(m, d, q, v, tau, loads, vdot);
    return;
  }
  const double* wrench_l;
  for (int k = 0; k < m->top.nv; k++) d->known_vdot[k] = prescribed[k] ? vdot[k] : 0;
  if (!begin(m, d, q, v, d->known_vdot, loads, 1, &wrench_l)) {
    fb_fill_nan(vdot, m->top.nv);
    fb_fill_nan(tau, m->top.nv);
    return;
  }
  const double* total = with_passive(m, d, q, v, tau, loads);
  d->armature = d->par->armature;
  m->kernels->mixed(&m->top, d->par, d, wrench_l, total, d->known_vdot, prescribed, vdot, tau);
  if (total == tau) return;
  fb_passive_forces(m, d, q, v, passive_of(loads), d->total_tau); /* the actuator supplies what they do not */
  for (int k = 0; k < m->top.nv; k++)
    if (prescribed[k]) tau[k] -= d->total_tau[k];
}

void fb_inertia_matrix(const fb_model* m, fb_data* d, const double* q, double* H) {
  assert(fb_data_fits(d, m));
  m->kernels->crba(&m->top, d->par, d, q, 0, H);
}

void fb_inertia_matrix_lower(const fb_model* m, fb_data* d, const double* q, double* H) {
  assert(fb_data_fits(d, m));
  m->kernels->crba(&m->top, d->par, d, q, 1, H);
}

void fb_inertia_pattern(const fb_model* m, int* parent) {
  const fb_topology* t = &m->top;
  for (int i = 1; i < t->nlink; i++) {
    int up = t->link_parent[i], last = -1;
    while (up > 0 && t->link_slot[up] == t->link_slot[up + 1])
      up = t->link_parent[up]; /* links without coordinates */
    if (up > 0) last = t->slot_v[t->link_slot[up + 1] - 1];
    for (int s = t->link_slot[i]; s < (i + 1 < t->nlink ? t->link_slot[i + 1] : t->nv); s++) {
      parent[t->slot_v[s]] = last;
      last = t->slot_v[s];
    }
  }
}

void fb_wrench_forces(const fb_model* m, const fb_data* d, const fb_wrench* wrenches, int nwrench,
                      double* tau) {
  assert(fb_data_fits(d, m));
  memset(tau, 0, (size_t)m->top.nv * sizeof *tau);
  for (int i = 0; i < nwrench; i++) {
    double w[6];
    if (d->level < FB_LEVEL_POSE || !fb_frame_exists(m, wrenches[i].frame)) {
      fb_fill_nan(tau, m->top.nv);
      return;
    }
    fb_wrench_in_world(m, d, &wrenches[i], w, w + 3);
    m->kernels->frame_push(&m->top, d->par, d, wrenches[i].frame, w, tau);
  }
}

fb_status fb_forward_dynamics_dense(const fb_model* m, fb_data* d, const double* q, const double* v,
                                    const double* tau, const fb_loads* loads, double* work, double* vdot) {
  int nv = m->top.nv;
  double *H = work, *push = work + (size_t)nv * (size_t)nv;
  fb_bias(m, d, q, v, loads, push);
  for (int k = 0; k < nv; k++) vdot[k] = tau[k] - push[k];
  fb_passive_forces(m, d, q, v, passive_of(loads), push);
  for (int k = 0; k < nv; k++) vdot[k] += push[k];
  fb_inertia_matrix(m, d, q, H);
  if (loads && loads->nwrench > 0) {
    fb_wrench_forces(m, d, loads->wrenches, loads->nwrench, push);
    for (int k = 0; k < nv; k++) vdot[k] += push[k];
  }
  if (fb_ldl_factor(H, nv)) return FB_ERR_NO_SOLUTION;
  fb_ldl_solve(H, nv, vdot);
  return FB_OK;
}

void fb_gravity_compensation(const fb_model* m, fb_data* d, const double* q, const fb_loads* loads,
                             double* tau) {
  assert(fb_data_fits(d, m));
  memset(d->known_vdot, 0, (size_t)m->top.nv * sizeof(double));
  fb_inverse_dynamics(m, d, q, d->known_vdot, d->known_vdot, loads, tau);
}
