/* clock.c -- the wall clock: pacing for --realtime, and the progress line.
 *
 * Deadline of simulated time t:  wall_begin + (t - t_begin) / factor.  Waiting is for the absolute time, so that
 * errors do not add up and a late step is made up for. What is measured is how late the program resumes. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#include "run/run.h"

double cmd_wall_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* --- pacing --- */

cmd_pacer cmd_pacer_start(double factor, double t) {
  cmd_pacer pacer = {0};
  pacer.factor = factor;
  pacer.t_begin = pacer.t_paced = t;
  pacer.wall_begin = cmd_wall_now();
  return pacer;
}

static void keep_lateness(cmd_pacer* pacer, double late) {
  double ns = 1e9 * late, bin = ns > 1 ? 8 * log2(ns) : 0;
  double octave = late >= 1e-6 ? 1 + floor(log2(1e6 * late)) : 0;
  pacer->bins[bin < FB_LATE_BINS ? (int)bin : FB_LATE_BINS - 1]++;
  pacer->coarse[octave < FB_RUN_JITTER_BINS ? (int)octave : FB_RUN_JITTER_BINS - 1]++;
  pacer->count++;
  pacer->late_max = fmax(pacer->late_max, late);
}

void cmd_wall_sleep(double wall) {
  struct timespec until;
  double whole = floor(wall);
  until.tv_sec = (time_t)whole;
  until.tv_nsec = (long)(1e9 * (wall - whole));
  while (!cmd_interrupt_requested() && clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
    continue;
}

double cmd_pacer_next(const cmd_pacer* pacer) {
  static const double SHORTEST = 1e-3; /* between waits [s]: sleeping costs some 50 us */
  return pacer->factor > 0 ? pacer->t_paced + SHORTEST * pacer->factor * (1 - 1e-9) : INFINITY;
}

int cmd_pacer_wait(cmd_pacer* pacer, double t, double longest) {
  if (!pacer->waiting && t < cmd_pacer_next(pacer)) return 1;
  pacer->t_paced = t;
  double deadline = pacer->wall_begin + (t - pacer->t_begin) / pacer->factor;
  double now = cmd_wall_now();
  if (now > deadline)
    pacer->missed += !pacer->waiting;
  else
    cmd_wall_sleep(fmin(deadline, now + longest));
  pacer->waiting = now + longest < deadline && !cmd_interrupt_requested();
  if (!pacer->waiting && !cmd_interrupt_requested()) keep_lateness(pacer, fmax(0, cmd_wall_now() - deadline));
  return !pacer->waiting;
}

/* The lateness that a part of all deadlines stayed below [s]. */
static double quantile(const cmd_pacer* pacer, double part) {
  double wanted = part * (double)pacer->count;
  long long below = 0;
  for (int i = 0; i < FB_LATE_BINS; i++) {
    below += pacer->bins[i];
    if (pacer->count > 0 && (double)below >= wanted) return fmin(1e-9 * exp2((i + 1) / 8.0), pacer->late_max);
  }
  return 0;
}

fb_run_wall cmd_pacer_wall(const cmd_pacer* pacer, double seconds) {
  fb_run_wall wall = fb_default_run_wall();
  wall.seconds = seconds;
  wall.factor = pacer->factor;
  wall.deadlines = pacer->count;
  wall.missed = pacer->missed;
  wall.jitter_p50 = quantile(pacer, 0.5);
  wall.jitter_p99 = quantile(pacer, 0.99);
  wall.jitter_max = pacer->late_max;
  wall.priority = pacer->priority;
  wall.locked = pacer->locked;
  memcpy(wall.jitter, pacer->coarse, sizeof wall.jitter);
  return wall;
}

/* --- progress --- */

cmd_progress cmd_progress_start(int quiet) {
  const char* terminal = getenv("TERM");
  int dumb = terminal && strcmp(terminal, "dumb") == 0;
  double now = cmd_wall_now();
  return (cmd_progress){!quiet && !dumb && isatty(STDERR_FILENO) == 1, now, now, 0};
}

static int columns_of_terminal(void) {
  struct winsize size = {0};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

/* "1:02:03", "2:03" */
static void print_clock(double seconds, char text[32]) {
  long long s = seconds < 1e15 ? (long long)ceil(seconds) : (long long)1e15;
  if (s >= 3600)
    snprintf(text, 32, "%lld:%02d:%02d", s / 3600, (int)(s / 60 % 60), (int)(s % 60));
  else
    snprintf(text, 32, "%d:%02d", (int)(s / 60), (int)(s % 60));
}

/* As wide a bar as the line leaves room for. */
static void print_bar(double part, int room, char text[48]) {
  int width = room > 44 ? 44 : room < 0 ? 0 : room;
  int full = (int)(part * (width - 3));
  text[0] = '\0';
  if (width < 8) return;
  text[0] = '[';
  for (int i = 0; i < width - 3; i++) text[1 + i] = i < full ? '#' : '.';
  memcpy(text + width - 2, "] ", 3);
}

enum { FIELDS = 5, FIELD_SIZE = 64 };

/* How far, how fast, how long still, and the residuals; those that do not fit are left out, the least telling first.
 * Returns the length of what stays. */
static int print_fields(const cmd_progress* progress, const fb_run_summary* now, double speed, int room,
                        char fields[FIELDS][FIELD_SIZE]) {
  static const int least_useful_first[FIELDS] = {4, 3, 1, 2, 0};
  char eta[32] = "?", multiple[32];
  if (speed > 0) print_clock((now->duration - now->t) / speed, eta);
  memset(fields, 0, FIELDS * FIELD_SIZE);
  snprintf(fields[0], FIELD_SIZE, "%.6g of %.6g s", now->t, now->duration);
  snprintf(fields[1], FIELD_SIZE, "  %s x real time", cmd_speed_text(speed, multiple));
  snprintf(fields[2], FIELD_SIZE, progress->paused ? "  paused" : "  ETA %s", eta);
  snprintf(fields[3], FIELD_SIZE, "  energy %.1e", now->ledger.relative);
  if (now->ledger.linear_scale > 0 || now->ledger.angular_scale > 0)
    snprintf(fields[4], FIELD_SIZE, "  momentum %.1e", fmax(now->linear_relative, now->angular_relative));
  int length = 0;
  for (int i = 0; i < FIELDS; i++) length += (int)strlen(fields[i]);
  for (int i = 0; i < FIELDS && length > room; i++) {
    char* field = fields[least_useful_first[i]];
    length -= (int)strlen(field);
    field[0] = '\0';
  }
  return length;
}

void cmd_progress_show(cmd_progress* progress, fb_run* run) {
  static const double BETWEEN = 0.1; /* [s] */
  double wall = cmd_wall_now();
  if (!progress->on || wall - progress->shown < BETWEEN) return;
  progress->shown = wall;
  fb_run_summary now;
  fb_run_summarise(run, &now);
  double took = wall - progress->wall_begin;
  double speed = took > 0 ? (now.t - now.t_begin) / took : 0;
  char bar[48], fields[FIELDS][FIELD_SIZE];
  int room = columns_of_terminal() - 1;
  int length = print_fields(progress, &now, speed, room, fields);
  print_bar(fmin(1, now.t / now.duration), room - length, bar);
  fprintf(stderr, "\r%s", bar);
  for (int i = 0; i < FIELDS; i++) fputs(fields[i], stderr);
  fputs("\033[K", stderr);
  fflush(stderr);
}

char* cmd_speed_text(double speed, char text[32]) {
  snprintf(text, 32, speed >= 100 && speed < 1e9 ? "%.0f" : "%.3g", speed);
  return text;
}

void cmd_progress_clear(const cmd_progress* progress) {
  if (!progress->on) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
}
