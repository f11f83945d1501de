/* declared.c -- the tables `parameters` and `state` of a script
 *
 * After loading, the script's own tables are emptied and stand for entries of the block's memory from then on: reading
 * one reads memory, writing one in tick writes it. So nothing has to be copied, whoever holds such a table sees the
 * present, and a run that is resumed continues exactly. Entries are laid out table by table, in the order of their sorted
 * keys. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/words.h>

#include "adapters/lua/script.h"
#include "base/grow.h"

enum { DEEPEST = 4, LONGEST_PATH = 200, MOST_SUGGESTED = 500 };

/* Of the functions below: where keys lead (a place in memory, or a table), the path in messages, the length of a
 * list or -1. */
enum { PLACES = 1, PATH, LENGTH };

static const char* path_of(lua_State* L) {
  return lua_tostring(L, lua_upvalueindex(PATH));
}

/* A key in words, pushed. */
static const char* push_key(lua_State* L, int index) {
  int type = lua_type(L, index);
  if (type != LUA_TSTRING && type != LUA_TNUMBER) return lua_pushfstring(L, "(%s)", lua_typename(L, type));
  lua_pushvalue(L, index);
  return lua_tostring(L, -1);
}

static int no_entry(lua_State* L) {
  const char* names[MOST_SUGGESTED + 1];
  char near[FB_SUGGESTION_SIZE];
  int n = 0;
  const char* word = push_key(L, 2);
  for (lua_pushnil(L); lua_next(L, lua_upvalueindex(PLACES)); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && n < MOST_SUGGESTED) names[n++] = lua_tostring(L, -2);
  names[n] = NULL;
  fb_suggestion_or_list(word, names, "it has", near);
  return fb_lua_throw(L, FB_ERR_CONTENT, "%s has no entry '%s', and what it has is fixed while loading%s",
                      path_of(L), word, n ? near : "");
}

static int read_entry(lua_State* L) {
  const fb_lua* s = fb_lua_of(L);
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, lua_upvalueindex(PLACES));
  if (type == LUA_TTABLE) return 1;
  if (type == LUA_TNUMBER) {
    lua_pushnumber(L, s->memory[lua_tointeger(L, -1)]);
    return 1;
  }
  if (lua_tointeger(L, lua_upvalueindex(LENGTH)) >= 0 && lua_isinteger(L, 2)) return 1; /* nil ends ipairs */
  return no_entry(L);
}

static double number_for(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s.%s must stay a number; it is set to a %s", path_of(L), push_key(L, 2),
                 luaL_typename(L, index));
  double x = lua_tonumber(L, index);
  if (!isfinite(x))
    fb_lua_throw(L, FB_ERR_NOT_FINITE, "%s.%s would become %f; it must be finite", path_of(L), push_key(L, 2),
                 x);
  return x;
}

/* A list of numbers, on top of the stack, takes on the elements of the one that is assigned to it. */
static void write_list(lua_State* L, fb_lua* s) {
  int list = lua_gettop(L);
  lua_Integer n = luaL_len(L, list);
  if (lua_type(L, 3) != LUA_TTABLE || luaL_len(L, 3) != n || n < 0)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s.%s can only be set to a list of as many numbers as it has",
                 path_of(L), push_key(L, 2));
  luaL_getmetafield(L, list, "__keys");
  for (lua_Integer i = 1; i <= n; i++) {
    lua_geti(L, 3, i);
    if (lua_rawgeti(L, list + 1, i) != LUA_TNUMBER)
      fb_lua_throw(L, FB_ERR_CONTENT, "%s.%s contains lists: set them one by one", path_of(L),
                   push_key(L, 2));
    s->writable[lua_tointeger(L, -1)] = number_for(L, list + 2);
    lua_settop(L, list + 1);
  }
}

static int write_entry(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  if (strncmp(path_of(L), "parameters", 10) == 0)
    return fb_lua_throw(L, FB_ERR_CONTENT,
                        "parameters are set by the scenario and its events; what the script changes itself "
                        "belongs in the table state");
  if (!s->writable)
    return fb_lua_throw(L, FB_ERR_CONTENT,
                        "%s is read only in act, which is called several times a step: change it in tick",
                        path_of(L));
  lua_pushvalue(L, 2);
  int type = lua_rawget(L, lua_upvalueindex(PLACES));
  if (type == LUA_TNUMBER)
    s->writable[lua_tointeger(L, -1)] = number_for(L, 3);
  else if (type == LUA_TTABLE)
    write_list(L, s);
  else
    no_entry(L);
  return 0;
}

static int length_of(lua_State* L) {
  lua_pushvalue(L, lua_upvalueindex(LENGTH));
  return 1;
}

/* --- laying out --- */

static void add_number(lua_State* L, fb_lua* s, double x, const char* path) {
  if (s->ninitial >= FB_LUA_MOST_STATE)
    fb_lua_throw(L, FB_ERR_CONTENT, "the tables parameters and state may contain at most %d numbers",
                 FB_LUA_MOST_STATE);
  if (!isfinite(x)) fb_lua_throw(L, FB_ERR_NOT_FINITE, "%s is %f; it must be finite", path, x);
  if (!fb_grow(&s->initial, (size_t)s->ninitial, 1, &s->initial_room, sizeof *s->initial))
    fb_lua_throw(L, FB_ERR_MEMORY, "out of memory for the script's state");
  s->initial[s->ninitial++] = x;
}

/* Whether the keys, sorted and on top, are 1 .. n; or an error when they are neither that nor names. */
static int is_list(lua_State* L, int n, const char* path) {
  int names = 0;
  for (int i = 1; i <= n; i++) {
    lua_rawgeti(L, -1, i);
    int is_name = lua_type(L, -1) == LUA_TSTRING;
    if (!is_name && !(lua_isinteger(L, -1) && lua_tointeger(L, -1) == i))
      fb_lua_throw(L, FB_ERR_CONTENT, "the keys of %s must be names, or 1 to %d", path, n);
    names += is_name;
    lua_pop(L, 1);
  }
  if (names > 0 && names < n)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s has both names and numbers as keys; use one of them", path);
  return names == 0 && n > 0;
}

/* The functions of the table at `index`, whose keys are resolved by the table on top (popped). */
static void bind(lua_State* L, int index, const char* path, int length) {
  static const luaL_Reg FUNCTIONS[] = {
      {"__index", read_entry}, {"__newindex", write_entry}, {"__len", length_of}};
  int places = lua_gettop(L);
  lua_createtable(L, 0, 4);
  for (int i = 0; i < 3; i++) {
    lua_pushvalue(L, places);
    lua_pushstring(L, path);
    lua_pushinteger(L, length);
    lua_pushcclosure(L, FUNCTIONS[i].func, 3);
    lua_setfield(L, -2, FUNCTIONS[i].name);
  }
  lua_pushvalue(L, places);
  lua_setfield(L, -2, "__keys");
  lua_setmetatable(L, index);
  lua_settop(L, places - 1);
}

/* Tables still to be laid out: a list of threes, table, path, depth. The third is on top of the stack, and popped with
 * the others. */
static void enqueue(lua_State* L, int queue, int* count) {
  for (int i = 3; i >= 1; i--) lua_rawseti(L, queue, 3 * *count + i);
  ++*count;
}

/* Where the entry with the key on top leads, pushed: a place in memory, or a table that waits in the queue. */
static void push_place(lua_State* L, fb_lua* s, int table, int list, const char* path, int depth, int queue,
                       int* count) {
  int key = lua_gettop(L);
  const char* inner = lua_pushfstring(L, list ? "%s[%s]" : "%s.%s", path, push_key(L, key));
  if (strlen(inner) > LONGEST_PATH)
    fb_lua_throw(L, FB_ERR_CONTENT, "the names in %s are too long together", path);
  lua_pushvalue(L, key);
  int type = lua_rawget(L, table), value = lua_gettop(L);
  if (type == LUA_TNUMBER) {
    add_number(L, s, lua_tonumber(L, value), inner);
    lua_pushinteger(L, s->ninitial - 1);
  } else if (type == LUA_TTABLE) {
    lua_pushvalue(L, value);
    lua_pushvalue(L, value - 1);
    lua_pushinteger(L, depth + 1);
    enqueue(L, queue, count);
  } else {
    fb_lua_throw(L, FB_ERR_CONTENT, "%s is a %s; only numbers and lists of numbers can be kept", inner,
                 lua_typename(L, type));
  }
}

/* Lays out one table, at `table`; what it holds of tables goes into the queue. */
static void lay_out_one(lua_State* L, fb_lua* s, int table, const char* path, int depth, int queue,
                        int* count) {
  if (depth > DEEPEST) fb_lua_throw(L, FB_ERR_CONTENT, "%s lies deeper than %d tables", path, DEEPEST);
  if (luaL_getmetafield(L, table, "__keys") != LUA_TNIL)
    fb_lua_throw(L, FB_ERR_CONTENT, "%s is the same table as another; give it one of its own", path);
  int n = fb_lua_push_keys(L, table), keys = lua_gettop(L), list = is_list(L, n, path), places = keys + 1;
  lua_createtable(L, list ? n : 0, list ? 0 : n);
  for (int i = 1; i <= n; i++, lua_settop(L, places)) {
    lua_rawgeti(L, keys, i);
    push_place(L, s, table, list, path, depth, queue, count);
    lua_pushvalue(L, places + 1);
    lua_insert(L, -2);
    lua_rawset(L, places);
    lua_pushvalue(L, places + 1);
    lua_pushnil(L);
    lua_rawset(L, table);
  }
  bind(L, table, path, list ? n : -1);
}

/* Lays out the table on top and those in it. */
static void lay_out(lua_State* L, fb_lua* s, const char* name) {
  int table = lua_gettop(L), queue = table + 1, count = 0;
  lua_newtable(L);
  lua_pushvalue(L, table);
  lua_pushstring(L, name);
  lua_pushinteger(L, 1);
  enqueue(L, queue, &count);
  for (int at = 0; at < count; at++, lua_settop(L, queue)) {
    for (int i = 1; i <= 3; i++) lua_rawgeti(L, queue, 3 * at + i);
    lay_out_one(L, s, queue + 1, lua_tostring(L, queue + 2), (int)lua_tointeger(L, queue + 3), queue, &count);
  }
  lua_settop(L, table);
}

/* --- parameters --- */

/* Their names, in the order of memory; they stay flat. The table of places is on top. */
static void keep_names(lua_State* L, fb_lua* s) {
  int places = lua_gettop(L), n = fb_lua_push_keys(L, places);
  for (int i = 1; i <= n; i++, lua_pop(L, 2)) {
    if (lua_rawgeti(L, places + 1, i) != LUA_TSTRING)
      fb_lua_throw(L, FB_ERR_CONTENT, "parameters must have names, as in parameters = {kp = 100}");
    lua_pushvalue(L, -1);
    if (lua_rawget(L, places) != LUA_TNUMBER)
      fb_lua_throw(L, FB_ERR_CONTENT, "parameters.%s must be a single number", lua_tostring(L, -2));
  }
  s->parameters = fb_pool_take(&s->pool, (size_t)n + 1, sizeof *s->parameters);
  for (int i = 1; i <= n && s->parameters; i++, lua_pop(L, 1)) {
    lua_rawgeti(L, places + 1, i);
    s->parameters[i - 1] = fb_pool_text(&s->pool, lua_tostring(L, -1));
  }
  if (s->pool.failed) fb_lua_throw(L, FB_ERR_MEMORY, "out of memory for the parameters");
  s->nparameter = n;
  lua_settop(L, places);
}

static void take_values(lua_State* L, fb_lua* s) {
  static const char* const NONE[] = {NULL};
  for (int i = 0; i < s->options.nparameter; i++) {
    const char* word = s->options.parameter_names[i];
    double value = s->options.parameter_values[i];
    char near[FB_SUGGESTION_SIZE];
    int k = 0;
    while (s->parameters && k < s->nparameter && strcmp(s->parameters[k], word) != 0) k++;
    if (k == s->nparameter)
      fb_lua_throw(L, FB_ERR_NAME, "the script has no parameter '%s'%s", word,
                   s->nparameter ? fb_suggestion_or_list(word, s->parameters, "it has", near)
                                 : fb_suggestion(word, NONE, near));
    if (!isfinite(value))
      fb_lua_throw(L, FB_ERR_NOT_FINITE, "the parameter '%s' is %f; it must be finite", word, value);
    s->initial[k] = value;
  }
}

/* Pushes the table that the script declared, laid out; 0 when it declared none. */
static int push_declared(lua_State* L, fb_lua* s, const char* name) {
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  lua_pushstring(L, name);
  int type = lua_rawget(L, -2);
  if (type == LUA_TNIL) return 0;
  if (type != LUA_TTABLE)
    fb_lua_throw(L, FB_ERR_CONTENT, "'%s' must be a table of numbers, not a %s", name, lua_typename(L, type));
  if (luaL_getmetafield(L, -1, "__keys") != LUA_TNIL)
    fb_lua_throw(L, FB_ERR_CONTENT, "'%s' must be a table of its own", name);
  lay_out(L, s, name);
  return 1;
}

void fb_lua_declare(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  if (push_declared(L, s, "parameters")) {
    luaL_getmetafield(L, -1, "__keys");
    keep_names(L, s);
  }
  take_values(L, s);
  lua_settop(L, 0);
  push_declared(L, s, "state");
  lua_settop(L, 0);
}
