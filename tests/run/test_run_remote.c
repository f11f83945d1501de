/* test_run_remote.c -- `freebody run` with a remote controller: what it sent is in the run, which is resumed and replayed
 * without it, bit for bit. */
#define _GNU_SOURCE /* usleep */
#include "same_runs.h"

#include <math.h>
#include <sqlite3.h>

#include "remote_rig.h"

/* Its inputs are efforts of the joints; the address is of a Unix socket in the folder of the test. */
static const char ARM[] =
    "scenario: 1\n"
    "name: arm\n"
    "model:\n"
    "  bodies:\n"
    "    - {name: upper, mass: 2, com: [0, 0, -0.25], inertia: [0.05, 0.05, 0.002, 0, 0, 0],\n"
    "       joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}}\n"
    "    - {name: lower, parent: upper, mass: 1.5, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.001, 0, 0, "
    "0],\n"
    "       joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0, 0, -0.5]}}\n"
    "gravity: [0, 0, -9.81]\n"
    "control:\n"
    "  - {name: arm, type: remote, address: 'unix:sock', period: 1 ms, timeout: 20 s, wait: 20 s,\n"
    "     signals: [q.shoulder, q.elbow, v.shoulder, v.elbow], joints: [shoulder, elbow]}\n"
    "duration: 0.3 s\n"
    "checkpoint: 0.1 s\n"
    "integrator: {method: rk4, step: 1 ms}\n"
    "log: {period: 1 ms, signals: [q, v, tau, arm]}\n";

static peer start(peer_oddity odd) {
  return peer_start_at(UNIX, odd, "sock", 0);
}

/* A line with a peer of its own. */
static void check_with(peer_oddity odd, const char* line, int code, const char* out, const char* err) {
  peer p = start(odd);
  const shell_case c[] = {{line, code, out, err}};
  CHECK_CASES(c);
  peer_stop(&p);
}

static int open_all(void** state) {
  signal(SIGPIPE, SIG_IGN);
  if (scratch_open(state)) return -1;
  spill("arm.yaml", ARM);
  check_with(SOUND, "$FB run arm.yaml -o whole", 0, "301 exchanges; round trip p50", "");
  return 0;
}

/* --- resuming --- */

static void a_run_that_its_controller_left_is_resumed_with_another(void** state) {
  (void)state;
  check_with(DIES, "$FB run arm.yaml -o left --quiet", 1, "",
             "at t = 0.005 s, block \"arm\": the controller at unix:sock, step 5: it closed the connection");
  /* The five exchanges before are not asked for again. */
  check_with(SOUND, "$FB run --resume left", 0, "296 exchanges, 5 from the record; round trip", "");
  assert_same_runs("whole", "left");
}

static void a_run_that_was_killed_is_resumed(void** state) {
  (void)state;
  peer p = start(SOUND);
  check_line(
      "$FB run arm.yaml -o killed --quiet --realtime 0.2 & pid=$!; while ! test -e killed/run.db; do sleep "
      "0.02; "
      "done; sleep 0.4; kill -9 $pid; wait $pid; test $? = 137",
      0);
  peer_stop(&p);
  check_with(SOUND, "$FB run --resume killed --quiet", 0, "", "");
  assert_same_runs("whole", "killed");
}

static void an_extended_run_asks_for_what_is_new_only(void** state) {
  (void)state;
  check_with(SOUND, "$FB run arm.yaml -o short --quiet --duration 0.25", 0, "", "");
  /* from the checkpoint at 0.2 s on: 50 exchanges that are known, 50 that are not */
  check_with(SOUND, "$FB run --resume short --duration 0.3", 0, "50 exchanges, 50 from the record", "");
  check_line("$FB compare whole short --tolerance 0", 0);
}

static void waiting_for_a_controller_can_be_interrupted(void** state) {
  (void)state;
  peer p = start(STALLS);
  const shell_case c[] = {
      {"$FB run arm.yaml -o waits --quiet & pid=$!; while ! test -e waits/run.db; do sleep 0.02; done; sleep "
       "0.3; "
       "kill -TERM $pid; wait $pid",
       1, "", "interrupted at t = 0.005 s"}};
  CHECK_CASES(c);
  peer_stop(&p);
  check_with(SOUND, "$FB run --resume waits --quiet", 0, "", "");
  assert_same_runs("whole", "waits");
}

/* --- replaying --- */

static void a_replay_needs_no_controller_and_gives_the_same_bits(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run --replay whole -o again", 0, "0 exchanges, 301 from the record", ""},
      {"$FB run arm.yaml --replay whole -o named --quiet", 0, "", ""},
      {"$FB run --replay again -o third --quiet", 0, "", ""},
  };
  CHECK_CASES(cases);
  assert_same_runs("whole", "again");
  assert_same_runs("whole", "named");
  assert_same_runs("whole", "third");
}

static void the_state_of_a_run_is_taken_without_its_controller(void** state) {
  (void)state;
  check_line(
      "sed '/^control:/,/joints:/d; s/, arm\\]/]/' arm.yaml > bare.yaml; $FB run bare.yaml -o from --quiet "
      "--from "
      "whole@0.15 --duration 0.01",
      0);
}

static void what_cannot_be_replayed_is_refused(void** state) {
  (void)state;
  const shell_case cases[] = {
      {"$FB run --replay whole -o whole --force", 2, "", "the replay of 'whole' needs a folder of its own"},
      {"$FB run --replay nothing -o x", 2, "", "nothing"},
      {"$FB run --replay whole --resume -o again", 2, "", "choose one"},
      {"$FB run --replay whole -o x --set duration=1", 2, "", "with its own values"},
      {"$FB run arm.yaml --replay whole -o x --quiet --duration 0.4", 1, "",
       "the record in whole has no exchange 301 of controller 'arm', at t = 0.301 s"},
      {"$FB run arm.yaml --replay whole -o x --force --quiet --set control.arm.period=2ms", 1, "",
       "exchange 1 of controller 'arm' is not as the record in whole has it: there it is at t = 0.001 s, "
       "here at 0.002 s"},
      {"$FB run arm.yaml --replay whole -o x --force --quiet --set control.arm.joints=elbow", 1, "",
       "it has another number of inputs"},
      {"$FB run bare.yaml --replay whole -o x --force --quiet", 1, "", "there is nothing to replay"},
  };
  CHECK_CASES(cases);
}

/* --- the record --- */

static int count_rows(sqlite3* db, const char* sql) {
  sqlite3_stmt* statement;
  assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  int count = sqlite3_column_int(statement, 0);
  sqlite3_finalize(statement);
  return count;
}

static void the_record_is_in_the_store_as_the_page_says(void** state) {
  (void)state;
  sqlite3* db;
  assert_int_equal(sqlite3_open("whole/run.db", &db), SQLITE_OK);
  assert_int_equal(count_rows(db, "SELECT sum(count) FROM exchange WHERE controller = 'arm'"), 301);
  assert_int_equal(
      count_rows(db, "SELECT count(*) FROM exchange WHERE length(data) != 8 * count * (2 + inputs)"), 0);
  assert_int_equal(count_rows(db, "PRAGMA user_version"), 3);
  sqlite3_stmt* statement;
  double first[4];
  assert_int_equal(sqlite3_prepare_v2(db, "SELECT data FROM exchange WHERE first = 0", -1, &statement, NULL),
                   SQLITE_OK);
  assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
  memcpy(first, sqlite3_column_blob(statement, 0), sizeof first);
  sqlite3_finalize(statement);
  sqlite3_close(db);
  const double wanted[4] = {0, 0, 50, 50}; /* t, a reply, 100 (0.5 - 0) twice */
  assert_memory_equal(first, wanted, sizeof first);
}

static void a_damaged_record_is_noticed(void** state) {
  (void)state;
  static const struct {
    const char *sql, *words;
  } rows[] = {
      {"UPDATE exchange SET data = zeroblob(length(data)) WHERE first > 100", "does not fit its checksum"},
      {"UPDATE exchange SET count = count - 1 WHERE first > 100", "exchange"},
      {"UPDATE exchange SET data = zeroblob(8) WHERE first = 0", "has the wrong size"},
      {"DELETE FROM exchange WHERE first = 0", "has no exchange 0 of controller 'arm'"},
      {"DROP TABLE exchange", "its table 'exchange' is gone"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    sqlite3* db;
    check_line("rm -rf hurt x; cp -r whole hurt", 0);
    assert_int_equal(sqlite3_open("hurt/run.db", &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, rows[i].sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
    outcome o = run("$FB run --replay hurt -o x --quiet");
    if (o.code == 0 || !strstr(o.err, rows[i].words))
      fail_msg("%s: exit %d, '%s'", rows[i].sql, o.code, o.err);
    outcome_free(&o);
  }
}

/* --- scenarios --- */

static void keys_that_make_no_sense_are_refused_with_their_place(void** state) {
  (void)state;
  static const struct {
    const char *edit, *words;
  } rows[] = {
      {"s/unix:sock/tcp:80/",
       "arm.yaml:11:40: control[0].address: the address 'tcp:80' is of no known kind; addresses are "
       "udp://127.0.0.1:9000"},
      {"s/unix:sock/udp:\\/\\/example.org:80/", "a host that is neither a number nor localhost"},
      {"s/unix:sock/udp:\\/\\/127.0.0.1:0/", "has no host and port from 1 to 65535"},
      {"s/unix:sock/udp:\\/\\/127.0.0.1/", "has no host and port"},
      {"s/unix:sock/shm:arm/", "has no name that begins with its only slash"},
      {"s/unix:sock/shm:\\/a\\/b/", "has no name that begins with its only slash"},
      {"s/unix:sock/unix:/", "has no path"},
      {"s/timeout: 20 s/timeout: 0 s/", "timeout"},
      {"s/period: 1 ms, //", "period"},
      {"s/q.elbow/q.elbwo/", "did you mean"},
      {"s/joints: \\[shoulder, elbow\\]/joints: [shoulder, shoulder]/",
       "the joint 'shoulder' is named twice"},
      {"s/, joints: \\[shoulder, elbow\\]//",
       "a remote controller has no inputs; name joints, frames or numbers"},
      {"s/, joints:/, numbers: [a.b], joints:/", "'a.b' cannot be the name of a number"},
      {"s/, joints:/, numbers: [missed], joints:/", "two inputs would have the signal 'arm.missed'"},
      {"s/, joints:/, on_timeout: wait, joints:/", "hold, zero"},
      {"s/, joints:/, pace: slow, joints:/", "lockstep"},
      {"s/q.shoulder,/a.shoulder,/", "which depends on what blocks do"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char line[400];
    snprintf(line, sizeof line,
             "sed '%s' arm.yaml > bad.yaml; $FB check bad.yaml 2>&1 | sed s/bad.yaml/arm.yaml/",
             rows[i].edit);
    outcome o = run(line);
    if (!strstr(o.out, rows[i].words))
      fail_msg("%s: expected '%s', found '%s'", rows[i].edit, rows[i].words, o.out);
    outcome_free(&o);
  }
}

static void a_scenario_is_explained_without_asking(void** state) {
  (void)state;
  const shell_case cases[] = {{"$FB check arm.yaml", 0,
                               "arm: the controller at unix:sock, every 1 ms in lock-step: 4 signals to it, "
                               "2 inputs from it; without a reply in 20 "
                               "s the run stops",
                               ""}};
  CHECK_CASES(cases);
}

/* --- real time --- */

static void a_run_in_real_time_says_how_late_it_was(void** state) {
  (void)state;
  check_with(SOUND,
             "$FB run arm.yaml -o real --realtime --set control.arm.pace=realtime --set duration=0.1 --set "
             "'control.arm.joints=[]' --set 'control.arm.numbers=[a, b]'",
             0, "Jitter: how late steps were", "");
  check_with(SOUND, "$FB run arm.yaml -o hasty --quiet --set control.arm.pace=realtime --set duration=0.01",
             0, "",
             "controller 'arm' has pace: realtime, and the run is as fast as it can be; add --realtime");
  const shell_case cases[] = {
      {"python3 -c \"import json; s = json.load(open('real/summary.json'))['wall']; h = "
       "s['realtime']['jitter_histogram']; print(sum(b['count'] for b in h) == s['realtime']['deadlines'] > "
       "50, "
       "all(a['below'] * 2 == b['below'] for a, b in zip(h, h[1:]) if 'below' in b), "
       "s['remote'][0]['exchanges'])\"",
       0, "True True 101", ""},
      {"$FB run arm.yaml -o x --force --priority", 2, "", "add --realtime"},
      {"$FB run arm.yaml -o x --force --realtime --priority 100", 2, "",
       "--priority takes a whole number from 1 to 99"},
      {"$FB run arm.yaml -o x --force --realtime --priority=high", 2, "",
       "--priority takes a whole number from 1 to 99"},
  };
  CHECK_CASES(cases);
}

/* Permitted or not, the run is made; what is missing is said. As another user than root it is missing, if it can be had. */
static void a_priority_that_is_not_permitted_is_named_and_not_needed(void** state) {
  (void)state;
  check_line("sed '/^control:/,/joints:/d; s/, arm\\]/]/' arm.yaml > bare.yaml; chmod 777 .", 0);
  outcome o = run("$FB run bare.yaml -o high --realtime --priority 10 --duration 0.05");
  assert_int_equal(o.code, 0);
  int granted = strstr(o.out, "SCHED_FIFO 10") != NULL;
  if (!granted) check_text("run", "standard error", o.err, "priority 10");
  outcome_free(&o);
  if (geteuid() != 0) return;
  o =
      run("setpriv --reuid 65534 --regid 65534 --clear-groups sh -c 'ulimit -l 64; ulimit -r 0; $FB run "
          "bare.yaml -o low "
          "--force --realtime --priority 10 --duration 0.05'");
  if (o.code != 0) fail_msg("exit %d: %s", o.code, o.err);
  check_text("run", "standard error", o.err, "priority 10 is not permitted: the limit RLIMIT_RTPRIO is 0");
  check_text("run", "standard error", o.err, "setcap cap_sys_nice,cap_ipc_lock+ep");
  check_text("run", "standard error", o.err, "memory is not locked: the limit RLIMIT_MEMLOCK is 64 KiB");
  outcome_free(&o);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_run_that_its_controller_left_is_resumed_with_another),
      cmocka_unit_test(a_run_that_was_killed_is_resumed),
      cmocka_unit_test(an_extended_run_asks_for_what_is_new_only),
      cmocka_unit_test(waiting_for_a_controller_can_be_interrupted),
      cmocka_unit_test(a_replay_needs_no_controller_and_gives_the_same_bits),
      cmocka_unit_test(the_state_of_a_run_is_taken_without_its_controller),
      cmocka_unit_test(what_cannot_be_replayed_is_refused),
      cmocka_unit_test(the_record_is_in_the_store_as_the_page_says),
      cmocka_unit_test(a_damaged_record_is_noticed),
      cmocka_unit_test(keys_that_make_no_sense_are_refused_with_their_place),
      cmocka_unit_test(a_scenario_is_explained_without_asking),
      cmocka_unit_test(a_run_in_real_time_says_how_late_it_was),
      cmocka_unit_test(a_priority_that_is_not_permitted_is_named_and_not_needed),
  };
  return cmocka_run_group_tests(tests, open_all, scratch_close);
}
