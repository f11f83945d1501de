/* task_qp.c -- the block of tasks by priority: act and outputs; task_qp_new.c makes it, task_qp_solve.c has the equations. */
#include "control/task_qp/task_qp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/kinematics.h>
#include <freebody/status.h>

#include "block/driven.h"
#include "control/task_qp/task_qp_new.h"

static const char* const PARAMETERS[] = {"decay", NULL};

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)state, (void)error;
  const fb_qp_law* law = (const fb_qp_law*)user;
  memory[FB_QP_DECAY] = law->decay;
  fb_kinematics(context->model, context->data, context->q, context->v, NULL);
  fb_centre_of_mass(context->model, context->data);
  for (int i = 0; i < law->ntask; i++) {
    const fb_qp_task_row* task = &law->tasks[i];
    double* task_memory = memory + task->memory_at;
    if (task->gains)
      fb_joint_gains_start(task->gains, task_memory);
    else if (task->given.kind == FB_QP_TASK_FRAME)
      fb_frame_pose(context->model, context->data, task->given.frame, task_memory, task_memory + 3);
    else
      fb_subtree_com(context->model, context->data, task->given.frame, task_memory, NULL, NULL);
  }
  return FB_OK;
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate, (void)error;
  fb_qp_law* law = (fb_qp_law*)user;
  fb_qp_law_solve(law, context, memory);
  for (int j = 0; j < law->na; j++)
    if (law->coordinates[j] >= 0) action->tau[law->coordinates[j]] += law->x[j];
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state, (void)error;
  fb_qp_law* law = (fb_qp_law*)user;
  fb_qp_law_solve(law, context, memory);
  for (int i = 0; i < law->ncontact; i++, outputs += 3)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) outputs[k] += law->contacts[i].axes[j][k] * law->x[law->na + 3 * i + j];
  memcpy(outputs, law->missed, (size_t)(law->nlevel - 2) * sizeof *outputs);
  outputs[law->nlevel - 2] = law->status;
  fb_qp_singular(law, context, &outputs[law->nlevel - 1], &outputs[law->nlevel]);
  return FB_OK;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  const fb_qp_law* law = (const fb_qp_law*)user;
  double next = INFINITY;
  for (int i = 0; i < law->ntask; i++)
    next = fmin(next, law->tasks[i].gains ? fb_joint_gains_next_edge(law->tasks[i].gains, t)
                                          : fb_frame_path_next_knot(&law->tasks[i].given.path, t));
  for (int i = 0; i < law->ncontact; i++) {
    const fb_qp_contact* c = &law->contacts[i].given;
    if (c->most) next = fmin(next, fb_spline_next_knot(c->most, t));
    if (c->force) next = fmin(next, fb_spline_next_knot(c->force, t));
  }
  return next;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  fb_qp_law* law = (fb_qp_law*)user;
  if (!fb_qp_law_resize(law, m)) return fb_fail(error, FB_ERR_MEMORY, "out of memory");
  const fb_driven driven = {.ncoordinate = law->na, .coordinates = law->first_coordinates};
  fb_driven_rebind(&driven, law->original, m, law->coordinates, error);
  for (int i = 0; i < law->ntask; i++)
    if (law->tasks[i].gains) fb_joint_gains_rebind(law->tasks[i].gains, m, error);
  return FB_OK;
}

fb_status fb_block_new_task_qp(const fb_model* m, const char* name, const fb_task_qp* given, fb_block* block,
                               fb_error* error) {
  fb_qp_law* law = NULL;
  *block = fb_default_block();
  fb_status status = fb_qp_law_new(m, name, given, &law, error);
  if (status) return status;
  block->name = law->name;
  block->user = law;
  block->nmemory = fb_qp_law_memory(law);
  block->parameters = PARAMETERS;
  block->outputs = law->outputs;
  block->noutput = law->ncontact + 4;
  block->start = start;
  block->act = act;
  block->output = output;
  block->next_edge = next_edge;
  block->rebind = rebind;
  block->free = fb_qp_law_free;
  return FB_OK;
}
