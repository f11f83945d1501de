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

#include "control/joint_gains.h"
#include "model/model.h"

/* Of the law, beside its gains, with its arrays behind it. */
typedef struct computed_torque {
  double *vdot, *tau;    /* [nv] scratch of act */
  unsigned char* listed; /* [nv] */
  unsigned char* known;  /* [nv] scratch of act: those, and what motions and locks move */
  double numbers[];
} computed_torque;

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate, (void)error;
  const fb_joint_gains* gains = (const fb_joint_gains*)user;
  const computed_torque* law = (const computed_torque*)gains->law;
  for (int i = 0; i < gains->count; i++) {
    const fb_gain_coordinate* c = &gains->coordinates[i];
    const double* p = memory + c->memory_at;
    if (c->given.coordinate < 0) continue; /* its joint has gone */
    fb_gain_error e = fb_joint_gains_error(c, context, memory);
    law->vdot[c->given.coordinate] = e.acceleration + p[FB_GAIN_KD] * e.rate + p[FB_GAIN_KP] * e.place;
  }
  for (int k = 0; k < fb_model_nv(context->model); k++)
    law->known[k] = fb_context_is_moved(context, k, &law->vdot[k]) || law->listed[k];
  fb_loads loads = fb_context_loads(context);
  /* Of joints that were moved before, and now are free, it still has the force that moved them. */
  memset(law->tau, 0, (size_t)fb_model_nv(context->model) * sizeof *law->tau);
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

/* Where the force is within its bound. */
static void compensates(void* user, const fb_context* context, const double* memory,
                        unsigned char* compensated) {
  (void)context;
  const fb_joint_gains* gains = (const fb_joint_gains*)user;
  const computed_torque* law = (const computed_torque*)gains->law;
  for (int i = 0; i < gains->count; i++) {
    const fb_gain_coordinate* c = &gains->coordinates[i];
    int k = c->given.coordinate;
    if (k >= 0 && fabs(law->tau[k]) <= memory[c->memory_at + FB_GAIN_EFFORT]) compensated[k] = 1;
  }
}

/* For nv coordinates; NULL when out of memory. */
static computed_torque* new_law(size_t nv) {
  computed_torque* law = calloc(1, sizeof *law + 2 * nv * (sizeof(double) + 1));
  if (!law) return NULL;
  law->vdot = law->numbers;
  law->tau = law->vdot + nv;
  law->listed = (unsigned char*)(law->tau + nv);
  law->known = law->listed + nv;
  return law;
}

static void list(const fb_joint_gains* gains, computed_torque* law) {
  for (int i = 0; i < gains->count; i++) {
    int k = gains->coordinates[i].given.coordinate;
    if (k >= 0) law->listed[k] = 1;
  }
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  fb_joint_gains* gains = (fb_joint_gains*)user;
  computed_torque* law = new_law((size_t)fb_model_nv(m));
  if (!law) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  free(gains->law);
  gains->law = law;
  fb_status status = fb_joint_gains_rebind(gains, m, error);
  list(gains, law);
  return status;
}

static void release(void* user) {
  free(((fb_joint_gains*)user)->law);
  fb_joint_gains_free(user);
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

fb_status fb_block_new_computed_torque(const fb_model* m, const char* name, const fb_pd_joint* joints,
                                       int count, fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_joint_gains* gains;
  fb_status status = fb_joint_gains_new(m, "computed_torque", name, joints, count, &gains, error);
  if (status) return status;
  status = check(m, name, gains, error);
  computed_torque* law = status ? NULL : new_law((size_t)fb_model_nv(m));
  if (!law) {
    fb_joint_gains_free(gains);
    return status ? status : fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  }
  list(gains, law);
  gains->law = law;
  fb_joint_gains_fill(gains, block);
  block->act = act;
  block->compensates_ = compensates;
  block->rebind = rebind;
  block->free = release;
  return FB_OK;
}
