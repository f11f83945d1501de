/* api_handle.c -- the objects behind freebody.Model, Simulation and Run, by numbers that are never used twice
 *
 * A number that is not in the table belongs to an object that was deleted, or to a library that was unloaded since; both
 * are errors. While objects exist, the library stays in memory when functions are cleared. */
#include "api.h"

#include <stdlib.h>

typedef struct slot {
  double id;
  api_kind kind;
  void* object;
  void (*release)(void*);
} slot;

static slot* slots;
static int count, room;
static double last_id;

static const char* const CLASSES[] = {"freebody.Model", "freebody.Simulation", "freebody.Run",
                                      "freebody.Run"};

static void no_memory(const mx_call* c, void* object, void (*release)(void*)) {
  release(object);
  mx_fail(c, "FB_ERR_MEMORY", "out of memory");
}

mxArray* api_keep(const mx_call* c, api_kind kind, void* object, void (*release)(void*)) {
  if (count == room) {
    slot* more = realloc(slots, (size_t)(2 * room + 8) * sizeof *more);
    if (!more) no_memory(c, object, release);
    slots = more;
    room = 2 * room + 8;
  }
  static int locked;
  if (!locked) mexLock();
  locked = 1;
  slots[count++] = (slot){.id = ++last_id, .kind = kind, .object = object, .release = release};
  return mxCreateDoubleScalar(last_id);
}

static int find(double id) {
  for (int i = count - 1; i >= 0; i--)
    if (slots[i].id == id) return i;
  return -1;
}

void* api_get(const mx_call* c, api_kind kind) {
  double id = mx_scalar(c, 0, "the handle");
  int at = find(id);
  if (at < 0 || slots[at].kind != kind)
    mx_fail(c, "handle", "this %s was deleted; make a new one", CLASSES[kind]);
  return slots[at].object;
}

void api_free(mx_call* c) {
  int at = find(mx_scalar(c, 0, "the handle"));
  if (at < 0) return;
  slot removed = slots[at];
  slots[at] = slots[--count];
  removed.release(removed.object);
}

/* Runs and simulations before the models they use: the last made goes first. */
void api_free_all(void) {
  while (count > 0) {
    slot removed = slots[--count];
    removed.release(removed.object);
  }
  free(slots);
  slots = NULL;
  room = 0;
}
