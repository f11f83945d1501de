/* compare.c -- `freebody compare`: how two runs differ, as tables or as JSON. */
#include <freebody/compare.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/text.h>

#include "run/export.h"

typedef struct compare_args {
  const char* runs[2];
  const char** signals;       /* NULL-ended, as given */
  double tolerance, absolute; /* tolerance < 0: none */
  cmd_span span;
  int json;
} compare_args;

/* --- the command line --- */

static int read_size(const cmd_app* app, const cmd_option* option, const char* text, void* member) {
  double* out = (double*)member;
  const char* rest = fb_number_parse(text, out);
  if (rest && !*rest && *out >= 0 && isfinite(*out)) return 1;
  return cmd_refuse(app, "--%s takes a number of 0 or more, as 1e-6, not '%s'", option->name, text);
}

#define AT(member) offsetof(compare_args, member)
static const cmd_option OPTIONS[] = {
    {"tolerance", "REL", "exit with 1 when a relative difference is more than REL, else with 0", read_size,
     AT(tolerance)},
    {"absolute", "ABS", "differences up to ABS, in the unit of the signal, are allowed as well", read_size,
     AT(absolute)},
    {"signals", "A,B,C", "only these, may be repeated; p.hand selects p.hand.x, .y, .z, and q all of q",
     cmd_read_text, AT(signals)},
    {"from", "TIME", "from this time on: 2, 2s, 5min", cmd_read_time, AT(span.from)},
    {"to", "TIME", "up to this time", cmd_read_time, AT(span.to)},
    {"json", NULL, "print one JSON object", NULL, AT(json)},
    {NULL, NULL, NULL, NULL, 0},
};

static int read_args(cmd_app* app, int argc, char** argv, compare_args* args) {
  static const cmd_operands OPERANDS = {.at = AT(runs), .most = 2, .too_many = "two RUNs at a time"};
  int code = cmd_options_read(app, argc, argv, &OPERANDS, args);
  if (code != FB_EXIT_OK) return code;
  if (!args->runs[1]) return cmd_usage_error(app, "which two RUNs? Name folders that 'freebody run' made");
  if (args->absolute > 0 && args->tolerance < 0) args->tolerance = 0;
  return cmd_span_check(app, &args->span) ? FB_EXIT_OK : FB_EXIT_USAGE;
}

/* --- tables --- */

static const char* value_text(double x, const char* format, char text[48]) {
  if (isnan(x))
    snprintf(text, 48, "nan");
  else
    snprintf(text, 48, format, x);
  return text;
}

/* "-" for what a run does not have. */
static const char* number_text(double x, char text[48]) {
  return isnan(x) ? "-" : value_text(x, "%.9g", text);
}

static const char* text_of(const fb_store* run, const char* key) {
  const char* text = fb_store_get_text(run, key);
  return text ? text : "-";
}

static void add_row(cmd_table* table, const char* what, const char* a, const char* b) {
  cmd_table_cells(table, "%s\t%s\t%s", what, a, b);
}

static void print_runs(const cmd_app* app, const compare_args* args, fb_store* const runs[2],
                       const fb_comparison* c) {
  static const char* const keys[] = {"name", "integrator", "status"};
  char a[48], b[48];
  cmd_table* table = cmd_table_new(3, NULL);
  add_row(table, "run", args->runs[0], args->runs[1]);
  for (int i = 0; i < 3; i++) add_row(table, keys[i], text_of(runs[0], keys[i]), text_of(runs[1], keys[i]));
  add_row(table, "ends at [s]", number_text(c->end[0], a), number_text(c->end[1], b));
  snprintf(a, sizeof a, "%lld", c->samples[0]);
  snprintf(b, sizeof b, "%lld", c->samples[1]);
  add_row(table, "samples", a, b);
  cmd_table_end(table, stdout, app->color_out);
  printf("  %s, %s\n", c->same_model ? "the same model" : "different models",
         c->same_scenario ? "the same scenario" : "different scenarios or settings");
}

static void print_times(const fb_comparison* c) {
  static const char* const words[] = {"", "sample by sample",
                                      "at the instants that both runs have samples of",
                                      "at the samples of the first run, the second interpolated linearly"};
  if (c->times == FB_COMPARE_NO_TIMES)
    printf("  nothing is compared: the runs have no time in common\n");
  else
    printf("  compared %s: %lld instant%s from %.9g to %.9g s\n", words[c->times], c->instants,
           c->instants == 1 ? "" : "s", c->from, c->to);
}

static void add_signal(cmd_table* table, const fb_compared_signal* s, int compared) {
  char text[5][48];
  cmd_table_cells(table, "%s\t%s\t%s\t%s\t%.9g\t%s\t%s\t%s\t%s", s->name,
                  value_text(s->difference, "%.3g", text[0]), s->unit,
                  value_text(s->relative, "%.3g", text[1]), s->t, value_text(s->a, "%.9g", text[2]),
                  value_text(s->b, "%.9g", text[3]), value_text(s->end, "%.3g", text[4]),
                  compared && s->is_beyond ? "beyond" : "");
}

static void print_signals(const cmd_app* app, const compare_args* args, const fb_comparison* c) {
  enum { MOST = 60 };
  static const char* const headers[] = {"signal", "difference", "unit",       "relative", "at t [s]",
                                        "first",  "second",     "at the end", ""};
  int differ = 0, shown = 0;
  for (int i = 0; i < c->nsignal; i++) differ += c->signals[i].difference > 0;
  char title[96];
  snprintf(title, sizeof title, "Signals: %d of %d differ", differ, c->nsignal);
  if (c->times == FB_COMPARE_NO_TIMES) return;
  cmd_print_title(app, title);
  if (differ == 0) return;
  cmd_table* table = cmd_table_new(9, headers);
  for (int i = 0; i < c->nsignal && shown < MOST; i++)
    if (c->signals[i].difference > 0) {
      add_signal(table, &c->signals[i], args->tolerance >= 0);
      shown++;
    }
  cmd_table_end(table, stdout, app->color_out);
  if (differ > shown) printf("  and %d more; --json has them all\n", differ - shown);
}

static void print_only(const cmd_app* app, const compare_args* args, const fb_comparison* c, int k) {
  enum { MOST = 20 };
  if (c->nonly[k] == 0) return;
  char title[200], name[200];
  snprintf(title, sizeof title, "Only in %.150s: %d", args->runs[k], c->nonly[k]);
  cmd_print_title(app, cmd_text_clean(title));
  for (int i = 0; i < c->nonly[k] && i < MOST; i++) {
    snprintf(name, sizeof name, "%s", c->only[k][i]);
    printf("  %s\n", cmd_text_clean(name));
  }
  if (c->nonly[k] > MOST) printf("  and %d more\n", c->nonly[k] - MOST);
}

static void print_events(const cmd_app* app, const fb_comparison* c) {
  enum { MOST = 20 };
  static const char* const headers[] = {"event", "first [s]", "second [s]", "difference", ""};
  char title[64], text[3][48];
  if (c->nevent == 0) return;
  snprintf(title, sizeof title, "Events: %d differ", c->nevent);
  cmd_print_title(app, title);
  cmd_table* table = cmd_table_new(5, headers);
  for (int i = 0; i < c->nevent && i < MOST; i++) {
    const fb_compared_event* e = &c->events[i];
    cmd_table_cells(table, "%s\t%s\t%s\t%s\t%s", e->name, number_text(e->a, text[0]),
                    number_text(e->b, text[1]), number_text(fabs(e->a - e->b), text[2]),
                    e->is_beyond ? "beyond" : "");
  }
  cmd_table_end(table, stdout, app->color_out);
  if (c->nevent > MOST) printf("  and %d more; --json has them all\n", c->nevent - MOST);
}

static void print_numbers(const cmd_app* app, const fb_comparison* c) {
  static const char* const headers[] = {"summary", "first", "second"};
  char a[48], b[48];
  int differ = 0;
  for (int i = 0; i < c->nnumber; i++) differ += c->numbers[i].a != c->numbers[i].b;
  if (differ == 0) return;
  cmd_print_title(app, "Summaries");
  cmd_table* table = cmd_table_new(3, headers);
  for (int i = 0; i < c->nnumber; i++)
    if (c->numbers[i].a != c->numbers[i].b)
      add_row(table, c->numbers[i].name, number_text(c->numbers[i].a, a), number_text(c->numbers[i].b, b));
  cmd_table_end(table, stdout, app->color_out);
}

static void print_verdict(const compare_args* args, const fb_comparison* c) {
  if (args->tolerance < 0) return;
  printf("\n  the runs %s to %.3g", c->is_beyond ? "do not agree" : "agree", args->tolerance);
  if (args->absolute > 0) printf(" (or %.3g in the unit of the signal)", args->absolute);
  if (c->is_beyond && c->end[0] != c->end[1] && !isfinite(args->span.to))
    printf("; they end at different times, --to %.9g compares what both have", fmin(c->end[0], c->end[1]));
  printf("\n");
}

static void print_all(const cmd_app* app, const compare_args* args, fb_store* const runs[2],
                      const fb_comparison* c) {
  print_runs(app, args, runs, c);
  print_times(c);
  print_signals(app, args, c);
  for (int k = 0; k < 2; k++) print_only(app, args, c, k);
  print_events(app, c);
  print_numbers(app, c);
  print_verdict(args, c);
}

/* --- the command --- */

/* Names between commas become names of their own, unless the whole is one: a joint's name may hold a comma. */
static void split_names(const compare_args* args, fb_store* const runs[2], char* copies, const char** names) {
  int count = 0;
  for (int i = 0; args->signals[i]; i++) {
    strcpy(copies, args->signals[i]);
    int whole = fb_store_find(runs[0], copies) >= 0 || fb_store_find(runs[1], copies) >= 0;
    for (char* name = copies; name;) {
      char* comma = whole ? NULL : strchr(name, ',');
      if (comma) *comma = '\0';
      names[count++] = name;
      name = comma ? comma + 1 : NULL;
    }
    copies += strlen(args->signals[i]) + 1;
  }
}

static int compare_runs(const cmd_app* app, const compare_args* args, fb_store* const runs[2]) {
  fb_compare_options options = fb_default_compare_options();
  size_t size = 0;
  for (int i = 0; args->signals[i]; i++) size += strlen(args->signals[i]) + 1;
  char* copies = cmd_take(size + 1, 1);
  const char** names = cmd_take(size + 1, sizeof *names);
  split_names(args, runs, copies, names);
  if (args->signals[0]) options.signals = names;
  options.from = args->span.from;
  options.to = args->span.to;
  options.tolerance = args->tolerance;
  options.absolute = args->absolute;
  fb_comparison* c = NULL;
  fb_error error = {0};
  char* text = NULL;
  fb_status status = fb_store_compare(runs[0], runs[1], &options, &c, &error);
  if (status == FB_OK && args->json) status = fb_comparison_print(c, &text, &size, &error);
  int code = cmd_exit_code(app, status, &error);
  /* A run that cannot be read to its end is bad input, not a difference. */
  if (status == FB_ERR_IO) code = FB_EXIT_USAGE;
  if (status == FB_OK && text)
    cmd_print_text(text, size);
  else if (status == FB_OK)
    print_all(app, args, runs, c);
  if (status == FB_OK && c->is_beyond) code = FB_EXIT_FAILED;
  fb_free(text);
  fb_comparison_free(c);
  free((void*)names);
  free(copies);
  return code;
}

static int run_compare(cmd_app* app, int argc, char** argv) {
  compare_args args = {.tolerance = -1, .span = cmd_span_all()};
  args.signals = cmd_take((size_t)argc + 1, sizeof *args.signals);
  int code = read_args(app, argc, argv, &args);
  if (code == FB_EXIT_OK) {
    fb_store* runs[2] = {cmd_open_run(app, args.runs[0], &code), NULL};
    if (runs[0]) runs[1] = cmd_open_run(app, args.runs[1], &code);
    if (code == FB_EXIT_OK) code = compare_runs(app, &args, runs);
    for (int k = 0; k < 2; k++) fb_store_close(runs[k], NULL);
  }
  free((void*)args.signals);
  return code;
}

const cmd_command cmd_command_compare = {
    "compare",
    "compare two runs: signals, events, summaries",
    "RUN RUN2 [--tolerance REL] [--absolute ABS] [--signals A,B,C]... [--from TIME]\n"
    "                        [--to TIME] [--json]",
    "Compares the signals that two runs have in common, by name, over the time that both have, and lists the "
    "greatest difference of each, the events that differ, and the summaries. A relative difference is that "
    "of the signal's largest magnitude. With --tolerance the exit code is 1 when the runs do not agree. "
    "Either run may still be running.",
    OPTIONS,
    "  freebody compare before.run after.run\n"
    "  freebody compare rk4.run dopri5.run --tolerance 1e-6 --signals q,p.hand",
    run_compare,
};
