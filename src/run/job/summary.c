/* summary.c -- the summary of a run: its course, the ledger, and whether the motion can be trusted. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/job/job.h"
#include "scenario/scenario.h"
#include "sim/sim.h"

static double relative(double residual, double scale) {
  return scale > 0 ? residual / scale : residual;
}

/* " of tree "arm"" where there are several, else nothing. */
static const char* tree_text(const fb_model* m, int body, char text[64]) {
  text[0] = '\0';
  if (body > 0 && fb_model_ntree(m) > 1) snprintf(text, 64, " of tree \"%.40s\"", fb_body_name(m, body));
  return text;
}

/* Contacts gave more than they can: with Newton's law that may be the law's own doing. 1 when it was. */
static int judge_gains(const fb_run* run, double given, fb_run_summary* summary) {
  long long gains = fb_touch_doubts(run->sim).gains;
  if (gains == 0) return 0;
  snprintf(
      summary->warning, sizeof summary->warning,
      "contacts gave %.3g J to the scene: Newton's restitution with friction gained energy in %lld %s, as it "
      "may where slip reverses (signal solver.gains); restitution_law: poisson never does",
      given, gains, gains == 1 ? "impact" : "impacts");
  return 1;
}

/* Warns when the method made or lost more than a motion to be trusted can have, at the end of any step. */
static void judge(const fb_run* run, fb_run_summary* summary) {
  static const double MOST = 1e-3;
  static const double MOST_IN_WORLD = 0.05; /* where methods of order one have errors that are no explosion */
  static const double ROUNDING = 1e-10;     /* of the speeds at which contacts at rest are pushed [m/s] */
  static const double STORED = 1e-13;       /* of a potential energy whose changes are summed */
  const fb_ledger* l = &summary->ledger;
  const fb_model* m = fb_scenario_model(run->scenario);
  char what[280] = "", tree[64];
  size_t n = 0;
  if (l->worst > MOST)
    n = (size_t)snprintf(what, sizeof what, " energy%s is off by %.1e of what was exchanged at t = %.6g s",
                         tree_text(m, l->worst_body, tree), l->worst, l->worst_t);
  if (l->momentum_worst > MOST)
    snprintf(what + n, sizeof what - n, "%s momentum%s is off by %.1e of its scale at t = %.6g s",
             n ? "," : "", tree_text(m, l->momentum_body, tree), l->momentum_worst, l->momentum_worst_t);
  double rounded = fmax(ROUNDING * l->linear_scale, STORED * fabs(l->potential));
  double given = l->normal + l->friction - l->stored_0, moved = MOST * l->peak_kinetic;
  int gave = !what[0] && given > moved && moved > 0 && given > rounded;
  if (gave && judge_gains(run, given, summary)) return;
  if (gave)
    snprintf(
        what, sizeof what,
        " contacts gave %.3g J to the scene more than they had stored at the start, and they can only take",
        given);
  if (!what[0] && l->contacts &&
      fabs(l->world_residual) > fmax(rounded, MOST_IN_WORLD * fmax(l->gross, l->peak_kinetic)))
    snprintf(what, sizeof what, " the scene %s %.3g J, and contacts did not",
             l->world_residual > 0 ? "gained" : "lost", fabs(l->world_residual));
  if (!what[0]) return;
  snprintf(summary->warning, sizeof summary->warning,
           "the ledger does not close:%s; do not trust this motion, %s", what,
           fb_scenario_is_fixed(run->scenario)
               ? run->scenario->options.method == FB_METHOD_IMPLICIT
                     ? "but shorten the step or use cvode (--set integrator.method=cvode)"
                     : "but shorten the step or use dopri5 (--set integrator.method=dopri5)"
               : "but tighten integrator.rtol or give a max_step");
}

/* Warns of contacts that were solved badly, which the ledger need not show: it books the impulses that were taken. */
static void judge_solver(const fb_run* run, fb_run_summary* summary) {
  fb_solver_doubts doubts = fb_touch_doubts(run->sim);
  if (summary->warning[0] || doubts.count == 0) return;
  snprintf(summary->warning, sizeof summary->warning,
           "hard contacts were not solved exactly in %lld %s: velocities are off by up to %.1e of their "
           "scale at t = %.6g s (signal solver.residual); do not trust this motion, but shorten the step, or "
           "give contacts between very different masses a compliant law",
           doubts.count, doubts.count == 1 ? "step" : "steps", doubts.worst, doubts.t);
}

/* Warns of bodies that are too fast for the step of moreau, which finds contacts in its middle only. */
static void judge_passing(const fb_run* run, fb_run_summary* summary) {
  fb_solver_doubts doubts = fb_touch_doubts(run->sim);
  if (summary->warning[0] || !doubts.passed) return;
  snprintf(
      summary->warning, sizeof summary->warning,
      "contact \"%.60s\" moves by more than its thickness in a step: at t = %.6g s its sides passed each "
      "other, and may have gone through without an impact; take a shorter step, or rk4 or dopri5, which "
      "look in between",
      doubts.passed, doubts.passed_t);
}

/* What Newton's law may do by itself is no reason for doubt, where contacts took more than that. */
static void note_gains(const fb_run* run, fb_run_summary* summary) {
  long long gains = fb_touch_doubts(run->sim).gains;
  if (gains == 0 || strstr(summary->warning, "solver.gains")) return;
  snprintf(
      summary->note, sizeof summary->note,
      "in %lld %s friction gave energy instead of taking it, as it may with Newton's restitution where slip "
      "reverses (signal solver.gains; the events say how much); restitution_law: poisson never does",
      gains, gains == 1 ? "impact" : "impacts");
}

void fb_run_summarise(fb_run* run, fb_run_summary* summary) {
  const fb_ledger* l = &summary->ledger;
  memset(summary, 0, sizeof *summary);
  summary->state = run->state;
  summary->t = fb_sim_time(run->sim);
  summary->duration = run->scenario->duration;
  summary->t_begin = run->t_begin;
  summary->steps = fb_sim_steps(run->sim);
  summary->rejected = fb_sim_rejected(run->sim);
  summary->evaluations = fb_sim_evaluations(run->sim);
  summary->samples = run->nsample;
  summary->signals = run->nsignal;
  summary->events = run->nevent;
  summary->wall = run->wall;
  if (run->wall.seconds > 0) summary->speed = (summary->t - run->t_begin) / run->wall.seconds;
  fb_sim_ledger(run->sim, &summary->ledger);
  summary->linear_relative = relative(l->linear_residual, l->linear_scale);
  summary->angular_relative = relative(l->angular_residual, l->angular_scale);
  judge(run, summary);
  judge_solver(run, summary);
  judge_passing(run, summary);
  note_gains(run, summary);
}
