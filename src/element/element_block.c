/* element_block.c -- elements between frames as blocks: checks, parameters, outputs. Their forces are applied by the
 * simulation (element.c) and enter the ledger as a pair, not as external forces. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/cookie.h"
#include "base/copy_text.h"
#include "dynamics/loads.h"
#include "element/element.h"
#include "sim/sim.h"

static const char* const SPRING_PARAMETERS[] = {"stiffness", "damping", "length", NULL};
static const char* const BUSHING_PARAMETERS[] = {
    "stiffness.0", "stiffness.1", "stiffness.2", "stiffness.3", "stiffness.4", "stiffness.5", "damping.0",
    "damping.1",   "damping.2",   "damping.3",   "damping.4",   "damping.5",   NULL};
static const fb_port SPRING_OUTPUTS[] = {{"force", "N", "", 1}, {"length", "m", "", 1}};
static const fb_port BUSHING_OUTPUTS[] = {{"force", "N", "world", 3}, {"torque", "N m", "world", 3}};

fb_spring fb_default_spring(void) {
  return (fb_spring){.a = -1, .b = -1, .length = -1, .cookie_ = FB_COOKIE};
}

fb_bushing fb_default_bushing(void) {
  return (fb_bushing){.a = -1, .b = -1, .cookie_ = FB_COOKIE};
}

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)state, (void)error;
  const fb_pair* e = (const fb_pair*)user;
  fb_pair_push push;
  memcpy(memory, e->first, (e->is_bushing ? FB_BUSHING_MEMORY : FB_SPRING_MEMORY) * sizeof *memory);
  if (e->is_bushing || memory[FB_SPRING_LENGTH] >= 0) return FB_OK;
  fb_pair_push_at(context->model, fb_pair_kinematics(context, e), e, memory, -1, &push);
  memory[FB_SPRING_LENGTH] = push.length;
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state, (void)error;
  const fb_pair* e = (const fb_pair*)user;
  fb_pair_push push;
  fb_pair_push_at(context->model, fb_pair_kinematics(context, e), e, memory, -1, &push);
  if (e->is_bushing) {
    memcpy(outputs, push.force, sizeof push.force);
    memcpy(outputs + 3, push.torque, sizeof push.torque);
  } else {
    outputs[0] = push.tension;
    outputs[1] = push.length;
  }
  return FB_OK;
}

static void pair_free(void* user) {
  fb_pair* e = (fb_pair*)user;
  if (!e) return;
  free(e->name);
  free(e);
}

fb_status fb_pair_check(const fb_pair* e, int parameter, double value, fb_error* error) {
  const char* const* names = e->is_bushing ? BUSHING_PARAMETERS : SPRING_PARAMETERS;
  if (isfinite(value) && value >= 0) return FB_OK;
  return fb_fail(error, isfinite(value) ? FB_ERR_ARG : FB_ERR_NOT_FINITE,
                 "%s \"%s\": its %s is %g; it must be finite, and 0 or more",
                 e->is_bushing ? "bushing" : "spring", e->name, names[parameter], value);
}

static int link_of(const fb_model* m, int frame) {
  return m->top.body_link[fb_frame_body(m, frame)];
}

static fb_status check_frames(const fb_model* m, const fb_pair* e, fb_error* error) {
  const char* what = e->is_bushing ? "bushing" : "spring";
  const int frames[] = {e->a, e->b};
  for (int i = 0; i < 2; i++)
    if (!fb_frame_exists(m, frames[i]))
      return fb_fail(error, FB_ERR_NAME, "%s \"%s\": its frame %s is %d, which does not exist", what, e->name,
                     i ? "b" : "a", frames[i]);
  if (link_of(m, e->a) != link_of(m, e->b)) return FB_OK;
  return fb_fail(error, FB_ERR_ARG,
                 "%s \"%s\": its frames \"%s\" and \"%s\" are on the same body, or on bodies fixed to each "
                 "other, so it would never act; give frames that can move relative to each other",
                 what, e->name, fb_frame_name(m, e->a), fb_frame_name(m, e->b));
}

static fb_status check(const fb_model* m, const fb_pair* e, int nmemory, fb_error* error) {
  fb_status status = check_frames(m, e, error);
  for (int i = 0; i < nmemory && !status; i++)
    if (e->is_bushing || i != FB_SPRING_LENGTH || !(e->first[i] < 0 && isfinite(e->first[i])))
      status = fb_pair_check(e, i, e->first[i], error);
  return status;
}

static fb_status make(const fb_model* m, const char* name, const fb_pair* given, fb_block* block,
                      fb_error* error) {
  int nmemory = given->is_bushing ? FB_BUSHING_MEMORY : FB_SPRING_MEMORY;
  *block = fb_default_block();
  if (!name || !*name)
    return fb_fail(error, FB_ERR_NAME, "a %s needs a name", given->is_bushing ? "bushing" : "spring");
  fb_pair* e = malloc(sizeof *e);
  if (e) *e = *given;
  if (e) e->name = fb_copy_text(name);
  if (!e || !e->name) {
    free(e);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  }
  fb_status status = check(m, e, nmemory, error);
  if (status) {
    pair_free(e);
    return status;
  }
  block->name = e->name;
  block->user = e;
  block->kind_ = &FB_BLOCK_ELEMENT;
  block->nmemory = nmemory;
  block->nwrench = 2;
  block->parameters = e->is_bushing ? BUSHING_PARAMETERS : SPRING_PARAMETERS;
  block->outputs = e->is_bushing ? BUSHING_OUTPUTS : SPRING_OUTPUTS;
  block->noutput = 2;
  block->start = start;
  block->output = output;
  block->free = pair_free;
  return FB_OK;
}

fb_status fb_block_new_spring(const fb_model* m, const fb_spring* spring, fb_block* block, fb_error* error) {
  if (fb_cookie_check(spring->cookie_, "spring", error)) return FB_ERR_ARG;
  const fb_pair given = {.a = spring->a,
                         .b = spring->b,
                         .slack = spring->slack != 0,
                         .first = {spring->stiffness, spring->damping, spring->length}};
  return make(m, spring->name, &given, block, error);
}

fb_status fb_block_new_bushing(const fb_model* m, const fb_bushing* bushing, fb_block* block,
                               fb_error* error) {
  if (fb_cookie_check(bushing->cookie_, "bushing", error)) return FB_ERR_ARG;
  fb_pair given = {.a = bushing->a, .b = bushing->b, .is_bushing = 1};
  memcpy(given.first, bushing->stiffness, sizeof bushing->stiffness);
  memcpy(given.first + FB_BUSHING_AXES, bushing->damping, sizeof bushing->damping);
  return make(m, bushing->name, &given, block, error);
}

fb_status fb_sim_add_spring(fb_sim* s, const fb_spring* spring, int* id, fb_error* error) {
  fb_block block;
  fb_status status = fb_block_new_spring(s->m, spring, &block, error);
  return status ? status : fb_sim_add_block(s, &block, id, error);
}

fb_status fb_sim_add_bushing(fb_sim* s, const fb_bushing* bushing, int* id, fb_error* error) {
  fb_block block;
  fb_status status = fb_block_new_bushing(s->m, bushing, &block, error);
  return status ? status : fb_sim_add_block(s, &block, id, error);
}
