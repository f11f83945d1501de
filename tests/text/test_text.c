/* test_text.c -- text that grows, times with units, UTF-8, whole files, names in messages: what tools around the
 * library use. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <freebody/support/files.h>
#include <freebody/support/text.h>
#include <freebody/support/words.h>

static void text_grows_and_is_taken_out(void** unused) {
  (void)unused;
  fb_text text = {0};
  for (int i = 0; i < 100; i++) fb_text_printf(&text, "%d,", i % 10);
  fb_text_add_repeat(&text, '-', 3);
  fb_text_insert(&text, 2, "inserted,");
  size_t size;
  char* taken = fb_text_take(&text, &size);
  assert_non_null(taken);
  assert_int_equal(size, 200 + 3 + 9);
  assert_int_equal(strlen(taken), size);
  assert_memory_equal(taken, "0,inserted,1,2,", 15);
  assert_null(text.data);
  free(taken);
  taken = fb_text_take(&text, NULL); /* nothing was added: an empty text, not NULL */
  assert_string_equal(taken, "");
  free(taken);
}

static void what_is_inserted_behind_the_end_is_added(void** unused) {
  (void)unused;
  fb_text text = {0};
  fb_text_insert(&text, 99, "b");
  assert_string_equal(text.data, "b");
  fb_text_insert(&text, 99, "c");
  fb_text_insert(&text, 0, "a");
  fb_text_add_bytes(&text, NULL, 0);
  assert_string_equal(text.data, "abc");
  free(text.data);
}

/* Nothing is freed twice, and no descriptor of another file closed: 0 is standard input. */
static void an_output_that_is_not_open_is_closed_without_effect(void** unused) {
  (void)unused;
  fb_output output;
  int input = dup(STDIN_FILENO) >= 0;
  assert_int_equal(fb_output_open("/nowhere/at/all", &output, NULL), FB_ERR_IO);
  assert_int_equal(fb_output_close(&output, FB_ERR_IO, NULL), FB_ERR_IO);
  assert_int_equal(fb_output_open("/dev/null", &output, NULL), FB_OK);
  for (int i = 0; i < 2; i++) assert_int_equal(fb_output_close(&output, FB_OK, NULL), FB_OK);
  assert_int_equal(dup(STDIN_FILENO) >= 0, input);
}

static void a_time_is_read_with_and_without_its_unit(void** unused) {
  (void)unused;
  static const struct {
    const char* text;
    double seconds; /* < 0: not a time */
  } cases[] = {{"20", 20},    {"20s", 20}, {"20 s", 20}, {"5min", 300},  {"250 ms", 0.25}, {"1e400", -1},
               {"20 kg", -1}, {"", -1},    {"s", -1},    {"20 s x", -1}, {"nan", -1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double seconds;
    int good = fb_time_parse(cases[i].text, &seconds);
    if (good != (cases[i].seconds >= 0)) fail_msg("'%s' is %sa time", cases[i].text, good ? "" : "not ");
    if (good && seconds != cases[i].seconds) fail_msg("'%s' is %g s", cases[i].text, seconds);
  }
}

static void utf8_characters_have_their_length_and_others_none(void** unused) {
  (void)unused;
  static const struct {
    const char* text;
    size_t length;
  } cases[] = {{"a", 1},        {"\xc3\xa9", 2},        {"\xe2\x82\xac", 3}, {"\xf0\x9f\x98\x80", 4},
               {"\x80", 0},     {"\xc0\x80", 0},        {"\xe2\x82", 0},     {"\xed\xa0\x80", 0},
               {"\xf4\x90", 0}, {"\xf4\x90\x80\x80", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    assert_int_equal(fb_utf8_length(cases[i].text, strlen(cases[i].text)), cases[i].length);
  assert_int_equal(fb_utf8_length("a", 0), 0);
}

static void a_file_is_written_whole_or_not_at_all(void** unused) {
  (void)unused;
  char name[64], other[80], *text;
  size_t size;
  fb_error error;
  fb_output output;
  snprintf(name, sizeof name, "test_text_%ld.txt", (long)getpid());
  snprintf(other, sizeof other, "%s/nowhere", name);
  assert_int_equal(fb_file_write(name, "old", 3, &error), FB_OK);
  assert_int_equal(fb_output_open(name, &output, &error), FB_OK);
  FILE* stream = fb_output_stream(&output);
  assert_non_null(stream);
  fputs("half", stream);
  fclose(stream);
  assert_int_equal(fb_output_close(&output, FB_ERR_IO, &error), FB_ERR_IO);
  assert_int_equal(fb_file_read(name, &text, &size, &error), FB_OK);
  assert_string_equal(text, "old");
  assert_int_equal(size, 3);
  free(text);
  assert_int_equal(fb_file_write(other, "new", 3, &error), FB_ERR_IO);
  assert_string_equal(error.file, other);
  unlink(name);
  assert_int_equal(fb_file_read(name, &text, &size, &error), FB_ERR_IO);
  assert_string_equal(error.text, "there is no such file");
}

static void a_mistyped_name_gets_the_nearest_or_the_list(void** unused) {
  (void)unused;
  static const char* const names[] = {"mass", "inertia", "com", NULL};
  char text[FB_SUGGESTION_SIZE];
  assert_string_equal(fb_suggestion("inertai", names, text), "; did you mean 'inertia'?");
  assert_string_equal(fb_suggestion("velocity", names, text), "");
  assert_string_equal(fb_suggestion_or_list("velocity", names, "its keys are", text),
                      "; its keys are mass, inertia, com");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_grows_and_is_taken_out),
      cmocka_unit_test(what_is_inserted_behind_the_end_is_added),
      cmocka_unit_test(an_output_that_is_not_open_is_closed_without_effect),
      cmocka_unit_test(a_time_is_read_with_and_without_its_unit),
      cmocka_unit_test(utf8_characters_have_their_length_and_others_none),
      cmocka_unit_test(a_file_is_written_whole_or_not_at_all),
      cmocka_unit_test(a_mistyped_name_gets_the_nearest_or_the_list),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
