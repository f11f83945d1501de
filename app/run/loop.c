/* loop.c -- the loop of `freebody run` around the run: it advances it in short slices, and between them waits for the
 * clock, shows how far it is, and looks whether it shall pause or end. */
#include <math.h>

#include "run/run.h"

typedef struct loop {
  cmd_job* job;
  cmd_progress progress;
  double paused; /* for how long [s] */
} loop;

/* Waits while those who watch want it so. Time stands still for pacing and progress; all that was computed can be
 * seen. */
static fb_status hold(loop* l, fb_error* error) {
  static const double NAP = 0.02; /* [s] */
  cmd_job* job = l->job;
  if (!cmd_live_paused(job->live)) return FB_OK;
  fb_status status = fb_run_commit(job->run, error);
  double begin = cmd_wall_now();
  l->progress.paused = 1;
  l->progress.shown = 0;
  cmd_progress_show(&l->progress, job->run);
  while (status == FB_OK && cmd_live_paused(job->live) && !cmd_interrupt_requested())
    cmd_wall_sleep(cmd_wall_now() + NAP);
  double took = cmd_wall_now() - begin;
  l->progress.paused = 0;
  l->progress.wall_begin += took;
  job->pacer.wall_begin += took;
  l->paused += took;
  return status;
}

/* Waits for the clock, where the run keeps step with it. In a long wait those who watch see what was computed, and may
 * pause it, too. */
static fb_status keep_step(loop* l, fb_error* error) {
  static const double NAP = 0.05; /* [s] */
  cmd_pacer* pacer = &l->job->pacer;
  double longest = l->job->live ? NAP : INFINITY, t = fb_run_time(l->job->run);
  fb_status status = hold(l, error);
  if (status != FB_OK || !(pacer->factor > 0) || cmd_pacer_wait(pacer, t, longest)) return status;
  status = fb_run_commit(l->job->run, error);
  while (status == FB_OK && !cmd_pacer_wait(pacer, t, longest)) status = hold(l, error);
  return status;
}

void cmd_job_loop(cmd_job* job) {
  static const double SLICE = 0.02; /* [s] */
  loop l = {.job = job, .progress = cmd_progress_start(job->args->quiet)};
  cmd_interrupt_watch();
  int priority, locked;
  cmd_priority_take(job->args->priority, &priority, &locked);
  double start = cmd_wall_now();
  job->pacer = cmd_pacer_start(job->args->realtime, fb_run_time(job->run));
  job->pacer.priority = priority;
  job->pacer.locked = locked;
  fb_status status = FB_OK;
  while (status == FB_OK && fb_run_state_of(job->run) == FB_RUN_RUNNING && !cmd_interrupt_requested()) {
    status = fb_run_until(job->run, cmd_pacer_next(&job->pacer), SLICE, &job->error);
    if (status == FB_OK) status = keep_step(&l, &job->error);
    cmd_progress_show(&l.progress, job->run);
  }
  fb_run_wall wall = cmd_pacer_wall(&job->pacer, cmd_wall_now() - start - l.paused);
  fb_run_set_wall(job->run, &wall, NULL);
  cmd_priority_drop(priority, locked);
  cmd_progress_clear(&l.progress);
}
