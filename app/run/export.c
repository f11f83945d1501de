/* export.c -- `freebody export`: signals of a run to HDF5 or CSV, or the list of them. */
#include "run/export.h"

#include <stdlib.h>
#include <string.h>

enum { OPT_OUTPUT, OPT_SIGNALS, OPT_FROM, OPT_TO, OPT_LIST };

static const cmd_option OPTIONS[] = {
    {"output", "F.h5|F.csv", "the file to write (also -o); '-' is CSV on standard output"},
    {"signals", "A,B,C", "only these, may be repeated; p.hand selects p.hand.x, .y, .z, and q all of q"},
    {"from", "TIME", "from this time on: 2, 2s, 5min"},
    {"to", "TIME", "up to this time"},
    {"list", NULL, "list the signals with their units, axes and meanings"},
    {NULL, NULL, NULL},
};

typedef struct export_args {
  const cmd_app* app;
  const char *run, *out;
  const char** signals; /* NULL-ended, as given */
  int nsignal;
  cmd_span span;
  int list;
} export_args;

static int read_args(cmd_app* app, int argc, char** argv, export_args* args) {
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    int good = 1;
    if (o == OPT_OUTPUT)
      args->out = walk.value;
    else if (o == OPT_SIGNALS)
      args->signals[args->nsignal++] = walk.value;
    else if (o == OPT_FROM)
      good = cmd_option_time(app, "from", walk.value, &args->span.from);
    else if (o == OPT_TO)
      good = cmd_option_time(app, "to", walk.value, &args->span.to);
    else if (o == OPT_LIST)
      args->list = 1;
    else if (o == FB_OPTION_OPERAND && !args->run)
      args->run = walk.value;
    else
      return o == FB_OPTION_BAD
                 ? FB_EXIT_USAGE
                 : cmd_usage_error(app,
                                   "unexpected argument '%s'; one RUN at a time (--signals selects signals)",
                                   walk.value);
    if (!good) return FB_EXIT_USAGE;
  }
  if (!args->run) return cmd_usage_error(app, "which RUN? Name the folder that 'freebody run' made");
  if (!args->out && !args->list)
    return cmd_usage_error(app, "give -o F.h5 or -o F.csv ('-' is CSV on standard output), or --list");
  return cmd_span_check(app, &args->span) ? FB_EXIT_OK : FB_EXIT_USAGE;
}

static fb_status print_list(const cmd_app* app, fb_store* run, const fb_store_part* part, fb_error* error) {
  static const char* const headers[] = {"signal", "unit", "axes", "meaning"};
  cmd_table* table = cmd_table_new(4, headers);
  for (int i = 0; i < part->nsignal; i++) {
    fb_store_signal s = fb_store_signal_at(run, part->signals[i]);
    cmd_table_cell(table, "%s", s.name);
    cmd_table_cell(table, "%s", s.unit);
    cmd_table_cell(table, "%s", s.axes);
    cmd_table_cell(table, "%s", s.meaning);
  }
  cmd_table_print(table, stdout, app->color_out);
  cmd_table_free(table);
  char words[96];
  fb_status status = cmd_part_words(run, part, words, sizeof words, error);
  int nevent = fb_store_nevent(run);
  if (status == FB_OK) printf("\n  %s, %d event%s\n", words, nevent, nevent == 1 ? "" : "s");
  return status;
}

static void say_written(const export_args* args, const fb_store_part* part, const char* words) {
  char more[160];
  snprintf(more, sizeof more, ", %d signal%s, %s", part->nsignal, part->nsignal == 1 ? "" : "s", words);
  cmd_tell_written(args->run, args->out, more);
}

static fb_status export_run(const cmd_app* app, const export_args* args, fb_store* run, int* signals,
                            fb_error* error) {
  fb_store_part part;
  memset(&part, 0, sizeof part);
  fb_status status = args->list ? FB_OK : fb_store_export_check(args->out, error);
  if (status == FB_OK && !args->nsignal) status = cmd_part_add(run, "*", signals, &part.nsignal, error);
  for (int i = 0; i < args->nsignal && status == FB_OK; i++)
    status = cmd_part_add(run, args->signals[i], signals, &part.nsignal, error);
  part.signals = signals;
  if (args->list && status == FB_OK) {
    part.count = fb_store_nsample(run);
    return print_list(app, run, &part, error);
  }
  if (status == FB_OK) status = cmd_span_find(run, args->run, &args->span, &part, error);
  char words[96];
  if (status == FB_OK) status = cmd_part_words(run, &part, words, sizeof words, error);
  if (status == FB_OK) status = fb_store_export_part(run, args->out, &part, error);
  if (status == FB_OK && strcmp(args->out, "-") != 0) say_written(args, &part, words);
  return status;
}

static int export_named(void* user) {
  const export_args* args = (const export_args*)user;
  const cmd_app* app = args->app;
  int code;
  fb_store* run = cmd_open_run(app, args->run, &code);
  if (!run) return code;
  int* signals = cmd_take((size_t)fb_store_nsignal(run), sizeof *signals);
  fb_error error;
  memset(&error, 0, sizeof error);
  code = cmd_exit_code(app, export_run(app, args, run, signals, &error), &error);
  free(signals);
  fb_store_close(run, NULL);
  return code;
}

static int run_export(cmd_app* app, int argc, char** argv) {
  export_args args;
  memset(&args, 0, sizeof args);
  args.span = cmd_span_all();
  args.signals = cmd_take((size_t)argc + 1, sizeof *args.signals);
  int code = read_args(app, argc, argv, &args);
  args.app = app;
  if (code == FB_EXIT_OK)
    code = args.list ? export_named(&args) : cmd_export_guard(app, args.out, export_named, &args);
  free((void*)args.signals);
  return code;
}

const cmd_command cmd_command_export = {
    "export",
    "write signals of a run to HDF5 or CSV, or list them",
    "RUN -o F.h5|F.csv|- [--signals A,B,C]... [--from TIME] [--to TIME]\n"
    "       freebody export RUN --list",
    "Reads the run in the folder RUN, also while it is being written, and writes all or the named\n"
    "signals to a file. Its name determines the format: .h5 (HDF5: /t, /signals/NAME with units and\n"
    "axes as attributes, /events) or .csv (one line per sample; the first line has names and units).\n"
    "The same run gives the same bytes. An existing file is replaced when the new one is complete.",
    OPTIONS,
    "  freebody export satellite-run --list\n"
    "  freebody export satellite-run -o log.csv --signals q,p.hand --from 2 --to 5",
    run_export,
};
