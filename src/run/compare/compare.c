/* compare.c -- a comparison of two runs: which signals are compared, their scales, and whether the runs agree. */
#include "run/compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/cookie.h"
#include "base/pool.h"
#include "model/definition/name_index.h"
#include "run/store/store.h"

fb_compare_options fb_default_compare_options(void) {
  return (fb_compare_options){.from = -INFINITY, .to = INFINITY, .tolerance = -1, .cookie_ = FB_COOKIE};
}

/* --- memory --- */

void* fb_comparison_take(fb_comparison* c, size_t count, size_t size) {
  fb_pool pool = {(fb_pool_piece*)c->memory_, 0};
  void* memory = fb_pool_take(&pool, count, size);
  c->memory_ = pool.last;
  return memory;
}

const char* fb_comparison_text(fb_comparison* c, const char* text) {
  size_t size = strlen(text) + 1;
  char* copy = fb_comparison_take(c, size, 1);
  if (copy) memcpy(copy, text, size);
  return copy;
}

void fb_comparison_free(fb_comparison* c) {
  if (!c) return;
  fb_pool pool = {(fb_pool_piece*)c->memory_, 0};
  fb_pool_free(&pool);
  free(c);
}

int fb_compare_is_instant(double a, double b) {
  return fabs(a - b) <= 1e-9 * fmax(1e-3, fmax(fabs(a), fabs(b)));
}

/* --- which signals --- */

/* chosen[nsignal of the run]: 1 for those that the options name. *known is set for names that stand for some. */
static fb_status choose(const fb_store* run, const char* const* names, unsigned char* chosen,
                        unsigned char* known, fb_error* error) {
  int* signals = calloc((size_t)fb_store_nsignal(run) + 1, sizeof *signals);
  if (!signals) return fb_store_no_memory(error);
  int count = 0;
  for (int i = 0; names[i]; i++) {
    fb_status status = fb_store_select(run, names[i], signals, &count, error);
    if (status == FB_OK) known[i] = 1;
    if (status == FB_ERR_MEMORY) count = -1;
    if (count < 0) break;
  }
  for (int i = 0; i < count; i++) chosen[signals[i]] = 1;
  free(signals);
  return count < 0 ? FB_ERR_MEMORY : FB_OK;
}

static fb_status choose_all(fb_compare_work* work, unsigned char* chosen[2], fb_error* error) {
  const char* const* names = work->options.signals;
  size_t count = 0;
  while (names[count]) count++;
  unsigned char* known = calloc(count + 1, 1);
  fb_status status = known ? FB_OK : fb_store_no_memory(error);
  for (int k = 0; k < 2 && status == FB_OK; k++)
    status = choose(work->runs[k], names, chosen[k], known, error);
  for (size_t i = 0; i < count && status == FB_OK; i++) {
    int unused[1], none = 0;
    if (!known[i]) status = fb_store_select(work->runs[0], names[i], unused, &none, error);
  }
  free(known);
  return status;
}

/* The index of each signal of run `a` in run `b`, or -1: places[nsignal of a]. */
static int find_pairs(const fb_store* a, const fb_store* b, int* places) {
  fb_name* sorted = calloc((size_t)b->nsignal + 1, sizeof *sorted);
  if (!sorted) return 0;
  for (int i = 0; i < b->nsignal; i++) sorted[i] = (fb_name){b->signals[i].name, i};
  fb_names_sort(sorted, b->nsignal);
  for (int i = 0; i < a->nsignal; i++) places[i] = fb_names_find(sorted, b->nsignal, a->signals[i].name);
  free(sorted);
  return 1;
}

/* The chosen signals of run k that the other one has not. */
static fb_status list_only(fb_compare_work* work, int k, const int* places, const unsigned char* chosen,
                           fb_error* error) {
  fb_comparison* c = work->out;
  const fb_store* run = work->runs[k];
  c->only[k] = fb_comparison_take(c, (size_t)run->nsignal, sizeof *c->only[k]);
  if (!c->only[k]) return fb_store_no_memory(error);
  for (int i = 0; i < run->nsignal; i++) {
    if (!chosen[i] || places[i] >= 0) continue;
    const char* name = fb_comparison_text(c, run->signals[i].name);
    if (!name) return fb_store_no_memory(error);
    c->only[k][c->nonly[k]++] = name;
  }
  return FB_OK;
}

static fb_status list_common(fb_compare_work* work, const int* places, unsigned char* chosen[2],
                             fb_error* error) {
  fb_comparison* c = work->out;
  const fb_store* run = work->runs[0];
  size_t room = (size_t)run->nsignal + 1;
  for (int k = 0; k < 2; k++) work->columns[k] = fb_comparison_take(c, room, sizeof(int));
  c->signals = fb_comparison_take(c, room, sizeof *c->signals);
  work->is_named = fb_comparison_take(c, room, 1);
  if (!work->columns[0] || !work->columns[1] || !c->signals || !work->is_named)
    return fb_store_no_memory(error);
  work->columns[0][0] = work->columns[1][0] = -1;
  for (int i = 0; i < run->nsignal; i++) {
    if (places[i] < 0 || (!chosen[0][i] && !chosen[1][places[i]])) continue;
    fb_compared_signal* signal = &c->signals[c->nsignal];
    signal->name = fb_comparison_text(c, run->signals[i].name);
    signal->unit = fb_comparison_text(c, run->signals[i].unit);
    if (!signal->name || !signal->unit) return fb_store_no_memory(error);
    work->is_named[c->nsignal++] = work->options.signals != NULL;
    work->columns[0][c->nsignal] = i;
    work->columns[1][c->nsignal] = places[i];
  }
  work->ncolumn = c->nsignal + 1;
  return FB_OK;
}

static fb_status pair_signals(fb_compare_work* work, fb_error* error) {
  unsigned char* chosen[2] = {NULL, NULL};
  int* places[2] = {NULL, NULL};
  fb_status status = FB_OK;
  for (int k = 0; k < 2; k++) {
    size_t n = (size_t)work->runs[k]->nsignal + 1;
    places[k] = calloc(n, sizeof *places[k]);
    chosen[k] = calloc(n, 1);
    if (!places[k] || !chosen[k]) status = fb_store_no_memory(error);
    if (chosen[k] && !work->options.signals) memset(chosen[k], 1, n);
  }
  if (status == FB_OK && work->options.signals) status = choose_all(work, chosen, error);
  for (int k = 0; k < 2 && status == FB_OK; k++) {
    if (!find_pairs(work->runs[k], work->runs[1 - k], places[k])) status = fb_store_no_memory(error);
    if (status == FB_OK) status = list_only(work, k, places[k], chosen[k], error);
  }
  if (status == FB_OK) status = list_common(work, places[0], chosen, error);
  for (int k = 0; k < 2; k++) {
    free(places[k]);
    free(chosen[k]);
  }
  return status;
}

/* --- the judgement --- */

static int is_of_ledger(const fb_compared_signal* signal) {
  return strncmp(signal->name, "ledger.", 7) == 0;
}

static void check_signal(fb_compare_work* work) {
  fb_comparison* c = work->out;
  double tolerance = work->options.tolerance, span = c->to - c->from;
  if (tolerance < 0) return;
  for (int i = 0; i < c->nsignal; i++) {
    fb_compared_signal* s = &c->signals[i];
    s->is_beyond = s->difference > work->options.absolute && !(s->relative <= tolerance);
    if (is_of_ledger(s) && !work->is_named[i]) s->is_beyond = 0;
    c->is_beyond |= s->is_beyond;
  }
  if (c->times == FB_COMPARE_NO_TIMES || c->nsignal == 0) c->is_beyond = 1;
  for (int i = 0; i < c->nevent; i++) {
    fb_compared_event* e = &c->events[i];
    e->is_beyond = !(fabs(e->a - e->b) <= tolerance * span);
    c->is_beyond |= e->is_beyond;
  }
  if (!isfinite(work->options.to) && !(fabs(c->end[0] - c->end[1]) <= tolerance * span) &&
      !fb_compare_is_instant(c->end[0], c->end[1]))
    c->is_beyond = 1;
}

/* The greatest first, the ledger last: it measures the accuracy of a run, and differs wherever methods do. */
static int by_difference(const void* x, const void* y) {
  const fb_compared_signal *a = (const fb_compared_signal*)x, *b = (const fb_compared_signal*)y;
  if (is_of_ledger(a) != is_of_ledger(b)) return is_of_ledger(a) ? 1 : -1;
  if (a->relative != b->relative) return a->relative > b->relative ? -1 : 1;
  if (a->difference != b->difference) return a->difference > b->difference ? -1 : 1;
  return strcmp(a->name, b->name);
}

/* --- all of it --- */

static int same_text(const fb_store* a, const fb_store* b, const char* key) {
  const char *x = fb_store_get_text(a, key), *y = fb_store_get_text(b, key);
  return x && y ? strcmp(x, y) == 0 : x == y;
}

static fb_status compare(fb_compare_work* work, fb_error* error) {
  fb_comparison* c = work->out;
  const fb_store *a = work->runs[0], *b = work->runs[1];
  c->same_model = same_text(a, b, "model");
  c->same_scenario = same_text(a, b, "scenario") && same_text(a, b, "inputs") &&
                     same_text(a, b, "overrides") && same_text(a, b, "base") && same_text(a, b, "start");
  fb_status status = pair_signals(work, error);
  if (status == FB_OK) status = fb_compare_find_times(work, error);
  if (status == FB_OK) status = fb_compare_samples(work, error);
  if (status == FB_OK) status = fb_compare_events(work, error);
  if (status == FB_OK) status = fb_compare_numbers(work, error);
  if (status != FB_OK) return status;
  check_signal(work);
  qsort(c->signals, (size_t)c->nsignal, sizeof *c->signals, by_difference);
  return FB_OK;
}

static fb_status check_options(const fb_compare_options* o, fb_error* error) {
  if (fb_cookie_check(o->cookie_, "compare_options", error)) return FB_ERR_ARG;
  if (isnan(o->tolerance) || !(o->absolute >= 0))
    return fb_fail(error, FB_ERR_ARG,
                   "a comparison with tolerance %g, absolute %g; both must be numbers of 0 or more",
                   o->tolerance, o->absolute);
  if (!(o->from <= o->to))
    return fb_fail(error, FB_ERR_ARG, "a comparison from %g to %g s; the span must not be empty", o->from,
                   o->to);
  return FB_OK;
}

fb_status fb_store_compare(fb_store* a, fb_store* b, const fb_compare_options* options, fb_comparison** out,
                           fb_error* error) {
  fb_compare_work work = {.runs = {a, b}, .options = options ? *options : fb_default_compare_options()};
  *out = NULL;
  fb_status status = check_options(&work.options, error);
  if (status != FB_OK) return status;
  work.out = calloc(1, sizeof *work.out);
  if (!work.out) return fb_store_no_memory(error);
  status = compare(&work, error);
  if (status == FB_OK)
    *out = work.out;
  else
    fb_comparison_free(work.out);
  return status;
}
