/* eval_dynamics.c -- dynamics of the case at hand. It works on data of its own, so that the motion in
 * eval->data, which other outputs read, stays as it is. */
#include "eval_dynamics.h"

#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/momentum.h>

#include "command.h"
#include "math/ldl.h"

const double* fb_eval_inertia(fb_eval* e) {
  size_t nv = (size_t)fb_model_nv(e->model);
  if (!e->H) e->H = (double*)fb_take(nv * nv, sizeof(double));
  fb_inertia_matrix(e->model, e->dynamics, e->q, e->H);
  return e->H;
}

const double* fb_eval_vector(fb_eval* e, fb_eval_vector_kind what) {
  fb_data* d = e->dynamics;
  fb_loads unloaded = e->loads;
  unloaded.nwrench = 0;
  switch (what) {
    case FB_VECTOR_BIAS:
      fb_bias(e->model, d, e->q, e->v, &e->loads, e->x);
      break;
    case FB_VECTOR_GRAVITY:
      memset(e->y, 0, (size_t)fb_model_nv(e->model) * sizeof *e->y);
      fb_bias(e->model, d, e->q, e->y, &e->loads, e->x);
      break;
    case FB_VECTOR_PASSIVE:
      fb_passive_forces(e->model, e->q, e->v, e->loads.passive, e->x);
      break;
    case FB_VECTOR_PUSH:
      fb_wrench_forces(e->model, e->data, e->loads.wrenches, e->loads.nwrench, e->x);
      break;
    case FB_VECTOR_INVERSE:
      fb_inverse_dynamics(e->model, d, e->q, e->v, e->vdot, &e->loads, e->x);
      break;
    case FB_VECTOR_INVERSE_UNLOADED:
      fb_inverse_dynamics(e->model, d, e->q, e->v, e->vdot, &unloaded, e->x);
      break;
    case FB_VECTOR_FORWARD:
      fb_forward_dynamics(e->model, d, e->q, e->v, e->tau, &e->loads, e->x);
      break;
  }
  return e->x;
}

/* GJ = Jm - Jb Hb^-1 Hbm, with Hb^-1 Hbm solved column by column. */
const double* fb_eval_generalized_jacobian(fb_eval* e, int frame) {
  enum { BASE = 6 };
  int nv = fb_model_nv(e->model), n = nv - BASE;
  const double *H = fb_eval_inertia(e), *J = fb_eval_jacobian(e, frame, 0);
  double Hb[BASE * BASE];
  if (!e->GJ) e->GJ = (double*)fb_take(BASE * (size_t)nv, sizeof(double));
  for (int r = 0; r < BASE; r++) memcpy(Hb + BASE * r, H + r * nv, sizeof(double) * BASE);
  fb_ldl_factor(Hb, BASE);
  for (int k = 0; k < n; k++) {
    double column[BASE];
    for (int r = 0; r < BASE; r++) column[r] = H[r * nv + BASE + k];
    fb_ldl_solve(Hb, BASE, column);
    for (int r = 0; r < BASE; r++) {
      e->GJ[r * n + k] = J[r * nv + BASE + k];
      for (int c = 0; c < BASE; c++) e->GJ[r * n + k] -= J[r * nv + c] * column[c];
    }
  }
  return e->GJ;
}

void fb_eval_mixed(fb_eval* e) {
  size_t size = (size_t)fb_model_nv(e->model) * sizeof(double);
  memcpy(e->x, e->vdot, size);
  memcpy(e->y, e->tau, size);
  fb_mixed_dynamics(e->model, e->dynamics, e->q, e->v, e->prescribed, &e->loads, e->x, e->y);
}

void fb_eval_write_mass(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  fb_json_number(json, fb_model_mass(e->model));
}

void fb_eval_write_com(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  double com[3];
  fb_subtree_com(e->model, e->data, FB_WORLD, com, NULL, NULL);
  fb_json_numbers(json, com, 3);
}

void fb_eval_write_energy(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  fb_json_number(json, what == FB_ENERGY_KINETIC ? fb_kinetic_energy(e->model, e->data, e->v)
                                                 : fb_potential_energy(e->model, e->data, e->q, &e->loads));
}
