/* slopes.c -- the joints at the start of a scenario: which are moved, and how much stiffness and damping laws and soft stops add
 * to their own. */
#include <stdlib.h>
#include <string.h>

#include "scenario/build/build.h"
#include "scenario/kinds/kinds.h"

static int acts_in(const fb_scenario_block* block, int mode) {
  return mode == FB_EVERY_MODE || !block->modes || (block->modes >> mode & 1) != 0;
}

static void find_moved(const fb_scenario* s, int mode, unsigned char* prescribed) {
  const fb_model* m = s->model;
  for (int i = 0; i < s->nmotion; i++)
    for (int k = 0; s->motions[i].at_start && k < s->motions[i].count; k++)
      prescribed[s->motions[i].first + k] = 1;
  for (int i = 0; i < s->nblock; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    int moves = block->moves && block->kind->drives && acts_in(block, mode);
    for (int b = 1; moves && b < fb_model_nbody(m); b++)
      if (block->kind->drives(s, block, b))
        memset(prescribed + fb_joint_v_index(m, b), 1, (size_t)fb_joint_nv(m, b));
  }
}

/* A sampled law holds its force between samples: it is no spring. */
static void find_gains(const fb_scenario* s, int mode, fb_start_slopes* x) {
  for (int i = 0; i < s->nblock; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    if (!block->kind->gains || block->sampled || !acts_in(block, mode)) continue;
    double rate = block->kind->gains(block, x->stiffness, x->damping);
    if (!(rate > x->law_rate)) continue;
    x->law_rate = rate;
    x->law = block->name;
  }
}

/* Soft stops count as if they were touched, one of the two of a coordinate. */
static void find_soft_stops(const fb_scenario* s, fb_start_slopes* x) {
  for (int i = 0; i < s->nlimit; i++) {
    const fb_limit* l = &s->limits[i];
    if (i > 0 && l[-1].coordinate == l->coordinate) continue;
    x->stiffness[l->coordinate] += l->stiffness;
    x->damping[l->coordinate] += l->damping;
  }
}

fb_status fb_scenario_start_slopes(const fb_scenario* s, int mode, fb_start_slopes* x, fb_error* error) {
  size_t nv = (size_t)fb_model_nv(s->model);
  *x = (fb_start_slopes){.prescribed = calloc(nv + 1, 1), .stiffness = calloc(2 * nv + 1, sizeof(double))};
  if (!x->prescribed || !x->stiffness) return fb_scenario_no_memory(error);
  x->damping = x->stiffness + nv;
  find_moved(s, mode, x->prescribed);
  find_gains(s, mode, x);
  find_soft_stops(s, x);
  return FB_OK;
}

void fb_start_slopes_free(fb_start_slopes* x) {
  free(x->prescribed);
  free(x->stiffness);
}
