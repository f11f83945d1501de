/* log.c -- the log of a scenario. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "scenario/build/build.h"
#include "scenario/read/read.h"
#include "sim/instant.h"
#include "scenario/read/values.h"
#include "scenario/rows.h"
#include "signal/signal_set.h"

typedef struct fb_log_row {
  double period;
  int motion;
} fb_log_row;

static const fb_field FIELDS[] = {
    UNIT(LOG, "period", NUMBER, TIME, POSITIVE, EVERY, NEVER, AT(fb_log_row, period),
         "a thousandth of the duration, or a little more, in whole steps", "time between samples"),
    PLAIN(LOG, "signals", NAMES, EVERY, NEVER, -1, "q, v, tau, energy, momentum, ledger",
          "names of signals, such as q.elbow, p.hand, energy; a stem selects all signals that begin with it"),
    PLAIN(LOG, "motion", BOOL, EVERY, NEVER, AT(fb_log_row, motion), "true",
          "also log all coordinates q, which pictures of the motion need, and the forces of the scenario and "
          "of thrusters as force.FRAME and torque.FRAME"),
};

const fb_schema_rows fb_rows_log = FB_ROWS(FIELDS);

/* Adds what a name stands for, each signal once. */
static fb_status add_signals(fb_scenario* s, fb_signal_set* set, const char* name, fb_error* error) {
  int count;
  fb_status status = fb_scenario_find_signals(s, name, NULL, 0, &count, error);
  if (status) return status;
  if (!fb_grow(&s->signals, (size_t)s->nsignal, 2 * (size_t)count, &s->signal_room, sizeof *s->signals) ||
      !fb_signal_set_grow(set, s->signals, s->nsignal, count))
    return fb_scenario_no_memory(error);
  fb_signal* found = s->signals + s->nsignal + count; /* the second half of the new room */
  status = fb_scenario_find_signals(s, name, found, count, &count, error);
  for (int i = 0; i < count && !status; i++) fb_signal_set_add(set, s->signals, &s->nsignal, found[i]);
  return status;
}

static fb_status add_named_signals(fb_scenario* s, fb_signal_set* set, const fb_node* node, fb_error* error) {
  const char* name;
  fb_status status = fb_node_string(node, &name, error);
  if (status || fb_scenario_is_of_left_out_law(s, name)) return status;
  status = add_signals(s, set, name, error);
  if (status && status != FB_ERR_MEMORY) fb_node_place_error(node, error);
  return status;
}

/* What a scene has of these; one without joints has no q. */
static fb_status add_default_signals(fb_scenario* s, fb_signal_set* set, fb_error* error) {
  static const char* const names[] = {"q", "v", "tau", "energy", "momentum", "ledger"};
  fb_status status = FB_OK;
  for (size_t i = 0; i < sizeof names / sizeof *names && status != FB_ERR_MEMORY; i++)
    status = add_signals(s, set, names[i], error);
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

static fb_status read_signals(fb_scenario* s, fb_signal_set* set, const fb_node* node, fb_error* error) {
  if (!node) return add_default_signals(s, set, error);
  if (fb_node_get_kind(node) != FB_NODE_LIST) return add_named_signals(s, set, node, error);
  fb_status status = FB_OK;
  for (int i = 0; i < fb_node_count(node) && !status; i++) {
    status = add_named_signals(s, set, fb_node_item(node, i), error);
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
  if (map) status = fb_fields_open(map, &fb_scenario_schema, FB_SCENARIO_LOG, &values, &row, error);
  if (status) return status;
  s->log_motion = row.motion;
  s->log_period = row.period > 0 ? row.period : default_period(s);
  if (s->log_period < 1e-10 * s->duration)
    return fb_node_fail(fb_fields_value(&values, "period"), error, FB_ERR_CONTENT,
                        "a log period of %g s over %g s gives more than 1e10 samples; choose a longer period",
                        s->log_period, s->duration);
  if (row.period > 0 && row.period < 1e-3 * FB_SHORTEST_TIME)
    return fb_node_fail(fb_fields_value(&values, "period"), error, FB_ERR_CONTENT,
                        "a log period of %g s is shorter than the resolution of times; give %g s or more",
                        row.period, 1e-3 * FB_SHORTEST_TIME);
  fb_signal_set set = {NULL, 0};
  status = read_signals(s, &set, map ? fb_fields_value(&values, "signals") : NULL, error);
  free(set.at);
  return status;
}
