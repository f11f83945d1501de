/* scenario_rig.h -- scenarios from texts, run or refused, for the tests of the reader. Include after cmocka.h. */
#ifndef FB_TESTS_SCENARIO_RIG_H
#define FB_TESTS_SCENARIO_RIG_H

#include <string.h>

#include <freebody/scenario.h>

#include "scenario/build/build.h"
#include "scenario/kinds/contact/contact.h"
#include "scenario/kinds/kinds.h"
#include "scenario/read/read.h"

#define FOLDER FB_TEST_DATA "/scenario/"
#define PI 3.14159265358979323846
#define SATELLITE                        \
  "scenario: 1\nmodel: satellite.yaml\n" \
  "start: {joints: {joint1: 0.3, joint2: 0.7, joint3: -1.4, joint4: 0.3, joint5: 0.7, joint6: 0.2}}\n"

static inline fb_scenario* parse(const char* text) {
  fb_scenario* s = NULL;
  fb_error error;
  char line[sizeof error + 64];
  if (fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", NULL, &s, &error))
    fail_msg("%s\nin\n%s", fb_error_format(&error, line, sizeof line), text);
  return s;
}

static inline fb_sim* make_sim(const fb_scenario* s) {
  fb_sim* sim = NULL;
  fb_error error;
  if (fb_sim_build(s, &sim, &error)) fail_msg("%s", error.text);
  return sim;
}

static inline fb_sim* run(const fb_scenario* s, double t) {
  fb_sim* sim = make_sim(s);
  fb_error error;
  if (fb_sim_run_until(sim, t, &error)) fail_msg("%s", error.text);
  return sim;
}

typedef struct malformed {
  const char* text;
  int line, column; /* 0: the error has no place */
  const char* phrase;
} malformed;

/* The errors that a reader reports when it is to report all, each once. */
typedef struct complaints {
  fb_error list[16];
  int count;
} complaints;

static inline int keep_complaint(void* user, const fb_error* error) {
  complaints* all = (complaints*)user;
  for (int i = 0; i < all->count; i++)
    if (all->list[i].place.line == error->place.line && all->list[i].place.column == error->place.column &&
        strcmp(all->list[i].text, error->text) == 0)
      return 1;
  all->list[all->count++] = *error;
  return all->count < 16;
}

static inline fb_status find_all(const char* text, complaints* all, fb_error* error) {
  fb_scenario* scenario = NULL;
  fb_scenario_options options = fb_default_scenario_options();
  all->count = 0;
  options.io.complain = keep_complaint;
  options.io.complain_user = all;
  fb_status status = fb_scenario_parse(text, strlen(text), FOLDER "case.yaml", &options, &scenario, error);
  fb_scenario_free(scenario);
  if (status) keep_complaint(all, error);
  return status;
}

/* One mistake is one error, also for those who want all, and the same. */
static inline void assert_one_error(const malformed* c, const fb_error* first) {
  complaints all;
  fb_error error;
  assert_int_equal(find_all(c->text, &all, &error), first->status);
  int found = 0;
  for (int i = 0; i < all.count; i++) found |= strcmp(all.list[i].text, first->text) == 0;
  for (int i = 0; i < all.count && (all.count != 1 || !found); i++)
    print_error("%s%d: %s\n", c->text, i, all.list[i].text);
  assert_true(found);
  assert_int_equal(all.count, 1);
}

/* The text is refused there, with that phrase, in a file whose name holds `file`; also when nobody wants to know. */
static inline void assert_refused(const malformed* c, const char* file) {
  fb_scenario* scenario;
  fb_error error;
  fb_status status = fb_scenario_parse(c->text, strlen(c->text), FOLDER "case.yaml", NULL, &scenario, &error);
  if (status == FB_OK) fail_msg("accepted:\n%s", c->text);
  assert_null(scenario);
  char line[sizeof error + 64];
  fb_error_format(&error, line, sizeof line);
  if (error.status != status || error.place.line != c->line || error.place.column != c->column ||
      !strstr(error.text, c->phrase))
    fail_msg("%sexpected %d:%d: %s\nfound    %s", c->text, c->line, c->column, c->phrase, line);
  assert_non_null(strstr(error.file, file));
  assert_one_error(c, &error);
  assert_int_equal(fb_scenario_parse(c->text, strlen(c->text), FOLDER "case.yaml", NULL, &scenario, NULL),
                   status);
}

/* The settings of block i, a law of joints. */
static inline const fb_joint_law* joint_law(const fb_scenario* s, int i) {
  return (const fb_joint_law*)s->blocks[i].settings;
}

#endif
