/* joint_pd.c -- the PD law of joints, one coordinate at a time
 *
 *   tau = kp (target - q) + kd (target' - v),  held within +- effort
 *
 * Gains, bound and, where there is no path, the target are parameters in memory. Cost O(coordinates). */
#include <freebody/control.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "control/coordinate.h"
#include "model/model.h"

enum { KP, KD, EFFORT, TARGET, PARAMETERS };
static const char* const PARAMETER_NAMES[PARAMETERS] = {"kp", "kd", "effort", "target"};

typedef struct pd_coordinate {
  fb_pd_joint given;
  int q_at, memory_at;
} pd_coordinate;

typedef struct joint_pd {
  pd_coordinate* coordinates; /* [count] */
  char* names;                /* texts one after the other: the block's, then its parameters' */
  const char** parameters;    /* NULL-ended */
  int count;
} joint_pd;

/* A path leaves no target to be set. */
static int nparameter(const fb_pd_joint* joint) {
  return joint->path ? TARGET : PARAMETERS;
}

static fb_status start(void* user, const fb_view* view, double* memory, double* state, fb_error* error) {
  (void)view, (void)state, (void)error;
  const joint_pd* pd = (const joint_pd*)user;
  for (int i = 0; i < pd->count; i++) {
    const fb_pd_joint* given = &pd->coordinates[i].given;
    const double values[PARAMETERS] = {given->kp, given->kd, given->effort, given->target};
    memcpy(memory + pd->coordinates[i].memory_at, values, (size_t)nparameter(given) * sizeof *values);
  }
  return FB_OK;
}

static fb_status act(void* user, const fb_view* view, const double* memory, const double* state,
                     fb_drive* drive, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate, (void)error;
  const joint_pd* pd = (const joint_pd*)user;
  for (int i = 0; i < pd->count; i++) {
    const pd_coordinate* c = &pd->coordinates[i];
    const double* p = memory + c->memory_at;
    double target, rate = 0;
    if (c->given.path)
      fb_spline_at(c->given.path, view->t, &target, &rate, NULL);
    else
      target = p[TARGET];
    int k = c->given.coordinate;
    double tau = p[KP] * (target - view->q[c->q_at]) + p[KD] * (rate - view->v[k]);
    drive->tau[k] += fmin(fmax(tau, -p[EFFORT]), p[EFFORT]);
  }
  return FB_OK;
}

static double next_edge(void* user, const double* memory, double t) {
  (void)memory;
  const joint_pd* pd = (const joint_pd*)user;
  double next = INFINITY;
  for (int i = 0; i < pd->count; i++)
    if (pd->coordinates[i].given.path)
      next = fmin(next, fb_spline_next_knot(pd->coordinates[i].given.path, t));
  return next;
}

/* --- set-up --- */

static fb_status check_joint(const fb_model* m, const char* name, const fb_pd_joint* joint, fb_error* error) {
  fb_status status = fb_coordinate_check_plain(m, name, joint->coordinate, error);
  if (status) return status;
  const char* text = fb_joint_name(m, fb_coordinate_body(m, joint->coordinate));
  if (!isfinite(joint->kp) || !isfinite(joint->kd) || (!joint->path && !isfinite(joint->target)))
    return fb_fail(error, FB_ERR_NOT_FINITE,
                   "block \"%s\", joint \"%s\": kp %g, kd %g and target %g must be finite", name, text,
                   joint->kp, joint->kd, joint->target);
  if (!(joint->effort >= 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\", joint \"%s\": effort is %g; give the largest force as a number that is not "
                   "negative, INFINITY for no bound",
                   name, text, joint->effort);
  return FB_OK;
}

static fb_status check_joints(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                              fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a joint_pd block needs a name");
  if (count < 1)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": give at least one coordinate; there are %d", name,
                   count);
  for (int i = 0; i < count; i++) {
    fb_status status = check_joint(m, name, &joints[i], error);
    if (status) return status;
    for (int k = 0; k < i; k++)
      if (joints[k].coordinate == joints[i].coordinate)
        return fb_fail(error, FB_ERR_ARG, "block \"%s\" has coordinate %d, of joint \"%s\", twice", name,
                       joints[i].coordinate, fb_joint_name(m, fb_coordinate_body(m, joints[i].coordinate)));
  }
  return FB_OK;
}

/* "elbow.kp", or "gimbal.1.kp" of a joint of several coordinates. Returns the length with its ending zero. */
static size_t print_name(const fb_model* m, int coordinate, int parameter, char* text, size_t size) {
  int body = fb_coordinate_body(m, coordinate), several = fb_joint_nv(m, body) > 1;
  char index[16] = "";
  if (several) snprintf(index, sizeof index, ".%d", coordinate - fb_joint_v_at(m, body));
  int n = snprintf(text, size, "%s%s.%s", fb_joint_name(m, body), index, PARAMETER_NAMES[parameter]);
  return (size_t)n + 1;
}

/* Fills the names, or only measures them when there is no memory yet. Returns bytes. */
static size_t lay_names(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                        joint_pd* pd) {
  size_t used = strlen(name) + 1;
  int at = 0;
  if (pd) memcpy(pd->names, name, used);
  for (int i = 0; i < count; i++)
    for (int p = 0; p < nparameter(&joints[i]); p++) {
      char* text = pd ? pd->names + used : NULL;
      size_t size = print_name(m, joints[i].coordinate, p, NULL, 0);
      if (pd) print_name(m, joints[i].coordinate, p, text, size);
      if (pd) pd->parameters[at++] = text;
      used += size;
    }
  return used;
}

static void pd_free(void* user) {
  joint_pd* pd = (joint_pd*)user;
  if (!pd) return;
  free(pd->coordinates);
  free(pd->names);
  free(pd->parameters);
  free(pd);
}

static joint_pd* pd_new(int count, size_t names_size) {
  joint_pd* pd = (joint_pd*)calloc(1, sizeof *pd);
  if (!pd) return NULL;
  pd->count = count;
  pd->coordinates = (pd_coordinate*)calloc((size_t)count, sizeof *pd->coordinates);
  pd->parameters = (const char**)calloc((size_t)count * PARAMETERS + 1, sizeof *pd->parameters);
  pd->names = (char*)malloc(names_size);
  if (pd->coordinates && pd->parameters && pd->names) return pd;
  pd_free(pd);
  return NULL;
}

fb_status fb_block_joint_pd(const fb_model* m, const char* name, const fb_pd_joint* joints, int count,
                            fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_status status = check_joints(m, name, joints, count, error);
  if (status) return status;
  joint_pd* pd = pd_new(count, lay_names(m, name, joints, count, NULL));
  if (!pd) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  lay_names(m, name, joints, count, pd);
  int nmemory = 0;
  for (int i = 0; i < count; i++) {
    pd->coordinates[i] = (pd_coordinate){joints[i], fb_coordinate_q_at(m, joints[i].coordinate), nmemory};
    nmemory += nparameter(&joints[i]);
  }
  block->name = pd->names;
  block->user = pd;
  block->nmemory = nmemory;
  block->parameters = pd->parameters;
  block->start = start;
  block->act = act;
  block->next_edge = next_edge;
  block->free = pd_free;
  return FB_OK;
}
