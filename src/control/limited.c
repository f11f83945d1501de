/* limited.c -- a block within the effort limits of the joints that it drives
 *
 *   tau_k += max(-effort_k, min(effort_k, what the inner block adds to tau_k))
 *
 * Each coordinate by itself; what other blocks add does not count. Wrenches and prescribed accelerations pass as they
 * are. Cost O(coordinates) plus the inner block's. */
#include <freebody/control.h>
#include <freebody/status.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "model/parameters.h"

typedef struct limited {
  fb_block inner;
  int nv;
  double* tau;                 /* [nv] what the inner block adds */
  double *stiffness, *damping; /* [nv] its gains */
  unsigned char* compensated;  /* [nv] likewise */
} limited;

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  const fb_block* inner = &((limited*)user)->inner;
  return inner->start(inner->user, context, memory, state, error);
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  const fb_block* inner = &((limited*)user)->inner;
  return inner->tick(inner->user, context, memory, state, error);
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  limited* l = (limited*)user;
  const double* effort = fb_context_parameters(context)->effort;
  double* all = action->tau;
  memset(l->tau, 0, (size_t)l->nv * sizeof *l->tau);
  action->tau = l->tau;
  fb_status status = l->inner.act(l->inner.user, context, memory, state, action, state_rate, error);
  action->tau = all;
  /* Not fmin and fmax: a NaN must not become a limit. */
  for (int k = 0; k < l->nv; k++)
    all[k] += l->tau[k] > effort[k] ? effort[k] : l->tau[k] < -effort[k] ? -effort[k] : l->tau[k];
  return status;
}

/* After act: at its limit a coordinate keeps the part of the gains that it keeps of the force. */
static void gains(void* user, const fb_context* context, const double* memory, const double* state,
                  double* stiffness, double* damping) {
  limited* l = (limited*)user;
  const double* effort = fb_context_parameters(context)->effort;
  memset(l->stiffness, 0, 2 * (size_t)l->nv * sizeof *l->stiffness);
  l->inner.gains(l->inner.user, context, memory, state, l->stiffness, l->damping);
  for (int k = 0; k < l->nv; k++) {
    double part = fabs(l->tau[k]) > effort[k] ? effort[k] / fabs(l->tau[k]) : 1;
    stiffness[k] += part * l->stiffness[k];
    damping[k] += part * l->damping[k];
  }
}

/* After act, likewise. */
static void compensates(void* user, const fb_context* context, const double* memory,
                        unsigned char* compensated) {
  limited* l = (limited*)user;
  const double* effort = fb_context_parameters(context)->effort;
  memset(l->compensated, 0, (size_t)l->nv);
  l->inner.compensates_(l->inner.user, context, memory, l->compensated);
  for (int k = 0; k < l->nv; k++)
    if (l->compensated[k] && fabs(l->tau[k]) <= effort[k]) compensated[k] = 1;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  const fb_block* inner = &((limited*)user)->inner;
  return inner->output(inner->user, context, memory, state, outputs, error);
}

static double next_edge(void* user, const double* memory, double t) {
  const fb_block* inner = &((limited*)user)->inner;
  return inner->next_edge(inner->user, memory, t);
}

/* Scratch for nv coordinates; 0 when out of memory. */
static int take_scratch(limited* l, int nv) {
  double* tau = calloc(4 * (size_t)nv + 1, sizeof *tau);
  if (!tau) return 0;
  free(l->tau);
  l->tau = tau;
  l->nv = nv;
  l->stiffness = tau + nv;
  l->damping = l->stiffness + nv;
  l->compensated = (unsigned char*)(l->damping + nv);
  return 1;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  limited* l = (limited*)user;
  if (!take_scratch(l, fb_model_nv(m))) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  return l->inner.rebind ? l->inner.rebind(l->inner.user, m, error) : FB_OK;
}

static void limited_free(void* user) {
  limited* l = (limited*)user;
  if (!l) return;
  fb_block_free(&l->inner);
  free(l->tau);
  free(l);
}

/* Takes the inner block over, whatever comes. */
static limited* limited_new(const fb_model* m, const fb_block* inner) {
  limited* l = calloc(1, sizeof *l);
  if (!l) {
    if (inner->free) inner->free(inner->user);
    return NULL;
  }
  l->inner = *inner;
  if (take_scratch(l, fb_model_nv(m))) return l;
  limited_free(l);
  return NULL;
}

fb_status fb_block_new_limited(const fb_model* m, fb_block* inner, fb_block* block, fb_error* error) {
  fb_block inner_block = *inner;
  *inner = *block = fb_default_block(); /* may be one and the same */
  if (fb_cookie_check(inner_block.cookie_, "block", error)) return FB_ERR_ARG;
  limited* l = limited_new(m, &inner_block);
  if (!l) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the limits of a block");
  *block = inner_block;
  block->user = l;
  block->start = inner_block.start ? start : NULL;
  block->tick = inner_block.tick ? tick : NULL;
  block->act = inner_block.act ? act : NULL;
  block->gains = inner_block.gains ? gains : NULL;
  block->compensates_ = inner_block.compensates_ ? compensates : NULL;
  block->output = inner_block.output ? output : NULL;
  block->next_edge = inner_block.next_edge ? next_edge : NULL;
  block->rebind = rebind;
  block->free = limited_free;
  return FB_OK;
}
