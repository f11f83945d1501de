/* race.c -- Freebody and its peers, timed in one run on the same models and states.
 *
 * Peers are loadable modules (bench/peers/), so that one that is missing or does not load leaves the others
 * alone. Each peer's numbers are compared with ours before anything is timed. The libraries take turns in
 * short slices, so that a busy spell of the machine hits all of them.
 *
 *   bench_race [--json FILE] [--seconds S] [--against FILE] [--peer MODULE]... [MODEL...]
 *     --json FILE      also write the figures as JSON; '-': print them instead of the tables
 *     --seconds S      time spent on each figure, 0.5
 *     --against FILE   compare Freebody's figures with those of an earlier run's JSON
 *     --peer MODULE    a peer to run along */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "bench_earlier.h"
#include "bench_own.h"
#include "bench_report.h"

enum { ROUNDS = 5, CHECKED_VALUES = 4000000 };

typedef struct race {
  bench_report report;
  bench_earlier earlier;
  const char* json; /* or NULL */
  int wanted[BENCH_MAX_MODELS];
  int nwanted;
} race;

/* ---- comparing --------------------------------------------------------------------------------------- */

static size_t result_size(bench_quantity quantity, int nv) {
  size_t n = (size_t)nv;
  switch (quantity) {
    case BENCH_FORWARD:
    case BENCH_INVERSE:
      return n;
    case BENCH_INERTIA:
      return n * n;
    case BENCH_JACOBIAN:
      return 6 * n;
    default:
      return 3;
  }
}

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
  void* self[BENCH_MAX_RUNNERS]; /* NULL: this model is skipped */
  double *ours, *theirs;         /* room for one result */
} contest;

/* The worst state, of all, or of as many as stay within a bounded amount of work. */
static void compare(const race* r, const contest* c, bench_row_result* row, int peer, int quantity) {
  bench_call* own_call = r->report.runner[0]->call[quantity];
  bench_call* peer_call = r->report.runner[peer]->call[quantity];
  bench_quantity which = (bench_quantity)quantity;
  if (!own_call || !peer_call) return;
  size_t size = result_size(which, c->states->nv);
  int states = c->states->count;
  if (size * (size_t)states > CHECKED_VALUES) states = 2;
  double worst = 0;
  for (int k = 0; k < states; k++) {
    own_call(c->self[0], k);
    r->report.runner[0]->read(c->self[0], which, k, c->ours);
    peer_call(c->self[peer], k);
    r->report.runner[peer]->read(c->self[peer], which, k, c->theirs);
    double d = difference(c->ours, c->theirs, size);
    if (d > worst) worst = d;
  }
  row->result[peer].difference[quantity] = worst;
}

/* ---- timing ------------------------------------------------------------------------------------------ */

static void time_all(const race* r, const contest* c, bench_row_result* row, int quantity) {
  int rounds = r->report.seconds > 0 ? ROUNDS : 1;
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < r->report.nrunner; i++) {
      bench_call* call = r->report.runner[i]->call[quantity];
      if (!call || !c->self[i]) continue;
      bench_time(call, c->self[i], c->states->count, r->report.seconds / rounds,
                 &row->result[i].ns[quantity]);
    }
}

static int open_runners(const race* r, const bench_model* model, contest* c, bench_row_result* row) {
  for (int i = 0; i < r->report.nrunner; i++) {
    bench_result_clear(&row->result[i]);
    c->self[i] =
        r->report.runner[i]->open(model, c->states, row->result[i].skipped, sizeof row->result[i].skipped);
  }
  if (c->self[0]) return 1;
  fprintf(stderr, "bench_race: %s: %s\n", model->name, row->result[0].skipped);
  return 0;
}

static void run_contest(race* r, const bench_model* model, contest* c, bench_row_result* row) {
  if (open_runners(r, model, c, row)) {
    for (int q = 0; q < BENCH_QUANTITIES; q++) {
      for (int i = 1; i < r->report.nrunner; i++)
        if (c->self[i]) compare(r, c, row, i, q);
      time_all(r, c, row, q);
    }
    r->report.nmodel++;
  }
  for (int i = 0; i < r->report.nrunner; i++)
    if (c->self[i]) r->report.runner[i]->close(c->self[i]);
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
    size_t room = result_size(BENCH_INERTIA, model.nv) + result_size(BENCH_JACOBIAN, model.nv);
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

static int load_peer(race* r, const char* file) {
  bench_peer_function* function = NULL;
  if (r->report.nrunner == BENCH_MAX_RUNNERS) return 0;
  void* module = dlopen(file, RTLD_NOW | RTLD_LOCAL); /* stays loaded until the end */
  void* symbol = module ? dlsym(module, BENCH_PEER_SYMBOL) : NULL;
  if (!symbol) {
    fprintf(stderr, "bench_race: this peer does not load: %s\n", dlerror());
    return 1;
  }
  memcpy(&function, &symbol, sizeof function);
  r->report.runner[r->report.nrunner++] = function();
  return 1;
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
          "usage: bench_race [--json FILE] [--seconds S] [--against FILE] [--peer MODULE]... "
          "[MODEL...]\nmodels:");
  for (int i = 0; i < bench_model_count(); i++) fprintf(stderr, " %s", bench_model_name(i));
  fprintf(stderr, "\n");
  return 2;
}

static int read_options(race* r, int argc, char** argv) {
  for (int i = 1; i < argc; i++) {
    char* end = NULL;
    int has_value = i + 1 < argc;
    if (strcmp(argv[i], "--json") == 0 && has_value) {
      r->json = argv[++i];
    } else if (strcmp(argv[i], "--against") == 0 && has_value) {
      if (!read_earlier(r, argv[++i])) return 2;
    } else if (strcmp(argv[i], "--peer") == 0 && has_value) {
      if (!load_peer(r, argv[++i])) return usage(argv[i]);
    } else if (strcmp(argv[i], "--seconds") == 0 && has_value) {
      r->report.seconds = strtod(argv[++i], &end);
      if (*end || end == argv[i] || !(r->report.seconds >= 0 && r->report.seconds <= 3600))
        return usage(argv[i]);
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
  r.report.runner[r.report.nrunner++] = &bench_own;
  int code = read_options(&r, argc, argv);
  if (code != 0) return code;
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
