/* cvode.c -- CVODE: backward differentiation of variable order and step (Hindmarsh et al., SUNDIALS,
 * ACM Trans. Math. Softw. 31, 2005). Dense output is the polynomial of the method itself. */
#include <cvode/cvode.h>

#include "adapters/sundials/stepper.h"

#define CALL(name) CVode##name
#include "adapters/sundials/common.inl"

/* The correction that closes the loops. */
static int project(sunrealtype t, N_Vector y, N_Vector correction, sunrealtype tolerance, N_Vector error,
                   void* user) {
  (void)tolerance, (void)error;
  return fb_sundials_close(t, y, correction, user);
}

static int create(fb_sundials* s) {
  s->memory = CVodeCreate(CV_BDF, s->context);
  if (!s->memory) return CV_MEM_FAIL;
  int flag = CVodeSetErrHandlerFn(s->memory, fb_sundials_complain, s);
  if (!flag) flag = CVodeInit(s->memory, fb_sundials_rate, 0, s->y);
  if (!flag) flag = set_up(s);
  if (!flag) flag = CVodeSetDeltaGammaMaxLSetup(s->memory, FB_SUNDIALS_SAME_GAMMA);
  /* Orders 3 to 5 are not stable for undamped vibration: lower the order where that shows. */
  if (!flag) flag = CVodeSetStabLimDet(s->memory, 1);
  if (!flag && fb_model_nloop(fb_sim_model(s->sim)) > 0) {
    flag = CVodeSetProjFn(s->memory, project);
    if (!flag) flag = CVodeSetProjErrEst(s->memory, 0);
  }
  return flag;
}

static int begin_again(fb_sundials* s, double t) {
  return CVodeReInit(s->memory, t, s->y);
}

static int advance(fb_sundials* s, double t_limit, double* t_next) {
  int flag = CVodeSetStopTime(s->memory, t_limit);
  return flag < 0 ? flag : CVode(s->memory, t_limit, s->y, t_next, CV_ONE_STEP);
}

static int is_coarse(fb_sundials* s) {
  int order = 0;
  CVodeGetLastOrder(s->memory, &order);
  return order <= 2;
}

static long failures(fb_sundials* s) {
  long errors = 0, unsolved = 0;
  CVodeGetNumErrTestFails(s->memory, &errors);
  CVodeGetNumStepSolveFails(s->memory, &unsolved);
  return errors + unsolved;
}

/* The many small steps of a multistep method each add their error: without the share, tests/adapters/test_sundials.c finds
 * 20 to 50 times the tolerance at the end of a run. */
const fb_sundials_solver fb_sundials_cvode = {.name = "cvode",
                                              .share = 0.02,
                                              .create = create,
                                              .begin_again = begin_again,
                                              .advance = advance,
                                              .at = at,
                                              .is_coarse = is_coarse,
                                              .failures = failures,
                                              .step = step,
                                              .free = CVodeFree};
