/* plot.c -- `freebody plot`: signals of a run over time, drawn by gnuplot. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <freebody/files.h>
#include <freebody/text.h>

enum { OPT_OUTPUT, OPT_SIZE, OPT_FROM, OPT_TO, OPT_TITLE, OPT_WITH, DEFAULT_WIDTH = 900, MAX_SERIES = 400 };

static const cmd_option OPTIONS[] = {
    {"output", "F.svg|F.png|F.pdf", "the picture (also -o); '-' is SVG on standard output"},
    {"size", "WxH", "size in pixels (900 wide, and as high as the panels need)"},
    {"from", "TIME", "from this time on: 2, 2s, 5min"},
    {"to", "TIME", "up to this time"},
    {"title", "TEXT", "title of the plot (the run's name)"},
    {"with", "RUN2", "draw the same signals of another run too; may be repeated"},
    {NULL, NULL, NULL},
};

typedef struct plot_args {
  const char *out, *title;
  const char** runs; /* the one that was named first, then those of --with */
  int nrun;
  char** names; /* signals, as given */
  int nname;
  int width, height;
  cmd_span span;
  cmd_plot_kind kind;
} plot_args;

/* One run and what is drawn of it. */
typedef struct source {
  const char* folder;
  fb_store* run;
  fb_store_part part;
  int* signals;
} source;

/* --- the command line --- */

static int read_size(const cmd_app* app, const char* text, plot_args* args) {
  char end;
  int w, h;
  if (sscanf(text, "%dx%d%c", &w, &h, &end) != 2 || w < 200 || h < 120 || w > 10000 || h > 10000) {
    cmd_usage_error(app, "--size takes WIDTHxHEIGHT in pixels, from 200x120 to 10000x10000, not '%s'", text);
    return 0;
  }
  args->width = w;
  args->height = h;
  return 1;
}

static int read_kind(const cmd_app* app, plot_args* args) {
  static const char* const endings[] = {".svg", ".png", ".pdf"};
  if (strcmp(args->out, "-") == 0) return 1;
  size_t n = strlen(args->out);
  for (int i = 0; i < 3; i++)
    if (n > 4 && strcasecmp(args->out + n - 4, endings[i]) == 0) {
      args->kind = (cmd_plot_kind)i;
      return 1;
    }
  cmd_usage_error(app, "'%s' has no known extension; there are .svg, .png and .pdf", args->out);
  return 0;
}

static int read_option(const cmd_app* app, int option, const char* value, plot_args* args) {
  switch (option) {
    case OPT_OUTPUT:
      args->out = value;
      return 1;
    case OPT_SIZE:
      return read_size(app, value, args);
    case OPT_FROM:
      return cmd_option_time(app, "from", value, &args->span.from);
    case OPT_TO:
      return cmd_option_time(app, "to", value, &args->span.to);
    case OPT_TITLE:
      args->title = value;
      return 1;
    case OPT_WITH:
      args->runs[args->nrun++] = value;
      return 1;
    default:
      return 0;
  }
}

static int read_args(cmd_app* app, int argc, char** argv, plot_args* args) {
  cmd_option_walk walk = cmd_option_start(app, argc, argv);
  for (int o; (o = cmd_option_next(&walk)) != FB_OPTION_END;) {
    if (o == FB_OPTION_OPERAND && !args->runs[0])
      args->runs[0] = walk.value;
    else if (o == FB_OPTION_OPERAND)
      args->names[args->nname++] = (char*)walk.value;
    else if (!read_option(app, o, walk.value, args))
      return FB_EXIT_USAGE;
  }
  if (!args->runs[0]) return cmd_usage_error(app, "which RUN? Name the folder that 'freebody run' made");
  if (!args->nname)
    return cmd_usage_error(app, "which SIGNALs? 'freebody export %s --list' shows those there are",
                           args->runs[0]);
  if (!args->out)
    return cmd_usage_error(app, "give -o F.svg, F.png or F.pdf ('-' is SVG on standard output)");
  return cmd_span_check(app, &args->span) && read_kind(app, args) ? FB_EXIT_OK : FB_EXIT_USAGE;
}

/* --- reading --- */

static const char* last_of_path(const char* path) {
  const char* slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}

static fb_status choose(source* s, const plot_args* args, fb_error* error) {
  s->signals = cmd_take((size_t)fb_store_nsignal(s->run), sizeof *s->signals);
  s->part.signals = s->signals;
  fb_status status = FB_OK;
  for (int i = 0; i < args->nname && status == FB_OK; i++)
    status = cmd_part_add(s->run, args->names[i], s->signals, &s->part.nsignal, error);
  if (status == FB_OK && (long long)s->part.nsignal * args->nrun > MAX_SERIES)
    status = fb_fail(error, FB_ERR_ARG, "%d signals of %d run%s in one picture; choose at most %d curves",
                     s->part.nsignal, args->nrun, args->nrun == 1 ? "" : "s", (int)MAX_SERIES);
  return status == FB_OK ? cmd_span_find(s->run, s->folder, &args->span, &s->part, error) : status;
}

/* Further runs draw the signals of the first. */
static fb_status choose_same(source* s, const source* first, const plot_args* args, fb_error* error) {
  s->signals = cmd_take((size_t)fb_store_nsignal(s->run) + 1, sizeof *s->signals);
  s->part.signals = s->signals;
  for (int i = 0; i < first->part.nsignal; i++) {
    const char* name = fb_store_signal_at(first->run, first->part.signals[i]).name;
    if (fb_store_find(s->run, name) < 0)
      return fb_store_select(s->run, name, s->signals, &s->part.nsignal, error);
    s->signals[s->part.nsignal++] = fb_store_find(s->run, name);
  }
  return cmd_span_find(s->run, s->folder, &args->span, &s->part, error);
}

/* Widens the time axis by the run's own. */
static fb_status widen(const source* s, cmd_plot* plot, fb_error* error) {
  double t[2];
  fb_status status = fb_store_read(s->run, -1, s->part.first, 1, &t[0], error);
  if (status == FB_OK) status = fb_store_read(s->run, -1, s->part.first + s->part.count - 1, 1, &t[1], error);
  if (status != FB_OK) return status;
  plot->from = fmin(plot->from, t[0]);
  plot->to = fmax(plot->to, t[1]);
  return FB_OK;
}

static void name_series(const source* s, int run, cmd_plot_series* series) {
  for (int i = 0; i < s->part.nsignal; i++) {
    fb_store_signal signal = fb_store_signal_at(s->run, s->part.signals[i]);
    series[i].name = signal.name;
    series[i].unit = signal.unit;
    series[i].meaning = signal.meaning;
    series[i].run = run;
  }
}

static void collect_events(const cmd_app* app, const source* s, cmd_plot* plot) {
  int n = fb_store_nevent(s->run);
  plot->events = cmd_take((size_t)n, sizeof *plot->events);
  for (int i = 0; i < n; i++) {
    fb_store_event event = fb_store_event_at(s->run, i);
    if (event.t >= plot->from && event.t <= plot->to) plot->events[plot->nevent++] = event;
  }
  if (plot->nevent > 200)
    fprintf(stderr, "freebody %s: %d events are too many to draw; --from and --to choose a part\n",
            app->command->name, plot->nevent);
}

static fb_status read_series(const source* sources, cmd_plot* plot, fb_error* error) {
  int n = sources[0].part.nsignal, columns = 2 * plot->width;
  plot->nseries = n * plot->nrun;
  plot->series = cmd_take((size_t)plot->nseries, sizeof *plot->series);
  fb_status status = FB_OK;
  for (int k = 0; k < plot->nrun && status == FB_OK; k++) {
    cmd_plot_series* series = plot->series + n * k;
    name_series(&sources[k], k, series);
    status = cmd_plot_read(sources[k].run, &sources[k].part, plot, columns, series, error);
  }
  return status;
}

/* The folders' own names; with their paths where two of them are the same. */
static void name_runs(const source* sources, cmd_plot* plot) {
  int same = 0;
  for (int i = 0; i < plot->nrun; i++)
    for (int k = 0; k < i; k++)
      same |= strcmp(last_of_path(sources[i].folder), last_of_path(sources[k].folder)) == 0;
  plot->run_names = cmd_take((size_t)plot->nrun, sizeof *plot->run_names);
  for (int i = 0; i < plot->nrun; i++)
    plot->run_names[i] = same ? sources[i].folder : last_of_path(sources[i].folder);
}

/* --- drawing --- */

static fb_status draw(const cmd_plot* plot, const char* out, fb_error* error) {
  fb_text script = {NULL, 0, 0, 0};
  cmd_plot_script(plot, &script);
  if (script.failed) cmd_out_of_memory();
  fb_status status;
  if (strcmp(out, "-") == 0) {
    fflush(stdout);
    status = cmd_plot_draw(&script, 1, "standard output", plot->kind, error);
  } else {
    fb_output output;
    status = fb_output_open(out, &output, error);
    if (status == FB_OK) {
      status = cmd_plot_draw(&script, output.descriptor, out, plot->kind, error);
      status = fb_output_close(&output, status, error);
    }
  }
  free(script.data);
  return status;
}

/* "RUN -> FILE: 12 kB, 3 curves, 1001 samples from 0 to 10 s". */
static fb_status say_written(const plot_args* args, const source* first, const cmd_plot* plot,
                             fb_error* error) {
  char words[96], more[160];
  if (strcmp(args->out, "-") == 0) return FB_OK;
  fb_status status = cmd_part_words(first->run, &first->part, words, sizeof words, error);
  if (status != FB_OK) return status;
  snprintf(more, sizeof more, ", %d curve%s%s%s", plot->nseries, plot->nseries == 1 ? "" : "s",
           plot->nrun == 1 ? ", " : "", plot->nrun == 1 ? words : "");
  if (plot->nrun > 1) snprintf(more + strlen(more), sizeof more - strlen(more), " of %d runs", plot->nrun);
  cmd_tell_written(args->runs[0], args->out, more);
  return FB_OK;
}

static fb_status fill_plot(const cmd_app* app, const plot_args* args, source* sources, cmd_plot* plot,
                           fb_error* error) {
  fb_status status = choose(&sources[0], args, error);
  for (int k = 1; k < args->nrun && status == FB_OK; k++)
    status = choose_same(&sources[k], &sources[0], args, error);
  for (int k = 0; k < args->nrun && status == FB_OK; k++) status = widen(&sources[k], plot, error);
  if (status != FB_OK) return status;
  if (plot->from == plot->to) { /* a single sample stands in the middle */
    plot->from -= 0.5;
    plot->to += 0.5;
  }
  collect_events(app, &sources[0], plot);
  return read_series(sources, plot, error);
}

static fb_status plot_sources(const cmd_app* app, const plot_args* args, source* sources, fb_error* error) {
  const char* name = fb_store_text(sources[0].run, "name");
  cmd_plot plot = {.kind = args->kind,
                   .width = args->width,
                   .height = args->height,
                   .title = args->title ? args->title
                            : name      ? name
                                        : last_of_path(args->runs[0]),
                   .nrun = args->nrun,
                   .from = INFINITY,
                   .to = -INFINITY};
  name_runs(sources, &plot);
  fb_status status = fill_plot(app, args, sources, &plot, error);
  if (status == FB_OK) status = draw(&plot, args->out, error);
  if (status == FB_OK) status = say_written(args, &sources[0], &plot, error);
  for (int i = 0; i < plot.nseries; i++) {
    free(plot.series[i].t);
    free(plot.series[i].x);
  }
  free(plot.series);
  free(plot.events);
  free((void*)plot.run_names);
  return status;
}

static int plot_runs(const cmd_app* app, const plot_args* args) {
  source* sources = cmd_take((size_t)args->nrun, sizeof *sources);
  int code = FB_EXIT_OK;
  for (int k = 0; k < args->nrun && code == FB_EXIT_OK; k++) {
    sources[k].folder = args->runs[k];
    sources[k].run = cmd_open_run(app, args->runs[k], &code);
  }
  if (code == FB_EXIT_OK) {
    fb_error error;
    memset(&error, 0, sizeof error);
    code = cmd_exit_code(app, plot_sources(app, args, sources, &error), &error);
  }
  for (int k = 0; k < args->nrun; k++) {
    free(sources[k].signals);
    fb_store_close(sources[k].run, NULL);
  }
  free(sources);
  return code;
}

static int run_plot(cmd_app* app, int argc, char** argv) {
  plot_args args;
  memset(&args, 0, sizeof args);
  args.span = cmd_span_all();
  args.width = DEFAULT_WIDTH;
  args.names = cmd_take((size_t)argc, sizeof *args.names);
  args.runs = cmd_take((size_t)argc + 1, sizeof *args.runs);
  args.nrun = 1;
  int code = read_args(app, argc, argv, &args);
  if (code == FB_EXIT_OK) code = plot_runs(app, &args);
  free(args.names);
  free((void*)args.runs);
  return code;
}

const cmd_command cmd_command_plot = {
    "plot",
    "plot signals of a run over time, to SVG, PNG or PDF",
    "RUN SIGNAL... -o F.svg|F.png|F.pdf [--size WxH] [--from TIME] [--to TIME]\n"
    "                     [--title TEXT] [--with RUN2]...",
    "Plots signals of the run in the folder RUN over time: stacked panels, one for each unit; events\n"
    "are dashed lines, with their names if they are few. p.hand selects p.hand.x, .y and .z, and q\n"
    "all signals that begin with q; 'freebody export RUN --list' lists them. For a long run the\n"
    "smallest and the largest value of each column of pixels are drawn, so that no spike is lost.\n"
    "--with, which may be repeated, adds the same signals of other runs. Needs gnuplot.",
    OPTIONS,
    "  freebody plot satellite-run q p.hand -o arm.svg\n"
    "  freebody plot satellite-run energy.total -o energy.png --size 1200x500 --from 10",
    run_plot,
};
