/* summary.c -- the summary of a run: its course, the ledger, and whether the motion can be trusted (sim/diagnosis/warnings.c). */
#include <stdio.h>
#include <string.h>

#include "run/job/job.h"
#include "scenario/scenario.h"
#include "sim/access.h"

static double relative(double residual, double scale) {
  return scale > 0 ? residual / scale : residual;
}

/* What Newton's law may do by itself is no reason for doubt, where contacts took more than that. */
static void note_gains(const fb_run* run, fb_run_summary* summary) {
  long long gains = fb_hard_doubts(run->sim).gains;
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
  summary->steps = fb_sim_nstep(run->sim);
  summary->rejected = fb_sim_nrejected(run->sim);
  summary->evaluations = fb_sim_nevaluation(run->sim);
  summary->samples = run->nsample;
  summary->signals = run->nsignal;
  summary->events = run->nevent;
  summary->wall = run->wall;
  if (run->wall.seconds > 0) summary->speed = (summary->t - run->t_begin) / run->wall.seconds;
  fb_sim_ledger(run->sim, &summary->ledger);
  summary->linear_relative = relative(l->linear_residual, l->linear_scale);
  summary->angular_relative = relative(l->angular_residual, l->angular_scale);
  fb_sim_diagnose(run->sim, 1, summary->warning, sizeof summary->warning);
  summary->error_estimate = fb_sim_error_estimate(run->sim, &summary->error_since);
  note_gains(run, summary);
  if (!summary->note[0]) fb_sim_remark_small(run->sim, 1, summary->note, sizeof summary->note);
}
