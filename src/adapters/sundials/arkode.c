/* arkode.c -- ARKODE: the implicit Runge-Kutta method ESDIRK5(4)7L[2]SA_2, L-stable, of order 5, seven
 * stages of which the first is explicit (Kennedy, Carpenter, Diagonally implicit Runge-Kutta methods for stiff ODEs,
 * Appl. Numer. Math. 146, 2019). Dense output is a Hermite polynomial through both ends of the step. */
#include <arkode/arkode_arkstep.h>
#include <math.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include "adapters/sundials/stepper.h"

#define CALL(name) ARKStep##name
#include "adapters/sundials/common.inl"

/* ARKODE's own test of Newton's method, with the motion alone. Nothing depends on the ledger, and its stages are
 * evaluated again from those of the motion, so iterations for its sake would be in vain. */
static int has_converged(SUNNonlinearSolver solver, N_Vector y, N_Vector change, sunrealtype tolerance,
                         N_Vector weights, void* user) {
  static const double SLOWEST = 0.3, DIVERGES = 2.3; /* ARKODE's crdown and rdiv */
  (void)y;
  fb_sundials* s = (fb_sundials*)user;
  const double *dx = N_VGetArrayPointer(change), *w = N_VGetArrayPointer(weights);
  int round = 0;
  long factored = 0;
  double sum = 0, before = s->newton_change;
  SUNNonlinSolGetCurIter(solver, &round);
  ARKStepGetNumLinSolvSetups(s->memory, &factored);
  if (factored != s->factored) s->newton_rate = 1; /* nothing is known of the new matrix */
  s->factored = factored;
  for (int i = 0; i < fb_sim_ny_motion(s->sim); i++) sum += dx[i] * w[i] * dx[i] * w[i];
  double size = sqrt(sum / fb_sim_ny(s->sim));
  s->newton_change = size;
  if (round > 0) s->newton_rate = fmax(SLOWEST * s->newton_rate, size / before);
  if (fmin(s->newton_rate, 1) * size <= tolerance) return SUN_NLS_SUCCESS;
  return round > 0 && size > DIVERGES * before ? SUN_NLS_CONV_RECVR : SUN_NLS_CONTINUE;
}

/* Closes the loops at the end of a step. */
static int close_step(sunrealtype t, N_Vector y, void* user) {
  return fb_sundials_close(t, y, NULL, user);
}

static int create(fb_sundials* s) {
  s->memory = ARKStepCreate(NULL, fb_sundials_rate, 0, s->y, s->context);
  if (!s->memory) return ARK_MEM_FAIL;
  int flag = ARKStepSetErrHandlerFn(s->memory, fb_sundials_complain, s);
  if (!flag) flag = ARKStepSetTableNum(s->memory, ARKODE_ESDIRK547L2SA2_7_4_5, ARKODE_ERK_NONE);
  s->newton = flag ? NULL : SUNNonlinSol_Newton(s->y, s->context);
  if (!flag && !s->newton) return ARK_MEM_FAIL;
  if (!flag) flag = ARKStepSetNonlinearSolver(s->memory, s->newton);
  if (!flag) flag = SUNNonlinSolSetConvTestFn(s->newton, has_converged, s);
  if (!flag) flag = set_up(s);
  if (!flag && fb_model_nloop(fb_sim_model(s->sim)) > 0)
    flag = ARKStepSetPostprocessStepFn(s->memory, close_step);
  return flag ? flag : ARKStepSetDeltaGammaMax(s->memory, FB_SUNDIALS_SAME_GAMMA);
}

static int begin_again(fb_sundials* s, double t) {
  return ARKStepReInit(s->memory, NULL, fb_sundials_rate, t, s->y);
}

static int advance(fb_sundials* s, double t_limit, double* t_next) {
  int flag = ARKStepSetStopTime(s->memory, t_limit);
  return flag < 0 ? flag : ARKStepEvolve(s->memory, t_limit, s->y, t_next, ARK_ONE_STEP);
}

static long failures(fb_sundials* s) {
  long attempts = 0, steps = 0;
  ARKStepGetNumStepAttempts(s->memory, &attempts);
  ARKStepGetNumSteps(s->memory, &steps);
  return attempts - steps;
}

const fb_sundials_solver fb_sundials_arkode = {.name = "arkode",
                                               .order = 5,
                                               .share = 1,
                                               .create = create,
                                               .begin_again = begin_again,
                                               .advance = advance,
                                               .at = at,
                                               .failures = failures,
                                               .step = step,
                                               .free = ARKStepFree};
