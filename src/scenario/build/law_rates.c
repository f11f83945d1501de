/* law_rates.c -- the rate of the fastest law that does not declare its gains: frame laws, impedance, force control, task QP,
 * attitude, scripts and plugins
 *
 * Their slopes are found by differences (sim/diagnosis/probe.c), in a simulation that is made for this and freed, so that memory
 * which a law keeps outside the simulation is not changed. Laws of all modes are probed at the start. Some compensate the dampers
 * of joints: computed torque declares it, others are detected by probing them together with the joints. */
#include <math.h>
#include <stdlib.h>

#include "scenario/build/build.h"
#include "scenario/kinds/kinds.h"
#include "sim/access.h"

/* Laws of joints declare their gains; sampled ones hold their force between samples, and hosts and other processes theirs. */
static int is_unknown(const fb_scenario_block* block) {
  return fb_kind_is_in(block->kind, FB_SECTION_CONTROL) && !block->kind->gains && !block->sampled &&
         !fb_scenario_is_input(block);
}

/* Computed torque without bounds leaves nothing of the dampers; with one, it may come to it. */
static void mark_compensated(const fb_scenario_block* block, unsigned char* compensated) {
  const fb_joint_law* law = (const fb_joint_law*)block->settings;
  if (block->kind != &fb_kind_control_computed_torque || block->sampled || block->modes) return;
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
static void probe_together(const fb_scenario* s, fb_sim* sim, fb_law_rates* laws) {
  unsigned char* with = calloc((size_t)fb_sim_nblock(sim) + 1, 1);
  if (!with) return;
  mark_laws(s, sim, 0, with);
  laws->passive = fb_sim_probe_whole(sim, with);
  mark_laws(s, sim, 1, with);
  laws->whole = fb_sim_probe_whole(sim, with);
  free(with);
}

static void probe_each(const fb_scenario* s, fb_sim* sim, fb_law_rates* laws) {
  for (int i = 0; i < s->nblock; i++) {
    const fb_scenario_block* block = &s->blocks[i];
    int at = fb_sim_find_block(sim, block->name), coordinate;
    if (at < 0) continue;
    double rate = is_unknown(block) ? fb_sim_probe_rate(sim, at, &coordinate) : 0;
    if (!(rate > laws->rate)) continue;
    laws->rate = rate;
    laws->law = block->name;
  }
}

fb_status fb_scenario_find_law_rates(const fb_scenario* s, fb_law_rates* laws, fb_error* error) {
  fb_sim* sim = NULL;
  fb_error ignored; /* what is wrong with it is said when the scenario is tried as a whole */
  int unknown = 0;
  *laws = (fb_law_rates){.passive = NAN, .whole = NAN};
  laws->compensated = calloc((size_t)fb_model_nv(s->model) + 1, 1);
  if (!laws->compensated) return fb_scenario_no_memory(error);
  for (int i = 0; i < s->nblock; i++) {
    mark_compensated(&s->blocks[i], laws->compensated);
    unknown += is_unknown(&s->blocks[i]);
  }
  if (unknown == 0 || fb_scenario_try_sim(s, &sim, &ignored)) return FB_OK;
  probe_each(s, sim, laws);
  probe_together(s, sim, laws);
  fb_sim_free(sim);
  return FB_OK;
}

void fb_law_rates_free(fb_law_rates* laws) {
  free(laws->compensated);
}
