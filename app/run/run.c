/* run.c -- `freebody run`: runs a scenario and stores the results in a folder. */
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/files.h>
#include <freebody/version.h>

#include "run/export.h"
#include "run/run.h"

/* --- what the run has to say --- */

/* What Lua scripts print, on standard error; a script that prints at every stage must not flood it. */
static void print_line(void* user, const char* text) {
  enum { MOST = 1000 };
  int* printed = &((cmd_job*)user)->printed;
  if (++*printed <= MOST) cmd_message_lines(text);
  if (*printed == MOST) fprintf(stderr, "freebody run: scripts print no more here after %d lines\n", MOST);
}

static void print_note(void* user, const char* text) {
  (void)user;
  cmd_message("freebody run: %s", text);
}

/* Readers see more of the run: viewers are notified. */
static void notify_committed(void* user, double t) {
  cmd_job* job = (cmd_job*)user;
  if (job->run) cmd_job_watch(job, t);
  cmd_live_committed(job->live);
}

static int is_ended(void* user) {
  (void)user;
  return cmd_interrupt_requested();
}

static fb_run_options run_options(cmd_job* job) {
  fb_run_options options = fb_default_run_options();
  /* One that never began holds nothing to keep. */
  options.replace = job->args->force || job->args->resume;
  if (job->live) options.commit_period = 0.1;
  if (job->args->resume && job->args->duration > 0) options.duration = job->args->duration;
  options.note = print_note;
  if (!job->args->quiet) options.print = print_line;
  options.committed = notify_committed;
  options.ended = is_ended;
  options.replay = job->args->replay;
  options.user = job;
  return options;
}

/* --- beginning --- */

static void compare_version(const cmd_job* job) {
  const char* version = fb_store_get_text(fb_run_store(job->run), "version");
  if (version && strcmp(version, fb_version()) != 0)
    cmd_message(
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
    if (status != FB_OK) return cmd_job_fail(job, &error, resume_code(job, status));
    *complete = !job->run;
    if (job->run) compare_version(job);
    return FB_EXIT_OK;
  }
  if (!job->args->force && fb_run_exists(job->folder)) {
    cmd_message(
        "freebody run: %s already contains a run; add --resume to continue it, --force to replace it, or "
        "choose another folder with --output",
        job->folder);
    return FB_EXIT_USAGE;
  }
  fb_status status = fb_run_create(job->scenario, job->folder, &options, &job->run, &error);
  return status == FB_OK ? FB_EXIT_OK : cmd_job_fail(job, &error, FB_EXIT_FAILED);
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
  return status == FB_OK ? FB_EXIT_OK : cmd_job_fail(work->job, &error, FB_EXIT_FAILED);
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
  if (state == FB_RUN_FAILED) return cmd_job_fail(job, &job->error, FB_EXIT_FAILED);
  if (written != FB_OK) return cmd_job_fail(job, why, FB_EXIT_FAILED);
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
    if (!files[i].written && cmd_is_there(file))
      cmd_message("freebody run: %s is of the run before it was extended; %s writes it again", file,
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
  if (!job->args->quiet) cmd_summary_print(job, &summary);
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

/* A controller that is not waited for, in a run that does not wait either, is left behind. */
static void compare_paces(const cmd_job* job) {
  fb_run_controller c;
  for (int i = 0; !job->args->replay && job->args->realtime == 0 && fb_run_get_controller(job->run, i, &c);
       i++)
    if (c.realtime)
      cmd_message(
          "freebody run: controller '%s' has pace: realtime, and the run is as fast as it can be; add "
          "--realtime, or let it be asked in lock-step",
          c.name);
}

static int go(cmd_job* job) {
  fb_error error;
  int complete = 0,
      code = job->args->live ? cmd_live_open(job->app, &job->args->place, &job->live) : FB_EXIT_OK;
  if (code == FB_EXIT_OK) code = cmd_job_find_source(job);
  if (code == FB_EXIT_OK) code = open_run(job, &complete);
  if (code == FB_EXIT_OK && complete) {
    if (!job->args->quiet) printf("%s: this run is complete; there is nothing to resume\n", job->folder);
    return export_all(job);
  }
  if (code == FB_EXIT_OK) compare_paces(job);
  /* What a resumed run drops is gone before anybody can see it. */
  if (code == FB_EXIT_OK && job->live && fb_run_commit(job->run, &error) != FB_OK)
    code = cmd_job_fail(job, &error, FB_EXIT_FAILED);
  if (code == FB_EXIT_OK) code = cmd_live_start(job->live, job->folder);
  if (code != FB_EXIT_OK) return code;
  cmd_job_watch(job, fb_run_time(job->run));
  cmd_job_loop(job);
  return finish(job);
}

static int run_job(void* user) {
  cmd_job* job = (cmd_job*)user;
  int code = go(job);
  clean_up(job);
  return code;
}

static int run_run(cmd_app* app, int argc, char** argv) {
  cmd_run_args args = {0};
  args.duration = args.realtime = -1;
  args.set = cmd_take((size_t)argc + 1, sizeof *args.set);
  int code = cmd_run_read_args(app, argc, argv, &args);
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
    "Runs a scenario (docs/scenario.md), or a model with default settings, and writes a folder: run.db with "
    "the chosen signals, events and checkpoints, summary.json, and in inputs/ copies of the files read. "
    "Prints a summary and the ledger of energy and momentum. Ctrl-C stops the run cleanly; --resume "
    "continues it, and the result has the same bits as that of a run that was not interrupted. With a longer "
    "--duration it extends a run, also a complete one. --from begins with the state of another run: joints, "
    "states of laws and the mode, by their names.\n\n"
    "With --live the run proceeds in real time, unless --realtime says otherwise (0: as fast as possible), "
    "and a page on this machine displays it: at port 8717, the next free port, or the given one (0: any). To "
    "serve other machines name an address of this one, as --live=0.0.0.0:9000 (docs/live.md).\n\n"
    "What remote controllers send (docs/remote.md) is recorded in the run. --resume needs them only for what "
    "is new; --replay repeats a whole run without them, bit for bit.",
    cmd_run_options,
    "  freebody run pendulum.yaml --duration 20s --set integrator.step=1ms\n"
    "  freebody run pendulum.yaml --live\n"
    "  freebody run --resume pendulum.run\n"
    "  freebody run --resume pendulum.run --duration 40\n"
    "  freebody run pendulum.yaml -o again --from pendulum.run@12.5 --set start.rates.hinge=0\n"
    "  freebody run --replay remote_arm.run -o again",
    run_run,
};
