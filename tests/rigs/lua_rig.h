/* lua_rig.h -- scripts and simulations with them, for the tests of Lua. Include after cmocka.h. */
#ifndef FB_TESTS_LUA_RIG_H
#define FB_TESTS_LUA_RIG_H

#include <freebody/lua.h>

#include "sim_rig.h"

/* In these scripts A is "function act(t, q, v)", T "function tick(t, q, v)". */
#define A "function act(t, q, v) "
#define T "function tick(t, q, v) "

static inline fb_lua_options small_limits(double period) {
  fb_lua_options options = fb_default_lua_options();
  options.period = period;
  options.most_instructions = 100000;
  options.most_memory = 1 << 20;
  return options;
}

static inline fb_block script_or_fail(const fb_model* m, const char* name, const char* text, double period) {
  fb_block block;
  fb_error error;
  fb_lua_options options = small_limits(period);
  if (fb_block_new_lua(m, name, text, strlen(text), "control.lua", &options, &block, &error))
    fail_msg("line %d: %s\n%s", error.place.line, error.text, text);
  return block;
}

static inline fb_sim* sim_with(const fb_model* m, const fb_block* block, double step) {
  fb_sim_options options = options_of(FB_METHOD_RK4, step);
  fb_sim* sim = sim_or_fail(m, &options);
  block_or_fail(sim, block);
  return sim;
}

#endif
