/* test_scenario_weightless.c -- random URDFs with links of no, little or negative mass, coaxial joints, dampers and <mimic>: a run
 * of each begins, with the joints that have nothing to move held or moved by their dampers, and steps to finite numbers.
 *
 * FB_ROBOTS=20000 tries that many. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/freebody.h>

#include "random.h"

enum { ROOM = 1 << 14, MOST_LINKS = 7 };

static double one_of(fb_random* r, const double* values, int count) {
  return values[random_index(r, count)];
}

#define ONE_OF(r, ...) \
  one_of(r, (const double[]){__VA_ARGS__}, (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)))

typedef struct urdf_text {
  char text[ROOM];
  size_t size;
} urdf_text;

static void add(urdf_text* t, const char* format, ...) FB_PRINTF(2, 3);
static void add(urdf_text* t, const char* format, ...) {
  va_list args;
  va_start(args, format);
  t->size += (size_t)vsnprintf(t->text + t->size, ROOM - t->size, format, args);
  va_end(args);
  assert_true(t->size < ROOM);
}

static void add_link(urdf_text* t, fb_random* r, int i) {
  double mass = ONE_OF(r, NAN, NAN, 0, 1e-30, 1e-9, -1e-35, 0.3, 1),
         moment = ONE_OF(r, 0, 1e-30, 1e-12, 1e-3, 0.01);
  if (isnan(mass)) {
    add(t, "<link name='l%d'/>\n", i);
    return;
  }
  add(t, "<link name='l%d'><inertial><origin xyz='%g %g 0'/><mass value='%g'/>", i, ONE_OF(r, 0, 0.1),
      ONE_OF(r, 0, -0.2), mass);
  add(t, "<inertia ixx='%g' iyy='%g' izz='%g' ixy='0' ixz='0' iyz='0'/></inertial></link>\n", moment, moment,
      moment * ONE_OF(r, 0, 1, 1, 2));
}

static void add_joint(urdf_text* t, fb_random* r, int i) {
  static const char* const types[] = {"revolute", "continuous", "prismatic",
                                      "revolute", "planar",     "floating"};
  static const char* const axes[] = {"0 0 1", "0 0 1", "0 1 0", "1 0 0", "0.6 0 0.8"};
  int type = random_index(r, 8) ? random_index(r, 4) : 4 + random_index(r, 2);
  add(t, "<joint name='j%d' type='%s'><parent link='l%d'/><child link='l%d'/>", i, types[type],
      i > 1 ? i - 1 - random_index(r, 2) : 0, i);
  add(t, "<origin xyz='%g %g 0' rpy='%g 0 0'/><axis xyz='%s'/>", ONE_OF(r, 0, 0, 0.1), ONE_OF(r, 0, 0.3),
      ONE_OF(r, 0, 0, 1.5707963, 0.3), axes[random_index(r, 5)]);
  add(t, "<limit lower='-1' upper='1' effort='1' velocity='1'/>");
  if (random_index(r, 3) == 0)
    add(t, "<dynamics damping='%g' friction='%g'/>", ONE_OF(r, 0, 0.1, 1e-4), ONE_OF(r, 0, 0, 0.1));
  if (i > 1 && type < 4 && random_index(r, 3) == 0)
    add(t, "<mimic joint='j%d' multiplier='%g'/>", 1 + random_index(r, i - 1), ONE_OF(r, 1, -1, 0.5));
  add(t, "</joint>\n");
}

static void make(urdf_text* t, uint64_t seed) {
  fb_random r = random_seed(seed);
  int count = 2 + random_index(&r, MOST_LINKS - 1);
  t->size = 0;
  add(t, "<robot name='r'>\n");
  for (int i = 0; i < count; i++) add_link(t, &r, i);
  for (int i = 1; i < count; i++) add_joint(t, &r, i);
  add(t, "</robot>\n");
}

static void step_to_numbers(const fb_scenario* s, const urdf_text* t, uint64_t seed) {
  fb_sim* sim;
  fb_error error;
  fb_status status = fb_sim_build(s, &sim, &error);
  for (int i = 0; i < 3 && !status; i++) status = fb_sim_step(sim, 1, &error);
  if (status) fail_msg("robot %d: %s\n%s", (int)seed, error.text, t->text);
  const double *q = fb_sim_q(sim), *v = fb_sim_v(sim);
  for (int i = 0; i < fb_model_nq(fb_scenario_model(s)); i++) assert_true(isfinite(q[i]));
  for (int i = 0; i < fb_model_nv(fb_scenario_model(s)); i++) assert_true(isfinite(v[i]));
  fb_sim_free(sim);
}

static void a_run_of_every_robot_without_mass_somewhere_begins(void** state) {
  (void)state;
  urdf_text* t = (urdf_text*)malloc(sizeof *t);
  assert_non_null(t);
  int count = getenv("FB_ROBOTS") ? atoi(getenv("FB_ROBOTS")) : 400;
  for (int i = 0; i < count; i++) {
    fb_scenario* s;
    fb_error error;
    fb_scenario_options options = fb_default_scenario_options();
    options.io.base = i % 2 ? FB_BASE_FIXED : FB_BASE_AS_FILE;
    options.duration = 1;
    make(t, (uint64_t)i);
    if (fb_scenario_parse(t->text, t->size, "robot.urdf", &options, &s, &error))
      fail_msg("robot %d: %s\n%s", i, error.text, t->text);
    step_to_numbers(s, t, (uint64_t)i);
    fb_scenario_free(s);
  }
  free(t);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_run_of_every_robot_without_mass_somewhere_begins)};
  return cmocka_run_group_tests_name("scenario_weightless", tests, NULL, NULL);
}
