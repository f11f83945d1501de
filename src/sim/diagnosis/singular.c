/* singular.c -- laws near a pose in which the joints cannot move their frame along some direction
 *
 * There a law of a frame demands unbounded joint accelerations, and no step is short enough. The outputs
 * "conditioning" and "singular_value" of laws show how near they are; they are read only after something has gone
 * wrong. */
#include <math.h>
#include <string.h>

#include "sim/diagnosis/diagnosis.h"
#include "sim/sim.h"
#include "sim/flow.h"
#include "sim/event/event.h"

/* The index of the output of this name among those of a block; -1: it has none. */
static int find_output(const fb_block* block, const char* name) {
  int at = 0;
  for (int i = 0; i < block->noutput; at += block->outputs[i++].count)
    if (strcmp(block->outputs[i].name, name) == 0) return at;
  return -1;
}

static void check_block(fb_sim* s, int i, double t, const double* y, fb_singular* found) {
  const fb_block* block = &s->block.list[i];
  int part = find_output(block, "conditioning"), value = find_output(block, "singular_value");
  if (part < 0 || value < 0 || !block->output || !fb_block_acts(s, i)) return;
  if (block->ninput > 0 && fb_ports_fill(s, t, y, NULL)) return;
  fb_context context = fb_flow_context(s, t, y);
  double* out = s->block.out + s->block.out_offset[i];
  context.inputs = s->block.in + s->block.in_offset[i];
  memset(out, 0, (size_t)fb_port_width(block->outputs, block->noutput) * sizeof *out);
  if (block->output(block->user, &context, s->block.memory + s->block.memory_offset[i],
                    y + s->nq + s->nv + s->block.state_offset[i], out, NULL))
    return;
  if (out[part] < found->part) *found = (fb_singular){i, out[value], out[part], t};
}

/* A motion that has run away passes singular poses by chance. */
static int is_thrown(const fb_sim* s, const double* v) {
  static const double FAST = 1e3; /* m/s or rad/s */
  for (int k = 0; k < s->nv; k++)
    if (!s->chart.is_free[k] && !(fabs(v[k]) < FAST)) return 1;
  return 0;
}

void fb_singular_probe(fb_sim* s, double t, const double* y, fb_singular* found) {
  if (!fb_sim_is_finite(s, y) || is_thrown(s, y + s->nq)) return;
  for (int i = 0; i < s->block.count; i++) check_block(s, i, t, y, found);
}

void fb_singular_note(fb_sim* s) {
  fb_singular_probe(s, s->step.t0, s->y0, &s->failure.singular);
  fb_singular_probe(s, s->head->t, s->y, &s->failure.singular);
}
