/* data.c -- the points of the curves. A long run is thinned by columns of the picture: of the samples
 * that share a column the first, the least, the greatest and the last stay, so every spike is still seen,
 * and the picture is that of all samples. Reading is piece by piece; memory does not grow with the run. */
#include "plot/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct point {
  double t, x;
  long long i; /* number of the sample */
} point;

/* What one series has of the column being read. */
typedef struct column {
  long long number;
  int any, gap;
  point first, least, greatest, last;
} column;

static void add_point(cmd_plot_series* series, double t, double x) {
  size_t room_t = series->room, room_x = series->room;
  cmd_grow(&series->t, series->count, &room_t, sizeof *series->t);
  cmd_grow(&series->x, series->count, &room_x, sizeof *series->x);
  series->room = room_x;
  series->t[series->count] = t;
  series->x[series->count++] = x;
}

/* The column's points in order of time, each once, and a gap when a sample had no number. */
static void end_column(cmd_plot_series* series, column* c) {
  if (c->any) {
    const point* low = c->least.i < c->greatest.i ? &c->least : &c->greatest;
    const point* high = c->least.i < c->greatest.i ? &c->greatest : &c->least;
    const point* const order[] = {&c->first, low, high, &c->last};
    long long before = -1;
    for (int i = 0; i < 4; i++) {
      if (order[i]->i == before) continue;
      add_point(series, order[i]->t, order[i]->x);
      before = order[i]->i;
    }
  }
  if (c->gap && series->count > 0 && isfinite(series->x[series->count - 1]))
    add_point(series, series->t[series->count - 1], NAN);
  c->any = c->gap = 0;
}

static void take_sample(cmd_plot_series* series, column* c, long long number, point p) {
  if (number != c->number) {
    end_column(series, c);
    c->number = number;
  }
  if (!isfinite(p.x)) {
    c->gap = 1;
    return;
  }
  if (!c->any) {
    c->any = 1;
    c->first = c->least = c->greatest = p;
  }
  if (p.x < c->least.x) c->least = p;
  if (p.x > c->greatest.x) c->greatest = p;
  c->last = p;
}

fb_status cmd_plot_read(fb_store* run, const fb_store_part* part, const cmd_plot* plot, int columns,
                        cmd_plot_series* series, fb_error* error) {
  enum { PIECE = 4096 };
  int n = part->nsignal, thin = part->count > 4LL * columns;
  double scale = plot->to > plot->from ? columns / (plot->to - plot->from) : 0;
  int* wanted = cmd_take((size_t)n + 1, sizeof *wanted);
  double* values = cmd_take(((size_t)n + 1) * PIECE, sizeof *values);
  column* now = cmd_take((size_t)n, sizeof *now);
  wanted[0] = -1;
  memcpy(wanted + 1, part->signals, (size_t)n * sizeof *wanted);
  fb_status status = FB_OK;
  for (long long done = 0; done < part->count && status == FB_OK; done += PIECE) {
    long long m = part->count - done < PIECE ? part->count - done : PIECE;
    status = fb_store_read_signals(run, wanted, n + 1, part->first + done, m, values, error);
    for (long long i = 0; i < m && status == FB_OK; i++) {
      double t = values[i];
      long long number = thin ? (long long)((t - plot->from) * scale) + 1 : done + i + 1;
      for (int j = 0; j < n; j++) {
        const point p = {t, values[(j + 1) * m + i], done + i};
        take_sample(&series[j], &now[j], number, p);
      }
    }
  }
  for (int j = 0; j < n; j++) end_column(&series[j], &now[j]);
  free(now);
  free(values);
  free(wanted);
  return status;
}
