/* fuzz_sim.c -- a scenario from a stranger: it is refused, or it can be explained, simulated and resumed. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "scenario/build/build.h"

fb_scenario* fuzz_scenario(const char* text, size_t size, const char* const* set) {
  fb_scenario* s = NULL;
  fb_error error;
  fb_scenario_options options = fb_default_scenario_options();
  options.set = set;
  /* The models and scripts that scenarios of the tests name lie there. */
  fb_status status = fb_scenario_parse(text, size, FB_TEST_DATA "/scenario/fuzz.yaml", &options, &s, &error);
  fuzz_check(fuzz_ok(status, &error) == (s != NULL), "a scenario and a status that do not fit");
  return s;
}

fb_status fuzz_steps(fb_sim* sim, double t_limit, int most) {
  fb_error error;
  fb_status status = FB_OK;
  for (int i = 0; i < most && status == FB_OK && !fb_sim_stopped(sim) && fb_sim_time(sim) < t_limit; i++) {
    double before = fb_sim_time(sim);
    status = fb_sim_step(sim, t_limit, &error);
    fuzz_ok(status, &error);
    fuzz_check(status != FB_OK || (fb_sim_time(sim) >= before && fb_sim_time(sim) <= t_limit),
               "a step from %.17g towards %.17g ended at %.17g", before, t_limit, fb_sim_time(sim));
  }
  return status;
}

void fuzz_step_twice(fb_sim* sim, double duration) {
  enum { STEPS = 3 };
  size_t size = fb_sim_snapshot_size(sim);
  char *begin = (char*)malloc(size), *first = (char*)malloc(size), *second = (char*)malloc(size);
  fb_error error;
  fuzz_check(begin && first && second, "out of memory");
  if (fuzz_steps(sim, duration, STEPS) == FB_OK) {
    fb_sim_save(sim, begin);
    fb_status status = fuzz_steps(sim, duration, STEPS);
    fb_sim_save(sim, first);
    fuzz_check(fb_sim_restore(sim, begin, size, &error) == FB_OK, "a snapshot is refused: %s", error.text);
    fuzz_check(fuzz_steps(sim, duration, STEPS) == status, "the steps end otherwise from a snapshot");
    fb_sim_save(sim, second);
    if (status == FB_OK)
      fuzz_check(memcmp(first, second, size) == 0, "the steps lead elsewhere from a snapshot");
  }
  free(begin);
  free(first);
  free(second);
}

void fuzz_simulate(const fb_scenario* s) {
  fb_error error;
  char* text = NULL;
  size_t size;
  if (fuzz_ok(fb_scenario_explain(s, &text, &size, &error), &error))
    fuzz_check(strlen(text) == size, "an explanation of %zu bytes that says %zu", strlen(text), size);
  free(text);
  fb_sim* sim = NULL;
  fuzz_check(fb_scenario_try_sim(s, &sim, &error) == FB_OK, "accepted, but not simulated: %s", error.text);
  fuzz_accept();
  fuzz_step_twice(sim, fb_scenario_duration(s));
  fb_sim_free(sim);
}
