/* settings.c -- the log of a scenario. */
#include <math.h>
#include <string.h>

#include "base/grow.h"
#include "scenario/scenario.h"

static int has_signal(const fb_scenario* s, fb_signal signal) {
  for (int i = 0; i < s->nsignal; i++)
    if (memcmp(&s->signals[i], &signal, sizeof signal) == 0) return 1;
  return 0;
}

/* Adds what a name stands for, each signal once. */
static fb_status add_signals(fb_scenario* s, const char* name, fb_error* error) {
  int count;
  fb_status status = fb_scenario_find_signals(s, name, NULL, 0, &count, error);
  if (status) return status;
  if (!fb_grow(&s->signals, (size_t)s->nsignal, 2 * (size_t)count, &s->signal_room, sizeof *s->signals))
    return fb_scenario_no_memory(error);
  fb_signal* found = s->signals + s->nsignal + count; /* the second half of the new room */
  status = fb_scenario_find_signals(s, name, found, count, &count, error);
  int whole = s->nsignal;
  for (int i = 0; i < count && !status; i++) {
    fb_signal signal = found[i];
    if (whole == 0 || !has_signal(s, signal)) s->signals[s->nsignal++] = signal;
  }
  return status;
}

static fb_status add_named_signals(fb_scenario* s, const fb_node* node, fb_error* error) {
  const char* name;
  fb_status status = fb_node_string(node, &name, error);
  if (status || fb_scenario_is_of_left_out_law(s, name)) return status;
  status = add_signals(s, name, error);
  if (status && status != FB_ERR_MEMORY) fb_node_place_error(node, error);
  return status;
}

/* What a scene has of these; one without joints has no q. */
static fb_status add_default_signals(fb_scenario* s, fb_error* error) {
  static const char* const names[] = {"q", "v", "tau", "energy", "momentum", "ledger"};
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names && status != FB_ERR_MEMORY; i++)
    status = add_signals(s, names[i], error);
  return status == FB_ERR_MEMORY ? status : FB_OK;
}

/* Nonzero when the signal may be an output of a law that could not be read, which was said. */
static int is_of_failed_law(const fb_scenario* s, const fb_node* node) {
  const fb_node* list = fb_map_get(fb_doc_root(s->doc), "control");
  const char* signal = fb_node_text(node);
  for (int i = 0; s->failures > 0 && list && i < fb_node_count(list); i++) {
    const fb_node* name = fb_map_get(fb_node_item(list, i), "name");
    const char* law = name ? fb_node_text(name) : "";
    if (law[0] && strncmp(signal, law, strlen(law)) == 0 && signal[strlen(law)] == '.') return 1;
  }
  return 0;
}

static fb_status read_signals(fb_scenario* s, const fb_node* node, fb_error* error) {
  if (!node) return add_default_signals(s, error);
  if (fb_node_get_kind(node) != FB_NODE_LIST) return add_named_signals(s, node, error);
  fb_status status = FB_OK;
  for (int i = 0; i < fb_node_count(node) && !status; i++) {
    status = add_named_signals(s, fb_node_item(node, i), error);
    if (status != FB_ERR_MEMORY && is_of_failed_law(s, fb_node_item(node, i))) status = FB_OK;
    status = fb_scenario_go_on(s, status, error);
  }
  return status;
}

/* About a thousand samples; of fixed steps one in so many. */
static double default_period(const fb_scenario* s) {
  double period = s->duration / 1000, step = s->options.step;
  return fb_scenario_is_fixed(s) ? fmax(1, ceil(period / step - 1e-9)) * step : period;
}

fb_status fb_scenario_read_log(fb_scenario* s, const fb_fields* top, fb_error* error) {
  const fb_node* map = fb_fields_value(top, "log");
  fb_fields values;
  fb_log_row row = {.period = 0, .motion = 1};
  fb_status status = FB_OK;
  if (map) status = fb_fields_collect(map, &fb_scenario_schema, FB_SCENARIO_LOG, &values, error);
  if (map && !status) status = fb_fields_read(&values, 0, &row, error);
  if (status) return status;
  s->log_motion = row.motion;
  s->log_period = row.period > 0 ? row.period : default_period(s);
  if (s->log_period < 1e-10 * s->duration)
    return fb_node_fail(fb_fields_value(&values, "period"), error, FB_ERR_CONTENT,
                        "a log period of %g s over %g s gives more than 1e10 samples; choose a longer period",
                        s->log_period, s->duration);
  return read_signals(s, map ? fb_fields_value(&values, "signals") : NULL, error);
}
