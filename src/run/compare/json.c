/* json.c -- a comparison as a JSON object. Numbers that are not finite are null. */
#include <math.h>

#include <freebody/json.h>

#include "run/compare/compare.h"
#include "run/store/store.h"

static const char* const TIMES[] = {"none", "same", "common", "interpolated"};

static void put_number(fb_json* json, const char* key, double x) {
  if (isfinite(x)) {
    fb_json_put_number(json, key, x);
    return;
  }
  fb_json_key(json, key);
  fb_json_null(json);
}

static void put_time(fb_json* json, const char* key, double t) {
  if (isfinite(t))
    fb_json_put_time(json, key, t);
  else
    put_number(json, key, t);
}

static void put_bool(fb_json* json, const char* key, int value) {
  fb_json_key(json, key);
  fb_json_bool(json, value);
}

static void put_run(fb_json* json, const fb_comparison* c, int k) {
  fb_json_key(json, k ? "b" : "a");
  fb_json_begin_map(json);
  put_time(json, "end", c->end[k]);
  fb_json_put_int(json, "samples", c->samples[k]);
  fb_json_key(json, "only");
  fb_json_begin_list(json);
  for (int i = 0; i < c->nonly[k]; i++) fb_json_string(json, c->only[k][i]);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void put_signals(fb_json* json, const fb_comparison* c) {
  fb_json_key(json, "signals");
  fb_json_begin_list(json);
  for (int i = 0; i < c->nsignal; i++) {
    const fb_compared_signal* s = &c->signals[i];
    fb_json_begin_map(json);
    fb_json_put_text(json, "name", s->name);
    fb_json_put_text(json, "unit", s->unit);
    put_number(json, "difference", s->difference);
    put_number(json, "relative", s->relative);
    put_time(json, "t", s->t);
    put_number(json, "a", s->a);
    put_number(json, "b", s->b);
    put_number(json, "end", s->end);
    put_bool(json, "beyond", s->is_beyond);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_events(fb_json* json, const fb_comparison* c) {
  fb_json_key(json, "events");
  fb_json_begin_list(json);
  for (int i = 0; i < c->nevent; i++) {
    fb_json_begin_map(json);
    fb_json_put_text(json, "name", c->events[i].name);
    put_time(json, "a", c->events[i].a);
    put_time(json, "b", c->events[i].b);
    put_bool(json, "beyond", c->events[i].is_beyond);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_numbers(fb_json* json, const fb_comparison* c) {
  fb_json_key(json, "summary");
  fb_json_begin_map(json);
  for (int i = 0; i < c->nnumber; i++) {
    fb_json_key(json, c->numbers[i].name);
    fb_json_begin_map(json);
    put_number(json, "a", c->numbers[i].a);
    put_number(json, "b", c->numbers[i].b);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
}

fb_status fb_comparison_print(const fb_comparison* c, char** text, size_t* size, fb_error* error) {
  *text = NULL;
  fb_json* json = fb_json_new(1);
  if (!json) return fb_store_no_memory(error);
  fb_json_begin_map(json);
  put_bool(json, "beyond", c->is_beyond);
  put_bool(json, "same_model", c->same_model);
  put_bool(json, "same_scenario", c->same_scenario);
  fb_json_put_text(json, "times", TIMES[c->times]);
  fb_json_put_int(json, "instants", c->instants);
  put_time(json, "from", c->from);
  put_time(json, "to", c->to);
  put_run(json, c, 0);
  put_run(json, c, 1);
  put_signals(json, c);
  put_events(json, c);
  put_numbers(json, c);
  fb_json_end_map(json);
  *text = fb_json_finish(json, size);
  return *text ? FB_OK : fb_store_no_memory(error);
}
