/* lua.h -- control laws as Lua 5.4 scripts, in a sandbox (libfreebody_io).
 *
 * A script defines at least one of the functions act and tick, and tables that it declares while it is loaded:
 *
 *   parameters = {kp = 100}                  -- numbers set by scenarios and events; read-only in the script
 *   state = {integral = 0}                   -- numbers that tick may change; saved with the run
 *   wrenches = 1                             -- how many wrenches a call may add; 0 by default
 *   outputs = {error = {"rad", 1}}           -- numbers that it reports, each a signal BLOCK.NAME: unit, count, axes
 *   inputs = {["gyro.rate"] = 3}             -- signals that it reads: the fourth argument of its functions, by name
 *   function tick(t, q, v) ... end           -- at a fixed rate (period > 0); may write state; returns tau, held
 *   function act(t, q, v) ... return tau end -- at every stage; must not write state; returns tau, nv numbers or nil
 *   function output(t, q, v) ... end         -- returns the outputs, by name; must not write state
 *
 * It may call pose, jacobian, floating_jacobian, inertia, bias, inverse_dynamics ... (docs/lua.md). It has no access
 * to files, processes, code loading or unbounded library functions; instructions, time and memory of a call are
 * limited. */
#ifndef FREEBODY_LUA_H
#define FREEBODY_LUA_H

#include <stddef.h>

#include <freebody/block.h>
#include <freebody/export.h>
#include <freebody/status.h>

typedef struct fb_lua_options {
  double period;               /* of tick; 0: no tick [s] */
  long long most_instructions; /* per call; 10 million */
  double most_seconds;         /* per call, wall-clock time; 1 */
  size_t most_memory;          /* of the script; 64 MiB */
  /* Values that override the script's own parameters. Read by fb_block_new_lua only. */
  const char* const* parameter_names; /* [nparameter] */
  const double* parameter_values;     /* [nparameter] */
  int nparameter;
  void (*note)(void* user, const char* text); /* receives what the script prints; NULL: discarded */
  void* note_user;
  int cookie_; /* set by fb_default_lua_options */
} fb_lua_options;

FB_BEGIN_DECLS

FB_API fb_lua_options fb_default_lua_options(void);
/* 1 if this build has Lua. */
FB_API int fb_lua_available(void);
/* Creates a block from a script; `file` is the file name used in messages, together with line numbers. The model must
 * outlive the block. options may be NULL. The block has the script's parameters. */
FB_API fb_status fb_block_new_lua(const fb_model* m, const char* name, const char* text, size_t size,
                                  const char* file, const fb_lua_options* options, fb_block* block,
                                  fb_error* error);

FB_END_DECLS

#endif
