/* computed_torque.c -- forces that make joint errors decay like those of a damped spring
 *
 *   v'_wanted = target'' + kd e' + kp e,   e = target - q,  e' = target' - v
 *   tau of the listed coordinates: mixed dynamics, they accelerate so, others that motions and locks move as those say,
 *   the rest free of action; within +- effort
 *
 * so that e'' + kd e' + kp e = 0 whatever the robot's inertia (Luh, Walker, Paul 1980), while joints that are not
 * listed and a floating base are free to move: their reaction is in the forces. The law uses the model: velocity
 * products, the gravity of the simulation, springs, dampers, friction and closed loops. It does not know of wrenches and of what
 * other blocks do. Outputs: e of each coordinate. Cost O(bodies). */
#include <freebody/control.h>
#include <freebody/loop.h>
#include <freebody/status.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "block/coordinate.h"
#include "control/joint_gains.h"
#include "model/model.h"

typedef struct computed_torque {
  fb_joint_gains* gains;
  double *vdot, *tau;    /* [nv] scratch of act; tau stays zero where not listed */
  unsigned char* listed; /* [nv] */
  unsigned char* known;  /* [nv] scratch of act: those, and what motions and locks move */
} computed_torque;

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)context, (void)state, (void)error;
  fb_joint_gains_start(((const computed_torque*)user)->gains, memory);
  return FB_OK;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate, (void)error;
  const computed_torque* law = (const computed_torque*)user;
  const fb_joint_gains* gains = law->gains;
  for (int i = 0; i < gains->count; i++) {
    const fb_gain_coordinate* c = &gains->coordinates[i];
    const double* p = memory + c->memory_at;
    if (c->given.coordinate < 0) continue; /* its joint has gone */
    fb_gain_error e = fb_joint_gains_error(c, context, memory);
    law->vdot[c->given.coordinate] = e.acceleration + p[FB_GAIN_KD] * e.rate + p[FB_GAIN_KP] * e.place;
  }
  for (int k = 0; k < fb_model_nv(context->model); k++)
    law->known[k] = fb_context_moved(context, k, &law->vdot[k]) || law->listed[k];
  fb_loads loads = fb_context_loads(context);
  fb_constrained_dynamics(context->model, context->data, context->q, context->v, law->known, &loads,
                          law->vdot, law->tau);
  for (int i = 0; i < gains->count; i++) {
    int k = gains->coordinates[i].given.coordinate;
    if (k < 0) continue;
    double effort = fmax(memory[gains->coordinates[i].memory_at + FB_GAIN_EFFORT], 0);
    action->tau[k] += fmin(fmax(law->tau[k], -effort), effort);
  }
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state, (void)error;
  fb_joint_gains_tell(((const computed_torque*)user)->gains, context, memory, outputs);
  return FB_OK;
}

/* Where the force is within its bound. */
static void compensates(void* user, const fb_context* context, const double* memory,
                        unsigned char* compensated) {
  (void)context;
  const computed_torque* law = (const computed_torque*)user;
  for (int i = 0; i < law->gains->count; i++) {
    const fb_gain_coordinate* c = &law->gains->coordinates[i];
    int k = c->given.coordinate;
    if (k >= 0 && fabs(law->tau[k]) <= memory[c->memory_at + FB_GAIN_EFFORT]) compensated[k] = 1;
  }
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  return fb_joint_gains_next_edge(((const computed_torque*)user)->gains, t);
}

/* --- set-up --- */

static void free_scratch(computed_torque* law) {
  free(law->vdot);
  free(law->tau);
  free(law->listed);
}

/* For nv coordinates; 0 when out of memory. */
static int take_scratch(computed_torque* law, size_t nv) {
  law->vdot = calloc(nv + 1, sizeof *law->vdot);
  law->tau = calloc(nv + 1, sizeof *law->tau);
  law->listed = calloc(2 * nv + 1, 1);
  if (!law->vdot || !law->tau || !law->listed) return 0;
  law->known = law->listed + nv;
  return 1;
}

static void list(computed_torque* law) {
  for (int i = 0; i < law->gains->count; i++) {
    int k = law->gains->coordinates[i].given.coordinate;
    if (k >= 0) law->listed[k] = 1;
  }
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  computed_torque *law = (computed_torque*)user, next = {.gains = law->gains};
  if (!take_scratch(&next, (size_t)fb_model_nv(m))) {
    free_scratch(&next);
    return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  }
  free_scratch(law);
  *law = next;
  fb_status status = fb_joint_gains_rebind(law->gains, m, error);
  list(law);
  return status;
}

static void law_free(void* user) {
  computed_torque* law = (computed_torque*)user;
  if (!law) return;
  fb_joint_gains_free(law->gains);
  free_scratch(law);
  free(law);
}

/* Takes over the gains, also on failure. */
static computed_torque* law_new(const fb_model* m, fb_joint_gains* gains) {
  size_t nv = (size_t)fb_model_nv(m);
  computed_torque* law = calloc(1, sizeof *law);
  if (!law) {
    fb_joint_gains_free(gains);
    return NULL;
  }
  law->gains = gains;
  if (!take_scratch(law, nv)) {
    law_free(law);
    return NULL;
  }
  list(law);
  return law;
}

static fb_status check(const fb_model* m, const char* name, const fb_joint_gains* gains, fb_error* error) {
  for (int i = 0; i < gains->count; i++) {
    const fb_pd_joint* given = &gains->coordinates[i].given;
    if (given->ki != 0)
      return fb_fail(
          error, FB_ERR_ARG,
          "block \"%s\", joint \"%s\": ki is %g, but computed torque has no integral; leave it at 0", name,
          fb_coordinate_joint_name(m, given->coordinate), given->ki);
  }
  return FB_OK;
}

fb_status fb_block_computed_torque(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                                   fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_joint_gains* gains;
  fb_status status = fb_joint_gains_new(m, "computed_torque", name, joints, count, &gains, error);
  if (status) return status;
  status = check(m, name, gains, error);
  if (status) {
    fb_joint_gains_free(gains);
    return status;
  }
  computed_torque* law = law_new(m, gains);
  if (!law) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  fb_joint_gains_fill(gains, block);
  block->user = law;
  block->start = start;
  block->act = act;
  block->compensates_ = compensates;
  block->output = output;
  block->next_edge = next_edge;
  block->rebind = rebind;
  block->free = law_free;
  return FB_OK;
}
