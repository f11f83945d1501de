/* export.c -- `freebody export`: signals of a run to HDF5 or CSV, or the list of them. */
#include "run/export.h"

#include <stdlib.h>
#include <string.h>

typedef struct export_args {
  const cmd_app* app;
  const char *run, *out;
  const char** signals; /* NULL-ended, as given */
  cmd_span span;
  int list;
} export_args;

#define AT(member) offsetof(export_args, member)
static const cmd_option OPTIONS[] = {
    {"output", "F.h5|F.csv", "the file to write (also -o); '-' is CSV on standard output", NULL, AT(out)},
    {"signals", "A,B,C", "only these, may be repeated; p.hand selects p.hand.x, .y, .z, and q all of q",
     cmd_read_text, AT(signals)},
    {"from", "TIME", "from this time on: 2, 2s, 5min", cmd_read_time, AT(span.from)},
    {"to", "TIME", "up to this time", cmd_read_time, AT(span.to)},
    {"list", NULL, "list the signals with their units, axes and meanings", NULL, AT(list)},
    {NULL, NULL, NULL, NULL, 0},
};

static int read_args(cmd_app* app, int argc, char** argv, export_args* args) {
  static const cmd_operands OPERANDS = {AT(run), 1, "one RUN at a time (--signals selects signals)",
                                        "which RUN? Name the folder that 'freebody run' made"};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, args);
  if (code != FB_EXIT_OK) return code;
  if (!args->out && !args->list)
    return cmd_usage_error(app, "give -o F.h5 or -o F.csv ('-' is CSV on standard output), or --list");
  return cmd_span_check(app, &args->span) ? FB_EXIT_OK : FB_EXIT_USAGE;
}

static fb_status print_list(const cmd_app* app, fb_store* run, const fb_store_part* part, fb_error* error) {
  static const char* const headers[] = {"signal", "unit", "axes", "meaning"};
  cmd_table* table = cmd_table_new(4, headers);
  for (int i = 0; i < part->nsignal; i++) {
    fb_store_signal s = fb_store_get_signal(run, part->signals[i]);
    cmd_table_cells(table, "%s\t%s\t%s\t%s", s.name, s.unit, s.axes, s.meaning);
  }
  cmd_table_end(table, stdout, app->color_out);
  char words[96];
  fb_status status = cmd_part_words(run, part, words, sizeof words, error);
  int nevent = fb_store_nevent(run);
  if (status == FB_OK) printf("\n  %s, %d event%s\n", words, nevent, nevent == 1 ? "" : "s");
  return status;
}

static fb_status export_run(const cmd_app* app, const export_args* args, fb_store* run, int* signals,
                            fb_error* error) {
  fb_store_part part = {0};
  fb_status status = args->list ? FB_OK : fb_store_export_check(args->out, error);
  if (status == FB_OK && !args->signals[0]) status = cmd_part_add(run, "*", signals, &part.nsignal, error);
  for (int i = 0; args->signals[i] && status == FB_OK; i++)
    status = cmd_part_add(run, args->signals[i], signals, &part.nsignal, error);
  part.signals = signals;
  if (args->list && status == FB_OK) {
    part.count = fb_store_nsample(run);
    return print_list(app, run, &part, error);
  }
  if (status == FB_OK) status = cmd_span_find(run, args->run, &args->span, &part, error);
  char words[96], more[160];
  if (status == FB_OK) status = cmd_part_words(run, &part, words, sizeof words, error);
  if (status == FB_OK) status = fb_store_export_part(run, args->out, &part, error);
  if (status != FB_OK || strcmp(args->out, "-") == 0) return status;
  snprintf(more, sizeof more, ", %d signal%s, %s", part.nsignal, part.nsignal == 1 ? "" : "s", words);
  cmd_message_written(args->run, args->out, more);
  return status;
}

static int export_named(void* user) {
  const export_args* args = (const export_args*)user;
  const cmd_app* app = args->app;
  int code;
  fb_store* run = cmd_open_run(app, args->run, &code);
  if (!run) return code;
  int* signals = cmd_take((size_t)fb_store_nsignal(run), sizeof *signals);
  fb_error error = {0};
  code = cmd_exit_code(app, export_run(app, args, run, signals, &error), &error);
  free(signals);
  fb_store_close(run, NULL);
  return code;
}

static int run_export(cmd_app* app, int argc, char** argv) {
  export_args args = {0};
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
    "Reads the run in the folder RUN, also while it is being written, and writes all or the named signals to "
    "a file. Its name determines the format: .h5 (HDF5: /t, /signals/NAME with units and axes as attributes, "
    "/events) or .csv (one line per sample; the first line has names and units). The same run gives the same "
    "bytes. An existing file is replaced when the new one is complete.",
    OPTIONS,
    "  freebody export satellite-run --list\n"
    "  freebody export satellite-run -o log.csv --signals q,p.hand --from 2 --to 5",
    run_export,
};
