/* state.c -- the state of a run at some time, for another run to begin with.
 *
 * It is computed again, from the copies in the folder and the last checkpoint before that time (the last two are kept;
 * else from the start): a log need not have rates, nor the states of blocks. At the end of a step it is the state that the
 * run had, bit for bit; inside a step it is that of a shorter step. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/version.h>

#include "base/copy_text.h"
#include "run/job/job.h"
#include "run/store/store.h"
#include "scenario/build/build.h"
#include "signal/signal_kind.h"
#include "sim/access.h"
#include "text/files.h"

/* --- computing --- */

/* The time within the samples that are committed; INFINITY is the last of them. */
static fb_status find_time(const char* folder, fb_store* store, double* t, fb_error* error) {
  long long n = fb_store_nsample(store);
  double end = 0;
  if (n == 0)
    return fb_file_fail(folder, error, FB_ERR_ARG,
                        "this run has no samples yet, so it has no state to begin with");
  fb_status status = fb_store_read_signal(store, -1, n - 1, 1, &end, error);
  if (status != FB_OK) return status;
  if (*t == INFINITY) *t = end;
  if (!(*t >= 0 && *t <= end + fb_time_slack(end)))
    return fb_file_fail(folder, error, FB_ERR_ARG,
                        "there is no state at t = %.9g s: this run is from 0 to %.9g s", *t, end);
  if (*t > end) *t = end;
  return FB_OK;
}

/* The run from its checkpoint to t; the scenario is its own, and ends there. */
static fb_status compute(fb_store* store, fb_run* run, double t, fb_error* error) {
  fb_store_checkpoint from;
  run->tape = store;
  run->tape_is_of_run = run->tape_alone = run->tape_is_lent = 1;
  fb_status status = fb_run_make_sim(run, run->copies, error);
  if (status != FB_OK) return status;
  run->copies->duration = t;
  status = fb_store_read_checkpoint(store, t, &from, error);
  if (status == FB_OK && from.id > 0) status = fb_sim_restore(run->sim, from.data, from.size, error);
  free(from.data);
  if (status == FB_OK) status = fb_run_begin_leg(run, from.id > 0 ? fb_sim_time(run->sim) : 0, error);
  if (status == FB_OK) status = fb_run_until(run, INFINITY, INFINITY, error);
  if (status == FB_OK && fb_sim_time(run->sim) < t - fb_time_slack(t))
    status = fb_fail(error, FB_ERR_CONTENT, "computed again, the run ended at t = %.9g s, before %.9g s",
                     fb_sim_time(run->sim), t);
  return status;
}

/* --- printing --- */

/* q or v of a joint of the scene, all components, as the log has them: through joins and partings too. */
static void read_joint(fb_sim* sim, int kind, int body, int count, double* values) {
  fb_signal signals[7];
  for (int i = 0; i < count; i++) signals[i] = (fb_signal){kind, body, i};
  fb_sim_signal_values(sim, signals, count, values);
}

/* A joint that was parted has no state. */
static void put_joints(fb_json* json, fb_sim* sim) {
  const fb_model* m = fb_sim_original_model(sim);
  fb_json_put_list(json, "joints");
  for (int body = 1; body < fb_model_nbody(m); body++) {
    if (fb_joint_nv(m, body) == 0) continue;
    double q[7], v[6];
    read_joint(sim, FB_SIGNAL_Q, body, fb_joint_nq(m, body), q);
    read_joint(sim, FB_SIGNAL_V, body, fb_joint_nv(m, body), v);
    if (isnan(q[0])) continue;
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", fb_joint_name(m, body));
    fb_json_put_numbers(json, "q", q, fb_joint_nq(m, body));
    fb_json_put_numbers(json, "v", v, fb_joint_nv(m, body));
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

/* Joints of the scene, fixed ones too, that the run has opened: there is nothing by which the body's place could be said. */
static void put_parted(fb_json* json, fb_sim* sim) {
  const fb_model *first = fb_sim_original_model(sim), *now = fb_sim_model(sim);
  if (first == now) return;
  fb_json_put_list(json, "parted");
  for (int body = 1; body < fb_model_nbody(first); body++)
    if (!fb_body_floats(first, body) && fb_model_find_joint(now, fb_joint_name(first, body)) < 0)
      fb_json_string(json, fb_joint_name(first, body));
  fb_json_end_list(json);
}

static void put_blocks(fb_json* json, fb_sim* sim) {
  fb_json_put_list(json, "blocks");
  for (int i = 0; i < fb_sim_nblock(sim); i++) {
    const fb_block* block = fb_sim_block(sim, i);
    if (block->nstate == 0) continue;
    fb_json_begin_map(json);
    fb_json_put_string(json, "name", block->name);
    fb_json_put_numbers(json, "state", fb_sim_block_state(sim, i), block->nstate);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static fb_status print_state(const fb_run* run, const char* folder, char** text, fb_error* error) {
  const fb_scenario* s = run->scenario;
  int mode = fb_sim_mode(run->sim);
  fb_json* json = fb_json_new(0);
  if (!json) return fb_store_no_memory(error);
  fb_json_begin_map(json);
  fb_json_put_string(json, "run", folder);
  fb_json_put_time(json, "t", fb_sim_time(run->sim));
  if (s->modes && s->modes[mode]) fb_json_put_string(json, "mode", s->modes[mode]);
  put_joints(json, run->sim);
  put_parted(json, run->sim);
  put_blocks(json, run->sim);
  fb_json_end_map(json);
  *text = fb_json_finish(json, NULL);
  return *text ? FB_OK : fb_store_no_memory(error);
}

/* --- all of it --- */

static fb_status find_state(const char* folder, fb_run_stored* old, double t, char** text, fb_error* error) {
  fb_scenario* copies = NULL;
  fb_run_options options = fb_default_run_options();
  fb_status status = find_time(folder, old->store, &t, error);
  if (status == FB_OK) status = fb_run_read_copies(folder, old, old->duration, &copies, error);
  fb_run* run = status == FB_OK ? fb_run_new(copies, NULL, &options) : NULL;
  if (!run) {
    fb_scenario_free(copies);
    return status == FB_OK ? fb_store_no_memory(error) : status;
  }
  run->copies = copies;
  run->tape_folder = fb_copy_text(folder);
  status = compute(old->store, run, t, error);
  if (status == FB_OK) status = print_state(run, folder, text, error);
  fb_run_drop(run);
  return status;
}

fb_status fb_scenario_start_from(fb_scenario* s, const char* folder, double t, fb_note_fn note, void* user,
                                 fb_error* error) {
  fb_run_stored old;
  fb_error unused;
  char* text = NULL;
  if (!error) error = &unused;
  fb_status status = fb_run_recall(folder, &old, error);
  if (status == FB_OK) status = find_state(folder, &old, t, &text, error);
  if (status == FB_OK) status = fb_scenario_use_state(s, text, note, user, error);
  if (status != FB_OK && !error->file[0]) fb_error_set_place(error, folder, NULL, (fb_place){0, 0});
  const char* version = status == FB_OK ? fb_store_get_text(old.store, "version") : NULL;
  if (note && version && strcmp(version, fb_version()) != 0)
    note(user,
         "the other run was made by another version of Freebody: its state may differ in the last digits");
  free(text);
  fb_run_forget(&old);
  return status;
}
