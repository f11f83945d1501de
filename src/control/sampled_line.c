/* sampled_line.c -- the delay line of a sampled block
 *
 * In memory: how many outputs there are, the place of the newest, then a ring of them. One output is
 *
 *   begin, wrenches in use, tau [nv], for blocks that move coordinates vdot [nv] and moved [nv], wrenches [nwrench][8],
 *   ports [nport]
 *
 * Memory may come from a checkpoint, so no number in it is used as an index before it is known to be one: a line is
 * used only where fb_line_is_sound, and a wrench's frame that is none becomes -1, which the simulation refuses.
 *
 * Cost of a look: O(outputs not yet begun), at most delay / period + 2. */
#include "control/sampled_line.h"

#include <math.h>
#include <string.h>

#include "block/held_wrench.h"

enum { COUNT, NEWEST, RING };  /* of the line */
enum { BEGIN, WRENCHES, TAU }; /* of an output */

static int output_size(const fb_line* line) {
  return TAU + (line->moves ? 3 : 1) * line->nv + FB_HELD_WRENCH * line->nwrench + line->nport;
}

long long fb_line_size(const fb_line* line) {
  long long tau = TAU + (line->moves ? 3LL : 1LL) * line->nv;
  return RING + line->room * (tau + (long long)FB_HELD_WRENCH * line->nwrench + line->nport);
}

void fb_line_empty(double* memory) {
  memory[COUNT] = memory[NEWEST] = 0;
}

/* A stored number as an index below `end`, or -1. */
static int index_below(double x, int end) {
  return x >= 0 && x < end ? (int)x : -1;
}

int fb_line_is_sound(const fb_line* line, const double* memory) {
  int count = index_below(memory[COUNT], line->room + 1);
  if (count < 0 || index_below(memory[NEWEST], line->room) < 0) return 0;
  for (int i = 0; i < count; i++)
    if (index_below(memory[RING + i * output_size(line) + WRENCHES], line->nwrench + 1) < 0) return 0;
  return 1;
}

/* The output that is `age` before the newest. */
static const double* output_at(const fb_line* line, const double* memory, int age) {
  int at = (int)memory[NEWEST] - age;
  return memory + RING + (at < 0 ? at + line->room : at) * output_size(line);
}

void fb_line_put(const fb_line* line, double* memory, double begin, const fb_action* action, const int* now,
                 const double* ports) {
  int at = memory[COUNT] > 0 ? ((int)memory[NEWEST] + 1) % line->room : 0, nv = line->nv;
  double* output = memory + RING + at * output_size(line);
  double* tau = output + TAU;
  memory[NEWEST] = at;
  memory[COUNT] = fmin(memory[COUNT] + 1, line->room);
  output[BEGIN] = begin;
  output[WRENCHES] = action->nwrench;
  for (int k = 0; k < nv; k++) tau[k] = now[k] >= 0 ? action->tau[now[k]] : 0;
  for (int k = 0; line->moves && k < nv; k++) {
    int moved = now[k] >= 0 && action->moved[now[k]];
    tau[nv + k] = moved ? action->vdot[now[k]] : 0;
    tau[2 * nv + k] = moved;
  }
  double* wrenches = tau + (line->moves ? 3 : 1) * nv;
  for (int i = 0; i < action->nwrench; i++)
    fb_wrench_to_numbers(&action->wrenches[i], wrenches + FB_HELD_WRENCH * i);
  for (int i = 0; i < line->nport; i++) wrenches[FB_HELD_WRENCH * line->nwrench + i] = ports[i];
}

static void drive_output(const fb_line* line, const double* output, const int* now, fb_action* action) {
  int nv = line->nv;
  const double* tau = output + TAU;
  for (int k = 0; k < nv; k++)
    if (now[k] >= 0) action->tau[now[k]] += tau[k];
  for (int k = 0; line->moves && k < nv; k++) {
    if (tau[2 * nv + k] == 0 || now[k] < 0) continue;
    action->vdot[now[k]] = tau[nv + k];
    action->moved[now[k]] = 1;
  }
  const double* wrenches = tau + (line->moves ? 3 : 1) * nv;
  for (int i = 0; i < (int)output[WRENCHES]; i++) {
    fb_wrench* wrench = fb_action_add_wrench(action);
    if (wrench) fb_wrench_from_numbers(wrenches + FB_HELD_WRENCH * i, wrench);
  }
}

/* The last output that has begun at t; NULL when none has. */
static const double* output_begun(const fb_line* line, const double* memory, double t) {
  for (int age = 0; age < (int)memory[COUNT]; age++) {
    const double* output = output_at(line, memory, age);
    if (output[BEGIN] <= t) return output;
  }
  return NULL;
}

void fb_line_drive(const fb_line* line, const double* memory, double t, const int* now, fb_action* action) {
  const double* output = output_begun(line, memory, t);
  if (output) drive_output(line, output, now, action);
}

void fb_line_outputs(const fb_line* line, const double* memory, double t, double* ports) {
  const double* output = output_begun(line, memory, t);
  if (output && line->nport > 0)
    memcpy(ports, output + output_size(line) - line->nport, (size_t)line->nport * sizeof *ports);
}

double fb_line_next(const fb_line* line, const double* memory, double t) {
  double next = INFINITY;
  for (int age = 0; age < (int)memory[COUNT]; age++) {
    double begin = output_at(line, memory, age)[BEGIN];
    if (begin <= t) break;
    next = begin;
  }
  return next;
}
