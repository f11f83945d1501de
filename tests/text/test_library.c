/* test_library.c -- libraries that are loaded when they are needed, and what the command loads at its start. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include <freebody/support/library.h>

typedef struct mathematics {
  double (*cos)(double);
  double (*hypot)(double, double);
} mathematics;

static void functions_of_a_library_are_found_by_name(void** unused) {
  (void)unused;
  static const char* const names[] = {"cos", "hypot"};
  mathematics m;
  fb_error error;
  assert_int_equal(fb_library_load("libm.so.6", names, 2, &m, &error), FB_OK);
  assert_true(m.cos(0) == 1);
  assert_true(m.hypot(3, 4) == 5);
}

static void a_library_that_is_missing_is_named(void** unused) {
  (void)unused;
  static const char* const names[] = {"cos"};
  mathematics m;
  fb_error error;
  assert_int_equal(fb_library_load("libnowhere.so.9", names, 1, &m, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "cannot load the library libnowhere.so.9: "));
  assert_non_null(strstr(error.text, "No such file"));
}

static void a_function_that_is_missing_is_named(void** unused) {
  (void)unused;
  static const char* const names[] = {"cos", "cosh_of_nothing"};
  mathematics m;
  fb_error error;
  assert_int_equal(fb_library_load("libm.so.6", names, 2, &m, &error), FB_ERR_IO);
  assert_non_null(strstr(error.text, "cosh_of_nothing"));
}

/* Each of these brings dozens of others: Kerberos, TLS, curl. */
static void the_command_starts_without_libraries_of_exports_and_live_pages(void** unused) {
  (void)unused;
  char line[512];
  int lines = 0;
  FILE* needed = popen("LD_TRACE_LOADED_OBJECTS=1 '" FB_BINARY_DIR "/bin/freebody'", "r");
  assert_non_null(needed);
  while (fgets(line, sizeof line, needed)) {
    lines++;
    assert_null(strstr(line, "hdf5"));
    assert_null(strstr(line, "websockets"));
    assert_null(strstr(line, "ssl"));
  }
  pclose(needed);
  assert_true(lines >= 2);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_of_a_library_are_found_by_name),
      cmocka_unit_test(a_library_that_is_missing_is_named),
      cmocka_unit_test(a_function_that_is_missing_is_named),
      cmocka_unit_test(the_command_starts_without_libraries_of_exports_and_live_pages),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
