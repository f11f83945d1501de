/* integrator.c -- the integrator of a scenario: as its keys say, or chosen for the model (sim/choose_method.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/sundials.h>

#include "scenario/build/build.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"
#include "scenario/rows.h"
#include "model/model.h"

enum {
  SUNDIALS = BIT(FB_METHOD_CUSTOM) | BIT(FB_METHOD_COUNT),
#define AS_CONTROLLED(code, name, order, adaptive, ...) | ((adaptive) ? BIT(code) : 0)
#define AS_BOUNDED(code, name, order, adaptive, dense, moved, stepping, slopes, doubles, ...) \
  | ((doubles) ? BIT(code) : 0)
#define AS_STEPPING(code, name, order, adaptive, dense, moved, stepping, ...) | ((stepping) ? BIT(code) : 0)
  ADAPTIVE = 0 FB_METHOD_LIST(AS_CONTROLLED),
  CONTROLLED = SUNDIALS | ADAPTIVE, /* those that choose their own step */
  BOUNDED =
      CONTROLLED FB_METHOD_LIST(AS_BOUNDED) | BIT(FB_INTEGRATOR_AUTO), /* those whose steps can be bounded */
  ACCURATE = BOUNDED FB_METHOD_LIST(AS_STEPPING)
#undef AS_CONTROLLED
#undef AS_BOUNDED
#undef AS_STEPPING
};

/* The methods of fb_method except FB_METHOD_CUSTOM; then the two of SUNDIALS. */
#define AS_NAME(code, name, ...) #name,
const char* const fb_method_words[] = {FB_METHOD_LIST(AS_NAME) "cvode", "arkode", "auto", NULL};
#undef AS_NAME

static const fb_field FIELDS[] = {
    WORD(INTEGRATOR, "method", fb_method_words, EVERY, "auto",
         "the method; auto: moreau with hard contacts, otherwise dopri5 for the accuracy, or implicit where "
         "joints are stiff; with a step rk4, or implicit where the step is too long for it"),
    UNIT(INTEGRATOR, "step", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_sim_options, step),
         "chosen for the accuracy with auto and implicit; 1 ms with moreau, less where a joint vibrates "
         "faster; automatic with dopri5; otherwise 10 ms",
         "step size; with error control the first step of dopri5; cvode and arkode ignore it"),
    PLAIN(INTEGRATOR, "adaptive", BOOL, ADAPTIVE, NEVER, AT(fb_sim_options, adaptive), "true",
          "false: fixed steps without error control"),
    UNIT(INTEGRATOR, "accuracy", NUMBER, NONE, POSITIVE, ACCURATE, NEVER, AT(fb_sim_options, accuracy),
         "1e-6",
         "the error that the run may have, relative to the sizes of the motion (see simulation.md); steps "
         "are chosen for it unless `step`, or `rtol` and `atol`, are given"),
    UNIT(INTEGRATOR, "rtol", NUMBER, NONE, POSITIVE, CONTROLLED, NEVER, AT(fb_sim_options, rtol), "1e-9",
         "relative tolerance of a step"),
    UNIT(INTEGRATOR, "atol", NUMBER, NONE, POSITIVE, CONTROLLED, NEVER, AT(fb_sim_options, atol), "1e-12",
         "absolute tolerance of a step"),
    UNIT(INTEGRATOR, "max_step", NUMBER, TIME, POSITIVE, BOUNDED, NEVER, AT(fb_sim_options, max_step),
         "10 ms with lua and plugin laws that are not sampled, otherwise no limit", "the longest step"),
};

const fb_schema_rows fb_rows_integrator = FB_ROWS(FIELDS);

/* Steps so short that a run would never end, or the time would stand still. */
static fb_status check_step(const fb_scenario* s, const fb_node* node, double step, fb_error* error) {
  if (step == 0 || step > 1e-12 * s->duration) return FB_OK;
  char duration[32];
  return fb_node_fail(node, error, FB_ERR_CONTENT,
                      "a step of %g s is too short for a run of %s: it would take more than 1e12 steps", step,
                      fb_scenario_format_time(s->duration, duration));
}

/* Keys of error control make no sense with adaptive: false. */
static fb_status check_control(const fb_fields* values, const fb_sim_options* row, fb_error* error) {
  static const char* const keys[] = {"accuracy", "rtol", "atol", "max_step"};
  for (int i = 0; i < 4 && !row->adaptive; i++)
    if (fb_fields_value(values, keys[i]))
      return fb_node_fail(fb_fields_value(values, keys[i]), error, FB_ERR_CONTENT,
                          "'%s' is for error control, which adaptive: false turns off; leave one of them out",
                          keys[i]);
  return FB_OK;
}

/* A bound of steps makes no sense where they are fixed. */
static fb_status check_bound(const fb_fields* values, int method, const fb_sim_options* row,
                             fb_error* error) {
  const fb_node* node = fb_fields_value(values, "max_step");
  int fixed = row->step > 0 && (method == FB_INTEGRATOR_AUTO || fb_method_traits((fb_method)method).doubles);
  if (!node || !fixed) return FB_OK;
  return fb_node_fail(
      node, error, FB_ERR_CONTENT,
      "'max_step' bounds steps that follow the error, and 'step' fixes them; leave one of them out");
}

/* An accuracy takes the place of rtol and atol. */
static fb_status apply_accuracy(const fb_fields* values, int outside, fb_sim_options* row, fb_error* error) {
  static const double MOST = 0.1, LEAST = 1e-12, SHARE = 0.01;
  const fb_node* node = fb_fields_value(values, "accuracy");
  if (!node) return FB_OK;
  if (!(row->accuracy >= LEAST && row->accuracy <= MOST))
    return fb_node_fail(node, error, FB_ERR_CONTENT, "an accuracy of %g is not possible; it is %g to %g",
                        row->accuracy, LEAST, MOST);
  if (fb_fields_value(values, "rtol") || fb_fields_value(values, "atol"))
    return fb_node_fail(node, error, FB_ERR_CONTENT,
                        "'accuracy' takes the place of rtol and atol; leave them out, or it");
  row->rtol = outside ? SHARE * row->accuracy : 0;
  if (outside) row->atol = row->rtol;
  return FB_OK;
}

/* --- auto --- */

/* One that the implicit method does not know: an element, or a law that was probed. */
static int element_is_fastest(const fb_scenario* s) {
  return s->rates.between > 0 && s->rates.between >= s->rates.fastest;
}

/* What the fastest block is called. */
static const char* kind_of_fastest(const fb_scenario* s) {
  for (int i = 0; s->fastest_law && i < s->nblock; i++)
    if (s->blocks[i].name == s->fastest_law)
      return fb_kind_is_in(s->blocks[i].kind, FB_SECTION_CONTACT) ? "contact"
             : fb_kind_is_in(s->blocks[i].kind, FB_SECTION_FORCE) ? "element"
                                                                  : "law";
  return "joint";
}

/* "joint 'elbow', whose rate is 35 1/s". */
static void name_fastest(const fb_scenario* s, char* text, size_t size) {
  const fb_model* m = s->model;
  const char *law = s->fastest_law, *what = law ? law : fb_coordinate_joint_name(m, s->rates.coordinate);
  if (isinf(s->rates.fastest))
    snprintf(text, size, "joint '%.60s', which has a damper but moves no inertia", what);
  else
    snprintf(text, size, "%s '%.60s', whose rate is %.3g 1/s", kind_of_fastest(s), what, s->rates.fastest);
}

/* Contacts decide first: nothing else is considered, so that the run is the same as with the method named. A step that
 * is given means fixed steps, which compliant contacts leave to the rates. */
static int choose_for_contacts(fb_scenario* s) {
  int hard = s->nhard > 0;
  snprintf(s->integrator_reason, sizeof s->integrator_reason, "auto, for %s contacts",
           hard ? "hard" : "compliant");
  return (int)fb_method_for_contacts(hard);
}

static int is_stiff(const fb_stiffness* rates) {
  fb_stiffness joints = *rates;
  double step = 0;
  joints.between = 0;
  return fb_method_traits(fb_method_choose(&joints, &step)).takes_slopes;
}

static int choose(fb_scenario* s, double* step) {
  char fastest[112];
  if (s->nhard > 0 || (s->ncompliant > 0 && *step == 0)) return choose_for_contacts(s);
  s->options.refine = *step > 0;
  fb_stiffness rates = s->rates;
  if (*step == 0 && (s->fastest_law || fb_scenario_is_on_free_joint(s->model, rates.coordinate)))
    rates.between = fmax(rates.between, rates.fastest); /* there is no slope that implicit could take */
  fb_method method = fb_method_choose(&rates, step);
  int explicit = *step == 0 && !fb_method_traits(method).takes_slopes;
  int slow = s->rates.between > 0 && !element_is_fastest(s); /* to follow what vibrates beside the joints */
  const char* why = !explicit              ? "auto, for"
                    : !is_stiff(&s->rates) ? "auto: nothing is too stiff; the fastest is"
                    : slow                 ? "auto: implicit is slow where elements vibrate; the fastest is"
                                           : "auto: stiff, but implicit does not take";
  if (s->rates.fastest > 0) {
    name_fastest(s, fastest, sizeof fastest);
    snprintf(s->integrator_reason, sizeof s->integrator_reason, "%s %s", why, fastest);
  } else if (*step == 0) {
    snprintf(s->integrator_reason, sizeof s->integrator_reason, "auto: nothing is stiff");
  }
  return (int)method;
}

/* --- what will not go well --- */

/* h times a rate, up to which steps are stable; INFINITY: any. */
static double longest_step(const fb_scenario* s) {
  fb_stepper_traits traits = fb_method_traits(s->options.method);
  int slopes = traits.takes_slopes && !element_is_fastest(s); /* of elements it has none */
  return traits.stability_limit > 0 && !slopes ? traits.stability_limit : INFINITY;
}

int fb_scenario_stiffness(const fb_scenario* s, char* text, size_t size) {
  static const double MANY = 1e5; /* steps */
  char fastest[112], step[32];
  const fb_sim_options* o = &s->options;
  if (s->compensated && fb_method_traits(o->method).takes_slopes && fb_scenario_is_fixed(s)) {
    snprintf(text, size,
             "implicit counts the springs and dampers of joints, but not that law '%.60s' compensates them: "
             "the joints will lag; give no method, or take dopri5 or cvode",
             s->compensated);
    return 1;
  }
  double most = longest_step(s) / s->rates.fastest;
  int fixed = fb_scenario_is_fixed(s);
  if (!(s->rates.fastest > 0) || !(fixed ? o->step > most : s->duration > MANY * most)) return 0;
  name_fastest(s, fastest, sizeof fastest);
  if (fixed)
    snprintf(text, size,
             "steps of %s are too long for %s with %s: the motion will grow without bound; give neither "
             "method nor step, or take %s",
             fb_scenario_format_time(o->step, step), fb_method_name(o->method), fastest,
             element_is_fastest(s) ? "dopri5 or cvode" : "implicit or cvode");
  else
    snprintf(text, size, "%s will make some %.1e steps, because of %s; cvode%s long ones",
             fb_method_name(o->method), s->duration / most, fastest,
             element_is_fastest(s) ? " takes" : ", or method: implicit, take");
  return 1;
}

/* --- as given --- */

/* given: the scenario says which step. */
static void name_integrator(fb_scenario* s, const char* method, int given) {
  char step[32], wanted[32];
  int fixed = fb_scenario_is_fixed(s);
  const fb_sim_options* o = &s->options;
  double used = fmin(o->step, s->duration);
  if (fixed && s->checkpoint_given) used = fmin(used, s->checkpoint);
  if (fixed && used < o->step * (1 - 1e-9))
    snprintf(s->integrator, sizeof s->integrator, given ? "%s, %s (%s was asked for)" : "%s, %s", method,
             fb_scenario_format_time(used, step), fb_scenario_format_time(o->step, wanted));
  else if (fixed)
    snprintf(s->integrator, sizeof s->integrator, "%s, %s", method, fb_scenario_format_time(o->step, step));
  else if (o->rtol > 0)
    snprintf(s->integrator, sizeof s->integrator, "%s, rtol %g, atol %g", method, o->rtol, o->atol);
  else
    snprintf(s->integrator, sizeof s->integrator, "%s, accuracy %g", method, o->accuracy);
}

/* The traits of the integrator. One from outside must be there. */
static fb_status find_traits(fb_scenario* s, const fb_node* node, fb_error* error) {
  fb_stepper stepper;
  const fb_sim_options* o = &s->options;
  s->traits = fb_sim_options_traits(o);
  if (!s->outside) return FB_OK;
  fb_status status = fb_stepper_new_sundials(s->outside, o->rtol, o->atol, o->max_step, &stepper, error);
  s->traits = stepper.traits;
  if (status) fb_node_place_error(node, error);
  if (!status && stepper.free) stepper.free(stepper.self);
  return status;
}

/* The step where none is given, by the method: of moreau, which is of first order, the same whether it is named or chosen,
 * short for the fastest joint, and stable; 0 with error control. */
static double usual_step(const fb_scenario* s) {
  static const double PER_RATE = 0.5, SHORT = 1e-4, STABLE = 1.5, SHORTEST = 1e-6;
  double h = 1e-3;
  if (!fb_scenario_is_fixed(s)) return 0;
  if (!s->traits.time_stepping) return fb_default_sim_options().step;
  while (h * s->rates.fastest > PER_RATE && h > SHORT) h /= 2;
  while (isfinite(s->growing) && h * s->growing > STABLE && h > SHORTEST) h /= 2;
  return h;
}

/* The momentum method steps momenta, and cannot take accelerations that laws prescribe. */
static fb_status check_laws(const fb_scenario* s, const fb_node* node, fb_error* error) {
  for (int i = 0; !s->traits.takes_moved && i < s->nblock; i++)
    if (s->blocks[i].moves)
      return fb_node_fail(node, error, FB_ERR_UNSUPPORTED,
                          "the law '%.60s' moves joints, which the %s method cannot take; use another "
                          "method, or a law that acts by force",
                          s->blocks[i].name, fb_method_name(s->options.method));
  return FB_OK;
}

/* Impacts have no place in momenta that are stepped, nor in the stages of the implicit method. */
static fb_status check_contacts(const fb_scenario* s, const fb_node* node, fb_error* error) {
  if (s->nhard == 0 || !(s->traits.steps_momenta || s->traits.takes_slopes)) return FB_OK;
  return fb_node_fail(node, error, FB_ERR_UNSUPPORTED,
                      "the %s method cannot take hard contacts; use moreau, which is the default with them, "
                      "or rk4, rkmk4 or dopri5, or give the contacts a compliant law",
                      fb_method_name(s->options.method));
}

static int is_outside(int method) {
  return method >= FB_METHOD_CUSTOM && method != FB_INTEGRATOR_AUTO;
}

/* What auto chose, and the implicit method without a step, follow the accuracy. */
static int follows_accuracy(int method, int chosen) {
  fb_stepper_traits traits = fb_method_traits((fb_method)method);
  return traits.doubles || (chosen && traits.adaptive);
}

static fb_status read_method(fb_scenario* s, const fb_node* map, fb_error* error) {
  fb_fields values;
  int method = FB_INTEGRATOR_AUTO;
  fb_sim_options row = s->options;
  row.step = row.max_step = 0;
  row.adaptive = 1;
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_INTEGRATOR, &values, error);
  const fb_node* node = status ? NULL : fb_fields_value(&values, "method");
  if (node) status = fb_fields_word(&values, "method", &method, error);
  if (!status) status = fb_fields_read(&values, method, &row, error);
  if (!status) status = check_control(&values, &row, error);
  if (!status) status = check_bound(&values, method, &row, error);
  if (!status) status = apply_accuracy(&values, is_outside(method), &row, error);
  int chosen = method == FB_INTEGRATOR_AUTO;
  if (!status && chosen) method = choose(s, &row.step);
  if (status) return status;
  int outside = is_outside(method);
  if (follows_accuracy(method, chosen)) row.rtol = 0;
  if (outside) row.step = 0; /* it chooses its own, and no other way of stepping is lost by naming it */
  status = check_step(s, fb_fields_value(&values, "step"), row.step, error);
  if (!status) status = check_step(s, fb_fields_value(&values, "max_step"), row.max_step, error);
  if (status) return status;
  const char* name = fb_schema_variant(&fb_scenario_schema, FB_SCENARIO_INTEGRATOR, method);
  row.refine = s->options.refine; /* by auto */
  s->options = row;
  s->options.method = outside ? FB_METHOD_CUSTOM : (fb_method)method;
  s->outside = outside ? name : NULL;
  status = find_traits(s, node, error);
  if (row.step <= 0) s->options.step = usual_step(s);
  name_integrator(s, name, fb_fields_value(&values, "step") != NULL);
  if (!status) status = check_laws(s, node, error);
  return status ? status : check_contacts(s, node, error);
}

/* The scenario names no integrator. */
static fb_status read_nothing(fb_scenario* s, const fb_fields* values, fb_error* error) {
  double step = 0;
  int method = choose(s, &step);
  fb_status status = check_step(s, values->map, step, error);
  if (status) return status;
  s->options.method = (fb_method)method;
  if (follows_accuracy(method, 1)) s->options.rtol = 0;
  s->options.step = step;
  s->traits = fb_sim_options_traits(&s->options);
  if (step <= 0) s->options.step = usual_step(s);
  name_integrator(s, fb_method_name(s->options.method), 0);
  return FB_OK;
}

fb_status fb_scenario_read_integrator(fb_scenario* s, const fb_fields* values, fb_error* error) {
  const fb_node* map = fb_fields_value(values, "integrator");
  s->options = fb_default_sim_options();
  s->options.environment = s->environment;
  s->options.nmode = s->nmode;
  int law = FB_FRICTION_SMOOTH;
  if (fb_fields_value(values, "friction_law")) {
    fb_status known = fb_fields_word(values, "friction_law", &law, error);
    if (known) return known;
  }
  s->options.friction_law = (fb_friction_law)law;
  s->traits = fb_sim_options_traits(&s->options);
  fb_status status = fb_scenario_find_rates(s, error);
  if (!status) status = map ? read_method(s, map, error) : read_nothing(s, values, error);
  /* Steps end at checkpoints; where none were requested they fall on whole steps, and cut none. */
  if (!status && !s->checkpoint_given && fb_scenario_is_fixed(s))
    s->checkpoint = fmax(1, nearbyint(s->checkpoint / s->options.step)) * s->options.step;
  return status;
}
