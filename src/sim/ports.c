/* ports.c -- inputs and outputs of blocks
 *
 * At the start the inputs are looked up and the blocks put in order: who gives before who takes. An output that needs
 * the inputs of the moment comes after them, so blocks that need one another cannot be ordered: an algebraic loop.
 * Held outputs need memory only; where a loop passes through one, it is cut there, and the block that takes it sees at
 * a tick what was held before. The order is that in which the blocks were added, but for this. O(blocks^2) once; then
 * what is asked for, and nothing without inputs. */
#include <stdio.h>
#include <string.h>

#include <freebody/status.h>

#include "signal/signal_kind.h"
#include "sim/sim.h"
#include "signal/signal_value.h"
#include "sim/flow.h"
#include "sim/event.h"

enum { PLACED = 1, LISTED = 2 };

/* --- inputs --- */

static fb_status check_input(const fb_sim* s, const fb_block* block, const fb_port* port,
                             const fb_signal* signals, fb_error* error) {
  for (int i = 0; i < port->count; i++) {
    fb_signal_info info;
    fb_sim_signal_info(s, signals[i], &info);
    if (signals[i].kind != FB_SIGNAL_OUTPUT &&
        fb_signal_kinds[signals[i].kind].needs & (FB_NEEDS_FORCES | FB_NEEDS_LEDGER))
      return fb_fail(
          error, FB_ERR_ARG,
          "block \"%s\" takes \"%s\", which depends on what blocks do; take coordinates, rates, poses, "
          "velocities, energies or outputs of blocks",
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

/* Adds who asks to what is wrong with the name of a signal. */
static fb_status fail_asked(const fb_block* block, fb_status status, fb_error* error) {
  if (!error) return status;
  const fb_error own = *error;
  return fb_fail(error, status, "block \"%s\": %s", block->name, own.text);
}

static fb_status find_inputs(fb_sim* s, int b, fb_error* error) {
  const fb_block* block = &s->blocks[b];
  fb_signal* signals = s->in_signals + s->block_in[b];
  for (int i = 0; i < block->ninput; i++) {
    const fb_port* port = &block->inputs[i];
    int count;
    fb_status status = fb_sim_find_signal(s, port->name, signals, port->count, &count, error);
    if (status) return fail_asked(block, status, error);
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

/* The first block not placed yet from which block b takes something; -1 when there is none. */
static int waits_for(const fb_sim* s, int b) {
  int end = s->block_in[b] + fb_ports_width(s->blocks[b].inputs, s->blocks[b].ninput);
  for (int i = s->block_in[b]; i < end; i++)
    if (s->in_signals[i].kind == FB_SIGNAL_OUTPUT && !(s->asked[s->in_signals[i].index] & PLACED))
      return s->in_signals[i].index;
  return -1;
}

/* The next block to be placed: one that waits for nothing, else one that waits but need not; -1: neither. */
static int next_block(const fb_sim* s) {
  int patient = -1;
  for (int b = 0; b < s->nblock; b++) {
    if (s->asked[b] & PLACED) continue;
    if (waits_for(s, b) < 0) return b;
    if (patient < 0 && (s->blocks[b].held || s->blocks[b].noutput == 0)) patient = b;
  }
  return patient;
}

/* Walks from a block to one that it waits for, until it is in the loop and then once around. */
static fb_status refuse_loop(fb_sim* s, fb_error* error) {
  char names[300] = "";
  size_t used = 0;
  int b = 0;
  while (s->asked[b] & PLACED) b++;
  for (int i = 0; i < s->nblock; i++) b = waits_for(s, b);
  for (; !(s->asked[b] & LISTED) && used < sizeof names; b = waits_for(s, b)) {
    s->asked[b] |= LISTED;
    used += (size_t)snprintf(names + used, sizeof names - used, "%s\"%.60s\"", used ? ", " : "",
                             s->blocks[b].name);
  }
  return fb_fail(
      error, FB_ERR_ARG,
      "the outputs of these blocks wait for one another, an algebraic loop: %s; sample one of them, so that "
      "its outputs are held",
      names);
}

static fb_status sort(fb_sim* s, fb_error* error) {
  memset(s->asked, 0, (size_t)s->nblock);
  for (int i = 0; i < s->nblock; i++) {
    int b = next_block(s);
    if (b < 0) return refuse_loop(s, error);
    s->order[i] = b;
    s->asked[b] |= PLACED;
  }
  return FB_OK;
}

fb_status fb_ports_start(fb_sim* s, fb_error* error) {
  fb_status status = FB_OK;
  for (int b = 0, in = 0, out = 0; b < s->nblock; b++) {
    s->block_in[b] = in;
    s->block_out[b] = out;
    in += fb_ports_width(s->blocks[b].inputs, s->blocks[b].ninput);
    out += fb_ports_width(s->blocks[b].outputs, s->blocks[b].noutput);
  }
  for (int b = 0; b < s->nblock && !status; b++) status = find_inputs(s, b, error);
  if (!status) status = sort(s, error);
  for (int i = 0; i < s->nin && !status; i++)
    if (s->in_signals[i].kind == FB_SIGNAL_OUTPUT) s->linked[s->in_signals[i].index] = 1;
  return status;
}

/* --- at a moment --- */

/* Passes the outputs of others to block b. */
static void take_inputs(fb_sim* s, int b) {
  int end = s->block_in[b] + fb_ports_width(s->blocks[b].inputs, s->blocks[b].ninput);
  for (int i = s->block_in[b]; i < end; i++)
    if (s->in_signals[i].kind == FB_SIGNAL_OUTPUT)
      s->in[i] = s->out[s->block_out[s->in_signals[i].index] + s->in_signals[i].component];
}

static fb_status ask(fb_sim* s, int b, fb_context context, const double* x, fb_error* error) {
  const fb_block* block = &s->blocks[b];
  double* out = s->out + s->block_out[b];
  memset(out, 0, (size_t)fb_ports_width(block->outputs, block->noutput) * sizeof *out);
  context.inputs = s->in + s->block_in[b];
  fb_status status =
      block->output(block->user, &context, s->memory + s->block_memory[b], x + s->block_state[b], out, error);
  return status ? fb_block_failed(block, context.t, status, error) : FB_OK;
}

/* The outputs of the blocks that are marked, and all inputs. */
static fb_status update(fb_sim* s, double t, const double* y, const unsigned char* marked, fb_error* error) {
  fb_status status = fb_signal_read(s, t, y, s->in_signals, s->nin, s->in, error);
  fb_context context = fb_flow_context(s, t, y);
  for (int i = 0; i < s->nblock && !status; i++) {
    int b = s->order[i];
    take_inputs(s, b);
    if (marked[b] && s->blocks[b].output) status = ask(s, b, context, y + s->nq + s->nv, error);
  }
  for (int b = 0; b < s->nblock && !status; b++) take_inputs(s, b);
  return status;
}

fb_status fb_ports_fill(fb_sim* s, double t, const double* y, fb_error* error) {
  return s->nin > 0 ? update(s, t, y, s->linked, error) : FB_OK;
}

fb_status fb_ports_look(fb_sim* s, double t, const double* y, const fb_signal* signals, int count,
                        fb_error* error) {
  int any = 0;
  for (int b = 0; b < s->nblock; b++) s->asked[b] = s->linked[b];
  for (int i = 0; i < count; i++)
    if (signals[i].kind == FB_SIGNAL_OUTPUT) any = s->asked[signals[i].index] = 1;
  return any ? update(s, t < s->t_left ? t : s->t_left, y, s->asked, error) : FB_OK;
}
