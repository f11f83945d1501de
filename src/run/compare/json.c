/* json.c -- a comparison as a JSON object. Numbers that are not finite are null. */
#include <freebody/support/json.h>

#include "run/compare/compare.h"
#include "run/store/store.h"

static const char* const TIMES[] = {"none", "same", "common", "interpolated"};

static void put_run(fb_json* json, const fb_comparison* c, int k) {
  fb_json_put_map(json, k ? "b" : "a");
  fb_json_put_time(json, "end", c->end[k]);
  fb_json_put_int(json, "samples", c->samples[k]);
  fb_json_put_list(json, "only");
  for (int i = 0; i < c->nonly[k]; i++) fb_json_string(json, c->only[k][i]);
  fb_json_end_list(json);
  fb_json_end_map(json);
}

static void put_signals(fb_json* json, const fb_comparison* c) {
  fb_json_put_list(json, "signals");
  for (int i = 0; i < c->nsignal; i++) {
    const fb_compared_signal* s = &c->signals[i];
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", s->name);
    fb_json_put_string(json, "unit", s->unit);
    fb_json_put_number(json, "difference", s->difference);
    fb_json_put_number(json, "relative", s->relative);
    fb_json_put_time(json, "t", s->t);
    fb_json_put_number(json, "a", s->a);
    fb_json_put_number(json, "b", s->b);
    fb_json_put_number(json, "end", s->end);
    fb_json_put_bool(json, "beyond", s->is_beyond);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_events(fb_json* json, const fb_comparison* c) {
  fb_json_put_list(json, "events");
  for (int i = 0; i < c->nevent; i++) {
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", c->events[i].name);
    fb_json_put_time(json, "a", c->events[i].a);
    fb_json_put_time(json, "b", c->events[i].b);
    fb_json_put_bool(json, "beyond", c->events[i].is_beyond);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_summary(fb_json* json, const fb_comparison* c) {
  fb_json_put_map(json, "summary");
  for (int i = 0; i < c->nnumber; i++) {
    fb_json_put_map(json, c->numbers[i].name);
    fb_json_put_number(json, "a", c->numbers[i].a);
    fb_json_put_number(json, "b", c->numbers[i].b);
    fb_json_end_map(json);
  }
  fb_json_end_map(json);
}

fb_status fb_comparison_print(const fb_comparison* c, char** text, size_t* size, fb_error* error) {
  *text = NULL;
  fb_json* json = fb_json_new(1);
  if (!json) return fb_store_no_memory(error);
  fb_json_begin_map(json);
  fb_json_put_bool(json, "beyond", c->is_beyond);
  fb_json_put_bool(json, "same_model", c->same_model);
  fb_json_put_bool(json, "same_scenario", c->same_scenario);
  fb_json_put_string(json, "times", TIMES[c->times]);
  fb_json_put_int(json, "instants", c->instants);
  fb_json_put_time(json, "from", c->from);
  fb_json_put_time(json, "to", c->to);
  put_run(json, c, 0);
  put_run(json, c, 1);
  put_signals(json, c);
  put_events(json, c);
  put_summary(json, c);
  fb_json_end_map(json);
  *text = fb_json_finish(json, size);
  return *text ? FB_OK : fb_store_no_memory(error);
}
