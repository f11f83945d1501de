/* settings.c -- integrator and log of a scenario. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <freebody/sundials.h>

#include "base/grow.h"
#include "scenario/scenario.h"

/* --- the integrator --- */

/* Steps so short that a run would never end, or the time would stand still. */
static fb_status check_step(const fb_scenario* s, const fb_node* node, double step, fb_error* error) {
  if (step == 0 || step > 1e-12 * s->duration) return FB_OK;
  char duration[32];
  return fb_node_fail(node, error, FB_ERR_CONTENT,
                      "a step of %g s is too short for a run of %s: it would take more than 1e12 steps", step,
                      fb_scenario_time_text(s->duration, duration));
}

/* Keys of error control make no sense with adaptive: false. */
static fb_status check_control(const fb_fields* values, const fb_integrator_row* row, fb_error* error) {
  static const char* const keys[] = {"rtol", "atol", "max_step"};
  for (int i = 0; i < 3 && !row->adaptive; i++)
    if (fb_fields_value(values, keys[i]))
      return fb_node_fail(fb_fields_value(values, keys[i]), error, FB_ERR_CONTENT,
                          "'%s' is for error control, which adaptive: false turns off; leave one of them out",
                          keys[i]);
  return FB_OK;
}

static void name_integrator(fb_scenario* s, const char* method) {
  char step[32], asked[32];
  int fixed = fb_scenario_is_fixed(s);
  const fb_sim_options* o = &s->options;
  double used = fmin(o->step, s->duration);
  if (fixed && s->checkpoint_given) used = fmin(used, s->checkpoint);
  if (fixed && used < o->step * (1 - 1e-9))
    snprintf(s->integrator, sizeof s->integrator, "%s, %s (%s was asked for)", method,
             fb_scenario_time_text(used, step), fb_scenario_time_text(o->step, asked));
  else if (fixed)
    snprintf(s->integrator, sizeof s->integrator, "%s, %s", method, fb_scenario_time_text(o->step, step));
  else
    snprintf(s->integrator, sizeof s->integrator, "%s, rtol %g, atol %g", method, o->rtol, o->atol);
}

/* The traits of the integrator. One from outside must be there. */
static fb_status find_traits(fb_scenario* s, const fb_node* node, fb_error* error) {
  fb_stepper stepper;
  const fb_sim_options* o = &s->options;
  s->traits = fb_sim_options_traits(o);
  if (!s->outside) return FB_OK;
  fb_status status = fb_sundials_stepper(s->outside, o->rtol, o->atol, o->max_step, &stepper, error);
  s->traits = stepper.traits;
  if (status) fb_node_place_error(node, error);
  if (!status && stepper.free) stepper.free(stepper.self);
  return status;
}

/* The momentum method steps momenta, and has no place for accelerations that laws ask for. */
static fb_status check_laws(const fb_scenario* s, const fb_node* node, fb_error* error) {
  for (int i = 0; !s->traits.takes_moved && i < s->nblock; i++)
    if (s->blocks[i].moves)
      return fb_node_fail(node, error, FB_ERR_UNSUPPORTED,
                          "the law '%.60s' moves joints, which the %s method cannot take; use another "
                          "method, or a law that acts by force",
                          s->blocks[i].name, fb_method_name(s->options.method));
  return FB_OK;
}

static fb_status read_method(fb_scenario* s, const fb_node* map, fb_error* error) {
  fb_fields values;
  int method = FB_METHOD_RK4;
  fb_integrator_row row = {0, s->options.rtol, s->options.atol, 0, 1};
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_INTEGRATOR, &values, error);
  const fb_node* node = status ? NULL : fb_fields_value(&values, "method");
  if (node) status = fb_fields_word(&values, "method", &method, error);
  if (!status) status = fb_fields_read(&values, method, &row, error);
  if (!status) status = check_control(&values, &row, error);
  if (status) return status;
  int outside = method >= FB_METHOD_CUSTOM;
  if (outside) row.step = 0; /* it chooses its own, and no other way of stepping is lost by naming it */
  status = check_step(s, fb_fields_value(&values, "step"), row.step, error);
  if (status) return status;
  const char* name = fb_schema_variant(&fb_scenario_schema, FB_SCENARIO_INTEGRATOR, method);
  s->options.method = outside ? FB_METHOD_CUSTOM : (fb_method)method;
  s->options.adaptive = row.adaptive;
  s->options.rtol = row.rtol;
  s->options.atol = row.atol;
  s->options.max_step = row.max_step;
  s->outside = outside ? name : NULL;
  status = find_traits(s, node, error);
  s->options.step = row.step > 0 ? row.step : fb_scenario_is_fixed(s) ? s->options.step : 0;
  name_integrator(s, name);
  return status ? status : check_laws(s, node, error);
}

/* Steps end at checkpoints; where nobody asked for them they fall on whole steps, and cut none. */
static void place_checkpoints(fb_scenario* s) {
  if (s->checkpoint_given || !fb_scenario_is_fixed(s)) return;
  s->checkpoint = fmax(1, nearbyint(s->checkpoint / s->options.step)) * s->options.step;
}

fb_status fb_scenario_read_integrator(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* map = fb_fields_value(values, "integrator");
  s->options = fb_default_sim_options();
  memcpy(s->options.environment.gravity_w, s->gravity_w, sizeof s->gravity_w);
  s->options.nmode = s->nmode;
  int law = FB_FRICTION_SMOOTH;
  if (fb_fields_value(values, "friction_law")) {
    fb_status known = fb_fields_word(values, "friction_law", &law, error);
    if (known) return known;
  }
  s->options.friction_law = (fb_friction_law)law;
  s->traits = fb_sim_options_traits(&s->options);
  fb_status status = map ? read_method(s, map, error) : check_step(s, values->map, s->options.step, error);
  if (!map) name_integrator(s, fb_method_name(s->options.method));
  if (!status) place_checkpoints(s);
  return status;
}

/* --- the log --- */

static int has_signal(const fb_scenario* s, fb_signal signal) {
  for (int i = 0; i < s->nsignal; i++)
    if (memcmp(&s->signals[i], &signal, sizeof signal) == 0) return 1;
  return 0;
}

/* Adds what a name stands for, each signal once. */
static fb_status add_signals(fb_scenario* s, const char* name, fb_error* error) {
  int count;
  fb_status status = fb_scenario_find_signals(s, name, NULL, 0, &count, error);
  if (status) return status;
  if (!fb_grow(&s->signals, (size_t)s->nsignal, 2 * (size_t)count, &s->signal_room, sizeof *s->signals))
    return fb_scenario_no_memory(error);
  fb_signal* found = s->signals + s->nsignal + count; /* the second half of the new room */
  status = fb_scenario_find_signals(s, name, found, count, &count, error);
  int whole = s->nsignal;
  for (int i = 0; i < count && !status; i++) {
    fb_signal signal = found[i];
    if (whole == 0 || !has_signal(s, signal)) s->signals[s->nsignal++] = signal;
  }
  return status;
}

static fb_status add_named_signals(fb_scenario* s, const fb_node* node, fb_error* error) {
  const char* name;
  fb_status status = fb_node_string(node, &name, error);
  if (status) return status;
  status = add_signals(s, name, error);
  if (status && status != FB_ERR_MEMORY) fb_node_place_error(node, error);
  return status;
}

/* What a scene has of these; one without joints has no q. */
static fb_status add_default_signals(fb_scenario* s, fb_error* error) {
  static const char* const names[] = {"q", "v", "tau", "energy", "momentum", "ledger"};
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names && status != FB_ERR_MEMORY; i++)
    status = add_signals(s, names[i], error);
  return status == FB_ERR_MEMORY ? status : FB_OK;
}

static fb_status read_signals(fb_scenario* s, const fb_node* node, fb_error* error) {
  if (!node) return add_default_signals(s, error);
  if (fb_node_get_kind(node) != FB_NODE_LIST) return add_named_signals(s, node, error);
  fb_status status = FB_OK;
  for (int i = 0; i < fb_node_count(node) && !status; i++)
    status = add_named_signals(s, fb_node_item(node, i), error);
  return status;
}

/* About a thousand samples; of fixed steps one in so many. */
static double default_period(const fb_scenario* s) {
  double period = s->duration / 1000, step = s->options.step;
  return fb_scenario_is_fixed(s) ? fmax(1, ceil(period / step - 1e-9)) * step : period;
}

fb_status fb_scenario_read_log(fb_scenario* s, const fb_fields* top, fb_error* error) {
  const fb_node* map = fb_fields_value(top, "log");
  fb_fields values;
  fb_log_row row = {.period = 0, .motion = 1};
  fb_status status = FB_OK;
  if (map) status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_LOG, &values, error);
  if (map && !status) status = fb_fields_read(&values, 0, &row, error);
  if (status) return status;
  s->log_motion = row.motion;
  s->log_period = row.period > 0 ? row.period : default_period(s);
  if (s->log_period < 1e-10 * s->duration)
    return fb_node_fail(fb_fields_value(&values, "period"), error, FB_ERR_CONTENT,
                        "a log period of %g s over %g s gives more than 1e10 samples; choose a longer period",
                        s->log_period, s->duration);
  return read_signals(s, map ? fb_fields_value(&values, "signals") : NULL, error);
}
