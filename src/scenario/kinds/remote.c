/* remote.c -- a control law in another process (freebody/remote.h): which signals it is sent, and what it sets. */
#include <stdlib.h>
#include <string.h>

#include <freebody/remote.h>

#include "scenario/kinds.h"
#include "signal/signal_kind.h"

typedef struct remote_law {
  fb_remote_options options;
} remote_law;

static const char* const PACES[] = {"lockstep", "realtime", NULL};
static const char* const FALLBACKS[] = {"hold", "zero", "stop", NULL};

#define FIELD(name, type, default, text)                                                         \
  {                                                                                              \
    .object = FB_SCENARIO_CONTROLLER, .key = name, .kind = FB_FIELD_##type, .fallback = default, \
    .help = text                                                                                 \
  }

static const fb_field FIELDS[] = {
    FIELD("address", TEXT, NULL,
          "where the controller listens: `udp://127.0.0.1:9000`, `unix:/tmp/arm`, or `shm:/arm`"),
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "timeout",
     .kind = FB_FIELD_NUMBER,
     .quantity = FB_Q_TIME,
     .range = FB_RANGE_POSITIVE,
     .help = "longest time for a reply, by the clock on the wall"},
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "wait",
     .kind = FB_FIELD_NUMBER,
     .quantity = FB_Q_TIME,
     .range = FB_RANGE_NOT_NEGATIVE,
     .fallback = "10 s",
     .help = "longest time to wait for the controller at the start"},
    FIELD("signals", NAMES, "none",
          "what it is sent, as in `log`: `q.elbow`, `p.hand`; outputs of control laws that stand before it"),
    FIELD("numbers", NAMES, "none",
          "further numbers that it sends: outputs, for logs, events and other laws"),
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "pace",
     .kind = FB_FIELD_WORD,
     .words = PACES,
     .fallback = "lockstep",
     .help = "lockstep: the simulation waits for each reply; realtime: it takes the newest that has arrived"},
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "on_timeout",
     .kind = FB_FIELD_WORD,
     .words = FALLBACKS,
     .fallback = "stop",
     .help = "without a reply in time: hold the last inputs, set all to zero, or stop the run"},
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "on_invalid",
     .kind = FB_FIELD_WORD,
     .words = FALLBACKS,
     .fallback = "as `on_timeout`",
     .help =
         "after a message that is wrong: not a number, of another size, version or step, or a flood of them"},
    {.object = FB_SCENARIO_CONTROLLER,
     .key = "on_lost",
     .kind = FB_FIELD_WORD,
     .words = FALLBACKS,
     .fallback = "as `on_timeout`",
     .help = "when the controller has ended; with hold and zero one that comes back is welcome"},
};

/* --- reading --- */

/* A text is a list of one. */
static int count_of(const fb_node* node) {
  return !node ? 0 : fb_node_get_kind(node) == FB_NODE_LIST ? fb_node_count(node) : 1;
}

static const fb_node* item_of(const fb_node* node, int i) {
  return fb_node_get_kind(node) == FB_NODE_LIST ? fb_node_item(node, i) : node;
}

/* The components of a signal, each a port of one number. */
static fb_status add_signals(fb_scenario* s, const fb_node* node, fb_port** ports, int* count,
                             fb_error* error) {
  const char* name;
  int n = 0;
  fb_status status = fb_node_string(node, &name, error);
  if (!status) status = fb_scenario_find_signals(s, name, NULL, 0, &n, error);
  if (status && error->place.line == 0) fb_node_place_error(node, error);
  if (status) return status;
  fb_signal* signals = fb_scenario_take(s, (size_t)n + 1, sizeof *signals);
  fb_port* more = fb_scenario_take(s, (size_t)(*count + n) + 1, sizeof *more);
  if (!signals || !more) return fb_scenario_no_memory(error);
  status = fb_scenario_find_signals(s, name, signals, n, &n, error);
  if (*count > 0) memcpy(more, *ports, (size_t)*count * sizeof *more);
  for (int i = 0; i < n && !status; i++) {
    fb_signal_info info;
    fb_scenario_signal_info(s, signals[i], &info);
    fb_port port = {fb_scenario_text(s, info.name), fb_scenario_text(s, info.unit),
                    fb_scenario_text(s, info.axes), 1};
    if (!port.name || !port.unit || !port.axes) return fb_scenario_no_memory(error);
    more[(*count)++] = port;
  }
  *ports = more;
  return status;
}

static fb_status read_signals(fb_scenario* s, const fb_node* node, fb_remote_options* out, fb_error* error) {
  fb_port* ports = NULL;
  fb_status status = FB_OK;
  for (int i = 0; i < count_of(node) && !status; i++)
    status = add_signals(s, item_of(node, i), &ports, &out->nsignal, error);
  out->signals = ports;
  return status;
}

static fb_status add_joint(const fb_scenario* s, const fb_node* node, int body, int* out, int* count,
                           fb_error* error) {
  if (fb_joint_nv(s->model, body) == 0)
    return fb_node_fail(node, error, FB_ERR_JOINT, "the joint '%.60s' is fixed, so it has no effort",
                        fb_joint_name(s->model, body));
  for (int i = 0; i < *count; i++)
    if (fb_coordinate_body(s->model, out[i]) == body)
      return fb_node_fail(node, error, FB_ERR_NAME, "the joint '%.60s' is named twice",
                          fb_joint_name(s->model, body));
  for (int i = 0; i < fb_joint_nv(s->model, body); i++) out[(*count)++] = fb_joint_v_at(s->model, body) + i;
  return FB_OK;
}

/* `all`: those that are not the joint of a floating base. */
static fb_status read_joints(fb_scenario* s, const fb_node* node, fb_remote_options* out, fb_error* error) {
  int* coordinates = fb_scenario_take(s, (size_t)fb_model_nv(s->model) + 1, sizeof *coordinates);
  int all = node && fb_node_get_kind(node) != FB_NODE_LIST && strcmp(fb_node_text(node), "all") == 0, body;
  fb_status status = FB_OK;
  if (!coordinates) return fb_scenario_no_memory(error);
  for (int i = 1; all && i < fb_model_nbody(s->model) && !status; i++)
    if (!fb_body_floats(s->model, i) && fb_joint_nv(s->model, i) > 0)
      status = add_joint(s, node, i, coordinates, &out->ncoordinate, error);
  for (int i = 0; !all && i < count_of(node) && !status; i++) {
    status = fb_scenario_joint(s, item_of(node, i), &body, error);
    if (!status) status = add_joint(s, item_of(node, i), body, coordinates, &out->ncoordinate, error);
  }
  out->coordinates = coordinates;
  return status;
}

static fb_status read_frames(fb_scenario* s, const fb_node* node, fb_remote_options* out, fb_error* error) {
  int* frames = fb_scenario_take(s, (size_t)count_of(node) + 1, sizeof *frames);
  fb_status status = FB_OK;
  if (!frames) return fb_scenario_no_memory(error);
  for (int i = 0; i < count_of(node) && !status; i++) {
    status = fb_scenario_frame(s, item_of(node, i), &frames[i], error);
    if (!status && fb_node_get_kind(node) == FB_NODE_LIST)
      status = fb_scenario_check_once(node, i, "frame", error);
  }
  out->frames = frames;
  out->nframe = count_of(node);
  return status;
}

/* They become parts of signals' names. */
static fb_status read_numbers(fb_scenario* s, const fb_node* node, fb_remote_options* out, fb_error* error) {
  const char** values = fb_scenario_take(s, (size_t)count_of(node) + 1, sizeof *values);
  fb_status status = FB_OK;
  if (!values) return fb_scenario_no_memory(error);
  for (int i = 0; i < count_of(node) && !status; i++) {
    status = fb_node_string(item_of(node, i), &values[i], error);
    if (!status && (!values[i][0] || strpbrk(values[i], ". \t\n*")))
      status = fb_node_fail(
          item_of(node, i), error, FB_ERR_NAME,
          "'%.60s' cannot be the name of a number: it needs letters, and no dots, stars or blanks",
          values[i]);
  }
  out->values = values;
  out->nvalue = count_of(node);
  return status;
}

static fb_status read_words(const fb_fields* values, fb_remote_options* out, fb_error* error) {
  static const char* const keys[] = {"on_timeout", "on_invalid", "on_lost"};
  fb_remote_fallback* const fallbacks[] = {&out->on_timeout, &out->on_invalid, &out->on_lost};
  int pace = FB_REMOTE_LOCKSTEP, word = FB_REMOTE_STOP, axes = 0;
  fb_status status = FB_OK;
  for (int i = 0; i < 3 && !status; i++) {
    word = i == 0 ? (int)FB_REMOTE_STOP : (int)out->on_timeout;
    if (fb_fields_value(values, keys[i])) status = fb_fields_word(values, keys[i], &word, error);
    *fallbacks[i] = (fb_remote_fallback)word;
  }
  if (!status && fb_fields_value(values, "pace")) status = fb_fields_word(values, "pace", &pace, error);
  if (!status && fb_fields_value(values, "axes")) status = fb_fields_word(values, "axes", &axes, error);
  out->pace = (fb_remote_pace)pace;
  out->in_frame_axes = axes == 1;
  return status;
}

static fb_status read(fb_scenario* s, const fb_fields* values, fb_scenario_block* block,
                      const fb_node** blame, fb_error* error) {
  fb_remote_options* out = &((remote_law*)block->settings)->options;
  *out = fb_default_remote_options();
  *blame = fb_fields_value(values, "address");
  fb_status status = fb_fields_get(values, "address", &out->address, error);
  if (!status) status = fb_fields_get(values, "period", &out->period, error);
  if (!status) status = fb_fields_get(values, "timeout", &out->timeout, error);
  if (!status) status = fb_fields_get(values, "wait", &out->wait, error);
  if (!status) status = read_words(values, out, error);
  if (!status) status = read_signals(s, fb_fields_value(values, "signals"), out, error);
  if (!status) status = read_joints(s, fb_fields_value(values, "joints"), out, error);
  if (!status) status = read_frames(s, fb_fields_value(values, "frames"), out, error);
  if (!status) status = read_numbers(s, fb_fields_value(values, "numbers"), out, error);
  if (!status && !s->remote) {
    s->remote = fb_scenario_take(s, 1, sizeof *s->remote);
    status = s->remote ? FB_OK : fb_scenario_no_memory(error);
  }
  return status;
}

/* --- the block --- */

static fb_status make(const fb_scenario* s, const fb_scenario_block* block, fb_block* out, fb_error* error) {
  fb_remote_options options = ((const remote_law*)block->settings)->options;
  const fb_scenario_remote* how = s->remote;
  options.dry = how->dry;
  options.recall = how->recall;
  options.record = how->record;
  options.ended = how->ended;
  options.note = how->note;
  options.user = how->user;
  return fb_remote_block(s->model, block->name, &options, out, error);
}

/* --- in words --- */

static void explain(fb_text* out, const fb_scenario* s, const fb_scenario_block* block) {
  const fb_remote_options* o = &((const remote_law*)block->settings)->options;
  char period[32], timeout[32];
  (void)s;
  fb_text_printf(
      out,
      "the controller at %s, every %s in %s: %d signal%s to it, %d input%s from it; without a reply in %s ",
      o->address, fb_scenario_time_text(o->period, period),
      o->pace == FB_REMOTE_LOCKSTEP ? "lock-step" : "real time", o->nsignal, o->nsignal == 1 ? "" : "s",
      o->ncoordinate + 6 * o->nframe + o->nvalue, o->ncoordinate + 6 * o->nframe + o->nvalue == 1 ? "" : "s",
      fb_scenario_time_text(o->timeout, timeout));
  fb_text_printf(out, "%s",
                 o->on_timeout == FB_REMOTE_HOLD   ? "the last inputs are held"
                 : o->on_timeout == FB_REMOTE_ZERO ? "all inputs are zero"
                                                   : "the run stops");
}

static int drives(const fb_scenario* s, const fb_scenario_block* block, int body) {
  const fb_remote_options* o = &((const remote_law*)block->settings)->options;
  for (int i = 0; i < o->ncoordinate; i++)
    if (fb_coordinate_body(s->model, o->coordinates[i]) == body) return 1;
  return 0;
}

const fb_kind fb_kind_remote = {
    .schema =
        {.keys =
             "address! period! timeout! wait signals joints frames axes numbers pace on_timeout on_invalid "
             "on_lost limit",
         .fields = FIELDS,
         .field_count = sizeof FIELDS / sizeof *FIELDS},
    .heading = "control",
    .size = sizeof(remote_law),
    .read = read,
    .make = make,
    .explain = explain,
    .drives = drives};
