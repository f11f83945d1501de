/* lua.c -- the entry points of Lua, which is optional in a build. */
#include <freebody/lua.h>
#include <freebody/status.h>

#include <math.h>

#ifdef FB_LUA
#include "adapters/lua/script.h"
#include "base/cookie.h"
#endif

enum { LEAST_MEMORY = 1 << 18 };

fb_lua_options fb_default_lua_options(void) {
  return (fb_lua_options){.most_instructions = 10 * 1000 * 1000,
                          .most_seconds = 1,
                          .most_memory = (size_t)64 << 20,
                          .cookie_ = FB_COOKIE};
}

static fb_status check_options(const char* name, const fb_lua_options* o, fb_error* error) {
  if (fb_cookie_check_of_block(name, o->cookie_, "lua_options", error)) return FB_ERR_ARG;
  if (!(o->period >= 0) || isinf(o->period))
    return fb_fail(error, FB_ERR_ARG, "block \"%s\": the period is %g s; it must be 0 (no tick) or more",
                   name, o->period);
  if (o->most_instructions < 1 || !(o->most_seconds > 0))
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": a call may use %lld instructions and %g s; both must be greater than 0",
                   name, o->most_instructions, o->most_seconds);
  if (o->most_memory < LEAST_MEMORY)
    return fb_fail(error, FB_ERR_ARG,
                   "block \"%s\": the script may have %zu bytes of memory; give it %d or more", name,
                   o->most_memory, LEAST_MEMORY);
  return FB_OK;
}

fb_status fb_block_new_lua(const fb_model* m, const char* name, const char* text, size_t size,
                           const char* file, const fb_lua_options* options, fb_block* block,
                           fb_error* error) {
  const fb_lua_options standard = fb_default_lua_options();
  if (!options) options = &standard;
  *block = fb_default_block();
  if (!name || !*name) return fb_fail(error, FB_ERR_NAME, "a Lua block needs a name");
  fb_status status = check_options(name, options, error);
  if (status) return status;
#ifdef FB_LUA
  return fb_lua_make(m, name, text, size, file, options, block, error);
#else
  (void)m, (void)text, (void)size, (void)file;
  return fb_fail(error, FB_ERR_UNSUPPORTED,
                 "block \"%s\" is a Lua script, and this build of Freebody lacks Lua 5.4; install it "
                 "(Debian: liblua5.4-dev) and build again, or use a ready-made control law or a plugin",
                 name);
#endif
}

int fb_lua_available(void) {
#ifdef FB_LUA
  return 1;
#else
  return 0;
#endif
}
