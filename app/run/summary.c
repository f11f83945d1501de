/* summary.c -- the summary of a run as a table: its course, the ledger, events, output files. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"

/* " of tree "arm"" where there are several, else nothing. */
static const char* tree_text(const cmd_job* job, int body, char text[64]) {
  const fb_model* m = fb_scenario_model(fb_run_scenario(job->run));
  text[0] = '\0';
  if (body > 0 && fb_model_ntree(m) > 1) snprintf(text, 64, " of tree \"%.40s\"", fb_body_name(m, body));
  return cmd_text_clean(text);
}

static void print_section(const cmd_job* job, FILE* out, const char* title) {
  int color = job->app->color_out;
  fprintf(out, "\n%s%s%s\n", cmd_style_on(color, FB_STYLE_BOLD), title, cmd_style_off(color));
}

static void print_table(const cmd_job* job, cmd_table* table, FILE* out) {
  cmd_table_print(table, out, job->app->color_out);
  cmd_table_free(table);
}

/* One row: what, a number, and a word on it. */
static void add_row(cmd_table* table, const char* what, double value, const char* more) {
  cmd_table_cell(table, "%s", what);
  cmd_table_cell(table, "%.9g", value);
  cmd_table_cell(table, "%s", more);
}

static void print_duration(double seconds, char text[32]) {
  static const struct {
    double unit;
    const char* name;
  } units[] = {{1, "s"}, {1e-3, "ms"}, {1e-6, "us"}, {1e-9, "ns"}};
  int i = 0;
  while (i < 3 && seconds < units[i].unit) i++;
  snprintf(text, 32, "%.3g %s", seconds / units[i].unit, units[i].name);
}

static void add_realtime(const fb_run_wall* wall, cmd_table* table) {
  char p50[32], p99[32], most[32];
  if (!(wall->factor > 0)) return;
  print_duration(wall->jitter_p50, p50);
  print_duration(wall->jitter_p99, p99);
  print_duration(wall->jitter_max, most);
  cmd_table_cell(table, "deadlines");
  cmd_table_cell(table, "%lld, %lld missed, at %g x real time", wall->deadlines, wall->missed, wall->factor);
  cmd_table_cell(table, "jitter");
  cmd_table_cell(table, "p50 %s, p99 %s, max %s", p50, p99, most);
  if (wall->priority == 0 && !wall->locked) return;
  cmd_table_cell(table, "priority");
  if (wall->priority > 0)
    cmd_table_cell(table, "SCHED_FIFO %d%s", wall->priority, wall->locked ? ", memory locked" : "");
  else
    cmd_table_cell(table, "not permitted, memory locked");
}

static void add_controllers(const cmd_job* job, cmd_table* table) {
  fb_run_controller c;
  for (int i = 0; fb_run_controller_at(job->run, i, &c); i++) {
    char p50[32], p99[32], most[32], text[300];
    int n = snprintf(text, sizeof text, "%lld exchanges", c.exchanges);
    const struct {
      long long count;
      const char* what;
    } rows[] = {
        {c.timeouts, "timeouts"}, {c.invalid, "invalid"}, {c.lost, "lost"}, {c.replayed, "from the record"}};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
      if (rows[k].count > 0)
        n += snprintf(text + n, sizeof text - (size_t)n, ", %lld %s", rows[k].count, rows[k].what);
    print_duration(c.round_trip_p50, p50);
    print_duration(c.round_trip_p99, p99);
    print_duration(c.round_trip_max, most);
    if (c.round_trip_max > 0)
      snprintf(text + n, sizeof text - (size_t)n, "; round trip p50 %s, p99 %s, max %s", p50, p99, most);
    cmd_table_cell(table, "%s", c.name);
    cmd_table_cell(table, "%s", text);
  }
}

/* How late steps were, as bars: the fullest has 40 marks. */
static void print_histogram(const cmd_job* job, const fb_run_wall* wall, FILE* out) {
  enum { WIDTH = 40 };
  long long most = 0;
  int first = FB_RUN_JITTER_BINS, last = -1;
  for (int i = 0; i < FB_RUN_JITTER_BINS; i++) {
    if (wall->jitter[i] == 0) continue;
    if (first > i) first = i;
    last = i;
    if (wall->jitter[i] > most) most = wall->jitter[i];
  }
  if (!(wall->factor > 0) || last < 0) return;
  print_section(job, out, "Jitter: how late steps were");
  cmd_table* table = cmd_table_new(3, NULL);
  for (int i = first; i <= last; i++) {
    char from[32], bar[WIDTH + 1];
    int marks = (int)((WIDTH * wall->jitter[i] + most - 1) / most);
    memset(bar, '#', (size_t)marks);
    bar[marks] = '\0';
    int over = i == FB_RUN_JITTER_BINS - 1;
    print_duration(1e-6 * (double)(1L << (over ? i - 1 : i)), from);
    cmd_table_cell(table, "%s %s", over ? "over" : "below", from);
    cmd_table_cell(table, "%lld", wall->jitter[i]);
    cmd_table_cell(table, "%s", bar);
  }
  print_table(job, table, out);
}

static void print_course(const cmd_job* job, const fb_run_summary* summary, FILE* out) {
  const fb_scenario* s = fb_run_scenario(job->run);
  const fb_model* m = fb_scenario_model(s);
  int nbody = fb_model_nbody(m) - 1, nv = fb_model_nv(m);
  char wall[32], speed[32];
  cmd_speed_text(summary->speed, speed);
  print_duration(summary->wall.seconds, wall);
  cmd_table* table = cmd_table_new(2, NULL);
  cmd_table_cell(table, "model");
  cmd_table_cell(table, "%s: %d %s, %d degree%s of freedom",
                 fb_model_name(m)[0] ? fb_model_name(m) : "no name", nbody, nbody == 1 ? "body" : "bodies",
                 nv, nv == 1 ? "" : "s");
  cmd_table_cell(table, "integrator");
  const char* reason = fb_scenario_integrator_reason(s);
  cmd_table_cell(table, reason[0] ? "%s (%s)" : "%s", fb_scenario_integrator(s), reason);
  const char* limits = fb_scenario_unenforced_limits(s);
  if (limits[0]) {
    cmd_table_cell(table, "limits");
    cmd_table_cell(table, "%s", limits);
  }
  cmd_table_cell(table, "simulated");
  cmd_table_cell(table, "%.9g of %.9g s", summary->t, summary->duration);
  cmd_table_cell(table, "steps");
  cmd_table_cell(table, "%lld, %lld rejected, %lld evaluations", summary->steps, summary->rejected,
                 summary->evaluations);
  cmd_table_cell(table, "wall time");
  if (summary->t_begin > 0)
    cmd_table_cell(table, "%s, %s x real time, since t = %.9g s", wall, speed, summary->t_begin);
  else
    cmd_table_cell(table, "%s, %s x real time", wall, speed);
  add_realtime(&summary->wall, table);
  add_controllers(job, table);
  cmd_table_cell(table, "log");
  cmd_table_cell(table, "%lld samples of %d signals", summary->samples, summary->signals);
  print_table(job, table, out);
}

static void add_loops(cmd_table* table, double work) {
  cmd_table_cell(table, "loops");
  cmd_table_cell(table, "%.2e", work);
  cmd_table_cell(table, "of the forces of loops: zero but for the error of the method");
}

static void print_energy(const cmd_job* job, const fb_ledger* l, FILE* out) {
  char tree[64];
  cmd_table* table = cmd_table_new(3, NULL);
  print_section(job, out, "Energy [J]");
  add_row(table, "start", l->kinetic_0 + l->potential_0, "kinetic and potential");
  add_row(table, "work", l->work, "of actuators and prescribed motions");
  add_row(table, "external", l->external, "of forces from outside");
  add_row(table, "dissipated", 0 - l->dissipated, "in dampers and friction");
  add_row(table, "impacts", l->impacts, "at locks, bounces and joins");
  if (l->contacts > 0) {
    add_row(table, "contacts", l->normal, "of normal forces and impacts");
    add_row(table, "friction", l->friction, "of tangential forces of contacts");
  }
  if (l->stored_0 > 0)
    add_row(table, "stored", l->stored_0, "in compliant contacts at the start, which they may give");
  if (l->projection != 0)
    add_row(table, "projection", l->projection, "where penetration was ended, or small gaps closed");
  if (fb_model_nloop(fb_scenario_model(fb_run_scenario(job->run))) > 0) add_loops(table, l->loops);
  add_row(table, "end", l->kinetic + l->potential, "kinetic and potential");
  cmd_table_cell(table, "residual");
  cmd_table_cell(table, "%.2e", l->residual);
  cmd_table_cell(table, "%.2e of what was exchanged or moved, %.6g J", l->relative, l->scale);
  cmd_table_cell(table, "worst");
  cmd_table_cell(table, "%.2e", l->worst);
  cmd_table_cell(table, "of what was exchanged or moved until then, at t = %.6g s%s", l->worst_t,
                 tree_text(job, l->worst_body, tree));
  print_table(job, table, out);
}

static void print_joins(const cmd_job* job, FILE* out) {
  fb_sim_change change;
  if (fb_run_epoch(job->run) == 0) return;
  cmd_table* table = cmd_table_new(3, NULL);
  print_section(job, out, "Joins and partings");
  for (int i = 0; fb_run_change_at(job->run, i, &change, NULL) == FB_OK; i++) {
    const double *p = change.impulse.linear, *l = change.impulse.angular;
    cmd_table_cell(table, "%s", change.joint);
    cmd_table_cell(table, "at %.6g s", change.t);
    if (change.is_join)
      cmd_table_cell(table, "joined: impulse %.6g N s and %.6g N m s, %.6g J lost",
                     sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]),
                     sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]), change.impulse.energy);
    else
      cmd_table_cell(table, "parted");
  }
  print_table(job, table, out);
}

static void print_momentum(const cmd_job* job, const fb_run_summary* summary, FILE* out) {
  const fb_ledger* l = &summary->ledger;
  char tree[64];
  if (!(l->linear_scale > 0 || l->angular_scale > 0)) return;
  cmd_table* table = cmd_table_new(3, NULL);
  print_section(job, out, "Momentum of what floats");
  cmd_table_cell(table, "linear");
  cmd_table_cell(table, "residual %.2e kg m/s", l->linear_residual);
  cmd_table_cell(table, "%.2e of %.6g", summary->linear_relative, l->linear_scale);
  cmd_table_cell(table, "angular");
  cmd_table_cell(table, "residual %.2e kg m^2/s", l->angular_residual);
  cmd_table_cell(table, "%.2e of %.6g", summary->angular_relative, l->angular_scale);
  cmd_table_cell(table, "worst");
  cmd_table_cell(table, "%.2e", l->momentum_worst);
  cmd_table_cell(table, "of its scale, at t = %.6g s%s", l->momentum_worst_t,
                 tree_text(job, l->momentum_body, tree));
  print_table(job, table, out);
}

static void print_events(const cmd_job* job, int count, FILE* out) {
  enum { FIRST = 8 };
  static const char* const headers[] = {"t [s]", "event", "what it did"};
  if (count == 0) return;
  char title[48];
  snprintf(title, sizeof title, "Events: %d", count);
  print_section(job, out, title);
  cmd_table* table = cmd_table_new(3, headers);
  for (int i = 0; i < count && i < FIRST; i++) {
    fb_store_event event = fb_store_event_at(fb_run_store(job->run), i);
    cmd_table_cell(table, "%.9g", event.t);
    cmd_table_cell(table, "%s", event.name);
    cmd_table_cell(table, "%s", event.text);
  }
  print_table(job, table, out);
  if (count > FIRST) fprintf(out, "  and %d more\n", count - FIRST);
}

void cmd_summary_print(const cmd_job* job, const fb_run_summary* summary, FILE* out) {
  int color = job->app->color_out;
  char name[200], *folder = cmd_job_shell_name(job->folder), *signal = cmd_job_worth_plotting(job->run);
  snprintf(name, sizeof name, "%s", fb_scenario_name(fb_run_scenario(job->run)));
  fprintf(out, "%s%s%s: %s\n", cmd_style_on(color, FB_STYLE_BOLD), cmd_text_clean(name), cmd_style_off(color),
          fb_run_state_name(summary->state));
  print_course(job, summary, out);
  print_histogram(job, &summary->wall, out);
  print_energy(job, &summary->ledger, out);
  print_momentum(job, summary, out);
  print_joins(job, out);
  if (summary->warning[0])
    fprintf(out, "\n%sWarning:%s %s\n", cmd_style_on(color, FB_STYLE_YELLOW), cmd_style_off(color),
            summary->warning);
  if (summary->note[0]) fprintf(out, "\nNote: %s\n", summary->note);
  print_events(job, summary->events, out);
  print_section(job, out, "Where to look");
  fprintf(out, "  freebody view %s -o report.html\n", folder);
  fprintf(out, "  freebody plot %s %s -o plot.svg\n", folder, signal);
  fprintf(out, "  freebody export %s -o log.csv\n", folder);
  free(signal);
  free(folder);
}
