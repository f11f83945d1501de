/* export_part.c -- a part of a run from the words of the command line: spans of time, lists of signals. */
#include "run/export.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

cmd_span cmd_span_all(void) {
  cmd_span span = {-INFINITY, INFINITY};
  return span;
}

int cmd_span_check(const cmd_app* app, const cmd_span* span) {
  if (span->from <= span->to) return 1;
  return cmd_refuse(app, "--from %g lies after --to %g", span->from, span->to);
}

fb_status cmd_part_ends(fb_store* run, long long first, long long count, double ends[2], fb_error* error) {
  fb_status status = fb_store_read_signal(run, -1, first, 1, &ends[0], error);
  return status == FB_OK ? fb_store_read_signal(run, -1, first + count - 1, 1, &ends[1], error) : status;
}

/* Times of samples are multiples of a period, computed in doubles: 0.3 may be stored as 0.30000000000000004. */
static double slack(double t) {
  return 1e-12 * fmax(1e-3, fabs(t));
}

fb_status cmd_span_find(fb_store* run, const char* name, const cmd_span* span, fb_store_part* part,
                        fb_error* error) {
  part->from = span->from - slack(span->from);
  part->to = span->to + slack(span->to);
  fb_status status = fb_store_range(run, part->from, part->to, &part->first, &part->count, error);
  if (status != FB_OK || part->count > 0) return status;
  long long n = fb_store_nsample(run);
  double ends[2];
  if (n == 0) {
    status = fb_fail(error, FB_ERR_ARG, "the run has no samples yet");
  } else {
    status = cmd_part_ends(run, 0, n, ends, error);
    if (status != FB_OK) return status;
    status = fb_fail(error, FB_ERR_ARG, "the run has no sample in this span; its samples are from %g to %g s",
                     ends[0], ends[1]);
  }
  fb_error_set_place(error, name, NULL, (fb_place){0, 0});
  return status;
}

fb_status cmd_part_add(fb_store* run, const char* names, int* signals, int* count, fb_error* error) {
  /* A joint's name may hold a comma, so the whole is tried first. */
  if (fb_store_select(run, names, signals, count, error) == FB_OK) return FB_OK;
  char* copy = cmd_copy(names);
  fb_status status = FB_OK;
  for (char* name = copy; name && status == FB_OK;) {
    char* comma = strchr(name, ',');
    if (comma) *comma = '\0';
    status = name[0] ? fb_store_select(run, name, signals, count, error)
                     : fb_fail(error, FB_ERR_NAME, "'%s' has an empty name between its commas", names);
    name = comma ? comma + 1 : NULL;
  }
  free(copy);
  return status;
}

fb_status cmd_part_words(fb_store* run, const fb_store_part* part, char* buffer, size_t size,
                         fb_error* error) {
  snprintf(buffer, size, "no samples");
  if (part->count == 0) return FB_OK;
  double ends[2];
  fb_status status = cmd_part_ends(run, part->first, part->count, ends, error);
  if (status == FB_OK)
    snprintf(buffer, size, "%lld sample%s from %g to %g s", part->count, part->count == 1 ? "" : "s", ends[0],
             ends[1]);
  return status;
}

int cmd_exit_code(const cmd_app* app, fb_status status, const fb_error* error) {
  if (status == FB_OK) return FB_EXIT_OK;
  cmd_print_error(app, error);
  return status == FB_ERR_ARG || status == FB_ERR_NAME ? FB_EXIT_USAGE : FB_EXIT_FAILED;
}

fb_store* cmd_open_run(const cmd_app* app, const char* folder, int* code) {
  fb_error error;
  fb_store* run = NULL;
  fb_status status = fb_store_open(folder, &run, &error);
  *code = cmd_input_code(app, status, &error);
  return status == FB_OK ? run : NULL;
}
