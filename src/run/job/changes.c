/* changes.c -- joins and partings of a run: the models of its epochs as texts of the store, and what is said of them. */
#include <stdio.h>
#include <stdlib.h>

#include <freebody/io.h>
#include <freebody/support/text.h>

#include "math/vector3.h"
#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/read/event.h"
#include "sim/access.h"

static fb_status store_model(fb_run* run, const fb_model* m, int epoch, fb_error* error) {
  char key[24], *text = NULL;
  size_t size;
  fb_io_options options = fb_default_io_options();
  options.format = FB_FORMAT_JSON;
  snprintf(key, sizeof key, "model.%d", epoch);
  fb_status status = fb_model_def_print(fb_model_definition(m), &options, &text, &size, error);
  if (status == FB_OK) status = fb_store_set_text(run->store, key, text, error);
  free(text);
  return status;
}

/* Several changes at one instant: the models between are made again. */
static fb_status store_models(fb_run* run, int epoch, fb_error* error) {
  fb_status status = FB_OK;
  for (int k = run->epoch + 1; k <= epoch && status == FB_OK; k++) {
    fb_model* between = NULL;
    if (k < epoch) status = fb_sim_make_epoch(run->sim, k, &between, error);
    if (status == FB_OK) status = store_model(run, between ? between : fb_sim_model(run->sim), k, error);
    fb_model_free(between);
  }
  return status;
}

fb_status fb_run_store_changes(fb_run* run, fb_error* error) {
  int epoch = fb_sim_epoch(run->sim);
  const char* notes = fb_sim_change_notes(run->sim);
  if (epoch == run->epoch) return FB_OK;
  if (notes[0]) fb_run_note(run, "at t = %.9g s %s", fb_sim_time(run->sim), notes);
  fb_status status = run->store ? store_models(run, epoch, error) : FB_OK;
  if (status == FB_OK && run->store) status = fb_store_set_epoch(run->store, epoch, error);
  run->epoch = epoch;
  return status;
}

void fb_run_add_changes(fb_text* out, fb_run* run, int event) {
  int count = fb_scenario_event_changes(run->scenario, event);
  fb_sim_change change;
  for (int i = 0; i < count && fb_sim_get_change(run->sim, run->nchange, &change, NULL) == FB_OK; i++) {
    const fb_join_impulse* x = &change.impulse;
    run->nchange++;
    if (change.is_join)
      fb_text_printf(out, "; impulse %.4g N s and %.4g N m s, %.4g J lost", norm3(x->linear),
                     norm3(x->angular), x->energy);
    else if (x->energy != 0)
      fb_text_printf(out, "; %.4g J lost", x->energy);
  }
}

int fb_run_epoch(const fb_run* run) {
  return fb_sim_epoch(run->sim);
}

fb_status fb_run_get_change(const fb_run* run, int index, fb_sim_change* change, fb_error* error) {
  return fb_sim_get_change(run->sim, index, change, error);
}
