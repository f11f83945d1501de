/* advance.c -- the loop of a run: step, log, save, commit
 *
 * Samples fall at 0, p, 2p ... : with error control exactly there, by the step's own interpolant; with fixed steps at
 * the first step end at or after. Logging never changes where steps end. Checkpoints fall at 0, c, 2c ... and steps
 * end there in every run; which sample and which checkpoint comes next follows from the time alone, so a resumed run
 * does the same as one that was not interrupted. The end has a sample of its own, and no checkpoint. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/text.h>

#include "adapters/wall_clock.h"
#include "model/model.h"
#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/build/build.h"
#include "scenario/explain/explain.h"
#include "sim/access.h"

/* The first k with k * period after t. */
static long long next_multiple(double t, double period) {
  long long k = (long long)floor(t / period);
  while ((double)k * period <= t + fb_time_slack(t)) k++;
  return k;
}

static int is_reached(const fb_run* run, double instant) {
  double t = fb_sim_time(run->sim);
  return instant <= t + fb_time_slack(t);
}

static int is_over(const fb_run* run) {
  return fb_sim_stopped(run->sim) || is_reached(run, run->scenario->duration);
}

fb_status fb_run_begin_leg(fb_run* run, double t_begin, fb_error* error) {
  const fb_scenario* s = run->scenario;
  run->t_begin = t_begin;
  run->begun = t_begin > 0;
  run->next_sample = next_multiple(t_begin, s->log_period);
  run->next_checkpoint = next_multiple(t_begin, s->checkpoint);
  run->exact = !fb_scenario_is_fixed(s);
  run->t_sampled = -1;
  run->looked = run->committed = run->began = fb_wall_clock();
  run->steps_between_checks = 1;
  run->epoch = run->nchange = run->begun ? fb_sim_epoch(run->sim) : 0;
  if (run->store && run->epoch > 0) {
    fb_status status = fb_store_set_epoch(run->store, run->epoch, error);
    if (status != FB_OK) return status;
  }
  run->snapshot_size = fb_sim_snapshot_size(run->sim);
  run->snapshot = malloc(run->snapshot_size);
  run->values = calloc((size_t)run->nsignal + 1, sizeof *run->values);
  return run->snapshot && run->values ? FB_OK : fb_store_no_memory(error);
}

/* --- logging --- */

static fb_status log_sample(fb_run* run, double t, fb_error* error) {
  fb_status status;
  if (t > fb_sim_step_start(run->sim))
    status = fb_sim_eval_signals(run->sim, t, run->signals, run->nsignal, run->values, error);
  else /* at the start there is no step to look into */
    status = fb_signal_eval(run->sim, t, fb_sim_y(run->sim), run->signals, run->nsignal, run->values, error);
  if (status != FB_OK) return status;
  run->t_sampled = t;
  run->nsample++;
  return run->store ? fb_store_append(run->store, t, run->values, error) : FB_OK;
}

/* With error control: the instants inside the step, before what is due at its end happens. */
static fb_status log_inside(fb_run* run, fb_error* error) {
  double now = fb_sim_time(run->sim), t;
  fb_status status = FB_OK;
  while (run->exact && status == FB_OK &&
         (t = (double)run->next_sample * run->scenario->log_period) < now - fb_time_slack(now)) {
    status = log_sample(run, t, error);
    run->next_sample++;
  }
  return status;
}

/* The end of the step, when a sample is due there. */
static fb_status log_end(fb_run* run, fb_error* error) {
  double now = fb_sim_time(run->sim);
  if (!is_reached(run, (double)run->next_sample * run->scenario->log_period)) return FB_OK;
  run->next_sample = next_multiple(now, run->scenario->log_period);
  return log_sample(run, now, error);
}

/* Events of contacts, which they have by themselves. */
static void add_impact(fb_text* out, const fb_run* run, const fb_event* event) {
  if (event->kind != FB_TRIGGER_CONTACT || event->change != FB_CONTACT_HITS) return;
  fb_hard_impact impact = fb_hard_last_impact(run->sim, event->contact);
  fb_text_printf(out, "impulse %.4g N s, approach %.4g m/s", impact.impulse, impact.speed);
  if (impact.gained > 0) fb_text_printf(out, ", friction work +%.4g J (Newton's restitution)", impact.gained);
}

static fb_status log_event(fb_run* run, const fb_event_record* record, fb_error* error) {
  fb_text text = {0};
  fb_text_add(&text, "");
  int event = fb_scenario_event_of(run->scenario, run->sim, record->event);
  if (event >= 0) fb_scenario_add_actions(&text, run->scenario, event, 0);
  if (event >= 0) fb_run_add_changes(&text, run, event);
  if (event < 0) add_impact(&text, run, fb_sim_event(run->sim, record->event));
  fb_status status = text.failed ? fb_store_no_memory(error) : FB_OK;
  const char* name = fb_sim_event(run->sim, record->event)->name;
  if (status == FB_OK && run->store)
    status = fb_store_add_event(run->store, record->t, name, text.data, error);
  if (status == FB_OK) run->nevent++;
  if (status == FB_OK && run->options.event)
    run->options.event(run->options.user, record->t, name, text.data);
  free(text.data);
  return status;
}

static fb_status log_events(fb_run* run, fb_error* error) {
  int count;
  const fb_event_record* happened = fb_sim_event_records(run->sim, &count);
  fb_status status = fb_run_store_changes(run, error);
  for (int i = 0; i < count && status == FB_OK; i++) status = log_event(run, &happened[i], error);
  return status;
}

/* --- committing --- */

static fb_status commit(fb_run* run, fb_error* error) {
  run->committed = fb_wall_clock();
  fb_status status = fb_run_flush_exchanges(run, error);
  if (status == FB_OK && run->store) status = fb_store_commit(run->store, error);
  if (status == FB_OK && run->options.committed)
    run->options.committed(run->options.user, fb_sim_time(run->sim));
  return status;
}

/* Snapshots grow with the history of joins. */
static fb_status size_snapshot(fb_run* run, fb_error* error) {
  size_t size = fb_sim_snapshot_size(run->sim);
  if (size == run->snapshot_size) return FB_OK;
  void* larger = realloc(run->snapshot, size);
  if (!larger) return fb_store_no_memory(error);
  run->snapshot = larger;
  run->snapshot_size = size;
  return FB_OK;
}

/* Taken without a store, too: the integrator forgets its past there. */
static fb_status save(fb_run* run, fb_error* error) {
  double t = fb_sim_time(run->sim);
  run->next_checkpoint = next_multiple(t, run->scenario->checkpoint);
  fb_status status = size_snapshot(run, error);
  if (status != FB_OK) return status;
  fb_sim_save(run->sim, run->snapshot);
  if (run->store) status = fb_store_add_checkpoint(run->store, t, run->snapshot, run->snapshot_size, error);
  return status == FB_OK ? commit(run, error) : status;
}

/* Said once, by a run that locates the events of hard contacts, and has become slow for it. */
static void note_contacts(fb_run* run, double took) {
  static const double PATIENCE = 5, SLOW = 0.2; /* [s]; times real time */
  const fb_scenario* s = run->scenario;
  double t = fb_sim_time(run->sim);
  if (run->contacts_noted || s->nhard == 0 || fb_sim_traits(run->sim).time_stepping) return;
  if (took < PATIENCE || t - run->t_begin > SLOW * took) return;
  run->contacts_noted = 1;
  fb_run_note(
      run,
      "at t = %.3g s after %.0f s: %s has made %lld steps, and takes long here: it evaluates forces of "
      "hard contacts many times a step, locates their changes and follows slow slip; moreau does not "
      "(--set integrator.method=moreau)",
      t, took, fb_method_name(s->options.method), fb_sim_nstep(run->sim));
}

/* Steps may take a microsecond or a second, so how many pass between two looks follows from how long they took. */
static fb_status check_clock(fb_run* run, double deadline, int* late, fb_error* error) {
  if (++run->steps_since_check < run->steps_between_checks) return FB_OK;
  double now = fb_wall_clock(), took = now - run->looked;
  run->looked = now;
  run->steps_since_check = 0;
  if (took < 0.005 && run->steps_between_checks < 1 << 16) run->steps_between_checks *= 2;
  if (took > 0.02 && run->steps_between_checks > 1) run->steps_between_checks /= 2;
  *late = now >= deadline;
  note_contacts(run, now - run->began);
  return now - run->committed < run->options.commit_period ? FB_OK : commit(run, error);
}

/* --- stiffness --- */

/* Said once, by a run that would crawl: that makes very many steps if it continues as it did. */
static void note_stiffness(fb_run* run) {
  static const double MANY = 20000;
  double since = fb_sim_stiff_since(run->sim);
  if (run->stiffness_noted || !isfinite(since)) return;
  const fb_scenario* s = run->scenario;
  if ((double)fb_sim_nstep(run->sim) * s->duration < MANY * fb_sim_time(run->sim)) return;
  const char* joint =
      s->rates.coordinate < 0 ? NULL : fb_coordinate_joint_name(s->model, s->rates.coordinate);
  run->stiffness_noted = 1;
  fb_run_note(run,
              "since t = %.3g s the steps of %s are limited by stability, not accuracy: something is "
              "stiff%s%.60s%s; cvode takes long steps there (--set integrator.method=cvode)",
              since, fb_method_name(s->options.method), joint ? ", probably joint '" : "", joint ? joint : "",
              joint ? "'" : "");
}

/* Likewise, of steps that auto makes shorter. */
static void note_refinement(fb_run* run) {
  double since = fb_sim_refined_since(run->sim);
  if (run->refinement_noted || !isfinite(since)) return;
  run->refinement_noted = 1;
  fb_run_note(
      run,
      "since t = %.3g s the motion is too fast for steps of %.3g ms; they are halved where the ledger "
      "asks for it",
      since, 1e3 * run->scenario->options.step);
}

/* --- stepping --- */

/* One step and all that follows from it. */
static fb_status step(fb_run* run, fb_error* error) {
  double checkpoint = (double)run->next_checkpoint * run->scenario->checkpoint;
  double duration = run->scenario->duration;
  double limit = checkpoint < duration - fb_time_slack(duration) ? checkpoint : duration;
  fb_status status = fb_sim_begin_step(run->sim, limit, error);
  note_stiffness(run);
  if (status == FB_OK)
    note_refinement(run); /* what fails in a step has another reason, which the error gives */
  if (status == FB_OK) status = log_inside(run, error);
  if (status == FB_OK) status = fb_sim_end_step(run->sim, error);
  if (status == FB_OK) status = log_events(run, error);
  if (status == FB_OK) status = log_end(run, error);
  return status == FB_OK && !is_over(run) && is_reached(run, checkpoint) ? save(run, error) : status;
}

static fb_status go_on(fb_run* run, double until, double deadline, fb_error* error) {
  int late = 0;
  fb_status status = FB_OK;
  if (!run->begun) { /* the first sample, and what happened at the start */
    run->begun = 1;
    status = log_events(run, error);
    if (status == FB_OK) status = log_sample(run, 0, error);
  }
  while (status == FB_OK && !late && !is_over(run)) {
    status = step(run, error);
    if (status == FB_OK) status = check_clock(run, deadline, &late, error);
    if (is_reached(run, until)) break;
  }
  if (status != FB_OK || !is_over(run)) return status;
  run->state = fb_sim_stopped(run->sim) ? FB_RUN_STOPPED : FB_RUN_FINISHED;
  return run->t_sampled == fb_sim_time(run->sim) ? FB_OK : log_sample(run, fb_sim_time(run->sim), error);
}

/* The run has failed, and its error says at which time. */
static fb_status fail(fb_run* run, fb_error* error) {
  fb_error* kept = &run->error;
  run->state = FB_RUN_FAILED;
  if (!strstr(kept->text, "t = ")) {
    char text[sizeof kept->text];
    snprintf(text, sizeof text, "%s", kept->text);
    snprintf(kept->text, sizeof kept->text, "at t = %.9g s: %.700s", fb_sim_time(run->sim), text);
  }
  if (error) *error = *kept;
  return kept->status;
}

fb_status fb_run_until(fb_run* run, double until, double seconds, fb_error* error) {
  static const double SHORT = 0.02; /* the longest time between two looks at the clock [s] */
  if (run->process != getpid()) return fb_run_check_process(run, error);
  if (run->state == FB_RUN_FAILED && error) *error = run->error;
  if (run->state != FB_RUN_RUNNING) return run->error.status;
  if (seconds < SHORT) run->steps_between_checks = 1;
  double start = fb_wall_clock();
  fb_status status = go_on(run, until, start + seconds, &run->error);
  run->wall.seconds += fb_wall_clock() - start;
  if (status != FB_OK && run->given_up) {
    run->state = FB_RUN_INTERRUPTED;
    return FB_OK;
  }
  return status == FB_OK ? FB_OK : fail(run, error);
}

fb_status fb_run_commit(fb_run* run, fb_error* error) {
  fb_error kept;
  if (run->process != getpid()) return fb_run_check_process(run, error);
  fb_status status = commit(run, &kept);
  if (status == FB_OK) return FB_OK;
  if (error) *error = kept;
  if (run->state != FB_RUN_RUNNING) return status;
  run->error = kept;
  return fail(run, error);
}
