/* samples.c -- the differences of signals, sample by sample. Both runs are read in pieces, side by side, so that memory
 * does not grow with their length. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/compare/compare.h"
#include "run/store/store.h"

/* --- reading --- */

/* A run, read forwards: a piece of its columns. */
typedef struct reader {
  fb_store* run;
  const int* columns;
  int ncolumn;
  long long at, end;     /* the present sample, and the first behind the last */
  long long first, room; /* of the piece: its first sample, and how many it has */
  double* values;        /* [ncolumn][room] */
} reader;

enum { PIECE = 1024 };

static int reader_open(reader* r, const fb_compare_work* work, int k, int ncolumn) {
  *r = (reader){.run = work->runs[k],
                .columns = work->columns[k],
                .ncolumn = ncolumn,
                .at = work->first[k],
                .end = work->first[k] + work->count[k],
                .first = -1};
  r->values = malloc((size_t)ncolumn * PIECE * sizeof *r->values);
  return r->values != NULL;
}

/* Reads the piece that begins with the present sample, unless the present and the next one are there. */
static fb_status reader_fill(reader* r, fb_error* error) {
  long long needed = r->at + 1 < r->end ? r->at + 1 : r->at;
  if (r->at >= r->end || (r->first >= 0 && r->first <= r->at && needed < r->first + r->room)) return FB_OK;
  r->first = r->at;
  r->room = r->end - r->at < PIECE ? r->end - r->at : PIECE;
  return fb_store_read_signals(r->run, r->columns, r->ncolumn, r->first, r->room, r->values, error);
}

/* A column of the present sample, or of one behind it. */
static double reader_value(const reader* r, int column, int ahead) {
  return r->values[column * r->room + (r->at + ahead - r->first)];
}

static double reader_time(const reader* r, int ahead) {
  return reader_value(r, 0, ahead);
}

/* --- instants --- */

typedef struct pair {
  reader a, b;
  int interpolated;
} pair;

/* Moves on to the next instant at which both can be compared, the present one included. *found is 0 when there is
 * none. */
static fb_status find_instant(pair* p, int* found, fb_error* error) {
  fb_status status = FB_OK;
  *found = 0;
  while (p->a.at < p->a.end && p->b.at < p->b.end) {
    status = reader_fill(&p->a, error);
    if (status == FB_OK) status = reader_fill(&p->b, error);
    if (status != FB_OK) return status;
    double ta = reader_time(&p->a, 0), tb = reader_time(&p->b, 0);
    *found = fb_compare_is_instant(ta, tb);
    if (p->interpolated && tb < ta && p->b.at + 1 < p->b.end) *found |= reader_time(&p->b, 1) > ta;
    if (*found) return FB_OK;
    if (tb < ta)
      p->b.at++;
    else
      p->a.at++;
  }
  return FB_OK;
}

/* Past the instant that was compared: interpolation may need the same samples of b again. */
static void leave_instant(pair* p) {
  if (!p->interpolated) p->b.at++;
  p->a.at++;
}

/* The value of a column of b at the present instant of a. */
static double other_value(const pair* p, int column) {
  double ta = reader_time(&p->a, 0), tb = reader_time(&p->b, 0), x = reader_value(&p->b, column, 0);
  if (!p->interpolated || fb_compare_is_instant(ta, tb)) return x;
  double f = (ta - tb) / (reader_time(&p->b, 1) - tb);
  return x + f * (reader_value(&p->b, column, 1) - x);
}

static int pair_open(pair* p, const fb_compare_work* work, int ncolumn) {
  memset(p, 0, sizeof *p);
  p->interpolated = work->out->times == FB_COMPARE_INTERPOLATED;
  return reader_open(&p->a, work, 0, ncolumn) && reader_open(&p->b, work, 1, ncolumn);
}

static void pair_close(pair* p) {
  free(p->a.values);
  free(p->b.values);
}

/* --- times --- */

static fb_status read_ends(fb_store* run, double ends[2], fb_error* error) {
  long long n = fb_store_nsample(run);
  ends[0] = ends[1] = NAN;
  fb_status status = n > 0 ? fb_store_read_signal(run, -1, 0, 1, &ends[0], error) : FB_OK;
  return n > 0 && status == FB_OK ? fb_store_read_signal(run, -1, n - 1, 1, &ends[1], error) : status;
}

/* How many samples are at instants of both runs. */
static fb_status count_common(fb_compare_work* work, long long* count, fb_error* error) {
  pair p;
  fb_status status = pair_open(&p, work, 1) ? FB_OK : fb_store_no_memory(error);
  *count = 0;
  for (int found = 1; status == FB_OK;) {
    status = find_instant(&p, &found, error);
    if (status != FB_OK || !found) break;
    ++*count;
    leave_instant(&p);
  }
  pair_close(&p);
  return status;
}

/* Interpolation needs the samples around those of the first run. */
static void widen(fb_compare_work* work) {
  long long end = work->first[1] + work->count[1] + 1, most = work->out->samples[1];
  if (work->first[1] > 0) work->first[1]--;
  work->count[1] = (end < most ? end : most) - work->first[1];
}

/* Common instants will do where they are all that one of the runs has. */
static void choose_times(fb_compare_work* work, long long common) {
  fb_comparison* c = work->out;
  long long fewest = work->count[0] < work->count[1] ? work->count[0] : work->count[1];
  if (common == 0 || common < fewest) {
    c->times = FB_COMPARE_INTERPOLATED;
    widen(work);
  } else if (common == c->samples[0] && common == c->samples[1]) {
    c->times = FB_COMPARE_SAME_TIMES;
  } else {
    c->times = FB_COMPARE_COMMON;
  }
}

fb_status fb_compare_find_times(fb_compare_work* work, fb_error* error) {
  fb_comparison* c = work->out;
  double ends[2][2];
  fb_status status = FB_OK;
  for (int k = 0; k < 2 && status == FB_OK; k++) {
    status = read_ends(work->runs[k], ends[k], error);
    c->samples[k] = fb_store_nsample(work->runs[k]);
    c->end[k] = ends[k][1];
  }
  c->from = fmax(fmax(ends[0][0], ends[1][0]), work->options.from);
  c->to = fmin(fmin(ends[0][1], ends[1][1]), work->options.to);
  if (status != FB_OK || !c->samples[0] || !c->samples[1] || !(c->from <= c->to)) return status;
  double slack = 1e-9 * fmax(1e-3, fmax(fabs(c->from), fabs(c->to)));
  long long common = 0;
  for (int k = 0; k < 2 && status == FB_OK; k++)
    status = fb_store_range(work->runs[k], c->from - slack, c->to + slack, &work->first[k], &work->count[k],
                            error);
  if (status == FB_OK) status = count_common(work, &common, error);
  if (status == FB_OK) choose_times(work, common);
  return status;
}

/* --- differences --- */

/* Infinite where only one of them is a number; values that are not finite may be the same. */
static double difference_of(double a, double b) {
  if (isfinite(a) && isfinite(b)) return fabs(a - b);
  return a == b || (isnan(a) && isnan(b)) ? 0 : INFINITY;
}

static double larger(double size, double x) {
  return isfinite(x) ? fmax(size, fabs(x)) : size;
}

static void compare_instant(const pair* p, fb_comparison* c, double* sizes) {
  double t = reader_time(&p->a, 0);
  if (c->instants++ == 0) c->from = t;
  c->to = t;
  for (int i = 0; i < c->nsignal; i++) {
    fb_compared_signal* s = &c->signals[i];
    double a = reader_value(&p->a, i + 1, 0), b = other_value(p, i + 1), d = difference_of(a, b);
    sizes[i] = larger(larger(sizes[i], a), b);
    s->end = d;
    if (d <= s->difference && c->instants > 1) continue;
    s->difference = d;
    s->t = t;
    s->a = a;
    s->b = b;
  }
}

/* --- scales --- */

/* The length of a name without its component: "p.hand" of "p.hand.x"; the whole when it has none. */
static size_t stem_length(const char* name) {
  const char* dot = strrchr(name, '.');
  if (!dot || !dot[1]) return strlen(name);
  int is_component = !dot[2] && strchr("xyzw", dot[1]) != NULL;
  return is_component || dot[1 + strspn(dot + 1, "0123456789")] == '\0' ? (size_t)(dot - name) : strlen(name);
}

static int is_same_vector(const fb_compared_signal* a, const fb_compared_signal* b) {
  size_t n = stem_length(a->name);
  return n == stem_length(b->name) && strncmp(a->name, b->name, n) == 0 && strcmp(a->unit, b->unit) == 0;
}

/* Components follow one another, so that a vector is a run of signals. */
static double size_of_vector(const fb_comparison* c, const double* sizes, int i) {
  double size = sizes[i];
  for (int k = i - 1; k >= 0 && is_same_vector(&c->signals[k], &c->signals[i]); k--)
    size = fmax(size, sizes[k]);
  for (int k = i + 1; k < c->nsignal && is_same_vector(&c->signals[k], &c->signals[i]); k++)
    size = fmax(size, sizes[k]);
  return size;
}

/* The largest of any signal with the unit of signal i. Units are few, so each is looked for once. */
static double size_of_unit(const fb_comparison* c, const double* sizes, int i, double* known) {
  for (int k = 0; k < i; k++)
    if (strcmp(c->signals[k].unit, c->signals[i].unit) == 0) return known[i] = known[k];
  for (int k = i; k < c->nsignal; k++)
    if (strcmp(c->signals[k].unit, c->signals[i].unit) == 0) known[i] = fmax(known[i], sizes[k]);
  return known[i];
}

static void find_relative(fb_comparison* c, const double* sizes, double* known) {
  static const double LEAST = 1e-3; /* of what the unit has */
  for (int i = 0; i < c->nsignal; i++) {
    fb_compared_signal* s = &c->signals[i];
    double size = fmax(size_of_vector(c, sizes, i), LEAST * size_of_unit(c, sizes, i, known));
    if (strcmp(s->unit, "1") == 0 || !s->unit[0]) size = fmax(size, 1);
    s->relative = s->difference > 0 ? s->difference / size : 0;
  }
}

fb_status fb_compare_samples(fb_compare_work* work, fb_error* error) {
  fb_comparison* c = work->out;
  if (c->times == FB_COMPARE_NO_TIMES) return FB_OK;
  double* sizes = fb_comparison_take(c, (size_t)c->nsignal, 2 * sizeof *sizes);
  if (!sizes) return fb_store_no_memory(error);
  pair p;
  fb_status status = pair_open(&p, work, work->ncolumn) ? FB_OK : fb_store_no_memory(error);
  for (int found = 1; status == FB_OK;) {
    status = find_instant(&p, &found, error);
    if (status != FB_OK || !found) break;
    compare_instant(&p, c, sizes);
    leave_instant(&p);
  }
  pair_close(&p);
  if (c->instants == 0) c->times = FB_COMPARE_NO_TIMES;
  find_relative(c, sizes, sizes + c->nsignal);
  return status;
}
