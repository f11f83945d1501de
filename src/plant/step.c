/* step.c -- a plant in time: getting, setting, stepping, starting again, saving and restoring.
 *
 * Inputs and parameters are numbers in the memory of blocks, so a snapshot of the simulation has them. What was set is kept
 * beside it: a start value that is set makes a new simulation, in which everything that was set before is set again. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/checksum.h"
#include "plant/plant.h"

double fb_plant_time(const fb_plant* p) {
  return fb_sim_time(p->sim);
}

int fb_plant_stopped(const fb_plant* p) {
  return fb_sim_stopped(p->sim);
}

/* --- starting --- */

/* Puts start values into the scenario, from which the simulation is made. */
static void place_starts(fb_plant* p) {
  for (int i = 0; i < p->count; i++)
    if (p->variables[i].role == FB_PLANT_START)
      *p->places[i].start = p->given[i] ? p->values[i] : p->variables[i].start;
}

static fb_status set_again(fb_plant* p, fb_sim* sim, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < p->count && !status; i++)
    if (p->given[i] && p->variables[i].role != FB_PLANT_START)
      status = fb_sim_set_parameter(sim, p->places[i].block, p->places[i].parameter, p->values[i], error);
  return status;
}

/* step.c: a new simulation with the start values and parameters that were set. */
static fb_status restart(fb_plant* p, fb_error* error) {
  fb_sim* sim = NULL;
  place_starts(p);
  fb_status status = fb_sim_build(p->scenario, &sim, error);
  if (!status) status = set_again(p, sim, error);
  if (status) {
    fb_sim_free(sim);
    return status;
  }
  fb_sim_free(p->sim);
  p->sim = sim;
  p->begun = p->stale = 0;
  return FB_OK;
}

fb_status fb_plant_reset(fb_plant* p, fb_error* error) {
  memset(p->given, 0, (size_t)p->count);
  return restart(p, error);
}

static fb_status be_current(fb_plant* p, fb_error* error) {
  return p->stale ? restart(p, error) : FB_OK;
}

/* --- getting --- */

static fb_status check_index(const fb_plant* p, int index, fb_error* error) {
  fb_plant_variable unused;
  return fb_plant_get_variable(p, index, &unused, error);
}

/* At most p->count of them. */
static void get_some(fb_plant* p, const int* indices, int count, double* values) {
  int n = 0;
  for (int i = 0; i < count; i++)
    if (p->variables[indices[i]].role == FB_PLANT_OUTPUT)
      p->output_signals[n++] = p->places[indices[i]].signal;
  if (n > 0) fb_sim_signal_values(p->sim, p->output_signals, n, p->found);
  n = 0;
  for (int i = 0; i < count; i++) {
    const fb_plant_place* place = &p->places[indices[i]];
    switch (p->variables[indices[i]].role) {
      case FB_PLANT_OUTPUT:
        values[i] = p->found[n++];
        break;
      case FB_PLANT_START:
        values[i] = *place->start;
        break;
      default:
        values[i] = fb_sim_memory(p->sim, place->block)[place->parameter];
    }
  }
}

fb_status fb_plant_get(fb_plant* p, const int* indices, int count, double* values, fb_error* error) {
  fb_status status = be_current(p, error);
  for (int i = 0; i < count && !status; i++) status = check_index(p, indices[i], error);
  if (status) return status;
  for (int i = 0; i < count; i += p->count)
    get_some(p, indices + i, count - i < p->count ? count - i : p->count, values + i);
  return FB_OK;
}

/* --- setting --- */

static fb_status check_value(const fb_plant* p, int index, double value, fb_error* error) {
  fb_status status = check_index(p, index, error);
  if (status) return status;
  const fb_plant_variable* v = &p->variables[index];
  if (v->role == FB_PLANT_OUTPUT)
    return fb_fail(error, FB_ERR_ARG, "\"%s\" is an output, which cannot be set", v->name);
  if (!isfinite(value) && value != v->start) /* an effort without a limit is infinite */
    return fb_fail(error, FB_ERR_ARG, "\"%s\" is set to %g; it must be a finite number", v->name, value);
  if (value < v->least)
    return fb_fail(error, FB_ERR_ARG, "\"%s\" is set to %.9g; it must not be less than %g", v->name, value,
                   v->least);
  if (v->role == FB_PLANT_START && p->begun)
    return fb_fail(error, FB_ERR_ARG, "\"%s\" is a value at the start and is set before the first step",
                   v->name);
  return FB_OK;
}

fb_status fb_plant_set(fb_plant* p, const int* indices, int count, const double* values, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < count && !status; i++) status = check_value(p, indices[i], values[i], error);
  for (int i = 0; i < count && !status; i++) {
    int k = indices[i];
    p->values[k] = values[i];
    p->given[k] = 1;
    if (p->variables[k].role == FB_PLANT_START)
      p->stale = 1;
    else
      status = fb_sim_set_parameter(p->sim, p->places[k].block, p->places[k].parameter, values[i], error);
  }
  return status;
}

/* --- stepping --- */

fb_status fb_plant_step(fb_plant* p, double t, fb_error* error) {
  double now = fb_sim_time(p->sim);
  if (!isfinite(t) || t < now - 1e-9 * (1 + fabs(now)))
    return fb_fail(error, FB_ERR_ARG, "the plant is at %.9g s and cannot be advanced to %.9g s", now, t);
  fb_status status = be_current(p, error);
  if (status) return status;
  p->begun = 1;
  return fb_sim_run_until(p->sim, t, error);
}

/* --- saving --- */

/* The bytes: this head, given[count], values[count], the snapshot. */
typedef struct head {
  char magic[8];
  char token[FB_PLANT_TOKEN_SIZE];
  unsigned char begun;
  unsigned char unused[6];
  uint64_t snapshot; /* its size */
  uint64_t checksum; /* of all bytes, with 0 here */
} head;
_Static_assert(sizeof(head) == 8 + FB_PLANT_TOKEN_SIZE + 7 + 16, "bytes that nobody sets have no checksum");

static const char MAGIC[8] = {'f', 'b', 'p', 'l', 'a', 'n', 't', '2'};

static uint64_t checksum(head h, const char* bytes, size_t size) {
  h.checksum = 0;
  return fb_checksum(fb_checksum(0, &h, sizeof h), bytes + sizeof h, size - sizeof h);
}

static size_t size_before(const fb_plant* p) {
  return sizeof(head) + (size_t)p->count * (1 + sizeof(double));
}

fb_status fb_plant_save(fb_plant* p, void** bytes, size_t* size, fb_error* error) {
  *bytes = NULL;
  *size = 0;
  fb_status status = be_current(p, error);
  if (status) return status;
  head h = {.begun = (unsigned char)p->begun, .snapshot = fb_sim_snapshot_size(p->sim)};
  memcpy(h.magic, MAGIC, sizeof MAGIC);
  fb_plant_token(p, h.token);
  size_t before = size_before(p), count = (size_t)p->count;
  char* out = calloc(1, before + h.snapshot);
  if (!out) return fb_plant_no_memory(error);
  memcpy(out + sizeof h, p->given, count);
  memcpy(out + sizeof h + count, p->values, count * sizeof *p->values);
  fb_sim_save(p->sim, out + before);
  h.checksum = checksum(h, out, before + h.snapshot);
  memcpy(out, &h, sizeof h);
  *bytes = out;
  *size = before + h.snapshot;
  return FB_OK;
}

static fb_status refuse_state(const char* why, fb_error* error) {
  return fb_fail(error, FB_ERR_STATE, "the saved state %s", why);
}

/* What was set must be what could have been set. */
static int settings_are_sound(const fb_plant* p, const unsigned char* given, const char* values) {
  for (int i = 0; i < p->count; i++) {
    double x;
    memcpy(&x, values + (size_t)i * sizeof x, sizeof x);
    if (given[i] > 1 ||
        (given[i] && ((!isfinite(x) && x != p->variables[i].start) || x < p->variables[i].least)))
      return 0;
  }
  return 1;
}

/* Whether the simulation has begun elsewhere than what was set now says. */
static int begins_elsewhere(const fb_plant* p) {
  int differs = p->stale;
  for (int i = 0; i < p->count; i++)
    if (p->variables[i].role == FB_PLANT_START)
      differs |= *p->places[i].start != (p->given[i] ? p->values[i] : p->variables[i].start);
  return differs;
}

/* A snapshot goes into a simulation that began in the same way; what it is compared with is not part of it. */
static fb_status restore_sim(fb_plant* p, const void* snapshot, size_t size, fb_error* error) {
  fb_sim* sim = p->sim;
  fb_status status = FB_OK;
  if (begins_elsewhere(p)) {
    place_starts(p);
    status = fb_sim_build(p->scenario, &sim, error);
  }
  if (!status) status = fb_sim_restore(sim, snapshot, size, error);
  if (sim == p->sim) return status;
  fb_sim_free(status ? sim : p->sim);
  if (!status) p->sim = sim;
  return status;
}

/* Exchanges what was set with what is at `given` and `values`. */
static void exchange(fb_plant* p, unsigned char* given, double* values) {
  for (int i = 0; i < p->count; i++) {
    unsigned char was_given = p->given[i];
    double was = p->values[i];
    p->given[i] = given[i];
    p->values[i] = values[i];
    given[i] = was_given;
    values[i] = was;
  }
}

fb_status fb_plant_restore(fb_plant* p, const void* bytes, size_t size, fb_error* error) {
  const char* in = (const char*)bytes;
  head h;
  char token[FB_PLANT_TOKEN_SIZE];
  size_t before = size_before(p), count = (size_t)p->count;
  if (size < before) return refuse_state("is too short; it is damaged or of another plant", error);
  memcpy(&h, in, sizeof h);
  if (memcmp(h.magic, MAGIC, sizeof MAGIC) != 0) return refuse_state("is not one of a plant", error);
  if (memcmp(h.token, fb_plant_token(p, token), sizeof token) != 0)
    return refuse_state("belongs to another plant, or to another version of Freebody", error);
  if (h.checksum != checksum(h, in, size))
    return refuse_state("is damaged: its checksum does not match its content", error);
  if (h.begun > 1 || h.snapshot != size - before ||
      !settings_are_sound(p, (const unsigned char*)in + sizeof h, in + sizeof h + count))
    return refuse_state("is damaged", error);
  unsigned char* given = malloc(count + 1);
  double* values = malloc((count + 1) * sizeof *values);
  fb_status status = given && values ? FB_OK : fb_plant_no_memory(error);
  if (!status) {
    memcpy(given, in + sizeof h, count);
    memcpy(values, in + sizeof h + count, count * sizeof *values);
    exchange(p, given, values);
    status = restore_sim(p, in + before, h.snapshot, error);
    if (status) exchange(p, given, values);
    if (status) place_starts(p);
  }
  free(given);
  free(values);
  if (status) return status;
  p->begun = h.begun;
  p->stale = 0;
  return FB_OK;
}
