/* signal_output.c -- the outputs of blocks as signals, in addition to those of the model
 *
 * "BLOCK.PORT", followed by ".x" or ".0" where the port has several numbers. Names of blocks and ports may contain
 * dots, so a name is compared with all of them; it refers to each that it equals, and to each that continues with a
 * dot after it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/status.h>
#include <freebody/support/words.h>

#include "block/kind.h"
#include "signal/signal_kind.h"
#include "sim/sim.h"
#include "signal/signal_value.h"

/* The port that number `at` of a block's outputs belongs to; *at becomes its place in the port. */
static const fb_port* port_of(const fb_block* block, int* at) {
  int i = 0;
  while (*at >= block->outputs[i].count) *at -= block->outputs[i++].count;
  return &block->outputs[i];
}

int fb_space_has(const fb_signal_space* space, fb_signal signal) {
  if (signal.kind != FB_SIGNAL_OUTPUT) return fb_signal_exists(space->m, signal);
  if (signal.index < 0 || signal.index >= space->nblock || signal.component < 0) return 0;
  const fb_block* block = &space->blocks[signal.index];
  return signal.component < fb_port_width(block->outputs, block->noutput);
}

/* A name that is too long for the buffer ends in the numbers of its block and of the output. */
static void output_name(const fb_signal_space* space, fb_signal signal, char name[FB_SIGNAL_NAME_SIZE]) {
  const fb_block* block = &space->blocks[signal.index];
  int at = signal.component;
  const fb_port* port = port_of(block, &at);
  char component[16] = "", end[40];
  if (port->count == 3 && port->axes && port->axes[0])
    snprintf(component, sizeof component, ".%c", "xyz"[at]);
  else if (port->count > 1)
    snprintf(component, sizeof component, ".%d", at);
  int length = snprintf(name, FB_SIGNAL_NAME_SIZE, "%s.%s%s", block->name, port->name, component);
  if (length < FB_SIGNAL_NAME_SIZE) return;
  size_t size = (size_t)snprintf(end, sizeof end, "~%d.%d", signal.index, signal.component);
  size_t room = FB_SIGNAL_NAME_SIZE - 1 - size;
  while (room > 0 && (name[room] & 0xc0) == 0x80) room--; /* not inside a character */
  memcpy(name + room, end, size + 1);
}

/* Plots are labelled by it. */
static const char* meaning_of(const fb_block* block, const fb_port* port) {
  if (!fb_block_is_contact(block)) return "output of a block";
  return port->unit && !strcmp(port->unit, "N") ? "contact force" : "output of a contact";
}

void fb_space_info(const fb_signal_space* space, fb_signal signal, fb_signal_info* info) {
  if (signal.kind != FB_SIGNAL_OUTPUT || !fb_space_has(space, signal)) {
    fb_signal_name(space->m, signal, info->name);
    info->unit = fb_signal_unit(space->m, signal);
    info->axes = fb_signal_axes(space->m, signal);
    info->meaning = fb_signal_meaning(signal);
    return;
  }
  int at = signal.component;
  const fb_port* port = port_of(&space->blocks[signal.index], &at);
  output_name(space, signal, info->name);
  info->unit = port->unit ? port->unit : "1";
  info->axes = port->axes ? port->axes : "";
  info->meaning = meaning_of(&space->blocks[signal.index], port);
}

/* "gyro", "gyro.rate" and "gyro.rate.x" all stand for gyro.rate.x; "gyro.ra*" too. */
static int stands_for(const char* name, size_t length, int star, const char* whole) {
  if (strncmp(whole, name, length) != 0) return 0;
  return star || whole[length] == '\0' || whole[length] == '.';
}

static int find_outputs(const fb_signal_space* space, const char* name, fb_signal* signals, int room) {
  size_t length = strlen(name);
  int star = length > 0 && name[length - 1] == '*', count = 0;
  for (int b = 0; b < space->nblock; b++) {
    int width = fb_port_width(space->blocks[b].outputs, space->blocks[b].noutput);
    for (int i = 0; i < width; i++) {
      const fb_signal signal = {FB_SIGNAL_OUTPUT, b, i};
      char whole[FB_SIGNAL_NAME_SIZE];
      output_name(space, signal, whole);
      if (!stands_for(name, length - (size_t)star, star, whole)) continue;
      if (signals && count < room) signals[count] = signal;
      count++;
    }
  }
  return count;
}

/* The error for "gyro.rat" where there is a block gyro; FB_OK when there is no such block. */
static fb_status explain_block(const fb_block* block, const char* name, fb_error* error) {
  size_t length = strlen(block->name);
  if (length == 0 || strncmp(name, block->name, length) != 0 || (name[length] && name[length] != '.'))
    return FB_OK;
  if (block->noutput == 0)
    return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": block \"%s\" has no outputs", name,
                   block->name);
  const char** words = malloc(((size_t)block->noutput + 1) * sizeof *words);
  char near[FB_SUGGESTION_SIZE] = "";
  for (int i = 0; words && i < block->noutput; i++) words[i] = block->outputs[i].name;
  if (words) words[block->noutput] = NULL;
  if (words) fb_suggestion_or_list(name[length] ? name + length + 1 : "", words, "its outputs are", near);
  free((void*)words);
  return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": block \"%s\" has no such output%s", name,
                 block->name, near);
}

/* The ledger has columns for contacts where there are some. */
static int is_there(const fb_signal_space* space, fb_signal signal) {
  if (!(fb_signal_kinds[signal.kind].needs & FB_NEEDS_CONTACTS)) return 1;
  for (int b = 0; b < space->nblock; b++)
    if (fb_block_is_contact(&space->blocks[b])) return 1;
  return 0;
}

/* Signals of the model that the simulation has, of those that the name stands for; their number, -1 without memory. */
static int find_model_signals(const fb_signal_space* space, const char* name, int all, fb_signal* signals,
                              int room) {
  fb_signal* found = malloc((size_t)all * sizeof *found + 1);
  int count = 0;
  if (!found) return -1;
  if (fb_signal_find(space->m, name, found, all, NULL, NULL)) all = 0;
  for (int i = 0; i < all; i++) {
    if (!is_there(space, found[i])) continue;
    if (signals && count < room) signals[count] = found[i];
    count++;
  }
  free(found);
  return count;
}

fb_status fb_space_find(const fb_signal_space* space, const char* name, fb_signal* signals, int room,
                        int* count, fb_error* error) {
  int all = 0;
  fb_status status = fb_signal_find(space->m, name, NULL, 0, &all, error);
  if (!status) {
    all = find_model_signals(space, name, all, signals, room);
    if (all < 0) return fb_fail(error, FB_ERR_MEMORY, "out of memory for the signals of \"%s\"", name);
    if (count) *count = all;
    if (all > 0) return FB_OK;
    return fb_fail(error, FB_ERR_NAME, "there is no signal \"%s\": the simulation has no contacts", name);
  }
  int found = find_outputs(space, name, signals, room);
  if (count) *count = found;
  if (found > 0) {
    fb_error_clear(error);
    return FB_OK;
  }
  for (int b = 0; b < space->nblock; b++) {
    fb_status known = explain_block(&space->blocks[b], name, error);
    if (known) return known;
  }
  return status;
}

fb_status fb_sim_find_signal(const fb_sim* s, const char* name, fb_signal* signals, int room, int* count,
                             fb_error* error) {
  const fb_signal_space space = {s->regroup.original, s->block.list, s->block.count};
  return fb_space_find(&space, name, signals, room, count, error);
}

void fb_sim_signal_info(const fb_sim* s, fb_signal signal, fb_signal_info* info) {
  const fb_signal_space space = {s->regroup.original, s->block.list, s->block.count};
  fb_space_info(&space, signal, info);
}
