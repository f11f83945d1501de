/* law_rates.c -- the rate of the fastest law that does not say how fast it is: frame laws, impedance, force control, task QP,
 * attitude, scripts and plugins. They are asked (sim/probe.c), in a simulation of their own that is made for that and thrown away:
 * what a law keeps to itself is not disturbed. All are asked at the start, those of other modes too.
 * Some compensate the dampers of joints: computed torque is known to, others show it when they are asked together with the joints. */
#include <math.h>
#include <stdlib.h>

#include "scenario/kinds.h"
#include "sim/diagnosis.h"
#include "sim/sim.h"

/* Laws of joints declare their gains; sampled ones hold their force between samples, and hosts and other processes theirs. */
static int is_unknown(const fb_scenario_block* block) {
  if (block->kind->gains || block->sampled || block->kind == &fb_kind_input) return 0;
  for (int i = 0; fb_kinds[i]; i++)
    if (fb_kinds[i] == block->kind) return 1;
  return 0;
}

/* Computed torque without bounds leaves nothing of the dampers; with one, it may come to it. */
static void mark_compensated(const fb_scenario_block* block, unsigned char* compensated) {
  const fb_joint_law* law = (const fb_joint_law*)block->settings;
  if (block->kind != &fb_kind_computed_torque || block->sampled || block->modes) return;
  for (int i = 0; i < law->count; i++)
    if (isinf(law->joints[i].effort)) compensated[law->joints[i].coordinate] = 1;
}

/* Marks the laws that act in every mode and by force. */
static void mark_laws(const fb_scenario* s, const fb_sim* sim, int unknown, unsigned char* with) {
  for (int i = 0; i < s->nblock; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    int at = fb_sim_find_block(sim, block->name), law = unknown ? is_unknown(block) : !!block->kind->gains;
    if (at >= 0 && law && !block->sampled && !block->moves && !block->modes) with[at] = 1;
  }
}

/* Joints and the laws of joints together, then with the other laws. */
static void ask_together(const fb_scenario* s, fb_sim* sim, fb_law_rates* asked) {
  unsigned char* with = calloc((size_t)sim->nblock + 1, 1);
  if (!with) return;
  mark_laws(s, sim, 0, with);
  asked->passive = fb_sim_probe_whole(sim, with);
  mark_laws(s, sim, 1, with);
  asked->whole = fb_sim_probe_whole(sim, with);
  free(with);
}

static void ask_each(const fb_scenario* s, fb_sim* sim, fb_law_rates* asked) {
  for (int i = 0; i < s->nblock; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    int at = fb_sim_find_block(sim, block->name), coordinate;
    if (at < 0) continue;
    double rate = is_unknown(block) ? fb_sim_probe_rate(sim, at, &coordinate) : 0;
    if (!(rate > asked->rate)) continue;
    asked->rate = rate;
    asked->law = block->name;
  }
}

fb_status fb_scenario_ask_laws(const fb_scenario* s, fb_law_rates* asked, fb_error* error) {
  fb_sim* sim = NULL;
  fb_error ignored; /* what is wrong with it is said when the scenario is tried as a whole */
  int unknown = 0;
  *asked = (fb_law_rates){.passive = NAN, .whole = NAN};
  asked->compensated = calloc((size_t)fb_model_nv(s->model) + 1, 1);
  if (!asked->compensated) return fb_scenario_no_memory(error);
  for (int i = 0; i < s->nblock; i++) {
    mark_compensated(&s->blocks[i], asked->compensated);
    unknown += is_unknown(&s->blocks[i]);
  }
  if (unknown == 0 || fb_scenario_try_sim(s, &sim, &ignored)) return FB_OK;
  ask_each(s, sim, asked);
  ask_together(s, sim, asked);
  fb_sim_free(sim);
  return FB_OK;
}

void fb_law_rates_free(fb_law_rates* asked) {
  free(asked->compensated);
}
