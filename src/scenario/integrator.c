/* integrator.c -- the integrator of a scenario: as its keys say, or chosen for the model (sim/choose.c). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/parameters.h>
#include <freebody/sundials.h>

#include "contact/law/compliant.h"
#include "scenario/kinds.h"
#include "model/model.h"
#include "element/element.h"

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
  static const char* const keys[] = {"accuracy", "rtol", "atol", "max_step"};
  for (int i = 0; i < 4 && !row->adaptive; i++)
    if (fb_fields_value(values, keys[i]))
      return fb_node_fail(fb_fields_value(values, keys[i]), error, FB_ERR_CONTENT,
                          "'%s' is for error control, which adaptive: false turns off; leave one of them out",
                          keys[i]);
  return FB_OK;
}

/* A bound of steps makes no sense where they are fixed. */
static fb_status check_bound(const fb_fields* values, int method, const fb_integrator_row* row,
                             fb_error* error) {
  const fb_node* node = fb_fields_value(values, "max_step");
  int fixed = row->step > 0 && (method == FB_INTEGRATOR_AUTO || fb_method_traits((fb_method)method).doubles);
  if (!node || !fixed) return FB_OK;
  return fb_node_fail(
      node, error, FB_ERR_CONTENT,
      "'max_step' bounds steps that follow the error, and 'step' fixes them; leave one of them out");
}

/* An accuracy takes the place of rtol and atol. */
static fb_status take_accuracy(const fb_fields* values, int outside, fb_integrator_row* row,
                               fb_error* error) {
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

/* Dampers of free joints are outside the diagonal that the implicit method has (sim/slopes.c). */
static int is_on_free_joint(const fb_model* m, int coordinate) {
  return coordinate >= 0 && fb_joint_type_of(m, fb_coordinate_body(m, coordinate)) == FB_JOINT_FREE;
}

/* A block that is no law of one coordinate: an element, or a contact. */
static void count_rate(fb_scenario* s, const char* name, double rate) {
  s->rates.between = fmax(s->rates.between, rate);
  if (!(rate > s->rates.fastest)) return;
  s->rates.fastest = s->rates.vibration = rate;
  s->fastest_law = name;
}

/* A law that was asked how fast it is (law_rates.c). One that is too fast for rk4 at the usual step is like an element to the
 * implicit method, which does not know its slopes; others change nothing. */
static void count_law(fb_scenario* s, const char* law, double rate) {
  static const double USUAL_REACH = 270; /* 2.7 over 10 ms: sim/choose.c [1/s] */
  if (rate > USUAL_REACH) {
    count_rate(s, law, rate);
  } else if (rate > s->rates.fastest) {
    s->rates.fastest = s->rates.vibration = rate;
    s->fastest_law = law;
  }
}

/* Elements between frames and contacts; the responses at the start are in d. */
static fb_status find_element_rates(fb_scenario* s, fb_data* d, const unsigned char* prescribed,
                                    fb_error* error) {
  fb_status status = FB_OK;
  double* x = malloc(((size_t)fb_model_nv(s->model) + 1) * sizeof *x);
  if (!x) return fb_scenario_no_memory(error);
  fb_kinematics(s->model, d, s->q, NULL, NULL);
  fb_response_begin(s->model, d, s->q, prescribed);
  for (int i = 0; i < s->nblock && !status; i++) {
    fb_block made;
    int k;
    const fb_contact* contact = fb_scenario_contact_of(&s->blocks[i]);
    if (contact) count_rate(s, s->blocks[i].name, fb_contact_rate(s->model, d, prescribed, contact));
    if (s->blocks[i].kind != &fb_kind_element) continue;
    status = fb_scenario_make_block(s, &s->blocks[i], &made, error);
    if (status) break;
    double rate = fb_pair_rate(s->model, d, prescribed, made.pair_, made.pair_->first, x, &k);
    fb_block_free(&made);
    count_rate(s, s->blocks[i].name, rate);
  }
  free(x);
  return status;
}

/* Parameters without what has no slope: friction that is stiction, unlike the smooth law, and all that laws compensate; `all`: of
 * every joint. */
static fb_status leave_out(const fb_scenario* s, const fb_law_rates* asked, int all, fb_parameters* p,
                           fb_error* error) {
  fb_status status = FB_OK;
  for (int k = 0; k < fb_model_nv(s->model) && !status; k++) {
    int none = all || asked->compensated[k];
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
  fb_rates rates;
  for (int k = 0; k < nv && !status; k++) {
    friction[k] = fb_parameters_get(p, FB_PARAMETER_FRICTION, k);
    status = fb_parameters_set(p, FB_PARAMETER_FRICTION, k, 0, error);
  }
  if (!status) fb_find_rates(s->model, d, s->q, x->prescribed, x->stiffness, x->damping, &rates);
  if (!status) *rate = rates.fastest;
  for (int k = 0; k < nv && !status; k++)
    status = fb_parameters_set(p, FB_PARAMETER_FRICTION, k, friction[k], error);
  free(friction);
  return status;
}

/* Laws that were not asked by name compensate what makes the joints fast, at this rate. */
static int is_compensated(const fb_law_rates* asked, double rate) {
  static const double SAME = 0.5;
  return asked->passive > SAME * rate && asked->whole < SAME * asked->passive;
}

/* The rates of joints and their laws; d has the parameters p. */
static fb_status find_joint_rates(fb_scenario* s, const fb_start_slopes* x, const fb_law_rates* asked,
                                  fb_data* d, fb_parameters* p, fb_error* error) {
  fb_status status = leave_out(s, asked, 0, p, error);
  if (status) return status;
  fb_find_rates(s->model, d, s->q, x->prescribed, x->stiffness, x->damping, &s->rates);
  double smooth = 0;
  status = find_smooth_rate(s, x, d, p, &smooth, error);
  if (status) return status;
  s->compensated = is_compensated(asked, smooth) ? asked->law : NULL;
  if (s->compensated) {
    status = leave_out(s, asked, 1, p, error);
    if (status) return status;
    fb_find_rates(s->model, d, s->q, x->prescribed, x->stiffness, x->damping, &s->rates);
  }
  s->fastest_law = x->law_rate > s->rates.fastest ? x->law : NULL;
  if (s->fastest_law)
    s->rates.fastest = s->rates.vibration = x->law_rate; /* no slope that implicit could take */
  else if (is_on_free_joint(s->model, s->rates.coordinate))
    s->rates.vibration = s->rates.fastest; /* likewise */
  return FB_OK;
}

/* The rates at the start. */
static fb_status find_rates(fb_scenario* s, fb_error* error) {
  fb_start_slopes x;
  fb_law_rates asked = {.compensated = NULL};
  fb_data* d = fb_data_new(s->model);
  fb_parameters* p = fb_parameters_new(s->model);
  fb_status status = fb_scenario_start_slopes(s, FB_EVERY_MODE, &x, error);
  if (!status && (!d || !p)) status = fb_scenario_no_memory(error);
  if (!status) status = fb_data_use(d, p);
  if (!status) status = fb_scenario_ask_laws(s, &asked, error);
  if (!status) status = find_joint_rates(s, &x, &asked, d, p, error);
  if (!status) status = find_element_rates(s, d, x.prescribed, error);
  if (!status && asked.law) count_law(s, asked.law, s->compensated ? asked.whole : asked.rate);
  double smooth = 0;
  if (!status && s->nhard > 0) status = find_smooth_rate(s, &x, d, p, &smooth, error);
  if (s->nhard > 0) s->growing = fmax(smooth, x.law_rate);
  s->growing = fmax(s->growing, s->rates.between);
  fb_law_rates_free(&asked);
  fb_start_slopes_free(&x);
  fb_data_free(d);
  fb_parameters_free(p);
  return status;
}

/* One that the implicit method does not know: an element, or a law that was asked. */
static int element_is_fastest(const fb_scenario* s) {
  return s->rates.between > 0 && s->rates.between >= s->rates.fastest;
}

/* What the fastest block is called. */
static const char* kind_of_fastest(const fb_scenario* s) {
  for (int i = 0; s->fastest_law && i < s->nblock; i++)
    if (s->blocks[i].name == s->fastest_law)
      return fb_scenario_contact_of(&s->blocks[i])   ? "contact"
             : s->blocks[i].kind == &fb_kind_element ? "element"
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

/* Contacts decide first: nothing else is taken into account, so that the run is the same as with the method named. A step that
 * is given means fixed steps, which compliant contacts leave to the rates. */
static int choose_for_contacts(fb_scenario* s) {
  int hard = s->nhard > 0;
  snprintf(s->integrator_reason, sizeof s->integrator_reason, "auto, for %s contacts",
           hard ? "hard" : "compliant");
  return (int)fb_method_for_contacts(hard);
}

static int is_stiff(const fb_rates* rates) {
  fb_rates joints = *rates;
  double step = 0;
  joints.between = 0;
  return fb_method_traits(fb_method_choose(&joints, &step)).takes_slopes;
}

static int choose(fb_scenario* s, double* step) {
  char fastest[112];
  if (s->nhard > 0 || (s->ncompliant > 0 && *step == 0)) return choose_for_contacts(s);
  s->options.refine = *step > 0;
  fb_rates rates = s->rates;
  if (*step == 0 && (s->fastest_law || is_on_free_joint(s->model, rates.coordinate)))
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
static double reach(const fb_scenario* s) {
  fb_stepper_traits traits = fb_method_traits(s->options.method);
  int slopes = traits.takes_slopes && !element_is_fastest(s); /* of elements it has none */
  return traits.reach > 0 && !slopes ? traits.reach : INFINITY;
}

int fb_scenario_stiffness(const fb_scenario* s, char* text, size_t size) {
  static const double MANY = 1e5; /* steps */
  char fastest[112], step[32];
  const fb_sim_options* o = &s->options;
  if (s->compensated && fb_method_traits(o->method).takes_slopes && fb_scenario_is_fixed(s)) {
    snprintf(
        text, size,
        "implicit counts the springs and dampers of joints, but not that law '%.60s' compensates them: the "
        "joints will lag; give no method, or take dopri5 or cvode",
        s->compensated);
    return 1;
  }
  double most = reach(s) / s->rates.fastest;
  int fixed = fb_scenario_is_fixed(s);
  if (!(s->rates.fastest > 0) || !(fixed ? o->step > most : s->duration > MANY * most)) return 0;
  name_fastest(s, fastest, sizeof fastest);
  if (fixed)
    snprintf(
        text, size,
        "steps of %s are too long for %s with %s: the motion will grow without bound; give neither method "
        "nor step, or take %s",
        fb_scenario_time_text(o->step, step), fb_method_name(o->method), fastest,
        element_is_fastest(s) ? "dopri5 or cvode" : "implicit or cvode");
  else
    snprintf(text, size, "%s will make some %.1e steps, because of %s; cvode%s long ones",
             fb_method_name(o->method), s->duration / most, fastest,
             element_is_fastest(s) ? " takes" : ", or implicit with fixed steps, take");
  return 1;
}

/* --- as given --- */

/* given: the scenario says which step. */
static void name_integrator(fb_scenario* s, const char* method, int given) {
  char step[32], asked[32];
  int fixed = fb_scenario_is_fixed(s);
  const fb_sim_options* o = &s->options;
  double used = fmin(o->step, s->duration);
  if (fixed && s->checkpoint_given) used = fmin(used, s->checkpoint);
  if (fixed && used < o->step * (1 - 1e-9))
    snprintf(s->integrator, sizeof s->integrator, given ? "%s, %s (%s was asked for)" : "%s, %s", method,
             fb_scenario_time_text(used, step), fb_scenario_time_text(o->step, asked));
  else if (fixed)
    snprintf(s->integrator, sizeof s->integrator, "%s, %s", method, fb_scenario_time_text(o->step, step));
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
  fb_status status = fb_sundials_stepper(s->outside, o->rtol, o->atol, o->max_step, &stepper, error);
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

/* Impacts have no place in momenta that are stepped, nor in the stages of the implicit method. */
static fb_status check_contacts(const fb_scenario* s, const fb_node* node, fb_error* error) {
  if (s->nhard == 0 || !(s->traits.steps_momenta || s->traits.takes_slopes)) return FB_OK;
  return fb_node_fail(
      node, error, FB_ERR_UNSUPPORTED,
      "the %s method cannot take hard contacts; use moreau, which is the default with them, or "
      "rk4, rkmk4 or dopri5, or give the contacts a compliant law",
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
  fb_integrator_row row = {0, s->options.accuracy, s->options.rtol, s->options.atol, 0, 1};
  fb_status status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_INTEGRATOR, &values, error);
  const fb_node* node = status ? NULL : fb_fields_value(&values, "method");
  if (node) status = fb_fields_word(&values, "method", &method, error);
  if (!status) status = fb_fields_read(&values, method, &row, error);
  if (!status) status = check_control(&values, &row, error);
  if (!status) status = check_bound(&values, method, &row, error);
  if (!status) status = take_accuracy(&values, is_outside(method), &row, error);
  int chosen = method == FB_INTEGRATOR_AUTO;
  if (!status && chosen) method = choose(s, &row.step);
  if (status) return status;
  int outside = is_outside(method);
  if (follows_accuracy(method, chosen)) row.rtol = 0;
  if (outside) row.step = 0; /* it chooses its own, and no other way of stepping is lost by naming it */
  status = check_step(s, fb_fields_value(&values, "step"), row.step, error);
  if (status) return status;
  const char* name = fb_schema_variant(&fb_scenario_schema, FB_SCENARIO_INTEGRATOR, method);
  s->options.method = outside ? FB_METHOD_CUSTOM : (fb_method)method;
  s->options.adaptive = row.adaptive;
  s->options.accuracy = row.accuracy;
  s->options.rtol = row.rtol;
  s->options.atol = row.atol;
  s->options.max_step = row.max_step;
  s->options.step = row.step;
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
  fb_status status = find_rates(s, error);
  if (!status) status = map ? read_method(s, map, error) : read_nothing(s, values, error);
  if (!status) place_checkpoints(s);
  return status;
}
