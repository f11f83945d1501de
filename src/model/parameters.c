/* parameters.c -- copies of a model's parameters, set value by value.
 *
 * Every number is checked by the functions of the builder (check.c); what follows from it is computed by the
 * builder's own functions. */
#include "model/parameters.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/checksum.h"
#include "base/fill_nan.h"
#include "model/definition/check.h"
#include "model/inertia.h"
#include "model/model.h"

void fb_parameters_lay_out(const fb_topology* top, fb_parameters* p, fb_arena* a) {
#define X(name, rows, cols, unit, meaning) \
  p->name = fb_arena_take(a, (size_t)(rows) * (size_t)(cols) * (size_t)p->width * sizeof(double));
  FB_PARAMETER_FIELDS(X)
#undef X
}

/* The struct, then its arrays. */
static void lay_out(const fb_topology* top, fb_parameters* p, fb_arena* a) {
  fb_arena_take(a, sizeof *p);
  fb_parameters_lay_out(top, p, a);
}

/* Room for parameters of so many lanes, zero so far. */
static fb_parameters* allocate(const fb_model* m, int width) {
  fb_parameters p = {.model = m, .width = width};
  fb_arena measure = {0};
  lay_out(&m->top, &p, &measure);
  fb_arena place = {.base = aligned_alloc(FB_ALIGN, measure.used)};
  if (!place.base) return NULL;
  memset(place.base, 0, measure.used);
  lay_out(&m->top, &p, &place);
  return (fb_parameters*)memcpy(place.base, &p, sizeof p);
}

static void put_lane(double* wide, int width, int lane, const double* one, size_t count) {
  for (size_t i = 0; i < count; i++) wide[i * (size_t)width + (size_t)lane] = one[i];
}

void fb_parameters_set_lane(fb_parameters* wide, int lane, const fb_parameters* one) {
  const fb_topology* top = &wide->model->top;
#define X(name, rows, cols, unit, meaning) \
  put_lane(wide->name, wide->width, lane, one->name, (size_t)(rows) * (size_t)(cols));
  FB_PARAMETER_FIELDS(X)
#undef X
}

fb_parameters* fb_parameters_new_wide(const fb_model* m, int width) {
  fb_parameters* p = allocate(m, width);
  for (int lane = 0; p && lane < width; lane++) fb_parameters_set_lane(p, lane, &m->par);
  return p;
}

fb_parameters* fb_parameters_copy(const fb_parameters* from) {
  fb_parameters* p = allocate(from->model, 1);
  if (p) fb_parameters_set_lane(p, 0, from);
  return p;
}

fb_parameters* fb_parameters_new(const fb_model* m) {
  return fb_parameters_copy(&m->par);
}

void fb_parameters_free(fb_parameters* p) {
  free(p);
}

static uint64_t checksum(const fb_parameters* p) {
  const fb_topology* top = &p->model->top;
  uint64_t sum = 0;
#define X(name, rows, cols, unit, meaning) \
  sum = fb_checksum(sum, p->name, (size_t)(rows) * (size_t)(cols) * sizeof(double));
  FB_PARAMETER_FIELDS(X)
#undef X
  return sum;
}

int fb_parameters_fingerprint(const fb_parameters* p) {
  return (int)((checksum(p) ^ checksum(&p->model->par)) & INT_MAX);
}

fb_status fb_parameters_set_inertia(fb_parameters* p, int body, double mass, const double com[3],
                                    const double inertia[6], fb_error* error) {
  const fb_model* m = p->model;
  if (body < 1 || body >= m->top.nbody)
    return fb_fail(error, FB_ERR_ARG, "there is no body %d; bodies count from 1 to %d", body,
                   m->top.nbody - 1);
  fb_status status = fb_check_inertia(fb_body_name(m, body), mass, com, inertia, m->keeps_inertia, error);
  if (status) return status;
  p->body_mass[body] = mass;
  memcpy(p->body_com + 3 * body, com, 3 * sizeof *com);
  memcpy(p->body_inertia + 6 * body, inertia, 6 * sizeof *inertia);
  fb_inertia_subtrees(&m->top, p);
  fb_inertia_link(&m->top, p, m->top.body_link[body]);
  return FB_OK;
}

void fb_parameters_inertia(const fb_parameters* p, int body, double* mass, double com[3], double inertia[6]) {
  if (body < 0 || body >= p->model->top.nbody) {
    fb_fill_nan(mass, 1);
    fb_fill_nan(com, 3);
    fb_fill_nan(inertia, 6);
    return;
  }
  if (mass) *mass = p->body_mass[body];
  if (com) memcpy(com, p->body_com + 3 * body, 3 * sizeof *com);
  if (inertia) memcpy(inertia, p->body_inertia + 6 * body, 6 * sizeof *inertia);
}

/* The array of a parameter; NULL when it does not exist. */
static double* array_of(const fb_parameters* p, fb_parameter_kind kind) {
  switch (kind) {
#define X(code, name) \
  case code:          \
    return p->name;
    FB_COORDINATE_PARAMETERS(X)
#undef X
    case FB_PARAMETER_FRICTION_SPEED:
      return p->friction_speed;
    default:
      return NULL;
  }
}

/* The joint of coordinate k as a definition would have it. */
static fb_status check_coordinate(const fb_parameters* p, int k, fb_error* error) {
  const fb_model* m = p->model;
  int body = fb_coordinate_body(m, k), first = m->top.body_v[body];
  fb_joint_def joint = fb_default_joint_def();
  joint.type = fb_joint_type_of(m, body);
  joint.friction_speed = p->friction_speed[k];
  for (int i = 0; i < fb_joint_nv(m, body); i++) {
#define X(code, name) joint.name[i] = p->name[first + i];
    FB_COORDINATE_PARAMETERS(X)
#undef X
  }
  return fb_check_joint_numbers(fb_body_name(m, body), &joint, error);
}

fb_status fb_parameters_set(fb_parameters* p, fb_parameter_kind kind, int k, double value, fb_error* error) {
  double* array = array_of(p, kind);
  if (!array) return fb_fail(error, FB_ERR_ARG, "parameter %d is not one of fb_parameter_kind", (int)kind);
  if (k < 0 || k >= p->model->top.nv)
    return fb_fail(error, FB_ERR_ARG, "there is no coordinate %d; they count from 0 to %d", k,
                   p->model->top.nv - 1);
  double before = array[k];
  array[k] = value;
  fb_status status = check_coordinate(p, k, error);
  if (status)
    array[k] = before;
  else if (kind == FB_PARAMETER_STIFFNESS || kind == FB_PARAMETER_DAMPING || kind == FB_PARAMETER_FRICTION)
    p->has_passive[0] += (value != 0) - (before != 0);
  return status;
}

double fb_parameters_get(const fb_parameters* p, fb_parameter_kind kind, int k) {
  const double* array = array_of(p, kind);
  return array && k >= 0 && k < p->model->top.nv ? array[k] : NAN;
}

void fb_parameters_find_passive(const fb_topology* top, fb_parameters* p) {
  int count = 0;
  for (int k = 0; k < top->nv; k++)
    count += (p->stiffness[k] != 0) + (p->damping[k] != 0) + (p->friction[k] != 0);
  p->has_passive[0] = count;
}
