/* setup.c -- making a simulation: options, blocks, motions, events, memory; everything before the first step. */
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "block/kind.h"
#include "base/arena.h"
#include "base/cookie.h"
#include "base/copy_text.h"
#include "base/grow.h"
#include "environment/environment.h"
#include "sim/accuracy/error_control.h"
#include "signal/signal_kind.h"
#include "regroup/change.h"
#include "limit/stops.h"
#include "sim/part.h"
#include "contact/dynamics/step_contact.h"
#include "ledger/ledger.h"

enum { MOST_MODES = 32 };

fb_sim_options fb_default_sim_options(void) {
  return (fb_sim_options){.method = FB_METHOD_RK4,
                          .step = 0.01,
                          .adaptive = 1,
                          .accuracy = 1e-6,
                          .rtol = 1e-9,
                          .atol = 1e-12,
                          .environment = fb_default_environment(),
                          .passive = FB_PASSIVE_ALL,
                          .nmode = 1,
                          .cookie_ = FB_COOKIE};
}

fb_stepper fb_default_stepper(void) {
  return (fb_stepper){.cookie_ = FB_COOKIE};
}

fb_motion fb_default_motion(void) {
  return (fb_motion){.kind = FB_MOTION_RATE, .cookie_ = FB_COOKIE};
}

fb_limit fb_default_limit(void) {
  return (fb_limit){.coordinate = -1, .side = 1, .cookie_ = FB_COOKIE};
}

fb_event fb_default_event(void) {
  return (fb_event){.limit = -1, .contact = -1, .cookie_ = FB_COOKIE};
}

static fb_status check_options(const fb_sim_options* o, fb_error* error) {
  if (fb_cookie_check(o->cookie_, "sim_options", error)) return FB_ERR_ARG;
  if ((int)o->method < 0 || o->method >= FB_METHOD_COUNT)
    return fb_fail(error, FB_ERR_ARG, "there is no method %d", (int)o->method);
  int custom = fb_sim_options_are_custom(o);
  if (custom && !o->stepper)
    return fb_fail(error, FB_ERR_ARG, "the method is \"custom\", and no stepper is given");
  if (custom && fb_cookie_check(o->stepper->cookie_, "stepper", error)) return FB_ERR_ARG;
  if (custom && !(o->stepper->step && o->stepper->eval))
    return fb_fail(error, FB_ERR_ARG, "stepper \"%s\" lacks step or eval; fill both",
                   o->stepper->name ? o->stepper->name : "");
  if (!isfinite(o->step) || o->step < 0 || (!fb_sim_options_traits(o).adaptive && o->step == 0))
    return fb_fail(error, FB_ERR_ARG, "the step is %g s; it must be greater than 0", o->step);
  if (!(o->accuracy >= 1e-12 && o->accuracy <= 0.1))
    return fb_fail(error, FB_ERR_ARG, "the accuracy is %g; it must be 1e-12 to 0.1", o->accuracy);
  if (o->rtol != 0 && !(o->rtol > 0 && o->rtol < 1 && o->atol > 0 && isfinite(o->atol)))
    return fb_fail(error, FB_ERR_ARG,
                   "rtol is %g and atol %g; both must be greater than 0, rtol less than 1, or rtol 0 for "
                   "those of `accuracy`",
                   o->rtol, o->atol);
  if (!isfinite(o->max_step) || o->max_step < 0)
    return fb_fail(error, FB_ERR_ARG, "max_step is %g s; it must be 0 (no bound) or more", o->max_step);
  if (o->max_step > 0 && o->max_step < FB_SHORTEST_TIME)
    return fb_fail(error, FB_ERR_ARG,
                   "max_step is %g s, too short for any run; it must be 0 (no bound) or at least %g s",
                   o->max_step, FB_SHORTEST_TIME);
  if ((int)o->friction_law < 0 || o->friction_law > FB_FRICTION_STICTION)
    return fb_fail(error, FB_ERR_ARG, "there is no friction law %d", (int)o->friction_law);
  if (o->nmode < 1 || o->nmode > MOST_MODES)
    return fb_fail(error, FB_ERR_ARG, "there are %d modes; 1 to %d are possible", o->nmode, MOST_MODES);
  return fb_environment_check(&o->environment, error);
}

static void place_chart(fb_sim* s, fb_arena* a) {
  fb_chart* c = &s->chart;
  size_t nquat = (size_t)c->nquat, nrun = (size_t)c->nrun;
  c->quat_q = fb_arena_take(a, nquat * sizeof(int));
  c->quat_v = fb_arena_take(a, nquat * sizeof(int));
  c->run_q = fb_arena_take(a, nrun * sizeof(int));
  c->run_v = fb_arena_take(a, nrun * sizeof(int));
  c->run_count = fb_arena_take(a, nrun * sizeof(int));
  c->is_length = fb_arena_take(a, (size_t)s->nv * sizeof(int));
  c->is_free = fb_arena_take(a, (size_t)s->nv * sizeof(int));
}

static int make_chart(fb_sim* s) {
  fb_chart_fill(s->m, &s->chart); /* measures: its arrays are NULL */
  fb_arena a = {0};
  place_chart(s, &a);
  a = (fb_arena){malloc(a.used + 1), 0};
  s->chart.memory = a.base;
  if (!a.base) return 0;
  place_chart(s, &a);
  fb_chart_fill(s->m, &s->chart);
  return 1;
}

/* Motions may be chosen before the start; without one, forces act. */
static int make_first_motions(fb_sim* s) {
  s->motion.first = malloc(((size_t)s->nv + 1) * sizeof *s->motion.first);
  for (int k = 0; s->motion.first && k < s->nv; k++) s->motion.first[k] = FB_MOTION_FORCE;
  s->motion.of = s->motion.first;
  return s->motion.first != NULL;
}

/* Takes ownership of a stepper of the caller, also on failure; invalid options have none. */
static void drop_stepper(const fb_sim_options* o) {
  if (o->cookie_ == FB_COOKIE && fb_sim_options_are_custom(o) && o->stepper &&
      o->stepper->cookie_ == FB_COOKIE && o->stepper->free)
    o->stepper->free(o->stepper->self);
}

/* The simulation uses its own copy of the parameters, through its data. */
static int make_data(fb_sim* s) {
  s->d = fb_data_new(s->m);
  if (!fb_kinematics_cache_make(&s->cache, s->m) || !s->d) return 0;
  if (!s->options.parameters) return 1;
  s->parameters = fb_parameters_copy(s->options.parameters);
  s->options.parameters = s->parameters;
  if (!s->parameters) return 0;
  s->fingerprint = fb_parameters_fingerprint(s->parameters);
  return !fb_data_use(s->d, s->parameters) && !fb_data_use(s->cache.d, s->parameters);
}

int fb_sim_make_parts(fb_sim* s) {
  return make_data(s) && make_chart(s) && fb_trees_make(s);
}

void fb_sim_free_parts(fb_sim* s) {
  fb_parts_free(s);
  free(s->chart.memory);
  free(s->head);
  free(s->scratch);
  fb_data_free(s->d);
  fb_local_frame_free(s->cache.local);
  fb_kinematics_cache_free(&s->cache);
  fb_parameters_free(s->parameters);
}

/* The world's own entry is not read. */
static fb_status check_body_gravity(const fb_model* m, const double* gravity_w, fb_error* error) {
  for (int i = 3; gravity_w && i < 3 * m->top.nbody; i++)
    if (!isfinite(gravity_w[i]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "gravity on body \"%s\" is not finite",
                     fb_body_name(m, i / 3));
  return FB_OK;
}

static fb_status sim_new(const fb_model* m, fb_sim_options o, fb_sim** sim, fb_error* error) {
  fb_status status = check_options(&o, error);
  if (!status && o.parameters && o.parameters->model != m)
    status = fb_fail(error, FB_ERR_ARG, "the parameters of the simulation are of another model");
  if (!status) status = check_body_gravity(m, o.environment.body_gravity_w, error);
  if (status) return status;
  fb_sim* s = calloc(1, sizeof *s);
  if (!s) return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  s->m = s->regroup.original = m;
  s->options = o;
  s->nq = fb_model_nq(m);
  s->nv = fb_model_nv(m);
  s->step.t_left = s->error.stiff_since = s->error.refined_since = INFINITY;
  s->loads = fb_default_loads();
  s->loads.passive = o.passive;
  if (o.friction_law == FB_FRICTION_STICTION) s->loads.passive &= ~FB_PASSIVE_FRICTION; /* limit/limit.c's */
  s->loads.environment = o.environment;
  fb_environment_uniform(&o.environment, s->loads.environment.gravity_w);
  s->has_field = fb_environment_has_rest(&o.environment);
  if (!make_first_motions(s) || !fb_sim_make_parts(s)) {
    fb_sim_free(s);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a simulation");
  }
  s->stepper = fb_sim_stepper_of(&o);
  fb_tolerance_begin(s);
  *sim = s;
  return FB_OK;
}

fb_status fb_sim_new(const fb_model* m, const fb_sim_options* options, fb_sim** sim, fb_error* error) {
  fb_sim_options o = options ? *options : fb_default_sim_options();
  *sim = NULL;
  fb_status status = sim_new(m, o, sim, error);
  if (status) drop_stepper(&o);
  return status;
}

void fb_sim_free(fb_sim* s) {
  if (!s) return;
  if (s->stepper.free) s->stepper.free(s->stepper.self);
  for (int i = 0; i < s->block.count; i++) {
    if (s->block.list[i].free) s->block.list[i].free(s->block.list[i].user);
    free((void*)(uintptr_t)s->block.list[i].name);
  }
  for (int i = 0; i < s->event.count; i++) free((void*)(uintptr_t)s->event.list[i].name);
  for (int i = 0; i < s->motion.count; i++)
    fb_spline_free((fb_spline*)(uintptr_t)s->motion.list[i].path); /* its copy */
  free(s->block.list);
  free(s->event.list);
  free((void*)s->event.names.slots);
  free(s->motion.list);
  free(s->limit.given ? s->limit.given : s->limit.list);
  fb_sim_free_parts(s);
  fb_changes_free(s->regroup.changes, s->regroup.nchange);
  free(s->motion.first);
  free(s);
}

/* Memory is laid out at the first start, even if a block or an event then fails it. */
/* Whether a struct with this cookie can be added. */
static fb_status check_open(const fb_sim* s, int cookie, const char* what, fb_error* error) {
  if (fb_cookie_check(cookie, what, error)) return FB_ERR_ARG;
  return s->laid_out ? fb_fail(error, FB_ERR_ARG, "a %s cannot be added after fb_sim_start", what) : FB_OK;
}

/* An output of the same name before output `at`; -1 when there is none. */
static int same_output(const fb_block* block, int at) {
  for (int i = 0; i < at; i++)
    if (strcmp(block->outputs[i].name, block->outputs[at].name) == 0) return i;
  return -1;
}

static fb_status check_ports(const fb_block* block, const char* name, fb_error* error) {
  if (block->noutput < 0 || block->ninput < 0 || (block->noutput > 0 && !block->outputs) ||
      (block->ninput > 0 && !block->inputs))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": it has %d outputs and %d inputs; give arrays of as many",
                   name, block->noutput, block->ninput);
  if (block->noutput > 0 && !block->output)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\" has outputs, but no function output that fills them",
                   name);
  for (int i = 0; i < block->noutput + block->ninput; i++) {
    const fb_port* port = i < block->noutput ? &block->outputs[i] : &block->inputs[i - block->noutput];
    if (!port->name || !*port->name || port->count < 1)
      return fb_fail(error, FB_ERR_ARG,
                     "block \"%s\": its %s %d, \"%s\", has %d numbers; give it a name and 1 or more", name,
                     i < block->noutput ? "output" : "input", i < block->noutput ? i : i - block->noutput,
                     port->name ? port->name : "", port->count);
    if (i < block->noutput && same_output(block, i) >= 0)
      return fb_fail(error, FB_ERR_NAME,
                     "block \"%s\": its outputs %d and %d are both called \"%s\"; give one another name",
                     name, same_output(block, i), i, port->name);
  }
  return FB_OK;
}

static fb_status add_block(fb_sim* s, const fb_block* block, int* id, fb_error* error) {
  fb_status status = check_open(s, block->cookie_, "block", error);
  if (status) return status;
  const char* name = block->name ? block->name : "";
  if (fb_sim_find_block(s, name) >= 0)
    return fb_fail(error, FB_ERR_NAME, "two blocks are called \"%s\"; give one another name", name);
  if (!(block->period >= 0) || isinf(block->period) || (block->tick && block->period == 0))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": its period is %g s; it must be %s", name, block->period,
                   block->tick ? "greater than 0" : "0 or more");
  if (block->nmemory < 0 || block->nstate < 0 || block->nwrench < 0)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\" declares a negative amount of memory", name);
  status = check_ports(block, name, error);
  if (status) return status;
  char* copy = fb_copy_text(name);
  if (!copy || !fb_grow(&s->block.list, (size_t)s->block.count, 1, &s->block.room, sizeof *s->block.list)) {
    free(copy);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a block");
  }
  if (id) *id = s->block.count;
  s->block.list[s->block.count] = *block;
  s->block.list[s->block.count++].name = copy;
  return FB_OK;
}

fb_status fb_sim_add_block(fb_sim* s, const fb_block* block, int* id, fb_error* error) {
  if (fb_cookie_check(block->cookie_, "block", error)) return FB_ERR_ARG; /* nothing in it is to be trusted */
  fb_status status = add_block(s, block, id, error);
  if (status && block->free) block->free(block->user);
  return status;
}

fb_status fb_sim_add_event(fb_sim* s, const fb_event* event, int* id, fb_error* error) {
  fb_status status = check_open(s, event->cookie_, "event", error);
  if (status) return status;
  const char* name = event->name ? event->name : "";
  int timed = event->kind == FB_TRIGGER_TIME, crossing = event->kind == FB_TRIGGER_CROSSING;
  if (timed && !(event->time >= 0 && event->period >= 0 && isfinite(event->time) && isfinite(event->period)))
    return fb_fail(error, FB_ERR_ARG,
                   "event \"%s\": its time is %g s and its period %g s; both must be 0 or more", name,
                   event->time, event->period);
  if (crossing && !isfinite(event->level))
    return fb_fail(error, FB_ERR_NOT_FINITE, "event \"%s\": the level that its signal crosses is not finite",
                   name);
  if (event->kind == FB_TRIGGER_CONTACT &&
      (event->contact < 0 || event->contact >= s->block.count ||
       !fb_block_is(&s->block.list[event->contact], &FB_BLOCK_HARD_CONTACT) ||
       (unsigned)event->change >= FB_CONTACT_CHANGES))
    return fb_fail(error, FB_ERR_ARG, "event \"%s\": there is no hard contact %d, or no change %d of it",
                   name, event->contact, (int)event->change);
  if (event->kind == FB_TRIGGER_LIMIT && (event->limit < 0 || event->limit >= s->limit.count))
    return fb_fail(error, FB_ERR_ARG, "event \"%s\": there is no limit %d; %d were added", name, event->limit,
                   s->limit.count);
  const fb_signal_space space = {s->regroup.original, s->block.list, s->block.count};
  if (crossing && !fb_space_has(&space, event->signal))
    return fb_fail(error, FB_ERR_NAME,
                   "event \"%s\": its signal is none of this model's; fb_signal_find gives them", name);
  if (event->name && fb_text_set_has(&s->event.names, event->name))
    return fb_fail(error, FB_ERR_NAME, "two events are called \"%s\"; give one another name", event->name);
  char* copy = fb_copy_text(event->name);
  if (!copy || !fb_grow(&s->event.list, (size_t)s->event.count, 1, &s->event.room, sizeof *s->event.list) ||
      !fb_text_set_add(&s->event.names, copy)) {
    free(copy);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for an event");
  }
  if (id) *id = s->event.count;
  s->event.list[s->event.count] = *event;
  s->event.list[s->event.count++].name = copy;
  return FB_OK;
}

fb_status fb_sim_add_motion(fb_sim* s, const fb_motion* motion, int* id, fb_error* error) {
  fb_status status = check_open(s, motion->cookie_, "motion", error);
  if (status) return status;
  if ((int)motion->kind < FB_MOTION_LOCKED || motion->kind > FB_MOTION_PATH)
    return fb_fail(error, FB_ERR_ARG, "there is no kind %d of motion", (int)motion->kind);
  if (!isfinite(motion->rate)) return fb_fail(error, FB_ERR_NOT_FINITE, "the rate of a motion is not finite");
  if (motion->kind == FB_MOTION_PATH && !motion->path)
    return fb_fail(error, FB_ERR_ARG, "a motion along a path has no path");
  fb_spline* path = motion->kind == FB_MOTION_PATH ? fb_spline_copy(motion->path) : NULL;
  if ((motion->kind == FB_MOTION_PATH && !path) ||
      !fb_grow(&s->motion.list, (size_t)s->motion.count, 1, &s->motion.room, sizeof *s->motion.list)) {
    fb_spline_free(path);
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a motion");
  }
  if (id) *id = s->motion.count;
  s->motion.list[s->motion.count] = *motion;
  s->motion.list[s->motion.count++].path = path;
  return FB_OK;
}

fb_status fb_sim_add_limit(fb_sim* s, const fb_limit* limit, int* id, fb_error* error) {
  fb_status status = check_open(s, limit->cookie_, "limit", error);
  if (status) return status;
  int k = limit->coordinate;
  if (k < 0 || k >= s->nv)
    return fb_fail(error, FB_ERR_ARG, "a limit: there is no coordinate %d; the model has 0 to %d", k,
                   s->nv - 1);
  if (s->m->top.coordinate_q[k] < 0)
    return fb_fail(error, FB_ERR_ARG, "coordinate %d is part of an attitude, which has no limits", k);
  if (!isfinite(limit->level)) return fb_fail(error, FB_ERR_NOT_FINITE, "the level of a limit is not finite");
  if (limit->side != 1 && limit->side != -1)
    return fb_fail(error, FB_ERR_ARG, "the side of a limit is %d; give +1 (upper) or -1 (lower)",
                   limit->side);
  if (!(limit->restitution >= 0 && limit->restitution <= 1))
    return fb_fail(error, FB_ERR_ARG, "restitution is %g; it lies between 0 and 1", limit->restitution);
  status = fb_soft_stop_check(s->m, limit, error);
  if (status) return status;
  if (!fb_grow(&s->limit.list, (size_t)s->limit.count, 1, &s->limit.room, sizeof *s->limit.list))
    return fb_fail(error, FB_ERR_MEMORY, "no memory for a limit");
  if (id) *id = s->limit.count;
  s->limit.list[s->limit.count++] = *limit;
  s->limit.nsoft += limit->stiffness > 0;
  return FB_OK;
}
