/* blocks.c -- the blocks of a simulation as a part: their memory, states and ports, and their start. */

#include <freebody/status.h>

#include "sim/event/event.h"
#include "sim/flow.h"
#include "sim/part.h"

static fb_status measure(fb_sim* s, fb_error* error) {
  for (int i = 0; i < s->block.count; i++)
    if (s->block.list[i].moves && !s->stepper.traits.takes_moved)
      return fb_fail(error, FB_ERR_UNSUPPORTED,
                     "block \"%s\" moves joints by accelerations, which the %s method cannot take; use "
                     "another method, or let the law give forces",
                     s->block.list[i].name, s->stepper.name);
  return FB_OK;
}

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_blocks* to = &s->block;
  FB_BLOCKS_STATE(FB_FIELD_IN_STATE)
  FB_BLOCKS_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static fb_status start(fb_sim* s, fb_error* error) {
  for (int i = 0, memory = 0, x = 0; i < s->block.count; i++) {
    s->block.memory_offset[i] = memory;
    s->block.state_offset[i] = x;
    memory += s->block.list[i].nmemory;
    x += s->block.list[i].nstate;
  }
  return fb_ports_start(s, error);
}

static fb_status begin(fb_sim* s, fb_error* error) {
  fb_context context = fb_flow_context(s, 0, s->y);
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* b = &s->block.list[i];
    fb_status status = b->start ? b->start(b->user, &context, s->block.memory + s->block.memory_offset[i],
                                           fb_y_x(s, s->y) + s->block.state_offset[i], error)
                                : FB_OK;
    if (status) return fb_block_failed(b, 0, status, error);
  }
  return s->block.take_up ? s->block.take_up(s->block.take_up_user, s, error) : FB_OK;
}

/* Due ticks are made one by one, so their number must be one that a simulation can leave. */
static int is_sound(const fb_snapshot* snapshot) {
  const fb_sim* s = snapshot->s;
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* b = &s->block.list[i];
    long long ticks = fb_snapshot_count(snapshot, &s->block.ticks[i]);
    if (!fb_snapshot_is_count(ticks) ||
        (b->tick && !fb_snapshot_is_up_to_date(snapshot, (double)ticks * b->period, b->period)))
      return 0;
  }
  return 1;
}

static void carry(fb_sim* s, const fb_sim* old) {
  fb_copy(s->block.memory, old->block.memory, s->block.nmemory, sizeof *s->block.memory);
  fb_copy(fb_y_x(s, s->y), old->y + old->nq + old->nv, s->nx, sizeof *s->y);
  fb_copy(s->block.ticks, old->block.ticks, s->block.count, sizeof *s->block.ticks);
}

const fb_part fb_part_block = {
    .measure = measure, .place = place, .start = start, .begin = begin, .is_sound = is_sound, .carry = carry};
