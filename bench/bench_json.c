/* bench_json.c -- the figures of a run as one JSON object, its layout described in docs/benchmarks.md. */
#include <math.h>

#include <freebody/version.h>

#include "bench_earlier.h"
#include "bench_report.h"

void bench_json_text(FILE* out, const char* text) {
  fputc('"', out);
  for (const char* c = text; *c; c++) {
    unsigned char u = (unsigned char)*c;
    if (u == '"' || u == '\\')
      fprintf(out, "\\%c", u);
    else if (u < 0x20)
      fprintf(out, "\\u%04x", u);
    else
      fputc(u, out);
  }
  fputc('"', out);
}

static void put_number(FILE* out, double x, const char* format) {
  if (isfinite(x))
    fprintf(out, format, x);
  else
    fprintf(out, "null");
}

/* {"forward_dynamics": 512.0, ...}: those that are there. */
static void put_quantities(FILE* out, const double* x, const char* format) {
  const char* comma = "";
  fprintf(out, "{");
  for (int i = 0; i < BENCH_QUANTITIES; i++) {
    if (isnan(x[i])) continue;
    fprintf(out, "%s\"%s\": ", comma, bench_quantity_key((bench_quantity)i));
    put_number(out, x[i], format);
    comma = ", ";
  }
  fprintf(out, "}");
}

static void put_machine(FILE* out) {
  bench_machine machine;
  bench_machine_read(&machine);
  fprintf(out, " \"date\": \"%s\",\n \"machine\": {\"cpu\": ", machine.date);
  bench_json_text(out, machine.cpu);
  fprintf(out, ", \"compiler\": ");
  bench_json_text(out, machine.compiler);
  fprintf(out, ", \"optimised\": %s, \"load\": ", machine.optimised ? "true" : "false");
  put_number(out, machine.load, "%.2f");
  fprintf(out, "},\n");
}

static void put_runner(FILE* out, const bench_entrant* runner) {
  const char* comma = "";
  fprintf(out, "  {\"name\": ");
  bench_json_text(out, runner->name);
  fprintf(out, ", \"version\": ");
  bench_json_text(out, runner->version);
  fprintf(out, ", \"calls\": {");
  for (int i = 0; i < BENCH_QUANTITIES; i++) {
    if (!runner->calls[i][0]) continue;
    fprintf(out, "%s\"%s\": ", comma, bench_quantity_key((bench_quantity)i));
    bench_json_text(out, runner->calls[i]);
    comma = ", ";
  }
  fprintf(out, "}}");
}

/* Of Freebody: the earlier times of the model, and the ratios of the new ones to them. */
static void put_earlier(FILE* out, const bench_report* report, int model) {
  const bench_earlier_model* before = bench_earlier_find(report, model);
  double ratio[BENCH_QUANTITIES];
  if (!before) return;
  for (int i = 0; i < BENCH_QUANTITIES; i++) ratio[i] = report->model[model].result[0].ns[i] / before->ns[i];
  fprintf(out, ",\n    \"earlier\": ");
  put_quantities(out, before->ns, "%.1f");
  fprintf(out, ",\n    \"ratio_to_earlier\": ");
  put_quantities(out, ratio, "%.4f");
}

static void put_result(FILE* out, const bench_report* report, int model, int runner) {
  const bench_row_result* row = &report->model[model];
  const bench_result* result = &row->result[runner];
  fprintf(out, "   {\"runner\": ");
  bench_json_text(out, report->runner[runner].name);
  if (result->skipped[0]) {
    fprintf(out, ", \"skipped\": ");
    bench_json_text(out, result->skipped);
  } else {
    fprintf(out, ", \"ns\": ");
    put_quantities(out, result->ns, "%.1f");
  }
  if (result->failed[0]) {
    fprintf(out, ", \"failed\": ");
    bench_json_text(out, result->failed);
  }
  if (runner == 0 && report->earlier) put_earlier(out, report, model);
  if (runner > 0 && !result->skipped[0]) {
    double ratio[BENCH_QUANTITIES];
    for (int i = 0; i < BENCH_QUANTITIES; i++) ratio[i] = row->result[0].ns[i] / result->ns[i];
    fprintf(out, ", \"ratio\": ");
    put_quantities(out, ratio, "%.4f");
    fprintf(out, ", \"difference\": ");
    put_quantities(out, result->difference, "%.2e");
  }
  fprintf(out, "}");
}

static void put_model(FILE* out, const bench_report* report, int model) {
  const bench_row_result* row = &report->model[model];
  fprintf(out, "  {\"name\": ");
  bench_json_text(out, row->name);
  fprintf(out, ", \"about\": ");
  bench_json_text(out, row->about);
  fprintf(out, ", \"nv\": %d, \"isa\": \"%s\", \"results\": [\n", row->nv, row->isa);
  for (int i = 0; i < report->nrunner; i++) {
    put_result(out, report, model, i);
    fprintf(out, i + 1 < report->nrunner ? ",\n" : "\n  ]}");
  }
}

void bench_report_json(const bench_report* report, FILE* out) {
  fprintf(out, "{\n \"format\": \"freebody-bench\",\n \"version\": \"%s\",\n \"unit\": \"ns\",\n",
          fb_version());
  put_machine(out);
  if (report->earlier) bench_against_json(report, out);
  fprintf(out, " \"seconds\": %g,\n \"runners\": [\n", report->seconds);
  for (int i = 0; i < report->nrunner; i++) {
    put_runner(out, &report->runner[i]);
    fprintf(out, i + 1 < report->nrunner ? ",\n" : "\n ],\n");
  }
  fprintf(out, " \"models\": [\n");
  for (int i = 0; i < report->nmodel; i++) {
    put_model(out, report, i);
    fprintf(out, i + 1 < report->nmodel ? ",\n" : "\n");
  }
  fprintf(out, " ]\n}\n");
}
