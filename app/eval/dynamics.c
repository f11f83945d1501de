/* dynamics.c -- dynamics of the case at hand. It works on data of its own, so that the motion in
 * eval->data, which other outputs read, stays as it is. */
#include "eval/dynamics.h"

#include <math.h>
#include <string.h>

#include <freebody/floating.h>
#include <freebody/kinematics.h>
#include <freebody/momentum.h>

#include "command.h"

const double* cmd_eval_inertia(cmd_eval* e) {
  size_t nv = (size_t)fb_model_nv(e->model);
  if (!e->H) e->H = (double*)cmd_take(nv * nv, sizeof(double));
  fb_inertia_matrix(e->model, e->dynamics, e->q, e->H);
  return e->H;
}

/* A joint has nothing to move: no number is printed where none is meant. */
static void no_answer(cmd_eval* e) {
  for (int k = 0; k < fb_model_nv(e->model); k++) e->x[k] = e->y[k] = NAN;
}

const double* cmd_eval_vector(cmd_eval* e, cmd_eval_vector_kind what) {
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
  if (what == FB_VECTOR_FORWARD && fb_check_pivots(e->model, d, NULL) != FB_OK) no_answer(e);
  return e->x;
}

const double* cmd_eval_generalized_jacobian(cmd_eval* e, int frame) {
  fb_error error;
  if (!e->floating &&
      fb_floating_new(e->model, fb_body_base(e->model, fb_frame_body(e->model, frame)), &e->floating, &error))
    return NULL;
  if (!e->GJ) e->GJ = (double*)cmd_take(6 * (size_t)fb_model_nv(e->model), sizeof(double));
  fb_floating_update(e->floating, e->q, NULL);
  fb_floating_jacobian(e->floating, frame, e->GJ);
  return e->GJ;
}

void cmd_eval_mixed(cmd_eval* e) {
  size_t size = (size_t)fb_model_nv(e->model) * sizeof(double);
  memcpy(e->x, e->vdot, size);
  memcpy(e->y, e->tau, size);
  fb_mixed_dynamics(e->model, e->dynamics, e->q, e->v, e->prescribed, &e->loads, e->x, e->y);
  if (fb_check_pivots(e->model, e->dynamics, NULL) != FB_OK) no_answer(e);
}

void cmd_eval_write_mass(cmd_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  fb_json_number(json, fb_model_mass(e->model));
}

void cmd_eval_write_com(cmd_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  double com[3];
  fb_subtree_com(e->model, e->data, FB_WORLD, com, NULL, NULL);
  fb_json_numbers(json, com, 3);
}

void cmd_eval_write_energy(cmd_eval* e, int item, int what, fb_json* json) {
  (void)item;
  fb_json_number(json, what == FB_ENERGY_KINETIC ? fb_kinetic_energy(e->model, e->data, e->v)
                                                 : fb_potential_energy(e->model, e->data, e->q, &e->loads));
}
