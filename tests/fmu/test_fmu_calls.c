/* test_fmu_calls.c -- co-simulation units called in every way: several at once, saved, restored, reset, and wrongly. */
#include "run_command.h"

#include "fmu_rig.h"

#include <pthread.h>

#define PENDULUM FB_SOURCE_DIR "/scenarios/pendulum/pendulum.yaml"

static package packages[2]; /* FMI 2 and FMI 3 */

static int open_all(void** state) {
  if (scratch_open(state)) return -1;
  packages[0] = open_package(PENDULUM, NULL, 2, "two");
  packages[1] = open_package(PENDULUM, NULL, 3, "three");
  return 0;
}

static int close_all(void** state) {
  close_package(&packages[0]);
  close_package(&packages[1]);
  return scratch_close(state);
}

static void same(double a, double b) {
  if (!(a == b)) fail_msg("%.17g is not %.17g", a, b);
}

/* The unit refuses, and says why in words that have this phrase. */
static void refused(instance* i, int status, const char* phrase) {
  assert_int_equal(status, ERROR);
  if (!strstr(i->log, phrase)) fail_msg("expected \"%s\" in \"%s\"", phrase, i->log);
  assert_string_equal(i->category, "logStatusError");
  i->log[0] = '\0';
}

/* --- several --- */

static void instances_do_not_know_of_one_another(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance alone, left, right;
    instantiate(&packages[v], &alone);
    initialize(&alone);
    assert_int_equal(set(&alone, "input.tau.hinge", 1), OK);
    for (int k = 0; k < 50; k++) step(&alone, 0.02 * k, 0.02);
    instantiate(&packages[v], &left);
    instantiate(&packages[v], &right);
    initialize(&left);
    initialize(&right);
    assert_int_equal(set(&left, "input.tau.hinge", 1), OK);
    assert_int_equal(set(&right, "input.tau.hinge", -1), OK);
    for (int k = 0; k < 50; k++) {
      step(&left, 0.02 * k, 0.02);
      step(&right, 0.02 * k, 0.02);
    }
    same(get(&left, "q.hinge"), get(&alone, "q.hinge"));
    assert_true(get(&left, "q.hinge") != get(&right, "q.hinge"));
    free_instance(&alone);
    free_instance(&left);
    step(&right, 1, 0.02);
    free_instance(&right);
  }
}

/* Each thread has an instance of its own. */
static void* run_alone(void* result) {
  instance i;
  instantiate(&packages[1], &i);
  initialize(&i);
  for (int k = 0; k < 100; k++) {
    if (set(&i, "input.tau.hinge", sin(0.1 * k)) != OK) break;
    step(&i, 0.02 * k, 0.02);
  }
  *(double*)result = get(&i, "q.hinge");
  free_instance(&i);
  return NULL;
}

static void instances_may_run_in_several_threads(void** state) {
  (void)state;
  pthread_t threads[4];
  double alone, q[4] = {0};
  run_alone(&alone);
  for (int k = 0; k < 4; k++) assert_int_equal(pthread_create(&threads[k], NULL, run_alone, &q[k]), 0);
  for (int k = 0; k < 4; k++) {
    assert_int_equal(pthread_join(threads[k], NULL), 0);
    same(q[k], alone);
  }
}

/* --- states --- */

static void a_restored_state_goes_on_bit_for_bit(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i, other;
    void *saved = NULL, *read = NULL;
    size_t size;
    instantiate(&packages[v], &i);
    initialize(&i);
    assert_int_equal(set(&i, "input.tau.hinge", 0.7), OK);
    step(&i, 0, 0.313);
    save(&i, &saved);
    step(&i, 0.313, 1);
    double q = get(&i, "q.hinge");
    assert_int_equal(set(&i, "input.tau.hinge", -3), OK);
    assert_int_equal(restore(&i, saved), OK);
    same(get(&i, "time"), 0.313);
    same(get(&i, "input.tau.hinge"), 0.7);
    step(&i, 0.313, 1);
    same(get(&i, "q.hinge"), q);
    /* As bytes, into an instance that has not even begun. */
    char* bytes = serialize(&i, saved, &size);
    instantiate(&packages[v], &other);
    assert_int_equal(deserialize(&other, bytes, size, &read), OK);
    assert_int_equal(restore(&other, read), OK);
    step(&other, 0.313, 1);
    same(get(&other, "q.hinge"), q);
    save(&i, &saved); /* a state that exists is replaced */
    drop_state(&i, &saved);
    drop_state(&other, &read);
    free(bytes);
    free_instance(&i);
    free_instance(&other);
  }
}

/* In an archive a backslash separates folders on some systems. */
static void names_of_entries_mean_the_same_everywhere(void** state) {
  (void)state;
  outcome o = run("cp " PENDULUM
                  " '..\\a:b?.yaml' && $FB fmu '..\\a:b?.yaml' -o odd.fmu && python3 -m zipfile -l odd.fmu");
  assert_int_equal(o.code, 0);
  assert_non_null(strstr(o.out, "resources/0-.._a_b_.yaml "));
  outcome_free(&o);
}

static void a_damaged_state_is_refused_and_changes_nothing(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    void *saved = NULL, *read = NULL;
    size_t size;
    instantiate(&packages[v], &i);
    initialize(&i);
    step(&i, 0, 0.1);
    save(&i, &saved);
    char* bytes = serialize(&i, saved, &size);
    double q = get(&i, "q.hinge");
    for (size_t at = 0; at < size; at += at < 400 ? 1 : 1 + size / 97) {
      char bit = (char)(1 << at % 8);
      bytes[at] ^= bit;
      assert_int_equal(deserialize(&i, bytes, size, &read), ERROR);
      bytes[at] ^= bit;
    }
    for (size_t cut = 0; cut < size; cut += 1 + size / 31) {
      if (deserialize(&i, bytes, cut, &read) != OK) continue;
      assert_int_equal(restore(&i, read), ERROR);
      drop_state(&i, &read);
    }
    same(get(&i, "q.hinge"), q);
    refused(&i, restore(&i, NULL), "no state");
    drop_state(&i, &saved);
    free(bytes);
    free_instance(&i);
  }
}

static void a_reset_unit_does_the_same_again(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    double q[2];
    instantiate(&packages[v], &i);
    for (int n = 0; n < 2; n++) {
      initialize(&i);
      step(&i, 0, 0.5);
      q[n] = get(&i, "q.hinge");
      assert_int_equal(set(&i, "input.tau.hinge", 4), OK);
      step(&i, 0.5, 0.5);
      assert_int_equal(call(&i, "Reset"), OK);
      same(get(&i, "time"), 0);
      same(get(&i, "input.tau.hinge"), 0);
    }
    same(q[0], q[1]);
    free_instance(&i);
  }
}

/* --- wrong calls --- */

static void what_does_not_belong_together_is_not_instantiated(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    char here[800];
    snprintf(here, sizeof here, "%s%s/resources", v == 0 ? "file://" : "", packages[v].folder);
    instantiate_with(&packages[v], &i, "{wrong}", here);
    assert_null(i.c);
    assert_non_null(strstr(i.log, "do not belong together"));
    instantiate_with(&packages[v], &i, NULL, here);
    assert_null(i.c);
    instantiate_with(&packages[v], &i, packages[v].token, "file:///nowhere%20at/all");
    assert_null(i.c);
    assert_non_null(strstr(i.log, "/nowhere at/all/plant.json"));
    instantiate_with(&packages[v], &i, packages[v].token, "http://example.org/resources");
    assert_null(i.c);
    instantiate_with(&packages[v], &i, packages[v].token, NULL);
    assert_null(i.c);
    assert_int_equal(call(&i, "Reset"), ERROR); /* without an instance */
    free_instance(&i);
  }
}

static void wrong_values_are_refused_and_nothing_is_set(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    instantiate(&packages[v], &i);
    initialize(&i);
    unsigned count = (unsigned)fb_plant_nvariable(packages[v].plant),
             input = reference_of(&i, "input.tau.hinge");
    const unsigned pair[2] = {input, count + 1}, time = 0, last = count + 1, far = 4000000000u;
    const double values[2] = {2, 3}, nan = NAN;
    double value = 0;
    refused(&i, set_by(&i, &input, 1, &nan), "finite");
    refused(&i, set(&i, "input.tau.hinge", INFINITY), "finite");
    refused(&i, set(&i, "q.hinge", 1), "output");
    refused(&i, set_by(&i, &time, 1, values), "time");
    refused(&i, set_by(&i, pair, 2, values), "value reference");
    same(get(&i, "input.tau.hinge"), 0);
    refused(&i, get_by(&i, &last, 1, &value), "value reference");
    refused(&i, get_by(&i, &far, 1, &value), "value reference");
    refused(&i, get_by(&i, NULL, 1, &value), "value reference");
    refused(&i, get_by(&i, &input, 1, NULL), "value");
    assert_int_equal(get_by(&i, NULL, 0, NULL), OK);
    free_instance(&i);
  }
}

static void calls_in_the_wrong_order_are_refused(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    int ended;
    instantiate(&packages[v], &i);
    refused(&i, step_to(&i, 0, 0.1, &ended), "EnterInitializationMode");
    refused(&i, call(&i, "ExitInitializationMode"), "EnterInitializationMode");
    refused(&i, call(&i, "Terminate"), "EnterInitializationMode");
    refused(&i, enter(&i, 3, 0, 0), "begins at 0");
    refused(&i, enter(&i, NAN, 0, 0), "begins at 0");
    refused(&i, enter(&i, 0, 1, -1), "stop time");
    assert_int_equal(enter(&i, 0, 1, 1), OK);
    refused(&i, enter(&i, 0, 0, 0), "initialization mode");
    assert_int_equal(call(&i, "ExitInitializationMode"), OK);
    refused(&i, step_to(&i, 0.5, 0.1, &ended), "begins at");
    refused(&i, step_to(&i, 0, -0.1, &ended), "step of");
    refused(&i, step_to(&i, 0, NAN, &ended), "step of");
    refused(&i, step_to(&i, 0, 2, &ended), "stop time");
    step(&i, 0, 0); /* nothing happens */
    step(&i, 0, 1);
    assert_int_equal(call(&i, "Terminate"), OK);
    refused(&i, step_to(&i, 1, 0.1, &ended), "after terminate");
    refused(&i, set(&i, "input.tau.hinge", 1), "after terminate");
    assert_true(isfinite(get(&i, "q.hinge")));
    free_instance(&i);
  }
}

static void types_and_features_that_a_unit_lacks_are_refused(void** state) {
  (void)state;
  instance i;
  const unsigned reference = 1;
  char room[64] = "";
  instantiate(&packages[0], &i);
  initialize(&i);
  static const char* const TYPES_2[] = {"GetInteger", "SetBoolean", "GetString"};
  for (int k = 0; k < 3; k++) {
    int (*access)(void*, const unsigned*, size_t, void*);
    find_function(&packages[0], TYPES_2[k], &access);
    refused(&i, access(i.c, &reference, 1, room), "no variables of type");
    assert_int_equal(access(i.c, NULL, 0, NULL), OK);
  }
  refused(&i, call(&i, "CancelStep"), "complete");
  free_instance(&i);
  instantiate(&packages[1], &i);
  initialize(&i);
  static const char* const TYPES_3[] = {"GetFloat32", "SetInt32", "GetString", "SetBoolean", "GetUInt64"};
  for (int k = 0; k < 5; k++) {
    int (*access)(void*, const unsigned*, size_t, void*, size_t);
    find_function(&packages[1], TYPES_3[k], &access);
    refused(&i, access(i.c, &reference, 1, room, 1), "no variables of type");
  }
  int (*get_float)(void*, const unsigned*, size_t, double*, size_t);
  double value;
  find_function(&packages[1], "GetFloat64", &get_float);
  refused(&i, get_float(i.c, &reference, 1, &value, 2), "scalars");
  refused(&i, call(&i, "EnterEventMode"), "event mode");
  refused(&i, call(&i, "EnterConfigurationMode"), "structural");
  free_instance(&i);
}

static void a_step_that_fails_can_be_taken_back(void** state) {
  (void)state;
  for (int v = 0; v < 2; v++) {
    instance i;
    void* saved = NULL;
    int ended;
    instantiate(&packages[v], &i);
    initialize(&i);
    step(&i, 0, 0.1);
    save(&i, &saved);
    double q = get(&i, "q.hinge");
    assert_int_equal(set(&i, "input.tau.hinge", 1e308), OK);
    assert_int_equal(step_to(&i, 0.1, 1, &ended), ERROR);
    assert_true(i.log[0] != '\0');
    assert_int_equal(step_to(&i, 0.1, 1, &ended), ERROR);
    assert_int_equal(restore(&i, saved), OK);
    same(get(&i, "q.hinge"), q);
    step(&i, 0.1, 0.1);
    drop_state(&i, &saved);
    free_instance(&i);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(instances_do_not_know_of_one_another),
      cmocka_unit_test(instances_may_run_in_several_threads),
      cmocka_unit_test(a_restored_state_goes_on_bit_for_bit),
      cmocka_unit_test(names_of_entries_mean_the_same_everywhere),
      cmocka_unit_test(a_damaged_state_is_refused_and_changes_nothing),
      cmocka_unit_test(a_reset_unit_does_the_same_again),
      cmocka_unit_test(what_does_not_belong_together_is_not_instantiated),
      cmocka_unit_test(wrong_values_are_refused_and_nothing_is_set),
      cmocka_unit_test(calls_in_the_wrong_order_are_refused),
      cmocka_unit_test(types_and_features_that_a_unit_lacks_are_refused),
      cmocka_unit_test(a_step_that_fails_can_be_taken_back),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
