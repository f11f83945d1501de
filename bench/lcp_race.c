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

#include <freebody/files.h>

#include "bench_report.h"
#include "document/document.h"
#include "lcp_peer.h"
#include "math/lcp.h"

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

static int find_category(const fb_node* node) {
  const char* name = node ? fb_node_text(node) : "all";
  for (int i = 0; i < ncategory; i++)
    if (strcmp(categories[i], name) == 0) return i;
  if (ncategory == MOST_CATEGORIES) stop_with("more than 64 categories of problems");
  snprintf(categories[ncategory], sizeof categories[0], "%s", name);
  return ncategory++;
}

static fb_status read_problem(const fb_node* node, problem* p, fb_error* error) {
  fb_status status = fb_node_int(fb_map_get(node, "n"), &p->n, error);
  if (status || p->n < 1 || p->n > 4000) return status ? status : FB_ERR_CONTENT;
  size_t n = (size_t)p->n;
  p->category = find_category(fb_map_get(node, "category"));
  while (p->n > CLASS_END[p->class]) p->class ++;
  p->M = calloc(n * n + 3 * n + fb_lcp_work_size(p->n), sizeof(double));
  p->basis = calloc(fb_lcp_basis_size(p->n), sizeof(int));
  if (!p->M || !p->basis) stop_with("out of memory for the problems");
  p->q = p->M + n * n;
  p->z = p->q + n;
  p->w = p->z + n;
  p->work = p->w + n;
  status = fb_node_matrix(fb_map_get(node, "M"), p->n, p->n, p->M, error);
  if (!status) status = fb_node_numbers(fb_map_get(node, "q"), FB_Q_NONE, p->n, p->q, error);
  if (!status && lcp_peer_name() && !(p->peer = lcp_peer_open(p->n, p->M, p->q))) stop_with("out of memory");
  return status;
}

static void read_problems(const char* file) {
  char* text;
  size_t size;
  fb_doc* doc;
  fb_error error;
  if (fb_file_read(file, &text, &size, &error) || fb_doc_parse(text, size, file, &doc, &error))
    stop_with(error.text);
  const fb_node* list = fb_map_get(fb_doc_root(doc), "problems");
  for (int i = 0; i < fb_node_count(list) && count < MOST; i++)
    if (read_problem(fb_node_item(list, i), &problems[count++], &error))
      stop_with("a problem that cannot be read");
  fb_doc_free(doc);
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

static void print_counts(int category) {
  int all = 0, own = 0, peer = 0;
  for (int i = 0; i < count; i++) {
    if (problems[i].category != category) continue;
    all++;
    own += problems[i].solved;
    peer += problems[i].peer_solved;
  }
  printf("%-26s %4d %4d", categories[category], all, own);
  if (lcp_peer_name()) printf(" %4d", peer);
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
    print_counts(k);
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
