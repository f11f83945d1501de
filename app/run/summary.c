/* summary.c -- what a run came to, as a table: how it went, the ledger, events, where to look. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "run/run.h"
#include "sim/sim.h"

static double relative(double residual, double scale) {
  return scale > 0 ? residual / scale : residual;
}

double cmd_summary_linear(const fb_ledger* ledger) {
  return relative(ledger->linear_residual, ledger->linear_scale);
}

double cmd_summary_angular(const fb_ledger* ledger) {
  return relative(ledger->angular_residual, ledger->angular_scale);
}

/* " of tree "arm"" where there are several, else nothing. */
static const char* tree_text(const fb_sim* sim, int body, char text[64]) {
  text[0] = '\0';
  if (body == 0 || sim->ntree < 2) return text;
  char name[48];
  snprintf(name, sizeof name, "%.40s", fb_body_name(sim->m, body));
  snprintf(text, 64, " of tree \"%s\"", cmd_text_clean(name));
  return text;
}

/* Warns when the method made or lost more than a motion to be trusted can have, at the end of any step. */
static void judge(cmd_summary* summary) {
  static const double MOST = 1e-3;
  const fb_ledger* l = &summary->ledger;
  const fb_sim* sim = summary->job->sim;
  char *text = summary->warning, tree[64];
  size_t size = sizeof summary->warning, n = 0;
  if (l->worst > MOST)
    n += (size_t)snprintf(text, size, " energy%s is off by %.1e of what was exchanged at t = %.6g s",
                          tree_text(sim, l->worst_body, tree), l->worst, l->worst_t);
  if (l->momentum_worst > MOST)
    n += (size_t)snprintf(text + n, size - n, "%s momentum%s is off by %.1e of its scale at t = %.6g s",
                          n ? "," : "", tree_text(sim, l->momentum_body, tree), l->momentum_worst,
                          l->momentum_worst_t);
  if (n == 0) return;
  char what[280];
  snprintf(what, sizeof what, "%.270s", text);
  snprintf(text, size, "the ledger does not close:%s; do not trust this motion, %s", what,
           fb_sim_traits(sim).adaptive
               ? "but tighten integrator.rtol or give a max_step"
               : "but shorten the step or use dopri5 (--set integrator.method=dopri5)");
}

cmd_summary cmd_summary_take(const cmd_job* job) {
  cmd_summary summary = {.job = job, .t = fb_sim_time(job->sim)};
  fb_sim_ledger(job->sim, &summary.ledger);
  judge(&summary);
  return summary;
}

double cmd_summary_speed(const cmd_job* job, double t) {
  return job->wall > 0 ? (t - job->t_begin) / job->wall : 0;
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

static void add_realtime(const cmd_pacer* pacer, cmd_table* table) {
  char p50[32], p99[32], most[32];
  if (!(pacer->factor > 0)) return;
  print_duration(cmd_pacer_quantile(pacer, 0.5), p50);
  print_duration(cmd_pacer_quantile(pacer, 0.99), p99);
  print_duration(pacer->late_max, most);
  cmd_table_cell(table, "deadlines");
  cmd_table_cell(table, "%lld, %lld missed, at %g x real time", pacer->count, pacer->missed, pacer->factor);
  cmd_table_cell(table, "jitter");
  cmd_table_cell(table, "p50 %s, p99 %s, max %s", p50, p99, most);
}

static void print_course(const cmd_summary* summary, FILE* out) {
  const cmd_job* job = summary->job;
  const fb_model* m = fb_sim_model(job->sim);
  int nbody = fb_model_nbody(m) - 1, nv = fb_model_nv(m);
  char wall[32], speed[32];
  cmd_speed_text(cmd_summary_speed(job, summary->t), speed);
  print_duration(job->wall, wall);
  cmd_table* table = cmd_table_new(2, NULL);
  cmd_table_cell(table, "model");
  cmd_table_cell(table, "%s: %d %s, %d degree%s of freedom",
                 fb_model_name(m)[0] ? fb_model_name(m) : "no name", nbody, nbody == 1 ? "body" : "bodies",
                 nv, nv == 1 ? "" : "s");
  cmd_table_cell(table, "integrator");
  cmd_table_cell(table, "%s", fb_scenario_integrator(job->scenario));
  cmd_table_cell(table, "simulated");
  cmd_table_cell(table, "%.9g of %.9g s", summary->t, fb_scenario_duration(job->scenario));
  cmd_table_cell(table, "steps");
  cmd_table_cell(table, "%lld, %lld rejected, %lld evaluations", fb_sim_steps(job->sim),
                 fb_sim_rejected(job->sim), fb_sim_evaluations(job->sim));
  cmd_table_cell(table, "wall time");
  if (job->t_begin > 0)
    cmd_table_cell(table, "%s, %s x real time, since t = %.9g s", wall, speed, job->t_begin);
  else
    cmd_table_cell(table, "%s, %s x real time", wall, speed);
  add_realtime(&job->pacer, table);
  cmd_table_cell(table, "log");
  cmd_table_cell(table, "%lld samples of %d signals", fb_store_nsample(job->store),
                 fb_store_nsignal(job->store));
  print_table(job, table, out);
}

static void print_energy(const cmd_summary* summary, FILE* out) {
  const fb_ledger* l = &summary->ledger;
  char tree[64];
  cmd_table* table = cmd_table_new(3, NULL);
  print_section(summary->job, out, "Energy [J]");
  add_row(table, "start", l->kinetic_0 + l->potential_0, "kinetic and potential");
  add_row(table, "work", l->work, "of actuators and prescribed motions");
  add_row(table, "outside", l->outside, "of forces from outside");
  add_row(table, "dissipated", 0 - l->dissipated, "in dampers and friction");
  add_row(table, "jumped", l->jumped, "at locks and bounces");
  add_row(table, "end", l->kinetic + l->potential, "kinetic and potential");
  cmd_table_cell(table, "residual");
  cmd_table_cell(table, "%.2e", l->residual);
  cmd_table_cell(table, "%.2e of what was exchanged or moved, %.6g J", l->relative, l->scale);
  cmd_table_cell(table, "worst");
  cmd_table_cell(table, "%.2e", l->worst);
  cmd_table_cell(table, "of what was exchanged or moved until then, at t = %.6g s%s", l->worst_t,
                 tree_text(summary->job->sim, l->worst_body, tree));
  print_table(summary->job, table, out);
}

static void print_momentum(const cmd_summary* summary, FILE* out) {
  const fb_ledger* l = &summary->ledger;
  char tree[64];
  if (!(l->linear_scale > 0 || l->angular_scale > 0)) return;
  cmd_table* table = cmd_table_new(3, NULL);
  print_section(summary->job, out, "Momentum of what floats");
  cmd_table_cell(table, "linear");
  cmd_table_cell(table, "residual %.2e kg m/s", l->linear_residual);
  cmd_table_cell(table, "%.2e of %.6g", cmd_summary_linear(l), l->linear_scale);
  cmd_table_cell(table, "angular");
  cmd_table_cell(table, "residual %.2e kg m^2/s", l->angular_residual);
  cmd_table_cell(table, "%.2e of %.6g", cmd_summary_angular(l), l->angular_scale);
  cmd_table_cell(table, "worst");
  cmd_table_cell(table, "%.2e", l->momentum_worst);
  cmd_table_cell(table, "of its scale, at t = %.6g s%s", l->momentum_worst_t,
                 tree_text(summary->job->sim, l->momentum_body, tree));
  print_table(summary->job, table, out);
}

static void print_events(const cmd_summary* summary, FILE* out) {
  enum { FIRST = 8 };
  static const char* const headers[] = {"t [s]", "event", "what it did"};
  int count = fb_store_nevent(summary->job->store);
  if (count == 0) return;
  char title[48];
  snprintf(title, sizeof title, "Events: %d", count);
  print_section(summary->job, out, title);
  cmd_table* table = cmd_table_new(3, headers);
  for (int i = 0; i < count && i < FIRST; i++) {
    fb_store_event event = fb_store_event_at(summary->job->store, i);
    cmd_table_cell(table, "%.9g", event.t);
    cmd_table_cell(table, "%s", event.name);
    cmd_table_cell(table, "%s", event.text);
  }
  print_table(summary->job, table, out);
  if (count > FIRST) fprintf(out, "  and %d more\n", count - FIRST);
}

void cmd_summary_print(const cmd_summary* summary, FILE* out) {
  const cmd_job* job = summary->job;
  int color = job->app->color_out;
  char name[200], *folder = cmd_job_shell_name(job->folder);
  snprintf(name, sizeof name, "%s", fb_scenario_name(job->scenario));
  fprintf(out, "%s%s%s: %s\n", cmd_style_on(color, FB_STYLE_BOLD), cmd_text_clean(name), cmd_style_off(color),
          cmd_job_end_name(job->end));
  print_course(summary, out);
  print_energy(summary, out);
  print_momentum(summary, out);
  if (summary->warning[0])
    fprintf(out, "\n%sWarning:%s %s\n", cmd_style_on(color, FB_STYLE_YELLOW), cmd_style_off(color),
            summary->warning);
  print_events(summary, out);
  print_section(job, out, "Where to look");
  char* signal = cmd_job_worth_plotting(job);
  fprintf(out, "  freebody view %s -o report.html\n", folder);
  fprintf(out, "  freebody plot %s %s -o plot.svg\n", folder, signal);
  free(signal);
  fprintf(out, "  freebody export %s -o log.csv\n", folder);
  free(folder);
}
