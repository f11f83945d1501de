/* loops.c -- the loops of a scene in words: what each joins, and how many motions they leave. */
#include <freebody/loop.h>
#include <freebody/support/text.h>

#include "scenario/explain/explain.h"

enum { MOST = 8 };

int fb_scenario_loop_lines(const fb_scenario* s) {
  int count = fb_model_nloop(s->model);
  return count == 0 ? 0 : 1 + (count < MOST ? count : MOST);
}

static void add_loop(fb_text* out, const fb_loop_def* loop) {
  fb_text_printf(out, "%s: %s of %s and ", loop->name, fb_loop_type_name(loop->type), loop->a);
  if (loop->b) fb_text_add(out, loop->b);
  for (int i = 0; i < loop->njoint; i++) fb_text_printf(out, "%s%s", i > 0 ? ", " : "", loop->joints[i]);
  fb_text_add(out, "\n");
}

void fb_scenario_add_loop_line(fb_text* out, const fb_scenario* s, int line) {
  const fb_model* m = s->model;
  int count = fb_model_nloop(m);
  if (line + 1 < fb_scenario_loop_lines(s)) {
    add_loop(out, fb_model_def_loop(fb_model_definition(m), line));
    return;
  }
  fb_data* d = fb_data_new(m);
  if (count > MOST) fb_text_printf(out, "and %d more; ", count - MOST);
  if (d)
    fb_text_printf(out, "%s %d of %d degrees of freedom", count == 1 ? "it leaves" : "they leave",
                   fb_loops_mobility(m, d, s->q), fb_model_nv(m));
  fb_text_add(out, "\n");
  fb_data_free(d);
}
