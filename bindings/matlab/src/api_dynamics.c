/* api_dynamics.c -- freebody.Model: inverse and forward dynamics, inertia matrix, generalized Jacobian
 *
 * Forward and inverse dynamics take any number of states, one in each column. */
#include "api.h"

#include <math.h>
#include <string.h>

static double* room(size_t count) {
  return mxMalloc((count + 1) * sizeof(double));
}

/* Gravity and wrenches: arguments `at` and `at` + 1. Wrenches are a structure array with frame, force and torque. */
static fb_loads loads_of(const mx_call* c, const fb_model* m, int at) {
  fb_loads loads = fb_default_loads();
  if (c->nrhs > at && !mxIsEmpty(c->prhs[at]))
    memcpy(loads.environment.gravity_w, mx_doubles(c, c->prhs[at], "gravity", 3, 1), 3 * sizeof(double));
  if (c->nrhs <= at + 1 || mxIsEmpty(c->prhs[at + 1])) return loads;
  const mxArray* list = c->prhs[at + 1];
  if (!mxIsCell(list)) mx_fail(c, "type", "the wrenches must be a structure with frame, force and torque");
  size_t count = mxGetNumberOfElements(list) / 3; /* frame, force, torque of each, from the m-file */
  fb_wrench* wrenches = mxCalloc(count + 1, sizeof *wrenches);
  for (size_t i = 0; i < count; i++) {
    mx_call one = *c;
    const mxArray* frame = mxGetCell(list, (mwIndex)(3 * i));
    one.prhs = &frame;
    one.nrhs = 1;
    wrenches[i].frame = api_frame(&one, m, 0);
    memcpy(wrenches[i].force, mx_doubles(c, mxGetCell(list, (mwIndex)(3 * i + 1)), "a force", 3, 1),
           3 * sizeof(double));
    memcpy(wrenches[i].torque, mx_doubles(c, mxGetCell(list, (mwIndex)(3 * i + 2)), "a torque", 3, 1),
           3 * sizeof(double));
  }
  loads.wrenches = wrenches;
  loads.nwrench = (int)count;
  return loads;
}

typedef struct states {
  api_model* o;
  size_t nq, nv, count;
  const double *q, *v, *x; /* x: tau, or vdot */
  size_t x_step;           /* 0: one for all */
} states;

static states states_of(const mx_call* c, const char* what) {
  states s = {.o = api_model_of(c)};
  const fb_model* m = s.o->model;
  size_t count_v, count_x;
  fb_error error;
  s.nq = (size_t)fb_model_nq(m);
  s.nv = (size_t)fb_model_nv(m);
  s.q = api_columns(c, 1, "q", (int)s.nq, &s.count);
  s.v = api_columns(c, 2, "v", (int)s.nv, &count_v);
  s.x = api_columns(c, 3, what, (int)s.nv, &count_x);
  if (count_v != s.count || (count_x != s.count && count_x != 1))
    mx_fail(c, "size", "q has %d columns, v %d and %s %d", (int)s.count, (int)count_v, what, (int)count_x);
  s.x_step = count_x == 1 ? 0 : s.nv;
  for (size_t i = 0; i < s.count; i++)
    mx_check(c, fb_model_check_state(m, s.q + s.nq * i, s.v + s.nv * i, &error), &error);
  return s;
}

static void forward(mx_call* c) {
  states s = states_of(c, "tau");
  fb_loads loads = loads_of(c, s.o->model, 4);
  fb_error error;
  c->plhs[0] = mx_matrix(s.nv, s.count, NULL);
  double* out = mxGetPr(c->plhs[0]);
  for (size_t i = 0; i < s.count; i++) {
    fb_forward_dynamics(s.o->model, s.o->data, s.q + s.nq * i, s.v + s.nv * i, s.x + s.x_step * i, &loads,
                        out + s.nv * i);
    if (s.nv && !isfinite(out[s.nv * i]))
      mx_check(c, fb_model_check_pivots(s.o->model, s.o->data, &error), &error);
  }
}

static void inverse(mx_call* c) {
  states s = states_of(c, "vdot");
  fb_loads loads = loads_of(c, s.o->model, 4);
  c->plhs[0] = mx_matrix(s.nv, s.count, NULL);
  for (size_t i = 0; i < s.count; i++)
    fb_inverse_dynamics(s.o->model, s.o->data, s.q + s.nq * i, s.v + s.nv * i, s.x + s.x_step * i, &loads,
                        mxGetPr(c->plhs[0]) + s.nv * i);
}

static void inertia(mx_call* c) {
  api_model* o = api_model_of(c);
  const double* q = api_q(c, o->model, 1);
  size_t nv = (size_t)fb_model_nv(o->model);
  c->plhs[0] = mx_matrix(nv, nv, NULL);
  fb_inertia_matrix(o->model, o->data, q, mxGetPr(c->plhs[0])); /* symmetric */
}

static void bias(mx_call* c) {
  api_model* o = api_model_of(c);
  const double *q = api_q(c, o->model, 1), *v = api_v(c, o->model, 2);
  if (!v) mx_fail(c, "argument", "too few arguments: v is missing");
  fb_loads loads = loads_of(c, o->model, 3);
  c->plhs[0] = mx_matrix((size_t)fb_model_nv(o->model), 1, NULL);
  fb_bias(o->model, o->data, q, v, &loads, mxGetPr(c->plhs[0]));
}

/* The analysis of the tree that a frame belongs to; freed by the caller. */
static fb_floating* floating_of(const mx_call* c, const fb_model* m, int frame) {
  fb_floating* f;
  fb_error error;
  mx_check(c, fb_floating_new(m, fb_body_base(m, fb_frame_body(m, frame)), &f, &error), &error);
  return f;
}

/* [J, columns]: J* over the joints, and their indices in v. */
static void generalized_jacobian(mx_call* c) {
  api_model* o = api_model_of(c);
  const double* q = api_q(c, o->model, 1);
  int frame = api_frame(c, o->model, 2);
  double* J = room(6 * (size_t)fb_model_nv(o->model));
  fb_floating* f = floating_of(c, o->model, frame);
  size_t nj = (size_t)fb_floating_nj(f);
  fb_floating_update(f, q, NULL);
  fb_floating_jacobian(f, frame, J);
  mxArray* columns = mx_matrix(1, nj, NULL);
  for (size_t i = 0; i < nj; i++) mxGetPr(columns)[i] = fb_floating_joints(f)[i] + 1;
  fb_floating_free(f);
  mx_give(c, "J", api_transposed(6, nj, J));
  mx_give(c, "columns", columns);
}

/* v with joint rates that give a frame the velocity [v; w], and the base's reaction, at zero momentum. */
static void resolved_rate(mx_call* c) {
  api_model* o = api_model_of(c);
  const double* q = api_q(c, o->model, 1);
  int frame = api_frame(c, o->model, 2);
  if (c->nrhs < 4) mx_fail(c, "argument", "too few arguments: the velocity is missing");
  const double* velocity = mx_doubles(c, c->prhs[3], "the velocity", 6, 1);
  double damping = c->nrhs > 4 ? mx_scalar(c, 4, "the damping") : 0;
  size_t nv = (size_t)fb_model_nv(o->model);
  double* rates = room(nv);
  c->plhs[0] = mx_matrix(nv, 1, NULL);
  fb_floating* f = floating_of(c, o->model, frame);
  fb_floating_update(f, q, NULL);
  double least = fb_floating_resolved_rate(f, frame, velocity, NULL, damping, rates);
  fb_floating_velocity(f, rates, NULL, mxGetPr(c->plhs[0]));
  fb_floating_free(f);
  if (c->nlhs > 1) c->plhs[1] = mxCreateDoubleScalar(least);
}

const mx_function API_DYNAMICS_FUNCTIONS[] = {{"Model.forward", forward},
                                              {"Model.inverse", inverse},
                                              {"Model.inertia", inertia},
                                              {"Model.bias", bias},
                                              {"Model.generalized_jacobian", generalized_jacobian},
                                              {"Model.resolved_rate", resolved_rate},
                                              {NULL, NULL}};
