/* run.c -- `freebody run`: runs a scenario and stores the results in a folder. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <freebody/files.h>
#include <freebody/text.h>
#include <freebody/version.h>

#include "run/export.h"
#include "run/run.h"

enum {
  OPT_OUTPUT,
  OPT_SET,
  OPT_DURATION,
  OPT_REALTIME,
  OPT_LIVE,
  OPT_RESUME,
  OPT_FORCE,
  OPT_QUIET,
  OPT_EXPORT,
  OPT_NO_PLUGINS,
  OPT_FROM,
  OPT_REPLAY,
  OPT_PRIORITY
};

static const cmd_option OPTIONS[] = {
    {"output", "DIR", "folder of the run, also -o DIR; default: NAME.run"},
    {"set", "KEY=VALUE", "override a value of the scenario, as integrator.step=1ms; may be repeated"},
    {"duration", "TIME", "override the simulated time: 20, 20s, 5min; with --resume extend the run to it"},
    {"realtime", "[FACTOR]", "run in real time; 2: twice as fast"},
    {"live", "[PORT]", "serve the run to a browser while it is computed, in real time; see above"},
    {"resume", NULL,
     "continue an interrupted run, or extend one; its folder may be given instead of the scenario"},
    {"force", NULL, "replace an existing run in the folder"},
    {"quiet", NULL, "print no progress and no summary, only errors, warnings and notes"},
    {"export", "csv,h5", "write log.csv, log.h5 or both into the folder at the end"},
    FB_OPTION_NO_PLUGINS,
    {"from", "RUN[@TIME]", "begin with the state of another run at this time; default: its end"},
    {"replay", "RUN",
     "take what remote controllers sent from the record of RUN, and ask none; without SCENARIO that of RUN"},
    {"priority", "[LEVEL]",
     "with --realtime: real-time priority 1 to 99, default 50, and memory that stays in place"},
    CMD_READING_OPTIONS,
    {NULL, NULL, NULL},
};

/* --- what was asked --- */

static int refuse_factor(const cmd_app* app, const char* text) {
  return cmd_usage_error(
      app, "--realtime takes a factor, a plain number from 1e-6 to 1e6 as 2 or 0.5, or nothing; not '%s'",
      text);
}

/* 0, as fast as it goes, says something beside --live only. */
static int read_factor(const cmd_app* app, const char* text, double* out) {
  *out = 1;
  const char* rest = text ? fb_number_parse(text, out) : "";
  int sound = rest && !*rest && (*out == 0 || (*out >= 1e-6 && *out <= 1e6));
  return sound ? FB_EXIT_OK : refuse_factor(app, text);
}

static int read_priority(const cmd_app* app, const char* text, int* out) {
  *out = 50;
  return !text || cmd_option_int(app, "priority", text, 1, 99, out) ? FB_EXIT_OK : FB_EXIT_USAGE;
}

static int read_export(const cmd_app* app, const char* text, cmd_run_args* args) {
  fb_error error;
  for (const char* word = text; *word;) {
    size_t length = strcspn(word, ",");
    int csv = length == 3 && strncmp(word, "csv", 3) == 0, h5 = length == 2 && strncmp(word, "h5", 2) == 0;
    if (!csv && !h5) return cmd_usage_error(app, "--export takes csv, h5 or csv,h5, not '%s'", text);
    args->csv |= csv;
    args->h5 |= h5;
    word += length + (word[length] == ',');
  }
  if (!args->h5 || fb_store_export_check("log.h5", &error) == FB_OK) return FB_EXIT_OK;
  return cmd_usage_error(app, "%s", error.text);
}

static int read_option(cmd_app* app, int option, const char* value, cmd_run_args* args) {
  switch (option) {
    case OPT_OUTPUT:
      args->output = value;
      return FB_EXIT_OK;
    case OPT_SET:
      return cmd_read_set(app, value, args->set);
    case OPT_DURATION:
      return cmd_read_duration(app, value, &args->duration);
    case OPT_REALTIME:
      return read_factor(app, value, &args->realtime);
    case OPT_LIVE:
      args->live = 1;
      return cmd_live_read_place(app, value, &args->place) ? FB_EXIT_OK : FB_EXIT_USAGE;
    case OPT_RESUME:
      args->resume = 1;
      return FB_EXIT_OK;
    case OPT_FORCE:
      args->force = 1;
      return FB_EXIT_OK;
    case OPT_QUIET:
      args->quiet = 1;
      return FB_EXIT_OK;
    case OPT_EXPORT:
      return read_export(app, value, args);
    case OPT_NO_PLUGINS:
      args->no_plugins = 1;
      return FB_EXIT_OK;
    case OPT_FROM:
      args->from = value;
      return FB_EXIT_OK;
    case OPT_REPLAY:
      args->replay = value;
      return FB_EXIT_OK;
    case OPT_PRIORITY:
      return read_priority(app, value, &args->priority);
    case FB_OPTION_OPERAND:
      if (args->operand)
        return cmd_usage_error(app, "unexpected argument '%s'; one SCENARIO at a time", value);
      args->operand = value;
      return FB_EXIT_OK;
    default:
      return FB_EXIT_USAGE;
  }
}

static int read_args(cmd_app* app, int argc, char** argv, cmd_run_args* args) {
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    int taken = cmd_reading_take(&walk, o, &args->reading);
    if (taken > 0) continue;
    int code = taken < 0 ? FB_EXIT_USAGE : read_option(app, o, walk.value, args);
    if (code != FB_EXIT_OK) return code;
  }
  if (!args->operand && args->resume && args->output) args->operand = args->output;
  if (!args->operand && !args->replay)
    return cmd_usage_error(app, "which SCENARIO or MODEL? ('-' is standard input)");
  if (args->resume && args->replay)
    return cmd_usage_error(
        app, "--resume goes on with a run and its own record, --replay makes a new one: choose one");
  if (args->resume && args->force)
    return cmd_usage_error(app, "--resume goes on with a run, --force replaces it: choose one of them");
  for (int i = 0; args->set[i] && args->duration >= 0; i++)
    if (strncmp(args->set[i], "duration=", 9) == 0)
      return cmd_usage_error(app, "--duration and --set %s conflict; choose one of them", args->set[i]);
  if (args->resume && strcmp(args->operand, "-") == 0)
    return cmd_usage_error(app, "--resume takes the folder of the run instead of standard input");
  if (args->realtime == 0 && !args->live) return refuse_factor(app, "0");
  if (args->realtime < 0) args->realtime = args->live;
  if (args->priority > 0 && args->realtime == 0)
    return cmd_usage_error(app, "--priority is for runs that keep up with the clock: add --realtime");
  return FB_EXIT_OK;
}

/* --- folder and scenario --- */

static int is_there(const char* name) {
  struct stat info;
  return stat(name, &info) == 0;
}

static int is_folder(const char* name) {
  struct stat info;
  return stat(name, &info) == 0 && S_ISDIR(info.st_mode);
}

/* NAME.run, with nothing in NAME that would make it another place. */
static char* default_folder(const char* name) {
  size_t size = strlen(name) + 16;
  char* folder = cmd_take(size, 1);
  snprintf(folder, size, "%s.run", name[0] ? name : "scenario");
  for (char* c = folder; *c; c++)
    if (*c == '/' || (unsigned char)*c < 0x20) *c = '_';
  if (folder[0] == '-' || folder[0] == '.') folder[0] = '_';
  return folder;
}

static char* copy_text(const char* text) {
  char* copy = cmd_take(strlen(text) + 1, 1);
  return strcpy(copy, text);
}

/* That plugins are not loaded in this process is for app/run/guard.c to know, and no failure. */
static int fail(const cmd_job* job, const fb_error* error, int code) {
  if (!job->watch->plugin.refused) cmd_print_error(job->app, error);
  return error->status == FB_ERR_MEMORY ? FB_EXIT_FAILED : code;
}

/* The first note says what was taken, which is no warning. */
static void tell_state(void* user, const char* text) {
  cmd_job* job = (cmd_job*)user;
  if (job->notes++ > 0 || !job->args->quiet) cmd_tell("freebody run: %s", text);
}

/* "RUN@TIME", unless the whole is a name: a folder may have an @ in its own. */
static int split_from(const cmd_job* job, char* folder, double* t) {
  char* at = strrchr(folder, '@');
  *t = INFINITY;
  if (!at || is_there(folder)) return 1;
  if (strcmp(at + 1, "end") != 0 && !cmd_option_time(job->app, "from RUN@TIME", at + 1, t)) return 0;
  *at = '\0';
  return 1;
}

/* Lets the scenario begin with the state of the run that --from names, if there is one. */
static int take_state(cmd_job* job) {
  double t;
  fb_error error;
  if (!job->args->from) return FB_EXIT_OK;
  char* folder = copy_text(job->args->from);
  int code = split_from(job, folder, &t) ? FB_EXIT_OK : FB_EXIT_USAGE;
  job->notes = 0;
  if (code == FB_EXIT_OK && fb_run_take_state(job->scenario, folder, t, tell_state, job, &error) != FB_OK)
    code = fail(job, &error, FB_EXIT_USAGE);
  free(folder);
  return code;
}

/* That xacro was not run is for this run to tell; `check` would run it. */
static void count_note(void* user, const char* text) {
  if (strstr(text, "as xacro made it"))
    cmd_tell("freebody run: %s", text);
  else
    *(int*)user += !cmd_note_is_minor(text);
}

/* Whether two names are of one folder. */
static int is_same_folder(const char* a, const char* b) {
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev &&
         one.st_ino == other.st_ino;
}

/* The scenario of the run that is replayed, when none was named. */
static int settle_replayed(cmd_job* job) {
  const cmd_run_args* args = job->args;
  fb_error error;
  if (args->set[0] || args->duration >= 0 || cmd_reading_is_given(&args->reading))
    return cmd_usage_error(
        job->app,
        "without a SCENARIO a run is replayed with its own values: leave out --set, --duration, "
        "--base, --inertia, --mimic and --package, or name the SCENARIO");
  if (fb_run_read_scenario(args->replay, &job->scenario, &error) != FB_OK)
    return fail(job, &error, FB_EXIT_USAGE);
  return FB_EXIT_OK;
}

/* A record is not replaced by its own replay. */
static int settle_folder(cmd_job* job) {
  const cmd_run_args* args = job->args;
  job->folder = args->output ? copy_text(args->output) : default_folder(fb_scenario_name(job->scenario));
  if (!args->replay || !is_same_folder(args->replay, job->folder)) return FB_EXIT_OK;
  return cmd_usage_error(job->app, "the replay of '%s' needs a folder of its own: name it with --output",
                         args->replay);
}

/* The run that this one goes on from: what xacro made of its models is in its folder. NULL: none. */
static char* earlier_run(const cmd_job* job) {
  const cmd_run_args* args = job->args;
  if (args->replay) return copy_text(args->replay);
  if (args->from) {
    char *folder = copy_text(args->from), *at = strrchr(folder, '@');
    if (at && !is_there(folder)) *at = '\0'; /* RUN@TIME */
    return folder;
  }
  if (!args->resume) return NULL;
  if (args->output) return copy_text(args->output);
  const char* slash = strrchr(args->operand, '/');
  char* name = copy_text(slash ? slash + 1 : args->operand);
  char* dot = strrchr(name, '.');
  if (dot) *dot = '\0';
  char* folder = default_folder(name);
  free(name);
  return folder;
}

/* No programs with --no-plugins, nor where a run goes on from another. Returns what the options name, to be freed. */
static char* forbid_programs(const cmd_job* job, fb_io_options* io) {
  char *folder = earlier_run(job), *inputs = NULL;
  io->no_programs = job->args->no_plugins || folder != NULL;
  if (folder) {
    size_t size = strlen(folder) + sizeof "/inputs";
    inputs = cmd_take(size, 1);
    snprintf(inputs, size, "%s/inputs", folder);
  }
  free(folder);
  io->expanded = inputs;
  return inputs;
}

/* Reads the scenario that was named, if one was, and settles the folder. */
static int settle(cmd_job* job) {
  const cmd_run_args* args = job->args;
  fb_error error;
  int notes = 0, code;
  if (!args->operand) {
    code = settle_replayed(job);
    if (code == FB_EXIT_OK) code = settle_folder(job);
    return code == FB_EXIT_OK ? take_state(job) : code;
  }
  if (args->resume && is_folder(args->operand)) {
    if (args->output && args->output != args->operand)
      return cmd_usage_error(job->app, "'%s' and '%s' are two folders; --resume takes one", args->operand,
                             args->output);
    if (args->set[0] || args->from || cmd_reading_is_given(&args->reading))
      return cmd_usage_error(
          job->app,
          "a run goes on with the values that it was begun with: leave out --set, --from, --base, --inertia, "
          "--mimic and --package (--duration may extend it)");
    job->folder = copy_text(args->operand);
    return FB_EXIT_OK;
  }
  if (args->resume && !is_there(args->operand))
    return cmd_usage_error(
        job->app, "there is no folder '%s', nor a scenario of this name; --resume takes the folder of a run",
        args->operand);
  fb_scenario_options options = fb_default_scenario_options();
  options.set = (const char* const*)args->set;
  cmd_reading_apply(&args->reading, &options.io);
  char* expanded = forbid_programs(job, &options.io);
  options.io.note = count_note;
  options.io.note_user = &notes;
  options.duration = args->duration;
  /* Once: standard input cannot be read again when plugins have the run begun anew. */
  fb_status status =
      job->text ? FB_OK : fb_model_file_read(args->operand, &options.io, &job->text, &job->size, &error);
  if (status == FB_OK)
    status = fb_scenario_parse(job->text, job->size, args->operand, &options, &job->scenario, &error);
  free(expanded);
  if (status != FB_OK) return fail(job, &error, FB_EXIT_USAGE);
  if (notes > 0) {
    char* name = strcmp(args->operand, "-") == 0 ? NULL : cmd_job_shell_name(args->operand);
    cmd_tell("freebody run: %d note%s on the model; freebody check %s lists them", notes,
             notes == 1 ? "" : "s", name ? name : "-");
    free(name);
  }
  code = settle_folder(job);
  return code == FB_EXIT_OK ? take_state(job) : code;
}

/* --- what the run has to say --- */

/* What Lua scripts print, on standard error; a script that prints at every stage must not flood it. */
static void print_line(void* user, const char* text) {
  enum { MOST = 1000 };
  int* printed = &((cmd_job*)user)->printed;
  if (++*printed <= MOST) cmd_tell_lines(text);
  if (*printed == MOST) fprintf(stderr, "freebody run: scripts print no more here after %d lines\n", MOST);
}

static void tell_note(void* user, const char* text) {
  (void)user;
  cmd_tell("freebody run: %s", text);
}

/* Readers see more of the run: viewers are notified. */
static void tell_committed(void* user, double t) {
  cmd_job* job = (cmd_job*)user;
  if (job->run) cmd_job_watch(job, t);
  cmd_live_committed(job->live);
}

static int is_ended(void* user) {
  (void)user;
  return cmd_interrupt_asked();
}

static fb_run_options run_options(cmd_job* job) {
  fb_run_options options = fb_default_run_options();
  /* One that never began holds nothing to keep. */
  options.replace = job->args->force || job->args->resume;
  if (job->live) options.commit_period = 0.1;
  if (job->args->resume && job->args->duration > 0) options.duration = job->args->duration;
  options.note = tell_note;
  if (!job->args->quiet) options.print = print_line;
  options.committed = tell_committed;
  options.ended = is_ended;
  options.replay = job->args->replay;
  options.user = job;
  return options;
}

/* --- beginning --- */

static void compare_version(const cmd_job* job) {
  const char* version = fb_store_text(fb_run_store(job->run), "version");
  if (version && strcmp(version, fb_version()) != 0)
    cmd_tell(
        "freebody run: this run was begun by version %s, this is %s: results may differ in the last digits",
        version, fb_version());
}

/* A store that can be read could not be written. */
static int resume_code(const cmd_job* job, fb_status status) {
  fb_store* store;
  if (status != FB_ERR_IO || fb_store_open(job->folder, &store, NULL) != FB_OK) return FB_EXIT_USAGE;
  fb_store_close(store, NULL);
  return FB_EXIT_FAILED;
}

/* A new run, or an old one where it was left. *complete: there is nothing to do. */
static int open_run(cmd_job* job, int* complete) {
  fb_error error;
  fb_run_options options = run_options(job);
  *complete = 0;
  if (job->args->resume && (!job->scenario || fb_run_exists(job->folder))) {
    fb_status status = fb_run_resume(job->folder, job->scenario, &options, &job->run, &error);
    if (status != FB_OK) return fail(job, &error, resume_code(job, status));
    *complete = !job->run;
    if (job->run) compare_version(job);
    return FB_EXIT_OK;
  }
  if (!job->args->force && fb_run_exists(job->folder)) {
    cmd_tell(
        "freebody run: %s already contains a run; add --resume to continue it, --force to replace it, or "
        "choose another folder with --output",
        job->folder);
    return FB_EXIT_USAGE;
  }
  fb_status status = fb_run_create(job->scenario, job->folder, &options, &job->run, &error);
  return status == FB_OK ? FB_EXIT_OK : fail(job, &error, FB_EXIT_FAILED);
}

/* --- the end --- */

typedef struct export_work {
  const cmd_job* job;
  const char* file;
} export_work;

static int export_file(void* user) {
  const export_work* work = (const export_work*)user;
  fb_store* run;
  fb_error error;
  fb_status status = fb_file_refuse_link(work->file, "", &error);
  if (status == FB_OK) status = fb_store_open(work->job->folder, &run, &error);
  if (status == FB_OK) {
    status = fb_store_export(run, work->file, NULL, 0, &error);
    fb_store_close(run, NULL);
  }
  return status == FB_OK ? FB_EXIT_OK : fail(work->job, &error, FB_EXIT_FAILED);
}

static int export_to(const cmd_job* job, const char* name) {
  char* file = cmd_job_path(job->folder, name);
  export_work work = {job, file};
  int code = cmd_export_guard(job->app, file, export_file, &work);
  free(file);
  return code;
}

/* Neither the store nor a server is open, or a child process could not do it. */
static int export_all(const cmd_job* job) {
  int code = job->args->csv ? export_to(job, "log.csv") : FB_EXIT_OK;
  return code == FB_EXIT_OK && job->args->h5 ? export_to(job, "log.h5") : code;
}

/* A motion that went wrong goes wrong again; room on a disk, or time, may be there another day. */
static void say_what_is_kept(const cmd_job* job, double t) {
  if (!fb_run_in_place(job->run)) return;
  char *folder = cmd_job_shell_name(job->folder), *signal = cmd_job_worth_plotting(job->run);
  if (fb_run_state_of(job->run) == FB_RUN_FAILED && job->error.status != FB_ERR_IO &&
      job->error.status != FB_ERR_MEMORY)
    fprintf(
        stderr,
        "What was computed until t = %.9g s is kept in %s; to look at it: freebody plot %s %s -o plot.svg\n",
        t, folder, folder, signal);
  else
    fprintf(stderr, "What was logged is kept in %s; to go on: freebody run --resume %s\n", folder, folder);
  free(folder);
  free(signal);
}

/* Says what went wrong, if anything did. */
static int settle_end(const cmd_job* job, fb_status written, const fb_error* why) {
  fb_run_state state = fb_run_state_of(job->run);
  if (state == FB_RUN_FAILED) return fail(job, &job->error, FB_EXIT_FAILED);
  if (written != FB_OK) return fail(job, why, FB_EXIT_FAILED);
  if (state != FB_RUN_INTERRUPTED) return FB_EXIT_OK;
  fprintf(stderr, "freebody run: interrupted at t = %.9g s\n", fb_run_time(job->run));
  return FB_EXIT_FAILED;
}

static void close_run(cmd_job* job) {
  cmd_live_close(job->live);
  fb_run_free(job->run);
  job->live = NULL;
  job->run = NULL;
}

/* Files that were written of an extended run before, and not now, are not of this one. */
static void say_what_is_old(const cmd_job* job) {
  const struct {
    const char *name, *remedy;
    int written;
  } files[] = {{"log.csv", "--export csv", job->args->csv},
               {"log.h5", "--export h5", job->args->h5},
               {"report.html", "freebody view", 0}};
  if (!job->args->resume || job->args->duration < 0) return;
  for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
    char* file = cmd_job_path(job->folder, files[i].name);
    if (!files[i].written && is_there(file))
      cmd_tell("freebody run: %s is of the run before it was extended; %s writes it again", file,
               files[i].remedy);
    free(file);
  }
}

static int finish(cmd_job* job) {
  fb_error error;
  fb_status written = fb_run_finish(job->run, &error);
  cmd_live_finish(job->live, fb_run_state_of(job->run) == FB_RUN_INTERRUPTED);
  cmd_interrupt_unwatch();
  int code = settle_end(job, written, &error);
  job->watch->over = 1;
  if (code != FB_EXIT_OK) {
    say_what_is_kept(job, fb_run_time(job->run));
    return code;
  }
  fb_run_summary summary;
  fb_run_summarise(job->run, &summary);
  cmd_text_clean(summary.warning);
  if (summary.warning[0])
    fprintf(stderr, "%sfreebody run: %s%s\n", cmd_style_on(job->app->color_err, FB_STYLE_YELLOW),
            summary.warning, cmd_style_off(job->app->color_err));
  if (!job->args->quiet) cmd_summary_print(job, &summary, stdout);
  say_what_is_old(job);
  fflush(stdout); /* a plugin may still end the process, when it is freed */
  close_run(job);
  return export_all(job);
}

static void clean_up(cmd_job* job) {
  close_run(job);
  fb_scenario_free(job->scenario);
  free(job->folder);
  *job = (cmd_job){
      .app = job->app, .args = job->args, .watch = job->watch, .text = job->text, .size = job->size};
}

/* Serves the run to those who want to watch. What a resumed run drops is gone before anybody can see it. */
static int go_live(cmd_job* job) {
  fb_error error;
  if (!job->live) return FB_EXIT_OK;
  if (fb_run_commit(job->run, &error) != FB_OK) return fail(job, &error, FB_EXIT_FAILED);
  return cmd_live_start(job->live, job->folder);
}

/* A controller that is not waited for, in a run that does not wait either, is left behind. */
static void compare_paces(const cmd_job* job) {
  fb_run_controller c;
  for (int i = 0; !job->args->replay && job->args->realtime == 0 && fb_run_controller_at(job->run, i, &c);
       i++)
    if (c.realtime)
      cmd_tell(
          "freebody run: controller '%s' has pace: realtime, and the run is as fast as it can be; add "
          "--realtime, or let it be asked in lock-step",
          c.name);
}

static int go(cmd_job* job) {
  int complete = 0,
      code = job->args->live ? cmd_live_open(job->app, &job->args->place, &job->live) : FB_EXIT_OK;
  if (code == FB_EXIT_OK) code = settle(job);
  if (code == FB_EXIT_OK) code = open_run(job, &complete);
  if (code == FB_EXIT_OK && complete) {
    if (!job->args->quiet) printf("%s: this run is complete; there is nothing to resume\n", job->folder);
    return export_all(job);
  }
  if (code == FB_EXIT_OK) compare_paces(job);
  if (code == FB_EXIT_OK) code = go_live(job);
  if (code != FB_EXIT_OK) return code;
  cmd_job_watch(job, fb_run_time(job->run));
  cmd_job_loop(job);
  return finish(job);
}

static int run_job(cmd_job* job) {
  int code = go(job);
  clean_up(job);
  return code;
}

static int run_run(cmd_app* app, int argc, char** argv) {
  cmd_run_args args;
  memset(&args, 0, sizeof args);
  args.duration = args.realtime = -1;
  args.set = cmd_take((size_t)argc + 1, sizeof *args.set);
  int code = read_args(app, argc, argv, &args);
  if (code == FB_EXIT_OK) {
    cmd_job job = {.app = app, .args = &args};
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error of the write */
    code = cmd_job_guard(&job, run_job);
    free(job.text);
  }
  free((void*)args.set);
  return code;
}

const cmd_command cmd_command_run = {
    "run",
    "simulate a scenario or a model, and store the result in a folder",
    "[--output DIR] [--set KEY=VALUE]... [--duration TIME] [--realtime [FACTOR]]\n"
    "                    [--priority [LEVEL]] [--live [PORT]] [--resume] [--from RUN[@TIME]]\n"
    "                    [--replay RUN] [--force] [--quiet] [--export csv,h5] [--no-plugins]\n"
    "                    " CMD_READING_USAGE
    "\n"
    "                    SCENARIO|MODEL",
    "Runs a scenario (docs/scenario.md), or a model with default settings, and writes a folder:\n"
    "run.db with the chosen signals, events and checkpoints, summary.json, and in inputs/ copies of\n"
    "the files read. Prints a summary and the ledger of energy and momentum. Ctrl-C stops the run\n"
    "cleanly; --resume continues it, and the result has the same bits as that of a run that was not\n"
    "interrupted. With a longer --duration it extends a run, also a complete one. --from begins with\n"
    "the state of another run: joints, states of laws and the mode, by their names.\n"
    "\n"
    "With --live the run proceeds in real time, unless --realtime says otherwise (0: as fast as\n"
    "possible), and a page on this machine displays it: at port 8717, the next free port, or the\n"
    "given one (0: any). To serve other machines name an address of this one, as --live=0.0.0.0:9000\n"
    "(docs/live.md).\n"
    "\n"
    "What remote controllers send (docs/remote.md) is recorded in the run. --resume needs them only for\n"
    "what is new; --replay repeats a whole run without them, bit for bit.",
    OPTIONS,
    "  freebody run pendulum.yaml --duration 20s --set integrator.step=1ms\n"
    "  freebody run pendulum.yaml --live\n"
    "  freebody run --resume pendulum.run\n"
    "  freebody run --resume pendulum.run --duration 40\n"
    "  freebody run pendulum.yaml -o again --from pendulum.run@12.5 --set start.rates.hinge=0\n"
    "  freebody run --replay remote_arm.run -o again",
    run_run,
};
