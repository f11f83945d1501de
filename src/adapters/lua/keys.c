/* keys.c -- the keys of a table in an order that is always the same: numbers, then texts byte by byte. Lua's own
 * order changes from run to run, and with it the rounding of a sum over pairs. */
#include <stdlib.h>
#include <string.h>

#include "adapters/lua/script.h"

typedef struct key {
  const char* text; /* NULL: a number */
  size_t length;
  double number;
  lua_Integer integer; /* when is_integer */
  int is_integer;
} key;

static int compare(const void* left, const void* right) {
  const key *a = (const key*)left, *b = (const key*)right;
  if (!a->text || !b->text) {
    if (a->text || b->text) return a->text ? 1 : -1;
    if (a->is_integer && b->is_integer) return (a->integer > b->integer) - (a->integer < b->integer);
    return (a->number > b->number) - (a->number < b->number);
  }
  int order = memcmp(a->text, b->text, a->length < b->length ? a->length : b->length);
  return order ? order : (a->length > b->length) - (a->length < b->length);
}

static key key_at(lua_State* L, int index) {
  key k = {NULL, 0, 0, 0, lua_isinteger(L, index)};
  if (lua_type(L, index) == LUA_TSTRING) {
    k.text = lua_tolstring(L, index, &k.length);
  } else if (lua_type(L, index) == LUA_TNUMBER) {
    k.number = lua_tonumber(L, index);
    if (k.is_integer) k.integer = lua_tointeger(L, index);
  } else {
    fb_lua_throw(L, FB_ERR_CONTENT,
                 "keys are numbers and texts here, so that their order is always the same; one is a %s",
                 luaL_typename(L, index));
  }
  return k;
}

int fb_lua_push_keys(lua_State* L, int index) {
  index = lua_absindex(L, index);
  fb_lua_charge(L, 1000); /* a table that was emptied still takes time to look through */
  int n = 0, at = 0;
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) n++;
  fb_lua_charge(L, 20.0 * n);
  lua_createtable(L, n, 0);
  key* keys = (key*)lua_newuserdatauv(L, ((size_t)n + 1) * sizeof *keys, 0);
  for (lua_pushnil(L); lua_next(L, index); lua_pop(L, 1)) keys[at++] = key_at(L, -2);
  qsort(keys, (size_t)n, sizeof *keys, compare);
  for (int i = 0; i < n; i++) {
    if (keys[i].text)
      lua_pushlstring(L, keys[i].text, keys[i].length);
    else if (keys[i].is_integer)
      lua_pushinteger(L, keys[i].integer);
    else
      lua_pushnumber(L, keys[i].number);
    lua_rawseti(L, -3, i + 1);
  }
  lua_pop(L, 1);
  return n;
}
