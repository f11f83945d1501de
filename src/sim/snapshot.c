/* snapshot.c -- saves and restores the complete state of a simulation as bytes.
 *
 * A snapshot may come from a file, so it is checked before it is used: its size and signature show whether it belongs
 * to this simulation, its checksum whether it is unchanged, and every number that is used as an index or a count must
 * be in range. A refused snapshot leaves the simulation unchanged.
 *
 * The state is followed by the history of joins and partings (history.c). If it differs from that of the simulation,
 * the models are built again from the original one, and the simulation takes the last of them before the state is
 * checked. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/checksum.h"
#include "regroup/change.h"
#include "sim/part.h"

size_t fb_sim_snapshot_size(const fb_sim* s) {
  return s->state_size + fb_history_size(s);
}

/* Of a snapshot, with the given head in place of its own, whose checksum is zero. */
static uint64_t checksum(const fb_sim_head* head, const char* snapshot, size_t size) {
  uint64_t sum = fb_checksum(0, head, sizeof *head);
  return fb_checksum(sum, snapshot + sizeof *head, size - sizeof *head);
}

void fb_sim_save(fb_sim* s, void* snapshot) {
  if (!s->started) return;
  int group = s->error.head->group;
  fb_sim_forget(s);
  s->error.head->group = group; /* nothing has happened */
  s->head->checksum = 0;
  char* bytes = (char*)snapshot;
  memcpy(bytes, s->head, s->state_size);
  fb_history_write(s, bytes + s->state_size);
  s->head->checksum = checksum(s->head, bytes, fb_sim_snapshot_size(s));
  memcpy(bytes, s->head, sizeof *s->head);
}

/* --- checks --- */

void fb_snapshot_read(const fb_snapshot* snapshot, const void* field, void* value, size_t size) {
  memcpy(value, snapshot->bytes + ((const char*)field - (const char*)snapshot->s->head), size);
}

int fb_snapshot_int(const fb_snapshot* snapshot, const int* field) {
  int x;
  fb_snapshot_read(snapshot, field, &x, sizeof x);
  return x;
}

long long fb_snapshot_count(const fb_snapshot* snapshot, const long long* field) {
  long long x;
  fb_snapshot_read(snapshot, field, &x, sizeof x);
  return x;
}

static double read_number(const fb_snapshot* snapshot, const double* field) {
  double x;
  fb_snapshot_read(snapshot, field, &x, sizeof x);
  return x;
}

int fb_snapshot_ints_are(const fb_snapshot* snapshot, const int* field, int count, int lowest, int highest) {
  for (int i = 0; i < count; i++) {
    int x = fb_snapshot_int(snapshot, field + i);
    if (x < lowest || x > highest) return 0;
  }
  return 1;
}

int fb_snapshot_numbers_are_finite(const fb_snapshot* snapshot, const double* field, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(read_number(snapshot, field + i))) return 0;
  return 1;
}

int fb_snapshot_is_up_to_date(const fb_snapshot* snapshot, double next, double period) {
  return next >= read_number(snapshot, &snapshot->s->head->t) - 1.5 * period;
}

/* The core, which belongs to no part. */
static int core_is_sound(const fb_snapshot* snapshot) {
  const fb_sim* s = snapshot->s;
  const fb_sim_head* head = s->head;
  const long long* counts[] = {&head->steps, &head->rejected, &head->evaluations};
  for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
    if (!fb_snapshot_is_count(fb_snapshot_count(snapshot, counts[i]))) return 0;
  double t = read_number(snapshot, &head->t);
  return isfinite(t) && t >= 0 && fb_snapshot_ints_are(snapshot, &head->mode, 1, 0, s->options.nmode - 1) &&
         fb_snapshot_ints_are(snapshot, &head->stopped, 1, 0, 1) &&
         fb_snapshot_ints_are(snapshot, &head->momentum_known, 1, 0, 1) &&
         fb_snapshot_ints_are(snapshot, &head->jumped, 1, 0, 1) &&
         fb_snapshot_numbers_are_finite(snapshot, s->y, s->ny) &&
         fb_snapshot_numbers_are_finite(snapshot, s->step.momentum, s->nv + 9 * s->tree.nroot);
}

/* --- in --- */

static fb_status fail_other(size_t size, fb_error* error) {
  return fb_fail(error, FB_ERR_STATE,
                 "this snapshot (%zu bytes) is of another simulation: another model, or other parameters, "
                 "blocks, events or limits",
                 size);
}

/* The head of an undamaged snapshot of this simulation, of any epoch. */
static fb_status check_head(const fb_sim* s, const void* snapshot, size_t size, fb_sim_head* head,
                            fb_error* error) {
  if (size >= sizeof *head) memcpy(head, snapshot, sizeof *head);
  if (size < sizeof *head || memcmp(head->signature, s->head->signature, sizeof head->signature) != 0 ||
      head->epoch < 0 || (head->epoch == s->head->epoch && size < s->state_size) ||
      (head->epoch == 0 && s->head->epoch == 0 && size != s->state_size))
    return fail_other(size, error);
  uint64_t sum = head->checksum;
  head->checksum = 0;
  if (sum == checksum(head, (const char*)snapshot, size)) return FB_OK;
  return fb_fail(error, FB_ERR_STATE,
                 "this snapshot is damaged: its checksum does not match its contents; take an earlier one, "
                 "or simulate again");
}

/* The rest, once the simulation has the model of the snapshot. */
static fb_status check(const fb_sim* s, const void* snapshot, size_t size, fb_error* error) {
  const fb_snapshot image = {s, (const char*)snapshot};
  if (size != fb_sim_snapshot_size(s)) return fail_other(size, error);
  if (!core_is_sound(&image) || !fb_parts_are_sound(&image))
    return fb_fail(
        error, FB_ERR_STATE,
        "this snapshot contains what no simulation saves (an index out of range, a number that is not "
        "finite, or ticks long overdue), so it was altered; take an earlier one, or simulate again");
  return FB_OK;
}

/* --- models --- */

/* The simulation takes the model that follows from these changes, and exchanges its own changes for them. */
static fb_status take_changes(fb_sim* s, fb_change** changes, int* count, fb_error* error) {
  fb_model* m;
  fb_status status = fb_changes_model(s->regroup.original, *changes, *count, &m, error);
  if (status) return status;
  const fb_sim_head head = *s->head; /* the next state is empty, except for its signature */
  const fb_next next = {.m = m ? m : s->regroup.original};
  status = fb_sim_exchange(s, &next, error);
  if (status) return status;
  memcpy(s->head->signature, head.signature, sizeof head.signature);
  fb_change* former = s->regroup.changes;
  int nformer = s->regroup.nchange;
  s->regroup.changes = *changes;
  s->regroup.nchange = *count;
  s->regroup.room = (size_t)*count;
  *changes = former;
  *count = nformer;
  return FB_OK;
}

/* A copy of the state, to return to. */
static char* copy_state(const fb_sim* s) {
  char* copy = malloc(s->state_size);
  if (copy) memcpy(copy, s->head, s->state_size);
  return copy;
}

static void put_state(fb_sim* s, const void* bytes) {
  memcpy(s->head, bytes, s->state_size);
  s->step.t0 = s->failure.t_ordinary = s->head->t;
  memcpy(s->y0, s->y, (size_t)s->ny * sizeof *s->y);
  memcpy(s->failure.y_ordinary, s->y, (size_t)s->ny * sizeof *s->y);
  s->event.nrecord = s->step.unsettled = s->limit.due = 0;
  int group = s->error.head->group;
  fb_parts_clear(s);
  fb_parts_restore(s);
  fb_sim_forget(s);
  s->error.head->group = group;
}

/* Restores across joins: the simulation takes the snapshot's models first, and returns to its own if they do not fit. */
static fb_status restore_elsewhere(fb_sim* s, const void* snapshot, size_t size, int epoch, fb_error* error) {
  fb_change* changes = NULL;
  int count = epoch, unsettled = s->step.unsettled, nrecord = s->event.nrecord, due = s->limit.due;
  double t0 = s->step.t0;
  fb_status status = epoch > 0 ? fb_history_read((const char*)snapshot, size, epoch, &changes, error) : FB_OK;
  char* before = status ? NULL : copy_state(s);
  if (!status && !before) status = fb_fail(error, FB_ERR_MEMORY, "no memory to restore a snapshot");
  if (!status) status = take_changes(s, &changes, &count, error);
  if (status) {
    fb_changes_free(changes, count);
    free(before);
    return status;
  }
  status = check(s, snapshot, size, error);
  if (!status) {
    put_state(s, snapshot);
  } else if (!take_changes(s, &changes, &count, NULL)) { /* back: what was made once can be made again */
    put_state(s, before);
    s->step.t0 = t0;
    s->step.unsettled = unsettled;
    s->event.nrecord = nrecord;
    s->limit.due = due;
  }
  fb_changes_free(changes, count);
  free(before);
  return status;
}

fb_status fb_sim_restore(fb_sim* s, const void* snapshot, size_t size, fb_error* error) {
  fb_sim_head head;
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "a simulation must be started before it is restored");
  fb_status status = check_head(s, snapshot, size, &head, error);
  if (status) return status;
  if (head.epoch != s->head->epoch ||
      (head.epoch > 0 && !fb_history_is(s, (const char*)snapshot + s->state_size, size - s->state_size)))
    return restore_elsewhere(s, snapshot, size, head.epoch, error);
  status = check(s, snapshot, size, error);
  if (!status) put_state(s, snapshot);
  return status;
}
