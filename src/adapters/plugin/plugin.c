/* plugin.c -- a wrapper around a plugin's block that checks it for the simulation
 *
 * After each call what came back is examined (adapters/plugin/action.c): numbers that are not finite end the run with
 * the block's name and the joint's, instead of turning up later as a motion without bound. Cost O(coordinates) a call. */
#include <freebody/plugin.h>
#include <freebody/status.h>

#include <dlfcn.h>
#include <math.h>
#include <stdlib.h>

#include "adapters/plugin/plugin.h"
#include "base/copy_text.h"
#include "block/unannounced.h"
#include "sim/instant.h"

static const double TRIAL_SECONDS = 5;

/* More edges than these in such a time, and a run would not get on: 1 us each on average. */
enum { MOST_EDGES = 10000 };
static const double EDGES_SECONDS = 0.01;

typedef struct plugin {
  fb_block inner;
  void* library;
  char *name, *file;
  fb_error spare; /* the simulation may ask for none; plugins need not know */

  /* what act finds in action when its block does not move coordinates: [nv] zeros, to stay so */
  double* vdot;
  unsigned char* moved;

  /* edges reported: the first and the last of those counted [s] */
  double first_edge, last_edge;
  int nedge;
} plugin;

static void enter(const plugin* p, fb_plugin_stage stage, double t) {
  fb_plugin_enter(p, p->file, p->name, stage, t);
}

static void report(void* to, fb_plugin_stage stage) {
  enter((const plugin*)to, stage, NAN);
}

/* A failure of the plugin's own; one without a text gets one. */
static fb_status failed(fb_status status, const char* function, fb_error* error) {
  if ((int)status < 0 || status >= FB_STATUS_COUNT) status = FB_ERR_ARG;
  error->text[sizeof error->text - 1] = 0;
  if (!error->text[0])
    fb_fail(error, status, "its %s gave %s (%s) and no text; it should write into error->text what is wrong",
            function, fb_status_name(status), fb_status_meaning(status));
  error->status = status;
  return status;
}

static fb_status check_state(const plugin* p, const double* state, const char* what, fb_error* error) {
  int i = fb_plugin_first_bad(state, p->inner.nstate);
  if (i < 0) return FB_OK;
  return fb_fail(error, FB_ERR_NOT_FINITE, "its %s makes number %d of %d of its state %g", what, i,
                 p->inner.nstate, state[i]);
}

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  p->nedge = 0;
  enter(p, FB_PLUGIN_STARTS, context->t);
  fb_status status = p->inner.start(p->inner.user, context, memory, state, e);
  fb_plugin_leave();
  return status ? failed(status, "start", e) : check_state(p, state, "start", e);
}

static fb_status refuse_edges(const plugin* p, fb_error* error) {
  return fb_fail(error, FB_ERR_CONTENT,
                 "plugin '%.200s': its next_edge gives %d instants from %.9g to %.9g s, and steps end at "
                 "each; they may be no denser than one in 1e-6 s",
                 p->file, p->nedge, p->first_edge, p->last_edge);
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  if (p->nedge > MOST_EDGES) return refuse_edges(p, e);
  enter(p, FB_PLUGIN_TICKS, context->t);
  fb_status status = p->inner.tick(p->inner.user, context, memory, state, e);
  fb_plugin_leave();
  return status ? failed(status, "tick", e) : check_state(p, state, "tick", e);
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  int nv = fb_model_nv(context->model), before = action->nwrench,
      sound = fb_plugin_first_bad(action->tau, nv) < 0;
  if (p->nedge > MOST_EDGES) return refuse_edges(p, e);
  fb_action theirs = *action;
  if (!p->inner.moves) {
    theirs.vdot = p->vdot;
    theirs.moved = p->moved;
  }
  fb_action used = theirs;
  enter(p, FB_PLUGIN_ACTS, context->t);
  fb_status status = p->inner.act(p->inner.user, context, memory, state, &theirs, state_rate, e);
  fb_plugin_leave();
  if (status) return failed(status, "act", e);
  used.nwrench = theirs.nwrench; /* the only one of action's own entries that is its to change */
  status = fb_plugin_check_use(context->model, &p->inner, &used, before, action->room, e);
  if (status) return status;
  action->nwrench = used.nwrench;
  /* A trial step gone wrong is the integrator's to mend. */
  if (!sound || fb_plugin_first_bad(context->q, fb_model_nq(context->model)) >= 0 ||
      fb_plugin_first_bad(context->v, nv) >= 0 || fb_plugin_first_bad(state, p->inner.nstate) >= 0)
    return FB_OK;
  status = fb_plugin_check_drive(context->model, &p->inner, action, before, e);
  return status ? status : check_state(p, state_rate, "act", e);
}

static void gains(void* user, const fb_context* context, const double* memory, const double* state,
                  double* stiffness, double* damping) {
  plugin* p = (plugin*)user;
  enter(p, FB_PLUGIN_ACTS, context->t);
  p->inner.gains(p->inner.user, context, memory, state, stiffness, damping);
  fb_plugin_leave();
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  enter(p, FB_PLUGIN_TELLS, context->t);
  fb_status status = p->inner.output(p->inner.user, context, memory, state, outputs, e);
  fb_plugin_leave();
  if (status) return failed(status, "output", e);
  int bad = fb_plugin_first_bad(outputs, fb_port_width(p->inner.outputs, p->inner.noutput));
  if (bad < 0) return FB_OK;
  return fb_fail(e, FB_ERR_NOT_FINITE, "its output number %d is %g", bad, outputs[bad]);
}

/* Counts edges that lie close together; repeated ones do not count. */
static void count_edge(plugin* p, double edge) {
  if (p->nedge == 0 || edge < p->first_edge || edge > p->first_edge + EDGES_SECONDS) {
    p->first_edge = p->last_edge = edge;
    p->nedge = 1;
  } else if (edge > p->last_edge) {
    p->last_edge = edge;
    p->nedge++;
  }
}

/* Steps end at edges, so one that is not ahead would stop the clock. One that is this instant but for rounding is
 * passed; a law for which every instant is an edge has none. When they are too dense, act or tick says so. */
static double next_edge(void* user, const double* memory, double t) {
  enum { MOST_PASSED = 3 };
  plugin* p = (plugin*)user;
  double edge = t, soon = t + fb_time_slack(t);
  if (p->nedge > MOST_EDGES) return INFINITY;
  enter(p, FB_PLUGIN_LOOKS_AHEAD, t);
  for (int i = 0; i < MOST_PASSED && edge >= t && edge <= soon; i++)
    edge = p->inner.next_edge(p->inner.user, memory, edge);
  fb_plugin_leave();
  if (!(edge > soon)) return INFINITY;
  if (isfinite(edge)) count_edge(p, edge);
  return edge;
}

/* Zeros for nv coordinates; what there was stays when there is no memory: 0. */
static int take_zeros(plugin* p, size_t nv) {
  double* vdot = calloc(nv + 1, sizeof *vdot);
  unsigned char* moved = calloc(nv + 1, 1);
  if (!vdot || !moved) {
    free(vdot);
    free(moved);
    return 0;
  }
  free(p->vdot);
  free(p->moved);
  p->vdot = vdot;
  p->moved = moved;
  return 1;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  plugin* p = (plugin*)user;
  fb_error* e = error ? error : &p->spare;
  if (!take_zeros(p, (size_t)fb_model_nv(m))) return fb_fail(e, FB_ERR_MEMORY, "out of memory");
  if (!p->inner.rebind) return FB_OK;
  enter(p, FB_PLUGIN_REBINDS, NAN);
  fb_status status = p->inner.rebind(p->inner.user, m, e);
  fb_plugin_leave();
  return status ? failed(status, "rebind", e) : FB_OK;
}

static void plugin_free(void* user) {
  plugin* p = (plugin*)user;
  if (!p) return;
  enter(p, FB_PLUGIN_FREES, NAN);
  if (p->inner.free) p->inner.free(p->inner.user);
  if (p->library) dlclose(p->library);
  fb_plugin_leave();
  fb_plugin_forget(p);
  free(p->name);
  free(p->file);
  free(p->vdot);
  free(p->moved);
  free(p);
}

static plugin* plugin_new(const fb_plugin_request* request) {
  plugin* p = calloc(1, sizeof *p);
  size_t nv = (size_t)fb_model_nv(request->m);
  if (!p) return NULL;
  p->name = fb_copy_text(request->name);
  p->file = fb_copy_text(request->file);
  if (p->name && p->file && take_zeros(p, nv)) return p;
  plugin_free(p);
  return NULL;
}

fb_status fb_plugin_load_within(const fb_plugin_request* request, double seconds, fb_block* block,
                                fb_error* error) {
  fb_error spare, *e = error ? error : &spare;
  *block = fb_default_block();
  fb_error_clear(e);
  if (!request->name || !*request->name) return fb_fail(e, FB_ERR_NAME, "the block of a plugin needs a name");
  fb_status status = fb_plugin_permit(e);
  if (!status) status = fb_plugin_try(request, seconds, e);
  if (status) return status;
  plugin* p = plugin_new(request);
  if (!p) return fb_fail(e, FB_ERR_MEMORY, "out of memory for block \"%s\"", request->name);
  status = fb_plugin_open(request, report, p, &p->library, &p->inner, e);
  fb_plugin_leave();
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
  if (block->act && !(block->longest_step > 0)) block->longest_step = FB_UNANNOUNCED;
  block->gains = p->inner.gains ? gains : NULL;
  block->output = p->inner.output ? output : NULL;
  block->next_edge = p->inner.next_edge ? next_edge : NULL;
  block->rebind = rebind;
  block->free = plugin_free;
  return FB_OK;
}

fb_status fb_block_load_plugin(const fb_model* m, const char* name, const char* file,
                               const fb_plugin_parameter* parameters, int count, fb_block* block,
                               fb_error* error) {
  const fb_plugin_request request = {m, name, file, parameters, count};
  return fb_plugin_load_within(&request, TRIAL_SECONDS, block, error);
}
