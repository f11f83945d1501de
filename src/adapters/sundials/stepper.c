/* stepper.c -- a simulation driven by a solver of SUNDIALS
 *
 *   y' = f(t, y),   y = (q, v, block states, ledger)        fb_sim_rate
 *
 * Each step of the simulation is one internal step of the solver. Implicit methods solve y - gamma f(y) = a by
 * Newton steps with the matrix 1 - gamma df/dy. Its columns come from differences; those of the ledger are zero,
 * because nothing depends on it, and cost nothing. In the norm of the errors
 *
 *   |e|^2 = mean of (e_i / (atol + rtol |y_i|))^2 over the motion, and the same over the ledger
 *
 * quaternions count as of size one, works and impulses as the energies and momenta of their tree (fb_sim_ledger_sizes);
 * integrals of magnitudes do not count. A step may take a share of the tolerance only
 * (fb_sundials_solver.share), so that the whole run meets it. Quaternions stay on the unit sphere to the
 * tolerance inside the solver, and are put on it where the simulation sees them. Cost of a Jacobian: as many rates
 * as there are unknowns of the motion, and the LU factors of a full matrix. */
#include "adapters/sundials/stepper.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <freebody/status.h>

/* A weight that makes an entry vanish from every norm, and is not zero, which SUNDIALS refuses. */
static const double NO_WEIGHT = 1e-30;
static const double ROOT_EPSILON = 1.4901161193847656e-8;
/* Beyond this the stop time means nothing to a solver. */
static const double LONGEST = 1e9;

/* What a rate returns when it has failed. */
enum { GIVE_UP = -1, TRY_SHORTER = 1 };

/* --- what the solvers call --- */

int fb_sundials_rate(sunrealtype t, N_Vector y, N_Vector ydot, void* user) {
  fb_sundials* s = (fb_sundials*)user;
  double* rates = N_VGetArrayPointer(ydot);
  s->status = fb_sim_rate(s->sim, t, N_VGetArrayPointer(y), rates, &s->error);
  if (s->status) return GIVE_UP;
  double sum = 0;
  for (int i = 0; i < fb_sim_ny(s->sim); i++) sum += 0 * rates[i];
  if (sum == 0) return 0;
  s->not_finite = t;
  return TRY_SHORTER;
}

int fb_sundials_close(double t, N_Vector y, N_Vector correction, void* user) {
  fb_sundials* s = (fb_sundials*)user;
  double *x = N_VGetArrayPointer(y), *closed = s->closed;
  int ny = fb_sim_ny(s->sim);
  memcpy(closed, x, (size_t)ny * sizeof *closed);
  fb_sim_project(s->sim, t, closed);
  if (!correction) {
    memcpy(x, closed, (size_t)ny * sizeof *closed);
    return 0;
  }
  double* change = N_VGetArrayPointer(correction);
  for (int i = 0; i < ny; i++) change[i] = closed[i] - x[i];
  return 0;
}

/* atol, but with loops no finer than rounding makes of it: loops of trees far from the origin are closed to the last bits
 * of their positions, and what that changes elsewhere is no error of the step. */
static double absolute_tolerance(const fb_sundials* s, const double* y) {
  static const double ROUNDING = 30 * 2.220446049250313e-16;
  const fb_model* m = fb_sim_model(s->sim);
  double far = 0;
  for (int i = 0; fb_model_nloop(m) > 0 && i < fb_model_nq(m); i++) far = fmax(far, fabs(y[i]));
  return fmax(s->atol, ROUNDING * far);
}

int fb_sundials_weights(N_Vector y, N_Vector weights, void* user) {
  const fb_sundials* s = (const fb_sundials*)user;
  int ny = fb_sim_ny(s->sim), nmotion = fb_sim_ny_motion(s->sim);
  double *w = N_VGetArrayPointer(weights), *x = N_VGetArrayPointer(y);
  /* The solver's mean is over all entries; that over the motion and that over the ledger are wanted, added. */
  double scale = sqrt((double)ny / (double)nmotion) / s->solver->share, *size = s->size;
  double atol = absolute_tolerance(s, x);
  for (int i = 0; i < nmotion; i++) w[i] = scale / (atol + s->rtol * (s->is_attitude[i] ? 1 : fabs(x[i])));
  int counted = 0;
  fb_sim_ledger_sizes(s->sim, x, size);
  for (int i = 0; i < ny - nmotion; i++) counted += size[i] >= 0;
  scale *= sqrt((double)nmotion / (double)counted);
  for (int i = 0; i < ny - nmotion; i++)
    w[nmotion + i] = size[i] >= 0 ? scale / (s->atol + s->rtol * size[i]) : NO_WEIGHT;
  return 0;
}

int fb_sundials_jacobian(sunrealtype t, N_Vector y, N_Vector ydot, SUNMatrix J, void* user, N_Vector tmp1,
                         N_Vector tmp2, N_Vector tmp3) {
  (void)tmp2, (void)tmp3;
  fb_sundials* s = (fb_sundials*)user;
  int ny = fb_sim_ny(s->sim), nmotion = fb_sim_ny_motion(s->sim);
  double *x = N_VGetArrayPointer(y), *rates = N_VGetArrayPointer(ydot), *moved = N_VGetArrayPointer(tmp1);
  SUNMatZero(J);
  for (int j = 0; j < nmotion; j++) {
    double keep = x[j], step = ROOT_EPSILON * fmax(fabs(keep), 1);
    x[j] = keep + step;
    step = x[j] - keep; /* what the sum has kept of it */
    int flag = fb_sundials_rate(t, y, tmp1, user);
    x[j] = keep;
    if (flag) return flag;
    double* column = SUNDenseMatrix_Column(J, j);
    for (int i = 0; i < ny; i++) column[i] = (moved[i] - rates[i]) / step;
  }
  return 0;
}

void fb_sundials_complain(int code, const char* module, const char* function, char* text, void* user) {
  (void)code, (void)module, (void)function;
  fb_sundials* s = (fb_sundials*)user;
  snprintf(s->complaint, sizeof s->complaint, "%s", text);
}

/* --- what the simulation calls --- */

static void free_solver(fb_sundials* s) {
  if (s->memory) s->solver->free(&s->memory);
  if (s->newton) SUNNonlinSolFree(s->newton);
  if (s->linear) SUNLinSolFree(s->linear);
  if (s->matrix) SUNMatDestroy(s->matrix);
  if (s->y) N_VDestroy(s->y);
  if (s->inside) N_VDestroy(s->inside);
  if (s->context) SUNContext_Free(&s->context);
  free(s->is_attitude);
  free(s->size);
  *s = (fb_sundials){.solver = s->solver, .rtol = s->rtol, .atol = s->atol, .max_step = s->max_step};
}

static void stepper_free(void* self) {
  if (!self) return;
  free_solver((fb_sundials*)self);
  free(self);
}

static int make_parts(fb_sundials* s, int ny) {
  if (SUNContext_Create(NULL, &s->context)) return 0;
  s->y = N_VNew_Serial(ny, s->context);
  s->inside = N_VNew_Serial(ny, s->context);
  s->matrix = SUNDenseMatrix(ny, ny, s->context);
  s->is_attitude = calloc((size_t)ny, 1);
  s->size = calloc(5 * (size_t)ny, sizeof *s->size);
  if (!s->y || !s->inside || !s->matrix || !s->is_attitude || !s->size) return 0;
  s->y_start = s->size + ny;
  s->rate_start = s->y_start + ny;
  s->rate_end = s->rate_start + ny;
  s->closed = s->rate_end + ny;
  s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
  return s->linear != NULL;
}

static fb_status start(void* self, fb_sim* sim, fb_error* error) {
  fb_sundials* s = (fb_sundials*)self;
  free_solver(s); /* of a start that failed */
  s->sim = sim;
  s->stale = 1;
  if (!make_parts(s, fb_sim_ny(sim)))
    return fb_fail(error, FB_ERR_MEMORY, "no memory for %s", s->solver->name);
  for (int i = 0; i < fb_sim_ny_motion(sim); i++) s->is_attitude[i] = (char)fb_sim_is_attitude(sim, i);
  memcpy(N_VGetArrayPointer(s->y), fb_sim_y(sim), (size_t)fb_sim_ny(sim) * sizeof(double));
  s->complaint[0] = '\0';
  if (s->solver->create(s) == 0) return FB_OK;
  s->memory = NULL; /* lost: freed after a set-up that found no memory, CVODE frees parts twice */
  return fb_fail(error, FB_ERR_MEMORY, "%s could not be set up: %s", s->solver->name,
                 s->complaint[0] ? s->complaint : "no memory");
}

/* The step last made can be looked into until the next one begins, so the solver forgets only then. */
static void reset(void* self, fb_sim* sim) {
  (void)sim;
  ((fb_sundials*)self)->stale = 1;
}

enum { STALLED = -1, TOO_MUCH_ACCURACY = -2, ERROR_TEST = -3, CONVERGENCE = -4 };

static const char* reason(const fb_sundials* s, int flag, double t) {
  if (s->not_finite >= t) return "accelerations are not finite";
  if (flag == ERROR_TEST) return "the error is too large";
  if (flag == CONVERGENCE) return "Newton's method does not converge";
  return s->complaint[0] ? s->complaint : "time does not advance";
}

static fb_status explain(fb_sundials* s, int flag, double t, fb_error* error) {
  const char* name = s->solver->name;
  if (s->status) {
    if (error) *error = s->error;
    return s->status;
  }
  if (flag == TOO_MUCH_ACCURACY)
    return fb_fail(
        error, FB_ERR_NO_SOLUTION,
        "%s stops at t = %.9g s: rtol %g and atol %g are finer than the numbers there; loosen them", name, t,
        s->rtol, s->atol);
  return fb_fail(
      error, s->not_finite >= t ? FB_ERR_NOT_FINITE : FB_ERR_NO_SOLUTION,
      "%s stops at t = %.9g s: %s, even with steps of %.3g s; something jumps or grows without bound there: "
      "look at what acts, make a jump an event or an edge of its block, or loosen rtol (%g) and atol (%g); "
      "the force of a damped spring contact jumps where it touches: use dopri5 or law: hunt_crossley",
      name, t, reason(s, flag, t), s->solver->step(s), s->rtol, s->atol);
}

enum { MOST_IDLE = 100, MOST_SHORT = 1000 };

/* Whether steps that are all but rounding follow one another without end: before a jump that is too large for the tolerance
 * none of them passes. First steps are as short, but grow. */
static int crawls(fb_sundials* s, double t, double t_next) {
  static const double SHORT = 1024 * DBL_EPSILON;
  s->short_steps = t_next - t < SHORT * fmax(1e-3, fabs(t)) ? s->short_steps + 1 : 0;
  return s->short_steps > MOST_SHORT;
}

/* One step of the solver, from where the simulation is. */
static int step_on(fb_sundials* s, double t, double t_limit, double* t_next) {
  int flag = 0;
  if (s->stale) {
    memcpy(N_VGetArrayPointer(s->y), fb_sim_y(s->sim), (size_t)fb_sim_ny(s->sim) * sizeof(double));
    flag = s->solver->begin_again(s, t);
    s->failures = 0;
    s->factored = -1;
    s->not_finite = -INFINITY;
  }
  *t_next = t;
  /* First steps may be too short to move time. Before something that it cannot pass all of them are. */
  for (int i = 0; flag >= 0 && *t_next <= t; i++)
    flag = i < MOST_IDLE ? s->solver->advance(s, fmin(t_limit, t + LONGEST), t_next) : STALLED;
  return flag;
}

static fb_status advance(void* self, fb_sim* sim, double t_limit, double* t_next, double* y_next,
                         fb_error* error) {
  fb_sundials* s = (fb_sundials*)self;
  double t = fb_sim_time(sim);
  memcpy(s->y_start, fb_sim_y(sim), (size_t)fb_sim_ny(sim) * sizeof *s->y_start);
  s->t_start = t;
  s->status = FB_OK;
  s->complaint[0] = '\0';
  int flag = step_on(s, t, t_limit, t_next);
  if (flag >= 0 && crawls(s, t, *t_next)) flag = STALLED;
  s->stale = flag < 0;
  if (flag < 0) return explain(s, flag, t, error);
  long failures = s->solver->failures(s);
  fb_sim_count_rejected(sim, failures - s->failures);
  s->failures = failures;
  s->t_end = *t_next;
  memcpy(y_next, N_VGetArrayPointer(s->y), (size_t)fb_sim_ny(sim) * sizeof *y_next);
  fb_sim_project(sim, *t_next, y_next);
  return FB_OK;
}

/* Where x is at a share u of a step of length h, from values and rates at its ends. */
static double cubic(double u, double h, double x0, double rate0, double x1, double rate1) {
  double rise = x1 - x0;
  return x0 + u * (rise + (1 - u) * ((1 - u) * (h * rate0 - rise) - u * (h * rate1 - rise)));
}

/* Coordinates by the cubics that their rates at both ends give. The straight line of a first step may fall where the
 * velocity rises, and events at which the solver begins again would follow one another by the thousand. */
static void refine_coordinates(const fb_sundials* s, double t, double* y) {
  const fb_model* m = fb_sim_model(s->sim);
  int nq = fb_model_nq(m);
  const double *y0 = s->y_start, *y1 = N_VGetArrayPointer(s->y);
  double h = s->t_end - s->t_start, u = (t - s->t_start) / h;
  fb_sim_q_rate(s->sim, y0, y0 + nq, s->rate_start);
  fb_sim_q_rate(s->sim, y1, y1 + nq, s->rate_end);
  for (int i = 0; i < nq; i++) y[i] = cubic(u, h, y0[i], s->rate_start[i], y1[i], s->rate_end[i]);
}

static fb_status at(void* self, fb_sim* sim, double t, double* y, fb_error* error) {
  fb_sundials* s = (fb_sundials*)self;
  s->status = FB_OK;
  s->complaint[0] = '\0';
  int flag = s->solver->at(s, t, s->inside);
  if (flag < 0) return explain(s, flag, t, error);
  memcpy(y, N_VGetArrayPointer(s->inside), (size_t)fb_sim_ny(sim) * sizeof *y);
  if (s->solver->is_coarse && s->solver->is_coarse(s)) refine_coordinates(s, t, y);
  fb_sim_project(sim, t, y);
  return FB_OK;
}

fb_status fb_sundials_make(const fb_sundials_solver* solver, double rtol, double atol, double max_step,
                           fb_stepper* stepper, fb_error* error) {
  fb_sundials* s = calloc(1, sizeof *s);
  if (!s) return fb_fail(error, FB_ERR_MEMORY, "no memory for %s", solver->name);
  s->solver = solver;
  s->rtol = rtol;
  s->atol = atol;
  s->max_step = max_step;
  *stepper = fb_default_stepper();
  stepper->name = solver->name;
  stepper->traits = (fb_stepper_traits){.order = solver->order, .adaptive = 1, .dense = 1, .takes_moved = 1};
  stepper->self = s;
  stepper->start = start;
  stepper->reset = reset;
  stepper->step = advance;
  stepper->eval = at;
  stepper->free = stepper_free;
  return FB_OK;
}
