/* test_snapshot.c -- a snapshot that is not as it was saved is refused; one that somebody altered on purpose, checksum
 * and all, is refused or goes on, and never reads or writes where it must not (the sanitizers of check-all watch). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/checksum.h"
#include "base/cookie.h"
#include "base/random.h"
#include "sim/sim.h"
#include "sim_rig.h"

#ifndef FB_FORGED
#define FB_FORGED 600 /* snapshots altered at random, with a checksum that fits */
#endif

/* A law that pushes a joint and the hand, so that its delay line holds forces and a wrench. */
static fb_status push(void* user, const fb_context* context, const double* memory, const double* state,
                      fb_action* action, double* state_rate, fb_error* error) {
  (void)user, (void)memory, (void)state, (void)state_rate, (void)error;
  action->tau[6] += sin(context->t) - context->v[6];
  fb_wrench* wrench = fb_action_add_wrench(action);
  if (wrench) wrench->force[0] = 0.1;
  return FB_OK;
}

static fb_block delayed_law(const fb_model* m) {
  fb_block block = fb_default_block();
  fb_sampling sampling = fb_default_sampling();
  fb_error error;
  block.name = "law";
  block.act = push;
  block.nwrench = 1;
  sampling.period = 0.02;
  sampling.delay = 0.05;
  sampling.noise_v = 1e-3;
  if (fb_block_new_sampled(m, &block, &sampling, &block, &error)) fail_msg("%s", error.text);
  return block;
}

/* All that a snapshot holds indices and counts of: a delay line, motions, limits, stiction, ticks, events, modes. */
static fb_sim* busy_sim(const fb_model* m) {
  fb_sim_options options = options_of(FB_METHOD_RK4, 0.01);
  options.friction_law = FB_FRICTION_STICTION;
  options.nmode = 3;
  fb_sim* sim = sim_or_fail(m, &options);
  fb_block law = delayed_law(m);
  block_or_fail(sim, &law);
  fb_error error;
  int motion;
  const fb_motion turning = {.kind = FB_MOTION_RATE, .rate = 0.3, .cookie_ = FB_COOKIE};
  const fb_limit stop = {.coordinate = 7, .side = 1, .level = 0.05, .restitution = 0.5, .cookie_ = FB_COOKIE};
  if (fb_sim_add_motion(sim, &turning, &motion, &error)) fail_msg("%s", error.text);
  if (fb_sim_set_motion(sim, 9, motion, &error)) fail_msg("%s", error.text);
  if (fb_sim_add_limit(sim, &stop, NULL, &error)) fail_msg("%s", error.text);
  fb_event beat = {
      .name = "beat", .kind = FB_TRIGGER_TIME, .time = 0.1, .period = 0.07, .cookie_ = FB_COOKIE};
  fb_event passes = {.name = "passes",
                     .kind = FB_TRIGGER_CROSSING,
                     .signal = signal_or_fail(m, "q.a1"),
                     .cookie_ = FB_COOKIE};
  event_or_fail(sim, &beat);
  event_or_fail(sim, &passes);
  double q[32], v[32];
  fb_random_q(m, 3, q);
  fb_random_v(m, 4, v);
  q[8] = 0.04;
  start_or_fail(sim, q, v);
  return sim;
}

typedef struct rig {
  fb_model* m;
  fb_sim* sim;
  size_t size;
  char *saved, *altered;
} rig;

static int rig_open(void** state) {
  rig* r = (rig*)calloc(1, sizeof *r);
  assert_non_null(r);
  r->m = tree6(FB_JOINT_FREE, 1);
  r->sim = busy_sim(r->m);
  run_or_fail(r->sim, 0.5);
  r->size = fb_sim_snapshot_size(r->sim);
  r->saved = (char*)malloc(r->size);
  r->altered = (char*)malloc(r->size);
  assert_true(r->saved && r->altered);
  fb_sim_save(r->sim, r->saved);
  memcpy(r->altered, r->saved, r->size);
  *state = r;
  return 0;
}

static int rig_close(void** state) {
  rig* r = (rig*)*state;
  fb_sim_free(r->sim);
  fb_model_free(r->m);
  free(r->saved);
  free(r->altered);
  free(r);
  return 0;
}

/* Makes the checksum fit what was altered, as somebody would who knows it. */
static void sign(rig* r) {
  uint64_t sum = 0;
  memcpy(r->altered + offsetof(fb_sim_head, checksum), &sum, sizeof sum);
  sum = fb_checksum(fb_checksum(0, r->altered, sizeof(fb_sim_head)), r->altered + sizeof(fb_sim_head),
                    r->size - sizeof(fb_sim_head));
  memcpy(r->altered + offsetof(fb_sim_head, checksum), &sum, sizeof sum);
}

/* Where an entry of the simulation lies in its snapshots. */
static char* place(rig* r, const void* field) {
  return r->altered + ((const char*)field - (const char*)r->sim->head);
}

static void every_single_byte_that_is_changed_is_noticed(void** state) {
  rig* r = (rig*)*state;
  fb_error error;
  fb_random random = {12, 0};
  for (size_t i = 0; i < r->size; i++) {
    char change = (char)(1 + fb_random_bits(&random) % 255);
    r->altered[i] = (char)(r->altered[i] ^ change);
    if (fb_sim_restore(r->sim, r->altered, r->size, &error) != FB_ERR_STATE)
      fail_msg("a change of byte %zu by %d is taken", i, change);
    r->altered[i] = r->saved[i];
  }
  assert_int_equal(fb_sim_restore(r->sim, r->altered, r->size, &error), FB_OK);
}

static void a_refused_snapshot_leaves_the_simulation_as_it_was(void** state) {
  rig* r = (rig*)*state;
  fb_error error;
  run_or_fail(r->sim, 0.7);
  r->altered[r->size / 2] ^= 1;
  assert_int_equal(fb_sim_restore(r->sim, r->altered, r->size, &error), FB_ERR_STATE);
  assert_non_null(strstr(error.text, "damaged"));
  assert_true(fb_sim_time(r->sim) == 0.7);
  run_or_fail(r->sim, 0.8);
}

static void indices_and_counts_that_cannot_be_are_refused_whatever_the_checksum_says(void** state) {
  rig* r = (rig*)*state;
  fb_sim* s = r->sim;
  const struct {
    const char* what;
    const int* field;
    int value;
  } rows[] = {
      {"a mode beyond the last", &s->head->mode, 3},
      {"a mode before the first", &s->head->mode, -1},
      {"a motion that was not added", &s->motion.of[9], 1},
      {"a kind of motion that there is not", &s->motion.of[9], -5},
      {"more coordinates moved than are", &s->motion.head->nmoved, 2},
      {"more coordinates held than are", &s->motion.head->nheld, s->motion.head->nheld + 1},
      {"a way to slide of 2", &s->limit.slide[7], 2},
      {"a side of 3", &s->event.side[1], 3},
      {"half a rest", &s->limit.resting[0], 2},
      {"a burst that runs over", &s->limit.head->burst, INT32_MAX},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_error error;
    memcpy(r->altered, r->saved, r->size);
    memcpy(place(r, rows[i].field), &rows[i].value, sizeof(int));
    sign(r);
    if (fb_sim_restore(s, r->altered, r->size, &error) != FB_ERR_STATE) fail_msg("%s is taken", rows[i].what);
    if (!strstr(error.text, "altered")) fail_msg("%s: %s", rows[i].what, error.text);
  }
  const struct {
    const char* what;
    const void* field;
    double number;
    long long count; /* where number is 0 */
  } wide[] = {
      {"a time that is not a number", &s->head->t, NAN, 0},
      {"a time before the start", &s->head->t, -1, 0},
      {"a coordinate without bound", &s->y[2], INFINITY, 0},
      {"a time so late that ticks without end are due", &s->head->t, 1e12, 0},
      {"fewer ticks than were made", &s->block.ticks[0], 0, -1},
      {"no tick in half a second", &s->block.ticks[0], 0, 0},
      {"no beat in half a second", &s->event.fired[0], 0, 0},
      {"steps before the first", &s->head->steps, 0, -7},
  };
  for (size_t i = 0; i < sizeof wide / sizeof *wide; i++) {
    fb_error error;
    memcpy(r->altered, r->saved, r->size);
    const void* value = wide[i].number != 0 ? (const void*)&wide[i].number : (const void*)&wide[i].count;
    memcpy(place(r, wide[i].field), value, 8);
    sign(r);
    if (fb_sim_restore(s, r->altered, r->size, &error) != FB_ERR_STATE) fail_msg("%s is taken", wide[i].what);
  }
}

/* The law's memory: two counts, then the line: how many outputs, the place of the newest, and a ring of them, each with
 * the instant it begins, how many wrenches, forces, and the wrenches, frame first. */
static void a_delay_line_that_cannot_be_ends_the_run_and_touches_nothing(void** state) {
  rig* r = (rig*)*state;
  enum { COUNT = 2, NEWEST = 3, RING = 4, WRENCHES = RING + 1 };
  int nv = fb_model_nv(r->m), frame = RING + 2 + nv;
  const struct {
    int at;
    double value;
  } rows[] = {{COUNT, 1e9},    {COUNT, -3},   {COUNT, NAN},       {COUNT, 6},
              {NEWEST, 5},     {NEWEST, -1},  {NEWEST, INFINITY}, {NEWEST, NAN},
              {NEWEST, 1e300}, {WRENCHES, 2}, {WRENCHES, 1e9},    {WRENCHES, NAN},
              {frame, 1e9},    {frame, NAN},  {frame, -7},        {frame, 1e300}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_error error;
    memcpy(r->altered, r->saved, r->size);
    int output = 2 + nv + 8; /* an altered number of an output is altered in all of them */
    for (int k = 0; k < (rows[i].at < RING ? 1 : 5); k++)
      memcpy(place(r, &r->sim->block.memory[rows[i].at + k * output]), &rows[i].value, sizeof(double));
    sign(r);
    assert_int_equal(fb_sim_restore(r->sim, r->altered, r->size, &error), FB_OK);
    if (fb_sim_run_until(r->sim, 0.6, &error) == FB_OK)
      fail_msg("number %d of the law's memory is %g, and the run goes on", rows[i].at, rows[i].value);
    assert_non_null(strstr(error.text, "law"));
  }
}

static void random_alterations_with_a_checksum_that_fits_are_refused_or_go_on(void** state) {
  rig* r = (rig*)*state;
  fb_random random = {5, 0};
  static const double odd[] = {0, -1, 1e9, -1e300, 1e300, 2147483648.0, 0x1p63, NAN, INFINITY};
  int taken = 0;
  for (int i = 0; i < FB_FORGED; i++) {
    fb_error error;
    memcpy(r->altered, r->saved, r->size);
    size_t words = r->size / 8, first = sizeof(fb_sim_head) / 8;
    for (uint64_t n = 1 + fb_random_bits(&random) % 3; n > 0; n--) {
      size_t at = 8 * (first + fb_random_bits(&random) % (words - first));
      uint64_t bits = fb_random_bits(&random);
      if (bits % 4 > 0)
        memcpy(r->altered + at, &odd[(bits >> 8) % (sizeof odd / sizeof *odd)], 8);
      else
        r->altered[at + (bits >> 8) % 8] = (char)(bits >> 16);
    }
    sign(r);
    if (fb_sim_restore(r->sim, r->altered, r->size, &error) != FB_OK) continue;
    taken++;
    for (int k = 0; k < 20 && fb_sim_step(r->sim, 0.6, &error) == FB_OK; k++) continue;
  }
  assert_true(taken > FB_FORGED / 12); /* or nothing was tried */
}

#define T(name) cmocka_unit_test_setup_teardown(name, rig_open, rig_close)

int main(void) {
  const struct CMUnitTest tests[] = {
      T(every_single_byte_that_is_changed_is_noticed),
      T(a_refused_snapshot_leaves_the_simulation_as_it_was),
      T(indices_and_counts_that_cannot_be_are_refused_whatever_the_checksum_says),
      T(a_delay_line_that_cannot_be_ends_the_run_and_touches_nothing),
      T(random_alterations_with_a_checksum_that_fits_are_refused_or_go_on),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
