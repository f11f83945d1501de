/* test_plot.c -- `freebody plot` draws what it is asked for, with labels as they are, and loses no spike. */
#include "run_sample.h"

#include <sys/stat.h>

static void pictures_are_written_in_every_format(void** state) {
  (void)state;
  sample_run("run", 100);
  static const shell_case cases[] = {
      {"$FB plot run q p.hand -o a.svg && head -c 5 a.svg && grep -c '</svg>' a.svg", 0, "<?xml1", " -> "},
      {"$FB plot run q -o a.png --size 640x300 && od -An -c -N 4 a.png", 0, "211   P   N   G", " -> "},
      {"$FB plot run q -o a.png --size 640x300 && od -An -tu1 -j 16 -N 8 a.png", 0,
       "0   0   2 128   0   0   1  44", " -> "},
      {"$FB plot run q -o a.pdf && head -c 5 a.pdf", 0, "%PDF-", " -> "},
      {"$FB plot run q -o - | tail -n 3", 0, "</svg>", ""},
      {"$FB plot run q -o - > /dev/full", 1, "", "standard output: cannot write the picture: No space left"},
      {"$FB plot run q -o - >&-", 1, "", "standard output: cannot write the picture: Bad file descriptor"},
      {"mkfifo p.svg; tail -n 3 p.svg & $FB plot run q -o p.svg && wait && rm p.svg", 0, "</svg>", " -> "},
      {"! ls | grep tmp", 0, "", ""},
  };
  CHECK_CASES(cases);
}

/* The texts of a.svg, as they stand in XML. */
static void check_svg(const char* const* words, size_t count) {
  char* text = slurp("a.svg");
  for (size_t i = 0; i < count; i++)
    if (!strstr(text, words[i])) fail_msg("'%s' is not in the picture", words[i]);
  free(text);
}

static void labels_units_events_and_the_title_stand_in_the_picture(void** state) {
  (void)state;
  sample_run("run", 100);
  static const shell_case cases[] = {
      {"$FB plot run 'q.*' p.hand energy.total -o a.svg", 0, "", "6 curves, 100 samples from 0 to 0.99 s\n"}};
  CHECK_CASES(cases);
  static const char* const words[] = {
      "<text>swing</text>",    "<text>time [s]</text>",     "<text>coordinate of a joint [rad]</text>",
      "<text>q.elbow</text>",  "<text>q.shoulder_1</text>", "<text>position of a frame [m]</text>",
      "<text>p.hand.z</text>", "<text>touch</text>",        "<text>let_go {50%} $x</text>",
      "<text>0.9</text>",      "<text>energy.total</text>", "<text>energy of the scene [J]</text>",
  };
  check_svg(words, sizeof words / sizeof words[0]);
}

/* Where signals of a panel mean different things, or their meaning is too long, the quantity is named. */
static void axes_name_the_quantity_and_names_of_events_stay_inside(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  static const fb_store_signal signals[] = {
      {"tau.hull.0", "N", "joint", "force or torque of a joint's actuator"},
      {"tau.elbow", "N m", "joint", "force or torque of a joint's actuator"},
      {"q.hull.3", "1", "joint", "coordinate of a joint"},
      {"quat.hull.w", "1", "world", "attitude of a frame as a quaternion"},
      {"p.hand.x", "m", "world", "position of a frame"},
      {"q.slide", "m", "joint", "coordinate of a joint"},
      {"energy.total", "J", "", "kinetic and potential energy"},
      {"ledger.work", "J", "", "work done by actuators"},
  };
  enum { COUNT = sizeof signals / sizeof *signals };
  const double zero[COUNT] = {0};
  assert_int_equal(fb_store_create("units", signals, COUNT, 1, &run, &error), FB_OK);
  for (int i = 0; i < 10; i++) assert_int_equal(fb_store_append(run, i, zero, &error), FB_OK);
  assert_int_equal(fb_store_add_event(run, 0, "a long name of an event", "", &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  static const shell_case cases[] = {
      {"$FB plot units '*' -o a.svg", 0, "", " -> "},
      /* The middle of the name, half of it right of the axis, which begins at some 70 pixels. */
      {"tr -d '\\n' <a.svg | grep -o 'translate([0-9.]*,[^<]*<text>a long name' | sed "
       "'s/translate.\\([0-9]*\\).*/\\1/' "
       ">x; test $(cat x) -gt 120 && test $(cat x) -lt 250",
       0, "", ""},
  };
  CHECK_CASES(cases);
  static const char* const words[] = {
      "<text>force [N]</text>",    "<text>torque [N m]</text>", "<text>quaternion [1]</text>",
      "<text>position [m]</text>", "<text>energy [J]</text>",   "<text>a long name of an event</text>",
  };
  check_svg(words, sizeof words / sizeof words[0]);
}

static void names_with_signs_that_mean_something_to_gnuplot_are_plain_text(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  const fb_store_signal odd[] = {{"it's `date` \"x\" {a}_b^2 \\n %d $HOME @y", "N'm", "", "a 'thing'"},
                                 {"\xc3\xa4rm", "N'm", "", "a 'thing'"}};
  assert_int_equal(fb_store_create("run", odd, 2, 0, &run, &error), FB_OK);
  for (int i = 0; i < 10; i++) {
    double v[2] = {i, -i};
    assert_int_equal(fb_store_append(run, i, v, &error), FB_OK);
  }
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  static const shell_case cases[] = {
      {"for t in \"'\" \"''\" \"'a\" \"a''b\" \"'''a'''\"; do $FB plot run '*' -o q.svg --title \"$t\" &&"
       " grep -cF \"<text>$t</text>\" q.svg; done",
       0, "1\n1\n1\n1\n1\n", " -> "},
      {"$FB plot run '*' -o a.svg --title \"50% of {x}_1 'quoted' \\$y\"", 0, "", " -> "},
      /* "]]>" must not stand in XML. */
      {"$FB plot run '*' -o x.svg --title 'a]]>b]]]>' && grep -c ']]>' x.svg; python3 -c 'import "
       "xml.dom.minidom as x; "
       "print(x.parse(\"x.svg\").documentElement.tagName)'",
       0, "0\nsvg\n", " -> "},
      {"cp -r run \"it's {b}\" && $FB plot run '*' -o \"o'd d.svg\" --with \"it's {b}\" && grep -o 'rm "
       "(it.*<' o*.svg",
       0, "rm (it's {b})<", " -> "},
  };
  CHECK_CASES(cases);
  static const char* const words[] = {
      "it's `date` \"x\" {a}_b^2 \\n %d $HOME @y</text>",
      "\xc3\xa4rm",
      "<text>a 'thing' [N'm]</text>",
      "<text>50% of {x}_1 'quoted' $y</text>",
  };
  check_svg(words, sizeof words / sizeof words[0]);
}

/* A spike of one sample among very many is in the picture: its height sets the axis. */
static void a_long_run_keeps_its_spikes(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  const fb_store_signal one[] = {{"x", "m", "", ""}};
  enum { N = 200000 };
  assert_int_equal(fb_store_create("run", one, 1, 0, &run, &error), FB_OK);
  for (int i = 0; i < N; i++) {
    double v = i == 123457 ? 70 : i == 150001 ? -30 : sin(0.001 * i);
    assert_int_equal(fb_store_append(run, 0.001 * i, &v, &error), FB_OK);
  }
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  static const shell_case cases[] = {
      {"$FB plot run x -o a.svg", 0, "", " -> "},
      {"$FB plot run x -o b.svg --from 10 --to 20 && grep -c '<text>1.0</text>' b.svg", 0, "1", " -> "},
  };
  CHECK_CASES(cases);
  static const char* const words[] = {"<text>60</text>", "<text>-20</text>", "<text>180</text>"};
  check_svg(words, sizeof words / sizeof words[0]);
  struct stat info;
  assert_int_equal(stat("a.svg", &info), 0);
  assert_true(info.st_size < 300000); /* a few points for each column of pixels, not one for each sample */
}

static void a_single_sample_and_values_that_are_no_numbers_can_be_drawn(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  const fb_store_signal two[] = {{"x", "m", "", ""}, {"none", "N", "", ""}};
  const double v[2] = {1, NAN};
  assert_int_equal(fb_store_create("run", two, 2, 0, &run, &error), FB_OK);
  assert_int_equal(fb_store_append(run, 2, v, &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  static const shell_case cases[] = {{"$FB plot run '*' -o a.svg", 0, "", " -> "}};
  CHECK_CASES(cases);
}

static void another_run_is_drawn_over_it(void** state) {
  (void)state;
  fb_error error;
  fb_store* run = NULL;
  sample_run("run", 100);
  sample_run("other", 200);
  assert_int_equal(fb_store_create("short", SAMPLE_NAMES, 2, 0, &run, &error), FB_OK);
  assert_int_equal(fb_store_close(run, &error), FB_OK);
  static const shell_case cases[] = {
      {"$FB plot run q -o a.svg --with other", 0, "", "run -> a.svg: "},
      {"$FB plot run q -o a.svg --with other", 0, "", " kB, 4 curves of 2 runs\n"},
      {"$FB plot run p.hand -o b.svg --with short", 2, "", "short/run.db: the run has no signal 'p.hand.x'"},
      {"$FB plot run q -o b.svg --with short", 2, "", "short: the run has no samples yet"},
      {"$FB plot run q -o b.svg --with nowhere", 2, "", "nowhere: there is no such folder"},
      {"test ! -e b.svg", 0, "", ""},
  };
  CHECK_CASES(cases);
  static const char* const words[] = {"<text>q.elbow (other)</text>", "<text>q.elbow (run)</text>",
                                      "<text>1.8</text>"};
  check_svg(words, sizeof words / sizeof words[0]);
}

/* All of them, each in its colour and by its name; the last --with does not replace the others. */
static void any_number_of_runs_can_be_drawn(void** state) {
  (void)state;
  sample_run("run", 100);
  sample_run("b", 100);
  sample_run("c", 100);
  sample_run("d", 100);
  assert_int_equal(system("mkdir -p x && cp -r b x/run"), 0);
  static const shell_case cases[] = {
      {"$FB plot run energy --with b --with c --with d -o a.svg", 0, "", ", 4 curves of 4 runs\n"},
      {"grep -o '<text>energy.total ([a-z]*)' a.svg | sort | tr -d '\n'", 0,
       "<text>energy.total (b)<text>energy.total (c)<text>energy.total (d)<text>energy.total (run)", ""},
      {"grep -oi 'rgb( 20,  64, 127)\\|rgb(209,  69,  11)\\|rgb( 63, 160, 208)\\|rgb( 12, 107,  74)' a.svg |"
       " sort -u | wc -l",
       0, "4", ""},
      {"$FB plot run energy --with x/run -o b.svg && grep -c '<text>energy.total (x/run)' b.svg", 0, "1",
       "2 curves"},
      {"$FB plot run energy --with nowhere --with b -o n.svg", 2, "", "nowhere: there is no such folder"},
  };
  CHECK_CASES(cases);
}

static void what_is_wrong_is_explained(void** state) {
  (void)state;
  sample_run("run", 8);
  static const shell_case cases[] = {
      {"$FB plot", 2, "", "which RUN?"},
      {"$FB plot run", 2, "", "which SIGNALs?"},
      {"$FB plot run q", 2, "", "give -o F.svg"},
      {"$FB plot run q -o a.gif", 2, "", "there are .svg, .png and .pdf"},
      {"$FB plot run q.elbwo -o a.svg", 2, "", "did you mean 'q.elbow'?"},
      {"$FB plot run q -o a.svg --size 5", 2, "", "--size takes WIDTHxHEIGHT"},
      {"$FB plot run q -o a.svg --size 5x5", 2, "", "from 200x120"},
      {"$FB plot run q -o a.svg --from 9", 2, "", "its samples are from 0 to 0.07 s"},
      {"$FB plot run q -o a.svg --from 2 --to 1", 2, "", "lies after"},
      {"$FB plot nowhere q -o a.svg", 2, "", "nowhere: there is no such folder"},
      {"$FB plot run q -o none/a.svg", 1, "", "none/a.svg: the folder 'none' does not exist"},
      {"PATH= $FB plot run q -o a.svg", 1, "", "install it (Debian: gnuplot-nox)"},
      {"(ulimit -f 1; trap '' XFSZ; $FB plot run q -o a.svg)", 1, "", "is the disk full?"},
      {"test ! -e a.svg && ! ls | grep tmp", 0, "", ""},
      {"echo old >a.svg; PATH= $FB plot run q -o a.svg; cat a.svg", 0, "old\n", NULL},
  };
  CHECK_CASES(cases);
}

#define T(name) cmocka_unit_test_setup_teardown(name, scratch_open, scratch_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(pictures_are_written_in_every_format),
      T(labels_units_events_and_the_title_stand_in_the_picture),
      T(axes_name_the_quantity_and_names_of_events_stay_inside),
      T(names_with_signs_that_mean_something_to_gnuplot_are_plain_text),
      T(a_long_run_keeps_its_spikes),
      T(a_single_sample_and_values_that_are_no_numbers_can_be_drawn),
      T(another_run_is_drawn_over_it),
      T(any_number_of_runs_can_be_drawn),
      T(what_is_wrong_is_explained),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
