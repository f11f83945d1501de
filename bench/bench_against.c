/* bench_against.c -- this run's figures beside those of an earlier one: three lines a model, and what is missing on
 * either side. */
#include <math.h>
#include <string.h>

#include "bench_earlier.h"

/* ---- what is missing --------------------------------------------------------------------------------- */

/* Names of the one side that the other lacks, one after another. */
typedef void name_visit(void* user, const char* name);

static void models_only_now(const bench_report* report, name_visit* visit, void* user) {
  for (int i = 0; i < report->nmodel; i++)
    if (!bench_earlier_find(report, i)) visit(user, report->model[i].name);
}

static void models_only_earlier(const bench_report* report, name_visit* visit, void* user) {
  const bench_earlier* e = report->earlier;
  for (int i = 0; i < e->nmodel; i++) {
    int found = 0;
    for (int k = 0; k < report->nmodel; k++) found |= bench_earlier_find(report, k) == &e->model[i];
    if (!found) visit(user, e->model[i].name);
  }
}

/* Measured on one side and not on the other, in all models that both have. */
static void quantities_on_one_side(const bench_report* report, int now, name_visit* visit, void* user) {
  for (int q = 0; q < BENCH_QUANTITIES; q++) {
    int here = 0, there = 0;
    for (int i = 0; i < report->nmodel; i++) {
      const bench_earlier_model* before = bench_earlier_find(report, i);
      if (!before) continue;
      here |= !isnan(report->model[i].result[0].ns[q]);
      there |= !isnan(before->ns[q]);
    }
    if (now ? here && !there : there && !here) visit(user, bench_quantity_key((bench_quantity)q));
  }
}

static void quantities_only_now(const bench_report* report, name_visit* visit, void* user) {
  quantities_on_one_side(report, 1, visit, user);
}

static void quantities_only_earlier(const bench_report* report, name_visit* visit, void* user) {
  quantities_on_one_side(report, 0, visit, user);
  if (report->earlier->unknown[0]) visit(user, report->earlier->unknown);
}

typedef void name_source(const bench_report* report, name_visit* visit, void* user);

/* ---- text -------------------------------------------------------------------------------------------- */

typedef struct line {
  FILE* out;
  const char* start; /* NULL once written */
} line;

static void print_name(void* user, const char* name) {
  line* l = (line*)user;
  fprintf(l->out, "%s%s", l->start ? l->start : ", ", name);
  l->start = NULL;
}

static void print_names(const bench_report* report, const char* start, name_source* source, FILE* out) {
  line l = {out, start};
  source(report, print_name, &l);
  if (!l.start) fprintf(out, "\n");
}

static double earlier_ns(const bench_earlier_model* before, int quantity) {
  return before ? before->ns[quantity] : NAN;
}

static void print_cell(FILE* out, double x, const char* format) {
  if (isnan(x))
    fprintf(out, " %10s", "-");
  else
    fprintf(out, format, x);
}

static void print_model(const bench_report* report, int index, int width, FILE* out) {
  const bench_row_result* row = &report->model[index];
  const bench_earlier_model* before = bench_earlier_find(report, index);
  fprintf(out, "%-*s %5d %-7s", width, row->name, row->nv, "now");
  for (int q = 0; q < BENCH_QUANTITIES; q++) print_cell(out, row->result[0].ns[q], " %10.0f");
  fprintf(out, "\n%-*s %-7s", width + 6, "", "earlier");
  for (int q = 0; q < BENCH_QUANTITIES; q++) print_cell(out, earlier_ns(before, q), " %10.0f");
  fprintf(out, "\n%-*s %-7s", width + 6, "", "ratio");
  for (int q = 0; q < BENCH_QUANTITIES; q++)
    print_cell(out, row->result[0].ns[q] / earlier_ns(before, q), " %10.3f");
  fprintf(out, "\n");
}

/* Other kernels than now, of the first model that both sides have. */
static void print_kernels(const bench_report* report, FILE* out) {
  for (int i = 0; i < report->nmodel; i++) {
    const bench_earlier_model* before = bench_earlier_find(report, i);
    if (!before) continue;
    if (strcmp(before->isa, report->model[i].isa) != 0)
      fprintf(out, "The earlier run used the kernels %s, this one %s.\n", before->isa, report->model[i].isa);
    return;
  }
}

static void print_origin(const bench_report* report, FILE* out) {
  const bench_earlier* e = report->earlier;
  bench_machine machine;
  bench_machine_read(&machine);
  fprintf(out, "\nFreebody now and in %s (Freebody %s, %s); ratio: now over earlier\n", e->file, e->version,
          e->date);
  if (strcmp(e->cpu, machine.cpu) != 0)
    fprintf(out, "Measured on another processor, %s: the ratios compare machines, not programs.\n", e->cpu);
  if (strcmp(e->compiler, machine.compiler) != 0)
    fprintf(out, "The earlier build was compiled by %s.\n", e->compiler);
  if (strcmp(e->optimised, "false") == 0)
    fprintf(out, "The earlier build was one for debugging: its times say nothing.\n");
  print_kernels(report, out);
}

void bench_against_text(const bench_report* report, FILE* out) {
  int width = bench_name_width(report);
  print_origin(report, out);
  fprintf(out, "%-*s %5s %-7s", width, "model", "nv", "");
  for (int q = 0; q < BENCH_QUANTITIES; q++) fprintf(out, " %10s", bench_quantity_column((bench_quantity)q));
  fprintf(out, "\n");
  for (int i = 0; i < report->nmodel; i++) print_model(report, i, width, out);
  print_names(report, "Models measured only now: ", models_only_now, out);
  print_names(report, "Models measured only earlier: ", models_only_earlier, out);
  print_names(report, "Quantities measured only now: ", quantities_only_now, out);
  print_names(report, "Quantities measured only earlier: ", quantities_only_earlier, out);
}

/* ---- JSON -------------------------------------------------------------------------------------------- */

static void put_name(void* user, const char* name) {
  line* l = (line*)user;
  fprintf(l->out, "%s", l->start);
  bench_json_text(l->out, name);
  l->start = ", ";
}

static void put_names(const bench_report* report, const char* key, name_source* source, FILE* out) {
  line l = {out, ""};
  fprintf(out, ",\n  \"%s\": [", key);
  source(report, put_name, &l);
  fprintf(out, "]");
}

static void put_member(FILE* out, const char* before, const char* text) {
  fprintf(out, "%s", before);
  bench_json_text(out, text);
}

void bench_against_json(const bench_report* report, FILE* out) {
  const bench_earlier* e = report->earlier;
  put_member(out, " \"against\": {\"file\": ", e->file);
  put_member(out, ", \"version\": ", e->version);
  put_member(out, ", \"date\": ", e->date);
  put_member(out, ",\n  \"cpu\": ", e->cpu);
  put_member(out, ", \"compiler\": ", e->compiler);
  put_names(report, "models_only_now", models_only_now, out);
  put_names(report, "models_only_earlier", models_only_earlier, out);
  put_names(report, "quantities_only_now", quantities_only_now, out);
  put_names(report, "quantities_only_earlier", quantities_only_earlier, out);
  fprintf(out, "},\n");
}
