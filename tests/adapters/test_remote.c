/* test_remote.c -- controllers in other processes: sound ones over each transport, and ones that die, lie, flood and stall,
 * which are handled as declared and named in messages. No address but of this machine is used, and no time is asserted. */
#define _GNU_SOURCE /* usleep */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <freebody/run.h>
#include <freebody/scenario.h>

#include "near.h"
#include "remote_rig.h"

static const char* const WAY_NAMES[] = {"udp", "unix", "shm"};

/* --- runs --- */

typedef struct outcome {
  fb_status status;
  fb_error error;
  char notes[4000];
  double q[2], tau[2], input[2], missed;
  double t;
  fb_run_controller controller;
  int asked; /* the controller was */
} outcome;

static void keep_note(void* user, const char* text) {
  outcome* o = (outcome*)user;
  size_t n = strlen(o->notes);
  snprintf(o->notes + n, sizeof o->notes - n, "%s\n", text);
}

/* The arm with a remote controller at an address; `keys` are further ones of it. */
static void print_scenario(const char* address, const char* keys, char* text, size_t size) {
  snprintf(text, size,
           "scenario: 1\n"
           "name: arm\n"
           "model:\n"
           "  bodies:\n"
           "    - {name: upper, mass: 2, com: [0, 0, -0.25], inertia: [0.05, 0.05, 0.002, 0, 0, 0],\n"
           "       joint: {name: shoulder, type: revolute, axis: [0, 1, 0]}}\n"
           "    - {name: lower, parent: upper, mass: 1.5, com: [0, 0, -0.2], inertia: [0.03, 0.03, 0.001, 0, "
           "0, 0],\n"
           "       joint: {name: elbow, type: revolute, axis: [0, 1, 0], at: [0, 0, -0.5]}}\n"
           "gravity: [0, 0, -9.81]\n"
           "control:\n"
           "  - {name: arm, type: remote, address: '%s', period: 1 ms, wait: 20 s,\n"
           "     signals: [q.shoulder, q.elbow, v.shoulder, v.elbow], joints: [shoulder, elbow], %s}\n"
           "duration: 30 ms\n"
           "checkpoint: 10 s\n"
           "integrator: {method: rk4, step: 1 ms}\n"
           "log: {period: 1 ms, signals: [q, tau, arm.missed, arm.shoulder, arm.elbow]}\n",
           address, keys);
}

/* The inputs are numbers that move nothing. */
static void print_still(const char* address, const char* keys, const char* duration, char* text,
                        size_t size) {
  print_scenario(address, keys, text, size);
  char* key = strstr(text, "joints: [shoulder");
  memmove(key + strlen("numbers"), key + strlen("joints"), strlen(key + strlen("joints")) + 1);
  memcpy(key, "numbers", strlen("numbers"));
  memcpy(strstr(text, "duration: 30 ms"), duration, strlen(duration));
}

static fb_scenario* read_scenario(const char* text) {
  fb_scenario* s = NULL;
  fb_error error;
  if (fb_scenario_parse(text, strlen(text), "arm.yaml", NULL, &s, &error))
    fail_msg("%s\n%s", error.text, text);
  return s;
}

/* The last sample, by names of signals. */
static void look(const fb_run* run, const fb_scenario* s, outcome* o) {
  static const char* const names[] = {"q.shoulder", "q.elbow",      "tau.shoulder", "tau.elbow",
                                      "arm.missed", "arm.shoulder", "arm.elbow"};
  double* const values[] = {&o->q[0],   &o->q[1],     &o->tau[0],  &o->tau[1],
                            &o->missed, &o->input[0], &o->input[1]};
  const double* sample = fb_run_sample(run, NULL);
  const fb_store* store = fb_run_store(run);
  (void)s;
  for (int i = 0; i < 7; i++)
    for (int k = 0; sample && store && k < fb_store_nsignal(store); k++)
      if (strcmp(fb_store_get_signal(store, k).name, names[i]) == 0) *values[i] = sample[k];
}

static void run_text(const char* text, const char* folder, const char* replay, outcome* o) {
  fb_scenario* s = read_scenario(text);
  fb_run* run = NULL;
  fb_run_options options = fb_default_run_options();
  memset(o, 0, sizeof *o);
  o->q[0] = o->q[1] = o->tau[0] = o->tau[1] = o->input[0] = o->missed = NAN;
  options.replace = 1;
  options.note = keep_note;
  options.user = o;
  options.replay = replay;
  o->status = fb_run_create(s, folder, &options, &run, &o->error);
  if (!o->status) o->status = fb_run_until(run, INFINITY, INFINITY, &o->error);
  if (run) {
    look(run, s, o);
    o->t = fb_run_time(run);
    o->asked = fb_run_get_controller(run, 0, &o->controller);
    o->controller.name = NULL;
    fb_run_finish(run, NULL);
  }
  fb_run_free(run);
  fb_scenario_free(s);
}

static outcome run_with(peer_way way, peer_oddity odd, const char* keys) {
  char text[2000];
  outcome o;
  peer p = peer_start(way, odd);
  print_scenario(p.address, keys, text, sizeof text);
  /* Of a run that stops there is nothing to look at but its error. */
  int stops = !strstr(keys, "on_") && odd != SOUND && odd != TWICE && odd != FLOODS;
  run_text(text, stops ? NULL : "odd.run", NULL, &o);
  peer_stop(&p);
  return o;
}

static void expect_text(const char* found, const char* wanted, const char* where, int odd) {
  if (!strstr(found, wanted)) fail_msg("%s, oddity %d: expected '%s', found '%s'", where, odd, wanted, found);
}

/* --- sound peers --- */

/* The same law inside the simulation, sampled as often. */
static void run_inside(outcome* o) {
  char text[2000];
  print_scenario("udp://127.0.0.1:9", "timeout: 1 s", text, sizeof text);
  char* law = strstr(text, "  - {name: arm");
  char* rest = strstr(text, "duration:");
  char whole[3000];
  *law = '\0';
  snprintf(
      whole, sizeof whole,
      "%s  - {name: arm, type: joint_pd, joints: [shoulder, elbow], kp: 100, kd: 20, target: [0.5, 0.5],\n"
      "     sample: {period: 1 ms}}\n%s",
      text, rest);
  char* signals = strstr(whole, ", arm.missed, arm.shoulder, arm.elbow");
  memset(signals, ' ', strlen(", arm.missed, arm.shoulder, arm.elbow"));
  run_text(whole, "inside.run", NULL, o);
  if (o->status) fail_msg("%s", o->error.text);
}

static void in_lock_step_a_law_outside_moves_the_arm_as_one_inside(void** state) {
  (void)state;
  outcome inside, first = {0};
  run_inside(&inside);
  for (int way = 0; way < WAYS; way++) {
    outcome o = run_with((peer_way)way, SOUND, "timeout: 20 s");
    if (o.status) fail_msg("%s: %s", WAY_NAMES[way], o.error.text);
    assert_near(WAY_NAMES[way], o.q, inside.q, 2, 1e-13); /* the law's sums have another order */
    if (way == 0) first = o;
    assert_memory_equal(o.q, first.q, sizeof o.q);
    assert_true(o.missed == 0);
    assert_int_equal(o.controller.exchanges, 31);
    assert_int_equal(o.controller.replies, 31);
    assert_true(o.controller.round_trip_p50 > 0 &&
                o.controller.round_trip_p50 <= o.controller.round_trip_p99);
  }
}

static void replies_that_come_twice_do_no_harm(void** state) {
  (void)state;
  outcome sound = run_with(UDP, SOUND, "timeout: 20 s"), twice;
  for (int way = 0; way < WAYS; way++) {
    twice = run_with((peer_way)way, TWICE, "timeout: 20 s");
    if (twice.status) fail_msg("%s: %s", WAY_NAMES[way], twice.error.text);
    assert_memory_equal(twice.q, sound.q, sizeof sound.q);
    assert_true(twice.controller.outdated > 0);
  }
}

static void old_replies_before_the_right_one_are_dropped(void** state) {
  (void)state;
  outcome sound = run_with(UDP, SOUND, "timeout: 20 s");
  for (int way = 0; way < WAYS; way++) {
    outcome o = run_with((peer_way)way, FLOODS, "timeout: 20 s");
    if (o.status) fail_msg("%s: %s", WAY_NAMES[way], o.error.text);
    assert_memory_equal(o.q, sound.q, sizeof sound.q);
    assert_true(o.controller.outdated >= 50);
  }
}

/* --- odd peers --- */

/* What is said of each; ways: those over which it can be done. */
static const struct {
  peer_oddity odd;
  const char* words;
  unsigned ways;
} ODD[] = {
    {SENDS_NAN, "input 1 of its reply is", 7},
    {SENDS_INFINITY, "input 0 of its reply is -inf", 7},
    {SHORT_REPLY, "its reply has 40 bytes, and 2 inputs take 48", 7},
    {LONG_REPLY, "its reply has 56 bytes, and 2 inputs take 48", 7},
    {HUGE_REPLY, "it sent 60000 bytes, and 2 inputs take 48", 7},
    {FALSE_SIZE, "it sent 48 bytes as a message that says to have 7", 7},
    {OLD_VERSION, "it speaks version 0 of the protocol, and Freebody version 1", 7},
    {WRONG_MAGIC, "it sent 48 bytes that are no message of this protocol", 7},
    {WRONG_TYPE, "it sent a message of type 3 instead of REPLY", 7},
    {FUTURE_STEP, "it replies to step 12, and the last one sent is 5", 7},
    {EMPTY_MESSAGE, "it sent 0 bytes that are no message of this protocol", 7},
    {GARBAGE, "it sent 48 bytes that are no message of this protocol", 7},
};
enum { ODDITIES = sizeof ODD / sizeof ODD[0] };

static void peers_that_lie_stop_the_run_with_the_reason(void** state) {
  (void)state;
  for (int i = 0; i < ODDITIES; i++)
    for (int way = 0; way < WAYS; way++) {
      outcome o = run_with((peer_way)way, ODD[i].odd, "timeout: 20 s");
      assert_int_equal(o.status, FB_ERR_IO);
      expect_text(o.error.text, ODD[i].words, WAY_NAMES[way], (int)ODD[i].odd);
      expect_text(o.error.text, "at t = 0.005 s, block \"arm\": the controller at ", WAY_NAMES[way],
                  (int)ODD[i].odd);
      expect_text(o.error.text, WAY_NAMES[way], WAY_NAMES[way], (int)ODD[i].odd);
    }
}

static void lies_are_held_or_zeroed_where_that_is_declared(void** state) {
  (void)state;
  for (int i = 0; i < ODDITIES; i++) {
    peer_way way = (peer_way)(i % WAYS);
    outcome held = run_with(way, ODD[i].odd, "timeout: 20 s, on_invalid: hold");
    outcome zero = run_with(way, ODD[i].odd, "timeout: 20 s, on_invalid: zero");
    if (held.status || zero.status)
      fail_msg("oddity %d: %s %s", (int)ODD[i].odd, held.error.text, zero.error.text);
    assert_true(held.missed == 26 && zero.missed == 26);
    assert_int_equal(held.controller.invalid, 26);
    assert_true(fabs(held.tau[0]) > 1 && zero.tau[0] == 0 && zero.tau[1] == 0);
    expect_text(held.notes, ODD[i].words, "notes", (int)ODD[i].odd);
    expect_text(held.notes, "; its inputs are held", "notes", (int)ODD[i].odd);
    expect_text(zero.notes, "; its inputs are zero until it replies", "notes", (int)ODD[i].odd);
  }
}

static void a_flood_of_old_replies_is_invalid(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    if (way == UDP) continue; /* what does not fit into the socket's buffer is lost there */
    outcome o = run_with((peer_way)way, FLOODS_OLD, "timeout: 20 s");
    assert_int_equal(o.status, FB_ERR_IO);
    expect_text(o.error.text, "it floods: 10000 messages", WAY_NAMES[way], FLOODS_OLD);
  }
}

static void a_peer_that_stalls_is_handled_as_declared(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    outcome stop = run_with((peer_way)way, STALLS, "timeout: 200 ms");
    assert_int_equal(stop.status, FB_ERR_IO);
    expect_text(stop.error.text, "step 5: no reply within 200 ms", WAY_NAMES[way], STALLS);
    outcome held = run_with((peer_way)way, STALLS, "timeout: 30 ms, on_timeout: hold");
    if (held.status) fail_msg("%s", held.error.text);
    assert_true(held.missed >= 26 && fabs(held.tau[0]) > 1); /* a machine at work may miss more */
    outcome zero =
        run_with((peer_way)way, STALLS, "timeout: 2 ms, on_timeout: zero, on_invalid: stop, on_lost: stop");
    if (zero.status) fail_msg("%s", zero.error.text);
    assert_true(zero.missed >= 26 && zero.tau[0] == 0 && zero.tau[1] == 0);
    expect_text(zero.notes, "no reply within 2 ms; its inputs are zero until it replies", WAY_NAMES[way],
                STALLS);
  }
}

static void after_a_stall_the_peer_goes_on(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    outcome o = run_with((peer_way)way, STALLS_ONCE, "timeout: 300 ms, on_timeout: hold");
    if (o.status) fail_msg("%s", o.error.text);
    assert_true(o.missed >= 1 && o.missed < 20);
    expect_text(o.notes, "controller 'arm' replies again", WAY_NAMES[way], STALLS_ONCE);
  }
}

/* Over UDP that is known with the next message: the one that killed it was delivered. */
static void a_peer_that_dies_is_handled_as_declared(void** state) {
  (void)state;
  static const char* const words[] = {"no reply within 300 ms", "it closed the connection", " has ended"};
  signal(
      SIGCHLD,
      SIG_IGN); /* nobody waits for it: as long as a process is not buried, shared memory takes it for alive */
  for (int way = 0; way < WAYS; way++) {
    int timeouts = way == UDP;
    outcome stop = run_with((peer_way)way, DIES, "timeout: 300 ms");
    assert_int_equal(stop.status, FB_ERR_IO);
    expect_text(stop.error.text, words[way], WAY_NAMES[way], DIES);
    outcome held = run_with((peer_way)way, DIES, "timeout: 500 ms, on_timeout: hold, on_invalid: stop");
    if (held.status) fail_msg("%s: %s", WAY_NAMES[way], held.error.text);
    assert_true(held.missed == 26 && fabs(held.tau[0]) > 1);
    assert_int_equal(held.controller.timeouts, timeouts);
    assert_int_equal(held.controller.lost, 26 - timeouts);
    if (way == UDP) expect_text(held.notes, "nobody listens there; its inputs are held", "udp", DIES);
    outcome zero = run_with((peer_way)way, DIES, "timeout: 500 ms, on_timeout: hold, on_lost: zero");
    if (zero.status) fail_msg("%s: %s", WAY_NAMES[way], zero.error.text);
    assert_true(zero.missed == 26 && zero.tau[0] == 0);
  }
  signal(SIGCHLD, SIG_DFL);
}

static void a_peer_may_end_the_session_with_a_reason(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    outcome o = run_with((peer_way)way, ENDS, "timeout: 20 s");
    assert_int_equal(o.status, FB_ERR_IO);
    expect_text(o.error.text, "it has ended: lunch", WAY_NAMES[way], ENDS);
  }
}

static void an_end_that_is_longer_than_its_box_is_invalid(void** state) {
  (void)state;
  outcome o = run_with(SHM, ENDS_LONG, "timeout: 20 s, on_lost: hold");
  assert_int_equal(o.status, FB_ERR_IO);
  expect_text(o.error.text, " bytes, and 2 inputs take 48", "shm", ENDS_LONG);
}

static void a_peer_that_shortens_the_shared_memory_is_lost(void** state) {
  (void)state;
  for (int odd = CUTS_ALL; odd <= CUTS_END; odd++) {
    outcome stop = run_with(SHM, (peer_oddity)odd, "timeout: 20 s");
    assert_int_equal(stop.status, FB_ERR_IO);
    expect_text(stop.error.text, "step 5: it, or another process, shortened the shared memory", "shm", odd);
    outcome held = run_with(SHM, (peer_oddity)odd, "timeout: 20 s, on_lost: hold");
    if (held.status) fail_msg("%s", held.error.text);
    assert_true(held.missed == 26 && fabs(held.tau[0]) > 1);
    assert_int_equal(held.controller.lost, 26);
    outcome zero = run_with(SHM, (peer_oddity)odd, "timeout: 20 s, on_lost: zero");
    if (zero.status) fail_msg("%s", zero.error.text);
    assert_true(zero.missed == 26 && zero.tau[0] == 0);
  }
}

static void what_a_peer_puts_in_place_of_the_object_stays(void** state) {
  (void)state;
  char name[64];
  outcome o = run_with(SHM, REPLACES, "timeout: 50 ms");
  assert_int_equal(o.status, FB_ERR_IO);
  expect_text(o.error.text, "no reply within 50 ms", "shm", REPLACES);
  snprintf(name, sizeof name, "/freebody-test-%d", (int)getpid());
  assert_int_equal(shm_unlink(name), 0);
}

static void peers_that_cannot_be_used_are_refused_at_the_start(void** state) {
  (void)state;
  static const struct {
    peer_oddity odd;
    const char* words;
  } rows[] = {
      {OLD_WELCOME, "cannot be used: it speaks version 0 of the protocol"},
      {OTHER_COUNTS, "it expects 7 signals and 2 inputs, and the scenario has 4 signals and 2 inputs"},
      {SHORT_WELCOME, "its WELCOME has 36 bytes instead of 40"},
      {REFUSES, "it refuses: no fuel"}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
    for (int way = 0; way < WAYS; way++) {
      outcome o = run_with((peer_way)way, rows[i].odd, "timeout: 20 s, on_timeout: hold");
      assert_int_equal(o.status, FB_ERR_IO);
      expect_text(o.error.text, rows[i].words, WAY_NAMES[way], (int)rows[i].odd);
      assert_true(access("odd.run/run.db", F_OK) != 0 || o.t == 0);
    }
}

static void without_a_peer_the_run_does_not_begin(void** state) {
  (void)state;
  char nobody[64];
  snprintf(nobody, sizeof nobody, "shm:/freebody-test-%d-nobody", (int)getpid());
  const char* const addresses[] = {"udp://127.0.0.1:9", "unix:nobody", nobody};
  for (int i = 0; i < 3; i++) {
    char text[2000];
    outcome o;
    print_scenario(addresses[i], "timeout: 1 s", text, sizeof text);
    char* wait = strstr(text, "wait: 20 s");
    memcpy(wait, "wait: 0.1 ", 10);
    run_text(text, "none.run", NULL, &o);
    assert_int_equal(o.status, FB_ERR_IO);
    expect_text(o.error.text, "there is no controller at", addresses[i], 0);
    expect_text(o.error.text, "start it, or wait longer for it (wait)", addresses[i], 0);
    assert_int_not_equal(access("none.run", F_OK), 0);
  }
  outcome silent;
  char text[2000];
  peer p = peer_start(UNIX, SILENT);
  print_scenario(p.address, "timeout: 1 s", text, sizeof text);
  memcpy(strstr(text, "wait: 20 s"), "wait: 0.1 ", 10);
  run_text(text, "none.run", NULL, &silent);
  peer_stop(&p);
  assert_int_equal(silent.status, FB_ERR_IO);
  expect_text(silent.error.text, "there is no controller at", "silent", 0);
}

/* Bits of sound messages are turned, and their lengths changed. */
static void whatever_a_peer_sends_the_run_comes_to_its_end(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    char text[2000];
    outcome o;
    peer p = peer_start((peer_way)way, RANDOM);
    print_still(p.address, "timeout: 5 ms, on_timeout: hold", "duration: .3 s ", text, sizeof text);
    run_text(text, "odd.run", NULL, &o);
    peer_stop(&p);
    if (o.status) fail_msg("%s: %s", WAY_NAMES[way], o.error.text);
    assert_true(isfinite(o.q[0]) && isfinite(o.input[0]) && o.missed > 10);
  }
}

/* --- coming back --- */

static void a_peer_that_comes_back_is_welcome(void** state) {
  (void)state;
  static const char* const folders[] = {"back-udp.run", "back-unix.run", "back-shm.run"};
  for (int way = 0; way < WAYS; way++) {
    char text[2000];
    outcome o;
    signal(SIGCHLD, SIG_IGN);
    peer first = peer_start((peer_way)way, DIES);
    int port = way == UDP ? atoi(strrchr(first.address, ':') + 1) : 0;
    print_scenario(first.address, "timeout: 1 s, on_timeout: hold, pace: lockstep", text, sizeof text);
    memcpy(strstr(text, "duration: 30 ms"), "duration: 1 s  ", 15);
    fb_scenario* s = read_scenario(text);
    fb_run* run = NULL;
    fb_run_options options = fb_default_run_options();
    fb_run_controller before, after;
    memset(&o, 0, sizeof o);
    options.replace = 1;
    options.note = keep_note;
    options.user = &o;
    if (fb_run_create(s, folders[way], &options, &run, &o.error)) fail_msg("%s", o.error.text);
    if (fb_run_until(run, 0.05, INFINITY, &o.error)) fail_msg("%s", o.error.text);
    assert_int_equal(fb_run_get_controller(run, 0, &before), 1);
    assert_true(before.lost > 20 && before.replies == 5);
    char name[64];
    snprintf(name, sizeof name, "freebody-test-%d", (int)getpid());
    peer second = peer_start_at((peer_way)way, SOUND, name, port);
    /* As soon as it runs it is found; until then the simulation goes on. */
    for (double t = 0.06; t < 0.99 && !strstr(o.notes, "replies again"); t += 0.01) {
      if (fb_run_until(run, t, INFINITY, &o.error)) fail_msg("%s", o.error.text);
      usleep(t < 0.3 ? 5000 : 100000);
    }
    assert_int_equal(fb_run_get_controller(run, 0, &after), 1);
    expect_text(o.notes, "controller 'arm' replies again", WAY_NAMES[way], 0);
    assert_true(after.replies > 5);
    fb_run_free(run);
    fb_scenario_free(s);
    kill(second.pid, SIGKILL);
    signal(SIGCHLD, SIG_DFL);
  }
}

/* --- shared memory that is there already --- */

/* What may be there when a run begins. */
typedef enum thing { FOREIGN, EMPTY, PIPE, FOLDER, IN_USE, LEFT, LEFT_AND_NUMBER_TAKEN, THINGS } thing;

/* Puts it there, under a name as of shm_open; an open file that holds its lock, or -1. */
static int leave(thing what, const char* name, pid_t gone) {
  char path[100];
  snprintf(path, sizeof path, "/dev/shm%s", name);
  if (what == PIPE) return assert_int_equal(mkfifo(path, 0600), 0), -1;
  if (what == FOLDER) return assert_int_equal(mkdir(path, 0700), 0), -1;
  fb_remote_shm head = {.magic = what == FOREIGN ? 0x12345678 : FB_REMOTE_SHM_MAGIC,
                        .version = 1,
                        .owner_pid = (uint32_t)(what == LEFT ? gone : getppid())};
  int fd = shm_open(name, O_CREAT | O_RDWR | O_TRUNC, 0600);
  assert_true(fd >= 0);
  if (what != EMPTY) assert_int_equal(write(fd, &head, sizeof head), sizeof head);
  if (what == IN_USE) assert_int_equal(flock(fd, LOCK_EX | LOCK_NB), 0);
  if (what == IN_USE) return fd;
  close(fd);
  return -1;
}

static void shared_memory_of_others_is_left_alone(void** state) {
  (void)state;
  static const char* const words[THINGS] = {
      [FOREIGN] = "is there already, and not of Freebody; choose another name, or remove it",
      [EMPTY] = "is there already, and not of Freebody",
      [PIPE] = "is there already, and not of Freebody",
      [FOLDER] = "is there already, and not of Freebody",
      [IN_USE] = "is in use by process",
      [LEFT] = "there is no controller at",
      [LEFT_AND_NUMBER_TAKEN] = "there is no controller at"};
  pid_t gone = fork();
  if (gone == 0) _exit(0);
  waitpid(gone, NULL, 0);
  for (int i = 0; i < THINGS; i++) {
    char name[64], path[100], address[80], text[2000];
    outcome o;
    snprintf(name, sizeof name, "/freebody-test-%d-there", (int)getpid());
    snprintf(path, sizeof path, "/dev/shm%s", name);
    int fd = leave((thing)i, name, gone);
    snprintf(address, sizeof address, "shm:%s", name);
    print_scenario(address, "timeout: 1 s", text, sizeof text);
    memcpy(strstr(text, "wait: 20 s"), "wait: 0.01", 10);
    run_text(text, "none.run", NULL, &o);
    assert_int_equal(o.status, FB_ERR_IO);
    expect_text(o.error.text, words[i], "shm", i);
    assert_int_equal(remove(path), i < LEFT ? 0 : -1); /* what was replaced was also removed */
    if (fd >= 0) close(fd);
  }
}

/* --- real time --- */

static void in_real_time_the_newest_reply_counts_and_nobody_waits(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    char text[2000];
    outcome o, again;
    peer p = peer_start((peer_way)way, SOUND);
    print_still(p.address, "timeout: 20 s, pace: realtime", "duration: 1 s  ", text, sizeof text);
    run_text(text, "real.run", NULL, &o);
    peer_stop(&p);
    if (o.status) fail_msg("%s: %s", WAY_NAMES[way], o.error.text);
    assert_int_equal(o.controller.exchanges, 1001);
    assert_true(o.controller.replies > 0);
    /* When replies came is in the record, so the replay is the same. */
    run_text(text, "again.run", "real.run", &again);
    if (again.status) fail_msg("%s: %s", WAY_NAMES[way], again.error.text);
    assert_memory_equal(again.input, o.input, sizeof o.input);
    assert_true(fabs(o.input[0]) > 1); /* some reply was taken */
    assert_int_equal(again.controller.replayed, 1001);
    assert_int_equal(again.controller.exchanges, 0);
  }
}

static void in_real_time_silence_is_a_timeout(void** state) {
  (void)state;
  for (int way = 0; way < WAYS; way++) {
    char text[2000];
    outcome o;
    peer p = peer_start((peer_way)way, STALLS);
    print_still(p.address, "timeout: 1 ms, pace: realtime, on_timeout: zero", "duration: 3 s  ", text,
                sizeof text);
    run_text(text, "real.run", NULL, &o);
    peer_stop(&p);
    if (o.status) fail_msg("%s: %s", WAY_NAMES[way], o.error.text);
    assert_true(o.controller.timeouts > 0 && o.input[0] == 0);
    expect_text(o.notes, "nothing was heard for 1 ms; its inputs are zero", WAY_NAMES[way], STALLS);
  }
}

/* --- no peer at all --- */

static void reading_and_checking_a_scenario_asks_nobody(void** state) {
  (void)state;
  char text[2000];
  print_scenario("udp://127.0.0.1:9", "timeout: 1 s", text, sizeof text);
  fb_scenario* s = read_scenario(text); /* would wait 20 s */
  fb_scenario_free(s);
}

int main(void) {
  char folder[] = FB_BINARY_DIR "/remote-XXXXXX", line[600];
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(in_lock_step_a_law_outside_moves_the_arm_as_one_inside),
      cmocka_unit_test(replies_that_come_twice_do_no_harm),
      cmocka_unit_test(old_replies_before_the_right_one_are_dropped),
      cmocka_unit_test(peers_that_lie_stop_the_run_with_the_reason),
      cmocka_unit_test(lies_are_held_or_zeroed_where_that_is_declared),
      cmocka_unit_test(a_flood_of_old_replies_is_invalid),
      cmocka_unit_test(a_peer_that_stalls_is_handled_as_declared),
      cmocka_unit_test(after_a_stall_the_peer_goes_on),
      cmocka_unit_test(a_peer_that_dies_is_handled_as_declared),
      cmocka_unit_test(a_peer_may_end_the_session_with_a_reason),
      cmocka_unit_test(an_end_that_is_longer_than_its_box_is_invalid),
      cmocka_unit_test(a_peer_that_shortens_the_shared_memory_is_lost),
      cmocka_unit_test(what_a_peer_puts_in_place_of_the_object_stays),
      cmocka_unit_test(peers_that_cannot_be_used_are_refused_at_the_start),
      cmocka_unit_test(without_a_peer_the_run_does_not_begin),
      cmocka_unit_test(whatever_a_peer_sends_the_run_comes_to_its_end),
      cmocka_unit_test(a_peer_that_comes_back_is_welcome),
      cmocka_unit_test(shared_memory_of_others_is_left_alone),
      cmocka_unit_test(in_real_time_the_newest_reply_counts_and_nobody_waits),
      cmocka_unit_test(in_real_time_silence_is_a_timeout),
      cmocka_unit_test(reading_and_checking_a_scenario_asks_nobody),
  };
  signal(SIGPIPE, SIG_IGN);
  if (!mkdtemp(folder) || chdir(folder)) return 1;
  int failed = cmocka_run_group_tests(tests, NULL, NULL);
  snprintf(line, sizeof line, "rm -rf '%s'", folder);
  return chdir("/") || system(line) ? 1 : failed;
}
