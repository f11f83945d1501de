/* test_exit_codes.c -- exit codes as docs/command.md has them, for every command: 0 all well, 1 it failed, 2 wrong usage or
 * bad input; and an HDF5 library that crashes is a failure like another. */
#include "run_command.h"

/* Sanitizers leave its crashes alone. */
#define PRELOAD                                                                         \
  "env ASAN_OPTIONS=verify_asan_link_order=0:handle_segv=0 TSAN_OPTIONS=handle_segv=0 " \
  "UBSAN_OPTIONS=handle_segv=0 LD_PRELOAD=" FB_BINARY_DIR "/tests/plugins/bad_hdf5.so FB_BAD_HDF5="

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  outcome o = run(
      "$FB new swing && cp swing/*.yaml . && mv rods.yaml model.yaml && "
      "sed s/rods.yaml/model.yaml/ pendulum.yaml >s.yaml && "
      "$FB run s.yaml --duration 1 -o made --quiet && "
      "printf 'freebody: 1\nbodies: 7\n' >bad.yaml && printf 'scenario: 1\nmodel: none.yaml\n' >bads.yaml && "
      "mkdir damaged empty && head -c 5000 /dev/zero >damaged/run.db");
  if (o.code) print_error("%s", o.err);
  int code = o.code;
  outcome_free(&o);
  return code;
}

static void exit_codes_are_as_documented(void** unused) {
  (void)unused;
  static const shell_case cases[] = {
      {"$FB", 2, "", "Usage"},
      {"$FB --help", 0, "Usage", ""},
      {"$FB nothing", 2, "", "there is no command"},
      {"$FB help nothing", 2, "", "there is no command"},
      {"$FB --version >/dev/full", 1, NULL, "cannot write all of the output"},
      /* what the user names is good, and nothing went wrong */
      {"$FB check s.yaml model.yaml", 0, "ok", ""},
      {"$FB info model.yaml", 0, NULL, ""},
      {"$FB convert model.yaml m.urdf", 0, NULL, NULL},
      {"$FB export made -o made.csv", 0, "", NULL},
      {"$FB run s.yaml --duration 1 -o other --quiet", 0, "", ""},
      /* bad input */
      {"$FB check bad.yaml s.yaml", 2, "s.yaml: ok", "bad.yaml:2"},
      {"$FB check none.yaml", 2, "", "none.yaml"},
      {"$FB check bads.yaml", 2, "", "none.yaml"},
      {"$FB info bad.yaml", 2, "", "bad.yaml:2"},
      {"$FB info s.yaml", 2, "", "scenario"},
      {"$FB convert bad.yaml m2.urdf", 2, "", "bad.yaml:2"},
      {"$FB eval bad.yaml", 2, "", "bad.yaml"},
      {"$FB bench --seconds 0 bad.yaml", 2, NULL, "bad.yaml:2"},
      {"$FB run bads.yaml -o never", 2, "", "none.yaml"},
      {"$FB export empty -o x.csv", 2, "", "empty"},
      {"$FB export damaged -o x.csv", 2, "", "damaged/run.db"},
      {"$FB plot damaged q -o x.svg", 2, "", "damaged/run.db"},
      {"$FB view damaged -o x.html", 2, "", "damaged/run.db"},
      {"$FB export made -o x.csv --signals nothing", 2, "", "nothing"},
      {"$FB run --resume damaged", 2, "", "damaged/run.db"},
      {"$FB run --resume none", 2, "", "there is no folder 'none'"},
      {"$FB run s.yaml -o made", 2, "", "already contains a run"},
      /* wrong usage */
      {"$FB check", 2, "", "which FILE"},
      {"$FB info", 2, "", "Try"},
      {"$FB convert model.yaml", 2, "", "Try"},
      {"$FB eval", 2, "", "Try"},
      {"$FB bench --seconds x", 2, "", "Try"},
      {"$FB run", 2, "", "which SCENARIO"},
      {"$FB run s.yaml --nothing", 2, "", "unknown option"},
      {"$FB export made", 2, "", "give -o"},
      {"$FB plot made", 2, "", "Try"},
      {"$FB view", 2, "", "Try"},
      {"$FB new", 2, "", "Try"},
      {"$FB schema nothing", 2, "", "Try"},
      {"$FB export made -o x.txt", 2, "", "must be .csv or .h5"},
      /* it failed */
      {"$FB convert model.yaml none/m.urdf", 1, "", "the folder 'none' does not exist"},
      {"$FB export made -o none/x.csv", 1, "", "the folder 'none' does not exist"},
      {"$FB export made -o - >/dev/full", 1, NULL, "cannot write"},
      {"$FB info model.yaml >/dev/full", 1, NULL, "cannot write all of the output"},
      {"$FB check s.yaml >/dev/full", 1, NULL, "cannot write all of the output"},
      {"$FB run s.yaml -o /dev/null/x", 1, "", "a run needs a folder"},
      {"$FB new swing", 1, "", "there already"},
      {"$FB run s.yaml --duration 1000 --realtime -o stopped --quiet & P=$!; "
       "until [ -e stopped/run.db ]; do sleep 0.05; done; sleep 0.3; kill -TERM $P; wait $P",
       1, "", "to go on: freebody run --resume stopped"},
      /* another process writes it */
      {"flock stopped $FB run --resume stopped", 1, "", "another process is writing this run"},
  };
  CHECK_CASES(cases);
}

#ifdef FB_HDF5
/* A crash, an exit, and what it reports: each ends with a message and without a file. */
static void hdf5_that_goes_wrong_is_a_failure_that_leaves_nothing(void** unused) {
  (void)unused;
  static const shell_case cases[] = {
      {PRELOAD "crash $FB export made -o x.h5", 1, "",
       "x.h5: no file was written: the HDF5 library crashed: signal 11"},
      {PRELOAD "exit $FB export made -o x.h5", 1, "",
       "x.h5: no file was written: the HDF5 library ended its process with exit code 0. It does so when "
       "memory runs "
       "out: free some, or export to .csv"},
      {PRELOAD "fail $FB export made -o x.h5", 1, "",
       "x.h5: cannot write the file: HDF5 refuses, or memory ran out"},
      {PRELOAD "close $FB export made -o x.h5", 1, "",
       "x.h5: cannot write the file: HDF5 refuses, or memory ran out"},
      {"ls | grep -c x.h5", 1, "0", ""},
      /* a file that was there stays, also behind a link */
      {"mkdir away; echo old >away/y.h5; ln -s away/y.h5 y.h5; " PRELOAD "crash $FB export made -o y.h5", 1,
       "", "y.h5: no file was written"},
      {"cat y.h5; ls away | wc -l", 0, "old\n1", ""},
      /* the run itself is whole */
      {PRELOAD "crash $FB run s.yaml --duration 1 -o h --export csv,h5 --quiet", 1, "",
       "h/log.h5: no file was written"},
      {"ls h | grep -v run.db-", 0, "inputs\nlog.csv\nrun.db\nsummary.json\n", ""},
      {"$FB run --resume h --export h5", 0, "this run is complete", ""},
      {"ls h/log.h5", 0, "h/log.h5", ""},
      {"$FB export made -o x.h5", 0, "", "made -> x.h5"},
  };
  CHECK_CASES(cases);
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exit_codes_are_as_documented),
#ifdef FB_HDF5
      cmocka_unit_test(hdf5_that_goes_wrong_is_a_failure_that_leaves_nothing),
#endif
  };
  return cmocka_run_group_tests_name("exit_codes", tests, open_all, scratch_close);
}
