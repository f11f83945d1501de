/* fuzz_run.c -- a small run, made as `freebody run` makes one: texts, signals, samples, events, two checkpoints, a
 * mesh. */
#include <stdlib.h>
#include <string.h>

#include <freebody/io.h>
#include <freebody/store.h>

#include "fuzz.h"
#include "scenario/explain/explain.h"

enum { STEPS = 30, MOST_SIGNALS = 256 };

static void must(fb_status status, const fb_error* error) {
  fuzz_check(status == FB_OK, "the run cannot be made: %s", error->text);
}

static fb_store* create(const fb_scenario* s, const char* folder) {
  static char names[MOST_SIGNALS][FB_SIGNAL_NAME_SIZE];
  fb_store_signal signals[MOST_SIGNALS];
  const fb_model* m = fb_scenario_model(s);
  fb_store* run = NULL;
  fb_error error;
  int n = fb_scenario_nsignal(s);
  fuzz_check(n <= MOST_SIGNALS, "%d signals are too many", n);
  for (int i = 0; i < n; i++) {
    fb_signal signal = fb_scenario_signals(s)[i];
    signals[i] = (fb_store_signal){fb_signal_name(m, signal, names[i]), fb_signal_unit(m, signal),
                                   fb_signal_axes(m, signal), fb_signal_meaning(signal)};
  }
  must(fb_store_create(folder, signals, n, 1, &run, &error), &error);
  return run;
}

static void set_texts(const fb_scenario* s, fb_store* run) {
  char *model = NULL, *view = NULL;
  size_t size;
  fb_error error;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  must(fb_model_def_print(fb_model_definition(fb_scenario_model(s)), &options, &model, &size, &error),
       &error);
  must(fb_scenario_print_view(s, &view, &error), &error);
  const char* const texts[][2] = {{"name", "everything"}, {"scenario", s->inputs[0].text},
                                  {"overrides", "[]"},    {"model", model},
                                  {"view", view},         {"status", "running"},
                                  {"duration", "0.3"},    {"integrator", "rk4, 5 ms"}};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    must(fb_store_set_text(run, texts[i][0], texts[i][1], &error), &error);
  free(model);
  free(view);
}

static void add_checkpoint(fb_sim* sim, fb_store* run) {
  fb_error error;
  size_t size = fb_sim_snapshot_size(sim);
  void* snapshot = malloc(size);
  if (!snapshot) fuzz_fail("out of memory");
  fb_sim_save(sim, snapshot);
  must(fb_store_add_checkpoint(run, fb_sim_time(sim), snapshot, size, &error), &error);
  must(fb_store_commit(run, &error), &error);
  free(snapshot);
}

static void log_steps(const fb_scenario* s, fb_store* run) {
  double values[MOST_SIGNALS];
  fb_sim* sim = NULL;
  fb_error error;
  must(fb_sim_build(s, &sim, &error), &error);
  for (int i = 0; i < STEPS; i++) {
    fb_sim_signal_values(sim, fb_scenario_signals(s), fb_scenario_nsignal(s), values);
    must(fb_store_append(run, fb_sim_time(sim), values, &error), &error);
    must(fb_sim_step(sim, fb_scenario_duration(s), &error), &error);
    if (i % 10 == 5)
      must(fb_store_add_event(run, fb_sim_time(sim), "beat", "arm.elbow.kp = 4", &error), &error);
    if (i % 10 == 9) add_checkpoint(sim, run);
  }
  fb_sim_free(sim);
}

void fuzz_make_run(const char* folder) {
  static const char mesh[] =
      "solid hand\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "
      "0\nendloop\nendfacet\n"
      "endsolid hand\n";
  fb_error error;
  size_t size;
  char* text = (char*)fuzz_read(FB_FUZZ_DATA "/everything.yaml", &size);
  text[size] = '\0';
  fb_scenario* s = fuzz_scenario(text, size, NULL);
  fuzz_check(s, "everything.yaml is refused; freebody check %s", FB_FUZZ_DATA "/everything.yaml");
  fb_store* run = create(s, folder);
  set_texts(s, run);
  must(fb_store_add_mesh(run, "hand.stl", mesh, sizeof mesh - 1, &error), &error);
  log_steps(s, run);
  must(fb_store_set_text(run, "status", "finished", &error), &error);
  must(fb_store_close(run, &error), &error);
  fb_scenario_free(s);
  free(text);
}
