/* scenario.c -- the memory of a scenario, and its properties as public functions return them. */
#include "scenario/scenario.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "format/notes.h"

fb_status fb_scenario_no_memory(fb_error* error) {
  return fb_fail(error, FB_ERR_MEMORY, "out of memory while the scenario was read");
}

fb_status fb_scenario_go_on(fb_scenario* s, fb_status status, fb_error* error) {
  if (!status || !fb_io_go_on(&s->io, status, error)) return status;
  if (s->failures++ == 0) s->first = *error;
  return FB_OK;
}

int fb_scenario_own(fb_scenario* s, void* memory, void (*release)(void* memory)) {
  if (!fb_grow(&s->owned, s->owned_count, 1, &s->owned_room, sizeof *s->owned)) {
    release(memory);
    return 0;
  }
  s->owned[s->owned_count++] = (fb_owned){memory, release};
  return 1;
}

void* fb_scenario_alloc(fb_scenario* s, size_t count, size_t size) {
  void* memory = calloc(count ? count : 1, size);
  return memory && fb_scenario_own(s, memory, free) ? memory : NULL;
}

const char* fb_scenario_copy_text(fb_scenario* s, const char* text) {
  char* copy = fb_scenario_alloc(s, strlen(text) + 1, 1);
  return copy ? strcpy(copy, text) : NULL;
}

const char* fb_scenario_print(fb_scenario* s, const char* format, ...) {
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return fb_scenario_copy_text(s, text);
}

void fb_scenario_free(fb_scenario* s) {
  if (!s) return;
  for (size_t i = 0; i < s->owned_count; i++) s->owned[i].free(s->owned[i].memory);
  free(s->owned);
  for (size_t i = 0; i < s->input_count; i++) {
    free(s->inputs[i].file);
    free(s->inputs[i].text);
    free(s->inputs[i].from);
  }
  free(s->inputs);
  free(s->changes);
  free(s->motions);
  free(s->blocks);
  free(s->faces);
  free(s->events);
  free(s->limits);
  free(s->surfaces);
  free(s->meshes);
  free(s->signals);
  fb_model_free(s->model);
  fb_doc_free(s->doc);
  free(s);
}

const char* fb_scenario_name(const fb_scenario* s) {
  return s->name;
}

const fb_model* fb_scenario_model(const fb_scenario* s) {
  return s->model;
}

double fb_scenario_duration(const fb_scenario* s) {
  return s->duration;
}

double fb_scenario_log_period(const fb_scenario* s) {
  return s->log_period;
}

double fb_scenario_checkpoint_period(const fb_scenario* s) {
  return s->checkpoint;
}

int fb_scenario_nsignal(const fb_scenario* s) {
  return s->nsignal;
}

const fb_signal* fb_scenario_signals(const fb_scenario* s) {
  return s->signals;
}

const char* fb_scenario_integrator(const fb_scenario* s) {
  return s->integrator;
}

const char* fb_scenario_integrator_reason(const fb_scenario* s) {
  return s->integrator_reason;
}

const char* fb_scenario_unenforced_limits(const fb_scenario* s) {
  return s->unenforced ? s->unenforced : "";
}

const double* fb_scenario_q(const fb_scenario* s) {
  return s->q;
}

const double* fb_scenario_v(const fb_scenario* s) {
  return s->v;
}
