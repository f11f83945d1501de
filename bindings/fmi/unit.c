/* unit.c -- an instance of a co-simulation unit: its phases, its variables, its steps. */
#include "unit.h"

#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/checksum.h"

/* --- reports --- */

static void report(const unit* u, unit_status status, const char* category, const char* text) {
  if (u->log && (u->debug || status >= UNIT_DISCARD)) u->log(u, status, category, text);
}

unit_status unit_refuse(const unit* u, const char* format, ...) {
  char text[1400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  report(u, UNIT_ERROR, "logStatusError", text);
  return UNIT_ERROR;
}

unit_status unit_refuse_phase(const unit* u, const char* function) {
  static const char* const PHASES[UNIT_PHASES] = {
      "before fmi2/3EnterInitializationMode", "in initialization mode", "while stepping", "after terminate",
      "after a step has failed; reset it, or set a saved state"};
  return unit_refuse(u, "%s cannot be called %s", function, PHASES[u->phase]);
}

static unit_status refuse_error(const unit* u, const fb_error* error) {
  char text[1400];
  return unit_refuse(u, "%s", fb_error_format(error, text, sizeof text));
}

/* --- life --- */

/* Whether the plant in the resources is the one that modelDescription.xml describes. */
static int open_plant(unit* u, const char* token, const char* resources) {
  fb_error error;
  char own[FB_PLANT_TOKEN_SIZE];
  fb_error_clear(&error);
  if (fb_plant_open(resources, &u->plant, &error)) {
    refuse_error(u, &error);
    return 0;
  }
  fb_plant_token(u->plant, own);
  if (token && strcmp(token, own) == 0) return 1;
  unit_refuse(
      u,
      "the token is \"%.60s\", but that of the files in %.300s is \"%s\": modelDescription.xml and the "
      "resources do not belong together",
      token ? token : "", resources, own);
  return 0;
}

unit* unit_new(const unit* how, const char* name, const char* token, const char* resources) {
  unit* u = calloc(1, sizeof *u);
  char* copy = calloc(1, strlen(name) + 1);
  if (!u || !copy) {
    unit_refuse(how, "out of memory for the instance");
    free(u);
    free(copy);
    return NULL;
  }
  memcpy(copy, name, strlen(name));
  *u = *how;
  u->name = copy;
  u->stop = INFINITY;
  if (open_plant(u, token, resources)) return u;
  unit_free(u);
  return NULL;
}

void unit_free(unit* u) {
  if (!u) return;
  fb_plant_free(u->plant);
  free(u->room);
  free(u->name);
  free(u);
}

unit_status unit_set_up(unit* u, double start, int stop_defined, double stop) {
  if (u->phase != UNIT_INSTANTIATED) return unit_refuse_phase(u, "the set-up of the experiment");
  if (!(fabs(start) <= 1e-12)) /* NaN too */
    return unit_refuse(u, "the start time is %.9g s; the scenario begins at 0", start);
  if (stop_defined && !(stop > 0))
    return unit_refuse(u, "the stop time is %.9g s; it must be after the start at 0", stop);
  u->stop = stop_defined ? stop : INFINITY;
  return UNIT_OK;
}

unit_status unit_enter_initialization(unit* u) {
  if (u->phase != UNIT_INSTANTIATED) return unit_refuse_phase(u, "EnterInitializationMode");
  u->phase = UNIT_INITIALIZING;
  return UNIT_OK;
}

/* Start values may make a simulation that is refused: a joint that starts inside a wall, say. */
unit_status unit_exit_initialization(unit* u) {
  fb_error error;
  if (u->phase != UNIT_INITIALIZING) return unit_refuse_phase(u, "ExitInitializationMode");
  fb_error_clear(&error);
  if (fb_plant_get(u->plant, NULL, 0, NULL, &error)) return refuse_error(u, &error);
  u->phase = UNIT_STEPPING;
  return UNIT_OK;
}

unit_status unit_terminate(unit* u) {
  if (u->phase != UNIT_STEPPING) return unit_refuse_phase(u, "Terminate");
  u->phase = UNIT_TERMINATED;
  return UNIT_OK;
}

unit_status unit_reset(unit* u) {
  fb_error error;
  fb_error_clear(&error);
  if (fb_plant_reset(u->plant, &error)) return refuse_error(u, &error);
  u->phase = UNIT_INSTANTIATED;
  u->stop = INFINITY;
  return UNIT_OK;
}

/* --- variables --- */

/* The indices of value references, in u->room. */
static unit_status find(unit* u, const unsigned* references, size_t count) {
  size_t most = (size_t)fb_plant_nvariable(u->plant);
  if (count > INT_MAX) return unit_refuse(u, "%zu value references in one call are too many", count);
  if (count > u->nroom) {
    int* room = realloc(u->room, count * sizeof *room);
    if (!room) return unit_refuse(u, "out of memory for %zu values", count);
    u->room = room;
    u->nroom = count;
  }
  for (size_t i = 0; i < count; i++) {
    if (references[i] > most)
      return unit_refuse(u, "there is no variable with the value reference %u; the last is %zu",
                         references[i], most);
    u->room[i] = (int)references[i] - 1;
  }
  return UNIT_OK;
}

unit_status unit_get(unit* u, const unsigned* references, size_t count, double* values) {
  fb_error error;
  if (count == 0) return UNIT_OK;
  if (!references || !values) return unit_refuse(u, "no value references, or no room for their values");
  unit_status status = find(u, references, count);
  if (status) return status;
  fb_error_clear(&error);
  for (size_t i = 0; i < count;) {
    size_t end = i;
    while (end < count && references[end] > 0) end++;
    if (fb_plant_get(u->plant, u->room + i, (int)(end - i), values + i, &error))
      return refuse_error(u, &error);
    for (i = end; i < count && references[i] == 0; i++) values[i] = fb_plant_time(u->plant);
  }
  return UNIT_OK;
}

/* Start values are fixed once initialization is over. */
static unit_status check_set(const unit* u, const unsigned* references, size_t count) {
  fb_plant_variable v;
  for (size_t i = 0; i < count; i++) {
    if (references[i] == 0) return unit_refuse(u, "the time cannot be set");
    if (u->phase == UNIT_STEPPING && !fb_plant_get_variable(u->plant, u->room[i], &v, NULL) &&
        v.role == FB_PLANT_START)
      return unit_refuse(u, "\"%s\" is a value at the start and is set before the end of initialization",
                         v.name);
  }
  return UNIT_OK;
}

unit_status unit_set(unit* u, const unsigned* references, size_t count, const double* values) {
  fb_error error;
  if (u->phase > UNIT_STEPPING) return unit_refuse_phase(u, "setting of variables");
  if (count == 0) return UNIT_OK;
  if (!references || !values) return unit_refuse(u, "no value references, or no values");
  unit_status status = find(u, references, count);
  if (!status) status = check_set(u, references, count);
  if (status) return status;
  fb_error_clear(&error);
  return fb_plant_set(u->plant, u->room, (int)count, values, &error) ? refuse_error(u, &error) : UNIT_OK;
}

/* --- steps --- */

/* Sums of step sizes round differently in every importer. */
static double slack(double t) {
  return 1e-9 * (1 + fabs(t));
}

static unit_status check_step(unit* u, double from, double step) {
  double now = fb_plant_time(u->plant);
  if (u->phase != UNIT_STEPPING) return unit_refuse_phase(u, "DoStep");
  if (!isfinite(from) || fabs(from - now) > slack(now))
    return unit_refuse(u, "the step begins at %.17g s, but the unit is at %.17g s", from, now);
  if (!isfinite(step) || step < 0) return unit_refuse(u, "a step of %g s is not possible", step);
  if (fb_plant_stopped(u->plant))
    return unit_refuse(u, "an event of the scenario has ended it at %.9g s", now);
  if (from + step > u->stop + slack(u->stop))
    return unit_refuse(u, "the step ends at %.9g s, after the stop time of %.9g s", from + step, u->stop);
  return UNIT_OK;
}

unit_status unit_step(unit* u, double from, double step) {
  fb_error error;
  char text[80];
  unit_status status = check_step(u, from, step);
  if (status) return status;
  fb_error_clear(&error);
  if (fb_plant_step(u->plant, from + step, &error)) {
    u->phase = UNIT_FAILED;
    return refuse_error(u, &error);
  }
  if (!fb_plant_stopped(u->plant)) return UNIT_OK;
  snprintf(text, sizeof text, "an event of the scenario ended it at %.9g s", fb_plant_time(u->plant));
  report(u, UNIT_DISCARD, "logEvents", text);
  return UNIT_DISCARD;
}

/* --- states --- */

/* fmusim up to 0.0.39 frees a state by its own address instead of that of its pointer; NULL in the first place makes a leak of
 * that and not a crash. */
struct unit_state {
  void* none;
  unit_phase phase;
  double stop;
  void* bytes;
  size_t size;
};

/* Before the plant's own bytes, when serialized. */
typedef struct state_head {
  char magic[8];
  double stop;
  unsigned char phase, unused[7];
  uint64_t checksum; /* of all, with 0 here */
} state_head;

static const char MAGIC[8] = {'f', 'b', 'u', 'n', 'i', 't', '0', '2'};

static uint64_t checksum(state_head head, const void* bytes, size_t size) {
  head.checksum = 0;
  return fb_checksum(fb_checksum(0, &head, sizeof head), bytes, size);
}

void unit_free_state(unit_state* state) {
  if (!state) return;
  fb_free(state->bytes);
  free(state);
}

unit_status unit_save(unit* u, unit_state** state) {
  fb_error error;
  if (!state) return unit_refuse(u, "there is no place for the state");
  unit_state* s = calloc(1, sizeof *s);
  if (!s) return unit_refuse(u, "out of memory for the state");
  *s = (unit_state){.phase = u->phase, .stop = u->stop};
  fb_error_clear(&error);
  if (fb_plant_save(u->plant, &s->bytes, &s->size, &error)) {
    unit_free_state(s);
    return refuse_error(u, &error);
  }
  unit_free_state(*state);
  *state = s;
  return UNIT_OK;
}

unit_status unit_restore(unit* u, const unit_state* state) {
  fb_error error;
  if (!state) return unit_refuse(u, "there is no state to set");
  fb_error_clear(&error);
  if (fb_plant_restore(u->plant, state->bytes, state->size, &error)) return refuse_error(u, &error);
  u->phase = state->phase;
  u->stop = state->stop;
  return UNIT_OK;
}

size_t unit_state_size(const unit_state* state) {
  return sizeof(state_head) + state->size;
}

unit_status unit_write_state(const unit* u, const unit_state* state, void* bytes, size_t size) {
  if (!state || !bytes || size < unit_state_size(state))
    return unit_refuse(u, "the state needs %zu bytes; there is room for %zu",
                       state ? unit_state_size(state) : 0, bytes ? size : 0);
  state_head head = {.stop = state->stop, .phase = (unsigned char)state->phase};
  memcpy(head.magic, MAGIC, sizeof MAGIC);
  head.checksum = checksum(head, state->bytes, state->size);
  memcpy(bytes, &head, sizeof head);
  memcpy((char*)bytes + sizeof head, state->bytes, state->size);
  return UNIT_OK;
}

unit_status unit_read_state(const unit* u, const void* bytes, size_t size, unit_state** state) {
  state_head head;
  if (!bytes || !state || size <= sizeof head)
    return unit_refuse(u, "these bytes are not a state of this unit");
  memcpy(&head, bytes, sizeof head);
  if (memcmp(head.magic, MAGIC, sizeof MAGIC) != 0)
    return unit_refuse(u, "these bytes are not a state of this unit");
  if (head.checksum != checksum(head, (const char*)bytes + sizeof head, size - sizeof head) ||
      head.phase >= UNIT_PHASES || !(head.stop > 0))
    return unit_refuse(u, "these bytes are a damaged state: their checksum does not match");
  unit_state* s = calloc(1, sizeof *s);
  if (s) s->bytes = malloc(size - sizeof head);
  if (!s || !s->bytes) {
    free(s);
    return unit_refuse(u, "out of memory for the state");
  }
  s->phase = (unit_phase)head.phase;
  s->stop = head.stop;
  s->size = size - sizeof head;
  memcpy(s->bytes, (const char*)bytes + sizeof head, s->size);
  unit_free_state(*state);
  *state = s;
  return UNIT_OK;
}

/* --- addresses --- */

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

char* unit_path(const char* address, char* buffer, size_t size) {
  const char* p = address;
  size_t n = 0;
  if (strncmp(p, "file:", 5) == 0) {
    p += 5;
    if (strncmp(p, "//", 2) == 0) { /* a host follows: this one, or none */
      p += 2;
      if (strncmp(p, "localhost/", 10) == 0) p += 9;
      if (*p != '/') return NULL;
    }
  } else if (strstr(p, "://")) {
    return NULL;
  } else { /* a plain path, as some importers give */
    if (strlen(p) >= size) return NULL;
    return strcpy(buffer, p);
  }
  for (; *p && n + 1 < size; n++) {
    int high = *p == '%' ? hex(p[1]) : -1, low = high >= 0 ? hex(p[2]) : -1;
    buffer[n] = low >= 0 ? (char)(16 * high + low) : *p;
    p += low >= 0 ? 3 : 1;
  }
  buffer[n] = '\0';
  return *p ? NULL : buffer;
}
