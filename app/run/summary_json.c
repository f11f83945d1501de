/* summary_json.c -- summary.json. All of it is the same in every run of the same scenario, but for `wall`. */
#include <stdlib.h>

#include <freebody/json.h>
#include <freebody/version.h>

#include "run/run.h"
#include "text/files.h"

/* The worst at the end of any step, when, and of which tree. */
static void put_worst(fb_json* json, const fb_model* m, double relative, double t, int body) {
  fb_json_put_number(json, "worst_relative", relative);
  fb_json_put_number(json, "worst_t", t);
  if (body > 0) fb_json_put_text(json, "worst_tree", fb_body_name(m, body));
}

static void put_energy(fb_json* json, const fb_model* m, const fb_ledger* l) {
  fb_json_key(json, "energy");
  fb_json_begin_map(json);
  fb_json_put_number(json, "start", l->kinetic_0 + l->potential_0);
  fb_json_put_number(json, "end", l->kinetic + l->potential);
  fb_json_put_number(json, "work", l->work);
  fb_json_put_number(json, "outside", l->outside);
  fb_json_put_number(json, "dissipated", l->dissipated);
  fb_json_put_number(json, "jumped", l->jumped);
  fb_json_put_number(json, "exchanged", l->exchanged);
  fb_json_put_number(json, "peak_kinetic", l->peak_kinetic);
  fb_json_put_number(json, "residual", l->residual);
  fb_json_put_number(json, "relative", l->relative);
  fb_json_put_number(json, "scale", l->scale);
  put_worst(json, m, l->worst, l->worst_t, l->worst_body);
  fb_json_end_map(json);
}

static void put_momentum(fb_json* json, const fb_model* m, const fb_ledger* l) {
  fb_json_key(json, "momentum");
  fb_json_begin_map(json);
  fb_json_put_number(json, "linear_residual", l->linear_residual);
  fb_json_put_number(json, "linear_scale", l->linear_scale);
  fb_json_put_number(json, "linear_relative", cmd_summary_linear(l));
  fb_json_put_number(json, "angular_residual", l->angular_residual);
  fb_json_put_number(json, "angular_scale", l->angular_scale);
  fb_json_put_number(json, "angular_relative", cmd_summary_angular(l));
  put_worst(json, m, l->momentum_worst, l->momentum_worst_t, l->momentum_body);
  fb_json_end_map(json);
}

static void put_events(fb_json* json, const cmd_job* job) {
  enum { FIRST = 100 };
  int count = fb_store_nevent(job->store);
  fb_json_put_int(json, "event_count", count);
  fb_json_key(json, "events");
  fb_json_begin_list(json);
  for (int i = 0; i < count && i < FIRST; i++) {
    fb_store_event event = fb_store_event_at(job->store, i);
    fb_json_begin_map(json);
    fb_json_put_number(json, "t", event.t);
    fb_json_put_text(json, "name", event.name);
    fb_json_put_text(json, "text", event.text);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
}

static void put_realtime(fb_json* json, const cmd_pacer* pacer) {
  if (!(pacer->factor > 0)) return;
  fb_json_key(json, "realtime");
  fb_json_begin_map(json);
  fb_json_put_number(json, "factor", pacer->factor);
  fb_json_put_int(json, "deadlines", pacer->count);
  fb_json_put_int(json, "missed", pacer->missed);
  fb_json_put_number(json, "jitter_p50", cmd_pacer_quantile(pacer, 0.5));
  fb_json_put_number(json, "jitter_p99", cmd_pacer_quantile(pacer, 0.99));
  fb_json_put_number(json, "jitter_max", pacer->late_max);
  fb_json_end_map(json);
}

/* What depends on the machine and the moment. */
static void put_wall(fb_json* json, const cmd_summary* summary) {
  const cmd_job* job = summary->job;
  fb_json_key(json, "wall");
  fb_json_begin_map(json);
  fb_json_put_number(json, "seconds", job->wall);
  fb_json_put_number(json, "from", job->t_begin);
  fb_json_put_number(json, "speed", cmd_summary_speed(job, summary->t));
  put_realtime(json, &job->pacer);
  fb_json_end_map(json);
}

static void put_all(fb_json* json, const cmd_summary* summary) {
  const cmd_job* job = summary->job;
  fb_json_begin_map(json);
  fb_json_put_text(json, "name", fb_scenario_name(job->scenario));
  fb_json_put_text(json, "model", fb_model_name(fb_sim_model(job->sim)));
  fb_json_put_text(json, "integrator", fb_scenario_integrator(job->scenario));
  fb_json_put_text(json, "version", fb_version());
  fb_json_put_text(json, "status", cmd_job_end_name(job->end));
  if (job->end == FB_JOB_FAILED) fb_json_put_text(json, "error", job->error.text);
  if (summary->warning[0]) fb_json_put_text(json, "warning", summary->warning);
  fb_json_put_number(json, "duration", fb_scenario_duration(job->scenario));
  fb_json_put_number(json, "t", summary->t);
  fb_json_put_int(json, "steps", fb_sim_steps(job->sim));
  fb_json_put_int(json, "rejected", fb_sim_rejected(job->sim));
  fb_json_put_int(json, "evaluations", fb_sim_evaluations(job->sim));
  fb_json_put_int(json, "samples", fb_store_nsample(job->store));
  put_energy(json, fb_sim_model(job->sim), &summary->ledger);
  put_momentum(json, fb_sim_model(job->sim), &summary->ledger);
  put_events(json, job);
  put_wall(json, summary);
  fb_json_end_map(json);
}

fb_status cmd_summary_write(const cmd_summary* summary, fb_error* error) {
  size_t size = 0;
  fb_json* json = fb_json_new(1);
  if (!json) cmd_out_of_memory();
  put_all(json, summary);
  char* text = fb_json_finish(json, &size);
  if (!text) cmd_out_of_memory();
  char* file = cmd_job_path(summary->job->folder, "summary.json");
  fb_status status = fb_file_write_own(file, text, size, error);
  free(file);
  free(text);
  return status;
}
