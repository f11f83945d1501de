/* plot.h -- the parts of `freebody plot`: the request, the points to draw, the script, the child
 * that draws. */
#ifndef FB_APP_PLOT_PLOT_H
#define FB_APP_PLOT_PLOT_H

#include <freebody/support/text.h>

#include "run/export.h"

typedef enum cmd_plot_kind { FB_PLOT_SVG, FB_PLOT_PNG, FB_PLOT_PDF } cmd_plot_kind;

/* One curve; a point with x not finite is a gap. */
typedef struct cmd_plot_series {
  const char* name; /* of the signal */
  const char *unit, *meaning;
  int run; /* 0: the run that was named first */
  double *t, *x;
  size_t count, room;
} cmd_plot_series;

typedef struct cmd_plot {
  cmd_plot_kind kind;
  int width, height;      /* [px]; height 0: what the panels need */
  const char* title;      /* may be empty */
  const char** run_names; /* [nrun] what the runs are called in the legend */
  int nrun;
  double from, to; /* the time axis [s] */
  cmd_plot_series* series;
  int nseries;
  fb_store_event* events; /* those in the span */
  int nevent;
} cmd_plot;

/* ---- app/plot/data.c ---- */

/* The points of a part of a run, by series[part->nsignal]: every sample, or of a long run the first,
 * least, greatest and last of each of `columns` equal pieces of plot->from .. plot->to. */
fb_status cmd_plot_read(fb_store* run, const fb_store_part* part, const cmd_plot* plot, int columns,
                        cmd_plot_series* series, fb_error* error);

/* ---- app/plot/ticks.c ---- */

enum { FB_TICKS_MAX = 24, FB_TICK_TEXT = 32 };

/* Round numbers on an axis, with their labels. */
typedef struct cmd_ticks {
  int count;
  double at[FB_TICKS_MAX];
  char text[FB_TICKS_MAX][FB_TICK_TEXT];
} cmd_ticks;

/* About `wanted` of them between lo and hi. */
void cmd_ticks_choose(double lo, double hi, int wanted, cmd_ticks* ticks);
/* Characters of the longest label. */
int cmd_ticks_width(const cmd_ticks* ticks);

/* ---- app/plot/script.c ---- */

/* The script for gnuplot, which prints the picture on its standard output. */
void cmd_plot_script(const cmd_plot* plot, fb_text* script);

/* ---- app/plot/gnuplot.c ---- */

/* Runs gnuplot on the script, its output to the descriptor `out`, which stays open (1: standard output); `shown` is
 * the file's name in messages. */
fb_status cmd_plot_draw(const fb_text* script, int out, const char* shown, cmd_plot_kind kind,
                        fb_error* error);

#endif
