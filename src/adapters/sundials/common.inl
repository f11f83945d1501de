/* common.inl -- functions that CVODE and ARKODE share except for a prefix: CALL(SetMaxStep) is CVodeSetMaxStep or
 * ARKStepSetMaxStep. Included by cvode.c and arkode.c, which define it. */

/* Settings of both solvers, after they were created. */
static int set_up(fb_sundials* s) {
  int flag = CALL(SetUserData)(s->memory, s);
  if (!flag) flag = CALL(WFtolerances)(s->memory, fb_sundials_weights);
  if (!flag) flag = CALL(SetLinearSolver)(s->memory, s->linear, s->matrix);
  if (!flag) flag = CALL(SetJacFn)(s->memory, fb_sundials_jacobian);
  if (!flag) flag = CALL(SetMaxStep)(s->memory, s->max_step > 0 ? s->max_step : fb_sim_longest_step(s->sim));
  return flag ? flag : CALL(SetMaxHnilWarns)(s->memory, -1);
}

static int at(fb_sundials* s, double t, N_Vector y) {
  return CALL(GetDky)(s->memory, t, 0, y);
}

static double step(fb_sundials* s) {
  double h = 0;
  CALL(GetCurrentStep)(s->memory, &h);
  return h;
}
