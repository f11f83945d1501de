/* test_extend.c -- `freebody run --resume DIR --duration` continues a run beyond its end, as if it had been begun with the
 * longer duration. */
#define _XOPEN_SOURCE 700
#include "run_scenarios.h"
#include "same_runs.h"

static int open_with_scenarios(void** state) {
  if (scratch_open(state)) return -1;
  spill("swing.yaml", SWING);
  spill("floater.yaml", FLOATER);
  return 0;
}

/* With error control steps end at checkpoints, whose instants are the same only where the scenario gives them. */
static void extended_runs_are_those_of_the_longer_duration(void** state) {
  (void)state;
  static const char* const rows[] = {
      "swing.yaml --set integrator.method=rk4 --set log.period=10ms",
      "swing.yaml --set integrator.method=dopri5 --set checkpoint=70ms --set log.period=10ms",
      "floater.yaml --set integrator.method=momentum --set checkpoint=0.3s --set log.period=20ms",
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    char line[600];
    snprintf(
        line, sizeof line,
        "rm -rf more whole; $FB run %s -o more --quiet --duration 0.73 && $FB run --resume more --duration 1 "
        "--quiet && $FB run --resume more --duration 1.5 --quiet && $FB run %s -o whole --quiet --duration "
        "1.5",
        rows[i], rows[i]);
    check_line(line, 0);
    assert_same_runs("more", "whole");
  }
}

/* The default periods follow from the duration; those of the first part hold for the rest. */
static void an_extended_run_is_logged_as_often_as_before(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"sed '/^log:/d; /^checkpoint:/d' floater.yaml > bare.yaml; $FB run bare.yaml -o long --quiet "
       "--duration 4 && "
       "$FB run --resume long --duration 40 --quiet",
       0, "", ""},
      {"$FB run bare.yaml -o long2 --quiet --duration 4 && $FB run --resume long2 --duration 13 --quiet && "
       "$FB run "
       "--resume long2 --duration 40 --quiet",
       0, "", ""},
      {"$FB export long --list | tail -n 1", 0, " samples from 0 to 40 s", ""},
      {"$FB export long -o - --signals energy | cut -d, -f1 | sed -n '2,3p'", 0, NULL, ""},
  };
  CHECK_CASES(cases);
  assert_same_runs("long", "long2");
  fb_store* run = NULL;
  fb_error error;
  double t[3], last[3];
  assert_int_equal(fb_store_open("long", &run, &error), FB_OK);
  long long n = fb_store_nsample(run);
  assert_int_equal(fb_store_read_signal(run, -1, 0, 3, t, &error), FB_OK);
  assert_int_equal(fb_store_read_signal(run, -1, n - 3, 3, last, &error), FB_OK);
  fb_store_close(run, NULL);
  assert_true(last[2] - last[1] < 1.001 * (t[1] - t[0]));
}

static void what_cannot_be_extended_is_explained(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB run swing.yaml -o a --quiet --duration 1", 0, "", ""},
      {"$FB run --resume a --duration 0.5", 2, "",
       "a: this run has a duration of 1 s and cannot be shortened to 0.5 s"},
      {"$FB run --resume a --duration 1", 0, "complete; there is nothing to resume", ""},
      {"$FB run --resume a --duration 0", 2, "", "--duration takes a time of more than 0"},
      {"$FB run --resume a --duration -3", 2, "", "--duration takes a time of more than 0"},
      {"$FB run --resume a --duration nan", 2, "", "--duration takes a time"},
      {"$FB run --resume a --set duration=2", 2, "", "--duration may extend it"},
      {"$FB run swing.yaml -o a --resume --duration 2 --quiet && grep -c '\"t\": 2,' a/summary.json", 0, "1",
       ""},
      {"sed 's/60 deg/50 deg/' swing.yaml > other.yaml; $FB run other.yaml -o a --resume --duration 3", 2, "",
       "has changed"},
      {"sed 's/at: 1.25 s, do: ..lock: hinge../at: 0.3, do: [{stop: true}]/' swing.yaml > stop.yaml; $FB run "
       "stop.yaml -o s "
       "--quiet --duration 1",
       0, "", ""},
      {"$FB run --resume s --duration 2", 2, "", "an event stopped this run, and would stop it again"},
      {"grep -c '\"status\": \"stopped\"' s/summary.json", 0, "1", ""},
      {"$FB run swing.yaml -o e --quiet --duration 1 --export csv && $FB run --resume e --duration 2 --quiet",
       0, "", "e/log.csv is of the run before it was extended; --export csv writes it again"},
      {"$FB run --resume e --duration 3 --quiet --export csv && tail -n 1 e/log.csv | cut -d, -f1", 0, "3\n",
       ""},
  };
  CHECK_CASES(cases);
}

/* Killed in an extension, it is resumed to its new end; while it is written nobody else may extend it. */
static void an_extension_can_be_killed_and_resumed(void** state) {
  (void)state;
  check_line("$FB run floater.yaml -o cut --quiet --duration 1 --set checkpoint=0.1", 0);
  check_line("$FB run floater.yaml -o whole --force --quiet --duration 4 --set checkpoint=0.1", 0);
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    alarm(60);
    execl("/bin/sh", "sh", "-c", "exec $FB run --resume cut --duration 4 --realtime --quiet 2>stderr.txt",
          (char*)NULL);
    _exit(127);
  }
  const struct timespec moment = {0, 10000000};
  fb_store* run = NULL;
  for (int begun = 0; !begun && waitpid(child, NULL, WNOHANG) == 0; nanosleep(&moment, NULL)) {
    if (fb_store_open("cut", &run, NULL) != FB_OK) continue;
    begun = strcmp(fb_store_get_text(run, "duration"), "4") == 0;
    fb_store_close(run, NULL);
  }
  static const shell_case during[] = {
      {"$FB run --resume cut --duration 6", 1, "", "another process is writing this run"}};
  CHECK_CASES(during);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
  static const shell_case after[] = {{"$FB run --resume cut --quiet", 0, "", ""}};
  CHECK_CASES(after);
  assert_same_runs("cut", "whole");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(extended_runs_are_those_of_the_longer_duration),
      cmocka_unit_test(an_extended_run_is_logged_as_often_as_before),
      cmocka_unit_test(what_cannot_be_extended_is_explained),
      cmocka_unit_test(an_extension_can_be_killed_and_resumed),
  };
  return cmocka_run_group_tests(tests, open_with_scenarios, scratch_close);
}
