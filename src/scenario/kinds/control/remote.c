/* remote.c -- a control law in another process (freebody/remote.h): which signals it is sent, and what it sets. */
#include <string.h>

#include <freebody/remote.h>

#include "scenario/kinds/control/driven.h"
#include "scenario/rows.h"
#include "signal/signal_kind.h"

static const char* const PACES[] = {"lockstep", "realtime", NULL};
static const char* const FALLBACKS[] = {"hold", "zero", "stop", NULL};

static const fb_field FIELDS[] = {
    PLAIN(CONTROLLER, "address", TEXT, BY_KIND, NEVER, -1, NULL,
          "where the controller listens: `udp://127.0.0.1:9000`, `unix:/tmp/arm`, or `shm:/arm`"),
    UNIT(CONTROLLER, "timeout", NUMBER, TIME, POSITIVE, BY_KIND, NEVER, -1, NULL,
         "longest time for a reply, by the clock on the wall"),
    UNIT(CONTROLLER, "wait", NUMBER, TIME, NOT_NEGATIVE, BY_KIND, NEVER, -1, "10 s",
         "longest time to wait for the controller at the start"),
    PLAIN(CONTROLLER, "signals", NAMES, BY_KIND, NEVER, -1, "none",
          "what it is sent, as in `log`: `q.elbow`, `p.hand`; outputs of control laws that stand before it"),
    PLAIN(CONTROLLER, "numbers", NAMES, BY_KIND, NEVER, -1, "none",
          "further numbers that it sends: outputs, for logs, events and other laws"),
    WORD(CONTROLLER, "pace", PACES, BY_KIND, "lockstep",
         "lockstep: the simulation waits for each reply; realtime: it takes the newest that has arrived"),
    WORD(CONTROLLER, "on_timeout", FALLBACKS, BY_KIND, "stop",
         "without a reply in time: hold the last inputs, set all to zero, or stop the run"),
    WORD(CONTROLLER, "on_invalid", FALLBACKS, BY_KIND, "as `on_timeout`",
         "after a message that is wrong: not a number, of another size, version or step, or a flood of them"),
    WORD(CONTROLLER, "on_lost", FALLBACKS, BY_KIND, "as `on_timeout`",
         "when the controller has ended; with hold and zero one that comes back is welcome"),
};

/* The components of a signal, each a port of one number. */
static fb_status add_signals(fb_scenario* s, const fb_node* node, fb_port** ports, int* count,
                             fb_error* error) {
  const char* name;
  int n = 0;
  fb_status status = fb_node_string(node, &name, error);
  if (!status) status = fb_scenario_find_signals(s, name, NULL, 0, &n, error);
  if (status && error->place.line == 0) fb_node_place_error(node, error);
  if (status) return status;
  fb_signal* signals = fb_scenario_alloc(s, (size_t)n + 1, sizeof *signals);
  fb_port* more = fb_scenario_alloc(s, (size_t)(*count + n) + 1, sizeof *more);
  if (!signals || !more) return fb_scenario_no_memory(error);
  status = fb_scenario_find_signals(s, name, signals, n, &n, error);
  if (*count > 0) memcpy(more, *ports, (size_t)*count * sizeof *more);
  for (int i = 0; i < n && !status; i++) {
    fb_signal_info info;
    fb_scenario_signal_info(s, signals[i], &info);
    fb_port port = {fb_scenario_copy_text(s, info.name), fb_scenario_copy_text(s, info.unit),
                    fb_scenario_copy_text(s, info.axes), 1};
    if (!port.name || !port.unit || !port.axes) return fb_scenario_no_memory(error);
    more[(*count)++] = port;
  }
  *ports = more;
  return status;
}

static fb_status read_signals(fb_scenario* s, const fb_node* node, fb_remote_options* out, fb_error* error) {
  fb_port* ports = NULL;
  fb_status status = FB_OK;
  for (int i = 0; i < fb_texts_count(node) && !status; i++)
    status = add_signals(s, fb_texts_item(node, i), &ports, &out->nsignal, error);
  out->signals = ports;
  return status;
}

/* They become parts of signals' names. */
static fb_status read_numbers(fb_scenario* s, const fb_node* node, fb_remote_options* out, fb_error* error) {
  const char** values = fb_scenario_alloc(s, (size_t)fb_texts_count(node) + 1, sizeof *values);
  fb_status status = FB_OK;
  if (!values) return fb_scenario_no_memory(error);
  for (int i = 0; i < fb_texts_count(node) && !status; i++) {
    status = fb_node_string(fb_texts_item(node, i), &values[i], error);
    if (!status && (!values[i][0] || strpbrk(values[i], ". \t\n*")))
      status = fb_node_fail(
          fb_texts_item(node, i), error, FB_ERR_NAME,
          "'%.60s' cannot be the name of a number: it needs letters, and no dots, stars or blanks",
          values[i]);
  }
  out->values = values;
  out->nvalue = fb_texts_count(node);
  return status;
}

static fb_status read_words(const fb_fields* values, fb_remote_options* out, fb_error* error) {
  static const char* const keys[] = {"on_timeout", "on_invalid", "on_lost"};
  fb_remote_fallback* const fallbacks[] = {&out->on_timeout, &out->on_invalid, &out->on_lost};
  int pace = FB_REMOTE_LOCKSTEP, word = FB_REMOTE_STOP;
  fb_status status = FB_OK;
  for (int i = 0; i < 3 && !status; i++) {
    word = i == 0 ? (int)FB_REMOTE_STOP : (int)out->on_timeout;
    if (fb_fields_value(values, keys[i])) status = fb_fields_word(values, keys[i], &word, error);
    *fallbacks[i] = (fb_remote_fallback)word;
  }
  if (!status) status = fb_fields_get_word(values, "pace", &pace, error);
  out->pace = (fb_remote_pace)pace;
  return status;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block, fb_error* error) {
  fb_remote_options* out = (fb_remote_options*)block->settings;
  fb_driven driven = {0};
  *out = fb_default_remote_options();
  fb_status status = fb_fields_get(values, "address", &out->address, error);
  if (!status) status = fb_fields_get(values, "period", &out->period, error);
  if (!status) status = fb_fields_get(values, "timeout", &out->timeout, error);
  if (!status) status = fb_fields_get(values, "wait", &out->wait, error);
  if (!status) status = read_words(values, out, error);
  if (!status) status = read_signals(s, fb_fields_value(values, "signals"), out, error);
  if (!status) status = fb_scenario_read_driven(s, values, 0, &driven, error);
  out->coordinates = driven.coordinates;
  out->frames = driven.frames;
  out->ncoordinate = driven.ncoordinate;
  out->nframe = driven.nframe;
  out->in_frame_axes = driven.in_frame_axes;
  if (!status) status = read_numbers(s, fb_fields_value(values, "numbers"), out, error);
  if (!status && !s->remote) {
    s->remote = fb_scenario_alloc(s, 1, sizeof *s->remote);
    status = s->remote ? FB_OK : fb_scenario_no_memory(error);
  }
  return status;
}

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  fb_remote_options options = *(const fb_remote_options*)block->settings;
  const fb_scenario_remote* how = s->remote;
  options.dry = how->dry;
  options.recall = how->recall;
  options.record = how->record;
  options.ended = how->ended;
  options.note = how->note;
  options.user = how->user;
  if (!how->note && !how->dry && s->remark) {
    options.note = s->remark;
    options.user = s->remark_user;
  }
  return fb_block_new_remote(s->model, block->name, &options, out, error);
}

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_remote_options* o = (const fb_remote_options*)block->settings;
  char period[32], timeout[32];
  (void)s;
  fb_text_printf(
      out,
      "the controller at %s, every %s in %s: %d signal%s to it, %d input%s from it; without a reply in %s ",
      o->address, fb_scenario_format_time(o->period, period),
      o->pace == FB_REMOTE_LOCKSTEP ? "lock-step" : "real time", o->nsignal, o->nsignal == 1 ? "" : "s",
      o->ncoordinate + 6 * o->nframe + o->nvalue, o->ncoordinate + 6 * o->nframe + o->nvalue == 1 ? "" : "s",
      fb_scenario_format_time(o->timeout, timeout));
  fb_text_printf(out, "%s",
                 o->on_timeout == FB_REMOTE_HOLD   ? "the last inputs are held"
                 : o->on_timeout == FB_REMOTE_ZERO ? "all inputs are zero"
                                                   : "the run stops");
}

static int drives(const fb_scenario* s, const fb_scenario_block* block, int body) {
  const fb_remote_options* o = (const fb_remote_options*)block->settings;
  for (int i = 0; i < o->ncoordinate; i++)
    if (fb_coordinate_body(s->model, o->coordinates[i]) == body) return 1;
  return 0;
}

const fb_kind fb_kind_control_remote = {
    .schema = {.keys = "address! period! timeout! wait signals joints frames axes numbers pace on_timeout "
                       "on_invalid on_lost limit",
               .fields = FIELDS,
               .field_count = sizeof FIELDS / sizeof *FIELDS},
    .heading = "control",
    .size = sizeof(fb_remote_options),
    .blame = {"address"},
    .read = read,
    .make = make,
    .explain = explain,
    .drives = drives};
