/* view.c -- `freebody view`: shows a run as a page, as pictures of that page, or as a glTF animation. */
#include "view/view.h"

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <freebody/support/files.h>

#include "run/run.h"

extern char** environ;

void cmd_view_note(void* user, const char* text) {
  (void)user;
  if (!cmd_note_is_minor(text)) cmd_message("note: %s", text);
}

/* --- what was written --- */

/* A run that is going on, or was killed, is shown as far as it came. */
static void say_unfinished(const cmd_view_args* args, fb_store* run) {
  const char* status = fb_store_get_text(run, "status");
  long long n = fb_store_nsample(run);
  if (n == 0)
    cmd_message("freebody view: %s has no samples yet; there is nothing to play", args->run);
  else if (status && strcmp(status, "running") == 0)
    cmd_message("freebody view: %s is not finished; these are its first %lld samples", args->run, n);
}

/* --- the page --- */

/* report.html in the folder of the run, which may be named by its run.db. */
static char* default_page(const char* run) {
  static const char name[] = "report.html";
  struct stat info;
  size_t n = strlen(run);
  if (stat(run, &info) == 0 && !S_ISDIR(info.st_mode)) {
    const char* slash = strrchr(run, '/');
    n = slash ? (size_t)(slash - run) + 1 : 0;
  }
  char* path = cmd_take(n + 1 + sizeof name, 1);
  memcpy(path, run, n);
  if (n > 0 && path[n - 1] != '/') path[n++] = '/';
  memcpy(path + n, name, sizeof name);
  return path;
}

static void open_page(const char* file) {
  char* argv[] = {(char*)"xdg-open", (char*)file, NULL};
  pid_t pid;
  int failed = posix_spawnp(&pid, argv[0], NULL, NULL, argv, environ);
  if (failed)
    fprintf(stderr, "freebody view: cannot open a browser (xdg-open: %s); open the page yourself\n",
            strerror(failed));
}

static int write_page(const cmd_app* app, const cmd_view_args* args, fb_store** runs, const char* file) {
  fb_picture_options options = fb_default_picture_options();
  char* page = cmd_view_template(app);
  if (!page) return FB_EXIT_FAILED;
  options.page_template = page;
  options.others = &runs[1];
  options.nother = args->nwith;
  options.note = cmd_view_note;
  fb_error error = {0};
  int code = cmd_exit_code(app, fb_store_write_page(runs[0], file, &options, &error), &error);
  free(page);
  return code;
}

static int view_page(const cmd_app* app, const cmd_view_args* args, fb_store** runs) {
  if (args->out && strcmp(args->out, "-") == 0) return write_page(app, args, runs, "-");
  char* given = args->out ? NULL : default_page(args->run);
  const char* file = given ? given : args->out;
  fb_error error = {0};
  fb_status refused =
      given ? fb_file_refuse_link(given, ", or name the file to write with -o", &error) : FB_OK;
  int code = refused == FB_OK ? write_page(app, args, runs, file) : cmd_exit_code(app, refused, &error);
  if (code == FB_EXIT_OK) {
    say_unfinished(args, runs[0]);
    cmd_message_written(args->run, file, "; open it in a browser");
    if (args->open) open_page(file);
  }
  free(given);
  return code;
}

/* --- glTF --- */

static int view_gltf(const cmd_app* app, const cmd_view_args* args, fb_store* run) {
  fb_picture_options options = fb_default_picture_options();
  options.note = cmd_view_note;
  if (cmd_option_is_given(app, "fps")) options.frames_per_second = args->shot.fps;
  fb_error error = {0};
  int code = cmd_exit_code(app, fb_store_write_gltf(run, args->out, &options, &error), &error);
  if (code == FB_EXIT_OK) say_unfinished(args, run);
  if (code == FB_EXIT_OK) cmd_message_written(args->run, args->out, ", binary glTF 2.0");
  return code;
}

/* --- pictures --- */

/* The page that pictures are taken of, in a folder of its own. */
typedef struct scratch {
  char folder[512];
  char page[540];
} scratch;

static int make_scratch(scratch* s) {
  const char* temporary = getenv("TMPDIR");
  if (!temporary || !temporary[0]) temporary = "/tmp";
  int n = snprintf(s->folder, sizeof s->folder, "%s/freebody-XXXXXX", temporary);
  if (n < 0 || (size_t)n >= sizeof s->folder || !mkdtemp(s->folder)) {
    fprintf(stderr, "freebody view: cannot make a folder in %s for the page that is drawn: %s\n", temporary,
            strerror(errno));
    return 0;
  }
  snprintf(s->page, sizeof s->page, "%s/page.html", s->folder);
  return 1;
}

/* The times that the run has, within --from and --to; a still must lie in them. */
static fb_status find_times(const cmd_view_args* args, fb_store* run, cmd_shot* shot, fb_error* error) {
  fb_store_part part = {0};
  cmd_span span = args->span;
  if (args->kind == FB_VIEW_STILL) { /* between two samples there may be none */
    span.from = -INFINITY;
    span.to = INFINITY;
  }
  fb_status status = cmd_span_find(run, args->run, &span, &part, error);
  double ends[2] = {0, 0};
  if (status == FB_OK) status = cmd_part_ends(run, part.first, part.count, ends, error);
  if (status != FB_OK) return status;
  if (args->kind == FB_VIEW_VIDEO) {
    shot->from = fmax(span.from, ends[0]);
    shot->to = fmin(span.to, ends[1]);
  } else if (!(shot->from >= ends[0] && shot->from <= ends[1])) {
    return fb_fail(error, FB_ERR_ARG, "there is no picture of %g s: the run's samples are from %g to %g s",
                   shot->from, ends[0], ends[1]);
  }
  return FB_OK;
}

static int take_pictures(const cmd_app* app, const cmd_view_args* args, fb_store** runs, const char* page) {
  cmd_shot shot = args->shot;
  fb_error error = {0};
  int code = cmd_exit_code(app, find_times(args, runs[0], &shot, &error), &error);
  if (code == FB_EXIT_OK) code = write_page(app, args, runs, page);
  if (code != FB_EXIT_OK) return code;
  shot.page = page;
  code = args->kind == FB_VIEW_STILL ? cmd_view_still(app, &shot) : cmd_view_video(app, &shot);
  if (code == FB_EXIT_OK) cmd_message_written(args->run, shot.file, "");
  return code;
}

static int view_pictures(const cmd_app* app, const cmd_view_args* args, fb_store** runs) {
  scratch s;
  if (args->out) { /* a page that is to be kept */
    int code = take_pictures(app, args, runs, args->out);
    if (code == FB_EXIT_OK) cmd_message_written(args->run, args->out, "; open it in a browser");
    return code;
  }
  if (!make_scratch(&s)) return FB_EXIT_FAILED;
  int code = take_pictures(app, args, runs, s.page);
  unlink(s.page);
  rmdir(s.folder);
  return code;
}

/* On Ctrl-C nothing stays behind; a program that ended early is told of by its own words, and what it ended with is for
 * us to hear, whatever we were started with. */
static int view_pictures_watched(const cmd_app* app, const cmd_view_args* args, fb_store** runs) {
  void (*on_pipe)(int) = signal(SIGPIPE, SIG_IGN);
  void (*on_child)(int) = signal(SIGCHLD, SIG_DFL);
  cmd_interrupt_watch();
  int code = view_pictures(app, args, runs);
  cmd_interrupt_unwatch();
  signal(SIGCHLD, on_child);
  signal(SIGPIPE, on_pipe);
  return code;
}

/* --- the command --- */

static int view_runs(const cmd_app* app, const cmd_view_args* args) {
  int code = FB_EXIT_OK, n = 1 + args->nwith;
  fb_store** runs = cmd_take((size_t)n, sizeof(fb_store*));
  for (int i = 0; i < n && code == FB_EXIT_OK; i++)
    runs[i] = cmd_open_run(app, i == 0 ? args->run : args->with[i - 1], &code);
  if (code == FB_EXIT_OK)
    code = args->kind == FB_VIEW_PAGE   ? view_page(app, args, runs)
           : args->kind == FB_VIEW_GLTF ? view_gltf(app, args, runs[0])
                                        : view_pictures_watched(app, args, runs);
  for (int i = 0; i < n; i++) fb_store_close(runs[i], NULL);
  free((void*)runs);
  return code;
}

static int view_model(const cmd_app* app, const cmd_view_args* args) {
  const char* file = NULL;
  char* made = NULL;
  int code = cmd_view_model(app, args, &file, &made);
  if (code == FB_EXIT_OK && strcmp(file, "-") != 0) {
    cmd_message_written(args->run, file, "; open it in a browser and move the joints");
    if (args->open) open_page(file);
  }
  free(made);
  return code;
}

static int run_view(cmd_app* app, int argc, char** argv) {
  cmd_view_args args;
  int code = cmd_view_read_args(app, argc, argv, &args);
  if (code == FB_EXIT_OK && cmd_reading_is_given(&args.reading) && !cmd_view_is_model(args.run))
    code = cmd_usage_error(app, "--base, --inertia, --mimic and --package are for models; '%s' is a run",
                           args.run);
  if (code == FB_EXIT_OK) code = cmd_view_is_model(args.run) ? view_model(app, &args) : view_runs(app, &args);
  free((void*)args.with);
  return code;
}

const cmd_command cmd_command_view = {
    "view",
    "display a run: an HTML page, pictures, a video, or glTF",
    "RUN [-o REPORT.html|RUN.glb] [--with RUN2]... [--open]\n"
    "       freebody view MODEL [-o PAGE.html] [--open]\n"
    "                    " CMD_READING_USAGE
    "\n"
    "       freebody view RUN --still TIME -o FRAME.png [--size WxH] [--camera NAME] [--follow NAME]\n"
    "       freebody view RUN --video F.mp4|F.gif [--from TIME] [--to TIME] [--speed X] [--fps N]",
    "Writes one HTML page that opens from disk in any browser, without a server or network. It has the "
    "moving robot, plots of all signals, events, the ledger, the scenario and the summary, and with --with "
    "other runs for comparison. Pictures and videos of that page are made with Chromium, which opens no "
    "window; videos also need ffmpeg. A .glb file is the animated robot for Blender and other programs. RUN "
    "may still be running. The page of a MODEL (URDF, YAML, JSON) has the robot with a slider for each "
    "joint, and is written to MODEL.html in the current folder.",
    cmd_view_options,
    "  freebody view ets7.run\n"
    "  freebody view ets7.run --with ets7_plain.run -o both.html --open\n"
    "  freebody view ets7.run --still t=12.5 -o frame.png --size 1600x900",
    run_view,
};
