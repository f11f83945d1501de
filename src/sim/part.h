/* part.h -- what takes part in the steps of a simulation besides the tree: limits, loops, elements, contacts, blocks and so on.
 *
 * A part has a struct of its own in fb_sim, made from a table of fields (its fields.h), and a row of functions, most
 * of which are NULL. The simulation calls all parts in the order of FB_PART_LIST, and depends on as little else of
 * them as possible. A new part: its struct, its row in a file of its own, and its name in the list
 * (docs/extending.md). */
#ifndef FB_SIM_PART_H
#define FB_SIM_PART_H

#include <string.h>

#include "base/arena.h"
#include "sim/sim.h"

/* A snapshot that is checked before it is used: its bytes lie as those of s, but need not be aligned. */
typedef struct fb_snapshot {
  const fb_sim* s;
  const char* bytes;
} fb_snapshot;

typedef struct fb_part {
  /* Sizes and memory of its own, for the blocks, limits and events that there are; before anything is placed. */
  fb_status (*measure)(fb_sim* s, fb_error* error);
  /* Takes its arrays: those that the further motion depends on from `state`, which a snapshot saves, the others from
   * `scratch`. Called twice, the first time only to measure; the arrays are NULL then. */
  void (*place)(fb_sim* s, fb_arena* state, fb_arena* scratch);
  /* Once they are placed. */
  fb_status (*start)(fb_sim* s, fb_error* error);
  /* At t = 0, with q and v in s->y. */
  fb_status (*begin)(fb_sim* s, fb_error* error);
  /* Its forces at (t, y): wrenches into the action, or forces on the coordinates into its own arrays. */
  fb_status (*act)(fb_sim* s, const fb_context* context, const double* y, fb_action* action, fb_error* error);
  /* The energy that it stores at q, with poses in d [J]. */
  double (*energy)(const fb_sim* s, const fb_data* d, const double* q);
  /* A step has been made, and is accepted. */
  void (*follow)(fb_sim* s);
  /* At the end of a step, before its events and ticks. */
  void (*arrive)(fb_sim* s);
  /* After the events and ticks of an instant. */
  void (*clear)(fb_sim* s);
  /* Whether its part of a snapshot is valid: indices in range, numbers finite. */
  int (*is_sound)(const fb_snapshot* snapshot);
  /* The state has been replaced, by a snapshot or by that of another model. */
  void (*restore)(fb_sim* s);
  /* A join or a parting: s has another model and new memory; its state continues that of old. */
  void (*carry)(fb_sim* s, const fb_sim* old);
  /* Before that: a copy of s keeps what depends on the model, which is to be created again. */
  void (*forget)(fb_sim* s);
  void (*free)(fb_sim* s);
} fb_part;

/* In the order in which they are called. */
#define FB_PART_LIST(PART) \
  PART(motion)             \
  PART(loop)               \
  PART(event)              \
  PART(limit)              \
  PART(contact)            \
  PART(block)              \
  PART(element)            \
  PART(ledger)             \
  PART(error)              \
  PART(regroup)

#define FB_PART_AS_DECLARATION(name) extern const fb_part fb_part_##name;
FB_PART_LIST(FB_PART_AS_DECLARATION)
#undef FB_PART_AS_DECLARATION

/* ---- parts.c: all of them, one after the other; the first failure ends it ---- */

fb_status fb_parts_measure(fb_sim* s, fb_error* error);
void fb_parts_place(fb_sim* s, fb_arena* state, fb_arena* scratch);
fb_status fb_parts_start(fb_sim* s, fb_error* error);
fb_status fb_parts_begin(fb_sim* s, fb_error* error);
fb_status fb_parts_act(fb_sim* s, const fb_context* context, const double* y, fb_action* action,
                       fb_error* error);
void fb_parts_add_energy(const fb_sim* s, const fb_data* d, const double* q, double* energy);
void fb_parts_follow(fb_sim* s);
void fb_parts_arrive(fb_sim* s);
void fb_parts_clear(fb_sim* s);
int fb_parts_are_sound(const fb_snapshot* snapshot);
void fb_parts_restore(fb_sim* s);
void fb_parts_carry(fb_sim* s, const fb_sim* old);
void fb_parts_forget(fb_sim* s);
void fb_parts_free(fb_sim* s);

/* For `carry`: count elements of a size, of which there may be none. */
static inline void fb_copy(void* to, const void* from, int count, size_t size) {
  if (count > 0) memcpy(to, from, (size_t)count * size);
}

/* ---- snapshot.c: for is_sound; `field` is the entry of the snapshot's simulation ---- */

void fb_snapshot_read(const fb_snapshot* snapshot, const void* field, void* value, size_t size);
int fb_snapshot_int(const fb_snapshot* snapshot, const int* field);
long long fb_snapshot_count(const fb_snapshot* snapshot, const long long* field);
/* A count that a simulation can have made. */
static inline int fb_snapshot_is_count(long long x) {
  return x >= 0 && x < 1LL << 53;
}
/* A periodic instant, due next at `next`, is not overdue by more than is possible in a simulation. */
int fb_snapshot_is_up_to_date(const fb_snapshot* snapshot, double next, double period);
/* All of them lie from lowest to highest; are finite. */
int fb_snapshot_ints_are(const fb_snapshot* snapshot, const int* field, int count, int lowest, int highest);
int fb_snapshot_numbers_are_finite(const fb_snapshot* snapshot, const double* field, int count);

#endif
