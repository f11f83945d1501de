/* test_view_shots.c -- `freebody view` takes pictures and videos through Chromium: of a page that does nothing but
 * draw, so that what is tested is the way there and back; and what it says when something on that way is missing. */
#include "run_sample.h"

#include <dirent.h>
#include <sys/stat.h>

#define FAKE "FREEBODY_VIEWER=" FB_TEST_DATA "/view/fake_page.html "
#define PAGE(script) "<!DOCTYPE html><title>odd</title><!--freebody-data--><script>" script "</script>"

/* Temporary files of the command and of Chromium, in a folder with a name short enough for sockets in it. */
static char temporary[] = "/tmp/freebody-shots-XXXXXX";

static int pictures_open(void** state) {
  if (scratch_open(state) || !mkdtemp(temporary) || setenv("TMPDIR", temporary, 1)) return -1;
  sample_run("swing", 101);
  spill("throws.html", PAGE("throw new Error('no such thing')"));
  spill("rejects.html", PAGE("window.freebody = {ready: Promise.reject(new Error('no WebGL here'))}"));
  spill("never.html", PAGE("window.freebody = {ready: new Promise(() => {})}"));
  spill("silent.html",
        PAGE("window.freebody = {ready: Promise.resolve(), play() {}, set() {}, picture: () => 7}"));
  spill("small.html", PAGE("window.freebody = {ready: Promise.resolve(), play() {}, set() {}, picture: () => "
                           "document.createElement('canvas').toDataURL('image/png')}"));
  return 0;
}

static int pictures_close(void** state) {
  rmdir(temporary);
  return scratch_close(state);
}

/* Nothing stays behind. */
static void assert_no_leftovers(void) {
  DIR* folder = opendir(temporary);
  assert_non_null(folder);
  for (struct dirent* entry; (entry = readdir(folder));)
    if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
      fail_msg("'%s' was left in the folder for temporary files", entry->d_name);
  closedir(folder);
}

static void assert_png(const char* file, int width, int height) {
  FILE* stream = fopen(file, "rb");
  if (!stream) fail_msg("there is no %s", file);
  unsigned char head[24];
  assert_int_equal(fread(head, 1, sizeof head, stream), sizeof head);
  fclose(stream);
  assert_memory_equal(head, "\x89PNG\r\n\x1a\n", 8);
  assert_int_equal(head[18] << 8 | head[19], width);
  assert_int_equal(head[22] << 8 | head[23], height);
}

static void stills_have_the_size_asked_for_and_show_their_time(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {FAKE "$FB view swing --still t=0.5 -o a.png --size 321x200", 0, "", "a.png"},
      {FAKE "$FB view swing --still 0.5 -o again.png --size 321x200", 0, "", NULL},
      {FAKE "$FB view swing --still 0.9 -o later.png --size 321x200", 0, "", NULL},
      {FAKE "$FB view swing --still 0.5 -o page.png --page --dark --size 400x300", 0, "", NULL},
      {FAKE "$FB view swing --still 0.5 -o 'o dd #1?%20\"x.png' --follow 'any\"body' --camera x", 0, "",
       NULL},
      {"cmp a.png again.png", 0, "", ""},
      {"cmp a.png later.png", 1, NULL, NULL},
  };
  CHECK_CASES(cases);
  assert_png("a.png", 321, 200);
  assert_png("page.png", 400, 300);
  assert_png("o dd #1?%20\"x.png", 1280, 720);
  assert_no_leftovers();
}

#define PROBE \
  "ffprobe -v error -count_frames -show_entries stream=width,height,nb_read_frames,r_frame_rate -of csv "

static void videos_have_their_frames_and_sizes(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {FAKE "$FB view swing --video v.mp4 --fps 10 --size 320x180", 0, "", "v.mp4"},
      {PROBE "v.mp4", 0, "stream,320,180,10/1,11", ""},
      {FAKE "$FB view swing --video part.mp4 --fps 20 --speed 0.5 --from 0.2 --to 0.6 --size 321x181", 0, "",
       NULL},
      {PROBE "part.mp4", 0, "stream,322,182,20/1,17", ""}, /* even numbers of pixels */
      {FAKE "$FB view swing --video v.gif --fps 10 --size 101x65", 0, "", NULL},
      {PROBE "v.gif", 0, "stream,101,65,10/1,11", ""},
      {FAKE "$FB view swing --video v.webm --fps 10 --speed 2 --size 64x64", 0, "", NULL},
      {PROBE "v.webm", 0, "stream,64,64,10/1,6", ""},
      {FAKE "$FB view swing --video 'file:odd name.mp4' --fps 5 --size 64x64", 0, "", NULL},
      {"test -s 'file:odd name.mp4'", 0, "", ""},
  };
  CHECK_CASES(cases);
  assert_no_leftovers();
}

static void what_is_missing_is_named_with_what_to_do(void** state) {
  (void)state;
  spill("dies", "#!/bin/sh\necho cannot draw today >&2\nexit 3\n");
  spill("hangs", "#!/bin/sh\nexec sleep 60\n");
  assert_int_equal(chmod("dies", 0777) | chmod("hangs", 0777), 0);
  static const shell_case cases[] = {
      {FAKE "PATH=/nowhere $FB view swing --still 0.5 -o x.png", 1, "", "apt-get install chromium"},
      {FAKE "PATH=/nowhere $FB view swing --video x.mp4", 1, "", "apt-get install ffmpeg"},
      {FAKE "FREEBODY_CHROMIUM=./none $FB view swing --still 0.5 -o x.png", 1, "", "cannot start './none'"},
      {FAKE "FREEBODY_CHROMIUM=./dies $FB view swing --still 0.5 -o x.png", 1, "",
       "it said: cannot draw today"},
      {FAKE "FREEBODY_VIEW_TIMEOUT=0.5 FREEBODY_CHROMIUM=./hangs $FB view swing --still 0.5 -o x.png", 1, "",
       "starting Chromium took more than 0.5 s"},
      {FAKE "$FB view swing --still 0.5 -o nowhere/x.png", 1, "", "the folder 'nowhere' does not exist"},
      {FAKE "$FB view swing --video x.avi", 2, "", ".mp4"},
      {FAKE "$FB view swing --video x.mp4 --speed 1e-6", 1, "", "more than 1000000 frames"},
      {FAKE "$FB view swing --still 0.5 -o x.png --show sparkles", 2, "", "does not know 'sparkles'"},
      {"test -e x.png || test -e x.mp4 || test -e x.avi", 1, "", ""},
  };
  CHECK_CASES(cases);
  assert_no_leftovers();
}

static void pages_that_fail_are_told_of(void** state) {
  (void)state;
  static const shell_case cases[] = {
      {"FREEBODY_VIEWER=throws.html $FB view swing --still 0.5 -o x.png", 1, "",
       "script failed: Error: no such thing"},
      {"FREEBODY_VIEWER=rejects.html $FB view swing --still 0.5 -o x.png", 1, "",
       "script failed: Error: no WebGL"},
      {"FREEBODY_VIEWER=never.html FREEBODY_VIEW_TIMEOUT=3 $FB view swing --still 0.5 -o x.png", 1, "",
       " took more than 3 s; FREEBODY_VIEW_TIMEOUT"},
      {FAKE "$FB view swing --still 0.5 -o x.png --follow nobody", 2, "",
       "there is no body or frame 'nobody' to follow"},
      {"FREEBODY_VIEWER=silent.html $FB view swing --still 0.5 -o x.png", 1, "",
       "gave no picture of 1280 x 720"},
      {"FREEBODY_VIEWER=small.html $FB view swing --still 0.5 -o x.png", 1, "",
       "drew 300 x 150 pixels instead of"},
      {FAKE "$FB view swing --still 0.5 -o x.png --follow trouble", 1, "", "Error: nothing but trouble"},
      {"test -e x.png || test -e x.mp4", 1, "", ""},
  };
  CHECK_CASES(cases);
  assert_no_leftovers();
}

static void a_video_that_fails_leaves_the_old_file(void** state) {
  (void)state;
  assert_int_equal(mkdir("bin", 0777), 0);
  spill("bin/ffmpeg", "#!/bin/sh\necho 'Unknown encoder' >&2\nexit 1\n");
  spill("bin/fails", "#!/bin/sh\ncat > /dev/null\nexit 1\n");
  assert_int_equal(chmod("bin/ffmpeg", 0777) | chmod("bin/fails", 0777), 0);
  spill("old.mp4", "old");
  static const shell_case cases[] = {
      {FAKE "PATH=./bin:$PATH $FB view swing --video old.mp4 --size 64x64", 1, "",
       "ffmpeg could not make the video: Unknown encoder"},
      {"cp bin/fails bin/ffmpeg", 0, "", ""},
      /* Also when nobody was to be told how children end. */
      {FAKE "PATH=./bin:$PATH env --ignore-signal=CHLD $FB view swing --video old.mp4 --fps 2 --size 64x64",
       1, "", "ffmpeg could not make the video: it ended without a reason"},
      {FAKE "$FB view swing --video old.mp4 --speed 1e-4 --size 64x64 & until ls old.mp4.*.tmp; do sleep "
            "0.1; done; "
            "sleep 0.3; kill -TERM $!; wait $!",
       1, NULL, "interrupted"},
      {"cat old.mp4; ls | grep -c tmp", 1, "old0", ""},
  };
  CHECK_CASES(cases);
  assert_no_leftovers();
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stills_have_the_size_asked_for_and_show_their_time),
      cmocka_unit_test(videos_have_their_frames_and_sizes),
      cmocka_unit_test(what_is_missing_is_named_with_what_to_do),
      cmocka_unit_test(pages_that_fail_are_told_of),
      cmocka_unit_test(a_video_that_fails_leaves_the_old_file),
  };
  return cmocka_run_group_tests(tests, pictures_open, pictures_close);
}
