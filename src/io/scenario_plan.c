/* scenario_plan.c -- what a run of a scenario will come to, before it is run: signals, steps, samples.
 *
 * Fixed steps end at the multiples of the step, and besides at checkpoints, time events and edges. Samples are taken at
 * the first step end at or after each multiple of the log period, and at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/scenario_inside.h"

/* --- what is logged --- */

static int has_signal(const fb_signal* signals, int count, fb_signal signal) {
  for (int i = 0; i < count; i++)
    if (memcmp(&signals[i], &signal, sizeof signal) == 0) return 1;
  return 0;
}

fb_status fb_scenario_logged(const fb_scenario* s, fb_signal** signals, int* count, fb_error* error) {
  int ledger, own = s->nsignal;
  *signals = NULL;
  *count = 0;
  fb_status status = fb_signal_find(s->model, "ledger", NULL, 0, &ledger, error);
  if (status) return status;
  fb_signal* all = (fb_signal*)malloc(((size_t)own + 2 * (size_t)ledger) * sizeof *all);
  if (!all) return fb_fail(error, FB_ERR_MEMORY, "out of memory for %d signals", own + ledger);
  if (own > 0) memcpy(all, s->signals, (size_t)own * sizeof *all);
  fb_signal* found = all + own + ledger; /* the last part of the room */
  status = fb_signal_find(s->model, "ledger", found, ledger, &ledger, error);
  *count = own;
  for (int i = 0; i < ledger && !status; i++)
    if (!has_signal(all, *count, found[i])) all[(*count)++] = found[i];
  *signals = all;
  return status;
}

/* --- steps --- */

int fb_scenario_is_fixed(const fb_scenario* s) {
  return !s->outside && (s->options.method != FB_DOPRI5 || !s->options.adaptive);
}

int fb_scenario_is_multiple(double x, double of) {
  double n = x / of;
  return fabs(n - nearbyint(n)) < 1e-9 * fmax(1, n);
}

/* Instants 0 < k period < end, and how many of them are no multiples of the step. */
static double count_off_steps(double period, double end, double step) {
  enum { LOOK = 1000000 }; /* of more than these the first tell the part */
  double all = ceil(end / period - 1e-9) - 1, looked = fmin(all, LOOK), off = 0;
  if (!(all > 0) || fb_scenario_is_multiple(period, step)) return 0;
  for (int k = 1; k <= (int)looked; k++) off += !fb_scenario_is_multiple(k * period, step);
  return all > looked ? nearbyint(all * off / looked) : off;
}

double fb_scenario_steps(const fb_scenario* s) {
  double h = s->options.step;
  if (!fb_scenario_is_fixed(s)) return -1;
  return ceil(s->duration / h - 1e-9) + count_off_steps(s->checkpoint, s->duration, h);
}

static int cuts(const fb_scenario* s, double t) {
  return t > 0 && t < s->duration && !fb_scenario_is_multiple(t, s->options.step);
}

static int path_cuts(const fb_scenario* s, const fb_spline* path) {
  double t = 0;
  while (path && (t = fb_spline_next_knot(path, t)) < s->duration)
    if (cuts(s, t)) return 1;
  return 0;
}

static int event_cuts(const fb_scenario* s, const fb_event* event) {
  if (event->kind != FB_AT_TIME) return 1;
  return cuts(s, event->time) ||
         (event->period > 0 && event->time < s->duration && cuts(s, event->time + event->period));
}

static int block_cuts(const fb_scenario* s, const fb_scenario_block* block) {
  const fb_spline* path;
  if (block->has_edges) return 1;
  if (block->period > 0 && cuts(s, block->period)) return 1;
  if (block->sampled && cuts(s, block->sampling.delay)) return 1;
  for (int i = 0; (path = fb_scenario_block_path(block, i)) != NULL; i++)
    if (path_cuts(s, path)) return 1;
  for (int i = 0; i < block->schedule.count; i++)
    if (cuts(s, block->schedule.times[i])) return 1;
  return 0;
}

int fb_scenario_more_steps(const fb_scenario* s) {
  for (int i = 0; i < s->nevent; i++)
    if (event_cuts(s, &s->events[i].event)) return 1;
  for (int i = 0; i < s->nmotion; i++)
    for (int k = 0; k < s->motions[i].count; k++)
      if (s->motions[i].motions[k].kind == FB_BY_PATH && path_cuts(s, s->motions[i].motions[k].path))
        return 1;
  for (int i = 0; i < s->nblock; i++)
    if (block_cuts(s, &s->blocks[i])) return 1;
  return 0;
}

/* --- samples --- */

double fb_scenario_samples(const fb_scenario* s) {
  double h = s->options.step, last = floor(s->duration / s->log_period + 1e-9), t = last * s->log_period;
  int fixed = fb_scenario_is_fixed(s);
  if (fixed && s->log_period < h * (1 - 1e-9)) return fb_scenario_steps(s) + 1;
  if (fixed) t = ceil(t / h - 1e-9) * h; /* it waits for a step to end */
  return last + 1 + (t < s->duration * (1 - 1e-12));
}
