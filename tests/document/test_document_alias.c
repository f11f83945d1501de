/* test_document_alias.c -- anchors, aliases and merge keys of YAML: what they stand for, where mistakes in them are
 * placed, and that a few lines cannot stand for gigabytes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <freebody/support/json.h>

#include "document/document.h"

#include "document_rig.h"

/* The document as JSON on one line without blanks; free it. */
static char* echo(const fb_doc* doc) {
  fb_json* json = fb_json_new(0);
  fb_json_node(json, fb_doc_root(doc));
  char *text = fb_json_finish(json, NULL), *to = text;
  for (const char* from = text; *from; from++)
    if (!strchr(" \n", *from)) *to++ = *from;
  *to = '\0';
  return text;
}

static void test_aliases_and_merges_stand_for_what_they_name(void** state) {
  (void)state;
  static const char* const rows[][2] = {
      {"a: &x 1\nb: *x\n", "{\"a\":1,\"b\":1}"},
      {"- &x [1, {c: 2}]\n- *x\n- [*x, *x]\n", "[[1,{\"c\":2}],[1,{\"c\":2}],[[1,{\"c\":2}],[1,{\"c\":2}]]]"},
      {"a: &x []\nb: *x\n", "{\"a\":[],\"b\":[]}"},
      {"a: &x\nb: *x\n", "{\"a\":null,\"b\":null}"},
      {"a: &x 1\nb: &x 2\nc: *x\n", "{\"a\":1,\"b\":2,\"c\":2}"},
      {"a: &x {b: &y 1, c: *y}\nd: [*x, *y]\n", "{\"a\":{\"b\":1,\"c\":1},\"d\":[{\"b\":1,\"c\":1},1]}"},
      {"a: &x \"1\"\nb: *x\n", "{\"a\":\"1\",\"b\":\"1\"}"},
      /* merges: the map's own keys win, then the earlier map; '<<' is where its keys come */
      {"a: &x {b: 1, c: 2}\nd: {<<: *x, c: 3}\n", "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"b\":1,\"c\":3}}"},
      {"a: &x {b: 1, c: 2}\nd:\n  c: 3\n  <<: *x\n  e: 4\n",
       "{\"a\":{\"b\":1,\"c\":2},\"d\":{\"c\":3,\"b\":1,\"e\":4}}"},
      {"- &x {b: 1}\n- &y {b: 2, c: 3}\n- {<<: [*x, *y, {d: 4}]}\n",
       "[{\"b\":1},{\"b\":2,\"c\":3},{\"b\":1,\"c\":3,\"d\":4}]"},
      {"- &x {b: 1}\n- &y {<<: *x, c: 2}\n- {<<: *y}\n", "[{\"b\":1},{\"b\":1,\"c\":2},{\"b\":1,\"c\":2}]"},
      {"- {<<: {b: {c: 1}}, d: 2}\n", "[{\"b\":{\"c\":1},\"d\":2}]"},
      {"- &x {}\n- {<<: *x}\n- {<<: []}\n", "[{},{},{}]"},
      {"{\"<<\": 1}", "{\"<<\":1}"},
      {"- &x {a: 1, b: 1, c: 1, d: 1, e: 1, f: 1, g: 1, h: 1, i: 1, j: 1, k: 1, l: 1, m: 1, n: 1}\n"
       "- {<<: *x, n: 2, o: 3}\n- *x\n",
       "[{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,\"k\":1,\"l\":1,"
       "\"m\":1,\"n\":1},{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,\"h\":1,\"i\":1,\"j\":1,"
       "\"k\":1,\"l\":1,\"m\":1,\"n\":2,\"o\":3},{\"a\":1,\"b\":1,\"c\":1,\"d\":1,\"e\":1,\"f\":1,\"g\":1,"
       "\"h\":1,\"i\":1,\"j\":1,\"k\":1,\"l\":1,\"m\":1,\"n\":1}]"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc = parse(rows[i][0]);
    char* text = echo(doc);
    assert_string_equal(text, rows[i][1]);
    free(text);
    fb_doc_free(doc);
  }
}

static void test_mistakes_have_their_place_and_advice(void** state) {
  (void)state;
  static const struct {
    const char* text;
    int line, column;
    const char* part;
  } rows[] = {
      {"a: *b\n", 1, 4, "the alias *b has no anchor &b before it; a text that begins with '*' needs quotes"},
      {"a: &arm 1\nb: *amr\n", 2, 4, "the alias *amr has no anchor &amr before it; did you mean 'arm'?"},
      {"a: *b\nc: &b 1\n", 1, 4, "has no anchor &b before it"},
      {"a: &x [1, *x]\n", 1, 11, "stands inside the value of its own anchor"},
      {"a: &x 1\nb: &x {c: *x}\n", 2, 11, "stands inside the value of its own anchor"},
      {"&x a: 1\n", 1, 1, "cannot stand before a key; put it before the value"},
      {"a: &x b\n*x : 1\n", 2, 1, "cannot be a key; write the key out"},
      {"a: &x {b: 1, b: 2}\nc: *x\n", 1, 14, "the key 'b' is given twice (first in line 1)"},
      {"a: &x {b: 1}\nc:\n  <<: *x\n  <<: *x\n", 4, 3, "the key '<<' is given twice (first in line 3)"},
      {"a: &x {b: 1}\nc: {<<: *x, d: 1, d: 2}\n", 2, 19, "the key 'd' is given twice"},
      {"a: &x 1\nb: {<<: *x}\n", 1, 4, "'<<' merges a map, as <<: *name, or a list of maps, but found"},
      {"a: {<<: [{b: 1}, 2]}\n", 1, 18, "but found the number '2'"},
      {"a: {<<: }\n", 1, 5, "but found nothing"},
      {"a: {<<: &x {<<: *x}}\n", 1, 17, "stands inside the value of its own anchor"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc = NULL;
    fb_error error;
    assert_int_equal(fb_doc_parse(rows[i].text, strlen(rows[i].text), "f", &doc, &error), FB_ERR_SYNTAX);
    assert_non_null(strstr(error.text, rows[i].part));
    assert_int_equal(error.place.line, rows[i].line);
    assert_int_equal(error.place.column, rows[i].column);
  }
}

/* Where the text is, and which value it is. */
static void test_a_wrong_value_is_placed_at_its_text_with_the_path_of_its_use(void** state) {
  (void)state;
  fb_doc* doc = parse("- &x\n  mass: 3\n- {<<: *x, name: b}\n- *x\n");
  for (int i = 1; i < 3; i++) {
    const fb_node* mass = fb_map_get(fb_node_item(fb_doc_root(doc), i), "mass");
    fb_error error;
    char path[16];
    snprintf(path, sizeof path, "[%d].mass", i);
    fb_node_fail(mass, &error, FB_ERR_CONTENT, "no");
    assert_string_equal(error.path, path);
    assert_int_equal(error.place.line, 2);
    assert_int_equal(error.place.column, 9);
  }
  fb_doc_free(doc);
}

static void test_setting_an_aliased_value_changes_one_place(void** state) {
  (void)state;
  static const char* const rows[][2] = {
      {"b.c=7", "{\"a\":{\"c\":1},\"b\":{\"c\":7},\"d\":{\"c\":1,\"e\":2}}"},
      {"a.c=7", "{\"a\":{\"c\":7},\"b\":{\"c\":1},\"d\":{\"c\":1,\"e\":2}}"},
      {"d.c=7", "{\"a\":{\"c\":1},\"b\":{\"c\":1},\"d\":{\"c\":7,\"e\":2}}"},
      {"d.c=null", "{\"a\":{\"c\":1},\"b\":{\"c\":1},\"d\":{\"e\":2}}"},
      {"b.f={<<: {c: 3}}", "{\"a\":{\"c\":1},\"b\":{\"c\":1,\"f\":{\"c\":3}},\"d\":{\"c\":1,\"e\":2}}"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    fb_doc* doc = parse("a: &x {c: 1}\nb: *x\nd: {<<: *x, e: 2}\n");
    assert_int_equal(fb_doc_set(doc, rows[i][0], NULL), FB_OK);
    char* text = echo(doc);
    assert_string_equal(text, rows[i][1]);
    free(text);
    fb_doc_free(doc);
  }
}

static void expect_refused(const char* text, const char* part) {
  fb_doc* doc = NULL;
  fb_error error;
  assert_int_equal(fb_doc_parse(text, strlen(text), "f", &doc, &error), FB_ERR_SYNTAX);
  assert_non_null(strstr(error.text, part));
}

static void test_aliases_of_aliases_are_bounded(void** state) {
  (void)state;
  char text[2000];
  int n = snprintf(text, sizeof text, "- &a0 [x, x, x, x, x, x, x, x, x, x]\n");
  for (int i = 1; i < 10; i++) {
    n += snprintf(text + n, sizeof text - (size_t)n, "- &a%d [", i);
    for (int k = 0; k < 10; k++) n += snprintf(text + n, sizeof text - (size_t)n, "*a%d, ", i - 1);
    n += snprintf(text + n, sizeof text - (size_t)n, "]\n");
  }
  expect_refused(text, "stand for more than 200000 values");
  n = snprintf(text, sizeof text, "- &a0 [x]\n");
  for (int i = 1; i < 70; i++) n += snprintf(text + n, sizeof text - (size_t)n, "- &a%d [*a%d]\n", i, i - 1);
  expect_refused(text, "nested more than 64 levels deep");
}

static void test_the_numbers_of_anchors_and_of_merged_maps_are_bounded(void** state) {
  (void)state;
  enum { SIZE = 400000 };
  char* text = malloc(SIZE);
  size_t n = 0;
  for (int i = 0; i <= 10000; i++) n += (size_t)snprintf(text + n, SIZE - n, "- &a%d x\n", 20000 - i);
  expect_refused(text, "more than 10000 anchors");
  n = (size_t)snprintf(text, SIZE, "- &x {a: 1}\n- {<<: [");
  for (int i = 0; i <= 100; i++) n += (size_t)snprintf(text + n, SIZE - n, "*x, ");
  snprintf(text + n, SIZE - n, "]}\n");
  expect_refused(text, "'<<' merges 101 maps, but may merge 100 at most");
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_aliases_and_merges_stand_for_what_they_name),
      cmocka_unit_test(test_mistakes_have_their_place_and_advice),
      cmocka_unit_test(test_a_wrong_value_is_placed_at_its_text_with_the_path_of_its_use),
      cmocka_unit_test(test_setting_an_aliased_value_changes_one_place),
      cmocka_unit_test(test_aliases_of_aliases_are_bounded),
      cmocka_unit_test(test_the_numbers_of_anchors_and_of_merged_maps_are_bounded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
