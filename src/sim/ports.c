/* ports.c -- inputs and outputs of blocks
 *
 * At the start the signals of inputs are found and the blocks are sorted: a block comes after those whose outputs it reads.
 * Blocks whose outputs depend on each other's present inputs cannot be sorted: an algebraic loop. Held outputs need
 * memory only; where a loop passes through one, it is cut there, and the block that reads it gets the previously held
 * value at a tick. Otherwise the order is that in which the blocks were added. O(blocks^2) once; then the cost of the
 * outputs in use, none without inputs. */
#include <stdio.h>
#include <string.h>

#include <freebody/status.h>

#include "signal/signal_kind.h"
#include "sim/sim.h"
#include "signal/signal_value.h"
#include "sim/flow.h"
#include "sim/event/event.h"

enum { PLACED = 1, LISTED = 2 };

/* --- inputs --- */

static fb_status check_input(const fb_sim* s, const fb_block* block, const fb_port* port,
                             const fb_signal* signals, fb_error* error) {
  for (int i = 0; i < port->count; i++) {
    fb_signal_info info;
    fb_sim_signal_info(s, signals[i], &info);
    if (signals[i].kind != FB_SIGNAL_OUTPUT &&
        fb_signal_kinds[signals[i].kind].needs & (FB_NEEDS_FORCES | FB_NEEDS_LEDGER))
      return fb_fail(error, FB_ERR_ARG,
                     "block \"%s\" takes \"%s\", which depends on what blocks do; take coordinates, rates, "
                     "poses, velocities, energies or outputs of blocks",
                     block->name, port->name);
    const char* wrong = port->unit && strcmp(port->unit, info.unit) != 0   ? "unit"
                        : port->axes && strcmp(port->axes, info.axes) != 0 ? "axes"
                                                                           : NULL;
    if (wrong)
      return fb_fail(error, FB_ERR_ARG, "block \"%s\" takes \"%s\" with the %s \"%s\", but it has \"%s\"",
                     block->name, port->name, wrong, wrong[0] == 'u' ? port->unit : port->axes,
                     wrong[0] == 'u' ? info.unit : info.axes);
  }
  return FB_OK;
}

/* Adds the name of the block to an error about the name of a signal. */
static fb_status fail_with_block(const fb_block* block, fb_status status, fb_error* error) {
  if (!error) return status;
  const fb_error cause = *error;
  return fb_fail(error, status, "block \"%s\": %s", block->name, cause.text);
}

static fb_status find_inputs(fb_sim* s, int b, fb_error* error) {
  const fb_block* block = &s->block.list[b];
  fb_signal* signals = s->block.in_signals + s->block.in_offset[b];
  for (int i = 0; i < block->ninput; i++) {
    const fb_port* port = &block->inputs[i];
    int count;
    fb_status status = fb_sim_find_signal(s, port->name, signals, port->count, &count, error);
    if (status) return fail_with_block(block, status, error);
    if (count != port->count)
      return fb_fail(error, FB_ERR_ARG, "block \"%s\" takes %d number%s from \"%s\", which has %d",
                     block->name, port->count, port->count == 1 ? "" : "s", port->name, count);
    status = check_input(s, block, port, signals, error);
    if (status) return status;
    signals += port->count;
  }
  return FB_OK;
}

/* --- the order --- */

/* The first unsorted block that block b reads from; -1 when there is none. */
static int waits_for(const fb_sim* s, int b) {
  int end = s->block.in_offset[b] + fb_port_width(s->block.list[b].inputs, s->block.list[b].ninput);
  for (int i = s->block.in_offset[b]; i < end; i++)
    if (s->block.in_signals[i].kind == FB_SIGNAL_OUTPUT &&
        !(s->block.wanted[s->block.in_signals[i].index] & PLACED))
      return s->block.in_signals[i].index;
  return -1;
}

/* The next block in the order: one that depends on no unsorted block, else one with held outputs; -1: neither. */
static int next_block(const fb_sim* s) {
  int patient = -1;
  for (int b = 0; b < s->block.count; b++) {
    if (s->block.wanted[b] & PLACED) continue;
    if (waits_for(s, b) < 0) return b;
    if (patient < 0 && (s->block.list[b].held || s->block.list[b].noutput == 0)) patient = b;
  }
  return patient;
}

/* Follows dependencies from a block until it is in the loop, and then once around. */
static fb_status refuse_loop(fb_sim* s, fb_error* error) {
  char names[300] = "";
  size_t used = 0;
  int b = 0;
  while (s->block.wanted[b] & PLACED) b++;
  for (int i = 0; i < s->block.count; i++) b = waits_for(s, b);
  for (; !(s->block.wanted[b] & LISTED) && used < sizeof names; b = waits_for(s, b)) {
    s->block.wanted[b] |= LISTED;
    used += (size_t)snprintf(names + used, sizeof names - used, "%s\"%.60s\"", used ? ", " : "",
                             s->block.list[b].name);
  }
  return fb_fail(error, FB_ERR_ARG,
                 "the outputs of these blocks wait for one another, an algebraic loop: %s; sample one of "
                 "them, so that its outputs are held",
                 names);
}

static fb_status sort(fb_sim* s, fb_error* error) {
  memset(s->block.wanted, 0, (size_t)s->block.count);
  for (int i = 0; i < s->block.count; i++) {
    int b = next_block(s);
    if (b < 0) return refuse_loop(s, error);
    s->block.order[i] = b;
    s->block.wanted[b] |= PLACED;
  }
  return FB_OK;
}

fb_status fb_ports_start(fb_sim* s, fb_error* error) {
  fb_status status = FB_OK;
  for (int b = 0, in = 0, out = 0; b < s->block.count; b++) {
    s->block.in_offset[b] = in;
    s->block.out_offset[b] = out;
    in += fb_port_width(s->block.list[b].inputs, s->block.list[b].ninput);
    out += fb_port_width(s->block.list[b].outputs, s->block.list[b].noutput);
  }
  for (int b = 0; b < s->block.count && !status; b++) status = find_inputs(s, b, error);
  if (!status) status = sort(s, error);
  for (int i = 0; i < s->block.nin && !status; i++)
    if (s->block.in_signals[i].kind == FB_SIGNAL_OUTPUT) s->block.linked[s->block.in_signals[i].index] = 1;
  return status;
}

/* --- values --- */

/* Passes the outputs of others to block b. */
static void take_inputs(fb_sim* s, int b) {
  int end = s->block.in_offset[b] + fb_port_width(s->block.list[b].inputs, s->block.list[b].ninput);
  for (int i = s->block.in_offset[b]; i < end; i++)
    if (s->block.in_signals[i].kind == FB_SIGNAL_OUTPUT)
      s->block.in[i] =
          s->block.out[s->block.out_offset[s->block.in_signals[i].index] + s->block.in_signals[i].component];
}

static fb_status call(fb_sim* s, int b, fb_context context, const double* x, fb_error* error) {
  const fb_block* block = &s->block.list[b];
  double* out = s->block.out + s->block.out_offset[b];
  memset(out, 0, (size_t)fb_port_width(block->outputs, block->noutput) * sizeof *out);
  context.inputs = s->block.in + s->block.in_offset[b];
  fb_status status = block->output(block->user, &context, s->block.memory + s->block.memory_offset[b],
                                   x + s->block.state_offset[b], out, error);
  return status ? fb_block_failed(block, context.t, status, error) : FB_OK;
}

/* The outputs of the blocks that are marked, and all inputs. */
static fb_status update(fb_sim* s, double t, const double* y, const unsigned char* marked, fb_error* error) {
  fb_status status = fb_signal_read(s, t, y, s->block.in_signals, s->block.nin, s->block.in, error);
  fb_context context = fb_flow_context(s, t, y);
  for (int i = 0; i < s->block.count && !status; i++) {
    int b = s->block.order[i];
    take_inputs(s, b);
    if (marked[b] && s->block.list[b].output) status = call(s, b, context, y + s->nq + s->nv, error);
  }
  for (int b = 0; b < s->block.count && !status; b++) take_inputs(s, b);
  return status;
}

fb_status fb_ports_fill(fb_sim* s, double t, const double* y, fb_error* error) {
  return s->block.nin > 0 ? update(s, t, y, s->block.linked, error) : FB_OK;
}

fb_status fb_ports_probe(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                         fb_error* error) {
  int any = 0;
  for (int b = 0; b < s->block.count; b++) s->block.wanted[b] = s->block.linked[b];
  for (int i = 0; i < count; i++)
    if (signals[i].kind == FB_SIGNAL_OUTPUT) any = s->block.wanted[signals[i].index] = 1;
  return any ? update(s, t < s->step.t_left ? t : s->step.t_left, y, s->block.wanted, error) : FB_OK;
}
