/* run.c -- a scenario into a folder, as `freebody run` does it: in slices, with the time shown between them.
 *
 *   run scenarios/pendulum/pendulum.yaml pendulum.run
 *   freebody view pendulum.run -o report.html */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <freebody/freebody.h>

static int stop(const fb_error* error) {
  char text[sizeof *error];
  fprintf(stderr, "run: %s\n", fb_error_format(error, text, sizeof text));
  return EXIT_FAILURE;
}

static fb_status run_scenario(fb_scenario* s, const char* folder, fb_run_summary* summary, fb_error* error) {
  fb_run* run;
  fb_run_options options = fb_default_run_options();
  options.replace = 1;
  fb_status status = fb_run_create(s, folder, &options, &run, error);
  if (status) return status;
  while (!status && fb_run_state_of(run) == FB_RUN_RUNNING) {
    status = fb_run_until(run, fb_run_time(run) + 5, INFINITY, error);
    printf("t = %g s\n", fb_run_time(run));
  }
  if (!status) status = fb_run_finish(run, error);
  fb_run_summarise(run, summary);
  fb_run_free(run);
  return status;
}

int main(int argc, char** argv) {
  fb_error error;
  fb_scenario* s;
  fb_run_summary summary;
  if (argc != 3) return fprintf(stderr, "usage: run SCENARIO FOLDER\n"), EXIT_FAILURE;
  if (fb_scenario_read(argv[1], NULL, &s, &error)) return stop(&error);
  fb_status status = run_scenario(s, argv[2], &summary, &error);
  if (!status)
    printf("%s: %s, %lld samples; %.1e of the energy exchanged is not explained\n", fb_scenario_name(s),
           fb_run_state_name(summary.state), summary.samples, summary.ledger.relative);
  fb_scenario_free(s);
  return status ? stop(&error) : EXIT_SUCCESS;
}
