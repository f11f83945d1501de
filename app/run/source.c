/* source.c -- which scenario `freebody run` runs, into which folder, and from which state. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "run/run.h"

int cmd_is_there(const char* name) {
  struct stat info;
  return stat(name, &info) == 0;
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

/* That plugins are not loaded in this process is for app/run/guard.c to know, and no failure. */
int cmd_job_fail(const cmd_job* job, const fb_error* error, int code) {
  if (!job->watch->plugin.refused) cmd_print_error(job->app, error);
  return error->status == FB_ERR_MEMORY ? FB_EXIT_FAILED : code;
}

/* The first note says what was taken, which is no warning. */
static void print_state(void* user, const char* text) {
  cmd_job* job = (cmd_job*)user;
  if (job->notes++ > 0 || !job->args->quiet) cmd_message("freebody run: %s", text);
}

/* "RUN@TIME", unless the whole is a name: a folder may have an @ in its own. */
static int split_from(const cmd_job* job, char* folder, double* t) {
  char* at = strrchr(folder, '@');
  *t = INFINITY;
  if (!at || cmd_is_there(folder)) return 1;
  if (strcmp(at + 1, "end") != 0 && !cmd_option_time(job->app, "from RUN@TIME", at + 1, t)) return 0;
  *at = '\0';
  return 1;
}

/* Lets the scenario begin with the state of the run that --from names, if there is one. */
static int take_state(cmd_job* job) {
  double t;
  fb_error error;
  if (!job->args->from) return FB_EXIT_OK;
  char* folder = cmd_copy(job->args->from);
  int code = split_from(job, folder, &t) ? FB_EXIT_OK : FB_EXIT_USAGE;
  job->notes = 0;
  if (code == FB_EXIT_OK &&
      fb_scenario_start_from(job->scenario, folder, t, print_state, job, &error) != FB_OK)
    code = cmd_job_fail(job, &error, FB_EXIT_USAGE);
  free(folder);
  return code;
}

/* That xacro was not run is for this run to tell; `check` would run it. */
static void count_note(void* user, const char* text) {
  if (strstr(text, "as xacro made it"))
    cmd_message("freebody run: %s", text);
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
    return cmd_usage_error(job->app,
                           "without a SCENARIO a run is replayed with its own values: leave out --set, "
                           "--duration, --base, --inertia, --mimic and --package, or name the SCENARIO");
  if (fb_run_read_scenario(args->replay, &job->scenario, &error) != FB_OK)
    return cmd_job_fail(job, &error, FB_EXIT_USAGE);
  return FB_EXIT_OK;
}

/* A record is not replaced by its own replay. */
static int settle_folder(cmd_job* job) {
  const cmd_run_args* args = job->args;
  job->folder = args->output ? cmd_copy(args->output) : default_folder(fb_scenario_name(job->scenario));
  if (!args->replay || !is_same_folder(args->replay, job->folder)) return FB_EXIT_OK;
  return cmd_usage_error(job->app, "the replay of '%s' needs a folder of its own: name it with --output",
                         args->replay);
}

/* The run that this one continues from: what xacro made of its models is in its folder. NULL: none. */
static char* earlier_run(const cmd_job* job) {
  const cmd_run_args* args = job->args;
  if (args->replay) return cmd_copy(args->replay);
  if (args->from) {
    char *folder = cmd_copy(args->from), *at = strrchr(folder, '@');
    if (at && !cmd_is_there(folder)) *at = '\0'; /* RUN@TIME */
    return folder;
  }
  if (!args->resume) return NULL;
  if (args->output) return cmd_copy(args->output);
  const char* slash = strrchr(args->operand, '/');
  char* name = cmd_copy(slash ? slash + 1 : args->operand);
  char* dot = strrchr(name, '.');
  if (dot) *dot = '\0';
  char* folder = default_folder(name);
  free(name);
  return folder;
}

/* No programs with --no-plugins, nor where a run continues from another. Returns what the options name, to be freed. */
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
int cmd_job_find_source(cmd_job* job) {
  const cmd_run_args* args = job->args;
  struct stat info;
  fb_error error;
  int notes = 0, code;
  if (!args->operand) {
    code = settle_replayed(job);
    if (code == FB_EXIT_OK) code = settle_folder(job);
    return code == FB_EXIT_OK ? take_state(job) : code;
  }
  if (args->resume && stat(args->operand, &info) == 0 && S_ISDIR(info.st_mode)) {
    if (args->output && args->output != args->operand)
      return cmd_usage_error(job->app, "'%s' and '%s' are two folders; --resume takes one", args->operand,
                             args->output);
    if (args->set[0] || args->from || cmd_reading_is_given(&args->reading))
      return cmd_usage_error(job->app,
                             "a run goes on with the values that it was begun with: leave out --set, --from, "
                             "--base, --inertia, --mimic and --package (--duration may extend it)");
    job->folder = cmd_copy(args->operand);
    return FB_EXIT_OK;
  }
  if (args->resume && !cmd_is_there(args->operand))
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
  /* Once: standard input cannot be read again when plugins have the run begun again. */
  fb_status status =
      job->text ? FB_OK : fb_model_file_read(args->operand, &options.io, &job->text, &job->size, &error);
  if (status == FB_OK)
    status = fb_scenario_parse(job->text, job->size, args->operand, &options, &job->scenario, &error);
  free(expanded);
  if (status != FB_OK) return cmd_job_fail(job, &error, FB_EXIT_USAGE);
  if (notes > 0) {
    char* name = strcmp(args->operand, "-") == 0 ? NULL : cmd_job_shell_name(args->operand);
    cmd_message("freebody run: %d note%s on the model; freebody check %s lists them", notes,
                notes == 1 ? "" : "s", name ? name : "-");
    free(name);
  }
  code = settle_folder(job);
  return code == FB_EXIT_OK ? take_state(job) : code;
}
