/* guard.c -- a run with plugins, which is made in a child process: when a plugin ends that, the command says what
 * happened and where and what is kept, and marks the run as failed. */
#include <math.h>
#include <signal.h>
#include <stdlib.h>

#include "guard.h"
#include "run/run.h"

void cmd_job_watch(cmd_job* job, double t) {
  cmd_run_watch* watch = job->watch;
  watch->t = t;
  if (watch->folder[0]) return;
  char* signal = cmd_job_worth_plotting(job->run);
  snprintf(watch->signal, sizeof watch->signal, "%s", signal);
  snprintf(watch->folder, sizeof watch->folder, "%s", job->folder);
  free(signal);
}

static void say_what_is_kept(const cmd_run_watch* watch, const cmd_guard_end* end) {
  char* folder = cmd_job_shell_name(watch->folder);
  if (watch->over)
    fprintf(stderr, "The run had ended by then, and is kept in %s\n", folder);
  else if (end->signal == SIGKILL || end->requested_by)
    fprintf(stderr, "What was logged is kept in %s; to go on: freebody run --resume %s\n", folder, folder);
  else
    fprintf(
        stderr,
        "What was computed until t = %.9g s is kept in %s; to look at it: freebody plot %s %s -o plot.svg\n"
        "When the plugin is repaired, run the scenario again with --force; --resume goes on with the copy of "
        "it in the folder\n",
        watch->t, folder, folder, watch->signal);
  free(folder);
}

/* By the user's wish: where it was is said of a plugin that does not come back, as the reason that it took two. */
static int end_on_request(const cmd_run_watch* watch, const cmd_guard_end* end) {
  const fb_plugin_record* p = &watch->plugin;
  if (end->requested_by && watch->folder[0] && p->stage != FB_PLUGIN_DONE) {
    fprintf(stderr, "freebody run: ended at t = %.9g s, %s of plugin '%s', block \"%s\"\n", p->t,
            fb_plugin_stage_name(p->stage), p->file, p->block);
    say_what_is_kept(watch, end);
  }
  return cmd_guard_code(end);
}

/* The child has not come to its end: says so here and in the store. */
static int settle(const cmd_job* job, const cmd_guard_end* end) {
  cmd_run_watch* watch = job->watch;
  fb_error error, trouble;
  cmd_progress progress = cmd_progress_start(job->args->quiet);
  cmd_progress_clear(&progress);
  cmd_text_clean(watch->plugin.file);
  cmd_text_clean(watch->plugin.block);
  if (cmd_guard_ended_on_request(end)) return end_on_request(watch, end);
  char at[40] = "";
  if (watch->folder[0]) snprintf(at, sizeof at, "at t = %.9g s: ", fmax(watch->plugin.t, watch->t));
  cmd_plugin_fate(&watch->plugin, end, at, &error);
  cmd_print_error(job->app, &error);
  if (!watch->folder[0]) return FB_EXIT_FAILED;
  if (!watch->over) {
    char text[sizeof error.text + 16];
    snprintf(text, sizeof text, "failed: %s", error.text);
    if (fb_store_mark(watch->folder, "status", text, &trouble) != FB_OK) cmd_print_error(job->app, &trouble);
  }
  say_what_is_kept(watch, end);
  return FB_EXIT_FAILED;
}

int cmd_job_guard(cmd_job* job, int (*run)(void* job)) {
  cmd_guard_end end;
  fb_plugin_record* record = cmd_plugin_guard_new(sizeof *job->watch);
  job->watch = (cmd_run_watch*)(void*)record;
  record->forbid = job->args->no_plugins;
  if (cmd_plugin_guard(job->app, record, run, job, &end)) return end.code;
  return end.child ? settle(job, &end) : FB_EXIT_FAILED;
}
