/* parts.c -- calls the functions of all parts of a simulation (part.h), one after the other. */
#include "sim/part.h"

#include <freebody/status.h>

#define FB_PART_AS_ENTRY(name) &fb_part_##name,
static const fb_part* const PARTS[] = {FB_PART_LIST(FB_PART_AS_ENTRY)};
#undef FB_PART_AS_ENTRY
enum { COUNT = sizeof PARTS / sizeof PARTS[0] };

fb_status fb_parts_measure(fb_sim* s, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < COUNT && !status; i++)
    if (PARTS[i]->measure) status = PARTS[i]->measure(s, error);
  return status;
}

void fb_parts_place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->place) PARTS[i]->place(s, state, scratch);
}

fb_status fb_parts_start(fb_sim* s, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < COUNT && !status; i++)
    if (PARTS[i]->start) status = PARTS[i]->start(s, error);
  return status;
}

fb_status fb_parts_begin(fb_sim* s, fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < COUNT && !status; i++)
    if (PARTS[i]->begin) status = PARTS[i]->begin(s, error);
  return status;
}

fb_status fb_parts_act(fb_sim* s, const fb_context* context, const double* y, fb_action* action,
                       fb_error* error) {
  fb_status status = FB_OK;
  for (int i = 0; i < COUNT && !status; i++)
    if (PARTS[i]->act) status = PARTS[i]->act(s, context, y, action, error);
  return status;
}

void fb_parts_add_energy(const fb_sim* s, const fb_data* d, const double* q, double* energy) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->energy) *energy += PARTS[i]->energy(s, d, q);
}

void fb_parts_follow(fb_sim* s) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->follow) PARTS[i]->follow(s);
}

void fb_parts_arrive(fb_sim* s) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->arrive) PARTS[i]->arrive(s);
}

void fb_parts_clear(fb_sim* s) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->clear) PARTS[i]->clear(s);
}

int fb_parts_are_sound(const fb_snapshot* snapshot) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->is_sound && !PARTS[i]->is_sound(snapshot)) return 0;
  return 1;
}

void fb_parts_restore(fb_sim* s) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->restore) PARTS[i]->restore(s);
}

void fb_parts_carry(fb_sim* s, const fb_sim* old) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->carry) PARTS[i]->carry(s, old);
}

void fb_parts_forget(fb_sim* s) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->forget) PARTS[i]->forget(s);
}

void fb_parts_free(fb_sim* s) {
  for (int i = 0; i < COUNT; i++)
    if (PARTS[i]->free) PARTS[i]->free(s);
}
