/* loops.c -- a start at which the loops of the model are closed
 *
 * Coordinates and rates that `start` or a motion gives are fixed; the others are solved for, coordinates from where they would
 * be without loops, rates by the least change (fb_loops_close). */
#include <stdlib.h>
#include <string.h>

#include <freebody/loop.h>

#include "scenario/build/build.h"
#include "scenario/read/read.h"

/* Marks the coordinates of joints that `start` gives, and those of motions. */
static void mark_fixed(const fb_scenario* s, int given, unsigned char* fixed) {
  memset(fixed, 0, (size_t)fb_model_nv(s->model));
  for (int b = 1; b < fb_model_nbody(s->model); b++)
    if (s->given[b] & given)
      memset(fixed + fb_joint_v_index(s->model, b), 1, (size_t)fb_joint_nv(s->model, b));
  for (int i = 0; i < s->nmotion; i++)
    if (s->motions[i].at_start) memset(fixed + s->motions[i].first, 1, (size_t)s->motions[i].count);
}

double fb_scenario_widest_loop(const fb_scenario* s, const char** name, fb_error* error) {
  int n = fb_model_nloop(s->model);
  fb_data* d = n > 0 ? fb_data_new(s->model) : NULL;
  double widest = 0, *open = d ? malloc((size_t)n * sizeof *open) : NULL;
  if (open) fb_loop_errors(s->model, d, s->q, open);
  for (int i = 0; open && i < n; i++) {
    if (!(open[i] > widest)) continue;
    widest = open[i];
    *name = fb_loop_name(s->model, i);
  }
  if (n > 0 && !open) fb_scenario_no_memory(error), widest = -1;
  free(open);
  fb_data_free(d);
  return widest;
}

fb_status fb_scenario_close_loops(fb_scenario* s, const fb_fields* top, fb_error* error) {
  const fb_model* m = s->model;
  if (fb_model_nloop(m) == 0) return FB_OK;
  fb_data* d = fb_data_new(m);
  unsigned char* fixed = malloc((size_t)fb_model_nv(m) + 1);
  fb_status status = d && fixed ? FB_OK : fb_scenario_no_memory(error);
  if (!status) {
    mark_fixed(s, FB_GIVEN_PLACE, fixed);
    status = fb_loops_close(m, d, fixed, s->q, NULL, error);
  }
  if (!status) {
    mark_fixed(s, FB_GIVEN_RATE, fixed);
    status = fb_loops_close(m, d, fixed, s->q, s->v, error);
  }
  const fb_node* start = top ? fb_fields_value(top, "start") : NULL;
  if (status && start) fb_node_place_error(start, error);
  fb_data_free(d);
  free(fixed);
  return status;
}
