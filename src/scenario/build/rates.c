/* rates.c -- the rates of the fastest motions of a scenario at the start: of joints with their laws, of elements and contacts
 * between frames, and of laws without declared gains (law_rates.c). The integrator is chosen by them. */
#include <math.h>
#include <stdlib.h>

#include <freebody/kinematics.h>
#include <freebody/parameters.h>
#include <freebody/response.h>

#include "model/model.h"
#include "scenario/build/build.h"
#include "scenario/kinds/kinds.h"

int fb_scenario_is_on_free_joint(const fb_model* m, int coordinate) {
  return coordinate >= 0 && fb_joint_type_of(m, fb_coordinate_body(m, coordinate)) == FB_JOINT_FREE;
}

/* A block that is no law of one coordinate: an element, or a contact. */
static void count_rate(fb_scenario* s, const char* name, double rate) {
  s->rates.between = fmax(s->rates.between, rate);
  if (!(rate > s->rates.fastest)) return;
  s->rates.fastest = s->rates.vibration = rate;
  s->fastest_law = name;
}

/* A law whose rate was probed (law_rates.c). One that is too fast for rk4 at the usual step is like an element to the
 * implicit method, which does not know its slopes; others change nothing. */
static void count_law(fb_scenario* s, const char* law, double rate) {
  static const double RK4_USUAL_RATE = 270; /* 2.7 over 10 ms: sim/choose_method.c [1/s] */
  if (rate > RK4_USUAL_RATE) {
    count_rate(s, law, rate);
  } else if (rate > s->rates.fastest) {
    s->rates.fastest = s->rates.vibration = rate;
    s->fastest_law = law;
  }
}

/* What acts between frames, elements and contacts; the responses at the start are in d. */
static fb_status find_element_rates(fb_scenario* s, fb_data* d, const unsigned char* prescribed,
                                    fb_error* error) {
  fb_status status = FB_OK;
  fb_kinematics(s->model, d, s->q, NULL, NULL);
  fb_response_begin(s->model, d, s->q, prescribed);
  for (int i = 0; i < s->nblock && !status; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    double rate;
    if (!block->kind->rate) continue;
    status = block->kind->rate(s, block, d, prescribed, &rate, error);
    if (!status) count_rate(s, block->name, rate);
  }
  return status;
}

/* Parameters without what has no slope: friction that is stiction, unlike the smooth law, and all that laws compensate; `all`: of
 * every joint. */
static fb_status leave_out(const fb_scenario* s, const fb_law_rates* laws, int all, fb_parameters* p,
                           fb_error* error) {
  fb_status status = FB_OK;
  for (int k = 0; k < fb_model_nv(s->model) && !status; k++) {
    int none = all || laws->compensated[k];
    if (none || s->options.friction_law == FB_FRICTION_STICTION)
      status = fb_parameters_set(p, FB_PARAMETER_FRICTION, k, 0, error);
    if (none && !status) status = fb_parameters_set(p, FB_PARAMETER_STIFFNESS, k, 0, error);
    if (none && !status) status = fb_parameters_set(p, FB_PARAMETER_DAMPING, k, 0, error);
  }
  return status;
}

/* The fastest of the joints without their friction, which is steep at rest, but bounded: it makes no motion grow, and where
 * joints move at the start it has no slope. */
static fb_status find_smooth_rate(const fb_scenario* s, const fb_start_slopes* x, fb_data* d,
                                  fb_parameters* p, double* rate, fb_error* error) {
  const int nv = fb_model_nv(s->model);
  double* friction = calloc((size_t)nv + 1, sizeof *friction);
  if (!friction) return fb_scenario_no_memory(error);
  fb_status status = FB_OK;
  fb_stiffness rates;
  for (int k = 0; k < nv && !status; k++) {
    friction[k] = fb_parameters_get(p, FB_PARAMETER_FRICTION, k);
    status = fb_parameters_set(p, FB_PARAMETER_FRICTION, k, 0, error);
  }
  if (!status) fb_model_stiffness(s->model, d, s->q, x->prescribed, x->stiffness, x->damping, &rates);
  if (!status) *rate = rates.fastest;
  for (int k = 0; k < nv && !status; k++)
    status = fb_parameters_set(p, FB_PARAMETER_FRICTION, k, friction[k], error);
  free(friction);
  return status;
}

/* Laws that do not say so compensate what makes the joints fast, at this rate. */
static int is_compensated(const fb_law_rates* laws, double rate) {
  static const double SAME = 0.5;
  return laws->passive > SAME * rate && laws->whole < SAME * laws->passive;
}

/* The rates of joints and their laws; d has the parameters p. */
static fb_status find_joint_rates(fb_scenario* s, const fb_start_slopes* x, const fb_law_rates* laws,
                                  fb_data* d, fb_parameters* p, fb_error* error) {
  fb_status status = leave_out(s, laws, 0, p, error);
  if (status) return status;
  fb_model_stiffness(s->model, d, s->q, x->prescribed, x->stiffness, x->damping, &s->rates);
  double smooth = 0;
  status = find_smooth_rate(s, x, d, p, &smooth, error);
  if (status) return status;
  s->compensated = is_compensated(laws, smooth) ? laws->law : NULL;
  if (s->compensated) {
    status = leave_out(s, laws, 1, p, error);
    if (status) return status;
    fb_model_stiffness(s->model, d, s->q, x->prescribed, x->stiffness, x->damping, &s->rates);
  }
  s->fastest_law = x->law_rate > s->rates.fastest ? x->law : NULL;
  if (s->fastest_law)
    s->rates.fastest = s->rates.vibration = x->law_rate; /* no slope that implicit could take */
  else if (fb_scenario_is_on_free_joint(s->model, s->rates.coordinate))
    s->rates.vibration = s->rates.fastest; /* likewise */
  return FB_OK;
}

fb_status fb_scenario_find_rates(fb_scenario* s, fb_error* error) {
  fb_start_slopes x;
  fb_law_rates laws = {.compensated = NULL};
  fb_data* d = fb_data_new(s->model);
  fb_parameters* p = fb_parameters_new(s->model);
  fb_status status = fb_scenario_start_slopes(s, FB_EVERY_MODE, &x, error);
  if (!status && (!d || !p)) status = fb_scenario_no_memory(error);
  if (!status) status = fb_data_use(d, p);
  if (!status) status = fb_scenario_find_law_rates(s, &laws, error);
  if (!status) status = find_joint_rates(s, &x, &laws, d, p, error);
  if (!status) status = find_element_rates(s, d, x.prescribed, error);
  if (!status && laws.law) count_law(s, laws.law, s->compensated ? laws.whole : laws.rate);
  double smooth = 0;
  if (!status && s->nhard > 0) status = find_smooth_rate(s, &x, d, p, &smooth, error);
  if (s->nhard > 0) s->growing = fmax(smooth, x.law_rate);
  s->growing = fmax(s->growing, s->rates.between);
  fb_law_rates_free(&laws);
  fb_start_slopes_free(&x);
  fb_data_free(d);
  fb_parameters_free(p);
  return status;
}
