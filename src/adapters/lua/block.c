/* block.c -- a Lua script as a block of a simulation.
 *
 *   memory = parameters, state, and of a script with tick what it holds until the next one: tau (nv of the model that it
 *   was made for), the number of wrenches, the wrenches
 *
 * All that a script may keep is in that memory. So when trees are joined or parted it is simply loaded again, with the
 * new model: nq, nv and the places that joint() gives are then those of the new one.
 *
 * Cost of a call: about 10 ns for each entry of q, v and tau, and what the script does (docs/lua.md). */
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/join.h>
#include <freebody/status.h>

#include "adapters/lua/script.h"
#include "block/held_wrench.h"
#include "block/unannounced.h"
#include "model/model.h"

/* The script's variables are compared after this many calls of act, and after every tick. */
enum { WATCH_FIRST = 8, WATCH_EVERY = 64 };

/* --- a call --- */

static const char* function_name(const fb_lua* s) {
  return s->phase == FB_LUA_TICK ? "tick" : "act";
}

static int refuse_number(lua_State* L, const fb_lua* s, int k) {
  const char* joint = fb_coordinate_joint_name(s->m, k);
  int type = lua_type(L, 2);
  lua_pushvalue(L, 1);
  if (type != LUA_TNUMBER)
    return fb_lua_throw_of(L, FB_ERR_CONTENT,
                           "%s returned a %s as force %d, on joint '%s'; it must be a number",
                           function_name(s), lua_typename(L, type), k + 1, joint);
  return fb_lua_throw_of(L, FB_ERR_NOT_FINITE, "%s returned %f as force %d, on joint '%s'; it must be finite",
                         function_name(s), lua_tonumber(L, 2), k + 1, joint);
}

/* What the script returned is on top, its function at the bottom. Adds it to tau. */
static void take_tau(lua_State* L, const fb_lua* s, double* tau) {
  if (lua_isnil(L, -1)) return;
  if (!lua_istable(L, -1)) {
    const char* type = luaL_typename(L, -1);
    lua_pushvalue(L, 1);
    fb_lua_throw_of(L, FB_ERR_CONTENT, "%s must return a list of %d forces, or nil; it returned a %s",
                    function_name(s), s->nv, type);
  }
  lua_Integer n = luaL_len(L, -1);
  if (n != s->nv) {
    lua_pushvalue(L, 1);
    fb_lua_throw_of(L, FB_ERR_CONTENT,
                    "%s must return a list of nv = %d forces, one for each entry of v; it returned %I",
                    function_name(s), s->nv, (LUAI_UACINT)n);
  }
  int list = lua_gettop(L);
  for (int k = 0; k < s->nv; k++) {
    int type = lua_geti(L, list, k + 1);
    double x = lua_tonumber(L, -1);
    if (type != LUA_TNUMBER || !isfinite(x)) {
      lua_replace(L, 2);
      lua_settop(L, 2);
      refuse_number(L, s, k);
    }
    tau[k] += x;
    lua_pop(L, 1);
  }
}

/* Calls act, tick or output at the moment in s. */
static int call_function(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX,
              s->phase == FB_LUA_TICK  ? FB_LUA_TICK_REF
              : s->phase == FB_LUA_ACT ? FB_LUA_ACT_REF
                                       : FB_LUA_OUTPUT_REF);
  lua_pushvalue(L, 1);
  lua_pushnumber(L, s->context->t);
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_Q_REF);
  fb_lua_fill_list(L, lua_gettop(L), s->nq, s->context->q);
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_V_REF);
  fb_lua_fill_list(L, lua_gettop(L), s->nv, s->context->v);
  if (s->ninput > 0) fb_lua_push_inputs(L, s);
  lua_call(L, s->ninput > 0 ? 4 : 3, 1);
  if (s->phase == FB_LUA_OUTPUT)
    fb_lua_take_outputs(L, s, s->output_values);
  else
    take_tau(L, s, s->phase == FB_LUA_TICK ? s->tick_tau : s->action->tau);
  if (s->phase == FB_LUA_TICK || s->watch_calls < WATCH_FIRST || s->watch_calls % WATCH_EVERY == 0)
    fb_lua_watch_check(L);
  if (s->phase != FB_LUA_TICK) s->watch_calls = s->watch_calls % (WATCH_EVERY * WATCH_EVERY) + 1;
  return 0;
}

static fb_status call(fb_lua* s, fb_lua_phase phase, const fb_context* context, const double* memory,
                      double* writable, fb_action* action, fb_error* error) {
  s->phase = phase;
  s->context = context;
  s->memory = memory;
  s->writable = writable;
  s->action = action;
  s->nwrench = 0;
  s->motion = NULL;
  fb_status status = fb_lua_protect(s, call_function, error);
  s->context = NULL;
  s->memory = s->writable = NULL;
  s->action = NULL;
  return status;
}

/* --- the block --- */

/* A script for the present model, and what is needed to load it again for another. */
typedef struct law {
  fb_lua* script;   /* NULL: a joint that it asks for has gone, and it does nothing */
  fb_lua* declared; /* as first loaded: the block's ports and the names of its parameters are its */
  const fb_model* original;
  fb_pool pool; /* what follows */
  int* now;     /* [held_nv] the coordinates whose forces it holds, in the present model; -1: gone */
  const char *name, *file, *text;
  size_t size;
  fb_lua_options options;
  int ninitial, noutput, ninput, most_wrenches, held_nv;
} law;

static fb_status start(void* user, const fb_context* context, double* memory, double* state,
                       fb_error* error) {
  (void)context, (void)state, (void)error;
  const fb_lua* s = ((const law*)user)->script;
  if (s && s->ninitial > 0) memcpy(memory, s->initial, (size_t)s->ninitial * sizeof *memory);
  return FB_OK;
}

static fb_status tick(void* user, const fb_context* context, double* memory, double* state, fb_error* error) {
  (void)state;
  const law* l = (const law*)user;
  double* held = memory + l->ninitial;
  memset(held, 0, ((size_t)l->held_nv + 1) * sizeof *memory); /* no force, no wrench */
  if (!l->script) return FB_OK;
  memset(l->script->tick_tau, 0, (size_t)l->script->nv * sizeof *memory);
  fb_status status = call(l->script, FB_LUA_TICK, context, memory, memory, NULL, error);
  for (int k = 0; k < l->held_nv; k++)
    if (l->now[k] >= 0) held[k] = l->script->tick_tau[l->now[k]];
  return status;
}

/* Memory may be set from outside, so its numbers are not trusted. */
static void act_held(const law* l, const double* held, fb_action* action) {
  for (int k = 0; k < l->held_nv; k++)
    if (l->now[k] >= 0) action->tau[l->now[k]] += held[k];
  double n = held[l->held_nv];
  for (int i = 0; i < l->most_wrenches && i < n; i++) {
    const double* slot = held + l->held_nv + 1 + (size_t)i * FB_HELD_WRENCH;
    fb_wrench* w = fb_action_add_wrench(action);
    if (!w) return;
    fb_wrench_from_numbers(slot, w);
  }
}

static fb_status act(void* user, const fb_context* context, const double* memory, const double* state,
                     fb_action* action, double* state_rate, fb_error* error) {
  (void)state, (void)state_rate;
  const law* l = (const law*)user;
  if (!l->script) return FB_OK;
  if (l->script->has_tick) act_held(l, memory + l->ninitial, action);
  return l->script->has_act ? call(l->script, FB_LUA_ACT, context, memory, NULL, action, error) : FB_OK;
}

static fb_status output(void* user, const fb_context* context, const double* memory, const double* state,
                        double* outputs, fb_error* error) {
  (void)state;
  fb_lua* s = ((const law*)user)->script;
  if (!s) return FB_OK;
  s->output_values = outputs;
  return call(s, FB_LUA_OUTPUT, context, memory, NULL, NULL, error);
}

static void script_free(fb_lua* s) {
  if (!s) return;
  if (s->L) lua_close(s->L);
  fb_floating_free(s->floating);
  free(s->initial);
  fb_pool_free(&s->pool);
  free(s);
}

/* --- loading --- */

/* Keeps the function of that name; 0 when the script has none. */
static int keep_function(lua_State* L, const char* name, fb_lua_ref ref, int* line) {
  lua_Debug at;
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  lua_pushstring(L, name);
  int type = lua_rawget(L, -2);
  if (type != LUA_TNIL && (type != LUA_TFUNCTION || lua_iscfunction(L, -1)))
    fb_lua_throw(L, FB_ERR_CONTENT, "'%s' must be a function of the script, not a %s", name,
                 lua_typename(L, type));
  lua_pushvalue(L, -1);
  lua_rawseti(L, LUA_REGISTRYINDEX, ref);
  if (type != LUA_TNIL && lua_getinfo(L, ">S", &at)) *line = at.linedefined;
  lua_settop(L, 0);
  return type != LUA_TNIL;
}

static void keep_functions(lua_State* L, fb_lua* s) {
  s->has_act = keep_function(L, "act", FB_LUA_ACT_REF, &s->act_line);
  s->has_tick = keep_function(L, "tick", FB_LUA_TICK_REF, &s->tick_line);
  if (!s->has_act && !s->has_tick)
    fb_lua_throw(
        L, FB_ERR_CONTENT,
        "the script defines neither act nor tick, so it does nothing; give it 'function act(t, q, v)'");
  if (s->has_tick && s->options.period == 0)
    fb_lua_throw(L, FB_ERR_CONTENT, "the script has a tick, but no period at which it is called");
  if (!s->has_tick && s->options.period > 0)
    fb_lua_throw(L, FB_ERR_CONTENT, "there is a period of %f s, but the script has no tick",
                 s->options.period);
}

static void count_wrenches(lua_State* L, fb_lua* s) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  lua_pushstring(L, "wrenches");
  if (lua_rawget(L, -2) != LUA_TNIL) {
    int fits;
    lua_Integer n = lua_type(L, -1) == LUA_TNUMBER ? lua_tointegerx(L, -1, &fits) : (fits = 0);
    if (!fits || n < 0 || n > FB_LUA_MOST_WRENCHES)
      fb_lua_throw(L, FB_ERR_CONTENT, "'wrenches' must be a whole number from 0 to %d", FB_LUA_MOST_WRENCHES);
    s->most_wrenches = (int)n;
  }
  lua_settop(L, 0);
}

static int build_world(lua_State* L) {
  fb_lua_push_world(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS); /* what chunks get */
  fb_lua* s = fb_lua_of(L);
  lua_createtable(L, s->nq, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, FB_LUA_Q_REF);
  lua_createtable(L, s->nv, 0);
  lua_rawseti(L, LUA_REGISTRYINDEX, FB_LUA_V_REF);
  return 0;
}

/* In small pieces, so that a text that takes long to compile is noticed. */
static const char* next_piece(lua_State* L, void* unused, size_t* size) {
  enum { PIECE = 512 };
  (void)unused;
  fb_lua* s = fb_lua_of(L);
  const char* piece = s->source;
  fb_lua_check_time(L);
  *size = s->source_size < PIECE ? s->source_size : PIECE;
  s->source += *size;
  s->source_size -= *size;
  return piece;
}

static int load_script(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  s->why = FB_ERR_SYNTAX;
  if (lua_load(L, next_piece, NULL, "=" FB_LUA_SCRIPT, "t")) lua_error(L);
  s->why = FB_ERR_CONTENT;
  lua_call(L, 0, 0);
  lua_settop(L, 0);
  keep_functions(L, s);
  count_wrenches(L, s);
  fb_lua_declare(L);
  fb_lua_declare_ports(L);
  if (s->noutput > 0 && !keep_function(L, "output", FB_LUA_OUTPUT_REF, &s->output_line))
    fb_lua_throw(L, FB_ERR_CONTENT,
                 "the script declares outputs, but has no function output(t, q, v) that returns them");
  fb_lua_watch(L);
  return 0;
}

static fb_status load(fb_lua* s, const char* text, size_t size, fb_error* error) {
  static const char MARK[] = "\xef\xbb\xbf"; /* some editors begin a file so */
  size_t skip = size >= 3 && memcmp(text, MARK, 3) == 0 ? 3 : 0;
  s->source = text + skip;
  s->source_size = size - skip;
  fb_status status = fb_lua_protect(s, build_world, error);
  return status ? status : fb_lua_protect(s, load_script, error);
}

static fb_lua* script_new(const fb_model* m, const char* name, const char* file,
                          const fb_lua_options* options) {
  fb_lua* s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->m = m;
  s->nq = fb_model_nq(m);
  s->nv = fb_model_nv(m);
  s->options = *options;
  s->name = fb_pool_text(&s->pool, name);
  s->file = fb_pool_text(&s->pool, file ? file : name);
  s->tick_tau = fb_pool_take(&s->pool, (size_t)s->nv, sizeof *s->tick_tau);
  if (!s->pool.failed && fb_lua_open(s)) return s;
  script_free(s);
  return NULL;
}

/* Takes what the script declares; the rest of the options is the caller's, and read no more. */
static fb_status script_load(const fb_model* m, const law* l, fb_lua** out, fb_error* error) {
  fb_lua* s = script_new(m, l->name, l->file, &l->options);
  *out = NULL;
  if (!s) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", l->name);
  fb_status status = load(s, l->text, l->size, error);
  if (status) {
    script_free(s);
    return status;
  }
  s->source = NULL;
  s->options.parameter_names = NULL;
  s->options.parameter_values = NULL;
  s->options.nparameter = 0;
  *out = s;
  return FB_OK;
}

static void law_free(void* user) {
  law* l = (law*)user;
  if (!l) return;
  if (l->script != l->declared) script_free(l->script);
  script_free(l->declared);
  fb_pool_free(&l->pool);
  free(l);
}

/* Whether a script declares what it did when it was first loaded: its memory and ports are laid out for that. */
static fb_status check_same(const law* l, const fb_lua* s, fb_error* error) {
  if (s->ninitial == l->ninitial && s->noutput == l->noutput && s->ninput == l->ninput &&
      s->most_wrenches == l->most_wrenches)
    return FB_OK;
  return fb_fail(
      error, FB_ERR_CONTENT,
      "'%.200s' declares %d numbers of parameters and state, %d outputs, %d inputs and %d wrenches with the "
      "model after the join, but had %d, %d, %d and %d; declare the same for any nq and nv",
      l->file, s->ninitial, s->noutput, s->ninput, s->most_wrenches, l->ninitial, l->noutput, l->ninput,
      l->most_wrenches);
}

static fb_status rebind(void* user, const fb_model* m, fb_error* error) {
  law* l = (law*)user;
  fb_error cause;
  fb_lua* next = l->declared;
  fb_status status = m == l->original ? FB_OK : script_load(m, l, &next, &cause);
  if (status && status != FB_ERR_NAME) {
    if (error) *error = cause;
    return status;
  }
  if (next) status = check_same(l, next, error);
  if (next && status) {
    script_free(next);
    return status;
  }
  int was = l->script != NULL;
  if (next) next->held_at = l->ninitial;
  if (next) next->held_nv = l->held_nv;
  if (l->script != l->declared) script_free(l->script);
  l->script = next;
  for (int k = 0; k < l->held_nv; k++)
    l->now[k] = m == l->original ? k : fb_model_coordinate_from(m, l->original, k);
  return next || !was ? FB_OK
                      : fb_fail(error, FB_OK, "%s, so it does nothing until that is back", cause.text);
}

static law* law_new(const fb_model* m, const char* name, const char* text, size_t size, const char* file,
                    const fb_lua_options* options) {
  law* l = calloc(1, sizeof *l);
  if (!l) return NULL;
  *l = (law){.original = m, .size = size, .options = *options, .held_nv = fb_model_nv(m)};
  l->name = fb_pool_text(&l->pool, name);
  l->file = fb_pool_text(&l->pool, file ? file : name);
  l->text = fb_pool_copy(&l->pool, text, size, 1);
  l->now = fb_pool_take(&l->pool, (size_t)l->held_nv, sizeof *l->now);
  if (l->pool.failed) {
    law_free(l);
    return NULL;
  }
  for (int k = 0; k < l->held_nv; k++) l->now[k] = k;
  return l;
}

static void fill_block(law* l, fb_block* block) {
  fb_lua* s = l->script;
  l->ninitial = s->held_at = s->ninitial;
  l->noutput = s->noutput;
  l->ninput = s->ninput;
  l->most_wrenches = s->most_wrenches;
  s->held_nv = l->held_nv;
  block->name = l->name;
  block->user = l;
  block->period = l->options.period;
  block->nmemory = s->ninitial;
  if (s->has_tick) block->nmemory += l->held_nv + 1 + s->most_wrenches * FB_HELD_WRENCH;
  block->nwrench = s->most_wrenches * (s->has_act + s->has_tick);
  block->parameters = s->parameters;
  block->start = start;
  block->tick = s->has_tick ? tick : NULL;
  block->tick_aside_ = 1; /* scripts reach nothing but their memory */
  block->outputs = s->outputs;
  block->noutput = s->noutput;
  block->inputs = s->inputs;
  block->ninput = s->ninput;
  block->act = act;
  block->longest_step = s->has_act ? FB_UNANNOUNCED : 0; /* what tick leaves is held */
  block->output = s->noutput > 0 ? output : NULL;
  block->rebind = rebind;
  block->free = law_free;
}

fb_status fb_lua_make(const fb_model* m, const char* name, const char* text, size_t size, const char* file,
                      const fb_lua_options* options, fb_block* block, fb_error* error) {
  if (size > FB_LUA_LONGEST_SCRIPT)
    return fb_fail(error, FB_ERR_CONTENT, "the script of block \"%s\" has %zu bytes; it may have %d", name,
                   size, FB_LUA_LONGEST_SCRIPT);
  law* l = law_new(m, name, text, size, file, options);
  if (!l) return fb_fail(error, FB_ERR_MEMORY, "out of memory for block \"%s\"", name);
  fb_status status = script_load(m, l, &l->script, error);
  if (!l->script) {
    law_free(l);
    return status;
  }
  l->declared = l->script;
  l->options = l->script->options; /* without the values that were the caller's */
  fill_block(l, block);
  return FB_OK;
}
