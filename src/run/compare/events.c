/* events.c -- events that two runs do not have in common. The k-th event of a name in one run is paired with the k-th of
 * the same name in the other. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/compare/compare.h"
#include "run/store/store.h"

typedef struct moment {
  const char* name;
  double t;
  int number; /* in its run */
} moment;

static int by_name(const void* x, const void* y) {
  const moment *a = (const moment*)x, *b = (const moment*)y;
  int order = strcmp(a->name, b->name);
  return order ? order : (a->number > b->number) - (a->number < b->number);
}

/* The events in the time that both runs have, by name. */
static moment* collect(const fb_store* run, double from, double to, size_t* count) {
  int n = fb_store_nevent(run);
  moment* moments = calloc((size_t)n + 1, sizeof *moments);
  *count = 0;
  for (int i = 0; moments && i < n; i++) {
    fb_store_event event = fb_store_get_event(run, i);
    int is_inside = (event.t >= from && event.t <= to) || fb_compare_is_instant(event.t, from) ||
                    fb_compare_is_instant(event.t, to);
    if (is_inside) moments[(*count)++] = (moment){event.name, event.t, i};
  }
  if (moments) qsort(moments, *count, sizeof *moments, by_name);
  return moments;
}

static int by_time(const void* x, const void* y) {
  const fb_compared_event *a = (const fb_compared_event*)x, *b = (const fb_compared_event*)y;
  double ta = fmin(a->a, a->b), tb = fmin(b->a, b->b); /* of a number and NAN fmin is the number */
  return ta != tb ? (ta > tb) - (ta < tb) : strcmp(a->name, b->name);
}

static int add(fb_comparison* c, const char* name, double a, double b) {
  if (a == b) return 1;
  const char* copy = fb_comparison_text(c, name);
  if (copy) c->events[c->nevent++] = (fb_compared_event){.name = copy, .a = a, .b = b};
  return copy != NULL;
}

/* Both lists are in the order of their names. */
static int merge(fb_comparison* c, const moment* a, size_t na, const moment* b, size_t nb) {
  size_t i = 0, k = 0;
  int good = 1;
  while (good && (i < na || k < nb)) {
    int order = i == na ? 1 : k == nb ? -1 : strcmp(a[i].name, b[k].name);
    if (order < 0)
      good = add(c, a[i].name, a[i].t, NAN);
    else if (order > 0)
      good = add(c, b[k].name, NAN, b[k].t);
    else
      good = add(c, a[i].name, a[i].t, b[k].t);
    i += order <= 0;
    k += order >= 0;
  }
  return good;
}

fb_status fb_compare_events(fb_compare_work* work, fb_error* error) {
  fb_comparison* c = work->out;
  size_t count[2] = {0, 0};
  if (c->times == FB_COMPARE_NO_TIMES) return FB_OK;
  double to = fmin(fmin(c->end[0], c->end[1]), work->options.to);
  moment* moments[2];
  for (int k = 0; k < 2; k++) moments[k] = collect(work->runs[k], work->options.from, to, &count[k]);
  int good = moments[0] && moments[1];
  if (good) c->events = fb_comparison_take(c, count[0] + count[1], sizeof *c->events);
  good = good && c->events && merge(c, moments[0], count[0], moments[1], count[1]);
  if (good) qsort(c->events, (size_t)c->nevent, sizeof *c->events, by_time);
  for (int k = 0; k < 2; k++) free(moments[k]);
  return good ? FB_OK : fb_store_no_memory(error);
}
