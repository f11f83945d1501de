/* race.c -- Freebody and its peers, timed in one run on the same models and states.
 *
 * Peers are loadable modules (bench/peers/), each in a process of its own (race_peer.h), so that one that is missing,
 * crashes or hangs leaves the others alone. Each peer's numbers are compared with ours before anything is timed. The
 * libraries take turns in short slices, so that a busy spell of the machine hits all of them.
 *
 *   bench_race [--json FILE] [--seconds S] [--against FILE] [--limit S] [--peer MODULE]... [MODEL...]
 *     --json FILE      also write the figures as JSON; '-': print them instead of the tables
 *     --seconds S      time spent on each figure, 0.5
 *     --against FILE   compare Freebody's figures with those of an earlier run's JSON
 *     --limit S        how long a peer may take for one answer before it counts as hung, 120
 *     --peer MODULE    a peer to run along */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_earlier.h"
#include "bench_own.h"
#include "bench_report.h"
#include "race_peer.h"

enum { ROUNDS = 5, CHECKED_VALUES = 4000000 };

typedef struct race {
  bench_report report;
  bench_earlier earlier;
  race_peer peer[BENCH_MAX_RUNNERS]; /* as in the report; the first is Freebody, and empty */
  const char* module[BENCH_MAX_RUNNERS];
  int nmodule;
  double limit;
  const char* json; /* or NULL */
  int wanted[BENCH_MAX_MODELS];
  int nwanted;
} race;

/* ---- comparing --------------------------------------------------------------------------------------- */

/* |a - b| / |a|, in the largest norm; infinite when b is not a number. */
static double difference(const double* a, const double* b, size_t count) {
  double worst = 0, size = 0;
  for (size_t i = 0; i < count; i++) {
    double error = fabs(a[i] - b[i]);
    if (!(error <= worst)) worst = isfinite(error) ? error : INFINITY;
    if (fabs(a[i]) > size) size = fabs(a[i]);
  }
  return worst == 0 ? 0 : worst / size;
}

typedef struct contest {
  const bench_states* states;
  void* own;             /* Freebody's runner */
  double *ours, *theirs; /* room for one result */
} contest;

static int takes_part(const race* r, int runner, bench_quantity quantity) {
  return r->report.runner[runner].calls[quantity][0] && (runner == 0 || r->peer[runner].pid);
}

/* The worst state, of all, or of as many as stay within a bounded amount of work. */
static void compare(race* r, const contest* c, bench_row_result* row, int peer, bench_quantity quantity) {
  if (!bench_own.call[quantity] || !bench_is_compared(quantity)) return;
  size_t size = bench_result_size(quantity, c->states->nv);
  int states = c->states->count;
  if (size * (size_t)states > CHECKED_VALUES) states = 2;
  if (quantity == BENCH_EULER_STEP)
    states = 1; /* what the rules do to attitudes differs after the first step */
  double worst = 0;
  for (int k = 0; k < states; k++) {
    if (!race_peer_read(&r->peer[peer], quantity, k, c->theirs, size, &row->result[peer])) return;
    bench_own.call[quantity](c->own, k);
    bench_own.read(c->own, quantity, k, c->ours);
    double d = difference(c->ours, c->theirs, size);
    if (d > worst) worst = d;
  }
  row->result[peer].difference[quantity] = worst;
}

/* ---- timing ------------------------------------------------------------------------------------------ */

static void time_all(race* r, const contest* c, bench_row_result* row, bench_quantity quantity) {
  int rounds = r->report.seconds > 0 ? ROUNDS : 1;
  double slice = r->report.seconds / rounds;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < r->report.nrunner; i++) {
      if (!takes_part(r, i, quantity)) continue;
      if (i == 0)
        bench_time(bench_own.call[quantity], c->own, c->states->count, slice, &row->result[0].ns[quantity]);
      else
        race_peer_time(&r->peer[i], quantity, slice, &row->result[i]);
    }
}

static int open_runners(race* r, const bench_model* model, contest* c, bench_row_result* row) {
  for (int i = 0; i < r->report.nrunner; i++) bench_result_clear(&row->result[i]);
  c->own = bench_own.open(model, c->states, row->result[0].skipped, sizeof row->result[0].skipped);
  if (!c->own) {
    fprintf(stderr, "bench_race: %s: %s\n", model->name, row->result[0].skipped);
    return 0;
  }
  for (int i = 1; i < r->report.nrunner; i++) race_peer_open(&r->peer[i], model, c->states, &row->result[i]);
  return 1;
}

static void run_contest(race* r, const bench_model* model, contest* c, bench_row_result* row) {
  if (!open_runners(r, model, c, row)) return;
  for (int q = 0; q < BENCH_QUANTITIES; q++) {
    for (int i = 1; i < r->report.nrunner; i++)
      if (takes_part(r, i, (bench_quantity)q)) compare(r, c, row, i, (bench_quantity)q);
    time_all(r, c, row, (bench_quantity)q);
  }
  r->report.nmodel++;
  bench_own.close(c->own);
  for (int i = 1; i < r->report.nrunner; i++)
    if (r->peer[i].pid) race_peer_close(&r->peer[i], &row->result[i]);
}

static int run_model(race* r, int index) {
  bench_model model;
  bench_states states;
  fb_error error;
  memset(&error, 0, sizeof error);
  int done = r->report.nmodel;
  if (!bench_model_open(index, &model)) return 0;
  fb_model* m = bench_own_build(&model, &error);
  if (!m) fprintf(stderr, "bench_race: %s: %s\n", model.name, error.text);
  if (m && bench_states_open(m, &states)) {
    bench_row_result* row = &r->report.model[r->report.nmodel];
    size_t room = bench_result_size(BENCH_INERTIA, model.nv) + bench_result_size(BENCH_JACOBIAN, model.nv);
    contest c = {.states = &states};
    c.ours = (double*)malloc(room * sizeof(double));
    c.theirs = (double*)malloc(room * sizeof(double));
    snprintf(row->name, sizeof row->name, "%s", model.name);
    snprintf(row->about, sizeof row->about, "%s", model.about);
    row->nv = model.nv;
    row->njoint = model.njoint;
    row->isa = fb_model_isa(m);
    if (c.ours && c.theirs) run_contest(r, &model, &c, row);
    free(c.ours);
    free(c.theirs);
    bench_states_close(&states);
  }
  fb_model_free(m);
  bench_model_close(&model);
  return r->report.nmodel > done;
}

/* ---- the command line -------------------------------------------------------------------------------- */

/* Modules that do not load are reported and left out. */
static void load_peers(race* r) {
  for (int i = 0; i < r->nmodule; i++) {
    char why[240];
    int at = r->report.nrunner;
    if (race_peer_load(&r->peer[at], r->module[i], r->limit, why, sizeof why))
      r->report.runner[r->report.nrunner++] = r->peer[at].about;
    else
      fprintf(stderr, "bench_race: without %s, which %s\n", r->module[i], why);
  }
}

static int read_earlier(race* r, const char* file) {
  fb_error error;
  char text[sizeof error];
  r->report.earlier = &r->earlier;
  if (bench_earlier_read(&r->earlier, file, &error) == FB_OK) return 1;
  fprintf(stderr, "bench_race: %s\n", fb_error_format(&error, text, sizeof text));
  return 0;
}

static int usage(const char* wrong) {
  fprintf(stderr, "bench_race: '%s' is not an option, a number of seconds or a model\n", wrong);
  fprintf(stderr,
          "usage: bench_race [--json FILE] [--seconds S] [--against FILE] [--limit S] [--peer MODULE]... "
          "[MODEL...]\nmodels:");
  for (int i = 0; i < bench_model_count(); i++) fprintf(stderr, " %s", bench_model_name(i));
  fprintf(stderr, "\n");
  return 2;
}

static int read_seconds(const char* text, double* seconds) {
  char* end = NULL;
  *seconds = strtod(text, &end);
  return !*end && end != text && *seconds >= 0 && *seconds <= 3600;
}

static int read_options(race* r, int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    int has_value = i + 1 < argc;
    if (strcmp(argv[i], "--json") == 0 && has_value) {
      r->json = argv[++i];
    } else if (strcmp(argv[i], "--against") == 0 && has_value) {
      if (!read_earlier(r, argv[++i])) return 2;
    } else if (strcmp(argv[i], "--peer") == 0 && has_value) {
      if (r->nmodule == BENCH_MAX_RUNNERS - 1) return usage(argv[i]);
      r->module[r->nmodule++] = argv[++i];
    } else if (strcmp(argv[i], "--seconds") == 0 && has_value) {
      if (!read_seconds(argv[++i], &r->report.seconds)) return usage(argv[i]);
    } else if (strcmp(argv[i], "--limit") == 0 && has_value) {
      if (!read_seconds(argv[++i], &r->limit)) return usage(argv[i]);
    } else if (bench_model_find(argv[i]) >= 0 && r->nwanted < BENCH_MAX_MODELS) {
      r->wanted[r->nwanted++] = bench_model_find(argv[i]);
    } else {
      return usage(argv[i]);
    }
  }
  if (r->nwanted > 0) return 0;
  for (int i = 0; i < bench_model_count(); i++) r->wanted[r->nwanted++] = i;
  return 0;
}

static int write_results(const race* r) {
  int to_stdout = r->json && strcmp(r->json, "-") == 0;
  if (!to_stdout) bench_report_text(&r->report, stdout);
  if (!r->json) return 0;
  FILE* out = to_stdout ? stdout : fopen(r->json, "w");
  if (out) bench_report_json(&r->report, out);
  if (out && (to_stdout ? fflush(out) : fclose(out)) == 0) return 0;
  fprintf(stderr, "bench_race: cannot write '%s'\n", r->json);
  return 1;
}

int main(int argc, char** argv) {
  static race r;
  int failed = 0;
  r.report.seconds = 0.5;
  r.limit = 120;
  bench_entrant_describe(&r.report.runner[r.report.nrunner++], &bench_own);
  int code = read_options(&r, argc, argv);
  if (code != 0) return code;
  load_peers(&r);
  for (int i = 0; i < r.nwanted; i++) {
    if (isatty(STDERR_FILENO)) fprintf(stderr, "timing %s ...\n", bench_model_name(r.wanted[i]));
    failed |= !run_model(&r, r.wanted[i]);
  }
  failed |= write_results(&r);
  int differences = bench_report_differences(&r.report);
  if (differences > 0)
    fprintf(stderr, "bench_race: %d figures of peers are not comparable: their numbers differ from ours\n",
            differences);
  return failed || differences > 0;
}
