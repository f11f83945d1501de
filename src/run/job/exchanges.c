/* exchanges.c -- remote controllers of a run: what they send is recorded, and where it is recorded already it is taken from
 * there instead of asking them.
 *
 *   a new run       asks, and records
 *   a resumed run   takes what its own record has after the checkpoint, then asks: the same bits, however often it stops
 *   a replayed run  takes all from the record of another run, and asks nobody
 *
 * Exchanges gather in memory, and go into the store with its commits. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/copy_text.h"
#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/scenario.h"

enum { BINS = 8 * 40 }; /* of round trips, an eighth of an octave each from 1 ns on */

struct fb_run_channel {
  char* name;
  int realtime;
  fb_store_exchanges gathered; /* room for FB_STORE_EXCHANGES */
  fb_store_exchanges known;    /* a row of the record */
  long long outcomes[FB_REMOTE_OUTCOME_COUNT], replayed, outdated;
  long long bins[BINS], trips;
  double longest; /* [s] */
};

/* --- channels: one for each controller, in the order in which they are first asked --- */

static fb_run_channel* channel_of(fb_run* run, const fb_remote_exchange* e, fb_error* error) {
  for (int i = 0; i < run->nchannel; i++)
    if (strcmp(run->channels[i].name, e->block) == 0) return &run->channels[i];
  fb_run_channel* larger = realloc(run->channels, ((size_t)run->nchannel + 1) * sizeof *larger);
  if (larger) run->channels = larger;
  fb_run_channel made = {.name = fb_copy_text(e->block),
                         .realtime = e->pace == FB_REMOTE_REALTIME,
                         .gathered.ninput = e->ninput};
  made.gathered.numbers =
      malloc(((size_t)e->ninput + FB_EXCHANGE_INPUTS) * FB_STORE_EXCHANGES * sizeof *made.gathered.numbers);
  if (larger && made.name && made.gathered.numbers) {
    run->channels[run->nchannel] = made;
    return &run->channels[run->nchannel++];
  }
  free(made.name);
  free(made.gathered.numbers);
  fb_store_no_memory(error);
  return NULL;
}

void fb_run_free_channels(fb_run* run) {
  for (int i = 0; i < run->nchannel; i++) {
    free(run->channels[i].name);
    free(run->channels[i].gathered.numbers);
    free(run->channels[i].known.numbers);
  }
  free(run->channels);
  if (!run->tape_is_lent) fb_store_close(run->tape, NULL);
  free(run->tape_folder);
}

/* --- recording --- */

static fb_status flush(fb_run* run, fb_run_channel* c, fb_error* error) {
  fb_status status = FB_OK;
  if (run->store && c->gathered.count > 0)
    status = fb_store_add_exchanges(run->store, c->name, &c->gathered, error);
  c->gathered.count = 0;
  return status;
}

fb_status fb_run_flush_exchanges(fb_run* run, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < run->nchannel && status == FB_OK; i++) status = flush(run, &run->channels[i], error);
  return status;
}

static fb_status gather(fb_run* run, fb_run_channel* c, const fb_remote_exchange* e, fb_error* error) {
  fb_store_exchanges* g = &c->gathered;
  fb_status status = FB_OK;
  if (g->count == FB_STORE_EXCHANGES || (g->count > 0 && e->number != g->first + g->count))
    status = flush(run, c, error);
  if (g->count == 0) g->first = e->number;
  double* row = g->numbers + (size_t)g->count * ((size_t)g->ninput + FB_EXCHANGE_INPUTS);
  row[FB_EXCHANGE_T] = e->t;
  row[FB_EXCHANGE_OUTCOME] = e->outcome;
  memcpy(row + FB_EXCHANGE_INPUTS, e->inputs, (size_t)g->ninput * sizeof *row);
  g->count++;
  return status;
}

static void keep_trip(fb_run_channel* c, double seconds) {
  double ns = 1e9 * seconds, bin = ns > 1 ? 8 * log2(ns) : 0;
  if (!isfinite(seconds)) return;
  c->bins[bin < BINS ? (int)bin : BINS - 1]++;
  c->trips++;
  c->longest = fmax(c->longest, seconds);
}

static fb_status record(void* user, const fb_remote_exchange* e, fb_error* error) {
  fb_run* run = (fb_run*)user;
  fb_run_channel* c = channel_of(run, e, error);
  if (!c) return FB_ERR_MEMORY;
  c->outcomes[e->outcome]++;
  c->outdated += e->outdated;
  keep_trip(c, e->round_trip);
  return gather(run, c, e, error);
}

/* --- replaying --- */

static int refuse(fb_error* error, const char* folder, const fb_remote_exchange* e, const char* why) {
  fb_fail(error, FB_ERR_CONTENT,
          "exchange %lld of controller '%.60s' is not as the record in %.200s has it: %s", e->number,
          e->block, folder, why);
  return -1;
}

static int end_of_record(const fb_run* run, const fb_remote_exchange* e, fb_error* error) {
  if (!run->tape_alone) return 0;
  fb_fail(error, FB_ERR_CONTENT,
          "the record in %.200s has no exchange %lld of controller '%.60s', at t = %.9g s; a replay cannot "
          "go further: give a shorter --duration, or run the scenario with its controller",
          run->tape_folder, e->number, e->block, e->t);
  return -1;
}

/* What the record has of an exchange. */
static int take(fb_run* run, fb_run_channel* c, fb_remote_exchange* e, double* inputs, fb_error* error) {
  const fb_store_exchanges* known = &c->known;
  if (known->ninput != e->ninput)
    return refuse(error, run->tape_folder, e, "it has another number of inputs");
  const double* row =
      known->numbers + (size_t)(e->number - known->first) * ((size_t)known->ninput + FB_EXCHANGE_INPUTS);
  double outcome = row[FB_EXCHANGE_OUTCOME];
  if (!(fabs(row[FB_EXCHANGE_T] - e->t) <= 1e-12 + 1e-12 * fabs(e->t))) {
    char why[120];
    snprintf(why, sizeof why, "there it is at t = %.9g s, here at %.9g s", row[FB_EXCHANGE_T], e->t);
    return refuse(error, run->tape_folder, e, why);
  }
  if (!(outcome >= 0 && outcome < FB_REMOTE_OUTCOME_COUNT))
    return refuse(error, run->tape_folder, e, "its outcome is unknown");
  for (int i = 0; i < e->ninput; i++)
    if (!isfinite(row[FB_EXCHANGE_INPUTS + i]))
      return refuse(error, run->tape_folder, e, "an input is not finite");
  e->outcome = (fb_remote_outcome)outcome;
  memcpy(inputs, row + FB_EXCHANGE_INPUTS, (size_t)e->ninput * sizeof *inputs);
  c->replayed++;
  return run->tape_is_of_run || gather(run, c, e, error) == FB_OK ? 1 : -1;
}

static int recall(void* user, fb_remote_exchange* e, double* inputs, fb_error* error) {
  fb_run* run = (fb_run*)user;
  fb_run_channel* c = run->tape ? channel_of(run, e, error) : NULL;
  if (!run->tape) return 0;
  if (!c) return -1;
  fb_store_exchanges* known = &c->known;
  if (known->count == 0 || e->number < known->first || e->number >= known->first + known->count)
    if (fb_store_read_exchanges(run->tape, c->name, e->number, known, error) != FB_OK) return -1;
  return known->count > 0 ? take(run, c, e, inputs, error) : end_of_record(run, e, error);
}

static int ended(void* user) {
  fb_run* run = (fb_run*)user;
  run->given_up = run->options.ended && run->options.ended(run->options.user);
  return run->given_up;
}

static void note(void* user, const char* text) {
  fb_run_note((const fb_run*)user, "%s", text);
}

void fb_run_use_remote(fb_run* run, fb_scenario* s) {
  if (!s->remote) return;
  s->remote->recall = recall;
  s->remote->record = record;
  s->remote->ended = ended;
  s->remote->note = note;
  s->remote->user = run;
}

/* A simulation that the caller makes of the scenario later is not of this run. */
void fb_run_leave_remote(fb_scenario* s) {
  if (s->remote) *s->remote = (fb_scenario_remote){.dry = s->remote->dry};
}

fb_status fb_run_open_tape(fb_run* run, const char* folder, int is_of_run, fb_error* error) {
  run->tape_folder = fb_copy_text(folder);
  run->tape_is_of_run = is_of_run;
  run->tape_alone = !is_of_run;
  if (!run->tape_folder) return fb_store_no_memory(error);
  return fb_store_open(folder, &run->tape, error);
}

void fb_run_restart_channels(fb_run* run) {
  for (int i = 0; i < run->nchannel; i++) run->channels[i].replayed = 0;
}

/* --- looking --- */

static double quantile(const fb_run_channel* c, double part) {
  long long below = 0;
  for (int i = 0; i < BINS; i++) {
    below += c->bins[i];
    if (c->trips > 0 && (double)below >= part * (double)c->trips)
      return fmin(1e-9 * exp2((i + 1) / 8.0), c->longest);
  }
  return 0;
}

int fb_run_get_controller(const fb_run* run, int index, fb_run_controller* out) {
  if (index < 0 || index >= run->nchannel) return 0;
  const fb_run_channel* c = &run->channels[index];
  *out = (fb_run_controller){.name = c->name,
                             .realtime = c->realtime,
                             .replies = c->outcomes[FB_REMOTE_REPLIED],
                             .timeouts = c->outcomes[FB_REMOTE_TIMEOUT],
                             .invalid = c->outcomes[FB_REMOTE_INVALID],
                             .lost = c->outcomes[FB_REMOTE_LOST],
                             .outdated = c->outdated,
                             .replayed = c->replayed,
                             .round_trip_p50 = quantile(c, 0.5),
                             .round_trip_p99 = quantile(c, 0.99),
                             .round_trip_max = c->longest};
  for (int i = 0; i < FB_REMOTE_OUTCOME_COUNT; i++) out->exchanges += c->outcomes[i];
  return 1;
}
