/* singular.c -- laws near a pose in which the joints cannot move their frame along some direction
 *
 * There a law of a frame asks for joint accelerations without bound. What then goes wrong is not the step's fault. Laws say how
 * near they are by the outputs "conditioning" and "singular_value"; they are looked at only where something has gone wrong. */
#include <math.h>
#include <string.h>

#include "sim/diagnosis.h"
#include "sim/sim.h"
#include "sim/flow.h"
#include "sim/event.h"

/* Where the output of this name begins among those of a block; -1: it has none. */
static int find_output(const fb_block* block, const char* name) {
  int at = 0;
  for (int i = 0; i < block->noutput; at += block->outputs[i++].count)
    if (strcmp(block->outputs[i].name, name) == 0) return at;
  return -1;
}

static void look_at(fb_sim* s, int i, double t, const double* y, fb_singular* found) {
  const fb_block* block = &s->blocks[i];
  int part = find_output(block, "conditioning"), value = find_output(block, "singular_value");
  if (part < 0 || value < 0 || !block->output || !fb_block_acts(s, i)) return;
  if (block->ninput > 0 && fb_ports_fill(s, t, y, NULL)) return;
  fb_context context = fb_flow_context(s, t, y);
  double* out = s->out + s->block_out[i];
  context.inputs = s->in + s->block_in[i];
  memset(out, 0, (size_t)fb_ports_width(block->outputs, block->noutput) * sizeof *out);
  if (block->output(block->user, &context, s->memory + s->block_memory[i],
                    y + s->nq + s->nv + s->block_state[i], out, NULL))
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

void fb_singular_look(fb_sim* s, double t, const double* y, fb_singular* found) {
  if (!fb_sim_is_finite(s, y) || is_thrown(s, y + s->nq)) return;
  for (int i = 0; i < s->nblock; i++) look_at(s, i, t, y, found);
}

void fb_singular_note(fb_sim* s) {
  fb_singular_look(s, s->t0, s->y0, &s->singular);
  fb_singular_look(s, s->head->t, s->y, &s->singular);
}
