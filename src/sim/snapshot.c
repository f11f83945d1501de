/* snapshot.c -- all that the future depends on, as one block of bytes: out and in again. */
#include <string.h>

#include "base/error.h"
#include "sim/sim.h"

size_t fb_sim_snapshot_size(const fb_sim* s) {
  return s->state_size;
}

void fb_sim_save(fb_sim* s, void* snapshot) {
  if (!s->started) return;
  fb_sim_forget(s);
  memcpy(snapshot, s->head, s->state_size);
}

fb_status fb_sim_restore(fb_sim* s, const void* snapshot, size_t size, fb_error* error) {
  fb_sim_head head;
  if (!s->started) return fb_fail(error, FB_ERR_ARG, "a simulation must be started before it is restored");
  if (size == s->state_size) memcpy(&head, snapshot, sizeof head);
  if (size != s->state_size || memcmp(head.signature, s->head->signature, sizeof head.signature) != 0)
    return fb_fail(error, FB_ERR_STATE,
                   "this snapshot (%zu bytes) is of another simulation: another model, or other blocks, "
                   "events or limits",
                   size);
  memcpy(s->head, snapshot, s->state_size);
  s->t0 = s->head->t;
  memcpy(s->y0, s->y, (size_t)s->ny * sizeof *s->y);
  s->nhappening = s->unsettled = s->contacts_due = 0;
  if (s->nlimit > 0) memset(s->phases, 0, (size_t)s->nlimit);
  fb_sim_forget(s);
  return FB_OK;
}
