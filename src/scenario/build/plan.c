/* plan.c -- estimates a run before it starts: signals, steps, samples.
 *
 * Fixed steps end at the multiples of the step, and besides at checkpoints, time events and edges. Samples are taken at
 * the first step end at or after each multiple of the log period, and at the end. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "scenario/build/build.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/event.h"
#include "signal/signal_kind.h"
#include "signal/signal_set.h"

/* A list that grows by what names stand for, each signal once. */
typedef struct signal_list {
  fb_signal* signals;
  int count;
  size_t room;
  fb_signal_set set;
} signal_list;

static fb_status grow_list(signal_list* list, int more, fb_error* error) {
  if (fb_grow(&list->signals, (size_t)list->count, (size_t)more, &list->room, sizeof *list->signals) &&
      fb_signal_set_grow(&list->set, list->signals, list->count, more))
    return FB_OK;
  fb_fail(error, FB_ERR_MEMORY, "out of memory for %d signals", list->count + more);
  return FB_ERR_MEMORY;
}

static fb_status add_named(const fb_scenario* s, const char* name, signal_list* list, fb_error* error) {
  const fb_signal_space space = {s->model, s->faces, s->nblock};
  int count, before = list->count;
  fb_status status = fb_space_find(&space, name, NULL, 0, &count, error);
  if (status) return status == FB_ERR_MEMORY ? status : FB_OK; /* a scene without joints has no q */
  status = grow_list(list, 2 * count, error);
  if (status) return status;
  fb_signal* found = list->signals + before + count; /* the last part of the room */
  status = fb_space_find(&space, name, found, count, &count, error);
  if (status) return status;
  for (int i = 0; i < count; i++) fb_signal_set_add(&list->set, list->signals, &list->count, found[i]);
  return FB_OK;
}

/* The components of a frame's signal, or of a block's outputs. */
static fb_status add_components(int kind, int index, int count, signal_list* list, fb_error* error) {
  fb_status status = grow_list(list, count, error);
  for (int i = 0; i < count && !status; i++)
    fb_signal_set_add(&list->set, list->signals, &list->count, (fb_signal){kind, index, i});
  return status;
}

/* What pushes from outside and is known beforehand: given forces on frames, and thrusters. Those at the world move nothing and
 * are no signals. */
static fb_status add_pushes(const fb_scenario* s, signal_list* list, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nblock; i++)
    for (int turns = 0; turns < 2 && !status && s->blocks[i].kind->pushes; turns++) {
      int frame = s->blocks[i].kind->pushes(&s->blocks[i], turns);
      if (frame != FB_WORLD)
        status = add_components(turns ? FB_SIGNAL_TORQUE : FB_SIGNAL_FORCE, frame, 3, list, error);
    }
  return status;
}

/* What pictures of contacts need: all that they report. */
static fb_status add_contacts(const fb_scenario* s, signal_list* list, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < s->nblock && !status; i++)
    if (fb_scenario_contact_of(&s->blocks[i]) || s->blocks[i].kind == &fb_kind_solver)
      status = add_components(FB_SIGNAL_OUTPUT, i, fb_port_width(s->blocks[i].outputs, s->blocks[i].noutput),
                              list, error);
  return status;
}

/* Which model the samples belong to; and where bodies are that no coordinate of the scene places after a parting. */
static fb_status add_changes(const fb_scenario* s, signal_list* list, fb_error* error) {
  fb_status status = add_named(s, "epoch", list, error);
  for (int b = 1; b < fb_model_nbody(s->model) && s->log_motion; b++) {
    if (!fb_scenario_parts_body(s, b)) continue;
    static const int kinds[] = {FB_SIGNAL_P, FB_SIGNAL_QUAT};
    for (int i = 0; i < 2 && !status; i++) status = add_components(kinds[i], b, 3 + i, list, error);
  }
  return status;
}

/* What older Freebodies logged stands first, in their order, so that their runs can be resumed. */
fb_status fb_scenario_logged(const fb_scenario* s, fb_signal** signals, int* count, fb_error* error) {
  signal_list list = {.signals = NULL};
  fb_status status = grow_list(&list, s->nsignal + 1, error);
  for (int i = 0; i < s->nsignal && !status; i++)
    fb_signal_set_add(&list.set, list.signals, &list.count, s->signals[i]);
  if (!status) status = add_named(s, "ledger", &list, error);
  if (!status && s->log_motion) status = add_named(s, "q", &list, error);
  if (!status && s->log_motion) status = add_pushes(s, &list, error);
  if (!status && s->log_motion) status = add_contacts(s, &list, error);
  if (!status && s->has_changes) status = add_changes(s, &list, error);
  free(list.set.at);
  *signals = list.signals;
  *count = list.count;
  return status;
}

int fb_scenario_is_fixed(const fb_scenario* s) {
  return !s->traits.adaptive;
}

int fb_scenario_is_multiple(double x, double of) {
  double n = x / of;
  return fabs(n - nearbyint(n)) < 1e-9 * fmax(1, n);
}

/* Instants 0 < k period < end, and how many of them are no multiples of the step. */
static double count_off_steps(double period, double end, double step) {
  enum { SAMPLE = 1000000 }; /* of more than these the first represent all */
  double all = ceil(end / period - 1e-9) - 1, sampled = fmin(all, SAMPLE), off = 0;
  if (!(all > 0) || fb_scenario_is_multiple(period, step)) return 0;
  for (int k = 1; k <= (int)sampled; k++) off += !fb_scenario_is_multiple(k * period, step);
  return all > sampled ? nearbyint(all * off / sampled) : off;
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
  if (event->kind != FB_TRIGGER_TIME) return 1;
  return cuts(s, event->time) ||
         (event->period > 0 && event->time < s->duration && cuts(s, event->time + event->period));
}

static int block_cuts(const fb_scenario* s, const fb_scenario_block* block) {
  if (block->has_edges) return 1;
  if (block->period > 0 && cuts(s, block->period)) return 1;
  if (block->sampled && cuts(s, block->sampling.delay)) return 1;
  double t = 0;
  while (block->kind->next_edge && (t = block->kind->next_edge(block, t)) < s->duration)
    if (cuts(s, t)) return 1;
  return 0;
}

int fb_scenario_more_steps(const fb_scenario* s) {
  for (int i = 0; i < s->nevent; i++)
    if (event_cuts(s, &s->events[i].event)) return 1;
  for (int i = 0; i < s->nmotion; i++)
    for (int k = 0; k < s->motions[i].count; k++)
      if (s->motions[i].motions[k].kind == FB_MOTION_PATH && path_cuts(s, s->motions[i].motions[k].path))
        return 1;
  for (int i = 0; i < s->nblock; i++)
    if (block_cuts(s, &s->blocks[i])) return 1;
  return 0;
}

double fb_scenario_samples(const fb_scenario* s) {
  double h = s->options.step, last = floor(s->duration / s->log_period + 1e-9), t = last * s->log_period;
  int fixed = fb_scenario_is_fixed(s);
  if (fixed && s->log_period < h * (1 - 1e-9)) return fb_scenario_steps(s) + 1;
  if (fixed) t = ceil(t / h - 1e-9) * h; /* it waits for a step to end */
  return last + 1 + (t < s->duration * (1 - 1e-12));
}
