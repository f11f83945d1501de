/* ports.c -- outputs and inputs of a script
 *
 *   outputs = {error = {"rad", 1}, force = {"N", 3, "world"}}  -- unit, how many numbers, axes
 *   inputs = {["gyro.rate"] = 3}                               -- a signal, and how many numbers it has
 *   function output(t, q, v, inputs) ... return {error = 0.1, force = {0, 0, 1}} end
 *
 * tick, act and output find a table of their inputs by name behind v: a number, or a list where there are several.
 * Ports are laid out in the order of their sorted names. */
#include <math.h>

#include "adapters/lua/script.h"

enum { MOST_PORTS = 1000, MOST_NUMBERS = 100000 };

/* Pushes what stands at place i of the table at `index`, as text or as a number; with a word where it is neither. */
static const char* text_at(lua_State* L, int index, int i, const char* none) {
  int type = lua_rawgeti(L, index, i);
  return type == LUA_TSTRING ? lua_tostring(L, -1) : type == LUA_TNIL ? none : NULL;
}

static int count_at(lua_State* L, int index) {
  int fits = 0;
  lua_Integer n = lua_type(L, index) == LUA_TNUMBER ? lua_tointegerx(L, index, &fits) : 0;
  return fits && n >= 1 && n <= MOST_NUMBERS ? (int)n : 0;
}

/* The port with the key and the value on top. */
static void read_port(lua_State* L, int is_output, fb_port* port) {
  int value = lua_gettop(L);
  const char *name = lua_tostring(L, value - 1), *unit = NULL, *axes = NULL;
  if (is_output && lua_type(L, value) != LUA_TTABLE)
    fb_lua_throw(L, FB_ERR_CONTENT, "outputs.%s must be {unit, how many numbers}, as {\"rad\", 1}", name);
  if (is_output) {
    unit = text_at(L, value, 1, NULL);
    axes = text_at(L, value, 3, "");
    lua_rawgeti(L, value, 2);
  }
  int count = count_at(L, -1);
  if (count == 0 || (is_output && (!unit || !axes)))
    fb_lua_throw(L, FB_ERR_CONTENT,
                 is_output ? "outputs.%s must be {unit, how many numbers, axes}, as {\"N\", 3, \"world\"}"
                           : "inputs[\"%s\"] must be how many numbers the signal has, 1 or more",
                 name);
  fb_pool* pool = &fb_lua_of(L)->pool;
  *port = (fb_port){fb_pool_text(pool, name), fb_pool_text(pool, unit), fb_pool_text(pool, axes), count};
  if (pool->failed) fb_lua_throw(L, FB_ERR_MEMORY, "out of memory for the ports of the script");
}

static void declare(lua_State* L, const char* table, int is_output, fb_port** ports, int* count) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  lua_pushstring(L, table);
  int type = lua_rawget(L, -2), at = lua_gettop(L);
  if (type != LUA_TNIL && type != LUA_TTABLE)
    fb_lua_throw(L, FB_ERR_CONTENT, "'%s' must be a table, not a %s", table, lua_typename(L, type));
  int n = type == LUA_TTABLE ? fb_lua_push_keys(L, at) : 0;
  if (n > MOST_PORTS) fb_lua_throw(L, FB_ERR_CONTENT, "'%s' may have %d entries", table, (int)MOST_PORTS);
  *ports = fb_pool_take(&fb_lua_of(L)->pool, (size_t)n, sizeof **ports);
  if (!*ports) {
    fb_lua_throw(L, FB_ERR_MEMORY, "out of memory for the ports of the script");
    return;
  }
  for (int i = 0; i < n; i++, lua_settop(L, at + 1)) {
    if (lua_rawgeti(L, at + 1, i + 1) != LUA_TSTRING)
      fb_lua_throw(L, FB_ERR_CONTENT, "the keys of '%s' must be names", table);
    lua_pushvalue(L, -1);
    lua_rawget(L, at);
    read_port(L, is_output, &(*ports)[i]);
    *count = i + 1;
  }
  lua_settop(L, 0);
}

void fb_lua_declare_ports(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  declare(L, "outputs", 1, &s->outputs, &s->noutput);
  declare(L, "inputs", 0, &s->inputs, &s->ninput);
  lua_newtable(L);
  lua_rawseti(L, LUA_REGISTRYINDEX, FB_LUA_INPUTS_REF);
}

void fb_lua_push_inputs(lua_State* L, const fb_lua* s) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_INPUTS_REF);
  const double* x = s->context->inputs;
  for (int i = 0; i < s->ninput; x += s->inputs[i++].count) {
    if (s->inputs[i].count == 1)
      lua_pushnumber(L, x[0]);
    else
      fb_lua_push_list(L, s->inputs[i].count, x);
    lua_setfield(L, -2, s->inputs[i].name);
  }
}

static void take_one(lua_State* L, const fb_port* port, double* x) {
  if (port->count > 1) {
    fb_lua_read_list(L, lua_gettop(L), port->name, port->count, x);
  } else if (lua_type(L, -1) != LUA_TNUMBER || !isfinite(lua_tonumber(L, -1))) {
    lua_pushvalue(L, 1);
    fb_lua_throw_of(L, FB_ERR_CONTENT, "output must return {%s = ...}, a number that is finite", port->name);
  } else {
    *x = lua_tonumber(L, -1);
  }
}

void fb_lua_take_outputs(lua_State* L, const fb_lua* s, double* x) {
  int table = lua_gettop(L);
  if (!lua_istable(L, table)) {
    const char* type = luaL_typename(L, table);
    lua_pushvalue(L, 1);
    fb_lua_throw_of(L, FB_ERR_CONTENT, "output must return a table of the outputs by name; it returned a %s",
                    type);
  }
  for (int i = 0; i < s->noutput; x += s->outputs[i++].count, lua_settop(L, table)) {
    lua_getfield(L, table, s->outputs[i].name);
    take_one(L, &s->outputs[i], x);
  }
}
