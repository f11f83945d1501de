/* test_run.c -- `freebody run` from outside: folders, options, what it prints, pacing, Ctrl-C and resume. */
#define _XOPEN_SOURCE 700
#include "run_scenarios.h"
#include "same_runs.h"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <time.h>

#include <freebody/lua.h>
#include <freebody/store.h>

static int open_with_scenarios(void** state) {
  if (scratch_open(state)) return -1;
  unsetenv("NO_COLOR");
  spill("swing.yaml", SWING);
  spill("floater.yaml", FLOATER);
  spill("ball.yaml",
        "freebody: 1\nname: ball\nbodies:\n  - {name: ball, mass: 2, inertia: [1, 1, 1, 0, 0, 0]}\n");
  return 0;
}

static void a_run_makes_a_folder_and_prints_how_it_went(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run swing.yaml", 0, "swing: finished", ""},
      {"ls swing.run swing.run/inputs", 0, "inputs\nrun.db\nsummary.json\n\nswing.run/inputs:\n0-swing.yaml",
       ""},
      {"cmp swing.yaml swing.run/inputs/0-swing.yaml", 0, "", ""},
      {"cat swing.run/summary.json", 0, "\"status\": \"finished\"", ""},
      {"grep -c residual swing.run/summary.json", 0, "3", ""},
      {"$FB export swing.run -o -", 0, "ledger.relative", NULL}, /* the ledger is always there */
      {"$FB run swing.yaml -o two --set duration=1s", 0, "simulated   1 of 1 s", ""},
      {"$FB run swing.yaml --output three --duration 0.5s", 0, "100, 0 rejected", ""},
      {"$FB run swing.yaml --output=four --duration 500ms --quiet", 0, "", ""},
      {"$FB run swing.yaml -o 'fi ve'", 0, "grab    joint 'hinge' is locked", ""},
      {"$FB run swing.yaml -o 'fi ve' --force", 0, "freebody export 'fi ve' -o log.csv", ""},
      {"cat swing.yaml | $FB run - -o six --quiet && cat six/inputs/0-scenario.yaml", 0, "name: swing", ""},
      {"$FB run ball.yaml --duration 1", 0, "ball: finished", ""},
      {"rm -r ball.run; sed s/'^name: ball'/'name: orb'/ ball.yaml | $FB run - --duration 1 --quiet && ls -d "
       "orb.run",
       0, "orb.run", ""},
      {"$FB run swing.yaml -o seven/deep/er --quiet && ls seven/deep/er", 0, "run.db", ""},
      {"$FB run swing.yaml -o eight --quiet --export csv && $FB export eight -o e.csv && cmp e.csv "
       "eight/log.csv",
       0, NULL, NULL},
      {"LC_ALL=de_DE.UTF-8 LC_NUMERIC=fr_FR.UTF-8 $FB run swing.yaml -o nine --quiet --duration 1.5", 0, "",
       ""},
      {"$FB run swing.yaml -o ten --quiet --duration 1.5; $FB export nine -o 9.csv; $FB export ten -o "
       "10.csv; "
       "cmp 9.csv 10.csv",
       0, NULL, NULL},
  };
  CHECK_CASES(cases);
}

static void a_ledger_that_does_not_close_is_told(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run swing.yaml -o coarse --set integrator.step=1s --set integrator.method=euler", 0,
       "Warning: the ledger does", "freebody run: the ledger does not close: energy is off by"},
      {"$FB run swing.yaml -o coarse --force --quiet --set integrator.step=1s --set integrator.method=euler",
       0, "", "shorten the step or use dopri5"},
      {"grep warning coarse/summary.json", 0, "the ledger does not close", ""},
      {"$FB run floater.yaml -o coarse --force --quiet --set integrator.step=0.2s --set "
       "integrator.method=euler",
       0, "", "momentum is off by"},
      {"$FB run floater.yaml -o coarse --force --quiet --set integrator.step=null --set "
       "integrator.method=dopri5 --set integrator.rtol=0.1 --set integrator.atol=0.1",
       0, "", "give a smaller integrator.accuracy"},
      /* The verdict is that of the steps: it does not depend on what was logged. */
      {"for p in 10ms 0.7s 100s; do $FB run swing.yaml -o logged --force --quiet --set log.period=$p --set "
       "integrator.step=50ms && grep -e relative -e worst -e scale -e peak logged/summary.json > $p.txt; "
       "done; "
       "cmp 10ms.txt 0.7s.txt && cmp 10ms.txt 100s.txt && wc -l < 10ms.txt",
       0, "12", ""},
      {"$FB run swing.yaml -o coarse --force --set integrator.step=1s --set integrator.method=euler", 0,
       "  worst  ", "of what was exchanged at t = "},
      /* What hangs at rest has a residual of round-off, and no motion to judge it by. */
      {"$FB run swing.yaml -o still --set start.joints.hinge=1e-9 --duration 1", 0, "simulated", ""},
  };
  CHECK_CASES(cases);
}

#define DAMPED(damping, duration)                                                                            \
  "echo '{scenario: 1, model: {bodies: [{name: b, mass: 1, com: [0, 0, -1], inertia: [1, 1, 1, 0, 0, 0], "   \
  "joint: {name: h, type: revolute, axis: [0, 1, 0], damping: " damping                                      \
  "}}]}, gravity: [0, 0, -9.81], start: {joints: {h: 1}}, integrator: {method: dopri5}, duration: " duration \
  "}' | $FB run - -o stiff --force --quiet"

static void stiffness_is_mentioned_only_where_it_makes_a_run_slow(void** state) {
  (void)state;
  const shell_case cases[] = {
      {DAMPED("2e4", "10"), 0, "", "limited by stability, not accuracy: something is stiff"},
      {DAMPED("400", "10") " 2>&1 | wc -c", 0, "0", ""}, /* some 700 steps */
  };
  CHECK_CASES(cases);
}

static void an_existing_run_is_kept_unless_force_is_given(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run swing.yaml -o kept --quiet --duration 1", 0, "", ""},
      {"cp kept/run.db before.db; cp kept/summary.json before.json", 0, "", ""},
      {"$FB run swing.yaml -o kept", 2, "", "--resume"},
      {"$FB run swing.yaml -o kept", 2, "", "--force"},
      {"cmp kept/run.db before.db && cmp kept/summary.json before.json", 0, "", ""},
      {"echo mine > kept/notes.txt; $FB run swing.yaml -o kept --force --duration 0.5", 0, "0.5 of 0.5 s",
       ""},
      {"cat kept/notes.txt", 0, "mine", ""},
      {"$FB run swing.yaml -o kept --force --resume", 2, "", "choose one"},
      {"mkdir other; echo mine > other/notes.txt; $FB run swing.yaml -o other --quiet; ls other", 0,
       "notes.txt", ""},
  };
  CHECK_CASES(cases);
}

static void wrong_usage_is_explained(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run", 2, "", "which SCENARIO"},
      {"$FB run swing.yaml floater.yaml", 2, "", "unexpected argument 'floater.yaml'"},
      {"$FB run nowhere.yaml", 2, "", "nowhere.yaml: there is no such file"},
      {"$FB run swing.yaml --duration -1", 2, "", "--duration takes a time"},
      {"$FB run swing.yaml --duration 3kg", 2, "", "--duration takes a time"},
      {"$FB run swing.yaml --set duration", 2, "", "KEY=VALUE"},
      {"$FB run swing.yaml --set integrator.metod=rk4", 2, "", "method"},
      {"$FB run swing.yaml --realtime=fast", 2, "", "factor"},
      {"$FB run swing.yaml --realtime=0", 2, "", "factor"},
      {"$FB run swing.yaml --realtime 0.5s", 2, "",
       "a plain number from 1e-6 to 1e6 as 2 or 0.5, or nothing; not '0.5s'"},
      {"$FB run swing.yaml --realtime -1", 2, "", "not '-1'"},
      {"$FB run swing.yaml --duration 2 --set duration=3", 2, "", "--duration and --set duration=3 conflict"},
      {"$FB run swing.yaml --base floating", 2, "", "--base takes free or fixed"},
      {"$FB run swing.yaml --export pdf", 2, "", "csv, h5"},
      {"$FB run --resume nowhere", 2, "", "there is no folder 'nowhere'"},
      {"mkdir -p empty; $FB run --resume empty", 2, "", "there is no run in this folder"},
      {"cat swing.yaml | $FB run - --resume -o x", 2, "", "standard input"},
      {"ls -d x empty/*", 2, "", NULL}, /* none of them left anything */
  };
  CHECK_CASES(cases);
}

static void a_folder_that_cannot_be_written_is_an_error(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run swing.yaml -o swing.yaml/run", 1, "", "under one"},
      {"$FB run swing.yaml -o swing.yaml", 1, "", "a run needs a folder"},
      {"$FB run swing.yaml -o /proc/freebody-run", 1, "", "/proc/freebody-run"},
      {"cmp swing.yaml swing.yaml", 0, "", ""},
  };
  CHECK_CASES(cases);
}

/* user_version, four bytes from offset 60 of a SQLite file. */
static void patch_version(const char* file, unsigned char version) {
  int f = open(file, O_WRONLY);
  assert_true(f >= 0);
  const unsigned char bytes[4] = {0, 0, 0, version};
  assert_int_equal(pwrite(f, bytes, 4, 60), 4);
  close(f);
}

static void stores_that_are_not_ours_are_left_alone(void** state) {
  (void)state;
  check_line("$FB run swing.yaml -o alien --quiet --duration 1", 0);
  patch_version("alien/run.db", 99);
  const shell_case cases[] = {
      {"cp alien/run.db before.db; $FB run --resume alien", 2, "", "version"},
      {"$FB run swing.yaml -o alien --resume", 2, "", "version"},
      {"$FB run swing.yaml -o alien", 2, "", "--force"},
      {"cmp alien/run.db before.db", 0, "", ""},
      {"$FB run swing.yaml -o alien --force --quiet", 0, "", ""},
      {"mkdir text; echo hello > text/run.db; $FB run --resume text", 2, "", "not a database"},
      {"$FB run swing.yaml -o text --quiet", 2, "", "--force"},
      {"cat text/run.db", 0, "hello", ""},
  };
  CHECK_CASES(cases);
}

static void two_runs_give_the_same_bytes(void** state) {
  (void)state;
  static const char* const methods[] = {"euler", "semi_implicit", "rk4", "rkmk4", "dopri5", "momentum"};
  for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
    char line[300];
    snprintf(line, sizeof line,
             "for d in x y; do $FB run floater.yaml -o $d --force --quiet --duration 3 --set "
             "integrator.method=%s || "
             "exit; done",
             methods[i]);
    check_line(line, 0);
    assert_same_runs("x", "y");
  }
}

static void interrupted_runs_go_on_to_the_same_end(void** state) {
  (void)state;
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  check_line("$FB run swing.yaml -o whole --quiet", 0);
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++) {
    check_line("rm -rf cut", 0);
    assert_int_equal(interrupt("exec $FB run swing.yaml -o cut --realtime", "cut", signals[i]), 1);
    char* said = slurp("stderr.txt");
    assert_non_null(strstr(said, "interrupted at t = "));
    assert_non_null(strstr(said, "freebody run --resume cut"));
    free(said);
    const shell_case cases[] = {
        {"grep status cut/summary.json", 0, "interrupted", ""},
        {"$FB run --resume cut", 0, "since t = ", ""},
        {"$FB run --resume cut --quiet --export csv", 0, "", ""},
        {"$FB run --resume cut", 0, "complete", ""},
        {"$FB run swing.yaml -o cut --resume", 0, "complete", ""},
    };
    CHECK_CASES(cases);
    assert_same_runs("whole", "cut");
    assert_same_files("cut/log.csv", "b.csv");
  }
}

static void resume_refuses_what_has_changed(void** state) {
  (void)state;
  assert_int_equal(
      interrupt("exec $FB run floater.yaml -o part --realtime --duration 4 --set integrator.step=20ms "
                "--set checkpoint=0.1",
                "part", SIGINT),
      1);
  const shell_case cases[] = {
      {"sed 's/mass: 50/mass: 51/' floater.yaml > changed.yaml; $FB run changed.yaml -o part --resume", 2, "",
       "has changed"},
      {"$FB run floater.yaml -o part --resume --duration 3", 2, "", "cannot be shortened to 3 s"},
      {"$FB run floater.yaml -o part --resume --set integrator.step=10ms", 2, "", "--set"},
      {"$FB run --resume part --duration 3", 2, "", "duration of 4 s and cannot be shortened to 3 s"},
      {"$FB run --resume part --set checkpoint=1", 2, "", "begun with"},
      {"$FB run --resume part -o elsewhere", 2, "", "two folders"},
      {"rm floater.yaml; $FB run --resume part --quiet", 0, "", ""}, /* the copies are enough */
      {"cat part/summary.json", 0, "\"t\": 4,", ""},
  };
  CHECK_CASES(cases);
  spill("floater.yaml", FLOATER);
  check_line(
      "$FB run floater.yaml -o uncut --quiet --duration 4 --set integrator.step=20ms --set checkpoint=0.1",
      0);
  assert_same_runs("uncut", "part");
}

/* Nothing is kept in a folder that is gone, and nothing belongs into one that another run has made meanwhile. */
static void a_folder_that_is_moved_or_removed_ends_the_run(void** state) {
  (void)state;
  static const char begin[] =
      "rm -rf away gone.txt; $FB run swing.yaml -o away --quiet --realtime --duration 100 2>gone.txt & p=$!;"
      "until test -s away/run.db-wal; do sleep 0.02; done; sleep 0.1;";
  static const struct {
    const char *act, *out;
  } rows[] = {
      {"rm -rf away; wait $p; e=$?; cat gone.txt >&2; ls away 2>/dev/null; exit $e", ""},
      {"mv away kept; wait $p; e=$?; cat gone.txt >&2; $FB export kept --list | tail -n 1 >&2; exit $e", ""},
      {"mv away first; $FB run swing.yaml -o away --quiet --duration 1; wait $p; e=$?; cat gone.txt >&2;"
       "grep -c '\"t\": 1,' away/summary.json; exit $e",
       "1"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char line[900];
    snprintf(line, sizeof line, "%s%s", begin, rows[i].act);
    outcome o = run(line);
    assert_int_equal(o.code, 1);
    if (!strstr(o.err, "away/run.db: at t = ") ||
        !strstr(o.err, "was removed, renamed or replaced while the") || strstr(o.err, "is kept in") ||
        !strstr(o.out, rows[i].out))
      fail_msg("%s: %s%s", rows[i].act, o.out, o.err);
    outcome_free(&o);
  }
}

static void resume_refuses_copies_that_have_changed(void** state) {
  (void)state;
  if (!fb_lua_available()) return;
  char text[sizeof SWING + 200];
  snprintf(text, sizeof text, "%scontrol: [{name: law, type: lua, file: law.lua}]\n", SWING);
  spill("copied.yaml", text);
  spill("law.lua", "function act(t, q, v) return {0.5} end\n");
  const shell_case cases[] = {
      {"$FB run copied.yaml -o copied --quiet && rm copied/summary.json", 0, "", ""},
      {"sed -i s/0.5/0.6/ copied/inputs/1-law.lua; $FB run --resume copied", 2, "",
       "copied/inputs/1-law.lua: what is here is not what the run was begun with; restore it, or begin a new "
       "run"},
      {"cp law.lua copied/inputs/1-law.lua; echo >> copied/inputs/0-copied.yaml; $FB run --resume copied", 2,
       "",
       "copied/inputs/0-copied.yaml: what is here is not what the run was begun with; restore it, or begin a "
       "new run"},
      /* What cannot be read any more is the copy's fault, not that of the file it was made of. */
      {"printf '\\001{' >copied/inputs/0-copied.yaml; $FB run --resume copied", 2, "",
       "copied/inputs/0-copied.yaml: what is here is not what the run was begun with; restore it, or begin a "
       "new "
       "run"},
      {"cp copied.yaml copied/inputs/0-copied.yaml; echo 'function (' >copied/inputs/1-law.lua; $FB run "
       "--resume "
       "copied",
       2, "",
       "copied/inputs/1-law.lua: what is here is not what the run was begun with; restore it, or begin"},
      {"cp law.lua copied/inputs/1-law.lua; echo >copied/inputs/1-law.lua~; $FB run --resume copied --quiet",
       0, "", ""},
  };
  CHECK_CASES(cases);
}

static void what_scripts_print_is_seen_but_does_not_flood(void** state) {
  (void)state;
  if (!fb_lua_available()) return;
  char text[sizeof SWING + 200];
  snprintf(text, sizeof text,
           "%scontrol: [{name: talk, type: lua, text: \"function act(t, q, v) print('it is', t) end\"}]\n",
           SWING);
  spill("said.yaml", text);
  const shell_case cases[] = {
      {"$FB run said.yaml -o said", 0, "swing: finished", "it is\t0.0\n"},
      {"$FB run said.yaml -o said --force 2>&1 >/dev/null | wc -l", 0, "1001", ""},
      {"$FB run said.yaml -o said --force --quiet 2>&1 | wc -l", 0, "0", ""},
  };
  CHECK_CASES(cases);
}

static void resume_with_a_scenario_begins_what_is_not_there(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run swing.yaml -o fresh --resume --duration 1", 0, "swing: finished", ""},
      {"$FB run swing.yaml -o fresh --resume --duration 1", 0, "complete", ""},
      {"rm fresh/summary.json; $FB run --resume fresh", 0, "swing: finished",
       ""}, /* the last word was missing */
  };
  CHECK_CASES(cases);
}

static void a_run_that_fails_keeps_what_it_had(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run floater.yaml -o burst --duration 10 --set integrator.method=euler --set 'control[0].kp=1e7'",
       1, "", "t = "},
      {"cat burst/summary.json", 0, "\"status\": \"failed\"", ""},
      {"$FB export burst -o -", 0, "q.shoulder", NULL},
      {"$FB run --resume burst", 1, "", "t = "}, /* the same again */
  };
  CHECK_CASES(cases);
  outcome o = run("$FB run --resume burst");
  assert_non_null(strstr(o.err, "is kept in burst; to look at it: freebody plot burst energy"));
  assert_null(strstr(o.err, "--resume"));
  outcome_free(&o);
}

/* The commands that are shown may be given to a shell as they are. */
static void commands_that_are_shown_can_be_run(void** state) {
  (void)state;
  static const char* const folders[] = {"it's",       "$HOME", "a;touch hacked", "-dash",
                                        "two  words", "`x`",   "back\\slash"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    setenv("FOLDER", folders[i], 1);
    check_line(
        "PATH=$(dirname $FB):$PATH; $FB run swing.yaml --duration 0.1 --output=\"$FOLDER\" >shown.txt && "
        "grep '^  freebody export' shown.txt >line.sh && rm -f log.csv && sh line.sh && test -s log.csv",
        0);
  }
  unsetenv("FOLDER");
  check_line("test ! -e hacked", 0);
}

/* A URDF floats or stands as --base says, also when the run goes on. */
static void the_base_of_a_urdf_is_as_asked(void** state) {
  (void)state;
  spill("bar.urdf",
        "<robot name='bar'><link name='bar'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' "
        "ixy='0' "
        "ixz='0' iyz='0'/></inertial></link><link name='tip'><inertial><mass value='1'/><inertia ixx='1' "
        "iyy='1' "
        "izz='1' ixy='0' ixz='0' iyz='0'/></inertial></link><joint name='j' type='continuous'><parent "
        "link='bar'/>"
        "<child link='tip'/></joint></robot>");
  const shell_case cases[] = {
      {"$FB run bar.urdf --duration 1", 0, "7 degrees of freedom", ""},
      {"$FB run bar.urdf --duration 1 --base fixed -o fixed", 0, "1 degree of freedom", ""},
      {"rm fixed/summary.json; $FB run --resume fixed --base free", 2, "", "leave out"},
      {"$FB run bar.urdf -o fixed --resume --base free", 2, "", "the base (--base) is not the one"},
      {"$FB run --resume fixed", 0, "1 degree of freedom", ""},
  };
  CHECK_CASES(cases);
}

static void events_may_stop_a_run(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"sed 's/direction: falling}/direction: falling, do: [{stop: true}]}/' swing.yaml > stop.yaml; "
       "$FB run stop.yaml -o stopped",
       0, "swing: stopped", ""},
      {"$FB run --resume stopped", 0, "complete", ""},
      {"$FB export stopped -o - | tail -n 1 | cut -d, -f1 | cut -c1-3", 0, "0.5",
       NULL}, /* the end has a sample */
  };
  CHECK_CASES(cases);
}

static void samples_of_adaptive_runs_fall_on_the_period(void** state) {
  (void)state;
  check_line(
      "sed '/^events/,/let go/d' swing.yaml > smooth.yaml; $FB run smooth.yaml -o even --quiet --set "
      "integrator='{method: dopri5}'",
      0);
  outcome o =
      run("$FB export even -o even.csv; grep -v '^#' even.csv | cut -d, -f1 | grep -c '^[0-9.]*$'; "
          "grep '^0.02,\\|^0.04,\\|^2.98,' even.csv | wc -l");
  assert_non_null(strstr(o.out, "151\n3\n"));
  outcome_free(&o);
}

static void realtime_keeps_step_with_the_clock(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run swing.yaml -o paced --duration 0.2 --realtime", 0, "jitter      p50", ""},
      {"$FB run swing.yaml -o paced2 --duration 0.4 --realtime 2", 0, "at 2 x real time", ""},
      {"$FB run --realtime swing.yaml -o paced3 --duration 0.05", 0, "at 1 x real time", ""},
      {"grep -c '\"missed\"\\|jitter_p50\\|jitter_p99\\|jitter_max' paced/summary.json", 0, "4", ""},
      {"$FB run swing.yaml -o free --duration 0.2 --quiet", 0, "", ""},
  };
  CHECK_CASES(cases);
  assert_same_runs("paced", "free");
  char* text = slurp("paced2/summary.json");
  const char* seconds = strstr(text, "\"seconds\":");
  assert_non_null(seconds);
  double wall = strtod(seconds + strlen("\"seconds\":"), NULL);
  assert_true(wall >= 0.199); /* 0.4 s at twice the speed; how much longer depends on the machine */
  free(text);
}

/* All that a terminal would show, while a line runs in the shell with it as standard error. */
static char* on_terminal(const char* line, unsigned short columns) {
  int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  assert_true(terminal >= 0 && grantpt(terminal) == 0 && unlockpt(terminal) == 0);
  const struct winsize window = {.ws_row = 24, .ws_col = columns};
  ioctl(terminal, TIOCSWINSZ, &window);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    int side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    if (side < 0 || dup2(side, STDERR_FILENO) < 0) _exit(127);
    setenv("TERM", "xterm", 1);
    execl("/bin/sh", "sh", "-c", line, (char*)NULL);
    _exit(127);
  }
  size_t size = 0, room = 1 << 16;
  char* text = (char*)malloc(room + 1);
  assert_non_null(text);
  /* Reading ends with an error when the last one who has the terminal open is gone. */
  for (ssize_t n; size < room && (n = read(terminal, text + size, room - size)) > 0;) size += (size_t)n;
  text[size] = '\0';
  int status = -1;
  waitpid(child, &status, 0);
  close(terminal);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  return text;
}

static void a_terminal_shows_progress_and_is_left_clean(void** state) {
  (void)state;
  char* text = on_terminal("$FB run floater.yaml -o shown --duration 0.6 --realtime >out.txt", 120);
  const char* const wanted[] = {"[####",    " of 0.6 s  ", " x real time",
                                "ETA 0:01", "  energy ",   "  momentum "};
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
    if (!strstr(text, wanted[i])) fail_msg("no '%s' in '%s'", wanted[i], text);
  size_t size = strlen(text);
  assert_true(size > 4 && strcmp(text + size - 4, "\r\033[K") == 0);
  free(text);
  text = on_terminal("$FB run floater.yaml -o shown --force --quiet --duration 0.3 --realtime", 120);
  assert_string_equal(text, "");
  free(text);
}

/* Fields are shown whole or not at all. */
static void a_narrow_terminal_shows_fewer_fields(void** state) {
  (void)state;
  static const struct {
    unsigned short columns;
    const char *there, *not_there;
  } cases[] = {{70, "  energy ", "  momentum "},
               {40, "ETA 0:01", "  energy "},
               {30, "ETA 0:01", "real time"},
               {21, " of 0.6 s", "ETA"},
               {6, "\r\033[K", "0.6"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char* text = on_terminal("$FB run floater.yaml -o shown --force --duration 0.6 --realtime >out.txt",
                             cases[i].columns);
    if (!strstr(text, cases[i].there) || strstr(text, cases[i].not_there))
      fail_msg("%d columns: '%s'", cases[i].columns, text);
    for (const char* line = text; (line = strchr(line, '\r')); line++)
      assert_true(strcspn(line + 1, "\033") < cases[i].columns);
    free(text);
  }
}

/* Where files may not grow beyond a bound the disk seems full, without a disk that is. */
static void a_full_disk_loses_nothing(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"(ulimit -f 2048; timeout 60 $FB run floater.yaml -o tight --duration 60 --set log.period=0.01 --set "
       "checkpoint=1)",
       1, "", "the disk is full"},
      {"(ulimit -f 2048; timeout 60 $FB run --resume tight)", 1, "", "the disk is full"},
      {"$FB export tight -o -", 0, "q.shoulder", NULL},
      {"$FB run --resume tight --quiet", 0, "", ""},
      {"$FB run floater.yaml -o wide --duration 60 --set log.period=0.01 --set checkpoint=1 --quiet", 0, "",
       ""},
      {"(ulimit -f 1; timeout 60 $FB run swing.yaml -o none)", 1, "", "none"},
  };
  CHECK_CASES(cases);
  assert_same_runs("wide", "tight");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_makes_a_folder_and_prints_how_it_went),
      cmocka_unit_test(a_ledger_that_does_not_close_is_told),
      cmocka_unit_test(stiffness_is_mentioned_only_where_it_makes_a_run_slow),
      cmocka_unit_test(an_existing_run_is_kept_unless_force_is_given),
      cmocka_unit_test(wrong_usage_is_explained),
      cmocka_unit_test(a_folder_that_cannot_be_written_is_an_error),
      cmocka_unit_test(stores_that_are_not_ours_are_left_alone),
      cmocka_unit_test(two_runs_give_the_same_bytes),
      cmocka_unit_test(interrupted_runs_go_on_to_the_same_end),
      cmocka_unit_test(resume_refuses_what_has_changed),
      cmocka_unit_test(resume_refuses_copies_that_have_changed),
      cmocka_unit_test(a_folder_that_is_moved_or_removed_ends_the_run),
      cmocka_unit_test(resume_with_a_scenario_begins_what_is_not_there),
      cmocka_unit_test(what_scripts_print_is_seen_but_does_not_flood),
      cmocka_unit_test(a_run_that_fails_keeps_what_it_had),
      cmocka_unit_test(commands_that_are_shown_can_be_run),
      cmocka_unit_test(the_base_of_a_urdf_is_as_asked),
      cmocka_unit_test(events_may_stop_a_run),
      cmocka_unit_test(samples_of_adaptive_runs_fall_on_the_period),
      cmocka_unit_test(realtime_keeps_step_with_the_clock),
      cmocka_unit_test(a_terminal_shows_progress_and_is_left_clean),
      cmocka_unit_test(a_narrow_terminal_shows_fewer_fields),
      cmocka_unit_test(a_full_disk_loses_nothing),
  };
  return cmocka_run_group_tests(tests, open_with_scenarios, scratch_close);
}
