/* sandbox.c -- the environment of a script: bounded, deterministic functions of Lua, and our own.
 *
 * Left out: files, processes, code (load, require), what catches errors (pcall: a limit must end the call), what makes
 * tables lie (setmetatable), coroutines, patterns, random numbers with a state of their own. A script's global
 * variables can be written while it is loaded, and are read only afterwards. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include <freebody/support/words.h>

#include "adapters/lua/script.h"
#include "base/random.h"

enum { MOST_UNPACKED = 1000, MOST_SUGGESTED = 500 };

/* --- base --- */

/* A NaN at `index` loses its sign, which differs between machines. */
static void unsign_nan(lua_State* L, int index) {
  if (lua_type(L, index) != LUA_TNUMBER || !isnan(lua_tonumber(L, index))) return;
  lua_pushnumber(L, copysign(NAN, 1));
  lua_replace(L, index);
}

/* What stands in a message or a text: no addresses, which change from run to run. */
static int to_string(lua_State* L) {
  luaL_checkany(L, 1);
  unsign_nan(L, 1);
  int type = lua_type(L, 1);
  if (type == LUA_TNUMBER || type == LUA_TSTRING || type == LUA_TBOOLEAN || type == LUA_TNIL)
    luaL_tolstring(L, 1, NULL);
  else
    lua_pushstring(L, lua_typename(L, type));
  return 1;
}

static int print(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  char line[1024];
  size_t used = 0;
  int n = lua_gettop(L);
  fb_lua_charge(L, 100);
  if (!s->options.note) return 0;
  for (int i = 1; i <= n; i++) {
    lua_pushcfunction(L, to_string);
    lua_pushvalue(L, i);
    lua_call(L, 1, 1);
    size_t length;
    const char* text = lua_tolstring(L, -1, &length);
    if (i > 1 && used + 1 < sizeof line) line[used++] = '\t';
    if (length > sizeof line - 1 - used) length = sizeof line - 1 - used;
    memcpy(line + used, text, length);
    used += length;
    lua_pop(L, 1);
  }
  line[used] = '\0';
  fb_lua_unsign_nan(line); /* of texts that were put together */
  s->options.note(s->options.note_user, line);
  return 0;
}

/* upvalues: the table, its keys, the place. */
static int next_pair(lua_State* L) {
  for (;;) {
    lua_Integer at = lua_tointeger(L, lua_upvalueindex(3)) + 1;
    lua_pushinteger(L, at);
    lua_replace(L, lua_upvalueindex(3));
    if (lua_rawgeti(L, lua_upvalueindex(2), at) == LUA_TNIL) return 1;
    lua_pushvalue(L, -1);
    if (lua_gettable(L, lua_upvalueindex(1)) != LUA_TNIL) return 2;
    fb_lua_charge(L, 1);
    lua_pop(L, 2);
  }
}

static int pairs(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_pushvalue(L, 1);
  if (luaL_getmetafield(L, 1, "__keys") != LUA_TNIL) { /* a table of ours that stands for another */
    fb_lua_push_keys(L, -1);
    lua_remove(L, -2);
  } else {
    fb_lua_push_keys(L, 1);
  }
  lua_pushinteger(L, 0);
  lua_pushcclosure(L, next_pair, 3);
  return 1;
}

static int unpack(lua_State* L) {
  luaL_checktype(L, 1, LUA_TTABLE);
  lua_Integer first = luaL_optinteger(L, 2, 1);
  lua_Integer last = lua_isnoneornil(L, 3) ? luaL_len(L, 1) : luaL_checkinteger(L, 3);
  if (last < first) return 0;
  if ((lua_Unsigned)last - (lua_Unsigned)first >= MOST_UNPACKED)
    return fb_lua_throw(L, FB_ERR_CONTENT, "table.unpack gives %d values at most", MOST_UNPACKED);
  int n = (int)(last - first) + 1;
  luaL_checkstack(L, n, "table.unpack");
  for (int i = 0; i < n; i++) lua_geti(L, 1, first + i);
  return n;
}

/* --- string --- */

/* Where a pattern of Lua's may mean something else than its letters. */
static int is_pattern(const char* word, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (word[i] && strchr("^$*+?.([%-", word[i])) return 1;
  return 0;
}

/* As string.find with plain true: no patterns. */
static int find(lua_State* L) {
  size_t n, m;
  const char *text = luaL_checklstring(L, 1, &n), *word = luaL_checklstring(L, 2, &m);
  if (is_pattern(word, m) && !lua_toboolean(L, 4))
    return fb_lua_throw(L, FB_ERR_CONTENT,
                        "patterns are not in the sandbox of control laws (docs/lua.md); to find '%s' as it "
                        "stands write find(text, word, 1, true)",
                        word);
  lua_Integer first = luaL_optinteger(L, 3, 1);
  if (first < 0) first = first < -(lua_Integer)n ? 1 : first + (lua_Integer)n + 1;
  if (first == 0) first = 1;
  fb_lua_charge(L, 10 + (double)n * (double)m / 256);
  for (size_t at = (size_t)first - 1; at <= n && m <= n - at; at++)
    if (memcmp(text + at, word, m) == 0) {
      lua_pushinteger(L, (lua_Integer)at + 1);
      lua_pushinteger(L, (lua_Integer)(at + m));
      return 2;
    }
  lua_pushnil(L);
  return 1;
}

static int repeat(lua_State* L) {
  size_t n, m;
  const char *text = luaL_checklstring(L, 1, &n), *between = luaL_optlstring(L, 3, "", &m);
  lua_Integer times = luaL_checkinteger(L, 2);
  if (times <= 0) times = 0;
  if (times > FB_LUA_LONGEST_STRING || (lua_Integer)(n + m) > FB_LUA_LONGEST_STRING / (times + 1))
    return fb_lua_throw(L, FB_ERR_CONTENT, "string.rep makes texts of %d bytes at most",
                        FB_LUA_LONGEST_STRING);
  luaL_Buffer b;
  luaL_buffinit(L, &b);
  for (lua_Integer i = 0; i < times; i++) {
    if (i > 0) luaL_addlstring(&b, between, m);
    luaL_addlstring(&b, text, n);
  }
  luaL_pushresult(&b);
  return 1;
}

/* Lua's own, but for %p and for tables as %s, which would tell addresses. */
static int format(lua_State* L) {
  size_t n;
  const char* text = luaL_checklstring(L, 1, &n);
  for (size_t i = 0; i + 1 < n; i++) {
    if (text[i] != '%') continue;
    i++;
    while (i + 1 < n && strchr("-+ #0123456789.", text[i])) i++;
    if (text[i] == 'p') return luaL_argerror(L, 1, "there is no %p here");
  }
  for (int i = 2; i <= lua_gettop(L); i++) {
    int type = lua_type(L, i);
    if (type != LUA_TNUMBER && type != LUA_TSTRING && type != LUA_TBOOLEAN && type != LUA_TNIL)
      return luaL_argerror(L, i, "only numbers, texts, booleans and nil can be formatted");
    unsign_nan(L, i);
  }
  fb_lua_charge(L, 10.0 * lua_gettop(L) + (double)n / 16);
  return fb_lua_of(L)->format_fn(L);
}

/* --- random numbers without a state of their own: the n-th of a seed --- */

static fb_random random_of(lua_State* L) {
  lua_Integer seed = luaL_checkinteger(L, 1), n = luaL_checkinteger(L, 2);
  fb_random r = {(uint64_t)seed, 2 * (uint64_t)n};
  return r;
}

static int uniform(lua_State* L) {
  fb_random r = random_of(L);
  lua_pushnumber(L, fb_random_uniform(&r, 0, 1));
  return 1;
}

/* Box and Muller's. */
static int normal(lua_State* L) {
  fb_random r = random_of(L);
  double u = fb_random_uniform(&r, 0, 1), angle = fb_random_uniform(&r, 0, 2 * 3.14159265358979323846);
  lua_pushnumber(L, sqrt(-2 * log1p(-u)) * cos(angle));
  return 1;
}

/* --- what cannot be written --- */

/* An empty table that stands for the one on top, and is put in its place; `write` is called for what is written, with a text. */
static void seal(lua_State* L, lua_CFunction write, const char* what) {
  int inner = lua_gettop(L);
  lua_createtable(L, 0, 0);
  lua_createtable(L, 0, 3);
  lua_pushvalue(L, inner);
  lua_setfield(L, -2, "__index");
  lua_pushvalue(L, inner);
  lua_setfield(L, -2, "__keys");
  lua_pushstring(L, what);
  lua_pushcclosure(L, write, 1);
  lua_setfield(L, -2, "__newindex");
  lua_setmetatable(L, -2);
  lua_remove(L, inner);
}

static int refuse_sealed(lua_State* L) {
  return fb_lua_throw(L, FB_ERR_CONTENT, "%s cannot be changed", lua_tostring(L, lua_upvalueindex(1)));
}

/* Functions of Lua's libraries that are not here: upvalues are the table's name and these, NULL-ended. */
static int no_field(lua_State* L) {
  const char* const* left_out = (const char* const*)lua_touserdata(L, lua_upvalueindex(2));
  const char* word = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : "";
  for (int i = 0; left_out[i]; i++)
    if (strcmp(word, left_out[i]) == 0)
      return fb_lua_throw(L, FB_ERR_CONTENT, "'%s.%s' is not in the sandbox of control laws (docs/lua.md)",
                          lua_tostring(L, lua_upvalueindex(1)), word);
  lua_pushnil(L);
  return 1;
}

/* Lets the library on top tell what was left out of it. */
static void report_left_out(lua_State* L, const char* name, const char* const* left_out) {
  lua_createtable(L, 0, 1);
  lua_pushstring(L, name);
  lua_pushlightuserdata(L, (void*)left_out);
  lua_pushcclosure(L, no_field, 2);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
}

static int write_global(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  if (s->phase != FB_LUA_LOAD)
    return fb_lua_throw(L, FB_ERR_CONTENT,
                        "the global variable '%s' is set while the robot moves, and would be lost when a run "
                        "is resumed; make it local, or keep it in the table state and change it in tick",
                        lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2));
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  lua_replace(L, 1);
  lua_rawset(L, 1);
  return 0;
}

/* Names of Lua that are not here. */
static const char* const LEFT_OUT[] = {
    "_G",     "_VERSION", "collectgarbage", "coroutine",    "debug",   "dofile", "getmetatable", "io",
    "load",   "loadfile", "next",           "os",           "package", "pcall",  "rawequal",     "rawget",
    "rawlen", "rawset",   "require",        "setmetatable", "utf8",    "warn",   "xpcall",       NULL};

static void suggest_global(lua_State* L, const char* word, char near[FB_SUGGESTION_SIZE]) {
  const char* names[MOST_SUGGESTED + 1];
  int n = 0;
  lua_rawgeti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1))
    if (lua_type(L, -2) == LUA_TSTRING && n < MOST_SUGGESTED) names[n++] = lua_tostring(L, -2);
  names[n] = NULL;
  fb_suggestion(word, names, near);
}

/* A global variable that does not exist. */
static int no_global(lua_State* L) {
  char near[FB_SUGGESTION_SIZE];
  const char* word = lua_type(L, 2) == LUA_TSTRING ? lua_tostring(L, 2) : luaL_typename(L, 2);
  for (int i = 0; LEFT_OUT[i]; i++)
    if (strcmp(word, LEFT_OUT[i]) == 0)
      return fb_lua_throw(L, FB_ERR_CONTENT, "'%s' is not in the sandbox of control laws (docs/lua.md)",
                          word);
  suggest_global(L, word, near);
  return fb_lua_throw(L, FB_ERR_CONTENT, "there is no variable '%s'%s", word, near);
}

/* --- building it --- */

/* Copies functions named in a NULL-ended list from the table on top into a new one, pushed. */
static void pick(lua_State* L, const char* const* names) {
  lua_newtable(L);
  for (int i = 0; names[i]; i++) {
    lua_getfield(L, -2, names[i]);
    lua_setfield(L, -2, names[i]);
  }
}

static void add_function(lua_State* L, const char* name, lua_CFunction f) {
  lua_pushcfunction(L, f);
  lua_setfield(L, -2, name);
}

static void push_base(lua_State* L) {
  static const char* const NAMES[] = {"assert", "error", "ipairs", "select", "tonumber", "type", NULL};
  luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
  pick(L, NAMES);
  lua_remove(L, -2);
  add_function(L, "pairs", pairs);
  add_function(L, "print", print);
  add_function(L, "tostring", to_string);
  add_function(L, "uniform", uniform);
  add_function(L, "normal", normal);
}

static void push_math(lua_State* L) {
  static const char* const LEFT[] = {"random", "randomseed", NULL};
  luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
  for (int i = 0; LEFT[i]; i++) {
    lua_pushnil(L);
    lua_setfield(L, -2, LEFT[i]);
  }
  report_left_out(L, "math", LEFT);
}

/* Also the methods of texts, and no arithmetic with them. */
static void push_string(lua_State* L) {
  static const char* const NAMES[] = {"byte", "char", "len", "lower", "reverse", "sub", "upper", NULL};
  static const char* const LEFT[] = {"dump", "gmatch", "gsub", "match", "pack", "packsize", "unpack", NULL};
  luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
  lua_getfield(L, -1, "format");
  fb_lua_of(L)->format_fn = lua_tocfunction(L, -1);
  lua_pop(L, 1);
  pick(L, NAMES);
  lua_remove(L, -2);
  add_function(L, "find", find);
  add_function(L, "format", format);
  add_function(L, "rep", repeat);
  report_left_out(L, "string", LEFT);
  lua_pushstring(L, "");
  lua_createtable(L, 0, 1);
  lua_pushvalue(L, -3);
  lua_setfield(L, -2, "__index");
  lua_setmetatable(L, -2);
  lua_pop(L, 1);
}

/* Runs the prelude with the globals built so far; pushes its two tables. */
static void run_prelude(lua_State* L) {
  if (luaL_loadbufferx(L, fb_lua_prelude, strlen(fb_lua_prelude), "=" FB_LUA_PRELUDE, "t")) lua_error(L);
  lua_pushvalue(L, -2);
  add_function(L, "unpack", unpack);
  lua_setupvalue(L, -2, 1);
  lua_call(L, 0, 2);
}

void fb_lua_push_world(lua_State* L) {
  push_base(L);
  int globals = lua_gettop(L);
  push_math(L);
  lua_setfield(L, globals, "math");
  run_prelude(L);
  for (lua_pushnil(L); lua_next(L, -2); lua_pop(L, 1)) { /* dot, times ... */
    lua_pushvalue(L, -2);
    lua_pushvalue(L, -2);
    lua_rawset(L, globals);
  }
  lua_pop(L, 1);
  seal(L, refuse_sealed, "the table 'table'");
  lua_setfield(L, globals, "table");
  lua_pushnil(L);
  lua_setfield(L, globals, "unpack");
  lua_getfield(L, globals, "math");
  seal(L, refuse_sealed, "the table 'math'");
  lua_setfield(L, globals, "math");
  push_string(L);
  seal(L, refuse_sealed, "the table 'string'");
  lua_setfield(L, globals, "string");
  fb_lua_add_robot(L);
  fb_lua_add_solve(L);

  /* Nothing of Lua's own libraries stays in reach. */
  lua_pushnil(L);
  lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
  lua_createtable(L, 0, 1);
  add_function(L, "__index", no_global);
  lua_setmetatable(L, globals);
  lua_pushvalue(L, globals);
  lua_rawseti(L, LUA_REGISTRYINDEX, FB_LUA_GLOBALS);

  seal(L, write_global, "");
}
