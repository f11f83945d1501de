/* test_lua_sandbox.c -- nothing that a Lua script does hangs, crashes or reaches out of the sandbox. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <time.h>

#include <cmocka.h>

#include "lua_rig.h"

/* --- what cannot be refused politely must still end --- */

typedef struct bad_script {
  const char* name;
  const char* text;
  double period;
  fb_status status;
  int line;
  const char* says;
} bad_script;

static const bad_script BAD[] = {
    /* not a script */
    {"syntax", "x = 1\ny = = 2\n", 0, FB_ERR_SYNTAX, 2, "unexpected symbol near '='"},
    {"unfinished", "function act(t, q, v)\n", 0, FB_ERR_SYNTAX, 2, "'end' expected"},
    {"bytecode", "\x1bLua\x54", 0, FB_ERR_SYNTAX, 0, "binary"},
    {"nothing", "", 0, FB_ERR_CONTENT, 0, "neither act nor tick"},
    {"act is a number", "act = 5", 0, FB_ERR_CONTENT, 0, "'act' must be a function"},
    {"act is ours", "act = pose", 0, FB_ERR_CONTENT, 0, "'act' must be a function of the script"},
    {"tick without period", T "end", 0, FB_ERR_CONTENT, 0, "no period"},
    {"period without tick", A "end", 0.1, FB_ERR_CONTENT, 0, "no tick"},
    /* limits */
    {"endless loading", "while true do end", 0, FB_ERR_CONTENT, 1, "100000 instructions"},
    {"endless act", A "\n while true do end\nend", 0, FB_ERR_CONTENT, 2, "100000 instructions"},
    {"endless tick", T "\n repeat local x = 1 until false\nend", 0.1, FB_ERR_CONTENT, 2, "instructions"},
    {"endless goto", A "\n ::a:: goto a\nend", 0, FB_ERR_CONTENT, 2, "instructions"},
    {"for to infinity", A "\n for i = 1, math.huge do end\nend", 0, FB_ERR_CONTENT, 2, "instructions"},
    {"endless table", A "\n local t = {} \n while true do t[#t+1] = {1, 2, 3, 4, 5, 6, 7, 8} end\nend", 0,
     FB_ERR_CONTENT, 3, "1 MiB"},
    {"endless text", A "\n local s = 'x'\n while true do s = s .. s end\nend", 0, FB_ERR_CONTENT, 3,
     "65536 bytes"},
    {"endless keeping",
     "local kept = {} " A "\n while true do kept[#kept+1] = ('x'):rep(60000) .. #kept end\nend", 0,
     FB_ERR_CONTENT, 2, "1 MiB"},
    {"deep recursion", "local function f(n) return 1 + f(n + 1) end\n" A "return f(0) end", 0, FB_ERR_CONTENT,
     1, "1 MiB"},
    {"endless tail calls", "local function f() return f() end\n" A "return f() end", 0, FB_ERR_CONTENT, 1,
     "instructions"},
    {"deep nesting",
     A "return "
       "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
       "(((((((("
       "((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((("
       "(((((((( 1",
     0, FB_ERR_SYNTAX, 0, "C stack overflow"},
    {"rep", A "\n return ('x'):rep(1e9)\nend", 0, FB_ERR_CONTENT, 2, "string.rep makes texts of 65536"},
    {"rep of nothing", A "\n return (''):rep(math.maxinteger)\nend", 0, FB_ERR_CONTENT, 2, "string.rep"},
    {"rep between", A "\n return (''):rep(60000, '12345')\nend", 0, FB_ERR_CONTENT, 2, "string.rep"},
    {"format", A "\n return string.format(('%99.99f'):rep(5000), 1)\nend", 0, FB_ERR_CONTENT, 2, "no value"},
    {"long format", A "\n local s = ('x'):rep(60000) return string.format('%s%s', s, s)\nend", 0,
     FB_ERR_CONTENT, 2, "65536 bytes"},
    {"concat", A "\n return table.concat({}, '', 1, 1e15)\nend", 0, FB_ERR_CONTENT, 1,
     "element 1 is no text"},
    {"long concat",
     A "local t = {} for i = 1, 9 do t[i] = ('x'):rep(9000) end\n local x = table.concat(t)\nend", 0,
     FB_ERR_CONTENT, 2, "65536 bytes"},
    {"unpack", A "\n return table.unpack({}, 1, 1e7)\nend", 0, FB_ERR_CONTENT, 2, "1000 values"},
    {"unpack all", A "\n return table.unpack({}, math.mininteger, math.maxinteger)\nend", 0, FB_ERR_CONTENT,
     2, "1000 values"},
    {"find", A "local s = ('a'):rep(60000)\n while true do s:find(('a'):rep(30000) .. 'b') end\nend", 0,
     FB_ERR_CONTENT, 2, "instructions"},
    {"sort without order",
     A "local t = {} for i = 1, 999 do t[i] = i end\n while true do table.sort(t, function() "
       "return true end) end\nend",
     0, FB_ERR_CONTENT, 2, "instructions"},
    {"endless names", A "\n while true do print('x') end\nend", 0, FB_ERR_CONTENT, 2, "instructions"},
    {"large systems",
     A "local M = {} for i = 1, 700 do M[i] = v end\n while true do solve(M, M[1], 1) end\nend", 0,
     FB_ERR_CONTENT, 2, "solve"},
    /* errors thrown */
    {"text", A "\n error('no way')\nend", 0, FB_ERR_CONTENT, 2, "no way"},
    {"table", A "\n error({})\nend", 0, FB_ERR_CONTENT, 2, "no text but a table"},
    {"nil", A "\n error()\nend", 0, FB_ERR_CONTENT, 2, "no text but a nil"},
    {"number", A "\n error(5)\nend", 0, FB_ERR_CONTENT, 2, "no text but a number"},
    {"format in a text", A "\n error('%s%n%s')\nend", 0, FB_ERR_CONTENT, 2, "%s%n%s"},
    {"control characters", A "\n error('a\\nb\\0c')\nend", 0, FB_ERR_CONTENT, 2, "a b"},
    {"long text", A "\n error(('x'):rep(60000))\nend", 0, FB_ERR_CONTENT, 2, "xxxx"},
    {"assert", A "\n assert(1 > 2, 'sums')\nend", 0, FB_ERR_CONTENT, 2, "sums"},
    {"nil index", A "\n local x\n return x.y\nend", 0, FB_ERR_CONTENT, 3, "nil value (local 'x')"},
    {"arithmetic on text", A "\n return '1' + 1\nend", 0, FB_ERR_CONTENT, 2, "arithmetic on a string"},
    {"compare", A "\n return {} < {}\nend", 0, FB_ERR_CONTENT, 2, "compare two table values"},
    {"divide", A "\n return 1 // 0\nend", 0, FB_ERR_CONTENT, 2, "divide by zero"},
    {"in our Lua", A "\n local x = dot({1}, {'x'})\nend", 0, FB_ERR_CONTENT, 2, "arithmetic on a"},
    {"lengths differ", A "\n local x = dot({1}, {1, 2})\nend", 0, FB_ERR_CONTENT, 2, "1 and 2 numbers"},
    /* outside the sandbox */
    {"os", A "\n os.exit(1)\nend", 0, FB_ERR_CONTENT, 2, "'os' is not in the sandbox"},
    {"io", "\nio.open('x')", 0, FB_ERR_CONTENT, 2, "'io' is not in the sandbox"},
    {"load", "load('x')", 0, FB_ERR_CONTENT, 1, "'load' is not in the sandbox"},
    {"dofile", "dofile('x')", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"require", "require 'x'", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"debug", "debug.sethook()", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"coroutine", "coroutine.create()", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"pcall", "pcall()", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"collectgarbage", "collectgarbage()", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"setmetatable", "setmetatable({}, {__gc = 1})", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"_G", "_G.x = 1", 0, FB_ERR_CONTENT, 1, "sandbox"},
    {"_VERSION", "print(_VERSION)", 0, FB_ERR_CONTENT, 1, "'_VERSION' is not in the sandbox"},
    {"random", "math.random()", 0, FB_ERR_CONTENT, 1, "'math.random' is not in the sandbox of control laws"},
    {"randomseed", A "\n math.randomseed(1)\nend", 0, FB_ERR_CONTENT, 2,
     "'math.randomseed' is not in the sandbox"},
    {"gsub", "('x'):gsub('x', 'y')", 0, FB_ERR_CONTENT, 1, "'string.gsub' is not in the sandbox"},
    {"match", "\nlocal x = string.match('x', 'x')", 0, FB_ERR_CONTENT, 2,
     "'string.match' is not in the sandbox"},
    {"gmatch", "for x in ('x'):gmatch('x') do end", 0, FB_ERR_CONTENT, 1,
     "'string.gmatch' is not in the sandbox"},
    {"string.dump", "string.dump(error)", 0, FB_ERR_CONTENT, 1, "'string.dump' is not in the sandbox"},
    {"string.pack", "string.pack('d', 1)", 0, FB_ERR_CONTENT, 1, "'string.pack' is not in the sandbox"},
    {"find a pattern", "\nlocal x = ('x1'):find('%d+')", 0, FB_ERR_CONTENT, 2,
     "patterns are not in the sandbox of control laws (docs/lua.md); to find '%d+'"},
    {"no such function", "math.sinus(1)", 0, FB_ERR_CONTENT, 1, "nil value (field 'sinus')"},
    {"changed library", A "\n math.sin = math.cos end", 0, FB_ERR_CONTENT, 2, "'math' cannot be changed"},
    {"close", A "\n local x <close> = {}\nend", 0, FB_ERR_CONTENT, 2, "non-closable"},
    {"address", A "\n return string.format('%p', 'x')\nend", 0, FB_ERR_CONTENT, 2, "no %p"},
    {"addresses", A "\n return string.format('%s', {})\nend", 0, FB_ERR_CONTENT, 2, "only numbers"},
    {"pairs of tables", A "\n for k in pairs({[{}] = 1}) do end\nend", 0, FB_ERR_CONTENT, 2,
     "keys are numbers"},
    /* results */
    {"text as result", A "\n return 'x'\nend", 0, FB_ERR_CONTENT, 1, "it returned a string"},
    {"number as result", A "\n return 1\nend", 0, FB_ERR_CONTENT, 1, "it returned a number"},
    {"too few", A "\n return {}\nend", 0, FB_ERR_CONTENT, 1,
     "nv = 1 forces, one for each entry of v; it returned 0"},
    {"too many", "\n\n" A "return {1, 2}\nend", 0, FB_ERR_CONTENT, 3, "it returned 2"},
    {"text in result", A "return {'1'}\nend", 0, FB_ERR_CONTENT, 1, "a string as force 1, on joint 'bob'"},
    {"nan", A "return {0 / 0}\nend", 0, FB_ERR_NOT_FINITE, 1, "act returned nan as force 1, on joint 'bob'"},
    {"negative nan", A "return {-(0 / 0)}\nend", 0, FB_ERR_NOT_FINITE, 1, "act returned nan as force 1"},
    {"nan in a text", A "\n error('x' .. 0 / 0 .. ' semi-nano')\nend", 0, FB_ERR_CONTENT, 2, "nan semi-nano"},
    {"infinite", A "return {math.huge}\nend", 0, FB_ERR_NOT_FINITE, 1, "inf as force 1"},
    {"nan of tick", "\n" T "return {0 / 0}\nend", 0.1, FB_ERR_NOT_FINITE, 2, "tick returned"},
    /* names */
    {"global", A "\n return jacobain('bob')\nend", 0, FB_ERR_CONTENT, 2, "did you mean 'jacobian'?"},
    {"frame", A "\n return pose('bop')\nend", 0, FB_ERR_NAME, 2, "no frame 'bop'; did you mean 'bob'?"},
    {"body", A "\n return body_com('bop')\nend", 0, FB_ERR_NAME, 2, "no body 'bop'; did you mean 'bob'?"},
    {"joint at", A "\n return joint_position('bop')\nend", 0, FB_ERR_NAME, 2,
     "joint_position: there is no joint 'bop'; did you mean 'bob'?"},
    {"com of", A "\n return body_com(3)\nend", 0, FB_ERR_CONTENT, 2, "body_com expects the name of a body"},
    {"joint", "\nlocal i = joint('bop')", 0, FB_ERR_NAME, 2, "no joint 'bop'; did you mean 'bob'?"},
    {"no name", A "\n return velocity(3)\nend", 0, FB_ERR_CONTENT, 2,
     "expects the name of a frame, not number"},
    {"too early", "\npose('bob')", 0, FB_ERR_CONTENT, 2, "not while the script is loaded"},
    {"no floating base", A "\n floating_jacobian('bob')\nend", 0, FB_ERR_CONTENT, 2, "needs a floating base"},
    {"accelerations", A "\n inverse_dynamics({1, 2})\nend", 0, FB_ERR_CONTENT, 2, "1 numbers, and has 2"},
    {"acceleration", A "\n inverse_dynamics({0 / 0})\nend", 0, FB_ERR_NOT_FINITE, 2, "element 1"},
    {"singular", A "\n solve({{1, 1}, {1, 1}}, {1, 2})\nend", 0, FB_ERR_NO_SOLUTION, 2, "singular"},
    {"ragged", A "\n solve({{1, 1}, {1}}, {1, 2})\nend", 0, FB_ERR_CONTENT, 2, "2 numbers, and has 1"},
    {"no matrix", A "\n solve({1, 2}, {1, 2})\nend", 0, FB_ERR_CONTENT, 2, "list of 1 to 2000 rows"},
    /* wrenches */
    {"undeclared", A "\n wrench('bob', {1, 0, 0})\nend", 0, FB_ERR_CONTENT, 2, "'wrenches = 1'"},
    {"one too many", "wrenches = 1\n" T "\n wrench('bob') wrench('bob')\nend", 0.1, FB_ERR_CONTENT, 3,
     "'wrenches = 2'"},
    {"wrong count", "wrenches = -1 " A "end", 0, FB_ERR_CONTENT, 0, "'wrenches' must be a whole number"},
    {"text as count", "wrenches = '1' " A "end", 0, FB_ERR_CONTENT, 0, "'wrenches' must be a whole number"},
    {"force", "wrenches = 1\n" A "\n wrench('bob', {1})\nend", 0, FB_ERR_CONTENT, 3, "the force of wrench"},
    /* state */
    {"state is text", "state = 'x' " A "end", 0, FB_ERR_CONTENT, 0, "'state' must be a table of numbers"},
    {"text in state", "state = {a = {'x'}} " A "end", 0, FB_ERR_CONTENT, 0, "state.a[1] is a string"},
    {"function in state", "state = {a = print} " A "end", 0, FB_ERR_CONTENT, 0, "state.a is a function"},
    {"nan in state", "state = {a = 0 / 0} " A "end", 0, FB_ERR_NOT_FINITE, 0, "state.a is"},
    {"state in itself", "state = {} state.a = state " A "end", 0, FB_ERR_CONTENT, 0,
     "state.a is the same table"},
    {"shared", "local x = {1} state = {a = x, b = x} " A "end", 0, FB_ERR_CONTENT, 0,
     "state.b is the same table"},
    {"gap", "state = {a = {1, nil, 3}} " A "end", 0, FB_ERR_CONTENT, 0, "the keys of state.a"},
    {"mixed", "state = {1, a = 2} " A "end", 0, FB_ERR_CONTENT, 0, "both names and numbers"},
    {"deep", "state = {{{{{1}}}}} " A "end", 0, FB_ERR_CONTENT, 0, "deeper than 4"},
    {"the library", "state = math " A "end", 0, FB_ERR_CONTENT, 0, "a table of its own"},
    {"written in act", "state = {a = 1}\n" A "\n state.a = 2\nend", 0, FB_ERR_CONTENT, 3, "read only in act"},
    {"by another name", "state = {a = 1} local s = state\n" A "\n s.a = 2\nend", 0, FB_ERR_CONTENT, 3,
     "read only"},
    {"list in act", "state = {a = {1}}\n" A "\n state.a[1] = 2\nend", 0, FB_ERR_CONTENT, 3,
     "state.a is read only"},
    {"new entry", "state = {sum = 1}\n" T "\n state.sun = 2\nend", 0.1, FB_ERR_CONTENT, 3,
     "did you mean 'sum'?"},
    {"no entry", "state = {sum = 1}\n" T "\n return state.sun\nend", 0.1, FB_ERR_CONTENT, 3,
     "no entry 'sun'"},
    {"longer list", "state = {a = {1}}\n" T "\n state.a[2] = 2\nend", 0.1, FB_ERR_CONTENT, 3, "no entry '2'"},
    {"text into state", "state = {a = 1}\n" T "\n state.a = 'x'\nend", 0.1, FB_ERR_CONTENT, 3,
     "stay a number"},
    {"nil into state", "state = {a = 1}\n" T "\n state.a = nil\nend", 0.1, FB_ERR_CONTENT, 3,
     "stay a number"},
    {"nan into state", "state = {a = 1}\n" T "\n state.a = 0 / 0\nend", 0.1, FB_ERR_NOT_FINITE, 3,
     "state.a would"},
    {"other length", "state = {a = {1}}\n" T "\n state.a = {1, 2}\nend", 0.1, FB_ERR_CONTENT, 3,
     "as many numbers"},
    {"lists of lists", "state = {a = {{1}}}\n" T "\n state.a = {{2}}\nend", 0.1, FB_ERR_CONTENT, 3,
     "one by one"},
    {"another state", "state = {a = 1}\n" T "\n state = {a = 2}\nend", 0.1, FB_ERR_CONTENT, 3,
     "'state' is set while"},
    /* what would be lost when a run is resumed */
    {"global in tick", "n = 0\n" T "\n n = n + 1\nend", 0.1, FB_ERR_CONTENT, 3, "'n' is set while"},
    {"new global", A "\n n = 1\nend", 0, FB_ERR_CONTENT, 2, "'n' is set while"},
    {"local in tick", "local n = 0\n\n" T "\n n = n + 1\nend", 0.1, FB_ERR_CONTENT, 3,
     "the local variable 'n'"},
    {"local in act", "local n = 0\n" A "\n n = n + 1\nend", 0, FB_ERR_CONTENT, 2, "the local variable 'n'"},
    {"replaced table", "local last = {}\n" T "\n last = {q[1]}\nend", 0.1, FB_ERR_CONTENT, 2,
     "variable 'last'"},
    {"a number that was NaN", "local last = 0 / 0\n" T "\n last = q[1]\nend", 0.1, FB_ERR_CONTENT, 2,
     "the local variable 'last'"},
    {"NaN that was a number", "local last = 0\n" T "\n last = 0 / 0\nend", 0.1, FB_ERR_CONTENT, 2,
     "the local variable 'last'"},
    {"in a helper", "local n = 0\nlocal h = {f = function() n = n + 1 end}\n" T "\n h.f()\nend", 0.1,
     FB_ERR_CONTENT, 2, "the local variable 'n'"},
    /* parameters */
    {"parameter is text", "parameters = {a = 'x'} " A "end", 0, FB_ERR_CONTENT, 0,
     "parameters.a is a string"},
    {"list", "parameters = {a = {1}} " A "end", 0, FB_ERR_CONTENT, 0, "parameters.a must be a single number"},
    {"without names", "parameters = {1} " A "end", 0, FB_ERR_CONTENT, 0, "must have names"},
    {"written", "parameters = {a = 1}\n" T "\n parameters.a = 2\nend", 0.1, FB_ERR_CONTENT, 3,
     "set by the scenario"},
};

/* Loads a script and runs it for a few steps; FB_OK when all went well. */
static fb_status outcome(const fb_model* m, const char* text, const fb_lua_options* options,
                         fb_error* error) {
  static const double q = 0.1, v = 0;
  fb_block block;
  *error = (fb_error){.status = FB_OK};
  fb_status status = fb_block_new_lua(m, "law", text, strlen(text), "control.lua", options, &block, error);
  if (status) return status;
  fb_sim* sim = sim_with(m, &block, 0.01);
  status = fb_sim_start(sim, &q, &v, error);
  if (!status) status = fb_sim_run_until(sim, 0.3, error);
  fb_sim_free(sim);
  return status;
}

static void whatever_goes_wrong_ends_with_a_message_and_a_line(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  int wrong = 0;
  for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
    fb_error error;
    fb_lua_options options = small_limits(BAD[i].period);
    fb_status status = outcome(m, BAD[i].text, &options, &error);
    if (status != BAD[i].status || error.place.line != BAD[i].line || !strstr(error.text, BAD[i].says) ||
        strcmp(error.file, "control.lua") != 0 || error.status != status) {
      print_error("%s: %s, %s:%d: %s\n", BAD[i].name, fb_status_name(status), error.file, error.place.line,
                  error.text);
      wrong++;
    }
  }
  assert_int_equal(wrong, 0);
  fb_model_free(m);
}

static void a_failure_in_motion_tells_time_and_block(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_error error;
  char text[sizeof error];
  fb_lua_options options = small_limits(0.1);
  assert_int_equal(outcome(m, "\n" T "\n assert(t < 0.15, 'late') return {0}\nend", &options, &error),
                   FB_ERR_CONTENT);
  fb_error_format(&error, text, sizeof text);
  assert_string_equal(text, "control.lua:3: at t = 0.2 s, block \"law\": late");
  fb_model_free(m);
}

static void recursion_ends_where_the_stack_does(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_error error;
  fb_lua_options options = fb_default_lua_options();
  options.most_seconds = 60; /* valgrind takes its time */
  const char* text = "local function f(n) return 1 + f(n + 1) end\n" A "\n return {f(0)}\nend";
  assert_int_equal(outcome(m, text, &options, &error), FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "stack overflow"));
  assert_int_equal(error.place.line, 1);
  fb_model_free(m);
}

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Few instructions that each take long; the limit is time. */
static void time_is_bounded_whatever_the_instructions_do(void** unused) {
  (void)unused;
  static const struct {
    const char *name, *text;
  } cases[] = {
      {"plain loop", A "while true do end end"},
      {"texts", A "local s = ('x'):rep(30000) while true do local x = s .. s end end"},
      {"equal texts",
       A "local a, b = ('x'):rep(60000), ('x'):rep(59999) .. 'x' while true do local c = a == b end end"},
      {"order of texts",
       A "local a, b = ('x'):rep(60000), ('x'):rep(59999) .. 'x' while true do local c = a < b end end"},
      /* A full hash table whose every new key makes it anew. */
      {"rehash", "local s = {} for i = 1, 65536 do s[i + 0.5] = 1 end " A
                 "local i = 1 while true do s[i + 0.5] = nil s[i + 65536.5] = 1 i = i + 1 end end"},
      {"sorted keys", "local s = {} for i = 1, 60000 do s[i + 0.5] = 1 end " A
                      "while true do for k in pairs(s) do break end end end"},
      {"matrices",
       A "local M = {} for i = 1, 100 do M[i] = {} for k = 1, 100 do M[i][k] = i == k and 1 or 0 end end "
         "while true do solve(M, M[1]) end end"},
  };
  fb_model* m = pendulum();
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_error error;
    fb_lua_options options = fb_default_lua_options();
    options.most_instructions = 1LL << 60;
    options.most_seconds = 0.1;
    options.most_memory = 16 << 20;
    double start = seconds();
    fb_status status = outcome(m, cases[i].text, &options, &error);
    double took = seconds() - start;
    if (!status || !strstr(error.text, "0.1 s that a call may take"))
      fail_msg("%s: %s", cases[i].name, error.text);
    /* Loading may take as long again; valgrind and other programs slow the rest. */
    if (!(took <= 5)) fail_msg("%s took %g s", cases[i].name, took);
  }
  fb_model_free(m);
}

static void nan_that_stays_is_no_change(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  fb_error error;
  fb_lua_options options = small_limits(0.1);
  const char* text = "local last, other = 0 / 0, -(0 / 0)\n" T "\n last, other = other, last\nend";
  if (outcome(m, text, &options, &error)) fail_msg("%s", error.text);
  fb_model_free(m);
}

/* A long chain takes Lua a time that grows with its square. */
static void compiling_is_bounded_in_time_too(void** unused) {
  (void)unused;
  enum { SIZE = 1 << 20 };
  fb_model* m = pendulum();
  char* text = (char*)malloc(SIZE);
  size_t used = (size_t)snprintf(text, SIZE, "local a = a");
  while (used < SIZE - 32) used += (size_t)snprintf(text + used, 32, " and a");
  fb_error error;
  fb_block block;
  fb_lua_options options = fb_default_lua_options();
  options.most_seconds = 0.1;
  double start = seconds();
  fb_status status = fb_block_new_lua(m, "law", text, used, "control.lua", &options, &block, &error);
  assert_int_equal(status, FB_ERR_CONTENT);
  assert_non_null(strstr(error.text, "0.1 s that a call may take"));
  assert_true(seconds() - start < 5);
  free(text);
  fb_model_free(m);
}

static void long_texts_in_a_script_are_told_as_such(void** unused) {
  (void)unused;
  enum { SIZE = 80000 };
  fb_model* m = pendulum();
  char* text = (char*)malloc(SIZE);
  memset(text, 'x', SIZE);
  memcpy(text, "\nlocal a = '", 12);
  text[SIZE - 1] = '\'';
  fb_error error;
  fb_block block;
  fb_status status = fb_block_new_lua(m, "law", text, SIZE, "control.lua", NULL, &block, &error);
  if (status != FB_ERR_CONTENT || !strstr(error.text, "a text of more than the 65536 bytes"))
    fail_msg("%s: %s", fb_status_name(status), error.text);
  free(text);
  fb_model_free(m);
}

static void options_out_of_range_are_refused(void** unused) {
  (void)unused;
  fb_model* m = pendulum();
  static const char* const NAMES[] = {"kq"};
  static const double GOOD[] = {1}, WRONG[] = {NAN};
  fb_lua_options cases[8];
  for (int i = 0; i < 8; i++) cases[i] = fb_default_lua_options();
  cases[0].cookie_ = 0;
  cases[1].period = -1;
  cases[2].period = NAN;
  cases[3].most_instructions = 0;
  cases[4].most_seconds = 0;
  cases[5].most_memory = 1000;
  for (int i = 6; i < 8; i++) {
    cases[i].parameter_names = NAMES;
    cases[i].parameter_values = GOOD;
    cases[i].nparameter = 1;
  }
  cases[7].parameter_values = WRONG;
  static const char* const SAYS[] = {"fb_default_lua_options",
                                     "period is -1",
                                     "period is nan",
                                     "0 instructions",
                                     "0 s",
                                     "1000 bytes",
                                     "no parameter 'kq'; did you mean 'kp'?",
                                     "nan"};
  static const char* const SCRIPTS[] = {"parameters = {kp = 1} " A "end", "parameters = {kq = 1} " A "end"};
  for (int i = 0; i < 8; i++) {
    fb_block block;
    fb_error error;
    const char* text = SCRIPTS[i == 7];
    fb_status status =
        fb_block_new_lua(m, "law", text, strlen(text), "control.lua", &cases[i], &block, &error);
    if (!status || !strstr(error.text, SAYS[i])) fail_msg("%d: %s", i, status ? error.text : "accepted");
    assert_null(block.user);
  }
  fb_block block;
  assert_int_equal(fb_block_new_lua(m, "", "", 0, NULL, NULL, &block, NULL), FB_ERR_NAME);
  char* large = (char*)calloc(1, 2 << 20);
  assert_int_equal(fb_block_new_lua(m, "law", large, 2 << 20, NULL, NULL, &block, NULL), FB_ERR_CONTENT);
  free(large);
  fb_model_free(m);
}

/* Every amount of memory, from too little for Lua itself to enough, ends well or with a message. */
static void any_bound_on_memory_is_survived(void** unused) {
  (void)unused;
  static const char text[] = "state = {a = {1, 2, 3}} local t = {} for i = 1, 8000 do t[i] = {i} end " A
                             "local s = '' for i = 1, 200 do s = s .. i end return {#s} end";
  fb_model* m = pendulum();
  int good = 0, bad = 0;
  for (size_t memory = 1 << 18; memory < 3 << 20; memory += 80021) {
    fb_error error;
    fb_lua_options options = fb_default_lua_options();
    options.most_memory = memory;
    fb_status status = outcome(m, text, &options, &error);
    assert_true(status == FB_OK || status == FB_ERR_CONTENT);
    good += status == FB_OK;
    bad += status != FB_OK;
  }
  assert_true(good > 5 && bad > 5);
  fb_model_free(m);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whatever_goes_wrong_ends_with_a_message_and_a_line),
      cmocka_unit_test(a_failure_in_motion_tells_time_and_block),
      cmocka_unit_test(time_is_bounded_whatever_the_instructions_do),
      cmocka_unit_test(recursion_ends_where_the_stack_does),
      cmocka_unit_test(nan_that_stays_is_no_change),
      cmocka_unit_test(long_texts_in_a_script_are_told_as_such),
      cmocka_unit_test(compiling_is_bounded_in_time_too),
      cmocka_unit_test(options_out_of_range_are_refused),
      cmocka_unit_test(any_bound_on_memory_is_survived),
  };
  return fb_lua_available() ? cmocka_run_group_tests(tests, NULL, NULL) : 0;
}
