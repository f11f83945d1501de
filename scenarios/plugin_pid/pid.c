/* pid.c -- a PID law with gravity compensation for all hinges and slides of a robot, as a plugin.
 *
 *   tau = gravity(q) + kp (target - q) + ki x - kd v,   x' = target - q
 *
 * It calls the library for the forces that hold the robot still (fb_gravity_compensation). */
#include <stdlib.h>
#include <string.h>

#include <freebody/dynamics.h>
#include <freebody/plugin.h>

const int fb_plugin_version = FB_PLUGIN_VERSION;

/* The first numbers of memory are parameters; the forces that hold come after them. */
enum { KP, KI, KD, TARGET, GRAVITY, NPARAMETER };
static const char* const NAMES[] = {"kp", "ki", "kd", "target", "gravity", NULL};

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)context, (void)state, (void)error;
  memcpy(memory, user, NPARAMETER * sizeof *memory);
  return FB_OK;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  double* hold = (double*)user + NPARAMETER; /* scratch: filled and used within this call */
  (void)error;
  fb_loads loads = fb_default_loads();
  loads.environment.gravity_w[2] = -memory[GRAVITY];
  fb_gravity_compensation(context->model, context->data, context->q, &loads, hold);
  for (int k = 0; k < fb_model_nv(context->model); k++) {
    double off = memory[TARGET] - context->q[k];
    action->tau[k] += hold[k] + memory[KP] * off + memory[KI] * state[k] - memory[KD] * context->v[k];
    state_rate[k] = off;
  }
  return FB_OK;
}

fb_status fb_plugin_block(const fb_model* m, const char* name, const fb_plugin_parameter* parameters,
                          int count, fb_block* block, fb_error* error) {
  int nv = fb_model_nv(m);
  (void)name;
  if (fb_model_nq(m) != nv) {
    strcpy(error->text, "this law is for hinges and slides; the model has an attitude among its coordinates");
    return FB_ERR_JOINT;
  }
  double* user = (double*)calloc((size_t)(NPARAMETER + nv), sizeof *user);
  if (!user) return FB_ERR_MEMORY;
  user[KP] = 20;
  user[KD] = 5;
  user[GRAVITY] = 9.81;
  for (int i = 0; i < count; i++)
    for (int k = 0; k < NPARAMETER; k++)
      if (strcmp(parameters[i].name, NAMES[k]) == 0) user[k] = parameters[i].value;
  block->user = user;
  block->nmemory = NPARAMETER;
  block->nstate = nv;
  block->parameters = NAMES;
  block->start = start;
  block->act = act;
  block->free = free;
  return FB_OK;
}
