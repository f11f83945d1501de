/* bench_report.c -- the figures of a run as tables: one table when Freebody runs alone, with those of an earlier run
 * where there is one; one a quantity with ratios when peers run along, then how well their numbers agree with ours,
 * and what was left out. */
#include <math.h>
#include <string.h>

#include "bench_earlier.h"
#include "bench_report.h"

typedef struct quantity_words {
  const char* key;
  const char* title;  /* of a table */
  const char* column; /* of the table without peers */
} quantity_words;

static const quantity_words WORDS[BENCH_QUANTITIES] = {
    {"forward_dynamics", "Forward dynamics", "forward"},
    {"inverse_dynamics", "Inverse dynamics", "inverse"},
    {"inertia_matrix", "Inertia matrix", "inertia"},
    {"end_point_jacobian", "Poses and end-point Jacobian", "Jacobian"},
    {"poses", "Poses of all bodies", "poses"},
    {"motion", "Poses, velocities and accelerations of all bodies", "motion"},
    {"rk4_step", "RK4 step", "RK4 step"},
    {"euler_step", "Semi-implicit Euler step", "Euler step"},
    {"implicit_step", "Implicit step", "implicit step"},
    {"forward_dynamics_wrenches", "Forward dynamics with two wrenches", "wrenches"},
    {"forward_dynamics_field", "Forward dynamics in the field of a planet", "field"},
};

const char* bench_quantity_key(bench_quantity quantity) {
  return WORDS[quantity].key;
}

const char* bench_quantity_column(bench_quantity quantity) {
  return WORDS[quantity].column;
}

static void print_ns(FILE* out, double ns) {
  if (isnan(ns))
    fprintf(out, " %10s", "-");
  else
    fprintf(out, " %10.0f", ns);
}

/* ---- Freebody alone ---------------------------------------------------------------------------------- */

int bench_name_width(const bench_report* report) {
  int width = 8;
  for (int i = 0; i < report->nmodel; i++) {
    int length = (int)strlen(report->model[i].name);
    if (length > width) width = length;
  }
  return width;
}

static void print_own_table(const bench_report* report, FILE* out) {
  int width = bench_name_width(report);
  fprintf(out, "\n%-*s %5s", width, "model", "nv");
  for (int i = 0; i < BENCH_QUANTITIES; i++) fprintf(out, " %10s", WORDS[i].column);
  fprintf(out, "\n");
  for (int i = 0; i < report->nmodel; i++) {
    const bench_row_result* row = &report->model[i];
    fprintf(out, "%-*s %5d", width, row->name, row->nv);
    for (int j = 0; j < BENCH_QUANTITIES; j++) print_ns(out, row->result[0].ns[j]);
    fprintf(out, "\n");
  }
}

/* ---- beside peers ------------------------------------------------------------------------------------ */

static int comparable(const bench_result* result, int quantity) {
  return !bench_is_compared((bench_quantity)quantity) || result->difference[quantity] <= BENCH_AGREEMENT;
}

static void print_peer_cell(FILE* out, const bench_result* peer, int quantity, double own) {
  if (isnan(peer->ns[quantity]))
    fprintf(out, " %10s %7s", peer->failed[0] ? "failed" : "-", "");
  else if (comparable(peer, quantity))
    fprintf(out, " %10.0f %7.3f", peer->ns[quantity], own / peer->ns[quantity]);
  else
    fprintf(out, " %10.0f %7s", peer->ns[quantity], "differs");
}

static int peers_offer(const bench_report* report, int quantity) {
  int peers = 0;
  for (int i = 1; i < report->nrunner; i++) peers += report->runner[i].calls[quantity][0] != 0;
  return peers;
}

static void print_quantity(const bench_report* report, int quantity, FILE* out) {
  int width = bench_name_width(report);
  if (!peers_offer(report, quantity)) return;
  fprintf(out, "\n%s\n%-*s %5s %10s", WORDS[quantity].title, width, "model", "nv", report->runner[0].name);
  for (int i = 1; i < report->nrunner; i++)
    if (report->runner[i].calls[quantity][0]) fprintf(out, " %10s %7s", report->runner[i].name, "ratio");
  fprintf(out, "\n");
  for (int i = 0; i < report->nmodel; i++) {
    const bench_row_result* row = &report->model[i];
    fprintf(out, "%-*s %5d", width, row->name, row->nv);
    print_ns(out, row->result[0].ns[quantity]);
    for (int j = 1; j < report->nrunner; j++)
      if (report->runner[j].calls[quantity][0])
        print_peer_cell(out, &row->result[j], quantity, row->result[0].ns[quantity]);
    fprintf(out, "\n");
  }
}

static int was_compared(const bench_result* result) {
  for (int i = 0; i < BENCH_QUANTITIES; i++)
    if (!isnan(result->difference[i])) return 1;
  return 0;
}

static void print_agreement(const bench_report* report, FILE* out) {
  int width = bench_name_width(report);
  fprintf(out, "\nAgreement: largest relative difference of the numbers from Freebody's, worst state\n");
  fprintf(out, "%-*s %-10s", width, "model", "");
  for (int i = 0; i < BENCH_QUANTITIES; i++)
    if (peers_offer(report, i)) fprintf(out, " %10s", WORDS[i].column);
  fprintf(out, "\n");
  for (int i = 0; i < report->nmodel; i++) {
    const bench_row_result* row = &report->model[i];
    for (int j = 1; j < report->nrunner; j++) {
      if (!was_compared(&row->result[j])) continue;
      fprintf(out, "%-*s %-10s", width, row->name, report->runner[j].name);
      for (int k = 0; k < BENCH_QUANTITIES; k++) {
        if (!peers_offer(report, k)) continue;
        if (isnan(row->result[j].difference[k]))
          fprintf(out, " %10s", "-");
        else
          fprintf(out, " %10.1e", row->result[j].difference[k]);
      }
      fprintf(out, "\n");
    }
  }
}

static void print_missing(const bench_report* report, FILE* out) {
  for (int i = 0; i < report->nmodel; i++)
    for (int j = 1; j < report->nrunner; j++) {
      const bench_result* result = &report->model[i].result[j];
      const char *model = report->model[i].name, *peer = report->runner[j].name;
      if (result->skipped[0]) fprintf(out, "%s without %s: %s\n", model, peer, result->skipped);
      if (result->failed[0]) fprintf(out, "%s: %s %s\n", model, peer, result->failed);
    }
}

static void print_calls(const bench_report* report, FILE* out) {
  fprintf(out, "\nWhat is timed\n");
  for (int i = 0; i < report->nrunner; i++) {
    const bench_entrant* runner = &report->runner[i];
    for (int j = 0; j < BENCH_QUANTITIES; j++)
      if (runner->calls[j][0])
        fprintf(out, "%-10s %-10s %s\n", j == 0 ? runner->name : "", WORDS[j].column, runner->calls[j]);
  }
}

/* ---- the whole --------------------------------------------------------------------------------------- */

/* Linear cost: nanoseconds per joint of a long arm against a short one. */
static void print_per_joint(const bench_report* report, FILE* out) {
  const bench_row_result *small = NULL, *large = NULL;
  for (int i = 0; i < report->nmodel; i++) {
    if (strcmp(report->model[i].name, "arm30") == 0) small = &report->model[i];
    if (strcmp(report->model[i].name, "arm1000") == 0) large = &report->model[i];
  }
  if (!small || !large) return;
  double a = small->result[0].ns[BENCH_FORWARD] / small->njoint;
  double b = large->result[0].ns[BENCH_FORWARD] / large->njoint;
  fprintf(out, "\nForward dynamics per joint: %.1f ns at 30 joints, %.1f ns at 1000 (x %.2f)\n", a, b, b / a);
}

void bench_report_text(const bench_report* report, FILE* out) {
  bench_machine machine;
  bench_machine_read(&machine);
  const char* isa = report->nmodel ? report->model[0].isa : NULL;
  fprintf(out, "ns per call on one core, the least of many batches over random states\n");
  for (int i = 0; i < report->nrunner; i++)
    fprintf(out, "%s%s %s", i ? ", " : "", report->runner[i].name, report->runner[i].version);
  fprintf(out, "\n%s, kernels %s; %s; load %.1f\n", machine.cpu, isa ? isa : "?", machine.compiler,
          machine.load);
  if (!machine.optimised) fprintf(out, "This is a build for debugging: its times say nothing.\n");
  if (report->nrunner == 1) {
    if (report->earlier)
      bench_against_text(report, out);
    else
      print_own_table(report, out);
    print_per_joint(report, out);
    return;
  }
  fprintf(out, "ratio: Freebody's time over the peer's\n");
  for (int i = 0; i < BENCH_QUANTITIES; i++) print_quantity(report, i, out);
  if (report->earlier) bench_against_text(report, out);
  print_per_joint(report, out);
  print_agreement(report, out);
  print_missing(report, out);
  print_calls(report, out);
}

int bench_report_differences(const bench_report* report) {
  int count = 0;
  for (int i = 0; i < report->nmodel; i++)
    for (int j = 1; j < report->nrunner; j++)
      for (int k = 0; k < BENCH_QUANTITIES; k++)
        count += !isnan(report->model[i].result[j].ns[k]) && !comparable(&report->model[i].result[j], k);
  return count;
}
