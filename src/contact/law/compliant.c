/* compliant.c -- contacts with compliant laws, as blocks: wrenches, works, outputs, slopes
 *
 * Each point pushes a by N n + friction at its place on b, and b by the opposite at the same place (compliant_push.c): the
 * power of both is force times relative velocity, however deep the surfaces overlap. Wrenches are summed by frame; there are
 * none on the world.
 *
 * Memory: friction, k, c, which events may set; then the owner of each bristle. State: the works (pair.h), then
 * bristles. */
#include "contact/law/compliant.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/kinematics.h>

#include "block/kind.h"
#include "contact/law/soil.h"
#include "math/vector3.h"

static const char* const PARAMETERS[FB_COMPLIANT_MEMORY + 1] = {"friction", "stiffness", "damping", NULL};

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)error;
  const fb_contact* how = &((const fb_contact_block*)user)->how;
  memory[FB_COMPLIANT_FRICTION] = how->friction;
  memory[FB_COMPLIANT_STIFFNESS] = how->stiffness;
  memory[FB_COMPLIANT_DAMPING] = how->damping;
  fb_contact_keep(user, context, memory, state);
  return FB_OK;
}

/* Force of a point on a, world axes. */
static void force_of(const fb_push* p, double force[3]) {
  memcpy(force, p->slip_friction.force, 3 * sizeof *force);
  add_scaled3(force, p->normal, p->point.normal);
}

/* ---- forces ---- */

typedef struct acting {
  fb_action* action;
  int first; /* wrench of this block */
  double* state_rate;
  int* pushing;
} acting;

/* The wrench of this block on a frame; NULL: on the world. */
static fb_wrench* wrench_on(const acting* into, int frame) {
  fb_action* action = into->action;
  if (frame == FB_WORLD) return NULL;
  for (int i = into->first; i < action->nwrench; i++)
    if (action->wrenches[i].frame == frame) return &action->wrenches[i];
  fb_wrench* wrench = fb_action_add_wrench(action);
  if (wrench) wrench->frame = frame;
  return wrench;
}

/* Adds `by` times a force at p to the wrench on a frame. */
static void push_frame(const fb_compliant* at, fb_wrench* wrench, const double p[3], double by,
                       const double force[3]) {
  double arm[3], moment[3];
  if (!wrench) return;
  fb_frame_pose(at->m, at->d, wrench->frame, arm, NULL);
  for (int i = 0; i < 3; i++) arm[i] = p[i] - arm[i];
  cross3(arm, force, moment);
  add_scaled3(wrench->force, by, force);
  add_scaled3(wrench->torque, by, moment);
}

static void add_push(void* to, const fb_compliant* at, const fb_push* p) {
  const acting* into = (const acting*)to;
  double force[3];
  force_of(p, force);
  push_frame(at, wrench_on(into, p->a->frame), p->point.p_b, 1, force);
  push_frame(at, wrench_on(into, p->b->frame), p->point.p_b, -1, force);
  *into->pushing += p->normal > 0;
  into->state_rate[FB_CONTACT_X_NORMAL] -= p->normal * p->approach;
  into->state_rate[FB_CONTACT_X_FRICTION] += dot3(p->slip_friction.force, p->slip);
  if (p->bristle >= 0)
    memcpy(into->state_rate + p->bristle, p->slip_friction.rate, sizeof p->slip_friction.rate);
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)error;
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  acting into = {action, action->nwrench, state_rate, &((fb_contact_block*)user)->pushing};
  *into.pushing = 0;
  state_rate[FB_CONTACT_X_NORMAL] = state_rate[FB_CONTACT_X_FRICTION] = 0;
  for (int i = 0; i < fb_compliant_nbristle(at.c); i++)
    fb_friction_relax(state + FB_CONTACT_X_COUNT + 3 * i, state_rate + FB_CONTACT_X_COUNT + 3 * i);
  fb_compliant_visit(&at, add_push, &into);
  return FB_OK;
}

/* ---- outputs ---- */

typedef struct sums {
  double* outputs;
  double friction[3];
} sums;

static void add_output(void* to, const fb_compliant* at, const fb_push* p) {
  sums* into = (sums*)to;
  double *out = into->outputs, place[3] = {at->origin[0], at->origin[1], at->origin[2]};
  int state = p->slip_friction.slips ? FB_CONTACT_SLIPS : FB_CONTACT_STICKS;
  double force[3];
  if (p->normal == 0) return;
  force_of(p, force);
  add_scaled3(out + FB_CONTACT_OUT_FORCE, 1, force);
  add_scaled3(into->friction, 1, p->slip_friction.force);
  add_scaled3(place, 1, p->point.p_b);
  fb_contact_add_normal(out, place, p->normal);
  out[FB_CONTACT_OUT_SLIP] = fmax(out[FB_CONTACT_OUT_SLIP], norm3(p->slip));
  out[FB_CONTACT_OUT_STATE] = fmax(out[FB_CONTACT_OUT_STATE], state);
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)error;
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  sums into = {.outputs = outputs};
  outputs[FB_CONTACT_OUT_GAP] = fb_contact_least_gap(at.m, at.d, at.c);
  fb_compliant_visit(&at, add_output, &into);
  outputs[FB_CONTACT_OUT_TANGENTIAL] = norm3(into.friction);
  outputs[FB_CONTACT_OUT_NORMAL_WORK] = state[FB_CONTACT_X_NORMAL];
  outputs[FB_CONTACT_OUT_FRICTION_WORK] = state[FB_CONTACT_X_FRICTION];
  return FB_OK;
}

/* ---- slopes ---- */

typedef struct slopes {
  double *stiffness, *damping, *x; /* [nv] */
} slopes;

/* A spring and damper along e has the slopes k x x^T and c x x^T, x = J^T e; these are their diagonals. */
static void add_slopes_along(const slopes* into, const fb_compliant* at, const fb_push* p, const double e[3],
                             double stiffness, double damping) {
  fb_wrench both[2] = {{.frame = p->a->frame}, {.frame = p->b->frame}};
  if (!(stiffness > 0) && !(damping > 0)) return;
  for (int i = 0; i < 2; i++) push_frame(at, &both[i], p->point.p_b, i ? -1 : 1, e);
  fb_wrench_forces(at->m, at->d, both, 2, into->x);
  for (int k = 0; k < fb_model_nv(at->m); k++) {
    into->stiffness[k] += stiffness * into->x[k] * into->x[k];
    into->damping[k] += damping * into->x[k] * into->x[k];
  }
}

static void add_slopes(void* to, const fb_compliant* at, const fb_push* p) {
  const slopes* into = (const slopes*)to;
  const double *n = p->point.normal, axis[2][3] = {{1, 0, 0}, {0, 1, 0}};
  double t[2][3];
  cross3(n, axis[fabs(n[0]) > 0.8], t[0]);
  double length = norm3(t[0]);
  for (int i = 0; i < 3; i++) t[0][i] /= length;
  cross3(n, t[0], t[1]);
  add_slopes_along(into, at, p, n, p->slope, p->slope_rate);
  for (int i = 0; i < 2; i++)
    add_slopes_along(into, at, p, t[i], p->slip_friction.stiffness, p->slip_friction.damping);
}

static void gains(void* user, const fb_context* context, const double* memory, const double* state,
                  double* stiffness, double* damping) {
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  slopes into = {stiffness, damping, at.c->scratch};
  fb_compliant_visit(&at, add_slopes, &into);
}

/* ---- energy ---- */

static void add_stored(void* to, const fb_compliant* at, const fb_push* p) {
  double depth = fmax(0, -p->point.gap), power = at->c->how.law == FB_CONTACT_SPRING ? 2 : 2.5;
  *(double*)to += p->weight * at->stiffness * pow(depth, power) / power;
}

double fb_contact_stored(void* user, const fb_context* context, const double* memory, const double* state) {
  double energy = 0;
  if (((const fb_contact_block*)user)->how.law == FB_CONTACT_SOIL)
    return fb_soil_stored((const fb_contact_block*)user, context, state);
  fb_compliant at = fb_compliant_at(user, context, memory, state);
  fb_compliant_visit(&at, add_stored, &energy);
  return energy;
}

/* ---- the block ---- */

/* Frames keep their ids; the scratch is as long as v. */
static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  fb_contact_block* c = (fb_contact_block*)user;
  double* scratch = calloc((size_t)fb_model_nv(m) + 1, sizeof *scratch);
  if (!scratch) return fb_fail(error, FB_ERR_MEMORY, "out of memory for contact \"%s\"", c->how.name);
  free(c->scratch);
  c->scratch = scratch;
  return FB_OK;
}

fb_status fb_block_new_contact(const fb_model* m, const fb_contact* contact, fb_block* block,
                               fb_error* error) {
  fb_contact_block* c;
  *block = fb_default_block();
  if (contact->law == FB_CONTACT_SOIL) return fb_block_new_soil(m, contact, block, error);
  if (contact->law == FB_CONTACT_HARD)
    return fb_fail(error, FB_ERR_ARG,
                   "contact \"%s\" is hard: it is no block of its own; add it by fb_sim_add_contact",
                   contact->name ? contact->name : "");
  fb_status status = fb_contact_block_new(m, contact, &c, error);
  if (!status) status = rebind(c, m, error);
  if (status) {
    fb_contact_block_free(c);
    return status;
  }
  block->name = c->block_name;
  block->user = c;
  block->nmemory = FB_COMPLIANT_MEMORY + fb_compliant_nbristle(c);
  block->nstate = FB_CONTACT_X_COUNT + 3 * fb_compliant_nbristle(c);
  block->nwrench = c->how.na + c->how.nb;
  block->parameters = PARAMETERS;
  block->kind_ = &FB_BLOCK_COMPLIANT_CONTACT;
  block->outputs = fb_contact_outputs;
  block->noutput = FB_CONTACT_NOUTPUT;
  block->start = start;
  block->act = act;
  block->gains = gains;
  block->output = output;
  block->rebind = rebind;
  block->free = fb_contact_block_free;
  return FB_OK;
}
