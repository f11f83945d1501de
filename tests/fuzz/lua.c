/* lua.c -- harness: scripts from a stranger, in the sandbox with small limits. */
#include <stdlib.h>
#include <string.h>

#include <freebody/configuration.h>
#include <freebody/lua.h>

#include "fuzz.h"
#include "scenario/scenario.h"

static void count_note(void* user, const char* text) {
  *(size_t*)user += strlen(text);
}

static fb_lua_options limits(size_t* printed) {
  fb_lua_options options = fb_default_lua_options();
  options.period = 0.02;
  options.most_instructions = 100000;
  options.most_memory = 1 << 20;
  options.note = count_note;
  options.note_user = printed;
  return options;
}

/* A run with the script can be stopped and resumed to the bit. */
static void simulate(const fb_model* m, const fb_block* block) {
  fb_sim* sim = NULL;
  fb_error error;
  fb_sim_options options = fb_default_sim_options();
  fuzz_check(fb_sim_new(m, &options, &sim, &error) == FB_OK, "%s", error.text);
  if (!fuzz_ok(fb_sim_add_block(sim, block, NULL, &error), &error)) {
    fb_sim_free(sim);
    return;
  }
  double q[64], v[64] = {0};
  fuzz_check(fb_model_nq(m) <= 64, "the model is larger than expected");
  fb_neutral(m, q);
  if (fuzz_ok(fb_sim_start(sim, q, v, &error), &error)) fuzz_step_twice(sim, 1);
  fb_sim_free(sim);
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static fb_scenario* s;
  size_t printed = 0;
  fb_block block;
  fb_error error;
  static const char robot[] = "scenario: 1\nmodel: robot.yaml\n";
  if (!s) s = fuzz_scenario(robot, sizeof robot - 1, NULL);
  fuzz_check(s, "robot.yaml is refused");
  const fb_model* m = fb_scenario_model(s);
  fb_lua_options options = limits(&printed);
  char* text = fuzz_text(data, size);
  if (fuzz_ok(fb_block_new_lua(m, "script", text, size, "input.lua", &options, &block, &error), &error)) {
    fuzz_accept();
    simulate(m, &block);
  }
  free(text);
  return 0;
}
