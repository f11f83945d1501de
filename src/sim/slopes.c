/* slopes.c -- slopes of the forces on each coordinate over its position and its rate
 *
 *   stiffness_k = -d force_k / d q_k,   damping_k = -d force_k / d v_k,   both at least 0
 *
 * of springs and dampers, those of soft stops that push included, and of the laws that declare theirs
 * (fb_block.gains). The implicit method puts them on the diagonal of the recursion. Laws that compensate springs,
 * dampers and friction declare for which coordinates: these have no slope. Free joints have no armature to add them
 * to: theirs are left out. Cost O(n) plus the laws'. */
#include <string.h>

#include "sim/sim.h"
#include "limit/stops.h"
#include "sim/flow.h"

/* 0 for NaN too; large values are bounded, so that no pivot becomes infinite. */
static double in_range(double x) {
  return x > 0 ? x < 1e300 ? x : 1e300 : 0;
}

/* Zero on free joints and on moved coordinates, which are not on the diagonal. */
static void bound(const fb_sim* s, fb_slopes* slopes) {
  int moved = fb_sim_moves_any(s);
  for (int k = 0; k < s->nv; k++) {
    int reached = !s->chart.is_free[k] && !(moved && s->motion.prescribed[k]);
    slopes->stiffness[k] = reached ? in_range(slopes->stiffness[k]) : 0;
    slopes->damping[k] = reached ? in_range(slopes->damping[k]) : 0;
  }
}

void fb_slopes_passive(const fb_sim* s, const unsigned char* compensated, fb_slopes* slopes) {
  const fb_parameters* par = s->d->par;
  int kinds = par->has_passive[0] == 0 ? 0 : s->loads.passive;
  for (int k = 0; k < s->nv; k++) {
    int counts = !(compensated && compensated[k]);
    slopes->stiffness[k] = counts && kinds & FB_PASSIVE_SPRINGS ? par->stiffness[k] : 0;
    slopes->damping[k] = counts && kinds & FB_PASSIVE_DAMPERS ? par->damping[k] : 0;
  }
  fb_soft_stops_add_gains(s, slopes->stiffness, slopes->damping);
  bound(s, slopes);
}

/* Whether a block declares gains; where none does, the slopes stay zero. */
static int any_gains(const fb_sim* s) {
  for (int i = 0; i < s->block.count; i++)
    if (s->block.list[i].gains) return 1;
  return 0;
}

void fb_slopes_blocks(fb_sim* s, double t, const double* y, fb_slopes* slopes) {
  if (!any_gains(s)) return;
  memset(slopes->stiffness, 0, (size_t)s->nv * sizeof(double));
  memset(slopes->damping, 0, (size_t)s->nv * sizeof(double));
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* block = &s->block.list[i];
    if (!block->gains || !fb_block_acts(s, i)) continue;
    fb_context context = fb_flow_context(s, t, y);
    context.inputs = s->block.in + s->block.in_offset[i];
    block->gains(block->user, &context, s->block.memory + s->block.memory_offset[i],
                 y + s->nq + s->nv + s->block.state_offset[i], slopes->stiffness, slopes->damping);
  }
  bound(s, slopes);
}

void fb_slopes_compensated(fb_sim* s, double t, const double* y, unsigned char* compensated) {
  memset(compensated, 0, (size_t)s->nv);
  for (int i = 0; i < s->block.count; i++) {
    const fb_block* block = &s->block.list[i];
    if (!block->compensates_ || !fb_block_acts(s, i)) continue;
    fb_context context = fb_flow_context(s, t, y);
    block->compensates_(block->user, &context, s->block.memory + s->block.memory_offset[i], compensated);
  }
}
