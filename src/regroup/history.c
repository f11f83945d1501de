/* history.c -- the joins and partings that a simulation has made, in memory and as bytes after the state of a
 * snapshot
 *
 * Each is kept with the configuration at which it was made, so that the models of all epochs can be built again from
 * the original one, bit for bit. As bytes, one after the other:
 *
 *   is_join, type, force, nq, sizes of name, frame, to (int each, texts with their ends), pad
 *   axis, axis2, pitch, t, impulse (double), q [nq], the three texts, filled up to 8 bytes
 *
 * and after the last of them the total number of bytes. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/copy_text.h"
#include "math/array.h"
#include "regroup/change.h"
#include "sim/access.h"

enum { INTS = 8, NUMBERS = 8 + 10 };
enum { IS_JOIN, TYPE, FORCE, NQ, NAME, FRAME, TO };

static size_t text_size(const char* text) {
  return strlen(text ? text : "") + 1;
}

/* In whole numbers of eight bytes. */
static size_t texts_size(const fb_change* c) {
  return (text_size(c->how.name) + text_size(c->how.frame) + text_size(c->how.to) + 7) / 8 * 8;
}

size_t fb_history_size(const fb_sim* s) {
  size_t size = s->regroup.nchange > 0 ? sizeof(uint64_t) : 0;
  for (int i = 0; i < s->regroup.nchange; i++) {
    const fb_change* c = &s->regroup.changes[i];
    size += INTS * sizeof(int) + (NUMBERS + (size_t)c->nq) * sizeof(double) + texts_size(c);
  }
  return size;
}

static void put_numbers(const fb_change* c, double numbers[NUMBERS]) {
  memcpy(numbers, c->how.axis, 3 * sizeof(double));
  memcpy(numbers + 3, c->how.axis2, 3 * sizeof(double));
  numbers[6] = c->how.pitch;
  numbers[7] = c->t;
  memcpy(numbers + 8, c->impulse.point, 3 * sizeof(double));
  memcpy(numbers + 11, c->impulse.linear, 3 * sizeof(double));
  memcpy(numbers + 14, c->impulse.angular, 3 * sizeof(double));
  numbers[17] = c->impulse.energy;
}

static void get_numbers(const double numbers[NUMBERS], fb_change* c) {
  memcpy(c->how.axis, numbers, 3 * sizeof(double));
  memcpy(c->how.axis2, numbers + 3, 3 * sizeof(double));
  c->how.pitch = numbers[6];
  c->t = numbers[7];
  memcpy(c->impulse.point, numbers + 8, 3 * sizeof(double));
  memcpy(c->impulse.linear, numbers + 11, 3 * sizeof(double));
  memcpy(c->impulse.angular, numbers + 14, 3 * sizeof(double));
  c->impulse.energy = numbers[17];
}

static char* put(char* at, const void* data, size_t size) {
  memcpy(at, data, size);
  return at + size;
}

static char* put_change(char* at, const fb_change* c) {
  const char* texts[] = {c->how.name, c->how.frame, c->how.to};
  const int ints[INTS] = {c->is_join,
                          (int)c->how.type,
                          c->how.force,
                          c->nq,
                          (int)text_size(texts[0]),
                          (int)text_size(texts[1]),
                          (int)text_size(texts[2]),
                          0};
  double numbers[NUMBERS];
  put_numbers(c, numbers);
  at = put(at, ints, sizeof ints);
  at = put(at, numbers, sizeof numbers);
  at = put(at, c->q, (size_t)c->nq * sizeof *c->q);
  memset(at, 0, texts_size(c));
  char* end = at + texts_size(c);
  for (int i = 0; i < 3; i++) at = put(at, texts[i] ? texts[i] : "", text_size(texts[i]));
  return end;
}

void fb_history_write(const fb_sim* s, char* out) {
  uint64_t size = fb_history_size(s);
  if (size == 0) return;
  for (int i = 0; i < s->regroup.nchange; i++) out = put_change(out, &s->regroup.changes[i]);
  memcpy(out, &size, sizeof size);
}

int fb_history_is(const fb_sim* s, const char* bytes, size_t size) {
  if (size != fb_history_size(s)) return 0;
  if (size == 0) return 1;
  char* present = malloc(size);
  if (present) fb_history_write(s, present);
  int same = present && memcmp(present, bytes, size) == 0;
  free(present);
  return same;
}

/* --- reading --- */

/* The remaining bytes. */
typedef struct rest {
  const char* at;
  size_t size;
} rest;

static int get(rest* r, void* out, size_t size) {
  if (r->size < size) return 0;
  memcpy(out, r->at, size);
  r->at += size;
  r->size -= size;
  return 1;
}

/* A text of the given length; NULL when out of memory, or when it does not end there. */
static char* get_text(rest* r, int size) {
  if (size < 1 || r->size < (size_t)size || memchr(r->at, 0, (size_t)size) != r->at + size - 1) return NULL;
  char* text = fb_copy_text(r->at);
  r->at += size;
  r->size -= (size_t)size;
  return text;
}

static int get_change(rest* r, fb_change* c) {
  int ints[INTS];
  double numbers[NUMBERS];
  *c = (fb_change){.how = fb_default_join_def()};
  if (!get(r, ints, sizeof ints) || !get(r, numbers, sizeof numbers)) return 0;
  if ((ints[IS_JOIN] != 0 && ints[IS_JOIN] != 1) || ints[TYPE] < 0 || ints[TYPE] >= FB_JOINT_TYPE_COUNT ||
      ints[NQ] < 0 || (size_t)ints[NQ] > r->size / sizeof(double) || !fb_array_is_finite(numbers, NUMBERS))
    return 0;
  c->is_join = ints[IS_JOIN];
  c->how.type = (fb_joint_type)ints[TYPE];
  c->how.force = ints[FORCE] != 0;
  c->nq = ints[NQ];
  get_numbers(numbers, c);
  c->q = malloc(((size_t)c->nq + 1) * sizeof *c->q);
  if (!c->q || !get(r, c->q, (size_t)c->nq * sizeof *c->q) || !fb_array_is_finite(c->q, c->nq)) return 0;
  rest texts = *r;
  c->how.name = get_text(&texts, ints[NAME]);
  c->how.frame = c->how.name ? get_text(&texts, ints[FRAME]) : NULL;
  c->how.to = c->how.frame ? get_text(&texts, ints[TO]) : NULL;
  if (!c->how.to || texts_size(c) > r->size) return 0;
  r->at += texts_size(c);
  r->size -= texts_size(c);
  return 1;
}

fb_status fb_history_read(const char* bytes, size_t size, int count, fb_change** changes, fb_error* error) {
  uint64_t length = 0;
  *changes = NULL;
  if (size >= sizeof length) memcpy(&length, bytes + size - sizeof length, sizeof length);
  int sound =
      count > 0 && length > sizeof length && length <= size && (size_t)count <= length / (INTS * sizeof(int));
  if (!sound) length = sizeof length;
  rest r = {bytes + (sound ? size - length : 0), (size_t)length - sizeof length};
  fb_change* read = sound ? calloc((size_t)count, sizeof *read) : NULL;
  for (int i = 0; i < count && read && sound; i++) sound = get_change(&r, &read[i]);
  if (read && sound && r.size == 0) {
    *changes = read;
    return FB_OK;
  }
  if (read) fb_changes_free(read, count);
  return fb_fail(error, FB_ERR_STATE,
                 "the joins in this snapshot cannot be read, so it was altered, or there is no memory; take "
                 "an earlier one, or simulate again");
}

void fb_change_clear(fb_change* c) {
  free((void*)(uintptr_t)c->how.name);
  free((void*)(uintptr_t)c->how.frame);
  free((void*)(uintptr_t)c->how.to);
  free(c->q);
}

void fb_changes_free(fb_change* changes, int count) {
  for (int i = 0; changes && i < count; i++) fb_change_clear(&changes[i]);
  free(changes);
}

fb_status fb_change_model(const fb_model* m, const fb_change* c, fb_model** out, fb_error* error) {
  *out = NULL;
  if (c->nq != fb_model_nq(m))
    return fb_fail(error, FB_ERR_STATE, "a join of this snapshot is of another model: %d coordinates, not %d",
                   c->nq, fb_model_nq(m));
  return c->is_join ? fb_model_join(m, &c->how, c->q, out, error) : fb_model_part(m, c->how.name, out, error);
}

fb_status fb_changes_model(const fb_model* first, const fb_change* changes, int count, fb_model** last,
                           fb_error* error) {
  fb_status status = FB_OK;
  *last = NULL;
  for (int i = 0; i < count && !status; i++) {
    fb_model* next;
    status = fb_change_model(*last ? *last : first, &changes[i], &next, error);
    fb_model_free(*last);
    *last = next;
  }
  return status;
}

fb_status fb_sim_make_epoch(const fb_sim* s, int epoch, fb_model** out, fb_error* error) {
  *out = NULL;
  if (epoch < 1 || epoch > s->regroup.nchange)
    return fb_fail(error, FB_ERR_ARG, "there is no epoch %d with a model of its own; there are 1 to %d",
                   epoch, s->regroup.nchange);
  return fb_changes_model(s->regroup.original, s->regroup.changes, epoch, out, error);
}

/* --- for readers --- */

int fb_sim_epoch(const fb_sim* s) {
  return s->regroup.nchange;
}

fb_status fb_sim_get_change(const fb_sim* s, int index, fb_sim_change* out, fb_error* error) {
  if (index < 0 || index >= s->regroup.nchange)
    return fb_fail(error, FB_ERR_ARG, "there is no join or parting %d; %d were made", index,
                   s->regroup.nchange);
  const fb_change* c = &s->regroup.changes[index];
  *out = (fb_sim_change){.t = c->t,
                         .is_join = c->is_join,
                         .joint = c->how.name,
                         .frame = c->how.frame,
                         .to = c->how.to,
                         .type = c->how.type,
                         .impulse = c->impulse};
  return FB_OK;
}

const char* fb_sim_change_notes(const fb_sim* s) {
  return s->regroup.notes;
}
