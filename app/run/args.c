/* args.c -- the options of `freebody run`. */
#include <string.h>

#include <freebody/support/text.h>

#include "run/run.h"

static int refuse_factor(const cmd_app* app, const char* text) {
  return cmd_usage_error(
      app, "--realtime takes a factor, a plain number from 1e-6 to 1e6 as 2 or 0.5, or nothing; not '%s'",
      text);
}

/* 0, as fast as it goes, says something beside --live only. */
static int read_factor(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  double* out = (double*)member;
  (void)option;
  *out = 1;
  const char* rest = text ? fb_number_parse(text, out) : "";
  int sound = rest && !*rest && (*out == 0 || (*out >= 1e-6 && *out <= 1e6));
  if (!sound) refuse_factor(app, text);
  return sound;
}

static int read_priority(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  int* out = (int*)member;
  *out = 50;
  return !text || cmd_option_int(app, option->name, text, 1, 99, out);
}

static int read_live(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  cmd_run_args* args = (cmd_run_args*)member;
  (void)option;
  args->live = 1;
  return cmd_live_read_place(app, text, &args->place);
}

static int read_export(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  cmd_run_args* args = (cmd_run_args*)member;
  fb_error error;
  (void)option;
  for (const char* word = text; *word;) {
    size_t length = strcspn(word, ",");
    int csv = length == 3 && strncmp(word, "csv", 3) == 0, h5 = length == 2 && strncmp(word, "h5", 2) == 0;
    if (!csv && !h5) cmd_usage_error(app, "--export takes csv, h5 or csv,h5, not '%s'", text);
    if (!csv && !h5) return 0;
    args->csv |= csv;
    args->h5 |= h5;
    word += length + (word[length] == ',');
  }
  if (!args->h5 || fb_store_export_check("log.h5", &error) == FB_OK) return 1;
  return cmd_refuse(app, "%s", error.text);
}

#define AT(member) offsetof(cmd_run_args, member)
const cmd_option cmd_run_options[] = {
    {"output", "DIR", "folder of the run, also -o DIR; default: NAME.run", NULL, AT(output)},
    {"set", "KEY=VALUE", "override a value of the scenario, as integrator.step=1ms; may be repeated",
     cmd_read_set, AT(set)},
    {"duration", "TIME", "override the simulated time: 20, 20s, 5min; with --resume extend the run to it",
     cmd_read_duration, AT(duration)},
    {"realtime", "[FACTOR]", "run in real time; 2: twice as fast", read_factor, AT(realtime)},
    {"live", "[PORT]", "serve the run to a browser while it is computed, in real time; see above", read_live,
     0},
    {"resume", NULL,
     "continue an interrupted run, or extend one; its folder may be given instead of the scenario", NULL,
     AT(resume)},
    {"force", NULL, "replace an existing run in the folder", NULL, AT(force)},
    {"quiet", NULL, "print no progress and no summary, only errors, warnings and notes", NULL, AT(quiet)},
    {"export", "csv,h5", "write log.csv, log.h5 or both into the folder at the end", read_export, 0},
    {"no-plugins", NULL, FB_NO_PLUGINS_HELP, NULL, AT(no_plugins)},
    {"from", "RUN[@TIME]", "begin with the state of another run at this time; default: its end", NULL,
     AT(from)},
    {"replay", "RUN",
     "take what remote controllers sent from the record of RUN, and ask none; without SCENARIO that of RUN",
     NULL, AT(replay)},
    {"priority", "[LEVEL]",
     "with --realtime: real-time priority 1 to 99, default 50, and memory that stays in place", read_priority,
     AT(priority)},
    CMD_READING_OPTIONS(AT(reading)),
    {NULL, NULL, NULL, NULL, 0},
};

int cmd_run_read_args(cmd_app* app, int argc, char** argv, cmd_run_args* args) {
  static const cmd_operands OPERANDS = {.at = AT(operand), .most = 1, .too_many = "one SCENARIO at a time"};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, args);
  if (code != FB_EXIT_OK) return code;
  if (!args->operand && args->resume && args->output) args->operand = args->output;
  if (!args->operand && !args->replay)
    return cmd_usage_error(app, "which SCENARIO or MODEL? ('-' is standard input)");
  if (args->resume && args->replay)
    return cmd_usage_error(
        app, "--resume continues a run with its own record, --replay makes a new one: choose one");
  if (args->resume && args->force)
    return cmd_usage_error(app, "--resume continues a run, --force replaces it: choose one of them");
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
