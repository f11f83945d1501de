/* script.c -- the script for gnuplot: one panel for each unit, above one another, over one time axis.
 *
 * All places are computed here, in pixels, so that the panels stand exactly above one another; gnuplot
 * draws. Texts are between single quotes, where gnuplot searches for nothing but the closing one. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "plot/plot.h"

enum {
  FONT = 12,        /* [px] */
  SMALL = 11,       /* numbers, legend */
  TITLE_SPACE = 32, /* above the panels when there is a title */
  TOP = 14,
  BOTTOM = 50, /* numbers and the name of the time axis */
  GAP = 16,    /* between panels */
  EVENT_ROW = 15,
  EVENT_ROWS = 3,     /* of names, at most */
  EVENTS_NAMED = 12,  /* more are lines without names */
  EVENTS_DRAWN = 200, /* more are not drawn */
  LEGEND_LINE = 17,   /* height of an entry */
  MAX_PANELS = 64
};

/* Lines that differ in lightness too, from one to the next, so that they can be distinguished in grey. */
static const unsigned COLORS[] = {0x14407f, 0xd1450b, 0x3fa0d0, 0x0c6b4a,
                                  0xe8a200, 0x7a3fa0, 0x7d7d7d, 0xa8326e};
enum { NCOLOR = sizeof COLORS / sizeof COLORS[0] };

typedef struct panel {
  const char *unit, *meaning; /* meaning: of all its signals, or NULL when they differ */
  int quaternions;            /* all are parts of attitudes */
  int entries;                /* of the legend */
  int curves;                 /* of one run */
  double lo, hi;              /* of the axis */
  double top, bottom;         /* [px] from above */
  cmd_ticks ticks;
} panel;

typedef struct layout {
  panel panels[MAX_PANELS];
  int npanel;
  double width, height, left, right; /* [px] */
  int event_row[EVENTS_NAMED];       /* row of each name; -1: no room */
  double event_x[EVENTS_NAMED];      /* its middle [px] */
  int event_rows;
  double events_at; /* height of the rows' lowest [px] */
  cmd_ticks time;
} layout;

/* --- text --- */

static double text_width(const char* text, double size) {
  return 0.58 * size * cmd_text_width(text);
}

/* gnuplot takes '' for a quote only after another character, so that each is a text of its own, joined by dots. It leaves
 * ">" as it is in SVG, where "]]>" is not allowed. */
static void put_quoted(fb_text* s, const char* text) {
  char* clean = cmd_text_clean(cmd_copy(text));
  fb_text_add(s, "'");
  for (const char* c = clean; *c; c++) {
    if (*c == '\'')
      fb_text_add(s, "'.\"\\047\".'");
    else if (strncmp(c, "]]>", 3) == 0)
      fb_text_add(s, "]\u200b"); /* a blank without width */
    else
      fb_text_add_bytes(s, c, 1);
  }
  fb_text_add(s, "'");
  free(clean);
}

/* --- panels --- */

static panel* panel_of(layout* l, const cmd_plot_series* series) {
  for (int i = 0; i < l->npanel; i++)
    if (strcmp(l->panels[i].unit, series->unit) == 0) return &l->panels[i];
  /* More units than panels is beyond reading; the last takes the rest. */
  if (l->npanel == MAX_PANELS) return &l->panels[MAX_PANELS - 1];
  panel* p = &l->panels[l->npanel++];
  p->unit = series->unit;
  p->meaning = series->meaning;
  p->quaternions = 1;
  p->lo = INFINITY;
  p->hi = -INFINITY;
  return p;
}

static void collect_panels(const cmd_plot* plot, layout* l) {
  for (int i = 0; i < plot->nseries; i++) {
    const cmd_plot_series* s = &plot->series[i];
    panel* p = panel_of(l, s);
    p->entries++;
    p->curves += s->run == 0;
    if (p->meaning && strcmp(p->meaning, s->meaning) != 0) p->meaning = NULL;
    p->quaternions &= strncmp(s->name, "q.", 2) == 0 || strncmp(s->name, "quat.", 5) == 0;
    for (size_t k = 0; k < s->count; k++) {
      if (!isfinite(s->x[k])) continue;
      if (s->x[k] < p->lo) p->lo = s->x[k];
      if (s->x[k] > p->hi) p->hi = s->x[k];
    }
  }
}

/* A margin around the values; a constant stands in the middle. */
static void pad_range(panel* p) {
  if (!(p->lo <= p->hi)) p->lo = p->hi = 0;
  double pad = 0.06 * (p->hi - p->lo), least = 1e-14 * fmax(fabs(p->lo), fabs(p->hi));
  if (p->hi - p->lo <= least) pad = p->lo != 0 ? 0.1 * fabs(p->lo) : 1;
  p->lo -= pad;
  p->hi += pad;
}

/* --- places --- */

/* Names of events above the panels, each in the first row where it does not run into its neighbour. */
static void place_events(const cmd_plot* plot, layout* l) {
  double end[EVENT_ROWS];
  for (int r = 0; r < EVENT_ROWS; r++) end[r] = -INFINITY;
  l->event_rows = 0;
  if (plot->nevent > EVENTS_NAMED) return;
  for (int i = 0; i < plot->nevent; i++) {
    double half = text_width(plot->events[i].name, SMALL) / 2 + 4;
    double x = l->left + (plot->events[i].t - plot->from) / (plot->to - plot->from) * (l->right - l->left);
    x = fmax(fmin(x, l->right - half), l->left + half); /* not over the axis, nor into the legend */
    l->event_row[i] = -1;
    l->event_x[i] = x;
    for (int r = 0; r < EVENT_ROWS; r++) {
      if (x - half < end[r]) continue;
      end[r] = x + half;
      l->event_row[i] = r;
      if (r + 1 > l->event_rows) l->event_rows = r + 1;
      break;
    }
  }
}

static double legend_width(const cmd_plot* plot) {
  double widest = 0;
  for (int i = 0; i < plot->nseries; i++) {
    double w = text_width(plot->series[i].name, SMALL);
    if (plot->nrun > 1) w += text_width(plot->run_names[plot->series[i].run], SMALL) + 20;
    if (w > widest) widest = w;
  }
  return fmin(widest + 52, 0.45 * plot->width);
}

/* Panels share the height; without a wish of the user's each gets what it and its legend need. */
static void place_panels(const cmd_plot* plot, layout* l) {
  double top = TOP + (plot->title[0] ? TITLE_SPACE : 0) + l->event_rows * EVENT_ROW;
  l->events_at = top - 8;
  double panels = 0;
  if (plot->height > 0) {
    l->height = plot->height;
    panels = (l->height - top - BOTTOM - GAP * (l->npanel - 1)) / l->npanel;
    if (panels < 20) panels = 20;
  } else {
    for (int i = 0; i < l->npanel; i++) panels = fmax(panels, LEGEND_LINE * l->panels[i].entries + 14);
    panels = fmax(panels, l->npanel == 1 ? 360 : l->npanel == 2 ? 220 : 170);
    l->height = top + BOTTOM + panels * l->npanel + GAP * (l->npanel - 1);
  }
  for (int i = 0; i < l->npanel; i++) {
    l->panels[i].top = top + i * (panels + GAP);
    l->panels[i].bottom = l->panels[i].top + panels;
    cmd_ticks_choose(l->panels[i].lo, l->panels[i].hi, (int)(panels / 42), &l->panels[i].ticks);
  }
}

static void place(const cmd_plot* plot, layout* l) {
  collect_panels(plot, l);
  for (int i = 0; i < l->npanel; i++) pad_range(&l->panels[i]);
  l->width = plot->width;
  l->right = l->width - legend_width(plot);
  place_panels(plot, l); /* once for the numbers on the axes, whose width the left margin needs */
  int digits = 0;
  for (int i = 0; i < l->npanel; i++) {
    int w = cmd_ticks_width(&l->panels[i].ticks);
    if (w > digits) digits = w;
  }
  l->left = 42 + 0.62 * SMALL * digits;
  if (l->right < l->left + 60) l->right = l->left + 60;
  place_events(plot, l);
  place_panels(plot, l);
  cmd_ticks_choose(plot->from, plot->to, (int)((l->right - l->left) / 85), &l->time);
}

/* --- writing --- */

/* Heights count from below in gnuplot, and from 0 to 1. */
static double at_x(const layout* l, double x) {
  return x / l->width;
}

static double at_y(const layout* l, double y) {
  return 1 - y / l->height;
}

static void put_terminal(const cmd_plot* plot, const layout* l, fb_text* s) {
  int w = (int)l->width, h = (int)(l->height + 0.5);
  switch (plot->kind) {
    case FB_PLOT_SVG:
      fb_text_printf(s,
                     "set terminal svg noenhanced size %d,%d font 'sans-serif,%d' background rgb '#ffffff'\n",
                     w, h, (int)FONT);
      break;
    case FB_PLOT_PNG:
      fb_text_printf(s,
                     "set terminal pngcairo noenhanced size %d,%d font 'Sans,%g' background rgb '#ffffff'\n",
                     w, h, 0.75 * FONT);
      break;
    case FB_PLOT_PDF:
      /* Inches; a pixel is 1/96 of one. */
      fb_text_printf(s,
                     "set terminal pdfcairo noenhanced size %.4fin,%.4fin font 'Sans,%g' fontscale 0.75 "
                     "background rgb '#ffffff'\n",
                     w / 96.0, h / 96.0, 0.75 * FONT);
  }
}

static double font(const cmd_plot* plot, double px) {
  return plot->kind == FB_PLOT_SVG ? px : 0.75 * px;
}

static void put_common(const cmd_plot* plot, const layout* l, fb_text* s) {
  put_terminal(plot, l, s);
  fb_text_add(s,
              "set encoding utf8\n"
              "set multiplot\n"
              "set border 3 lc rgb '#444444' lw 1\n"
              "set grid xtics ytics lt 1 lc rgb '#e2e2e2' lw 0.6\n");
  fb_text_printf(s, "set xrange [%.17g:%.17g]\n", plot->from, plot->to);
  fb_text_printf(s, "set lmargin at screen %.6f\nset rmargin at screen %.6f\n", at_x(l, l->left),
                 at_x(l, l->right));
  if (plot->title[0]) {
    fb_text_add(s, "set label 1 ");
    put_quoted(s, plot->title);
    fb_text_printf(s, " at screen %.6f,%.6f left noenhanced font ':Bold,%g' tc rgb '#222222'\n",
                   at_x(l, l->left), at_y(l, 22), font(plot, 14));
  }
}

/* Thin dashed lines through all panels; names above the first. */
static void put_events(const cmd_plot* plot, const layout* l, fb_text* s) {
  if (plot->nevent > EVENTS_DRAWN) return;
  for (int i = 0; i < plot->nevent; i++) {
    double t = plot->events[i].t;
    fb_text_printf(s,
                   "set arrow %d from first %.17g,graph 0 to first %.17g,graph 1 nohead back lw 0.8 dt "
                   "(12,9) lc rgb '#8a8a8a'\n",
                   i + 1, t, t);
    if (plot->nevent > EVENTS_NAMED || l->event_row[i] < 0) continue;
    fb_text_printf(s, "set label %d ", i + 100);
    put_quoted(s, plot->events[i].name);
    fb_text_printf(s, " at screen %.6f,screen %.6f center noenhanced font ',%g' tc rgb '#666666'\n",
                   at_x(l, l->event_x[i]), at_y(l, l->events_at - l->event_row[i] * EVENT_ROW),
                   font(plot, SMALL));
  }
}

static void put_ticks(const char* axis, const cmd_ticks* ticks, int labels, double size, fb_text* s) {
  fb_text_printf(s, "set %stics out nomirror scale 0.5 font ',%g' tc rgb '#333333' (", axis, size);
  for (int i = 0; i < ticks->count; i++)
    fb_text_printf(s, "%s'%s' %.17g", i ? ", " : "", labels ? ticks->text[i] : "", ticks->at[i]);
  fb_text_add(s, ")\n");
}

/* What a unit measures, where that is one thing. */
static const char* quantity_of(const panel* p) {
  static const char* const table[][2] = {
      {"m", "position"},
      {"rad", "angle"},
      {"m/s", "velocity"},
      {"rad/s", "angular velocity"},
      {"m/s^2", "acceleration"},
      {"rad/s^2", "angular acceleration"},
      {"N", "force"},
      {"N m", "torque"},
      {"J", "energy"},
      {"kg m/s", "momentum"},
      {"N s", "impulse"},
      {"N m s", "angular impulse"},
      {"kg m^2/s", "angular momentum"},
  };
  for (size_t i = 0; i < sizeof table / sizeof *table; i++)
    if (strcmp(table[i][0], p->unit) == 0) return table[i][1];
  return strcmp(p->unit, "1") == 0 && p->quaternions ? "quaternion" : "";
}

/* A meaning of several things says less than the unit does. */
static int says_more(const panel* p) {
  if (!p->meaning || !p->meaning[0] || strstr(p->meaning, " or ")) return 0;
  return !(strcmp(p->unit, "1") == 0 && p->quaternions);
}

/* "position of a frame [m]" beside the axis; where signals differ or that is too long for the panel, "position [m]". */
static void put_axis_name(const cmd_plot* plot, const layout* l, const panel* p, fb_text* s) {
  char name[200], unit[80] = "";
  if (p->unit[0]) snprintf(unit, sizeof unit, "[%.70s]", p->unit);
  const char* words[] = {says_more(p) ? p->meaning : quantity_of(p), quantity_of(p), ""};
  for (int i = 0; i < 3; i++) {
    snprintf(name, sizeof name, "%.100s%s%s", words[i], words[i][0] && unit[0] ? " " : "", unit);
    if (0.52 * FONT * cmd_text_width(name) <= p->bottom - p->top + GAP) break;
  }
  fb_text_add(s, "set label 2 ");
  put_quoted(s, name);
  fb_text_printf(s, " at screen %.6f,%.6f center rotate noenhanced font ',%g' tc rgb '#333333'\n",
                 at_x(l, 14), at_y(l, (p->top + p->bottom) / 2), font(plot, FONT));
}

/* The same colour, mixed with some per cent of white. */
static unsigned lighter(unsigned color, unsigned percent) {
  unsigned mixed = 0;
  for (int shift = 0; shift < 24; shift += 8) {
    unsigned c = (color >> shift) & 0xff;
    mixed |= (c + (255 - c) * percent / 100) << shift;
  }
  return mixed;
}

static const char* const DASHES[] = {"1", "(30,9)", "(6,6)", "(30,9,6,9)"};
enum { NDASH = sizeof DASHES / sizeof DASHES[0] };

/* How the k-th curve of a run is drawn. */
typedef struct pen {
  double width;
  unsigned color;
  const char* dash;
} pen;

/* Of several runs each has its colour, and dashes tell its curves apart; where a panel has more curves than there are
 * dashes it is the other way round, and further runs are lighter. A single run has a colour for each curve. */
static pen choose_pen(const cmd_plot* plot, const layout* l, int run, int k) {
  int most = 0;
  for (int i = 0; i < l->npanel; i++)
    if (l->panels[i].curves > most) most = l->panels[i].curves;
  if (plot->nrun > 1 && most <= NDASH) return (pen){1.7, COLORS[run % NCOLOR], DASHES[k]};
  unsigned color = COLORS[k % NCOLOR];
  if (run == 0) return (pen){1.7, color, DASHES[plot->nrun > 1 ? 0 : k / NCOLOR % NDASH]};
  return (pen){1.4, lighter(color, run % 2 ? 45 : 65), DASHES[1 + (run - 1) % (NDASH - 1)]};
}

static void put_curves(const cmd_plot* plot, layout* l, const panel* p, fb_text* s) {
  int drawn = 0, k = 0, run = 0;
  fb_text_add(s, "plot ");
  for (int i = 0; i < plot->nseries; i++) {
    const cmd_plot_series* series = &plot->series[i];
    if (panel_of(l, series) != p) continue;
    if (series->run != run) k = 0;
    run = series->run;
    pen pen = choose_pen(plot, l, run, k++);
    fb_text_printf(s, "%s$D%d using 1:2 with %s", drawn++ ? ", \\\n  " : "", i,
                   series->count == 1 ? "points pt 7 ps 0.4" : "lines");
    fb_text_printf(s, " lw %g lc rgb '#%06x'", pen.width, pen.color);
    if (series->count > 1) fb_text_printf(s, " dt %s", pen.dash);
    char title[400];
    snprintf(title, sizeof title, plot->nrun > 1 ? "%s (%s)" : "%s", series->name, plot->run_names[run]);
    fb_text_add(s, " title ");
    put_quoted(s, title);
    fb_text_add(s, " noenhanced");
  }
  fb_text_add(s, "\n");
}

static void put_panel(const cmd_plot* plot, layout* l, int index, fb_text* s) {
  const panel* p = &l->panels[index];
  int lowest = index == l->npanel - 1;
  double spacing = fmin(1.0, (p->bottom - p->top) / (LEGEND_LINE * p->entries)) * LEGEND_LINE / SMALL / 1.25;
  fb_text_printf(s, "set tmargin at screen %.6f\nset bmargin at screen %.6f\n", at_y(l, p->top),
                 at_y(l, p->bottom));
  fb_text_printf(s, "set yrange [%.17g:%.17g]\n", p->lo, p->hi);
  put_ticks("y", &p->ticks, 1, font(plot, SMALL), s);
  put_ticks("x", &l->time, lowest, font(plot, SMALL), s);
  put_axis_name(plot, l, p, s);
  if (lowest) fb_text_printf(s, "set xlabel 'time [s]' font ',%g' tc rgb '#333333'\n", font(plot, FONT));
  fb_text_printf(s,
                 "set key at screen %.6f,%.6f left top vertical Left reverse noenhanced samplen 2 spacing %g "
                 "font ',%g' tc rgb '#222222'\n",
                 at_x(l, l->right + 10), at_y(l, p->top - 2), spacing, font(plot, SMALL));
  put_curves(plot, l, p, s);
  if (index == 0) fb_text_add(s, "unset label\n"); /* the title and the events' names stand once */
}

static void put_data(const cmd_plot* plot, fb_text* s) {
  for (int i = 0; i < plot->nseries; i++) {
    const cmd_plot_series* series = &plot->series[i];
    fb_text_printf(s, "$D%d << END_OF_DATA\n", i);
    for (size_t k = 0; k < series->count; k++) {
      if (isfinite(series->x[k]))
        fb_text_printf(s, "%.17g %.17g\n", series->t[k], series->x[k]);
      else
        fb_text_add(s, "\n");
    }
    /* gnuplot refuses data without any point. */
    if (series->count == 0) fb_text_printf(s, "%.17g NaN\n", plot->from);
    fb_text_add(s, "END_OF_DATA\n");
  }
}

void cmd_plot_script(const cmd_plot* plot, fb_text* script) {
  layout* l = cmd_take(1, sizeof *l);
  place(plot, l);
  put_data(plot, script);
  put_common(plot, l, script);
  put_events(plot, l, script);
  for (int i = 0; i < l->npanel; i++) put_panel(plot, l, i, script);
  fb_text_add(script, "unset multiplot\n");
  free(l);
}
