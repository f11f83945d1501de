/* plot.c -- `freebody plot`: signals of a run over time, drawn by gnuplot. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>

enum { DEFAULT_WIDTH = 900, MAX_SERIES = 400 };

typedef struct plot_args {
  const char *out, *title;
  const char **runs, **with; /* runs: the one that was named first, then those of --with */
  int nrun;
  const char** words; /* that run, then signals, as given */
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

static int read_size(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  plot_args* args = (plot_args*)member;
  (void)option;
  char end;
  int w, h;
  if (sscanf(text, "%dx%d%c", &w, &h, &end) != 2 || w < 200 || h < 120 || w > 10000 || h > 10000)
    return cmd_refuse(app, "--size takes WIDTHxHEIGHT in pixels, from 200x120 to 10000x10000, not '%s'",
                      text);
  args->width = w;
  args->height = h;
  return 1;
}

static int read_kind(const cmd_app* app, plot_args* args) {
  static const char* const endings[] = {".svg", ".png", ".pdf"};
  if (strcmp(args->out, "-") == 0) return 1;
  for (int i = 0; i < 3; i++)
    if (cmd_ends_in(args->out, endings[i])) {
      args->kind = (cmd_plot_kind)i;
      return 1;
    }
  return cmd_refuse(app, "'%s' has no known extension; there are .svg, .png and .pdf", args->out);
}

#define AT(member) offsetof(plot_args, member)
static const cmd_option OPTIONS[] = {
    {"output", "F.svg|F.png|F.pdf", "the picture (also -o); '-' is SVG on standard output", NULL, AT(out)},
    {"size", "WxH", "size in pixels (900 wide, and as high as the panels need)", read_size, 0},
    {"from", "TIME", "from this time on: 2, 2s, 5min", cmd_read_time, AT(span.from)},
    {"to", "TIME", "up to this time", cmd_read_time, AT(span.to)},
    {"title", "TEXT", "title of the plot (the run's name)", NULL, AT(title)},
    {"with", "RUN2", "draw the same signals of another run too; may be repeated", cmd_read_text, AT(with)},
    {NULL, NULL, NULL, NULL, 0},
};

static int read_args(cmd_app* app, int argc, char** argv, plot_args* args) {
  static const cmd_operands OPERANDS = {.at = AT(words)};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, args);
  if (code != FB_EXIT_OK) return code;
  args->runs[0] = args->words[0];
  while (args->runs[args->nrun]) args->nrun++;
  if (!args->runs[0]) return cmd_usage_error(app, "which RUN? Name the folder that 'freebody run' made");
  if (!args->words[1])
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
  for (int i = 1; args->words[i] && status == FB_OK; i++)
    status = cmd_part_add(s->run, args->words[i], s->signals, &s->part.nsignal, error);
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
    const char* name = fb_store_get_signal(first->run, first->part.signals[i]).name;
    if (fb_store_find(s->run, name) < 0)
      return fb_store_select(s->run, name, s->signals, &s->part.nsignal, error);
    s->signals[s->part.nsignal++] = fb_store_find(s->run, name);
  }
  return cmd_span_find(s->run, s->folder, &args->span, &s->part, error);
}

/* Widens the time axis by the run's own. */
static fb_status widen(const source* s, cmd_plot* plot, fb_error* error) {
  double t[2];
  fb_status status = cmd_part_ends(s->run, s->part.first, s->part.count, t, error);
  if (status != FB_OK) return status;
  plot->from = fmin(plot->from, t[0]);
  plot->to = fmax(plot->to, t[1]);
  return FB_OK;
}

static void name_series(const source* s, int run, cmd_plot_series* series) {
  for (int i = 0; i < s->part.nsignal; i++) {
    fb_store_signal signal = fb_store_get_signal(s->run, s->part.signals[i]);
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
    fb_store_event event = fb_store_get_event(s->run, i);
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
  cmd_message_written(args->runs[0], args->out, more);
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
  const char* name = fb_store_get_text(sources[0].run, "name");
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
    fb_error error = {0};
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
  plot_args args = {0};
  args.span = cmd_span_all();
  args.width = DEFAULT_WIDTH;
  args.words = cmd_take((size_t)argc + 1, sizeof *args.words);
  args.runs = cmd_take((size_t)argc + 2, sizeof *args.runs);
  args.with = args.runs + 1;
  int code = read_args(app, argc, argv, &args);
  if (code == FB_EXIT_OK) code = plot_runs(app, &args);
  free((void*)args.words);
  free((void*)args.runs);
  return code;
}

const cmd_command cmd_command_plot = {
    "plot",
    "plot signals of a run over time, to SVG, PNG or PDF",
    "RUN SIGNAL... -o F.svg|F.png|F.pdf [--size WxH] [--from TIME] [--to TIME]\n"
    "                     [--title TEXT] [--with RUN2]...",
    "Plots signals of the run in the folder RUN over time: stacked panels, one for each unit; events are "
    "dashed lines, with their names if they are few. p.hand selects p.hand.x, .y and .z, and q all signals "
    "that begin with q; 'freebody export RUN --list' lists them. For a long run the smallest and the largest "
    "value of each column of pixels are drawn, so that no spike is lost. --with, which may be repeated, adds "
    "the same signals of other runs. Needs gnuplot.",
    OPTIONS,
    "  freebody plot satellite-run q p.hand -o arm.svg\n"
    "  freebody plot satellite-run energy.total -o energy.png --size 1200x500 --from 10",
    run_plot,
};
