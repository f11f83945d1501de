/* watch.c -- local variables that outlive a call
 *
 *   local last = 0
 *   function tick(t, q, v) last = q[1] end    -- lost when the run is resumed
 *
 * After loading, every function that act and tick can reach is looked up with the variables that it shares with the
 * script around it; later these are compared with what they were. What stands inside a table is not. */
#include <math.h>
#include <string.h>

#include "adapters/lua/script.h"

enum { MOST_REACHED = 5000 };

/* Stack of fb_lua_watch: what is reached and still to be looked at, what was seen, what is watched. */
enum { QUEUE = 1, SEEN, WATCHED };

/* Whether the value on top is a function of the script. */
static int is_own_function(lua_State* L) {
  lua_Debug at;
  if (!lua_isfunction(L, -1)) return 0;
  lua_pushvalue(L, -1);
  lua_getinfo(L, ">S", &at);
  return strcmp(at.short_src, FB_LUA_SCRIPT) == 0;
}

/* Puts the value on top into the queue, when it may lead to functions; pops it. */
static void count_reached(lua_State* L, int* count) {
  int leads = lua_istable(L, -1) || is_own_function(L);
  if (leads && *count < MOST_REACHED) {
    lua_pushvalue(L, -1);
    if (lua_rawget(L, SEEN) == LUA_TNIL) {
      lua_pushvalue(L, -2);
      lua_pushboolean(L, 1);
      lua_rawset(L, SEEN);
      lua_pushvalue(L, -2);
      lua_rawseti(L, QUEUE, ++*count);
    }
    lua_pop(L, 1);
  }
  lua_pop(L, 1);
}

/* Watched: threes of function, index, value. Variables that functions share are watched once. */
static void watch_function(lua_State* L, fb_lua* s, int function, int* count) {
  for (int i = 1; lua_getupvalue(L, function, i); i++) {
    void* id = lua_upvalueid(L, function, i);
    if (lua_rawgetp(L, SEEN, id) == LUA_TNIL) {
      lua_pushboolean(L, 1);
      lua_rawsetp(L, SEEN, id);
      lua_pushvalue(L, function);
      lua_rawseti(L, WATCHED, 3 * s->nwatch + 1);
      lua_pushinteger(L, i);
      lua_rawseti(L, WATCHED, 3 * s->nwatch + 2);
      lua_pushvalue(L, -2);
      lua_rawseti(L, WATCHED, 3 * s->nwatch + 3);
      s->nwatch++;
    }
    lua_pop(L, 1);
    count_reached(L, count);
  }
}

void fb_lua_watch(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  int count = 0;
  lua_settop(L, 0);
  for (int i = QUEUE; i <= WATCHED; i++) lua_newtable(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  count_reached(L, &count);
  for (int at = 1; at <= count; at++) {
    lua_rawgeti(L, QUEUE, at);
    int item = lua_gettop(L);
    fb_lua_charge(L, 10);
    if (lua_isfunction(L, item))
      watch_function(L, s, item, &count);
    else
      for (lua_pushnil(L); lua_next(L, item);) count_reached(L, &count);
    lua_settop(L, WATCHED);
  }
  lua_pushvalue(L, WATCHED);
  lua_rawseti(L, LUA_REGISTRYINDEX, FB_LUA_WATCH_REF);
  lua_settop(L, 0);
}

/* Whether the two values on top are the same; a NaN is the same as another. */
static int is_same(lua_State* L) {
  if (lua_rawequal(L, -1, -2)) return 1;
  return lua_type(L, -1) == LUA_TNUMBER && lua_type(L, -2) == LUA_TNUMBER && isnan(lua_tonumber(L, -1)) &&
         isnan(lua_tonumber(L, -2));
}

void fb_lua_watch_check(lua_State* L) {
  const fb_lua* s = fb_lua_of(L);
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_WATCH_REF);
  int watched = lua_gettop(L);
  for (int i = 0; i < s->nwatch; i++) {
    lua_rawgeti(L, watched, 3 * i + 1);
    lua_rawgeti(L, watched, 3 * i + 2);
    const char* name = lua_getupvalue(L, watched + 1, (int)lua_tointeger(L, -1));
    lua_rawgeti(L, watched, 3 * i + 3);
    if (!is_same(L)) {
      lua_settop(L, watched + 1);
      fb_lua_throw_of(L, FB_ERR_CONTENT,
                      "the local variable '%s', which stays from call to call, was changed, and would be "
                      "lost when a run is resumed; keep it in the table state and change it in tick",
                      name);
    }
    lua_settop(L, watched);
  }
  lua_pop(L, 1);
}
