/* api_sim.c -- trajectories of a model in one call, and freebody.Simulation: a scenario step by step */
#include "api.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void release_simulation(void* object) {
  api_simulation* o = object;
  fb_sim_free(o->sim);
  fb_scenario_free(o->scenario);
  free(o);
}

/* --- trajectories --- */

typedef struct held {
  size_t nv, count;
  const double* tau; /* [count][nv] one for each step, or one */
  size_t k;          /* the step being made */
} held;

/* Joint forces that are constant over each step. */
static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* rate, fb_error* error) {
  (void)context, (void)memory, (void)state, (void)rate, (void)error;
  const held* h = user;
  const double* tau = h->tau + h->nv * (h->k < h->count ? h->k : h->count - 1);
  for (size_t i = 0; i < h->nv; i++) action->tau[i] += tau[i];
  return FB_OK;
}

static void run_steps(mx_call* c, held* h, fb_sim* sim, size_t steps, double step, size_t nq, size_t nv,
                      double* q, double* v) {
  enum { AT_ONCE = 20000 };
  fb_error error;
  for (size_t k = 0; k <= steps; k++) {
    h->k = k ? k - 1 : 0;
    fb_status status = k ? fb_sim_run_until(sim, (double)k * step, &error) : FB_OK;
    mx_check(c, status, &error);
    memcpy(q + nq * k, fb_sim_q(sim), nq * sizeof *q);
    memcpy(v + nv * k, fb_sim_v(sim), nv * sizeof *v);
    if (k && k % AT_ONCE == 0) mexEvalString("drawnow;"); /* where Ctrl-C is heard */
  }
}

/* [t, q, v, doubt] = (handle, q, v, tau, step, steps, gravity, method) */
static void trajectory(mx_call* c) {
  api_model* o = api_model_of(c);
  const fb_model* m = o->model;
  const double *q = api_q(c, m, 1), *v = api_v(c, m, 2);
  size_t nq = (size_t)fb_model_nq(m), nv = (size_t)fb_model_nv(m);
  held h = {.nv = nv};
  h.tau = api_columns(c, 3, "tau", (int)nv, &h.count);
  double step = mx_scalar(c, 4, "the step");
  size_t steps = (size_t)mx_index(c, 5, "the number of steps", 100000000);
  if (!(step > 0)) mx_fail(c, "value", "the step is %g; it must be positive", step);
  fb_sim_options options = fb_default_sim_options();
  options.step = step;
  if (c->nrhs > 6 && !mxIsEmpty(c->prhs[6]))
    memcpy(options.environment.gravity_w, mx_doubles(c, c->prhs[6], "gravity", 3, 1), 3 * sizeof(double));
  if (c->nrhs > 7) {
    const char* name = mx_text(c, 7, "the method");
    int method = fb_method_find(name);
    if (method < 0)
      mx_fail(c, "FB_ERR_NAME", "there is no method '%s'; rk4, rkmk4, dopri5, momentum and implicit are some",
              name);
    options.method = (fb_method)method;
  }
  mxArray *t = mx_matrix(1, steps + 1, NULL), *Q = mx_matrix(nq, steps + 1, NULL),
          *V = mx_matrix(nv, steps + 1, NULL);
  for (size_t k = 0; k <= steps; k++) mxGetPr(t)[k] = (double)k * step;
  fb_sim_free(o->sim); /* of a call that Ctrl-C or an error ended */
  o->sim = NULL;
  fb_error error;
  fb_block block = fb_default_block();
  block.name = "tau";
  block.user = &h;
  block.act = act;
  fb_status status = fb_sim_new(m, &options, &o->sim, &error);
  if (!status) status = fb_sim_add_block(o->sim, &block, NULL, &error);
  if (!status) status = fb_sim_start(o->sim, q, v, &error);
  mx_check(c, status, &error);
  run_steps(c, &h, o->sim, steps, step, nq, nv, mxGetPr(Q), mxGetPr(V));
  char text[API_TEXT];
  fb_sim_warning(o->sim, text, sizeof text);
  fb_sim_free(o->sim);
  o->sim = NULL;
  mx_give(c, "t", t);
  mx_give(c, "q", Q);
  mx_give(c, "v", V);
  mx_give(c, "doubt", mxCreateString(text));
}

/* --- simulations of scenarios --- */

/* handle = (file, settings, duration) */
static void open_scenario(mx_call* c) {
  const char* file = mx_text(c, 0, "the file name");
  fb_scenario_options options = fb_default_scenario_options();
  options.set = api_texts(c, 1);
  if (c->nrhs > 2 && !mxIsEmpty(c->prhs[2])) options.duration = mx_scalar(c, 2, "the duration");
  fb_error error;
  api_simulation* o = calloc(1, sizeof *o);
  if (!o) mx_fail(c, "FB_ERR_MEMORY", "out of memory");
  fb_status status = fb_scenario_read(file, &options, &o->scenario, &error);
  if (!status) fb_scenario_set_remark(o->scenario, api_keep_note, &o->notes);
  if (!status) status = fb_sim_build(o->scenario, &o->sim, &error);
  if (status) {
    release_simulation(o);
    mx_refuse(c, &error);
  }
  c->plhs[0] = api_keep(c, API_SIMULATION, o, release_simulation);
}

static const char* frame_at(const void* m, int i) {
  return fb_frame_name(m, i);
}

static void info(mx_call* c) {
  static const char* NAMES[] = {"name", "duration", "nq", "nv", "integrator", "frames"};
  const fb_scenario* s = ((api_simulation*)api_get(c, API_SIMULATION))->scenario;
  const fb_model* m = fb_scenario_model(s);
  mxArray* out = mxCreateStructMatrix(1, 1, 6, NAMES);
  api_set(out, "name", mxCreateString(fb_scenario_name(s)));
  api_set(out, "duration", mxCreateDoubleScalar(fb_scenario_duration(s)));
  api_set(out, "nq", mxCreateDoubleScalar(fb_model_nq(m)));
  api_set(out, "nv", mxCreateDoubleScalar(fb_model_nv(m)));
  api_set(out, "integrator", mxCreateString(fb_scenario_integrator(s)));
  api_set(out, "frames", api_list(fb_model_nframe(m), frame_at, m));
  c->plhs[0] = out;
}

static double now(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* over = (handle, t): steps towards t for a tenth of a second at most, so that Ctrl-C is heard between calls. */
static void advance(mx_call* c) {
  fb_sim* sim = ((api_simulation*)api_get(c, API_SIMULATION))->sim;
  double t = mx_scalar(c, 1, "the time"), until = now() + 0.1;
  fb_error error;
  while (fb_sim_time(sim) < t && !fb_sim_stopped(sim)) {
    mx_check(c, fb_sim_step(sim, t, &error), &error);
    if (now() > until) break;
  }
  c->plhs[0] = mxCreateLogicalScalar(fb_sim_time(sim) >= t || fb_sim_stopped(sim));
}

static void state(mx_call* c) {
  const fb_sim* sim = ((api_simulation*)api_get(c, API_SIMULATION))->sim;
  const fb_model* m = fb_sim_model(sim);
  mx_give(c, "t", mxCreateDoubleScalar(fb_sim_time(sim)));
  mx_give(c, "q", mx_matrix((size_t)fb_model_nq(m), 1, fb_sim_q(sim)));
  mx_give(c, "v", mx_matrix((size_t)fb_model_nv(m), 1, fb_sim_v(sim)));
  mx_give(c, "stopped", mxCreateLogicalScalar(fb_sim_stopped(sim) != 0));
}

static void pose(mx_call* c) {
  fb_sim* sim = ((api_simulation*)api_get(c, API_SIMULATION))->sim;
  int frame = api_frame(c, fb_sim_model(sim), 1);
  const fb_data* data = fb_sim_kinematics(sim);
  double p[3], R[9], v[3], w[3];
  fb_frame_pose(fb_sim_model(sim), data, frame, p, R);
  fb_frame_velocity(fb_sim_model(sim), data, frame, v, w);
  mx_give(c, "p", mx_matrix(3, 1, p));
  mx_give(c, "R", api_transposed(3, 3, R));
  mx_give(c, "v", mx_matrix(3, 1, v));
  mx_give(c, "w", mx_matrix(3, 1, w));
}

static void ledger(mx_call* c) {
  static const char* NAMES[] = {"kinetic",  "potential", "work",   "external", "dissipated",
                                "residual", "relative",  "linear", "angular"};
  fb_sim* sim = ((api_simulation*)api_get(c, API_SIMULATION))->sim;
  fb_ledger l;
  fb_sim_ledger(sim, &l);
  const double values[] = {l.kinetic, l.potential, l.work, l.external, l.dissipated, l.residual, l.relative};
  mxArray* out = mxCreateStructMatrix(1, 1, 9, NAMES);
  for (int i = 0; i < 7; i++) api_set(out, NAMES[i], mxCreateDoubleScalar(values[i]));
  api_set(out, "linear", mx_matrix(3, 1, l.linear));
  api_set(out, "angular", mx_matrix(3, 1, l.angular));
  c->plhs[0] = out;
}

/* text = (handle, index): a remark on the start, from 1; '' when there are no more */
static void remark(mx_call* c) {
  fb_sim* sim = ((api_simulation*)api_get(c, API_SIMULATION))->sim;
  char text[API_TEXT];
  fb_sim_start_remark(sim, mx_index(c, 1, "the index", 1000000) - 1, text, sizeof text);
  c->plhs[0] = mxCreateString(text);
}

/* list = (handle): what was remarked since the last call: joints that are held, a controller that does not answer */
static void notes(mx_call* c) {
  c->plhs[0] = api_hand_out(&((api_simulation*)api_get(c, API_SIMULATION))->notes);
}

/* text = (handle): why the motion should not be trusted, or '' */
static void doubt(mx_call* c) {
  fb_sim* sim = ((api_simulation*)api_get(c, API_SIMULATION))->sim;
  char text[API_TEXT];
  fb_sim_warning(sim, text, sizeof text);
  c->plhs[0] = mxCreateString(text);
}

const mx_function API_SIM_FUNCTIONS[] = {{"Model.trajectory", trajectory},
                                         {"Simulation.open", open_scenario},
                                         {"Simulation.info", info},
                                         {"Simulation.advance", advance},
                                         {"Simulation.state", state},
                                         {"Simulation.pose", pose},
                                         {"Simulation.ledger", ledger},
                                         {"Simulation.remark", remark},
                                         {"Simulation.notes", notes},
                                         {"Simulation.doubt", doubt},
                                         {NULL, NULL}};
