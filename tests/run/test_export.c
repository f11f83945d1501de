/* test_export.c -- exports of a run hold what the run holds, are the same every time, and appear whole or
 * not at all. */
#include "run_sample.h"

#include <errno.h>
#include <locale.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#ifdef FB_HDF5
#include <hdf5.h>

#include <freebody/support/text.h>
#endif

static fb_store* open_run(const char* folder) {
  fb_error error;
  fb_store* run = NULL;
  if (fb_store_open(folder, &run, &error)) fail_msg("%s", error.text);
  return run;
}

static void export_all(const char* folder, const char* file) {
  fb_error error;
  fb_store* run = open_run(folder);
  if (fb_store_export(run, file, NULL, 0, &error)) fail_msg("%s: %s", error.file, error.text);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
}

/* --- CSV --- */

static void csv_has_names_with_units_and_the_fewest_digits(void** state) {
  (void)state;
  sample_run("run", 8);
  export_all("run", "all.csv");
  char* text = slurp("all.csv");
  static const char head[] =
      "t [s],q.elbow [rad],q.shoulder_1 [rad],p.hand.x [m],p.hand.y [m],p.hand.z [m],energy.total [J]\n"
      "0,0,0,0.333333333333333";
  assert_memory_equal(text, head, sizeof head - 1);
  assert_non_null(strstr(text, "\n0.01,"));
  assert_non_null(strstr(text, "\n0.05,0.0499791692706783"));
  assert_non_null(strstr(text, "\n0.07,")); /* 7 * 0.01 is 0.07000000000000001 */
  assert_non_null(strstr(text, ",nan,5e-09,3\n"));
  assert_non_null(strstr(text, ",-0.25,inf,3\n"));
  assert_null(strchr(text, '\r'));
  free(text);
}

static void csv_reads_back_the_same_doubles(void** state) {
  (void)state;
  sample_run("run", 3000);
  export_all("run", "all.csv");
  char* text = slurp("all.csv");
  const char* at = strchr(text, '\n') + 1;
  for (long long i = 0; i < 3000; i++) {
    double v[SAMPLE_SIGNALS], x;
    sample_values(i, v);
    at = fb_number_parse(at, &x);
    assert_true(x == 0.01 * (double)i || x == nextafter(0.01 * (double)i, 0)); /* without its noise */
    for (int j = 0; j < SAMPLE_SIGNALS; j++) {
      assert_int_equal(*at++, ',');
      if (isfinite(v[j])) {
        at = fb_number_parse(at, &x);
        assert_true(x == v[j]);
      } else {
        at += 3;
      }
    }
    assert_int_equal(*at++, '\n');
  }
  assert_int_equal(*at, 0);
  free(text);
}

static void an_empty_run_has_a_header_alone(void** state) {
  (void)state;
  sample_run("run", 0);
  export_all("run", "log.csv");
  char* text = slurp("log.csv");
  assert_int_equal(strchr(text, '\n')[1], 0);
  free(text);
}

static void csv_quotes_names_that_would_break_it(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  const fb_store_signal odd[] = {{"a,b", "m", "", ""}, {"say \"x\"", "", "", ""}};
  double v[2] = {1, 2};
  assert_int_equal(fb_store_create("run", odd, 2, 0, &run, &error), FB_OK);
  assert_int_equal(fb_store_append(run, 0, v, &error), FB_OK);
  assert_int_equal(fb_store_export(run, "odd.csv", NULL, 0, &error), FB_OK); /* straight from the writer */
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  char* text = slurp("odd.csv");
  assert_string_equal(text, "t [s],\"a,b [m]\",\"say \"\"x\"\"\"\n0,1,2\n");
  free(text);
}

static void a_decimal_comma_of_the_locale_changes_nothing(void** state) {
  (void)state;
  sample_run("run", 100);
  export_all("run", "plain.csv");
  static const char* const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    setlocale(LC_ALL, names[i]); /* where the system lacks it, the test repeats the plain case */
    export_all("run", "comma.csv");
    setlocale(LC_ALL, "C");
    assert_int_equal(system("cmp plain.csv comma.csv"), 0);
  }
}

/* --- HDF5 --- */

#ifdef FB_HDF5
static void check_attribute(hid_t object, const char* name, const char* want) {
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT);
  assert_true(attribute >= 0);
  hid_t type = H5Aget_type(attribute);
  char text[200] = "";
  assert_true(H5Tget_size(type) < sizeof text);
  assert_int_equal(H5Tget_cset(type), H5T_CSET_UTF8);
  assert_true(H5Aread(attribute, type, text) >= 0);
  assert_string_equal(text, want);
  H5Tclose(type);
  H5Aclose(attribute);
}

static void check_dataset(hid_t file, const char* path, int signal, long long n) {
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT);
  assert_true(dataset >= 0);
  hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
  assert_int_equal(H5Sget_simple_extent_npoints(space), n);
  assert_true(H5Tequal(type, H5T_IEEE_F64LE) > 0);
  double* x = (double*)malloc((size_t)(n + 1) * sizeof *x);
  assert_non_null(x);
  assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, x) >= 0);
  for (long long i = 0; i < n; i++) {
    double v[SAMPLE_SIGNALS], t = 0.01 * (double)i;
    sample_values(i, v);
    assert_memory_equal(&x[i], signal < 0 ? &t : &v[signal], sizeof t);
  }
  free(x);
  check_attribute(dataset, "unit", signal < 0 ? "s" : SAMPLE_NAMES[signal].unit);
  check_attribute(dataset, "axes", signal < 0 ? "" : SAMPLE_NAMES[signal].axes);
  check_attribute(dataset, "meaning", signal < 0 ? "time" : SAMPLE_NAMES[signal].meaning);
  H5Tclose(type);
  H5Sclose(space);
  H5Dclose(dataset);
}

static void check_event_texts(hid_t file, const char* path, const char* first, const char* second) {
  hid_t dataset = H5Dopen2(file, path, H5P_DEFAULT), type = H5Dget_type(dataset);
  size_t size = H5Tget_size(type);
  char data[400] = "";
  assert_true(2 * size < sizeof data);
  assert_true(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0);
  assert_string_equal(data + size, second);
  data[size] = '\0';
  assert_string_equal(data, first);
  H5Tclose(type);
  H5Dclose(dataset);
}

static void check_file(long long n) {
  sample_run("run", n);
  export_all("run", "log.h5");
  hid_t file = H5Fopen("log.h5", H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_true(file >= 0);
  check_attribute(file, "format", "freebody-run");
  check_attribute(file, "name", "swing");
  check_dataset(file, "/t", -1, n);
  for (int j = 0; j < SAMPLE_SIGNALS; j++) {
    char path[64];
    snprintf(path, sizeof path, "/signals/%s", SAMPLE_NAMES[j].name);
    check_dataset(file, path, j, n);
  }
  double t[2];
  hid_t times = H5Dopen2(file, "/events/t", H5P_DEFAULT);
  assert_true(H5Dread(times, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t) >= 0);
  assert_true(t[0] == 0.02 && t[1] == 0.05);
  H5Dclose(times);
  check_event_texts(file, "/events/name", "touch", "let_go {50%} $x");
  check_event_texts(file, "/events/text", "the hand touches the wall", "the hand \"lets\" go");
  H5Fclose(file);
}

static void hdf5_holds_samples_units_and_events(void** state) {
  (void)state;
  static const long long sizes[] = {0,    1,    100,
                                    4096, 4097, 10000}; /* none, a part of a chunk, whole ones and a rest */
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) check_file(sizes[i]);
}

static void two_exports_are_the_same_bytes_at_any_time(void** state) {
  (void)state;
  sample_run("one", 5000);
  export_all("one", "one.h5");
  export_all("one", "one.csv");
  /* Another second, so that a time in the file would show. */
  time_t now = time(NULL);
  while (time(NULL) == now) {
    struct timespec wait = {0, 10000000};
    nanosleep(&wait, NULL);
  }
  sample_run("two", 5000);
  export_all("two", "two.h5");
  export_all("two", "two.csv");
  assert_int_equal(system("cmp one.h5 two.h5 && cmp one.csv two.csv"), 0);
}
#endif

/* --- files --- */

static fb_status export_limited(const char* file, rlim_t most, fb_error* error) {
  struct rlimit limit;
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
  fb_store* run = open_run("run");
  rlim_t before = limit.rlim_cur;
  limit.rlim_cur = most;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  fb_status status = fb_store_export(run, file, NULL, 0, error);
  limit.rlim_cur = before;
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
  fb_store_close(run, NULL);
  return status;
}

static void an_export_that_fails_leaves_what_was_there(void** state) {
  (void)state;
  sample_run("run", 20000);
  static const char* const names[] = {
      "old.csv",
#ifdef FB_HDF5
      "old.h5",
#endif
  };
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    static const rlim_t limits[] = {0, 1000, 50000};
    for (int k = 0; k < 3; k++) {
      fb_error error;
      spill(names[i], "old");
      assert_int_equal(export_limited(names[i], limits[k], &error), FB_ERR_IO);
      assert_string_equal(error.file, names[i]);
      if (!strstr(error.text, "cannot")) fail_msg("%s", error.text);
      char* text = slurp(names[i]);
      assert_string_equal(text, "old");
      free(text);
      assert_int_equal(system("! ls | grep -q tmp"), 0);
    }
    export_all("run", names[i]); /* and a later one works */
  }
}

static void links_and_permissions_of_the_file_stay(void** state) {
  (void)state;
  sample_run("run", 3);
  spill("real.csv", "old");
  assert_int_equal(chmod("real.csv", 0600), 0);
  assert_int_equal(symlink("real.csv", "link.csv"), 0);
  export_all("run", "link.csv");
  struct stat info;
  assert_int_equal(lstat("link.csv", &info), 0);
  assert_true(S_ISLNK(info.st_mode));
  assert_int_equal(stat("real.csv", &info), 0);
  assert_int_equal(info.st_mode & 0777, 0600);
  assert_true(info.st_size > 50);
}

static void wrong_arguments_are_refused_with_a_reason(void** state) {
  (void)state;
  fb_error error;
  sample_run("run", 3);
  fb_store* run = open_run("run");
  const int twice[] = {1, 1}, far[] = {99};
  assert_int_equal(fb_store_export(run, "a.csv", twice, 2, &error), FB_ERR_ARG);
  assert_non_null(strstr(error.text, "'q.shoulder_1' is named twice"));
  assert_int_equal(fb_store_export(run, "a.csv", far, 1, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_export(run, "a.txt", NULL, 0, &error), FB_ERR_ARG);
  assert_int_equal(fb_store_export(run, "none/a.csv", NULL, 0, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "the folder 'none' does not exist"));
  assert_int_equal(fb_store_export(run, ".", NULL, 0, &error), FB_ERR_ARG);
  assert_int_equal(mkdir("d.csv", 0777), 0);
  assert_int_equal(fb_store_export(run, "d.csv", NULL, 0, &error), FB_ERR_IO);
  fb_store_close(run, NULL);
}

/* --- the command --- */

static void the_command_exports_what_is_asked_for(void** state) {
  (void)state;
  sample_run("run", 8);
  static const shell_case cases[] = {
      {"$FB export run -o all.csv", 0, "", "run -> all.csv: 1 kB, 6 signals, 8 samples from 0 to 0.07 s\n"},
      {"$FB export run --output=- --signals p.hand --from 0.02 --to 0.03", 0,
       "t [s],p.hand.x [m],p.hand.y [m],p.hand.z [m]\n0.02,", ""},
      {"$FB export run -o - --signals energy.total,q.e* --to 0", 0,
       "t [s],energy.total [J],q.elbow [rad]\n0,3,0\n", ""},
      {"$FB export run -o - --signals energy --from 20ms --to '0.0005 min' | tail -n 2", 0,
       "0.02,3\n0.03,3\n", ""},
      /* the sample at 3 * 0.1 = 0.30000000000000004 s */
      {"printf 'scenario: 1\nmodel: {bodies: [{name: b, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}]}\nduration: "
       "1\n"
       "log: {period: 0.1}\n' > s.yaml; $FB run s.yaml -o s --quiet; $FB export s -o - --signals "
       "energy.kinetic "
       "--from 0.3 --to 0.3 | tail -n 1",
       0, "0.3,0\n", ""},
      {"$FB export run -o - --signals p --to 0", 0, "t [s],p.hand.x [m],p.hand.y [m],p.hand.z [m]\n", ""},
      {"$FB export run/run.db -o - --signals p.hand,p.hand.x | head -n 1", 0,
       "t [s],p.hand.x [m],p.hand.y [m],p.hand.z [m]\n", ""},
      {"$FB export run --list", 0, "signal        unit  axes   meaning\n", ""},
      {"$FB export run --list", 0, "  p.hand.x      m     world  position of a frame\n", ""},
      {"$FB export run --list", 0, "\n  8 samples from 0 to 0.07 s, 2 events\n", ""},
      {"$FB export run --list --signals q", 0, "q.shoulder_1", ""},
      {"$FB export run -o /dev/null --signals q", 2, "", "/dev/null: the extension selects the format"},
      {"ln -s /dev/full full.csv; $FB export run -o full.csv", 1, "",
       "full.csv: cannot write the file: No space"},
      {"$FB export run -o - >/dev/full", 1, NULL, "No space left"},
  };
  CHECK_CASES(cases);
}

/* A name stands for all that it is the beginning of, up to a dot. */
static void names_stand_for_what_they_begin(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  static const char* const names[] = {"q.base.0", "q.base.1",    "q.left,right",     "q.a",
                                      "q.a.b",    "ledger.work", "ledger.impulse.x", "quat.base.w"};
  enum { COUNT = sizeof names / sizeof *names };
  fb_store_signal signals[COUNT];
  double v[COUNT] = {0};
  for (int i = 0; i < COUNT; i++) signals[i] = (fb_store_signal){names[i], "", "", ""};
  assert_int_equal(fb_store_create("odd", signals, COUNT, 1, &run, &error), FB_OK);
  assert_int_equal(fb_store_append(run, 0, v, &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  static const shell_case cases[] = {
      {"$FB export odd -o - --signals q | head -n 1", 0,
       "t [s],q.base.0,q.base.1,\"q.left,right\",q.a,q.a.b\n", ""},
      {"$FB export odd -o - --signals ledger | head -n 1", 0, "t [s],ledger.work,ledger.impulse.x\n", ""},
      {"$FB export odd -o - --signals q.base,ledger.impulse | head -n 1", 0,
       "t [s],q.base.0,q.base.1,ledger.impulse.x\n", ""},
      {"$FB export odd -o - --signals q.a | head -n 1", 0, "t [s],q.a\n", ""},
      {"$FB export odd -o - --signals q.left,right --signals q.a,quat | head -n 1", 0,
       "t [s],\"q.left,right\",q.a,quat.base.w\n", ""},
      {"$FB export odd -o - --signals ledgr", 2, "", "did you mean 'ledger'?"},
      {"$FB export odd -o - --signals q.bas", 2, "", "did you mean 'q.base'?"},
  };
  CHECK_CASES(cases);
}

static void the_command_explains_what_is_wrong(void** state) {
  (void)state;
  sample_run("run", 8);
  static const shell_case cases[] = {
      {"$FB export", 2, "", "which RUN?"},
      {"$FB export run", 2, "", "give -o F.h5 or -o F.csv"},
      {"$FB export run other -o a.csv", 2, "",
       "unexpected argument 'other'; one RUN at a time (--signals selects signals)"},
      {"$FB export run -o a.csv --signals q.elbwo", 2, "",
       "the run has no signal 'q.elbwo'; did you mean 'q.elbow'?"},
      {"$FB export run -o a.csv --signals p.hnad", 2, "", "did you mean 'p.hand'?"},
      {"$FB export run -o a.csv --signals zzzzzz*", 2, "", "'freebody export RUN --list' shows"},
      {"$FB export run -o a.csv --signals t", 2, "", "'t' is the time"},
      {"$FB export run -o a.csv --signals q.elbow,,p", 2, "", "empty name"},
      {"$FB export run -o a.csv --from x", 2, "", "--from takes a time, as 20, 20s or 5min, not 'x'"},
      {"$FB export run -o a.csv --from 3 --to 2", 2, "", "--from 3 lies after --to 2"},
      {"$FB export run -o a.csv --from 3", 2, "", "its samples are from 0 to 0.07 s"},
      {"$FB export run -o a.json", 2, "", "the extension selects the format"},
      {"$FB export nowhere -o a.csv", 2, "", "nowhere: there is no such folder"},
      {"$FB export run -o none/a.csv", 1, "", "does not exist"},
      {"test ! -e a.csv && ! ls | grep tmp", 0, "", ""},
  };
  CHECK_CASES(cases);
}

#ifndef FB_HDF5
static void without_hdf5_the_command_says_how_to_get_it(void** state) {
  (void)state;
  sample_run("run", 8);
  static const shell_case cases[] = {{"$FB export run -o log.h5", 1, "", "libhdf5-dev"}};
  CHECK_CASES(cases);
}
#endif

#define T(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(csv_has_names_with_units_and_the_fewest_digits),
      T(csv_reads_back_the_same_doubles),
      T(an_empty_run_has_a_header_alone),
      T(csv_quotes_names_that_would_break_it),
      T(a_decimal_comma_of_the_locale_changes_nothing),
#ifdef FB_HDF5
      T(hdf5_holds_samples_units_and_events),
      T(two_exports_are_the_same_bytes_at_any_time),
#else
      T(without_hdf5_the_command_says_how_to_get_it),
#endif
      T(an_export_that_fails_leaves_what_was_there),
      T(links_and_permissions_of_the_file_stay),
      T(wrong_arguments_are_refused_with_a_reason),
      T(the_command_exports_what_is_asked_for),
      T(names_stand_for_what_they_begin),
      T(the_command_explains_what_is_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
