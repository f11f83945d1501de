/* test_json.c -- JSON and YAML text: layout, escapes, and numbers that read back the same double. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>
#include <freebody/support/text.h>

#include "document/document.h"

/* A small document with everything in it, by the calls a program makes. */
static void write_sample(fb_json* json) {
  const double x[4] = {1, -2.5, NAN, 4};
  fb_json_begin_map(json);
  fb_json_key(json, "name");
  fb_json_string(json, "a \"b\"\n\t\\ \x01 \xc3\xa9");
  fb_json_key(json, "list");
  fb_json_begin_list(json);
  fb_json_int(json, -7);
  fb_json_bool(json, 1);
  fb_json_null(json);
  fb_json_begin_map(json);
  fb_json_end_map(json);
  fb_json_begin_list(json);
  fb_json_end_list(json);
  fb_json_end_list(json);
  fb_json_key(json, "x");
  fb_json_numbers(json, x, 4);
  fb_json_key(json, "m");
  fb_json_matrix(json, x, 2, 2);
  fb_json_end_map(json);
}

static void test_one_line_and_indented(void** state) {
  (void)state;
  const char* want[] = {
      "{\"name\": \"a \\\"b\\\"\\n\\t\\\\ \\u0001 \xc3\xa9\", \"list\": [-7, true, null, {}, []], \"x\": [1, "
      "-2.5, null, 4], "
      "\"m\": [[1, -2.5], [null, 4]]}",
      "{\n \"name\": \"a \\\"b\\\"\\n\\t\\\\ \\u0001 \xc3\xa9\",\n \"list\": [\n  -7,\n  true,\n  null,\n  "
      "{},\n  []\n ],\n"
      " \"x\": [1, -2.5, null, 4],\n \"m\": [\n  [1, -2.5],\n  [null, 4]\n ]\n}\n"};
  for (int indent = 0; indent < 2; indent++) {
    fb_json* json = fb_json_new(indent);
    write_sample(json);
    size_t size;
    char* text = fb_json_finish(json, &size);
    assert_string_equal(text, want[indent]);
    assert_int_equal(size, strlen(text));
    free(text);
  }
}

static void test_yaml_is_block_outside_and_flow_inside(void** state) {
  (void)state;
  fb_json* json = fb_json_new_yaml();
  fb_json_begin_map(json);
  fb_json_key(json, "name");
  fb_json_string(json, "two words");
  fb_json_key(json, "none");
  fb_json_begin_list(json);
  fb_json_end_list(json);
  fb_json_key(json, "bodies");
  fb_json_begin_list(json);
  for (int i = 0; i < 2; i++) {
    fb_json_begin_map(json);
    fb_json_key(json, "name");
    fb_json_string(json, i ? "yes" : "3");
    fb_json_key(json, "joint");
    fb_json_begin_map(json);
    for (int k = 0; k < 12; k++) {
      char key[16] = "key_a";
      key[4] = (char)('a' + k);
      fb_json_key(json, key);
      fb_json_number(json, 0.125 * k);
    }
    fb_json_end_map(json);
    fb_json_end_map(json);
  }
  fb_json_end_list(json);
  fb_json_end_map(json);
  char* text = fb_json_finish(json, NULL);
  assert_string_equal(text,
                      "name: two words\nnone: []\nbodies:\n  - name: \"3\"\n"
                      "    joint: {key_a: 0, key_b: 0.125, key_c: 0.25, key_d: 0.375, key_e: 0.5, key_f: "
                      "0.625, key_g: 0.75,\n"
                      "            key_h: 0.875, key_i: 1, key_j: 1.125, key_k: 1.25, key_l: 1.375}\n"
                      "  - name: \"yes\"\n"
                      "    joint: {key_a: 0, key_b: 0.125, key_c: 0.25, key_d: 0.375, key_e: 0.5, key_f: "
                      "0.625, key_g: 0.75,\n"
                      "            key_h: 0.875, key_i: 1, key_j: 1.125, key_k: 1.25, key_l: 1.375}\n");
  free(text);
}

static void test_zero_has_no_sign(void** state) {
  (void)state;
  fb_json* json = fb_json_new(0);
  const double x[3] = {-0.0, 0, -1};
  fb_json_numbers(json, x, 3);
  char* text = fb_json_finish(json, NULL);
  assert_string_equal(text, "[0, 0, -1]");
  free(text);
}

static void test_documents_echo_as_json(void** state) {
  (void)state;
  const struct {
    const char *yaml, *json;
  } rows[] = {
      {"a: {b: [1, [2, {c: ~}]]}\nd: text", "{\"a\": {\"b\": [1, [2, {\"c\": null}]]}, \"d\": \"text\"}"},
      {"[+1, .5, 5., 007, 0x1f, 1e5, -0, 1.50]", "[1, 0.5, 5, 7, \"0x1f\", 1e5, -0, 1.50]"},
      {"[true, False, 'true', .nan, -.inf, \"3\", 3 kg]",
       "[true, false, \"true\", null, null, \"3\", \"3 kg\"]"},
      {"[]", "[]"},
      {"word", "\"word\""},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc;
    assert_int_equal(fb_doc_parse(rows[i].yaml, strlen(rows[i].yaml), "t", &doc, NULL), FB_OK);
    fb_json* json = fb_json_new(0);
    fb_json_node(json, fb_doc_root(doc));
    char* text = fb_json_finish(json, NULL);
    assert_string_equal(text, rows[i].json);
    free(text);
    fb_doc_free(doc);
  }
}

static void test_the_deepest_document_echoes(void** state) {
  (void)state;
  char text[2 * FB_DOC_MAX_DEPTH + 2];
  memset(text, '[', FB_DOC_MAX_DEPTH);
  memset(text + FB_DOC_MAX_DEPTH, ']', FB_DOC_MAX_DEPTH);
  text[2 * FB_DOC_MAX_DEPTH] = '\0';
  fb_doc* doc;
  assert_int_equal(fb_doc_parse(text, strlen(text), "t", &doc, NULL), FB_OK);
  fb_json* json = fb_json_new(0);
  fb_json_node(json, fb_doc_root(doc));
  char* back = fb_json_finish(json, NULL);
  assert_string_equal(back, text);
  free(back);
  fb_doc_free(doc);
}

static void test_numbers_have_the_fewest_digits(void** state) {
  (void)state;
  const struct {
    double x;
    const char* want;
  } rows[] = {{0, "0"},
              {-0.0, "-0"},
              {1, "1"},
              {-17, "-17"},
              {0.1, "0.1"},
              {1e15, "1e+15"},
              {123456789012345, "123456789012345"},
              {0.1 + 0.2, "0.30000000000000004"},
              {1.0 / 3, "0.3333333333333333"},
              {1e300, "1e+300"},
              {2.5e-7, "2.5e-07"}};
  char buffer[32];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(fb_number_format(rows[i].x, buffer), rows[i].want);
}

static void times_are_the_decimals_that_multiples_of_periods_stand_for(void** state) {
  (void)state;
  static const struct {
    double t;
    const char* want;
  } rows[] = {{0, "0"},
              {3 * 0.1, "0.3"},
              {7 * 0.01, "0.07"},
              {-(3 * 0.1), "-0.3"},
              {99981 * 0.001, "99.981"},
              {0.1 + 0.2 + 1e-15, "0.30000000000000104"}, /* more than an ulp away: as it is */
              {1.2345678901234567, "1.2345678901234567"}, /* the time of an event */
              {1.0 / 3, "0.3333333333333333"},
              {1e-300, "1e-300"},
              {INFINITY, "inf"}};
  char buffer[32];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    assert_string_equal(fb_time_format(rows[i].t, buffer), rows[i].want);
  for (int n = 0; n < 100000; n++) {
    double t = n * 0.007, back;
    assert_non_null(fb_number_parse(fb_time_format(t, buffer), &back));
    assert_true(strlen(buffer) <= 7);
    assert_true(back == t || back == nextafter(t, 0) || back == nextafter(t, INFINITY));
  }
}

static void test_a_hundred_thousand_doubles_read_back_bit_for_bit(void** state) {
  (void)state;
  uint64_t seed = 42;
  for (int i = 0; i < 100000; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    double x, back;
    char buffer[32];
    uint64_t bits = seed ^ (seed >> 29);
    if (i % 2)
      bits = (bits & 0x800fffffffffffffu) | ((uint64_t)(1000 + i % 50) << 52); /* sizes of every day */
    memcpy(&x, &bits, sizeof x);
    if (!isfinite(x)) continue;
    const char* end = fb_number_parse(fb_number_format(x, buffer), &back);
    assert_non_null(end);
    assert_int_equal(*end, '\0');
    assert_memory_equal(&x, &back, sizeof x);
  }
}

static void what_is_no_utf8_becomes_replacement_characters(void** state) {
  (void)state;
  static const struct {
    const char *text, *json;
  } cases[] = {
      {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9b\xb0", "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x9b\xb0\""},
      {"a\xff", "\"a\\ufffd\""},
      {"\xc3(", "\"\\ufffd(\""},
      {"\xe2\x82", "\"\\ufffd\\ufffd\""},            /* cut short */
      {"\xc0\x80x", "\"\\ufffd\\ufffdx\""},          /* longer than it need be */
      {"\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\""}, /* half of a pair */
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    fb_json* json = fb_json_new(0);
    assert_non_null(json);
    fb_json_string(json, cases[i].text);
    char* text = fb_json_finish(json, NULL);
    assert_non_null(text);
    assert_string_equal(text, cases[i].json);
    free(text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_no_utf8_becomes_replacement_characters),
      cmocka_unit_test(test_one_line_and_indented),
      cmocka_unit_test(test_yaml_is_block_outside_and_flow_inside),
      cmocka_unit_test(test_documents_echo_as_json),
      cmocka_unit_test(test_the_deepest_document_echoes),
      cmocka_unit_test(test_zero_has_no_sign),
      cmocka_unit_test(test_numbers_have_the_fewest_digits),
      cmocka_unit_test(times_are_the_decimals_that_multiples_of_periods_stand_for),
      cmocka_unit_test(test_a_hundred_thousand_doubles_read_back_bit_for_bit),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
