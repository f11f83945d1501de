/* job.c -- a run: its memory, its end, and queries. */
#include "run/job/job.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cookie.h"
#include "run/store/folder.h"
#include "scenario/scenario.h"

fb_run_options fb_default_run_options(void) {
  return (fb_run_options){.commit_period = 1, .cookie_ = FB_COOKIE};
}

const char* fb_run_state_name(fb_run_state state) {
#define AS_NAME(code, name, what) name,
  static const char* const names[] = {FB_RUN_STATE_LIST(AS_NAME)};
#undef AS_NAME
  return (unsigned)state < FB_RUN_STATE_COUNT ? names[state] : "unknown";
}

/* --- making --- */

fb_run_wall fb_default_run_wall(void) {
  return (fb_run_wall){.cookie_ = FB_COOKIE};
}

fb_status fb_run_check_options(const fb_run_options* given, fb_run_options* options, fb_error* error) {
  *options = given ? *given : fb_default_run_options();
  if (fb_cookie_check(options->cookie_, "run_options", error)) return FB_ERR_ARG;
  if (!(options->commit_period > 0))
    return fb_fail(error, FB_ERR_ARG, "the commit period is %g s, but must be more than 0",
                   options->commit_period);
  if (!(options->duration >= 0 && isfinite(options->duration)))
    return fb_fail(error, FB_ERR_ARG, "a run cannot be extended to %g s; give a time of more than 0",
                   options->duration);
  return FB_OK;
}

void fb_run_note(const fb_run* run, const char* format, ...) {
  if (!run->options.note) return;
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  run->options.note(run->options.user, text);
}

fb_run* fb_run_new(const fb_scenario* s, const char* folder, const fb_run_options* options) {
  fb_run* run = calloc(1, sizeof *run);
  if (!run) return NULL;
  run->options = *options;
  run->scenario = s;
  run->process = getpid();
  run->folder = folder ? strdup(folder) : NULL;
  if (!folder || run->folder) return run;
  free(run);
  return NULL;
}

fb_status fb_run_make_sim(fb_run* run, fb_scenario* s, fb_error* error) {
  fb_note_fn note = s->note;
  void* user = s->note_user;
  fb_note_fn remark = s->remark;
  if (run->options.print) fb_scenario_set_note(s, run->options.print, run->options.user);
  fb_run_use_remote(run, s);
  s->remark = NULL; /* a run has notes of its own */
  fb_status status = fb_sim_build(s, &run->sim, error);
  s->remark = remark;
  fb_run_leave_remote(s);
  fb_scenario_set_note(s, note, user);
  return status;
}

void fb_run_drop(fb_run* run) {
  if (run->store) fb_store_free(run->store);
  fb_sim_free(run->sim);
  fb_run_free_channels(run);
  fb_scenario_free(run->copies);
  free(run->signals);
  free(run->values);
  free(run->snapshot);
  free(run->folder);
  free(run);
}

fb_status fb_run_check_process(const fb_run* run, fb_error* error) {
  if (run->process == getpid()) return FB_OK;
  return fb_fail(error, FB_ERR_STATE,
                 "the run belongs to process %ld, which made it; this one, %ld, is a copy of that and cannot "
                 "go on with it: make runs where they are computed",
                 (long)run->process, (long)getpid());
}

/* In a child made by fork nothing is done: files, locks and connections are the parent's. */
void fb_run_free(fb_run* run) {
  if (!run || run->process != getpid()) return;
  fb_store_close(run->store, NULL);
  run->store = NULL;
  fb_run_drop(run);
}

/* A link that leads nowhere is left for the store to refuse. */
int fb_run_has_file(const char* folder, const char* name) {
  struct stat info;
  char* path = fb_store_path(folder, name);
  int found = path && (stat(path, &info) == 0 || (errno != ENOENT && errno != ENOTDIR));
  free(path);
  return found;
}

int fb_run_exists(const char* folder) {
  fb_store* store;
  if (!fb_run_has_file(folder, "run.db")) return 0;
  if (fb_store_open(folder, &store, NULL) != FB_OK) return 1;
  int begun = fb_store_get_text(store, "file") != NULL;
  fb_store_close(store, NULL);
  return begun;
}

/* --- the end --- */

/* A store that cannot be written any more keeps its last word. */
static fb_status write_state(fb_run* run, fb_error* error) {
  char text[sizeof run->error.text + 16];
  int failed = run->state == FB_RUN_FAILED;
  snprintf(text, sizeof text, "%s%s%s", fb_run_state_name(run->state), failed ? ": " : "",
           failed ? run->error.text : "");
  fb_status status = fb_store_set_text(run->store, "status", text, error);
  return status == FB_OK ? fb_run_commit(run, error) : status;
}

fb_status fb_run_finish(fb_run* run, fb_error* error) {
  fb_error unwritten;
  if (run->process != getpid()) return fb_run_check_process(run, error);
  if (run->state == FB_RUN_RUNNING) run->state = FB_RUN_INTERRUPTED;
  if (!run->store) return FB_OK;
  fb_status status = write_state(run, error);
  /* Not into the folder of another run. */
  fb_status written = fb_store_check_place(run->store, &unwritten);
  if (written == FB_OK) written = fb_run_write_summary(run, &unwritten);
  if (status != FB_OK || written == FB_OK) return status;
  if (error) *error = unwritten;
  return written;
}

/* --- looking --- */

fb_status fb_run_set_wall(fb_run* run, const fb_run_wall* wall, fb_error* error) {
  if (fb_cookie_check(wall->cookie_, "run_wall", error)) return FB_ERR_ARG;
  run->wall = *wall;
  return FB_OK;
}

fb_run_state fb_run_state_of(const fb_run* run) {
  return run->state;
}

double fb_run_time(const fb_run* run) {
  return fb_sim_time(run->sim);
}

const fb_scenario* fb_run_scenario(const fb_run* run) {
  return run->scenario;
}

const fb_store* fb_run_store(const fb_run* run) {
  return run->store;
}

const double* fb_run_sample(const fb_run* run, double* t) {
  if (run->t_sampled < 0) return NULL;
  if (t) *t = run->t_sampled;
  return run->values;
}

int fb_run_in_place(const fb_run* run) {
  return run->store && fb_store_check_place(run->store, NULL) == FB_OK;
}
