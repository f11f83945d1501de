/* test_links.c -- links that a stranger left in a run folder lead no write to another file, a link that the user names
 * is followed, and what is put in the place of a temporary file while it is written is noticed. */
#include <sys/stat.h>

#include <freebody/support/files.h>

#include "run_command.h"

/* SWING runs a pendulum into a folder. victim stands for ~/.bashrc; same.txt is how it must stay. */
static const char SETUP[] =
    "printf '<p>%s</p>\\n' '<!--freebody-data-->' > template.html && echo mine > victim && cp victim "
    "same.txt &&"
    "mkdir home && cp victim home/0-pendulum.yaml && $SWING -o made";

static int set_up(void** state) {
  char path[600];
  if (scratch_open(state)) return -1;
  snprintf(path, sizeof path, "%s/template.html", scratch_folder);
  if (setenv("FREEBODY_VIEWER", path, 1)) return -1;
  if (setenv("SWING",
             FB_BINARY_DIR "/bin/freebody run " FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml"
                           " --duration 0.1 --quiet",
             1))
    return -1;
  outcome o = run(SETUP);
  if (o.code) print_error("%s%s", o.out, o.err);
  int failed = o.code;
  outcome_free(&o);
  return failed;
}

/* Each case sees a copy of a finished run, r, and the victim must be the same after it. */
static void check_victims(const shell_case* cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    const shell_case prepare = {"rm -rf r && cp -r made r", 0, "", ""};
    const shell_case kept = {
        "cmp victim same.txt && cmp home/0-pendulum.yaml same.txt && test $(ls home) = "
        "0-pendulum.yaml",
        0, "", ""};
    check_cases(&prepare, 1);
    check_cases(&cases[i], 1);
    check_cases(&kept, 1);
  }
}

static void links_in_a_run_folder_are_refused_by_name(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"ln -s ../victim r/report.html; $FB view r", 1, "",
       "r/report.html: this is a link to '../victim', and links in this folder are not followed; "
       "remove the link, or name the file to write with -o"},
      {"ln -s ../victim r/report.html; cd r && $FB view run.db", 1, "", "report.html: this is a link to"},
      {"ln -s ../new r/report.html; $FB view r; test ! -e new", 0, "", "this is a link to '../new'"},
      /* A new run in a folder that holds links already, and one that replaces another. */
      {"mkdir e; ln -s ../victim e/log.csv; $SWING -o e --export csv", 1, "",
       "e/log.csv: this is a link to '../victim', and links in this folder are not followed; "
       ""
       "remove the link, or choose another folder"},
      {"rm e/*; ln -s ../victim e/log.h5; $SWING -o e", 1, "", "e/log.h5: this is a link"},
      {"rm e/*; ln -s ../victim e/summary.json; $SWING -o e", 1, "", "e/summary.json: this is a link"},
      {"rm e/*; ln -s ../home e/inputs; $SWING -o e", 1, "", "e/inputs: this is a link to '../home'"},
      {"rm e/*; ln -s ../victim e/run.db; $SWING -o e", 2, "", "e already contains a run"},
      {"rm e/*; ln -s ../victim e/run.db; $SWING -o e --force", 1, "", "e/run.db: this is a link"},
      {"rm e/*; ln -s ../nothing e/run.db; $SWING -o e; test ! -e nothing", 0, "",
       "e/run.db: this is a link"},
      {"rm e/*; ln -s ../victim e/run.db-wal; $SWING -o e", 1, "", "e/run.db-wal: this is a link"},
      {"rm -r r/inputs; ln -s ../home r/inputs; $SWING -o r --force", 1, "", "r/inputs: this is a link"},
      /* Names of files that the run does not keep are removed, and not followed. */
      {"rm e/*; ln -s ../victim e/run.db.tmp; $SWING -o e && test ! -e e/run.db.tmp", 0, "", ""},
      {"rm -r e/*; ln -s ../victim e/run.db.tmp-wal; $SWING -o e", 0, "", ""},
      {"rm -r e/*; ln -s ../victim e/run.db.tmp-shm; $SWING -o e", 0, "", ""},
      {"rm -r e/*; ln -s ../victim e/run.db.tmp-journal; $SWING -o e; true", 0, NULL, NULL},
      {"rm -r e/*; ln -s ../victim e/run.db-journal; $SWING -o e; true", 0, NULL, NULL},
      /* A copy of an input, in a folder of inputs that is there. */
      {"rm -r e; mkdir -p e/inputs; ln -s ../../victim e/inputs/0-pendulum.yaml; $SWING -o e", 1, "",
       "e/inputs/0-pendulum.yaml: this is a link to '../../victim'"},
      /* A run that is taken up: its database, and what it writes at its end. */
      {"mv r/run.db other.db; ln -s ../other.db r/run.db; rm r/summary.json; cp other.db before.db;"
       "$FB run --resume r; e=$?; cmp other.db before.db && exit $e",
       1, "", "r/run.db: this is a link"},
      {"rm r/summary.json; ln -s ../victim r/log.csv; $FB run --resume r --export csv", 1, "",
       "r/log.csv: this is a link"},
  };
  check_victims(cases, sizeof cases / sizeof cases[0]);
}

static void other_things_in_the_place_of_a_file_are_refused(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"rm r/summary.json; mkfifo r/summary.json; timeout 20 $FB view r -o a.html", 1, "",
       "r/summary.json: this is a pipe, not a regular file"},
      {"mkdir -p e2; mkfifo e2/summary.json; timeout 20 $SWING -o e2", 1, "",
       "e2/summary.json: this is not an ordinary file; remove it"},
      {"mkfifo p.h5; timeout 20 $FB export r -o p.h5", 2, "", "p.h5: HDF5 needs an ordinary file"},
      /* A second name of a file is no link: the run folder gets a file of its own. */
      {"ln victim r/report.html; $FB view r", 0, "", "r/report.html"},
  };
  check_victims(cases, sizeof cases / sizeof cases[0]);
}

/* SQLite writes into files by their names: what a second name leads to would be overwritten by a mere reader. */
static void second_names_beside_a_run_are_refused(void** state) {
  (void)state;
  static const char refused[] =
      "r/run.db: the folder contains run.db-shm, which is a second name of another file and not a file of "
      "its own, as SQLite makes it; remove it, or copy the folder with 'cp -rL' and use the copy";
  static const shell_case cases[] = {
      {"ln victim r/run.db-shm; $FB export r --list", 2, "", refused},
      {"ln victim r/run.db-shm; $FB view r -o a.html", 2, "", refused},
      {"ln victim r/run.db-shm; rm r/summary.json; $FB run --resume r", 2, "", refused},
      {"ln victim r/run.db-wal; rm r/summary.json; $FB run --resume r", 2, "",
       "contains run.db-wal, which is a"},
      {"ln -s ../victim r/run.db-wal; $FB export r --list", 2, "",
       "run.db-wal, which is a link, a folder or"},
      {"mkdir r/run.db-wal; $FB export r --list", 2, "", "run.db-wal, which is a link, a folder or a device"},
      {"mkfifo r/run.db-shm; timeout 20 $FB export r --list", 2, "", "run.db-shm, which is a link, a folder"},
      /* run.db itself may have two names as long as it is only read: so do copies made by 'cp -al'. */
      {"rm -rf copy; cp -al r copy; $FB export copy -o copy.csv", 0, "", "copy.csv"},
      {"rm -rf copy; cp -al r copy; rm copy/summary.json; cp r/run.db before; $FB run --resume copy; e=$?;"
       "cmp before r/run.db && exit $e",
       1, "", "copy/run.db: this file has a second name (a hard link)"},
      {"rm -rf copy; cp -al r copy; $SWING -o copy --force && cmp before r/run.db", 0, "", ""},
  };
  check_victims(cases, sizeof cases / sizeof cases[0]);
}

static void links_in_folders_that_are_written_over_are_refused(void** state) {
  (void)state;
#define SFUNCTION "$FB sfunction " FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml -o s --force"
  static const shell_case cases[] = {
      {SFUNCTION, 0, "", "S-function"},
      {"rm s/README.txt; ln -s ../victim s/README.txt;" SFUNCTION, 1, "",
       "s/README.txt: this is a link to '../victim', and links in this folder are not followed; remove the "
       "link"},
      {"rm s/*; rm -r s/pendulum_plant; ln -s ../victim s/pendulum_sfun.c;" SFUNCTION, 1, "",
       "this is a link"},
      {"rm s/*; ln -s ../home s/pendulum_plant;" SFUNCTION, 1, "",
       "s/pendulum_plant: this is a link to '../home'"},
      {"rm s/*; mkdir s/pendulum_plant; ln -s ../../victim s/pendulum_plant/plant.json;" SFUNCTION, 1, "",
       "s/pendulum_plant/plant.json: this is a link"},
      {"rm -r s; ln -s nowhere s; $FB sfunction " FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml -o s", 2,
       "", "s exists already; add --force to replace it"},
      {"mkdir n; ln -s ../victim n/rods.yaml; $FB new --force n", 1, "", "n/rods.yaml: this is a link"},
  };
  check_victims(cases, sizeof cases / sizeof cases[0]);
}

static void links_that_the_user_names_are_followed(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"echo old > page; ln -s ../page r/report.html; $FB view r -o r/report.html && test -L r/report.html &&"
       "grep -c 'id=\"freebody-0\"' page",
       0, "1", "r/report.html"},
      {"echo old > t.csv; ln -s ../t.csv r/log.csv; $FB export r -o r/log.csv && test -L r/log.csv && head "
       "-c 5 t.csv",
       0, "t [s]", "r/log.csv"},
      /* The folder itself is the user's word, too. */
      {"mkdir real; ln -s real alias; $SWING -o alias && test -s real/run.db && test -s "
       "real/inputs/0-pendulum.yaml",
       0, "", ""},
      {"$FB view alias && test -s real/report.html", 0, "", "alias/report.html"},
  };
  check_victims(cases, sizeof cases / sizeof cases[0]);
}

/* Replaces the temporary file of an output by a link to the victim, as another program might. */
static void swap(const fb_output* output) {
  assert_int_equal(unlink(output->temporary), 0);
  assert_int_equal(symlink("victim", output->temporary), 0);
}

static void what_replaces_a_temporary_file_is_neither_written_nor_taken(void** state) {
  (void)state;
  fb_output output;
  fb_error error;
  spill("target", "old\n");
  assert_int_equal(chmod("target", 0640), 0);
  assert_int_equal(fb_output_open("target", &output, &error), FB_OK);
  swap(&output);
  char temporary[700];
  snprintf(temporary, sizeof temporary, "%s", output.temporary);
  FILE* stream = fb_output_stream(&output);
  assert_non_null(stream);
  assert_true(fputs("new\n", stream) >= 0);
  assert_int_equal(fclose(stream), 0);
  assert_int_equal(fb_output_close(&output, FB_OK, &error), FB_ERR_IO);
  if (!strstr(error.text, "replaced the temporary file")) fail_msg("%s", error.text);
  struct stat info;
  assert_int_equal(stat("victim", &info), 0);
  assert_int_not_equal(info.st_mode & 0777, 0640); /* nor are its permissions changed */
  const shell_case kept = {"cmp victim same.txt && cat target", 0, "old", ""};
  check_cases(&kept, 1);
  assert_int_equal(unlink(temporary), 0); /* it is not ours to remove */
}

static void a_child_gets_a_name_of_the_open_file(void** state) {
  (void)state;
  fb_output output;
  fb_error error;
  char* name;
  assert_int_equal(fb_output_open("target", &output, &error), FB_OK);
  assert_int_equal(fb_output_child_name(&output, output.descriptor, &name, &error), FB_OK);
  struct stat ours, named;
  assert_int_equal(fstat(output.descriptor, &ours) | stat(name, &named), 0);
  assert_true(ours.st_ino == named.st_ino && ours.st_dev == named.st_dev);
  free(name);
  assert_int_equal(fb_output_close(&output, FB_ERR_IO, &error), FB_ERR_IO);
  const shell_case tidy = {"ls | grep -c tmp", 1, "0", ""};
  check_cases(&tidy, 1);
}

/* With standard output closed, the next file that is opened would get its number. */
static void closed_streams_do_not_print_into_the_file(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB view made -o c.html >&- 2>&-; tail -n 1 c.html", 0, "</p>", ""},
      {"$FB export made -o c.csv 0>&- >&- 2>&-; $FB export made -o d.csv && cmp c.csv d.csv", 0, "", "d.csv"},
  };
  CHECK_CASES(cases);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(links_in_a_run_folder_are_refused_by_name),
      cmocka_unit_test(other_things_in_the_place_of_a_file_are_refused),
      cmocka_unit_test(second_names_beside_a_run_are_refused),
      cmocka_unit_test(links_in_folders_that_are_written_over_are_refused),
      cmocka_unit_test(links_that_the_user_names_are_followed),
      cmocka_unit_test(what_replaces_a_temporary_file_is_neither_written_nor_taken),
      cmocka_unit_test(a_child_gets_a_name_of_the_open_file),
      cmocka_unit_test(closed_streams_do_not_print_into_the_file),
  };
  return cmocka_run_group_tests(tests, set_up, scratch_close);
}
