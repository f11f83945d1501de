/* dynamics.c -- dynamics of the case at hand. It works on data of its own, so that the motion in
 * eval->data, which other outputs read, stays as it is. */
#include "eval/dynamics.h"

#include <math.h>
#include <string.h>

#include <freebody/floating.h>
#include <freebody/kinematics.h>
#include <freebody/loop.h>
#include <freebody/momentum.h>

#include "base/fill_nan.h"
#include "base/grow.h"
#include "constraint/rows.h"

void fb_eval_write_inertia(fb_eval* e, int item, int what, fb_json* json) {
  (void)item;
  (void)what;
  int nv = fb_model_nv(e->model);
  if (!e->H) e->H = fb_pool_take(&e->pool, (size_t)nv * (size_t)nv, sizeof(double));
  if (!e->H) return;
  fb_inertia_matrix(e->model, e->dynamics, e->q, e->H);
  fb_json_matrix(json, e->H, nv, nv);
}

/* A joint has nothing to move: no number is printed where none is meant. */
static void no_answer(fb_eval* e) {
  for (int k = 0; k < fb_model_nv(e->model); k++) e->x[k] = e->y[k] = NAN;
}

/* Whether there are joint forces for this motion. */
static int invert(fb_eval* e, const double* vdot, const unsigned char* actuated, double* tau) {
  fb_loop_inverse_options options = fb_default_loop_inverse_options();
  if (!e->inverse_work)
    e->inverse_work = fb_pool_take(&e->pool, fb_loop_inverse_dynamics_work_size(e->model), sizeof(double));
  options.loads = &e->loads;
  options.actuated = actuated;
  options.work = e->inverse_work;
  return e->inverse_work &&
         !fb_loop_inverse_dynamics(e->model, e->dynamics, e->q, e->v, vdot, &options, tau, NULL);
}

/* Nor where a motion is not possible: it opens a loop, or the actuators cannot produce it. */
static void find_inverse(fb_eval* e) {
  if (fb_model_nloop(e->model) == 0 && !e->has_actuated) {
    fb_inverse_dynamics(e->model, e->dynamics, e->q, e->v, e->vdot, &e->loads, e->x);
    return;
  }
  if (!invert(e, e->vdot, e->has_actuated ? e->actuated : NULL, e->x)) no_answer(e);
}

static void find_forward(fb_eval* e) {
  if (fb_model_nloop(e->model) == 0) {
    fb_forward_dynamics(e->model, e->dynamics, e->q, e->v, e->tau, &e->loads, e->x);
  } else {
    memcpy(e->y, e->tau, (size_t)fb_model_nv(e->model) * sizeof *e->y);
    fb_constrained_dynamics(e->model, e->dynamics, e->q, e->v, NULL, &e->loads, e->x, e->y);
  }
  if (fb_model_check_pivots(e->model, e->dynamics, NULL) != FB_OK) no_answer(e);
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
      fb_passive_forces(e->model, d, e->q, e->v, e->loads.passive, e->x);
      break;
    case FB_VECTOR_PUSH:
      fb_wrench_forces(e->model, e->data, e->loads.wrenches, e->loads.nwrench, e->x);
      break;
    case FB_VECTOR_INVERSE:
      find_inverse(e);
      break;
    case FB_VECTOR_INVERSE_UNLOADED:
      fb_inverse_dynamics(e->model, d, e->q, e->v, e->vdot, &unloaded, e->x);
      break;
    case FB_VECTOR_FORWARD:
      find_forward(e);
      break;
  }
  return e->x;
}

const double* fb_eval_generalized_jacobian(fb_eval* e, int frame) {
  int base = fb_body_base(e->model, fb_frame_body(e->model, frame));
  fb_status status = e->floating ? FB_OK : fb_floating_new(e->model, base, &e->floating, NULL);
  e->pool.failed |= status == FB_ERR_MEMORY;
  if (status == FB_OK && !e->GJ)
    e->GJ = fb_pool_take(&e->pool, 6 * (size_t)fb_model_nv(e->model), sizeof(double));
  if (!e->GJ) return NULL;
  fb_floating_update(e->floating, e->q, NULL);
  fb_floating_jacobian(e->floating, frame, e->GJ);
  return e->GJ;
}

/* Loops act on their frames with the forces of inverse dynamics. */
static void find_reactions(fb_eval* e) {
  int n = e->loads.nwrench, room = n + 2 * fb_model_nloop(e->model);
  fb_loads all = e->loads;
  if (room > n) {
    find_inverse(e);
    if (!fb_grow(&e->wrenches, (size_t)n, (size_t)(room - n), &e->wrench_room, sizeof *e->wrenches)) {
      e->pool.failed = 1;
      return;
    }
    all.wrenches = e->loads.wrenches = e->wrenches;
    all.nwrench += fb_rows_wrenches(e->model, e->dynamics, e->wrenches + n);
  }
  fb_joint_reactions(e->model, e->data, &all, e->reactions);
  if (room > n && isnan(e->x[0])) fb_fill_nan(e->reactions, 6 * fb_model_nbody(e->model));
}

const double* fb_eval_reactions(fb_eval* e) {
  if (!e->reactions)
    e->reactions = fb_pool_take(&e->pool, 6 * (size_t)fb_model_nbody(e->model), sizeof(double));
  if (e->reactions && !e->has_reactions) find_reactions(e);
  e->has_reactions = 1;
  return e->reactions;
}

static void find_mixed(fb_eval* e) {
  size_t size = (size_t)fb_model_nv(e->model) * sizeof(double);
  memcpy(e->x, e->vdot, size);
  memcpy(e->y, e->tau, size);
  fb_constrained_dynamics(e->model, e->dynamics, e->q, e->v, e->prescribed, &e->loads, e->x, e->y);
}

/* Whether the accelerations found open a loop, because those prescribed do. */
static int opens_loop(fb_eval* e) {
  if (fb_model_nloop(e->model) == 0) return 0;
  int opens = !invert(e, e->x, NULL, e->y);
  if (!opens) find_mixed(e); /* again: its forces are requested */
  return opens;
}

void fb_eval_mixed(fb_eval* e) {
  find_mixed(e);
  if (fb_model_check_pivots(e->model, e->dynamics, NULL) != FB_OK || opens_loop(e)) no_answer(e);
}

/* ---- loops ---- */

void fb_eval_measure_loops(fb_eval* e) {
  fb_data* d = e->dynamics;
  int n = fb_model_nloop(e->model);
  if (n == 0) return;
  memcpy(d->loop_length, e->model->par.loop_length, (size_t)n * sizeof *d->loop_length);
  fb_loops_measure(e->model, d, e->q);
}

double fb_eval_loop_error(fb_eval* e, int loop) {
  fb_kinematics(e->model, e->dynamics, e->q, NULL, NULL);
  fb_rows_place(e->model, e->dynamics, e->q);
  return fb_rows_worst_error(e->model, e->dynamics, loop);
}

static void find_loops(fb_eval* e) {
  int n = fb_model_nloop(e->model);
  int moved = e->has_vdot && memchr(e->prescribed, 1, (size_t)fb_model_nv(e->model)) != NULL;
  if (moved)
    fb_eval_mixed(e);
  else
    find_forward(e);
  for (int i = 0; i < n; i++) {
    double* loop = e->loops + FB_EVAL_LOOP * i;
    fb_loop_force(e->model, e->dynamics, i, loop, loop + 3);
    loop[6] = fb_loop_effort(e->model, e->dynamics, i);
  }
  if (isnan(e->x[0])) fb_fill_nan(e->loops, FB_EVAL_LOOP * n);
}

const double* fb_eval_loops(fb_eval* e) {
  if (!e->loops)
    e->loops = fb_pool_take(&e->pool, FB_EVAL_LOOP * (size_t)fb_model_nloop(e->model), sizeof(double));
  if (e->loops && !e->has_loops) find_loops(e);
  e->has_loops = 1;
  return e->loops;
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
