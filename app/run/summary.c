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

/* One row: what, a number, and a word on it. */
static void add_row(cmd_table* table, const char* what, double value, const char* more) {
  cmd_table_cells(table, "%s\t%.9g\t%s", what, value, more);
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
  cmd_table_cells(table, "deadlines\t%lld, %lld missed, at %g x real time", wall->deadlines, wall->missed,
                  wall->factor);
  cmd_table_cells(table, "jitter\tp50 %s, p99 %s, max %s", p50, p99, most);
  if (wall->priority == 0 && !wall->locked) return;
  if (wall->priority > 0)
    cmd_table_cells(table, "priority\tSCHED_FIFO %d%s", wall->priority,
                    wall->locked ? ", memory locked" : "");
  else
    cmd_table_cells(table, "priority\tnot permitted, memory locked");
}

static void add_controllers(const cmd_job* job, cmd_table* table) {
  fb_run_controller c;
  for (int i = 0; fb_run_get_controller(job->run, i, &c); i++) {
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
    cmd_table_cells(table, "%s\t%s", c.name, text);
  }
}

/* How late steps were, as bars: the fullest has 40 marks. */
static void print_histogram(const cmd_job* job, const fb_run_wall* wall) {
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
  cmd_print_title(job->app, "Jitter: how late steps were");
  cmd_table* table = cmd_table_new(3, NULL);
  for (int i = first; i <= last; i++) {
    char from[32], bar[WIDTH + 1];
    int marks = (int)((WIDTH * wall->jitter[i] + most - 1) / most);
    memset(bar, '#', (size_t)marks);
    bar[marks] = '\0';
    int over = i == FB_RUN_JITTER_BINS - 1;
    print_duration(1e-6 * (double)(1L << (over ? i - 1 : i)), from);
    cmd_table_cells(table, "%s %s\t%lld\t%s", over ? "over" : "below", from, wall->jitter[i], bar);
  }
  cmd_table_end(table, stdout, job->app->color_out);
}

static void print_course(const cmd_job* job, const fb_run_summary* summary) {
  const fb_scenario* s = fb_run_scenario(job->run);
  const fb_model* m = fb_scenario_model(s);
  int nbody = fb_model_nbody(m) - 1, nv = fb_model_nv(m);
  char wall[32], speed[32];
  cmd_speed_text(summary->speed, speed);
  print_duration(summary->wall.seconds, wall);
  cmd_table* table = cmd_table_new(2, NULL);
  cmd_table_cells(table, "model\t%s: %d %s, %d degree%s of freedom",
                  fb_model_name(m)[0] ? fb_model_name(m) : "no name", nbody, nbody == 1 ? "body" : "bodies",
                  nv, nv == 1 ? "" : "s");
  const char* reason = fb_scenario_integrator_reason(s);
  cmd_table_cells(table, reason[0] ? "integrator\t%s (%s)" : "integrator\t%s", fb_scenario_integrator(s),
                  reason);
  const char* limits = fb_scenario_unenforced_limits(s);
  if (limits[0]) cmd_table_cells(table, "limits\t%s", limits);
  cmd_table_cells(table, "simulated\t%.9g of %.9g s", summary->t, summary->duration);
  cmd_table_cells(table, "steps\t%lld, %lld rejected, %lld evaluations", summary->steps, summary->rejected,
                  summary->evaluations);
  if (summary->t_begin > 0)
    cmd_table_cells(table, "wall time\t%s, %s x real time, since t = %.9g s", wall, speed, summary->t_begin);
  else
    cmd_table_cells(table, "wall time\t%s, %s x real time", wall, speed);
  add_realtime(&summary->wall, table);
  add_controllers(job, table);
  cmd_table_cells(table, "log\t%lld samples of %d signals", summary->samples, summary->signals);
  cmd_table_end(table, stdout, job->app->color_out);
}

static void print_energy(const cmd_job* job, const fb_ledger* l) {
  char tree[64];
  cmd_table* table = cmd_table_new(3, NULL);
  cmd_print_title(job->app, "Energy [J]");
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
  if (fb_model_nloop(fb_scenario_model(fb_run_scenario(job->run))) > 0)
    cmd_table_cells(table, "loops\t%.2e\tof the forces of loops: zero but for the error of the method",
                    l->loops);
  add_row(table, "end", l->kinetic + l->potential, "kinetic and potential");
  cmd_table_cells(table, "residual\t%.2e\t%.2e of what was exchanged or moved, %.6g J", l->residual,
                  l->relative, l->scale);
  cmd_table_cells(table, "worst\t%.2e\tof what was exchanged or moved until then, at t = %.6g s%s", l->worst,
                  l->worst_t, tree_text(job, l->worst_body, tree));
  cmd_table_end(table, stdout, job->app->color_out);
}

static void print_joins(const cmd_job* job) {
  fb_sim_change change;
  if (fb_run_epoch(job->run) == 0) return;
  cmd_table* table = cmd_table_new(3, NULL);
  cmd_print_title(job->app, "Joins and partings");
  for (int i = 0; fb_run_get_change(job->run, i, &change, NULL) == FB_OK; i++) {
    const double *p = change.impulse.linear, *l = change.impulse.angular;
    cmd_table_cells(table, "%s\tat %.6g s", change.joint, change.t);
    if (change.is_join)
      cmd_table_cells(table, "joined: impulse %.6g N s and %.6g N m s, %.6g J lost",
                      sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]),
                      sqrt(l[0] * l[0] + l[1] * l[1] + l[2] * l[2]), change.impulse.energy);
    else
      cmd_table_cells(table, "parted");
  }
  cmd_table_end(table, stdout, job->app->color_out);
}

static void print_momentum(const cmd_job* job, const fb_run_summary* summary) {
  const fb_ledger* l = &summary->ledger;
  char tree[64];
  if (!(l->linear_scale > 0 || l->angular_scale > 0)) return;
  cmd_table* table = cmd_table_new(3, NULL);
  cmd_print_title(job->app, "Momentum of what floats");
  cmd_table_cells(table, "linear\tresidual %.2e kg m/s\t%.2e of %.6g", l->linear_residual,
                  summary->linear_relative, l->linear_scale);
  cmd_table_cells(table, "angular\tresidual %.2e kg m^2/s\t%.2e of %.6g", l->angular_residual,
                  summary->angular_relative, l->angular_scale);
  cmd_table_cells(table, "worst\t%.2e\tof its scale, at t = %.6g s%s", l->momentum_worst, l->momentum_worst_t,
                  tree_text(job, l->momentum_body, tree));
  cmd_table_end(table, stdout, job->app->color_out);
}

static void print_events(const cmd_job* job, int count) {
  enum { FIRST = 8 };
  static const char* const headers[] = {"t [s]", "event", "what it did"};
  if (count == 0) return;
  char title[48];
  snprintf(title, sizeof title, "Events: %d", count);
  cmd_print_title(job->app, title);
  cmd_table* table = cmd_table_new(3, headers);
  for (int i = 0; i < count && i < FIRST; i++) {
    fb_store_event event = fb_store_get_event(fb_run_store(job->run), i);
    cmd_table_cells(table, "%.9g\t%s\t%s", event.t, event.name, event.text);
  }
  cmd_table_end(table, stdout, job->app->color_out);
  if (count > FIRST) printf("  and %d more\n", count - FIRST);
}

void cmd_summary_print(const cmd_job* job, const fb_run_summary* summary) {
  int color = job->app->color_out;
  char name[200], *folder = cmd_job_shell_name(job->folder), *signal = cmd_job_worth_plotting(job->run);
  snprintf(name, sizeof name, "%s", fb_scenario_name(fb_run_scenario(job->run)));
  printf("%s%s%s: %s\n", cmd_style_on(color, FB_STYLE_BOLD), cmd_text_clean(name), cmd_style_off(color),
         fb_run_state_name(summary->state));
  print_course(job, summary);
  print_histogram(job, &summary->wall);
  print_energy(job, &summary->ledger);
  print_momentum(job, summary);
  print_joins(job);
  if (summary->warning[0])
    printf("\n%sWarning:%s %s\n", cmd_style_on(color, FB_STYLE_YELLOW), cmd_style_off(color),
           summary->warning);
  if (summary->note[0]) printf("\nNote: %s\n", summary->note);
  print_events(job, summary->events);
  cmd_print_title(job->app, "Where to look");
  printf("  freebody view %s -o report.html\n", folder);
  printf("  freebody plot %s %s -o plot.svg\n", folder, signal);
  printf("  freebody export %s -o log.csv\n", folder);
  free(signal);
  free(folder);
}
