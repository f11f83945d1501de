/* law_rates.c -- the rate of the fastest law that does not say how fast it is: frame laws, impedance, force control, task QP,
 * attitude, scripts and plugins. They are asked (sim/probe.c), in a simulation of their own that is made for that and thrown away:
 * what a law keeps to itself is not disturbed. All are asked at the start, those of other modes too. */
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

double fb_scenario_law_rate(const fb_scenario* s, const char** law) {
  fb_sim* sim = NULL;
  fb_error ignored; /* what is wrong with it is said when the scenario is tried as a whole */
  double fastest = 0;
  int count = 0;
  for (int i = 0; i < s->nblock; i++) count += is_unknown(&s->blocks[i]);
  *law = NULL;
  if (count == 0 || fb_scenario_try_sim(s, &sim, &ignored)) return 0;
  for (int i = 0; i < s->nblock; i++) {
    int block = is_unknown(&s->blocks[i]) ? fb_sim_find_block(sim, s->blocks[i].name) : -1, coordinate;
    double rate = block >= 0 ? fb_sim_probe_rate(sim, block, &coordinate) : 0;
    if (!(rate > fastest)) continue;
    fastest = rate;
    *law = s->blocks[i].name;
  }
  fb_sim_free(sim);
  return fastest;
}
