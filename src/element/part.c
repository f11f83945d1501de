/* part.c -- springs, tethers and bushings as a part of a simulation. */
#include "element/element.h"
#include "element/elements.h"
#include "sim/part.h"

static fb_status measure(fb_sim* s, fb_error* error) {
  (void)error;
  s->element.count = s->element.ntether = 0;
  for (int i = 0; i < s->block.count; i++) {
    const fb_pair* element = fb_pair_of(&s->block.list[i]);
    s->element.count += element != NULL;
    s->element.ntether += element && element->slack;
  }
  return FB_OK;
}

static void place(fb_sim* s, fb_arena* state, fb_arena* scratch) {
  fb_elements* to = &s->element;
  (void)state;
  FB_ELEMENTS_SCRATCH(FB_FIELD_IN_SCRATCH)
}

static fb_status start(fb_sim* s, fb_error* error) {
  (void)error;
  for (int i = 0, n = 0; i < s->block.count; i++)
    if (fb_pair_of(&s->block.list[i])) s->element.block[n++] = i;
  return FB_OK;
}

static fb_status begin(fb_sim* s, fb_error* error) {
  (void)error;
  fb_pairs_update(s);
  return FB_OK;
}

static double energy(const fb_sim* s, const fb_data* d, const double* q) {
  (void)q;
  return fb_pairs_energy(s, d);
}

static void arrive(fb_sim* s) {
  if (s->limit.work) fb_pairs_follow(s);
}

static void restore(fb_sim* s) {
  fb_pairs_update(s);
}

const fb_part fb_part_element = {.measure = measure,
                                 .place = place,
                                 .start = start,
                                 .begin = begin,
                                 .act = fb_pairs_push,
                                 .energy = energy,
                                 .arrive = arrive,
                                 .restore = restore};
