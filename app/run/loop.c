/* loop.c -- the loop of a run: step, log, save, until the end
 *
 * Samples fall at 0, p, 2p ... : with error control exactly there, by the step's own interpolant; with fixed steps at
 * the first step end at or after. Logging never changes where steps end. Checkpoints fall at 0, c, 2c ... and steps
 * end there in every run; which sample and which checkpoint comes next follows from the time alone, so a resumed run
 * does the same as one that was not interrupted. The end has a sample of its own, and no checkpoint. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/text.h>

#include "scenario/scenario.h"
#include "run/run.h"
#include "sim/sim.h"

typedef struct loop {
  cmd_job* job;
  fb_sim* sim;
  fb_store* store;
  double duration, log_period, checkpoint_period;
  long long next_sample, next_checkpoint; /* in periods */
  int exact;                              /* samples fall inside steps */
  const fb_signal* signals;
  int nsignal;
  double* values;   /* of the last sample */
  double t_sampled; /* its time; < 0: none in this leg */
  int energy_at, linear_at, linear_scale_at, angular_at, angular_scale_at; /* in values, or -1 */
  void* snapshot;
  size_t snapshot_size;
  cmd_progress progress;
  double looked, committed; /* wall clock [s] */
  double paused;            /* for how long [s] */
  int steps_between_looks, steps_since_look;
} loop;

/* The first k with k * period after t. */
static long long next_multiple(double t, double period) {
  long long k = (long long)floor(t / period);
  while ((double)k * period <= t + fb_time_slack(t)) k++;
  return k;
}

static int is_reached(const loop* l, double instant) {
  double t = fb_sim_time(l->sim);
  return instant <= t + fb_time_slack(t);
}

static int find_value(const loop* l, const char* name) {
  char buffer[FB_SIGNAL_NAME];
  for (int i = 0; i < l->nsignal; i++)
    if (strcmp(fb_signal_name(fb_sim_model(l->sim), l->signals[i], buffer), name) == 0) return i;
  return -1;
}

static loop begin(cmd_job* job) {
  const fb_scenario* s = job->scenario;
  loop l = {.job = job, .sim = job->sim, .store = job->store};
  l.duration = fb_scenario_duration(s);
  l.log_period = fb_scenario_log_period(s);
  l.checkpoint_period = fb_scenario_checkpoint_period(s);
  l.next_sample = next_multiple(job->t_begin, l.log_period);
  l.next_checkpoint = next_multiple(job->t_begin, l.checkpoint_period);
  l.exact = fb_sim_traits(job->sim).adaptive;
  l.signals = job->signals;
  l.nsignal = job->nsignal;
  l.values = (double*)cmd_take((size_t)l.nsignal + 1, sizeof *l.values);
  l.t_sampled = -1;
  l.energy_at = find_value(&l, "ledger.relative");
  l.linear_at = find_value(&l, "ledger.linear");
  l.linear_scale_at = find_value(&l, "ledger.linear_scale");
  l.angular_at = find_value(&l, "ledger.angular");
  l.angular_scale_at = find_value(&l, "ledger.angular_scale");
  l.snapshot_size = fb_sim_snapshot_size(l.sim);
  l.snapshot = cmd_take(l.snapshot_size, 1);
  l.progress = cmd_progress_start(job->args->quiet, job->t_begin, l.duration);
  l.looked = l.committed = cmd_wall_now();
  l.steps_between_looks = 1;
  return l;
}

static void end(loop* l) {
  cmd_progress_clear(&l->progress);
  free(l->values);
  free(l->snapshot);
}

/* --- logging --- */

static fb_status log_sample(loop* l, double t, fb_error* error) {
  /* At the start there is no step to look into. */
  fb_status status = FB_OK;
  if (t > fb_sim_step_start(l->sim))
    status = fb_signal_values_at(l->sim, t, l->signals, l->nsignal, l->values, error);
  else
    fb_signal_values(l->sim, l->signals, l->nsignal, l->values);
  l->t_sampled = t;
  return status == FB_OK ? fb_store_append(l->store, t, l->values, error) : status;
}

/* With error control: the instants inside the step, before what is due at its end happens. */
static fb_status log_inside(loop* l, fb_error* error) {
  double now = fb_sim_time(l->sim), t;
  fb_status status = FB_OK;
  while (l->exact && status == FB_OK &&
         (t = (double)l->next_sample * l->log_period) < now - fb_time_slack(now)) {
    status = log_sample(l, t, error);
    l->next_sample++;
  }
  return status;
}

/* The end of the step, when a sample is due there. */
static fb_status log_end(loop* l, fb_error* error) {
  double now = fb_sim_time(l->sim);
  if (!is_reached(l, (double)l->next_sample * l->log_period)) return FB_OK;
  l->next_sample = next_multiple(now, l->log_period);
  return log_sample(l, now, error);
}

static fb_status log_events(loop* l, fb_error* error) {
  int count;
  const fb_event_record* happened = fb_sim_event_records(l->sim, &count);
  fb_status status = FB_OK;
  for (int i = 0; i < count && status == FB_OK; i++) {
    fb_text text = {0};
    fb_scenario_add_actions(&text, l->job->scenario, happened[i].event);
    if (text.failed) cmd_out_of_memory();
    status = fb_store_add_event(l->store, happened[i].t, l->sim->events[happened[i].event].name,
                                text.data ? text.data : "", error);
    free(text.data);
  }
  return status;
}

/* From now on readers see it, and those who watch are told. */
static fb_status commit(loop* l, fb_error* error) {
  l->committed = cmd_wall_now();
  fb_status status = fb_store_commit(l->store, error);
  if (status == FB_OK) cmd_job_watch(l->job, fb_sim_time(l->sim));
  cmd_live_committed(l->job->live);
  return status;
}

static fb_status save(loop* l, fb_error* error) {
  double t = fb_sim_time(l->sim);
  l->next_checkpoint = next_multiple(t, l->checkpoint_period);
  fb_sim_save(l->sim, l->snapshot);
  fb_status status = fb_store_add_checkpoint(l->store, t, l->snapshot, l->snapshot_size, error);
  return status == FB_OK ? commit(l, error) : status;
}

/* --- the clock --- */

static cmd_residuals residuals_of(const loop* l) {
  cmd_residuals r = {-1, -1};
  const double* x = l->values;
  if (l->t_sampled < 0) return r;
  if (l->energy_at >= 0) r.energy = x[l->energy_at];
  if (l->linear_at >= 0 && l->linear_scale_at >= 0 && x[l->linear_scale_at] > 0)
    r.momentum = x[l->linear_at] / x[l->linear_scale_at];
  if (l->angular_at >= 0 && l->angular_scale_at >= 0 && x[l->angular_scale_at] > 0)
    r.momentum = fmax(r.momentum, x[l->angular_at] / x[l->angular_scale_at]);
  return r;
}

/* Progress ten times a second, a commit once a second, or ten times when somebody may watch. Steps may take a
 * microsecond or a second, so how many pass between two looks follows from how long they took. */
static fb_status look_at_clock(loop* l, fb_error* error) {
  if (++l->steps_since_look < l->steps_between_looks) return FB_OK;
  double now = cmd_wall_now(), took = now - l->looked;
  l->looked = now;
  l->steps_since_look = 0;
  if (took < 0.005 && l->steps_between_looks < 1 << 16) l->steps_between_looks *= 2;
  if (took > 0.02 && l->steps_between_looks > 1) l->steps_between_looks /= 2;
  cmd_progress_show(&l->progress, fb_sim_time(l->sim), now, residuals_of(l));
  return now - l->committed < (l->job->live ? 0.1 : 1) ? FB_OK : commit(l, error);
}

/* Waits while those who watch want it so. Time stands still for pacing and progress; all that was computed can be
 * seen. */
static fb_status hold(loop* l, fb_error* error) {
  static const double NAP = 0.02; /* [s] */
  if (!cmd_live_paused(l->job->live)) return FB_OK;
  fb_status status = commit(l, error);
  double begin = cmd_wall_now();
  l->progress.paused = 1;
  l->progress.shown = 0;
  cmd_progress_show(&l->progress, fb_sim_time(l->sim), begin, residuals_of(l));
  while (status == FB_OK && cmd_live_paused(l->job->live) && !cmd_interrupt_asked())
    cmd_wall_sleep(cmd_wall_now() + NAP);
  double took = cmd_wall_now() - begin;
  l->progress.paused = 0;
  l->progress.wall_begin += took;
  l->job->pacer.wall_begin += took;
  l->paused += took;
  return status;
}

/* Waits for the clock, where the run keeps step with it. In a long wait those who watch see what was computed, and may
 * pause it, too. */
static fb_status keep_step(loop* l, fb_error* error) {
  static const double NAP = 0.05; /* [s] */
  cmd_pacer* pacer = &l->job->pacer;
  double longest = l->job->live ? NAP : INFINITY, t = fb_sim_time(l->sim);
  fb_status status = hold(l, error);
  if (status != FB_OK || !(pacer->factor > 0) || cmd_pacer_wait(pacer, t, longest)) return status;
  status = commit(l, error);
  while (status == FB_OK && !cmd_pacer_wait(pacer, t, longest)) status = hold(l, error);
  return status;
}

/* --- stepping --- */

static int is_over(const loop* l) {
  return fb_sim_stopped(l->sim) || is_reached(l, l->duration);
}

/* One step and all that follows from it. */
static fb_status advance(loop* l, fb_error* error) {
  double checkpoint = (double)l->next_checkpoint * l->checkpoint_period;
  double slack = fb_time_slack(l->duration);
  double limit = checkpoint < l->duration - slack ? checkpoint : l->duration;
  fb_status status = fb_sim_advance(l->sim, limit, error);
  if (status == FB_OK) status = log_inside(l, error);
  if (status == FB_OK) status = fb_sim_settle(l->sim, error);
  if (status == FB_OK) status = log_events(l, error);
  if (status == FB_OK) status = log_end(l, error);
  if (status == FB_OK && !is_over(l) && is_reached(l, checkpoint)) status = save(l, error);
  if (status == FB_OK) status = keep_step(l, error);
  return status == FB_OK ? look_at_clock(l, error) : status;
}

/* A run that begins has its first sample, and what happened at its start. */
static fb_status log_start(loop* l, fb_error* error) {
  if (l->job->t_begin > 0) return FB_OK;
  fb_status status = log_events(l, error);
  return status == FB_OK ? log_sample(l, 0, error) : status;
}

/* Says at which time it failed, where the error does not. */
static void say_when(fb_error* error, double t) {
  if (strstr(error->text, "t = ")) return;
  char text[sizeof error->text];
  snprintf(text, sizeof text, "%s", error->text);
  snprintf(error->text, sizeof error->text, "at t = %.9g s: %.700s", t, text);
}

void cmd_job_loop(cmd_job* job) {
  loop l = begin(job);
  fb_error* error = &job->error;
  cmd_interrupt_watch();
  double start = cmd_wall_now();
  job->pacer = cmd_pacer_start(job->args->realtime, job->t_begin);
  fb_status status = log_start(&l, error);
  while (status == FB_OK && !is_over(&l) && !cmd_interrupt_asked()) status = advance(&l, error);
  if (status == FB_OK && is_over(&l) && l.t_sampled != fb_sim_time(l.sim))
    status = log_sample(&l, fb_sim_time(l.sim), error);
  job->end = status != FB_OK         ? FB_JOB_FAILED
             : fb_sim_stopped(l.sim) ? FB_JOB_STOPPED
             : is_over(&l)           ? FB_JOB_FINISHED
                                     : FB_JOB_INTERRUPTED;
  if (status != FB_OK) say_when(error, fb_sim_time(l.sim));
  job->wall = cmd_wall_now() - start - l.paused;
  end(&l);
}
