/* snapshot.c -- saves and restores the complete state of a simulation as bytes.
 *
 * A snapshot may have lain in a file, so it is looked at before it is used: its size and signature say whether it is
 * of this simulation, its checksum whether it is as it was saved, and every number that becomes an index, or says how
 * often something is still to be done, must be one that can be. What is refused leaves the simulation as it was.
 *
 * The state is followed by the history of joins and partings (history.c). Where that is not the one of the simulation, the
 * models are made again from the first, and the simulation takes the last of them before the state is looked at. */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "base/checksum.h"
#include "regroup/change.h"
#include "contact/dynamics/hard_contact.h"
#include "sim/chatter.h"
#include "loop/loops.h"
#include "limit/stops.h"
#include "contact/dynamics/step_contact.h"
#include "element/elements.h"
#include "ledger/ledger.h"

size_t fb_sim_snapshot_size(const fb_sim* s) {
  return s->state_size + fb_history_size(s);
}

/* Of a snapshot, with the head given for its own, whose checksum is zero. */
static uint64_t checksum(const fb_sim_head* head, const char* snapshot, size_t size) {
  uint64_t sum = fb_checksum(0, head, sizeof *head);
  return fb_checksum(sum, snapshot + sizeof *head, size - sizeof *head);
}

void fb_sim_save(fb_sim* s, void* snapshot) {
  if (!s->started) return;
  fb_sim_forget(s);
  s->head->checksum = 0;
  char* bytes = (char*)snapshot;
  memcpy(bytes, s->head, s->state_size);
  fb_history_write(s, bytes + s->state_size);
  s->head->checksum = checksum(s->head, bytes, fb_sim_snapshot_size(s));
  memcpy(bytes, s->head, sizeof *s->head);
}

/* --- what is in it --- */

/* A snapshot that is looked at: its bytes lie as those of s, but need not be aligned. */
typedef struct look {
  const fb_sim* s;
  const char* bytes;
} look;

/* The entry of the snapshot that belongs to one of s. */
static void entry(const look* l, const void* field, void* value, size_t size) {
  memcpy(value, l->bytes + ((const char*)field - (const char*)l->s->head), size);
}

static int int_at(const look* l, const int* field) {
  int x;
  entry(l, field, &x, sizeof x);
  return x;
}

static long long count_at(const look* l, const long long* field) {
  long long x;
  entry(l, field, &x, sizeof x);
  return x;
}

static double number_at(const look* l, const double* field) {
  double x;
  entry(l, field, &x, sizeof x);
  return x;
}

static int indices_are_sound(const look* l) {
  const fb_sim* s = l->s;
  const fb_sim_head* head = s->head;
  int rescued = s->touch && !fb_touch_by_steps(s); /* rescue.c */
  const struct {
    const int* field;
    int count, lowest, highest;
  } rows[] = {
      {&head->mode, 1, 0, s->options.nmode - 1},
      {&head->stopped, 1, 0, 1},
      {&head->burst, 1, 0, INT_MAX - 1},
      {&head->stall, 1, 0, INT_MAX - 1},
      {&head->momentum_known, 1, 0, 1},
      {&head->jumped, 1, 0, 1},
      {&head->pushes, 1, 0, INT_MAX - 1},
      {&head->every, 1, 1, INT_MAX / 2},
      {&head->rescues, 1, 0, rescued ? INT_MAX - 1 : 0},
      {&head->rescue_steps, 1, 0, rescued ? INT_MAX - 1 : 0},
      {&head->ntouch, 1, 0, fb_touch_room(s)},
      {&head->nclosed, 1, 0, fb_touch_room(s)},
      {s->motion, s->nv, FB_MOTION_STUCK, s->nmotion - 1},
      {s->held_side, s->nv, -1, 1},
      {s->slide, s->nv, -1, 1},
      {s->resting, s->nlimit, 0, 1},
      {s->side, s->nevent, -1, 2},
  };
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int i = 0; i < rows[r].count; i++) {
      int x = int_at(l, rows[r].field + i);
      if (x < rows[r].lowest || x > rows[r].highest) return 0;
    }
  for (int i = 0; i < int_at(l, &head->ntouch); i++) {
    fb_touch_memory memory;
    entry(l, &s->touched[i], &memory, sizeof memory);
    if (!fb_touch_is_sound(s, &memory)) return 0;
  }
  if (int_at(l, &head->nclosed) > int_at(l, &head->ntouch)) return 0;
  int moved = 0, held = 0;
  for (int k = 0; k < s->nv; k++) {
    int motion = int_at(l, &s->motion[k]);
    moved += motion != FB_MOVE_BY_FORCE;
    held += fb_is_held(motion);
  }
  return int_at(l, &head->nmoved) == moved && int_at(l, &head->nheld) == held;
}

static int numbers_are_finite(const look* l) {
  const fb_sim* s = l->s;
  const struct {
    const double* field;
    int count;
  } rows[] = {{&s->head->t, 1},
              {s->y, s->ny},
              {s->momentum, s->nv + 9 * s->nroot},
              {s->loop_length, s->m->top.nloop},
              {s->begun, s->nv},
              {s->shift, s->nv},
              {s->kept_work, s->first.v ? s->first_m->top.nv + 1 : 0},
              {s->kept_quat, 4 * s->first.ngone}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
    for (int i = 0; i < rows[r].count; i++)
      if (!isfinite(number_at(l, rows[r].field + i))) return 0;
  return number_at(l, &s->head->t) >= 0;
}

static int is_count(long long x) {
  return x >= 0 && x < 1LL << 53;
}

/* What is due by now is done one by one, so that there must not be more of it than a simulation leaves over. */
static int is_up_to_date(double next, double period, double t) {
  return next >= t - 1.5 * period;
}

static int counts_are_sound(const look* l) {
  const fb_sim* s = l->s;
  double t = number_at(l, &s->head->t);
  if (!is_count(count_at(l, &s->head->steps)) || !is_count(count_at(l, &s->head->rejected)) ||
      !is_count(count_at(l, &s->head->evaluations)))
    return 0;
  for (int i = 0; i < s->nblock; i++) {
    const fb_block* b = &s->blocks[i];
    long long ticks = count_at(l, &s->ticks[i]);
    if (!is_count(ticks) || (b->tick && !is_up_to_date((double)ticks * b->period, b->period, t))) return 0;
  }
  for (int i = 0; i < s->nevent; i++) {
    const fb_event* e = &s->events[i];
    long long fired = count_at(l, &s->fired[i]);
    int repeats = e->kind == FB_TRIGGER_TIME && !e->once && e->period > 0;
    if (!is_count(fired) || (repeats && !is_up_to_date(e->time + (double)fired * e->period, e->period, t)))
      return 0;
  }
  return 1;
}

/* --- in --- */

static fb_status fail_other(size_t size, fb_error* error) {
  return fb_fail(error, FB_ERR_STATE,
                 "this snapshot (%zu bytes) is of another simulation: another model, or other parameters, "
                 "blocks, events or limits",
                 size);
}

/* The head of a snapshot that is of this simulation, in whatever epoch, and as it was saved. */
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
  const look l = {s, (const char*)snapshot};
  if (size != fb_sim_snapshot_size(s)) return fail_other(size, error);
  if (!indices_are_sound(&l) || !numbers_are_finite(&l) || !counts_are_sound(&l))
    return fb_fail(
        error, FB_ERR_STATE,
        "this snapshot contains what no simulation saves (an index out of range, a number that is not "
        "finite, or ticks long overdue), so it was altered; take an earlier one, or simulate again");
  return FB_OK;
}

/* --- models --- */

/* The simulation takes the model that these changes make, and them in place of its own, which are returned. */
static fb_status take_changes(fb_sim* s, fb_change** changes, int* count, fb_error* error) {
  fb_model* m;
  fb_status status = fb_changes_model(s->first_m, *changes, *count, &m, error);
  if (status) return status;
  const fb_sim_head head = *s->head; /* the next state is empty, but for what says whose it is */
  const fb_next next = {.m = m ? m : s->first_m};
  status = fb_sim_exchange(s, &next, error);
  if (status) return status;
  memcpy(s->head->signature, head.signature, sizeof head.signature);
  fb_change* own = s->changes;
  int nown = s->nchange;
  s->changes = *changes;
  s->nchange = *count;
  s->room_changes = (size_t)*count;
  *changes = own;
  *count = nown;
  return FB_OK;
}

/* A copy of the state, to go back to. */
static char* copy_state(const fb_sim* s) {
  char* copy = malloc(s->state_size);
  if (copy) memcpy(copy, s->head, s->state_size);
  return copy;
}

static void put_state(fb_sim* s, const void* bytes) {
  memcpy(s->head, bytes, s->state_size);
  s->t0 = s->t_tame = s->head->t;
  memcpy(s->y0, s->y, (size_t)s->ny * sizeof *s->y);
  memcpy(s->y_tame, s->y, (size_t)s->ny * sizeof *s->y);
  s->nrecord = s->unsettled = s->stops_due = 0;
  fb_chatter_begin(s);
  fb_sim_take_lengths(s);
  fb_soft_stops_update(s);
  fb_pairs_update(s);
  if (s->nlimit > 0) memset(s->phases, 0, (size_t)s->nlimit);
  /* Error control asks for the masses of the trees. */
  fb_trees_measure(s, fb_sim_kinematics_at(s, s->y), s->y);
  fb_sim_forget(s);
}

/* Restores across joins: the simulation gets the snapshot's models first, and its own back when they do not fit. */
static fb_status restore_elsewhere(fb_sim* s, const void* snapshot, size_t size, int epoch, fb_error* error) {
  fb_change* changes = NULL;
  int count = epoch, unsettled = s->unsettled, nrecord = s->nrecord, due = s->stops_due;
  double t0 = s->t0;
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
    s->t0 = t0;
    s->unsettled = unsettled;
    s->nrecord = nrecord;
    s->stops_due = due;
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
