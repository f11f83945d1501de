/* bench_own.c -- Freebody through its public headers, as a user calls it. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/dynamics.h>
#include <freebody/jacobian.h>
#include <freebody/kinematics.h>
#include <freebody/sim.h>
#include <freebody/version.h>

#include "bench_own.h"

typedef struct own {
  const fb_model* m;
  fb_model* mine; /* the same when it is to be freed here, else NULL */
  fb_data* d;
  fb_sim *rk4, *euler, *implicit;
  const bench_states* states;
  int end_point;
  fb_wrench wrenches[2];
  fb_loads pushed, in_field;
  double *vdot, *tau, *J, *H;
} own;

/* ---- model and states -------------------------------------------------------------------------------- */

static fb_body_def body_def(const bench_model* model, const bench_body* body) {
  fb_body_def def = fb_default_body_def();
  def.name = body->name;
  if (body->parent >= 0) def.parent = model->body[body->parent].name;
  def.joint.type = body->is_free ? FB_JOINT_FREE : FB_JOINT_REVOLUTE;
  if (!body->is_free) memcpy(def.joint.axis, body->axis, sizeof body->axis);
  if (!body->is_free) def.joint.armature[0] = body->armature;
  memcpy(def.joint.at, body->at, sizeof body->at);
  def.mass = body->mass;
  memcpy(def.com, body->com, sizeof body->com);
  memcpy(def.inertia, body->inertia, sizeof body->inertia);
  return def;
}

fb_model* bench_own_build(const bench_model* model, fb_error* error) {
  fb_model* m = NULL;
  fb_model_def* def = fb_model_def_new();
  fb_status status = def ? fb_model_def_set_name(def, model->name) : FB_ERR_MEMORY;
  for (int i = 0; i < model->nbody && status == FB_OK; i++) {
    fb_body_def body = body_def(model, &model->body[i]);
    status = fb_model_def_add_body(def, &body, NULL, error);
  }
  if (status == FB_OK) status = fb_model_build(def, NULL, &m, error);
  fb_model_def_free(def);
  return status == FB_OK ? m : NULL;
}

static double* doubles(int rows, int columns) {
  size_t count = (size_t)rows * (size_t)columns;
  return (double*)calloc(count ? count : 1, sizeof(double));
}

int bench_states_open(const fb_model* m, bench_states* s) {
  memset(s, 0, sizeof *s);
  s->count = BENCH_STATES;
  s->nq = fb_model_nq(m);
  s->nv = fb_model_nv(m);
  s->q = doubles(s->count, s->nq);
  s->v = doubles(s->count, s->nv);
  s->vdot = doubles(s->count, s->nv);
  s->tau = doubles(s->count, s->nv);
  if (!s->q || !s->v || !s->vdot || !s->tau) {
    bench_states_close(s);
    return 0;
  }
  for (int k = 0; k < s->count; k++) {
    uint64_t seed = 4 * (uint64_t)k;
    fb_random_q(m, seed, s->q + k * s->nq);
    fb_random_v(m, seed + 1, s->v + k * s->nv);
    fb_random_v(m, seed + 2, s->vdot + k * s->nv);
    fb_random_v(m, seed + 3, s->tau + k * s->nv);
  }
  return 1;
}

void bench_states_close(bench_states* s) {
  free(s->q);
  free(s->v);
  free(s->vdot);
  free(s->tau);
  memset(s, 0, sizeof *s);
}

/* ---- loads ------------------------------------------------------------------------------------------- */

/* The gravity of a planet whose centre is PLANET_AWAY below the world's origin: -mu r / |r|^3, and its slope. */
static const double PLANET_MU = 3.986004418e14, PLANET_AWAY = 7e6;

static double from_planet(const double p[3], double r[3]) {
  memcpy(r, p, 3 * sizeof *r);
  r[2] += PLANET_AWAY;
  return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

static void planet_acceleration(void* user, double t, const double p[3], double a[3]) {
  double r[3], square = from_planet(p, r), factor = -PLANET_MU / (square * sqrt(square));
  (void)user, (void)t;
  for (int i = 0; i < 3; i++) a[i] = factor * r[i];
}

static void planet_gradient(void* user, double t, const double p[3], double gradient[9]) {
  double r[3], square = from_planet(p, r), factor = -PLANET_MU / (square * sqrt(square));
  (void)user, (void)t;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) gradient[3 * i + j] = factor * ((i == j) - 3 * r[i] * r[j] / square);
}

/* A wrench in world axes on the first body and one in its own axes at the end-point; the field of the planet. */
static void make_loads(own* o) {
  o->wrenches[0] = (fb_wrench){.frame = 1, .force = {1, -2, 3}, .torque = {0.3, 0.2, -0.1}};
  o->wrenches[1] =
      (fb_wrench){.frame = o->end_point, .in_frame_axes = 1, .force = {-3, 1, 2}, .torque = {0.1, -0.4, 0.2}};
  o->pushed = o->in_field = fb_default_loads();
  o->pushed.wrenches = o->wrenches;
  o->pushed.nwrench = 2;
  o->in_field.environment.acceleration = planet_acceleration;
  o->in_field.environment.gradient = planet_gradient;
}

/* ---- what is timed ----------------------------------------------------------------------------------- */

static const double* row(const double* rows, int width, int k) {
  return rows + (ptrdiff_t)k * width;
}

static void call_forward_under(own* o, const fb_loads* loads, int k) {
  const bench_states* s = o->states;
  fb_forward_dynamics(o->m, o->d, row(s->q, s->nq, k), row(s->v, s->nv, k), row(s->tau, s->nv, k), loads,
                      o->vdot);
}

static void call_forward(void* self, int k) {
  call_forward_under((own*)self, NULL, k);
}

static void call_forward_wrenches(void* self, int k) {
  own* o = (own*)self;
  call_forward_under(o, &o->pushed, k);
}

static void call_forward_field(void* self, int k) {
  own* o = (own*)self;
  call_forward_under(o, &o->in_field, k);
}

static void call_inverse(void* self, int k) {
  own* o = (own*)self;
  const bench_states* s = o->states;
  fb_inverse_dynamics(o->m, o->d, row(s->q, s->nq, k), row(s->v, s->nv, k), row(s->vdot, s->nv, k), NULL,
                      o->tau);
}

static void call_inertia(void* self, int k) {
  own* o = (own*)self;
  fb_inertia_matrix(o->m, o->d, row(o->states->q, o->states->nq, k), o->H);
}

static void call_poses(void* self, int k) {
  own* o = (own*)self;
  fb_kinematics(o->m, o->d, row(o->states->q, o->states->nq, k), NULL, NULL);
}

static void call_motion(void* self, int k) {
  own* o = (own*)self;
  const bench_states* s = o->states;
  fb_kinematics(o->m, o->d, row(s->q, s->nq, k), row(s->v, s->nv, k), row(s->vdot, s->nv, k));
}

static void call_jacobian(void* self, int k) {
  own* o = (own*)self;
  call_poses(self, k);
  fb_frame_jacobian(o->m, o->d, o->end_point, o->J);
}

/* Every batch begins anew, from the first state, and goes on from there: a start in 64 steps. */
static void make_step(const own* o, fb_sim* sim, int k) {
  if (k == 0) fb_sim_start(sim, o->states->q, o->states->v, NULL);
  fb_sim_step(sim, 1e9, NULL);
}

static void call_rk4_step(void* self, int k) {
  own* o = (own*)self;
  make_step(o, o->rk4, k);
}

static void call_euler_step(void* self, int k) {
  own* o = (own*)self;
  make_step(o, o->euler, k);
}

static void call_implicit_step(void* self, int k) {
  own* o = (own*)self;
  make_step(o, o->implicit, k);
}

/* ---- the runner -------------------------------------------------------------------------------------- */

static void own_close(void* self) {
  own* o = (own*)self;
  if (!o) return;
  free(o->vdot);
  free(o->tau);
  free(o->J);
  free(o->H);
  fb_sim_free(o->rk4);
  fb_sim_free(o->euler);
  fb_sim_free(o->implicit);
  fb_data_free(o->d);
  fb_model_free(o->mine);
  free(o);
}

static fb_sim* new_sim(const fb_model* m, fb_method method) {
  fb_sim* sim = NULL;
  fb_sim_options options = fb_default_sim_options();
  options.method = method;
  options.step = BENCH_STEP;
  return fb_sim_new(m, &options, &sim, NULL) == FB_OK ? sim : NULL;
}

void* bench_own_open(const fb_model* m, int end_point, const bench_states* states) {
  own* o = (own*)calloc(1, sizeof *o);
  if (!o) return NULL;
  int nv = fb_model_nv(m);
  o->m = m;
  o->states = states;
  o->end_point = end_point;
  make_loads(o);
  o->d = fb_data_new(m);
  o->rk4 = new_sim(m, FB_METHOD_RK4);
  o->euler = new_sim(m, FB_METHOD_SEMI_IMPLICIT);
  o->implicit = new_sim(m, FB_METHOD_IMPLICIT);
  o->vdot = doubles(1, nv);
  o->tau = doubles(1, nv);
  o->J = doubles(6, nv);
  o->H = nv <= BENCH_DENSE_NV ? doubles(nv, nv) : doubles(1, 1);
  if (o->d && o->rk4 && o->euler && o->implicit && o->vdot && o->tau && o->J && o->H) return o;
  own_close(o);
  return NULL;
}

static void* own_open(const bench_model* model, const bench_states* states, char* why, size_t size) {
  fb_error error;
  memset(&error, 0, sizeof error);
  fb_model* m = bench_own_build(model, &error);
  own* o =
      m ? (own*)bench_own_open(m, fb_model_find_frame(m, model->body[model->end_point].name), states) : NULL;
  if (o) {
    o->mine = m;
  } else {
    snprintf(why, size, "%s", m ? "out of memory" : error.text);
    fb_model_free(m);
  }
  return o;
}

static void own_read(void* self, bench_quantity quantity, int state, double* out) {
  own* o = (own*)self;
  size_t nv = (size_t)o->states->nv;
  (void)state;
  if (quantity == BENCH_FORWARD || quantity == BENCH_FORWARD_WRENCHES || quantity == BENCH_FORWARD_FIELD)
    memcpy(out, o->vdot, nv * sizeof(double));
  if (quantity == BENCH_INVERSE) memcpy(out, o->tau, nv * sizeof(double));
  if (quantity == BENCH_INERTIA) memcpy(out, o->H, nv * nv * sizeof(double));
  if (quantity == BENCH_JACOBIAN) memcpy(out, o->J, 6 * nv * sizeof(double));
  if (quantity == BENCH_EULER_STEP)
    for (size_t i = 0; i < nv; i++) out[i] = (fb_sim_v(o->euler)[i] - o->states->v[i]) / BENCH_STEP;
  if (quantity == BENCH_POSES || quantity == BENCH_MOTION) fb_frame_pose(o->m, o->d, o->end_point, out, NULL);
}

const bench_runner bench_own = {
    .name = "Freebody",
    .version = FB_VERSION_TEXT,
    .call = {call_forward, call_inverse, call_inertia, call_jacobian, call_poses, call_motion, call_rk4_step,
             call_euler_step, call_implicit_step, call_forward_wrenches, call_forward_field},
    .calls = {"fb_forward_dynamics", "fb_inverse_dynamics", "fb_inertia_matrix",
              "fb_kinematics + fb_frame_jacobian", "fb_kinematics(q)", "fb_kinematics(q, v, vdot)",
              "fb_sim_step, FB_METHOD_RK4", "fb_sim_step, FB_METHOD_SEMI_IMPLICIT",
              "fb_sim_step, FB_METHOD_IMPLICIT (two forward dynamics, second order)",
              "fb_forward_dynamics with two wrenches", "fb_forward_dynamics in a field with its gradient"},
    .open = own_open,
    .read = own_read,
    .close = own_close,
};
