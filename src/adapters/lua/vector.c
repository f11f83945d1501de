/* vector.c -- between Lua's tables and arrays of doubles. */
#include <math.h>

#include "adapters/lua/script.h"

void fb_lua_read_list(lua_State* L, int index, const char* what, int n, double* x) {
  if (lua_type(L, index) != LUA_TTABLE)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s must be a list of %d numbers, not %s", what, n,
                 luaL_typename(L, index));
  lua_Integer length = luaL_len(L, index);
  if (length != n)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s must be a list of %d numbers, and has %I", what, n,
                 (LUAI_UACINT)length);
  for (int i = 0; i < n; i++) {
    if (lua_geti(L, index, i + 1) != LUA_TNUMBER)
      fb_lua_throw(L, FB_ERR_CONTENT, "element %d of %s must be a number, not %s", i + 1, what,
                   luaL_typename(L, -1));
    x[i] = lua_tonumber(L, -1);
    lua_pop(L, 1);
    if (!isfinite(x[i]))
      fb_lua_throw(L, FB_ERR_NOT_FINITE, "element %d of %s is %f; it must be finite", i + 1, what, x[i]);
  }
}

void fb_lua_fill_list(lua_State* L, int index, int n, const double* x) {
  for (int i = 0; i < n; i++) {
    lua_pushnumber(L, x[i]);
    lua_rawseti(L, index, i + 1);
  }
}

void fb_lua_push_list(lua_State* L, int n, const double* x) {
  lua_createtable(L, n, 0);
  fb_lua_fill_list(L, lua_gettop(L), n, x);
}

/* Pushes the table in a slot of the one on top; a new one where there is none. */
static void push_kept(lua_State* L, int slot, int n) {
  int keeper = lua_gettop(L);
  if (lua_rawgeti(L, keeper, slot) == LUA_TTABLE) return;
  lua_pop(L, 1);
  lua_createtable(L, n, 0);
  lua_pushvalue(L, -1);
  lua_rawseti(L, keeper, slot);
}

void fb_lua_push_kept_list(lua_State* L, int slot, int n, const double* x) {
  push_kept(L, slot, n);
  fb_lua_fill_list(L, lua_gettop(L), n, x);
}

void fb_lua_push_kept_rows(lua_State* L, int slot, int rows, int columns, const double* x) {
  push_kept(L, slot, rows);
  for (int i = 0; i < rows; i++) {
    fb_lua_push_kept_list(L, i + 1, columns, x + (size_t)i * (size_t)columns);
    lua_pop(L, 1);
  }
}

double* fb_lua_scratch(lua_State* L, size_t n) {
  fb_lua* s = fb_lua_of(L);
  if (n > s->scratch_room) {
    double* room = (double*)lua_newuserdatauv(L, n * sizeof *room, 0);
    lua_rawseti(L, LUA_REGISTRYINDEX, FB_LUA_SCRATCH_REF);
    s->scratch = room;
    s->scratch_room = n;
  }
  return s->scratch;
}
