/* lcp_race.c -- Lemke's method: Freebody and, where it is installed, Siconos on the same problems in one run.
 *
 *   bench_lcp [--seconds S] [FILE]      S: time spent on each figure, 0.1; FILE: problems as `freebody lcp` reads them
 *
 * Every answer is checked first, by max |min(z, M z + q)| over max(1, |q|). Timed are the problems that both solve, in groups
 * of one category and nearly one size; the solvers take turns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/lcp.h>

#include "bench_json_read.h"
#include "bench_report.h"
#include "lcp_peer.h"

enum { MOST = 4096, MOST_CATEGORIES = 64, CLASSES = 5, ROUNDS = 5, CALLS = 64 };

static const int CLASS_END[CLASSES] = {3, 6, 12, 30, 1 << 30};
static const char* const CLASS_NAME[CLASSES] = {"n <= 3", "4 .. 6", "7 .. 12", "13 .. 30", "over 30"};

typedef struct problem {
  int n, category, class;
  double *M, *q, *z, *w, *work;
  int* basis;
  lcp_peer* peer;
  int solved, peer_solved;
} problem;

static problem problems[MOST];
static int count;
static char categories[MOST_CATEGORIES][32];
static int ncategory;

static void stop_with(const char* what) {
  fprintf(stderr, "bench_lcp: %s\n", what);
  exit(EXIT_FAILURE);
}

/* ---- reading ------------------------------------------------------------------------------------------ */

static int find_category(const char* name) {
  for (int i = 0; i < ncategory; i++)
    if (strcmp(categories[i], name) == 0) return i;
  if (ncategory == MOST_CATEGORIES) stop_with("more than 64 categories of problems");
  snprintf(categories[ncategory], sizeof categories[0], "%.31s", name);
  return ncategory++;
}

static void make_room(problem* p, const char* text) {
  p->n = atoi(text);
  if (p->n < 1 || p->n > 4000) stop_with("a problem whose n is not 1 to 4000");
  size_t n = (size_t)p->n;
  while (p->n > CLASS_END[p->class]) p->class ++;
  free(p->M);
  free(p->basis);
  p->M = calloc(n * n + 3 * n + fb_lcp_work_size(p->n), sizeof(double));
  p->basis = calloc(fb_lcp_basis_size(p->n), sizeof(int));
  if (!p->M || !p->basis) stop_with("out of memory for the problems");
  p->q = p->M + n * n;
  p->z = p->q + n;
  p->w = p->z + n;
  p->work = p->w + n;
}

/* A value and its path, as problems.3.M.0.1; n comes before M and q. */
static void take_value(const char* path, const char* text) {
  int i, row, column, length = 0;
  if (sscanf(path, "problems.%d.%n", &i, &length) != 1 || length == 0) return;
  if (i >= MOST) stop_with("more than 4096 problems");
  problem* p = &problems[i];
  if (i >= count) count = i + 1;
  path += length;
  if (strcmp(path, "n") == 0) make_room(p, text);
  if (strcmp(path, "category") == 0) p->category = find_category(text);
  if (sscanf(path, "M.%d.%d", &row, &column) == 2 && row < p->n && column < p->n)
    p->M[row * p->n + column] = atof(text);
  if (sscanf(path, "q.%d", &row) == 1 && row < p->n) p->q[row] = atof(text);
}

static char* read_file(const char* file) {
  FILE* in = fopen(file, "rb");
  long size = -1;
  if (in && fseek(in, 0, SEEK_END) == 0) size = ftell(in);
  char* text = size >= 0 ? malloc((size_t)size + 1) : NULL;
  if (!text || fseek(in, 0, SEEK_SET) != 0 || fread(text, 1, (size_t)size, in) != (size_t)size)
    stop_with("the file of the problems cannot be read");
  text[size] = 0;
  fclose(in);
  return text;
}

static void read_problems(const char* file) {
  char* text = read_file(file);
  bench_json j = {.at = text, .line = 1};
  find_category("others");
  while (bench_json_next(&j)) take_value(j.path, j.text);
  if (j.problem) stop_with(j.problem);
  for (int i = 0; i < count; i++) {
    problem* p = &problems[i];
    if (p->n == 0) stop_with("a problem without n");
    if (lcp_peer_name() && !(p->peer = lcp_peer_open(p->n, p->M, p->q))) stop_with("out of memory");
  }
  free(text);
}

/* ---- solving ------------------------------------------------------------------------------------------ */

static int is_solution(problem* p) {
  double size = 1, rounding;
  for (int i = 0; i < p->n; i++) size = fmax(size, fabs(p->q[i]));
  return fb_lcp_measure(p->n, p->M, p->q, p->z, p->w, &rounding) <= 1e-10 * size;
}

static fb_lcp_result solve(problem* p) {
  return fb_lcp_solve(p->n, p->M, p->q, p->z, p->w, p->work, p->basis, NULL);
}

static void check(problem* p) {
  p->solved = solve(p) == FB_LCP_SOLVED;
  if (p->solved && !is_solution(p)) stop_with("a false solution");
  if (!p->peer) return;
  lcp_peer_solve(p->peer, p->z, p->w);
  p->peer_solved = is_solution(p);
}

/* ---- timing ------------------------------------------------------------------------------------------- */

typedef struct group {
  problem* of[MOST];
  int size;
} group;

static void call_own(void* self, int k) {
  group* g = self;
  solve(g->of[k % g->size]);
}

static void call_peer(void* self, int k) {
  group* g = self;
  problem* p = g->of[k % g->size];
  lcp_peer_solve(p->peer, p->z, p->w);
}

typedef struct figure {
  int size;         /* problems that were timed */
  double own, peer; /* [ns], of one problem on average */
} figure;

static figure time_group(int category, int class, double seconds) {
  static group g;
  g.size = 0;
  for (int i = 0; i < count; i++) {
    problem* p = &problems[i];
    if (p->category == category && p->class == class && p->solved && (!p->peer || p->peer_solved))
      g.of[g.size++] = p;
  }
  figure f = {g.size, NAN, NAN};
  if (g.size == 0) return f;
  int calls = (CALLS + g.size - 1) / g.size * g.size, rounds = seconds > 0 ? ROUNDS : 1;
  for (int i = 0; i < rounds; i++) {
    bench_time(call_own, &g, calls, seconds / rounds, &f.own);
    if (lcp_peer_name()) bench_time(call_peer, &g, calls, seconds / rounds, &f.peer);
  }
  return f;
}

/* ---- printing ----------------------------------------------------------------------------------------- */

/* 0 when there are none. */
static int print_counts(int category) {
  int all = 0, own = 0, peer = 0;
  for (int i = 0; i < count; i++) {
    if (problems[i].category != category) continue;
    all++;
    own += problems[i].solved;
    peer += problems[i].peer_solved;
  }
  if (all == 0) return 0;
  printf("%-26s %4d %4d", categories[category], all, own);
  if (lcp_peer_name()) printf(" %4d", peer);
  return 1;
}

/* The ratio, or without peer the time in microseconds. */
static void print_figure(const figure* f) {
  if (f->size == 0)
    printf(" %9s", "");
  else if (lcp_peer_name())
    printf(" %9.2f", f->own / f->peer);
  else
    printf(" %9.2f", 1e-3 * f->own);
}

static void print_totals(figure total[CLASSES]) {
  printf("\nAll of these, microseconds a problem\n%-26s %9s", "", "Freebody");
  if (lcp_peer_name()) printf(" %9s %9s", lcp_peer_name(), "ratio");
  printf("\n");
  for (int c = 0; c < CLASSES; c++) {
    if (total[c].size == 0) continue;
    printf("%-10s (%3d problems)  %9.2f", CLASS_NAME[c], total[c].size, 1e-3 * total[c].own / total[c].size);
    if (lcp_peer_name())
      printf(" %9.2f %9.2f", 1e-3 * total[c].peer / total[c].size, total[c].own / total[c].peer);
    printf("\n");
  }
}

static void race(double seconds) {
  figure total[CLASSES] = {{0}};
  if (lcp_peer_name())
    printf(
        "Complementarity problems: how many, solved by Freebody, by %s; Freebody's time over %s's by "
        "size\n%41s",
        lcp_peer_name(), lcp_peer_name(), "");
  else
    printf("Complementarity problems: how many, solved; microseconds by size\n%36s", "");
  for (int c = 0; c < CLASSES; c++) printf(" %9s", CLASS_NAME[c]);
  printf("\n");
  for (int k = 0; k < ncategory; k++) {
    if (!print_counts(k)) continue;
    for (int c = 0; c < CLASSES; c++) {
      figure f = time_group(k, c, seconds);
      print_figure(&f);
      if (f.size == 0) continue;
      total[c].size += f.size;
      total[c].own += f.size * f.own;
      total[c].peer += f.size * f.peer;
    }
    printf("\n");
  }
  print_totals(total);
}

int main(int argc, char** argv) {
  double seconds = 0.1;
  int at = 1;
  if (at + 1 < argc && strcmp(argv[at], "--seconds") == 0) {
    seconds = atof(argv[at + 1]);
    at += 2;
  }
  if (argc > at + 1 || !(seconds >= 0 && seconds <= 60)) stop_with("usage: bench_lcp [--seconds S] [FILE]");
  read_problems(at < argc ? argv[at] : FB_TEST_DATA "/contact/lcp_problems.json");
  if (count == 0) stop_with("the file has no problems");
  for (int i = 0; i < count; i++) check(&problems[i]);
  race(seconds);
  for (int i = 0; i < count; i++) {
    free(problems[i].M);
    free(problems[i].basis);
    if (problems[i].peer) lcp_peer_close(problems[i].peer);
  }
  return 0;
}
