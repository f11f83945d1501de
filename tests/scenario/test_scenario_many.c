/* test_scenario_many.c -- many bodies, many events: what checks and runs cost grows with their number, not with its square. */
#include <sys/resource.h>

#include "run_command.h"

enum { FEW = 1500, MANY = 8 * FEW };

typedef struct shape {
  const char* name;
  void (*write)(FILE* f, int count);
} shape;

static void write_free(FILE* f, int count) {
  fputs("freebody: 1\nbodies:\n", f);
  for (int i = 0; i < count; i++) fprintf(f, "- {name: b%d, mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n", i);
}

/* A URDF: a chain, or all on the first. */
static void write_links(FILE* f, int count, const char* inertial, int chain) {
  fputs("<robot name='r'>\n", f);
  for (int i = 0; i < count; i++) fprintf(f, "<link name='l%d'>%s</link>\n", i, inertial);
  for (int i = 1; i < count; i++)
    fprintf(f,
            "<joint name='j%d' type='continuous'><parent link='l%d'/><child link='l%d'/><axis xyz='0 0 1'/>"
            "<dynamics damping='%s' friction='%s'/></joint>\n",
            i, chain ? i - 1 : 0, i, *inertial ? "0.1" : "0", *inertial ? "0.1" : "0");
  fputs("</robot>\n", f);
}

#define INERTIAL \
  "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"

static void write_star(FILE* f, int count) {
  write_links(f, count, INERTIAL, 0);
}
static void write_chain(FILE* f, int count) {
  write_links(f, count, INERTIAL, 1);
}
static void write_empty_star(FILE* f, int count) {
  write_links(f, count, "", 0);
}
static void write_empty_chain(FILE* f, int count) {
  write_links(f, count, "", 1);
}

static const shape SHAPES[] = {{"free.yaml", write_free},
                               {"star.urdf", write_star},
                               {"chain.urdf", write_chain},
                               {"emptystar.urdf", write_empty_star},
                               {"emptychain.urdf", write_empty_chain}};

static void spill_shape(const shape* s, int count) {
  FILE* f = fopen(s->name, "w");
  assert_non_null(f);
  s->write(f, count);
  fclose(f);
}

/* Processor time of a command, in seconds. */
static double cost(const char* command) {
  struct rusage before, after;
  getrusage(RUSAGE_CHILDREN, &before);
  if (system(command)) fail_msg("%s", command);
  getrusage(RUSAGE_CHILDREN, &after);
  return (double)(after.ru_utime.tv_sec - before.ru_utime.tv_sec) +
         1e-6 * (double)(after.ru_utime.tv_usec - before.ru_utime.tv_usec);
}

/* The square would be 64 times as much, and 8 is in proportion; the few are so quick that they are lifted to what starting
 * a command costs. */
static void compare_costs(const char* command, double few, double many) {
  static const double MOST = 24, START = 0.02;
  if (many > MOST * (few > START ? few : START))
    fail_msg("%s: %g s for %d, %g s for %d", command, few, FEW, many, MANY);
}

static void costs_in_proportion(const char* format, const shape* s) {
  char command[400];
  snprintf(command, sizeof command, format, s->name);
  spill_shape(s, FEW);
  double few = cost(command);
  spill_shape(s, MANY);
  compare_costs(command, few, cost(command));
}

static void a_check_costs_in_proportion_to_the_number_of_bodies(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++)
    costs_in_proportion("$FB check %s >out 2>err", &SHAPES[i]);
}

static void the_start_of_a_run_costs_in_proportion_to_the_number_of_bodies(void** state) {
  (void)state;
  for (size_t i = 0; i < sizeof SHAPES / sizeof *SHAPES; i++) {
    char scenario[300];
    snprintf(scenario, sizeof scenario,
             "scenario: 1\nmodel: %s\nduration: 1 ms\nintegrator: {method: rk4, step: 1 ms}\nlog: {period: 1 "
             "ms}\n",
             SHAPES[i].name);
    spill("run.yaml", scenario);
    costs_in_proportion("test -f %s && $FB run run.yaml -o run --force --quiet >out 2>err", &SHAPES[i]);
  }
}

/* --- events --- */

static void write_event(FILE* f, int i) {
  static const char* const forms[] = {"when: q.hinge, crosses: %g", "at: %g",
                                      "when: q.hinge, crosses: %g, direction: rising"};
  fprintf(f, "- {name: e%d, ", i);
  fprintf(f, forms[i % 3], 2 + 1e-5 * i);
  fputs(", do: [{set: {block: hold, parameter: hinge.kd, value: 0.1}}]}\n", f);
}

static void spill_events(int count) {
  FILE* f = fopen("events.yaml", "w");
  assert_non_null(f);
  fputs(
      "scenario: 1\nmodel: {bodies: [{name: bob, mass: 1, inertia: [0.1, 0.1, 0.1, 0, 0, 0], joint: {name: "
      "hinge, "
      "type: revolute, axis: [0, 1, 0]}}]}\nduration: 0.1\ncontrol: [{name: hold, type: joint_pd, joints: "
      "[hinge], kp: 2, kd: 0.1}]\nevents:\n",
      f);
  for (int i = 0; i < count; i++) write_event(f, i);
  assert_int_equal(fclose(f), 0);
}

/* None of them happens. */
static void events_cost_in_proportion_to_their_number(void** state) {
  (void)state;
  static const char* const commands[] = {"$FB check events.yaml >out 2>err",
                                         "$FB run events.yaml -o run --force --quiet >out 2>err"};
  for (int i = 0; i < 2; i++) {
    spill_events(FEW);
    double few = cost(commands[i]);
    spill_events(MANY);
    compare_costs(commands[i], few, cost(commands[i]));
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_check_costs_in_proportion_to_the_number_of_bodies),
      cmocka_unit_test(the_start_of_a_run_costs_in_proportion_to_the_number_of_bodies),
      cmocka_unit_test(events_cost_in_proportion_to_their_number),
  };
  return cmocka_run_group_tests(tests, scratch_open, scratch_close);
}
