/* api_state.c -- freebody.Model: configurations, poses, velocities, Jacobians, momentum and energy */
#include "api.h"

#include <string.h>

static double* room(size_t count) {
  return mxMalloc((count + 1) * sizeof(double));
}

static void neutral(mx_call* c) {
  const fb_model* m = api_model_of(c)->model;
  c->plhs[0] = mx_matrix((size_t)fb_model_nq(m), 1, NULL);
  fb_neutral(m, mxGetPr(c->plhs[0]));
}

static void random_state(mx_call* c) {
  const fb_model* m = api_model_of(c)->model;
  uint64_t seed = (uint64_t)mx_index(c, 1, "the seed", 1000000000);
  mxArray *q = mx_matrix((size_t)fb_model_nq(m), 1, NULL), *v = mx_matrix((size_t)fb_model_nv(m), 1, NULL);
  fb_random_q(m, seed, mxGetPr(q));
  fb_random_v(m, seed, mxGetPr(v));
  mx_give(c, "q", q);
  mx_give(c, "v", v);
}

static void integrate(mx_call* c) {
  const fb_model* m = api_model_of(c)->model;
  const double *q = api_q(c, m, 1), *v = api_v(c, m, 2);
  if (!v) mx_fail(c, "argument", "too few arguments: v is missing");
  double dt = mx_scalar(c, 3, "dt");
  c->plhs[0] = mx_matrix((size_t)fb_model_nq(m), 1, NULL);
  fb_integrate(m, q, v, dt, mxGetPr(c->plhs[0]));
}

/* [p, R, v, w] of a frame. */
static void pose(mx_call* c) {
  api_model* o = api_model_of(c);
  const double* q = api_q(c, o->model, 1);
  int frame = api_frame(c, o->model, 2);
  const double* v = api_v(c, o->model, 3);
  double p[3], R[9], lin[3], ang[3];
  fb_kinematics(o->model, o->data, q, v, NULL);
  fb_frame_pose(o->model, o->data, frame, p, R);
  mx_give(c, "p", mx_matrix(3, 1, p));
  mx_give(c, "R", api_transposed(3, 3, R));
  if (c->nlhs < 3) return;
  if (!v) mx_fail(c, "argument", "the velocity of a frame needs v: pose(q, frame, v)");
  fb_frame_velocity(o->model, o->data, frame, lin, ang);
  mx_give(c, "v", mx_matrix(3, 1, lin));
  mx_give(c, "w", mx_matrix(3, 1, ang));
}

static void jacobian(mx_call* c) {
  api_model* o = api_model_of(c);
  const double* q = api_q(c, o->model, 1);
  int frame = api_frame(c, o->model, 2);
  const double* v = api_v(c, o->model, 3);
  size_t nv = (size_t)fb_model_nv(o->model);
  double* J = room(6 * nv);
  fb_kinematics(o->model, o->data, q, v, NULL);
  fb_frame_jacobian(o->model, o->data, frame, J);
  mx_give(c, "J", api_transposed(6, nv, J));
  if (c->nlhs < 2) return;
  if (!v) mx_fail(c, "argument", "the rate of a Jacobian needs v: jacobian(q, frame, v)");
  fb_frame_jacobian_rate(o->model, o->data, frame, J);
  mx_give(c, "Jdot", api_transposed(6, nv, J));
}

static void centre(mx_call* c) {
  api_model* o = api_model_of(c);
  const double *q = api_q(c, o->model, 1), *v = api_v(c, o->model, 2);
  double p[3], lin[3];
  fb_kinematics(o->model, o->data, q, v, NULL);
  fb_centre_of_mass(o->model, o->data);
  fb_subtree_com(o->model, o->data, 0, p, v ? lin : NULL, NULL);
  mx_give(c, "p", mx_matrix(3, 1, p));
  if (v) mx_give(c, "v", mx_matrix(3, 1, lin));
}

/* Linear momentum and angular momentum about a point, the origin by default. */
static void momentum(mx_call* c) {
  api_model* o = api_model_of(c);
  const double *q = api_q(c, o->model, 1), *v = api_v(c, o->model, 2);
  const double* point =
      c->nrhs > 3 ? mx_doubles(c, c->prhs[3], "the point", 3, 1) : (const double[3]){0, 0, 0};
  if (!v) mx_fail(c, "argument", "too few arguments: v is missing");
  double L[6];
  fb_kinematics(o->model, o->data, q, v, NULL);
  fb_momentum(o->model, o->data, point, L, L + 3);
  c->plhs[0] = mx_matrix(6, 1, L);
}

static void energy(mx_call* c) {
  api_model* o = api_model_of(c);
  const double *q = api_q(c, o->model, 1), *v = api_v(c, o->model, 2);
  fb_loads loads = fb_default_loads();
  if (!v) mx_fail(c, "argument", "too few arguments: v is missing");
  if (c->nrhs > 3)
    memcpy(loads.environment.gravity_w, mx_doubles(c, c->prhs[3], "gravity", 3, 1), 3 * sizeof(double));
  fb_kinematics(o->model, o->data, q, v, NULL);
  mx_give(c, "kinetic", mxCreateDoubleScalar(fb_kinetic_energy(o->model, o->data, v)));
  mx_give(c, "potential", mxCreateDoubleScalar(fb_potential_energy(o->model, o->data, q, &loads)));
}

static void inverse_kinematics(mx_call* c) {
  api_model* o = api_model_of(c);
  const double* q = api_q(c, o->model, 1);
  fb_ik_target target = fb_default_ik_target();
  fb_error error;
  target.frame = api_frame(c, o->model, 2);
  memcpy(target.p_wf, c->nrhs > 3 ? mx_doubles(c, c->prhs[3], "p", 3, 1) : target.p_wf, sizeof target.p_wf);
  if (c->nrhs < 5 || mxIsEmpty(c->prhs[4]))
    target.rotation_weight = 0;
  else
    fb_rot_transpose(mx_doubles(c, c->prhs[4], "R", 9, 1), target.R_wf);
  fb_ik_options options = fb_default_ik_options();
  options.restarts = 20;
  c->plhs[0] = mx_matrix((size_t)fb_model_nq(o->model), 1, q);
  mx_check(c,
           fb_inverse_kinematics(o->model, o->data, &target, 1, &options, mxGetPr(c->plhs[0]), NULL, &error),
           &error);
}

const mx_function API_STATE_FUNCTIONS[] = {{"Model.neutral", neutral},
                                           {"Model.random", random_state},
                                           {"Model.integrate", integrate},
                                           {"Model.pose", pose},
                                           {"Model.jacobian", jacobian},
                                           {"Model.centre", centre},
                                           {"Model.momentum", momentum},
                                           {"Model.energy", energy},
                                           {"Model.inverse_kinematics", inverse_kinematics},
                                           {NULL, NULL}};
