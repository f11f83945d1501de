/* limits.c -- bounds on a call into a script: memory, instructions and time; errors carry the line of the script.
 *
 * Instructions are counted by Lua's hook, every thousand; our own C functions charge their work. The wall clock is
 * read there, and where the allocator gives a large block, since growing a large table is one instruction. A call
 * shorter than that never looks at the clock. */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>

#include "adapters/lua/script.h"
#include "adapters/wall_clock.h"

enum {
  COUNT_EVERY = 1000,    /* instructions between two looks */
  LARGE_BLOCK = 1 << 16, /* the allocator looks at the clock [bytes] */
  NEAR_LEVELS = 12       /* calls between an allocation and the script's own line */
};

/* The clock starts at the first look. */
static int is_late(fb_lua* s) {
  double t = fb_wall_clock();
  if (s->deadline == 0) s->deadline = t + s->options.most_seconds;
  return t > s->deadline;
}

/* The line of the script that runs, 0 when none does. Allocates nothing. */
static int script_line(lua_State* L, int levels) {
  lua_Debug at;
  for (int i = 0; i < levels && lua_getstack(L, i, &at); i++)
    if (lua_getinfo(L, "Sl", &at) && at.currentline > 0 && strcmp(at.short_src, FB_LUA_SCRIPT) == 0)
      return at.currentline;
  return 0;
}

/* --- memory --- */

static void* refuse(fb_lua* s, const char* why) {
  s->refused = why;
  s->refused_line = s->L ? script_line(s->L, NEAR_LEVELS) : 0;
  return NULL;
}

/* Lua tries again after collecting garbage, and gives up the call when it is refused once more. */
static void* allocate(void* user, void* block, size_t old_size, size_t size) {
  fb_lua* s = (fb_lua*)user;
  size_t before = block ? old_size : 0;
  if (size == 0) {
    free(block);
    s->used -= before;
    return NULL;
  }
  if (size > before) {
    /* For a new block old_size gives its kind. */
    if (!block && old_size == LUA_TSTRING && size > FB_LUA_LONGEST_STRING + 64) return refuse(s, "string");
    if (s->used - before > s->options.most_memory || size > s->options.most_memory - (s->used - before))
      return refuse(s, "memory");
    if (size >= LARGE_BLOCK && is_late(s)) return refuse(s, "time");
  }
  void* result = realloc(block, size);
  if (!result) return refuse(s, "system");
  s->used += size - before;
  return result;
}

/* --- instructions and time --- */

static int throw_late(lua_State* L) {
  return fb_lua_throw(L, FB_ERR_CONTENT,
                      "the script took more than the %f s that a call may take; is there a loop without end?",
                      fb_lua_of(L)->options.most_seconds);
}

static int throw_busy(lua_State* L) {
  return fb_lua_throw(
      L, FB_ERR_CONTENT,
      "the script took more than the %I instructions that a call may take; is there a loop without end?",
      (LUAI_UACINT)fb_lua_of(L)->options.most_instructions);
}

static int count_interval(const fb_lua* s) {
  return s->options.most_instructions < COUNT_EVERY ? (int)s->options.most_instructions : COUNT_EVERY;
}

static void count(lua_State* L, lua_Debug* unused) {
  (void)unused;
  fb_lua* s = fb_lua_of(L);
  s->spent += count_interval(s);
  if (s->spent >= s->options.most_instructions) throw_busy(L);
  if (is_late(s)) throw_late(L);
}

void fb_lua_check_time(lua_State* L) {
  if (is_late(fb_lua_of(L))) throw_late(L);
}

void fb_lua_charge(lua_State* L, double work) {
  fb_lua* s = fb_lua_of(L);
  if (work < 1e15) s->spent += (long long)work;
  if (s->spent >= s->options.most_instructions || work >= 1e15) throw_busy(L);
  if (work >= COUNT_EVERY && is_late(s)) throw_late(L);
}

/* --- errors --- */

int fb_lua_throw(lua_State* L, fb_status why, const char* format, ...) {
  fb_lua_of(L)->why = why;
  va_list args;
  va_start(args, format);
  lua_pushvfstring(L, format, args);
  va_end(args);
  return lua_error(L);
}

int fb_lua_throw_of(lua_State* L, fb_status why, const char* format, ...) {
  fb_lua* s = fb_lua_of(L);
  lua_Debug at;
  lua_getinfo(L, ">S", &at);
  s->why = why;
  va_list args;
  va_start(args, format);
  const char* text = lua_pushvfstring(L, format, args);
  va_end(args);
  lua_pushfstring(L, FB_LUA_SCRIPT ":%d: %s", at.linedefined, text);
  return lua_error(L);
}

/* Takes "script:12: " off the front of a message, into *line. */
static const char* without_place(const char* text, int* line) {
  static const char* const CHUNKS[] = {FB_LUA_SCRIPT ":", FB_LUA_PRELUDE ":"};
  for (int i = 0; i < 2; i++) {
    size_t n = strlen(CHUNKS[i]);
    if (strncmp(text, CHUNKS[i], n) != 0) continue;
    char* end;
    long number = strtol(text + n, &end, 10);
    if (end == text + n || strncmp(end, ": ", 2) != 0) continue;
    if (i == 0) *line = (int)number;
    return end + 2;
  }
  return text;
}

/* The sign of a NaN differs between machines; Lua writes it. */
void fb_lua_unsign_nan(char* text) {
  for (char* at = text; (at = strstr(at, "-nan")) != NULL; at++)
    if (!isalnum((unsigned char)at[4])) memmove(at, at + 1, strlen(at));
}

static void keep_text(fb_lua* s, const char* text) {
  snprintf(s->text, sizeof s->text, "%s", without_place(text, &s->line));
  fb_lua_unsign_nan(s->text);
  for (char* c = s->text; *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
}

/* Called by Lua where the error is thrown, when the line is still known. */
static int explain(lua_State* L) {
  fb_lua* s = fb_lua_of(L);
  char words[96];
  s->line = script_line(L, LUAI_MAXSTACK);
  if (lua_type(L, 1) == LUA_TSTRING) {
    keep_text(s, lua_tostring(L, 1));
  } else {
    snprintf(words, sizeof words, "the script threw an error that is no text but a %s value",
             luaL_typename(L, 1));
    keep_text(s, words);
  }
  return 1;
}

static void explain_memory(fb_lua* s) {
  const char* why = s->refused ? s->refused : "memory";
  s->why = strcmp(why, "system") == 0 ? FB_ERR_MEMORY : FB_ERR_CONTENT; /* limits are the script's to keep */
  s->line = s->refused_line;
  if (strcmp(why, "string") == 0)
    snprintf(s->text, sizeof s->text, "the script makes a text of more than the %d bytes that one may have",
             FB_LUA_LONGEST_STRING);
  else if (strcmp(why, "time") == 0)
    snprintf(s->text, sizeof s->text, "the script took more than the %g s that a call may take",
             s->options.most_seconds);
  else if (strcmp(why, "system") == 0)
    snprintf(s->text, sizeof s->text, "out of memory while the script ran");
  else
    snprintf(s->text, sizeof s->text, "the script needs more than the %.3g MiB of memory that it may have",
             (double)s->options.most_memory / (1 << 20));
}

fb_status fb_lua_protect(fb_lua* s, lua_CFunction f, fb_error* error) {
  lua_State* L = s->L;
  s->spent = 0;
  s->deadline = 0;
  s->refused = NULL;
  s->why = FB_ERR_CONTENT;
  s->text[0] = '\0';
  s->line = 0;
  lua_sethook(L, count, LUA_MASKCOUNT, count_interval(s)); /* counts again, so that every call has the same */
  lua_pushcfunction(L, explain);
  lua_pushcfunction(L, f);
  int code = lua_pcall(L, 0, 0, 1);
  if (code == LUA_OK) {
    lua_settop(L, 0);
    return FB_OK;
  }
  if (code == LUA_ERRMEM)
    explain_memory(s);
  else if (!s->text[0])
    keep_text(s, lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : "the script failed");
  lua_settop(L, 0);
  /* "return f()" leaves no line of its own. */
  if (s->line == 0 && s->context)
    s->line = s->phase == FB_LUA_TICK ? s->tick_line : s->phase == FB_LUA_ACT ? s->act_line : s->output_line;
  fb_fail(error, s->why, "%s", s->text);
  fb_error_set_place(error, s->file, NULL, (fb_place){s->line, 0});
  return s->why;
}

lua_State* fb_lua_open(fb_lua* s) {
  lua_State* L = lua_newstate(allocate, s);
  if (L) *(fb_lua**)lua_getextraspace(L) = s;
  s->L = L;
  return L;
}
