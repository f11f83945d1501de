/* lua.h -- control laws as Lua 5.4 scripts, in a sandbox (libfreebody_io).
 *
 * A script defines functions, one of act and tick at least, and tables that it declares while it is loaded:
 *
 *   parameters = {kp = 100}                  -- numbers that scenarios and events set; the script reads them
 *   state = {integral = 0}                   -- numbers that tick may change; kept with the run
 *   wrenches = 1                             -- how many wrenches a call may add; 0 when not given
 *   outputs = {error = {"rad", 1}}           -- numbers that it tells, each a signal BLOCK.NAME: unit, count, axes
 *   inputs = {["gyro.rate"] = 3}             -- signals that it takes: the fourth argument of its functions, by name
 *   function tick(t, q, v) ... end           -- at a fixed rate (period > 0); may write state; returns tau, held
 *   function act(t, q, v) ... return tau end -- at every stage; must not write state; returns tau, nv numbers or nil
 *   function output(t, q, v) ... end         -- returns the outputs, by name; must not write state
 *
 * and calls pose, jacobian, floating_jacobian, inertia, bias, inverse_dynamics ... (docs/lua.md). No files, processes,
 * loading of code or unbounded library functions; instructions, time and memory of a call are bounded. */
#ifndef FREEBODY_LUA_H
#define FREEBODY_LUA_H

#include <stddef.h>

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/status.h>

typedef struct fb_lua_options {
  double period;               /* of tick; 0: there is none [s] */
  long long most_instructions; /* of one call; 10 million */
  double most_seconds;         /* of one call, by the wall clock; 1 */
  size_t most_memory;          /* of the script; 64 MiB */
  /* Values other than the script's own for some of its parameters. Read by fb_lua_block only. */
  const char* const* parameter_names; /* [nparameter] */
  const double* parameter_values;     /* [nparameter] */
  int nparameter;
  void (*note)(void* user, const char* text); /* gets what the script prints; NULL: nobody does */
  void* note_user;
  int cookie_; /* set by fb_default_lua_options */
} fb_lua_options;

FB_BEGIN_DECLS

FB_API fb_lua_options fb_default_lua_options(void);
/* Whether this build has Lua. */
FB_API int fb_lua_available(void);
/* The block of a script; `file` stands for it in messages, which carry its lines. The model must outlive the block.
 * options may be NULL. The block's parameters are the script's. */
FB_API fb_status fb_lua_block(const fb_model* m, const char* name, const char* text, size_t size,
                              const char* file, const fb_lua_options* options, fb_block* block,
                              fb_error* error);

FB_END_DECLS

#endif
