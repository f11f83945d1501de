/* script.h -- a script and its sandbox, shared by the files of this folder.
 *
 * One lua_State a block. All that may throw runs inside fb_lua_protect; a throw skips the C code between, so nothing
 * that it holds may need freeing. A script can catch nothing, so the first error ends its call. */
#ifndef FB_ADAPTERS_LUA_SCRIPT_H
#define FB_ADAPTERS_LUA_SCRIPT_H

#include <freebody/lua.h>

#ifdef FB_LUA

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>

#include <freebody/floating.h>

#include "base/pool.h"

typedef enum fb_lua_phase { FB_LUA_LOAD, FB_LUA_TICK, FB_LUA_ACT, FB_LUA_OUTPUT } fb_lua_phase;

enum {
  FB_LUA_LONGEST_STRING = 1 << 16, /* so that no single instruction takes long [bytes] */
  FB_LUA_LONGEST_SCRIPT = 1 << 20,
  FB_LUA_MOST_STATE = 100000, /* numbers */
  FB_LUA_MOST_WRENCHES = 1000
};

#define FB_LUA_SCRIPT "script"    /* the chunks, as they stand in Lua's own messages */
#define FB_LUA_PRELUDE "freebody" /* */

/* What Lua holds for us: indices in its registry. */
typedef enum fb_lua_ref {
  FB_LUA_GLOBALS = LUA_RIDX_LAST + 2, /* the script's global variables */
  FB_LUA_ACT_REF,
  FB_LUA_TICK_REF,
  FB_LUA_OUTPUT_REF,
  FB_LUA_INPUTS_REF,
  FB_LUA_Q_REF,
  FB_LUA_V_REF,
  FB_LUA_SCRATCH_REF,
  FB_LUA_WATCH_REF
} fb_lua_ref;

typedef struct fb_lua {
  lua_State* L;
  const fb_model* m;
  int nq, nv;
  fb_lua_options options;
  fb_pool pool; /* texts, ports and what tick holds */
  const char *name, *file;
  const char* source; /* [source_size] what is still to be compiled */
  size_t source_size;

  /* limits of the call that runs */
  size_t used;             /* bytes that Lua holds */
  long long spent;         /* instructions, and the work of our own functions in that unit */
  double deadline;         /* 0: the clock does not run yet [s] */
  const char* refused;     /* why the allocator refused memory last, */
  int refused_line;        /* and where */
  lua_CFunction format_fn; /* Lua's own string.format */

  /* the moment */
  fb_lua_phase phase;
  const fb_context* context; /* NULL while loading */
  const double* memory;
  double* writable; /* the same memory in tick, else NULL */
  fb_action* action;
  double* output_values; /* where output puts what it returns */
  int nwrench;           /* added by this call */
  const fb_data* motion; /* poses and velocities, once this call has requested them */
  int watch_calls;       /* calls of act since the script's variables were last compared */

  /* the error that the call ended in */
  fb_status why;
  int line;
  char text[640];

  /* memory: parameters, state, then what tick holds: tau, the number of wrenches, the wrenches */
  double* initial; /* [nparameter + nstate] */
  size_t initial_room;
  int ninitial, nparameter;
  const char** parameters; /* NULL-ended */
  fb_port *outputs, *inputs;
  int noutput, ninput;
  int has_act, has_tick;
  int act_line, tick_line, output_line; /* where they begin */
  int held_at;                          /* -1: there is no tick */
  int held_nv;                          /* coordinates whose forces are held: those of the first model */
  double* tick_tau;                     /* [nv] what tick returned */
  int most_wrenches;

  double* scratch; /* in Lua's memory */
  size_t scratch_room;
  fb_floating* floating; /* of the first floating base; made when first requested */
  int nwatch;
} fb_lua;

static inline fb_lua* fb_lua_of(lua_State* L) {
  return *(fb_lua**)lua_getextraspace(L);
}

/* The block of a script (adapters/lua/block.c). */
fb_status fb_lua_make(const fb_model* m, const char* name, const char* text, size_t size, const char* file,
                      const fb_lua_options* options, fb_block* block, fb_error* error);

/* ---- adapters/lua/limits.c ---- */

/* The lua_State in s->L, with the allocator that knows the limits; NULL when out of memory. */
lua_State* fb_lua_open(fb_lua* s);
/* Calls f with nothing on the stack, under the limits. On failure the error carries the script's line. */
fb_status fb_lua_protect(fb_lua* s, lua_CFunction f, fb_error* error);
/* Counts work done in C, in instructions, against the limits of the call. */
void fb_lua_charge(lua_State* L, double work);
/* Throws when the call has taken too long. */
void fb_lua_check_time(lua_State* L);
/* Throws with the script's line. Formats are those of lua_pushfstring: %s %d %f %I %c. */
int fb_lua_throw(lua_State* L, fb_status why, const char* format, ...);
/* The same with the line of the function on top of the stack. */
int fb_lua_throw_of(lua_State* L, fb_status why, const char* format, ...);

/* Makes each "-nan" in a text "nan". */
void fb_lua_unsign_nan(char* text);

/* ---- adapters/lua/sandbox.c: what a script finds ---- */

/* Pushes the table of the script's world: it stands for its global variables. */
void fb_lua_push_world(lua_State* L);
/* Pushes a list of the keys of the table at `index`, in an order that is always the same; returns how many. */
int fb_lua_push_keys(lua_State* L, int index);
void fb_lua_add_robot(lua_State* L); /* adapters/lua/robot.c: pose ..., into the table on top */
void fb_lua_add_solve(lua_State* L); /* adapters/lua/solve.c */
extern const char fb_lua_prelude[];  /* adapters/lua/prelude.c */

/* ---- adapters/lua/declared.c: the tables parameters and state ---- */

/* Lays out what the script declared, and puts watched tables in its place. Throws. */
void fb_lua_declare(lua_State* L);

/* ---- adapters/lua/ports.c ---- */

void fb_lua_declare_ports(lua_State* L); /* the tables outputs and inputs. Throws */
/* Pushes the table of the inputs at the moment. */
void fb_lua_push_inputs(lua_State* L, const fb_lua* s);
/* What output returned is on top, its function at the bottom: into x. */
void fb_lua_take_outputs(lua_State* L, const fb_lua* s, double* x);

/* ---- adapters/lua/watch.c: local variables that outlive a call ---- */

void fb_lua_watch(lua_State* L);       /* remembers what the script's functions see */
void fb_lua_watch_check(lua_State* L); /* throws when one of them was changed */

/* ---- adapters/lua/vector.c: between tables and arrays ---- */

/* n numbers of the list at `index`, finite; `what` names it in messages. */
void fb_lua_read_list(lua_State* L, int index, const char* what, int n, double* x);
/* Fills the list at `index` from its first element. */
void fb_lua_fill_list(lua_State* L, int index, int n, const double* x);
/* Pushes a new list. */
void fb_lua_push_list(lua_State* L, int n, const double* x);
/* Pushes the list, or the list of rows, that the table on top keeps at `slot`, filled again. */
void fb_lua_push_kept_list(lua_State* L, int slot, int n, const double* x);
void fb_lua_push_kept_rows(lua_State* L, int slot, int rows, int columns, const double* x);
/* Room for numbers, until it is asked again. */
double* fb_lua_scratch(lua_State* L, size_t n);

#endif
#endif
