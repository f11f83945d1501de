/* test_view_command.c -- `freebody view` at the shell: pages and glTF, and what it says when something is missing. Pictures
 * need a browser and have tests of their own. */
#include "run_command.h"

#include <freebody/store.h>

/* A template of one line stands for the page built from viewer/, so that no npm is needed here. */
static const char SETUP[] =
    "printf '<p>%s</p>\\n' '<!--freebody-data-->' > template.html &&"
    "$FB run $SCENARIOS/pendulum/pendulum.yaml --duration 1 --quiet -o swing &&"
    "$FB run $SCENARIOS/pendulum/pendulum.yaml --duration 2 --quiet -o longer && mkdir empty";

static int set_up(void** state) {
  char path[600];
  if (scratch_open(state)) return -1;
  snprintf(path, sizeof path, "%s/template.html", scratch_folder);
  if (setenv("SCENARIOS", FB_SOURCE_DIR "/scenarios", 1) || setenv("FREEBODY_VIEWER", path, 1)) return -1;
  outcome o = run(SETUP);
  if (o.code) print_error("%s%s", o.out, o.err);
  int failed = o.code;
  outcome_free(&o);
  return failed;
}

static void pages_are_written_where_they_are_asked_for(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB view swing", 0, "", "swing -> swing/report.html: "},
      {"$FB view swing 2>&1 && test -s swing/report.html", 0, "kB; open it in a browser\n", ""},
      {"$FB view swing/ && test -s swing/report.html", 0, "", "swing/ -> swing/report.html: "},
      {"rm swing/report.html; $FB view swing/run.db && test -s swing/report.html", 0, "",
       "swing/report.html: "},
      {"cd swing && $FB view run.db && test -s report.html", 0, "", "run.db -> report.html: "},
      {"$FB view swing -o slow.glb --fps 5 && $FB view swing -o all.glb && cmp -s slow.glb all.glb", 1, "",
       "binary glTF"},
      {"$FB view swing -o a.html && head -n 1 a.html", 0,
       "<p><script type=\"application/json\" id=\"freebody-0\">", "swing -> a.html: "},
      {"$FB view swing --output=A.HTM && test -s A.HTM", 0, "", "A.HTM"},
      {"$FB view swing -o - | cmp - a.html", 0, "", ""},
      {"$FB view -o b.html --with longer swing && grep -c 'id=.freebody-1.>' b.html", 0, "1\n",
       "swing -> b.html"},
      {"$FB view swing --with longer --with swing -o c.html && grep -c 'id=.freebody-2.>' c.html", 0, "1\n",
       "swing -> c.html"},
      {"$FB view swing -o swing.glb && head -c 4 swing.glb", 0, "glTF", "swing -> swing.glb: "},
      {"FREEBODY_VIEWER=/nowhere $FB view swing -o swing.glb", 0, "", "binary glTF"},
      {"ln -s a.html link.html && $FB view swing -o link.html && test -L link.html", 0, "", "link.html"},
  };
  CHECK_CASES(cases);
}

static void a_model_has_a_page_without_a_run(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB view $SCENARIOS/inspector/inspector.yaml && grep -c '\"mode\": *\"pose\"' inspector.html", 0,
       "1\n", "-> inspector.html: "},
      {"$FB view $SCENARIOS/ets7/ets7.urdf -o arm.html && grep -c '\"q.joint6\"' arm.html", 0, "1\n",
       "move the joints"},
      {"$FB view $SCENARIOS/inspector/inspector.yaml -o - | cmp - inspector.html", 0, "", ""},
      {"$FB view $SCENARIOS/ets7/ets7.yaml", 2, "", "name the model's own file"},
      {"$FB view $SCENARIOS/ets7/ets7.urdf --still 1 -o a.png", 2, "", "are made of runs"},
      {"$FB view $SCENARIOS/ets7/ets7.urdf --with swing", 2, "", "--with compares runs"},
      {"printf x > broken.urdf; $FB view broken.urdf", 2, "", "broken.urdf:1"},
  };
  CHECK_CASES(cases);
}

static void what_is_wrong_is_said(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB view", 2, "", "which RUN?"},
      {"$FB view nowhere", 2, "", "nowhere: there is no such folder"},
      {"$FB view empty", 2, "", "it has no run.db"},
      {"$FB view swing longer", 2, "",
       "unexpected argument 'longer'; one RUN at a time (--with compares several)"},
      {"$FB view swing --with nowhere -o a.html", 2, "", "nowhere: there is no such folder"},
      {"$FB view swing --with longer --with nowhere -o a.html", 2, "", "nowhere: there is no such folder"},
      {"$FB view swing -o a.glb --with longer", 2, "", "a .glb contains one run"},
      {"$FB view swing -o a.doc", 2, "", "'a.doc' has no known extension"},
      {"$FB view swing -o a.png", 2, "", "Add --still"},
      {"$FB view swing -o a.mp4", 2, "", "with --video a.mp4"},
      {"$FB view swing --video a.avi", 2, "", ".mp4, .gif or .webm"},
      {"$FB view swing --still 1", 2, "", "give -o FRAME.png"},
      {"$FB view swing --still 1 -o a.html", 2, "", "give -o FRAME.png"},
      {"$FB view swing --still soon -o a.png", 2, "", "--still takes a time"},
      {"$FB view swing --still t=99 -o a.png", 2, "",
       "no picture of 99 s: the run's samples are from 0 to 1 s"},
      {"$FB view swing --still=-1 -o a.png", 2, "", "no picture of -1 s"},
      {"$FB view swing --video a.gif --from 5", 2, "", "no sample in this span"},
      {"$FB view swing --video a.gif --from 5 --to 4", 2, "", "--from 5 lies after --to 4"},
      {"$FB view swing --video a.gif --still 1", 2, "", "one at a time"},
      {"$FB view swing --still 1 --video a.gif", 2, "", "one at a time"},
      {"$FB view swing --video a.gif -o -", 2, "", "'-' is none"},
      {"$FB view swing --video a.gif --size 20x20", 2, "", "from 64x64 to 8192x8192, not '20x20'"},
      {"$FB view swing --video a.gif --fps 0", 2, "", "--fps takes a number from 0.1 to 240, not '0'"},
      {"$FB view swing --video a.gif --speed fast", 2, "", "--speed takes a number"},
      {"$FB view swing --camera x", 2, "", "--camera is for --still and --video"},
      {"$FB view swing --still 1 -o x.png --camera up", 2, "",
       "--camera takes iso, x, y, z or fit, not 'up'"},
      {"$FB view swing --still 1 -o x.png --camera x --camera up", 2, "", "--camera takes"},
      {"$FB view swing --still 1 -o x.png --zoom 0", 2, "", "--zoom takes a number from 0.001 to 1000"},
      {"$FB view swing --still 1 -o x.jpg", 2, "", "a still is a PNG: give -o FRAME.png, not 'x.jpg'"},
      {"$FB view swing --fps 10", 2, "", "--fps is for --video and .glb"},
      {"$FB view swing --from 1", 2, "", "--from is for --still and --video"},
      {"$FB view swing -o - --open", 2, "", "--open is for pages"},
      {"$FB view swing --stil 1", 2, "", "did you mean '--still'?"},
      {"$FB view swing -o nowhere/a.html", 1, "", "the folder 'nowhere' does not exist"},
      {"$FB view swing -o empty.html/", 2, "", "has no known extension"},
  };
  CHECK_CASES(cases);
}

static void a_missing_template_says_how_to_build_it(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"FREEBODY_VIEWER=/nowhere $FB view swing", 1, "",
       "the viewer's page is not at /nowhere: No such file"},
      {"FREEBODY_VIEWER=/nowhere $FB view swing", 1, "", "FREEBODY_VIEWER names it; unset it"},
      /* Away from the folder that it was built in, the command looks beside itself. */
      {"mkdir -p away/bin && cp $FB away/bin && FREEBODY_VIEWER= away/bin/freebody view swing", 1, "",
       "away/bin/../share/freebody/viewer.html: No such file"},
      {"FREEBODY_VIEWER= away/bin/freebody view swing", 1, "", "npm"},
      {"mkdir -p away/share/freebody && cp template.html away/share/freebody/viewer.html &&"
       "env -u FREEBODY_VIEWER away/bin/freebody view swing -o c.html && test -s c.html",
       0, "", "swing -> c.html"},
      {"echo nothing > bad.html && FREEBODY_VIEWER=bad.html $FB view swing", 1, "", "bad.html: the marker"},
  };
  CHECK_CASES(cases);
}

/* A run that nobody ended, with so many samples. */
static void make_unfinished(const char* folder, int nsample) {
  fb_error error;
  fb_store* run = NULL;
  fb_store_signal x = {"x", "m", "", ""};
  assert_int_equal(fb_store_create(folder, &x, 1, 1, &run, &error), FB_OK);
  assert_int_equal(fb_store_set_text(run, "status", "running", &error), FB_OK);
  for (int i = 0; i < nsample; i++) {
    double value = 2 * i;
    assert_int_equal(fb_store_append(run, i, &value, &error), FB_OK);
  }
  assert_int_equal(fb_store_close(run, &error), FB_OK);
}

static void unfinished_runs_are_shown_as_far_as_they_came(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"$FB view killed", 0, "", "killed is not finished; these are its first 51 samples"},
      {"$FB view killed", 0, "", "note: the run keeps no model"},
      {"$FB view none && test -s none/report.html", 0, "", "none has no samples yet"},
      {"$FB view none --still 0 -o a.png", 2, "", "none: the run has no samples yet"},
  };
  make_unfinished("killed", 51);
  make_unfinished("none", 0);
  CHECK_CASES(cases);
}

static void pictures_leave_no_page_behind(void** state) {
  (void)state;
  outcome o =
      run("mkdir -p tmp && TMPDIR=$PWD/tmp PATH=/nowhere FREEBODY_CHROMIUM=/nowhere $FB view swing --still "
          "0.5 -o f.png;"
          "/bin/ls tmp");
  assert_string_equal(o.out, "");
  if (!o.err[0]) fail_msg("a picture without a browser");
  outcome_free(&o);
  /* Stopped while it waits for a browser that does not answer. */
  static const shell_case stopped[] = {
      {"printf '#!/bin/sh\\n: >started\\nexec sleep 60\\n' >silent && chmod +x silent;"
       "TMPDIR=$PWD/tmp FREEBODY_CHROMIUM=$PWD/silent $FB view swing --still 0.5 -o f.png &"
       "until test -e started; do sleep 0.01; done; kill -TERM $!; wait $!",
       1, "", "interrupted"},
      {"ls tmp", 0, "", ""},
  };
  CHECK_CASES(stopped);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pages_are_written_where_they_are_asked_for),
      cmocka_unit_test(a_model_has_a_page_without_a_run),
      cmocka_unit_test(what_is_wrong_is_said),
      cmocka_unit_test(a_missing_template_says_how_to_build_it),
      cmocka_unit_test(unfinished_runs_are_shown_as_far_as_they_came),
      cmocka_unit_test(pictures_leave_no_page_behind),
  };
  return cmocka_run_group_tests(tests, set_up, scratch_close);
}
