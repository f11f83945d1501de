/* plugin.c -- a plugin's block, with us between it and the simulation
 *
 * After each call what came back is looked at: numbers that are not finite end the run with the block's name and the
 * joint's, instead of turning up later as a motion without bound. Cost O(coordinates) a call. */
#include <freebody/plugin.h>

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "adapters/plugin_inside.h"
#include "base/error.h"

static const double TRIAL_SECONDS = 5;

typedef struct plugin {
  fb_block inner;
  void* library;
  char* name;
  fb_error spare; /* the simulation may ask for none; plugins need not know */
} plugin;

/* Index of the first number that is not finite, or -1. */
static int first_bad(const double* x, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += 0 * x[i];
  if (sum == 0) return -1;
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) return i;
  return -1;
}

/* A failure of the plugin's own; one without a text gets one. */
static fb_status failed(fb_status status, const char* function, fb_error* error) {
  if ((int)status < 0 || status >= FB_STATUS_COUNT) status = FB_ERR_ARG;
  error->text[sizeof error->text - 1] = 0;
  if (!error->text[0])
    fb_fail(error, status, "its %s gave %s (%s) and no text; it should write into error->text what is wrong",
            function, fb_status_name(status), fb_status_text(status));
  error->status = status;
  return status;
}

static fb_status check_state(const plugin* p, const double* state, const char* what, fb_error* error) {
  int i = first_bad(state, p->inner.nstate);
  if (i < 0) return FB_OK;
  return fb_fail(error, FB_ERR_NOT_FINITE, "its %s makes number %d of %d of its state %g", what, i,
                 p->inner.nstate, state[i]);
}

static fb_status start(void* user, const fb_view* view, double* memory, double* state, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  fb_status status = p->inner.start(p->inner.user, view, memory, state, e);
  return status ? failed(status, "start", e) : check_state(p, state, "start", e);
}

static fb_status tick(void* user, const fb_view* view, double* memory, double* state, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  fb_status status = p->inner.tick(p->inner.user, view, memory, state, e);
  return status ? failed(status, "tick", e) : check_state(p, state, "tick", e);
}

/* The joint that coordinate k of v belongs to. */
static const char* joint_of(const fb_model* m, int k) {
  for (int b = 1; b < fb_model_nbody(m); b++)
    if (k >= fb_joint_v_at(m, b) && k < fb_joint_v_at(m, b) + fb_joint_nv(m, b)) return fb_joint_name(m, b);
  return "";
}

static fb_status check_moved(const fb_view* view, const fb_drive* drive, fb_error* error) {
  for (int k = 0; k < fb_model_nv(view->model); k++)
    if (drive->moved[k] && !isfinite(drive->vdot[k]))
      return fb_fail(error, FB_ERR_NOT_FINITE, "its act makes the acceleration of joint \"%s\" %g",
                     joint_of(view->model, k), drive->vdot[k]);
  return FB_OK;
}

static fb_status check_wrenches(const fb_drive* drive, int before, fb_error* error) {
  for (int i = before; i < drive->nwrench; i++) {
    const fb_wrench* w = &drive->wrenches[i];
    if (first_bad(w->force, 3) >= 0 || first_bad(w->torque, 3) >= 0)
      return fb_fail(error, FB_ERR_NOT_FINITE,
                     "its act makes a wrench that is not finite: force %g %g %g, torque %g %g %g",
                     w->force[0], w->force[1], w->force[2], w->torque[0], w->torque[1], w->torque[2]);
  }
  return FB_OK;
}

static fb_status act(void* user, const fb_view* view, const double* memory, const double* state,
                     fb_drive* drive, double* state_rate, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  int nv = fb_model_nv(view->model), before = drive->nwrench, sound = first_bad(drive->tau, nv) < 0;
  fb_status status = p->inner.act(p->inner.user, view, memory, state, drive, state_rate, e);
  if (status) return failed(status, "act", e);
  /* A trial step gone wrong is the integrator's to mend. */
  if (!sound || first_bad(view->q, fb_model_nq(view->model)) >= 0 || first_bad(view->v, nv) >= 0 ||
      first_bad(state, p->inner.nstate) >= 0)
    return FB_OK;
  int k = first_bad(drive->tau, nv);
  if (k >= 0)
    return fb_fail(e, FB_ERR_NOT_FINITE, "its act makes the force of joint \"%s\" %g",
                   joint_of(view->model, k), drive->tau[k]);
  if (p->inner.moves) status = check_moved(view, drive, e);
  if (!status) status = check_wrenches(drive, before, e);
  return status ? status : check_state(p, state_rate, "act", e);
}

/* Steps end at edges, so one that is not ahead would stop the clock. */
static double next_edge(void* user, const double* memory, double t) {
  const plugin* p = (const plugin*)user;
  double edge = p->inner.next_edge(p->inner.user, memory, t);
  return edge > t ? edge : INFINITY;
}

static void plugin_free(void* user) {
  plugin* p = (plugin*)user;
  if (!p) return;
  if (p->inner.free) p->inner.free(p->inner.user);
  if (p->library) dlclose(p->library);
  free(p->name);
  free(p);
}

static plugin* plugin_new(const char* name) {
  plugin* p = (plugin*)calloc(1, sizeof *p);
  size_t size = strlen(name) + 1;
  if (!p) return NULL;
  p->name = (char*)malloc(size);
  if (!p->name) {
    plugin_free(p);
    return NULL;
  }
  memcpy(p->name, name, size);
  return p;
}

fb_status fb_plugin_load_within(const fb_plugin_request* request, double seconds, fb_block* block,
                                fb_error* error) {
  fb_error spare, *e = error ? error : &spare;
  *block = fb_default_block();
  fb_error_clear(e);
  if (!request->name || !*request->name) return fb_fail(e, FB_ERR_NAME, "the block of a plugin needs a name");
  fb_status status = fb_plugin_try(request, seconds, e);
  if (status) return status;
  plugin* p = plugin_new(request->name);
  if (!p) return fb_fail(e, FB_ERR_MEMORY, "out of memory for block \"%s\"", request->name);
  status = fb_plugin_open(request, NULL, NULL, &p->library, &p->inner, e);
  if (status) {
    plugin_free(p);
    return status;
  }
  *block = p->inner;
  block->name = p->name;
  block->user = p;
  block->start = p->inner.start ? start : NULL;
  block->tick = p->inner.tick ? tick : NULL;
  block->act = p->inner.act ? act : NULL;
  block->next_edge = p->inner.next_edge ? next_edge : NULL;
  block->free = plugin_free;
  return FB_OK;
}

fb_status fb_plugin_load(const fb_model* m, const char* name, const char* file,
                         const fb_parameter* parameters, int count, fb_block* block, fb_error* error) {
  const fb_plugin_request request = {m, name, file, parameters, count};
  return fb_plugin_load_within(&request, TRIAL_SECONDS, block, error);
}
