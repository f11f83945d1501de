/* summary_json.c -- summary.json. All of it is the same in every run of the same scenario, but for `wall`. */
#include <math.h>
#include <stdlib.h>

#include <freebody/support/json.h>
#include <freebody/version.h>

#include "run/job/job.h"
#include "run/store/folder.h"
#include "scenario/read/event.h"
#include "text/files.h"

/* The worst at the end of any step, when, and of which tree. */
static void put_worst(fb_json* json, const fb_model* m, double relative, double t, int body) {
  fb_json_put_number(json, "worst_relative", relative);
  fb_json_put_time(json, "worst_t", t);
  if (body > 0) fb_json_put_string(json, "worst_tree", fb_body_name(m, body));
}

static void put_energy(fb_json* json, const fb_model* m, const fb_ledger* l) {
  fb_json_put_map(json, "energy");
  fb_json_put_number(json, "start", l->kinetic_0 + l->potential_0);
  fb_json_put_number(json, "end", l->kinetic + l->potential);
  fb_json_put_number(json, "work", l->work);
  fb_json_put_number(json, "external", l->external);
  fb_json_put_number(json, "dissipated", l->dissipated);
  fb_json_put_number(json, "impacts", l->impacts);
  if (l->contacts > 0) {
    fb_json_put_number(json, "normal", l->normal);
    fb_json_put_number(json, "friction", l->friction);
    fb_json_put_number(json, "projection", l->projection);
    if (l->stored_0 > 0) fb_json_put_number(json, "stored_start", l->stored_0);
  }
  if (fb_model_nloop(m) > 0) fb_json_put_number(json, "loops", l->loops);
  fb_json_put_number(json, "gross", l->gross);
  fb_json_put_number(json, "peak_kinetic", l->peak_kinetic);
  fb_json_put_number(json, "residual", l->residual);
  fb_json_put_number(json, "relative", l->relative);
  fb_json_put_number(json, "scale", l->scale);
  put_worst(json, m, l->worst, l->worst_t, l->worst_body);
  fb_json_end_map(json);
}

static void put_momentum(fb_json* json, const fb_model* m, const fb_run_summary* summary) {
  const fb_ledger* l = &summary->ledger;
  fb_json_put_map(json, "momentum");
  fb_json_put_number(json, "linear_residual", l->linear_residual);
  fb_json_put_number(json, "linear_scale", l->linear_scale);
  fb_json_put_number(json, "linear_relative", summary->linear_relative);
  fb_json_put_number(json, "angular_residual", l->angular_residual);
  fb_json_put_number(json, "angular_scale", l->angular_scale);
  fb_json_put_number(json, "angular_relative", summary->angular_relative);
  put_worst(json, m, l->momentum_worst, l->momentum_worst_t, l->momentum_body);
  fb_json_end_map(json);
}

static void put_events(fb_json* json, const fb_store* store) {
  enum { FIRST = 100 };
  int count = fb_store_nevent(store);
  fb_json_put_int(json, "event_count", count);
  fb_json_put_list(json, "events");
  for (int i = 0; i < count && i < FIRST; i++) {
    fb_store_event event = fb_store_get_event(store, i);
    fb_json_begin_map(json);
    fb_json_put_time(json, "t", event.t);
    fb_json_put_string(json, "name", event.name);
    fb_json_put_string(json, "text", event.text);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_change(fb_json* json, const fb_sim_change* change) {
  fb_json_begin_map(json);
  fb_json_put_time(json, "t", change->t);
  fb_json_put_string(json, change->is_join ? "join" : "part", change->joint);
  if (change->is_join) {
    fb_json_put_string(json, "frame", change->frame);
    fb_json_put_string(json, "to", change->to);
    fb_json_put_string(json, "type", fb_scenario_join_word(change->type));
    fb_json_put_numbers(json, "point", change->impulse.point, 3);
    fb_json_put_numbers(json, "linear_impulse", change->impulse.linear, 3);
    fb_json_put_numbers(json, "angular_impulse", change->impulse.angular, 3);
  }
  fb_json_put_number(json, "energy_lost", change->impulse.energy);
  fb_json_end_map(json);
}

/* Only of a run that has made some. */
static void put_changes(fb_json* json, const fb_run* run) {
  fb_sim_change change;
  if (fb_run_epoch(run) == 0) return;
  fb_json_put_list(json, "joins");
  for (int i = 0; fb_run_get_change(run, i, &change, NULL) == FB_OK; i++) put_change(json, &change);
  fb_json_end_list(json);
}

/* The bins that are not empty, and all between them: how late at most (the last one has no bound), and how many. */
static void put_histogram(fb_json* json, const long long* bins) {
  int first = 0, last = FB_RUN_JITTER_BINS - 1;
  while (first < last && bins[first] == 0) first++;
  while (last > first && bins[last] == 0) last--;
  fb_json_put_list(json, "jitter_histogram");
  for (int i = first; i <= last; i++) {
    fb_json_begin_map(json);
    if (i < FB_RUN_JITTER_BINS - 1) fb_json_put_number(json, "below", 1e-6 * (double)(1L << i));
    fb_json_put_int(json, "count", bins[i]);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_realtime(fb_json* json, const fb_run_wall* wall) {
  if (!(wall->factor > 0)) return;
  fb_json_put_map(json, "realtime");
  fb_json_put_number(json, "factor", wall->factor);
  fb_json_put_int(json, "deadlines", wall->deadlines);
  fb_json_put_int(json, "missed", wall->missed);
  fb_json_put_number(json, "jitter_p50", wall->jitter_p50);
  fb_json_put_number(json, "jitter_p99", wall->jitter_p99);
  fb_json_put_number(json, "jitter_max", wall->jitter_max);
  put_histogram(json, wall->jitter);
  if (wall->priority > 0) fb_json_put_int(json, "priority", wall->priority);
  if (wall->locked) fb_json_put_bool(json, "memory_locked", 1);
  fb_json_end_map(json);
}

static void put_controller(fb_json* json, const fb_run_controller* c) {
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", c->name);
  fb_json_put_int(json, "exchanges", c->exchanges);
  fb_json_put_int(json, "replies", c->replies);
  fb_json_put_int(json, "timeouts", c->timeouts);
  fb_json_put_int(json, "invalid", c->invalid);
  fb_json_put_int(json, "lost", c->lost);
  fb_json_put_int(json, "outdated", c->outdated);
  fb_json_put_int(json, "replayed", c->replayed);
  if (c->round_trip_max > 0) {
    fb_json_put_number(json, "round_trip_p50", c->round_trip_p50);
    fb_json_put_number(json, "round_trip_p99", c->round_trip_p99);
    fb_json_put_number(json, "round_trip_max", c->round_trip_max);
  }
  fb_json_end_map(json);
}

/* Remote controllers: how the exchanges of this leg went. */
static void put_controllers(fb_json* json, const fb_run* run) {
  fb_run_controller c;
  if (!fb_run_get_controller(run, 0, &c)) return;
  fb_json_put_list(json, "remote");
  for (int i = 0; fb_run_get_controller(run, i, &c); i++) put_controller(json, &c);
  fb_json_end_list(json);
}

/* What depends on the machine and the moment. */
static void put_wall(fb_json* json, const fb_run* run, const fb_run_summary* summary) {
  fb_json_put_map(json, "wall");
  fb_json_put_number(json, "seconds", summary->wall.seconds);
  fb_json_put_time(json, "from", summary->t_begin);
  fb_json_put_number(json, "speed", summary->speed);
  put_realtime(json, &summary->wall);
  put_controllers(json, run);
  fb_json_end_map(json);
}

static void put_all(fb_json* json, const fb_run* run, const fb_run_summary* summary) {
  const fb_model* m = fb_sim_original_model(run->sim);
  fb_json_begin_map(json);
  fb_json_put_string(json, "name", fb_scenario_name(run->scenario));
  fb_json_put_string(json, "model", fb_model_name(m));
  fb_json_put_string(json, "integrator", fb_scenario_integrator(run->scenario));
  fb_json_put_number(json, "accuracy", run->scenario->options.accuracy);
  if (isfinite(summary->error_estimate)) fb_json_put_number(json, "error_estimate", summary->error_estimate);
  if (isfinite(summary->error_since)) fb_json_put_time(json, "error_since", summary->error_since);
  if (fb_scenario_integrator_reason(run->scenario)[0])
    fb_json_put_string(json, "integrator_reason", fb_scenario_integrator_reason(run->scenario));
  fb_json_put_string(json, "version", fb_version());
  fb_json_put_string(json, "status", fb_run_state_name(summary->state));
  if (summary->state == FB_RUN_FAILED) fb_json_put_string(json, "error", run->error.text);
  if (summary->warning[0]) fb_json_put_string(json, "warning", summary->warning);
  if (summary->note[0]) fb_json_put_string(json, "note", summary->note);
  fb_json_put_time(json, "duration", summary->duration);
  fb_json_put_time(json, "t", summary->t);
  fb_json_put_int(json, "steps", summary->steps);
  fb_json_put_int(json, "rejected", summary->rejected);
  fb_json_put_int(json, "evaluations", summary->evaluations);
  fb_json_put_int(json, "samples", summary->samples);
  put_energy(json, m, &summary->ledger);
  put_momentum(json, m, summary);
  put_changes(json, run);
  put_events(json, run->store);
  put_wall(json, run, summary);
  fb_json_end_map(json);
}

fb_status fb_run_write_summary(fb_run* run, fb_error* error) {
  size_t size = 0;
  fb_run_summary summary;
  fb_run_summarise(run, &summary);
  fb_json* json = fb_json_new(1);
  if (!json) return fb_store_no_memory(error);
  put_all(json, run, &summary);
  char *text = fb_json_finish(json, &size), *file = fb_store_path(run->folder, "summary.json");
  fb_status status =
      text && file ? fb_file_write_regular(file, text, size, error) : fb_store_no_memory(error);
  free(file);
  free(text);
  return status;
}
