/* remote.c -- the block of a controller in another process
 *
 *   at t_n:  send the signals, receive u_n;   until t_n+1:  tau_k = u_n[k], wrenches and outputs likewise
 *
 * Memory: the inputs u, the number n of the next exchange, and how many had no valid reply. All that the motion depends on
 * is there, so that snapshots are complete; the connection itself is not part of the simulation. Cost of act O(inputs). */
#include "adapters/remote/remote.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "block/coordinate.h"
#include "block/driven.h"

enum { MOST_NOTES = 20 };
enum { NUMBER, MISSED, COUNTS }; /* in memory, after the inputs */

fb_remote_options fb_default_remote_options(void) {
  return (fb_remote_options){.wait = 10,
                             .on_timeout = FB_REMOTE_STOP,
                             .on_invalid = FB_REMOTE_STOP,
                             .on_lost = FB_REMOTE_STOP,
                             .cookie_ = FB_COOKIE};
}

/* --- exchanges --- */

static fb_remote_fallback fallback_of(const fb_remote_options* o, fb_remote_outcome outcome) {
  if (outcome == FB_REMOTE_PENDING) return FB_REMOTE_HOLD;
  return outcome == FB_REMOTE_TIMEOUT   ? o->on_timeout
         : outcome == FB_REMOTE_INVALID ? o->on_invalid
                                        : o->on_lost;
}

/* Says once that replies are missing, and why. */
static void note_missing(fb_remote* r, double t, fb_remote_outcome outcome) {
  int streak = outcome == FB_REMOTE_PENDING ? r->streak : (int)outcome;
  char text[600];
  if (streak == r->streak || !r->options.note) return;
  r->streak = streak;
  if (r->notes >= MOST_NOTES) return;
  const char* end = ++r->notes == MOST_NOTES ? "; this is not said again" : "";
  if (outcome == FB_REMOTE_REPLIED)
    snprintf(text, sizeof text, "at t = %.9g s controller '%.60s' replies again%s", t, r->name, end);
  else
    snprintf(text, sizeof text, "at t = %.9g s controller '%.60s' at %s: %.240s; its inputs are %s%s", t,
             r->name, r->session.link.address, r->session.why,
             fallback_of(&r->options, outcome) == FB_REMOTE_ZERO ? "zero until it replies" : "held", end);
  r->options.note(r->options.user, text);
}

/* Asks the peer. r->inputs has what acts now, and gets what acts next. */
static fb_status exchange_signals(fb_remote* r, fb_remote_exchange* e, const double* signals,
                                  fb_error* error) {
  fb_session* s = &r->session;
  size_t size = (size_t)r->ninput * sizeof(double);
  fb_status status = FB_OK;
  if (!s->begun || s->next != e->number) status = fb_session_begin(s, e->number, e->t, error);
  if (status) return status;
  e->outcome = fb_session_exchange(s, e->number, e->t, signals);
  if (s->ended)
    return fb_fail(error, FB_ERR_IO, "interrupted while waiting for the controller at %s", s->link.address);
  fb_remote_fallback fallback = fallback_of(&r->options, e->outcome);
  if (e->outcome == FB_REMOTE_REPLIED) memcpy(r->inputs, s->inputs, size);
  if (e->outcome != FB_REMOTE_REPLIED && fallback == FB_REMOTE_STOP)
    return fb_fail(error, FB_ERR_IO, "the controller at %s, step %lld: %s", s->link.address, e->number,
                   s->why);
  if (e->outcome != FB_REMOTE_REPLIED && fallback == FB_REMOTE_ZERO) memset(r->inputs, 0, size);
  note_missing(r, e->t, e->outcome);
  e->round_trip = s->round_trip;
  e->outdated = s->outdated;
  return r->options.record ? r->options.record(r->options.user, e, error) : FB_OK;
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  (void)state;
  fb_remote* r = (fb_remote*)user;
  double* counts = memory + r->ninput;
  size_t size = (size_t)r->ninput * sizeof(double);
  if (!(counts[NUMBER] >= 0 && counts[NUMBER] < 0x1p53))
    return fb_fail(
        error, FB_ERR_STATE,
        "its memory contains an impossible count of exchanges; was it restored from a damaged snapshot?");
  fb_remote_exchange e = {.block = r->name,
                          .pace = r->options.pace,
                          .number = (long long)counts[NUMBER],
                          .t = context->t,
                          .inputs = r->inputs,
                          .ninput = r->ninput,
                          .round_trip = NAN};
  memcpy(r->inputs, memory, size);
  int known = 1;
  if (!r->options.dry)
    known = r->options.recall ? r->options.recall(r->options.user, &e, r->inputs, error) : 0;
  if (known < 0) return error && error->status ? error->status : FB_ERR_IO;
  fb_status status = known ? FB_OK : exchange_signals(r, &e, context->inputs, error);
  if (status) return status;
  memcpy(memory, r->inputs, size);
  counts[NUMBER]++;
  counts[MISSED] += e.outcome > FB_REMOTE_PENDING;
  return FB_OK;
}

/* --- what the inputs do --- */

static fb_driven driven_by(const fb_remote* r) {
  const fb_remote_options* o = &r->options;
  return (fb_driven){o->ncoordinate, o->nframe, o->coordinates, o->frames, o->in_frame_axes};
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)context, (void)state, (void)state_rate, (void)error;
  const fb_remote* r = (const fb_remote*)user;
  const fb_driven driven = driven_by(r);
  fb_driven_act(&driven, r->now, memory, action);
  return FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)context, (void)state, (void)error;
  const fb_remote* r = (const fb_remote*)user;
  memcpy(outputs, memory, (size_t)r->ninput * sizeof *outputs);
  outputs[r->ninput] = memory[r->ninput + MISSED];
  return FB_OK;
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  fb_remote* r = (fb_remote*)user;
  const fb_driven driven = driven_by(r);
  return fb_driven_rebind(&driven, r->original, m, r->now, error);
}

/* --- set-up --- */

static void remote_free(void* user) {
  fb_remote* r = (fb_remote*)user;
  if (!r) return;
  if (r->session.options)
    fb_session_free(&r->session);
  else
    free(r->session.text);
  fb_pool_free(&r->pool);
  free(r);
}

static fb_status check_options(const fb_model* m, const char* name, const fb_remote_options* o,
                               fb_error* error) {
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a remote controller needs a name");
  if (fb_cookie_check_of_block(name, o ? o->cookie_ : 0, "remote_options", error)) return FB_ERR_ARG;
  if (!(o->period > 0 && isfinite(o->period)))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": its period is %g s; it must be greater than 0", name,
                   o->period);
  if (!(o->timeout > 0 && o->timeout <= 1e6))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": its timeout is %g s; it must be greater than 0, and at most 1e6", name,
                   o->timeout);
  if (!(o->wait >= 0 && o->wait <= 1e6))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": it waits %g s for its peer; give 0 to 1e6", name,
                   o->wait);
  if (o->nsignal < 0 || o->ncoordinate < 0 || o->nframe < 0 || o->nvalue < 0)
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": it has a negative number of signals or inputs", name);
  if (o->ncoordinate + o->nframe + o->nvalue == 0)
    return fb_fail(
        error, FB_ERR_ARG,
        "block \"%s\": a remote controller has no inputs; name joints, frames or numbers that it sets", name);
  for (int i = 0; i < o->nframe; i++)
    if (fb_frame_body(m, o->frames[i]) < 0)
      return fb_fail(error, FB_ERR_ARG, "block \"%s\": frame %d does not exist", name, o->frames[i]);
  fb_status status = FB_OK;
  for (int i = 0; i < o->ncoordinate && !status; i++)
    status = fb_coordinate_check(m, name, o->coordinates[i], error);
  return status;
}

/* 0 without memory. */
static int copy_options(fb_remote* r, const fb_remote_options* o) {
  fb_pool* pool = &r->pool;
  fb_port* signals = fb_pool_copy(pool, o->signals, (size_t)o->nsignal, sizeof *signals);
  const char** values = fb_pool_copy(pool, o->values, (size_t)o->nvalue, sizeof *values);
  r->options = *o;
  r->options.signals = signals;
  r->options.values = values;
  r->options.coordinates = fb_pool_copy(pool, o->coordinates, (size_t)o->ncoordinate, sizeof(int));
  r->options.frames = fb_pool_copy(pool, o->frames, (size_t)o->nframe, sizeof(int));
  r->options.address = fb_pool_text(pool, o->address ? o->address : "");
  for (int i = 0; signals && i < o->nsignal; i++) {
    const fb_port* from = &o->signals[i];
    signals[i] = (fb_port){fb_pool_text(pool, from->name), fb_pool_text(pool, from->unit),
                           fb_pool_text(pool, from->axes), 1};
  }
  for (int i = 0; values && i < o->nvalue; i++) values[i] = fb_pool_text(pool, o->values[i]);
  return !pool->failed;
}

static fb_status fill(fb_remote* r, const fb_remote_options* o, const char* name, fb_error* error) {
  r->ninput = o->ncoordinate + 6 * o->nframe + o->nvalue;
  r->now = fb_pool_copy(&r->pool, o->coordinates, (size_t)o->ncoordinate, sizeof(int));
  r->inputs = fb_pool_take(&r->pool, (size_t)r->ninput, sizeof *r->inputs);
  r->name = fb_pool_text(&r->pool, name);
  if (!copy_options(r, o)) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a remote controller");
  fb_status status = fb_remote_make_ports(r, error);
  if (status) return status;
  char* text = fb_remote_names(r);
  if (!text) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a remote controller");
  return fb_session_init(&r->session, &r->options, r->ninput, text, error);
}

fb_status fb_block_new_remote(const fb_model* m, const char* name, const fb_remote_options* options,
                              fb_block* block, fb_error* error) {
  *block = fb_default_block();
  fb_status status = check_options(m, name, options, error);
  if (status) return status;
  fb_remote* r = calloc(1, sizeof *r);
  if (!r) return fb_fail(error, FB_ERR_MEMORY, "out of memory for a remote controller");
  r->original = m;
  status = fill(r, options, name, error);
  if (status) {
    remote_free(r);
    return status;
  }
  block->name = r->name;
  block->user = r;
  block->period = options->period;
  block->nmemory = r->ninput + COUNTS;
  block->nwrench = options->nframe;
  block->inputs = r->options.signals;
  block->ninput = options->nsignal;
  block->outputs = r->ports;
  block->noutput = r->nport;
  block->held = 1;
  block->tick = tick;
  block->act = act;
  block->output = output;
  block->rebind = rebind;
  block->free = remote_free;
  return FB_OK;
}
