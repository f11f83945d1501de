/* cmocka.h -- stands in for cmocka where a cross compiler has none: what the tests of the kernels use of it.
 *
 * scripts/aarch64 builds them with it. A check that fails prints its place and ends the program. */
#ifndef FB_TESTS_AARCH64_CMOCKA_H
#define FB_TESTS_AARCH64_CMOCKA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
  const char* name;
  void (*run)(void** state);
};

#define print_message printf
#define print_error(...) fprintf(stderr, __VA_ARGS__)
static inline void _fail(const char* file, int line) {
  fprintf(stderr, "%s:%d: failed\n", file, line);
  exit(1);
}
#define assert_true(x) ((x) ? (void)0 : _fail(__FILE__, __LINE__))
#define assert_null(x) assert_true(!(x))
#define assert_non_null(x) assert_true(x)
#define assert_int_equal(a, b) assert_true((long long)(a) == (long long)(b))
#define assert_string_equal(a, b) assert_true(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)
#define fail_msg(...) (print_error(__VA_ARGS__), _fail(__FILE__, __LINE__))

#define cmocka_unit_test(function) \
  { #function, function }
#define cmocka_run_group_tests(tests, before, after) run_all(tests, sizeof(tests) / sizeof(tests)[0])
static inline int run_all(const struct CMUnitTest* tests, size_t count) {
  for (size_t i = 0; i < count; i++) {
    void* state = NULL;
    printf("%s\n", tests[i].name);
    fflush(stdout);
    tests[i].run(&state);
  }
  return 0;
}

#endif
